(* SPDX-License-Identifier: MIT *)
(* Claims about universal optimality (SPEC, section 4.14).                                                    *)
(* What they mean is stated here; what decides them is in OptimalityCheck.v.                                  *)
(*                                                                                                            *)
(* A consumer with the prior w meets a mechanism of the type (private for these neighbours at this level) and *)
(* answers every output by a guess.                                                                           *)
(*   universally_optimal_for     M is of the type, and for every prior, every mechanism X of the type, with   *)
(*                               any number of outputs, and all answers h to X there are answers f to M that  *)
(*                               lose no more: the least loss of M is at most that of X                       *)
(* On a graph it is [universally_optimal_on] of Retracts.v (universally_optimal_for_graph in Universality.v). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import Mechanism MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

(* The loss is a table of inputs and guesses. *)
Inductive claim :=
| UniversallyOptimal (near : neighbours) (level : Q) (loss m : table)
| NotUniversallyOptimal (near : neighbours) (level : Q) (loss m : table)
| NoneUniversallyOptimal (near : neighbours) (level : Q) (loss : table).

(* ---- What a file claims ---- *)
Definition type_keys : seq text := [:: "kind" : text; "neighbours" : text; "level" : text; "loss" : text].

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    let type_in keys := let! _ := object_of keys [::] v in
      let! near := named neighbours_of defs "neighbours" ms in
      let! a := find_key "level" ms in let! a := level_of a in
      let! l := named loss_table_of defs "loss" ms in Some (near, a, l) in
    if same k "universally-optimal" || same k "not-universally-optimal" then
      let! (near, a, l) := type_in (type_keys ++ [:: "mechanism" : text]) in
      let! m := named mechanism_of defs "mechanism" ms in
      Some (if same k "universally-optimal" then UniversallyOptimal near a l m else NotUniversallyOptimal near a l m)
    else if same k "no-universally-optimal" then
      let! (near, a, l) := type_in type_keys in Some (NoneUniversallyOptimal near a l)
    else None
  | _ => None
  end.

(* The names of definitions in a claim, besides those that Reader.names_in knows. *)
Definition names_in (v : json) : seq text :=
  match v with
  | Object ms => if find_key "loss" ms is Some (Text n) then [:: n] else [::]
  | _ => [::]
  end.

(* ---- What it means ---- *)
Section Meaning.
Variable R : realFieldType.

Definition universally_optimal_for (near : neighbours) p m k (a : R) (l : 'M[R]_(p, m)) (M : 'M[R]_(p, k)) :=
  mechanism_for near a M /\
  forall w : 'I_p -> R, distribution w ->
  forall q (X : 'M[R]_(p, q)) (h : 'I_q -> 'I_m), mechanism_for near a X ->
  exists f : 'I_k -> 'I_m, (bayes_loss w l (M *m remap R f) <= bayes_loss w l (X *m remap R h))%R.

Definition meaning (c : claim) : Prop :=
  match c with
  | UniversallyOptimal near a l t =>
      let p := size (vertices near) in
      [/\ inputs l = vertices near, inputs t = vertices near, (0 < of_Q R a < 1)%R &
          universally_optimal_for near (of_Q R a) (matrix_of R p (size (outputs l)) (content l))
                                  (matrix_of R p (size (outputs t)) (content t))]
  | NotUniversallyOptimal near a l t =>
      let p := size (vertices near) in
      let M := matrix_of R p (size (outputs t)) (content t) in
      [/\ inputs l = vertices near /\ inputs t = vertices near, (0 < of_Q R a < 1)%R, mechanism_for near (of_Q R a) M &
          ~ universally_optimal_for near (of_Q R a) (matrix_of R p (size (outputs l)) (content l)) M]
  | NoneUniversallyOptimal near a l =>
      let p := size (vertices near) in
      [/\ inputs l = vertices near, (0 < of_Q R a < 1)%R &
          forall k (M : 'M[R]_(p, k)),
            ~ universally_optimal_for near (of_Q R a) (matrix_of R p (size (outputs l)) (content l)) M]
  end.

End Meaning.

(* ---- What is printed ---- *)
Definition show_type (near : neighbours) (a : Q) : text := t "the type of " ++ title near ++ t " at level alpha = " ++ show_Q a.

Definition sentence (c : claim) : text :=
  match c with
  | UniversallyOptimal near a l m =>
      t "The " ++ show_mechanism m ++ t " is universally optimal for the loss " ++ show_loss l ++ t " in " ++
      show_type near a ++ t ": best (after a remap) for every prior."
  | NotUniversallyOptimal near a l m =>
      t "The " ++ show_mechanism m ++ t " is (alpha = " ++ show_Q a ++ t ")-private on " ++ title near ++
      t ", and not universally optimal for the loss " ++ show_loss l ++ t "."
  | NoneUniversallyOptimal near a l =>
      t "No mechanism of " ++ show_type near a ++ t " is universally optimal for the loss " ++ show_loss l ++
      t ": none is best (after a remap) for every prior."
  end.
