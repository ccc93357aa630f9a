(* SPDX-License-Identifier: MIT *)
(* Losses with two guesses in the discrete metric (Fernandes and others, Section 5.6): the other half of      *)
(* Theorem 21.                                                                                                *)
(*                                                                                                            *)
(*   two_guesses_optimal   whatever the loss is, it is universally optimal to say whether the input is one    *)
(*                         for which the first guess is better                                                *)
(*   theorem21_iff         so a strictly monotone loss on three or more inputs has a universally optimal      *)
(*                         mechanism exactly when it has at most two guesses                                  *)
(*                                                                                                            *)
(* Proof.  After its outputs are read as guesses, a mechanism makes the first guess with a probability y(i).  *)
(* Replace y by its largest value u where this guess is better, and by its least value v elsewhere: nobody    *)
(* loses by it.  The pairs (u, 1-u), (v, 1-v) are a private mechanism on two inputs, so a post-processing of  *)
(* T (Corollary 18).                                                                                          *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Channels Refinement Rays Kernels KernelOptimality.
From ExactDP Require Import DiscreteRays Definition9 PairsOfInputs PairMechanisms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TwoGuesses.
Variables (R : realFieldType) (p : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation e := (@discrete_level R p a).
Variables (W : finType) (w0 w1 : W) (l : 'I_p -> W -> R).
Hypothesis two : forall r : W, r = w0 \/ r = w1.

(* Where the guess w0 is better. *)
Definition better_first : {set 'I_p} := [set i | l i w0 < l i w1].
Local Notation S := better_first.
Local Notation gap i := (l i w0 - l i w1).

(* Two outputs, read as w0 and w1. *)
Lemma two_outputs w (N : 'M[R]_(p, 2)) : stochastic N ->
  uncertainty w0 w l N <= \sum_i w i * (l i w1 + N i ord0 * gap i).
Proof.
move=> [_ N_sum1]; rewrite /uncertainty sum2.
apply: le_trans (ler_add (minimum_le _ _ w0) (minimum_le _ _ w1)) _.
rewrite /output_loss -big_split /=; apply: ler_sum => i _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
have -> : N i ord_max = 1 - N i ord0 by rewrite -(N_sum1 i) sum2 addrC addKr.
by by_ring R.
Qed.

(* Outputs in general. *)
Lemma share m (X : 'M[R]_(p, m)) w : of_type e X -> exists y : 'I_p -> R,
  [/\ forall i, 0 <= y i <= 1, forall i k, i != k -> a * y k <= y i /\ a * (1 - y k) <= 1 - y i &
      uncertainty w0 w l X = \sum_i w i * (l i w1 + y i * gap i)].
Proof.
move=> [[X_ge0 X_sum1] X_priv].
have [f f_min] : exists f : 'I_m -> W, forall j, minimum w0 (output_loss w l X j) = output_loss w l X j (f j).
  apply: (@fin_all_exists _ (fun=> W) (fun j r => minimum w0 (output_loss w l X j) = output_loss w l X j r)) => j.
  exact: minimum_attained.
pose y i := \sum_(j | f j == w0) X i j; exists y.
have rest i : 1 - y i = \sum_(j | f j != w0) X i j.
  by rewrite -(X_sum1 i) (bigID (fun j => f j == w0)) /= addrC addKr.
have y_ge0 i : 0 <= y i by apply: sumr_ge0.
have rest_ge0 i : 0 <= 1 - y i by rewrite rest; apply: sumr_ge0.
have level_a i k : i != k -> e i k = a by rewrite /discrete_level => /negPf ->.
split=> [i|i k ik|].
- by rewrite y_ge0 -subr_ge0 rest_ge0.
- by rewrite !rest /y !mulr_sumr; split; apply: ler_sum => j _; rewrite -(level_a i k ik).
rewrite /uncertainty; under eq_bigr => j _ do rewrite f_min /output_loss.
rewrite exchange_big /=; apply: eq_bigr => i _; rewrite -mulr_sumr; congr (_ * _).
rewrite (bigID (fun j => f j == w0)) /=.
have -> : \sum_(j | f j == w0) X i j * l i (f j) = y i * l i w0.
  by rewrite mulr_suml; apply: eq_bigr => j /eqP ->.
have -> : \sum_(j | f j != w0) X i j * l i (f j) = (1 - y i) * l i w1.
  by rewrite rest mulr_suml; apply: eq_bigr => j; case: (two (f j)) => ->; rewrite ?eqxx.
by by_ring R.
Qed.

Theorem two_guesses_optimal : universally_optimal e w0 l (question a S).
Proof.
split=> [|w [w_ge0 _] m X X_type]; first exact: question_of_type.
have [y [y_01 y_priv ->]] := share w X_type.
have constant u : 0 <= u <= 1 -> uncertainty w0 w l (question a S) <= \sum_i w i * (l i w1 + u * gap i).
  move=> /andP[u_ge0 u_le1]; pose Q : 'M[R]_2 := \matrix_(j, k) (if k == ord0 then u else 1 - u).
  have Q_st : stochastic Q.
    by split=> [j k|j]; [rewrite mxE; case: ifP; rewrite ?subr_ge0 | rewrite sum2 !mxE /= addrC subrK].
  apply: le_trans (refinement_loses w0 w l (ex_intro2 _ _ Q Q_st erefl)) _.
  have q_st := question_stochastic a_gt0 S.
  apply: le_trans (two_outputs w (PostProcessing.stochastic_mul q_st Q_st)) _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _; congr (_ * (_ + _ * _)).
  have [_ q_sum1] := q_st; rewrite mxE -[RHS]mul1r -(q_sum1 i) mulr_suml.
  by apply: eq_bigr => j _; rewrite [Q _ _]mxE.
have gap_S i : i \in S -> gap i <= 0 by rewrite inE subr_le0 => /ltW.
have gap_S' i : i \notin S -> 0 <= gap i by rewrite inE subr_ge0 leNgt.
have [i0 i0_S|S0] := pickP (mem S); last first.
  apply: le_trans (constant 0 _) _; first by rewrite lexx ler01.
  apply: ler_sum => i _; rewrite ler_wpmul2l // ler_add2l mul0r mulr_ge0 //; first by case/andP: (y_01 i).
  by apply: gap_S'; rewrite -[_ \in _]/(mem S i) S0.
have [k0 k0_S|S1] := pickP (mem (~: S)); last first.
  apply: le_trans (constant 1 _) _; first by rewrite lexx ler01.
  apply: ler_sum => i _; rewrite ler_wpmul2l // ler_add2l ler_wnmul2r //; last by case/andP: (y_01 i).
  by apply: gap_S; have := S1 i; rewrite /= inE => /negbT; rewrite negbK.
case: (@arg_maxP _ _ _ i0 (mem S) y i0_S) => i1 i1_S y_le.
case: (@arg_minP _ _ _ k0 (mem (~: S)) y k0_S) => k1 k1_S le_y.
have i1_in : i1 \in S by exact: i1_S.
have k1_out : k1 \notin S by rewrite -in_setC; exact: k1_S.
have ik : i1 != k1 by apply: contraNneq k1_out => <-.
have ki : k1 != i1 by rewrite eq_sym.
pose row (c : 'I_2) : 'I_p := if c == ord0 then i1 else k1.
pose N : 'M[R]_2 := \matrix_(c, j) (if j == ord0 then y (row c) else 1 - y (row c)).
have N_type : of_type (@discrete_level R 2 a) N.
  split; [split=> [c j|c]|move=> c d j].
  - by rewrite mxE; have /andP[] := y_01 (row c); case: ifP => _; rewrite ?subr_ge0.
  - by rewrite sum2 !mxE /= addrC subrK.
  rewrite !mxE /discrete_level; case: (eqVneq c d) => [->|cd]; first by rewrite mul1r.
  have rcd : row c != row d.
    by move: cd; rewrite /row; have [->|->] := two_inputs c; have [->|->] := two_inputs d; rewrite ?eqxx.
  by have [le1 le2] := y_priv _ _ rcd; case: ifP.
have [Q Q_st N_def] := two_inputs_derivable a_gt0 a_lt1 N_type.
apply: le_trans (refinement_loses w0 w l (ex_intro2 _ _ Q Q_st erefl)) _.
pose class i : 'I_2 := if i \in S then ord0 else ord_max.
have pulled i j : (question a S *m Q) i j = N (class i) j.
  rewrite N_def !mxE; apply: eq_bigr => k _; congr (_ * _).
  rewrite !mxE mul1r /discrete_level /class mulrC.
  by have [->|->] := two_inputs k; case: (i \in S).
have NQ_st : stochastic (question a S *m Q).
  by apply: PostProcessing.stochastic_mul => //; exact: question_stochastic.
apply: le_trans (two_outputs w NQ_st) _; apply: ler_sum => i _; rewrite ler_wpmul2l // ler_add2l pulled mxE /= /class.
case: (boolP (i \in S)) => i_S.
  by apply: ler_wnmul2r; [exact: gap_S | exact: y_le].
by apply: ler_wpmul2r; [exact: gap_S' | apply: le_y; rewrite -in_setC in i_S].
Qed.

End TwoGuesses.

Theorem theorem21_iff (R : realFieldType) (p : nat) (a : R) (d : 'I_p -> 'I_p -> R) (W : finType) (w0 : W) (l : 'I_p -> W -> R) :
  0 < a -> a < 1 -> (2 < p)%N -> distance_function d -> strictly_monotone_in d l ->
  (exists m (M : 'M[R]_(p, m)), universally_optimal (@discrete_level R p a) w0 l M) <-> (#|W| <= 2)%N.
Proof.
move=> a_gt0 a_lt1 p_gt2 d_metric l_strict; split=> [[m [M opt]]|W_le2].
  rewrite leqNgt; apply/negP => W_gt2; exact: (theorem21 a_gt0 a_lt1 d_metric l_strict W_gt2 opt).
have [w1 two] : exists w1, forall r : W, r = w0 \/ r = w1.
  have [w1 w1_neq|only] := pickP (fun r : W => r != w0); last first.
    by exists w0 => r; left; apply/eqP; have := only r; move/negbT; rewrite negbK.
  exists w1 => r; have [->|r0] := eqVneq r w0; [by left | right]; apply/eqP; apply: contraT => r1.
  have r_uniq : uniq [:: w0; w1; r] by rewrite /= !inE negb_or eq_sym w1_neq [w0 == r]eq_sym r0 eq_sym r1.
  have := max_card (mem [:: w0; w1; r]); rewrite (card_uniqP r_uniq) => /= le3.
  by have := leq_trans le3 W_le2.
by exists 2%N, (question a (better_first w0 w1 l)); exact: two_guesses_optimal.
Qed.
