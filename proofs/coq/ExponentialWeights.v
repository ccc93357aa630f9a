(* SPDX-License-Identifier: MIT *)
(* The exponential mechanism over any ordered field with an exponential function, without axioms.              *)
(*                                                                                                            *)
(*   weights_private       it is epsilon-private, for every event                                              *)
(*   weights_utility       how likely a score is that much below the largest                                   *)
(*   weights_expectation   how far the expected score is below the largest                                     *)
(* The exponential is any e with e(x + y) = e(x) e(y) > 0 that does not decrease; a logarithm of c is a number  *)
(* s with e(s) = c.  Reals/ExponentialMechanism.v states the same of Coq's exp and ln.                          *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ExponentialWeights.
Variables (R : realFieldType) (e : R -> R).
Hypotheses (e_gt0 : forall x, 0 < e x) (e_add : forall x y, e (x + y) = e x * e y).
Hypothesis e_mono : forall x y, x <= y -> e x <= e y.
Add Field R_field : (field_theory_of R).
Variable T : finType. (* the candidates *)
Implicit Types (q : T -> R) (eps delta opt s t : R) (S : {set T}).

(* e(epsilon q(r)/(2 Delta)), and the law that is proportional to it. *)
Definition weight eps delta q (r : T) : R := e (eps * q r / (2%:R * delta)).

(* The exponential mechanism: the candidate r has the probability weight(r) / sum_u weight(u). *)
Definition chosen eps delta q (r : T) : R := weight eps delta q r / \sum_u weight eps delta q u.

(* The probability of an event, and the expected score. *)
Definition event eps delta q S : R := \sum_(r in S) chosen eps delta q r.

(* The expected score, sum_r chosen(r) q(r). *)
Definition expected eps delta q : R := \sum_r chosen eps delta q r * q r.

Lemma e0 : e 0 = 1.
Proof. by apply: (mulfI (lt0r_neq0 (e_gt0 0))); rewrite -e_add addr0 mulr1. Qed.

Lemma eN x : e (- x) = (e x)^-1.
Proof. by apply: (mulfI (lt0r_neq0 (e_gt0 x))); rewrite -e_add subrr e0 divff ?gt_eqF. Qed.

Lemma total_gt0 eps delta q (r : T) : 0 < \sum_u weight eps delta q u.
Proof.
rewrite (bigD1 r) //= ltr_paddr ?e_gt0 // sumr_ge0 // => u _; exact/ltW/e_gt0.
Qed.

Theorem weights_private eps delta q q' S : 0 <= eps -> 0 < delta -> (forall r, `|q r - q' r| <= delta) ->
  event eps delta q S <= e eps * event eps delta q' S.
Proof.
move=> eps_ge0 delta_gt0 near; have d2_gt0 : 0 < 2%:R * delta by rewrite mulr_gt0 ?ltr0n.
pose h := e (eps / 2%:R).
have hh : e eps = h * h by rewrite -e_add -mulrDr -mulr2n -mulr_natr mulVf ?mulr1 ?pnatr_eq0.
have h_gt0 : 0 < h := e_gt0 _.
have half u v : u - v <= delta -> e (eps * u / (2%:R * delta)) <= h * e (eps * v / (2%:R * delta)).
  move=> le; rewrite -e_add; apply: e_mono; rewrite -ler_subl_addr -mulrBl -mulrBr.
  rewrite ler_pdivr_mulr // mulrA -[_ * 2%:R]mulrA mulVf ?mulr1 ?pnatr_eq0 //; exact: ler_wpmul2l.
have up r : weight eps delta q r <= h * weight eps delta q' r.
  by apply: half; apply: le_trans (near r); exact: ler_norm.
have down r : weight eps delta q' r <= h * weight eps delta q r.
  by apply: half; apply: le_trans (near r); rewrite distrC; exact: ler_norm.
rewrite /event mulr_sumr; apply: ler_sum => r _; rewrite /chosen hh.
have Z := total_gt0 eps delta q r; have Z' := total_gt0 eps delta q' r.
set z := \sum_u weight eps delta q u in Z *; set z' := \sum_u weight eps delta q' u in Z' *.
have tot : z' <= h * z by rewrite mulr_sumr; apply: ler_sum => u _.
rewrite ler_pdivr_mulr // -(ler_pmul2r Z').
have -> : h * h * (weight eps delta q' r / z') * z * z' = (h * weight eps delta q' r) * (h * z).
  by by_field R; apply/eqP; exact: lt0r_neq0.
by apply: ler_pmul => //; [exact/ltW/e_gt0 | exact: ltW].
Qed.

Section Utility.
Variables (eps delta : R) (q : T -> R) (opt : R).
Hypotheses (eps_gt0 : 0 < eps) (delta_gt0 : 0 < delta) (opt_max : forall r, q r <= opt).
Local Notation best := [set r | q r == opt]. (* R_OPT *)
Hypothesis opt_attained : best != set0.
Local Notation K := (2%:R * delta / eps).
Local Notation Z := (\sum_u weight eps delta q u).

Lemma K_gt0 : 0 < K.
Proof. by rewrite divr_gt0 ?mulr_gt0 ?ltr0n. Qed.

Lemma weightE r : weight eps delta q r = e (q r / K).
Proof. by rewrite /weight invf_div mulrA [q r * eps]mulrC. Qed.

Lemma Z_gt0 : 0 < Z.
Proof. by have /set0Pn [r _] := opt_attained; exact: total_gt0 r. Qed.

Lemma best_gt0 : 0 < #|best|%:R :> R.
Proof. by rewrite ltr0n card_gt0. Qed.

Lemma T_gt0 : 0 < #|T|%:R :> R.
Proof. by have /set0Pn [r _] := opt_attained; rewrite ltr0n; apply/card_gt0P; exists r. Qed.

Lemma Z_ge : #|best|%:R * e (opt / K) <= Z.
Proof.
rewrite mulr_natl -sumr_const [leRHS](bigID (mem best)) /= -[leLHS]addr0 ler_add //.
  by apply: ler_sum => r; rewrite inE weightE => /eqP ->.
by apply: sumr_ge0 => r _; exact/ltW/e_gt0.
Qed.

Theorem weights_utility s t : e s = #|T|%:R / #|best|%:R ->
  event eps delta q [set r | q r <= opt - K * (s + t)] <= e (- t).
Proof.
move=> e_s; set x := opt - _; rewrite /event /chosen -mulr_suml ler_pdivr_mulr ?Z_gt0 //.
apply: (@le_trans _ _ (#|T|%:R * e (x / K))).
  apply: (@le_trans _ _ (\sum_(r in [set r | q r <= x]) e (x / K))).
    apply: ler_sum => r; rewrite inE weightE => le; apply: e_mono.
    by rewrite ler_pmul2r ?invr_gt0 ?K_gt0.
  by rewrite sumr_const -[leLHS]mulr_natl ler_wpmul2r ?ler_nat ?max_card // ltW.
apply: le_trans (ler_wpmul2l (ltW (e_gt0 _)) Z_ge).
have -> : x / K = - s + (- t + opt / K).
  by have := lt0r_neq0 K_gt0; rewrite /x; move: K => k k_n0; by_field R; apply/eqP.
rewrite !e_add eN e_s; have N_gt0 := T_gt0; have m_gt0 := best_gt0.
set N := #|T|%:R in N_gt0 *; set m := #|best|%:R in m_gt0 *; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by by_field R; split; apply/eqP; exact: lt0r_neq0.
Qed.

Theorem weights_expectation s : (forall x, 1 + x <= e x) -> e s = #|T|%:R / #|best|%:R ->
  opt - K * s <= expected eps delta q.
Proof.
move=> e_ge e_s; have chosen_sum : \sum_r chosen eps delta q r = 1 by rewrite -mulr_suml divff ?gt_eqF ?Z_gt0.
have chosen_ge0 r : 0 <= chosen eps delta q r by rewrite divr_ge0 // ltW ?Z_gt0 ?e_gt0.
have sum1 : \sum_r chosen eps delta q r * (1 + ((opt - q r) / K - s)) <= 1.
  apply: (@le_trans _ _ (\sum_(r : T) (e (opt / K) / (e s * Z)))).
    apply: ler_sum => r _; apply: le_trans (ler_wpmul2l (chosen_ge0 r) (e_ge _)) _.
    rewrite /chosen weightE mulrBl !e_add !eN le_eqVlt; apply/orP; left; apply/eqP.
    have := e_gt0 (q r / K); have := e_gt0 s; have := Z_gt0; set z := \sum_u _; set es := e s; set eq := e (q r / K).
    by move=> z0 s0 q0; by_field R; repeat split; apply/eqP; exact: lt0r_neq0.
  have N_gt0 := T_gt0; have m_gt0 := best_gt0; have z_gt0 := Z_gt0; have z_ge := Z_ge.
  rewrite sumr_const -[leLHS]mulr_natl e_s; set N := #|T|%:R in N_gt0 *; set m := #|best|%:R in m_gt0 z_ge *.
  have -> : N * (e (opt / K) / (N / m * Z)) = m * e (opt / K) / Z.
    by set z := \sum_u _ in z_gt0 *; by_field R; repeat split; apply/eqP; exact: lt0r_neq0.
  by rewrite ler_pdivr_mulr // mul1r.
have sumE : \sum_r chosen eps delta q r * (1 + ((opt - q r) / K - s)) = 1 + (opt / K - s) - expected eps delta q / K.
  rewrite (eq_bigr (fun r => (1 + (opt / K - s)) * chosen eps delta q r - chosen eps delta q r * q r / K)) => [|r _].
    by rewrite sumrB -mulr_sumr chosen_sum mulr1 -mulr_suml.
  by rewrite [(opt - _) / _]mulrBl; move: (opt / K) => o; rewrite -[_ * q r / K]mulrA; move: (q r / K) => u; by_ring R.
move: sum1; rewrite sumE -addrA ger_addl -[_ - s + _]addrA [- s + _]addrC addrA subr_le0 -mulrBl ler_pdivr_mulr ?K_gt0 //.
by rewrite mulrC ler_subl_addr -ler_subl_addl.
Qed.

End Utility.
End ExponentialWeights.
