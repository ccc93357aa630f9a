(* SPDX-License-Identifier: MIT *)
(* Help for computing in an ordered field: Coq's [ring] and [field] for mathcomp's structures.                *)
(*                                                                                                            *)
(* Mathcomp reaches the operations of a field R along several paths (as a ring, as a Z-module, ...).  Coq's   *)
(* own tactics compare terms by their spelling, so [to_field R] first respells every operation in one way (and *)
(* gives names to entries of matrices and to sums, which carry a path too).                                   *)
(* A section over [R : realFieldType] says once                                                               *)
(*     Add Field R_field : (field_theory_of R).                                                               *)
(* and then closes identities of polynomials with [by_ring R], and of fractions with [by_field R]; the latter *)
(* leaves the goal that no denominator vanishes.                                                              *)
(*                                                                                                            *)
(* [nat_lia] is [lia] for mathcomp's operations and comparisons of natural numbers.                           *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import Field_theory Ring_theory Field Ring Lia.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section OneSpelling.
Variable R : realFieldType.

(* The operations of R in one spelling: f_zero is 0, f_one is 1, f_add is x + y, f_opp is - x, f_sub is x - y, f_mul is *)
(* x y, f_inv is 1/x and f_div is x/y (with 1/0 = 0, as in mathcomp).                                                   *)
Definition f_zero : R := 0.
Definition f_one : R := 1.
Definition f_add (x y : R) : R := x + y.
Definition f_opp (x : R) : R := - x.
Definition f_sub (x y : R) : R := x - y.
Definition f_mul (x y : R) : R := x * y.
Definition f_inv (x : R) : R := x^-1.
Definition f_div (x y : R) : R := x / y.

Lemma field_theory_of : field_theory f_zero f_one f_add f_mul f_sub f_opp f_div f_inv eq.
Proof.
split; last 3 first.
- by apply/eqP; exact: oner_neq0.
- by [].
- by move=> x /eqP x_neq0; exact: mulVf.
split; rewrite /f_add /f_mul /f_opp /f_sub /f_zero /f_one.
- exact: add0r.
- exact: addrC.
- exact: addrA.
- exact: mul1r.
- exact: mulrC.
- exact: mulrA.
- exact: mulrDl.
- by [].
- exact: subrr.
Qed.

End OneSpelling.

Ltac to_field R :=
  repeat match goal with
  | |- context [@fun_of_matrix ?S ?m ?n ?A ?i ?j] =>
      let x := fresh "entry" in move: (@fun_of_matrix S m n A i j) => x
  | |- context [@BigOp.bigop ?S ?I ?z ?s ?F] =>
      let x := fresh "total" in move: (@BigOp.bigop S I z s F) => x
  end;
  rewrite ?(exprS, expr0, mulr1, mulrS, mulr0n, addr0);
  repeat match goal with
  | |- context [@GRing.add ?V ?x (@GRing.opp ?W ?y)] => change (@GRing.add V x (@GRing.opp W y)) with (@f_sub R x y)
  | |- context [@GRing.add ?V ?x ?y] => change (@GRing.add V x y) with (@f_add R x y)
  | |- context [@GRing.opp ?V ?x] => change (@GRing.opp V x) with (@f_opp R x)
  | |- context [@GRing.mul ?V ?x (@GRing.inv ?W ?y)] => change (@GRing.mul V x (@GRing.inv W y)) with (@f_div R x y)
  | |- context [@GRing.mul ?V ?x ?y] => change (@GRing.mul V x y) with (@f_mul R x y)
  | |- context [@GRing.inv ?V ?x] => change (@GRing.inv V x) with (@f_inv R x)
  | |- context [@GRing.zero ?V] => change (@GRing.zero V) with (@f_zero R)
  | |- context [@GRing.one ?V] => change (@GRing.one V) with (@f_one R)
  end;
  match goal with |- @eq _ ?x ?y => change (@eq (Num.RealField.sort R) x y) | _ => idtac end.

Ltac by_ring R := by to_field R; ring.
Ltac by_field R := to_field R; field; rewrite /f_sub /f_add /f_opp /f_div /f_mul /f_inv /f_zero /f_one.

Ltac nat_lia :=
  repeat match goal with
  | H : is_true (leq _ _) |- _ => move/ssrnat.leP: H => H
  | H : is_true (@eq_op _ _ _) |- _ => move/eqP: H => H
  | H : is_true (~~ @eq_op _ _ _) |- _ => move/eqP: H => H
  | H : is_true (~~ leq _ _) |- _ => rewrite -ltnNge in H
  | H : leq _ _ = false |- _ => move/negbT: H => H
  | H : @eq_op _ _ _ = false |- _ => move/negbT: H => H
  end;
  match goal with
  | |- is_true (leq _ _) => apply/ssrnat.leP
  | |- is_true (@eq_op _ _ _) => apply/eqP
  | |- is_true (~~ @eq_op _ _ _) => apply/eqP
  | _ => idtac
  end;
  change addn with Nat.add in *; change subn with Nat.sub in *; change muln with Nat.mul in *; lia.
