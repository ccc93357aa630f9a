(* SPDX-License-Identifier: MIT *)
(* Universal optimality on graphs (SPEC, section 4.14): the rules tree, cycle and star, on integers.          *)
(*                                                                                                            *)
(*   tree_argument   a tree of small degrees, the zero-one loss, and a remap of M that gives the mechanism of *)
(*                   the tree: M is universally optimal                            (tree_argumentP)           *)
(*   obstacle        the zero-one loss or the distance, and a cycle or an input with too many neighbours:     *)
(*                   no mechanism is universally optimal                           (obstacleP)                *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism PostProcessing Losses Walks Retracts Tightness Impossibility.
From ExactDP Require Import ImpossibilityDistance TreeMechanism.
From ExactDP.Checker Require Import Numbers Rows Syntax Meaning Tables Privacy Derivable GraphShape.
From ExactDP.Checker Require Import OptimalityClaims Universality.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A loss of whole numbers. *)
Definition is_table (p : nat) (L : integers) (f : nat -> nat -> nat) : bool :=
  all (fun i => let r := line_of L i in
         all (fun j => at_index r j =? scaling L * Z.of_nat (f i j))%Z (iota 0 p)) (iota 0 p).

Definition is_zero_one (p : nat) (L : integers) : bool := is_table p L (fun i j => (i != j)).
Definition is_distance (p : nat) (L : integers) (D : seq (seq nat)) : bool := is_table p L (away D).

(* q - (deg v - 1) p for the level p/q. *)
Definition tree_scales (p : nat) (near : neighbours) (a : Q) : seq Z :=
  [seq (Zpos (Qden a) - (Z.of_nat (degree_in near p v) - 1) * Qnum a)%Z | v <- iota 0 p].

Definition tree_table (p : nat) (a : Q) (D : seq (seq nat)) (zs : seq Z) : integers :=
  let x := Qnum a in let y := Zpos (Qden a) in
  formula p p (y ^ Z.of_nat p * (x + y))%Z
    (fun i v => let d := away D i v in x ^ Z.of_nat d * y ^ Z.of_nat (p - d) * nth 0 zs v)%Z.

(* What does not depend on the level. *)
Definition tree_shape (p m : nat) (near : neighbours) (L : integers) : bool :=
  let D := hops near p in
  [&& (0 < p)%N, m == p, is_simple near, are_hops near p D & is_acyclic near p D] && is_zero_one p L.

Definition tree_argument (p q m : nat) (near : neighbours) (a : Q) (L M T : integers) : bool :=
  let D := hops near p in let zs := tree_scales p near a in
  tree_shape p m near L &&
  [&& all (fun z => 0 <=? z)%Z zs, (0 <? scaling T)%Z & is_product p q p M (tree_table p a D zs) T].

Inductive shape := Cycle (inputs : seq nat) | Star (input : nat) (others : seq nat).

(* [many k]: it is known that (k - 1) a > 1 for the level a. *)
Definition obstacle_where (many : Z -> bool) (p m : nat) (near : neighbours) (L : integers) (s : shape) : bool :=
  let D := hops near p in let zero_one := is_zero_one p L in
  [&& (0 < p)%N, m == p, is_simple near, are_hops near p D & zero_one || is_distance p L D] &&
  match s with
  | Cycle c => is_cycle near p c
  | Star v hs =>
      [&& (v < p)%N, uniq hs, all (joined near v) hs, all (fun h => h < p)%N hs &
          if zero_one then many (Z.of_nat (size hs)) else (2 < size hs)%N]
  end.

Definition obstacle (p m : nat) (near : neighbours) (a : Q) (L : integers) (s : shape) : bool :=
  obstacle_where (fun k => Zpos (Qden a) <? (k - 1) * Qnum a)%Z p m near L s.

Section OptimalOnGraph.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma is_tableP p L f (l : 'M[R]_p) : represents L l -> is_table p L f -> forall i j : 'I_p, l i j = (f i j)%:R.
Proof.
move=> [L_gt0 l_L] /allP ok i j; rewrite l_L.
have /allP/(_ _ (mem_iota_ord j))/Z.eqb_eq -> := ok _ (mem_iota_ord i).
by rewrite of_ZM of_Z_nat mulrAC divff ?mul1r // gt_eqF.
Qed.

Lemma is_zero_oneP p L (l : 'M[R]_p) : represents L l -> is_zero_one p L -> l = zero_one_loss R p p.
Proof. by move=> l_L ok; apply/matrixP=> i j; rewrite (is_tableP l_L ok) mxE. Qed.

(* What is best for all priors stays so before a remap. *)
Lemma optimal_refined near p m k n a (l : 'M[R]_(p, m)) (M : 'M[R]_(p, k)) (T : 'M[R]_(p, n)) : (0 < m)%N ->
  mechanism_for near a M -> derivable M T -> universally_optimal_for near a l T -> universally_optimal_for near a l M.
Proof.
move=> m_gt0 M_mech [S S_st T_def] [_ T_opt]; split=> // w w_dist q X h X_mech.
have [g g_opt] := T_opt w w_dist q X h X_mech; have [f f_best] := best_answer w l M m_gt0.
exists f; apply: le_trans (f_best (S *m remap R g) _) _; first exact: stochastic_mul S_st (remap_stochastic R g).
by rewrite mulmxA -T_def.
Qed.

Lemma tree_tableP p near a D : is_level a -> (0 < p)%N -> is_simple near -> are_hops near p D ->
  represents (tree_table p a D (tree_scales p near a)) (tree_mechanism (@adjacent p near) (of_Q a)).
Proof.
case/andP=> /Z.ltb_lt a_gt0 _ p_gt0 simple D_ok; have [conn D_is] := are_hopsP D_ok.
split=> [|i v].
  by apply: of_Z_gt0; apply: Z.mul_pos_pos; [apply: Z.pow_pos_nonneg | ]; lia.
rewrite formula_at mxE D_is /tree_scale degreeP.
have d_p : (away D i v <= p)%N by rewrite -D_is ltnW // distance_lt.
have -> : nth 0%Z (tree_scales p near a) v = (Zpos (Qden a) - (Z.of_nat (degree_in near p v) - 1) * Qnum a)%Z.
  by rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite !(of_ZM, of_ZX, of_ZB, of_ZD) of_Z_nat /Numbers.of_Q.
set x := of_Z (Qnum a); set y := of_Z (Zpos (Qden a)); set d := away D i v in d_p *.
have x_gt0 : 0 < x by exact: of_Z_gt0.
have y_gt0 : 0 < y by exact: of_Z_pos.
have xy_neq0 : x + y != 0 by rewrite gt_eqF // addr_gt0.
have y_neq0 : y != 0 by rewrite gt_eqF.
have -> : y ^+ p = y ^+ d * y ^+ (p - d) by rewrite -exprD subnKC.
have yd_neq0 : y ^+ d != 0 by rewrite expf_neq0.
have ye_neq0 : y ^+ (p - d) != 0 by rewrite expf_neq0.
have one_neq0 : 1 + x / y != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 ?divr_gt0.
rewrite expr_div_n; move: (y ^+ d) (y ^+ (p - d)) (x ^+ d) yd_neq0 ye_neq0 => u v' w u_neq0 v_neq0.
have -> : 1 + x / y = (x + y) / y by rewrite mulrDl divff // addrC.
have -> : 1 - ((degree_in near p v)%:R - 1) * (x / y) = (y - ((degree_in near p v)%:R - of_Z 1) * x) / y.
  by rewrite of_Z1; move: (_%:R) => g; by_field R; apply/eqP.
by move: (y - _) => g; by_field R; do ?split; apply/eqP.
Qed.

Theorem tree_shapeP p q m near (a : R) L (l : 'M[R]_(p, m)) (X : 'M[R]_(p, q)) :
  represents L l -> 0 < a -> a < 1 -> mechanism_for near a X -> tree_shape p m near L ->
  (forall v : 'I_p, ((degree_in near p v)%:R - 1) * a <= 1) -> derivable X (tree_mechanism (@adjacent p near) a) ->
  universally_optimal_for near a l X.
Proof.
move=> + a_gt0 a_lt1 X_mech /andP[/and5P[p_gt0 /eqP m_p]]; rewrite {}m_p in l * => l_L.
move=> simple D_ok no_cycle /(is_zero_oneP l_L) -> small derived.
have [one graph] := is_simpleP p simple; have [conn _] := are_hopsP D_ok.
apply: (optimal_refined p_gt0 X_mech derived).
apply/universally_optimal_for_graph => //; apply: tree_universally_optimal => // [|v].
  by apply: is_acyclicP no_cycle _; case: graph.
by rewrite degreeP.
Qed.

Theorem tree_argumentP p q m near a L M T (l : 'M[R]_(p, m)) (X : 'M[R]_(p, q)) :
  represents L l -> represents M X -> is_level a -> mechanism_for near (of_Q a) X ->
  tree_argument p q m near a L M T -> universally_optimal_for near (of_Q a) l X.
Proof.
move=> l_L X_M a_level X_mech /andP[shape /and3P[/(all_nthP 0%Z) small /Z.ltb_lt/(of_Z_gt0 R) T_gt0 prod]].
have /andP[/and5P[p_gt0 _ simple D_ok _] _] := shape; have /andP[a_gt0 a_lt1] := is_levelP R a_level.
have [S S_T] : exists S : 'M[R]_(q, p), represents T S.
  exists (\matrix_(i, j) (of_Z (at_index (line_of T i) j) / of_Z (scaling T))).
  by split=> // i j; rewrite mxE.
have [S_st T_def] := is_productP X_M (tree_tableP a_level p_gt0 simple D_ok) S_T prod.
apply: tree_shapeP l_L a_gt0 a_lt1 X_mech shape _ _; last by exists S.
move=> v; have := small v; rewrite size_map size_iota => /(_ (ltn_ord v)).
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n => /Z.leb_le ge0.
rewrite /Numbers.of_Q mulrA ler_pdivr_mulr ?of_Z_pos // mul1r -of_Z_nat -(of_Z1 R).
by rewrite -of_ZB -of_ZM of_Z_le; apply/Z.leb_le; lia.
Qed.

Theorem obstacle_whereP (many : Z -> bool) p m near (a : R) L s (l : 'M[R]_(p, m)) : represents L l -> 0 < a -> a < 1 ->
  (forall k, many k -> 1 < (of_Z k - 1) * a) -> obstacle_where many p m near L s ->
  forall k (M : 'M[R]_(p, k)), ~ universally_optimal_for near a l M.
Proof.
move=> + a_gt0 a_lt1 manyP /andP[/and5P[p_gt0 /eqP m_p]]; rewrite {}m_p in l * => l_L.
move=> simple D_ok which shown k M; have [one graph] := is_simpleP p simple; have [conn D_is] := are_hopsP D_ok.
move/(universally_optimal_for_graph _ _ _ p_gt0 one) => M_opt.
have [zero_one|other] := boolP (is_zero_one p L).
  rewrite (is_zero_oneP l_L zero_one) in M_opt; rewrite zero_one in shown.
  case: s shown => [c /is_cycleP|v hs]; first by apply; exact: zero_one_acyclic M_opt.
  case/and5P=> v_p hs_uniq hs_near hs_p /manyP many_hs.
  have := zero_one_degree graph conn a_gt0 a_lt1 M_opt (Ordinal v_p); apply/negP; rewrite -ltNge.
  have := @many_neighbours p near (Ordinal v_p) hs hs_uniq hs_near hs_p; move: (degree _ _) => d le_d.
  by apply: lt_le_trans many_hs _; rewrite ler_pmul2r // of_Z_nat ler_add2r ler_nat.
rewrite (negPf other) /= in which shown.
have l_is : l = distance_loss R (@adjacent p near).
  by apply/matrixP=> i j; rewrite (is_tableP l_L which) mxE D_is.
rewrite l_is in M_opt.
case: s shown => [c /is_cycleP|v hs]; first by apply; exact: distance_acyclic M_opt.
case/and5P=> v_p hs_uniq hs_near hs_p many_hs.
have := distance_degree graph conn a_gt0 a_lt1 M_opt (Ordinal v_p); apply/negP; rewrite -ltnNge.
exact: leq_trans many_hs (@many_neighbours p near (Ordinal v_p) hs hs_uniq hs_near hs_p).
Qed.

Theorem obstacleP p m near a L s (l : 'M[R]_(p, m)) : represents L l -> is_level a -> obstacle p m near a L s ->
  forall k (M : 'M[R]_(p, k)), ~ universally_optimal_for near (of_Q a) l M.
Proof.
move=> l_L /(is_levelP R)/andP[a_gt0 a_lt1]; apply: obstacle_whereP => // k /Z.ltb_lt many.
rewrite /Numbers.of_Q mulrA ltr_pdivl_mulr ?of_Z_pos // mul1r -(of_Z1 R) -of_ZB -of_ZM of_Z_lt.
exact/Z.ltb_lt.
Qed.

End OptimalOnGraph.
