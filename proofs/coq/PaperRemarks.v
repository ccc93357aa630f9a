(* SPDX-License-Identifier: MIT *)
(* What Gupte and Sundararajan say in passing in sections 2.3, 2.5, 2.7, 3 and 4.1.                           *)
(*                                                                                                            *)
(*   squared_loss_bias     2.3: the expected squared loss is the variance and the square of the bias          *)
(*   search_mechanisms     2.5: mechanisms with an interaction lose what private mechanisms lose              *)
(*   condition_forms       3: the printed condition, Theorem 2's, and the symmetric one are the same          *)
(*   generalised_group     3: non-singular matrices with row sums 1 form a group; G T = M has one solution    *)
(*   cramer_entry          3: Cramer's rule for the entries of T                                              *)
(*   convex_cone, not_convex_hull   3: columns of M in the cone of the columns of G, not in their hull        *)
(*   display_rising, display_peak   Lemma 3's displays, with when they are strict                             *)
(*   lemma3_closed         Lemma 3 for 0 <= a <= b <= 1, the ends included                                    *)
(*   theorem2_closed       Theorem 2 for 0 <= a <= 1                                                          *)
(*   geometric_dominates   2.7: whatever a private mechanism loses at each input, G loses no more after some  *)
(*                         interaction                                                                        *)
(*   minimax_iff_bayesian  2.7: optimality for all minimax consumers (of the losses l(i,r) - d_i) is          *)
(*                         optimality for all Bayesian ones of the loss l                                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Inverse Determinants Derivability Levels.
From ExactDP Require Import Losses SingleCrossing Universal MatrixGame Minimax Channels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Remarks.
Variable R : realFieldType.
Add Field R_field : (field_theory_of R).

(* 2.3, "the variance in the error": the expected squared loss is the variance and the square of the bias.      *)
Theorem squared_loss_bias p m (X : 'M[R]_(p, m)) (i : 'I_p) : \sum_r X i r = 1 ->
  let mean := \sum_(r < m) r%:R * X i r in let variance := \sum_(r < m) (r%:R - mean) ^+ 2 * X i r in
  loss_at (squared_loss R p m) X i = variance + (mean - i%:R) ^+ 2 /\
  (loss_at (squared_loss R p m) X i = variance <-> mean = i%:R).
Proof.
move=> X1 mean variance.
have e : loss_at (squared_loss R p m) X i = variance + (mean - i%:R) ^+ 2.
  have c0 : \sum_(r < m) (r%:R - mean) * X i r = 0.
    by under eq_bigr => r _ do rewrite mulrBl; rewrite sumrB -mulr_sumr X1 mulr1 subrr.
  transitivity (\sum_(r < m) ((r%:R - mean) ^+ 2 * X i r +
      ((mean - i%:R) ^+ 2 * X i r + 2%:R * (mean - i%:R) * ((r%:R - mean) * X i r)))).
    apply: eq_bigr => r _; rewrite mxE.
    have -> : ((dist i r)%:R : R) ^+ 2 = (r%:R - i%:R) ^+ 2.
      rewrite /dist natrD; case: (leqP i r) => [ir|/ltnW ri].
        by rewrite (eqP ir) add0r natrB.
      by rewrite (eqP ri) addr0 natrB // -sqrrN opprB.
    by by_ring R.
  by rewrite !big_split /= -!mulr_sumr X1 c0 mulr0 addr0 mulr1.
split=> //; rewrite e; split=> [/eqP|->]; last by rewrite subrr expr0n addr0.
by rewrite -subr_eq0 addrAC subrr add0r expf_eq0 /= subr_eq0 => /eqP.
Qed.

(* 2.5.  Whoever looks for the best private mechanism with the best interaction may look among mechanisms.    *)
Theorem search_mechanisms p m (adjacent : rel 'I_p) (a : R) (l : 'M[R]_(p, m)) (c : 'I_p -> R) :
  (exists X : 'M[R]_(p, m), [/\ stochastic X, private_on adjacent a X & forall i, loss_at l X i = c i]) <->
  exists (k : nat) (Y : 'M[R]_(p, k)) (T : 'M[R]_(k, m)),
    [/\ stochastic Y, private_on adjacent a Y, stochastic T & forall i, loss_at l (Y *m T) i = c i].
Proof.
split=> [[X [X_st X_priv X_c]]|[q [Y [T [Y_st Y_priv T_st YT_c]]]]].
  exists m, X, 1%:M; split=> //; last by move=> i; rewrite mulmx1.
  split=> [i j|i]; first by rewrite mxE ler0n.
  by rewrite (bigD1 i) //= mxE eqxx big1 ?addr0 // => j /negPf ji; rewrite mxE eq_sym ji.
exists (Y *m T); split=> //; first exact: stochastic_mul.
by apply: private_post_processing => //; case: T_st.
Qed.

(* 3, first paragraph, and Theorem 2. *)
Theorem condition_forms (a x1 x2 x3 : R) :
  (x2 - a * x3 >= a * (x1 - a * x2)) = (x2 - a * x1 >= a * (x3 - a * x2)) /\
  (x2 - a * x1 >= a * (x3 - a * x2)) = ((1 + a ^+ 2) * x2 >= a * (x1 + x3)).
Proof.
split; rewrite -[LHS]subr_ge0 -[RHS]subr_ge0; congr (0 <= _); by_ring R.
Qed.

(* 3, proof of Theorem 2. *)
Theorem generalised_group p m (A B : 'M[R]_p) (M T : 'M[R]_(p, m)) :
  A \in unitmx -> B \in unitmx -> (forall i, \sum_r A i r = 1) -> (forall i, \sum_r B i r = 1) ->
  [/\ (1%:M : 'M[R]_p) \in unitmx /\ (forall i, \sum_r (1%:M : 'M[R]_p) i r = 1),
      A *m B \in unitmx /\ (forall i, \sum_r (A *m B) i r = 1),
      invmx A \in unitmx /\ (forall i, \sum_r (invmx A) i r = 1) &
      M = A *m T <-> T = invmx A *m M].
Proof.
move=> A_unit B_unit A1 B1; split.
- split; first exact: unitmx1.
  move=> i; rewrite (bigD1 i) //= mxE eqxx big1 ?addr0 // => j /negPf ji.
  by rewrite mxE eq_sym ji.
- by split; [rewrite unitmx_mul A_unit | exact: row_sums1_mul].
- by split; [rewrite unitmx_inv | exact: row_sums1_inverse].
- by split=> ->; rewrite ?mulKmx ?mulKVmx.
Qed.

Theorem generalised_solution p m (A : 'M[R]_p) (M : 'M[R]_(p, m)) : A \in unitmx ->
  (forall i, \sum_r A i r = 1) -> (forall i, \sum_r M i r = 1) -> forall i, \sum_r (invmx A *m M) i r = 1.
Proof. by move=> A_unit A1 M1; apply: row_sums1_mul M1; exact: row_sums1_inverse. Qed.

Lemma col_product p q m (A : 'M[R]_(p, q)) (T : 'M[R]_(q, m)) j : col j (A *m T) = A *m col j T.
Proof. by apply/matrixP => i o; rewrite !mxE; apply: eq_bigr => k _; rewrite mxE. Qed.

Theorem cramer_entry p m (A : 'M[R]_p.+1) (M T : 'M[R]_(p.+1, m)) i j : A \in unitmx -> M = A *m T ->
  T i j = \det (replace_column A i (col j M)) / \det A.
Proof.
move=> A_unit ->; rewrite det_replace_column // mulrC mulKf; last by rewrite -unitfE -unitmxE.
by rewrite col_product mulKmx // mxE.
Qed.
End Remarks.

Section Geometric.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field' : (field_theory_of R).
Local Notation G := (geometric n a).

(* 3.  Convex combinations have factors that sum to 1; those of a cone are only >= 0.                         *)
(* M with row sums 1 is derivable iff its columns lie in the convex cone of the columns of G. *)
Theorem derivable_cone m (M : 'M[R]_(n.+1, m)) : (forall i, \sum_r M i r = 1) ->
  derivable G M <->
  forall r, exists2 c : 'I_n.+1 -> R, (forall j, 0 <= c j) & forall i, M i r = \sum_j c j * G i j.
Proof.
move=> M1; split=> [[T [T_ge0 _] ->] r|cone].
  by exists (T^~ r) => // i; rewrite mxE; apply: eq_bigr => j _; rewrite mulrC.
have G_unit := geometric_unit n a_gt0 a_lt1.
exists (invmx G *m M); last by rewrite mulKVmx.
split; last exact: (generalised_solution G_unit (geometric_sum a_gt0 a_lt1) M1).
move=> j r; have [c c_ge0 c_M] := cone r.
suff -> : (invmx G *m M) j r = c j by [].
have col_M : col r M = G *m (\col_j c j).
  by apply/matrixP => i o; rewrite mxE c_M [RHS]mxE; apply: eq_bigr => k _; rewrite [X in _ = _ * X]mxE mulrC.
have -> : (invmx G *m M) j r = (invmx G *m col r M) j 0 by rewrite -col_product [RHS]mxE.
by rewrite col_M mulKmx // mxE.
Qed.

(* The mechanism with one output is derivable, and its column of ones is no convex combination. *)
Theorem not_convex_hull : (0 < n)%N ->
  derivable G (const_mx 1 : 'M[R]_(n.+1, 1)) /\
  ~ exists c : 'I_n.+1 -> R, [/\ forall j, 0 <= c j, \sum_j c j = 1 & forall i, \sum_j c j * G i j = 1].
Proof.
move=> n_gt0; split.
  exists (const_mx 1); last by apply/esym; apply/row_sums1 => i; exact: geometric_sum.
  by split=> [j r|j]; rewrite ?big_ord1 mxE ?ler01.
case=> c [c_ge0 c_sum1 c_G]; have G_lt1 j : G ord0 j < 1.
  have [i ij] : exists i : 'I_n.+1, i != j.
    by case: (eqVneq j ord0) => [->|]; [exists ord_max; rewrite -val_eqE /=; nat_lia | exists ord0; rewrite eq_sym].
  rewrite -(geometric_sum a_gt0 a_lt1 (ord0 : 'I_n.+1)) (bigD1 j) //= (bigD1 i) //= ltr_addl ltr_paddr ?geometric_gt0 //.
  by apply: sumr_ge0 => k _; exact/ltW/geometric_gt0.
have c0 j : c j * (1 - G ord0 j) = 0.
  apply: (@psumr_eq0P _ _ xpredT (fun j => c j * (1 - G ord0 j))) => // [k _|].
    by rewrite mulr_ge0 // subr_ge0 ltW.
  under eq_bigr => k _ do rewrite mulrBr mulr1.
  by rewrite sumrB c_sum1 c_G subrr.
have /eqP := oner_neq0 R; case; rewrite -c_sum1 big1 // => j _.
by have /eqP := c0 j; rewrite mulf_eq0 subr_eq0 [1 == _]eq_sym (lt_eqF (G_lt1 j)) orbF => /eqP.
Qed.
End Geometric.

Section Displays.
Variables (R : realFieldType) (a b : R).
Hypotheses (a_ge0 : 0 <= a) (ab : a <= b) (b_le1 : b <= 1).
Add Field R_field'' : (field_theory_of R).

(* Lemma 3, displays 1 and 3.  For 0 < a (and b < 1) they are strict iff a < b. *)
Theorem display_rising i :
  [/\ (1 + a ^+ 2) * b ^+ i.+1 - a * (b ^+ i + b ^+ i.+2) = b ^+ i * (b - a) * (1 - a * b),
      0 <= (1 + a ^+ 2) * b ^+ i.+1 - a * (b ^+ i + b ^+ i.+2) &
      0 < b -> a * b < 1 -> (0 < (1 + a ^+ 2) * b ^+ i.+1 - a * (b ^+ i + b ^+ i.+2)) = (a < b)].
Proof.
have e : (1 + a ^+ 2) * b ^+ i.+1 - a * (b ^+ i + b ^+ i.+2) = b ^+ i * (b - a) * (1 - a * b).
  by rewrite !exprS; move: (b ^+ i) => p; by_ring R.
have b_ge0 : 0 <= b := le_trans a_ge0 ab.
split=> //; rewrite e.
  by rewrite !mulr_ge0 ?exprn_ge0 ?subr_ge0 // mulr_ile1 // (le_trans ab).
by move=> b_gt0 ab_lt1; rewrite pmulr_lgt0 ?subr_gt0 // pmulr_rgt0 ?exprn_gt0 // subr_gt0.
Qed.

(* Display 2.  The first ">" is an equality at a = 0 and at b = 1; the sum is positive unless a = b = 1. *)
Theorem display_peak :
  [/\ (1 + a ^+ 2) * 1 - a * (b + b) = 1 + a ^+ 2 - 2%:R * a * b,
      (1 - a) ^+ 2 <= 1 + a ^+ 2 - 2%:R * a * b,
      ((1 - a) ^+ 2 < 1 + a ^+ 2 - 2%:R * a * b) = (0 < a) && (b < 1) &
      (0 < 1 + a ^+ 2 - 2%:R * a * b) = (a < 1)].
Proof.
have e : 1 + a ^+ 2 - 2%:R * a * b - (1 - a) ^+ 2 = 2%:R * (a * (1 - b)) by by_ring R.
have gap_ge0 : 0 <= 2%:R * (a * (1 - b)) by rewrite !mulr_ge0 ?ler0n // subr_ge0.
have two_gt0 : 0 < 2%:R :> R by rewrite ltr0n.
split; first by by_ring R.
- by rewrite -subr_ge0 e.
- rewrite -subr_gt0 e pmulr_rgt0 //; have [a0|a_neq0] := eqVneq a 0; first by rewrite a0 mul0r ltxx.
  have a_gt0 : 0 < a by rewrite lt_neqAle eq_sym a_neq0.
  by rewrite a_gt0 pmulr_rgt0 // subr_gt0.
have [a_lt1|a_ge1] := ltP a 1.
  have sq_gt0 : 0 < (1 - a) ^+ 2 by rewrite exprn_gt0 // subr_gt0.
  by rewrite (lt_le_trans sq_gt0) // -subr_ge0 e.
have a1 : a = 1 by apply/eqP; rewrite eq_le a_ge1 (le_trans ab).
have b1 : b = 1 by apply/eqP; rewrite eq_le b_le1 -a1.
by rewrite a1 b1 (_ : _ - _ = 0) ?ltxx //; by_ring R.
Qed.
End Displays.

(* 2.7.  The loss l(i, r) - d_i: it does not decrease in |i - r| iff l does not. *)
Definition shifted (R : realFieldType) p m (l : 'M[R]_(p, m)) (d : 'I_p -> R) : 'M[R]_(p, m) := \matrix_(i, r) (l i r - d i).

Section Comparison.
Variables (R : realFieldType) (p k m : nat).
Variables (Y : 'M[R]_(p, k)) (X l : 'M[R]_(p, m.+1)).
Hypotheses (Y_st : stochastic Y) (X_st : stochastic X).

Lemma loss_shifted q (Z : 'M[R]_(p, q)) (h : 'M[R]_(p, q)) d i : stochastic Z ->
  loss_at (shifted h d) Z i = loss_at h Z i - d i.
Proof.
move=> [_ Z1]; rewrite /loss_at -[d i]mulr1 -(Z1 i) mulr_sumr -sumrB.
by apply: eq_bigr => r _; rewrite mxE mulrBl.
Qed.

(* Y with some interaction loses no more than X at every input at once. *)
Definition dominates := exists2 T : 'M[R]_(k, m.+1), stochastic T & forall i, loss_at l (Y *m T) i <= loss_at l X i.

Theorem bayesian_dominates : dominates <-> forall w : 'I_p -> R, (forall i, 0 <= w i) ->
  exists2 T : 'M[R]_(k, m.+1), stochastic T & bayes_loss w l (Y *m T) <= bayes_loss w l X.
Proof.
split=> [[T T_st T_le] w w_ge0|bayes].
  by exists T => //; apply: ler_sum => i _; rewrite ler_wpmul2l.
pose D (f : {ffun 'I_k -> 'I_m.+1}) i := loss_at l (Y *m remap R f) i - loss_at l X i.
have [[c c_dist c_le]|[q q_ge0 q_gt0]] := ville D.
  exists (mixture c) => [|i]; first exact: mixture_stochastic.
  rewrite loss_mixture -subr_le0 -[X in _ - X]mul1r -(proj2 c_dist) mulr_suml -sumrB.
  by apply: le_trans (c_le i); apply: ler_sum => f _; rewrite mulrBr.
have [T T_st T_le] := bayes q q_ge0; have [[f f_loss] f_le] := least_remap q l Y.
have := q_gt0 (finfun f); rewrite ltNge => /negP; case.
have -> : \sum_i D (finfun f) i * q i = bayes_loss q l (Y *m remap R f) - bayes_loss q l X.
  rewrite /bayes_loss -sumrB; apply: eq_bigr => i _; rewrite /D mulrC mulrBr; congr (_ * loss_at _ (_ *m _) _ - _).
  by apply/matrixP => j r; rewrite !mxE ffunE.
by rewrite subr_le0 f_loss (le_trans (f_le T T_st)).
Qed.

(* ... which is what minimax consumers with the losses l(i, r) - d_i and any side information S ask for. *)
Theorem minimax_dominates : dominates <-> forall (S : {set 'I_p}) (d : 'I_p -> R),
  exists2 T : 'M[R]_(k, m.+1), stochastic T &
    forall v, worst_loss_le S (shifted l d) X v -> worst_loss_le S (shifted l d) (Y *m T) v.
Proof.
split=> [[T T_st T_le] S d|minimax].
  exists T => // v X_le i i_S; apply: le_trans (X_le i i_S).
  by rewrite !loss_shifted ?ler_add2r //; exact: stochastic_mul.
have [T T_st T_le] := minimax setT (loss_at l X); exists T => // i.
have := T_le 0 _ i (in_setT i); rewrite loss_shifted ?subr_le0; last exact: stochastic_mul.
by apply=> j _; rewrite loss_shifted // subrr.
Qed.

Corollary minimax_iff_bayesian :
  (forall (S : {set 'I_p}) (d : 'I_p -> R), exists2 T : 'M[R]_(k, m.+1), stochastic T &
    forall v, worst_loss_le S (shifted l d) X v -> worst_loss_le S (shifted l d) (Y *m T) v) <->
  (forall w : 'I_p -> R, (forall i, 0 <= w i) ->
    exists2 T : 'M[R]_(k, m.+1), stochastic T & bayes_loss w l (Y *m T) <= bayes_loss w l X).
Proof. by split=> [/minimax_dominates/bayesian_dominates | /bayesian_dominates/minimax_dominates]. Qed.
End Comparison.

Lemma shifted_monotone (R : realFieldType) p m (l : 'M[R]_(p, m)) (d : 'I_p -> R) :
  monotone_loss (shifted l d) <-> monotone_loss l.
Proof. by split=> l_mono i r s /(l_mono i); rewrite !mxE ler_add2r. Qed.

Section Geometric.
Variables (R : realFieldType) (n m : nat).

Theorem geometric_dominates (a : R) (l X : 'M[R]_(n.+1, m.+1)) : 0 < a -> a < 1 -> monotone_loss l ->
  stochastic X -> private a X -> dominates (geometric n a) X l.
Proof.
move=> a_gt0 a_lt1 l_mono X_st X_priv; apply/bayesian_dominates => w w_ge0.
have [T T_best] := best_response_exists w l (geometric n a); exists (remap R T); first exact: remap_stochastic.
exact: (universal_optimality a_gt0 a_lt1 (monotone_single_crossing l_mono) w_ge0 T_best X_st X_priv).
Qed.

(* Lemma 3 with the ends, where Definition 4 reads 0^0 as 1: G(n, 0) is the identity, G(n, 1) has equal rows. *)
Lemma geometric_zero : geometric n (0 : R) = 1%:M.
Proof.
apply/matrixP => i j; rewrite !mxE -val_eqE /=; case: eqP => [->|ij].
  by rewrite /dist subnn expr0 mul1r /scale addr0 subr0 invr1 mulr1; case: ifP => //; case: ifP.
by rewrite (_ : dist i j = (dist i j).-1.+1) ?expr0n ?mul0r // /dist; nat_lia.
Qed.

Lemma geometric_one_sum (i : 'I_n.+1) : \sum_j geometric n (1 : R) i j = 1.
Proof.
rewrite (eq_bigr (fun j : 'I_n.+1 => scale 1 n j)) => [|j _]; last by rewrite mxE expr1n mul1r.
have two : 1 + 1 != 0 :> R by rewrite -(natrD R 1 1) pnatr_eq0.
rewrite /scale; case: n => [|n']; first by rewrite big_ord1.
rewrite big_ord_recl big_ord_recr /= eqxx big1 => [|j _].
  by rewrite add0r -mulr2n -[_ *+ 2]mulr_natl -(natrD R 1 1) mulfV.
by rewrite /bump /= add1n subrr mul0r (_ : (j.+1 == n'.+1) = false) //; apply/eqP; have := ltn_ord j => ?; nat_lia.
Qed.

Lemma geometric_one_ge0 (i j : 'I_n.+1) : 0 <= geometric n (1 : R) i j.
Proof.
rewrite mxE expr1n mul1r /scale subrr mul0r; case: ifP => _; first exact: ler01.
by case: ifP => _; rewrite ?lexx // invr_ge0 addr_ge0 ?ler01.
Qed.

Theorem lemma3_closed (a b : R) : 0 <= a -> a <= b -> b <= 1 -> derivable (geometric n a) (geometric n b).
Proof.
move=> a_ge0 ab b_le1; have [a0|a_neq0] := eqVneq a 0.
  exists (geometric n b); last by rewrite a0 geometric_zero mul1mx.
  have [b0|b_neq0] := eqVneq b 0.
    rewrite b0 geometric_zero; split=> [i j|i]; first by rewrite mxE ler0n.
    by rewrite (bigD1 i) //= mxE eqxx big1 ?addr0 // => j /negPf ji; rewrite mxE eq_sym ji.
  have b_gt0 : 0 < b by rewrite lt_neqAle eq_sym b_neq0 (le_trans a_ge0 ab).
  have [b1|b_neq1] := eqVneq b 1; last by apply: geometric_stochastic => //; rewrite lt_neqAle b_neq1.
  split=> [i j|i]; rewrite b1; [exact: geometric_one_ge0 | exact: geometric_one_sum].
have a_gt0 : 0 < a by rewrite lt_neqAle eq_sym a_neq0.
have [b1|b_neq1] := eqVneq b 1; last by apply: lemma3; rewrite ?a_gt0 // lt_neqAle b_neq1 b_le1.
have a_sum i : \sum_j geometric n a i j = 1.
  have [a1|a_neq1] := eqVneq a 1; first by rewrite a1 geometric_one_sum.
  by apply: geometric_sum => //; rewrite lt_neqAle a_neq1 (le_trans ab b_le1).
exists (geometric n b).
  split=> [i j|i]; rewrite b1; [exact: geometric_one_ge0 | exact: geometric_one_sum].
apply/matrixP => i j; rewrite b1 [RHS]mxE [LHS]mxE expr1n mul1r.
rewrite (eq_bigr (fun h => geometric n a i h * scale 1 n j)) -?mulr_suml ?a_sum ?mul1r // => h _.
by rewrite [X in _ * X]mxE expr1n mul1r.
Qed.

(* Theorem 2 with the ends: there all private mechanisms are derivable and satisfy the condition. *)
Theorem theorem2_closed q (a : R) (M : 'M[R]_(n.+1, q)) : 0 <= a -> a <= 1 -> stochastic M -> private a M ->
  derivable (geometric n a) M <-> three_term a M.
Proof.
move=> a_ge0 a_le1 M_st M_priv; have [M_ge0 M_sum1] := M_st.
have [a0|a_neq0] := eqVneq a 0.
  split=> [_ i j k r _ _|_]; first by rewrite a0 !mul0r subr0.
  by exists M => //; rewrite a0 geometric_zero mul1mx.
have [a1|a_neq1] := eqVneq a 1; last by apply: theorem2; rewrite ?lt_neqAle ?a_neq1 // eq_sym a_neq0.
rewrite a1 in M_priv *; have same := private_one M_priv.
split=> [_ i j k r _ _|_]; first by rewrite !mul1r (same j i) (same k i) subrr.
exists (\matrix_(j, r) M ord0 r).
  by split=> [j r|j]; [rewrite mxE | rewrite -(M_sum1 ord0); apply: eq_bigr => r _; rewrite mxE].
apply/matrixP => i r; rewrite [RHS]mxE (eq_bigr (fun j => geometric n 1 i j * M ord0 r)) => [|j _].
  by rewrite -mulr_suml geometric_one_sum mul1r.
by rewrite [X in _ * X]mxE.
Qed.
End Geometric.
