(* SPDX-License-Identifier: MIT *)
(* Claims over a letter (SPEC, sections 2.1 and 4.7): one definition is a parameter, a symbol that stands for *)
(* every number of an interval, and the claim holds for each of them; or the interval is cut into pieces.     *)
(* What they mean is stated here; what decides them is in LettersCheck.v.                                     *)
(*   within I x      x is in the interval I (PolynomialSign.v)                                                *)
(*   at_letter x p   the value of the polynomial p where the letter is x                                      *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Show PolynomialSign PolynomialClaims.
From ExactDP.Checker Require OptimalityClaims DeterminantClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

(* Polynomials in one letter are the lists of their coefficients. *)
Definition polynomial_of (v : json) : option polynomial :=
  let! vs := array_of v in let! zs := all_of number_of vs in demand (1 < size zs)%N && ~~ (last 0 zs =? 0)%Z in Some zs.

Definition constant (p : polynomial) : option Z := match p with [::] => Some 0%Z | [:: c] => Some c | _ => None end.

Definition in_letter : arithmetic polynomial :=
  Arithmetic (fun z => if (z =? 0)%Z then [::] else [:: z]) PolynomialSign.plus_p PolynomialSign.times_p PolynomialSign.scaled_p
             (all2 Z.eqb) constant polynomial_of.

(* The letter's name and its interval; the claim, or a claim for each piece. *)
Inductive claim :=
| Everywhere (letter : text) (I : interval) (c : instance polynomial)
| OnPieces (letter : text) (I : interval) (pieces : seq (interval * instance polynomial)).

(* ---- What a file claims ---- *)
Definition is_field (v : json) : bool :=
  [|| same (type_of v) "parameter", same (type_of v) "exponential" | same (type_of v) "region"].

(* The definitions that are fields. *)
Definition fields_in (defs : seq (text * json)) : seq (text * json) := [seq d <- defs | is_field d.2].

(* Ends that are rational; the key says whether they are included. *)
Definition interval_of (v : json) : option interval :=
  match v with
  | Object ms =>
    let end_of ks := all_of (fun k : text => if find_key k ms is Some e then let! q := scalar_of e in Some (q, k)
                                             else None) [seq k <- ks | key_in [seq m.1 | m <- ms] k] in
    let! lows := end_of [:: "above" : text; "at_least" : text] in
    let! highs := end_of [:: "below" : text; "at_most" : text] in
    let! ats := end_of [:: "at" : text] in
    let! J := match ats, lows, highs with
              | [:: (q, _)], [::], [::] => demand size ms == 1%N in Some (Interval q true q true)
              | [::], [:: (q, k)], [:: (r, l)] =>
                  demand (size ms == 2) && Q_lt q r in Some (Interval q (same k "at_least") r (same l "at_most"))
              | _, _, _ => None
              end in
    demand proper_interval J in Some J
  | _ => None
  end.

Definition is_pieces (v : json) : bool := if v is Object ms then same (kind_of ms) "on-pieces" else false.

Definition pieces_in (v : json) : seq json :=
  if v is Object ms then (if find_key "pieces" ms is Some (Array vs) then vs else [::]) else [::].

Definition piece_in (defs : seq (text * json)) (v : json) : option (interval * instance polynomial) :=
  let! ms := object_of [:: "interval" : text; "claim" : text] [::] v in
  let! i := find_key "interval" ms in let! J := interval_of i in
  let! w := find_key "claim" ms in let! c := instance_in in_letter defs w in Some (J, c).

(* The intervals follow each other without a gap: the first end belongs to one of those before and after it.   *)
Definition same_Q (x y : Q) : bool := (Qnum x =? Qnum y)%Z && Pos.eqb (Qden x) (Qden y).

Fixpoint follow (at_ : Q) (included : bool) (Is : seq interval) (last_ : Q) (last_in : bool) : bool :=
  match Is with
  | [::] => same_Q at_ last_ && (included || ~~ last_in)
  | J :: Js => [&& same_Q at_ (low J), included || low_in J & follow (high J) (high_in J) Js last_ last_in]
  end.

Definition covered (I : interval) (Is : seq interval) : bool :=
  (0 < size Is)%N && follow (low I) (~~ low_in I) Is (high I) (high_in I).

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match fields_in defs with
  | [:: (a, f)] =>
      demand same (type_of f) "parameter" in
      let! ms := object_of [:: "type" : text; "interval" : text] [::] f in
      let! i := find_key "interval" ms in let! J := interval_of i in
      if is_pieces v then
        let! _ := object_of [:: "kind" : text; "pieces" : text] [::] v in
        let! pieces := all_of (piece_in defs) (pieces_in v) in
        demand covered J [seq p.1 | p <- pieces] in Some (OnPieces a J pieces)
      else let! c := instance_in in_letter defs v in Some (Everywhere a J c)
  | _ => None
  end.

(* The names of definitions in the claims of pieces. *)
Definition names_in (v : json) : seq text :=
  flatten [seq if p is Object ms then (if find_key "claim" ms is Some c then Reader.names_in c ++ OptimalityClaims.names_in c else [::])
               else [::] | p <- pieces_in v].

(* ---- What it means ---- *)
Section Meaning.
Local Open Scope ring_scope.
Variable R : realFieldType.

Definition at_letter (x : R) (p : polynomial) : R := polynomial_at p x.

(* The first parts say that there are such numbers. *)
Definition on_interval (I : interval) (c : instance polynomial) : Prop :=
  (exists x : R, within I x) /\ forall x : R, within I x -> holds_at in_letter (at_letter x) c.

Definition meaning (c : claim) : Prop :=
  match c with
  | Everywhere _ J c => on_interval J c
  | OnPieces _ J pieces =>
      [/\ exists x : R, within J x, forall x : R, within J x -> exists2 p, List.In p pieces & within p.1 x &
          forall p, List.In p pieces -> on_interval p.1 p.2]
  end.
End Meaning.

(* ---- What is printed ---- *)
Definition show_power (letter : text) (c : Z) (k : nat) : text :=
  let symbol := if k is k'.+1 then (if k' is _.+1 then letter ++ t "^" ++ numeral_of (N.of_nat k) else letter) else [::] in
  if (k == 0)%N then show_Z c
  else if (c =? 1)%Z then symbol else if (c =? -1)%Z then t "-" ++ symbol else show_Z c ++ t "*" ++ symbol.

Definition show_polynomial (letter : text) (p : polynomial) : text :=
  match [seq show_power letter m.1 m.2 | m <- DeterminantClaims.monomials 0 p] with
  | [::] => t "0"
  | s => join (t " + ") s
  end.

Definition show_interval (letter : text) (I : interval) : text :=
  if low_in I && high_in I && same_Q (low I) (high I) then letter ++ t " = " ++ show_Q (low I)
  else t "every " ++ letter ++ t " with " ++ show_Q (low I) ++ (if low_in I then t " <= " else t " < ") ++ letter ++
       (if high_in I then t " <= " else t " < ") ++ show_Q (high I).

Definition show_on (letter : text) (p : interval * instance polynomial) : text :=
  t "For " ++ show_interval letter p.1 ++ t ": " ++ show_instance in_letter (show_polynomial letter) p.2.

Definition sentence (c : claim) : text :=
  match c with
  | Everywhere a J c => show_on a (J, c)
  | OnPieces a _ pieces => join (t " ") [seq show_on a p | p <- pieces]
  end.
