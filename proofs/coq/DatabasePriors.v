(* SPDX-License-Identifier: MIT *)
(* Universal optimality for priors on databases, against mechanisms that are not oblivious.                   *)
(*                                                                                                            *)
(*   databases_optimality   where all databases with the same count have the same weight, some remap of the   *)
(*                          geometric mechanism after the count loses no more than any private mechanism on   *)
(*                          databases, oblivious or not                                                       *)
(* For other priors on databases this is false: two databases whose counts are near may be far apart.         *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import Mechanism PostProcessing Geometric Losses Universal Oblivious.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section EqualDatabases.
Variables (R : realFieldType) (D : finType) (P : pred D) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (some_with : exists t, P t) (some_without : exists t, ~~ P t).
Local Notation database := {ffun 'I_n -> D}.
Local Notation count := (counting P (n := n)).
Variables (l : 'M[R]_(n.+1, m.+1)) (w : 'I_n.+1 -> R).

(* A prior that gives all databases with the same count the same weight, w(count) in all. *)
Definition equal_weights (d : database) : R := w (count d) / #|class count (count d)|%:R.

Theorem databases_optimality : monotone_loss l -> (forall i, 0 <= w i) ->
  exists2 T : 'I_n.+1 -> 'I_m.+1, (forall i j : 'I_n.+1, (i <= j)%N -> (T i <= T j)%N) &
    forall x : database -> 'I_m.+1 -> R, (forall d r, 0 <= x d r) -> (forall d, \sum_r x d r = 1) ->
      (forall d e r, differ_in_one d e -> a * x e r <= x d r) ->
    \sum_d equal_weights d * (\sum_r l (count d) r * (geometric n a *m remap R T) (count d) r)
    <= \sum_d equal_weights d * (\sum_r l (count d) r * x d r).
Proof.
move=> l_mono w_ge0; have [T T_mono T_opt] := universal_optimality_monotone a_gt0 a_lt1 l_mono w_ge0.
exists T => // x x_ge0 x_sum1 x_priv.
have onto := counting_onto some_with some_without (n := n).
have class_gt0 u : 0 < #|class count u|%:R :> R.
  by rewrite ltr0n; apply/card_gt0P; have [d du] := onto u; exists d; rewrite inE du.
have by_count (f : database -> R) :
    \sum_d equal_weights d * f d = \sum_u w u * ((\sum_(d in class count u) f d) / #|class count u|%:R).
  rewrite (partition_big count xpredT) //=; apply: eq_bigr => u _.
  rewrite mulr_suml mulr_sumr; apply: eq_big => [d|d /eqP <-]; first by rewrite inE.
  by rewrite /equal_weights mulrAC mulrA.
rewrite !by_count.
have G_loss u : (\sum_(d in class count u) (\sum_r l (count d) r * (geometric n a *m remap R T) (count d) r)) / #|class count u|%:R
    = loss_at l (geometric n a *m remap R T) u.
  rewrite (eq_bigr (fun=> loss_at l (geometric n a *m remap R T) u)) => [|d]; last by rewrite inE => /eqP ->.
  by rewrite sumr_const -[X in X / _]mulr_natr mulfK // gt_eqF.
have x_loss u : (\sum_(d in class count u) (\sum_r l (count d) r * x d r)) / #|class count u|%:R = loss_at l (average count x) u.
  rewrite /loss_at; under [RHS]eq_bigr => r _ do rewrite mxE mulrA mulr_sumr.
  rewrite -mulr_suml; congr (_ / _); rewrite [RHS]exchange_big /=.
  by apply: eq_bigr => d; rewrite inE => /eqP ->.
under eq_bigr => u _ do rewrite G_loss.
under [leRHS]eq_bigr => u _ do rewrite x_loss.
apply: T_opt; first exact: average_stochastic.
exact: (average_private (@differ_sym _ _) (count_regular some_with some_without (n := n)) onto).
Qed.
End EqualDatabases.
