(* SPDX-License-Identifier: MIT *)
(* The files: JSON trees, and which bytes stand for which tree (SPEC, section 1; RFC 8259 and RFC 3629).      *)
(*                                                                                                            *)
(* A file is a list of bytes (Coq's [ascii] is a byte).  Only what certificates use is JSON here: objects with *)
(* distinct keys, lists, strings, and integers from 0 to 999 999 999.  A string in the tree is the UTF-8 of   *)
(* what the file says, after its escapes; half a surrogate pair is not accepted.                              *)
(*   chars raw t        the bytes raw between two quotes say the string t                                     *)
(*   value v s          the bytes s are the value v                                                           *)
(*   document v s       the same, with white space around it                                                  *)
(* The relations are the definition of the format; JsonReader.v has a program that finds the tree.            *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith Ascii String.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Delimit Scope N_scope with num.
Delimit Scope nat_scope with N.
Delimit Scope string_scope with string.

Definition text := seq ascii.
Definition bytes_of (s : string) : text := list_ascii_of_string s.
Coercion bytes_of : string >-> text.

Definition same (a b : text) : bool := all2 Ascii.eqb a b.

Lemma sameP a b : same a b <-> a = b.
Proof.
rewrite /same; elim: a b => [|x a IHa] [|y b] /=; try by split.
split=> [/andP[xy /IHa ->]|[<- <-]].
  by have /Ascii.eqb_eq -> : Ascii.eqb x y = true by [].
by rewrite Ascii.eqb_refl /=; apply/IHa.
Qed.

Inductive json :=
| Text (s : text)
| Number (n : N)
| Array (items : seq json)
| Object (members : seq (text * json)).

(* ---- Characters ---- *)
Definition code (c : ascii) : N := N_of_ascii c.
Definition between (a b : N) (c : ascii) : bool := (a <=? code c)%num && (code c <=? b)%num.
Definition quote : ascii := Eval compute in ascii_of_N 34.
Definition backslash : ascii := Eval compute in ascii_of_N 92.

(* Space, tab, line feed, carriage return. *)
Definition is_space (c : ascii) : bool := between 32 32 c || between 9 10 c || between 13 13 c.
Definition space (s : text) : bool := all is_space s.

Definition plain (c : ascii) : bool := between 32 127 c && ~~ Ascii.eqb c quote && ~~ Ascii.eqb c backslash.

(* Two to four bytes that are one character (RFC 3629, section 4). *)
Definition tail (c : ascii) : bool := between 128 191 c.
Definition sequence (s : text) : bool :=
  match s with
  | [:: a; b] => between 194 223 a && tail b
  | [:: a; b; c] => [|| between 224 224 a && between 160 191 b, between 225 236 a && tail b,
                        between 237 237 a && between 128 159 b | between 238 239 a && tail b] && tail c
  | [:: a; b; c; d] => [|| between 240 240 a && between 144 191 b, between 241 243 a && tail b |
                           between 244 244 a && between 128 143 b] && tail c && tail d
  | _ => false
  end.

(* The UTF-8 of a code point. *)
Definition encode (n : N) : text :=
  let last k := ascii_of_N (128 + N.modulo (N.div n k) 64)%num in
  if (n <? 128)%num then [:: ascii_of_N n]
  else if (n <? 2048)%num then [:: ascii_of_N (192 + N.div n 64)%num; last 1%num]
  else if (n <? 65536)%num then [:: ascii_of_N (224 + N.div n 4096)%num; last 64%num; last 1%num]
  else [:: ascii_of_N (240 + N.div n 262144)%num; last 4096%num; last 64%num; last 1%num].

(* What stands for which character after a backslash. *)
Definition escape (c : ascii) : option ascii :=
  let at_ x := between x x c in
  if at_ 34%num || at_ 92%num || at_ 47%num then Some c
  else if at_ 98%num then Some (ascii_of_N 8)
  else if at_ 102%num then Some (ascii_of_N 12)
  else if at_ 110%num then Some (ascii_of_N 10)
  else if at_ 114%num then Some (ascii_of_N 13)
  else if at_ 116%num then Some (ascii_of_N 9)
  else None.

Definition hex (c : ascii) : option N :=
  if between 48 57 c then Some (code c - 48)%num
  else if between 65 70 c then Some (code c - 55)%num
  else if between 97 102 c then Some (code c - 87)%num
  else None.

(* Four hexadecimal digits. *)
Definition hex4 (a b c d : ascii) : option N :=
  match hex a, hex b, hex c, hex d with
  | Some x, Some y, Some z, Some w => Some (4096 * x + 256 * y + 16 * z + w)%num
  | _, _, _, _ => None
  end.

Definition high (n : N) : bool := (55296 <=? n)%num && (n <=? 56319)%num.
Definition low (n : N) : bool := (56320 <=? n)%num && (n <=? 57343)%num.
Definition pair_of (n m : N) : N := (65536 + 1024 * (n - 55296) + (m - 56320))%num.

Definition u : ascii := Eval compute in ascii_of_N 117.

Inductive chars : text -> text -> Prop :=
| chars_end : chars [::] [::]
| chars_plain c s t : plain c -> chars s t -> chars (c :: s) (c :: t)
| chars_sequence q s t : sequence q -> chars s t -> chars (q ++ s) (q ++ t)
| chars_escape e c s t : escape e = Some c -> chars s t -> chars (backslash :: e :: s) (c :: t)
| chars_unicode a b c d n s t : hex4 a b c d = Some n -> ~~ high n -> ~~ low n -> chars s t ->
    chars ([:: backslash; u; a; b; c; d] ++ s) (encode n ++ t)
| chars_pair a b c d n e f g h m s t : hex4 a b c d = Some n -> high n -> hex4 e f g h = Some m -> low m ->
    chars s t -> chars ([:: backslash; u; a; b; c; d; backslash; u; e; f; g; h] ++ s) (encode (pair_of n m) ++ t).

(* ---- Numbers: 0, or one to nine digits of which the first is not 0 ---- *)
Definition digit (c : ascii) : option N := if between 48 57 c then Some (code c - 48)%num else None.
Definition decimal (s : text) : option N :=
  foldl (fun n c => match n, digit c with Some n, Some d => Some (10 * n + d)%num | _, _ => None end) (Some 0%num) s.

Definition numeral (s : text) (n : N) : Prop :=
  [&& 0 < size s, size s <= 9 & (size s == 1) || ~~ between 48 48 (head quote s)] /\ decimal s = Some n.

(* ---- Values ---- *)
Fixpoint distinct (keys : seq text) : bool :=
  match keys with
  | [::] => true
  | k :: keys' => ~~ has (same k) keys' && distinct keys'
  end.

Definition char (c : string) : text := bytes_of c.

Inductive value : json -> text -> Prop :=
| value_text raw s : chars raw s -> value (Text s) (quote :: raw ++ [:: quote])
| value_number s n : numeral s n -> value (Number n) s
| value_no_items w : space w -> value (Array [::]) (char "[" ++ w ++ char "]")
| value_array vs s : items vs s -> value (Array vs) (char "[" ++ s ++ char "]")
| value_no_members w : space w -> value (Object [::]) (char "{" ++ w ++ char "}")
| value_object ms s : members ms s -> distinct [seq m.1 | m <- ms] -> value (Object ms) (char "{" ++ s ++ char "}")
with items : seq json -> text -> Prop :=
| items_last v w s w' : space w -> value v s -> space w' -> items [:: v] (w ++ s ++ w')
| items_more v vs w s w' t : space w -> value v s -> space w' -> items vs t ->
    items (v :: vs) (w ++ s ++ w' ++ char "," ++ t)
with members : seq (text * json) -> text -> Prop :=
| members_last k v s : member k v s -> members [:: (k, v)] s
| members_more k v s ms t : member k v s -> members ms t -> members ((k, v) :: ms) (s ++ char "," ++ t)
with member : text -> json -> text -> Prop :=
| member_of raw k v w1 w2 w3 s w4 : space w1 -> chars raw k -> space w2 -> space w3 -> value v s -> space w4 ->
    member k v (w1 ++ quote :: raw ++ quote :: w2 ++ char ":" ++ w3 ++ s ++ w4).

Definition document (v : json) (s : text) : Prop :=
  exists w t w', [/\ s = w ++ t ++ w', space w, value v t & space w'].
