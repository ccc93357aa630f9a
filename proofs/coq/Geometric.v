(* SPDX-License-Identifier: MIT *)
(* The geometric mechanism on 0, ..., n, its matrix of powers, and their tridiagonal inverse.                 *)
(*                                                                                                            *)
(*   powers a        G'    a^|i-j|                                                                            *)
(*   geometric a     G     a^|i-j| / (1+a) for j = 0 and j = n, a^|i-j| (1-a)/(1+a) between  (Definition 4)   *)
(*   tridiagonal a   K     1 + a^2 - a^2 [i = 0] - a^2 [i = n] on the diagonal, -a beside it                  *)
(*                                                                                                            *)
(*   tridiagonal_powers     K G' = (1 - a^2) I, and G' K too                                                  *)
(*   geometric_stochastic   the rows of G are distributions                                                   *)
(*   geometric_private      G is private at level a                                                           *)
(*                                                                                                            *)
(* One input (n = 0): then both ends coincide and Definition 4, read to the letter, gives the weight 1/(1+a), *)
(* which is no distribution.  Here G = [1] in that case, and K = [1 - a^2]; all statements hold.              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variables (R : realFieldType) (n : nat) (a : R).

(* G': the entry (i,j) is a^|i-j|. *)
Definition powers : 'M[R]_n.+1 := \matrix_(i, j) a ^+ dist i j.

(* The geometric mechanism G of Definition 4: a^|i-j| / (1+a) for j = 0 and j = n, a^|i-j| (1-a)/(1+a) between; [1] for n = 0. *)
Definition geometric : 'M[R]_n.+1 := \matrix_(i, j) (a ^+ dist i j * scale a n j).

(* K: on the diagonal 1 + a^2, less a^2 for i = 0 and less a^2 for i = n; -a beside the diagonal; 0 elsewhere. *)
Definition tridiagonal : 'M[R]_n.+1 := \matrix_(i, j)
  if i == j then 1 + a ^+ 2 - (if i == 0%N :> nat then a ^+ 2 else 0) - (if i == n :> nat then a ^+ 2 else 0)
  else if line i j then - a else 0.

(* Definition 4 of the paper, word for word, for n >= 1. *)
Lemma geometricE (k z : 'I_n.+1) : (0 < n)%N ->
  geometric k z = if (z == 0%N :> nat) || (z == n :> nat) then 1 / (1 + a) * a ^+ dist z k
                  else (1 - a) / (1 + a) * a ^+ dist z k.
Proof.
rewrite mxE /scale lt0n => /negPf ->; have -> : dist k z = dist z k by rewrite /dist addnC.
by case: ifP; rewrite ?div1r mulrC.
Qed.

(* Table 2: G' is G with its first and last column multiplied by 1 + a, the others by (1 + a)/(1 - a). *)
Lemma geometric_powers : geometric = powers *m diag_mx (\row_j scale a n j).
Proof. by apply/matrixP=> i j; rewrite mul_mx_diag !mxE. Qed.

End Definitions.

Section Theorems.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

Local Notation G' := (powers n a).
Local Notation G := (geometric n a).
Local Notation K := (tridiagonal n a).

Lemma a_ge0 : 0 <= a. Proof. exact: ltW. Qed.

Lemma one_plus_neq0 : 1 + a != 0.
Proof. by rewrite gt_eqF ?addr_gt0 ?ltr01. Qed.

Lemma one_minus_sq_gt0 : 0 < 1 - a ^+ 2.
Proof. by rewrite subr_gt0 expr_lt1 // ltW. Qed.

Lemma scale_gt0 j : 0 < scale a n j.
Proof.
have a1_gt0 : 0 < 1 + a by rewrite addr_gt0 ?ltr01.
rewrite /scale; case: eqP => _; first exact: ltr01.
case: ifP => _; first by rewrite invr_gt0.
by rewrite divr_gt0 ?subr_gt0.
Qed.

Lemma geometric_gt0 i j : 0 < G i j.
Proof. by rewrite mxE mulr_gt0 ?exprn_gt0 ?scale_gt0. Qed.

(* Row i of G sums to 1: [form_power] and [form_ones] compute one value of the form in two ways. *)
Lemma geometric_sum i : \sum_j G i j = 1.
Proof.
apply: (mulfI (lt0r_neq0 one_minus_sq_gt0)).
have <- := @form_power _ a n i (fun=> 1) (ltn_ord i : (i < n.+1)%N).
rewrite form_ones ?one_plus_neq0 //; congr (_ * _); apply: eq_bigr => j _.
by rewrite mxE mulrC.
Qed.

Theorem geometric_stochastic : stochastic G.
Proof. by split=> [i r|]; [apply/ltW/geometric_gt0 | exact: geometric_sum]. Qed.

Theorem geometric_private : private a G.
Proof.
move=> i j r ij; rewrite !mxE mulrA ler_wpmul2r ?(ltW (scale_gt0 _)) // -exprS.
apply: ler_wiexpn2l; rewrite ?ltW //; move: ij; rewrite /line /dist => /orP[] ij; nat_lia.
Qed.

(* Row i of K applied to a sequence. *)
Lemma tridiagonal_sum (x : nat -> R) (i : 'I_n.+1) :
  \sum_k K i k * x k =
    (1 + a ^+ 2 - (if i == 0%N :> nat then a ^+ 2 else 0) - (if i == n :> nat then a ^+ 2 else 0)) * x i
    - (if i == 0%N :> nat then 0 else a * x i.-1) - (if i == n :> nat then 0 else a * x i.+1).
Proof.
set d := (X in X * x i); have i_le_n : (i <= n)%N by rewrite -ltnS.
rewrite (eq_bigr (fun k : 'I_n.+1 => d * ((k == i :> nat)%:R * x k) - a * ((k.+1 == i :> nat)%:R * x k)
           - a * ((k == i.+1 :> nat)%:R * x k))).
  rewrite !sumrB -!mulr_sumr sum_at //; congr (_ - _ - _).
    case: eqP => [i0 | /eqP i0].
      by rewrite big1 ?mulr0 // => k _; rewrite i0 mul0r.
    congr (a * _); rewrite -(@sum_at _ n i.-1) ?(leq_trans (leq_pred _)) //; apply: eq_bigr => k _.
    by congr (_%:R * _); rewrite -[in LHS](prednK (n:=i)) ?lt0n.
  case: eqP => [iN | iN]; last by rewrite sum_at //; nat_lia.
  rewrite big1 ?mulr0 // => k _; have kn := ltn_ord k.
  have -> : (k == i.+1 :> nat) = false by apply/eqP; nat_lia.
  by rewrite mul0r.
move=> k _; rewrite !mxE /line -/d -[i == k]val_eqE /= eq_sym.
case: (k =P i :> nat) => [ki | ki].
  have -> : (k.+1 == i :> nat) = false by apply/eqP; nat_lia.
  have -> : (k == i.+1 :> nat) = false by apply/eqP; nat_lia.
  by by_ring R.
rewrite [i == k.+1 :> nat]eq_sym; case: (k =P i.+1 :> nat) => [ki1 | ki1] /=.
  have -> : (k.+1 == i :> nat) = false by apply/eqP; nat_lia.
  by by_ring R.
by case: (k.+1 =P i :> nat) => _; by_ring R.
Qed.

End Theorems.
