(* SPDX-License-Identifier: MIT *)
(* The words of the subject: mechanisms, privacy, derivability, losses and consumers.                         *)
(*                                                                                                            *)
(* A mechanism with p inputs and m outputs is a matrix 'M[R]_(p, m): rows are inputs, columns are outputs.    *)
(* A counting query on n people has the inputs 0, ..., n, that is 'I_n.+1.  The level is a number a, 0<a<1    *)
(* (alpha in the paper).  The number of outputs is free: consumers may guess among any m numbers.             *)
From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* |i - j| for natural numbers, where subtraction stops at 0. *)
Definition dist (i j : nat) : nat := ((i - j) + (j - i))%N.

Section Mechanism.
Variable R : realFieldType.

(* Rows are probability distributions. *)
Definition stochastic p m (X : 'M[R]_(p, m)) :=
  (forall i r, 0 <= X i r) /\ (forall i, \sum_r X i r = 1).

(* Column r of X as a sequence, for induction along the inputs 0, ..., n. *)
Definition column n m (X : 'M[R]_(n.+1, m)) (r : 'I_m) : nat -> R := fun i => X (inord i) r.

Lemma columnE n m (X : 'M[R]_(n.+1, m)) r (i : 'I_n.+1) : column X r i = X i r.
Proof. by rewrite /column inord_val. Qed.

(* Privacy at level a on a graph: x_ir >= a x_jr for all adjacent inputs i, j and all outputs r. *)
Definition private_on p m (adjacent : rel 'I_p) (a : R) (X : 'M[R]_(p, m)) :=
  forall i j r, adjacent i j -> a * X j r <= X i r.

(* Counting queries: the results of neighbouring databases differ by at most one. *)
Definition line n : rel 'I_n.+1 := fun i j => (j == i.+1 :> nat) || (i == j.+1 :> nat).

(* Definition 2: privacy at level a for counting queries, whose inputs are 0, ..., n; [privateP] is the paper's wording. *)
Definition private n m (a : R) (X : 'M[R]_(n.+1, m)) := private_on (@line n) a X.

(* Definition 2 of the paper, in its words: x_ir >= a x_{i+1,r} and x_{i+1,r} >= a x_ir. *)
Lemma privateP n m (a : R) (X : 'M[R]_(n.+1, m)) :
  private a X <->
  forall (i j : 'I_n.+1) r, j = i.+1 :> nat -> X i r >= a * X j r /\ X j r >= a * X i r.
Proof.
split=> [X_priv i j r ij | X_priv i j r /orP[/eqP ij | /eqP ji]].
- by split; apply: X_priv; rewrite /line ij eqxx ?orbT.
- by case: (X_priv i j r ij).
- by case: (X_priv j i r ji).
Qed.

(* Definition 3: X is derivable from Y when X = Y T for a stochastic T. *)
Definition derivable p m k (Y : 'M[R]_(p, m)) (X : 'M[R]_(p, k)) :=
  exists2 T : 'M[R]_(m, k), stochastic T & X = Y *m T.

(* The deterministic interaction that reads output j as the guess f j. *)
Definition remap m k (f : 'I_m -> 'I_k) : 'M[R]_(m, k) := \matrix_(j, r) (f j == r)%:R.

(* Expected loss when the true result is i. *)
Definition loss_at p m (l X : 'M[R]_(p, m)) (i : 'I_p) : R := \sum_r l i r * X i r.

(* A Bayesian consumer weighs the inputs, by a prior or by any weights w >= 0. *)
Definition bayes_loss p m (w : 'I_p -> R) (l X : 'M[R]_(p, m)) : R := \sum_i w i * loss_at l X i.

(* A minimax consumer with side information S loses at most v when no input in S costs more.  So              *)
(* "max_(i in S) loss_i(X) <= v" is written [worst_loss_le S l X v]; it makes sense for an empty S as well.   *)
Definition worst_loss_le p m (S : {set 'I_p}) (l X : 'M[R]_(p, m)) (v : R) :=
  forall i, i \in S -> loss_at l X i <= v.

(* Section 2.3: the loss does not decrease in |i - r|, for every i. *)
Definition monotone_loss p m (l : 'M[R]_(p, m)) :=
  forall (i : 'I_p) (r s : 'I_m), (dist i r <= dist i s)%N -> l i r <= l i s.

(* All that is used of a loss: for guesses r < s there is an input t from which on s is at least as good.     *)
Definition single_crossing p m (l : 'M[R]_(p, m)) :=
  forall r s : 'I_m, (r < s)%N ->
  exists t : nat, forall i : 'I_p, ((i < t)%N -> l i r <= l i s) /\ ((t <= i)%N -> l i s <= l i r).

End Mechanism.
