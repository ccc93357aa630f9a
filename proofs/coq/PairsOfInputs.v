(* SPDX-License-Identifier: MIT *)
(* Universal optimality in the discrete metric, seen on pairs of inputs (Fernandes and others, Section 5.6).  *)
(*                                                                                                            *)
(*   extension_optimal     the converse of Theorem 15 (5), when every mechanism on the smaller set extends    *)
(*   retraction_optimal    so when a retraction leads back to it                                              *)
(*   pair_tight            on two inputs: optimal for a loss that is not trivial means tight in every column  *)
(*   some_pair_trivial     on three or more inputs in the discrete metric every mechanism is, on some pair,   *)
(*                         optimal for trivial losses only: what the text says of Theorem 21's proof          *)
(*   pairs_none            so a loss that is trivial on no pair of three inputs has no optimal mechanism      *)
(*   theorem21             so a strictly monotone loss, in any metric, with three or more guesses has none    *)
(*                                                                                                            *)
(* Proof of [pair_tight].  Let r1 be best at the first input (and there, best at the second one).  Give the   *)
(* second input the largest weight with which r1 is still best, together with some other guess.  A column     *)
(* strictly between the two tight ones is s (1,a) + t (a,1); r1, or a guess that costs the same, is the only  *)
(* best at (1,a), and it is not best at (a,1).  So the tight mechanism is better.                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Channels Refinement.
From ExactDP Require Import Rays Kernels Simplicial KernelOptimality DiscreteRays Restriction TrivialLosses LossAlgebra Definition9.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Theorem 15 (5), the other direction, where it holds. *)
Section Extension.
Variables (R : realFieldType) (p q : nat) (f : 'I_q -> 'I_p) (e : 'I_p -> 'I_p -> R).
Hypothesis f_inj : injective f.
Variables (W : finType) (w0 : W) (l : 'I_q -> W -> R) (m : nat) (M : 'M[R]_(p, m)).

Theorem extension_optimal :
  (forall k (N : 'M[R]_(q, k)), of_type (fun x y => e (f x) (f y)) N ->
    exists2 X : 'M[R]_(p, k), of_type e X & restriction f X = N) ->
  universally_optimal e w0 (lifted f l) M -> universally_optimal (fun x y => e (f x) (f y)) w0 l (restriction f M).
Proof.
move=> extend [M_type M_opt]; split=> [|w [w_ge0 w_sum1] k N /extend[X X_type <-]]; first exact: restriction_of_type.
pose u i := \sum_(x | f x == i) w x.
have u_f x : u (f x) = w x by rewrite /u (big_pred1 x) // => y; rewrite inj_eq.
have u_dist : distribution u.
  split=> [i|]; first by apply: sumr_ge0.
  rewrite -w_sum1 (exchange_big_dep xpredT) //=; apply: eq_bigr => x _.
  by rewrite (big_pred1 (f x)) // => i; rewrite eq_sym.
have := M_opt u u_dist k X X_type; rewrite !lifted_uncertainty.
by rewrite !(@eq_uncertainty _ _ _ _ w0 (fun x => u (f x)) w l l) // => x r; rewrite u_f.
Qed.

Corollary retraction_optimal (g : 'I_p -> 'I_q) : (forall x, g (f x) = x) -> (forall i j, e i j <= e (f (g i)) (f (g j))) ->
  universally_optimal e w0 (lifted f l) M -> universally_optimal (fun x y => e (f x) (f y)) w0 l (restriction f M).
Proof.
move=> gf g_lipschitz; apply: extension_optimal => k N [[N_ge0 N_sum1] N_priv].
exists (\matrix_(i, r) N (g i) r); last by apply/matrixP => x r; rewrite !mxE gf.
split; [split=> [i r|i]|move=> i j r]; rewrite ?mxE //.
  by under eq_bigr => r _ do rewrite mxE.
by apply: le_trans (N_priv (g i) (g j) r); rewrite ler_wpmul2r.
Qed.

End Extension.

Section Pair.
Variables (R : realFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation x1 := (ord0 : 'I_2).
Local Notation x2 := (ord_max : 'I_2).

Lemma two_inputs (x : 'I_2) : x = x1 \/ x = x2.
Proof. by case: x => [[|[|//]] x_lt]; [left | right]; apply/val_inj. Qed.

Lemma sum2 (F : 'I_2 -> R) : \sum_i F i = F x1 + F x2.
Proof. by rewrite big_ord_recl big_ord1; congr (_ + F _); apply/val_inj. Qed.

Variables (W : finType) (w0 : W) (l : 'I_2 -> W -> R).

(* With the weights 1 and c: what the guess r costs at an output with the entries u and v. *)
Definition pair_cost (c u v : R) (r : W) : R := u * l x1 r + c * v * l x2 r.

Lemma pair_weight : ~ (exists r, forall i s, l i r <= l i s) ->
  exists2 c : R, 0 < c & forall r, (forall s, pair_cost c 1 a r <= pair_cost c 1 a s) ->
    exists s, pair_cost c a 1 s < pair_cost c a 1 r.
Proof.
move=> nontrivial.
pose r1' := [arg min_(r < w0) l x1 r]%O.
have r1'_best s : l x1 r1' <= l x1 s by rewrite /r1'; case: arg_minP => // r _ /(_ s isT).
(* among the best at x1, the best at x2 *)
pose best r := l x1 r == l x1 r1'.
have best1 : best r1' by rewrite /best eqxx.
case: (@arg_minP _ _ _ r1' best (l x2) best1) => r1 /eqP r1_first r1_second.
have r1_best s : l x1 r1 <= l x1 s by rewrite r1_first.
pose after s := l x2 s < l x2 r1.
have [s0 s0_after] : exists s, after s.
  case: (boolP [exists s, after s]) => [/existsP //|]; rewrite negb_exists => /forallP none.
  case: nontrivial; exists r1 => i s; have [->|->] := two_inputs i => //.
  by rewrite leNgt; exact: none.
have gain s : after s -> l x1 r1 < l x1 s.
  move=> s_after; rewrite lt_neqAle r1_best andbT; apply/eqP => same.
  have s_best : best s by rewrite /best -same r1_first.
  by move: s_after; rewrite /after ltNge r1_second.
pose c s := (l x1 s - l x1 r1) / (l x2 r1 - l x2 s).
case: (@arg_minP _ _ _ s0 after c s0_after) => s1 s1_after s1_least.
have c_gt0 : 0 < c s1 by rewrite divr_gt0 ?subr_gt0 ?gain.
have cE : c s1 * (l x2 r1 - l x2 s1) = l x1 s1 - l x1 r1 by rewrite divfK // subr_eq0 gt_eqF.
have c_le s : c s1 * (l x2 r1 - l x2 s) <= l x1 s - l x1 r1.
  have [s_after|] := boolP (after s); first by rewrite -ler_pdivl_mulr ?subr_gt0 // s1_least.
  rewrite /after -leNgt => s_not; apply: (@le_trans _ _ 0); last by rewrite subr_ge0.
  by apply: mulr_ge0_le0; [exact: ltW | rewrite subr_le0].
exists (c s1) => // r r_min; exists s1.
(* r costs what r1 costs *)
pose A := l x1 r - l x1 r1; pose B := l x2 r1 - l x2 r.
have A_ge0 : 0 <= A by rewrite subr_ge0.
have A_le : A <= a * (c s1 * B).
  rewrite -subr_ge0; have -> : a * (c s1 * B) - A = pair_cost (c s1) 1 a r1 - pair_cost (c s1) 1 a r.
    by rewrite /pair_cost /A /B; by_ring R.
  by rewrite subr_ge0 r_min.
have B_le : c s1 * B <= A by exact: c_le.
have cB0 : c s1 * B = 0.
  apply/eqP; rewrite eq_le; apply/andP; split; last first.
    by rewrite -(pmulr_rge0 _ a_gt0); exact: le_trans A_ge0 A_le.
  have : (1 - a) * (c s1 * B) <= 0 by rewrite mulrBl mul1r subr_le0; apply: le_trans B_le A_le.
  by rewrite pmulr_rle0 // subr_gt0.
have A0 : A = 0 by apply/eqP; rewrite eq_le A_ge0 andbT; move: A_le; rewrite cB0 mulr0.
rewrite -subr_gt0.
have -> : pair_cost (c s1) a 1 r - pair_cost (c s1) a 1 s1 =
    a * A - c s1 * B + (1 - a) * (c s1 * (l x2 r1 - l x2 s1)) +
    a * (c s1 * (l x2 r1 - l x2 s1) - (l x1 s1 - l x1 r1)) by rewrite /pair_cost /A /B; by_ring R.
rewrite A0 cB0 cE subrr !mulr0 subr0 add0r addr0 mulr_gt0 // subr_gt0 //.
exact: gain.
Qed.

Variables (m : nat) (M : 'M[R]_(2, m)).
Local Notation e := (@discrete_level R 2 a).

Theorem pair_tight : universally_optimal e w0 l M -> ~ (exists r, forall i s, l i r <= l i s) ->
  forall j, M x2 j = a * M x1 j \/ M x1 j = a * M x2 j.
Proof.
move=> opt /pair_weight[c c_gt0 apart]; have [[M_st M_priv] _] := opt; have [M_ge0 M_sum1] := M_st.
pose w (i : 'I_2) : R := if i == x1 then 1 else c.
have w_ge0 i : 0 <= w i by rewrite /w; case: ifP => _; rewrite ?ler01 // ltW.
pose T : 'M[R]_2 := \matrix_(i, j) ((if i == j then 1 else a) / (1 + a)).
have a1_gt0 : 0 < 1 + a by rewrite addr_gt0 ?ltr01.
have a1_neq0 : 1 + a != 0 by rewrite gt_eqF.
have aa_neq0 : 1 - a ^+ 2 != 0 by rewrite subr_eq0 eq_sym lt_eqF // expr_lt1 // ltW.
have aa_gt0 : 0 < 1 - a ^+ 2 by rewrite subr_gt0 expr_lt1 // ltW.
have T_type : of_type e T.
  split; [split=> [i j|i]|move=> i k j].
  - by rewrite mxE divr_ge0 ?(ltW a1_gt0) //; case: ifP => _; rewrite ?ler01 // ltW.
  - rewrite sum2 !mxE; have [->|->] := two_inputs i; rewrite /= ?[a + 1]addrC -mulrDl ?divff //.
    by rewrite addrC divff.
  rewrite !mxE /discrete_level mulrA ler_pmul2r ?invr_gt0 //.
  have aa : a * a <= 1 by rewrite mulr_ile1 // ltW.
  case: (eqVneq i k) => [->|_]; first by rewrite mul1r.
  by case: (k == j); case: (i == j); rewrite ?mulr1 ?(ltW a_lt1) // ger_pmull // ltW.
have costE n (Y : 'M[R]_(2, n)) : uncertainty w0 w l Y = \sum_j minimum w0 (pair_cost c (Y x1 j) (Y x2 j)).
  apply: eq_bigr => j _; apply: eq_minimum => r; rewrite /output_loss sum2 /w /pair_cost /=.
  by rewrite mul1r mulrA.
have lossT : uncertainty w0 w l T = (minimum w0 (pair_cost c 1 a) + minimum w0 (pair_cost c a 1)) / (1 + a).
  rewrite costE sum2 !mxE /= [RHS]mulrDl [X in _ = X + _]mulrC [X in _ = _ + X]mulrC -!minimum_scale ?invr_ge0 ?(ltW a1_gt0) //.
  by congr (_ + _); apply: eq_minimum => r; rewrite /pair_cost; by_field R; apply/eqP.
pose s j := (M x1 j - a * M x2 j) / (1 - a ^+ 2); pose t j := (M x2 j - a * M x1 j) / (1 - a ^+ 2).
have level12 : e x1 x2 = a by [].
have level21 : e x2 x1 = a by [].
have s_ge0 j : 0 <= s j by rewrite divr_ge0 ?(ltW aa_gt0) // subr_ge0 -level12 M_priv.
have t_ge0 j : 0 <= t j by rewrite divr_ge0 ?(ltW aa_gt0) // subr_ge0 -level21 M_priv.
have M1 j : M x1 j = s j + a * t j by rewrite /s /t; by_field R; apply/eqP.
have M2 j : M x2 j = a * s j + t j by rewrite /s /t; by_field R; apply/eqP.
have total x y : \sum_j (M x j - a * M y j) / (1 - a ^+ 2) = (1 + a)^-1.
  rewrite -mulr_suml sumrB -mulr_sumr !M_sum1 mulr1.
  by by_field R; split; apply/eqP.
have split_cost j r : pair_cost c (M x1 j) (M x2 j) r = s j * pair_cost c 1 a r + t j * pair_cost c a 1 r.
  by rewrite M1 M2 /pair_cost; by_ring R.
pose low j := s j * minimum w0 (pair_cost c 1 a) + t j * minimum w0 (pair_cost c a 1).
have low_le j : low j <= minimum w0 (pair_cost c (M x1 j) (M x2 j)).
  by apply: minimum_ge => r; rewrite split_cost; apply: ler_add; apply: ler_wpmul2l => //; exact: minimum_le.
have low_sum : \sum_j low j = uncertainty w0 w l T.
  have s_sum : \sum_j s j = (1 + a)^-1 by exact: total.
  have t_sum : \sum_j t j = (1 + a)^-1 by exact: total.
  transitivity ((\sum_j s j) * minimum w0 (pair_cost c 1 a) + (\sum_j t j) * minimum w0 (pair_cost c a 1)).
    by rewrite !mulr_suml -big_split.
  by rewrite s_sum t_sum lossT -mulrDr mulrC.
have low_eq j : minimum w0 (pair_cost c (M x1 j) (M x2 j)) = low j.
  apply/eqP; rewrite -subr_eq0.
  have d_ge0 k : true -> 0 <= minimum w0 (pair_cost c (M x1 k) (M x2 k)) - low k by rewrite subr_ge0.
  have := optimal_weights opt w_ge0 T_type; rewrite costE -low_sum -subr_le0 -sumrB => le0.
  have sum0 : \sum_k (minimum w0 (pair_cost c (M x1 k) (M x2 k)) - low k) = 0.
    by apply/eqP; rewrite eq_le le0 sumr_ge0.
  by apply/eqP; exact: (psumr_eq0P d_ge0 sum0).
move=> j; have [r r_min] := minimum_attained w0 (pair_cost c (M x1 j) (M x2 j)).
have := low_eq j; rewrite r_min split_cost /low => both.
have [t0|t_neq0] := eqVneq (t j) 0; first by left; rewrite M1 M2 t0 mulr0 !addr0.
have [s0|s_neq0] := eqVneq (s j) 0; first by right; rewrite M1 M2 s0 mulr0 !add0r.
have s_gt0 : 0 < s j by rewrite lt_neqAle eq_sym s_neq0 s_ge0.
have t_gt0 : 0 < t j by rewrite lt_neqAle eq_sym t_neq0 t_ge0.
have first_le : pair_cost c 1 a r <= minimum w0 (pair_cost c 1 a).
  rewrite -(ler_pmul2l s_gt0) -(ler_add2r (t j * pair_cost c a 1 r)) both ler_add2l ler_pmul2l //.
  exact: minimum_le.
have second_le : pair_cost c a 1 r <= minimum w0 (pair_cost c a 1).
  rewrite -(ler_pmul2l t_gt0) -(ler_add2l (s j * pair_cost c 1 a r)) both ler_add2r ler_pmul2l //.
  exact: minimum_le.
have [|u u_lt] := apart r; first by move=> u; apply: le_trans first_le (minimum_le _ _ u).
by have := le_lt_trans (le_trans second_le (minimum_le _ _ u)) u_lt; rewrite ltxx.
Qed.

End Pair.

Section Discrete.
Variables (R : realFieldType) (p : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (p_gt2 : (2 < p)%N).
Local Notation e := (@discrete_level R p a).

(* The inputs x and u as two inputs of their own. *)
Definition pair_of (x u : 'I_p) (i : 'I_2) : 'I_p := if i == ord0 then x else u.

Lemma pair_level (x u : 'I_p) : x != u -> forall i j, e (pair_of x u i) (pair_of x u j) = @discrete_level R 2 a i j.
Proof.
move=> /negPf xu i j; rewrite /discrete_level /pair_of.
by have [->|->] := two_inputs i; have [->|->] := two_inputs j; rewrite /= ?eqxx ?xu // eq_sym xu.
Qed.

Lemma eq_optimal q (e1 e2 : 'I_q -> 'I_q -> R) (W : finType) (w0 : W) (l : 'I_q -> W -> R) m (M : 'M[R]_(q, m)) :
  (forall i j, e1 i j = e2 i j) -> universally_optimal e1 w0 l M -> universally_optimal e2 w0 l M.
Proof.
move=> e12 [M_type opt]; split=> [|w w_dist k X X_type]; first exact: eq_of_type M_type.
by apply: opt => //; apply: eq_of_type X_type => i j; rewrite e12.
Qed.

(* The three ratios of three inputs cannot all be a or 1/a. *)
Lemma no_tight_triangle (u v w : R) : u != 0 ->
  (v = a * u \/ u = a * v) -> (w = a * v \/ v = a * w) -> (u = a * w \/ w = a * u) -> False.
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
have a_neq1 : a != 1 by rewrite lt_eqF.
have cancel (k : R) x : k != 1 -> x = k * x -> x = 0.
  by move=> k_neq1 /eqP; rewrite -subr_eq0 -{1}[x]mul1r -mulrBl mulf_eq0 subr_eq0 eq_sym (negPf k_neq1) => /eqP.
have aaa_neq1 : a * (a * a) != 1.
  rewrite lt_eqF // mulr_ilt1 ?(ltW a_gt0) ?mulr_ge0 ?(ltW a_gt0) //.
  by rewrite mulr_ilt1 // ltW.
move=> u_neq0 uv vw wu; case/negP: u_neq0; apply/eqP.
have eq (x y : R) : a * x = a * y -> x = y by exact: mulfI.
case: uv => uv; case: vw => vw; case: wu => wu.
- by apply: (cancel _ _ aaa_neq1); rewrite {1}wu vw uv !mulrA.
- have vu : v = u by apply: eq; rewrite -vw -wu.
  by apply: (cancel a) => //; rewrite -{1}vu.
- have vu : v = u by rewrite vw wu.
  by apply: (cancel a) => //; rewrite -{1}vu.
- have uw : u = w by apply: eq; rewrite -uv -vw.
  by apply: (cancel a) => //; rewrite {1}uw.
- have uw : u = w by rewrite uv vw.
  by apply: (cancel a) => //; rewrite {1}wu uw.
- have uw : w = u by rewrite uv vw.
  by apply: (cancel a) => //; rewrite -{1}uw.
- have uv' : u = v by rewrite wu vw.
  by apply: (cancel a) => //; rewrite {1}uv uv'.
- by apply: (cancel _ _ aaa_neq1); rewrite {1}uv vw wu !mulrA.
Qed.

(* Among three inputs. *)
Lemma some_pair_among (f : 'I_3 -> 'I_p) m (M : 'M[R]_(p, m)) : injective f -> of_type e M ->
  exists i k, i != k /\ forall (W : finType) (w0 : W) (l : 'I_2 -> W -> R),
    universally_optimal (@discrete_level R 2 a) w0 l (restriction (pair_of (f i) (f k)) M) ->
    exists r, forall i s, l i r <= l i s.
Proof.
move=> f_inj [[M_ge0 M_sum1] M_priv].
have pair i k : (exists j, ~ (M (f k) j = a * M (f i) j \/ M (f i) j = a * M (f k) j)) ->
    forall (W : finType) (w0 : W) (l : 'I_2 -> W -> R),
    universally_optimal (@discrete_level R 2 a) w0 l (restriction (pair_of (f i) (f k)) M) ->
    exists r, forall i s, l i r <= l i s.
  move=> [j loose] W w0 l opt.
  case: (boolP [exists r, [forall x, [forall s, l x r <= l x s]]]) => [/existsP[r /forallP r_best]|].
    by exists r => x s; have /forallP := r_best x; apply.
  move=> none; case: loose; have := pair_tight a_gt0 a_lt1 opt _ j; rewrite !mxE; apply.
  move=> [r r_best]; case/negP: none; apply/existsP; exists r; apply/forallP => x; apply/forallP => s.
  exact: r_best.
pose u : 'I_3 := ord0; pose v : 'I_3 := lift ord0 ord0; pose w : 'I_3 := ord_max.
have [j Mj_neq0] : exists j, M (f u) j != 0.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP none.
  by have /eqP := M_sum1 (f u); rewrite big1 1?eq_sym ?oner_eq0 // => j _; apply/eqP; have := none j; rewrite negbK.
pose tight_at i k := (M (f k) j == a * M (f i) j) || (M (f i) j == a * M (f k) j).
have tightP i k : reflect (M (f k) j = a * M (f i) j \/ M (f i) j = a * M (f k) j) (tight_at i k).
  by apply: (iffP orP) => -[] => [/eqP|/eqP|->|->]; auto.
case: (boolP (tight_at u v)) => [/tightP uv|/tightP loose]; last by exists u, v; split=> //; apply: pair; exists j.
case: (boolP (tight_at v w)) => [/tightP vw|/tightP loose]; last by exists v, w; split=> //; apply: pair; exists j.
case: (boolP (tight_at w u)) => [/tightP wu|/tightP loose]; last by exists w, u; split=> //; apply: pair; exists j.
by case: (no_tight_triangle Mj_neq0 uv vw wu).
Qed.

Theorem some_pair_trivial m (M : 'M[R]_(p, m)) : of_type e M ->
  exists x u, x != u /\ forall (W : finType) (w0 : W) (l : 'I_2 -> W -> R),
    universally_optimal (@discrete_level R 2 a) w0 l (restriction (pair_of x u) M) -> exists r, forall i s, l i r <= l i s.
Proof.
pose f (i : 'I_3) : 'I_p := widen_ord p_gt2 i; have f_inj : injective f by move=> i k /(congr1 val) /= /val_inj.
move=> /(some_pair_among f_inj)[i [k [ik only]]]; by exists (f i), (f k).
Qed.

(* A loss that is optimal for M is so on each pair. *)
Lemma pair_optimal (x u : 'I_p) (W : finType) (w0 : W) (l : 'I_p -> W -> R) m (M : 'M[R]_(p, m)) : x != u ->
  universally_optimal e w0 l M ->
  universally_optimal (@discrete_level R 2 a) w0 (fun i => l (pair_of x u i)) (restriction (pair_of x u) M).
Proof.
move=> xu opt; pose f := pair_of x u; pose g (i : 'I_p) : 'I_2 := if i == u then ord_max else ord0.
have gf i : g (f i) = i.
  by rewrite /g /f /pair_of; have [->|->] := two_inputs i; rewrite /= ?eqxx ?(negPf xu).
have f_inj : injective f by exact: can_inj gf.
pose on i : R := (i \in codom f)%:R; have on_ge0 i : 0 <= on i by rewrite ler0n.
have liftE i r : on i * l i r = lifted f (fun i => l (f i)) i r.
  rewrite /on /lifted; case: (boolP (i \in codom f)) => [/codomP[k ->]|i_f].
    by rewrite mul1r (big_pred1 k) // => y; rewrite inj_eq.
  by rewrite mul0r big_pred0 // => y; apply: contraNF i_f => /eqP <-; exact: codom_f.
have [M_type on_opt] := utility_weigh on_ge0 opt.
apply: (eq_optimal (pair_level xu)); apply: (retraction_optimal f_inj gf) => [i j|].
  rewrite /discrete_level; case: (eqVneq i j) => [->|_]; first by rewrite eqxx.
  by case: ifP => _; rewrite ?lexx ?(ltW a_lt1).
split=> // w w_dist k X X_type; move: (on_opt w w_dist k X X_type).
have same q (Y : 'M[R]_(p, q)) : uncertainty w0 w (fun i r => on i * l i r) Y = uncertainty w0 w (lifted f (fun i => l (f i))) Y.
  by apply: eq_uncertainty => i r; rewrite liftE.
by rewrite !same.
Qed.

Theorem pairs_none (f : 'I_3 -> 'I_p) (W : finType) (w0 : W) (l : 'I_p -> W -> R) m (M : 'M[R]_(p, m)) : injective f ->
  (forall i k, i != k -> ~ exists r, forall s, l (f i) r <= l (f i) s /\ l (f k) r <= l (f k) s) ->
  ~ universally_optimal e w0 l M.
Proof.
move=> f_inj nontrivial opt; have [i [k [ik only]]] := some_pair_among f_inj (proj1 opt).
have fik : f i != f k by rewrite inj_eq.
have [r r_best] := only _ _ _ (pair_optimal fik opt).
by apply: (nontrivial i k ik); exists r => s; split; [exact: (r_best ord0 s) | exact: (r_best ord_max s)].
Qed.

(* Theorem 21, for losses with three or more guesses. *)
Theorem theorem21 (d : 'I_p -> 'I_p -> R) (W : finType) (w0 : W) (l : 'I_p -> W -> R) m (M : 'M[R]_(p, m)) :
  distance_function d -> strictly_monotone_in d l -> (2 < #|W|)%N -> ~ universally_optimal e w0 l M.
Proof.
move=> d_metric [mm [alpha [mm_incr alpha_inj lE]]] W_gt2.
pose g (i : 'I_3) : W := enum_val (widen_ord W_gt2 i).
have g_inj : injective g by move=> i k /enum_val_inj /(congr1 val) /= /val_inj.
apply: (@pairs_none (fun i => alpha (g i))) => [i k /alpha_inj/g_inj //|i k ik].
by apply: (strictly_monotone_pairs d_metric mm_incr alpha_inj lE); rewrite inj_eq.
Qed.

End Discrete.
