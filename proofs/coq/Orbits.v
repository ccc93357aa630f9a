(* SPDX-License-Identifier: MIT *)
(* Columns that automorphisms map to each other: what holds of one of them holds of all.                      *)
(*                                                                                                            *)
(* Pairs e of inputs, from(e) and to(e), with factors b_e (a^d for the distance d).  A column x >= 0 obeys    *)
(* them when  b_e x_to <= x_from  and  b_e x_from <= x_to  for each.  An automorphism is a permutation of the *)
(* inputs that maps every pair, in one of its two orders, to a pair with the same factor.                     *)
(*   automorphism_inv      its inverse is one                                                                 *)
(*   image_obeys           the image of a column that obeys the pairs does                                    *)
(*   covered_pairs         multipliers >= 0 of the pairs that leave nothing negative of the costs c: then     *)
(*                         sum c_i x_i >= 0 for every column that obeys the pairs                             *)
(*   covered_image         and so it is for the image of c                                                    *)
(*   orbit_bound           where that holds of the costs w_i l_ir - mu_i of each guess r, by multipliers or   *)
(*                         as the image of another guess, no mechanism has a weighted loss below sum mu       *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From ExactDP Require Import OrderedField Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

Section Orbits.
Variables (R : realFieldType) (p : nat) (T : Type) (es : seq T) (from to : T -> 'I_p) (b : T -> R).
Add Field R_field : (field_theory_of R).
Implicit Types (x y c : 'I_p -> R) (g : {perm 'I_p}).

Definition obeys x := (forall i, 0 <= x i) /\
  forall e, List.In e es -> b e * x (to e) <= x (from e) /\ b e * x (from e) <= x (to e).

Definition automorphism g := forall e, List.In e es -> exists2 f, List.In f es &
  b f = b e /\ ((from f = g (from e) /\ to f = g (to e)) \/ (from f = g (to e) /\ to f = g (from e))).

Lemma pulled_obeys g x : automorphism g -> obeys x -> obeys (fun i => x (g i)).
Proof.
move=> g_aut [x_ge0 x_obeys]; split=> [i|e e_in]; first exact: x_ge0.
by have [f f_in [<- [[<- <-]|[<- <-]]]] := g_aut e e_in; have [? ?] := x_obeys f f_in.
Qed.

Lemma automorphism_mul g h : automorphism g -> automorphism h -> automorphism (g * h)%g.
Proof.
move=> g_aut h_aut e e_in; have [f f_in [bf f_is]] := g_aut e e_in.
have [k k_in [bk k_is]] := h_aut f f_in; exists k => //; split; first by rewrite bk bf.
by rewrite !permM; case: f_is k_is => -[<- <-] [[-> ->]|[-> ->]]; [left | right | right | left].
Qed.

Lemma automorphism_exp g n : automorphism g -> automorphism (g ^+ n)%g.
Proof.
move=> g_aut; elim: n => [|n IHn]; last by rewrite expgS; exact: automorphism_mul.
by rewrite expg0 => e e_in; exists e => //; split=> //; left; rewrite !perm1.
Qed.

(* A power of g is its inverse, as there are finitely many permutations. *)
Theorem automorphism_inv g : automorphism g -> automorphism g^-1%g.
Proof.
move=> g_aut; have -> : (g^-1 = g ^+ #[g].-1)%g.
  by apply: (mulgI g); rewrite mulgV -expgS prednK ?order_gt0 // expg_order.
exact: automorphism_exp.
Qed.

Theorem image_obeys g x y : automorphism g -> (forall i, y (g i) = x i) -> obeys x -> obeys y.
Proof.
move=> /automorphism_inv g_aut yx /(pulled_obeys g_aut)[x_ge0 x_obeys].
have yE i : y i = x (g^-1%g i) by rewrite -yx permKV.
by split=> [i|e e_in]; rewrite !yE //; exact: x_obeys.
Qed.

(* The costs c cover a column when they are not negative on it. *)
Definition covered c := forall x, obeys x -> 0 <= \sum_i c i * x i.

Theorem covered_image g c c' : automorphism g -> (forall i, c' (g i) = c i) -> covered c -> covered c'.
Proof.
move=> g_aut cc' c_cov x x_obeys; rewrite (reindex_inj (@perm_inj _ g)) /=.
by under eq_bigr => i _ do rewrite cc'; exact: c_cov (pulled_obeys g_aut x_obeys).
Qed.

(* What the multipliers u_e of x_from - b_e x_to and v_e of x_to - b_e x_from put on x_i. *)
Definition put_on (u v : T -> R) (i : 'I_p) : R :=
  \sum_(e <- es | from e == i) (u e - b e * v e) + \sum_(e <- es | to e == i) (v e - b e * u e).

Lemma sum_put_on u v x : \sum_i put_on u v i * x i =
  \sum_(e <- es) (u e * (x (from e) - b e * x (to e)) + v e * (x (to e) - b e * x (from e))).
Proof.
have ends (at_ : T -> 'I_p) (f : T -> R) :
    \sum_i (\sum_(e <- es | at_ e == i) f e) * x i = \sum_(e <- es) f e * x (at_ e).
  transitivity (\sum_i \sum_(e <- es) (if at_ e == i then f e * x i else 0)).
    by apply: eq_bigr => i _; rewrite mulr_suml big_mkcond.
  rewrite exchange_big /=; apply: eq_bigr => e _.
  by rewrite -big_mkcond (big_pred1 (at_ e)) // => i; rewrite eq_sym.
under eq_bigr => i _ do rewrite mulrDl.
rewrite big_split /= !ends -big_split /=; apply: eq_bigr => e _.
by by_ring R.
Qed.

Theorem covered_pairs u v c : (forall e, List.In e es -> 0 <= u e) -> (forall e, List.In e es -> 0 <= v e) ->
  (forall i, 0 <= c i - put_on u v i) -> covered c.
Proof.
move=> u_ge0 v_ge0 left_ge0 x [x_ge0 x_obeys].
have -> : \sum_i c i * x i = \sum_i (c i - put_on u v i) * x i + \sum_i put_on u v i * x i.
  by rewrite -big_split; apply: eq_bigr => i _ /=; rewrite -mulrDl subrK.
apply: addr_ge0; first by apply: sumr_ge0 => i _; rewrite mulr_ge0.
rewrite sum_put_on; move: u_ge0 v_ge0 x_obeys {left_ge0}.
elim: es => [|e s IHs] u_ge0 v_ge0 x_obeys; first by rewrite big_nil.
have [one other] := x_obeys e (or_introl erefl).
rewrite big_cons; apply: addr_ge0; last first.
  by apply: IHs => f f_in; [apply: u_ge0 | apply: v_ge0 | apply: x_obeys]; right.
by apply: addr_ge0; rewrite mulr_ge0 ?subr_ge0 //; [apply: u_ge0 | apply: v_ge0]; left.
Qed.

Section Bound.
Variables (m : nat) (l : 'M[R]_(p, m)) (w mu : 'I_p -> R).

Definition cost (r : 'I_m) : 'I_p -> R := fun i => w i * l i r - mu i.

(* A guess is shown by multipliers, or as the image of one that is. *)
Inductive shown : 'I_m -> Prop :=
| by_multipliers r u v : (forall e, List.In e es -> 0 <= u e) -> (forall e, List.In e es -> 0 <= v e) ->
    (forall i, 0 <= cost r i - put_on u v i) -> shown r
| by_image r s g : shown r -> automorphism g -> (forall i, cost s (g i) = cost r i) -> shown s.

Lemma shown_covered r : shown r -> covered (cost r).
Proof.
elim=> [{}r u v u_ge0 v_ge0 left_ge0|{}r s g _ r_cov g_aut same]; first exact: covered_pairs left_ge0.
exact: covered_image g_aut same r_cov.
Qed.

Theorem orbit_bound (X : 'M[R]_(p, m)) : (forall r, shown r) -> stochastic X -> (forall r, obeys (X^~ r)) ->
  \sum_i mu i <= bayes_loss w l X.
Proof.
move=> all_shown [_ X_sum1] X_obeys; rewrite -subr_ge0.
have -> : bayes_loss w l X - \sum_i mu i = \sum_r \sum_i cost r i * X i r.
  rewrite [RHS]exchange_big /= /bayes_loss -sumrB; apply: eq_bigr => i _.
  rewrite /loss_at -[mu i in LHS]mulr1 -(X_sum1 i) !mulr_sumr -sumrB; apply: eq_bigr => r _.
  by rewrite /cost mulrBl mulrA.
by apply: sumr_ge0 => r _; exact: shown_covered (all_shown r) _ (X_obeys r).
Qed.

End Bound.
End Orbits.
