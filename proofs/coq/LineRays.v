(* SPDX-License-Identifier: MIT *)
(* The line: its vertices, and the geometric mechanism as a kernel mechanism (Fernandes and others, 8.1).     *)
(*                                                                                                            *)
(*   line_ray        v is a ray when v > 0 and each step from an input to the next multiplies by a or by 1/a  *)
(*   line_vertices, line_count   so n + 1 inputs have 2^n vertices, one for each choice of the n steps        *)
(*   geometric_kernel            the geometric mechanism is a kernel mechanism                                *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Geometric Inverse Determinants MatrixGame Refinement.
From ExactDP Require Import FiniteCone Rays Kernels ExtremeRays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Line.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

(* The level of two inputs of the line, a^|i - j|. *)
Definition line_level (i j : 'I_n.+1) : R := a ^+ dist i j.

Lemma line_level_gt0 i j : 0 < line_level i j.
Proof. exact: exprn_gt0. Qed.

Lemma line_private_vector v : (forall i, 0 <= v i) -> (forall i j, line i j -> a * v j <= v i) ->
  private_vector line_level v.
Proof.
move=> v_ge0 v_line; split=> // i j; pose X : 'M[R]_(n.+1, 1) := \matrix_(i, r) v i.
have [to_metric _] := line_metric X (ltW a_gt0).
by have := to_metric _ i j 0; rewrite !mxE; apply=> x y r xy; rewrite !mxE v_line.
Qed.

(* Somewhere along the line a set and its complement meet. *)
Lemma line_crossing (S : {set 'I_n.+1}) : S != set0 -> S != setT ->
  exists i j : 'I_n.+1, j = i.+1 :> nat /\ (i \in S) != (j \in S).
Proof.
move=> /set0Pn[x x_S] S_proper.
case: (boolP [exists i : 'I_n.+1, [exists j : 'I_n.+1, (j == i.+1 :> nat) && ((i \in S) != (j \in S))]]).
  by case/existsP => i /existsP[j /andP[/eqP ij ij_S]]; exists i, j.
rewrite negb_exists => /forallP none; case/negP: S_proper; apply/eqP.
have same k : (k < n.+1)%N -> (inord k \in S) = (ord0 \in S).
  elim: k => [|k IHk] k_lt; first by congr (_ \in S); apply/val_inj; rewrite /= inordK.
  rewrite -IHk; last exact: ltnW.
  have := none (inord k); rewrite negb_exists => /forallP/(_ (inord k.+1)).
  by rewrite !inordK ?eqxx ?(ltnW k_lt) //= negbK => /eqP.
by apply/setP => y; rewrite inE -[y]inord_val same // -(same x) // inord_val.
Qed.

Theorem line_ray v : ray line_level v <->
  (forall i, 0 < v i) /\ forall i j : 'I_n.+1, j = i.+1 :> nat -> v i = a * v j \/ v j = a * v i.
Proof.
split=> [v_ray|[v_gt0 steps]]; last first.
  apply: (cuts_ray line_level_gt0) => // [|S S_neq0 S_proper].
    apply: line_private_vector => [i|i j]; first exact: ltW.
    have less x y : v x = a * v y -> a * v y <= v x /\ a * v x <= v y.
      move=> ->; split=> //; rewrite mulrA ler_pimull //; first exact: ltW.
      by rewrite mulr_ile1 // ltW.
    by move=> /orP[] /eqP /steps[] /less[].
  have [i [j [ij]]] := line_crossing S_neq0 S_proper.
  have level1 x y : line x y -> line_level x y = a.
    by rewrite /line_level /line /dist => /orP[] /eqP ->; rewrite -[RHS]expr1; congr (_ ^+ _); nat_lia.
  have e_ij : line_level i j = a by apply: level1; rewrite /line ij eqxx.
  have e_ji : line_level j i = a by apply: level1; rewrite /line ij eqxx orbT.
  have t := steps i j ij; case: (boolP (i \in S)) => i_S; case: (boolP (j \in S)) => j_S // _.
    by exists i, j; rewrite /tight e_ij e_ji; split.
  by exists j, i; rewrite /tight e_ij e_ji; split=> //; case: t; [right | left].
have [v_priv v_neq0 _] := v_ray; have v_gt0 := private_positive line_level_gt0 v_priv v_neq0.
split=> // i j ij; have [_ v_le] := v_priv.
have chain (x y : 'I_n.+1) : (x <= i)%N -> (j <= y)%N ->
    (v x = line_level x y * v y -> v i = a * v j) /\ (v y = line_level y x * v x -> v j = a * v i).
  move=> xi jy.
  have e_xy : line_level x y = line_level x i * (a * line_level j y).
    by rewrite /line_level -exprS -exprD /dist ij; congr (_ ^+ _); nat_lia.
  have e_yx : line_level y x = line_level y j * (a * line_level i x).
    by rewrite /line_level -exprS -exprD /dist ij; congr (_ ^+ _); nat_lia.
  have one : line_level i j = a by rewrite /line_level /dist -[RHS]expr1 ij; congr (_ ^+ _); nat_lia.
  have one' : line_level j i = a by rewrite /line_level /dist -[RHS]expr1 ij; congr (_ ^+ _); nat_lia.
  split=> t; apply/eqP; rewrite eq_le; apply/andP; split.
  - rewrite -(ler_pmul2l (line_level_gt0 x i)); apply: le_trans (v_le x i) _.
    by rewrite t e_xy -!mulrA ler_pmul2l ?line_level_gt0 // ler_pmul2l // v_le.
  - by rewrite -one v_le.
  - rewrite -(ler_pmul2l (line_level_gt0 y j)); apply: le_trans (v_le y j) _.
    by rewrite t e_yx -!mulrA ler_pmul2l ?line_level_gt0 // ler_pmul2l // v_le.
  - by rewrite -one' v_le.
pose S := [set k : 'I_n.+1 | (k <= i)%N].
have [||x [y [x_S y_S t]]] := ray_has_cuts line_level_gt0 v_ray (S := S).
- by apply/set0Pn; exists i; rewrite inE.
- by apply/eqP => /setP/(_ j); rewrite !inE ij ltnn.
move: x_S y_S; rewrite !inE -ltnNge -ij => xi jy.
by have [left_t right_t] := chain x y xi jy; case: t => [/left_t|/right_t]; [left | right].
Qed.

(* The vertex with the steps s, up to a factor. *)
Definition zigzag (s : {ffun 'I_n -> bool}) (i : nat) : R := \prod_(k < n | (k < i)%N) (if s k then a else a^-1).

Lemma zigzag0 s : zigzag s 0 = 1.
Proof. by rewrite /zigzag big_pred0. Qed.

Lemma zigzagS s (k : 'I_n) : zigzag s k.+1 = zigzag s k * (if s k then a else a^-1).
Proof.
rewrite /zigzag (bigD1 k) //= mulrC; congr (_ * _); apply: eq_bigl => j.
by rewrite ltnS ltn_neqAle andbC.
Qed.

Lemma zigzag_gt0 s i : 0 < zigzag s i.
Proof. by apply: prodr_gt0 => k _; case: ifP; rewrite ?invr_gt0. Qed.

Theorem line_vertices : [/\ forall s, ray line_level (fun i => zigzag s i),
  forall v, ray line_level v -> exists s c, 0 < c /\ forall i, v i = c * zigzag s i
  & forall s s' c, (forall i : 'I_n.+1, zigzag s i = c * zigzag s' i) -> s = s'].
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
split=> [s|v v_ray|s s' c same].
- apply/line_ray; split=> [i|i j ij]; first exact: zigzag_gt0.
  have i_lt : (i < n)%N by rewrite -ltnS -ij.
  by rewrite ij (zigzagS s (Ordinal i_lt)) /=; case: ifP => _; [right | left]; rewrite mulrC ?mulfVK.
- have [v_gt0 steps] := proj1 (line_ray v) v_ray.
  pose s := [ffun k : 'I_n => v (inord k.+1) == a * v (inord k)].
  exists s, (v ord0); split=> // i; rewrite -{1}[i]inord_val; move: (nat_of_ord i) (ltn_ord i) => k.
  elim: k => [|k IHk] k_lt; first by rewrite zigzag0 mulr1; congr v; apply/val_inj; rewrite /= inordK.
  have k_lt' : (k < n)%N by rewrite -ltnS.
  rewrite (zigzagS s (Ordinal k_lt')) mulrA -IHk ?(ltnW k_lt) // ffunE /=.
  case: eqP => [->|not_a]; first by rewrite mulrC.
  case: (steps (inord k) (inord k.+1)) => [|->|//]; first by rewrite !inordK // ltnW.
  by rewrite mulrC mulKf.
apply/ffunP => k; have c1 : c = 1 by have := same ord0; rewrite !zigzag0 mulr1.
have k_lt : (k < n.+1)%N by rewrite ltnW // ltnS.
have := same (Ordinal k_lt); have := same (lift ord0 k); rewrite !lift0 /= c1 !mul1r !zigzagS => same1 same0.
have : (if s k then a else a^-1) = (if s' k then a else a^-1).
  by move: same1; rewrite same0 => /mulfI; apply; rewrite gt_eqF ?zigzag_gt0.
have a_lt : a < a^-1 by apply: lt_trans a_lt1 _; rewrite invf_gt1.
by case: (s k); case: (s' k) => // /eqP; rewrite ?(lt_eqF a_lt) ?(gt_eqF a_lt).
Qed.

Theorem line_count q (V : 'M[R]_(n.+1, q)) : generators line_level V -> q = (2 ^ n)%N.
Proof.
have [z_ray z_all z_distinct] := line_vertices => V_gens.
rewrite (vertex_count V_gens z_ray) ?card_ffun ?card_bool ?card_ord // => v /z_all[s [c [_ v_def]]].
by exists s, c.
Qed.

Theorem geometric_kernel : kernel line_level (geometric n a).
Proof.
split; [split=> [|j _]|move=> c _ c_rel j]; first exact: geometric_stochastic.
  apply/line_ray; split=> [i|i k ik]; first by rewrite mxE mulr_gt0 ?exprn_gt0 ?scale_gt0.
  rewrite !mxE !mulrA -!exprS /dist ik; case: (leqP i.+1 j) => ij; [left | right].
    by congr (_ ^+ _ * _); nat_lia.
  by congr (_ ^+ _ * _); nat_lia.
have G_unit : geometric n a \in unitmx by rewrite unitmxE unitfE gt_eqF // lemma1.
have : geometric n a *m (\col_k c k) = 0.
  apply/matrixP => i o; rewrite !mxE -[RHS](c_rel i); apply: eq_bigr => k _.
  by rewrite [in LHS]mxE mulrC; congr (_ * _); rewrite mxE.
by move/(congr1 (mulmx (invmx (geometric n a)))); rewrite mulKmx // mulmx0 => /matrixP/(_ j 0); rewrite !mxE.
Qed.

End Line.
