(* SPDX-License-Identifier: MIT *)
(* The algebra of the paper's own proof of Theorem 1 (Section 4.2), equations (2) to (4) and the last chain.  *)
(*                                                                                                            *)
(*   equation2   a violated triple has both outer entries above a times the middle one                        *)
(*   equation3   the violated condition moves to the column k of Lemma 5                                      *)
(*   equation4   the sums a, c left and right of column k                                                     *)
(*   last_chain  the value of the third row's sum, and that it is above 1                                     *)
(*                                                                                                            *)
(* The proof of universal optimality in Universal.v and Minimax.v does not use them: it is another proof.     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PaperProof.
Variables (R : realFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

(* (2): x, y, z are x_ij, x_(i+1)j, x_(i+2)j of a private mechanism. *)
Theorem equation2 (x y z : R) : a * z <= y -> a * x <= y -> (1 + a ^+ 2) * y - a * (x + z) < 0 ->
  a * y < x /\ a * y < z.
Proof.
move=> az ax violated; split; rewrite -(ltr_pmul2l a_gt0) -subr_gt0.
  have : 0 < (y - a * z) - ((1 + a ^+ 2) * y - a * (x + z)).
    by rewrite subr_gt0 (lt_le_trans violated) // subr_ge0.
  by congr (_ < _); by_ring R.
have : 0 < (y - a * x) - ((1 + a ^+ 2) * y - a * (x + z)).
  by rewrite subr_gt0 (lt_le_trans violated) // subr_ge0.
by congr (_ < _); by_ring R.
Qed.

(* (3) for a column k other than that of (2).  There rows i + 1 and i + 2 satisfy a b2 = b1.  The paper says  *)
(* "by privacy b >= a b1", which gives only <=; the choice of k gives b > a b1: by definition if k is the free *)
(* column, and otherwise from b1 = a b with b > 0.                                                            *)
Theorem equation3 (b b1 b2 : R) : a * b2 = b1 -> a * b1 < b -> (1 + a ^+ 2) * b1 - a * (b + b2) < 0.
Proof.
move=> b2E b_gt.
have -> : (1 + a ^+ 2) * b1 - a * (b + b2) = - (a * (b - a * b1)) by rewrite -b2E; by_ring R.
by rewrite oppr_lt0 mulr_gt0 // subr_gt0.
Qed.

(* (4): A, C are the sums of row i left and right of column k, which has b in row i and b1 in row i + 1. *)
Theorem equation4 (A C b b1 : R) : A + b + C = 1 -> a * A + b1 + C / a = 1 ->
  A = (1 - b - a + b1 * a) / (1 - a ^+ 2) /\ C = (a - a ^+ 2 + b * a ^+ 2 - b1 * a) / (1 - a ^+ 2).
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
have c_neq0 : 1 - a ^+ 2 != 0 by rewrite gt_eqF // subr_gt0 expr_lt1 // ltW.
move=> sum0 sum1; have {}sum1 : a ^+ 2 * A + a * b1 + C = a.
  by rewrite -[RHS]mulr1 -sum1; by_field R; apply/eqP.
have -> : C = 1 - A - b by rewrite -sum0; by_ring R.
have A_def : A * (1 - a ^+ 2) = 1 - b - a + b1 * a.
  have -> : A * (1 - a ^+ 2) = (A + b + C) - b + a * b1 - (a ^+ 2 * A + a * b1 + C) by by_ring R.
  by rewrite sum0 sum1; by_ring R.
have -> : A = (1 - b - a + b1 * a) / (1 - a ^+ 2) by rewrite -A_def mulfK.
by split=> //; by_field R; apply/eqP.
Qed.

(* The last chain: row i + 2 sums to at least a^2 A + b2 + C / a^2, which is more than 1. *)
Theorem last_chain (A C b b1 b2 : R) : A + b + C = 1 -> a * A + b1 + C / a = 1 ->
  a ^+ 2 * A + b2 + C / a ^+ 2 = (1 - a + a ^+ 2) / a + ((b + b2) * a - b1 * (1 + a ^+ 2)) / a /\
  ((1 + a ^+ 2) * b1 - a * (b + b2) < 0 -> 1 < a ^+ 2 * A + b2 + C / a ^+ 2).
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
have c_neq0 : 1 - a ^+ 2 != 0 by rewrite gt_eqF // subr_gt0 expr_lt1 // ltW.
move=> sum0 sum1; have [-> ->] := equation4 sum0 sum1.
have value : a ^+ 2 * ((1 - b - a + b1 * a) / (1 - a ^+ 2)) + b2
    + (a - a ^+ 2 + b * a ^+ 2 - b1 * a) / (1 - a ^+ 2) / a ^+ 2
    = (1 - a + a ^+ 2) / a + ((b + b2) * a - b1 * (1 + a ^+ 2)) / a.
  by by_field R; split; apply/eqP.
split=> // violated; rewrite value -mulrDl ltr_pdivl_mulr // mul1r -subr_gt0.
have : 0 < (1 - a) ^+ 2 - ((1 + a ^+ 2) * b1 - a * (b + b2)).
  by rewrite subr_gt0 (lt_le_trans violated) // sqr_ge0.
by congr (_ < _); by_ring R.
Qed.

End PaperProof.
