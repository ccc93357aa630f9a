(* SPDX-License-Identifier: MIT *)
(* Linear programs over mechanisms have attained optima, over any ordered field.                              *)
(*                                                                                                            *)
(* The mechanisms here are the stochastic matrices that satisfy finitely many homogeneous linear inequalities *)
(* (privacy is one kind; "the loss on input i is at most v" is another, since a row sums to 1).               *)
(*   feasible_polytope   they are the mixtures of finitely many of them                                       *)
(*   least_attained      so a linear function has a least value                                               *)
(*   worst_attained      and so has a worst loss over a non-empty set of inputs                               *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Farkas MatrixGame FiniteCone.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Programs.
Variables (R : realFieldType) (p m : nat) (K : finType) (C : K -> 'M[R]_(p, m)).
Add Field R_field : (field_theory_of R).
Implicit Types (X Y A : 'M[R]_(p, m)) (r : 'I_m).

(* Sum of the products entry by entry. *)
Definition inner A X : R := \sum_i \sum_r A i r * X i r.

(* The mechanisms X that satisfy every constraint k, sum_ir (C k)_ir X_ir >= 0. *)
Definition feasible X := stochastic X /\ forall k, 0 <= inner (C k) X.

Lemma inner_mixture A (J : finType) (c : J -> R) (Y : J -> 'M[R]_(p, m)) :
  inner A (\sum_j c j *: Y j) = \sum_j c j * inner A (Y j).
Proof.
rewrite /inner; under [RHS]eq_bigr => j _ do rewrite mulr_sumr.
rewrite [RHS]exchange_big; apply: eq_bigr => i _ /=.
under [RHS]eq_bigr => j _ do rewrite mulr_sumr.
rewrite [RHS]exchange_big; apply: eq_bigr => r _ /=.
rewrite summxE mulr_sumr; apply: eq_bigr => j _.
by rewrite mxE mulrCA.
Qed.

(* Mixtures of feasible mechanisms are feasible. *)
Lemma mixture_feasible (J : finType) (c : J -> R) (Y : J -> 'M[R]_(p, m)) :
  distribution c -> (forall j, feasible (Y j)) -> feasible (\sum_j c j *: Y j).
Proof.
move=> [c_ge0 c_sum1] Y_ok; split; last first.
  by move=> k; rewrite inner_mixture sumr_ge0 // => j _; rewrite mulr_ge0 // (proj2 (Y_ok j)).
split=> [i r|i].
  by rewrite summxE sumr_ge0 // => j _; rewrite mxE mulr_ge0 // (proj1 (proj1 (Y_ok j))).
under eq_bigr => r _ do rewrite summxE.
rewrite exchange_big -[RHS]c_sum1; apply: eq_bigr => j _ /=.
under eq_bigr => r _ do rewrite mxE.
by rewrite -mulr_sumr (proj2 (proj1 (Y_ok j))) mulr1.
Qed.

(* The loss on one input is such a sum. *)
Lemma loss_inner (l : 'M[R]_(p, m)) i X : loss_at l X i = inner (\matrix_(k, r) ((k == i)%:R * l k r)) X.
Proof.
rewrite /inner (bigD1 i) //= [X in _ + X]big1 ?addr0 => [|k /negPf ki].
  by apply: eq_bigr => r _; rewrite mxE eqxx mul1r.
by rewrite big1 // => r _; rewrite mxE ki !mul0r.
Qed.

Section Polytope.
Variables (i0 : 'I_p) (X0 : 'M[R]_(p, m)).
Hypothesis X0_ok : feasible X0.

(* entry is the type of the places (row, column) of a matrix; q is the number of these places. *)
Let entry := ('I_p * 'I_m)%type.
Let q := #|{: entry}|.

(* A matrix as a vector, and back. *)
Let vec A : 'I_q -> R := fun e => A (enum_val e).1 (enum_val e).2.
Let mat (v : 'I_q -> R) : 'M[R]_(p, m) := \matrix_(i, r) v (enum_rank (i, r)).

Lemma dot_vec A v : dot (vec A) v = inner A (mat v).
Proof.
rewrite /dot /inner pair_bigA [RHS](reindex (@enum_val _ {: entry})) /=; last exact: onW_bij (enum_val_bij _).
apply: eq_bigr => e _; rewrite /vec mxE; congr (_ * v _).
by rewrite -surjective_pairing enum_valK.
Qed.

(* Row i has the sum of row i0. *)
Let rows_equal (x : 'I_p + 'I_p) : 'M[R]_(p, m) := \matrix_(i, r)
  match x with inl k => (i == k)%:R - (i == i0)%:R | inr k => (i == i0)%:R - (i == k)%:R end.

(* All constraints as vectors: those of C, and two for each row, which say that its sum is that of row i0. *)
Let constraint (x : K + ('I_p + 'I_p)) : 'I_q -> R :=
  vec (match x with inl k => C k | inr y => rows_equal y end).

(* The sum of row i of X. *)
Let total i X := \sum_r X i r.

Lemma inner_row (k : 'I_p) X : \sum_i \sum_r (i == k)%:R * X i r = total k X.
Proof.
rewrite (bigD1 k) //= eqxx [X in _ + X]big1 ?addr0 => [|i /negPf ->].
  by apply: eq_bigr => r _; rewrite mul1r.
by rewrite big1 // => r _; rewrite mul0r.
Qed.

Lemma inner_rows_equal y X : inner (rows_equal y) X =
  match y with inl k => total k X - total i0 X | inr k => total i0 X - total k X end.
Proof.
case: y => k; rewrite -!inner_row /inner -sumrB; apply: eq_bigr => i _;
  by rewrite -sumrB; apply: eq_bigr => r _; rewrite mxE mulrBl.
Qed.

Theorem feasible_polytope : exists (J : finType) (Y : J -> 'M[R]_(p, m)),
  (forall j, feasible (Y j)) /\ (forall X, feasible X -> exists2 c, distribution c & X = \sum_j c j *: Y j).
Proof.
have [J [g [g_in gen]]] := finitely_generated constraint.
have g_ge0 j i r : 0 <= mat (g j) i r by rewrite mxE; case: (g_in j).
have g_rows j i : total i (mat (g j)) = total i0 (mat (g j)).
  apply/eqP; rewrite eq_le; apply/andP; split; rewrite -subr_ge0.
    by have := proj2 (g_in j) (inr (inr i)); rewrite dot_vec inner_rows_equal.
  by have := proj2 (g_in j) (inr (inl i)); rewrite dot_vec inner_rows_equal.
pose s j := total i0 (mat (g j)).
have s_ge0 j : 0 <= s j by rewrite /s /total sumr_ge0.
have g_zero j : s j = 0 -> mat (g j) = 0.
  move=> s0; apply/matrixP => i r; rewrite [RHS]mxE.
  have rows0 : \sum_r mat (g j) i r = 0 by rewrite -/(total i _) g_rows.
  exact: (@psumr_eq0P _ _ xpredT _ (fun r _ => g_ge0 j i r) rows0).
pose Y j := if s j == 0 then X0 else (s j)^-1 *: mat (g j).
exists J, Y; split=> [j|X [[X_ge0 X_sum1] X_in]].
  rewrite /Y; case: eqP => [//|/eqP s_neq0]; split; first split=> [i r|i].
  - by rewrite mxE mulr_ge0 ?invr_ge0.
  - under eq_bigr => r _ do rewrite mxE.
    by rewrite -mulr_sumr -/(total i _) g_rows mulVf.
  move=> k; have := proj2 (g_in j) (inl k); rewrite dot_vec => inner_ge0.
  have -> : inner (C k) ((s j)^-1 *: mat (g j)) = (s j)^-1 * inner (C k) (mat (g j)).
    rewrite /inner mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr.
    by apply: eq_bigr => r _; rewrite [in LHS]mxE mulrCA.
  by rewrite mulr_ge0 ?invr_ge0.
have matK A : mat (vec A) = A.
  by apply/matrixP => i r; rewrite mxE /vec enum_rankK.
have [|t t_ge0 t_def] := gen (vec X).
  split=> [e|]; first exact: X_ge0.
  case=> [k|y]; rewrite dot_vec matK; first exact: X_in.
  by rewrite inner_rows_equal; case: y => k; rewrite /total !X_sum1 subrr.
have X_def : X = \sum_j t j *: mat (g j).
  apply/matrixP => i r; rewrite -[in LHS](matK X) mxE t_def summxE.
  rewrite (eq_bigl xpredT) => [|j]; last by rewrite inE.
  by apply: eq_bigr => j _; rewrite !mxE.
exists (fun j => t j * s j); first split=> [j|]; first exact: mulr_ge0.
  rewrite -(X_sum1 i0) X_def; under [RHS]eq_bigr => r _ do rewrite summxE.
  rewrite exchange_big; apply: eq_bigr => j _ /=.
  by rewrite mulr_sumr; apply: eq_bigr => r _; rewrite !mxE.
rewrite X_def; apply: eq_bigr => j _; rewrite /Y; case: eqP => [s0|/eqP s_neq0].
  by rewrite g_zero // s0 mulr0 scaler0 scale0r.
by rewrite scalerA mulfK.
Qed.

Lemma vertex_exists (J : finType) (Y : J -> 'M[R]_(p, m)) :
  (forall X, feasible X -> exists2 c, distribution c & X = \sum_j c j *: Y j) -> inhabited J.
Proof.
move=> /(_ X0 X0_ok)[c [_ c_sum1] _]; have [j _|none] := pickP (fun _ : J => true); first by constructor.
by move/eqP: c_sum1; rewrite big_pred0 // eq_sym oner_eq0.
Qed.

(* A linear function has a least value. *)
Theorem least_attained A : exists2 X, feasible X & forall X', feasible X' -> inner A X <= inner A X'.
Proof.
have [J [Y [Y_ok Y_all]]] := feasible_polytope; have [j0] := vertex_exists Y_all.
case: (@arg_minP _ _ J j0 xpredT (fun j => inner A (Y j)) isT) => j _ j_min.
exists (Y j) => // X /Y_all[c [c_ge0 c_sum1] ->]; rewrite inner_mixture -[leLHS]mul1r -c_sum1 mulr_suml.
by apply: ler_sum => k _; rewrite ler_wpmul2l // j_min.
Qed.

(* Among the feasible mechanisms some has the least value of max_(i in S) A_i: it keeps every bound that one   *)
(* of them keeps.                                                                                             *)
Theorem worst_attained (I : finType) (A : I -> 'M[R]_(p, m)) (S : {set I}) :
  exists2 X, feasible X & forall X', feasible X' ->
    forall v, (forall i, i \in S -> inner (A i) X' <= v) -> forall i, i \in S -> inner (A i) X <= v.
Proof.
have [->|[s0 s0_S]] := set_0Vmem S; first by exists X0 => // X' _ v _ i; rewrite inE.
have [J [Y [Y_ok Y_all]]] := feasible_polytope; have [j0] := vertex_exists Y_all.
pose into_S i := if i \in S then i else s0.
have into i : into_S i \in S by rewrite /into_S; case: ifP.
have [c [w [v [c_dist [w_ge0 w_sum1] c_le w_ge]]]] := minimax (fun j i => inner (A (into_S i)) (Y j)) j0 s0.
exists (\sum_j c j *: Y j) => [|X' X'_ok u X'_le i i_S]; first exact: mixture_feasible.
have -> : inner (A i) (\sum_j c j *: Y j) = \sum_j c j * inner (A (into_S i)) (Y j).
  by rewrite inner_mixture /into_S i_S.
apply: le_trans (c_le i) _.
have [d [d_ge0 d_sum1] X'_def] := Y_all X' X'_ok.
rewrite -[u]mul1r -w_sum1 mulr_suml.
apply: (@le_trans _ _ (\sum_k w k * inner (A (into_S k)) X')); last first.
  by apply: ler_sum => k _; rewrite ler_wpmul2l // X'_le.
have -> : \sum_k w k * inner (A (into_S k)) X' = \sum_j d j * \sum_k inner (A (into_S k)) (Y j) * w k.
  under [RHS]eq_bigr => j _ do rewrite mulr_sumr.
  rewrite [RHS]exchange_big; apply: eq_bigr => k _ /=; rewrite X'_def inner_mixture mulr_sumr.
  by apply: eq_bigr => j _; rewrite mulrCA [w k * _]mulrC.
by rewrite -[leLHS]mul1r -d_sum1 mulr_suml; apply: ler_sum => j _; rewrite ler_wpmul2l.
Qed.

End Polytope.
End Programs.
