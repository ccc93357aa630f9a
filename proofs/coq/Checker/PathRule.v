(* SPDX-License-Identifier: MIT *)
(* The path rule of SPEC, section 4.2, for any loss: a lower bound from sequences that cross once.            *)
(*                                                                                                            *)
(* Let f_r(j) = sum_i w_i l_ir a^|i-j|, let b be any sequence with h_r = f_r - b >= 0, and let every h_r cross *)
(* once: for some k,  h(j) >= a h(j+1) when j + 1 < k,  and  h(j+1) >= a h(j) when j >= k.  (SPEC counts k    *)
(* from -1, and divides its b by the column weights.)                                                         *)
(*   form_crossing_ge0    then form(h_r, x) >= 0 for all x in the privacy cone                                *)
(*   path_rule            so no private mechanism has a weighted loss below  sum_j scale_j b_j                *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form Geometric.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PathRule.
Variables (R : realFieldType) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

Definition crosses_once (h : nat -> R) := exists k : nat, forall j, (j < n)%N ->
  ((j.+1 < k)%N -> a * h j.+1 <= h j) /\ ((k <= j)%N -> a * h j <= h j.+1).

Theorem form_crossing_ge0 (h x : nat -> R) : (forall j, (j <= n)%N -> 0 <= h j) -> crosses_once h ->
  (forall j, (j <= n)%N -> 0 <= x j) -> (forall j, (j < n)%N -> a * x j.+1 <= x j /\ a * x j <= x j.+1) ->
  0 <= form a n h x.
Proof.
move=> h_ge0 [k h_k] x_ge0 x_priv.
have a2_ge0 : 0 <= 1 - a ^+ 2 by rewrite ltW // one_minus_sq_gt0.
(* partial forms stay above (1 - a^2) h_j x_j before k, and above 0 after it *)
suff: forall j, (j <= n)%N -> (if (j < k)%N then (1 - a ^+ 2) * h j * x j else 0) <= form a j h x.
  by move/(_ n (leqnn n)); apply: le_trans; case: ifP => // _; rewrite !mulr_ge0 ?h_ge0 ?x_ge0.
elim=> [|j IHj] j_le_n.
  by rewrite /form big_ord0 addr0; case: ifP => // _; rewrite !mulr_ge0 ?h_ge0 ?x_ge0.
have [xj xj1] := x_priv j j_le_n; have [left right] := h_k j j_le_n.
have hj_ge0 := h_ge0 j (ltnW j_le_n); have hj1_ge0 := h_ge0 j.+1 j_le_n.
have {IHj} := IHj (ltnW j_le_n); rewrite formS.
case: ltnP => [j_k | k_j] Qj; last first.
  rewrite ltnNge (leq_trans k_j (leqnSn j)) /=.
  by apply: addr_ge0 => //; apply: mulr_ge0; rewrite (subr_ge0 (a * _)) // right.
rewrite -subr_ge0 in Qj; case: ltnP => [j1_k | _].
  rewrite -subr_ge0; apply: le_trans (_ : 0 <= (h j - a * h j.+1) * (x j - a * x j.+1)) _.
    by apply: mulr_ge0; rewrite (subr_ge0 (a * _)) // left.
  rewrite -subr_ge0; apply: le_trans Qj _; rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
apply: le_trans (_ : 0 <= h j.+1 * (x j.+1 - a * x j) + h j * (x j - a * x j.+1)) _.
  by apply: addr_ge0; apply: mulr_ge0; rewrite // (subr_ge0 (a * _)).
rewrite -subr_ge0; apply: le_trans Qj _; rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
Qed.

Variables (l : 'M[R]_(n.+1, m)) (w : 'I_n.+1 -> R) (b : nat -> R).

Definition spread_loss (r : 'I_m) (j : nat) : R := \sum_(i < n.+1) a ^+ dist i j * (w i * l i r).

Lemma bayes_loss_spread (X : 'M[R]_(n.+1, m)) :
  (1 - a ^+ 2) * bayes_loss w l X = \sum_r form a n (spread_loss r) (column X r).
Proof.
under [RHS]eq_bigr => r _ do rewrite formC form_sumr.
rewrite exchange_big mulr_sumr; apply: eq_bigr => i _ /=.
rewrite /loss_at !mulr_sumr; apply: eq_bigr => r _.
rewrite (@eq_formr _ _ _ _ _ (fun j => w i * l i r * a ^+ dist i j)); last by move=> j _; rewrite mulrC.
rewrite form_scaler formC form_power ?columnE; last by rewrite -ltnS.
by by_ring R.
Qed.

Theorem path_rule : (forall r j, (j <= n)%N -> b j <= spread_loss r j) ->
  (forall r, crosses_once (fun j => spread_loss r j - b j)) ->
  forall X : 'M[R]_(n.+1, m), stochastic X -> private a X -> \sum_(j < n.+1) scale a n j * b j <= bayes_loss w l X.
Proof.
move=> b_le crossing X [X_ge0 X_sum1] X_priv; rewrite -(ler_pmul2l (one_minus_sq_gt0 a_gt0 a_lt1)).
rewrite bayes_loss_spread -form_ones ?one_plus_neq0 //.
have -> : form a n b (fun=> 1) = \sum_r form a n b (column X r).
  by rewrite -form_sumr; apply: eq_formr => j j_le_n; rewrite -[LHS](X_sum1 (inord j)).
apply: ler_sum => r _; rewrite -subr_ge0 -form_subl; apply: form_crossing_ge0 => // [j j_n|j _|j j_n].
- by rewrite subr_ge0 b_le.
- exact: X_ge0.
have [] := proj1 (privateP a X) X_priv (inord j) (inord j.+1) r; first by rewrite !inordK // ltnW.
by [].
Qed.

End PathRule.
