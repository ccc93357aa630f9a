(* SPDX-License-Identifier: MIT *)
(* All rays of a privacy type, from its neighbours.                                                           *)
(*                                                                                                            *)
(*   heights_of near      the heights of all rays (Heights.v), of distances over one denominator              *)
(*   levels_exist         if R has the numbers a^d, they are levels e                                         *)
(*   some_rays            then there are exactly so many rays, one for each direction                         *)
(*   vectors_of near a    the same as vectors of integers, when a^(1/L) is a fraction (L the denominator)     *)
(*   vectors_are_rays     they are all rays, one for each direction                                           *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From Coq Require List.
From ExactDP Require Import OrderedField Mechanism Rays.
From ExactDP.Checker Require Import Numbers Rows Syntax Reader Meaning Tables Privacy Optimal VertexRays.
From ExactDP.Checker Require Import Listing Heights HeightRays VerticesClaims Circuits KernelSupports.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* All distances over one denominator. *)
Definition denominator (ps : seq (N * N * Q)) : Z := foldr (fun x d => Z.lcm (Zpos (Qden x.2)) d) 1%Z ps.

Definition link_of (L : Z) (x : N * N * Q) : link :=
  (N.to_nat x.1.1, N.to_nat x.1.2, Qnum x.2 * (L / Zpos (Qden x.2)))%Z.

Definition links_of (near : neighbours) : seq link := [seq link_of (denominator (pairs near)) x | x <- pairs near].

(* Every pair once, and in the range of the inputs. *)
Definition in_order (p : nat) (near : neighbours) : bool :=
  pairs_increase (pairs near) && all (fun x => (x.1.1 <? x.1.2)%num && (x.1.2 <? N.of_nat p)%num) (pairs near).

Definition heights_of (near : neighbours) : option (seq heights) :=
  let p := size (vertices near) in
  if in_order p near then all_heights p (links_of near) else None.

(* The least and the largest height, and 0. *)
Definition least (h : heights) : Z := foldr (fun o z => if o is Some x then Z.min x z else z) 0%Z h.
Definition most (h : heights) : Z := foldr (fun o z => if o is Some x then Z.max x z else z) 0%Z h.

(* (x/y)^h, times a positive number. *)
Definition vector_of (x y : Z) (h : heights) : seq Z :=
  let m := least h in let n := most h in
  [seq (if o is Some z then x ^ (z - m) * y ^ (n - z) else 0)%Z | o <- h].

(* 1/L. *)
Definition unit_distance (near : neighbours) : Q := Qmake 1 (Z.to_pos (denominator (pairs near))).

Definition vectors_of (near : neighbours) (a : Q) : option (seq (seq Z)) :=
  let: (x, y) := power_of a (unit_distance near) in
  if is_power a (unit_distance near) x y && (0 <? x)%Z then omap (map (vector_of x y)) (heights_of near) else None.

Lemma least_most h i z : height h i = Some z -> (least h <= z <= most h)%Z.
Proof.
rewrite /height; elim: h i => [|o h IHh] [|i] //=; first by move=> ->; lia.
by move=> /IHh; case: o => [x|]; lia.
Qed.

Section Soundness.
Variables (R : realFieldType) (near : neighbours) (p : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (ordered : in_order p near).

Lemma constrained_once i j d d' : constrained near i j d -> constrained near i j d' -> d = d'.
Proof.
have [inc /all_In less] := andP ordered.
have lt x y c : List.In (x, y, c) (pairs near) -> (x < y)%num by move=> /less/andP[/N.ltb_lt].
case=> in1; case=> in2; try exact: pairs_once inc in1 in2.
  by have := lt _ _ _ in1; have := lt _ _ _ in2; lia.
by have := lt _ _ _ in1; have := lt _ _ _ in2; lia.
Qed.

Lemma levels_exist : has_powers near a -> exists e : 'I_p -> 'I_p -> R, levels near a e.
Proof.
move=> powers.
pose is_level (x : 'I_p * 'I_p) (y : R) :=
  (forall d, constrained near x.1 x.2 d -> 0 < y /\ y ^+ Pos.to_nat (Qden d) = a ^+ Z.to_nat (Qnum d)) /\
  ((forall d, ~ constrained near x.1 x.2 d) -> y = 0).
suff [e e_def] : exists e : 'I_p * 'I_p -> R, forall x, is_level x (e x).
  by exists (fun i j => e (i, j)) => i j; exact: (e_def (i, j)).
apply: (@fin_all_exists _ (fun=> R) is_level) => -[i j]; rewrite /is_level /=.
case: (constrained_dec near i j) => [[d ij]|none]; last by exists 0; split=> // d /none.
have [y y_gt0 y_d] : exists2 y : R, 0 < y & y ^+ Pos.to_nat (Qden d) = a ^+ Z.to_nat (Qnum d).
  by case: ij => /powers.
exists y; split=> [d' ij'|/(_ d)//]; by rewrite (constrained_once ij' ij).
Qed.

Lemma denominator_gt0 ps : (0 < denominator ps)%Z.
Proof.
elim: ps => [|x ps IHps] //=; have := Z.lcm_nonneg (Zpos (Qden x.2)) (denominator ps).
by have := Z.lcm_eq_0 (Zpos (Qden x.2)) (denominator ps); lia.
Qed.

Lemma denominator_divides ps x : List.In x ps -> (Zpos (Qden x.2) | denominator ps)%Z.
Proof.
elim: ps => [|y ps IHps] //= [->|/IHps]; first exact: Z.divide_lcm_l.
by move=> div; apply: Z.divide_trans div _; exact: Z.divide_lcm_r.
Qed.

Let L := Z.to_nat (denominator (pairs near)).

Lemma L_gt0 : (0 < L)%N.
Proof. by apply/ssrnat.ltP; rewrite /L; have := denominator_gt0 (pairs near); lia. Qed.

Hypothesis links_gt0 : forall l, List.In l (links_of near) -> (0 < l.2)%Z.

Section Levels.
Variable e : 'I_p -> 'I_p -> R.
Hypothesis e_levels : levels near a e.

Lemma level_power x (y : R) : List.In x (pairs near) -> y ^+ Pos.to_nat (Qden x.2) = a ^+ Z.to_nat (Qnum x.2) ->
  y ^+ L = power_z a (link_of (denominator (pairs near)) x).2.
Proof.
move=> x_in y_d; have l_gt0 := links_gt0 (List.in_map (link_of (denominator (pairs near))) _ _ x_in).
have [k k_def] := denominator_divides x_in; have D_gt0 := denominator_gt0 (pairs near).
move: l_gt0; rewrite /link_of [_.2]/= {1 2}k_def Z.div_mul // => l_gt0.
have k_gt0 : (0 < k)%Z by have := D_gt0; rewrite k_def; nia.
have n_gt0 : (0 < Qnum x.2)%Z by nia.
rewrite power_z_nat; last by nia.
have -> : L = (Pos.to_nat (Qden x.2) * Z.to_nat k)%N.
  rewrite /L k_def Z2Nat.inj_mul //; last by lia.
  by rewrite Z2Nat.inj_pos mulnC.
by rewrite exprM y_d -exprM Z2Nat.inj_mul //; lia.
Qed.

Lemma link_level (i j : 'I_p) : e i j != 0 -> exists2 l, List.In l (links_of near) &
  (l.1 = (val i, val j) \/ l.1 = (val j, val i)) /\ e i j ^+ L = power_z a l.2.
Proof.
move=> eij; case: (constrained_dec near i j) => [[d ij]|none]; last first.
  by case/eqP: eij; have [_ ->] := e_levels i j.
have [/(_ d ij)[_ e_d] _] := e_levels i j.
case: ij => ij; [pose x := ((N.of_nat i, N.of_nat j), d) | pose x := ((N.of_nat j, N.of_nat i), d)];
  exists (link_of (denominator (pairs near)) x); rewrite ?[(link_of _ x).1]/= ?Nat2N.id; try exact: List.in_map;
  by split; [by [left | right] | apply: level_power].
Qed.

Lemma level_link l : List.In l (links_of near) -> exists i j : 'I_p,
  [/\ l.1 = (val i, val j), e i j != 0, e i j ^+ L = power_z a l.2, e j i != 0 & e j i ^+ L = power_z a l.2].
Proof.
move=> /(@In_map _ _ _ _ _)[x x_in ->]; have [_ /all_In/(_ _ x_in)/andP[/N.ltb_lt lt /N.ltb_lt lt_p]] := andP ordered.
have i_p : (N.to_nat x.1.1 < p)%N by apply/ssrnat.ltP; lia.
have j_p : (N.to_nat x.1.2 < p)%N by apply/ssrnat.ltP; lia.
pose i := Ordinal i_p; pose j := Ordinal j_p; exists i, j.
have x_is : x = ((N.of_nat i, N.of_nat j), x.2) by rewrite /= !N2Nat.id; case: x {x_in lt lt_p i_p j_p i j} => -[].
have ij : constrained near i j x.2 by left; rewrite -x_is.
have ji : constrained near j i x.2 by right; rewrite -x_is.
have [/(_ _ ij)[eij_gt0 eij] _] := e_levels i j; have [/(_ _ ji)[eji_gt0 eji] _] := e_levels j i.
by split; rewrite ?gt_eqF //; exact: level_power.
Qed.
End Levels.

(* A fraction (or another number) b = a^(1/L) gives all a^d. *)
Lemma powers_of_root b : 0 < b -> b ^+ L = a -> has_powers near a.
Proof.
move=> b_gt0 b_L x x_in; have l_gt0 := links_gt0 (List.in_map (link_of (denominator (pairs near))) _ _ x_in).
have [k k_def] := denominator_divides x_in; have D_gt0 := denominator_gt0 (pairs near).
move: l_gt0; rewrite /link_of [_.2]/= {1}k_def Z.div_mul // => l_gt0.
have k_gt0 : (0 < k)%Z by have := D_gt0; rewrite k_def; nia.
exists (b ^+ (Z.to_nat k * Z.to_nat (Qnum x.2))%N); first by rewrite exprn_gt0.
rewrite -b_L -!exprM; congr (b ^+ _).
have -> : L = (Z.to_nat k * Pos.to_nat (Qden x.2))%N by rewrite /L k_def Z2Nat.inj_mul //; lia.
by rewrite mulnAC.
Qed.

Section Numbered.
Variable s : seq heights.
Hypotheses (s_all : all_heights p (links_of near) = Some s).
Variable e : 'I_p -> 'I_p -> R.
Hypothesis e_levels : levels near a e.

Definition all_rays q (V : 'I_q -> 'I_p -> R) :=
  [/\ forall k, ray e (V k), forall v, ray e v -> exists k c, 0 < c /\ forall i, v i = c * V k i &
      forall k l c, (forall i, V k i = c * V l i) -> k = l].

Lemma numbered q (u V : 'I_q -> 'I_p -> R) (K : 'I_q -> R) : q = size s -> (forall k : 'I_q, shape a L (nth [::] s k) (u k)) ->
  (forall k, 0 < K k) -> (forall k i, V k i = K k * u k i) -> all_rays V.
Proof.
move=> q_s; apply: (rays_numbered a_gt0 a_lt1 L_gt0 links_gt0 (levels_ge0 e_levels) (link_level e_levels) (level_link e_levels) q_s).
exact: all_heightsP.
Qed.

Theorem some_rays : exists2 V : 'I_(size s) -> 'I_p -> R, all_rays V & forall k, \sum_i V k i = 1.
Proof.
have [s_vertex _ _] := enumerates_numbers [::] (all_heightsP s_all).
have [u u_shape] : exists u : 'I_(size s) -> 'I_p -> R, forall k : 'I_(size s), shape a L (nth [::] s k) (u k).
  apply: (@fin_all_exists _ (fun=> 'I_p -> R) (fun k : 'I_(size s) => shape a L (nth [::] s k))) => k.
  have [r r_p h_r] := s_vertex k (ltn_ord k).
  exact: (shape_exists a_gt0 (levels_ge0 e_levels) (level_link e_levels) r_p h_r).
have u_gt0 k : 0 < \sum_i u k i.
  have [|u_ray _ _] := @numbered _ u u (fun=> 1) erefl u_shape (fun=> ltr01).
    by move=> l i; rewrite mul1r.
  by have [u_priv u_neq0 _] := u_ray k; exact: private_total u_priv u_neq0.
exists (fun k i => (\sum_j u k j)^-1 * u k i) => [|k]; last by rewrite -mulr_sumr mulVf // gt_eqF.
by apply: (numbered erefl u_shape (K := fun k => (\sum_j u k j)^-1)) => // k; rewrite invr_gt0.
Qed.

Variables (x y : Z) (b : R).
Hypotheses (x_gt0 : (0 < x)%Z) (y_gt0 : (0 < y)%Z) (b_def : b = of_Z R x / of_Z R y) (b_L : b ^+ L = a).

Definition factor_of (h : heights) : R := power_z b (- least h)%Z * of_Z R y ^+ Z.to_nat (most h - least h)%Z.

Lemma b_gt0 : 0 < b. Proof. by rewrite b_def divr_gt0 // of_Z_gt0. Qed.

Lemma factor_gt0 h : 0 < factor_of h.
Proof. by rewrite mulr_gt0 ?power_z_gt0 ?b_gt0 // exprn_gt0 // of_Z_gt0. Qed.

Lemma number_vector h i : of_Z R (number (vector_of x y h) i) =
  if height h i is Some z then factor_of h * power_z b z else 0.
Proof.
rewrite /number /vector_of; set f := fun o : option Z => _.
have -> : nth 0%Z [seq f o | o <- h] i = f (height h i).
  rewrite /height; have [i_h|i_h] := ltnP i (size h); first by rewrite (nth_map None).
  by rewrite !nth_default ?size_map.
rewrite /f; case hi: (height h i) => [z|] //; have [lo hi'] := least_most hi.
have power k c : (0 <= k)%Z -> of_Z R (c ^ k)%Z = of_Z R c ^+ Z.to_nat k by move=> k_ge0; rewrite -of_ZX Z2Nat.id.
rewrite of_ZM !power; try lia.
have y_neq0 : of_Z R y != 0 by rewrite gt_eqF // of_Z_gt0.
have -> : of_Z R x = b * of_Z R y by rewrite b_def divfK.
rewrite exprMn -mulrA -exprD.
have -> : (Z.to_nat (z - least h) + Z.to_nat (most h - z))%N = Z.to_nat (most h - least h)%Z.
  by rewrite -[(_ + _)%N]/(_ + _)%coq_nat -Z2Nat.inj_add; [congr Z.to_nat; lia | lia | lia].
rewrite -(power_z_nat b); last by lia.
have -> : (z - least h = - least h + z)%Z by lia.
by rewrite /factor_of power_zD ?b_gt0 // mulrAC.
Qed.

Lemma vector_shape h : shape a L h (fun i : 'I_p => (factor_of h)^-1 * of_Z R (number (vector_of x y h) i)).
Proof.
move=> i; rewrite number_vector; case: (height h i) => [z|]; last by rewrite mulr0.
by rewrite mulKf ?gt_eqF ?factor_gt0 // power_z_gt0 ?b_gt0 // power_z_power b_L.
Qed.

Theorem vectors_are_rays : all_rays (@vector_at R p [seq vector_of x y h | h <- s]).
Proof.
pose K (k : 'I_(size [seq vector_of x y h | h <- s])) := factor_of (nth [::] s k).
apply: (@numbered _ (fun k i => (K k)^-1 * vector_at R k i) _ K); rewrite ?size_map // => k.
- have k_s : (k < size s)%N by have := ltn_ord k; rewrite [X in (_ < X)%N -> _]size_map.
  by rewrite /vector_at (nth_map [::]) //; exact: vector_shape.
- exact: factor_gt0.
by move=> i; rewrite mulVKf // gt_eqF // factor_gt0.
Qed.
End Numbered.
End Soundness.
