(* SPDX-License-Identifier: MIT *)
(* Post-processing: what happens to a mechanism when its output is reinterpreted by a stochastic T.           *)
(*                                                                                                            *)
(*   private_post_processing     if Y is private (on any graph) and T >= 0 then Y T is private (2.5, "omitted") *)
(*   stochastic_mul              products of stochastic matrices are stochastic                               *)
(*   private_zero, private_one   what levels 0 and 1 would mean (2.1)                                         *)
(*   row_sums1_mul, _inverse     generalised stochastic matrices form a group (proof of Theorem 2)            *)
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

(* The two ends of the scale (2.1): level 0 asks for nothing, level 1 for identical rows. *)
Theorem private_zero n m (X : 'M[R]_(n.+1, m)) : (forall i r, 0 <= X i r) -> private 0 X.
Proof. by move=> X_ge0 i j r _; rewrite mul0r. Qed.

Theorem private_one n m (X : 'M[R]_(n.+1, m)) : private 1 X -> forall i j r, X i r = X j r.
Proof.
move=> X_priv i j r; suff same k : (k < n.+1)%N -> X (inord k) r = X ord0 r.
  by rewrite -[i]inord_val -[j]inord_val !same.
elim: k => [|k IHk] k_lt; first by congr (X _ r); apply/val_inj; rewrite /= inordK.
rewrite -IHk; last exact: ltnW.
have [] := proj1 (privateP 1 X) X_priv (inord k) (inord k.+1) r; first by rewrite !inordK // ltnW.
by rewrite !mul1r => le1 le2; apply/eqP; rewrite eq_le le1 le2.
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

(* Matrices with row sums 1 ("generalised stochastic") are closed under inverses and products: a group. *)
Theorem row_sums1_mul p m k (Y : 'M[R]_(p, m)) (T : 'M[R]_(m, k)) :
  (forall i, \sum_r Y i r = 1) -> (forall j, \sum_r T j r = 1) -> forall i, \sum_r (Y *m T) i r = 1.
Proof. by move=> /row_sums1 Y1 /row_sums1 T1; apply/row_sums1; rewrite -mulmxA T1. Qed.

Theorem row_sums1_inverse p (A : 'M[R]_p) : A \in unitmx ->
  (forall i, \sum_r A i r = 1) -> forall i, \sum_r (invmx A) i r = 1.
Proof. by move=> A_unit /row_sums1 A1; apply/row_sums1; rewrite -{1}A1 mulKmx. Qed.

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
