(* SPDX-License-Identifier: MIT *)
(* Claims about bounds of utility and leakage (SPEC, section 4.8).                                            *)
(* What they mean is stated here; what decides them is in BoundsCheck.v.                                      *)
(*                                                                                                            *)
(* The utility of a mechanism is sum_o max_i pi_i x_io, its leakage that divided by max_i pi_i: [utility] and *)
(* [leakage] of TightConstraints.v.  "No private mechanism" speaks of those with any number of outputs.       *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import Mechanism MatrixGame TightConstraints.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show Phi PhiRules.
From ExactDP.Checker Require TightClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Inductive claim : Type :=
| UtilityBound (s : space) (prior : vector) (value : Q)
| Leakage (m : table) (prior : vector) (value : Q)
| LeakageBound (s : space) (prior : option vector) (value : Q)
| OptimalOnRegion (s : space) (m : table)
| NotOptimalOnRegion (s : space) (m : table).

(* The names of definitions in a claim. *)
Definition names_in (v : json) : seq text :=
  match v with
  | Object ms => flatten [seq if find_key k ms is Some (Text n) then [:: n] else [::] | k <- [:: "neighbours" : text; "mechanism" : text]]
  | _ => [::]
  end.

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    let keys := TightClaims.space_keys in
    let prior_of p := let! w := find_key "prior" ms in vector_of p w in
    let on_region (c : space -> table -> claim) :=
      let! _ := object_of (keys ++ [:: "mechanism" : text]) [::] v in
      let! s := space_of defs ms in let! m := named mechanism_of defs "mechanism" ms in Some (c s m) in
    if same k "utility-bound" then
      let! _ := object_of (keys ++ [:: "prior" : text; "value" : text]) [::] v in
      let! s := space_of defs ms in let! prior := prior_of (points_of s) in
      let! x := scalar_at "value" ms in Some (UtilityBound s prior x)
    else if same k "leakage" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "prior" : text; "value" : text] [::] v in
      let! m := named mechanism_of defs "mechanism" ms in let! prior := prior_of (size (inputs m)) in
      let! x := scalar_at "value" ms in Some (Leakage m prior x)
    else if same k "leakage-bound" then
      let! _ := object_of (keys ++ [:: "value" : text]) [:: "prior" : text] v in
      let! s := space_of defs ms in let! prior := optional (vector_of (points_of s)) "prior" ms in
      let! x := scalar_at "value" ms in Some (LeakageBound s prior x)
    else if same k "optimal-on-region" then on_region OptimalOnRegion
    else if same k "not-optimal-on-region" then on_region NotOptimalOnRegion
    else None
  | _ => None
  end.

Section Meaning.
Variable R : realFieldType.
Local Open Scope ring_scope.

Definition private_at (s : space) m (X : 'M[R]_(points_of s, m)) := mechanism_for (points s) (of_Q R (base s)) X.

(* The prior is a distribution and regular. *)
Definition regular_at (s : space) (q : 'I_(points_of s) -> R) :=
  distribution q /\ exists2 Phi : 'M[R]_(points_of s), phi_is Phi & regular Phi q.

Definition meaning (c : claim) : Prop :=
  match c with
  | UtilityBound s prior v =>
      let q := @vector_on R (points_of s) prior in
      [/\ 0 < of_Q R (base s) < 1, distribution q & forall m (X : 'M[R]_(points_of s, m)), private_at X -> utility q X <= of_Q R v]
  | Leakage t prior v =>
      let q := @vector_on R (size (inputs t)) prior in
      let X := matrix_of R (size (inputs t)) (size (outputs t)) (content t) in
      [/\ stochastic X, distribution q & leakage q X = of_Q R v]
  | LeakageBound s (Some prior) v =>
      let q := @vector_on R (points_of s) prior in
      [/\ 0 < of_Q R (base s) < 1, distribution q & forall m (X : 'M[R]_(points_of s, m)), private_at X -> leakage q X <= of_Q R v]
  | LeakageBound s None v =>
      0 < of_Q R (base s) < 1 /\
      forall q, distribution q -> forall m (X : 'M[R]_(points_of s, m)), private_at X -> leakage q X <= of_Q R v
  | OptimalOnRegion s t =>
      let M := matrix_of R (points_of s) (size (outputs t)) (content t) in
      [/\ inputs t = vertices (points s), 0 < of_Q R (base s) < 1, private_at M,
          exists Phi : 'M[R]_(points_of s), phi_is Phi &
          forall q, regular_at q -> forall m (X : 'M[R]_(points_of s, m)), private_at X -> utility q X <= utility q M]
  | NotOptimalOnRegion s t =>
      let M := matrix_of R (points_of s) (size (outputs t)) (content t) in
      [/\ inputs t = vertices (points s), 0 < of_Q R (base s) < 1, private_at M &
          exists2 q, regular_at q & exists m (X : 'M[R]_(points_of s, m)), private_at X /\ utility q M < utility q X]
  end.

End Meaning.

Definition sentence (c : claim) : text :=
  let at_ s := TightClaims.show_space s in
  let for_prior p prior := t "for the " ++ TightClaims.show_prior p prior in
  let leaks := t " (multiplicative min-entropy leakage)." in
  match c with
  | UtilityBound s prior v =>
      t "No private mechanism for " ++ at_ s ++ t " has a utility (binary gain, best remap) above " ++ show_Q v ++ t " " ++
      for_prior (points_of s) prior ++ t "."
  | Leakage m prior v =>
      t "The " ++ show_mechanism m ++ t " leaks the factor " ++ show_Q v ++ t " " ++ for_prior (size (inputs m)) prior ++ leaks
  | LeakageBound s prior v =>
      t "No private mechanism for " ++ at_ s ++ t " leaks more than the factor " ++ show_Q v ++ t " " ++
      (if prior is Some prior then for_prior (points_of s) prior else t "for any prior") ++ leaks
  | OptimalOnRegion s m =>
      t "For every prior that is regular for " ++ at_ s ++ t ", no private mechanism has more utility (binary gain) than the " ++
      show_mechanism m ++ t "."
  | NotOptimalOnRegion s m =>
      t "The " ++ show_mechanism m ++ t " is private, but for some regular prior of " ++ at_ s ++
      t " another private mechanism has more utility (binary gain)."
  end.
