(* SPDX-License-Identifier: MIT *)
(* Existence without the solution (SPEC, section 4.8, the witness near), decided on integers.                 *)
(*                                                                                                            *)
(* The inputs are divided into cells, and the sums of Phi over the cells are the same for all inputs of a     *)
(* cell: that is B.  L is 2^192 B, rounded down; C and z are given.                                           *)
(*   gather             numbers at the same index are summed                              (at_gather)         *)
(*   cell_rows          the rows of B, if the partition is equitable                      (cell_rowsP)        *)
(*   is_near            the conditions of NearSolution.v                                  (is_nearP)          *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Capacities NearSolution.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Reader Meaning Tables PhiRules.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Sums of rows, by merging ---- *)
Fixpoint merge (x : row) : row -> row :=
  match x with
  | [::] => id
  | (i, v) :: x' =>
    fix inner (y : row) : row :=
      match y with
      | [::] => (i, v) :: x'
      | (j, w) :: y' =>
        match N.compare i j with
        | Lt => (i, v) :: merge x' y
        | Eq => (i, (v + w)%Z) :: merge x' y'
        | Gt => (j, w) :: inner y'
        end
      end
  end.

Fixpoint merge_pairs (rows : seq row) : seq row :=
  match rows with
  | x :: y :: rows' => merge x y :: merge_pairs rows'
  | _ => rows
  end.

Fixpoint gather (steps : nat) (rows : seq row) : row :=
  match steps with
  | O => foldr merge [::] rows
  | n.+1 => if rows is [:: x] then x else gather n (merge_pairs rows)
  end.

Definition sum_at (rows : seq row) (j : nat) : Z := foldr (fun r z => at_index r j + z)%Z 0%Z rows.

Lemma at_merge x y j : at_index (merge x y) j = (at_index x j + at_index y j)%Z.
Proof.
elim: x y => [|[i v] x IHx] y //; elim: y => [|[k w] y IHy]; first by rewrite [merge _ _]/= /=; lia.
rewrite [merge _ _]/=; case: (N.compare_spec i k) => [<-|_|_].
- by rewrite /= IHx; case: N.eqb; lia.
- by rewrite /= IHx /=; case: (N.eqb i _); case: (N.eqb k _); lia.
- have -> : at_index ((k, w) :: merge ((i, v) :: x) y) j
          = ((if N.eqb k (N.of_nat j) then w else 0) + at_index (merge ((i, v) :: x) y) j)%Z.
    by rewrite /=; case: N.eqb; lia.
  by rewrite IHy /=; case: (N.eqb i _); case: (N.eqb k _); lia.
Qed.

Lemma sum_merge_pairs rows j : sum_at (merge_pairs rows) j = sum_at rows j.
Proof.
move: {2}(size rows) (leqnn (size rows)) => n; elim: n rows => [|n IHn] [|x [|y rows]] //= rows_n.
by rewrite IHn ?at_merge; [lia | exact: ltnW].
Qed.

Lemma at_gather steps rows j : at_index (gather steps rows) j = sum_at rows j.
Proof.
elim: steps rows => [|n IHn] rows /=.
  by elim: rows => [|x rows IHrows] //=; rewrite at_merge IHrows.
by case: rows => [|x [|y rows]] /=; rewrite ?IHn /= ?at_merge ?sum_merge_pairs; lia.
Qed.

(* ---- Cells ---- *)
(* The sums over the cells of a row. *)
Definition by_cell (p : nat) (cells : seq N) (r : row) : row := gather 64 [seq [:: cz] | cz <- zip cells (dense p r)].

(* The row of the first input of cell k. *)
Definition row_of_cell (cells : seq N) (rows : seq row) (k : nat) : row :=
  foldr (fun cr found => if N.eqb cr.1 (N.of_nat k) then cr.2 else found) [::] (zip cells rows).

Definition same_row (x y : row) : bool := all2 (fun s t : N * Z => N.eqb s.1 t.1 && (s.2 =? t.2)%Z) x y.

Definition cell_rows (p m : nat) (cells : seq N) (J : integers) : option (seq row) :=
  if [&& size cells == p, size (lines J) == p, all (in_order p) (lines J) & all (fun c => (c <? N.of_nat m)%num) cells] then
    let A := [seq by_cell p cells (row_of_cell cells (lines J) k) | k <- iota 0 m] in
    if all (fun cr => same_row (by_cell p cells cr.2) (nth [::] A (N.to_nat cr.1))) (zip cells (lines J)) && all (in_order m) A
    then Some A else None
  else None.

(* ---- Rounding ---- *)
Definition one : Z := (2 ^ 192)%Z.

Definition floored (scale x : Z) : option Z :=
  let y := (one * x)%Z in let q := Z.of_N (N.div (Z.to_N y) (Z.to_N scale)) in
  if (q * scale <=? y)%Z && (y <? (q + 1) * scale)%Z then Some q else None.

(* ---- Sums of lists ---- *)
Fixpoint add_times (x : Z) (r sum : seq Z) : seq Z :=
  match r, sum with
  | y :: r', z :: sum' => (x * y + z)%Z :: add_times x r' sum'
  | _, _ => [::]
  end.

(* The sum of x_j times row j. *)
Definition combination (m : nat) (x : seq Z) (rows : seq (seq Z)) : seq Z :=
  foldr (fun xr sum => if (xr.1 =? 0)%Z then sum else add_times xr.1 xr.2 sum) (nseq m 0%Z) (zip x rows).

Definition product (x y : seq Z) : Z := sum_Z [seq (xy.1 * xy.2)%Z | xy <- zip x y].
Definition sizes (x : seq Z) : Z := sum_Z [seq Z.abs y | y <- x].

(* ---- The conditions ---- *)
(* Over one d: how far row k of C L is from that of the identity, with the error of L. *)
Definition distance_from_identity (m : nat) (L : seq (seq Z)) (d : Z) (k : nat) (x : seq Z) : Z :=
  (sum_Z [seq Z.abs ((if bz.1 == k then one * d else 0) - bz.2) | bz <- zip (iota 0 m) (combination m x L)]
   + Z.of_nat m * sizes x)%Z.

Definition is_near (p : nat) (cells : seq N) (z : vector) (inverse : seq vector) (J : integers) : bool :=
  let m := (N.to_nat (foldr N.max 0%num cells)).+1 in
  match cell_rows p m cells J with
  | None => false
  | Some A =>
    match all_of (fun r => all_of (floored (scaling J)) (dense m r)) A with
    | None => false
    | Some L =>
      let C := cleared inverse in let d := scaling C in let xs := [seq dense m r | r <- lines C] in
      let v := dense m (terms z) in let e := Zpos (unit z) in
      let kappa := foldr Z.max 0%Z [seq distance_from_identity m L d kx.1 kx.2 | kx <- zip (iota 0 m) xs] in
      let most := foldr Z.max 0%Z [seq Z.abs y | y <- v] in
      let residual := [seq (one * e - product r v)%Z | r <- L] in
      let delta := foldr Z.max 0%Z [seq (Z.abs (product x residual) + Z.of_nat m * sizes x * most)%Z | x <- xs] in
      [&& size (lines C) == m, all (in_order m) (lines C), in_order m (terms z), (kappa <? one * d)%Z &
          all (fun y => delta <=? (one * d - kappa) * y)%Z v]
    end
  end.
