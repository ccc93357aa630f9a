(* SPDX-License-Identifier: MIT *)
(* For which losses nothing helps (Fernandes and others, Theorem 15 (3), in the form that is true).           *)
(*                                                                                                            *)
(*   silent_optimal_iff   the mechanism that outputs nothing is universally optimal exactly when some guess   *)
(*                        is best for every input                                                             *)
(*                                                                                                            *)
(* Proof.  Let r be best for equal weights.  A mechanism of the type can say a little about input i, so r     *)
(* stays best when the weight of i grows by a certain factor, whatever the weights are.  If another guess s   *)
(* were better for i, let the weight of i grow until r and some s are equally good; a little later s is       *)
(* better, a contradiction.                                                                                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Channels Refinement FiniteCone.
From ExactDP Require Import Rays ExtremeRays Kernels KernelOptimality Simplicial Restriction.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Trivial.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).
Add Field R_field : (field_theory_of R).
Hypothesis e_metric : metric_level e.

(* The mechanism with one output, which tells nothing. *)
Definition silent : 'M[R]_(p, 1) := const_mx 1.

Lemma silent_of_type : of_type e silent.
Proof.
split=> [|i j r]; first by split=> [i r|i]; rewrite ?big_ord1 mxE // ler01.
rewrite !mxE mulr1; have [->|ij] := eqVneq i j; first by rewrite e_refl.
exact: ltW (e_lt1 e_metric ij).
Qed.

Variables (W : finType) (w0 : W) (l : 'I_p -> W -> R).

(* What the guess r costs with the weights w. *)
Definition cost (w : 'I_p -> R) (r : W) : R := \sum_i w i * l i r.

Lemma silent_uncertainty w : uncertainty w0 w l silent = minimum w0 (cost w).
Proof.
rewrite /uncertainty big_ord1; apply: eq_minimum => r.
by apply: eq_bigr => i _; rewrite mxE mul1r.
Qed.

(* Only input i gets a weight that differs. *)
(* It gets (1 + x) w_i, the others keep w_j. *)
Definition raise (w : 'I_p -> R) i (x : R) (j : 'I_p) : R := w j * (1 + x * (j == i)%:R).

Lemma raise_cost w i x r : cost (raise w i x) r = cost w r + x * w i * l i r.
Proof.
rewrite /cost /raise; under eq_bigr => j _ do rewrite mulrDr mulr1 mulrDl.
rewrite big_split /=; congr (_ + _); rewrite (bigD1 i) //= eqxx big1 ?addr0 => [|j /negPf ->].
  by rewrite mulr1 [w i * x]mulrC.
by rewrite !mulr0 mul0r.
Qed.

Lemma spread : universally_optimal e w0 l silent ->
  exists2 x : R, 0 < x & forall w r i, (forall j, 0 <= w j) -> (forall s, cost w r <= cost w s) ->
    forall s, cost (raise w i x) r <= cost (raise w i x) s.
Proof.
move=> opt; pose half : R := 2%:R^-1.
have half_gt0 : 0 < half by rewrite invr_gt0 ltr0n.
have half2 : half + half = 1 by rewrite -mulr2n -[_ *+ 2]mulr_natl divff // pnatr_eq0.
have [|x x_gt0 x_le] := @positive_bound _ _ (fun ij => half * (if ij.1 == ij.2 then 1 else 1 - e ij.1 ij.2)).
  by move=> [i j] /=; rewrite mulr_gt0 //; case: eqVneq => [_|ij]; rewrite ?ltr01 // subr_gt0 e_lt1.
exists x => // w r i w_ge0 r_best s.
pose sign (j : 'I_2) : R := if j == ord0 then x else - x.
pose X : 'M[R]_(p, 2) := \matrix_(k, j) (half * (1 + sign j * (k == i)%:R)).
have x_half : x <= half by have := x_le (i, i); rewrite eqxx mulr1.
have x_le1 : x <= 1 by apply: le_trans x_half _; rewrite -half2 ler_addl ltW.
have bounds k j : 1 - x <= 1 + sign j * (k == i)%:R <= 1 + x.
  rewrite !ler_add2l /sign; case: (k == i); case: (j == ord0); rewrite ?mulr1 ?mulr0 ?oppr_le0 ?lexx ?(ltW x_gt0) //=.
    by rewrite andbT -subr_ge0 opprK addr_ge0 // ltW.
  by rewrite -subr_ge0 opprK addr_ge0 // ltW.
have X_type : of_type e X.
  split; [split=> [k j|k]|move=> k k' j]; rewrite ?mxE.
  - have /andP[low _] := bounds k j; rewrite mulr_ge0 ?(ltW half_gt0) //; apply: le_trans low.
    by rewrite subr_ge0.
  - rewrite big_ord_recl big_ord1 !mxE /sign /= -[RHS]half2.
    by move: ((k == i)%:R : R) => b; by_ring R.
  have [->|kk'] := eqVneq k k'; first by rewrite e_refl // mul1r.
  rewrite mulrCA ler_wpmul2l ?(ltW half_gt0) //.
  have /andP[low _] := bounds k j; have /andP[_ high] := bounds k' j.
  apply: le_trans low; apply: (@le_trans _ _ (e k k' * (1 + x))); first by rewrite ler_wpmul2l // ltW // e_gt0.
  have x2 : x + x <= 1 - e k k'.
    rewrite -[leRHS]mul1r -{1}half2 mulrDl; have := x_le (k, k'); rewrite /= (negPf kk') => le1.
    exact: ler_add.
  rewrite mulrDr mulr1 ler_subr_addr -addrA -ler_subr_addl; apply: le_trans x2.
  by rewrite ler_add2r ler_pimull ?(ltW x_gt0) // ltW // e_lt1.
have := optimal_weights opt w_ge0 X_type; rewrite silent_uncertainty.
have -> : uncertainty w0 w l X = half * minimum w0 (cost (raise w i x)) + half * minimum w0 (cost (raise w i (- x))).
  rewrite /uncertainty big_ord_recl big_ord1 -!minimum_scale ?(ltW half_gt0) //.
  by congr (_ + _); apply: eq_minimum => t; rewrite /output_loss /cost /raise mulr_sumr; apply: eq_bigr => k _;
     rewrite mxE /sign /=; move: ((k == i)%:R : R) => b; by_ring R.
have le_r : cost w r <= minimum w0 (cost w) by apply: minimum_ge.
move=> le_X; have := le_trans le_r le_X.
have -> : cost w r = half * cost (raise w i x) r + half * cost (raise w i (- x)) r.
  by rewrite !raise_cost -[LHS]mul1r -{1}half2; by_ring R.
have low := minimum_le w0 (cost (raise w i (- x))) r.
move=> total; have : half * cost (raise w i x) r <= half * minimum w0 (cost (raise w i x)).
  rewrite -(ler_add2r (half * cost (raise w i (- x)) r)); apply: le_trans total _.
  by rewrite ler_add2l ler_wpmul2l // ltW.
by rewrite ler_pmul2l // => /le_trans; apply; exact: minimum_le.
Qed.

Theorem silent_optimal_iff : universally_optimal e w0 l silent <-> exists r, forall i s, l i r <= l i s.
Proof.
split=> [opt|[r r_best]]; last first.
  split=> [|w [w_ge0 w_sum1] k X [[X_ge0 X_sum1] _]]; first exact: silent_of_type.
  rewrite silent_uncertainty; apply: le_trans (minimum_le w0 _ r) _.
  rewrite /cost -(sum_outputs w (fun i => l i r) X_sum1); apply: ler_sum => j _; apply: minimum_ge => s.
  by apply: ler_sum => i _; rewrite ler_wpmul2l // ler_wpmul2l.
have [x x_gt0 stays] := spread opt.
have [r r_min] := minimum_attained w0 (cost (fun=> 1)).
have r_best s : cost (fun=> 1) r <= cost (fun=> 1) s by rewrite -r_min minimum_le.
exists r => i s0; rewrite leNgt; apply/negP => better0.
pose better s := l i s < l i r; pose when s := (cost (fun=> 1) s - cost (fun=> 1) r) / (l i r - l i s).
case: (@arg_minP _ _ W s0 better when better0) => s s_better s_first.
have when_ge0 : 0 <= when s by rewrite divr_ge0 ?subr_ge0 // ltW.
pose w := raise (fun=> 1) i (when s).
have w_ge0 j : 0 <= w j by rewrite /w /raise mul1r; apply: addr_ge0; [exact: ler01 | apply: mulr_ge0 => //; exact: ler0n].
have w_i : 0 < w i by rewrite /w /raise eqxx mulr1 mul1r; apply: ltr_paddr => //; exact: ltr01.
have value t : cost w t = cost (fun=> 1) t + when s * l i t by rewrite /w raise_cost mulr1.
have r_now t : cost w r <= cost w t.
  rewrite !value -ler_subl_addr -addrA -mulrBr -ler_subr_addl.
  have [t_better|not_better] := boolP (better t).
    by rewrite -ler_pdivl_mulr ?subr_gt0 // s_first.
  apply: (@le_trans _ _ 0); last by rewrite subr_ge0.
  by rewrite mulr_ge0_le0 // subr_le0 leNgt.
have equal : cost w s = cost w r.
  rewrite !value; apply/eqP; rewrite -subr_eq0 opprD addrACA -mulrBr.
  by rewrite -[l i s - _]opprB mulrN divfK ?subrr // subr_eq0 gt_eqF.
have xw_gt0 : 0 < x * w i by exact: mulr_gt0.
have := stays w r i w_ge0 r_now s.
rewrite (raise_cost w i x r) (raise_cost w i x s) equal ler_add2l (ler_pmul2l xw_gt0).
by rewrite leNgt (s_better : l i s < l i r).
Qed.

End Trivial.
