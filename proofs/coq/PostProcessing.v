(* SPDX-License-Identifier: MIT *)
(* Post-processing: what happens to a mechanism when its output is reinterpreted by a stochastic T.           *)
(*                                                                                                            *)
(*   private_post_processing     if Y is private (on any graph) and T >= 0 then Y T is private (2.5, "omitted") *)
(*   stochastic_mul              products of stochastic matrices are stochastic                               *)
(*   derivable_refl, _trans      derivability is a preorder                                                   *)
(*   private_weaken              privacy at a level is privacy at every smaller level                         *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PostProcessing.
Variable R : realFieldType.

Theorem private_post_processing p m k (adjacent : rel 'I_p) (a : R) (Y : 'M[R]_(p, m)) (T : 'M[R]_(m, k)) :
  (forall j r, 0 <= T j r) -> private_on adjacent a Y -> private_on adjacent a (Y *m T).
Proof.
move=> T_ge0 Y_priv i j r ij; rewrite !mxE mulr_sumr; apply: ler_sum => x _.
by rewrite mulrA ler_wpmul2r ?T_ge0 // Y_priv.
Qed.

Corollary private_derivable p m k (adjacent : rel 'I_p) (a : R) (Y : 'M[R]_(p, m)) (X : 'M[R]_(p, k)) :
  derivable Y X -> private_on adjacent a Y -> private_on adjacent a X.
Proof. by case=> T [T_ge0 _] ->; exact: private_post_processing. Qed.

Lemma private_weaken p m (adjacent : rel 'I_p) (a b : R) (X : 'M[R]_(p, m)) :
  a <= b -> (forall i r, 0 <= X i r) -> private_on adjacent b X -> private_on adjacent a X.
Proof.
by move=> ab X_ge0 X_priv i j r ij; apply: le_trans (X_priv i j r ij); rewrite ler_wpmul2r.
Qed.

(* Row sums as a product with the vector of ones. *)
Lemma row_sums1 p m (X : 'M[R]_(p, m)) :
  (forall i, \sum_r X i r = 1) <-> X *m const_mx 1 = const_mx 1 :> 'cV[R]_p.
Proof.
split=> [X1 | X1 i].
  by apply/matrixP=> i o; rewrite !mxE -[RHS](X1 i); apply: eq_bigr => r _; rewrite !mxE mulr1.
have /matrixP/(_ i 0) := X1; rewrite !mxE => <-.
by apply: eq_bigr => r _; rewrite !mxE mulr1.
Qed.

Lemma stochastic_mul p m k (Y : 'M[R]_(p, m)) (T : 'M[R]_(m, k)) :
  stochastic Y -> stochastic T -> stochastic (Y *m T).
Proof.
move=> [Y_ge0 /row_sums1 Y1] [T_ge0 /row_sums1 T1]; split.
  by move=> i r; rewrite mxE; apply: sumr_ge0 => j _; apply: mulr_ge0.
by apply/row_sums1; rewrite -mulmxA T1.
Qed.

Lemma derivable_refl p m (X : 'M[R]_(p, m)) : derivable X X.
Proof.
exists 1%:M; last by rewrite mulmx1.
split=> [i j|]; first by rewrite mxE ler0n.
by apply/row_sums1; rewrite mul1mx.
Qed.

Lemma derivable_trans p m k q (X : 'M[R]_(p, m)) (Y : 'M[R]_(p, k)) (Z : 'M[R]_(p, q)) :
  derivable X Y -> derivable Y Z -> derivable X Z.
Proof.
move=> [S S_st ->] [T T_st ->]; exists (S *m T); last by rewrite mulmxA.
exact: stochastic_mul.
Qed.

Lemma derivable_stochastic p m k (Y : 'M[R]_(p, m)) (X : 'M[R]_(p, k)) :
  derivable Y X -> stochastic Y -> stochastic X.
Proof. by case=> T T_st -> Y_st; exact: stochastic_mul. Qed.

(* Deterministic interactions are stochastic, and their effect on the loss is a sum over outputs. *)
Lemma remap_stochastic m k (f : 'I_m -> 'I_k) : stochastic (remap R f).
Proof.
split=> [j r | j]; first by rewrite mxE ler0n.
rewrite (bigD1 (f j)) //= mxE eqxx big1 ?addr0 // => r /negPf rf.
by rewrite mxE eq_sym rf.
Qed.

Lemma loss_remap p m k (l : 'M[R]_(p, k)) (Y : 'M[R]_(p, m)) (f : 'I_m -> 'I_k) i :
  loss_at l (Y *m remap R f) i = \sum_j Y i j * l i (f j).
Proof.
rewrite /loss_at; under eq_bigr => r _ do rewrite mxE mulr_sumr.
rewrite exchange_big /=; apply: eq_bigr => j _.
rewrite (bigD1 (f j)) //= mxE eqxx mulr1 mulrC big1 ?addr0 // => r /negPf rf.
by rewrite mxE eq_sym rf !mulr0.
Qed.

End PostProcessing.
