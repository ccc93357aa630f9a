(* SPDX-License-Identifier: MIT *)
(* Where the regions of regular priors are nested (ElSalamouny and others, Examples 1 and 2).                 *)
(*                                                                                                            *)
(*   complete_regular    on a complete graph a prior is regular iff its entries are at least a/(1 + (p-1) a)  *)
(*   complete_nested     so the region at a contains the region at b, for a <= b                              *)
(*   line_nested         the same on paths: the matrix Phi of b is a matrix >= 0 times that of a              *)
(*   three_answers       a connected graph with three vertices is complete or a path                          *)
(*                                                                                                            *)
(* On other graphs it may fail: the errata of the paper have a star of four as the example.                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form Geometric Levels MatrixGame Walks TightConstraints.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Complete graphs ---- *)
Section Complete.
Variables (R : realFieldType) (p : nat).
Add Field R_field : (field_theory_of R).
Implicit Types (q y : 'I_p -> R) (a b : R).

(* The complete graph: every two different inputs are adjacent. *)
Definition complete : rel 'I_p := fun i k => i != k.

Lemma complete_phi a i k : graph_phi complete a i k = if i == k then 1 else a.
Proof.
have [<-|ik] := eqVneq i k; first exact: graph_phi1.
rewrite /graph_phi (connect1 (e := complete) ik); have [_] := connected_distance (connect1 (e := complete) ik).
have := distance_min (walk1 (adjacent := complete) ik).
by case: (distance complete i k) => [|[|//]] _; rewrite ?expr1 //= (negPf ik).
Qed.

Lemma complete_row a y k : \sum_i y i * graph_phi complete a i k = (1 - a) * y k + a * \sum_i y i.
Proof.
rewrite (bigD1 k) //= complete_phi eqxx mulr1 [in RHS](bigD1 k) //= mulrDr addrA -mulrDl subrK mul1r; congr (_ + _).
by rewrite mulr_sumr; apply: eq_bigr => i /negPf ik; rewrite complete_phi ik mulrC.
Qed.

Theorem complete_regular a q : 0 <= a -> a < 1 -> distribution q ->
  regular (graph_phi complete a) q <-> forall i, a / (1 + (p%:R - 1) * a) <= q i.
Proof.
move=> a_ge0 a_lt1 [q_ge0 q_sum]; have b_gt0 : 0 < 1 - a by rewrite subr_gt0.
set c := 1 + _; have cE : c = (1 - a) + p%:R * a by rewrite /c; by_ring R.
have c_gt0 : 0 < c by rewrite cE ltr_paddr // mulr_ge0 // ler0n.
split=> [[y [y_ge0 y_q]] i|q_ge].
  have total : c * (\sum_k y k) = 1.
    rewrite -q_sum; under [RHS]eq_bigr => k _ do rewrite y_q complete_row.
    by rewrite big_split /= -mulr_sumr sumr_const card_ord -[_ *+ p]mulr_natl cE mulrDl mulrA.
  have -> : a / c = a * (\sum_k y k) by congr (_ * _); apply: (mulfI (lt0r_neq0 c_gt0)); rewrite total divff ?gt_eqF.
  by rewrite y_q complete_row ler_addr mulr_ge0 // ltW.
exists (fun k => (q k - a / c) / (1 - a)); split=> [k|k]; first by rewrite divr_ge0 ?subr_ge0 // ltW.
rewrite complete_row -mulr_suml sumrB q_sum sumr_const card_ord -mulr_natl mulrC divfK ?gt_eqF //.
have -> : 1 - p%:R * (a / c) = (1 - a) / c.
  by apply: (mulIf (lt0r_neq0 c_gt0)); rewrite mulrBl mul1r divfK ?gt_eqF // -mulrA divfK ?gt_eqF // cE addrK.
by rewrite mulrAC divff ?gt_eqF // mul1r subrK.
Qed.

Theorem complete_nested a b q : 0 <= a -> a <= b -> b < 1 -> distribution q ->
  regular (graph_phi complete b) q -> regular (graph_phi complete a) q.
Proof.
move=> a_ge0 ab b_lt1 q_dist; have a_lt1 := le_lt_trans ab b_lt1; have b_ge0 := le_trans a_ge0 ab.
rewrite !complete_regular // => q_ge i; apply: le_trans (q_ge i).
have p_ge1 : 1 <= p%:R :> R by rewrite ler1n (leq_ltn_trans _ (ltn_ord i)).
have gt0 (x : R) : 0 <= x -> 0 < 1 + (p%:R - 1) * x by move=> x_ge0; rewrite ltr_paddr ?ltr01 // mulr_ge0 // subr_ge0.
rewrite ler_pdivr_mulr ?gt0 // mulrAC ler_pdivl_mulr ?gt0 // -subr_ge0.
by rewrite (_ : _ - _ = b - a) ?subr_ge0 //; by_ring R.
Qed.

End Complete.

(* ---- Paths ---- *)
Section Line.
Variables (R : realFieldType) (n : nat).
Implicit Types (i j k : 'I_n.+1) (a b : R).

Lemma line_sym : symmetric (@line n).
Proof. by move=> i j; rewrite /line orbC. Qed.

Lemma line_walk_up d i j : (j = i + d :> nat)%N -> walk (@line n) d i j.
Proof.
elim: d i => [|d IHd] i ij; first by apply/eqP/val_inj; rewrite /= ij addn0.
have i_lt : (i.+1 < n.+1)%N by have j_lt := ltn_ord j; nat_lia.
apply/existsP; exists (Ordinal i_lt); rewrite /line eqxx /=; apply: IHd => /=; nat_lia.
Qed.

Lemma line_walk i j : walk (@line n) (dist i j) i j.
Proof.
have [ij|/ltnW ji] := leqP i j.
  have -> : dist i j = (j - i)%N by rewrite /dist; nat_lia.
  by apply: line_walk_up; nat_lia.
have -> : dist i j = (i - j)%N by rewrite /dist; nat_lia.
by apply: walk_back line_sym _ _ _ _; apply: line_walk_up; nat_lia.
Qed.

Lemma walk_line d i j : walk (@line n) d i j -> (dist i j <= d)%N.
Proof.
elim: d i => [|d IHd] i /=; first by move/eqP->; rewrite /dist; nat_lia.
by case/existsP=> h /andP[/orP[/eqP ih|/eqP hi] /IHd]; rewrite /dist => le; nat_lia.
Qed.

Lemma line_phi a i j : graph_phi (@line n) a i j = a ^+ dist i j.
Proof.
have ij := walk_connected (line_walk i j); rewrite /graph_phi ij; congr (_ ^+ _).
have [_ w] := connected_distance ij.
by apply/eqP; rewrite eqn_leq distance_min ?line_walk // walk_line.
Qed.

Theorem line_nested a b (q : 'I_n.+1 -> R) : 0 < a -> a <= b -> b < 1 ->
  regular (graph_phi (@line n) b) q -> regular (graph_phi (@line n) a) q.
Proof.
move=> a_gt0 ab b_lt1 [y [y_ge0 y_q]].
have b_gt0 := lt_le_trans a_gt0 ab; have a_lt1 := le_lt_trans ab b_lt1.
have [T [T_ge0 _] GT] := lemma3 n a_gt0 b_lt1 ab.
have sa_gt0 (k : nat) : 0 < scale a n k := scale_gt0 n a_gt0 a_lt1 k.
have sb_gt0 (k : nat) : 0 < scale b n k := scale_gt0 n b_gt0 b_lt1 k.
exists (fun l : 'I_n.+1 => \sum_i y i * (scale a n l * T l i / scale b n i)); split=> [l|k].
  by apply: sumr_ge0 => i _; rewrite mulr_ge0 // divr_ge0 ?mulr_ge0 // ltW.
under eq_bigr => l _ do rewrite mulr_suml.
rewrite exchange_big y_q; apply: eq_bigr => i _ /=.
under eq_bigr => l _ do rewrite -mulrA; rewrite -mulr_sumr; congr (_ * _).
have := congr1 (fun M : 'M[R]_n.+1 => M k i / scale b n i) GT; rewrite !mxE mulfK ?gt_eqF // line_phi.
have -> : dist k i = dist i k by rewrite /dist addnC.
move=> ->; rewrite mulr_suml; apply: eq_bigr => l _; rewrite mxE line_phi.
have -> : dist k l = dist l k by rewrite /dist addnC.
by rewrite -!mulrA mulrC !mulrA.
Qed.

End Line.

(* ---- Three answers ---- *)
Section Three.
Variable adjacent : rel 'I_3.
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent).
(* v0, v1, v2 are the three inputs 0, 1, 2. *)
Let v0 : 'I_3 := ord0.
Let v1 : 'I_3 := Ordinal (isT : (1 < 3)%N).
Let v2 : 'I_3 := ord_max.

Lemma all_three (P : 'I_3 -> Prop) : P v0 -> P v1 -> P v2 -> forall i, P i.
Proof.
move=> P0 P1 P2 [[|[|[|//]]] lt].
- by rewrite (_ : Ordinal lt = v0) //; exact: val_inj.
- by rewrite (_ : Ordinal lt = v1) //; exact: val_inj.
by rewrite (_ : Ordinal lt = v2) //; exact: val_inj.
Qed.

Lemma some_neighbour (i k : 'I_3) : i != k -> exists j, adjacent i j.
Proof.
move=> ik; have /connectP[[|j s] /= ] := conn i k; first by move=> _ ki; rewrite ki eqxx in ik.
by case/andP=> ij _ _; exists j.
Qed.

(* Either all are adjacent, or one is the middle of a path. *)
Theorem three_answers : (forall i k, adjacent i k = (i != k)) \/ exists c, forall i k, adjacent i k = ((i == c) != (k == c)).
Proof.
have [sym irr] := graph; have two (i j k : 'I_3) : i != j -> (forall h, [\/ h = i, h = j | h = k]) -> adjacent i j || adjacent i k.
  by move=> ij only; have [h ih] := some_neighbour ij; case: (only h) ih => -> ih; rewrite ?irr // in ih; rewrite ih ?orbT.
have n0 : adjacent v0 v1 || adjacent v0 v2 by apply: two => //; apply: all_three; constructor.
have n1 : adjacent v1 v0 || adjacent v1 v2 by apply: two => //; apply: all_three; [constructor 2 | constructor 1 | constructor 3].
have n2 : adjacent v2 v0 || adjacent v2 v1 by apply: two => //; apply: all_three; [constructor 2 | constructor 3 | constructor 1].
rewrite [adjacent v1 v0]sym in n1; rewrite [adjacent v2 v0]sym [adjacent v2 v1]sym in n2.
case e01: (adjacent v0 v1) n0 n1; case e02: (adjacent v0 v2) n2; case e12: (adjacent v1 v2) => //= _ _ _.
- by left; apply: all_three; apply: all_three; rewrite ?irr // ?e01 ?e02 ?e12 // sym ?e01 ?e02 ?e12.
- by right; exists v0; apply: all_three; apply: all_three; rewrite ?irr // ?e01 ?e02 ?e12 // sym ?e01 ?e02 ?e12.
- by right; exists v1; apply: all_three; apply: all_three; rewrite ?irr // ?e01 ?e02 ?e12 // sym ?e01 ?e02 ?e12.
by right; exists v2; apply: all_three; apply: all_three; rewrite ?irr // ?e01 ?e02 ?e12 // sym ?e01 ?e02 ?e12.
Qed.

End Three.
