(* SPDX-License-Identifier: MIT *)
(* Regular priors and their region (ElSalamouny and others, Section 3).                                       *)
(*                                                                                                            *)
(*   constraint_matrix    what is used of the matrix Phi of Definition 4; graph_constraint_matrix             *)
(*   graph_phi_near       Phi is within a of the identity matrix, entry by entry                              *)
(*   corner               Definition 6, the corner priors                                                     *)
(*   regular_proposition2, _3, _4     Propositions 2, 3 and 4; graph_proposition2, _3 with distances          *)
(*   full_support_iff     regular priors have full support exactly on connected graphs                        *)
(*   gamma_weights, gamma_one         gamma_i = y_i sum_k Phi(i,k), they add up to 1; gamma_i = 1 iff pi = c^i *)
(*   corner_greatest, corner_vertex   c^i alone has the largest i-th entry of the region, so it is a vertex   *)
(*   graph_corner_near, graph_region_near      as a tends to 0 the corners tend to those of the simplex, and  *)
(*                                    every prior is the limit of regular priors                              *)
(*   corner_not_regular   a corner at a is not regular at any level b > a                                     *)
(*                                                                                                            *)
(* A prior is a [distribution]; it is [regular Phi] when it is y Phi for some y >= 0 (TightConstraints.v).    *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField MatrixGame Walks Leakage PrivacyTypes TightConstraints.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* e^(-d) for distances d that may be infinite; real distances as well.  [similarity] has 0 < Phi besides.    *)
Definition constraint_matrix (R : realFieldType) (X : finType) (Phi : X -> X -> R) :=
  [/\ forall i k, 0 <= Phi i k, forall i k, Phi i k = Phi k i, forall i, Phi i i = 1,
      forall i k, i != k -> Phi i k < 1 & forall i j k, Phi i j * Phi j k <= Phi i k].

Section Region.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R).
Hypothesis PhiP : constraint_matrix Phi.
Implicit Types (q y gamma : X -> R).

(* The sum of row i of Phi, sum_k Phi(i,k). *)
Definition row_sum (i : X) : R := \sum_k Phi i k.

(* Definition 6. *)
(* The corner prior c^i has the entries Phi(i,k) / sum_j Phi(i,j). *)
Definition corner (i : X) : X -> R := fun k => Phi i k / row_sum i.

Lemma row_sum_ge1 i : 1 <= row_sum i.
Proof.
have [ge0 _ one _ _] := PhiP; rewrite /row_sum (bigD1 i) //= one ler_addl.
by apply: sumr_ge0 => k _; exact: ge0.
Qed.

Lemma row_sum_gt0 i : 0 < row_sum i.
Proof. exact: lt_le_trans ltr01 (row_sum_ge1 i). Qed.

Theorem corner_distribution i : distribution (corner i).
Proof.
have [ge0 _ _ _ _] := PhiP; split=> [k|]; first by rewrite divr_ge0 // ltW // row_sum_gt0.
by rewrite -mulr_suml divff // gt_eqF // row_sum_gt0.
Qed.

Theorem corner_weights i k : corner i k = \sum_j (j == i)%:R / row_sum i * Phi j k.
Proof.
rewrite (bigD1 i) //= eqxx mul1r mulrC big1 ?addr0 // => j /negPf ->.
by rewrite !mul0r.
Qed.

Theorem corner_regular i : regular Phi (corner i).
Proof.
exists (fun j => (j == i)%:R / row_sum i); split=> [j|k]; last exact: corner_weights.
by rewrite divr_ge0 ?ler0n // ltW // row_sum_gt0.
Qed.

(* The upper bound of Proposition 3. *)
Theorem corner_top i : corner i i = (row_sum i)^-1.
Proof. by have [_ _ one _ _] := PhiP; rewrite /corner one mul1r. Qed.

Lemma regular_ge0 q k : regular Phi q -> 0 <= q k.
Proof. by have [ge0 _ _ _ _] := PhiP; case=> y [y_ge0 ->]; apply: sumr_ge0 => i _; exact: mulr_ge0. Qed.

(* Proposition 2. *)
Theorem regular_proposition2 q i j : regular Phi q -> Phi i j * q i <= q j.
Proof.
have [_ _ _ _ tri] := PhiP; case=> y [y_ge0 y_q]; rewrite !y_q mulr_sumr; apply: ler_sum => k _.
by rewrite mulrCA ler_wpmul2l // mulrC tri.
Qed.

(* Proposition 3; the upper bound holds for infinite distances as well. *)
Theorem regular_upper q i : regular Phi q -> distribution q -> q i <= (row_sum i)^-1.
Proof.
move=> q_reg [_ q_sum]; rewrite -[leRHS]mul1r ler_pdivl_mulr ?row_sum_gt0 // mulrC mulr_suml -q_sum.
by apply: ler_sum => k _; exact: regular_proposition2.
Qed.

Theorem regular_proposition3 q i : (forall k, 0 < Phi i k) -> regular Phi q -> distribution q ->
  0 < q i /\ (\sum_k (Phi i k)^-1)^-1 <= q i <= (\sum_k Phi i k)^-1.
Proof.
have [_ sym one _ _] := PhiP; move=> Phi_gt0 q_reg q_dist; have [q_ge0 q_sum] := q_dist.
have total_gt0 : 0 < \sum_k (Phi i k)^-1.
  rewrite (bigD1 i) //= ltr_paddr ?invr_gt0 // sumr_ge0 // => k _.
  by rewrite invr_ge0 ltW.
have low : (\sum_k (Phi i k)^-1)^-1 <= q i.
  rewrite -[leLHS]mul1r ler_pdivr_mulr // mulr_sumr -q_sum; apply: ler_sum => k _.
  by rewrite ler_pdivl_mulr // mulrC sym regular_proposition2.
by rewrite low regular_upper // (lt_le_trans _ low) // invr_gt0.
Qed.

(* ---- Coordinates among the corners ---- *)
(* The combination sum_i gamma_i c^i of the corner priors. *)
Definition mixture_of_corners gamma : X -> R := fun k => \sum_i gamma i * corner i k.

Lemma corner_row i k : row_sum i * corner i k = Phi i k.
Proof. by rewrite mulrC divfK // gt_eqF // row_sum_gt0. Qed.

(* gamma_i = y_i sum_k Phi(i,k) *)
Theorem gamma_weights y k : \sum_i y i * Phi i k = mixture_of_corners (fun i => y i * row_sum i) k.
Proof. by apply: eq_bigr => i _; rewrite -mulrA corner_row. Qed.

(* Proposition 4. *)
Theorem regular_proposition4 q : regular Phi q <->
  exists gamma, (forall i, 0 <= gamma i) /\ forall k, q k = mixture_of_corners gamma k.
Proof.
split=> [[y [y_ge0 y_q]]|[gamma [gamma_ge0 gamma_q]]].
  exists (fun i => y i * row_sum i); split=> [i|k]; last by rewrite y_q gamma_weights.
  by rewrite mulr_ge0 // ltW // row_sum_gt0.
exists (fun i => gamma i / row_sum i); split=> [i|k]; first by rewrite divr_ge0 // ltW // row_sum_gt0.
rewrite gamma_weights gamma_q; apply: eq_bigr => i _.
by rewrite divfK // gt_eqF // row_sum_gt0.
Qed.

Theorem gamma_sum gamma : \sum_k mixture_of_corners gamma k = \sum_i gamma i.
Proof.
rewrite exchange_big; apply: eq_bigr => i _.
by rewrite -mulr_sumr (proj2 (corner_distribution i)) mulr1.
Qed.

Theorem regular_convex q q' t : 0 <= t <= 1 -> regular Phi q -> regular Phi q' ->
  regular Phi (fun k => t * q k + (1 - t) * q' k).
Proof.
move=> /andP[t_ge0 t_le1] [y [y_ge0 y_q]] [y' [y'_ge0 y'_q']]; exists (fun i => t * y i + (1 - t) * y' i).
split=> [i|k]; first by rewrite addr_ge0 // mulr_ge0 // subr_ge0.
rewrite y_q y'_q' !mulr_sumr -big_split /=; apply: eq_bigr => i _.
by rewrite mulrA [in X in _ + X]mulrA -mulrDl.
Qed.

(* ---- The corners are the vertices ---- *)
(* c^i is maximally biased to the answer i, and no other prior of the region is. *)
Theorem corner_greatest q i : regular Phi q -> distribution q ->
  q i <= corner i i /\ (q i = corner i i -> forall k, q k = corner i k).
Proof.
have [_ _ one _ _] := PhiP; move=> q_reg q_dist; have [_ q_sum] := q_dist.
rewrite corner_top; split=> [|qi k]; first exact: regular_upper.
have rest_ge0 j : true -> 0 <= q j - Phi i j * q i by rewrite subr_ge0 regular_proposition2.
have rest0 : \sum_j (q j - Phi i j * q i) = 0.
  by rewrite sumrB q_sum -mulr_suml qi -/(row_sum i) divff ?subrr // gt_eqF // row_sum_gt0.
by have /eqP := @psumr_eq0P _ _ xpredT _ rest_ge0 rest0 k isT; rewrite subr_eq0 qi => /eqP.
Qed.

(* The ratios of Proposition 2 are attained. *)
Theorem corner_ratio i k : corner i k = Phi i k * corner i i.
Proof. by have [_ _ one _ _] := PhiP; rewrite /corner one mul1r. Qed.

Lemma corner_lt i k : i != k -> corner k i < corner i i.
Proof.
have [ge0 _ one lt1 _] := PhiP; move=> ik.
have [le eq] := corner_greatest i (corner_regular k) (corner_distribution k).
rewrite lt_neqAle le andbT; apply/eqP => ci; have := eq ci k; rewrite /corner one mul1r => ck.
have := ci; rewrite /corner ck mulrA one mul1r -[RHS]mul1r => /(mulIf _) one'.
have : Phi k i * Phi i k = 1 by apply: one'; rewrite invr_eq0 gt_eqF // row_sum_gt0.
by apply/eqP; rewrite lt_eqF // mulr_ilt1 // lt1 // eq_sym.
Qed.

Theorem corner_different i k : i != k -> exists j, corner i j != corner k j.
Proof. by move=> ik; exists i; rewrite eq_sym lt_eqF // corner_lt. Qed.

(* c^i lies between no two other priors of the region. *)
Theorem corner_vertex q q' t i : 0 < t < 1 -> regular Phi q -> distribution q -> regular Phi q' -> distribution q' ->
  (forall k, corner i k = t * q k + (1 - t) * q' k) -> forall k, q k = corner i k /\ q' k = corner i k.
Proof.
move=> /andP[t_gt0 t_lt1] q_reg q_dist q'_reg q'_dist mix.
have [q_le q_eq] := corner_greatest i q_reg q_dist; have [q'_le q'_eq] := corner_greatest i q'_reg q'_dist.
have s_gt0 : 0 < 1 - t by rewrite subr_gt0.
have total : t * (corner i i - q i) + (1 - t) * (corner i i - q' i) = 0.
  by rewrite !(mulrBr _ (corner i i)) addrACA -opprD -mix -mulrDl addrCA subrr addr0 mul1r subrr.
have t0 : 0 <= t * (corner i i - q i) by rewrite mulr_ge0 ?subr_ge0 // ltW.
have s0 : 0 <= (1 - t) * (corner i i - q' i) by rewrite mulr_ge0 ?subr_ge0 // ltW.
move/eqP: total; rewrite paddr_eq0 // !mulf_eq0 (gt_eqF t_gt0) (gt_eqF s_gt0) /= => /andP[].
rewrite !subr_eq0 => /eqP qi /eqP q'i k.
by split; [apply: q_eq | apply: q'_eq].
Qed.

Theorem gamma_range gamma i : (forall j, 0 <= gamma j) -> \sum_j gamma j = 1 -> 0 <= gamma i <= 1.
Proof.
move=> gamma_ge0 <-; rewrite gamma_ge0 (bigD1 i) //= ler_addl.
by apply: sumr_ge0 => j _.
Qed.

(* gamma_i = 1 iff pi = c^i, whatever the coordinates gamma are (there may be several if Phi is singular). *)
Theorem gamma_one q gamma i : distribution q -> (forall j, 0 <= gamma j) -> (forall k, q k = mixture_of_corners gamma k) ->
  gamma i = 1 <-> forall k, q k = corner i k.
Proof.
move=> [_ q_sum] gamma_ge0 q_gamma; have gamma1 : \sum_j gamma j = 1.
  by rewrite -gamma_sum -q_sum; apply: eq_bigr => k _.
split=> [gi k|q_c].
  have rest_ge0 j : j != i -> 0 <= gamma j by [].
  have rest0 : \sum_(j | j != i) gamma j = 0.
    by apply: (addrI (gamma i)); rewrite addr0 {2}gi -gamma1 [in RHS](bigD1 i).
  rewrite q_gamma /mixture_of_corners (bigD1 i) //= gi mul1r big1 ?addr0 // => j ji.
  by rewrite (psumr_eq0P rest_ge0 rest0) ?mul0r.
have term_ge0 j : true -> 0 <= gamma j * (corner i i - corner j i).
  move=> _; rewrite mulr_ge0 // subr_ge0; have [<-//|ne] := eqVneq i j.
  by rewrite ltW // corner_lt.
have term0 : \sum_j gamma j * (corner i i - corner j i) = 0.
  under eq_bigr => j _ do rewrite mulrBr.
  by rewrite sumrB -mulr_suml gamma1 mul1r -/(mixture_of_corners gamma i) -q_gamma q_c subrr.
rewrite -gamma1 (bigD1 i) //= big1 ?addr0 // => j ji.
have /eqP := @psumr_eq0P _ _ xpredT _ term_ge0 term0 j isT; rewrite mulf_eq0 subr_eq0 => /orP[/eqP //|/eqP e].
by have := corner_lt (i := i) (k := j); rewrite eq_sym ji e ltxx => /(_ isT).
Qed.

(* ---- Less and less privacy ---- *)
Variable a : R.
Hypothesis off_diagonal : forall i k, i != k -> Phi i k <= a.

Lemma corner_near i k : 0 <= a -> `|corner i k - (i == k)%:R| <= #|X|%:R * a.
Proof.
have [ge0 _ one _ _] := PhiP; move=> a_ge0; have n_ge1 : 1 <= #|X|%:R :> R.
  by rewrite ler1n; apply/card_gt0P; exists i.
have s_gt0 := row_sum_gt0 i; have s_ge1 := row_sum_ge1 i.
have [<-|ik] := eqVneq i k.
  rewrite /corner one distrC ger0_norm; last by rewrite subr_ge0 ler_pdivr_mulr ?mul1r.
  have -> : 1 - 1 / row_sum i = (row_sum i - 1) / row_sum i by rewrite mulrBl divff // gt_eqF.
  rewrite ler_pdivr_mulr // -[leLHS]mulr1 ler_pmul // ?subr_ge0 ?ler01 //.
  have -> : #|X|%:R * a = \sum_(k : X) a by rewrite sumr_const mulr_natl.
  rewrite /row_sum (bigD1 i) //= one addrAC subrr add0r [X in _ <= X](bigD1 i) //= ler_paddl //.
  by apply: ler_sum => j ji; rewrite off_diagonal // eq_sym.
rewrite subr0 ger0_norm; last by rewrite divr_ge0 // ltW.
rewrite ler_pdivr_mulr //; apply: le_trans (off_diagonal ik) _.
by apply: le_trans (ler_pemull a_ge0 n_ge1) _; rewrite ler_pemulr // mulr_ge0 // ler0n.
Qed.

Theorem region_near q : 0 <= a -> distribution q ->
  exists q', [/\ regular Phi q', distribution q' & forall k, `|q' k - q k| <= #|X|%:R * a].
Proof.
move=> a_ge0 [q_ge0 q_sum]; exists (mixture_of_corners q); split=> [||k].
- by apply/regular_proposition4; exists q.
- split=> [k|]; last by rewrite gamma_sum.
  by apply: sumr_ge0 => i _; rewrite mulr_ge0 //; case: (corner_distribution i).
rewrite -(sum_pick q k) -sumrB; apply: le_trans (ler_norm_sum _ _ _) _.
have -> : #|X|%:R * a = \sum_i q i * (#|X|%:R * a) by rewrite -mulr_suml q_sum mul1r.
apply: ler_sum => i _.
by rewrite -mulrBr normrM ger0_norm // ler_wpmul2l // corner_near.
Qed.

End Region.

(* ---- On a graph ---- *)
Section Graph.
Variables (R : realFieldType) (p : nat) (adjacent : rel 'I_p) (a : R).
Hypotheses (adjacent_sym : symmetric adjacent) (a_gt0 : 0 < a) (a_lt1 : a < 1).
Local Notation Phi := (graph_phi adjacent a).
Implicit Types q : 'I_p -> R.

Lemma graph_phi_le i k : i != k -> Phi i k <= a.
Proof.
move=> ik; rewrite /graph_phi; case: ifP => [ij|_]; last exact: ltW.
have [_] := connected_distance ij; case: (distance adjacent i k) => [/eqP e|n _]; first by rewrite e eqxx in ik.
by rewrite -{2}[a]expr1 ler_wiexpn2l // ltW.
Qed.

(* Definition 4: symmetric, 1 on the diagonal, less than 1 elsewhere, and the triangle inequality. *)
Theorem graph_constraint_matrix : constraint_matrix Phi.
Proof.
split=> [i k|i k|i|i k /graph_phi_le|i j k].
- by apply: graph_phi_ge0; exact: ltW.
- exact: graph_phi_sym.
- exact: graph_phi1.
- by move/le_lt_trans; apply.
rewrite {1 2}/graph_phi; case: ifP => [ij|_]; last by rewrite mul0r graph_phi_ge0 // ltW.
case: ifP => [jk|_]; last by rewrite mulr0 graph_phi_ge0 // ltW.
rewrite /graph_phi (connect_trans ij jk) -exprD ler_wiexpn2l // ?(ltW a_gt0) ?(ltW a_lt1) //.
have [_ w] := connected_distance ij; have [_ w'] := connected_distance jk.
exact/distance_min/(walk_cat w w').
Qed.

(* As a tends to 0, epsilon to infinity, Phi tends to the identity matrix. *)
Theorem graph_phi_near i k : `|Phi i k - (i == k)%:R| <= a.
Proof.
have [<-|ik] := eqVneq i k; first by rewrite graph_phi1 subrr normr0 ltW.
by rewrite subr0 ger0_norm ?graph_phi_le // graph_phi_ge0 // ltW.
Qed.

(* Proposition 2, in the paper's words: a^-1 is e^epsilon. *)
Theorem graph_proposition2 q i j : regular Phi q -> connect adjacent i j -> q i <= a^-1 ^+ distance adjacent i j * q j.
Proof.
move=> q_reg ij; have := regular_proposition2 graph_constraint_matrix i j q_reg.
by rewrite /graph_phi ij exprVn ler_pdivl_mull ?exprn_gt0.
Qed.

(* Proposition 3. *)
Theorem graph_proposition3 q i : connected adjacent -> regular Phi q -> distribution q ->
  0 < q i /\ (\sum_j a^-1 ^+ distance adjacent i j)^-1 <= q i <= (\sum_j a ^+ distance adjacent i j)^-1.
Proof.
move=> conn q_reg q_dist; have PhiE k : Phi i k = a ^+ distance adjacent i k by rewrite /graph_phi conn.
have [k|q_gt0] := regular_proposition3 graph_constraint_matrix (i := i) _ q_reg q_dist; first by rewrite PhiE exprn_gt0.
by under eq_bigr => k _ do rewrite PhiE -exprVn; under [in X in _ && X]eq_bigr => k _ do rewrite PhiE.
Qed.

(* All regular priors have full support on connected graphs, and on no others. *)
Theorem full_support_iff : (forall q i, regular Phi q -> distribution q -> 0 < q i) <-> connected adjacent.
Proof.
have PhiP := graph_constraint_matrix; split=> [full i k|conn q i q_reg q_dist].
  have := full _ k (corner_regular PhiP i) (corner_distribution PhiP i).
  by rewrite /corner /graph_phi; case: ifP => // _; rewrite mul0r ltxx.
by have [] := graph_proposition3 i conn q_reg q_dist.
Qed.

Theorem graph_corner_near i k : `|corner Phi i k - (i == k)%:R| <= p%:R * a.
Proof. by have := corner_near graph_constraint_matrix graph_phi_le i k (ltW a_gt0); rewrite card_ord. Qed.

Theorem graph_region_near q : distribution q ->
  exists q', [/\ regular Phi q', distribution q' & forall k, `|q' k - q k| <= p%:R * a].
Proof.
move=> q_dist; have [q' [q'_reg q'_dist near]] := region_near graph_constraint_matrix graph_phi_le (ltW a_gt0) q_dist.
by exists q'; split=> // k; have := near k; rewrite card_ord.
Qed.

End Graph.

(* With less privacy there are new regular priors on every graph with an edge: a corner at a has a ratio 1/a. *)
Theorem corner_not_regular (R : realFieldType) p (adjacent : rel 'I_p) (a b : R) i k : symmetric adjacent -> 0 < a -> a < b ->
  b < 1 -> adjacent i k -> i != k -> ~ regular (graph_phi adjacent b) (corner (graph_phi adjacent a) i).
Proof.
move=> adj_sym a_gt0 ab b_lt1 ik ne; have b_gt0 := lt_trans a_gt0 ab; have a_lt1 := lt_trans ab b_lt1.
have PhiP := graph_constraint_matrix adj_sym a_gt0 a_lt1.
have ci_gt0 : 0 < corner (graph_phi adjacent a) i i by rewrite /corner graph_phi1 divr_gt0 ?ltr01 ?(row_sum_gt0 PhiP).
have b_le : b <= graph_phi adjacent b i k.
  rewrite /graph_phi (connect1 ik) -{1}[b]expr1 ler_wiexpn2l ?(ltW b_gt0) ?(ltW b_lt1) //.
  exact: distance_min (walk1 ik).
move=> c_reg; have := regular_proposition2 (graph_constraint_matrix adj_sym b_gt0 b_lt1) i k c_reg.
rewrite (corner_ratio PhiP i k) ler_pmul2r // => le.
have := le_trans b_le (le_trans le (graph_phi_le adjacent a_gt0 a_lt1 ne)).
by move/(lt_le_trans ab); rewrite ltxx.
Qed.
