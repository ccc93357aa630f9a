(* SPDX-License-Identifier: MIT *)
(* Capacities of privacy types in closed form, by weights on the inputs.                                      *)
(*                                                                                                            *)
(*   multiplicative_bound, additive_bound     weights z that bound every column of a mechanism bound its      *)
(*                                            capacity: the dual linear programs of Corollaries 26 and 27     *)
(*   additive_certificate     a mechanism whose columns all meet such a bound attains the capacity            *)
(*   weighted_multiplicative   if z >= 0 and sum_u Phi(x,u) z_u = 1 for all x, then the multiplicative        *)
(*                             capacity of the type is sum z, attained by Phi diag(z)                         *)
(*   weighted_additive         the same with 1/Phi for Phi: the additive capacity is 1 - sum z                *)
(*   homogeneous_multiplicative, _additive    all inputs see the same distances: p / sum_u Phi(x,u), and      *)
(*                             1 - p / sum_u 1/Phi(x,u); transitive_homogeneous: vertex-transitive metrics    *)
(*                                                                                                            *)
(* The number sum z is known as the magnitude of the metric space.                                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Extremes Leakage PrivacyTypes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Capacities.
Variables (R : realFieldType) (X : finType).
Add Field R_field : (field_theory_of R).
Implicit Types (Phi Psi : X -> X -> R) (z : X -> R).

Lemma sum_weighted (Y : finType) (M : X -> Y -> R) z : channel M ->
  \sum_y \sum_u z u * M u y = \sum_u z u.
Proof. by case=> _ M_sum1; rewrite exchange_big; apply: eq_bigr => u _; rewrite -mulr_sumr M_sum1 mulr1. Qed.

Theorem multiplicative_bound (x0 : X) (Y : finType) (M : X -> Y -> R) z : channel M ->
  (forall x y, M x y <= \sum_u z u * M u y) -> multiplicative_capacity M <= \sum_u z u.
Proof.
move=> M_channel M_le; rewrite -(sum_weighted z M_channel); apply: ler_sum => y _.
exact: (largest_lub x0).
Qed.

Theorem additive_bound (x0 : X) (Y : finType) (M : X -> Y -> R) z : channel M ->
  (forall x y, \sum_u z u * M u y <= M x y) -> additive_capacity M <= 1 - \sum_u z u.
Proof.
move=> M_channel M_ge; rewrite ler_add2l ler_opp2 -(sum_weighted z M_channel); apply: ler_sum => y _.
exact: (smallest_ge x0).
Qed.

(* A mechanism all of whose columns meet the bound of some z, with what the bound adds up to. *)
Definition additive_dual (Phi : X -> X -> R) (Y : finType) (M : X -> Y -> R) (c : R) := exists z : X -> R,
  [/\ mechanism Phi M, forall u, 0 <= z u,
    forall v : X -> R, (forall x, 0 <= v x) -> (forall x x', Phi x x' * v x' <= v x) ->
      forall x, \sum_u z u * v u <= v x,
    forall y, exists x, M x y <= \sum_u z u * M u y & \sum_u z u = c].

Theorem additive_certificate (x0 : X) Phi (Y : finType) (M : X -> Y -> R) c :
  additive_dual Phi M c -> attains_additive Phi M (1 - c).
Proof.
case=> z [M_mech z_ge0 z_bound M_tight <-].
have bound (Z : finType) (N : X -> Z -> R) : mechanism Phi N -> additive_capacity N <= 1 - \sum_u z u.
  by case=> N_channel N_priv; apply: additive_bound => // x y; apply: z_bound => //; case: N_channel.
split=> //; apply/eqP; rewrite eq_le bound // ler_add2l ler_opp2 -(sum_weighted z (proj1 M_mech)).
apply: ler_sum => y _; have [x] := M_tight y.
by apply: le_trans; exact: (smallest_le (fun x => M x y)).
Qed.

(* Weights z >= 0 on the inputs with Phi z = 1, that is sum_u Phi(x,u) z_u = 1 for every input x. *)
Definition weighting Phi z := (forall u, 0 <= z u) /\ forall x, \sum_u Phi x u * z u = 1.

(* Phi diag(z): the entry (x,u) is Phi(x,u) z_u. *)
Definition scaled Phi z : X -> X -> R := fun x u => Phi x u * z u.

Lemma similarity_le1 Phi x u : similarity Phi -> Phi x u <= 1.
Proof.
case=> Phi_gt0 Phi_sym Phi1 Phi_tri; have := Phi_tri x u x; rewrite Phi1 [Phi u x]Phi_sym => sq_le1.
by rewrite leNgt; apply/negP => gt1; move: sq_le1; rewrite leNgt mulr_egt1.
Qed.

Theorem weighted_multiplicative (x0 : X) Phi z : similarity Phi -> weighting Phi z ->
  attains_multiplicative Phi (scaled Phi z) (\sum_u z u).
Proof.
move=> Phi_sim [z_ge0 z_sum]; have Phi_le1 x u := similarity_le1 x u Phi_sim.
have [Phi_gt0 Phi_sym Phi1 Phi_tri] := Phi_sim; split.
- split=> [|x x' u]; last by rewrite mulrA ler_wpmul2r.
  by split=> [x u|]; [rewrite mulr_ge0 // ltW | exact: z_sum].
- apply: eq_bigr => u _; rewrite (@largestE _ _ _ u) /scaled => [|x]; first by rewrite Phi1 mul1r.
  by rewrite Phi1 ler_wpmul2r.
- move=> Z N [N_channel N_priv]; apply: multiplicative_bound => // x y.
  rewrite -[leLHS]mul1r -(z_sum x) mulr_suml; apply: ler_sum => u _.
  by rewrite mulrAC mulrC ler_wpmul2l // Phi_sym N_priv.
Qed.

Theorem weighted_additive (x0 : X) Phi z : similarity Phi -> weighting (fun x u => (Phi x u)^-1) z ->
  attains_additive Phi (scaled (fun x u => (Phi x u)^-1) z) (1 - \sum_u z u).
Proof.
move=> Phi_sim [z_ge0 z_sum]; have Phi_le1 x u := similarity_le1 x u Phi_sim.
have [Phi_gt0 Phi_sym Phi1 Phi_tri] := Phi_sim; split.
- split=> [|x x' u]; last first.
    by rewrite mulrA ler_wpmul2r // ler_pdivr_mulr // mulrC ler_pdivl_mulr // [Phi x x']Phi_sym Phi_tri.
  by split=> [x u|]; [rewrite mulr_ge0 // invr_ge0 ltW | exact: z_sum].
- congr (1 - _); apply: eq_bigr => u _; rewrite (@smallestE _ _ _ u) /scaled => [|x].
    by rewrite Phi1 invr1 mul1r.
  by rewrite Phi1 ler_wpmul2r // invr1 invf_ge1.
- move=> Z N [N_channel N_priv]; apply: additive_bound => // x y.
  rewrite -[leRHS]mul1r -(z_sum x) mulr_suml; apply: ler_sum => u _.
  by rewrite mulrAC mulrC ler_wpmul2l // mulrC ler_pdivl_mulr // mulrC N_priv.
Qed.

(* From every input the distances to the others are the same, as on a cycle, a torus, a cube. *)
Section Homogeneous.
Variables (Phi : X -> X -> R) (s : R).
Hypothesis Phi_sim : similarity Phi.

Lemma sum_constant (c : R) : \sum_(u : X) c = #|X|%:R * c.
Proof. by rewrite sumr_const -[LHS]mulr_natl. Qed.

Lemma constant_weighting Psi (x0 : X) : (forall x u, 0 < Psi x u) -> (forall x, \sum_u Psi x u = s) ->
  weighting Psi (fun=> s^-1).
Proof.
move=> Psi_gt0 Psi_sum; have s_gt0 : 0 < s.
  rewrite -(Psi_sum x0) (bigD1 x0) //= ltr_paddr ?sumr_ge0 // => u _; exact: ltW.
by split=> [u|x]; [rewrite invr_ge0 ltW | rewrite -mulr_suml Psi_sum divff ?gt_eqF].
Qed.

Theorem homogeneous_multiplicative (x0 : X) : (forall x, \sum_u Phi x u = s) ->
  attains_multiplicative Phi (fun x u => Phi x u / s) (#|X|%:R / s).
Proof.
move=> Phi_sum; rewrite -sum_constant; apply: weighted_multiplicative => //.
by apply: constant_weighting => // x u; case: Phi_sim.
Qed.

Theorem homogeneous_additive (x0 : X) : (forall x, \sum_u (Phi x u)^-1 = s) ->
  attains_additive Phi (fun x u => (Phi x u)^-1 / s) (1 - #|X|%:R / s).
Proof.
move=> Phi_sum; rewrite -sum_constant; apply: weighted_additive => //.
by apply: constant_weighting => // x u; rewrite invr_gt0; case: Phi_sim.
Qed.

End Homogeneous.

(* If the symmetries of the metric lead from any input to any other, sums along rows are equal. *)
Theorem transitive_homogeneous Phi (f : R -> R) :
  (forall x x', exists h : X -> X, [/\ bijective h, h x = x' & forall u v, Phi (h u) (h v) = Phi u v]) ->
  forall x x', \sum_u f (Phi x u) = \sum_u f (Phi x' u).
Proof.
move=> moves x x'; have [h [h_bij <- h_Phi]] := moves x x'.
by rewrite [RHS](reindex h) /=; [apply: eq_bigr => u _; rewrite h_Phi | exact: onW_bij].
Qed.

End Capacities.
