(* SPDX-License-Identifier: MIT *)
(* Kernel mechanisms and refinement (Fernandes and others, Sections 2.2 and 3).                               *)
(*                                                                                                            *)
(*   earth_move, earth_move_iff   with independent posteriors, refinements are moves inside their hull        *)
(*   property1   the posteriors of a kernel mechanism never strictly contain those of another mechanism       *)
(*   property3   if a kernel mechanism refines another, each is a refinement of the other: they are the same  *)
(*                                                                                                            *)
(* A column is a multiple of a posterior, so "z has the posterior of y" says that column z is a multiple of   *)
(* column y, and hulls of posteriors are cones of columns.                                                    *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Refinement FiniteCone BasicSolutions Rays Kernels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Order.
Variables (R : realFieldType) (p : nat).

(* The weights of the moves: column z of B is sum_y a z y (column y of A).                                    *)
Lemma moves_sum1 m k (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k)) (a : 'I_k -> 'I_m -> R) :
  stochastic A -> stochastic B -> independent_columns A -> (forall z y, (forall i, A i y = 0) -> a z y = 0) ->
  (forall i z, B i z = \sum_y a z y * A i y) -> forall y, (exists i, A i y != 0) -> \sum_z a z y = 1.
Proof.
move=> [_ A_sum1] [_ B_sum1] A_ind a_null B_def y0 y0_neq0.
pose on y : R := [exists i, A i y != 0]%:R.
have onA i y : on y * A i y = A i y.
  by case: (column_dec A y) => [A_y|A0]; [rewrite /on; case: existsP => //; rewrite mul1r | rewrite A0 mulr0].
have : \sum_z a z y0 - on y0 = 0.
  apply: (A_ind (fun y => \sum_z a z y - on y)) => [y A0|i].
    rewrite big1 => [|z _]; last exact: a_null.
    by rewrite /on; case: existsP => [[i]|_]; rewrite ?A0 ?eqxx // subrr.
  under eq_bigr => y _ do rewrite mulrBl onA mulr_suml.
  by rewrite sumrB exchange_big A_sum1 /=; under eq_bigr => z _ do rewrite -B_def; rewrite B_sum1 subrr.
by move/eqP; rewrite subr_eq0 => /eqP ->; rewrite /on; case: existsP.
Qed.

Lemma moves_derivable m k (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k)) (a : 'I_k -> 'I_m -> R) : (0 < p)%N ->
  stochastic B -> (forall z y, 0 <= a z y) -> (forall i z, B i z = \sum_y a z y * A i y) ->
  (forall y, (exists i, A i y != 0) -> \sum_z a z y = 1) -> derivable A B.
Proof.
move=> p_gt0 [_ B_sum1] a_ge0 B_def a_sum1.
have [z0 _] : exists z : 'I_k, true.
  case: (pickP (fun _ : 'I_k => true)) => [z _|none]; first by exists z.
  by have /eqP := B_sum1 (Ordinal p_gt0); rewrite big_pred0 // eq_sym oner_eq0.
exists (\matrix_(y, z) if [exists i, A i y != 0] then a z y else (z == z0)%:R).
  split=> [y z|y]; first by rewrite mxE; case: ifP => _; rewrite ?ler0n.
  under eq_bigr => z _ do rewrite mxE.
  case: existsP => [A_y|_]; first exact: a_sum1.
  by rewrite -[RHS](sum_pick (fun=> 1) z0); apply: eq_bigr => z _; rewrite mul1r.
apply/matrixP => i z; rewrite B_def mxE; apply: eq_bigr => y _; rewrite mxE.
case: (column_dec A y) => [A_y|A0]; last by rewrite A0 mulr0 mul0r.
by case: existsP => // _; rewrite mulrC.
Qed.

(* Section 2.2: each column of B is in the cone of the columns of A.  Then B refines A.                       *)
Theorem earth_move m k (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k)) : (0 < p)%N ->
  stochastic A -> stochastic B -> independent_columns A ->
  (forall z, exists2 s : 'I_m -> R, (forall y, 0 <= s y) & forall i, B i z = \sum_y s y * A i y) -> derivable A B.
Proof.
move=> p_gt0 A_st B_st A_ind B_hull; pose on y : R := [exists i, A i y != 0]%:R.
have onA i y : on y * A i y = A i y.
  by case: (column_dec A y) => [A_y|A0]; [rewrite /on; case: existsP => //; rewrite mul1r | rewrite A0 mulr0].
have [s s_def] : exists s : 'I_k -> 'I_m -> R, forall z, (forall y, 0 <= s z y) /\ forall i, B i z = \sum_y s z y * A i y.
  apply: (@fin_all_exists _ (fun=> 'I_m -> R) (fun z s => (forall y, 0 <= s y) /\ forall i, B i z = \sum_y s y * A i y)).
  by move=> z; have [s] := B_hull z; exists s.
have B_def i z : B i z = \sum_y s z y * on y * A i y.
  by rewrite (proj2 (s_def z)); apply: eq_bigr => y _; rewrite -mulrA onA.
apply: (@moves_derivable _ _ A B (fun z y => s z y * on y)) => //.
  by move=> z y; rewrite mulr_ge0 ?ler0n // (proj1 (s_def z)).
apply: (moves_sum1 A_st B_st A_ind) => // z y A0.
by rewrite /on; case: existsP => [[i]|_]; rewrite ?A0 ?eqxx // mulr0.
Qed.

Corollary earth_move_iff m k (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k)) : (0 < p)%N ->
  stochastic A -> stochastic B -> independent_columns A ->
  derivable A B <->
  forall z, exists2 s : 'I_m -> R, (forall y, 0 <= s y) & forall i, B i z = \sum_y s y * A i y.
Proof.
move=> p_gt0 A_st B_st A_ind; split=> [[T [T_ge0 _] ->] z|]; last exact: earth_move.
by exists (T^~ z) => // i; rewrite mxE; apply: eq_bigr => y _; rewrite mulrC.
Qed.

Variable e : 'I_p -> 'I_p -> R.

(* The columns of X are multiples of those of K; then X is K with outputs split, and every posterior is used. *)
Lemma posteriors_inside m k (K : 'M[R]_(p, m)) (X : 'M[R]_(p, k)) : kernel e K -> stochastic X ->
  (forall z, (exists i, X i z != 0) -> exists j c, forall i, X i z = c * K i j) ->
  ((0 < p)%N -> derivable K X) /\
  (forall j, (exists i, K i j != 0) -> exists z c, forall i, K i j = c * X i z).
Proof.
move=> [[K_st _] K_ind] X_st inside; have [K_ge0 _] := K_st; have [X_ge0 _] := X_st.
have [a a_def] : exists a : 'I_k -> 'I_m -> R, forall z, [/\ forall j, 0 <= a z j,
    forall j, (forall i, K i j = 0) -> a z j = 0, forall j, a z j != 0 -> forall i, X i z = a z j * K i j
    & forall i, X i z = \sum_j a z j * K i j].
  apply: (@fin_all_exists _ (fun=> 'I_m -> R) (fun z a => [/\ forall j, 0 <= a j,
    forall j, (forall i, K i j = 0) -> a j = 0, forall j, a j != 0 -> forall i, X i z = a j * K i j
    & forall i, X i z = \sum_j a j * K i j])) => z.
  case: (column_dec X z) => [X_z|X0]; last first.
    by exists (fun=> 0); split=> // [j|i]; [rewrite eqxx | rewrite big1 // => j _; rewrite mul0r].
  have [j0 [c X_def]] := inside z X_z; have [i0 Xi0_neq0] := X_z.
  have Xi0_gt0 : 0 < X i0 z by rewrite lt_neqAle eq_sym Xi0_neq0 X_ge0.
  have K_neq0 : K i0 j0 != 0 by apply: contraNneq Xi0_neq0 => K0; rewrite X_def K0 mulr0.
  have c_ge0 : 0 <= c.
    by rewrite -(@pmulr_lge0 _ (K i0 j0)) ?lt_neqAle 1?eq_sym ?K_neq0 ?K_ge0 // -X_def X_ge0.
  exists (fun j => c * (j == j0)%:R); split=> [j|j K0|j|i].
  - by rewrite mulr_ge0 ?ler0n.
  - by case: eqP => [jj0|_]; [rewrite -jj0 K0 eqxx in K_neq0 | rewrite mulr0].
  - by case: (j =P j0) => [-> _ i|_]; [rewrite mulr1 X_def | rewrite mulr0 eqxx].
  - by under eq_bigr => j _ do rewrite mulrAC; rewrite sum_pick.
have a_ge0 z j : 0 <= a z j by have [] := a_def z.
have X_sum i z : X i z = \sum_j a z j * K i j by have [] := a_def z.
have a_sum1 : forall j, (exists i, K i j != 0) -> \sum_z a z j = 1.
  by apply: (moves_sum1 K_st X_st K_ind) => // z j; have [_ + _ _] := a_def z; apply.
split=> [p_gt0|j K_j]; first exact: moves_derivable p_gt0 X_st a_ge0 X_sum a_sum1.
have [z az_neq0] : exists z, a z j != 0.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP a0.
  have /eqP := a_sum1 j K_j; rewrite big1 1?eq_sym ?oner_eq0 // => z _.
  by apply/eqP; rewrite -[_ == _]negbK a0.
exists z, (a z j)^-1 => i; have [_ _ /(_ j az_neq0 i) -> _] := a_def z.
by rewrite mulKf.
Qed.

(* Property 1, for any mechanism X in the place of the second kernel mechanism. *)
Theorem property1 m k (K : 'M[R]_(p, m)) (X : 'M[R]_(p, k)) : kernel e K -> stochastic X ->
  (forall z, (exists i, X i z != 0) -> exists j c, forall i, X i z = c * K i j) ->
  forall j, (exists i, K i j != 0) -> exists z c, forall i, K i j = c * X i z.
Proof. by move=> K_ker X_st inside; have [] := posteriors_inside K_ker X_st inside. Qed.

(* If a vertex mechanism K' refines a mechanism K of the type, then K has no other posteriors than K'.        *)
Lemma refined_posteriors m k (K : 'M[R]_(p, m)) (K' : 'M[R]_(p, k)) : of_type e K -> vertex_mechanism e K' ->
  derivable K K' -> forall j, (exists i, K i j != 0) -> exists z c, forall i, K i j = c * K' i z.
Proof.
move=> [[K_ge0 _] K_priv] [_ K'_ray] [T [T_ge0 T_sum1] K'_def] j [i0 K_neq0].
have [z Tz_neq0] : exists z, T j z != 0.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP T0.
  have /eqP := T_sum1 j; rewrite big1 1?eq_sym ?oner_eq0 // => z _.
  by apply/eqP; rewrite -[_ == _]negbK T0.
pose rest i := \sum_(y | y != j) T y z * K i y.
have K'_split i : K' i z = T j z * K i j + rest i.
  by rewrite K'_def mxE (bigD1 j) //= mulrC; congr (_ + _); apply: eq_bigr => y _; rewrite mulrC.
have K_vec y : private_vector e (K^~ y) by split=> [i|i x]; [exact: K_ge0 | exact: K_priv].
have rest_vec : private_vector e rest by apply: private_sum.
have [|_ _ K'_ext] := K'_ray z.
  exists i0; rewrite K'_split paddr_eq0 ?mulr_ge0 ?(proj1 rest_vec) //.
  by rewrite negb_and mulf_neq0.
have [c c_def] := K'_ext _ _ (private_scale (T_ge0 j z) (K_vec j)) rest_vec K'_split.
by exists z, (c / T j z) => i; rewrite mulrAC -c_def mulrAC divff // mul1r.
Qed.

Theorem property3 m k (K : 'M[R]_(p, m)) (K' : 'M[R]_(p, k)) : (0 < p)%N -> kernel e K -> kernel e K' ->
  derivable K K' -> [/\ derivable K' K,
    forall j, (exists i, K i j != 0) -> exists z c, forall i, K i j = c * K' i z
    & forall z, (exists i, K' i z != 0) -> exists j c, forall i, K' i z = c * K i j].
Proof.
move=> p_gt0 [K_vertex _] K'_ker KK'; have [K'_vertex _] := K'_ker.
have used := refined_posteriors (vertex_of_type K_vertex) K'_vertex KK'.
have [K_der K'_used] := posteriors_inside K'_ker (proj1 K_vertex) used.
by split=> //; exact: K_der.
Qed.

End Order.
