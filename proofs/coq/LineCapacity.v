(* SPDX-License-Identifier: MIT *)
(* Counting queries: the geometric mechanism attains both capacities of the line 0, ..., n, for every n.      *)
(*                                                                                                            *)
(*   line_multiplicative    1 + n (1-a)/(1+a), which is (N - (N-2) a)/(1+a) for N = n + 1 >= 2 inputs         *)
(*   line_additive_even     1 - a^(n/2) for even n                                                            *)
(*   line_additive_odd      1 - 2 a^((n+1)/2)/(1+a) for odd n                                                 *)
(*                                                                                                            *)
(* The additive bound uses the middle only: no entry of a private column is less than a^(n/2) times the       *)
(* middle one (for even n), and no channel has columns whose middle entries do not add up to 1.               *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form Geometric MatrixGame Extremes Leakage PrivacyTypes Capacities.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Line.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation Phi := (level a (@line_distance n)).
Local Notation G := (geometric n a).

Lemma geometric_mechanism : mechanism Phi G.
Proof.
apply/line_mechanism; first exact: ltW.
by split; [exact: geometric_stochastic | exact: geometric_private].
Qed.

Lemma sum_scale : \sum_(j < n.+1) scale a n j = 1 + n%:R * ((1 - a) / (1 + a)).
Proof.
apply: (mulfI (lt0r_neq0 (one_minus_sq_gt0 a_gt0 a_lt1))).
transitivity (form a n (fun=> 1) (fun=> 1)).
  rewrite form_ones ?one_plus_neq0 //; congr (_ * _).
  by apply: eq_bigr => j _; rewrite mulr1.
rewrite /form sumr_const card_ord -mulr_natl.
by by_field R; apply/eqP; exact: one_plus_neq0.
Qed.

Lemma line_weighting : weighting Phi (fun j : 'I_n.+1 => scale a n j).
Proof.
split=> [j|i]; first by apply/ltW/scale_gt0.
by rewrite -(geometric_sum a_gt0 a_lt1 i); apply: eq_bigr => j _; rewrite mxE.
Qed.

Theorem line_multiplicative : attains_multiplicative Phi G (1 + n%:R * ((1 - a) / (1 + a))).
Proof.
rewrite -sum_scale.
apply: (@eq_attains_multiplicative _ _ _ _ (scaled Phi (fun j : 'I_n.+1 => scale a n j))) => [i j|].
  by rewrite mxE.
apply: (weighted_multiplicative ord0) line_weighting; exact: line_similarity a_gt0 (ltW a_lt1).
Qed.

(* The value as the paper writes it, for N = n + 1 inputs. *)
Lemma line_value : (0 < n)%N ->
  1 + n%:R * ((1 - a) / (1 + a)) = (n.+1%:R - (n.+1 - 2)%:R * a) / (1 + a).
Proof.
move=> n_gt0; rewrite natrB ?ltnS //.
by by_field R; apply/eqP; exact: one_plus_neq0.
Qed.

Lemma sum_point (c : 'I_n.+1) (k : R) (v : 'I_n.+1 -> R) : \sum_u k * (u == c)%:R * v u = k * v c.
Proof. by rewrite -(sum_pick v c) mulr_sumr; apply: eq_bigr => u _; rewrite mulrAC mulrA. Qed.

Lemma line_dual_even (h : nat) : n = h.*2 -> additive_dual Phi G (a ^+ h).
Proof.
rewrite -addnn => nh; have h_lt : (h < n.+1)%N by nat_lia.
pose c : 'I_n.+1 := Ordinal h_lt; pose z (u : 'I_n.+1) : R := a ^+ h * (u == c)%:R.
exists z; split; first exact: geometric_mechanism.
- by move=> u; rewrite mulr_ge0 ?ler0n ?exprn_ge0 ?ltW.
- move=> v v_ge0 v_priv i; rewrite sum_point; apply: le_trans (v_priv i c).
  rewrite ler_wpmul2r // ler_wiexpn2l ?ltW //.
  by rewrite /line_distance /dist /=; have ni := ltn_ord i; nat_lia.
- move=> j; exists (if (j < h)%N then ord_max else ord0); rewrite sum_point !mxE mulrA -exprD.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (_ ^+ _ * _).
  by have nj := ltn_ord j; rewrite /dist; case: ltnP => jh /=; nat_lia.
- by rewrite -[RHS]mulr1 -(sum_point c _ (fun=> 1)); apply: eq_bigr => u _; rewrite mulr1.
Qed.

Lemma line_dual_odd (h : nat) : n = h.*2.+1 -> additive_dual Phi G (2%:R * a ^+ h.+1 / (1 + a)).
Proof.
rewrite -addnn => nh; have h_lt : (h < n.+1)%N by nat_lia.
have h1_lt : (h.+1 < n.+1)%N by nat_lia.
have a1 : 0 < 1 + a by rewrite addr_gt0 ?ltr01.
pose c : 'I_n.+1 := Ordinal h_lt; pose d : 'I_n.+1 := Ordinal h1_lt; pose k : R := a ^+ h.+1 / (1 + a).
pose z (u : 'I_n.+1) : R := k * (u == c)%:R + k * (u == d)%:R.
have zE (v : 'I_n.+1 -> R) : \sum_u z u * v u = k * (v c + v d).
  by rewrite mulrDr -!sum_point -big_split; apply: eq_bigr => u _; rewrite /= mulrDl.
(* c is on the side of i, and d beyond: v_i >= a^h v_c, v_c >= a v_d. *)
have side (i c' d' : 'I_n.+1) (v : 'I_n.+1 -> R) : (forall x, 0 <= v x) ->
    (forall x x', Phi x x' * v x' <= v x) -> (dist i c' <= h)%N -> dist c' d' = 1%N -> k * (v c' + v d') <= v i.
  move=> v_ge0 v_priv ih cd; apply: le_trans (v_priv i c').
  apply: (@le_trans _ _ (a ^+ h * v c')); last by rewrite ler_wpmul2r // ler_wiexpn2l ?ltW.
  rewrite /k exprSr -!mulrA; apply: ler_wpmul2l; first by rewrite exprn_ge0 ?ltW.
  rewrite mulrCA ler_pdivr_mull // mulrDr mulrDl mul1r [leLHS]addrC ler_add2r.
  by have := v_priv c' d'; rewrite /level /line_distance cd expr1.
have k_ge0 : 0 <= k by rewrite divr_ge0 ?exprn_ge0 ?ltW.
exists z; split; first exact: geometric_mechanism.
- by move=> u; apply: addr_ge0; apply: (mulr_ge0 k_ge0); rewrite ler0n.
- move=> v v_ge0 v_priv i; rewrite zE; have ni := ltn_ord i.
  have [ih|hi] := leqP i h; first by apply: side => //; rewrite /dist /=; nat_lia.
  by rewrite addrC; apply: side => //; rewrite /dist /=; nat_lia.
- move=> j; exists (if (j <= h)%N then ord_max else ord0); rewrite zE !mxE /k.
  have a1_neq0 : 1 + a != 0 by rewrite gt_eqF.
  have nj := ltn_ord j.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /dist /=; case: leqP => jh /=.
    have -> : (n - j + (j - n) = h.+1 + (h - j))%N by nat_lia.
    have -> : (h - j + (j - h) = h - j)%N by nat_lia.
    have -> : (h.+1 - j + (j - h.+1) = (h - j).+1)%N by nat_lia.
    by rewrite exprD exprS; by_field R; apply/eqP.
  have -> : (0 - j + (j - 0) = h.+1 + (j - h.+1))%N by nat_lia.
  have -> : (h - j + (j - h) = (j - h.+1).+1)%N by nat_lia.
  have -> : (h.+1 - j + (j - h.+1) = j - h.+1)%N by nat_lia.
  by rewrite exprD exprS; by_field R; apply/eqP.
transitivity (\sum_u z u * 1); first by apply: eq_bigr => u _; rewrite mulr1.
by rewrite (zE (fun=> 1)) mulrDr mulr1 -mulrA -/k mulr_natl mulr2n.
Qed.

Theorem line_additive_even (h : nat) : n = h.*2 -> attains_additive Phi G (1 - a ^+ h).
Proof. by move/line_dual_even; exact: additive_certificate ord0 _ _ _ _. Qed.

Theorem line_additive_odd (h : nat) : n = h.*2.+1 -> attains_additive Phi G (1 - 2%:R * a ^+ h.+1 / (1 + a)).
Proof. by move/line_dual_odd; exact: additive_certificate ord0 _ _ _ _. Qed.

(* Both at once: what the additive capacity is less than 1. *)
Definition line_rest : R := if odd n then 2%:R * a ^+ n./2.+1 / (1 + a) else a ^+ n./2.

Lemma line_dual : additive_dual Phi G line_rest.
Proof.
have := odd_double_half n; rewrite /line_rest; case: (odd n) => /esym; first exact: line_dual_odd.
exact: line_dual_even.
Qed.

End Line.
