(* SPDX-License-Identifier: MIT *)
(* When a square table is not singular (SPEC, section 4.8), decided on integers.                              *)
(*                                                                                                            *)
(*   is_inverse        R Phi is the unit matrix                                              (is_inverseP)    *)
(*   has_full_rank     R Phi, in integers, has an inverse modulo 2^61 - 1                    (has_full_rankP) *)
(*                                                                                                            *)
(* The inverse W modulo the prime is found by elimination and not proved to be one: that W R Phi is the unit  *)
(* matrix modulo the number is checked.  Then its determinant is 1 modulo the number (det_congruent), so it   *)
(* is not 0.                                                                                                  *)
From mathcomp Require Import all_ssreflect all_algebra perm.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Meaning Tables.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition prime : Z := 2305843009213693951.

(* ---- An inverse modulo the prime, by elimination; nothing depends on its being right. ---- *)
Fixpoint power_mod (x : Z) (k : positive) : Z :=
  match k with
  | xH => x
  | xO k' => let y := power_mod x k' in (y * y mod prime)%Z
  | xI k' => let y := power_mod x k' in (x * (y * y mod prime) mod prime)%Z
  end.

(* The first row that does not begin with 0, and the others. *)
Fixpoint pivot (rows : seq (seq Z)) : option (Z * seq Z * seq (seq Z)) :=
  match rows with
  | [::] => None
  | [::] :: _ => None
  | (z :: r) :: rows' =>
      if (z =? 0)%Z then
        if pivot rows' is Some (first, rest) then Some (first, (z :: r) :: rest) else None
      else Some (z, r, rows')
  end.

Fixpoint less (x : seq Z) (a : Z) (y : seq Z) : seq Z :=
  match x, y with
  | u :: x', v :: y' => ((u - a * v) mod prime)%Z :: less x' a y'
  | _, _ => x
  end.

Definition cleared_of (y : seq Z) (x : seq Z) : seq Z := if x is a :: x' then (if (a =? 0)%Z then x' else less x' a y) else [::].

Fixpoint eliminate (n : nat) (done todo : seq (seq Z)) : seq (seq Z) :=
  match n with
  | O => done
  | n'.+1 =>
      if pivot todo is Some (z, r, rest) then
        let inverse := power_mod z 2305843009213693949 in
        let y := [seq (v * inverse mod prime)%Z | v <- r] in
        eliminate n' (rcons [seq cleared_of y x | x <- done] y) [seq cleared_of y x | x <- rest]
      else [::]
  end.

Definition inverse_mod (n : nat) (rows : seq (seq Z)) : seq (seq Z) :=
  eliminate n [::] [seq r.2 ++ [seq (if i == r.1 then 1%Z else 0%Z) | i <- iota 0 n] | r <- zip (iota 0 n) rows].

(* ---- What is checked ---- *)
Definition reduced (r : row) : row := [seq (t.1, (t.2 mod prime)%Z) | t <- r].

Definition is_unit_line (i : nat) (d : Z) (r : row) : bool := all_eq0 (combine 1 r (-1) [:: (N.of_nat i, d)]).

Definition is_inverse (p : nat) (A I : integers) : bool :=
  let AI := times A I in
  all (fun r => below (N.of_nat p) r) (lines A) && all (fun i => is_unit_line i (scaling AI) (line_of AI i)) (iota 0 p).

Definition is_unit_mod (i : nat) (r : row) : bool :=
  all (fun t => (t.2 mod prime =? 0)%Z) (combine 1 r (-1) [:: (N.of_nat i, 1%Z)]).

Definition has_full_rank (p : nat) (A I : integers) : bool :=
  let B := [seq reduced r | r <- lines (times A I)] in
  let W := [seq enumerate 0 r | r <- inverse_mod p [seq dense p r | r <- B]] in
  [&& all (fun r => below (N.of_nat p) r) (lines A), all (fun r => below (N.of_nat p) r) W &
      all (fun i => is_unit_mod i (weigh (nth [::] W i) B)) (iota 0 p)].

Section Nonsingular.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Add Field R_field : (field_theory_of R).

Lemma all_below p rows i : all (fun r => below (N.of_nat p) r) rows -> below (N.of_nat p) (nth [::] rows i).
Proof.
move=> /(all_nthP [::]) ok; have [i_lt|i_ge] := ltnP i (size rows); first exact: ok.
by rewrite nth_default.
Qed.

Lemma at_unit i j (d : Z) : at_index [:: (N.of_nat i, d)] j = if j == i then d else 0%Z.
Proof. by rewrite /=; case: N.eqb_spec => [/Nat2N.inj ->|ij]; [rewrite eqxx; lia | case: eqP => // e; case: ij; rewrite e]. Qed.

Theorem is_inverseP p A I (Phi : 'M[R]_p) : (0 < scaling A)%Z -> represents I Phi -> is_inverse p A I -> \det Phi != 0.
Proof.
move=> A_gt0 I_Phi /andP[A_p /(all_nthP 0%N) units].
pose X : 'M[R]_p := \matrix_(i, j) (of_Z (at_index (line_of A i) j) / of_Z (scaling A)).
have X_A : represents A X by split=> [|i j]; [exact: of_Z_gt0 | rewrite mxE].
have [AI_gt0 XPhi] := timesP X_A I_Phi (fun i => all_below i A_p).
have : X *m Phi = 1%:M.
  apply/matrixP=> i j; rewrite XPhi mxE.
  have := units i; rewrite size_iota nth_iota // add0n => /(_ (ltn_ord i))/(@all_eq0P _ j).
  rewrite at_combine at_unit => e.
  have -> : at_index (line_of (times A I) i) j = (if (j : nat) == i then scaling (times A I) else 0)%Z by lia.
  by rewrite -val_eqE eq_sym /=; case: eqP => _; rewrite ?mul0r // divff // gt_eqF.
move/(congr1 determinant); rewrite det_mulmx det1 => e; apply/eqP => Phi0; move: e; rewrite Phi0 mulr0.
by move/esym/eqP; rewrite oner_eq0.
Qed.

(* ---- Integers that are congruent have congruent determinants. ---- *)
Definition congruent (x y : R) := exists u v : Z, [/\ x = of_Z u, y = of_Z v & (prime | u - v)%Z].

Lemma congruent_refl u : congruent (of_Z u) (of_Z u).
Proof. by exists u, u; split=> //; rewrite Z.sub_diag; exact: Z.divide_0_r. Qed.

Lemma congruentD x y x' y' : congruent x y -> congruent x' y' -> congruent (x + x') (y + y').
Proof.
case=> u [v [-> -> uv]] [u' [v' [-> -> uv']]]; exists (u + u')%Z, (v + v')%Z; rewrite !of_ZD; split=> //.
have -> : (u + u' - (v + v') = (u - v) + (u' - v'))%Z by lia.
exact: Z.divide_add_r.
Qed.

Lemma congruentM x y x' y' : congruent x y -> congruent x' y' -> congruent (x * x') (y * y').
Proof.
case=> u [v [-> -> uv]] [u' [v' [-> -> uv']]]; exists (u * u')%Z, (v * v')%Z; rewrite !of_ZM; split=> //.
have -> : (u * u' - v * v' = (u - v) * u' + v * (u' - v'))%Z by lia.
by apply: Z.divide_add_r; [exact: Z.divide_mul_l | exact: Z.divide_mul_r].
Qed.

Theorem det_congruent p (A B : 'M[R]_p) : (forall i j, congruent (A i j) (B i j)) -> congruent (\det A) (\det B).
Proof.
move=> AB; rewrite /determinant; apply: (big_ind2 congruent) => [||s _]; [exact: (congruent_refl 0%Z)| exact: congruentD|].
apply: congruentM; first by case: (odd_perm s); [exact: (congruent_refl (-1)%Z) | exact: (congruent_refl 1%Z)].
by apply: (big_ind2 congruent) => [||i _]; [exact: (congruent_refl 1%Z) | exact: congruentM | exact: AB].
Qed.

Lemma congruent1_neq0 x : congruent x 1 -> x != 0.
Proof.
case=> u [v [-> one [k uv]]]; rewrite -(of_Z0 R) of_Z_eq; apply/negP => /Z.eqb_eq u0.
have v1 : v = 1%Z by apply/Z.eqb_eq; rewrite -(of_Z_eq R) -one of_Z1 eqxx.
by move: uv; rewrite u0 v1 /prime; lia.
Qed.

Lemma at_reduced r j : (prime | at_index (reduced r) j - at_index r j)%Z.
Proof.
elim: r => [|t r IHr]; first exact: Z.divide_0_r.
rewrite /=; case: N.eqb => //; rewrite -/(reduced r).
have -> : (t.2 mod prime + at_index (reduced r) j - (t.2 + at_index r j)
  = (at_index (reduced r) j - at_index r j) + (t.2 mod prime - t.2))%Z by lia.
apply: Z.divide_add_r => //; exists (- (t.2 / prime))%Z.
by have := Z_div_mod_eq_full t.2 prime; lia.
Qed.

Lemma all_divided r j : all (fun t => (t.2 mod prime =? 0)%Z) r -> (prime | at_index r j)%Z.
Proof.
elim: r => [|t r IHr] /=; first by move=> _; exact: Z.divide_0_r.
case/andP=> /Z.eqb_eq t0 /IHr; case: N.eqb => // d; apply: Z.divide_add_r => //.
by apply/Z.mod_divide.
Qed.

Theorem has_full_rankP p A I (Phi : 'M[R]_p) : (0 < scaling A)%Z -> represents I Phi -> has_full_rank p A I -> \det Phi != 0.
Proof.
move=> A_gt0 I_Phi; rewrite /has_full_rank; set B := map reduced _; set W := map (enumerate 0) _.
case/and3P=> A_p W_p /(all_nthP 0%N) units.
pose X : 'M[R]_p := \matrix_(i, j) (of_Z (at_index (line_of A i) j) / of_Z (scaling A)).
have X_A : represents A X by split=> [|i j]; [exact: of_Z_gt0 | rewrite mxE].
have [AI_gt0 XPhi] := timesP X_A I_Phi (fun i => all_below i A_p).
pose V : 'M[R]_p := \matrix_(i, j) of_Z (at_index (nth [::] W i) j).
have : congruent (\det (V *m (of_Z (scaling (times A I)) *: (X *m Phi)))) (\det (1%:M : 'M[R]_p)).
  apply: det_congruent => i j.
  have V_B : congruent (\sum_k V i k * of_Z (at_index (nth [::] B k) j)) ((1%:M : 'M[R]_p) i j).
    have := units i; rewrite size_iota nth_iota // add0n => /(_ (ltn_ord i))/(@all_divided _ j).
    rewrite at_combine at_unit => d; exists (at_index (weigh (nth [::] W i) B) j), (if (j : nat) == i then 1 else 0)%Z; split.
    - by rewrite (at_weigh _ _ _ (all_below i W_p)); apply: eq_bigr => k _; rewrite mxE.
    - by rewrite mxE -val_eqE eq_sym /=; case: eqP.
    - by move: d; case: eqP => _ [k e]; exists k; lia.
  have B_k (k : 'I_p) : congruent (of_Z (at_index (line_of (times A I) k) j)) (of_Z (at_index (nth [::] B k) j)).
    exists (at_index (line_of (times A I) k) j), (at_index (nth [::] B k) j); split=> //.
    have -> : nth [::] B k = reduced (line_of (times A I) k).
      rewrite /B /line_of; have [k_lt|k_ge] := ltnP k (size (lines (times A I))); first by rewrite (nth_map [::]).
      by rewrite (nth_default _ k_ge) nth_default // size_map.
    by have [z e] := at_reduced (line_of (times A I) k) j; exists (- z)%Z; lia.
  case: V_B => u [v [e -> uv]].
  have : congruent ((V *m (of_Z (scaling (times A I)) *: (X *m Phi))) i j) (of_Z u).
    rewrite mxE -e; apply: (big_ind2 congruent) => [||k _]; [exact: (congruent_refl 0%Z) | exact: congruentD|].
    rewrite mxE; apply: congruentM; first exact: congruent_refl.
    by rewrite [in X in congruent X]mxE XPhi mulrC divfK ?gt_eqF.
  case=> u' [v' [-> /eqP]]; rewrite of_Z_eq => /Z.eqb_eq <- uv'; exists u', v; split=> //.
  have -> : (u' - v = (u' - u) + (u - v))%Z by lia.
  exact: Z.divide_add_r.
rewrite det1 => /congruent1_neq0; rewrite det_mulmx detZ det_mulmx; apply: contraNneq => ->.
by rewrite !mulr0.
Qed.

End Nonsingular.
