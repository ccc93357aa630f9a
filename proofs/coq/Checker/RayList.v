(* SPDX-License-Identifier: MIT *)
(* All rays of a privacy type, up to positive factors, and that none is missing (SPEC, section 4.14).         *)
(*                                                                                                            *)
(*   ray_list near a p     whole numbers: a list that is long enough                  (ray_listed)            *)
(*   cone_bound            a linear form that is >= 0 on the list is >= 0 on every private column             *)
(*                                                                                                            *)
(* A ray grows from its first input that is not 0.  The pairs between an input with a number and one without  *)
(* are asked one after the other: the other end is as small as it may be, as large, or the pair is not tight. *)
(* A ray answers every question in one way; as its tight pairs connect its support, nothing is left at the    *)
(* end.                                                                                                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism Rays ConnectedRays.
From ExactDP.Checker Require Import Numbers Rows Syntax Meaning Tables Privacy Optimal VertexRays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A pair of inputs i, j with the level x/y. *)
Definition edge := (nat * nat * (Z * Z))%type.

Definition edges_of (near : neighbours) (a : Q) : seq edge :=
  [seq (N.to_nat e.1.1, N.to_nat e.1.2, power_of a e.2) | e <- pairs near].

(* Numbers h_i of the inputs; 0 says that there is none yet. *)
Definition at_place (h : seq Z) (i : nat) : Z := nth 0%Z h i.
Definition is_set (h : seq Z) (i : nat) : bool := ~~ (at_place h i =? 0)%Z.
Definition put (k : Z) (h : seq Z) (i : nat) (z : Z) : seq Z := set_nth 0%Z [seq (k * u)%Z | u <- h] i z.

Definition keeps_edge (h : seq Z) (e : edge) : bool :=
  let: (i, j, (x, y)) := e in (x * at_place h j <=? y * at_place h i)%Z && (x * at_place h i <=? y * at_place h j)%Z.

Definition is_tight (h : seq Z) (e : edge) : bool :=
  let: (i, j, (x, y)) := e in (x * at_place h j =? y * at_place h i)%Z || (x * at_place h i =? y * at_place h j)%Z.

Definition both_set (h : seq Z) (e : edge) : bool := is_set h e.1.1 && is_set h e.1.2.
Definition one_set (h : seq Z) (e : edge) : bool := is_set h e.1.1 (+) is_set h e.1.2.

(* What is set so far keeps all levels, and the pairs said not to be tight are not. *)
Definition sensible (es loose : seq edge) (h : seq Z) : bool :=
  all (fun e => both_set h e ==> keeps_edge h e) es && all (fun e => both_set h e ==> ~~ is_tight h e) loose.

(* The first pair of which one end is set, and the others. *)
Fixpoint next_pair (h : seq Z) (es : seq edge) : option (edge * seq edge) :=
  match es with
  | [::] => None
  | e :: es' => if one_set h e then Some (e, es') else
                if next_pair h es' is Some (f, rest) then Some (f, e :: rest) else None
  end.

(* Inputs that are reached from those set by pairs of a list; if it is true that no pair leaves them, an input *)
(* that is not among them is cut off. *)
Definition reach (es : seq edge) (s : seq bool) : seq bool :=
  foldl (fun s (e : edge) => if nth false s e.1.1 || nth false s e.1.2
                             then set_nth false (set_nth false s e.1.1 true) e.1.2 true else s) s es.

Definition cut_off (h : seq Z) (rest : seq edge) (new : nat) : bool :=
  let s := ssrnat.iter (size h) (reach rest) [seq is_set h i | i <- iota 0 (size h)] in
  [&& ~~ nth false s new, all (fun e : edge => nth false s e.1.1 == nth false s e.1.2) rest &
      all (fun i => is_set h i ==> nth false s i) (iota 0 (size h))].

Fixpoint grow (fuel : nat) (es : seq edge) (root : nat) (loose rest : seq edge) (h : seq Z) : seq (seq Z) :=
  match fuel with
  | O => [::]
  | n.+1 =>
    match next_pair h rest with
    | None => if all (keeps_edge h) es then [:: h] else [::]
    | Some ((i, j, (x, y)) as e, rest') =>
        let old := if is_set h i then i else j in let new := if is_set h i then j else i in
        let low := put y h new (x * at_place h old)%Z in let high := put x h new (y * at_place h old)%Z in
        if (new < root)%N then [::] else
        (if cut_off h rest' new then [::] else grow n es root (e :: loose) rest' h) ++
        (if sensible es loose low then grow n es root loose rest' low else [::]) ++
        (if sensible es loose high then grow n es root loose rest' high else [::])
    end
  end.

Definition ray_list (near : neighbours) (a : Q) (p : nat) : seq (seq Z) :=
  let es := edges_of near a in
  flatten [seq grow (size es).+1 es root [::] es (set_nth 0%Z (nseq p 0%Z) root 1%Z) | root <- iota 0 p].

(* The pairs are pairs of inputs with levels that are fractions. *)
Definition has_ray_list (near : neighbours) (a : Q) (p : nat) : bool :=
  whole_levels near a && all (fun e : N * N * Q => (e.1.1 <? N.of_nat p)%num && (e.1.2 <? N.of_nat p)%num) (pairs near).

Section Search.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Add Field R_field : (field_theory_of R).

Lemma at_put k h i z j : at_place (put k h i z) j = if j == i then z else (k * at_place h j)%Z.
Proof.
rewrite /at_place /put nth_set_nth /=; case: eqP => // _.
have [j_lt|j_ge] := ltnP j (size h); first by rewrite (nth_map 0%Z).
by rewrite !nth_default ?size_map //; lia.
Qed.

Section OneVector.
Variables (p root : nat) (es : seq edge) (v : nat -> R).
Definition tight_at (e : edge) : Prop :=
  let: (i, j, (x, y)) := e in of_Z x * v j = of_Z y * v i \/ of_Z x * v i = of_Z y * v j.
Hypothesis v_ge0 : forall i, 0 <= v i.
Hypothesis v_keeps : forall e, List.In e es -> let: (i, j, (x, y)) := e in
  [/\ (0 < x)%Z, (0 < y)%Z, of_Z x * v j <= of_Z y * v i & of_Z x * v i <= of_Z y * v j].
Hypothesis v_first : forall i, (i < root)%N -> v i = 0.
Hypothesis v_connected : forall S : pred nat, S root ->
  (forall e, List.In e es -> S e.1.1 (+) S e.1.2 -> ~ tight_at e) -> forall i, ~~ S i -> v i = 0.

Definition fits (h : seq Z) := exists2 t, 0 < t & forall i, is_set h i -> v i = t * of_Z (at_place h i).

Definition invariant (loose rest : seq edge) (h : seq Z) :=
  [/\ fits h, is_set h root,
      forall e, List.In e loose -> ~ tight_at e /\ List.In e es,
      forall e, List.In e rest -> List.In e es &
      forall e, List.In e es -> [\/ List.In e rest, List.In e loose | both_set h e]].

Lemma next_pairP h s : match next_pair h s with
  | None => forall e, List.In e s -> one_set h e = false
  | Some (e, s') => [/\ one_set h e, List.In e s, size s = (size s').+1,
      forall f, List.In f s' -> List.In f s & forall f, List.In f s -> f = e \/ List.In f s']
  end.
Proof.
elim: s => [|e s IHs] //=; case: ifP => [e_one|e_not].
  by split=> //; [left | move=> f; right | move=> f [->|]; [left | right]].
case: next_pair IHs => [[f s']|] /=; last by move=> none g [<-|/none].
case=> f_one f_s size_s sub split_s; split=> //=; [by right | by rewrite size_s | |].
  by move=> g [->|/sub]; [left | right].
by move=> g [->|/split_s[->|]]; [right; left | left | right; right].
Qed.

Lemma edge_positive e i : List.In e es -> i = e.1.1 \/ i = e.1.2 -> v i != 0 -> v e.1.1 != 0 /\ v e.1.2 != 0.
Proof.
case: e => [[k l] [x y]] /v_keeps[x_gt0 y_gt0 kl lk] /= i_is vi.
have xR := of_Z_gt0 R x_gt0; have yR := of_Z_gt0 R y_gt0.
have pos (s s' : nat) : of_Z x * v s <= of_Z y * v s' -> v s != 0 -> v s' != 0.
  move=> le vs; apply: contraTneq le => ->; rewrite mulr0 -ltNge mulr_gt0 // lt_neqAle eq_sym vs v_ge0 //.
by case: i_is vi => -> vi; split=> //; [exact: pos lk vi | exact: pos kl vi].
Qed.

Lemma fits_neq0 h i : fits h -> is_set h i -> v i != 0.
Proof.
case=> t t_gt0 h_v i_h; rewrite (h_v i i_h) mulf_eq0 negb_or gt_eqF //= -(of_Z0 R) of_Z_eq.
exact: i_h.
Qed.

(* A vector that fits passes the tests. *)
Lemma fits_keeps h e : fits h -> List.In e es -> both_set h e -> keeps_edge h e.
Proof.
case=> t t_gt0 h_v; case: e => [[i j] [x y]] /v_keeps[x_gt0 y_gt0 ij ji] /andP[/= i_h j_h].
move: ij ji; rewrite (h_v i i_h) (h_v j j_h) !(mulrCA _ t) !ler_pmul2l //= -!of_ZM !of_Z_le.
by move=> -> ->.
Qed.

Lemma fits_tight h e : fits h -> is_tight h e -> both_set h e -> tight_at e.
Proof.
case=> t t_gt0 h_v; case: e => [[i j] [x y]] /= tight /andP[/= i_h j_h].
rewrite (h_v i i_h) (h_v j j_h) !(mulrCA _ t).
by case/orP: tight => /Z.eqb_eq e; [left | right]; congr (_ * _); rewrite -!of_ZM e.
Qed.

Lemma fits_sensible loose h : fits h -> (forall e, List.In e loose -> ~ tight_at e /\ List.In e es) -> sensible es loose h.
Proof.
move=> h_v loose_not; apply/andP; split; apply/all_In => e e_in; apply/implyP => both.
  exact: fits_keeps.
by apply/negP => /(fits_tight h_v)/(_ both); case: (loose_not e e_in).
Qed.

Lemma fits_put h k i z (t : R) : (0 < k)%Z -> (forall j, is_set h j -> v j = t * of_Z (at_place h j)) -> 0 < t ->
  v i = t / of_Z k * of_Z z -> fits (put k h i z).
Proof.
move=> k_gt0 h_v t_gt0 v_i; have kR := of_Z_gt0 R k_gt0; exists (t / of_Z k); first by rewrite divr_gt0.
move=> j; rewrite /is_set at_put; case: eqP => [-> //|_] kj.
rewrite h_v; last by apply: contraNN kj => /Z.eqb_eq ->; apply/Z.eqb_eq; lia.
by rewrite of_ZM mulrA divfK // gt_eqF.
Qed.

Lemma set_put h k i z j : (k <> 0)%Z -> (z <> 0)%Z -> is_set (put k h i z) j = (j == i) || is_set h j.
Proof.
move=> k_neq0 z_neq0; rewrite /is_set at_put; case: eqP => _ /=; first by apply/Z.eqb_spec.
by congr (~~ _); apply/Z.eqb_spec/Z.eqb_spec; [move/Z.eq_mul_0; case | move=> ->; lia].
Qed.

Theorem grow_finds n loose rest h : (size rest < n)%N -> invariant loose rest h ->
  exists2 g, List.In g (grow n es root loose rest h) &
    exists2 t, 0 < t & forall i, v i = t * of_Z (at_place g i).
Proof.
elim: n loose rest h => [|n IHn] loose rest h // rest_n [h_v h_root loose_not rest_es all_es].
rewrite [grow _ _ _ _ _ _]/=; have := next_pairP h rest; case: next_pair => [[e rest']|] next.
  have [e_one e_rest size_rest sub split_rest] := next.
  have e_es := rest_es e e_rest; case: e e_one e_rest e_es next split_rest => [[i j] [x y]] e_one e_rest e_es next split_rest.
  set e := (i, j, (x, y)) in e_one e_rest e_es next split_rest *.
  set old := if is_set h i then i else j; set new := if is_set h i then j else i.
  have old_set : is_set h old by move: e_one; rewrite /one_set /old /=; case: ifP => //= _ ->.
  have new_unset : ~~ is_set h new by move: e_one; rewrite /one_set /new /=; case: ifP => //= -> _.
  have [x_gt0 y_gt0 ij ji] := v_keeps e_es.
  have xR := of_Z_gt0 R x_gt0; have yR := of_Z_gt0 R y_gt0.
  have old_v := fits_neq0 h_v old_set.
  have new_v : v new != 0.
    have : old = e.1.1 \/ old = e.1.2 by rewrite /old; case: ifP; [left | right].
    move/(edge_positive e_es)/(_ old_v); rewrite /new /e /=; by case: ifP => _ [].
  have -> : (new < root)%N = false by apply: contraNF new_v => /v_first ->.
  have in_app g s1 s2 s3 : [\/ List.In g s1, List.In g s2 | List.In g s3] -> List.In g (s1 ++ s2 ++ s3 : seq (seq Z)).
    by move=> g_in; apply/List.in_or_app; case: g_in => ?; [left | right | right]; rewrite //; apply/List.in_or_app; [left | right].
  have rest'_n : (size rest' < n)%N by rewrite size_rest in rest_n.
  have h_old_neq0 : at_place h old <> 0%Z by move/Z.eqb_spec: old_set.
  have [t t_gt0 h_t] := h_v.
  (* where the pair is tight *)
  have grown k z : (0 < k)%Z -> (z <> 0)%Z -> v new = t / of_Z k * of_Z z -> let g := put k h new z in
      sensible es loose g /\ invariant loose rest' g.
    move=> k_gt0 z_neq0 v_new g; have k_neq0 : k <> 0%Z by lia.
    have g_v : fits g by exact: fits_put k_gt0 h_t t_gt0 v_new.
    have set_g s : is_set g s = (s == new) || is_set h s by exact: set_put.
    split; first exact: fits_sensible.
    split=> // [|f /sub/rest_es //|f f_es]; first by rewrite set_g h_root orbT.
    have [/split_rest[->|f_rest']|f_loose|/andP[f1 f2]] := all_es f f_es.
    - constructor 3; rewrite /both_set !set_g /e /new /old /=.
      by move: old_set; rewrite /old; case E: (is_set h i) => /= o; rewrite ?E ?o eqxx ?orbT.
    - by constructor 1.
    - by constructor 2.
    - by constructor 3; rewrite /both_set !set_g f1 f2 !orbT.
  have [low|not_low] := eqVneq (of_Z y * v new) (of_Z x * v old).
    have [|||g_ok g_inv] := grown y (x * at_place h old)%Z; [done | by lia | |].
      by apply: (mulfI (lt0r_neq0 yR)); rewrite low (h_t _ old_set) of_ZM; by_field R; apply/eqP; rewrite gt_eqF.
    rewrite g_ok; have [g g_in g_v] := IHn _ _ _ rest'_n g_inv; exists g => //.
    by apply: in_app; constructor 2.
  have [high|not_high] := eqVneq (of_Z x * v new) (of_Z y * v old).
    have [|||g_ok g_inv] := grown x (y * at_place h old)%Z; [done | by lia | |].
      by apply: (mulfI (lt0r_neq0 xR)); rewrite high (h_t _ old_set) of_ZM; by_field R; apply/eqP; rewrite gt_eqF.
    rewrite g_ok; have [g g_in g_v] := IHn _ _ _ rest'_n g_inv; exists g => //.
    by apply: in_app; constructor 3.
  (* where it is not *)
  have e_not : ~ tight_at e.
    move: not_low not_high; rewrite /new /old /e /tight_at; case: ifP => _ low high; case=> t'.
    - by rewrite t' eqxx in high.
    - by rewrite t' eqxx in low.
    - by rewrite t' eqxx in low.
    - by rewrite t' eqxx in high.
  have -> : cut_off h rest' new = false.
    apply/negP => /and3P[]; set s := ssrnat.iter _ _ _ => new_out /all_In closed /allP covered.
    have s_set k : is_set h k -> nth false s k.
      move=> k_h; have := covered k; rewrite k_h mem_iota add0n; apply; rewrite /= ltnNge.
      by apply: contraL k_h => k_out; rewrite negbK /at_place nth_default.
    case/eqP: new_v; apply: (v_connected (S := nth false s)) new_out; first exact: s_set.
    move=> f f_es cross; have [/split_rest[-> //|f_rest']|/loose_not[] //|/andP[f1 f2]] := all_es f f_es.
      by move: cross; rewrite (eqP (closed f f_rest')) addbb.
    by move: cross; rewrite !s_set.
  have [|g g_in g_v] := IHn (e :: loose) rest' h rest'_n; last by exists g => //; apply: in_app; constructor 1.
  split=> // [f [<- //|/loose_not //]|f /sub/rest_es //|f f_es].
  have [/split_rest[->|f_rest']|f_loose|both] := all_es f f_es.
  - by constructor 2; left.
  - by constructor 1.
  - by constructor 2; right.
  - by constructor 3.
have v_else i : ~~ is_set h i -> v i = 0.
  apply: (v_connected (S := is_set h)) => // e e_es cross.
  have [/next|/loose_not[] //|/andP[e1 e2]] := all_es e e_es; first by rewrite /one_set cross.
  by move: cross; rewrite e1 e2.
have [t t_gt0 h_t] := h_v.
have v_h i : v i = t * of_Z (at_place h i).
  have [/h_t //|i_out] := boolP (is_set h i).
  by rewrite v_else //; move: i_out; rewrite negbK => /Z.eqb_eq ->; rewrite mulr0.
have -> : all (keeps_edge h) es; last by exists h; [left | exists t].
apply/all_In => -[[i j] [x y]] /v_keeps[x_gt0 y_gt0]; rewrite !v_h !(mulrCA _ t) !ler_pmul2l // -!of_ZM !of_Z_le /=.
by move=> -> ->.
Qed.

End OneVector.

Section Listed.
Variables (near : neighbours) (a : Q) (p : nat).
Hypothesis listed : has_ray_list near a p.
Local Notation e := (fun i j : 'I_p => level_at R near a i j).

Let whole : whole_levels near a. Proof. by case/andP: listed. Qed.

Lemma edgesP f : List.In f (edges_of near a) -> exists i j : 'I_p, exists2 d, constrained near i j d &
  [/\ f = (val i, val j, power_of a d), (0 < (power_of a d).1)%Z & (0 < (power_of a d).2)%Z].
Proof.
move=> f_in; have [[[i j] d] pr_in ->] := In_map f_in; have /andP[_ /all_In ends] := listed.
have /andP[/= /N.ltb_lt i_p /N.ltb_lt j_p] := ends _ pr_in.
have i_lt : (N.to_nat i < p)%N by apply/ssrnat.ltP; lia.
have j_lt : (N.to_nat j < p)%N by apply/ssrnat.ltP; lia.
exists (Ordinal i_lt), (Ordinal j_lt), d; first by left; rewrite /= !N2Nat.id.
have /andP[_ /all_In ok] := whole; have := ok _ pr_in; rewrite /=; case: (power_of a d) => x y.
by case/and3P=> _ /and5P[_ _ /Z.ltb_lt y_gt0 _ _] /Z.ltb_lt x_gt0.
Qed.

Lemma level_of_pair (i j : 'I_p) d : constrained near i j d ->
  e i j = of_Z (power_of a d).1 / of_Z (power_of a d).2.
Proof.
by move=> ij; rewrite /level_at (distance_of_constrained whole ij) /power; case: (power_of a d).
Qed.

Lemma level_positive i j d : constrained near i j d -> (0 < (power_of a d).1)%Z /\ (0 < (power_of a d).2)%Z.
Proof.
have /andP[_ /all_In ok] := whole.
by case=> pr_in; have := ok _ pr_in; rewrite /=; case: (power_of a d) => x y /=;
  case/and3P=> _ /and5P[_ _ /Z.ltb_lt y_gt0 _ _] /Z.ltb_lt x_gt0.
Qed.

Lemma constrained_sym i j d : constrained near i j d -> constrained near j i d.
Proof. by case; [right | left]. Qed.

Lemma pair_of_level (i j : 'I_p) : e i j != 0 -> exists2 d, constrained near i j d &
  List.In (val i, val j, power_of a d) (edges_of near a) \/ List.In (val j, val i, power_of a d) (edges_of near a).
Proof.
rewrite /level_at; case found: distance_at => [d|]; last by rewrite eqxx.
move=> _; have ij := distance_atP found; exists d => //.
case: ij => pr_in; [left | right]; apply/List.in_map_iff; eexists; split; try exact: pr_in; by rewrite /= !Nat2N.id.
Qed.

Theorem ray_listed v : ray e v -> exists2 g, List.In g (ray_list near a p) &
  exists2 t, 0 < t & forall i : 'I_p, v i = t * of_Z (at_place g i).
Proof.
move=> v_ray; have [v_priv v_neq0 _] := v_ray; have [v_ge0 v_le] := v_priv.
pose V i : R := if insub i is Some o then v o else 0.
have V_v (i : 'I_p) : V i = v i by rewrite /V valK.
have V_ge0 i : 0 <= V i by rewrite /V; case: insub.
have [root V_root root_first] : exists2 root, V root != 0 & forall i, (i < root)%N -> V i = 0.
  have [|root V_root root_min] := @ex_minnP (fun i => V i != 0); first by case: v_neq0 => i; rewrite -V_v; exists i.
  exists root => // i i_lt; apply/eqP; apply: contraTT i_lt => /root_min; by rewrite leqNgt.
have root_p : (root < p)%N.
  by move: V_root; rewrite /V; case: insubP => [o o_p _|]; rewrite ?eqxx.
have V_keeps f : List.In f (edges_of near a) -> let: (i, j, (x, y)) := f in
    [/\ (0 < x)%Z, (0 < y)%Z, of_Z x * V j <= of_Z y * V i & of_Z x * V i <= of_Z y * V j].
  case/edgesP=> i [j [d ij [-> x_gt0 y_gt0]]]; have ij_le := v_le i j; have ji_le := v_le j i.
  move: ij_le ji_le; rewrite (level_of_pair ij) (level_of_pair (constrained_sym ij)) !V_v.
  case: (power_of a d) x_gt0 y_gt0 => x y /= x_gt0 y_gt0; have yR := of_Z_gt0 R y_gt0.
  have le (r s : R) : of_Z x / of_Z y * r <= s -> of_Z x * r <= of_Z y * s.
    by rewrite mulrAC ler_pdivr_mulr // [_ * of_Z y]mulrC.
  by move=> /le ? /le ?; split.
have V_conn (S : pred nat) : S root ->
    (forall f, List.In f (edges_of near a) -> S f.1.1 (+) S f.1.2 -> ~ tight_at V f) -> forall i, ~~ S i -> V i = 0.
  move=> S_root no_tight i i_out; apply/eqP; apply: contraNT i_out => V_i.
  have i_p : (i < p)%N by move: V_i; rewrite /V; case: insubP => [o o_p _|]; rewrite ?eqxx.
  have /(ray_tight (@levelsP R near a p whole) v_priv v_neq0)/(_ (Ordinal root_p) (Ordinal i_p)) := v_ray.
  rewrite -!V_v => /(_ V_root V_i) conn.
  suff cl : closed (tight_pair e v) (fun k : 'I_p => S k).
    by have := closed_connect cl conn; rewrite !unfold_in /= S_root => <-.
  have same k l : v k = e k l * v l -> v k != 0 -> S k = S l.
    move=> t vk; have e_neq0 : e k l != 0 by apply: contraNneq vk => e0; rewrite t e0 mul0r.
    have [d kl f_in] := pair_of_level e_neq0; apply/eqP; apply: contraT => S_kl; exfalso.
    have [_ y_gt0] := level_positive kl.
    move: t f_in; rewrite (level_of_pair kl); case: (power_of a d) y_gt0 => x y /= y_gt0 t f_in.
    have yR := of_Z_gt0 R y_gt0; have t' : of_Z x * v l = of_Z y * v k.
      by rewrite t mulrA [of_Z y * _]mulrC divfK // gt_eqF.
    by case: f_in => f_in; apply: (no_tight _ f_in) => /=; rewrite ?V_v; try (by [left | right]);
      move: S_kl; case: (S k); case: (S l).
  move=> k l /and3P[vk vl /orP[/eqP t|/eqP t]]; rewrite !unfold_in /=; first exact: same t vk.
  by apply/esym; exact: same t vl.
pose h := set_nth 0%Z (nseq p 0%Z) root 1%Z.
have at_h i : at_place h i = if i == root then 1%Z else 0%Z.
  by rewrite /at_place /h nth_set_nth /= nth_nseq if_same.
have h_inv : invariant root (edges_of near a) V [::] (edges_of near a) h.
  split=> //; [|by rewrite /is_set at_h eqxx | by move=> f f_in; constructor 1].
  exists (V root) => [|i]; first by rewrite lt_neqAle eq_sym V_root V_ge0.
  by rewrite /is_set at_h; case: eqP => [->|//]; rewrite mulr1.
have [g g_in [t t_gt0 g_V]] := grow_finds V_ge0 V_keeps root_first V_conn (ltnSn _) h_inv.
exists g; last by exists t => // i; rewrite -V_v.
rewrite /ray_list; have : root \in iota 0 p by rewrite mem_iota add0n.
elim: (iota 0 p) => [|r s IHs] //=; rewrite inE => /orP[/eqP <-|/IHs r_s]; apply/List.in_or_app; first by left.
by right.
Qed.

Theorem cone_bound (c v : 'I_p -> R) :
  (forall g, List.In g (ray_list near a p) -> 0 <= \sum_i c i * of_Z (at_place g i)) ->
  (forall i, 0 <= v i) -> private_column near (of_Q R a) v -> 0 <= \sum_i c i * v i.
Proof.
move=> c_ge0 v_ge0 /(private_vector_levels (@levelsP R near a p whole) v_ge0) v_priv.
have [q [V [V_ray _ V_gen _]]] := generators_exist e; have [t t_ge0 v_def] := V_gen v v_priv.
under eq_bigr => i _ do rewrite v_def mulr_sumr.
rewrite exchange_big; apply: sumr_ge0 => k _ /=.
have [g g_in [s s_gt0 g_V]] := ray_listed (V_ray k).
have -> : \sum_i c i * (t k * V i k) = t k * s * \sum_i c i * of_Z (at_place g i).
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite g_V; by_ring R.
by rewrite mulr_ge0 ?c_ge0 // mulr_ge0 // ltW.
Qed.

End Listed.
End Search.
