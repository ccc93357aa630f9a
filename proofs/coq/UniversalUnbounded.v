(* SPDX-License-Identifier: MIT *)
(* Universal optimality against every mechanism with any outputs, finitely many or not, and for the unbounded *)
(* geometric mechanism as well as for its range-restricted version (Ghosh and others).                        *)
(*                                                                                                            *)
(*   rival_loss           no private mechanism X, with outputs from any set and any guesses for them, has an  *)
(*                        expected loss below that of G with a best response                                  *)
(*   unbounded_loss       the unbounded mechanism, its results clamped first, has the same loss as G          *)
(*   unbounded_optimality losses that are monotone in |i - r|, guesses any integers: some order-preserving    *)
(*                        remap of either geometric mechanism has the least expected loss of all              *)
(* Weights w >= 0 on the inputs are any; a prior is the case of sum 1.  A gain is a loss of the other sign.   *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Losses SingleCrossing Excess Universal.
From ExactDP Require Import Summation Unbounded.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The part of output z in the expected loss, answered by the guess g z: sum_i w_i X(i,z) l(i, g z). *)
Definition cost_at (R : realFieldType) (n : nat) (Z W : Type) (w : 'I_n.+1 -> R) (l : 'I_n.+1 -> W -> R)
    (X : 'I_n.+1 -> Z -> R) (g : Z -> W) (z : Z) : R := \sum_i w i * (X i z * l i (g z)).

Section Rivals.
Variables (R : realFieldType) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Variables (l : 'M[R]_(n.+1, m.+1)) (w : 'I_n.+1 -> R).
Add Field R_field : (field_theory_of R).
Hypotheses (l_crossing : single_crossing l) (w_ge0 : forall i, 0 <= w i).
Local Notation f := (weighted_loss a l w).

(* One column of a private mechanism, answered by the guess r. *)
Lemma column_cost (x : nat -> R) (r : 'I_m.+1) : (forall j, 0 <= x j) ->
  (forall j, (j < n)%N -> a * x j.+1 <= x j /\ a * x j <= x j.+1) ->
  form a n (least f) x <= (1 - a ^+ 2) * \sum_(i < n.+1) w i * (x i * l i r).
Proof.
move=> x_ge0 x_priv.
have -> : (1 - a ^+ 2) * (\sum_(i < n.+1) w i * (x i * l i r)) = form a n (f r) x.
  rewrite formC form_sumr mulr_sumr; apply: eq_bigr => i _ /=.
  rewrite (@eq_formr _ _ _ _ _ (fun j => w i * l i r * a ^+ dist i j)); last by move=> j _; rewrite mulrC.
  rewrite form_scaler formC form_power; last by rewrite -ltnS.
  by by_ring R.
rewrite -subr_ge0 -form_subl.
exact: (form_excess_ge0 a_gt0 a_lt1 (weighted_loss_alternative a_gt0 a_lt1 l_crossing w_ge0)).
Qed.

Lemma form_sums_to (Z : eqType) (h : nat -> R) (x : nat -> Z -> R) (v : nat -> R) :
  (forall j, (j <= n)%N -> sums_to (x j) (v j)) -> sums_to (fun z => form a n h (x^~ z)) (form a n h v).
Proof.
elim: n => [|k IHk] x_v.
  rewrite {2}/form big_ord0 addr0; apply: (@eq_sums_to _ _ (fun z => (1 - a ^+ 2) * h 0%N * x 0%N z)) => [z|].
    by rewrite /form big_ord0 addr0.
  by apply: sums_to_scale; exact: x_v.
rewrite formS; apply: (@eq_sums_to _ _ (fun z => form a k h (x^~ z) + (h k.+1 - a * h k) * (x k.+1 z - a * x k z))) => [z|].
  by rewrite formS.
apply: sums_to_add; first by apply: IHk => j jk; apply: x_v; exact: leqW.
apply: sums_to_scale; rewrite -mulNr.
apply: (@eq_sums_to _ _ (fun z => x k.+1 z + - a * x k z)) => [z|]; first by rewrite mulNr.
by apply: sums_to_add; [exact: x_v | apply: sums_to_scale; exact: x_v].
Qed.

(* The lower bound for any rival: X with outputs from any set Z, answered by any guesses g. *)
Theorem rival_loss (T : 'I_n.+1 -> 'I_m.+1) (Z : eqType) (X : 'I_n.+1 -> Z -> R) (g : Z -> 'I_m.+1) :
  best_response w l (geometric n a) T -> (forall i, law (X i)) -> private_laws (fun i j => line i j) a X ->
  sums_above (cost_at w l X g) (bayes_loss w l (geometric n a *m remap R T)).
Proof.
move=> T_best X_law X_priv; have c_gt0 : 0 < 1 - a ^+ 2 := one_minus_sq_gt0 a_gt0 a_lt1.
have c_neq0 : 1 - a ^+ 2 != 0 by rewrite gt_eqF.
pose low z := (1 - a ^+ 2)^-1 * form a n (least f) (fun j => X (inord j) z).
apply: (@sums_above_le _ _ low) => [z|].
  rewrite /low ler_pdivr_mull // (le_trans (column_cost (g z) _ _)) => //.
  - by move=> j; have [X_ge0 _] := X_law (inord j).
  - move=> j j_n; have ij : line (inord j : 'I_n.+1) (inord j.+1) by rewrite /line !inordK ?eqxx // ltnW.
    by split; apply: X_priv => //; move: ij; rewrite /line orbC.
  - by rewrite /cost_at ler_pmul2l //; apply: ler_sum => i _; rewrite inord_val.
apply: (@sums_above_weaken _ _ _ _ ((1 - a ^+ 2)^-1 * form a n (least f) (fun=> 1))).
  rewrite form_ones ?one_plus_neq0 // mulKf // -bayes_loss_guess /bayes_loss.
  under eq_bigr => i _ do rewrite loss_remap mulr_sumr.
  under [leRHS]eq_bigr => i _ do rewrite loss_remap mulr_sumr.
  by rewrite exchange_big [leRHS]exchange_big; apply: ler_sum => j _; exact: T_best.
apply: sums_to_above; apply: sums_to_scale; apply: form_sums_to => j _.
by have [] := X_law (inord j).
Qed.
End Rivals.

(* The unbounded mechanism with its results clamped and then remapped by T. *)
Theorem unbounded_loss (R : archiFieldType) (n m : nat) (a : R) (l : 'M[R]_(n.+1, m)) (w : 'I_n.+1 -> R)
    (T : 'I_n.+1 -> 'I_m) : 0 < a -> a < 1 ->
  sums_to (cost_at w l (fun i : 'I_n.+1 => unbounded a (i : nat)%:Z) (fun z => T (clamp n z)))
    (bayes_loss w l (geometric n a *m remap R T)).
Proof.
move=> a_gt0 a_lt1; have [_ G_sum] := restricted_derived a_gt0 a_lt1 n.
pose U (i : 'I_n.+1) := unbounded a (i : nat)%:Z.
apply: (@sums_to_sum R _ 'I_n.+1 _ xpredT (fun i z => w i * (U i z * l i (T (clamp n z))))) => i _.
rewrite loss_remap. apply: sums_to_scale.
apply: (@eq_sums_to _ _ (fun z => \sum_j l i (T j) * (U i z * (clamp n z == j)%:R))) => [z|].
  rewrite (bigD1 (clamp n z) isT) /= eqxx mulr1 big1 ?addr0; first exact: mulrC.
  by move=> j /negPf; rewrite eq_sym => ->; rewrite !mulr0.
under [X in sums_to _ X]eq_bigr => j _ do rewrite mulrC.
apply: (@sums_to_sum R _ 'I_n.+1 _ xpredT (fun j z => l i (T j) * (U i z * (clamp n z == j)%:R))) => j _.
apply: sums_to_scale. exact: G_sum.
Qed.

(* Ghosh and others' theorem: counting queries, every prior, every loss that is monotone in |i - r|.  Guesses  *)
(* r are any integers.  One order-preserving remap T serves the range-restricted mechanism and, after clamping, *)
(* the unbounded one; both lose v, and no private rival, with outputs from any set, loses less.                *)
Theorem unbounded_optimality (R : archiFieldType) (n : nat) (a : R) (l : 'I_n.+1 -> int -> R) (w : 'I_n.+1 -> R) :
  0 < a -> a < 1 -> (forall i, 0 <= w i) ->
  (forall (i : 'I_n.+1) r s, (`|(i : nat)%:Z - r| <= `|(i : nat)%:Z - s|)%N -> l i r <= l i s) ->
  exists (T : 'I_n.+1 -> 'I_n.+1) (v : R),
  [/\ forall i j : 'I_n.+1, (i <= j)%N -> (T i <= T j)%N,
      sums_to (cost_at w l (geometric n a) (fun j => (T j : nat)%:Z)) v,
      sums_to (cost_at w l (fun i : 'I_n.+1 => unbounded a (i : nat)%:Z) (fun z => (T (clamp n z) : nat)%:Z)) v &
      forall (Z : eqType) (X : 'I_n.+1 -> Z -> R) (g : Z -> int),
        (forall i, law (X i)) -> private_laws (fun i j => line i j) a X ->
        sums_above (cost_at w l X g) v /\ forall u, sums_to (cost_at w l X g) u -> v <= u].
Proof.
move=> a_gt0 a_lt1 w_ge0 l_mono; pose L : 'M[R]_n.+1 := \matrix_(i, r) l i (r : nat)%:Z.
have L_mono : monotone_loss L by move=> i r s rs; rewrite !mxE; apply: l_mono; rewrite !absz_pos.
have L_crossing := monotone_single_crossing L_mono.
have [T T_best T_mono] := best_response_nondecreasing a_gt0 a_lt1 L_crossing w_ge0.
exists T, (bayes_loss w L (geometric n a *m remap R T)); split=> //.
- apply/sums_to_finite; rewrite /bayes_loss exchange_big; apply: eq_bigr => i _.
  by rewrite loss_remap mulr_sumr; apply: eq_bigr => j _; rewrite [L _ _]mxE.
- apply: (@eq_sums_to _ _ (cost_at w L (fun i : 'I_n.+1 => unbounded a (i : nat)%:Z) (fun z => T (clamp n z)))).
    by move=> z; apply: eq_bigr => i _; rewrite [L _ _]mxE.
  exact: unbounded_loss.
move=> Z X g X_law X_priv.
have above : sums_above (cost_at w l X g) (bayes_loss w L (geometric n a *m remap R T)).
  apply: sums_above_le (rival_loss a_gt0 a_lt1 L_crossing w_ge0 (fun z => clamp n (g z)) T_best X_law X_priv) => z.
  apply: ler_sum => i _; rewrite ler_wpmul2l // ler_wpmul2l //; first by have [] := X_law i.
  by rewrite mxE; apply: l_mono; rewrite [leqRHS]distnC (clamp_distance i (g z)) absz_pos leq_addr.
by split=> // u; exact: sums_above_limit.
Qed.
