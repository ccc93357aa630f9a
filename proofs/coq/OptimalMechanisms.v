(* SPDX-License-Identifier: MIT *)
(* Sections 2.4.3 and 2.5: the linear programs of a single known consumer.                                    *)
(*                                                                                                            *)
(* For every graph of inputs, level a <= 1, loss and side information S, monotone or not:                     *)
(*   optimal_exists            some private mechanism is optimal: the least loss is attained                  *)
(*   section_2_5               the printed program has the optimal mechanisms as its solutions, the least     *)
(*                             loss as its value, and no interaction with a private mechanism does better     *)
(*   printed_programE          for counting queries the program is, line by line, that of the paper           *)
(*   section_2_4_3             a deployed mechanism has an optimal interaction: the solutions of the          *)
(*                             (repaired) program are the optimal interactions, and there is one              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing LinearPrograms Minimax.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Optimal.
Variables (R : realFieldType) (p m : nat) (adjacent : rel 'I_p) (a : R) (l : 'M[R]_(p, m.+1)) (S : {set 'I_p}).
Add Field R_field : (field_theory_of R).
Implicit Types (X : 'M[R]_(p, m.+1)) (i j : 'I_p) (r : 'I_m.+1).

(* A private mechanism that keeps on S whatever bound a private mechanism keeps.  For S empty that is every   *)
(* private mechanism.                                                                                         *)
Definition optimal X := [/\ stochastic X, private_on adjacent a X &
  forall X', stochastic X' -> private_on adjacent a X' -> forall v, worst_loss_le S l X' v -> worst_loss_le S l X v].

(* Privacy as inequalities, one for two inputs and an output. *)
Definition privacy_term (e : 'I_p * 'I_p * 'I_m.+1) : 'M[R]_(p, m.+1) := \matrix_(k, r)
  if adjacent e.1.1 e.1.2 then ((k == e.1.1) && (r == e.2))%:R - a * ((k == e.1.2) && (r == e.2))%:R else 0.

(* "The loss on i is at most v", for i in S. *)
Definition loss_term v i : 'M[R]_(p, m.+1) := \matrix_(k, r) if i \in S then (k == i)%:R * (v - l k r) else 0.

Lemma inner_at i s X : \sum_k \sum_r ((k == i) && (r == s))%:R * X k r = X i s.
Proof.
rewrite (bigD1 i) //= [X in _ + X]big1 ?addr0 => [|k /negPf ki]; last first.
  by rewrite big1 // => r _; rewrite ki mul0r.
rewrite eqxx (bigD1 s) //= eqxx mul1r big1 ?addr0 // => r /negPf rs.
by rewrite rs mul0r.
Qed.

Lemma inner_privacy i j r X : adjacent i j -> inner (privacy_term (i, j, r)) X = X i r - a * X j r.
Proof.
move=> ij; rewrite -[X i r]inner_at -[X j r]inner_at mulr_sumr -sumrB; apply: eq_bigr => k _.
rewrite mulr_sumr -sumrB; apply: eq_bigr => s _; rewrite mxE /= ij; by_ring R.
Qed.

Lemma inner_loss v i X : stochastic X -> i \in S -> inner (loss_term v i) X = v - loss_at l X i.
Proof.
move=> [_ X_sum1] i_S; rewrite /inner (bigD1 i) //= [X in _ + X]big1 ?addr0 => [|k /negPf ki]; last first.
  by rewrite big1 // => r _; rewrite mxE i_S ki !mul0r.
rewrite -[v in RHS]mulr1 -(X_sum1 i) mulr_sumr /loss_at -sumrB; apply: eq_bigr => r _.
by rewrite mxE i_S eqxx; by_ring R.
Qed.

Lemma private_terms X : private_on adjacent a X <-> forall e, 0 <= inner (privacy_term e) X.
Proof.
split=> [X_priv [[i j] r]|X_in i j r ij]; last by have := X_in (i, j, r); rewrite inner_privacy // subr_ge0.
have [ij|/negPf ij] := boolP (adjacent i j); first by rewrite inner_privacy // subr_ge0 X_priv.
by rewrite /inner big1 // => k _; rewrite big1 // => s _; rewrite mxE ij mul0r.
Qed.

Lemma loss_terms v X : stochastic X -> worst_loss_le S l X v <-> forall i, 0 <= inner (loss_term v i) X.
Proof.
move=> X_st; split=> [X_le i|X_in i i_S]; last by have := X_in i; rewrite inner_loss // subr_ge0.
have [i_S|/negPf i_S] := boolP (i \in S); first by rewrite inner_loss // subr_ge0 X_le.
by rewrite /inner big1 // => k _; rewrite big1 // => s _; rewrite mxE i_S mul0r.
Qed.

Hypothesis a_le1 : a <= 1.

(* The mechanism that always says 0 is private. *)
Lemma constant_private : private_on adjacent a (remap R (fun=> ord0) : 'M[R]_(p, m.+1)).
Proof. by move=> i j r _; rewrite !mxE -[leRHS]mul1r ler_wpmul2r ?ler0n. Qed.

Theorem optimal_exists : exists X, optimal X.
Proof.
have [i0 _|none] := pickP (fun _ : 'I_p => true); last first.
  exists 0; split=> [|i|X _ _ v _ i]; [split=> i | |]; by have := none i.
have ok X : stochastic X -> private_on adjacent a X -> feasible privacy_term X.
  by move=> X_st X_priv; split=> //; exact: (proj1 (private_terms X)).
have [X [X_st X_in] X_best] := worst_attained i0 (ok _ (remap_stochastic R _) constant_private)
  (fun i => \matrix_(k, r) ((k == i)%:R * l k r)) S.
exists X; split=> //; first exact: (proj2 (private_terms X)).
move=> X' X'_st X'_priv v X'_le i i_S; rewrite loss_inner; apply: (X_best X') i i_S; first exact: ok.
by move=> j j_S; rewrite -loss_inner X'_le.
Qed.

(* The maximum over S written out, for a non-empty S. *)
Lemma optimalP i0 X : i0 \in S -> optimal X <-> [/\ stochastic X, private_on adjacent a X &
  forall X', stochastic X' -> private_on adjacent a X' -> worst_loss S i0 l X <= worst_loss S i0 l X'].
Proof.
move=> i0_S; split=> -[X_st X_priv X_best]; split=> // X' X'_st X'_priv.
  by apply/(worst_lossP i0_S)/(X_best X') => //; apply/(worst_lossP i0_S).
move=> v /(worst_lossP i0_S) X'_le; apply/(worst_lossP i0_S); exact: le_trans (X_best _ X'_st X'_priv) X'_le.
Qed.

(* The linear program, for any graph: d and the entries of X are its variables, d is minimised. *)
Definition program (d : R) X := [/\ forall i, i \in S -> 0 <= d - \sum_r X i r * l i r,
  forall i j r, adjacent i j -> 0 <= X i r - a * X j r,
  forall i, \sum_r X i r = 1 & forall i r, 0 <= X i r].

(* A solution of the program: d and X satisfy it, and no others satisfy it with a smaller d. *)
Definition solves_program d X := program d X /\ forall d' X', program d' X' -> d <= d'.

Lemma programP d X : program d X <-> [/\ stochastic X, private_on adjacent a X & worst_loss_le S l X d].
Proof.
have loss i : \sum_r X i r * l i r = loss_at l X i by apply: eq_bigr => r _; rewrite mulrC.
split=> [[X_le X_priv X_sum1 X_ge0]|[[X_ge0 X_sum1] X_priv X_le]]; split=> //.
- by move=> i j r ij; rewrite -subr_ge0 X_priv.
- by move=> i i_S; rewrite -subr_ge0 -loss X_le.
- by move=> i i_S; rewrite subr_ge0 loss X_le.
- by move=> i j r ij; rewrite subr_ge0 X_priv.
Qed.

(* Section 2.5.  (1) The program has a solution.  (2) Its solutions are the optimal mechanisms with their     *)
(* losses.  (3) An optimal mechanism is as good as any interaction T with any private mechanism Y.            *)
Theorem section_2_5 i0 : i0 \in S -> [/\ exists d X, solves_program d X,
  forall d X, solves_program d X <-> optimal X /\ d = worst_loss S i0 l X &
  forall X, optimal X -> forall q (Y : 'M[R]_(p, q)) (T : 'M[R]_(q, m.+1)),
    stochastic Y -> private_on adjacent a Y -> stochastic T -> worst_loss S i0 l X <= worst_loss S i0 l (Y *m T)].
Proof.
move=> i0_S.
have solutions d X : solves_program d X <-> optimal X /\ d = worst_loss S i0 l X.
  split=> [[/programP[X_st X_priv X_le] d_least]|[/(optimalP _ i0_S)[X_st X_priv X_best] ->]].
    have dE : d = worst_loss S i0 l X.
      apply/eqP; rewrite eq_le (proj1 (worst_lossP i0_S l X d)) // andbT; apply: (d_least _ X).
      by apply/programP; split=> //; apply/(worst_lossP i0_S).
    split=> //; apply/(optimalP _ i0_S); split=> // X' X'_st X'_priv; rewrite -dE; apply: (d_least _ X').
    by apply/programP; split=> //; apply/(worst_lossP i0_S).
  split; first by apply/programP; split=> //; apply/(worst_lossP i0_S).
  move=> d' X' /programP[X'_st X'_priv /(worst_lossP i0_S)]; exact: le_trans (X_best _ X'_st X'_priv).
split=> //; last first.
  move=> X /(optimalP _ i0_S)[_ _ X_best] q Y T Y_st Y_priv T_st; apply: X_best; first exact: stochastic_mul.
  by apply: private_post_processing Y_priv; case: T_st.
by have [X X_opt] := optimal_exists; exists (worst_loss S i0 l X), X; apply/solutions.
Qed.

End Optimal.

(* The program of the paper for counting queries: its five lines. *)
Definition printed_program (R : realFieldType) n m (a : R) (l : 'M[R]_(n.+1, m.+1)) (S : {set 'I_n.+1}) (d : R)
    (X : 'M[R]_(n.+1, m.+1)) := [/\ forall i, i \in S -> 0 <= d - \sum_r X i r * l i r,
  forall (i j : 'I_n.+1) r, j = i.+1 :> nat -> 0 <= X i r - a * X j r,
  forall (i j : 'I_n.+1) r, j = i.+1 :> nat -> a * X i r - X j r <= 0,
  forall i, \sum_r X i r = 1 & forall i r, 0 <= X i r].

Theorem printed_programE (R : realFieldType) n m (a : R) (l : 'M[R]_(n.+1, m.+1)) (S : {set 'I_n.+1}) (d : R)
    (X : 'M[R]_(n.+1, m.+1)) : printed_program a l S d X <-> program (@line n) a l S d X.
Proof.
split=> [[X_le X_up X_down X_sum1 X_ge0]|[X_le X_priv X_sum1 X_ge0]]; split=> //.
- move=> i j r /orP[/eqP ij|/eqP ji]; first exact: X_up.
  by have := X_down j i r ji; rewrite subr_le0 subr_ge0.
- by move=> i j r ij; apply: X_priv; rewrite /line ij eqxx.
- by move=> i j r ij; rewrite subr_le0 -subr_ge0; apply: X_priv; rewrite /line ij eqxx orbT.
Qed.

(* Section 2.4.3: interactions T with a deployed mechanism Y, which may be any matrix. *)
Section Interactions.
Variables (R : realFieldType) (p q m : nat) (l : 'M[R]_(p, m.+1)) (S : {set 'I_p}) (Y : 'M[R]_(p, q)).
Implicit Types (T : 'M[R]_(q, m.+1)) (X : 'M[R]_(p, m.+1)).

(* The program as repaired: X_ir = sum_s Y_is T_sr, the rows of T sum to 1, T >= 0, and the largest loss of X *)
(* over S, here a bound d on it, is minimised. *)
Definition interaction_program (d : R) T X := [/\ forall i, i \in S -> \sum_r X i r * l i r <= d,
  forall i r, X i r = \sum_s Y i s * T s r, forall s, \sum_r T s r = 1 & forall s r, 0 <= T s r].

(* A solution of this program: d, T and X satisfy it, and no others satisfy it with a smaller d. *)
Definition solves_interaction d T X := interaction_program d T X /\
  forall d' T' X', interaction_program d' T' X' -> d <= d'.

Lemma interaction_programP d T X :
  interaction_program d T X <-> [/\ stochastic T, X = Y *m T & worst_loss_le S l (Y *m T) d].
Proof.
have loss i : \sum_r X i r * l i r = loss_at l X i by apply: eq_bigr => r _; rewrite mulrC.
split=> [[X_le X_def T_sum1 T_ge0]|[[T_ge0 T_sum1] X_def T_le]].
  have XE : X = Y *m T by apply/matrixP => i r; rewrite mxE X_def.
  by split=> // i i_S; rewrite -XE -loss X_le.
split=> // [i i_S|i r]; first by rewrite loss X_def T_le.
by rewrite X_def mxE.
Qed.

Theorem interaction_exists : exists2 T, stochastic T &
  forall T', stochastic T' -> forall v, worst_loss_le S l (Y *m T') v -> worst_loss_le S l (Y *m T) v.
Proof.
pose C (x : void) : 'M[R]_(q, m.+1) := match x with end.
pose A i : 'M[R]_(q, m.+1) := \matrix_(s, r) (Y i s * l i r).
have loss T i : loss_at l (Y *m T) i = inner (A i) T.
  rewrite /loss_at /inner exchange_big; apply: eq_bigr => r _ /=.
  by rewrite mxE mulr_sumr; apply: eq_bigr => s _; rewrite mxE mulrCA mulrA.
have ok T : stochastic T -> feasible C T by split.
have [s0 _|none] := pickP (fun _ : 'I_q => true).
  have [T [T_st _] T_best] := worst_attained s0 (ok _ (remap_stochastic R (fun=> ord0))) A S.
  exists T => // T' T'_st v T'_le i i_S; rewrite loss; apply: (T_best T') => //.
  by move=> j j_S; rewrite -loss T'_le.
exists 0 => [|T' _ v T'_le i i_S]; first by split=> s; have := none s.
by rewrite (_ : 0 = T') ?T'_le //; apply/matrixP => s; have := none s.
Qed.

(* The program has a solution, and its solutions are the optimal interactions with their losses. *)
Theorem section_2_4_3 i0 : i0 \in S -> (exists d T X, solves_interaction d T X) /\
  forall d T X, solves_interaction d T X <-> [/\ stochastic T, X = Y *m T, d = worst_loss S i0 l X &
    forall T', stochastic T' -> worst_loss S i0 l (Y *m T) <= worst_loss S i0 l (Y *m T')].
Proof.
move=> i0_S.
have solutions d T X : solves_interaction d T X <-> [/\ stochastic T, X = Y *m T, d = worst_loss S i0 l X &
    forall T', stochastic T' -> worst_loss S i0 l (Y *m T) <= worst_loss S i0 l (Y *m T')].
  split=> [[/interaction_programP[T_st -> T_le] d_least]|[T_st -> -> T_best]].
    have dE : d = worst_loss S i0 l (Y *m T).
      apply/eqP; rewrite eq_le (proj1 (worst_lossP i0_S l _ d)) // andbT; apply: (d_least _ T (Y *m T)).
      by apply/interaction_programP; split=> //; apply/(worst_lossP i0_S).
    split=> // T' T'_st; rewrite -dE; apply: (d_least _ T' (Y *m T')).
    by apply/interaction_programP; split=> //; apply/(worst_lossP i0_S).
  split; first by apply/interaction_programP; split=> //; apply/(worst_lossP i0_S).
  move=> d' T' X' /interaction_programP[T'_st _ /(worst_lossP i0_S)]; exact: le_trans (T_best _ T'_st).
split=> //; have [T T_st T_best] := interaction_exists.
exists (worst_loss S i0 l (Y *m T)), T, (Y *m T); apply/solutions; split=> // T' T'_st.
by apply/(worst_lossP i0_S)/(T_best T') => //; apply/(worst_lossP i0_S).
Qed.

End Interactions.
