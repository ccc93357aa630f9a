(* SPDX-License-Identifier: MIT *)
(* Losses: monotone ones have single crossings, and the paper's three examples (2.3) are monotone.            *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Losses.
Variables (R : realFieldType) (p m : nat).

(* The threshold of r < s is the first input above (r + s)/2. *)
Theorem monotone_single_crossing (l : 'M[R]_(p, m)) : monotone_loss l -> single_crossing l.
Proof.
move=> l_mono r s rs; exists ((r + s) %/ 2).+1 => i; split.
  by rewrite ltnS leq_divRL // => i_le; apply: l_mono; rewrite /dist; nat_lia.
by rewrite ltn_divLR // => i_gt; apply: l_mono; rewrite /dist; nat_lia.
Qed.

(* The examples of Section 2.3: absolute_loss is |i - r|, squared_loss is (i - r)^2, and zero_one_loss is 0 for r = i and *)
(* else 1.                                                                                                                *)
Definition absolute_loss : 'M[R]_(p, m) := \matrix_(i, r) (dist i r)%:R.
Definition squared_loss : 'M[R]_(p, m) := \matrix_(i, r) (dist i r)%:R ^+ 2.
Definition zero_one_loss : 'M[R]_(p, m) := \matrix_(i, r) (i != r :> nat)%:R.

Theorem absolute_loss_monotone : monotone_loss absolute_loss.
Proof. by move=> i r s rs; rewrite !mxE ler_nat. Qed.

Theorem squared_loss_monotone : monotone_loss squared_loss.
Proof. by move=> i r s rs; rewrite !mxE -!natrX ler_nat leq_exp2r. Qed.

Theorem zero_one_loss_monotone : monotone_loss zero_one_loss.
Proof.
move=> i r s; rewrite /dist !mxE ler_nat => rs.
case: eqP => [_|/eqP ir]; case: eqP => [i_s|_] //.
by rewrite -i_s in rs; nat_lia.
Qed.

(* Guesses that stand for inputs in increasing order, and a cost that does not fall with the distance.          *)
Theorem remapped_single_crossing (g : 'I_m -> nat) (cost : nat -> R) :
  (forall r s : 'I_m, (r <= s)%N -> (g r <= g s)%N) -> (forall c d, (c <= d)%N -> cost c <= cost d) ->
  single_crossing (\matrix_(i < p, r < m) cost (dist i (g r))).
Proof.
move=> g_mono cost_mono r s rs; have grs := g_mono _ _ (ltnW rs).
exists ((g r + g s) %/ 2).+1 => i; rewrite !mxE; split.
  by rewrite ltnS leq_divRL // => i_le; apply: cost_mono; rewrite /dist; nat_lia.
by rewrite ltn_divLR // => i_gt; apply: cost_mono; rewrite /dist; nat_lia.
Qed.

(* One loses when the guess is right: with the guesses in decreasing order.                                     *)
Theorem dual_loss_single_crossing :
  single_crossing (\matrix_(i < p, r < m) ((i + r).+1 == m)%:R : 'M[R]_(p, m)).
Proof.
move=> r s rs; exists (m - s)%N => i; rewrite !mxE; split=> i_lt; rewrite ler_nat.
  by case: eqP => // ir; have := ltn_ord s; nat_lia.
by case: eqP => // i_s; have := ltn_ord s; nat_lia.
Qed.

End Losses.
