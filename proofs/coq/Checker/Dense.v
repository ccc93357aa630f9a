(* SPDX-License-Identifier: MIT *)
(* Rows as plain lists of numbers, in linear time, and matrices turned over.                                  *)
(*                                                                                                            *)
(*   in_order m r         the indices increase and are below m                                                *)
(*   dense m r            then this lists the numbers at 0, ..., m - 1        (at_dense)                      *)
(*   turned m rows        the columns of rows of length m                     (at_turned)                     *)
(*   weigh x rows         the sum of x_i times row i: the product of a row and a matrix   (at_weigh)          *)
(*   dot m x y            the sum of the products of two rows                             (dotE)              *)
(* The last two are linear for rows in order; for others they look every number up.                           *)
(*   sweep p t c vs       sums that carry over: entry j is p^(j+1) c + sum_(i <= j) p^(j-i) q^i t v_i  (at_sweep) *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField.
From ExactDP.Checker Require Import Numbers Rows.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The numbers at k, k + 1, ..., of which there are m. *)
Fixpoint dense_from (k : N) (m : nat) (r : row) : seq Z :=
  match m with
  | O => [::]
  | m'.+1 =>
    match r with
    | t :: r' => if N.eqb t.1 k then t.2 :: dense_from (N.succ k) m' r' else 0%Z :: dense_from (N.succ k) m' r
    | [::] => 0%Z :: dense_from (N.succ k) m' r
    end
  end.

Fixpoint rising (k : N) (r : row) : bool :=
  match r with
  | [::] => true
  | t :: r' => (k <=? t.1)%num && rising (N.succ t.1) r'
  end.

Definition dense (m : nat) (r : row) : seq Z := dense_from 0 m r.
Definition in_order (m : nat) (r : row) : bool := rising 0 r && below (N.of_nat m) r.

Lemma rising_weaken k k' r : (k <= k')%num -> rising k' r -> rising k r.
Proof. by case: r => [|t r] //= kk' /andP[/N.leb_le k't ->]; rewrite andbT; apply/N.leb_le; lia. Qed.

Lemma at_before k r j : rising k r -> (N.of_nat j < k)%num -> at_index r j = 0%Z.
Proof.
elim: r k => [|t r IHr] k //= /andP[/N.leb_le kt t_r] jk.
by rewrite (IHr _ t_r); [case: N.eqb_spec; lia | lia].
Qed.

Lemma at_dense_from k m r j : rising (N.of_nat k) r -> (j < m)%N ->
  nth 0%Z (dense_from (N.of_nat k) m r) j = at_index r (k + j).
Proof.
elim: m k r j => [|m IHm] k r j //= r_up j_m.
have next : N.succ (N.of_nat k) = N.of_nat k.+1 by lia.
case: r r_up => [|t r] /= r_up.
  case: j j_m => [|j] j_m //=; rewrite next IHm //.
case/andP: r_up => /N.leb_le kt t_r; case: (N.eqb_spec t.1 (N.of_nat k)) => [tk|tk].
  case: j j_m => [|j] j_m /=.
    by rewrite addn0 tk N.eqb_refl (at_before t_r); lia.
  rewrite next IHm //; last by rewrite tk next in t_r.
  by rewrite addSnnS; case: N.eqb_spec => // e; exfalso; move: e; rewrite tk; nat_lia.
case: j j_m => [|j] j_m /=.
  rewrite addn0; case: N.eqb_spec => // _; rewrite (at_before t_r) //; lia.
rewrite next IHm //; last by rewrite /= t_r andbT; apply/N.leb_le; lia.
by rewrite addSnnS.
Qed.

Lemma at_dense m r j : in_order m r -> (j < m)%N -> nth 0%Z (dense m r) j = at_index r j.
Proof. by case/andP=> r_up _ j_m; rewrite (@at_dense_from 0). Qed.

Lemma size_dense_from k m r : size (dense_from k m r) = m.
Proof.
elim: m k r => [|m IHm] k [|t r] //=; first by rewrite IHm.
by case: N.eqb; rewrite /= IHm.
Qed.

Lemma size_dense m r : size (dense m r) = m.
Proof. exact: size_dense_from. Qed.

Definition turned (m : nat) (rows : seq (seq Z)) : seq (seq Z) :=
  foldr (fun r columns => [seq x.1 :: x.2 | x <- zip r columns]) (nseq m [::]) rows.

Lemma size_turned m rows : all (fun r => size r == m) rows -> size (turned m rows) = m.
Proof.
elim: rows => [|r rows IHrows] /=; first by rewrite size_nseq.
by case/andP=> /eqP r_m /IHrows e; rewrite size_map size_zip e r_m minnn.
Qed.

Lemma at_turned m rows i j : all (fun r => size r == m) rows -> (j < m)%N ->
  nth 0%Z (nth [::] (turned m rows) j) i = nth 0%Z (nth [::] rows i) j.
Proof.
elim: rows i => [|r rows IHrows] i /=; first by rewrite nth_nseq if_same !nth_nil.
case/andP=> /eqP r_m rows_m j_m; have size_t := size_turned rows_m.
rewrite (nth_map (0%Z, [::])) ?size_zip ?size_t ?r_m ?minnn // nth_zip ?size_t ?r_m //=.
by case: i => [|i] //=; exact: IHrows.
Qed.

Lemma size_column m rows j : all (fun r => size r == m) rows -> (j < m)%N ->
  size (nth [::] (turned m rows) j) = size rows.
Proof.
elim: rows => [|r rows IHrows] /=; first by rewrite nth_nseq if_same.
case/andP=> /eqP r_m rows_m j_m; have size_t := size_turned rows_m.
by rewrite (nth_map (0%Z, [::])) ?size_zip ?size_t ?r_m ?minnn // nth_zip ?size_t ?r_m //= IHrows.
Qed.

(* t is multiplied by q at each step. *)
Fixpoint sweep (p q t c : Z) (vs : seq Z) : seq Z :=
  match vs with
  | [::] => [::]
  | v :: vs' => let c' := (p * c + t * v)%Z in c' :: sweep p q (q * t) c' vs'
  end.

Lemma size_sweep p q t c vs : size (sweep p q t c vs) = size vs.
Proof. by elim: vs t c => [|v vs IHvs] t c //=; rewrite IHvs. Qed.

Section Sweep.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Add Field R_field : (field_theory_of R).

Lemma at_sweep p q t c vs j : (j < size vs)%N -> of_Z (nth 0%Z (sweep p q t c vs) j) =
  of_Z p ^+ j.+1 * of_Z c + \sum_(i < j.+1) of_Z p ^+ (j - i) * of_Z q ^+ i * of_Z t * of_Z (nth 0%Z vs i).
Proof.
elim: vs t c j => [|v vs IHvs] t c [|j] //= j_lt.
  by rewrite big_ord_recl big_ord0 subnn /= of_ZD !of_ZM; by_ring R.
rewrite IHvs // [in RHS]big_ord_recl /= subn0 of_ZD !of_ZM mulrDr -addrA; congr (_ + _).
  by rewrite !exprS; by_ring R.
congr (_ + _); first by rewrite expr0; by_ring R.
by apply: eq_bigr => i _; rewrite subSS exprS; by_ring R.
Qed.
End Sweep.

(* ---- Products of a row with a matrix and with a row ---- *)
Definition weigh (x : row) (rows : seq row) : row :=
  if in_order (size rows) x then
    foldr (fun zr sum => if (zr.1 =? 0)%Z then sum else combine zr.1 zr.2 1 sum) [::] (zip (dense (size rows) x) rows)
  else foldr (fun t sum => combine t.2 (row_at rows t.1) 1 sum) [::] x.

Lemma weigh_nil rows : weigh [::] rows = [::].
Proof.
rewrite /weigh [in_order _ _]/=; rewrite /dense; move: 0%num => k.
by elim: rows k => [|r rows IHrows] k //=; exact: IHrows.
Qed.

Definition sum_Z (s : seq Z) : Z := foldl Z.add 0%Z s.

Definition dot (m : nat) (x y : row) : Z :=
  if in_order m x && in_order m y then sum_Z [seq (z.1 * z.2)%Z | z <- zip (dense m x) (dense m y)]
  else foldr (fun t z => t.2 * at_index y (N.to_nat t.1) + z)%Z 0%Z x.

Section Products.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).

Lemma sum_seq (s : seq Z) n : size s = n -> of_Z (sum_Z s) = \sum_(j < n) of_Z (nth 0%Z s j).
Proof.
move=> <-; suff fold c : of_Z (foldl Z.add c s) = of_Z c + \sum_(j < size s) of_Z (nth 0%Z s j) by rewrite fold add0r.
elim: s c => [|z s IHs] c /=; first by rewrite big_ord0 addr0.
by rewrite IHs big_ord_recl /= of_ZD addrA.
Qed.

Lemma sum_Z_iota m f : of_Z (sum_Z [seq f i | i <- iota 0 m]) = \sum_(i < m) of_Z (f i).
Proof.
rewrite (@sum_seq _ m) ?size_map ?size_iota //; apply: eq_bigr => i _.
by rewrite (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma at_weigh p x rows j : below (N.of_nat p) x ->
  of_Z (at_index (weigh x rows) j) = \sum_(i < p) of_Z (at_index x i) * of_Z (at_index (nth [::] rows i) j).
Proof.
move=> x_p; pose F i := of_Z (at_index (nth [::] rows i) j).
have -> : \sum_(i < p) of_Z (at_index x i) * of_Z (at_index (nth [::] rows i) j) = \sum_(t <- x) F (N.to_nat t.1) * of_Z t.2.
  by rewrite -(sum_row F x_p); apply: eq_bigr => i _; rewrite mulrC.
rewrite /weigh; case: ifP => [x_order|_]; last first.
  elim: x x_p => [|t x IHx] /=; first by rewrite big_nil.
  by case/andP=> _ /IHx IH; rewrite big_cons at_combine of_ZD !of_ZM IH mul1r row_atE mulrC.
have /andP[_ x_size] := x_order; rewrite -(sum_row F x_size).
have -> : \sum_(i < size rows) F i * of_Z (at_index x i) = \sum_(i < size rows) F i * of_Z (nth 0%Z (dense (size rows) x) i).
  by apply: eq_bigr => i _; rewrite at_dense.
rewrite /F; have : size (dense (size rows) x) = size rows by rewrite size_dense.
elim: rows (dense _ _) {F x_order x_size} => [|r rows IHrows] [|z zs] //=; first by rewrite big_ord0.
case=> /IHrows IH; rewrite big_ord_recl /= -IH; case: Z.eqb_spec => [->|_]; first by rewrite mulr0 add0r.
by rewrite at_combine of_ZD !of_ZM mul1r mulrC.
Qed.

Lemma dotE m x y : below (N.of_nat m) x ->
  of_Z (dot m x y) = \sum_(r < m) of_Z (at_index x r) * of_Z (at_index y r).
Proof.
move=> x_m; rewrite /dot; case: ifP => [/andP[x_order y_order]|_].
  rewrite (@sum_seq _ m) ?size_map ?size_zip ?size_dense ?minnn //; apply: eq_bigr => r _.
  by rewrite (nth_map (0, 0)%Z) ?size_zip ?size_dense ?minnn // nth_zip ?size_dense //= !at_dense // of_ZM.
under eq_bigr => r _ do rewrite mulrC.
rewrite (sum_row (fun r => of_Z (at_index y r)) x_m).
elim: x {x_m} => [|t x IHx] /=; first by rewrite big_nil.
by rewrite big_cons -IHx of_ZD of_ZM mulrC.
Qed.
End Products.
