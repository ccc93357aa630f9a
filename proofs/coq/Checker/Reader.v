(* SPDX-License-Identifier: MIT *)
(* From JSON trees to objects, to the claims of Syntax.v and to their witnesses (SPEC, sections 1 to 4).      *)
(* Everything that SPEC calls malformed, and every kind or definition that is not known, reads as None.       *)
(*                                                                                                            *)
(*   claim_in defs v      the claim that the tree v states, with these definitions                            *)
(*   witness_in c v       its witness                                                                         *)
(* All but the witnesses is part of what a reader of an accepted certificate has to believe in.               *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith Ascii String DecimalString.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Tables Compact.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

Notation "'let!' x := e 'in' f" := (match e with Some x => f | None => None end)
  (at level 200, x pattern, e at level 100, f at level 200).
Notation "'demand' b 'in' f" := (if b then f else None) (at level 200, b at level 100, f at level 200).

Fixpoint all_of A B (f : A -> option B) (s : seq A) : option (seq B) :=
  match s with
  | [::] => Some [::]
  | x :: s' => let! y := f x in let! ys := all_of f s' in Some (y :: ys)
  end.

(* ---- Members of objects ---- *)
Definition find_key (A : Type) (k : text) (ms : seq (text * A)) : option A :=
  foldr (fun m found => if same k m.1 then Some m.2 else found) None ms.

Definition key_in (ks : seq text) (k : text) : bool := has (same k) ks.

(* The members of an object that has all the required keys, and no others but the optional ones. *)
Definition object_of (required optional : seq text) (v : json) : option (seq (text * json)) :=
  match v with
  | Object ms => let keys := [seq m.1 | m <- ms] in
      demand all (key_in keys) required && all (key_in (required ++ optional)) keys in Some ms
  | _ => None
  end.

Definition text_of (v : json) : option text := if v is Text s then Some s else None.
Definition array_of (v : json) : option (seq json) := if v is Array vs then Some vs else None.
Definition index_of (bound : N) (v : json) : option N :=
  if v is Number n then (demand (n <? bound)%num in Some n) else None.

(* ---- Numbers (SPEC, section 2) ---- *)
Fixpoint digits_of (z : Z) (s : text) : option Z :=
  match s with
  | [::] => Some z
  | c :: s' => let! d := digit c in digits_of (10 * z + Z.of_N d)%Z s'
  end.

(* Digits without leading zeros. *)
Definition natural_of (s : text) : option Z :=
  match s with
  | [::] => None
  | [:: c] => digits_of 0 s
  | c :: _ => demand ~~ between 48 48 c in digits_of 0 s
  end.

Definition integer_of (s : text) : option Z :=
  match s with
  | c :: s' => if between 45 45 c then
                 let! z := natural_of s' in demand (0 <? z)%Z in Some (- z)%Z
               else natural_of s
  | [::] => None
  end.

Definition positive_of (z : Z) : option positive := if z is Zpos p then Some p else None.

(* What is before the first slash, and what is after it. *)
Fixpoint split_at_slash (s : text) : text * option text :=
  match s with
  | [::] => ([::], None)
  | c :: s' => if between 47 47 c then ([::], Some s') else let (a, b) := split_at_slash s' in (c :: a, b)
  end.

Definition rational_of (s : text) : option Q :=
  match split_at_slash s with
  | (a, None) => let! p := integer_of a in Some (Qmake p 1)
  | (a, Some b) => let! p := integer_of a in let! z := integer_of b in let! q := positive_of z in
      demand (1 <? z)%Z && (Z.gcd p z =? 1)%Z in Some (Qmake p q)
  end.

Definition scalar_of (v : json) : option Q := let! s := text_of v in rational_of s.
Definition number_of (v : json) : option Z := let! s := text_of v in integer_of s.

Fixpoint increasing (s : seq N) : bool :=
  match s with
  | i :: (j :: _) as s' => (i <? j)%num && increasing s'
  | _ => true
  end.

Definition indices_of (bound : N) (v : json) : option (seq N) :=
  let! vs := array_of v in let! is_ := all_of (index_of bound) vs in demand increasing is_ in Some is_.

(* The indices k, k + 1, ... are written beside the numbers, and zeros are left out. *)
Fixpoint numbered (k : N) (s : seq Z) : row :=
  match s with
  | [::] => [::]
  | z :: s' => if (z =? 0)%Z then numbered (N.succ k) s' else (k, z) :: numbered (N.succ k) s'
  end.

Definition vector_of (m : nat) (v : json) : option vector :=
  let! ms := object_of [:: "den" : text; "num" : text] [:: "at" : text] v in
  let! den := find_key "den" ms in let! z := number_of den in let! d := positive_of z in
  let! num := find_key "num" ms in let! vs := array_of num in let! zs := all_of number_of vs in
  demand (foldl Z.gcd z zs =? 1)%Z in
  match find_key "at" ms with
  | None => demand size zs == m in Some (Vector d (numbered 0 zs))
  | Some at_ => let! is_ := indices_of (N.of_nat m) at_ in
      demand (size zs == size is_) && all (fun z => ~~ (z =? 0)%Z) zs in Some (Vector d (zip is_ zs))
  end.

Definition rows_of (p m : nat) (v : json) : option (seq vector) :=
  let! vs := array_of v in demand size vs == p in all_of (vector_of m) vs.

Definition level_of (v : json) : option Q :=
  let! a := scalar_of v in demand (0 <? Qnum a)%Z && (Qnum a <? Zpos (Qden a))%Z in Some a.

(* Distances that are roots are not read. *)
Definition distance_of (v : json) : option Q := let! d := scalar_of v in demand (0 <? Qnum d)%Z in Some d.

(* ---- Definitions (SPEC, section 3) ---- *)
Definition letter (c : ascii) : bool := between 65 90 c || between 97 122 c.
Definition is_name (s : text) : bool :=
  match s with
  | c :: s' => letter c && all (fun d => letter d || between 48 57 d || between 95 95 d) s' && (size s <= 64)%N
  | [::] => false
  end.

Definition labels_of (v : json) : option (seq text) :=
  let! vs := array_of v in let! ls := all_of text_of vs in
  demand (0 < size ls)%N && distinct ls && all (fun l => 0 < size l)%N ls in Some ls.

(* "0", "1", ... *)
Definition numeral_of (n : N) : text := NilZero.string_of_uint (N.to_uint n).
Definition count_labels (n : nat) : seq text := [seq numeral_of (N.of_nat i) | i <- iota 0 n].

(* A limit of this checker: n or m up to 100 000. *)
Definition count_of (v : json) : option nat := let! n := index_of 100001 v in Some (N.to_nat n).

Definition type_of (v : json) : text :=
  match v with
  | Object ms => if find_key "type" ms is Some (Text t) then t else [::]
  | _ => [::]
  end.

Definition listed_table (outputs_key : text) (name : text) (v : json) : option table :=
  let! ms := object_of [:: "type" : text; "inputs" : text; outputs_key; "rows" : text] [::] v in
  let! i := find_key "inputs" ms in let! ins := labels_of i in
  let! o := find_key outputs_key ms in let! outs := labels_of o in
  let! r := find_key "rows" ms in let! rows := rows_of (size ins) (size outs) r in
  Some (Table name ins outs (Listed rows)).

Definition named_loss (e : entries) (name : text) (v : json) : option table :=
  let! ms := object_of [:: "type" : text; "n" : text] [::] v in
  let! k := find_key "n" ms in let! n := count_of k in
  let labels := count_labels n.+1 in Some (Table name labels labels e).

Definition mechanism_of (name : text) (v : json) : option table :=
  if same (type_of v) "mechanism" then listed_table "outputs" name v
  else if same (type_of v) "geometric" then
    let! ms := object_of [:: "type" : text; "n" : text; "level" : text] [::] v in
    let! k := find_key "n" ms in let! n := count_of k in
    let! l := find_key "level" ms in let! a := level_of l in
    let labels := count_labels n.+1 in Some (Table name labels labels (Geometric n a))
  else None.

Definition table_of (name : text) (v : json) : option table :=
  demand same (type_of v) "table" in listed_table "outputs" name v.

Definition loss_table_of (name : text) (v : json) : option table :=
  let t := type_of v in
  if same t "loss" then listed_table "guesses" name v
  else if same t "abs-loss" then named_loss AbsLoss name v
  else if same t "squared-loss" then named_loss SquaredLoss name v
  else if same t "zero-one-loss" then named_loss ZeroOneLoss name v
  else None.

Fixpoint pairs_increase (s : seq (N * N * Q)) : bool :=
  match s with
  | (i, j, _) :: ((k, l, _) :: _) as s' => ((i <? k)%num || (N.eqb i k && (j <? l)%num)) && pairs_increase s'
  | _ => true
  end.

Definition edge_of (bound : N) (v : json) : option (N * N * Q) :=
  match v with
  | Array [:: i; j] => let! x := index_of bound i in let! y := index_of bound j in Some (x, y, Qmake 1 1)
  | _ => None
  end.

Definition far_edge_of (bound : N) (v : json) : option (N * N * Q) :=
  match v with
  | Array [:: i; j; d] => let! x := index_of bound i in let! y := index_of bound j in
      let! q := distance_of d in Some (x, y, q)
  | _ => None
  end.

Definition listed_neighbours (pairs_key : text) (edge : N -> json -> option (N * N * Q)) (name : text) (v : json)
    : option neighbours :=
  let! ms := object_of [:: "type" : text; "vertices" : text; pairs_key] [::] v in
  let! l := find_key "vertices" ms in let! labels := labels_of l in
  let! e := find_key pairs_key ms in let! vs := array_of e in
  let! ps := all_of (edge (N.of_nat (size labels))) vs in
  demand all (fun p => (p.1.1 <? p.1.2)%num) ps && pairs_increase ps in Some (Neighbours (type_of v ++ bytes_of " " ++ name) labels ps).

(* The path on m vertices, in order. *)
Definition path_neighbours (m : nat) : neighbours :=
  Neighbours (bytes_of "path(" ++ numeral_of (N.of_nat m) ++ bytes_of ")") (count_labels m) [seq (N.of_nat i, N.of_nat i.+1, Qmake 1 1) | i <- iota 0 m.-1].

Definition neighbours_of (name : text) (v : json) : option neighbours :=
  let t := type_of v in
  if same t "path" then
    let! ms := object_of [:: "type" : text; "vertices" : text] [::] v in
    let! k := find_key "vertices" ms in let! m := count_of k in
    demand (0 < m)%N in Some (path_neighbours m)
  else if same t "graph" then listed_neighbours "edges" edge_of name v
  else if same t "distances" then listed_neighbours "pairs" far_edge_of name v
  else None.

(* ---- Claims (SPEC, section 4) ---- *)
(* What a key of the claim names, read as the sort of object that is asked for. *)
Definition named A (read : text -> json -> option A) (defs : seq (text * json)) (k : text) (ms : seq (text * json))
    : option A :=
  let! v := find_key k ms in let! name := text_of v in let! d := find_key name defs in read name d.

Definition consumer_of (defs : seq (text * json)) (p : nat) (v : json) : option consumer :=
  let t := type_of v in
  if same t "minimax" then
    let! ms := object_of [:: "type" : text; "loss" : text; "side_information" : text] [::] v in
    let! l := named loss_table_of defs "loss" ms in
    let! s := find_key "side_information" ms in let! side := indices_of (N.of_nat p) s in
    demand (0 < size side)%N in Some (Minimax l side)
  else if same t "bayesian" then
    let! ms := object_of [:: "type" : text; "loss" : text; "prior" : text] [::] v in
    let! l := named loss_table_of defs "loss" ms in
    let! w := find_key "prior" ms in let! prior := vector_of p w in Some (Bayesian l prior)
  else None.

Definition kind_of (ms : seq (text * json)) : text := if find_key "kind" ms is Some (Text k) then k else [::].

Definition scalar_at (k : text) (ms : seq (text * json)) : option Q := let! v := find_key k ms in scalar_of v.

Definition question_of (defs : seq (text * json)) (ms : seq (text * json))
    : option (neighbours * Q * consumer * Q) :=
  let! near := named neighbours_of defs "neighbours" ms in
  let! l := find_key "level" ms in let! a := level_of l in
  let! q := find_key "consumer" ms in let! c := consumer_of defs (size (vertices near)) q in
  let! v := scalar_at "value" ms in Some (near, a, c, v).

Definition best_keys : seq text :=
  [:: "kind" : text; "neighbours" : text; "level" : text; "consumer" : text; "value" : text].

Definition remap_question_of (defs : seq (text * json)) (ms : seq (text * json)) : option (table * consumer * Q) :=
  let! m := named mechanism_of defs "mechanism" ms in
  let! q := find_key "consumer" ms in let! c := consumer_of defs (size (inputs m)) q in
  let! v := scalar_at "value" ms in Some (m, c, v).

Definition remap_keys : seq text := [:: "kind" : text; "mechanism" : text; "consumer" : text; "value" : text].

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    if same k "not-stochastic" then
      let! _ := object_of [:: "kind" : text; "table" : text] [::] v in
      let! t := named table_of defs "table" ms in Some (NotStochastic t)
    else if same k "private" || same k "not-private" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "neighbours" : text; "level" : text] [::] v in
      let! m := named mechanism_of defs "mechanism" ms in
      let! near := named neighbours_of defs "neighbours" ms in
      let! l := find_key "level" ms in let! a := level_of l in
      Some (if same k "private" then Private m near a else NotPrivate m near a)
    else if same k "level" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "neighbours" : text; "ratio" : text; "distance" : text] [::] v in
      let! m := named mechanism_of defs "mechanism" ms in
      let! near := named neighbours_of defs "neighbours" ms in
      let! ratio := scalar_at "ratio" ms in let! e := find_key "distance" ms in let! d := distance_of e in
      let z := Qnum ratio in let one := Zpos (Qden ratio) in
      demand ((0 <? z)%Z && (z <? one)%Z) ||
             (((z =? 0)%Z || (z =? one)%Z) && (Qnum d =? 1)%Z && Pos.eqb (Qden d) 1) in Some (Level m near ratio d)
    else if same k "derivable" || same k "not-derivable" then
      let! _ := object_of [:: "kind" : text; "source" : text; "target" : text] [::] v in
      let! a := named mechanism_of defs "source" ms in
      let! b := named mechanism_of defs "target" ms in
      Some (if same k "derivable" then Derivable a b else NotDerivable a b)
    else if same k "optimal" then
      let! _ := object_of best_keys [:: "mechanism" : text] v in
      let! (near, a, c, v) := question_of defs ms in
      match find_key "mechanism" ms with
      | None => Some (Optimal near a c v None)
      | Some _ => let! m := named mechanism_of defs "mechanism" ms in Some (Optimal near a c v (Some m))
      end
    else if same k "not-optimal" then
      let! _ := object_of (best_keys ++ [:: "mechanism" : text; "loss" : text; "gap" : text]) [::] v in
      let! (near, a, c, v) := question_of defs ms in
      let! m := named mechanism_of defs "mechanism" ms in
      let! loss := scalar_at "loss" ms in let! gap := scalar_at "gap" ms in
      Some (NotOptimal near a c v m loss gap)
    else if same k "optimal-after-remap" then
      let! _ := object_of (best_keys ++ [:: "mechanism" : text]) [::] v in
      let! (near, a, c, v) := question_of defs ms in
      let! m := named mechanism_of defs "mechanism" ms in Some (OptimalAfterRemap near a c v m)
    else if same k "not-optimal-after-remap" then
      let! _ := object_of (best_keys ++ [:: "mechanism" : text; "loss" : text; "gap" : text]) [::] v in
      let! (near, a, c, v) := question_of defs ms in
      let! m := named mechanism_of defs "mechanism" ms in
      let! loss := scalar_at "loss" ms in let! gap := scalar_at "gap" ms in
      Some (NotOptimalAfterRemap near a c v m loss gap)
    else if same k "optimal-remap" then
      let! _ := object_of remap_keys [:: "remap" : text] v in
      let! (m, c, v) := remap_question_of defs ms in
      match find_key "remap" ms with
      | None => Some (OptimalRemap m c v None)
      | Some _ => let! r := named mechanism_of defs "remap" ms in Some (OptimalRemap m c v (Some r))
      end
    else if same k "not-optimal-remap" then
      let! _ := object_of (remap_keys ++ [:: "remap" : text; "loss" : text; "gap" : text]) [::] v in
      let! (m, c, v) := remap_question_of defs ms in
      let! r := named mechanism_of defs "remap" ms in
      let! loss := scalar_at "loss" ms in let! gap := scalar_at "gap" ms in
      Some (NotOptimalRemap m c v r loss gap)
    else None
  | _ => None
  end.

(* The names of definitions in a claim. *)
Definition names_in (v : json) : seq text :=
  let name_at k ms := if find_key k ms is Some (Text n) then [:: n] else [::] in
  match v with
  | Object ms =>
    flatten [seq name_at (bytes_of k) ms | k <- [:: "table"; "mechanism"; "neighbours"; "source"; "target"; "remap"]%string] ++
    match find_key "consumer" ms with Some (Object cs) => name_at (bytes_of "loss") cs | _ => [::] end
  | _ => [::]
  end.

Definition top_of (v : json) : option (seq (text * json)) :=
  object_of [:: "format" : text; "version" : text; "claim" : text; "definitions" : text; "witness" : text; "digest" : text]
            [:: "provenance" : text] v.

Definition is_text (v : json) : bool := if v is Text _ then true else false.

(* ---- Witnesses ---- *)
Definition optional A (read : json -> option A) (k : text) (ms : seq (text * json)) : option (option A) :=
  match find_key k ms with
  | None => Some None
  | Some v => let! x := read v in Some (Some x)
  end.

(* From and into which inputs costs are folded. *)
Definition folds_of (bound : N) (v : json) : option (seq (N * N)) :=
  let! ms := object_of [:: "from" : text; "into" : text] [::] v in
  let! f := find_key "from" ms in let! fs := array_of f in let! is_ := all_of (index_of bound) fs in
  let! t := find_key "into" ms in let! ts := array_of t in let! js := all_of (index_of bound) ts in
  demand size is_ == size js in Some (zip is_ js).

(* Folds are expanded: the dual has the multipliers that they stand for. *)
Definition dual_of (near : neighbours) (a : Q) (c : consumer) (v : json) : option dual :=
  let p := size (vertices near) in let loss := loss_of c in let m := size (outputs loss) in
  let! ms := object_of [::] [:: "weights" : text; "potentials" : text; "edges" : text; "folds" : text] v in
  let! w := optional (vector_of p) "weights" ms in
  let! mu := optional (vector_of p) "potentials" ms in
  let! u := optional (rows_of (size (pairs near)) m) "edges" ms in
  match find_key "folds" ms with
  | None => Some (Dual w mu u)
  | Some f =>
      let! fs := array_of f in let! folds := all_of (folds_of (N.of_nat p)) fs in
      demand (size folds == m) && sound_table p m (content loss) in
      match (if c is Bayesian _ prior then (if w is None then Some prior else None) else w), mu with
      | Some weights, Some potentials =>
          let given := if u is Some rows then rows else nseq (size (pairs near)) (Vector 1 [::]) in
          let! U := unfolded p m near a (integers_of p m (content loss)) weights potentials given folds in
          Some (Dual w mu (Some U))
      | _, _ => None
      end
  end.

Definition component_of (inputs guesses : N) (v : json) : option component :=
  let! ms := object_of [:: "guess" : text; "at" : text; "heights" : text; "value" : text] [::] v in
  let! g := find_key "guess" ms in let! r := index_of guesses g in
  let! x := find_key "at" ms in let! is_ := indices_of inputs x in
  let! y := find_key "heights" ms in let! hs := array_of y in let! heights := all_of (index_of inputs) hs in
  let! z := find_key "value" ms in let! value := scalar_of z in
  demand (0 < size is_)%N && (size is_ == size heights) in Some (r, is_, heights, value).

(* Components are expanded: the primal has the rows that they stand for. *)
Definition primal_of (near : neighbours) (a : Q) (c : consumer) (v : json) : option primal :=
  let p := size (vertices near) in let m := size (outputs (loss_of c)) in
  let! ms := object_of [::] [:: "rows" : text; "components" : text; "remap" : text] v in
  match find_key "rows" ms, find_key "components" ms, find_key "remap" ms with
  | Some v, None, None => let! rows := rows_of p m v in Some (Rows rows)
  | None, Some v, None =>
      let! vs := array_of v in let! cs := all_of (component_of (N.of_nat p) (N.of_nat m)) vs in
      let! rows := expanded p m a cs in Some (Rows rows)
  | None, None, Some v => let! rows := rows_of p m v in Some (RemapOfGeometric rows)
  | _, _, _ => None
  end.

Definition weights_at (p : nat) (ms : seq (text * json)) : option dual :=
  let! w := optional (vector_of p) "weights" ms in Some (Dual w None None).

Definition pair_and_output (m : table) (v : json) : option (N * N * N) :=
  let! ms := object_of [:: "pair" : text; "output" : text] [::] v in
  let! o := find_key "output" ms in let! r := index_of (N.of_nat (size (outputs m))) o in
  match find_key "pair" ms with
  | Some (Array [:: i; j]) =>
      let! x := index_of (N.of_nat (size (inputs m))) i in
      let! y := index_of (N.of_nat (size (inputs m))) j in Some (x, y, r)
  | _ => None
  end.

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | NotStochastic t =>
      let! ms := object_of [:: "row" : text] [:: "column" : text] v in
      let! r := find_key "row" ms in let! i := index_of (N.of_nat (size (inputs t))) r in
      let! j := optional (index_of (N.of_nat (size (outputs t)))) "column" ms in Some (AtEntry i j)
  | Private _ _ _ => let! _ := object_of [::] [::] v in Some Nothing
  | NotPrivate m _ _ => let! (x, y, r) := pair_and_output m v in Some (AtPair x y r)
  | Level m _ ratio _ =>
      if (Qnum ratio =? Zpos (Qden ratio))%Z then let! _ := object_of [::] [::] v in Some (Tight None)
      else let! x := pair_and_output m v in Some (Tight (Some x))
  | Derivable a b =>
      let! ms := object_of [:: "remap" : text] [::] v in let! r := find_key "remap" ms in
      let! rows := rows_of (size (outputs a)) (size (outputs b)) r in Some (Remap rows)
  | NotDerivable a b =>
      let! ms := object_of [:: "separator" : text] [::] v in let! w := find_key "separator" ms in
      let! rows := rows_of (size (inputs a)) (size (outputs b)) w in Some (Separator rows)
  | Optimal near a c _ None =>
      let! ms := object_of [:: "primal" : text; "dual" : text] [::] v in
      let! x := find_key "primal" ms in let! p := primal_of near a c x in
      let! y := find_key "dual" ms in let! d := dual_of near a c y in Some (Bounds (Some p) d)
  | Optimal near a c _ (Some _) =>
      let! ms := object_of [:: "dual" : text] [::] v in
      let! y := find_key "dual" ms in let! d := dual_of near a c y in Some (Bounds None d)
  | NotOptimal near a c _ _ _ _ =>
      let! ms := object_of [:: "primal" : text; "dual" : text] [::] v in
      let! x := find_key "primal" ms in let! p := primal_of near a c x in
      let! y := find_key "dual" ms in let! d := dual_of near a c y in Some (Bounds (Some p) d)
  | OptimalRemap m c _ None =>
      let! ms := object_of [:: "remap" : text] [:: "weights" : text] v in
      let! w := weights_at (size (inputs m)) ms in let! r := find_key "remap" ms in
      let! rows := rows_of (size (outputs m)) (size (outputs (loss_of c))) r in Some (Best w (Some rows))
  | OptimalRemap m c _ (Some _) =>
      let! ms := object_of [::] [:: "weights" : text] v in
      let! w := weights_at (size (inputs m)) ms in Some (Best w None)
  | NotOptimalRemap m c _ _ _ _ =>
      let! ms := object_of [:: "remap" : text] [:: "weights" : text] v in
      let! w := weights_at (size (inputs m)) ms in let! r := find_key "remap" ms in
      let! rows := rows_of (size (outputs m)) (size (outputs (loss_of c))) r in Some (Best w (Some rows))
  | OptimalAfterRemap near a c _ m =>
      let! ms := object_of [:: "remap" : text; "dual" : text] [::] v in
      let! r := find_key "remap" ms in let! rows := rows_of (size (outputs m)) (size (outputs (loss_of c))) r in
      let! y := find_key "dual" ms in let! d := dual_of near a c y in Some (AfterRemap rows (Dual None None None) None d)
  | NotOptimalAfterRemap near a c _ m _ _ =>
      let! ms := object_of [:: "remap" : text; "primal" : text; "dual" : text] [:: "weights" : text] v in
      let! r := find_key "remap" ms in let! rows := rows_of (size (outputs m)) (size (outputs (loss_of c))) r in
      let! w := weights_at (size (vertices near)) ms in
      let! x := find_key "primal" ms in let! p := primal_of near a c x in
      let! y := find_key "dual" ms in let! d := dual_of near a c y in Some (AfterRemap rows w (Some p) d)
  end.
