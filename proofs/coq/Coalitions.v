(* SPDX-License-Identifier: MIT *)
(* Lemma 4: what a coalition sees is the result of its first member, and noise that does not depend on the    *)
(* database.                                                                                                  *)
(*                                                                                                            *)
(*   coalition_factor  the same for any chain of stochastic stages                                            *)
(*   lemma4_factor     joint law of a coalition = law of its first member's result times a factor W, which is *)
(*                     a distribution of what the others see given that result                                *)
(*   factor_positive   so every result of the first member is seen with some t of positive factor             *)
(*   coalition_tight   so a coalition is private at no level above that of its first member                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Form Geometric Release LevelEnds.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Coalitions.
Variables (R : realFieldType) (n : nat).
Local Notation input := 'I_n.+1.
Implicit Types (Ts : seq 'M[R]_n.+1) (i s : input).

Lemma expect_sum (F : finType) i Ts (g : F -> seq input -> R) :
  expect i Ts (fun rs => \sum_t g t rs) = \sum_t expect i Ts (g t).
Proof.
elim: Ts => [//|T Ts IHTs] /= in i g *; rewrite exchange_big; apply: eq_bigr => r _ /=.
by rewrite (IHTs r (fun t rs => g t (r :: rs))) mulr_sumr.
Qed.

Lemma expect0 i Ts : expect i Ts (fun=> 0) = 0.
Proof. by elim: Ts i => [//|T Ts IHTs] i /=; rewrite big1 // => r _; rewrite IHTs mulr0. Qed.

(* The probability that the members C see t, when the true result is i.  (r0 is what nth gives outside a      *)
(* sequence; no member of a coalition is outside.)                                                            *)
Definition coalition_law r0 Ts (C : seq nat) i (t : (size C).-tuple input) : R :=
  expect i Ts (fun rs => ([seq nth r0 rs k | k <- C] == t)%:R).

Arguments coalition_law : clear implicits.

Section Chain.
Variables (Ts : seq 'M[R]_n.+1) (c : nat) (C : seq nat) (r0 : input).
Hypotheses (st : {in Ts, forall T, stochastic T}) (c_lt : (c < size Ts)%N) (C_ge : all (leq c) C).

(* For any stochastic stages.  The coalition has the members c :: C, and c is its first. *)
Theorem coalition_factor : exists W : input -> (size (c :: C)).-tuple input -> R,
  [/\ forall s, distribution (W s), forall s t, thead t != s -> W s t = 0,
    forall i t, coalition_law r0 Ts (c :: C) i t = product_upto Ts c i (thead t) * W (thead t) t &
    forall i t, coalition_law r0 Ts (c :: C) i t = \sum_s product_upto Ts c i s * W s t].
Proof.
have st' : {in drop c.+1 Ts, forall T, stochastic T} by move=> T /mem_drop; exact: st.
pose view s rs : (size (c :: C)).-tuple input := [tuple of [seq nth r0 (s :: rs) (k - c) | k <- in_tuple (c :: C)]].
pose W s (t : (size (c :: C)).-tuple input) : R := expect s (drop c.+1 Ts) (fun rs => (view s rs == t)%:R).
have W_head s t : thead t != s -> W s t = 0.
  move=> ts; rewrite /W (@eq_expect _ _ _ _ _ (fun=> 0)) ?expect0 // => rs.
  case: eqP => // view_t; case/eqP: ts; rewrite -view_t /thead (tnth_nth r0) /=.
  by rewrite subnn.
have law i t : coalition_law r0 Ts (c :: C) i t = \sum_s product_upto Ts c i s * W s t.
  pose h rs : R := ([seq nth r0 rs (k - c) | k <- c :: C] == t)%:R.
  rewrite /coalition_law (@eq_expect _ _ _ _ _ (fun rs => h (drop c rs))); last first.
    move=> rs; congr ((_ == _)%:R); apply/eq_in_map => k; rewrite inE => /predU1P[->|/(allP C_ge) ck].
      by rewrite nth_drop subnn addn0.
    by rewrite nth_drop subnKC.
  by rewrite (@lemma4 _ _ _ _ c h).
exists W; split=> // [s|i t]; last first.
  by rewrite law (bigD1 (thead t)) //= big1 ?addr0 // => s; rewrite eq_sym => /W_head ->; rewrite mulr0.
split=> [t|]; first by apply: expect_ge0 => // rs; rewrite ler0n.
rewrite /W -expect_sum (@eq_expect _ _ _ _ _ (fun=> 1)) ?expect_const // => rs.
by rewrite (bigD1 (view s rs)) //= eqxx big1 ?addr0 // => t /negPf; rewrite eq_sym => ->.
Qed.

(* Every result s of the first member has a positive factor with some t. *)
Corollary factor_positive (W : input -> (size (c :: C)).-tuple input -> R) s : distribution (W s) ->
  (forall t, thead t != s -> W s t = 0) -> exists2 t, thead t = s & 0 < W s t.
Proof.
move=> [W_ge0 W_sum1] W_head.
have [t /andP[/eqP t_s W_gt0]|none] := pickP (fun t => (thead t == s) && (0 < W s t)); first by exists t.
move/eqP: W_sum1; rewrite big1 => [|t _]; first by rewrite eq_sym oner_eq0.
have [ts|/W_head //] := eqVneq (thead t) s.
by apply/eqP; rewrite eq_le W_ge0 andbT leNgt; have := none t; rewrite ts eqxx /= => ->.
Qed.

End Chain.

Variables (a : R) (levels : seq R) (c : nat) (C : seq nat) (r0 : input).
Hypotheses (lv : strictly_rising a levels) (c_le : (c <= size levels)%N) (C_ge : all (leq c) C).
Local Notation stages := (algorithm1 n a levels).
Local Notation level := (nth 0 (a :: levels) c).

(* Lemma 4, for levels 0 <= a_1 < ... < a_k <= 1. *)
Theorem lemma4_factor : exists W : input -> (size (c :: C)).-tuple input -> R,
  [/\ forall s, distribution (W s), forall s t, thead t != s -> W s t = 0,
    forall i t, coalition_law r0 stages (c :: C) i t = geometric n level i (thead t) * W (thead t) t &
    forall i t, coalition_law r0 stages (c :: C) i t = \sum_s geometric n level i s * W s t].
Proof.
rewrite -(product_closed n lv c_le); apply: coalition_factor C_ge; first exact: stochastic_closed.
by rewrite size_algorithm1 ltnS.
Qed.

(* The coalition is private at the level of its first member and at no larger one. *)
Theorem coalition_private i j (t : (size (c :: C)).-tuple input) : line i j ->
  level * coalition_law r0 stages (c :: C) j t <= coalition_law r0 stages (c :: C) i t.
Proof.
move=> ij; have [W [W_dist _ law _]] := lemma4_factor; rewrite !law mulrA ler_wpmul2r ?(proj1 (W_dist _)) //.
have [l_ge0 l_le1] := level_range_closed lv c_le.
by apply: (proj2 (geometric_closed n l_ge0 l_le1)).
Qed.

Theorem coalition_tight (b : R) : (0 < n)%N ->
  (forall i j (t : (size (c :: C)).-tuple input), line i j ->
     b * coalition_law r0 stages (c :: C) j t <= coalition_law r0 stages (c :: C) i t) -> b <= level.
Proof.
move=> n_gt0 b_priv; have [W [W_dist W_head law _]] := lemma4_factor.
have [t t0 W_gt0] := factor_positive (W_dist ord0) (W_head ord0).
have one : line (inord 1 : input) ord0 by rewrite /line inordK ?orbT.
have := b_priv _ _ t one; rewrite !law t0 mulrA ler_pmul2r //.
have -> : geometric n level (inord 1) ord0 = level * geometric n level ord0 ord0.
  by rewrite !mxE /dist inordK ?ltnS // subnn addn0 subn0 expr1 expr0 mul1r.
have [l_ge0 l_le1] := level_range_closed lv c_le; rewrite ler_pmul2r // mxE /dist subnn expr0 mul1r.
rewrite /scale gtn_eqF //= invr_gt0; by rewrite ltr_paddr ?ltr01.
Qed.

End Coalitions.
