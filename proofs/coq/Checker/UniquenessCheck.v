(* SPDX-License-Identifier: MIT *)
(* What decides the claims of UniquenessClaims.v, and its soundness.                                          *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia Ascii String.
From ExactDP Require Import OrderedField Mechanism Geometric Release.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables Privacy Derivable Optimal RemapBound Check.
From ExactDP.Checker Require Import Ranks Forced UniquenessClaims Coalitions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.
Local Open Scope ring_scope.

Inductive witness :=
| Forced (d : dual)                                      (* of unique-remap the weights *)
| Two (first second : seq vector) (d : dual)
| Stages (stages : seq (seq vector)).

Definition two_of (p m : nat) (ms : seq (text * json)) (d : dual) : option witness :=
  let! x := find_key "first" ms in let! first := rows_of p m x in
  let! x := find_key "second" ms in let! second := rows_of p m x in Some (Two first second d).

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | Unique near a c _ _ =>
      let! ms := object_of [:: "dual" : text] [::] v in
      let! x := find_key "dual" ms in let! d := dual_of near a c x in Some (Forced d)
  | NotUnique near a c _ =>
      let! ms := object_of [:: "first" : text; "second" : text; "dual" : text] [::] v in
      let! x := find_key "dual" ms in let! d := dual_of near a c x in
      two_of (size (vertices near)) (size (outputs (loss_of c))) ms d
  | UniqueRemap m _ _ _ =>
      let! ms := object_of [::] [:: "weights" : text] v in
      let! w := weights_at (size (inputs m)) ms in Some (Forced w)
  | NotUniqueRemap m c _ =>
      let! ms := object_of [:: "first" : text; "second" : text] [:: "weights" : text] v in
      let! w := weights_at (size (inputs m)) ms in two_of (size (outputs m)) (size (outputs (loss_of c))) ms w
  | Release n levels _ =>
      let! ms := object_of [:: "stages" : text] [::] v in
      let! x := find_key "stages" ms in let! vs := array_of x in
      let! stages := all_of (rows_of n.+1 n.+1) vs in
      demand size levels == (size stages).+1 in Some (Stages stages)
  end.

(* Some entry is listed in which the two tables differ. *)
Definition differ (p m : nat) (X Y : integers) : bool :=
  has (fun i => let r := combine (scaling Y) (line_of X i) (- scaling X) (line_of Y i) in
         has (fun t => [&& ~~ (t.2 =? 0)%Z, (t.1 <? N.of_nat m)%num & ~~ (at_index r (N.to_nat t.1) =? 0)%Z]) r) (iota 0 p).

(* The stage between two levels. *)
Definition is_stage (n : nat) (x : Q * Q * seq vector) : bool :=
  let p := n.+1 in
  is_product p p p (integers_of p p (Geometric n x.1.1)) (integers_of p p (Geometric n x.1.2)) (cleared x.2).

Definition is_release (n : nat) (levels : seq Q) (stages : seq (seq vector)) : bool :=
  (size levels == (size stages).+1) && all (is_stage n) (zip (zip levels (behead levels)) stages).

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | Unique near a c v t, Forced d =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      match consumer_at p m (vertices near) c, mechanism_at p m t with
      | Some L, Some X =>
          [&& agree (inputs t) (vertices near), agree (outputs t) (outputs (loss_of c)), is_level a, bounds p m near a c L d v,
              solves p m near a c L X v & only_zero (p * m) (forced_equations p m near a c L d)]
      | _, _ => false
      end
  | UniqueRemap t c v r, Forced d =>
      let p := size (inputs t) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      match mechanism_at p q t, consumer_at p m (inputs t) c, mechanism_at q m r with
      | Some M, Some L, Some T =>
          [&& agree (inputs r) (outputs t), agree (outputs r) (outputs (loss_of c)), best_remap p q m c M L d v,
              remap_solves p q m c L M T v & only_zero (q * m) (remap_equations p q m c M L d)]
      | _, _, _ => false
      end
  | NotUnique near a c v, Two first second d =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      let X := cleared first in let Y := cleared second in
      if consumer_at p m (vertices near) c is Some L then
        [&& is_level a, bounds p m near a c L d v, solves p m near a c L X v, solves p m near a c L Y v & differ p m X Y]
      else false
  | NotUniqueRemap t c v, Two first second d =>
      let p := size (inputs t) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      let S := cleared first in let T := cleared second in
      match mechanism_at p q t, consumer_at p m (inputs t) c with
      | Some M, Some L =>
          [&& best_remap p q m c M L d v, remap_solves p q m c L M S v, remap_solves p q m c L M T v & differ q m S T]
      | _, _ => false
      end
  | Release n levels coalitions, Stages stages =>
      [&& (0 < n)%N, levels_rise levels, all is_level levels, lists_coalitions (size levels) [seq C.1 | C <- coalitions],
          all (has_level_of_first levels) coalitions & is_release n levels stages]
  | _, _ => false
  end.

Section Soundness.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).

Lemma consumer_at_proper p m labels c L : consumer_at p m labels c = Some L -> is_proper p c.
Proof. by rewrite /consumer_at; case: ifP => // /andP[]. Qed.

Lemma differP p m X Y (x y : 'M[R]_(p, m)) : represents X x -> represents Y y -> differ p m X Y -> x != y.
Proof.
move=> [X_gt0 x_X] [Y_gt0 y_Y] /hasP[i0]; rewrite mem_iota /= => i_lt.
case/has_In=> t _ /and3P[_ /N.ltb_lt t_m /negP differs].
have r_lt : (N.to_nat t.1 < m)%N by apply/ssrnat.ltP; lia.
apply/eqP => xy; apply: differs; rewrite at_combine; apply/Z.eqb_eq; have := x_X (Ordinal i_lt) (Ordinal r_lt).
rewrite xy y_Y => /eqP; rewrite eqr_div ?lt0r_neq0 // -!of_ZM of_Z_eq => /Z.eqb_eq /=; lia.
Qed.

Lemma level_nth levels c : (c < size levels)%N ->
  nth 0 [seq of_Q a | a <- levels] c = of_Q (nth (Qmake 0 1) levels c).
Proof. by move=> c_lt; rewrite (nth_map (Qmake 0 1)). Qed.

Lemma releaseP n levels coalitions stages : check (Release n levels coalitions) (Stages stages) ->
  meaning R (Release n levels coalitions).
Proof.
case/and5P=> n_gt0 /andP[size_gt0 up] /all_In levels_ok /lists_coalitionsP all_C /andP[/all_In firsts _].
case: levels size_gt0 up levels_ok all_C firsts => [//|a levels] _ /= up levels_ok all_C firsts.
set ls := [seq of_Q b | b <- levels].
have in01 b : List.In b (a :: levels) -> 0 < of_Q b < 1 by move/levels_ok; exact: is_levelP.
have rise : path <%R (of_Q a) ls by rewrite path_map (eq_path (e' := Q_lt)) // => b c; rewrite /= of_Q_lt.
have /andP[a_gt0 a_lt1] := in01 a (or_introl erefl).
have rises : rising (of_Q a) ls.
  apply/and4P; split=> //; first by apply: sub_path rise => b c /ltW.
  by rewrite all_map; apply/all_In => b b_in; have /andP[] := in01 b (or_intror b_in).
have size_ls : size ls = size levels by rewrite size_map.
split=> //.
  split=> c c_lt; last by have /(pathP 0) := rise; apply; rewrite size_ls.
  by have [] := @level_range _ _ ls c rises; rewrite ?size_ls // => -> ->.
exists (algorithm1 n (of_Q a) ls); split.
- by rewrite size_algorithm1 size_ls.
- exact: algorithm1_stochastic.
- by move=> c i s c_lt; apply: result_law => //; rewrite size_ls.
move=> C b C_in; have /and3P[C_gt0 C_up C_k] : is_coalition (size levels).+1 C.
  by apply/all_C; apply: (List.in_map fst) C_in.
have := firsts _ C_in; rewrite /has_level_of_first /=.
case: C C_gt0 C_up C_k {C_in} => [//|x C] _ C_up C_k first_b.
have x_lt : (N.to_nat x < (size levels).+1)%N by case/andP: C_k => /N.ltb_lt x_k _; apply/ssrnat.ltP; lia.
have -> : of_Q b = nth 0 (of_Q a :: ls) (N.to_nat x).
  rewrite (level_nth (levels := a :: levels)) //; apply/eqP; rewrite eq_sym of_Q_eq; exact: first_b.
apply: (coalition_tight rises (x := x)) => //; last by rewrite size_ls.
have tr : transitive N.ltb by move=> y z w /N.ltb_lt zy /N.ltb_lt yw; apply/N.ltb_lt; lia.
rewrite /= leqnn /=; apply: sub_all (order_path_min tr C_up) => y /N.ltb_lt xy; apply/ssrnat.leP; lia.
Qed.

(* Where the equations of the difference have no other solution than 0, two matrices are equal. *)
Lemma only_zero_equal p m (X Y : 'M[R]_(p, m)) es : only_zero (p * m) es -> all (satisfies (Y - X)) es -> Y = X.
Proof.
move=> zero es_ok; apply/subr0_eq/matrixP => i j; rewrite [RHS]mxE -flat_cell.
exact: (only_zeroP zero es_ok (Ordinal (cell_lt i j))).
Qed.

Lemma uniqueP near a c v t d : check (Unique near a c v t) (Forced d) -> meaning R (Unique near a c v t).
Proof.
rewrite /check; case EL: consumer_at => [L|] //; case EX: mechanism_at => [X|] //.
have [in_v prop rep_L] := consumer_atP R EL; have [rep_X st_X] := mechanism_atP R EX.
case/and5P=> /agreeP in_t /agreeP out_t /(is_levelP R) a_level ok /andP[sol zero].
have none := boundsP rep_L ok; have [x_mech x_loss] := solvesP rep_L rep_X sol.
split=> // Y Y_mech Y_le; apply: only_zero_equal zero _.
have /and4P[_ _ _ /andP[L_m _]] := sol; have c_ok := consumer_at_proper EL.
exact: (forced_hold rep_L L_m c_ok ok Y_mech x_mech Y_le (proj1 x_loss)).
Qed.

Lemma unique_remapP t c v r d : check (UniqueRemap t c v r) (Forced d) -> meaning R (UniqueRemap t c v r).
Proof.
rewrite /check; case EM: mechanism_at => [M|] //; case EL: consumer_at => [L|] //; case ET: mechanism_at => [T|] //.
have [in_v prop rep_L] := consumer_atP R EL; have [rep_M st_M] := mechanism_atP R EM.
have [rep_T _] := mechanism_atP R ET.
case/and5P=> /agreeP in_r /agreeP out_r ok sol zero.
have [T_st T_loss] := remap_solvesP rep_M (mechanism_at_stochastic EM) rep_L rep_T sol.
split=> //; first exact: best_remapP ok.
move=> S S_st S_le; apply: only_zero_equal zero _.
have /and3P[_ _ /andP[L_m _]] := sol; have c_ok := consumer_at_proper EL.
have M_q : all (below (N.of_nat (size (outputs t)))) (lines M).
  have /andP[_ rows_ok] := mechanism_at_stochastic EM.
  by apply: sub_all rows_ok => x /and3P[].
exact: (remap_forced_hold rep_M rep_L M_q L_m c_ok ok S_st T_st S_le (proj1 T_loss)).
Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => [near a c v t|near a c v|t c v r|t c v|n levels coalitions]; case: w => [d|first second d|stages] //.
- exact: uniqueP.
- rewrite /check; case EL: consumer_at => [L|] //; have [in_v prop rep_L] := consumer_atP R EL.
  case/and5P=> /(is_levelP R) a_level /(boundsP rep_L) none sol_x sol_y diff.
  have [x rep_x] := @represents_some R (size (vertices near)) (size (outputs (loss_of c))) (cleared first) (common_gt0 first).
  have [y rep_y] := @represents_some R (size (vertices near)) (size (outputs (loss_of c))) (cleared second) (common_gt0 second).
  have [x_priv x_loss] := solvesP rep_L rep_x sol_x; have [y_priv y_loss] := solvesP rep_L rep_y sol_y.
  by split=> //; exists x, y; split=> //; exact: differP rep_x rep_y diff.
- exact: unique_remapP.
- rewrite /check; case EM: mechanism_at => [M|] //; case EL: consumer_at => [L|] //.
  have [in_v prop rep_L] := consumer_atP R EL; have [rep_M st_M] := mechanism_atP R EM.
  case/and4P=> /(best_remapP rep_M rep_L) none sol_x sol_y diff.
  have [x rep_x] := @represents_some R (size (outputs t)) (size (outputs (loss_of c))) (cleared first) (common_gt0 first).
  have [y rep_y] := @represents_some R (size (outputs t)) (size (outputs (loss_of c))) (cleared second) (common_gt0 second).
  have [x_st x_loss] := remap_solvesP rep_M (mechanism_at_stochastic EM) rep_L rep_x sol_x.
  have [y_st y_loss] := remap_solvesP rep_M (mechanism_at_stochastic EM) rep_L rep_y sol_y.
  by split=> //; exists x, y; split=> //; exact: differP rep_x rep_y diff.
- exact: releaseP.
Qed.

End Soundness.
