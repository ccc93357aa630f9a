(* SPDX-License-Identifier: MIT *)
(* How near an estimate is to the largest likelihood, without logarithms.                                      *)
(*                                                                                                            *)
(* The outputs of a mechanism C are seen with the frequencies k_y / N, k_y times each; p and p' are            *)
(* distributions of the inputs.  sum_y (k_y/N) ln (p' C)_y <= sum_y (k_y/N) ln (p C)_y + ln (1 + g) says, of   *)
(* real numbers, the same as                                                                                   *)
(*    prod_y ((p' C)_y)^(k_y) <= prod_y ((p C)_y)^(k_y) * (1 + g)^N,                                           *)
(* which makes sense in any ordered field.                                                                     *)
(*   weighted_mean     prod_y z_y^(k_y) <= (sum_y k_y z_y / N)^N                                               *)
(*   likelihood_le     it holds for every p' if sum_y (k_y/N) C_xy/(p C)_y <= 1 + g for every input x          *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Likelihood.
Variable R : realFieldType.
Variables p m : nat.

(* The probability of output y under the distribution w of the inputs. *)
Definition mixture (w : 'I_p -> R) (C : 'M[R]_(p, m)) (y : 'I_m) : R := \sum_x w x * C x y.

(* N times the mean log-likelihood, as a power. *)
(* It is prod_y ((w C)_y)^(k_y): how likely the outputs are, each y of them k_y times, in a given order. *)
Definition likelihood (w : 'I_p -> R) (C : 'M[R]_(p, m)) (k : 'I_m -> nat) : R := \prod_y mixture w C y ^+ k y.

Lemma weighted_mean (k : 'I_m -> nat) (z : 'I_m -> R) : (forall y, 0 <= z y) ->
  \prod_y z y ^+ k y <= ((\sum_y (k y)%:R * z y) / (\sum_y k y)%:R) ^+ (\sum_y k y).
Proof.
move=> z_ge0.
have := @leif_AGM R _ [set: {y : 'I_m & 'I_(k y)}] (fun t => z (tag t)) (fun t _ => z_ge0 (tag t)).
have -> : #|[set: {y : 'I_m & 'I_(k y)}]| = (\sum_y k y)%N.
  by rewrite cardsT card_tagged sumnE big_map big_enum /=; apply: eq_bigr => y _; rewrite card_ord.
rewrite (eq_bigl xpredT) => [|t]; last by rewrite inE.
rewrite [X in (X / _) ^+ _](eq_bigl xpredT) => [|t]; last by rewrite inE.
move=> /leifP.
have -> : \prod_(t : {y : 'I_m & 'I_(k y)}) z (tag t) = \prod_y z y ^+ k y.
  rewrite -(sig_big_dep xpredT (fun _ => xpredT) (fun y _ => z y)) /=.
  by apply: eq_bigr => y _; rewrite prodr_const card_ord.
have -> : \sum_(t : {y : 'I_m & 'I_(k y)}) z (tag t) = \sum_y (k y)%:R * z y.
  rewrite -(sig_big_dep xpredT (fun _ => xpredT) (fun y _ => z y)) /=.
  by apply: eq_bigr => y _; rewrite sumr_const card_ord mulr_natl.
by case: ifP => _ => [/eqP ->|/ltW].
Qed.

Theorem likelihood_le (w v : 'I_p -> R) (C : 'M[R]_(p, m)) (k : 'I_m -> nat) (g : R) :
  stochastic C -> distribution w -> distribution v -> (0 < \sum_y k y)%N ->
  (forall y, (0 < k y)%N -> 0 < mixture w C y) ->
  (forall x, \sum_y (k y)%:R * C x y / mixture w C y <= (\sum_y k y)%:R * (1 + g)) ->
  likelihood v C k <= likelihood w C k * (1 + g) ^+ (\sum_y k y).
Proof.
move=> [C_ge0 _] [w_ge0 _] [v_ge0 v_sum] N_gt0 seen le_g.
have mix_ge0 u y : (forall x, 0 <= u x) -> 0 <= mixture u C y.
  by move=> u_ge0; apply: sumr_ge0 => x _; rewrite mulr_ge0.
pose z y := mixture v C y / mixture w C y.
have z_ge0 y : 0 <= z y by rewrite divr_ge0 ?mix_ge0.
have -> : likelihood v C k = likelihood w C k * \prod_y z y ^+ k y.
  rewrite /likelihood -big_split /=; apply: eq_bigr => y _; have [->|k_gt0] := posnP (k y); first by rewrite !expr0 mulr1.
  by rewrite -exprMn mulrC divfK // gt_eqF ?seen.
apply: ler_wpmul2l; first by apply: prodr_ge0 => y _; rewrite exprn_ge0 ?mix_ge0.
apply: le_trans (weighted_mean k z_ge0) _.
have N_pos : 0 < (\sum_y k y)%:R :> R by rewrite ltr0n.
apply: ler_expn2r; rewrite ?nnegrE.
- by rewrite divr_ge0 ?ler0n // sumr_ge0 // => y _; rewrite mulr_ge0 ?ler0n.
- have [x|none] := pickP (fun x : 'I_p => true); last first.
    by move: v_sum; rewrite big_pred0 // => /eqP; rewrite eq_sym oner_eq0.
  move=> _; rewrite -(pmulr_rge0 _ N_pos); apply: le_trans (le_g x).
  by apply: sumr_ge0 => y _; rewrite divr_ge0 ?mulr_ge0 ?ler0n ?mix_ge0.
rewrite ler_pdivr_mulr // mulrC.
have -> : \sum_y (k y)%:R * z y = \sum_x v x * \sum_y (k y)%:R * C x y / mixture w C y.
  rewrite (eq_bigr (fun y => \sum_x v x * ((k y)%:R * C x y / mixture w C y))) => [|y _].
    by rewrite exchange_big /=; apply: eq_bigr => x _; rewrite mulr_sumr.
  rewrite /z {1}/mixture mulr_suml mulr_sumr; apply: eq_bigr => x _.
  by rewrite -!mulrA mulrCA.
have -> : (\sum_y k y)%:R * (1 + g) = \sum_x v x * ((\sum_y k y)%:R * (1 + g)) by rewrite -mulr_suml v_sum mul1r.
by apply: ler_sum => x _; apply: ler_wpmul2l; [exact: v_ge0 | exact: le_g].
Qed.

End Likelihood.
