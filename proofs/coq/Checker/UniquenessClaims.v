(* SPDX-License-Identifier: MIT *)
(* Claims about unique optima and remaps, and releases (SPEC, sections 4.5 and 4.6).                          *)
(* What they mean is stated here; what decides them is in UniquenessCheck.v.                                  *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import OrderedField Mechanism Geometric Release.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show Printer.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.
Local Open Scope ring_scope.

(* Of a release the coalitions: their members, numbered from 0 as the levels are, and a level for each. *)
Inductive claim :=
| Unique (near : neighbours) (level : Q) (c : consumer) (value : Q) (m : table)
| NotUnique (near : neighbours) (level : Q) (c : consumer) (value : Q)
| UniqueRemap (m : table) (c : consumer) (value : Q) (remap : table)
| NotUniqueRemap (m : table) (c : consumer) (value : Q)
| Release (n : nat) (levels : seq Q) (coalitions : seq (seq N * Q)).

(* ---- What is read ---- *)
(* The names of definitions in a claim: those that Reader.v knows. *)
Definition names_in (v : json) : seq text := [::].

(* All subsets of 0, ..., k - 1, ordered by the sum of the powers of two of their members. *)
Fixpoint subsets (k : nat) : seq (seq N) :=
  match k with
  | O => [:: [::]]
  | k'.+1 => let s := subsets k' in s ++ [seq rcons C (N.of_nat k') | C <- s]
  end.

(* All that are not empty, in this order. *)
Definition lists_coalitions (k : nat) (Cs : seq (seq N)) : bool :=
  if N.eqb (N.of_nat (size Cs).+1) (2 ^ N.of_nat k) then all2 (all2 N.eqb) Cs (behead (subsets k)) else false.

Definition levels_rise (levels : seq Q) : bool := (0 < size levels)%N && sorted Q_lt levels.

Definition coalition_of (k : nat) (v : json) : option (seq N * Q) :=
  let! ms := object_of [:: "members" : text; "level" : text] [::] v in
  let! m := find_key "members" ms in let! members := indices_of (N.of_nat k) m in
  let! a := scalar_at "level" ms in Some (members, a).

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    if same k "unique" then
      let! _ := object_of (best_keys ++ [:: "mechanism" : text]) [::] v in
      let! (near, a, c, v) := question_of defs ms in
      let! m := named mechanism_of defs "mechanism" ms in Some (Unique near a c v m)
    else if same k "not-unique" then
      let! _ := object_of best_keys [::] v in
      let! (near, a, c, v) := question_of defs ms in Some (NotUnique near a c v)
    else if same k "unique-remap" then
      let! _ := object_of (remap_keys ++ [:: "remap" : text]) [::] v in
      let! (m, c, v) := remap_question_of defs ms in
      let! r := named mechanism_of defs "remap" ms in Some (UniqueRemap m c v r)
    else if same k "not-unique-remap" then
      let! _ := object_of remap_keys [::] v in
      let! (m, c, v) := remap_question_of defs ms in Some (NotUniqueRemap m c v)
    else if same k "release" then
      let! _ := object_of [:: "kind" : text; "n" : text; "levels" : text; "coalitions" : text] [::] v in
      let! x := find_key "n" ms in let! n := count_of x in
      let! x := find_key "levels" ms in let! vs := array_of x in let! levels := all_of level_of vs in
      let! x := find_key "coalitions" ms in let! vs := array_of x in
      let! coalitions := all_of (coalition_of (size levels)) vs in
      demand [&& (0 < n)%N, levels_rise levels & lists_coalitions (size levels) [seq C.1 | C <- coalitions]] in
      Some (Release n levels coalitions)
    else None
  | _ => None
  end.

(* ---- What it means ---- *)
Section Meaning.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).

(* A non-empty set of results, in increasing order. *)
Definition is_coalition (k : nat) (C : seq N) : bool :=
  [&& (0 < size C)%N, sorted N.ltb C & all (fun i => (i <? N.of_nat k)%num) C].

(* What the coalition C sees, when the stages Ts run one after the other: the joint law of its results for    *)
(* each input, with the tuples of results as outputs. *)
Definition seen_by n (Ts : seq 'M[R]_n.+1) (C : seq N) : 'M[R]_(n.+1, #|{: (size C).-tuple 'I_n.+1}|) :=
  \matrix_(i, s) expect i Ts (fun rs => ([seq nth ord0 rs (N.to_nat k) | k <- C] == tval (enum_val s))%:R).

(* A mechanism on the path that is private at the levels up to a, and at no other. *)
Definition tight_at n m (X : 'M[R]_(n.+1, m)) (a : R) :=
  stochastic X /\ forall b, 0 < b < 1 -> private b X <-> b <= a.

Definition meaning (c : claim) : Prop :=
  match c with
  | Unique near a c v t =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      let X := matrix_of R p m (content t) in
      [/\ [/\ inputs (loss_of c) = vertices near, inputs t = vertices near & outputs t = outputs (loss_of c)],
          0 < of_Q a < 1 /\ proper R p c, none_below near p m (of_Q a) c (of_Q v),
          mechanism_for near (of_Q a) X /\ loss_is c X (of_Q v) &
          forall Y : 'M[R]_(p, m), mechanism_for near (of_Q a) Y -> loss_le c Y (of_Q v) -> Y = X]
  | NotUnique near a c v =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      [/\ inputs (loss_of c) = vertices near, 0 < of_Q a < 1, proper R p c, none_below near p m (of_Q a) c (of_Q v) &
          exists X Y : 'M[R]_(p, m),
            [/\ X != Y, mechanism_for near (of_Q a) X, mechanism_for near (of_Q a) Y,
                loss_is c X (of_Q v) & loss_is c Y (of_Q v)]]
  | UniqueRemap t c v r =>
      let p := size (inputs t) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      let M := matrix_of R p q (content t) in let T := matrix_of R q m (content r) in
      [/\ [/\ inputs (loss_of c) = inputs t, inputs r = outputs t & outputs r = outputs (loss_of c)],
          stochastic M /\ proper R p c, none_below_remap m M c (of_Q v),
          stochastic T /\ loss_is c (M *m T) (of_Q v) &
          forall S : 'M[R]_(q, m), stochastic S -> loss_le c (M *m S) (of_Q v) -> S = T]
  | NotUniqueRemap t c v =>
      let p := size (inputs t) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      let M := matrix_of R p q (content t) in
      [/\ inputs (loss_of c) = inputs t, stochastic M, proper R p c, none_below_remap m M c (of_Q v) &
          exists S T : 'M[R]_(q, m),
            [/\ S != T, stochastic S, stochastic T, loss_is c (M *m S) (of_Q v) & loss_is c (M *m T) (of_Q v)]]
  | Release n levels coalitions =>
      let k := size levels in let level c := nth 0 [seq of_Q a | a <- levels] c in
      [/\ (0 < n)%N, (0 < k)%N, (forall c, (c < k)%N -> 0 < level c < 1) /\ (forall c, (c.+1 < k)%N -> level c < level c.+1),
          forall C, is_coalition k C <-> List.In C [seq x.1 | x <- coalitions] &
          exists Ts : seq 'M[R]_n.+1,
            [/\ size Ts = k, {in Ts, forall T, stochastic T},
                forall c i s, (c < k)%N -> expect i Ts (fun rs => (nth ord0 rs c == s)%:R) = geometric n (level c) i s &
                forall C a, List.In (C, a) coalitions -> tight_at (seen_by Ts C) (of_Q a)]]
  end.
End Meaning.

(* ---- What is printed ---- *)
Definition has_level_of_first (levels : seq Q) (C : seq N * Q) : bool :=
  Q_eq (nth (Qmake 0 1) levels (N.to_nat (head 0%num C.1))) C.2.

Definition sentence (c : claim) : text :=
  match c with
  | Unique near a c v m => show_bound near a c v (t "the " ++ show_mechanism m ++ t " alone attains it")
  | NotUnique near a c v => show_bound near a c v (t "more than one attains it")
  | UniqueRemap m c v r => show_remap_bound m c v (t "the " ++ show_mechanism r ++ t " alone attains it")
  | NotUniqueRemap m c v => show_remap_bound m c v (t "more than one attains it")
  | Release n levels coalitions =>
      t "The geometric mechanisms G(" ++ numeral_of (N.of_nat n) ++ t ", a), a = " ++ join (t ", ") [seq show_Q a | a <- levels] ++
      t ", have a joint law in which each result is computed from the one before, and what each of the " ++
      numeral_of (N.of_nat (size coalitions)) ++ t " coalitions sees has on path(" ++ numeral_of (N.of_nat n.+1) ++ t ") the level " ++
      (if all (has_level_of_first levels) coalitions then t "of its first member." else t "that the claim states for it.")
  end.
