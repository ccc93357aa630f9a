(* SPDX-License-Identifier: MIT *)
(* The kind level: the largest level t = ratio^(1/d0) at which a mechanism is private (SPEC, section 4).      *)
(*                                                                                                            *)
(* For d0 = e/k, a level b is at most t when b^e <= ratio^k.  Privacy at t for a distance d is privacy at     *)
(* ratio for the distance d/d0; and a pair at the distance d0 where x_ir = ratio x_jr allows no larger level.  *)
(*   is_largest      decides this   (is_largestP)                                                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism.
From ExactDP.Checker Require Import Numbers Rows Syntax Meaning Tables Privacy.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition in_units (d0 d : Q) : Q := Qmake (Qnum d * Zpos (Qden d0)) (Qden d * Z.to_pos (Qnum d0)).

Definition rescaled (d0 : Q) (near : neighbours) : neighbours :=
  Neighbours (title near) (vertices near) [seq (e.1, in_units d0 e.2) | e : N * N * Q <- pairs near].

Definition is_tight (p m : nat) (near : neighbours) (ratio d0 : Q) (I : integers) (i j r : N) : bool :=
  let x := at_index (row_at (lines I) i) (N.to_nat r) in let y := at_index (row_at (lines I) j) (N.to_nat r) in
  [&& (i <? N.of_nat p)%num, (j <? N.of_nat p)%num, (r <? N.of_nat m)%num,
      (x * Zpos (Qden ratio) =? Qnum ratio * y)%Z, (0 <? y)%Z &
      has (fun e : N * N * Q =>
             ((N.eqb e.1.1 i && N.eqb e.1.2 j) || (N.eqb e.1.1 j && N.eqb e.1.2 i)) &&
             ((Qnum ratio =? 0)%Z || ((Qnum e.2 =? Qnum d0)%Z && Pos.eqb (Qden e.2) (Qden d0)))) (pairs near)].

Definition is_largest (p m : nat) (near : neighbours) (ratio d0 : Q) (I : integers) (at_ : option (N * N * N)) : bool :=
  [&& (0 <? Qnum d0)%Z, (0 <=? Qnum ratio)%Z, (Qnum ratio <=? Zpos (Qden ratio))%Z,
      match at_ with
      | Some (i, j, r) => (Qnum ratio <? Zpos (Qden ratio))%Z && is_tight p m near ratio d0 I i j r
      | None => (Qnum ratio =? Zpos (Qden ratio))%Z
      end &
      (Qnum ratio =? 0)%Z || is_private m (rescaled d0 near) ratio I].

Section Level.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).

Lemma to_nat_mul z k : Z.to_nat (z * Zpos k) = (Z.to_nat z * Pos.to_nat k)%N.
Proof. by rewrite -multE; case: z => [|z|z] /=; rewrite ?Pos2Nat.inj_mul //; lia. Qed.

Lemma private_below near p m (X : 'M[R]_(p, m)) (ratio : R) d0 (b : R) : (0 < Qnum d0)%Z ->
  (forall i r, 0 <= X i r) -> 0 <= ratio -> 0 < b -> private_for (rescaled d0 near) ratio X ->
  b ^+ Z.to_nat (Qnum d0) <= ratio ^+ Pos.to_nat (Qden d0) -> private_for near b X.
Proof.
move=> d0_gt0 X_ge0 ratio_ge0 b_gt0 X_priv b_le i j d r ij.
have ij' : constrained (rescaled d0 near) i j (in_units d0 d).
  case: ij => e_in; [left | right]; move: e_in; rewrite /=; elim: (pairs near) => [|e s IHs] //= [->|/IHs]; by [left | right].
have := X_priv i j _ r ij'; rewrite /in_units [Qnum _]/= [Qden _]/= to_nat_mul Pos2Nat.inj_mul.
set E := Z.to_nat (Qnum d0); set K := Pos.to_nat (Qden d0); set e := Z.to_nat (Qnum d); set k := Pos.to_nat (Qden d).
have -> : Pos.to_nat (Z.to_pos (Qnum d0)) = E by rewrite /E; case: (Qnum d0) d0_gt0.
rewrite multE => X_le; have E_gt0 : (0 < E)%N by apply/ssrnat.ltP; rewrite /E; lia.
rewrite -(@ler_pexpn2r _ E) ?nnegrE ?mulr_ge0 ?exprn_ge0 ?(ltW b_gt0) //.
rewrite exprMn -!exprM; apply: le_trans X_le; rewrite ler_wpmul2r ?exprn_ge0 //.
by rewrite mulnC [(e * K)%N]mulnC !exprM ler_expn2r ?nnegrE ?exprn_ge0 // ltW.
Qed.

Lemma zero_power ratio k : Qnum ratio = 0%Z -> (0 < k)%N -> of_Q ratio ^+ k = 0.
Proof. by move=> r0 k_gt0; rewrite /of_Q r0 mul0r expr0n gtn_eqF. Qed.

Theorem is_largestP p m near ratio d0 I at_ (X : 'M[R]_(p, m)) : represents I X -> (forall i r, 0 <= X i r) ->
  is_largest p m near ratio d0 I at_ ->
  (0 <= of_Q ratio <= 1) /\ forall b, 0 < b < 1 -> private_for near b X <->
    b ^+ Z.to_nat (Qnum d0) <= of_Q ratio ^+ Pos.to_nat (Qden d0).
Proof.
move=> X_I X_ge0 /and5P[/Z.ltb_lt d0_gt0 ratio_ge0 ratio_le1 tight priv].
have r_ge0 : 0 <= of_Q ratio by rewrite /of_Q divr_ge0 ?(ltW (of_Z_pos R _)) // of_Z_ge0.
have r_le1 : of_Q ratio <= 1 by rewrite /of_Q ler_pdivr_mulr ?of_Z_pos // mul1r of_Z_le.
have E_gt0 : (0 < Z.to_nat (Qnum d0))%N by apply/ssrnat.ltP; lia.
have K_gt0 : (0 < Pos.to_nat (Qden d0))%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
split=> [|b /andP[b_gt0 b_lt1]]; first by rewrite r_ge0.
split=> [X_priv|b_le]; last first.
  case/orP: priv => [/Z.eqb_eq r0|/(is_privateP X_I) priv]; last exact: private_below priv b_le.
  have := lt_le_trans (exprn_gt0 (Z.to_nat (Qnum d0)) b_gt0) b_le.
  by rewrite (zero_power r0) // ltxx.
case: at_ tight => [[[i j] r]|/Z.eqb_eq r1]; last first.
  by rewrite /of_Q r1 divff ?of_Z_pos_neq0 // expr1n exprn_ile1 ?(ltW b_gt0) ?(ltW b_lt1).
case/andP=> _ /and5P[/N.ltb_lt i_p /N.ltb_lt j_p /N.ltb_lt r_m /Z.eqb_eq xy /andP[/Z.ltb_lt y_gt0]].
case/has_In=> e e_in /andP[e_ij dist_ok].
have i_lt : (N.to_nat i < p)%N by apply/ssrnat.ltP; lia.
have j_lt : (N.to_nat j < p)%N by apply/ssrnat.ltP; lia.
have r_lt : (N.to_nat r < m)%N by apply/ssrnat.ltP; lia.
have ij : constrained near (Ordinal i_lt) (Ordinal j_lt) e.2.
  rewrite /constrained /= !N2Nat.id; case: e e_in e_ij {dist_ok} => [[e1 e2] d] /= e_in.
  by case/orP=> /andP[/N.eqb_eq <- /N.eqb_eq <-]; [left | right].
have := X_priv _ _ _ (Ordinal r_lt) ij; have [D_gt0 _] := X_I.
have x_is : X (Ordinal i_lt) (Ordinal r_lt) = of_Q ratio * X (Ordinal j_lt) (Ordinal r_lt).
  rewrite !(line_at _ _ X_I) /= !N2Nat.id mulrA; congr (_ / _).
  apply: (mulIf (of_Z_pos_neq0 R (Qden ratio))); rewrite -of_ZM xy of_ZM /of_Q mulrAC divfK //.
  exact: of_Z_pos_neq0.
have y_pos : 0 < X (Ordinal j_lt) (Ordinal r_lt).
  by rewrite (line_at _ _ X_I) /= N2Nat.id divr_gt0 //; exact: of_Z_gt0.
rewrite x_is exprMn; have yk_gt0 k : 0 < X (Ordinal j_lt) (Ordinal r_lt) ^+ k by rewrite exprn_gt0.
rewrite ler_pmul2r //; case/orP: dist_ok => [/Z.eqb_eq r0|/andP[/Z.eqb_eq -> /Pos.eqb_eq ->] //].
have k_gt0 : (0 < Pos.to_nat (Qden e.2))%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
move=> b_le; have := lt_le_trans (exprn_gt0 (Z.to_nat (Qnum e.2)) b_gt0) b_le.
by rewrite [X in _ < X](zero_power r0) // ltxx.
Qed.

End Level.
