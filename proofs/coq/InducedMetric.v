(* SPDX-License-Identifier: MIT *)
(* Queries and the metrics they induce (Fernandes and others, Sections 4 and 8.1).                            *)
(*                                                                                                            *)
(*   induced           e' y y' is the largest level of a path from y to y' whose steps are pairs f x, f x'    *)
(*                     with the level e x x': levels are exp (- distance), so this is the least path weight   *)
(*   induced_privacy   Lemma 6: f is 1-Lipschitz, and H after f is private exactly when H is                  *)
(*   infimum_privacy   the same when no path has the least weight: infinitely many inputs, least weights as    *)
(*                     infima                                                                                 *)
(*   counting_induced  a counting query induces |i - j| from the Hamming metric                               *)
(*   lipschitz_induced so does every 1-Lipschitz map of databases onto 0..m                                   *)
(*   lipschitz_interval and the values of a 1-Lipschitz map are consecutive numbers                           *)
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

(* path_level y y' c: some path from y to y' has the level c, the product of the e x x' of its steps from f x to f x'; *)
(* the path without steps has the level 1.                                                                             *)
Inductive path_level : Y -> Y -> R -> Prop :=
| path_here y : path_level y y 1
| path_step x x' y c : path_level (f x') y c -> path_level (f x) y (e x x' * c).

(* Definition 8, for levels e = exp (- d): e' is the metric on Y that f induces from e, that is e' y y' is the largest *)
(* level of a path from y to y', and some path has it.                                                                 *)
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

(* The least upper bound of the levels of paths: it need not be the level of one. *)
Definition induced_infimum :=
  forall y y', (forall c, path_level y y' c -> c <= e' y y') /\
    (forall b, (forall c, path_level y y' c -> c <= b) -> e' y y' <= b).

Theorem infimum_privacy : induced_infimum -> (forall x x', e x x' <= e' (f x) (f x')) /\
  forall m (H : Y -> 'I_m -> R), (forall y r, 0 <= H y r) -> private_map e (fun x => H (f x)) <-> private_map e' H.
Proof.
move=> e'P; have lipschitz x x' : e x x' <= e' (f x) (f x').
  by have [le _] := e'P (f x) (f x'); rewrite -[e x x']mulr1; apply/le/path_step/path_here.
split=> // m H H_ge0; split=> [Hf_priv y y' r|H_priv x x' r]; last first.
  by apply: le_trans (H_priv (f x) (f x') r); rewrite ler_wpmul2r.
have along c : path_level y y' c -> c * H y' r <= H y r.
  elim=> {y y' c} [z|x x' z c _ IHc]; first by rewrite mul1r.
  by rewrite -mulrA; apply: le_trans (Hf_priv x x' r); rewrite ler_wpmul2l.
have [H0|H_neq0] := eqVneq (H y' r) 0; first by rewrite H0 mulr0.
have H_gt0 : 0 < H y' r by rewrite lt_neqAle eq_sym H_neq0 H_ge0.
by rewrite -ler_pdivl_mulr //; have [_] := e'P y y'; apply=> c /along; rewrite ler_pdivl_mulr.
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

(* Every 1-Lipschitz map onto 0, ..., m: the rows of one database are exchanged for those of another, one by  *)
(* one, and the value changes by at most 1 each time, so it passes through all values between.                *)
Section Lipschitz.
Variables (R : realFieldType) (D : eqType) (n m : nat) (a : R).
Hypotheses (a_ge0 : 0 <= a) (a_le1 : a <= 1).
Local Notation database := {ffun 'I_n -> D}.

(* The first k rows of d', the others of d. *)
Definition exchanged (d d' : database) (k : nat) : database := [ffun i : 'I_n => if (i < k)%N then d' i else d i].

Lemma exchanged_step d d' k : (hamming (exchanged d d' k) (exchanged d d' k.+1) <= 1)%N.
Proof.
have [k_lt|k_ge] := ltnP k n; last first.
  rewrite /hamming big1 // => i _; rewrite !ffunE.
  by rewrite (leq_trans (ltn_ord i) k_ge) (leq_trans (ltn_ord i) (leqW k_ge)) eqxx.
rewrite /hamming (bigD1 (Ordinal k_lt)) //= big1 => [|i i_k]; first by rewrite addn0 leq_b1.
rewrite !ffunE.
have -> : (i < k.+1)%N = (i < k)%N; last by rewrite eqxx.
by rewrite ltnS leq_eqVlt (_ : (nat_of_ord i == k) = false) //; apply/negP => /eqP ik; move/eqP: i_k; apply; apply/val_inj.
Qed.

(* So such maps take all values between two of theirs. *)
Theorem lipschitz_interval (f : database -> nat) d d' y : (forall d d', (dist (f d) (f d') <= hamming d d')%N) ->
  (f d <= y <= f d')%N -> exists x, f x = y.
Proof.
move=> f_lip /andP[d_y y_d']; have start : exchanged d d' 0 = d by apply/ffunP => x; rewrite ffunE.
have stop : exchanged d d' n = d' by apply/ffunP => x; rewrite ffunE ltn_ord.
have above : exists k, (y <= f (exchanged d d' k))%N by exists n; rewrite stop.
case: (ex_minnP above) => -[|k] k_above k_least.
  by exists d; apply/eqP; rewrite eqn_leq d_y; move: k_above; rewrite start.
have k_below : (f (exchanged d d' k) < y)%N by rewrite ltnNge; apply/negP => /k_least; rewrite ltnn.
exists (exchanged d d' k.+1); have := f_lip (exchanged d d' k) (exchanged d d' k.+1); have := exchanged_step d d' k.
by rewrite /dist => near lip; nat_lia.
Qed.

Variable f : database -> 'I_m.+1.
Hypothesis f_onto : forall y, exists d, f d = y.
Hypothesis f_lipschitz : forall d d', (dist (f d) (f d') <= hamming d d')%N.

Lemma one_up (i j : 'I_m.+1) : j = i.+1 :> nat -> exists x x' : database, [/\ f x = i, f x' = j & hamming x x' = 1%N].
Proof.
move=> ij; have [[d d_i] [d' d'_j]] := (f_onto i, f_onto j).
have start : exchanged d d' 0 = d by apply/ffunP => x; rewrite ffunE.
have stop : exchanged d d' n = d' by apply/ffunP => x; rewrite ffunE ltn_ord.
have above : exists k, (i < f (exchanged d d' k))%N by exists n; rewrite stop d'_j ij.
case: (ex_minnP above) => -[|k]; first by rewrite start d_i ltnn.
move=> k_above k_least; have k_below : (f (exchanged d d' k) <= i)%N.
  by rewrite leqNgt; apply/negP => /k_least; rewrite ltnn.
have := f_lipschitz (exchanged d d' k) (exchanged d d' k.+1); have := exchanged_step d d' k.
set x := exchanged d d' k in k_below *; set x' := exchanged d d' k.+1 in k_above *; rewrite /dist => near lip.
exists x, x'; split; [apply/val_inj | apply/val_inj | ]; rewrite /=; nat_lia.
Qed.

Theorem lipschitz_induced : induced f (fun d d' => a ^+ hamming d d') (fun i j => a ^+ dist i j).
Proof.
split=> [i j c|i j].
  elim=> {i j c} [y|d d' y c' _ IHc]; first by rewrite /dist subnn.
  apply: (@le_trans _ _ (a ^+ hamming d d' * a ^+ dist (f d') y)); first by rewrite ler_wpmul2l ?exprn_ge0.
  rewrite -exprD ler_wiexpn2l //.
  by have := f_lipschitz d d'; rewrite /dist => lip; nat_lia.
move dist_k: (dist i j) => k; elim: k i dist_k => [|k IHk] i dist_k.
  have -> : i = j by apply/val_inj; move: dist_k; rewrite /dist /= => dist_k; nat_lia.
  by rewrite expr0; exact: path_here.
have [l [d [d' [<- d'_l ham]]] dist_l] : exists2 l : 'I_m.+1,
    exists d d' : database, [/\ f d = i, f d' = l & hamming d d' = 1%N] & dist l j = k.
  have [ij|ji] := leqP i j.
    have i_lt : (i.+1 < m.+1)%N by have := ltn_ord j; move: dist_k; rewrite /dist => dist_k j_lt; nat_lia.
    exists (Ordinal i_lt); first exact: one_up.
    by move: dist_k; rewrite /dist /= => dist_k; nat_lia.
  have i_gt : (i.-1 < m.+1)%N by have := ltn_ord i => i_lt; nat_lia.
  exists (Ordinal i_gt); last by move: dist_k; rewrite /dist /= => dist_k; nat_lia.
  have [|x [x' [x_l x'_i ham]]] := @one_up (Ordinal i_gt) i; first by rewrite /=; nat_lia.
  by exists x', x; rewrite hamming_sym.
have -> : a ^+ k.+1 = a ^+ hamming d d' * a ^+ k by rewrite ham expr1 exprS.
by apply: (@path_step _ _ _ f (fun d d' => a ^+ hamming d d') d d'); rewrite d'_l; exact: IHk.
Qed.

End Lipschitz.
