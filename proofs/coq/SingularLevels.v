(* SPDX-License-Identifier: MIT *)
(* The determinant of Phi is a polynomial of the level.                                                       *)
(*                                                                                                            *)
(*   graph_determinant        det Phi = P(a) for a polynomial P with integer coefficients and P(0) = 1        *)
(*   transcendental a         a is a root of no polynomial with integer coefficients but 0                    *)
(*   transcendental_nonsingular   at such a level Phi is not singular, on any graph, connected or not         *)
(*   singular_few             a list of different singular levels is never longer than the degree of P        *)
(*                                                                                                            *)
(* e^(-eps) is transcendental for every rational eps other than 0 (Hermite, Lindemann; not proved here).      *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Walks TightConstraints SmallLevels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* P(a), for a polynomial P with integer coefficients. *)
Definition at_level (R : realFieldType) (P : {poly int}) (a : R) : R := (map_poly intr P).[a].

(* a is a root of no polynomial with integer coefficients but 0. *)
Definition transcendental (R : realFieldType) (a : R) := forall P : {poly int}, P != 0 -> at_level P a != 0.

Section Graph.
Variables (p : nat) (adjacent : rel 'I_p).

(* Phi with the level as a variable 'X: the entry (i, k) is 'X^d(i,k), and 0 where there is no walk from i to k. *)
Definition phi_polynomials : 'M[{poly int}]_p :=
  \matrix_(i, k) if connect adjacent i k then 'X^(distance adjacent i k) else 0.

(* det Phi as a polynomial of the level. *)
Definition determinant : {poly int} := \det phi_polynomials.

Theorem graph_determinant (R : realFieldType) (a : R) :
  \det (\matrix_(i, k) graph_phi adjacent a i k) = at_level determinant a /\ determinant.[0] = 1.
Proof.
split.
  rewrite /at_level /determinant -det_map_mx -[RHS]/(horner_eval a _) -det_map_mx; congr (\det _).
  apply/matrixP=> i k; rewrite !mxE /horner_eval /graph_phi; case: ifP => _; last by rewrite ?rmorph0 ?horner0.
  by rewrite rmorphX rmorphX /= map_polyX /horner_eval hornerX.
rewrite /determinant -[LHS]/(horner_eval 0 _) -det_map_mx -[RHS](det1 _ p); congr (\det _).
apply/matrixP=> i k; rewrite !mxE /horner_eval; have [<-|ik] := eqVneq i k.
  by rewrite connect0 distance_self expr0 rmorph1.
case: ifP => [|_]; last by rewrite rmorph0.
case/connected_distance=> _; case: (distance adjacent i k) => [|d _]; first by rewrite /= (negPf ik).
by rewrite rmorphX /= /horner_eval hornerX expr0n.
Qed.

Lemma determinant_neq0 : determinant != 0.
Proof.
have [_ P0] := graph_determinant (0 : rat); apply/eqP => P_0; move: P0.
by rewrite P_0 horner0.
Qed.

Theorem transcendental_nonsingular (R : realFieldType) (a : R) : transcendental a -> nonsingular (graph_phi adjacent a).
Proof.
move=> a_trans; apply/nonsingularP; rewrite unitmxE unitfE (proj1 (graph_determinant a)).
exact: a_trans determinant_neq0.
Qed.

Theorem singular_few (R : realFieldType) (s : seq R) : uniq s -> (forall a, a \in s -> ~ nonsingular (graph_phi adjacent a)) ->
  (size s < size determinant)%N.
Proof.
move=> s_uniq s_singular; have size_eq : size (map_poly intr determinant : {poly R}) = size determinant.
  by apply: size_map_inj_poly; [exact: intr_inj | rewrite rmorph0].
rewrite -size_eq; apply: max_poly_roots s_uniq => //.
  by rewrite -size_poly_gt0 size_eq size_poly_gt0 determinant_neq0.
apply/allP=> a /s_singular singular; rewrite /root -/(at_level determinant a) -(proj1 (graph_determinant a)).
apply/negP => det_neq0; apply: singular; apply/nonsingularP.
by rewrite unitmxE unitfE; exact/negP.
Qed.

End Graph.
