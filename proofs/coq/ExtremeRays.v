(* SPDX-License-Identifier: MIT *)
(* Which private vectors are rays: those whose tight pairs connect all inputs (Fernandes and others, 8).      *)
(*                                                                                                            *)
(*   ray_cuts   v is a ray when between any set of inputs and its complement there is a tight pair, that is   *)
(*              v_i = e_ij v_j or v_j = e_ji v_i                                                              *)
(*   vertex_count   a list of all rays, one for each direction, is as long as the list of the vertices        *)
(*                                                                                                            *)
(* Proof.  If v = x + y, tight pairs are tight for x too, so x is a multiple of v on a set that no tight pair *)
(* leaves.  Conversely, if no pair is tight between S and its complement, v can be made a little larger and a *)
(* little smaller on S alone.                                                                                 *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Channels Refinement FiniteCone Rays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Cuts.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).
Add Field R_field : (field_theory_of R).
Hypothesis e_gt0 : forall i j, 0 < e i j.

(* The pair i, j is tight for v: v_i = e_ij v_j or v_j = e_ji v_i. *)
Definition tight (v : 'I_p -> R) i j := v i = e i j * v j \/ v j = e j i * v i.

Lemma private_positive v : private_vector e v -> (exists i, v i != 0) -> forall i, 0 < v i.
Proof.
move=> [v_ge0 v_priv] [j vj_neq0] i; apply: lt_le_trans (v_priv i j).
by rewrite mulr_gt0 // lt_neqAle eq_sym vj_neq0 v_ge0.
Qed.

Lemma positive_bound (T : finType) (f : T -> R) : (forall k, 0 < f k) ->
  exists2 x, 0 < x & forall k, x <= f k.
Proof.
move=> f_gt0; pose g (o : option T) : R := if o is Some k then f k else 1.
exists (minimum None g) => [|k]; last exact: (minimum_le None g (Some k)).
by have [[k|] ->] := minimum_attained None g; rewrite /g ?ltr01.
Qed.

Lemma cuts_ray v : private_vector e v -> (forall i, 0 < v i) -> (0 < p)%N ->
  (forall S : {set 'I_p}, S != set0 -> S != setT -> exists i j, [/\ i \in S, j \notin S & tight v i j]) -> ray e v.
Proof.
move=> v_priv v_gt0 p_gt0 cuts; pose i0 := Ordinal p_gt0.
have v_neq0 i : v i != 0 by rewrite gt_eqF.
split=> // [|x y [x_ge0 x_priv] [y_ge0 y_priv] v_def]; first by exists i0.
have x_tight i j : v i = e i j * v j -> x i = e i j * x j.
  rewrite !v_def mulrDr => both; apply/eqP; rewrite eq_le x_priv andbT.
  by rewrite -(ler_add2r (y i)) both ler_add2l y_priv.
exists (x i0 / v i0) => i; pose S := [set i | x i == x i0 / v i0 * v i].
suff : S == setT by move/eqP/setP/(_ i); rewrite !inE => /eqP.
apply: contraT => S_proper; have [|i1 [j1 [i1_S j1_S t]]] := cuts S _ S_proper.
  by apply/set0Pn; exists i0; rewrite inE divfK.
move: i1_S j1_S; rewrite !inE => /eqP i1_S /negP[].
case: t => t; have := x_tight _ _ t; last by move=> ->; rewrite t i1_S mulrCA.
move=> x_i1; rewrite -(inj_eq (mulfI (lt0r_neq0 (e_gt0 i1 j1)))) -x_i1 i1_S t.
by rewrite mulrCA.
Qed.

Lemma ray_has_cuts v : ray e v ->
  forall S : {set 'I_p}, S != set0 -> S != setT -> exists i j, [/\ i \in S, j \notin S & tight v i j].
Proof.
move=> v_ray S /set0Pn[i0 i0_S] S_proper; have [v_priv v_neq0 v_ext] := v_ray.
have v_gt0 := private_positive v_priv v_neq0; have [v_ge0 v_le] := v_priv.
pose cut i j := (i \in S) (+) (j \in S); pose loose i j := v i != e i j * v j.
case: (boolP [exists i, [exists j, cut i j && ~~ loose i j]]) => [/existsP[i /existsP[j /andP[ij /negPn/eqP t]]]|].
  move: ij; rewrite /cut; case: (boolP (i \in S)) => i_S; case: (boolP (j \in S)) => j_S // _.
    by exists i, j; split=> //; left.
  by exists j, i; split=> //; right.
rewrite negb_exists => /forallP all_loose; exfalso.
have slack i j : cut i j -> 0 < v i - e i j * v j.
  move=> ij; rewrite subr_gt0 lt_neqAle v_le andbT eq_sym.
  by have := all_loose i; rewrite negb_exists => /forallP/(_ j); rewrite ij negbK.
have [x x_gt0 x_le] : exists2 x : R, 0 < x & forall i j, cut i j -> x * v i <= v i - e i j * v j.
  pose f (k : 'I_p * 'I_p) := if cut k.1 k.2 then (v k.1 - e k.1 k.2 * v k.2) / v k.1 else 1.
  have [|x x_gt0 x_le] := @positive_bound _ f.
    by move=> k; rewrite /f; case: ifP => [k_cut|_]; rewrite ?ltr01 // divr_gt0 ?slack.
  exists x => // i j ij; have := x_le (i, j); rewrite /f /= ij.
  by rewrite ler_pdivl_mulr.
have [j0 j0_S] : exists j, j \notin S.
  by apply/existsP; apply: contraNT S_proper; rewrite negb_exists => /forallP S_all;
     apply/eqP/setP => j; rewrite inE; have := S_all j; rewrite negbK.
have x_le1 : x <= 1.
  have ij0 : cut i0 j0 by rewrite /cut i0_S (negPf j0_S).
  rewrite -(ler_pmul2r (v_gt0 i0)) mul1r; apply: le_trans (x_le _ _ ij0) _.
  by rewrite ler_subl_addr ler_addl mulr_ge0 // ltW.
pose on i : R := (i \in S)%:R; pose half : R := 2%:R^-1.
have half_ge0 : 0 <= half by rewrite invr_ge0 ler0n.
have half2 : half + half = 1 by rewrite -mulr2n -[_ *+ 2]mulr_natl divff // pnatr_eq0.
have moved (y : R) : y = x \/ y = - x -> private_vector e (fun i => half * ((1 + y * on i) * v i)).
  move=> y_x; apply: private_scale => //.
  have y_ge : - x <= y by case: y_x => -> //; rewrite -subr_ge0 opprK addr_ge0 // ltW.
  have y_le : y <= x by case: y_x => -> //; rewrite -subr_ge0 opprK addr_ge0 // ltW.
  have y1_ge0 : 0 <= 1 + y by rewrite addrC -ler_subl_addr sub0r; apply: le_trans y_ge; rewrite ler_opp2.
  split=> [i|i j].
    by rewrite /on; case: (i \in S); rewrite ?mulr1 ?mulr0 ?addr0 ?mul1r // mulr_ge0.
  have ij := slack i j; have ij_x := x_le i j; move: ij ij_x; rewrite /cut /on.
  case: (i \in S); case: (j \in S) => /= ij ij_x; rewrite ?mulr1 ?mulr0 ?addr0 ?mul1r //.
  - by rewrite mulrCA ler_wpmul2l.
  - rewrite mulrDl mul1r -subr_ge0; have := ij_x isT; rewrite -subr_ge0 => le0.
    apply: le_trans le0 _; rewrite -subr_ge0.
    have -> : v i + y * v i - e i j * v j - (v i - e i j * v j - x * v i) = (y + x) * v i by by_ring R.
    by rewrite mulr_ge0 // -[x]opprK subr_ge0.
  rewrite mulrCA mulrDl mul1r -subr_ge0; have := ij_x isT; rewrite -subr_ge0 => le0.
  apply: le_trans le0 _; rewrite -subr_ge0.
  have -> : v i - (e i j * v j + y * (e i j * v j)) - (v i - e i j * v j - x * v i) =
      x * (v i - e i j * v j) + (x - y) * (e i j * v j) by by_ring R.
  by rewrite addr_ge0 // mulr_ge0 ?subr_ge0 ?v_le // ?ltW // mulr_gt0.
have [|c c_def] := v_ext _ _ (moved x (or_introl erefl)) (moved (- x) (or_intror erefl)).
  by move=> i; rewrite -[LHS]mul1r -{1}half2; by_ring R.
have c_half : c = half.
  have := c_def j0; rewrite /on (negPf j0_S) mulr0 addr0 mul1r => /esym.
  by apply: mulIf; rewrite gt_eqF.
have := c_def i0; rewrite c_half /on i0_S mulr1 => /mulfI half_inj.
have /half_inj : half != 0 by rewrite invr_eq0 pnatr_eq0.
rewrite -[RHS]mul1r => /mulIf -/(_ (lt0r_neq0 (v_gt0 i0))) /eqP.
by rewrite -subr_eq0 addrAC subrr add0r gt_eqF.
Qed.

Theorem ray_cuts v : (0 < p)%N -> private_vector e v ->
  ray e v <-> (forall i, 0 < v i) /\
    forall S : {set 'I_p}, S != set0 -> S != setT -> exists i j, [/\ i \in S, j \notin S & tight v i j].
Proof.
move=> p_gt0 v_priv; split=> [v_ray|[v_gt0 cuts]]; last exact: cuts_ray.
split; last exact: ray_has_cuts.
by have [_ v_neq0 _] := v_ray; exact: private_positive.
Qed.

End Cuts.

Section Count.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R) (q : nat) (V : 'M[R]_(p, q)).
Hypothesis V_gens : generators e V.

Lemma ray_generator v : ray e v -> exists k c, forall i, v i = c * V i k.
Proof.
move=> [v_priv [i vi_neq0] v_ext]; have [V_ray _ V_gen _] := V_gens.
have [t t_ge0 v_def] := V_gen v v_priv.
have [k tV_neq0] : exists k, t k * V i k != 0.
  apply/existsP; apply: contraNT vi_neq0; rewrite negb_exists => /forallP zero.
  by rewrite v_def big1 // => k _; have := zero k; rewrite negbK => /eqP.
have V_priv l : private_vector e (V^~ l) by have [] := V_ray l.
have [|c c_def] := v_ext _ _ (private_scale (t_ge0 k) (V_priv k)) (private_sum (predC1 k) t_ge0 V_priv).
  by move=> x; rewrite v_def (bigD1 k).
have c_neq0 : c != 0 by apply: contraNneq tV_neq0 => c0; rewrite c_def c0 mul0r.
by exists k, (t k / c) => x; rewrite mulrAC c_def mulrAC divff // mul1r.
Qed.

Theorem vertex_count (T : finType) (z : T -> 'I_p -> R) : (forall s, ray e (z s)) ->
  (forall v, ray e v -> exists s c, forall i, v i = c * z s i) ->
  (forall s s' c, (forall i, z s i = c * z s' i) -> s = s') -> q = #|T|.
Proof.
move=> z_ray z_all z_distinct; have [V_ray _ _ V_distinct] := V_gens.
have factor (x y c : R) : x != 0 -> x = c * y -> c != 0.
  by move=> x_neq0 x_def; apply: contraNneq x_neq0 => c0; rewrite x_def c0 mul0r.
have [f f_def] : exists f : T -> 'I_q, forall s, exists c, forall i, z s i = c * V i (f s).
  apply: (@fin_all_exists _ (fun=> 'I_q) (fun s k => exists c, forall i, z s i = c * V i k)) => s.
  by have [k [c z_def]] := ray_generator (z_ray s); exists k, c.
have [g g_def] : exists g : 'I_q -> T, forall k, exists c, forall i, V i k = c * z (g k) i.
  apply: (@fin_all_exists _ (fun=> T) (fun k s => exists c, forall i, V i k = c * z s i)) => k.
  by have [s [c V_def]] := z_all _ (V_ray k); exists s, c.
have f_inj : injective f.
  move=> s s' same; have [c z_def] := f_def s; have [c' z'_def] := f_def s'.
  have [_ [i zi_neq0] _] := z_ray s'; have c'_neq0 : c' != 0 := factor _ _ _ zi_neq0 (z'_def i).
  by apply: (z_distinct _ _ (c / c')) => x; rewrite z_def same z'_def mulrA divfK.
have g_inj : injective g.
  move=> k k' same; have [c V_def] := g_def k; have [c' V'_def] := g_def k'.
  have [_ [i Vi_neq0] _] := V_ray k'; have c'_neq0 : c' != 0 := factor _ _ _ Vi_neq0 (V'_def i).
  by apply: (V_distinct _ _ (c / c')) => x; rewrite V_def same V'_def mulrA divfK.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  by rewrite -[q]card_ord (leq_card _ g_inj).
by rewrite -[q]card_ord (leq_card _ f_inj).
Qed.

End Count.
