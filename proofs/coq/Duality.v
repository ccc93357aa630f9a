(* SPDX-License-Identifier: MIT *)
(* Weak duality of the optimal-mechanism LP, on any graph and for any level and loss.                         *)
(*                                                                                                            *)
(* A dual certificate has weights w_i >= 0 on the inputs, a free potential mu_i for each row sum, and a       *)
(* multiplier y_ijr >= 0 for each privacy constraint x_ir - a x_jr >= 0; the reduced costs                    *)
(*   w_i l_ir - mu_i - sum_(j adjacent) y_ijr + a sum_(j adjacent) y_jir                                      *)
(* are >= 0.                                                                                                  *)
(*   duality_gap           loss - sum mu  =  reduced costs times X  +  multipliers times slacks               *)
(*   weak_duality          hence no private mechanism has a weighted loss below sum mu                        *)
(*   weak_duality_minimax  and, for w a distribution on S, none has a worst loss on S below it                *)
(*   dual_optimal          a private mechanism of loss sum mu is optimal                                      *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Duality.
Variables (R : realFieldType) (p m : nat) (adjacent : rel 'I_p) (a : R) (l : 'M[R]_(p, m)).
Variables (w mu : 'I_p -> R) (y : 'I_p -> 'I_p -> 'I_m -> R).
Add Field R_field : (field_theory_of R).

(* The reduced cost w_i l_ir - mu_i - sum_(j : i, j adjacent) y_ijr + a sum_(j : j, i adjacent) y_jir. *)
Definition reduced_cost (i : 'I_p) (r : 'I_m) : R :=
  w i * l i r - mu i - \sum_(j | adjacent i j) y i j r + a * \sum_(j | adjacent j i) y j i r.

(* The multipliers y_ijr of adjacent i, j and all reduced costs are >= 0. *)
Definition dual_feasible :=
  (forall i j r, adjacent i j -> 0 <= y i j r) /\ (forall i r, 0 <= reduced_cost i r).

Theorem duality_gap (X : 'M[R]_(p, m)) : stochastic X ->
  bayes_loss w l X - \sum_i mu i =
  \sum_i \sum_r reduced_cost i r * X i r +
  \sum_i \sum_(j | adjacent i j) \sum_r y i j r * (X i r - a * X j r).
Proof.
move=> [_ X_sum1].
pose out := \sum_i \sum_r (\sum_(j | adjacent i j) y i j r) * X i r.
pose in_ := \sum_i \sum_r (\sum_(j | adjacent j i) y j i r) * X i r.
have -> : \sum_i \sum_r reduced_cost i r * X i r = bayes_loss w l X - \sum_i mu i - out + a * in_.
  rewrite /out /in_ /bayes_loss /loss_at mulr_sumr -!sumrB -big_split /=; apply: eq_bigr => i _.
  rewrite -[mu i]mulr1 -(X_sum1 i) !mulr_sumr -!sumrB -big_split /=; apply: eq_bigr => r _.
  by rewrite /reduced_cost; by_ring R.
rewrite [X in _ = _ + X](_ : _ = out - a * in_); first by by_ring R.
have -> : out = \sum_i \sum_(j | adjacent i j) \sum_r y i j r * X i r.
  by apply: eq_bigr => i _; rewrite exchange_big; apply: eq_bigr => r _; rewrite mulr_suml.
have -> : in_ = \sum_i \sum_(j | adjacent i j) \sum_r y i j r * X j r.
  rewrite [RHS](exchange_big_dep xpredT) //=; apply: eq_bigr => i _.
  by rewrite exchange_big; apply: eq_bigr => r _; rewrite mulr_suml.
rewrite mulr_sumr -sumrB; apply: eq_bigr => i _; rewrite mulr_sumr -sumrB; apply: eq_bigr => j _.
by rewrite mulr_sumr -sumrB; apply: eq_bigr => r _; by_ring R.
Qed.

Theorem weak_duality (X : 'M[R]_(p, m)) :
  dual_feasible -> stochastic X -> private_on adjacent a X -> \sum_i mu i <= bayes_loss w l X.
Proof.
move=> [y_ge0 cost_ge0] X_st X_priv; rewrite -subr_ge0 duality_gap // addr_ge0 //.
  by rewrite sumr_ge0 // => i _; rewrite sumr_ge0 // => r _; rewrite mulr_ge0 // (proj1 X_st).
rewrite sumr_ge0 // => i _; rewrite sumr_ge0 // => j ij; rewrite sumr_ge0 // => r _.
by rewrite mulr_ge0 ?y_ge0 // subr_ge0 X_priv.
Qed.

Corollary weak_duality_minimax (S : {set 'I_p}) (X : 'M[R]_(p, m)) v :
  dual_feasible -> distribution w -> (forall i, i \notin S -> w i = 0) ->
  stochastic X -> private_on adjacent a X -> worst_loss_le S l X v -> \sum_i mu i <= v.
Proof.
move=> dual [w_ge0 w_sum1] w_S X_st X_priv X_le; apply: le_trans (weak_duality dual X_st X_priv) _.
rewrite -[v]mul1r -w_sum1 mulr_suml; apply: ler_sum => i _.
have [i_S|i_S] := boolP (i \in S); first by rewrite ler_wpmul2l // X_le.
by rewrite w_S // !mul0r.
Qed.

Corollary dual_optimal (Y X : 'M[R]_(p, m)) : dual_feasible -> bayes_loss w l Y = \sum_i mu i ->
  stochastic X -> private_on adjacent a X -> bayes_loss w l Y <= bayes_loss w l X.
Proof. by move=> dual ->; exact: weak_duality. Qed.

End Duality.
