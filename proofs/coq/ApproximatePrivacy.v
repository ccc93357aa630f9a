(* SPDX-License-Identifier: MIT *)
(* (epsilon, delta)-privacy of mechanisms with finitely many outputs, a = e^(-epsilon).                       *)
(*                                                                                                            *)
(*   approximately_private_on   a P(E | i) <= P(E | j) + a d for all events E and adjacent inputs i, j        *)
(*   approximatelyP             it is enough to look at one event for each ordered pair: the outputs r with   *)
(*                              a x_ir > x_jr                                                                 *)
(*   approximately_zero         with d = 0 it is privacy                                                      *)
(*   event_bound                an event with a (P(E | i) - d) = P(E | j) forbids every larger level          *)
(*   excess_within              enclosures of the entries and of a that show the inequality of approximatelyP *)
(*   excess_permuted            it is the same for rows with the same pairs of entries in another order       *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ApproximatePrivacy.
Variable R : realFieldType.
Variables p m : nat.
Implicit Types (X : 'M[R]_(p, m)) (a d : R) (E : {set 'I_m}).

(* The probability of an event at input i. *)
Definition probability X (i : 'I_p) E : R := \sum_(r in E) X i r.

(* (epsilon, delta)-privacy, both sides times a = e^(-epsilon), d = delta: a P(E | i) <= P(E | j) + a d for   *)
(* every event E, i and j adjacent.                                                                           *)
Definition approximately_private_on (adjacent : rel 'I_p) a d X :=
  forall i j E, adjacent i j -> a * probability X i E <= probability X j E + a * d.

(* What the outputs at which i is favoured sum to. *)
Definition excess a X (i j : 'I_p) : R := \sum_r Num.max 0 (a * X i r - X j r).

Lemma excess_event a X i j E : a * probability X i E - probability X j E <= excess a X i j.
Proof.
rewrite /probability mulr_sumr -sumrB /excess [in leRHS](bigID (mem E)) /= -[leLHS]addr0.
apply: ler_add; first by apply: ler_sum => r _; rewrite le_maxr lexx orbT.
by apply: sumr_ge0 => r _; rewrite le_maxr lexx.
Qed.

(* The outputs at which i is favoured: those r with a x_ir > x_jr. *)
Definition favoured a X (i j : 'I_p) : {set 'I_m} := [set r | X j r < a * X i r].

Lemma excess_favoured a X i j :
  excess a X i j = a * probability X i (favoured a X i j) - probability X j (favoured a X i j).
Proof.
rewrite /probability mulr_sumr -sumrB /excess (bigID (mem (favoured a X i j))) /= [X in _ + X]big1 ?addr0.
  by apply: eq_bigr => r; rewrite inE => lt; rewrite max_r // subr_ge0 ltW.
by move=> r; rewrite inE -leNgt => le; rewrite max_l // subr_le0.
Qed.

Theorem approximatelyP (adjacent : rel 'I_p) a d X :
  approximately_private_on adjacent a d X <-> forall i j, adjacent i j -> excess a X i j <= a * d.
Proof.
split=> [X_priv i j ij | X_priv i j E ij].
  by rewrite excess_favoured ler_subl_addl; exact: X_priv.
by rewrite addrC -ler_subl_addr; apply: le_trans (X_priv i j ij); rewrite excess_event.
Qed.

Theorem approximately_zero (adjacent : rel 'I_p) a X : symmetric adjacent ->
  approximately_private_on adjacent a 0 X <-> private_on adjacent a X.
Proof.
move=> adj_sym; split=> [/approximatelyP X_priv i j r ij | X_priv i j E ij].
  have := X_priv j i; rewrite adj_sym ij mulr0 => /(_ isT) le0.
  have terms_ge0 s : 0 <= Num.max 0 (a * X j s - X i s) by rewrite le_maxr lexx.
  have : Num.max 0 (a * X j r - X i r) <= 0.
    apply: le_trans le0; rewrite /excess (bigD1 r) //= ler_addl; exact: sumr_ge0.
  by rewrite le_maxl subr_le0 => /andP[].
rewrite mulr0 addr0 /probability mulr_sumr; apply: ler_sum => r _; apply: X_priv; by rewrite adj_sym.
Qed.

(* No level b above a is possible where an event has P(E | j) = a (P(E | i) - d), P(E | i) > d. *)
Theorem event_bound (adjacent : rel 'I_p) a b d X i j E : adjacent i j -> d < probability X i E ->
  probability X j E = a * (probability X i E - d) -> approximately_private_on adjacent b d X -> b <= a.
Proof.
move=> ij lt eq /(_ i j E ij); rewrite eq -ler_subl_addr -mulrBr ler_pmul2r //.
by rewrite subr_gt0.
Qed.

(* Lower levels ask for less, of tables with entries that are not negative. *)
Lemma approximately_le (adjacent : rel 'I_p) a b d X : (forall i r, 0 <= X i r) -> 0 < b -> b <= a ->
  approximately_private_on adjacent a d X -> approximately_private_on adjacent b d X.
Proof.
move=> X_ge0 b_gt0 ba X_priv i j E ij; have a_gt0 : 0 < a := lt_le_trans b_gt0 ba.
rewrite addrC -ler_subl_addl -mulrN -mulrDr.
have Pj_ge0 : 0 <= probability X j E by apply: sumr_ge0.
have := X_priv i j E ij; rewrite addrC -ler_subl_addl -mulrN -mulrDr.
have [neg|pos] := lerP (probability X i E - d) 0; first by move=> _; apply: le_trans Pj_ge0; rewrite pmulr_rle0.
by apply: le_trans; rewrite ler_pmul2r.
Qed.

(* The sum over the outputs with a = p/q, x_ir at most U_r, x_jr at least L_r >= 0, p at most P, q at least Q. *)
Lemma excess_enclosed (p0 P0 q0 Q0 : R) X i j (U L : 'I_m -> R) : 0 <= p0 <= P0 -> 0 < q0 -> Q0 <= q0 ->
  (forall r, 0 <= X i r <= U r) -> (forall r, 0 <= L r <= X j r) ->
  q0 * excess (p0 / q0) X i j <= \sum_r Num.max 0 (P0 * U r - Q0 * L r).
Proof.
move=> /andP[p_ge0 p_le] q_gt0 q_ge x_in y_in; rewrite /excess mulr_sumr; apply: ler_sum => r _.
have /andP[x_ge0 x_le] := x_in r; have /andP[l_ge0 l_le] := y_in r.
rewrite (maxr_pmulr _ _ (ltW q_gt0)) mulr0 mulrBr mulrA [q0 * (_ / _)]mulrC divfK ?gt_eqF //.
have xU : p0 * X i r <= P0 * U r by apply: ler_pmul.
have Ly : Q0 * L r <= q0 * X j r.
  by apply: (@le_trans _ _ (q0 * L r)); [rewrite ler_wpmul2r | rewrite ler_pmul2l].
by rewrite le_maxl !le_maxr lexx /= ler_sub ?orbT.
Qed.

(* With enclosures of all numbers, f times that sum is at most b; f is the denominator of the bound. *)
Theorem excess_within (p0 P0 q0 Q0 f F b B : R) X i j (U L : 'I_m -> R) : 0 <= p0 <= P0 -> 0 < q0 -> Q0 <= q0 ->
  (forall r, 0 <= X i r <= U r) -> (forall r, 0 <= L r <= X j r) -> 0 <= f <= F -> B <= b ->
  (\sum_r Num.max 0 (P0 * U r - Q0 * L r)) * F <= B -> f * (q0 * excess (p0 / q0) X i j) <= b.
Proof.
move=> p_in q_gt0 q_ge x_in y_in /andP[f_ge0 f_le] B_le F_le.
have le := excess_enclosed p_in q_gt0 q_ge x_in y_in.
apply: le_trans (le_trans F_le B_le); rewrite mulrC; apply: ler_pmul => //.
by rewrite pmulr_rge0 //; apply: sumr_ge0 => r _; rewrite le_maxr lexx.
Qed.

(* Rows with the same pairs of entries, in any order of the outputs, have the same sum. *)
Theorem excess_permuted a X (i j k l : 'I_p) (s : 'I_m -> 'I_m) : injective s ->
  (forall r, X k (s r) = X i r /\ X l (s r) = X j r) -> excess a X k l = excess a X i j.
Proof.
move=> s_inj same; rewrite /excess (reindex_inj s_inj); apply: eq_bigr => r _.
by have [-> ->] := same r.
Qed.

End ApproximatePrivacy.
