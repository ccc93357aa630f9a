(* SPDX-License-Identifier: MIT *)
(* Theorem 1 for all levels that the paper allows, 0 and 1 included.                                          *)
(*                                                                                                            *)
(* At level 0 the geometric mechanism is the identity (0^0 = 1), at level 1 all its rows are equal.           *)
(*   geometric_closed    G is stochastic and private at every level in [0, 1]                                 *)
(*   step_closed         Lemma 3 for 0 <= a < b <= 1                                                          *)
(*   minimax_closed      Theorem 1, part 2, at one level in [0, 1]                                            *)
(*   theorem1_closed     Theorem 1 for levels 0 <= a_1 < ... < a_k <= 1                                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Inverse Derivability Levels Release.
From ExactDP Require Import Losses Minimax OptimalMechanisms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Ends.
Variables (R : realFieldType) (n : nat).
Local Notation G a := (geometric n a).
Local Notation input := 'I_n.+1.
Implicit Types a b : R.

Lemma geometric_zero : G (0 : R) = 1%:M.
Proof.
apply/matrixP => i j; rewrite !mxE /scale addr0 subr0 invr1 mul1r !if_same mulr1.
have [->|ij] := eqVneq i j; first by rewrite /dist subnn expr0.
rewrite expr0n; have -> : (dist i j == 0%N) = false; last by [].
by apply/eqP => d0; case/eqP: ij; apply/val_inj => /=; move: d0; rewrite /dist => d0; nat_lia.
Qed.

(* Rows of G at level 1 are equal: 1/2 at both ends, 0 between. *)
Lemma geometric_oneE (i j : input) : G (1 : R) i j = scale 1 n j.
Proof. by rewrite mxE expr1n mul1r. Qed.

Lemma geometric_one_stochastic : stochastic (G (1 : R)).
Proof.
split=> [i j|i].
  rewrite geometric_oneE /scale subrr mul0r; case: ifP => _; first exact: ler01.
  by case: ifP => // _; rewrite invr_ge0 addr_ge0 ?ler01.
under eq_bigr => j _ do rewrite geometric_oneE.
have [n0|n_gt0] := posnP n.
  rewrite (bigD1 ord0) //= /scale n0 eqxx big1 ?addr0 // => j /negP j0; case: j0; apply/eqP/val_inj => /=.
  by have j_lt := ltn_ord j; rewrite /=; nat_lia.
have last_neq : ord_max != ord0 :> input by rewrite -val_eqE /= -lt0n.
have n_neq0 : (n == 0%N) = false by rewrite gtn_eqF.
rewrite (bigD1 ord0) //= (bigD1 ord_max) //= big1 => [|j /andP[j0 jn]].
  rewrite /scale n_neq0 !eqxx orbT addr0 /= -mulr2n -[_^-1]mul1r -mulrnAl divff //.
  by rewrite pnatr_eq0.
rewrite /scale n_neq0; have -> : (j == 0%N :> nat) = false by apply: negbTE; rewrite -val_eqE in j0.
have -> : (j == n :> nat) = false by apply: negbTE; rewrite -val_eqE in jn.
by rewrite /= subrr mul0r.
Qed.

Theorem geometric_closed a : 0 <= a -> a <= 1 -> stochastic (G a) /\ private a (G a).
Proof.
move=> a_ge0 a_le1; have [a0|a_neq0] := eqVneq a 0.
  rewrite a0; have st : stochastic (G (0 : R)).
    rewrite geometric_zero; split=> [i j|i]; first by rewrite mxE ler0n.
    by rewrite (bigD1 i) //= mxE eqxx big1 ?addr0 // => j /negPf; rewrite mxE eq_sym => ->.
  by split=> //; apply: private_zero; case: st.
have a_gt0 : 0 < a by rewrite lt_neqAle eq_sym a_neq0.
have [->|a_neq1] := eqVneq a 1.
  split; first exact: geometric_one_stochastic.
  by move=> i j r _; rewrite !geometric_oneE mul1r.
have a_lt1 : a < 1 by rewrite lt_neqAle a_neq1.
by split; [exact: geometric_stochastic | exact: geometric_private].
Qed.

Theorem step_closed a b : 0 <= a -> a < b -> b <= 1 -> stochastic (step n a b) /\ G b = G a *m step n a b.
Proof.
move=> a_ge0 ab b_le1; have b_ge0 : 0 <= b := le_trans a_ge0 (ltW ab).
have [a0|a_neq0] := eqVneq a 0.
  by rewrite /step a0 geometric_zero invmx1 !mul1mx; split=> //; case: (geometric_closed b_ge0 b_le1).
have a_gt0 : 0 < a by rewrite lt_neqAle eq_sym a_neq0.
have a_lt1 : a < 1 := lt_le_trans ab b_le1.
have [b1|b_neq1] := eqVneq b 1; last by apply: step_stochastic => //; [exact: ltW | rewrite lt_neqAle b_neq1].
have same : G a *m G (1 : R) = G (1 : R).
  apply/matrixP => i j; rewrite mxE; under eq_bigr => k _ do rewrite geometric_oneE.
  by rewrite -mulr_suml geometric_sum // mul1r geometric_oneE.
have -> : step n a b = G (1 : R) by rewrite /step b1 -{1}same mulKmx // geometric_unit.
by rewrite b1 same; split=> //; exact: geometric_one_stochastic.
Qed.

(* Part 2 at one level: an interaction T with G keeps on S every bound that a private mechanism keeps. *)
Theorem minimax_closed m a (l : 'M[R]_(n.+1, m.+1)) (S : {set input}) : 0 <= a -> a <= 1 -> monotone_loss l ->
  exists2 T, stochastic T & forall X : 'M[R]_(n.+1, m.+1), stochastic X -> private a X ->
    forall v, worst_loss_le S l X v -> worst_loss_le S l (G a *m T) v.
Proof.
move=> a_ge0 a_le1 /monotone_single_crossing l_crossing.
have [X [X_st X_priv X_best]] := optimal_exists (@line n) l S a_le1.
have [a0|a_neq0] := eqVneq a 0; first by exists X => //; rewrite a0 geometric_zero mul1mx -a0.
have a_gt0 : 0 < a by rewrite lt_neqAle eq_sym a_neq0.
have [a1|a_neq1] := eqVneq a 1; last by apply: minimax_optimality => //; rewrite lt_neqAle a_neq1.
exists X => //; rewrite a1 (_ : _ *m X = X) -?a1 //; apply/matrixP => i r.
have same := private_one (X := X); rewrite -a1 in same.
rewrite mxE; under eq_bigr => k _ do rewrite (same X_priv k i r).
by rewrite -mulr_suml a1; have [_ ->] := geometric_one_stochastic; rewrite mul1r.
Qed.

(* Levels rise strictly, and lie in [0, 1]. *)
Definition strictly_rising a (levels : seq R) := [&& 0 <= a, a <= 1, path <%R a levels & all (<= 1) levels].

Lemma level_range_closed a levels c : strictly_rising a levels -> (c <= size levels)%N ->
  0 <= nth 0 (a :: levels) c /\ nth 0 (a :: levels) c <= 1.
Proof.
move=> /and4P[a_ge0 a_le1 a_path le1]; case: c => [//|c] c_le /=; split; last by have := all_nthP 0 le1 c c_le.
by apply: le_trans a_ge0 (ltW _); exact: (allP (order_path_min lt_trans a_path)) (mem_nth 0 c_le).
Qed.

Lemma stochastic_closed a levels : strictly_rising a levels -> {in algorithm1 n a levels, forall T, stochastic T}.
Proof.
move=> /and4P[a_ge0 a_le1 a_path le1] T; rewrite inE => /predU1P[->|]; first by case: (geometric_closed a_ge0 a_le1).
elim: levels a a_ge0 a_le1 a_path le1 => //= b levels IHlevels a a_ge0 a_le1 /andP[ab b_path] /andP[b_le1 le1].
rewrite inE => /predU1P[->|]; first by case: (step_closed a_ge0 ab b_le1).
by apply: IHlevels => //; exact: le_trans (ltW ab).
Qed.

Lemma product_closed a levels c : strictly_rising a levels -> (c <= size levels)%N ->
  product_upto (algorithm1 n a levels) c = G (nth 0 (a :: levels) c).
Proof.
move=> /and4P[a_ge0 a_le1 a_path le1]; rewrite /product_upto /=.
elim: levels a c a_ge0 a_le1 a_path le1 => [|b levels IHlevels] a [|c] //= a_ge0 a_le1; rewrite ?mulmx1 //.
move=> /andP[ab b_path] /andP[b_le1 le1] c_lt; rewrite mulmxA.
have [_ <-] := step_closed a_ge0 ab b_le1.
by apply: IHlevels => //; exact: le_trans (ltW ab).
Qed.

(* Theorem 1, with the ends of the range: see [theorem1]. *)
Theorem theorem1_closed a (levels : seq R) : strictly_rising a levels ->
  exists Ts : seq 'M[R]_n.+1, [/\ size Ts = (size levels).+1, {in Ts, forall T, stochastic T},
    forall (c : nat) (C : seq nat) (r0 : input) (g : seq input -> R) (i j : input),
      (c <= size levels)%N -> all (leq c) C -> (forall rs, 0 <= g rs) -> line i j ->
      nth 0 (a :: levels) c * expect j Ts (fun rs => g [seq nth r0 rs k | k <- C])
      <= expect i Ts (fun rs => g [seq nth r0 rs k | k <- C])
  & forall c, (c <= size levels)%N -> exists M : 'M[R]_n.+1,
      [/\ forall (i r0 : input) g, expect i Ts (fun rs => g (nth r0 rs c)) = \sum_s M i s * g s,
          stochastic M /\ private (nth 0 (a :: levels) c) M
        & forall m (l : 'M[R]_(n.+1, m.+1)) (S : {set input}), monotone_loss l ->
          exists2 T, stochastic T & forall X, stochastic X -> private (nth 0 (a :: levels) c) X ->
            forall v, worst_loss_le S l X v -> worst_loss_le S l (M *m T) v]].
Proof.
move=> lv; have st := stochastic_closed lv; exists (algorithm1 n a levels); split=> //; first exact: size_algorithm1.
  move=> c C r0 g i j c_le C_ge g_ge0 ij.
  pose h rs := g [seq nth r0 rs (k - c) | k <- C].
  have seen rs : g [seq nth r0 rs k | k <- C] = h (drop c rs).
    by congr g; apply/eq_in_map => k /(allP C_ge) ck; rewrite nth_drop subnKC.
  rewrite !(eq_expect _ _ seen) !(@lemma4 _ _ _ _ c h) ?size_algorithm1 ?ltnS // product_closed //.
  rewrite mulr_sumr; apply: ler_sum => s _; rewrite mulrA ler_wpmul2r //.
    by apply: expect_ge0 => [T T_in|rs]; [apply: st; exact: mem_drop T_in | exact: g_ge0].
  by have [c_ge0 c_le1] := level_range_closed lv c_le; apply: (proj2 (geometric_closed c_ge0 c_le1)).
move=> c c_le; have [c_ge0 c_le1] := level_range_closed lv c_le.
exists (G (nth 0 (a :: levels) c)); split; [move=> i r0 g | exact: geometric_closed | by move=> *; exact: minimax_closed].
rewrite (@eq_expect _ _ _ _ _ (fun rs => g (nth r0 (drop c rs) 0))); last by move=> rs; rewrite nth_drop addn0.
rewrite (@lemma4 _ _ _ _ c (fun rs => g (nth r0 rs 0))) ?size_algorithm1 ?ltnS // product_closed //.
apply: eq_bigr => s _ /=; congr (_ * _).
by rewrite expect_const // => T T_in; apply: st; rewrite inE (mem_drop T_in) orbT.
Qed.

End Ends.
