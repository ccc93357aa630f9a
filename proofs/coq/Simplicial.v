(* SPDX-License-Identifier: MIT *)
(* The posteriors that a metric allows on three or more inputs do not form a simplex.                         *)
(*                                                                                                            *)
(*   metric_level   e i j = exp (- d i j) for a metric d                                                      *)
(*   essential i j  no third input lies between i and j, so v_i >= e_ij v_j is needed: [face_point]           *)
(*   not_simplicial the vertices are linearly dependent                                                       *)
(*                                                                                                            *)
(* Proof.  Suppose they are independent.  Then an essential inequality is tight at all vertices but one, and  *)
(* different ones at different vertices.  Some input j has two essential neighbours i and k; but the four     *)
(* functions v_i - a v_j, v_j - a v_i, v_j - b v_k, v_k - b v_j are linearly dependent.                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField MatrixGame Refinement Rays ExtremeRays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Simplicial.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).
Add Field R_field : (field_theory_of R).

(* e(i,j) = exp(-d(i,j)) for a metric d with finite distances: 1 for i = j, otherwise 0 < e < 1; symmetric; triangle inequality. *)
Definition metric_level := [/\ forall i, e i i = 1, forall i j, 0 < e i j, forall i j, i != j -> e i j < 1,
  forall i j, e i j = e j i & forall i j k, e i j * e j k <= e i k].

Hypothesis e_metric : metric_level.

Lemma e_refl i : e i i = 1. Proof. by case: e_metric. Qed.

Lemma e_gt0 i j : 0 < e i j. Proof. by case: e_metric. Qed.

Lemma e_lt1 i j : i != j -> e i j < 1. Proof. by case: e_metric => _ _ + _ _; apply. Qed.

Lemma e_sym i j : e i j = e j i. Proof. by case: e_metric. Qed.

Lemma e_triangle i j k : e i j * e j k <= e i k. Proof. by case: e_metric. Qed.

Lemma e_back i j : i != j -> e i j * e j i < 1.
Proof. by move=> ij; rewrite [e j i]e_sym mulr_ilt1 ?e_lt1 // ltW ?e_gt0. Qed.

(* i and j are different, and no third input is between them: d(i,j) < d(i,k) + d(k,j) for every k other than i and j. *)
Definition essential i j := i != j /\ forall k, k != i -> k != j -> e i k * e k j < e i j.

Lemma essential_sym i j : essential i j -> essential j i.
Proof.
by move=> [ij none]; split=> [|k kj ki]; rewrite 1?eq_sym // [e j k]e_sym [e k i]e_sym [e j i]e_sym mulrC none.
Qed.

(* By how much v satisfies the constraint v_i >= e(i,j) v_j of the pair (i, j): v_i - e(i,j) v_j. *)
Definition slack i j (v : 'I_p -> R) : R := v i - e i j * v j.

(* Private vectors for which one essential inequality is tight, and all others are not. *)
Lemma face_point i j : essential i j -> exists w, [/\ private_vector e w, slack i j w = 0 &
  forall x y, x != y -> (x, y) != (i, j) -> 0 < slack x y w].
Proof.
move=> [ij none]; pose c x z : R := Num.max (e z j) (e i j / e i x * e z x).
have ratio_gt0 x : 0 < e i j / e i x by rewrite divr_gt0 ?e_gt0.
have c_le x y z : e y z * c x z <= c x y.
  rewrite /c (maxr_pmulr _ _ (ltW (e_gt0 y z))) le_maxl !le_maxr e_triangle /=; apply/orP; right.
  by rewrite mulrCA ler_wpmul2l ?e_triangle // ltW.
have c_i x : c x i = e i j by rewrite /c divfK ?gt_eqF ?e_gt0 // maxxx.
have c_j x : c x j = 1.
  by rewrite /c e_refl; apply/max_idPl; rewrite mulrAC ler_pdivr_mulr ?e_gt0 // mul1r e_triangle.
have cj z : c j z = e z j by rewrite /c divff ?gt_eqF ?e_gt0 // mul1r maxxx.
exists (fun z => \sum_x c x z); split.
- split=> [z|y z]; last by rewrite mulr_sumr; apply: ler_sum => x _; exact: c_le.
  by apply: sumr_ge0 => x _; rewrite /c le_maxr ltW ?e_gt0.
- rewrite /slack mulr_sumr; under eq_bigr => x _ do rewrite c_i.
  by under [X in _ - X]eq_bigr => x _ do rewrite c_j mulr1; rewrite subrr.
move=> x y xy not_ij; rewrite /slack subr_gt0 mulr_sumr.
suff [z strict] : exists z, e x y * c z y < c z x.
  by rewrite (bigD1 z) //= [ltRHS](bigD1 z) //= ltr_le_add // ler_sum.
have [xi|x_neq_i] := eqVneq x i.
  exists j; rewrite !cj xi; apply: none; first by rewrite eq_sym -xi.
  by apply: contraNneq not_ij => ->; rewrite xi.
have [xj|x_neq_j] := eqVneq x j.
  by exists j; rewrite !cj xj e_refl e_back // -xj.
exists x; apply: (@lt_le_trans _ _ (e i j / e i x)); last by rewrite /c e_refl mulr1 le_maxr lexx orbT.
rewrite /c (maxr_pmulr _ _ (ltW (e_gt0 x y))) lt_maxl; apply/andP; split.
  by apply: le_lt_trans (e_triangle _ _ _) _; rewrite ltr_pdivl_mulr ?e_gt0 // mulrC none.
by rewrite mulrCA -[ltRHS]mulr1 ltr_pmul2l ?e_back.
Qed.

Variables (q : nat) (V : 'M[R]_(p, q)).
Hypothesis V_gens : generators e V.
Hypothesis V_ind : forall c : 'I_q -> R, (forall i, \sum_k c k * V i k = 0) -> forall k, c k = 0.

Lemma slack_ge0 i j v : private_vector e v -> 0 <= slack i j v.
Proof. by case=> _ v_le; rewrite subr_ge0 v_le. Qed.

Lemma V_private k : private_vector e (V^~ k).
Proof. by case: V_gens => /(_ k)[]. Qed.

Lemma slack_sum i j (t : 'I_q -> R) v : (forall z, v z = \sum_k t k * V z k) ->
  slack i j v = \sum_k t k * slack i j (V^~ k).
Proof.
move=> v_def; rewrite /slack !v_def mulr_sumr -sumrB; apply: eq_bigr => k _.
by rewrite mulrBr mulrCA.
Qed.

(* The weight of a vertex off the face in a vector on it. *)
Lemma face_weight i j (t : 'I_q -> R) w k : (forall l, 0 <= t l) -> (forall z, w z = \sum_l t l * V z l) ->
  slack i j w = 0 -> 0 < slack i j (V^~ k) -> t k = 0.
Proof.
move=> t_ge0 w_def; rewrite (slack_sum i j w_def) => sum0 k_gt0.
have term_ge0 l : true -> 0 <= t l * slack i j (V^~ l) by rewrite mulr_ge0 ?slack_ge0 //; exact: V_private.
have /eqP := @psumr_eq0P _ _ xpredT _ term_ge0 sum0 k isT.
by rewrite mulf_eq0 [X in _ || X]gt_eqF // orbF => /eqP.
Qed.

(* Only one vertex is off an essential face. *)
Lemma face_unique i j k k' : essential i j -> 0 < slack i j (V^~ k) -> 0 < slack i j (V^~ k') -> k = k'.
Proof.
move=> ij_ess k_gt0 k'_gt0; apply/eqP; apply: contraT => kk'; have [ij _] := ij_ess.
have [w [w_priv w_face w_strict]] := face_point ij_ess.
have [_ _ V_gen _] := V_gens; have [t t_ge0 w_def] := V_gen w w_priv.
have tk'0 := face_weight t_ge0 w_def w_face k'_gt0.
pose strict (xy : 'I_p * 'I_p) := (xy.1 != xy.2) && (xy != (i, j)).
pose drop (xy : 'I_p * 'I_p) := slack xy.1 xy.2 (V^~ k') / slack i j (V^~ k').
have drop_ge0 xy : 0 <= drop xy by rewrite divr_ge0 ?(ltW k'_gt0) ?slack_ge0 //; exact: V_private.
have [|s s_gt0 s_le] := @positive_bound _ _ (fun xy => if strict xy then slack xy.1 xy.2 w / (1 + drop xy) else 1).
  move=> [y z] /=; case: ifP => [/andP[/= yz not_ij]|_]; last exact: ltr01.
  by apply: divr_gt0; [exact: w_strict | rewrite ltr_paddr ?ltr01].
pose x z := w z + s * (V z k / slack i j (V^~ k) - V z k' / slack i j (V^~ k')).
have slack_x y z : slack y z x = slack y z w + s * (slack y z (V^~ k) / slack i j (V^~ k) - drop (y, z)).
  by rewrite /x /drop /slack /=; move: (_^-1) (_^-1) => m m'; by_ring R.
have x_slack y z : 0 <= slack y z x.
  have [->|yz] := eqVneq y z; first by rewrite /slack e_refl mul1r subrr.
  rewrite slack_x; have [[-> ->]|not_ij] := eqVneq (y, z) (i, j).
    by rewrite w_face /drop /= !divff ?gt_eqF // subrr mulr0 addr0.
  have := s_le (y, z); rewrite /strict yz not_ij /= ler_pdivl_mulr ?ltr_paddr ?ltr01 // => s_small.
  have gain_ge0 : 0 <= slack y z (V^~ k) / slack i j (V^~ k).
    by rewrite divr_ge0 ?(ltW k_gt0) ?slack_ge0 //; exact: V_private.
  rewrite mulrBr addrCA; apply: addr_ge0; first by rewrite mulr_ge0 // ltW.
  by rewrite subr_ge0; apply: le_trans s_small; rewrite ler_pmul2l // ler_addr ler01.
have x_priv : private_vector e x.
  split=> [y|y z]; last by rewrite -subr_ge0; exact: x_slack.
  have [z yz] : exists z, y != z by have [->|yi] := eqVneq y i; [exists j | exists i].
  have le1 : e y z * x z <= x y by rewrite -subr_ge0; exact: x_slack.
  have le2 : e z y * x y <= x z by rewrite -subr_ge0; exact: x_slack.
  have : 0 <= (1 - e y z * e z y) * x y.
    rewrite mulrBl mul1r subr_ge0 -mulrA; apply: le_trans le1.
    by apply: ler_wpmul2l => //; exact: ltW (e_gt0 y z).
  by rewrite pmulr_rge0 // subr_gt0 e_back.
have [u u_ge0 x_def] := V_gen x x_priv.
have coefficient := V_ind (c := fun l => t l + s * ((l == k)%:R / slack i j (V^~ k) - (l == k')%:R / slack i j (V^~ k')) - u l).
have /coefficient/(_ k') : forall z, \sum_l (t l +
    s * ((l == k)%:R / slack i j (V^~ k) - (l == k')%:R / slack i j (V^~ k')) - u l) * V z l = 0.
  move=> z; pose m := (slack i j (V^~ k))^-1; pose m' := (slack i j (V^~ k'))^-1.
  have split_term l : (t l + s * ((l == k)%:R * m - (l == k')%:R * m') - u l) * V z l =
      t l * V z l - u l * V z l + (s * m * (V z l * (l == k)%:R) - s * m' * (V z l * (l == k')%:R)).
    by move: ((l == k)%:R : R) ((l == k')%:R : R) m m' => b b' y y'; by_ring R.
  under eq_bigr => l _ do rewrite split_term.
  rewrite big_split /= !sumrB -!mulr_sumr !sum_pick -w_def -x_def /x -/m -/m'.
  by by_ring R.
rewrite tk'0 eqxx eq_sym (negPf kk') mul0r sub0r add0r div1r => /eqP.
rewrite subr_eq0 => /eqP uk'; have := u_ge0 k'; rewrite -uk' mulrN oppr_ge0 leNgt mulr_gt0 //.
by rewrite invr_gt0.
Qed.

(* There is one, and on it all other essential faces meet. *)
Lemma face_apex i j : essential i j -> exists k, 0 < slack i j (V^~ k) /\
  forall x y, essential x y -> (x, y) != (i, j) -> slack x y (V^~ k) = 0.
Proof.
move=> ij_ess; have [ij _] := ij_ess; have [_ _ V_gen _] := V_gens.
have [k k_gt0] : exists k, 0 < slack i j (V^~ k).
  have [|t t_ge0 t_def] := V_gen (e^~ i).
    by split=> [z|y z]; [exact: ltW (e_gt0 z i) | exact: e_triangle].
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP none.
  have : 0 < slack i j (e^~ i) by rewrite /slack e_refl subr_gt0 e_back.
  rewrite (slack_sum i j t_def) big1 ?ltxx // => k _.
  suff -> : slack i j (V^~ k) = 0 by rewrite mulr0.
  by apply/eqP; rewrite eq_le slack_ge0 ?andbT; [rewrite leNgt none | exact: V_private].
exists k; split=> // x y xy_ess not_ij; have [xy _] := xy_ess.
have [w [w_priv w_face w_strict]] := face_point ij_ess; have [t t_ge0 w_def] := V_gen w w_priv.
have tk0 := face_weight t_ge0 w_def w_face k_gt0.
have : 0 < slack x y w by exact: w_strict.
rewrite (slack_sum x y w_def) => sum_gt0.
have [l l_gt0] : exists l, 0 < t l * slack x y (V^~ l).
  apply/existsP; apply: contraLR sum_gt0; rewrite negb_exists => /forallP none.
  by rewrite -leNgt; rewrite -oppr_ge0 -sumrN; apply: sumr_ge0 => l _; rewrite oppr_ge0 leNgt none.
have l_neq_k : l != k by apply: contraTneq l_gt0 => ->; rewrite tk0 mul0r ltxx.
have xy_l : 0 < slack x y (V^~ l).
  rewrite lt_neqAle slack_ge0 ?andbT; last exact: V_private.
  by apply: contraTneq l_gt0 => <-; rewrite mulr0 ltxx.
apply/eqP; rewrite eq_le slack_ge0 ?andbT; last exact: V_private.
by rewrite leNgt; apply: contra l_neq_k => xy_k; rewrite (face_unique xy_ess xy_l xy_k).
Qed.

(* A nearest pair is essential, also one between a set of two inputs and the rest. *)
Lemma two_neighbours : (2 < p)%N -> exists i j k, [/\ i != k, essential i j & essential j k].
Proof.
move=> p_gt2; have p_gt0 : (0 < p)%N by exact: leq_trans p_gt2.
pose i0 := Ordinal p_gt0.
have [j1 j1_i0] : exists j, j != i0.
  by exists (Ordinal (leq_trans (isT : (1 < 3)%N) p_gt2)).
case: (@arg_maxP _ _ _ j1 (fun j => j != i0) (e i0) j1_i0) => j0 j0_i0 j0_max.
have e_less x y z : x != y -> e x y * e y z < e y z by move=> xy; rewrite gtr_pmull ?e_gt0 // e_lt1.
have e_less' x y z : y != z -> e x y * e y z < e x y by move=> yz; rewrite gtr_pmulr ?e_gt0 // e_lt1.
have ess0 : essential i0 j0.
  split=> [|k k_i0 k_j0]; first by rewrite eq_sym.
  by apply: lt_le_trans (j0_max k k_i0); exact: e_less'.
pose S := [pred x | (x == i0) || (x == j0)].
have [z0 z0_S] : exists z, ~~ S z.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP all_S.
  have : (#|'I_p| <= #|[set i0; j0]|)%N.
    by rewrite -cardsT; apply/subset_leq_card/subsetP => z _; rewrite !inE; have := all_S z; rewrite negbK.
  by rewrite card_ord cards2 leqNgt (leq_trans _ p_gt2) // ltnS; case: (_ != _).
pose cross (xy : 'I_p * 'I_p) := ~~ S xy.1 && S xy.2.
have cross0 : cross (z0, i0) by rewrite /cross /= z0_S.
case: (@arg_maxP _ _ _ (z0, i0) cross (fun xy => e xy.1 xy.2) cross0) => -[x y] /andP[/= x_S y_S] xy_max.
have xy : x != y by apply: contraNneq x_S => ->.
have ess1 : essential x y.
  split=> // k k_x k_y; have [k_S|k_S] := boolP (S k).
    by apply: lt_le_trans (xy_max (x, k) _); [exact: e_less' | rewrite /cross /= x_S].
  by apply: lt_le_trans (xy_max (k, y) _); [rewrite e_less // eq_sym | rewrite /cross /= k_S].
move: x_S; rewrite /= negb_or => /andP[x_i0 x_j0].
case/orP: y_S => /eqP y_def; rewrite y_def in ess1.
  by exists x, i0, j0; split=> //.
by exists x, j0, i0; split=> //; exact: essential_sym.
Qed.

Theorem independent_few : (p <= 2)%N.
Proof.
rewrite leqNgt; apply/negP => /two_neighbours[i [j [k [ik ij_ess jk_ess]]]].
have ji_ess := essential_sym ij_ess; have kj_ess := essential_sym jk_ess.
have [ij _] := ij_ess; have [jk _] := jk_ess.
have [l [l_gt0 l_zero]] := face_apex ij_ess.
have ji0 : slack j i (V^~ l) = 0 by apply: l_zero => //; rewrite xpair_eqE negb_and eq_sym ij.
have jk0 : slack j k (V^~ l) = 0 by apply: l_zero => //; rewrite xpair_eqE negb_and eq_sym ij.
have kj0 : slack k j (V^~ l) = 0 by apply: l_zero => //; rewrite xpair_eqE negb_and eq_sym ik.
move: l_gt0; rewrite lt_neqAle => /andP[/eqP neq0 _]; case: neq0.
have : (1 - e i j ^+ 2) * (slack j k (V^~ l) + e j k * slack k j (V^~ l)) =
       (1 - e j k ^+ 2) * (slack j i (V^~ l) + e i j * slack i j (V^~ l)).
  by rewrite /slack [e j i]e_sym [e k j]e_sym; by_ring R.
rewrite jk0 kj0 ji0 mulr0 addr0 mulr0 add0r => /esym/eqP; rewrite !mulf_eq0 (gt_eqF (e_gt0 i j)) /=.
rewrite gt_eqF ?subr_gt0 ?expr_lt1 ?e_lt1 ?ltW ?e_gt0 //= => /eqP ->.
by [].
Qed.

End Simplicial.
