(* SPDX-License-Identifier: MIT *)
(* Claims about capacities, kernel mechanisms and refinement (SPEC, section 4.14).                            *)
(* What they mean is stated here; what decides them is in TypesCheck.v.                                       *)
(*                                                                                                            *)
(* The privacy type of neighbours and a level a: all mechanisms X with [mechanism_for near a X], with any     *)
(* number of outputs.                                                                                         *)
(*   capacity_is             sum_y max_x X_xy, or 1 - sum_y min_x X_xy                                        *)
(*   kernel_mechanism        the posteriors are vertices (VertexRays.v) and linearly independent (Hyper.v)    *)
(*   choice_of               the convex sum: a part is chosen by its weight, and its result is released       *)
(*                           together with the choice; its columns are those of all parts, times their weight *)
(*   mixture                 what convex sums must be: different kernel mechanisms, weights > 0 of sum 1      *)
(*   same_sum                two convex sums have the same parts with the same weights                        *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import OrderedField Mechanism Extremes Leakage Hyper.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show VertexRays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Inductive capacity := Multiplicative | Additive.

(* A part of a convex sum: a mechanism and its weight. *)
Definition part := (table * Q)%type.

Inductive claim :=
| Capacity (m : table) (kind : capacity) (value : Q)
| TypeCapacity (near : neighbours) (level : Q) (kind : capacity) (value : Q)
| Refinements (ms : seq table) (refined : seq (N * N))
| KernelMechanism (near : neighbours) (level : Q) (m : table)
| NotKernelMechanism (near : neighbours) (level : Q) (m : table)
| KernelMixtures (near : neighbours) (level : Q) (m : table) (mixtures : seq (seq part))
| RefinesMixture (near : neighbours) (level : Q) (m : table) (parts : seq part).

(* ---- What they mean ---- *)
Section Meaning.
Local Open Scope ring_scope.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).

Definition capacity_is (kind : capacity) p m (X : 'M[R]_(p, m)) : R :=
  match kind with
  | Multiplicative => multiplicative_capacity X
  | Additive => additive_capacity X
  end.

Definition kernel_mechanism (near : neighbours) (a : R) p m (X : 'M[R]_(p, m)) :=
  [/\ mechanism_for near a X, forall j, occurs X j -> vertex near a (posterior_of X j) & independent_posteriors X].

Definition rows_at p (m : table) : 'M[R]_(p, size (outputs m)) := matrix_of R p (size (outputs m)) (content m).

Fixpoint width (parts : seq part) : nat :=
  if parts is x :: parts' then (size (outputs x.1) + width parts')%N else 0%N.

Fixpoint choice_of p (parts : seq part) : 'M[R]_(p, width parts) :=
  match parts return 'M_(p, width parts) with
  | [::] => 0
  | x :: parts' => row_mx (of_Q x.2 *: rows_at p x.1) (choice_of p parts')
  end.

(* The part number k; Table nil nil nil AbsLoss where there is none. *)
Definition no_part : part := (Table [::] [::] [::] AbsLoss, Qmake 0 1).
Definition part_at (parts : seq part) k : part := nth no_part parts k.

Definition mixture (near : neighbours) (a : R) p (parts : seq part) :=
  [/\ forall k, (k < size parts)%N -> inputs (part_at parts k).1 = vertices near /\ 0 < of_Q (part_at parts k).2,
      \sum_(x <- parts) of_Q x.2 = 1,
      forall k, (k < size parts)%N -> kernel_mechanism near a (rows_at p (part_at parts k).1) &
      forall k l, (k < l < size parts)%N -> ~ same_hyper (rows_at p (part_at parts k).1) (rows_at p (part_at parts l).1)].

Definition same_part p (x y : part) := of_Q x.2 = of_Q y.2 /\ same_hyper (rows_at p x.1) (rows_at p y.1).

Definition same_sum p (s r : seq part) :=
  (forall k, (k < size s)%N -> exists2 l, (l < size r)%N & same_part p (part_at s k) (part_at r l)) /\
  (forall l, (l < size r)%N -> exists2 k, (k < size s)%N & same_part p (part_at s k) (part_at r l)).

Definition meaning (c : claim) : Prop :=
  match c with
  | Capacity m kind v =>
      let X := rows_at (size (inputs m)) m in stochastic X /\ capacity_is kind X = of_Q v
  | TypeCapacity near a kind v =>
      let p := size (vertices near) in
      [/\ 0 < of_Q a < 1,
          exists m (X : 'M[R]_(p, m)), mechanism_for near (of_Q a) X /\ capacity_is kind X = of_Q v &
          forall m (X : 'M[R]_(p, m)), mechanism_for near (of_Q a) X -> capacity_is kind X <= of_Q v]
  | Refinements ms refined =>
      let m_ k := nth no_part.1 ms k in let p := size (inputs (m_ 0%N)) in
      (forall k, (k < size ms)%N -> inputs (m_ k) = inputs (m_ 0%N) /\ stochastic (rows_at p (m_ k))) /\
      (forall i j, (i < size ms)%N -> (j < size ms)%N -> i <> j ->
         List.In (N.of_nat i, N.of_nat j) refined <-> derivable (rows_at p (m_ i)) (rows_at p (m_ j)))
  | KernelMechanism near a m =>
      let X := rows_at (size (inputs m)) m in
      [/\ inputs m = vertices near, 0 < of_Q a < 1 & kernel_mechanism near (of_Q a) X]
  | NotKernelMechanism near a m =>
      let X := rows_at (size (inputs m)) m in
      [/\ inputs m = vertices near, 0 < of_Q a < 1, mechanism_for near (of_Q a) X & ~ kernel_mechanism near (of_Q a) X]
  | KernelMixtures near a m mixtures =>
      let p := size (inputs m) in let parts_ k := nth [::] mixtures k in
      [/\ inputs m = vertices near, 0 < of_Q a < 1, mechanism_for near (of_Q a) (rows_at p m),
          forall k, (k < size mixtures)%N ->
            mixture near (of_Q a) p (parts_ k) /\ same_hyper (rows_at p m) (choice_of p (parts_ k)) &
          forall k l, (k < l < size mixtures)%N -> ~ same_sum p (parts_ k) (parts_ l)]
  | RefinesMixture near a m parts =>
      let p := size (inputs m) in
      [/\ inputs m = vertices near, 0 < of_Q a < 1, stochastic (rows_at p m),
          mixture near (of_Q a) p parts & derivable (choice_of p parts) (rows_at p m)]
  end.
End Meaning.

(* ---- What a file claims ---- *)
Definition capacity_of (v : json) : option capacity :=
  let! k := text_of v in
  if same k "multiplicative" then Some Multiplicative else if same k "additive" then Some Additive else None.

Definition mechanism_named (defs : seq (text * json)) (v : json) : option table :=
  let! k := text_of v in let! d := find_key k defs in mechanism_of k d.

Definition part_in (defs : seq (text * json)) (v : json) : option part :=
  let! ms := object_of [:: "kernel" : text; "weight" : text] [::] v in
  let! m := named mechanism_of defs "kernel" ms in let! w := scalar_at "weight" ms in Some (m, w).

(* A list of one part or more. *)
Definition parts_in (defs : seq (text * json)) (v : json) : option (seq part) :=
  let! vs := array_of v in demand (0 < size vs)%N in all_of (part_in defs) vs.

Definition pair_in (bound : N) (v : json) : option (N * N) :=
  match v with
  | Array [:: i; j] => let! x := index_of bound i in let! y := index_of bound j in
      demand ~~ N.eqb x y in Some (x, y)
  | _ => None
  end.

Fixpoint in_order (s : seq (N * N)) : bool :=
  match s with
  | (i, j) :: ((k, l) :: _) as s' => ((i <? k)%num || (N.eqb i k && (j <? l)%num)) && in_order s'
  | _ => true
  end.

Definition type_keys : seq text := [:: "kind" : text; "neighbours" : text; "level" : text].

Definition type_in (defs : seq (text * json)) (ms : seq (text * json)) : option (neighbours * Q) :=
  let! near := named neighbours_of defs "neighbours" ms in
  let! l := find_key "level" ms in let! a := level_of l in Some (near, a).

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    if same k "capacity" then
      let! _ := object_of [:: "kind" : text; "mechanism" : text; "capacity" : text; "value" : text] [::] v in
      let! m := named mechanism_of defs "mechanism" ms in
      let! c := find_key "capacity" ms in let! kind := capacity_of c in
      let! x := scalar_at "value" ms in Some (Capacity m kind x)
    else if same k "type-capacity" then
      let! _ := object_of (type_keys ++ [:: "capacity" : text; "value" : text]) [::] v in
      let! (near, a) := type_in defs ms in
      let! c := find_key "capacity" ms in let! kind := capacity_of c in
      let! x := scalar_at "value" ms in Some (TypeCapacity near a kind x)
    else if same k "refinement-order" then
      let! _ := object_of [:: "kind" : text; "mechanisms" : text; "pairs" : text] [::] v in
      let! l := find_key "mechanisms" ms in let! vs := array_of l in
      let! names := all_of text_of vs in let! tables := all_of (mechanism_named defs) vs in
      let! r := find_key "pairs" ms in let! rs := array_of r in
      let! refined := all_of (pair_in (N.of_nat (size tables))) rs in
      demand (1 < size names)%N && distinct names && in_order refined in Some (Refinements tables refined)
    else if same k "kernel-mechanism" || same k "not-kernel-mechanism" then
      let! _ := object_of (type_keys ++ [:: "mechanism" : text]) [::] v in
      let! (near, a) := type_in defs ms in
      let! m := named mechanism_of defs "mechanism" ms in
      Some (if same k "kernel-mechanism" then KernelMechanism near a m else NotKernelMechanism near a m)
    else if same k "kernel-mixtures" then
      let! _ := object_of (type_keys ++ [:: "mechanism" : text; "mixtures" : text]) [::] v in
      let! (near, a) := type_in defs ms in
      let! m := named mechanism_of defs "mechanism" ms in
      let! l := find_key "mixtures" ms in let! vs := array_of l in
      demand (0 < size vs)%N in let! mixtures := all_of (parts_in defs) vs in
      Some (KernelMixtures near a m mixtures)
    else if same k "refines-mixture" then
      let! _ := object_of (type_keys ++ [:: "mechanism" : text; "mixture" : text]) [::] v in
      let! (near, a) := type_in defs ms in
      let! m := named mechanism_of defs "mechanism" ms in
      let! l := find_key "mixture" ms in let! parts := parts_in defs l in
      Some (RefinesMixture near a m parts)
    else None
  | _ => None
  end.

(* The names of definitions in a claim. *)
Definition names_in (v : json) : seq text :=
  let name_at k ms := if find_key k ms is Some (Text n) then [:: n] else [::] in
  let items k ms := if find_key k ms is Some (Array vs) then vs else [::] in
  let parts vs := flatten [seq (if x is Object ps then name_at (bytes_of "kernel") ps else [::]) | x <- vs] in
  match v with
  | Object ms =>
      flatten [seq name_at (bytes_of k) ms | k <- [:: "mechanism"; "neighbours"]%string] ++
      [seq (if x is Text n then n else [::]) | x <- items (bytes_of "mechanisms") ms] ++
      parts (items (bytes_of "mixture") ms) ++
      flatten [seq (if x is Array vs then parts vs else [::]) | x <- items (bytes_of "mixtures") ms]
  | _ => [::]
  end.

(* ---- What is printed ---- *)
Definition show_capacity (kind : capacity) : text :=
  match kind with Multiplicative => t "multiplicative" | Additive => t "additive" end.

Definition show_type (near : neighbours) (a : Q) : text := title near ++ t " at level alpha = " ++ show_Q a.

Definition show_parts (parts : seq part) : text :=
  join (t " + ") [seq show_Q x.2 ++ t " times the " ++ show_mechanism x.1 | x <- parts].

Definition sentence (c : claim) : text :=
  match c with
  | Capacity m kind v =>
      t "The " ++ show_capacity kind ++ t " capacity of the " ++ show_mechanism m ++ t " is " ++ show_Q v ++ t "."
  | TypeCapacity near a kind v =>
      t "The largest " ++ show_capacity kind ++ t " capacity in the type of " ++ show_type near a ++ t " is " ++ show_Q v ++ t "."
  | Refinements ms refined =>
      let name k := show_mechanism (nth no_part.1 ms (N.to_nat k)) in
      t "Among these: " ++ join (t ", ") [seq show_mechanism m | m <- ms] ++
      (if refined is [::] then t "; none is refined by another."
       else t "; the refinements are exactly: " ++
            join (t ", ") [seq name x.1 ++ t " is refined by " ++ name x.2 | x <- refined] ++ t ".")
  | KernelMechanism near a m =>
      t "The " ++ show_mechanism m ++ t " is a kernel mechanism of " ++ show_type near a ++ t "."
  | NotKernelMechanism near a m =>
      t "The " ++ show_mechanism m ++ t " is (alpha = " ++ show_Q a ++ t ")-private on " ++ title near ++ t " and no kernel mechanism."
  | KernelMixtures near a m mixtures =>
      t "The " ++ show_mechanism m ++ t " has the same hyper-distribution as " ++
      (if mixtures is [:: _] then t "a convex sum" else show_Z (Z.of_nat (size mixtures)) ++ t " different convex sums") ++
      t " of kernel mechanisms of " ++ show_type near a ++ t ": " ++ join (t "; ") [seq show_parts s | s <- mixtures] ++ t "."
  | RefinesMixture near a m parts =>
      t "The " ++ show_mechanism m ++ t " is derivable from a convex sum of kernel mechanisms of " ++ show_type near a ++
      t ": " ++ show_parts parts ++ t "."
  end.
