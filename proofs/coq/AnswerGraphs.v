(* SPDX-License-Identifier: MIT *)
(* Which queries have a universally optimal mechanism: every reading of Brenner and Nissim's theorem that     *)
(* ElSalamouny and others (Sections 1, 2.2, 6, 7) and the foundations lecture (exercise 8) give of it.        *)
(*                                                                                                            *)
(*   query_graph f       the adjacency of the answers of a query f on databases V^u (Definition 3)            *)
(*   query_graph_simple, query_graph_connected     such graphs are simple and connected                       *)
(*   query_zero_one_iff  guessing right, at one level: a tree with (deg - 1) a <= 1                           *)
(*   query_above_half_iff      guessing right, at one level above 1/2: a path                                *)
(*   query_every_level_iff     guessing right, at every level: a path                                         *)
(*   query_distance_iff        small distance, at one level: a path                                           *)
(*   query_monotone_iff        one mechanism for all losses that do not fall with the distance: a path        *)
(*   counting_path       counting queries, their answers renamed, have a path                                 *)
(*   all_of_two_path, all_of_two_no_count     "do both have it?" has a path and counts nothing                *)
(*   common_value_star, common_value_iff      "which value do both have?" has no path, and a universally      *)
(*                             optimal mechanism for guessing right exactly at the levels up to 1/2           *)
(*   sum_none, counts_none     the queries of Section 6 have none, at any level, for either loss              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric Losses Universal.
From ExactDP Require Import Walks Retracts Impossibility ImpossibilityDistance Trees TreeMechanism Paths Oblivious InducedMetric Hamming.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Graphs ---- *)
Section Graphs.
Variables (R : realFieldType) (n : nat) (adjacent : rel 'I_n.+1).
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent).

(* The loss of a guess does not fall when its distance from the input grows. *)
Definition monotone_on (l : 'M[R]_n.+1) :=
  forall i r s, (distance adjacent i r <= distance adjacent i s)%N -> l i r <= l i s.

Lemma half_level : 0 < (2%:R^-1 : R) /\ (2%:R^-1 : R) < 1.
Proof. by rewrite invr_gt0 ltr0n invf_lt1 ?ltr0n // ltr1n. Qed.

Lemma path_tree : on_a_line adjacent <-> acyclic adjacent /\ forall v, (degree adjacent v <= 2)%N.
Proof.
have [h_gt0 h_lt1] := half_level; split=> [line|[no_cycle degrees]]; last exact: tree_on_a_line.
have [k [M M_opt]] := (distance_optimal_iff graph conn h_gt0 h_lt1).2 line.
by split=> [|v]; [exact: distance_acyclic M_opt | exact: distance_degree M_opt v].
Qed.

Theorem every_level_iff :
  (forall a : R, 0 < a -> a < 1 -> exists k (M : 'M[R]_(n.+1, k)),
    universally_optimal_on adjacent a (zero_one_loss R n.+1 n.+1) M) <-> on_a_line adjacent.
Proof.
split=> [all | /path_tree[no_cycle degrees] a a_gt0 a_lt1].
  have level a := universally_optimal_iff (R := R) (a := a) graph conn.
  have [h_gt0 h_lt1] := half_level; have [no_cycle _] := (level _ h_gt0 h_lt1).1 (all _ h_gt0 h_lt1).
  apply/path_tree; split=> // v; rewrite leqNgt; apply/negP => deg_v.
  have t_gt0 : 0 < 2%:R / 3%:R :> R by rewrite divr_gt0 ?ltr0n.
  have t_lt1 : 2%:R / 3%:R < 1 :> R by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
  have [_ /(_ v)] := (level _ t_gt0 t_lt1).1 (all _ t_gt0 t_lt1); apply/negP; rewrite -ltNge.
  have deg2 : 2%:R <= (degree adjacent v)%:R - 1 :> R by rewrite ler_subr_addr -(natrD _ 2 1) ler_nat.
  rewrite mulrA ltr_pdivl_mulr ?ltr0n // mul1r; apply: lt_le_trans (_ : 2%:R * 2%:R <= _).
    by rewrite -natrM ltr_nat.
  by rewrite ler_pmul2r ?ltr0n.
apply/(universally_optimal_iff graph conn a_gt0 a_lt1); split=> // v.
apply: le_trans (ltW a_lt1); rewrite ler_pimull ?(ltW a_gt0) // ler_subl_addr -(natrD _ 1 1) ler_nat.
exact: degrees.
Qed.

(* Above 1/2 no answer of such a tree has three neighbours. *)
Theorem above_half_iff (a : R) : 1 < 2%:R * a -> a < 1 ->
  (exists k (M : 'M[R]_(n.+1, k)), universally_optimal_on adjacent a (zero_one_loss R n.+1 n.+1) M) <-> on_a_line adjacent.
Proof.
move=> a_gt a_lt1; have a_gt0 : 0 < a by rewrite -(pmulr_rgt0 _ (_ : 0 < 2%:R)) ?ltr0n // (lt_trans ltr01).
split=> [/(universally_optimal_iff graph conn a_gt0 a_lt1)[no_cycle degrees] | line]; last exact: every_level_iff.2.
apply/path_tree; split=> // v; rewrite leqNgt; apply/negP => deg_v; have := degrees v; apply/negP; rewrite -ltNge.
apply: lt_le_trans a_gt _; rewrite ler_pmul2r // ler_subr_addr -(natrD _ 2 1) ler_nat.
exact: deg_v.
Qed.

(* On a path the geometric mechanism, in its order, serves all monotone losses at once. *)
Theorem line_monotone_optimal (a : R) f : 0 < a -> a < 1 -> bijective f -> (forall i j, adjacent i j = line (f i) (f j)) ->
  forall l, monotone_on l -> universally_optimal_on adjacent a l (pull f (geometric n a)).
Proof.
move=> a_gt0 a_lt1 [g fK gK] f_line l l_mono.
have G_st := geometric_stochastic n a_gt0 a_lt1; have G_priv := geometric_private (n := n) a_gt0 a_lt1.
split=> [||w w_ge0]; first exact: pull_stochastic.
  by apply: pull_private => // i j; rewrite f_line; right.
pose l' : 'M[R]_n.+1 := \matrix_(i, r) l (g i) (g r).
have l'_mono : monotone_loss l'.
  move=> i r s rs; rewrite !mxE; apply: l_mono.
  by rewrite !(line_distance conn fK gK f_line) !gK.
have [T _ T_best] := universal_optimality_monotone a_gt0 a_lt1 l'_mono (fun i => w_ge0 (g i)).
exists (fun y => g (T y)) => X [X_ge0 X_sum1] X_priv.
pose Y : 'M[R]_n.+1 := \matrix_(i, r) X (g i) (g r).
have reorder (F : 'I_n.+1 -> R) : \sum_i F i = \sum_i F (g i) by rewrite (reindex g) //; apply: onW_bij; exists f.
have -> : bayes_loss w l X = bayes_loss (fun i => w (g i)) l' Y.
  rewrite /bayes_loss reorder; apply: eq_bigr => i _; congr (_ * _); rewrite /loss_at reorder.
  by apply: eq_bigr => r _; rewrite !mxE.
have Y_priv : private a Y by move=> i j r ij; rewrite !mxE; apply: X_priv; rewrite f_line !gK.
have Y_st : stochastic Y.
  split=> [i r|i]; first by rewrite mxE.
  by rewrite -[RHS](X_sum1 (g i)) [RHS]reorder; apply: eq_bigr => r _; rewrite mxE.
apply: le_trans (T_best Y Y_st Y_priv).
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /bayes_loss reorder; apply: eq_bigr => i _.
by congr (_ * _); rewrite !loss_remap; apply: eq_bigr => r _; rewrite !mxE !gK.
Qed.

Theorem monotone_optimal_iff (a : R) : 0 < a -> a < 1 ->
  (exists k (M : 'M[R]_(n.+1, k)), forall l, monotone_on l -> universally_optimal_on adjacent a l M) <-> on_a_line adjacent.
Proof.
move=> a_gt0 a_lt1; split=> [[k [M M_opt]] | [f f_bij f_line]]; last first.
  by exists n.+1, (pull f (geometric n a)); exact: line_monotone_optimal.
apply/(distance_optimal_iff graph conn a_gt0 a_lt1); exists k, M; apply: M_opt => i r s rs.
by rewrite !mxE ler_nat.
Qed.

(* Three answers that are pairwise adjacent. *)
Theorem triangle_none (a : R) i j h k (M : 'M[R]_(n.+1, k)) : 0 < a -> a < 1 ->
  adjacent i j -> adjacent j h -> adjacent h i ->
  ~ universally_optimal_on adjacent a (zero_one_loss R n.+1 n.+1) M /\
  ~ universally_optimal_on adjacent a (distance_loss R adjacent) M.
Proof.
move=> a_gt0 a_lt1 ij jh hi; have different x y : adjacent x y -> x != y.
  by move=> xy; apply: contraTneq xy => ->; rewrite (proj2 graph).
have cycle : ucycle adjacent [:: i; j; h].
  rewrite /ucycle /= ij jh hi /= !inE negb_or (different i j) //= (different j h) //= eq_sym (different h i) //.
by split=> M_opt; [have no := zero_one_acyclic graph conn a_gt0 a_lt1 M_opt | have no := distance_acyclic graph conn a_gt0 a_lt1 M_opt];
  have := no _ cycle.
Qed.

End Graphs.

(* ---- Queries ---- *)
(* f has the answers 'I_n.+1, and every answer is one of some database. *)
Section Queries.
Variables (V : finType) (u n : nat).
Local Notation database := {ffun 'I_u -> V}.
Variable f : database -> 'I_n.+1.

(* Definition 3: two different answers are adjacent when adjacent databases have them. *)
Definition answer_graph : rel 'I_n.+1 :=
  fun i h => (i != h) && [exists d, exists d', [&& f d == i, f d' == h & one_record d d']].

Lemma answer_graphP i h : reflect (i <> h /\ exists d d', [/\ f d = i, f d' = h & one_record d d']) (answer_graph i h).
Proof.
apply: (iffP andP) => [[/eqP ih /existsP[d /existsP[d' /and3P[/eqP di /eqP d'h dd']]]]|[/eqP ih [d [d' [di d'h dd']]]]].
  by split=> //; exists d, d'.
by split=> //; apply/existsP; exists d; apply/existsP; exists d'; rewrite di d'h dd' !eqxx.
Qed.

Theorem answer_graph_simple : simple_graph answer_graph.
Proof.
have sub i h : answer_graph i h -> answer_graph h i.
  case/answer_graphP=> ih [d [d' [di d'h dd']]]; apply/answer_graphP; split; first by move/esym.
  by exists d', d; split=> //; rewrite /one_record hamming_sym.
by split=> [i h|i]; [apply/idP/idP; exact: sub | rewrite /answer_graph eqxx].
Qed.

Hypothesis f_onto : forall i, exists d, f d = i.

Theorem answer_graph_connected : connected answer_graph.
Proof.
move=> i h; have [d <-] := f_onto i; have [d' <-] := f_onto h.
move En: (hamming d d') => m; elim: m d En => [|m IHm] d; first by move/hamming_eq0->; exact: connect0.
case/hamming_step=> e de /IHm; apply: connect_trans.
have [->|/eqP ne] := eqVneq (f d) (f e); first exact: connect0.
by apply/connect1/answer_graphP; split=> //; exists d, e.
Qed.

Variable R : realFieldType.
Let graph := answer_graph_simple.
Let conn := answer_graph_connected.

(* Guessing right, at one level. *)
Theorem query_zero_one_iff (a : R) : 0 < a -> a < 1 ->
  (exists k (M : 'M[R]_(n.+1, k)), universally_optimal_on answer_graph a (zero_one_loss R n.+1 n.+1) M) <->
  acyclic answer_graph /\ forall v, ((degree answer_graph v)%:R - 1) * a <= 1.
Proof. exact: (universally_optimal_iff graph conn). Qed.

(* Guessing right, at every level. *)
Theorem query_every_level_iff :
  (forall a : R, 0 < a -> a < 1 -> exists k (M : 'M[R]_(n.+1, k)),
    universally_optimal_on answer_graph a (zero_one_loss R n.+1 n.+1) M) <-> on_a_line answer_graph.
Proof. exact: (every_level_iff R graph conn). Qed.

(* Guessing right, at one level above 1/2. *)
Theorem query_above_half_iff (a : R) : 1 < 2%:R * a -> a < 1 ->
  (exists k (M : 'M[R]_(n.+1, k)), universally_optimal_on answer_graph a (zero_one_loss R n.+1 n.+1) M) <->
  on_a_line answer_graph.
Proof. exact: (above_half_iff graph conn). Qed.

(* Guessing near, at one level. *)
Theorem query_distance_iff (a : R) : 0 < a -> a < 1 ->
  (exists k (M : 'M[R]_(n.+1, k)), universally_optimal_on answer_graph a (distance_loss R answer_graph) M) <->
  on_a_line answer_graph.
Proof. exact: (distance_optimal_iff graph conn). Qed.

(* One mechanism for all gains that do not grow with the distance. *)
Theorem query_monotone_iff (a : R) : 0 < a -> a < 1 ->
  (exists k (M : 'M[R]_(n.+1, k)), forall l, monotone_on answer_graph l -> universally_optimal_on answer_graph a l M) <->
  on_a_line answer_graph.
Proof. exact: (monotone_optimal_iff graph conn). Qed.

End Queries.

(* ---- Counting queries ---- *)
(* g renames the answers of a counting query; some values have the property, some have not. *)
Theorem counting_path (V : finType) (P : pred V) n (g : 'I_n.+1 -> 'I_n.+1) :
  (exists t, P t) -> (exists t, ~~ P t) -> bijective g ->
  on_a_line (answer_graph (fun d : {ffun 'I_n -> V} => g (counting P d))).
Proof.
move=> some_with some_without g_bij; have [h gK hK] := g_bij; exists h => [|i j]; first by exists g.
apply/answer_graphP/idP => [[ij [d [d' [di d'j dd']]]] | ].
  have := counting_lipschitz P d d'; rewrite (eqP dd') -di -d'j !gK /line => lip.
  have ne : nat_of_ord (counting P d) <> counting P d'.
    by move=> E; apply: ij; rewrite -di -d'j; congr g; exact/val_inj.
  move: lip ne; rewrite /dist; set x := nat_of_ord (counting P d); set y := nat_of_ord (counting P d').
  move: x y => x y lip ne; apply/orP; case: (ltnP x y) => xy; [left | right]; apply/eqP; nat_lia.
have step (k l : 'I_n.+1) : l = k.+1 :> nat -> exists d d' : {ffun 'I_n -> V},
    [/\ counting P d = k, counting P d' = l & hamming d d' = 1%N].
  by move=> E; have [|d [d' [dk d'l ham]]] := block_path some_with some_without (i := k) (j := l);
    [rewrite E | exists d, d'; rewrite ham E subSnn].
case/orP=> /eqP E; split.
- by move=> ij; move: E; rewrite ij => /n_Sn.
- by have [d [d' [dk d'l ham]]] := step _ _ E; exists d, d'; rewrite dk d'l !hK /one_record ham.
- by move=> ij; move: E; rewrite ij => /n_Sn.
- by have [d [d' [dk d'l ham]]] := step _ _ E; exists d', d; rewrite dk d'l !hK /one_record hamming_sym ham.
Qed.

(* ---- Two bits: "do both people have the property?" ---- *)
Section AllOfTwo.
Definition all_of_two (d : {ffun 'I_2 -> bool}) : 'I_2 := inord (d ord0 && d (lift ord0 ord0)).

(* A query is derived from a counting query by a bijection when both tell the same databases apart. *)
Definition same_classes (D A B : Type) (f : D -> A) (g : D -> B) := forall d e, f d = f e <-> g d = g e.

Theorem all_of_two_path : on_a_line (answer_graph all_of_two).
Proof.
exists id => [|i j]; first by exists id.
have -> : line i j = (i != j) by case: i j => [[|[|i]] //= ?] [[|[|j]] //= ?].
rewrite /answer_graph; case: (eqVneq i j) => //= ij.
pose db (k : 'I_2) : {ffun 'I_2 -> bool} := [ffun x => (x == ord0) || (k == lift ord0 ord0)].
have f_db k : all_of_two (db k) = k.
  by apply/val_inj; rewrite /all_of_two !ffunE /= inordK; case: k => [[|[|k]] //= ?].
apply/existsP; exists (db i); apply/existsP; exists (db j); rewrite !f_db !eqxx /=.
rewrite /one_record /hamming !big_ord_recl big_ord0 !ffunE /=.
by case: i j ij => [[|[|i]] //= ?] [[|[|j]] //= ?].
Qed.

Theorem all_of_two_no_count (P : pred bool) : ~ same_classes all_of_two (counting P (n := 2)).
Proof.
move=> same.
pose none : {ffun 'I_2 -> bool} := [ffun=> false].
pose one : {ffun 'I_2 -> bool} := [ffun i => i == ord0].
pose both : {ffun 'I_2 -> bool} := [ffun=> true].
have count (d : {ffun 'I_2 -> bool}) : nat_of_ord (counting P d) = (P (d ord0) + P (d (lift ord0 ord0)))%N.
  by rewrite countingE /count_rows !big_ord_recl big_ord0 addn0.
have [/(_ _)/(congr1 (@nat_of_ord _)) E _] := same none one.
have [_ F] := same one both.
have f0 : all_of_two none = all_of_two one by rewrite /all_of_two !ffunE.
have f1 : all_of_two one <> all_of_two both.
  by move=> /(congr1 (@nat_of_ord _)); rewrite /all_of_two !ffunE /= !inordK.
have := E f0; rewrite !count !ffunE /= => E'.
apply: f1; apply: F; apply/val_inj; rewrite /= !count !ffunE /=.
by move: E'; case: (P true); case: (P false).
Qed.

Lemma all_of_two_onto i : exists d, all_of_two d = i.
Proof.
exists [ffun=> i == lift ord0 ord0]; apply/val_inj; rewrite /all_of_two !ffunE /= inordK; case: i => [[|[|i]] //= ?].
Qed.

Theorem all_of_two_optimal (R : realFieldType) (a : R) : 0 < a -> a < 1 -> exists k (M : 'M[R]_(2, k)),
  forall l, monotone_on (answer_graph all_of_two) l -> universally_optimal_on (answer_graph all_of_two) a l M.
Proof. by move=> a_gt0 a_lt1; apply/(query_monotone_iff all_of_two_onto) => //; exact: all_of_two_path. Qed.

End AllOfTwo.

(* ---- Two people, three values: "which value do both have?", and the answer 3 if there is none ---- *)
Section CommonValue.
Definition common_value (d : {ffun 'I_2 -> 'I_3}) : 'I_4 :=
  if d ord0 == d (lift ord0 ord0) then widen_ord (isT : (3 <= 4)%N) (d ord0) else ord_max.

(* Answer 3 is adjacent to the others, which are not adjacent to one another. *)
Definition star : rel 'I_4 := fun i j => (i == ord_max) != (j == ord_max).

Lemma common_value_onto i : exists d, common_value d = i.
Proof.
have [i_lt|i_ge] := ltnP i 3.
  by exists [ffun=> Ordinal i_lt]; rewrite /common_value !ffunE eqxx; apply/val_inj.
exists [ffun x => if x == ord0 then ord0 else ord_max]; rewrite /common_value !ffunE /=; apply/val_inj => /=.
by apply/eqP; rewrite eqn_leq i_ge -ltnS ltn_ord.
Qed.

Theorem common_value_star i j : answer_graph common_value i j = star i j.
Proof.
pose cv (x y : 'I_3) : 'I_4 := if x == y then widen_ord (isT : (3 <= 4)%N) x else ord_max.
have to_star (x y x' y' : 'I_3) : ((x != x') + (y != y'))%N == 1%N -> cv x y <> cv x' y' -> star (cv x y) (cv x' y').
  rewrite /cv /star.
  case: x => [[|[|[|x]]] //= ?]; case: y => [[|[|[|y]]] //= ?]; case: x' => [[|[|[|x']]] //= ?]; case: y' => [[|[|[|y']]] //= ?] //.
have from_star (k l : 'I_4) : (k < 3)%N -> l = ord_max -> answer_graph common_value k l.
  move=> k_lt ->; pose k3 : 'I_3 := Ordinal k_lt; pose next : 'I_3 := if k3 == ord0 then ord_max else ord0.
  have k_next : k3 != next by rewrite /next; case: (eqVneq k3 ord0) => // ->.
  apply/answer_graphP; split; first by move=> E; have := k_lt; rewrite E.
  exists [ffun=> k3], [ffun x => if x == ord0 then k3 else next].
  split; rewrite /common_value ?ffunE ?eqxx /=; first exact/val_inj.
    by rewrite (negPf k_next).
  by rewrite /one_record /hamming !big_ord_recl big_ord0 !ffunE /= eqxx k_next.
have top (k : 'I_4) : (3 <= k)%N -> k = ord_max.
  by move=> k_ge; apply/val_inj/eqP; rewrite /= eqn_leq k_ge -ltnS ltn_ord.
have low (k : 'I_4) : (k == ord_max) = (3 <= k)%N.
  by apply/eqP/idP => [->|/top].
apply/idP/idP => [/answer_graphP[ij [d [d' [di d'j]]]] | ].
  rewrite /one_record /hamming !big_ord_recl big_ord0 addn0 => /to_star.
  by rewrite -di -d'j in ij *; apply.
rewrite /star !low; case: (ltnP i 3) => [i_lt|/top i_top]; case: (ltnP j 3) => [j_lt|/top j_top] //= _.
  exact: from_star.
by rewrite (proj1 (answer_graph_simple common_value)); exact: from_star.
Qed.

Lemma star_acyclic : acyclic star.
Proof.
have top (k l : 'I_4) : k == ord_max -> l == ord_max -> k = l by move=> /eqP -> /eqP ->.
case=> [|x [|y [|z s]]] //= /andP[]; rewrite /= /star => /and3P[xy yz zs] /and3P[x_notin y_notin _].
have xz : (x == ord_max) = (z == ord_max) by move: xy yz; do 3!case: (_ == ord_max).
have [xm|xm] := boolP (x == ord_max); first by rewrite (top x z) ?inE ?eqxx ?orbT // -xz in x_notin.
have ym : y == ord_max by move: xy; rewrite (negPf xm); case: (y == _).
case: s zs y_notin {x_notin} => [|w s] /=; first by rewrite -xz eqxx.
case/andP=> zw _; have wm : w == ord_max by move: zw; rewrite -xz (negPf xm); case: (w == _).
by rewrite (top y w) // !inE eqxx orbT.
Qed.

Lemma star_degree : degree star ord_max = 3%N /\ forall v, v != ord_max -> degree star v = 1%N.
Proof.
have sum_degree v : degree star v = (\sum_(w < 4) star v w)%N.
  by rewrite /degree -sum1_card big_mkcond; apply: eq_bigr => w _; change (w \in star v) with (star v w); case: (star v w).
split=> [|v vm]; rewrite sum_degree !big_ord_recr big_ord0 /= /star ?eqxx //.
by rewrite (negPf vm).
Qed.

Theorem common_value_iff (R : realFieldType) (a : R) : 0 < a -> a < 1 ->
  (exists k (M : 'M[R]_(4, k)), universally_optimal_on (answer_graph common_value) a (zero_one_loss R 4 4) M) <->
  2%:R * a <= 1.
Proof.
move=> a_gt0 a_lt1; have [deg_top deg_low] := star_degree.
have same v : degree (answer_graph common_value) v = degree star v by apply: eq_card => w; exact: common_value_star.
rewrite (query_zero_one_iff common_value_onto a_gt0 a_lt1); split=> [[_ /(_ ord_max)] | a_le].
  by rewrite same deg_top -(natrB _ (_ : 1 <= 3)%N).
split=> [c | v].
  have -> : ucycle (answer_graph common_value) c = ucycle star c.
    by rewrite /ucycle; congr (_ && _); case: c => //= x s; apply: eq_path; exact: common_value_star.
  exact: star_acyclic.
rewrite same; have [->|vm] := eqVneq v ord_max; first by rewrite deg_top -(natrB _ (_ : 1 <= 3)%N).
by rewrite deg_low // subrr mul0r ler01.
Qed.

Theorem common_value_no_path : ~ on_a_line (answer_graph common_value).
Proof.
move/(path_tree [realFieldType of rat] (answer_graph_simple _) (answer_graph_connected common_value_onto)) => [_ /(_ ord_max)].
have [deg_top _] := star_degree.
have -> : degree (answer_graph common_value) ord_max = degree star ord_max by apply: eq_card => w; exact: common_value_star.
by rewrite deg_top.
Qed.

End CommonValue.

(* ---- Section 6 ---- *)
Section CaseStudies.
Variable R : realFieldType.

(* The sum over u people of values from 0 to v: answers 0, ..., vu, adjacent when they differ by at most v. *)
Definition sum_graph (u v : nat) : rel 'I_(v * u).+1 := fun i j => (i != j) && (dist i j <= v)%N.

Lemma sum_graph_simple u v : simple_graph (@sum_graph u v).
Proof. by split=> [i j|i]; rewrite /sum_graph ?eqxx // eq_sym /dist addnC. Qed.

Lemma sum_graph_connected u v : (0 < v)%N -> connected (@sum_graph u v).
Proof.
move=> v_gt0; have to0 m : forall i : 'I_(v * u).+1, nat_of_ord i = m -> connect (@sum_graph u v) ord0 i.
  elim: m => [|m IHm] i im; first by rewrite (_ : i = ord0) ?connect0 //; exact/val_inj.
  have m_lt : (m < (v * u).+1)%N by rewrite ltnW // -im.
  apply: connect_trans (IHm (Ordinal m_lt) erefl) _; apply: connect1.
  by rewrite /sum_graph -val_eqE /= im /dist; apply/andP; split; [rewrite neq_ltn ltnSn | nat_lia].
move=> i j; apply: connect_trans (to0 _ j erefl).
by rewrite (sym_connect_sym (proj1 (sum_graph_simple u v))); exact: to0.
Qed.

Theorem sum_none (u v k : nat) (a : R) (M : 'M[R]_((v * u).+1, k)) : (0 < u)%N -> (1 < v)%N -> 0 < a -> a < 1 ->
  ~ universally_optimal_on (@sum_graph u v) a (zero_one_loss R (v * u).+1 (v * u).+1) M /\
  ~ universally_optimal_on (@sum_graph u v) a (distance_loss R (@sum_graph u v)) M.
Proof.
move=> u_gt0 v_gt1 a_gt0 a_lt1; have vu : (1 < v * u)%N by apply: leq_trans v_gt1 _; rewrite leq_pmulr.
pose at_ (n : nat) : 'I_(v * u).+1 := inord n.
have atE n : (n <= 2)%N -> nat_of_ord (at_ n) = n by move=> n_le; rewrite inordK // ltnS (leq_trans n_le).
by apply: (triangle_none (sum_graph_simple u v) (sum_graph_connected (ltnW v_gt1)) (i := at_ 0%N) (j := at_ 1%N) (h := at_ 2%N)) => //;
  rewrite /sum_graph -val_eqE /= !atE // /dist /= ?(ltnW v_gt1).
Qed.

(* Two counts over u people, listed in any order: each may change by one. *)
Definition counts_graph (u p : nat) (code : 'I_p -> 'I_u.+1 * 'I_u.+1) : rel 'I_p :=
  fun i j => [&& i != j, dist (code i).1 (code j).1 <= 1 & dist (code i).2 (code j).2 <= 1]%N.

Lemma counts_graph_simple u p code : simple_graph (@counts_graph u p code).
Proof.
split=> [i j|i]; rewrite /counts_graph ?eqxx // eq_sym /dist; congr [&& _, (_ <= _)%N & (_ <= _)%N]; exact: addnC.
Qed.

Lemma counts_graph_connected u p code : bijective code -> connected (@counts_graph u p code).
Proof.
case=> name codeK nameK; have to0 m : forall i j : 'I_u.+1, (i + j)%N = m ->
    connect (@counts_graph u p code) (name (ord0, ord0)) (name (i, j)).
  elim/ltn_ind: m => m IHm i j ijm; have [/eqP|] := eqVneq m 0%N.
    rewrite -ijm addn_eq0 => /andP[/eqP i0 /eqP j0].
    have [-> ->] : i = ord0 /\ j = ord0 by split; apply/val_inj.
    exact: connect0.
  rewrite -lt0n => m_gt0.
  have pred_lt (x : 'I_u.+1) : (x.-1 < u.+1)%N by apply: leq_ltn_trans (leq_pred _) (ltn_ord x).
  have lt : (i.-1 + j.-1 < m)%N by rewrite -ijm; nat_lia.
  apply: connect_trans (IHm _ lt (Ordinal (pred_lt i)) (Ordinal (pred_lt j)) erefl) _; apply: connect1.
  rewrite /counts_graph (can_eq nameK) !nameK /dist /=; apply/and3P; split; [|nat_lia|nat_lia].
  apply/eqP => -[] i_pred j_pred; have /= i_eq := congr1 val i_pred; have /= j_eq := congr1 val j_pred.
  by move: m_gt0; rewrite -ijm; nat_lia.
move=> i j; rewrite -(codeK i) -(codeK j); case: (code i) (code j) => [i1 i2] [j1 j2].
apply: connect_trans (to0 _ j1 j2 erefl).
by rewrite (sym_connect_sym (proj1 (counts_graph_simple code))); exact: to0.
Qed.

Theorem counts_none (u p k : nat) (code : 'I_p.+1 -> 'I_u.+1 * 'I_u.+1) (a : R) (M : 'M[R]_(p.+1, k)) :
  bijective code -> (0 < u)%N -> 0 < a -> a < 1 ->
  ~ universally_optimal_on (counts_graph code) a (zero_one_loss R p.+1 p.+1) M /\
  ~ universally_optimal_on (counts_graph code) a (distance_loss R (counts_graph code)) M.
Proof.
move=> code_bij u_gt0 a_gt0 a_lt1; have [name codeK nameK] := code_bij.
pose one : 'I_u.+1 := inord 1; have oneE : nat_of_ord one = 1%N by rewrite inordK.
have zero_one : (ord0 == one) = false by apply/negbTE; rewrite -val_eqE /= oneE.
apply: (triangle_none (counts_graph_simple code) (counts_graph_connected code_bij)
  (i := name (ord0, ord0)) (j := name (ord0, one)) (h := name (one, one))) => //;
  rewrite /counts_graph (can_eq nameK) !nameK /dist /= !oneE /= ?andbT ?xpair_eqE ?zero_one ?andbF //.
by rewrite eq_sym zero_one.
Qed.

End CaseStudies.
