(* SPDX-License-Identifier: MIT *)
(* The discrete metric: its vertices, and random response (Fernandes and others, 6 and 8.2).                  *)
(*                                                                                                            *)
(*   discrete_ray               rays have two values, c and a c, and both occur                               *)
(*   discrete_vertices, _count  so p inputs have 2^p - 2 vertices, one for each proper non-empty subset       *)
(*   response_kernel            random response is a kernel mechanism                                         *)
(*   corollary18                on two inputs it is universally optimal for every loss                        *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Channels Refinement.
From ExactDP Require Import FiniteCone Rays Kernels KernelOptimality ExtremeRays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Discrete.
Variables (R : realFieldType) (p : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (p_gt1 : (1 < p)%N).
Add Field R_field : (field_theory_of R).

(* Privacy for the discrete metric: e_ij = a for two different inputs, and 1 for i = j. *)
Definition discrete_level (i j : 'I_p) : R := if i == j then 1 else a.

(* The vector that is 1 on the set S of inputs and a elsewhere. *)
Definition high (S : {set 'I_p}) (i : 'I_p) : R := if i \in S then 1 else a.

(* A proper non-empty subset of the inputs. *)
Definition proper_subset (S : {set 'I_p}) := (S != set0) && (S != setT).

Let p_gt0 : (0 < p)%N := ltnW p_gt1.

Lemma discrete_level_gt0 i j : 0 < discrete_level i j.
Proof. by rewrite /discrete_level; case: eqP; rewrite ?ltr01. Qed.

Lemma high_gt0 S i : 0 < high S i.
Proof. by rewrite /high; case: ifP; rewrite ?ltr01. Qed.

Lemma high_le1 S i : high S i <= 1.
Proof. by rewrite /high; case: ifP => // _; exact: ltW. Qed.

Lemma high_private S : private_vector discrete_level (high S).
Proof.
split=> [i|i j]; first exact: ltW (high_gt0 S i).
rewrite /discrete_level; case: eqP => [->|_]; first by rewrite mul1r.
apply: (@le_trans _ _ a); first by rewrite ler_pimulr ?high_le1 // ltW.
by rewrite /high; case: ifP => // _; exact: ltW.
Qed.

Lemma high_ray S : proper_subset S -> ray discrete_level (high S).
Proof.
move=> /andP[S_neq0 S_proper]; apply: (cuts_ray discrete_level_gt0) => // [|i|T T_neq0 T_proper].
- exact: high_private.
- exact: high_gt0.
have [i1 i1_T] := set0Pn _ T_neq0.
have [j1 j1_T] : exists j, j \notin T.
  by apply/existsP; apply: contraNT T_proper; rewrite negb_exists => /forallP T_all;
     apply/eqP/setP => j; rewrite inE; have := T_all j; rewrite negbK.
case: (boolP [exists i, [exists j, [&& i \in T, j \notin T & (i \in S) != (j \in S)]]]).
  case/existsP => i /existsP[j /and3P[i_T j_T ij]]; exists i, j; split=> //.
  have neq : i != j by apply: contraNneq ij => ->.
  rewrite /tight /discrete_level [j == i]eq_sym (negPf neq) /high.
  by case: (i \in S) ij; case: (j \in S) => // _; rewrite mulr1; [right | left].
rewrite negb_exists => /forallP none.
have same i j : i \in T -> j \notin T -> (i \in S) = (j \in S).
  move=> i_T j_T; have := none i; rewrite negb_exists => /forallP/(_ j).
  by rewrite i_T j_T negbK => /eqP.
have all_same x : (x \in S) = (i1 \in S).
  case: (boolP (x \in T)) => x_T; last by rewrite (same i1 x).
  by rewrite (same x j1) // (same i1 j1).
exfalso; case: (boolP (i1 \in S)) => i1_S.
  by case/negP: S_proper; apply/eqP/setP => x; rewrite inE all_same.
by case/negP: S_neq0; apply/eqP/setP => x; rewrite inE all_same (negPf i1_S).
Qed.

Theorem discrete_ray v : ray discrete_level v <->
  exists S c, [/\ proper_subset S, 0 < c & forall i, v i = c * high S i].
Proof.
split=> [v_ray|[S [c [S_prop c_gt0 v_def]]]]; last first.
  by apply: eq_ray (ray_scale c_gt0 (high_ray S_prop)) => i; rewrite v_def.
have [v_priv v_neq0 _] := v_ray; have v_gt0 := private_positive discrete_level_gt0 v_priv v_neq0.
have least x y : x != y -> v x = a * v y -> forall z, v x <= v z.
  move=> xy v_x z; have [_ v_le] := v_priv; have := v_le z y; rewrite v_x /discrete_level.
  case: (z =P y) => [-> _|//]; by rewrite ler_pimull // ltW.
have pair z : exists x y, [/\ x != y, v x = a * v y & z \in [:: x; y]].
  have [||i [j [+ +]]] := ray_has_cuts discrete_level_gt0 v_ray (S := [set z]).
  - by apply/set0Pn; exists z; rewrite inE.
  - by apply: contraTneq p_gt1 => zT; rewrite -[p]card_ord -cardsT -zT cards1.
  rewrite !inE => /eqP -> jz; rewrite /tight /discrete_level (negPf jz) eq_sym (negPf jz).
  by case=> t; [exists z, j; rewrite eq_sym jz inE eqxx | exists j, z; rewrite jz !inE eqxx orbT].
have [x [y [xy v_x _]]] := pair (Ordinal p_gt0).
have a_neq0 : a != 0 by rewrite gt_eqF.
have values z : v z = a * v y \/ v z = v y.
  have [x' [y' [xy' v_x' z_pair]]] := pair z.
  have xx' : v x' = a * v y by rewrite -v_x; apply/eqP; rewrite eq_le (least x' y') ?(least x y).
  move: z_pair; rewrite !inE => /orP[] /eqP ->; [by left | right].
  by apply: (mulfI a_neq0); rewrite -v_x' xx'.
have low_neq : (a * v y == v y) = false by rewrite -[X in _ == X]mul1r (inj_eq (mulIf (lt0r_neq0 (v_gt0 y)))) lt_eqF.
exists [set z | v z == v y], (v y); split=> // [|z].
  apply/andP; split; first by apply/set0Pn; exists y; rewrite inE.
  by apply: contraFneq low_neq => /setP/(_ x); rewrite !inE v_x.
by rewrite /high inE; have [->|->] := values z; rewrite ?low_neq ?eqxx ?mulr1 // mulrC.
Qed.

Theorem discrete_vertices S S' c : proper_subset S -> proper_subset S' ->
  (forall i, high S i = c * high S' i) -> S = S'.
Proof.
move=> /andP[/set0Pn[x x_S] _] /andP[/set0Pn[y y_S'] _] same.
have x1 : high S x = 1 by rewrite /high x_S.
have y1 : high S' y = 1 by rewrite /high y_S'.
have c_le1 : c <= 1 by have := same y; rewrite y1 mulr1 => <-; exact: high_le1.
have c_gt0 : 0 < c by rewrite -(pmulr_lgt0 _ (high_gt0 S' x)) -same high_gt0.
have c1 : c = 1.
  apply/eqP; rewrite eq_le c_le1 -x1 same ler_pimulr ?high_le1 //; exact: ltW.
apply/setP => i; have := same i; rewrite c1 mul1r /high.
by case: (i \in S); case: (i \in S') => // /eqP; rewrite ?(lt_eqF a_lt1) ?(gt_eqF a_lt1).
Qed.

Lemma card_proper_subsets : #|[set S | proper_subset S]| = (2 ^ p - 2)%N.
Proof.
have -> : [set S | proper_subset S] = powerset [set: 'I_p] :\ set0 :\ setT.
  by apply/setP => S; rewrite !inE subsetT /= andbT andbC.
have := cardsD1 set0 (powerset [set: 'I_p]); have := cardsD1 setT (powerset [set: 'I_p] :\ set0).
rewrite card_powerset cardsT card_ord !inE !sub0set subsetT /=.
have -> : setT != set0 :> {set 'I_p} by apply/set0Pn; exists (Ordinal p_gt0); rewrite inE.
by move=> -> ->; rewrite !add1n subn2.
Qed.

Theorem discrete_count q (V : 'M[R]_(p, q)) : generators discrete_level V -> q = (2 ^ p - 2)%N.
Proof.
move=> V_gens; rewrite -card_proper_subsets cardsE -card_sig.
apply: (vertex_count V_gens (z := fun S : {S | proper_subset S} => high (val S))) => [S|v|S S' c].
- by apply: high_ray; exact: valP.
- by move/discrete_ray => [S [c [S_prop _ v_def]]]; exists (exist _ S S_prop), c.
by move/(discrete_vertices (valP S) (valP S'))/val_inj.
Qed.

(* Definition 13. *)
(* Random response on p inputs: 1 on the diagonal and a elsewhere, divided by 1 + (p-1) a. *)
Definition random_response : 'M[R]_p := \matrix_(i, j) ((1 + p.-1%:R * a)^-1 * discrete_level i j).

Lemma total_gt0 : 0 < 1 + p.-1%:R * a.
Proof. by rewrite ltr_paddr ?ltr01 // mulr_ge0 ?ler0n // ltW. Qed.

Lemma response_stochastic : stochastic random_response.
Proof.
have total := total_gt0; split=> [i j|i]; first by rewrite mxE mulr_ge0 ?invr_ge0 ?(ltW total) // ltW ?discrete_level_gt0.
under eq_bigr => j _ do rewrite mxE.
rewrite -mulr_sumr (bigD1 i) //= /discrete_level eqxx.
rewrite (eq_bigr (fun=> a)) => [|j /negPf ji]; last by rewrite eq_sym ji.
by rewrite sumr_const cardC1 card_ord -[a *+ _]mulr_natl mulVf // gt_eqF.
Qed.

Theorem response_kernel : kernel discrete_level random_response.
Proof.
have total := total_gt0; split; [split=> [|j _]|move=> c _ c_rel].
- exact: response_stochastic.
- apply/discrete_ray; exists [set j], (1 + p.-1%:R * a)^-1; split=> [||i].
  + apply/andP; split; first by apply/set0Pn; exists j; rewrite inE.
    by apply: contraTneq p_gt1 => jT; rewrite -[p]card_ord -cardsT -jT cards1.
  + by rewrite invr_gt0.
  by rewrite mxE /high /discrete_level inE.
have rel (i : 'I_p) : (1 - a) * c i + a * (\sum_j c j) = 0 :> R.
  have level_rel : \sum_j c j * discrete_level i j = 0.
    have := c_rel i; under eq_bigr => j _ do rewrite mxE mulrCA.
    by rewrite -mulr_sumr => /eqP; rewrite mulf_eq0 invr_eq0 gt_eqF //= => /eqP.
  rewrite -[RHS]level_rel.
  rewrite [RHS](bigD1 i) //= (bigD1 i) //= /discrete_level eqxx mulr1.
  rewrite [in RHS](eq_bigr (fun j => a * c j)) => [|j /negPf ji]; last by rewrite eq_sym ji mulrC.
  by rewrite -mulr_sumr; by_ring R.
have sum0 : \sum_j c j = 0.
  have : \sum_i ((1 - a) * c i + a * \sum_j c j) = 0 by apply: big1 => i _.
  rewrite big_split /= -mulr_sumr sumr_const card_ord -mulr_natl mulrA -mulrDl => /eqP.
  rewrite mulf_eq0 => /orP[|/eqP //]; rewrite gt_eqF //.
  by rewrite ltr_paddr ?subr_gt0 // mulr_ge0 ?ler0n // ltW.
move=> j; have /eqP := rel j; rewrite sum0 mulr0 addr0 mulf_eq0 subr_eq0 [1 == a]eq_sym (lt_eqF a_lt1).
by move/eqP.
Qed.

End Discrete.

Section TwoInputs.
Variables (R : realFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Local Notation e := (@discrete_level R 2 a).
Local Notation T := (@random_response R 2 a).
Add Field R_field : (field_theory_of R).

(* Every mechanism is a remapped random response: T has an inverse, and privacy makes T^-1 M non-negative.    *)
Theorem two_inputs_derivable m (M : 'M[R]_(2, m)) : of_type e M -> derivable T M.
Proof.
case=> [[M_ge0 M_sum1] M_priv]; have a1_gt0 : 0 < 1 - a by rewrite subr_gt0.
pose x0 : 'I_2 := 0; pose x1 : 'I_2 := 1.
pose other (i : 'I_2) : 'I_2 := if i == x0 then x1 else x0.
have two (i : 'I_2) : i = x0 \/ i = x1 by case: i => [[|[|//]] i_lt]; [left | right]; apply/val_inj.
exists (\matrix_(i, r) ((1 - a)^-1 * (M i r - a * M (other i) r))).
  split=> [i r|i]; first last.
    under eq_bigr => r _ do rewrite mxE.
    by rewrite -mulr_sumr sumrB -mulr_sumr !M_sum1 mulr1 mulVf // gt_eqF.
  rewrite mxE mulr_ge0 ?invr_ge0 ?(ltW a1_gt0) // subr_ge0.
  have := M_priv i (other i) r; rewrite /discrete_level ifN //.
  by rewrite /other; case: (two i) => ->.
have sum2 (F : 'I_2 -> R) : \sum_j F j = F x0 + F x1.
  by rewrite big_ord_recl big_ord1; congr (_ + F _); apply/val_inj.
have a_neq1 : 1 - a <> 0 by apply/eqP; rewrite gt_eqF.
have a_neqN1 : 1 + a <> 0 by apply/eqP; rewrite gt_eqF // addr_gt0 ?ltr01.
apply/matrixP => i r; rewrite mxE sum2 !mxE /discrete_level /other mul1r.
by case: (two i) => ->; rewrite /=; by_field R.
Qed.

(* Corollary 18. *)
Theorem corollary18 (W : finType) (w0 : W) (l : 'I_2 -> W -> R) : universally_optimal e w0 l T.
Proof.
split=> [|w _ k X X_type]; first by apply: vertex_of_type; have [] := response_kernel a_gt0 a_lt1 (isT : (1 < 2)%N).
exact: refinement_loses (two_inputs_derivable X_type).
Qed.

End TwoInputs.
