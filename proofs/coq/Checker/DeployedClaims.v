(* SPDX-License-Identifier: MIT *)
(* Claims about deployed tables: (epsilon, delta), composition, gaps (SPEC, section 4.13).                    *)
(* What they mean is stated here; what decides them is in DeployedCheck.v.                                    *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

Inductive claim : Type := .

(* The names of definitions in a claim. *)
Definition names_in (v : json) : seq text := [::].

Definition claim_in (defs : seq (text * json)) (v : json) : option claim := None.

Definition meaning (R : realFieldType) (c : claim) : Prop := match c with end.

Definition sentence (c : claim) : text := match c with end.
