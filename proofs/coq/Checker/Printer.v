(* SPDX-License-Identifier: MIT *)
(* The sentence of a claim.  A built-in object is described in full; for others the sentence has their names, *)
(* and the file what they stand for.                                                                          *)
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

Definition show_bound (near : neighbours) (a : Q) (c : consumer) (v : Q) (rest : text) : text :=
  t "No " ++ show_Q a ++ t "-private mechanism on " ++ title near ++ t " has " ++
  show_consumer (size (vertices near)) c ++ t " below " ++ show_Q v ++ t ", and " ++ rest ++ t ".".

Definition show_remap_bound (m : table) (c : consumer) (v : Q) (rest : text) : text :=
  t "No remap of the outputs of the " ++ show_mechanism m ++ t " has " ++
  show_consumer (size (inputs m)) c ++ t " below " ++ show_Q v ++ t ", and " ++ rest ++ t ".".

Definition show_more (loss gap : Q) : text := show_Q loss ++ t ", which is " ++ show_Q gap ++ t " more".

Definition sentence (c : claim) : text :=
  match c with
  | NotStochastic x => t "The table " ++ name x ++ t " is not a mechanism."
  | Private m near a => t "The " ++ show_mechanism m ++ t " is " ++ show_Q a ++ t "-private on " ++ title near ++ t "."
  | NotPrivate m near a =>
      t "The " ++ show_mechanism m ++ t " is not " ++ show_Q a ++ t "-private on " ++ title near ++ t "."
  | Level m near ratio d =>
      let level := if Pos.eqb (Qden d) 1 && (Qnum d =? 1)%Z then show_Q ratio
                   else t "(" ++ show_Q ratio ++ t ")^(1/(" ++ show_Q d ++ t "))" in
      if (Qnum ratio =? 0)%Z then t "The " ++ show_mechanism m ++ t " is private at no level on " ++ title near ++ t "."
      else t "The largest level at which the " ++ show_mechanism m ++ t " is private on " ++ title near ++ t " is " ++ level ++ t "."
  | Derivable a b =>
      t "The " ++ show_mechanism b ++ t " is derivable from the " ++ show_mechanism a ++
      t ": B = A" ++ [:: ascii_of_N 194; ascii_of_N 183] ++ t "R for a row-stochastic R."
  | NotDerivable a b =>
      t "The " ++ show_mechanism b ++ t " is not derivable from the " ++ show_mechanism a ++
      t ": B = A" ++ [:: ascii_of_N 194; ascii_of_N 183] ++ t "R for no row-stochastic R."
  | Optimal near a c v None => show_bound near a c v (t "one attains it")
  | Optimal near a c v (Some m) => show_bound near a c v (t "the " ++ show_mechanism m ++ t " attains it")
  | NotOptimal near a c v m loss gap =>
      show_bound near a c v (t "one attains it; the " ++ show_mechanism m ++ t " is as private, and its loss is " ++
                             show_more loss gap)
  | OptimalRemap m c v None => show_remap_bound m c v (t "one attains it")
  | OptimalRemap m c v (Some r) => show_remap_bound m c v (t "the " ++ show_mechanism r ++ t " attains it")
  | NotOptimalRemap m c v r loss gap =>
      show_remap_bound m c v (t "one attains it; the " ++ show_mechanism r ++ t " has " ++ show_more loss gap)
  | OptimalAfterRemap near a c v m =>
      show_bound near a c v (t "the " ++ show_mechanism m ++ t " attains it after a remap of its outputs")
  | NotOptimalAfterRemap near a c v m loss gap =>
      show_bound near a c v (t "one attains it; the " ++ show_mechanism m ++
        t " is as private, and its least loss after a remap of its outputs is " ++ show_more loss gap)
  end.
