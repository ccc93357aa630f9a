(* SPDX-License-Identifier: MIT *)
(* Two inputs that matter, in the discrete metric (Fernandes and others, Section 6 and the example of 8.2).   *)
(*                                                                                                            *)
(*   question a S        two outputs: is the input in S?  True with the weight 1 against a                    *)
(*   question_kernel     it is a kernel mechanism, for every proper subset S                                  *)
(*   question_restriction   on two inputs that S separates it is T of Corollary 18                            *)
(*   question_optimal    if S separates x1 from x2, it is universally optimal for every loss that depends on  *)
(*                       the guess at x1 and x2 only                                                          *)
(*   worked_example      so "is it x1?", "is it x2?" and every mixture of the two are                         *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Channels Refinement Rays Kernels KernelOptimality.
From ExactDP Require Import DiscreteRays Extremes Leakage PrivacyTypes TwoInputs.
From ExactDP Require Import Restriction PairsOfInputs.
From ExactDP Require DiscreteCapacity.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Losses and gains: the expected loss is minus what the negative loss gains. *)
Lemma uncertainty_vulnerability (R : realFieldType) p m (W : finType) (w0 : W) w (l : 'I_p -> W -> R) (Y : 'M[R]_(p, m)) :
  uncertainty w0 w l Y = - posterior_vulnerability (fun r i => - l i r) w Y.
Proof.
rewrite /posterior_vulnerability -sumrN; apply: eq_bigr => j _.
have [r r_min] := minimum_attained w0 (output_loss w l Y j).
rewrite /vulnerability (@largestE _ _ _ r) => [|s].
  rewrite r_min /output_loss -sumrN; apply: eq_bigr => i _.
  by rewrite mulrN opprK mulrA.
have := minimum_le w0 (output_loss w l Y j) s; rewrite r_min -ler_opp2 /output_loss -!sumrN.
by congr (_ <= _); apply: eq_bigr => i _; rewrite mulrN mulrA.
Qed.

Section Question.
Variables (R : realFieldType) (p : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation e := (@discrete_level R p a).

(* Output 0 says that the input is in S, output 1 that it is not: the true one has the probability 1/(1 + a), the other *)
(* a/(1 + a).                                                                                                           *)
Definition question (S : {set 'I_p}) : 'M[R]_(p, 2) :=
  \matrix_(i, j) ((if (i \in S) == (j == ord0) then 1 else a) / (1 + a)).

Lemma a1_gt0 : 0 < 1 + a.
Proof. by rewrite addr_gt0 ?ltr01. Qed.

Lemma question_stochastic S : stochastic (question S).
Proof.
split=> [i j|i].
  by rewrite mxE divr_ge0 ?(ltW a1_gt0) //; case: ifP => _; rewrite ?ler01 // ltW.
rewrite big_ord_recl big_ord1 !mxE -mulrDl /=.
by case: (i \in S) => /=; rewrite ?[a + 1]addrC divff // gt_eqF // a1_gt0.
Qed.

Lemma question_of_type S : of_type e (question S).
Proof.
split=> [|i k j]; first exact: question_stochastic.
rewrite !mxE /discrete_level mulrA ler_pmul2r ?invr_gt0 ?a1_gt0 //.
have aa : a * a <= a by rewrite ger_pmull // ltW.
case: (eqVneq i k) => [->|_]; first by rewrite mul1r.
case: ifP => _; case: ifP => _; rewrite ?mulr1 ?(ltW a_lt1) //.
by apply: le_trans aa _; exact: ltW.
Qed.

Theorem question_kernel S : proper_subset S -> kernel e (question S).
Proof.
move=> S_prop; have a1_neq0 : 1 + a != 0 by rewrite gt_eqF // a1_gt0.
have /andP[/set0Pn[x xS] S_neqT] := S_prop.
have [u uS] : exists u, u \notin S.
  apply/existsP; rewrite -negb_forall; apply: contraNN S_neqT => /forallP all_in.
  by apply/eqP/setP => y; rewrite inE all_in.
have S'_prop : proper_subset (~: S).
  apply/andP; split; first by apply/set0Pn; exists u; rewrite inE.
  by apply/eqP => /setP/(_ x); rewrite !inE xS.
have p_gt1 : (1 < p)%N.
  have xu : nat_of_ord x <> u by move=> /val_inj xu; move: uS; rewrite -xu xS.
  by have x_lt := ltn_ord x; have u_lt := ltn_ord u; nat_lia.
split; [split=> [|j _]|move=> c _ c_rel].
- exact: question_stochastic.
- apply/(discrete_ray a_gt0 a_lt1 p_gt1); exists (if j == ord0 then S else ~: S), (1 + a)^-1; split.
  + by case: ifP.
  + by rewrite invr_gt0 a1_gt0.
  + by move=> i; rewrite mxE mulrC /high; case: (j == ord0); rewrite ?inE; case: (i \in S).
have := c_rel x; have := c_rel u; rewrite !big_ord_recl !big_ord0 !mxE xS (negPf uS) /= !addr0.
set c0 := c ord0; set c1 := c _ => eq_u eq_x.
have scaled y z : c0 * (y / (1 + a)) + c1 * (z / (1 + a)) = 0 -> c0 * y + c1 * z = 0.
  move=> eq0; have : (c0 * (y / (1 + a)) + c1 * (z / (1 + a))) * (1 + a) = 0 by rewrite eq0 mul0r.
  by rewrite mulrDl -!mulrA !mulVf // !mulr1.
move: (scaled _ _ eq_u) (scaled _ _ eq_x); rewrite !mulr1 => eu ex.
have aa_neq0 : 1 - a * a != 0 by rewrite subr_eq0 eq_sym lt_eqF // mulr_ilt1 // ltW.
have c0_0 : c0 = 0.
  apply: (mulfI aa_neq0); rewrite mulr0.
  have -> : (1 - a * a) * c0 = (c0 + c1 * a) - a * (c0 * a + c1) by by_ring R.
  by rewrite eu ex mulr0 subrr.
have c1_0 : c1 = 0 by move: eu; rewrite c0_0 mul0r add0r.
move=> j; case: (eqVneq j ord0) => [->//|j_neq0]; rewrite -c1_0 /c1; congr c; apply/val_inj.
by move: j_neq0; case: j => [[|[|//]]].
Qed.

(* On two inputs that S separates it is T of Corollary 18, up to the order of the outputs. *)
Theorem question_restriction (S : {set 'I_p}) (x u : 'I_p) i j : x \in S -> u \notin S ->
  restriction (pair_of x u) (question S) i j = random_response 2 a i j /\
  restriction (pair_of x u) (question (~: S)) i (rev_ord j) = random_response 2 a i j.
Proof.
move=> xS /negPf uS; rewrite !mxE mul1r /discrete_level /pair_of !inE ![_ / (1 + a)]mulrC.
by have [->|->] := PairsOfInputs.two_inputs i; have [->|->] := PairsOfInputs.two_inputs j; rewrite -?val_eqE /= ?xS ?uS.
Qed.

Variables (x1 x2 : 'I_p) (W : finType) (w0 : W) (l : 'I_p -> W -> R).
Hypothesis l_two : forall i r, i != x1 -> i != x2 -> l i r = l i w0.

Lemma discrete_level_similarity : similarity e.
Proof.
have [gt0 sym one tri] := DiscreteCapacity.discrete_similarity [finType of 'I_p] a_gt0 a_lt1.
have eE x u : level a (@DiscreteCapacity.discrete [finType of 'I_p]) x u = e x u by rewrite DiscreteCapacity.discrete_level.
by split=> [x u|x u|x|x y u]; rewrite -!eE.
Qed.

(* Which answer tells x1 from x2 does not matter. *)
Theorem question_optimal (S : {set 'I_p}) : (x1 \in S) != (x2 \in S) -> universally_optimal e w0 l (question S).
Proof.
move=> S_apart; split=> [|w _ k N N_type]; first exact: question_of_type.
have x12 : x1 != x2 by apply: contraNneq S_apart => ->.
have e12 : e x1 x2 = a by rewrite /discrete_level (negPf x12).
rewrite !uncertainty_vulnerability ler_opp2.
apply: (@two_inputs_optimal _ _ e x1 x2 discrete_level_similarity _ W w0 (fun r i => - l i r)) => //.
- by rewrite e12.
- by move=> i r i1 i2; rewrite l_two.
- exact: question_stochastic.
move=> j; rewrite e12 !mxE; move: S_apart; case: (x1 \in S); case: (x2 \in S) => // _.
  by case: (j == ord0) => /=; [left | right]; rewrite mul1r.
by case: (j == ord0) => /=; [right | left]; rewrite mul1r.
Qed.

End Question.

(* Section 6, and Section 8.2 for any number of inputs: ask for x1, or for x2, or draw one of the questions;  *)
(* the loss is any that does not depend on the guess for the other inputs.                                    *)
Theorem worked_example (R : realFieldType) (p : nat) (a t : R) (x1 x2 : 'I_p) (W : finType) (w0 : W) (l : 'I_p -> W -> R) :
  0 < a -> a < 1 -> x1 != x2 -> 0 <= t <= 1 -> (forall i r, i != x1 -> i != x2 -> l i r = l i w0) ->
  [/\ kernel (@discrete_level R p a) (question a [set x1]), kernel (@discrete_level R p a) (question a [set x2]),
      universally_optimal (@discrete_level R p a) w0 l (question a [set x1]),
      universally_optimal (@discrete_level R p a) w0 l (question a [set x2]) &
      universally_optimal (@discrete_level R p a) w0 l (mixture t (question a [set x1]) (question a [set x2]))].
Proof.
move=> a_gt0 a_lt1 x12 t01 l_two.
have proper x y : x != y -> proper_subset [set x : 'I_p].
  move=> xy; apply/andP; split; first by apply/set0Pn; exists x; rewrite inE.
  by apply/eqP => /setP/(_ y); rewrite !inE eq_sym (negPf xy).
have opt1 : universally_optimal (@discrete_level R p a) w0 l (question a [set x1]).
  by apply: (question_optimal a_gt0 a_lt1 l_two); rewrite !inE eqxx [x2 == x1]eq_sym (negPf x12).
have opt2 : universally_optimal (@discrete_level R p a) w0 l (question a [set x2]).
  by apply: (question_optimal a_gt0 a_lt1 l_two); rewrite !inE eqxx (negPf x12).
split=> //; try by apply: question_kernel => //; apply: proper x12 || apply: (proper x2 x1); rewrite eq_sym.
split=> [|w w_dist k X X_type]; first by apply: mixture_of_type; [ | case: opt1 | case: opt2].
rewrite mixture_uncertainty //; case/andP: t01 => t_ge0 t_le1; have t'_ge0 : 0 <= 1 - t by rewrite subr_ge0.
have -> : uncertainty w0 w l X = t * uncertainty w0 w l X + (1 - t) * uncertainty w0 w l X.
  by rewrite -mulrDl addrC subrK mul1r.
by apply: ler_add; apply: ler_wpmul2l => //; [case: opt1 => _ | case: opt2 => _]; apply.
Qed.
