(* SPDX-License-Identifier: MIT *)
(* The sentence of a claim of Syntax.v.                                                                       *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Show.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition show_bound (near : neighbours) (a : Q) (c : consumer) (v : Q) (rest : text) : text :=
  t "No (alpha = " ++ show_Q a ++ t ")-private mechanism on " ++ title near ++ t " has " ++
  show_consumer (size (vertices near)) c ++ t " below " ++ show_Q v ++ t ", and " ++ rest ++ t ".".

Definition show_remap_bound (m : table) (c : consumer) (v : Q) (rest : text) : text :=
  t "No remap of the outputs of the " ++ show_mechanism m ++ t " has " ++
  show_consumer (size (inputs m)) c ++ t " below " ++ show_Q v ++ t ", and " ++ rest ++ t ".".

Definition show_more (loss gap : Q) : text := show_Q loss ++ t ", which is " ++ show_Q gap ++ t " more".

Definition sentence (c : claim) : text :=
  match c with
  | NotStochastic x => t "The table " ++ name x ++ t " is not a mechanism."
  | Private m near a => t "The " ++ show_mechanism m ++ t " is (alpha = " ++ show_Q a ++ t ")-private on " ++ title near ++ t "."
  | NotPrivate m near a =>
      t "The " ++ show_mechanism m ++ t " is not (alpha = " ++ show_Q a ++ t ")-private on " ++ title near ++ t "."
  | Level m near ratio d =>
      let level := if Pos.eqb (Qden d) 1 && (Qnum d =? 1)%Z then show_Q ratio
                   else t "(" ++ show_Q ratio ++ t ")^(1/(" ++ show_Q d ++ t "))" in
      if (Qnum ratio =? 0)%Z then t "The " ++ show_mechanism m ++ t " is private at no level on " ++ title near ++ t "."
      else t "The largest level at which the " ++ show_mechanism m ++ t " is private on " ++ title near ++ t " is alpha = " ++ level ++ t "."
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
