(* SPDX-License-Identifier: MIT *)
(* The finite minimax theorem over any ordered field, from the Farkas lemma.                                  *)
(*                                                                                                            *)
(*   ville       a matrix D has a distribution p on its rows with p D <= 0, or a q >= 0 with D q > 0          *)
(*   skew_game   a skew-symmetric matrix S has a distribution z with z S <= 0                                 *)
(*   minimax     every matrix D has distributions p, q and a value v with p D <= v and v <= D q               *)
(*                                                                                                            *)
(* The last says that the row player's minimum is attained, although an ordered field need not be complete.   *)
(* It follows from the second by the symmetric game of Gale, Kuhn and Tucker.                                 *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Farkas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section MatrixGame.
Variable R : realFieldType.
Add Field R_field : (field_theory_of R).

(* A probability distribution on F: no entry is negative, and they sum to 1. *)
Definition distribution (F : finType) (p : F -> R) := (forall f, 0 <= p f) /\ \sum_f p f = 1.

Lemma sum_unit (F : unit -> R) : \sum_x F x = F tt.
Proof. by rewrite (big_pred1 tt) // => -[]. Qed.

Lemma sum_pick (I : finType) (F : I -> R) i : \sum_k F k * (k == i)%:R = F i.
Proof. by rewrite (bigD1 i) //= eqxx mulr1 big1 ?addr0 // => k /negPf ->; rewrite mulr0. Qed.

(* The cone of the rows (1, D_f) and of the slacks (0, e_i), and the vector (1, 0). *)
Theorem ville (F I : finType) (D : F -> I -> R) :
  (exists2 p, distribution p & forall i, \sum_f p f * D f i <= 0) \/
  (exists2 q : I -> R, (forall i, 0 <= q i) & forall f, 0 < \sum_i D f i * q i).
Proof.
pose A (k : F + I) (j : unit + I) : R :=
  match k, j with
  | inl f, inl _ => 1 | inl f, inr i => D f i
  | inr _, inl _ => 0 | inr k, inr i => (k == i)%:R
  end.
pose c (j : unit + I) : R := if j is inl _ then 1 else 0.
case: (farkas_families A c) => [[y y_ge0 y_def]|[x Ax_ge0 cx_lt0]]; [left | right].
- exists (fun f => y (inl f)) => [|i].
    split=> // ; have := y_def (inl tt); rewrite /= big_sumType /= => ->.
    rewrite [X in _ = _ + X]big1 ?addr0 => [|i _]; last by rewrite mulr0.
    by apply: eq_bigr => f _; rewrite mulr1.
  have := y_def (inr i); rewrite /= big_sumType /= sum_pick => /eqP.
  by rewrite eq_sym addr_eq0 => /eqP ->; rewrite oppr_le0.
- move: cx_lt0; rewrite big_sumType /= sum_unit mul1r big1 ?addr0 => [x0_lt0|i _]; last by rewrite mul0r.
  exists (fun i => x (inr i)) => [i|f].
    have := Ax_ge0 (inr i); rewrite big_sumType /= sum_unit mul0r add0r.
    by under eq_bigr => j _ do rewrite mulrC eq_sym; rewrite sum_pick.
  have := Ax_ge0 (inl f); rewrite big_sumType /= sum_unit mul1r -ler_subl_addl sub0r.
  by apply: lt_le_trans; rewrite oppr_gt0.
Qed.

(* A q >= 0 with S q > 0 would make the sum of the q_i (S q)_i positive, but it is zero by skew symmetry. *)
Theorem skew_game (J : finType) (S : J -> J -> R) (j0 : J) : (forall i j, S i j = - S j i) ->
  exists2 z, distribution z & forall j, \sum_i z i * S i j <= 0.
Proof.
move=> skew; case: (ville S) => [//|[q q_ge0 Sq_gt0]]; exfalso.
pose total := \sum_i q i * \sum_j S i j * q j.
have total_skew : total = - total.
  rewrite /total; under eq_bigr => i _ do rewrite mulr_sumr.
  rewrite [LHS]exchange_big -sumrN /=; apply: eq_bigr => j _; rewrite -sumrN.
  by apply: eq_bigr => i _; rewrite (skew i j); by_ring R.
have total0 : total = 0.
  by apply/eqP; rewrite -[_ == 0](@mulrn_eq0 R _ 2) mulr2n {1}total_skew addNr.
have q0 i : q i = 0.
  have term_ge0 k : true -> 0 <= q k * \sum_j S k j * q j by rewrite mulr_ge0 // ltW.
  have /eqP := @psumr_eq0P _ _ xpredT _ term_ge0 total0 i isT.
  by rewrite mulf_eq0 [X in _ || X]gt_eqF // orbF => /eqP.
by have := Sq_gt0 j0; rewrite big1 ?ltxx // => j _; rewrite q0 mulr0.
Qed.

(* The symmetric game of a positive matrix: its solution splits into p, q and t, and v = t / sum p. *)
Lemma minimax_positive (F I : finType) (D : F -> I -> R) (f0 : F) (i0 : I) : (forall f i, 0 < D f i) ->
  exists p q v, [/\ distribution p, distribution q,
    forall i, \sum_f p f * D f i <= v & forall f, v <= \sum_i D f i * q i].
Proof.
move=> D_gt0; pose J := ((F + I) + unit)%type.
pose S (x y : J) : R :=
  match x, y with
  | inl (inl f), inl (inr i) => D f i | inl (inr i), inl (inl f) => - D f i
  | inl (inl _), inr _ => - 1 | inr _, inl (inl _) => 1
  | inl (inr _), inr _ => 1 | inr _, inl (inr _) => - 1
  | _, _ => 0
  end.
have skew x y : S x y = - S y x.
  by case: x => [[f|i]|u]; case: y => [[f'|i']|u'] /=; rewrite ?oppr0 ?opprK.
have [z [z_ge0 z_sum1] zS_le0] := skew_game (inr tt) skew.
pose p f := z (inl (inl f)); pose q i := z (inl (inr i)); pose t := z (inr tt).
have sum_J (G : J -> R) : \sum_x G x = \sum_f G (inl (inl f)) + \sum_i G (inl (inr i)) + G (inr tt).
  by rewrite big_sumType /= big_sumType /= sum_unit.
have p_ge0 f : 0 <= p f by exact: z_ge0.
have q_ge0 i : 0 <= q i by exact: z_ge0.
have t_ge0 : 0 <= t by exact: z_ge0.
have pD_le i : \sum_f p f * D f i <= t.
  have := zS_le0 (inl (inr i)); rewrite sum_J /= [X in _ + X + _]big1 => [|k _]; last by rewrite mulr0.
  by rewrite addr0 mulrN1 subr_le0.
have Dq_ge f : t <= \sum_i D f i * q i.
  have := zS_le0 (inl (inl f)); rewrite sum_J /= big1 => [|k _]; last by rewrite mulr0.
  rewrite add0r mulr1 addrC; under eq_bigr => i _ do rewrite mulrN mulrC.
  by rewrite sumrN subr_le0.
pose P := \sum_f p f; pose Q := \sum_i q i.
have Q_le_P : Q <= P.
  have := zS_le0 (inr tt); rewrite sum_J /= mulr0 addr0; under eq_bigr => f _ do rewrite mulrN1.
  by rewrite sumrN addrC subr_le0; under eq_bigr => i _ do rewrite mulr1.
have PQt : P + Q + t = 1 by rewrite -z_sum1 sum_J.
have sum_gt0 (T : finType) (x y : T -> R) : (forall k, 0 < y k) -> (forall k, 0 <= x k) ->
    0 < \sum_k x k -> 0 < \sum_k x k * y k.
  move=> y_gt0 x_ge0 x_gt0; rewrite lt_neqAle sumr_ge0 ?andbT => [|k _]; last by rewrite mulr_ge0 // ltW.
  apply: contraTneq x_gt0 => /esym xy0; rewrite big1 ?ltxx // => k _.
  have /eqP := @psumr_eq0P _ _ xpredT _ (fun k _ => mulr_ge0 (x_ge0 k) (ltW (y_gt0 k))) xy0 k isT.
  by rewrite mulf_eq0 [X in _ || X]gt_eqF // orbF => /eqP.
have P_gt0 : 0 < P.
  rewrite lt_neqAle sumr_ge0 // andbT; apply/eqP => P0.
  have Q0 : Q = 0 by apply/eqP; rewrite eq_le sumr_ge0 // andbT P0.
  have t1 : t = 1 by rewrite -PQt -P0 Q0 !add0r.
  have q0 i : q i = 0 by exact: (@psumr_eq0P _ _ xpredT _ (fun k _ => q_ge0 k) Q0 i isT).
  have := Dq_ge f0; rewrite t1 big1 => [|i _]; last by rewrite q0 mulr0.
  by rewrite lt_geF ?ltr01.
have t_gt0 : 0 < t.
  by apply: lt_le_trans (pD_le i0); apply: sum_gt0.
have P_eq_Q : P = Q.
  apply/eqP; rewrite eq_le Q_le_P andbT -(ler_pmul2l t_gt0) !mulr_sumr.
  apply: le_trans (_ : \sum_f \sum_i p f * (D f i * q i) <= _).
    by apply: ler_sum => f _; rewrite -mulr_sumr mulrC ler_wpmul2l.
  rewrite exchange_big; apply: ler_sum => i _ /=.
  by under eq_bigr => f _ do rewrite mulrA; rewrite -mulr_suml ler_wpmul2r.
exists (fun f => p f / P), (fun i => q i / P), (t / P); split.
- by split=> [f|]; rewrite ?divr_ge0 ?(ltW P_gt0) // -mulr_suml divff // gt_eqF.
- by split=> [i|]; rewrite ?divr_ge0 ?(ltW P_gt0) // -mulr_suml -/Q -P_eq_Q divff // gt_eqF.
- move=> i; under eq_bigr => f _ do rewrite mulrAC.
  by rewrite -mulr_suml ler_wpmul2r ?invr_ge0 ?(ltW P_gt0).
- move=> f; under eq_bigr => i _ do rewrite mulrA.
  by rewrite -mulr_suml ler_wpmul2r ?invr_ge0 ?(ltW P_gt0).
Qed.

(* Adding a constant to all entries adds it to the value. *)
Theorem minimax (F I : finType) (D : F -> I -> R) (f0 : F) (i0 : I) :
  exists p q v, [/\ distribution p, distribution q,
    forall i, \sum_f p f * D f i <= v & forall f, v <= \sum_i D f i * q i].
Proof.
pose c := 1 + \sum_f \sum_i `|D f i|.
have D_gt0 f i : 0 < D f i + c.
  rewrite /c addrCA ltr_paddr ?ltr01 // addrC -ler_subl_addr sub0r.
  apply: le_trans (ler_norm _) _; rewrite normrN (bigD1 f) //= (bigD1 i) //= -addrA ler_addl.
  by rewrite addr_ge0 ?sumr_ge0 // => k _; rewrite ?sumr_ge0.
have [p [q [v [p_dist q_dist pD_le Dq_ge]]]] := minimax_positive f0 i0 D_gt0.
exists p, q, (v - c); split=> // [i|f].
- rewrite ler_subr_addr -[c]mul1r -(proj2 p_dist) mulr_suml -big_split /=.
  by under eq_bigr => f _ do rewrite -mulrDr; exact: pD_le.
- rewrite ler_subl_addr -[c]mulr1 -(proj2 q_dist) mulr_sumr -big_split /=.
  by under eq_bigr => i _ do rewrite -mulrDl; exact: Dq_ge.
Qed.

End MatrixGame.
