(* SPDX-License-Identifier: MIT *)
(* The paper's own proof of Theorem 1, part 2 (Section 4.2): equations (2) to (4) and the last display.       *)
(*                                                                                                            *)
(* The algebra of each display, for numbers:                                                                  *)
(*   equation2   a violated triple has both outer entries above a times the middle one                        *)
(*   equation3   the violated condition moves to the column k of Lemma 5                                      *)
(*   equation4   the sums a, c left and right of column k                                                     *)
(*   last_chain  the value of the third row's sum, and that it is above 1                                     *)
(* The displays for a matrix X with Lemma 5's pattern:                                                        *)
(*   display2           if X is not derivable from G, (2) holds in three rows of a column                     *)
(*   singled_out        the paper's column k                                                                  *)
(*   singled_out_exists, between_unique   there is such a column, and at most one is strictly between         *)
(*   display3           j <= k, and (3)                                                                       *)
(*   last_display       the comparison of the third row with the first, and that it sums to more than 1       *)
(*   pattern_derivable  so a mechanism with the pattern is derivable from G                                   *)
(*   paper_theorem1     every minimax consumer has an optimal mechanism with the pattern, and it is G T       *)
(*                                                                                                            *)
(* Universal.v and Minimax.v prove universal optimality in another way; nothing there uses this file.         *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric Derivability.
From ExactDP Require Import OptimalMechanisms LemmaFive.

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

(* The expression between the two, as printed. *)
Theorem last_chain_middle (A C b b1 b2 : R) : A + b + C = 1 -> a * A + b1 + C / a = 1 ->
  a ^+ 2 * A + b2 + C / a ^+ 2 =
  (a ^+ 3 - b * a ^+ 3 - a ^+ 4 + b1 * a ^+ 4 + b2 * a - b2 * a ^+ 3 + 1 - a - b1 + b * a) / (a * (1 - a ^+ 2)).
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
have c_neq0 : 1 - a ^+ 2 != 0 by rewrite gt_eqF // subr_gt0 expr_lt1 // ltW.
move=> sum0 sum1; have [-> ->] := equation4 sum0 sum1.
by by_field R; split; apply/eqP.
Qed.

End PaperProof.

(* The same for three consecutive rows of a matrix. *)
Section Displays.
Variables (R : realFieldType) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Variable X : 'M[R]_(n.+1, m).
Add Field R_field : (field_theory_of R).

(* (2), and (3) with k for j: rows x, y, z violate the condition of Theorem 2 in a column. *)
Definition violated (x y z : 'I_n.+1) (j : 'I_m) := (1 + a ^+ 2) * X y j - a * (X x j + X z j) < 0.

Lemma violatedP (x y z : 'I_n.+1) j : X y j - a * X x j < a * (X z j - a * X y j) -> violated x y z j.
Proof. by rewrite -subr_lt0 /violated; congr (_ < _); by_ring R. Qed.

Theorem display2 : stochastic X -> private a X -> ~ derivable (geometric n a) X ->
  exists (x y z : 'I_n.+1) (j : 'I_m), [/\ y = x.+1 :> nat, z = y.+1 :> nat, violated x y z j,
    a * X y j < X x j & a * X y j < X z j].
Proof.
move=> X_st X_priv not_derivable.
have [[[[x y] z] j]|none] := pickP (fun v : 'I_n.+1 * 'I_n.+1 * 'I_n.+1 * 'I_m =>
    [&& v.1.1.2 == v.1.1.1.+1 :> nat, v.1.2 == v.1.1.2.+1 :> nat &
      (1 + a ^+ 2) * X v.1.1.2 v.2 - a * (X v.1.1.1 v.2 + X v.1.2 v.2) < 0]).
  move=> /and3P[/= /eqP xy /eqP yz viol]; exists x, y, z, j.
  have y_z : a * X z j <= X y j by apply: X_priv; rewrite /line yz eqxx.
  have y_x : a * X x j <= X y j by apply: X_priv; rewrite /line xy eqxx orbT.
  by have [outer1 outer2] := equation2 a_gt0 y_z y_x viol.
case: not_derivable; apply/(theorem2 a_gt0 a_lt1 (proj2 X_st) X_st X_priv) => x y z j xy yz.
rewrite leNgt; apply/negP => /violatedP viol; have := none (x, y, z, j).
by rewrite /= yz xy !eqxx /= -/(violated x y z j) viol.
Qed.

Variables (x y z : 'I_n.+1).
Hypotheses (xy : y = x.+1 :> nat) (yz : z = y.+1 :> nat).
Hypotheses (X_ge0 : forall i r, 0 <= X i r) (X_priv : private a X) (X_pat : pattern a X).

(* Column r is strictly between the two kinds in the rows x, y. *)
Definition between (r : 'I_m) := (a * X x r < X y r) && (a * X y r < X x r).

(* The paper's column k: the one strictly between, and if there is none, the last column of the first kind    *)
(* that is not a column of zeros.                                                                             *)
Definition singled_out (k : 'I_m) := between k \/
  [/\ forall r, ~~ between r, a * X x k = X y k, 0 < X x k &
    forall r : 'I_m, a * X x r = X y r -> 0 < X x r -> (r <= k)%N].

Lemma row_up r : a * X x r <= X y r. Proof. by apply: X_priv; rewrite /line xy eqxx orbT. Qed.
Lemma row_down r : a * X y r <= X x r. Proof. by apply: X_priv; rewrite /line xy eqxx. Qed.
Lemma next_up r : a * X y r <= X z r. Proof. by apply: X_priv; rewrite /line yz eqxx orbT. Qed.
Lemma next_down r : a * X z r <= X y r. Proof. by apply: X_priv; rewrite /line yz eqxx. Qed.

Lemma outer j : violated x y z j -> a * X y j < X x j /\ a * X y j < X z j.
Proof. by apply: equation2 => //; [exact: next_down | exact: row_up]. Qed.

(* If not strictly between and not of the last kind, a column is of the first kind. *)
Lemma first_unless r : a * X y r < X x r -> ~~ between r -> a * X x r = X y r.
Proof. by rewrite /between => -> ; rewrite andbT -leNgt => le; apply/eqP; rewrite eq_le row_up le. Qed.

Lemma between_unique r s : between r -> between s -> r = s.
Proof.
have no (i j : 'I_m) : (i < j)%N -> between i -> between j -> False.
  move=> ij /andP[i1 _] /andP[_ j2]; have [i_first|j_last] := proj1 (patternP a X) X_pat x y i j xy ij.
    by rewrite i_first ltxx in i1.
  by rewrite -j_last ltxx in j2.
move=> r_b s_b; apply/val_inj => /=; case: (ltngtP r s) => // order; first by case: (no r s).
by case: (no s r).
Qed.

Theorem singled_out_exists j : violated x y z j -> exists k, singled_out k.
Proof.
move=> /outer[j_x _]; have [k k_b|none] := pickP between; first by exists k; left.
have none' r : ~~ between r by rewrite none.
pose P r := (a * X x r == X y r) && (0 < X x r).
have Pj : P j.
  rewrite /P (first_unless j_x (none' j)) eqxx; apply: le_lt_trans j_x.
  by rewrite mulr_ge0 // ltW.
case: (@arg_maxnP _ j P (fun r => r : nat) Pj) => k /andP[/eqP k_first k_gt0] k_last.
by exists k; right; split=> // r r_first r_gt0; apply: k_last; rewrite /P r_first eqxx.
Qed.

(* Columns before k are of the first kind, those after k of the last kind. *)
Lemma before_first (k l : 'I_m) : singled_out k -> (l < k)%N -> a * X x l = X y l.
Proof.
move=> k_out lk; case: (proj1 (patternP a X) X_pat x y l k xy lk) => // k_last.
case: k_out => [/andP[_]|[_ k_first k_gt0 _]]; first by rewrite -k_last ltxx.
have : X x k < X x k by rewrite {1}k_last -k_first mulrA gtr_pmull // mulr_ilt1 // ltW.
by rewrite ltxx.
Qed.

Lemma after_last (k l : 'I_m) : singled_out k -> (k < l)%N -> X x l = a * X y l.
Proof.
move=> k_out kl; case: k_out => [k_b|[none k_first k_gt0 k_max]].
  case: (proj1 (patternP a X) X_pat x y k l xy kl) => // k_first.
  by case/andP: k_b; rewrite k_first ltxx.
apply/eqP; rewrite eq_le row_down andbT leNgt; apply/negP => l_x.
have l_first := first_unless l_x (none l).
have : (l <= k)%N by apply: k_max => //; apply: le_lt_trans l_x; rewrite mulr_ge0 // ltW.
by rewrite leqNgt kl.
Qed.

(* (3), with the reason as repaired: a b2 = b1 and b > a b1 if k is not j. *)
Theorem display3 (j k : 'I_m) : violated x y z j -> singled_out k ->
  [/\ (j <= k)%N, violated x y z k & (j < k)%N -> a * X z k = X y k /\ a * X y k < X x k].
Proof.
move=> viol k_out; have [j_x j_z] := outer viol.
have jk : (j <= k)%N.
  by rewrite leqNgt; apply/negP => kj; move: j_x; rewrite (after_last k_out kj) ltxx.
have reason : (j < k)%N -> a * X z k = X y k /\ a * X y k < X x k.
  move=> j_lt; split.
    case: (proj1 (patternP a X) X_pat y z j k yz j_lt) => // j_first.
    by move: j_z; rewrite j_first ltxx.
  case: k_out => [/andP[]//|[_ <- k_gt0 _]].
  by rewrite mulrA gtr_pmull // mulr_ilt1 // ltW.
split=> //; move: jk; rewrite leq_eqVlt => /orP[/eqP/val_inj <- //|/reason[k_z k_x]].
exact: equation3.
Qed.

(* The sums of row x before and after column k, the paper's a and c. *)
Definition sum_before (k : 'I_m) : R := \sum_(l < m | (l < k)%N) X x l.
Definition sum_after (k : 'I_m) : R := \sum_(l < m | (k < l)%N) X x l.

Lemma sum_split (F : 'I_m -> R) (k : 'I_m) :
  \sum_l F l = \sum_(l < m | (l < k)%N) F l + F k + \sum_(l < m | (k < l)%N) F l.
Proof.
rewrite (bigID (fun l : 'I_m => (l < k)%N)) /= -addrA; congr (_ + _).
rewrite (bigD1 k) /= ?ltnn //; congr (_ + _); apply: eq_bigl => l.
by rewrite -leqNgt ltn_neqAle andbC eq_sym.
Qed.

(* The second row, and the first step of the last display. *)
Theorem rows_compared (j k : 'I_m) : violated x y z j -> singled_out k ->
  \sum_l X y l = a * sum_before k + X y k + sum_after k / a /\
  a ^+ 2 * sum_before k + X z k + sum_after k / a ^+ 2 <= \sum_l X z l.
Proof.
move=> viol k_out; have a_neq0 : a != 0 by rewrite gt_eqF.
have [jk _ _] := display3 viol k_out; have [_ j_z] := outer viol.
rewrite (sum_split (X y) k) (sum_split (X z) k) /sum_before /sum_after; split.
  rewrite mulr_sumr mulr_suml; congr (_ + _ + _); apply: eq_bigr => l.
    by move=> lk; rewrite (before_first k_out lk).
  by move=> kl; rewrite (after_last k_out kl) mulrAC divff ?mul1r.
rewrite mulr_sumr mulr_suml !ler_add // ?ler_sum // => l.
  by move=> lk; rewrite expr2 -mulrA (before_first k_out lk) next_up.
move=> kl; rewrite (after_last k_out kl).
case: (proj1 (patternP a X) X_pat y z j l yz (leq_ltn_trans jk kl)) => [j_first|->].
  by move: j_z; rewrite j_first ltxx.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (X z l) => w; by_field R; apply/eqP.
Qed.

(* The last display: the third row would sum to more than 1. *)
Theorem last_display (j k : 'I_m) (A := sum_before k) (C := sum_after k) : violated x y z j -> singled_out k ->
  \sum_l X x l = 1 -> \sum_l X y l = 1 ->
  [/\ a ^+ 2 * A + X z k + C / a ^+ 2 <= \sum_l X z l,
    a ^+ 2 * A + X z k + C / a ^+ 2 = (1 - a + a ^+ 2) / a + ((X x k + X z k) * a - X y k * (1 + a ^+ 2)) / a,
    1 <= (1 - a + a ^+ 2) / a, 0 < ((X x k + X z k) * a - X y k * (1 + a ^+ 2)) / a & 1 < \sum_l X z l].
Proof.
move=> viol k_out x_sum1 y_sum1; have [y_sum z_ge] := rows_compared viol k_out.
have [_ viol_k _] := display3 viol k_out.
have sum0 : A + X x k + C = 1 by rewrite -x_sum1 (sum_split (X x) k).
have sum1 : a * A + X y k + C / a = 1 by rewrite -y_sum1 y_sum.
have [value more] := last_chain a_gt0 a_lt1 (X z k) sum0 sum1; split=> //.
- rewrite ler_pdivl_mulr // mul1r -subr_ge0; apply: le_trans (sqr_ge0 (1 - a)) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
- rewrite divr_gt0 // -oppr_lt0; move: viol_k; rewrite /violated; congr (_ < _); by_ring R.
- exact: lt_le_trans (more viol_k) z_ge.
Qed.

End Displays.

(* The contradiction of the paper's proof: an optimal mechanism that satisfies Lemma 5 is derivable, because  *)
(* otherwise its row z would sum to more than 1.                                                              *)
Theorem pattern_derivable (R : realFieldType) n m (a : R) (X : 'M[R]_(n.+1, m)) : 0 < a -> a < 1 ->
  stochastic X -> private a X -> pattern a X -> derivable (geometric n a) X.
Proof.
move=> a_gt0 a_lt1 X_st X_priv X_pat; have [X_ge0 X_sum1] := X_st.
apply/(theorem2 a_gt0 a_lt1 X_sum1 X_st X_priv) => x y z j xy yz.
rewrite leNgt; apply/negP => /violatedP viol.
have [k k_out] := singled_out_exists a_gt0 xy yz X_ge0 X_priv viol.
have [_ _ _ _] := last_display a_gt0 a_lt1 xy yz X_ge0 X_priv X_pat viol k_out (X_sum1 x) (X_sum1 y).
by rewrite X_sum1 ltxx.
Qed.

(* Theorem 1, part 2, by the paper's own proof: for each minimax consumer an interaction T with G yields an   *)
(* optimal mechanism; it has the pattern of Lemma 5, and the supports of the rows of T are ordered.           *)
Theorem paper_theorem1 (R : realFieldType) n m (a : R) (l : 'M[R]_(n.+1, m.+1)) (S : {set 'I_n.+1}) :
  0 < a -> a < 1 -> monotone_loss l -> exists T : 'M[R]_(n.+1, m.+1), [/\ stochastic T, ordered_supports T,
    optimal (@line n) a l S (geometric n a *m T) & pattern a (geometric n a *m T)].
Proof.
move=> a_gt0 a_lt1 l_mono; have [X X_lex] := lexicographic_exists l S (ltW a_lt1).
have X_pat := lexicographic_pattern a_gt0 l_mono X_lex; have [X_st X_priv _] := proj1 X_lex.
have [T T_st GT] := pattern_derivable a_gt0 a_lt1 X_st X_priv X_pat.
exists T; rewrite -GT; split=> //; last by case: X_lex.
by apply/(pattern_geometric a_gt0 a_lt1 (proj1 T_st)); rewrite -GT.
Qed.
