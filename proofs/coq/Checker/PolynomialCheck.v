(* SPDX-License-Identifier: MIT *)
(* What decides the claims of PolynomialClaims.v, and its soundness.  Every condition is the sign of a        *)
(* polynomial; how signs are found is another matter (PolynomialTables.v).                                    *)
(*   check_withP    what is accepted is true at every point where the signs that were found are right         *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism Form Geometric InducedMetric TreeMechanism Walks.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables Check GraphShape OptimalOnPath OptimalOnGraph.
From ExactDP.Checker Require Import PolynomialClaims PolynomialTables PolynomialOptimal PolynomialSeparator.
From ExactDP.Checker Require OptimalityClaims OptimalityCheck.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Inductive instance_witness (P : Type) :=
| Nothing_in
| Entry_in (i : nat) (j : option nat)
| Pair_in (i j r : nat)
| Remap_in (rows : lines P)
| Shape_in (s : shape)
| Path_in (inputs guesses : seq nat) (remap : lines P)
| Tree_in (remap : lines P)
| Dual_in (d : dual_in P)
| Separator_in (rows : lines P).
Arguments Nothing_in {P}.
Arguments Entry_in {P} i j.
Arguments Pair_in {P} i j r.
Arguments Shape_in {P} s.

(* ---- Witnesses ---- *)
Section Witnesses.
Local Open Scope string_scope.
Local Open Scope seq_scope.
Variables (P : Type) (A : arithmetic P).

Definition place_of (bound : nat) (v : json) : option nat := let! i := index_of (N.of_nat bound) v in Some (N.to_nat i).

Definition rows_in (p m : nat) (v : json) : option (lines P) :=
  let! vs := array_of v in demand size vs == p in all_of (line_in A m) vs.

(* A dual of the graph rule. *)
Definition dual_witness_in (near : neighbours) (p m : nat) (attained : bool) (v : json) : option (dual_in P) :=
  let! ms := object_of (if attained then [:: "dual" : text] else [:: "dual" : text; "primal" : text]) [::] v in
  let! d := find_key "dual" ms in
  let! ds := object_of [:: "potentials" : text; "edges" : text] [:: "weights" : text] d in
  let! w := optional (line_in A p) "weights" ds in
  let! x := find_key "potentials" ds in let! mu := line_in A p x in
  let! y := find_key "edges" ds in let! U := rows_in (size (pairs near)) m y in
  match find_key "primal" ms with
  | None => Some (DualIn None w mu U)
  | Some z => let! zs := object_of [:: "rows" : text] [::] z in let! r := find_key "rows" zs in
              let! X := rows_in p m r in Some (DualIn (Some X) w mu U)
  end.

Definition instance_witness_in (c : instance P) (v : json) : option (instance_witness P) :=
  match c with
  | NotStochasticIn t =>
      let! ms := object_of [:: "row" : text] [:: "column" : text] v in
      let! r := find_key "row" ms in let! i := place_of (size (inputs_in t)) r in
      let! j := optional (place_of (size (outputs_in t))) "column" ms in Some (Entry_in i j)
  | PrivateIn _ _ _ => let! _ := object_of [::] [::] v in Some Nothing_in
  | NotPrivateIn m _ _ | LevelIn m _ _ _ =>
      let! ms := object_of [:: "pair" : text; "output" : text] [::] v in
      let! o := find_key "output" ms in let! r := place_of (size (outputs_in m)) o in
      match find_key "pair" ms with
      | Some (Array [:: i; j]) =>
          let! x := place_of (size (inputs_in m)) i in let! y := place_of (size (inputs_in m)) j in Some (Pair_in x y r)
      | _ => None
      end
  | DerivableIn a b =>
      let! ms := object_of [:: "remap" : text] [::] v in let! r := find_key "remap" ms in
      let! vs := array_of r in demand size vs == size (outputs_in a) in
      let! rows := all_of (line_in A (size (outputs_in b))) vs in Some (Remap_in rows)
  | NotOptimalIn near _ c _ _ _ _ =>
      let! d := dual_witness_in near (size (vertices near)) (size (outputs_in (loss_in c))) false v in Some (Dual_in d)
  | NotDerivableIn a b =>
      let! ms := object_of [:: "separator" : text] [::] v in let! r := find_key "separator" ms in
      let! rows := rows_in (size (inputs_in a)) (size (outputs_in b)) r in Some (Separator_in rows)
  | OptimalIn near _ c _ m =>
      let! d := dual_witness_in near (size (vertices near)) (size (outputs_in (loss_in c))) (isSome m) v in Some (Dual_in d)
  | NoneUniversallyOptimalIn near _ l =>
      let! w := OptimalityCheck.witness_in (OptimalityClaims.NoneUniversallyOptimal near (Qmake 0 1) l) v in
      if w is OptimalityCheck.ByShape s then Some (Shape_in s) else None
  | UniversallyOptimalIn near _ l m =>
      let p := size (vertices near) in
      let! ms := object_of [:: "by" : text] [::] v in let! by_ := find_key "by" ms in
      if same (OptimalityCheck.rule_of by_) "tree" then
        let! ms := object_of [:: "rule" : text; "remap" : text] [::] by_ in
        let! r := find_key "remap" ms in let! vs := array_of r in demand size vs == size (outputs_in m) in
        let! rows := all_of (line_in A p) vs in Some (Tree_in rows)
      else
      demand same (OptimalityCheck.rule_of by_) "path" in
      let! ms := object_of [:: "rule" : text; "inputs" : text; "guesses" : text; "remap" : text] [::] by_ in
      let! i := find_key "inputs" ms in let! xs := OptimalityCheck.places_of p i in
      let! g := find_key "guesses" ms in let! gs := OptimalityCheck.places_of (size (outputs l)) g in
      let! r := find_key "remap" ms in let! vs := array_of r in demand size vs == size (outputs_in m) in
      let! rows := all_of (line_in A (size xs)) vs in Some (Path_in xs gs rows)
  end.
End Witnesses.

(* ---- What is computed ---- *)
Section Computed.
Variables (P : Type) (A : arithmetic P) (pos nonneg null : P -> bool).
Local Notation minus := (minus A).
Local Notation power := (power A).
Local Notation over_at := (over_at A).
Local Notation entry_at := (entry_at A).
Local Notation geometric_in := (geometric_in A).
Local Notation lines_in := (lines_in A).
Local Notation is_level_in := (is_level_in A pos).
Local Notation sound_in := (sound_in A pos).
Local Notation sum_p := (sum_p A).
Local Notation stochastic_in := (stochastic_in A nonneg null).
Local Notation private_in := (private_in A nonneg).
Local Notation violated_in := (violated_in A pos).
Local Notation negative_in := (negative_in A pos).
Local Notation product_in := (product_in A pos nonneg null).

Definition none_in (near : neighbours) (a : scalar P) (l : table) (s : shape) : bool :=
  let p := size (vertices near) in let m := size (outputs l) in
  [&& agree (inputs l) (vertices near), is_level_in a &
  if integers_at p m l is Some L then
    obstacle_where (fun k => pos (minus (scaled_p A (k - 1) (upper a)) (lower a))) p m near L s
  else false].

(* The mechanism's rows along a path give the path's geometric mechanism after a remap. *)
Definition path_in (near : neighbours) (a : scalar P) (l : table) (t : table_in P) (xs gs : seq nat) (T : lines P) : bool :=
  let p := size (vertices near) in let m := size (outputs l) in let q := size (outputs_in t) in let n := size xs in
  let X := lines_in (content_in t) in
  [&& agree (inputs l) (vertices near), agree (inputs_in t) (vertices near), is_level_in a & sound_in p q (content_in t)] &&
  [&& stochastic_in p q X, private_in p q near a X,
      product_in n q n [seq nth (zero A, [::]) X i | i <- xs] (lines_in (GeometricIn n.-1 a)) T &
      if integers_at p m l is Some L then path_shape p m near L xs gs else false].

(* m - (deg v - 1) k for the level k/m, and the tree's mechanism. *)
Definition tree_scale_in (p : nat) (near : neighbours) (a : scalar P) (v : nat) : P :=
  minus (lower a) (scaled_p A (Z.of_nat (degree_in near p v) - 1) (upper a)).

Definition tree_lines (p : nat) (near : neighbours) (a : scalar P) : lines P :=
  let D := hops near p in let over := times_p A (power (lower a) p) (plus_p A (upper a) (lower a)) in
  [seq (over, [seq let d := away D i v in
                   times_p A (times_p A (power (upper a) d) (power (lower a) (p - d))) (tree_scale_in p near a v) | v <- iota 0 p])
  | i <- iota 0 p].

Definition tree_in (near : neighbours) (a : scalar P) (l : table) (t : table_in P) (T : lines P) : bool :=
  let p := size (vertices near) in let m := size (outputs l) in let q := size (outputs_in t) in
  let X := lines_in (content_in t) in
  [&& agree (inputs l) (vertices near), agree (inputs_in t) (vertices near), is_level_in a & sound_in p q (content_in t)] &&
  [&& stochastic_in p q X, private_in p q near a X, all (fun v => nonneg (tree_scale_in p near a v)) (iota 0 p),
      product_in p q p X (tree_lines p near a) T &
      if integers_at p m l is Some L then tree_shape p m near L else false].

Definition check_with (c : instance P) (w : instance_witness P) : bool :=
  match c, w with
  | NotStochasticIn t, Entry_in i j =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in
      sound_in p m e && negative_in p m (lines_in e) i j
  | PrivateIn t near a, Nothing_in =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in let X := lines_in e in
      [&& agree (inputs_in t) (vertices near), is_level_in a, sound_in p m e, stochastic_in p m X &
          private_in p m near a X]
  | NotPrivateIn t near a, Pair_in i j r =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in let X := lines_in e in
      [&& agree (inputs_in t) (vertices near), is_level_in a, sound_in p m e, stochastic_in p m X &
          violated_in p m near a X i j r]
  | DerivableIn a b, Remap_in T =>
      let p := size (inputs_in a) in let m := size (outputs_in a) in let k := size (outputs_in b) in
      let X := lines_in (content_in a) in let Y := lines_in (content_in b) in
      [&& agree (inputs_in a) (inputs_in b), sound_in p m (content_in a), sound_in p k (content_in b),
          stochastic_in p m X, stochastic_in p k Y & product_in p m k X Y T]
  | LevelIn t near ratio d, Pair_in i j r =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in let X := lines_in e in
      [&& agree (inputs_in t) (vertices near), sound_in p m e, stochastic_in p m X &
          largest_in A pos nonneg null p m near ratio d X i j r]
  | NotDerivableIn a b, Separator_in W =>
      let p := size (inputs_in a) in let m := size (outputs_in a) in let k := size (outputs_in b) in
      let X := lines_in (content_in a) in let Y := lines_in (content_in b) in
      [&& agree (inputs_in a) (inputs_in b), sound_in p m (content_in a), sound_in p k (content_in b),
          stochastic_in p m X & stochastic_in p k Y && separates_in A pos nonneg p m k X Y W]
  | UniversallyOptimalIn near a l t, Path_in xs gs T => path_in near a l t xs gs T
  | UniversallyOptimalIn near a l t, Tree_in T => tree_in near a l t T
  | NoneUniversallyOptimalIn near a l, Shape_in s => none_in near a l s
  | OptimalIn near a c v t, Dual_in d => optimal_in A pos nonneg null near a c v t d
  | NotOptimalIn near a c v t loss gap, Dual_in d => not_optimal_in A pos nonneg null near a c v t loss gap d
  | _, _ => false
  end.

(* Whether what is not shown is a fault of the witness: where the rules here are all of SPEC's. *)
Definition settles_in (c : instance P) : bool :=
  match c with OptimalIn _ _ _ _ _ | NotOptimalIn _ _ _ _ _ _ _ | LevelIn _ _ _ _ | NotDerivableIn _ _ => false | _ => true end.
End Computed.

(* ---- Soundness ---- *)
Section Soundness.
Local Open Scope ring_scope.
Variables (R : realFieldType) (P : Type) (A : arithmetic P) (E : evaluation R A) (pos nonneg null : P -> bool).
Hypothesis posP : forall p, pos p -> 0 < E p.
Hypothesis nonnegP : forall p, nonneg p -> 0 <= E p.
Hypothesis nullP : forall p, null p -> E p = 0.
Local Notation of_Z := (of_Z R).
Local Notation at_ := (at_point E).
Local Notation tabled := (tabled E).
Local Notation minus := (minus A).
Local Notation power := (power A).
Local Notation over_at := (over_at A).
Local Notation entry_at := (entry_at A).
Local Notation geometric_in := (geometric_in A).
Local Notation lines_in := (lines_in A).
Local Notation is_level_in := (is_level_in A pos).
Local Notation sound_in := (sound_in A pos).
Local Notation sum_p := (sum_p A).
Local Notation stochastic_in := (stochastic_in A nonneg null).
Local Notation private_in := (private_in A nonneg).
Local Notation violated_in := (violated_in A pos).
Local Notation negative_in := (negative_in A pos).
Local Notation product_in := (product_in A pos nonneg null).
Local Notation none_in := (none_in A pos).
Local Notation path_in := (path_in A pos nonneg null).
Local Notation tree_scale_in := (tree_scale_in A).
Local Notation tree_lines := (tree_lines A).
Local Notation tree_in := (tree_in A pos nonneg null).
Local Notation check_with := (check_with A pos nonneg null).
Local Notation is_level_inP := (is_level_inP posP).
Local Notation sound_inP := (sound_inP posP).
Local Notation stochastic_inP := (stochastic_inP nonnegP nullP).
Local Notation private_inP := (private_inP nonnegP).
Local Notation violated_inP := (violated_inP posP).
Local Notation negative_inP := (negative_inP posP).
Local Notation product_inP := (product_inP posP nonnegP nullP).
Add Field R_field : (field_theory_of R).

Lemma none_inP near a l s : none_in near a l s -> holds_at A E (NoneUniversallyOptimalIn near a l).
Proof.
case/and3P=> /agreeP in_l /is_level_inP a_level; case EL: integers_at => [L|] // shown.
have [l_gt0 /andP[a_gt0 a_lt1]] := a_level; split=> // k M.
apply: (obstacle_whereP (integers_atP R EL) a_gt0 a_lt1 _ shown) => z /posP.
rewrite at_minus at_scaled of_ZB of_Z1 subr_gt0 => many.
by rewrite /scalar_at mulrA ltr_pdivl_mulr // mul1r.
Qed.

Lemma path_inP near a l t xs gs T : path_in near a l t xs gs T -> holds_at A E (UniversallyOptimalIn near a l t).
Proof.
case/andP=> /and4P[/agreeP in_l /agreeP in_t level_ok /sound_inP[X_M def]] /and4P[st priv prod].
case EL: integers_at => [L|] // shape; have a_level := is_level_inP level_ok.
have [l_gt0 /andP[a_gt0 a_lt1]] := a_level; split=> //.
apply: path_shapeP (integers_atP R EL) a_gt0 a_lt1 _ shape _.
  by split; [exact: stochastic_inP st | exact: private_inP priv].
move=> n y size_xs y_val; move: prod; rewrite size_xs [n.+1.-1]/= => prod.
have [G_M _] := @sound_inP n.+1 n.+1 (GeometricIn n a) (introT and3P (And3 level_ok (eqxx _) (eqxx _))).
have Xy : tabled [seq nth (zero A, [::]) (lines_in (content_in t)) i | i <- xs]
                 (\matrix_(i < n.+1, z < size (outputs_in t)) matrix_in A E (size (vertices near)) (size (outputs_in t)) (content_in t) (y i) z).
  have row_i (i : 'I_n.+1) : nth (zero A, [::]) [seq nth (zero A, [::]) (lines_in (content_in t)) j | j <- xs] i =
      nth (zero A, [::]) (lines_in (content_in t)) (y i) by rewrite (nth_map 0%N) ?size_xs // y_val.
  case: X_M => gt0 M_X; split=> [i|i z]; rewrite /over_at /entry_at row_i; first exact: gt0.
  by rewrite mxE M_X.
by have [S S_st G_S] := product_inP Xy G_M prod; exists S.
Qed.

Lemma tree_scale_at p near a v : at_ (tree_scale_in p near a v) =
  at_ (lower a) - ((degree_in near p v)%:R - 1) * at_ (upper a).
Proof. by rewrite at_minus at_scaled of_ZB of_Z_nat of_Z1. Qed.

Lemma tree_linesP p near a : level_at E a -> are_hops near p (hops near p) ->
  tabled (tree_lines p near a) (tree_mechanism (@adjacent p near) (scalar_at E a)).
Proof.
move=> [l_gt0 /andP[a_gt0 _]] D_ok; have [conn D_is] := are_hopsP D_ok.
move: a_gt0; rewrite /scalar_at; set k := at_ (upper a); set m := at_ (lower a) in l_gt0 * => k_gt0.
have {}k_gt0 : 0 < k by move: k_gt0; rewrite pmulr_lgt0 // invr_gt0.
have m_neq0 : m != 0 by rewrite gt_eqF.
have km_neq0 : k + m != 0 by rewrite gt_eqF // addr_gt0.
have at_over (i : 'I_p) : at_ (over_at (tree_lines p near a) i) = m ^+ p * (k + m).
  by rewrite /over_at (nth_map 0%N) ?size_iota // nth_iota //= at_times at_power at_plus.
split=> [i|i v]; rewrite at_over; first by rewrite mulr_gt0 ?exprn_gt0 // addr_gt0.
rewrite mxE D_is /tree_scale degreeP.
have d_p : (away (hops near p) i v <= p)%N by rewrite -D_is ltnW // distance_lt.
rewrite /entry_at (nth_map 0%N) ?size_iota // nth_iota // add0n /snd (nth_map 0%N) ?size_iota // nth_iota // add0n.
rewrite !at_times !at_power tree_scale_at -/k -/m; set d := away _ i v in d_p *.
have -> : m ^+ p = m ^+ d * m ^+ (p - d) by rewrite -exprD subnKC.
have md_neq0 : m ^+ d != 0 by rewrite expf_neq0.
have me_neq0 : m ^+ (p - d) != 0 by rewrite expf_neq0.
rewrite expr_div_n; move: (m ^+ d) (m ^+ (p - d)) (k ^+ d) md_neq0 me_neq0 => u v' w u_neq0 v_neq0.
have -> : 1 + k / m = (k + m) / m by rewrite mulrDl divff // addrC.
have -> : 1 - ((degree_in near p v)%:R - 1) * (k / m) = (m - ((degree_in near p v)%:R - 1) * k) / m.
  by move: (_%:R) => g; by_field R; apply/eqP.
by move: (m - _) => g; by_field R; do ?split; apply/eqP.
Qed.

Lemma tree_inP near a l t T : tree_in near a l t T -> holds_at A E (UniversallyOptimalIn near a l t).
Proof.
case/andP=> /and4P[/agreeP in_l /agreeP in_t level_ok /sound_inP[X_M def]] /and5P[st priv small prod].
case EL: integers_at => [L|] // shape; have a_level := is_level_inP level_ok.
have [l_gt0 /andP[a_gt0 a_lt1]] := a_level; split=> //.
have /andP[/and5P[_ _ _ D_ok _] _] := shape.
apply: tree_shapeP (integers_atP R EL) a_gt0 a_lt1 _ shape _ _.
- by split; [exact: stochastic_inP st | exact: private_inP priv].
- move=> v; have := nonnegP (all_iota v small); rewrite tree_scale_at subr_ge0.
  by rewrite /scalar_at mulrA ler_pdivr_mulr // mul1r.
exact: product_inP X_M (tree_linesP a_level D_ok) prod.
Qed.

Theorem check_withP c w : check_with c w -> holds_at A E c.
Proof.
case: c => [t|t near a|t near a|t near ratio d|a b|a b|near a l t|near a l|near a c v t|near a c v t loss gap]; case: w => //.
- by move=> i j /andP[/sound_inP[X_M def] bad]; split=> //; exact: negative_inP bad.
- case/and5P=> /agreeP in_v /is_level_inP a_level /sound_inP[X_M def] st priv; split=> //.
  by split; [exact: stochastic_inP st | exact: private_inP priv].
- move=> i j r /and5P[/agreeP in_v /is_level_inP a_level /sound_inP[X_M def] st bad]; split=> //.
    exact: stochastic_inP st.
  exact: violated_inP bad.
- move=> i j r /and4P[/agreeP in_v /sound_inP[X_M def] /(stochastic_inP X_M) st].
  by case/(largest_inP posP nonnegP nullP X_M st) => ratio_level levels; split.
- move=> T /and5P[/agreeP in_in /sound_inP[A_M def_a] /sound_inP[B_M def_b] st_a /andP[st_b prod]]; split=> //.
  - exact: stochastic_inP st_a.
  - exact: stochastic_inP st_b.
  exact: product_inP prod.
- move=> W /and5P[/agreeP in_in /sound_inP[A_M def_a] /sound_inP[B_M def_b] /(stochastic_inP A_M) st_a].
  case/andP=> /(stochastic_inP B_M) st_b sep; split=> //.
  exact: (separates_inP posP nonnegP A_M B_M sep).
- by move=> xs gs T; exact: path_inP.
- by move=> T; exact: tree_inP.
- by move=> s; exact: none_inP.
- by move=> d; exact: optimal_inP.
by move=> d; exact: not_optimal_inP.
Qed.

End Soundness.

