(* SPDX-License-Identifier: MIT *)
(* Rows of integers, written sparsely, and what is computed with them.                                        *)
(*                                                                                                            *)
(* A row is a list of pairs (index, number).  [at_index r j] is the number at j: the sum of what is listed at j. *)
(* (The format lists an index once; nothing below needs that, or an order, to be right.)                      *)
(*   combine a x b y      the row a x + b y                                                                   *)
(*   all_ge0, all_eq0     if they say yes, every number of the row is >= 0, is 0                              *)
(*   sum_row, sum_row1    a sum over all columns is a sum over the list                                       *)
(*   row_at rows i        row number i                                                                        *)
From Coq Require Import ZArith NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP.Checker Require Import Numbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition row := seq (N * Z).

Definition at_index (r : row) (j : nat) : Z :=
  foldr (fun t z => if N.eqb t.1 (N.of_nat j) then (t.2 + z)%Z else z) 0%Z r.

Definition scale_row (a : Z) (r : row) : row := if (a =? 1)%Z then r else [seq (t.1, (a * t.2)%Z) | t <- r].

(* a x + b y, by merging; in increasing order if x and y are. *)
Fixpoint combine (a : Z) (x : row) (b : Z) : row -> row :=
  match x with
  | [::] => scale_row b
  | (i, v) :: x' =>
    fix inner (y : row) : row :=
      match y with
      | [::] => (i, (a * v)%Z) :: scale_row a x'
      | (j, w) :: y' =>
        match N.compare i j with
        | Lt => (i, (a * v)%Z) :: combine a x' b y
        | Eq => (i, (a * v + b * w)%Z) :: combine a x' b y'
        | Gt => (j, (b * w)%Z) :: inner y'
        end
      end
  end.

Definition all_ge0 (r : row) : bool := all (fun t => (0 <=? t.2)%Z) r.
Definition all_eq0 (r : row) : bool := all (fun t => (t.2 =? 0)%Z) r.
Definition below (m : N) (r : row) : bool := all (fun t => (t.1 <? m)%num) r.
Definition total (r : row) : Z := foldl (fun z t => (z + t.2)%Z) 0%Z r.

Lemma at_scale a r j : at_index (scale_row a r) j = (a * at_index r j)%Z.
Proof.
rewrite /scale_row; case: Z.eqb_spec => [->|_]; first by lia.
by elim: r => [|t r IHr] /=; [lia | rewrite IHr; case: N.eqb; lia].
Qed.

Lemma at_combine a x b y j : at_index (combine a x b y) j = (a * at_index x j + b * at_index y j)%Z.
Proof.
elim: x y => [|[i v] x IHx] y; first by rewrite /= at_scale; lia.
elim: y => [|[k w] y IHy]; first by rewrite /= at_scale; case: N.eqb; lia.
rewrite [combine _ _ _ _]/=; case: (N.compare_spec i k) => [<-|_|_].
- by rewrite /= IHx; case: N.eqb; lia.
- by rewrite /= IHx /=; case: (N.eqb i _); case: (N.eqb k _); lia.
- have -> : at_index ((k, (b * w)%Z) :: combine a ((i, v) :: x) b y) j
          = ((if N.eqb k (N.of_nat j) then b * w else 0) + at_index (combine a ((i, v) :: x) b y) j)%Z.
    by rewrite /=; case: N.eqb; lia.
  by rewrite IHy /=; case: (N.eqb i _); case: (N.eqb k _); lia.
Qed.

Lemma all_ge0P r j : all_ge0 r -> (0 <= at_index r j)%Z.
Proof. by elim: r => [|t r IHr] //= /andP[/Z.leb_le t_ge0 /IHr]; case: N.eqb; lia. Qed.

Lemma all_eq0P r j : all_eq0 r -> at_index r j = 0%Z.
Proof. by elim: r => [|t r IHr] //= /andP[/Z.eqb_eq t0 /IHr]; case: N.eqb; lia. Qed.

(* Lists of any things: membership is Coq's [In]. *)
Lemma has_In T (a : pred T) s : has a s <-> exists2 x, List.In x s & a x.
Proof.
elim: s => [|x s IHs] /=; first by split=> [//|[]].
split=> [/orP[ax|/IHs[y y_s ay]]|[y [<- ->//|y_s ay]]]; first by exists x; [left|].
  by exists y; [right|].
by apply/orP; right; apply/IHs; exists y.
Qed.

Lemma all_In T (a : pred T) s : all a s <-> forall x, List.In x s -> a x.
Proof.
elim: s => [|x s IHs] /=; first by [].
split=> [/andP[ax /IHs as_] y [<-//|/as_]//|axs].
by apply/andP; split; [apply: axs; left | apply/IHs => y y_s; apply: axs; right].
Qed.

Lemma In_map A B (f : A -> B) s y : List.In y [seq f x | x <- s] -> exists2 x, List.In x s & y = f x.
Proof.
elim: s => [|x s IHs] //= [<-|/IHs[z z_s ->]]; first by exists x; [left|].
by exists z; [right|].
Qed.

Lemma In_zip A B (s : seq A) (t : seq B) xy : List.In xy (zip s t) -> List.In xy.1 s.
Proof. by elim: s t => [|x s IHs] [|y t] //= [<-|/IHs]; [left | right]. Qed.

Section Sums.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).

Lemma total_sum r : of_Z (total r) = \sum_(t <- r) of_Z t.2.
Proof.
rewrite /total; have -> : \sum_(t <- r) of_Z t.2 = of_Z 0%Z + \sum_(t <- r) of_Z t.2 by rewrite add0r.
elim: r 0%Z => [|t r IHr] z /=; first by rewrite big_nil addr0.
by rewrite IHr big_cons of_ZD addrA.
Qed.

(* A sum over all columns is a sum over what is listed. *)
Lemma sum_row m (r : row) (F : nat -> R) : below (N.of_nat m) r ->
  \sum_(j < m) F j * of_Z (at_index r j) = \sum_(t <- r) F (N.to_nat t.1) * of_Z t.2.
Proof.
elim: r => [|t r IHr] /=; first by rewrite big_nil big1 // => j _; rewrite mulr0.
move=> /andP[/N.ltb_lt t_lt /IHr r_sum]; rewrite big_cons -r_sum.
have t_m : (N.to_nat t.1 < m)%N by apply/ssrnat.ltP; lia.
rewrite (bigD1 (Ordinal t_m)) //= [in RHS](bigD1 (Ordinal t_m)) //= addrA; congr (_ + _).
  have -> : N.eqb t.1 (N.of_nat (N.to_nat t.1)) by rewrite N2Nat.id N.eqb_refl.
  by rewrite of_ZD mulrDr.
apply: eq_bigr => j j_t; case: N.eqb_spec => // t_j; case/negP: j_t.
by apply/eqP/val_inj; rewrite /= t_j Nat2N.id.
Qed.

Lemma sum_row1 m (r : row) : below (N.of_nat m) r -> \sum_(j < m) of_Z (at_index r j) = of_Z (total r).
Proof.
move=> r_m; transitivity (\sum_(j < m) 1 * of_Z (at_index r j)); first by apply: eq_bigr => j _; rewrite mul1r.
by rewrite (sum_row (fun=> 1) r_m) total_sum; apply: eq_bigr => t _; rewrite mul1r.
Qed.

End Sums.

(* Row number i of a list of rows; the empty row where there is none. *)
Fixpoint row_at (rows : seq row) (i : N) : row :=
  match rows with
  | [::] => [::]
  | r :: rows' => if N.eqb i 0 then r else row_at rows' (N.pred i)
  end.

Lemma row_atE rows i : row_at rows i = nth [::] rows (N.to_nat i).
Proof.
elim: rows i => [|r rows IHrows] i /=; first by rewrite nth_nil.
case: N.eqb_spec => [->|i_neq0] //; rewrite IHrows.
by have -> : N.to_nat i = (N.to_nat (N.pred i)).+1 by lia.
Qed.
