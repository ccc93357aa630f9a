(* SPDX-License-Identifier: MIT *)
(* For every metric: a mechanism Phi diag(z) with z > 0 is a kernel mechanism, if Phi is not singular.        *)
(*                                                                                                            *)
(*   tight_column   a multiple of a column of Phi lies between no two other private vectors                   *)
(*   tight_kernel   so when all weights z of Capacities.v are positive, the mechanism that attains the        *)
(*                  multiplicative capacity is a kernel mechanism                                             *)
(*                                                                                                            *)
(* Proof.  The column of u has v_i = Phi(i,u) v_u.  If v = x + y with private x, y, then both have this       *)
(* equality for every i, since none may be on the other side of it; so x is a multiple of v.                  *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Refinement Rays Kernels.
From ExactDP Require Import Extremes Leakage PrivacyTypes Capacities.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Tight.
Variables (R : realFieldType) (p : nat) (Phi : 'I_p -> 'I_p -> R).
Hypothesis Phi_sim : similarity Phi.

Lemma tight_column c u : 0 < c -> ray Phi (fun i => Phi i u * c).
Proof.
have [Phi_gt0 Phi_sym Phi1 Phi_tri] := Phi_sim; move=> c_gt0; split.
- split=> [i|i j]; first by rewrite mulr_ge0 // ltW.
  by rewrite mulrA ler_wpmul2r // ltW.
- by exists u; rewrite Phi1 mul1r gt_eqF.
move=> x y [x_ge0 x_priv] [y_ge0 y_priv] xy; exists (x u / c) => i.
have x_i : x i = Phi i u * x u.
  apply/eqP; rewrite eq_le x_priv andbT -(ler_add2r (y i)) -xy.
  have -> : Phi i u * c = Phi i u * (x u + y u) by rewrite -xy Phi1 mul1r.
  by rewrite mulrDr ler_add2l.
by rewrite x_i mulrCA divfK ?gt_eqF.
Qed.

Theorem tight_kernel (z : 'I_p -> R) (M : 'M[R]_p) : (forall u, 0 < z u) -> weighting Phi z ->
  (forall i u, M i u = scaled Phi z i u) ->
  (forall c : 'I_p -> R, (forall i, \sum_u Phi i u * c u = 0) -> forall u, c u = 0) ->
  of_type Phi M /\ kernel Phi M.
Proof.
have [Phi_gt0 Phi_sym Phi1 Phi_tri] := Phi_sim.
move=> z_gt0 [z_ge0 z_sum] ME Phi_inj; have M_st : stochastic M.
  split=> [i u|i]; first by rewrite ME /scaled mulr_ge0 // ltW.
  by rewrite -(z_sum i); apply: eq_bigr => u _; rewrite ME.
split; first by split=> // i j u; rewrite !ME /scaled mulrA ler_wpmul2r.
split; first split=> // u _.
  have [[priv_ge0 priv_le] [i i_neq0] between] := tight_column u (z_gt0 u); split.
  - by split=> [j|j k]; rewrite !ME; [exact: priv_ge0 | exact: priv_le].
  - by exists i; rewrite ME.
  - move=> x y x_priv y_priv xy; have [j|c xc] := between x y x_priv y_priv; first by rewrite -xy ME.
    by exists c => j; rewrite ME -xc.
move=> c _ c0 u; have : c u * z u = 0.
  apply: (Phi_inj (fun u => c u * z u)) => i; rewrite -[RHS](c0 i).
  by apply: eq_bigr => v _; rewrite ME /scaled mulrCA.
by move/eqP; rewrite mulf_eq0 [z u == 0]gt_eqF // orbF => /eqP.
Qed.

End Tight.
