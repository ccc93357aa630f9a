(* SPDX-License-Identifier: MIT *)
(* Optima by the graph rule (SPEC, sections 4.1 and 4.2), decided on integers.                                *)
(*                                                                                                            *)
(*   weights_for      the weights of a dual: the prior, or weights on the side information  (weights_forP)    *)
(*   has_loss         the loss of a mechanism is a given number                             (has_lossP)       *)
(*   graph_bound      no private mechanism has a loss below a given number                  (graph_boundP)    *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Meaning Tables Privacy Derivable PairDuality.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Consumers ---- *)
Definition side_in (side : seq N) (i : N) : bool := has (N.eqb i) side.

Definition is_proper (p : nat) (c : consumer) : bool :=
  match c with
  | Minimax _ side => has (fun i => (i <? N.of_nat p)%num) side
  | Bayesian _ prior => is_distribution p (Zpos (unit prior)) (terms prior)
  end.

Definition weights_for (p : nat) (c : consumer) (d : dual) : option vector :=
  match c, weights d with
  | Bayesian _ prior, None => Some prior
  | Minimax _ side, Some w =>
      if is_distribution p (Zpos (unit w)) (terms w) && all (fun t => side_in side t.1) (terms w) then Some w else None
  | _, _ => None
  end.

(* ---- Losses ---- *)
Definition loss_line (m : nat) (L X : integers) (i : N) : Z := dot m (row_at (lines L) i) (row_at (lines X) i).

(* z/d compared with the fraction v. *)
Definition at_most (z d : Z) (v : Q) : bool := (z * Zpos (Qden v) <=? Qnum v * d)%Z.
Definition equals (z d : Z) (v : Q) : bool := (z * Zpos (Qden v) =? Qnum v * d)%Z.

(* The losses at the inputs are f i/d; the consumer's loss is v. *)
Definition loss_equals (p : nat) (c : consumer) (f : N -> Z) (d : Z) (v : Q) : bool :=
  match c with
  | Minimax _ side =>
      all (fun i => at_most (f i) d v) side && has (fun i => (i <? N.of_nat p)%num && equals (f i) d v) side
  | Bayesian _ w =>
      below (N.of_nat p) (terms w) && equals (foldr (fun t z => (t.2 * f t.1 + z)%Z) 0%Z (terms w)) (Zpos (unit w) * d)%Z v
  end.

Definition has_loss (p m : nat) (c : consumer) (L X : integers) (v : Q) : bool :=
  all (below (N.of_nat m)) (lines L) && loss_equals p c (loss_line m L X) (scaling L * scaling X) v.

(* The loss of a product, row by row, so that the product is never held as a whole. *)
Definition loss_line_times (m : nat) (L A B : integers) (i : N) : Z :=
  dot m (row_at (lines L) i) (weigh (row_at (lines A) i) (lines B)).
Definition product_has_loss (p m : nat) (c : consumer) (L A B : integers) (v : Q) : bool :=
  all (below (N.of_nat m)) (lines L) && loss_equals p c (loss_line_times m L A B) (scaling L * (scaling A * scaling B)) v.

(* ---- The graph rule ---- *)
(* A pair with its multipliers: ((from, to), t a^d, (those of from, those of to)), where t is one number for    *)
(* all pairs that makes t a^d an integer. *)
Definition multiplied := (N * N * Z * (row * row))%type.

Definition positive_part (r : row) : row := [seq (t.1, Z.max t.2 0) | t <- r].
Definition negative_part (r : row) : row := [seq (t.1, Z.max (- t.2) 0) | t <- r].

(* The root of a power, bit by bit; nothing depends on its being right, as the power is computed again. *)
Fixpoint climb (fuel : nat) (k : positive) (z root : Z) : Z :=
  match fuel with
  | O => root
  | n.+1 => let next := (root + 2 ^ Z.of_nat n)%Z in climb n k z (if (next ^ Zpos k <=? z)%Z then next else root)
  end.

Definition root_of (k : positive) (z : Z) : Z :=
  if Pos.eqb k 1 then z else climb (Z.to_nat (Z.log2 z / Zpos k + 1)) k z 0.

(* a^d as numerator and denominator, d = e/k. *)
Definition power_of (a d : Q) : Z * Z :=
  (root_of (Qden d) (Qnum a ^ Qnum d), root_of (Qden d) (Zpos (Qden a) ^ Qnum d)).

Arguments power_of : simpl never.

Definition is_power (a d : Q) (x y : Z) : bool :=
  [&& (0 <=? Qnum d)%Z, (0 <=? x)%Z, (0 <? y)%Z, (x ^ Zpos (Qden d) =? Qnum a ^ Qnum d)%Z &
      (y ^ Zpos (Qden d) =? Zpos (Qden a) ^ Qnum d)%Z].

Definition rational_powers (near : neighbours) (a : Q) (top : Z) : bool :=
  all (fun e : N * N * Q => let: (x, y) := power_of a e.2 in is_power a e.2 x y && (top mod y =? 0)%Z) (pairs near).

Definition multiply (a : Q) (top : Z) (er : N * N * Q * row) : multiplied :=
  let e := er.1 in let: (x, y) := power_of a e.2 in
  (e.1.1, e.1.2, (x * (top / y))%Z, (positive_part er.2, negative_part er.2)).

Section Slack.
Variables (m : nat) (top : Z) (l : row) (w mu kw kmu ku : Z) (i : N).

(* What the multipliers of pair e put on input i is taken away. *)
Definition take (e : multiplied) (acc : row) : row :=
  let acc := if N.eqb e.1.1.1 i then
               combine (- (ku * top)) e.2.1 1 (combine (ku * e.1.2) e.2.2 1 acc) else acc in
  if N.eqb e.1.1.2 i then combine (- (ku * top)) e.2.2 1 (combine (ku * e.1.2) e.2.1 1 acc) else acc.

Definition slack_row (es : seq multiplied) : row :=
  foldr take (combine (kw * top * w) l (- (kmu * top * mu)) (enumerate 0 (nseq m 1%Z))) es.
End Slack.

Definition graph_top (near : neighbours) (a : Q) : Z := foldr (fun e z => Z.lcm (power_of a e.2).2 z) 1%Z (pairs near).

Definition multipliers (near : neighbours) (a : Q) (U : integers) : seq multiplied :=
  let top := graph_top near a in [seq multiply a top er | er <- zip (pairs near) (lines U)].

(* One denominator of all that is added up. *)
Definition graph_unit (L : integers) (w mu : vector) (U : integers) : Z :=
  Z.lcm (Z.lcm (Zpos (unit w) * scaling L) (Zpos (unit mu))) (scaling U).

(* The slacks of all inputs. *)
Definition slack_rows (p m : nat) (near : neighbours) (a : Q) (L : integers) (w mu : vector) (U : integers) : seq row :=
  let k := graph_unit L w mu U in
  let kw := (k / (Zpos (unit w) * scaling L))%Z in let kmu := (k / Zpos (unit mu))%Z in let ku := (k / scaling U)%Z in
  let top := graph_top near a in let es := multipliers near a U in
  [seq slack_row m top (line_of L i) (at_index (terms w) i) (at_index (terms mu) i) kw kmu ku (N.of_nat i) es | i <- iota 0 p].

Definition graph_bound (p m : nat) (near : neighbours) (a : Q) (L : integers) (w mu : vector) (U : integers)
    (v : Q) : bool :=
  let top := graph_top near a in
  [&& rational_powers near a top && (0 <? top)%Z, is_level a, size (lines U) == size (pairs near),
      all (fun e : N * N * Q => (e.1.1 <? N.of_nat p)%num && (e.1.2 <? N.of_nat p)%num) (pairs near),
      below (N.of_nat p) (terms mu), equals (total (terms mu)) (Zpos (unit mu)) v &
      all all_ge0 (slack_rows p m near a L w mu U)].

Section Optimal.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma side_inP side (i : nat) : side_in side (N.of_nat i) = has (N.eqb (N.of_nat i)) side.
Proof. by []. Qed.

Lemma vector_distribution p (w : vector) : is_distribution p (Zpos (unit w)) (terms w) ->
  distribution (fun i : 'I_p => vector_entry R w i).
Proof.
case/and3P=> w_p w_ge0 /Z.eqb_eq w_sum; split=> [i|].
  rewrite /vector_entry divr_ge0 ?(ltW (of_Z_pos R _)) // of_Z_ge0; exact/Z.leb_le/all_ge0P.
by rewrite /vector_entry -mulr_suml sum_row1 // w_sum divff // of_Z_pos_neq0.
Qed.

Lemma is_properP p c : is_proper p c -> proper R p c.
Proof.
case: c => [l side|l w] /=; last exact: vector_distribution.
case/has_In=> i i_in /N.ltb_lt i_p; have i_lt : (N.to_nat i < p)%N by apply/ssrnat.ltP; lia.
by exists (Ordinal i_lt); apply/has_In; exists i; rewrite //= N2Nat.id N.eqb_refl.
Qed.

(* A bound of the weighed loss is a bound of the consumer's loss. *)
Theorem weights_forP p m c d w : weights_for p c d = Some w -> forall (X : 'M[R]_(p, m)) u,
  loss_le c X u -> bayes_loss (fun i => vector_entry R w i) (matrix_of R p m (content (loss_of c))) X <= u.
Proof.
case: c => [l side|l prior] /=; case: (weights d) => [v|] //; last by case=> <-.
case: ifP => // /andP[v_dist v_side] [<-] X u X_le.
have [v_ge0 v_sum] := vector_distribution v_dist.
rewrite -[u]mul1r -v_sum mulr_suml; apply: ler_sum => i _.
have [i_in|i_out] := boolP (side_in side (N.of_nat i)).
  by rewrite ler_wpmul2l ?v_ge0 // X_le // inE.
suff -> : vector_entry R v i = 0 by rewrite !mul0r.
rewrite /vector_entry; suff -> : at_index (terms v) i = 0%Z by rewrite mul0r.
elim: (terms v) v_side => [|t s IHs] //= /andP[t_side /IHs ->].
by case: N.eqb_spec => // t_i; move: i_out; rewrite -t_i t_side.
Qed.

Lemma at_mostP z d v : 0 < of_Z d -> (of_Z z / of_Z d <= of_Q v) = at_most z d v.
Proof.
move=> d_gt0; rewrite /at_most -(of_Z_le R) !of_ZM ler_pdivr_mulr // /of_Q mulrAC.
by rewrite ler_pdivl_mulr ?of_Z_pos.
Qed.

Lemma equalsP z d v : 0 < of_Z d -> equals z d v -> of_Z z / of_Z d = of_Q v.
Proof.
move=> d_gt0; rewrite /equals -(of_Z_eq R) !of_ZM => /eqP e; apply/eqP.
by rewrite /of_Q eqr_div ?lt0r_neq0 ?of_Z_pos // e.
Qed.

Lemma loss_lineP p m L X (l x : 'M[R]_(p, m)) (i : 'I_p) : represents L l -> represents X x ->
  all (below (N.of_nat m)) (lines L) ->
  loss_at l x i = of_Z (loss_line m L X (N.of_nat i)) / of_Z (scaling L * scaling X)%Z.
Proof.
move=> [L_gt0 l_L] [X_gt0 x_X] L_m; rewrite /loss_line !row_atE Nat2N.id (@dotE R m); last first.
  have [i_lt|i_ge] := ltnP i (size (lines L)); last by rewrite nth_default.
  exact: (all_nthP [::] L_m).
rewrite mulr_suml; apply: eq_bigr => r _; rewrite l_L x_X of_ZM /line_of.
move: (of_Z (scaling L)) (of_Z (scaling X)) L_gt0 X_gt0 => y z y_gt0 z_gt0.
by by_field R; split; apply/eqP; rewrite gt_eqF.
Qed.

Theorem has_lossP p m c L X (x : 'M[R]_(p, m)) v :
  represents L (matrix_of R p m (content (loss_of c))) -> represents X x ->
  has_loss p m c L X v -> loss_is c x (of_Q v).
Proof.
move=> l_L x_X /andP[L_m]; have d_gt0 : 0 < of_Z (scaling L * scaling X)%Z.
  by rewrite of_ZM mulr_gt0 //; [case: l_L | case: x_X].
case: c l_L => [l side|l w] l_L; have {}l_L : represents L (matrix_of R p m (content l)) := l_L; case/andP.
  move=> /all_In le_v /has_In[i i_side /andP[/N.ltb_lt i_p eq_v]].
  have i_lt : (N.to_nat i < p)%N by apply/ssrnat.ltP; lia.
  rewrite /loss_is /loss_le /=; split=> [j|u /(_ (Ordinal i_lt))].
    rewrite inE => /has_In[k k_side /N.eqb_eq j_k].
    by rewrite (loss_lineP j l_L x_X L_m) at_mostP // j_k; exact: le_v.
  rewrite inE (loss_lineP _ l_L x_X L_m) /= N2Nat.id (equalsP d_gt0 eq_v); apply.
  by apply/has_In; exists i => //; exact: N.eqb_refl.
move=> w_p eq_v; suff e : bayes_loss (fun i => vector_entry R w i) (matrix_of R p m (content l)) x = of_Q v.
  by rewrite /loss_is /loss_le /= e.
rewrite -(equalsP _ eq_v); last by rewrite of_ZM mulr_gt0 // of_Z_pos.
have sum_is : of_Z (foldr (fun t z => (t.2 * loss_line m L X t.1 + z)%Z) 0%Z (terms w))
    = \sum_(i < p) of_Z (loss_line m L X (N.of_nat i)) * of_Z (at_index (terms w) i).
  rewrite (sum_row (fun i => of_Z (loss_line m L X (N.of_nat i))) w_p).
  elim: (terms w) {w_p eq_v} => [|t s IHs] /=; first by rewrite big_nil.
  by rewrite big_cons -IHs of_ZD of_ZM N2Nat.id mulrC.
rewrite sum_is of_ZM mulr_suml /bayes_loss; apply: eq_bigr => i _.
rewrite (loss_lineP i l_L x_X L_m) /vector_entry.
move: (of_Z (scaling L * scaling X)) d_gt0 (of_Z (Zpos (unit w))) (of_Z_pos R (unit w)) => y y_gt0 z z_gt0.
by by_field R; split; apply/eqP; rewrite gt_eqF.
Qed.

Lemma loss_line_timesP m L A B i : loss_line_times m L A B i = loss_line m L (times A B) i.
Proof.
rewrite /loss_line_times /loss_line; congr (dot _ _ _); rewrite !row_atE /times /=; move: (N.to_nat i) => k.
have [k_lt|k_ge] := ltnP k (size (lines A)); first by rewrite (nth_map [::]).
by rewrite !nth_default ?size_map // weigh_nil.
Qed.

Lemma product_has_lossP p m c L A B v : product_has_loss p m c L A B v -> has_loss p m c L (times A B) v.
Proof.
case/andP=> L_m; rewrite /has_loss L_m /loss_equals /=; case: c => [l side|l w].
  case/andP=> /all_In le_v /has_In[i i_side i_eq]; apply/andP; split.
    by apply/all_In => k /le_v; rewrite loss_line_timesP.
  by apply/has_In; exists i => //; rewrite -loss_line_timesP.
case/andP=> ->; rewrite /=; congr (is_true (equals _ _ _)).
by elim: (terms w) => //= t s ->; rewrite loss_line_timesP.
Qed.

(* ---- The graph rule is sound ---- *)
Lemma at_positive_part r j : (0 <= at_index (positive_part r) j)%Z.
Proof. by elim: r => [|t r IHr] //=; case: N.eqb; lia. Qed.

Lemma at_negative_part r j : (0 <= at_index (negative_part r) j)%Z.
Proof. by elim: r => [|t r IHr] //=; case: N.eqb; lia. Qed.

Section Slacks.
Variables (m : nat) (top : Z) (l : row) (w mu kw kmu ku : Z) (i : nat) (r : 'I_m).
Local Notation out e := (of_Z ku * (of_Z top * of_Z (at_index e.2.1 r) - of_Z e.1.2 * of_Z (at_index e.2.2 r))).
Local Notation back e := (of_Z ku * (of_Z top * of_Z (at_index e.2.2 r) - of_Z e.1.2 * of_Z (at_index e.2.1 r))).

Lemma slack_rowP (es : seq multiplied) :
  of_Z (at_index (slack_row m top l w mu kw kmu ku (N.of_nat i) es) r) =
  of_Z kw * of_Z top * of_Z w * of_Z (at_index l r) - of_Z kmu * of_Z top * of_Z mu
  - \sum_(e <- es | N.to_nat e.1.1.1 == i) out e - \sum_(e <- es | N.to_nat e.1.1.2 == i) back e.
Proof.
elim: es => [|e es IHes].
  rewrite !big_nil !subr0 /slack_row [foldr _ _ _]/= at_combine (at_enumerate 0) ltn0 subn0 nth_nseq ltn_ord.
  by rewrite of_ZD !of_ZM of_ZN !of_ZM mulr1.
rewrite !big_cons.
have same_index (k : N) : N.eqb k (N.of_nat i) = (N.to_nat k == i).
  by apply/N.eqb_spec/eqP => [->|<-]; rewrite ?Nat2N.id ?N2Nat.id.
have -> : slack_row m top l w mu kw kmu ku (N.of_nat i) (e :: es)
        = take top ku (N.of_nat i) e (slack_row m top l w mu kw kmu ku (N.of_nat i) es) by [].
move: (slack_row m top l w mu kw kmu ku (N.of_nat i) es) IHes => s IHes.
rewrite /take !same_index.
by case: eqP => _; case: eqP => _; rewrite ?at_combine ?(of_ZD, of_ZM, of_ZN, of_Z1) IHes; by_ring R.
Qed.
End Slacks.

Lemma lcm_gt0 x y : (0 < x)%Z -> (0 < y)%Z -> (0 < Z.lcm x y)%Z.
Proof. by move=> x_gt0 y_gt0; have := Z.lcm_nonneg x y; have := Z.lcm_eq_0 x y; lia. Qed.

Lemma quotient k x : (0 < x)%Z -> (x | k)%Z -> of_Z k = of_Z (k / x)%Z * of_Z x.
Proof. by move=> x_gt0 [q ->]; rewrite Z.div_mul ?of_ZM //; lia. Qed.

Lemma gt0_Z z : 0 < of_Z z -> (0 < z)%Z.
Proof. by rewrite -(of_Z0 R) of_Z_lt => /Z.ltb_lt. Qed.

(* x/y is a^d: where the powers are compared, the numbers are. *)
Lemma is_powerP a d x y (u v : R) : is_power a d x y -> 0 <= u -> 0 <= v ->
  of_Q a ^+ Z.to_nat (Qnum d) * u ^+ Pos.to_nat (Qden d) <= v ^+ Pos.to_nat (Qden d) -> of_Z x / of_Z y * u <= v.
Proof.
case/and5P=> /Z.leb_le d_ge0 x_ge0 /Z.ltb_lt y_gt0 /Z.eqb_eq x_is /Z.eqb_eq y_is u_ge0 v_ge0.
have yR := of_Z_gt0 R y_gt0; have xR : 0 <= of_Z x by rewrite of_Z_ge0.
have -> : of_Q a ^+ Z.to_nat (Qnum d) = (of_Z x / of_Z y) ^+ Pos.to_nat (Qden d).
  by rewrite /of_Q !expr_div_n -!of_ZX_pos x_is y_is -!of_ZX Z2Nat.id.
rewrite -exprMn ler_pexpn2r ?nnegrE ?mulr_ge0 ?invr_ge0 ?(ltW yR) //.
by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
Qed.

(* What a bound by the graph rule rests on: the hypotheses of [pair_duality]. *)
Section GraphBound.
Variables (p m : nat) (near : neighbours) (a : Q) (L : integers) (w mu : vector) (U : integers) (v : Q) (l : 'M[R]_(p, m)).
Hypotheses (l_L : represents L l) (U_gt0 : 0 < of_Z (scaling U)) (bound : graph_bound p m near a L w mu U v).
Local Notation top := (graph_top near a).
Local Notation k := (graph_unit L w mu U).

Definition from_of (e : multiplied) : nat := N.to_nat e.1.1.1.
Definition to_of (e : multiplied) : nat := N.to_nat e.1.1.2.
Definition factor_of (e : multiplied) : R := of_Z e.1.2 / of_Z top.
Definition up_of (e : multiplied) (r : 'I_m) : R := of_Z (at_index e.2.1 r) / of_Z (scaling U).
Definition down_of (e : multiplied) (r : 'I_m) : R := of_Z (at_index e.2.2 r) / of_Z (scaling U).

Definition graph_cost (i : 'I_p) (r : 'I_m) : R :=
  pair_cost l (fun i => vector_entry R w i) (fun i => vector_entry R mu i) (multipliers near a U)
    from_of to_of factor_of up_of down_of i r.

Lemma graph_top_gt0 : (0 < top)%Z.
Proof. by case/and5P: bound => /andP[_ /Z.ltb_lt]. Qed.

Lemma graph_unit_gt0 : (0 < k)%Z.
Proof.
apply: lcm_gt0; last exact: gt0_Z.
by apply: lcm_gt0 => //; apply: Z.mul_pos_pos => //; apply: gt0_Z; case: l_L.
Qed.

Lemma graph_value : of_Q v = \sum_(i < p) vector_entry R mu i.
Proof.
have smu_gt0 : (0 < Zpos (unit mu))%Z by [].
case/and5P: bound => _ _ _ _ /and3P[mu_p mu_v _].
by rewrite -(equalsP (of_Z_gt0 R smu_gt0) mu_v) /vector_entry -mulr_suml sum_row1.
Qed.

Lemma graph_up_ge0 e r : List.In e (multipliers near a U) -> 0 <= up_of e r.
Proof.
move=> e_in; have [er _ ->] := In_map e_in; rewrite divr_ge0 ?(ltW U_gt0) // /multiply; case: power_of => x y /=.
by rewrite of_Z_ge0; exact/Z.leb_le/at_positive_part.
Qed.

Lemma graph_down_ge0 e r : List.In e (multipliers near a U) -> 0 <= down_of e r.
Proof.
move=> e_in; have [er _ ->] := In_map e_in; rewrite divr_ge0 ?(ltW U_gt0) // /multiply; case: power_of => x y /=.
by rewrite of_Z_ge0; exact/Z.leb_le/at_negative_part.
Qed.

Lemma graph_obeys (X : 'M[R]_(p, m)) e : mechanism_for near (of_Q a) X -> List.In e (multipliers near a U) ->
  exists i j : 'I_p, [/\ i = from_of e :> nat, j = to_of e :> nat &
    forall r, factor_of e * X j r <= X i r /\ factor_of e * X i r <= X j r].
Proof.
move=> [X_st X_priv] e_in; case/and5P: bound => /andP[/all_In whole /Z.ltb_lt top_gt0] _ _ /all_In ends _.
have [[pr ur] /In_zip /= pr_in ->] := In_map e_in; rewrite /multiply /from_of /to_of /factor_of.
have := whole _ pr_in; rewrite [(pr, ur).1]/=; case: (power_of a pr.2) => [x y] /andP[x_y /Z.eqb_eq y_top] /=.
have /andP[/N.ltb_lt i_p /N.ltb_lt j_p] := ends _ pr_in.
have i_lt : (N.to_nat pr.1.1 < p)%N by apply/ssrnat.ltP; lia.
have j_lt : (N.to_nat pr.1.2 < p)%N by apply/ssrnat.ltP; lia.
exists (Ordinal i_lt), (Ordinal j_lt); split=> // r.
have /and5P[_ _ /Z.ltb_lt y_gt0 _ _] := x_y.
have -> : of_Z (x * (top / y))%Z / of_Z top = of_Z x / of_Z y.
  have -> : of_Z top = of_Z (top / y)%Z * of_Z y by apply: quotient => //; apply/Z.mod_divide => //; lia.
  have y_neq0 : of_Z y != 0 by rewrite gt_eqF // of_Z_gt0.
  have t_neq0 : of_Z (top / y)%Z != 0.
    rewrite gt_eqF // of_Z_gt0 //; apply: Z.div_str_pos; split=> //; apply: Z.divide_pos_le => //.
    by apply/Z.mod_divide => //; lia.
  by rewrite of_ZM; by_field R; split; exact/eqP.
have pair_at s t : constrained near s t pr.2 -> forall (s_lt : (s < p)%N) (t_lt : (t < p)%N),
    of_Z x / of_Z y * X (Ordinal t_lt) r <= X (Ordinal s_lt) r.
  move=> st s_lt t_lt; apply: (is_powerP x_y) => //; try exact: (proj1 X_st).
  exact: (X_priv (Ordinal s_lt) (Ordinal t_lt) pr.2 r st).
have pr_is : pr = ((N.of_nat (N.to_nat pr.1.1), N.of_nat (N.to_nat pr.1.2)), pr.2).
  by case: (pr) => [[s t] q] /=; rewrite !N2Nat.id.
by split; apply: pair_at; [left | right]; rewrite -pr_is.
Qed.

(* The integers that are computed are the reduced costs, times a number above 0. *)
Lemma graph_costE (i : 'I_p) (r : 'I_m) :
  of_Z (at_index (nth [::] (slack_rows p m near a L w mu U) i) r) = of_Z k * of_Z top * graph_cost i r.
Proof.
have top_neq0 : of_Z top != 0 by rewrite gt_eqF // of_Z_gt0 //; exact: graph_top_gt0.
have U_neq0 : of_Z (scaling U) != 0 by rewrite gt_eqF.
have [L_gt0 l_is] := l_L; have k_gt0 := graph_unit_gt0.
have sw_gt0 : (0 < Zpos (unit w) * scaling L)%Z by apply: Z.mul_pos_pos => //; exact: gt0_Z.
have kw : of_Z k = of_Z (k / (Zpos (unit w) * scaling L)) * of_Z (Zpos (unit w) * scaling L)%Z.
  apply: quotient => //; apply: (Z.divide_trans _ (Z.lcm (Zpos (unit w) * scaling L) (Zpos (unit mu)))); exact: Z.divide_lcm_l.
have kmu : of_Z k = of_Z (k / Zpos (unit mu)) * of_Z (Zpos (unit mu)).
  apply: quotient => //; apply: (Z.divide_trans _ (Z.lcm (Zpos (unit w) * scaling L) (Zpos (unit mu)))).
    exact: Z.divide_lcm_r.
  exact: Z.divide_lcm_l.
have kU : of_Z k = of_Z (k / scaling U) * of_Z (scaling U) by apply: quotient; [exact: gt0_Z | exact: Z.divide_lcm_r].
rewrite /slack_rows (nth_map 0%N) ?size_iota // nth_iota // add0n slack_rowP /graph_cost /pair_cost !mulrBr.
congr (_ - _ - _ - _).
- rewrite l_is kw /vector_entry of_ZM.
  have L_neq0 : of_Z (scaling L) != 0 by rewrite gt_eqF.
  have w_neq0 := of_Z_pos_neq0 R (unit w).
  by by_field R; split; apply/eqP.
- rewrite kmu /vector_entry; have mu_neq0 := of_Z_pos_neq0 R (unit mu).
  by by_field R; apply/eqP.
- rewrite mulr_sumr; apply: eq_bigr => e _; rewrite kU /up_of /down_of /factor_of; by_field R; split; exact/eqP.
- rewrite mulr_sumr; apply: eq_bigr => e _; rewrite kU /up_of /down_of /factor_of; by_field R; split; exact/eqP.
Qed.

Lemma graph_cost_ge0 i r : 0 <= graph_cost i r.
Proof.
case/and5P: bound => _ _ _ _ /and3P[_ _ /(all_nthP [::]) slacks].
have kt_gt0 : 0 < of_Z k * of_Z top by rewrite mulr_gt0 // of_Z_gt0 //; [exact: graph_unit_gt0 | exact: graph_top_gt0].
rewrite -(pmulr_rge0 _ kt_gt0) -graph_costE of_Z_ge0; apply/Z.leb_le/all_ge0P/slacks.
by rewrite size_map size_iota.
Qed.

End GraphBound.

Theorem graph_boundP p m near a c d L w mu U v :
  represents L (matrix_of R p m (content (loss_of c))) -> 0 < of_Z (scaling U) ->
  weights_for p c d = Some w -> graph_bound p m near a L w mu U v ->
  none_below near p m (of_Q a) c (of_Q v).
Proof.
move=> l_L U_gt0 w_for ok X X_mech u0 X_le; apply: le_trans (weights_forP w_for X_le); rewrite (graph_value ok).
apply: (pair_duality (from := from_of) (to := to_of) (b := factor_of near a) (proj1 X_mech)
  (graph_up_ge0 (near := near) (a := a) U_gt0) (graph_down_ge0 (near := near) (a := a) U_gt0)).
  by move=> e e_in; exact (graph_obeys ok X_mech e_in).
by move=> i r; exact: (graph_cost_ge0 l_L U_gt0 ok i r).
Qed.

End Optimal.
