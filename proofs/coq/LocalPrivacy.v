(* SPDX-License-Identifier: MIT *)
(* Local differential privacy, as the foundations lecture uses it: every pair of inputs is adjacent.          *)
(*                                                                                                            *)
(*   column_extremes          it is enough to compare the least with the greatest entry of each column        *)
(*   flat_constant            the constant of the flat mechanism on k values is 1/(e^epsilon + k - 1)         *)
(*   flat_level               for k >= 2 it is b-private exactly for b <= a = e^(-epsilon)                    *)
(*   flat_uniform             the nearer its entries are to 1/k, the higher is its level                      *)
(*   collection_level         reports of local levels a_i are together private exactly at levels b <= a_i     *)
(*   collection_any_query     whatever is computed from them is private too                                   *)
(*   inversion_recovers       the matrix inversion method: p from q = p C is q C^(-1), which has the sum 1    *)
(*   inversion_symmetric      for symmetric C this is C^(-1) q                                                *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Extremes Composition.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Privacy at level b for all pairs of inputs: epsilon-LDP for b = e^(-epsilon). *)
Definition locally_private (R : realFieldType) p m (b : R) (X : 'M[R]_(p, m)) := forall i j r, b * X j r <= X i r.

(* The same where only different inputs are compared: of each column the least entry against the greatest. *)
Theorem column_extremes (R : realFieldType) p m (b : R) (X : 'M[R]_(p, m)) : 0 <= b <= 1 -> (forall i r, 0 <= X i r) ->
  private_on [rel i j | i != j] b X <-> forall r, b * largest (X^~ r) <= smallest (X^~ r).
Proof.
move=> /andP[b_ge0 b_le1] X_ge0; split=> [X_priv r | ends i j r _]; last first.
  apply: le_trans (smallest_le (X^~ r) i); apply: le_trans (ends r).
  by apply: ler_wpmul2l => //; exact: (le_largest (X^~ r)).
case: p X X_ge0 X_priv => [|p] X X_ge0 X_priv.
  by rewrite /smallest !largest_empty ?mulr0 ?oppr0 //; case.
have [j ->] := largest_attained ord0 (X^~ r); have [i ->] := smallest_attained ord0 (X^~ r).
have [<-|ij] := eqVneq i j; last exact: X_priv.
by rewrite -[leRHS]mul1r ler_wpmul2r.
Qed.

Section Flat.
Variable R : realFieldType.

(* c e^epsilon on the diagonal and c elsewhere, a = e^(-epsilon). *)
Definition flat k (a c : R) : 'M[R]_k := \matrix_(x, y) (if x == y then c / a else c).

Lemma flat_row k a c (x : 'I_k) : \sum_y flat k a c x y = c * (a^-1 + k.-1%:R).
Proof.
rewrite (bigD1 x) //= mxE eqxx (eq_bigr (fun=> c)) => [|y yx]; last by rewrite mxE eq_sym (negbTE yx).
by rewrite sumr_const cardC1 card_ord mulrDr mulr_natr.
Qed.

Theorem flat_constant n (a c : R) : 0 < a ->
  (forall x, \sum_y flat n.+1 a c x y = 1) <-> c = (a^-1 + n%:R)^-1.
Proof.
move=> a_gt0; have pos : 0 < a^-1 + n%:R by rewrite ltr_paddr ?ler0n ?invr_gt0.
split=> [/(_ ord0)|-> x]; rewrite flat_row /=; last by rewrite mulVf // gt_eqF.
by move=> eq1; apply: (mulIf (lt0r_neq0 pos)); rewrite eq1 mulVf // gt_eqF.
Qed.

Theorem flat_level n (a c b : R) : 0 < a <= 1 -> 0 < c ->
  locally_private b (flat n.+2 a c) <-> b <= a.
Proof.
case/andP=> a_gt0 a_le1 c_gt0; have ca_gt0 : 0 < c / a by rewrite divr_gt0.
have c_le : c <= c / a by rewrite ler_pdivl_mulr // -[leRHS]mulr1 ler_pmul2l.
split=> [/(_ 1 0 0)|b_le i j r]; first by rewrite !mxE eqxx /= mulrCA -{2}[c]mulr1 ler_pmul2l // ler_pdivr_mulr // mul1r.
have [b_le0|b_gt0] := lerP b 0.
  apply: (@le_trans _ _ 0); first by rewrite mxE; case: eqP => _; rewrite mulr_le0_ge0 // ltW.
  by rewrite mxE; case: eqP => _; rewrite ltW.
have b_le1 : b <= 1 := le_trans b_le a_le1.
rewrite !mxE; case: (j == r); case: (i == r).
- by rewrite ger_pmull.
- by rewrite mulrCA -[leRHS]mulr1 ler_pmul2l // ler_pdivr_mulr // mul1r.
- by apply: le_trans c_le; rewrite ger_pmull.
- by rewrite ger_pmull.
Qed.

(* With a lower than b the entries at a are further from 1/k, on and off the diagonal. *)
Theorem flat_uniform n (a b : R) : 0 < a -> a < b -> b <= 1 ->
  let A := flat n.+2 a (a^-1 + n.+1%:R)^-1 in let B := flat n.+2 b (b^-1 + n.+1%:R)^-1 in
  forall x y, if x == y then n.+2%:R^-1 <= B x y /\ B x y < A x y else A x y < B x y /\ B x y <= n.+2%:R^-1.
Proof.
move=> a_gt0 ab b_le1 A B x y; have b_gt0 : 0 < b := lt_trans a_gt0 ab.
have pos (u : R) : 0 < u -> 0 < u^-1 + n.+1%:R :> R by move=> u_gt0; rewrite ltr_paddr ?ler0n ?invr_gt0.
have on (u : R) : 0 < u -> (u^-1 + n.+1%:R)^-1 / u = (1 + n.+1%:R * u)^-1.
  by move=> u_gt0; rewrite -invfM mulrDl mulVf ?gt_eqF.
have pos1 (u : R) : 0 < u -> 0 < 1 + n.+1%:R * u by move=> u_gt0; rewrite addr_gt0 ?ltr01 ?mulr_gt0 ?ltr0n.
have n2 : n.+2%:R = 1 + n.+1%:R :> R by rewrite -addn1 addnC natrD.
have N_gt0 : 0 < n.+1%:R :> R by rewrite ltr0n.
have n2_gt0 : 0 < 1 + n.+1%:R :> R by rewrite addr_gt0 ?ltr01.
rewrite !mxE n2; case: eqP => _.
  rewrite !on //; split.
    by rewrite lef_pinv ?posrE ?pos1 // ler_add2l ger_pmulr.
  by rewrite ltf_pinv ?posrE ?pos1 // ltr_add2l ltr_pmul2l.
split; first by rewrite ltf_pinv ?posrE ?pos // ltr_add2r ltf_pinv.
by rewrite lef_pinv ?posrE ?pos // ler_add2r invf_ge1.
Qed.

End Flat.

Section Collection.
Variable R : realFieldType.
Variables (I : finType) (p m : I -> nat) (X : forall k, 'M[R]_(p k, m k)).
Hypotheses (X_st : forall k, stochastic (X k)) (p_gt0 : forall k, (0 < p k)%N).

(* Person k reports by X k; databases that differ in the record of one person are adjacent. *)
Definition collection_private (b : R) := parallel_on X (fun k => [rel i j : 'I_(p k) | true]) b.

(* If a k is the tightest level of X k, the collection is b-private exactly for b <= min_k a k. *)
Theorem collection_level (a : I -> R) (b : R) :
  (forall k c, locally_private c (X k) <-> c <= a k) -> collection_private b <-> forall k, b <= a k.
Proof.
move=> tight; rewrite /collection_private; split=> [/(parallelP _ _ X_st p_gt0) all k | all].
  by apply/tight => i j r; exact: all.
by apply/(parallelP _ _ X_st p_gt0) => k i j r _; have /tight := all k; exact.
Qed.

(* The probability of a result that is computed, by chance or not, from the reports r: w r of each. *)
Definition computed (w : {dffun forall k, 'I_(m k)} -> R) (x : forall k, 'I_(p k)) : R :=
  \sum_(r : {dffun forall k, 'I_(m k)}) tuple_law X x r * w r.

Theorem collection_any_query (b : R) w : collection_private b -> (forall r, 0 <= w r) ->
  forall k x y, (forall l, l != k -> x l = y l) -> b * computed w y <= computed w x.
Proof.
move=> X_priv w_ge0 k x y same; rewrite /computed mulr_sumr; apply: ler_sum => r _.
by rewrite mulrA ler_wpmul2r ?w_ge0 //; exact: (X_priv k).
Qed.

End Collection.

Section Inversion.
Variables (R : realFieldType) (n : nat) (C : 'M[R]_n).
Hypothesis C_unit : C \in unitmx.

Theorem inversion_recovers (p : 'rV[R]_n) : (p *m C) *m invmx C = p.
Proof. by rewrite mulmxK. Qed.

Theorem inversion_sum (q : 'rV[R]_n) : (forall i, \sum_j C i j = 1) ->
  \sum_j (q *m invmx C) 0 j = \sum_j q 0 j.
Proof.
move=> C_sum; have D_sum := row_sums1_inverse C_unit C_sum.
rewrite (eq_bigr (fun j => \sum_i q 0 i * invmx C i j)) => [|j _]; last by rewrite mxE.
by rewrite exchange_big; apply: eq_bigr => i _; rewrite -mulr_sumr D_sum mulr1.
Qed.

Theorem inversion_symmetric (q : 'cV[R]_n) : C^T = C -> invmx C *m q = (q^T *m invmx C)^T.
Proof. by move=> C_sym; rewrite trmx_mul trmxK trmx_inv C_sym. Qed.

End Inversion.
