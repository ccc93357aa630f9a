(* SPDX-License-Identifier: MIT *)
(* Which privacy types have only one kernel mechanism (Fernandes and others, 5.5).                            *)
(*                                                                                                            *)
(*   kernels_same_hyper      a kernel mechanism that refines another is the same                              *)
(*   unique_kernel_iff       for a metric with finite distances: exactly the types of one and two inputs      *)
(*   unconstrained_unique    with no constraint at all (all distances infinite) there is only the identity    *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Refinement FiniteCone BasicSolutions Rays.
From ExactDP Require Import Kernels KernelOrder KernelOptimality DiscreteRays Simplicial NoUniversal Hyper HyperOrder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Unique.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).

(* Up to the names of outputs there is one kernel mechanism: all have the same hyper. *)
Definition unique_kernel := exists m (K : 'M[R]_(p, m)), kernel e K /\
  forall k (K' : 'M[R]_(p, k)), kernel e K' -> same_hyper K K'.

(* Property 3, for hypers. *)
Theorem kernels_same_hyper m k (K : 'M[R]_(p, m)) (K' : 'M[R]_(p, k)) : (0 < p)%N -> kernel e K -> kernel e K' ->
  derivable K K' -> same_hyper K K'.
Proof.
move=> p_gt0 K_ker K'_ker KK'; have [K'K _ _] := property3 p_gt0 K_ker K'_ker KK'.
have [[K_st _] _] := K_ker; have [[K'_st _] _] := K'_ker.
by have [to_same _] := refinement_same_hyper p_gt0 K_st K'_st; apply: to_same.
Qed.

Lemma unique_if_best m (K : 'M[R]_(p, m)) : (0 < p)%N -> kernel e K ->
  (forall k (X : 'M[R]_(p, k)), of_type e X -> derivable K X) -> unique_kernel.
Proof.
move=> p_gt0 K_ker best; exists m, K; split=> // k K' K'_ker; apply: kernels_same_hyper => //.
by apply: best; apply: vertex_of_type; case: K'_ker.
Qed.

Lemma unique_universal : (0 < p)%N -> unique_kernel -> exists m (K : 'M[R]_(p, m)),
  forall (W : finType) (w0 : W) (l : 'I_p -> W -> R), universally_optimal e w0 l K.
Proof.
move=> p_gt0 [m [K [K_ker K_only]]]; exists m, K; apply: theorem17 => // k K' K'_ker.
have [[K_st _] _] := K_ker; have [[K'_st _] _] := K'_ker.
by have [_ /(_ (K_only k K' K'_ker))[]] := refinement_same_hyper p_gt0 K_st K'_st.
Qed.

Lemma eq_private_vector (f : 'I_p -> 'I_p -> R) v : (forall i j, e i j = f i j) -> private_vector e v -> private_vector f v.
Proof. by move=> ef [v_ge0 v_priv]; split=> // i j; rewrite -ef. Qed.

End Unique.

Lemma eq_ray_level (R : realFieldType) p (e f : 'I_p -> 'I_p -> R) v : (forall i j, e i j = f i j) -> ray e v -> ray f v.
Proof.
move=> ef [v_priv v_neq0 v_ext]; split=> // [|x y x_priv y_priv v_def]; first exact: eq_private_vector v_priv.
by apply: (v_ext x y) => //; [apply: eq_private_vector x_priv | apply: eq_private_vector y_priv].
Qed.

Theorem unique_kernel_iff (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R) : (0 < p)%N -> metric_level e ->
  unique_kernel e <-> (p <= 2)%N.
Proof.
move=> p_gt0 e_metric; split=> [/(unique_universal p_gt0)[m [K K_opt]]|p_le2].
  by rewrite leqNgt; apply/negP => p_gt2; apply: (theorem20 (M := K) e_metric p_gt2) => W w0 l _.
have [e_refl e_gt0 e_lt1 e_sym _] := e_metric.
case: p e p_gt0 p_le2 e_metric e_refl e_gt0 e_lt1 e_sym => [//|[|[|//]]] e _ _ e_metric e_refl e_gt0 e_lt1 e_sym.
  have K_st : stochastic (const_mx 1 : 'M[R]_(1, 1)) by split=> [i j|i]; rewrite ?big_ord1 mxE // ler01.
  apply: (@unique_if_best _ _ e _ (const_mx 1 : 'M[R]_(1, 1))) => // [|k X [X_st _]].
    split; [split=> // j _|move=> c _ c_rel j].
      split=> [||x y _ _ _]; last by exists (x ord0) => i; rewrite mxE mulr1 ord1.
        by split=> [i|i k]; rewrite !mxE ?ler01 // !ord1 e_refl mul1r.
      by exists ord0; rewrite mxE oner_eq0.
    by have := c_rel ord0; rewrite big_ord1 mxE mulr1 ord1.
  exists X => //; apply/matrixP => i j; rewrite mxE big_ord1 mxE mul1r.
  by rewrite !ord1.
pose x0 : 'I_2 := ord0; pose x1 : 'I_2 := ord_max; pose a := e x0 x1.
have a_gt0 : 0 < a by exact: e_gt0.
have a_lt1 : a < 1 by apply: e_lt1.
have two (i : 'I_2) : i = x0 \/ i = x1 by case: i => [[|[|//]] i_lt]; [left | right]; apply/val_inj.
have levelE i j : discrete_level a i j = e i j.
  rewrite /discrete_level; case: eqP => [->|]; first by rewrite e_refl.
  by case: (two i) => ->; case: (two j) => -> //= _; rewrite e_sym.
have [[K_st K_ray] K_ind] := response_kernel a_gt0 a_lt1 (isT : (1 < 2)%N).
apply: (@unique_if_best _ _ e _ (random_response 2 a)) => // [|k X [X_st X_priv]].
  by split=> //; split=> // j /K_ray; apply: eq_ray_level.
by apply: two_inputs_derivable => //; split=> // i j r; rewrite levelE X_priv.
Qed.

(* Without constraints between different inputs every mechanism is private, and the identity is best.         *)
Theorem unconstrained_unique (R : realFieldType) (p : nat) : (0 < p)%N ->
  kernel (fun i j => (i == j)%:R) (1%:M : 'M[R]_p) /\ unique_kernel (fun i j : 'I_p => (i == j)%:R : R).
Proof.
move=> p_gt0; pose e (i j : 'I_p) : R := (i == j)%:R.
have e_priv v : (forall i : 'I_p, 0 <= v i) -> private_vector e v.
  by move=> v_ge0; split=> // i j; rewrite /e; case: eqP => [->|_]; rewrite ?mul1r ?mul0r.
have I_st : stochastic (1%:M : 'M[R]_p).
  split=> [i j|i]; first by rewrite mxE ler0n.
  by rewrite -[RHS](sum_pick (fun=> 1) i); apply: eq_bigr => j _; rewrite mxE mul1r eq_sym.
have I_ker : kernel e (1%:M : 'M[R]_p).
  split; [split=> // j _|move=> c _ c_rel j].
    split=> [||x y [x_ge0 _] [y_ge0 _] v_def].
    - by apply: e_priv => i; rewrite mxE ler0n.
    - by exists j; rewrite mxE eqxx oner_eq0.
    exists (x j) => i; rewrite mxE; case: (i =P j) => [->|/eqP ij]; first by rewrite mulr1.
    have := v_def i; rewrite mxE (negPf ij) mulr0 => /eqP.
    by rewrite eq_sym paddr_eq0 // => /andP[/eqP].
  by rewrite -[RHS](c_rel j) -(sum_pick c j); apply: eq_bigr => k _; rewrite mxE eq_sym.
split=> //; apply: (unique_if_best p_gt0 I_ker) => k X [X_st _].
by exists X; rewrite ?mul1mx.
Qed.
