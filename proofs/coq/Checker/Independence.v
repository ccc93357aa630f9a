(* SPDX-License-Identifier: MIT *)
(* Whether vectors of integers are linearly independent, by elimination without fractions.                    *)
(*                                                                                                            *)
(*   independent vs     decides it for a list of vectors of one length                                        *)
(*   independentP       yes: only the zero combination vanishes; no: another one does                         *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField.
From ExactDP.Checker Require Import Numbers Rows Tables.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The common divisor of some numbers; 1 if they are all 0. *)
Definition common_divisor (r : seq Z) : Z := let g := foldr Z.gcd 0%Z r in if (1 <? g)%Z then g else 1%Z.

(* c w - w_i v, where v_i = c, without its common divisor. *)
Definition difference (c : Z) (i : nat) (v w : seq Z) : seq Z :=
  let d := nth 0%Z w i in [seq (c * z.1 - d * z.2)%Z | z <- zip w v].
Definition reduced (c : Z) (i : nat) (v w : seq Z) : seq Z :=
  let r := difference c i v w in let g := common_divisor r in [seq (z / g)%Z | z <- r].

Fixpoint independent_in (fuel : nat) (vs : seq (seq Z)) : bool :=
  match fuel, vs with
  | _, [::] => true
  | n.+1, v :: vs' =>
      let i := find (fun z => ~~ (z =? 0)%Z) v in
      if (i < size v)%N then independent_in n [seq reduced (nth 0%Z v i) i v w | w <- vs'] else false
  | O, _ => false
  end.

Definition independent (vs : seq (seq Z)) : bool := independent_in (size vs) vs.

Lemma common_divisor_gt0 r : (0 < common_divisor r)%Z.
Proof. by rewrite /common_divisor; case: Z.ltb_spec; lia. Qed.

Lemma common_divisor_divides r i : (common_divisor r | nth 0%Z r i)%Z.
Proof.
rewrite /common_divisor; case: Z.ltb_spec => _; last exact: Z.divide_1_l.
elim: r i => [|z r IHr] [|i] /=; try exact: Z.divide_0_r.
  exact: Z.gcd_divide_l.
by apply: Z.divide_trans (IHr i); exact: Z.gcd_divide_r.
Qed.

Section Independence.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Add Field R_field : (field_theory_of R).

Definition relation (n : nat) (vs : seq (seq Z)) (c : nat -> R) :=
  forall i, (i < n)%N -> \sum_(k < size vs) c k * of_Z (nth 0%Z (nth [::] vs k) i) = 0.

Lemma reducedP n c i v w j : size v = n -> size w = n -> (j < n)%N ->
  of_Z (common_divisor (difference c i v w)) * of_Z (nth 0%Z (reduced c i v w) j)
  = of_Z c * of_Z (nth 0%Z w j) - of_Z (nth 0%Z w i) * of_Z (nth 0%Z v j).
Proof.
move=> size_v size_w j_n; rewrite -of_ZM /reduced (nth_map 0%Z); last by rewrite size_map size_zip size_v size_w minnn.
rewrite -Z.divide_div_mul_exact; last exact: common_divisor_divides; last by have := common_divisor_gt0 (difference c i v w); lia.
rewrite Z.mul_comm Z.div_mul; last by have := common_divisor_gt0 (difference c i v w); lia.
rewrite /difference (nth_map (0%Z, 0%Z)) ?size_zip ?size_v ?size_w ?minnn // nth_zip ?size_v ?size_w //=.
by rewrite of_ZB !of_ZM.
Qed.

Lemma size_reduced n c i v w : size v = n -> size w = n -> size (reduced c i v w) = n.
Proof. by move=> size_v size_w; rewrite !size_map size_zip size_v size_w minnn. Qed.

Lemma independent_inP n m vs : size vs = m -> (forall k, (k < m)%N -> size (nth [::] vs k) = n) ->
  if independent_in m vs then forall c, relation n vs c -> forall k, (k < m)%N -> c k = 0
  else exists c, relation n vs c /\ exists2 k, (k < m)%N & c k != 0.
Proof.
elim: m vs => [|m IHm] [|v vs] //= [size_vs] sizes; have size_v : size v = n := sizes 0%N isT.
have sizes' k : (k < m)%N -> size (nth [::] vs k) = n := sizes k.+1.
have [pivot|none] := ltnP (find (fun z => ~~ (z =? 0)%Z) v) (size v); last first.
  exists (fun k => (k == 0%N)%:R); split; last by exists 0%N; rewrite //= oner_neq0.
  move=> i i_n; rewrite big_ord_recl /= mul1r big1 ?addr0 => [|k _]; last by rewrite mul0r.
  have i_find : (i < find (fun z => ~~ (z =? 0)%Z) v)%N.
    by apply: leq_trans none; rewrite size_v.
  by have /negbFE/Z.eqb_eq -> := before_find 0%Z i_find.
set i := find _ v in pivot *; set c := nth 0%Z v i.
have c_neq0 : of_Z c != 0.
  by have := nth_find 0%Z (_ : has (fun z => ~~ (z =? 0)%Z) v); rewrite has_find => /(_ pivot); rewrite -(of_Z0 R) of_Z_eq.
have i_n : (i < n)%N by rewrite -size_v.
set ws := map _ vs; have size_ws : size ws = m by rewrite size_map.
have ws_at k : (k < m)%N -> nth [::] ws k = reduced c i v (nth [::] vs k) by move=> k_m; rewrite (nth_map [::]) ?size_vs.
pose g k := of_Z (common_divisor (difference c i v (nth [::] vs k))).
have g_neq0 k : g k != 0 by rewrite gt_eqF // of_Z_gt0 //; exact: common_divisor_gt0.
have ws_entry k j : (k < m)%N -> (j < n)%N -> g k * of_Z (nth 0%Z (nth [::] ws k) j)
    = of_Z c * of_Z (nth 0%Z (nth [::] vs k) j) - of_Z (nth 0%Z (nth [::] vs k) i) * of_Z (nth 0%Z v j).
  by move=> k_m j_n; rewrite ws_at //; apply: (reducedP c i size_v) => //; exact: sizes'.
have sizes_ws k : (k < m)%N -> size (nth [::] ws k) = n.
  by move=> k_m; rewrite ws_at //; apply: (size_reduced c i size_v); exact: sizes'.
have size_all : size (v :: vs) = m.+1 by rewrite /= size_vs.
have := IHm ws size_ws sizes_ws; case: ifP => _.
  move=> ws_ind d d_rel.
  have split_rel j : (j < n)%N -> \sum_(k < m) d k.+1 * of_Z (nth 0%Z (nth [::] vs k) j) = - (d 0%N * of_Z (nth 0%Z v j)).
    move=> j_n; have := d_rel j j_n; rewrite size_all big_ord_recl /= => e.
    by apply/eqP; rewrite -addr_eq0 addrC; apply/eqP.
  have d_next k : (k < m)%N -> d k.+1 = 0.
    move=> k_m; suff /ws_ind/(_ k k_m)/eqP : relation n ws (fun k => d k.+1 * g k).
      by rewrite mulf_eq0 (negPf (g_neq0 k)) orbF => /eqP.
    move=> j j_n; rewrite size_ws.
    have -> : \sum_(k0 < m) d k0.+1 * g k0 * of_Z (nth 0%Z (nth [::] ws k0) j)
        = of_Z c * (\sum_(k0 < m) d k0.+1 * of_Z (nth 0%Z (nth [::] vs k0) j))
          - (\sum_(k0 < m) d k0.+1 * of_Z (nth 0%Z (nth [::] vs k0) i)) * of_Z (nth 0%Z v j).
      rewrite mulr_sumr mulr_suml -sumrB; apply: eq_bigr => k0 _; rewrite -mulrA ws_entry //; by_ring R.
    by rewrite !split_rel // -/c; by_ring R.
  case=> [|k]; last exact: d_next.
  move=> _; have := split_rel i i_n; rewrite big1 => [/eqP|k _]; last by rewrite d_next // mul0r.
  by rewrite eq_sym oppr_eq0 mulf_eq0 (negPf c_neq0) orbF => /eqP.
case=> d [d_rel [k k_m dk_neq0]].
exists (fun k => if k is k'.+1 then d k' / g k' * of_Z c else - \sum_(l < m) d l / g l * of_Z (nth 0%Z (nth [::] vs l) i)).
split; last by exists k.+1; rewrite //= !mulf_neq0 ?invr_eq0.
move=> j j_n; rewrite size_all big_ord_recl /=.
have -> : \sum_(l < m) d l / g l * of_Z c * of_Z (nth 0%Z (nth [::] vs l) j)
    = \sum_(l < m) d l * of_Z (nth 0%Z (nth [::] ws l) j)
      + (\sum_(l < m) d l / g l * of_Z (nth 0%Z (nth [::] vs l) i)) * of_Z (nth 0%Z v j).
  rewrite mulr_suml -big_split; apply: eq_bigr => l _ /=; apply: (mulfI (g_neq0 l)).
  have := ws_entry l j (ltn_ord l) j_n; move: (g_neq0 l) (of_Z (nth 0%Z (nth [::] ws l) j)).
  move: (g l) => gl gl_neq0 wsl e; rewrite mulrDr [gl * (_ * wsl)]mulrCA e.
  by by_field R; apply/eqP.
by have := d_rel j j_n; rewrite size_ws => ->; by_ring R.
Qed.

Theorem independentP n vs : (forall k, (k < size vs)%N -> size (nth [::] vs k) = n) ->
  if independent vs then forall c, relation n vs c -> forall k, (k < size vs)%N -> c k = 0
  else exists c, relation n vs c /\ exists2 k, (k < size vs)%N & c k != 0.
Proof. exact: independent_inP. Qed.
End Independence.
