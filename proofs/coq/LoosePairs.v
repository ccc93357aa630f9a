(* SPDX-License-Identifier: MIT *)
(* Mechanisms of the discrete metric that are best for trivial losses only (Fernandes and others, 5.4, 5.5).  *)
(*                                                                                                            *)
(*   loose_pairs_trivial   on each pair of inputs some column has a ratio strictly between a and 1/a: then a  *)
(*                         universally optimal loss is trivial, some guess is best for every input            *)
(*   response_trivial      so random response on three or more inputs, a kernel mechanism, has trivial losses *)
(*                         only in its utility set                                                            *)
(*                                                                                                            *)
(* Proof.  Take a guess that is best on A + x, and one on A + u.  Give the inputs of A so much weight that    *)
(* only guesses that are best on A matter.  Then the mechanism is, on x and u, optimal for these guesses, and *)
(* by [pair_tight] one of them is best at x and at u: so it is best on A + x + u.                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Channels Refinement Rays Kernels.
From ExactDP Require Import KernelOptimality Restriction DiscreteRays Definition9 PairsOfInputs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Pairs.
Variables (R : realFieldType) (p : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Local Notation e := (@discrete_level R p a).
Variables (W : finType) (w0 : W) (l : 'I_p -> W -> R) (m : nat) (M : 'M[R]_(p, m)).
Hypothesis M_opt : universally_optimal e w0 l M.

Section Given.
Variables (A : {set 'I_p}) (x u : 'I_p) (v0 : W).
Hypotheses (xu : x != u) (x_A : x \notin A) (u_A : u \notin A).
(* The guess r is best at each input of A: there no guess loses less. *)
Definition best_on (r : W) := [forall i in A, forall s, l i r <= l i s].
Hypothesis v0_best : best_on v0.
Local Notation V := {r : W | best_on r}.
(* first_best is v0 as one of the guesses V that are best on A; pair_loss c is the loss of such a guess at the input x *)
(* for c = 0, and at the input u for c = 1.                                                                            *)
Definition first_best : V := exist _ v0 v0_best.
Definition pair_loss (c : 'I_2) (r : V) : R := l (pair_of x u c) (val r).
Local Notation pl := pair_loss.

(* bound is the sum of |l_iv0 - l_is| over all guesses s and i = x, u.  heavy is the sum of bound / (a |l_is - l_iv0|) *)
(* over all s and all i in A, without the terms where the denominator is 0.  weights w gives x the weight w_0, u the   *)
(* weight w_1, each input of A the weight heavy, and the others 0.                                                     *)
Definition bound : R := \sum_(c : 'I_2) \sum_s `|l (pair_of x u c) v0 - l (pair_of x u c) s|.
Definition heavy : R := \sum_s \sum_(i | i \in A) bound / a / `|l i s - l i v0|.
Definition weights (w : 'I_2 -> R) (i : 'I_p) : R :=
  if i == x then w ord0 else if i == u then w ord_max else if i \in A then heavy else 0.

Lemma bound_ge0 : 0 <= bound. Proof. by apply: sumr_ge0 => c _; apply: sumr_ge0 => s _. Qed.

Lemma heavy_ge s i : i \in A -> bound / a / `|l i s - l i v0| <= heavy.
Proof.
have pos k i' : 0 <= bound / a / `|l i' k - l i' v0| by rewrite !divr_ge0 ?bound_ge0 // ltW.
move=> i_A; rewrite /heavy (bigD1 s) //= (bigD1 i) //= -addrA ler_addl addr_ge0 //; first by apply: sumr_ge0.
by apply: sumr_ge0 => k _; apply: sumr_ge0.
Qed.

Lemma heavy_ge0 : 0 <= heavy.
Proof. by apply: sumr_ge0 => s _; apply: sumr_ge0 => i _; rewrite !divr_ge0 ?bound_ge0 // ltW. Qed.

(* What a guess costs with these weights. *)
Lemma weighted_loss w n (Y : 'M[R]_(p, n)) j r : output_loss (weights w) l Y j r =
  heavy * (\sum_(i in A) Y i j * l i r) + \sum_(c : 'I_2) w c * (Y (pair_of x u c) j * l (pair_of x u c) r).
Proof.
rewrite /output_loss (bigD1 x) //= (bigD1 u) 1?eq_sym //= sum2 /weights /pair_of /= !eqxx.
rewrite [u == x]eq_sym (negPf xu) addrA addrC; congr (_ + _).
rewrite mulr_sumr [RHS]big_mkcond [RHS](bigD1 x) //= [X in _ = _ + X](bigD1 u) 1?eq_sym //= (negPf x_A) (negPf u_A) !add0r.
by apply: eq_bigr => i /andP[/negPf -> /negPf ->]; case: ifP; rewrite ?mul0r.
Qed.

Lemma same_on_A r i : best_on r -> i \in A -> l i r = l i v0.
Proof.
move=> /forall_inP r_best i_A; apply/eqP; rewrite eq_le; have /forall_inP v_best := v0_best.
by have /forallP -> := r_best i i_A; have /forallP -> := v_best i i_A.
Qed.

Lemma heavy_uncertainty w n (Y : 'M[R]_(p, n)) : distribution w -> of_type e Y ->
  uncertainty w0 (weights w) l Y = heavy * (\sum_(i in A) l i v0) + uncertainty first_best w pl (restriction (pair_of x u) Y).
Proof.
move=> [w_ge0 w_sum1] [[Y_ge0 Y_sum1] Y_priv].
have -> : \sum_(i in A) l i v0 = \sum_j \sum_(i in A) Y i j * l i v0.
  by rewrite exchange_big /=; apply: eq_bigr => i _; rewrite -mulr_suml Y_sum1 mul1r.
rewrite mulr_sumr -big_split; apply: eq_bigr => j _ /=.
have inside (r : V) : output_loss (weights w) l Y j (val r) =
    heavy * (\sum_(i in A) Y i j * l i v0) + output_loss w pl (restriction (pair_of x u) Y) j r.
  rewrite weighted_loss; congr (_ * _ + _); first by apply: eq_bigr => i i_A; rewrite (same_on_A (valP r) i_A).
  by apply: eq_bigr => c _; rewrite mxE.
apply/eqP; rewrite eq_le; apply/andP; split.
  have [r ->] := minimum_attained first_best (output_loss w pl (restriction (pair_of x u) Y) j).
  by rewrite -inside; exact: minimum_le.
apply: minimum_ge => s; have [s_best|s_out] := boolP (best_on s).
  by rewrite (inside (exist _ s s_best)) ler_add2l; exact: minimum_le.
apply: le_trans (_ : output_loss (weights w) l Y j v0 <= _).
  by rewrite (inside first_best) ler_add2l; exact: minimum_le.
have [i i_A gap] : exists2 i, i \in A & l i v0 < l i s.
  move: s_out; rewrite negb_forall_in => /exists_inP[i i_A]; rewrite negb_forall => /existsP[s']; rewrite -ltNge => lt.
  by exists i => //; apply: le_lt_trans lt; have /forall_inP/(_ i i_A)/forallP := v0_best.
have gap_gt0 : 0 < `|l i s - l i v0| by rewrite normr_gt0 subr_eq0 gt_eqF.
have near c : Y (pair_of x u c) j <= Y i j / a.
  rewrite ler_pdivl_mulr // [_ * a]mulrC; apply: le_trans (Y_priv i (pair_of x u c) j).
  by rewrite ler_wpmul2r // /discrete_level; case: ifP => // _; exact: ltW.
rewrite !weighted_loss -subr_ge0 opprD addrACA -mulrBr -!sumrB.
have part1 : bound / a * Y i j <= heavy * \sum_(k in A) (Y k j * l k s - Y k j * l k v0).
  have le : bound / a / `|l i s - l i v0| * (Y i j * (l i s - l i v0)) <= heavy * (Y i j * (l i s - l i v0)).
    by rewrite ler_wpmul2r ?heavy_ge // mulr_ge0 // subr_ge0 ltW.
  apply: le_trans (le_trans le _).
    rewrite gtr0_norm ?subr_gt0 // -[X in _ <= X]mulrA [X in _ <= _ * X]mulrCA mulVf ?mulr1 //.
    by rewrite gt_eqF ?subr_gt0.
  apply: ler_wpmul2l; first exact: heavy_ge0.
  rewrite (bigD1 i) //= mulrBr ler_addl; apply: sumr_ge0 => k /andP[k_A _].
  by rewrite -mulrBr mulr_ge0 // subr_ge0; have /forall_inP/(_ k k_A)/forallP := v0_best.
have part2 : - (bound / a * Y i j) <= \sum_(c : 'I_2) (w c * (Y (pair_of x u c) j * l (pair_of x u c) s) -
    w c * (Y (pair_of x u c) j * l (pair_of x u c) v0)).
  have each c s' : w c * (Y (pair_of x u c) j * (l (pair_of x u c) v0 - l (pair_of x u c) s')) <=
      Y i j / a * \sum_s `|l (pair_of x u c) v0 - l (pair_of x u c) s|.
    have w_le1 : w c <= 1 by rewrite -w_sum1 (bigD1 c) //= ler_addl sumr_ge0.
    apply: le_trans (_ : Y (pair_of x u c) j * `|l (pair_of x u c) v0 - l (pair_of x u c) s'| <= _).
      apply: le_trans (_ : w c * (Y (pair_of x u c) j * `|l (pair_of x u c) v0 - l (pair_of x u c) s'|) <= _).
        by rewrite ler_wpmul2l // ler_wpmul2l // ler_norm.
      by rewrite ler_pimull // mulr_ge0.
    apply: ler_pmul => //; rewrite (bigD1 s') //= ler_addl; exact: sumr_ge0.
  rewrite ler_oppl -sumrN /bound mulr_suml mulr_suml; apply: ler_sum => c _.
  rewrite opprB -!mulrBr; apply: le_trans (each c s) _.
  by rewrite mulrC -!mulrA [a^-1 * _]mulrC.
by have := ler_add part1 part2; rewrite subrr.
Qed.

(* The pair alone, for the guesses that are best elsewhere. *)
Lemma pair_given : universally_optimal (@discrete_level R 2 a) first_best pl (restriction (pair_of x u) M).
Proof.
pose g (i : 'I_p) : 'I_2 := if i == u then ord_max else ord0.
have gf i : g (pair_of x u i) = i.
  by rewrite /g /pair_of; have [->|->] := two_inputs i; rewrite /= ?eqxx ?(negPf xu).
have levels c d : e (pair_of x u c) (pair_of x u d) = @discrete_level R 2 a c d.
  by rewrite /discrete_level -[c == d](inj_eq (can_inj gf)).
have [M_type _] := M_opt; split=> [|w w_dist k N [[N_ge0 N_sum1] N_priv]].
  exact: eq_of_type levels (restriction_of_type _ M_type).
pose X : 'M[R]_(p, k) := \matrix_(i, r) N (g i) r.
have X_type : of_type e X.
  split; [split=> [i r|i]|move=> i i' r]; rewrite ?mxE //; first by under eq_bigr => r _ do rewrite mxE.
  apply: le_trans (N_priv (g i) (g i') r); rewrite ler_wpmul2r // /discrete_level.
  by case: (eqVneq i i') => [->|_]; rewrite ?eqxx //; case: ifP => // _; exact: ltW.
have XN : restriction (pair_of x u) X = N by apply/matrixP => c r; rewrite !mxE gf.
have w_ge0 i : 0 <= weights w i.
  by rewrite /weights; have [w_pos _] := w_dist; do 3 case: ifP => // _; exact: heavy_ge0.
by have := optimal_weights M_opt w_ge0 X_type; rewrite !heavy_uncertainty // ler_add2l XN.
Qed.

End Given.

(* If on every pair some column is loose, the loss is trivial. *)
Theorem loose_pairs_trivial :
  (forall x u : 'I_p, x != u -> exists j, ~ (M u j = a * M x j \/ M x j = a * M u j)) -> trivial_loss l.
Proof.
move=> loose; suff all k (S : {set 'I_p}) : #|S| = k -> exists r, best_on S r.
  by have [r /forall_inP r_best] := all _ setT erefl; exists r => i; apply/forallP/r_best; rewrite inE.
elim: k S => [|k IHk] S S_size.
  by exists w0; apply/forall_inP => i; rewrite (cards0_eq S_size) inE.
have [x x_S] : exists x, x \in S by apply/set0Pn; rewrite -card_gt0 S_size.
have [u /andP[xu u_S]|alone] := pickP (fun u => (x != u) && (u \in S)); last first.
  exists [arg min_(r < w0) l x r]%O; apply/forall_inP => i i_S; apply/forallP => s.
  have -> : i = x by apply/eqP; rewrite eq_sym -[_ == _]negbK; apply/negP => ix; have := alone i; rewrite ix i_S.
  by case: arg_minP => // r _; apply.
have size_less y : y \in S -> #|S :\ y| = k by move=> y_S; move: S_size; rewrite (cardsD1 y) y_S => -[].
pose A := S :\ x :\ u.
have sub y r : best_on (S :\ y) r -> y \in S -> (y == x) || (y == u) -> best_on A r.
  move=> /forall_inP r_best _ /orP y_xu; apply/forall_inP => i; rewrite !inE => /and3P[iu ix i_S]; apply: r_best.
  by rewrite !inE i_S andbT; case: y_xu => /eqP ->.
have [r1 r1_best] := IHk _ (size_less u u_S); have [r2 r2_best] := IHk _ (size_less x x_S).
have r1_A : best_on A r1 by apply: sub r1_best u_S _; rewrite eqxx orbT.
have r2_A : best_on A r2 by apply: sub r2_best x_S _; rewrite eqxx.
have x_A : x \notin A by rewrite !inE eqxx /= andbF.
have u_A : u \notin A by rewrite !inE eqxx.
have opt := pair_given xu x_A u_A r1_A.
have [r r_best] : exists r : {r : W | best_on A r}, forall i (s : {r : W | best_on A r}), pair_loss x u i r <= pair_loss x u i s.
  have [j not_tight] := loose x u xu.
  have [/existsP[r /forallP r_best]|/existsP none] := boolP [exists r : {r : W | best_on A r},
    [forall i, [forall s : {r : W | best_on A r}, pair_loss x u i r <= pair_loss x u i s]]].
    by exists r => i s; have /forallP := r_best i.
  case: not_tight; have := pair_tight a_gt0 a_lt1 opt _ j; rewrite !mxE; apply=> -[r r_best].
  by apply: none; exists r; apply/forallP => i; apply/forallP => s.
case: r r_best => r r_A r_best.
exists r; apply/forall_inP => i i_S; apply/forallP => s.
have [->|ix] := eqVneq i x.
  apply: le_trans (r_best ord0 (exist _ r1 r1_A)) _; have /forall_inP/(_ x) := r1_best.
  by rewrite !inE xu x_S => /(_ isT)/forallP.
have [->|iu] := eqVneq i u.
  apply: le_trans (r_best ord_max (exist _ r2 r2_A)) _; have /forall_inP/(_ u) := r2_best.
  by rewrite !inE eq_sym xu u_S => /(_ isT)/forallP.
by have /forall_inP/(_ i) := r_A; rewrite !inE ix iu i_S => /(_ isT)/forallP.
Qed.
End Pairs.

Corollary response_trivial (R : realFieldType) (p : nat) (a : R) (W : finType) (w0 : W) (l : 'I_p -> W -> R) :
  0 < a -> a < 1 -> (2 < p)%N -> universally_optimal (@discrete_level R p a) w0 l (random_response p a) -> trivial_loss l.
Proof.
move=> a_gt0 a_lt1 p_gt2 opt; apply: (loose_pairs_trivial a_gt0 a_lt1 opt) => x u xu.
have /set0Pn[k] : ~: [set x; u] != set0 by rewrite -card_gt0 cardsCs setCK card_ord cards2 xu subn_gt0.
rewrite !inE negb_or => /andP[kx ku]; exists k; rewrite !mxE /discrete_level ![_ == k]eq_sym (negPf kx) (negPf ku).
have c_gt0 : 0 < (1 + p.-1%:R * a)^-1 * a.
  by rewrite mulr_gt0 // invr_gt0 ltr_paddr ?ltr01 // mulr_ge0 ?ler0n // ltW.
have smaller : a * ((1 + p.-1%:R * a)^-1 * a) < (1 + p.-1%:R * a)^-1 * a by rewrite gtr_pmull.
by case=> eq; move: smaller; rewrite -eq ltxx.
Qed.
