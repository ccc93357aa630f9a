(* SPDX-License-Identifier: MIT *)
(* Appendix A, Lemma 6: oblivious mechanisms suffice.                                                         *)
(*                                                                                                            *)
(* A mechanism on databases gives a distribution x d for each database d; [average] replaces it by its mean   *)
(* over the databases with the same query result.                                                             *)
(*   average_private    if x is private towards neighbours and the neighbourhoods of results are regular, the *)
(*                      average is private towards neighbouring results                                       *)
(*   average_loss       its worst loss is at most that of x                                                   *)
(*   count_regular      the neighbourhoods of a counting query on databases D^n are regular                   *)
(*   lemma6             so for counting queries an oblivious mechanism does as well as any other              *)
(*   lemma6_optimal     one oblivious mechanism is optimal among all, for rows from any type                  *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric Losses Minimax.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Average.
Variables (R : realFieldType) (database : finType) (n m : nat).
Variables (neighbour : rel database) (query : database -> 'I_n.+1).
Implicit Types (d e : database) (u v : 'I_n.+1) (r : 'I_m).

(* Database d has [degree u v] neighbours of result v, whatever d of result u is taken. *)
Definition regular (degree : 'I_n.+1 -> 'I_n.+1 -> nat) :=
  forall u v, line u v -> (0 < degree u v)%N /\
    forall d, query d = u -> #|[set e | neighbour d e & query e == v]| = degree u v.

(* The databases with the query result u. *)
Definition class u := [set d | query d == u].

(* The oblivious mechanism of the proof of Lemma 6: its row u is the mean of the distributions x d over the databases d *)
(* with the result u.                                                                                                   *)
Definition average (x : database -> 'I_m -> R) : 'M[R]_(n.+1, m) :=
  \matrix_(u, r) ((\sum_(d in class u) x d r) / #|class u|%:R).

Variable degree : 'I_n.+1 -> 'I_n.+1 -> nat.
Hypotheses (neighbour_sym : symmetric neighbour) (is_regular : regular degree).
Hypothesis query_onto : forall u, exists d, query d = u.
Variable x : database -> 'I_m -> R.
Hypotheses (x_ge0 : forall d r, 0 <= x d r) (x_sum1 : forall d, \sum_r x d r = 1).

Lemma class_gt0 u : 0 < #|class u|%:R :> R.
Proof. by have [d du] := query_onto u; rewrite ltr0n; apply/card_gt0P; exists d; rewrite inE du. Qed.

Theorem average_stochastic : stochastic (average x).
Proof.
split=> [u r|u]; first by rewrite mxE divr_ge0 ?ler0n // sumr_ge0.
under eq_bigr => r _ do rewrite mxE.
rewrite -mulr_suml exchange_big /=; under eq_bigr => d _ do rewrite x_sum1.
by rewrite sumr_const divff // lt0r_neq0 // class_gt0.
Qed.

(* Summing over the pairs of neighbours between two classes counts every database of u degree u v times. *)
Lemma sum_neighbours u v (F : database -> R) : line u v ->
  \sum_(d in class u) \sum_(e | neighbour d e && (query e == v)) F d = (degree u v)%:R * \sum_(d in class u) F d.
Proof.
move=> uv; rewrite mulr_sumr; apply: eq_bigr => d; rewrite inE => /eqP du.
rewrite sumr_const -(proj2 (is_regular uv) d du) mulr_natl; congr (_ *+ _).
by apply: eq_card => e; rewrite !inE.
Qed.

Lemma sum_neighbours_sym u v (F : database -> R) : line u v ->
  \sum_(d in class u) \sum_(e | neighbour d e && (query e == v)) F e = (degree v u)%:R * \sum_(e in class v) F e.
Proof.
move=> uv; rewrite -sum_neighbours; last by rewrite /line orbC.
rewrite (exchange_big_dep (mem (class v))) /=; last by move=> d e _ /andP[_]; rewrite inE.
apply: eq_bigr => e; rewrite inE => /eqP ev; apply: eq_bigl => d.
by rewrite inE ev eqxx andbT neighbour_sym andbC.
Qed.

Theorem average_private (a : R) : (forall d e r, neighbour d e -> a * x e r <= x d r) -> private a (average x).
Proof.
move=> x_priv u v r uv; rewrite !mxE.
have [deg_gt0 _] := is_regular uv.
have sizes : (degree u v)%:R * #|class u|%:R = (degree v u)%:R * #|class v|%:R :> R.
  have := sum_neighbours_sym (fun=> 1) uv; rewrite (sum_neighbours (fun=> 1) uv) !sumr_const.
  by [].
have deg_gt0' : 0 < (degree u v)%:R :> R by rewrite ltr0n.
rewrite -(ler_pmul2l (mulr_gt0 deg_gt0' (class_gt0 u))) {1}sizes.
have cancel (k s t : R) : t != 0 -> k * t * (s / t) = k * s by move=> t_neq0; rewrite mulrCA -mulrA divff ?mulr1 // mulrC.
rewrite mulrCA !cancel ?lt0r_neq0 ?class_gt0 //.
rewrite -sum_neighbours_sym // -sum_neighbours // mulr_sumr; apply: ler_sum => d _.
by rewrite mulr_sumr; apply: ler_sum => e /andP[de _]; exact: x_priv.
Qed.

(* A mean is at most the largest of its terms. *)
Theorem average_loss (l : 'M[R]_(n.+1, m)) (S : {set 'I_n.+1}) (b : R) :
  (forall d, query d \in S -> \sum_r l (query d) r * x d r <= b) -> worst_loss_le S l (average x) b.
Proof.
move=> x_le u u_S; rewrite /loss_at; under eq_bigr => r _ do rewrite mxE mulrA mulr_sumr.
rewrite -mulr_suml exchange_big ler_pdivr_mulr ?class_gt0 //= mulr_natr -sumr_const.
by apply: ler_sum => d; rewrite inE => /eqP du; rewrite -du x_le // du.
Qed.

End Average.

(* Counting queries: databases have n rows from a domain D, and the query counts the rows with property P. *)
Section Counting.
Variables (D : finType) (P : pred D) (n : nat).
Local Notation database := {ffun 'I_n -> D}.
Implicit Types d e : database.

(* count_rows d is the number of rows of d with property P; counting d is the same number as one of 0, ..., n. *)
Definition count_rows d : nat := (\sum_i P (d i))%N.
Definition counting d : 'I_n.+1 := inord (count_rows d).

(* They differ in at most one row. *)
Definition differ_in_one d e := [exists i, [forall j, (j != i) ==> (d j == e j)]].

(* The database d with its row i replaced by t. *)
Definition update d (i : 'I_n) (t : D) : database := [ffun j => if j == i then t else d j].

Lemma countingE d : counting d = count_rows d :> nat.
Proof.
rewrite inordK // ltnS -[X in (_ <= X)%N]card_ord -sum1_card.
by apply: leq_sum => i _; case: (P _).
Qed.

Lemma differ_sym : symmetric differ_in_one.
Proof.
by move=> d e; apply: eq_existsb => i; apply: eq_forallb => j; rewrite eq_sym [d j == _]eq_sym.
Qed.

Lemma count_update d i t : (count_rows (update d i t) + P (d i) = count_rows d + P t)%N.
Proof.
rewrite /count_rows (bigD1 i) //= [in RHS](bigD1 i) //= ffunE eqxx addnAC [in RHS]addnAC [(P t + _)%N]addnC.
congr (_ + _)%N; apply: eq_bigr => j /negPf ji; by rewrite ffunE ji.
Qed.

(* To raise the count, one of the n - u rows without P gets one of the values with P. *)
Definition counting_degree (u v : 'I_n.+1) : nat :=
  if (u < v)%N then ((n - u) * #|[set t | P t]|)%N else (u * #|[set t | ~~ P t]|)%N.

Lemma card_rows d b : #|[set i | P (d i) == b]| = (if b then count_rows d else n - count_rows d)%N.
Proof.
have with_P : #|[set i | P (d i)]| = count_rows d.
  by rewrite /count_rows -sum1dep_card big_mkcond; apply: eq_bigr => i _; case: (P _).
case: b; first by rewrite -with_P; apply: eq_card => i; rewrite !inE eqb_id.
rewrite cardsCs card_ord -with_P; congr (_ - _)%N; apply: eq_card => i.
by rewrite !inE eqbF_neg negbK.
Qed.

(* The neighbours of d in class v are the updates of a row of one kind by a value of the other kind. *)
Lemma neighbours_update d (v : 'I_n.+1) (b := ~~ (counting d < v)%N) : line (counting d) v ->
  [set e | differ_in_one d e & counting e == v] =
  [set update d it.1 it.2 | it in setX [set i | P (d i) == b] [set t | P t == ~~ b]].
Proof.
move=> dv; apply/setP=> e; rewrite inE; apply/andP/imsetP => [[/existsP[i /forallP same] /eqP ev]|].
  have e_def : e = update d i (e i).
    apply/ffunP=> j; rewrite ffunE; case: eqP => [->//|/eqP ji].
    by have := same j; rewrite ji /= => /eqP.
  exists (i, e i) => //; rewrite inE /= !inE.
  have := count_update d i (e i); rewrite -e_def -!countingE ev; move: dv; rewrite /b /line.
  by case: ltnP => order; case: (P (d i)); case: (P (e i)) => //= /orP[] /eqP step count; exfalso; nat_lia.
case=> -[i t]; rewrite inE /= !inE => /andP[/eqP di /eqP Pt] ->; split.
  by apply/existsP; exists i; apply/forallP=> j; apply/implyP=> /negPf ji; rewrite ffunE ji.
apply/eqP/val_inj => /=; rewrite countingE.
have := count_update d i t; rewrite di Pt -!countingE; move: dv; rewrite /b /line.
by case: ltnP => order /= /orP[] /eqP step count; nat_lia.
Qed.

Hypotheses (some_with : exists t, P t) (some_without : exists t, ~~ P t).

Theorem count_regular : regular differ_in_one counting counting_degree.
Proof.
move=> u v uv; split.
  rewrite /counting_degree; have u_le := ltn_ord u; have v_le := ltn_ord v.
  case: (ltnP u v) => uv_order; rewrite muln_gt0; apply/andP; split.
  - by rewrite subn_gt0; nat_lia.
  - by have [t Pt] := some_with; apply/card_gt0P; exists t; rewrite inE.
  - by move: uv; rewrite /line => /orP[] /eqP step; nat_lia.
  - by have [t Pt] := some_without; apply/card_gt0P; exists t; rewrite inE.
move=> d du; rewrite neighbours_update du // card_in_imset.
  rewrite cardsX card_rows -countingE du /counting_degree; case: (ltnP u v) => _ /=; congr (_ * _)%N.
    by apply: eq_card => t; rewrite !inE eqb_id.
  by apply: eq_card => t; rewrite !inE eqbF_neg.
move=> [i t] [i' t']; rewrite !inE /= => /andP[/eqP di /eqP Pt] /andP[/eqP di' /eqP Pt'] /ffunP same.
have ii' : i = i'.
  apply/eqP/negPn/negP => /negPf ii'; have := same i; rewrite !ffunE eqxx ii' => td.
  by move: Pt; rewrite td di; case: (~~ _).
by have := same i; rewrite -ii' !ffunE eqxx => ->.
Qed.

Lemma counting_onto (u : 'I_n.+1) : exists d, counting d = u.
Proof.
have [t1 Pt1] := some_with; have [t0 /negPf Pt0] := some_without.
exists [ffun i : 'I_n => if (i < u)%N then t1 else t0]; apply/val_inj; rewrite /= countingE /count_rows.
rewrite (eq_bigr (fun i : 'I_n => if (i < u)%N then 1%N else 0%N)) => [|i _].
  rewrite -big_mkcond -(big_ord_widen n (fun=> 1%N)) ?sum1_card ?card_ord //.
  by rewrite -ltnS.
by rewrite ffunE; case: ifP => _; rewrite ?Pt1 ?Pt0.
Qed.

(* Lemma 6, as the paper proves it: the average of a private mechanism x on databases over those of one result *)
(* is private and loses no more than x, whatever the loss l(result, guess) and the side information S.        *)
Theorem lemma6 (R : realFieldType) (m : nat) (a : R) (x : database -> 'I_m -> R) :
  (forall d r, 0 <= x d r) -> (forall d, \sum_r x d r = 1) ->
  (forall d e r, differ_in_one d e -> a * x e r <= x d r) ->
  let X := average counting x in [/\ stochastic X, private a X &
    forall (l : 'M[R]_(n.+1, m)) (S : {set 'I_n.+1}) (b : R),
      (forall d, counting d \in S -> \sum_r l (counting d) r * x d r <= b) -> worst_loss_le S l X b].
Proof.
move=> x_ge0 x_sum1 x_priv X; split.
- by apply: average_stochastic => //; exact: counting_onto.
- exact: (average_private differ_sym count_regular counting_onto).
- by move=> l S b x_le; apply: average_loss => //; exact: counting_onto.
Qed.

End Counting.

(* The same for rows from any type D, finite or not, as a statement on databases alone: some oblivious        *)
(* mechanism is private and optimal among all private mechanisms, for a monotone loss.                        *)
Section AnyRows.
Variables (D : Type) (P : D -> bool) (n : nat).
Local Notation database := ('I_n -> D).
Implicit Types d e : database.

(* The result of the counting query: how many of the n rows of d have property P. *)
Definition result d : 'I_n.+1 := inord (\sum_i P (d i))%N.

(* Neighbouring databases: they differ in at most one row (for n = 0, without rows, there are none). *)
Definition adjacent d e := exists i, forall j, j != i -> d j = e j.

Lemma resultE d : result d = (\sum_i P (d i))%N :> nat.
Proof.
rewrite inordK // ltnS -[X in (_ <= X)%N]card_ord -sum1_card.
by apply: leq_sum => i _; case: (P _).
Qed.

Lemma adjacent_result d e : adjacent d e -> result d = result e \/ line (result d) (result e).
Proof.
move=> [i same].
have count : (result d + P (e i) = result e + P (d i))%N.
  rewrite !resultE (bigD1 i) //= [in RHS](bigD1 i) //= addnAC [in RHS]addnAC [(P (d i) + _)%N]addnC.
  by congr (_ + _)%N; apply: eq_bigr => j ji; rewrite same.
move: count; rewrite /line; case: (P (d i)); case: (P (e i)) => /= count.
- by left; apply/val_inj => /=; nat_lia.
- by right; apply/orP; right; apply/eqP; nat_lia.
- by right; apply/orP; left; apply/eqP; nat_lia.
- by left; apply/val_inj => /=; nat_lia.
Qed.

Theorem lemma6_optimal (R : realFieldType) (m : nat) (a : R) (l : 'M[R]_(n.+1, m.+1)) (S : {set 'I_n.+1}) (t1 t0 : D) :
  P t1 -> ~~ P t0 -> 0 < a -> a < 1 -> monotone_loss l ->
  exists X : 'M[R]_(n.+1, m.+1), [/\ stochastic X, forall d e r, adjacent d e -> a * X (result e) r <= X (result d) r &
    forall x : database -> 'I_m.+1 -> R, (forall d r, 0 <= x d r) -> (forall d, \sum_r x d r = 1) ->
      (forall d e r, adjacent d e -> a * x e r <= x d r) ->
    forall b, (forall d, result d \in S -> \sum_r l (result d) r * x d r <= b) ->
      forall d, result d \in S -> \sum_r l (result d) r * X (result d) r <= b].
Proof.
move=> Pt1 Pt0 a_gt0 a_lt1 l_monotone.
have [T T_stochastic T_optimal] := minimax_optimality a_gt0 a_lt1 (monotone_single_crossing l_monotone) S.
have X_stochastic := stochastic_mul (geometric_stochastic n a_gt0 a_lt1) T_stochastic.
exists (geometric n a *m T); split=> //.
  move=> d e r /adjacent_result [->|de].
    by apply: ler_pimull; [exact: (proj1 X_stochastic) | exact: ltW].
  apply: private_post_processing de; [exact: (proj1 T_stochastic) | exact: geometric_private].
move=> x x_ge0 x_sum1 x_priv b x_le d d_S.
pose embed (c : {ffun 'I_n -> bool}) : database := fun i => if c i then t1 else t0.
have result_embed c : result (embed c) = counting id c.
  apply/val_inj; rewrite /= resultE countingE /count_rows; apply: eq_bigr => i _.
  by rewrite /embed; case: (c i) => /=; rewrite ?Pt1 ?(negPf Pt0).
have [X [X_st X_priv X_le]] : exists X : 'M[R]_(n.+1, m.+1), [/\ stochastic X, private a X &
    forall (l : 'M[R]_(n.+1, m.+1)) (S : {set 'I_n.+1}) (b : R),
      (forall c, counting (id : pred bool) c \in S -> \sum_r l (counting id c) r * x (embed c) r <= b) -> worst_loss_le S l X b].
  exists (average (@counting _ (id : pred bool) n) (fun c => x (embed c))); apply: lemma6; first by exists true.
  - by exists false.
  - by move=> c r; exact: x_ge0.
  - by move=> c; exact: x_sum1.
  move=> c e r /existsP[i /forallP same]; apply: x_priv; exists i => j ji.
  by have /implyP /(_ ji) /eqP := same j; rewrite /embed => ->.
apply: (T_optimal X X_st X_priv) d_S; apply: X_le => c c_S.
by rewrite -result_embed; apply: x_le; rewrite result_embed.
Qed.

End AnyRows.
