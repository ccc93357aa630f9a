(* SPDX-License-Identifier: MIT *)
(* Which losses are monotone (Fernandes and others, Section 5.3 and the examples of the introduction).        *)
(*                                                                                                            *)
(*   zero_one_discrete, zero_one_line, zero_one_line_strict   the Bayes risk: increasing in the discrete      *)
(*                            metric; on the line not decreasing, and not increasing for three inputs         *)
(*   distance_line, distance_discrete   |x - w|: increasing on the line; not monotone in the discrete metric  *)
(*   dual_monotone_iff        [w = x] is monotone in some metric exactly when the number of inputs is even    *)
(*   zero_one_nontrivial, dual_nontrivial   neither is trivial                                                *)
(*   parity_not_monotone      guessing whether the input is even is not monotone on the line                  *)
(*   asymmetric_not_monotone  nor are different prices for late and for early, in any metric                  *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism OptimalCapacity Definition9 TheoremNine.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section LossClasses.
Variables (R : realFieldType) (n : nat).
Local Notation input := 'I_n.+1.
Local Notation on_line := (@line_metric_in R n).
Local Notation in_discrete := (@discrete_metric_in R [finType of input]).

(* The loss |x - w|. *)
Definition distance_on_line (x w : input) : R := (dist x w)%:R.

(* Guesses true and false: is the input even? *)
(* The loss is 1 if the guess is wrong (true says even), and else 0. *)
Definition parity (x : input) (w : bool) : R := (odd x == w)%:R.

(* A guess is best at its label. *)
Lemma label_best (d : input -> input -> R) (W : finType) (l : input -> W -> R) (m : R -> R) (alpha : W -> input) :
  distance_function d -> (forall s t, s <= t -> m s <= m t) -> (forall x w, l x w = m (d (alpha w) x)) ->
  forall x w, l (alpha w) w = m 0 /\ l (alpha w) w <= l x w.
Proof.
move=> [d0 d_gt0 _ _] m_mono lE x w; rewrite !lE d0; split=> //; apply: m_mono.
by have [<-|/d_gt0/ltW] := eqVneq (alpha w) x; rewrite ?d0.
Qed.

Theorem zero_one_discrete : strictly_monotone_in in_discrete (@zero_one R n).
Proof. by exists id, id; split=> // x w; rewrite /zero_one /discrete_metric_in eq_sym. Qed.

Theorem zero_one_line : monotone_in on_line (@zero_one R n).
Proof.
exists (fun t : R => (0 < t)%R%:R), id; split=> // [s t st|x w].
  by rewrite ler_nat; case: (ltP 0 s) => // /lt_le_trans/(_ st) ->.
rewrite /zero_one; congr (_%:R); have [_ pos _ _] := line_metric_inP R n; have [->|xw] := eqVneq x w.
  by rewrite /line_metric_in /dist subnn ltxx.
by rewrite pos // eq_sym.
Qed.

Theorem zero_one_line_strict : (1 < n)%N -> ~ strictly_monotone_in on_line (@zero_one R n).
Proof.
move=> n_gt1 /[dup] /strictly_monotone_monotone _ [m [alpha [m_incr _ lE]]].
have m_mono s t : s <= t -> m s <= m t by rewrite le_eqVlt => /orP[/eqP ->|/m_incr/ltW].
have best := label_best (line_metric_inP R n) m_mono lE.
have self w : alpha w = w.
  apply/eqP; have [_] := best w w; rewrite /zero_one eqxx /=.
  by case: (alpha w == w) => //; rewrite ler10.
have n0 : (0 < n.+1)%N by [].
have m1 : m 1 = m 2%:R.
  have := lE (inord 1) ord0; have := lE (inord 2) ord0; rewrite !self /zero_one /line_metric_in /dist !inordK //; last first.
    by apply: leq_trans n_gt1 _.
  by rewrite -!val_eqE /= !inordK //=; [move=> <- <- | apply: leq_trans n_gt1 _].
by have := m_incr 1 2%:R (ltr1n _ 2); rewrite m1 ltxx.
Qed.

Theorem distance_line : strictly_monotone_in on_line distance_on_line.
Proof. by exists id, id; split=> // x w; rewrite /distance_on_line /line_metric_in /dist addnC. Qed.

Theorem distance_discrete : (1 < n)%N -> ~ monotone_in in_discrete distance_on_line.
Proof.
move=> n_gt1 [m [alpha [m_mono _ lE]]].
have two x y : in_discrete (alpha ord0) x = in_discrete (alpha ord0) y -> distance_on_line x ord0 = distance_on_line y ord0.
  by rewrite !lE => ->.
have differ k k' : (k <= 2)%N -> (k' <= 2)%N -> k != k' -> distance_on_line (inord k) ord0 != distance_on_line (inord k') ord0.
  move=> k2 k2' kk'; rewrite /distance_on_line eqr_nat /dist !inordK ?ltnS ?(leq_trans _ n_gt1) //.
  by rewrite !subn0 !sub0n !addn0.
have d01 := differ 0%N 1%N isT isT isT; have d02 := differ 0%N 2%N isT isT isT; have d12 := differ 1%N 2%N isT isT isT.
move: (two (inord 0) (inord 1)) (two (inord 0) (inord 2)) (two (inord 1) (inord 2)); rewrite /discrete_metric_in.
case: (alpha ord0 != inord 0); case: (alpha ord0 != inord 1); case: (alpha ord0 != inord 2) => // e01 e02 e12.
all: try by move: (e01 erefl) => /eqP; rewrite (negPf d01).
all: try by move: (e02 erefl) => /eqP; rewrite (negPf d02).
all: by move: (e12 erefl) => /eqP; rewrite (negPf d12).
Qed.

Lemma another (r : input) : (0 < n)%N -> exists x : input, x != r.
Proof.
move=> n_gt0; have [->|r_neq0] := eqVneq r ord0; first by exists ord_max; rewrite -val_eqE /= -lt0n.
by exists ord0; rewrite eq_sym.
Qed.

Theorem zero_one_nontrivial : (0 < n)%N -> ~ trivial_loss (@zero_one R n).
Proof.
move=> n_gt0 [r r_best]; have [x xr] := another r n_gt0.
by have := r_best x x; rewrite /zero_one xr eqxx ler10.
Qed.

Theorem dual_nontrivial : (0 < n)%N -> ~ trivial_loss (@dual R n).
Proof.
move=> n_gt0 [r r_best]; have [x xr] := another r n_gt0.
by have := r_best r x; rewrite /dual eqxx eq_sym (negPf xr) ler10.
Qed.

(* A fixed-point free involution pairs the inputs off. *)
Lemma paired_even (f : input -> input) : (forall x, f (f x) = x) -> (forall x, f x != x) -> ~~ odd n.+1.
Proof.
move=> ff f_neq; pose A := [set x : input | (x < f x)%N]; have f_inj : injective f by exact: can_inj ff.
have fA : ~: A = f @: A.
  apply/setP => x; rewrite !inE -leqNgt; apply/idP/imsetP => [fx|[y]].
    by exists (f x); rewrite ?ff // inE ff ltn_neqAle fx andbT val_eqE f_neq.
  by rewrite inE => y_lt ->; rewrite ff ltnW.
have := cardsC A; rewrite fA card_imset // card_ord => <-.
by rewrite addnn odd_double.
Qed.

(* The labels are farthest from their guesses, and come in pairs. *)
Lemma dual_labels (d : input -> input -> R) (m : R -> R) (alpha : input -> input) :
  (0 < n)%N -> distance_function d -> (forall s t, s <= t -> m s <= m t) -> injective alpha ->
  (forall x w, @dual R n x w = m (d (alpha w) x)) -> forall w, alpha w != w /\ alpha (alpha w) = w.
Proof.
move=> n_gt0 d_metric m_mono alpha_inj lE; have [_ _ d_sym _] := d_metric; have best := label_best d_metric m_mono lE.
have neq w : alpha w != w.
  have := best (alpha w) w => -[m0 _]; apply/negP => /eqP same.
  have one x : 1 <= dual R x w.
    by have [_] := best x w; rewrite {1}/dual same eqxx.
  by have [x /negPf xw] := another w n_gt0; have := one x; rewrite /dual xw ler10.
have alpha_onto w : exists v, alpha v = w by exists (invF alpha_inj w); exact: f_invF.
move=> w; split=> //; have [v vw] := alpha_onto w.
(* far apart: d (alpha w, w) makes m = 1, and w = alpha v *)
have : dual R w w = dual R (alpha w) v.
  by rewrite !lE d_sym vw.
rewrite /dual eqxx; case: (eqVneq (alpha w) v) => [->|_ /eqP]; first by rewrite vw.
by rewrite oner_eq0.
Qed.

Theorem dual_monotone_iff : (0 < n)%N ->
  (exists2 d : input -> input -> R, distance_function d & monotone_in d (@dual R n)) <-> ~~ odd n.+1.
Proof.
move=> n_gt0; split=> [[d d_metric [m [alpha [m_mono alpha_inj lE]]]]|even].
  have pairs := dual_labels n_gt0 d_metric m_mono alpha_inj lE.
  by apply: (@paired_even alpha) => x; have [] := pairs x.
have rev_neq (x : input) : rev_ord x != x.
  apply/eqP => /(congr1 (@nat_of_ord _)) /= rx; have x_lt := ltn_ord x.
  have n_def : n = (x + x)%N by nat_lia.
  by move: even; rewrite n_def addnn /= odd_double.
pose hops (x u : input) : nat := if x == u then 0%N else if u == rev_ord x then 2%N else 1%N.
have hops_sym x u : hops x u = hops u x.
  rewrite /hops eq_sym; case: eqP => // _; congr (if _ then _ else _).
  by apply/eqP/eqP => ->; rewrite rev_ordK.
exists (fun x u => (hops x u)%:R).
  split=> [x|x u|x u|x y u].
  - by rewrite /hops eqxx.
  - by move=> xu; rewrite ltr0n /hops (negPf xu); case: ifP.
  - by rewrite hops_sym.
  - rewrite -natrD ler_nat /hops; case: (eqVneq x u) => // xu.
    case: (eqVneq x y) => [<-|xy]; first by rewrite (negPf xu).
    by case: (eqVneq y u) => [->|_]; case: ifP => //; case: ifP => //; case: ifP.
exists (fun t : R => (2%:R <= t)%R%:R), (@rev_ord n.+1); split=> [s t st||x w].
- by rewrite ler_nat; case: (leP 2%:R s) => // /le_trans/(_ st) ->.
- exact: rev_ord_inj.
rewrite /dual ler_nat /hops rev_ordK; congr (_%:R).
case: (eqVneq x w) => [->|xw]; first by rewrite (negPf (rev_neq w)).
by case: ifP.
Qed.

(* The house numbers of the introduction. *)
Theorem parity_not_monotone : (1 < n)%N -> ~ monotone_in on_line parity.
Proof.
move=> n_gt1 [m [alpha [m_mono _ lE]]]; have best := label_best (line_metric_inP R n) m_mono lE.
pose u := alpha true.
have u_even : odd u = false.
  have [_] := best ord0 true; rewrite /parity -/u /= eqb_id.
  by case: (odd u) => //=; rewrite ler10.
have [v [v_even v_far]] : exists v : input, odd v = false /\ (2 <= dist u v)%N.
  have [u0|u_neq0] := eqVneq (u : nat) 0%N.
    by exists (inord 2); rewrite !inordK ?ltnS // /dist u0; split=> //; nat_lia.
  exists ord0; split=> //; rewrite /dist /=; case: (nat_of_ord u) u_even u_neq0 => [|[|k]] //= _ _; nat_lia.
have [z [z_odd z_near]] : exists z : input, odd z /\ dist u z = 1%N.
  have [u0|u_neq0] := eqVneq (u : nat) 0%N.
    by exists (inord 1); rewrite !inordK ?ltnS ?(ltnW n_gt1) // /dist u0.
  have u_lt := ltn_ord u; exists (inord u.-1); rewrite inordK; last by nat_lia.
  split; last by rewrite /dist; nat_lia.
  by move: u_even u_neq0; case: (nat_of_ord u) => [|k] //= /negbFE.
have : m (on_line u z) <= m (on_line u v).
  by apply: m_mono; rewrite /line_metric_in ler_nat z_near ltnW.
by rewrite -(lE z true) -(lE v true) /parity z_odd v_even ler10.
Qed.

(* The traveller of the introduction. *)
Theorem asymmetric_not_monotone (late early : R) (d : input -> input -> R) :
  (0 < n)%N -> 0 < late -> 0 < early -> late != early -> distance_function d -> ~ monotone_in d (@asymmetric R n late early).
Proof.
move=> n_gt0 late_gt0 early_gt0 differ d_metric [m [alpha [m_mono _ lE]]].
have best := label_best d_metric m_mono lE; have [_ _ d_sym _] := d_metric.
have self w : alpha w = w.
  apply/eqP; apply: contraT => w_neq; have [_] := best w w.
  rewrite /asymmetric !subnn !mulr0 addr0 => le0.
  have : 0 < late * (w - alpha w)%:R + early * (alpha w - w)%:R.
    have [lt|] := ltnP (alpha w) w.
      by rewrite ltr_paddr ?mulr_ge0 ?ler0n ?(ltW early_gt0) // mulr_gt0 // ltr0n subn_gt0.
    rewrite leq_eqVlt => /orP[/eqP/val_inj same|lt]; first by rewrite -same eqxx in w_neq.
    by rewrite ltr_paddl ?mulr_ge0 ?ler0n ?(ltW late_gt0) // mulr_gt0 // ltr0n subn_gt0.
  by rewrite ltNge le0.
have one : (inord 1 : input) = 1%N :> nat by rewrite inordK.
have := lE ord0 (inord 1); have := lE (inord 1) ord0; rewrite !self d_sym => <-.
rewrite /asymmetric one /= !subn0 !mulr1 !mulr0 addr0 add0r => /eqP.
by rewrite (negPf differ).
Qed.

End LossClasses.
