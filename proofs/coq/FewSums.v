(* SPDX-License-Identifier: MIT *)
(* Few subset sums give a database away: as many as the next power of 2 above the number of people.            *)
(*                                                                                                            *)
(*   walsh_orthogonal     the signs (-1)^|A n B|, for sets A and B, are orthogonal                             *)
(*   few_sums_reconstruct two databases whose sums over the 2^k subsets `query h A` are within e of the same    *)
(*                        answers differ in at most (6 e)^2 records                                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField SubsetSums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section FewSums.
Variables (R : realFieldType) (I : finType) (k : nat) (h : I -> {set 'I_k}).
(* the people, numbered by sets; 2^k of them at most *)
Hypothesis h_inj : injective h.

(* The sign (-1)^|A n B| of two sets. *)
Definition walsh (A B : {set 'I_k}) : R := (-1) ^+ #|A :&: B|.

(* The people whose sign is 1; for the empty A these are all. *)
Definition query (A : {set 'I_k}) : {set I} := [set i | ~~ odd #|A :&: h i|].

(* A without j if j is in A, and with j if not. *)
Definition toggle (j : 'I_k) (A : {set 'I_k}) : {set 'I_k} := if j \in A then A :\ j else j |: A.

Lemma toggleK j : involutive (toggle j).
Proof.
move=> A; rewrite /toggle; have [jA|jA] := boolP (j \in A); first by rewrite !inE eqxx /= setD1K.
by rewrite setU11 setU1K.
Qed.

Lemma walsh_toggle j A B : walsh (toggle j A) B = (if j \in B then -1 else 1) * walsh A B.
Proof.
have out (C : {set 'I_k}) : j \notin C -> walsh (j |: C) B = (if j \in B then -1 else 1) * walsh C B.
  move=> jC; rewrite /walsh setIUl; have [jB|jB] := boolP (j \in B).
    rewrite (setIidPl _) ?sub1set // cardsU1 inE (negbTE jC) /= exprS; by [].
  by rewrite (_ : [set j] :&: B = set0) ?set0U ?mul1r //; apply/setP => l; rewrite !inE; case: eqP => // ->; rewrite (negbTE jB).
rewrite /toggle; have [jA|jA] := boolP (j \in A); last exact: out.
have := out (A :\ j); rewrite setD1K // => ->; last by rewrite !inE eqxx.
by rewrite mulrA; case: ifP => _; rewrite ?mulr1 ?mulrNN ?mul1r.
Qed.

Lemma walsh_orthogonal B B' : B != B' -> \sum_A walsh A B * walsh A B' = 0.
Proof.
move=> BB'; have [j jB] : exists j, (j \in B) != (j \in B').
  apply/existsP; apply: contraR BB' => /existsPn same; apply/eqP/setP => j.
  by have := same j; rewrite negbK => /eqP.
set s := \sum_A _; have : s = - s.
  rewrite {1}/s (reindex_inj (inv_inj (toggleK j))) /= /s -sumrN; apply: eq_bigr => A _.
  rewrite !walsh_toggle; case: (j \in B) (j \in B') jB => [] [] // _; by rewrite ?mulN1r ?mul1r ?mulNr ?mulrN.
by move/eqP; rewrite eq_sym -subr_eq0 -opprD oppr_eq0 -mulr2n mulrn_eq0 => /eqP.
Qed.

Lemma walsh_square A B : walsh A B * walsh A B = 1.
Proof. by rewrite /walsh -exprD addnn -mul2n exprM sqrrN !expr1n. Qed.

Variables (x y : I -> bool).
(* The difference x_i - y_i of the two databases at the person i: 1, 0 or -1. *)
Let d i : R := (x i)%:R - (y i)%:R.
(* sum_i (-1)^|A n h(i)| (x_i - y_i). *)
Let form A : R := \sum_i walsh A (h i) * d i.

Lemma parseval : \sum_A form A ^+ 2 = #|{set 'I_k}|%:R * \sum_i d i ^+ 2.
Proof.
transitivity (\sum_i \sum_l d i * d l * \sum_A walsh A (h i) * walsh A (h l)).
  under eq_bigr => A _.
    rewrite expr2 mulr_suml; under eq_bigr => i _ do rewrite mulr_sumr.
    over.
  rewrite exchange_big; apply: eq_bigr => i _; rewrite exchange_big; apply: eq_bigr => l _.
  by rewrite mulr_sumr; apply: eq_bigr => A _; rewrite mulrACA mulrC.
rewrite mulr_sumr; apply: eq_bigr => i _; rewrite (bigD1 i) //= [X in _ + X]big1 ?addr0 => [|l li].
  rewrite (eq_bigr (fun=> 1)) => [|A _]; last exact: walsh_square.
  by rewrite sumr_const mulrC expr2.
by rewrite walsh_orthogonal ?mulr0 // (inj_eq h_inj) eq_sym.
Qed.

Lemma form_query A : form A = 2%:R * (subset_sum R x (query A) - subset_sum R y (query A)) - (subset_sum R x setT - subset_sum R y setT).
Proof.
have move S : subset_sum R x S - subset_sum R y S = \sum_i (i \in S)%:R * d i.
  rewrite /subset_sum -sumrB big_mkcond; apply: eq_bigr => i _.
  by case: (i \in S); rewrite ?mul1r ?mul0r.
rewrite !move mulr_sumr -sumrB; apply: eq_bigr => i _; rewrite !inE mul1r mulrA -[X in _ - X]mul1r -mulrBl; congr (_ * _).
by rewrite /walsh -signr_odd; case: odd => /=; rewrite ?mulr0 ?sub0r ?expr1 // mulr1 expr0 -[2%:R]/(1 + 1) addrK.
Qed.

Theorem few_sums_reconstruct (answer : {set I} -> R) (e : R) :
  (forall A, `|subset_sum R x (query A) - answer (query A)| <= e) ->
  (forall A, `|subset_sum R y (query A) - answer (query A)| <= e) ->
  #|[set i | x i != y i]|%:R <= (6%:R * e) ^+ 2.
Proof.
move=> near_x near_y.
have apart A : `|subset_sum R x (query A) - subset_sum R y (query A)| <= e + e.
  have -> : subset_sum R x (query A) - subset_sum R y (query A)
    = (subset_sum R x (query A) - answer (query A)) - (subset_sum R y (query A) - answer (query A)).
    by rewrite opprB addrA subrK.
  by apply: le_trans (ler_norm_sub _ _) _; rewrite ler_add ?near_x ?near_y.
have all : query set0 = setT by apply/setP => i; rewrite !inE set0I cards0.
have small A : `|form A| <= 6%:R * e.
  rewrite form_query -all; apply: le_trans (ler_norm_sub _ _) _; rewrite normrM normr_nat.
  have -> : 6%:R * e = 2%:R * (e + e) + (e + e).
    by rewrite -[6%N]/(2 * 2 + 2)%N natrD natrM mulrDl -mulrA -!mulr2n !mulr_natl.
  by rewrite ler_add ?apart // ler_wpmul2l ?ler0n ?apart.
have N_gt0 : 0 < #|{set 'I_k}|%:R :> R by rewrite ltr0n; apply/card_gt0P; exists set0.
have -> : #|[set i | x i != y i]|%:R = \sum_i d i ^+ 2.
  rewrite -sum1dep_card natr_sum big_mkcond; apply: eq_bigr => i _; rewrite /d.
  by case: (x i) (y i) => [] []; rewrite /= ?subrr ?subr0 ?sub0r ?sqrrN ?expr0n ?expr1n.
rewrite -(ler_pmul2l N_gt0) -parseval.
have -> : #|{set 'I_k}|%:R * (6%:R * e) ^+ 2 = \sum_(A : {set 'I_k}) (6%:R * e) ^+ 2 by rewrite sumr_const -[RHS]mulr_natl.
apply: ler_sum => A _.
have e_ge0 : 0 <= 6%:R * e := le_trans (normr_ge0 _) (small A).
by rewrite -real_normK ?num_real // ler_expn2r ?nnegrE ?normr_ge0.
Qed.

End FewSums.
