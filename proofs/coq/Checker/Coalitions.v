(* SPDX-License-Identifier: MIT *)
(* Releases (SPEC, section 4.6): what coalitions see, and the list of all coalitions.                         *)
(*                                                                                                            *)
(* Levels rise, and lie strictly between 0 and 1; the stages are those of Algorithm 1 (Release.v).            *)
(*   coalition_tight   a coalition with the first member c sees a mechanism that is private at the levels up  *)
(*                     to a_c and at no other                                                                 *)
(*   result_law        result c has the law of the geometric mechanism at a_c                                 *)
(*   subsetsP          the computed list has all coalitions, and nothing else                                 *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric Release.
From ExactDP.Checker Require Import Numbers Rows UniquenessClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Seen.
Variables (R : realFieldType) (n : nat).
Local Notation input := 'I_n.+1.

Lemma expect_sum (I : finType) (P : pred I) (F : I -> seq input -> R) (i : input) (Ts : seq 'M[R]_n.+1) :
  \sum_(s | P s) expect i Ts (F s) = expect i Ts (fun rs => \sum_(s | P s) F s rs).
Proof.
elim: Ts => [//|T Ts IHTs] /= in i F *; rewrite exchange_big; apply: eq_bigr => r _ /=.
by rewrite -mulr_sumr IHTs.
Qed.

Lemma sum_tuples k (x : seq input) (P : pred (seq input)) : size x = k ->
  \sum_(s < #|{: k.-tuple input}| | P (tval (enum_val s))) (x == tval (enum_val s))%:R = (P x)%:R :> R.
Proof.
move=> /eqP size_x; pose u := Tuple size_x; rewrite big_mkcond (bigD1 (enum_rank u)) //= enum_rankK /= eqxx.
rewrite big1 => [|s s_u]; first by rewrite addr0; case: (P x).
case: ifP => // _; case: eqP => // x_s; case/negP: s_u; rewrite -[s]enum_valK; apply/eqP; congr enum_rank.
by apply: val_inj; rewrite /= x_s.
Qed.

Variables (a : R) (levels : seq R).
Hypothesis levels_rise : rising a levels.
Local Notation Ts := (algorithm1 n a levels).
Local Notation level c := (nth 0 (a :: levels) c).

Lemma result_law c (i s : input) : (c <= size levels)%N ->
  expect i Ts (fun rs => (nth ord0 rs c == s)%:R) = geometric n (level c) i s.
Proof.
move=> c_le; rewrite (algorithm1_law i ord0 (fun r => (r == s)%:R) levels_rise c_le).
by rewrite (bigD1 s) //= eqxx mulr1 big1 ?addr0 // => r /negPf ->; rewrite mulr0.
Qed.

Lemma seen_stochastic C : stochastic (seen_by Ts C).
Proof.
have st := algorithm1_stochastic (n := n) levels_rise; split=> [i s|i].
  by rewrite mxE; apply: expect_ge0 => [T /st|rs] //; rewrite ler0n.
under eq_bigr => s _ do rewrite mxE.
rewrite (expect_sum xpredT) -[RHS](expect_const i 1 st); apply: eq_expect => rs.
by rewrite (@sum_tuples _ _ xpredT) ?size_map.
Qed.

Theorem coalition_tight (C : seq N) (x : N) : (0 < n)%N -> let c := N.to_nat (head x C) in
  (0 < size C)%N -> all (fun k => c <= N.to_nat k)%N C -> (c <= size levels)%N -> tight_at (seen_by Ts C) (level c).
Proof.
move=> n_gt0 c size_C C_ge c_le; have [seen_ge0 seen_sum1] := seen_stochastic C; split=> // b /andP[b_gt0 b_lt1].
split=> [seen_priv|b_le i j s ij]; last first.
  apply: le_trans (_ : level c * seen_by Ts C j s <= _); first by rewrite ler_wpmul2r.
  have C_all : all (leq c) [seq N.to_nat k | k <- C] by rewrite all_map.
  have seenE k : seen_by Ts C k s = expect k Ts (fun rs =>
      ([seq nth ord0 rs y | y <- [seq N.to_nat z | z <- C]] == tval (enum_val s))%:R).
    by rewrite mxE; apply: eq_expect => rs; rewrite -map_comp.
  rewrite !seenE; apply: (theorem1_part1 ord0 (g := fun rs => (rs == tval (enum_val s))%:R)) => // rs.
  exact: ler0n.
(* the results of the first member alone: sums of what the coalition sees *)
have first (i : input) : geometric n (level c) i ord0
    = \sum_(s < #|{: (size C).-tuple input}| | head ord0 (tval (enum_val s)) == ord0) seen_by Ts C i s.
  under eq_bigr => s _ do rewrite mxE.
  rewrite expect_sum -(result_law i ord0 c_le); apply: eq_expect => rs.
  rewrite (@sum_tuples _ _ (fun y => head ord0 y == ord0)) ?size_map //; congr (_ == _)%:R.
  by rewrite /c; case: (C) size_C.
have [c_gt0 c_lt1] := level_range levels_rise c_le.
have b_first : b * geometric n (level c) ord0 ord0 <= geometric n (level c) (inord 1) ord0.
  rewrite !first mulr_sumr; apply: ler_sum => s _; apply: seen_priv.
  by rewrite /line /= inordK // orbT.
by move: b_first; rewrite !mxE inordK // expr0 mul1r expr1 ler_pmul2r // scale_gt0.
Qed.

End Seen.

(* ---- All coalitions ---- *)
Lemma sorted_rcons_ltb (C : seq N) x : sorted N.ltb (rcons C x) = sorted N.ltb C && all (fun i => (i <? x)%num) C.
Proof.
have tr : transitive N.ltb by move=> y z w /N.ltb_lt zy /N.ltb_lt yw; apply/N.ltb_lt; lia.
case: C => [//|y C] /=; rewrite rcons_path.
have [C_path|//] := boolP (path _ _ _) => /=; apply/idP/idP => [last_x|/andP[y_x C_x]]; last first.
  by have /all_In := C_x; case: (lastP C) => [|s z] //; rewrite last_rcons; apply; rewrite -cats1; apply/List.in_or_app; right; left.
have all_le : all (fun i => (i <=? last y C)%num) (y :: C).
  elim: C y C_path {last_x} => [|z C IHC] y; first by rewrite /= N.leb_refl.
  case/andP=> /N.ltb_lt yz /IHC IH; apply/andP; split; last exact: IH.
  by move: IH => /andP[/N.leb_le z_last _]; apply/N.leb_le; rewrite /= in z_last *; lia.
move: last_x => /N.ltb_lt last_x; rewrite -[_ && _]/(all (fun i => (i <? x)%num) (y :: C)).
by apply: sub_all all_le => i /N.leb_le i_last; apply/N.ltb_lt; lia.
Qed.

Lemma subsetsP k C : List.In C (subsets k) <-> sorted N.ltb C && all (fun i => (i <? N.of_nat k)%num) C.
Proof.
elim: k C => [|k IHk] C /=.
  split=> [[<-|]//|]; case: C => [|i C]; first by left.
  by case/andP=> _ /andP[/N.ltb_lt i_lt0 _]; lia.
rewrite List.in_app_iff IHk; split.
  case=> [/andP[up C_k]|C_in].
    by rewrite up; apply: sub_all C_k => i /N.ltb_lt ik; apply/N.ltb_lt; lia.
  have [D /IHk/andP[D_up D_k] ->] := In_map C_in.
  rewrite sorted_rcons_ltb D_up D_k all_rcons; apply/andP; split=> //; apply/andP; split; first by apply/N.ltb_lt; lia.
  by apply: sub_all D_k => i /N.ltb_lt ik; apply/N.ltb_lt; lia.
case: (lastP C) => [|D x]; first by left.
rewrite sorted_rcons_ltb all_rcons => /andP[/andP[D_up D_x] /andP[/N.ltb_lt x_k _]].
case: (N.eq_dec x (N.of_nat k)) => [xk|xk].
  right; rewrite xk; apply: (List.in_map (fun C => rcons C (N.of_nat k))); apply/IHk.
  by rewrite D_up /= -xk.
left; rewrite D_up D_x all_rcons /=; apply/andP; split; first by apply/N.ltb_lt; lia.
by apply: sub_all D_x => i /N.ltb_lt ix; apply/N.ltb_lt; lia.
Qed.

Lemma subsets_head k : exists s, subsets k = [::] :: s /\ forall C, List.In C s -> (0 < size C)%N.
Proof.
elim: k => [|k [s [e s_ok]]]; first by exists [::].
exists (s ++ [seq rcons C (N.of_nat k) | C <- [::] :: s]); rewrite /= e; split=> // C.
rewrite List.in_app_iff => -[/s_ok //|[<- //|C_in]].
by have [D _ ->] := In_map C_in; rewrite size_rcons.
Qed.

Lemma all2_eqb (A B : seq (seq N)) : all2 (all2 N.eqb) A B -> A = B.
Proof.
have rows (C D : seq N) : all2 N.eqb C D -> C = D.
  by elim: C D => [|x C IHC] [|y D] //= /andP[/N.eqb_eq -> /IHC ->].
by elim: A B => [|C A IHA] [|D B] //= /andP[/rows -> /IHA ->].
Qed.

Theorem lists_coalitionsP k Cs : lists_coalitions k Cs -> forall C, is_coalition k C <-> List.In C Cs.
Proof.
rewrite /lists_coalitions; case: ifP => // _ /all2_eqb -> C; have [s [e s_ok]] := subsets_head k.
have := subsetsP k C; rewrite e /= => in_s; rewrite /is_coalition; split=> [/and3P[C_gt0 up below_k]|C_s].
  have [C0|//] : [::] = C \/ List.In C s by apply/in_s; rewrite up.
  by rewrite -C0 in C_gt0.
by rewrite s_ok //=; apply/in_s; right.
Qed.
