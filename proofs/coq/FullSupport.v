(* SPDX-License-Identifier: MIT *)
(* Every prior with full support is regular when a is small (ElSalamouny and others, Section 3).              *)
(*                                                                                                            *)
(*   full_support_regular         if Phi is at most a beside the diagonal and a (1 + (p-1) m) <= m, then a    *)
(*                                prior whose entries are at least m > 0 is regular                           *)
(*   graph_full_support_regular   so on every graph                                                           *)
(*                                                                                                            *)
(* On a complete graph the condition of a and m is the exact one (complete_regular, NestedRegions.v).         *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField MatrixGame TightConstraints RegularPriors LeakageBounds.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section FullSupport.
Variables (R : realFieldType) (p : nat) (Phi : 'I_p -> 'I_p -> R) (a : R).
Hypotheses (PhiP : constraint_matrix Phi) (off_diagonal : forall i k, i != k -> Phi i k <= a) (a_ge0 : 0 <= a).
Implicit Types (q y : 'I_p -> R).
Add Field R_field : (field_theory_of R).

(* Entry k of y Phi is y_k and at most a times the other entries of y. *)
Lemma entry_near q y k : combines Phi y q -> `|q k - y k| <= a * (\sum_(i | i != k) `|y i|).
Proof.
have [ge0 _ one _ _] := PhiP; move=> y_q; rewrite y_q (bigD1 k) //= one mulr1 addrAC subrr add0r.
apply: le_trans (ler_norm_sum _ _ _) _; rewrite mulr_sumr; apply: ler_sum => i ik.
by rewrite normrM mulrC ler_wpmul2r // ger0_norm // off_diagonal.
Qed.

Lemma weights_bound q y : combines Phi y q -> (1 - (p%:R - 1) * a) * (\sum_i `|y i|) <= \sum_k `|q k|.
Proof.
move=> y_q; have entry k : `|y k| <= `|q k| + a * (\sum_i `|y i| - `|y k|).
  rewrite [\sum_i _](bigD1 k) //= [_ + _ - _]addrAC subrr add0r -ler_subl_addl.
  apply: le_trans (entry_near k y_q); rewrite distrC; exact: ler_sub_dist.
have : \sum_k `|y k| <= \sum_k (`|q k| + a * (\sum_i `|y i| - `|y k|)) by apply: ler_sum => k _.
rewrite big_split /= -mulr_sumr sumrB sumr_const card_ord -mulr_natl -subr_ge0 => le.
rewrite -subr_ge0; move: le; congr (_ <= _).
move: (\sum_k `|y k|) (\sum_k `|q k|) (p%:R) => S Q n.
by by_ring R.
Qed.

Theorem full_support_regular q m : 0 < m -> a * (1 + (p%:R - 1) * m) <= m -> distribution q -> (forall k, m <= q k) ->
  regular Phi q.
Proof.
move=> m_gt0 a_le [q_ge0 q_sum] q_ge; have [x0|p0] := pickP (fun _ : 'I_p => true); last first.
  by have /eqP := oner_neq0 R; case; rewrite -q_sum big1 // => x _; have := p0 x.
have p_ge1 : 0 <= p%:R - 1 :> R by rewrite subr_ge0 ler1n (leq_ltn_trans _ (ltn_ord x0)).
have small : 0 < 1 - (p%:R - 1) * a.
  have b_gt0 : 0 < 1 + (p%:R - 1) * m by rewrite ltr_paddr ?ltr01 // mulr_ge0 // ltW.
  rewrite -(pmulr_rgt0 _ b_gt0); apply: lt_le_trans (ltr01 : 0 < 1 :> R) _; rewrite -subr_ge0.
  have -> : (1 + (p%:R - 1) * m) * (1 - (p%:R - 1) * a) - 1 = (p%:R - 1) * (m - a * (1 + (p%:R - 1) * m)).
    by move: (p%:R : R) => n; by_ring R.
  by rewrite mulr_ge0 // subr_ge0.
pose A : 'M[R]_p := \matrix_(i, k) Phi i k.
have rowE (v : 'rV[R]_p) : combines Phi (v 0) ((v *m A) 0).
  by move=> k; rewrite mxE; apply: eq_bigr => i _; rewrite mxE.
have A_unit : A \in unitmx.
  apply/negPn/negP => A_sing; have [|s [s_inj sA]] := solve_many (q := 0) A_sing; first by exists 0; rewrite mul0mx.
  have s0 t : s t = 0.
    have := weights_bound (rowE (s t)); rewrite sA; under [X in _ <= X]eq_bigr => k _ do rewrite mxE normr0.
    rewrite big1_eq pmulr_rle0 // => le0; apply/rowP => i; rewrite mxE; apply/eqP; rewrite -normr_eq0 eq_le normr_ge0 andbT.
    by apply: le_trans le0; rewrite (bigD1 i) //= ler_addl; apply: sumr_ge0 => j _; exact: normr_ge0.
  by have /eqP := oner_neq0 R; case; apply: s_inj; rewrite !s0.
have [v [vA _]] := solve_unique A_unit (\row_k q k).
have y_q : combines Phi (v 0) q by move=> k; rewrite -rowE vA mxE.
exists (v 0); split=> // k; set S := \sum_i `|v 0 i|.
have Q1 : \sum_j `|q j| = 1 by rewrite -[RHS]q_sum; apply: eq_bigr => j _; rewrite ger0_norm.
have S_le : (1 - (p%:R - 1) * a) * S <= 1 by have := weights_bound y_q; rewrite Q1.
have aS : a * S <= m.
  rewrite -(ler_pmul2l small) mulrCA; apply: le_trans (ler_wpmul2l a_ge0 S_le) _; rewrite mulr1 -subr_ge0.
  move: a_le; rewrite -subr_ge0; congr (_ <= _); move: (p%:R : R) => n; by_ring R.
have := entry_near k y_q; have part : \sum_(i | i != k) `|v 0 i| <= S by rewrite /S [leRHS](bigD1 k) //= ler_addr normr_ge0.
move=> near; rewrite -(ler_add2l (q k - v 0 k)) addr0 subrK; apply: le_trans (ler_norm _) _; apply: le_trans near _.
by apply: le_trans (ler_wpmul2l a_ge0 part) _; apply: le_trans aS _.
Qed.

End FullSupport.

Theorem graph_full_support_regular (R : realFieldType) p (adjacent : rel 'I_p) (a m : R) (q : 'I_p -> R) :
  symmetric adjacent -> 0 < a -> a < 1 -> 0 < m -> a * (1 + (p%:R - 1) * m) <= m -> distribution q -> (forall k, m <= q k) ->
  regular (graph_phi adjacent a) q.
Proof.
move=> adj_sym a_gt0 a_lt1; apply: full_support_regular; last exact: ltW.
  exact: graph_constraint_matrix.
exact: graph_phi_le.
Qed.
