(* SPDX-License-Identifier: MIT *)
(* Appendix B's matrix is "not optimal for any information consumer" (4.2), as repaired.                      *)
(*                                                                                                            *)
(*   appendixB_beaten        on each input where the loss is not constant, G(3, 1/2) itself, read as it is,   *)
(*                           costs less than the matrix                                                       *)
(*   appendixB_not_optimal   so the matrix is optimal for no consumer whose loss is constant on no input of S *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form Geometric Minimax OptimalMechanisms Examples.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section AppendixB.
Variables (R : realFieldType) (l : 'M[R]_4).
Hypothesis l_mono : monotone_loss l.
Add Field R_field : (field_theory_of R).
Local Notation half := (2%:R^-1 : R).
Local Notation G := (geometric 3 half).
Local Notation M := (appendixB R).

(* The input, or the guess, with the number k < 4. *)
Let o (k : nat) : 'I_4 := inord k.

Lemma sum4 (F : 'I_4 -> R) : \sum_r F r = F (o 0) + F (o 1) + F (o 2) + F (o 3).
Proof.
rewrite !big_ord_recr big_ord0 /= add0r.
by congr (F _ + F _ + F _ + F _); apply/val_inj; rewrite /= inordK.
Qed.

Lemma half_gt0 : 0 < half. Proof. by rewrite invr_gt0 ltr0n. Qed.
Lemma half_lt1 : half < 1. Proof. by rewrite invf_lt1 ?ltr0n ?ltr1n. Qed.

(* geometric_table is G(3, 1/2) in thirty-sixths; Appendix B's matrix is Examples.appendixB_table, in eighteenths. *)
Definition geometric_table : seq (seq nat) :=
  [:: [:: 24; 6; 3; 3]; [:: 12; 12; 6; 6]; [:: 6; 6; 12; 12]; [:: 3; 3; 6; 24]]%N.

(* One thirty-sixth. *)
Let w : R := half * half * (3%:R^-1 * 3%:R^-1).

Lemma half2 : 2%:R * half = 1. Proof. by rewrite mulfV // pnatr_eq0. Qed.
Lemma third3 : 3%:R * 3%:R^-1 = 1 :> R. Proof. by rewrite mulfV // pnatr_eq0. Qed.

Lemma geometric_tableE i r : G i r = (nth 0%N (nth [::] geometric_table i) r)%:R * w.
Proof.
rewrite /w; move: half (3%:R^-1) half2 third3 => h u h2 u3.
have scale_end : (1 + h)^-1 = 2%:R * u.
  apply: mulr1_eq; rewrite -[RHS]u3 (_ : _ * _ = (2%:R + 2%:R * h) * u); last by by_ring R.
  by rewrite h2; by_ring R.
have scale_mid : (1 - h) * (1 + h)^-1 = u.
  rewrite scale_end (_ : _ * _ = (2%:R - 2%:R * h) * u); last by by_ring R.
  by rewrite h2; by_ring R.
have e0 : u = 12%:R * (h * h * (u * u)).
  by rewrite (_ : _ * _ = (2%:R * h) * (2%:R * h) * (3%:R * u) * u); [rewrite h2 u3 !mul1r | by_ring R].
have e1 : h * u = 6%:R * (h * h * (u * u)).
  by rewrite (_ : _ * (_ * _ * _) = (2%:R * h) * (3%:R * u) * (h * u)); [rewrite h2 u3 !mul1r | by_ring R].
have e2 : h * h * u = 3%:R * (h * h * (u * u)).
  by rewrite (_ : _ * (_ * _ * (_ * _)) = (3%:R * u) * (h * h * u)); [rewrite u3 mul1r | by_ring R].
rewrite mxE; move: (h * h * (u * u)) e0 e1 e2 => v e0 e1 e2.
rewrite /scale /=; case: i => -[|[|[|[|]]]] // i_lt; case: r => -[|[|[|[|]]]] // r_lt;
  rewrite /= ?scale_mid ?scale_end /dist /=; first
  [ by rewrite e0; by_ring R
  | by rewrite (_ : _ * _ = 2%:R * (h * u)); [rewrite e1; by_ring R | by_ring R]
  | by rewrite (_ : _ * _ = h * u); [rewrite e1; by_ring R | by_ring R]
  | by rewrite (_ : _ * _ = 2%:R * (h * h * u)); [rewrite e2; by_ring R | by_ring R]
  | by rewrite (_ : _ * _ = h * h * u); [rewrite e2; by_ring R | by_ring R]
  | by rewrite (_ : _ * _ = 2%:R * h * (h * h * u)); [rewrite h2 e2; by_ring R | by_ring R] ].
Qed.

Lemma appendixB_thirty_sixths i r : M i r = (2 * nth 0%N (nth [::] appendixB_table i) r)%:R * w.
Proof.
have u_18 : 18%:R^-1 = 2%:R * w :> R.
  rewrite /w; apply: mulr1_eq; move: half (3%:R^-1) half2 third3 => h u h2 u3.
  transitivity ((2%:R * h) * (2%:R * h) * (3%:R * u) * (3%:R * u)); first by by_ring R.
  by rewrite h2 u3 !mulr1.
by rewrite mxE u_18 natrM mulrA [_ * 2%:R]mulrC.
Qed.

Lemma w_gt0 : 0 < w. Proof. by rewrite !mulr_gt0 ?invr_gt0 ?ltr0n. Qed.

(* If the loss on i is not constant then a guess at the largest distance costs more than i itself. *)
Lemma far_costs (i far : 'I_4) : (forall r : 'I_4, (dist i r <= dist i far)%N) -> (exists r s, l i r != l i s) -> l i i < l i far.
Proof.
move=> far_max [r [s rs]]; rewrite ltNge; apply/negP => far_le; case/eqP: rs.
have same t : l i t = l i i.
  apply/eqP; rewrite eq_le; apply/andP; split; first exact: le_trans (l_mono (far_max t)) far_le.
  by apply: l_mono; rewrite /dist subnn.
by rewrite !same.
Qed.

(* The difference of the two losses on an input, a sum of terms >= 0 with one > 0. *)
Theorem appendixB_beaten (i : 'I_4) : (exists r s, l i r != l i s) -> loss_at l G i < loss_at l M i.
Proof.
move=> not_const; rewrite -subr_gt0 /loss_at -sumrB sum4 !geometric_tableE !appendixB_thirty_sixths /o !inordK //.
have mono (s t : nat) : (s < 4)%N -> (t < 4)%N -> (dist i s <= dist i t)%N -> 0 <= l i (o t) - l i (o s).
  by move=> s_lt t_lt st; rewrite subr_ge0; apply: l_mono; rewrite !inordK.
have far (t : nat) : (t < 4)%N -> (forall r : 'I_4, (dist i r <= dist i t)%N) -> 0 < l i (o t) - l i (o i).
  by move=> t_lt t_max; rewrite subr_gt0 /o inord_val far_costs // => r; rewrite inordK.
rewrite /o in mono far; case: i not_const mono far => -[|[|[|[|]]]] // i_lt _ mono far /=.
- have d1 := mono 0%N 1%N isT isT isT; have d2 := mono 0%N 2%N isT isT isT.
  have d3 : 0 < l (Ordinal i_lt) (inord 3) - l (Ordinal i_lt) (inord 0) by apply: (far 3%N) => // -[[|[|[|[|]]]]].
  move: d1 d2 d3; move: (l _ (inord 0)) (l _ (inord 1)) (l _ (inord 2)) (l _ (inord 3)) => x0 x1 x2 x3 d1 d2 d3.
  rewrite [ltRHS](_ : _ = (2%:R * (x1 - x0) + 13%:R * (x2 - x0) + 5%:R * (x3 - x0)) * w); last by move: w => v; by_ring R.
  by apply: mulr_gt0 w_gt0; rewrite ltr_paddl ?addr_ge0 ?mulr_ge0 ?ler0n // mulr_gt0 ?ltr0n.
- have d1 := mono 0%N 2%N isT isT isT; have d2 := mono 0%N 3%N isT isT isT.
  have d3 : 0 < l (Ordinal i_lt) (inord 3) - l (Ordinal i_lt) (inord 1) by apply: (far 3%N) => // -[[|[|[|[|]]]]].
  move: d1 d2 d3; move: (l _ (inord 0)) (l _ (inord 1)) (l _ (inord 2)) (l _ (inord 3)) => x0 x1 x2 x3 d1 d2 d3.
  rewrite [ltRHS](_ : _ = (2%:R * (x2 - x0) + 2%:R * (x3 - x0) + 8%:R * (x3 - x1)) * w); last by move: w => v; by_ring R.
  by apply: mulr_gt0 w_gt0; rewrite ltr_paddl ?addr_ge0 ?mulr_ge0 ?ler0n // mulr_gt0 ?ltr0n.
- have d1 := mono 3%N 1%N isT isT isT; have d2 := mono 3%N 0%N isT isT isT.
  have d3 : 0 < l (Ordinal i_lt) (inord 0) - l (Ordinal i_lt) (inord 2) by apply: (far 0%N) => // -[[|[|[|[|]]]]].
  move: d1 d2 d3; move: (l _ (inord 0)) (l _ (inord 1)) (l _ (inord 2)) (l _ (inord 3)) => x0 x1 x2 x3 d1 d2 d3.
  rewrite [ltRHS](_ : _ = (2%:R * (x1 - x3) + 2%:R * (x0 - x3) + 8%:R * (x0 - x2)) * w); last by move: w => v; by_ring R.
  by apply: mulr_gt0 w_gt0; rewrite ltr_paddl ?addr_ge0 ?mulr_ge0 ?ler0n // mulr_gt0 ?ltr0n.
- have d1 := mono 3%N 1%N isT isT isT; have d2 := mono 2%N 0%N isT isT isT.
  have d3 : 0 < l (Ordinal i_lt) (inord 0) - l (Ordinal i_lt) (inord 3) by apply: (far 0%N) => // -[[|[|[|[|]]]]].
  move: d1 d2 d3; move: (l _ (inord 0)) (l _ (inord 1)) (l _ (inord 2)) (l _ (inord 3)) => x0 x1 x2 x3 d1 d2 d3.
  rewrite [ltRHS](_ : _ = (x1 - x3 + 4%:R * (x0 - x2) + 19%:R * (x0 - x3)) * w); last by move: w => v; by_ring R.
  have d4 : 0 <= 4%:R * (x0 - x2) by rewrite mulr_ge0 ?ler0n.
  have d5 : 0 < 19%:R * (x0 - x3) by rewrite mulr_gt0 ?ltr0n.
  by apply: mulr_gt0 w_gt0; apply: ltr_paddl d5; exact: addr_ge0 d1 d4.
Qed.

(* No optimum: G(3, 1/2) has a smaller worst loss. *)
Theorem appendixB_not_optimal (S : {set 'I_4}) i0 : i0 \in S ->
  (forall i, i \in S -> exists r s, l i r != l i s) ->
  worst_loss S i0 l G < worst_loss S i0 l M /\ ~ optimal (@line 3) half l S M.
Proof.
move=> i0_S not_const.
have better : worst_loss S i0 l G < worst_loss S i0 l M.
  rewrite {1}/worst_loss; case: arg_maxP => // i i_S _.
  by apply: lt_le_trans (appendixB_beaten (not_const i i_S)) _; apply: (proj2 (worst_lossP i0_S l M _)) i_S.
split=> // /(@optimalP _ _ _ _ _ _ _ i0 M i0_S)[_ _ /(_ G)]; rewrite leNgt better => none; apply: (notF (none _ _)).
  exact: geometric_stochastic half_gt0 half_lt1.
exact: geometric_private half_gt0 half_lt1.
Qed.

End AppendixB.
