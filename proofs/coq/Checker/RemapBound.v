(* SPDX-License-Identifier: MIT *)
(* The remap rule (SPEC, section 4.3), decided on integers: a lower bound of the loss after every remap.      *)
(*                                                                                                            *)
(*   remap_bound      sum_y min_r sum_i w_i l_ir M_iy is a given number              (remap_boundP)           *)
(*   remap_solves     a remap is stochastic, and after it the loss is a given number (remap_solvesP)          *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Meaning Tables Privacy Derivable Optimal.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The loss is a score to be kept small: all signs are turned. *)
Definition turned_losses (p : nat) (L : integers) (w : vector) : integers :=
  Integers 1 [seq scale_row (- at_index (terms w) i) (line_of L i) | i <- iota 0 p].

Definition remap_bound (p q m : nat) (M L : integers) (w : vector) (v : Q) : bool :=
  let scores := scores_of q M (turned_losses p L w) in
  bounded p m M scores &&
  equals (- sum_Z (bounds_of m scores)) (Zpos (unit w) * scaling L * scaling M)%Z v.

Definition remap_solves (p q m : nat) (c : consumer) (L M T : integers) (v : Q) : bool :=
  [&& (0 <? scaling T)%Z, is_stochastic q m T & has_loss p m c L (times M T) v].

Section RemapBound.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma turned_lossesE p m L w (l X : 'M[R]_(p, m)) : represents L l ->
  \sum_(x < p) \sum_(r < m) of_Z (at_index (line_of (turned_losses p L w) x) r) * X x r
  = - (of_Z (Zpos (unit w)) * of_Z (scaling L)) * bayes_loss (fun i => vector_entry R w i) l X.
Proof.
move=> [L_gt0 l_L]; have w_gt0 := of_Z_pos R (unit w).
rewrite /bayes_loss mulr_sumr; apply: eq_bigr => i _; rewrite /loss_at !mulr_sumr; apply: eq_bigr => r _.
rewrite /line_of (nth_map 0%N) ?size_iota // nth_iota // add0n at_scale of_ZM of_ZN l_L /vector_entry.
move: (of_Z (scaling L)) L_gt0 (of_Z (Zpos (unit w))) w_gt0 (X i r) => k1 k1_gt0 k2 k2_gt0 z.
by rewrite /line_of; by_field R; split; apply/eqP; rewrite gt_eqF.
Qed.

Theorem remap_boundP p q m c d M L w v (X : 'M[R]_(p, q)) :
  represents M X -> represents L (matrix_of R p m (content (loss_of c))) -> weights_for p c d = Some w ->
  remap_bound p q m M L w v -> none_below_remap m X c (of_Q v).
Proof.
move=> X_M l_L w_for /andP[bounds_ok v_ok] T T_st u X_le; have [L_gt0 _] := l_L.
apply: le_trans (weights_forP w_for X_le); have [M_gt0 _] := X_M.
have w_gt0 := of_Z_pos R (unit w); have D_gt0 : 0 < of_Z (Zpos (unit w)) * of_Z (scaling L) by rewrite mulr_gt0.
rewrite -(equalsP _ v_ok); last by rewrite !of_ZM !mulr_gt0.
rewrite !of_ZM; set bound := sum_Z _.
have := scores_le X_M bounds_ok T_st; rewrite -/bound.
rewrite (turned_lossesE _ _ l_L).
rewrite mulNr ler_oppl => bound_le; have M_neq0 : of_Z (scaling M) != 0 by rewrite gt_eqF.
rewrite invfM [_^-1 * _^-1]mulrC mulrA ler_pdivr_mulr // of_ZN mulNr [leRHS]mulrC; exact: bound_le.
Qed.

Theorem remap_solvesP p q m c L M T v (X : 'M[R]_(p, q)) :
  represents M X -> is_stochastic p q M -> represents L (matrix_of R p m (content (loss_of c))) ->
  (forall Y : 'M[R]_(q, m), represents T Y -> remap_solves p q m c L M T v ->
     stochastic Y /\ loss_is c (X *m Y) (of_Q v)).
Proof.
move=> X_M M_st l_L Y Y_T /and3P[_ T_st T_loss]; split; first exact: stochasticP T_st.
by apply: has_lossP T_loss => //; apply: timesP => // i; exact: stochastic_below M_st.
Qed.

End RemapBound.
