(* SPDX-License-Identifier: MIT *)
(* Theorem 20 of Fernandes and others: on three or more inputs, whatever the metric, no mechanism is          *)
(* universally optimal for all losses.                                                                        *)
(*                                                                                                            *)
(*   one_kernel   a mechanism that is optimal for all losses makes the vertices linearly independent          *)
(*   theorem20    which they are not on three or more inputs                                                  *)
(*                                                                                                            *)
(* Proof.  All mechanisms of the type are refinements of such an M, by Theorem 3.  So the posteriors of M are *)
(* among those of every kernel mechanism, and by Property 1 they are the same.  But every vertex is a         *)
(* posterior of some kernel mechanism.  So one kernel mechanism has all vertices.                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Channels Refinement FiniteCone.
From ExactDP Require Import BasicSolutions Rays ExtremeRays Kernels KernelOrder KernelOptimality Simplicial.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section None.
Variables (R : realFieldType) (p : nat) (e : 'I_p.+1 -> 'I_p.+1 -> R).
Hypothesis e_metric : metric_level e.

(* Every vertex has a weight in some solution: 1 is inside the cone. *)
Lemma all_weights q (V : 'M[R]_(p.+1, q)) : generators e V ->
  exists2 w : 'I_q -> R, (forall k, 0 < w k) & solution (fun k i => V i k) (fun=> 1) w.
Proof.
move=> [V_ray _ V_gen _]; have V_ge0 i k : 0 <= V i k by have [[]] := V_ray k.
pose total i := \sum_k V i k; have total_ge0 i : 0 <= total i by apply: sumr_ge0.
pose room (xy : 'I_p.+1 * 'I_p.+1) : R := if xy.1 == xy.2 then 1 else 1 - e xy.1 xy.2.
have room_gt0 xy : 0 < room xy.
  by rewrite /room; case: eqVneq => [_|xy_neq]; rewrite ?ltr01 // subr_gt0 e_lt1.
have [|s s_gt0 s_le] := @positive_bound _ _ (fun xy => room xy / (1 + total xy.1)).
  by move=> xy; apply: divr_gt0 => //; rewrite ltr_paddr ?ltr01.
have small x y : s * total x <= room (x, y).
  have := s_le (x, y); rewrite ler_pdivl_mulr ?ltr_paddr ?ltr01 //=; apply: le_trans.
  by rewrite ler_pmul2l // ler_addr ler01.
have [|t t_ge0 t_def] := V_gen (fun i => 1 - s * total i).
  split=> [x|x y]; first by rewrite subr_ge0; have := small x x; rewrite /room eqxx.
  have [->|xy] := eqVneq x y; first by rewrite e_refl // mul1r.
  have := small x y; rewrite /room /= (negPf xy) => room_le.
  rewrite mulrBr mulr1; apply: (@le_trans _ _ (e x y)); last by rewrite ler_subr_addr -ler_subr_addl.
  by rewrite ler_subl_addr ler_addl mulr_ge0 ?mulr_ge0 // ltW // e_gt0.
exists (fun k => t k + s) => [k|]; first by rewrite ltr_paddl.
split=> [k|i]; first by rewrite addr_ge0 // ltW.
under eq_bigr => k _ do rewrite mulrDl.
by rewrite big_split /= -t_def -mulr_sumr subrK.
Qed.

Variables (m : nat) (M : 'M[R]_(p.+1, m)).
Hypothesis M_optimal : forall (W : finType) (w0 : W) (l : 'I_p.+1 -> W -> R), (forall i r, 0 <= l i r) ->
  universally_optimal e w0 l M.

Lemma optimal_of_type : of_type e M.
Proof. by case: (@M_optimal [finType of unit] tt (fun _ _ => 0)). Qed.

Lemma optimal_derives k (X : 'M[R]_(p.+1, k)) : of_type e X -> derivable M X.
Proof.
case: k X => [|k] X X_type.
  by case: X_type => -[_ /(_ ord0) /eqP]; rewrite big_ord0 eq_sym oner_eq0.
apply/theorem3; [by case: optimal_of_type | by case: X_type | move=> W w0 w l w_dist l_ge0].
by have [_ opt] := M_optimal w0 l_ge0; exact: opt.
Qed.

Lemma one_kernel q (V : 'M[R]_(p.+1, q)) : generators e V ->
  forall c : 'I_q -> R, (forall i, \sum_k c k * V i k = 0) -> forall k, c k = 0.
Proof.
move=> V_gens; have [V_ray _ _ V_distinct] := V_gens; have V_ge0 i k : 0 <= V i k by have [[]] := V_ray k.
have [w w_gt0 w_sol] := all_weights V_gens.
have w_prop : proper (fun k i => V i k) w by move=> k V0; have [_ [i]] := V_ray k; rewrite V0 eqxx.
have [I [weight [u [weight_dist u_basic w_def]]]] := @basic_decomposition _ _ _ _ (fun k i => V_ge0 i k) _ w w_prop w_sol.
have K_ker x : kernel e (weighted V (u x)) by apply: weighted_kernel => //; have [] := u_basic x.
have M_inside x := refined_posteriors optimal_of_type (proj1 (K_ker x)) (optimal_derives (vertex_of_type (proj1 (K_ker x)))).
have K_inside x := property1 (K_ker x) (proj1 optimal_of_type) (M_inside x).
have [x0 _] := distribution_some weight_dist.
suff full k : u x0 k != 0.
  move=> c c_rel; have [[_ ind] _] := u_basic x0; apply: ind => // k u0.
  by have := full k; rewrite u0 eqxx.
have [x ux_neq0] : exists x, u x k != 0.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP u0.
  have := w_gt0 k; rewrite w_def big1 ?ltxx // => x _.
  by have := u0 x; rewrite negbK => /eqP ->; rewrite mulr0.
have [_ [i Vi_neq0] _] := V_ray k.
have [|y [c K_def]] := K_inside x k; first by exists i; rewrite mxE mulf_neq0.
have cM_neq0 : c * M i y != 0 by rewrite -K_def mxE mulf_neq0.
have [|k' [c' M_def]] := M_inside x0 y.
  by exists i; apply: contraNneq cM_neq0 => ->; rewrite mulr0.
have u'_neq0 : u x0 k' != 0.
  by apply: contraNneq cM_neq0 => u0; rewrite M_def mxE u0 mul0r !mulr0.
have -> // : k = k'; apply: (V_distinct _ _ ((u x k)^-1 * (c * (c' * u x0 k')))) => h.
by rewrite -!mulrA; have := M_def h; rewrite mxE => <-; rewrite -K_def mxE mulKf.
Qed.

End None.

Theorem theorem20 (R : realFieldType) (p m : nat) (e : 'I_p -> 'I_p -> R) (M : 'M[R]_(p, m)) :
  metric_level e -> (2 < p)%N ->
  ~ (forall (W : finType) (w0 : W) (l : 'I_p -> W -> R), (forall i r, 0 <= l i r) -> universally_optimal e w0 l M).
Proof.
case: p e M => [//|p] e M e_metric p_gt2 M_optimal; have [q [V V_gens]] := generators_exist e.
by have := independent_few e_metric V_gens (one_kernel e_metric M_optimal V_gens); rewrite leqNgt p_gt2.
Qed.
