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
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Refinement FiniteCone BasicSolutions Rays ExtremeRays.
From ExactDP Require Import Kernels KernelOrder KernelOptimality Hyper HyperOrder UniqueKernel Extremes Leakage.

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
