(* SPDX-License-Identifier: MIT *)
(* Finite sums of Coq's real numbers, with the notation of mathcomp.                                           *)
(*                                                                                                            *)
(*   \sum_(r | P r) F r     the sum over the elements of a finite type that satisfy P                          *)
(*   leR, eqR               comparisons of real numbers as truth values                                        *)
(*   card P                 the number of elements that satisfy P, as a real number                            *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope R_scope.

Lemma Radd_assoc : associative Rplus. Proof. by move=> x y z; ring. Qed.
Lemma Radd_comm : commutative Rplus. Proof. by move=> x y; ring. Qed.
Lemma Radd_left_id : left_id 0 Rplus. Proof. by move=> x; ring. Qed.
Lemma Radd_right_id : right_id 0 Rplus. Proof. by move=> x; ring. Qed.
Lemma Rmul_assoc : associative Rmult. Proof. by move=> x y z; ring. Qed.
Lemma Rmul_comm : commutative Rmult. Proof. by move=> x y; ring. Qed.
Lemma Rmul_left_id : left_id 1 Rmult. Proof. by move=> x; ring. Qed.
Lemma Rmul_right_id : right_id 1 Rmult. Proof. by move=> x; ring. Qed.
Lemma Rmul_left_zero : left_zero 0 Rmult. Proof. by move=> x; ring. Qed.
Lemma Rmul_right_zero : right_zero 0 Rmult. Proof. by move=> x; ring. Qed.
Lemma Rmul_left_distr : left_distributive Rmult Rplus. Proof. by move=> x y z; ring. Qed.
Lemma Rmul_right_distr : right_distributive Rmult Rplus. Proof. by move=> x y z; ring. Qed.

Canonical Radd_law := Monoid.Law Radd_assoc Radd_left_id Radd_right_id.
Canonical Radd_com_law := Monoid.ComLaw Radd_comm.
Canonical Rmul_law := Monoid.Law Rmul_assoc Rmul_left_id Rmul_right_id.
Canonical Rmul_com_law := Monoid.ComLaw Rmul_comm.
Canonical Rmul_mul_law := Monoid.MulLaw Rmul_left_zero Rmul_right_zero.
Canonical Radd_add_law := Monoid.AddLaw Rmul_left_distr Rmul_right_distr.

Notation "\sum_ ( i | P ) F" := (\big[Rplus/0]_(i | P) F) : R_scope.
Notation "\sum_ i F" := (\big[Rplus/0]_i F) : R_scope.
Notation "\prod_ i F" := (\big[Rmult/1]_i F) : R_scope.

(* x <= y, as a truth value. *)
Definition leR (x y : R) : bool := if Rle_dec x y then true else false.
(* x = y, as a truth value. *)
Definition eqR (x y : R) : bool := if Req_EM_T x y then true else false.

Lemma leRP x y : reflect (x <= y) (leR x y).
Proof. by rewrite /leR; case: Rle_dec => h; constructor. Qed.

Lemma eqRP x y : reflect (x = y) (eqR x y).
Proof. by rewrite /eqR; case: Req_EM_T => h; constructor. Qed.

Section Sums.
Variable I : finType.
Implicit Types (P Q : pred I) (F G : I -> R) (c : R).

(* How many elements satisfy P. *)
Definition card P : R := INR #|P|.

Lemma sum_le P F G : (forall i, P i -> F i <= G i) -> \sum_(i | P i) F i <= \sum_(i | P i) G i.
Proof. by move=> le; apply: (big_ind2 Rle) => //; [lra | move=> x1 x2 y1 y2; lra]. Qed.

Lemma sum_ge0 P F : (forall i, P i -> 0 <= F i) -> 0 <= \sum_(i | P i) F i.
Proof. by move=> ge; apply: (big_ind (fun x => 0 <= x)) => //; [lra | move=> x y; lra]. Qed.

Lemma sum_mull c P F : c * (\sum_(i | P i) F i) = \sum_(i | P i) (c * F i).
Proof. exact: big_distrr. Qed.

Lemma sum_mulr c P F : (\sum_(i | P i) F i) * c = \sum_(i | P i) (F i * c).
Proof. exact: big_distrl. Qed.

Lemma sum_divr c P F : (\sum_(i | P i) F i) / c = \sum_(i | P i) (F i / c).
Proof. exact: big_distrl. Qed.

Lemma sum_add P F G : \sum_(i | P i) (F i + G i) = \sum_(i | P i) F i + \sum_(i | P i) G i.
Proof. exact: big_split. Qed.

Lemma sum_sub P F G : \sum_(i | P i) (F i - G i) = \sum_(i | P i) F i - \sum_(i | P i) G i.
Proof.
rewrite (eq_bigr (fun i => F i + -1 * G i)) => [|i _]; last by ring.
by rewrite sum_add -sum_mull; ring.
Qed.

Lemma sum_const c P : \sum_(i | P i) c = card P * c.
Proof.
rewrite big_const /card; elim: #|P| => [|n IHn]; first by rewrite /=; ring.
by rewrite iterS IHn S_INR; ring.
Qed.

Lemma sum_sub_le P F : (forall i, 0 <= F i) -> \sum_(i | P i) F i <= \sum_i F i.
Proof.
move=> ge; rewrite [X in _ <= X](bigID P) /=.
have : 0 <= \sum_(i | ~~ P i) F i by apply: sum_ge0.
lra.
Qed.

Lemma sum_gt0 F i0 : (forall i, 0 <= F i) -> 0 < F i0 -> 0 < \sum_i F i.
Proof.
move=> ge gt; rewrite (bigD1 i0) //=.
have : 0 <= \sum_(i | i != i0) F i by apply: sum_ge0.
lra.
Qed.

Lemma card_ge0 P : 0 <= card P.
Proof. exact: pos_INR. Qed.

Lemma card_le P Q : (forall i, P i -> Q i) -> card P <= card Q.
Proof. by move=> PQ; apply: le_INR; apply/leP; apply: subset_leq_card; apply/subsetP => i; exact: PQ. Qed.

Lemma card_ge1 P i : P i -> 1 <= card P.
Proof. by move=> Pi; apply: (le_INR 1); apply/leP; apply/card_gt0P; exists i. Qed.

End Sums.
