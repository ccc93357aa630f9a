(* SPDX-License-Identifier: MIT *)
(* Metrics say more than graphs (Fernandes and others, end of 3.2): three inputs at the positions 0, 1, 3.    *)
(*                                                                                                            *)
(*   uneven_level       e(i,j) = a^|x_i - x_j| for these positions                                            *)
(*   metric_not_graph   no graph of neighbours has the same private mechanisms, at any level                  *)
(*                                                                                                            *)
(* Proof.  Say whether the input is in S, truly with the weight 1 against t.  For S = {1, 2} and t = a^2 this  *)
(* is not private, so the level b of the graph is more than a^2; for S = {0, 1} and t = a^3 neither, so input  *)
(* 2 has a neighbour.  But for S = {0, 1} and t = a^2 it is private.                                          *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Refinement.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Uneven.
Variables (R : realFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

(* The inputs 0, 1, 2 are at the positions 0, 1, 3. *)
Definition position (i : 'I_3) : nat := nth 0%N [:: 0; 1; 3]%N i.

(* The level of two inputs for the distance of their positions, a^|x_i - x_j|. *)
Definition uneven_level (i j : 'I_3) : R := a ^+ dist (position i) (position j).

(* Whether the input is in S. *)
(* Output 0 says that it is, output 1 that it is not; the true one has the weight 1, the other the weight t. *)
Definition report (S : {set 'I_3}) (t : R) : 'M[R]_(3, 2) :=
  \matrix_(i, r) ((if (i \in S) == (r == ord0) then 1 else t) / (1 + t)).

Lemma report_stochastic S t : 0 < t -> stochastic (report S t).
Proof.
move=> t_gt0; have t1_gt0 : 0 < 1 + t by rewrite addr_gt0 ?ltr01.
split=> [i r|i]; first by rewrite mxE divr_ge0 ?(ltW t1_gt0) //; case: ifP => _; rewrite ?ler01 // ltW.
rewrite !big_ord_recl big_ord0 !mxE addr0 -mulrDl /=.
by case: (i \in S); rewrite /= ?[t + 1]addrC divff // gt_eqF.
Qed.

Lemma report_private (e : 'I_3 -> 'I_3 -> R) (S : {set 'I_3}) t : 0 < t -> t <= 1 -> (forall i j, 0 <= e i j) ->
  (forall i j, e i j <= 1) -> (forall i j, (i \in S) != (j \in S) -> e i j <= t) -> metric_private e (report S t).
Proof.
move=> t_gt0 t_le1 e_ge0 e_le1 e_le i j r; rewrite !mxE mulrA ler_pmul2r ?invr_gt0 ?addr_gt0 ?ltr01 //.
have := e_le i j; have := e_le1 i j; have := e_ge0 i j; have t_ge0 := ltW t_gt0.
case: (i \in S); case: (j \in S); case: (r == ord0) => //= e0 e1 et.
all: rewrite ?mulr1 ?et //; try by rewrite ler_pimull.
all: by apply: mulr_ile1.
Qed.

(* A graph forbids the report only at inputs on both sides. *)
Lemma report_violated (adjacent : rel 'I_3) (b t : R) (S : {set 'I_3}) : 0 < t -> t <= 1 -> b <= 1 ->
  ~ private_on adjacent b (report S t) -> exists i j, [/\ adjacent i j, (i \in S) != (j \in S) & t < b].
Proof.
move=> t_gt0 t_le1 b_le1 not_private.
case: (boolP [exists i, [exists j, [&& adjacent i j, (i \in S) != (j \in S) & t < b]]]).
  by case/existsP=> i /existsP[j /and3P[]]; exists i, j.
rewrite negb_exists => /forallP none; case: not_private => i j r ij.
rewrite !mxE mulrA ler_pmul2r ?invr_gt0 ?addr_gt0 ?ltr01 //.
have := none i; rewrite negb_exists => /forallP/(_ j); rewrite ij /=.
have bt : b * t <= t by rewrite ler_pimull // ltW.
have bt1 : b * t <= 1 by apply: le_trans bt t_le1.
case: (i \in S); case: (j \in S); case: (r == ord0); rewrite /= ?mulr1 -?leNgt //.
all: by move=> *.
Qed.

Theorem metric_not_graph (adjacent : rel 'I_3) (b : R) :
  ~ (forall m (X : 'M[R]_(3, m)), stochastic X -> private_on adjacent b X <-> metric_private uneven_level X).
Proof.
move=> same; pose x0 : 'I_3 := inord 0; pose x1 : 'I_3 := inord 1; pose x2 : 'I_3 := inord 2.
have pos k : 0 < a ^+ k by rewrite exprn_gt0.
have le1 k : a ^+ k <= 1 by apply: exprn_ile1; exact: ltW.
have three i : [\/ i = x0, i = x1 | i = x2].
  case: i => [[|[|[|//]]] i_lt]; [constructor 1 | constructor 2 | constructor 3]; apply/val_inj; rewrite /= inordK //.
have [p0 p1 p2] : [/\ position x0 = 0, position x1 = 1 & position x2 = 3]%N by rewrite /position !inordK.
have [n01 n02 n12] : [/\ x0 != x1, x0 != x2 & x1 != x2] by rewrite -!val_eqE /= !inordK.
have e_ge0 i j : 0 <= uneven_level i j by apply: ltW; exact: pos.
have e_le1 i j : uneven_level i j <= 1 by exact: le1.
(* No graph has a level above 1, unless it has no edge at all. *)
have const_st : stochastic (const_mx 1 : 'M[R]_(3, 1)) by split=> [i r|i]; rewrite ?big_ord1 mxE // ler01.
have b_le1 i j : adjacent i j -> b <= 1.
  have [_ /(_ _)] := same _ _ const_st => to_graph ij.
  have := to_graph _ i j ord0 ij; rewrite !mxE mulr1; apply=> x y r.
  by rewrite !mxE mulr1.
have fails S t : 0 < t -> t <= 1 -> ~ metric_private uneven_level (report S t) ->
    exists i j, [/\ adjacent i j, (i \in S) != (j \in S) & t < b].
  move=> t_gt0 t_le1 not_private; have [to_metric _] := same _ _ (report_stochastic S t_gt0).
  have not_graph : ~ private_on adjacent b (report S t) by move/to_metric.
  case: (boolP [exists i, [exists j, adjacent i j]]) => [/existsP[i /existsP[j /b_le1 b1]]|none].
    exact: report_violated.
  case: not_graph => i j r ij; case/negP: none; apply/existsP; exists i; apply/existsP; by exists j.
have less k l : (k < l)%N -> (a ^+ k <= a ^+ l) = false by move=> kl; rewrite leNgt ltr_iexpn2l // kl.
have at_step x y k t : x != y -> uneven_level x y = a ^+ k -> 0 < t ->
    metric_private uneven_level (report [set x] t) -> a ^+ k <= t.
  move=> xy e_xy t_gt0 /(_ x y ord_max); rewrite e_xy !mxE !inE eqxx [y == x]eq_sym (negPf xy) /= mulrA.
  by rewrite mulr1 ler_pmul2r // invr_gt0 addr_gt0 ?ltr01.
have [||priv|i [j [_ _ a2_b]]] := @fails [set x0] (a ^+ 2) _ _; first exact: pos.
- exact: le1.
- have := at_step x0 x1 1%N _ n01 _ (pos 2%N) priv; rewrite less // => /(_ _)/notF; apply.
  by rewrite /uneven_level p0 p1.
have [||priv|k [l [kl cut _]]] := @fails [set x2] (a ^+ 3) _ _; first exact: pos.
- exact: le1.
- have := at_step x2 x1 2%N _ _ _ (pos 3%N) priv; rewrite less // eq_sym n12 => /(_ isT)/(_ _)/notF; apply.
  by rewrite /uneven_level p2 p1.
have priv2 : metric_private uneven_level (report [set x2] (a ^+ 2)).
  apply: report_private => // x y; rewrite !inE.
  by case: (three x) => ->; case: (three y) => ->; rewrite ?eqxx ?(negPf n02) ?(negPf n12) //= => _;
     rewrite /uneven_level ?p0 ?p1 ?p2 ler_wiexpn2l // ltW.
have [_ /(_ priv2)/(_ k l)] := same _ _ (report_stochastic [set x2] (pos 2%N)).
move=> /(_ (if k \in [set x2] then ord_max else ord0) kl); rewrite !mxE mulrA ler_pmul2r ?invr_gt0 ?addr_gt0 ?ltr01 //.
by case: (k \in _) cut; case: (l \in _) => //= _; rewrite mulr1 leNgt a2_b.
Qed.

End Uneven.
