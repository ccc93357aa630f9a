(* SPDX-License-Identifier: MIT *)
(* Which graphs have a universally optimal mechanism for the zero-one loss: trees of small degree, exactly.   *)
(*                                                                                                            *)
(*   tree_mechanism           T    a^d(i,v) (1 - (deg v - 1) a)/(1 + a)                                       *)
(*   tree_universally_optimal T is universally optimal on a tree with (deg v - 1) a <= 1 at every v           *)
(*   universally_optimal_iff  a connected graph has a universally optimal mechanism if and only if it is such *)
(*                                                                                                            *)
(* Proof.  Let b_v = max_g w_g a^d(g,v), so that T after the best guesses gains sum_v z_v b_v, z_v the factor *)
(* of T, and let beta_v = (1 + (deg v - 1) a^2) b_v - a sum_(u ~ v) b_u.  For a private column x and any root *)
(* g, sum_v x_v beta_v = (1 - a^2) x_g b_g + sum over children c of parents q of (x_c - a x_q) (b_c - a b_q), *)
(* so it is at least (1 - a^2) x_g w_g.  Over all columns g of X this is (1 - a^2) times the gain of X, while *)
(* the left sides add up to sum_v beta_v = (1 - a^2) sum_v z_v b_v.                                           *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Losses Walks Retracts Tightness Impossibility Trees.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The zero-one loss is the total weight less what is guessed right. *)
Lemma zero_one_bayes (R : realFieldType) p (w : 'I_p -> R) (X : 'M[R]_p) : stochastic X ->
  bayes_loss w (zero_one_loss R p p) X = \sum_i w i - \sum_i w i * X i i.
Proof.
case=> _ X_sum1; rewrite -sumrB; apply: eq_bigr => i _.
rewrite -{2}[w i]mulr1 -mulrBr -(X_sum1 i) (bigD1 i) //= addrAC subrr add0r; congr (_ * _).
rewrite /loss_at (bigD1 i) //= zero_oneE eqxx mul0r add0r; apply: eq_bigr => r ri.
by rewrite zero_oneE eq_sym ri mul1r.
Qed.

Section TreeMechanism.
Variables (R : realFieldType) (p : nat) (adjacent : rel 'I_p) (a : R).
Add Field R_field : (field_theory_of R).

Local Notation distance := (distance adjacent).
Local Notation deg v := ((degree adjacent v)%:R : R).

(* The factor of column v of T: (1 - (deg v - 1) a)/(1 + a). *)
Definition tree_scale v : R := (1 - (deg v - 1) * a) / (1 + a).

(* The mechanism T: the entry (i, v) is a^d(i,v) (1 - (deg v - 1) a)/(1 + a). *)
Definition tree_mechanism : 'M[R]_p := \matrix_(i, v) (a ^+ distance i v * tree_scale v).

Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent) (no_cycle : acyclic adjacent).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (small_degrees : forall v, (deg v - 1) * a <= 1).

Local Notation T := tree_mechanism.

Lemma tree_scale_ge0 v : 0 <= tree_scale v.
Proof. by rewrite divr_ge0 ?subr_ge0 // ltW ?one_plus_gt0. Qed.

Theorem tree_stochastic : stochastic T.
Proof.
split=> [i v|i]; first by rewrite mxE mulr_ge0 ?exprn_ge0 ?tree_scale_ge0 // ltW.
under eq_bigr => v _ do rewrite mxE /tree_scale mulrA (distance_sym graph conn).
by rewrite -mulr_suml (tree_ones graph conn no_cycle) divff // gt_eqF ?one_plus_gt0.
Qed.

Theorem tree_private : private_on adjacent a T.
Proof.
move=> i j v ij; rewrite !mxE mulrA ler_wpmul2r ?tree_scale_ge0 // -exprS.
by apply: ler_wiexpn2l; rewrite ?ltW // distance_step.
Qed.

Section Weights.
Variable w : 'I_p -> R.
Hypothesis w_ge0 : forall i, 0 <= w i.

(* A guess g with the largest w_g a^d(g,v): what to guess at the output v. *)
Definition best_guess v : 'I_p := [arg max_(g > v) w g * a ^+ distance g v]%O.

(* b_v = max_g w_g a^d(g,v). *)
Definition best_gain v : R := w (best_guess v) * a ^+ distance (best_guess v) v.

(* beta_v = (1 + (deg v - 1) a^2) b_v - a sum_(u ~ v) b_u. *)
Definition beta v : R := (1 + (deg v - 1) * a ^+ 2) * best_gain v - a * \sum_(u | adjacent v u) best_gain u.

Lemma best_gainP g v : w g * a ^+ distance g v <= best_gain v.
Proof. by rewrite /best_gain /best_guess; case: arg_maxP => // i _ /(_ g isT). Qed.

Lemma best_gain_ge v : w v <= best_gain v.
Proof. by have := best_gainP v v; rewrite distance_self mulr1. Qed.

Lemma best_gain_edge u v : adjacent u v -> a * best_gain v <= best_gain u.
Proof.
move=> uv; apply: le_trans (best_gainP (best_guess v) u); rewrite /best_gain mulrCA ler_wpmul2l // -exprS.
apply: ler_wiexpn2l; rewrite ?ltW //.
by rewrite ![distance (best_guess v) _](distance_sym graph conn) distance_step.
Qed.

(* The bound of a private column, seen from the root g. *)
Lemma column_bound (x : 'I_p -> R) g : (forall i j, adjacent i j -> a * x j <= x i) ->
  (1 - a ^+ 2) * (x g * best_gain g) <= \sum_v x v * beta v.
Proof.
move=> x_priv; have -> : \sum_v x v * beta v = (1 - a ^+ 2) * (\sum_v x v * best_gain v) +
    \sum_v \sum_(u | adjacent v u) (a ^+ 2 * (x v * best_gain v) - a * (x v * best_gain u)).
  rewrite mulr_sumr -big_split; apply: eq_bigr => v _ /=.
  by rewrite sumrB sum_neighbours -!mulr_sumr /beta; by_ring R.
rewrite (tree_sum graph conn no_cycle g) (bigD1 g) //= mulrDr -addrA ler_addl mulr_sumr -big_split /= sumr_ge0 // => v vg.
have [vq _] := parentP conn vg; set q := parent _ _ _ in vq *.
have qv : adjacent q v by rewrite (adjacent_sym graph).
rewrite [leRHS](_ : _ = (x v - a * x q) * (best_gain v - a * best_gain q)); last by by_ring R.
by rewrite mulr_ge0 // subr_ge0 ?x_priv ?best_gain_edge.
Qed.

Lemma beta_total : \sum_v beta v = (1 - a ^+ 2) * \sum_v tree_scale v * best_gain v.
Proof.
rewrite sumrB -mulr_sumr (exchange_big_dep xpredT) //= mulr_sumr mulr_sumr -sumrB; apply: eq_bigr => v _.
under eq_bigl => u do rewrite (adjacent_sym graph).
rewrite sum_neighbours /tree_scale; move: (deg v) => d.
by by_field R; apply/eqP; rewrite gt_eqF ?one_plus_gt0.
Qed.

Lemma tree_gain : \sum_i w i * (T *m remap R best_guess) i i = \sum_v tree_scale v * best_gain v.
Proof.
under eq_bigr => i _ do rewrite mxE mulr_sumr.
rewrite exchange_big; apply: eq_bigr => v _ /=; rewrite (bigD1 (best_guess v)) //= big1 ?addr0.
  by rewrite !mxE eqxx /best_gain; by_ring R.
by move=> i iv; rewrite !mxE eq_sym (negPf iv) !mulr0.
Qed.

Lemma tree_best (X : 'M[R]_p) : stochastic X -> private_on adjacent a X ->
  bayes_loss w (zero_one_loss R p p) (T *m remap R best_guess) <= bayes_loss w (zero_one_loss R p p) X.
Proof.
move=> X_st X_priv; have [X_ge0 X_sum1] := X_st.
have TR_st := stochastic_mul tree_stochastic (remap_stochastic R best_guess).
rewrite !zero_one_bayes // ler_add2l ler_opp2 tree_gain.
have q_gt0 : 0 < 1 - a ^+ 2 by rewrite subr_gt0 expr_lt1 // ltW.
rewrite -(ler_pmul2l q_gt0) -beta_total.
have -> : \sum_v beta v = \sum_g \sum_v X v g * beta v.
  by rewrite exchange_big; apply: eq_bigr => v _; rewrite -mulr_suml X_sum1 mul1r.
rewrite mulr_sumr; apply: ler_sum => g _.
apply: le_trans (column_bound (x := fun v => X v g) g (fun i j => X_priv i j g)).
by rewrite ler_pmul2l // mulrC ler_wpmul2l // best_gain_ge.
Qed.

End Weights.

Theorem tree_universally_optimal : universally_optimal_on adjacent a (zero_one_loss R p p) T.
Proof.
split=> [||w w_ge0]; [exact: tree_stochastic | exact: tree_private |].
by exists (best_guess w) => X; exact: tree_best.
Qed.

End TreeMechanism.

Theorem universally_optimal_iff (R : realFieldType) p (adjacent : rel 'I_p) (a : R) :
  simple_graph adjacent -> connected adjacent -> 0 < a -> a < 1 ->
  (exists k (M : 'M[R]_(p, k)), universally_optimal_on adjacent a (zero_one_loss R p p) M) <->
  acyclic adjacent /\ forall v, ((degree adjacent v)%:R - 1) * a <= 1.
Proof.
move=> graph conn a_gt0 a_lt1; split=> [[k [M M_opt]] | [no_cycle small]].
  split; first exact: zero_one_acyclic M_opt.
  by move=> v; apply: zero_one_degree M_opt v.
by exists p, (tree_mechanism adjacent a); apply: tree_universally_optimal.
Qed.
