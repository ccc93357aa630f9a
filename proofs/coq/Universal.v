(* SPDX-License-Identifier: MIT *)
(* Universal optimality of the geometric mechanism, for every n, all weights w >= 0, every loss with single   *)
(* crossing (monotone losses are the case of the papers), and any number of guesses.                          *)
(*                                                                                                            *)
(*   universal_optimality    A consumer who answers each output j of G by a guess f(j) of least weighted loss *)
(*                           loses no more than with any private mechanism X whatsoever.                      *)
(*   universal_optimality_monotone   the same for losses that are monotone in |i - r|                         *)
(*   best_response_exists, best_response_nondecreasing                                                        *)
(*                           such a deterministic interaction exists; one of them is order-preserving         *)
(*                                                                                                            *)
(* Proof.  Put f_r(j) = sum_i w_i l(i,r) a^|i-j|, let g(j) be the largest r that minimises f_r(j), b_j the    *)
(* minimum, and h_r = f_r - b >= 0.  By [form_power] the loss of column r of X is form(f_r, x_r), up to the   *)
(* factor 1 - a^2.  By single crossing form(h_r, x_r) >= 0 on private columns ([form_excess_ge0]), so the     *)
(* loss of X is at least sum_r form(b, x_r) = form(b, 1), which is the loss of G after g by [form_ones].      *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Losses SingleCrossing Excess.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* An interaction is a best response to Y when at each output j no other guess has a smaller weighted loss. *)
Definition best_response (R : realFieldType) p m k (w : 'I_p -> R) (l : 'M[R]_(p, m)) (Y : 'M[R]_(p, k))
    (f : 'I_k -> 'I_m) :=
  forall j r, \sum_i w i * (Y i j * l i (f j)) <= \sum_i w i * (Y i j * l i r).

Lemma best_response_exists (R : realFieldType) p m k (w : 'I_p -> R) (l : 'M[R]_(p, m.+1)) (Y : 'M[R]_(p, k)) :
  exists T, best_response w l Y T.
Proof.
exists (fun j => largest_minimiser (fun r => \sum_i w i * (Y i j * l i r))) => j r.
exact: (largest_minimiser_le (fun r => \sum_i w i * (Y i j * l i r))).
Qed.

Section Universal.
Variables (R : realFieldType) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Variables (l : 'M[R]_(n.+1, m.+1)) (w : 'I_n.+1 -> R).
Add Field R_field : (field_theory_of R).
Hypotheses (l_crossing : single_crossing l) (w_ge0 : forall i, 0 <= w i).

(* f_r(j) of the proof. *)
Definition weighted_loss (r : 'I_m.+1) (j : nat) : R := weighted a (fun i => w i * l i r) j.

Lemma weighted_loss_alternative (r s : 'I_m.+1) j : (r < s)%N ->
  a * (weighted_loss r j - weighted_loss s j) <= weighted_loss r j.+1 - weighted_loss s j.+1 \/
  weighted_loss r j - weighted_loss s j <= a * (weighted_loss r j.+1 - weighted_loss s j.+1).
Proof.
move=> /l_crossing[t l_t].
have diff k : weighted_loss r k - weighted_loss s k = weighted a (fun i => w i * (l i r - l i s)) k.
  by rewrite -sumrB; apply: eq_bigr => i _; rewrite -mulrBr -mulrBr.
rewrite !diff; apply: (crossing_step a_gt0 a_lt1 (t := t)) => i; have [before after] := l_t i.
split=> [/before|/after] ?; first by rewrite mulr_ge0_le0 // subr_le0.
by rewrite mulr_ge0 // subr_ge0.
Qed.

Local Notation f := weighted_loss.
Local Notation g := (guess f).

(* The loss of any X as a value of the form, column by column. *)
Lemma bayes_loss_form (X : 'M[R]_(n.+1, m.+1)) :
  (1 - a ^+ 2) * bayes_loss w l X = \sum_r form a n (f r) (column X r).
Proof.
under [RHS]eq_bigr => r _ do rewrite formC form_sumr.
rewrite exchange_big mulr_sumr; apply: eq_bigr => i _ /=.
rewrite /loss_at !mulr_sumr; apply: eq_bigr => r _.
rewrite (@eq_formr _ _ _ _ _ (fun j => w i * l i r * a ^+ dist i j)); last by move=> j _; rewrite mulrC.
rewrite form_scaler formC form_power ?columnE; last by rewrite -ltnS.
by by_ring R.
Qed.

(* The loss of G after the largest best response. *)
Lemma bayes_loss_guess :
  bayes_loss w l (geometric n a *m remap R (fun j : 'I_n.+1 => g j)) =
  \sum_(j < n.+1) scale a n j * least f j.
Proof.
rewrite /bayes_loss; under eq_bigr => i _ do rewrite loss_remap mulr_sumr.
rewrite exchange_big; apply: eq_bigr => j _ /=.
rewrite /least /weighted_loss /weighted mulr_sumr; apply: eq_bigr => i _.
by rewrite mxE; by_ring R.
Qed.

(* The lower bound. *)
Lemma least_le_bayes_loss (X : 'M[R]_(n.+1, m.+1)) : stochastic X -> private a X ->
  \sum_(j < n.+1) scale a n j * least f j <= bayes_loss w l X.
Proof.
move=> [X_ge0 X_sum1] X_priv; rewrite -(ler_pmul2l (one_minus_sq_gt0 a_gt0 a_lt1)).
rewrite bayes_loss_form -form_ones ?one_plus_neq0 //.
have -> : form a n (least f) (fun=> 1) = \sum_r form a n (least f) (column X r).
  rewrite -form_sumr; apply: eq_formr => j j_le_n.
  by rewrite -[LHS](X_sum1 (inord j)).
apply: ler_sum => r _; rewrite -subr_ge0.
have -> : form a n (f r) (column X r) - form a n (least f) (column X r)
        = form a n (excess f r) (column X r).
  by rewrite -form_subl.
apply: (form_excess_ge0 a_gt0 a_lt1 weighted_loss_alternative) => [j|j j_lt_n]; first exact: X_ge0.
have [] := proj1 (privateP a X) X_priv (inord j) (inord j.+1) r; first by rewrite !inordK // ltnW.
by [].
Qed.

Theorem universal_optimality (T : 'I_n.+1 -> 'I_m.+1) (X : 'M[R]_(n.+1, m.+1)) :
  best_response w l (geometric n a) T -> stochastic X -> private a X ->
  bayes_loss w l (geometric n a *m remap R T) <= bayes_loss w l X.
Proof.
move=> T_best X_st X_priv; apply: le_trans (least_le_bayes_loss X_st X_priv); rewrite -bayes_loss_guess.
rewrite /bayes_loss; under eq_bigr => i _ do rewrite loss_remap mulr_sumr.
under [leRHS]eq_bigr => i _ do rewrite loss_remap mulr_sumr.
by rewrite exchange_big [leRHS]exchange_big; apply: ler_sum => j _; exact: T_best.
Qed.

Theorem best_response_nondecreasing :
  exists2 T : 'I_n.+1 -> 'I_m.+1, best_response w l (geometric n a) T &
    forall i j : 'I_n.+1, (i <= j)%N -> (T i <= T j)%N.
Proof.
exists (fun j : 'I_n.+1 => g j) => [j r | i j].
  have le_f := least_le f r j.
  have fE s : \sum_i w i * (geometric n a i j * l i s) = scale a n j * f s j.
    by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mxE; by_ring R.
  by rewrite !fE ler_wpmul2l // ltW // scale_gt0.
elim: (nat_of_ord j) => [|k IHk]; first by rewrite leqn0 => /eqP ->.
rewrite leq_eqVlt => /orP[/eqP -> // | /IHk /leq_trans]; apply.
exact: (guess_nondecreasing a_gt0 a_lt1 weighted_loss_alternative).
Qed.

End Universal.

(* Monotone losses, in one sentence: there is a deterministic, order-preserving interaction with the geometric *)
(* mechanism that no private mechanism beats.                                                                 *)
Corollary universal_optimality_monotone (R : realFieldType) (n m : nat) (a : R)
    (l : 'M[R]_(n.+1, m.+1)) (w : 'I_n.+1 -> R) :
  0 < a -> a < 1 -> monotone_loss l -> (forall i, 0 <= w i) ->
  exists2 T : 'I_n.+1 -> 'I_m.+1, (forall i j : 'I_n.+1, (i <= j)%N -> (T i <= T j)%N) &
    forall X : 'M[R]_(n.+1, m.+1), stochastic X -> private a X ->
      bayes_loss w l (geometric n a *m remap R T) <= bayes_loss w l X.
Proof.
move=> a_gt0 a_lt1 /monotone_single_crossing l_crossing w_ge0.
have [T T_best T_mono] := best_response_nondecreasing a_gt0 a_lt1 l_crossing w_ge0.
by exists T => // X X_st X_priv; apply: universal_optimality.
Qed.
