(* SPDX-License-Identifier: MIT *)
(* Figure 6 of ElSalamouny and others: tight-constraints mechanisms against geometric noise, uniform prior.   *)
(*                                                                                                            *)
(*   tight_utility_ge     where rows of Phi have sums of at most s, a tight mechanism has the utility 1/s     *)
(*                        at least                                                                            *)
(*   weaker_utility_ge    what is best for a weaker requirement has at least the utility of any mechanism     *)
(*                        for the stronger one                                                                *)
(*   sum_weaker, counts_weaker   so noise for the whole level, in the sum or in each of two counts, has at    *)
(*                        least the utility of any mechanism that is private on the graph of the query        *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form Geometric MatrixGame Extremes Leakage PrivacyTypes Capacities TightConstraints.
From ExactDP Require Import Refinement LineCapacity ProductCapacity AnswerGraphs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TightUtility.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R).

Theorem tight_utility_ge (M : X -> X -> R) s : (forall i k, Phi i k = Phi k i) -> tight Phi M ->
  (0 < #|X|)%N -> 0 < s -> (forall i, \sum_k Phi i k <= s) -> s^-1 <= utility (@uniform R X) M.
Proof.
move=> Phi_sym [[M_ge0 M_sum1] ME] X_gt0 s_gt0 Phi_le; rewrite utilityE.
have n_gt0 : 0 < #|X|%:R :> R by rewrite ltr0n.
apply: le_trans (_ : \sum_k uniform R k * M k k <= _); last first.
  by apply: ler_sum => k _; exact: (le_largest (fun i => uniform R i * M i k)).
rewrite -mulr_sumr mulrC ler_pdivl_mulr // mulrC ler_pdivr_mulr //.
have {1}-> : #|X|%:R = \sum_i \sum_k M i k by under eq_bigr => i _ do rewrite M_sum1; rewrite sumr_const.
rewrite exchange_big mulr_suml; apply: ler_sum => k _.
under eq_bigr => i _ do rewrite ME.
rewrite -mulr_suml mulrC ler_wpmul2l //; under eq_bigr => i _ do rewrite Phi_sym.
exact: Phi_le.
Qed.

Theorem weaker_utility_ge (Psi : X -> X -> R) (Y Z : finType) (G : X -> Y -> R) (N : X -> Z -> R) v :
  (0 < #|X|)%N -> attains_multiplicative Psi G v -> (forall x x', Psi x x' <= Phi x x') -> mechanism Phi N ->
  utility (@uniform R X) N <= utility (@uniform R X) G.
Proof.
case/card_gt0P=> x0 _ [G_mech G_cap G_max] Psi_le [N_channel N_priv].
have [V_gt0 N_post] := theorem13_attained N x0; have [_ G_post] := theorem13_attained G x0.
rewrite /utility N_post G_post ler_pmul2r // G_cap; apply: G_max; split=> // x x' y.
by apply: le_trans (N_priv x x' y); rewrite ler_wpmul2r //; case: N_channel.
Qed.

End TightUtility.

Section Weaker.
Variables (R : realFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).

Lemma line_column n (f : 'I_n.+1 -> R) : (forall i j, line i j -> a * f j <= f i) ->
  forall i j, a ^+ line_distance i j * f j <= f i.
Proof.
move=> f_priv i j; pose X : 'M[R]_(n.+1, 1) := \matrix_(k, _) f k.
have [to_metric _] := line_metric X (ltW a_gt0).
have X_priv : private a X by move=> k l r kl; rewrite !mxE; exact: f_priv.
by have := to_metric X_priv i j ord0; rewrite !mxE.
Qed.

(* Noise for the whole level, as if one person could change the sum by 1 only. *)
Theorem sum_weaker (u v m : nat) (M : 'M[R]_((v * u).+1, m)) : (0 < v)%N -> stochastic M -> private_on (@sum_graph u v) a M ->
  utility (@uniform R _) M <= utility (@uniform R _) (geometric (v * u) a).
Proof.
move=> v_gt0 M_st M_priv; have attained := line_multiplicative (v * u) a_gt0 a_lt1.
apply: (weaker_utility_ge (Phi := level a (@line_distance (v * u))) _ attained) => //; first by rewrite card_ord.
split=> // i j r; apply: (line_column (f := fun k => M k r)) => k l kl; apply: M_priv.
rewrite /sum_graph -val_eqE /dist /=; move: kl; rewrite /line => kl.
by apply/andP; split; [apply/negP => /eqP E | ]; case/orP: kl => /eqP kl; nat_lia.
Qed.

(* Each count by itself with noise for the whole level.  X is private on the pairs of counts, each of which one *)
(* person may change by 1. *)
Theorem counts_weaker (u : nat) (O : finType) (X : 'I_u.+1 * 'I_u.+1 -> O -> R) : channel X ->
  (forall (x y : 'I_u.+1 * 'I_u.+1) o, x != y -> (dist x.1 y.1 <= 1)%N -> (dist x.2 y.2 <= 1)%N -> a * X y o <= X x o) ->
  utility (@uniform R _) X <= utility (@uniform R _) (both (geometric u a) (geometric u a)).
Proof.
move=> X_channel X_priv; have attained := grid_multiplicative u u a_gt0 a_lt1.
apply: (weaker_utility_ge (Phi := product_similarity (level a (@line_distance u)) (level a (@line_distance u))) _ attained) => //.
  by rewrite card_prod !card_ord.
have step1 (i j : 'I_u.+1) : line i j -> (i != j) && (dist i j <= 1)%N && (dist i i <= 1)%N.
  rewrite /line -val_eqE /dist /= => ij; apply/andP; split; last nat_lia.
  by apply/andP; split; [apply/negP => /eqP E | ]; case/orP: ij => /eqP ij; nat_lia.
split=> // -[x1 x2] [y1 y2] o; rewrite /product_similarity /level /= -mulrA.
apply: le_trans (line_column (f := fun k => X (k, x2) o) _ x1 y1) => [|i j ij].
  rewrite ler_wpmul2l ?exprn_ge0 ?(ltW a_gt0) //; apply: (line_column (f := fun k => X (y1, k) o)) => i j ij.
  have /andP[/andP[ne le] same] := step1 i j ij; apply: X_priv => //=; first by rewrite xpair_eqE eqxx.
  by rewrite /dist subnn.
have /andP[/andP[ne le] same] := step1 i j ij; apply: X_priv => //=; first by rewrite xpair_eqE eqxx andbT.
by rewrite /dist subnn.
Qed.

End Weaker.
