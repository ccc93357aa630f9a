(* SPDX-License-Identifier: MIT *)
(* Theorem 1 of the paper in one statement, for all n, all levels, all coalitions and all minimax consumers.  *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import Mechanism PostProcessing Geometric Levels Release Losses Minimax.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Given levels a = a_0 <= a_1 <= ... in (0, 1), there are stages Ts, the same for all consumers, with        *)
(*  1. collusion resistance: what a coalition C sees together is private at the level of its least member c;  *)
(*  2. result c is a mechanism M (its law given the true result), private at level a_c, such that a minimax   *)
(*     consumer with any monotone loss l and any side information S has an interaction T with M whose loss    *)
(*     on S is at most that of any mechanism X that is private at level a_c.                                  *)
Theorem theorem1 (R : realFieldType) (n : nat) (a : R) (levels : seq R) : rising a levels ->
  exists Ts : seq 'M[R]_n.+1, [/\ size Ts = (size levels).+1, {in Ts, forall T, stochastic T},
    forall (c : nat) (C : seq nat) (r0 : 'I_n.+1) (g : seq 'I_n.+1 -> R) (i j : 'I_n.+1),
      (c <= size levels)%N -> all (leq c) C -> (forall rs, 0 <= g rs) -> line i j ->
      nth 0 (a :: levels) c * expect j Ts (fun rs => g [seq nth r0 rs k | k <- C])
      <= expect i Ts (fun rs => g [seq nth r0 rs k | k <- C])
  & forall c, (c <= size levels)%N -> exists M : 'M[R]_n.+1,
      [/\ forall (i r0 : 'I_n.+1) g, expect i Ts (fun rs => g (nth r0 rs c)) = \sum_s M i s * g s,
          stochastic M /\ private (nth 0 (a :: levels) c) M
        & forall m (l : 'M[R]_(n.+1, m.+1)) (S : {set 'I_n.+1}), monotone_loss l ->
          exists2 T, stochastic T & forall X, stochastic X -> private (nth 0 (a :: levels) c) X ->
            forall v, worst_loss_le S l X v -> worst_loss_le S l (M *m T) v]].
Proof.
move=> lv; exists (algorithm1 n a levels); split.
- exact: size_algorithm1.
- exact: algorithm1_stochastic.
- by move=> c C r0 g i j c_le C_ge g_ge0 ij; exact: theorem1_part1.
move=> c c_le; have [c_gt0 c_lt1] := level_range lv c_le.
exists (geometric n (nth 0 (a :: levels) c)); split.
- by move=> i r0 g; exact: algorithm1_law.
- by split; [exact: geometric_stochastic | exact: geometric_private].
- by move=> m l S /monotone_single_crossing l_crossing; exact: minimax_optimality.
Qed.
