(* SPDX-License-Identifier: MIT *)
(* The discrete metric on p inputs: random response attains the multiplicative capacity, its dual the         *)
(* additive one.                                                                                              *)
(*                                                                                                            *)
(*   random_response a    1 on the diagonal and a beside it, over 1 + (p-1) a                                 *)
(*   dual_response a      a on the diagonal and 1 beside it, over p - 1 + a                                   *)
(*   discrete_multiplicative   p / (1 + (p-1) a)                                                              *)
(*   discrete_additive         1 - p a / (p - 1 + a), that is (p-1)(1-a)/(p-1+a)                              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField MatrixGame Extremes Leakage PrivacyTypes Capacities.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Discrete.
Variables (R : realFieldType) (X : finType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation p := (#|X|%:R : R).

(* The discrete metric: 0 from an input to itself, 1 between two different inputs. *)
Definition discrete (x u : X) : nat := (x != u).

(* Random response on p inputs: 1/(1 + (p-1) a) for the input itself, a/(1 + (p-1) a) for every other output. *)
Definition random_response (x u : X) : R := (if x == u then 1 else a) / (1 + (p - 1) * a).

(* The dual of random response on p inputs: a/(p-1+a) for the input itself, 1/(p-1+a) for every other output. *)
Definition dual_response (x u : X) : R := (if x == u then a else 1) / (p - 1 + a).

Lemma discrete_metric : metric discrete.
Proof.
split=> [x|x u|x y u]; rewrite /discrete; [by rewrite eqxx | by rewrite eq_sym |].
by have [->|_] := eqVneq x y; [exact: leq_addl | case: (x != u)].
Qed.

Lemma discrete_similarity : similarity (level a discrete).
Proof. exact: level_similarity a_gt0 (ltW a_lt1) discrete_metric. Qed.

Lemma discrete_level x u : level a discrete x u = if x == u then 1 else a.
Proof. by rewrite /level /discrete; case: eqP. Qed.

Lemma sum_discrete (b c : R) x : \sum_(u : X) (if x == u then b else c) = b + (p - 1) * c.
Proof.
transitivity (\sum_u ((b - c) * (u == x)%:R + c)).
  by apply: eq_bigr => u _; rewrite eq_sym; case: eqP => _; by_ring R.
rewrite big_split /= (sum_pick (fun=> b - c)) sum_constant mulrBl mul1r.
by rewrite -addrA; congr (_ + _); rewrite addrC.
Qed.

Lemma card_ge1 (x0 : X) : 0 <= p - 1.
Proof. by rewrite subr_ge0 (ler_nat _ 1); apply/card_gt0P; exists x0. Qed.

Theorem discrete_multiplicative (x0 : X) :
  attains_multiplicative (level a discrete) random_response (p / (1 + (p - 1) * a)).
Proof.
apply: (@eq_attains_multiplicative _ _ _ _ (fun x u => level a discrete x u / (1 + (p - 1) * a))) => [x u|].
  by rewrite discrete_level.
apply: (homogeneous_multiplicative discrete_similarity x0) => x.
by under eq_bigr => u _ do rewrite discrete_level; exact: sum_discrete.
Qed.

Theorem discrete_additive (x0 : X) :
  attains_additive (level a discrete) dual_response (1 - p * a / (p - 1 + a)).
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
have s_neq0 : p - 1 + a != 0 by rewrite gt_eqF // ltr_paddl // card_ge1.
have sE : 1 + (p - 1) * a^-1 = (p - 1 + a) / a by by_field R; apply/eqP.
have -> : p * a / (p - 1 + a) = p / (1 + (p - 1) * a^-1) by rewrite sE invf_div mulrA.
apply: (@eq_attains_additive _ _ _ _ (fun x u => (level a discrete x u)^-1 / (1 + (p - 1) * a^-1))) => [x u|].
  by rewrite discrete_level sE invf_div /dual_response; case: eqP; rewrite ?invr1 ?mul1r // mulKf.
apply: (homogeneous_additive discrete_similarity x0) => x.
rewrite -(sum_discrete 1 a^-1 x); apply: eq_bigr => u _.
by rewrite discrete_level; case: eqP; rewrite ?invr1.
Qed.

(* The additive value in the other form. *)
Lemma discrete_additive_value (x0 : X) :
  1 - p * a / (p - 1 + a) = (p - 1) * (1 - a) / (p - 1 + a).
Proof.
have s_neq0 : p - 1 + a != 0 by rewrite gt_eqF // ltr_paddl // card_ge1.
by by_field R; apply/eqP.
Qed.

End Discrete.
