(* SPDX-License-Identifier: MIT *)
(* Example 3 of ElSalamouny and others: u independent records with four values each, of the masses 3/10,      *)
(* 27/100, 23/100, 2/10 (u = 5 in the paper), at every level a = e^(-epsilon).                                *)
(*                                                                                                            *)
(*   example3_regular_iff   the prior is regular exactly for a <= 1/2, that is epsilon >= ln 2                *)
(*   example3_leakage       what any private mechanism leaks at most, attained: (10/(3(1+3a)))^u for          *)
(*                          a <= 1/2, (8/(3(1+2a)))^u for 1/2 <= a <= 23/34                                   *)
(*   example3_exceeds       for 1/2 < a the printed bound (10/(3(1+3a)))^u is exceeded                        *)
(*   example3_better        at every level less is leaked than Theorem 2 allows for all priors                *)
(* (epsilon = 0.48, where the paper's grid begins, is a = 0.618...; 23/34 is epsilon = 0.390...)              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Extremes Leakage PrivacyTypes Capacities TightConstraints.
From ExactDP Require Import InducedMetric Hamming IndependentRecords.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Example3.
Variables (R : realFieldType) (u : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

(* The masses in hundredths. *)
Definition masses : seq nat := [:: 30; 27; 23; 20]%N.
(* The mass of the k-th of the four values of a record: 3/10, 27/100, 23/100, 2/10. *)
Definition one_mass (k : 'I_4) : R := (nth 0%N masses k)%:R / 100%:R.
(* The prior on databases of u independent records with these masses: the product of the masses of the records. *)
Definition example3_prior : {ffun 'I_u -> 'I_4} -> R := joint_prior (fun=> one_mass).
Local Notation Phi := (level a (@hamming [finType of 'I_4] u)).

Lemma one_mass_distribution : distribution one_mass.
Proof.
split=> [k|]; first by rewrite divr_ge0 ?ler0n.
by rewrite -mulr_suml !big_ord_recl big_ord0 /= addr0 -!natrD divff // pnatr_eq0.
Qed.

Lemma example3_distribution : distribution example3_prior.
Proof. by apply: joint_distribution => i; exact: one_mass_distribution. Qed.

Theorem example3_regular_iff : (0 < u)%N -> regular Phi example3_prior <-> 2%:R * a <= 1.
Proof.
move=> u_gt0; have dist := one_mass_distribution.
have one : regular (record_phi a) one_mass <-> 2%:R * a <= 1.
  rewrite record_regular_iff // card_ord; split=> [/(_ (inord 3))|a_le k].
    rewrite /one_mass inordK //= mulrAC ler_pdivl_mulr ?ltr0n // => le.
    rewrite -(ler_pmul2l (_ : 0 < 20%:R)) ?ltr0n // -subr_ge0.
    by rewrite [leRHS](_ : _ = 20%:R * (1 + (4%:R - 1) * a) - a * 100%:R) ?subr_ge0 //; by_ring R.
  have mass_ge : 20%:R / 100%:R <= one_mass k.
    rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat.
    by case: k => -[|[|[|[|]]]].
  apply: le_trans (_ : 20%:R / 100%:R * (1 + (4%:R - 1) * a) <= _).
    rewrite mulrAC ler_pdivl_mulr ?ltr0n // -subr_ge0.
    by rewrite [leRHS](_ : _ = 20%:R * (1 - 2%:R * a)) ?mulr_ge0 ?ler0n ?subr_ge0 //; by_ring R.
  rewrite ler_wpmul2r // addr_ge0 ?ler01 // mulr_ge0 ?(ltW a_gt0) // subr_ge0 ler1n //.
rewrite joint_regular_iff //; split=> [/(_ (Ordinal u_gt0)) /one //|a_le i]; exact/one.
Qed.

(* Which of the values are told: all four, or all but the last. *)
Definition first_values (n : nat) : {set 'I_4} := [set k : 'I_4 | (k < n)%N].

Lemma first_four : set_value a one_mass (first_values 4) = (1 + 3%:R * a)^-1.
Proof.
have -> : first_values 4 = [set: 'I_4] by apply/setP => k; rewrite !inE ltn_ord.
rewrite /set_value /set_size cardsT card_ord (_ : \sum_(k in _) _ = 1); last first.
  by rewrite -(proj2 one_mass_distribution); apply: eq_bigl => k; rewrite inE.
by rewrite mul1r; congr (_ ^-1); by_ring R.
Qed.

Lemma first_three : set_value a one_mass (first_values 3) = 80%:R / 100%:R / (1 + 2%:R * a).
Proof.
have card3 : #|first_values 3| = 3%N.
  by rewrite -sum1_card big_mkcond !big_ord_recl big_ord0 /= !inE.
have sum3 : \sum_(k in first_values 3) one_mass k = 80%:R / 100%:R.
  by rewrite big_mkcond !big_ord_recl big_ord0 /= !inE /= !addr0 /one_mass /= -!mulrDl -!natrD.
by rewrite /set_value /set_size card3 sum3; congr (_ / _); by_ring R.
Qed.

Lemma mass_ge n (k : 'I_4) : (n <= nth 0%N masses k)%N -> n%:R / 100%:R <= one_mass k.
Proof. by move=> n_le; rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat. Qed.

Lemma best_four : 2%:R * a <= 1 -> best_set a one_mass (first_values 4).
Proof.
move=> a_le; have s_gt0 : 0 < 1 + 3%:R * a by rewrite addr_gt0 ?ltr01 // mulr_gt0 ?ltr0n.
split=> [|k _|k]; first by apply/set0Pn; exists ord0; rewrite inE.
  rewrite first_four; apply: le_trans (_ : 20%:R / 100%:R <= _); last by apply: mass_ge; case: k => -[|[|[|[|]]]].
  rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr ?ltr0n // -subr_ge0.
  by rewrite [leRHS](_ : _ = 20%:R * (1 - 2%:R * a)) ?mulr_ge0 ?ler0n ?subr_ge0 //; by_ring R.
by rewrite inE ltn_ord.
Qed.

Lemma best_three : 1 <= 2%:R * a -> 34%:R * a <= 23%:R -> best_set a one_mass (first_values 3).
Proof.
move=> a_ge a_le; have s_gt0 : 0 < 1 + 2%:R * a by rewrite addr_gt0 ?ltr01 // mulr_gt0 ?ltr0n.
split=> [|k|k]; rewrite ?inE ?first_three; first by apply/set0Pn; exists ord0; rewrite inE.
  move=> k_lt; apply: le_trans (_ : 23%:R / 100%:R <= _).
    rewrite mulrA ler_pdivr_mulr // mulrA [leRHS]mulrAC ler_pmul2r ?invr_gt0 ?ltr0n // -subr_ge0.
    by rewrite [leRHS](_ : _ = 23%:R - 34%:R * a) ?subr_ge0 //; by_ring R.
  by apply: mass_ge; case: k k_lt => -[|[|[|[|]]]].
rewrite -leqNgt => k_ge; have -> : one_mass k = 20%:R / 100%:R by case: k k_ge => -[|[|[|[|]]]].
rewrite mulrA ler_pdivl_mulr // mulrA mulrAC ler_pmul2r ?invr_gt0 ?ltr0n // -subr_ge0.
by rewrite [leRHS](_ : _ = 20%:R * (2%:R * a - 1)) ?mulr_ge0 ?ler0n ?subr_ge0 //; by_ring R.
Qed.

Lemma example3_vulnerability : vulnerability (@identity_gain R _) example3_prior = (30%:R / 100%:R) ^+ u.
Proof.
have mass_ge0 k : 0 <= one_mass k by case: one_mass_distribution.
rewrite vulnerabilityE largest_joint // prodr_const card_ord (@largestE _ _ _ ord0) // => k.
by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat; case: k => -[|[|[|[|]]]].
Qed.

(* 2^L for one record. *)
Definition example3_factor : R := if 2%:R * a <= 1 then 10%:R / (3%:R * (1 + 3%:R * a)) else 8%:R / (3%:R * (1 + 2%:R * a)).

Lemma example3_factor_ge0 : 0 <= example3_factor.
Proof.
have s_ge0 n : 0 <= 1 + n%:R * a by rewrite addr_ge0 ?ler01 ?mulr_ge0 ?ler0n ?(ltW a_gt0).
by rewrite /example3_factor; case: ifP => _; rewrite divr_ge0 ?mulr_ge0 ?ler0n.
Qed.

Lemma example3_value : 34%:R * a <= 23%:R -> best_value a one_mass = example3_factor * (30%:R / 100%:R).
Proof.
move=> a_le; have dist := one_mass_distribution.
have best S : best_set a one_mass S -> best_value a one_mass = set_value a one_mass S.
  move=> S_best; have := @independent_utility_sets R _ 1 a a_gt0 a_lt1 (fun=> one_mass) (fun=> S) (fun=> dist) (fun=> S_best).
  by rewrite !big_ord_recl !big_ord0 !mulr1.
have cancel (m n k l : nat) (x : R) :
    m%:R / (n%:R * x) * (k%:R / l%:R) = (m * k)%:R / (n * l)%:R / x.
  by rewrite invfM [m%:R * _]mulrA [LHS]mulrAC mulf_div -!natrM.
rewrite /example3_factor; case: ifP => [small|/negbT]; last rewrite -ltNge => /ltW large.
  by rewrite (best _ (best_four small)) first_four cancel divff ?pnatr_eq0 // mul1r.
rewrite (best _ (best_three large a_le)) first_three cancel; congr (_ / _).
by apply/eqP; rewrite eqr_div ?pnatr_eq0 // -!natrM.
Qed.

Theorem example3_leakage : 34%:R * a <= 23%:R ->
  (forall (O : finType) (Y : {ffun 'I_u -> 'I_4} -> O -> R), mechanism Phi Y -> leakage example3_prior Y <= example3_factor ^+ u) /\
  exists Y : {ffun 'I_u -> 'I_4} -> {ffun 'I_u -> 'I_4} -> R,
    mechanism Phi Y /\ leakage example3_prior Y = example3_factor ^+ u.
Proof.
move=> a_le; have dist := one_mass_distribution.
have top_gt0 : 0 < (30%:R / 100%:R) ^+ u :> R by rewrite exprn_gt0 // divr_gt0 ?ltr0n.
have value : \prod_(i < u) best_value a one_mass = example3_factor ^+ u * (30%:R / 100%:R) ^+ u.
  by rewrite prodr_const card_ord example3_value // exprMn.
split=> [O Y Y_mech|].
  rewrite /leakage example3_vulnerability ler_pdivr_mulr // -value.
  exact: (independent_utility_le a_gt0 a_lt1 (p := fun=> one_mass) (fun=> dist) Y_mech).
have [S [Y_mech Y_utility]] := independent_utility_attained a_gt0 a_lt1 (p := fun=> one_mass) (fun _ : 'I_u => dist).
exists (joint (fun i => tell a (S i))); split=> //.
by rewrite /leakage example3_vulnerability Y_utility value mulfK // gt_eqF.
Qed.

Lemma factor_lt (m n : nat) (x y : R) : 0 < x -> 0 < y -> m%:R * y < n%:R * x -> m%:R / x < n%:R / y.
Proof. by move=> x_gt0 y_gt0 lt; rewrite ltr_pdivr_mulr // mulrAC ltr_pdivl_mulr. Qed.

(* Figure 4's lower curve for a > 1/2. *)
Theorem example3_exceeds : (0 < u)%N -> 1 < 2%:R * a -> 34%:R * a <= 23%:R ->
  exists Y : {ffun 'I_u -> 'I_4} -> {ffun 'I_u -> 'I_4} -> R,
    mechanism Phi Y /\ (10%:R / (3%:R * (1 + 3%:R * a))) ^+ u < leakage example3_prior Y.
Proof.
move=> u_gt0 a_gt a_le; have [_ [Y [Y_mech Y_leak]]] := example3_leakage a_le; exists Y; split=> //.
have s_gt0 n : 0 < 1 + n%:R * a by apply: ltr_paddr; rewrite ?ltr01 ?mulr_ge0 ?ler0n ?(ltW a_gt0).
rewrite Y_leak ltr_pexpn2r // ?nnegrE ?example3_factor_ge0 ?divr_ge0 ?mulr_ge0 ?ler0n ?(ltW (s_gt0 _)) //.
rewrite /example3_factor leNgt a_gt /=; apply: factor_lt; rewrite ?mulr_gt0 ?ltr0n // -subr_gt0.
by rewrite [ltRHS](_ : _ = 6%:R * (2%:R * a - 1)) ?mulr_gt0 ?ltr0n ?subr_gt0 //; by_ring R.
Qed.

Theorem example3_better (O : finType) (Y : {ffun 'I_u -> 'I_4} -> O -> R) : (0 < u)%N -> mechanism Phi Y ->
  leakage example3_prior Y < (4%:R / (1 + 3%:R * a)) ^+ u.
Proof.
move=> u_gt0 Y_mech; have -> : 1 + 3%:R * a = 1 + (#|'I_4|%:R - 1) * a by rewrite card_ord; by_ring R.
have -> : 4%:R = #|'I_4|%:R :> R by rewrite card_ord.
apply: (independent_better a_gt0 a_lt1 (p := fun=> one_mass)) => // [i|i]; first exact: one_mass_distribution.
exists ord0, ord_max; rewrite /one_mass /=; apply/eqP => /(congr1 (fun x => x * 100%:R)).
by rewrite !mulfVK ?pnatr_eq0 // => /eqP; rewrite eqr_nat.
Qed.

End Example3.
