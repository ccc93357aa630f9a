(* SPDX-License-Identifier: MIT *)
(* Refinement (Fernandes and others): B = A T for a stochastic T, in other words B is derivable from A,       *)
(* exactly when no consumer prefers B.  And metric privacy, which refinement keeps.                           *)
(*                                                                                                            *)
(*   refinement_loses, refinement_from_losses, theorem3, theorem3_consumers   Theorem 3, both ways            *)
(*   metric_private_derivable   Theorem 7, for any metric                                                     *)
(*   metric_private_posteriors  Lemma 4: privacy is a property of the posteriors                              *)
(*   graph_metric, line_metric  privacy on a graph is privacy for the distance in the graph                   *)
(*                                                                                                            *)
(* Proof of the converse.  If no T exists, the Farkas lemma gives W and u with sum_i A_ij W_ir + u_j >= 0 for *)
(* all j, r and sum W B + sum u < 0.  For the loss W and equal weights, A loses at least - sum u, and B less. *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Farkas MatrixGame Channels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Refinement.
Variable R : realFieldType.
Add Field R_field : (field_theory_of R).

Lemma sum_pairs (I J : finType) (F : I * J -> R) : \sum_x F x = \sum_i \sum_j F (i, j).
Proof. by rewrite pair_bigA; apply: eq_bigr => -[]. Qed.

Lemma output_loss_mul (W : Type) p m k (w : 'I_p -> R) (l : 'I_p -> W -> R) (A : 'M[R]_(p, m))
    (T : 'M[R]_(m, k)) z r :
  output_loss w l (A *m T) z r = \sum_j T j z * output_loss w l A j r.
Proof.
rewrite /output_loss; under eq_bigr => i _ do rewrite mxE mulr_suml mulr_sumr.
rewrite exchange_big; apply: eq_bigr => j _; rewrite mulr_sumr.
by apply: eq_bigr => i _; by_ring R.
Qed.

(* Theorem 3, the easy way: for all weights, of any sign, and all losses. *)
Theorem refinement_loses (W : finType) (w0 : W) p m k (w : 'I_p -> R) (l : 'I_p -> W -> R)
    (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k)) :
  derivable A B -> uncertainty w0 w l A <= uncertainty w0 w l B.
Proof.
case=> T [T_ge0 T_sum1] ->; rewrite /uncertainty.
apply: (@le_trans _ _ (\sum_z \sum_j T j z * minimum w0 (output_loss w l A j))).
  rewrite [leRHS]exchange_big /=; apply: ler_sum => j _.
  by rewrite -mulr_suml T_sum1 mul1r.
apply: ler_sum => z _; apply: minimum_ge => r; rewrite output_loss_mul.
by apply: ler_sum => j _; rewrite ler_wpmul2l ?minimum_le.
Qed.

(* The hard way: losses on as many guesses as B has outputs, and equal weights, are enough. *)
Theorem refinement_from_losses p m k (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k.+1)) :
  (forall l : 'M[R]_(p, k.+1), uncertainty ord0 (fun=> 1) l A <= uncertainty ord0 (fun=> 1) l B) ->
  derivable A B.
Proof.
move=> no_better; pose K := ('I_m * 'I_k.+1)%type; pose J := (('I_p * 'I_k.+1) + 'I_m)%type.
pose F (x : K) (y : J) : R :=
  match y with inl (i, s) => A i x.1 * (x.2 == s)%:R | inr j => (x.1 == j)%:R end.
pose c (y : J) : R := match y with inl (i, s) => B i s | inr _ => 1 end.
case: (farkas_families F c) => [[t t_ge0 t_def]|[x Fx_ge0 cx_lt0]].
  exists (\matrix_(j, r) t (j, r)); last first.
    apply/matrixP => i s; have := t_def (inl (i, s)); rewrite /= => ->.
    rewrite mxE; under [RHS]eq_bigr => j _ do rewrite mxE.
    rewrite sum_pairs /=; apply: eq_bigr => j _.
    under eq_bigr => r _ do rewrite mulrA.
    by rewrite sum_pick mulrC.
  split=> [j r|j]; first by rewrite mxE.
  under eq_bigr => r _ do rewrite mxE.
  have := t_def (inr j); rewrite /= => ->.
  rewrite sum_pairs exchange_big /=.
  by apply: eq_bigr => r _; rewrite sum_pick.
pose l : 'M[R]_(p, k.+1) := \matrix_(i, r) x (inl (i, r)); exfalso.
suff: uncertainty ord0 (fun=> 1) l B < uncertainty ord0 (fun=> 1) l A by rewrite ltNge no_better.
have B_lt : uncertainty ord0 (fun=> 1) l B < - \sum_j x (inr j).
  rewrite -subr_lt0 opprK; apply: le_lt_trans cx_lt0.
  rewrite big_sumType /=; under [X in _ <= _ + X]eq_bigr => j _ do rewrite mul1r.
  rewrite ler_add2r sum_pairs exchange_big /=.
  apply: ler_sum => s _; apply: le_trans (minimum_le _ _ s) _.
  by rewrite /output_loss; under eq_bigr => i _ do rewrite mul1r mxE.
apply: lt_le_trans B_lt _; rewrite -sumrN; apply: ler_sum => j _; apply: minimum_ge => r.
have := Fx_ge0 (j, r); rewrite big_sumType /=.
under [X in _ <= _ + X]eq_bigr => j' _ do rewrite mulrC eq_sym.
rewrite sum_pick sum_pairs /=.
rewrite -ler_subl_addr sub0r => /le_trans; apply.
rewrite /output_loss le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _.
rewrite mul1r mxE.
under eq_bigr => s _ do rewrite eq_sym mulrAC.
by rewrite sum_pick.
Qed.

(* Definition 2 and Theorem 3 for channels, priors and losses that are not negative, as in the paper. *)
Theorem theorem3 p m k (A : 'M[R]_(p.+1, m)) (B : 'M[R]_(p.+1, k.+1)) : stochastic A -> stochastic B ->
  derivable A B <->
  forall (W : finType) (w0 : W) (w : 'I_p.+1 -> R) (l : 'I_p.+1 -> W -> R), distribution w ->
    (forall i r, 0 <= l i r) -> uncertainty w0 w l A <= uncertainty w0 w l B.
Proof.
move=> A_st B_st; split=> [AB W w0 w l _ _|no_better]; first exact: refinement_loses.
apply: refinement_from_losses => l.
pose c := \sum_i \sum_r `|l i r|.
have c_ge i r : - l i r <= c.
  apply: (@le_trans _ _ `|l i r|); first by rewrite -normrN ler_norm.
  rewrite /c (bigD1 i) //= (bigD1 r) //= -addrA ler_addl addr_ge0 ?sumr_ge0 // => j _.
  by rewrite sumr_ge0.
pose u (i : 'I_p.+1) : R := p.+1%:R^-1.
have u_gt0 : 0 < p.+1%:R^-1 :> R by rewrite invr_gt0 ltr0n.
have u_dist : distribution u.
  split=> [i|]; first exact: ltW.
  by rewrite sumr_const card_ord -[_ *+ _]mulr_natl divff // pnatr_eq0.
have := no_better _ ord0 u (fun i r => l i r + c) u_dist.
rewrite !uncertainty_shift // ler_add2r => le_u.
have scaled m' (Y : 'M[R]_(p.+1, m')) :
    uncertainty ord0 u l Y = p.+1%:R^-1 * uncertainty ord0 (fun=> 1) l Y.
  by rewrite -uncertainty_scale ?ltW //; apply: eq_uncertainty => i r; rewrite mul1r.
rewrite !scaled ler_pmul2l // in le_u; apply: le_u => i r.
by rewrite addrC -ler_subl_addr sub0r c_ge.
Qed.

(* The same with interactions: whatever a consumer does with B, with A nothing is lost. *)
Theorem theorem3_consumers p m k (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k.+1)) :
  derivable A B <->
  forall n (w : 'I_p -> R) (l : 'M[R]_(p, n.+1)) S, stochastic S ->
    exists2 T, stochastic T & bayes_loss w l (A *m T) <= bayes_loss w l (B *m S).
Proof.
split=> [[U U_st ->] n w l S S_st|no_better].
  by exists (U *m S); rewrite ?mulmxA //; exact: stochastic_mul.
apply: refinement_from_losses => l; have [[f <-] _] := least_remap (fun=> 1) l B.
have [T T_st] := no_better _ (fun=> 1) l _ (remap_stochastic R f).
by apply: le_trans; apply: (proj2 (least_remap _ _ _)).
Qed.

(* Metric privacy: e i j is the level of the pair i, j, that is exp (- d i j).                                *)
Definition metric_private p m (e : 'I_p -> 'I_p -> R) (X : 'M[R]_(p, m)) :=
  forall i j r, e i j * X j r <= X i r.

(* Theorem 7. *)
Theorem metric_private_derivable p m k (e : 'I_p -> 'I_p -> R) (Y : 'M[R]_(p, m)) (X : 'M[R]_(p, k)) :
  derivable Y X -> metric_private e Y -> metric_private e X.
Proof.
case=> T [T_ge0 _] -> Y_priv i j r; rewrite !mxE mulr_sumr; apply: ler_sum => x _.
by rewrite mulrA ler_wpmul2r ?T_ge0 // Y_priv.
Qed.

(* Lemma 4: a stochastic matrix is private when its posteriors are, for the uniform prior. *)
Theorem metric_private_posteriors p m (e : 'I_p -> 'I_p -> R) (Y : 'M[R]_(p, m)) : stochastic Y ->
  metric_private e Y <->
  forall r, outer (fun=> p%:R^-1) Y r != 0 ->
    forall i j, e i j * posterior (fun=> p%:R^-1) Y r j <= posterior (fun=> p%:R^-1) Y r i.
Proof.
case=> Y_ge0 _; pose u (i : 'I_p) : R := p%:R^-1.
have u_ge0 i : 0 <= u i by rewrite invr_ge0 ler0n.
have out_ge0 r : 0 <= outer u Y r by apply: sumr_ge0 => i _; apply: mulr_ge0.
split=> [Y_priv r _ i j | post i j r].
  rewrite -/u /posterior mulrA; apply: ler_wpmul2r; first by rewrite invr_ge0.
  by rewrite mulrCA ler_wpmul2l // Y_priv.
have p_gt0 : 0 < u i by rewrite invr_gt0 ltr0n; case: (p) i => // -[].
have weight x : u x * Y x r = outer u Y r * posterior u Y r x by rewrite posterior_weight.
rewrite -(ler_pmul2l p_gt0) mulrCA (weight i) (weight j : u i * Y j r = _) mulrCA.
have [-> | out_neq0] := eqVneq (outer u Y r) 0; first by rewrite !mul0r.
by rewrite ler_wpmul2l // post.
Qed.

(* On a graph with the distance d, privacy along the edges is privacy for d. *)
Theorem graph_metric p m (adjacent : rel 'I_p) (d : 'I_p -> 'I_p -> nat) (a : R) (X : 'M[R]_(p, m)) :
  0 <= a -> (forall i, d i i = 0%N) -> (forall i j, adjacent i j -> d i j = 1%N) ->
  (forall i j, i != j -> exists2 k, adjacent i k & d i j = (d k j).+1) ->
  private_on adjacent a X <-> metric_private (fun i j => a ^+ d i j) X.
Proof.
move=> a_ge0 d_refl d_edge d_path; split=> X_priv i j r; last first.
  by move/d_edge => d1; have := X_priv i j r; rewrite d1 expr1.
move Dc : (d i j) => c; elim: c => [|c IHc] in i Dc *.
  rewrite expr0 mul1r; have [-> // | /d_path[k _]] := eqVneq i j.
  by rewrite Dc.
have [ij | /d_path[k ik]] := eqVneq i j; first by rewrite ij d_refl in Dc.
rewrite Dc => -[/esym /IHc le_k]; rewrite exprS -mulrA.
by apply: le_trans (X_priv i k r ik); rewrite ler_wpmul2l.
Qed.

Corollary line_metric n m (a : R) (X : 'M[R]_(n.+1, m)) : 0 <= a ->
  private a X <-> metric_private (fun i j => a ^+ dist i j) X.
Proof.
move=> a_ge0; apply: graph_metric => // [i|i j|i j ij].
- by rewrite /dist subnn.
- by rewrite /line /dist => /orP[] /eqP ->; nat_lia.
have : (i != j :> nat) by [].
case: (ltngtP i j) => [lt_ij _|lt_ji _|//].
  have k_lt : (i.+1 < n.+1)%N by exact: leq_ltn_trans (ltn_ord j).
  by exists (Ordinal k_lt); rewrite /line /dist /= ?eqxx //; nat_lia.
have k_lt : (i.-1 < n.+1)%N by exact: leq_ltn_trans (leq_pred i) (ltn_ord i).
by exists (Ordinal k_lt); rewrite /line /dist /= ?(ltn_predK lt_ji) ?eqxx ?orbT //; nat_lia.
Qed.

End Refinement.
