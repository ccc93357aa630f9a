(* SPDX-License-Identifier: MIT *)
(* The kinds private, not-private and level where a distance is a square root (SPEC, sections 2 and 3).       *)
(* What they mean is stated here; what decides them is in RootsCheck.v.                                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import OrderedField Mechanism.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.
Local Open Scope ring_scope.

(* A rational, or the square root of one. *)
Inductive distance := Rational (q : Q) | Root (q : Q).

Record far := Far { called : text; points : seq text; spans : seq (N * N * distance) }.

Inductive claim :=
| Private (m : table) (near : far) (level : Q)
| NotPrivate (m : table) (near : far) (level : Q)
| Level (m : table) (near : far) (ratio : Q) (d : distance).

(* ---- What is read ---- *)
(* The names of definitions in a claim: those that Reader.v knows. *)
Definition names_in (v : json) : seq text := [::].

(* A limit of this checker: numbers under roots have at most 4096 bits. *)
Definition is_square (z : Z) : bool := let r := Z.sqrt z in (r * r =? z)%Z.

Definition root_in (s : text) : option Q :=
  let k := (size s - 6)%N in
  demand same s (bytes_of "sqrt(" ++ take k (drop 5 s) ++ bytes_of ")") in
  let! q := rational_of (take k (drop 5 s)) in
  demand (0 <? Qnum q)%Z && (Qnum q <? 2 ^ 4096)%Z && (Zpos (Qden q) <? 2 ^ 4096)%Z in
  demand ~~ (is_square (Qnum q) && is_square (Zpos (Qden q))) in Some q.

Definition far_distance_of (v : json) : option distance :=
  match distance_of v with
  | Some q => Some (Rational q)
  | None => let! s := text_of v in let! q := root_in s in Some (Root q)
  end.

Definition span_of (bound : N) (v : json) : option (N * N * distance) :=
  match v with
  | Array [:: i; j; d] => let! x := index_of bound i in let! y := index_of bound j in
      let! q := far_distance_of d in Some (x, y, q)
  | _ => None
  end.

Definition far_of (name : text) (v : json) : option far :=
  let! ms := object_of [:: "type" : text; "vertices" : text; "pairs" : text] [::] v in
  demand same (type_of v) "distances" in
  let! l := find_key "vertices" ms in let! labels := labels_of l in
  let! e := find_key "pairs" ms in let! vs := array_of e in
  let! ps := all_of (span_of (N.of_nat (size labels))) vs in
  demand all (fun p => (p.1.1 <? p.1.2)%num) ps && pairs_increase [seq (p.1, Qmake 1 1) | p <- ps] in
  Some (Far (bytes_of "distances " ++ name) labels ps).

(* Neighbours that are read elsewhere, at rational distances only. *)
Definition far_from (near : neighbours) : far :=
  Far (title near) (vertices near) [seq (e.1, Rational e.2) | e : N * N * Q <- pairs near].

Definition any_far_of (name : text) (v : json) : option far :=
  if neighbours_of name v is Some near then Some (far_from near) else far_of name v.

Definition is_root (d : distance) : bool := if d is Root _ then true else false.

(* Where all distances are rational the claim is one of Syntax.v. *)
Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    if same k "private" || same k "not-private" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "neighbours" : text; "level" : text] [::] v in
      let! m := named mechanism_of defs "mechanism" ms in
      let! near := named any_far_of defs "neighbours" ms in
      let! l := find_key "level" ms in let! a := level_of l in
      demand has (fun e : N * N * distance => is_root e.2) (spans near) in
      Some (if same k "private" then Private m near a else NotPrivate m near a)
    else if same k "level" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "neighbours" : text; "ratio" : text; "distance" : text] [::] v in
      let! m := named mechanism_of defs "mechanism" ms in
      let! near := named any_far_of defs "neighbours" ms in
      let! ratio := scalar_at "ratio" ms in let! e := find_key "distance" ms in let! d := far_distance_of e in
      let z := Qnum ratio in let one := Zpos (Qden ratio) in
      demand ((0 <? z)%Z && (z <? one)%Z) ||
             (((z =? 0)%Z || (z =? one)%Z) && if d is Rational q then (Qnum q =? 1)%Z && Pos.eqb (Qden q) 1 else false) in
      demand is_root d || has (fun e : N * N * distance => is_root e.2) (spans near) in
      Some (Level m near ratio d)
    else None
  | _ => None
  end.

(* ---- What it means ---- *)
Section Meaning.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).

(* b^d y <= x, for 0 < b < 1 and x, y >= 0, without real powers.  A rational d = e/k stands for b^e y^k <= x^k. *)
(* A root d is approached from above: b^c y <= x for all rational c = e/k > d, which is e^2 > q k^2.  For the   *)
(* real numbers this is b^d y <= x, because b^c rises to b^d as c falls to d; and in a field where roots are   *)
(* missing it says the same of the numbers that are there.                                                    *)
Definition power_le (b : R) (d : distance) (y x : R) : Prop :=
  match d with
  | Rational q => b ^+ Z.to_nat (Qnum q) * y ^+ Pos.to_nat (Qden q) <= x ^+ Pos.to_nat (Qden q)
  | Root q => forall e k : nat, (0 < k)%N -> of_Q q * k%:R ^+ 2 < e%:R ^+ 2 -> b ^+ e * y ^+ k <= x ^+ k
  end.

(* Pairs are constrained in both orders. *)
Definition spanned (near : far) (i j : nat) (d : distance) :=
  let span x y := ((N.of_nat x, N.of_nat y), d) in
  List.In (span i j) (spans near) \/ List.In (span j i) (spans near).

Definition private_far (near : far) p m (a : R) (X : 'M[R]_(p, m)) :=
  forall (i j : 'I_p) d r, spanned near i j d -> power_le a d (X j r) (X i r).

Definition meaning (c : claim) : Prop :=
  match c with
  | Private m near a =>
      let X := matrix_of R (size (inputs m)) (size (outputs m)) (content m) in
      [/\ inputs m = points near, 0 < of_Q a < 1, stochastic X & private_far near (of_Q a) X]
  | NotPrivate m near a =>
      let X := matrix_of R (size (inputs m)) (size (outputs m)) (content m) in
      [/\ inputs m = points near, 0 < of_Q a < 1, stochastic X & ~ private_far near (of_Q a) X]
  | Level m near ratio d =>
      let X := matrix_of R (size (inputs m)) (size (outputs m)) (content m) in
      [/\ inputs m = points near, stochastic X, 0 <= of_Q ratio <= 1 &
          forall b, 0 < b < 1 -> private_far near b X <-> power_le b d 1 (of_Q ratio)]
  end.

(* At rational distances this is [private_for]. *)
Lemma far_from_private near p m (a : R) (X : 'M[R]_(p, m)) : private_far (far_from near) a X <-> private_for near a X.
Proof.
have in_far i j d : List.In ((i, j), d) (spans (far_from near)) <-> exists2 q, d = Rational q & List.In ((i, j), q) (pairs near).
  split=> [d_in|[q -> q_in]]; last exact: (List.in_map (fun e : N * N * Q => (e.1, Rational e.2)) _ _ q_in).
  by have [[[x y] q] q_in [-> -> ->]] := In_map d_in; exists q.
split=> X_priv i j d r ij.
  apply: (X_priv i j (Rational d) r); case: ij => d_in; [left | right]; apply/in_far; by exists d.
by case: ij => /in_far[q -> q_in]; apply: X_priv; [left | right].
Qed.
End Meaning.

(* ---- What is printed ---- *)
Definition show_distance (d : distance) : text :=
  match d with
  | Rational q => show_Q q
  | Root q => t "sqrt(" ++ show_Q q ++ t ")"
  end.

Definition sentence (c : claim) : text :=
  match c with
  | Private m near a => t "The " ++ show_mechanism m ++ t " is (alpha = " ++ show_Q a ++ t ")-private on " ++ called near ++ t "."
  | NotPrivate m near a => t "The " ++ show_mechanism m ++ t " is not (alpha = " ++ show_Q a ++ t ")-private on " ++ called near ++ t "."
  | Level m near ratio d =>
      if (Qnum ratio =? 0)%Z then t "The " ++ show_mechanism m ++ t " is private at no level on " ++ called near ++ t "."
      else let level := if d is Rational (QArith_base.Qmake 1 1) then show_Q ratio
                        else t "(" ++ show_Q ratio ++ t ")^(1/(" ++ show_distance d ++ t "))" in
           t "The largest level at which the " ++ show_mechanism m ++ t " is private on " ++ called near ++ t " is alpha = " ++ level ++ t "."
  end.
