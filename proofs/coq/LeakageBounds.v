(* SPDX-License-Identifier: MIT *)
(* Upper bounds of utility and leakage (ElSalamouny and others, Section 4).                                   *)
(*                                                                                                            *)
(*   solve_unique, solve_dependences, solve_many     the solutions of y A = q: one, none or infinitely many   *)
(*   slack, slack_range     the slack s of Phi diag(XR) + s = 1 lies between 0 and 1                          *)
(*   bounds_lemma2          Lemma 2: the utility is y 1 - y s, for every y with y Phi = q                     *)
(*   bounds_theorem1, bounds_equality     Theorem 1, and when equality holds                                  *)
(*   gamma_form             the bound in the coordinates among the corners                                    *)
(*   bounds_proposition5, _6, bounds_corollary1      Propositions 5 and 6, Corollary 1                        *)
(*   uniform_leakage        no prior leaks more than the uniform one                                          *)
(*   prior_bound_le, _eq, _lt     Proposition 6's bound is at most Corollary 1's                              *)
(*   common_condition       Phi diag(XR) = 1 meets all these bounds                                           *)
(*   bound_met_iff          when some mechanism meets the bound of a prior y Phi with y > 0                   *)
(*                                                                                                            *)
(* Phi is any matrix unless a theorem says more; X is the mechanism M, R is the remap T, and the leakage is   *)
(* 2^L(M, q), the quotient of the paper's vulnerabilities (leakage in TightConstraints.v).                    *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField MatrixGame Extremes Leakage PrivacyTypes Capacities.
From ExactDP Require Import TightConstraints ObliviousQueries RegularPriors.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Section 4.1: the equation y A = q ---- *)
Section Solutions.
Variables (R : realFieldType) (p : nat) (A : 'M[R]_p).
Implicit Types (q y : 'rV[R]_p).

Theorem solve_unique : A \in unitmx -> forall q, exists y, y *m A = q /\ forall y', y' *m A = q -> y' = y.
Proof.
move=> A_unit q; exists (q *m invmx A); split; first by rewrite mulmxKV.
by move=> y' <-; rewrite mulmxK.
Qed.

(* There is a solution iff q respects all linear dependences w of the columns of A. *)
Theorem solve_dependences q : (exists y, y *m A = q) <-> forall w : 'cV[R]_p, A *m w = 0 -> q *m w = 0.
Proof.
split=> [[y <-] w Aw|resp]; first by rewrite -mulmxA Aw mulmx0.
have /submxP[y ->] : (q <= A)%MS; last by exists y.
rewrite submxE; apply/eqP/matrixP => i j.
have /resp : A *m col j (cokermx A) = 0 by rewrite colE mulmxA mulmx_coker mul0mx.
by rewrite colE mulmxA -colE => /matrixP/(_ i 0); rewrite [LHS]mxE !mxE.
Qed.

(* If A is singular and there is a solution, there is one for each number of R, all different. *)
Theorem solve_many q : A \notin unitmx -> (exists y, y *m A = q) ->
  exists s : R -> 'rV[R]_p, injective s /\ forall t, s t *m A = q.
Proof.
move=> A_sing [y y_q]; have ker_n0 : kermx A != 0.
  by rewrite kermx_eq0 row_free_unit.
have [i ki] : exists i, row i (kermx A) != 0.
  by apply/existsP; apply: contraNT ker_n0; rewrite negb_exists => /forallP all0; apply/eqP/row_matrixP => i;
     rewrite row0; apply/eqP; have := all0 i; rewrite negbK.
set k := row i (kermx A) in ki; have kA : k *m A = 0 by rewrite -row_mul mulmx_ker row0.
exists (fun t => y + t *: k); split=> [t t' /addrI/eqP|t]; last by rewrite mulmxDl -scalemxAl kA scaler0 addr0.
by rewrite -subr_eq0 -scalerBl scaler_eq0 (negPf ki) orbF subr_eq0 => /eqP.
Qed.

End Solutions.

Section Bounds.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R).
Implicit Types (q y gamma : X -> R).

(* q = y Phi *)
Definition combines y q := forall k, q k = \sum_i y i * Phi i k.

Section Remap.
Variables (O : finType) (M : X -> O -> R) (T : O -> X -> R).
Local Notation MT := (remapped M T).

(* (3) defines s. *)
(* The slack s_i = 1 - sum_k Phi(i,k) (M T)_kk, with M T the matrix M read by the remap T. *)
Definition slack (i : X) : R := 1 - \sum_k Phi i k * MT k k.

Theorem slack_range i : (forall i k, 0 <= Phi i k) -> mechanism Phi M -> channel T -> 0 <= slack i <= 1.
Proof.
move=> Phi_ge0 M_mech T_channel; have [[MT_ge0 MT_sum1] MT_priv] := remapped_mechanism T_channel M_mech.
rewrite /slack subr_ge0 ler_subl_addl ler_addr -{1}(MT_sum1 i) ler_sum ?sumr_ge0 // => k _; exact: mulr_ge0.
Qed.

(* Lemma 2.  No sign of y is asked, and the equation holds for every M and T. *)
Theorem bounds_lemma2 q y : combines y q -> remap_utility q M T = \sum_i y i - \sum_i y i * slack i.
Proof.
move=> y_q; rewrite binary_gain /slack; under [X in _ = _ - X]eq_bigr => i _ do rewrite mulrBr mulr1.
rewrite sumrB opprB addrC subrK; under eq_bigr => k _ do rewrite y_q mulr_suml.
by rewrite exchange_big; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => k _; rewrite mulrA.
Qed.

(* Theorem 1, the bound. *)
Theorem bounds_theorem1 q y : mechanism Phi M -> channel T -> (forall i, 0 <= y i) -> combines y q ->
  remap_utility q M T <= \sum_i y i.
Proof. by move=> M_mech T_channel y_ge0 y_q; apply: le_trans (remap_utility_le _ _ T_channel) (utility_le M_mech y_ge0 y_q). Qed.

(* Theorem 1, when equality holds: where y is positive, the slack is 0. *)
Theorem bounds_equality q y : (forall i k, 0 <= Phi i k) -> mechanism Phi M -> channel T -> (forall i, 0 <= y i) -> combines y q ->
  remap_utility q M T = \sum_i y i <-> forall i, 0 < y i -> slack i = 0.
Proof.
move=> Phi_ge0 M_mech T_channel y_ge0 y_q; rewrite (bounds_lemma2 y_q).
have term_ge0 i : true -> 0 <= y i * slack i.
  by move=> _; rewrite mulr_ge0 //; case/andP: (slack_range i Phi_ge0 M_mech T_channel).
split=> [eq i y_gt0|s0].
  have rest0 : \sum_i y i * slack i = 0 by move/eqP: eq; rewrite subr_eq addrC -subr_eq subrr => /eqP.
  by have /eqP := @psumr_eq0P _ _ xpredT _ term_ge0 rest0 i isT; rewrite mulf_eq0 gt_eqF //= => /eqP.
rewrite [X in _ - X]big1 ?subr0 // => i _; have := y_ge0 i; rewrite le_eqVlt => /orP[/eqP <-|/s0 ->]; first by rewrite mul0r.
by rewrite mulr0.
Qed.

(* So it is Phi diag(XR) = 1 if y is positive. *)
Corollary bounds_equality_positive q y : (forall i k, 0 <= Phi i k) -> mechanism Phi M -> channel T -> (forall i, 0 < y i) ->
  combines y q -> remap_utility q M T = \sum_i y i <-> forall i, \sum_k Phi i k * MT k k = 1.
Proof.
move=> Phi_ge0 M_mech T_channel y_gt0 y_q; rewrite bounds_equality //; last by move=> i; exact: ltW.
by split=> [s0 i|one i _]; [have /eqP := s0 i (y_gt0 i); rewrite subr_eq0 => /eqP | rewrite /slack one subrr].
Qed.

(* Phi diag(XR) = 1 suffices for every prior y Phi, for the utility and the leakage. *)
Theorem common_condition q y : mechanism Phi M -> channel T -> (forall i, \sum_k Phi i k * MT k k = 1) ->
  (forall i, 0 <= y i) -> combines y q ->
  [/\ remap_utility q M T = \sum_i y i, utility q M = \sum_i y i & leakage q M = (\sum_i y i) / largest q].
Proof.
move=> M_mech T_channel one y_ge0 y_q; have U : remap_utility q M T = \sum_i y i.
  rewrite (bounds_lemma2 y_q) [X in _ - X]big1 ?subr0 // => i _.
  by rewrite /slack one subrr mulr0.
have best : utility q M = \sum_i y i by apply/eqP; rewrite eq_le (utility_le M_mech y_ge0 y_q) -U remap_utility_le.
by split; rewrite // /leakage best vulnerabilityE.
Qed.

End Remap.

(* ---- The bound in the coordinates among the corners ---- *)
Theorem gamma_form q gamma : constraint_matrix Phi -> (forall k, q k = mixture_of_corners Phi gamma k) ->
  combines (fun i => gamma i / row_sum Phi i) q.
Proof.
move=> PhiP q_gamma k; rewrite gamma_weights // q_gamma; apply: eq_bigr => i _.
by rewrite divfK // gt_eqF // row_sum_gt0.
Qed.

Theorem gamma_bound (O : finType) (M : X -> O -> R) (T : O -> X -> R) q gamma : constraint_matrix Phi -> mechanism Phi M ->
  channel T -> (forall i, 0 <= gamma i) -> (forall k, q k = mixture_of_corners Phi gamma k) ->
  remap_utility q M T <= \sum_i gamma i / row_sum Phi i.
Proof.
move=> PhiP M_mech T_channel gamma_ge0 q_gamma; apply: bounds_theorem1 (gamma_form PhiP q_gamma) => // i.
by rewrite divr_ge0 // ltW // row_sum_gt0.
Qed.

(* For the corner c^i. *)
Theorem corner_bound (O : finType) (M : X -> O -> R) (T : O -> X -> R) i : constraint_matrix Phi -> mechanism Phi M ->
  channel T -> remap_utility (corner Phi i) M T <= (row_sum Phi i)^-1.
Proof.
move=> PhiP M_mech T_channel; have -> : (row_sum Phi i)^-1 = \sum_j (j == i)%:R / row_sum Phi j.
  by rewrite (bigD1 i) //= eqxx div1r big1 ?addr0 // => j /negPf ->; rewrite mul0r.
apply: gamma_bound => // [j|k]; first exact: ler0n.
by rewrite /mixture_of_corners (bigD1 i) //= eqxx mul1r big1 ?addr0 // => j /negPf ->; rewrite mul0r.
Qed.

(* ---- Section 4.2: leakage ---- *)
Theorem bounds_proposition5 (O : finType) (M : X -> O -> R) (T : O -> X -> R) q : distribution q -> optimal_remap q M T ->
  leakage q M = remap_utility q M T / largest q.
Proof.
move=> [_ q_sum] T_opt; have [x0 _|none] := pickP (fun _ : X => true); last first.
  by have /eqP := oner_neq0 R; case; rewrite -q_sum big1 // => x _; have := none x.
by rewrite /leakage vulnerabilityE (optimal_remapE x0 T_opt).
Qed.

Theorem bounds_proposition6 (O : finType) (M : X -> O -> R) q y : mechanism Phi M -> distribution q -> (forall i, 0 <= y i) ->
  combines y q -> leakage q M <= (\sum_i y i) / largest q.
Proof. by move=> M_mech q_dist y_ge0 y_q; exact: leakage_le M_mech y_ge0 y_q q_dist. Qed.

Theorem uniform_leakage (O : finType) (M : X -> O -> R) q : channel M -> distribution q ->
  leakage q M <= leakage (@uniform R X) M.
Proof.
move=> M_channel q_dist; have [q_ge0 q_sum] := q_dist; have [x0 _|none] := pickP (fun _ : X => true); last first.
  by have /eqP := oner_neq0 R; case; rewrite -q_sum big1 // => x _; have := none x.
have [V_gt0 V_max] := theorem13_attained M x0; rewrite [leRHS]/leakage /utility V_max mulfK ?gt_eqF //.
rewrite ler_pdivr_mulr ?vulnerability_gt0 //; apply: theorem13 => // w x; exact: ler0n.
Qed.

Theorem bounds_corollary1 (O : finType) (M : X -> O -> R) y q : (forall i k, Phi i k = Phi k i) -> mechanism Phi M ->
  (forall i, 0 <= y i) -> combines y (@uniform R X) -> distribution q -> leakage q M <= #|X|%:R * \sum_i y i.
Proof.
move=> Phi_sym M_mech y_ge0 y_u q_dist; rewrite mulr_sumr; apply: (leakage_any_prior Phi_sym M_mech _ q_dist).
split=> [i|i]; first by rewrite mulr_ge0 ?ler0n.
transitivity (#|X|%:R * @uniform R X i); last by rewrite /uniform divff // card_neq0.
rewrite (y_u i) mulr_sumr; apply: eq_bigr => k _.
by rewrite [Phi i k]Phi_sym mulrC -mulrA.
Qed.

(* Where the uniform prior is w Phi, Proposition 6 bounds a prior y Phi no worse than Corollary 1 does. *)
Section PriorBound.
Variables q y w : X -> R.
Hypotheses (Phi_sym : forall i k, Phi i k = Phi k i) (w_ge0 : forall i, 0 <= w i) (w_u : combines w (@uniform R X)).
Hypotheses (q_dist : distribution q) (y_q : combines y q).

Lemma uniform_total : \sum_i y i = #|X|%:R * \sum_k q k * w k.
Proof.
rewrite (_ : \sum_k q k * w k = \sum_i y i * @uniform R X i).
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite /uniform mulrCA divff ?mulr1 // card_neq0.
under eq_bigr => k _ do rewrite y_q mulr_suml.
rewrite exchange_big; apply: eq_bigr => i _; rewrite (w_u i) mulr_sumr; apply: eq_bigr => k _.
by rewrite [Phi k i]Phi_sym -mulrA [Phi i k * _]mulrC.
Qed.

Lemma prior_bound_gap : #|X|%:R * (\sum_i w i) - (\sum_i y i) / largest q =
  #|X|%:R * (\sum_k w k * (largest q - q k)) / largest q.
Proof.
have q_gt0 : largest q != 0 by rewrite -vulnerabilityE gt_eqF // vulnerability_gt0.
apply: (mulIf q_gt0); rewrite mulrBl !divfK // uniform_total -mulrA -mulrBr; congr (_ * _).
by under [RHS]eq_bigr => k _ do rewrite mulrBr; rewrite sumrB mulr_suml; congr (_ - _); apply: eq_bigr => k _; rewrite mulrC.
Qed.

Lemma prior_gap_ge0 k : true -> 0 <= w k * (largest q - q k).
Proof. by move=> _; rewrite mulr_ge0 // subr_ge0 le_largest. Qed.

Theorem prior_bound_le : (\sum_i y i) / largest q <= #|X|%:R * \sum_i w i.
Proof.
rewrite -subr_ge0 prior_bound_gap -vulnerabilityE divr_ge0 ?(ltW (vulnerability_gt0 q_dist)) //.
by rewrite mulr_ge0 ?ler0n // sumr_ge0 // => k _; rewrite vulnerabilityE prior_gap_ge0.
Qed.

(* They agree iff q is largest wherever w is positive. *)
Theorem prior_bound_eq : (\sum_i y i) / largest q = #|X|%:R * (\sum_i w i) <-> forall k, 0 < w k -> q k = largest q.
Proof.
have q_gt0 : largest q != 0 by rewrite -vulnerabilityE gt_eqF // vulnerability_gt0.
split=> [eq k w_gt0|q_max].
  have n_neq0 := card_neq0 R k; have /eqP := prior_bound_gap; rewrite eq subrr eq_sym !mulf_eq0 invr_eq0 (negPf q_gt0) (negPf n_neq0).
  rewrite orbF /= => /eqP gap0; have /eqP := @psumr_eq0P _ _ xpredT _ prior_gap_ge0 gap0 k isT.
  by rewrite mulf_eq0 gt_eqF //= subr_eq0 => /eqP.
apply/esym/eqP; rewrite -subr_eq0 prior_bound_gap big1 ?mulr0 ?mul0r // => k _.
have := w_ge0 k; rewrite le_eqVlt => /orP[/eqP <-|/q_max ->]; first by rewrite mul0r.
by rewrite subrr mulr0.
Qed.

(* So for w > 0, as on V^u, only the uniform prior has the larger bound. *)
Theorem prior_bound_lt : (forall k, 0 < w k) -> (exists k, q k != @uniform R X k) ->
  (\sum_i y i) / largest q < #|X|%:R * \sum_i w i.
Proof.
move=> w_gt0 [k]; apply: contraNT; rewrite lt_neqAle prior_bound_le andbT negbK => /eqP/prior_bound_eq q_max.
have [_ q_sum] := q_dist; have qE i : q i = largest q by exact: q_max.
have one : #|X|%:R * largest q = 1 by rewrite -[RHS]q_sum; under [RHS]eq_bigr => i _ do rewrite qE; rewrite sumr_const mulr_natl.
by apply/eqP; rewrite qE /uniform; apply: (mulfI (card_neq0 R k)); rewrite one divff // card_neq0.
Qed.

End PriorBound.

(* ---- The bounds are not always tight ---- *)
(* For a prior y Phi with y > 0: a mechanism with some remap meets the bound iff Phi z = 1 for some z >= 0. *)
Theorem bound_met_iff q y : constraint_matrix Phi -> (forall i, 0 < y i) -> combines y q ->
  (exists O : finType, exists M : X -> O -> R, exists T : O -> X -> R,
     [/\ mechanism Phi M, channel T & remap_utility q M T = \sum_i y i]) <-> exists z, weighting Phi z.
Proof.
move=> PhiP y_gt0 y_q; have [ge0 sym one _ tri] := PhiP; split=> [[O [M [T [M_mech T_channel U]]]]|[z [z_ge0 z_sum]]].
  exists (fun k => remapped M T k k); split=> [k|]; last by apply/(bounds_equality_positive ge0 M_mech T_channel y_gt0 y_q).
  by have [[MT_ge0 _] _] := remapped_mechanism T_channel M_mech.
have M_mech : mechanism Phi (scaled Phi z).
  split=> [|i h o]; last by rewrite mulrA ler_wpmul2r.
  by split=> [i k|i]; [rewrite mulr_ge0 | exact: z_sum].
have T_channel : channel (fun i k : X => (i == k)%:R : R).
  by split=> [i k|i]; [exact: ler0n | rewrite -[RHS](sum_pick (fun=> 1) i); apply: eq_bigr => k _; rewrite mul1r eq_sym].
exists X, (scaled Phi z), (fun i k => (i == k)%:R); split=> //.
apply/(bounds_equality_positive ge0 M_mech T_channel y_gt0 y_q) => i; rewrite -[RHS](z_sum i); apply: eq_bigr => k _.
by rewrite /remapped sum_pick /scaled one mul1r.
Qed.

End Bounds.
