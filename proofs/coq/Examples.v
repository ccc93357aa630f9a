(* SPDX-License-Identifier: MIT *)
(* The examples of the paper: privacy and the three-term condition are independent of each other.             *)
(*                                                                                                            *)
(*   appendixB_private, appendixB_not_derivable   the matrix of Appendix B                                    *)
(*   private_not_three_term, three_term_not_private   "neither condition implies the other" (Section 3)       *)
(*   identity_not_derivable   for two inputs there is no three-term condition, and privacy cannot be dropped  *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric Derivability.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Examples.
Variable R : realFieldType.
Add Field R_field : (field_theory_of R).

(* Appendix B, in eighteenths. *)
Definition appendixB_table : seq (seq nat) :=
  [:: [:: 2; 4; 8; 4]; [:: 4; 2; 4; 8]; [:: 8; 4; 2; 4]; [:: 13; 2; 1; 2]]%N.
(* Appendix B's matrix: the entries of the table over 18. *)
Definition appendixB : 'M[R]_4 := \matrix_(i, j) ((nth 0%N (nth [::] appendixB_table i) j)%:R / 18%:R).

Lemma eighteen_gt0 : 0 < 18%:R :> R. Proof. by rewrite ltr0n. Qed.

Theorem appendixB_stochastic : stochastic appendixB.
Proof.
split=> [i r|i]; first by rewrite mxE divr_ge0 ?ler0n.
under eq_bigr => r _ do rewrite mxE.
rewrite -mulr_suml -natr_sum !big_ord_recr big_ord0 /=.
have -> : (0 + nth 0 (nth [::] appendixB_table i) 0 + nth 0 (nth [::] appendixB_table i) 1
  + nth 0 (nth [::] appendixB_table i) 2 + nth 0 (nth [::] appendixB_table i) 3 = 18)%N.
  by case: i => -[|[|[|[|]]]].
by rewrite divff // gt_eqF ?eighteen_gt0.
Qed.

Theorem appendixB_private : private (2%:R^-1) appendixB.
Proof.
move=> i j r ij; rewrite !mxE mulrA ler_pmul2r ?invr_gt0 ?eighteen_gt0 //.
rewrite -(ler_pmul2l (ltr0n R 2)) mulVKf ?pnatr_eq0 // -natrM ler_nat.
case: i ij => -[|[|[|[|]]]] // i_lt; case: j => -[|[|[|[|]]]] // j_lt; rewrite /line //= => _.
all: by case: r => -[|[|[|[|]]]].
Qed.

Theorem appendixB_not_three_term : ~ three_term (2%:R^-1) appendixB.
Proof.
move=> /(_ (inord 0) (inord 1) (inord 2) (inord 1)); rewrite !inordK // => /(_ erefl erefl).
rewrite !mxE !inordK //=; apply/negP; rewrite -ltNge -subr_gt0.
have half : 2%:R * 2%:R^-1 - 1 = 0 :> R by rewrite mulfV ?subrr // pnatr_eq0.
have u_gt0 : 0 < 18%:R^-1 :> R by rewrite invr_gt0 eighteen_gt0.
have v_gt0 : 0 < 2%:R^-1 :> R by rewrite invr_gt0 ltr0n.
move: (18%:R^-1) (2%:R^-1) half u_gt0 v_gt0 => u v half u_gt0 v_gt0.
rewrite (_ : _ - _ = u * (1 + v) + u * (3%:R - v) * (2%:R * v - 1)); last by by_ring R.
by rewrite half mulr0 addr0 mulr_gt0 // addr_gt0 ?ltr01.
Qed.

(* Privacy does not imply that a mechanism is derivable. *)
Theorem appendixB_not_derivable : ~ derivable (geometric 3 (2%:R^-1)) appendixB.
Proof.
move=> /theorem2 three; apply: appendixB_not_three_term; apply: three.
- by rewrite invr_gt0 ltr0n.
- by rewrite invf_lt1 ?ltr0n ?ltr1n.
- by case: appendixB_stochastic.
- exact: appendixB_stochastic.
- exact: appendixB_private.
Qed.

Corollary private_not_three_term : exists X : 'M[R]_4,
  [/\ stochastic X, private (2%:R^-1) X & ~ three_term (2%:R^-1) X].
Proof.
by exists appendixB; split; [exact: appendixB_stochastic | exact: appendixB_private |
  exact: appendixB_not_three_term].
Qed.

(* Conversely, a column that rises along a straight line from 0 satisfies the three-term condition. *)
(* Its rows are (0, 1), (1/2, 1/2) and (1, 0). *)
Definition straight : 'M[R]_(3, 2) :=
  \matrix_(i, r) ((if r == 0%N :> nat then i : nat else 2 - i)%N%:R / 2%:R).

Theorem three_term_not_private (a : R) : 0 < a -> a < 1 ->
  [/\ stochastic straight, three_term a straight & ~ private a straight].
Proof.
move=> a_gt0 a_lt1; split.
- split=> [i r|i]; first by rewrite mxE divr_ge0 ?ler0n.
  rewrite big_ord_recr big_ord1 /= !mxE /= -mulrDl -natrD subnKC; last by rewrite -ltnS.
  by rewrite divff // pnatr_eq0.
- move=> i j k r ij jk; have k_lt := ltn_ord k; rewrite !mxE jk ij.
  have -> : i = 0%N :> nat by nat_lia.
  have v_ge0 : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
  move: (2%:R^-1) v_ge0 => v v_ge0.
  have square : 0 <= (1 - a) ^+ 2 * v by rewrite mulr_ge0 ?sqr_ge0.
  by rewrite -subr_ge0; case: ifP => _ /=; rewrite ?subnn; apply: le_trans square _;
     rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
- move=> /(_ (inord 0) (inord 1) (inord 0)); rewrite /line !inordK // => /(_ isT).
  by rewrite !mxE !inordK //= mul0r mul1r; apply/negP; rewrite -ltNge mulr_gt0 // invr_gt0 ltr0n.
Qed.

(* For two inputs the three-term condition is empty; the identity reveals everything, and is not derivable. *)
Theorem identity_not_derivable (a : R) : 0 < a -> a < 1 ->
  three_term a (1%:M : 'M[R]_2) /\ ~ derivable (geometric 1 a) (1%:M : 'M[R]_2).
Proof.
move=> a_gt0 a_lt1; split=> [i j k r ij jk|]; first by have k_lt := ltn_ord k; nat_lia.
move=> /private_derivable/(_ (geometric_private a_gt0 a_lt1))/(_ (inord 0) (inord 1) (inord 1)).
rewrite /line !inordK // => /(_ isT); rewrite !mxE eqxx -val_eqE /= !inordK //= mulr1.
by apply/negP; rewrite -ltNge.
Qed.

End Examples.
