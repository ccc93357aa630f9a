(* SPDX-License-Identifier: MIT *)
(* Every prior has an optimal mechanism (ElSalamouny and others, Sections 1 and 2.2).                         *)
(*                                                                                                            *)
(*   optimal_mechanism   for every prior some mechanism, with the answers as outputs, gains as much as any    *)
(*                       mechanism with any outputs and any remap                                             *)
(*   support_remap       some best remap makes no guess of probability 0                                      *)
(*                                                                                                            *)
(* Mechanisms with the answers as outputs are those of a linear program; all others are remapped to these.    *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame LinearPrograms Extremes Leakage PrivacyTypes.
From ExactDP Require Import TightConstraints ObliviousQueries TightOptimality.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Optimal.
Variables (R : realFieldType) (p : nat) (Phi : 'I_p -> 'I_p -> R).
Implicit Types (q : 'I_p -> R) (X : 'M[R]_p).

(* The terms of M_ir - Phi(i,h) M_hr. *)
Definition constraint_term (e : 'I_p * 'I_p * 'I_p) : 'M[R]_p :=
  \matrix_(k, r) ((r == e.2)%:R * ((k == e.1.1)%:R - Phi e.1.1 e.1.2 * (k == e.1.2)%:R)).

Lemma inner_constraint i h r X : inner (constraint_term (i, h, r)) X = X i r - Phi i h * X h r.
Proof.
have col k : \sum_s constraint_term (i, h, r) k s * X k s = (k == i)%:R * X k r - Phi i h * ((k == h)%:R * X k r).
  rewrite (bigD1 r) //= big1 ?addr0 => [|s /negPf sr]; first by rewrite mxE /= eqxx mul1r mulrBl mulrA.
  by rewrite mxE /= sr !mul0r.
rewrite /inner; under eq_bigr => k _ do rewrite col.
rewrite sumrB -mulr_sumr; congr (_ - _ * _).
  by rewrite (bigD1 i) //= eqxx mul1r big1 ?addr0 // => k /negPf ->; rewrite mul0r.
by rewrite (bigD1 h) //= eqxx mul1r big1 ?addr0 // => k /negPf ->; rewrite mul0r.
Qed.

Lemma mechanism_feasible X : mechanism Phi X <-> feasible constraint_term X.
Proof.
split=> [[X_st X_priv]|[X_st X_in]]; split=> //.
  by move=> [[i h] r]; rewrite inner_constraint subr_ge0 X_priv.
by move=> i h r; have := X_in (i, h, r); rewrite inner_constraint subr_ge0.
Qed.

Theorem optimal_mechanism q : (forall i h, Phi i h <= 1) -> distribution q ->
  exists M : 'I_p -> 'I_p -> R, mechanism Phi M /\ optimal_for Phi q M.
Proof.
move=> Phi_le1 [q_ge0 q_sum]; have [i0 _|none] := pickP (fun _ : 'I_p => true); last first.
  by have /eqP := oner_neq0 R; case; rewrite -q_sum big1 // => i _; have := none i.
have start : feasible constraint_term (\matrix_(i, r) (r == i0)%:R).
  apply/mechanism_feasible; split=> [|i h r]; last by rewrite !mxE ler_pimull ?ler0n.
  split=> [i r|i]; first by rewrite mxE ler0n.
  by under eq_bigr => r _ do rewrite mxE; rewrite -[RHS](sum_pick (fun=> 1) i0); apply: eq_bigr => r _; rewrite mul1r.
have [X X_in X_best] := least_attained i0 start (\matrix_(i, r) (- (q i * (r == i)%:R))).
have gainE (M : 'I_p -> 'I_p -> R) : inner (\matrix_(i, r) (- (q i * (r == i)%:R))) (\matrix_(i, r) M i r) = - \sum_i q i * M i i.
  rewrite /inner -sumrN; apply: eq_bigr => i _; rewrite (bigD1 i) //= !mxE eqxx mulr1 mulNr big1 ?addr0 // => r /negPf ri.
  by rewrite !mxE ri mulr0 oppr0 mul0r.
exists X; split; first exact/mechanism_feasible.
exists (@identity_remap R (ordinal_finType p)); first exact: identity_channel.
move=> Z N S N_mech S_channel; have NS_mech := remapped_mechanism S_channel N_mech.
have NS_in : feasible constraint_term (\matrix_(i, r) remapped N S i r).
  apply/mechanism_feasible; have [[NS_ge0 NS_sum] NS_priv] := NS_mech; split=> [|i h r]; last by rewrite !mxE.
  by split=> [i r|i]; [rewrite mxE | under eq_bigr => r _ do rewrite mxE].
have XE : X = \matrix_(i, r) X i r by apply/matrixP => i r; rewrite mxE.
have := X_best _ NS_in; rewrite {1}XE !gainE ler_opp2 !binary_gain => le.
apply: le_trans le _; rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _; congr (_ * _).
by rewrite /remapped /identity_remap -[LHS](sum_pick (X i) i); apply: eq_bigr => r _; rewrite eq_sym.
Qed.

End Optimal.

(* Guesses of probability 0 are not needed. *)
Theorem support_remap (R : realFieldType) (X O : finType) (q : X -> R) (M : X -> O -> R) : distribution q -> channel M ->
  exists T : O -> X -> R, [/\ channel T, forall o k, q k = 0 -> T o k = 0 & optimal_remap q M T].
Proof.
move=> [q_ge0 q_sum] [M_ge0 _]; have [x0 x0_gt0|none] := pickP (fun i => 0 < q i); last first.
  have /eqP := oner_neq0 R; case; rewrite -q_sum big1 // => i _.
  by have := none i; rewrite lt_neqAle q_ge0 andbT => /negbFE/eqP.
pose best o := [arg max_(i > x0 | (0 < q i)%R) (q i * M i o)]%O.
have best_gt0 o : 0 < q (best o) by rewrite /best; case: Order.TotalTheory.arg_maxP.
have bestP o : largest (fun i => q i * M i o) = q (best o) * M (best o) o.
  rewrite /best; case: Order.TotalTheory.arg_maxP => // i i_gt0 i_max.
  apply: (@largestE _ _ (fun i => q i * M i o)) => j; have := q_ge0 j; rewrite le_eqVlt => /orP[/eqP <-|]; last exact: i_max.
  by rewrite mul0r mulr_ge0.
have T_channel : channel (fun o k => (k == best o)%:R : R).
  by split=> [o k|o]; [rewrite ler0n | rewrite -[RHS](sum_pick (fun=> 1) (best o)); apply: eq_bigr => k _; rewrite mul1r].
exists (fun o k => (k == best o)%:R); split=> // [o k q0|].
  by case: eqP => // kb; have := best_gt0 o; rewrite -kb q0 ltxx.
split=> // T' T'_channel; apply: le_trans (remap_utility_le _ _ T'_channel) _.
rewrite binary_gain utilityE /remapped; under [leRHS]eq_bigr => i _ do rewrite mulr_sumr.
rewrite exchange_big; apply: ler_sum => o _; rewrite bestP -(sum_pick (fun i => q i * M i o) (best o)) le_eqVlt; apply/orP; left.
by apply/eqP; apply: eq_bigr => i _; rewrite mulrA.
Qed.
