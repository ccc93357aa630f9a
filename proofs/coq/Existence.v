(* SPDX-License-Identifier: MIT *)
(* Theorem 19 of Fernandes and others, with all that it says of the loss.                                     *)
(*                                                                                                            *)
(*   two_guesses_monotone   [w <> x] with any of the inputs as guesses is monotone in every metric: 0 at 0,   *)
(*                          1 from the least distance on                                                      *)
(*   theorem19_monotone     so every privacy type on two or more inputs has a monotone loss that is not       *)
(*                          trivial, and a universally optimal mechanism for it                               *)
(*   some_kernel_nontrivial so has some kernel mechanism in its utility set (before Section 5.6)              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Channels Rays Kernels KernelOptimality Simplicial Restriction Definition9.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Existence.
Variables (R : realFieldType) (p : nat).

Theorem two_guesses_monotone (d : 'I_p -> 'I_p -> R) (W : finType) (f : W -> 'I_p) : distance_function d -> (1 < p)%N ->
  injective f -> monotone_in d (fun i r => (i != f r)%:R).
Proof.
move=> [d0 d_gt0 d_sym _] p_gt1 f_inj; pose apart (xy : 'I_p * 'I_p) := xy.1 != xy.2.
have apart0 : apart (Ordinal (ltnW p_gt1), Ordinal p_gt1) by [].
case: (@arg_minP _ _ _ _ apart (fun xy => d xy.1 xy.2) apart0) => -[x1 x2] /= x12 nearest.
exists (fun t : R => (d x1 x2 <= t)%R%:R), f; split=> // [s t st|x w].
  by rewrite ler_nat; case: (leP (d x1 x2) s) => // /le_trans/(_ st) ->.
congr (_%:R); have [->|xw] := eqVneq x (f w); first by rewrite d0 leNgt d_gt0.
by rewrite [d (f w) x]d_sym; have /= -> := nearest (x, f w) xw.
Qed.

Theorem theorem19_monotone (e d : 'I_p -> 'I_p -> R) : metric_level e -> distance_function d -> (1 < p)%N ->
  exists (l : 'I_p -> 'I_2 -> R) (M : 'M[R]_(p, 2)),
    [/\ monotone_in d l, ~ trivial_loss l & universally_optimal e ord0 l M].
Proof.
move=> e_metric d_metric p_gt1; have [f [M [f_inj M_opt]]] := theorem19 e_metric p_gt1.
exists (fun i r => (i != f r)%:R), M; split=> //; first exact: two_guesses_monotone.
have f01 : f ord0 != f ord_max by rewrite inj_eq.
move=> [r r_best]; have := r_best (f ord0) ord0; have := r_best (f ord_max) ord_max.
rewrite !eqxx /= !(ler_nat _ _ 0) !leqn0 !eqb0 !negbK => /eqP e1 /eqP e0.
by move: f01; rewrite e0 e1 eqxx.
Qed.

(* With Corollary 16 the mechanism may be taken to be a kernel mechanism. *)
Corollary some_kernel_nontrivial (e d : 'I_p -> 'I_p -> R) : metric_level e -> distance_function d -> (1 < p)%N ->
  exists (l : 'I_p -> 'I_2 -> R) q (K : 'M[R]_(p, q)),
    [/\ monotone_in d l, ~ trivial_loss l, kernel e K & universally_optimal e ord0 l K].
Proof.
move=> e_metric d_metric p_gt1; have [l [M [l_mono l_nontrivial M_opt]]] := theorem19_monotone e_metric d_metric p_gt1.
by have [q [K [K_kernel K_opt]]] := corollary16 M_opt; exists l, q, K.
Qed.

End Existence.
