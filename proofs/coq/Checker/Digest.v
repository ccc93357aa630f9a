(* SPDX-License-Identifier: MIT *)
(* The digest of a file (SPEC, section 6): canonical bytes, and SHA-256 (FIPS 180-4).                         *)
(*                                                                                                            *)
(*   canonical_bytes v    the canonical bytes of a tree                                                       *)
(*   sha256 s             64 hexadecimal digits                                                               *)
(*   digest_of ms         what the key digest of a certificate with these members should say                  *)
(*   statement_digest ms  the first 128 bits of the SHA-256 of its claim and definitions                      *)
(*                                                                                                            *)
(* These are programs, compared with test vectors; no theorem speaks of them, and none needs them: a file     *)
(* with another digest is refused, one with the right digest is accepted only for the theorem's reasons.      *)
(* Everything is written to the end of a list that is kept in reverse, so that long files take no stack.      *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP.Checker Require Import Numbers Json Reader.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope seq_scope.

(* ---- Canonical bytes, in reverse ---- *)
Definition hex_digit (n : N) : ascii := ascii_of_N (if (n <? 10)%num then 48 + n else 87 + n)%num.

Definition add (s acc : text) : text := catrev s acc.

(* A code point, as \uXXXX or two of these. *)
Definition add_unit (n : N) (acc : text) : text :=
  let four k := hex_digit (N.modulo (N.div n k) 16) in
  [:: four 1%num, four 16%num, four 256%num, four 4096%num & add "\u"%string acc].
Definition add_code (n : N) (acc : text) : text :=
  if (n <? 65536)%num then add_unit n acc
  else let m := (n - 65536)%num in add_unit (56320 + N.modulo m 1024)%num (add_unit (55296 + N.div m 1024)%num acc).

Definition add_ascii (c : ascii) (acc : text) : text :=
  let at_ n := N.eqb (code c) n in
  if at_ 34%num || at_ 92%num then c :: backslash :: acc
  else if between 32 126 c then c :: acc
  else if at_ 8%num then add "\b"%string acc
  else if at_ 9%num then add "\t"%string acc
  else if at_ 10%num then add "\n"%string acc
  else if at_ 12%num then add "\f"%string acc
  else if at_ 13%num then add "\r"%string acc
  else add_unit (code c) acc.

(* The characters of UTF-8: n is what is known of the character, k how many bytes of it are still to come. *)
Definition add_byte (state : text * N * nat) (c : ascii) : text * N * nat :=
  let: (acc, n, k) := state in
  let more := (64 * n + N.modulo (code c) 64)%num in
  match k with
  | 0%N => if (code c <? 128)%num then (add_ascii c acc, 0%num, 0%N)
           else if (code c <? 224)%num then (acc, N.modulo (code c) 32, 1%N)
           else if (code c <? 240)%num then (acc, N.modulo (code c) 16, 2%N)
           else (acc, N.modulo (code c) 8, 3%N)
  | 1%N => (add_code more acc, 0%num, 0%N)
  | k'.+1 => (acc, more, k')
  end.

Definition add_text (s acc : text) : text := quote :: (foldl add_byte (quote :: acc, 0%num, 0%N) s).1.1.

(* Keys are sorted by code point, that is by the bytes of their UTF-8. *)
Fixpoint text_le (a b : text) : bool :=
  match a, b with
  | [::], _ => true
  | _, [::] => false
  | x :: a', y :: b' => (code x <? code y)%num || (N.eqb (code x) (code y) && text_le a' b')
  end.

(* What a function adds of each, with commas between. *)
Definition add_all A (one : A -> text -> text) (s : seq A) (acc : text) : text :=
  match s with
  | [::] => acc
  | x :: s' => foldl (fun acc y => one y (add ","%string acc)) (one x acc) s'
  end.

Fixpoint add_value (v : json) : text -> text :=
  match v with
  | Text s => add_text s
  | Number n => add (numeral_of n)
  | Array vs => let fs := map add_value vs in fun acc => add "]"%string (add_all id fs (add "["%string acc))
  | Object ms =>
    let fs := map (fun m => (m.1, add_value m.2)) ms in
    let sorted := sort (fun a b => text_le a.1 b.1) fs in
    fun acc => add "}"%string (add_all (fun m acc => m.2 (add ":"%string (add_text m.1 acc))) sorted (add "{"%string acc))
  end.

Definition canonical_bytes (v : json) : text := rev (add_value v [::]).

(* ---- SHA-256, on words of 32 bits ---- *)
Definition word (n : N) : N := N.modulo n 4294967296.
Definition rotate (k : N) (x : N) : N := N.lor (N.shiftr x k) (N.shiftl (N.modulo x (N.shiftl 1 k)) (32 - k)).
Definition three (a b c : N) (x : N) : N := N.lxor (N.lxor (rotate a x) (rotate b x)) (rotate c x).
Definition two (a b k : N) (x : N) : N := N.lxor (N.lxor (rotate a x) (rotate b x)) (N.shiftr x k).

Definition constants : seq N := [::
  1116352408; 1899447441; 3049323471; 3921009573; 961987163; 1508970993; 2453635748; 2870763221;
  3624381080; 310598401; 607225278; 1426881987; 1925078388; 2162078206; 2614888103; 3248222580;
  3835390401; 4022224774; 264347078; 604807628; 770255983; 1249150122; 1555081692; 1996064986;
  2554220882; 2821834349; 2952996808; 3210313671; 3336571891; 3584528711; 113926993; 338241895;
  666307205; 773529912; 1294757372; 1396182291; 1695183700; 1986661051; 2177026350; 2456956037;
  2730485921; 2820302411; 3259730800; 3345764771; 3516065817; 3600352804; 4094571909; 275423344;
  430227734; 506948616; 659060556; 883997877; 958139571; 1322822218; 1537002063; 1747873779;
  1955562222; 2024104815; 2227730452; 2361852424; 2428436474; 2756734187; 3204031479; 3329325298]%num.

Record state := State { a_ : N; b_ : N; c_ : N; d_ : N; e_ : N; f_ : N; g_ : N; h_ : N }.

Definition start : state := State 1779033703 3144134277 1013904242 2773480762 1359893119 2600822924 528734635 1541459225.

(* One of 64 rounds.  The list holds the next 16 words of the schedule, and drops one at each round. *)
Definition round (sw : state * seq N) (k : N) : state * seq N :=
  let: (s, ws) := sw in
  match ws with
  | [:: w0; w1; w2; w3; w4; w5; w6; w7; w8; w9; w10; w11; w12; w13; w14; w15] =>
    let choice := N.lxor (N.land (e_ s) (f_ s)) (N.land (4294967295 - e_ s) (g_ s)) in
    let majority := N.lxor (N.lxor (N.land (a_ s) (b_ s)) (N.land (a_ s) (c_ s))) (N.land (b_ s) (c_ s)) in
    let t1 := (h_ s + three 6 11 25 (e_ s) + choice + k + w0)%num in
    let t2 := (three 2 13 22 (a_ s) + majority)%num in
    let w16 := word (two 17 19 10 w14 + w9 + two 7 18 3 w1 + w0) in
    (State (word (t1 + t2)) (a_ s) (b_ s) (c_ s) (word (d_ s + t1)) (e_ s) (f_ s) (g_ s),
     [:: w1; w2; w3; w4; w5; w6; w7; w8; w9; w10; w11; w12; w13; w14; w15; w16])
  | _ => sw
  end.

Definition block (s : state) (ws : seq N) : state :=
  let t := (foldl round (s, ws) constants).1 in
  State (word (a_ s + a_ t)) (word (b_ s + b_ t)) (word (c_ s + c_ t)) (word (d_ s + d_ t))
        (word (e_ s + e_ t)) (word (f_ s + f_ t)) (word (g_ s + g_ t)) (word (h_ s + h_ t)).

(* The bytes of a message come one by one: the state after whole blocks, the words of the block that is begun *)
(* (in reverse, so many), the word that is begun, and so many bytes of it. *)
Record progress := Progress { done_ : state; words : seq N; count : N; begun : N; bytes : N }.

Definition eat (p : progress) (b : N) : progress :=
  let w := (256 * begun p + b)%num in
  if (bytes p <? 3)%num then Progress (done_ p) (words p) (count p) w (bytes p + 1)
  else if (count p <? 15)%num then Progress (done_ p) (w :: words p) (count p + 1) 0 0
  else Progress (block (done_ p) (rev (w :: words p))) [::] 0 0 0.

Definition hex8 (acc : text) (n : N) : text :=
  foldl (fun acc k => hex_digit (N.modulo (N.shiftr n k) 16) :: acc) acc [:: 28; 24; 20; 16; 12; 8; 4; 0]%num.

(* A byte 128, zeros up to the last eight bytes of a block, and the length in bits. *)
Definition sha256 (s : text) : text :=
  let p := foldl (fun p c => eat p (code c)) (Progress start [::] 0 0 0) s in
  let length := foldl (fun n _ => N.succ n) 0%num s in
  let zeros := N.modulo (64 + 55 - N.modulo length 64) 64 in
  let p := N.iter zeros (fun p => eat p 0) (eat p 128) in
  let p := foldl (fun p k => eat p (N.modulo (N.shiftr (8 * length) k) 256)) p [:: 56; 48; 40; 32; 24; 16; 8; 0]%num in
  let s := done_ p in
  rev (foldl hex8 [::] [:: a_ s; b_ s; c_ s; d_ s; e_ s; f_ s; g_ s; h_ s]).

(* ---- The digest of a certificate ---- *)
Definition digested : seq text := [:: "format" : text; "version" : text; "claim" : text; "definitions" : text; "witness" : text]%string.

Definition digest_of (ms : seq (text * json)) : text :=
  bytes_of "sha256:" ++ sha256 (canonical_bytes (Object [seq m <- ms | has (same m.1) digested])).

(* Claim and definitions are the whole theorem: its digest, abbreviated, stands in the sentence (section 5). *)
Definition statement_digest (ms : seq (text * json)) : text :=
  take 32 (sha256 (canonical_bytes (Object [seq m <- ms | has (same m.1) [:: "claim" : text; "definitions" : text]%string]))).

(* Test vectors: those of FIPS 180-4, and one of a tree. *)
Example sha256_of_nothing :
  same (sha256 [::]) "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"%string.
Proof. by vm_compute. Qed.

Example sha256_of_one_block : same (sha256 "abc"%string) "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"%string.
Proof. by vm_compute. Qed.

Example sha256_of_two_blocks :
  same (sha256 "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"%string)
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"%string.
Proof. by vm_compute. Qed.

(* {"b": [0, 12], "a": "quote, line feed, DEL, U+00E9, U+1F600"} *)
Example canonical_bytes_of_a_tree :
  let label := [seq ascii_of_N n | n <- [:: 34; 10; 127; 195; 169; 240; 159; 152; 128]%num] in
  same (canonical_bytes (Object [:: ("b"%string : text, Array [:: Number 0; Number 12]); ("a"%string : text, Text label)]))
       "{""a"":""\""\n\u007f\u00e9\ud83d\ude00"",""b"":[0,12]}"%string.
Proof. by vm_compute. Qed.
