(* SPDX-License-Identifier: MIT *)
(* Equations that the difference of two optima satisfies (SPEC, section 4.5).                                 *)
(*                                                                                                            *)
(* The unknowns are the entries of a matrix with m columns, row by row: entry (i, r) is number i m + r.       *)
(*   forced_equations   of two private mechanisms with this loss: rows sum to 0; for a minimax consumer the   *)
(*                      losses are equal where the weight is positive; by the graph rule what has a positive  *)
(*                      multiplier holds with equality, what has a positive slack is 0     (forced_hold)      *)
(*   remap_equations    the same of two remaps                                             (remap_forced_hold) *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Meaning Tables Privacy Derivable PairDuality Optimal.
From ExactDP.Checker Require Import RemapBound Check Ranks.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Row i of the matrix, as a part of all unknowns. *)
Definition cell (m i r : N) : N := (i * m + r)%num.
Definition placed (m i : N) (r : row) : row := [seq (cell m i t.1, t.2) | t <- r].

Definition sum_equations (p m : nat) : seq row :=
  let ones := enumerate 0 (nseq m 1%Z) in [seq placed (N.of_nat m) (N.of_nat i) ones | i <- iota 0 p].

Definition positive_terms (m : N) (r : row) : row := [seq t <- r | (0 <? t.2)%Z && (t.1 <? m)%num].

(* The weighed losses of a minimax consumer are all equal to the bound; a line for each input. *)
Definition loss_equations (p : nat) (c : consumer) (w : vector) (line : N -> row) : seq row :=
  if c is Minimax _ _ then [seq line t.1 | t <- positive_terms (N.of_nat p) (terms w)] else [::].

(* Entries that are 0, where a number is above 0. *)
Definition zero_equations (m : nat) (rows : seq row) : seq row :=
  flatten [seq [seq [:: (cell (N.of_nat m) (N.of_nat x.1) t.1, 1%Z)] | t <- positive_terms (N.of_nat m) x.2]
          | x <- zip (iota 0 (size rows)) rows].

(* x_i = a^d x_j where a multiplier is positive. *)
Definition pair_equations (m : nat) (top : Z) (es : seq multiplied) : seq row :=
  flatten [seq let g := Z.gcd e.1.2 top in let y := (top / g)%Z in let x := (- (e.1.2 / g))%Z in
               let equal u v (t : N * Z) := [:: (cell (N.of_nat m) e.1.1.1 t.1, u); (cell (N.of_nat m) e.1.1.2 t.1, v)] in
               [seq equal y x t | t <- positive_terms (N.of_nat m) e.2.1] ++
               [seq equal x y t | t <- positive_terms (N.of_nat m) e.2.2]
          | e : multiplied <- es].

Definition forced_equations (p m : nat) (near : neighbours) (a : Q) (c : consumer) (L : integers) (d : dual) : seq row :=
  if weights_for p c d is Some w then
    sum_equations p m ++ loss_equations p c w (fun i => placed (N.of_nat m) i (row_at (lines L) i)) ++
    match potentials d, edges d with
    | Some mu, Some u =>
        pair_equations m (graph_top near a) (multipliers near a (cleared u)) ++
        zero_equations m (slack_rows p m near a L w mu (cleared u))
    | _, _ => [::]
    end
  else [::].

(* The loss at input i after a remap, as a row of the remap's entries. *)
Definition remap_line (m : nat) (x l : row) : row :=
  flatten [seq placed (N.of_nat m) t.1 (scale_row t.2 l) | t <- x].

Definition remap_equations (p q m : nat) (c : consumer) (M L : integers) (d : dual) : seq row :=
  if weights_for p c d is Some w then
    let scores := scores_of q M (turned_losses p L w) in
    sum_equations q m ++
    loss_equations p c w (fun i => remap_line m (row_at (lines M) i) (row_at (lines L) i)) ++
    zero_equations m [seq combine 1 (enumerate 0 (nseq m zr.1)) (-1) zr.2 | zr <- zip (bounds_of m scores) scores]
  else [::].

Section Forced.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

(* ---- A matrix as one row ---- *)
Section Flat.
Variables (p m : nat) (D : 'M[R]_(p, m)).

Definition entry_at (i j : nat) : R :=
  if insub i is Some x then if insub j is Some y then D x y else 0 else 0.
Definition flat (k : nat) : R := entry_at (k %/ m) (k %% m).

Lemma entry_atE (i : 'I_p) (j : 'I_m) : entry_at i j = D i j.
Proof. by rewrite /entry_at !valK. Qed.

Lemma to_nat_cell (i j : N) : N.to_nat (cell (N.of_nat m) i j) = (N.to_nat i * m + N.to_nat j)%N.
Proof. by rewrite /cell N2Nat.inj_add N2Nat.inj_mul Nat2N.id. Qed.

Lemma flat_cell (i : 'I_p) (j : 'I_m) : flat (i * m + j) = D i j.
Proof.
have m_gt0 : (0 < m)%N := leq_ltn_trans (leq0n j) (ltn_ord j).
by rewrite /flat divnMDl // modnMDl divn_small // modn_small // addn0 entry_atE.
Qed.

Lemma cell_lt (i : 'I_p) (j : 'I_m) : (i * m + j < p * m)%N.
Proof. by apply: (@leq_trans (i.+1 * m)); rewrite ?leq_mul2r ?ltn_ord ?orbT // mulSn addnC ltn_add2r. Qed.

Definition satisfies (e : row) : bool := holds (fun k : 'I_(p * m) => flat k) e.

Definition in_cells (e : row) : Prop :=
  forall t, List.In t e -> exists i : 'I_p, exists j : 'I_m, t.1 = cell (N.of_nat m) (N.of_nat i) (N.of_nat j).

Lemma satisfiesE e : in_cells e -> satisfies e = (\sum_(t <- e) flat (N.to_nat t.1) * of_Z t.2 == 0).
Proof.
move=> e_in; rewrite /satisfies /holds -(sum_row (m := p * m)).
  by congr (_ == _); apply: eq_bigr => k _; rewrite mulrC.
apply/all_In => t /e_in[i [j ->]]; apply/N.ltb_lt.
have -> : cell (N.of_nat m) (N.of_nat i) (N.of_nat j) = N.of_nat (i * m + j) by rewrite Nat2N.inj_add Nat2N.inj_mul.
by have := cell_lt i j; move: (p * m)%N (i * m + j)%N => k l lk; nat_lia.
Qed.

Lemma placed_in (i : 'I_p) r : below (N.of_nat m) r -> in_cells (placed (N.of_nat m) (N.of_nat i) r).
Proof.
move=> /all_In r_m t t_in; have [s /r_m/N.ltb_lt s_m ->] := In_map t_in.
have s_lt : (N.to_nat s.1 < m)%N by apply/ssrnat.ltP; lia.
by exists i, (Ordinal s_lt); rewrite /= N2Nat.id.
Qed.

Lemma sum_placed (i : 'I_p) r : below (N.of_nat m) r ->
  \sum_(t <- placed (N.of_nat m) (N.of_nat i) r) flat (N.to_nat t.1) * of_Z t.2 = \sum_(j < m) D i j * of_Z (at_index r j).
Proof.
move=> r_m; transitivity (\sum_(j < m) entry_at i j * of_Z (at_index r j)); last first.
  by apply: eq_bigr => j _; rewrite entry_atE.
rewrite (sum_row (entry_at i) r_m) big_map; elim: r r_m => [|t r IHr]; first by rewrite !big_nil.
case/andP=> /N.ltb_lt t_m /IHr IH; rewrite !big_cons IH; congr (_ * _ + _).
have t_lt : (N.to_nat t.1 < m)%N by apply/ssrnat.ltP; lia.
by rewrite to_nat_cell Nat2N.id (flat_cell i (Ordinal t_lt)) -entry_atE.
Qed.

Lemma satisfies_placed (i : 'I_p) r : below (N.of_nat m) r ->
  satisfies (placed (N.of_nat m) (N.of_nat i) r) = (\sum_(j < m) D i j * of_Z (at_index r j) == 0).
Proof. by move=> r_m; rewrite satisfiesE ?sum_placed //; exact: placed_in. Qed.

Lemma satisfies_sums : (forall i, \sum_j D i j = 0) -> all satisfies (sum_equations p m).
Proof.
move=> sum0; rewrite all_map; apply/allP => i; rewrite mem_iota /= => i_p; rewrite (satisfies_placed (Ordinal i_p)).
  apply/eqP; rewrite -[RHS](sum0 (Ordinal i_p)); apply: eq_bigr => j _.
  by rewrite (at_enumerate 0) subn0 nth_nseq ltn_ord /= mulr1.
by apply: (@below_enumerate m 0); rewrite size_nseq.
Qed.

Lemma satisfies_one (i : 'I_p) (j : 'I_m) : D i j = 0 ->
  satisfies [:: (cell (N.of_nat m) (N.of_nat i) (N.of_nat j), 1%Z)].
Proof.
move=> ij0; rewrite satisfiesE; last by move=> t /= [<-|//]; exists i, j.
by rewrite big_seq1 to_nat_cell !Nat2N.id flat_cell ij0 mul0r.
Qed.

Lemma satisfies_two (i k : 'I_p) (j : 'I_m) x y : of_Z x * D i j + of_Z y * D k j = 0 ->
  satisfies [:: (cell (N.of_nat m) (N.of_nat i) (N.of_nat j), x); (cell (N.of_nat m) (N.of_nat k) (N.of_nat j), y)].
Proof.
move=> e; rewrite satisfiesE; last by move=> t /= [<-|[<-|//]]; [exists i, j | exists k, j].
by rewrite big_cons big_seq1 !to_nat_cell !Nat2N.id !flat_cell mulrC [X in _ + X]mulrC e.
Qed.

Lemma below_scale a r k : below k (scale_row a r) = below k r.
Proof. by rewrite /scale_row; case: Z.eqb => //; rewrite /below all_map. Qed.

Lemma remap_line_in x l : below (N.of_nat p) x -> below (N.of_nat m) l -> in_cells (remap_line m x l).
Proof.
move=> x_p l_m; rewrite /remap_line; elim: x x_p => [_ t //|t x IHx] /andP[/N.ltb_lt t_p /IHx IH] s /=.
rewrite List.in_app_iff => -[|/IH //]; have t_lt : (N.to_nat t.1 < p)%N by apply/ssrnat.ltP; lia.
rewrite -[t.1]N2Nat.id; apply: (@placed_in (Ordinal t_lt)); by rewrite below_scale.
Qed.

Lemma satisfies_remap_line x l : below (N.of_nat p) x -> below (N.of_nat m) l ->
  \sum_(i < p) \sum_(j < m) D i j * (of_Z (at_index x i) * of_Z (at_index l j)) = 0 -> satisfies (remap_line m x l).
Proof.
move=> x_p l_m sum0; rewrite satisfiesE; last exact: remap_line_in.
apply/eqP; rewrite -[RHS]sum0; pose F i := \sum_(j < m) entry_at i j * of_Z (at_index l j).
transitivity (\sum_(i < p) F i * of_Z (at_index x i)); last first.
  apply: eq_bigr => i _; rewrite /F mulr_suml; apply: eq_bigr => j _; rewrite entry_atE; by_ring R.
rewrite (sum_row F x_p) /remap_line big_flatten big_map.
elim: x x_p {sum0} => [|t x IHx]; first by rewrite !big_nil.
case/andP=> /N.ltb_lt t_p /IHx IH; rewrite !big_cons IH; congr (_ + _).
have t_lt : (N.to_nat t.1 < p)%N by apply/ssrnat.ltP; lia.
rewrite -{1}[t.1]N2Nat.id (sum_placed (Ordinal t_lt)) ?below_scale // /F mulr_suml.
by apply: eq_bigr => j _; rewrite at_scale of_ZM -entry_atE /=; by_ring R.
Qed.

(* ---- Terms above 0 ---- *)
Lemma In_filter T (f : pred T) s x : List.In x [seq y <- s | f y] -> List.In x s /\ f x.
Proof.
elim: s => [//|y s IHs] /=; case: ifP => [fy|_] /=; last by move=> /IHs[x_s fx]; split=> //; right.
by case=> [<-|/IHs[x_s fx]]; split=> //; [left | right].
Qed.

Lemma all_flat T (f : pred T) ss : all f (flatten ss) = all (all f) ss.
Proof. by elim: ss => [//|s ss IHss] /=; rewrite all_cat IHss. Qed.

Lemma at_index_gt0 r t : all_ge0 r -> List.In t r -> (0 < t.2)%Z -> (0 < at_index r (N.to_nat t.1))%Z.
Proof.
elim: r => [//|s r IHr] /=; rewrite N2Nat.id => /andP[/Z.leb_le s_ge0 r_ge0] t_in t_gt0.
have rest_ge0 := @all_ge0P r (N.to_nat t.1) r_ge0.
case: t_in => [->|t_in]; first by rewrite N.eqb_refl; lia.
by have := IHr r_ge0 t_in t_gt0; case: N.eqb; lia.
Qed.

Lemma positive_termsP k r t : all_ge0 r -> List.In t (positive_terms (N.of_nat k) r) ->
  exists2 j : 'I_k, t.1 = N.of_nat j & (0 < at_index r j)%Z.
Proof.
move=> r_ge0 t_in; have [t_r /andP[/Z.ltb_lt t_gt0 /N.ltb_lt t_k]] := In_filter t_in.
have t_lt : (N.to_nat t.1 < k)%N by apply/ssrnat.ltP; lia.
exists (Ordinal t_lt); first by rewrite /= N2Nat.id.
exact: at_index_gt0.
Qed.

Lemma satisfies_zeros rows : size rows = p -> all all_ge0 rows ->
  (forall (i : 'I_p) (j : 'I_m), (0 < at_index (nth [::] rows i) j)%Z -> D i j = 0) ->
  all satisfies (zero_equations m rows).
Proof.
move=> size_rows /(all_nthP [::]) rows_ge0 zero; rewrite all_flat all_map.
apply/(all_nthP (0%N, [::])) => i; rewrite size_zip size_iota minnn => i_lt.
rewrite nth_zip ?size_iota // nth_iota // add0n /= all_map; apply/all_In => t t_in.
have [j t_j j_gt0] := positive_termsP (rows_ge0 _ i_lt) t_in; rewrite size_rows in i_lt.
by rewrite /= t_j; apply: (satisfies_one (i := Ordinal i_lt)); apply: zero.
Qed.

Lemma satisfies_pairs top (es : seq multiplied) : (0 < top)%Z ->
  (forall e, List.In e es -> [/\ all_ge0 e.2.1, all_ge0 e.2.2 &
     exists i j : 'I_p, [/\ e.1.1.1 = N.of_nat i, e.1.1.2 = N.of_nat j & forall r : 'I_m,
       ((0 < at_index e.2.1 r)%Z -> of_Z top * D i r = of_Z e.1.2 * D j r) /\
       ((0 < at_index e.2.2 r)%Z -> of_Z top * D j r = of_Z e.1.2 * D i r)]]) ->
  all satisfies (pair_equations m top es).
Proof.
move=> top_gt0 es_ok; rewrite all_flat all_map; apply/all_In => e /es_ok[up_ge0 down_ge0 [i [j [e_i e_j equal]]]] /=.
set g := Z.gcd _ _; have g_gt0 : (0 < g)%Z.
  by have := Z.gcd_nonneg e.1.2 top; have := Z.gcd_eq_0_r e.1.2 top; rewrite -/g; lia.
have g_neq0 : of_Z g != 0 by rewrite gt_eqF // of_Z_gt0.
have top_g : of_Z top = of_Z (top / g)%Z * of_Z g by apply: quotient => //; exact: Z.gcd_divide_r.
have e_g : of_Z e.1.2 = of_Z (e.1.2 / g)%Z * of_Z g by apply: quotient => //; exact: Z.gcd_divide_l.
have lowest (k l : 'I_p) (r : 'I_m) : of_Z top * D k r = of_Z e.1.2 * D l r ->
    of_Z (top / g)%Z * D k r + of_Z (- (e.1.2 / g))%Z * D l r = 0.
  rewrite top_g e_g of_ZN => eq; apply: (mulIf g_neq0); rewrite mul0r mulrDl mulrAC eq; by_ring R.
rewrite all_cat !all_map; apply/andP; split; apply/all_In => t t_in.
  have [r t_r /(proj1 (equal r))/lowest] := positive_termsP up_ge0 t_in.
  by rewrite /= t_r e_i e_j; exact: satisfies_two.
have [r t_r /(proj2 (equal r))/lowest] := positive_termsP down_ge0 t_in.
by rewrite /= t_r e_i e_j addrC; exact: satisfies_two.
Qed.

End Flat.

Lemma positive_part_ge0 r : all_ge0 (positive_part r).
Proof. by rewrite /all_ge0 all_map; apply/all_In => t _ /=; apply/Z.leb_le; lia. Qed.

Lemma negative_part_ge0 r : all_ge0 (negative_part r).
Proof. by rewrite /all_ge0 all_map; apply/all_In => t _ /=; apply/Z.leb_le; lia. Qed.

(* ---- The weighed losses of an optimum are all equal ---- *)
Lemma weighed_equal p m l side d w (X : 'M[R]_(p, m)) v (i : 'I_p) :
  weights_for p (Minimax l side) d = Some w -> loss_le (Minimax l side) X v ->
  v <= bayes_loss (fun i => vector_entry R w i) (matrix_of R p m (content l)) X ->
  (0 < at_index (terms w) i)%Z -> loss_at (matrix_of R p m (content l)) X i = v.
Proof.
rewrite /=; case: (weights d) => [w'|] //; case: ifP => // /andP[w_dist w_side] [<-] X_le v_le i_gt0.
have [w_ge0 w_sum] := vector_distribution R w_dist; set loss := loss_at _ X.
have term_ge0 (j : 'I_p) : 0 <= vector_entry R w' j * (v - loss j).
  have [j_in|j_out] := boolP (side_in side (N.of_nat j)); first by rewrite mulr_ge0 ?w_ge0 // subr_ge0 X_le // inE.
  suff -> : vector_entry R w' j = 0 by rewrite mul0r.
  rewrite /vector_entry; suff -> : at_index (terms w') j = 0%Z by rewrite mul0r.
  elim: (terms w') w_side {w_dist w_ge0 w_sum v_le i_gt0} => [|t s IHs] //= /andP[t_side /IHs ->].
  by case: N.eqb_spec => // t_j; move: j_out; rewrite -t_j t_side.
have sum0 : \sum_(j < p) vector_entry R w' j * (v - loss j) = 0.
  apply/le_anti; rewrite sumr_ge0 // andbT; under eq_bigr => j _ do rewrite mulrBr.
  by rewrite sumrB -mulr_suml w_sum mul1r subr_le0.
have wi_gt0 : 0 < vector_entry R w' i by rewrite divr_gt0 ?of_Z_pos // of_Z_gt0.
have /eqP := psumr_eq0P (fun (j : 'I_p) _ => term_ge0 j) sum0 (isT : xpredT i).
by rewrite mulf_eq0 gt_eqF //= subr_eq0 => /eqP.
Qed.

(* The bound is one of the weighed loss. *)
Lemma weighed_bound p m near a c L d w v (X : 'M[R]_(p, m)) :
  represents L (matrix_of R p m (content (loss_of c))) -> weights_for p c d = Some w -> bounds p m near a c L d v ->
  mechanism_for near (of_Q a) X ->
  of_Q v <= bayes_loss (fun i => vector_entry R w i) (matrix_of R p m (content (loss_of c))) X.
Proof.
move=> l_L w_for ok X_mech.
have ok' : bounds p m near a (Bayesian (loss_of c) w) L (Dual None (potentials d) (edges d)) v.
  by move: ok; rewrite /bounds w_for.
exact: (boundsP (c := Bayesian (loss_of c) w) l_L ok' X_mech (lexx _)).
Qed.

Lemma weights_ge0 p c d w : weights_for p c d = Some w -> is_proper p c -> all_ge0 (terms w).
Proof.
case: c => [l side|l prior] /=; case: (weights d) => [w'|] //; last by case=> <- /and3P[].
by case: ifP => // /andP[/and3P[_ w_ge0 _] _] [<-].
Qed.

Lemma row_at_below m (rows : seq row) i : all (below (N.of_nat m)) rows -> below (N.of_nat m) (row_at rows i).
Proof.
rewrite row_atE => rows_m; have [i_lt|i_ge] := ltnP (N.to_nat i) (size rows); last by rewrite nth_default.
exact: (all_nthP [::] rows_m).
Qed.

Lemma loss_difference p m (l X Y : 'M[R]_(p, m)) i : \sum_r l i r * (X - Y) i r = loss_at l X i - loss_at l Y i.
Proof. by rewrite /loss_at -sumrB; apply: eq_bigr => r _; rewrite !mxE mulrBr. Qed.

(* What the graph rule says of an optimum. *)
Lemma graph_forced p m near a c L w mu U v (X : 'M[R]_(p, m)) (l := matrix_of R p m (content (loss_of c))) :
  represents L l -> 0 < of_Z (scaling U) -> graph_bound p m near a L w mu U v -> mechanism_for near (of_Q a) X ->
  bayes_loss (fun i => vector_entry R w i) l X <= of_Q v ->
  (forall (i : 'I_p) (r : 'I_m), (0 < at_index (nth [::] (slack_rows p m near a L w mu U) i) r)%Z -> X i r = 0) /\
  forall e (r : 'I_m) (i j : 'I_p), List.In e (multipliers near a U) -> i = from_of e :> nat -> j = to_of e :> nat ->
    ((0 < at_index e.2.1 r)%Z -> of_Z (graph_top near a) * X i r = of_Z e.1.2 * X j r) /\
    ((0 < at_index e.2.2 r)%Z -> of_Z (graph_top near a) * X j r = of_Z e.1.2 * X i r).
Proof.
move=> l_L U_gt0 ok X_mech X_le.
have X_le' : bayes_loss (fun i => vector_entry R w i) l X <= \sum_(i < p) vector_entry R mu i by rewrite -(graph_value R ok).
have [zero equal] := pair_slackness (from := from_of) (to := to_of) (b := factor_of R near a) (proj1 X_mech)
  (graph_up_ge0 (near := near) (a := a) U_gt0) (graph_down_ge0 (near := near) (a := a) U_gt0)
  (fun e e_in => graph_obeys ok X_mech e_in) (fun i r => graph_cost_ge0 l_L U_gt0 ok i r) X_le'.
have t_gt0 : 0 < of_Z (graph_top near a) by apply: of_Z_gt0; exact: graph_top_gt0 ok.
have k_gt0 : 0 < of_Z (graph_unit L w mu U) by apply: of_Z_gt0; exact: graph_unit_gt0 l_L U_gt0.
split=> [i r slack_gt0|e r i j e_in i_e j_e].
  have /eqP := zero i r; rewrite mulf_eq0 => /orP[/eqP cost0|/eqP //].
  have := of_Z_gt0 R slack_gt0; rewrite (graph_costE l_L U_gt0 ok i r).
  by rewrite /graph_cost cost0 mulr0 ltxx.
have t_neq0 : of_Z (graph_top near a) != 0 by rewrite gt_eqF.
have [up down] := equal e r i j e_in i_e j_e.
have cleared_of x y : x - factor_of R near a e * y = 0 -> of_Z (graph_top near a) * x = of_Z e.1.2 * y.
  by move/subr0_eq=> ->; rewrite /factor_of; by_field R; exact/eqP.
split=> gt0; apply: cleared_of.
  have u_gt0 : 0 < up_of R U e r by apply: divr_gt0 => //; exact: of_Z_gt0.
  by move/eqP: up; rewrite mulf_eq0 gt_eqF //= => /eqP.
have v_gt0 : 0 < down_of R U e r by apply: divr_gt0 => //; exact: of_Z_gt0.
by move/eqP: down; rewrite mulf_eq0 gt_eqF //= => /eqP.
Qed.

Theorem forced_hold p m near a c L d v (X Y : 'M[R]_(p, m)) :
  represents L (matrix_of R p m (content (loss_of c))) -> all (below (N.of_nat m)) (lines L) -> is_proper p c ->
  bounds p m near a c L d v -> mechanism_for near (of_Q a) X -> mechanism_for near (of_Q a) Y ->
  loss_le c X (of_Q v) -> loss_le c Y (of_Q v) -> all (satisfies (X - Y)) (forced_equations p m near a c L d).
Proof.
move=> l_L L_m c_ok ok X_mech Y_mech X_le Y_le; have [L_gt0 l_is] := l_L.
rewrite /forced_equations; case w_for: weights_for => [w|] //; rewrite !all_cat.
have w_ge0 := weights_ge0 w_for c_ok.
have lower Z := weighed_bound (X := Z) l_L w_for ok.
apply/and3P; split.
- apply: satisfies_sums => i; under eq_bigr => j _ do rewrite !mxE.
  by rewrite sumrB (proj2 (proj1 X_mech)) (proj2 (proj1 Y_mech)) subrr.
- case: c l_L l_is c_ok ok X_le Y_le w_for lower => [l side|//] l_L l_is c_ok ok X_le Y_le w_for lower.
  rewrite all_map; apply/all_In => t t_in; have [i t_i i_gt0] := positive_termsP w_ge0 t_in.
  rewrite /= t_i satisfies_placed ?row_at_below // row_atE Nat2N.id.
  have := loss_difference (matrix_of R p m (content l)) X Y i.
  rewrite (weighed_equal w_for X_le (lower _ X_mech) i_gt0) (weighed_equal w_for Y_le (lower _ Y_mech) i_gt0) subrr.
  move/(congr1 (fun x => of_Z (scaling L) * x)); rewrite mulr0 mulr_sumr => sum0.
  apply/eqP; rewrite -[RHS]sum0; apply: eq_bigr => j _; rewrite l_is /line_of mulrA [X in _ = X * _]mulrC.
  by rewrite divfK ?gt_eqF // mulrC.
case mu_is: (potentials d) => [mu|] //; case u_is: (edges d) => [u|] //.
have ok_graph : graph_bound p m near a L w mu (cleared u) v by move: ok; rewrite /bounds w_for mu_is u_is.
have U_gt0 : 0 < of_Z (scaling (cleared u)) by exact/of_Z_gt0/common_gt0.
have [X_zero X_equal] := graph_forced l_L U_gt0 ok_graph X_mech (weights_forP w_for X_le).
have [Y_zero Y_equal] := graph_forced l_L U_gt0 ok_graph Y_mech (weights_forP w_for Y_le).
rewrite all_cat; apply/andP; split.
  apply: satisfies_pairs => [|e e_in]; first exact: graph_top_gt0 ok_graph.
  have [up_ge0 down_ge0] : all_ge0 e.2.1 /\ all_ge0 e.2.2.
    have [er _ ->] := In_map e_in; rewrite /multiply; case: power_of => x y /=.
    by rewrite positive_part_ge0 negative_part_ge0.
  split=> //; have [i [j [i_e j_e _]]] := graph_obeys ok_graph X_mech e_in.
  exists i, j; split=> [||r]; [by rewrite i_e N2Nat.id | by rewrite j_e N2Nat.id |].
  have [Xu Xd] := X_equal e r i j e_in i_e j_e; have [Yu Yd] := Y_equal e r i j e_in i_e j_e.
  by split=> gt0; rewrite !mxE !mulrBr; [rewrite Xu // Yu | rewrite Xd // Yd].
apply: satisfies_zeros; first by rewrite size_map size_iota.
  by case/and5P: ok_graph => _ _ _ _ /and3P[].
by move=> i j gt0; rewrite !mxE X_zero // Y_zero // subrr.
Qed.

(* ---- Remaps ---- *)
Lemma weighed_best p q m c M L d w v (X : 'M[R]_(p, q)) (T : 'M[R]_(q, m)) : represents M X ->
  represents L (matrix_of R p m (content (loss_of c))) -> weights_for p c d = Some w -> best_remap p q m c M L d v ->
  stochastic T -> of_Q v <= bayes_loss (fun i => vector_entry R w i) (matrix_of R p m (content (loss_of c))) (X *m T).
Proof.
move=> X_M l_L w_for ok T_st; have ok' : best_remap p q m (Bayesian (loss_of c) w) M L (Dual None None None) v.
  by move: ok; rewrite /best_remap w_for.
exact: (best_remapP (c := Bayesian (loss_of c) w) X_M l_L ok' T_st (lexx _)).
Qed.

(* A remap that attains the bound uses at every output only the guesses that are best there. *)
Lemma remap_zero p q m M L w v (l : 'M[R]_(p, m)) (X : 'M[R]_(p, q)) (T : 'M[R]_(q, m)) (y : 'I_q) (r : 'I_m)
    (scores := scores_of q M (turned_losses p L w)) :
  represents M X -> represents L l -> remap_bound p q m M L w v -> stochastic T ->
  bayes_loss (fun i => vector_entry R w i) l (X *m T) <= of_Q v ->
  (at_index (nth [::] scores y) r < nth 0 (bounds_of m scores) y)%Z -> T y r = 0.
Proof.
move=> X_M l_L /andP[bounds_ok v_ok] [T_ge0 T_sum1] T_le less.
have [M_gt0 _] := X_M; have [L_gt0 _] := l_L; have /andP[/eqP size_M _] := bounds_ok.
have w_gt0 := of_Z_pos R (unit w); pose b y := of_Z (nth 0%Z (bounds_of m scores) y).
pose s y r := of_Z (at_index (nth [::] scores y) r).
have gap_ge0 (x : 'I_q) (g : 'I_m) : 0 <= T x g * (b x - s x g) by rewrite mulr_ge0 // subr_ge0 (score_le _ _ _ bounds_ok).
have sum0 : \sum_(x < q) \sum_(g < m) T x g * (b x - s x g) = 0.
  apply/le_anti; rewrite sumr_ge0 => [|x _]; last exact: sumr_ge0.
  rewrite andbT (eq_bigr (fun x : 'I_q => b x - \sum_(g < m) T x g * s x g)); last first.
    move=> x _; rewrite -[b x in RHS]mul1r -(T_sum1 x) mulr_suml -sumrB.
    by apply: eq_bigr => g _; rewrite mulrBr.
  rewrite sumrB -(scores_sum (turned_losses p L w) T X_M size_M) (turned_lossesE _ _ l_L) subr_le0.
  rewrite mulNr mulrN ler_oppr -(@sum_seq _ (bounds_of m scores) q) ?size_map ?size_iota //.
  have D_gt0 : 0 < of_Z (Zpos (unit w) * scaling L * scaling M)%Z by rewrite !of_ZM !mulr_gt0.
  move: T_le; rewrite -(equalsP D_gt0 v_ok) ler_pdivl_mulr // !of_ZM of_ZN => T_le.
  by apply: le_trans T_le; rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
have row0 := psumr_eq0P (fun (x : 'I_q) _ => sumr_ge0 _ (fun g _ => gap_ge0 x g)) sum0 (isT : xpredT y).
have /eqP := psumr_eq0P (fun (g : 'I_m) _ => gap_ge0 y g) row0 (isT : xpredT r).
rewrite mulf_eq0 => /orP[/eqP //|]; rewrite subr_eq0 of_Z_eq => /Z.eqb_eq e.
by exfalso; lia.
Qed.

Theorem remap_forced_hold p q m c M L d v (X : 'M[R]_(p, q)) (S T : 'M[R]_(q, m)) : represents M X ->
  represents L (matrix_of R p m (content (loss_of c))) -> all (below (N.of_nat q)) (lines M) ->
  all (below (N.of_nat m)) (lines L) -> is_proper p c -> best_remap p q m c M L d v -> stochastic S -> stochastic T ->
  loss_le c (X *m S) (of_Q v) -> loss_le c (X *m T) (of_Q v) -> all (satisfies (S - T)) (remap_equations p q m c M L d).
Proof.
move=> X_M l_L M_q L_m c_ok ok S_st T_st S_le T_le; have [L_gt0 l_is] := l_L; have [M_gt0 X_is] := X_M.
rewrite /remap_equations; case w_for: weights_for => [w|] //; rewrite !all_cat.
have w_ge0 := weights_ge0 w_for c_ok.
have lower Z := weighed_best (T := Z) X_M l_L w_for ok.
have bound : remap_bound p q m M L w v by move: ok; rewrite /best_remap w_for.
apply/and3P; split.
- apply: satisfies_sums => i; under eq_bigr => j _ do rewrite !mxE.
  by rewrite sumrB (proj2 S_st) (proj2 T_st) subrr.
- case: c l_L l_is c_ok ok S_le T_le w_for lower => [l side|//] l_L l_is c_ok ok S_le T_le w_for lower.
  rewrite all_map; apply/all_In => t t_in; have [i t_i i_gt0] := positive_termsP w_ge0 t_in.
  apply: satisfies_remap_line; rewrite ?row_at_below // t_i !row_atE Nat2N.id.
  have := loss_difference (matrix_of R p m (content l)) (X *m S) (X *m T) i.
  rewrite (weighed_equal w_for S_le (lower _ S_st) i_gt0) (weighed_equal w_for T_le (lower _ T_st) i_gt0) subrr.
  move/(congr1 (fun x => of_Z (scaling L) * of_Z (scaling M) * x)); rewrite mulr0 mulr_sumr => sum0.
  rewrite -[RHS]sum0 exchange_big; apply: eq_bigr => r _ /=; rewrite -mulmxBr [(X *m _) i r]mxE !mulr_sumr; apply: eq_bigr => y _.
  have L_neq0 : of_Z (scaling L) != 0 by rewrite gt_eqF.
  have M_neq0 : of_Z (scaling M) != 0 by rewrite gt_eqF.
  by rewrite l_is X_is /line_of; by_field R; split; exact/eqP.
have /andP[bounds_ok _] := bound; have /andP[_ rows_ok] := bounds_ok.
set scores := scores_of _ _ _ in rows_ok *.
have size_s : size scores = q by rewrite size_map size_iota.
have size_b : size (bounds_of m scores) = q by rewrite size_map.
apply: satisfies_zeros => [||y r]; first by rewrite size_map size_zip size_b size_s minnn.
  by rewrite all_map.
rewrite (nth_map (0%Z, [::])) ?size_zip ?size_b ?size_s ?minnn // nth_zip ?size_b //=.
rewrite at_combine (at_enumerate 0) subn0 nth_nseq ltn_ord ltn0 => gt0.
have less : (at_index (nth [::] scores y) r < nth 0 (bounds_of m scores) y)%Z by lia.
rewrite !mxE (remap_zero X_M l_L bound S_st (weights_forP w_for S_le) less).
by rewrite (remap_zero X_M l_L bound T_st (weights_forP w_for T_le) less) subrr.
Qed.

End Forced.
