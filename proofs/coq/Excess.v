(* SPDX-License-Identifier: MIT *)
(* The heart of universal optimality: excess losses are dual to the cone of private columns.                  *)
(*                                                                                                            *)
(* Let F_0, ..., F_m be sequences any two of which satisfy the alternative of SingleCrossing.v, let guess(j)  *)
(* be the largest r that minimises F_r(j), least(j) the minimum, and excess_r = F_r - least >= 0.             *)
(*   guess_nondecreasing   guess(j) <= guess(j+1)                                                             *)
(*   excess_left, _right   excess_r falls at most by the factor a per step away from its crossing             *)
(*   form_excess_ge0       form(excess_r, x) >= 0 for every x in the privacy cone                             *)
(* The last is an induction along the inputs.  Up to the crossing (guess(j) <= r) the partial form is at      *)
(* least (1 - a^2) h_j x_j, after it at least 0; each step adds a product of two non-negative differences:    *)
(*   before    (h_j - a h_(j+1)) (x_j - a x_(j+1))                                                            *)
(*   across    h_j (x_j - a x_(j+1)) + h_(j+1) (x_(j+1) - a x_j)                                              *)
(*   after     (h_(j+1) - a h_j) (x_(j+1) - a x_j)                                                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form SingleCrossing.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The largest minimiser of a function on 'I_m.+1. *)
Section LargestMinimiser.
Variables (R : realFieldType) (m : nat) (F : 'I_m.+1 -> R).

(* F r is the least value of F. *)
Definition minimises r := [forall s, F r <= F s].
(* Some r that minimises F. *)
Definition a_minimiser : 'I_m.+1 := [arg min_(r < ord0) F r]%O.
(* The largest of all r that minimise F. *)
Definition largest_minimiser : 'I_m.+1 := [arg max_(r > a_minimiser | minimises r) (r : nat)].

Lemma a_minimiserP : minimises a_minimiser.
Proof. by apply/forallP=> s; rewrite /a_minimiser; case: arg_minP => // r _; apply. Qed.

Lemma largest_minimiser_le s : F largest_minimiser <= F s.
Proof.
by rewrite /largest_minimiser; case: arg_maxnP => [|r /forallP r_min _]; [exact: a_minimiserP | exact: r_min].
Qed.

Lemma largest_minimiser_lt (s : 'I_m.+1) : (largest_minimiser < s)%N -> F largest_minimiser < F s.
Proof.
rewrite ltnNge ltNge; apply: contraNN => F_le.
rewrite {1}/largest_minimiser; case: arg_maxnP => [|r r_min r_max]; first exact: a_minimiserP.
apply: r_max; apply/forallP=> x; apply: le_trans F_le _; exact: largest_minimiser_le.
Qed.
End LargestMinimiser.

(* The heart of the proof: a family of sequences any two of which satisfy the alternative of single crossing. *)
Section Excess.
Variables (R : realFieldType) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Variable F : 'I_m.+1 -> nat -> R.
Hypothesis F_alternative : forall (r s : 'I_m.+1) j, (r < s)%N ->
  a * (F r j - F s j) <= F r j.+1 - F s j.+1 \/ F r j - F s j <= a * (F r j.+1 - F s j.+1).
Add Field R_field : (field_theory_of R).

(* guess(j): the largest r that minimises F_r(j). *)
Definition guess (j : nat) : 'I_m.+1 := largest_minimiser (F^~ j).
(* least(j): the least of the F_r(j). *)
Definition least (j : nat) : R := F (guess j) j.
(* excess_r(j) = F_r(j) - least(j). *)
Definition excess (r : 'I_m.+1) (j : nat) : R := F r j - least j.

Lemma least_le r j : least j <= F r j.
Proof. exact: (largest_minimiser_le (F^~ j)). Qed.

Lemma excess_ge0 r j : 0 <= excess r j.
Proof. by rewrite subr_ge0 least_le. Qed.

Theorem guess_nondecreasing j : (guess j <= guess j.+1)%N.
Proof.
rewrite leqNgt; apply/negP=> lt_guess.
have D_ge0 : 0 <= F (guess j.+1) j - F (guess j) j by rewrite subr_ge0 least_le.
have D1_ge := step_right a_gt0 a_lt1 (F_alternative j lt_guess) D_ge0.
have : least j.+1 < F (guess j) j.+1 by exact: (@largest_minimiser_lt _ _ (F^~ j.+1)).
by apply/negP; rewrite -leNgt -subr_ge0 (le_trans _ D1_ge) // mulr_ge0 // ltW.
Qed.

(* Left of the crossing the excess decreases at most by the factor a to the left, right of it to the right. *)
Lemma excess_left (r : 'I_m.+1) j : (guess j.+1 <= r)%N -> a * excess r j.+1 <= excess r j.
Proof.
rewrite leq_eqVlt => /orP[/eqP/val_inj <-|lt_r]; first by rewrite {1}/excess subrr mulr0 excess_ge0.
have D1_le0 : F (guess j.+1) j.+1 - F r j.+1 <= 0 by rewrite subr_le0 least_le.
have D_le := step_left a_gt0 a_lt1 (F_alternative j lt_r) D1_le0.
rewrite -ler_opp2 -mulrN !opprB in D_le; apply: le_trans D_le _.
by rewrite ler_add2l ler_opp2 least_le.
Qed.

Lemma excess_right (r : 'I_m.+1) j : (r < guess j)%N -> a * excess r j <= excess r j.+1.
Proof.
move=> lt_r; have D_ge0 : 0 <= F r j - F (guess j) j by rewrite subr_ge0 least_le.
apply: le_trans (step_right a_gt0 a_lt1 (F_alternative j lt_r) D_ge0) _.
by rewrite ler_add2l ler_opp2 least_le.
Qed.

Theorem form_excess_ge0 (r : 'I_m.+1) (x : nat -> R) : (forall j, 0 <= x j) ->
  (forall j, (j < n)%N -> a * x j.+1 <= x j /\ a * x j <= x j.+1) -> 0 <= form a n (excess r) x.
Proof.
move=> x_ge0 x_priv; set h := excess r.
have h_ge0 j : 0 <= h j := excess_ge0 r j.
have a2_ge0 : 0 <= 1 - a ^+ 2 by rewrite subr_ge0 expr_le1 // ltW.
(* the invariant: partial forms stay above (1 - a^2) h_j x_j up to the crossing, and above 0 after it *)
suff: forall j, (j <= n)%N -> (if (guess j <= r)%N then (1 - a ^+ 2) * h j * x j else 0) <= form a j h x.
  by move/(_ n (leqnn n)); apply: le_trans; case: ifP => // _; rewrite !mulr_ge0.
elim=> [|j IHj] j_le_n.
  by rewrite /form big_ord0 addr0; case: ifP => // _; rewrite !mulr_ge0.
have [xj xj1] := x_priv j j_le_n.
have {IHj} := IHj (ltnW j_le_n); rewrite formS.
case: ifP => [gj_le_r | /negbT]; last rewrite -ltnNge => r_lt_gj; move=> Qj.
- case: ifP => [gj1_le_r | _].
    rewrite -subr_ge0; apply: le_trans (_ : 0 <= (h j - a * h j.+1) * (x j - a * x j.+1)) _.
      by apply: mulr_ge0; rewrite (subr_ge0 (a * _)) // excess_left.
    rewrite -subr_ge0 in Qj; rewrite -subr_ge0.
    apply: le_trans Qj _; rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
  rewrite -subr_ge0 in Qj.
  apply: le_trans (_ : 0 <= h j.+1 * (x j.+1 - a * x j) + h j * (x j - a * x j.+1)) _.
    by apply: addr_ge0; apply: mulr_ge0; rewrite ?h_ge0 // (subr_ge0 (a * _)).
  rewrite -subr_ge0; apply: le_trans Qj _; rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
- rewrite ifF; last by apply/negbTE; rewrite -ltnNge (leq_trans r_lt_gj) // guess_nondecreasing.
  by apply: addr_ge0 => //; apply: mulr_ge0; rewrite (subr_ge0 (a * _)) // excess_right.
Qed.

End Excess.
