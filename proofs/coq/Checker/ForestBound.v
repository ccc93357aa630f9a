(* SPDX-License-Identifier: MIT *)
(* The forest rule (SPEC, section 4.2), decided on integers.                                                  *)
(*                                                                                                            *)
(* Costs c_i of the inputs are folded along pairs {i, j} at distance 1: c_i x_i >= g x_j for every private x,  *)
(* where g is a c_i rounded down if c_i >= 0, and c_i/a rounded down if not.  So the sum of all c_i x_i does   *)
(* not grow when g is added to c_j and c_i becomes 0; and if all are >= 0 in the end, it was >= 0.            *)
(* Nothing else is needed of the order of folds: [fold_order] finds one in which children come before parents. *)
(*   fold_le         folding does not raise the sum                                                           *)
(*   forest_bound    no private mechanism has a loss below a given number                   (forest_boundP)   *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Meaning Tables Privacy Derivable Optimal Dense.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- An order of folds: from each root outwards, the last found first ---- *)
Definition beside (near : neighbours) (i : N) : seq N :=
  flatten [seq if N.eqb e.1.1 i then [:: e.1.2] else if N.eqb e.1.2 i then [:: e.1.1] else [::]
          | e : N * N * Q <- pairs near].

Fixpoint explore (fuel : nat) (near : neighbours) (seen stack : seq N) (folds : seq (N * N)) : seq N * seq (N * N) :=
  match fuel, stack with
  | k.+1, i :: stack' =>
      let found := [seq j <- beside near i | ~~ has (N.eqb j) seen] in
      explore k near (found ++ seen) (found ++ stack') ([seq (j, i) | j <- found] ++ folds)
  | _, _ => (seen, folds)
  end.

Definition fold_order (near : neighbours) : seq (N * N) :=
  let n := size (vertices near) in
  (foldl (fun state i => if has (N.eqb i) state.1 then state else explore n near (i :: state.1) [:: i] state.2)
         ([::], [::]) [seq N.of_nat i | i <- iota 0 n]).2.

(* ---- Folds ---- *)
Definition folded (p q z : Z) : Z := if (0 <=? z)%Z then (z * p / q)%Z else (z * q / p)%Z.

Definition fold_into (p q : Z) (m : nat) (c : seq (seq Z)) (ij : N * N) : seq (seq Z) :=
  let i := N.to_nat ij.1 in let j := N.to_nat ij.2 in
  let sum := [seq (x.2 + folded p q x.1)%Z | x <- zip (nth [::] c i) (nth [::] c j)] in
  set_nth [::] (set_nth [::] c i (nseq m 0%Z)) j sum.

Definition fold_ok (near : neighbours) (ij : N * N) : bool :=
  let p := N.of_nat (size (vertices near)) in
  [&& ~~ N.eqb ij.1 ij.2, (ij.1 <? p)%num, (ij.2 <? p)%num &
      has (fun e : N * N * Q => [&& (N.eqb e.1.1 ij.1 && N.eqb e.1.2 ij.2) || (N.eqb e.1.1 ij.2 && N.eqb e.1.2 ij.1),
                                    Z.eqb (Qnum e.2) 1 & Pos.eqb (Qden e.2) 1]) (pairs near)].

Definition forest_bound (near : neighbours) (p m : nat) (a : Q) (L : integers) (w mu : vector) (v : Q) : bool :=
  let x := Qnum a in let y := Zpos (Qden a) in
  let folds := fold_order near in
  let top := ((x * y) ^ Z.of_nat (size folds))%Z in
  let sw := (Zpos (unit w) * scaling L)%Z in let smu := Zpos (unit mu) in let k := Z.lcm sw smu in
  let costs := [seq combine (k / sw * top * at_index (terms w) i) (line_of L i)
                            (- (k / smu * top * at_index (terms mu) i)) (enumerate 0 (nseq m 1%Z)) | i <- iota 0 p] in
  [&& is_level a, size (vertices near) == p, size folds == size (pairs near), all (fold_ok near) folds,
      all (in_order m) costs, below (N.of_nat p) (terms mu), equals (total (terms mu)) smu v &
      all (all (fun z => (0 <=? z)%Z)) (foldl (fold_into x y m) [seq dense m r | r <- costs] folds)].

Section ForestBound.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma folded_le p q z (x y : R) : (0 < p)%Z -> (0 < q)%Z -> 0 <= y ->
  of_Z p / of_Z q * y <= x -> of_Z p / of_Z q * x <= y -> of_Z (folded p q z) * y <= of_Z z * x.
Proof.
move=> p_gt0 q_gt0 y_ge0 xy yx; have pR := of_Z_gt0 R p_gt0; have qR := of_Z_gt0 R q_gt0.
rewrite /folded; case: Z.leb_spec => [z_ge0|z_lt0].
  apply: le_trans (_ : of_Z z * (of_Z p / of_Z q * y) <= _); last by rewrite ler_wpmul2l // of_Z_ge0; exact/Z.leb_le.
  rewrite mulrA ler_wpmul2r // mulrA ler_pdivl_mulr // -!of_ZM of_Z_le; apply/Z.leb_le.
  by have := Z.mul_div_le (z * p) q q_gt0; lia.
apply: le_trans (_ : of_Z z * (of_Z q / of_Z p * y) <= _).
  rewrite mulrA ler_wpmul2r // mulrA ler_pdivl_mulr // -!of_ZM of_Z_le; apply/Z.leb_le.
  by have := Z.mul_div_le (z * q) p p_gt0; lia.
apply: ler_wnmul2l; first by rewrite -(of_Z0 R) of_Z_le; apply/Z.leb_le; lia.
by move: yx; rewrite !(mulrAC _ _^-1) ler_pdivr_mulr // ler_pdivl_mulr // [x * _]mulrC [of_Z q * _]mulrC.
Qed.

Definition shaped (p m : nat) (c : seq (seq Z)) := size c = p /\ forall i, (i < p)%N -> size (nth [::] c i) = m.

Definition cost (c : seq (seq Z)) (i r : nat) : Z := nth 0%Z (nth [::] c i) r.

Lemma at_fold p q m n c ij i r : shaped n m c -> (r < m)%N ->
  (N.to_nat ij.1 < n)%N -> (N.to_nat ij.2 < n)%N -> N.to_nat ij.1 <> N.to_nat ij.2 ->
  cost (fold_into p q m c ij) i r =
    if i == N.to_nat ij.2 then (cost c i r + folded p q (cost c (N.to_nat ij.1) r))%Z
    else if i == N.to_nat ij.1 then 0%Z else cost c i r.
Proof.
case: ij => x y [size_c size_row] r_m /= x_n y_n xy; rewrite /cost /fold_into nth_set_nth /=.
case: eqP => [->|_].
  by rewrite (nth_map (0, 0)%Z) ?size_zip ?size_row ?minnn // nth_zip ?size_row.
by rewrite nth_set_nth /=; case: eqP => // _; rewrite nth_nseq r_m.
Qed.

Lemma fold_shaped p q m n c ij : shaped n m c -> (N.to_nat ij.1 < n)%N -> (N.to_nat ij.2 < n)%N ->
  shaped n m (fold_into p q m c ij).
Proof.
case: ij => x y [size_c size_row] /= x_n y_n; split=> [|i i_n].
  by rewrite !size_set_nth size_c !(maxn_idPr _).
rewrite nth_set_nth /=; case: eqP => _; first by rewrite size_map size_zip !size_row // minnn.
by rewrite nth_set_nth /=; case: eqP => _; [rewrite size_nseq | exact: size_row].
Qed.

Section Column.
Variables (near : neighbours) (a : Q) (m : nat) (r : 'I_m).
Local Notation n := (size (vertices near)).
Variable X : 'M[R]_(n, m).
Hypotheses (a_level : is_level a) (X_ge0 : forall i r, 0 <= X i r) (X_priv : private_for near (of_Q a) X).

Definition value_of (c : seq (seq Z)) : R := \sum_(i < n) of_Z (cost c i r) * X i r.

Theorem fold_le c ij : shaped n m c -> fold_ok near ij ->
  value_of (fold_into (Qnum a) (Zpos (Qden a)) m c ij) <= value_of c.
Proof.
case: ij => x y c_ok /and4P[xy /N.ltb_lt x_n /N.ltb_lt y_n]; rewrite [(x, y).1]/= [(x, y).2]/= in xy x_n y_n *.
case/has_In=> e e_in /and3P[e_xy /Z.eqb_eq d1 /Pos.eqb_eq d2].
case: e e_in e_xy d1 d2 => [[e1 e2] [dn dd]] /= e_in e_xy d1 d2.
have x_lt : (N.to_nat x < n)%N by apply/ssrnat.ltP; lia.
have y_lt : (N.to_nat y < n)%N by apply/ssrnat.ltP; lia.
have xy_neq : N.to_nat x <> N.to_nat y by move=> e; move/negP: xy; apply; apply/N.eqb_eq; lia.
pose i := Ordinal x_lt; pose j := Ordinal y_lt; have ij : j != i by apply/eqP => /(congr1 val) /= e; apply: xy_neq.
have between k l : constrained near (N.to_nat k) (N.to_nat l) (Qmake 1 1) ->
    forall (k_lt : (N.to_nat k < n)%N) (l_lt : (N.to_nat l < n)%N),
    of_Q a * X (Ordinal l_lt) r <= X (Ordinal k_lt) r.
  by move=> kl k_lt l_lt; have := X_priv (i := Ordinal k_lt) (j := Ordinal l_lt) r kl; rewrite !expr1.
have kl : constrained near (N.to_nat x) (N.to_nat y) (Qmake 1 1).
  rewrite /constrained !N2Nat.id; move: e_in; rewrite d1 d2.
  by case/orP: e_xy => /andP[/N.eqb_eq -> /N.eqb_eq ->]; [left | right].
have lk : constrained near (N.to_nat y) (N.to_nat x) (Qmake 1 1) by case: kl; [right | left].
rewrite /value_of (bigD1 i) //= [leRHS](bigD1 i) //= (bigD1 j) //= [X in _ <= _ + X](bigD1 j) //=.
rewrite !(at_fold _ _ _ c_ok) //= eqxx (negPf (introN eqP xy_neq)) eqxx mul0r add0r.
rewrite [X in _ <= _ + (_ + X)](_ : _ = \sum_(k < n | (k != i) && (k != j)) of_Z (cost (fold_into (Qnum a) (Zpos (Qden a)) m c (x, y)) k r) * X k r); last first.
  apply: eq_bigr => k /andP[k_i k_j]; rewrite (at_fold _ _ _ c_ok) //=.
  by move: k_i k_j; rewrite -!val_eqE /= => /negPf -> /negPf ->.
rewrite addrA ler_add2r of_ZD mulrDl addrC ler_add2r.
have /andP[/Z.ltb_lt p_gt0 _] := a_level.
by apply: folded_le => //; [exact: between kl _ _ | exact: between lk _ _].
Qed.

Lemma folds_le folds c : shaped n m c -> all (fold_ok near) folds ->
  value_of (foldl (fold_into (Qnum a) (Zpos (Qden a)) m) c folds) <= value_of c.
Proof.
elim: folds c => [|ij folds IHfolds] c c_ok //= /andP[ij_ok folds_ok].
apply: le_trans (fold_le c_ok ij_ok); apply: IHfolds => //.
by case/and4P: ij_ok => _ /N.ltb_lt x_n /N.ltb_lt y_n _; apply: fold_shaped => //; apply/ssrnat.ltP; lia.
Qed.

End Column.

Theorem forest_boundP near p m a c d L w mu v :
  represents L (matrix_of R p m (content (loss_of c))) -> weights_for p c d = Some w ->
  forest_bound near p m a L w mu v -> none_below near p m (of_Q a) c (of_Q v).
Proof.
move=> [L_gt0 l_L] w_for; rewrite /forest_bound; set folds := fold_order near.
set x := Qnum a; set y := Zpos (Qden a); set top := (_ ^ _)%Z.
set sw := (Zpos (unit w) * scaling L)%Z; set smu := Zpos (unit mu); set k := Z.lcm sw smu.
set costs := [seq combine _ _ _ _ | i <- _].
case/and5P=> a_level /eqP size_p _ folds_ok /and4P[in_orders mu_p mu_v ends_ge0].
subst p => X [X_st X_priv] u X_le; have [X_ge0 X_sum1] := X_st.
apply: le_trans (weights_forP w_for X_le).
have sw_gt0 : (0 < sw)%Z by apply: Z.mul_pos_pos => //; exact: gt0_Z L_gt0.
have smu_gt0 : (0 < smu)%Z by [].
have k_gt0 : (0 < k)%Z by exact: lcm_gt0.
have kw : of_Z k = of_Z (k / sw) * of_Z sw by apply: quotient => //; exact: Z.divide_lcm_l.
have kmu : of_Z k = of_Z (k / smu) * of_Z smu by apply: quotient => //; exact: Z.divide_lcm_r.
have /andP[/Z.ltb_lt x_gt0 _] := a_level.
have top_gt0 : (0 < top)%Z by apply: Z.pow_pos_nonneg; [exact: Z.mul_pos_pos | exact: Nat2Z.is_nonneg].
have -> : of_Q v = \sum_(i < size (vertices near)) vector_entry R mu i.
  by rewrite -(equalsP (of_Z_gt0 R smu_gt0) mu_v) /vector_entry -mulr_suml sum_row1.
set start := [seq dense m r | r <- costs] in ends_ge0.
have size_costs : size costs = size (vertices near) by rewrite size_map size_iota.
have start_ok : shaped (size (vertices near)) m start.
  by split=> [|i i_n]; [rewrite size_map | rewrite (nth_map [::]) ?size_dense // size_costs].
have costE (i : 'I_(size (vertices near))) (r : 'I_m) : of_Z (cost start i r) = of_Z k * of_Z top *
    (vector_entry R w i * matrix_of R _ m (content (loss_of c)) i r - vector_entry R mu i).
  rewrite /cost (nth_map [::]) ?size_costs // at_dense //; last by apply: (all_nthP [::] in_orders); rewrite size_costs.
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n at_combine (at_enumerate 0) ltn0 subn0 nth_nseq ltn_ord.
  rewrite of_ZD !of_ZM of_ZN !of_ZM mulr1 mulrBr l_L; congr (_ - _).
    rewrite kw /sw /vector_entry of_ZM; have w_neq0 := of_Z_pos_neq0 R (unit w).
    have L_neq0 : of_Z (scaling L) != 0 by rewrite gt_eqF.
    by by_field R; split; apply/eqP.
  rewrite kmu /vector_entry /smu; have mu_neq0 := of_Z_pos_neq0 R (unit mu).
  by by_field R; apply/eqP.
have kt_gt0 : 0 < of_Z k * of_Z top by rewrite mulr_gt0 // of_Z_gt0.
have column_ge0 (r : 'I_m) : 0 <= value_of r X start.
  apply: le_trans (folds_le r a_level X_ge0 X_priv start_ok folds_ok).
  apply: sumr_ge0 => i _; rewrite mulr_ge0 // of_Z_ge0 /cost; apply/Z.leb_le.
  set final := foldl _ _ _ in ends_ge0 *; have [i_lt|i_ge] := ltnP i (size final); last by rewrite (nth_default [::]) // nth_nil.
  have := all_nthP [::] ends_ge0 i i_lt; set s := nth [::] final i => s_ge0.
  have [r_lt|r_ge] := ltnP r (size s); last by rewrite nth_default.
  exact/Z.leb_le/(all_nthP 0%Z s_ge0).
have total_ge0 : 0 <= \sum_r value_of r X start by exact: sumr_ge0.
rewrite -subr_ge0 -(pmulr_rge0 _ kt_gt0); move: total_ge0; congr (_ <= _).
rewrite /value_of exchange_big /= mulrBr /bayes_loss !mulr_sumr -sumrB; apply: eq_bigr => i _.
rewrite -[vector_entry R mu i in RHS]mulr1 -(X_sum1 i) /loss_at !mulr_sumr -sumrB; apply: eq_bigr => r _.
by rewrite costE; by_ring R.
Qed.

End ForestBound.
