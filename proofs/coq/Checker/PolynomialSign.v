(* SPDX-License-Identifier: MIT *)
(* The signs of integer polynomials on an interval with rational ends, for every number of an ordered field.  *)
(*                                                                                                            *)
(* For lo < x < hi put t = (x - lo)/(hi - x) > 0.  Then (1 + t)^d p(x) is a polynomial in t, whose            *)
(* coefficients are those of p in Bernstein's basis up to positive factors: where they are all >= 0, p >= 0   *)
(* inside, and p > 0 if one is > 0 (a zero of p at an end makes coefficients 0, and is no obstacle).  Else    *)
(* the interval is cut in two.  The answer is one-sided: false says nothing.                                  *)
(*   plus_p, times_p, scaled_p, minus_p, power_p      arithmetic of polynomials                               *)
(*   within I x        x is in the interval I                                                                 *)
(*   nonneg_on I p     if true, p >= 0 on I      (nonneg_onP)                                                 *)
(*   pos_on I p        if true, p > 0 on I       (pos_onP)                                                    *)
(*   zero_on I p       if true, p = 0 on I       (zero_onP)                                                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField.
From ExactDP.Checker Require Import Numbers Rows Tables.
From ExactDP.Checker Require DeterminantClaims.
Notation polynomial := DeterminantClaims.polynomial.
Notation polynomial_at := DeterminantClaims.polynomial_at.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Arithmetic ---- *)
Fixpoint plus_p (p q : polynomial) : polynomial :=
  match p, q with
  | [::], _ => q
  | _, [::] => p
  | x :: p', y :: q' => (x + y)%Z :: plus_p p' q'
  end.

Definition scaled_p (c : Z) (p : polynomial) : polynomial := if (c =? 1)%Z then p else [seq (c * z)%Z | z <- p].
Definition minus_p (p q : polynomial) : polynomial := plus_p p (scaled_p (-1) q).

Fixpoint times_p (p q : polynomial) : polynomial :=
  match p with
  | [::] => [::]
  | [:: c] => scaled_p c q
  | c :: p' => plus_p (scaled_p c q) (0%Z :: times_p p' q)
  end.

Definition power_p (p : polynomial) (n : nat) : polynomial := ssrnat.iter n (times_p p) [:: 1%Z].

(* ---- Intervals ---- *)
(* The ends, and whether they are included; one point is an interval whose ends are equal. *)
Record interval := Interval { low : Q; low_in : bool; high : Q; high_in : bool }.

(* Not empty. *)
Definition proper_interval (I : interval) : bool :=
  Q_lt (low I) (high I) || [&& Q_eq (low I) (high I), low_in I & high_in I].

(* ---- Signs ---- *)
(* p(t) W^d and W^d, where x = (a + b t)/W and W = c (1 + t). *)
Definition carried (a b c : Z) (p : polynomial) : polynomial * polynomial :=
  foldr (fun z qw => let w := times_p [:: c; c] qw.2 in (plus_p (scaled_p z w) (times_p [:: a; b] qw.1), w))
        ([::], [:: 1%Z]) p.

(* p(a/c) c^d and c^d. *)
Definition value_p (a c : Z) (p : polynomial) : Z * Z :=
  foldr (fun z qw => let w := (c * qw.2)%Z in (z * w + a * qw.1, w)%Z) (0, 1)%Z p.

Definition has_sign (strict : bool) (z : Z) : bool := if strict then (0 <? z)%Z else (0 <=? z)%Z.
Definition sign_at (strict : bool) (a c : Z) (p : polynomial) : bool := has_sign strict (value_p a c p).1.

Definition coefficients_ok (strict : bool) (p : polynomial) : bool :=
  all (fun z => 0 <=? z)%Z p && (~~ strict || has (fun z => 0 <? z)%Z p).

(* Between a/c and b/c. *)
Fixpoint sign_between (fuel : nat) (strict : bool) (a b c : Z) (p : polynomial) : bool :=
  coefficients_ok strict (carried a b c p).1 ||
  match fuel with
  | O => false
  | n.+1 => [&& sign_at strict (a + b) (2 * c) p, sign_between n strict (2 * a) (a + b) (2 * c) p &
                sign_between n strict (a + b) (2 * b) (2 * c) p]
  end.

Definition fuel : nat := 40.

Definition sign_on (strict : bool) (I : interval) (p : polynomial) : bool :=
  let end_ok (q : Q) := sign_at strict (Qnum q) (Zpos (Qden q)) p in
  [&& low_in I ==> end_ok (low I), high_in I ==> end_ok (high I) &
      Q_lt (low I) (high I) ==>
      sign_between fuel strict (Qnum (low I) * Zpos (Qden (high I))) (Qnum (high I) * Zpos (Qden (low I)))
                   (Zpos (Qden (low I) * Qden (high I))) p].

Definition pos_on := sign_on true.
Definition nonneg_on := sign_on false.
Definition zero_on (I : interval) (p : polynomial) : bool := nonneg_on I p && nonneg_on I (scaled_p (-1) p).

Section Signs.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Local Notation at_ p x := (@polynomial_at R p x).
Add Field R_field : (field_theory_of R).

Definition within (I : interval) (x : R) : Prop :=
  (if low_in I then of_Q (low I) <= x else of_Q (low I) < x) /\
  (if high_in I then x <= of_Q (high I) else x < of_Q (high I)).

Lemma at_plus p q x : at_ (plus_p p q) x = at_ p x + at_ q x.
Proof.
elim: p q => [|c p IHp] [|d q] /=; rewrite ?add0r ?addr0 //.
by rewrite IHp of_ZD; by_ring R.
Qed.

Lemma at_scaled c p x : at_ (scaled_p c p) x = of_Z c * at_ p x.
Proof.
rewrite /scaled_p; case: Z.eqb_spec => [->|_]; first by rewrite mul1r.
elim: p => [|d p IHp] /=; first by rewrite mulr0.
by rewrite IHp of_ZM; by_ring R.
Qed.

Lemma at_minus p q x : at_ (minus_p p q) x = at_ p x - at_ q x.
Proof. by rewrite at_plus at_scaled /= mulN1r. Qed.

Lemma at_times p q x : at_ (times_p p q) x = at_ p x * at_ q x.
Proof.
elim: p => [|c p IHp]; first by rewrite /= mul0r.
have step : at_ (plus_p (scaled_p c q) (0%Z :: times_p p q)) x = at_ (c :: p) x * at_ q x.
  by rewrite at_plus at_scaled /= IHp add0r mulrDl mulrA.
case: p {IHp} step => [|d p] step //; rewrite -step at_plus /= mulr0 !addr0 //.
Qed.

Lemma at_power p n x : at_ (power_p p n) x = at_ p x ^+ n.
Proof.
elim: n => [|n IHn]; first by rewrite expr0 /= mulr0 addr0.
by rewrite exprS -IHn -at_times.
Qed.

Lemma carried_cons a b c z p : let w := times_p [:: c; c] (carried a b c p).2 in
  carried a b c (z :: p) = (plus_p (scaled_p z w) (times_p [:: a; b] (carried a b c p).1), w).
Proof. by []. Qed.

Lemma value_cons a c z p : let w := (c * (value_p a c p).2)%Z in
  value_p a c (z :: p) = (z * w + a * (value_p a c p).1, w)%Z.
Proof. by []. Qed.

Lemma at_cons z p x : at_ (z :: p) x = of_Z z + x * at_ p x.
Proof. by []. Qed.

Lemma at_constant c x : at_ [:: c] x = of_Z c.
Proof. by rewrite /= mulr0 addr0. Qed.

Lemma at_linear c d x : at_ [:: c; d] x = of_Z c + x * of_Z d.
Proof. by rewrite /= mulr0 addr0. Qed.

Definition signed (strict : bool) (y : R) : Prop := if strict then 0 < y else 0 <= y.

Lemma signed_mul strict y z : 0 < y -> signed strict (y * z) -> signed strict z.
Proof. by rewrite /signed => y_gt0; case: strict; rewrite ?pmulr_rgt0 ?pmulr_rge0. Qed.

Lemma carriedP a b c p x t : (1 + t) * of_Z c * x = of_Z a + of_Z b * t ->
  at_ (carried a b c p).1 t = at_ (carried a b c p).2 t * at_ p x.
Proof.
move=> xt; elim: p => [|z p IHp]; first by rewrite /= mulr0.
rewrite carried_cons /fst /snd at_plus at_scaled !at_times !at_linear IHp at_cons.
move: (at_ _.2 t) => w.
have -> : of_Z a + t * of_Z b = (1 + t) * of_Z c * x by rewrite xt [t * _]mulrC.
by by_ring R.
Qed.

Lemma carried_gt0 a b c p t : 0 < of_Z c -> 0 < t -> 0 < at_ (carried a b c p).2 t.
Proof.
move=> c_gt0 t_gt0; elim: p => [|z p IHp]; first by rewrite /= mulr0 addr0 ltr01.
rewrite carried_cons /snd at_times at_linear mulr_gt0 //.
by rewrite addr_gt0 // mulr_gt0.
Qed.

Lemma coefficients_ge0 p t : 0 < t -> all (fun z => 0 <=? z)%Z p -> 0 <= at_ p t.
Proof.
move=> t_gt0; elim: p => [|z p IHp] //= /andP[z_ge0 /IHp p_ge0].
by rewrite addr_ge0 ?of_Z_ge0 // mulr_ge0 // ltW.
Qed.

Lemma coefficients_okP strict p t : 0 < t -> coefficients_ok strict p -> signed strict (at_ p t).
Proof.
move=> t_gt0 /andP[p_ge0]; rewrite /signed; case: strict => [|_]; last exact: coefficients_ge0.
rewrite orFb; elim: p p_ge0 => [|z p IHp] //; rewrite at_cons [all _ _]/= [has _ _]/=.
case/andP=> z_ge0 p_ge0 /orP[/Z.ltb_lt z_gt0|p_gt0].
  by apply: ltr_spaddl; rewrite ?of_Z_gt0 // mulr_ge0 ?(ltW t_gt0) // coefficients_ge0.
by apply: ltr_spaddr; rewrite ?of_Z_ge0 // mulr_gt0 // IHp.
Qed.

Lemma value_pP a c p x : of_Z c * x = of_Z a -> of_Z (value_p a c p).1 = of_Z (value_p a c p).2 * at_ p x.
Proof.
move=> xa; elim: p => [|z p IHp]; first by rewrite /= mulr0.
rewrite value_cons /fst /snd at_cons of_ZD !of_ZM IHp -xa.
move: (at_ p x) (value_p a c p) => y [v w]; move: (of_Z _) (of_Z w) (of_Z z) => C W Z /=.
by by_ring R.
Qed.

Lemma value_gt0 a c p : (0 < c)%Z -> 0 < of_Z (value_p a c p).2.
Proof.
move=> c_gt0; elim: p => [|z p IHp]; first by rewrite /= ltr01.
by rewrite value_cons /snd of_ZM mulr_gt0 // of_Z_gt0.
Qed.

Lemma sign_atP strict a c p x : (0 < c)%Z -> of_Z c * x = of_Z a -> sign_at strict a c p -> signed strict (at_ p x).
Proof.
move=> c_gt0 xa ok; apply: (signed_mul (value_gt0 a p c_gt0)); rewrite -(value_pP _ xa).
move: ok; rewrite /sign_at /has_sign /signed; case: strict => [/Z.ltb_lt|]; first exact: of_Z_gt0.
by rewrite of_Z_ge0.
Qed.

Lemma coefficients_inside strict a b c p x : 0 < of_Z c -> of_Z a < of_Z c * x -> of_Z c * x < of_Z b ->
  coefficients_ok strict (carried a b c p).1 -> signed strict (at_ p x).
Proof.
move=> c_gt0 ax xb; have b_gt0 : 0 < of_Z b - of_Z c * x by rewrite subr_gt0.
pose t := (of_Z c * x - of_Z a) / (of_Z b - of_Z c * x).
have t_gt0 : 0 < t by rewrite divr_gt0 // subr_gt0.
move=> /(coefficients_okP t_gt0); rewrite (@carriedP _ _ _ _ x).
  by apply: signed_mul; exact: carried_gt0.
by rewrite /t; move: (lt0r_neq0 b_gt0) => /eqP b_neq0; by_field R.
Qed.

Lemma sign_between_cut n strict a b c p : sign_between n.+1 strict a b c p =
  coefficients_ok strict (carried a b c p).1 ||
  [&& sign_at strict (a + b) (2 * c) p, sign_between n strict (2 * a) (a + b) (2 * c) p &
      sign_between n strict (a + b) (2 * b) (2 * c) p].
Proof. by []. Qed.

Lemma sign_betweenP n strict a b c p x : (0 < c)%Z -> of_Z a < of_Z c * x -> of_Z c * x < of_Z b ->
  sign_between n strict a b c p -> signed strict (at_ p x).
Proof.
elim: n a b c => [|n IHn] a b c c_gt0 ax xb.
  by rewrite /sign_between orbF; apply: coefficients_inside; rewrite ?of_Z_gt0.
rewrite sign_between_cut => /orP[|/and3P[mid left right]].
  by apply: coefficients_inside; rewrite ?of_Z_gt0.
have c2_gt0 : (0 < 2 * c)%Z by lia.
have two : 0 < of_Z 2 by exact: of_Z_gt0.
have [x_m|m_x|xm] := ltgtP (of_Z (2 * c)%Z * x) (of_Z (a + b)%Z).
- by apply: IHn c2_gt0 _ x_m left; rewrite !of_ZM -[of_Z 2 * of_Z c * x]mulrA ltr_pmul2l.
- by apply: IHn c2_gt0 m_x _ right; rewrite !of_ZM -[of_Z 2 * of_Z c * x]mulrA ltr_pmul2l.
exact: sign_atP c2_gt0 xm mid.
Qed.

Lemma at_end strict (q : Q) p x : x = of_Q q -> sign_at strict (Qnum q) (Zpos (Qden q)) p -> signed strict (at_ p x).
Proof. by move=> ->; apply: sign_atP => //; rewrite mulrC /Numbers.of_Q divfK // of_Z_pos_neq0. Qed.

Theorem sign_onP strict I p x : within I x -> sign_on strict I p -> signed strict (at_ p x).
Proof.
case=> low_x x_high /and3P[low_ok high_ok inside].
have [x_low|x_low] := eqVneq x (of_Q (low I)).
  apply: (at_end x_low); apply: (implyP low_ok); move: low_x; rewrite x_low; case: (low_in I) => //.
  by rewrite ltxx.
have [x_high'|x_high'] := eqVneq x (of_Q (high I)).
  apply: (at_end x_high'); apply: (implyP high_ok); move: x_high; rewrite x_high'; case: (high_in I) => //.
  by rewrite ltxx.
have {}low_x : of_Q (low I) < x by move: low_x; case: (low_in I); rewrite // le_eqVlt eq_sym (negPf x_low).
have {}x_high : x < of_Q (high I) by move: x_high; case: (high_in I); rewrite // le_eqVlt (negPf x_high').
have low_high : Q_lt (low I) (high I) by rewrite -(of_Q_lt R) (lt_trans low_x).
have low_gt0 := of_Z_pos R (Qden (low I)); have high_gt0 := of_Z_pos R (Qden (high I)).
apply: sign_betweenP (implyP inside low_high) => //; rewrite Pos2Z.inj_mul !of_ZM.
  by rewrite mulrAC ltr_pmul2r // mulrC -ltr_pdivr_mulr.
rewrite [ltRHS]mulrC -mulrA ltr_pmul2l // mulrC -ltr_pdivl_mulr //.
Qed.

Corollary pos_onP I p x : within I x -> pos_on I p -> 0 < at_ p x.
Proof. by move=> x_I /(sign_onP x_I). Qed.

Corollary nonneg_onP I p x : within I x -> nonneg_on I p -> 0 <= at_ p x.
Proof. by move=> x_I /(sign_onP x_I). Qed.

Corollary zero_onP I p x : within I x -> zero_on I p -> at_ p x = 0.
Proof.
move=> x_I /andP[/(nonneg_onP x_I) ge0 /(nonneg_onP x_I)]; rewrite at_scaled /= mulN1r oppr_ge0 => le0.
by apply/eqP; rewrite eq_le le0 ge0.
Qed.

(* A proper interval has a number. *)
Lemma within_some I : proper_interval I -> exists x, within I x.
Proof.
case/orP=> [lt|/and3P[eq low_I high_I]].
  exists ((of_Q (low I) + of_Q (high I)) / 2%:R); move: lt; rewrite -(of_Q_lt R) => /midf_lt[lo hi].
  by rewrite /within; case: (low_in I); case: (high_in I); rewrite ?lo ?hi ?(ltW lo) ?(ltW hi).
exists (of_Q (low I)); rewrite /within low_I high_I lexx; split=> //.
by move: eq; rewrite -(of_Q_eq R) => /eqP ->.
Qed.

End Signs.
