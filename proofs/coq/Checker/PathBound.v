(* SPDX-License-Identifier: MIT *)
(* The path rule, decided on integers: n + 1 inputs, m guesses, about n m products.                           *)
(*                                                                                                            *)
(*   is_path        the neighbours are the path 0, 1, ... in order; then privacy is that of the path          *)
(*   spread         q^n sum_i a^|i-j| v_i for all j, a = p/q, by two sums that carry over       (at_spread)     *)
(*   crossing       a sequence crosses once                                                    (crossingP)    *)
(*   path_bound     no private mechanism has a loss below a given number                       (path_boundP)  *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame Form Geometric.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Meaning Tables Privacy Derivable Optimal Dense PathRule.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Two vertices or more, and the pairs {i, i+1} at distance 1. *)
Definition is_step (e : N * N * Q) (i : nat) : bool :=
  [&& N.eqb e.1.1 (N.of_nat i), N.eqb e.1.2 (N.of_nat i.+1), Z.eqb (Qnum e.2) 1 & Pos.eqb (Qden e.2) 1].
Definition is_path (near : neighbours) : bool :=
  let p := size (vertices near) in (1 < p)%N && all2 is_step (pairs near) (iota 0 p.-1).

(* top = q^n, for n + 1 numbers. *)
Definition spread (p q top : Z) (vs : seq Z) : seq Z :=
  let before := carried p q top 0 vs in let after := rev (carried p q top 0 (rev vs)) in
  [seq (x.1 + x.2.1 - top * x.2.2)%Z | x <- zip before (zip after vs)].

(* Whether a h_(j+1) <= h_j up to some place, and a h_j <= h_(j+1) after it, for the pairs (h_j, h_(j+1)); and *)
(* whether the latter holds for all of them. *)
Fixpoint crossing (p q : Z) (ds : seq (Z * Z)) : bool * bool :=
  match ds with
  | [::] => (true, true)
  | (x, y) :: ds' =>
      let (once, rising) := crossing p q ds' in
      (rising || ((p * y <=? q * x)%Z && once), (p * x <=? q * y)%Z && rising)
  end.

Definition lowest (fs : seq (seq Z)) : seq Z :=
  match fs with
  | [::] => [::]
  | f :: fs' => foldl (fun b g => [seq Z.min x.1 x.2 | x <- zip b g]) f fs'
  end.

(* The same for values g of a list; each is found when it is needed, and not kept. *)
Definition lowest_of (A : Type) (g : A -> seq Z) (cs : seq A) : seq Z :=
  match cs with
  | [::] => [::]
  | c :: cs' => foldl (fun b d => [seq Z.min x.1 x.2 | x <- zip b (g d)]) (g c) cs'
  end.

Lemma lowest_ofE A (g : A -> seq Z) cs : lowest_of g cs = lowest [seq g c | c <- cs].
Proof. by case: cs => //= c cs; elim: cs (g c) => //= d cs IHcs b. Qed.

Definition accepts (p q : Z) (b f : seq Z) : bool :=
  let h := [seq (x.1 - x.2)%Z | x <- zip f b] in
  all (fun x => (0 <=? x)%Z) h && (crossing p q (zip h (behead h))).1.

Definition path_bound (near : neighbours) (p m : nat) (a : Q) (L : integers) (w : vector) (v : Q) : bool :=
  let x := Qnum a in let y := Zpos (Qden a) in
  let top := (y ^ Z.of_nat p.-1)%Z in
  let ws := dense p (terms w) in
  let rows := [seq dense m r | r <- lines L] in
  let columns := turned m rows in
  let form column := spread x y top [seq (z.1 * z.2)%Z | z <- zip ws column] in
  let b := lowest_of form columns in
  [&& is_path near, size (vertices near) == p, is_level a, in_order p (terms w), size (lines L) == p,
      all (in_order m) (lines L), size b == p, all (fun column => accepts x y b (form column)) columns &
      equals ((y - x) * sum_Z b + x * (head 0 b + last 0 b))%Z ((x + y) * (Zpos (unit w) * scaling L * top))%Z v].

Lemma crossingP p q ds : (crossing p q ds).1 -> exists k, forall j, (j < size ds)%N ->
  ((j.+1 < k)%N -> (p * (nth (0, 0)%Z ds j).2 <= q * (nth (0, 0)%Z ds j).1)%Z) /\
  ((k <= j)%N -> (p * (nth (0, 0)%Z ds j).1 <= q * (nth (0, 0)%Z ds j).2)%Z).
Proof.
suff: ((crossing p q ds).1 -> exists k, forall j, (j < size ds)%N ->
  ((j.+1 < k)%N -> (p * (nth (0, 0)%Z ds j).2 <= q * (nth (0, 0)%Z ds j).1)%Z) /\
  ((k <= j)%N -> (p * (nth (0, 0)%Z ds j).1 <= q * (nth (0, 0)%Z ds j).2)%Z)) /\
  ((crossing p q ds).2 -> forall j, (j < size ds)%N ->
   (p * (nth (0, 0)%Z ds j).1 <= q * (nth (0, 0)%Z ds j).2)%Z) by case.
elim: ds => [|[x y] ds [IH1 IH2]] /=; first by split=> // _; exists 0%N.
case: (crossing p q ds) IH1 IH2 => [once rising] /= IH1 IH2; split.
  case/orP=> [/IH2 up | /andP[/Z.leb_le xy /IH1[k k_ok]]].
    by exists 1%N => [[|j]] j_lt; split=> // _; exact: up.
  exists k.+1 => [[|j]] j_lt; first by split.
  by have [left right] := k_ok j j_lt; split.
by case/andP=> /Z.leb_le xy /IH2 up [|j] j_lt //; exact: up.
Qed.

Section PathBound.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma at_spread p q n vs j : (0 < q)%Z -> size vs = n.+1 -> (j <= n)%N ->
  of_Z (nth 0%Z (spread p q (q ^ Z.of_nat n) vs) j) =
  of_Z q ^+ n * \sum_(i < n.+1) (of_Z p / of_Z q) ^+ dist i j * of_Z (nth 0%Z vs i).
Proof.
move=> q_gt0 size_vs j_n; have j_lt : (j < n.+1)%N by [].
have size_b : size (carried p q (q ^ Z.of_nat n) 0 vs) = n.+1 by rewrite size_carried.
have size_a : size (rev (carried p q (q ^ Z.of_nat n) 0 (rev vs))) = n.+1 by rewrite size_rev size_carried size_rev.
rewrite (nth_map (0, (0, 0))%Z); last by rewrite !size_zip size_b size_a size_vs !minnn.
rewrite !nth_zip ?size_zip ?size_b ?size_a ?size_vs ?minnn //=.
rewrite nth_rev ?size_carried ?size_rev ?size_vs // subSS.
have zero k : (k | 0)%Z by exists 0%Z.
rewrite of_ZB of_ZD of_ZM !at_carried ?size_rev ?size_vs ?ltnS ?leq_subr //; last first.
- exact: Z.divide_refl.
- exact: Z.divide_refl.
rewrite !of_Z0 !mulr0 !add0r of_ZX -mulrDr -mulrBr; congr (_ * _).
set a := of_Z p / of_Z q; set v := fun i => of_Z (nth 0%Z vs i).
pose term i := a ^+ dist i j * v i.
have left : \sum_(i < j.+1) a ^+ (j - i) * of_Z (nth 0%Z vs i) = \sum_(0 <= i < j.+1) term i.
  rewrite big_mkord; apply: eq_bigr => i _; rewrite /term -/(v i); congr (_ ^+ _ * _).
  have i_j : (i <= j)%N by rewrite -ltnS.
  by rewrite /dist; nat_lia.
have right : \sum_(i < (n - j).+1) a ^+ (n - j - i) * of_Z (nth 0%Z (rev vs) i) = \sum_(j <= i < n.+1) term i.
  have -> : \sum_(j <= i < n.+1) term i = \sum_(i < (n - j).+1) term (n - i)%N.
    rewrite -{1}[j]add0n big_addn subSn // big_nat_rev /= add0n big_mkord; apply: eq_bigr => i _.
    by congr term; have i_lt := ltn_ord i; nat_lia.
  apply: eq_bigr => i _; have i_nj : (i <= n - j)%N by rewrite -ltnS.
  rewrite nth_rev ?size_vs ?subSS; last by rewrite ltnS (leq_trans i_nj) // leq_subr.
  by rewrite /term -/(v (n - i)%N); congr (_ ^+ _ * _); rewrite /dist; nat_lia.
rewrite left right -/(v j).
have -> : \sum_(i < n.+1) a ^+ dist i j * of_Z (nth 0%Z vs i) = \sum_(0 <= i < n.+1) term i by rewrite big_mkord.
rewrite [RHS](@big_cat_nat _ _ _ j) //= ?(ltnW j_lt) // big_nat_recr //=.
have -> : term j = v j by rewrite /term (_ : dist j j = 0%N) ?expr0 ?mul1r // /dist; nat_lia.
by by_ring R.
Qed.

Lemma is_stepP ps k c : all2 is_step ps (iota k c) -> forall i, (i < c)%N ->
  List.In ((N.of_nat (k + i), N.of_nat (k + i).+1), Qmake 1 1) ps.
Proof.
elim: c k ps => [|c IHc] k [|e ps] // /andP[step /IHc steps] [|i] i_c; last by right; rewrite -addSnnS; exact: steps.
left; rewrite addn0; case: e step => [[x y] [z d]] /and4P[/N.eqb_eq ex /N.eqb_eq ey /Z.eqb_eq ez /Pos.eqb_eq ed].
by move: ex ey ez ed => /= -> -> -> ->.
Qed.

Theorem is_path_private near n m (a : R) (X : 'M[R]_(n.+1, m)) :
  is_path near -> size (vertices near) = n.+1 -> private_for near a X -> private a X.
Proof.
rewrite /is_path => + size_p; rewrite size_p => /andP[_ /is_stepP steps] X_priv.
apply/privateP => i j r j_i; have i_n : (i < n)%N by rewrite -ltnS -j_i.
have := steps i i_n; rewrite add0n => step.
split; [have := X_priv i j (Qmake 1 1) r | have := X_priv j i (Qmake 1 1) r]; rewrite !expr1; apply;
  rewrite /constrained j_i; [by left | by right].
Qed.

Lemma acceptsP p q b f n : size f = n.+1 -> size b = n.+1 -> accepts p q b f ->
  let h j := (nth 0 f j - nth 0 b j)%Z in
  (forall j, (j <= n)%N -> (0 <= h j)%Z) /\
  exists k, forall j, (j < n)%N -> ((j.+1 < k)%N -> (p * h j.+1 <= q * h j)%Z) /\ ((k <= j)%N -> (p * h j <= q * h j.+1)%Z).
Proof.
move=> size_f size_b /andP[]; set h := map _ _ => /(all_nthP 0%Z) h_ge0 /crossingP[k k_ok] /=.
have size_h : size h = n.+1 by rewrite size_map size_zip size_f size_b minnn.
have at_h j : (j <= n)%N -> nth 0%Z h j = (nth 0 f j - nth 0 b j)%Z.
  by move=> j_n; rewrite (nth_map (0, 0)%Z) ?size_zip ?size_f ?size_b ?minnn // nth_zip ?size_f.
have size_b' : size (behead h) = n by rewrite size_behead size_h.
split=> [j j_n|]; first by rewrite -at_h //; apply/Z.leb_le/h_ge0; rewrite size_h.
exists k => j j_n; have := k_ok j; rewrite size_zip size_h size_b' (minn_idPr (leqnSn n)) => /(_ j_n).
have -> : nth (0, 0)%Z (zip h (behead h)) j = (nth 0%Z h j, nth 0%Z h j.+1).
  by rewrite nth_zip_cond size_zip size_h size_b' (minn_idPr (leqnSn n)) j_n nth_behead.
by rewrite /= !at_h // ltnW.
Qed.

Lemma size_spread p q top n vs : size vs = n.+1 -> size (spread p q top vs) = n.+1.
Proof. by move=> size_vs; rewrite size_map !size_zip size_rev !size_carried size_rev size_vs !minnn. Qed.

Lemma sum_scale a n (b : nat -> R) : 1 + a != 0 ->
  \sum_(j < n.+1) scale a n j * b j = ((1 - a) * (\sum_(j < n.+1) b j) + a * (b 0%N + b n)) / (1 + a).
Proof.
move=> a1; rewrite (eq_bigr (fun j : 'I_n.+1 => (1 - a) / (1 + a) * b j
             + a / (1 + a) * ((j == 0%N :> nat)%:R * b j) + a / (1 + a) * ((j == n :> nat)%:R * b j))).
  rewrite !big_split /= -!mulr_sumr !sum_at //; by_field R; exact/eqP.
by move=> j _; rewrite scaleE; [by_field R; exact/eqP | done | rewrite -ltnS].
Qed.

Theorem path_boundP near p m a c d L w v :
  represents L (matrix_of R p m (content (loss_of c))) -> weights_for p c d = Some w ->
  path_bound near p m a L w v -> none_below near p m (of_Q a) c (of_Q v).
Proof.
case: p => [|n]; first by move=> _ _ /andP[/andP[p_gt1 _] /andP[/eqP p0]]; rewrite p0 in p_gt1.
move=> [L_gt0 l_L] w_for; rewrite /path_bound; set x := Qnum a; set y := Zpos (Qden a).
set top := (y ^ Z.of_nat n)%Z; set ws := dense n.+1 (terms w).
set rows := [seq dense m r | r <- lines L].
pose column_loss column := [seq (z.1 * z.2)%Z | z <- zip ws column].
pose fs := [seq spread x y top (column_loss column) | column <- turned m rows].
rewrite lowest_ofE -(all_map _ (accepts x y _)) -/fs; set b := lowest fs.
case/and5P=> near_path /eqP size_p a_level w_order /and5P[/eqP size_L rows_order /eqP size_b fs_ok v_ok].
move=> X [X_st /(is_path_private near_path size_p) X_priv] u X_le.
have /andP[a_gt0 a_lt1] := is_levelP R a_level.
apply: le_trans (weights_forP w_for X_le); rewrite (_ : of_Q a = of_Z x / of_Z y) // in X_priv a_gt0 a_lt1 *.
have /andP[/Z.ltb_lt x_gt0 /Z.ltb_lt x_lt] := a_level; have y_gt0 : (0 < y)%Z by [].
have y_pos : 0 < of_Z y by exact: of_Z_pos.
have y_neq0 : of_Z y != 0 by rewrite gt_eqF.
have top_is : of_Z top = of_Z y ^+ n by rewrite of_ZX.
set D := of_Z (Zpos (unit w)) * of_Z (scaling L).
have w_gt0 := of_Z_pos R (unit w).
have D_gt0 : 0 < D by rewrite mulr_gt0.
have T_gt0 : 0 < of_Z y ^+ n by rewrite exprn_gt0.
pose scaled (s : seq Z) j := of_Z (nth 0%Z s j) / (D * of_Z y ^+ n).
have rows_m : all (fun r => size r == m) rows.
  by apply/(all_nthP [::]) => i; rewrite size_map => i_lt; rewrite (nth_map [::]) // size_dense.
have size_rows : size rows = n.+1 by rewrite size_map.
have size_fs : size fs = m by rewrite size_map size_turned.
have fs_at (r : 'I_m) : nth [::] fs r = spread x y top (column_loss (nth [::] (turned m rows) r)).
  by rewrite (nth_map [::]) // size_turned.
have size_products (r : 'I_m) : size (column_loss (nth [::] (turned m rows) r)) = n.+1.
  by rewrite size_map size_zip size_dense size_column // size_rows minnn.
have f_is (r : 'I_m) j : (j <= n)%N -> scaled (nth [::] fs r) j =
    spread_loss (of_Z x / of_Z y) (matrix_of R n.+1 m (content (loss_of c))) (fun i => vector_entry R w i) r j.
  move=> j_n; rewrite /scaled fs_at (at_spread x y_gt0 (size_products r) j_n) /spread_loss.
  rewrite [of_Z y ^+ n * _]mulrC -mulf_div divff ?gt_eqF // mulr1 mulr_suml; apply: eq_bigr => i _.
  rewrite -mulrA; congr (_ * _).
  have size_turn : size (nth [::] (turned m rows) r) = n.+1 by rewrite size_column.
  rewrite /column_loss (nth_map (0, 0)%Z) ?size_zip ?size_dense ?size_turn ?minnn //.
  rewrite nth_zip ?size_dense ?size_turn //.
  rewrite /= at_turned // (nth_map [::]) ?size_L // !at_dense //; last by apply: (all_nthP [::] rows_order); rewrite size_L.
  rewrite of_ZM l_L /vector_entry /D /line_of.
  move: (of_Z (scaling L)) L_gt0 (of_Z (Zpos (unit w))) w_gt0 => k1 k1_gt0 k2 k2_gt0.
  by by_field R; split; apply/eqP; rewrite gt_eqF.
have size_f (r : 'I_m) : size (nth [::] fs r) = n.+1 by rewrite fs_at (size_spread _ _ _ (size_products r)).
have ok (r : 'I_m) : _ := acceptsP (size_f r) size_b (all_nthP [::] fs_ok r (eq_ind_r (fun k => r < k)%N (ltn_ord r) size_fs)).
have -> : of_Q v = \sum_(j < n.+1) scale (of_Z x / of_Z y) n j * scaled b j.
  have a1_neq0 : 1 + of_Z x / of_Z y != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
  rewrite sum_scale // /scaled -mulr_suml -sum_seq // nth0 -[n in nth _ _ n]/(n.+1.-1) -size_b nth_last.
  have xy_gt0 : (0 < x + y)%Z by lia.
  rewrite -(equalsP _ v_ok); last first.
    by rewrite !of_ZM top_is !mulr_gt0 // of_Z_gt0.
  have xy_neq0 : of_Z x + of_Z y != 0 by rewrite -of_ZD gt_eqF // of_Z_gt0.
  rewrite !(of_ZM, of_ZD, of_ZB) top_is; set t := of_Z y ^+ n in T_gt0 *.
  have {}a1_neq0 : of_Z y + of_Z x != 0 by rewrite addrC.
  have L_neq0 : of_Z (scaling L) != 0 by rewrite gt_eqF.
  have w_neq0 : of_Z (Zpos (unit w)) != 0 by rewrite gt_eqF.
  have t_neq0 : t != 0 by rewrite gt_eqF.
  move: t t_neq0 {T_gt0} (of_Z (sum_Z b)) (of_Z (head 0%Z b)) (of_Z (last 0%Z b)) => t t_neq0 s0 s1 s2.
  by rewrite /D; by_field R; do ?split; exact/eqP.
apply: (path_rule a_gt0 a_lt1 _ _ X_st X_priv) => [r j j_n|r].
  rewrite -f_is // /scaled ler_pdivr_mulr ?mulr_gt0 // divfK ?gt_eqF ?mulr_gt0 // of_Z_le; apply/Z.leb_le.
  by have [ge0 _] := ok r; have := ge0 j j_n; lia.
have [_ [k k_ok]] := ok r; exists k => j j_n.
have [left right] := k_ok j j_n.
have step i i' : (x * (nth 0 (nth [::] fs r) i - nth 0 b i) <= y * (nth 0 (nth [::] fs r) i' - nth 0 b i'))%Z ->
   (i <= n)%N -> (i' <= n)%N -> of_Z x / of_Z y *
     (spread_loss (of_Z x / of_Z y) (matrix_of R n.+1 m (content (loss_of c))) (fun i => vector_entry R w i) r i - scaled b i)
   <= spread_loss (of_Z x / of_Z y) (matrix_of R n.+1 m (content (loss_of c))) (fun i => vector_entry R w i) r i' - scaled b i'.
  move=> le_i i_n i'_n; rewrite -!f_is // /scaled -!mulrBl -!of_ZB mulrA ler_pmul2r ?invr_gt0 ?mulr_gt0 //.
  by rewrite mulrAC ler_pdivr_mulr // -!of_ZM of_Z_le; apply/Z.leb_le; lia.
by split=> [/left|/right] le_j; apply: step => //; exact: ltnW.
Qed.

End PathBound.
