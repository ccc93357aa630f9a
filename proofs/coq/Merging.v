(* SPDX-License-Identifier: MIT *)
(* Outputs with the same most likely input can be one output: as many outputs as inputs are enough.           *)
(*                                                                                                            *)
(*   merged f C        output y is reported as f y; stays a channel, stays a mechanism of its type            *)
(*   theorem25         a mechanism with the inputs as outputs and the same multiplicative capacity, which is  *)
(*                     its trace; the same for the additive capacity, with least likely inputs                *)
(*   corollary26, corollary27   so the capacities of a type are what two linear programs find                 *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Extremes Leakage PrivacyTypes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Merging.
Variables (R : realFieldType) (X : finType) (x0 : X).

(* The channel C where the output y is reported as f y: an output z has the sum of the C_xy with f y = z. *)
Definition merged (Y Z : finType) (f : Y -> Z) (C : X -> Y -> R) : X -> Z -> R :=
  fun x z => \sum_(y | f y == z) C x y.

Lemma sum_merged (Y Z : finType) (f : Y -> Z) (F : Z -> Y -> R) :
  \sum_z \sum_(y | f y == z) F z y = \sum_y F (f y) y.
Proof.
rewrite [RHS](partition_big f predT) //=; apply: eq_bigr => z _.
by apply: eq_bigr => y /eqP ->.
Qed.

Lemma merged_channel (Y Z : finType) (f : Y -> Z) (C : X -> Y -> R) : channel C -> channel (merged f C).
Proof.
case=> C_ge0 C_sum1; split=> [x z|x]; first by apply: sumr_ge0.
by rewrite -(C_sum1 x); exact: (sum_merged f (fun=> C x)).
Qed.

Lemma merged_mechanism (Phi : X -> X -> R) (Y Z : finType) (f : Y -> Z) (M : X -> Y -> R) :
  mechanism Phi M -> mechanism Phi (merged f M).
Proof.
case=> M_channel M_priv; split=> [|x x' z]; first exact: merged_channel.
by rewrite mulr_sumr; apply: ler_sum => y _.
Qed.

(* The sum of the diagonal, sum_x N_xx, of a channel whose outputs are the inputs. *)
Definition trace (N : X -> X -> R) : R := \sum_x N x x.

Lemma trace_le_capacity (N : X -> X -> R) : trace N <= multiplicative_capacity N.
Proof. by apply: ler_sum => x _; exact: (le_largest (fun x' => N x' x)). Qed.

Theorem theorem25 (Phi : X -> X -> R) (Y : finType) (M : X -> Y -> R) : mechanism Phi M ->
  (exists N : X -> X -> R, [/\ mechanism Phi N, multiplicative_capacity N = multiplicative_capacity M &
    trace N = multiplicative_capacity M]) /\
  (exists N : X -> X -> R, [/\ mechanism Phi N, additive_capacity N = additive_capacity M &
    1 - trace N = additive_capacity M]).
Proof.
move=> M_mech; split.
  have [f f_top] := fin_all_exists (fun y => largest_attained x0 (fun x => M x y)).
  exists (merged f M); have diag : trace (merged f M) = multiplicative_capacity M.
    by rewrite /trace (sum_merged f (fun x => M x)); apply: eq_bigr => y _; rewrite -f_top.
  split=> //; first exact: merged_mechanism.
  rewrite -diag; apply: eq_bigr => x _; apply: (@largestE _ _ (fun x' => merged f M x' x)) => x'.
  by apply: ler_sum => y /eqP <-; rewrite -f_top (le_largest (fun x => M x y)).
have [f f_low] := fin_all_exists (fun y => smallest_attained x0 (fun x => M x y)).
exists (merged f M); have diag : trace (merged f M) = \sum_y smallest (fun x => M x y).
  by rewrite /trace (sum_merged f (fun x => M x)); apply: eq_bigr => y _; rewrite -f_low.
split=> //; [exact: merged_mechanism | | by rewrite diag].
congr (1 - _); rewrite -diag; apply: eq_bigr => x _; apply: (@smallestE _ _ (fun x' => merged f M x' x)) => x'.
by apply: ler_sum => y /eqP <-; rewrite -f_low (smallest_le (fun x => M x y)).
Qed.

(* Corollary 27: v is the multiplicative capacity of the type exactly when v is the largest trace. *)
Corollary corollary27 (Phi : X -> X -> R) (v : R) :
  (exists (Y : finType) (M : X -> Y -> R), attains_multiplicative Phi M v) <->
  (exists2 N, mechanism Phi N & trace N = v) /\ (forall N, mechanism Phi N -> trace N <= v).
Proof.
split=> [[Y [M [M_mech <- M_max]]] | [[N N_mech <-] N_max]].
  have [[N [N_mech _ N_tr]] _] := theorem25 M_mech; split; first by exists N.
  by move=> N' N'_mech; apply: le_trans (trace_le_capacity N') (M_max _ N' N'_mech).
have bound (Z : finType) (N' : X -> Z -> R) : mechanism Phi N' -> multiplicative_capacity N' <= trace N.
  by move=> /theorem25[[N'' [N''_mech _ <-]] _]; exact: N_max.
exists X, N; split=> //; apply/eqP; rewrite eq_le trace_le_capacity andbT; exact: bound.
Qed.

(* Corollary 26: v is the additive capacity of the type exactly when 1 - v is the least trace. *)
Corollary corollary26 (Phi : X -> X -> R) (v : R) :
  (exists (Y : finType) (M : X -> Y -> R), attains_additive Phi M v) <->
  (exists2 N, mechanism Phi N & 1 - trace N = v) /\ (forall N, mechanism Phi N -> 1 - trace N <= v).
Proof.
have trace_le (N : X -> X -> R) : 1 - trace N <= additive_capacity N.
  by rewrite ler_add2l ler_opp2; apply: ler_sum => x _; exact: (smallest_le (fun x' => N x' x)).
split=> [[Y [M [M_mech <- M_max]]] | [[N N_mech <-] N_max]].
  have [_ [N [N_mech _ N_tr]]] := theorem25 M_mech; split; first by exists N.
  by move=> N' N'_mech; apply: le_trans (trace_le N') (M_max _ N' N'_mech).
have bound (Z : finType) (N' : X -> Z -> R) : mechanism Phi N' -> additive_capacity N' <= 1 - trace N.
  by move=> /theorem25[_ [N'' [N''_mech _ <-]]]; exact: N_max.
exists X, N; split=> //; apply/eqP; rewrite eq_le trace_le andbT; exact: bound.
Qed.

End Merging.
