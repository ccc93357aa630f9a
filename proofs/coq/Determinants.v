(* SPDX-License-Identifier: MIT *)
(* Lemmas 1 and 2: determinants.  The matrices have n + 1 rows, so the paper's n is n + 1 here.               *)
(*                                                                                                            *)
(*   det_powers           det G' = (1 - a^2)^n, for every number a                                            *)
(*   det_geometric        det G = (1 - a)^(n-1) (1 - a^2)^n / (1 + a)^(n+1) for n >= 1, and 1 for n = 0       *)
(*   lemma1               det G > 0                                                                           *)
(*   det_powers_replaced  det G'(i, x) = (1 - a^2)^(n-1) (K x)_i for n >= 1, column i replaced by x           *)
(*   lemma2_first, _last, _inside   the sign of det G(i, x), in the paper's words, strict and not strict      *)
(*                                                                                                            *)
(* det G' is the quickest by a product with a bidiagonal matrix of determinant 1, after which G' is           *)
(* triangular with diagonal 1, 1 - a^2, ..., 1 - a^2.                                                         *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form Geometric Inverse.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section AnyNumber.
Variables (R : realFieldType) (n : nat) (a : R).
Add Field R_field : (field_theory_of R).

(* 1 on the diagonal, -a just above the diagonal, 0 elsewhere; G' times it is lower triangular. *)
Definition bidiagonal : 'M[R]_n.+1 :=
  \matrix_(k, j) ((k == j :> nat)%:R - a * (k.+1 == j :> nat)%:R).

Lemma det_bidiagonal : \det bidiagonal = 1.
Proof.
rewrite -det_tr det_trig; last first.
  apply/is_trig_mxP=> j k jk; rewrite !mxE.
  have -> : (k == j :> nat) = false by apply/eqP; nat_lia.
  have -> : (k.+1 == j :> nat) = false by apply/eqP; nat_lia.
  by rewrite mulr0 subr0.
rewrite big1 // => j _; rewrite !mxE eqxx; have -> : (j.+1 == j :> nat) = false by apply/eqP; nat_lia.
by rewrite mulr0 subr0.
Qed.

Lemma powers_bidiagonal (i j : 'I_n.+1) :
  (powers n a *m bidiagonal) i j = if j == 0%N :> nat then a ^+ i else a ^+ dist i j - a * a ^+ dist i j.-1.
Proof.
have j_le := ltn_ord j.
rewrite mxE (eq_bigr (fun k : 'I_n.+1 => (k == j :> nat)%:R * a ^+ dist i k
                       - a * ((k.+1 == j :> nat)%:R * a ^+ dist i k))); last first.
  by move=> k _; rewrite !mxE; by_ring R.
rewrite sumrB -mulr_sumr (@sum_at _ n j (fun k => a ^+ dist i k)) //; case: eqP => [j0|j0].
  rewrite big1 => [|k _]; last by rewrite j0 mul0r.
  by rewrite mulr0 subr0 j0 /dist subn0 sub0n addn0.
rewrite -(@sum_at _ n j.-1 (fun k => a ^+ dist i k)); last by nat_lia.
congr (_ - a * _); apply: eq_bigr => k _; congr (_%:R * _).
by rewrite -{1}(prednK (n := j)) // lt0n; apply/eqP.
Qed.

Theorem det_powers : \det (powers n a) = (1 - a ^+ 2) ^+ n.
Proof.
rewrite -[LHS]mulr1 -[X in \det _ * X]det_bidiagonal -det_mulmx det_trig; last first.
  apply/is_trig_mxP=> i j ij; rewrite powers_bidiagonal; case: eqP => [j0|j0]; first by nat_lia.
  have -> : dist i j = (dist i j.-1).+1 by rewrite /dist; nat_lia.
  by rewrite exprS subrr.
rewrite big_ord_recl powers_bidiagonal /= expr0 mul1r.
rewrite (eq_bigr (fun=> 1 - a ^+ 2)) ?prodr_const ?card_ord // => j _.
rewrite powers_bidiagonal /= /bump leq0n add1n; have -> : dist j.+1 j.+1 = 0%N by rewrite /dist; nat_lia.
have -> : dist j.+1 j.+1.-1 = 1%N by rewrite /dist /=; nat_lia.
by by_ring R.
Qed.

(* Column i replaced by x: Cramer's rule. *)
Definition replace_column (A : 'M[R]_n.+1) (i : 'I_n.+1) (x : 'cV[R]_n.+1) : 'M[R]_n.+1 :=
  \matrix_(k, j) if j == i then x k 0 else A k j.

Lemma det_replace_column A i x : A \in unitmx ->
  \det (replace_column A i x) = \det A * (invmx A *m x) i 0.
Proof.
move=> A_unit; rewrite (expand_det_col _ i) !mxE mulr_sumr; apply: eq_bigr => k _.
have inv_ik : invmx A i k = (\det A)^-1 * cofactor A k i by rewrite /invmx A_unit !mxE.
rewrite mxE eqxx inv_ik -mulrA mulVKf; last by rewrite -unitfE -unitmxE.
rewrite mulrC; congr (_ * _); rewrite /cofactor; congr (_ * \det _).
by apply/matrixP=> u v; rewrite !mxE eq_sym (negPf (neq_lift _ _)).
Qed.

End AnyNumber.

Section Lemmas.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation G := (geometric n a).
Local Notation K := (tridiagonal n a).

Lemma det_geometric_scale : \det G = (1 - a ^+ 2) ^+ n * \prod_(j < n.+1) scale a n j.
Proof.
by rewrite geometric_powers det_mulmx det_diag det_powers; congr (_ * _); apply: eq_bigr => j _; rewrite mxE.
Qed.

(* Lemma 1. *)
Theorem lemma1 : 0 < \det G.
Proof.
rewrite det_geometric_scale mulr_gt0 ?exprn_gt0 ?one_minus_sq_gt0 //.
by apply: prodr_gt0 => j _; exact: scale_gt0.
Qed.

Theorem det_geometric : (0 < n)%N ->
  \det G = (1 - a ^+ 2) ^+ n * ((1 + a)^-1 ^+ 2 * ((1 - a) / (1 + a)) ^+ n.-1).
Proof.
rewrite det_geometric_scale => n_gt0; congr (_ * _).
rewrite -[in LHS](prednK n_gt0) big_ord_recl big_ord_recr /= /scale /= eqxx.
rewrite (eq_bigr (fun=> (1 - a) / (1 + a))) ?prodr_const ?card_ord; last first.
  move=> j _; have j_lt := ltn_ord j; rewrite prednK //.
  have -> : (bump 0 j == n) = false by apply/eqP; rewrite /bump leq0n add1n; nat_lia.
  by [].
by rewrite expr2 [_ ^+ n.-1 / _]mulrC mulrA.
Qed.

Theorem det_geometric_one : n = 0%N -> \det G = 1.
Proof. by rewrite det_geometric_scale => n0; rewrite n0 big_ord1 /scale /= mul1r. Qed.

(* det G(i, x) is (K x)_i times a positive number. *)
Theorem det_geometric_replaced i x :
  \det (replace_column G i x) = \det G / ((1 - a ^+ 2) * scale a n i) * (K *m x) i 0.
Proof. by rewrite det_replace_column ?geometric_unit // geometric_inverseE // mulrCA mulrC. Qed.

Theorem det_powers_replaced i x : (0 < n)%N ->
  \det (replace_column (powers n a) i x) = (1 - a ^+ 2) ^+ n.-1 * (K *m x) i 0.
Proof.
move=> n_gt0; rewrite det_replace_column ?powers_unit // powers_inverse // det_powers -scalemxAl mxE mulrA.
congr (_ * _); rewrite -{1}(prednK n_gt0) exprSr mulfK // lt0r_neq0 //.
exact: one_minus_sq_gt0.
Qed.

Lemma factor_replaced_gt0 i : 0 < \det G / ((1 - a ^+ 2) * scale a n i).
Proof. by rewrite divr_gt0 ?lemma1 // mulr_gt0 ?one_minus_sq_gt0 ?scale_gt0. Qed.

(* Lemma 2, for n >= 1, that is at least two rows. *)
Variable x : 'cV[R]_n.+1.
Hypothesis n_gt0 : (0 < n)%N.

Theorem lemma2_first (i j : 'I_n.+1) : i = 0%N :> nat -> j = 1%N :> nat ->
  (0 < \det (replace_column G i x)) = (a * x j 0 < x i 0) /\
  (0 <= \det (replace_column G i x)) = (a * x j 0 <= x i 0).
Proof.
move=> i0 j1; rewrite det_geometric_replaced pmulr_rgt0 ?pmulr_rge0 ?factor_replaced_gt0 //.
rewrite tridiagonal_product i0 eqxx; have -> : (0%N == n) = false by rewrite eq_sym -leqn0 leqNgt n_gt0.
have -> : column x 0 1 = x j 0 by rewrite -columnE j1.
have -> : column x 0 0 = x i 0 by rewrite -columnE i0.
by split; [rewrite -[RHS]subr_gt0; congr (_ < _) | rewrite -[RHS]subr_ge0; congr (_ <= _)]; by_ring R.
Qed.

Theorem lemma2_last (i j : 'I_n.+1) : i.+1 = n :> nat -> j = n :> nat ->
  (0 < \det (replace_column G j x)) = (a * x i 0 < x j 0) /\
  (0 <= \det (replace_column G j x)) = (a * x i 0 <= x j 0).
Proof.
move=> i_n j_n; rewrite det_geometric_replaced pmulr_rgt0 ?pmulr_rge0 ?factor_replaced_gt0 //.
rewrite tridiagonal_product j_n eqxx; have -> : (n == 0%N) = false by rewrite -leqn0 leqNgt n_gt0.
have -> : column x 0 n.-1 = x i 0 by rewrite -columnE; congr (column x _ _); nat_lia.
have -> : column x 0 n = x j 0 by rewrite -columnE j_n.
by split; [rewrite -[RHS]subr_gt0; congr (_ < _) | rewrite -[RHS]subr_ge0; congr (_ <= _)]; by_ring R.
Qed.

Theorem lemma2_inside (i j k : 'I_n.+1) : j = i.+1 :> nat -> k = j.+1 :> nat ->
  (0 < \det (replace_column G j x)) = (a * (x k 0 - a * x j 0) < x j 0 - a * x i 0) /\
  (0 <= \det (replace_column G j x)) = (a * (x k 0 - a * x j 0) <= x j 0 - a * x i 0).
Proof.
move=> ij jk; rewrite det_geometric_replaced pmulr_rgt0 ?pmulr_rge0 ?factor_replaced_gt0 //.
have k_le := ltn_ord k; rewrite tridiagonal_product.
have -> : (j == 0%N :> nat) = false by apply/eqP; nat_lia.
have -> : (j == n :> nat) = false by apply/eqP; nat_lia.
have -> : column x 0 j.-1 = x i 0 by rewrite -columnE; congr (column x _ _); nat_lia.
have -> : column x 0 j.+1 = x k 0 by rewrite -columnE jk.
rewrite columnE.
by split; [rewrite -[RHS]subr_gt0; congr (_ < _) | rewrite -[RHS]subr_ge0; congr (_ <= _)]; by_ring R.
Qed.

End Lemmas.
