(* SPDX-License-Identifier: MIT *)
(* Exercises 4 and 6 of the foundations lecture: the utility of the geometric mechanism for the uniform prior  *)
(* and the identity gain [r = y], for every n and every level, and a mechanism of the same level with less.    *)
(*                                                                                                            *)
(*   uniform_gain_le     no reading of the n + 1 results of G(n, a) gains more than v                             *)
(*   uniform_gain_best   reading each result as it stands gains v = ((n+1) - (n-1) a)/((n+1)(1+a))               *)
(*   unbounded_gain_best, unbounded_gain_le   the same for the mechanism on all integers: v is the sum of what  *)
(*                       its results gain when each is read as the nearest of 0, ..., n, and no part of the    *)
(*                       sum for another reading is above v                                                    *)
(*   merged_level, merged_gain_lt     G(n, a), n >= 2, with the results 0 and 1 merged has the tightest level a,    *)
(*                       too, and no reading of its results gains v                                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form Geometric LineCapacity Summation Unbounded.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section UniformUtility.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (n_gt0 : (0 < n)%N).
Add Field R_field : (field_theory_of R).

(* The expected gain sum_y (1/(n+1)) sum_z X(y, z) [f z = y] when the result z is read as f z. *)
Definition uniform_gain (X : 'M[R]_n.+1) (f : 'I_n.+1 -> 'I_n.+1) : R :=
  \sum_y n.+1%:R^-1 * \sum_z X y z * (f z == y)%:R.

(* The value of the exercise; with n = 100 it is (101 - 99 a)/(101 (1 + a)). *)
Definition uniform_value : R := (n.+1%:R - n.-1%:R * a) / (n.+1%:R * (1 + a)).

Local Notation G := (@geometric R n a).

Lemma gainE f : uniform_gain G f = n.+1%:R^-1 * \sum_z G (f z) z.
Proof.
rewrite /uniform_gain -mulr_sumr exchange_big; congr (_ * _); apply: eq_bigr => z _.
rewrite (bigD1 (f z)) //= eqxx mulr1 big1 ?addr0 // => y /negbTE yf.
by rewrite eq_sym yf mulr0.
Qed.

Lemma diagonal_sum : n.+1%:R^-1 * (\sum_z G z z) = uniform_value.
Proof.
rewrite (eq_bigr (fun z : 'I_n.+1 => scale a n z)) => [|z _]; last by rewrite mxE /dist subnn expr0 mul1r.
rewrite (sum_scale n a_gt0 a_lt1) /uniform_value -[in n.-1]subn1 natrB //.
have n1 : n.+1%:R = 1 + n%:R :> R by rewrite -addn1 addnC natrD.
rewrite n1; have n1_gt0 : 0 < 1 + n%:R :> R by rewrite -n1 ltr0n.
have a1_gt0 : 0 < 1 + a by rewrite addr_gt0 ?ltr01.
by by_field R; split; apply/eqP; exact: lt0r_neq0.
Qed.

Theorem uniform_gain_le f : uniform_gain G f <= uniform_value.
Proof.
rewrite gainE -diagonal_sum ler_wpmul2l ?invr_ge0 ?ler0n //; apply: ler_sum => z _.
rewrite !mxE ler_wpmul2r //; first exact/ltW/scale_gt0.
by rewrite {2}/dist subnn expr0 exprn_ile1 // ltW.
Qed.

Theorem uniform_gain_best : uniform_gain G id = uniform_value.
Proof. by rewrite gainE diagonal_sum. Qed.

End UniformUtility.

(* Exercise 6: the results 0 and 1 merged. *)
Section Merged.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (n_gt1 : (1 < n)%N).
Local Notation G := (@geometric R n a).

(* The result 1 is read as 0, the others as they are. *)
Definition merge (w : 'I_n.+1) : 'I_n.+1 := if w == 1%N :> nat then ord0 else w.

(* G(n, a) after that: column 0 is the sum of columns 0 and 1 of G, column 1 is 0, the others are those of G. *)
Definition merged : 'M[R]_n.+1 := \matrix_(y, z) \sum_(w | merge w == z) G y w.

Lemma entry_ge0 (y w : 'I_n.+1) : 0 <= G y w.
Proof. by rewrite mxE mulr_ge0 ?exprn_ge0 ?ltW // (scale_gt0 n a_gt0 a_lt1). Qed.

Theorem merged_level b : private b merged <-> b <= a.
Proof.
have n_gt0 : (0 < n)%N := ltnW n_gt1.
split=> [M_priv|b_le i j z ij]; last first.
  rewrite !mxE mulr_sumr; apply: ler_sum => w _; apply: le_trans (geometric_private a_gt0 a_lt1 w ij).
  by rewrite ler_wpmul2r ?entry_ge0.
have last y : merged y ord_max = G y ord_max.
  rewrite mxE (bigD1 ord_max) /=; last first.
    by rewrite /merge /= (gtn_eqF n_gt1) eqxx.
  rewrite big1 ?addr0 // => w /andP[]; rewrite /merge; case: ifP => [_ /eqP|_ -> //].
  by move=> /(congr1 val) /= n0; rewrite -n0 in n_gt0.
have np : (n.-1 < n.+1)%N by rewrite ltnS leq_pred.
have := M_priv (Ordinal np) ord_max ord_max; rewrite /line /= prednK // eqxx => /(_ isT).
rewrite !last !mxE /= mulrA ler_pmul2r ?(scale_gt0 n a_gt0 a_lt1) // /dist subnn expr0 mulr1.
have -> : (n.-1 - n + (n - n.-1) = 1)%N by nat_lia.
by rewrite expr1.
Qed.

Theorem merged_gain_lt f : uniform_gain merged f < uniform_value n a.
Proof.
have n_gt0 : (0 < n)%N := ltnW n_gt1.
have -> : uniform_gain merged f = uniform_gain G (fun w => f (merge w)).
  rewrite /uniform_gain; apply: eq_bigr => y _; congr (_ * _).
  rewrite [RHS](partition_big merge xpredT) //=; apply: eq_bigr => z _.
  by rewrite mxE mulr_suml; apply: eq_bigr => w /eqP ->.
rewrite gainE -(diagonal_sum a_gt0 a_lt1 n_gt0) ltr_pmul2l ?invr_gt0 ?ltr0n //.
have le (y w : 'I_n.+1) : G y w <= G w w.
  rewrite !mxE ler_wpmul2r //; first exact/ltW/(scale_gt0 n a_gt0 a_lt1).
  by rewrite {2}/dist subnn expr0 exprn_ile1 // ltW.
have lt (y w : 'I_n.+1) : y != w -> G y w < G w w.
  move=> yw; rewrite !mxE ltr_pmul2r ?(scale_gt0 n a_gt0 a_lt1) // {2}/dist subnn expr0 exprn_ilt1 ?(ltW a_gt0) //.
  by move: yw; rewrite -val_eqE /dist /=; case: eqP => // ne _; apply/eqP; nat_lia.
have one : (1 < n.+1)%N by rewrite ltnS.
pose w1 : 'I_n.+1 := Ordinal one; pose w0 : 'I_n.+1 := ord0.
pose w := if f ord0 == w0 then w1 else w0.
have differ : f (merge w) != w.
  rewrite /w; case: (f ord0 =P w0) => [f0|/eqP ne]; last by rewrite /merge /=.
  by rewrite /merge /= f0.
rewrite (bigD1 w) //= [ltRHS](bigD1 w) //=; apply: ltr_le_add; first exact: lt.
by apply: ler_sum => z _; exact: le.
Qed.

End Merged.

Section UnboundedUtility.
Variables (R : archiFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (n_gt0 : (0 < n)%N).

(* What the result z adds to the expected gain when it is read as f z: sum_y (1/(n+1)) p(z|y) [f z = y].       *)
Definition unbounded_gain (f : int -> 'I_n.+1) (z : int) : R :=
  \sum_(y < n.+1) n.+1%:R^-1 * (unbounded a (y : nat)%:Z z * (f z == y)%:R).

Lemma unbounded_gainE f z : unbounded_gain f z = n.+1%:R^-1 * unbounded a (f z : nat)%:Z z.
Proof.
rewrite /unbounded_gain (bigD1 (f z)) //= eqxx mulr1 big1 ?addr0 // => y /negbTE yf.
by rewrite eq_sym yf !mulr0.
Qed.

Theorem unbounded_gain_best : sums_to (unbounded_gain (clamp n)) (uniform_value n a).
Proof.
rewrite -(diagonal_sum a_gt0 a_lt1 n_gt0); apply: (eq_sums_to (f := fun z => n.+1%:R^-1 *
  \sum_(r < n.+1) (clamp n z == r)%:R * unbounded a (r : nat)%:Z z)) => [z|].
  by rewrite /unbounded_gain mulr_sumr; apply: eq_bigr => r _; rewrite [_%:R * unbounded _ _ _]mulrC.
apply: sums_to_scale; apply: (@sums_to_sum _ _ _ _ xpredT) => r _.
by rewrite mxE /dist subnn expr0 mul1r; exact: clamp_weight.
Qed.

Theorem unbounded_gain_le f s : uniq s -> \sum_(z <- s) unbounded_gain f z <= uniform_value n a.
Proof.
move=> s_uniq; have gain_ge0 g z : 0 <= unbounded_gain g z.
  by rewrite unbounded_gainE mulr_ge0 ?invr_ge0 ?ler0n // ltW // unbounded_gt0.
apply: le_trans (sums_to_partial (gain_ge0 _) unbounded_gain_best s_uniq).
apply: ler_sum => z _; rewrite !unbounded_gainE ler_wpmul2l ?invr_ge0 ?ler0n //.
rewrite unbounded_clamp -[leRHS]mul1r; apply: ler_wpmul2r; first by rewrite ltW // unbounded_gt0.
by rewrite exprn_ile1 // ltW.
Qed.

End UnboundedUtility.
