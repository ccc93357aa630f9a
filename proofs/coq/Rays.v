(* SPDX-License-Identifier: MIT *)
(* What an output of a private mechanism may say about the input: the posterior polytope and its vertices.    *)
(*                                                                                                            *)
(*   ray               vectors v >= 0 with e_ij v_j <= v_i that lie between no two others                     *)
(*   ray_vertex        rays are the multiples of the vertices of the polytope of posteriors                   *)
(*   generators_exist  there are finitely many vertices, and every private column is a combination of them    *)
(*                                                                                                            *)
(* The levels e_ij = exp (- d i j) are any numbers: nothing here asks that d be a metric.                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Refinement FiniteCone.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Rays.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).
Add Field R_field : (field_theory_of R).
Implicit Types (u v x y : 'I_p -> R).

(* The columns that a mechanism of the type may have. *)
Definition private_vector v := (forall i, 0 <= v i) /\ (forall i j, e i j * v j <= v i).

(* An extreme ray of the cone of these vectors: v is one, not zero, and if v = x + y for two of them, then x is a multiple *)
(* of v (and so is y).                                                                                                     *)
Definition ray v := [/\ private_vector v, exists i, v i != 0 &
  forall x y, private_vector x -> private_vector y -> (forall i, v i = x i + y i) -> exists c, forall i, x i = c * v i].

(* The polytope of the posteriors under the uniform prior, and its vertices. *)
Definition in_polytope v := distribution v /\ forall i j, e i j * v j <= v i.

(* A vertex is a point v of the polytope that is strictly between no two others: v = t x + (1 - t) y with 0 < t < 1 and x, y *)
(* in the polytope only for x = v.                                                                                           *)
Definition vertex v := in_polytope v /\
  forall x y t, in_polytope x -> in_polytope y -> 0 < t < 1 -> (forall i, v i = t * x i + (1 - t) * y i) -> x =1 v.

Lemma private_scale c v : 0 <= c -> private_vector v -> private_vector (fun i => c * v i).
Proof.
move=> c_ge0 [v_ge0 v_priv]; split=> [i|i j]; first by rewrite mulr_ge0.
by rewrite mulrCA ler_wpmul2l.
Qed.

Lemma eq_ray u v : u =1 v -> ray u -> ray v.
Proof.
move=> uv [[u_ge0 u_priv] [i ui_neq0] u_ext]; split=> [||x y x_priv y_priv v_def].
- by split=> [j|j k]; rewrite -!uv.
- by exists i; rewrite -uv.
have [|c x_def] := u_ext x y x_priv y_priv; first by move=> j; rewrite uv.
by exists c => j; rewrite -uv.
Qed.

Lemma private_sum (G : finType) (t : G -> R) (g : G -> 'I_p -> R) (P : pred G) :
  (forall k, 0 <= t k) -> (forall k, private_vector (g k)) -> private_vector (fun i => \sum_(k | P k) t k * g k i).
Proof.
move=> t_ge0 g_priv; split=> [i|i j].
  by apply: sumr_ge0 => k _; rewrite mulr_ge0 // (proj1 (g_priv k)).
rewrite mulr_sumr; apply: ler_sum => k _.
by rewrite mulrCA ler_wpmul2l // (proj2 (g_priv k)).
Qed.

Lemma private_total v : private_vector v -> (exists i, v i != 0) -> 0 < \sum_i v i.
Proof.
move=> [v_ge0 _] [i vi_neq0]; rewrite (bigD1 i) //= ltr_paddr ?sumr_ge0 //.
by rewrite lt_neqAle eq_sym vi_neq0 v_ge0.
Qed.

Lemma ray_scale c v : 0 < c -> ray v -> ray (fun i => c * v i).
Proof.
move=> c_gt0 [v_priv [i vi_neq0] v_ext]; split=> [||x y x_priv y_priv v_def].
- by apply: private_scale v_priv; exact: ltW.
- by exists i; rewrite mulf_neq0 // gt_eqF.
have c1_ge0 : 0 <= c^-1 by rewrite invr_ge0 ltW.
have [|d x_def] := v_ext _ _ (private_scale c1_ge0 x_priv) (private_scale c1_ge0 y_priv).
  by move=> j; rewrite -mulrDr -v_def mulKf // gt_eqF.
by exists d => j; rewrite mulrCA -x_def mulrA divff ?mul1r // gt_eqF.
Qed.

(* Rays are the positive multiples of vertices. *)
Theorem ray_vertex v : private_vector v -> (exists i, v i != 0) -> ray v <-> vertex (fun i => (\sum_j v j)^-1 * v i).
Proof.
move=> v_priv v_neq0; have s_gt0 := private_total v_priv v_neq0.
set s := \sum_j v j in s_gt0 *; have s_neq0 : s != 0 by rewrite gt_eqF.
have s1_ge0 : 0 <= s^-1 by rewrite invr_ge0 ltW.
have [d_ge0 d_priv] := private_scale s1_ge0 v_priv.
split=> [[_ _ v_ext]|[_ v_ext]]; [split=> [|x y t [[x_ge0 x_sum1] x_priv] [[y_ge0 y_sum1] y_priv] /andP[t_gt0 t_lt1] v_def]|].
- by split=> //; split=> //; rewrite -mulr_sumr mulVf.
- have st_ge0 : 0 <= s * t by rewrite mulr_ge0 ?ltW.
  have st'_ge0 : 0 <= s * (1 - t) by rewrite mulr_ge0 ?subr_ge0 ?ltW.
  have [|c x_def] := v_ext _ _ (private_scale st_ge0 (conj x_ge0 x_priv)) (private_scale st'_ge0 (conj y_ge0 y_priv)).
    by move=> i; rewrite -!mulrA -mulrDr -v_def mulrA divff // mul1r.
  have c_def : t = c.
    have : \sum_i s * t * x i = \sum_i c * v i by apply: eq_bigr => i _.
    by rewrite -!mulr_sumr x_sum1 mulr1 -/s mulrC => /(mulIf s_neq0).
  move=> i; apply: (mulfI (x := s * t)); first by rewrite mulf_neq0 // gt_eqF.
  by rewrite x_def -c_def; by_field R; apply/eqP.
split=> // x y x_priv y_priv v_def; pose a := \sum_i x i; pose b := \sum_i y i.
have ab : a + b = s by rewrite -big_split; apply: eq_bigr => i _; rewrite v_def.
have [x_ge0 _] := x_priv; have [y_ge0 _] := y_priv.
have zero u : (forall i, 0 <= u i) -> \sum_i u i = 0 -> forall i, u i = 0.
  by move=> u_ge0 u0 i; exact: (@psumr_eq0P _ _ xpredT _ (fun i _ => u_ge0 i) u0 i isT).
have [a0|a_neq0] := eqVneq a 0; first by exists 0 => i; rewrite mul0r zero.
have [b0|b_neq0] := eqVneq b 0; first by exists 1 => i; rewrite mul1r v_def (zero y) // addr0.
have a_gt0 : 0 < a by rewrite lt_neqAle eq_sym a_neq0 sumr_ge0.
have b_gt0 : 0 < b by rewrite lt_neqAle eq_sym b_neq0 sumr_ge0.
have point u c : private_vector u -> \sum_i u i = c -> 0 < c -> in_polytope (fun i => c^-1 * u i).
  move=> u_priv u_sum c_gt0; have c1_ge0 : 0 <= c^-1 by rewrite invr_ge0 ltW.
  have [cu_ge0 cu_priv] := private_scale c1_ge0 u_priv.
  by split=> //; split=> //; rewrite -mulr_sumr u_sum mulVf // gt_eqF.
have c_def : (fun i => a^-1 * x i) =1 (fun i => s^-1 * v i).
  apply: (v_ext _ _ (a / s) (point x a x_priv erefl a_gt0) (point y b y_priv erefl b_gt0)) => [|i].
    by rewrite divr_gt0 //= ltr_pdivr_mulr // mul1r -ab ltr_addl.
  rewrite v_def -ab; by_field R; do ?split; apply/eqP => //; by rewrite ab.
by exists (a / s) => i; have := c_def i; rewrite -mulrA => <-; rewrite mulrA divff // mul1r.
Qed.

(* Finitely many vertices, one for each direction, that generate all private columns. *)
Definition generators q (V : 'M[R]_(p, q)) :=
  [/\ forall k, ray (V^~ k), forall k, \sum_i V i k = 1,
      forall v, private_vector v -> exists2 t : 'I_q -> R, (forall k, 0 <= t k) & forall i, v i = \sum_k t k * V i k
    & forall k k' c, (forall i, V i k = c * V i k') -> k = k'].

Theorem generators_exist : exists q (V : 'M[R]_(p, q)), generators V.
Proof.
pose c (x : 'I_p * 'I_p) k : R := (k == x.1)%:R - e x.1 x.2 * (k == x.2)%:R.
have hconeP v : in_hcone c v <-> private_vector v.
  have dotE i j : dot (c (i, j)) v = v i - e i j * v j.
    rewrite /dot /c /=; under eq_bigr => k _ do rewrite mulrC mulrBr mulrCA.
    by rewrite sumrB -mulr_sumr !sum_pick.
  split=> [[v_ge0 v_dot]|[v_ge0 v_priv]]; split=> //.
    by move=> i j; rewrite -subr_ge0 -dotE.
  by case=> i j; rewrite dotE subr_ge0.
have [G [g [g_cone g_gen]]] := finitely_generated c.
have [S [S_gen S_min]] := irredundant g.
have g_priv k : private_vector (g k) by apply/hconeP.
have gen v : private_vector v -> generated g S v by move/hconeP/g_gen/S_gen.
have g_neq0 k : k \in S -> exists i, g k i != 0.
  move=> k_S; apply/existsP; apply: contraT; rewrite negb_exists => /forallP g0.
  case: (S_min k k_S); exists (fun=> 0) => // i; rewrite big1 => [|j _]; last by rewrite mul0r.
  by apply/eqP; rewrite -[_ == _]negbK g0.
(* A generator that is a combination uses only itself. *)
have alone k t : k \in S -> (forall j, 0 <= t j) -> (forall i, g k i = \sum_(j in S) t j * g j i) ->
    forall j i, j \in S -> j != k -> t j * g j i = 0.
  move=> k_S t_ge0 k_def; have rest i : (1 - t k) * g k i = \sum_(j in S :\ k) t j * g j i.
    rewrite mulrBl mul1r {1}k_def (bigD1 k) //= addrAC subrr add0r.
    by apply: eq_bigl => j; rewrite !inE andbC.
  have term_ge0 j i : 0 <= t j * g j i by rewrite mulr_ge0 // (proj1 (g_priv j)).
  have [tk_lt1|tk_ge1] := ltP (t k) 1.
    case: (S_min k k_S); exists (fun j => (1 - t k)^-1 * t j) => [j|i].
      by rewrite mulr_ge0 // invr_ge0 subr_ge0 ltW.
    under eq_bigr => j _ do rewrite -mulrA.
    by rewrite -mulr_sumr -rest mulKf // subr_eq0 gt_eqF.
  move=> j i j_S jk; apply/eqP; rewrite eq_le term_ge0 andbT.
  have le0 : \sum_(j in S :\ k) t j * g j i <= 0.
    by rewrite -rest mulr_le0_ge0 ?subr_le0 // (proj1 (g_priv k)).
  apply: le_trans le0; rewrite (bigD1 j) ?inE ?jk //= ler_addl.
  by apply: sumr_ge0 => h _.
have g_ray k : k \in S -> ray (g k).
  move=> k_S; split=> [//||x y x_priv y_priv k_def]; first exact: g_neq0.
  have [s s_ge0 s_def] := gen x x_priv; have [t t_ge0 t_def] := gen y y_priv.
  have sum_def i : g k i = \sum_(j in S) (s j + t j) * g j i.
    rewrite k_def s_def t_def -big_split; apply: eq_bigr => j _ /=.
    by rewrite mulrDl.
  have st_ge0 j : 0 <= s j + t j by rewrite addr_ge0.
  exists (s k) => i; rewrite s_def (bigD1 k) //= big1 ?addr0 // => j /andP[j_S jk].
  have := alone k _ k_S st_ge0 sum_def j i j_S jk; rewrite mulrDl => /eqP.
  rewrite paddr_eq0 ?mulr_ge0 ?(proj1 (g_priv j)) //.
  by case/andP => /eqP.
pose total k := \sum_i g k i.
have total_gt0 k : k \in S -> 0 < total k by move=> k_S; apply: private_total (g_neq0 k k_S).
pose V : 'M[R]_(p, #|S|) := \matrix_(i, k) ((total (enum_val k))^-1 * g (enum_val k) i).
have V_gt0 (k : 'I_#|S|) : 0 < total (enum_val k) by apply: total_gt0; exact: enum_valP.
exists #|S|, V; split=> [k|k|v /gen[t t_ge0 t_def]|k k' d V_def].
- apply: (@eq_ray (fun i => (total (enum_val k))^-1 * g (enum_val k) i)) => [i|]; first by rewrite mxE.
  by apply: ray_scale; [rewrite invr_gt0 | apply: g_ray; exact: enum_valP].
- under eq_bigr => i _ do rewrite mxE.
  by rewrite -mulr_sumr mulVf // gt_eqF.
- exists (fun k => t (enum_val k) * total (enum_val k)) => [k|i]; first by rewrite mulr_ge0 // ltW.
  rewrite t_def big_enum_val; apply: eq_bigr => k _.
  by rewrite mxE mulrA mulfK // gt_eqF.
apply: enum_val_inj; apply/eqP; apply/negPn/negP => kk'; apply: (S_min _ (enum_valP k)).
have d_def i : g (enum_val k) i = total (enum_val k) * d / total (enum_val k') * g (enum_val k') i.
  have := V_def i; rewrite !mxE => /(canRL (mulVKf (lt0r_neq0 (V_gt0 k)))) ->.
  by rewrite !mulrA.
have d_ge0 : 0 <= total (enum_val k) * d / total (enum_val k').
  have [i gi_neq0] := g_neq0 _ (enum_valP k').
  have gi_gt0 : 0 < g (enum_val k') i by rewrite lt_neqAle eq_sym gi_neq0 (proj1 (g_priv _)).
  by rewrite -(ler_pmul2r gi_gt0) mul0r -d_def (proj1 (g_priv _)).
exists (fun j => (j == enum_val k')%:R * (total (enum_val k) * d / total (enum_val k'))) => [j|i].
  by rewrite mulr_ge0 ?ler0n.
rewrite (bigD1 (enum_val k')) ?inE ?(enum_valP k') 1?eq_sym ?kk' //= eqxx mul1r -d_def big1 ?addr0 // => j.
by case/andP => _ /negPf ->; rewrite !mul0r.
Qed.

End Rays.
