(* SPDX-License-Identifier: MIT *)
(* Databases: V^u with the Hamming distance, and what any private mechanism on them leaks at most             *)
(* (ElSalamouny and others, Section 4.3 and Theorem 2; exercise 3 of the foundations lecture).                *)
(*                                                                                                            *)
(*   hamming d d'          in how many of the u records d and d' differ      (defined in InducedMetric.v)     *)
(*   one_record d d'       the adjacency of databases: they differ in exactly one record                      *)
(*   hamming_graph_phi     the distance of that graph is the Hamming distance: Phi(d,d') = a^hamming          *)
(*   hamming_private_iff   privacy for adjacent databases is privacy for all, with a^hamming                  *)
(*   hamming_row_sum       every row of Phi has the sum (1 + (v-1) a)^u, v = |V|                              *)
(*   hamming_y             y = (E/(v (v-1+E)))^u >= 0 solves y Phi = uniform, E = e^epsilon                   *)
(*   leakage_theorem2      whatever the prior, the leakage is at most (v E/(v-1+E))^u                         *)
(*   leakage_theorem2_attained     and that is attained, by Phi divided by its row sum, for the uniform prior *)
(*   hamming_regular_leakage       for a regular prior q the bound is 1/(s^u max q), s^u the row sum; one     *)
(*                                 mechanism attains it for all of them; it is less unless q is uniform       *)
(*                                                                                                            *)
(* V is any finite set and u any number, u = 0 and |V| = 1 too.  Mechanisms have any finite set of outputs.   *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Walks Retracts Extremes Leakage PrivacyTypes Capacities TightConstraints.
From ExactDP Require Import InducedMetric.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Hamming.
Variables (V : finType) (u : nat).
Local Notation database := {ffun 'I_u -> V}.
Implicit Types d : database.

(* The adjacency of databases: they differ in exactly one record. *)
Definition one_record d d' := hamming d d' == 1%N.

Lemma hamming0 d : hamming d d = 0%N.
Proof. by apply: big1 => i _; rewrite eqxx. Qed.

Lemma hamming_eq0 d d' : hamming d d' = 0%N -> d = d'.
Proof.
move=> /eqP; rewrite sum_nat_eq0 => /forallP same; apply/ffunP => i.
by have := same i; rewrite implyTb eqb0 negbK => /eqP.
Qed.

Lemma hamming_triangle d1 d2 d3 : (hamming d1 d3 <= hamming d1 d2 + hamming d2 d3)%N.
Proof.
rewrite /hamming -big_split; apply: leq_sum => i _ /=.
case: (eqVneq (d1 i) (d2 i)) => [->|_] //; exact: leq_trans (leq_b1 _) (leq_addr _ _).
Qed.

Lemma hamming_metric : metric (@hamming V u).
Proof. by split=> *; [exact: hamming0 | exact: hamming_sym | exact: hamming_triangle]. Qed.

(* One record of the way. *)
Lemma hamming_step d d' n : hamming d d' = n.+1 -> exists2 e, one_record d e & hamming e d' = n.
Proof.
move=> dd'; have [i di|same] := pickP (fun i => d i != d' i); last first.
  by move: dd'; rewrite /hamming big1 // => i _; rewrite same.
pose e : database := [ffun j => if j == i then d' i else d j].
have de : one_record d e.
  rewrite /one_record /hamming (bigD1 i) //= big1 ?ffunE ?eqxx ?di // => j ji.
  by rewrite ffunE (negPf ji) eqxx.
exists e => //; move: dd'; rewrite /hamming (bigD1 i) //= di add1n => -[<-].
rewrite (bigD1 i) //= ffunE eqxx eqxx add0n; apply: eq_bigr => j ji.
by rewrite ffunE (negPf ji).
Qed.

Variable R : realFieldType.
Implicit Type a : R.

(* ---- The graph ---- *)
(* [graph_phi] numbers its vertices; [enum_val] lists the databases. *)
Definition databases_adjacent : rel 'I_#|database| := fun i j => one_record (enum_val i) (enum_val j).

Lemma walk_hamming n i j : walk databases_adjacent n i j -> (hamming (enum_val i) (enum_val j) <= n)%N.
Proof.
elim: n i => [|n IHn] i /=; first by move/eqP->; rewrite hamming0.
case/existsP=> h /andP[/eqP ih /IHn hj]; apply: leq_trans (hamming_triangle _ (enum_val h) _) _.
by rewrite ih add1n.
Qed.

Lemma hamming_walk n i j : hamming (enum_val i) (enum_val j) = n -> walk databases_adjacent n i j.
Proof.
elim: n i => [|n IHn] i /=; first by move=> /hamming_eq0 /enum_val_inj ->.
case/hamming_step=> e ie ej; apply/existsP; exists (enum_rank e).
by rewrite /databases_adjacent enum_rankK ie /=; apply: IHn; rewrite enum_rankK.
Qed.

Theorem hamming_distance i j : distance databases_adjacent i j = hamming (enum_val i) (enum_val j).
Proof.
have w_ij := hamming_walk (erefl (hamming (enum_val i) (enum_val j))).
apply/eqP; rewrite eqn_leq distance_min //=.
by have [_] := connected_distance (walk_connected w_ij); exact: walk_hamming.
Qed.

Theorem hamming_graph_phi a i j :
  graph_phi databases_adjacent a i j = level a (@hamming V u) (enum_val i) (enum_val j).
Proof.
rewrite /graph_phi /level hamming_distance.
by rewrite (walk_connected (hamming_walk (erefl (hamming (enum_val i) (enum_val j))))).
Qed.

(* ---- Privacy ---- *)
Theorem hamming_private_iff a (O : Type) (M : database -> O -> R) : 0 <= a ->
  (forall d d' o, one_record d d' -> a * M d' o <= M d o) <->
  (forall d d' o, a ^+ hamming d d' * M d' o <= M d o).
Proof.
move=> a_ge0; split=> [edge d d' o | all d d' o /eqP dd']; last by have := all d d' o; rewrite dd' expr1.
move En: (hamming d d') => n; elim: n d En => [|n IHn] d; first by move/hamming_eq0->; rewrite expr0 mul1r.
case/hamming_step=> e de /IHn e_le; apply: le_trans (edge d e o de).
by rewrite exprS -mulrA ler_wpmul2l.
Qed.

(* ---- The rows of Phi ---- *)
(* Two values of one record: all values are adjacent. *)
(* Phi for one record: 1 for the same value, a for two different values. *)
Definition record_phi a (k l : V) : R := if k == l then 1 else a.

Lemma hamming_prod a d d' : a ^+ hamming d d' = \prod_i record_phi a (d i) (d' i).
Proof. by rewrite /hamming -prodrXr; apply: eq_bigr => i _; rewrite /record_phi; case: eqP. Qed.

Lemma record_row_sum a k : \sum_l record_phi a k l = 1 + (#|V|%:R - 1) * a.
Proof.
rewrite (bigD1 k) //= /record_phi eqxx; congr (_ + _).
under eq_bigr => l lk do rewrite eq_sym (negPf lk).
rewrite sumr_const -[a *+ _]mulr_natl; congr (_ * _).
have V_gt0 : (0 < #|V|)%N by apply/card_gt0P; exists k.
by rewrite -(prednK V_gt0) mulrSr addrK -(cardC1 k).
Qed.

Theorem hamming_row_sum a d : \sum_d' a ^+ hamming d d' = (1 + (#|V|%:R - 1) * a) ^+ u.
Proof.
under eq_bigr => d' _ do rewrite hamming_prod.
rewrite -(bigA_distr_bigA (fun i l => record_phi a (d i) l)).
under eq_bigr => i _ do rewrite record_row_sum.
by rewrite prodr_const card_ord.
Qed.

Lemma card_databases : #|[finType of database]|%:R = #|V|%:R ^+ u :> R.
Proof. by rewrite card_ffun card_ord natrX. Qed.

End Hamming.

(* ---- Section 4.3 of ElSalamouny and others ---- *)
(* The paper writes e^epsilon; here it is any E > 1, and a = e^(-epsilon) is its inverse. *)
Section Leakage.
Variables (R : realFieldType) (V : finType) (u : nat) (E : R).
Hypothesis E_gt1 : 1 < E.
Local Notation database := {ffun 'I_u -> V}.
Local Notation v := (#|V|%:R : R).
Local Notation Phi := (level E^-1 (@hamming V u)).

Let E_gt0 : 0 < E := lt_trans ltr01 E_gt1.
Let a_gt0 : 0 < E^-1 := etrans (invr_gt0 E) E_gt0.
Let a_lt1 : E^-1 < 1 := etrans (invf_lt1 E_gt0) E_gt1.

(* e^epsilon-differential privacy on databases: rows that differ in one record differ by the factor E at most. *)
Definition private_databases (O : finType) (M : database -> O -> R) :=
  forall d d' o, one_record d d' -> M d o <= E * M d' o.

Lemma private_databases_mechanism (O : finType) (M : database -> O -> R) : channel M ->
  private_databases M <-> mechanism Phi M.
Proof.
move=> M_channel; have [priv all] := @hamming_private_iff V u R E^-1 O M (ltW a_gt0).
split=> [M_priv|[_ M_priv] d d' o dd'].
  split=> // d d' o; apply: priv => {}d {}d' {}o dd'; rewrite mulrC ler_pdivr_mulr // mulrC.
  by apply: M_priv; rewrite /one_record hamming_sym.
have := all M_priv d' d o; rewrite /one_record hamming_sym => /(_ dd').
by rewrite mulrC ler_pdivr_mulr // mulrC.
Qed.

(* The sum of a row of Phi for a single record: 1 + (v-1) a, v = |V| and a = 1/E. *)
Let s : R := 1 + (v - 1) * E^-1.

Lemma row_sum_gt0 : 0 < s.
Proof.
rewrite /s mulrBl mul1r addrCA; apply: ltr_paddl; first by rewrite mulr_ge0 ?ler0n // ltW.
by rewrite subr_gt0.
Qed.

Lemma record_factor : (v * E) / (v - 1 + E) = v / s.
Proof.
have E_neq0 : E != 0 by rewrite gt_eqF.
have -> : v - 1 + E = s * E by rewrite /s mulrDl mul1r mulfVK // addrC.
by rewrite invfM mulrACA divff // mulr1.
Qed.

Theorem hamming_y : let y : database -> R := fun=> (E / (v * (v - 1 + E))) ^+ u in
  (forall d, 0 <= y d) /\ forall d, \sum_d' y d' * Phi d' d = @uniform R [finType of database] d.
Proof.
have E_neq0 : E != 0 by rewrite gt_eqF.
have s_neq0 : s != 0 by rewrite gt_eqF ?row_sum_gt0.
have vE : v - 1 + E = s * E by rewrite /s mulrDl mul1r mulfVK // addrC.
split=> d; rewrite vE.
  by rewrite exprn_ge0 // divr_ge0 ?mulr_ge0 ?ler0n // ltW ?row_sum_gt0.
rewrite -mulr_sumr; under eq_bigr => d' _ do rewrite /level hamming_sym.
rewrite hamming_row_sum -/s -exprMn /uniform card_databases -exprVn; congr (_ ^+ u).
by rewrite !invfM [E * _]mulrCA [E * _]mulrCA divff // mulr1 -mulrA mulVf // mulr1.
Qed.

Lemma hamming_weighting : weighting Phi (fun=> (s ^+ u)^-1).
Proof.
split=> [d|d]; first by rewrite invr_ge0 exprn_ge0 // ltW ?row_sum_gt0.
by rewrite -mulr_suml hamming_row_sum divff // expf_neq0 // gt_eqF ?row_sum_gt0.
Qed.

(* Theorem 2: 2^L(Y,q) for the leakage L(Y,q) in bits. *)
Theorem leakage_theorem2 (O : finType) (Y : database -> O -> R) (q : database -> R) :
  channel Y -> private_databases Y -> distribution q -> leakage q Y <= ((v * E) / (v - 1 + E)) ^+ u.
Proof.
move=> Y_channel /(private_databases_mechanism Y_channel) Y_mech q_dist.
have Phi_sym d d' : Phi d d' = Phi d' d by rewrite /level hamming_sym.
apply: le_trans (leakage_any_prior Phi_sym Y_mech hamming_weighting q_dist) _.
by rewrite sumr_const -[leLHS]mulr_natl card_databases record_factor expr_div_n.
Qed.

(* With no values there are no databases, and no prior (u > 0). *)
Theorem leakage_theorem2_attained : (0 < #|V|)%N ->
  exists Y : database -> database -> R, [/\ channel Y, private_databases Y, distribution (@uniform R [finType of database]) &
    leakage (@uniform R [finType of database]) Y = ((v * E) / (v - 1 + E)) ^+ u].
Proof.
case/card_gt0P=> k0 _; pose d0 : database := [ffun=> k0].
have sim : similarity Phi by apply: level_similarity (ltW _) (@hamming_metric V u).
have [M_mech M_cap _] := homogeneous_multiplicative sim d0 (hamming_row_sum _).
exists (fun d d' => Phi d d' / s ^+ u); have [M_channel _] := M_mech.
split=> //; first exact/private_databases_mechanism; first exact: (uniform_distribution R d0).
have [V_gt0 V_post] := theorem13_attained (fun d d' => Phi d d' / s ^+ u) d0.
rewrite /leakage /utility V_post M_cap mulfK ?gt_eqF //.
by rewrite card_databases record_factor expr_div_n.
Qed.

(* Regular priors: every y with y Phi = q has the sum 1/s^u. *)
Theorem hamming_regular_leakage : let mean : R := (1 + (v - 1) * E^-1) ^+ u in
  exists Y : database -> database -> R, forall q y, distribution q -> (forall d, 0 <= y d) ->
    (forall d, q d = \sum_d' y d' * Phi d' d) ->
  [/\ \sum_d y d = mean^-1,
      forall (O : finType) (M : database -> O -> R), channel M -> private_databases M -> leakage q M <= (mean * largest q)^-1,
      channel Y /\ private_databases Y, leakage q Y = (mean * largest q)^-1 &
      (exists d d', q d != q d') -> (mean * largest q)^-1 < ((v * E) / (v - 1 + E)) ^+ u].
Proof.
move=> mean; have mean_gt0 : 0 < mean by rewrite exprn_gt0 // row_sum_gt0.
have Phi_ge0 d d' : 0 <= Phi d d' by rewrite exprn_ge0 // ltW.
have Phi1 d : Phi d d = 1 by rewrite /level hamming0 expr0.
exists (scaled Phi (fun=> mean^-1)) => q y q_dist y_ge0 y_q.
have Y_tight : tight Phi (scaled Phi (fun=> mean^-1)) by exact: weighting_tight hamming_weighting.
have Y_mech : mechanism Phi (scaled Phi (fun=> mean^-1)).
  split=> [|d d' o]; first by case: Y_tight.
  rewrite /scaled mulrA ler_wpmul2r ?invr_ge0 ?(ltW mean_gt0) // /level -exprD.
  by rewrite ler_wiexpn2l ?(ltW a_gt0) ?(ltW a_lt1) // hamming_triangle.
have y_sum : \sum_d y d = mean^-1.
  apply: (mulIf (lt0r_neq0 mean_gt0)); rewrite mulVf ?gt_eqF // -(proj2 q_dist) mulr_suml.
  under [RHS]eq_bigr => d _ do rewrite y_q.
  by rewrite exchange_big; apply: eq_bigr => d' _; rewrite -mulr_sumr hamming_row_sum.
have bound : (\sum_d y d) / largest q = (mean * largest q)^-1 by rewrite y_sum invfM.
have Y_priv : channel (scaled Phi (fun=> mean^-1)) /\ private_databases (scaled Phi (fun=> mean^-1)).
  by have [Y_channel _] := Y_mech; split=> //; exact/private_databases_mechanism.
split=> // [O M M_channel /(private_databases_mechanism M_channel) M_mech||[d0 [d1 q01]]].
- by rewrite -bound; exact: (leakage_le M_mech).
- by rewrite /leakage (utility_tight Y_mech Y_tight y_ge0 y_q) vulnerabilityE bound.
have top_gt0 : 0 < largest q by rewrite -vulnerabilityE; exact: vulnerability_gt0.
have q_lt : 1 < v ^+ u * largest q.
  have [q_ge0 q_sum1] := q_dist; rewrite -card_databases mulr_natl -sumr_const -q_sum1.
  rewrite lt_neqAle ler_sum ?andbT => [|d _]; last exact: le_largest.
  apply/eqP => same; have le_sum : \sum_(d : database) largest q <= \sum_d q d.
    by rewrite same le_eqVlt; apply/orP; left; apply/eqP/eq_bigl => d; rewrite inE.
  have top := equal_terms (fun d => le_largest q d) le_sum.
  by case/eqP: q01; rewrite -(top d0) -(top d1).
rewrite record_factor expr_div_n -/mean invfM -[ltRHS]mulrC ltr_pmul2l ?invr_gt0 //.
by rewrite -[ltLHS]mul1r ltr_pdivr_mulr.
Qed.

End Leakage.
