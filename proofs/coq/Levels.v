(* SPDX-License-Identifier: MIT *)
(* Lemma 3: between two levels of the geometric mechanism.                                                    *)
(*                                                                                                            *)
(*   lemma3       for 0 < a <= b < 1, G at level b is derivable from G at level a                             *)
(*   lemma3_iff   for n >= 1 and levels in (0, 1): exactly when a <= b  (one input: always)                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Derivability.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Levels.
Variables (R : realFieldType) (n : nat) (a b : R).
Hypotheses (a_gt0 : 0 < a) (b_lt1 : b < 1).
Add Field R_field : (field_theory_of R).

(* The three shapes of three consecutive entries in a column: falling, at the peak, rising. *)
Lemma geometric_three_term : a <= b -> three_term a (geometric n b).
Proof.
move=> ab i j k r ij jk; have b_gt0 : 0 < b := lt_le_trans a_gt0 ab.
have a_lt1 : a < 1 := le_lt_trans ab b_lt1.
have s_ge0 : 0 <= scale b n r by apply/ltW/scale_gt0.
have slope_ge0 : 0 <= (b - a) * (1 - a * b).
  by rewrite mulr_ge0 ?subr_ge0 // mulr_ile1 // ltW.
rewrite !mxE; move: (scale b n r) s_ge0 => s s_ge0; rewrite -subr_ge0.
have [r_le_i|i_lt_r] := leqP r i; last have [k_le_r|r_lt_k] := leqP k r.
- have -> : dist j r = (dist i r).+1 by rewrite /dist; nat_lia.
  have -> : dist k r = (dist i r).+2 by rewrite /dist; nat_lia.
  apply: le_trans (_ : 0 <= b ^+ dist i r * ((b - a) * (1 - a * b)) * s) _.
    by apply: mulr_ge0 => //; apply: mulr_ge0 => //; exact/exprn_ge0/ltW.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
- have -> : dist j r = (dist k r).+1 by rewrite /dist; nat_lia.
  have -> : dist i r = (dist k r).+2 by rewrite /dist; nat_lia.
  apply: le_trans (_ : 0 <= b ^+ dist k r * ((b - a) * (1 - a * b)) * s) _.
    by apply: mulr_ge0 => //; apply: mulr_ge0 => //; exact/exprn_ge0/ltW.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
- have -> : dist j r = 0%N by rewrite /dist; nat_lia.
  have -> : dist i r = 1%N by rewrite /dist; nat_lia.
  have -> : dist k r = 1%N by rewrite /dist; nat_lia.
  apply: le_trans (_ : 0 <= ((1 - a) ^+ 2 + a * (1 - b) *+ 2) * s) _.
    rewrite mulr_ge0 // addr_ge0 ?sqr_ge0 // mulrn_wge0 // mulr_ge0 ?subr_ge0 //; exact: ltW.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
Qed.

Theorem lemma3 : a <= b -> derivable (geometric n a) (geometric n b).
Proof.
move=> ab; have b_gt0 : 0 < b := lt_le_trans a_gt0 ab; have a_lt1 : a < 1 := le_lt_trans ab b_lt1.
have Gb_st := geometric_stochastic n b_gt0 b_lt1.
apply/theorem2 => //; [by case: Gb_st | | exact: geometric_three_term].
by apply: private_weaken ab (proj1 Gb_st) _; exact: geometric_private.
Qed.

Theorem lemma3_iff : a < 1 -> 0 < b -> (0 < n)%N ->
  derivable (geometric n a) (geometric n b) <-> a <= b.
Proof.
move=> a_lt1 b_gt0 n_gt0; split=> [|/lemma3 //].
move=> /private_derivable/(_ (geometric_private a_gt0 a_lt1)) Gb_priv.
have := Gb_priv (inord 1) ord0 ord0; rewrite /line inordK // orbT !mxE inordK // => /(_ isT).
have -> : dist (@ord0 n) (@ord0 n) = 0%N by [].
by rewrite expr0 mul1r expr1 ler_pmul2r // scale_gt0.
Qed.

End Levels.
