(* SPDX-License-Identifier: MIT *)
(* The kinds not-stochastic, derivable and not-derivable (SPEC, sections 4 and 4.4), decided on integers.     *)
(*                                                                                                            *)
(*   not_stochastic   an entry below 0, or a row that does not sum to 1      (not_stochasticP)                *)
(*   is_product       R is row-stochastic and B = A R                        (is_productP)                    *)
(*   scores_le        sum W (A T) <= sum_y max_r sum_x W_xr A_xy for every remap T                            *)
(*   separates        sum W B > sum_y max_r sum_x W_xr A_xy                  (separatesP)                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Meaning Tables.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition not_stochastic (p m : nat) (I : integers) (i : N) (j : option N) : bool :=
  let r := row_at (lines I) i in
  (i <? N.of_nat p)%num &&
  match j with
  | Some j => (j <? N.of_nat m)%num && (at_index r (N.to_nat j) <? 0)%Z
  | None => below (N.of_nat m) r && ~~ (total r =? scaling I)%Z
  end.

Definition is_zero_line (a : Z) (x : row) (b : Z) (y : row) : bool := all_eq0 (combine a x (- b) y).

Definition is_product (p m k : nat) (A B T : integers) : bool :=
  let AT := times A T in
  [&& is_stochastic m k T, is_stochastic p m A &
  all (fun i => is_zero_line (scaling B) (line_of AT i) (scaling AT) (line_of B i)) (iota 0 p)].

Definition column_of (I : integers) (j : nat) : row := enumerate 0 [seq at_index r j | r <- lines I].

(* A number that is at least every one of m numbers in a row, some of which are not listed; the largest if    *)
(* the row lists an index once. *)
Definition largest (m : nat) (r : row) : Z :=
  foldr (fun t z => Z.max t.2 z) (if (size r < m)%N then 0%Z else head 0%Z [seq t.2 | t <- r]) r.
Definition is_bound (m : nat) (z : Z) (r : row) : bool := all_ge0 (combine 1 (enumerate 0 (nseq m z)) (-1) r).

(* For each of the m outputs of A, the scores of the k guesses by a matrix W, and bounds of them. *)
Definition scores_of (m : nat) (A W : integers) : seq row := [seq weigh (column_of A y) (lines W) | y <- iota 0 m].
Definition bounds_of (k : nat) (scores : seq row) : seq Z := [seq largest k r | r <- scores].
Definition bounded (p k : nat) (A : integers) (scores : seq row) : bool :=
  (size (lines A) == p) && all (fun zr => is_bound k zr.1 zr.2) (zip (bounds_of k scores) scores).

Definition separates (p m k : nat) (A B W : integers) : bool :=
  let products := [seq dot k (line_of W x) (line_of B x) | x <- iota 0 p] in
  let scores := scores_of m A W in
  [&& all (fun x => below (N.of_nat k) (line_of W x)) (iota 0 p), bounded p k A scores &
      (scaling B * sum_Z (bounds_of k scores) <? scaling A * sum_Z products)%Z].

Section Derivable.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Add Field R_field : (field_theory_of R).

Theorem not_stochasticP p m I (X : 'M[R]_(p, m)) i j : represents I X ->
  not_stochastic p m I i j -> ~ stochastic X.
Proof.
case=> d_gt0 X_I /andP[/N.ltb_lt i_p bad] [X_ge0 X_sum1].
have i_lt : (N.to_nat i < p)%N by apply/ssrnat.ltP; lia.
have row_i : row_at (lines I) i = line_of I (Ordinal i_lt) by rewrite row_atE.
case: j bad => [j|] /andP[].
  move=> /N.ltb_lt j_m; rewrite row_i.
  have j_lt : (N.to_nat j < m)%N by apply/ssrnat.ltP; lia.
  have := X_ge0 (Ordinal i_lt) (Ordinal j_lt); rewrite X_I pmulr_lge0 ?invr_gt0 // of_Z_ge0.
  by move/Z.leb_le => /= ge0 /Z.ltb_lt; lia.
rewrite row_i => r_m /negP; apply; rewrite -(of_Z_eq R) -(sum_row1 R r_m).
have := X_sum1 (Ordinal i_lt); under eq_bigr => r _ do rewrite X_I; rewrite -mulr_suml.
by move/(canRL (mulfVK (lt0r_neq0 d_gt0))); rewrite mul1r => ->.
Qed.

Lemma is_zero_lineP a x b y j : is_zero_line a x b y ->
  of_Z a * of_Z (at_index x j) = of_Z b * of_Z (at_index y j).
Proof.
move/(@all_eq0P _ j); rewrite at_combine => e; rewrite -!of_ZM; congr of_Z; lia.
Qed.

Theorem is_productP p m k A B T (X : 'M[R]_(p, m)) (Y : 'M[R]_(p, k)) :
  represents A X -> represents B Y ->
  (forall Z : 'M[R]_(m, k), represents T Z -> is_product p m k A B T -> stochastic Z /\ Y = X *m Z).
Proof.
move=> X_A Y_B Z Z_T /and3P[T_st A_st /(all_nthP 0%N) same]; split; first exact: stochasticP Z_T T_st.
have [at_gt0 XZ] := timesP X_A Z_T (fun i => stochastic_below i A_st).
apply/matrixP=> i j; case: Y_B => b_gt0 ->; rewrite XZ.
have := same i; rewrite size_iota nth_iota // add0n => /(_ (ltn_ord i))/(is_zero_lineP j) e.
apply/eqP; rewrite eqr_div ?lt0r_neq0 //; apply/eqP; rewrite mulrC -e; exact: mulrC.
Qed.

Lemma is_boundP m z r (j : 'I_m) : is_bound m z r -> of_Z (at_index r j) <= of_Z z.
Proof.
move/(@all_ge0P _ j); rewrite at_combine (at_enumerate 0) subn0 nth_nseq ltn_ord of_Z_le ltn0 => le_z.
by apply/Z.leb_le; lia.
Qed.

Lemma at_column I p j (i : 'I_p) : size (lines I) = p -> at_index (column_of I j) i = at_index (line_of I i) j.
Proof. by move=> size_I; rewrite (at_enumerate 0) subn0 (nth_map [::]) // size_I. Qed.

Lemma below_enumerate m k s : (k + size s <= m)%N -> below (N.of_nat m) (enumerate (N.of_nat k) s).
Proof.
elim: s k => [|z s IHs] k //; rewrite [size _]/= addnS -addSn => km.
have k_m : (N.of_nat k <? N.of_nat m)%num by apply/N.ltb_lt; have := leq_trans (leq_addr _ _) km; nat_lia.
rewrite [enumerate _ _]/=; have -> : N.succ (N.of_nat k) = N.of_nat k.+1 by lia.
by case: Z.eqb; [exact: IHs | apply/andP; split; [exact: k_m | exact: IHs]].
Qed.

Lemma scoreE p m k A W (X : 'M[R]_(p, m)) (y : 'I_m) (r : 'I_k) : represents A X -> size (lines A) = p ->
  of_Z (at_index (nth [::] (scores_of m A W) y) r) = of_Z (scaling A) * \sum_(x < p) of_Z (at_index (line_of W x) r) * X x y.
Proof.
move=> [a_gt0 X_val] size_A; rewrite /scores_of (nth_map 0%N) ?size_iota // nth_iota // add0n (@at_weigh _ p); last first.
  by apply: (@below_enumerate p 0); rewrite size_map size_A.
rewrite mulr_sumr; apply: eq_bigr => x _; rewrite (at_column _ _ size_A) X_val mulrCA [of_Z (scaling A) * _]mulrC.
by rewrite divfK ?gt_eqF // mulrC.
Qed.

(* What a remap of X scores. *)
Lemma scores_sum p m k A W (X : 'M[R]_(p, m)) (T : 'M[R]_(m, k)) : represents A X -> size (lines A) = p ->
  of_Z (scaling A) * (\sum_(x < p) \sum_(r < k) of_Z (at_index (line_of W x) r) * (X *m T) x r)
    = \sum_(y < m) \sum_(r < k) T y r * of_Z (at_index (nth [::] (scores_of m A W) y) r).
Proof.
move=> X_A size_A; transitivity (of_Z (scaling A) *
    \sum_(y < m) \sum_(r < k) T y r * \sum_(x < p) of_Z (at_index (line_of W x) r) * X x y).
  congr (_ * _); under eq_bigr => x _ do under eq_bigr => r _ do rewrite mxE mulr_sumr.
  under eq_bigr => x _ do rewrite exchange_big /=.
  rewrite exchange_big /=; apply: eq_bigr => y _; rewrite exchange_big /=; apply: eq_bigr => r _.
  by rewrite mulr_sumr; apply: eq_bigr => x _; by_ring R.
rewrite mulr_sumr; apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => r _.
by rewrite (scoreE _ _ _ X_A size_A) mulrCA.
Qed.

Lemma score_le p m k A W (y : 'I_m) (r : 'I_k) : bounded p k A (scores_of m A W) ->
  of_Z (at_index (nth [::] (scores_of m A W) y) r) <= of_Z (nth 0%Z (bounds_of k (scores_of m A W)) y).
Proof.
case/andP=> _ bounds_ok; have size_s : size (scores_of m A W) = m by rewrite size_map size_iota.
have y_in : (y < size (zip (bounds_of k (scores_of m A W)) (scores_of m A W)))%N.
  by rewrite size_zip size_map size_s minnn.
have := all_nthP (0%Z, [::]) bounds_ok y y_in; rewrite nth_zip ?size_map //=; exact: is_boundP.
Qed.

(* No remap of X scores more than the sum of the bounds. *)
Theorem scores_le p m k A W (X : 'M[R]_(p, m)) (T : 'M[R]_(m, k)) :
  represents A X -> bounded p k A (scores_of m A W) -> stochastic T ->
  \sum_(x < p) \sum_(r < k) of_Z (at_index (line_of W x) r) * (X *m T) x r
    <= of_Z (sum_Z (bounds_of k (scores_of m A W))) / of_Z (scaling A).
Proof.
move=> X_A bounds_ok [T_ge0 T_sum1]; have /andP[/eqP size_A _] := bounds_ok; have [a_gt0 _] := X_A.
rewrite ler_pdivl_mulr // mulrC (scores_sum _ _ X_A size_A).
rewrite (@sum_seq _ _ m) ?size_map ?size_iota //; apply: ler_sum => y _.
rewrite -[leRHS]mul1r -(T_sum1 y) mulr_suml; apply: ler_sum => r _.
by rewrite ler_wpmul2l // (score_le _ _ bounds_ok).
Qed.

Theorem separatesP p m k A B W (X : 'M[R]_(p, m)) (Y : 'M[R]_(p, k)) :
  represents A X -> represents B Y -> separates p m k A B W -> ~ derivable X Y.
Proof.
move=> X_A [b_gt0 Y_B] /and3P[/(all_nthP 0%N) W_k bounds_ok gap] [T T_st Y_XT].
have W_below (x : 'I_p) : below (N.of_nat k) (line_of W x).
  by have := W_k x; rewrite size_iota nth_iota // add0n; apply.
have := scores_le X_A bounds_ok T_st; rewrite -Y_XT.
have -> : \sum_(x < p) \sum_(r < k) of_Z (at_index (line_of W x) r) * Y x r
    = of_Z (sum_Z [seq dot k (line_of W x) (line_of B x) | x <- iota 0 p]) / of_Z (scaling B).
  rewrite sum_Z_iota mulr_suml; apply: eq_bigr => x _; rewrite (dotE _ _ (W_below x)) mulr_suml.
  by apply: eq_bigr => r _; rewrite Y_B mulrA.
have [a_gt0 _] := X_A; rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -!of_ZM of_Z_le.
by move/Z.leb_le; move/Z.ltb_lt: gap; lia.
Qed.

End Derivable.
