(* SPDX-License-Identifier: MIT *)
(* Weak duality with a power for each pair (SPEC, section 4.2, graph rule).                                   *)
(*                                                                                                            *)
(* Pairs e of inputs, from(e) and to(e), each with a factor b_e (a^d for its distance d), and multipliers      *)
(* u_er, v_er >= 0 of  x_from,r - b_e x_to,r >= 0  and  x_to,r - b_e x_from,r >= 0.  The reduced costs are     *)
(*   w_i l_ir - mu_i - sum_(e from i) (u_er - b_e v_er) - sum_(e to i) (v_er - b_e u_er).                     *)
(*   pair_duality     if they are >= 0, then no mechanism that obeys the pairs has a weighted loss below sum mu *)
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

Theorem pair_duality (X : 'M[R]_(p, m)) : stochastic X ->
  (forall e r, List.In e es -> 0 <= u e r) -> (forall e r, List.In e es -> 0 <= v e r) ->
  (forall e, List.In e es -> exists i j : 'I_p,
     [/\ i = from e :> nat, j = to e :> nat & forall r, b e * X j r <= X i r /\ b e * X i r <= X j r]) ->
  (forall i r, 0 <= pair_cost i r) -> \sum_i mu i <= bayes_loss w l X.
Proof.
move=> [X_ge0 X_sum1] u_ge0 v_ge0 obeys cost_ge0.
pose slack r e := \sum_(i : 'I_p | from e == i) (u e r - b e * v e r) * X i r
                + \sum_(i : 'I_p | to e == i) (v e r - b e * u e r) * X i r.
have slack_ge0 r e : List.In e es -> 0 <= slack r e.
  move=> e_in; have [i [j [i_e j_e X_ij]]] := obeys e e_in; have [ij ji] := X_ij r; rewrite /slack.
  rewrite (big_pred1 i) => [|k]; last by rewrite -i_e eq_sym.
  rewrite (big_pred1 j) => [|k]; last by rewrite -j_e eq_sym.
  rewrite (_ : _ + _ = u e r * (X i r - b e * X j r) + v e r * (X j r - b e * X i r)); last by by_ring R.
  by rewrite addr_ge0 // mulr_ge0 ?u_ge0 ?v_ge0 ?subr_ge0.
have cost_sum : \sum_i \sum_r pair_cost i r * X i r
    = bayes_loss w l X - \sum_i mu i - \sum_r \sum_(e <- es) slack r e.
  have -> : bayes_loss w l X - \sum_i mu i = \sum_i \sum_r (w i * l i r - mu i) * X i r.
    rewrite /bayes_loss -sumrB; apply: eq_bigr => i _; rewrite /loss_at -[mu i in LHS]mulr1 -(X_sum1 i) !mulr_sumr -sumrB.
    by apply: eq_bigr => r _; by_ring R.
  have -> : \sum_r \sum_(e <- es) slack r e = \sum_(i : 'I_p) \sum_r
      (\sum_(e <- es | from e == i) (u e r - b e * v e r) + \sum_(e <- es | to e == i) (v e r - b e * u e r)) * X i r.
    rewrite [RHS]exchange_big /=; apply: eq_bigr => r _; rewrite /slack big_split /= -!sum_at_ends -big_split /=.
    by apply: eq_bigr => i _; rewrite mulrDl.
  rewrite -sumrB; apply: eq_bigr => i _; rewrite -sumrB; apply: eq_bigr => r _.
  by rewrite /pair_cost; by_ring R.
rewrite -subr_ge0 -[X in 0 <= X](subrK (\sum_r \sum_(e <- es) slack r e)) -cost_sum.
apply: addr_ge0.
  by rewrite sumr_ge0 // => i _; rewrite sumr_ge0 // => r _; rewrite mulr_ge0.
by rewrite sumr_ge0 // => r _; apply: sum_In_ge0 => e; exact: slack_ge0.
Qed.

End PairDuality.
