(* SPDX-License-Identifier: MIT *)
(* What decides the claims of VerticesClaims.v, and its soundness.                                            *)
(*                                                                                                            *)
(*   vertex_countP    there are as many vertices as Heights.v lists heights                                   *)
(*   kernel_countP    there are as many kernel mechanisms as Circuits.v lists circuits                        *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From Coq Require List.
From ExactDP Require Import OrderedField Mechanism Rays Hyper.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables Privacy Optimal VertexRays TypesClaims.
From ExactDP.Checker Require Import Heights HeightRays Circuits KernelSupports VerticesClaims NeighbourRays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Inductive witness := Nothing.

Definition witness_in (c : claim) (v : json) : option witness :=
  let! _ := object_of [::] [::] v in Some Nothing.

Definition check (c : claim) (w : witness) : bool :=
  match c with
  | Vertices near a count =>
      is_level a && if heights_of near is Some s then N.eqb (N.of_nat (size s)) count else false
  | KernelCount near a count =>
      let p := size (vertices near) in
      [&& (0 < p)%N, is_level a &
          if vectors_of near a is Some vs then N.eqb (N.of_nat (size (circuits (size vs) (modulo_one p vs)))) count else false]
  end.

Section Soundness.
Variables (R : realFieldType) (near : neighbours) (a : Q).
Hypothesis a_level : is_level a.
Local Notation p := (size (vertices near)).

Lemma heights_ofP s : heights_of near = Some s -> in_order p near /\ all_heights p (links_of near) = Some s.
Proof. by rewrite /heights_of; case: ifP. Qed.

Theorem vertex_countP s : heights_of near = Some s -> has_powers near (of_Q R a) ->
  exactly (size s) (fun v : 'I_p -> R => vertex near (of_Q R a) v).
Proof.
move=> /heights_ofP[ordered s_all] powers; have /andP[a_gt0 a_lt1] := is_levelP R a_level.
have [e e_levels] := levels_exist ordered powers.
have [V [V_ray V_all V_once] V_sum] := some_rays a_gt0 a_lt1 ordered (all_heights_gt0 s_all) s_all e_levels.
have V_vertex k i : (\sum_j V k j)^-1 * V k i = V k i by rewrite V_sum invr1 mul1r.
exists V; split=> [k|v /(ray_of_vertex e_levels)[v_sum /V_all[k [c [c_gt0 c_def]]]]|k l kl].
- exact: (unit_vertex e_levels (V_sum k) (V_ray k)).
- exists k => i; have c1 : c = 1.
    by move: v_sum; under eq_bigr => j _ do rewrite c_def; rewrite -mulr_sumr V_sum mulr1.
  by rewrite c_def c1 mul1r.
by apply: (V_once k l 1) => i; rewrite mul1r.
Qed.

Theorem kernel_countP vs : (0 < p)%N -> vectors_of near a = Some vs ->
  exactly_kernels (size (circuits (size vs) (modulo_one p vs))) near (of_Q R a) p.
Proof.
move=> p_gt0; rewrite /vectors_of; case E: power_of => [x y]; case: ifP => // /andP[root /Z.ltb_lt x_gt0].
case s_is: heights_of => [s|] // [<-]; have [ordered s_all] := heights_ofP s_is.
have /andP[a_gt0 a_lt1] := is_levelP R a_level; have gt0 := all_heights_gt0 s_all.
have [/Z.ltb_lt y_gt0 b_L] : (0 <? y)%Z /\ (of_Z R x / of_Z R y) ^+ Z.to_nat (denominator (pairs near)) = of_Q R a.
  have /and5P[_ _ y_gt0 /Z.eqb_eq x_is /Z.eqb_eq y_is] := root; split=> //.
  have D_gt0 := denominator_gt0 (pairs near).
  have -> : Z.to_nat (denominator (pairs near)) = Pos.to_nat (Qden (unit_distance near)).
    by rewrite /unit_distance /=; case: (denominator (pairs near)) D_gt0.
  by rewrite expr_div_n -!of_ZX_pos x_is y_is [Qnum (unit_distance near)]/= !Z.pow_1_r.
set b := of_Z R x / of_Z R y in b_L; have b_gt0 : 0 < b by rewrite divr_gt0 // of_Z_gt0.
have [e e_levels] := levels_exist ordered (powers_of_root gt0 b_gt0 b_L).
have [V_ray V_all V_once] := vectors_are_rays a_gt0 a_lt1 ordered gt0 s_all e_levels x_gt0 y_gt0 erefl b_L.
set ws := [seq vector_of x y h | h <- s] in V_ray V_all V_once *.
have V_ge0 (k : 'I_(size ws)) (i : 'I_p) : 0 <= vector_at R k i by have [[]] := V_ray k.
have V_neq0 (k : 'I_(size ws)) : exists i : 'I_p, vector_at R k i != 0 by have [] := V_ray k.
have [W [W_basic W_all W_once]] := basic_numbers p_gt0 V_ge0 V_neq0.
exists (fun=> size ws), (fun n => kernel_of (@vector_at R p ws) (W n)); split=> [n|m X|n l same].
- exact: (kernel_of_basic e_levels V_ray (W_basic n)).
- move=> /(basic_of_kernel e_levels V_ray V_all V_once)[w w_basic same].
  have [n n_w] := W_all w w_basic; exists n.
  suff <- : kernel_of (@vector_at R p ws) w = kernel_of (@vector_at R p ws) (W n) by [].
  by apply/matrixP => i k; rewrite !mxE n_w.
apply: W_once; exact: (basic_once V_ray V_once p_gt0 (W_basic n) (W_basic l) same).
Qed.
End Soundness.

Theorem check_sound (R : realFieldType) c w : check c w -> meaning R c.
Proof.
case: c => near a count /=.
  case/andP=> a_level; case s_is: heights_of => [s|] // /N.eqb_eq <-.
  split=> [|powers]; first exact: is_levelP.
  by rewrite Nat2N.id; exact: vertex_countP.
case/and3P=> p_gt0 a_level; case vs_is: vectors_of => [vs|] // /N.eqb_eq <-.
split; first exact: is_levelP.
by rewrite Nat2N.id; exact: kernel_countP.
Qed.
