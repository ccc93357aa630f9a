(* SPDX-License-Identifier: MIT *)
(* What decides the claims of UniquenessClaims.v, and its soundness.                                          *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning.
From ExactDP.Checker Require Import UniquenessClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Inductive witness : Type := .

Definition witness_in (c : claim) (v : json) : option witness := None.

Definition check (c : claim) (w : witness) : bool := match w with end.

Theorem check_sound (R : realFieldType) c w : check c w -> meaning R c.
Proof. by case: w. Qed.
