(* SPDX-License-Identifier: MIT *)
(* Claims over several letters (SPEC, section 2.2): one definition is a region, where some polynomials in the *)
(* letters are > 0 and others >= 0, and the claim holds for every point of it; or for one point of it.        *)
(* What they mean is stated here; what decides them is in RegionsCheck.v.                                     *)
(*   evaluate r p x       the value of the polynomial p where the letters are x 0, x 1, ... (Positivity.v)    *)
(*   in_region x G        x is in the region G                                                                *)
(*   point G              the point that the file names                                                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import Positivity.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Show PolynomialClaims.
From ExactDP.Checker Require LettersClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

(* ---- Polynomials with binary integers ---- *)
Definition binary : coefficients :=
  @Coefficients Z 1%Z Z.add Z.mul Z.opp (fun z => (z =? 0)%Z) (fun z => (0 <? z)%Z).

Definition several := Positivity.polynomial binary.

Definition number_of_Z (z : Z) : several := if (z =? 0)%Z then [::] else [:: (z, [::])].

Definition number_in_Z (p : several) : option Z :=
  match p with
  | [::] => Some 0%Z
  | [:: (c, [::])] => Some c
  | _ => None
  end.

(* A coefficient of the power n of a letter, whose own letters are the next ones.  Zeros at the end of the     *)
(* exponents are left out.                                                                                    *)
Definition before_exponents (n : nat) (e : seq nat) : seq nat := if (n == 0%N) && (size e == 0%N) then [::] else n :: e.

Fixpoint with_powers (n : nat) (ps : seq several) : several :=
  if ps is p :: ps' then [seq (t.1, before_exponents n t.2) | t <- p] ++ with_powers n.+1 ps' else [::].

(* Lists of coefficients, nested n deep at most. *)
Fixpoint nested (n : nat) (v : json) : option several :=
  match v, n with
  | Text s, _ => let! z := integer_of s in Some (number_of_Z z)
  | Array vs, n'.+1 =>
      let! ps := all_of (nested n') vs in
      demand (0 < size (last [::] ps))%N && ((1 < size ps)%N || (if vs is Array _ :: _ then true else false)) in
      Some (with_powers 0 ps)
  | _, _ => None
  end.

Definition list_of (n : nat) (v : json) : option several := if v is Array _ then nested n v else None.

Definition in_letters (n : nat) : arithmetic several :=
  Arithmetic number_of_Z (@Positivity.add_p binary) (@Positivity.times_p binary)
             (fun z p => if (z =? 0)%Z then [::] else scale_p (z : binary, [::]) p) (@Positivity.same_p binary) number_in_Z (list_of n).

(* ---- Objects ---- *)
(* The point is inside the region; or, if [only], the claim is about it alone. *)
Record region := Region {
  letters : seq text;
  positives : seq several;
  nonnegatives : seq several;
  place : seq Q;
  only : bool }.

Definition arithmetic_of (G : region) : arithmetic several := in_letters (size (letters G)).

Record claim := OnRegion { where_ : region; what : instance several }.

(* ---- What a file claims ---- *)
Definition region_in (v : json) : option region :=
  let! ms := object_of [:: "type" : text; "letters" : text; "positive" : text; "nonnegative" : text]
                       [:: "inside" : text; "at" : text] v in
  let! l := find_key "letters" ms in let! names := labels_of l in
  demand (size names <= 6)%N && all is_name names in
  let! a := find_key "positive" ms in let! vs := array_of a in let! above := all_of (list_of (size names)) vs in
  let! b := find_key "nonnegative" ms in let! ws := array_of b in let! from := all_of (list_of (size names)) ws in
  let! (at_, one) := match find_key "inside" ms, find_key "at" ms with
                     | Some x, None => Some (x, false)
                     | None, Some x => Some (x, true)
                     | _, _ => None
                     end in
  let! xs := array_of at_ in let! qs := all_of scalar_of xs in
  demand size qs == size names in Some (Region names above from qs one).

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match LettersClaims.fields_in defs with
  | [:: (_, f)] =>
      demand same (type_of f) "region" in
      let! G := region_in f in let! c := instance_in (arithmetic_of G) defs v in Some (OnRegion G c)
  | _ => None
  end.

(* ---- What it means ---- *)
Section Meaning.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Variable R : realFieldType.

Lemma binary_zero z : (z =? 0)%Z -> of_Z R z = 0.
Proof. by move/Z.eqb_eq ->. Qed.

Lemma binary_positive z : (0 <? z)%Z -> 0 < of_Z R z.
Proof. by rewrite -(of_Z_lt R). Qed.

Definition binary_reading : reading R binary :=
  @Reading R binary (of_Z R) (of_Z1 R) (of_ZD R) (of_ZM R) (of_ZN R) binary_zero binary_positive.

(* The value of a polynomial. *)
Definition at_letters (x : nat -> R) (p : several) : R := evaluate binary_reading p x.

Definition in_region (x : nat -> R) (G : region) : Prop :=
  (forall p, List.In p (positives G) -> 0 < at_letters x p) /\ (forall p, List.In p (nonnegatives G) -> 0 <= at_letters x p).

Definition point (G : region) (i : nat) : R := of_Q R (nth (Qmake 0 1) (place G) i).

Definition holds_in (x : nat -> R) (G : region) (c : instance several) : Prop := holds_at (arithmetic_of G) (at_letters x) c.

(* For one point; or for every point, and there are points where no constraint is an equality. *)
Definition meaning (c : claim) : Prop :=
  let G := where_ c in
  if only G then in_region (point G) G /\ holds_in (point G) G (what c)
  else (exists x, forall p, List.In p (positives G ++ nonnegatives G) -> 0 < at_letters x p) /\
       forall x, in_region x G -> holds_in x G (what c).
End Meaning.

(* ---- What is printed ---- *)
Fixpoint show_powers (names : seq text) (e : seq nat) : seq text :=
  match names, e with
  | a :: names', n :: e' =>
      (if n is n'.+1 then [:: if n' is _.+1 then a ++ t "^" ++ numeral_of (N.of_nat n) else a] else [::]) ++ show_powers names' e'
  | _, _ => [::]
  end.

Definition show_term (names : seq text) (m : Z * seq nat) : text :=
  match show_powers names m.2 with
  | [::] => show_Z m.1
  | s => let symbols := join (t "*") s in
         if (m.1 =? 1)%Z then symbols else if (m.1 =? -1)%Z then t "-" ++ symbols else show_Z m.1 ++ t "*" ++ symbols
  end.

Definition show_several (names : seq text) (p : several) : text :=
  match p with
  | [::] => t "0"
  | _ => join (t " + ") [seq show_term names m | m <- rev p]
  end.

Definition show_region (G : region) : text :=
  let names := letters G in
  let constraints := [seq show_several names p ++ t " > 0" | p <- positives G] ++
                     [seq show_several names p ++ t " >= 0" | p <- nonnegatives G] in
  let every := t "every " ++ join (t ", ") names ++
               (if constraints is [::] then [::] else t " with " ++ join (t ", ") constraints) in
  if only G then join (t ", ") [seq x.1 ++ t " = " ++ show_Q x.2 | x <- zip names (place G)] ++ t ", one point of " ++ every
  else every.

Definition sentence (c : claim) : text :=
  t "For " ++ show_region (where_ c) ++ t ": " ++
  show_instance (arithmetic_of (where_ c)) (show_several (letters (where_ c))) (what c).
