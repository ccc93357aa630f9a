(* SPDX-License-Identifier: MIT *)
(* Claims whose numbers are quotients of polynomials in letters (SPEC, sections 2.1 and 2.2): how they are    *)
(* read, and what they say where each letter is a number.  What the letters stand for is stated by            *)
(* LettersClaims.v (one letter, an interval) and RegionsClaims.v (several, a region); what decides the claims *)
(* is in PolynomialCheck.v.                                                                                   *)
(*   arithmetic P    what is computed with polynomials of the type P                                          *)
(*   scalar_at, matrix_in, defined_in     a scalar and a table at a point; the denominators are > 0 there     *)
(*   holds_at        the claim at a point, in the words of Meaning.v                                          *)
(* A point is given as what it makes of polynomials: e p is the value of p.                                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import Mechanism Form Geometric MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show.
From ExactDP.Checker Require OptimalityClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

Record arithmetic (P : Type) := Arithmetic {
  number_p : Z -> P;
  plus_p : P -> P -> P;
  times_p : P -> P -> P;
  scaled_p : Z -> P -> P;
  same_p : P -> P -> bool;              (* true: they are the same *)
  constant_p : P -> option Z;           (* the number that a polynomial is *)
  list_in : json -> option P }.         (* a polynomial that is no number, as the file writes it *)

Section Objects.
Variable P : Type.

(* A quotient of polynomials. *)
Record scalar := Scalar { upper : P; lower : P }.

(* Rows are polynomials over a denominator; the geometric mechanism has its formula. *)
Inductive entries_in :=
| RowsIn (rows : seq (P * seq P))
| GeometricIn (n : nat) (level : scalar).

Record table_in := TableIn { name_in : text; inputs_in : seq text; outputs_in : seq text; content_in : entries_in }.

Inductive consumer_in :=
| MinimaxIn (loss : table_in) (side_information : seq N)
| BayesianIn (loss : table_in) (prior : P * seq P).

Definition loss_in (c : consumer_in) : table_in := match c with MinimaxIn l _ => l | BayesianIn l _ => l end.

(* The loss of a claim about universal optimality is one of rational numbers. *)
Inductive instance :=
| NotStochasticIn (t : table_in)
| PrivateIn (m : table_in) (near : neighbours) (level : scalar)
| NotPrivateIn (m : table_in) (near : neighbours) (level : scalar)
| LevelIn (m : table_in) (near : neighbours) (ratio : scalar) (distance : Q)
| DerivableIn (source target : table_in)
| NotDerivableIn (source target : table_in)
| UniversallyOptimalIn (near : neighbours) (level : scalar) (loss : table) (m : table_in)
| NoneUniversallyOptimalIn (near : neighbours) (level : scalar) (loss : table)
| OptimalIn (near : neighbours) (level : scalar) (c : consumer_in) (value : scalar) (m : option table_in)
| NotOptimalIn (near : neighbours) (level : scalar) (c : consumer_in) (value : scalar) (m : table_in) (loss gap : scalar).
End Objects.

(* ---- What a file claims ---- *)
Section Reading.
Variables (P : Type) (A : arithmetic P).

Definition zero : P := number_p A 0.

Definition polynomial_in (v : json) : option P :=
  match v with
  | Text s => let! z := integer_of s in Some (number_p A z)
  | _ => list_in A v
  end.

Definition scalar_in (v : json) : option (scalar P) :=
  match v with
  | Text s => let! q := rational_of s in Some (Scalar (number_p A (Qnum q)) (number_p A (Zpos (Qden q))))
  | _ =>
    let! ms := object_of [:: "num" : text; "den" : text] [::] v in
    let! n := find_key "num" ms in let! num := polynomial_in n in
    let! d := find_key "den" ms in let! den := polynomial_in d in Some (Scalar num den)
  end.

(* The numbers at the indices, and 0 elsewhere. *)
Fixpoint placed (k : N) (m : nat) (r : seq (N * P)) : seq P :=
  match m with
  | O => [::]
  | m'.+1 =>
    match r with
    | t :: r' => if N.eqb t.1 k then t.2 :: placed (N.succ k) m' r' else zero :: placed (N.succ k) m' r
    | [::] => zero :: placed (N.succ k) m' r
    end
  end.

(* Where all are integers the rule on common divisors holds. *)
Definition line_in (m : nat) (v : json) : option (P * seq P) :=
  let! ms := object_of [:: "den" : text; "num" : text] [:: "at" : text] v in
  let! den := find_key "den" ms in let! d := polynomial_in den in
  let! num := find_key "num" ms in let! vs := array_of num in let! ps := all_of polynomial_in vs in
  demand if all_of (constant_p A) (d :: ps) is Some zs then (foldl Z.gcd 0 zs =? 1)%Z else true in
  match find_key "at" ms with
  | None => demand size ps == m in Some (d, ps)
  | Some at_ => let! is_ := indices_of (N.of_nat m) at_ in
      demand (size ps == size is_) && all (fun p => if constant_p A p is Some Z0 then false else true) ps in Some (d, placed 0 m (zip is_ ps))
  end.

Definition listed_in (kind outputs_key : string) (name : text) (v : json) : option (table_in P) :=
  demand same (type_of v) kind in
  let! ms := object_of [:: "type" : text; "inputs" : text; outputs_key : text; "rows" : text] [::] v in
  let! i := find_key "inputs" ms in let! ins := labels_of i in
  let! o := find_key outputs_key ms in let! outs := labels_of o in
  let! r := find_key "rows" ms in let! vs := array_of r in
  demand size vs == size ins in
  let! rows := all_of (line_in (size outs)) vs in Some (TableIn name ins outs (RowsIn rows)).

(* A limit of this checker: n up to 64, distances p/q with p and q up to 64, up to 8 in a claim about levels. *)
Definition mechanism_in (name : text) (v : json) : option (table_in P) :=
  if same (type_of v) "geometric" then
    let! ms := object_of [:: "type" : text; "n" : text; "level" : text] [::] v in
    let! k := find_key "n" ms in let! n := index_of 65 k in
    let! l := find_key "level" ms in let! a := scalar_in l in
    let labels := count_labels (N.to_nat n).+1 in Some (TableIn name labels labels (GeometricIn (N.to_nat n) a))
  else listed_in "mechanism" "outputs" name v.

(* A loss that has a name, as rows of integers. *)
Definition named_loss_in (f : nat -> nat -> nat) (name : text) (v : json) : option (table_in P) :=
  let! ms := object_of [:: "type" : text; "n" : text] [::] v in
  let! k := find_key "n" ms in let! n := index_of 65 k in
  let labels := count_labels (N.to_nat n).+1 in let places := iota 0 (N.to_nat n).+1 in
  let row i := (number_p A 1, [seq number_p A (Z.of_nat (f i r)) | r <- places]) in
  Some (TableIn name labels labels (RowsIn [seq row i | i <- places])).

Definition loss_table_in (name : text) (v : json) : option (table_in P) :=
  let t := type_of v in
  if same t "abs-loss" then named_loss_in dist name v
  else if same t "squared-loss" then named_loss_in (fun i r => dist i r * dist i r)%N name v
  else if same t "zero-one-loss" then named_loss_in (fun i r => if i == r then 0 else 1)%N name v
  else listed_in "loss" "guesses" name v.

Definition consumer_of_in (defs : seq (text * json)) (p : nat) (v : json) : option (consumer_in P) :=
  let t := type_of v in
  if same t "minimax" then
    let! ms := object_of [:: "type" : text; "loss" : text; "side_information" : text] [::] v in
    let! l := named loss_table_in defs "loss" ms in
    let! s := find_key "side_information" ms in let! side := indices_of (N.of_nat p) s in
    demand (0 < size side)%N in Some (MinimaxIn l side)
  else if same t "bayesian" then
    let! ms := object_of [:: "type" : text; "loss" : text; "prior" : text] [::] v in
    let! l := named loss_table_in defs "loss" ms in
    let! w := find_key "prior" ms in let! prior := line_in p w in Some (BayesianIn l prior)
  else None.

Definition near_in (name : text) (v : json) : option neighbours :=
  let! near := neighbours_of name v in
  demand all (fun e : N * N * Q => (0 <=? Qnum e.2)%Z && (Qnum e.2 <=? 64)%Z && (Qden e.2 <=? 64)%positive) (pairs near) in Some near.

Definition instance_in (defs : seq (text * json)) (v : json) : option (instance P) :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    let level := let! a := find_key "level" ms in scalar_in a in
    if same k "not-stochastic" then
      let! _ := object_of [:: "kind" : text; "table" : text] [::] v in
      let! t := named (listed_in "table" "outputs") defs "table" ms in Some (NotStochasticIn t)
    else if same k "private" || same k "not-private" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "neighbours" : text; "level" : text] [::] v in
      let! m := named mechanism_in defs "mechanism" ms in
      let! near := named near_in defs "neighbours" ms in let! a := level in
      Some (if same k "private" then PrivateIn m near a else NotPrivateIn m near a)
    else if same k "level" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "neighbours" : text; "ratio" : text; "distance" : text] [::] v in
      let! m := named mechanism_in defs "mechanism" ms in let! near := named near_in defs "neighbours" ms in
      let! x := find_key "ratio" ms in let! ratio := scalar_in x in
      let! e := find_key "distance" ms in let! d := distance_of e in
      demand (Qnum d <=? 8)%Z && (Qden d <=? 8)%positive in Some (LevelIn m near ratio d)
    else if same k "derivable" || same k "not-derivable" then
      let! _ := object_of [:: "kind" : text; "source" : text; "target" : text] [::] v in
      let! a := named mechanism_in defs "source" ms in let! b := named mechanism_in defs "target" ms in
      Some (if same k "derivable" then DerivableIn a b else NotDerivableIn a b)
    else if same k "universally-optimal" then
      let! _ := object_of (OptimalityClaims.type_keys ++ [:: "mechanism" : text]) [::] v in
      let! near := named near_in defs "neighbours" ms in let! a := level in
      let! l := named loss_table_of defs "loss" ms in
      let! m := named mechanism_in defs "mechanism" ms in Some (UniversallyOptimalIn near a l m)
    else if same k "no-universally-optimal" then
      let! _ := object_of OptimalityClaims.type_keys [::] v in
      let! near := named near_in defs "neighbours" ms in let! a := level in
      let! l := named loss_table_of defs "loss" ms in Some (NoneUniversallyOptimalIn near a l)
    else if same k "not-optimal" then
      let! _ := object_of (best_keys ++ [:: "mechanism" : text; "loss" : text; "gap" : text]) [::] v in
      let! near := named near_in defs "neighbours" ms in let! a := level in
      let! q := find_key "consumer" ms in let! c := consumer_of_in defs (size (vertices near)) q in
      let! x := find_key "value" ms in let! value := scalar_in x in
      let! m := named mechanism_in defs "mechanism" ms in
      let! y := find_key "loss" ms in let! loss := scalar_in y in
      let! z := find_key "gap" ms in let! gap := scalar_in z in Some (NotOptimalIn near a c value m loss gap)
    else if same k "optimal" then
      let! _ := object_of best_keys [:: "mechanism" : text] v in
      let! near := named near_in defs "neighbours" ms in let! a := level in
      let! q := find_key "consumer" ms in let! c := consumer_of_in defs (size (vertices near)) q in
      let! x := find_key "value" ms in let! value := scalar_in x in
      match find_key "mechanism" ms with
      | None => Some (OptimalIn near a c value None)
      | Some _ => let! m := named mechanism_in defs "mechanism" ms in Some (OptimalIn near a c value (Some m))
      end
    else None
  | _ => None
  end.
End Reading.

(* ---- What it means ---- *)
Section Meaning.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Variables (R : realFieldType) (P : Type) (A : arithmetic P) (e : P -> R).

Definition scalar_at (s : scalar P) : R := e (upper s) / e (lower s).

Definition level_at (s : scalar P) : Prop := 0 < e (lower s) /\ 0 < scalar_at s < 1.

Definition matrix_in p m (t : entries_in P) : 'M[R]_(p, m) :=
  match t with
  | RowsIn rows =>
      \matrix_(i, j) let r := nth (zero A, [::]) rows i in e (nth (zero A) r.2 j) / e r.1
  | GeometricIn n a => \matrix_(i, j) (scalar_at a ^+ dist i j * scale (scalar_at a) n j)
  end.

Definition defined_in p m (t : entries_in P) : Prop :=
  match t with
  | RowsIn rows => forall i : 'I_p, 0 < e (nth (zero A, [::]) rows i).1
  | GeometricIn n a => [/\ level_at a, p = n.+1 & m = n.+1]
  end.

(* A consumer judges by the worst of some inputs, or by the mean for a prior. *)
Inductive judge (p : nat) := ByWorst (side : {set 'I_p}) | ByMean (w : 'I_p -> R).

Definition judge_in p (c : consumer_in P) : judge p :=
  match c with
  | MinimaxIn _ side => ByWorst [set i : 'I_p | has (N.eqb (N.of_nat i)) side]
  | BayesianIn _ w => ByMean (fun i => e (nth (zero A) w.2 i) / e w.1)
  end.

(* The loss is at most v; it is v. *)
Definition judged_le p m (j : judge p) (l X : 'M[R]_(p, m)) (v : R) : Prop :=
  match j with ByWorst side => worst_loss_le side l X v | ByMean w => bayes_loss w l X <= v end.

Definition judged_is p m (j : judge p) (l X : 'M[R]_(p, m)) (v : R) : Prop :=
  judged_le j l X v /\ forall u, judged_le j l X u -> v <= u.

Definition judged_proper p (j : judge p) : Prop :=
  match j with ByWorst side => exists i, i \in side | ByMean w => distribution w end.

Definition consumer_defined (c : consumer_in P) : Prop := if c is BayesianIn _ w then 0 < e w.1 else True.

(* A mechanism is private, its outputs are the guesses, and its loss is v. *)
Definition attains_at (near : neighbours) (a : scalar P) (c : consumer_in P) (v : scalar P) (t : table_in P) : Prop :=
  let l := loss_in c in let p := size (vertices near) in let m := size (outputs_in l) in let X := matrix_in p m (content_in t) in
  [/\ inputs_in t = vertices near /\ outputs_in t = outputs_in l, defined_in p m (content_in t), 0 < e (lower v),
      mechanism_for near (scalar_at a) X & judged_is (judge_in p c) (matrix_in p m (content_in l)) X (scalar_at v)].

(* No private mechanism has a loss below v, and one has it: t, if it is named. *)
Definition optimal_at (near : neighbours) (a : scalar P) (c : consumer_in P) (v : scalar P) (t : option (table_in P)) : Prop :=
  let p := size (vertices near) in let m := size (outputs_in (loss_in c)) in
  let l := matrix_in p m (content_in (loss_in c)) in let j := judge_in p c in
  [/\ [/\ inputs_in (loss_in c) = vertices near, level_at a, 0 < e (lower v),
          defined_in p m (content_in (loss_in c)) & consumer_defined c],
      judged_proper j,
      forall X : 'M[R]_(p, m), mechanism_for near (scalar_at a) X -> forall u, judged_le j l X u -> scalar_at v <= u &
      match t with
      | None => exists X : 'M[R]_(p, m), mechanism_for near (scalar_at a) X /\ judged_is j l X (scalar_at v)
      | Some t => attains_at near a c v t
      end].

Definition holds_at (c : instance P) : Prop :=
  match c with
  | NotStochasticIn t =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in
      defined_in p m (content_in t) /\ ~ stochastic (matrix_in p m (content_in t))
  | PrivateIn t near a =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in
      [/\ inputs_in t = vertices near, level_at a, defined_in p m (content_in t) &
          mechanism_for near (scalar_at a) (matrix_in p m (content_in t))]
  | NotPrivateIn t near a =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let X := matrix_in p m (content_in t) in
      [/\ inputs_in t = vertices near, level_at a, defined_in p m (content_in t), stochastic X &
          ~ private_for near (scalar_at a) X]
  | LevelIn t near ratio d =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let X := matrix_in p m (content_in t) in
      [/\ inputs_in t = vertices near, level_at ratio, defined_in p m (content_in t), stochastic X &
          forall b, 0 < b < 1 -> private_for near b X <-> b ^+ Z.to_nat (Qnum d) <= scalar_at ratio ^+ Pos.to_nat (Qden d)]
  | DerivableIn a b =>
      let p := size (inputs_in a) in let m := size (outputs_in a) in let k := size (outputs_in b) in
      let A := matrix_in p m (content_in a) in let B := matrix_in p k (content_in b) in
      [/\ inputs_in a = inputs_in b, defined_in p m (content_in a) /\ defined_in p k (content_in b),
          stochastic A, stochastic B & derivable A B]
  | NotDerivableIn a b =>
      let p := size (inputs_in a) in let m := size (outputs_in a) in let k := size (outputs_in b) in
      let A := matrix_in p m (content_in a) in let B := matrix_in p k (content_in b) in
      [/\ inputs_in a = inputs_in b, defined_in p m (content_in a) /\ defined_in p k (content_in b),
          stochastic A, stochastic B & ~ derivable A B]
  | UniversallyOptimalIn near a l t =>
      let p := size (vertices near) in
      [/\ inputs l = vertices near /\ inputs_in t = vertices near, level_at a,
          defined_in p (size (outputs_in t)) (content_in t) &
          OptimalityClaims.universally_optimal_for near (scalar_at a) (matrix_of R p (size (outputs l)) (content l))
            (matrix_in p (size (outputs_in t)) (content_in t))]
  | NoneUniversallyOptimalIn near a l =>
      let p := size (vertices near) in
      [/\ inputs l = vertices near, level_at a &
          forall k (M : 'M[R]_(p, k)),
            ~ OptimalityClaims.universally_optimal_for near (scalar_at a) (matrix_of R p (size (outputs l)) (content l)) M]
  | OptimalIn near a c v t => optimal_at near a c v t
  | NotOptimalIn near a c v t loss gap =>
      [/\ optimal_at near a c v None, attains_at near a c loss t,
          0 < e (lower gap), scalar_at gap = scalar_at loss - scalar_at v & 0 < scalar_at gap]
  end.
End Meaning.

(* ---- What is printed ---- *)
Section Printing.
Variables (P : Type) (A : arithmetic P) (show_p : P -> text).

Definition show_scalar (s : scalar P) : text :=
  match constant_p A (upper s), constant_p A (lower s) with
  | Some n, Some (Zpos d) => show_Q (Qmake n d)
  | _, Some (Zpos xH) => show_p (upper s)
  | _, _ => t "(" ++ show_p (upper s) ++ t ")/(" ++ show_p (lower s) ++ t ")"
  end.

Definition show_table (m : table_in P) : text :=
  match content_in m with
  | GeometricIn n a => t "geometric mechanism G(" ++ numeral_of (N.of_nat n) ++ t ", " ++ show_scalar a ++ t ")"
  | _ => t "mechanism " ++ name_in m
  end.

Definition show_consumer_in (c : consumer_in P) : text :=
  match c with
  | MinimaxIn l side =>
      t "minimax loss (loss " ++ name_in l ++ t ", S = {" ++ join (t ", ") [seq label_at (inputs_in l) i | i <- side] ++ t "})"
  | BayesianIn l w =>
      t "expected loss (loss " ++ name_in l ++ t ", prior (" ++
      join (t ", ") [seq show_scalar (Scalar x w.1) | x <- w.2] ++ t "))"
  end.

Definition show_type (near : neighbours) (a : scalar P) : text :=
  t "the type of " ++ title near ++ t " at level alpha = " ++ show_scalar a.

Definition show_instance (c : instance P) : text :=
  match c with
  | NotStochasticIn x => t "the table " ++ name_in x ++ t " is not a mechanism."
  | PrivateIn m near a =>
      t "the " ++ show_table m ++ t " is (alpha = " ++ show_scalar a ++ t ")-private on " ++ title near ++ t "."
  | NotPrivateIn m near a =>
      t "the " ++ show_table m ++ t " is not (alpha = " ++ show_scalar a ++ t ")-private on " ++ title near ++ t "."
  | LevelIn m near ratio d =>
      let one := same (show_Q d) "1" in
      t "the " ++ show_table m ++ t " is (alpha = b)-private on " ++ title near ++ t " exactly for the levels b with " ++
      (if one then t "b <= " else t "b^(" ++ show_Q d ++ t ") <= ") ++ show_scalar ratio ++ t "."
  | NotDerivableIn a b =>
      t "the " ++ show_table b ++ t " is not derivable from the " ++ show_table a ++
      t ": B = A" ++ [:: ascii_of_N 194; ascii_of_N 183] ++ t "R for no row-stochastic R."
  | DerivableIn a b =>
      t "the " ++ show_table b ++ t " is derivable from the " ++ show_table a ++
      t ": B = A" ++ [:: ascii_of_N 194; ascii_of_N 183] ++ t "R for a row-stochastic R."
  | UniversallyOptimalIn near a l m =>
      t "the " ++ show_table m ++ t " is universally optimal for the loss " ++ show_loss l ++ t " in " ++
      show_type near a ++ t ": best (after a remap) for every prior."
  | NoneUniversallyOptimalIn near a l =>
      t "no mechanism of " ++ show_type near a ++ t " is universally optimal for the loss " ++ show_loss l ++
      t ": none is best (after a remap) for every prior."
  | OptimalIn near a c v m =>
      t "no (alpha = " ++ show_scalar a ++ t ")-private mechanism on " ++ title near ++ t " has " ++ show_consumer_in c ++
      t " below " ++ show_scalar v ++
      (if m is Some m then t ", and the " ++ show_table m ++ t " attains it." else t ", and one attains it.")
  | NotOptimalIn near a c v m loss gap =>
      t "the " ++ show_table m ++ t " is not optimal: it has " ++ show_consumer_in c ++ t " " ++ show_scalar loss ++
      t ", the least among (alpha = " ++ show_scalar a ++ t ")-private mechanisms on " ++ title near ++ t " is " ++ show_scalar v ++
      t ", and the gap is " ++ show_scalar gap ++ t "."
  end.
End Printing.
