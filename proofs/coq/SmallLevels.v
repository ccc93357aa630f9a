(* SPDX-License-Identifier: MIT *)
(* At small levels (large epsilon) there is a tight-constraints mechanism, and Phi is not singular.           *)
(*                                                                                                            *)
(*   dominated_tight         if what stands beside the diagonal adds up to at most 1 in each row of Phi,      *)
(*                           there is a tight-constraints mechanism: no limit, no symmetry, only Farkas       *)
(*   small_level_tight       so there is one if Phi(i,k) <= a beside the diagonal and (n-1) a <= 1            *)
(*   tight_threshold         on any graph with n answers, connected or not: at every level a <= 1/(n-1), and  *)
(*                           if n <= 2 at every level                                                         *)
(*   dominated_nonsingular   if it adds up to less than 1, Phi is not singular                                *)
(*   nonsingular Phi         Phi c = 0 for c = 0 only: the matrix is invertible (nonsingularP)                *)
(*   small_level_nonsingular for n >= 3 the level 1/(n-1) itself is not singular                              *)
(*                                                                                                            *)
(* Proof of the first.  Otherwise some w has sum_i w_i Phi(i,k) >= 0 for all k and sum w < 0.  Where w_k < 0, *)
(* -w_k is at most the sum over i of w_i Phi(i,k) with w_i > 0; adding up over those k, each w_i > 0 is       *)
(* counted at most once.  So sum w >= 0.                                                                      *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Farkas Walks Retracts Extremes Leakage PrivacyTypes Capacities TightConstraints.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Phi c = 0 for c = 0 only. *)
Definition nonsingular (R : realFieldType) (X : finType) (Phi : X -> X -> R) :=
  forall c : X -> R, (forall i, \sum_k Phi i k * c k = 0) -> forall k, c k = 0.

Lemma nonsingularP (R : realFieldType) p (Phi : 'I_p -> 'I_p -> R) : nonsingular Phi <-> (\matrix_(i, k) Phi i k) \in unitmx.
Proof.
split=> [Phi_inj|Phi_unit c c0 k].
  rewrite unitmxE unitfE -det_tr; apply/det0P => -[v v_neq0 v0]; case/negP: v_neq0; apply/eqP/rowP=> k; rewrite mxE.
  apply: (Phi_inj (fun k => v 0 k)) => i; move/rowP/(_ i): v0; rewrite !mxE => v0i; rewrite -[RHS]v0i.
  by apply: eq_bigr => j _; rewrite !mxE mulrC.
have /(congr1 (mulmx (invmx (\matrix_(i, k) Phi i k)))) : (\matrix_(i, k) Phi i k) *m (\col_k c k) = 0.
  by apply/colP=> i; rewrite !mxE -[RHS](c0 i); apply: eq_bigr => j _; rewrite !mxE.
by rewrite mulKmx // mulmx0 => /colP/(_ k); rewrite !mxE.
Qed.

Section Dominated.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R).
Hypotheses (Phi_ge0 : forall i k, 0 <= Phi i k) (Phi1 : forall i, Phi i i = 1).

Lemma dominated_weighting : (forall i, \sum_(k | k != i) Phi i k <= 1) -> exists z, weighting Phi z.
Proof.
move=> dominated; case: (farkas_families (fun k j => Phi j k) (fun _ : X => 1)) => [[z z_ge0 z_sum]|[w w_ge0]].
  by exists z; split=> // i; rewrite [RHS](z_sum i); apply: eq_bigr => k _; rewrite mulrC.
under eq_bigr => j _ do rewrite mul1r; move=> w_lt0; case/negP: (negbT (lt_geF w_lt0)).
pose pos j := if w j < 0 then 0 else w j; pose neg j := if w j < 0 then - w j else 0.
have pos_ge0 j : 0 <= pos j by rewrite /pos; case: ltP.
have w_le j : w j <= pos j by rewrite /pos; case: ltP => // /ltW.
have term_ge0 k j : 0 <= Phi j k * pos j by rewrite mulr_ge0.
have neg_le k : neg k <= \sum_(j | j != k) Phi j k * pos j.
  rewrite /neg; case: ifP => [_|_]; last exact: sumr_ge0.
  have := w_ge0 k; rewrite (bigD1 k) //= Phi1 mul1r addrC -ler_subl_addr sub0r => /le_trans -> //.
  by apply: ler_sum => j _; rewrite ler_wpmul2l.
have -> : \sum_j w j = \sum_j pos j - \sum_j neg j.
  rewrite -sumrB; apply: eq_bigr => j _; rewrite /pos /neg.
  by case: ifP => _; rewrite ?subr0 // sub0r opprK.
rewrite subr_ge0; apply: le_trans (ler_sum _ (fun k _ => neg_le k)) _.
rewrite (exchange_big_dep xpredT) //=; apply: ler_sum => j _; rewrite -mulr_suml -[leRHS]mul1r ler_wpmul2r //.
by under eq_bigl => k do rewrite eq_sym; exact: dominated.
Qed.

Theorem dominated_tight : (forall i, \sum_(k | k != i) Phi i k <= 1) -> exists M, tight Phi M.
Proof. by move/dominated_weighting => z_Phi; apply/tight_iff. Qed.

Theorem dominated_nonsingular : (forall i, \sum_(k | k != i) Phi i k < 1) -> nonsingular Phi.
Proof.
move=> dominated c c0 k; pose m := largest (fun k => `|c k|).
have c_le j : `|c j| <= m by exact: (le_largest (fun k => `|c k|)).
have [i m_i] := largest_attained k (fun k => `|c k|); rewrite -/m in m_i.
have m_le : m <= (\sum_(j | j != i) Phi i j) * m.
  have := c0 i; rewrite (bigD1 i) //= Phi1 mul1r => /eqP; rewrite addr_eq0 => /eqP ci; rewrite {1}m_i ci normrN.
  apply: le_trans (ler_norm_sum _ _ _) _; rewrite mulr_suml; apply: ler_sum => j _.
  by rewrite normrM ger0_norm // ler_wpmul2l.
have m_ge0 : 0 <= m by rewrite m_i.
apply/eqP; rewrite -normr_le0; apply: le_trans (c_le k) _.
rewrite leNgt; apply/negP => m_gt0; move: m_le; rewrite ler_pmull // leNgt.
by rewrite dominated.
Qed.

Section Level.
Variable a : R.
Hypotheses (Phi_le : forall i k, i != k -> Phi i k <= a) (a_small : (#|X|.-1)%:R * a <= 1).

Lemma sum_others (x : R) (i : X) : \sum_(k | k != i) x = (#|X|.-1)%:R * x.
Proof. by rewrite sumr_const mulr_natl -(cardC1 i). Qed.

Theorem small_level_tight : exists M, tight Phi M.
Proof.
apply: dominated_tight => i; apply: le_trans a_small; rewrite -(sum_others a i); apply: ler_sum => k ki.
by apply: Phi_le; rewrite eq_sym.
Qed.

(* Where the largest entry of c stands, the others are its negatives. *)
Lemma extreme_others c m i : (forall i, \sum_k Phi i k * c k = 0) -> 0 < m -> (forall k, `|c k| <= m) -> c i = m ->
  forall k, k != i -> c k = - m.
Proof.
move=> c0 m_gt0 c_le ci; have low k : - m <= c k by have := c_le k; rewrite ler_norml => /andP[].
have term_ge0 k : k != i -> 0 <= a * m + Phi i k * c k.
  move=> ki; rewrite -ler_subl_addl sub0r; apply: (@le_trans _ _ (Phi i k * - m)); last by rewrite ler_wpmul2l.
  by rewrite mulrN ler_opp2 ler_wpmul2r ?(ltW m_gt0) // Phi_le // eq_sym.
have total : \sum_(k | k != i) (a * m + Phi i k * c k) = (#|X|.-1)%:R * a * m - m.
  rewrite big_split /= sum_others mulrA; congr (_ + _); apply/eqP; rewrite -addr_eq0.
  by have := c0 i; rewrite (bigD1 i) //= Phi1 mul1r ci addrC => ->.
have total_le0 : (#|X|.-1)%:R * a * m - m <= 0 by rewrite subr_le0 ler_pimull // ltW.
have total0 : (#|X|.-1)%:R * a * m - m = 0 by apply/eqP; rewrite eq_le total_le0 -total sumr_ge0.
have a_gt0 : 0 < a.
  rewrite lt_neqAle; apply/andP; split.
    by apply: contraTneq m_gt0 => a0; move: total0; rewrite -a0 mulr0 mul0r sub0r => /eqP; rewrite oppr_eq0 => /eqP ->; rewrite ltxx.
  rewrite leNgt; apply/negP => a_lt0; move: total0 => /eqP; rewrite subr_eq0 => /eqP na_m.
  have na_le0 : (#|X|.-1)%:R * a <= 0 by apply: mulr_ge0_le0; [exact: ler0n | exact: ltW].
  by have := m_gt0; rewrite -{1}na_m pmulr_lgt0 // => /(le_lt_trans na_le0); rewrite ltxx.
move=> k ki; move/eqP: total0; rewrite -total psumr_eq0 // => /allP/(_ k (mem_index_enum k)); rewrite /= ki addrC addr_eq0 => /eqP tk.
apply/eqP; rewrite eq_le low andbT.
have ck_lt0 : c k < 0.
  rewrite ltNge; apply/negP => ck_ge0; have : 0 <= - (a * m) by rewrite -tk mulr_ge0.
  by rewrite oppr_ge0 leNgt mulr_gt0.
rewrite -(ler_pmul2l a_gt0) mulrN -tk ler_wnmul2r ?(ltW ck_lt0) //.
by rewrite Phi_le // eq_sym.
Qed.

Theorem small_level_nonsingular : (2 < #|X|)%N -> nonsingular Phi.
Proof.
move=> n_gt2 c c0 k; pose m := largest (fun k => `|c k|).
have c_le j : `|c j| <= m by exact: (le_largest (fun k => `|c k|)).
apply/eqP; rewrite -normr_le0; apply: le_trans (c_le k) _; rewrite leNgt; apply/negP => m_gt0.
have [i m_i] := largest_attained k (fun k => `|c k|); rewrite -/m in m_i.
have none (b : X -> R) : (forall i, \sum_k Phi i k * b k = 0) -> (forall j, `|b j| <= m) -> b i = m -> False.
  move=> b0 b_le bi; have others := extreme_others b0 m_gt0 b_le bi.
  have /card_gt0P[j ji] : (0 < #|predC1 i|)%N by rewrite cardC1 -ltnS prednK // (ltn_trans _ n_gt2).
  have /card_gt0P[l] : (0 < #|[predD1 predC1 i & j]|)%N.
    by have := cardD1 j (predC1 i); rewrite ji cardC1 add1n => l_card; rewrite -ltnS -l_card -ltnS prednK // (ltn_trans _ n_gt2).
  rewrite !inE => /andP[lj li]; rewrite !inE in ji.
  have b0' i' : \sum_k Phi i' k * (- b k) = 0 by under eq_bigr => k' _ do rewrite mulrN; rewrite sumrN b0 oppr0.
  have b_le' j' : `|- b j'| <= m by rewrite normrN.
  have bj : - b j = m by rewrite others // opprK.
  have /= := extreme_others b0' m_gt0 b_le' bj lj; rewrite others // opprK => /eqP.
  by rewrite -subr_eq0 opprK -mulr2n mulrn_eq0 /= => /eqP m0; move: m_gt0; rewrite m0 ltxx.
case: (ger0P (c i)) m_i => _ ci; first exact: (none c).
apply: (none (fun k => - c k)) => [i'|j|]; last by [].
  by under eq_bigr => k' _ do rewrite mulrN; rewrite sumrN c0 oppr0.
by rewrite normrN.
Qed.

End Level.
End Dominated.

(* ---- Graphs, connected or not ---- *)
Section Graph.
Variables (R : realFieldType) (p : nat) (adjacent : rel 'I_p) (a : R).
Hypotheses (a_ge0 : 0 <= a) (a_le1 : a <= 1).

Lemma graph_phi_le i k : i != k -> graph_phi adjacent a i k <= a.
Proof.
move=> ik; rewrite /graph_phi; case: ifP => // /connected_distance[_].
case: (distance adjacent i k) => [|d _]; first by rewrite /= (negPf ik).
by rewrite exprS ler_pimulr // exprn_ile1.
Qed.

Theorem tight_threshold : (p.-1)%:R * a <= 1 -> exists M, tight (graph_phi adjacent a) M.
Proof.
move=> a_small; apply: (small_level_tight (fun i k => graph_phi_ge0 adjacent i k a_ge0) (graph_phi1 adjacent a) graph_phi_le).
by rewrite card_ord.
Qed.

Theorem small_level_graph_nonsingular : (2 < p)%N -> (p.-1)%:R * a <= 1 -> nonsingular (graph_phi adjacent a).
Proof.
move=> p_gt2 a_small.
by apply: (small_level_nonsingular (fun i k => graph_phi_ge0 adjacent i k a_ge0) (graph_phi1 adjacent a) graph_phi_le); rewrite card_ord.
Qed.

End Graph.
