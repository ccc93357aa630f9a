(* SPDX-License-Identifier: MIT *)
(* What decides the claims of VerticesClaims.v, and its soundness.                                            *)
(*                                                                                                            *)
(*   vertex_countP    the heights that Heights.v lists are as many as there are vertices                      *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From Coq Require List.
From ExactDP Require Import OrderedField Mechanism Rays.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Privacy VertexRays.
From ExactDP.Checker Require Import Listing Heights HeightRays VerticesClaims.

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

Inductive witness := Nothing.

Definition witness_in (c : claim) (v : json) : option witness :=
  let! _ := object_of [::] [::] v in Some Nothing.

Definition check (c : claim) (w : witness) : bool :=
  match c with
  | Vertices near a count =>
      is_level a && if heights_of near is Some s then N.eqb (N.of_nat (size s)) count else false
  end.

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

Lemma vertex_of_ray v : ray e v -> vertex near a (fun i => (\sum_j v j)^-1 * v i).
Proof. by move=> v_ray; have [v_priv v_neq0 _] := v_ray; exact/(vertex_ray e_levels v_priv v_neq0). Qed.

Lemma ray_of_vertex v : vertex near a v -> \sum_i v i = 1 /\ ray e v.
Proof.
move=> v_vertex; have [[[v_ge0 v_sum] v_le] v_ext] := (vertex_levels e_levels v).1 v_vertex; split=> //.
have v_priv : private_vector e v by split.
have v_neq0 : exists i, v i != 0.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP zero.
  by move/eqP: v_sum; rewrite big1 ?(eq_sym 0) ?oner_eq0 // => i _; have := zero i; rewrite negbK => /eqP.
have same i : (\sum_j v j)^-1 * v i = v i by rewrite v_sum invr1 mul1r.
apply/(ray_vertex v_priv v_neq0); split=> [|x y t x_in y_in t_in v_def i].
  split=> [|i j]; last by rewrite !same.
  by split=> [i|]; [rewrite same | under eq_bigr => i _ do rewrite same].
by rewrite same; apply: v_ext x_in y_in t_in _ i => j; rewrite -same.
Qed.
End Levels.

Theorem vertex_countP s : all_heights p (links_of near) = Some s -> has_powers near a ->
  exactly (size s) (fun v : 'I_p -> R => vertex near a v).
Proof.
move=> s_all powers; have [s_once sP] := all_heightsP s_all; have [e e_levels] := levels_exist powers.
have e_ge0 := levels_ge0 e_levels.
pose h k := nth [::] s k.
have h_in (k : 'I_(size s)) : List.In (h k) s by exact: In_nth.
have h_vertex k : List.In (h k) s -> exists2 r, (r < p)%N & vertex_heights p (links_of near) r (h k) by move/sP.
have [v v_shape] : exists v : 'I_(size s) -> 'I_p -> R, forall k : 'I_(size s), shape a L (h k) (v k).
  apply: (@fin_all_exists _ (fun=> 'I_p -> R) (fun k : 'I_(size s) => shape a L (h k))) => k.
  have [r r_p h_r] := h_vertex _ (h_in k).
  exact: (shape_exists a_gt0 e_ge0 (level_link e_levels) r_p h_r).
have v_ray (k : 'I_(size s)) : ray e (v k).
  have [r r_p h_r] := h_vertex _ (h_in k).
  exact: (heights_ray a_gt0 a_lt1 L_gt0 e_ge0 (link_level e_levels) (level_link e_levels) r_p h_r (v_shape k)).
exists (fun k i => (\sum_j v k j)^-1 * v k i); split=> [k|u /(ray_of_vertex e_levels)[u_sum u_ray]|k l kl].
- exact: vertex_of_ray.
- have [r [g [c [r_p g_r c_gt0 g_shape]]]] := ray_heights a_gt0 a_lt1 L_gt0 links_gt0 e_ge0 (link_level e_levels) (level_link e_levels) u_ray.
  have [k k_s k_g] := nth_In [::] ((sP g).2 (ex_intro2 _ _ r r_p g_r)).
  exists (Ordinal k_s) => i; have := v_shape (Ordinal k_s); rewrite /h /= k_g => v_g.
  have same := shape_once L_gt0 v_g g_shape.
  under eq_bigr => j _ do rewrite same.
  by rewrite same -mulr_sumr u_sum mulr1 mulKf // gt_eqF.
apply/val_inj/(nth_once s_once (ltn_ord k) (ltn_ord l)).
have [r r_p h_r] := h_vertex _ (h_in k); have [r' r'_p h_r'] := h_vertex _ (h_in l).
have v_neq0 m : \sum_j v m j != 0.
  by have [v_priv v_neq0 _] := v_ray m; rewrite gt_eqF //; exact: private_total v_priv v_neq0.
apply: (@heights_once _ _ _ _ _ a_gt0 a_lt1 _ _ _ _ _ _ ((\sum_j v k j) * (\sum_j v l j)^-1) r_p r'_p h_r h_r' (v_shape k) (v_shape l)) => i.
by rewrite -mulrA -kl mulVKf.
Qed.
End Soundness.

Theorem check_sound (R : realFieldType) c w : check c w -> meaning R c.
Proof.
case: c => near a count /andP[/(is_levelP R) a_level]; rewrite /heights_of; case: ifP => // ordered.
case s_all: all_heights => [s|] // /N.eqb_eq <-; split=> // powers.
rewrite Nat2N.id; have [a_gt0 a_lt1] := andP a_level.
by apply: vertex_countP => //; exact: all_heights_gt0 s_all.
Qed.
