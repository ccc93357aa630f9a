(* SPDX-License-Identifier: MIT *)
(* Weak duality with a power for each pair (SPEC, section 4.2, graph rule).                                   *)
(*                                                                                                            *)
(* Pairs e of inputs, from(e) and to(e), each with a factor b_e (a^d for its distance d), and multipliers      *)
(* u_er, v_er >= 0 of  x_from,r - b_e x_to,r >= 0  and  x_to,r - b_e x_from,r >= 0.  The reduced costs are     *)
(*   w_i l_ir - mu_i - sum_(e from i) (u_er - b_e v_er) - sum_(e to i) (v_er - b_e u_er).                     *)
(*   pair_duality     if they are >= 0, then no mechanism that obeys the pairs has a weighted loss below sum mu *)
(*   pair_slackness   and one that has this loss meets with equality whatever has a positive multiplier or cost *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PairDuality.
Variables (R : realFieldType) (p m : nat) (l : 'M[R]_(p, m)) (w mu : 'I_p -> R).
Variables (T : Type) (es : seq T) (from to : T -> nat) (b : T -> R) (u v : T -> 'I_m -> R).
Add Field R_field : (field_theory_of R).

Definition pair_cost (i : 'I_p) (r : 'I_m) : R :=
  w i * l i r - mu i - \sum_(e <- es | from e == i) (u e r - b e * v e r)
                     - \sum_(e <- es | to e == i) (v e r - b e * u e r).

Lemma sum_In_ge0 (F : T -> R) : (forall e, List.In e es -> 0 <= F e) -> 0 <= \sum_(e <- es) F e.
Proof.
elim: es => [|e s IHs] F_ge0; first by rewrite big_nil.
rewrite big_cons; apply: addr_ge0; first by apply: F_ge0; left.
by apply: IHs => x x_s; apply: F_ge0; right.
Qed.

Lemma sum_at_ends (at_ : T -> nat) (f : T -> R) (x : 'I_p -> R) :
  \sum_(i : 'I_p) (\sum_(e <- es | at_ e == i) f e) * x i = \sum_(e <- es) \sum_(i : 'I_p | at_ e == i) f e * x i.
Proof.
under [RHS]eq_bigr => e _ do rewrite big_mkcond /=.
rewrite [RHS]exchange_big /=; apply: eq_bigr => i _; rewrite mulr_suml big_mkcond /=.
by apply: eq_bigr => e _; case: ifP.
Qed.

(* What the multipliers of pair e gain at guess r. *)
Definition pair_gain (X : 'M[R]_(p, m)) (r : 'I_m) (e : T) : R :=
  \sum_(i : 'I_p | from e == i) (u e r - b e * v e r) * X i r + \sum_(i : 'I_p | to e == i) (v e r - b e * u e r) * X i r.

Lemma pair_gainE X r e (i j : 'I_p) : i = from e :> nat -> j = to e :> nat ->
  pair_gain X r e = u e r * (X i r - b e * X j r) + v e r * (X j r - b e * X i r).
Proof.
move=> i_e j_e; rewrite /pair_gain.
rewrite (big_pred1 i) => [|k]; last by rewrite -i_e eq_sym.
rewrite (big_pred1 j) => [|k]; last by rewrite -j_e eq_sym.
by by_ring R.
Qed.

Lemma pair_cost_sum (X : 'M[R]_(p, m)) : stochastic X ->
  bayes_loss w l X - \sum_i mu i = \sum_i \sum_r pair_cost i r * X i r + \sum_r \sum_(e <- es) pair_gain X r e.
Proof.
move=> [_ X_sum1].
have -> : bayes_loss w l X - \sum_i mu i = \sum_i \sum_r (w i * l i r - mu i) * X i r.
  rewrite /bayes_loss -sumrB; apply: eq_bigr => i _; rewrite /loss_at -[mu i in LHS]mulr1 -(X_sum1 i) !mulr_sumr -sumrB.
  by apply: eq_bigr => r _; by_ring R.
have -> : \sum_r \sum_(e <- es) pair_gain X r e = \sum_(i : 'I_p) \sum_r
    (\sum_(e <- es | from e == i) (u e r - b e * v e r) + \sum_(e <- es | to e == i) (v e r - b e * u e r)) * X i r.
  rewrite [RHS]exchange_big /=; apply: eq_bigr => r _; rewrite /pair_gain big_split /= -!sum_at_ends -big_split /=.
  by apply: eq_bigr => i _; rewrite mulrDl.
rewrite -big_split /=; apply: eq_bigr => i _; rewrite -big_split /=; apply: eq_bigr => r _.
by rewrite /pair_cost; by_ring R.
Qed.

Section Bound.
Variable X : 'M[R]_(p, m).
Hypotheses (X_st : stochastic X)
  (u_ge0 : forall e r, List.In e es -> 0 <= u e r) (v_ge0 : forall e r, List.In e es -> 0 <= v e r)
  (obeys : forall e, List.In e es -> exists i j : 'I_p,
     [/\ i = from e :> nat, j = to e :> nat & forall r, b e * X j r <= X i r /\ b e * X i r <= X j r])
  (cost_ge0 : forall i r, 0 <= pair_cost i r).

Lemma pair_gain_ge0 r e : List.In e es -> 0 <= pair_gain X r e.
Proof.
move=> e_in; have [i [j [i_e j_e X_ij]]] := obeys e_in; have [ij ji] := X_ij r.
by rewrite (pair_gainE _ _ i_e j_e) addr_ge0 // mulr_ge0 ?u_ge0 ?v_ge0 ?subr_ge0.
Qed.

Lemma pair_costs_ge0 : 0 <= \sum_i \sum_r pair_cost i r * X i r.
Proof. by rewrite sumr_ge0 // => i _; rewrite sumr_ge0 // => r _; rewrite mulr_ge0 //; case: X_st. Qed.

Lemma pair_gains_ge0 : 0 <= \sum_r \sum_(e <- es) pair_gain X r e.
Proof. by rewrite sumr_ge0 // => r _; apply: sum_In_ge0 => e; exact: pair_gain_ge0. Qed.

Theorem pair_duality : \sum_i mu i <= bayes_loss w l X.
Proof. by rewrite -subr_ge0 pair_cost_sum // addr_ge0 // (pair_costs_ge0, pair_gains_ge0). Qed.

Lemma sum_In_eq0 (F : T -> R) : (forall e, List.In e es -> 0 <= F e) -> \sum_(e <- es) F e = 0 ->
  forall e, List.In e es -> F e = 0.
Proof.
elim: es => [|x s IHs] F_ge0 //; rewrite big_cons => sum0.
have x_ge0 : 0 <= F x by apply: F_ge0; left.
have s_ge0 : 0 <= \sum_(e <- s) F e.
  elim: s F_ge0 {IHs sum0} => [|y s IHs] F_ge0; first by rewrite big_nil.
  rewrite big_cons addr_ge0 //; first by apply: F_ge0; right; left.
  by apply: IHs => e [<-|e_in]; apply: F_ge0; [left | right; right].
have /andP[/eqP x0 /eqP s0] : (F x == 0) && (\sum_(e <- s) F e == 0) by rewrite -paddr_eq0 // sum0.
by move=> e [<-//|]; apply: IHs => // y y_in; apply: F_ge0; right.
Qed.

Theorem pair_slackness : bayes_loss w l X <= \sum_i mu i ->
  (forall i r, pair_cost i r * X i r = 0) /\
  forall e r (i j : 'I_p), List.In e es -> i = from e :> nat -> j = to e :> nat ->
    u e r * (X i r - b e * X j r) = 0 /\ v e r * (X j r - b e * X i r) = 0.
Proof.
move=> attained; have := pair_cost_sum X_st; have := pair_costs_ge0; have := pair_gains_ge0.
have le0 : bayes_loss w l X - \sum_i mu i <= 0 by rewrite subr_le0.
set gains := \sum_r _; set costs := \sum_i _ => gains_ge0 costs_ge0 sum_is.
have sum0 : costs + gains = 0 by apply/le_anti; rewrite addr_ge0 // andbT -sum_is.
have /andP[/eqP costs0 /eqP gains0] : (costs == 0) && (gains == 0) by rewrite -paddr_eq0 // sum0.
have cost_X_ge0 i r : 0 <= pair_cost i r * X i r by rewrite mulr_ge0 //; case: X_st.
split=> [i r|e r i j e_in i_e j_e].
  have row0 : \sum_r pair_cost i r * X i r = 0.
    by apply: (psumr_eq0P _ costs0) => // k _; exact: sumr_ge0.
  exact: (psumr_eq0P _ row0).
have column0 : \sum_(e <- es) pair_gain X r e = 0.
  apply: (psumr_eq0P _ gains0) => // s _; apply: sum_In_ge0 => x; exact: pair_gain_ge0.
have := sum_In_eq0 (fun x => @pair_gain_ge0 r x) column0 e_in.
have [x [y [x_e y_e X_xy]]] := obeys e_in; have [xy yx] := X_xy r.
have -> : i = x by apply: val_inj; rewrite /= i_e x_e.
have -> : j = y by apply: val_inj; rewrite /= j_e y_e.
rewrite (pair_gainE _ _ x_e y_e) => /eqP; rewrite paddr_eq0 ?mulr_ge0 ?u_ge0 ?v_ge0 ?subr_ge0 //.
by case/andP=> /eqP -> /eqP ->.
Qed.
End Bound.

End PairDuality.
