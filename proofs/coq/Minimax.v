(* SPDX-License-Identifier: MIT *)
(* Theorem 1, part 2: minimax consumers with any side information S.                                          *)
(*                                                                                                            *)
(*   minimax_saddle         an interaction T with G, a prior w on S and a value v such that G T costs at most *)
(*                          v on S, and every private mechanism costs at least v under the prior w            *)
(*   minimax_optimality     one T for all: whatever bound a private X keeps on S, G T keeps too               *)
(*   minimax_universality   for every private X there is such a T (no minimum is mentioned)                   *)
(*   worst_loss, theorem1_part2   the same with the maximum over S written out, as in the paper               *)
(*                                                                                                            *)
(* Proof.  An interaction is a mixture of deterministic ones.  The finite minimax theorem for the matrix of   *)
(* losses "deterministic interaction against input in S" gives T, w and v; under the prior w the geometric    *)
(* mechanism with a best response beats every private mechanism (Universal.v), and costs at least v.          *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric Losses Universal MatrixGame.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Mixtures.
Variables (R : realFieldType) (p k m : nat).

(* The interaction that takes the map f with the probability c f and reads the output j as the guess f j. *)
Definition mixture (c : {ffun 'I_k -> 'I_m} -> R) : 'M[R]_(k, m) := \sum_f c f *: remap R f.

Lemma mixture_stochastic c : distribution c -> stochastic (mixture c).
Proof.
move=> [c_ge0 c_sum1]; split=> [j r|j].
  by rewrite summxE sumr_ge0 // => f _; rewrite !mxE mulr_ge0 ?ler0n.
under eq_bigr => r _ do rewrite summxE.
rewrite exchange_big -[RHS]c_sum1; apply: eq_bigr => f _ /=.
under eq_bigr => r _ do rewrite mxE.
by rewrite -mulr_sumr (proj2 (remap_stochastic R f)) mulr1.
Qed.

Lemma loss_mixture (l : 'M[R]_(p, m)) (Y : 'M[R]_(p, k)) c i :
  loss_at l (Y *m mixture c) i = \sum_f c f * loss_at l (Y *m remap R f) i.
Proof.
rewrite /loss_at /mixture mulmx_sumr; under eq_bigr => r _ do rewrite summxE mulr_sumr.
rewrite exchange_big; apply: eq_bigr => f _ /=.
by rewrite mulr_sumr; apply: eq_bigr => r _; rewrite -scalemxAr mxE mulrCA.
Qed.

End Mixtures.

Section Minimax.
Variables (R : realFieldType) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Variable l : 'M[R]_(n.+1, m.+1).
Hypothesis l_crossing : single_crossing l.
Variable S : {set 'I_n.+1}.
Local Notation G := (geometric n a).

Theorem minimax_saddle (i0 : 'I_n.+1) : i0 \in S ->
  exists T w v, [/\ stochastic T, worst_loss_le S l (G *m T) v,
    distribution w, forall i, i \notin S -> w i = 0 &
    forall X : 'M[R]_(n.+1, m.+1), stochastic X -> private a X -> v <= bayes_loss w l X].
Proof.
move=> i0_S; pose into_S i := if i \in S then i else i0.
pose D (f : {ffun 'I_n.+1 -> 'I_m.+1}) i := loss_at l (G *m remap R f) (into_S i).
have [c [q [v [c_dist [q_ge0 q_sum1] cD_le Dq_ge]]]] := minimax D [ffun=> ord0] i0.
pose w k := \sum_(i | into_S i == k) q i.
have w_sum (F : 'I_n.+1 -> R) : \sum_k w k * F k = \sum_i q i * F (into_S i).
  rewrite [RHS](partition_big into_S xpredT) //=; apply: eq_bigr => k _.
  by rewrite mulr_suml; apply: eq_bigr => i /eqP ->.
have w_ge0 k : 0 <= w k by rewrite sumr_ge0.
exists (mixture c), w, v; split.
- exact: mixture_stochastic.
- move=> i i_S; rewrite loss_mixture; apply: le_trans (cD_le i).
  by rewrite /D /into_S i_S.
- split=> //; have := w_sum (fun=> 1); under eq_bigr => k _ do rewrite mulr1.
  by move=> ->; under eq_bigr => k _ do rewrite mulr1.
- move=> k k_S; rewrite /w big_pred0 // => i; apply: contraNF k_S => /eqP <-.
  by rewrite /into_S; case: ifP.
- move=> X X_st X_priv; have [T T_best] := best_response_exists w l G.
  apply: le_trans (universal_optimality a_gt0 a_lt1 l_crossing w_ge0 T_best X_st X_priv).
  apply: le_trans (Dq_ge (finfun T)) _; rewrite /bayes_loss w_sum; apply: ler_sum => i _.
  have -> : remap R T = remap R (finfun T) by apply/matrixP=> j r; rewrite !mxE ffunE.
  by rewrite mulrC.
Qed.

(* One interaction T keeps every bound on S that any private mechanism keeps.  (S may be empty.) *)
Theorem minimax_optimality :
  exists2 T, stochastic T & forall X : 'M[R]_(n.+1, m.+1), stochastic X -> private a X ->
    forall v, worst_loss_le S l X v -> worst_loss_le S l (G *m T) v.
Proof.
have [->|[i0 i0_S]] := set_0Vmem S.
  exists (remap R (fun=> ord0)) => [|X _ _ v _ i]; first exact: remap_stochastic.
  by rewrite inE.
have [T [w [v [T_st T_le [w_ge0 w_sum1] w_S X_ge]]]] := minimax_saddle i0_S.
exists T => // X X_st X_priv u X_le i i_S; apply: le_trans (T_le i i_S) _.
apply: le_trans (X_ge X X_st X_priv) _; rewrite -[u]mul1r -w_sum1 mulr_suml.
apply: ler_sum => k _; have [k_S|k_S] := boolP (k \in S); first by rewrite ler_wpmul2l // X_le.
by rewrite w_S // !mul0r.
Qed.

(* Gupte and Sundararajan's Theorem 1, part 2, in the form that needs no attained minimum. *)
Corollary minimax_universality (X : 'M[R]_(n.+1, m.+1)) : stochastic X -> private a X ->
  exists2 T, stochastic T & forall v, worst_loss_le S l X v -> worst_loss_le S l (G *m T) v.
Proof.
by move=> X_st X_priv; have [T T_st T_opt] := minimax_optimality; exists T => // v; exact: T_opt.
Qed.

End Minimax.

(* The maximum over a non-empty S, written out. *)
Section WorstLoss.
Variables (R : realFieldType) (p m : nat) (S : {set 'I_p}) (i0 : 'I_p).
Hypothesis i0_S : i0 \in S.

Definition worst_loss (l X : 'M[R]_(p, m)) : R :=
  loss_at l X [arg max_(i > i0 in S) loss_at l X i]%O.

Lemma worst_lossP l X v : worst_loss_le S l X v <-> worst_loss l X <= v.
Proof.
rewrite /worst_loss; case: arg_maxP => // i i_S i_max; split=> [X_le|X_le j j_S]; first exact: X_le.
exact: le_trans (i_max j j_S) X_le.
Qed.
End WorstLoss.

(* Theorem 1, part 2, as printed: the consumer has an optimal interaction T with the geometric mechanism, and *)
(* the loss it then suffers is that of the best private mechanism, the one tailored for it.                   *)
Theorem theorem1_part2 (R : realFieldType) (n m : nat) (a : R) (l : 'M[R]_(n.+1, m.+1))
    (S : {set 'I_n.+1}) (i0 : 'I_n.+1) :
  0 < a -> a < 1 -> monotone_loss l -> i0 \in S ->
  exists T, [/\ stochastic T,
    forall T', stochastic T' -> worst_loss S i0 l (geometric n a *m T) <= worst_loss S i0 l (geometric n a *m T'),
    stochastic (geometric n a *m T) /\ private a (geometric n a *m T) &
    forall X, stochastic X -> private a X -> worst_loss S i0 l (geometric n a *m T) <= worst_loss S i0 l X].
Proof.
move=> a_gt0 a_lt1 /monotone_single_crossing l_crossing i0_S.
have [T T_st T_opt] := minimax_optimality a_gt0 a_lt1 l_crossing S.
have T_best X : stochastic X -> private a X -> worst_loss S i0 l (geometric n a *m T) <= worst_loss S i0 l X.
  by move=> X_st X_priv; apply/(worst_lossP i0_S)/(T_opt X) => //; apply/(worst_lossP i0_S).
have G_private T' : stochastic T' ->
    stochastic (geometric n a *m T') /\ private a (geometric n a *m T').
  move=> T'_st; split; first exact: stochastic_mul (geometric_stochastic n a_gt0 a_lt1) T'_st.
  by case: T'_st => T'_ge0 _; apply: private_post_processing T'_ge0 _; exact: geometric_private.
exists T; split=> // [T' /G_private[T'_st T'_priv]|]; first exact: T_best.
exact: G_private.
Qed.
