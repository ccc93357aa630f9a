(* SPDX-License-Identifier: MIT *)
(* Databases, queries and their answers (ElSalamouny and others, Section 2).                                  *)
(*                                                                                                            *)
(*   definition1           Definition 1: privacy towards adjacent databases, by sets of outputs               *)
(*   definition1_outputs   the same by single outputs                                                         *)
(*   oblivious             Definition 2; definition2_iff: the output depends on the answer only               *)
(*   adjacent_answers      Definition 3: which answers are adjacent; query_graph: for finitely many databases *)
(*   query_lemma1          Lemma 1: X after f is private iff X is for adjacent answers                        *)
(*   query_proposition1    Proposition 1: iff X is for all answers, with a^d(i,h)                             *)
(*   query_constraints     iff X is a mechanism for the privacy-constraints matrix of the answers             *)
(*   query_connected       if a chain of adjacent databases joins any two, the answers are connected          *)
(*   query_complete        if all databases are adjacent, all answers are                                     *)
(*   record_adjacent       databases V^u that differ in one record; records_connected: chains join any two    *)
(*   counting_answers      the answers of a counting query form a path                                        *)
(*   binary_gain, best_remap   the expected gain of a remap, and the best one                                 *)
(*                                                                                                            *)
(* Databases are of any type, finite or not, with any relation of adjacency; answers are 'I_p; outputs are of *)
(* any finite type.  The level a is e^(-epsilon), 0 < a <= 1, so a^-1 is e^epsilon.                           *)
From Coq Require Import Relation_Operators.
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Oblivious InducedMetric MatrixGame Walks Extremes Leakage PrivacyTypes.
From ExactDP Require Import TightConstraints.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Databases and answers ---- *)
Section Definitions.
Variables (R : realFieldType) (D : Type) (near : D -> D -> Prop) (p : nat) (f : D -> 'I_p).

(* Definition 1. K v o is the probability of the output o for the database v; S is a set of outputs. *)
Definition definition1 (a : R) (O : finType) (K : D -> O -> R) := forall v v' (S : {set O}), near v v' ->
  \sum_(o in S) K v o <= a^-1 * \sum_(o in S) K v' o.

(* Definition 2: M is the noise matrix X. *)
(* That is, for some channel M the outputs of K for each database v have the distribution that M gives to its answer f v. *)
Definition oblivious (O : finType) (K : D -> O -> R) := exists M : 'I_p -> O -> R,
  channel M /\ forall v (S : {set O}), \sum_(o in S) K v o = \sum_(o in S) M (f v) o.

(* Definition 3. *)
(* Two different answers i, h are adjacent exactly if f v = i and f v' = h for some neighbouring databases v, v'. *)
Definition adjacent_answers (adjacent : rel 'I_p) := forall i h,
  adjacent i h <-> i <> h /\ exists v v', [/\ f v = i, f v' = h & near v v'].

End Definitions.

(* For finitely many databases this relation is computed. *)
Definition query_graph (D : finType) (near : rel D) p (f : D -> 'I_p) : rel 'I_p :=
  fun i h => (i != h) && [exists v, [exists v', [&& f v == i, f v' == h & near v v']]].

Lemma query_graphP (D : finType) (near : rel D) p (f : D -> 'I_p) : adjacent_answers near f (query_graph near f).
Proof.
move=> i h; split=> [/andP[/eqP ih /existsP[v /existsP[v' /and3P[/eqP vi /eqP v'h vv']]]] | [/eqP ih [v [v' [vi v'h vv']]]]].
  by split=> //; exists v, v'.
by rewrite /query_graph ih; apply/existsP; exists v; apply/existsP; exists v'; rewrite vi v'h vv' !eqxx.
Qed.

Section Privacy.
Variables (R : realFieldType) (D : Type) (near : D -> D -> Prop) (a : R).

Theorem definition1_outputs (O : finType) (K : D -> O -> R) :
  definition1 near a K <-> forall v v' o, near v v' -> K v o <= a^-1 * K v' o.
Proof.
split=> [K_priv v v' o vv' | K_priv v v' S vv']; last by rewrite mulr_sumr; apply: ler_sum => o _; exact: K_priv.
by have := K_priv v v' [set o] vv'; rewrite !big_set1.
Qed.

Variables (p : nat) (f : D -> 'I_p).

(* What an oblivious mechanism outputs depends on the answer only, and conversely. *)
Theorem definition2_iff (O : finType) (K : D -> O -> R) : (forall i, exists v, f v = i) -> (forall v, distribution (K v)) ->
  oblivious f K <-> forall v v' o, f v = f v' -> K v o = K v' o.
Proof.
move=> f_onto K_dist; split=> [[M [_ KM]] v v' o vv'|same].
  by have := KM v [set o]; have := KM v' [set o]; rewrite !big_set1 vv' => -> ->.
have [g gP] : exists g : 'I_p -> D, forall i, f (g i) = i by exact: (fin_all_exists (P := fun i v => f v = i)).
exists (fun i => K (g i)); split=> [|v S]; first by split=> [i o|i]; case: (K_dist (g i)).
by apply: eq_bigr => o _; apply: same; rewrite gP.
Qed.

Variable adjacent : rel 'I_p.
Hypothesis adjacentP : adjacent_answers near f adjacent.
Hypotheses (a_gt0 : 0 < a) (a_le1 : a <= 1).

Lemma inverse_ge1 n : 1 <= a^-1 ^+ n.
Proof. by rewrite exprn_ege1 // invf_ge1. Qed.

(* Lemma 1.  No symmetry of [near] is needed, and there may be answers that no database has. *)
Theorem query_lemma1 (O : finType) (X : 'I_p -> O -> R) : channel X ->
  definition1 near a (fun v => X (f v)) <-> forall i h o, adjacent i h -> X i o <= a^-1 * X h o.
Proof.
move=> [X_ge0 _]; rewrite definition1_outputs; split=> [K_priv i h o /adjacentP[_ [v [v' [<- <- vv']]]] | X_priv v v' o vv'].
  exact: K_priv.
have [->|ne] := eqVneq (f v) (f v'); first by rewrite ler_pemull // -[a^-1]expr1 inverse_ge1.
by apply: X_priv; apply/adjacentP; split; [exact/eqP | exists v, v'].
Qed.

(* Along a walk of n edges. *)
Lemma walk_privacy (O : finType) (X : 'I_p -> O -> R) n i h o :
  (forall i h o, adjacent i h -> X i o <= a^-1 * X h o) -> walk adjacent n i h -> X i o <= a^-1 ^+ n * X h o.
Proof.
move=> X_priv; elim: n i => [|n IHn] i /=; first by move/eqP->; rewrite expr0 mul1r.
case/existsP=> j /andP[ij /IHn j_le]; apply: le_trans (X_priv _ _ o ij) _.
by rewrite exprS -mulrA ler_wpmul2l // invr_ge0 ltW.
Qed.

(* Proposition 1.  Where there is no walk from i to h, the distance is infinite and nothing is asked. *)
Theorem query_proposition1 (O : finType) (X : 'I_p -> O -> R) : channel X -> definition1 near a (fun v => X (f v)) <->
  forall i h o, connect adjacent i h -> X i o <= a^-1 ^+ distance adjacent i h * X h o.
Proof.
move=> X_channel; have [X_ge0 _] := X_channel; rewrite query_lemma1 //; split=> X_priv i h o ih.
  by have [_ w] := connected_distance ih; exact: walk_privacy w.
apply: le_trans (X_priv i h o (connect1 ih)) _; rewrite ler_wpmul2r //.
have := distance_min (walk1 ih); case: (distance adjacent i h) => [|[|//]] _; last by rewrite expr1.
by rewrite expr0 -[a^-1]expr1 inverse_ge1.
Qed.

Lemma adjacent_answers_sym : (forall v v', near v v' -> near v' v) -> symmetric adjacent.
Proof.
move=> near_sym i h; apply/idP/idP => /adjacentP[ne [v [v' [vi v'h vv']]]]; apply/adjacentP.
all: by split=> [e|]; [exact: ne | exists v', v; split=> //; exact: near_sym].
Qed.

(* The same as a condition of the matrix Phi (Definition 4), with 0 for a pair at an infinite distance. *)
Theorem query_constraints (O : finType) (X : 'I_p -> O -> R) : (forall v v', near v v' -> near v' v) -> channel X ->
  definition1 near a (fun v => X (f v)) <-> mechanism (graph_phi adjacent a) X.
Proof.
move=> near_sym X_channel; have [X_ge0 _] := X_channel; have adj_sym := adjacent_answers_sym near_sym.
rewrite query_proposition1 //; split=> [X_priv|[_ X_priv] i h o ih].
  split=> // i h o; rewrite graph_phi_sym // /graph_phi; case: ifP => [hi|_]; last by rewrite mul0r.
  by rewrite -ler_pdivl_mull ?exprn_gt0 // -exprVn X_priv.
have := X_priv h i o; rewrite graph_phi_sym // /graph_phi ih -ler_pdivl_mull ?exprn_gt0 //.
by rewrite -exprVn.
Qed.

(* In V^u any two databases are joined by changing one record after another; a query takes its answers. *)
Theorem query_connected : (forall v v', clos_refl_trans D near v v') -> (forall i, exists v, f v = i) -> connected adjacent.
Proof.
move=> near_conn f_onto i h; have [v <-] := f_onto i; have [v' <-] := f_onto h.
elim: (near_conn v v') => {v v'} [v v' vv'|v|v v' v'' _ IH _ IH']; [|exact: connect0|exact: connect_trans IH IH'].
have [->|ne] := eqVneq (f v) (f v'); first exact: connect0.
by apply/connect1/adjacentP; split; [exact/eqP | exists v, v'].
Qed.

(* Databases with at most one record: any two that differ are adjacent. *)
Theorem query_complete : (forall v v', v <> v' -> near v v') -> (forall i, exists v, f v = i) ->
  forall i h, adjacent i h = (i != h).
Proof.
move=> all_near f_onto i h; apply/idP/idP => [/adjacentP[/eqP //]|/eqP ne]; apply/adjacentP; split=> //.
have [v vi] := f_onto i; have [v' v'h] := f_onto h; exists v, v'; split=> //; apply: all_near => e.
by apply: ne; rewrite -vi -v'h e.
Qed.

End Privacy.

(* ---- Databases V^u: u records, each with a value of V ---- *)
Section Records.
Variables (V : finType) (u : nat).
Local Notation database := {ffun 'I_u -> V}.
Implicit Types v w : database.

(* They differ in one record, and not in more ([differ_in_one], Oblivious.v, is: in one at most). *)
Definition record_adjacent v w := (v != w) && differ_in_one v w.

Theorem records_connected v w : clos_refl_trans database record_adjacent v w.
Proof.
pose mix k : database := [ffun i : 'I_u => if (i < k)%N then w i else v i].
have <- : mix 0%N = v by apply/ffunP=> i; rewrite ffunE.
have <- : mix u = w by apply/ffunP=> i; rewrite ffunE ltn_ord.
have step k : (k <= u)%N -> clos_refl_trans database record_adjacent (mix 0%N) (mix k); last exact: step.
elim: k => [|k IHk] k_le; first exact: rt_refl.
apply: rt_trans (IHk (ltnW k_le)) _; have [->|ne] := eqVneq (mix k) (mix k.+1); first exact: rt_refl.
apply: rt_step; rewrite /record_adjacent ne /=; apply/existsP; exists (Ordinal k_le).
apply/forallP=> j; apply/implyP => jk; rewrite !ffunE; have jk0 : (j == k :> nat) = false by exact: negPf jk.
by rewrite (ltnS j k) (leq_eqVlt j k) jk0.
Qed.

Lemma differ_hamming v w : differ_in_one v w -> (hamming v w <= 1)%N.
Proof.
case/existsP=> i /forallP same; rewrite /hamming (bigD1 i) //= big1 ?addn0 ?leq_b1 // => j ji.
by have := same j; rewrite ji => /eqP ->; rewrite eqxx.
Qed.

Lemma hamming_differ v w : hamming v w = 1%N -> differ_in_one v w.
Proof.
move=> one; have [i vi] : exists i, v i != w i.
  apply/existsP; apply: contra_eqT one; rewrite negb_exists => /forallP same.
  by rewrite /hamming big1 // => i _; have := same i; rewrite negbK => /eqP ->; rewrite eqxx.
apply/existsP; exists i; apply/forallP=> j; apply/implyP => ji; move: one.
rewrite /hamming (bigD1 i) //= vi (bigD1 j) //=; by case: eqP.
Qed.

(* The answers of a counting query form a path. *)
Theorem counting_answers (P : pred V) : (exists t, P t) -> (exists t, ~~ P t) ->
  adjacent_answers record_adjacent (counting P (n := u)) (@line u).
Proof.
move=> some none i h; split=> [ih|[ne [v [w [vi wh /andP[_ vw]]]]]].
  have ne : i <> h by move=> e; move: ih; rewrite e /line; case/orP=> /eqP; nat_lia.
  have differ v w : counting P v = i -> counting P w = h -> hamming v w = 1%N -> record_adjacent v w.
    by move=> vi wh /hamming_differ vw; apply/andP; split=> //; apply: contra_notN ne => /eqP e; rewrite -vi -wh e.
  split=> //.
  case/orP: ih => /eqP ih; have le := leqnSn i; have le' := leqnSn h.
    rewrite -ih in le; have [v [w [vi wh ham]]] := block_path some none le.
    by exists v, w; split=> //; apply: differ; rewrite // ham ih subSnn.
  rewrite -ih in le'; have [v [w [vh wi ham]]] := block_path some none le'.
  by exists w, v; split=> //; apply: differ; rewrite // hamming_sym ham ih subSnn.
have := leq_trans (counting_lipschitz P v w) (differ_hamming vw); rewrite vi wh /dist /line => near.
have : i != h :> nat by apply/eqP => e; apply/ne/val_inj.
by move=> /eqP ne'; case: (ltngtP i h) => // lt; apply/orP; [left | right]; apply/eqP; nat_lia.
Qed.

End Records.

(* ---- The gain of a remap ---- *)
Section Utility.
Variables (R : realFieldType) (X O : finType).

(* The outputs of M are read by the remap T as guesses: the matrix product. *)
Definition remapped (W : finType) (M : X -> O -> R) (T : O -> W -> R) : X -> W -> R := fun i k => \sum_o M i o * T o k.

(* (1): the expected gain of the guesses T for the prior q; the second argument of the gain is the guess. *)
Definition expected_gain (g : X -> X -> R) (q : X -> R) (M : X -> O -> R) (T : O -> X -> R) : R :=
  \sum_i \sum_k q i * remapped M T i k * g i k.

(* The binary gain. *)
Definition remap_utility := expected_gain (fun i k => (i == k)%:R).

(* (2) *)
Theorem binary_gain q M T : remap_utility q M T = \sum_i q i * remapped M T i i.
Proof.
apply: eq_bigr => i _; rewrite -(sum_pick (fun k => q i * remapped M T i k) i).
by apply: eq_bigr => k _; rewrite eq_sym.
Qed.

(* An optimal remap for q and M. *)
Definition optimal_remap q M T := channel T /\ forall T', channel T' -> remap_utility q M T' <= remap_utility q M T.

(* [utility q M] is sum_o max_i q_i M_io: no remap gains more, some remap gains it, so optimal ones do. *)
Theorem remap_utility_le q M T : channel T -> remap_utility q M T <= utility q M.
Proof. by rewrite binary_gain; exact: remap_le. Qed.

Theorem best_remap (x0 : X) q M : exists2 T, channel T & remap_utility q M T = utility q M.
Proof.
pose best o := [arg max_(i > x0) (q i * M i o)]%O.
have bestP o : largest (fun i => q i * M i o) = q (best o) * M (best o) o.
  by rewrite /best; case: Order.TotalTheory.arg_maxP => // i _ i_max; apply: (@largestE _ _ (fun i => q i * M i o)) => j; exact: i_max.
exists (fun o k => (k == best o)%:R).
  by split=> [o k|o]; [rewrite ler0n | rewrite -[RHS](sum_pick (fun=> 1) (best o)); apply: eq_bigr => k _; rewrite mul1r].
rewrite binary_gain utilityE; under eq_bigr => i _ do rewrite mulr_sumr.
rewrite exchange_big; apply: eq_bigr => o _; rewrite bestP -(sum_pick (fun i => q i * M i o) (best o)).
by apply: eq_bigr => i _; rewrite mulrA.
Qed.

Theorem optimal_remapE (x0 : X) q M T : optimal_remap q M T -> remap_utility q M T = utility q M.
Proof.
move=> [T_channel T_best]; apply/eqP; rewrite eq_le remap_utility_le //=.
by have [T' T'_channel <-] := best_remap x0 q M; exact: T_best.
Qed.

(* Remaps keep privacy. *)
Theorem remapped_mechanism (W : finType) Phi (M : X -> O -> R) (T : O -> W -> R) : channel T -> mechanism Phi M ->
  mechanism Phi (remapped M T).
Proof.
move=> [T_ge0 T_sum1] [[M_ge0 M_sum1] M_priv]; split=> [|i h k].
  split=> [i k|i]; first by apply: sumr_ge0 => o _; exact: mulr_ge0.
  rewrite exchange_big -[RHS](M_sum1 i); apply: eq_bigr => o _.
  by rewrite -mulr_sumr T_sum1 mulr1.
by rewrite mulr_sumr; apply: ler_sum => o _; rewrite mulrA ler_wpmul2r.
Qed.

End Utility.
