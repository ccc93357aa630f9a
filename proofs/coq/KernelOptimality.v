(* SPDX-License-Identifier: MIT *)
(* What kernel mechanisms are good for (Fernandes and others, Sections 6 and 7).                              *)
(*                                                                                                            *)
(*   trivial_optimal, refinement_optimal, mixture_optimal   Theorem 15 (1), (2), (4)                          *)
(*   corollary16_sets   every mechanism has a kernel mechanism that is optimal for all losses that it is for  *)
(*   corollary16   a loss with a universally optimal mechanism has a universally optimal kernel mechanism     *)
(*   theorem17     if all kernel mechanisms are one, it is optimal for all losses and all priors              *)
(*   optimum_attained, theorem23_max, theorem23_min   for given weights and loss a kernel mechanism is        *)
(*                 optimal; so the largest sum of column maxima, and the least sum of column minima, are      *)
(*                 those of kernel mechanisms                                                                 *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Channels Refinement.
From ExactDP Require Import FiniteCone BasicSolutions Rays Kernels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Optimality.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).
Add Field R_field : (field_theory_of R).

(* Definition 4: for one loss and all priors. *)
Definition universally_optimal (W : finType) (w0 : W) (l : 'I_p -> W -> R) m (M : 'M[R]_(p, m)) :=
  of_type e M /\ forall w, distribution w -> forall k (X : 'M[R]_(p, k)), of_type e X ->
    uncertainty w0 w l M <= uncertainty w0 w l X.

(* M with probability t and otherwise N, and it is seen which. *)
Definition mixture m k (t : R) (M : 'M[R]_(p, m)) (N : 'M[R]_(p, k)) : 'M[R]_(p, m + k) := row_mx (t *: M) ((1 - t) *: N).

Lemma mixture_uncertainty (W : finType) (w0 : W) w (l : 'I_p -> W -> R) m k t (M : 'M[R]_(p, m)) (N : 'M[R]_(p, k)) :
  0 <= t <= 1 -> uncertainty w0 w l (mixture t M N) = t * uncertainty w0 w l M + (1 - t) * uncertainty w0 w l N.
Proof.
move=> /andP[t_ge0 t_le1]; rewrite /uncertainty big_split_ord /= !mulr_sumr; congr (_ + _).
  apply: eq_bigr => j _; rewrite -minimum_scale //; apply: eq_minimum => r; rewrite mulr_sumr.
  by apply: eq_bigr => i _; rewrite row_mxEl mxE; by_ring R.
apply: eq_bigr => j _; rewrite -minimum_scale ?subr_ge0 //; apply: eq_minimum => r; rewrite mulr_sumr.
by apply: eq_bigr => i _; rewrite row_mxEr mxE; by_ring R.
Qed.

Lemma mixture_of_type m k t (M : 'M[R]_(p, m)) (N : 'M[R]_(p, k)) :
  0 <= t <= 1 -> of_type e M -> of_type e N -> of_type e (mixture t M N).
Proof.
move=> /andP[t_ge0 t_le1] [[M_ge0 M_sum1] M_priv] [[N_ge0 N_sum1] N_priv].
have t'_ge0 : 0 <= 1 - t by rewrite subr_ge0.
split; [split=> [i j|i] | move=> i x j].
- by rewrite mxE; case: splitP => y _; rewrite mxE mulr_ge0.
- rewrite big_split_ord /=; under eq_bigr => j _ do rewrite row_mxEl mxE.
  under [X in _ + X]eq_bigr => j _ do rewrite row_mxEr mxE.
  by rewrite -!mulr_sumr M_sum1 N_sum1 !mulr1 addrC subrK.
by rewrite !mxE; case: splitP => y _; rewrite !mxE mulrCA ler_wpmul2l.
Qed.

(* Theorem 15 (1): for a loss that does not depend on the guess every mechanism is optimal. *)
Theorem trivial_optimal (W : finType) (w0 : W) (f : 'I_p -> R) m (M : 'M[R]_(p, m)) :
  of_type e M -> universally_optimal w0 (fun i _ => f i) M.
Proof. by move=> M_type; split=> // w _ k X [X_st _]; rewrite !uncertainty_trivial //; case: M_type. Qed.

(* Theorem 15 (2): what is optimal for M is optimal for each N that M refines. *)
Theorem refinement_optimal (W : finType) (w0 : W) (l : 'I_p -> W -> R) m k (M : 'M[R]_(p, m)) (N : 'M[R]_(p, k)) :
  of_type e N -> derivable N M -> universally_optimal w0 l M -> universally_optimal w0 l N.
Proof.
move=> N_type NM [_ M_opt]; split=> // w w_dist q X X_type.
by apply: le_trans (M_opt w w_dist q X X_type); exact: refinement_loses.
Qed.

(* Theorem 15 (4). *)
Theorem mixture_optimal (W : finType) (w0 : W) (l : 'I_p -> W -> R) m k t (M : 'M[R]_(p, m)) (N : 'M[R]_(p, k)) :
  0 < t < 1 -> of_type e M -> of_type e N ->
  universally_optimal w0 l (mixture t M N) <-> universally_optimal w0 l M /\ universally_optimal w0 l N.
Proof.
move=> /andP[t_gt0 t_lt1] M_type N_type; have t01 : 0 <= t <= 1 by rewrite !ltW.
have t'_gt0 : 0 < 1 - t by rewrite subr_gt0.
split=> [[_ opt]|[[_ M_opt] [_ N_opt]]]; last first.
  split=> [|w w_dist q X X_type]; first exact: mixture_of_type.
  rewrite mixture_uncertainty //.
  have -> : uncertainty w0 w l X = t * uncertainty w0 w l X + (1 - t) * uncertainty w0 w l X.
    by rewrite -mulrDl addrC subrK mul1r.
  by rewrite ler_add // ler_pmul2l ?M_opt ?N_opt.
have same w : distribution w -> uncertainty w0 w l M = uncertainty w0 w l N.
  move=> w_dist; have := opt w w_dist _ M M_type; have := opt w w_dist _ N N_type.
  rewrite mixture_uncertainty // => le_N le_M; apply/eqP; rewrite eq_le; apply/andP; split.
    rewrite -(ler_pmul2l t_gt0) -(ler_add2r ((1 - t) * uncertainty w0 w l N)); apply: le_trans le_N _.
    by rewrite -mulrDl addrC subrK mul1r.
  rewrite -(ler_pmul2l t'_gt0) -(ler_add2l (t * uncertainty w0 w l M)); apply: le_trans le_M _.
  by rewrite -mulrDl addrC subrK mul1r.
have mixed w : distribution w -> uncertainty w0 w l (mixture t M N) = uncertainty w0 w l M.
  by move=> w_dist; rewrite mixture_uncertainty // -(same w w_dist) -mulrDl addrC subrK mul1r.
split; split=> // w w_dist q X X_type; first by rewrite -mixed ?opt.
by rewrite -same // -mixed ?opt.
Qed.

Lemma uncertainty_weighted (W : finType) (w0 : W) w (l : 'I_p -> W -> R) q (V : 'M[R]_(p, q)) u : (forall k, 0 <= u k) ->
  uncertainty w0 w l (weighted V u) = \sum_k u k * minimum w0 (output_loss w l V k).
Proof.
move=> u_ge0; apply: eq_bigr => k _; rewrite -minimum_scale //; apply: eq_minimum => r.
by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mxE; by_ring R.
Qed.

Lemma uncertainty_sum (W : finType) (w0 : W) w (l : 'I_p -> W -> R) (I : finType) (weight : I -> R) q
    (V : 'M[R]_(p, q)) (u : I -> 'I_q -> R) : (forall x, 0 <= weight x) -> (forall x k, 0 <= u x k) ->
  uncertainty w0 w l (\sum_x weight x *: weighted V (u x)) = \sum_x weight x * uncertainty w0 w l (weighted V (u x)).
Proof.
move=> weight_ge0 u_ge0; rewrite weighted_sum uncertainty_weighted => [|k]; last first.
  by apply: sumr_ge0 => x _; rewrite mulr_ge0.
under eq_bigr => k _ do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => x _ /=; rewrite uncertainty_weighted // mulr_sumr.
by apply: eq_bigr => k _; rewrite mulrA.
Qed.

Lemma distribution_some (I : finType) (weight : I -> R) : distribution weight -> exists x, 0 < weight x.
Proof.
case=> weight_ge0 weight_sum1; apply/existsP; apply: contraT; rewrite negb_exists => /forallP weight0.
have /eqP := weight_sum1; rewrite big1 1?eq_sym ?oner_eq0 // => x _.
by apply/eqP; rewrite eq_le weight_ge0 andbT leNgt weight0.
Qed.

(* Corollary 16, for all losses at once: utility sets are largest for kernel mechanisms. *)
Theorem corollary16_sets m (M : 'M[R]_(p, m)) : of_type e M -> exists q (K : 'M[R]_(p, q)), kernel e K /\
  forall (W : finType) (w0 : W) (l : 'I_p -> W -> R), universally_optimal w0 l M -> universally_optimal w0 l K.
Proof.
move=> M_type; have [q [V V_gens]] := generators_exist e.
have [I [weight [u [weight_dist u_basic u_kernel M_der]]]] := characterisation V_gens M_type.
have [x x_gt0] := distribution_some weight_dist; have [weight_ge0 weight_sum1] := weight_dist.
have K_type y : of_type e (weighted V (u y)) by apply: vertex_of_type; have [] := u_kernel y.
exists q, (weighted V (u x)); split; first exact: u_kernel.
move=> W w0 l [_ M_opt]; split=> // w w_dist k X X_type.
apply: le_trans (M_opt w w_dist k X X_type).
pose gap y := uncertainty w0 w l (weighted V (u y)) - uncertainty w0 w l M.
have gap_ge0 y : 0 <= gap y by rewrite subr_ge0 M_opt.
have : \sum_y weight y * gap y <= 0.
  under eq_bigr => y _ do rewrite mulrBr.
  rewrite sumrB -mulr_suml weight_sum1 mul1r -uncertainty_sum // => [|y j]; last by have [[]] := u_basic y.
  by rewrite subr_le0 refinement_loses.
rewrite (bigD1 x) //= -subr_le0 => sum_le0; have : weight x * gap x <= 0.
  move: sum_le0; rewrite subr0; apply: le_trans; rewrite ler_addl; apply: sumr_ge0 => y _.
  by rewrite mulr_ge0.
by rewrite pmulr_rle0 // subr_le0.
Qed.

Corollary corollary16 (W : finType) (w0 : W) (l : 'I_p -> W -> R) m (M : 'M[R]_(p, m)) : universally_optimal w0 l M ->
  exists q (K : 'M[R]_(p, q)), kernel e K /\ universally_optimal w0 l K.
Proof.
move=> opt; have [q [K [K_kernel K_opt]]] := corollary16_sets (proj1 opt).
by exists q, K; split=> //; exact: K_opt.
Qed.

(* Theorem 17: K is the only kernel mechanism, that is all others are refinements of it (and it of them). *)
Theorem theorem17 m (K : 'M[R]_(p, m)) : kernel e K ->
  (forall k (K' : 'M[R]_(p, k)), kernel e K' -> derivable K K') ->
  forall (W : finType) (w0 : W) (l : 'I_p -> W -> R), universally_optimal w0 l K.
Proof.
move=> [K_vertex _] only W w0 l; split=> [|w _ k X X_type]; first exact: vertex_of_type.
have [I [weight [q [V [u [[weight_ge0 weight_sum1] _ u_kernel X_der]]]]]] := theorem5 X_type.
apply: refinement_loses; apply: derivable_trans X_der.
have [T T_def] : exists T : I -> 'M[R]_(m, q), forall x, stochastic (T x) /\ weighted V (u x) = K *m T x.
  apply: (@fin_all_exists _ (fun=> 'M[R]_(m, q)) (fun x T => stochastic T /\ weighted V (u x) = K *m T)).
  by move=> x; have [T] := only q _ (u_kernel x); exists T.
exists (\sum_x weight x *: T x); last first.
  by rewrite mulmx_sumr; apply: eq_bigr => x _; rewrite -scalemxAr -(proj2 (T_def x)).
split=> [j r|j].
  by rewrite summxE sumr_ge0 // => x _; rewrite mxE mulr_ge0 // (proj1 (proj1 (T_def x))).
under eq_bigr => r _ do rewrite summxE; rewrite exchange_big -[RHS]weight_sum1; apply: eq_bigr => x _ /=.
by under eq_bigr => r _ do rewrite mxE; rewrite -mulr_sumr (proj2 (proj1 (T_def x))) mulr1.
Qed.

(* For given weights (of any sign) and loss, some kernel mechanism loses least. *)
Theorem optimum_attained (W : finType) (w0 : W) w (l : 'I_p -> W -> R) : (forall i j, e i j <= 1) ->
  exists q (K : 'M[R]_(p, q)), kernel e K /\ forall m (M : 'M[R]_(p, m)), of_type e M ->
    uncertainty w0 w l K <= uncertainty w0 w l M.
Proof.
move=> e_le1; have [q [V V_gens]] := generators_exist e; have [V_ray _ _ _] := V_gens.
have V_ge0 i k : 0 <= V i k by have [[]] := V_ray k.
have V_prop u : proper (fun k i => V i k) u by move=> k V0; have [_ [i]] := V_ray k; rewrite V0 eqxx.
have one_type : of_type e (const_mx 1 : 'M[R]_(p, 1)).
  by split=> [|i j r]; [split=> [i r|i]; rewrite ?big_ord1 mxE // ler01 | rewrite !mxE mulr1].
have [u0 u0_sol _] := characterisation_weights V_gens one_type.
have [u u_basic u_max] := linear_attained (fun k i => V_ge0 i k) (fun k => - minimum w0 (output_loss w l V k)) V_prop u0_sol.
have u_ge0 k : 0 <= u k by have [[]] := u_basic.
exists q, (weighted V u); split=> [|m M M_type]; first exact: weighted_kernel.
have [v v_sol v_der] := characterisation_weights V_gens M_type; have v_ge0 k : 0 <= v k by have [] := v_sol.
apply: le_trans (refinement_loses _ _ _ v_der); rewrite !uncertainty_weighted // -ler_opp2 -!sumrN.
under eq_bigr => k _ do rewrite -mulrN; under [leRHS]eq_bigr => k _ do rewrite -mulrN.
exact: u_max.
Qed.

(* The least entry of column j of M, min_i M_ij. *)
Definition column_min m (M : 'M[R]_(p.+1, m)) j : R := minimum ord0 (fun i => M i j).

(* The largest entry of column j of M, max_i M_ij. *)
Definition column_max m (M : 'M[R]_(p.+1, m)) j : R := - minimum ord0 (fun i => - M i j).

End Optimality.

Section Capacities.
Variables (R : realFieldType) (p : nat) (e : 'I_p.+1 -> 'I_p.+1 -> R).
Hypothesis e_le1 : forall i j, e i j <= 1.

(* Theorem 23 for the sums that the capacities of a mechanism are (Theorems 13 and 14).                       *)
Theorem theorem23_max : exists q (K : 'M[R]_(p.+1, q)), kernel e K /\ forall m (M : 'M[R]_(p.+1, m)), of_type e M ->
  \sum_j column_max M j <= \sum_k column_max K k.
Proof.
have [q [K [K_ker K_opt]]] := optimum_attained ord0 (fun=> 1) (fun i r => - (r == i)%:R) e_le1.
have sumE m (M : 'M[R]_(p.+1, m)) : uncertainty ord0 (fun=> 1) (fun i r => - (r == i)%:R) M = - \sum_j column_max M j.
  rewrite -sumrN; apply: eq_bigr => j _; rewrite opprK; apply: eq_minimum => r; rewrite /output_loss.
  under eq_bigr => i _ do rewrite mul1r mulrN eq_sym; by rewrite sumrN sum_pick.
by exists q, K; split=> // m M M_type; have := K_opt m M M_type; rewrite !sumE ler_opp2.
Qed.

Theorem theorem23_min : exists q (K : 'M[R]_(p.+1, q)), kernel e K /\ forall m (M : 'M[R]_(p.+1, m)), of_type e M ->
  \sum_k column_min K k <= \sum_j column_min M j.
Proof.
have [q [K [K_ker K_opt]]] := optimum_attained ord0 (fun=> 1) (fun i r => (r == i)%:R) e_le1.
have sumE m (M : 'M[R]_(p.+1, m)) : uncertainty ord0 (fun=> 1) (fun i r => (r == i)%:R) M = \sum_j column_min M j.
  apply: eq_bigr => j _; apply: eq_minimum => r; rewrite /output_loss.
  under eq_bigr => i _ do rewrite mul1r eq_sym; by rewrite sum_pick.
by exists q, K; split=> // m M M_type; have := K_opt m M M_type; rewrite !sumE.
Qed.

End Capacities.
