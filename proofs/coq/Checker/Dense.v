(* SPDX-License-Identifier: MIT *)
(* Rows as plain lists of numbers, in linear time, and matrices turned over.                                  *)
(*                                                                                                            *)
(*   in_order m r         the indices increase and are below m                                                *)
(*   dense m r            then this lists the numbers at 0, ..., m - 1        (at_dense)                      *)
(*   turned m rows        the columns of rows of length m                     (at_turned)                     *)
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
