(* SPDX-License-Identifier: MIT *)
(* The rules about Phi v (SPEC, section 4.8), decided on integers.                                            *)
(*                                                                                                            *)
(*   maps_to           Phi v = b                                              (maps_toP)                      *)
(*   solves_with       the same with v >= 0                                   (solves_withP)                  *)
(*   excludes          Phi w >= 0 and sum b w < 0                             (excludesP)                     *)
(*   is_prior          a vector is a distribution                             (is_priorP)                     *)
(*   cells_in, spread_over     vectors on inputs, or on cells of inputs                                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia Ascii String.
From ExactDP Require Import OrderedField Mechanism MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Reader Meaning Tables.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Vectors of witnesses ---- *)
(* For each input the number of its cell, or nothing: then each input is a cell of its own. *)
Definition cells_in (p : nat) (ms : seq (text * json)) : option (option (seq N)) :=
  match find_key (bytes_of "cells"%string) ms with
  | None => Some None
  | Some v => let! vs := array_of v in let! cs := all_of (index_of (N.of_nat p)) vs in
      demand size cs == p in Some (Some cs)
  end.

(* Where all numbers must be >= 0 ([signed] is false), a cell without an input has no negative one either. *)
Definition spread_over (p : nat) (signed : bool) (cells : option (seq N)) (v : json) : option vector :=
  match cells with
  | None => vector_of p v
  | Some cs =>
      let m := (N.to_nat (foldr N.max 0%num cs)).+1 in
      let! x := vector_of m v in
      let numbers := dense m (terms x) in
      let spread := enumerate 0 [seq nth 0%Z numbers (N.to_nat c) | c <- cs] in
      demand [|| signed, all_ge0 (terms x) | ~~ all_ge0 spread] in Some (Vector (unit x) spread)
  end.

Definition vector_at (p : nat) (key : text) (ms : seq (text * json)) : option vector :=
  let signed := same key (bytes_of "farkas"%string) || same key (bytes_of "kernel"%string) in
  let! cells := cells_in p ms in let! v := find_key key ms in spread_over p signed cells v.

(* ---- The rules ---- *)
Definition ones (p : nat) : vector := Vector 1 (enumerate 0 (nseq p 1%Z)).

Definition product_at (p : nat) (I : integers) (v : vector) (i : nat) : Z := dot p (terms v) (line_of I i).

Definition maps_to (p : nat) (I : integers) (v b : vector) : bool :=
  below (N.of_nat p) (terms v) &&
  all (fun i => (product_at p I v i * Zpos (unit b) =? at_index (terms b) i * (scaling I * Zpos (unit v)))%Z) (iota 0 p).

Definition solves_with (p : nat) (I : integers) (v b : vector) : bool := all_ge0 (terms v) && maps_to p I v b.

Definition excludes (p : nat) (I : integers) (w b : vector) : bool :=
  [&& below (N.of_nat p) (terms w), all (fun i => (0 <=? product_at p I w i)%Z) (iota 0 p) &
      (dot p (terms w) (terms b) <? 0)%Z].

Definition is_prior (p : nat) (b : vector) : bool := is_distribution p (Zpos (unit b)) (terms b).

Section Rules.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Definition vector_on p (v : vector) : 'I_p -> R := fun i => vector_entry R v i.

Section Phi.
Variables (p : nat) (I : integers) (Phi : 'M[R]_p).
Hypothesis I_Phi : represents I Phi.

Lemma product_atP v (i : 'I_p) : below (N.of_nat p) (terms v) ->
  \sum_k Phi i k * vector_on v k = of_Z (product_at p I v i) / (of_Z (scaling I) * of_Z (Zpos (unit v))).
Proof.
move=> v_p; rewrite (dotE _ _ v_p) mulr_suml; case: I_Phi => I_gt0 PhiE; apply: eq_bigr => k _.
rewrite PhiE /vector_on /vector_entry.
have u_neq0 := of_Z_pos_neq0 R (unit v); have I_neq0 : of_Z (scaling I) != 0 by rewrite gt_eqF.
by by_field R; split; apply/eqP.
Qed.

Theorem maps_toP v b : maps_to p I v b -> forall i, \sum_k Phi i k * vector_on v k = vector_on b i.
Proof.
case/andP=> v_p /(all_nthP 0%N) same i; rewrite product_atP //.
have := same i; rewrite size_iota nth_iota // add0n => /(_ (ltn_ord i))/Z.eqb_eq.
move/(congr1 of_Z); rewrite !of_ZM => e; case: I_Phi => I_gt0 _.
have I_neq0 : of_Z (scaling I) != 0 by rewrite gt_eqF.
rewrite /vector_on /vector_entry; apply/eqP; rewrite eqr_div ?mulf_neq0 ?of_Z_pos_neq0 //; exact/eqP.
Qed.

Lemma vector_ge0 v (i : 'I_p) : all_ge0 (terms v) -> 0 <= vector_on v i.
Proof. by move/(@all_ge0P _ i)/Z.leb_le; rewrite -(of_Z_ge0 R) => v_ge0; rewrite divr_ge0 // ltW // of_Z_pos. Qed.

Theorem solves_withP v b : solves_with p I v b ->
  (forall i : 'I_p, 0 <= vector_on v i) /\ forall i, \sum_k Phi i k * vector_on v k = vector_on b i.
Proof. by case/andP=> v_ge0 v_b; split=> [i|]; [exact: vector_ge0 | exact: maps_toP]. Qed.

Theorem excludesP w b : excludes p I w b ->
  (forall i, 0 <= \sum_k Phi i k * vector_on w k) /\ \sum_(i < p) vector_on b i * vector_on w i < 0.
Proof.
case/and3P=> w_p /(all_nthP 0%N) ge0 /Z.ltb_lt bw; split=> [i|].
  rewrite product_atP // divr_ge0 //; last by case: I_Phi => I_gt0 _; rewrite mulr_ge0 ?(ltW I_gt0) // ltW // of_Z_pos.
  by have := ge0 i; rewrite size_iota nth_iota // add0n of_Z_ge0 => /(_ (ltn_ord i)).
have -> : \sum_(i < p) vector_on b i * vector_on w i = of_Z (dot p (terms w) (terms b)) / (of_Z (Zpos (unit b)) * of_Z (Zpos (unit w))).
  rewrite (dotE _ _ w_p) mulr_suml; apply: eq_bigr => i _; rewrite /vector_on /vector_entry.
  have u_neq0 := of_Z_pos_neq0 R (unit b); have w_neq0 := of_Z_pos_neq0 R (unit w).
  by by_field R; split; apply/eqP.
rewrite ltr_pdivr_mulr ?mulr_gt0 ?of_Z_pos // mul0r -(of_Z0 R) of_Z_lt; exact/Z.ltb_lt.
Qed.

End Phi.

Lemma onesE p (i : 'I_p) : vector_on (ones p) i = 1.
Proof. by rewrite /vector_on /vector_entry /= (at_enumerate 0) subn0 nth_nseq ltn_ord divr1. Qed.

Lemma is_priorP p b : is_prior p b -> distribution (@vector_on p b).
Proof.
case/and3P=> b_p b_ge0 /Z.eqb_eq b_sum; split=> [i|]; first exact: vector_ge0.
by rewrite /vector_on /vector_entry -mulr_suml sum_row1 // b_sum divff // of_Z_pos_neq0.
Qed.

(* The sum of a vector. *)
Lemma sum_vector p v : below (N.of_nat p) (terms v) ->
  \sum_(i < p) vector_on v i = of_Z (total (terms v)) / of_Z (Zpos (unit v)).
Proof. by move=> v_p; rewrite /vector_on /vector_entry -mulr_suml sum_row1. Qed.

End Rules.
