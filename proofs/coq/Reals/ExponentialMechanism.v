(* SPDX-License-Identifier: MIT *)
(* The exponential mechanism of the slides, in Coq's real numbers, for every finite set of candidates.         *)
(*                                                                                                            *)
(*   exponential_private        it is (epsilon, 0)-private, for every event (EXPT)                             *)
(*   exponential_strict         strictly, for epsilon > 0                                                      *)
(*   exponential_halves         the two factors of the slides' proof of it (EXPS)                              *)
(*   exponential_utility        the theorem on utility (UT); exponential_utility_all its corollary (UC)        *)
(*   utility_proof              the two inequalities of the slides' proof of it (UTP)                          *)
(*   exponential_expectation    E[q(r)] >= OPT - (2 Delta/epsilon) log(|R|/|R_OPT|)                          *)
(*   expectation_as_printed     the printed bound on E[q(r)] holds where OPT >= e^(-epsilon/(2 Delta)) (EX)  *)
(*   expectation_one_candidate  with one candidate it holds exactly there                                      *)
(*   expectation_needs_one      no bound on OPT below 1 is enough for all epsilon                              *)
(*   expectation_proof_step     the step E[q(r)] >= x Pr[q(r) >= x] at the x of the slides' proof, for OPT >= 1   *)
(*   expectation_step_fails     that step fails for some scores with OPT = 1/4 (EXM)                           *)
(*   markov_nonnegative         E[q(r)] >= x Pr[q(r) >= x] for scores >= 0; markov_negative: not for all scores *)
(*   eye_colour                 OPT - 7.4/epsilon is no guarantee for five colours (EYE)                      *)
(*   vector_sensitivity         the vector of all scores may have the sensitivity |R| GS(q) (MUSE)             *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From ExactDP.Reals Require Import RealSums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope R_scope.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. by case=> [lt|->]; [left; exact: exp_increasing | right]. Qed.

Lemma ln_mono x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. by move=> x_gt0 [lt|->]; [left; exact: ln_increasing | right]. Qed.

Section Mechanism.
Variable T : finType. (* the candidates, R in the slides *)

(* Pr[r] of the slides, at a database with the scores q: exp(epsilon q(r)/(2 Delta)) over the sum of these.    *)
(* First the weight of a candidate, which is the numerator. *)
Definition weight (eps delta : R) (q : T -> R) (r : T) : R := exp (eps * q r / (2 * delta)).

(* The exponential mechanism: the probability of the candidate r, exp(epsilon q(r)/(2 Delta)) / sum_s exp(epsilon q(s)/(2 Delta)). *)
Definition exponential (eps delta : R) (q : T -> R) (r : T) : R :=
  weight eps delta q r / \sum_s weight eps delta q s.

(* The probability of an event, and the expectation of a number, under a law on the candidates. *)
Definition probability (law : T -> R) (S : pred T) : R := \sum_(r | S r) law r.

(* E[f(r)] = sum_r law(r) f(r). *)
Definition expectation (law f : T -> R) : R := \sum_r law r * f r.

(* opt is OPT_q(D): the largest score, which some candidate has. *)
Definition is_largest (q : T -> R) (opt : R) := (forall r, q r <= opt) /\ exists r, q r = opt.

(* |R| and |R_OPT|. *)
Definition candidates : R := card (fun _ : T => true).

(* How many candidates have the score opt: |R_OPT| where opt is OPT. *)
Definition optimal_candidates (q : T -> R) (opt : R) : R := card (fun r => eqR (q r) opt).

Section Privacy.
Variables (D : Type) (neighbours : D -> D -> Prop) (q : D -> T -> R).

(* GS(q): the least number that no change of a score between neighbours exceeds. *)
(* First only a bound: between neighbours no score changes by more than delta. *)
Definition sensitivity_at_most (delta : R) := forall d d' r, neighbours d d' -> Rabs (q d r - q d' r) <= delta.

(* delta is GS(q): the least bound that is >= 0 (0 if there are no neighbours). *)
Definition sensitivity (delta : R) :=
  0 <= delta /\ sensitivity_at_most delta /\ forall b, 0 <= b -> sensitivity_at_most b -> delta <= b.

Lemma weight_gt0 eps delta (s : T -> R) r : 0 < weight eps delta s r.
Proof. exact: exp_pos. Qed.

(* One half of the slides' proof: the weight grows by at most e^(epsilon/2) between neighbours. *)
Lemma weight_le eps delta d d' r : 0 <= eps -> 0 < delta -> sensitivity_at_most delta -> neighbours d d' ->
  weight eps delta (q d) r <= exp (eps / 2) * weight eps delta (q d') r /\
  weight eps delta (q d') r <= exp (eps / 2) * weight eps delta (q d) r.
Proof.
move=> eps_ge0 delta_gt0 GS dd'; have := GS d d' r dd'.
have half x y : Rabs (x - y) <= delta -> eps * x / (2 * delta) <= eps / 2 + eps * y / (2 * delta).
  move=> le; have {}le : x <= delta + y by move: (Rle_abs (x - y)); lra.
  apply: (Rmult_le_reg_r (2 * delta)); first lra.
  have -> : eps * x / (2 * delta) * (2 * delta) = eps * x by field; lra.
  have -> : (eps / 2 + eps * y / (2 * delta)) * (2 * delta) = eps * (delta + y) by field; lra.
  exact: Rmult_le_compat_l.
by move=> le; rewrite /weight -!exp_plus; split; apply: exp_le; apply: half => //; rewrite Rabs_minus_sym.
Qed.

Lemma total_gt0 eps delta (s : T -> R) (r : T) : 0 < \sum_r weight eps delta s r.
Proof. by apply: (sum_gt0 (i0 := r)) => [i|]; [left|]; exact: weight_gt0. Qed.

Theorem exponential_private eps delta d d' (S : pred T) :
  0 <= eps -> 0 < delta -> sensitivity_at_most delta -> neighbours d d' ->
  probability (exponential eps delta (q d)) S <= exp eps * probability (exponential eps delta (q d')) S.
Proof.
move=> eps_ge0 delta_gt0 GS dd'; rewrite /probability sum_mull; apply: sum_le => r _.
rewrite /exponential; set w := weight eps delta.
have up := weight_le r eps_ge0 delta_gt0 GS dd'.
have tot : \sum_s w (q d') s <= exp (eps / 2) * (\sum_s w (q d) s).
  by rewrite sum_mull; apply: sum_le => s _; case: (weight_le s eps_ge0 delta_gt0 GS dd').
have Z := total_gt0 eps delta (q d) r; have Z' := total_gt0 eps delta (q d') r; rewrite -/w in Z Z' up.
have -> : exp eps = exp (eps / 2) * exp (eps / 2) by rewrite -exp_plus; congr exp; field.
set e := exp (eps / 2) in up tot *; have e_gt0 : 0 < e by exact: exp_pos.
apply: (Rmult_le_reg_r (\sum_s w (q d) s)) => //; apply: (Rmult_le_reg_r (\sum_s w (q d') s)) => //.
have -> : w (q d) r / (\sum_s w (q d) s) * (\sum_s w (q d) s) * (\sum_s w (q d') s) = w (q d) r * (\sum_s w (q d') s).
  by field; lra.
have -> : e * e * (w (q d') r / (\sum_s w (q d') s)) * (\sum_s w (q d) s) * (\sum_s w (q d') s)
  = (e * w (q d') r) * (e * (\sum_s w (q d) s)) by field; lra.
by apply: Rmult_le_compat; [left; exact: weight_gt0 | lra | case: up | ].
Qed.

(* No candidate attains e^epsilon: its own weight is in both sums. *)
Theorem exponential_strict eps delta d d' r :
  0 < eps -> 0 < delta -> sensitivity_at_most delta -> neighbours d d' ->
  exponential eps delta (q d) r < exp eps * exponential eps delta (q d') r.
Proof.
move=> eps_gt0 delta_gt0 GS dd'; have le s := weight_le s (Rlt_le _ _ eps_gt0) delta_gt0 GS dd'.
have Z := total_gt0 eps delta (q d) r; have Z' := total_gt0 eps delta (q d') r.
have w_gt0 : 0 < weight eps delta (q d) r by exact: weight_gt0.
have w'_gt0 : 0 < weight eps delta (q d') r by exact: weight_gt0.
rewrite /exponential; have -> : exp eps = exp (eps / 2) * exp (eps / 2) by rewrite -exp_plus; congr exp; field.
have e_gt1 : 1 < exp (eps / 2) by rewrite -exp_0; apply: exp_increasing; lra.
have rest_ge0 : 0 <= \sum_(s | s != r) weight eps delta (q d) s by apply: sum_ge0 => s _; left; exact: weight_gt0.
have rest : \sum_(s | s != r) weight eps delta (q d') s <= exp (eps / 2) * \sum_(s | s != r) weight eps delta (q d) s.
  by rewrite sum_mull; apply: sum_le => s _; case: (le s).
have [one _] := le r; move: Z Z' rest rest_ge0 one e_gt1.
rewrite [\sum_s weight eps delta (q d) s](bigD1 r) //= [\sum_s weight eps delta (q d') s](bigD1 r) //=.
move: w_gt0 w'_gt0; set w := weight _ _ (q d) r; set w' := weight _ _ (q d') r; set z := \sum_(_ | _) weight _ _ (q d) _.
set z' := \sum_(_ | _) weight _ _ (q d') _; set e := exp _ => w_gt0 w'_gt0 Z Z' rest z_ge0 one e_gt1.
apply: (Rmult_lt_reg_r (w + z)) => //; apply: (Rmult_lt_reg_r (w' + z')) => //.
have -> : w / (w + z) * (w + z) * (w' + z') = w * w' + w * z' by field; lra.
have -> : e * e * (w' / (w' + z')) * (w + z) * (w' + z') = e * e * (w * w') + e * e * w' * z by field; lra.
have le1 : w * z' <= (e * w') * (e * z).
  apply: (Rle_trans _ (w * (e * z))); first by apply: Rmult_le_compat_l; lra.
  by apply: Rmult_le_compat_r => //; apply: Rmult_le_pos; lra.
have ww : 0 < w * w' by exact: Rmult_lt_0_compat.
have ee : 1 < e * e by nra.
have : 1 * (w * w') < e * e * (w * w') by exact: Rmult_lt_compat_r.
lra.
Qed.

(* The two factors of the slides' proof. *)
Theorem exponential_halves eps delta d d' r :
  0 <= eps -> 0 < delta -> sensitivity_at_most delta -> neighbours d d' ->
  weight eps delta (q d) r / weight eps delta (q d') r <= exp (eps / 2) /\
  (\sum_s weight eps delta (q d') s) / (\sum_s weight eps delta (q d) s) <= exp (eps / 2).
Proof.
move=> eps_ge0 delta_gt0 GS dd'; have le s := weight_le s eps_ge0 delta_gt0 GS dd'; split.
  apply: (Rmult_le_reg_r (weight eps delta (q d') r)); first exact: weight_gt0.
  by rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; [case: (le r) | have := weight_gt0 eps delta (q d') r; lra].
have Z := total_gt0 eps delta (q d) r; apply: (Rmult_le_reg_r (\sum_s weight eps delta (q d) s)) => //.
rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; last lra.
by rewrite sum_mull; apply: sum_le => s _; case: (le s).
Qed.

End Privacy.

Section Utility.
Variables (eps delta : R) (q : T -> R) (opt : R).
Hypotheses (eps_gt0 : 0 < eps) (delta_gt0 : 0 < delta) (opt_largest : is_largest q opt).
Local Notation law := (exponential eps delta q).
Local Notation K := (2 * delta / eps).
Local Notation Z := (\sum_s weight eps delta q s).

Lemma K_gt0 : 0 < K.
Proof. by apply: Rdiv_lt_0_compat; lra. Qed.

Lemma Z_gt0 : 0 < Z.
Proof. by case: opt_largest => _ [r _]; exact: total_gt0 r. Qed.

Lemma opt_card_ge1 : 1 <= optimal_candidates q opt.
Proof. by case: opt_largest => _ [r q_r]; apply: (@card_ge1 _ _ r); apply/eqRP. Qed.

Lemma opt_card_le : optimal_candidates q opt <= candidates.
Proof. exact: card_le. Qed.

(* The normalising sum has |R_OPT| terms of the largest weight. *)
Lemma Z_ge : optimal_candidates q opt * exp (opt / K) <= Z.
Proof.
rewrite -sum_const; apply: (Rle_trans _ (\sum_(r | eqR (q r) opt) weight eps delta q r)).
  apply: sum_le => r /eqRP <-; right; rewrite /weight; congr exp; field; lra.
by apply: sum_sub_le => r; left; exact: weight_gt0.
Qed.

Lemma law_ge0 r : 0 <= law r.
Proof. by left; apply: Rdiv_lt_0_compat; [exact: weight_gt0 | exact: Z_gt0]. Qed.

Lemma law_total : \sum_r law r = 1.
Proof. by rewrite /exponential -sum_divr; field; move: Z_gt0; lra. Qed.

(* Where the scores are at most x, at most |R| candidates of weight at most e^(x/K). *)
Lemma tail_le (x : R) : probability law (fun r => leR (q r) x) <= candidates / optimal_candidates q opt * exp ((x - opt) / K).
Proof.
have m_ge1 := opt_card_ge1; have K_pos := K_gt0; have Z_pos := Z_gt0.
rewrite /probability /exponential -sum_divr.
have num : \sum_(r | leR (q r) x) weight eps delta q r <= candidates * exp (x / K).
  apply: (Rle_trans _ (\sum_(r | leR (q r) x) exp (x / K))).
    apply: sum_le => r /leRP le; apply: exp_le; have -> : eps * q r / (2 * delta) = q r / K by field; lra.
    by apply: Rmult_le_compat_r => //; left; exact: Rinv_0_lt_compat.
  rewrite sum_const; apply: Rmult_le_compat_r; [by left; exact: exp_pos | exact: card_le].
apply: (Rmult_le_reg_r Z) => //.
have -> : (\sum_(r | leR (q r) x) weight eps delta q r) / Z * Z = \sum_(r | leR (q r) x) weight eps delta q r by field; lra.
apply: (Rle_trans _ (candidates / optimal_candidates q opt * exp ((x - opt) / K) * (optimal_candidates q opt * exp (opt / K)))).
  have -> : candidates / optimal_candidates q opt * exp ((x - opt) / K) * (optimal_candidates q opt * exp (opt / K))
    = candidates * (exp ((x - opt) / K) * exp (opt / K)) by field; lra.
  by rewrite -exp_plus; have -> : (x - opt) / K + opt / K = x / K by field; lra.
apply: Rmult_le_compat_l; last exact: Z_ge.
apply: Rmult_le_pos; last by left; exact: exp_pos.
by apply: Rmult_le_pos; [exact: card_ge0 | left; apply: Rinv_0_lt_compat; lra].
Qed.

(* The two inequalities of the slides' proof. *)
Theorem utility_proof (x : R) : let low := probability law (fun r => leR (q r) x) in
  let best := probability law (fun r => eqR (q r) opt) in
  0 < best /\ low <= low / best /\
  low / best <= candidates * exp (eps * x / (2 * delta)) / (optimal_candidates q opt * exp (eps * opt / (2 * delta))).
Proof.
move=> low best; have m_ge1 := opt_card_ge1; have Z_pos := Z_gt0; have K_pos := K_gt0.
have xK y : eps * y / (2 * delta) = y / K by field; lra.
have bestE : best = optimal_candidates q opt * exp (opt / K) / Z.
  rewrite /best /probability /exponential -sum_divr; congr (_ / _).
  by rewrite -sum_const; apply: eq_bigr => r /eqRP <-; rewrite /weight xK.
have best_gt0 : 0 < best.
  by rewrite bestE; apply: Rdiv_lt_0_compat => //; apply: Rmult_lt_0_compat; [lra | exact: exp_pos].
have best_le1 : best <= 1 by rewrite -law_total; apply: sum_sub_le => r; exact: law_ge0.
have low_ge0 : 0 <= low by apply: sum_ge0 => r _; exact: law_ge0.
split=> //; split.
  apply: (Rmult_le_reg_r best) => //; rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; last lra.
  by rewrite -[X in _ <= X]Rmult_1_r; exact: Rmult_le_compat_l.
have num : \sum_(r | leR (q r) x) weight eps delta q r <= candidates * exp (x / K).
  apply: (Rle_trans _ (\sum_(r | leR (q r) x) exp (x / K))).
    apply: sum_le => r /leRP le; apply: exp_le; rewrite xK.
    by apply: Rmult_le_compat_r => //; left; exact: Rinv_0_lt_compat.
  rewrite sum_const; apply: Rmult_le_compat_r; [by left; exact: exp_pos | exact: card_le].
have lowE : low = (\sum_(r | leR (q r) x) weight eps delta q r) / Z by rewrite /low /probability /exponential -sum_divr.
have e_pos := exp_pos (opt / K); rewrite bestE lowE !xK; move: num; set s := \sum_(r | _) _; set z := \sum_r _ in Z_pos * => num.
set m := optimal_candidates q opt in m_ge1 *; have me_gt0 : 0 < m * exp (opt / K) by apply: Rmult_lt_0_compat; lra.
have -> : s / z / (m * exp (opt / K) / z) = s / (m * exp (opt / K)) by field; repeat split; lra.
by apply: Rmult_le_compat_r => //; left; exact: Rinv_0_lt_compat.
Qed.

(* Pr[q(r) <= OPT - (2 Delta/epsilon) (log(|R|/|R_OPT|) + t)] <= e^(-t), for every real t. *)
Theorem exponential_utility (t : R) :
  probability law (fun r => leR (q r) (opt - 2 * delta / eps * (ln (candidates / optimal_candidates q opt) + t))) <= exp (- t).
Proof.
have m_ge1 := opt_card_ge1; have m_le := opt_card_le; have K_pos := K_gt0.
apply: Rle_trans (tail_le _) _; right.
set c := candidates / _; have c_gt0 : 0 < c by apply: Rdiv_lt_0_compat; lra.
have -> : (opt - K * (ln c + t) - opt) / K = - ln c + - t by field; lra.
by rewrite exp_plus exp_Ropp exp_ln //; field; lra.
Qed.

Corollary exponential_utility_all (t : R) :
  probability law (fun r => leR (q r) (opt - 2 * delta / eps * (ln candidates + t))) <= exp (- t).
Proof.
have m_ge1 := opt_card_ge1; have m_le := opt_card_le; have K_pos := K_gt0.
apply: Rle_trans (tail_le _) _.
have -> : (opt - K * (ln candidates + t) - opt) / K = - ln candidates + - t by field; lra.
rewrite exp_plus exp_Ropp exp_ln; last lra.
have e_gt0 := exp_pos (- t).
have -> : candidates / optimal_candidates q opt * (/ candidates * exp (- t)) = exp (- t) / optimal_candidates q opt by field; lra.
apply: (Rmult_le_reg_r (optimal_candidates q opt)); first lra.
have -> : exp (- t) / optimal_candidates q opt * optimal_candidates q opt = exp (- t) by field; lra.
nra.
Qed.

(* E[q(r)] >= OPT - (2 Delta/epsilon) log(|R|/|R_OPT|), whatever the signs of the scores. *)
Theorem exponential_expectation :
  opt - 2 * delta / eps * ln (candidates / optimal_candidates q opt) <= expectation law q.
Proof.
have m_ge1 := opt_card_ge1; have m_le := opt_card_le; have K_pos := K_gt0; have Z_pos := Z_gt0.
set n := candidates in m_le *; set m := optimal_candidates q opt in m_ge1 m_le *.
have ratio_gt0 : 0 < n / m by apply: Rdiv_lt_0_compat; lra.
(* 1 + y <= e^y at y = (OPT - q(r))/K - log(n/m), summed with the weights of the law *)
have : \sum_r law r * ((opt - q r) / K - ln (n / m)) <= \sum_r (exp (opt / K) * (m / n) / Z - law r).
  apply: sum_le => r _; set y := (opt - q r) / K - ln (n / m).
  have -> : exp (opt / K) * (m / n) / Z = law r * exp y.
    rewrite /y /Rminus exp_plus exp_Ropp exp_ln // /exponential /weight.
    have -> : (opt + - q r) / K = opt / K + - (eps * q r / (2 * delta)) by field; lra.
    rewrite exp_plus exp_Ropp.
    have := exp_pos (opt / K); have := exp_pos (eps * q r / (2 * delta)).
    set w := exp (eps * q r / (2 * delta)); set e := exp (opt / K) => w_gt0 e_gt0.
    by set z := \sum_s _ in Z_pos *; field; repeat split; lra.
  have : 1 + y <= exp y by exact: exp_ineq1_le.
  have := law_ge0 r; nra.
rewrite sum_sub law_total sum_const -/candidates -/n.
have -> : \sum_r law r * ((opt - q r) / K - ln (n / m)) = (opt - expectation law q) / K - ln (n / m).
  rewrite /expectation.
  rewrite (eq_bigr (fun r => (opt / K - ln (n / m)) * law r - / K * (law r * q r))) => [|r _]; last by field; lra.
  by rewrite sum_sub -!sum_mull law_total; field; lra.
have : n * (exp (opt / K) * (m / n) / Z) <= 1.
  have -> : n * (exp (opt / K) * (m / n) / Z) = (m * exp (opt / K)) / Z by field; lra.
  apply: (Rmult_le_reg_r Z) => //; have -> : m * exp (opt / K) / Z * Z = m * exp (opt / K) by field; lra.
  by rewrite Rmult_1_l; exact: Z_ge.
move=> le1 le2; have {le1 le2} le : (opt - expectation law q) / K <= ln (n / m) by lra.
have := Rmult_le_compat_l K _ _ (Rlt_le _ _ K_pos) le.
have -> : K * ((opt - expectation law q) / K) = opt - expectation law q by field; lra.
by lra.
Qed.

(* The printed bound, where OPT is not below e^(-epsilon/(2 Delta)); so wherever OPT >= 1. *)
Theorem expectation_as_printed : exp (- (eps / (2 * delta))) <= opt ->
  opt - 2 * delta / eps * (ln candidates + ln opt) - 1 <= expectation law q.
Proof.
move=> opt_ge; apply: Rle_trans exponential_expectation.
have m_ge1 := opt_card_ge1; have m_le := opt_card_le; have K_pos := K_gt0.
have ln_opt : - (eps / (2 * delta)) <= ln opt.
  rewrite -(ln_exp (- (eps / (2 * delta)))); apply: ln_mono => //; exact: exp_pos.
have ln_m : ln (candidates / optimal_candidates q opt) <= ln candidates.
  apply: ln_mono; first by apply: Rdiv_lt_0_compat; lra.
  apply: (Rmult_le_reg_r (optimal_candidates q opt)); first lra.
  have -> : candidates / optimal_candidates q opt * optimal_candidates q opt = candidates by field; lra.
  by rewrite -[X in X <= _]Rmult_1_r; apply: Rmult_le_compat_l => //; exact: card_ge0.
have one : K * (eps / (2 * delta)) = 1 by field; lra.
have := Rmult_le_compat_l K _ _ (Rlt_le _ _ K_pos) ln_opt.
have := Rmult_le_compat_l K _ _ (Rlt_le _ _ K_pos) ln_m.
lra.
Qed.

(* The two lines that the slides put before it. *)
Theorem expectation_proof_tail : 0 < opt ->
  probability law (fun r => leR (q r) (opt - 2 * delta / eps * (ln candidates + ln opt))) <= 1 / opt /\
  1 - 1 / opt <= probability law (fun r => leR (opt - 2 * delta / eps * (ln candidates + ln opt)) (q r)).
Proof.
move=> opt_gt0; set x := opt - _.
have low : probability law (fun r => leR (q r) x) <= 1 / opt.
  apply: Rle_trans (exponential_utility_all _) _; rewrite exp_Ropp exp_ln //; right; field; lra.
split=> //; have : 1 <= probability law (fun r => leR (q r) x) + probability law (fun r => leR x (q r)); last lra.
rewrite -{1}law_total (bigID (fun r => leR (q r) x)) /=; apply: Rplus_le_compat_l.
rewrite /probability big_mkcond [X in _ <= X]big_mkcond /=; apply: sum_le => r _.
have := law_ge0 r; case: leRP => [_|gt] ge0 /=; case: leRP => // not; lra.
Qed.

(* The third line of the slides' proof at its own x, for OPT >= 1: true for scores of any sign. *)
Theorem expectation_proof_step : 1 <= opt -> let x := opt - 2 * delta / eps * (ln candidates + ln opt) in
  x * probability law (fun r => leR x (q r)) <= expectation law q.
Proof.
move=> opt_ge1 x; have m_ge1 := opt_card_ge1; have m_le := opt_card_le; have K_pos := K_gt0.
have n_ge1 : 1 <= candidates by lra.
have [q_le [r0 q_r0]] := opt_largest.
case: (Rle_dec 0 x) => [x_ge0|/Rnot_le_lt x_lt0].
  have E_ge : x <= expectation law q.
    apply: Rle_trans exponential_expectation; rewrite /x.
    have ln_m : ln (candidates / optimal_candidates q opt) <= ln candidates + ln opt.
      rewrite -ln_mult; try lra.
      apply: ln_mono; first by apply: Rdiv_lt_0_compat; lra.
      apply: (Rmult_le_reg_r (optimal_candidates q opt)); first lra.
      have -> : candidates / optimal_candidates q opt * optimal_candidates q opt = candidates by field; lra.
      have : 1 * 1 <= opt * optimal_candidates q opt by apply: Rmult_le_compat; lra.
      by move=> le; have := Rmult_le_compat_l candidates _ _ (card_ge0 _) le; lra.
    by have := Rmult_le_compat_l K _ _ (Rlt_le _ _ K_pos) ln_m; lra.
  have P_le1 : probability law (fun r => leR x (q r)) <= 1 by rewrite -law_total; apply: sum_sub_le => r; exact: law_ge0.
  by have := Rmult_le_compat_l x _ _ x_ge0 P_le1; lra.
set L := ln candidates + ln opt in x x_lt0 *; set M := Rmax 1 L.
have M_ge1 : 1 <= M := Rmax_l _ _; have M_geL : L <= M := Rmax_r _ _.
have KL : opt < K * L by rewrite /x in x_lt0; lra.
have L_gt0 : 0 < L.
  by apply: (Rmult_lt_reg_l K) => //; lra.
have exp_L : exp (- L) <= / candidates.
  rewrite exp_Ropp /L -ln_mult ?exp_ln; try lra; last by apply: Rmult_lt_0_compat; lra.
  apply: Rinv_le_contravar; first lra.
  by have := Rmult_le_compat_l candidates _ _ (card_ge0 _) opt_ge1; lra.
have law_r0 r : law r = law r0 * exp (- ((opt - q r) / K)).
  have Z_pos := Z_gt0; rewrite /exponential; set t := \sum_s _ in Z_pos *; rewrite /weight q_r0.
  have -> : eps * q r / (2 * delta) = eps * opt / (2 * delta) + - ((opt - q r) / K) by field; lra.
  by rewrite exp_plus /Rdiv; ring.
have p_gt0 : 0 < law r0 by apply: Rdiv_lt_0_compat; [exact: exp_pos | exact: Z_gt0].
(* one candidate of a low score takes away at most law r0 * K * M / n *)
have low r : q r < x -> - (law r0 * (K * (M / candidates))) <= law r * q r.
  move=> lt; set z := (opt - q r) / K.
  have zL : L < z.
    apply: (Rmult_lt_reg_l K) => //; have -> : K * z = opt - q r by rewrite /z; field; lra.
    by rewrite /x in lt; lra.
  have z_le : z * exp (- z) <= M / candidates.
    have e_z : 1 + (z - L) <= exp (z - L) := exp_ineq1_le _.
    have le1 : z <= M * exp (z - L) by nra.
    have -> : exp (- z) = exp (- L) * / exp (z - L) by rewrite -exp_Ropp -exp_plus; congr exp; ring.
    have e_gt0 : 0 < exp (z - L) by exact: exp_pos.
    apply: (Rle_trans _ (M * exp (- L))).
      have -> : z * (exp (- L) * / exp (z - L)) = z * / exp (z - L) * exp (- L) by ring.
      apply: Rmult_le_compat_r; first by left; exact: exp_pos.
      by apply: (Rmult_le_reg_r (exp (z - L))) => //; rewrite Rmult_assoc Rinv_l; lra.
    by apply: Rmult_le_compat_l; lra.
  rewrite (law_r0 r) -/z; have q_ge : - (K * z) <= q r.
    have -> : K * z = opt - q r by rewrite /z; field; lra.
    lra.
  have le2 := Rmult_le_compat_l K _ _ (Rlt_le _ _ K_pos) z_le.
  have le3 : exp (- z) * - (K * z) <= exp (- z) * q r by apply: Rmult_le_compat_l => //; left; exact: exp_pos.
  have le4 : - (K * (M / candidates)) <= exp (- z) * q r by lra.
  have -> : law r0 * exp (- z) * q r = law r0 * (exp (- z) * q r) by ring.
  by rewrite Ropp_mult_distr_r; exact: Rmult_le_compat_l (Rlt_le _ _ p_gt0) le4.
have M_small : (candidates - 1) * (M / candidates) <= L.
  have -> : (candidates - 1) * (M / candidates) = (1 - / candidates) * M by field; lra.
  have inv_gt0 : 0 < / candidates by apply: Rinv_0_lt_compat; lra.
  have inv_le1 : / candidates <= 1 by rewrite -Rinv_1; apply: Rinv_le_contravar; lra.
  rewrite /M /Rmax; case: Rle_dec => [_|/Rnot_le_lt lt]; first by nra.
  have ln_n : 1 - / candidates <= ln candidates.
    have := exp_ineq1_le (- ln candidates); rewrite exp_Ropp exp_ln; lra.
  have ln_opt : 0 <= ln opt by rewrite -ln_1; apply: ln_mono; lra.
  by rewrite /L; lra.
have split_r0 f : \sum_r f r = f r0 + \sum_(r | r != r0) f r by rewrite (bigD1 r0).
have -> : x * probability law (fun r => leR x (q r)) = \sum_r (if leR x (q r) then x * law r else 0).
  by rewrite /probability sum_mull big_mkcond.
suff : 0 <= \sum_r (law r * q r - (if leR x (q r) then x * law r else 0)).
  by rewrite sum_sub /expectation; lra.
rewrite split_r0 q_r0; have -> : leR x opt by apply/leRP; rewrite /x; have := KL; lra.
apply: (Rle_trans _ (law r0 * opt - x * law r0 + \sum_(r | r != r0) - (law r0 * (K * (M / candidates))))); last first.
  apply: Rplus_le_compat_l; apply: sum_le => r _; case: leRP => [le|/Rnot_le_lt lt]; last by have := low r lt; lra.
  have := law_ge0 r; have : 0 <= law r0 * (K * (M / candidates)).
    apply: Rmult_le_pos; first lra; apply: Rmult_le_pos; first lra.
    by apply: Rmult_le_pos; [lra | left; apply: Rinv_0_lt_compat; lra].
  nra.
have others : card (fun r => r != r0) = candidates - 1.
  have := split_r0 (fun=> 1); rewrite !sum_const /candidates; lra.
rewrite sum_const others /x.
have : law r0 * (K * ((candidates - 1) * (M / candidates))) <= law r0 * (K * L).
  by apply: Rmult_le_compat_l; [lra | apply: Rmult_le_compat_l; lra].
lra.
Qed.

End Utility.

(* With one candidate E[q(r)] = OPT, and the printed bound asks for OPT >= e^(-epsilon/(2 Delta)). *)
Theorem expectation_one_candidate eps delta (q : T -> R) opt :
  0 < eps -> 0 < delta -> is_largest q opt -> #|T| = 1%N -> 0 < opt ->
  opt - 2 * delta / eps * (ln candidates + ln opt) - 1 <= expectation (exponential eps delta q) q
  <-> exp (- (eps / (2 * delta))) <= opt.
Proof.
move=> eps_gt0 delta_gt0 opt_largest one opt_gt0; split=> [|opt_ge]; last first.
  exact: expectation_as_printed.
have cand : candidates = 1 by rewrite /candidates /card (_ : #|_| = #|T|) ?one.
have [r0 q_r0] := proj2 opt_largest.
have q_opt r : q r = opt.
  rewrite -q_r0; congr q; apply/eqP; have := max_card (pred2 r r0); rewrite one card2 /=.
  by case: eqP => // _; rewrite ltnn.
have -> : expectation (exponential eps delta q) q = opt.
  rewrite /expectation (eq_bigr (fun r => exponential eps delta q r * opt)) => [|r _]; last by rewrite q_opt.
  by rewrite -sum_mulr (law_total eps delta opt_largest); ring.
rewrite cand ln_1 => le.
have ln_opt : - (eps / (2 * delta)) <= ln opt.
  have : - 1 <= 2 * delta / eps * ln opt by lra.
  move=> {}le; apply: (Rmult_le_reg_l (2 * delta / eps)); first by apply: Rdiv_lt_0_compat; lra.
  by have -> : 2 * delta / eps * - (eps / (2 * delta)) = - 1 by field; lra.
by rewrite -(exp_ln opt) //; exact: exp_le.
Qed.

End Mechanism.

(* Every OPT below 1 has a score with the sensitivity Delta = 1 and an epsilon for which the printed bound     *)
(* fails, with one candidate.  So OPT >= 1 is the weakest condition on OPT alone.                              *)
Theorem expectation_needs_one (opt : R) : 0 < opt < 1 ->
  exists (eps : R) (q : bool -> unit -> R),
  0 < eps /\ sensitivity (fun _ _ => True) q 1 /\ is_largest (q true) opt /\
  ~ opt - 2 * 1 / eps * (ln (candidates [finType of unit]) + ln opt) - 1 <= expectation (exponential eps 1 (q true)) (q true).
Proof.
move=> opt_range; have ln_lt0 : ln opt < 0 by rewrite -ln_1; apply: ln_increasing; lra.
exists (- ln opt), (fun d _ => if d then opt else opt + 1); split; first lra; split; last split.
- split; first lra; split=> [[] [] [] _|b b_ge0 /(_ false true tt I)].
  + by rewrite Rminus_eq_0 Rabs_R0; lra.
  + by rewrite Rabs_left; lra.
  + by rewrite Rabs_right; lra.
  + by rewrite Rminus_eq_0 Rabs_R0; lra.
  + by rewrite Rabs_right; lra.
- by split=> [[]|]; [lra | exists tt].
move=> /expectation_one_candidate le.
have : exp (- (- ln opt / (2 * 1))) <= exp (ln opt).
  rewrite exp_ln; last lra.
  by apply: le; rewrite ?card_unit //; [lra | lra | split=> [[]|]; [lra | exists tt] | lra].
case=> [/exp_lt_inv|/exp_inv]; lra.
Qed.

(* The step E[q(r)] >= x Pr[q(r) >= x] of the slides: it holds for scores that are not negative ...            *)
Theorem markov_nonnegative (T : finType) (law f : T -> R) (x : R) :
  (forall r, 0 <= law r) -> (forall r, 0 <= f r) ->
  x * probability law (fun r => leR x (f r)) <= expectation law f.
Proof.
move=> law_ge0 f_ge0; rewrite /probability sum_mull.
apply: (Rle_trans _ (\sum_(r | leR x (f r)) law r * f r)).
  by apply: sum_le => r /leRP le; rewrite Rmult_comm; apply: Rmult_le_compat_l.
by apply: sum_sub_le => r; apply: Rmult_le_pos.
Qed.

(* ... and fails for one candidate with the score -1, at x = 0, for every epsilon and Delta. *)
Theorem markov_negative (eps delta : R) : let q := fun _ : unit => -1 in
  expectation (exponential eps delta q) q < 0 * probability (exponential eps delta q) (fun r => leR 0 (q r)).
Proof.
move=> q; rewrite Rmult_0_l /expectation (eq_bigr (fun r => exponential eps delta q r * -1)) // -sum_mulr.
have w_gt0 : 0 < weight eps delta q tt by exact: exp_pos.
rewrite /exponential -sum_divr.
rewrite [X in X * -1](_ : _ = 1); first lra.
rewrite /Rdiv Rinv_r //; apply: Rgt_not_eq; apply: (sum_gt0 (i0 := tt)) => // r; left; exact: exp_pos.
Qed.

(* At the x of the proof itself it fails for OPT = 1/4 and another candidate with the score -1: x is above OPT,    *)
(* and the mean is negative.                                                                                   *)
Theorem expectation_step_fails : let q := fun r : bool => if r then / 4 else -1 in
  let x := / 4 - 2 * 1 / 1 * (ln (candidates [finType of bool]) + ln (/ 4)) in
  is_largest q (/ 4) /\ expectation (exponential 1 1 q) q < x * probability (exponential 1 1 q) (fun r => leR x (q r)).
Proof.
move=> q x; split; first by split=> [[]|]; [rewrite /q; lra | rewrite /q; lra | exists true].
have cand : candidates [finType of bool] = 2 by rewrite /candidates /card (_ : #|_| = #|[finType of bool]|) ?card_bool.
have ln2 : 0 < ln 2 by rewrite -ln_1; apply: ln_increasing; lra.
have x_gt : / 4 < x.
  rewrite /x cand; have -> : / 4 = / (2 * 2) by congr (/ _); ring.
  by rewrite ln_Rinv ?ln_mult; lra.
rewrite /probability (eq_bigl pred0) => [|[]]; last first.
- by rewrite /q; case: leRP => // le; exfalso; lra.
- by rewrite /q; case: leRP => // le; exfalso; lra.
rewrite big_pred0_eq Rmult_0_r.
have sum2 (f : bool -> R) : \sum_r f r = f true + f false by rewrite big_bool.
rewrite /expectation sum2 /exponential /q; set z := \sum_s _.
have z_gt0 : 0 < z by rewrite /z sum2; apply: Rplus_lt_0_compat; exact: exp_pos.
set u := weight 1 1 _ true; set w := weight 1 1 _ false.
have -> : u / z * / 4 + w / z * -1 = (u - 4 * w) / (4 * z) by field; lra.
have w_gt0 : 0 < w by exact: exp_pos.
have u_le : u <= w * 3.
  have -> : u = w * exp (5 / 8) by rewrite /u /w /weight -exp_plus; congr exp; field.
  apply: Rmult_le_compat_l; [lra | apply: Rle_trans (exp_le _) exp_le_3; lra].
have : 0 < (4 * w - u) / (4 * z) by apply: Rdiv_lt_0_compat; lra.
have -> : (4 * w - u) / (4 * z) = - ((u - 4 * w) / (4 * z)) by field; lra.
lra.
Qed.

(* The last step of the slides' proof: ">" where c = (2 Delta/epsilon)(log|R| + log OPT) > 0, "=" where c = 0. *)
Theorem expectation_last_step (opt c : R) : 0 < opt ->
  (opt - c) * (1 - 1 / opt) = opt - c - 1 + c / opt.
Proof. by move=> opt_gt0; field; lra. Qed.

(* The vector of all scores, as a query with real coordinates: its sensitivity in L1. *)
Definition vector_sensitivity_is (D : Type) (T : finType) (neighbours : D -> D -> Prop) (q : D -> T -> R) (s : R) :=
  (forall d d', neighbours d d' -> \sum_r Rabs (q d r - q d' r) <= s) /\
  forall b, (forall d d', neighbours d d' -> \sum_r Rabs (q d r - q d' r) <= b) -> s <= b.

(* It is at most |R| times that of the score ... *)
Theorem vector_sensitivity_le (D : Type) (T : finType) (neighbours : D -> D -> Prop) (q : D -> T -> R) (delta s : R) :
  sensitivity_at_most neighbours q delta -> vector_sensitivity_is neighbours q s -> s <= candidates T * delta.
Proof. by move=> GS [_]; apply=> d d' dd'; rewrite -sum_const; apply: sum_le => r _; exact: GS. Qed.

(* ... and it may be so for every set of candidates: the score |D| of a database with |D| records. *)
Theorem vector_sensitivity (T : finType) (r0 : T) :
  let neighbours := fun d d' : nat => (d <= d'.+1)%N && (d' <= d.+1)%N in
  let q := fun (d : nat) (_ : T) => INR d in
  sensitivity neighbours q 1 /\ vector_sensitivity_is neighbours q (candidates T * 1).
Proof.
move=> neighbours q.
have near d d' r : neighbours d d' -> Rabs (q d r - q d' r) <= 1.
  move=> /andP[/leP/le_INR le1 /leP/le_INR le2]; rewrite !S_INR in le1 le2.
  by rewrite /q; apply: Rabs_le; lra.
have far r : Rabs (q 1%N r - q 0%N r) = 1 by rewrite /q /= Rminus_0_r Rabs_R1.
split.
  split; first lra; split=> // b _ /(_ 1%N 0%N r0 isT).
  by rewrite far.
split=> [d d' dd'|b /(_ 1%N 0%N isT)]; first by rewrite -sum_const; apply: sum_le => r _; exact: near.
by rewrite (eq_bigr (fun=> 1)) ?sum_const.
Qed.

(* Five colours, one of them 10 people ahead of the four others, epsilon = 3/4: a colour that is more than     *)
(* 7.4/epsilon people worse than the best comes with a probability above e^(-3).                               *)
Theorem eye_colour : let q := fun r : 'I_5 => if r == ord0 then 10 else 0 in
  is_largest q 10 /\ exp (-3) < probability (exponential (3 / 4) 1 q) (fun r => leR (q r) (10 - 7.4 / (3 / 4))).
Proof.
move=> q; split; first by split=> [r|]; [rewrite /q; case: eqP; lra | exists ord0].
set y := exp (- (3 / 4)); have y_gt0 : 0 < y by exact: exp_pos.
set w := exp (3 / 4); have wy : w * y = 1 by rewrite -exp_plus -exp_0; congr exp; field.
have -> : exp (-3) = y * y * y * y by rewrite -!exp_plus; congr exp; field.
have w_low : 7 / 4 <= w by have := exp_ineq1_le (3 / 4); rewrite -/w; lra.
have y_up : y <= 4 / 7 by nra.
have y_low : 27 / 64 <= y.
  have -> : y = exp (- (1 / 4)) * exp (- (1 / 4)) * exp (- (1 / 4)) by rewrite -!exp_plus; congr exp; field.
  have : 3 / 4 <= exp (- (1 / 4)) by have := exp_ineq1_le (- (1 / 4)); lra.
  set u := exp _ => u_low; have : 9 / 16 <= u * u by nra.
  nra.
have w_up : w <= 64 / 27 by nra.
have w0 : weight (3 / 4) 1 q ord0 = w * w * w * w * w.
  by rewrite /weight /q eqxx /w -!exp_plus; congr exp; field.
have w1 r : r != ord0 -> weight (3 / 4) 1 q r = 1.
  by move=> /negbTE ne; rewrite /weight /q ne (_ : _ / _ = 0) ?exp_0 //; field.
have others : \sum_(r | r != (ord0 : 'I_5)) 1 = 4.
  rewrite sum_const /card (eq_card (B := predC1 ord0)) // cardC1 card_ord /=; lra.
have total : \sum_r weight (3 / 4) 1 q r = w * w * w * w * w + 4.
  by rewrite (bigD1 ord0) //= w0 (eq_bigr (fun=> 1)) ?others.
rewrite /probability /exponential -sum_divr total.
rewrite (eq_bigl (fun r => r != ord0)) => [|r]; last first.
  by rewrite /q; case: (r =P ord0) => _; case: leRP => //; lra.
rewrite (eq_bigr (fun=> 1)) ?others //.
have w5_gt0 : 0 < w * w * w * w * w by repeat apply: Rmult_lt_0_compat; lra.
apply: (Rmult_lt_reg_r (w * w * w * w * w + 4)); first lra.
have -> : 4 / (w * w * w * w * w + 4) * (w * w * w * w * w + 4) = 4 by field; lra.
have -> : y * y * y * y * (w * w * w * w * w + 4) = (w * y) * (w * y) * (w * y) * (w * y) * w + 4 * (y * y) * (y * y) by ring.
rewrite wy; have : y * y <= 16 / 49 by nra.
have : 0 <= y * y by nra.
set s := y * y; nra.
Qed.
