(* SPDX-License-Identifier: MIT *)
(* The inverses of G' and G.                                                                                  *)
(*                                                                                                            *)
(*   tridiagonal_powers    K G' = (1 - a^2) I                                                                 *)
(*   powers_inverse        G'^-1 = K / (1 - a^2)                                                              *)
(*   geometric_inverse     G^-1 = diag(1/s) K / (1 - a^2), s the column weights of G                          *)
(*   tridiagonal_product   row i of K X: (1 + a^2) x_i - a (x_(i-1) + x_(i+1)) inside, and                    *)
(*                         x_0 - a x_1, x_n - a x_(n-1) at the ends                                           *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Inverse.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

Local Notation G' := (powers n a).
Local Notation G := (geometric n a).
Local Notation K := (tridiagonal n a).

Theorem tridiagonal_powers : K *m G' = (1 - a ^+ 2)%:M.
Proof.
apply/matrixP=> i j; rewrite !mxE; under eq_bigr => k _ do rewrite [G' k j]mxE.
rewrite (tridiagonal_sum a (fun k => a ^+ dist k j)) -val_eqE /=.
have i_le := ltn_ord i; have j_le := ltn_ord j.
have [ij|ji|ij] := ltngtP i j.
- (* above the diagonal *)
  have -> : (i == n :> nat) = false by apply/eqP; nat_lia.
  have -> : dist i j = (dist i.+1 j).+1 by rewrite /dist; nat_lia.
  case: eqP => [_|i0]; rewrite mulr0n; first by by_ring R.
  have -> : dist i.-1 j = (dist i.+1 j).+2 by rewrite /dist; nat_lia.
  by by_ring R.
- (* below the diagonal *)
  have -> : (i == 0%N :> nat) = false by apply/eqP; nat_lia.
  have -> : dist i j = (dist i.-1 j).+1 by rewrite /dist; nat_lia.
  case: eqP => [_|iN]; rewrite mulr0n; first by by_ring R.
  have -> : dist i.+1 j = (dist i.-1 j).+2 by rewrite /dist; nat_lia.
  by by_ring R.
- (* on the diagonal *)
  have -> : dist i j = 0%N by rewrite /dist; nat_lia.
  have -> : dist i.+1 j = 1%N by rewrite /dist; nat_lia.
  case: eqP => [i0|i0]; case: eqP => [iN|iN]; try by by_ring R.
  + by have -> : dist i.-1 j = 1%N by [rewrite /dist; nat_lia]; by_ring R.
  + by have -> : dist i.-1 j = 1%N by [rewrite /dist; nat_lia]; by_ring R.
Qed.

(* Division by 1 - a^2 and by the column weights. *)
Let c_neq0 : 1 - a ^+ 2 != 0 := lt0r_neq0 (one_minus_sq_gt0 a_gt0 a_lt1).

Lemma scale_neq0 j : scale a n j != 0.
Proof. exact/lt0r_neq0/scale_gt0. Qed.

Lemma left_inverse_powers : (1 - a ^+ 2)^-1 *: K *m G' = 1%:M.
Proof. by rewrite -scalemxAl tridiagonal_powers -mul_scalar_mx -scalar_mxM mulVf. Qed.

Theorem powers_unit : G' \in unitmx.
Proof. by case: (mulmx1_unit left_inverse_powers). Qed.

Theorem powers_inverse : invmx G' = (1 - a ^+ 2)^-1 *: K.
Proof. by rewrite -[LHS]mul1mx -left_inverse_powers mulmxK // powers_unit. Qed.

(* The matrix diag(1/s) K / (1 - a^2), with s the column weights of G; by [geometric_inverse] it is the inverse of G. *)
Definition geometric_left_inverse : 'M[R]_n.+1 :=
  diag_mx (\row_j (scale a n j)^-1) *m ((1 - a ^+ 2)^-1 *: K).

Theorem geometric_left_inverseP : geometric_left_inverse *m G = 1%:M.
Proof.
rewrite geometric_powers -mulmxA [_ *: K *m _]mulmxA left_inverse_powers mul1mx.
apply/matrixP=> i j; rewrite mul_diag_mx !mxE -val_eqE /=; case: eqP => [->|_]; last by rewrite mulr0.
by rewrite mulr1n mulVf // scale_neq0.
Qed.

Theorem geometric_unit : G \in unitmx.
Proof. by case: (mulmx1_unit geometric_left_inverseP). Qed.

Theorem geometric_inverse : invmx G = geometric_left_inverse.
Proof. by rewrite -[LHS]mul1mx -geometric_left_inverseP mulmxK // geometric_unit. Qed.

(* Entry (j, r) of G^-1 X. *)
Lemma geometric_inverseE m (X : 'M[R]_(n.+1, m)) j r :
  (invmx G *m X) j r = (K *m X) j r / ((1 - a ^+ 2) * scale a n j).
Proof.
rewrite geometric_inverse /geometric_left_inverse -mulmxA -scalemxAl mul_diag_mx mxE.
rewrite [X in _ * X]mxE [X in X * _]mxE; have s_neq0 := scale_neq0 j.
by move: ((K *m X) j r) => y; by_field R; split; apply/eqP.
Qed.

Lemma tridiagonal_product m (X : 'M[R]_(n.+1, m)) i r (x := column X r) :
  (K *m X) i r =
    (1 + a ^+ 2 - (if i == 0%N :> nat then a ^+ 2 else 0) - (if i == n :> nat then a ^+ 2 else 0)) * x i
    - (if i == 0%N :> nat then 0 else a * x i.-1) - (if i == n :> nat then 0 else a * x i.+1).
Proof. by rewrite -tridiagonal_sum mxE; apply: eq_bigr => k _; rewrite /x columnE. Qed.

End Inverse.
