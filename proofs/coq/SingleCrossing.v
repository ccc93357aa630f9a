(* SPDX-License-Identifier: MIT *)
(* Single crossing survives the geometric weights.                                                            *)
(*                                                                                                            *)
(* Let d_0, ..., d_n change sign at most once, from <= 0 to >= 0, and let D(j) = sum_i a^|i-j| d_i.           *)
(*   crossing_step    for every j:  a D(j) <= D(j+1)  or  D(j) <= a D(j+1)                                    *)
(*   crossing_right   D(j) >= 0     implies  D(j+1) >= a D(j)   (>= 0)                                        *)
(*   crossing_left    D(j+1) <= 0   implies  D(j) <= a D(j+1)   (<= 0)                                        *)
(* The proof compares the sums term by term.  If all d_i with i > j are >= 0, then each term of D(j+1) is at  *)
(* least a times that of D(j): they are equal for i <= j.  Otherwise all d_i with i <= j are <= 0, and each   *)
(* term of D(j) is at most a times that of D(j+1).                                                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section SingleCrossing.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

(* d_i <= 0 for i < t and d_i >= 0 for i >= t: the signs change at most once, from <= 0 to >= 0. *)
Definition crosses_at (t : nat) (d : 'I_n.+1 -> R) :=
  forall i : 'I_n.+1, ((i < t)%N -> d i <= 0) /\ ((t <= i)%N -> 0 <= d i).

(* D(j) = sum_i a^|i-j| d_i, for any j >= 0. *)
Definition weighted (d : 'I_n.+1 -> R) (j : nat) : R := \sum_(i < n.+1) a ^+ dist i j * d i.

(* One step to the right multiplies the weight of input i by a when i <= j, and divides it by a otherwise. *)
Lemma weight_le (i j : nat) : (i <= j)%N -> a ^+ dist i j.+1 = a * a ^+ dist i j.
Proof. by move=> ij; rewrite -exprS; congr (a ^+ _); rewrite /dist; nat_lia. Qed.

Lemma weight_gt (i j : nat) : (j < i)%N -> a ^+ dist i j = a * a ^+ dist i j.+1.
Proof. by move=> ij; rewrite -exprS; congr (a ^+ _); rewrite /dist; nat_lia. Qed.

Lemma weight_sq (i j : nat) : a * (a * a ^+ dist i j) <= a ^+ dist i j.
Proof.
rewrite mulrA ger_pmull ?exprn_gt0 //.
by rewrite mulr_ile1 // ltW.
Qed.

Theorem crossing_step t d j : crosses_at t d ->
  a * weighted d j <= weighted d j.+1 \/ weighted d j <= a * weighted d j.+1.
Proof.
move=> d_crosses; have [t_le_j1|j1_lt_t] := leqP t j.+1; [left | right].
- rewrite mulr_sumr; apply: ler_sum => i _; rewrite mulrA; have [ij|ji] := leqP i j.
    by rewrite weight_le.
  rewrite ler_wpmul2r ?(proj2 (d_crosses i)) ?(leq_trans t_le_j1) //.
  by rewrite (weight_gt ji) weight_sq.
- rewrite mulr_sumr; apply: ler_sum => i _; rewrite mulrA; have [ij|ji] := leqP i j.
    rewrite ler_wnmul2r ?(proj1 (d_crosses i)) ?(leq_ltn_trans _ j1_lt_t) // ?leqW //.
    by rewrite weight_le // weight_sq.
  by rewrite -weight_gt.
Qed.

(* Both consequences only need the alternative. *)
Lemma step_right (D D1 : R) : a * D <= D1 \/ D <= a * D1 -> 0 <= D -> a * D <= D1.
Proof.
move=> [//|D_le] D_ge0; have D1_ge0 : 0 <= D1 by rewrite -(pmulr_rge0 _ a_gt0) (le_trans D_ge0).
apply: le_trans (_ : D <= D1); first by rewrite ler_pimull // ltW.
by apply: le_trans D_le _; rewrite ler_pimull // ltW.
Qed.

Lemma step_left (D D1 : R) : a * D <= D1 \/ D <= a * D1 -> D1 <= 0 -> D <= a * D1.
Proof.
move=> alt D1_le0; rewrite -ler_opp2 -mulrN; apply: step_right; last by rewrite oppr_ge0.
by rewrite !mulrN !ler_opp2; case: alt; [right | left].
Qed.

Corollary crossing_right t d j : crosses_at t d ->
  0 <= weighted d j -> a * weighted d j <= weighted d j.+1.
Proof. by move=> /crossing_step alt; apply: step_right. Qed.

Corollary crossing_left t d j : crosses_at t d ->
  weighted d j.+1 <= 0 -> weighted d j <= a * weighted d j.+1.
Proof. by move=> /crossing_step alt; apply: step_left. Qed.

End SingleCrossing.
