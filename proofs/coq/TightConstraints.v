(* SPDX-License-Identifier: MIT *)
(* Tight-constraints mechanisms, regular priors and the bounds that they give.                                *)
(*                                                                                                            *)
(* Phi(i,k) is alpha^d(i,k).  Besides what each theorem names, Phi is any matrix with 1 on the diagonal: no   *)
(* triangle inequality, and Phi(i,k) = 0 where nothing is asked of i and k.                                   *)
(*   tight Phi M        M is a channel with M(i,k) = Phi(i,k) M(k,k): all constraints of its diagonal are met *)
(*   regular Phi q      q = y Phi for weights y >= 0                                                          *)
(*   tight_weighting, weighting_tight, tight_iff    tight mechanisms are Phi diag(z) with z >= 0, Phi z = 1   *)
(*   tight_unique       if Phi is not singular there is at most one; tight_different: two z give two          *)
(*   no_solution        Farkas: Phi w >= 0 and sum b w < 0 exclude Phi v = b with v >= 0                      *)
(*   utility_le         no mechanism for Phi has more utility than sum y for the prior y Phi                  *)
(*   utility_tight      a tight mechanism for Phi has that much                                               *)
(*   leakage_le, leakage_any_prior      what a mechanism leaks at most: for the prior y Phi, for any prior    *)
(*   optimal_on_region  a mechanism with a tight remap is best for every regular prior                        *)
(* On a graph:                                                                                                *)
(*   graph_phi adjacent a        a^d for the length d of a shortest walk, 0 where there is none               *)
(*   graph_phi_mechanism         mechanisms that are private on the graph are mechanisms for it               *)
(*                                                                                                            *)
(* The utility of M for the prior q is sum_o max_i q_i M_io, [posterior_vulnerability identity_gain q M].     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Walks Extremes Leakage PrivacyTypes Capacities.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R).

(* Definition 7: M is a channel from X to X, and M(i,k) = Phi(i,k) M(k,k) for all i and k, which is equation (10). *)
Definition tight (M : X -> X -> R) := channel M /\ forall i k, M i k = Phi i k * M k k.

(* Definition 5: q = y Phi for some row y >= 0.  That q is a distribution is not asked here, but by the theorems that need it. *)
Definition regular (q : X -> R) := exists y : X -> R, (forall i, 0 <= y i) /\ forall k, q k = \sum_i y i * Phi i k.

End Definitions.

(* The utility of M for the prior q, with the best remap: sum_o max_i q_i M(i,o) (utilityE). *)
Definition utility (R : realFieldType) (X Y : finType) (q : X -> R) (M : X -> Y -> R) : R :=
  posterior_vulnerability (@identity_gain R X) q M.

(* The multiplicative (min-entropy) leakage; for a prior that is a distribution the divisor is positive. *)
Definition leakage (R : realFieldType) (X Y : finType) (q : X -> R) (M : X -> Y -> R) : R :=
  utility q M / vulnerability (@identity_gain R X) q.

Section Tight.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R).
Hypothesis Phi1 : forall i, Phi i i = 1.
Implicit Types (z w y b : X -> R).

Lemma utilityE (Y : finType) (q : X -> R) (M : X -> Y -> R) : utility q M = \sum_o largest (fun i => q i * M i o).
Proof. by apply: eq_bigr => o _; apply: eq_largest => i; rewrite identity_gainE. Qed.

Lemma vulnerabilityE (q : X -> R) : vulnerability (@identity_gain R X) q = largest q.
Proof. by apply: eq_largest => i; rewrite identity_gainE. Qed.

(* ---- Existence and uniqueness ---- *)
Theorem tight_weighting (M : X -> X -> R) : tight Phi M -> weighting Phi (fun k => M k k).
Proof.
case=> [[M_ge0 M_sum1] ME]; split=> [k|i]; first exact: M_ge0.
by rewrite -(M_sum1 i); apply: eq_bigr => k _; rewrite -ME.
Qed.

Theorem weighting_tight z : (forall i k, 0 <= Phi i k) -> weighting Phi z -> tight Phi (scaled Phi z).
Proof.
move=> Phi_ge0 [z_ge0 z_sum]; split=> [|i k]; last by rewrite /scaled Phi1 mul1r.
by split=> [i k|i]; [rewrite mulr_ge0 | exact: z_sum].
Qed.

Theorem tight_iff : (forall i k, 0 <= Phi i k) -> (exists M, tight Phi M) <-> exists z, weighting Phi z.
Proof.
move=> Phi_ge0; split=> [[M /tight_weighting M_z]|[z /(weighting_tight Phi_ge0) z_tight]]; last by exists (scaled Phi z).
by exists (fun k => M k k).
Qed.

Theorem tight_unique (M N : X -> X -> R) : (forall c, (forall i, \sum_k Phi i k * c k = 0) -> forall k, c k = 0) ->
  tight Phi M -> tight Phi N -> forall i k, M i k = N i k.
Proof.
move=> Phi_inj M_tight N_tight i k; have [_ M_sum] := tight_weighting M_tight; have [_ N_sum] := tight_weighting N_tight.
have same : M k k = N k k.
  apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (Phi_inj (fun k => M k k - N k k)) => {k} i'.
  by under eq_bigr => k _ do rewrite mulrBr; rewrite sumrB M_sum N_sum subrr.
by case: M_tight => _ ->; case: N_tight => _ ->; rewrite same.
Qed.

Theorem tight_different z w k : z k != w k -> scaled Phi z k k != scaled Phi w k k.
Proof. by rewrite /scaled Phi1 !mul1r. Qed.

Theorem no_solution b w : (forall i k, Phi i k = Phi k i) -> (forall i, 0 <= \sum_k Phi i k * w k) ->
  \sum_i b i * w i < 0 -> ~ exists v, (forall k, 0 <= v k) /\ forall i, \sum_k Phi i k * v k = b i.
Proof.
move=> Phi_sym w_ge0 bw_lt0 [v [v_ge0 v_b]]; move: bw_lt0; apply/negP; rewrite -leNgt.
have -> : \sum_i b i * w i = \sum_k v k * \sum_i Phi k i * w i.
  under eq_bigr => i _ do rewrite -v_b mulr_suml.
  rewrite exchange_big; apply: eq_bigr => k _; rewrite mulr_sumr; apply: eq_bigr => i _.
  by rewrite [Phi i k]Phi_sym mulrAC mulrC.
by apply: sumr_ge0 => k _; rewrite mulr_ge0.
Qed.

Corollary no_weighting w : (forall i k, Phi i k = Phi k i) -> (forall i, 0 <= \sum_k Phi i k * w k) ->
  \sum_i w i < 0 -> ~ exists z, weighting Phi z.
Proof.
move=> Phi_sym w_ge0 w_lt0; apply: (no_solution (b := fun=> 1) Phi_sym w_ge0).
by under eq_bigr => i _ do rewrite mul1r.
Qed.

Corollary not_regular q w : (forall i k, Phi i k = Phi k i) -> (forall i, 0 <= \sum_k Phi i k * w k) ->
  \sum_i q i * w i < 0 -> ~ regular Phi q.
Proof.
move=> Phi_sym w_ge0 qw_lt0 [y [y_ge0 y_q]]; apply: (no_solution Phi_sym w_ge0 qw_lt0); exists y.
by split=> // i; rewrite y_q; apply: eq_bigr => k _; rewrite Phi_sym mulrC.
Qed.

(* ---- Bounds ---- *)
Theorem utility_le (Y : finType) (M : X -> Y -> R) q y : mechanism Phi M -> (forall i, 0 <= y i) ->
  (forall k, q k = \sum_i y i * Phi i k) -> utility q M <= \sum_i y i.
Proof.
move=> [M_channel M_priv] y_ge0 y_q; rewrite utilityE -(sum_weighted y M_channel); apply: ler_sum => o _.
have M_ge0 i : 0 <= M i o by case: M_channel.
apply: largest_le => [|k]; first by apply: sumr_ge0 => i _; rewrite mulr_ge0.
by rewrite y_q mulr_suml; apply: ler_sum => i _; rewrite -mulrA ler_wpmul2l.
Qed.

(* A remap T of the outputs to guesses gains no more than the best one. *)
Lemma remap_le (Y : finType) (M : X -> Y -> R) (T : Y -> X -> R) q : channel T ->
  \sum_k q k * (\sum_o M k o * T o k) <= utility q M.
Proof.
move=> [T_ge0 T_sum1]; rewrite utilityE.
under eq_bigr => k _ do rewrite mulr_sumr.
rewrite exchange_big; apply: ler_sum => o _; rewrite -[leRHS]mul1r -(T_sum1 o) mulr_suml; apply: ler_sum => k _.
by rewrite mulrA mulrC ler_wpmul2l // (le_largest (fun i => q i * M i o)).
Qed.

Lemma tight_total q y z : (forall k, q k = \sum_i y i * Phi i k) -> (forall i, \sum_k Phi i k * z k = 1) ->
  \sum_k q k * z k = \sum_i y i.
Proof.
move=> y_q z_sum; under eq_bigr => k _ do rewrite y_q mulr_suml.
rewrite exchange_big; apply: eq_bigr => i _; rewrite -[RHS]mulr1 -(z_sum i) mulr_sumr.
by apply: eq_bigr => k _; rewrite mulrA.
Qed.

(* M remapped by T is tight on its diagonal: then it is best for every regular prior. *)
Theorem optimal_on_region (Y : finType) (M : X -> Y -> R) (T : Y -> X -> R) q : channel T ->
  (forall i, \sum_k Phi i k * (\sum_o M k o * T o k) = 1) -> regular Phi q ->
  forall (Z : finType) (N : X -> Z -> R), mechanism Phi N -> utility q N <= utility q M.
Proof.
move=> T_channel T_tight [y [y_ge0 y_q]] Z N N_mech; apply: le_trans (utility_le N_mech y_ge0 y_q) _.
by rewrite -(tight_total y_q T_tight); exact: remap_le.
Qed.

Theorem utility_tight (M : X -> X -> R) q y : mechanism Phi M -> tight Phi M -> (forall i, 0 <= y i) ->
  (forall k, q k = \sum_i y i * Phi i k) -> utility q M = \sum_i y i.
Proof.
move=> M_mech M_tight y_ge0 y_q; apply/eqP; rewrite eq_le (utility_le M_mech) //=.
have [_ M_sum] := tight_weighting M_tight; rewrite -(tight_total y_q M_sum) utilityE; apply: ler_sum => k _.
exact: (le_largest (fun i => q i * M i k)).
Qed.

Lemma vulnerability_gt0 (q : X -> R) : distribution q -> 0 < vulnerability (@identity_gain R X) q.
Proof.
case=> q_ge0 q_sum1; rewrite vulnerabilityE lt_neqAle largest_ge0 // andbT; apply/eqP => q0.
have /eqP := oner_neq0 R; case; rewrite -q_sum1 big1 // => i _; apply/eqP; rewrite eq_le q_ge0 andbT [leRHS]q0.
exact: le_largest.
Qed.

Theorem leakage_le (Y : finType) (M : X -> Y -> R) q y : mechanism Phi M -> (forall i, 0 <= y i) ->
  (forall k, q k = \sum_i y i * Phi i k) -> distribution q -> leakage q M <= (\sum_i y i) / largest q.
Proof.
move=> M_mech y_ge0 y_q q_dist; rewrite -vulnerabilityE ler_wpmul2r ?invr_ge0 ?(ltW (vulnerability_gt0 q_dist)) //.
exact: utility_le y_ge0 y_q.
Qed.

Theorem capacity_le (x0 : X) (Y : finType) (M : X -> Y -> R) z : (forall i k, Phi i k = Phi k i) -> mechanism Phi M ->
  weighting Phi z -> multiplicative_capacity M <= \sum_i z i.
Proof.
move=> Phi_sym [M_channel M_priv] [z_ge0 z_sum]; apply: multiplicative_bound => // x y.
rewrite -[leLHS]mul1r -(z_sum x) mulr_suml; apply: ler_sum => u _.
by rewrite mulrAC mulrC ler_wpmul2l // Phi_sym M_priv.
Qed.

Theorem leakage_any_prior (Y : finType) (M : X -> Y -> R) z q : (forall i k, Phi i k = Phi k i) ->
  mechanism Phi M -> weighting Phi z -> distribution q -> leakage q M <= \sum_i z i.
Proof.
move=> Phi_sym M_mech z_Phi q_dist; have [M_channel _] := M_mech; have [q_ge0 q_sum1] := q_dist.
have [x0 _|none] := pickP (fun _ : X => true); last first.
  by have /eqP := oner_neq0 R; case; rewrite -q_sum1 big1 // => x _; have := none x.
have V_gt0 := vulnerability_gt0 q_dist; rewrite ler_pdivr_mulr //.
apply: le_trans (theorem13 M_channel _ q_ge0) _ => [w x|]; first exact: ler0n.
by rewrite ler_wpmul2r ?(capacity_le x0) // ltW.
Qed.

End Tight.

(* ---- Graphs ---- *)
Section Graph.
Variables (R : realFieldType) (p : nat) (adjacent : rel 'I_p) (a : R).

(* Definition 4 for a graph, a = e^(-epsilon): Phi(i,j) = a^d(i,j), and 0 where there is no walk from i to j. *)
Definition graph_phi (i j : 'I_p) : R := if connect adjacent i j then a ^+ distance adjacent i j else 0.

Lemma connected_walk i j : connect adjacent i j -> exists2 n, (n < p)%N & walk adjacent n i j.
Proof.
case/connectP=> s0 s0_path ->; case: (shortenP s0_path) => s s_path s_uniq _.
exists (size s); last exact: path_walk.
by have := max_card (mem (i :: s)); rewrite (card_uniqP s_uniq) card_ord.
Qed.

Lemma walk_connected n i j : walk adjacent n i j -> connect adjacent i j.
Proof.
elim: n i => [|n IHn] i /=; first by move/eqP->; exact: connect0.
by case/existsP=> h /andP[ih /IHn]; apply: connect_trans; exact: connect1.
Qed.

Lemma connected_distance i j : connect adjacent i j ->
  (distance adjacent i j < p)%N /\ walk adjacent (distance adjacent i j) i j.
Proof.
case/connected_walk=> n n_lt ij; have d_lt := leq_ltn_trans (distance_min ij) n_lt; split=> //.
have has_walk : has (fun n => walk adjacent n i j) (iota 0 p) by apply/hasP; exists n; rewrite ?mem_iota.
by have := nth_find 0%N has_walk; rewrite nth_iota.
Qed.

Lemma graph_phi1 i : graph_phi i i = 1.
Proof. by rewrite /graph_phi connect0 distance_self expr0. Qed.

Lemma graph_phi_ge0 i j : 0 <= a -> 0 <= graph_phi i j.
Proof. by move=> a_ge0; rewrite /graph_phi; case: ifP => // _; rewrite exprn_ge0. Qed.

Hypothesis adjacent_sym : symmetric adjacent.

Lemma walk_back n i j : walk adjacent n i j -> walk adjacent n j i.
Proof.
elim: n i => [|n IHn] i; first by rewrite /= eq_sym.
case/existsP=> h /andP[ih hj]; rewrite -addn1; apply: walk_cat (IHn _ hj) _.
by apply: walk1; rewrite adjacent_sym.
Qed.

Lemma graph_phi_sym i j : graph_phi i j = graph_phi j i.
Proof.
rewrite /graph_phi; case: ifP => [ij|no_ij]; case: ifP => [ji|no_ji] //.
- have [_ w_ij] := connected_distance ij; have [_ w_ji] := connected_distance ji.
  by congr (_ ^+ _); apply/eqP; rewrite eqn_leq !distance_min // walk_back.
- by case: (negP (negbT no_ji)); have [_ w_ij] := connected_distance ij; exact/walk_connected/walk_back/w_ij.
- by case: (negP (negbT no_ij)); have [_ w_ji] := connected_distance ji; exact/walk_connected/walk_back/w_ji.
Qed.

(* Along a walk of n edges privacy loses the factor a^n at most. *)
Lemma private_walk m (M : 'M[R]_(p, m)) n i j r : 0 <= a -> private_on adjacent a M ->
  walk adjacent n i j -> a ^+ n * M j r <= M i r.
Proof.
move=> a_ge0 M_priv; elim: n i => [|n IHn] i /=; first by move/eqP->; rewrite expr0 mul1r.
case/existsP=> h /andP[ih /IHn h_le]; apply: le_trans (M_priv _ _ r ih).
by rewrite exprS -mulrA ler_wpmul2l.
Qed.

Theorem graph_phi_mechanism m (M : 'M[R]_(p, m)) : 0 <= a -> stochastic M -> private_on adjacent a M ->
  mechanism graph_phi M.
Proof.
move=> a_ge0 M_st M_priv; split=> // i j r; rewrite /graph_phi; case: ifP => [ij|_]; last by rewrite mul0r; case: M_st.
by have [_ w_ij] := connected_distance ij; exact: private_walk w_ij.
Qed.

End Graph.
