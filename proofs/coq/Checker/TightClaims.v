(* SPDX-License-Identifier: MIT *)
(* Claims about tight-constraints mechanisms and regular priors (SPEC, section 4.8).                          *)
(* What they mean is stated here; what decides them is in TightCheck.v.                                       *)
(*                                                                                                            *)
(* Each says that there is a matrix Phi as SPEC defines it for the neighbours and the level (there is one at  *)
(* most: [phi_unique] in Phi.v), and then something about it.  [tight] and [regular] are those of             *)
(* TightConstraints.v.                                                                                        *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import MatrixGame TightConstraints.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show Phi PhiRules.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Inductive claim : Type :=
| HasTight (s : space)
| HasNoTight (s : space)
| OneTight (s : space)
| SeveralTight (s : space)
| Threshold (s : space) (above : Q)
| Singular (s : space)
| NonSingular (s : space)
| Regular (s : space) (prior : vector)
| NotRegular (s : space) (prior : vector).

(* The names of definitions in a claim. *)
Definition names_in (v : json) : seq text :=
  match v with
  | Object ms => if find_key "neighbours" ms is Some (Text n) then [:: n] else [::]
  | _ => [::]
  end.

Definition space_keys : seq text := [:: "kind" : text; "neighbours" : text; "level" : text].

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    let plain (c : space -> claim) :=
      let! _ := object_of space_keys [::] v in let! s := space_of defs ms in Some (c s) in
    let with_prior (c : space -> vector -> claim) :=
      let! _ := object_of (space_keys ++ [:: "prior" : text]) [::] v in
      let! s := space_of defs ms in
      let! w := find_key "prior" ms in let! prior := vector_of (points_of s) w in Some (c s prior) in
    if same k "tight" then plain HasTight
    else if same k "not-tight" then plain HasNoTight
    else if same k "unique-tight" then plain OneTight
    else if same k "not-unique-tight" then plain SeveralTight
    else if same k "threshold" then
      let! _ := object_of (space_keys ++ [:: "above" : text]) [::] v in
      let! s := space_of defs ms in
      let! l := find_key "above" ms in let! b := level_of l in Some (Threshold s b)
    else if same k "singular" then plain Singular
    else if same k "non-singular" then plain NonSingular
    else if same k "regular" then with_prior Regular
    else if same k "not-regular" then with_prior NotRegular
    else None
  | _ => None
  end.

Section Meaning.
Variable R : realFieldType.
Local Open Scope ring_scope.
Local Notation mechanism s := 'M[R]_(points_of s).

Definition has_tight (s : space) := exists2 Phi, phi_is Phi & exists X : mechanism s, tight Phi X.
Definition has_no_tight (s : space) := exists2 Phi, phi_is Phi & ~ exists X : mechanism s, tight Phi X.

(* The same neighbours at another level. *)
Definition at_level (s : space) (b : Q) : space := Space (spaced s) (points s) b.

Definition meaning (c : claim) : Prop :=
  match c with
  | HasTight s => has_tight s
  | HasNoTight s => has_no_tight s
  | OneTight s => exists2 Phi, phi_is Phi & exists2 X : mechanism s, tight Phi X & forall Y : mechanism s, tight Phi Y -> Y = X
  | SeveralTight s => exists2 Phi, phi_is Phi & exists X Y : mechanism s, [/\ tight Phi X, tight Phi Y & X <> Y]
  | Threshold s b => [/\ of_Q R (base s) < of_Q R b, has_tight s & has_no_tight (at_level s b)]
  | Singular s => exists2 Phi : mechanism s, phi_is Phi & \det Phi = 0
  | NonSingular s => exists2 Phi : mechanism s, phi_is Phi & \det Phi != 0
  | Regular s prior =>
      exists2 Phi : mechanism s, phi_is Phi & distribution (@vector_on R (points_of s) prior) /\ regular Phi (vector_on R prior)
  | NotRegular s prior =>
      exists2 Phi : mechanism s, phi_is Phi & distribution (@vector_on R (points_of s) prior) /\ ~ regular Phi (vector_on R prior)
  end.

End Meaning.

Definition show_space (s : space) : text := title (points s) ++ t " at level alpha = " ++ show_Q (base s).

Definition show_prior (p : nat) (prior : vector) : text :=
  t "prior (" ++ join (t ", ") [seq show_entry prior i | i <- iota 0 p] ++ t ")".

Definition some_tight (s : space) : text :=
  t "A tight-constraints mechanism exists for " ++ show_space s ++ t ": x_ik = α^d(i,k)·x_kk.".
Definition no_tight (s : space) : text := t "No tight-constraints mechanism exists for " ++ show_space s ++ t ".".

Definition sentence (c : claim) : text :=
  match c with
  | HasTight s => some_tight s
  | HasNoTight s => no_tight s
  | OneTight s => t "Exactly one tight-constraints mechanism exists for " ++ show_space s ++ t "."
  | SeveralTight s => t "More than one tight-constraints mechanism exists for " ++ show_space s ++ t "."
  | Threshold s b => some_tight s ++ t " " ++ no_tight (at_level s b)
  | Singular s => t "Φ is singular for " ++ show_space s ++ t "."
  | NonSingular s => t "Φ is non-singular for " ++ show_space s ++ t "."
  | Regular s prior =>
      t "The " ++ show_prior (points_of s) prior ++ t " is regular for " ++ show_space s ++ t ": π = y·Φ with y >= 0."
  | NotRegular s prior =>
      t "The " ++ show_prior (points_of s) prior ++ t " is not regular for " ++ show_space s ++ t ": π = y·Φ for no y >= 0."
  end.
