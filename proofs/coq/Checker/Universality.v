(* SPDX-License-Identifier: MIT *)
(* Universal optimality for neighbours with any distances (OptimalityClaims.v): what is used of it.           *)
(*                                                                                                            *)
(*   best_answer                    randomised answers are no better than the best fixed ones                 *)
(*   optimal_for_weights            universal optimality speaks of all weights >= 0 as well                   *)
(*   universally_optimal_for_graph  where all distances are 1, it is [universally_optimal_on] of the theory   *)
(*   sums_of_losses                 with several priors: one mechanism would be best for all of them          *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Channels Retracts.
From ExactDP.Checker Require Import Numbers Rows Syntax Meaning OptimalityClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Universality.
Variable R : realFieldType.
Add Field R_field : (field_theory_of R).

Lemma best_answer p m k (w : 'I_p -> R) (l : 'M[R]_(p, m)) (M : 'M[R]_(p, k)) : (0 < m)%N ->
  exists f : 'I_k -> 'I_m, forall T : 'M[R]_(k, m), stochastic T ->
    bayes_loss w l (M *m remap R f) <= bayes_loss w l (M *m T).
Proof.
case: m l => // m l _; have [[f f_least] least] := least_remap w l M.
by exists f => T /least; rewrite f_least.
Qed.

Lemma mul_remap_id p m (X : 'M[R]_(p, m)) : X *m remap R id = X.
Proof.
apply/matrixP=> i r; rewrite mxE (bigD1 r) //= mxE eqxx mulr1 big1 ?addr0 // => s /negPf sr.
by rewrite mxE sr mulr0.
Qed.

Lemma bayes_loss_scaled p m (c : R) (w : 'I_p -> R) (l X : 'M[R]_(p, m)) :
  bayes_loss (fun i => c * w i) l X = c * bayes_loss w l X.
Proof. by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulrA. Qed.

Lemma optimal_for_weights near p m k a (l : 'M[R]_(p, m)) (M : 'M[R]_(p, k)) : (0 < m)%N ->
  universally_optimal_for near a l M <->
  mechanism_for near a M /\
  forall w : 'I_p -> R, (forall i, 0 <= w i) ->
  forall q (X : 'M[R]_(p, q)) (h : 'I_q -> 'I_m), mechanism_for near a X ->
  exists f : 'I_k -> 'I_m, bayes_loss w l (M *m remap R f) <= bayes_loss w l (X *m remap R h).
Proof.
move=> m_gt0; split=> [] [M_mech M_opt]; split=> // w w_ok q X h X_mech; last by apply: M_opt => //; case: w_ok.
have W_ge0 : 0 <= \sum_i w i by exact: sumr_ge0.
have [W0|W_neq0] := eqVneq (\sum_i w i) 0.
  have w0 i : w i = 0 by exact: (@psumr_eq0P _ _ xpredT _ (fun i _ => w_ok i) W0 i isT).
  exists (fun _ => Ordinal m_gt0); rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigr => i _; rewrite w0 !mul0r.
have W_gt0 : 0 < \sum_i w i by rewrite lt0r W_neq0.
pose u i := (\sum_j w j)^-1 * w i; have u_dist : distribution u.
  by split=> [i|]; [rewrite mulr_ge0 // invr_ge0 | rewrite -mulr_sumr mulVf].
have [f f_opt] := M_opt u u_dist q X h X_mech; exists f; move: f_opt.
by rewrite !bayes_loss_scaled ler_pmul2l ?invr_gt0.
Qed.

Theorem universally_optimal_for_graph near p m k a (l : 'M[R]_(p, m)) (M : 'M[R]_(p, k)) : (0 < m)%N ->
  all_one near -> universally_optimal_for near a l M <-> universally_optimal_on (@adjacent p near) a l M.
Proof.
move=> m_gt0 one; rewrite optimal_for_weights //.
have priv q (X : 'M[R]_(p, q)) : mechanism_for near a X <-> stochastic X /\ private_on (@adjacent p near) a X.
  by rewrite /mechanism_for private_for_graph.
split=> [[/priv[M_st M_priv] M_opt]|[M_st M_priv M_opt]]; split=> //; last 2 first.
- exact/priv.
- move=> w w_ge0 q X h /priv[X_st X_priv]; have [f f_opt] := M_opt w w_ge0; exists f; apply: f_opt.
    exact: stochastic_mul X_st (remap_stochastic R h).
  by apply: private_post_processing X_priv => i r; rewrite mxE ler0n.
move=> w w_ge0; have [f f_best] := best_answer w l M m_gt0; exists f => X X_st X_priv.
have [|g] := M_opt w w_ge0 _ X id; first exact/priv.
by rewrite mul_remap_id; apply: le_trans; apply: f_best; exact: remap_stochastic.
Qed.

(* Of losses that are attained by any mechanisms, each under its own weights, none is below what a universally *)
(* optimal mechanism loses there. *)
Lemma sums_of_losses near p m k a (l : 'M[R]_(p, m)) (M : 'M[R]_(p, k)) (I : finType) (w : I -> 'I_p -> R)
    (X : I -> 'M[R]_(p, m)) : (0 < m)%N -> universally_optimal_for near a l M ->
  (forall x i, 0 <= w x i) -> (forall x, mechanism_for near a (X x)) ->
  exists f : I -> 'I_k -> 'I_m, \sum_x bayes_loss (w x) l (M *m remap R (f x)) <= \sum_x bayes_loss (w x) l (X x).
Proof.
move=> m_gt0 /(optimal_for_weights _ _ _ _ m_gt0)[_ M_opt] w_ge0 X_mech.
have [f f_opt] : exists f : I -> {ffun 'I_k -> 'I_m}, forall x,
    bayes_loss (w x) l (M *m remap R (f x)) <= bayes_loss (w x) l (X x).
  apply: (@fin_all_exists _ (fun=> {ffun 'I_k -> 'I_m})
            (fun x (f : {ffun 'I_k -> 'I_m}) => bayes_loss (w x) l (M *m remap R f) <= bayes_loss (w x) l (X x))) => x.
  have [f f_opt] := M_opt (w x) (w_ge0 x) _ (X x) id (X_mech x); exists (finfun f).
  move: f_opt; rewrite mul_remap_id; congr (bayes_loss _ _ (_ *m _) <= _).
  by apply/matrixP=> i r; rewrite !mxE ffunE.
by exists f; apply: ler_sum => x _; exact: f_opt.
Qed.

End Universality.
