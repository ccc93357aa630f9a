(* SPDX-License-Identifier: MIT *)
(* The Farkas lemma over any ordered field, by induction on the number of inequalities.                       *)
(*                                                                                                            *)
(*   farkas   for a matrix A and a row c, either c = y A with y >= 0,                                         *)
(*            or there is a column x with A x >= 0 and c x < 0.                                               *)
(*                                                                                                            *)
(* Step: let the first row be u, the others A.  If A alone gives y, done.  Otherwise A x >= 0, c x < 0 for an *)
(* x; if u x >= 0, done.  Otherwise t = u x < 0, and the induction hypothesis is used once more, for A and c  *)
(* moved along u into the plane orthogonal to x.                                                              *)
From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Farkas.
Variables (R : realFieldType) (d : nat).

(* c = y A for a row y >= 0: the row c is in the cone of the rows of A. *)
Definition in_cone p (A : 'M[R]_(p, d)) (c : 'rV[R]_d) :=
  exists2 y : 'rV[R]_p, (forall k, 0 <= y 0 k) & c = y *m A.

(* A column x has A x >= 0 and c x < 0. *)
Definition separated p (A : 'M[R]_(p, d)) (c : 'rV[R]_d) :=
  exists2 x : 'cV[R]_d, (forall k, 0 <= (A *m x) k 0) & (c *m x) 0 0 < 0.

Lemma scalar11 (M : 'M[R]_1) : M = (M 0 0)%:M.
Proof. exact: mx11_scalar. Qed.

Lemma farkas_step p (u : 'rV[R]_d) (A : 'M[R]_(p, d)) (c : 'rV[R]_d) :
  (forall (A : 'M[R]_(p, d)) (c : 'rV[R]_d), in_cone A c \/ separated A c) ->
  in_cone (col_mx u A) c \/ separated (col_mx u A) c.
Proof.
move=> IHp; case: (IHp A c) => [[y y_ge0 ->]|[x Ax_ge0 cx_lt0]].
  left; exists (row_mx 0 y); last by rewrite mul_row_col mul0mx add0r.
  by move=> k; rewrite mxE; case: splitP => j _; rewrite ?mxE.
have [ux_ge0|ux_lt0] := leP 0 ((u *m x) 0 0).
  right; exists x => // k; rewrite mul_col_mx mxE; case: splitP => j _ //.
  by rewrite ord1.
pose t := (u *m x) 0 0; have t_neq0 : t != 0 by rewrite lt_eqF.
have uxE : u *m x = t%:M by exact: scalar11.
(* moving a matrix along u so that x becomes orthogonal to it *)
pose move_along q (B : 'M[R]_(q, d)) := B - t^-1 *: (B *m x *m u).
case: (IHp (move_along p A) (move_along 1%N c)) => [[y y_ge0 c_def]|[z Az_ge0 cz_lt0]].
- left; pose s := t^-1 * ((c *m x) 0 0 - (y *m A *m x) 0 0).
  have yAx_ge0 : 0 <= (y *m A *m x) 0 0.
    by rewrite -mulmxA mxE sumr_ge0 // => k _; rewrite mulr_ge0.
  have s_ge0 : 0 <= s.
    by rewrite mulr_le0 ?invr_le0 ?ltW // subr_lt0 (lt_le_trans cx_lt0).
  exists (row_mx s%:M y).
    move=> k; rewrite mxE; case: splitP => j _ //.
    by rewrite ord1 mxE.
  rewrite mul_row_col mul_scalar_mx /s mulrBr scalerBl.
  move/eqP: c_def; rewrite /move_along subr_eq => /eqP {1}->.
  rewrite mulmxBr -scalemxAr mulmxA [y *m (A *m x)]mulmxA [c *m x]scalar11 [y *m A *m x]scalar11.
  by rewrite !mul_scalar_mx !mxE eqxx !mulr1n !scalerA addrAC [RHS]addrC [RHS]addrA.
- right; pose z' := z - t^-1 *: (x *m (u *m z)).
  have moved q (B : 'M[R]_(q, d)) : B *m z' = move_along q B *m z.
    by rewrite /z' /move_along mulmxBr mulmxBl -scalemxAr -scalemxAl !mulmxA.
  exists z'; last by rewrite moved.
  move=> k; rewrite mul_col_mx mxE; case: splitP => j _; last by rewrite moved.
  by rewrite moved /move_along uxE mul_scalar_mx scalerA mulVf // scale1r subrr mul0mx mxE.
Qed.

Theorem farkas p (A : 'M[R]_(p, d)) (c : 'rV[R]_d) : in_cone A c \/ separated A c.
Proof.
elim: p => [|p IHp] in A c *; last first.
  by rewrite -[A](@vsubmxK _ 1 p); apply: farkas_step.
have [c0|c_neq0] := eqVneq c 0; [left | right].
  by exists 0 => [k|]; rewrite ?mxE // mul0mx.
exists (- c^T) => [[]//|]; rewrite mulmxN mxE oppr_lt0 mxE.
have [i ci_neq0] : exists i, c 0 i != 0.
  by apply/existsP; apply: contraNT c_neq0; rewrite negb_exists => /forallP c0;
     apply/eqP/rowP=> i; rewrite mxE; apply/eqP; rewrite -[_ == _]negbK c0.
rewrite (bigD1 i) //= mxE -expr2 ltr_paddr ?exprn_even_gt0 //.
by apply: sumr_ge0 => j _; rewrite mxE -expr2 sqr_ge0.
Qed.

End Farkas.

(* The same for families indexed by finite types, which is how it is used. *)
Corollary farkas_families (R : realFieldType) (K J : finType) (A : K -> J -> R) (c : J -> R) :
  (exists2 y : K -> R, (forall k, 0 <= y k) & forall j, c j = \sum_k y k * A k j) \/
  (exists2 x : J -> R, (forall k, 0 <= \sum_j A k j * x j) & \sum_j c j * x j < 0).
Proof.
pose M : 'M[R]_(#|K|, #|J|) := \matrix_(k, j) A (enum_val k) (enum_val j).
pose b : 'rV[R]_#|J| := \row_j c (enum_val j).
have sum_enum (T : finType) (F : T -> R) : \sum_(k < #|T|) F (enum_val k) = \sum_k F k.
  by rewrite [RHS](reindex _ (onW_bij _ (enum_val_bij T))).
case: (farkas M b) => [[y y_ge0 /rowP b_def]|[x Mx_ge0 bx_lt0]]; [left | right].
- exists (fun k => y 0 (enum_rank k)) => [k|j]; first exact: y_ge0.
  have := b_def (enum_rank j); rewrite !mxE enum_rankK => ->.
  rewrite -[RHS]sum_enum; apply: eq_bigr => k _.
  by rewrite mxE enum_rankK enum_valK.
- exists (fun j => x (enum_rank j) 0) => [k|].
    have := Mx_ge0 (enum_rank k); rewrite mxE -[X in _ -> 0 <= X]sum_enum.
    by congr (_ <= _); apply: eq_bigr => j _; rewrite mxE enum_rankK enum_valK.
  move: bx_lt0; rewrite mxE -[X in _ -> X < 0]sum_enum.
  by congr (_ < _); apply: eq_bigr => j _; rewrite mxE enum_valK.
Qed.
