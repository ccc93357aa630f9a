(* SPDX-License-Identifier: MIT *)
(* The graphs with a universally optimal mechanism, in the words of Fernandes and others.                     *)
(*                                                                                                            *)
(*   universally_optimal_onP   [universally_optimal_on] is their Definition 4, for the metric of the graph    *)
(*   theorem11                 with it: no mechanism for the discrete metric on three or more inputs is       *)
(*                             universally optimal for the zero-one loss (Theorem 11 and Corollary 22)        *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Losses MatrixGame Channels Refinement Kernels.
From ExactDP Require Import KernelOptimality Walks Retracts Impossibility.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definition4.
Variables (R : realFieldType) (p m k : nat) (adjacent : rel 'I_p) (a : R).
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent) (a_ge0 : 0 <= a).

Local Notation levels := (fun i j => a ^+ distance adjacent i j).

Lemma of_type_graph n (X : 'M[R]_(p, n)) : of_type levels X <-> stochastic X /\ private_on adjacent a X.
Proof. by split=> [] [X_st X_priv]; split=> //; apply/(private_on_metric X graph conn a_ge0). Qed.

Theorem universally_optimal_onP (l : 'M[R]_(p, m.+1)) (M : 'M[R]_(p, k)) :
  universally_optimal_on adjacent a l M <-> universally_optimal levels ord0 l M.
Proof.
split=> [[M_st M_priv M_opt] | [/of_type_graph[M_st M_priv] M_opt]].
  split=> [|w [w_ge0 _] q X /of_type_graph[X_st X_priv]]; first exact/of_type_graph.
  have [f f_opt] := M_opt w w_ge0; have [[g <-] _] := least_remap w l X.
  apply: le_trans (proj2 (least_remap w l M) _ (remap_stochastic R f)) (f_opt _ _ _).
    exact: stochastic_mul (remap_stochastic R g).
  by apply: private_post_processing X_priv => i r; rewrite mxE ler0n.
split=> // w w_ge0; have W_ge0 : 0 <= \sum_i w i by exact: sumr_ge0.
have [W0|W_neq0] := eqVneq (\sum_i w i) 0.
  have w0 i : w i = 0 by apply/eqP; move/eqP: W0; rewrite psumr_eq0 // => /allP/(_ i); rewrite mem_index_enum; apply.
  exists (fun _ => ord0) => X _ _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigr => i _; rewrite w0 !mul0r.
have W_gt0 : 0 < \sum_i w i by rewrite lt0r W_neq0.
pose u i := w i / \sum_j w j; have u_dist : distribution u.
  by split=> [i|]; [rewrite divr_ge0 | rewrite -mulr_suml divff].
have scaled (X : 'M[R]_(p, m.+1)) : bayes_loss w l X = (\sum_i w i) * bayes_loss u l X.
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulrA [_ * u i]mulrC divfK.
have [[f f_opt] _] := least_remap u l M; exists f => X X_st X_priv.
rewrite !scaled ler_pmul2l // f_opt; apply: le_trans (M_opt u u_dist _ X _) _; first exact/of_type_graph.
rewrite -[X in bayes_loss _ _ X]mulmx1; apply: (proj2 (least_remap u l X)).
by split=> [i j|i]; [rewrite mxE ler0n | rewrite (bigD1 i) //= big1 ?mxE ?eqxx ?addr0 // => j ji; rewrite mxE eq_sym (negPf ji)].
Qed.

End Definition4.

(* The discrete metric: distance 1 between different inputs. *)
Theorem theorem11 (R : realFieldType) n k (a : R) (M : 'M[R]_(n.+1, k)) : (2 <= n)%N -> 0 < a -> a < 1 ->
  ~ universally_optimal (fun i j => a ^+ (i != j)) ord0 (zero_one_loss R n.+1 n.+1) M.
Proof.
move=> n_ge2 a_gt0 a_lt1 M_opt; apply: (@discrete_metric_none R n.+1 k a M) => //.
apply/(universally_optimal_onP (discrete_graph _) (discrete_connected (p := _)) (ltW a_gt0)).
have e i j : distance (@discrete n.+1) i j = (i != j).
  case: (eqVneq i j) => [->|ij] /=; first exact: distance_self.
  by apply: (distance_adjacent (discrete_graph _) (discrete_connected (p := _))).
case: M_opt => [[M_st M_priv] M_opt]; split=> [|w w_dist q X [X_st X_priv]].
  by split=> // i j r; rewrite e; exact: M_priv.
by apply: (M_opt w w_dist q X); split=> // i j r; have := X_priv i j r; rewrite e.
Qed.
