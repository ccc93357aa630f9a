(* SPDX-License-Identifier: MIT *)
(* Pairs of inputs, with distances that add up: what one mechanism for each coordinate attains.               *)
(*                                                                                                            *)
(*   product_multiplicative   multiplicative capacities that come from weights multiply                       *)
(*   product_additive         what additive capacities are less than 1 multiplies, if it comes from weights   *)
(*   grid_multiplicative, grid_additive   so both capacities of every rectangular grid, with the distance     *)
(*                            along its edges, are attained by two geometric mechanisms                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Form Geometric Extremes Leakage PrivacyTypes Capacities LineCapacity.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Product.
Variables (R : realFieldType) (X X' : finType) (Phi : X -> X -> R) (Phi' : X' -> X' -> R).
Hypotheses (Phi_sim : similarity Phi) (Phi'_sim : similarity Phi').

(* The level of two pairs is the product of the levels of their coordinates: the distances of the coordinates add up. *)
Definition product_similarity : X * X' -> X * X' -> R := fun x u => Phi x.1 u.1 * Phi' x.2 u.2.

Lemma product_similarityP : similarity product_similarity.
Proof.
case: Phi_sim Phi'_sim => gt0 sym refl tri [gt0' sym' refl' tri'].
split=> [x u|x u|x|x y u]; rewrite /product_similarity.
- exact: mulr_gt0.
- by rewrite sym sym'.
- by rewrite refl refl' mulr1.
- by rewrite mulrACA ler_pmul // mulr_ge0 // ltW.
Qed.

Lemma sum_product (f : X -> R) (g : X' -> R) : \sum_u f u.1 * g u.2 = (\sum_u f u) * (\sum_u g u).
Proof. by rewrite big_distrlr /= pair_bigA. Qed.

(* Each coordinate by itself. *)
Definition both (Y Y' : finType) (M : X -> Y -> R) (M' : X' -> Y' -> R) : X * X' -> Y * Y' -> R :=
  fun x y => M x.1 y.1 * M' x.2 y.2.

Theorem product_multiplicative (x0 : X) (x0' : X') z z' : weighting Phi z -> weighting Phi' z' ->
  attains_multiplicative product_similarity (both (scaled Phi z) (scaled Phi' z')) ((\sum_u z u) * (\sum_u z' u)).
Proof.
move=> [z_ge0 z_sum] [z'_ge0 z'_sum]; pose zz (u : X * X') := z u.1 * z' u.2.
have zz_weighting : weighting product_similarity zz.
  split=> [u|x]; first exact: mulr_ge0.
  rewrite -[RHS]mulr1 -{1}(z_sum x.1) -(z'_sum x.2) -sum_product; apply: eq_bigr => u _.
  by rewrite /zz mulrACA.
rewrite -sum_product.
apply: (@eq_attains_multiplicative _ _ _ _ (scaled product_similarity zz)) => [x u|].
  by rewrite /scaled /both mulrACA.
by apply: weighted_multiplicative; first exact: (x0, x0'); first exact: product_similarityP.
Qed.

Lemma both_mechanism (Y Y' : finType) (M : X -> Y -> R) (M' : X' -> Y' -> R) :
  mechanism Phi M -> mechanism Phi' M' -> mechanism product_similarity (both M M').
Proof.
move=> [[M_ge0 M_sum1] M_priv] [[M'_ge0 M'_sum1] M'_priv].
have [gt0 _ _ _] := Phi_sim; have [gt0' _ _ _] := Phi'_sim.
split=> [|x x' y]; last by rewrite /product_similarity /both mulrACA ler_pmul // mulr_ge0 // ltW.
split=> [x y|x]; first exact: mulr_ge0.
by rewrite -[RHS]mulr1 -{1}(M_sum1 x.1) -(M'_sum1 x.2) big_distrlr /= pair_bigA.
Qed.

Theorem product_additive (x0 : X) (x0' : X') (Y Y' : finType) (M : X -> Y -> R) (M' : X' -> Y' -> R) c c' :
  additive_dual Phi M c -> additive_dual Phi' M' c' ->
  attains_additive product_similarity (both M M') (1 - c * c').
Proof.
move=> [z [M_mech z_ge0 z_bound M_tight <-]] [z' [M'_mech z'_ge0 z'_bound M'_tight <-]].
have [_ _ Phi1 _] := Phi_sim; have [_ _ Phi'1 _] := Phi'_sim.
apply: (additive_certificate (x0, x0')); exists (fun u => z u.1 * z' u.2); split.
- exact: both_mechanism.
- by move=> u; apply: mulr_ge0.
- move=> v v_ge0 v_priv [x x'].
  have -> : \sum_u z u.1 * z' u.2 * v u = \sum_u' z' u' * (\sum_u z u * v (u, u')).
    transitivity (\sum_u \sum_u' z u * z' u' * v (u, u')).
      by rewrite pair_bigA; apply: eq_bigr => -[].
    rewrite exchange_big; apply: eq_bigr => u' _; rewrite mulr_sumr; apply: eq_bigr => u _ /=.
    by rewrite mulrAC mulrC mulrA.
  apply: le_trans (z'_bound (fun u' => v (x, u')) _ _ x') => // [|u1 u2].
    apply: ler_sum => u' _; apply: ler_wpmul2l => //; apply: (z_bound (fun u => v (u, u'))) => // u1 u2.
    by have := v_priv (u1, u') (u2, u'); rewrite /product_similarity /= Phi'1 mulr1.
  by have := v_priv (x, u1) (x, u2); rewrite /product_similarity /= Phi1 mul1r.
- move=> [y y']; have [x x_tight] := M_tight y; have [x' x'_tight] := M'_tight y'; exists (x, x').
  rewrite (_ : \sum_u _ = (\sum_u z u * M u y) * (\sum_u z' u * M' u y')).
    have [[M_ge0 _] _] := M_mech; have [[M'_ge0 _] _] := M'_mech.
    exact: ler_pmul.
  rewrite -(sum_product (fun u => z u * M u y)); apply: eq_bigr => u _.
  by rewrite /both mulrACA.
- exact: sum_product.
Qed.

End Product.

(* For levels a^d this is the level of the sum of the distances. *)
Lemma product_level (R : realFieldType) (X X' : finType) (a : R) (d : X -> X -> nat) (d' : X' -> X' -> nat) x u :
  product_similarity (level a d) (level a d') x u = a ^+ (d x.1 u.1 + d' x.2 u.2).
Proof. by rewrite /product_similarity /level exprD. Qed.

Section Grid.
Variables (R : realFieldType) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Local Notation grid := (product_similarity (level a (@line_distance n)) (level a (@line_distance m))).
Local Notation G := (both (geometric n a) (geometric m a)).

Theorem grid_multiplicative :
  attains_multiplicative grid G ((1 + n%:R * ((1 - a) / (1 + a))) * (1 + m%:R * ((1 - a) / (1 + a)))).
Proof.
rewrite -!(sum_scale _ a_gt0 a_lt1); have sim k := @line_similarity R k a a_gt0 (ltW a_lt1).
have := product_multiplicative (sim n) (sim m) ord0 ord0 (line_weighting n a_gt0 a_lt1) (line_weighting m a_gt0 a_lt1).
by apply: eq_attains_multiplicative => x u; rewrite /both !mxE.
Qed.

Theorem grid_additive : attains_additive grid G (1 - line_rest n a * line_rest m a).
Proof.
have sim k := @line_similarity R k a a_gt0 (ltW a_lt1).
by apply: (product_additive (sim n) (sim m) ord0 ord0); apply: line_dual.
Qed.

End Grid.
