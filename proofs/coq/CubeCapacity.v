(* SPDX-License-Identifier: MIT *)
(* The Hamming cube: k bits, answered one by one.                                                             *)
(*                                                                                                            *)
(*   bitwise a       every bit is reported wrongly with the weight a against 1                                *)
(*   bitwise_dual a  every bit is reported correctly with the weight a against 1                              *)
(*   cube_multiplicative, cube_additive   (2/(1+a))^k and 1 - (2a/(1+a))^k, attained by these                 *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Extremes Leakage PrivacyTypes Capacities.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Cube.
Variables (R : realFieldType) (k : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation cube := {ffun 'I_k -> bool}.

(* The Hamming distance: the number of bits in which x and u differ. *)
Definition hamming (x u : cube) : nat := (\sum_i (x i != u i))%N.

(* Every bit is reported on its own, correctly with the probability 1/(1+a), wrongly with a/(1+a); the product over the bits. *)
Definition bitwise (x u : cube) : R := \prod_i ((if x i == u i then 1 else a) / (1 + a)).

(* The same with the two exchanged: every bit is reported correctly with the probability a/(1+a), wrongly with 1/(1+a). *)
Definition bitwise_dual (x u : cube) : R := \prod_i ((if x i == u i then a else 1) / (1 + a)).

Lemma hamming_metric : metric hamming.
Proof.
split=> [x|x u|x y u]; rewrite /hamming; first by apply: big1 => i _; rewrite eqxx.
  by apply: eq_bigr => i _; rewrite eq_sym.
rewrite -big_split; apply: leq_sum => i _ /=.
by case: (x i); case: (y i); case: (u i).
Qed.

Lemma cube_similarity : similarity (level a hamming).
Proof. exact: level_similarity a_gt0 (ltW a_lt1) hamming_metric. Qed.

Lemma hamming_power (b : R) x u : b ^+ hamming x u = \prod_i (if x i == u i then 1 else b).
Proof. by rewrite -prodrXr; apply: eq_bigr => i _; case: eqP. Qed.

Lemma sum_hamming (b : R) (x : cube) : \sum_u b ^+ hamming x u = (1 + b) ^+ k.
Proof.
under eq_bigr => u _ do rewrite hamming_power.
rewrite -(bigA_distr_bigA (fun i c => if x i == c then 1 else b)) -[in RHS](card_ord k) -prodr_const.
by apply: eq_bigr => i _; rewrite big_bool; case: (x i); rewrite //= addrC.
Qed.

Lemma card_cube : #|[finType of cube]|%:R = 2%:R ^+ k :> R.
Proof. by rewrite card_ffun card_bool card_ord natrX. Qed.

Lemma prod_over (F : 'I_k -> R) (c : R) : \prod_i (F i / c) = (\prod_i F i) / c ^+ k.
Proof. by rewrite big_split /= prodr_const card_ord exprVn. Qed.

Theorem cube_multiplicative : attains_multiplicative (level a hamming) bitwise ((2%:R / (1 + a)) ^+ k).
Proof.
rewrite expr_div_n -card_cube.
apply: (@eq_attains_multiplicative _ _ _ _ (fun x u => level a hamming x u / (1 + a) ^+ k)) => [x u|].
  by rewrite /level hamming_power /bitwise prod_over.
by apply: (homogeneous_multiplicative cube_similarity [ffun=> false]) => x; exact: sum_hamming.
Qed.

Theorem cube_additive : attains_additive (level a hamming) bitwise_dual (1 - (2%:R * a / (1 + a)) ^+ k).
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
have a1_neq0 : 1 + a != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have -> : (2%:R * a / (1 + a)) ^+ k = #|[finType of cube]|%:R / (1 + a^-1) ^+ k.
  rewrite card_cube -expr_div_n; congr (_ ^+ k).
  by by_field R; split; apply/eqP; rewrite // addrC.
apply: (@eq_attains_additive _ _ _ _ (fun x u => (level a hamming x u)^-1 / (1 + a^-1) ^+ k)) => [x u|].
  rewrite /level -(exprVn a) hamming_power -prod_over; apply: eq_bigr => i _.
  by case: eqP => _; by_field R; split; apply/eqP.
apply: (homogeneous_additive cube_similarity [ffun=> false]) => x.
by rewrite -(sum_hamming _ x); apply: eq_bigr => u _; rewrite /level exprVn.
Qed.

End Cube.
