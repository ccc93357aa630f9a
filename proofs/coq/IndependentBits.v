(* SPDX-License-Identifier: MIT *)
(* Bits that are reported independently: a set bit as 1 with the probability a, another one with b.           *)
(*                                                                                                            *)
(* An input is the set i of the bits that are set, a report the set r of those reported as 1.  For b < a let  *)
(* rho = b (1 - a) / (a (1 - b)).                                                                             *)
(*   bits_least        P(r | i) >= rho^s P(r | j) where i and j have s bits each that the other has not       *)
(*   bits_attained     and the report r = j attains that                                                      *)
(*   sets_apart        of k bits two sets of h bits differ in up to min(h, k - h) of each kind, and some do   *)
(*   bits_level        hence inputs with h set bits are private exactly for levels c <= rho^min(h, k - h)     *)
(*   bitwise_level     the same whichever of a and b is the larger; for a = b exactly for c <= 1              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section IndependentBits.
Variables (R : realFieldType) (k : nat).
Implicit Types (a b c : R) (i j r : {set 'I_k}).

(* The probability that one bit is reported as v if it is s. *)
Definition bit_law a b (s v : bool) : R :=
  let one := if s then a else b in if v then one else 1 - one.

(* The probability of the report r at the input i. *)
Definition bits_law a b i r : R := \prod_l bit_law a b (l \in i) (l \in r).

(* Privacy at level c between any two inputs of which h bits are set. *)
Definition bits_private a b h c :=
  forall i j r, #|i| = h -> #|j| = h -> c * bits_law a b j r <= bits_law a b i r.

(* The quotient of the odds b/(1 - b) and a/(1 - a). *)
Definition odds_ratio a b : R := b * (1 - a) / (a * (1 - b)).

Lemma bit_law_ge0 a b s v : 0 <= a <= 1 -> 0 <= b <= 1 -> 0 <= bit_law a b s v.
Proof. by case/andP=> ? ? /andP[? ?]; case: s; case: v; rewrite /bit_law ?subr_ge0. Qed.

Lemma bits_law_ge0 a b i r : 0 <= a <= 1 -> 0 <= b <= 1 -> 0 <= bits_law a b i r.
Proof. by move=> a_in b_in; apply: prodr_ge0 => l _; exact: bit_law_ge0. Qed.

(* For one bit, set in the first input as s says and in the second as t says: the least quotient. *)
Definition least_quotient a b (s t : bool) : R :=
  (if s && ~~ t then (1 - a) / (1 - b) else 1) * (if t && ~~ s then b / a else 1).

Section Ordered.
Variables a b : R.
Hypotheses (b_ge0 : 0 <= b) (b_lt_a : b < a) (a_le1 : a <= 1).

Let a_gt0 : 0 < a := le_lt_trans b_ge0 b_lt_a.
Let clear_gt0 : 0 < 1 - b := etrans (subr_gt0 b 1) (lt_le_trans b_lt_a a_le1).
Let a_in : 0 <= a <= 1 := introT andP (conj (ltW a_gt0) a_le1).
Let b_in : 0 <= b <= 1 := introT andP (conj b_ge0 (le_trans (ltW b_lt_a) a_le1)).

Lemma odds_ratio_in : 0 <= odds_ratio a b <= 1.
Proof.
have den_gt0 : 0 < a * (1 - b) by rewrite mulr_gt0.
have num_ge0 : 0 <= b * (1 - a) by rewrite mulr_ge0 ?subr_ge0.
rewrite /odds_ratio divr_ge0 ?(ltW den_gt0) //=.
by rewrite ler_pdivr_mulr // mul1r !mulrBr !mulr1 [b * a]mulrC ler_add2r ltW.
Qed.

Lemma least_quotient_ge0 s t : 0 <= least_quotient a b s t.
Proof.
by rewrite /least_quotient mulr_ge0 //; case: ifP => _; rewrite ?ler01 ?divr_ge0 ?subr_ge0 ?(ltW a_gt0) //;
  rewrite -subr_ge0 ltW.
Qed.

Lemma least_quotient_le s t v : least_quotient a b s t * bit_law a b t v <= bit_law a b s v.
Proof.
have x_le1 : (1 - a) / (1 - b) <= 1 by rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2 ltW.
have y_le1 : b / a <= 1 by rewrite ler_pdivr_mulr // mul1r ltW.
case: s; case: t; case: v; rewrite /least_quotient /bit_law /= ?mulr1 ?mul1r // ?divfK ?gt_eqF //.
- by apply: le_trans (ltW b_lt_a); rewrite -[leRHS]mul1r ler_wpmul2r.
- have flip : 1 - a <= 1 - b by rewrite ler_add2l ler_opp2 ltW.
  by apply: le_trans flip; rewrite -[leRHS]mul1r ler_wpmul2r ?subr_ge0.
Qed.

Lemma least_quotient_attained s t : least_quotient a b s t * bit_law a b t t = bit_law a b s t.
Proof.
by case: s; case: t; rewrite /least_quotient /bit_law /= ?mulr1 ?mul1r // divfK // gt_eqF.
Qed.

(* The product of the least quotients of all bits. *)
Lemma least_quotients i j s : #|i :\: j| = s -> #|j :\: i| = s ->
  \prod_l least_quotient a b (l \in i) (l \in j) = odds_ratio a b ^+ s.
Proof.
move=> ij ji; rewrite /least_quotient big_split /=.
have power (A : {set 'I_k}) (x : R) : \prod_l (if l \in A then x else 1) = x ^+ #|A|.
  by rewrite -big_mkcond prodr_const.
rewrite (eq_bigr (fun l => if l \in i :\: j then (1 - a) / (1 - b) else 1)) => [|l _]; last by rewrite inE andbC.
rewrite [X in _ * X](eq_bigr (fun l => if l \in j :\: i then b / a else 1)) => [|l _]; last by rewrite inE andbC.
rewrite !power ij ji -exprMn; congr (_ ^+ _).
by rewrite /odds_ratio mulrC mulf_div.
Qed.

Theorem bits_least i j r s : #|i :\: j| = s -> #|j :\: i| = s ->
  odds_ratio a b ^+ s * bits_law a b j r <= bits_law a b i r.
Proof.
move=> ij ji; rewrite -(least_quotients ij ji) -big_split /=; apply: ler_prod => l _.
by rewrite least_quotient_le mulr_ge0 ?least_quotient_ge0 ?bit_law_ge0.
Qed.

Theorem bits_attained i j s : #|i :\: j| = s -> #|j :\: i| = s ->
  0 < bits_law a b j j /\ bits_law a b i j = odds_ratio a b ^+ s * bits_law a b j j.
Proof.
move=> ij ji; split.
  by apply: prodr_gt0 => l _; rewrite /bit_law; case: (l \in j).
rewrite -(least_quotients ij ji) -big_split /=; apply: eq_bigr => l _.
by rewrite least_quotient_attained.
Qed.
End Ordered.

(* Sets of the same size have as many elements each that the other has not: at most min(h, k - h). *)
Lemma sets_differ i j h : #|i| = h -> #|j| = h -> #|i :\: j| = #|j :\: i| /\ (#|i :\: j| <= minn h (k - h))%N.
Proof.
move=> i_h j_h; split.
  by apply/eqP; rewrite -(eqn_add2l #|i :&: j|) cardsID setIC cardsID i_h j_h.
rewrite leq_min -{1}i_h subset_leq_card ?subsetDl //=.
have <- : #|~: j| = (k - h)%N by rewrite cardsCs setCK card_ord j_h.
by apply: subset_leq_card; rewrite setDE subsetIr.
Qed.

(* And some have that many: the first h bits and the last h bits. *)
Lemma sets_apart h : (h <= k)%N -> exists i j,
  [/\ #|i| = h, #|j| = h, #|i :\: j| = minn h (k - h) & #|j :\: i| = minn h (k - h)].
Proof.
move=> h_le; pose first m := [set l : 'I_k | (l < m)%N].
have card_first m : (m <= k)%N -> #|first m| = m.
  move=> m_le; rewrite -[RHS](card_ord m) -!sum1_card (big_ord_widen k (fun=> 1%N) m_le).
  by apply: eq_bigl => l; rewrite inE.
pose i := first h; pose j := ~: first (k - h)%N.
have i_h : #|i| = h by exact: card_first.
have j_h : #|j| = h by rewrite cardsCs setCK card_ord card_first ?leq_subr // subKn.
have ij : #|i :\: j| = minn h (k - h).
  rewrite -[RHS]card_first ?geq_min ?h_le //; apply: eq_card => l.
  by rewrite !inE negbK leq_min andbC.
exists i, j; split=> //; by rewrite -ij; have [-> _] := sets_differ i_h j_h.
Qed.

Theorem bits_level a b h c : (h <= k)%N -> 0 <= b -> b < a -> a <= 1 ->
  bits_private a b h c <-> c <= odds_ratio a b ^+ minn h (k - h).
Proof.
move=> h_le b_ge0 ba a_le1; have /andP[rho_ge0 rho_le1] := odds_ratio_in b_ge0 ba a_le1.
have a_in : 0 <= a <= 1 by rewrite a_le1 (le_trans b_ge0 (ltW ba)).
have b_in : 0 <= b <= 1 by rewrite b_ge0 (le_trans (ltW ba)).
split=> [X_priv|c_le i j r i_h j_h].
  have [i [j [i_h j_h ij ji]]] := sets_apart h_le.
  have [pos eq] := bits_attained b_ge0 ba a_le1 ij ji.
  by have := X_priv i j j i_h j_h; rewrite eq ler_pmul2r.
have [same most] := sets_differ i_h j_h.
apply: le_trans (bits_least b_ge0 ba a_le1 r (erefl _) (esym same)).
rewrite ler_wpmul2r ?bits_law_ge0 //; apply: le_trans c_le _.
exact: ler_wiexpn2l.
Qed.

(* With 0 and 1 exchanged in all reports, the probabilities are 1 - a and 1 - b. *)
Lemma bits_exchanged a b i r : bits_law (1 - a) (1 - b) i (~: r) = bits_law a b i r.
Proof.
apply: eq_bigr => l _; rewrite inE /bit_law.
by case: (l \in r); case: (l \in i); rewrite ?subKr.
Qed.

Lemma private_exchanged a b h c : bits_private (1 - a) (1 - b) h c <-> bits_private a b h c.
Proof.
split=> X_priv i j r i_h j_h; last first.
  have := X_priv i j (~: r) i_h j_h.
  by rewrite -(bits_exchanged a b j (~: r)) -(bits_exchanged a b i (~: r)) setCK.
by rewrite -(bits_exchanged a b j r) -(bits_exchanged a b i r); exact: X_priv.
Qed.

(* One law for all inputs: every level up to 1. *)
Lemma bits_same a h c : (h <= k)%N -> 0 <= a <= 1 -> bits_private a a h c <-> c <= 1.
Proof.
move=> h_le a_in; have law i r : bits_law a a i r = bits_law a a set0 r.
  by apply: eq_bigr => l _; rewrite /bit_law; case: (l \in i); case: (l \in set0).
split=> [X_priv|c_le1 i j r _ _]; last first.
  by rewrite !law -[leRHS]mul1r ler_wpmul2r ?bits_law_ge0.
have [i [_ [i_h _ _ _]]] := sets_apart h_le.
have [r pos] : exists r, 0 < bits_law a a i r.
  have [a0|a_gt0] := lerP a 0; last first.
    by exists setT; apply: prodr_gt0 => l _; rewrite inE /bit_law; case: (l \in i).
  exists set0; apply: prodr_gt0 => l _; rewrite inE /bit_law.
  by case: (l \in i); rewrite subr_gt0 (le_lt_trans a0) ?ltr01.
by have := X_priv i i r i_h i_h; rewrite -[leRHS]mul1r ler_pmul2r.
Qed.

(* The largest level, with the larger and the smaller of the two probabilities. *)
Theorem bitwise_level a b h c : (h <= k)%N -> 0 <= a <= 1 -> 0 <= b <= 1 ->
  bits_private a b h c <->
  c <= if a == b then 1 else odds_ratio (Num.max a b) (Num.min a b) ^+ minn h (k - h).
Proof.
move=> h_le a_in b_in; have [a_ge0 a_le1] := andP a_in; have [b_ge0 b_le1] := andP b_in.
have [<-|neq] := eqVneq a b; first exact: bits_same.
have [ba|ab] := lerP b a.
  by apply: bits_level => //; rewrite lt_neqAle ba eq_sym neq.
rewrite -private_exchanged.
have -> : odds_ratio b a = odds_ratio (1 - a) (1 - b).
  by rewrite /odds_ratio !subKr [(1 - a) * b]mulrC [(1 - b) * a]mulrC.
by apply: bits_level; rewrite ?subr_ge0 ?ler_subl_addr ?ler_addl ?ltr_add2l ?ltr_opp2.
Qed.

End IndependentBits.
