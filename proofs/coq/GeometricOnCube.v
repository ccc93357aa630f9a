(* SPDX-License-Identifier: MIT *)
(* Figure 11 of Fernandes and others, for n bits: the geometric mechanism of the number of ones.              *)
(*                                                                                                            *)
(*   ones_geometric    row x of this mechanism is row "number of ones of x" of the geometric mechanism        *)
(*   cube_kernel       it is a kernel mechanism of the Hamming cube                                           *)
(*   cube_chain        on the chain 0...0, 10...0, 110...0, ..., 1...1 it is the geometric mechanism, and the *)
(*                     chain is a line                                                                        *)
(*   cube_optimal      so it is universally optimal for every monotone loss on the chain, padded with 0       *)
(*                                                                                                            *)
(* Inputs are numbered (enum_val, enum_rank), as mechanisms are matrices.                                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form Geometric Oblivious InducedMetric Channels Refinement.
From ExactDP Require Import Rays Kernels KernelOptimality LineRays Restriction Definition9 TheoremNine PairsOfInputs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Cube.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Local Notation cube := {ffun 'I_n -> bool}.
Local Notation G := (geometric n a).
Local Notation ones := (@counting [finType of bool] id n).

(* Privacy for n bits: e_ij = a^d, d the Hamming distance of the inputs with the numbers i and j. *)
Definition cube_level (i j : 'I_#|[finType of cube]|) : R := a ^+ hamming (enum_val i) (enum_val j).

(* The geometric mechanism of the number of ones: the row of an input with k ones is row k of G(n, a). *)
Definition ones_geometric : 'M[R]_(#|[finType of cube]|, n.+1) := \matrix_(i, j) G (ones (enum_val i)) j.

(* The first k bits. *)
(* chain k is the input whose first k bits are 1, the others 0. *)
Definition chain (k : 'I_n.+1) : cube := [ffun i : 'I_n => (i < k)%N].

(* The number that the input chain k has among all inputs. *)
Definition on_chain (k : 'I_n.+1) : 'I_#|[finType of cube]| := enum_rank (chain k).

Lemma chain_ones k : ones (chain k) = k.
Proof.
apply/val_inj; rewrite /= countingE /count_rows.
under eq_bigr => i _ do rewrite ffunE.
by rewrite sum_below; apply/minn_idPr; rewrite -ltnS.
Qed.

Lemma chain_hamming j k : hamming (chain j) (chain k) = dist j k.
Proof.
have below (x y : 'I_n.+1) : (x <= y)%N -> hamming (chain x) (chain y) = (y - x)%N.
  move=> xy; have : (hamming (chain x) (chain y) + count_rows id (chain x) = count_rows id (chain y))%N.
    rewrite /hamming /count_rows -big_split; apply: eq_bigr => i _; rewrite /= !ffunE.
    by case: (ltnP i x) => [ix|_]; [rewrite (leq_trans ix xy) | case: (ltnP i y)].
  by rewrite -!countingE !chain_ones => <-; rewrite addnK.
case: (leqP j k) => [jk|/ltnW kj]; first by rewrite below // /dist; nat_lia.
by rewrite hamming_sym below // /dist; nat_lia.
Qed.

(* One bit less. *)
Lemma drop_one (x : cube) : ones x != ord0 -> exists y, hamming x y = 1%N /\ ones x = (ones y).+1 :> nat.
Proof.
move=> x_neq0; have [i xi] : exists i, x i.
  apply/existsP; apply: contraNT x_neq0; rewrite negb_exists => /forallP none.
  by rewrite -val_eqE /= countingE /count_rows big1 // => i _; have /negPf -> := none i.
pose y : cube := [ffun k => x k && (k != i)]; exists y; split.
  rewrite /hamming (bigD1 i) //= ffunE xi eqxx /= big1 // => k ki.
  by rewrite ffunE ki andbT eqxx.
rewrite !countingE /count_rows (bigD1 i) //= [in RHS](bigD1 i) //= ffunE xi eqxx /= add0n add1n; congr _.+1.
by apply: eq_bigr => k ki; rewrite ffunE ki andbT.
Qed.

Lemma ones_private j : private_vector cube_level (ones_geometric^~ j).
Proof.
have [[G_ge0 _] G_priv] := geometric_of_type n a_gt0 a_lt1.
split=> [i|i k]; rewrite !mxE -?[geometric _ _ _ _]mxE; first by have := G_ge0 (ones (enum_val i)) j; rewrite mxE.
have := G_priv (ones (enum_val i)) (ones (enum_val k)) j; rewrite !mxE; apply: le_trans.
apply: ler_wpmul2r; first by have := G_ge0 (ones (enum_val k)) j; rewrite mxE.
rewrite /cube_level /line_level ler_wiexpn2l ?(ltW a_gt0) ?(ltW a_lt1) //.
exact: counting_lipschitz.
Qed.

Lemma ones_stochastic : stochastic ones_geometric.
Proof.
have [G_ge0 G_sum1] := geometric_stochastic n a_gt0 a_lt1.
split=> [i j|i]; first by rewrite mxE.
by under eq_bigr => j _ do rewrite mxE.
Qed.

Lemma ones_of_type : of_type cube_level ones_geometric.
Proof.
split=> [|i k j]; first exact: ones_stochastic.
by have [_] := ones_private j; apply.
Qed.

Theorem cube_chain : restriction on_chain ones_geometric = G /\
  forall j k, cube_level (on_chain j) (on_chain k) = @line_level R n a j k.
Proof.
split=> [|j k]; last by rewrite /cube_level !enum_rankK chain_hamming.
by apply/matrixP => k j; rewrite mxE [LHS]mxE enum_rankK chain_ones.
Qed.

Theorem cube_kernel : kernel cube_level ones_geometric.
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
split; [split=> [|j _]|move=> c c_null c_rel].
- exact: ones_stochastic.
- have v_gt0 i : 0 < ones_geometric i j by rewrite !mxE; apply: mulr_gt0; [exact: exprn_gt0 | exact: scale_gt0].
  pose i0 := enum_rank (chain ord0).
  split; [exact: ones_private | by exists i0; rewrite gt_eqF | move=> x y [_ x_priv] [_ y_priv] v_def].
  pose v := ones_geometric^~ j; pose o := enum_rank (chain ord0).
  have tight i k : v i = cube_level i k * v k -> x i = cube_level i k * x k.
    rewrite /v !v_def mulrDr => both; apply/eqP; rewrite eq_le x_priv andbT.
    by rewrite -(ler_add2r (y i)) both ler_add2l y_priv.
  pose c := x o / v o; exists c; have v_neq0 k : v k != 0 by exact: lt0r_neq0 (v_gt0 k).
  suff all k (z : cube) : ones z = k :> nat -> x (enum_rank z) = c * v (enum_rank z).
    by move=> i; have := all _ (enum_val i) erefl; rewrite enum_valK.
  elim: k z => [|k IHk] z z_ones.
    have -> : z = chain ord0.
      apply/ffunP => i; rewrite ffunE ltn0; apply/negbTE/negP => zi.
      by move: z_ones; rewrite countingE /count_rows (bigD1 i) //= zi.
    by rewrite /c divfK.
  have [|z' [z'_ham z'_ones]] := @drop_one z; first by rewrite -val_eqE /= z_ones.
  have z'_k : ones z' = k :> nat by apply/eqP; rewrite -eqSS -z'_ones z_ones.
  have z'_x := IHk z' z'_k.
  have e_zz' : cube_level (enum_rank z) (enum_rank z') = a by rewrite /cube_level !enum_rankK z'_ham expr1.
  have e_z'z : cube_level (enum_rank z') (enum_rank z) = a by rewrite /cube_level !enum_rankK hamming_sym z'_ham expr1.
  have vE z1 : v (enum_rank z1) = a ^+ dist (ones z1) j * scale a n j by rewrite /v !mxE enum_rankK.
  have [jk|kj] := leqP j k.
    have t : v (enum_rank z) = cube_level (enum_rank z) (enum_rank z') * v (enum_rank z').
      by rewrite e_zz' !vE mulrA -exprS z_ones z'_k; congr (_ ^+ _ * _); rewrite /dist; nat_lia.
    by rewrite t (tight _ _ t) z'_x mulrCA.
  have t : v (enum_rank z') = cube_level (enum_rank z') (enum_rank z) * v (enum_rank z).
    by rewrite e_z'z !vE mulrA -exprS z_ones z'_k; congr (_ ^+ _ * _); rewrite /dist; nat_lia.
  by apply: (mulfI a_neq0); have := tight _ _ t; rewrite e_z'z => <-; rewrite z'_x t e_z'z mulrCA.
have [_ G_ind] := geometric_kernel n a_gt0 a_lt1; have [chainE _] := cube_chain.
apply: G_ind => [j G0|k]; first by apply: c_null => i; rewrite mxE.
by rewrite -[RHS](c_rel (on_chain k)) -chainE; apply: eq_bigr => j _; rewrite [in LHS]mxE.
Qed.

(* Whatever the geometric mechanism is optimal for. *)
Theorem cube_utility (W : finType) (w0 : W) (l : 'I_n.+1 -> W -> R) :
  universally_optimal (@line_level R n a) w0 l G -> universally_optimal cube_level w0 (lifted on_chain l) ones_geometric.
Proof.
have [chainE levelE] := cube_chain; move=> opt; apply: restriction_optimal; first exact: ones_of_type.
by rewrite chainE; apply: eq_optimal opt => j k; rewrite levelE.
Qed.

Theorem cube_optimal (W : finType) (w0 : W) (l : 'I_n.+1 -> W -> R) : monotone_in (@line_metric_in R n) l ->
  universally_optimal cube_level w0 (lifted on_chain l) ones_geometric.
Proof.
move=> [m [alpha [m_mono alpha_inj lE]]]; apply: cube_utility; apply: (theorem9 a_gt0 a_lt1 w0 (s := 1)); first exact: ltr01.
by exists m, alpha; split=> // x w; rewrite mul1r lE.
Qed.

End Cube.
