(* SPDX-License-Identifier: MIT *)
(* The form behind everything: a bilinear form of two sequences of length n + 1,                              *)
(*                                                                                                            *)
(*   form n h x = (1 - a^2) h_0 x_0 + sum_(i < n) (h_(i+1) - a h_i) (x_(i+1) - a x_i).                        *)
(*                                                                                                            *)
(* It is <K h, x> for the tridiagonal matrix K of Geometric.v, but no matrix is needed to use it:             *)
(*   form_power   form n (j |-> a^|c-j|) x = (1 - a^2) x_c              for c <= n                            *)
(*   form_ones    form n b (j |-> 1) = (1 - a^2) sum_j scale_j b_j      with the column scales of G           *)
(* Together these say that the rows of the geometric mechanism sum to 1, and they turn the loss of any        *)
(* mechanism into values of the form.                                                                         *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Form.
Variable R : realFieldType.
Add Field R_field : (field_theory_of R).
Variable a : R.

(* (1 - a^2) h_0 x_0 + sum_(i < n) (h_(i+1) - a h_i) (x_(i+1) - a x_i). *)
Definition form (n : nat) (h x : nat -> R) : R :=
  (1 - a ^+ 2) * h 0%N * x 0%N + \sum_(i < n) (h i.+1 - a * h i) * (x i.+1 - a * x i).

(* The weights of the columns of the geometric mechanism (Definition 4): 1/(1+a) at both ends and             *)
(* (1-a)/(1+a) between.  With a single input (n = 0) both ends coincide and the weight is 1.                  *)
Definition scale (n j : nat) : R :=
  if n == 0%N then 1 else if (j == 0%N) || (j == n) then (1 + a)^-1 else (1 - a) / (1 + a).

Lemma formS n h x : form n.+1 h x = form n h x + (h n.+1 - a * h n) * (x n.+1 - a * x n).
Proof. by rewrite /form big_ord_recr /= addrA. Qed.

Lemma eq_form n h k x : (forall j, (j <= n)%N -> h j = k j) -> form n h x = form n k x.
Proof.
by move=> hk; rewrite /form hk //; congr (_ + _); apply: eq_bigr => i _; rewrite !hk // ltnW.
Qed.

Lemma formC n h x : form n h x = form n x h.
Proof. by rewrite /form mulrAC; congr (_ + _); apply: eq_bigr => i _; rewrite mulrC. Qed.

Lemma eq_formr n h x y : (forall j, (j <= n)%N -> x j = y j) -> form n h x = form n h y.
Proof. by move=> xy; rewrite formC (eq_form _ xy) formC. Qed.

Lemma form_sumr (I : finType) n h (x : I -> nat -> R) :
  form n h (fun j => \sum_r x r j) = \sum_r form n h (x r).
Proof.
elim: n => [|n IHn].
  rewrite /form big_ord0 addr0 mulr_sumr; apply: eq_bigr => r _.
  by rewrite big_ord0 addr0.
rewrite formS IHn; under [RHS]eq_bigr => r _ do rewrite formS.
by rewrite [RHS]big_split /=; congr (_ + _); rewrite (mulr_sumr _ _ _ a) -sumrB mulr_sumr.
Qed.

Lemma form_scaler n h x (c : R) : form n h (fun j => c * x j) = c * form n h x.
Proof.
elim: n => [|n IHn]; first by rewrite /form !big_ord0 !addr0; by_ring R.
by rewrite !formS IHn; by_ring R.
Qed.

Lemma form_subl n h k x : form n (fun j => h j - k j) x = form n h x - form n k x.
Proof.
elim: n => [|n IHn]; first by rewrite /form !big_ord0 !addr0; by_ring R.
by rewrite !formS IHn; by_ring R.
Qed.

(* The powers of a reproduce: this is K G' = (1 - a^2) I. *)
Theorem form_power n c x : (c <= n)%N -> form n (fun j => a ^+ dist c j) x = (1 - a ^+ 2) * x c.
Proof.
elim: n => [|n IHn] in c *.
  by rewrite leqn0 => /eqP ->; rewrite /form big_ord0 addr0 /= expr0 mulr1.
rewrite leq_eqVlt ltnS => /orP[/eqP -> | c_le_n]; rewrite formS.
  rewrite (@eq_form n _ (fun j => a * a ^+ dist n j)); last first.
    by move=> j jn; rewrite -exprS; congr (a ^+ _); rewrite /dist; nat_lia.
  rewrite formC form_scaler formC IHn //.
  have -> : dist n.+1 n.+1 = 0%N by rewrite /dist; nat_lia.
  have -> : dist n.+1 n = 1%N by rewrite /dist; nat_lia.
  by by_ring R.
rewrite IHn //; have -> : dist c n.+1 = (dist c n).+1 by rewrite /dist; nat_lia.
by rewrite (exprS a (dist c n)) subrr mul0r addr0.
Qed.

(* One formula for all column weights, the case n = 0 included. *)
Lemma scaleE n j : 1 + a != 0 -> (j <= n)%N ->
  scale n j = (1 - a + a * (j == 0%N)%:R + a * (j == n)%:R) / (1 + a).
Proof.
move=> a1 jn; rewrite /scale; have [n0|n_gt0] := eqVneq n 0%N.
  have -> : j = 0%N by nat_lia.
  by rewrite n0 /=; by_field R; apply/eqP.
case: (eqVneq j 0%N) => [j0|_] /=; last case: (eqVneq j n) => [_|_] /=.
- have -> : (j == n) = false by apply/negP; rewrite j0 => /eqP; nat_lia.
  by by_field R; apply/eqP.
- by by_field R; apply/eqP.
- by by_field R; apply/eqP.
Qed.

Lemma sum_at n c (x : nat -> R) : (c <= n)%N -> \sum_(j < n.+1) (j == c :> nat)%:R * x j = x c.
Proof.
rewrite -ltnS => cn; rewrite (bigD1 (Ordinal cn)) //= eqxx mul1r big1 ?addr0 // => j.
by rewrite -val_eqE /= => /negPf ->; rewrite mul0r.
Qed.

Theorem form_ones n b : 1 + a != 0 ->
  form n b (fun=> 1) = (1 - a ^+ 2) * \sum_(j < n.+1) scale n j * b j.
Proof.
move=> a1; pose total := \sum_(j < n.+1) b j.
have -> : \sum_(j < n.+1) scale n j * b j = ((1 - a) * total + a * b 0%N + a * b n) / (1 + a).
  rewrite (eq_bigr (fun j : 'I_n.+1 => (1 - a) / (1 + a) * b j
             + a / (1 + a) * ((j == 0%N :> nat)%:R * b j) + a / (1 + a) * ((j == n :> nat)%:R * b j))).
    rewrite !big_split /= -!mulr_sumr !sum_at // -/total.
    by by_field R; apply/eqP.
  by move=> j _; rewrite scaleE; [by_field R; apply/eqP | done | rewrite -ltnS].
have -> : form n b (fun=> 1) = (1 - a) * ((1 + a) * b 0%N + (total - b 0%N) - a * (total - b n)).
  rewrite /form; under eq_bigr => i _ do rewrite mulr1 mulrC.
  rewrite -mulr_sumr sumrB -mulr_sumr.
  have -> : \sum_(i < n) b i.+1 = total - b 0%N by rewrite /total big_ord_recl /= addrAC subrr add0r.
  have -> : \sum_(i < n) b i = total - b n by rewrite /total big_ord_recr /= addrK.
  by by_ring R.
by by_field R; apply/eqP.
Qed.

End Form.
