(* SPDX-License-Identifier: MIT *)
(* Several mechanisms with independent results, about one input or about separate parts of a database.         *)
(*                                                                                                            *)
(*   sequential_on     privacy of all results together, about one input                                        *)
(*   sequential_least  it holds at a where the products of the least quotients are at least a                  *)
(*   parallel_on       the same where inputs are tuples, and neighbours differ in one entry                    *)
(*   parallelP         it holds at a exactly if each mechanism is a-private                                    *)
(* The mechanisms are X k for k in a finite type; results are a choice r k of an output for each.              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sequential.
Variable R : realFieldType.
Variables (I : finType) (p : nat) (m : I -> nat) (X : forall k, 'M[R]_(p, m k)).

(* The probability of the results r at input i. *)
Definition joint_law (i : 'I_p) (r : forall k, 'I_(m k)) : R := \prod_k X k i (r k).

(* All results together are private at level a about one input: a P(r | j) <= P(r | i) for adjacent i, j and all results r. *)
Definition sequential_on (adjacent : rel 'I_p) (a : R) :=
  forall i j r, adjacent i j -> a * joint_law j r <= joint_law i r.

Lemma joint_ge0 i r : (forall k, stochastic (X k)) -> 0 <= joint_law i r.
Proof. by move=> X_st; apply: prodr_ge0 => k _; exact: (proj1 (X_st k)). Qed.

Theorem sequential_least (adjacent : rel 'I_p) (a : R) (c : 'I_p -> 'I_p -> I -> R) :
  (forall k, stochastic (X k)) ->
  (forall i j k r, adjacent i j -> 0 <= c i j k /\ c i j k * X k j r <= X k i r) ->
  (forall i j, adjacent i j -> a <= \prod_k c i j k) -> sequential_on adjacent a.
Proof.
move=> X_st c_least c_a i j r ij.
apply: le_trans (_ : \prod_k c i j k * joint_law j r <= _).
  by rewrite ler_wpmul2r ?joint_ge0 ?c_a.
rewrite -big_split /=; apply: ler_prod => k _; have [c_ge0 c_le] := c_least i j k (r k) ij.
by rewrite c_le mulr_ge0 // (proj1 (X_st k)).
Qed.

End Sequential.

Section Parallel.
Variable R : realFieldType.
Variables (I : finType) (p m : I -> nat) (X : forall k, 'M[R]_(p k, m k)).

(* The probability of the results r at the tuple x. *)
Definition tuple_law (x : forall k, 'I_(p k)) (r : forall k, 'I_(m k)) : R := \prod_k X k (x k) (r k).

(* The same about tuples: a P(r | y) <= P(r | x) for all r, whenever x and y have adjacent k-th entries for   *)
(* some k, and are else the same.                                                                             *)
Definition parallel_on (adjacent : forall k, rel 'I_(p k)) (a : R) :=
  forall k (x y : forall l, 'I_(p l)) r, adjacent k (x k) (y k) -> (forall l, l != k -> x l = y l) ->
  a * tuple_law y r <= tuple_law x r.

(* A choice with the k-th entry replaced by z. *)
Definition replaced (n : I -> nat) k (z : 'I_(n k)) (x : forall l, 'I_(n l)) (l : I) : 'I_(n l) :=
  match k =P l with
  | ReflectT e => ecast l ('I_(n l)) e z
  | ReflectF _ => x l
  end.

Lemma replaced_at n k (z : 'I_(n k)) x : replaced z x k = z.
Proof. by rewrite /replaced; case: eqP => // e; rewrite (eq_axiomK e). Qed.

Lemma replaced_other n k (z : 'I_(n k)) x l : l != k -> replaced z x l = x l.
Proof. by rewrite /replaced => /eqP lk; case: eqP => // e; case: lk; rewrite e. Qed.

Theorem parallelP (adjacent : forall k, rel 'I_(p k)) (a : R) :
  (forall k, stochastic (X k)) -> (forall k, (0 < p k)%N) ->
  parallel_on adjacent a <-> forall k, private_on (@adjacent k) a (X k).
Proof.
move=> X_st p_gt0; split=> [X_priv k i j r ij | X_priv k x y r xy same]; last first.
  rewrite /tuple_law (bigD1 k) //= [leRHS](bigD1 k) //= mulrA.
  rewrite (eq_bigr (fun l => X l (x l) (r l))); last by move=> l l_k; rewrite same.
  rewrite ler_wpmul2r ?X_priv // prodr_ge0 // => l _; exact: (proj1 (X_st l)).
have x0 l : 'I_(p l) := Ordinal (p_gt0 l).
have r0_exists l : {s | 0 < X l (x0 l) s}.
  apply/sigW; have := proj2 (X_st l) (x0 l); case: (pickP (fun s => 0 < X l (x0 l) s)) => [s s_gt0 _|none].
    by exists s.
  rewrite big1 => [/eqP|s _]; first by rewrite eq_sym oner_eq0.
  by apply/le_anti/andP; split; [rewrite leNgt none | exact: (proj1 (X_st l))].
pose r0 l := sval (r0_exists l).
have := X_priv k (replaced i x0) (replaced j x0) (replaced r r0).
rewrite !replaced_at => /(_ ij); rewrite /tuple_law (bigD1 k) //= [leRHS](bigD1 k) //= mulrA !replaced_at.
set rest := (X in _ <= _ * X); rewrite (_ : \prod_(l | l != k) _ = rest); last first.
  by apply: eq_bigr => l l_k; rewrite !replaced_other.
have rest_gt0 : 0 < rest.
  by apply: prodr_gt0 => l l_k; rewrite !replaced_other //; exact: svalP (r0_exists l).
by rewrite ler_pmul2r //; apply=> l l_k; rewrite !replaced_other.
Qed.

End Parallel.
