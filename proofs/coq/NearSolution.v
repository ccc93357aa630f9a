(* SPDX-License-Identifier: MIT *)
(* Existence without the solution: what is near to it.                                                        *)
(*                                                                                                            *)
(* B y = 1 is asked for with y >= 0.  C is nearly an inverse of B, z nearly a solution, and L is a matrix a   *)
(* little below B (for all is computed with L).                                                               *)
(*   nearly_solved        if the row sums of |I - C L|, with the error of L, are at most kappa < 1, and       *)
(*                        |C (1 - L z)|, with that error, is at most (1 - kappa) z_k for every k, then there  *)
(*                        is a solution y >= 0                                                                *)
(*   equitable_weighting  and then Phi z = 1 has one, if B is Phi on the cells of an equitable partition      *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Extremes Capacities.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section NearSolution.
Variables (R : realFieldType) (m : nat).
Implicit Types (B C E L : 'M[R]_m) (v f y z : 'I_m -> R) (a d u w : R) (i j k b : 'I_m).

Lemma contraction E v f a d i : (forall k, \sum_j `|E k j| <= a) -> a < 1 ->
  (forall k, v k = \sum_j E k j * v j + f k) -> (forall k, `|f k| <= d) -> (1 - a) * `|v i| <= d.
Proof.
move=> E_a a_lt1 v_fix f_d; pose N := largest (fun k => `|v k|).
have d_ge0 : 0 <= d by exact: le_trans (normr_ge0 _) (f_d i).
have N_ge0 : 0 <= N by exact: largest_ge0.
have a_ge0 : 0 <= a by apply: le_trans (E_a i); apply: sumr_ge0.
have N_le : N <= a * N + d.
  apply: largest_le => [|k]; first by rewrite addr_ge0 // mulr_ge0.
  rewrite {1}v_fix; apply: le_trans (ler_norm_add _ _) _; apply: ler_add (f_d k).
  apply: le_trans (ler_norm_sum _ _ _) _; apply: le_trans (ler_wpmul2r N_ge0 (E_a k)); rewrite mulr_suml; apply: ler_sum => j _.
  by rewrite normrM ler_wpmul2l // (le_largest (fun k => `|v k|)).
apply: (@le_trans _ _ ((1 - a) * N)); last by rewrite mulrBl mul1r ler_subl_addl.
by rewrite ler_wpmul2l ?subr_ge0 ?(ltW a_lt1) // (le_largest (fun k => `|v k|)).
Qed.

Lemma small_inverse E a : (forall k, \sum_j `|E k j| <= a) -> a < 1 -> 1%:M - E \in unitmx.
Proof.
move=> E_a a_lt1; rewrite unitmxE unitfE; apply/negP => /eqP/eqP; rewrite -det_tr => /det0P[v v_neq0 v_E].
case/negP: v_neq0; apply/eqP/rowP=> i; rewrite mxE; apply/eqP; rewrite -normr_le0.
have v_fix k : v 0 k = \sum_j E k j * v 0 j + 0.
  move/rowP/(_ k): v_E; rewrite linearB /= tr_scalar_mx mulmxBr mulmx1 !mxE addr0 => /eqP; rewrite subr_eq0 => /eqP ->.
  by apply: eq_bigr => j _; rewrite mxE mulrC.
have zero_le (k : 'I_m) : `|0 : R| <= 0 by rewrite normr0.
have := contraction (f := fun=> 0) i E_a a_lt1 v_fix zero_le.
by rewrite pmulr_rle0 ?subr_gt0.
Qed.

(* The error of L, in the rows of C (B - L). *)
Lemma row_error B C L u k : (forall j b, L j b <= B j b) -> (forall j, \sum_b (B j b - L j b) <= u) ->
  \sum_b `|\sum_j C k j * (B j b - L j b)| <= u * \sum_j `|C k j|.
Proof.
move=> LB LB_u; apply: (@le_trans _ _ (\sum_b \sum_j `|C k j| * (B j b - L j b))).
  apply: ler_sum => b _; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
  by rewrite normrM [`|B j b - _|]ger0_norm // subr_ge0.
rewrite exchange_big mulr_sumr; apply: ler_sum => j _.
by rewrite -mulr_sumr mulrC ler_wpmul2r.
Qed.

Theorem nearly_solved B C L z u w a d : (forall j b, L j b <= B j b) -> (forall j, \sum_b (B j b - L j b) <= u) ->
  (forall b, `|z b| <= w) ->
  (forall k, \sum_b `|(k == b)%:R - \sum_j C k j * L j b| + u * (\sum_j `|C k j|) <= a) -> a < 1 ->
  (forall k, `|\sum_j C k j * (1 - \sum_b L j b * z b)| + u * w * (\sum_j `|C k j|) <= d) ->
  (forall k, d <= (1 - a) * z k) -> exists2 y, forall k, 0 <= y k & forall j, \sum_b B j b * y b = 1.
Proof.
move=> LB LB_u z_w near_a a_lt1 near_d z_d; pose E := 1%:M - C *m B.
have E_ij k b : E k b = (k == b)%:R - \sum_j C k j * L j b - \sum_j C k j * (B j b - L j b).
  rewrite !mxE -addrA -opprD -big_split /=; congr (_ - _); apply: eq_bigr => j _.
  by rewrite -mulrDr addrCA subrr addr0.
have E_a k : \sum_b `|E k b| <= a.
  apply: le_trans (near_a k); apply: le_trans (ler_add (lexx _) (row_error C k LB LB_u)); rewrite -big_split /=.
  by apply: ler_sum => b _; rewrite E_ij; exact: ler_norm_sub.
have : C *m B \in unitmx by have := small_inverse E_a a_lt1; rewrite opprB addrC subrK.
rewrite unitmx_mul => /andP[_ B_unit]; pose y b := (invmx B *m \col__ 1) b 0.
have y_B j : \sum_b B j b * y b = 1.
  have /matrixP/(_ j 0) : B *m (invmx B *m \col__ 1) = \col__ 1 :> 'cV[R]_m by rewrite mulmxA mulmxV // mul1mx.
  by rewrite !mxE.
exists y => // k; pose f k := - \sum_j C k j * (1 - \sum_b B j b * z b).
have e_fix i : z i - y i = \sum_j E i j * (z j - y j) + f i.
  have -> : \sum_j E i j * (z j - y j) = z i - y i - \sum_h C i h * \sum_j B h j * (z j - y j).
    under eq_bigr => j _ do rewrite !mxE mulrBl.
    rewrite sumrB; congr (_ - _).
      by rewrite (bigD1 i) //= eqxx mul1r big1 ?addr0 // => j /negPf ji; rewrite eq_sym ji mul0r.
    under eq_bigr => j _ do rewrite mulr_suml.
    by rewrite exchange_big /=; apply: eq_bigr => h _; rewrite mulr_sumr; apply: eq_bigr => j _; rewrite mulrA.
  rewrite /f -[RHS]addrA -opprD -big_split /= big1 ?subr0 // => h _; rewrite -mulrDr.
  under eq_bigr => j _ do rewrite mulrBr.
  by rewrite sumrB y_B addrA addrNK subrr mulr0.
have f_d i : `|f i| <= d.
  apply: le_trans (near_d i); rewrite normrN.
  have -> : \sum_j C i j * (1 - \sum_b B j b * z b) =
      \sum_j C i j * (1 - \sum_b L j b * z b) - \sum_b (\sum_j C i j * (B j b - L j b)) * z b.
    under [X in _ - X]eq_bigr => b _ do rewrite mulr_suml.
    rewrite exchange_big /= -sumrB; apply: eq_bigr => j _.
    under [X in _ = _ - X]eq_bigr => b _ do rewrite -mulrA.
    rewrite -mulr_sumr -mulrBr; congr (_ * _); rewrite -addrA -opprD -big_split /=; congr (_ - _).
    by apply: eq_bigr => b _; rewrite mulrBl addrCA subrr addr0.
  apply: le_trans (ler_norm_sub _ _) _; rewrite ler_add2l; apply: le_trans (ler_norm_sum _ _ _) _.
  have w_ge0 : 0 <= w by exact: le_trans (normr_ge0 _) (z_w i).
  rewrite mulrAC; apply: le_trans (ler_wpmul2r w_ge0 (row_error C i LB LB_u)); rewrite mulr_suml.
  by apply: ler_sum => b _; rewrite normrM ler_wpmul2l.
have a1_gt0 : 0 < 1 - a by rewrite subr_gt0.
have := le_trans (contraction k E_a a_lt1 e_fix f_d) (z_d k); rewrite ler_pmul2l // ler_norml => /andP[_].
by rewrite ler_subl_addr ler_addl.
Qed.

End NearSolution.

(* Phi on the cells of an equitable partition. *)
Theorem equitable_weighting (R : realFieldType) p m (Phi : 'I_p -> 'I_p -> R) (cell : 'I_p -> 'I_m) (B : 'M[R]_m) y :
  (forall i b, \sum_(h | cell h == b) Phi i h = B (cell i) b) -> (forall k, 0 <= y k) ->
  (forall j, \sum_b B j b * y b = 1) -> weighting Phi (fun i => y (cell i)).
Proof.
move=> equitable y_ge0 y_B; split=> [i|i]; first exact: y_ge0.
rewrite -(y_B (cell i)) (partition_big cell xpredT) //=; apply: eq_bigr => b _.
by rewrite -equitable mulr_suml; apply: eq_bigr => h /eqP ->.
Qed.
