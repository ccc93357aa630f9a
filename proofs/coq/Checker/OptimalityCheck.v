(* SPDX-License-Identifier: MIT *)
(* What decides the claims of OptimalityClaims.v, and its soundness.                                          *)
(*   is_better    the kind not-universally-optimal              (is_betterP)                                  *)
(*   unserved     the rule priors of no-universally-optimal     (unservedP)                                   *)
(* The other rules are in OptimalOnPath.v, OptimalOnGraph.v and Kinks.v.                                      *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables Privacy Derivable Optimal RemapBound Check.
From ExactDP.Checker Require Import GraphShape OptimalityClaims Universality OptimalOnPath OptimalOnGraph.
From ExactDP.Checker Require Import VertexRays RayList TypeBound Kinks.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Inductive witness :=
| Better (prior : vector) (rows : seq vector)
| ByPath (inputs guesses : seq nat) (remap : seq vector)
| ByTree (remap : seq vector)
| ByKinks (priors potentials : seq vector)
| ByShape (s : shape)
| ByPriors (priors : seq vector) (potentials : vector) (mechanisms : seq (seq vector)).

(* ---- Witnesses ---- *)
Section Witnesses.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition places_of (bound : nat) (v : json) : option (seq nat) :=
  let! vs := array_of v in let! is_ := all_of (index_of (N.of_nat bound)) vs in Some [seq N.to_nat i | i <- is_].

(* An object with these keys, and the rule that it names. *)
Definition rule_of (v : json) : text := if v is Object ms then if find_key "rule" ms is Some (Text k) then k else [::] else [::].

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | NotUniversallyOptimal near _ l _ =>
      let p := size (vertices near) in
      let! ms := object_of [:: "prior" : text; "better" : text] [::] v in
      let! w := find_key "prior" ms in let! w := vector_of p w in
      let! x := find_key "better" ms in let! rows := rows_of p (size (outputs l)) x in Some (Better w rows)
  | UniversallyOptimal near _ l m =>
      let p := size (vertices near) in let q := size (outputs m) in
      let! ms := object_of [:: "by" : text] [::] v in let! by_ := find_key "by" ms in
      let k := rule_of by_ in
      if same k "path" then
        let! ms := object_of [:: "rule" : text; "inputs" : text; "guesses" : text; "remap" : text] [::] by_ in
        let! i := find_key "inputs" ms in let! xs := places_of p i in
        let! g := find_key "guesses" ms in let! gs := places_of (size (outputs l)) g in
        let! r := find_key "remap" ms in let! rows := rows_of q (size xs) r in Some (ByPath xs gs rows)
      else if same k "tree" then
        let! ms := object_of [:: "rule" : text; "remap" : text] [::] by_ in
        let! r := find_key "remap" ms in let! rows := rows_of q p r in Some (ByTree rows)
      else if same k "kinks" then
        let! ms := object_of [:: "rule" : text; "priors" : text; "potentials" : text] [::] by_ in
        let! w := find_key "priors" ms in let! ws := array_of w in let! ws := all_of (vector_of p) ws in
        let! y := find_key "potentials" ms in let! ys := array_of y in let! ys := all_of (vector_of p) ys in
        demand size ws == size ys in Some (ByKinks ws ys)
      else None
  | NoneUniversallyOptimal near _ l =>
      let p := size (vertices near) in
      let! ms := object_of [:: "by" : text] [::] v in let! by_ := find_key "by" ms in
      let k := rule_of by_ in
      if same k "cycle" then
        let! ms := object_of [:: "rule" : text; "inputs" : text] [::] by_ in
        let! i := find_key "inputs" ms in let! xs := places_of p i in Some (ByShape (Cycle xs))
      else if same k "star" then
        let! ms := object_of [:: "rule" : text; "input" : text; "neighbours" : text] [::] by_ in
        let! i := find_key "input" ms in let! x := index_of (N.of_nat p) i in
        let! h := find_key "neighbours" ms in let! hs := places_of p h in Some (ByShape (Star (N.to_nat x) hs))
      else if same k "priors" then
        let! ms := object_of [:: "rule" : text; "priors" : text; "potentials" : text; "mechanisms" : text] [::] by_ in
        let! w := find_key "priors" ms in let! ws := array_of w in let! ws := all_of (vector_of p) ws in
        let! y := find_key "potentials" ms in let! y := vector_of p y in
        let! x := find_key "mechanisms" ms in let! xs := array_of x in
        let! xs := all_of (rows_of p (size (outputs l))) xs in
        demand (0 < size ws)%N && (size ws == size xs) in Some (ByPriors ws y xs)
      else None
  end.

End Witnesses.

(* ---- What is computed ---- *)
(* A prior up to scale. *)
Definition is_prior (p : nat) (w : vector) : bool :=
  [&& below (N.of_nat p) (terms w), all_ge0 (terms w) & (0 <? total (terms w))%Z].

(* The loss of a mechanism, and the least loss after a remap, under these weights. *)
Definition loss_value (m : nat) (L X : integers) (w : vector) : Q :=
  Qmake (foldr (fun t z => (t.2 * loss_line m L X t.1 + z)%Z) 0%Z (terms w))
        (Z.to_pos (Zpos (unit w) * (scaling L * scaling X))%Z).

Definition least_value (p q m : nat) (M L : integers) (w : vector) : Q :=
  Qmake (- Dense.sum_Z (bounds_of m (scores_of q M (turned_losses p L w))))%Z
        (Z.to_pos (Zpos (unit w) * scaling L * scaling M)%Z).

(* X is private, and loses less than M after any remap. *)
Definition is_better (p q m : nat) (near : neighbours) (a : Q) (l : table) (L M X : integers) (w : vector) : bool :=
  let u := loss_value m L X w in let v := least_value p q m M L w in
  [&& is_prior p w, solves p m near a (Bayesian l w) L X u, remap_bound p q m M L w v & Q_lt u v].

Definition plus_Q (x y : Q) : Q := Qmake (Qnum x * Zpos (Qden y) + Qnum y * Zpos (Qden x))%Z (Qden x * Qden y).
Definition sum_Q (s : seq Q) : Q := foldr plus_Q (Qmake 0 1) s.

(* For each prior there is a mechanism; together they lose less than any one mechanism must. *)
Definition unserved (p m : nat) (near : neighbours) (a : Q) (l : table) (L : integers) (ws : seq vector) (y : vector)
    (xs : seq (seq vector)) : bool :=
  let value wx := loss_value m L (cleared wx.2) wx.1 in
  [&& size xs == size ws, has_ray_list near a p, below (N.of_nat p) (terms y) & all (is_prior p) ws] &&
  [&& all (fun wx => solves p m near a (Bayesian l wx.1) L (cleared wx.2) (value wx)) (zip ws xs),
      Q_lt (sum_Q [seq value wx | wx <- zip ws xs]) (Qmake (total (terms y)) (unit y)) &
      type_bound p m (ray_list near a p) L ws y].

(* The integers of a loss of the type. *)
Definition loss_of_type (near : neighbours) (a : Q) (l : table) : option integers :=
  if agree (inputs l) (vertices near) && is_level a && (0 < size (outputs l))%N
  then integers_at (size (vertices near)) (size (outputs l)) l else None.

(* The integers of a mechanism of the type. *)
Definition mechanism_of_type (near : neighbours) (a : Q) (t : table) : option integers :=
  let p := size (vertices near) in let q := size (outputs t) in
  if agree (inputs t) (vertices near) then
    if mechanism_at p q t is Some M then if is_private q near a M then Some M else None else None
  else None.

Definition check (c : claim) (w : witness) : bool :=
  match c with
  | UniversallyOptimal near a l t =>
      let p := size (vertices near) in let m := size (outputs l) in let q := size (outputs t) in
      match loss_of_type near a l, mechanism_of_type near a t with
      | Some L, Some M =>
          match w with
          | ByPath xs gs rows => path_argument p q m near a L M xs gs (cleared rows)
          | ByTree rows => tree_argument p q m near a L M (cleared rows)
          | ByKinks ws ys => kink_argument p q m near a L M ws ys
          | _ => false
          end
      | _, _ => false
      end
  | NotUniversallyOptimal near a l t =>
      let p := size (vertices near) in let m := size (outputs l) in let q := size (outputs t) in
      match loss_of_type near a l, mechanism_of_type near a t, w with
      | Some L, Some M, Better prior rows => is_better p q m near a l L M (cleared rows) prior
      | _, _, _ => false
      end
  | NoneUniversallyOptimal near a l =>
      let p := size (vertices near) in let m := size (outputs l) in
      match loss_of_type near a l, w with
      | Some L, ByShape s => obstacle p m near a L s
      | Some L, ByPriors ws y xs => unserved p m near a l L ws y xs
      | _, _ => false
      end
  end.

(* ---- Soundness ---- *)
Section Soundness.
Local Open Scope ring_scope.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma loss_of_typeP near a l L : loss_of_type near a l = Some L ->
  [/\ inputs l = vertices near, is_level a, (0 < size (outputs l))%N &
      represents L (matrix_of R (size (vertices near)) (size (outputs l)) (content l))].
Proof. by rewrite /loss_of_type; case: ifP => // /andP[/andP[/agreeP]] ? ? ? /(integers_atP R). Qed.

Lemma mechanism_of_typeP near a t M : mechanism_of_type near a t = Some M ->
  [/\ inputs t = vertices near, represents M (matrix_of R (size (vertices near)) (size (outputs t)) (content t)) &
      mechanism_for near (of_Q a) (matrix_of R (size (vertices near)) (size (outputs t)) (content t))].
Proof.
rewrite /mechanism_of_type; case: ifP => // /agreeP in_t; case E: mechanism_at => [I|] //; case: ifP => // priv e.
have [rep st] := mechanism_atP R E; move: e => [<-].
by split=> //; split=> //; exact: is_privateP priv.
Qed.

Lemma is_prior_ge0 p w : is_prior p w -> forall i : 'I_p, 0 <= vector_entry R w i.
Proof.
case/and3P=> _ w_ge0 _ i; rewrite /vector_entry divr_ge0 ?(ltW (of_Z_pos R _)) // of_Z_ge0.
exact/Z.leb_le/all_ge0P.
Qed.

Theorem is_betterP near a l t L M rows w : loss_of_type near a l = Some L -> mechanism_of_type near a t = Some M ->
  is_better (size (vertices near)) (size (outputs t)) (size (outputs l)) near a l L M (cleared rows) w ->
  let p := size (vertices near) in
  ~ universally_optimal_for near (of_Q a) (matrix_of R p (size (outputs l)) (content l))
                            (matrix_of R p (size (outputs t)) (content t)).
Proof.
case/loss_of_typeP=> _ _ m_gt0 l_L /mechanism_of_typeP[_ X_M _].
case/and4P=> /is_prior_ge0 w_ge0 /(@mechanism_found R _ _ _ _ (Bayesian l w) _ _ _ l_L)[Y [Y_mech [Y_le _]]] least less p.
have low := @remap_boundP R p _ _ (Bayesian l w) (Dual None None None) M L w _ _ X_M l_L erefl least.
move=> M_opt; have [_] := proj1 (optimal_for_weights _ _ _ _ m_gt0) M_opt.
move/(_ _ w_ge0 _ Y id Y_mech) => -[f]; rewrite mul_remap_id => f_le.
have := low _ (remap_stochastic R f) _ (lexx _); apply/negP; rewrite -ltNge.
apply: le_lt_trans f_le _; apply: le_lt_trans Y_le _; by rewrite of_Q_lt.
Qed.

Lemma of_plus_Q x y : of_Q (plus_Q x y) = of_Q x + of_Q y.
Proof.
rewrite /Numbers.of_Q /plus_Q [Qnum _]/= [Qden _]/= of_ZD !of_ZM Pos2Z.inj_mul of_ZM.
have x_neq0 := of_Z_pos_neq0 R (Qden x); have y_neq0 := of_Z_pos_neq0 R (Qden y).
by by_field R; split; apply/eqP.
Qed.

Lemma of_sum_Q s n : size s = n -> of_Q (sum_Q s) = \sum_(k < n) of_Q (nth (Qmake 0 1) s k).
Proof.
elim: s n => [|x s IHs] [|n] //=; first by rewrite big_ord0 /Numbers.of_Q /= mul0r.
by case=> size_s; rewrite of_plus_Q (IHs n size_s) big_ord_recl.
Qed.

Theorem unservedP near a l L ws y xs : loss_of_type near a l = Some L ->
  unserved (size (vertices near)) (size (outputs l)) near a l L ws y xs ->
  forall k (M : 'M[R]_(size (vertices near), k)),
    ~ universally_optimal_for near (of_Q a) (matrix_of R (size (vertices near)) (size (outputs l)) (content l)) M.
Proof.
case/loss_of_typeP=> _ _ m_gt0 l_L; set p := size (vertices near); set m := size (outputs l) in m_gt0 l_L *.
case/andP=> /and4P[/eqP size_xs listed y_p priors] /and3P[solved less bound] k M M_opt.
pose w0 := Vector 1 [::]; pose w (x : 'I_(size ws)) (i : 'I_p) := vector_entry R (nth w0 ws x) i.
pose value (wx : vector * seq vector) := loss_value m L (cleared wx.2) wx.1.
have size_zip : size (zip ws xs) = size ws by rewrite size1_zip // size_xs.
have at_zip (x : 'I_(size ws)) : nth (w0, [::]) (zip ws xs) x = (nth w0 ws x, nth [::] xs x) by rewrite nth_zip.
have w_ge0 x i : 0 <= w x i by apply: is_prior_ge0; apply: (all_nthP w0 priors).
have [X X_ok] : exists X : 'I_(size ws) -> 'M[R]_(p, m), forall x,
    mechanism_for near (of_Q a) (X x) /\
    bayes_loss (w x) (matrix_of R p m (content l)) (X x) <= of_Q (value (nth (w0, [::]) (zip ws xs) x)).
  apply: (@fin_all_exists _ (fun=> 'M[R]_(p, m)) (fun x Y => mechanism_for near (of_Q a) Y /\
    bayes_loss (w x) (matrix_of R p m (content l)) Y <= of_Q (value (nth (w0, [::]) (zip ws xs) x)))) => x.
  have := all_nthP (w0, [::]) solved x; rewrite size_zip at_zip => /(_ (ltn_ord x)) sol.
  have [Y [Y_mech [Y_le _]]] := @mechanism_found R _ _ _ _ (Bayesian l (nth w0 ws x)) _ _ _ l_L sol.
  by exists Y.
have [f f_le] := sums_of_losses m_gt0 M_opt w_ge0 (fun x => proj1 (X_ok x)).
have M_mech : mechanism_for near (of_Q a) M by case: M_opt.
have := type_boundP f listed l_L bound M_mech; apply/negP; rewrite -ltNge.
apply: le_lt_trans f_le _; apply: (@le_lt_trans _ _ (of_Q (sum_Q [seq value wx | wx <- zip ws xs]))).
  rewrite (@of_sum_Q _ (size ws)) ?size_map //; apply: ler_sum => x _.
  by rewrite (nth_map (w0, [::])) ?size_zip //; case: (X_ok x).
have -> : \sum_(i < p) vector_entry R y i = of_Q (Qmake (total (terms y)) (unit y)).
  by rewrite /vector_entry -mulr_suml sum_row1.
by rewrite of_Q_lt.
Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => [near a l t|near a l t|near a l]; rewrite /check; case EL: loss_of_type => [L|] //.
- case EM: mechanism_of_type => [M|] // ok.
  have [in_l a_level m_gt0 l_L] := loss_of_typeP EL; have [in_t X_M M_mech] := mechanism_of_typeP EM.
  split=> //; first exact: is_levelP.
  case: w ok => // [xs gs rows|rows|ws ys] ok.
  - exact: path_argumentP l_L X_M a_level M_mech ok.
  - exact: tree_argumentP l_L X_M a_level M_mech ok.
  exact: kink_argumentP l_L X_M M_mech ok.
- case EM: mechanism_of_type => [M|] //; case: w => // prior rows ok.
  have [in_l a_level m_gt0 l_L] := loss_of_typeP EL; have [in_t X_M M_mech] := mechanism_of_typeP EM.
  by split=> //; [exact: is_levelP | exact: is_betterP EL EM ok].
have [in_l a_level m_gt0 l_L] := loss_of_typeP EL.
case: w => // [s|ws y xs] ok; split=> //; try exact: is_levelP; first exact: obstacleP ok.
exact: unservedP EL ok.
Qed.

End Soundness.
