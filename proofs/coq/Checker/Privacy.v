(* SPDX-License-Identifier: MIT *)
(* Privacy, decided on integers: the kinds private and not-private (SPEC, sections 3 and 4).                  *)
(*                                                                                                            *)
(*   is_level      0 < a < 1                                                                                  *)
(*   is_private    goes through all constrained pairs, in both orders, and all outputs   (is_privateP)        *)
(*   is_violated   one pair and one output at which privacy fails                        (is_violatedP)       *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism.
From ExactDP.Checker Require Import Numbers Rows Syntax Meaning Tables.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition is_level (a : Q) : bool := (0 <? Qnum a)%Z && (Qnum a <? Zpos (Qden a))%Z.

(* x_r >= a^d y_r, of numbers over one denominator; d = e/k, and both sides are raised to the power k. *)
Definition keeps_at (a d : Q) (x y : Z) : bool :=
  (Qnum a ^ Qnum d * y ^ Zpos (Qden d) <=? Zpos (Qden a) ^ Qnum d * x ^ Zpos (Qden d))%Z.

Definition keeps (m : nat) (a d : Q) (x y : row) : bool :=
  (0 <=? Qnum d)%Z &&
  if Pos.eqb (Qden d) 1 then all_ge0 (combine (Zpos (Qden a) ^ Qnum d) x (- Qnum a ^ Qnum d) y)
  else all (fun r => keeps_at a d (at_index x r) (at_index y r)) (iota 0 m).

Definition is_private (m : nat) (near : neighbours) (a : Q) (I : integers) : bool :=
  all (fun e : N * N * Q =>
         let x := row_at (lines I) e.1.1 in let y := row_at (lines I) e.1.2 in
         keeps m a e.2 x y && keeps m a e.2 y x) (pairs near).

Definition is_violated (p m : nat) (near : neighbours) (a : Q) (I : integers) (i j r : N) : bool :=
  [&& (i <? N.of_nat p)%num, (j <? N.of_nat p)%num, (r <? N.of_nat m)%num &
  has (fun e : N * N * Q =>
         [&& (N.eqb e.1.1 i && N.eqb e.1.2 j) || (N.eqb e.1.1 j && N.eqb e.1.2 i), (0 <=? Qnum e.2)%Z &
             ~~ keeps_at a e.2 (at_index (row_at (lines I) i) (N.to_nat r)) (at_index (row_at (lines I) j) (N.to_nat r))])
      (pairs near)].

Section Privacy.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).

Lemma is_levelP a : is_level a -> 0 < of_Q a < 1.
Proof.
case/andP=> /Z.ltb_lt a_gt0 /Z.ltb_lt a_lt1.
rewrite /of_Q ltr_pdivl_mulr ?of_Z_pos // mul0r ltr_pdivr_mulr ?of_Z_pos // mul1r of_Z_lt -(of_Z0 R) of_Z_lt.
by apply/andP; split; apply/Z.ltb_lt.
Qed.

Lemma keeps_atP a d D (x y : Z) : 0 < of_Z D -> (0 <= Qnum d)%Z ->
  (of_Q a ^+ Z.to_nat (Qnum d) * (of_Z y / of_Z D) ^+ Pos.to_nat (Qden d) <= (of_Z x / of_Z D) ^+ Pos.to_nat (Qden d))
  = keeps_at a d x y.
Proof.
move=> D_gt0 d_ge0; rewrite /keeps_at -(of_Z_le R) !of_ZM !of_ZX_pos /of_Q !expr_div_n.
have powerE z : of_Z (z ^ Qnum d)%Z = of_Z z ^+ Z.to_nat (Qnum d) by rewrite -of_ZX Z2Nat.id.
rewrite !powerE.
set k := Pos.to_nat _; set e := Z.to_nat _; have Dk_gt0 : 0 < of_Z D ^+ k by rewrite exprn_gt0.
have qe_gt0 : 0 < of_Z (Zpos (Qden a)) ^+ e by rewrite exprn_gt0 ?of_Z_pos.
by rewrite mulrA ler_pmul2r ?invr_gt0 // mulrAC ler_pdivr_mulr // [_ ^+ k * _]mulrC.
Qed.

Lemma keepsP m a d D x y (r : 'I_m) : 0 < of_Z D -> keeps m a d x y ->
  of_Q a ^+ Z.to_nat (Qnum d) * (of_Z (at_index y r) / of_Z D) ^+ Pos.to_nat (Qden d)
  <= (of_Z (at_index x r) / of_Z D) ^+ Pos.to_nat (Qden d).
Proof.
move=> D_gt0 /andP[/Z.leb_le d_ge0]; rewrite keeps_atP //; case: Pos.eqb_spec => [d1|_].
  move/(@all_ge0P _ r); rewrite at_combine /keeps_at d1 !Z.pow_1_r => ge0.
  by apply/Z.leb_le; lia.
by move/(all_nthP 0%N)/(_ r); rewrite size_iota nth_iota // add0n; apply.
Qed.

Lemma line_at p m I (X : 'M[R]_(p, m)) (i : 'I_p) (r : 'I_m) : represents I X ->
  X i r = of_Z (at_index (row_at (lines I) (N.of_nat i)) r) / of_Z (scaling I).
Proof. by case=> _ ->; rewrite row_atE Nat2N.id. Qed.

Theorem is_privateP p m near a I (X : 'M[R]_(p, m)) : represents I X ->
  is_private m near a I -> private_for near (of_Q a) X.
Proof.
move=> X_I /all_In I_priv i j d r ij; rewrite !(line_at _ _ X_I).
by case: ij => /I_priv /andP[/= ij ji]; apply: keepsP => //; case: X_I.
Qed.

Theorem is_violatedP p m near a I (X : 'M[R]_(p, m)) i j r : represents I X ->
  is_violated p m near a I i j r -> ~ private_for near (of_Q a) X.
Proof.
move=> X_I /and4P[/N.ltb_lt i_p /N.ltb_lt j_p /N.ltb_lt r_m].
case/has_In=> [[[x y] d] e_in /= /and3P[ij /Z.leb_le d_ge0 bad]] X_priv.
have i_lt : (N.to_nat i < p)%N by apply/ssrnat.ltP; lia.
have j_lt : (N.to_nat j < p)%N by apply/ssrnat.ltP; lia.
have r_lt : (N.to_nat r < m)%N by apply/ssrnat.ltP; lia.
have := X_priv (Ordinal i_lt) (Ordinal j_lt) d (Ordinal r_lt).
rewrite /constrained !(line_at _ _ X_I) /= !N2Nat.id keeps_atP //; last by case: X_I.
rewrite (negPf bad) => absurd; apply/notF/absurd.
by case/orP: ij => /andP[/N.eqb_eq <- /N.eqb_eq <-]; [left | right].
Qed.

End Privacy.
