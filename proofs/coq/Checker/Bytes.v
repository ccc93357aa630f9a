(* SPDX-License-Identifier: MIT *)
(* From the bytes of a file to the theorem that it states.                                                    *)
(*                                                                                                            *)
(*   check_bytes_sound    check_bytes s = Accepted c   implies   reads s c  and  meaning R c                  *)
(*                                                                                                            *)
(* R is any ordered field.  [reads] (Claims.v) leaves the digest aside: it asks that there is one.  The check  *)
(* compares it (Digest.v), too.                                                                               *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP.Checker Require Import Numbers Rows Json JsonReader Reader Digest Show Claims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Inductive answer :=
| Accepted (c : claim)
| Rejected (c : claim)
| Undecided (c : claim)
| Damaged              (* the digest is not that of the content *)
| Malformed            (* not JSON as certificates use it *)
| Unread.              (* JSON, but not a certificate, or of a kind that this checker does not know *)

Definition has_digest (v : json) : bool :=
  if v is Object ms then (if find_key (bytes_of "digest"%string) ms is Some (Text d) then same d (digest_of ms) else false) else false.

Definition check_tree (v : json) : answer :=
  match claim_of v with
  | None => Unread
  | Some c =>
    if has_digest v then
      match witness_of c v with
      | None => Unread
      | Some w => if check c w then Accepted c else if settles c then Rejected c else Undecided c
      end
    else Damaged
  end.

Definition check_bytes (s : text) : answer := if parse s is Some v then check_tree v else Malformed.

Theorem check_bytes_sound (R : realFieldType) s c : check_bytes s = Accepted c -> reads s c /\ meaning R c.
Proof.
rewrite /check_bytes /check_tree; case P: (parse s) => [v|] //; case C: (claim_of v) => [d|] //; case: ifP => // _.
case W: (witness_of d v) => [w|] //; case: ifP => [ok [<-]|_]; last by case: settles.
by split; [exists v => //; exact: parseP | exact: check_sound ok].
Qed.

(* What the program prints: a word, and of a claim that was read its kind and its sentence, in printable      *)
(* characters.  Names of definitions stand for what the file says: the sentence of an accepted file ends with *)
(* the digest of claim and definitions. *)
Definition ending (v : json) : text :=
  if v is Object ms then bytes_of " Claim and definitions have the SHA-256 "%string ++ statement_digest ms ++ bytes_of "..."%string
  else [::].

Definition report (s : text) : answer * text :=
  match parse s with
  | None => (Malformed, [::])
  | Some v =>
    let found := check_tree v in
    let said c := kind_in v ++ bytes_of ": "%string ++ sentence c in
    (found, match found with
            | Accepted c => printed (said c ++ ending v)
            | Rejected c | Undecided c => printed (said c)
            | _ => [::]
            end)
  end.

Theorem report_is s : (report s).1 = check_bytes s.
Proof. by rewrite /report /check_bytes; case: (parse s). Qed.
