(* SPDX-License-Identifier: MIT *)
(* Channels, priors and losses: what a consumer who sees the output loses at best (Fernandes and others).     *)
(*                                                                                                            *)
(*   least_remap            Lemma 1: the best remap is chosen guess by guess, randomised ones do not help     *)
(*   posteriors_average     Lemma 2: the posteriors average, with the probabilities of the outputs, to the prior *)
(*   uncertainty_add, _scale, _shift, _trivial, _weigh   the loss algebra of Section 5.2                      *)
(*   change_of_prior        Theorem 12: a prior is a part of the loss                                         *)
(*                                                                                                            *)
(* A loss gives l i r, what the guess r costs when the input is i, for guesses of any finite type W with an   *)
(* element w0.  Weights w are any numbers; priors are distributions.                                          *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Minimum.
Variable R : realFieldType.

(* The least value of f; the element w0 says only that there is one. *)
Definition minimum (W : finType) (w0 : W) (f : W -> R) : R := f [arg min_(r < w0) f r]%O.

Lemma minimum_le (W : finType) (w0 : W) (f : W -> R) r : minimum w0 f <= f r.
Proof. by rewrite /minimum; case: arg_minP => // s _; apply. Qed.

Lemma minimum_attained (W : finType) (w0 : W) (f : W -> R) : exists r, minimum w0 f = f r.
Proof. by exists [arg min_(r < w0) f r]%O. Qed.

Lemma minimum_ge (W : finType) (w0 : W) (f : W -> R) b : (forall r, b <= f r) -> b <= minimum w0 f.
Proof. by move=> b_le; apply: b_le. Qed.

Lemma eq_minimum (W : finType) (w0 w1 : W) (f g : W -> R) : f =1 g -> minimum w0 f = minimum w1 g.
Proof.
move=> fg; apply/eqP; rewrite eq_le; apply/andP; split; apply: minimum_ge => r.
  by rewrite -fg minimum_le.
by rewrite fg minimum_le.
Qed.

Lemma minimum_scale (W : finType) (w0 : W) (f : W -> R) c : 0 <= c ->
  minimum w0 (fun r => c * f r) = c * minimum w0 f.
Proof.
move=> c_ge0; apply/eqP; rewrite eq_le; apply/andP; split.
  exact: (minimum_le w0 (fun r => c * f r)).
by apply: minimum_ge => r; rewrite ler_wpmul2l ?minimum_le.
Qed.

Lemma minimum_shift (W : finType) (w0 : W) (f : W -> R) c : minimum w0 (fun r => f r + c) = minimum w0 f + c.
Proof.
apply/eqP; rewrite eq_le; apply/andP; split.
  exact: (minimum_le w0 (fun r => f r + c)).
by apply: minimum_ge => r; rewrite ler_add2r minimum_le.
Qed.

Lemma minimum_pair (W W' : finType) (w0 : W) (w1 : W') (f : W -> R) (g : W' -> R) :
  minimum (w0, w1) (fun r => f r.1 + g r.2) = minimum w0 f + minimum w1 g.
Proof.
apply/eqP; rewrite eq_le; apply/andP; split.
  exact: (minimum_le (w0, w1) (fun r => f r.1 + g r.2) (_, _)).
by apply: minimum_ge => r; rewrite ler_add ?minimum_le.
Qed.

End Minimum.

Section Uncertainty.
Variables (R : realFieldType) (p m : nat).
Add Field R_field : (field_theory_of R).
Implicit Types (w : 'I_p -> R) (Y : 'M[R]_(p, m)).

(* What the guess r costs at output j, weighed. *)
Definition output_loss (W : Type) w (l : 'I_p -> W -> R) Y (j : 'I_m) (r : W) : R := \sum_i w i * (Y i j * l i r).

(* Section 2: the posterior uncertainty, the expected loss when every output is answered by its best guess. *)
Definition uncertainty (W : finType) (w0 : W) w (l : 'I_p -> W -> R) Y : R :=
  \sum_j minimum w0 (output_loss w l Y j).

Lemma eq_uncertainty (W : finType) (w0 : W) w w' (l l' : 'I_p -> W -> R) Y :
  (forall i r, w i * l i r = w' i * l' i r) -> uncertainty w0 w l Y = uncertainty w0 w' l' Y.
Proof.
move=> same; apply: eq_bigr => j _; apply: eq_minimum => r; apply: eq_bigr => i _.
by rewrite mulrCA same mulrCA.
Qed.

(* The loss of a remapped mechanism, output by output. *)
Lemma bayes_loss_outputs k w (l : 'M[R]_(p, k)) Y (T : 'M[R]_(m, k)) :
  bayes_loss w l (Y *m T) = \sum_j \sum_r T j r * output_loss w l Y j r.
Proof.
rewrite /bayes_loss /loss_at /output_loss.
under eq_bigr => i _ do rewrite mulr_sumr.
under eq_bigr => i _ do under eq_bigr => r _ do rewrite mxE !mulr_sumr.
under eq_bigr => i _ do rewrite exchange_big /=.
rewrite exchange_big /=; apply: eq_bigr => j _; rewrite exchange_big /=; apply: eq_bigr => r _.
by rewrite mulr_sumr; apply: eq_bigr => i _; by_ring R.
Qed.

(* Lemma 1.  The uncertainty is the least expected loss of all interactions, and a deterministic one has it. *)
Theorem least_remap k w (l : 'M[R]_(p, k.+1)) Y :
  (exists f : 'I_m -> 'I_k.+1, bayes_loss w l (Y *m remap R f) = uncertainty ord0 w l Y) /\
  (forall T, stochastic T -> uncertainty ord0 w l Y <= bayes_loss w l (Y *m T)).
Proof.
split=> [|T [T_ge0 T_sum1]].
  exists (fun j => [arg min_(r < ord0) output_loss w l Y j r]%O).
  rewrite bayes_loss_outputs; apply: eq_bigr => j _.
  under eq_bigr => r _ do rewrite mxE eq_sym mulrC.
  by rewrite sum_pick.
rewrite bayes_loss_outputs; apply: ler_sum => j _.
rewrite -[leLHS]mul1r -(T_sum1 j) mulr_suml; apply: ler_sum => r _.
by rewrite ler_wpmul2l ?minimum_le.
Qed.

(* Section 5.2. *)
Theorem uncertainty_add (W W' : finType) (w0 : W) (w1 : W') w (l : 'I_p -> W -> R) (l' : 'I_p -> W' -> R) Y :
  uncertainty (w0, w1) w (fun i r => l i r.1 + l' i r.2) Y = uncertainty w0 w l Y + uncertainty w1 w l' Y.
Proof.
rewrite -big_split; apply: eq_bigr => j _ /=; rewrite -minimum_pair; apply: eq_minimum => r.
by rewrite -big_split; apply: eq_bigr => i _ /=; by_ring R.
Qed.

Theorem uncertainty_scale (W : finType) (w0 : W) w (l : 'I_p -> W -> R) Y c : 0 <= c ->
  uncertainty w0 w (fun i r => c * l i r) Y = c * uncertainty w0 w l Y.
Proof.
move=> c_ge0; rewrite mulr_sumr; apply: eq_bigr => j _; rewrite -minimum_scale //.
by apply: eq_minimum => r; rewrite mulr_sumr; apply: eq_bigr => i _; by_ring R.
Qed.

(* Scaling the loss input by input is scaling the weights. *)
Theorem uncertainty_weigh (W : finType) (w0 : W) w (v : 'I_p -> R) (l : 'I_p -> W -> R) Y :
  uncertainty w0 w (fun i r => v i * l i r) Y = uncertainty w0 (fun i => w i * v i) l Y.
Proof. by apply: eq_uncertainty => i r; by_ring R. Qed.

Lemma sum_outputs (w f : 'I_p -> R) Y : (forall i, \sum_j Y i j = 1) ->
  \sum_j \sum_i w i * (Y i j * f i) = \sum_i w i * f i.
Proof.
move=> Y_sum1; rewrite exchange_big /=; apply: eq_bigr => i _.
by rewrite -mulr_sumr -mulr_suml Y_sum1 mul1r.
Qed.

Theorem uncertainty_shift (W : finType) (w0 : W) w (l : 'I_p -> W -> R) (f : 'I_p -> R) Y : stochastic Y ->
  uncertainty w0 w (fun i r => l i r + f i) Y = uncertainty w0 w l Y + \sum_i w i * f i.
Proof.
case=> _ Y_sum1; rewrite -(sum_outputs w f Y_sum1) -big_split; apply: eq_bigr => j _ /=; rewrite -minimum_shift.
by apply: eq_minimum => r; rewrite -big_split; apply: eq_bigr => i _ /=; by_ring R.
Qed.

(* A trivial loss does not depend on the guess: no mechanism helps. *)
Theorem uncertainty_trivial (W : finType) (w0 : W) w (f : 'I_p -> R) Y : stochastic Y ->
  uncertainty w0 w (fun i _ => f i) Y = \sum_i w i * f i.
Proof.
case=> _ Y_sum1; rewrite -(sum_outputs w f Y_sum1); apply: eq_bigr => j _.
by apply: (@eq_minimum _ _ w0 w0 _ (fun=> _)).
Qed.

(* Theorem 12, with the uniform prior 1/p. *)
Theorem change_of_prior (W : finType) (w0 : W) w (l : 'I_p -> W -> R) Y : (0 < p)%N ->
  uncertainty w0 w l Y = uncertainty w0 (fun=> p%:R^-1) (fun i r => p%:R * w i * l i r) Y.
Proof.
by move=> p_gt0; apply: eq_uncertainty => i r; rewrite -mulrA mulKf // pnatr_eq0 -lt0n.
Qed.

(* The hyper-distribution: how likely output j is, and what it says about the input. *)
Definition outer w Y (j : 'I_m) : R := \sum_i w i * Y i j.
(* The posterior (inner) after output j: w_i Y_ij / outer_j for the input i (0 if output j has the probability 0). *)
Definition posterior w Y (j : 'I_m) (i : 'I_p) : R := w i * Y i j / outer w Y j.

Theorem outer_distribution w Y : distribution w -> stochastic Y -> distribution (outer w Y).
Proof.
case=> w_ge0 w_sum1 [Y_ge0 Y_sum1]; split=> [j|].
  by apply: sumr_ge0 => i _; apply: mulr_ge0.
by rewrite exchange_big /= -w_sum1; apply: eq_bigr => i _; rewrite -mulr_sumr Y_sum1 mulr1.
Qed.

Theorem posterior_distribution w Y j : distribution w -> stochastic Y -> outer w Y j != 0 ->
  distribution (posterior w Y j).
Proof.
move=> w_dist Y_st p_neq0; have [p_ge0 _] := outer_distribution w_dist Y_st.
case: w_dist Y_st => w_ge0 _ [Y_ge0 _]; split=> [i|]; last by rewrite -mulr_suml divff.
by rewrite divr_ge0 ?p_ge0 ?mulr_ge0.
Qed.

(* Outputs of probability 0 have no posterior, but then they have no weight either. *)
Lemma posterior_weight w Y j i : (forall i, 0 <= w i) -> (forall i j, 0 <= Y i j) ->
  outer w Y j * posterior w Y j i = w i * Y i j.
Proof.
move=> w_ge0 Y_ge0; rewrite /posterior; have [p0|p_neq0] := eqVneq (outer w Y j) 0; last by rewrite mulrC divfK.
rewrite p0 mul0r; symmetry.
exact: (@psumr_eq0P _ _ xpredT (fun i => w i * Y i j) (fun i _ => mulr_ge0 (w_ge0 i) (Y_ge0 i j)) p0 i isT).
Qed.

(* Lemma 2. *)
Theorem posteriors_average w Y i : distribution w -> stochastic Y ->
  \sum_j outer w Y j * posterior w Y j i = w i.
Proof.
case=> w_ge0 _ [Y_ge0 Y_sum1]; under eq_bigr => j _ do rewrite posterior_weight //.
by rewrite -mulr_sumr Y_sum1 mulr1.
Qed.

End Uncertainty.
