(* SPDX-License-Identifier: MIT *)
(* The largest and the smallest of finitely many numbers.                                                     *)
(*                                                                                                            *)
(*   largest f, smallest f      of the values of f on a finite type (0 if the type is empty)                  *)
(*   le_largest, largest_le     the least upper bound; largest_attained: it is a value                        *)
(*   largest_add, _scale        subadditive and homogeneous                                                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Extremes.
Variable R : realFieldType.

(* The largest value of f on the finite type I (0 if I is empty). *)
Definition largest (I : finType) (f : I -> R) : R :=
  if [pick i : I] is Some i0 then f [arg max_(i > i0) f i]%O else 0.

(* The smallest value of f on the finite type I (0 if I is empty). *)
Definition smallest (I : finType) (f : I -> R) : R := - largest (fun i => - f i).

Lemma largest_attained (I : finType) (i0 : I) (f : I -> R) : exists i, largest f = f i.
Proof. by rewrite /largest; case: pickP => [i _ | /(_ i0)] //; eexists. Qed.

Lemma le_largest (I : finType) (f : I -> R) i : f i <= largest f.
Proof.
rewrite /largest; case: pickP => [i1 _ | /(_ i)] //.
by case: Order.TotalTheory.arg_maxP => // j _; apply.
Qed.

Lemma largest_le (I : finType) (f : I -> R) b : 0 <= b -> (forall i, f i <= b) -> largest f <= b.
Proof. by move=> b_ge0 f_le; rewrite /largest; case: pickP => [i _ | _]. Qed.

Lemma largest_lub (I : finType) (i0 : I) (f : I -> R) b : (forall i, f i <= b) -> largest f <= b.
Proof. by have [i ->] := largest_attained i0 f. Qed.

Lemma largest_empty (I : finType) (f : I -> R) : (I -> False) -> largest f = 0.
Proof. by move=> no; rewrite /largest; case: pickP => // i _; case: (no i). Qed.

Lemma largest_ge0 (I : finType) (f : I -> R) : (forall i, 0 <= f i) -> 0 <= largest f.
Proof. by move=> f_ge0; rewrite /largest; case: pickP. Qed.

Lemma largest_mono (I : finType) (f g : I -> R) : (forall i, f i <= g i) -> largest f <= largest g.
Proof.
move=> fg; rewrite {1}/largest; case: pickP => [i0 _ | none].
  by apply: le_trans (fg _) (le_largest _ _).
by rewrite largest_empty // => i; have := none i.
Qed.

Lemma eq_largest (I : finType) (f g : I -> R) : f =1 g -> largest f = largest g.
Proof. by move=> fg; apply/eqP; rewrite eq_le !largest_mono // => i; rewrite fg. Qed.

(* The value of the largest at a place where it is attained. *)
Lemma largestE (I : finType) (f : I -> R) i : (forall j, f j <= f i) -> largest f = f i.
Proof. by move=> top; apply/eqP; rewrite eq_le le_largest andbT; exact: largest_lub i _ _ top. Qed.

Lemma largest_scale (I : finType) (f : I -> R) c : 0 <= c -> largest (fun i => c * f i) = c * largest f.
Proof.
move=> c_ge0; have [i1 _ | none] := pickP (fun _ : I => true).
  have [i f_i] := largest_attained i1 f.
  by rewrite f_i; apply: (@largestE _ (fun i => c * f i)) => j; rewrite -f_i ler_wpmul2l ?le_largest.
by rewrite !largest_empty ?mulr0 // => i; have := none i.
Qed.

Lemma largest_add (I : finType) (f g : I -> R) : largest (fun i => f i + g i) <= largest f + largest g.
Proof.
have [i1 _ | none] := pickP (fun _ : I => true).
  by apply: (largest_lub i1) => i; rewrite ler_add ?le_largest.
by rewrite !largest_empty ?addr0 // => i; have := none i.
Qed.

Lemma largest_shift (I : finType) (i0 : I) (f : I -> R) c : largest (fun i => c + f i) = c + largest f.
Proof.
have [i f_i] := largest_attained i0 f.
by rewrite f_i; apply: (@largestE _ (fun i => c + f i)) => j; rewrite -f_i ler_add2l le_largest.
Qed.

Lemma smallest_le (I : finType) (f : I -> R) i : smallest f <= f i.
Proof. by rewrite ler_oppl (le_largest (fun i => - f i)). Qed.

Lemma smallest_attained (I : finType) (i0 : I) (f : I -> R) : exists i, smallest f = f i.
Proof. by have [i f_i] := largest_attained i0 (fun i => - f i); exists i; rewrite /smallest f_i opprK. Qed.

Lemma smallest_ge (I : finType) (i0 : I) (f : I -> R) b : (forall i, b <= f i) -> b <= smallest f.
Proof. by have [i ->] := smallest_attained i0 f. Qed.

Lemma smallest_ge0 (I : finType) (f : I -> R) : (forall i, 0 <= f i) -> 0 <= smallest f.
Proof. by move=> f_ge0; rewrite oppr_ge0; apply: largest_le => // i; rewrite oppr_le0. Qed.

Lemma smallestE (I : finType) (f : I -> R) i : (forall j, f i <= f j) -> smallest f = f i.
Proof. by move=> low; apply/eqP; rewrite eq_le smallest_le; exact: smallest_ge i _ _ low. Qed.

End Extremes.
