(* SPDX-License-Identifier: MIT *)
(* What universal optimality asks of a column, and what follows for the graph.                                *)
(*                                                                                                            *)
(*   tight M       on every edge one entry of a column is a times the other: one end is "up" from the other   *)
(*   single_ups M  two neighbours of v are not both up from v, unless the column is 0 there                   *)
(*   optimal_tight    universally optimal mechanisms are tight, for a loss that is 0 for the right guess,     *)
(*                    1 for a neighbour, at least 1 for the others: random response on the edge is a rival    *)
(*   path_rival       the rival from a path of three inputs, v in the middle                                  *)
(*   no_common_up     how it excludes common ups                                                              *)
(*   tight_two_colours, tight_acyclic, tight_degree                                                           *)
(*                    the graph is bipartite, has no cycle, and (deg v - 1) a <= 1                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric Form Walks Retracts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Tightness.
Variables (R : realFieldType) (p k : nat) (adjacent : rel 'I_p) (a : R) (M : 'M[R]_(p, k)).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

(* In every column y and on every edge one entry is a times the other.  (Another property than [tight] of TightConstraints.v.) *)
Definition tight := forall i j y, adjacent i j -> M i y = a * M j y \/ M j y = a * M i y.

(* If M(v,y) = a M(i,y) = a M(j,y) for two different neighbours i and j of v, then M(v,y) = 0. *)
Definition single_ups := forall v i j y, adjacent v i -> adjacent v j -> i != j ->
  M v y = a * M i y -> M v y = a * M j y -> M v y = 0.

Lemma one_plus_gt0 : 0 < 1 + a.
Proof. by rewrite addr_gt0 ?ltr01. Qed.

(* The least loss at an output on the edge of x and z is at least a/(1+a) (x+z), and only this when z = a x.  *)
Lemma edge_loss x z L : a * x <= z -> z <= L ->
  a / (1 + a) * (x + z) <= L /\ (L = a / (1 + a) * (x + z) -> z = a * x).
Proof.
move=> xz zL; have e : z - a / (1 + a) * (x + z) = (z - a * x) / (1 + a).
  by by_field R; apply/eqP; rewrite gt_eqF ?one_plus_gt0.
have Bz : a / (1 + a) * (x + z) <= z by rewrite -subr_ge0 e divr_ge0 ?subr_ge0 // ltW ?one_plus_gt0.
split=> [|LB]; first exact: le_trans zL.
apply/eqP; rewrite eq_le xz andbT -subr_le0 -(@pmulr_lle0 _ (1 + a)^-1) ?invr_gt0 ?one_plus_gt0 //.
by rewrite -e subr_le0 -LB.
Qed.

Lemma optimal_tight (l : 'M[R]_p) : simple_graph adjacent ->
  (forall i, l i i = 0) -> (forall i j, i != j -> 1 <= l i j) -> (forall i j, adjacent i j -> l i j = 1) ->
  universally_optimal_on adjacent a l M -> tight.
Proof.
move=> graph l_self l_other l_adjacent M_opt i j y ij.
have ji : adjacent j i by rewrite (adjacent_sym graph).
have /negPf i_neq_j := adjacent_neq graph ij; have [[M_ge0 M_sum1] M_priv _] := M_opt.
have l_ge0 g h : 0 <= l g h.
  by case: (eqVneq g h) => [->|/l_other]; [rewrite l_self | apply: le_trans].
have [||x x' _|g] := rival (n := 1) (f := fun x => x == j : nat)
    (s := [:: (i, 1); (j, 1)]) a_gt0 a_lt1 (fun o => if o is 0%N then i else j) M_opt.
- by rewrite /= ler01.
- by move=> x; case: (x == j).
- by case: (x == j); case: (x' == j); [constructor 1 | constructor 3 | constructor 2 | constructor 1].
under eq_bigr => x _ do rewrite !big_cons big_nil /= !mul1r addr0.
rewrite !big_cons !big_nil /= i_neq_j eqxx !big_ord_recr !big_ord0 /= !l_self !l_adjacent //.
rewrite /scale /dist /= => le_sum.
pose B x := a / (1 + a) * (M i x + M j x); pose L x := M i x * l i (g x) + M j x * l j (g x).
have L_low x : B x <= L x /\ (L x = B x -> M i x = a * M j x \/ M j x = a * M i x).
  have mulr_le1 c d : 0 <= c -> 1 <= d -> c <= c * d by move=> c_ge0 d_ge1; rewrite -{1}[c]mulr1 ler_wpmul2l.
  rewrite /L /B; case: (eqVneq i (g x)) => [gi|/l_other gi].
    rewrite -gi l_self mulr0 add0r l_adjacent // mulr1.
    by case: (edge_loss (M_priv _ _ x ji) (lexx _)) => ? tight_j; split=> // /tight_j; right.
  have [|//|B_le tight_i] := @edge_loss (M j x) (M i x) (L x); first exact: M_priv.
    by rewrite /L -[leLHS]addr0 ler_add ?mulr_le1 ?mulr_ge0.
  by rewrite [M i x + M j x]addrC; split=> // /tight_i; left.
have L_eq := equal_terms (fun x => proj1 (L_low x)) _ y.
apply: (proj2 (L_low y)); apply: L_eq; apply: le_trans le_sum _.
rewrite /B -mulr_sumr big_split /= !M_sum1 le_eqVlt; apply/orP; left; apply/eqP.
by by_field R; apply/eqP; rewrite gt_eqF ?one_plus_gt0.
Qed.

Section Consequences.
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent).
Hypotheses (M_st : stochastic M) (M_priv : private_on adjacent a M) (M_tight : tight).

Lemma positive_everywhere v x y : 0 < M v y -> 0 < M x y.
Proof.
move=> Mv_gt0; have [s s_path ->] := connectP (conn v x).
elim: s v Mv_gt0 s_path => [|h s IHs] v Mv_gt0 //= /andP[vh]; apply: IHs.
by apply: lt_le_trans (M_priv y _); [rewrite mulr_gt0 //; exact: Mv_gt0 | rewrite (adjacent_sym graph)].
Qed.

(* Rows sum to 1, so there is a column with positive entries only. *)
Lemma positive_column (v : 'I_p) : exists y, forall x, 0 < M x y.
Proof.
have [y|none] := pickP (fun y => M v y != 0).
  by move=> Mv; exists y => x; apply: (@positive_everywhere v); rewrite lt0r Mv (proj1 M_st).
have := proj2 M_st v; rewrite big1 => [/eqP|y _]; first by rewrite eq_sym oner_eq0.
by apply/eqP; have := none y => /negbFE.
Qed.

Lemma walk_powers n i j y : walk adjacent n i j ->
  exists e, exists2 f, n = (e + f)%N & M i y * a ^+ e = M j y * a ^+ f.
Proof.
elim: n i => [|n IHn] i /=; first by move=> /eqP ->; exists 0%N, 0%N.
case/existsP=> h /andP[ih /IHn[e [f -> hj]]]; case: (M_tight y ih) => [-> | hi].
  by exists e, f.+1; rewrite ?addnS // -mulrA hj exprS; by_ring R.
by exists e.+1, f; rewrite ?addSn // -hj hi exprS; by_ring R.
Qed.

Lemma closed_walk_even v n : walk adjacent n v v -> ~~ odd n.
Proof.
have [y y_gt0] := positive_column v; case/(walk_powers y) => e [f ->] /(mulfI (lt0r_neq0 (y_gt0 v))).
move/ieexprIn => -> //; first by rewrite addnn odd_double.
by rewrite lt_eqF.
Qed.

Lemma tight_colour v i j : adjacent i j -> odd (distance adjacent v i) != odd (distance adjacent v j).
Proof. by apply: even_walks_colour => // n; exact: closed_walk_even. Qed.

Lemma tight_two_colours : two_colours adjacent.
Proof.
have [v _|none] := pickP (fun _ : 'I_p => true).
  by exists (fun i => odd (distance adjacent v i)) => i j; exact: tight_colour.
by exists (fun _ => true) => i; have := none i.
Qed.

(* Rivals: v's colour goes to the middle of a path of three inputs, the neighbours of v in P to its first     *)
(* end, the rest of their colour to its last end.                                                             *)
Definition onto_path v (P : pred 'I_p) x : nat := if odd (distance adjacent v x) then (~~ P x).*2 else 1%N.

(* What the geometric mechanism of the path 0, 1, 2 costs at the input c when its output o costs F o. *)
Definition path_cost (c : nat) (F : nat -> R) : R := \sum_(o < 3) a ^+ dist c o * scale a 2 o * F o.

Lemma path_rival (l : 'M[R]_p) v P t s : universally_optimal_on adjacent a l M -> all (fun u => 0 <= u.2) s ->
  exists g : 'I_k -> 'I_p, \sum_y \sum_(u <- s) u.2 * (M u.1 y * l u.1 (g y)) <=
    \sum_(u <- s) u.2 * path_cost (onto_path v P u.1) (fun o => l u.1 (t o)).
Proof.
move=> M_opt s_ge0; apply: (rival a_gt0 a_lt1 _ M_opt s_ge0) => [x|x x' /(tight_colour v)].
  by rewrite /onto_path; case: ifP => _ //; case: (P x).
rewrite /onto_path; case: (odd (distance adjacent v x)); case: (odd (distance adjacent v x')) => // _.
  by case: (P x); [constructor 2 | constructor 3].
by case: (P x'); [constructor 3 | constructor 2].
Qed.

Lemma onto_path_middle v P : onto_path v P v = 1%N.
Proof. by rewrite /onto_path distance_self. Qed.

Lemma onto_path_end v P x : adjacent v x -> onto_path v P x = (~~ P x).*2.
Proof. by move=> vx; rewrite /onto_path (distance_adjacent graph conn vx). Qed.

Lemma path_cost0 F : path_cost 0 F = (F 0%N + a * (1 - a) * F 1%N + a ^+ 2 * F 2%N) / (1 + a).
Proof.
rewrite /path_cost !big_ord_recr big_ord0 /scale /dist /=.
by by_field R; apply/eqP; rewrite gt_eqF ?one_plus_gt0.
Qed.

Lemma path_cost1 F : path_cost 1 F = (a * F 0%N + (1 - a) * F 1%N + a * F 2%N) / (1 + a).
Proof.
rewrite /path_cost !big_ord_recr big_ord0 /scale /dist /=.
by by_field R; apply/eqP; rewrite gt_eqF ?one_plus_gt0.
Qed.

Lemma path_cost2 F : path_cost 2 F = (a ^+ 2 * F 0%N + a * (1 - a) * F 1%N + F 2%N) / (1 + a).
Proof.
rewrite /path_cost !big_ord_recr big_ord0 /scale /dist /=.
by by_field R; apply/eqP; rewrite gt_eqF ?one_plus_gt0.
Qed.

(* Losses G of M against the bound F of the rival: where i and j are both up from v, G is larger.             *)
Lemma no_common_up v i j y (F G : 'I_k -> R) : adjacent v i -> adjacent v j ->
  (forall x, F x + (M i x - a * M v x) <= G x \/ F x + (M j x - a * M v x) <= G x) -> \sum_x G x <= \sum_x F x ->
  M v y = a * M i y -> M v y = a * M j y -> M v y = 0.
Proof.
move=> vi vj low le_sum up_i up_j.
have F_le x : F x <= G x.
  by case: (low x); apply: le_trans; rewrite ler_addl subr_ge0 M_priv // (adjacent_sym graph).
have {le_sum} GF := equal_terms F_le le_sum y.
have zero u : M v y = a * M u y -> F y + (M u y - a * M v y) <= G y -> M v y = 0.
  move=> up; rewrite GF ger_addl up mulrA -{1}[M u y]mul1r -mulrBl => u_le0.
  suff -> : M u y = 0 by rewrite mulr0.
  apply/eqP; rewrite eq_le (proj1 M_st) andbT -(@pmulr_rle0 _ (1 - a * a)) //.
  by rewrite subr_gt0 -expr2 expr_lt1 // ltW.
by case: (low y); apply: zero.
Qed.

Hypothesis M_single : single_ups.

(* Take the smallest entry on a cycle: both neighbours there would be up. *)
Lemma tight_acyclic : acyclic adjacent.
Proof.
move=> c /andP[c_cycle c_uniq]; rewrite leqNgt; apply/negP => c_long.
case: c c_cycle c_uniq c_long => [|v0 c0] //; set c := v0 :: c0 => c_cycle c_uniq c_long.
have [y y_gt0] := positive_column v0.
case: (@arg_minP _ _ _ v0 (mem c) (fun i => M i y) (mem_head _ _)) => v v_c v_min.
have [r s rot_c] := rot_to v_c.
have : cycle adjacent (v :: s) by rewrite -rot_c rot_cycle.
have : uniq (v :: s) by rewrite -rot_c rot_uniq.
have : (2 < size (v :: s))%N by rewrite -rot_c size_rot.
have s_c x : x \in v :: s -> M v y <= M x y by rewrite -rot_c mem_rot => /v_min.
have up x : adjacent v x -> x \in v :: s -> M v y = a * M x y.
  move=> vx /s_c v_le; case: (M_tight y vx) => // Mx.
  by move: v_le; rewrite Mx ler_pmull ?y_gt0 // leNgt a_lt1.
case: s rot_c s_c up => [|i [|j s]] // rot_c s_c up _ /= /and3P[_ i_notin _] /andP[vi].
rewrite rcons_path /= => /andP[_] /andP[_ last_v].
have last_in : last j s \in j :: s by exact: mem_last.
suff : M v y = 0 by move=> Mv; have := y_gt0 v; rewrite Mv ltxx.
apply: (M_single (i := i) (j := last j s)) => //.
- by rewrite (adjacent_sym graph).
- by apply: contraNneq i_notin => ->.
- by apply: up => //; rewrite !inE eqxx orbT.
- by apply: up; [rewrite (adjacent_sym graph) | rewrite !inE -in_cons last_in !orbT].
Qed.

(* The ups of the neighbours of v are disjoint, each of mass a/(1+a) in row v. *)
Lemma tight_degree v : ((degree adjacent v)%:R - 1) * a <= 1.
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
have column y : \sum_(u | adjacent v u) (M u y - a * M v y) <= (a^-1 - a) * M v y.
  have right_ge0 : 0 <= (a^-1 - a) * M v y.
    rewrite mulr_ge0 ?(proj1 M_st) // subr_ge0 -[a^-1]mul1r ler_pdivl_mulr //.
    by rewrite -expr2 expr_le1 // ltW.
  have [u /andP[vu /eqP up]|none] := pickP (fun u => adjacent v u && (M v y == a * M u y)).
    rewrite (bigD1 u) //= big1 ?addr0 => [|j /andP[vj ju]].
      by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite up; by_field R; apply/eqP.
    case: (M_tight y vj) => [Mv|-> //]; last by rewrite subrr.
    have v0 : M v y = 0 by apply: (M_single vj vu ju).
    by apply/eqP; rewrite v0 mulr0 subr0; move/eqP: Mv; rewrite v0 eq_sym mulf_eq0 (negPf a_neq0).
  rewrite big1 // => u vu; case: (M_tight y vu) => [Mv|->]; last by rewrite subrr.
  by have := none u; rewrite vu Mv eqxx.
have : \sum_y \sum_(u | adjacent v u) (M u y - a * M v y) <= a^-1 - a.
  by rewrite -[leRHS]mulr1 -(proj2 M_st v) mulr_sumr; apply: ler_sum => y _; exact: column.
rewrite exchange_big /=.
under eq_bigr => u _ do rewrite sumrB -mulr_sumr !(proj2 M_st) mulr1.
rewrite (sumr_const (adjacent v)) -/(degree adjacent v) => le_sum.
rewrite -mulr_natl in le_sum.
set d := (degree adjacent v)%:R in le_sum *; rewrite -subr_ge0 -(@pmulr_rge0 _ ((1 - a) / a)); last first.
  by rewrite divr_gt0 ?subr_gt0.
have -> : (1 - a) / a * (1 - (d - 1) * a) = a^-1 - a - d * (1 - a) by by_field R; apply/eqP.
by rewrite subr_ge0.
Qed.

End Consequences.
End Tightness.
