(* SPDX-License-Identifier: MIT *)
(* Universal optimality for a type of privacy (a graph), and rivals from retractions onto a path.             *)
(*                                                                                                            *)
(*   universally_optimal_on adjacent a l M   M is a private mechanism, and for all weights w there is an      *)
(*        interaction f, which may depend on w, such that M after f loses no more than any private mechanism  *)
(*   randomised_interactions   allowing randomised interactions would change nothing                          *)
(*   private_on_metric         privacy on the edges is metric privacy for the distance in the graph           *)
(*   pull f G    the rows of G, row f(i) for input i: private when f maps edges to edges or to single points  *)
(*   rival       what universal optimality says against G pulled back along f: the only way it is used        *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Walks.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* M is universally optimal on the graph at level a for the loss l: M is a private mechanism, and for all weights w >= 0   *)
(* of the inputs there is a map f from outputs to guesses, which may depend on w, such that M read by f loses no more than *)
(* any private mechanism whose outputs are the guesses.                                                                    *)
Definition universally_optimal_on (R : realFieldType) p m k (adjacent : rel 'I_p) (a : R) (l : 'M[R]_(p, m))
    (M : 'M[R]_(p, k)) :=
  [/\ stochastic M, private_on adjacent a M &
    forall w : 'I_p -> R, (forall i, 0 <= w i) ->
    exists f : 'I_k -> 'I_m, forall X : 'M[R]_(p, m), stochastic X -> private_on adjacent a X ->
      bayes_loss w l (M *m remap R f) <= bayes_loss w l X].

(* A randomised interaction is no better than the best of its guesses at each output. *)
Section Randomised.
Variables (R : realFieldType) (p m k : nat) (adjacent : rel 'I_p) (a : R) (l : 'M[R]_(p, m)) (M : 'M[R]_(p, k)).
Add Field R_field : (field_theory_of R).

Theorem randomised_interactions : stochastic M -> private_on adjacent a M ->
  (forall w : 'I_p -> R, (forall i, 0 <= w i) ->
    exists2 T : 'M[R]_(k, m), stochastic T & forall X : 'M[R]_(p, m), stochastic X -> private_on adjacent a X ->
      bayes_loss w l (M *m T) <= bayes_loss w l X) ->
  universally_optimal_on adjacent a l M.
Proof.
move=> M_st M_priv M_opt; split=> // w /M_opt[T [T_ge0 T_sum1] T_opt].
pose cost j r := \sum_i w i * (M i j * l i r).
have [f f_min] : exists f : 'I_k -> 'I_m, forall j r, cost j (f j) <= cost j r.
  apply: (@fin_all_exists _ (fun=> 'I_m) (fun j s => forall r, cost j s <= cost j r)) => j.
  have [r0 _|none] := pickP (fun r : 'I_m => true).
    by exists [arg min_(r < r0) cost j r]%O => r; case: arg_minP => // s _ /(_ r isT).
  by have /eqP := T_sum1 j; rewrite big_pred0 // eq_sym oner_eq0.
exists f => X X_st X_priv; apply: le_trans (T_opt X X_st X_priv).
have -> : bayes_loss w l (M *m remap R f) = \sum_j cost j (f j).
  by rewrite exchange_big; apply: eq_bigr => i _ /=; rewrite loss_remap mulr_sumr.
have -> : bayes_loss w l (M *m T) = \sum_j \sum_r T j r * cost j r.
  under [RHS]eq_bigr => j _ do under eq_bigr => r _ do rewrite mulr_sumr.
  under [RHS]eq_bigr => j _ do rewrite exchange_big.
  rewrite [RHS]exchange_big; apply: eq_bigr => i _ /=; rewrite exchange_big mulr_sumr; apply: eq_bigr => r _ /=.
  by rewrite mxE !mulr_sumr; apply: eq_bigr => j _; by_ring R.
apply: ler_sum => j _; rewrite -[leLHS]mul1r -(T_sum1 j) mulr_suml; apply: ler_sum => r _.
by rewrite ler_wpmul2l.
Qed.

End Randomised.

(* Definition 1 of Fernandes and others, for the distance of a graph. *)
Theorem private_on_metric (R : realFieldType) p m (adjacent : rel 'I_p) (a : R) (X : 'M[R]_(p, m)) :
  simple_graph adjacent -> connected adjacent -> 0 <= a ->
  private_on adjacent a X <-> forall i j r, a ^+ distance adjacent i j * X j r <= X i r.
Proof.
move=> graph conn a_ge0; split=> [X_priv i j r | X_priv i j r ij]; last first.
  by have := X_priv i j r; rewrite (distance_adjacent graph conn ij).
have := walk_distance conn i j; move: (distance adjacent i j) => d.
elim: d i => [|d IHd] i /=; first by move=> /eqP ->; rewrite mul1r.
case/existsP=> h /andP[ih /IHd le_h]; apply: le_trans (X_priv _ _ r ih).
by rewrite exprS -mulrA ler_wpmul2l.
Qed.

Section Retracts.
Variables (R : realFieldType) (p m k : nat) (adjacent : rel 'I_p) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).

(* The rows of G along f: the input i has the row f i of G. *)
Definition pull n q (f : 'I_p -> 'I_n) (G : 'M[R]_(n, q)) : 'M[R]_(p, q) := \matrix_(i, j) G (f i) j.

Lemma pull_stochastic n q (f : 'I_p -> 'I_n) (G : 'M[R]_(n, q)) : stochastic G -> stochastic (pull f G).
Proof.
case=> G_ge0 G_sum1; split=> [i j|i]; first by rewrite mxE.
by rewrite -[RHS](G_sum1 (f i)); apply: eq_bigr => j _; rewrite mxE.
Qed.

Lemma pull_private n q (f : 'I_p -> 'I_n.+1) (G : 'M[R]_(n.+1, q)) :
  (forall i j, adjacent i j -> f i = f j \/ line (f i) (f j)) ->
  stochastic G -> private a G -> private_on adjacent a (pull f G).
Proof.
move=> f_map [G_ge0 _] G_priv i j r ij; rewrite !mxE; case: (f_map i j ij) => [->|]; last exact: G_priv.
by rewrite -{2}[G _ _]mul1r ler_wpmul2r // ltW.
Qed.

(* Weights on few inputs, given as a list. *)
Definition weights (s : seq ('I_p * R)) : 'I_p -> R := fun i => \sum_(u <- s) u.2 *+ (i == u.1).

Lemma weights_ge0 s : all (fun u => 0 <= u.2) s -> forall i, 0 <= weights s i.
Proof.
move/allP=> s_ge0 i; rewrite /weights big_seq; apply: sumr_ge0 => u /s_ge0 u_ge0.
by rewrite mulrn_wge0.
Qed.

Lemma sum_weights s (F : 'I_p -> R) : \sum_i weights s i * F i = \sum_(u <- s) u.2 * F u.1.
Proof.
under eq_bigr => i _ do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => u _ /=.
rewrite (bigD1 u.1) //= eqxx mulr1n big1 ?addr0 // => i /negPf ->.
by rewrite mulr0n mul0r.
Qed.

Lemma rival (l : 'M[R]_(p, m)) (M : 'M[R]_(p, k)) n (f : 'I_p -> nat) (t : nat -> 'I_m) (s : seq ('I_p * R)) :
  universally_optimal_on adjacent a l M -> all (fun u => 0 <= u.2) s -> (forall i, f i <= n)%N ->
  (forall i j, adjacent i j -> [\/ f i = f j, f j = (f i).+1 | f i = (f j).+1]) ->
  exists g : 'I_k -> 'I_m, \sum_y \sum_(u <- s) u.2 * (M u.1 y * l u.1 (g y)) <=
    \sum_(u <- s) u.2 * \sum_(o < n.+1) a ^+ dist (f u.1) o * scale a n o * l u.1 (t o).
Proof.
case=> _ _ M_opt /weights_ge0 s_ge0 f_le f_map; have [g g_opt] := M_opt _ s_ge0; exists g.
pose G := pull (fun i => inord (f i)) (geometric n a).
have G_st : stochastic (G *m remap R (fun o : 'I_n.+1 => t o)).
  apply: stochastic_mul (remap_stochastic _ _); exact/pull_stochastic/geometric_stochastic.
have G_priv : private_on adjacent a (G *m remap R (fun o : 'I_n.+1 => t o)).
  apply: private_post_processing => [i r|]; first by rewrite mxE ler0n.
  apply: pull_private => [i j ij||]; [|exact: geometric_stochastic | exact: geometric_private].
  rewrite /line !inordK ?ltnS //.
  by case: (f_map i j ij) => [->|->|->]; [left | right | right]; rewrite ?eqxx ?orbT.
have := g_opt _ G_st G_priv; rewrite /bayes_loss !sum_weights exchange_big /=.
under eq_bigr => u _ do rewrite loss_remap mulr_sumr.
under [X in _ <= X -> _]eq_bigr => u _ do rewrite loss_remap.
move/le_trans; apply; apply: ler_sum => u _ /=; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by congr (_ * _); apply: eq_bigr => o _; rewrite !mxE inordK ?ltnS.
Qed.

(* Terms at least as large, with a sum that is not larger, are equal. *)
Lemma equal_terms (I : finType) (F G : I -> R) :
  (forall i, F i <= G i) -> \sum_i G i <= \sum_i F i -> forall i, G i = F i.
Proof.
move=> F_le G_le i; apply/eqP; rewrite -subr_eq0; have d_ge0 j : 0 <= G j - F j by rewrite subr_ge0.
have /eqP : \sum_j (G j - F j) = 0 by apply/eqP; rewrite eq_le sumrB subr_le0 G_le -sumrB sumr_ge0.
by rewrite psumr_eq0 // => /allP/(_ i); rewrite mem_index_enum; apply.
Qed.

End Retracts.
