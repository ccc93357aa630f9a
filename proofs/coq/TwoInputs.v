(* SPDX-License-Identifier: MIT *)
(* Consumers to whom only two inputs matter: every mechanism that is tight between these two is optimal for   *)
(* all of them.                                                                                               *)
(*                                                                                                            *)
(*   tight_between       every output tells x1 from x2 as well as the privacy type allows                     *)
(*   two_inputs_optimal  such a mechanism leaves no consumer worse off than any mechanism of the type, as     *)
(*                       long as the gain depends on the guess for the inputs x1 and x2 only                  *)
(*   reports_optimal     for the discrete metric: say whether the input is in S, truly with the weight 1      *)
(*                       against a; also several such questions, one chosen at random, if all tell x1 from x2 *)
(*   two_questions_optimal   the example of Section 8.2: "is it x1?" or "is it x2?", chosen at random         *)
(*                                                                                                            *)
(* Gains may have any sign, so losses are covered: their negatives are gains.  So are all priors, and even    *)
(* all weights.                                                                                               *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Extremes Leakage PrivacyTypes DiscreteCapacity.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TwoInputs.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R) (x1 x2 : X).
Add Field R_field : (field_theory_of R).
Hypotheses (Phi_sim : similarity Phi) (Phi_lt1 : Phi x1 x2 < 1).
Local Notation b := (Phi x1 x2).

(* At every output y one of M(x1,y) and M(x2,y) is Phi(x1,x2) times the other. *)
Definition tight_between (Y : finType) (M : X -> Y -> R) :=
  forall y, M x2 y = Phi x1 x2 * M x1 y \/ M x1 y = Phi x1 x2 * M x2 y.

Variables (W : finType) (w0 : W) (g : W -> X -> R) (q : X -> R).
Hypothesis g_two : forall x w, x != x1 -> x != x2 -> g w x = g w0 x.

Lemma x1_neq_x2 : x2 != x1.
Proof. by apply/eqP => x12; move: Phi_lt1; rewrite x12; case: Phi_sim => _ _ -> _; rewrite ltxx. Qed.

(* What the guesses are worth when the two entries of an output are u and v; the rest does not depend on them. *)
Definition worth (u v : R) : R := largest (fun w => q x1 * u * g w x1 + q x2 * v * g w x2).

(* What the inputs other than x1 and x2 add to the expected gain; there all guesses gain the same. *)
Definition rest : R := \sum_(x | (x != x1) && (x != x2)) q x * g w0 x.

Lemma worth_scale c u v : 0 <= c -> worth (c * u) (c * v) = c * worth u v.
Proof. by move=> c_ge0; rewrite /worth -largest_scale //; apply: eq_largest => w; by_ring R. Qed.

Lemma worth_add u v u' v' : worth (u + u') (v + v') <= worth u v + worth u' v'.
Proof.
apply: le_trans (largest_add _ _); rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_largest => w; by_ring R.
Qed.

Lemma vulnerability_two (Y : finType) (C : X -> Y -> R) : channel C ->
  posterior_vulnerability g q C = rest + \sum_y worth (C x1 y) (C x2 y).
Proof.
case=> _ C_sum1; have -> : rest = \sum_y \sum_(x | (x != x1) && (x != x2)) q x * C x y * g w0 x.
  rewrite exchange_big /=; apply: eq_bigr => x _.
  by rewrite -mulr_suml -mulr_sumr C_sum1 mulr1.
rewrite -big_split; apply: eq_bigr => y _ /=; rewrite -(largest_shift w0).
apply: eq_largest => w; rewrite (bigD1 x1) //= (bigD1 x2) ?x1_neq_x2 //= addrA addrC; congr (_ + _).
by apply: eq_bigr => x /andP[nx1 nx2]; rewrite g_two.
Qed.

(* How much of an output points to x1: an output (u, v) is s (1, b) + t (b, 1). *)
Definition part (u v : R) : R := (u - b * v) / (1 - b ^+ 2).

Lemma sq_gt0 : 0 < 1 - b ^+ 2.
Proof. by rewrite subr_gt0 expr_lt1 // ltW //; case: Phi_sim. Qed.

Lemma part_ge0 u v : b * v <= u -> 0 <= part u v.
Proof. by move=> uv; rewrite divr_ge0 ?(ltW sq_gt0) // subr_ge0. Qed.

Lemma parts u v : u = part u v * 1 + part v u * b /\ v = part u v * b + part v u * 1.
Proof. by have := lt0r_neq0 sq_gt0; rewrite /part => neq0; split; by_field R; apply/eqP; rewrite -expr2. Qed.

Lemma sum_parts (Y : finType) (C : X -> Y -> R) x x' : channel C ->
  \sum_y part (C x y) (C x' y) = (1 - b) / (1 - b ^+ 2).
Proof. by case=> _ C_sum1; rewrite -mulr_suml sumrB -mulr_sumr !C_sum1 mulr1. Qed.

(* What x1 and x2 add if all outputs are multiples of (1, b) or of (b, 1): the weights of each add up to (1-b)/(1-b^2). *)
Definition best_worth : R := (1 - b) / (1 - b ^+ 2) * worth 1 b + (1 - b) / (1 - b ^+ 2) * worth b 1.

Lemma best_worthE (Y : finType) (C : X -> Y -> R) : channel C ->
  best_worth = \sum_y (part (C x1 y) (C x2 y) * worth 1 b + part (C x2 y) (C x1 y) * worth b 1).
Proof.
move=> C_channel; rewrite big_split /=; congr (_ + _).
  by rewrite -(sum_parts x1 x2 C_channel) mulr_suml.
by rewrite -(sum_parts x2 x1 C_channel) mulr_suml.
Qed.

Theorem two_inputs_optimal (Y Z : finType) (M : X -> Y -> R) (N : X -> Z -> R) :
  channel M -> tight_between M -> mechanism Phi N -> posterior_vulnerability g q N <= posterior_vulnerability g q M.
Proof.
move=> M_channel M_tight [N_channel N_priv]; rewrite !vulnerability_two // ler_add2l.
apply: (@le_trans _ _ best_worth).
  rewrite (best_worthE N_channel); apply: ler_sum => z _.
  have s_ge0 : 0 <= part (N x1 z) (N x2 z) by apply: part_ge0.
  have t_ge0 : 0 <= part (N x2 z) (N x1 z).
    by apply: part_ge0; case: Phi_sim => _ Phi_sym _ _; rewrite Phi_sym.
  have [eq1 eq2] := parts (N x1 z) (N x2 z).
  move: eq1 eq2 s_ge0 t_ge0; move: (part _ _) (part _ _) => s t -> -> s_ge0 t_ge0.
  by apply: le_trans (worth_add _ _ _ _) _; rewrite (worth_scale _ _ s_ge0) (worth_scale _ _ t_ge0).
rewrite (best_worthE M_channel); apply: ler_sum => y _; have neq0 := lt0r_neq0 sq_gt0.
have zero u : part (b * u) u = 0 by rewrite /part subrr mul0r.
have one u : part u (b * u) = u by rewrite /part; by_field R; apply/eqP; rewrite -expr2.
have [M_ge0 _] := M_channel.
case: (M_tight y) => ->; rewrite zero one mul0r.
  by rewrite addr0 -(worth_scale _ _ (M_ge0 x1 y)) mulr1 [_ * b]mulrC.
by rewrite add0r -(worth_scale _ _ (M_ge0 x2 y)) mulr1 [_ * b]mulrC.
Qed.

End TwoInputs.

(* The discrete metric: questions whether the input is in S y, with weights c y. *)
Section Reports.
Variables (R : realFieldType) (X : finType) (a : R) (x1 x2 : X).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (x12 : x1 != x2).
Add Field R_field : (field_theory_of R).

(* The output y comes with the probability c y at the inputs of S y, and with a times that at all others. *)
Definition reports (Y : finType) (S : Y -> {set X}) (c : Y -> R) (x : X) (y : Y) : R :=
  c y * (if x \in S y then 1 else a).

Theorem reports_optimal (Y Z W : finType) (S : Y -> {set X}) (c : Y -> R) (w0 : W) (g : W -> X -> R) (q : X -> R)
    (N : X -> Z -> R) :
  channel (reports S c) -> (forall y, (x1 \in S y) != (x2 \in S y)) ->
  (forall x w, x != x1 -> x != x2 -> g w x = g w0 x) -> mechanism (level a (@discrete X)) N ->
  mechanism (level a (@discrete X)) (reports S c) /\
  posterior_vulnerability g q N <= posterior_vulnerability g q (reports S c).
Proof.
move=> C_channel apart g_two N_mech; have levelE : level a (@discrete X) x1 x2 = a.
  by rewrite discrete_level (negPf x12).
split.
  split=> // x x' y; rewrite discrete_level; case: eqP => [->|_]; first by rewrite mul1r.
  have c_ge0 : 0 <= c y.
    have := proj1 C_channel x y; rewrite /reports; case: ifP => _; first by rewrite mulr1.
    by rewrite pmulr_lge0.
  rewrite /reports mulrCA; apply: ler_wpmul2l => //.
  have a_le1 := ltW a_lt1; have aa_le : a * a <= a by rewrite ger_pmull.
  by case: ifP => _; case: ifP => _; rewrite ?mulr1 // (le_trans aa_le).
apply: (two_inputs_optimal (x1 := x1) (x2 := x2) (w0 := w0) (discrete_similarity X a_gt0 a_lt1) _); rewrite ?levelE //.
move=> y; rewrite levelE /reports; move: (apart y).
by case: (x1 \in S y); case: (x2 \in S y) => // _; [left | right]; by_ring R.
Qed.

(* Section 8.2: ask for x1, or ask for x2, whichever t decides. *)
Definition two_questions (t : R) : X -> bool * bool -> R :=
  reports (fun y => let S := [set if y.1 then x1 else x2] in if y.2 then S else ~: S)
          (fun y => (if y.1 then t else 1 - t) / (1 + a)).

Theorem two_questions_optimal (Z W : finType) (t : R) (w0 : W) (g : W -> X -> R) (q : X -> R) (N : X -> Z -> R) :
  0 <= t -> t <= 1 -> (forall x w, x != x1 -> x != x2 -> g w x = g w0 x) ->
  mechanism (level a (@discrete X)) N ->
  mechanism (level a (@discrete X)) (two_questions t) /\
  posterior_vulnerability g q N <= posterior_vulnerability g q (two_questions t).
Proof.
move=> t_ge0 t_le1 g_two N_mech; apply: (reports_optimal (w0 := w0)) => //; last first.
  have x21 : (x2 == x1) = false by rewrite eq_sym (negPf x12).
  by case=> -[] [] /=; rewrite !inE ?eqxx ?(negPf x12) ?x21.
have a1_gt0 : 0 < 1 + a by rewrite addr_gt0 ?ltr01.
split=> [x y|x].
  rewrite /reports mulr_ge0 //; last by case: ifP; rewrite ?ler01 ?ltW.
  by rewrite divr_ge0 ?(ltW a1_gt0) //; case: ifP; rewrite ?subr_ge0.
rewrite (eq_bigr (fun y => reports (fun y => let S := [set if y.1 then x1 else x2] in if y.2 then S else ~: S)
          (fun y => (if y.1 then t else 1 - t) / (1 + a)) x (y.1, y.2))); last by case.
rewrite -(pair_bigA _ (fun b c => reports (fun y => let S := [set if y.1 then x1 else x2] in if y.2 then S else ~: S)
          (fun y => (if y.1 then t else 1 - t) / (1 + a)) x (b, c))) /=.
rewrite !big_bool /reports /= !inE.
by case: eqP => _; case: eqP => _ /=; by_field R; apply/eqP; rewrite gt_eqF.
Qed.

End Reports.
