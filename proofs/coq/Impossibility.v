(* SPDX-License-Identifier: MIT *)
(* Graphs with a universally optimal mechanism for the zero-one loss are trees of small degree.               *)
(*                                                                                                            *)
(*   zero_one_acyclic, zero_one_degree   no cycle, and (deg v - 1) a <= 1 at every input v                    *)
(*   non_bipartite_none                  a graph with an odd cycle has none                                   *)
(*   discrete_metric_none                nor has the discrete metric on three or more inputs                  *)
(*                                                                                                            *)
(* Proof.  By [optimal_tight] every column is tight.  For two neighbours i, j of v take weights 1 on i, v, j. *)
(* The graph is bipartite, so it maps onto the path i - v - j: v's colour goes to v, i to i, the rest to j.   *)
(* The geometric mechanism of the path, pulled back, loses 4a/(1+a).  Any private M loses at least            *)
(* a/(1+a) (M_iy + M_jy + 2 M_vy) at output y, in all 4a/(1+a), and more where i and j are both up.           *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Losses Walks Retracts Tightness.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma zero_oneE (R : realFieldType) p (i j : 'I_p) : zero_one_loss R p p i j = (i != j)%:R.
Proof. by rewrite mxE. Qed.

Section ZeroOne.
Variables (R : realFieldType) (p k : nat) (adjacent : rel 'I_p) (a : R) (M : 'M[R]_(p, k)).
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Hypothesis M_optimal : universally_optimal_on adjacent a (zero_one_loss R p p) M.
Add Field R_field : (field_theory_of R).

Lemma zero_one_tight : tight adjacent a M.
Proof.
apply: (optimal_tight a_gt0 a_lt1 graph) M_optimal => [i|i j ij|i j ij]; rewrite zero_oneE ?eqxx ?ij //.
by rewrite (adjacent_neq graph).
Qed.

Lemma zero_one_single_ups : single_ups adjacent a M.
Proof.
move=> v i j y vi vj ij; have [[M_ge0 M_sum1] M_priv _] := M_optimal.
have iv : adjacent i v by rewrite (adjacent_sym graph).
have jv : adjacent j v by rewrite (adjacent_sym graph).
have [|g] := path_rival a_gt0 a_lt1 graph conn (conj M_ge0 M_sum1) M_priv zero_one_tight v (pred1 i)
    (fun o => nth v [:: i; v; j] o) M_optimal (s := [:: (i, 1); (v, 1); (j, 1)]).
  by rewrite /= ler01.
under eq_bigr => x _ do rewrite !big_cons big_nil /= !mul1r addr0 !zero_oneE.
rewrite !big_cons !big_nil /= onto_path_middle !onto_path_end // !mul1r addr0 /= eqxx eq_sym ij /=.
rewrite path_cost0 // path_cost1 // path_cost2 // !zero_oneE /= !eqxx.
have /negPf i_neq_v := adjacent_neq graph iv; have /negPf j_neq_v := adjacent_neq graph jv.
have /negPf i_neq_j := ij; rewrite ![v == _]eq_sym [j == i]eq_sym i_neq_v j_neq_v i_neq_j /=.
set L := BIG_F => le_sum.
pose F x := a * (M i x + M j x + (M v x + M v x)).
apply: (no_common_up a_gt0 a_lt1 graph _ M_priv vi vj (F := F) (G := fun x => (1 + a) * L x)) => // [x|].
  have xi := M_priv _ _ x vi.
  have ge0 (c d : R) : c <= d -> 0 <= d - c by rewrite subr_ge0.
  have iv_ge0 := ge0 _ _ (M_priv i v x iv); have vi_ge0 := ge0 _ _ (M_priv v i x vi).
  have jv_ge0 := ge0 _ _ (M_priv j v x jv); have vj_ge0 := ge0 _ _ (M_priv v j x vj).
  rewrite /L /F; case: (eqVneq i (g x)) => [<-|_] /=.
    right; rewrite eq_sym i_neq_v [j == i]eq_sym i_neq_j -subr_ge0 /=.
    by rewrite [leRHS](_ : _ = M v x - a * M i x) //; by_ring R.
  case: (eqVneq v (g x)) => [<-|_] /=.
    left; rewrite j_neq_v -subr_ge0 /=.
    by rewrite [leRHS](_ : _ = M j x - a * M v x) //; by_ring R.
  case: (eqVneq j (g x)) => [_|_] /=; left; rewrite -subr_ge0.
    by rewrite [leRHS](_ : _ = M v x - a * M j x) //; by_ring R.
  rewrite [leRHS](_ : _ = (M j x - a * M v x) + (1 + a) * M v x); last by by_ring R.
  by rewrite addr_ge0 // mulr_ge0 // ltW // one_plus_gt0.
rewrite -mulr_sumr mulrC -ler_pdivl_mulr ?one_plus_gt0 //; apply: le_trans le_sum _.
rewrite /F -mulr_sumr !big_split /= !M_sum1 le_eqVlt; apply/orP; left; apply/eqP.
by by_field R; apply/eqP; rewrite gt_eqF ?one_plus_gt0.
Qed.

Theorem zero_one_acyclic : acyclic adjacent.
Proof.
have [M_st M_priv _] := M_optimal.
exact: (tight_acyclic a_gt0 a_lt1 graph conn M_st M_priv zero_one_tight zero_one_single_ups).
Qed.

Theorem zero_one_degree v : ((degree adjacent v)%:R - 1) * a <= 1.
Proof. by have [M_st _ _] := M_optimal; exact: (tight_degree a_gt0 a_lt1 M_st zero_one_tight zero_one_single_ups). Qed.

Theorem zero_one_two_colours : two_colours adjacent.
Proof.
by have [M_st M_priv _] := M_optimal; exact: (tight_two_colours a_gt0 a_lt1 graph conn M_st M_priv zero_one_tight).
Qed.

End ZeroOne.

(* In the words of the papers: graphs that are not bipartite have no universally optimal mechanism.           *)
Corollary non_bipartite_none (R : realFieldType) p k (adjacent : rel 'I_p) (a : R) (M : 'M[R]_(p, k)) :
  simple_graph adjacent -> connected adjacent -> ~ two_colours adjacent -> 0 < a -> a < 1 ->
  ~ universally_optimal_on adjacent a (zero_one_loss R p p) M.
Proof. by move=> graph conn odd_cycle a_gt0 a_lt1 M_opt; apply/odd_cycle/(zero_one_two_colours _ _ _ _ M_opt). Qed.

(* The discrete metric: all inputs are neighbours of one another.                                             *)
Definition discrete p : rel 'I_p := fun i j => i != j.

Lemma discrete_graph p : simple_graph (@discrete p).
Proof. by split=> [i j | i]; rewrite /discrete ?eqxx // eq_sym. Qed.

Lemma discrete_connected p : connected (@discrete p).
Proof. by move=> i j; case: (eqVneq i j) => [->|ij]; [exact: connect0 | exact: connect1]. Qed.

Corollary discrete_metric_none (R : realFieldType) p k (a : R) (M : 'M[R]_(p, k)) : (2 < p)%N -> 0 < a -> a < 1 ->
  ~ universally_optimal_on (@discrete p) a (zero_one_loss R p p) M.
Proof.
case: p M => [|[|[|p]]] // M _ a_gt0 a_lt1.
move/(zero_one_acyclic (discrete_graph _) (discrete_connected (p := _)) a_gt0 a_lt1).
by move/(_ [:: ord0; lift ord0 ord0; lift ord0 (lift ord0 ord0)] isT).
Qed.
