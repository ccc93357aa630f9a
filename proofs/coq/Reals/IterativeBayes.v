(* SPDX-License-Identifier: MIT *)
(* The iterative Bayesian method of the foundations lecture: how near its likelihood comes to the largest.     *)
(*                                                                                                            *)
(*   update_increases     no step lowers the likelihood                                                        *)
(*   likelihood_converges after N steps from p_0 >= c > 0 the mean log-likelihood is at most ln(1/c)/N below    *)
(*                        that of any distribution; so it tends to the least upper bound                       *)
(*   stuck                an input of probability 0 keeps it                                                   *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From ExactDP.Reals Require Import RealSums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope R_scope.

Lemma ln_le_minus1 z : 0 < z -> ln z <= z - 1.
Proof. by move=> z_gt0; have := exp_ineq1_le (ln z); rewrite exp_ln //; lra. Qed.

Section IterativeBayes.
Variables (X Y : finType) (C : X -> Y -> R) (q : Y -> R).
(* C x y is the probability of the report y at the input x, q y the frequency of the report y.                 *)
Hypotheses (C_ge0 : forall x y, 0 <= C x y) (C_sum : forall x, \sum_y C x y = 1).
Hypotheses (q_ge0 : forall y, 0 <= q y) (q_sum : \sum_y q y = 1).
(* a report that occurs is possible *)
Hypothesis q_possible : forall y, 0 < q y -> exists x, 0 < C x y.

(* p is a distribution on the inputs: p x >= 0, with the sum 1. *)
Definition is_distribution (p : X -> R) := (forall x, 0 <= p x) /\ \sum_x p x = 1.

(* The probability of the report y when inputs have the distribution p. *)
Definition mixture (p : X -> R) (y : Y) : R := \sum_x p x * C x y.

(* The Bayesian update of p after the report y, and the average of these with the weights q. *)
Definition posterior (p : X -> R) (y : Y) (x : X) : R := p x * C x y / mixture p y.

(* One step of the method: the mean of the posteriors of p, with the frequency q y of each report y as its weight. *)
Definition update (p : X -> R) (x : X) : R := \sum_y q y * posterior p y x.

(* The mean of the logarithm of the likelihood of the reports. *)
(* (Coq's ln 0 is 0; so the statements ask for mixture p y > 0 at the reports y that occur, or for what implies it.) *)
Definition log_likelihood (p : X -> R) : R := \sum_y q y * ln (mixture p y).

(* The estimate after n steps from p. *)
Fixpoint iterated (p : X -> R) (n : nat) : X -> R :=
  match n with 0 => p | S n' => update (iterated p n') end.

(* The factor by which one step multiplies the probability of x: sum_y q(y) C(x,y)/(p C)(y). *)
Definition gain (p : X -> R) (x : X) : R := \sum_y q y * (C x y / mixture p y).

Lemma updateE p x : update p x = p x * gain p x.
Proof.
rewrite /update /gain sum_mull; apply: eq_bigr => y _.
by rewrite /posterior /Rdiv; ring.
Qed.

Theorem stuck p x n : p x = 0 -> iterated p n x = 0.
Proof. by move=> p_x; elim: n => [|n IHn] //=; rewrite updateE IHn Rmult_0_l. Qed.

Lemma q_cases y : q y = 0 \/ 0 < q y.
Proof. by case: (q_ge0 y) => [lt|<-]; [right | left]. Qed.

Lemma mixture_ge0 p y : is_distribution p -> 0 <= mixture p y.
Proof. by case=> p_ge0 _; apply: sum_ge0 => x _; apply: Rmult_le_pos. Qed.

Section Sums.
Variable p : X -> R.
Hypotheses (p_dist : is_distribution p) (p_seen : forall y, 0 < q y -> 0 < mixture p y).

Lemma gain_ge0 x : 0 <= gain p x.
Proof.
apply: sum_ge0 => y _; case: (q_cases y) => [->|q_y]; first by rewrite Rmult_0_l; lra.
apply: Rmult_le_pos => //; apply: Rmult_le_pos => //; left; apply: Rinv_0_lt_compat; exact: p_seen.
Qed.

(* Summed over the inputs, a pair (x, y) with the weight q(y) p(x) C(x, y)/(p C)(y) counts q(y) times. *)
Lemma pair_sum (f : Y -> R) : \sum_x \sum_y q y * posterior p y x * f y = \sum_y q y * f y.
Proof.
rewrite exchange_big; apply: eq_bigr => y _.
case: (q_cases y) => [->|q_y].
  by rewrite Rmult_0_l; apply: big1 => x _; ring.
rewrite (eq_bigr (fun x => q y * f y / mixture p y * (p x * C x y))) => [|x _]; last first.
  by rewrite /posterior; field; have := p_seen q_y; lra.
by rewrite -sum_mull -/(mixture p y); field; have := p_seen q_y; lra.
Qed.

Lemma update_sum : \sum_x update p x = 1.
Proof.
rewrite -q_sum -[RHS](eq_bigr _ (fun y _ => Rmult_1_r (q y))) -(pair_sum (fun=> 1)).
by apply: eq_bigr => x _; apply: eq_bigr => y _; ring.
Qed.

Lemma update_distribution : is_distribution (update p).
Proof.
split=> [x|]; last exact: update_sum.
by rewrite updateE; apply: Rmult_le_pos; [case: p_dist | exact: gain_ge0].
Qed.

End Sums.

(* Inputs that can lead to a report that occurs; the others get the probability 0 at once. *)
(* p is live if it gives each of them a positive probability. *)
Definition live (p : X -> R) := forall x y, 0 < q y -> 0 < C x y -> 0 < p x.

Lemma live_seen p : is_distribution p -> live p -> forall y, 0 < q y -> 0 < mixture p y.
Proof.
move=> [p_ge0 _] p_live y q_y; have [x C_xy] := q_possible q_y.
by apply: (sum_gt0 (i0 := x)) => [z|]; [apply: Rmult_le_pos | apply: Rmult_lt_0_compat => //; exact: p_live q_y C_xy].
Qed.

Lemma gain_gt0 p x y : is_distribution p -> (forall y, 0 < q y -> 0 < mixture p y) -> 0 < q y -> 0 < C x y -> 0 < gain p x.
Proof.
move=> p_dist p_seen q_y C_xy; apply: (sum_gt0 (i0 := y)) => [z|].
  case: (q_cases z) => [->|q_z]; first by rewrite Rmult_0_l; lra.
  apply: Rmult_le_pos => //; apply: Rmult_le_pos => //; left; apply: Rinv_0_lt_compat; exact: p_seen.
by apply: Rmult_lt_0_compat => //; apply: Rdiv_lt_0_compat => //; exact: p_seen.
Qed.

Lemma update_live p : is_distribution p -> live p -> live (update p).
Proof.
move=> p_dist p_live x y q_y C_xy; rewrite updateE; apply: Rmult_lt_0_compat; first exact: p_live q_y C_xy.
by apply: gain_gt0 q_y C_xy => //; exact: live_seen.
Qed.

(* The heart: what v is better than p by is at most the mean of ln of p's gains, weighted by the update of v. *)
Lemma excess_le p v : is_distribution p -> live p -> is_distribution v -> (forall y, 0 < q y -> 0 < mixture v y) ->
  log_likelihood v - log_likelihood p <= \sum_x update v x * ln (gain p x).
Proof.
move=> p_dist p_live v_dist v_seen; have p_seen := live_seen p_dist p_live; have [v_ge0 v_sum] := v_dist.
rewrite /log_likelihood -sum_sub.
rewrite (eq_bigr (fun y => q y * (ln (mixture v y) - ln (mixture p y)))) => [|y _]; last by ring.
rewrite -(pair_sum v_seen).
apply: (Rle_trans _ (\sum_x (update v x * ln (gain p x) + (v x * (gain p x / gain p x) - update v x)))).
  apply: sum_le => x _; rewrite updateE.
  have -> : v x * gain v x * ln (gain p x) + (v x * (gain p x / gain p x) - v x * gain v x)
    = \sum_y (q y * posterior v y x * ln (gain p x) + (v x * (q y * (C x y / mixture p y)) / gain p x - q y * posterior v y x)).
    rewrite sum_add sum_sub -sum_divr -sum_mull -/(gain p x) -sum_mulr -/(update v x) updateE.
    by rewrite /Rdiv; ring.
  apply: sum_le => y _; case: (q_cases y) => [->|q_y]; first by rewrite /Rdiv; lra.
  case: (C_ge0 x y) => [C_xy|C_xy]; last by rewrite /posterior -C_xy /Rdiv; right; ring.
  have g_gt0 := gain_gt0 p_dist p_seen q_y C_xy; have mv := v_seen _ q_y; have mp := p_seen _ q_y.
  set z := mixture v y / (mixture p y * gain p x).
  have z_gt0 : 0 < z by apply: Rdiv_lt_0_compat => //; exact: Rmult_lt_0_compat.
  have ln_z : ln (mixture v y) - ln (mixture p y) = ln z + ln (gain p x).
    rewrite /z /Rdiv ln_mult ?ln_Rinv ?ln_mult //; try (exact: Rmult_lt_0_compat); first by ring.
    by apply: Rinv_0_lt_compat; exact: Rmult_lt_0_compat.
  have w_ge0 : 0 <= q y * posterior v y x.
    by apply: Rmult_le_pos => //; apply: Rmult_le_pos; [apply: Rmult_le_pos | left; exact: Rinv_0_lt_compat].
  have -> : v x * (q y * (C x y / mixture p y)) / gain p x = q y * posterior v y x * z.
    by rewrite /posterior /z; field; repeat split; lra.
  rewrite ln_z; have := Rmult_le_compat_l _ _ _ w_ge0 (ln_le_minus1 z_gt0); lra.
rewrite sum_add sum_sub (update_sum v_seen).
have : \sum_x v x * (gain p x / gain p x) <= 1.
  rewrite -v_sum; apply: sum_le => x _; have v_x := v_ge0 x.
  case: (gain_ge0 p_seen x) => [lt|<-]; first by right; field; lra.
  by rewrite /Rdiv Rmult_0_l Rmult_0_r.
lra.
Qed.

(* ln of the gains, weighted by the updated distribution itself: a relative entropy. *)
Lemma gain_entropy p : is_distribution p -> live p -> 0 <= \sum_x update p x * ln (gain p x).
Proof.
move=> p_dist p_live; have p_seen := live_seen p_dist p_live; have [p_ge0 p_sum] := p_dist.
apply: (Rle_trans _ (\sum_x (update p x - p x))); first by rewrite sum_sub (update_sum p_seen) p_sum; lra.
apply: sum_le => x _; rewrite updateE; have p_x := p_ge0 x.
case: (gain_ge0 p_seen x) => [g_gt0|<-]; last by rewrite Rmult_0_r Rmult_0_l; lra.
have := ln_le_minus1 (Rinv_0_lt_compat _ g_gt0); rewrite ln_Rinv // => le.
have : p x * gain p x * (1 - / gain p x) <= p x * gain p x * ln (gain p x).
  by apply: Rmult_le_compat_l; [apply: Rmult_le_pos; lra | lra].
have -> : p x * gain p x * (1 - / gain p x) = p x * gain p x - p x by field; lra.
by [].
Qed.

Theorem update_increases p : is_distribution p -> live p -> log_likelihood p <= log_likelihood (update p).
Proof.
move=> p_dist p_live; have p_seen := live_seen p_dist p_live.
have u_dist := update_distribution p_dist p_seen; have u_live := update_live p_dist p_live.
have u_seen := live_seen u_dist u_live.
suff : \sum_x update p x * ln (gain p x) <= log_likelihood (update p) - log_likelihood p.
  by have := gain_entropy p_dist p_live; lra.
rewrite /log_likelihood -sum_sub.
rewrite [X in _ <= X](eq_bigr (fun y => q y * (ln (mixture (update p) y) - ln (mixture p y)))) => [|y _]; last by ring.
rewrite -(pair_sum p_seen).
have back : \sum_x \sum_y q y * posterior p y x * (gain p x * mixture p y / mixture (update p) y) = 1.
  rewrite exchange_big -q_sum; apply: eq_bigr => y _; case: (q_cases y) => [->|q_y].
    by apply: big1 => x _; rewrite !Rmult_0_l.
  have mp := p_seen _ q_y; have mu := u_seen _ q_y.
  rewrite (eq_bigr (fun x => q y / mixture (update p) y * (update p x * C x y))) => [|x _]; last first.
    by rewrite updateE /posterior; field; lra.
  by rewrite -sum_mull -/(mixture (update p) y); field; lra.
have total : \sum_x \sum_y q y * posterior p y x = 1 by rewrite -[RHS](update_sum p_seen).
apply: (Rle_trans _ (\sum_x \sum_y (q y * posterior p y x * ln (gain p x) +
  (q y * posterior p y x - q y * posterior p y x * (gain p x * mixture p y / mixture (update p) y))))).
  right; rewrite [RHS](eq_bigr (fun x => update p x * ln (gain p x) + (\sum_y q y * posterior p y x
    - \sum_y q y * posterior p y x * (gain p x * mixture p y / mixture (update p) y)))) => [|x _].
    by rewrite sum_add sum_sub back total; ring.
  by rewrite sum_add sum_sub -sum_mulr.
apply: sum_le => x _; apply: sum_le => y _; case: (q_cases y) => [->|q_y]; first by rewrite !Rmult_0_l; lra.
case: (C_ge0 x y) => [C_xy|C_xy]; last by rewrite /posterior -C_xy /Rdiv; right; ring.
have g_gt0 := gain_gt0 p_dist p_seen q_y C_xy; have mp := p_seen _ q_y; have mu := u_seen _ q_y.
set z := gain p x * mixture p y / mixture (update p) y.
have z_gt0 : 0 < z by apply: Rdiv_lt_0_compat => //; exact: Rmult_lt_0_compat.
have ln_z : ln (mixture (update p) y) - ln (mixture p y) = ln (gain p x) - ln z.
  rewrite /z /Rdiv ln_mult ?ln_Rinv ?ln_mult //; first by ring.
    exact: Rmult_lt_0_compat.
  exact: Rinv_0_lt_compat.
have w_ge0 : 0 <= q y * posterior p y x.
  have [p_ge0 _] := p_dist.
  by apply: Rmult_le_pos => //; apply: Rmult_le_pos; [apply: Rmult_le_pos | left; exact: Rinv_0_lt_compat].
rewrite ln_z; have := Rmult_le_compat_l _ _ _ w_ge0 (ln_le_minus1 z_gt0); lra.
Qed.

Section Iteration.
Variables (p : X -> R) (c : R).
Hypotheses (p_dist : is_distribution p) (c_gt0 : 0 < c) (p_ge : forall x, c <= p x).

Lemma iterated_good n : is_distribution (iterated p n) /\ live (iterated p n).
Proof.
elim: n => [|n [dist_n live_n]] /=; first by split=> // x y _ _; have := p_ge x; lra.
by split; [apply: update_distribution => //; exact: live_seen | exact: update_live].
Qed.

Lemma iterated_monotone n k : (n <= k)%N -> log_likelihood (iterated p n) <= log_likelihood (iterated p k).
Proof.
elim: k => [|k IHk]; first by rewrite leqn0 => /eqP ->; lra.
rewrite leq_eqVlt ltnS => /orP[/eqP ->|/IHk le]; first lra.
by have [dist_k live_k] := iterated_good k; have := update_increases dist_k live_k; rewrite /=; lra.
Qed.

(* The excesses of the first n steps add up to a relative entropy, which p_0 >= c bounds. *)
Lemma excess_sum v n : is_distribution v -> (forall y, 0 < q y -> 0 < mixture v y) ->
  INR n * (log_likelihood v - log_likelihood (iterated p n)) <= \sum_x update v x * (ln (iterated p n x) - ln (p x)).
Proof.
move=> v_dist v_seen; elim: n => [|n IHn].
  by rewrite /= Rmult_0_l; right; symmetry; apply: big1 => x _; ring.
have [dist_n live_n] := iterated_good n; have step := excess_le dist_n live_n v_dist v_seen.
have up := iterated_monotone (leqnSn n).
rewrite S_INR Rmult_plus_distr_r Rmult_1_l.
apply: (Rle_trans _ (\sum_x update v x * (ln (iterated p n x) - ln (p x)) + \sum_x update v x * ln (gain (iterated p n) x))).
  apply: Rplus_le_compat; last by lra.
  apply: Rle_trans IHn; apply: Rmult_le_compat_l; [exact: pos_INR | lra].
rewrite -sum_add; apply: sum_le => x _.
case: (proj1 (update_distribution v_dist v_seen) x) => [u_x|<-]; last by rewrite !Rmult_0_l; lra.
(* x is live: some report that occurs comes from it *)
have [y [q_y C_xy]] : exists y, 0 < q y /\ 0 < C x y.
  case: (boolP [exists y, ~~ leR (q y) 0 && ~~ leR (C x y) 0]) => [/existsP [y /andP[/leRP q_y /leRP C_xy]]|none].
    by exists y; lra.
  suff : update v x = 0 by lra.
  apply: big1 => y _; move/existsPn: none => /(_ y); rewrite negb_and !negbK => /orP[] /leRP le.
    by rewrite (_ : q y = 0) ?Rmult_0_l //; have := q_ge0 y; lra.
  by rewrite /posterior (_ : C x y = 0) /Rdiv; [ring | have := C_ge0 x y; lra].
have p_x := live_n _ _ q_y C_xy; have g_x := gain_gt0 dist_n (live_seen dist_n live_n) q_y C_xy.
have -> : iterated p n.+1 x = iterated p n x * gain (iterated p n) x by exact: updateE.
by rewrite ln_mult //; right; ring.
Qed.

Theorem likelihood_converges v n : is_distribution v -> (forall y, 0 < q y -> 0 < mixture v y) -> (0 < n)%N ->
  log_likelihood v - log_likelihood (iterated p n) <= ln (/ c) / INR n.
Proof.
move=> v_dist v_seen n_gt0; have n_pos : 0 < INR n by apply: (lt_INR 0); apply/ltP.
have u_dist := update_distribution v_dist v_seen.
apply: (Rmult_le_reg_l (INR n)) => //.
have -> : INR n * (ln (/ c) / INR n) = ln (/ c) by field; lra.
apply: Rle_trans (excess_sum n v_dist v_seen) _.
apply: (Rle_trans _ (\sum_x update v x * ln (/ c))); last by rewrite -sum_mulr (proj2 u_dist); lra.
apply: sum_le => x _; apply: Rmult_le_compat_l; first by case: u_dist.
have [[dist_ge0 dist_sum] _] := iterated_good n.
have le1 : iterated p n x <= 1.
  rewrite -dist_sum (bigD1 x) //=; have : 0 <= \sum_(z | z != x) iterated p n z by apply: sum_ge0.
  lra.
have low : ln c <= ln (p x) by case: (p_ge x) => [lt|<-]; [left; exact: ln_increasing | right].
have high : ln (iterated p n x) <= 0.
  case: (dist_ge0 x) => [lt|<-]; last by rewrite /ln; case: Rlt_dec => [lt|_] /=; [exfalso; lra | lra].
  by rewrite -ln_1; case: le1 => [l|->]; [left; exact: ln_increasing | right].
by rewrite ln_Rinv //; lra.
Qed.

(* So the likelihood tends to the least upper bound, equally fast for all distributions. *)
Corollary likelihood_limit d : 0 < d -> exists N, forall n v, (N <= n)%N -> is_distribution v ->
  (forall y, 0 < q y -> 0 < mixture v y) -> log_likelihood v - d <= log_likelihood (iterated p n).
Proof.
move=> d_gt0; set b := Rmax 1 (ln (/ c)); have b_ge1 : 1 <= b := Rmax_l _ _.
have [N [N_large /ltP N_gt0]] : exists N, / INR N < d / b /\ (0 < N)%coq_nat.
  by apply: archimed_cor1; apply: Rdiv_lt_0_compat; lra.
exists N => n v N_le v_dist v_seen; have n_gt0 := leq_trans N_gt0 N_le.
have N_pos : 0 < INR N by apply: (lt_INR 0); apply/ltP.
have n_pos : INR N <= INR n by apply: le_INR; apply/leP.
have close : b / INR n <= d.
  apply: (Rmult_le_reg_r (INR n)); first lra.
  have -> : b / INR n * INR n = b by field; lra.
  have : 1 <= d / b * INR N.
    have := Rmult_lt_compat_r _ _ _ N_pos N_large; rewrite Rinv_l; lra.
  move=> le1; have := Rmult_le_compat_l b _ _ _ le1; have -> : b * (d / b * INR N) = d * INR N by field; lra.
  by move=> le2; have := Rmult_le_compat_l d _ _ (Rlt_le _ _ d_gt0) n_pos; lra.
have := likelihood_converges v_dist v_seen n_gt0.
have : ln (/ c) / INR n <= b / INR n.
  by apply: Rmult_le_compat_r; [left; apply: Rinv_0_lt_compat; lra | exact: Rmax_r].
lra.
Qed.

End Iteration.

End IterativeBayes.
