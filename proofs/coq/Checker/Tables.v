(* SPDX-License-Identifier: MIT *)
(* Tables as integers over one denominator: what the checker computes with.                                   *)
(*                                                                                                            *)
(*   represents I X      the matrix X has the entries lines_ij/scale                                          *)
(*   integers_of p m e   the integers of a table; [integers_ofP]: they represent its matrix                   *)
(*   is_stochastic       decides whether the rows are distributions                                           *)
(*   times               the product of two tables                                                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism Form Geometric Losses.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Meaning.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Record integers := Integers { scaling : Z; lines : seq row }.

Definition line_of (I : integers) (i : nat) : row := nth [::] (lines I) i.

(* ---- Vectors over different denominators are brought to their least common one. ---- *)
Definition common (vs : seq vector) : Z := foldr (fun v d => Z.lcm (Zpos (unit v)) d) 1%Z vs.
Definition lifted (d : Z) (v : vector) : row := scale_row (d / Zpos (unit v)) (terms v).
Definition cleared (vs : seq vector) : integers := let d := common vs in Integers d [seq lifted d v | v <- vs].

(* ---- Formulas ---- *)
Fixpoint enumerate (k : N) (s : seq Z) : row :=
  match s with
  | [::] => [::]
  | z :: s' => if (z =? 0)%Z then enumerate (N.succ k) s' else (k, z) :: enumerate (N.succ k) s'
  end.

Definition formula (p m : nat) (d : Z) (f : nat -> nat -> Z) : integers :=
  Integers d [seq enumerate 0 [seq f i j | j <- iota 0 m] | i <- iota 0 p].

Definition geometric_entry (n : nat) (a : Q) (i j : nat) : Z :=
  let p := Qnum a in let q := Zpos (Qden a) in
  (p ^ Z.of_nat (dist i j) * q ^ Z.of_nat (n - dist i j) *
   (if n == 0%N then p + q else if (j == 0%N) || (j == n) then q else q - p))%Z.

(* The same numbers row by row: those of one distance are computed once and stand in all rows. *)
Definition geometric_row (n i : nat) (ends inner : seq Z) : seq Z :=
  let between := rev (take i.+1 inner) ++ take (n - i) (behead inner) in
  nth 0%Z ends i :: rcons (take n.-1 (behead between)) (nth 0%Z ends (n - i)).

Definition geometric_lines (n : nat) (a : Q) : seq row :=
  let p := Qnum a in let q := Zpos (Qden a) in
  let powers := [seq (p ^ Z.of_nat d * q ^ Z.of_nat (n - d))%Z | d <- iota 0 n.+1] in
  let ends := [seq (z * q)%Z | z <- powers] in let inner := [seq (z * (q - p))%Z | z <- powers] in
  [seq enumerate 0 (geometric_row n i ends inner) | i <- iota 0 n.+1].

Definition integers_of (p m : nat) (e : entries) : integers :=
  match e with
  | Listed rows => cleared rows
  | Geometric n a => let d := (Zpos (Qden a) ^ Z.of_nat n * (Qnum a + Zpos (Qden a)))%Z in
      if n == 0%N then formula p m d (geometric_entry n a) else Integers d (geometric_lines n a)
  | AbsLoss => formula p m 1 (fun i j => Z.of_nat (dist i j))
  | SquaredLoss => formula p m 1 (fun i j => Z.of_nat (dist i j) ^ 2)%Z
  | ZeroOneLoss => formula p m 1 (fun i j => if i == j then 0%Z else 1%Z)
  end.

(* The level of a geometric table must be between 0 and 1, and its size must be that of the formula. *)
Definition sound_table (p m : nat) (e : entries) : bool :=
  match e with
  | Listed rows => size rows == p
  | Geometric n a => [&& (0 <? Qnum a)%Z, (Qnum a <? Zpos (Qden a))%Z, p == n.+1 & m == n.+1]
  | _ => true
  end.

(* ---- What is decided about them ---- *)
Definition is_distribution (m : nat) (d : Z) (r : row) : bool :=
  [&& below (N.of_nat m) r, all_ge0 r & (total r =? d)%Z].

Definition is_stochastic (p m : nat) (I : integers) : bool :=
  (size (lines I) == p) && all (is_distribution m (scaling I)) (lines I).

Definition times (A B : integers) : integers :=
  Integers (scaling A * scaling B) [seq weigh r (lines B) | r <- lines A].

Lemma at_enumerate k s j : at_index (enumerate (N.of_nat k) s) j = if (j < k)%N then 0%Z else nth 0%Z s (j - k).
Proof.
elim: s k => [|z s IHs] k /=; first by rewrite nth_nil if_same.
have -> : N.succ (N.of_nat k) = N.of_nat k.+1 by lia.
have at_z : (at_index (enumerate (N.of_nat k.+1) s) j + (if N.eqb (N.of_nat k) (N.of_nat j) then z else 0))%Z
    = if (j < k)%N then 0%Z else nth 0%Z (z :: s) (j - k).
  rewrite IHs ltnS leq_eqVlt; case: N.eqb_spec => [/Nat2N.inj <-|kj].
    by rewrite eqxx ltnn subnn /=; lia.
  have -> /= : (j == k) = false by apply/eqP => jk; apply: kj; rewrite jk.
  case: ltnP => [|kj']; first by lia.
  have -> : (j - k = (j - k.+1).+1)%N.
    by rewrite subnS prednK // subn_gt0 ltn_neqAle kj' andbT; apply/eqP => e; apply: kj; rewrite e.
  by rewrite /=; lia.
by rewrite -at_z; case: Z.eqb_spec => [->|_] /=; case: N.eqb; lia.
Qed.

Section Representation.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Definition represents p m (I : integers) (X : 'M[R]_(p, m)) :=
  0 < of_Z (scaling I) /\ forall (i : 'I_p) (j : 'I_m), X i j = of_Z (at_index (line_of I i) j) / of_Z (scaling I).

Lemma common_gt0 vs : (0 < common vs)%Z.
Proof.
elim: vs => [|v vs IHvs] //=; have := Z.lcm_nonneg (Zpos (unit v)) (common vs).
by have := Z.lcm_eq_0 (Zpos (unit v)) (common vs); lia.
Qed.

Lemma of_Z_gt0 z : (0 < z)%Z -> 0 < of_Z z.
Proof. by move=> z_gt0; rewrite -(of_Z0 R) of_Z_lt; apply/Z.ltb_lt. Qed.

Lemma common_divide vs i : (Zpos (unit (nth (Vector 1 [::]) vs i)) | common vs)%Z.
Proof.
elim: vs i => [|v vs IHvs] [|i] /=; try exact: Z.divide_1_l.
  exact: Z.divide_lcm_l.
by apply: Z.divide_trans (IHvs i) _; exact: Z.divide_lcm_r.
Qed.

Lemma lifted_entry d v j : (0 < d)%Z -> (Zpos (unit v) | d)%Z ->
  of_Z (at_index (lifted d v) j) / of_Z d = vector_entry R v j.
Proof.
move=> d_gt0 [k d_k]; rewrite /lifted /vector_entry at_scale of_ZM d_k Z.div_mul // of_ZM.
have k_neq0 : of_Z k != 0 by apply/eqP => k0; have := of_Z_gt0 d_gt0; rewrite d_k of_ZM k0 mul0r ltxx.
have u_neq0 := of_Z_pos_neq0 R (unit v).
by by_field R; split; apply/eqP.
Qed.

Lemma cleared_entry vs i j :
  of_Z (at_index (line_of (cleared vs) i) j) / of_Z (common vs) = vector_entry R (nth (Vector 1 [::]) vs i) j.
Proof.
rewrite -(lifted_entry j (common_gt0 vs) (common_divide vs i)) /line_of /=; congr (of_Z (at_index _ _) / _).
have [i_lt|i_ge] := ltnP i (size vs); first by rewrite (nth_map (Vector 1 [::])).
by rewrite !nth_default ?size_map // /lifted /scale_row; case: Z.eqb.
Qed.

Lemma formula_at p m d f (i : 'I_p) (j : 'I_m) : at_index (line_of (formula p m d f) i) j = f i j.
Proof.
rewrite /line_of (nth_map 0%N) ?size_iota // nth_iota // add0n.
by rewrite (at_enumerate 0) subn0 /= (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma geometric_lines_at n a i j : (0 < n)%N -> (i <= n)%N -> (j <= n)%N ->
  at_index (nth [::] (geometric_lines n a) i) j = geometric_entry n a i j.
Proof.
move=> n_gt0 i_n j_n; rewrite /geometric_lines /geometric_entry (gtn_eqF n_gt0).
move: (Qnum a) (Zpos (Qden a)) => p q.
pose power (d : nat) := (p ^ Z.of_nat d * q ^ Z.of_nat (n - d))%Z.
have -> : [seq (p ^ Z.of_nat d * q ^ Z.of_nat (n - d))%Z | d <- iota 0 n.+1] = [seq power d | d <- iota 0 n.+1] by [].
set ends := [seq (z * q)%Z | z <- _]; set inner := [seq (z * (q - p))%Z | z <- _].
have size_inner : size inner = n.+1 by rewrite !size_map size_iota.
have at_list (f : Z -> Z) d : (d <= n)%N -> nth 0%Z [seq f z | z <- [seq power d | d <- iota 0 n.+1]] d = f (power d).
  by move=> d_n; rewrite (nth_map 0%Z) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n (at_enumerate 0) subn0 /=.
have size_left : size (rev (take i.+1 inner)) = i.+1 by rewrite size_rev size_takel // size_inner.
have size_between : size (rev (take i.+1 inner) ++ take (n - i) (behead inner)) = n.+1.
  by rewrite size_cat size_left size_takel ?size_behead ?size_inner ?leq_subr // addSn subnKC.
have at_between k : (k <= n)%N -> nth 0%Z (rev (take i.+1 inner) ++ take (n - i) (behead inner)) k = (power (dist i k) * (q - p))%Z.
  move=> k_n; rewrite nth_cat size_left; case: ltnP => [k_i|i_k].
    have -> : dist i k = (i - k)%N by rewrite /dist; nat_lia.
    rewrite nth_rev; last by move: size_left; rewrite size_rev => ->.
    move: size_left; rewrite size_rev => ->; rewrite subSS nth_take; last by nat_lia.
    by rewrite at_list //; nat_lia.
  have -> : dist i k = (k - i.+1).+1 by rewrite /dist; nat_lia.
  rewrite nth_take; last by nat_lia.
  by rewrite nth_behead at_list //; nat_lia.
case: j j_n => [|j] j_n /=; first by rewrite at_list // (_ : dist i 0 = i) // /dist; nat_lia.
have size_mid : size (take n.-1 (behead (rev (take i.+1 inner) ++ take (n - i) (behead inner)))) = n.-1.
  by rewrite size_takel // size_behead size_between leq_pred.
rewrite nth_rcons size_mid; case: ltnP => [j_lt|j_ge].
  rewrite nth_take // nth_behead at_between // (_ : j.+1 == n = false) //.
  by apply/eqP; nat_lia.
have -> : j = n.-1 by nat_lia.
by rewrite prednK // !eqxx at_list ?leq_subr // (_ : dist i n = n - i)%N // /dist; nat_lia.
Qed.

Lemma geometric_entryP n a (i j : nat) : (0 < Qnum a)%Z -> (Qnum a < Zpos (Qden a))%Z ->
  (i <= n)%N -> (j <= n)%N ->
  of_Q a ^+ dist i j * scale (of_Q a) n j =
  of_Z (geometric_entry n a i j) / of_Z (Zpos (Qden a) ^ Z.of_nat n * (Qnum a + Zpos (Qden a)))%Z.
Proof.
move=> p_gt0 p_lt i_n j_n; set d := dist i j; have d_n : (d <= n)%N by rewrite /d /dist; nat_lia.
rewrite /geometric_entry -/d !of_ZM !of_ZX of_ZD /of_Q.
set p := of_Z (Qnum a); set q := of_Z (Zpos (Qden a)).
have q_neq0 : q != 0 by exact: of_Z_pos_neq0.
have pq_neq0 : p + q != 0 by rewrite gt_eqF // addr_gt0 ?of_Z_pos //; exact: of_Z_gt0.
have -> : q ^+ n = q ^+ d * q ^+ (n - d) by rewrite -exprD subnKC.
have qd_neq0 : q ^+ d != 0 by rewrite expf_neq0.
have qe_neq0 : q ^+ (n - d) != 0 by rewrite expf_neq0.
rewrite expr_div_n /scale.
have pq : 1 + p / q = (p + q) / q by rewrite mulrDl divff // addrC.
have qp : 1 - p / q = (q - p) / q by rewrite mulrBl divff.
case: eqP => _; last case: ifP => _; rewrite ?of_ZB ?of_ZD -/p -/q ?pq ?qp; move: (q ^+ d) (q ^+ (n - d)) (p ^+ d) qd_neq0 qe_neq0 => x y z x_neq0 y_neq0.
- by by_field R; do ?split; apply/eqP.
- by by_field R; do ?split; apply/eqP.
- by by_field R; do ?split; apply/eqP.
Qed.

Theorem integers_ofP p m e : sound_table p m e -> represents (integers_of p m e) (matrix_of R p m e).
Proof.
case: e => [rows|n a|||] /= e_ok.
- split=> [|i j]; first exact/of_Z_gt0/common_gt0.
  by rewrite mxE /= cleared_entry.
- case/and4P: e_ok => /Z.ltb_lt p_gt0 /Z.ltb_lt p_lt /eqP p_n /eqP m_n.
  have d_gt0 : (0 < Zpos (Qden a) ^ Z.of_nat n * (Qnum a + Zpos (Qden a)))%Z.
    by apply: Z.mul_pos_pos; [apply: Z.pow_pos_nonneg | ]; lia.
  split=> [|i j]; first by case: ifP => _; exact: of_Z_gt0.
  have i_n : (i <= n)%N by rewrite -ltnS -p_n.
  have j_n : (j <= n)%N by rewrite -ltnS -m_n.
  rewrite mxE /= (geometric_entryP p_gt0 p_lt i_n j_n) /integers_of; case: eqP => [n0|/eqP].
    by rewrite formula_at.
  by rewrite -lt0n /line_of => n_gt0; rewrite geometric_lines_at.
- by split=> [|i j]; rewrite ?ltr01 // mxE formula_at /= divr1 of_Z_nat.
- by split=> [|i j]; rewrite ?ltr01 // mxE formula_at /= divr1 (of_ZX _ _ 2) of_Z_nat.
- by split=> [|i j]; rewrite ?ltr01 // mxE formula_at /= divr1; case: eqP.
Qed.

Lemma stochasticP p m I (X : 'M[R]_(p, m)) : represents I X -> is_stochastic p m I -> stochastic X.
Proof.
case=> d_gt0 X_I /andP[/eqP size_I /(all_nthP [::]) I_dist].
have X_dist (i : 'I_p) : is_distribution m (scaling I) (line_of I i) by apply: I_dist; rewrite size_I.
split=> [i j|i].
  rewrite X_I divr_ge0 ?(ltW d_gt0) //; case/and3P: (X_dist i) => _ ge0 _.
  by rewrite of_Z_ge0; apply/Z.leb_le/all_ge0P.
under eq_bigr => j _ do rewrite X_I; rewrite -mulr_suml.
by case/and3P: (X_dist i) => r_m _ /Z.eqb_eq; rewrite sum_row1 // => ->; rewrite divff // gt_eqF.
Qed.

Lemma stochastic_below p m I (i : 'I_p) : is_stochastic p m I -> below (N.of_nat m) (line_of I i).
Proof. by case/andP=> /eqP size_I /(all_nthP [::])/(_ i); rewrite size_I => /(_ (ltn_ord i))/and3P[]. Qed.

Lemma timesP p m k A B (X : 'M[R]_(p, m)) (Y : 'M[R]_(m, k)) : represents A X -> represents B Y ->
  (forall i : 'I_p, below (N.of_nat m) (line_of A i)) -> represents (times A B) (X *m Y).
Proof.
move=> [a_gt0 X_A] [b_gt0 Y_B] A_m; split=> [|i j]; first by rewrite of_ZM mulr_gt0.
have -> : line_of (times A B) i = weigh (line_of A i) (lines B).
  rewrite /line_of /=; have [i_lt|i_ge] := ltnP i (size (lines A)); first by rewrite (nth_map [::]).
  by rewrite !nth_default ?size_map // weigh_nil.
rewrite mxE (at_weigh _ _ _ (A_m i)) of_ZM mulr_suml; apply: eq_bigr => y _.
rewrite X_A Y_B /line_of; move: (of_Z _) (of_Z _) (of_Z (scaling A)) (of_Z (scaling B)) a_gt0 b_gt0 => x z a b a_gt0 b_gt0.
by by_field R; split; apply/eqP; rewrite gt_eqF.
Qed.

End Representation.
