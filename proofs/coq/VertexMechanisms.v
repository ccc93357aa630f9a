(* SPDX-License-Identifier: MIT *)
(* What surrounds the characterisation of mechanisms (Fernandes and others, Sections 2.2, 2.3, 3.1, 3.2).     *)
(*                                                                                                            *)
(*   refines_vertex_mechanism  every mechanism of a type refines a vertex mechanism,                          *)
(*   vertex_mechanism_minimal  and what a vertex mechanism refines within the type has the same hypers        *)
(*   finitely_many_kernels     a type has finitely many kernel mechanisms, up to the names of outputs         *)
(*   mixture_hyper             the hyper of a convex sum of channels is the convex sum of their hypers        *)
(*   channel_of_hyper          every hyper of a prior without zeros is that of a channel                      *)
(*   silent_least              the channel with one output is a refinement of every channel                   *)
(*   capacities_bounds, silent_capacities   capacities are at least 1 and 0, and so for that channel          *)
(*   many_vertex_mechanisms    convex sums of two different ones are infinitely many                          *)
(*   kernel_outputs            a kernel mechanism has at most as many posteriors as there are inputs          *)
(*   uncertainty_hyper         the expected loss is told by the hyper                                         *)
(*   gains_are_losses          a gain is a loss with the other sign                                           *)
(*   point_is_posterior        every point of the polytope is a posterior of a mechanism of the type          *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Refinement FiniteCone BasicSolutions Rays ExtremeRays.
From ExactDP Require Import Channels Kernels KernelOrder KernelOptimality Simplicial Hyper HyperOrder UniqueKernel Extremes Leakage.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Vertex.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).
Add Field R_field : (field_theory_of R).

Theorem refines_vertex_mechanism m (M : 'M[R]_(p, m)) : of_type e M ->
  exists q (V : 'M[R]_(p, q)), vertex_mechanism e V /\ derivable V M.
Proof.
move=> M_type; have [q [V V_gens]] := generators_exist e; have [w w_sol w_der] := characterisation_weights V_gens M_type.
have [V_ray _ _ _] := V_gens; have V_ge0 i k : 0 <= V i k by have [[]] := V_ray k.
by exists q, (weighted V w); split=> //; apply: weighted_vertex.
Qed.

(* If M is private and V = M T for a vertex mechanism V, output y of M goes to outputs of V with its posterior. *)
Lemma same_direction m q (M : 'M[R]_(p, m)) (V : 'M[R]_(p, q)) (T : 'M[R]_(m, q)) : of_type e M -> vertex_mechanism e V ->
  stochastic T -> V = M *m T -> forall y z, T y z != 0 -> exists c, forall i, M i y = c * V i z.
Proof.
move=> [[M_ge0 _] M_priv] [[V_ge0 _] V_ray] [T_ge0 _] V_def y z T_neq0.
have V_split i : V i z = T y z * M i y + \sum_(x | x != y) T x z * M i x.
  by rewrite V_def mxE (bigD1 y) //= mulrC; congr (_ + _); apply: eq_bigr => x _; rewrite mulrC.
case: (column_dec M y) => [[i0 M_neq0]|M0]; last by exists 0 => i; rewrite mul0r M0.
have rest_vec : private_vector e (fun i => \sum_(x | x != y) T x z * M i x).
  by apply: (@private_sum _ _ _ _ (T^~ z) (fun x => M^~ x)).
have M_vec : private_vector e (M^~ y) by split=> [i|i j]; [exact: M_ge0 | exact: M_priv].
have [|_ _ V_ext] := V_ray z.
  by exists i0; rewrite V_split paddr_eq0 ?mulr_ge0 ?(proj1 rest_vec) // negb_and mulf_neq0.
have [c c_def] := V_ext _ _ (private_scale (T_ge0 y z) M_vec) rest_vec V_split.
by exists (c / T y z) => i; rewrite mulrAC -c_def mulrC mulKf.
Qed.

(* "They have no anti-refinements which satisfy the privacy constraints": none but themselves. *)
Theorem vertex_mechanism_minimal m q (M : 'M[R]_(p, m)) (V : 'M[R]_(p, q)) : (0 < p)%N ->
  of_type e M -> vertex_mechanism e V -> derivable M V -> same_hyper M V.
Proof.
move=> p_gt0 M_type V_vertex [T T_st V_def]; have [[M_ge0 M_sum1] _] := M_type; have [[V_ge0 V_sum1] _] := V_vertex.
have dir := same_direction M_type V_vertex T_st V_def; have [T_ge0 T_sum1] := T_st.
have MV : derivable M V by exists T.
suff VM : derivable V M by apply/(refinement_same_hyper p_gt0) => //; case: M_type.
have [z0 _] : exists z : 'I_m, true.
  case: (pickP (fun _ : 'I_m => true)) => [z _|none]; first by exists z.
  by have /eqP := M_sum1 (Ordinal p_gt0); rewrite big_pred0 // eq_sym oner_eq0.
(* Output z of V goes back to y in proportion to what y gave it. *)
pose S z := column_sum V z; pose back z y : R := if S z == 0 then (y == z0)%:R else T y z * column_sum M y / S z.
have S_ge0 z : 0 <= S z by apply: sumr_ge0.
have S_def z : S z = \sum_y T y z * column_sum M y.
  rewrite /S /column_sum (eq_bigr (fun i => \sum_y T y z * M i y)) => [|i _]; last first.
    by rewrite V_def mxE; apply: eq_bigr => y _; rewrite mulrC.
  by rewrite exchange_big; apply: eq_bigr => y _ /=; rewrite mulr_sumr.
have M_col_ge0 y : 0 <= column_sum M y by apply: sumr_ge0.
have S0 z : S z = 0 -> forall i, V i z = 0.
  by move=> Sz i; exact: (psumr_eq0P (fun i _ => V_ge0 i z) Sz).
exists (\matrix_(z, y) back z y).
  split=> [z y|z]; [rewrite mxE /back | under eq_bigr => y _ do rewrite mxE /back]; case: eqVneq => Sz.
  - exact: ler0n.
  - by rewrite divr_ge0 ?mulr_ge0.
  - by rewrite -[RHS](sum_pick (fun=> 1) z0); apply: eq_bigr => y _; rewrite mul1r.
  by rewrite -mulr_suml -S_def divff.
apply/matrixP => i y; rewrite mxE -[LHS]mulr1 -(T_sum1 y) mulr_sumr; apply: eq_bigr => z _; rewrite mxE /back.
case: eqVneq => [Sz|Sz].
  rewrite S0 // mul0r; have [->|T_neq0] := eqVneq (T y z) 0; first by rewrite mulr0.
  by have [c ->] := dir y z T_neq0; rewrite S0 // mulr0 mul0r.
have [->|T_neq0] := eqVneq (T y z) 0; first by rewrite !mul0r !mulr0.
have [c M_def] := dir y z T_neq0.
have -> : column_sum M y = c * S z by rewrite /S /column_sum mulr_sumr; apply: eq_bigr => k _; rewrite M_def.
by rewrite M_def [T y z * (c * S z)]mulrA mulfK //; by_ring R.
Qed.

(* Among more kernel mechanisms than there are sets of vertices two have the same hypers. *)
Theorem finitely_many_kernels : (0 < p)%N -> exists N : nat, forall (m : 'I_N.+1 -> nat) (K : forall x, 'M[R]_(p, m x)),
  (forall x, kernel e (K x)) -> exists x y, x != y /\ same_hyper (K x) (K y).
Proof.
move=> p_gt0; have [q [V V_gens]] := generators_exist e; have [V_ray V_sum V_gen V_distinct] := V_gens.
exists #|{set 'I_q}| => m K K_ker.
pose S x := [set k | [exists j, (column_sum (K x) j != 0) && [forall i, K x i j == column_sum (K x) j * V i k]]].
have [injS|] := boolP (injectiveb S).
  by have := leq_card S (injectiveP _ injS); rewrite card_ord ltnn.
move/injectivePn => [x [y xy Sxy]]; exists x, y; split=> //.
apply: (kernels_same_hyper p_gt0 (K_ker x) (K_ker y)).
suff inside z : (exists i, K y i z != 0) -> exists j c, forall i, K y i z = c * K x i j.
  have [+ _] := posteriors_inside (K_ker x) (proj1 (proj1 (K_ker y))) inside; exact.
move=> K_z; have [[[K_ge0 _] K_ray] _] := K_ker y; have [k [c K_def]] := ray_generator V_gens (K_ray z K_z).
have c_sum : column_sum (K y) z = c.
  by rewrite /column_sum (eq_bigr _ (fun i _ => K_def i)) -mulr_sumr V_sum mulr1.
have : k \in S y.
  rewrite inE; apply/existsP; exists z; rewrite c_sum; apply/andP; split; last by apply/forallP => i; rewrite K_def.
  by case: K_z => i; apply: contraNneq => c0; rewrite K_def c0 mul0r.
rewrite -Sxy inE => /existsP[j /andP[s_neq0 /forallP K_j]]; exists j, (c / column_sum (K x) j) => i.
by rewrite K_def (eqP (K_j i)) mulrA divfK.
Qed.

End Vertex.

Section Hypers.
Variables (R : realFieldType) (p : nat) (pi : 'I_p -> R).

Theorem mixture_hyper m k t (M : 'M[R]_(p, m)) (N : 'M[R]_(p, k)) d : 0 < t < 1 ->
  hyper pi (mixture t M N) d = t * hyper pi M d + (1 - t) * hyper pi N d.
Proof.
case/andP=> t_gt0 t_lt1; have t_neq0 : t != 0 by rewrite gt_eqF.
have t'_neq0 : 1 - t != 0 by rewrite subr_eq0 gt_eqF.
have probE n l (A : 'M[R]_(p, n)) (B : 'M[R]_(p, l)) (c : R) x y : (forall i, A i x = c * B i y) ->
    output_probability pi A x = c * output_probability pi B y.
  by move=> AB; rewrite mulr_sumr; apply: eq_bigr => i _; rewrite AB mulrCA.
have left j i : mixture t M N i (lshift k j) = t * M i j by rewrite row_mxEl mxE.
have right j i : mixture t M N i (rshift m j) = (1 - t) * N i j by rewrite row_mxEr mxE.
rewrite {1}/hyper big_mkcond big_split_ord /= -big_mkcond -[X in _ + X]big_mkcond /= !mulr_sumr; congr (_ + _).
  apply: eq_big => [j|j _]; last exact: probE.
  by apply: eq_forallb => i; rewrite left (probE _ _ _ M t _ j) // mulrCA -mulrA (inj_eq (mulfI t_neq0)).
apply: eq_big => [j|j _]; last exact: probE.
by apply: eq_forallb => i; rewrite right (probE _ _ _ N (1 - t) _ j) // mulrCA -mulrA (inj_eq (mulfI t'_neq0)).
Qed.

(* The channel with the joint distribution that D lists: output k has the k-th inner. *)
Definition channel_for (D : hyper_distribution R p) : 'M[R]_(p, size (inners D)) :=
  \matrix_(i, k) (outer D (nth [ffun=> 0] (inners D) k) * nth [ffun=> 0] (inners D) k i / pi i).

Theorem channel_of_hyper (D : hyper_distribution R p) : distribution pi -> (forall i, 0 < pi i) -> is_hyper pi D ->
  stochastic (channel_for D) /\ same_distribution (hyper_of pi (channel_for D)) D.
Proof.
move=> pi_dist pi_gt0 [D_uniq D_dist D_gt0 D_pi]; pose d k := nth [ffun=> 0 : R] (inners D) k.
have d_in (k : 'I_(size (inners D))) : d k \in inners D by rewrite mem_nth.
have C_st : stochastic (channel_for D).
  split=> [i k|i].
    by rewrite mxE divr_ge0 ?(ltW (pi_gt0 i)) // mulr_ge0 ?(ltW (D_gt0 _ (d_in k))) // (proj1 (D_dist _ (d_in k))).
  under eq_bigr => k _ do rewrite mxE.
  rewrite -mulr_suml -(big_mkord xpredT (fun k => outer D (d k) * d k i)) -(big_nth _ xpredT (fun e => outer D e * e i)).
  by rewrite D_pi divff // gt_eqF.
have joint i k : pi i * channel_for D i k = outer D (d k) * d k i.
  by rewrite mxE mulrC divfK // gt_eqF.
have prob k : output_probability pi (channel_for D) k = outer D (d k).
  rewrite /output_probability (eq_bigr _ (fun i _ => joint i k)) -mulr_sumr.
  by rewrite (proj2 (D_dist _ (d_in k))) mulr1.
have prob_neq0 k : output_probability pi (channel_for D) k != 0 by rewrite prob gt_eqF // D_gt0 // d_in.
have post k : posterior_point pi (channel_for D) k = d k.
  by apply/ffunP => i; rewrite ffunE joint prob mulrAC divff ?mul1r // -prob.
split=> //; split.
- move=> e; apply/idP/idP => [/of_inner[k _ ->]|e_D]; first by rewrite post d_in.
  have k_lt : (index e (inners D) < size (inners D))%N by rewrite index_mem.
  have <- : d (Ordinal k_lt) = e by rewrite /d nth_index.
  by rewrite -post in_inners.
move=> e /of_inner[k _ ->]; rewrite post /= (outerE pi_dist C_st) (big_pred1 k) ?prob // => l.
rewrite prob_neq0 post /=; apply/eqP/eqP => [/eqP|-> //].
by rewrite nth_uniq // => /eqP/val_inj.
Qed.

Theorem silent_least m (M : 'M[R]_(p, m)) : stochastic M -> derivable M (const_mx 1 : 'M[R]_(p, 1)).
Proof.
move=> [M_ge0 M_sum1]; exists (const_mx 1); first by split=> [i j|i]; rewrite ?big_ord1 mxE // ler01.
apply/matrixP => i j; rewrite !mxE -[LHS](M_sum1 i); apply: eq_bigr => k _.
by rewrite mxE mulr1.
Qed.

End Hypers.

Section Capacities.
Variables (R : realFieldType) (X Y : finType) (x0 : X).

Theorem capacities_bounds (C : X -> Y -> R) : channel C -> 1 <= multiplicative_capacity C /\ 0 <= additive_capacity C.
Proof.
move=> [C_ge0 C_sum1]; rewrite /additive_capacity subr_ge0 -(C_sum1 x0).
by split; apply: ler_sum => y _; [exact: (le_largest (fun x => C x y)) | exact: (smallest_le (fun x => C x y))].
Qed.

Theorem silent_capacities :
  multiplicative_capacity (fun (_ : X) (_ : unit) => 1 : R) = 1 /\ additive_capacity (fun (_ : X) (_ : unit) => 1 : R) = 0.
Proof.
rewrite /multiplicative_capacity /additive_capacity !sum_unit.
by split; [rewrite (largestE (i := x0)) | rewrite (smallestE (i := x0)) ?subrr].
Qed.

End Capacities.

Section Outputs.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).
Add Field R_field : (field_theory_of R).

(* Section 3.2: two vertex mechanisms with different hypers have infinitely many convex sums. *)
Theorem many_vertex_mechanisms m k (K : 'M[R]_(p, m)) (K' : 'M[R]_(p, k)) :
  vertex_mechanism e K -> vertex_mechanism e K' -> ~ same_hyper K K' ->
  (forall t, 0 < t < 1 -> vertex_mechanism e (mixture t K K')) /\
  (forall s t, 0 < s < 1 -> 0 < t < 1 -> same_hyper (mixture s K K') (mixture t K K') -> s = t).
Proof.
move=> K_v K'_v differ; split=> [t t01|s t s01 t01 same].
  have [t_gt0 t_lt1] := andP t01; have t'_gt0 : 0 < 1 - t by rewrite subr_gt0.
  have [st _] : of_type e (mixture t K K').
    by apply: mixture_of_type; rewrite ?ltW //; exact: vertex_of_type.
  split=> // j; case: (split_ordP j) => x -> [i ix].
    apply: (@eq_ray _ _ _ (fun l => t * K l x)) => [l|]; first by rewrite row_mxEl mxE.
    by apply: ray_scale => //; apply: (proj2 K_v); exists i; move: ix; rewrite row_mxEl mxE; apply: contraNneq => ->; rewrite mulr0.
  apply: (@eq_ray _ _ _ (fun l => (1 - t) * K' l x)) => [l|]; first by rewrite row_mxEr mxE.
  by apply: ray_scale => //; apply: (proj2 K'_v); exists i; move: ix; rewrite row_mxEr mxE; apply: contraNneq => ->; rewrite mulr0.
have [//|st] := eqVneq s t; case: differ => pi pi_dist d; have := same pi pi_dist d; rewrite !mixture_hyper //.
move: (hyper pi K d) (hyper pi K' d) => h h' eq; apply/eqP; rewrite -subr_eq0.
have : (s - t) * (h - h') = 0.
  have -> : (s - t) * (h - h') = (s * h + (1 - s) * h') - (t * h + (1 - t) * h') by by_ring R.
  by rewrite eq subrr.
by move/eqP; rewrite mulf_eq0 (subr_eq0 s) (negPf st).
Qed.

(* Section 8: a kernel mechanism has at most as many posteriors as there are inputs. *)
Theorem kernel_outputs m (K : 'M[R]_(p, m)) : kernel e K -> (#|[set j | [exists i, K i j != 0%R]]| <= p)%N.
Proof.
case=> _ K_ind; set J := [set j | _]; pose A : 'M[R]_(#|J|, p) := \matrix_(x, i) K i (enum_val x).
suff: row_free A by move/eqP => <-; exact: rank_leq_col.
rewrite -kermx_eq0; apply/rowV0P => v /sub_kermxP vA; pose c j := \sum_(x : 'I_#|J| | enum_val x == j) v 0 x.
have c_val (x : 'I_#|J|) : c (enum_val x) = v 0 x by rewrite /c (big_pred1 x) // => y; rewrite (inj_eq enum_val_inj).
have c0 : forall j, c j = 0.
  apply: K_ind => [j Kj|i].
    rewrite /c big_pred0 // => x; apply/negP => /eqP xj; have := enum_valP x.
    by rewrite xj inE => /existsP[i]; rewrite Kj eqxx.
  transitivity (\sum_x v 0 x * K i (enum_val x)); last first.
    by have /matrixP/(_ 0 i) := vA; rewrite !mxE => vA_i; rewrite -[RHS]vA_i; apply: eq_bigr => x _; rewrite mxE.
  under eq_bigr => j _ do rewrite mulr_suml.
  rewrite (exchange_big_dep xpredT) //=; apply: eq_bigr => x _.
  by rewrite (big_pred1 (enum_val x)) // => j; rewrite eq_sym.
by apply/rowP => x; rewrite mxE -c_val c0.
Qed.

(* Equations (3) and (5): the expected loss is told by the hyper. *)
Theorem uncertainty_hyper (W : finType) (w0 : W) (l : 'I_p -> W -> R) (pi : 'I_p -> R) m (C : 'M[R]_(p, m)) :
  distribution pi -> stochastic C ->
  uncertainty w0 pi l C = \sum_(d <- inners (hyper_of pi C)) outer (hyper_of pi C) d * minimum w0 (fun r => \sum_i d i * l i r).
Proof.
move=> pi_dist C_st; rewrite /= (sum_outer pi_dist C_st (fun d => minimum w0 (fun r => \sum_i d i * l i r))).
rewrite /uncertainty (bigID (fun j => output_probability pi C j != 0)) /= [X in _ + X]big1 ?addr0 => [|j]; last first.
  rewrite negbK => /eqP P0; have [r ->] := minimum_attained w0 (output_loss pi l C j).
  by rewrite /output_loss big1 // => i _; rewrite mulrA (joint_posterior pi_dist C_st) P0 !mul0r.
apply: eq_bigr => j _; rewrite -minimum_scale ?(probability_ge0 pi_dist C_st) //; apply: eq_minimum => r.
by rewrite /output_loss mulr_sumr; apply: eq_bigr => i _; rewrite !mulrA (joint_posterior pi_dist C_st).
Qed.

End Outputs.

(* Figure 3: every point of the polytope is a posterior of a mechanism of the type, of one with two outputs.  *)
Theorem point_is_posterior (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R) (d : 'I_p -> R) :
  metric_level e -> in_polytope e d -> exists M : 'M[R]_(p, 2), [/\ of_type e M, occurs M ord0 & posterior_of M ord0 =1 d].
Proof.
move=> [e_refl e_gt0 e_lt1 _ _] [[d_ge0 d_sum1] d_priv].
pose c : R := \prod_(x : 'I_p * 'I_p | x.1 != x.2) (1 - e x.1 x.2).
have factor (x : 'I_p * 'I_p) : x.1 != x.2 -> 0 < 1 - e x.1 x.2 <= 1.
  by move=> xx; rewrite subr_gt0 e_lt1 //= ler_subl_addr ler_addl ltW.
have c_gt0 : 0 < c by apply: prodr_gt0 => x /factor /andP[].
have below (P : pred ('I_p * 'I_p)) : (forall x, P x -> x.1 != x.2) -> \prod_(x | P x) (1 - e x.1 x.2) <= 1.
  move=> P_ne; have := @ler_prod R _ (index_enum _) P (fun x => 1 - e x.1 x.2) (fun=> 1); rewrite big1_eq; apply=> x.
  by move/P_ne/factor/andP=> [/ltW -> ->].
have c_le1 : c <= 1 by rewrite /c below.
have c_le i j : i != j -> c <= 1 - e i j.
  move=> ij; rewrite /c (bigD1 (i, j)) //= -[leRHS]mulr1 ler_wpmul2l ?below // => [|x /andP[]//].
  by have /andP[/ltW] := factor (i, j) ij.
have d_le1 i : d i <= 1 by rewrite -d_sum1 (bigD1 i) //= ler_addl sumr_ge0.
have cd_le i : c * d i <= c by rewrite -[leRHS]mulr1 ler_wpmul2l // ltW.
pose M : 'M[R]_(p, 2) := \matrix_(i, r) if r == ord0 then c * d i else 1 - c * d i.
have M0 i : M i ord0 = c * d i by rewrite mxE.
have sum_c : column_sum M ord0 = c.
  by rewrite /column_sum (eq_bigr _ (fun i _ => M0 i)) -mulr_sumr d_sum1 mulr1.
exists M; split.
- split; [split=> [i r|i] | move=> i j r].
  + rewrite mxE; case: ifP => _; first by rewrite mulr_ge0 // ltW.
    by rewrite subr_ge0 (le_trans (cd_le i)).
  + by rewrite !big_ord_recl big_ord0 !mxE /= addr0 addrCA subrr addr0.
  rewrite !mxE; case: ifP => _; first by rewrite mulrCA ler_wpmul2l // ltW.
  have [->|ij] := eqVneq i j; first by rewrite e_refl mul1r.
  apply: (@le_trans _ _ (e i j)); last first.
    by rewrite ler_subr_addl -ler_subr_addr (le_trans (cd_le i)) ?c_le.
  by rewrite -[leRHS]mulr1 ler_wpmul2l ?(ltW (e_gt0 i j)) // ler_subl_addr ler_addl mulr_ge0 // ltW.
- case: (boolP [exists i, d i != 0]) => [/existsP[i di]|none]; first by exists i; rewrite M0 mulf_neq0 // lt0r_neq0.
  have : \sum_i d i = 0 by apply: big1 => i _; apply/eqP; move: none; rewrite negb_exists => /forallP/(_ i); rewrite negbK.
  by move/eqP; rewrite d_sum1 oner_eq0.
by move=> i; rewrite /posterior_of sum_c M0 mulKf // lt0r_neq0.
Qed.

(* Section 2.1: a gain is a loss with the other sign, before a channel and after it. *)
Theorem gains_are_losses (R : realFieldType) (p : nat) (W : finType) (w0 : W) (g : W -> 'I_p -> R) (q : 'I_p -> R) m (C : 'M[R]_(p, m)) :
  vulnerability g q = - minimum w0 (fun w => \sum_i q i * - g w i) /\
  posterior_vulnerability g q C = - uncertainty w0 q (fun i w => - g w i) C.
Proof.
have opposite (f h : W -> R) : (forall w, h w = - f w) -> largest f = - minimum w0 h.
  move=> hf; apply/eqP; rewrite eq_le; apply/andP; split.
    by apply: (largest_lub w0) => w; rewrite ler_oppr -hf minimum_le.
  by have [w ->] := minimum_attained w0 h; rewrite hf opprK le_largest.
split; first by apply: opposite => w; rewrite -sumrN; apply: eq_bigr => i _; rewrite mulrN.
rewrite /uncertainty -sumrN; apply: eq_bigr => j _; apply: opposite => w.
by rewrite -sumrN; apply: eq_bigr => i _; rewrite !mulrN mulrA.
Qed.
