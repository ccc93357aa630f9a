(* SPDX-License-Identifier: MIT *)
(* Privacy types: all mechanisms that are private for one metric, and what it means to attain their capacity. *)
(*                                                                                                            *)
(*   similarity Phi           Phi(x,x') = e^(-d(x,x')) for a metric d: positive, symmetric, 1 on the diagonal, *)
(*                            Phi(x,y) Phi(y,u) <= Phi(x,u).  So metrics with any real distances are covered. *)
(*   level a d                a^d(x,x') for distances that are natural numbers; level_similarity              *)
(*   mechanism Phi M          M is a channel and M(x,y) >= Phi(x,x') M(x',y)      (Definition 1 of the paper) *)
(*   attains_multiplicative   M belongs to the type, has the capacity v, and no mechanism of the type,        *)
(*   attains_additive         with whatever outputs, has more                                (Definition 11)  *)
(*   line_mechanism           on 0, ..., n with |i - j| this is the privacy of counting queries               *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Refinement Extremes Leakage.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Distances that are natural numbers: 0 from x to itself, symmetric, with the triangle inequality.  Different inputs may *)
(* have the distance 0 (a pseudometric).                                                                                  *)
Definition metric (X : finType) (d : X -> X -> nat) :=
  [/\ forall x, d x x = 0%N, forall x u, d x u = d u x & forall x y u, (d x u <= d x y + d y u)%N].

Section Types.
Variables (R : realFieldType) (X : finType).

(* Phi(x,u) = e^(-d(x,u)) for distances d that are real numbers: d(x,u) is finite, symmetric, 0 from x to itself and has *)
(* the triangle inequality.  Different inputs may have the distance 0.                                                   *)
Definition similarity (Phi : X -> X -> R) :=
  [/\ forall x u, 0 < Phi x u, forall x u, Phi x u = Phi u x, forall x, Phi x x = 1 &
      forall x y u, Phi x y * Phi y u <= Phi x u].

(* The levels a^d(x,u), that is e^(-epsilon d(x,u)) for a = e^(-epsilon). *)
Definition level (a : R) (d : X -> X -> nat) : X -> X -> R := fun x u => a ^+ d x u.

Lemma level_similarity a d : 0 < a -> a <= 1 -> metric d -> similarity (level a d).
Proof.
move=> a_gt0 a_le1 [d0 d_sym d_tri]; split=> [x u|x u|x|x y u]; rewrite /level.
- exact: exprn_gt0.
- by rewrite d_sym.
- by rewrite d0.
- by rewrite -exprD ler_wiexpn2l // ltW.
Qed.

(* Definition 1: M belongs to the privacy type of Phi, that is M is a channel with Phi(x,x') M(x',y) <= M(x,y). *)
Definition mechanism (Phi : X -> X -> R) (Y : finType) (M : X -> Y -> R) :=
  channel M /\ forall x x' y, Phi x x' * M x' y <= M x y.

(* Definition 11: v is the multiplicative capacity of the privacy type, and M has it: no mechanism of the type has more. *)
Definition attains_multiplicative (Phi : X -> X -> R) (Y : finType) (M : X -> Y -> R) (v : R) :=
  [/\ mechanism Phi M, multiplicative_capacity M = v &
      forall (Z : finType) (N : X -> Z -> R), mechanism Phi N -> multiplicative_capacity N <= v].

(* Definition 11: v is the additive capacity of the privacy type, and M has it: no mechanism of the type has more. *)
Definition attains_additive (Phi : X -> X -> R) (Y : finType) (M : X -> Y -> R) (v : R) :=
  [/\ mechanism Phi M, additive_capacity M = v &
      forall (Z : finType) (N : X -> Z -> R), mechanism Phi N -> additive_capacity N <= v].

(* All this depends on the entries only. *)
Lemma eq_mechanism (Phi : X -> X -> R) (Y : finType) (M N : X -> Y -> R) :
  (forall x y, M x y = N x y) -> mechanism Phi M -> mechanism Phi N.
Proof.
move=> MN [[M_ge0 M_sum1] M_priv]; split=> [|x x' y]; last by rewrite -!MN.
by split=> [x y|x]; [rewrite -MN | rewrite -(M_sum1 x); apply: eq_bigr => y _; rewrite MN].
Qed.

Lemma eq_attains_multiplicative (Phi : X -> X -> R) (Y : finType) (M N : X -> Y -> R) v :
  (forall x y, M x y = N x y) -> attains_multiplicative Phi M v -> attains_multiplicative Phi N v.
Proof.
move=> MN [M_mech <- M_max]; split=> //; first exact: eq_mechanism M_mech.
by apply: eq_bigr => y _; apply: eq_largest => x; rewrite MN.
Qed.

Lemma eq_attains_additive (Phi : X -> X -> R) (Y : finType) (M N : X -> Y -> R) v :
  (forall x y, M x y = N x y) -> attains_additive Phi M v -> attains_additive Phi N v.
Proof.
move=> MN [M_mech <- M_max]; split=> //; first exact: eq_mechanism M_mech.
by congr (1 - _); apply: eq_bigr => y _; congr (- _); apply: eq_largest => x; rewrite MN.
Qed.

End Types.

Section Line.
Variables (R : realFieldType) (n : nat) (a : R).

(* The distance |i - j| on 0, ..., n. *)
Definition line_distance (i j : 'I_n.+1) : nat := dist i j.

Lemma line_distanceP : metric line_distance.
Proof.
split=> [i|i j|i j k]; rewrite /line_distance /dist; last by nat_lia.
  by rewrite subnn.
by rewrite addnC.
Qed.

Lemma line_similarity : 0 < a -> a <= 1 -> similarity (level a line_distance).
Proof. by move=> a_gt0 a_le1; apply: level_similarity line_distanceP. Qed.

Theorem line_mechanism m (X : 'M[R]_(n.+1, m)) : 0 <= a ->
  mechanism (level a line_distance) X <-> stochastic X /\ private a X.
Proof.
by move=> /(line_metric X) priv; split=> -[X_st X_priv]; split=> //; apply/priv.
Qed.

End Line.
