(* SPDX-License-Identifier: MIT *)
(* Witnesses that are expanded (SPEC, sections 4.1 and 4.2).  No theorem is about this file, and none is      *)
(* needed: what it returns is checked like a matrix that the file lists.                                      *)
(*                                                                                                            *)
(*   expanded     the rows of a mechanism from its components: x_ir = v a^h                                   *)
(*   unfolded     the multipliers of edges and of folds, as the matrix of the graph rule                      *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Tables Optimal.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition numbers (m : nat) : seq N := [seq N.of_nat r | r <- iota 0 m].

(* The numbers of a column, which is in order, stand in front of rows k, k + 1, ... *)
Fixpoint push (k r : N) (column : row) (rows : seq row) : seq row :=
  match rows with
  | [::] => [::]
  | x :: rows' =>
    match column with
    | [::] => rows
    | t :: column' => if N.eqb t.1 k then ((r, t.2) :: x) :: push (N.succ k) r column' rows'
                      else x :: push (N.succ k) r column rows'
    end
  end.

(* So many rows from their columns. *)
Definition rows_from (p : nat) (columns : seq row) : seq row :=
  foldr (fun rc rows => push 0 rc.1 rc.2 rows) (nseq p [::]) (zip (numbers (size columns)) columns).

Fixpoint all_some A (s : seq (option A)) : option (seq A) :=
  match s with
  | [::] => Some [::]
  | Some x :: s' => omap (cons x) (all_some s')
  | None :: _ => None
  end.

(* ---- Components: guess, inputs, as many heights, and the value ---- *)
Definition component := (N * seq N * seq N * Q)%type.

Definition part (den : Z) (powers : seq Z) (c : component) : row :=
  let x := (Qnum c.2 * (den / Zpos (Qden c.2)))%Z in
  [seq (ih.1, (x * nth 0%Z powers (N.to_nat ih.2))%Z) | ih <- zip c.1.1.2 c.1.2].

(* None if an input is in two components. *)
Definition column_from (parts : seq row) : option row :=
  let column := foldr (fun x y => combine 1 x 1 y) [::] parts in
  if size column == sumn [seq size x | x <- parts] then Some column else None.

Definition expanded (p m : nat) (a : Q) (cs : seq component) : option (seq vector) :=
  let den := foldr (fun (c : component) z => Z.lcm (Zpos (Qden c.2)) z) 1%Z cs in
  let top := N.to_nat (foldr (fun (c : component) h => foldr N.max h c.1.2) 0%num cs) in
  let x := Qnum a in let y := Zpos (Qden a) in
  let powers := [seq (x ^ Z.of_nat h * y ^ Z.of_nat (top - h))%Z | h <- iota 0 top.+1] in
  let columns := [seq column_from [seq part den powers c | c <- cs & N.eqb c.1.1.1 r] | r <- numbers m] in
  match all_some columns, (den * y ^ Z.of_nat top)%Z with
  | Some columns, Zpos d => Some [seq Vector d r | r <- rows_from p columns]
  | _, _ => None
  end.

(* ---- Folds ---- *)
(* The place of a pair, and the power of the level at its distance. *)
Fixpoint place_of (a : Q) (k : N) (ps : seq (N * N * Q)) (i j : N) : option (N * (Z * Z)) :=
  match ps with
  | [::] => None
  | e :: ps' => if (N.eqb e.1.1 i && N.eqb e.1.2 j) || (N.eqb e.1.1 j && N.eqb e.1.2 i)
                then Some (k, power_of a e.2) else place_of a (N.succ k) ps' i j
  end.

Definition listed (j : N) (r : row) : bool := has (fun t => N.eqb t.1 j) r.
Definition nonzero_at (j : N) (r : row) : bool := has (fun t => N.eqb t.1 j && ~~ (t.2 =? 0)%Z) r.

(* The multipliers that folds put on the pairs, for guess r with costs c. *)
Fixpoint fold_all (near : neighbours) (a : Q) (given : seq row) (r : N) (folds : seq (N * N)) (c : seq Z) (found : row) : option row :=
  match folds with
  | [::] => Some found
  | f :: folds' =>
    match place_of a 0 (pairs near) f.1 f.2 with
    | None => None
    | Some (e, (x, y)) =>
      if listed e found || nonzero_at r (nth [::] given (N.to_nat e)) then None else
      let i := N.to_nat f.1 in let j := N.to_nat f.2 in let z := nth 0%Z c i in
      let u := if (0 <=? z)%Z then z else (z * y / x)%Z in
      let moved := if (0 <=? z)%Z then (z * x / y)%Z else u in
      let c' := set_nth 0%Z (set_nth 0%Z c i 0%Z) j (nth 0%Z c j + moved)%Z in
      fold_all near a given r folds' c' (combine 1 [:: (e, if (f.1 <? f.2)%num then u else (- u)%Z)] 1 found)
    end
  end.

(* The length of the longest chain of folds. *)
Fixpoint chain_of (h : seq N) (folds : seq (N * N)) (longest : N) : N :=
  match folds with
  | [::] => longest
  | f :: folds' =>
    let x := N.max (nth 0%num h (N.to_nat f.2)) (N.succ (nth 0%num h (N.to_nat f.1))) in
    chain_of (set_nth 0%num h (N.to_nat f.2) x) folds' (N.max longest x)
  end.

Definition unfolded (p m : nat) (near : neighbours) (a : Q) (L : integers) (w mu : vector) (given : seq vector)
    (folds : seq (seq (N * N))) : option (seq vector) :=
  let U := cleared given in let k := graph_unit L w mu U in let top := graph_top near a in
  let one := foldr (fun (e : N * N * Q) z => Z.lcm ((power_of a e.2).1 * (power_of a e.2).2) z) 1%Z (pairs near) in
  let depth := foldr N.max 0%num [seq chain_of (nseq p 0%num) f 0%num | f <- folds] in
  let exact := (one ^ Z.of_N depth)%Z in
  let costs := turned m [seq dense m r | r <- slack_rows p m near a L w mu U] in
  let columns := [seq fold_all near a (lines U) x.1.1 x.1.2 [seq (z * exact)%Z | z <- x.2] [::]
                 | x <- zip (zip (numbers m) folds) costs] in
  match all_some columns, (k * top * exact)%Z with
  | Some columns, Zpos d =>
      let lift := (k / scaling U * top * exact)%Z in
      Some [seq Vector d (combine lift x.1 1 x.2) | x <- zip (lines U) (rows_from (size (pairs near)) columns)]
  | _, _ => None
  end.
