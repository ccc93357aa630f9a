(* SPDX-License-Identifier: MIT *)
(* Sums over subsets of the people: how much they move, and what their answers give away.                      *)
(*                                                                                                            *)
(*   subset_sums_move     a record that changes moves k subset sums, in L1, by the number of subsets it is in  *)
(*   subset_sums_le       which is at most k                                                                   *)
(*   percentage_moves     a percentage of m >= 1000 records moves by exactly 100/m <= 1/10 when one changes    *)
(*   reconstruction       two databases whose subset sums are all within e of the same answers differ in at    *)
(*                        most 4 e records                                                                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section SubsetSums.
Variable R : realFieldType.
Variable I : finType. (* the people *)
Implicit Types (x y : I -> bool) (S : {set I}).

(* The number of the people of S whose record is 1. *)
Definition subset_sum x S : R := \sum_(i in S) (x i)%:R.

(* x and y differ in the record of i and nowhere else. *)
Definition differ_at i x y := x i != y i /\ forall l, l != i -> x l = y l.

Lemma move_of_one i x y S : differ_at i x y -> `|subset_sum x S - subset_sum y S| = (i \in S)%:R.
Proof.
move=> [xy_i same]; rewrite /subset_sum -sumrB; have [iS|iS] := boolP (i \in S).
  rewrite (bigD1 i) //= big1 ?addr0 => [|l /andP[_ li]]; last by rewrite same // subrr.
  by case: (x i) (y i) xy_i => [] [] //= _; rewrite ?subr0 ?sub0r ?normrN normr1.
rewrite big1 ?normr0 // => l lS; rewrite same ?subrr //; by apply: contraNneq iS => <-.
Qed.

Theorem subset_sums_move k (S : 'I_k -> {set I}) i x y : differ_at i x y ->
  \sum_j `|subset_sum x (S j) - subset_sum y (S j)| = #|[set j | i \in S j]|%:R.
Proof.
move=> xy; rewrite (eq_bigr (fun j => (i \in S j)%:R)) => [|j _]; last exact: move_of_one.
by rewrite -natr_sum -sum1dep_card [in RHS]big_mkcond; congr (_%:R); apply: eq_bigr => j _; case: (i \in S j).
Qed.

Theorem subset_sums_le k (S : 'I_k -> {set I}) i x y : differ_at i x y ->
  \sum_j `|subset_sum x (S j) - subset_sum y (S j)| <= k%:R.
Proof. by move=> xy; rewrite (subset_sums_move S xy) ler_nat -[X in (_ <= X)%N]card_ord max_card. Qed.

(* The people whose records differ are those with 1 in x alone and those with 1 in y alone. *)
Theorem reconstruction x y (answer : {set I} -> R) (e : R) :
  (forall S, `|subset_sum x S - answer S| <= e) -> (forall S, `|subset_sum y S - answer S| <= e) ->
  #|[set i | x i != y i]|%:R <= 4%:R * e.
Proof.
move=> near_x near_y.
have apart S : `|subset_sum x S - subset_sum y S| <= e + e.
  have -> : subset_sum x S - subset_sum y S = (subset_sum x S - answer S) - (subset_sum y S - answer S).
    by rewrite opprB addrA subrK.
  by apply: le_trans (ler_norm_sub _ _) _; rewrite ler_add ?near_x ?near_y.
have one_side u v : (forall S, `|subset_sum u S - subset_sum v S| <= e + e) -> #|[set i | u i && ~~ v i]|%:R <= e + e.
  move=> le; apply: le_trans (le [set i | u i && ~~ v i]); apply: le_trans (ler_norm _).
  rewrite /subset_sum -sumrB -sum1_card natr_sum; apply: ler_sum => i.
  by rewrite inE => /andP[-> /negbTE ->]; rewrite subr0.
have apart' S : `|subset_sum y S - subset_sum x S| <= e + e by rewrite distrC.
have := ler_add (one_side x y apart) (one_side y x apart'); rewrite -natrD.
have -> : 4%:R * e = e + e + (e + e) by rewrite -[4%N]/(2 + 2)%N natrD mulrDl mulr_natl mulr2n.
apply: le_trans; rewrite ler_nat; apply: leq_trans (leq_card_setU _ _); apply: subset_leq_card.
by apply/subsetP => i; rewrite !inE; case: (x i) (y i) => [] [].
Qed.

End SubsetSums.

Section Percentage.
Variable R : realFieldType.

(* The percentage of the m records that have the property. *)
Definition percentage m (x : 'I_m -> bool) : R := 100%:R * subset_sum R x setT / m%:R.

Theorem percentage_moves m (i : 'I_m) (x y : 'I_m -> bool) : (1000 <= m)%N -> differ_at i x y ->
  `|percentage x - percentage y| = 100%:R / m%:R /\ 100%:R / m%:R <= 10%:R^-1 :> R.
Proof.
move=> m_ge xy; have m_gt0 : 0 < m%:R :> R by rewrite ltr0n (leq_trans _ m_ge).
split.
  rewrite /percentage -mulrBl -mulrBr !normrM (move_of_one R setT xy) inE mulr1.
  by rewrite ger0_norm ?ler0n // ger0_norm // invr_ge0 ltW.
rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr ?ltr0n // -natrM ler_nat.
by apply: leq_trans m_ge.
Qed.

End Percentage.
