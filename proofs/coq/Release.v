(* SPDX-License-Identifier: MIT *)
(* Algorithm 1 and Lemma 4: one release at several levels, and what coalitions learn from it.                 *)
(*                                                                                                            *)
(* The stages at levels a_0 <= a_1 <= ... are the geometric mechanism at a_0, and between two levels the      *)
(* matrix T with G_b = G_a T.  Stage c is fed with the result of stage c - 1.                                 *)
(* [expect i Ts g] is the expected value of g(r_0, r_1, ...) when the stages Ts run on the true result i; for *)
(* an indicator g it is a probability.                                                                        *)
(*                                                                                                            *)
(*   step_stochastic, algorithm1_stochastic   the stages exist (Lemma 3)                                      *)
(*   algorithm1_law     result c has the law of the geometric mechanism at level a_c                          *)
(*   lemma4             what is seen from result c on depends on i only through result c                      *)
(*   theorem1_part1     so a coalition of least member c sees a mechanism that is private at level a_c        *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric Inverse Derivability Levels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Stages.
Variables (R : realFieldType) (n : nat).
Local Notation input := 'I_n.+1.
Implicit Types (Ts : seq 'M[R]_n.+1) (i j r s : input) (c : nat).

(* The expected value of g(r_0, r_1, ...) when the first of the stages Ts runs on i, and each other one on the result of *)
(* the stage before it.                                                                                                  *)
Fixpoint expect i Ts (g : seq input -> R) : R :=
  if Ts is T :: Ts' then \sum_r T i r * expect r Ts' (fun rs => g (r :: rs)) else g [::].

Lemma eq_expect i Ts g h : g =1 h -> expect i Ts g = expect i Ts h.
Proof.
move=> gh; elim: Ts => [|T Ts IHTs] /= in i g h gh *; first exact: gh.
by apply: eq_bigr => r _; congr (_ * _); apply: IHTs => rs; apply: gh.
Qed.

Lemma expect_ge0 i Ts g : {in Ts, forall T, stochastic T} -> (forall rs, 0 <= g rs) -> 0 <= expect i Ts g.
Proof.
elim: Ts => [|T Ts IHTs] //= in i g * => Ts_st g_ge0.
rewrite sumr_ge0 // => r _; rewrite mulr_ge0 //; first by case: (Ts_st T (mem_head _ _)).
by apply: IHTs => // U U_Ts; apply: Ts_st; rewrite inE U_Ts orbT.
Qed.

Lemma expect_const i Ts (x : R) : {in Ts, forall T, stochastic T} -> expect i Ts (fun=> x) = x.
Proof.
elim: Ts => [//|T Ts IHTs] /= in i * => Ts_st.
have IH r : expect r Ts (fun=> x) = x by apply: IHTs => U U_Ts; apply: Ts_st; rewrite inE U_Ts orbT.
under eq_bigr => r _ do rewrite IH.
by rewrite -mulr_suml; case: (Ts_st T (mem_head _ _)) => _ ->; rewrite mul1r.
Qed.

(* A function of the results from c on: the first c + 1 stages act as one, their product. *)
Definition product_upto Ts c : 'M[R]_n.+1 := foldr (fun T U => T *m U) 1%:M (take c.+1 Ts).

Theorem lemma4 i Ts c (h : seq input -> R) : (c < size Ts)%N ->
  expect i Ts (fun rs => h (drop c rs)) =
  \sum_s product_upto Ts c i s * expect s (drop c.+1 Ts) (fun rs => h (s :: rs)).
Proof.
elim: Ts c => [//|T Ts IHTs] [|c] /= in i *; rewrite ?ltnS => c_lt.
  by rewrite /product_upto /= take0 /= mulmx1; apply: eq_bigr => r _; rewrite drop0.
under eq_bigr => r _ do rewrite IHTs // mulr_sumr.
rewrite exchange_big; apply: eq_bigr => s _ /=.
rewrite {2}/product_upto /= -/(product_upto Ts c) mxE mulr_suml.
by apply: eq_bigr => r _; rewrite mulrA.
Qed.

End Stages.

Section Algorithm1.
Variables (R : realFieldType) (n : nat).
Local Notation input := 'I_n.+1.

(* T_(a,b) = G_a^-1 G_b: the interaction that makes the geometric mechanism at level b of that at level a. *)
Definition step (a b : R) : 'M[R]_n.+1 := invmx (geometric n a) *m geometric n b.

(* Algorithm 1, the list of its stages: the geometric mechanism at level a, and T from each level to the next one of *)
(* a, levels_0, levels_1, ....                                                                                       *)
Definition algorithm1 (a : R) (levels : seq R) : seq 'M[R]_n.+1 :=
  geometric n a :: pairmap step a levels.

(* Levels rise, and lie strictly between 0 and 1. *)
Definition rising (a : R) (levels : seq R) := [&& 0 < a, a < 1, path <=%R a levels & all (< 1) levels].

Lemma level_range a levels c : rising a levels -> (c <= size levels)%N ->
  0 < nth 0 (a :: levels) c /\ nth 0 (a :: levels) c < 1.
Proof.
move=> /and4P[a_gt0 a_lt1 a_path lt1]; case: c => [//|c] c_le /=; split; last first.
  by have := all_nthP 0 lt1 c c_le.
by apply: lt_le_trans a_gt0 _; exact: (allP (order_path_min le_trans a_path)) (mem_nth 0 c_le).
Qed.

Theorem step_stochastic (a b : R) : 0 < a -> a <= b -> b < 1 ->
  stochastic (step a b) /\ geometric n b = geometric n a *m step a b.
Proof.
move=> a_gt0 ab b_lt1; have a_lt1 := le_lt_trans ab b_lt1.
have [T T_st GT] := lemma3 n a_gt0 b_lt1 ab.
by rewrite /step -(derivable_unique a_gt0 a_lt1 GT).
Qed.

Theorem algorithm1_stochastic a levels : rising a levels ->
  {in algorithm1 a levels, forall T, stochastic T}.
Proof.
move=> /and4P[a_gt0 a_lt1 a_path lt1] T; rewrite inE => /predU1P[->|].
  exact: geometric_stochastic.
elim: levels a a_gt0 a_lt1 a_path lt1 => //= b levels IHlevels a a_gt0 a_lt1 /andP[ab b_path] /andP[b_lt1 lt1].
rewrite inE => /predU1P[->|]; first by case: (step_stochastic a_gt0 ab b_lt1).
by apply: IHlevels => //; exact: lt_le_trans ab.
Qed.

Lemma product_algorithm1 a levels c : rising a levels -> (c <= size levels)%N ->
  product_upto (algorithm1 a levels) c = geometric n (nth 0 (a :: levels) c).
Proof.
move=> /and4P[a_gt0 a_lt1 a_path lt1]; rewrite /product_upto /=.
elim: levels a c a_gt0 a_lt1 a_path lt1 => [|b levels IHlevels] a [|c] //= a_gt0 a_lt1; rewrite ?mulmx1 //.
move=> /andP[ab b_path] /andP[b_lt1 lt1] c_lt; rewrite mulmxA.
have [_ <-] := step_stochastic a_gt0 ab b_lt1.
by apply: IHlevels => //; exact: lt_le_trans ab.
Qed.

Lemma size_algorithm1 a levels : size (algorithm1 a levels) = (size levels).+1.
Proof. by rewrite /= size_pairmap. Qed.

(* Result c has the law of the geometric mechanism at level a_c. *)
Theorem algorithm1_law a levels c (i r0 : input) (g : input -> R) :
  rising a levels -> (c <= size levels)%N ->
  expect i (algorithm1 a levels) (fun rs => g (nth r0 rs c)) =
  \sum_s geometric n (nth 0 (a :: levels) c) i s * g s.
Proof.
move=> lv c_le; have st := algorithm1_stochastic lv.
rewrite (@eq_expect _ _ _ _ _ (fun rs => g (nth r0 (drop c rs) 0))); last first.
  by move=> rs; rewrite nth_drop addn0.
rewrite (@lemma4 _ _ _ _ c (fun rs => g (nth r0 rs 0))) ?size_algorithm1 ?ltnS // product_algorithm1 //.
apply: eq_bigr => s _ /=; congr (_ * _).
by rewrite expect_const // => T T_in; apply: st; rewrite inE (mem_drop T_in) orbT.
Qed.

(* Part 1 of Theorem 1.  The coalition is the sequence C of its members, the least of them at least c; g is   *)
(* any function >= 0 of what they see together, for instance the indicator of an event.                       *)
Theorem theorem1_part1 a levels c (C : seq nat) (r0 : input) (g : seq input -> R) (i j : input) :
  rising a levels -> (c <= size levels)%N -> all (leq c) C -> (forall rs, 0 <= g rs) -> line i j ->
  nth 0 (a :: levels) c * expect j (algorithm1 a levels) (fun rs => g [seq nth r0 rs k | k <- C])
  <= expect i (algorithm1 a levels) (fun rs => g [seq nth r0 rs k | k <- C]).
Proof.
move=> lv c_le C_ge g_ge0 ij; have st := algorithm1_stochastic lv.
pose h rs := g [seq nth r0 rs (k - c) | k <- C].
have seen rs : g [seq nth r0 rs k | k <- C] = h (drop c rs).
  congr g; apply/eq_in_map => k /(allP C_ge) ck; by rewrite nth_drop subnKC.
rewrite !(eq_expect _ _ seen) !(@lemma4 _ _ _ _ c h) ?size_algorithm1 ?ltnS // product_algorithm1 //.
rewrite mulr_sumr; apply: ler_sum => s _; rewrite mulrA ler_wpmul2r //.
  apply: expect_ge0 => [T T_in|rs]; [exact: st (mem_drop T_in) | exact: g_ge0].
have [c_gt0 c_lt1] := level_range lv c_le; exact: geometric_private.
Qed.

End Algorithm1.
