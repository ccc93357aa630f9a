(* SPDX-License-Identifier: MIT *)
(* Theorem 23: for every metric on finitely many inputs both capacities of the type exist, and kernel         *)
(* mechanisms attain them.                                                                                    *)
(*                                                                                                            *)
(* KernelOptimality.v finds the kernel mechanisms among those with finitely many numbered outputs; any other  *)
(* mechanism has the capacity of one whose outputs are the inputs (Merging.v).                                *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Channels Refinement Kernels KernelOptimality.
From ExactDP Require Import Extremes Leakage PrivacyTypes Merging Capacities OptimalCapacity.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Exist.
Variables (R : realFieldType) (n : nat) (Phi : 'I_n.+1 -> 'I_n.+1 -> R).
Hypothesis Phi_sim : similarity Phi.

Lemma column_maxE m (M : 'M[R]_(n.+1, m)) j : column_max M j = largest (fun i => M i j).
Proof.
rewrite /column_max minimum_smallest opprK.
by apply: eq_largest => i; rewrite opprK.
Qed.

Lemma column_minE m (M : 'M[R]_(n.+1, m)) j : column_min M j = smallest (fun i => M i j).
Proof. exact: minimum_smallest. Qed.

Theorem multiplicative_type_capacity : exists q (K : 'M[R]_(n.+1, q)),
  kernel Phi K /\ attains_multiplicative Phi K (multiplicative_capacity K).
Proof.
have [q [K [K_kernel K_max]]] := theorem23_max (fun i j => similarity_le1 i j Phi_sim).
exists q, K; split=> //; split=> //; first exact: vertex_of_type (proj1 K_kernel).
move=> Z N /(theorem25 ord0)[[N' [N'_mech <- _]] _]; have := K_max _ _ (as_matrix N'_mech).
under eq_bigr => y _ do rewrite column_maxE; under [leRHS]eq_bigr => y _ do rewrite column_maxE.
apply: le_trans; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => y _; apply: eq_largest => x; rewrite mxE.
Qed.

Theorem additive_type_capacity : exists q (K : 'M[R]_(n.+1, q)),
  kernel Phi K /\ attains_additive Phi K (additive_capacity K).
Proof.
have [q [K [K_kernel K_min]]] := theorem23_min (fun i j => similarity_le1 i j Phi_sim).
exists q, K; split=> //; split=> //; first exact: vertex_of_type (proj1 K_kernel).
move=> Z N /(theorem25 ord0)[_ [N' [N'_mech <- _]]]; have := K_min _ _ (as_matrix N'_mech).
under eq_bigr => y _ do rewrite column_minE; under [leRHS]eq_bigr => y _ do rewrite column_minE.
move=> K_le; rewrite ler_add2l ler_opp2; apply: le_trans K_le _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => y _; congr (- _); apply: eq_largest => x; rewrite mxE.
Qed.

End Exist.
