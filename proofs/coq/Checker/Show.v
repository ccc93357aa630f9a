(* SPDX-License-Identifier: MIT *)
(* Words for the objects of claims.  A built-in object is described in full; others have their names, and the *)
(* file says what they stand for.                                                                             *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith Ascii String DecimalString.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition t (s : string) : text := s.

Definition show_Z (z : Z) : text := NilZero.string_of_int (Z.to_int z).
Definition show_Q (q : Q) : text :=
  if Pos.eqb (Qden q) 1 then show_Z (Qnum q) else show_Z (Qnum q) ++ t "/" ++ show_Z (Zpos (Qden q)).

Fixpoint join (separator : text) (s : seq text) : text :=
  match s with
  | [::] => [::]
  | [:: x] => x
  | x :: s' => x ++ separator ++ join separator s'
  end.

Definition show_mechanism (m : table) : text :=
  match content m with
  | Geometric n a => t "geometric mechanism G(" ++ numeral_of (N.of_nat n) ++ t ", " ++ show_Q a ++ t ")"
  | _ => t "mechanism " ++ name m
  end.

Definition show_loss (l : table) : text :=
  match content l with
  | AbsLoss => t "abs"
  | SquaredLoss => t "squared"
  | ZeroOneLoss => t "zero-one"
  | _ => t "table " ++ name l
  end.

Definition show_entry (v : vector) (i : nat) : text :=
  let z := at_index (terms v) i in let g := Z.gcd z (Zpos (unit v)) in
  show_Q (Qmake (z / g) (Z.to_pos (Zpos (unit v) / g))).

(* Side information is shown by the numbers of the inputs, from 0. *)
Definition show_consumer (p : nat) (c : consumer) : text :=
  match c with
  | Minimax l side =>
      t "minimax loss (loss " ++ show_loss l ++ t ", S = the inputs number " ++ join (t ", ") [seq numeral_of i | i <- side] ++ t ")"
  | Bayesian l prior =>
      t "expected loss (loss " ++ show_loss l ++ t ", prior (" ++
      join (t ", ") [seq show_entry prior i | i <- iota 0 p] ++ t "))"
  end.
