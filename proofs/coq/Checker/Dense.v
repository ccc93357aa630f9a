(* SPDX-License-Identifier: MIT *)
(* Rows as plain lists of numbers, in linear time, and matrices turned over.                                  *)
(*                                                                                                            *)
(*   in_order m r         the indices increase and are below m                                                *)
(*   dense m r            then this lists the numbers at 0, ..., m - 1        (at_dense)                      *)
(*   turned m rows        the columns of rows of length m                     (at_turned)                     *)
(*   weigh x rows         the sum of x_i times row i: the product of a row and a matrix   (at_weigh)          *)
(*   dot m x y            the sum of the products of two rows                             (dotE)              *)
(* The last two are linear for rows in order; for others they look every number up.                           *)
(*   carried p q t c vs   sums that carry over: entry j is a^(j+1) c + t sum_(i <= j) a^(j-i) v_i, a = p/q    *)
(*                        (at_carried)                                                                        *)
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

(* Each entry is p/q of the one before, and t times the next number; the divisions are exact if c and t have    *)
(* factors q enough. *)
Fixpoint carried (p q t c : Z) (vs : seq Z) : seq Z :=
  match vs with
  | [::] => [::]
  | v :: vs' => let c' := (p * c / q + t * v)%Z in c' :: carried p q t c' vs'
  end.

Lemma size_carried p q t c vs : size (carried p q t c vs) = size vs.
Proof. by elim: vs c => [|v vs IHvs] c //=; rewrite IHvs. Qed.

Section Carried.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Add Field R_field : (field_theory_of R).

Lemma at_carried p q t c vs j : (0 < q)%Z -> (q ^ Z.of_nat (size vs) | c)%Z -> (q ^ Z.of_nat (size vs).-1 | t)%Z ->
  (j < size vs)%N -> of_Z (nth 0%Z (carried p q t c vs) j) =
  (of_Z p / of_Z q) ^+ j.+1 * of_Z c + of_Z t * \sum_(i < j.+1) (of_Z p / of_Z q) ^+ (j - i) * of_Z (nth 0%Z vs i).
Proof.
move=> q_gt0; have q_neq0 : of_Z q != 0 by rewrite gt_eqF // -(of_Z0 R) of_Z_lt; exact/Z.ltb_lt.
elim: vs c j => [|v vs IHvs] c j //; rewrite [size _]/= [_.+1.-1]/= => c_q t_q.
have [d c_is] : (q | c)%Z by apply: Z.divide_trans c_q; exists (q ^ Z.of_nat (size vs))%Z; rewrite Nat2Z.inj_succ Z.pow_succ_r; lia.
have step : (p * c / q)%Z = (p * d)%Z by rewrite c_is Z.mul_assoc Z.div_mul //; lia.
have d_q : (q ^ Z.of_nat (size vs) | d)%Z.
  case: c_q => e; rewrite Nat2Z.inj_succ Z.pow_succ_r ?c_is; last by lia.
  move=> eq; exists e; apply: (proj1 (Z.mul_cancel_r _ _ q _)); first by lia.
  by rewrite eq -Z.mul_assoc [(_ ^ _ * _)%Z]Z.mul_comm.
have next : of_Z (p * c / q + t * v)%Z = of_Z p / of_Z q * of_Z c + of_Z t * of_Z v.
  by rewrite step of_ZD !of_ZM c_is of_ZM; by_field R; apply/eqP.
case: j => [_|j j_lt].
  by rewrite [nth _ _ _]/= big_ord_recl big_ord0 subnn addr0 expr1 expr0 mul1r.
rewrite [LHS]/= IHvs //; last first.
- case: t_q => e ->; case: (vs) => [|w ws]; first by exists (e * 1)%Z; rewrite /=; lia.
  by exists (e * q)%Z; rewrite [size _]/= [_.+1.-1]/= Nat2Z.inj_succ Z.pow_succ_r; lia.
- by apply: Z.divide_add_r; [rewrite step; apply: Z.divide_mul_r | apply: Z.divide_mul_l].
rewrite next [in RHS]big_ord_recl subn0 [nth _ _ _]/= exprS.
rewrite (eq_bigr (fun i : 'I_j.+1 => (of_Z p / of_Z q) ^+ (j.+1 - bump 0 i) * of_Z (nth 0%Z (v :: vs) (bump 0 i)))).
  by rewrite [in RHS]exprS; by_ring R.
by move=> i _; rewrite subSS.
Qed.
End Carried.

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
