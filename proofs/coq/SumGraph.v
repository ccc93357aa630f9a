(* SPDX-License-Identifier: MIT *)
(* The graph of the sum query (ElSalamouny and others, Section 6): u people, each with a value from 0 to v.   *)
(*                                                                                                            *)
(*   sum_answer_graph    two different sums are those of adjacent databases exactly if they differ by at most *)
(*                       v: the graph is [sum_graph]                                                          *)
(*   sum_answer_onto     every number from 0 to vu is a sum                                                   *)
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import OrderedField Mechanism InducedMetric Hamming AnswerGraphs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Sums.
Variables (u v : nat).
Local Notation database := {ffun 'I_u -> 'I_v.+1}.

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

(* A database with the sum s, the first record given by hand. *)
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
