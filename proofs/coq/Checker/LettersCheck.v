(* SPDX-License-Identifier: MIT *)
(* What decides the claims of LettersClaims.v, and its soundness.  Every condition is the sign of a           *)
(* polynomial on the interval (PolynomialSign.v).                                                             *)
(*   sound_in       the denominators of a table are > 0, its size is right      (sound_inP)                   *)
(*   stochastic_in, private_in, violated_in, negative_in, product_in           (stochastic_inP, ...)          *)
(*   check_sound    what is accepted is true for every number of the interval                                 *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism Form Geometric InducedMetric TreeMechanism Walks.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables Check GraphShape OptimalOnPath OptimalOnGraph.
From ExactDP.Checker Require Import PolynomialSign LettersClaims.
From ExactDP.Checker Require OptimalityClaims OptimalityCheck.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Definition lines := seq (polynomial * seq polynomial).

Inductive instance_witness :=
| Nothing_in
| Entry_in (i : nat) (j : option nat)
| Pair_in (i j r : nat)
| Remap_in (rows : lines)
| Shape_in (s : shape)
| Path_in (inputs guesses : seq nat) (remap : lines)
| Tree_in (remap : lines).

Definition witness := seq instance_witness.

(* ---- Witnesses ---- *)
Section Witnesses.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition place_of (bound : nat) (v : json) : option nat := let! i := index_of (N.of_nat bound) v in Some (N.to_nat i).

Definition instance_witness_in (c : instance) (v : json) : option instance_witness :=
  match c with
  | NotStochasticIn t =>
      let! ms := object_of [:: "row" : text] [:: "column" : text] v in
      let! r := find_key "row" ms in let! i := place_of (size (inputs_in t)) r in
      let! j := optional (place_of (size (outputs_in t))) "column" ms in Some (Entry_in i j)
  | PrivateIn _ _ _ => let! _ := object_of [::] [::] v in Some Nothing_in
  | NotPrivateIn m _ _ =>
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
      let! rows := all_of (line_in (size (outputs_in b))) vs in Some (Remap_in rows)
  | NoneUniversallyOptimalIn near _ l =>
      let! w := OptimalityCheck.witness_in (OptimalityClaims.NoneUniversallyOptimal near (Qmake 0 1) l) v in
      if w is OptimalityCheck.ByShape s then Some (Shape_in s) else None
  | UniversallyOptimalIn near _ l m =>
      let p := size (vertices near) in
      let! ms := object_of [:: "by" : text] [::] v in let! by_ := find_key "by" ms in
      if same (OptimalityCheck.rule_of by_) "tree" then
        let! ms := object_of [:: "rule" : text; "remap" : text] [::] by_ in
        let! r := find_key "remap" ms in let! vs := array_of r in demand size vs == size (outputs_in m) in
        let! rows := all_of (line_in p) vs in Some (Tree_in rows)
      else
      demand same (OptimalityCheck.rule_of by_) "path" in
      let! ms := object_of [:: "rule" : text; "inputs" : text; "guesses" : text; "remap" : text] [::] by_ in
      let! i := find_key "inputs" ms in let! xs := OptimalityCheck.places_of p i in
      let! g := find_key "guesses" ms in let! gs := OptimalityCheck.places_of (size (outputs l)) g in
      let! r := find_key "remap" ms in let! vs := array_of r in demand size vs == size (outputs_in m) in
      let! rows := all_of (line_in (size xs)) vs in Some (Path_in xs gs rows)
  end.

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | Everywhere _ _ c => let! w := instance_witness_in c v in Some [:: w]
  | OnPieces _ _ pieces =>
      let! ms := object_of [:: "pieces" : text] [::] v in let! ps := find_key "pieces" ms in let! vs := array_of ps in
      demand size vs == size pieces in
      all_of (fun cv => instance_witness_in cv.1 cv.2) (zip [seq p.2 | p <- pieces] vs)
  end.
End Witnesses.

(* ---- What is computed ---- *)
Definition over_at (rows : lines) (i : nat) : polynomial := (nth ([::], [::]) rows i).1.
Definition entry_at (rows : lines) (i j : nat) : polynomial := nth [::] (nth ([::], [::]) rows i).2 j.

(* (a^d s_j) (m^n (k + m)) for the level a = k/m. *)
Definition geometric_in (n : nat) (a : scalar) (i j : nat) : polynomial :=
  let k := upper a in let m := lower a in let d := dist i j in
  times_p (times_p (power_p k d) (power_p m (n - d)))
          (if n == 0%N then plus_p k m else if (j == 0%N) || (j == n) then m else minus_p m k).

Definition lines_in (e : entries_in) : lines :=
  match e with
  | RowsIn rows => rows
  | GeometricIn n a =>
      let over := times_p (power_p (lower a) n) (plus_p (upper a) (lower a)) in
      [seq (over, [seq geometric_in n a i j | j <- iota 0 n.+1]) | i <- iota 0 n.+1]
  end.

Definition is_level_in (J : interval) (a : scalar) : bool :=
  [&& pos_on J (lower a), pos_on J (upper a) & pos_on J (minus_p (lower a) (upper a))].

Definition sound_in (J : interval) (p m : nat) (e : entries_in) : bool :=
  match e with
  | RowsIn rows => (size rows == p) && all (fun r => pos_on J r.1) rows
  | GeometricIn n a => [&& is_level_in J a, p == n.+1 & m == n.+1]
  end.

Definition sum_p (s : seq polynomial) : polynomial := foldr plus_p [::] s.

Definition stochastic_in (J : interval) (p m : nat) (X : lines) : bool :=
  all (fun i => all (fun j => nonneg_on J (entry_at X i j)) (iota 0 m) &&
                zero_on J (minus_p (sum_p [seq entry_at X i j | j <- iota 0 m]) (over_at X i))) (iota 0 p).

(* m^e u^k z^k - l^e v^k w^k, where the level is l/m, the distance e/k, and the numbers are u/w and v/z. *)
Definition excess_in (a : scalar) (d : Q) (X : lines) (i j r : nat) : polynomial :=
  let e := Z.to_nat (Qnum d) in let k := Pos.to_nat (Qden d) in
  minus_p (times_p (power_p (lower a) e) (power_p (times_p (entry_at X i r) (over_at X j)) k))
          (times_p (power_p (upper a) e) (power_p (times_p (entry_at X j r) (over_at X i)) k)).

Definition private_in (J : interval) (p m : nat) (near : neighbours) (a : scalar) (X : lines) : bool :=
  all (fun e : N * N * Q => let i := N.to_nat e.1.1 in let j := N.to_nat e.1.2 in
         all (fun r => nonneg_on J (excess_in a e.2 X i j r) && nonneg_on J (excess_in a e.2 X j i r)) (iota 0 m)) (pairs near).

Definition violated_in (J : interval) (p m : nat) (near : neighbours) (a : scalar) (X : lines) (i j r : nat) : bool :=
  [&& (i < p)%N, (j < p)%N, (r < m)%N &
      has (fun e : N * N * Q => (is_pair i j e || is_pair j i e) && pos_on J (scaled_p (-1) (excess_in a e.2 X i j r))) (pairs near)].

(* An entry < 0; or a row whose sum is nowhere 1. *)
Definition negative_in (J : interval) (p m : nat) (X : lines) (i : nat) (j : option nat) : bool :=
  (i < p)%N &&
  match j with
  | Some j => (j < m)%N && pos_on J (scaled_p (-1) (entry_at X i j))
  | None => let d := minus_p (sum_p [seq entry_at X i j | j <- iota 0 m]) (over_at X i) in
            pos_on J d || pos_on J (scaled_p (-1) d)
  end.

(* Fractions; those with the same denominator are added fast. *)
Definition fraction := (polynomial * polynomial)%type.
Definition same_p (p q : polynomial) : bool := all2 Z.eqb p q.
Definition plus_f (x y : fraction) : fraction :=
  if same_p x.2 y.2 then (plus_p x.1 y.1, x.2) else (plus_p (times_p x.1 y.2) (times_p y.1 x.2), times_p x.2 y.2).

Definition product_at (m : nat) (A T : lines) (i r : nat) : fraction :=
  foldr (fun y f => plus_f (times_p (entry_at A i y) (entry_at T y r), over_at T y) f) ([::], [:: 1%Z]) (iota 0 m).

Definition product_in (J : interval) (p m k : nat) (A B T : lines) : bool :=
  [&& all (fun r => pos_on J r.1) T, size T == m, stochastic_in J m k T &
  all (fun i => all (fun r => let f := product_at m A T i r in
    zero_on J (minus_p (times_p f.1 (over_at B i)) (times_p (entry_at B i r) (times_p f.2 (over_at A i))))) (iota 0 k)) (iota 0 p)].

Definition none_in (J : interval) (near : neighbours) (a : scalar) (l : table) (s : shape) : bool :=
  let p := size (vertices near) in let m := size (outputs l) in
  [&& agree (inputs l) (vertices near), is_level_in J a &
  if integers_at p m l is Some L then
    obstacle_where (fun k => pos_on J (minus_p (scaled_p (k - 1) (upper a)) (lower a))) p m near L s
  else false].

(* The mechanism's rows along a path give the path's geometric mechanism after a remap. *)
Definition path_in (J : interval) (near : neighbours) (a : scalar) (l : table) (t : table_in) (xs gs : seq nat) (T : lines) : bool :=
  let p := size (vertices near) in let m := size (outputs l) in let q := size (outputs_in t) in let n := size xs in
  let X := lines_in (content_in t) in
  [&& agree (inputs l) (vertices near), agree (inputs_in t) (vertices near), is_level_in J a & sound_in J p q (content_in t)] &&
  [&& stochastic_in J p q X, private_in J p q near a X,
      product_in J n q n [seq nth ([::], [::]) X i | i <- xs] (lines_in (GeometricIn n.-1 a)) T &
      if integers_at p m l is Some L then path_shape p m near L xs gs else false].

(* m - (deg v - 1) k for the level k/m, and the tree's mechanism. *)
Definition tree_scale_in (p : nat) (near : neighbours) (a : scalar) (v : nat) : polynomial :=
  minus_p (lower a) (scaled_p (Z.of_nat (degree_in near p v) - 1) (upper a)).

Definition tree_lines (p : nat) (near : neighbours) (a : scalar) : lines :=
  let D := hops near p in let over := times_p (power_p (lower a) p) (plus_p (upper a) (lower a)) in
  [seq (over, [seq let d := away D i v in
                   times_p (times_p (power_p (upper a) d) (power_p (lower a) (p - d))) (tree_scale_in p near a v) | v <- iota 0 p])
  | i <- iota 0 p].

Definition tree_in (J : interval) (near : neighbours) (a : scalar) (l : table) (t : table_in) (T : lines) : bool :=
  let p := size (vertices near) in let m := size (outputs l) in let q := size (outputs_in t) in
  let X := lines_in (content_in t) in
  [&& agree (inputs l) (vertices near), agree (inputs_in t) (vertices near), is_level_in J a & sound_in J p q (content_in t)] &&
  [&& stochastic_in J p q X, private_in J p q near a X, all (fun v => nonneg_on J (tree_scale_in p near a v)) (iota 0 p),
      product_in J p q p X (tree_lines p near a) T &
      if integers_at p m l is Some L then tree_shape p m near L else false].

Definition check_on (J : interval) (c : instance) (w : instance_witness) : bool :=
  proper_interval J &&
  match c, w with
  | NotStochasticIn t, Entry_in i j =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in
      sound_in J p m e && negative_in J p m (lines_in e) i j
  | PrivateIn t near a, Nothing_in =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in let X := lines_in e in
      [&& agree (inputs_in t) (vertices near), is_level_in J a, sound_in J p m e, stochastic_in J p m X &
          private_in J p m near a X]
  | NotPrivateIn t near a, Pair_in i j r =>
      let p := size (inputs_in t) in let m := size (outputs_in t) in let e := content_in t in let X := lines_in e in
      [&& agree (inputs_in t) (vertices near), is_level_in J a, sound_in J p m e, stochastic_in J p m X &
          violated_in J p m near a X i j r]
  | DerivableIn a b, Remap_in T =>
      let p := size (inputs_in a) in let m := size (outputs_in a) in let k := size (outputs_in b) in
      let A := lines_in (content_in a) in let B := lines_in (content_in b) in
      [&& agree (inputs_in a) (inputs_in b), sound_in J p m (content_in a), sound_in J p k (content_in b),
          stochastic_in J p m A, stochastic_in J p k B & product_in J p m k A B T]
  | UniversallyOptimalIn near a l t, Path_in xs gs T => path_in J near a l t xs gs T
  | UniversallyOptimalIn near a l t, Tree_in T => tree_in J near a l t T
  | NoneUniversallyOptimalIn near a l, Shape_in s => none_in J near a l s
  | _, _ => false
  end.

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | Everywhere _ J c, [:: w] => check_on J c w
  | OnPieces _ J pieces, ws =>
      [&& proper_interval J, covered J [seq q.1 | q <- pieces], size ws == size pieces &
          all (fun qw => check_on qw.1.1 qw.1.2 qw.2) (zip pieces ws)]
  | _, _ => false
  end.

(* ---- Soundness ---- *)
Section Soundness.
Local Open Scope ring_scope.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Local Notation at_ p x := (@polynomial_at R p x).
Add Field R_field : (field_theory_of R).

Section At.
Variables (J : interval) (x : R).
Hypothesis x_J : within J x.

Definition tabled p m (X : lines) (M : 'M[R]_(p, m)) :=
  (forall i : 'I_p, 0 < at_ (over_at X i) x) /\ forall i j, M i j = at_ (entry_at X i j) x / at_ (over_at X i) x.

Lemma is_level_inP a : is_level_in J a -> level_at x a.
Proof.
case/and3P=> /(pos_onP x_J) l_gt0 /(pos_onP x_J) u_gt0 /(pos_onP x_J); rewrite at_minus subr_gt0 => lt.
by split=> //; rewrite /scalar_at divr_gt0 //= ltr_pdivr_mulr // mul1r.
Qed.

Lemma at_sum s : at_ (sum_p s) x = \sum_(q <- s) at_ q x.
Proof. by elim: s => [|q s IHs]; rewrite ?big_nil // big_cons -IHs -at_plus. Qed.

Lemma at_sum_iota m f : at_ (sum_p [seq f j | j <- iota 0 m]) x = \sum_(j < m) at_ (f j) x.
Proof. by rewrite at_sum big_map -(big_mkord xpredT (fun j => at_ (f j) x)) /index_iota subn0. Qed.

Lemma all_iota (b : nat -> bool) n (i : 'I_n) : all b (iota 0 n) -> b i.
Proof. by move/(all_nthP 0%N)/(_ i); rewrite size_iota nth_iota // add0n; apply. Qed.

Lemma geometric_at n a (i j : nat) : level_at x a -> (i <= n)%N -> (j <= n)%N ->
  scalar_at x a ^+ dist i j * scale (scalar_at x a) n j =
  at_ (geometric_in n a i j) x / at_ (times_p (power_p (lower a) n) (plus_p (upper a) (lower a))) x.
Proof.
case=> l_gt0 /andP[a_gt0 _] i_n j_n; set d := dist i j; have d_n : (d <= n)%N by rewrite /d /dist; nat_lia.
rewrite /geometric_in -/d !at_times !at_power at_plus /scalar_at.
move: a_gt0; rewrite /scalar_at; set p := at_ (upper a) x; set q := at_ (lower a) x in l_gt0 * => p_gt0.
have {}p_gt0 : 0 < p by move: p_gt0; rewrite pmulr_lgt0 // invr_gt0.
have q_neq0 : q != 0 by rewrite gt_eqF.
have pq_neq0 : p + q != 0 by rewrite gt_eqF // addr_gt0.
have -> : q ^+ n = q ^+ d * q ^+ (n - d) by rewrite -exprD subnKC.
have qd_neq0 : q ^+ d != 0 by rewrite expf_neq0.
have qe_neq0 : q ^+ (n - d) != 0 by rewrite expf_neq0.
rewrite expr_div_n /scale.
have pq : 1 + p / q = (p + q) / q by rewrite mulrDl divff // addrC.
have qp : 1 - p / q = (q - p) / q by rewrite mulrBl divff.
case: eqP => _; last case: ifP => _; rewrite ?at_minus ?at_plus -/p -/q ?pq ?qp; move: (q ^+ d) (q ^+ (n - d)) (p ^+ d) qd_neq0 qe_neq0 => u v w u_neq0 v_neq0.
- by by_field R; do ?split; apply/eqP.
- by by_field R; do ?split; apply/eqP.
- by by_field R; do ?split; apply/eqP.
Qed.

Lemma sound_inP p m e : sound_in J p m e -> tabled (lines_in e) (matrix_in x p m e) /\ defined_in x p m e.
Proof.
case: e => [rows|n a] /=.
  case/andP=> /eqP size_rows ok; have gt0 (i : 'I_p) : 0 < at_ (nth ([::], [::]) rows i).1 x.
    by apply: (pos_onP x_J); apply: (all_nthP ([::], [::]) ok); rewrite size_rows.
  by split=> //; split=> // i j; rewrite mxE.
case/and3P=> a_level /eqP p_n /eqP m_n; subst p m; have a_ok := is_level_inP a_level; split=> //.
have row_i (i : 'I_n.+1) : nth ([::], [::]) (lines_in (GeometricIn n a)) i =
    (times_p (power_p (lower a) n) (plus_p (upper a) (lower a)), [seq geometric_in n a i j | j <- iota 0 n.+1]).
  by rewrite /lines_in (nth_map 0%N) ?size_iota // nth_iota.
rewrite /tabled /over_at /entry_at; split=> [i|i j]; rewrite row_i.
  case: a_ok => l_gt0 /andP[a_gt0 _]; rewrite /= at_times at_power at_plus mulr_gt0 ?exprn_gt0 // addr_gt0 //.
  by move: a_gt0; rewrite /scalar_at pmulr_lgt0 // invr_gt0.
have -> : nth [::] [seq geometric_in n a i j | j <- iota 0 n.+1] j = geometric_in n a i j.
  by rewrite (nth_map 0%N) ?size_iota // nth_iota.
by rewrite mxE; apply: geometric_at; rewrite // -ltnS.
Qed.

Lemma stochastic_inP p m X (M : 'M[R]_(p, m)) : tabled X M -> stochastic_in J p m X -> stochastic M.
Proof.
case=> over_gt0 M_X ok; split=> [i j|i]; have /andP[ge0 sum1] := all_iota i ok.
  by rewrite M_X divr_ge0 ?(ltW (over_gt0 i)) //; apply: (nonneg_onP x_J); exact: (all_iota j ge0).
under eq_bigr => j _ do rewrite M_X; rewrite -mulr_suml -at_sum_iota.
have := zero_onP x_J sum1; rewrite at_minus => /eqP; rewrite subr_eq0 => /eqP ->.
by rewrite divff // gt_eqF.
Qed.

Lemma excessE p m a d X (M : 'M[R]_(p, m)) (i j : 'I_p) (r : 'I_m) : tabled X M -> 0 < at_ (lower a) x ->
  exists2 c, 0 < c & at_ (excess_in a d X i j r) x =
    c * (M i r ^+ Pos.to_nat (Qden d) - scalar_at x a ^+ Z.to_nat (Qnum d) * M j r ^+ Pos.to_nat (Qden d)).
Proof.
case=> over_gt0 M_X l_gt0; have wi := over_gt0 i; have wj := over_gt0 j.
set k := Pos.to_nat _; set e := Z.to_nat _.
exists (at_ (lower a) x ^+ e * (at_ (over_at X i) x * at_ (over_at X j) x) ^+ k).
  by rewrite mulr_gt0 ?exprn_gt0 ?mulr_gt0.
rewrite /excess_in at_minus !at_times !at_power !at_times -/k -/e.
have -> : at_ (entry_at X i r) x * at_ (over_at X j) x = M i r * (at_ (over_at X i) x * at_ (over_at X j) x).
  by rewrite M_X mulrA divfK // gt_eqF.
have -> : at_ (entry_at X j r) x * at_ (over_at X i) x = M j r * (at_ (over_at X i) x * at_ (over_at X j) x).
  by rewrite M_X [_ * at_ (over_at X j) x]mulrC mulrA divfK // gt_eqF.
have -> : at_ (upper a) x = scalar_at x a * at_ (lower a) x by rewrite /scalar_at divfK // gt_eqF.
rewrite !exprMn; move: (_ ^+ k) (_ ^+ k) (_ ^+ k) (_ ^+ k) (_ ^+ e) (_ ^+ e) => y1 y2 y3 y4 y5 y6.
by by_ring R.
Qed.

Lemma private_inP p m near a X (M : 'M[R]_(p, m)) : tabled X M -> level_at x a -> private_in J p m near a X ->
  private_for near (scalar_at x a) M.
Proof.
move=> X_M [l_gt0 _] /all_In ok i j d r ij; rewrite -subr_ge0.
have [c c_gt0 e] := excessE d i j r X_M l_gt0; rewrite -(pmulr_rge0 _ c_gt0) -e; apply: (nonneg_onP x_J).
by case: ij => /ok /(all_iota r) /andP[]; rewrite /= !Nat2N.id.
Qed.

Lemma violated_inP p m near a X (M : 'M[R]_(p, m)) i j r : tabled X M -> level_at x a ->
  violated_in J p m near a X i j r -> ~ private_for near (scalar_at x a) M.
Proof.
move=> X_M [l_gt0 _] /and4P[i_p j_p r_m]; case/has_In=> [[[y z] d] e_in /andP[ij bad]] M_priv.
have [c c_gt0 e] := excessE d (Ordinal i_p) (Ordinal j_p) (Ordinal r_m) X_M l_gt0.
have := pos_onP x_J bad; rewrite at_scaled e /= mulN1r oppr_gt0 pmulr_rlt0 // subr_lt0; apply/negP; rewrite -leNgt.
apply: M_priv; rewrite /constrained /=; move: e_in.
by case/orP: ij => /andP[/N.eqb_eq/= -> /N.eqb_eq/= ->]; [left | right].
Qed.

Lemma negative_inP p m X (M : 'M[R]_(p, m)) i j : tabled X M -> negative_in J p m X i j -> ~ stochastic M.
Proof.
case=> over_gt0 M_X /andP[i_p bad] [M_ge0 M_sum1]; have w_gt0 := over_gt0 (Ordinal i_p).
case: j bad => [j /andP[j_m]|].
  move/(pos_onP x_J); rewrite at_scaled /= mulN1r oppr_gt0; apply/negP; rewrite -leNgt.
  by have := M_ge0 (Ordinal i_p) (Ordinal j_m); rewrite M_X pmulr_lge0 // invr_gt0.
set d := minus_p _ _; have d0 : at_ d x = 0.
  have := M_sum1 (Ordinal i_p); under eq_bigr => r _ do rewrite M_X; rewrite -mulr_suml -at_sum_iota.
  by move/(canRL (mulfVK (lt0r_neq0 w_gt0))); rewrite mul1r /d at_minus => ->; rewrite subrr.
by case/orP=> /(pos_onP x_J); rewrite ?at_scaled d0 ?mulr0 ltxx.
Qed.

Lemma same_pP p q : same_p p q -> p = q.
Proof. by rewrite /same_p; elim: p q => [|c p IHp] [|d q] //= /andP[/Z.eqb_eq -> /IHp ->]. Qed.

Definition fraction_at (f : fraction) : R := at_ f.1 x / at_ f.2 x.

Lemma plus_fP f g : 0 < at_ f.2 x -> 0 < at_ g.2 x ->
  0 < at_ (plus_f f g).2 x /\ fraction_at (plus_f f g) = fraction_at f + fraction_at g.
Proof.
rewrite /plus_f /fraction_at => f_gt0 g_gt0; case: ifP => [/same_pP e|_] /=.
  by split=> //; rewrite at_plus mulrDl e.
have f_neq0 := lt0r_neq0 f_gt0; have g_neq0 := lt0r_neq0 g_gt0.
rewrite at_plus !at_times mulr_gt0 //; split=> //.
by by_field R; split; apply/eqP.
Qed.

Lemma product_atP p m k (A T : lines) (MT : 'M[R]_(m, k)) (i : 'I_p) (r : 'I_k) : tabled T MT ->
  let f := product_at m A T i r in
  0 < at_ f.2 x /\ fraction_at f = \sum_(y < m) at_ (entry_at A i y) x * MT y r.
Proof.
case=> over_gt0 MT_T f; pose g y := at_ (entry_at A i y) x * (at_ (entry_at T y r) x / at_ (over_at T y) x).
have -> : \sum_(y < m) at_ (entry_at A i y) x * MT y r = \sum_(y <- iota 0 m) g y.
  transitivity (\sum_(y < m) g y); first by apply: eq_bigr => y _; rewrite MT_T.
  by rewrite -(big_mkord xpredT g) /index_iota subn0.
have gt0 y : y \in iota 0 m -> 0 < at_ (over_at T y) x.
  by rewrite mem_iota add0n => /andP[_ y_m]; exact: (over_gt0 (Ordinal y_m)).
rewrite /f /product_at; elim: (iota 0 m) gt0 => [|y s IHs] gt0 /=.
  by rewrite big_nil /fraction_at /= mul0r mulr0 addr0 ltr01.
have [IH_gt0 IH] := IHs (fun z z_s => gt0 z (mem_behead (s := y :: s) z_s)).
have [] := plus_fP (f := (times_p (entry_at A i y) (entry_at T y r), over_at T y)) (gt0 y (mem_head _ _)) IH_gt0.
by move=> -> ->; rewrite big_cons IH /g /fraction_at /= at_times mulrA.
Qed.

Lemma product_inP p m k A B T (MA : 'M[R]_(p, m)) (MB : 'M[R]_(p, k)) : tabled A MA -> tabled B MB ->
  product_in J p m k A B T -> derivable MA MB.
Proof.
move=> A_MA B_MB /and4P[T_gt0 size_T T_st same].
have [T_MT _] := @sound_inP m k (RowsIn T) (introT andP (conj size_T T_gt0)).
exists (matrix_in x m k (RowsIn T)); first exact: stochastic_inP T_MT T_st.
apply/matrixP=> i r; have [f_gt0 f_is] := product_atP A i r T_MT.
have := zero_onP x_J (all_iota r (all_iota i same)); rewrite at_minus !at_times => /eqP; rewrite subr_eq0 => /eqP e.
case: B_MB => b_gt0 ->; case: A_MA => a_gt0 MA_A; rewrite mxE.
under eq_bigr => y _ do rewrite MA_A mulrAC; rewrite -mulr_suml -f_is /fraction_at.
have a_neq0 := lt0r_neq0 (a_gt0 i); have b_neq0 := lt0r_neq0 (b_gt0 i); have f_neq0 := lt0r_neq0 f_gt0.
by apply/eqP; rewrite -mulrA -invfM eqr_div // ?mulf_neq0 // -e.
Qed.

Lemma none_inP near a l s : none_in J near a l s -> holds_at x (NoneUniversallyOptimalIn near a l).
Proof.
case/and3P=> /agreeP in_l /is_level_inP a_level; case E: integers_at => [L|] // shown.
have [l_gt0 /andP[a_gt0 a_lt1]] := a_level; split=> // k M.
apply: (obstacle_whereP (integers_atP R E) a_gt0 a_lt1 _ shown) => z /(pos_onP x_J).
rewrite at_minus at_scaled of_ZB of_Z1 subr_gt0 => many.
by rewrite /scalar_at mulrA ltr_pdivl_mulr // mul1r.
Qed.

Lemma path_inP near a l t xs gs T : path_in J near a l t xs gs T -> holds_at x (UniversallyOptimalIn near a l t).
Proof.
case/andP=> /and4P[/agreeP in_l /agreeP in_t level_ok /sound_inP[X_M def]] /and4P[st priv prod].
case E: integers_at => [L|] // shape; have a_level := is_level_inP level_ok.
have [l_gt0 /andP[a_gt0 a_lt1]] := a_level; split=> //.
apply: path_shapeP (integers_atP R E) a_gt0 a_lt1 _ shape _.
  by split; [exact: stochastic_inP st | exact: private_inP priv].
move=> n y size_xs y_val; move: prod; rewrite size_xs [n.+1.-1]/= => prod.
have [G_M _] := @sound_inP n.+1 n.+1 (GeometricIn n a) (introT and3P (And3 level_ok (eqxx _) (eqxx _))).
have Xy : tabled [seq nth ([::], [::]) (lines_in (content_in t)) i | i <- xs]
                 (\matrix_(i < n.+1, z < size (outputs_in t)) matrix_in x (size (vertices near)) (size (outputs_in t)) (content_in t) (y i) z).
  have row_i (i : 'I_n.+1) : nth ([::], [::]) [seq nth ([::], [::]) (lines_in (content_in t)) j | j <- xs] i =
      nth ([::], [::]) (lines_in (content_in t)) (y i) by rewrite (nth_map 0%N) ?size_xs // y_val.
  case: X_M => gt0 M_X; split=> [i|i z]; rewrite /over_at /entry_at row_i; first exact: gt0.
  by rewrite mxE M_X.
by have [S S_st G_S] := product_inP Xy G_M prod; exists S.
Qed.

Lemma tree_scale_at p near a v : at_ (tree_scale_in p near a v) x =
  at_ (lower a) x - ((degree_in near p v)%:R - 1) * at_ (upper a) x.
Proof. by rewrite at_minus at_scaled of_ZB of_Z_nat of_Z1. Qed.

Lemma tree_linesP p near a : level_at x a -> are_hops near p (hops near p) ->
  tabled (tree_lines p near a) (tree_mechanism (@adjacent p near) (scalar_at x a)).
Proof.
move=> [l_gt0 /andP[a_gt0 _]] D_ok; have [conn D_is] := are_hopsP D_ok.
move: a_gt0; rewrite /scalar_at; set k := at_ (upper a) x; set m := at_ (lower a) x in l_gt0 * => k_gt0.
have {}k_gt0 : 0 < k by move: k_gt0; rewrite pmulr_lgt0 // invr_gt0.
have m_neq0 : m != 0 by rewrite gt_eqF.
have km_neq0 : k + m != 0 by rewrite gt_eqF // addr_gt0.
have at_over (i : 'I_p) : at_ (over_at (tree_lines p near a) i) x = m ^+ p * (k + m).
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

Lemma tree_inP near a l t T : tree_in J near a l t T -> holds_at x (UniversallyOptimalIn near a l t).
Proof.
case/andP=> /and4P[/agreeP in_l /agreeP in_t level_ok /sound_inP[X_M def]] /and5P[st priv small prod].
case E: integers_at => [L|] // shape; have a_level := is_level_inP level_ok.
have [l_gt0 /andP[a_gt0 a_lt1]] := a_level; split=> //.
have /andP[/and5P[_ _ _ D_ok _] _] := shape.
apply: tree_shapeP (integers_atP R E) a_gt0 a_lt1 _ shape _ _.
- by split; [exact: stochastic_inP st | exact: private_inP priv].
- move=> v; have := nonneg_onP x_J (all_iota v small); rewrite tree_scale_at subr_ge0.
  by rewrite /scalar_at mulrA ler_pdivr_mulr // mul1r.
exact: product_inP X_M (tree_linesP a_level D_ok) prod.
Qed.

Lemma check_at c w : check_on J c w -> holds_at x c.
Proof.
case/andP=> _; case: c => [t|t near a|t near a|a b|near a l t|near a l]; case: w => //=.
- by move=> i j /andP[/sound_inP[X_M def] bad]; split=> //; exact: negative_inP bad.
- case/and5P=> /agreeP in_v /is_level_inP a_level /sound_inP[X_M def] st priv; split=> //.
  by split; [exact: stochastic_inP st | exact: private_inP priv].
- move=> i j r /and5P[/agreeP in_v /is_level_inP a_level /sound_inP[X_M def] st bad]; split=> //.
    exact: stochastic_inP st.
  exact: violated_inP bad.
- move=> T /and5P[/agreeP in_in /sound_inP[A_M def_a] /sound_inP[B_M def_b] st_a /andP[st_b prod]]; split=> //.
  - exact: stochastic_inP st_a.
  - exact: stochastic_inP st_b.
  exact: product_inP prod.
- by move=> xs gs T; exact: path_inP.
- by move=> T; exact: tree_inP.
by move=> s; exact: none_inP.
Qed.

End At.

Lemma check_onP J c w : check_on J c w -> on_interval R J c.
Proof.
move=> ok; split=> [|x x_J]; last exact: check_at ok.
by case/andP: ok => proper _; exact: within_some.
Qed.

Lemma same_QP p q : same_Q p q -> of_Q p = of_Q q.
Proof. by case/andP=> /Z.eqb_eq n /Pos.eqb_eq d; rewrite /Numbers.of_Q n d. Qed.

(* Every number of the interval is in one of the pieces. *)
Lemma followP a a_in Is b b_in (x : R) : follow a a_in Is b b_in ->
  (if a_in then of_Q a < x else of_Q a <= x) -> (if b_in then x <= of_Q b else x < of_Q b) ->
  exists2 J, List.In J Is & within J x.
Proof.
elim: Is a a_in => [|J Js IHJs] a a_in /=.
  case/andP=> /same_QP ->; case: a_in; case: b_in => //= _ lo hi.
  - by have := lt_le_trans lo hi; rewrite ltxx.
  - by have := lt_trans lo hi; rewrite ltxx.
  by have := le_lt_trans lo hi; rewrite ltxx.
case/and3P=> /same_QP a_J starts rest a_x x_b.
have low_x : if low_in J then of_Q (low J) <= x else of_Q (low J) < x.
  by rewrite -a_J; move: a_x starts; case: a_in; case: (low_in J) => //= /ltW.
have [x_high|high_x] : (if high_in J then x <= of_Q (high J) else x < of_Q (high J)) \/
                       (if high_in J then of_Q (high J) < x else of_Q (high J) <= x).
  by case: (high_in J); [case: (leP x (of_Q (high J))) | case: (ltP x (of_Q (high J)))] => ?; [left|right|left|right].
  by exists J; [left | split].
by have [K K_in x_K] := IHJs _ _ rest high_x x_b; exists K; [right|].
Qed.

Lemma coveredP J Is (x : R) : covered J Is -> within J x -> exists2 K, List.In K Is & within K x.
Proof.
case/andP=> _ ok [low_x high_x]; apply: followP ok _ high_x.
by move: low_x; case: (low_in J).
Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => [a J c|a J pieces] /=; first by case: w => [|w [|]] //; exact: check_onP.
case/and4P=> proper cover /eqP size_w ok; split=> [|x x_J|q q_in].
- exact: within_some.
- have [K K_in x_K] := coveredP cover x_J; have [q q_in e] := In_map K_in.
  by exists q; rewrite // -e.
elim: pieces w size_w ok q_in {proper cover} => [|q' pieces IHp] [|v w] //= [size_w] /andP[ok rest] [<-|q_in].
  exact: check_onP ok.
exact: IHp size_w rest q_in.
Qed.

End Soundness.
