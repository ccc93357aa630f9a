(* SPDX-License-Identifier: MIT *)
(* The bounds of utility and leakage are not always met (ElSalamouny and others, end of Section 4).           *)
(*                                                                                                            *)
(*   star_no_weighting    on the star of four answers Phi z = 1 has no solution z >= 0 for 1/2 < a < 1        *)
(*   bounds_not_met       so there is a regular prior q such that every mechanism, with every remap, has less *)
(*                        utility than sum y, for all y with y Phi = q (there is one)                         *)
(*                                                                                                            *)
(* The largest utility for this prior at a = 3/5 is in the paper's certificates.                              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField MatrixGame Walks Leakage PrivacyTypes Capacities.
From ExactDP Require Import TightConstraints ObliviousQueries RegularPriors LeakageBounds.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A centre, 0, and three leaves. *)
Definition star_of_four : rel 'I_4 := fun i k => (i == ord0) != (k == ord0).

Section Star.
Variables (R : realFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation Phi := (graph_phi star_of_four a).
Implicit Types (i k : 'I_4) (z y : 'I_4 -> R).

Lemma star_sym : symmetric star_of_four.
Proof. by move=> i k; rewrite /star_of_four eq_sym. Qed.

Lemma star_phi i k : Phi i k = if i == k then 1 else if (i == ord0) || (k == ord0) then a else a ^+ 2.
Proof.
have [<-|ik] := eqVneq i k; first exact: graph_phi1.
have dist_gt0 d : walk star_of_four d i k -> (0 < d)%N by case: d => //=; rewrite (negPf ik).
case: ifP => [centre|/norP[i0 k0]].
  have w : walk star_of_four 1 i k.
    apply: walk1; rewrite /star_of_four; case/orP: centre ik => /eqP -> ne; rewrite eqxx ?(negPf ne) //.
    by rewrite [k == ord0]eq_sym (negPf ne).
  have c := walk_connected w; have [_ /dist_gt0 gt0] := connected_distance c; rewrite /graph_phi c.
  by move: gt0 (distance_min w); case: (distance _ i k) => [|[|]] // _ _; rewrite expr1.
have w : walk star_of_four 2 i k.
  by apply: (@walk_cat _ _ 1 1 _ ord0); apply: walk1; rewrite /star_of_four eqxx ?(negPf i0) ?(negPf k0).
have c := walk_connected w; have [_ w'] := connected_distance c; rewrite /graph_phi c.
have not1 : distance star_of_four i k != 1%N.
  apply/eqP => e; move: w'; rewrite e => /existsP[h /andP[ih]]; rewrite /= => /eqP hk.
  by move: ih; rewrite hk /star_of_four (negPf i0) (negPf k0).
move: not1 (dist_gt0 _ w') (distance_min w); case: (distance _ i k) => [|[|[|]]] // _ _ _.
Qed.

Lemma star_centre z : \sum_k Phi ord0 k * z k = z ord0 + a * (\sum_(k | k != ord0) z k).
Proof.
rewrite (bigD1 ord0) //= star_phi eqxx mul1r mulr_sumr; congr (_ + _); apply: eq_bigr => k k0.
by rewrite star_phi eqxx /= eq_sym (negPf k0).
Qed.

Lemma star_leaf z i : i != ord0 ->
  \sum_k Phi i k * z k = a * z ord0 + (1 - a ^+ 2) * z i + a ^+ 2 * (\sum_(k | k != ord0) z k).
Proof.
move=> i0; rewrite (bigD1 ord0) //= star_phi (negPf i0) eqxx orbT -addrA; congr (_ + _).
rewrite (bigD1 i) //= [in RHS](bigD1 i) //= star_phi eqxx mulrDr addrA mul1r -{1}[z i]mul1r -mulrDl subrK mul1r; congr (_ + _).
rewrite mulr_sumr; apply: eq_bigr => k /andP[k0 ki].
by rewrite star_phi eq_sym (negPf ki) (negPf i0) (negPf k0).
Qed.

Theorem star_no_weighting : 1 < a * 2%:R -> ~ exists z, weighting Phi z.
Proof.
move=> a_big [z [z_ge0 z_sum]]; set L := \sum_(k | k != ord0) z k.
have leaves : \sum_(i : 'I_4 | i != ord0) (1 : R) = 3%:R.
  by rewrite sumr_const (cardC1 ord0) card_ord.
have centre : z ord0 + a * L = 1 by rewrite -star_centre z_sum.
have total : 3%:R * a * z ord0 + (1 - a ^+ 2) * L + 3%:R * a ^+ 2 * L = 3%:R.
  transitivity (\sum_(i : 'I_4 | i != ord0) \sum_k Phi i k * z k); last by rewrite -leaves; apply: eq_bigr => i _.
  under eq_bigr => i i0 do rewrite star_leaf // -/L -[a * _]mul1r -[a ^+ 2 * L]mul1r.
  by rewrite !big_split /= -!mulr_suml -mulr_sumr leaves !mulrA.
have z0 : (1 + a) * z ord0 = 1 - a * 2%:R.
  have a1 : 1 - a != 0 by rewrite subr_eq0 eq_sym lt_eqF.
  apply: (mulfI a1); have -> : z ord0 = 1 - a * L by rewrite -centre addrK.
  have LE : (1 - a ^+ 2) * L = 3%:R * (1 - a).
    have z0E : z ord0 = 1 - a * L by rewrite -centre addrK.
    have -> : (1 - a ^+ 2) * L = 3%:R * a * z ord0 + (1 - a ^+ 2) * L + 3%:R * a ^+ 2 * L - 3%:R * a by rewrite z0E; by_ring R.
    by rewrite total; by_ring R.
  transitivity ((1 - a) * (1 + a) - a * ((1 - a ^+ 2) * L)); first by by_ring R.
  by rewrite LE; by_ring R.
have : 0 <= (1 + a) * z ord0 by rewrite mulr_ge0 // addr_ge0 ?ler01 // ltW.
by rewrite z0 subr_ge0 leNgt a_big.
Qed.

Lemma star_injective z : (forall i, \sum_k Phi i k * z k = 0) -> forall k, z k = 0.
Proof.
move=> z_0; have centre := z_0 ord0; rewrite star_centre in centre.
have sq : 1 - a ^+ 2 != 0 by rewrite subr_eq0 eq_sym lt_eqF // expr_lt1 // ltW.
have leaf k : k != ord0 -> z k = 0.
  move=> k0; have := z_0 k; rewrite star_leaf // => zk; apply: (mulfI sq); rewrite mulr0 -zk.
  transitivity ((1 - a ^+ 2) * z k + a * (z ord0 + a * (\sum_(k | k != ord0) z k))); first by rewrite centre mulr0 addr0.
  by move: (\sum_(k | _) z k) => L; by_ring R.
move=> k; have [->|k0] := eqVneq k ord0; last exact: leaf.
by move: centre; rewrite big1 ?mulr0 ?addr0.
Qed.

(* q is y Phi for the y with 1 / sum Phi for each answer, and for no other. *)
Theorem bounds_not_met : 1 < a * 2%:R -> exists q, [/\ distribution q, regular Phi q &
  forall (O : finType) (M : 'I_4 -> O -> R) (T : O -> 'I_4 -> R) y, mechanism Phi M -> channel T -> combines Phi y q ->
    remap_utility q M T < \sum_i y i].
Proof.
move=> a_big; have PhiP := graph_constraint_matrix star_sym a_gt0 a_lt1; have [ge0 sym one _ _] := PhiP.
pose total := \sum_i row_sum Phi i; have total_gt0 : 0 < total.
  by rewrite /total (bigD1 ord0) //= ltr_paddr ?(row_sum_gt0 PhiP) // sumr_ge0 // => i _; rewrite ltW // (row_sum_gt0 PhiP).
pose y := fun _ : 'I_4 => total^-1; have y_gt0 i : 0 < y i by rewrite invr_gt0.
have y_ge0 i : 0 <= y i by exact: ltW.
pose q k := \sum_i y i * Phi i k; have y_q : combines Phi y q by [].
exists q; split=> [||O M T y' M_mech T_channel y'_q].
- split=> [k|]; first by apply: sumr_ge0 => i _; rewrite mulr_ge0.
  by rewrite exchange_big /=; under eq_bigr => i _ do rewrite -mulr_sumr; rewrite -mulr_sumr mulVf // gt_eqF.
- by exists y.
have -> : \sum_i y' i = \sum_i y i.
  apply: eq_bigr => i _; apply/eqP; rewrite -subr_eq0; apply/eqP; move: i; apply: star_injective => k.
  transitivity (q k - q k); last exact: subrr.
  by rewrite {1}y'_q y_q -sumrB; apply: eq_bigr => i _; rewrite mulrBr [Phi k i]sym ![Phi i k * _]mulrC.
rewrite lt_neqAle (bounds_theorem1 M_mech T_channel y_ge0 y_q) andbT; apply/eqP => met.
by apply: (star_no_weighting a_big); apply/(bound_met_iff PhiP y_gt0 y_q); exists O, M, T.
Qed.

End Star.
