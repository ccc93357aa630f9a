(* SPDX-License-Identifier: MIT *)
(* Independent records: what is leaked about u records that are independent, each told by its own mechanism,  *)
(* and what any mechanism can leak about them (ElSalamouny and others, Example 3).                            *)
(*                                                                                                            *)
(*   joint F x o           prod_i F i (x i) (o i): one mechanism a record, or the matrix Phi of all records    *)
(*   joint_prior p x       prod_i p i (x i)                                                                   *)
(*   joint_mechanism       mechanisms for Phi i together are one for joint Phi; joint_hamming: for one level  *)
(*                         and records whose values are all adjacent, joint Phi is a^hamming                  *)
(*   joint_utility, joint_leakage   utilities multiply, and so do leakages: whatever the mechanisms           *)
(*   covered_utility_le    if y >= 0 and q <= y Phi, no mechanism for Phi has more utility than sum y         *)
(*   joint_utility_le      so bounds of this kind multiply: nothing told about all records together is        *)
(*                         better than the product of the bounds for one record                               *)
(*   independent_utility_le, _attained   for records whose values are all adjacent: the most that can be      *)
(*                         gained, by telling for each record a set of its values                             *)
(*   independent_better    if none of them is uniform, less is leaked than Theorem 2's bound, at every level  *)
(*   joint_regular_iff     a product prior is regular exactly if each factor is                               *)
(*   record_regular_iff    one record: exactly if each of its v values has at least the mass a/(1+(v-1)a)     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Extremes Leakage PrivacyTypes Capacities TightConstraints.
From ExactDP Require Import InducedMetric Hamming.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Regularity with "at least" for "equal": y Phi covers q. *)
Definition covers (R : realFieldType) (X : finType) (Phi : X -> X -> R) (q y : X -> R) :=
  (forall i, 0 <= y i) /\ forall k, q k <= \sum_i y i * Phi i k.

Theorem covered_utility_le (R : realFieldType) (X : finType) (Phi : X -> X -> R) (O : finType) (M : X -> O -> R) q y :
  mechanism Phi M -> covers Phi q y -> utility q M <= \sum_i y i.
Proof.
move=> [M_channel M_priv] [y_ge0 y_q]; rewrite utilityE -(sum_weighted y M_channel); apply: ler_sum => o _.
have M_ge0 i : 0 <= M i o by case: M_channel.
apply: largest_le => [|k]; first by apply: sumr_ge0 => i _; rewrite mulr_ge0.
apply: le_trans (_ : (\sum_i y i * Phi i k) * M k o <= _); first by rewrite ler_wpmul2r.
by rewrite mulr_suml; apply: ler_sum => i _; rewrite -mulrA ler_wpmul2l.
Qed.

Section Joint.
Variables (R : realFieldType) (u : nat) (V O : finType).
Local Notation database := {ffun 'I_u -> V}.
Local Notation outputs := {ffun 'I_u -> O}.

(* The prior of u independent records, p i that of record i: the database x has the probability prod_i p i (x i). *)
Definition joint_prior (p : 'I_u -> V -> R) : database -> R := fun x => \prod_i p i (x i).

(* One mechanism a record, each by itself: the database x gives the outputs o with the probability prod_i F i (x i) (o i). *)
Definition joint (F : 'I_u -> V -> O -> R) : database -> outputs -> R := fun x o => \prod_i F i (x i) (o i).

Lemma sum_joint (f : 'I_u -> V -> R) : \sum_(x : database) \prod_i f i (x i) = \prod_i \sum_k f i k.
Proof. by rewrite -bigA_distr_bigA. Qed.

Lemma joint_distribution p : (forall i, distribution (p i)) -> distribution (joint_prior p).
Proof.
move=> p_dist; split=> [x|]; first by apply: prodr_ge0 => i _; case: (p_dist i).
by rewrite sum_joint big1 // => i _; case: (p_dist i).
Qed.

Lemma largest_joint (f : 'I_u -> V -> R) : (forall i k, 0 <= f i k) ->
  largest (fun x : database => \prod_i f i (x i)) = \prod_i largest (f i).
Proof.
move=> f_ge0; have [best bestP] : exists best : {ffun 'I_u -> option V}, forall i,
    if best i is Some k then largest (f i) = f i k else V -> False.
  have [k0 _|none] := pickP (fun _ : V => true); last by exists [ffun=> None] => i; rewrite ffunE => k; have := none k.
  have /fin_all_exists[b bP] : forall i, exists k, largest (f i) = f i k by move=> i; exact: largest_attained.
  by exists [ffun i => Some (b i)] => i; rewrite ffunE.
have [none|some] := boolP [exists i, best i == None].
  have [i /eqP iN] := existsP none; have := bestP i; rewrite iN => no.
  rewrite largest_empty => [|x]; last exact: no (x i).
  by rewrite (bigD1 i) //= largest_empty ?mul0r.
have /fin_all_exists[b bP] : forall i, exists k, largest (f i) = f i k.
  move=> i; have := bestP i; case Ei: (best i) => [k|] => [-> | _]; first by exists k.
  by case/negP: some; apply/existsP; exists i; rewrite Ei.
rewrite (@largestE _ _ _ [ffun i => b i]) => [|x].
  by apply: eq_bigr => i _; rewrite ffunE bP.
by apply: ler_prod => i _; rewrite f_ge0 ffunE -bP le_largest.
Qed.

Lemma joint_channel F : (forall i, channel (F i)) -> channel (joint F).
Proof.
move=> F_channel; split=> [x o|x]; first by apply: prodr_ge0 => i _; case: (F_channel i).
by rewrite -(bigA_distr_bigA (fun i o => F i (x i) o)) big1 // => i _; case: (F_channel i).
Qed.

End Joint.

Section Mechanisms.
Variables (R : realFieldType) (u : nat) (V : finType) (Phi : 'I_u -> V -> V -> R).
Hypothesis Phi_ge0 : forall i k l, 0 <= Phi i k l.
Local Notation database := {ffun 'I_u -> V}.

Theorem joint_mechanism (O : finType) (M : 'I_u -> V -> O -> R) :
  (forall i, mechanism (Phi i) (M i)) -> mechanism (joint Phi) (joint M).
Proof.
move=> M_mech; split=> [|x x' o]; first by apply: joint_channel => i; case: (M_mech i).
rewrite /joint -big_split; apply: ler_prod => i _; have [[M_ge0 _] M_priv] := M_mech i.
by rewrite mulr_ge0 //=.
Qed.

Theorem joint_utility (O : finType) (p : 'I_u -> V -> R) (M : 'I_u -> V -> O -> R) :
  (forall i k, 0 <= p i k) -> (forall i k o, 0 <= M i k o) ->
  utility (joint_prior p) (joint M) = \prod_i utility (p i) (M i).
Proof.
move=> p_ge0 M_ge0; rewrite utilityE; under [RHS]eq_bigr => i _ do rewrite utilityE.
rewrite bigA_distr_bigA; apply: eq_bigr => o _.
rewrite -(@largest_joint _ _ _ (fun i k => p i k * M i k (o i))) => [|i k]; last exact: mulr_ge0.
by apply: eq_largest => x; rewrite big_split.
Qed.

Corollary joint_leakage (O : finType) (p : 'I_u -> V -> R) (M : 'I_u -> V -> O -> R) :
  (forall i k, 0 <= p i k) -> (forall i k o, 0 <= M i k o) ->
  leakage (joint_prior p) (joint M) = \prod_i leakage (p i) (M i).
Proof.
move=> p_ge0 M_ge0; rewrite /leakage joint_utility // vulnerabilityE largest_joint // -prodf_div.
by apply: eq_bigr => i _; rewrite vulnerabilityE.
Qed.

Lemma joint_weights (y : 'I_u -> V -> R) (z : database) :
  \sum_x joint_prior y x * joint Phi x z = \prod_i \sum_k y i k * Phi i k (z i).
Proof. by rewrite bigA_distr_bigA; apply: eq_bigr => x _; rewrite -big_split. Qed.

Theorem joint_covers (p y : 'I_u -> V -> R) : (forall i k, 0 <= p i k) ->
  (forall i, covers (Phi i) (p i) (y i)) -> covers (joint Phi) (joint_prior p) (joint_prior y).
Proof.
move=> p_ge0 y_covers; split=> [x|z]; first by apply: prodr_ge0 => i _; have [] := y_covers i.
by rewrite joint_weights; apply: ler_prod => i _; have [_ p_le] := y_covers i; rewrite p_ge0 p_le.
Qed.

Corollary joint_utility_le (p y : 'I_u -> V -> R) (O : finType) (N : database -> O -> R) :
  (forall i k, 0 <= p i k) -> (forall i, covers (Phi i) (p i) (y i)) -> mechanism (joint Phi) N ->
  utility (joint_prior p) N <= \prod_i \sum_k y i k.
Proof.
move=> p_ge0 y_covers /covered_utility_le; rewrite -sum_joint; apply.
exact: joint_covers.
Qed.

Theorem joint_regular_if (p : 'I_u -> V -> R) :
  (forall i, regular (Phi i) (p i)) -> regular (joint Phi) (joint_prior p).
Proof.
move=> p_regular; have [y yP] : exists y : 'I_u -> V -> R, forall i,
    (forall k, 0 <= y i k) /\ forall k, p i k = \sum_l y i l * Phi i l k.
  exact: (@fin_all_exists _ (fun=> V -> R) (fun i y => (forall k, 0 <= y k) /\ forall k, p i k = \sum_l y l * Phi i l k)).
exists (joint_prior y); split=> [x|z].
  by apply: prodr_ge0 => i _; case: (yP i).
by rewrite joint_weights; apply: eq_bigr => i _; case: (yP i).
Qed.

(* The sum over all databases with the value k in record i. *)
Lemma sum_fixed i k (f : 'I_u -> V -> R) :
  \sum_(x : database | x i == k) \prod_j f j (x j) = f i k * \prod_(j | j != i) \sum_l f j l.
Proof.
pose g j l := if j == i then f i l *+ (l == k) else f j l.
transitivity (\sum_(x : database) \prod_j g j (x j)).
  rewrite big_mkcond; apply: eq_bigr => x _; rewrite (bigD1 i) //= [RHS](bigD1 i) //= {1}/g eqxx.
  case: eqP => _; last by rewrite mulr0n mul0r.
  by rewrite mulr1n; congr (_ * _); apply: eq_bigr => j /negPf ji; rewrite /g ji.
rewrite sum_joint (bigD1 i) //=; congr (_ * _).
  rewrite /g eqxx (bigD1 k) //= eqxx mulr1n big1 ?addr0 // => l /negPf ->; exact: mulr0n.
by apply: eq_bigr => j /negPf ji; apply: eq_bigr => l _; rewrite /g ji.
Qed.

End Mechanisms.

(* ---- One record, all of whose values are adjacent ---- *)
Section Record.
Variables (R : realFieldType) (V : finType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation Phi := (@record_phi V R a).
Implicit Types (p : V -> R) (S : {set V}).

(* What is gained by telling the values in S as well as privacy allows, and never another one. *)
(* set_size S is 1 + (|S| - 1) a, the sum over k in S of Phi(i,k) for an i in S; set_value p S is p(S), the sum of the *)
(* p k with k in S, divided by it.                                                                                     *)
Definition set_size S : R := 1 + (#|S|%:R - 1) * a.
Definition set_value p S : R := (\sum_(k in S) p k) / set_size S.

(* The largest set_value p S of a set S of values (the empty set has the value 0). *)
Definition best_value p : R := largest (set_value p).

(* The mechanism that tells a value k of S: if the true value i is in S with the probability Phi(i,k) / set_size S, and *)
(* if it is not with the probability 1/|S|.                                                                             *)
Definition tell S (i k : V) : R := if k \in S then (if i \in S then Phi i k / set_size S else #|S|%:R^-1) else 0.

Lemma record_phi_ge0 i k : 0 <= Phi i k.
Proof. by rewrite /record_phi; case: eqP => _; [exact: ler01 | exact: ltW]. Qed.

Lemma set_size_gt0 S : 0 < set_size S.
Proof.
rewrite /set_size mulrBl mul1r addrCA; apply: ltr_paddl; first by rewrite mulr_ge0 ?ler0n // ltW.
by rewrite subr_gt0.
Qed.

Lemma set_size_le S : S != set0 -> set_size S <= #|S|%:R.
Proof.
rewrite -card_gt0 => S_gt0; rewrite -subr_ge0 /set_size.
rewrite [leRHS](_ : _ = (#|S|%:R - 1) * (1 - a)); last by move: (#|S|%:R : R) => n; by_ring R.
by rewrite mulr_ge0 ?subr_ge0 ?(ltW a_lt1) ?ler1n.
Qed.

Lemma record_set_sum S i : i \in S -> \sum_(k in S) Phi i k = set_size S.
Proof.
move=> iS; rewrite (bigD1 i) //= {1}/record_phi eqxx; congr (_ + _).
rewrite (eq_bigr (fun=> a)) => [|k /andP[_ /negPf ki]]; last by rewrite /record_phi eq_sym ki.
rewrite sumr_const -[a *+ _]mulr_natl; congr (_ * _).
rewrite [in RHS](cardD1 i) iS add1n mulrSr addrK; congr (_ %:R); apply: eq_card => k.
by rewrite !inE andbC.
Qed.

Theorem tell_mechanism S : S != set0 -> mechanism Phi (tell S).
Proof.
move=> S_neq0; have S_gt0 := set_size_gt0 S; have S_le := set_size_le S_neq0.
have n_gt0 : 0 < #|S|%:R :> R by rewrite ltr0n card_gt0.
split=> [|i i' k].
  split=> [i k|i].
    rewrite /tell; case: ifP => // _; case: ifP => _; last by rewrite invr_ge0 ltW.
    by rewrite divr_ge0 ?record_phi_ge0 // ltW.
  rewrite /tell -big_mkcond /=; case: (boolP (i \in S)) => iS; first by rewrite -mulr_suml record_set_sum // divff ?gt_eqF.
  by rewrite sumr_const -[_ *+ _]mulr_natl divff ?gt_eqF.
rewrite /tell; case: ifP => kS; last by rewrite mulr0.
rewrite {1}/record_phi; case: eqVneq => [->|ii']; first by rewrite mul1r.
have small : a / set_size S <= (#|S|%:R)^-1.
  rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr // -subr_ge0 /set_size.
  by rewrite [leRHS](_ : _ = 1 - a) ?subr_ge0 ?ltW //; move: (#|S|%:R : R) => n; by_ring R.
have a_inv : a * (#|S|%:R)^-1 <= a / set_size S by rewrite ler_pmul2l // lef_pinv // posrE.
have phi_range j : a <= Phi j k <= 1.
  by rewrite /record_phi; case: eqP => _; rewrite lexx ?ltW.
case: ifP => i'S; case: ifP => iS.
- have /andP[_ le1] := phi_range i'; have /andP[ge_a _] := phi_range i.
  rewrite mulrA ler_pmul2r ?invr_gt0 //; apply: le_trans ge_a.
  by rewrite -[leRHS]mulr1 ler_pmul2l.
- have /andP[_ le1] := phi_range i'; apply: le_trans small.
  by rewrite mulrA ler_pmul2r ?invr_gt0 // -[leRHS]mulr1 ler_pmul2l.
- have /andP[ge_a _] := phi_range i; apply: le_trans a_inv _.
  by rewrite ler_pmul2r ?invr_gt0.
- by rewrite -[leRHS]mul1r ler_pmul2r ?invr_gt0 // ltW.
Qed.

Lemma tell_utility p S : (forall k, 0 <= p k) -> set_value p S <= utility p (tell S).
Proof.
move=> p_ge0; rewrite utilityE /set_value mulr_suml big_mkcond; apply: ler_sum => k _ /=.
apply: le_trans (le_largest (fun i => p i * tell S i k) k); rewrite /tell.
by case: ifP => kS; rewrite ?mulr0 // /record_phi eqxx mul1r.
Qed.

(* When S is the best set: its values are likely enough, the others are not. *)
Definition best_set p S := [/\ S != set0, forall k, k \in S -> a * set_value p S <= p k &
  forall k, k \notin S -> p k <= a * set_value p S].

Lemma best_set_covers p S : best_set p S ->
  exists2 y, covers Phi p y & \sum_k y k = set_value p S.
Proof.
case=> S_neq0 inS outS; set f := set_value p S in inS outS *.
have b_gt0 : 0 < 1 - a by rewrite subr_gt0.
have b_neq0 : 1 - a != 0 by rewrite gt_eqF.
pose y k := if k \in S then (p k - a * f) / (1 - a) else 0.
have y_sum : \sum_k y k = f.
  rewrite /y -big_mkcond /= -mulr_suml sumrB sumr_const -[_ *+ _]mulr_natl.
  have -> : \sum_(k in S) p k = f * set_size S by rewrite /f /set_value mulfVK // gt_eqF ?set_size_gt0.
  apply: (mulIf b_neq0); rewrite mulfVK // /set_size; move: (#|S|%:R : R) => n; by_ring R.
exists y => //; split=> [k|k].
  by rewrite /y; case: ifP => // kS; rewrite divr_ge0 ?subr_ge0 ?inS // ltW.
have -> : \sum_i y i * Phi i k = a * f + (1 - a) * y k.
  rewrite -y_sum mulr_sumr (bigD1 k) //= [in RHS](bigD1 k) //= /record_phi eqxx.
  rewrite (eq_bigr (fun i => a * y i)) => [|i /negPf ->]; last by rewrite mulrC.
  by by_ring R.
rewrite /y; case: ifP => kS; last by rewrite mulr0 addr0 outS ?kS.
by rewrite [(1 - a) * _]mulrCA divff // mulr1 addrC subrK.
Qed.

Lemma best_set_exists p : distribution p -> exists2 S, best_set p S & best_value p = set_value p S.
Proof.
case=> p_ge0 p_sum1; have [S S_best] := largest_attained set0 (set_value p).
have S_max T : set_value p T <= set_value p S by rewrite -S_best le_largest.
exists S => //; set f := set_value p S in S_max *.
have f_gt0 : 0 < f.
  apply: lt_le_trans (S_max setT); rewrite divr_gt0 ?set_size_gt0 //.
  have -> : \sum_(k in [set: V]) p k = 1 by rewrite -p_sum1; apply: eq_bigl => k; rewrite inE.
  exact: ltr01.
have S_neq0 : S != set0 by apply: contraTneq f_gt0 => S0; rewrite /f S0 /set_value big_set0 mul0r ltxx.
have fE : \sum_(k in S) p k = f * set_size S by rewrite /f /set_value mulfVK // gt_eqF ?set_size_gt0.
split=> // k kS; rewrite -/f; clearbody f.
  have := S_max (S :\ k); rewrite /set_value ler_pdivr_mulr ?set_size_gt0 // => le.
  have PS : \sum_(l in S) p l = p k + \sum_(l in S :\ k) p l by rewrite (big_setD1 k).
  have nS : #|S|%:R = 1 + #|S :\ k|%:R :> R by rewrite (cardsD1 k) kS natrD.
  move: le fE; rewrite PS /set_size nS; move: (\sum_(l in _) _) => P le eq.
  rewrite -(ler_add2r P) eq; apply: le_trans (ler_add (lexx _) le) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (#|S :\ k|%:R : R) => n; by_ring R.
have := S_max (k |: S); rewrite /set_value ler_pdivr_mulr ?set_size_gt0 // => le.
have nS : #|k |: S|%:R = 1 + #|S|%:R :> R by rewrite cardsU1 kS natrD.
move: le; rewrite big_setU1 //= fE /set_size nS => le.
rewrite -(ler_add2r (f * (1 + (#|S|%:R - 1) * a))); apply: le_trans le _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (#|S|%:R : R) => n; by_ring R.
Qed.

End Record.

(* ---- All records ---- *)
Section Records.
Variables (R : realFieldType) (V : finType) (u : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field' : (field_theory_of R).
Local Notation database := {ffun 'I_u -> V}.
Local Notation Phi := (@record_phi V R a).
Local Notation Phi_u := (level a (@hamming V u)).

Lemma joint_hamming d d' : joint (fun _ : 'I_u => Phi) d d' = Phi_u d d'.
Proof. by rewrite /level hamming_prod. Qed.

Lemma hamming_mechanism (O : finType) (M : database -> O -> R) :
  mechanism (joint (fun _ : 'I_u => Phi)) M <-> mechanism Phi_u M.
Proof. by split=> -[M_channel M_priv]; split=> // d d' o; have := M_priv d d' o; rewrite joint_hamming. Qed.

(* The most that can be gained about independent records, and how: record by record, with a set for each.      *)
Theorem independent_utility_le (p : 'I_u -> V -> R) (O : finType) (N : database -> O -> R) :
  (forall i, distribution (p i)) -> mechanism Phi_u N -> utility (joint_prior p) N <= \prod_i best_value a (p i).
Proof.
move=> p_dist /hamming_mechanism N_mech.
have [y yP] : exists y : 'I_u -> V -> R, forall i, covers Phi (p i) (y i) /\ \sum_k y i k = best_value a (p i).
  apply: (@fin_all_exists _ (fun=> V -> R) (fun i y => covers Phi (p i) y /\ \sum_k y k = best_value a (p i))) => i.
  have [S S_best ->] := best_set_exists a_gt0 a_lt1 (p_dist i).
  by have [y y_covers y_sum] := best_set_covers a_gt0 a_lt1 S_best; exists y.
rewrite (eq_bigr (fun i => \sum_k y i k)) => [|i _]; last by case: (yP i).
by apply: joint_utility_le N_mech => [i k|i]; [case: (p_dist i) | case: (yP i)].
Qed.

Theorem independent_utility_attained (p : 'I_u -> V -> R) : (forall i, distribution (p i)) ->
  exists S : 'I_u -> {set V}, let M := joint (fun i => tell a (S i)) in
  mechanism Phi_u M /\ utility (joint_prior p) M = \prod_i best_value a (p i).
Proof.
move=> p_dist; have [S SP] : exists S : 'I_u -> {set V}, forall i, S i != set0 /\ best_value a (p i) = set_value a (p i) (S i).
  apply: (@fin_all_exists _ (fun=> {set V}) (fun i S => S != set0 /\ best_value a (p i) = set_value a (p i) S)) => i.
  by have [S [S_neq0 _ _] S_best] := best_set_exists a_gt0 a_lt1 (p_dist i); exists S.
exists S; have tell_mech i : mechanism Phi (tell a (S i)) by apply: tell_mechanism => //; case: (SP i).
have M_mech : mechanism Phi_u (joint (fun i => tell a (S i))).
  by apply/hamming_mechanism/joint_mechanism => // i k l; exact: record_phi_ge0.
split=> //; apply/eqP; rewrite eq_le independent_utility_le //=.
rewrite joint_utility => [|i k|i k o]; last 2 first; first by case: (p_dist i).
  by case: (tell_mech i) => -[].
apply: ler_prod => i _; have [p_ge0 _] := p_dist i; have [_ ->] := SP i.
rewrite tell_utility // andbT divr_ge0 ?sumr_ge0 //; exact/ltW/set_size_gt0.
Qed.

(* With a set that is best for each record, there is no maximum to look for. *)
Corollary independent_utility_sets (p : 'I_u -> V -> R) (S : 'I_u -> {set V}) : (forall i, distribution (p i)) ->
  (forall i, best_set a (p i) (S i)) -> \prod_i best_value a (p i) = \prod_i set_value a (p i) (S i).
Proof.
move=> p_dist S_best; apply: eq_bigr => i _; have [p_ge0 _] := p_dist i; have [S_neq0 _ _] := S_best i.
have [y y_covers y_sum] := best_set_covers a_gt0 a_lt1 (S_best i).
have [T [T_neq0 _ _] T_best] := best_set_exists a_gt0 a_lt1 (p_dist i).
apply/eqP; rewrite eq_le (le_largest (set_value a (p i))) andbT T_best -y_sum.
apply: le_trans (@tell_utility _ _ a (p i) T p_ge0) _.
exact: covered_utility_le (tell_mechanism a_gt0 a_lt1 T_neq0) y_covers.
Qed.

(* Theorem 2's bound is for the uniform prior only: other independent records leak less, at every level.       *)
Lemma best_value_lt (p : V -> R) k l : distribution p -> p k != p l ->
  best_value a p < #|V|%:R / (1 + (#|V|%:R - 1) * a) * largest p.
Proof.
move=> p_dist p_kl; have [p_ge0 p_sum1] := p_dist; have [S [S_neq0 _ _] ->] := best_set_exists a_gt0 a_lt1 p_dist.
have size_all : set_size a [set: V] = 1 + (#|V|%:R - 1) * a by rewrite /set_size cardsT.
have all_gt0 := set_size_gt0 a_gt0 a_lt1 [set: V]; have S_gt0 := set_size_gt0 a_gt0 a_lt1 S.
have top_ge i : p i <= largest p := le_largest p i.
have sum_lt : 1 < #|V|%:R * largest p.
  have <- : \sum_(i : V) largest p = #|V|%:R * largest p by rewrite sumr_const mulr_natl.
  rewrite -{1}p_sum1.
  have [low low_lt] : exists i, p i < largest p.
    have [lt|ge] := ltP (p k) (largest p); first by exists k.
    have pk : p k = largest p by apply/eqP; rewrite eq_le top_ge ge.
    by exists l; rewrite lt_neqAle top_ge andbT -pk eq_sym.
  rewrite (bigD1 low) //= [ltRHS](bigD1 low) //=; apply: ltr_le_add => //; apply: ler_sum => i _; exact: top_ge.
have top_gt0 : 0 < largest p.
  have [//|] := ltP 0 (largest p) => top_le0; move: sum_lt; rewrite ltNge => /negP[].
  by apply: le_trans ler01; rewrite mulr_ge0_le0 ?ler0n.
rewrite -size_all /set_value ltr_pdivr_mulr // [_ / _ * largest p]mulrAC [ltRHS]mulrAC ltr_pdivl_mulr //.
have [->|S_neqT] := eqVneq S [set: V].
  have -> : \sum_(i in [set: V]) p i = 1 by rewrite -p_sum1; apply: eq_bigl => i; rewrite inE.
  by rewrite ltr_pmul2r.
apply: (@le_lt_trans _ _ (#|S|%:R * largest p * set_size a [set: V])).
  have <- : \sum_(i in S) largest p = #|S|%:R * largest p by rewrite sumr_const mulr_natl.
  rewrite ler_pmul2r //; by apply: ler_sum => i _; exact: top_ge.
rewrite mulrAC [ltRHS]mulrAC ltr_pmul2r // size_all /set_size.
have card_lt : #|S|%:R < #|V|%:R :> R by rewrite ltr_nat -cardsT proper_card // properT.
rewrite -subr_gt0 [ltRHS](_ : _ = (#|V|%:R - #|S|%:R) * (1 - a)) ?mulr_gt0 ?subr_gt0 //.
by move: (#|V|%:R : R) (#|S|%:R : R) => m n; by_ring R.
Qed.

Theorem independent_better (p : 'I_u -> V -> R) (O : finType) (N : database -> O -> R) : (0 < u)%N ->
  (forall i, distribution (p i)) -> (forall i, exists k l, p i k != p i l) -> mechanism Phi_u N ->
  leakage (joint_prior p) N < (#|V|%:R / (1 + (#|V|%:R - 1) * a)) ^+ u.
Proof.
move=> u_gt0 p_dist p_diff N_mech; have joint_dist := joint_distribution p_dist.
rewrite /leakage ltr_pdivr_mulr ?vulnerability_gt0 // vulnerabilityE largest_joint => [|i k]; last by case: (p_dist i).
apply: le_lt_trans (independent_utility_le p_dist N_mech) _.
rewrite -[X in _ ^+ X](card_ord u) -prodr_const -big_split /=.
have lt i : best_value a (p i) < #|V|%:R / (1 + (#|V|%:R - 1) * a) * largest (p i).
  by have [k [l kl]] := p_diff i; exact: best_value_lt kl.
have ge0 i : 0 <= best_value a (p i).
  have [p_ge0 _] := p_dist i; apply: le_trans (le_largest _ set0); rewrite /set_value big_set0 mul0r //.
rewrite (bigD1 (Ordinal u_gt0)) //= [ltRHS](bigD1 (Ordinal u_gt0)) //=.
apply: (@le_lt_trans _ _ (best_value a (p (Ordinal u_gt0)) *
  \prod_(i < u | i != Ordinal u_gt0) (#|V|%:R / (1 + (#|V|%:R - 1) * a) * largest (p i)))).
  by rewrite ler_wpmul2l //; apply: ler_prod => i _; rewrite ge0 ltW.
rewrite ltr_pmul2r //; apply: prodr_gt0 => i _; exact: le_lt_trans (ge0 i) (lt i).
Qed.

(* ---- Regularity ---- *)
Theorem record_regular_iff (p : V -> R) : distribution p ->
  regular Phi p <-> forall k, a <= p k * (1 + (#|V|%:R - 1) * a).
Proof.
move=> [p_ge0 p_sum1]; set s := 1 + _.
have s_gt0 : 0 < s by have := set_size_gt0 a_gt0 a_lt1 [set: V]; rewrite /set_size cardsT.
have s_neq0 : s != 0 by rewrite gt_eqF.
have b_gt0 : 0 < 1 - a by rewrite subr_gt0.
have b_neq0 : 1 - a != 0 by rewrite gt_eqF.
have expand y k : \sum_i y i * Phi i k = a * (\sum_i y i) + (1 - a) * y k.
  rewrite mulr_sumr (bigD1 k) //= [in RHS](bigD1 k) //= /record_phi eqxx.
  rewrite (eq_bigr (fun i => a * y i)) => [|i /negPf ->]; last by rewrite mulrC.
  by by_ring R.
split=> [[y [y_ge0 y_p]] k|p_large].
  have y_sum : (\sum_i y i) * s = 1.
    rewrite -p_sum1; under [RHS]eq_bigr => l _ do rewrite y_p.
    rewrite exchange_big mulr_suml; apply: eq_bigr => i _; rewrite -mulr_sumr record_row_sum.
    by [].
  rewrite y_p expand mulrDl -mulrA y_sum mulr1 ler_addl.
  by rewrite !mulr_ge0 // ltW.
exists (fun k => (p k - a / s) / (1 - a)); split=> [k|k].
  by rewrite divr_ge0 ?(ltW b_gt0) // subr_ge0 ler_pdivr_mulr.
rewrite expand -mulr_suml sumrB p_sum1 sumr_const -[_ *+ _]mulr_natl.
rewrite [(1 - a) * _]mulrCA divff // mulr1.
have -> : 1 - #|V|%:R * (a / s) = (1 - a) / s.
  apply: (mulIf s_neq0); rewrite mulrBl mul1r -mulrA !mulfVK // /s; move: (#|V|%:R : R) => n; by_ring R.
by rewrite [_ / s / _]mulrAC divff // mul1r addrC subrK.
Qed.

Theorem joint_regular_iff (p : 'I_u -> V -> R) : (forall i, distribution (p i)) ->
  regular Phi_u (joint_prior p) <-> forall i, regular Phi (p i).
Proof.
move=> p_dist; split=> [[y [y_ge0 y_p]] i|p_regular]; last first.
  have [y [y_ge0 y_p]] := joint_regular_if p_regular; exists y; split=> // d.
  by rewrite y_p; apply: eq_bigr => d' _; rewrite joint_hamming.
pose s := 1 + (#|V|%:R - 1) * a; pose rest := \prod_(j < u | j != i) s.
have s_ge0 : 0 <= s by have := set_size_gt0 a_gt0 a_lt1 [set: V]; rewrite /set_size cardsT => /ltW.
exists (fun k => (\sum_(d : database | d i == k) y d) * rest); split=> [k|k].
  by rewrite mulr_ge0 ?sumr_ge0 ?prodr_ge0.
have fixed : \sum_(d : database | d i == k) joint_prior p d = p i k.
  rewrite (sum_fixed i k p) big1 ?mulr1 // => j _; by case: (p_dist j).
rewrite -{1}fixed; under [LHS]eq_bigr => d _ do rewrite y_p.
rewrite exchange_big /=.
under eq_bigr => d _ do rewrite -mulr_sumr.
transitivity (\sum_d y d * (Phi (d i) k * rest)).
  apply: eq_bigr => d _; congr (_ * _).
  under eq_bigr => d' _ do rewrite /level hamming_prod.
  rewrite (sum_fixed i k (fun j l => Phi (d j) l)); congr (_ * _).
  by apply: eq_bigr => j _; exact: record_row_sum.
rewrite (partition_big (fun d : database => d i) xpredT) //=; apply: eq_bigr => l _.
by rewrite mulrAC !mulr_suml; apply: eq_bigr => d /eqP ->; rewrite mulrA.
Qed.

End Records.
