(* SPDX-License-Identifier: MIT *)
(* How much a channel leaks: the vulnerability of the input before and after, and the two "miracles".         *)
(*                                                                                                            *)
(*   vulnerability g q               what the best guess gains on average, when q is known                    *)
(*   posterior_vulnerability g q C   the same when the output of C is seen before the guess is made           *)
(*   theorem13, theorem13_attained   the factor between them is at most sum_y max_x C_xy, for every gain      *)
(*                                   g >= 0 and every prior; guessing the input from the uniform prior has it *)
(*   theorem14, theorem14_attained   the difference is at most 1 - sum_y min_x C_xy, for every gain g <= 1    *)
(*                                   with V_g >= 0; g(w,x) = 1 - p [w = x] from the uniform prior has it      *)
(*                                                                                                            *)
(* Inputs X, outputs Y and guesses W are any finite types, so that a matrix is a channel, and so is a family  *)
(* of distributions on bit strings.  The first argument of a gain is the guess, as in the paper.              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField MatrixGame Extremes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Rows are probability distributions: for matrices this is [stochastic]. *)
Definition channel (R : realFieldType) (X Y : finType) (C : X -> Y -> R) :=
  (forall x y, 0 <= C x y) /\ (forall x, \sum_y C x y = 1).

Section Leakage.
Variables (R : realFieldType) (X : finType).
Add Field R_field : (field_theory_of R).

(* The prior vulnerability V_g(q) = max_w sum_x q_x g(w,x). *)
Definition vulnerability (W : finType) (g : W -> X -> R) (q : X -> R) : R :=
  largest (fun w => \sum_x q x * g w x).

(* The posterior vulnerability sum_y max_w sum_x q_x C_xy g(w,x). *)
Definition posterior_vulnerability (W Y : finType) (g : W -> X -> R) (q : X -> R) (C : X -> Y -> R) : R :=
  \sum_y vulnerability g (fun x => q x * C x y).

(* The multiplicative capacity as Theorem 13 has it, sum_y max_x C_xy: the factor itself, not its logarithm. *)
Definition multiplicative_capacity (Y : finType) (C : X -> Y -> R) : R := \sum_y largest (fun x => C x y).

(* The additive capacity as Theorem 14 has it, 1 - sum_y min_x C_xy. *)
Definition additive_capacity (Y : finType) (C : X -> Y -> R) : R := 1 - \sum_y smallest (fun x => C x y).

(* The uniform prior, and the gain that is 1 when the input is guessed. *)
Definition uniform : X -> R := fun _ => #|X|%:R^-1.

(* The gain is 1 if the guess w is the input x, and else 0. *)
Definition identity_gain : X -> X -> R := fun w x => (w == x)%:R.

Lemma identity_gainE (q : X -> R) w : \sum_x q x * identity_gain w x = q w.
Proof. by rewrite -[RHS](sum_pick q w); apply: eq_bigr => x _; rewrite /identity_gain eq_sym. Qed.

Lemma card_neq0 (x : X) : #|X|%:R != 0 :> R.
Proof. by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists x. Qed.

Lemma uniform_ge0 x : 0 <= uniform x.
Proof. by rewrite invr_ge0 ler0n. Qed.

Lemma uniform_distribution (x0 : X) : distribution uniform.
Proof. by split=> [x|]; [exact: uniform_ge0 | rewrite /uniform sumr_const -[LHS]mulr_natl mulfV ?card_neq0]. Qed.

Section Channel.
Variables (Y : finType) (C : X -> Y -> R).
Hypothesis C_channel : channel C.

Theorem theorem13 (W : finType) (g : W -> X -> R) (q : X -> R) :
  (forall w x, 0 <= g w x) -> (forall x, 0 <= q x) ->
  posterior_vulnerability g q C <= multiplicative_capacity C * vulnerability g q.
Proof.
move=> g_ge0 q_ge0; rewrite mulr_suml; apply: ler_sum => y _.
rewrite -largest_scale; last by apply: largest_ge0 => x; exact: (proj1 C_channel).
apply: largest_mono => w; rewrite mulr_sumr; apply: ler_sum => x _.
rewrite (_ : _ * _ * _ = C x y * (q x * g w x)); last by by_ring R.
by rewrite ler_wpmul2r ?mulr_ge0 // (le_largest (fun x => C x y)).
Qed.

Theorem theorem13_attained (x0 : X) :
  0 < vulnerability identity_gain uniform /\
  posterior_vulnerability identity_gain uniform C
    = multiplicative_capacity C * vulnerability identity_gain uniform.
Proof.
have -> : vulnerability identity_gain uniform = #|X|%:R^-1.
  rewrite /vulnerability (eq_largest (identity_gainE _)).
  by rewrite (@largestE _ _ _ x0).
split; first by rewrite invr_gt0 lt_neqAle eq_sym card_neq0 // ler0n.
rewrite mulrC mulr_sumr; apply: eq_bigr => y _.
by rewrite /vulnerability (eq_largest (identity_gainE _)) -largest_scale ?invr_ge0 ?ler0n.
Qed.

(* Each column minus its smallest entry is what the output says; the smallest entries say nothing. *)
Lemma sum_smallest_le1 (x0 : X) : \sum_y smallest (fun x => C x y) <= 1.
Proof.
by rewrite -(proj2 C_channel x0); apply: ler_sum => y _; exact: (smallest_le (fun x => C x y)).
Qed.

Theorem theorem14 (W : finType) (g : W -> X -> R) (q : X -> R) :
  (forall w x, g w x <= 1) -> distribution q -> 0 <= vulnerability g q ->
  posterior_vulnerability g q C - vulnerability g q <= additive_capacity C.
Proof.
move=> g_le1 [q_ge0 q_sum1] V_ge0; pose low y := smallest (fun x => C x y).
have [x0 _|none] := pickP (fun _ : X => true); last first.
  by have /eqP := oner_neq0 R; case; rewrite -q_sum1 big1 // => x _; have := none x.
have low_ge0 y : 0 <= low y by apply: smallest_ge0 => x; exact: (proj1 C_channel).
have rest_ge0 x y : 0 <= q x * (C x y - low y).
  by rewrite mulr_ge0 // subr_ge0 (smallest_le (fun x => C x y)).
have step y : vulnerability g (fun x => q x * C x y) <=
    low y * vulnerability g q + \sum_x q x * (C x y - low y).
  rewrite -largest_scale //; set rest := \sum_x _.
  have rest_le : largest (fun w => \sum_x q x * (C x y - low y) * g w x) <= rest.
    apply: largest_le => [|w]; first by apply: sumr_ge0 => x _.
    by apply: ler_sum => x _; rewrite ler_pimulr.
  apply: le_trans (ler_add (lexx _) rest_le); apply: le_trans (largest_add _ _).
  apply: largest_mono => w; rewrite mulr_sumr -big_split /=.
  by apply: ler_sum => x _; rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
apply: (@le_trans _ _ (\sum_y (low y * vulnerability g q + \sum_x q x * (C x y - low y)) - vulnerability g q)).
  by rewrite ler_add2r; apply: ler_sum => y _; exact: step.
rewrite big_split /= -mulr_suml exchange_big /=.
have -> : \sum_x \sum_y q x * (C x y - low y) = 1 - \sum_y low y.
  under eq_bigr => x _ do rewrite -mulr_sumr sumrB (proj2 C_channel).
  by rewrite -mulr_suml q_sum1 mul1r.
have low_le1 : \sum_y low y <= 1 := sum_smallest_le1 x0.
rewrite /additive_capacity -/low -subr_ge0.
rewrite (_ : _ - _ = (1 - \sum_y low y) * vulnerability g q); last by by_ring R.
by rewrite mulr_ge0 // subr_ge0.
Qed.

(* In the paper's words: V_g lies between 0 and 1 under every prior.  For priors on one input, V_g <= 1 is g <= 1. *)
Corollary theorem14_bounded (W : finType) (g : W -> X -> R) (q : X -> R) :
  (forall q', distribution q' -> 0 <= vulnerability g q' <= 1) -> distribution q ->
  posterior_vulnerability g q C - vulnerability g q <= additive_capacity C.
Proof.
move=> V_bounded q_dist; apply: theorem14 => // [w x|]; last by case/andP: (V_bounded q q_dist).
pose point x' : R := (x' == x)%:R.
have point_sum (f : X -> R) : \sum_x' point x' * f x' = f x.
  by rewrite -(sum_pick f x); apply: eq_bigr => x' _; rewrite mulrC.
have [] := andP (V_bounded point _); last first.
  by move=> _; apply: le_trans; rewrite -(point_sum (g w)) (le_largest (fun w => \sum_x' point x' * g w x')).
split=> [x'|]; first by rewrite ler0n.
by rewrite -[RHS](point_sum (fun=> 1)); apply: eq_bigr => x' _; rewrite mulr1.
Qed.

(* The gain that is 1, unless the guess is the input. *)
Definition dual_gain : X -> X -> R := fun w x => 1 - #|X|%:R * (w == x)%:R.

Lemma dual_gainE (q : X -> R) w : \sum_x q x * dual_gain w x = \sum_x q x - #|X|%:R * q w.
Proof.
rewrite -(identity_gainE q w) mulr_sumr -sumrB; apply: eq_bigr => x _.
by rewrite /dual_gain /identity_gain; by_ring R.
Qed.

Theorem theorem14_attained (x0 : X) :
  [/\ forall q, distribution q -> 0 <= vulnerability dual_gain q <= 1, vulnerability dual_gain uniform = 0 &
      posterior_vulnerability dual_gain uniform C - vulnerability dual_gain uniform = additive_capacity C].
Proof.
have V0 : vulnerability dual_gain uniform = 0.
  rewrite /vulnerability (eq_largest (dual_gainE _)) (proj2 (uniform_distribution x0)).
  by rewrite (@largestE _ _ _ x0) // divff ?subrr ?card_neq0.
split=> // [q [q_ge0 q_sum1] | ].
  rewrite /vulnerability (eq_largest (dual_gainE _)) q_sum1 largest_shift //.
  have -> : largest (fun w => - (#|X|%:R * q w)) = - smallest (fun w => #|X|%:R * q w).
    by rewrite opprK.
  rewrite subr_ge0 ler_subl_addr ler_addl smallest_ge0 ?andbT => [|x]; last by rewrite mulr_ge0 ?ler0n.
  rewrite -(ler_pmul2l (_ : 0 < #|X|%:R)) ?mulr1; last by rewrite lt_neqAle eq_sym card_neq0 ?ler0n.
  rewrite [leRHS](_ : _ = \sum_x #|X|%:R * q x); last by rewrite -mulr_sumr q_sum1 mulr1.
  rewrite mulr_natl -sumr_const.
  by apply: ler_sum => x _; exact: (smallest_le (fun w => #|X|%:R * q w)).
rewrite V0 subr0 /additive_capacity -(proj2 (uniform_distribution x0)).
have -> : \sum_x uniform x = \sum_y \sum_x uniform x * C x y.
  by rewrite exchange_big; apply: eq_bigr => x _; rewrite -mulr_sumr (proj2 C_channel) mulr1.
rewrite -sumrB; apply: eq_bigr => y _.
rewrite /vulnerability (eq_largest (dual_gainE _)) largest_shift //; congr (_ + _).
by rewrite opprK; apply: eq_largest => x; rewrite /uniform mulVKf ?card_neq0.
Qed.

End Channel.
End Leakage.
