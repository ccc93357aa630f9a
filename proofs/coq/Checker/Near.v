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
(* Numbers are rounded to integers over [one]. *)
Definition floored (one scale x : Z) : option Z :=
  let y := (one * x)%Z in let q := Z.of_N (N.div (Z.to_N y) (Z.to_N scale)) in
  if (q * scale <=? y)%Z && (y <? (q + 1) * scale)%Z then Some q else None.

(* How many numbers of a row are not what they were before. *)
Definition inexact (one scale : Z) (x q : seq Z) : Z :=
  sum_Z [seq (if (xq.2 * scale =? one * xq.1)%Z then 0%Z else 1%Z) | xq <- zip x q].

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
Definition distance_from_identity (one loose : Z) (m : nat) (L : seq (seq Z)) (d : Z) (k : nat) (x : seq Z) : Z :=
  (sum_Z [seq Z.abs ((if bz.1 == k then one * d else 0) - bz.2) | bz <- zip (iota 0 m) (combination m x L)]
   + loose * sizes x)%Z.

(* Cells are numbered from 0. *)
Definition cells_of (cells : seq N) : nat := (N.to_nat (foldr N.max 0%num cells)).+1.

Definition is_near_over (one : Z) (p : nat) (cells : seq N) (z : vector) (inverse : seq vector) (J : integers) : bool :=
  let m := cells_of cells in
  match cell_rows p m cells J with
  | None => false
  | Some A =>
    match all_of (fun r => all_of (floored one (scaling J)) (dense m r)) A with
    | None => false
    | Some L =>
      let C := cleared inverse in let d := scaling C in let xs := [seq dense m r | r <- lines C] in
      let v := dense m (terms z) in let e := Zpos (unit z) in
      let loose := foldr Z.max 0%Z [seq inexact one (scaling J) (dense m rq.1) rq.2 | rq <- zip A L] in
      let kappa := foldr Z.max 0%Z [seq distance_from_identity one loose m L d kx.1 kx.2 | kx <- zip (iota 0 m) xs] in
      let most := foldr Z.max 0%Z [seq Z.abs y | y <- v] in
      let residual := [seq (one * e - product r v)%Z | r <- L] in
      let delta := foldr Z.max 0%Z [seq (Z.abs (product x residual) + loose * sizes x * most)%Z | x <- xs] in
      [&& size (lines C) == m, all (in_order m) (lines C), in_order m (terms z), (kappa <? one * d)%Z &
          all (fun y => delta <=? (one * d - kappa) * y)%Z v]
    end
  end.

Definition is_near : nat -> seq N -> vector -> seq vector -> integers -> bool := is_near_over (2 ^ 192).

(* ---- Soundness ---- *)
Lemma all_of_nth A B (f : A -> option B) s t (x0 : A) (y0 : B) : all_of f s = Some t ->
  size t = size s /\ forall i, (i < size s)%N -> f (nth x0 s i) = Some (nth y0 t i).
Proof.
elim: s t => [|x s IHs] t /=; first by case=> <-.
case E: (f x) => [y|] //; case E': all_of => [ys|] // [<-]; have [size_ys ys_i] := IHs _ E'.
by split=> [|[|i] i_lt] /=; rewrite ?size_ys ?ys_i.
Qed.

Section Soundness.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Add Field R_field : (field_theory_of R).

Lemma of_sum_at rows j : of_Z (sum_at rows j) = \sum_(r <- rows) of_Z (at_index r j).
Proof. by elim: rows => [|r rows IHrows] /=; rewrite ?big_nil // big_cons of_ZD IHrows. Qed.

Lemma at_by_cell p cells r b : size cells = p -> in_order p r ->
  of_Z (at_index (by_cell p cells r) b) = \sum_(h < p | N.eqb (nth 0%num cells h) (N.of_nat b)) of_Z (at_index r h).
Proof.
move=> size_c r_p; rewrite /by_cell at_gather of_sum_at big_map (big_nth (0%num, 0%Z)) size_zip size_dense size_c minnn.
rewrite big_mkord [RHS]big_mkcond; apply: eq_bigr => h _.
rewrite nth_zip ?size_dense //= at_dense //; case: N.eqb; rewrite ?addr0 //.
by rewrite of_ZD addr0.
Qed.

Lemma same_rowP x y : same_row x y -> x = y.
Proof.
rewrite /same_row; elim: x y => [|[i v] x IHx] [|[j w] y] //= /andP[/andP[/N.eqb_eq -> /Z.eqb_eq ->] /IHx ->] //.
Qed.

(* The rows of A are those of the cells, and the partition is equitable. *)
Lemma cell_rowsP p m cells J A : cell_rows p m cells J = Some A ->
  [/\ size A = m, (forall k, (k < m)%N -> in_order m (nth [::] A k)), (forall i, (i < p)%N -> (N.to_nat (nth 0%num cells i) < m)%N) &
      forall (i : 'I_p) b, \sum_(h < p | N.eqb (nth 0%num cells h) (N.of_nat b)) of_Z (at_index (line_of J i) h)
        = of_Z (at_index (nth [::] A (N.to_nat (nth 0%num cells i))) b)].
Proof.
rewrite /cell_rows; case: ifP => // /and4P[/eqP size_c /eqP size_J /(all_nthP [::]) J_p /(all_nthP 0%num) c_m].
set A' := map _ _; case: ifP => // /andP[/(all_nthP (0%num, [::])) same /(all_nthP [::]) A_m] [<-].
have size_A : size A' = m by rewrite size_map size_iota.
split=> // [k k_m|i i_p|i b]; first by apply: A_m; rewrite size_A.
  by apply/ssrnat.ltP; have := c_m i; rewrite size_c => /(_ i_p)/N.ltb_lt; lia.
rewrite -at_by_cell //; last by apply: J_p; rewrite size_J.
have := same i; rewrite size_zip size_c size_J minnn nth_zip ?size_J //= => /(_ (ltn_ord i))/same_rowP <-.
by [].
Qed.

Lemma size_add_times x r s : size r = size s -> size (add_times x r s) = size s.
Proof. by elim: r s => [|y r IHr] [|z s] //= [/IHr ->]. Qed.

Lemma at_add_times x r s j : size r = size s -> nth 0%Z (add_times x r s) j = (x * nth 0 r j + nth 0 s j)%Z.
Proof.
elim: r s j => [|y r IHr] [|z s] j //=; first by rewrite !nth_nil; lia.
by case=> /IHr IH; case: j => [|j] //=.
Qed.

Lemma combinationP m x rows : size x = size rows -> all (fun r => size r == m) rows ->
  size (combination m x rows) = m /\
  forall b, of_Z (nth 0%Z (combination m x rows) b) = \sum_(j < size rows) of_Z (nth 0%Z x j) * of_Z (nth 0%Z (nth [::] rows j) b).
Proof.
elim: x rows => [|y x IHx] [|r rows] //.
  by move=> _ _; rewrite /combination /= size_nseq; split=> // b; rewrite nth_nseq if_same big_ord0.
have -> : combination m (y :: x) (r :: rows) = if (y =? 0)%Z then combination m x rows else add_times y r (combination m x rows) by [].
case=> /IHx IH /andP[/eqP r_m /IH[size_c c_b]]; case: (Z.eqb_spec y 0) => [y0|_].
  by split=> // b; rewrite c_b [RHS]big_ord_recl [in RHS]/= y0 mul0r add0r.
have rs : size r = size (combination m x rows) by rewrite r_m size_c.
rewrite size_add_times // size_c; split=> // b.
by rewrite at_add_times // of_ZD of_ZM c_b [RHS]big_ord_recl.
Qed.

Lemma productP m x y : size x = m -> size y = m -> of_Z (product x y) = \sum_(j < m) of_Z (nth 0%Z x j) * of_Z (nth 0%Z y j).
Proof.
move=> x_m y_m; rewrite /product (@sum_seq _ _ m) ?size_map ?size_zip ?x_m ?y_m ?minnn //; apply: eq_bigr => j _.
by rewrite (nth_map (0, 0)%Z) ?size_zip ?x_m ?y_m ?minnn // nth_zip ?x_m //= of_ZM.
Qed.

Lemma of_Z_abs z : of_Z (Z.abs z) = `|of_Z z|.
Proof. by case: z => [|q|q]; rewrite ?normr0 ?normrN // ger0_norm // ler0n. Qed.

Lemma sizesP m x : size x = m -> of_Z (sizes x) = \sum_(j < m) `|of_Z (nth 0%Z x j)|.
Proof.
move=> x_m; rewrite /sizes (@sum_seq _ _ m) ?size_map //; apply: eq_bigr => j _.
by rewrite (nth_map 0%Z) ?x_m // of_Z_abs.
Qed.

Lemma le_max x s : List.In x s -> (x <= foldr Z.max 0%Z s)%Z.
Proof. by elim: s => [|y s IHs] //= [->|/IHs]; lia. Qed.

Lemma nth_In T (x0 : T) s i : (i < size s)%N -> List.In (nth x0 s i) s.
Proof. by elim: s i => [|x s IHs] [|i] //= i_s; [left | right; exact: IHs]. Qed.

Lemma flooredP one s x q : (0 < one)%Z -> (0 < s)%Z -> floored one s x = Some q ->
  of_Z q / of_Z one <= of_Z x / of_Z s /\ of_Z x / of_Z s - of_Z q / of_Z one <= of_Z (if (q * s =? one * x)%Z then 0 else 1)%Z / of_Z one.
Proof.
rewrite /floored; move=> one_gt0 s_gt0; case: ifP => // /andP[/Z.leb_le lo /Z.ltb_lt hi] [<-]; move: (Z.of_N _) lo hi => {}q lo hi.
have o_gt0 : 0 < of_Z one by exact: of_Z_gt0.
have {}s_gt0 : 0 < of_Z s by exact: of_Z_gt0.
have o_neq0 : of_Z one != 0 by rewrite gt_eqF.
have s_neq0 : of_Z s != 0 by rewrite gt_eqF.
split; rewrite ?ler_subl_addr -?mulrDl.
  by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -!of_ZM of_Z_le; apply/Z.leb_le; lia.
rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -of_ZD -!of_ZM of_Z_le; apply/Z.leb_le.
by case: Z.eqb_spec => [e|_]; lia.
Qed.

Theorem is_near_overP one p cells z inverse J (Phi : 'M[R]_p) : (0 < one)%Z -> represents J Phi ->
  is_near_over one p cells z inverse J -> exists y, weighting Phi y.
Proof.
move=> one_gt0Z [J_gt0 Phi_J]; rewrite /is_near_over; cbv zeta; set m := cells_of _.
case EA: cell_rows => [A|] //; case EL: all_of => [L|] //; have [size_A A_order cell_m A_sum] := cell_rowsP EA.
set C := cleared inverse; set d := scaling C; set xs := map _ (lines C); set v := dense m _; set e := Zpos _.
set loose := foldr _ _ (map _ (zip A L)); set kappa := foldr _ _ (map _ (zip _ _)).
set residual := map _ L; set most := foldr _ _ (map _ v); set delta := foldr _ _ (map _ xs).
case/and5P=> /eqP size_C /(all_nthP [::]) C_order z_order /Z.ltb_lt kappa_lt /(all_nthP 0%Z) v_large.
have s_gt0 : (0 < scaling J)%Z by apply/Z.ltb_lt; rewrite -(of_Z_lt R) of_Z0.
have d_gt0 : (0 < d)%Z by exact: common_gt0.
have [size_L L_row] := all_of_nth [::] [::] EL; rewrite size_A in size_L L_row.
have L_at k b : (k < m)%N -> (b < m)%N -> floored one (scaling J) (at_index (nth [::] A k) b) = Some (nth 0%Z (nth [::] L k) b).
  move=> k_m b_m; have [size_k k_b] := all_of_nth 0%Z 0%Z (L_row k k_m).
  by rewrite -k_b ?size_dense // at_dense // A_order.
have L_size : all (fun r => size r == m) L.
  apply/(all_nthP [::]) => k; rewrite size_L => k_m; have [-> _] := all_of_nth 0%Z 0%Z (L_row k k_m).
  by rewrite size_dense.
have one_gt0 : 0 < of_Z one by exact: of_Z_gt0.
have one_neq0 : of_Z one != 0 by rewrite gt_eqF.
have dR_gt0 : 0 < of_Z d by exact: of_Z_gt0.
have dR_neq0 : of_Z d != 0 by rewrite gt_eqF.
have e_gt0 : 0 < of_Z e by exact: of_Z_pos.
have e_neq0 : of_Z e != 0 by rewrite gt_eqF.
have size_xs : size xs = m by rewrite size_map.
have size_x k : (k < m)%N -> size (nth [::] xs k) = m.
  by move=> k_m; rewrite (nth_map [::]) ?size_C // size_dense.
have size_v : size v = m by rewrite size_dense.
pose B : 'M[R]_m := \matrix_(k, b) (of_Z (at_index (nth [::] A k) b) / of_Z (scaling J)).
pose Lr : 'M[R]_m := \matrix_(k, b) (of_Z (nth 0%Z (nth [::] L k) b) / of_Z one).
pose Cr : 'M[R]_m := \matrix_(k, j) (of_Z (nth 0%Z (nth [::] xs k) j) / of_Z d).
pose zr (b : 'I_m) := of_Z (nth 0%Z v b) / of_Z e.
pose u := of_Z loose / of_Z one; pose w := of_Z most / of_Z e.
pose a := of_Z kappa / (of_Z one * of_Z d); pose dl := of_Z delta / (of_Z one * of_Z d * of_Z e).
have size_of (k : 'I_m) : \sum_j `|Cr k j| = of_Z (sizes (nth [::] xs k)) / of_Z d.
  rewrite (sizesP (size_x k (ltn_ord k))) mulr_suml; apply: eq_bigr => j _.
  by rewrite mxE normrM normfV (gtr0_norm dR_gt0).
have [y y_ge0 y_B] : exists2 y, forall k, 0 <= y k & forall j, \sum_b B j b * y b = 1.
  apply: (@nearly_solved _ _ B Cr Lr zr u w a dl).
  - move=> j b; rewrite !mxE.
    by have [] := flooredP one_gt0Z s_gt0 (L_at j b (ltn_ord j) (ltn_ord b)).
  - move=> j; have row_j : size (nth [::] L j) = m by apply/eqP; move/(all_nthP [::]): L_size; apply; rewrite size_L.
    apply: (@le_trans _ _ (of_Z (inexact one (scaling J) (dense m (nth [::] A j)) (nth [::] L j)) / of_Z one)).
      rewrite /inexact (@sum_seq _ _ m) ?size_map ?size_zip ?size_dense ?row_j ?minnn // mulr_suml; apply: ler_sum => b _.
      rewrite (nth_map (0, 0)%Z) ?size_zip ?size_dense ?row_j ?minnn // nth_zip ?size_dense ?row_j // !mxE.
      have [_] := flooredP one_gt0Z s_gt0 (L_at j b (ltn_ord j) (ltn_ord b)).
      by rewrite (at_dense (A_order j (ltn_ord j)) (ltn_ord b)).
    rewrite /u ler_wpmul2r ?invr_ge0 ?(ltW one_gt0) // of_Z_le; apply/Z.leb_le/le_max.
    have -> : inexact one (scaling J) (dense m (nth [::] A j)) (nth [::] L j) =
        nth 0%Z [seq inexact one (scaling J) (dense m rq.1) rq.2 | rq <- zip A L] j.
      by rewrite (nth_map ([::], [::])) ?size_zip ?size_A ?size_L ?minnn // nth_zip ?size_A ?size_L.
    by apply: nth_In; rewrite size_map size_zip size_A size_L minnn.
  - move=> b; rewrite /zr /w normrM normfV (gtr0_norm e_gt0) ler_wpmul2r ?invr_ge0 ?(ltW e_gt0) //.
    rewrite -of_Z_abs of_Z_le; apply/Z.leb_le/le_max.
    by rewrite -(nth_map 0%Z 0%Z Z.abs) ?size_v //; apply: nth_In; rewrite size_map size_v.
  - move=> k.
    have [size_c c_b] := combinationP (etrans (size_x k (ltn_ord k)) (esym size_L)) L_size.
    rewrite size_L in c_b.
    have entry b : `|(k == b)%:R - \sum_j Cr k j * Lr j b| = of_Z (Z.abs ((if (b : nat) == k then one * d else 0) -
        nth 0%Z (combination m (nth [::] xs k) L) b)%Z) / (of_Z one * of_Z d).
      rewrite of_Z_abs -[of_Z one * _]gtr0_norm ?mulr_gt0 // -normfV -normrM; congr `|_|.
      rewrite of_ZB c_b mulrBl; congr (_ - _).
        rewrite eq_sym val_eqE; case: eqP => _; last by rewrite mul0r.
        by rewrite of_ZM divff // mulf_neq0.
      rewrite mulr_suml; apply: eq_bigr => j _; rewrite !mxE.
      by by_field R; split; apply/eqP.
    under eq_bigr => b _ do rewrite entry.
    rewrite -mulr_suml size_of.
    have -> : u * (of_Z (sizes (nth [::] xs k)) / of_Z d) = of_Z loose * of_Z (sizes (nth [::] xs k)) / (of_Z one * of_Z d).
      rewrite /u; move: (of_Z loose) (of_Z (sizes _)) => x1 x2.
      by by_field R; split; apply/eqP.
    rewrite -mulrDl ler_wpmul2r ?invr_ge0 ?mulr_ge0 ?(ltW one_gt0) ?(ltW dR_gt0) //.
    have -> : \sum_(b < m) of_Z (Z.abs ((if (b : nat) == k then one * d else 0) - nth 0%Z (combination m (nth [::] xs k) L) b)%Z)
        + of_Z loose * of_Z (sizes (nth [::] xs k)) = of_Z (distance_from_identity one loose m L d k (nth [::] xs k)).
      rewrite /distance_from_identity of_ZD of_ZM; congr (_ + _).
      rewrite (@sum_seq _ _ m) ?size_map ?size_zip ?size_iota ?size_c ?minnn //; apply: eq_bigr => b _.
      by rewrite (nth_map (0%N, 0%Z)) ?size_zip ?size_iota ?size_c ?minnn // nth_zip ?size_iota ?size_c // nth_iota // add0n.
    rewrite of_Z_le; apply/Z.leb_le/le_max.
    have k_z : nth (0%N, [::]) (zip (iota 0 m) xs) k = (k : nat, nth [::] xs k).
      by rewrite nth_zip ?size_iota ?size_xs // nth_iota.
    have -> : distance_from_identity one loose m L d k (nth [::] xs k) =
        nth 0%Z [seq distance_from_identity one loose m L d kx.1 kx.2 | kx <- zip (iota 0 m) xs] k.
      by rewrite (nth_map (0%N, [::])) ?size_zip ?size_iota ?size_xs ?minnn // k_z.
    by apply: nth_In; rewrite size_map size_zip size_iota size_xs minnn.
  - rewrite /a ltr_pdivr_mulr ?mulr_gt0 // mul1r -of_ZM of_Z_lt; exact/Z.ltb_lt.
  - move=> k; have size_res : size residual = m by rewrite size_map size_L.
    have res_j (j : 'I_m) : of_Z (nth 0%Z residual j) / (of_Z one * of_Z e) = 1 - \sum_b Lr j b * zr b.
      rewrite (nth_map [::]) ?size_L // of_ZB of_ZM mulrBl divff ?mulf_neq0 //; congr (_ - _).
      have row_j : size (nth [::] L j) = m by apply/eqP; move/(all_nthP [::]): L_size; apply; rewrite size_L.
      rewrite (productP row_j size_v) mulr_suml; apply: eq_bigr => b _; rewrite mxE /zr.
      by by_field R; split; apply/eqP.
    have -> : \sum_j Cr k j * (1 - \sum_b Lr j b * zr b) = of_Z (product (nth [::] xs k) residual) / (of_Z one * of_Z d * of_Z e).
      rewrite (productP (size_x k (ltn_ord k)) size_res) mulr_suml; apply: eq_bigr => j _; rewrite -res_j mxE.
      by by_field R; do ?split; apply/eqP.
    have -> : u * w * (\sum_j `|Cr k j|) = of_Z loose * of_Z (sizes (nth [::] xs k)) * of_Z most / (of_Z one * of_Z d * of_Z e).
      rewrite size_of /u /w; move: (of_Z loose) (of_Z (sizes _)) (of_Z most) => x1 x2 x3.
      by by_field R; do ?split; apply/eqP.
    have D_gt0 : 0 < of_Z one * of_Z d * of_Z e by rewrite !mulr_gt0.
    rewrite normrM normfV (gtr0_norm D_gt0) -mulrDl ler_wpmul2r ?invr_ge0 ?(ltW D_gt0) //.
    rewrite -of_Z_abs -!of_ZM -of_ZD of_Z_le; apply/Z.leb_le/le_max.
    have -> : (Z.abs (product (nth [::] xs k) residual) + loose * sizes (nth [::] xs k) * most)%Z
        = nth 0%Z [seq (Z.abs (product x residual) + loose * sizes x * most)%Z | x <- xs] k.
      by rewrite (nth_map [::]) ?size_xs.
    by apply: nth_In; rewrite size_map size_xs.
  move=> k; have := v_large k; rewrite size_v => /(_ (ltn_ord k)); rewrite -(of_Z_le R) of_ZM of_ZB of_ZM => large.
  have -> : (1 - a) * zr k = (of_Z one * of_Z d - of_Z kappa) * of_Z (nth 0%Z v k) / (of_Z one * of_Z d * of_Z e).
    rewrite /a /zr; move: (of_Z kappa) (of_Z (nth _ _ _)) => x1 x2.
    by by_field R; do ?split; apply/eqP.
  by rewrite ler_wpmul2r // invr_ge0 !mulr_ge0 ?(ltW one_gt0) ?(ltW dR_gt0) ?(ltW e_gt0).
pose cell (i : 'I_p) : 'I_m := Ordinal (cell_m i (ltn_ord i)).
exists (fun i => y (cell i)); apply: equitable_weighting y_ge0 y_B => i b.
rewrite mxE /= -(A_sum i b) mulr_suml; apply: eq_big => [h|h _]; last exact: Phi_J.
by rewrite -val_eqE /=; apply/eqP/N.eqb_spec => [<-|->]; rewrite ?N2Nat.id ?Nat2N.id.
Qed.

Theorem is_nearP p cells z inverse J (Phi : 'M[R]_p) : represents J Phi -> is_near p cells z inverse J ->
  exists y, weighting Phi y.
Proof. exact: is_near_overP. Qed.

End Soundness.
