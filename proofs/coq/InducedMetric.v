(* SPDX-License-Identifier: MIT *)
(* Queries and the metrics they induce (Fernandes and others, Sections 4 and 8.1).                            *)
(*                                                                                                            *)
(*   induced           e' y y' is the largest level of a path from y to y' whose steps are pairs f x, f x'    *)
(*                     with the level e x x': levels are exp (- distance), so this is the least path weight   *)
(*   induced_privacy   Lemma 6: f is 1-Lipschitz, and H after f is private exactly when H is                  *)
(*   counting_induced  a counting query induces |i - j| from the Hamming metric                               *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Oblivious.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Induced.
Variables (R : realFieldType) (X Y : Type) (f : X -> Y) (e : X -> X -> R) (e' : Y -> Y -> R).
Hypothesis e_ge0 : forall x x', 0 <= e x x'.

Inductive path_level : Y -> Y -> R -> Prop :=
| path_here y : path_level y y 1
| path_step x x' y c : path_level (f x') y c -> path_level (f x) y (e x x' * c).

Definition induced :=
  (forall y y' c, path_level y y' c -> c <= e' y y') /\ (forall y y', path_level y y' (e' y y')).

(* Privacy on any set of inputs. *)
Definition private_map (Z : Type) (level : Z -> Z -> R) m (H : Z -> 'I_m -> R) :=
  forall z z' r, level z z' * H z' r <= H z r.

Theorem induced_privacy : induced -> (forall x x', e x x' <= e' (f x) (f x')) /\
  forall m (H : Y -> 'I_m -> R), (forall y r, 0 <= H y r) -> private_map e (fun x => H (f x)) <-> private_map e' H.
Proof.
move=> [paths_le attained]; have lipschitz x x' : e x x' <= e' (f x) (f x').
  by rewrite -[e x x']mulr1; apply: paths_le; apply: path_step; exact: path_here.
split=> // m H H_ge0; split=> [Hf_priv y y' r|H_priv x x' r].
  elim: (attained y y') => [z|x x' z c _ IHc]; first by rewrite mul1r.
  by rewrite -mulrA; apply: le_trans (Hf_priv x x' r); rewrite ler_wpmul2l.
by apply: le_trans (H_priv (f x) (f x') r); rewrite ler_wpmul2r.
Qed.

End Induced.

Section Hamming.
Variables (D : eqType) (n : nat).
Local Notation database := {ffun 'I_n -> D}.

(* In how many rows two databases differ. *)
Definition hamming (d d' : database) : nat := (\sum_i (d i != d' i))%N.

Lemma hamming_sym d d' : hamming d d' = hamming d' d.
Proof. by apply: eq_bigr => i _; rewrite eq_sym. Qed.

End Hamming.

Section Counting.
Variables (R : realFieldType) (D : finType) (P : pred D) (n : nat) (a : R).
Hypotheses (a_ge0 : 0 <= a) (a_le1 : a <= 1).
Local Notation database := {ffun 'I_n -> D}.
Hypotheses (some_with : exists t, P t) (some_without : exists t, ~~ P t).

Lemma sum_below k l : (\sum_(x < k) (x < l) = minn k l)%N.
Proof.
elim: k => [|k IHk]; first by rewrite big_ord0 min0n.
rewrite big_ord_recr /= IHk; case: (ltnP k l) => kl; first by rewrite addn1 (minn_idPl kl).
by rewrite addn0 (minn_idPr (leqW kl)).
Qed.

Lemma counting_lipschitz (d d' : database) : (dist (counting P d) (counting P d') <= hamming d d')%N.
Proof.
have le (x y : database) : (count_rows P x <= count_rows P y + hamming x y)%N.
  rewrite /count_rows /hamming -big_split; apply: leq_sum => i _ /=.
  by case: eqVneq => [->|_]; [rewrite addn0 | case: (P (x i)); case: (P (y i))].
by have := le d d'; have := le d' d; rewrite (hamming_sym d') !countingE /dist => le1 le2; nat_lia.
Qed.

(* The first k rows have the property. *)
Lemma block_path (i j : 'I_n.+1) : (i <= j)%N ->
  exists d d' : database, [/\ counting P d = i, counting P d' = j & hamming d d' = (j - i)%N].
Proof.
move=> ij; have [[t1 P_t1] [t0 P_t0]] := (some_with, some_without).
pose block (k : nat) : database := [ffun x : 'I_n => if (x < k)%N then t1 else t0].
have P_block k x : P (block k x) = (x < k)%N by rewrite ffunE; case: ifP => _ //; exact: negbTE.
have block_count (k : 'I_n.+1) : count_rows P (block k) = k.
  rewrite /count_rows; under eq_bigr => x _ do rewrite P_block.
  by rewrite sum_below (minn_idPr _) // -ltnS.
exists (block i), (block j); split; [by apply/val_inj; rewrite /= countingE block_count.. |].
suff ham : (hamming (block i) (block j) + count_rows P (block i) = count_rows P (block j))%N.
  by move: ham; rewrite !block_count => /(congr1 (subn^~ i)); rewrite addnK.
rewrite /hamming /count_rows -big_split /=.
apply: eq_bigr => x _; rewrite !P_block !ffunE.
have t10 : (t1 == t0) = false by apply: contraNF P_t0 => /eqP <-.
case: (ltnP x i) => [xi|_]; first by rewrite (leq_trans xi ij) eqxx.
by case: (ltnP x j) => _; rewrite ?eqxx // eq_sym t10.
Qed.

Theorem counting_induced :
  induced (counting P (n := n)) (fun d d' => a ^+ hamming d d') (fun i j => a ^+ dist i j).
Proof.
split=> [i j c|i j].
  elim=> [y|d d' y c' _ IHc]; first by rewrite /dist subnn.
  apply: (@le_trans _ _ (a ^+ hamming d d' * a ^+ dist (counting P d') y)); first by rewrite ler_wpmul2l ?exprn_ge0.
  rewrite -exprD ler_wiexpn2l //.
  by have := counting_lipschitz d d'; rewrite /dist => lip; nat_lia.
have one_step (d d' : database) y y' : counting P d = y -> counting P d' = y' ->
    path_level (counting P (n := n)) (fun d d' => a ^+ hamming d d') y y' (a ^+ hamming d d').
  by move=> <- <-; rewrite -[a ^+ _]mulr1; apply: path_step; exact: path_here.
case: (leqP i j) => [ij|/ltnW ji].
  have [d [d' [d_i d'_j ham]]] := block_path ij.
  have -> : dist i j = hamming d d' by rewrite ham /dist; nat_lia.
  exact: one_step.
have [d [d' [d_j d'_i ham]]] := block_path ji.
have -> : dist i j = hamming d' d by rewrite hamming_sym ham /dist; nat_lia.
exact: one_step.
Qed.

End Counting.
