(* SPDX-License-Identifier: MIT *)
(* Graphs on which the tight-constraints mechanism is known in closed form (Section 5, last paragraphs).      *)
(*                                                                                                            *)
(*   line_tight           on the line 0, ..., n it is the range-restricted geometric mechanism, and no other  *)
(*   equal_rows_tight     if all rows of Phi have the sum s, it is Phi/s                                      *)
(*   vertex_transitive    automorphisms lead from any vertex to any other                                     *)
(*   distance_regular     the numbers of neighbours one nearer and one farther depend on the distance only    *)
(*   transitive_tight, distance_regular_tight      on these graphs it exists at every level                   *)
(*                                                                                                            *)
(* Proof of the last.  Let k_d(x) be the number of vertices at distance d from x.  The pairs of neighbours at *)
(* the distances d and d + 1 from x, counted in two ways: k_d(x) b_d = k_(d+1)(x) c_(d+1).  If c_(d+1) = 0    *)
(* there is no vertex at distance d + 1 from any x.  So k_d(x) does not depend on x, by induction on d.       *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Inverse Walks Paths.
From ExactDP Require Import Leakage PrivacyTypes Capacities TightConstraints SmallLevels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Counting queries ---- *)
Section Line.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).

Lemma line_walk (i j : 'I_n.+1) : walk (@line n) (dist i j) i j.
Proof.
move Ed: (dist i j) => d; elim: d i Ed => [|d IHd] i Ed.
  by rewrite /= -val_eqE /=; rewrite /dist in Ed; nat_lia.
have next (c : nat) : (c < n.+1)%N -> (c == i.+1) || (i == c.+1 :> nat) -> dist c j = d -> walk (@line n) d.+1 i j.
  move=> c_lt c_next c_d; apply/existsP; exists (inord c).
  by rewrite /line inordK // c_next /=; apply: IHd; rewrite inordK.
have i_lt := ltn_ord i; have j_lt := ltn_ord j; move: Ed; rewrite /dist => Ed.
case: (ltnP i j) => ij.
  by apply: (next i.+1); [nat_lia | rewrite eqxx | rewrite /dist; nat_lia].
by apply: (next i.-1); [nat_lia | apply/orP; right; nat_lia | rewrite /dist; nat_lia].
Qed.

Lemma line_phi (i j : 'I_n.+1) : graph_phi (@line n) a i j = a ^+ dist i j.
Proof.
have conn : connected (@line n) by move=> k l; exact: walk_connected (line_walk k l).
by rewrite /graph_phi conn (@Paths.line_distance n (@line n) conn id id).
Qed.

Theorem line_tight (M : 'I_n.+1 -> 'I_n.+1 -> R) :
  tight (graph_phi (@line n) a) M <-> forall i k, M i k = geometric n a i k.
Proof.
have phi_inj : nonsingular (graph_phi (@line n) a).
  apply/nonsingularP; have -> : \matrix_(i, k) graph_phi (@line n) a i k = powers n a.
    by apply/matrixP=> i k; rewrite !mxE line_phi.
  exact: powers_unit.
have geometric_tight : tight (graph_phi (@line n) a) (geometric n a).
  split=> [|i k]; first exact: geometric_stochastic.
  by rewrite line_phi !mxE /dist subnn expr0 mul1r.
split=> [M_tight i k|ME]; first exact: (tight_unique phi_inj M_tight geometric_tight).
have [[G_ge0 G_sum1] GE] := geometric_tight; split=> [|i k]; last by rewrite !ME.
by split=> [i k|i]; [rewrite ME | rewrite -(G_sum1 i); apply: eq_bigr => k _; rewrite ME].
Qed.

End Line.

Section EqualRows.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R) (s : R).
Hypotheses (Phi_ge0 : forall i k, 0 <= Phi i k) (Phi1 : forall i, Phi i i = 1).

Theorem equal_rows_tight : (forall i, \sum_k Phi i k = s) -> tight Phi (fun i k => Phi i k / s).
Proof.
move=> Phi_sum; have s_gt0 (i : X) : 0 < s.
  by rewrite -(Phi_sum i) (bigD1 i) //= Phi1 ltr_spaddl ?ltr01 // sumr_ge0.
have s_neq0 (i : X) : s != 0 by rewrite gt_eqF ?(s_gt0 i).
split=> [|i k]; last by rewrite Phi1 mul1r.
split=> [i k|i]; first by rewrite divr_ge0 // ltW // (s_gt0 i).
by rewrite -mulr_suml Phi_sum divff ?s_neq0.
Qed.

End EqualRows.

Section Graph.
Variables (p : nat) (adjacent : rel 'I_p).

(* For any two vertices x and x' some automorphism h of the graph maps x to x'. *)
Definition vertex_transitive := forall x x', exists h : 'I_p -> 'I_p,
  [/\ bijective h, h x = x' & forall u v, adjacent (h u) (h v) = adjacent u v].

(* x and y at distance d: y has b_d neighbours at distance d + 1 from x, and c_d at distance d - 1. *)
(* The graph is connected, and the numbers b_d and c_d are the same for all such x and y. *)
Definition distance_regular := connected adjacent /\ exists b c : nat -> nat, forall x y,
  #|[pred u | adjacent y u && (distance adjacent x u == (distance adjacent x y).+1)]| = b (distance adjacent x y) /\
  #|[pred u | adjacent y u && ((distance adjacent x u).+1 == distance adjacent x y)]| = c (distance adjacent x y).

Section Automorphism.
Variable h : 'I_p -> 'I_p.
Hypotheses (h_bij : bijective h) (h_adjacent : forall u v, adjacent (h u) (h v) = adjacent u v).

Lemma automorphism_walk n u v : walk adjacent n (h u) (h v) = walk adjacent n u v.
Proof.
have [g hK gK] := h_bij; elim: n u => [|n IHn] u /=; first by rewrite (can_eq hK).
apply/existsP/existsP=> -[w /andP[uw wv]]; [exists (g w) | exists (h w)].
  by rewrite -h_adjacent gK uw -IHn gK.
by rewrite h_adjacent uw IHn.
Qed.

Lemma automorphism_phi (R : realFieldType) (a : R) u v : graph_phi adjacent a (h u) (h v) = graph_phi adjacent a u v.
Proof.
rewrite /graph_phi (_ : connect adjacent (h u) (h v) = connect adjacent u v); last first.
  by apply/idP/idP=> /connected_walk[n _]; rewrite ?automorphism_walk => uv; apply: (@walk_connected _ _ n); rewrite ?automorphism_walk.
by congr (if _ then _ ^+ _ else _); apply: eq_find => n; exact: automorphism_walk.
Qed.

End Automorphism.

Section Regular.
Hypotheses (graph : simple_graph adjacent) (regular : distance_regular).

(* k_d(x): how many vertices are at the distance d from x. *)
Definition sphere x d : nat := #|[pred u | distance adjacent x u == d]|.

Lemma sphere_step b c x d :
  (forall x y, #|[pred u | adjacent y u && (distance adjacent x u == (distance adjacent x y).+1)]| = b (distance adjacent x y)) ->
  (forall x y, #|[pred u | adjacent y u && ((distance adjacent x u).+1 == distance adjacent x y)]| = c (distance adjacent x y)) ->
  (sphere x d * b d = sphere x d.+1 * c d.+1)%N.
Proof.
move=> b_def c_def.
have -> : (sphere x d * b d = \sum_(y | distance adjacent x y == d) #|[pred u | adjacent y u && (distance adjacent x u == d.+1)]|)%N.
  rewrite -sum_nat_const; apply: eq_bigr => y /eqP xy; rewrite -{1}xy -b_def; apply: eq_card => u.
  by rewrite !inE xy.
have -> : (sphere x d.+1 * c d.+1 =
    \sum_(u | distance adjacent x u == d.+1) #|[pred y | adjacent u y && (distance adjacent x y == d)]|)%N.
  rewrite -sum_nat_const; apply: eq_bigr => u /eqP xu; rewrite -{1}xu -c_def; apply: eq_card => y.
  by rewrite !inE xu eqSS.
under eq_bigr => y _ do rewrite -sum1_card; under [RHS]eq_bigr => u _ do rewrite -sum1_card.
rewrite (exchange_big_dep (fun u => distance adjacent x u == d.+1)) => [|y u _ /andP[]//] /=.
apply: eq_bigr => u xu; apply: eq_bigl => y; rewrite !inE xu andbT andbC.
by rewrite (adjacent_sym graph).
Qed.

Lemma sphere_constant x x' d : sphere x d = sphere x' d.
Proof.
have [conn [b [c bc]]] := regular; have b_def x1 y := proj1 (bc x1 y); have c_def x1 y := proj2 (bc x1 y).
have sphere0 x1 : sphere x1 0%N = 1%N.
  rewrite -(card1 x1); apply: eq_card => u; rewrite !inE; apply/eqP/eqP=> [|->]; last exact: distance_self.
  by move=> d0; apply/eqP; rewrite eq_sym -[_ == _]negbK -(distance_gt0 conn) d0.
elim: d => [|d IHd]; first by rewrite !sphere0.
have := sphere_step x d b_def c_def; rewrite IHd (sphere_step x' d b_def c_def) => /eqP.
have [c0 _|c_gt0] := posnP (c d.+1); last by rewrite eqn_pmul2r // eq_sym => /eqP.
have none x1 : sphere x1 d.+1 = 0%N.
  apply: eq_card0 => u; rewrite !inE; apply/negP => /eqP x1u; have u_x1 : u != x1.
    by apply/eqP => ux; move: x1u; rewrite ux distance_self.
  have [h uh hE] := nearer conn u_x1; have := c_def x1 u; rewrite x1u c0 => /card0_eq/(_ h); rewrite !inE uh.
  by rewrite (distance_sym graph conn x1 h) -hE (distance_sym graph conn) x1u eqxx.
by rewrite !none.
Qed.

End Regular.

Section Tight.
Variables (R : realFieldType) (a : R).
Hypothesis a_ge0 : 0 <= a.

Theorem transitive_tight : vertex_transitive -> exists M, tight (graph_phi adjacent a) M.
Proof.
move=> trans; have sums x x' : \sum_u graph_phi adjacent a x u = \sum_u graph_phi adjacent a x' u.
  by apply: (transitive_homogeneous id) => {}x {}x'; have [h [h_bij hx h_adj]] := trans x x'; exists h;
    split=> // u v; exact: automorphism_phi.
have [x _|none] := pickP (fun _ : 'I_p => true).
  exists (fun i k => graph_phi adjacent a i k / \sum_u graph_phi adjacent a x u).
  apply: equal_rows_tight => [i k|i|i]; [exact: graph_phi_ge0 | exact: graph_phi1 | exact: sums].
by exists (fun _ _ => 0); split; [split=> [i|i] | move=> i]; have := none i.
Qed.

Theorem distance_regular_tight : simple_graph adjacent -> distance_regular -> exists M, tight (graph_phi adjacent a) M.
Proof.
move=> graph regular; have [conn _] := regular.
have sums x : \sum_u graph_phi adjacent a x u = \sum_(d < p) a ^+ d *+ sphere x d.
  rewrite (partition_big (fun u => Ordinal (distance_lt conn x u)) xpredT) //=; apply: eq_bigr => d _.
  rewrite -sumr_const; apply: eq_big => [u|u /eqP <-]; first by rewrite inE -val_eqE.
  by rewrite /graph_phi conn.
have [x _|none] := pickP (fun _ : 'I_p => true).
  exists (fun i k => graph_phi adjacent a i k / \sum_(d < p) a ^+ d *+ sphere x d).
  apply: equal_rows_tight => [i k|i|i]; [exact: graph_phi_ge0 | exact: graph_phi1 |].
  by rewrite sums; apply: eq_bigr => d _; rewrite (sphere_constant graph regular i x).
by exists (fun _ _ => 0); split; [split=> [i|i] | move=> i]; have := none i.
Qed.

End Tight.
End Graph.
