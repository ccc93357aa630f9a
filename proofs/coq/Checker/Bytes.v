(* SPDX-License-Identifier: MIT *)
(* From the bytes of a file to the theorem that it states.                                                    *)
(*                                                                                                            *)
(*   check_bytes_sound    check_bytes s = Accepted c   implies   reads s c  and  meaning R c                  *)
(*                                                                                                            *)
(* R is any ordered field.  [reads] (Claims.v) leaves the digest aside: it asks that there is one.            *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith.
From ExactDP.Checker Require Import Numbers Rows Json JsonReader Claims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Inductive answer :=
| Accepted (c : claim)
| Rejected (c : claim)
| Malformed            (* not JSON as certificates use it *)
| Unread.              (* JSON, but not a certificate, or of a kind that this checker does not know *)

Definition check_bytes (s : text) : answer :=
  match parse s with
  | None => Malformed
  | Some v =>
    match claim_of v with
    | None => Unread
    | Some c =>
      match witness_of c v with
      | None => Unread
      | Some w => if check c w then Accepted c else Rejected c
      end
    end
  end.

Theorem check_bytes_sound (R : realFieldType) s c : check_bytes s = Accepted c -> reads s c /\ meaning R c.
Proof.
rewrite /check_bytes; case P: (parse s) => [v|] //; case C: (claim_of v) => [d|] //.
case W: (witness_of d v) => [w|] //; case: ifP => // ok [<-]; split; last exact: check_sound ok.
by exists v => //; exact: parseP.
Qed.

(* What the program prints of an accepted claim. *)
Definition sentence_of (c : claim) : text := sentence c.
