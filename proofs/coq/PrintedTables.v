(* SPDX-License-Identifier: MIT *)
(* Printed tables: the mechanisms X with L <= X <= U, entry by entry.  What is shown of all of them, or of    *)
(* none, by the rules of SPEC.md, 4.15.                                                                       *)
(*                                                                                                            *)
(*   largest_mass, least_mass   the probability of an event in a row, by two sums each                        *)
(*   every_private              least entries against largest ones                                            *)
(*   leaf_le                    a bound of P(E | i) - f P(E | j) for all events of a case                     *)
(*   every_approximate          the bounds of a tree of cases                                                 *)
(*   multiplied_le              a linear function of X, by potentials of the rows                             *)
(*   multiplied_ge              what multipliers add up to for (epsilon, delta)-private mechanisms            *)
(*   none_private, none_approximate, no_smaller_delta, no_larger_level                                        *)
(*                                                                                                            *)
(* Pairs of neighbours are a finite type K with two inputs each, first and second; both orders are listed.    *)
(* a c is the power of the level for the pair c.                                                              *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import Field.
From ExactDP Require Import OrderedField Mechanism ApproximatePrivacy.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PrintedTables.
Variable R : realFieldType.
Add Field R_field : (field_theory_of R).
Variables p m : nat.
Variables L U : 'M[R]_(p, m).
Implicit Types (X g : 'M[R]_(p, m)) (E A B : {set 'I_m}) (i j : 'I_p) (r : 'I_m).

(* The mechanisms of the printed table. *)
Definition within X := stochastic X /\ forall i r, L i r <= X i r <= U i r.

(* What the lower bounds of a row leave of 1, and what its upper bounds are too large by. *)
Definition spare i : R := 1 - \sum_r L i r.
Definition lack i : R := \sum_r U i r - 1.

Lemma within_ge X i r : within X -> L i r <= X i r.
Proof. by case=> _ /(_ i r) /andP[]. Qed.

Lemma within_le X i r : within X -> X i r <= U i r.
Proof. by case=> _ /(_ i r) /andP[]. Qed.

(* ---- The probability of an event ---- *)
Lemma mass_le_upper X i E : within X -> probability X i E <= \sum_(r in E) U i r.
Proof. by move=> X_in; apply: ler_sum => r _; apply: within_le. Qed.

Lemma mass_ge_lower X i E : within X -> \sum_(r in E) L i r <= probability X i E.
Proof. by move=> X_in; apply: ler_sum => r _; apply: within_ge. Qed.

Lemma mass_le_spare X i E : within X -> probability X i E <= spare i + \sum_(r in E) L i r.
Proof.
move=> X_in; case: (X_in) => -[_ X_sum] _; move: (X_sum i).
rewrite /spare /probability (bigID (mem E)) /= [\sum_r L i r](bigID (mem E)) /= => <-.
have : \sum_(r | r \notin E) L i r <= \sum_(r | r \notin E) X i r.
  by apply: ler_sum => r _; apply: within_ge.
move: (\sum_(r in E) X i r) (\sum_(r | r \notin E) X i r) (\sum_(r in E) L i r) (\sum_(r | r \notin E) L i r).
move=> x x' l l' le; rewrite -subr_ge0.
have -> : x + x' - (l + l') + l - x = x' - l' by by_ring R.
by rewrite subr_ge0.
Qed.

Lemma mass_ge_lack X i E : within X -> \sum_(r in E) U i r - lack i <= probability X i E.
Proof.
move=> X_in; case: (X_in) => -[_ X_sum] _; move: (X_sum i).
rewrite /lack /probability (bigID (mem E)) /= [\sum_r U i r](bigID (mem E)) /= => <-.
have : \sum_(r | r \notin E) X i r <= \sum_(r | r \notin E) U i r.
  by apply: ler_sum => r _; apply: within_le.
move: (\sum_(r in E) X i r) (\sum_(r | r \notin E) X i r) (\sum_(r in E) U i r) (\sum_(r | r \notin E) U i r).
move=> x x' u u' le; rewrite -subr_ge0.
have -> : x - (u - (u + u' - (x + x'))) = u' - x' by by_ring R.
by rewrite subr_ge0.
Qed.

Theorem largest_mass X i E : within X ->
  probability X i E <= Num.min (\sum_(r in E) U i r) (spare i + \sum_(r in E) L i r).
Proof. by move=> X_in; rewrite le_minr mass_le_upper ?mass_le_spare. Qed.

Theorem least_mass X i E : within X ->
  Num.max (\sum_(r in E) L i r) (\sum_(r in E) U i r - lack i) <= probability X i E.
Proof. by move=> X_in; rewrite le_maxl mass_ge_lower ?mass_ge_lack. Qed.

(* ---- Every mechanism is private ---- *)
Definition largest i r : R := Num.min (U i r) (spare i + L i r).
Definition least i r : R := Num.max (L i r) (U i r - lack i).

Lemma probability1 X i r : probability X i [set r] = X i r.
Proof. by rewrite /probability big_set1. Qed.

Lemma entry_le X i r : within X -> X i r <= largest i r.
Proof. by move=> X_in; move: (largest_mass i [set r] X_in); rewrite probability1 !big_set1. Qed.

Lemma entry_ge X i r : within X -> least i r <= X i r.
Proof. by move=> X_in; move: (least_mass i [set r] X_in); rewrite probability1 !big_set1. Qed.

(* With the power a of the level for the pair i, j. *)
Theorem every_private (a : R) i j : 0 <= a -> (forall r, a * largest j r <= least i r) ->
  forall X, within X -> forall r, a * X j r <= X i r.
Proof.
move=> a_ge0 checked X X_in r; apply: le_trans (entry_ge i r X_in); apply: le_trans (checked r).
by apply: ler_wpmul2l => //; apply: entry_le.
Qed.

(* ---- Every mechanism is (epsilon, delta)-private: cases of events, f = e^(epsilon d) ---- *)
Section Cases.
Variables (f delta : R) (i j : 'I_p).

Definition constant (s t : R) : R := (1 - s) * spare i + (1 - t) * (f * lack j).
Definition weight (s t : R) r : R :=
  s * U i r + (1 - s) * L i r - f * (t * L j r + (1 - t) * U j r).
Definition leaf_bound (s t : R) A B : R :=
  constant s t + \sum_(r in A) weight s t r + \sum_(r | (r \notin A) && (r \notin B)) Num.max 0 (weight s t r).

Lemma between (s x y z : R) : 0 <= s <= 1 -> z <= x -> z <= y -> z <= s * x + (1 - s) * y.
Proof.
move=> /andP[s_ge0 s_le1] zx zy; have -> : z = s * z + (1 - s) * z by by_ring R.
by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0.
Qed.

Lemma between_ge (s x y z : R) : 0 <= s <= 1 -> x <= z -> y <= z -> s * x + (1 - s) * y <= z.
Proof.
move=> /andP[s_ge0 s_le1] xz yz; have -> : z = s * z + (1 - s) * z by by_ring R.
by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0.
Qed.

Lemma sum_weight (s t : R) E : \sum_(r in E) weight s t r =
  s * (\sum_(r in E) U i r) + (1 - s) * (\sum_(r in E) L i r)
  - f * (t * (\sum_(r in E) L j r) + (1 - t) * (\sum_(r in E) U j r)).
Proof. by rewrite /weight sumrB big_split /= -!mulr_sumr big_split /= -!mulr_sumr. Qed.

(* The bound of an event by the weights s, t. *)
Lemma event_le (s t : R) X E : 0 <= f -> 0 <= s <= 1 -> 0 <= t <= 1 -> within X ->
  probability X i E - f * probability X j E <= constant s t + \sum_(r in E) weight s t r.
Proof.
move=> f_ge0 s_in t_in X_in.
have above := between s_in (mass_le_upper i E X_in) (mass_le_spare i E X_in).
have below := ler_wpmul2l f_ge0 (between_ge t_in (mass_ge_lower j E X_in) (mass_ge_lack j E X_in)).
apply: le_trans (ler_sub above below) _; rewrite sum_weight /constant.
set u := \sum_(r in E) U i r; set l := \sum_(r in E) L i r.
set v := \sum_(r in E) U j r; set k := \sum_(r in E) L j r.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
Qed.

(* What is fixed in E counts, what is fixed outside does not, of the rest what is positive. *)
Lemma sum_le (w : 'I_m -> R) A B E : A \subset E -> [disjoint E & B] ->
  \sum_(r in E) w r <= \sum_(r in A) w r + \sum_(r | (r \notin A) && (r \notin B)) Num.max 0 (w r).
Proof.
move=> /subsetP A_sub disj; rewrite (bigID (mem A)) /=.
have -> : \sum_(r in E | r \in A) w r = \sum_(r in A) w r.
  by apply: eq_bigl => r; case r_in: (r \in A); rewrite ?andbF // andbT A_sub ?r_in.
rewrite ler_add2l big_mkcond [in X in _ <= X]big_mkcond /=; apply: ler_sum => r _.
case r_in: (r \in E); case r_A: (r \in A) => //=.
- have -> /= : r \notin B by apply: contraL r_in => r_B; rewrite (disjointFl disj).
  by rewrite le_maxr lexx orbT.
- by case: ifP => // _; rewrite le_maxr lexx.
Qed.

Theorem leaf_le (s t : R) X A B E : 0 <= f -> 0 <= s <= 1 -> 0 <= t <= 1 -> within X ->
  A \subset E -> [disjoint E & B] ->
  probability X i E - f * probability X j E <= leaf_bound s t A B.
Proof.
move=> f_ge0 s_in t_in X_in A_sub disj; apply: le_trans (event_le _ f_ge0 s_in t_in X_in) _.
by rewrite /leaf_bound -addrA ler_add2l; apply: sum_le.
Qed.

(* A tree of cases: a split by an output, first the events with it; or two weights. *)
Inductive cases := Leaf (s t : R) | Split (r : 'I_m) (with_it without : cases).

Fixpoint checked A B tree : Prop :=
  match tree with
  | Leaf s t => [/\ 0 <= s <= 1, 0 <= t <= 1 & leaf_bound s t A B <= delta]
  | Split r with_it without => checked (r |: A) (B :\ r) with_it /\ checked (A :\ r) (r |: B) without
  end.

Theorem every_approximate tree : 0 <= f -> checked set0 set0 tree ->
  forall X, within X -> forall E, probability X i E - f * probability X j E <= delta.
Proof.
move=> f_ge0 tree_ok X X_in E.
suff covered A B : checked A B tree -> A \subset E -> [disjoint E & B] ->
    probability X i E - f * probability X j E <= delta.
  apply: covered tree_ok _ _; first by rewrite sub0set.
  by rewrite disjoint_sym disjoints_subset sub0set.
elim: tree A B {tree_ok} => [s t | r T IHT F IHF] A B /=.
  by move=> [s_in t_in le] A_sub disj; apply: le_trans le; apply: leaf_le.
move=> [T_ok F_ok] /subsetP A_sub disj; case r_in: (r \in E).
- apply: (IHT _ _ T_ok); first by apply/subsetP => q /setU1P[-> // | /A_sub].
  move: disj; rewrite !disjoints_subset => /subsetP disj; apply/subsetP => q q_in.
  by move: (disj q q_in); rewrite !inE negb_and => ->; rewrite orbT.
- apply: (IHF _ _ F_ok); first by apply/subsetP => q /setD1P[_ /A_sub].
  move: disj; rewrite !disjoints_subset => /subsetP disj; apply/subsetP => q q_in.
  move: (disj q q_in); rewrite !inE negb_or => ->; rewrite andbT.
  by apply: contraFneq r_in => <-.
Qed.
End Cases.

(* ---- No mechanism: multipliers of the pairs, and potentials of the rows ---- *)
Definition ceiling (mu : 'I_p -> R) g : R :=
  \sum_i mu i + \sum_i \sum_r Num.max ((g i r - mu i) * L i r) ((g i r - mu i) * U i r).

Lemma end_ge (c x l u : R) : l <= x <= u -> c * x <= Num.max (c * l) (c * u).
Proof.
move=> /andP[lx xu]; rewrite le_maxr; case: (lerP 0 c) => [c_ge0 | /ltW c_le0].
  by rewrite orbC ler_wpmul2l.
by rewrite ler_wnmul2l.
Qed.

Theorem multiplied_le mu g X : within X -> \sum_i \sum_r g i r * X i r <= ceiling mu g.
Proof.
move=> [[_ X_sum] X_in]; rewrite /ceiling -big_split /=; apply: ler_sum => i _.
have -> : \sum_r g i r * X i r = mu i + \sum_r (g i r - mu i) * X i r.
  rewrite -{1}[mu i]mulr1 -(X_sum i) mulr_sumr -big_split /=; apply: eq_bigr => r _.
  by by_ring R.
by rewrite ler_add2l; apply: ler_sum => r _; apply: end_ge.
Qed.

Section Pairs.
Variables (K : finType) (first second : K -> 'I_p) (z : K -> 'I_m -> R).
Hypothesis z_ge0 : forall c r, 0 <= z c r.
Implicit Types (a b : K -> R) (c : K).

(* Sum z_cr (x_ir - a_c x_jr), i and j the inputs of c; and its coefficients. *)
Definition multiplied a X : R := \sum_c \sum_r z c r * (X (first c) r - a c * X (second c) r).
Definition coefficients a : 'M[R]_(p, m) :=
  \matrix_(i, r) (\sum_(c | first c == i) z c r - \sum_(c | second c == i) a c * z c r).

Lemma multipliedE a X : multiplied a X = \sum_i \sum_r coefficients a i r * X i r.
Proof.
have by_input (q : K -> 'I_p) (y : K -> 'I_m -> R) :
    \sum_c \sum_r y c r * X (q c) r = \sum_i \sum_r (\sum_(c | q c == i) y c r) * X i r.
  rewrite (partition_big q xpredT) //=; apply: eq_bigr => i _.
  rewrite exchange_big /=; apply: eq_bigr => r _; rewrite mulr_suml.
  by apply: eq_bigr => c /eqP ->.
have -> : multiplied a X = \sum_c \sum_r z c r * X (first c) r - \sum_c \sum_r (a c * z c r) * X (second c) r.
  rewrite /multiplied -sumrB; apply: eq_bigr => c _; rewrite -sumrB; apply: eq_bigr => r _.
  by by_ring R.
rewrite !by_input -sumrB; apply: eq_bigr => i _; rewrite -sumrB; apply: eq_bigr => r _.
by rewrite mxE mulrBl.
Qed.

(* The mechanisms that are private for the pairs, and the (epsilon, delta)-private ones. *)
Definition private_for a X := forall c r, a c * X (second c) r <= X (first c) r.
Definition approximate_for a (delta : R) X :=
  forall c E, a c * probability X (second c) E <= probability X (first c) E + a c * delta.

Lemma multiplied_private a X : private_for a X -> 0 <= multiplied a X.
Proof.
move=> X_priv; apply: sumr_ge0 => c _; apply: sumr_ge0 => r _.
by apply: mulr_ge0; rewrite ?subr_ge0.
Qed.

Theorem multiplied_ge a (delta : R) (top : K -> R) X : (forall c, 0 <= top c) -> (forall c r, z c r <= top c) ->
  approximate_for a delta X -> - (delta * \sum_c a c * top c) <= multiplied a X.
Proof.
move=> top_ge0 z_le X_priv; rewrite /multiplied mulr_sumr -sumrN; apply: ler_sum => c _.
have : excess (a c) X (second c) (first c) <= a c * delta.
  by rewrite excess_favoured ler_subl_addl; exact: X_priv.
move=> /(ler_wpmul2l (top_ge0 c)) le.
apply: (@le_trans _ _ (- (top c * excess (a c) X (second c) (first c)))).
  rewrite ler_opp2; apply: le_trans le _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; by_ring R.
rewrite /excess mulr_sumr -sumrN; apply: ler_sum => r _.
have -> : z c r * (X (first c) r - a c * X (second c) r) = - (z c r * (a c * X (second c) r - X (first c) r)).
  by by_ring R.
rewrite ler_opp2.
apply: (@le_trans _ _ (z c r * Num.max 0 (a c * X (second c) r - X (first c) r))).
  by apply: ler_wpmul2l => //; rewrite le_maxr lexx orbT.
by apply: ler_wpmul2r => //; rewrite le_maxr lexx.
Qed.

Theorem none_private a mu : ceiling mu (coefficients a) < 0 ->
  forall X, within X -> ~ private_for a X.
Proof.
move=> most X X_in /multiplied_private; rewrite multipliedE => ge0.
by have := le_lt_trans (le_trans ge0 (multiplied_le mu _ X_in)) most; rewrite ltxx.
Qed.

Section Approximate.
Variables (a : K -> R) (top : K -> R) (mu : 'I_p -> R).
Hypothesis top_ge0 : forall c, 0 <= top c.
Hypothesis z_le : forall c r, z c r <= top c.

Theorem none_approximate (delta : R) : ceiling mu (coefficients a) < - (delta * \sum_c a c * top c) ->
  forall X, within X -> ~ approximate_for a delta X.
Proof.
move=> most X X_in /(multiplied_ge top_ge0 z_le); rewrite multipliedE => ge.
by have := le_lt_trans (le_trans ge (multiplied_le mu _ X_in)) most; rewrite ltxx.
Qed.

(* Where delta is the least: no mechanism has a smaller one. *)
Theorem no_smaller_delta (delta smaller : R) : 0 < \sum_c a c * top c -> smaller < delta ->
  ceiling mu (coefficients a) <= - (delta * \sum_c a c * top c) ->
  forall X, within X -> ~ approximate_for a smaller X.
Proof.
move=> weight_gt0 lt most; apply: none_approximate; apply: le_lt_trans most _.
by rewrite ltr_opp2 ltr_pmul2r.
Qed.
End Approximate.

(* At larger powers b, as of a larger level, no mechanism is private if none is at the level 1 by the same    *)
(* multipliers, and the sum at a is nowhere positive.                                                         *)
Theorem no_larger_level a b mu last : (forall c, a c < b c) ->
  ceiling mu (coefficients a) <= 0 -> ceiling last (coefficients (fun=> 1)) < 0 ->
  forall X, within X -> ~ private_for b X.
Proof.
move=> ab most_a most_1 X X_in X_priv.
have X_ge0 i r : 0 <= X i r by case: X_in => -[].
have at_a : multiplied a X <= 0 by rewrite multipliedE; apply: le_trans (multiplied_le mu _ X_in) most_a.
have at_1 : multiplied (fun=> 1) X < 0 by rewrite multipliedE; apply: le_lt_trans (multiplied_le last _ X_in) most_1.
have at_b : 0 <= multiplied b X := multiplied_private X_priv.
pose falls c r := z c r * ((b c - a c) * X (second c) r).
have falls_ge0 c r : 0 <= falls c r.
  by apply: mulr_ge0 => //; apply: mulr_ge0 => //; rewrite subr_ge0 ltW.
have difference : multiplied b X = multiplied a X - \sum_c \sum_r falls c r.
  rewrite /multiplied -sumrB; apply: eq_bigr => c _; rewrite -sumrB; apply: eq_bigr => r _.
  by rewrite /falls; by_ring R.
have inner_ge0 c : 0 <= \sum_r falls c r by apply: sumr_ge0.
have all0 : \sum_c \sum_r falls c r = 0.
  apply/eqP; rewrite eq_le (sumr_ge0 _ (fun c _ => inner_ge0 c)) andbT.
  by move: at_b; rewrite difference subr_ge0 => /le_trans; apply.
have each0 c r : z c r * X (second c) r = 0.
  have /eqP := all0; rewrite psumr_eq0 // => /allP/(_ c); rewrite mem_index_enum => /(_ isT)/eqP.
  move=> /eqP; rewrite psumr_eq0 // => /allP/(_ r); rewrite mem_index_enum => /(_ isT)/eqP.
  rewrite /falls mulrCA => /eqP; rewrite mulf_eq0 subr_eq0 => /orP[/eqP eq | /eqP //].
  by move: (ab c); rewrite eq ltxx.
have same : multiplied b X = multiplied (fun=> 1) X.
  apply: eq_bigr => c _; apply: eq_bigr => r _.
  have -> : z c r * (X (first c) r - b c * X (second c) r) = z c r * X (first c) r - b c * (z c r * X (second c) r).
    by by_ring R.
  have -> : z c r * (X (first c) r - 1 * X (second c) r) = z c r * X (first c) r - 1 * (z c r * X (second c) r).
    by by_ring R.
  by rewrite each0 !mulr0.
by move: at_b; rewrite same => /le_lt_trans/(_ at_1); rewrite ltxx.
Qed.
End Pairs.

End PrintedTables.
