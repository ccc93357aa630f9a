(* SPDX-License-Identifier: MIT *)
(* Theorem 9 of Fernandes and others: the geometric mechanism is best for all monotone losses, in full.       *)
(*                                                                                                            *)
(*   crossing_optimal        if the guesses, in some order, have single crossings, no mechanism of the line,  *)
(*                           with however many outputs, is better than G for any prior                        *)
(*   labelled_optimal        so for l(w,x) = m |alpha(w) - x|, m not decreasing and any labels alpha          *)
(*   theorem9                so for the monotone losses of Definition 9; the points may be any distance apart *)
(*   dual_optimal            so for the loss [w = x] (Section 8.1), which is not monotone                     *)
(*   asymmetric_optimal      so for a late and an early price (the traveller of the introduction)             *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric Losses Universal Channels Refinement.
From ExactDP Require Import Rays Kernels KernelOptimality LineRays OptimalCapacity Definition9.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TheoremNine.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation G := (geometric n a).
Local Notation e := (@line_level R n a).

Lemma geometric_of_type : of_type e G.
Proof.
by split; [exact: geometric_stochastic | apply/line_metric; [exact: ltW | exact: geometric_private]].
Qed.

(* Guesses under other names, each at least once. *)
Lemma renamed_uncertainty (W V : finType) (w0 : W) (v0 : V) (h : V -> W) w (l : 'I_n.+1 -> W -> R) k (Y : 'M[R]_(n.+1, k)) :
  (forall s, exists v, h v = s) -> uncertainty w0 w l Y = uncertainty v0 w (fun i v => l i (h v)) Y.
Proof.
move=> h_onto; apply: eq_bigr => j _; apply/eqP; rewrite eq_le; apply/andP; split; apply: minimum_ge.
  by move=> v; exact: (minimum_le w0 _ (h v)).
by move=> s; have [v <-] := h_onto s; exact: (minimum_le v0 (output_loss w (fun i v => l i (h v)) Y j) v).
Qed.

Theorem crossing_optimal (W : finType) (w0 : W) (l : 'I_n.+1 -> W -> R) m (h : 'I_m.+1 -> W) :
  (forall s, exists r, h r = s) -> single_crossing (\matrix_(i, r) l i (h r)) -> universally_optimal e w0 l G.
Proof.
move=> h_onto l_crossing; split=> [|w [w_ge0 _] k X [X_st X_priv]]; first exact: geometric_of_type.
rewrite !(renamed_uncertainty w0 (ord0 : 'I_m.+1) w l _ h_onto).
pose L : 'M[R]_(n.+1, m.+1) := \matrix_(i, r) l i (h r).
have LE q (Y : 'M[R]_(n.+1, q)) : uncertainty ord0 w (fun i r => l i (h r)) Y = uncertainty ord0 w L Y.
  by apply: eq_uncertainty => i r; rewrite mxE.
rewrite !LE; have [[f <-] _] := least_remap w L X.
have [T T_best] := best_response_exists w L G.
apply: (@le_trans _ _ (bayes_loss w L (G *m remap R T))).
  by have [_] := least_remap w L G; apply; exact: remap_stochastic.
apply: universal_optimality => //; first by apply: stochastic_mul => //; exact: remap_stochastic.
apply: private_post_processing => [j r|]; first by rewrite mxE ler0n.
by apply/line_metric; [exact: ltW | exact: X_priv].
Qed.

(* Labels on the line, or beyond it; several guesses may have the same. *)
Theorem labelled_optimal (W : finType) (w0 : W) (l : 'I_n.+1 -> W -> R) (alpha : W -> nat) (m : nat -> R) :
  (forall c d, (c <= d)%N -> m c <= m d) -> (forall i w, l i w = m (dist i (alpha w))) -> universally_optimal e w0 l G.
Proof.
move=> m_mono lE; pose before w w' := (alpha w <= alpha w')%N; pose s := sort before (enum W).
have s_size : size s = (size s).-1.+1.
  rewrite size_sort -cardE; have : (0 < #|W|)%N by apply/card_gt0P; exists w0.
  by case: #|W|.
have before_total : total before by move=> w w'; exact: leq_total.
have before_trans : transitive before by move=> w w' w''; exact: leq_trans.
have s_sorted : sorted before s by exact: sort_sorted.
pose h (r : 'I_(size s).-1.+1) := nth w0 s r.
apply: (@crossing_optimal W w0 l (size s).-1 h) => [w|].
  have w_s : w \in s by rewrite mem_sort mem_enum.
  have w_lt : (index w s < (size s).-1.+1)%N by rewrite -s_size index_mem.
  by exists (Ordinal w_lt); rewrite /h /= nth_index.
have -> : \matrix_(i, r) l i (h r) = \matrix_(i < n.+1, r < (size s).-1.+1) m (dist i (alpha (h r))).
  by apply/matrixP => i r; rewrite !mxE lE.
apply: remapped_single_crossing => // r r' rr'.
have lt (x : 'I_(size s).-1.+1) : (x < size s)%N by apply: leq_trans (ltn_ord x) _; rewrite -s_size leqnn.
apply: (sorted_leq_nth before_trans _ w0 s_sorted) rr'; rewrite ?inE ?lt //.
by move=> w; exact: leqnn.
Qed.

(* Theorem 9, for neighbours at the distance s: the level of one step is a. *)
Theorem theorem9 (s : R) (W : finType) (w0 : W) (l : 'I_n.+1 -> W -> R) :
  0 < s -> monotone_in (fun i j => s * line_metric_in R i j) l -> universally_optimal e w0 l G.
Proof.
move=> s_gt0 [m [alpha [m_mono _ lE]]].
apply: (@labelled_optimal W w0 l (fun w => alpha w) (fun c => m (s * c%:R))) => [c d cd|i w].
  by apply: m_mono; rewrite ler_pmul2l // ler_nat.
by rewrite lE /line_metric_in /dist addnC.
Qed.

(* Section 8.1. *)
Theorem dual_optimal : universally_optimal e ord0 (@dual R n) G.
Proof.
apply: (@crossing_optimal _ _ _ n (@rev_ord n.+1)) => [s|]; first by exists (rev_ord s); rewrite rev_ordK.
have := @dual_loss_single_crossing R n.+1 n.+1; congr single_crossing; apply/matrixP => i r; rewrite !mxE /dual.
have r_lt := ltn_ord r; congr (_%:R); apply: congr1.
by apply/eqP/eqP => [ir|->]; [apply/val_inj => /=|rewrite /=]; nat_lia.
Qed.

(* Guessing w when it is x costs late for each step beyond x, and early for each step before it. *)
Definition asymmetric (late early : R) (i w : 'I_n.+1) : R := late * (w - i)%:R + early * (i - w)%:R.

Theorem asymmetric_optimal (late early : R) : 0 <= late -> 0 <= early ->
  universally_optimal e ord0 (asymmetric late early) G.
Proof.
move=> late_ge0 early_ge0; apply: (@crossing_optimal _ _ _ n id) => [s|]; first by exists s.
move=> r s rs; pose D (i : nat) : R := late * (s - i)%:R + early * (i - s)%:R - (late * (r - i)%:R + early * (i - r)%:R).
have DE (i : 'I_n.+1) : D i = asymmetric late early i s - asymmetric late early i r by [].
have D_fall (i j : nat) : (i <= j)%N -> D j <= D i.
  move=> ij; rewrite -subr_ge0 /D.
  have -> : late * (s - i)%:R + early * (i - s)%:R - (late * (r - i)%:R + early * (i - r)%:R) -
            (late * (s - j)%:R + early * (j - s)%:R - (late * (r - j)%:R + early * (j - r)%:R)) =
            late * (((s - i) + (r - j))%:R - ((s - j) + (r - i))%:R) +
            early * (((i - s) + (j - r))%:R - ((i - r) + (j - s))%:R) by rewrite !natrD; by_ring R.
  apply: addr_ge0; apply: mulr_ge0 => //; rewrite subr_ge0 ler_nat; nat_lia.
pose t := find (fun i => D i <= 0) (iota 0 n.+1); exists t => i; rewrite !mxE.
have i_lt := ltn_ord i; split=> [i_t|t_i].
  have := before_find 0%N i_t; rewrite nth_iota // add0n => /negbT; rewrite -ltNge => /ltW.
  by rewrite DE subr_ge0.
have t_lt : (t < size (iota 0 n.+1))%N by rewrite size_iota (leq_ltn_trans t_i).
have := nth_find 0%N (_ : has (fun i => D i <= 0) (iota 0 n.+1)); rewrite has_find => /(_ t_lt).
rewrite nth_iota ?add0n => [|]; last by rewrite -[X in (_ < X)%N](size_iota 0).
by move=> Dt; rewrite -subr_le0 -DE; apply: le_trans (D_fall _ _ t_i) Dt.
Qed.

End TheoremNine.
