(* SPDX-License-Identifier: MIT *)
(* ElSalamouny, Chatzikokolakis and Palamidessi, Section 5: what tight-constraints mechanisms are good for.   *)
(*                                                                                                            *)
(*   constraints Phi     what Phi(i,k) = alpha^d(i,k) has on any graph, 0 where there is no walk from i to k  *)
(*   optimal_for         the best gain for the prior q, over all private mechanisms and all remaps            *)
(*   most_informative    the same for the min-mutual information (the leakage)                                *)
(*   tight_proposition7  tight-constraints mechanisms are private                                             *)
(*   tight_lemma3        a private X has Phi diag(X) = 1 if and only if it is tight-constraints               *)
(*   tight_theorem3      optimal for every regular prior if and only if remapped to a                         *)
(*                       tight-constraints mechanism;  tight_theorem3_leakage: the same for leakage           *)
(*   tight_lemma4        one exists if and only if the uniform prior is regular                               *)
(*   tight_corollary2_if, tight_corollary2_positive, tight_corollary2_semidefinite                            *)
(*                       what of Corollary 2 is true                                                          *)
(*   tight_maximal       what is remapped to a tight-constraints mechanism is also made from it by a remap    *)
(*   tight_theorem3_same optimal for every regular prior if and only if a tight-constraints mechanism and it  *)
(*                       are each made from the other by a remap                                              *)
(* On a graph: graph_constraints and graph_mechanism_iff say that all this applies to it.                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Walks Retracts Extremes Leakage PrivacyTypes Capacities.
From ExactDP Require Import TightConstraints ObliviousQueries.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R).

(* What is asked of Phi: entries >= 0, symmetric, 1 on the diagonal, and Phi(i,j) Phi(j,k) <= Phi(i,k). *)
Definition constraints :=
  [/\ forall i k, 0 <= Phi i k, forall i k, Phi i k = Phi k i, forall i, Phi i i = 1 &
      forall i j k, Phi i j * Phi j k <= Phi i k].

(* Some remap T of M gains as much as any private mechanism N, with whatever outputs, and any remap S of it.   *)
(* The gain is the binary one: remap_utility q M T is sum_i q_i (MT)_ii (binary_gain in ObliviousQueries.v).   *)
Definition optimal_for (Y : finType) (q : X -> R) (M : X -> Y -> R) :=
  exists2 T : Y -> X -> R, channel T & forall (Z : finType) (N : X -> Z -> R) (S : Z -> X -> R),
    mechanism Phi N -> channel S -> remap_utility q N S <= remap_utility q M T.

(* No private mechanism N, with whatever outputs, has a larger leakage (multiplicative, min-entropy) than M for the prior q. *)
Definition most_informative (Y : finType) (q : X -> R) (M : X -> Y -> R) :=
  forall (Z : finType) (N : X -> Z -> R), mechanism Phi N -> leakage q N <= leakage q M.

End Definitions.

Section Tight.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R).
Add Field R_field : (field_theory_of R).
Hypothesis Phi_ok : constraints Phi.

Lemma remapped_channel (Y W : finType) (M : X -> Y -> R) (T : Y -> W -> R) : channel M -> channel T -> channel (remapped M T).
Proof.
move=> [M_ge0 M_sum1] [T_ge0 T_sum1]; split=> [i k|i]; first by apply: sumr_ge0 => o _; rewrite mulr_ge0.
rewrite exchange_big -[RHS](M_sum1 i); apply: eq_bigr => o _.
by rewrite -mulr_sumr T_sum1 mulr1.
Qed.

Lemma remapped_tight (Y : finType) (M : X -> Y -> R) (T : Y -> X -> R) : tight Phi (remapped M T) ->
  forall i, \sum_k Phi i k * remapped M T k k = 1.
Proof. by case/tight_weighting. Qed.

Theorem tight_proposition7 (M : X -> X -> R) : tight Phi M -> mechanism Phi M.
Proof.
have [_ _ _ Phi_tri] := Phi_ok; case=> M_channel ME; split=> // i h k.
by rewrite ME [leRHS]ME mulrA ler_wpmul2r //; case: M_channel.
Qed.

Theorem tight_lemma3 (M : X -> X -> R) : mechanism Phi M -> (forall i, \sum_k Phi i k * M k k = 1) <-> tight Phi M.
Proof.
move=> [M_channel M_priv]; split=> [M_diag|/tight_weighting[]//]; split=> // i k.
apply: (equal_terms (F := fun k => Phi i k * M k k)) => [k'|]; first exact: M_priv.
by rewrite M_diag (proj2 M_channel).
Qed.

(* ---- Gains, with a remap and at best ---- *)
Lemma optimal_forE (x0 : X) (Y : finType) q (M : X -> Y -> R) :
  optimal_for Phi q M <-> forall (Z : finType) (N : X -> Z -> R), mechanism Phi N -> utility q N <= utility q M.
Proof.
split=> [[T T_channel best] Z N N_mech|best].
  have [S S_channel <-] := best_remap x0 q N.
  by apply: le_trans (best _ _ _ N_mech S_channel) _; exact: remap_utility_le.
have [T T_channel TE] := best_remap x0 q M; exists T => // Z N S N_mech S_channel.
by rewrite TE; apply: le_trans (best _ _ N_mech); exact: remap_utility_le.
Qed.

Lemma most_informativeE (Y : finType) q (M : X -> Y -> R) : distribution q ->
  most_informative Phi q M <-> forall (Z : finType) (N : X -> Z -> R), mechanism Phi N -> utility q N <= utility q M.
Proof.
move=> q_dist; have V_gt0 := vulnerability_gt0 q_dist.
by split=> best Z N /best; rewrite /leakage ler_pmul2r // invr_gt0.
Qed.

(* ---- One prior with weights y > 0 is enough ---- *)
Lemma tight_gain (Y : finType) q y (M : X -> Y -> R) (T : Y -> X -> R) : (forall k, q k = \sum_i y i * Phi i k) ->
  remap_utility q M T = \sum_i y i * \sum_k Phi i k * remapped M T k k.
Proof.
move=> y_q; rewrite binary_gain; under eq_bigr => k _ do rewrite y_q mulr_suml.
by rewrite exchange_big; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => k _; rewrite mulrA.
Qed.

Lemma slack_ge0 (Y : finType) (M : X -> Y -> R) (T : Y -> X -> R) i : mechanism Phi M -> channel T ->
  \sum_k Phi i k * remapped M T k k <= 1.
Proof.
move=> M_mech T_channel; have [[_ MT_sum1] MT_priv] := remapped_mechanism T_channel M_mech.
by rewrite -(MT_sum1 i); apply: ler_sum => k _; exact: MT_priv.
Qed.

(* The remap that leaves outputs as they are: the output o is read as o. *)
Definition identity_remap : X -> X -> R := fun o k => (k == o)%:R.

Lemma identity_channel : channel identity_remap.
Proof.
split=> [o k|o]; first exact: ler0n.
by rewrite (bigD1 o) //= /identity_remap eqxx big1 ?addr0 // => k /negPf ->.
Qed.

Lemma remapped_identity (M : X -> X -> R) i k : remapped M identity_remap i k = M i k.
Proof.
rewrite /remapped (bigD1 k) //= /identity_remap eqxx mulr1 big1 ?addr0 // => o.
by rewrite eq_sym => /negPf ->; rewrite mulr0.
Qed.

Lemma positive_weights (Y : finType) q y (M : X -> Y -> R) : mechanism Phi M -> (exists K, tight Phi K) ->
  (forall i, 0 < y i) -> (forall k, q k = \sum_i y i * Phi i k) -> optimal_for Phi q M ->
  exists2 T : Y -> X -> R, channel T & tight Phi (remapped M T).
Proof.
move=> M_mech [K K_tight] y_gt0 y_q [T T_channel best]; exists T => //.
apply/(tight_lemma3 (remapped_mechanism T_channel M_mech)) => i; apply/eqP; rewrite eq_le slack_ge0 //=.
have := best _ _ _ (tight_proposition7 K_tight) identity_channel; rewrite !(tight_gain _ _ y_q) => le_sum.
have slack_le j : y j * (\sum_k Phi j k * remapped M T k k) <= y j * (\sum_k Phi j k * remapped K identity_remap k k).
  rewrite ler_pmul2l //; under [leRHS]eq_bigr => k _ do rewrite remapped_identity.
  by rewrite (proj2 (tight_weighting K_tight)) slack_ge0.
have /(mulfI (lt0r_neq0 (y_gt0 i))) <- := equal_terms slack_le le_sum i.
under eq_bigr => k _ do rewrite remapped_identity.
by rewrite (proj2 (tight_weighting K_tight)).
Qed.

Lemma remapped_optimal (x0 : X) (Y : finType) q (M : X -> Y -> R) (T : Y -> X -> R) : channel T -> tight Phi (remapped M T) ->
  regular Phi q -> optimal_for Phi q M.
Proof.
move=> T_channel MT_tight q_reg; apply/(optimal_forE x0) => Z N N_mech.
exact: (optimal_on_region T_channel (remapped_tight MT_tight) q_reg).
Qed.

(* The mean of the rows of Phi, made a distribution. *)
Lemma inner_prior (x0 : X) : exists q y, [/\ distribution q, forall i : X, 0 < y i & forall k, q k = \sum_i y i * Phi i k].
Proof.
have [Phi_ge0 _ Phi1 _] := Phi_ok; pose s := \sum_i \sum_k Phi i k.
have row_gt0 i : 0 < \sum_k Phi i k.
  by rewrite (bigD1 i) //= Phi1 ltr_spaddl ?ltr01 // sumr_ge0.
have s_gt0 : 0 < s by rewrite /s (bigD1 x0) //= ltr_spaddl ?row_gt0 // sumr_ge0 // => i _; exact/ltW/row_gt0.
exists (fun k => \sum_i s^-1 * Phi i k), (fun=> s^-1); split=> // [|i]; last by rewrite invr_gt0.
split=> [k|]; first by apply: sumr_ge0 => i _; rewrite mulr_ge0 // invr_ge0 ltW.
rewrite exchange_big /=; under eq_bigr => i _ do rewrite -mulr_sumr.
by rewrite -mulr_sumr mulVf ?gt_eqF.
Qed.

(* ---- Theorem 3 ---- *)
Theorem tight_theorem3 (x0 : X) (Y : finType) (M : X -> Y -> R) : mechanism Phi M -> (exists K, tight Phi K) ->
  (forall q, distribution q -> regular Phi q -> optimal_for Phi q M) <->
  exists2 T : Y -> X -> R, channel T & tight Phi (remapped M T).
Proof.
move=> M_mech K_tight; split=> [best|[T T_channel MT_tight] q _]; last exact: (remapped_optimal x0 T_channel).
have [q [y [q_dist y_gt0 y_q]]] := inner_prior x0; apply: (positive_weights M_mech K_tight y_gt0 y_q).
by apply: best => //; exists y; split=> // i; exact/ltW/y_gt0.
Qed.

Theorem tight_theorem3_leakage (x0 : X) (Y : finType) (M : X -> Y -> R) : mechanism Phi M -> (exists K, tight Phi K) ->
  (forall q, distribution q -> regular Phi q -> most_informative Phi q M) <->
  exists2 T : Y -> X -> R, channel T & tight Phi (remapped M T).
Proof.
move=> M_mech K_tight; apply: (iff_trans _ (tight_theorem3 x0 M_mech K_tight)).
by split=> best q q_dist q_reg; [apply/(optimal_forE x0)/most_informativeE | apply/most_informativeE => //; apply/(optimal_forE x0)];
  auto.
Qed.

Corollary tight_optimal (x0 : X) (M : X -> X -> R) q : tight Phi M -> regular Phi q -> optimal_for Phi q M.
Proof.
move=> M_tight; apply: (remapped_optimal x0 identity_channel); case: M_tight => M_channel ME.
split=> [|i k]; first exact: remapped_channel identity_channel.
by rewrite !remapped_identity ME.
Qed.

(* ---- Lemma 4 ---- *)
Theorem tight_lemma4 : (exists M, tight Phi M) <-> regular Phi (@uniform R X).
Proof.
have [Phi_ge0 Phi_sym Phi1 _] := Phi_ok; apply: (iff_trans (tight_iff Phi1 Phi_ge0)).
split=> [[z [z_ge0 z_sum]]|[y [y_ge0 y_u]]].
  exists (fun i => #|X|%:R^-1 * z i); split=> [i|k]; first by rewrite mulr_ge0 ?invr_ge0 ?ler0n.
  under eq_bigr => i _ do rewrite -mulrA [z i * _]mulrC Phi_sym.
  by rewrite -mulr_sumr z_sum mulr1.
exists (fun i => #|X|%:R * y i); split=> [i|k]; first by rewrite mulr_ge0 ?ler0n.
under eq_bigr => i _ do rewrite mulrCA [Phi k i * _]mulrC Phi_sym.
by rewrite -mulr_sumr -y_u divff // card_neq0.
Qed.

(* ---- Corollary 2 ---- *)
Theorem tight_corollary2_if (x0 : X) (Y : finType) (M : X -> Y -> R) (T : Y -> X -> R) : channel T -> tight Phi (remapped M T) ->
  optimal_for Phi (@uniform R X) M.
Proof.
move=> T_channel MT_tight; apply: (remapped_optimal x0 T_channel MT_tight).
by apply/tight_lemma4; exists (remapped M T).
Qed.

Theorem tight_corollary2_positive (Y : finType) (M : X -> Y -> R) (K : X -> X -> R) : mechanism Phi M -> tight Phi K ->
  (forall k, 0 < K k k) -> optimal_for Phi (@uniform R X) M -> exists2 T : Y -> X -> R, channel T & tight Phi (remapped M T).
Proof.
have [Phi_ge0 Phi_sym Phi1 _] := Phi_ok; move=> M_mech K_tight K_gt0.
have [_ K_sum] := tight_weighting K_tight.
apply: (positive_weights (y := fun i => #|X|%:R^-1 * K i i)) => // [|i|k]; first by exists K.
  by rewrite mulr_gt0 // invr_gt0 lt0r ler0n andbT; exact: card_neq0.
under eq_bigr => i _ do rewrite -mulrA [K i i * _]mulrC Phi_sym.
by rewrite -mulr_sumr K_sum mulr1.
Qed.

(* A form that is never negative vanishes at v only if Phi v = 0. *)
Lemma semidefinite_null v : (forall w : X -> R, 0 <= \sum_i w i * \sum_k Phi i k * w k) ->
  \sum_i v i * (\sum_k Phi i k * v k) <= 0 -> forall i, \sum_k Phi i k * v k = 0.
Proof.
have [_ Phi_sym _ _] := Phi_ok; move=> psd v_le0; pose s i := \sum_k Phi i k * v k; pose p i := \sum_k Phi i k * s k.
pose A := \sum_i s i * s i; pose B := \sum_i s i * p i.
have B_ge0 : 0 <= B by exact: psd.
have A_ge0 : 0 <= A by apply: sumr_ge0 => i _; rewrite -expr2 sqr_ge0.
have v_p : \sum_i v i * p i = A.
  under eq_bigr => i _ do rewrite mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => k _; rewrite {2}/s mulr_sumr; apply: eq_bigr => i _.
  by rewrite [Phi i k]Phi_sym mulrA mulrC [v i * _]mulrC.
have form (c : R) : \sum_i (v i - c * s i) * (\sum_k Phi i k * (v k - c * s k)) = \sum_i v i * s i - c * (A + A) + c * c * B.
  have row i : \sum_k Phi i k * (v k - c * s k) = s i - c * p i.
    by rewrite mulr_sumr -sumrB; apply: eq_bigr => k _; rewrite mulrBr [Phi i k * (c * _)]mulrCA.
  under eq_bigr => i _ do rewrite row.
  rewrite -{1}v_p /A /B mulrDr !mulr_sumr -big_split /= -sumrB -big_split; apply: eq_bigr => i _ /=.
  by by_ring R.
have A0 : A = 0.
  apply/eqP; rewrite eq_le A_ge0 andbT leNgt; apply/negP => A_gt0; have B1_gt0 : 0 < B + 1 by rewrite ltr_paddl ?ltr01.
  pose c := A / (B + 1); have c_gt0 : 0 < c by rewrite divr_gt0.
  have := psd (fun i => v i - c * s i); rewrite form => le_form.
  have cB : c * B <= A by rewrite /c mulrAC ler_pdivr_mulr // ler_wpmul2l // ler_addl ler01.
  have : c * (A + A) <= c * (c * B).
    rewrite -subr_ge0; apply: le_trans le_form _; by rewrite mulrA -addrA [- (c * (A + A)) + _]addrC ger_addr.
  by rewrite ler_pmul2l // => /le_trans/(_ cB); rewrite ger_addl leNgt A_gt0.
move=> i; have /eqP := A0; rewrite psumr_eq0 => [/allP/(_ i)|j _]; last by rewrite -expr2 sqr_ge0.
by move/(_ (mem_index_enum i)); rewrite /= mulf_eq0 orbb => /eqP.
Qed.

Theorem tight_corollary2_semidefinite (Y : finType) (M : X -> Y -> R) (K : X -> X -> R) : mechanism Phi M -> tight Phi K ->
  (forall w : X -> R, 0 <= \sum_i w i * \sum_k Phi i k * w k) ->
  optimal_for Phi (@uniform R X) M -> exists2 T : Y -> X -> R, channel T & tight Phi (remapped M T).
Proof.
have [_ Phi_sym _ _] := Phi_ok; move=> M_mech K_tight psd [T T_channel best]; exists T => //.
apply/(tight_lemma3 (remapped_mechanism T_channel M_mech)) => i; have [K_ge0 K_sum] := tight_weighting K_tight.
pose x k := remapped M T k k; pose s j := 1 - \sum_k Phi j k * x k.
have s_ge0 j : 0 <= s j by rewrite subr_ge0 slack_ge0.
have x_ge0 k : 0 <= x k by exact: (proj1 (remapped_channel (proj1 M_mech) T_channel)).
have row j : \sum_k Phi j k * (K k k - x k) = s j.
  by under eq_bigr => k _ do rewrite mulrBr; rewrite sumrB K_sum.
have le_sum : \sum_k K k k <= \sum_k x k.
  have := best _ _ _ (tight_proposition7 K_tight) identity_channel; rewrite !binary_gain /uniform -!mulr_sumr ler_pmul2l; last first.
    by rewrite invr_gt0 lt0r ler0n andbT; exact: card_neq0.
  by under eq_bigr => k _ do rewrite remapped_identity.
have cross : \sum_j K j j * (\sum_k Phi j k * x k) = \sum_k x k.
  under eq_bigr => j _ do rewrite mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => k _; rewrite -[RHS]mulr1 -(K_sum k) mulr_sumr; apply: eq_bigr => j _.
  by rewrite [Phi j k]Phi_sym mulrA mulrC [K j j * _]mulrC.
have null := semidefinite_null psd (v := fun k => K k k - x k).
have : s i = 0.
  rewrite -row; apply: null; under eq_bigr => j _ do rewrite row mulrBl; rewrite sumrB subr_le0.
  apply: (@le_trans _ _ 0); last by apply: sumr_ge0 => j _; rewrite mulr_ge0.
  by under eq_bigr => j _ do rewrite /s mulrBr mulr1; rewrite sumrB cross subr_le0.
by move/eqP; rewrite subr_eq0 => /eqP.
Qed.

(* ---- Tight-constraints mechanisms are maximal for post-processing ---- *)
(* What is remapped to one differs from it only by splitting outputs. *)
Theorem tight_maximal (x0 : X) (Y : finType) (M : X -> Y -> R) (T : Y -> X -> R) : mechanism Phi M -> channel T ->
  tight Phi (remapped M T) -> exists2 S : X -> Y -> R, channel S & forall i o, M i o = remapped (remapped M T) S i o.
Proof.
move=> [M_channel M_priv] T_channel; have [M_ge0 M_sum1] := M_channel; have [T_ge0 T_sum1] := T_channel.
case=> MT_channel MT_tight; set K := remapped M T in MT_channel MT_tight *.
(* Column o of M is a multiple of column k of Phi wherever o is remapped to k. *)
have column i k o : M i o * T o k = Phi i k * (M k o * T o k).
  have same := equal_terms (F := fun o => Phi i k * (M k o * T o k)) (G := fun o => M i o * T o k).
  apply: same => {o} [o|]; first by rewrite mulrA ler_wpmul2r.
  by rewrite -mulr_sumr -/(remapped M T i k) -/(remapped M T k k) -/K -MT_tight.
have row_sum k : \sum_o M k o * T o k = K k k by [].
pose S k o := if K k k == 0 then M x0 o else M k o * T o k / K k k.
exists S => [|i o]; first split=> [k o|k].
- rewrite /S; case: ifP => _ //; by rewrite divr_ge0 ?mulr_ge0 //; case: MT_channel.
- rewrite /S; case: (eqVneq (K k k) 0) => [_|K_neq0]; first exact: M_sum1.
  by rewrite -mulr_suml row_sum divff.
rewrite {1}/remapped -[LHS]mulr1 -(T_sum1 o) mulr_sumr; apply: eq_bigr => k _.
rewrite column MT_tight /S; case: eqVneq => [K0|K_neq0]; last by rewrite -mulrA [K k k * _]mulrC mulfVK.
rewrite K0 mulr0 mul0r; suff -> : M k o * T o k = 0 by rewrite mulr0.
have /eqP := K0; rewrite -row_sum psumr_eq0 => [/allP/(_ o)|o' _]; last by rewrite mulr_ge0.
by move/(_ (mem_index_enum o))/eqP.
Qed.

(* Theorem 3 and maximality together. *)
Corollary tight_theorem3_same (x0 : X) (Y : finType) (M : X -> Y -> R) : mechanism Phi M -> (exists K, tight Phi K) ->
  (forall q, distribution q -> regular Phi q -> optimal_for Phi q M) <->
  exists K : X -> X -> R, [/\ tight Phi K, exists2 T : Y -> X -> R, channel T & forall i k, K i k = remapped M T i k &
    exists2 S : X -> Y -> R, channel S & forall i o, M i o = remapped K S i o].
Proof.
move=> M_mech K_tight; apply: (iff_trans (tight_theorem3 x0 M_mech K_tight)).
split=> [[T T_channel MT_tight]|[K [K_tight' [T T_channel KE] _]]].
  exists (remapped M T); split=> //; first by exists T.
  exact: tight_maximal MT_tight.
exists T => //; case: K_tight' => [[K_ge0 K_sum1] KK]; split=> [|i k]; last by rewrite -!KE.
by split=> [i k|i]; [rewrite -KE | rewrite -[RHS](K_sum1 i); apply: eq_bigr => k _; rewrite KE].
Qed.

End Tight.

(* ---- Graphs ---- *)
Section Graph.
Variables (R : realFieldType) (p : nat) (adjacent : rel 'I_p) (a : R).
Hypotheses (adjacent_sym : symmetric adjacent) (a_ge0 : 0 <= a) (a_le1 : a <= 1).

Theorem graph_constraints : constraints (graph_phi adjacent a).
Proof.
split=> [i k|i k|i|i j k]; first exact: graph_phi_ge0; first exact: graph_phi_sym; first exact: graph_phi1.
rewrite {1 2}/graph_phi; case: ifP => [ij|_]; last by rewrite mul0r graph_phi_ge0.
case: ifP => [jk|_]; last by rewrite mulr0 graph_phi_ge0.
have [_ w_ij] := connected_distance ij; have [_ w_jk] := connected_distance jk.
rewrite /graph_phi (connect_trans ij jk) -exprD ler_wiexpn2l // distance_min //.
exact: walk_cat w_ij w_jk.
Qed.

(* Proposition 1 of the paper: privacy between neighbours is privacy at all finite distances. *)
Theorem graph_mechanism_iff (Y : finType) (M : 'I_p -> Y -> R) :
  mechanism (graph_phi adjacent a) M <-> channel M /\ forall i j y, adjacent i j -> a * M j y <= M i y.
Proof.
split=> [[M_channel M_priv]|[M_channel M_priv]]; split=> // i j y; have [M_ge0 _] := M_channel.
  move=> ij; apply: le_trans (M_priv i j y); rewrite ler_wpmul2r // /graph_phi connect1 //.
  by rewrite -[leLHS]expr1 ler_wiexpn2l // distance_min // walk1.
rewrite /graph_phi; case: ifP => [ij|_]; last by rewrite mul0r.
have [_] := connected_distance ij; move: (distance adjacent i j) => n {ij}.
elim: n i => [|n IHn] i /=; first by move/eqP->; rewrite expr0 mul1r.
case/existsP=> h /andP[ih /IHn h_le]; apply: le_trans (M_priv _ _ y ih).
by rewrite exprS -mulrA ler_wpmul2l.
Qed.

(* All of this file on a graph, connected or not. *)
Corollary graph_proposition7 (M : 'I_p -> 'I_p -> R) : tight (graph_phi adjacent a) M ->
  channel M /\ forall i j k, adjacent i j -> a * M j k <= M i k.
Proof. by move=> M_tight; apply/graph_mechanism_iff/tight_proposition7 => //; exact: graph_constraints. Qed.

End Graph.
