(* SPDX-License-Identifier: MIT *)
(* Which private vectors are rays when pairs of inputs may be missing, and inputs need not be connected.      *)
(*                                                                                                            *)
(* A pair that is not constrained has the level e_ij = 0.  Entries of a private vector may then be 0.         *)
(*   ray_connected   v is a ray exactly when its tight pairs, v_i = e_ij v_j or v_j = e_ji v_i, connect its    *)
(*                   support (so a ray is 0 outside one component of the constrained pairs)                   *)
(*                                                                                                            *)
(* Proof.  If v = x + y, tight pairs are tight for x too, and x is 0 where v is: so x/v is the same along a   *)
(* tight pair.  Conversely, if the support has a part that no tight pair leaves, v can be made a little       *)
(* larger and a little smaller on that part alone.                                                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame Rays ExtremeRays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Connected.
Variables (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R).
Add Field R_field : (field_theory_of R).
Hypothesis e_ge0 : forall i j, 0 <= e i j.

(* Two inputs of the support, as far apart as they may be. *)
Definition tight_pair (v : 'I_p -> R) : rel 'I_p :=
  fun i j => [&& v i != 0, v j != 0 & (v i == e i j * v j) || (v j == e j i * v i)].

Lemma tight_pair_sym v : symmetric (tight_pair v).
Proof. by move=> i j; rewrite /tight_pair andbCA orbC. Qed.

Lemma connected_ray v : private_vector e v -> (exists i, v i != 0) ->
  (forall i j, v i != 0 -> v j != 0 -> connect (tight_pair v) i j) -> ray e v.
Proof.
move=> v_priv [i0 vi0_neq0] conn; split=> // [|x y [x_ge0 x_priv] [y_ge0 y_priv] v_def]; first by exists i0.
have x_tight i j : v i = e i j * v j -> x i = e i j * x j.
  rewrite !v_def mulrDr => both; apply/eqP; rewrite eq_le x_priv andbT.
  by rewrite -(ler_add2r (y i)) both ler_add2l y_priv.
pose c := x i0 / v i0.
have along s i : path (tight_pair v) i s -> x i = c * v i -> x (last i s) = c * v (last i s).
  elim: s i => [|k s IHs] i //= /andP[/and3P[vi_neq0 vk_neq0 t] /IHs next] x_i; apply: next.
  case/orP: t => /eqP t; have x_t := x_tight _ _ t; last by rewrite x_t x_i t mulrCA.
  have e_neq0 : e i k != 0 by apply: contraNneq vi_neq0 => e0; rewrite t e0 mul0r.
  by apply: (mulfI e_neq0); rewrite -x_t x_i t mulrCA.
exists c => i; have [vi0|vi_neq0] := eqVneq (v i) 0.
  by rewrite vi0 mulr0; apply/eqP; rewrite eq_le x_ge0 andbT -[X in _ <= X]vi0 v_def ler_addl.
have /connectP[s s_path ->] := conn i0 i vi0_neq0 vi_neq0.
by apply: along s_path _; rewrite /c divfK.
Qed.

Lemma ray_connects v i0 j0 : ray e v -> v i0 != 0 -> v j0 != 0 -> connect (tight_pair v) i0 j0.
Proof.
move=> v_ray vi0_neq0 vj0_neq0; have [v_priv _ v_ext] := v_ray; have [v_ge0 v_le] := v_priv.
apply: contraT => j0_out; exfalso; pose inside := connect (tight_pair v) i0.
have v_gt0 i : v i != 0 -> 0 < v i by move=> vi; rewrite lt_neqAle eq_sym vi v_ge0.
pose cut i j := [&& v i != 0, v j != 0 & inside i (+) inside j].
have slack i j : cut i j -> 0 < v i - e i j * v j.
  case/and3P=> vi vj ij; rewrite subr_gt0 lt_neqAle v_le andbT eq_sym; apply: contraTneq ij => t.
  have t_ij : tight_pair v i j by rewrite /tight_pair vi vj t eqxx.
  by rewrite /inside (same_connect_r (sym_connect_sym (@tight_pair_sym v)) (connect1 t_ij)) addbb.
have [x x_gt0 x_le] : exists2 x : R, 0 < x & forall i j, cut i j -> x * v i <= v i - e i j * v j.
  pose f (k : 'I_p * 'I_p) := if cut k.1 k.2 then (v k.1 - e k.1 k.2 * v k.2) / v k.1 else 1.
  have [|x x_gt0 x_le] := @positive_bound _ _ f.
    by move=> k; rewrite /f; case: ifP => [k_cut|_]; rewrite ?ltr01 // divr_gt0 ?slack ?v_gt0 //; case/and3P: k_cut.
  exists x => // i j ij; have := x_le (i, j); rewrite /f /= ij.
  by rewrite ler_pdivl_mulr // v_gt0 //; case/and3P: ij.
have x_le1 : x <= 1.
  have ij0 : cut i0 j0 by rewrite /cut vi0_neq0 vj0_neq0 /inside connect0 (negPf j0_out).
  rewrite -(ler_pmul2r (v_gt0 _ vi0_neq0)) mul1r; apply: le_trans (x_le _ _ ij0) _.
  by rewrite ler_subl_addr ler_addl mulr_ge0.
pose on i : R := (inside i)%:R; pose half : R := 2%:R^-1.
have half_ge0 : 0 <= half by rewrite invr_ge0 ler0n.
have half2 : half + half = 1 by rewrite -mulr2n -[_ *+ 2]mulr_natl divff // pnatr_eq0.
have moved (y : R) : y = x \/ y = - x -> private_vector e (fun i => half * ((1 + y * on i) * v i)).
  move=> y_x; apply: private_scale => //.
  have y_ge : - x <= y by case: y_x => -> //; rewrite -subr_ge0 opprK addr_ge0 // ltW.
  have y_le : y <= x by case: y_x => -> //; rewrite -subr_ge0 opprK addr_ge0 // ltW.
  have y1_ge0 : 0 <= 1 + y by rewrite addrC -ler_subl_addr sub0r; apply: le_trans y_ge; rewrite ler_opp2.
  have entry_ge0 i : 0 <= (1 + y * on i) * v i.
    by rewrite /on; case: (inside i); rewrite ?mulr1 ?mulr0 ?addr0 ?mul1r // mulr_ge0.
  split=> // i j.
  have [vj0|vj_neq0] := eqVneq (v j) 0; first by rewrite vj0 !mulr0 entry_ge0.
  have [vi0|vi_neq0] := eqVneq (v i) 0.
    have -> : e i j * ((1 + y * on j) * v j) = (1 + y * on j) * (e i j * v j) by by_ring R.
    have -> : e i j * v j = 0 by apply/eqP; rewrite eq_le -{1}vi0 v_le mulr_ge0.
    by rewrite vi0 !mulr0.
  have ij := slack i j; have ij_x := x_le i j; move: ij ij_x; rewrite /cut /on vi_neq0 vj_neq0 /=.
  case: (inside i); case: (inside j) => /= ij ij_x; rewrite ?mulr1 ?mulr0 ?addr0 ?mul1r //.
  - by rewrite mulrCA ler_wpmul2l.
  - rewrite mulrDl mul1r -subr_ge0; have := ij_x isT; rewrite -subr_ge0 => le0.
    apply: le_trans le0 _; rewrite -subr_ge0.
    have -> : v i + y * v i - e i j * v j - (v i - e i j * v j - x * v i) = (y + x) * v i by by_ring R.
    by rewrite mulr_ge0 // -[x]opprK subr_ge0.
  rewrite mulrCA mulrDl mul1r -subr_ge0; have := ij_x isT; rewrite -subr_ge0 => le0.
  apply: le_trans le0 _; rewrite -subr_ge0.
  have -> : v i - (e i j * v j + y * (e i j * v j)) - (v i - e i j * v j - x * v i) =
      x * (v i - e i j * v j) + (x - y) * (e i j * v j) by by_ring R.
  by apply: addr_ge0; apply: mulr_ge0; rewrite ?subr_ge0 ?v_le //; [exact: ltW | exact: mulr_ge0].
have [|c c_def] := v_ext _ _ (moved x (or_introl erefl)) (moved (- x) (or_intror erefl)).
  by move=> i; rewrite -[LHS]mul1r -{1}half2; by_ring R.
have c_half : c = half.
  have := c_def j0; rewrite /on /inside (negPf j0_out) mulr0 addr0 mul1r => /esym.
  exact: mulIf.
have := c_def i0; rewrite c_half /on /inside connect0 mulr1 => /mulfI half_inj.
have /half_inj : half != 0 by rewrite invr_eq0 pnatr_eq0.
rewrite -[RHS]mul1r => /mulIf -/(_ vi0_neq0) /eqP.
by rewrite -subr_eq0 addrAC subrr add0r gt_eqF.
Qed.

Theorem ray_connected v : private_vector e v ->
  ray e v <-> (exists i, v i != 0) /\ forall i j, v i != 0 -> v j != 0 -> connect (tight_pair v) i j.
Proof.
move=> v_priv; split=> [v_ray|[v_neq0 conn]]; last exact: connected_ray.
by split=> [|i j]; [case: v_ray | exact: ray_connects].
Qed.

End Connected.
