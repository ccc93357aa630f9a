(* SPDX-License-Identifier: MIT *)
(* Kernel mechanisms (Fernandes and others, Section 3): they generate all mechanisms of a privacy type.       *)
(*                                                                                                            *)
(*   vertex_mechanism, kernel   Definitions 5 and 6; outputs that never occur are allowed and do not count    *)
(*   property2, property2_converse   vertex mechanisms are the convex sums of kernel mechanisms               *)
(*   characterisation, theorem5      Theorem 5: every mechanism is a refinement of such a sum                 *)
(*                                                                                                            *)
(* [weighted V w] has the columns w_k V_k: the posteriors of V with other weights.  It is stochastic when w   *)
(* solves sum_k w_k V_k = 1, and a kernel mechanism when w is a basic solution.  In a convex sum of mechanisms *)
(* with the same V the outputs with the same posterior are merged.                                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Refinement FiniteCone BasicSolutions Rays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Kernels.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).
Add Field R_field : (field_theory_of R).

(* The mechanisms of the privacy type. *)
Definition of_type m (X : 'M[R]_(p, m)) := stochastic X /\ metric_private e X.

(* Definition 5: a mechanism each of whose columns is zero or a ray, so that its posteriors under the uniform prior are *)
(* vertices of their polytope.                                                                                          *)
Definition vertex_mechanism m (X : 'M[R]_(p, m)) :=
  stochastic X /\ forall j, (exists i, X i j != 0) -> ray e (X^~ j).

(* The columns that are not zero are linearly independent. *)
Definition independent_columns m (X : 'M[R]_(p, m)) :=
  forall c : 'I_m -> R, (forall j, (forall i, X i j = 0) -> c j = 0) ->
    (forall i, \sum_j c j * X i j = 0) -> forall j, c j = 0.

(* Definition 6: a vertex mechanism whose columns (without those of zeros) are linearly independent. *)
Definition kernel m (X : 'M[R]_(p, m)) := vertex_mechanism X /\ independent_columns X.

(* The matrix whose column k is column k of V times w k. *)
Definition weighted q (V : 'M[R]_(p, q)) (w : 'I_q -> R) : 'M[R]_(p, q) := \matrix_(i, k) (w k * V i k).

Local Notation solves V w := (solution (fun k i => V i k) (fun=> 1) w).
Local Notation basic_for V w := (basic (fun k i => V i k) (fun=> 1) w).

Lemma column_dec m (X : 'M[R]_(p, m)) j : (exists i, X i j != 0) \/ (forall i, X i j = 0).
Proof.
case: (boolP [exists i, X i j != 0]) => [/existsP|]; [by left | rewrite negb_exists => /forallP X0; right=> i].
by apply/eqP; rewrite -[_ == _]negbK X0.
Qed.

Lemma vertex_of_type m (X : 'M[R]_(p, m)) : vertex_mechanism X -> of_type X.
Proof.
case=> X_st X_ray; split=> // i j r.
case: (column_dec X r) => [/X_ray[[_ X_priv] _ _]|X0]; first exact: X_priv.
by rewrite !X0 mulr0.
Qed.

Lemma weighted_stochastic q (V : 'M[R]_(p, q)) w : (forall i k, 0 <= V i k) -> solves V w -> stochastic (weighted V w).
Proof.
move=> V_ge0 [w_ge0 w_sol]; split=> [i k|i]; first by rewrite mxE mulr_ge0.
by under eq_bigr => k _ do rewrite mxE; rewrite w_sol.
Qed.

Lemma weighted_vertex q (V : 'M[R]_(p, q)) w : (forall i k, 0 <= V i k) -> (forall k, w k != 0 -> ray e (V^~ k)) ->
  solves V w -> vertex_mechanism (weighted V w).
Proof.
move=> V_ge0 V_ray w_sol; split=> [|k [i]]; first exact: weighted_stochastic.
rewrite mxE mulf_eq0 negb_or => /andP[wk_neq0 _].
apply: (@eq_ray _ _ _ (fun i => w k * V i k)) => [j|]; first by rewrite mxE.
by apply: ray_scale; [rewrite lt_neqAle eq_sym wk_neq0 (proj1 w_sol) | apply: V_ray].
Qed.

Lemma weighted_kernel q (V : 'M[R]_(p, q)) w : (forall i k, 0 <= V i k) -> (forall k, w k != 0 -> ray e (V^~ k)) ->
  basic_for V w -> kernel (weighted V w).
Proof.
move=> V_ge0 V_ray [w_sol w_ind]; split=> [|c c_null c_rel k]; first exact: weighted_vertex.
have cw0 : c k * w k = 0.
  apply: (w_ind (fun k => c k * w k)) => [j w0|i]; first by rewrite w0 mulr0.
  by rewrite -[RHS](c_rel i); apply: eq_bigr => j _; rewrite mxE mulrA.
have [w0|w_neq0] := eqVneq (w k) 0; first by apply: c_null => i; rewrite mxE w0 mul0r.
by move/eqP: cw0; rewrite mulf_eq0 (negPf w_neq0) orbF => /eqP.
Qed.

Lemma weighted_sum (I : finType) (weight : I -> R) q (V : 'M[R]_(p, q)) (u : I -> 'I_q -> R) :
  \sum_x weight x *: weighted V (u x) = weighted V (fun k => \sum_x weight x * u x k).
Proof.
apply/matrixP => i k; rewrite summxE mxE mulr_suml.
by apply: eq_bigr => x _; rewrite !mxE mulrA.
Qed.

(* Property 2.  The convex sum is the mechanism itself: nothing is merged. *)
Theorem property2 m (X : 'M[R]_(p, m)) : vertex_mechanism X ->
  exists (I : finType) (weight : I -> R) (u : I -> 'I_m -> R), [/\ distribution weight,
    forall x, kernel (weighted X (u x)) & X = \sum_x weight x *: weighted X (u x)].
Proof.
case=> -[X_ge0 X_sum1] X_ray; pose w j : R := [exists i, X i j != 0]%:R.
have w_null j : (forall i, X i j = 0) -> w j = 0.
  by move=> X0; rewrite /w; case: existsP => // -[i]; rewrite X0 eqxx.
have wX i j : w j * X i j = X i j.
  by case: (column_dec X j) => [X_j|X0]; [rewrite /w; case: existsP => //; rewrite mul1r | rewrite X0 mulr0].
have w_sol : solves X w.
  by split=> [j|i]; [rewrite ler0n | under eq_bigr => j _ do rewrite wX].
have [I [weight [u [weight_dist u_basic w_def]]]] := @basic_decomposition _ _ _ _ (fun k i => X_ge0 i k) _ w w_null w_sol.
exists I, weight, u; split=> // [x|].
  have [x_basic xw] := u_basic x; apply: weighted_kernel => // j u_neq0; apply: X_ray.
  by case: (column_dec X j) => // /w_null /xw u0; rewrite u0 eqxx in u_neq0.
by rewrite weighted_sum; apply/matrixP => i j; rewrite mxE -w_def wX.
Qed.

Theorem property2_converse (I : finType) (weight : I -> R) q (V : 'M[R]_(p, q)) (u : I -> 'I_q -> R) :
  distribution weight -> (forall i k, 0 <= V i k) -> (forall x k, 0 <= u x k) ->
  (forall x, vertex_mechanism (weighted V (u x))) -> vertex_mechanism (\sum_x weight x *: weighted V (u x)).
Proof.
case=> weight_ge0 weight_sum1 V_ge0 u_ge0 u_vertex; rewrite weighted_sum.
have mixed_ge0 k : 0 <= \sum_x weight x * u x k by apply: sumr_ge0 => x _; rewrite mulr_ge0.
split=> [|k [i]].
  apply: weighted_stochastic => //; split=> // i.
  under eq_bigr => k _ do rewrite mulr_suml; rewrite exchange_big -[RHS]weight_sum1; apply: eq_bigr => x _ /=.
  have [[_ /(_ i) u_sum1] _] := u_vertex x; rewrite -[RHS]mulr1 -u_sum1 mulr_sumr.
  by apply: eq_bigr => k _; rewrite mxE mulrA.
rewrite mxE mulf_eq0 negb_or => /andP[mixed_neq0 V_neq0].
have [x ux_neq0] : exists x, u x k != 0.
  apply/existsP; apply: contraNT mixed_neq0; rewrite negb_exists => /forallP u0.
  by rewrite big1 // => x _; move: (u0 x); rewrite negbK => /eqP ->; rewrite mulr0.
have ux_gt0 : 0 < u x k by rewrite lt_neqAle eq_sym ux_neq0 u_ge0.
have : ray e ((weighted V (u x))^~ k) by apply: (proj2 (u_vertex x)); exists i; rewrite mxE mulf_neq0.
have c_gt0 : 0 < (\sum_x weight x * u x k) / u x k by rewrite divr_gt0 // lt_neqAle eq_sym mixed_neq0 mixed_ge0.
by move/(ray_scale c_gt0); apply: eq_ray => j; rewrite !mxE mulrA divfK.
Qed.

(* Every private column is a combination of vertices, so a mechanism first picks a vertex and then an output. *)
Lemma characterisation_weights m (M : 'M[R]_(p, m)) q (V : 'M[R]_(p, q)) : generators e V -> of_type M ->
  exists2 w, solves V w & derivable (weighted V w) M.
Proof.
case=> V_ray _ V_gen _ [[M_ge0 M_sum1] M_priv].
have V_ge0 i k : 0 <= V i k by have [[]] := V_ray k.
have [t t_def] : exists t : 'I_m -> 'I_q -> R, forall r, (forall k, 0 <= t r k) /\ forall i, M i r = \sum_k t r k * V i k.
  apply: (@fin_all_exists _ (fun=> 'I_q -> R) (fun r t => (forall k, 0 <= t k) /\ forall i, M i r = \sum_k t k * V i k)).
  by move=> r; have [|t t_ge0 t_def] := V_gen (M^~ r); [split=> // i j; exact: M_priv | exists t].
have t_ge0 r k : 0 <= t r k by have [] := t_def r.
pose w k := \sum_r t r k; have w_ge0 k : 0 <= w k by rewrite sumr_ge0.
have some_output (k : 'I_q) : exists r : 'I_m, true.
  have [_ [i _] _] := V_ray k; case: (pickP (fun _ : 'I_m => true)) => [r _|none]; first by exists r.
  by have /eqP := M_sum1 i; rewrite big_pred0 // eq_sym oner_eq0.
have [T T_def] : exists T : 'I_q -> 'I_m -> R, forall k, distribution (T k) /\ forall r, w k * T k r = t r k.
  apply: (@fin_all_exists _ (fun=> 'I_m -> R) (fun k T => distribution T /\ forall r, w k * T r = t r k)) => k.
  have [wk0|wk_neq0] := eqVneq (w k) 0.
    have [r0 _] := some_output k; exists (fun r => (r == r0)%:R); split=> [|r].
      split=> [r|]; first by rewrite ler0n.
      by rewrite -[RHS](sum_pick (fun=> 1) r0); apply: eq_bigr => r _; rewrite mul1r.
    rewrite wk0 mul0r; symmetry.
    exact: (@psumr_eq0P _ _ xpredT (fun r => t r k) (fun r _ => t_ge0 r k) wk0 r isT).
  exists (fun r => t r k / w k); split=> [|r]; last by rewrite mulrC divfK.
  by split=> [r|]; [rewrite divr_ge0 | rewrite -mulr_suml divff].
exists w; first split=> // i.
  rewrite -[RHS](M_sum1 i); under [RHS]eq_bigr => r _ do rewrite (proj2 (t_def r)).
  by rewrite exchange_big; apply: eq_bigr => k _ /=; rewrite mulr_suml.
exists (\matrix_(k, r) T k r).
  by split=> [k r|k]; [rewrite mxE (proj1 (proj1 (T_def k))) |
     under eq_bigr => r _ do rewrite mxE; rewrite (proj2 (proj1 (T_def k)))].
apply/matrixP => i r; rewrite (proj2 (t_def r)) mxE; apply: eq_bigr => k _.
by rewrite !mxE mulrAC (proj2 (T_def k)).
Qed.

Theorem characterisation m (M : 'M[R]_(p, m)) q (V : 'M[R]_(p, q)) : generators e V -> of_type M ->
  exists (I : finType) (weight : I -> R) (u : I -> 'I_q -> R), [/\ distribution weight,
    forall x, basic_for V (u x), forall x, kernel (weighted V (u x))
    & derivable (\sum_x weight x *: weighted V (u x)) M].
Proof.
move=> V_gens M_type; have [w w_sol w_der] := characterisation_weights V_gens M_type.
have [V_ray _ _ _] := V_gens; have V_ge0 i k : 0 <= V i k by have [[]] := V_ray k.
have w_prop : proper (fun k i => V i k) w.
  by move=> k V0; have [_ [i]] := V_ray k; rewrite V0 eqxx.
have [I [weight [u [weight_dist u_basic w_def]]]] := @basic_decomposition _ _ _ _ (fun k i => V_ge0 i k) _ w w_prop w_sol.
exists I, weight, u; split=> // [x|x|]; try by have [] := u_basic x.
  by apply: weighted_kernel => //; have [] := u_basic x.
by case: w_der => T T_st ->; exists T => //; congr (_ *m _); apply/matrixP => i k; rewrite weighted_sum !mxE w_def.
Qed.

(* Theorem 5.  The kernel mechanisms K x have their posteriors among the columns of V. *)
Theorem theorem5 m (M : 'M[R]_(p, m)) : of_type M ->
  exists (I : finType) (weight : I -> R) (q : nat) (V : 'M[R]_(p, q)) (u : I -> 'I_q -> R), [/\ distribution weight,
    forall k, ray e (V^~ k), forall x, kernel (weighted V (u x)) & derivable (\sum_x weight x *: weighted V (u x)) M].
Proof.
move=> M_type; have [q [V V_gens]] := generators_exist e.
have [I [weight [u [weight_dist _ u_kernel M_der]]]] := characterisation V_gens M_type.
by have [V_ray _ _ _] := V_gens; exists I, weight, q, V, u.
Qed.

End Kernels.
