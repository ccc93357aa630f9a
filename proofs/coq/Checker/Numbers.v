(* SPDX-License-Identifier: MIT *)
(* Binary integers and fractions as numbers of an ordered field.                                              *)
(*                                                                                                            *)
(* The checker computes with Coq's binary integers Z; the theory is about any ordered field R.  [of_Z R z] is *)
(* the integer z as a number of R, [of_Q R q] the fraction q (numerator over a positive denominator).         *)
(*   of_ZD, of_ZB, of_ZM, of_ZN, of_ZX   sums, differences, products, opposites, powers                       *)
(*   of_Z_le, of_Z_lt, of_Z_eq           comparisons: the computed answer is the answer in R                  *)
(*   of_Q_le, of_Q_lt                    fractions are compared by products across                            *)
From Coq Require Import ZArith Lia.
From Coq Require QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
Notation Q := QArith_base.Q.
Notation Qnum := QArith_base.Qnum.
Notation Qden := QArith_base.Qden.
Notation Qmake := QArith_base.Qmake.

(* In the files of the checker %Z is for Z, %num for N and %N for nat; the plain symbols are those of R. *)
Delimit Scope Z_scope with Z.
Delimit Scope N_scope with num.
Delimit Scope nat_scope with N.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Integers.
Variable R : realFieldType.

Definition of_Z (z : Z) : R :=
  match z with
  | Z0 => 0
  | Zpos p => (Pos.to_nat p)%:R
  | Zneg p => - (Pos.to_nat p)%:R
  end.

Lemma of_Z_nat n : of_Z (Z.of_nat n) = n%:R.
Proof. by case: n => [|n] //=; rewrite SuccNat2Pos.id_succ. Qed.

Lemma of_Z_opp z : of_Z (- z)%Z = - of_Z z.
Proof. by case: z => [|p|p] /=; rewrite ?oppr0 ?opprK. Qed.

Lemma of_Z_difference m n : of_Z (Z.of_nat m - Z.of_nat n)%Z = m%:R - n%:R.
Proof.
have [nm|mn] := leqP n m.
  have -> : (Z.of_nat m - Z.of_nat n)%Z = Z.of_nat (m - n) by rewrite Nat2Z.inj_sub //; apply/ssrnat.leP.
  by rewrite of_Z_nat natrB.
have -> : (Z.of_nat m - Z.of_nat n)%Z = (- Z.of_nat (n - m))%Z.
  by rewrite Nat2Z.inj_sub; [lia | apply/ssrnat.leP; exact: ltnW].
by rewrite of_Z_opp of_Z_nat natrB 1?ltnW // opprB.
Qed.

Lemma Z_difference z : exists m n, z = (Z.of_nat m - Z.of_nat n)%Z.
Proof. by exists (Z.to_nat z), (Z.to_nat (- z)); lia. Qed.

Lemma of_ZD x y : of_Z (x + y)%Z = of_Z x + of_Z y.
Proof.
have [m [n ->]] := Z_difference x; have [k [l ->]] := Z_difference y.
have -> : (Z.of_nat m - Z.of_nat n + (Z.of_nat k - Z.of_nat l) = Z.of_nat (m + k) - Z.of_nat (n + l))%Z.
  by rewrite !Nat2Z.inj_add; lia.
by rewrite !of_Z_difference !natrD opprD addrACA.
Qed.

Lemma of_ZN x : of_Z (- x)%Z = - of_Z x.
Proof. exact: of_Z_opp. Qed.

Lemma of_ZB x y : of_Z (x - y)%Z = of_Z x - of_Z y.
Proof. by rewrite /Z.sub of_ZD of_ZN. Qed.

Lemma of_ZM x y : of_Z (x * y)%Z = of_Z x * of_Z y.
Proof.
have [m [n ->]] := Z_difference x; have [k [l ->]] := Z_difference y.
have -> : ((Z.of_nat m - Z.of_nat n) * (Z.of_nat k - Z.of_nat l)
           = Z.of_nat (m * k + n * l) - Z.of_nat (m * l + n * k))%Z.
  by rewrite !Nat2Z.inj_add !Nat2Z.inj_mul; lia.
rewrite !of_Z_difference !natrD !natrM mulrBl !mulrBr opprD opprB -!addrA; congr (_ + _).
by rewrite addrC -!addrA; congr (_ + _); rewrite addrC.
Qed.

Lemma of_Z0 : of_Z 0%Z = 0. Proof. by []. Qed.
Lemma of_Z1 : of_Z 1%Z = 1. Proof. by []. Qed.

Lemma of_Z_pos p : 0 < of_Z (Zpos p).
Proof. by rewrite ltr0n; apply/ssrnat.ltP; exact: Pos2Nat.is_pos. Qed.

Lemma of_Z_ge0 z : (0 <= of_Z z) = (0 <=? z)%Z.
Proof.
case: z => [|p|p] /=; rewrite ?lexx ?ler0n // oppr_ge0; apply/negbTE; rewrite -ltNge; exact: (of_Z_pos p).
Qed.

Lemma of_Z_le x y : (of_Z x <= of_Z y) = (x <=? y)%Z.
Proof. by rewrite -subr_ge0 -of_ZB of_Z_ge0; apply/idP/idP => /Z.leb_le ?; apply/Z.leb_le; lia. Qed.

Lemma of_Z_lt x y : (of_Z x < of_Z y) = (x <? y)%Z.
Proof. by rewrite ltNge of_Z_le Z.ltb_antisym. Qed.

Lemma of_Z_eq x y : (of_Z x == of_Z y) = (x =? y)%Z.
Proof.
rewrite eq_le !of_Z_le; apply/andP/idP => [[/Z.leb_le ? /Z.leb_le ?]|/Z.eqb_eq ->].
  by apply/Z.eqb_eq; lia.
by split; apply/Z.leb_le; lia.
Qed.

Lemma of_ZX x (n : nat) : of_Z (x ^ Z.of_nat n)%Z = of_Z x ^+ n.
Proof.
elim: n => [|n IHn] //; rewrite exprS -IHn -of_ZM; congr of_Z.
by rewrite Nat2Z.inj_succ Z.pow_succ_r //; exact: Nat2Z.is_nonneg.
Qed.

Lemma of_ZX_pos x p : of_Z (x ^ Zpos p)%Z = of_Z x ^+ Pos.to_nat p.
Proof. by rewrite -of_ZX positive_nat_Z. Qed.

Definition of_Q (q : Q) : R := of_Z (Qnum q) / of_Z (Zpos (Qden q)).

Lemma of_Z_pos_neq0 p : of_Z (Zpos p) != 0.
Proof. by rewrite gt_eqF // of_Z_pos. Qed.

(* Comparisons of fractions, by products across. *)
Definition Q_le (x y : Q) : bool := (Qnum x * Zpos (Qden y) <=? Qnum y * Zpos (Qden x))%Z.
Definition Q_lt (x y : Q) : bool := (Qnum x * Zpos (Qden y) <? Qnum y * Zpos (Qden x))%Z.
Definition Q_eq (x y : Q) : bool := (Qnum x * Zpos (Qden y) =? Qnum y * Zpos (Qden x))%Z.

Lemma of_Q_le x y : (of_Q x <= of_Q y) = Q_le x y.
Proof.
rewrite /Q_le -of_Z_le !of_ZM /of_Q ler_pdivr_mulr ?of_Z_pos // mulrAC.
by rewrite ler_pdivl_mulr ?of_Z_pos.
Qed.

Lemma of_Q_lt x y : (of_Q x < of_Q y) = Q_lt x y.
Proof. by rewrite ltNge of_Q_le /Q_le /Q_lt Z.ltb_antisym. Qed.

Lemma of_Q_eq x y : (of_Q x == of_Q y) = Q_eq x y.
Proof.
rewrite eq_le !of_Q_le /Q_le /Q_eq; apply/andP/idP => [[/Z.leb_le ? /Z.leb_le ?]|/Z.eqb_eq ->].
  by apply/Z.eqb_eq; lia.
by split; apply/Z.leb_le; lia.
Qed.

End Integers.
