(* SPDX-License-Identifier: MIT *)
(* Claims about deployed tables: (epsilon, delta)-privacy, composition, gaps, likelihood (SPEC, section 4.13). *)
(* What they mean is stated here; what decides them is in DeployedCheck.v.                                    *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import Mechanism MatrixGame ApproximatePrivacy Composition Likelihood.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.

(* A mechanism, or a table whose rows need not sum to 1. *)
Record judged := Judged { table_of_judged : table; is_mechanism : bool }.

Inductive claim :=
| Approximate (m : judged) (near : neighbours) (level delta : Q)
| NotApproximate (m : judged) (near : neighbours) (level delta : Q)
| LeastDelta (m : judged) (near : neighbours) (level delta : Q)
| LevelWithDelta (m : judged) (near : neighbours) (delta ratio : Q)
| Sequential (ms : seq table) (near : neighbours) (ratio : Q)
| Parallel (parts : seq (table * neighbours)) (ratio : Q)
| GapBetween (near : neighbours) (level : Q) (c : consumer) (m : table) (loss least most : Q)
| Likely (m : table) (frequencies estimate : vector) (gap : Q).

(* ---- How they are read ---- *)
Definition name_of (v : json) : seq text := if v is Text n then [:: n] else [::].
Definition names_at (k : text) (v : json) : seq text :=
  if v is Object ms then if find_key k ms is Some n then name_of n else [::] else [::].

(* The names of definitions in a claim, beside those of its own keys (Reader.v). *)
Definition names_in (v : json) : seq text :=
  match v with
  | Object ms =>
      match find_key "mechanisms" ms with Some (Array ns) => flatten [seq name_of n | n <- ns] | _ => [::] end ++
      match find_key "parts" ms with
      | Some (Array ps) => flatten [seq names_at "mechanism" q ++ names_at "neighbours" q | q <- ps]
      | _ => [::]
      end
  | _ => [::]
  end.

Definition named_by A (read : text -> json -> option A) (defs : seq (text * json)) (v : json) : option A :=
  let! name := text_of v in let! d := find_key name defs in read name d.

Definition judged_of (name : text) (v : json) : option judged :=
  if same (type_of v) "table" then let! t := table_of name v in Some (Judged t false)
  else let! t := mechanism_of name v in Some (Judged t true).

(* A number in [0, 1]. *)
Definition fraction_at (k : text) (ms : seq (text * json)) : option Q :=
  let! q := scalar_at k ms in demand (0 <=? Qnum q)%Z && (Qnum q <=? Zpos (Qden q))%Z in Some q.

(* A level of (epsilon, delta)-privacy, which may be 1: epsilon = 0, where delta is a distance in total variation. *)
Definition level_or_one_at (k : text) (ms : seq (text * json)) : option Q :=
  let! q := fraction_at k ms in demand (0 <? Qnum q)%Z in Some q.

Definition part_of (defs : seq (text * json)) (v : json) : option (table * neighbours) :=
  let! ms := object_of [:: "mechanism" : text; "neighbours" : text] [::] v in
  let! m := named mechanism_of defs "mechanism" ms in
  let! near := named neighbours_of defs "neighbours" ms in Some (m, near).

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    if [|| same k "approximately-private", same k "not-approximately-private" | same k "delta"] then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "neighbours" : text; "level" : text; "delta" : text] [::] v in
      let! m := named judged_of defs "mechanism" ms in
      let! near := named neighbours_of defs "neighbours" ms in
      let! a := level_or_one_at "level" ms in
      let! d := fraction_at "delta" ms in
      Some (if same k "delta" then LeastDelta m near a d
            else if same k "approximately-private" then Approximate m near a d else NotApproximate m near a d)
    else if same k "level-with-delta" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "neighbours" : text; "delta" : text; "ratio" : text] [::] v in
      let! m := named judged_of defs "mechanism" ms in
      let! near := named neighbours_of defs "neighbours" ms in
      let! d := fraction_at "delta" ms in let! ratio := fraction_at "ratio" ms in
      Some (LevelWithDelta m near d ratio)
    else if same k "sequential-level" then
      let! _ := object_of [:: "kind" : text; "mechanisms" : text; "neighbours" : text; "ratio" : text] [::] v in
      let! ns := find_key "mechanisms" ms in let! vs := array_of ns in
      let! ts := all_of (named_by mechanism_of defs) vs in
      let! near := named neighbours_of defs "neighbours" ms in
      let! ratio := fraction_at "ratio" ms in
      demand (0 < size ts)%N in Some (Sequential ts near ratio)
    else if same k "parallel-level" then
      let! _ := object_of [:: "kind" : text; "parts" : text; "ratio" : text] [::] v in
      let! ps := find_key "parts" ms in let! vs := array_of ps in
      let! parts := all_of (part_of defs) vs in
      let! ratio := fraction_at "ratio" ms in
      demand (0 < size parts)%N in Some (Parallel parts ratio)
    else if same k "gap-between" then
      let! _ := object_of [:: "kind" : text; "neighbours" : text; "level" : text; "consumer" : text; "mechanism" : text;
                              "loss" : text; "least" : text; "most" : text] [::] v in
      let! near := named neighbours_of defs "neighbours" ms in
      let! l := find_key "level" ms in let! a := level_of l in
      let! q := find_key "consumer" ms in let! c := consumer_of defs (size (vertices near)) q in
      let! m := named mechanism_of defs "mechanism" ms in
      let! loss := scalar_at "loss" ms in let! least := scalar_at "least" ms in let! most := scalar_at "most" ms in
      Some (GapBetween near a c m loss least most)
    else if same k "likelihood" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "frequencies" : text; "estimate" : text; "gap" : text] [::] v in
      let! m := named mechanism_of defs "mechanism" ms in
      let! f := find_key "frequencies" ms in let! q := vector_of (size (outputs m)) f in
      let! e := find_key "estimate" ms in let! w := vector_of (size (inputs m)) e in
      let! gap := scalar_at "gap" ms in Some (Likely m q w gap)
    else None
  | _ => None
  end.

(* ---- What they mean ---- *)
Section Meaning.
Local Open Scope ring_scope.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).

Definition nothing : table := Table [::] [::] [::] (Listed [::]).
Definition nowhere : table * neighbours := (nothing, Neighbours [::] [::] [::]).

(* The matrix of a table, on p inputs. *)
Definition matrix_at p (t : table) : 'M[R]_(p, size (outputs t)) := matrix_of R p (size (outputs t)) (content t).

(* All pairs have the distance 1, the labels agree, and the entries are probabilities, or only not negative. *)
Definition judgeable (m : judged) (near : neighbours) :=
  let t := table_of_judged m in let X := matrix_at (size (vertices near)) t in
  [/\ inputs t = vertices near, all_one near & if is_mechanism m then stochastic X else forall i r, 0 <= X i r].

Definition approximately (m : judged) (near : neighbours) (a d : R) :=
  approximately_private_on (@adjacent (size (vertices near)) near) a d (matrix_at _ (table_of_judged m)).

(* The mechanisms of a list, about one input. *)
Definition together p (ts : seq table) (k : 'I_(size ts)) : 'M[R]_(p, size (outputs (nth nothing ts k))) :=
  matrix_at p (nth nothing ts k).

(* The mechanisms of a list of parts, each about its own inputs. *)
Definition apart (parts : seq (table * neighbours)) (k : 'I_(size parts)) :
    'M[R]_(size (vertices (nth nowhere parts k).2), size (outputs (nth nowhere parts k).1)) :=
  matrix_at _ (nth nowhere parts k).1.

Definition meaning (c : claim) : Prop :=
  match c with
  | Approximate m near a d => [/\ judgeable m near, 0 < of_Q a <= 1, 0 <= of_Q d <= 1 & approximately m near (of_Q a) (of_Q d)]
  | NotApproximate m near a d => [/\ judgeable m near, 0 < of_Q a <= 1, 0 <= of_Q d <= 1 & ~ approximately m near (of_Q a) (of_Q d)]
  | LeastDelta m near a d =>
      [/\ judgeable m near, 0 < of_Q a <= 1, 0 <= of_Q d <= 1, approximately m near (of_Q a) (of_Q d) &
          forall e, 0 <= e -> approximately m near (of_Q a) e -> of_Q d <= e]
  | LevelWithDelta m near d ratio =>
      [/\ judgeable m near, 0 <= of_Q ratio <= 1, 0 <= of_Q d <= 1 &
          forall b, 0 < b < 1 -> approximately m near b (of_Q d) <-> b <= of_Q ratio]
  | Sequential ts near ratio =>
      let p := size (vertices near) in
      [/\ (0 < size ts)%N, all_one near, 0 <= of_Q ratio <= 1,
          forall k : 'I_(size ts), inputs (nth nothing ts k) = vertices near /\ stochastic (together p k) &
          forall b, 0 < b < 1 -> sequential_on (@together p ts) (@adjacent p near) b <-> b <= of_Q ratio]
  | Parallel parts ratio =>
      [/\ (0 < size parts)%N, 0 <= of_Q ratio <= 1,
          forall k : 'I_(size parts), let: (t, near) := nth nowhere parts k in
            [/\ inputs t = vertices near, (0 < size (vertices near))%N, all_one near & stochastic (matrix_at (size (vertices near)) t)] &
          forall b, 0 < b < 1 ->
            parallel_on (@apart parts) (fun k => @adjacent _ (nth nowhere parts k).2) b <-> b <= of_Q ratio]
  | GapBetween near a c t loss least most =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      let X := matrix_of R p m (content t) in
      [/\ [/\ inputs (loss_of c) = vertices near, inputs t = vertices near & outputs t = outputs (loss_of c)],
          [/\ 0 < of_Q a < 1, proper R p c & 0 <= of_Q least],
          mechanism_for near (of_Q a) X /\ loss_is c X (of_Q loss),
          none_below near p m (of_Q a) c (of_Q loss - of_Q most) &
          exists Y : 'M[R]_(p, m), mechanism_for near (of_Q a) Y /\ loss_is c Y (of_Q loss - of_Q least)]
  | Likely t q w gap =>
      let p := size (inputs t) in let m := size (outputs t) in
      let X := matrix_at p t in
      let seen (y : 'I_m) := Z.to_nat (at_index (terms q) y) in
      [/\ stochastic X, distribution (fun y : 'I_m => vector_entry R q y), distribution (fun x : 'I_p => vector_entry R w x),
          0 <= of_Q gap /\ (forall y : 'I_m, 0 < vector_entry R q y -> 0 < mixture (fun x : 'I_p => vector_entry R w x) X y) &
          forall v : 'I_p -> R, distribution v ->
            likelihood v X seen <= likelihood (fun x : 'I_p => vector_entry R w x) X seen * (1 + of_Q gap) ^+ (\sum_y seen y)]
  end.
End Meaning.

(* ---- What is printed ---- *)
Definition show_judged (m : judged) : text :=
  if is_mechanism m then show_mechanism (table_of_judged m) else t "table " ++ name (table_of_judged m).

Definition show_entries (n : nat) (v : vector) : text := join (t ", ") [seq show_entry v i | i <- iota 0 n].

Definition sentence (c : claim) : text :=
  match c with
  | Approximate m near a d =>
      t "The " ++ show_judged m ++ t " is (epsilon, " ++ show_Q d ++ t ")-private on " ++ title near ++
      t " for e^(-epsilon) = " ++ show_Q a ++ t "."
  | NotApproximate m near a d =>
      t "The " ++ show_judged m ++ t " is not (epsilon, " ++ show_Q d ++ t ")-private on " ++ title near ++
      t " for e^(-epsilon) = " ++ show_Q a ++ t "."
  | LeastDelta m near a d =>
      t "The least delta for which the " ++ show_judged m ++ t " is (epsilon, delta)-private on " ++ title near ++
      t ", e^(-epsilon) = " ++ show_Q a ++ t ", is " ++ show_Q d ++ t "."
  | LevelWithDelta m near d ratio =>
      if (Qnum ratio =? 0)%Z then
        t "The " ++ show_judged m ++ t " is (epsilon, " ++ show_Q d ++ t ")-private on " ++ title near ++ t " for no epsilon."
      else t "The largest level e^(-epsilon) at which the " ++ show_judged m ++ t " is (epsilon, " ++ show_Q d ++ t ")-private on " ++
        title near ++ t " is " ++ show_Q ratio ++ t "."
  | Sequential ts near ratio =>
      t "The largest level at which independent releases about one input (" ++ join (t "; ") [seq show_mechanism m | m <- ts] ++
      t ") are private together on " ++ title near ++ t " is alpha = " ++ show_Q ratio ++ t "."
  | Parallel parts ratio =>
      t "The largest level at which independent mechanisms on separate parts of a database (" ++
      join (t "; ") [seq show_mechanism q.1 ++ t " on " ++ title q.2 | q <- parts] ++
      t ") are private together is alpha = " ++ show_Q ratio ++ t "."
  | GapBetween near a c m loss least most =>
      t "The " ++ show_mechanism m ++ t " is (alpha = " ++ show_Q a ++ t ")-private on " ++ title near ++ t " with " ++
      show_consumer (size (vertices near)) c ++ t " " ++ show_Q loss ++ t "; that is within " ++ show_Q most ++ t " of the least of " ++
      t "(alpha = " ++ show_Q a ++ t ")-private mechanisms, and no closer than " ++ show_Q least ++ t "."
  | Likely m q w gap =>
      t "No distribution over the inputs of the " ++ show_mechanism m ++ t " has a mean log-likelihood of the frequencies (" ++
      show_entries (size (outputs m)) q ++ t ") of its outputs that is above the one of (" ++ show_entries (size (inputs m)) w ++
      t ") by more than ln(1 + " ++ show_Q gap ++ t ")."
  end.
