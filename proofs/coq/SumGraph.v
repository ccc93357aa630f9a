(* SPDX-License-Identifier: MIT *)
(* The graphs of the queries in Section 6 of ElSalamouny and others: sums over u people, each with a value    *)
(* from 0 to v, and two counts over u people.                                                                 *)
(*                                                                                                            *)
(*   sum_answer_graph    two different sums are those of adjacent databases exactly if they differ by at most *)
(*                       v: the graph is [sum_graph]                                                          *)
(*   sum_answer_onto     every number from 0 to vu is a sum                                                   *)
(*   counts_answer_graph two different pairs of counts are those of adjacent databases exactly if each count  *)
(*                       differs by at most 1: the graph is [counts_graph]                                    *)
(*   counts_answer_onto  every pair of numbers from 0 to u is a pair of counts                                *)
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import OrderedField Mechanism Oblivious InducedMetric Hamming AnswerGraphs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Sums.
Variables (u v : nat).
Local Notation database := {ffun 'I_u -> 'I_v.+1}.

(* The sum of the values of the u people in the database d, as a number. *)
Definition total (d : database) : nat := \sum_i d i.

Lemma total_le d : total d <= v * u.
Proof.
rewrite /total -[X in _ <= v * X](card_ord u) mulnC -sum_nat_const; apply: leq_sum => i _.
by rewrite -ltnS.
Qed.

(* The sum query. *)
Definition sum_answer (d : database) : 'I_(v * u).+1 := inord (total d).

Lemma sum_answerE d : nat_of_ord (sum_answer d) = total d.
Proof. by rewrite inordK // ltnS total_le. Qed.

Lemma greedy m s : \sum_(k < m) minn v (s - v * k) = minn s (v * m).
Proof.
elim: m => [|m IHm]; first by rewrite big_ord0 muln0 minn0.
rewrite big_ord_recr /= IHm mulnS; move: (v * m) => vm.
by rewrite /minn; case: (ltnP s vm) => ?; case: (ltnP v (s - vm)) => ?; case: (ltnP s (v + vm)) => ?; nat_lia.
Qed.

(* Person k, counted from 0, has the value min(v, s - vk), and 0 where s < vk; the sum is s when s <= vu (total_filled). *)
Definition filled (s : nat) : database := [ffun k : 'I_u => inord (minn v (s - v * k))].

Lemma total_filled s : s <= v * u -> total (filled s) = s.
Proof.
move=> s_le; rewrite /total -[RHS](minn_idPl s_le) -greedy; apply: eq_bigr => k _.
by rewrite ffunE inordK // ltnS geq_minl.
Qed.

Theorem sum_answer_onto i : exists d, sum_answer d = i.
Proof. by exists (filled i); apply/val_inj; rewrite /= sum_answerE total_filled // -ltnS. Qed.

End Sums.

Section Graph.
Variables (m v : nat).
Local Notation u := m.+1.
Local Notation database := {ffun 'I_u -> 'I_v.+1}.

(* The first record has the value x, the others have the sum s. *)
Definition first_value (x s : nat) : database :=
  [ffun k => if unlift ord0 k is Some j then inord (minn v (s - v * j)) else inord x].

Lemma total_first x s : x <= v -> s <= v * m -> total (first_value x s) = x + s.
Proof.
move=> x_le s_le; rewrite /total big_ord_recl ffunE unlift_none inordK //; congr (_ + _).
rewrite -[RHS](minn_idPl s_le) -greedy; apply: eq_bigr => k _.
by rewrite ffunE liftK inordK // ltnS geq_minl.
Qed.

Lemma first_near x y s : x <= v -> y <= v -> x != y -> one_record (first_value x s) (first_value y s).
Proof.
move=> x_le y_le xy; rewrite /one_record /hamming big_ord_recl !ffunE unlift_none.
rewrite big1 => [|k _]; last by rewrite !ffunE liftK eqxx.
by rewrite -val_eqE /= !inordK // xy.
Qed.

Lemma total_near (d d' : database) : total d <= total d' + v * hamming d d'.
Proof.
rewrite /total /hamming big_distrr -big_split; apply: leq_sum => k _ /=.
by case: eqVneq => [-> | _]; rewrite ?muln0 ?addn0 // muln1 (leq_trans _ (leq_addl _ _)) // -ltnS.
Qed.

Theorem sum_answer_graph (i j : 'I_(v * u).+1) : answer_graph (@sum_answer u v) i j = @sum_graph u v i j.
Proof.
have up (k l : 'I_(v * u).+1) : k < l -> l - k <= v -> answer_graph (@sum_answer u v) k l.
  move=> kl near; apply/answer_graphP; split; first by move=> E; rewrite E ltnn in kl.
  pose s := l - v; have s_le : s <= v * m by rewrite /s leq_subLR -mulnS -ltnS ltn_ord.
  have l_le : l - s <= v by rewrite /s; nat_lia.
  have k_le : k - s <= v by rewrite /s; nat_lia.
  have s_k : s <= k by rewrite /s; nat_lia.
  exists (first_value (k - s) s), (first_value (l - s) s); split.
  - by apply/val_inj; rewrite /= sum_answerE total_first // subnK.
  - by apply/val_inj; rewrite /= sum_answerE total_first // subnK // (leq_trans s_k) // ltnW.
  - by apply: first_near => //; rewrite neq_ltn ltn_sub2r // (leq_ltn_trans s_k).
apply/idP/idP => [/answer_graphP[ij [d [d' [di d'j /eqP near]]]] | ].
  rewrite /sum_graph; apply/andP; split; first exact/eqP.
  have := total_near d d'; have := total_near d' d; rewrite (hamming_sym d') near muln1.
  by rewrite -di -d'j /dist !sum_answerE; move: (total d) (total d') => x y ? ?; nat_lia.
case/andP=> ij; rewrite /dist; case: (ltngtP i j) => [lt | lt | E] near.
- by apply: up => //; nat_lia.
- by rewrite (proj1 (answer_graph_simple _)); apply: up => //; nat_lia.
- by case/eqP: ij; exact/val_inj.
Qed.

End Graph.

(* ---- Two counts ---- *)
(* Some values have both properties, some only the one, some only the other, some neither.  The pairs of      *)
(* counts are listed in any order.                                                                            *)
Lemma bit_of n s : s <= n <= s.+1 -> (s < n) + s = n.
Proof. by case/andP=> le ge; case: (ltnP s n) => c; apply/eqP; rewrite ?add1n ?add0n eqn_leq ?c ?le ?ge. Qed.

Lemma pred_near m x y : x <= y -> y <= m.+1 -> y <= x.+1 -> y.-1 <= m /\ (y.-1 < x) + y.-1 = x /\ (y.-1 < y) + y.-1 = y.
Proof.
case: y => [|y] xy y_le near; first by case: x xy near.
split; first exact: y_le.
by split; apply: bit_of; apply/andP; split.
Qed.

Lemma bits_near m x y : x <= m.+1 -> y <= m.+1 -> dist x y <= 1 ->
  let s := (maxn x y).-1 in [/\ s <= m, (s < x) + s = x & (s < y) + s = y].
Proof.
rewrite /dist /maxn => x_le y_le; case: ltnP => xy near /=.
  have y_near : y <= x.+1 by move: near; rewrite (eqP (ltnW xy)) add0n leq_subLR addn1.
  by have [? [? ?]] := pred_near (ltnW xy) y_le y_near.
have x_near : x <= y.+1 by move: near; rewrite (eqP xy) addn0 leq_subLR addn1.
by have [? [? ?]] := pred_near xy x_le x_near.
Qed.

Section Counts.
Variables (V : finType) (P Q : pred V) (p : nat).
Hypothesis all_kinds : forall b c, exists t, P t = b /\ Q t = c.

(* The two counts of the database d: how many records satisfy P and how many Q, under the name that this pair has in the list. *)
Definition counts_answer u (name : 'I_u.+1 * 'I_u.+1 -> 'I_p.+1) (d : {ffun 'I_u -> V}) : 'I_p.+1 :=
  name (counting P d, counting Q d).

Lemma kinds : exists kind : bool * bool -> V, forall k, P (kind k) = k.1 /\ Q (kind k) = k.2.
Proof. by apply: (@fin_all_exists _ (fun=> V) (fun k t => P t = k.1 /\ Q t = k.2)) => -[b c]; exact: all_kinds. Qed.

Lemma count_below n s : s <= n -> \sum_(k < n) (k < s : nat) = s.
Proof.
move=> s_le; under eq_bigr => k _ do rewrite -[nat_of_bool _]/(if k < s then 1 else 0).
by rewrite -big_mkcond -(big_ord_widen n (fun=> 1)) ?sum1_card ?card_ord.
Qed.

Theorem counts_answer_onto u (name : 'I_u.+1 * 'I_u.+1 -> 'I_p.+1) : bijective name -> forall i, exists d, counts_answer name d = i.
Proof.
case=> code _ nameK i; have [kind kindP] := kinds; case Ei: (code i) => [s t].
exists [ffun k : 'I_u => kind (k < s, k < t)]; rewrite -(nameK i) Ei; congr name; congr pair; apply/val_inj.
  rewrite /= countingE /count_rows -[RHS](count_below (leq_ord s)); apply: eq_bigr => k _.
  by rewrite ffunE (kindP _).1.
rewrite /= countingE /count_rows -[RHS](count_below (leq_ord t)); apply: eq_bigr => k _.
by rewrite ffunE (kindP _).2.
Qed.

Theorem counts_answer_graph m (code : 'I_p.+1 -> 'I_m.+2 * 'I_m.+2) name : cancel code name -> cancel name code ->
  forall i j, answer_graph (@counts_answer m.+1 name) i j = counts_graph code i j.
Proof.
move=> codeK nameK i j; have [kind kindP] := kinds.
apply/answer_graphP/and3P => [[ij [d [d' [di d'j /eqP near]]]] | [ij]].
  rewrite -di -d'j !nameK /=; split; first by apply/eqP; rewrite di d'j.
    by rewrite -near counting_lipschitz.
  by rewrite -near counting_lipschitz.
case Ei: (code i) => [i1 i2]; case Ej: (code j) => [j1 j2] /= near1 near2; split; first exact/eqP.
(* The first record is of the kind k, of the others s have P and t have Q. *)
pose db (k : bool * bool) (s t : nat) : {ffun 'I_m.+1 -> V} := [ffun x => kind (if unlift ord0 x is Some y then (y < s, y < t) else k)].
have dbP (k : bool * bool) (s t : nat) (x : 'I_m.+2) : s <= m -> k.1 + s = x :> nat -> counting P (db k s t) = x.
  move=> s_le E; apply/val_inj; rewrite /= countingE /count_rows big_ord_recl ffunE unlift_none (kindP _).1 -E.
  by congr (_ + _); rewrite -[RHS](count_below s_le); apply: eq_bigr => y _; rewrite ffunE liftK (kindP _).1.
have dbQ (k : bool * bool) (s t : nat) (x : 'I_m.+2) : t <= m -> k.2 + t = x :> nat -> counting Q (db k s t) = x.
  move=> t_le E; apply/val_inj; rewrite /= countingE /count_rows big_ord_recl ffunE unlift_none (kindP _).2 -E.
  by congr (_ + _); rewrite -[RHS](count_below t_le); apply: eq_bigr => y _; rewrite ffunE liftK (kindP _).2.
have [s_le is_ js] := bits_near (leq_ord i1) (leq_ord j1) near1; have [t_le it jt] := bits_near (leq_ord i2) (leq_ord j2) near2.
set s := (maxn i1 j1).-1 in s_le is_ js; set t := (maxn i2 j2).-1 in t_le it jt.
exists (db (s < i1, t < i2) s t), (db (s < j1, t < j2) s t); split.
- by rewrite /counts_answer (dbP _ _ _ i1) // (dbQ _ _ _ i2) // -Ei codeK.
- by rewrite /counts_answer (dbP _ _ _ j1) // (dbQ _ _ _ j2) // -Ej codeK.
rewrite /one_record /hamming big_ord_recl !ffunE unlift_none big1 => [|x _]; last by rewrite !ffunE liftK eqxx.
rewrite addn0 eqb1; apply: contra ij => /eqP same; rewrite -(inj_eq (can_inj codeK)) Ei Ej.
have [Pi Qi] := kindP (s < i1, t < i2); have [Pj Qj] := kindP (s < j1, t < j2).
have E1 : (s < i1) = (s < j1) by rewrite -[LHS]Pi -[RHS]Pj same.
have E2 : (t < i2) = (t < j2) by rewrite -[LHS]Qi -[RHS]Qj same.
by apply/eqP; congr pair; apply/val_inj => /=; [rewrite -[LHS]is_ -[RHS]js E1 | rewrite -[LHS]it -[RHS]jt E2].
Qed.

End Counts.
