(* SPDX-License-Identifier: MIT *)
(* Graphs with a universally optimal mechanism for the distance loss are paths.                               *)
(*                                                                                                            *)
(*   distance_loss       the loss of guess r at input i is their distance in the graph                        *)
(*   distance_acyclic    no cycle                                                                             *)
(*   distance_degree     and no input has three neighbours: the graph is a path                               *)
(*                                                                                                            *)
(* Proof.  Columns are tight ([optimal_tight]) and two neighbours of v are never both up from v: for the      *)
(* weights 1 on both the path's geometric mechanism loses 2a, and M loses at least 2a M_vy at output y.       *)
(* So the graph has no cycle, and 3a <= 1 + a when v has three neighbours 1, 2, 3.  Then, for weights a^2,    *)
(* a^2, 1 on them, M loses at least A (M_1y + M_2y) + C M_vy at output y, with A = a^2 (2 - 3a^2)/(1 - a^2)   *)
(* and C = 2a^5/(1 - a^2), in all 2A + C; the geometric mechanism of the path with 1 and 2 at one end, 3 at   *)
(* the other, loses a^2 (3 + 4a)/(1 + a), which is less by a^2 (1 - 2a^2)/(1 + a) > 0.                        *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Walks Retracts Tightness.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The loss of the guess r at the input i: the length of a shortest walk between them in the graph; p if there is none. *)
Definition distance_loss (R : realFieldType) p (adjacent : rel 'I_p) : 'M[R]_p :=
  \matrix_(i, r) (distance adjacent i r)%:R.

(* The lower bound of the star, up to the factor 1 - a^2.  The entries of a column are xv in the middle and   *)
(* x1, x2, x3 at the leaves, at most one of which is up; the losses are those of the guesses 1, 2, 3 and v.   *)
Section Star.
Variables (R : realFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (a_small : 0 <= 1 - 2%:R * a ^+ 2).
Add Field R_field : (field_theory_of R).

Lemma star_bound (x1 x2 x3 xv loss : R) : 0 <= x1 -> 0 <= x2 -> 0 <= x3 -> 0 <= xv ->
  [\/ [/\ x1 = a * xv, x2 = a * xv & x3 = a * xv], [/\ xv = a * x1, x2 = a * xv & x3 = a * xv],
      [/\ xv = a * x2, x1 = a * xv & x3 = a * xv] | [/\ xv = a * x3, x1 = a * xv & x2 = a * xv]] ->
  [\/ 2%:R * (a ^+ 2 * x2 + x3) <= loss, 2%:R * (a ^+ 2 * x1 + x3) <= loss, 2%:R * (a ^+ 2 * (x1 + x2)) <= loss
    | a ^+ 2 * (x1 + x2) + x3 <= loss] ->
  a ^+ 2 * (2%:R - 3%:R * a ^+ 2) * (x1 + x2) + 2%:R * a ^+ 5 * xv <= (1 - a ^+ 2) * loss.
Proof.
move=> x1_ge0 x2_ge0 x3_ge0 xv_ge0 classes guesses; have a_ge0 := ltW a_gt0.
have sq_ge0 : 0 <= a ^+ 2 by rewrite exprn_ge0.
have q_ge0 : 0 <= 1 - a ^+ 2 by rewrite subr_ge0 expr_le1 // ltW.
have q1_ge0 : 0 <= 1 + (1 - a ^+ 2) by apply: addr_ge0 => //; exact: ler01.
have s1_ge0 : 0 <= 1 + a ^+ 2 by apply: addr_ge0 => //; exact: ler01.
suff [s -> s_le] : exists2 s, a ^+ 2 * (2%:R - 3%:R * a ^+ 2) * (x1 + x2) + 2%:R * a ^+ 5 * xv = (1 - a ^+ 2) * s
    & s <= loss by rewrite ler_wpmul2l.
case: classes => [] [e e' e''].
- exists (4%:R * a ^+ 3 * xv); first by rewrite e e'; by_ring R.
  case: guesses; apply: le_trans; rewrite -subr_ge0 ?e ?e' ?e''.
  + by rewrite (_ : _ - _ = 2%:R * (a * xv) * (1 - a ^+ 2)) ?mulr_ge0 ?ler0n //; by_ring R.
  + by rewrite (_ : _ - _ = 2%:R * (a * xv) * (1 - a ^+ 2)) ?mulr_ge0 ?ler0n //; by_ring R.
  + by rewrite (_ : _ - _ = 0) //; by_ring R.
  + by rewrite (_ : _ - _ = a * xv * (1 - 2%:R * a ^+ 2)) ?mulr_ge0 //; by_ring R.
- exists (a ^+ 2 * (2%:R + a ^+ 2) * x1); first by rewrite e' e; by_ring R.
  case: guesses; apply: le_trans; rewrite -subr_ge0 ?e' ?e'' e.
  + by rewrite (_ : _ - _ = a ^+ 2 * a ^+ 2 * x1) ?mulr_ge0 //; by_ring R.
  + by rewrite (_ : _ - _ = a ^+ 2 * (1 + (1 - a ^+ 2)) * x1) ?mulr_ge0 //; by_ring R.
  + by rewrite (_ : _ - _ = a ^+ 2 * a ^+ 2 * x1) ?mulr_ge0 //; by_ring R.
  + by rewrite (_ : _ - _ = 0) //; by_ring R.
- exists (a ^+ 2 * (2%:R + a ^+ 2) * x2); first by rewrite e' e; by_ring R.
  case: guesses; apply: le_trans; rewrite -subr_ge0 ?e' ?e'' e.
  + by rewrite (_ : _ - _ = a ^+ 2 * (1 + (1 - a ^+ 2)) * x2) ?mulr_ge0 //; by_ring R.
  + by rewrite (_ : _ - _ = a ^+ 2 * a ^+ 2 * x2) ?mulr_ge0 //; by_ring R.
  + by rewrite (_ : _ - _ = a ^+ 2 * a ^+ 2 * x2) ?mulr_ge0 //; by_ring R.
  + by rewrite (_ : _ - _ = 0) //; by_ring R.
exists (4%:R * (a ^+ 2 * a ^+ 2) * x3); first by rewrite e' e'' e; by_ring R.
case: guesses; apply: le_trans; rewrite -subr_ge0 ?e' ?e'' e.
- by rewrite (_ : _ - _ = 2%:R * x3 * ((1 - a ^+ 2) * (1 + a ^+ 2))) ?mulr_ge0 ?ler0n //; by_ring R.
- by rewrite (_ : _ - _ = 2%:R * x3 * ((1 - a ^+ 2) * (1 + a ^+ 2))) ?mulr_ge0 ?ler0n //; by_ring R.
- by rewrite (_ : _ - _ = 0) //; by_ring R.
rewrite (_ : _ - _ = x3 * ((1 - 2%:R * a ^+ 2) + 2%:R * (a ^+ 2 * (1 - a ^+ 2)))); last by by_ring R.
apply: mulr_ge0 => //; apply: addr_ge0 => //; apply: mulr_ge0; [exact: ler0n | exact: mulr_ge0].
Qed.

End Star.

Section DistanceLoss.
Variables (R : realFieldType) (p k : nat) (adjacent : rel 'I_p) (a : R) (M : 'M[R]_(p, k)).
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Hypothesis M_optimal : universally_optimal_on adjacent a (distance_loss R adjacent) M.
Add Field R_field : (field_theory_of R).

Local Notation distance := (distance adjacent).

Lemma distance_lossE i r : distance_loss R adjacent i r = (distance i r)%:R.
Proof. by rewrite mxE. Qed.

Lemma distance_tight : tight adjacent a M.
Proof.
apply: (optimal_tight a_gt0 a_lt1 graph) M_optimal => [i|i j ij|i j ij]; rewrite distance_lossE.
- by rewrite distance_self.
- by rewrite ler1n (distance_gt0 conn).
- by rewrite (distance_adjacent graph conn ij).
Qed.

Lemma distance_path_rival v P t s : all (fun u => 0 <= u.2) s ->
  exists g : 'I_k -> 'I_p, \sum_y \sum_(u <- s) u.2 * (M u.1 y * distance_loss R adjacent u.1 (g y)) <=
    \sum_(u <- s) u.2 * path_cost a (onto_path adjacent v P u.1) (fun o => distance_loss R adjacent u.1 (t o)).
Proof.
have [M_st M_priv _] := M_optimal.
exact: (path_rival a_gt0 a_lt1 graph conn M_st M_priv distance_tight v P t M_optimal).
Qed.

(* Two neighbours of one input are at distance two. *)
Lemma distance_two v i j : adjacent v i -> adjacent v j -> i != j -> distance i j = 2%N.
Proof.
have [M_st M_priv _] := M_optimal => vi vj ij; apply/eqP; rewrite eqn_leq; apply/andP; split.
  apply: distance_min; apply: (walk_cat (m := 1)) (walk1 vj).
  by apply: walk1; rewrite (adjacent_sym graph).
have := distance_gt0 conn i j; rewrite ij; case E: (distance i j) => [|[|d]] // _.
have := tight_colour a_gt0 a_lt1 graph conn M_st M_priv distance_tight v (distance_one conn E).
by rewrite !(distance_adjacent graph conn).
Qed.

(* The weighted loss of a guess: its distance is 0 from one of the neighbours, or at least 1 from all.        *)
Lemma ler_distance (c : R) i h : 0 <= c -> i != h -> c <= c * (distance i h)%:R.
Proof. by move=> c_ge0 ih; rewrite -{1}[c]mulr1 ler_wpmul2l // ler1n (distance_gt0 conn). Qed.

Lemma distance_single_ups : single_ups adjacent a M.
Proof.
move=> v i j y vi vj ij; have [M_st M_priv _] := M_optimal; have [M_ge0 M_sum1] := M_st.
have iv : adjacent i v by rewrite (adjacent_sym graph).
have jv : adjacent j v by rewrite (adjacent_sym graph).
have [|g] := distance_path_rival v (pred1 i) (fun o => nth v [:: i; v; j] o) (s := [:: (i, 1); (j, 1)]).
  by rewrite /= ler01.
under eq_bigr => x _ do rewrite !big_cons big_nil /= !mul1r addr0 !distance_lossE.
rewrite !big_cons !big_nil /= !(onto_path_end graph conn) // !mul1r addr0 /= eqxx eq_sym ij /=.
rewrite path_cost0 // path_cost2 // !distance_lossE /= !distance_self.
have ji : j != i by rewrite eq_sym.
rewrite (distance_two vi vj ij) (distance_two vj vi ji) !(distance_adjacent graph conn) //.
set L := BIG_F => le_sum.
apply: (no_common_up a_gt0 a_lt1 graph M_st M_priv vi vj (F := fun x => a * (M v x + M v x)) (G := L)) => [x|].
  have xi := M_priv _ _ x iv; have xj := M_priv _ _ x jv.
  have ge0 (c d : R) : c <= d -> 0 <= d - c by rewrite subr_ge0.
  rewrite /L; case: (eqVneq i (g x)) => [<-|gi].
    right; rewrite distance_self (distance_two vj vi ji) -subr_ge0.
    by rewrite [leRHS](_ : _ = M j x - a * M v x) ?ge0 //; by_ring R.
  case: (eqVneq j (g x)) => [<-|gj].
    left; rewrite distance_self (distance_two vi vj ij) -subr_ge0.
    by rewrite [leRHS](_ : _ = M i x - a * M v x) ?ge0 //; by_ring R.
  left; apply: le_trans (ler_add (ler_distance (M_ge0 _ _) gi) (ler_distance (M_ge0 _ _) gj)).
  by rewrite -subr_ge0 [leRHS](_ : _ = M j x - a * M v x) ?ge0 //; by_ring R.
apply: le_trans le_sum _; rewrite -mulr_sumr big_split /= !M_sum1 le_eqVlt; apply/orP; left; apply/eqP.
by by_field R; apply/eqP; rewrite gt_eqF ?one_plus_gt0.
Qed.

Theorem distance_acyclic : acyclic adjacent.
Proof.
have [M_st M_priv _] := M_optimal.
exact: (tight_acyclic a_gt0 a_lt1 graph conn M_st M_priv distance_tight distance_single_ups).
Qed.

Theorem distance_degree v : (degree adjacent v <= 2)%N.
Proof.
rewrite leqNgt; apply/negP => deg_v; have [M_st M_priv _] := M_optimal; have [M_ge0 M_sum1] := M_st.
have a_ge0 := ltW a_gt0.
have a_small : 2%:R * a ^+ 2 < 1.
  apply: le_lt_trans a_lt1; rewrite expr2 mulrA -{3}[a]mul1r ler_wpmul2r //.
  apply: le_trans (tight_degree a_gt0 a_lt1 M_st distance_tight distance_single_ups v).
  by rewrite ler_wpmul2r // ler_subr_addr -mulrSr ler_nat.
have [i [j [h [[vi vj vh] [ij jh hi]]]]] := card_gt2P deg_v; rewrite !unfold_in /= in vi vj vh.
have ji : j != i by rewrite eq_sym.
have hj : h != j by rewrite eq_sym.
have ih : i != h by rewrite eq_sym.
have iv : adjacent i v by rewrite (adjacent_sym graph).
have jv : adjacent j v by rewrite (adjacent_sym graph).
have hv : adjacent h v by rewrite (adjacent_sym graph).
have sq_ge0 : 0 <= a ^+ 2 by rewrite exprn_ge0.
have [|g] := distance_path_rival v (pred2 i j) (fun o => nth v [:: v; h; h] o)
    (s := [:: (i, a ^+ 2); (j, a ^+ 2); (h, 1)]); first by rewrite /= sq_ge0 ler01.
under eq_bigr => x _ do rewrite !big_cons big_nil /= !mul1r addr0 !distance_lossE.
rewrite !big_cons !big_nil /= !(onto_path_end graph conn) // !mul1r addr0 /= !eqxx orbT /=.
rewrite [h == i]eq_sym (negPf ih) (negPf hj) /= !(path_cost0, path_cost2) // !distance_lossE /= !distance_self.
rewrite (distance_two vi vh ih) (distance_two vj vh jh) !(distance_adjacent graph conn) //.
set L := BIG_F; apply/negP; rewrite -ltNge.
have low x : a ^+ 2 * (2%:R - 3%:R * a ^+ 2) * (M i x + M j x) + 2%:R * a ^+ 5 * M v x <= (1 - a ^+ 2) * L x.
  apply: (@star_bound _ _ a_gt0 a_lt1 _ _ _ (M h x)) => //; first by rewrite subr_ge0 ltW.
    have up0 u u' : adjacent v u -> adjacent v u' -> u != u' -> M v x = a * M u x -> M v x = a * M u' x ->
        forall s, M v x = a * M s x -> M s x = a * M v x.
      move=> vu vu' uu' up up' s /eqP; rewrite (distance_single_ups vu vu' uu' up up') mulr0 eq_sym.
      by rewrite mulf_eq0 gt_eqF //= => /eqP.
    have tightv u := distance_tight x u.
    case: (tightv _ _ vi) (tightv _ _ vj) (tightv _ _ vh) => [] ui [] uj [] uh; try by constructor.
    - by constructor 1; split; apply: (up0 i j).
    - by constructor 1; split=> //; apply: (up0 i j).
    - by constructor 1; split=> //; apply: (up0 i h).
    - by constructor 1; split=> //; apply: (up0 j h).
  rewrite /L; case: (eqVneq i (g x)) => [<-|gi].
    constructor 1; rewrite distance_self (distance_two vj vi ji) (distance_two vh vi hi).
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
  case: (eqVneq j (g x)) => [<-|gj].
    constructor 2; rewrite distance_self (distance_two vi vj ij) (distance_two vh vj hj).
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
  case: (eqVneq h (g x)) => [<-|gh].
    constructor 3; rewrite distance_self (distance_two vi vh ih) (distance_two vj vh jh).
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
  constructor 4; rewrite mulrDr -addrA ler_add ?ler_wpmul2l ?ler_distance // ler_add ?ler_wpmul2l ?ler_distance //.
have one_minus_gt0 : 0 < 1 - a ^+ 2 by rewrite subr_gt0 expr_lt1.
have : \sum_x (a ^+ 2 * (2%:R - 3%:R * a ^+ 2) * (M i x + M j x) + 2%:R * a ^+ 5 * M v x) <= (1 - a ^+ 2) * \sum_x L x.
  by rewrite mulr_sumr; apply: ler_sum => x _; exact: low.
rewrite -(ltr_pmul2l one_minus_gt0) big_split /= -!mulr_sumr big_split /= !M_sum1; apply: lt_le_trans.
rewrite -subr_gt0 [ltRHS](_ : _ = a ^+ 2 * ((1 - a) * (1 - 2%:R * a ^+ 2))).
  by rewrite !mulr_gt0 ?exprn_gt0 // subr_gt0.
by by_field R; apply/eqP; rewrite gt_eqF ?one_plus_gt0.
Qed.

End DistanceLoss.
