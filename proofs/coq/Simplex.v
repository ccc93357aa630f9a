(* SPDX-License-Identifier: MIT *)
(* Two ways from a vector r with negative entries to a distribution: clipping, and the projection on the simplex. *)
(*                                                                                                            *)
(*   clipped_distribution     with sum r = 1, the negative entries set to 0 and the rest renormalised           *)
(*   projection_exists        some t makes max(r - t, 0) a distribution                                        *)
(*   projection_nearest       no distribution is as near to r, in Euclidean distance, as this one              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField MatrixGame Extremes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Simplex.
Variables (R : realFieldType) (I : finType).
Implicit Types (r v : I -> R) (t : R).

(* Negative entries set to 0; then all entries divided by their sum. *)
Definition clipped r (i : I) : R := Num.max 0 (r i) / \sum_j Num.max 0 (r j).

Theorem clipped_distribution r : \sum_i r i = 1 -> distribution (clipped r).
Proof.
move=> r_sum; have sum_ge1 : 1 <= \sum_j Num.max 0 (r j).
  by rewrite -r_sum; apply: ler_sum => j _; rewrite le_maxr lexx orbT.
have sum_gt0 : 0 < \sum_j Num.max 0 (r j) := lt_le_trans ltr01 sum_ge1.
split=> [i|]; first by rewrite divr_ge0 ?le_maxr ?lexx // ltW.
by rewrite -mulr_suml divff // gt_eqF.
Qed.

(* The vector lowered by t, and cut at 0. *)
Definition lowered r t (i : I) : R := Num.max 0 (r i - t).

(* t is the largest of the levels (sum_(i in J) r_i - 1)/|J| over all sets J of entries. *)
Theorem projection_exists r (i0 : I) : exists t, distribution (lowered r t).
Proof.
pose level (J : {set I}) : R := (\sum_(i in J) r i - 1) / #|J|%:R.
pose J0 := [arg max_(J > setT | J != set0) level J]%O.
have T0 : [set: I] != set0 by apply/set0Pn; exists i0; rewrite inE.
exists (level J0); rewrite /J0; case: Order.TotalTheory.arg_maxP => // J J_n0 J_max; set t := level J.
have above K : K != set0 -> \sum_(i in K) (r i - t) <= 1.
  move=> K_n0; have K_gt0 : 0 < #|K|%:R :> R by rewrite ltr0n card_gt0.
  rewrite sumrB sumr_const -mulr_natr ler_subl_addr addrC -ler_subl_addr.
  by rewrite -ler_pdivr_mulr //; exact: J_max.
have at_J : \sum_(i in J) (r i - t) = 1.
  have J_gt0 : 0 < #|J|%:R :> R by rewrite ltr0n card_gt0.
  by rewrite sumrB sumr_const -mulr_natr /t /level divfK ?gt_eqF // opprB addrC subrK.
split=> [i|]; first by rewrite /lowered le_maxr lexx.
pose P := [set i | t < r i].
have sum_P : \sum_i lowered r t i = \sum_(i in P) (r i - t).
  rewrite [RHS]big_mkcond; apply: eq_bigr => i _; rewrite inE /lowered.
  by case: ltP => [lt|le]; [rewrite max_r // subr_ge0 ltW | rewrite max_l // subr_le0].
apply: le_anti; apply/andP; split.
  rewrite sum_P; have [->|P_n0] := eqVneq P set0; last exact: above.
  by rewrite big_set0 ler01.
rewrite -at_J [leLHS]big_mkcond; apply: ler_sum => i _; rewrite /lowered.
by case: ifP => _; rewrite le_maxr lexx ?orbT.
Qed.

(* The square of the Euclidean distance: sum_i (r_i - v_i)^2. *)
Definition squared_distance r v : R := \sum_i (r i - v i) ^+ 2.

Theorem projection_nearest r t v : distribution (lowered r t) -> distribution v ->
  squared_distance r (lowered r t) + squared_distance (lowered r t) v <= squared_distance r v.
Proof.
move=> [_ p_sum] [v_ge0 v_sum]; set p := lowered r t in p_sum *.
have -> : squared_distance r v = squared_distance r p + squared_distance p v + 2%:R * \sum_i (r i - p i) * (p i - v i).
  rewrite /squared_distance mulr_sumr -!big_split /=; apply: eq_bigr => i _.
  have -> : r i - v i = (r i - p i) + (p i - v i) by rewrite addrA subrK.
  by rewrite sqrrD addrAC mulr_natl.
rewrite ler_addl mulr_ge0 ?ler0n //.
have -> : \sum_i (r i - p i) * (p i - v i) = \sum_i (r i - p i - t) * (p i - v i).
  rewrite [RHS](eq_bigr (fun i => (r i - p i) * (p i - v i) - t * (p i - v i))) => [|i _]; last by rewrite mulrBl.
  by rewrite sumrB -mulr_sumr sumrB p_sum v_sum subrr mulr0 subr0.
apply: sumr_ge0 => i _; rewrite /p /lowered; case: (lerP (r i - t) 0) => [le|lt].
  by rewrite subr0 sub0r mulr_le0 // oppr_le0.
by rewrite subKr subrr mul0r.
Qed.

End Simplex.
