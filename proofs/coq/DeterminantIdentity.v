(* SPDX-License-Identifier: MIT *)
(* Determinants of matrices of polynomials with integer coefficients, from integers alone.                    *)
(*                                                                                                            *)
(*   condensation         h^n det [[h, r], [c, A]] = h det (h A - c r): one step of an elimination without    *)
(*                        fractions (Chio; Bareiss divides the entries of h A - c r by the last pivot)        *)
(*   size_le p b          the absolute values of the coefficients of p sum to b at most                       *)
(*   size_le_det          det A is as small as the product of the sums of its rows                            *)
(*   zero_at_large        a polynomial with coefficients of absolute value < N that is 0 at N is 0            *)
(* So an identity between determinants of polynomials is one between determinants of integers, at one number  *)
(* that is large enough.                                                                                      *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem condensation (D : comRingType) n (h : D) (r : 'rV_n) (c : 'cV_n) (A : 'M_n) :
  h ^+ n * \det (block_mx h%:M r c A) = h * \det (h *: A - c *m r).
Proof.
have <- : \det (block_mx (1%:M : 'M_1) 0 (- c) h%:M) = h ^+ n.
  by rewrite det_lblock det1 mul1r det_scalar.
rewrite -det_mulmx mulmx_block !mul1mx !mul0mx !addr0.
have -> : - c *m h%:M + h%:M *m c = 0.
  by rewrite mulNmx mul_mx_scalar mul_scalar_mx addrC subrr.
rewrite det_ublock det_scalar expr1; congr (_ * \det _).
by rewrite mul_scalar_mx mulNmx addrC.
Qed.

Section Sizes.
Implicit Types (p q : {poly int}) (b c : int).

(* The absolute values of the coefficients of p sum to b at most: some polynomial g bounds each, and g(1) <= b. *)
Definition size_le p b := exists2 g : {poly int}, forall i, `|p`_i| <= g`_i & g.[1] <= b.

Lemma majorant_ge0 p (g : {poly int}) : (forall i, `|p`_i| <= g`_i) -> forall i, 0 <= g`_i.
Proof. by move=> pg i; apply: le_trans (pg i). Qed.

Lemma majorant_at1 p (g : {poly int}) : (forall i, `|p`_i| <= g`_i) -> 0 <= g.[1].
Proof.
move=> /majorant_ge0 g_ge0; rewrite horner_coef; apply: sumr_ge0 => i _.
by rewrite expr1n mulr1.
Qed.

Lemma size_le_ge0 p b : size_le p b -> 0 <= b.
Proof. by case=> g /majorant_at1; exact: le_trans. Qed.

Lemma size_le_weaken p b c : size_le p b -> b <= c -> size_le p c.
Proof. by case=> g pg gb bc; exists g => //; exact: le_trans bc. Qed.

Lemma size_le0 : size_le 0 0.
Proof. by exists 0 => [i|]; rewrite ?coef0 ?normr0 ?horner0. Qed.

Lemma size_leC c : size_le c%:P `|c|.
Proof.
exists `|c|%:P => [i|]; last by rewrite hornerC.
by rewrite !coefC; case: eqP; rewrite ?normr0.
Qed.

Lemma size_leX : size_le 'X 1.
Proof.
exists 'X => [i|]; last by rewrite hornerX.
by rewrite coefX; case: eqP; rewrite ?normr0 ?normr1.
Qed.

Lemma size_leN p b : size_le p b -> size_le (- p) b.
Proof. by case=> g pg gb; exists g => // i; rewrite coefN normrN. Qed.

Lemma size_leD p q b c : size_le p b -> size_le q c -> size_le (p + q) (b + c).
Proof.
case=> g pg gb [h qh hc]; exists (g + h) => [i|]; last by rewrite hornerD ler_add.
by rewrite !coefD (le_trans (ler_norm_add _ _)) // ler_add.
Qed.

Lemma size_leB p q b c : size_le p b -> size_le q c -> size_le (p - q) (b + c).
Proof. by move=> pb /size_leN; exact: size_leD. Qed.

Lemma size_leM p q b c : size_le p b -> size_le q c -> size_le (p * q) (b * c).
Proof.
case=> g pg gb [h qh hc]; exists (g * h) => [i|].
  rewrite !coefM; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
  by rewrite normrM ler_pmul.
by rewrite hornerM ler_pmul // ?(majorant_at1 pg) ?(majorant_at1 qh).
Qed.

Lemma size_le_sum (I : finType) (F : I -> {poly int}) (b : I -> int) :
  (forall i, size_le (F i) (b i)) -> size_le (\sum_i F i) (\sum_i b i).
Proof.
move=> Fb; apply: (big_ind2 size_le) => //; first exact: size_le0.
by move=> p c q d; exact: size_leD.
Qed.

Lemma size_le_prod (I : finType) (F : I -> {poly int}) (b : I -> int) :
  (forall i, size_le (F i) (b i)) -> size_le (\prod_i F i) (\prod_i b i).
Proof.
move=> Fb; apply: (big_ind2 size_le) => //; last by move=> p c q d; exact: size_leM.
by have := size_leC 1; rewrite normr1.
Qed.

Theorem size_le_det n (A : 'M[{poly int}]_n) (b : 'I_n -> 'I_n -> int) (s : 'I_n -> int) :
  (forall i j, size_le (A i j) (b i j)) -> (forall i, \sum_j b i j <= s i) -> size_le (\det A) (\prod_i s i).
Proof.
elim: n A b s => [|n IHn] A b s Ab bs.
  by rewrite det_mx00 big_ord0; have := size_leC 1; rewrite normr1.
rewrite (expand_det_row _ ord0) [X in size_le _ X]big_ord_recl.
have b_ge0 i j : 0 <= b i j by exact: size_le_ge0 (Ab i j).
set P := \prod_(i < n) _.
have minor j : size_le (cofactor A ord0 j) P.
  rewrite /cofactor; have one : size_le 1 1 by have := size_leC 1; rewrite normr1.
  have sign k : size_le ((-1) ^+ k) 1.
    elim: k => [|k IHk]; first by rewrite expr0.
    by rewrite exprS mulN1r; exact: size_leN.
  rewrite -[P]mul1r; apply: size_leM (sign _) _.
  apply: (IHn _ (fun i k => b (lift ord0 i) (lift j k))) => [i k|i]; first by rewrite !mxE.
  by apply: le_trans (bs (lift ord0 i)); rewrite (bigD1_ord j) //= ler_addr.
have P_ge0 : 0 <= P by exact: size_le_ge0 (minor ord0).
apply: size_le_weaken (size_le_sum (fun j => size_leM (Ab ord0 j) (minor j))) _.
by rewrite -mulr_suml ler_wpmul2r.
Qed.

Lemma size_le_coef p b i : size_le p b -> `|p`_i| <= b.
Proof.
case=> g pg gb; apply: le_trans gb; apply: (le_trans (pg i)).
have g_ge0 := majorant_ge0 pg.
have [i_lt|i_ge] := ltnP i (size g); last by rewrite nth_default //; exact: majorant_at1 pg.
rewrite horner_coef (bigD1 (Ordinal i_lt)) //= expr1n mulr1 ler_addl.
by apply: sumr_ge0 => j _; rewrite expr1n mulr1.
Qed.

Theorem zero_at_large p (N : int) : (forall i, `|p`_i| < N) -> p.[N] = 0 -> p = 0.
Proof.
elim/poly_ind: p => [|p c IHp] // p_N; rewrite hornerMXaddC => at_N.
have c0 : c = 0.
  have c_N : `|c| < N by have := p_N 0%N; rewrite coefD coefMX eqxx coefC eqxx add0r.
  have N_gt0 : 0 < N by exact: le_lt_trans c_N.
  have : `|p.[N]| * N < N.
    by rewrite -{2}(gtr0_norm N_gt0) -normrM; move/eqP: at_N; rewrite addr_eq0 => /eqP ->; rewrite normrN.
  rewrite -[X in _ < X]mul1r ltr_pmul2r // => p0; have {}p0 : p.[N] = 0 by apply/eqP; move: p0; case: (p.[N]) => [[|k]|k].
  by move: at_N; rewrite p0 mul0r add0r.
rewrite c0 polyC0 !addr0 in at_N p_N *; rewrite IHp ?mul0r // => [i|].
  by have := p_N i.+1; rewrite coefMX.
have N_neq0 : N != 0 by apply: lt0r_neq0; apply: le_lt_trans (p_N 0%N).
by apply: (mulIf N_neq0); rewrite mul0r.
Qed.

End Sizes.
