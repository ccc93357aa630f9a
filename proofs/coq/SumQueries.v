(* SPDX-License-Identifier: MIT *)
(* Sum queries and the discrete metric (Fernandes and others, 10).                                            *)
(*                                                                                                            *)
(*   discrete_induced_iff   a query induces the discrete metric from the Hamming metric exactly when any two  *)
(*                          of its values are values at two databases that differ in one row                  *)
(*   discrete_lipschitz     every query is 1-Lipschitz into the discrete metric                                *)
(*   sum_not_discrete       a sum over two or more rows with finitely many values (at least two) does not     *)
(*   group_sum_discrete     a sum whose rows have all values of a group, as all integers, does                *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism InducedMetric.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section SumQueries.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).

(* The levels of the two metrics. *)
Definition hamming_level (D : eqType) (d d' : {ffun 'I_n -> D}) : R := a ^+ hamming d d'.

(* That of the discrete metric: any two different values have the distance 1, so the level a. *)
Definition discrete_on (Y : eqType) (y y' : Y) : R := if y == y' then 1 else a.

Lemma hamming0 (D : eqType) (d d' : {ffun 'I_n -> D}) : hamming d d' = 0%N -> d = d'.
Proof.
move=> ham0; apply/ffunP => i; apply/eqP; move/eqP: ham0; rewrite /hamming (bigD1 i) //= addn_eq0 => /andP[].
by case: (d i == d' i).
Qed.

Lemma power_inj k m : a ^+ k = a ^+ m -> k = m.
Proof.
move=> eq; apply/eqP; rewrite eqn_leq -!(ler_iexpn2l a_gt0 a_lt1) eq lexx //.
Qed.

Section Query.
Variables (D Y : eqType) (f : {ffun 'I_n -> D} -> Y).

(* Every query is 1-Lipschitz into the discrete metric. *)
Theorem discrete_lipschitz d d' : hamming_level d d' <= discrete_on (f d) (f d').
Proof.
rewrite /hamming_level /discrete_on; case: eqP => [_|fd]; first by rewrite exprn_ile1 // ltW.
case ham: (hamming d d') => [|k]; first by case: fd; rewrite (hamming0 ham).
by rewrite exprS ger_pmulr // exprn_ile1 // ltW.
Qed.

(* y and y' are the values of f at two databases that differ in exactly one row. *)
Definition one_row (y y' : Y) := exists d d', [/\ f d = y, f d' = y' & hamming d d' = 1%N].

Lemma path_weight y y' c : path_level f (@hamming_level D) y y' c -> exists k, [/\ c = a ^+ k, (k = 0)%N -> y = y' &
  (k = 1)%N -> y = y' \/ one_row y y'].
Proof.
elim=> {y y' c} [y|d d' y c _ [k [-> k0 k1]]]; first by exists 0%N; split; rewrite ?expr0 //; left.
exists (hamming d d' + k)%N; split; first by rewrite exprD.
- by move=> /eqP; rewrite addn_eq0 => /andP[/eqP/hamming0 -> /eqP/k0].
- case ham: (hamming d d') => [|[|m]] //; first by rewrite (hamming0 ham) add0n.
  by move=> /eqP; rewrite add1n eqSS => /eqP/k0 <-; right; exists d, d'.
Qed.

Theorem discrete_induced_iff :
  induced f (@hamming_level D) (@discrete_on Y) <-> forall y y', y != y' -> one_row y y'.
Proof.
have a_le1 := ltW a_lt1; split=> [[_ attained] y y' yy'|near].
  have [k [k_def _ k1]] := path_weight (attained y y'); move: k_def; rewrite /discrete_on (negPf yy') -[X in X = _]expr1.
  by move/power_inj/esym/k1 => -[y_y'|//]; rewrite y_y' eqxx in yy'.
split=> [y y' c /path_weight[k [-> k0 _]]|y y'].
  rewrite /discrete_on; have [_|yy'] := eqVneq y y'; first by rewrite exprn_ile1 // ltW.
  case: k k0 => [/(_ erefl) y_y'|k _]; first by rewrite y_y' eqxx in yy'.
  by rewrite exprS ger_pmulr // exprn_ile1 // ltW.
rewrite /discrete_on; have [->|/near[d [d' [<- <- ham]]]] := eqVneq y y'; first exact: path_here.
have -> : a = hamming_level d d' * 1 by rewrite /hamming_level ham expr1 mulr1.
by apply: path_step; exact: path_here.
Qed.

End Query.

(* The values of the query may have any names: f tells apart what the sum tells apart. *)
Theorem sum_not_discrete (D : finType) (Y : eqType) (f : {ffun 'I_n -> D} -> Y) (v : D -> R) :
  (1 < n)%N -> (exists t t', v t != v t') -> (forall d d', f d = f d' <-> \sum_i v (d i) = \sum_i v (d' i)) ->
  ~ induced f (@hamming_level D) (@discrete_on Y).
Proof.
move=> n_gt1 [t0 [t0' v_differ]] f_sum /discrete_induced_iff near.
pose low := [arg min_(t < t0) v t]%O; pose high := [arg max_(t > t0) v t]%O.
have low_le t : v low <= v t by rewrite /low; case: arg_minP => // s _; apply.
have le_high t : v t <= v high by rewrite /high; case: arg_maxP => // s _; apply.
have apart : v low != v high.
  apply: contra_neq v_differ => same; apply/eqP; rewrite eq_le.
  by rewrite (le_trans (le_high t0)) -?same ?low_le //= (le_trans (le_high t0')) -?same ?low_le.
have n_gt0 : (0 < n)%N by exact: ltnW.
have at_low (d : {ffun 'I_n -> D}) : f d = f [ffun=> low] -> forall i, v (d i) = v low.
  move=> /f_sum sums i; have ge0 k : true -> 0 <= v (d k) - v low by rewrite subr_ge0.
  apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (psumr_eq0P ge0) => //.
  rewrite sumrB sums; apply/eqP; rewrite subr_eq0; apply/eqP; apply: eq_bigr => k _.
  by rewrite ffunE.
have at_high (d : {ffun 'I_n -> D}) : f d = f [ffun=> high] -> forall i, v (d i) = v high.
  move=> /f_sum sums i; have ge0 k : true -> 0 <= v high - v (d k) by rewrite subr_ge0.
  apply/eqP; rewrite eq_sym -subr_eq0; apply/eqP; apply: (psumr_eq0P ge0) => //.
  rewrite sumrB sums; apply/eqP; rewrite subr_eq0; apply/eqP; apply: eq_bigr => k _.
  by rewrite ffunE.
have [|d [d' [d_low d'_high ham]]] := near (f [ffun=> low]) (f [ffun=> high]).
  apply: contra_neq apart => same.
  by have := at_high [ffun=> low] same (Ordinal n_gt0); rewrite ffunE.
have all_differ i : d i != d' i.
  by apply: contra_neq apart => same; rewrite -(at_low d d_low i) -(at_high d' d'_high i) same.
move: ham; rewrite /hamming; under eq_bigr => i _ do rewrite all_differ.
by rewrite sum1_card card_ord => n1; rewrite n1 in n_gt1.
Qed.

Theorem group_sum_discrete (D : zmodType) : (0 < n)%N ->
  induced (fun d : {ffun 'I_n -> D} => \sum_i d i) (@hamming_level D) (@discrete_on D).
Proof.
move=> n_gt0; apply/discrete_induced_iff => y y' yy'; pose o := Ordinal n_gt0.
pose at0 (x : D) : {ffun 'I_n -> D} := [ffun i => if i == o then x else 0].
have at0_sum x : \sum_i at0 x i = x.
  by rewrite (bigD1 o) //= ffunE eqxx big1 ?addr0 // => i /negPf i_o; rewrite ffunE i_o.
exists (at0 y), (at0 y'); split=> //.
rewrite /hamming (bigD1 o) //= !ffunE eqxx yy' big1 // => i /negPf i_o.
by rewrite !ffunE i_o eqxx.
Qed.

End SumQueries.
