(* SPDX-License-Identifier: MIT *)
(* What decides the claims of BoundsClaims.v, and its soundness.                                              *)
(*                                                                                                            *)
(*   utility_Z          the utility of a table for a prior, in integers          (utility_ZP)                 *)
(*   best_on_region, beaten      the two kinds about regular priors              (best_on_regionP, beatenP)   *)
(*   check, check_sound          all kinds                                                                    *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia Ascii String.
From ExactDP Require Import OrderedField Mechanism MatrixGame Extremes Leakage PrivacyTypes Capacities TightConstraints.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Reader Meaning Tables Privacy Optimal Phi PhiRules.
From ExactDP.Checker Require Import Check.
From ExactDP.Checker Require Import BoundsClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

(* ---- Witnesses ---- *)
Inductive witness :=
| Nothing
| Weights (y : vector)
| Remap (rows : seq vector)
| Better (y : vector) (rows : seq vector).

Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | Leakage _ _ _ => let! _ := object_of [::] [::] v in Some Nothing
  | UtilityBound s _ _ | LeakageBound s _ _ =>
      let! ms := object_of [:: "weights" : text] [:: "cells" : text] v in
      let! y := vector_at (points_of s) "weights" ms in Some (Weights y)
  | OptimalOnRegion s m =>
      let! ms := object_of [:: "remap" : text] [::] v in let! r := find_key "remap" ms in
      let! rows := rows_of (size (outputs m)) (points_of s) r in Some (Remap rows)
  | NotOptimalOnRegion s m =>
      let! ms := object_of [:: "weights" : text; "better" : text] [:: "cells" : text] v in
      let! y := vector_at (points_of s) "weights" ms in let! x := find_key "better" ms in
      let! rows := rows_of (points_of s) (points_of s) x in Some (Better y rows)
  end.

(* ---- Utility ---- *)
Definition most (s : seq Z) : Z := foldr Z.max 0%Z s.

(* Column o of a table whose rows list their numbers in order. *)
Definition columns_of (m : nat) (M : integers) : seq (seq Z) := turned m [seq dense m r | r <- lines M].

Definition utility_Z (m : nat) (qs : seq Z) (M : integers) : Z :=
  sum_Z [seq most [seq (x.1 * x.2)%Z | x <- zip qs column] | column <- columns_of m M].

Definition numbers (p : nat) (v : vector) : seq Z := [seq at_index (terms v) i | i <- iota 0 p].

Definition orderly (m : nat) (M : integers) : bool := all (in_order m) (lines M).

(* ---- What is checked ---- *)
Definition best_on_region (p q : nat) (J M T : integers) : bool :=
  let MT := times M T in
  let D := Vector (Z.to_pos (scaling MT)) (enumerate 0 [seq at_index (line_of MT i) i | i <- iota 0 p]) in
  is_stochastic q p T && maps_to p J D (ones p).

(* The weights of a witness need not add up to a distribution. *)
Definition beaten (p q : nat) (near : neighbours) (a : Q) (J M X : integers) (y : vector) : bool :=
  let prior := [seq product_at p J y i | i <- iota 0 p] in
  let own := sum_Z [seq (product_at p J y i * at_index (line_of X i) i)%Z | i <- iota 0 p] in
  [&& below (N.of_nat p) (terms y), all_ge0 (terms y), is_stochastic p p X, is_private p near a X, orderly q M &
      (utility_Z q prior M * scaling X <? own * scaling M)%Z].

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | UtilityBound s prior v, Weights y =>
      if phi_of s is Some J then
        [&& is_prior (points_of s) prior, solves_with (points_of s) J y prior &
            equals (total (terms y)) (Zpos (unit y)) v]
      else false
  | Leakage t prior v, Nothing =>
      let p := size (inputs t) in let m := size (outputs t) in
      if mechanism_at p m t is Some M then
        [&& is_prior p prior, orderly m M &
            equals (utility_Z m (numbers p prior) M) (scaling M * most (numbers p prior)) v]
      else false
  | LeakageBound s (Some prior) v, Weights y =>
      if phi_of s is Some J then
        [&& is_prior (points_of s) prior, solves_with (points_of s) J y prior &
            equals (total (terms y) * Zpos (unit prior)) (Zpos (unit y) * most (numbers (points_of s) prior)) v]
      else false
  | LeakageBound s None v, Weights y =>
      if phi_of s is Some J then
        solves_with (points_of s) J y (ones (points_of s)) && equals (total (terms y)) (Zpos (unit y)) v
      else false
  | OptimalOnRegion s t, Remap rows =>
      let p := points_of s in let q := size (outputs t) in
      match phi_of s, mechanism_at p q t with
      | Some J, Some M =>
          [&& agree (inputs t) (vertices (points s)), is_private q (points s) (base s) M & best_on_region p q J M (cleared rows)]
      | _, _ => false
      end
  | NotOptimalOnRegion s t, Better y rows =>
      let p := points_of s in let q := size (outputs t) in
      match phi_of s, mechanism_at p q t with
      | Some J, Some M =>
          [&& agree (inputs t) (vertices (points s)), is_private q (points s) (base s) M &
              beaten p q (points s) (base s) J M (cleared rows) y]
      | _, _ => false
      end
  | _, _ => false
  end.

Local Open Scope ring_scope.

Section Soundness.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Local Notation vector_on := (vector_on R).
Add Field R_field : (field_theory_of R).

Lemma most_ge0 s : (0 <= most s)%Z.
Proof. by elim: s => [|z s IHs] /=; lia. Qed.

Lemma most_ge s i : (i < size s)%N -> (nth 0%Z s i <= most s)%Z.
Proof. by elim: s i => [|z s IHs] [|i] //=; [lia | move/IHs; lia]. Qed.

(* For numbers >= 0, the largest of them over a denominator. *)
Lemma mostP p (s : seq Z) (f : 'I_p -> R) d : size s = p -> 0 < d -> (forall i, 0 <= f i) ->
  (forall i, f i = of_Z (nth 0%Z s i) / d) -> largest f = of_Z (most s) / d.
Proof.
move=> size_s d_gt0 f_ge0 fE; apply/eqP; rewrite eq_le; apply/andP; split.
  apply: largest_le => [|i]; first by rewrite divr_ge0 ?(ltW d_gt0) // of_Z_ge0; exact/Z.leb_le/most_ge0.
  by rewrite fE ler_pmul2r ?invr_gt0 // of_Z_le; apply/Z.leb_le/most_ge; rewrite size_s.
rewrite ler_pdivr_mulr //; have: forall i, (i < size s)%N -> of_Z (nth 0%Z s i) <= largest f * d.
  move=> i i_s; rewrite size_s in i_s; rewrite -ler_pdivr_mulr //.
  by rewrite -(fE (Ordinal i_s)); exact: le_largest.
elim: s {size_s fE} => [|z s IHs] le_f /=; first by rewrite mulr_ge0 ?(ltW d_gt0) ?largest_ge0.
have [[_ ->]|[_ ->]] := Z.max_spec z (most s); last exact: (le_f 0%N).
by apply: IHs => i i_s; exact: (le_f i.+1).
Qed.

Lemma dense_size m (rows : seq row) : all (fun r => size r == m) [seq dense m r | r <- rows].
Proof. by elim: rows => [|r rows IHrows] //=; rewrite size_dense eqxx. Qed.

Lemma columnP p m (M : integers) (i : 'I_p) (o : 'I_m) : size (lines M) = p -> orderly m M ->
  nth 0%Z (nth [::] (columns_of m M) o) i = at_index (line_of M i) o.
Proof.
move=> size_M /(all_nthP [::]) ordered; rewrite /columns_of at_turned ?dense_size //.
have i_M : (i < size (lines M))%N by rewrite size_M.
by rewrite (nth_map [::]) // at_dense //; exact: ordered.
Qed.

Lemma size_columns m M : size (columns_of m M) = m.
Proof. exact: size_turned (dense_size m (lines M)). Qed.

Lemma size_column_of m M o : (o < m)%N -> size (nth [::] (columns_of m M) o) = size (lines M).
Proof. by move=> o_m; rewrite size_column ?dense_size // size_map. Qed.

Theorem utility_ZP p m (qs : seq Z) (M : integers) (q : 'I_p -> R) (X : 'M[R]_(p, m)) d : represents M X ->
  size (lines M) = p -> orderly m M -> size qs = p -> 0 < d -> (forall i, q i = of_Z (nth 0%Z qs i) / d) ->
  (forall i, 0 <= q i) -> (forall i o, 0 <= X i o) ->
  utility q X = of_Z (utility_Z m qs M) / (of_Z (scaling M) * d).
Proof.
move=> [M_gt0 XE] size_M M_ok size_q d_gt0 qE q_ge0 X_ge0; rewrite utilityE /utility_Z.
rewrite (@sum_seq R _ m) ?size_map ?size_columns // mulr_suml; apply: eq_bigr => o _.
rewrite (nth_map [::]) ?size_columns //; apply: mostP => [||i|i].
- by rewrite size_map size_zip size_q size_column_of // size_M minnn.
- exact: mulr_gt0.
- exact: mulr_ge0.
- rewrite (nth_map (0, 0)%Z) ?size_zip ?size_q ?size_column_of // ?size_M ?minnn // nth_zip ?size_q ?size_column_of //=.
  rewrite columnP // of_ZM qE XE.
  have d_neq0 : d != 0 by rewrite gt_eqF.
  have M_neq0 : of_Z (scaling M) != 0 by rewrite gt_eqF.
  by by_field R; split; apply/eqP.
Qed.

Lemma at_numbers p v (i : 'I_p) : nth 0%Z (numbers p v) i = at_index (terms v) i.
Proof. by rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma size_numbers p v : size (numbers p v) = p.
Proof. by rewrite size_map size_iota. Qed.

Lemma largest_prior p v : is_prior p v ->
  largest (@PhiRules.vector_on R p v) = of_Z (most (numbers p v)) / of_Z (Zpos (unit v)).
Proof.
move=> /(is_priorP R)[v_ge0 _]; apply: mostP; rewrite ?size_numbers ?of_Z_pos // => i.
by rewrite at_numbers.
Qed.

Lemma mechanism_at_size p m t M : mechanism_at p m t = Some M -> size (lines M) = p.
Proof. by move/mechanism_at_stochastic/andP=> [/eqP]. Qed.

Lemma scaling_gt0 p m M (X : 'M[R]_(p, m)) : represents M X -> (0 < scaling M)%Z.
Proof. by case=> M_gt0 _; exact: gt0_Z M_gt0. Qed.

Theorem best_on_regionP p q J M T (Phi : 'M[R]_p) (X : 'M[R]_(p, q)) : represents J Phi -> represents M X ->
  is_stochastic p q M -> (0 < scaling T)%Z -> best_on_region p q J M T ->
  exists2 Y : 'M[R]_(q, p), stochastic Y & forall i, \sum_k Phi i k * (\sum_o X k o * Y o k) = 1.
Proof.
move=> J_Phi M_X M_st T_gt0 /andP[T_st maps]; pose Y : 'M[R]_(q, p) := \matrix_(o, i) (of_Z (at_index (line_of T o) i) / of_Z (scaling T)).
have T_Y : represents T Y by split=> [|o i]; [exact: of_Z_gt0 | rewrite mxE].
exists Y => [|i]; first exact: stochasticP T_st.
have MT := timesP M_X T_Y (fun i => stochastic_below i M_st).
rewrite -[RHS](onesE R i) -(maps_toP J_Phi maps); apply: eq_bigr => k _; congr (_ * _).
have -> : \sum_o X k o * Y o k = (X *m Y) k k by rewrite mxE.
case: (MT) => _ ->; rewrite /PhiRules.vector_on /vector_entry [terms _]/= [unit _]/= (at_enumerate 0) subn0.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n Z2Pos.id //; exact: scaling_gt0 MT.
Qed.

(* ---- Priors of any scale ---- *)
Lemma utility_scale p m (q : 'I_p -> R) (X : 'M[R]_(p, m)) c : 0 <= c ->
  utility (fun i => c * q i) X = c * utility q X.
Proof.
move=> c_ge0; rewrite !utilityE mulr_sumr; apply: eq_bigr => o _.
by rewrite -largest_scale //; apply: eq_largest => i; rewrite mulrA.
Qed.

Lemma utility_zero p m (q : 'I_p -> R) (X : 'M[R]_(p, m)) : (forall i, q i = 0) -> utility q X = 0.
Proof.
move=> q0; rewrite utilityE big1 // => o _; apply/eqP; rewrite eq_le largest_le ?largest_ge0 // => i; by rewrite q0 mul0r.
Qed.

Theorem beatenP p q near a J M Z y (Phi : 'M[R]_p) (X : 'M[R]_(p, q)) : represents J Phi -> represents M X ->
  stochastic X -> size (lines M) = p -> (0 < scaling Z)%Z -> (forall i k, 0 <= Phi i k) -> (forall i k, Phi i k = Phi k i) ->
  beaten p q near a J M Z y ->
  exists2 prior, distribution prior & regular Phi prior /\
    exists m (Y : 'M[R]_(p, m)), mechanism_for near (of_Q a) Y /\ utility prior X < utility prior Y.
Proof.
move=> J_Phi M_X [X_ge0 _] size_M Z_gt0 Phi_ge0 Phi_sym /and5P[y_p y_ge0 Z_st Z_priv /andP[M_ok /Z.ltb_lt more]].
pose W : 'M[R]_p := \matrix_(i, k) (of_Z (at_index (line_of Z i) k) / of_Z (scaling Z)).
have Z_W : represents Z W by split=> [|i k]; [exact: of_Z_gt0 | rewrite mxE].
have W_st : stochastic W by exact: stochasticP Z_st.
pose w (i : 'I_p) : R := \sum_k Phi i k * vector_on y k.
have y_pos (k : 'I_p) : 0 <= vector_on y k :> R by exact: vector_ge0.
have w_ge0 i : 0 <= w i by apply: sumr_ge0 => k _; rewrite mulr_ge0.
have [J_gt0 _] := J_Phi; pose d := of_Z (scaling J) * of_Z (Zpos (unit y)); have d_gt0 : 0 < d by rewrite mulr_gt0 // of_Z_pos.
have wE i : w i = of_Z (product_at p J y i) / d by exact: product_atP.
clearbody d; pose ws := [seq product_at p J y i | i <- iota 0 p].
have ws_at (i : 'I_p) : nth 0%Z ws i = product_at p J y i by rewrite (nth_map 0%N) ?size_iota // nth_iota.
have [M_gt0 _] := M_X; have Zr_gt0 := of_Z_gt0 R Z_gt0.
have better : utility w X < utility w W.
  have -> : utility w X = of_Z (utility_Z q ws M) / (of_Z (scaling M) * d).
    apply: utility_ZP => //; first by rewrite size_map size_iota.
    by move=> i; rewrite ws_at.
  apply: (@lt_le_trans _ _ (\sum_i w i * W i i)); last first.
    by rewrite utilityE; apply: ler_sum => i _; exact: (le_largest (fun k => w k * W k i)).
  have -> : \sum_i w i * W i i =
      of_Z (sum_Z [seq (product_at p J y i * at_index (line_of Z i) i)%Z | i <- iota 0 p]) / (of_Z (scaling Z) * d).
    rewrite (@sum_seq R _ p) ?size_map ?size_iota // mulr_suml; apply: eq_bigr => i _.
    rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n of_ZM wE mxE.
    have d_neq0 : d != 0 by rewrite gt_eqF.
    have Z_neq0 : of_Z (scaling Z) != 0 by rewrite gt_eqF.
    by by_field R; split; apply/eqP.
  rewrite !invfM !mulrA ltr_pmul2r ?invr_gt0 // ltr_pdivr_mulr // mulrAC ltr_pdivl_mulr // -!of_ZM of_Z_lt.
  exact/Z.ltb_lt.
have w_sum : 0 < \sum_i w i.
  rewrite lt_neqAle sumr_ge0 // andbT; apply/eqP => w0.
  have w_0 i : w i = 0.
    by apply/eqP; rewrite eq_le w_ge0 andbT [leRHS]w0 (bigD1 i) //= ler_addl sumr_ge0.
  by move: better; rewrite !utility_zero // ltxx.
pose c := (\sum_i w i)^-1; have c_gt0 : 0 < c by rewrite invr_gt0.
exists (fun i => c * w i); first by split=> [i|]; [rewrite mulr_ge0 // ltW | rewrite -mulr_sumr mulVf // gt_eqF].
split.
  exists (fun k => c * vector_on y k); split=> [k|k]; first by rewrite mulr_ge0 // ltW.
  by rewrite /w mulr_sumr; apply: eq_bigr => i _; rewrite [Phi i k]Phi_sym; by_ring R.
exists p, W; split; first by split=> //; exact: is_privateP Z_priv.
by rewrite !utility_scale ?(ltW c_gt0) // ltr_pmul2l.
Qed.

Lemma weights_sum p J y b v : solves_with p J y b -> equals (total (terms y)) (Zpos (unit y)) v ->
  of_Q v = \sum_(i < p) vector_on y i.
Proof. by move=> /andP[_ /andP[y_p _]] y_v; rewrite sum_vector // (equalsP (of_Z_pos R _) y_v). Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => [s prior v|t prior v|s [prior|] v|s t|s t]; case: w => //=.
- move=> y; case E: phi_of => [J|] // /and3P[/(is_priorP R) prior_ok y_ok y_v]; have [Phi J_Phi Phi_is] := phi_ofP R E.
  have [y_ge0 y_prior] := solves_withP J_Phi y_ok; have [a_level _] := Phi_is; split=> // m X X_priv.
  rewrite (weights_sum y_ok y_v).
  apply: (utility_le (phi_mechanism Phi_is (phi_of_ones E) X_priv)) => // k.
  by rewrite -y_prior; apply: eq_bigr => i _; rewrite mulrC (phi_symmetric Phi_is).
- case E: mechanism_at => [M|] // /and3P[prior_ok M_ok leaks]; have [M_X X_st] := mechanism_atP R E.
  have [q_ge0 q_sum1] := is_priorP R prior_ok; split=> //; rewrite /leakage vulnerabilityE largest_prior //.
  rewrite (@utility_ZP _ _ (numbers (size (inputs t)) prior) M _ _ (of_Z (Zpos (unit prior)))) ?size_numbers ?of_Z_pos //.
  + have V_gt0 := vulnerability_gt0 (is_priorP R prior_ok); rewrite vulnerabilityE largest_prior // in V_gt0.
    have top_gt0 : 0 < of_Z (most (numbers (size (inputs t)) prior)) by move: V_gt0; rewrite pmulr_lgt0 // invr_gt0 of_Z_pos.
    have [M_gt0 _] := M_X; have M_neq0 : of_Z (scaling M) != 0 by rewrite gt_eqF.
    have top_neq0 : of_Z (most (numbers (size (inputs t)) prior)) != 0 by rewrite gt_eqF.
    have u_neq0 := of_Z_pos_neq0 R (unit prior).
    have d_gt0 : 0 < of_Z (scaling M * most (numbers (size (inputs t)) prior)) by rewrite of_ZM mulr_gt0.
    rewrite -(equalsP d_gt0 leaks) of_ZM; by_field R; do ?split; exact/eqP.
  + exact: mechanism_at_size E.
  + by move=> i; rewrite at_numbers.
  + by case: X_st.
- move=> y; case E: phi_of => [J|] // /and3P[prior_is y_ok y_v]; have [Phi J_Phi Phi_is] := phi_ofP R E.
  have prior_ok := is_priorP R prior_is.
  have [y_ge0 y_prior] := solves_withP J_Phi y_ok; have [a_level _] := Phi_is; split=> // m X X_priv.
  have -> : of_Q v = (\sum_(i < points_of s) vector_on y i) / largest (@PhiRules.vector_on R (points_of s) prior).
    have V_gt0 := vulnerability_gt0 prior_ok; rewrite vulnerabilityE largest_prior // in V_gt0.
    have top_gt0 : 0 < of_Z (most (numbers (points_of s) prior)) by move: V_gt0; rewrite pmulr_lgt0 // invr_gt0 of_Z_pos.
    have d_gt0 : 0 < of_Z (Zpos (unit y) * most (numbers (points_of s) prior)) by rewrite of_ZM mulr_gt0 // of_Z_pos.
    rewrite -(equalsP d_gt0 y_v) largest_prior // sum_vector; last by case/andP: y_ok => _ /andP[].
    have top_neq0 : of_Z (most (numbers (points_of s) prior)) != 0 by rewrite gt_eqF.
    have u_neq0 := of_Z_pos_neq0 R (unit prior); have y_neq0 := of_Z_pos_neq0 R (unit y).
    by rewrite !of_ZM; by_field R; do ?split; exact/eqP.
  apply: (leakage_le (phi_mechanism Phi_is (phi_of_ones E) X_priv)) => // k.
  by rewrite -y_prior; apply: eq_bigr => i _; rewrite mulrC (phi_symmetric Phi_is).
- move=> y; case E: phi_of => [J|] // /andP[y_ok y_v]; have [Phi J_Phi Phi_is] := phi_ofP R E.
  have [y_ge0 y_ones] := solves_withP J_Phi y_ok; have [a_level _] := Phi_is; split=> // q q_ok m X X_priv.
  rewrite (weights_sum y_ok y_v).
  apply: (leakage_any_prior (phi_symmetric Phi_is) (phi_mechanism Phi_is (phi_of_ones E) X_priv)) => //.
  by split=> // i; rewrite y_ones onesE.
- move=> rows; case E: phi_of => [J|] //; case EM: mechanism_at => [M|] // /and3P[/agreeP in_t M_priv best].
  have [Phi J_Phi Phi_is] := phi_ofP R E; have [M_X X_st] := mechanism_atP R EM; have [a_level _] := Phi_is.
  have [Y Y_st Y_tight] := best_on_regionP (T := cleared rows) J_Phi M_X (mechanism_at_stochastic EM) (common_gt0 rows) best.
  split=> //; first by split=> //; exact: is_privateP M_priv.
    by exists Phi.
  move=> q [q_ok [Psi Psi_is q_regular]] m X X_priv.
  apply: (optimal_on_region Y_st Y_tight); first by rewrite (phi_unique Phi_is Psi_is).
  exact: (phi_mechanism Phi_is (phi_of_ones E) X_priv).
- move=> y rows; case E: phi_of => [J|] //; case EM: mechanism_at => [M|] // /and3P[/agreeP in_t M_priv beat].
  have [Phi J_Phi Phi_is] := phi_ofP R E; have [M_X X_st] := mechanism_atP R EM; have [a_level _] := Phi_is.
  split=> //; first by split=> //; exact: is_privateP M_priv.
  have [q q_ok [q_regular [m [Y [Y_priv more]]]]] := beatenP (Z := cleared rows) J_Phi M_X X_st (mechanism_at_size EM) (common_gt0 rows)
    (phi_ge0 Phi_is) (phi_symmetric Phi_is) beat.
  exists q; first by split=> //; exists Phi.
  by exists m, Y.
Qed.

End Soundness.
