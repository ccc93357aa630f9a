(* SPDX-License-Identifier: MIT *)
(* Words for the objects of claims.  A built-in object is described in full; others have their names, and the *)
(* file says what they stand for.                                                                             *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith Ascii String DecimalString.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Digest.

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

(* A label is shown as it is if it is a plain word, else as the string of JSON in ASCII (SPEC, section 6): what *)
(* is between its quotation marks cannot be taken for something else, and has nothing that is not printable.  *)
Definition word_character (c : ascii) : bool := letter c || between 48 57 c || between 95 95 c.
Definition quoted (label : text) : text := if all word_character label then label else canonical_bytes (Text label).

Definition label_at (labels : seq text) (i : N) : text := quoted (nth [::] labels (N.to_nat i)).

Definition show_consumer (p : nat) (c : consumer) : text :=
  match c with
  | Minimax l side =>
      t "minimax loss (loss " ++ show_loss l ++ t ", S = {" ++ join (t ", ") [seq label_at (inputs l) i | i <- side] ++ t "})"
  | Bayesian l prior =>
      t "expected loss (loss " ++ show_loss l ++ t ", prior (" ++
      join (t ", ") [seq show_entry prior i | i <- iota 0 p] ++ t "))"
  end.

(* What a terminal shows as it is: printable ASCII, and letters of two bytes (Latin, Greek).  Other bytes are   *)
(* written \xHH, so that a line stays a line.                                                                 *)
Definition hex_of (n : N) : ascii := ascii_of_N (if (n <? 10)%num then 48 + n else 87 + n)%num.
Definition two_bytes (c d : ascii) : bool :=
  tail d && [|| between 195 203 c, between 206 207 c | between 194 194 c && between 161 191 d && ~~ between 173 173 d].

Fixpoint printed (s : text) : text :=
  match s with
  | [::] => [::]
  | c :: s' =>
    if between 32 126 c then c :: printed s'
    else
      let byte := [:: backslash; ascii_of_N 120; hex_of (N.div (code c) 16); hex_of (N.modulo (code c) 16)] in
      match s' with
      | d :: s'' => if two_bytes c d then c :: d :: printed s'' else byte ++ printed s'
      | [::] => byte
      end
  end.

(* The name of a file: a backslash is written twice, so that it can be turned back.  (Not in a sentence, where *)
(* a backslash is in a label only, and escapes there.)                                                        *)
Definition escaped (name : text) : text :=
  printed (flatten [seq if Ascii.eqb c backslash then [:: c; c] else [:: c] | c <- name]).
