(* SPDX-License-Identifier: MIT *)
(* Theorem 2: which mechanisms are derivable from the geometric mechanism.                                    *)
(*                                                                                                            *)
(*   derivable_geometric     X with row sums 1 is derivable from G iff K X >= 0 entry by entry                *)
(*   derivable_conditions    the same, written out: three-term inequalities inside a column, two-term ones    *)
(*                           at its ends; X need not be private                                               *)
(*   theorem2                for private X (Theorem 2 of the paper) the three-term inequalities suffice       *)
(*   derivable_unique        the interaction is unique                                                        *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Inverse.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Every three consecutive entries x1, x2, x3 of a column satisfy x2 - a x1 >= a (x3 - a x2). *)
Definition three_term (R : realFieldType) n m (a : R) (X : 'M[R]_(n.+1, m)) :=
  forall (i j k : 'I_n.+1) r, j = i.+1 :> nat -> k = j.+1 :> nat ->
    X j r - a * X i r >= a * (X k r - a * X j r).

(* The first two and the last two entries of a column satisfy what privacy asks of them at the ends. *)
Definition end_terms (R : realFieldType) n m (a : R) (X : 'M[R]_(n.+1, m)) :=
  (forall (i j : 'I_n.+1) r, i = 0%N :> nat -> j = 1%N :> nat -> X i r >= a * X j r) /\
  (forall (i j : 'I_n.+1) r, i.+1 = n :> nat -> j = n :> nat -> X j r >= a * X i r).

Section Derivability.
Variables (R : realFieldType) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Variable X : 'M[R]_(n.+1, m).
Hypothesis X_sum1 : forall i, \sum_r X i r = 1.
Add Field R_field : (field_theory_of R).

Local Notation G := (geometric n a).
Local Notation K := (tridiagonal n a).

Theorem derivable_unique (T : 'M[R]_(n.+1, m)) : X = G *m T -> T = invmx G *m X.
Proof. by move=> ->; rewrite mulKmx // geometric_unit. Qed.

Lemma factor_gt0 j : 0 < (1 - a ^+ 2) * scale a n j.
Proof. by rewrite mulr_gt0 ?one_minus_sq_gt0 ?scale_gt0. Qed.

Theorem derivable_geometric : derivable G X <-> (forall i r, 0 <= (K *m X) i r).
Proof.
have G_unit := geometric_unit n a_gt0 a_lt1.
split=> [[T [T_ge0 _] /derivable_unique T_def] j r | KX_ge0].
  by have := T_ge0 j r; rewrite T_def geometric_inverseE // pmulr_lge0 // invr_gt0 factor_gt0.
exists (invmx G *m X); last by rewrite mulKVmx.
split=> [j r | ]; first by rewrite geometric_inverseE // divr_ge0 // ltW // factor_gt0.
apply/row_sums1; rewrite -mulmxA (proj1 (row_sums1 X) X_sum1).
by rewrite -{1}(proj1 (row_sums1 G) (geometric_sum a_gt0 a_lt1)) mulKmx.
Qed.

(* With one input, n = 0, the matrix K is [1 - a^2] and the condition reads X >= 0. *)
Theorem derivable_conditions : (0 < n)%N -> derivable G X <-> three_term a X /\ end_terms a X.
Proof.
move=> n_gt0; rewrite derivable_geometric; split=> [KX_ge0|[X_three [X_first X_last]] i r].
- split; last split.
  + move=> i j k r ij jk; have := KX_ge0 j r; rewrite tridiagonal_product.
    have -> : (j == 0%N :> nat) = false by apply/eqP; nat_lia.
    have -> : (j == n :> nat) = false by apply/eqP; have k_le := ltn_ord k; nat_lia.
    have -> : column X r j.-1 = X i r by rewrite -columnE; congr (column X r _); nat_lia.
    have -> : column X r j.+1 = X k r by rewrite -columnE jk.
    rewrite columnE -[X in _ -> is_true X]subr_ge0; congr (_ <= _); by_ring R.
  + move=> i j r i0 j1; have := KX_ge0 i r; rewrite tridiagonal_product i0.
    have -> : (0%N == n) = false by apply/eqP; nat_lia.
    have -> : column X r 1 = X j r by rewrite -columnE j1.
    have -> : column X r 0 = X i r by rewrite -columnE i0.
    rewrite -[X in _ -> is_true X]subr_ge0 /=; congr (_ <= _); by_ring R.
  + move=> i j r i_n j_n; have := KX_ge0 j r; rewrite tridiagonal_product j_n eqxx.
    have -> : (n == 0%N) = false by apply/eqP; nat_lia.
    have -> : column X r n.-1 = X i r by rewrite -columnE; congr (column X r _); nat_lia.
    have -> : column X r n = X j r by rewrite -columnE j_n.
    rewrite -[X in _ -> is_true X]subr_ge0 /=; congr (_ <= _); by_ring R.
- have i_le := ltn_ord i; rewrite tridiagonal_product columnE.
  case: eqP => [i0|i0]; case: eqP => [iN|iN]; first by nat_lia.
  + have := X_first i (inord 1) r i0; rewrite inordK // => /(_ erefl); rewrite -subr_ge0 i0.
    by rewrite /column; congr (_ <= _); by_ring R.
  + have := X_last (inord i.-1) i r; rewrite inordK; last by nat_lia.
    rewrite iN prednK // => /(_ erefl erefl); rewrite -subr_ge0.
    by rewrite /column; congr (_ <= _); by_ring R.
  + have := X_three (inord i.-1) i (inord i.+1) r; rewrite !inordK; try nat_lia.
    rewrite prednK ?lt0n; last by apply/eqP.
    move=> /(_ erefl erefl); rewrite -subr_ge0.
    by rewrite /column; congr (_ <= _); by_ring R.
Qed.

(* Theorem 2 of the paper, for all n >= 0. *)
Theorem theorem2 : stochastic X -> private a X -> derivable G X <-> three_term a X.
Proof.
move=> [X_ge0 _] X_priv; have [n0|n_gt0] := posnP n.
  rewrite derivable_geometric; split=> [_ i j k r|_ i r].
    by have j_le := ltn_ord j; nat_lia.
  rewrite tridiagonal_product; have i_le := ltn_ord i.
  have -> : (i == 0%N :> nat) = true by apply/eqP; nat_lia.
  have -> : (i == n :> nat) = true by apply/eqP; nat_lia.
  rewrite columnE !subr0; have -> : 1 + a ^+ 2 - a ^+ 2 - a ^+ 2 = 1 - a ^+ 2 by by_ring R.
  by rewrite mulr_ge0 // ltW // one_minus_sq_gt0.
rewrite derivable_conditions //; split=> [[]//|X_three]; split=> //.
have priv := proj1 (privateP a X) X_priv; split=> [i j r i0 j1|i j r i_n j_n].
  by have [] := priv i j r; rewrite ?i0.
by have [] := priv i j r; rewrite ?j_n ?i_n.
Qed.

End Derivability.
