(* SPDX-License-Identifier: MIT *)
(* From the bytes of a certificate to the linear program that 'edpcheck --lp' prints.                         *)
(*                                                                                                            *)
(*   program_in s            the program of the claim that s states, if it is one                             *)
(*   program_in_means        the claim implies its part, and the program says just this part                  *)
(*   program_in_shows        so a proof of the program, with rational numbers, proves the part for every R    *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith.
From ExactDP.Checker Require Import Numbers Rows Json JsonReader LinearProgram RationalPrograms Claims.
From ExactDP.Checker Require ClaimPrograms TightPrograms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition part_of (c : claim) : claim := if c is Basic c then Basic (ClaimPrograms.part_of c) else c.

Definition program_of (c : claim) : option program :=
  match c with
  | Basic c => ClaimPrograms.program_of c
  | Tightness c => TightPrograms.program_of c
  | _ => None
  end.

Definition program_in (s : text) : option program :=
  if parse s is Some v then if claim_of v is Some c then program_of c else None else None.

Theorem program_in_means (R : realFieldType) s P : program_in s = Some P ->
  exists c, [/\ reads s c, meaning R c -> meaning R (part_of c) & says R P <-> meaning R (part_of c)].
Proof.
rewrite /program_in; case V: (parse s) => [v|] //; case C: (claim_of v) => [c|] // P_c.
exists c; split; first by exists v => //; exact: parseP.
  by case: c P_c {C} => // c; exact: ClaimPrograms.part_holds.
by case: c P_c {C} => // c; [exact: ClaimPrograms.program_means | exact: TightPrograms.program_means].
Qed.

Theorem program_in_shows (R : realFieldType) s P : program_in s = Some P -> says rationals P ->
  exists2 c, reads s c & meaning R (part_of c).
Proof.
by move=> /(program_in_means R)[c [s_c _ P_c]] /(says_everywhere R)/P_c c_holds; exists c.
Qed.

(* What the program prints, in pieces. *)
Definition program_text (s : text) : option (seq text) := omap text_of (program_in s).
