(* SPDX-License-Identifier: MIT *)
(* The polytope of the weights w >= 0 with sum_k w_k g_k = b, for vectors g_k >= 0.                           *)
(*                                                                                                            *)
(*   independent_unique   on an independent support the weights are unique                                    *)
(*   independent_minimal  the independent supports are the minimal ones                                       *)
(*   basic_decomposition  every solution is a convex sum of basic ones: their supports are independent        *)
(*   linear_attained      a linear function is largest at a basic solution                                    *)
(*                                                                                                            *)
(* Proof.  If the support is dependent, sum_k c_k g_k = 0 for a c that has both signs.  Going from w along c  *)
(* and along -c until a weight vanishes gives two solutions with smaller supports, and w is between them.     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Farkas MatrixGame FiniteCone.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Basic.
Variables (R : realFieldType) (p : nat) (G : finType) (g : G -> 'I_p -> R).
Add Field R_field : (field_theory_of R).
Implicit Types (w u c : G -> R) (b : 'I_p -> R).

(* Weights w >= 0 with sum_k w_k g_k = b. *)
Definition solution b w := (forall k, 0 <= w k) /\ (forall i, \sum_k w k * g k i = b i).

(* c_k = 0 wherever w_k = 0. *)
Definition supported c w := forall k, w k = 0 -> c k = 0.

(* A linear relation of the vectors g_k: sum_k c_k g_k = 0. *)
Definition relation c := forall i, \sum_k c k * g k i = 0.

(* The vectors that have a weight are linearly independent. *)
Definition independent w := forall c, supported c w -> relation c -> forall k, c k = 0.

(* A basic solution: weights w >= 0 with sum_k w_k g_k = b on linearly independent vectors. *)
Definition basic b w := solution b w /\ independent w.

Theorem independent_unique b w u : independent w -> solution b w -> solution b u -> supported u w ->
  forall k, u k = w k.
Proof.
move=> w_ind [_ w_sol] [_ u_sol] uw k; apply/eqP; rewrite -subr_eq0; apply/eqP.
apply: (w_ind (fun k => u k - w k)) => [j w0 | i]; first by rewrite w0 uw // subrr.
by under eq_bigr => j _ do rewrite mulrBl; rewrite sumrB u_sol w_sol subrr.
Qed.

(* A test by the Farkas lemma, one vector at a time. *)
Lemma independent_dec w : (exists k, exists c, [/\ supported c w, relation c & c k = 1]) \/ independent w.
Proof.
have one k0 : (exists c, [/\ supported c w, relation c & c k0 = 1]) \/
              (forall c, supported c w -> relation c -> c k0 = 0).
  pose on k : R := (w k != 0)%:R; pose sign (x : G + G) : R := if x is inl _ then 1 else -1.
  pose name (x : G + G) := match x with inl k | inr k => k end.
  pose A (x : G + G) (j : 'I_p + unit) : R :=
    sign x * on (name x) * match j with inl i => g (name x) i | inr _ => (name x == k0)%:R end.
  pose e (j : 'I_p + unit) : R := if j is inr _ then 1 else 0.
  case: (farkas_families A e) => [[y y_ge0 y_def]|[x Ax_ge0 ex_lt0]]; [left | right].
    have both j : e j = \sum_k (y (inl k) - y (inr k)) * on k *
        match j with inl i => g k i | inr _ => (k == k0)%:R end.
      rewrite y_def big_sumType -big_split; apply: eq_bigr => k _; rewrite /A /sign /name /=.
      by move: (match j with inl i => _ | inr _ => _ end) => z; by_ring R.
    exists (fun k => (y (inl k) - y (inr k)) * on k); split=> [k w0|i|].
    - by rewrite /on w0 eqxx mulr0.
    - by rewrite -(both (inl i)).
    - by have := both (inr tt); rewrite sum_pick.
  move=> c cw c_rel; pose value k := \sum_i g k i * x (inl i) + (k == k0)%:R * x (inr tt).
  have value0 k : c k * value k = 0.
    have [w0|w_neq0] := eqVneq (w k) 0; first by rewrite cw // mul0r.
    have A_value z : \sum_j A z j * x j = sign z * on (name z) * value (name z).
      rewrite big_sumType sum_unit /value mulrDr mulr_sumr /A; congr (_ + _) => /=; last by rewrite !mulrA.
      by apply: eq_bigr => i _; rewrite !mulrA.
    have := Ax_ge0 (inl k); have := Ax_ge0 (inr k); rewrite !A_value /sign /name /on w_neq0 /=.
    rewrite !mulr1 mulN1r mul1r oppr_ge0 => le0 ge0.
    by have -> : value k = 0; [apply/eqP; rewrite eq_le le0 | rewrite mulr0].
  have : \sum_k c k * value k = 0 by apply: big1 => k _.
  rewrite /value; under eq_bigr => k _ do rewrite mulrDr mulrA mulr_sumr.
  rewrite big_split /= exchange_big /= big1 => [|i _]; last first.
    by under eq_bigr => k _ do rewrite mulrA; rewrite -mulr_suml c_rel mul0r.
  rewrite add0r -mulr_suml sum_pick => /eqP; rewrite mulf_eq0 => /orP[/eqP //|].
  move: ex_lt0; rewrite big_sumType sum_unit big1 => [|i _]; last by rewrite mul0r.
  by rewrite /= add0r mul1r => /lt_eqF ->.
case: (finite_choice one) => [|none]; [by left | right=> c cw c_rel k; exact: none].
Qed.

(* The indices k of the vectors that have a weight: w_k is not 0. *)
Definition support w := [set k | w k != 0].

Lemma sum_support w (f : G -> R) : \sum_(k in support w) w k * f k = \sum_k w k * f k.
Proof.
rewrite big_mkcond; apply: eq_bigr => k _; rewrite inE /=.
by case: eqVneq => [->|//]; rewrite mul0r.
Qed.

(* From w along c until the first weight vanishes. *)
Lemma step_to_face b w c : solution b w -> supported c w -> relation c -> (exists k, c k < 0) ->
  exists2 s, 0 < s & [/\ solution b (fun k => w k + s * c k), (#|support (fun k => (w k + s * c k)%R)| < #|support w|)%N &
    supported (fun k => w k + s * c k) w].
Proof.
move=> [w_ge0 w_sol] cw c_rel [k0 c0]; pose ratio k := w k / - c k.
case: (@arg_minP _ _ G k0 (fun k => c k < 0) ratio c0) => k1 c1 ratio_le.
have w1_gt0 : 0 < w k1.
  rewrite lt_neqAle w_ge0 andbT eq_sym; apply: contraTneq c1 => /cw ->; by rewrite ltxx.
have s_gt0 : 0 < ratio k1 by rewrite divr_gt0 // oppr_gt0.
have sup : supported (fun k => w k + ratio k1 * c k) w by move=> k w0; rewrite w0 cw // mulr0 addr0.
exists (ratio k1) => //; split=> //.
  split=> [k|i]; last first.
    under eq_bigr => k _ do rewrite mulrDl -mulrA.
    by rewrite big_split /= -mulr_sumr c_rel mulr0 addr0 w_sol.
  have [c_ge0|c_lt0] := leP 0 (c k); first by apply: addr_ge0; [| apply: mulr_ge0 => //; exact: ltW].
  by rewrite -[c k]opprK mulrN subr_ge0 -ler_pdivl_mulr ?oppr_gt0 // ratio_le.
rewrite (cardsD1 k1 (support w)) inE gt_eqF // add1n ltnS; apply/subset_leq_card/subsetP => k.
rewrite !inE => neq0; apply/andP; split; last by apply: contraNneq neq0 => /sup ->.
apply: contraNneq neq0 => ->; rewrite /ratio invrN mulrN mulNr divfK ?subrr //.
by rewrite lt_eqF.
Qed.

Hypothesis g_ge0 : forall k i, 0 <= g k i.

(* Vectors that are zero have no weight. *)
Definition proper w := forall k, (forall i, g k i = 0) -> w k = 0.

Lemma relation_signs w c k : proper w -> supported c w -> relation c -> c k != 0 -> exists j, c j < 0.
Proof.
move=> w_prop cw c_rel ck_neq0; apply/existsP; apply: contraT; rewrite negb_exists => /forallP c_ge0.
have [i gi_neq0] : exists i, g k i != 0.
  apply/existsP; apply: contraNT ck_neq0; rewrite negb_exists => /forallP g0.
  by apply/eqP/cw/w_prop => i; apply/eqP; rewrite -[_ == _]negbK g0.
have term_ge0 j : true -> 0 <= c j * g j i by rewrite mulr_ge0 // leNgt.
have /eqP := @psumr_eq0P _ _ xpredT _ term_ge0 (c_rel i) k isT.
by rewrite mulf_eq0 (negPf gi_neq0) orbF (negPf ck_neq0).
Qed.

Lemma relation_opp c : relation c -> relation (fun k => - c k).
Proof. by move=> c_rel i; under eq_bigr => k _ do rewrite mulNr; rewrite sumrN c_rel oppr0. Qed.

Theorem independent_minimal b w : proper w -> solution b w ->
  independent w <-> forall u, solution b u -> supported u w -> supported w u.
Proof.
move=> w_prop w_sol; split=> [w_ind u u_sol uw k u0 | minimal].
  by rewrite -(independent_unique w_ind w_sol u_sol uw).
case: (independent_dec w) => // -[k [c [cw c_rel ck1]]].
have ck_neq0 : c k != 0 by rewrite ck1 oner_neq0.
have [s s_gt0 [u_sol u_lt uw]] := step_to_face w_sol cw c_rel (relation_signs w_prop cw c_rel ck_neq0).
move: u_lt; rewrite ltnNge; case/negP; apply/subset_leq_card/subsetP => j; rewrite !inE.
by apply: contraNneq => /(minimal _ u_sol uw) ->.
Qed.

(* A solution is basic, or it lies between two with smaller supports. *)
Lemma between_faces b w : proper w -> solution b w -> independent w \/
  exists u u' x, [/\ 0 <= x <= 1, forall k, w k = x * u k + (1 - x) * u' k &
    forall v, v = u \/ v = u' -> [/\ solution b v, (#|support v| < #|support w|)%N & supported v w]].
Proof.
move=> w_prop w_sol; case: (independent_dec w) => [[k [c [cw c_rel ck1]]]|w_ind]; [right | by left].
have ck_neq0 : c k != 0 by rewrite ck1 oner_neq0.
have [s s_gt0 [u_sol u_lt uw]] := step_to_face w_sol cw c_rel (relation_signs w_prop cw c_rel ck_neq0).
pose c' j := - c j; have c'w : supported c' w by move=> j /cw; rewrite /c' => ->; rewrite oppr0.
have c'k_neq0 : c' k != 0 by rewrite oppr_eq0.
have c'_rel := relation_opp c_rel.
have [s' s'_gt0 [u'_sol u'_lt u'w]] := step_to_face w_sol c'w c'_rel (relation_signs w_prop c'w c'_rel c'k_neq0).
have total_gt0 : 0 < s + s' by rewrite addr_gt0.
exists (fun k => w k + s * c k), (fun k => w k + s' * c' k), (s' / (s + s')); split=> [|j|v [] -> //].
  rewrite divr_ge0 ?(ltW s'_gt0) ?(ltW total_gt0) //= ler_pdivr_mulr // mul1r.
  by rewrite ler_addr ltW.
by rewrite /c'; by_field R; apply/eqP; rewrite gt_eqF.
Qed.

Lemma single_basic b w : basic b w -> exists (I : finType) (weight : I -> R) (u : I -> G -> R),
  [/\ distribution weight, forall x, basic b (u x) /\ supported (u x) w & forall k, w k = \sum_x weight x * u x k].
Proof.
move=> w_basic; exists [finType of unit], (fun=> 1), (fun=> w); split=> [|x|k].
- by split=> [x|]; rewrite ?ler01 // sum_unit.
- by split.
- by rewrite sum_unit mul1r.
Qed.

Theorem basic_decomposition b w : proper w -> solution b w ->
  exists (I : finType) (weight : I -> R) (u : I -> G -> R), [/\ distribution weight,
    forall x, basic b (u x) /\ supported (u x) w & forall k, w k = \sum_x weight x * u x k].
Proof.
move Dn : #|support w| => n; have {Dn} : (#|support w| <= n)%N by rewrite Dn.
elim: n w => [|n IHn] w w_le w_prop w_sol;
  (case: (between_faces w_prop w_sol) => [w_ind|[u0 [u1 [y [/andP[y_ge0 y_le1] w_def smaller]]]]];
   first by apply: single_basic).
  by have [_ + _] := smaller u0 (or_introl erefl); rewrite ltnNge (leq_trans w_le).
have [u0_sol u0_lt u0w] := smaller u0 (or_introl erefl).
have [u1_sol u1_lt u1w] := smaller u1 (or_intror erefl).
have u0_prop : proper u0 by move=> k /w_prop /u0w.
have u1_prop : proper u1 by move=> k /w_prop /u1w.
have [I [weight [u [[weight_ge0 weight_sum1] u_basic u_def]]]] := IHn _ (leq_trans u0_lt w_le) u0_prop u0_sol.
have [I' [weight' [u' [[weight'_ge0 weight'_sum1] u'_basic u'_def]]]] := IHn _ (leq_trans u1_lt w_le) u1_prop u1_sol.
exists [finType of I + I'],
  (fun x => match x with inl x => y * weight x | inr x => (1 - y) * weight' x end),
  (fun x => match x with inl x => u x | inr x => u' x end); split=> [|[x|x]|j].
- split=> [[x|x]|]; rewrite ?mulr_ge0 ?subr_ge0 //.
  by rewrite big_sumType /= -!mulr_sumr weight_sum1 weight'_sum1 !mulr1 addrC subrK.
- by have [x_basic xu] := u_basic x; split=> // i w0; rewrite xu // u0w.
- by have [x_basic xu] := u'_basic x; split=> // i w0; rewrite xu // u1w.
rewrite big_sumType /=; under eq_bigr => x _ do rewrite -mulrA.
under [X in _ + X]eq_bigr => x _ do rewrite -mulrA.
by rewrite -!mulr_sumr -u_def -u'_def.
Qed.

Theorem linear_attained b w0 (f : G -> R) : (forall w, proper w) -> solution b w0 ->
  exists2 u, basic b u & forall w, solution b w -> \sum_k w k * f k <= \sum_k u k * f k.
Proof.
move=> all_proper w0_sol.
have below_basic w : solution b w -> exists2 u, basic b u & \sum_k w k * f k <= \sum_k u k * f k.
  move=> /(basic_decomposition (all_proper w))[I [weight [u [[weight_ge0 weight_sum1] u_basic w_def]]]].
  pose F x := \sum_k u x k * f k.
  have [x0 _|none] := pickP (fun _ : I => true); last first.
    by move/eqP: weight_sum1; rewrite big_pred0 // eq_sym oner_eq0.
  case: (@arg_maxP _ _ I x0 xpredT F isT) => x _ x_max; exists (u x); first exact: (proj1 (u_basic x)).
  under eq_bigr => k _ do rewrite w_def mulr_suml.
  rewrite exchange_big /= -/(F x) -[F x]mul1r -weight_sum1 mulr_suml; apply: ler_sum => y _.
  by under eq_bigr => k _ do rewrite -mulrA; rewrite -mulr_sumr; apply: ler_wpmul2l => //; exact: x_max.
suff [u u_sol u_max] : exists2 u, solution b u &
    forall S : {set G}, S \in enum {set G} -> forall v, basic b v -> support v = S -> \sum_k v k * f k <= \sum_k u k * f k.
  have [u' u'_basic le_u'] := below_basic u u_sol.
  exists u' => // w /below_basic[v v_basic /le_trans]; apply.
  by apply: le_trans le_u'; apply: (u_max (support v)); rewrite ?mem_enum.
elim: (enum _) => [|S s [u u_sol u_max]]; first by exists w0.
case: (generated_dec g S b) => [[t t_ge0 t_def]|none]; last first.
  exists u => // S'; rewrite inE => /orP[/eqP -> v [[v_ge0 v_sol] _] v_S|S'_s]; last exact: u_max.
  by case: none; exists v => // i; rewrite -v_sol -v_S sum_support.
pose u' k := if k \in S then t k else 0.
have u'_sol : solution b u'.
  split=> [k|i]; first by rewrite /u'; case: ifP.
  rewrite t_def [RHS]big_mkcond; apply: eq_bigr => k _ /=.
  by rewrite /u'; case: ifP; rewrite ?mul0r.
have u'_S v : basic b v -> support v = S -> \sum_k v k * f k = \sum_k u' k * f k.
  move=> [v_sol v_ind] v_S; apply: eq_bigr => k _; rewrite (independent_unique v_ind v_sol u'_sol) // => j vj0.
  by rewrite /u' -v_S inE vj0 eqxx.
have [le_uu'|/ltW le_u'u] := leP (\sum_k u k * f k) (\sum_k u' k * f k).
  exists u' => // S'; rewrite inE => /orP[/eqP -> v v_basic /(u'_S v v_basic) -> //|S'_s v v_basic v_S'].
  exact: le_trans (u_max _ S'_s v v_basic v_S') le_uu'.
exists u => // S'; rewrite inE => /orP[/eqP -> v v_basic /(u'_S v v_basic) -> //|]; exact: u_max.
Qed.

End Basic.
