(* SPDX-License-Identifier: MIT *)
(* Claims over a letter (SPEC, sections 2.1 and 4.7): one definition is a parameter, a symbol that stands for *)
(* every number of an interval, and the claim holds for each of them; or the interval is cut into pieces.     *)
(* What they mean is stated here; what decides them is in LettersCheck.v.                                     *)
(*   within I x      x is in the interval I (PolynomialSign.v)                                                *)
(*   scalar_at, matrix_in, defined_in     a scalar and a table at x; the denominators are > 0 at x            *)
(*   holds_at x c    the claim c where the letter is x, in the words of Meaning.v                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import Mechanism Form Geometric.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show PolynomialSign.
From ExactDP.Checker Require OptimalityClaims DeterminantClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

(* A quotient of polynomials in the letter. *)
Record scalar := Scalar { upper : polynomial; lower : polynomial }.

(* Rows are polynomials over a denominator; the geometric mechanism has its formula. *)
Inductive entries_in :=
| RowsIn (rows : seq (polynomial * seq polynomial))
| GeometricIn (n : nat) (level : scalar).

Record table_in := TableIn { name_in : text; inputs_in : seq text; outputs_in : seq text; content_in : entries_in }.

(* A loss is one of rational numbers. *)
Inductive instance :=
| NotStochasticIn (t : table_in)
| PrivateIn (m : table_in) (near : neighbours) (level : scalar)
| NotPrivateIn (m : table_in) (near : neighbours) (level : scalar)
| DerivableIn (source target : table_in)
| UniversallyOptimalIn (near : neighbours) (level : scalar) (loss : table) (m : table_in)
| NoneUniversallyOptimalIn (near : neighbours) (level : scalar) (loss : table).

(* The letter's name and its interval; the claim, or a claim for each piece. *)
Inductive claim :=
| Everywhere (letter : text) (I : interval) (c : instance)
| OnPieces (letter : text) (I : interval) (pieces : seq (interval * instance)).

(* ---- What a file claims ---- *)
Definition is_field (v : json) : bool := same (type_of v) "parameter" || same (type_of v) "exponential".

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

Definition polynomial_in (v : json) : option polynomial :=
  match v with
  | Text s => let! z := integer_of s in Some (if (z =? 0)%Z then [::] else [:: z])
  | Array vs => let! zs := all_of number_of vs in demand (1 < size zs)%N && ~~ (last 0 zs =? 0)%Z in Some zs
  | _ => None
  end.

Definition scalar_in (v : json) : option scalar :=
  match v with
  | Text s => let! q := rational_of s in Some (Scalar [:: Qnum q] [:: Zpos (Qden q)])
  | _ =>
    let! ms := object_of [:: "num" : text; "den" : text] [::] v in
    let! n := find_key "num" ms in let! num := polynomial_in n in
    let! d := find_key "den" ms in let! den := polynomial_in d in Some (Scalar num den)
  end.

Definition constant (p : polynomial) : option Z := match p with [::] => Some 0%Z | [:: c] => Some c | _ => None end.

(* The numbers at the indices, and 0 elsewhere. *)
Fixpoint placed (k : N) (m : nat) (r : seq (N * polynomial)) : seq polynomial :=
  match m with
  | O => [::]
  | m'.+1 =>
    match r with
    | t :: r' => if N.eqb t.1 k then t.2 :: placed (N.succ k) m' r' else [::] :: placed (N.succ k) m' r
    | [::] => [::] :: placed (N.succ k) m' r
    end
  end.

(* Where all are integers the rule on common divisors holds. *)
Definition line_in (m : nat) (v : json) : option (polynomial * seq polynomial) :=
  let! ms := object_of [:: "den" : text; "num" : text] [:: "at" : text] v in
  let! den := find_key "den" ms in let! d := polynomial_in den in
  let! num := find_key "num" ms in let! vs := array_of num in let! ps := all_of polynomial_in vs in
  demand if all_of constant (d :: ps) is Some zs then (foldl Z.gcd 0 zs =? 1)%Z else true in
  match find_key "at" ms with
  | None => demand size ps == m in Some (d, ps)
  | Some at_ => let! is_ := indices_of (N.of_nat m) at_ in
      demand (size ps == size is_) && all (fun p => 0 < size p)%N ps in Some (d, placed 0 m (zip is_ ps))
  end.

Definition listed_in (kind : string) (name : text) (v : json) : option table_in :=
  demand same (type_of v) kind in
  let! ms := object_of [:: "type" : text; "inputs" : text; "outputs" : text; "rows" : text] [::] v in
  let! i := find_key "inputs" ms in let! ins := labels_of i in
  let! o := find_key "outputs" ms in let! outs := labels_of o in
  let! r := find_key "rows" ms in let! vs := array_of r in
  demand size vs == size ins in
  let! rows := all_of (line_in (size outs)) vs in Some (TableIn name ins outs (RowsIn rows)).

(* A limit of this checker: n up to 64, and distances p/q with p and q up to 64. *)
Definition mechanism_in (name : text) (v : json) : option table_in :=
  if same (type_of v) "geometric" then
    let! ms := object_of [:: "type" : text; "n" : text; "level" : text] [::] v in
    let! k := find_key "n" ms in let! n := index_of 65 k in
    let! l := find_key "level" ms in let! a := scalar_in l in
    let labels := count_labels (N.to_nat n).+1 in Some (TableIn name labels labels (GeometricIn (N.to_nat n) a))
  else listed_in "mechanism" name v.

Definition near_in (name : text) (v : json) : option neighbours :=
  let! near := neighbours_of name v in
  demand all (fun e : N * N * Q => (0 <=? Qnum e.2)%Z && (Qnum e.2 <=? 64)%Z && (Qden e.2 <=? 64)%positive) (pairs near) in Some near.

Definition instance_in (defs : seq (text * json)) (v : json) : option instance :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    let level := let! a := find_key "level" ms in scalar_in a in
    if same k "not-stochastic" then
      let! _ := object_of [:: "kind" : text; "table" : text] [::] v in
      let! t := named (listed_in "table") defs "table" ms in Some (NotStochasticIn t)
    else if same k "private" || same k "not-private" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "neighbours" : text; "level" : text] [::] v in
      let! m := named mechanism_in defs "mechanism" ms in
      let! near := named near_in defs "neighbours" ms in let! a := level in
      Some (if same k "private" then PrivateIn m near a else NotPrivateIn m near a)
    else if same k "derivable" then
      let! _ := object_of [:: "kind" : text; "source" : text; "target" : text] [::] v in
      let! a := named mechanism_in defs "source" ms in let! b := named mechanism_in defs "target" ms in
      Some (DerivableIn a b)
    else if same k "universally-optimal" then
      let! _ := object_of (OptimalityClaims.type_keys ++ [:: "mechanism" : text]) [::] v in
      let! near := named near_in defs "neighbours" ms in let! a := level in
      let! l := named loss_table_of defs "loss" ms in
      let! m := named mechanism_in defs "mechanism" ms in Some (UniversallyOptimalIn near a l m)
    else if same k "no-universally-optimal" then
      let! _ := object_of OptimalityClaims.type_keys [::] v in
      let! near := named near_in defs "neighbours" ms in let! a := level in
      let! l := named loss_table_of defs "loss" ms in Some (NoneUniversallyOptimalIn near a l)
    else None
  | _ => None
  end.

Definition is_pieces (v : json) : bool := if v is Object ms then same (kind_of ms) "on-pieces" else false.

Definition pieces_in (v : json) : seq json :=
  if v is Object ms then (if find_key "pieces" ms is Some (Array vs) then vs else [::]) else [::].

Definition piece_in (defs : seq (text * json)) (v : json) : option (interval * instance) :=
  let! ms := object_of [:: "interval" : text; "claim" : text] [::] v in
  let! i := find_key "interval" ms in let! J := interval_of i in
  let! w := find_key "claim" ms in let! c := instance_in defs w in Some (J, c).

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
      else let! c := instance_in defs v in Some (Everywhere a J c)
  | _ => None
  end.

(* The names of definitions in the claims of pieces. *)
Definition names_in (v : json) : seq text :=
  flatten [seq if p is Object ms then (if find_key "claim" ms is Some c then Reader.names_in c ++ OptimalityClaims.names_in c else [::])
               else [::] | p <- pieces_in v].

(* ---- What it means ---- *)
Section Meaning.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Variable R : realFieldType.

Definition scalar_at (x : R) (s : scalar) : R := polynomial_at (upper s) x / polynomial_at (lower s) x.

Definition level_at (x : R) (s : scalar) : Prop := 0 < polynomial_at (lower s) x /\ 0 < scalar_at x s < 1.

Definition matrix_in (x : R) p m (e : entries_in) : 'M[R]_(p, m) :=
  match e with
  | RowsIn rows =>
      \matrix_(i, j) let r := nth ([::], [::]) rows i in polynomial_at (nth [::] r.2 j) x / polynomial_at r.1 x
  | GeometricIn n a => \matrix_(i, j) (scalar_at x a ^+ dist i j * scale (scalar_at x a) n j)
  end.

Definition defined_in (x : R) p m (e : entries_in) : Prop :=
  match e with
  | RowsIn rows => forall i : 'I_p, 0 < polynomial_at (nth ([::], [::]) rows i).1 x
  | GeometricIn n a => [/\ level_at x a, p = n.+1 & m = n.+1]
  end.

Definition holds_at (x : R) (c : instance) : Prop :=
  match c with
  | NotStochasticIn t =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in
      defined_in x p m (content_in t) /\ ~ stochastic (matrix_in x p m (content_in t))
  | PrivateIn t near a =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in
      [/\ inputs_in t = vertices near, level_at x a, defined_in x p m (content_in t) &
          mechanism_for near (scalar_at x a) (matrix_in x p m (content_in t))]
  | NotPrivateIn t near a =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let X := matrix_in x p m (content_in t) in
      [/\ inputs_in t = vertices near, level_at x a, defined_in x p m (content_in t), stochastic X &
          ~ private_for near (scalar_at x a) X]
  | DerivableIn a b =>
      let p := size (inputs_in a) in let m := size (outputs_in a) in let k := size (outputs_in b) in
      let A := matrix_in x p m (content_in a) in let B := matrix_in x p k (content_in b) in
      [/\ inputs_in a = inputs_in b, defined_in x p m (content_in a) /\ defined_in x p k (content_in b),
          stochastic A, stochastic B & derivable A B]
  | UniversallyOptimalIn near a l t =>
      let p := size (vertices near) in
      [/\ inputs l = vertices near /\ inputs_in t = vertices near, level_at x a,
          defined_in x p (size (outputs_in t)) (content_in t) &
          OptimalityClaims.universally_optimal_for near (scalar_at x a) (matrix_of R p (size (outputs l)) (content l))
            (matrix_in x p (size (outputs_in t)) (content_in t))]
  | NoneUniversallyOptimalIn near a l =>
      let p := size (vertices near) in
      [/\ inputs l = vertices near, level_at x a &
          forall k (M : 'M[R]_(p, k)),
            ~ OptimalityClaims.universally_optimal_for near (scalar_at x a) (matrix_of R p (size (outputs l)) (content l)) M]
  end.

(* The first parts say that there are such numbers. *)
Definition on_interval (I : interval) (c : instance) : Prop :=
  (exists x : R, within I x) /\ forall x : R, within I x -> holds_at x c.

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

Definition show_scalar (letter : text) (s : scalar) : text :=
  match lower s with
  | [:: Zpos xH] => show_polynomial letter (upper s)
  | _ => t "(" ++ show_polynomial letter (upper s) ++ t ")/(" ++ show_polynomial letter (lower s) ++ t ")"
  end.

Definition show_table (letter : text) (m : table_in) : text :=
  match content_in m with
  | GeometricIn n a => t "geometric mechanism G(" ++ numeral_of (N.of_nat n) ++ t ", " ++ show_scalar letter a ++ t ")"
  | _ => t "mechanism " ++ name_in m
  end.

Definition show_interval (letter : text) (I : interval) : text :=
  if low_in I && high_in I && same_Q (low I) (high I) then letter ++ t " = " ++ show_Q (low I)
  else t "every " ++ letter ++ t " with " ++ show_Q (low I) ++ (if low_in I then t " <= " else t " < ") ++ letter ++
       (if high_in I then t " <= " else t " < ") ++ show_Q (high I).

Definition show_type (letter : text) (near : neighbours) (a : scalar) : text :=
  t "the type of " ++ title near ++ t " at level " ++ show_scalar letter a.

Definition show_instance (letter : text) (c : instance) : text :=
  match c with
  | NotStochasticIn x => t "the table " ++ name_in x ++ t " is not a mechanism."
  | PrivateIn m near a =>
      t "the " ++ show_table letter m ++ t " is (" ++ show_scalar letter a ++ t ")-private on " ++ title near ++ t "."
  | NotPrivateIn m near a =>
      t "the " ++ show_table letter m ++ t " is not (" ++ show_scalar letter a ++ t ")-private on " ++ title near ++ t "."
  | DerivableIn a b =>
      t "the " ++ show_table letter b ++ t " is derivable from the " ++ show_table letter a ++
      t ": B = A" ++ [:: ascii_of_N 194; ascii_of_N 183] ++ t "R for a row-stochastic R."
  | UniversallyOptimalIn near a l m =>
      t "the " ++ show_table letter m ++ t " is universally optimal for the loss " ++ show_loss l ++ t " in " ++
      show_type letter near a ++ t ": best (after a remap) for every prior."
  | NoneUniversallyOptimalIn near a l =>
      t "no mechanism of " ++ show_type letter near a ++ t " is universally optimal for the loss " ++ show_loss l ++
      t ": none is best (after a remap) for every prior."
  end.

Definition show_on (letter : text) (p : interval * instance) : text :=
  t "For " ++ show_interval letter p.1 ++ t ": " ++ show_instance letter p.2.

Definition sentence (c : claim) : text :=
  match c with
  | Everywhere a J c => show_on a (J, c)
  | OnPieces a _ pieces => join (t " ") [seq show_on a p | p <- pieces]
  end.
