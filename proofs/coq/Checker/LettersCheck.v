(* SPDX-License-Identifier: MIT *)
(* What decides the claims of LettersClaims.v, and its soundness.  Every condition is the sign of a           *)
(* polynomial on the interval (PolynomialSign.v).                                                             *)
(*   sound_in       the denominators of a table are > 0, its size is right      (sound_inP)                   *)
(*   stochastic_in, private_in, violated_in, negative_in, product_in           (stochastic_inP, ...)          *)
(*   check_sound    what is accepted is true for every number of the interval                                 *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism Form Geometric.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables Check GraphShape OptimalOnGraph.
From ExactDP.Checker Require Import PolynomialSign LettersClaims.
From ExactDP.Checker Require OptimalityClaims OptimalityCheck.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Definition lines := seq (polynomial * seq polynomial).

Inductive instance_witness :=
| Nothing_in
| Entry_in (i : nat) (j : option nat)
| Pair_in (i j r : nat)
| Remap_in (rows : lines)
| Shape_in (s : shape).

Definition witness := seq instance_witness.

(* ---- Witnesses ---- *)
Section Witnesses.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition place_of (bound : nat) (v : json) : option nat := let! i := index_of (N.of_nat bound) v in Some (N.to_nat i).

Definition instance_witness_in (c : instance) (v : json) : option instance_witness :=
  match c with
  | NotStochasticIn t =>
      let! ms := object_of [:: "row" : text] [:: "column" : text] v in
      let! r := find_key "row" ms in let! i := place_of (size (inputs_in t)) r in
      let! j := optional (place_of (size (outputs_in t))) "column" ms in Some (Entry_in i j)
  | PrivateIn _ _ _ => let! _ := object_of [::] [::] v in Some Nothing_in
  | NotPrivateIn m _ _ =>
      let! ms := object_of [:: "pair" : text; "output" : text] [::] v in
      let! o := find_key "output" ms in let! r := place_of (size (outputs_in m)) o in
      match find_key "pair" ms with
      | Some (Array [:: i; j]) =>
          let! x := place_of (size (inputs_in m)) i in let! y := place_of (size (inputs_in m)) j in Some (Pair_in x y r)
      | _ => None
      end
  | DerivableIn a b =>
      let! ms := object_of [:: "remap" : text] [::] v in let! r := find_key "remap" ms in
      let! vs := array_of r in demand size vs == size (outputs_in a) in
      let! rows := all_of (line_in (size (outputs_in b))) vs in Some (Remap_in rows)
  | NoneUniversallyOptimalIn near _ l =>
      let! w := OptimalityCheck.witness_in (OptimalityClaims.NoneUniversallyOptimal near (Qmake 0 1) l) v in
      if w is OptimalityCheck.ByShape s then Some (Shape_in s) else None
  | UniversallyOptimalIn _ _ _ _ => None
  end.

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | Everywhere _ _ c => let! w := instance_witness_in c v in Some [:: w]
  | OnPieces _ _ pieces =>
      let! ms := object_of [:: "pieces" : text] [::] v in let! ps := find_key "pieces" ms in let! vs := array_of ps in
      demand size vs == size pieces in
      all_of (fun cv => instance_witness_in cv.1 cv.2) (zip [seq p.2 | p <- pieces] vs)
  end.
End Witnesses.

(* ---- What is computed ---- *)
Definition over_at (rows : lines) (i : nat) : polynomial := (nth ([::], [::]) rows i).1.
Definition entry_at (rows : lines) (i j : nat) : polynomial := nth [::] (nth ([::], [::]) rows i).2 j.

(* (a^d s_j) (m^n (k + m)) for the level a = k/m. *)
Definition geometric_in (n : nat) (a : scalar) (i j : nat) : polynomial :=
  let k := upper a in let m := lower a in let d := dist i j in
  times_p (times_p (power_p k d) (power_p m (n - d)))
          (if n == 0%N then plus_p k m else if (j == 0%N) || (j == n) then m else minus_p m k).

Definition lines_in (e : entries_in) : lines :=
  match e with
  | RowsIn rows => rows
  | GeometricIn n a =>
      let over := times_p (power_p (lower a) n) (plus_p (upper a) (lower a)) in
      [seq (over, [seq geometric_in n a i j | j <- iota 0 n.+1]) | i <- iota 0 n.+1]
  end.

Definition is_level_in (J : interval) (a : scalar) : bool :=
  [&& pos_on J (lower a), pos_on J (upper a) & pos_on J (minus_p (lower a) (upper a))].

Definition sound_in (J : interval) (p m : nat) (e : entries_in) : bool :=
  match e with
  | RowsIn rows => (size rows == p) && all (fun r => pos_on J r.1) rows
  | GeometricIn n a => [&& is_level_in J a, p == n.+1 & m == n.+1]
  end.

Definition sum_p (s : seq polynomial) : polynomial := foldr plus_p [::] s.

Definition stochastic_in (J : interval) (p m : nat) (X : lines) : bool :=
  all (fun i => all (fun j => nonneg_on J (entry_at X i j)) (iota 0 m) &&
                zero_on J (minus_p (sum_p [seq entry_at X i j | j <- iota 0 m]) (over_at X i))) (iota 0 p).

(* m^e u^k z^k - l^e v^k w^k, where the level is l/m, the distance e/k, and the numbers are u/w and v/z. *)
Definition excess_in (a : scalar) (d : Q) (X : lines) (i j r : nat) : polynomial :=
  let e := Z.to_nat (Qnum d) in let k := Pos.to_nat (Qden d) in
  minus_p (times_p (power_p (lower a) e) (power_p (times_p (entry_at X i r) (over_at X j)) k))
          (times_p (power_p (upper a) e) (power_p (times_p (entry_at X j r) (over_at X i)) k)).

Definition private_in (J : interval) (p m : nat) (near : neighbours) (a : scalar) (X : lines) : bool :=
  all (fun e : N * N * Q => let i := N.to_nat e.1.1 in let j := N.to_nat e.1.2 in
         all (fun r => nonneg_on J (excess_in a e.2 X i j r) && nonneg_on J (excess_in a e.2 X j i r)) (iota 0 m)) (pairs near).

Definition violated_in (J : interval) (p m : nat) (near : neighbours) (a : scalar) (X : lines) (i j r : nat) : bool :=
  [&& (i < p)%N, (j < p)%N, (r < m)%N &
      has (fun e : N * N * Q => (is_pair i j e || is_pair j i e) && pos_on J (scaled_p (-1) (excess_in a e.2 X i j r))) (pairs near)].

(* An entry < 0; or a row whose sum is nowhere 1. *)
Definition negative_in (J : interval) (p m : nat) (X : lines) (i : nat) (j : option nat) : bool :=
  (i < p)%N &&
  match j with
  | Some j => (j < m)%N && pos_on J (scaled_p (-1) (entry_at X i j))
  | None => let d := minus_p (sum_p [seq entry_at X i j | j <- iota 0 m]) (over_at X i) in
            pos_on J d || pos_on J (scaled_p (-1) d)
  end.

(* Fractions; those with the same denominator are added fast. *)
Definition fraction := (polynomial * polynomial)%type.
Definition same_p (p q : polynomial) : bool := all2 Z.eqb p q.
Definition plus_f (x y : fraction) : fraction :=
  if same_p x.2 y.2 then (plus_p x.1 y.1, x.2) else (plus_p (times_p x.1 y.2) (times_p y.1 x.2), times_p x.2 y.2).

Definition product_at (m : nat) (A T : lines) (i r : nat) : fraction :=
  foldr (fun y f => plus_f (times_p (entry_at A i y) (entry_at T y r), over_at T y) f) ([::], [:: 1%Z]) (iota 0 m).

Definition product_in (J : interval) (p m k : nat) (A B T : lines) : bool :=
  [&& all (fun r => pos_on J r.1) T, size T == m, stochastic_in J m k T &
  all (fun i => all (fun r => let f := product_at m A T i r in
    zero_on J (minus_p (times_p f.1 (over_at B i)) (times_p (entry_at B i r) (times_p f.2 (over_at A i))))) (iota 0 k)) (iota 0 p)].

Definition none_in (J : interval) (near : neighbours) (a : scalar) (l : table) (s : shape) : bool :=
  let p := size (vertices near) in let m := size (outputs l) in
  [&& agree (inputs l) (vertices near), is_level_in J a &
  if integers_at p m l is Some L then
    obstacle_where (fun k => pos_on J (minus_p (scaled_p (k - 1) (upper a)) (lower a))) p m near L s
  else false].

Definition check_on (J : interval) (c : instance) (w : instance_witness) : bool :=
  proper_interval J &&
  match c, w with
  | NotStochasticIn t, Entry_in i j =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in
      sound_in J p m e && negative_in J p m (lines_in e) i j
  | PrivateIn t near a, Nothing_in =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in let X := lines_in e in
      [&& agree (inputs_in t) (vertices near), is_level_in J a, sound_in J p m e, stochastic_in J p m X &
          private_in J p m near a X]
  | NotPrivateIn t near a, Pair_in i j r =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in let X := lines_in e in
      [&& agree (inputs_in t) (vertices near), is_level_in J a, sound_in J p m e, stochastic_in J p m X &
          violated_in J p m near a X i j r]
  | DerivableIn a b, Remap_in T =>
      let p := size (inputs_in a) in let m := size (outputs_in a) in let k := size (outputs_in b) in
      let A := lines_in (content_in a) in let B := lines_in (content_in b) in
      [&& agree (inputs_in a) (inputs_in b), sound_in J p m (content_in a), sound_in J p k (content_in b),
          stochastic_in J p m A, stochastic_in J p k B & product_in J p m k A B T]
  | NoneUniversallyOptimalIn near a l, Shape_in s => none_in J near a l s
  | _, _ => false
  end.

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | Everywhere _ J c, [:: w] => check_on J c w
  | OnPieces _ J pieces, ws =>
      [&& proper_interval J, covered J [seq q.1 | q <- pieces], size ws == size pieces &
          all (fun qw => check_on qw.1.1 qw.1.2 qw.2) (zip pieces ws)]
  | _, _ => false
  end.

(* ---- Soundness ---- *)
Section Soundness.
Local Open Scope ring_scope.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Local Notation at_ p x := (@polynomial_at R p x).
Add Field R_field : (field_theory_of R).

Section At.
Variables (J : interval) (x : R).
Hypothesis x_J : within J x.

Definition tabled p m (X : lines) (M : 'M[R]_(p, m)) :=
  (forall i : 'I_p, 0 < at_ (over_at X i) x) /\ forall i j, M i j = at_ (entry_at X i j) x / at_ (over_at X i) x.

Lemma is_level_inP a : is_level_in J a -> level_at x a.
Proof.
case/and3P=> /(pos_onP x_J) l_gt0 /(pos_onP x_J) u_gt0 /(pos_onP x_J); rewrite at_minus subr_gt0 => lt.
by split=> //; rewrite /scalar_at divr_gt0 //= ltr_pdivr_mulr // mul1r.
Qed.

Lemma none_inP near a l s : none_in J near a l s -> holds_at x (NoneUniversallyOptimalIn near a l).
Proof.
case/and3P=> /agreeP in_l /is_level_inP a_level; case E: integers_at => [L|] // shown.
have [l_gt0 /andP[a_gt0 a_lt1]] := a_level; split=> // k M.
apply: (obstacle_whereP (integers_atP R E) a_gt0 a_lt1 _ shown) => z /(pos_onP x_J).
rewrite at_minus at_scaled of_ZB of_Z1 subr_gt0 => many.
by rewrite /scalar_at mulrA ltr_pdivl_mulr // mul1r.
Qed.

End At.
End Soundness.
