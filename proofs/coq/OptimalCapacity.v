(* SPDX-License-Identifier: MIT *)
(* Theorem 24: what is universally optimal for guessing the input attains the multiplicative capacity, and    *)
(* what is so for missing it, the additive one.                                                               *)
(*                                                                                                            *)
(*   zero_one_uncertainty   under the uniform prior the zero-one loss is 1 - (1/p) sum_y max_x M_xy           *)
(*   dual_uncertainty       and the loss [guess = input] is (1/p) sum_y min_x M_xy                            *)
(*   theorem24_multiplicative, theorem24_additive    only the uniform prior, and only as many outputs as      *)
(*                          inputs, are needed                                                                *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Channels MatrixGame Extremes Leakage PrivacyTypes Merging.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section OptimalCapacity.
Variables (R : realFieldType) (n : nat).
Add Field R_field : (field_theory_of R).
Local Notation input := 'I_n.+1.
Local Notation p := (n.+1%:R : R).

(* The zero-one loss: 0 if the guess r is the input i, and else 1. *)
Definition zero_one (i r : input) : R := (i != r)%:R.

(* The dual loss: 1 if the guess r is the input i, and else 0. *)
Definition dual (i r : input) : R := (i == r)%:R.

Lemma p_gt0 : 0 < p.
Proof. by rewrite ltr0n. Qed.

Lemma minimum_smallest (f : input -> R) : minimum ord0 f = smallest f.
Proof.
have [i f_i] := minimum_attained ord0 f.
by rewrite f_i (@smallestE _ _ _ i) // => j; rewrite -f_i minimum_le.
Qed.

Lemma dual_uncertainty m (M : 'M[R]_(n.+1, m)) :
  uncertainty ord0 (fun=> p^-1) dual M = (1 - additive_capacity M) / p.
Proof.
rewrite /additive_capacity subKr mulr_suml; apply: eq_bigr => y _.
rewrite (@eq_minimum _ _ _ ord0 _ (fun r => p^-1 * M r y)) => [|r].
  by rewrite minimum_scale ?invr_ge0 ?ltW ?p_gt0 // minimum_smallest mulrC.
by rewrite /output_loss -mulr_sumr; congr (_ * _); exact: (sum_pick (fun i => M i y)).
Qed.

Lemma zero_one_uncertainty m (M : 'M[R]_(n.+1, m)) : channel M ->
  uncertainty ord0 (fun=> p^-1) zero_one M = 1 - multiplicative_capacity M / p.
Proof.
move=> M_channel; have p_neq0 : p != 0 by rewrite gt_eqF ?p_gt0.
rewrite [X in X - _](_ : 1 = \sum_y p^-1 * (\sum_i M i y)); last first.
  rewrite -mulr_sumr exchange_big /=; under [in RHS]eq_bigr => i _ do rewrite (proj2 M_channel).
  by rewrite sumr_const card_ord mulVf.
rewrite /multiplicative_capacity mulr_suml -sumrB; apply: eq_bigr => y _.
have lossE r : output_loss (fun=> p^-1) zero_one M y r = p^-1 * (\sum_i M i y - M r y).
  rewrite /output_loss -mulr_sumr; congr (_ * _).
  rewrite -(sum_pick (fun i => M i y) r) -sumrB; apply: eq_bigr => i _.
  by rewrite /zero_one; case: eqP => _; by_ring R.
have [x x_top] := largest_attained ord0 (fun x => M x y).
rewrite x_top [M x y * _]mulrC -mulrBr; apply/eqP; rewrite eq_le; apply/andP; split.
  by apply: le_trans (minimum_le _ _ x) _; rewrite lossE.
apply: minimum_ge => r; rewrite lossE; apply: ler_wpmul2l; first by rewrite invr_ge0 ler0n.
by rewrite ler_add2l ler_opp2 -x_top (le_largest (fun x => M x y)).
Qed.

Variables (m : nat) (Phi : input -> input -> R) (M : 'M[R]_(n.+1, m)).
Hypothesis M_mech : mechanism Phi M.

Lemma uniform_prior : distribution (fun _ : input => p^-1).
Proof.
split=> [i|]; first by rewrite invr_ge0 ler0n.
by rewrite sumr_const card_ord -[LHS]mulr_natl mulfV // gt_eqF ?p_gt0.
Qed.

Lemma as_matrix (N : input -> input -> R) : mechanism Phi N -> mechanism Phi (\matrix_(i, r) N i r : 'M[R]_n.+1).
Proof. by apply: eq_mechanism => i r; rewrite mxE. Qed.

Theorem theorem24_multiplicative :
  (forall N : 'M[R]_n.+1, mechanism Phi N -> forall w, distribution w ->
    uncertainty ord0 w zero_one M <= uncertainty ord0 w zero_one N) ->
  attains_multiplicative Phi M (multiplicative_capacity M).
Proof.
move=> M_best; split=> // Z N /(theorem25 ord0)[[N' [N'_mech <- _]] _].
have := M_best _ (as_matrix N'_mech) _ uniform_prior; set N'' := \matrix_(_, _) _.
have -> : multiplicative_capacity N' = multiplicative_capacity N''.
  by apply: eq_bigr => y _; apply: eq_largest => x; rewrite mxE.
rewrite !zero_one_uncertainty; last by case: M_mech.
  by rewrite ler_add2l ler_opp2 ler_pmul2r ?invr_gt0 ?p_gt0.
by case: (as_matrix N'_mech).
Qed.

Theorem theorem24_additive :
  (forall N : 'M[R]_n.+1, mechanism Phi N -> forall w, distribution w ->
    uncertainty ord0 w dual M <= uncertainty ord0 w dual N) ->
  attains_additive Phi M (additive_capacity M).
Proof.
move=> M_best; split=> // Z N /(theorem25 ord0)[_ [N' [N'_mech <- _]]].
have := M_best _ (as_matrix N'_mech) _ uniform_prior; set N'' := \matrix_(_, _) _.
have -> : additive_capacity N' = additive_capacity N''.
  by congr (1 - _); apply: eq_bigr => y _; congr (- _); apply: eq_largest => x; rewrite mxE.
by rewrite !dual_uncertainty ler_pmul2r ?invr_gt0 ?p_gt0 // ler_add2l ler_opp2.
Qed.

End OptimalCapacity.
