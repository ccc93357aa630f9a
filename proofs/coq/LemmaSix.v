(* SPDX-License-Identifier: MIT *)
(* Lemma 6 at its own generality: any rows, any loss (monotone or not), any side information S.               *)
(*                                                                                                            *)
(*   lemma6_any_loss   an oblivious mechanism is optimal among all private mechanisms on databases            *)
(*   lemma6_constant   the same where all values of a row, or none, have the property                         *)
(*                                                                                                            *)
(* Some oblivious mechanism is optimal on 0, ..., n (OptimalMechanisms.v).  A mechanism on databases is        *)
(* restricted to rows of two values, one with the property and one without, and averaged there.               *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Oblivious OptimalMechanisms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section LemmaSix.
Variables (D : Type) (P : D -> bool) (n m : nat) (R : realFieldType) (a : R) (l : 'M[R]_(n.+1, m.+1)) (S : {set 'I_n.+1}).
Local Notation database := ('I_n -> D).
Local Notation result := (result P).

(* A private mechanism on databases. *)
Definition private_mechanism (x : database -> 'I_m.+1 -> R) := [/\ forall d r, 0 <= x d r,
  forall d, \sum_r x d r = 1 & forall d e r, adjacent d e -> a * x e r <= x d r].

(* (5), as repaired: on every database whose result is in S the loss is at most b. *)
Definition loss5_le (x : database -> 'I_m.+1 -> R) (b : R) :=
  forall d, result d \in S -> \sum_r l (result d) r * x d r <= b.

(* The mechanism that depends on the result only. *)
Definition oblivious (X : 'M[R]_(n.+1, m.+1)) : database -> 'I_m.+1 -> R := fun d => X (result d).

Theorem lemma6_any_loss (t1 t0 : D) : P t1 -> ~~ P t0 -> a <= 1 -> exists X, private_mechanism (oblivious X) /\
  forall x, private_mechanism x -> forall b, loss5_le x b -> loss5_le (oblivious X) b.
Proof.
move=> Pt1 Pt0 a_le1; have [X [X_st X_priv X_best]] := optimal_exists (@line n) l S a_le1.
have [X_ge0 X_sum1] := X_st; exists X; split.
  split=> [d r|d|d e r /(@adjacent_result D P)[same|de]]; [exact: X_ge0 | exact: X_sum1 | | exact: X_priv].
  by rewrite /oblivious same; apply: ler_pimull; [exact: X_ge0 | exact: a_le1].
move=> x [x_ge0 x_sum1 x_priv] b x_le d d_S.
pose embed (c : {ffun 'I_n -> bool}) : database := fun i => if c i then t1 else t0.
have result_embed c : result (embed c) = counting id c.
  apply/val_inj; rewrite /= resultE countingE /count_rows; apply: eq_bigr => i _.
  by rewrite /embed; case: (c i) => /=; rewrite ?Pt1 ?(negPf Pt0).
have [Y [Y_st Y_priv Y_le]] : exists Y : 'M[R]_(n.+1, m.+1), [/\ stochastic Y, private a Y &
    forall (l : 'M[R]_(n.+1, m.+1)) (S : {set 'I_n.+1}) (b : R),
      (forall c, counting (id : pred bool) c \in S -> \sum_r l (counting id c) r * x (embed c) r <= b) -> worst_loss_le S l Y b].
  exists (average (@counting _ (id : pred bool) n) (fun c => x (embed c))); apply: lemma6; first by exists true.
  - by exists false.
  - by move=> c r; exact: x_ge0.
  - by move=> c; exact: x_sum1.
  move=> c e r /existsP[i /forallP same]; apply: x_priv; exists i => j ji.
  by have /implyP /(_ ji) /eqP := same j; rewrite /embed => ->.
apply: (X_best Y Y_st Y_priv) d_S; apply: Y_le => c c_S.
by rewrite -result_embed; apply: x_le; rewrite result_embed.
Qed.

(* All databases have one result; a guess of least loss at it, given always, is optimal. *)
Theorem lemma6_constant : (forall t t', P t = P t') -> a <= 1 -> exists X, private_mechanism (oblivious X) /\
  forall x, private_mechanism x -> forall b, loss5_le x b -> loss5_le (oblivious X) b.
Proof.
move=> same a_le1; have one (d e : database) : result d = result e.
  by apply/val_inj; rewrite /= !resultE; apply: eq_bigr => i _; rewrite (same (d i) (e i)).
pose best i := [arg min_(r < ord0) l i r]%O.
have best_min i r : l i (best i) <= l i r by rewrite /best; case: arg_minP => // s _; exact.
have sum_best (F : 'I_m.+1 -> R) i : \sum_r F r * (r == best i)%:R = F (best i).
  by rewrite (bigD1 (best i)) //= eqxx mulr1 big1 ?addr0 // => r /negPf ->; rewrite mulr0.
exists (\matrix_(i, r) (r == best i)%:R); split.
  split=> [d r|d|d e r _]; rewrite /oblivious; first by rewrite mxE ler0n.
    under eq_bigr => r _ do rewrite mxE -[_%:R]mul1r.
    exact: (sum_best (fun=> 1)).
  by rewrite !mxE (one d e) ler_pimull ?ler0n.
move=> x [x_ge0 x_sum1 _] b x_le d d_S; apply: le_trans (x_le d d_S).
under eq_bigr => r _ do rewrite /oblivious mxE.
rewrite sum_best -[leLHS]mulr1 -(x_sum1 d) mulr_sumr; apply: ler_sum => r _.
by rewrite ler_wpmul2r.
Qed.

End LemmaSix.
