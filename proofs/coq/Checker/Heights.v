(* SPDX-License-Identifier: MIT *)
(* The heights of the vertices of the posterior polytope: all of them, each once.                             *)
(*                                                                                                            *)
(* A vertex is b^h on its support.  [links] are the pairs (i, j, d) that are constrained, |h_i - h_j| <= d.   *)
(* Heights are a list with None off the support.                                                              *)
(*   vertex_heights r h     h is 0 at r, the first of its support, keeps all distances, and the links that it *)
(*                          keeps exactly (the tight ones) connect its support                                *)
(*   all_heights            a list of them, grown from each r along tight links                               *)
(*   all_heightsP           every one is in the list, nothing else is, and nothing twice                      *)
(*                                                                                                            *)
(* A link between an input with a height and one without is up, down, or not tight, which each vertex decides *)
(* in one way.  Branches that no vertex can be in are left: if a distance is not kept, or if a set of inputs, *)
(* found by a search that is not proved but checked, is left by no link that may be tight.                    *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith Lia.
From Coq Require List.
From ExactDP.Checker Require Import Numbers Rows Listing.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition heights := seq (option Z).
Definition link := (nat * nat * Z)%type.
Definition height (h : heights) (i : nat) : option Z := nth None h i.

(* Both ends have heights, and they are as far apart as allowed; not farther; not farther if both have one. *)
Definition is_tight (h : heights) (l : link) : bool :=
  match height h l.1.1, height h l.1.2 with Some x, Some y => (Z.abs (x - y) =? l.2)%Z | _, _ => false end.
Definition is_kept (h : heights) (l : link) : bool :=
  match height h l.1.1, height h l.1.2 with
  | Some x, Some y => (Z.abs (x - y) <=? l.2)%Z
  | None, None => true
  | _, _ => false
  end.
Definition is_kept_so_far (h : heights) (l : link) : bool :=
  match height h l.1.1, height h l.1.2 with Some x, Some y => (Z.abs (x - y) <=? l.2)%Z | _, _ => true end.

(* The first link with one height: this height, the other end, the link, and the other links. *)
Fixpoint pick (h : heights) (open : seq link) : option (Z * nat * link * seq link) :=
  match open with
  | [::] => None
  | l :: rest =>
    match height h l.1.1, height h l.1.2 with
    | Some x, None => Some (x, l.1.2, l, rest)
    | None, Some y => Some (y, l.1.1, l, rest)
    | _, _ => match pick h rest with
              | Some (x, j, k, others) => Some (x, j, k, l :: others)
              | None => None
              end
    end
  end.

Section Growing.
Variables (n : nat) (links : seq link) (r : nat).

(* ---- The inputs that these links connect to r; whether no link leaves them ---- *)
Definition side (c : seq bool) (i : nat) : bool := nth false c i.
Definition is_closed (c : seq bool) (s : seq link) : bool := all (fun l : link => side c l.1.1 == side c l.1.2) s.
Definition sweep (c : seq bool) (s : seq link) : seq bool :=
  foldl (fun c (l : link) => if side c l.1.1 == side c l.1.2 then c else set_nth false (set_nth false c l.1.1 true) l.1.2 true) c s.
Fixpoint spread (k : nat) (c : seq bool) (s : seq link) : seq bool :=
  if k is k'.+1 then if is_closed c s then c else spread k' (sweep c s) s else c.
Definition cut_off (j : nat) (s : seq link) : bool :=
  let c := spread n (set_nth false [::] r true) s in [&& side c r, ~~ side c j & is_closed c s].

Definition fits (h : heights) (loose : seq link) : bool :=
  all (is_kept_so_far h) links && all (fun l => ~~ is_tight h l) loose.

(* Links that are [loose] are not tight.  None: the fuel was too little. *)
Fixpoint grow (fuel : nat) (h : heights) (open loose : seq link) : option (seq heights) :=
  match fuel with
  | 0 => None
  | fuel'.+1 =>
    match pick h open with
    | None => Some (if all (is_kept h) links then [:: h] else [::])
    | Some (x, j, l, rest) =>
      if (j < r) || (n <= j) then Some [::] else
      let place y := let h' := set_nth None h j (Some y) in if fits h' loose then grow fuel' h' open loose else Some [::] in
      join (place (x + l.2)%Z)
        (join (place (x - l.2)%Z) (if cut_off j rest then Some [::] else grow fuel' h rest (l :: loose)))
    end
  end.

(* ---- What is enumerated ---- *)
Definition linked (h : heights) := forall S : nat -> Prop, S r ->
  (forall l, List.In l links -> is_tight h l -> S l.1.1 <-> S l.1.2) -> forall i, isSome (height h i) -> S i.

Definition rooted (h : heights) := [/\ size h = n, height h r = Some 0%Z & forall i, i < r -> height h i = None].

Definition vertex_heights (h : heights) := [/\ rooted h, all (is_kept h) links & linked h].

(* H may be grown from h. *)
Definition extends (h H : heights) := forall i x, height h i = Some x -> height H i = Some x.
Definition follows (h : heights) (loose : seq link) (H : heights) :=
  extends h H /\ forall l, List.In l loose -> ~~ is_tight H l.

Lemma pickP h open : match pick h open with
  | None => forall l, List.In l open -> isSome (height h l.1.1) = isSome (height h l.1.2)
  | Some (x, j, l, rest) => (forall k, List.In k open <-> k = l \/ List.In k rest) /\ height h j = None /\
      exists2 i, height h i = Some x & l = (i, j, l.2) \/ l = (j, i, l.2)
  end.
Proof.
elim: open => [|[[i j] d] open IHopen] //=.
case Ei: (height h i) => [x|]; case Ej: (height h j) => [y|] /=.
- case: pick IHopen => [[[[z k] l] rest]|] IHopen; last by move=> l [<-|/IHopen//]; rewrite /= Ei Ej.
  have [in_open [hk [m hm l_m]]] := IHopen; split; last by split=> //; exists m.
  by move=> l'; rewrite in_open /=; tauto.
- by split=> [k|]; [split=> [[->|]|[->|]]; by [left|right] | split=> //; exists i; rewrite ?Ei //; left].
- by split=> [k|]; [split=> [[->|]|[->|]]; by [left|right] | split=> //; exists j; rewrite ?Ej //; right].
case: pick IHopen => [[[[z k] l] rest]|] IHopen; last by move=> l [<-|/IHopen//]; rewrite /= Ei Ej.
have [in_open [hk [m hm l_m]]] := IHopen; split; last by split=> //; exists m.
by move=> l'; rewrite in_open /=; tauto.
Qed.

Lemma height_set h j y i : height (set_nth None h j (Some y)) i = if i == j then Some y else height h i.
Proof. by rewrite /height nth_set_nth. Qed.

Lemma extends_set h j y : height h j = None -> extends h (set_nth None h j (Some y)).
Proof. by move=> hj i x hi; rewrite height_set; case: eqP => [e|//]; rewrite e hj in hi. Qed.

Lemma tight_extends h H l : extends h H -> is_tight h l -> is_tight H l.
Proof.
move=> hH; rewrite /is_tight; case Ei: (height h _) => [x|] //; case Ej: (height h _) => [y|] //.
by rewrite (hH _ _ Ei) (hH _ _ Ej).
Qed.

Lemma cut_offP j s : cut_off j s ->
  exists S : nat -> bool, [/\ S r, ~~ S j & forall l, List.In l s -> S l.1.1 = S l.1.2].
Proof.
rewrite /cut_off; set c := spread _ _ _ => /and3P[cr cj /all_In c_s]; exists (side c); split=> // l.
by move/c_s/eqP.
Qed.

Hypothesis links_gt0 : forall l, List.In l links -> (0 < l.2)%Z.

Lemma place_linked h j i x y l : linked h -> height h j = None -> height h i = Some x -> l = (i, j, l.2) \/ l = (j, i, l.2) ->
  List.In l links -> Z.abs (x - y) = l.2 -> linked (set_nth None h j (Some y)).
Proof.
move=> h_l hj hi l_ij l_in xy S Sr S_cl.
have h'_ext : extends h (set_nth None h j (Some y)) by exact: extends_set.
have S_h k : isSome (height h k) -> S k by apply: h_l => // m m_in /(tight_extends h'_ext); exact: S_cl.
have Si : S i by apply: S_h; rewrite hi.
have ij : (i == j) = false by apply/eqP => ij; rewrite ij hj in hi.
have Sj : S j.
  have l_tight : is_tight (set_nth None h j (Some y)) l.
    by case: l_ij => -> /=; rewrite /is_tight !height_set /= eqxx ij hi; apply/Z.eqb_eq; lia.
  by have := S_cl l l_in l_tight; case: l_ij => -> /= [ij_S ji_S]; auto.
by move=> k; rewrite height_set; case: eqP => [->|_] // /S_h.
Qed.

Lemma growP fuel h open loose s : rooted h -> linked h ->
  (forall l, List.In l links -> List.In l open \/ List.In l loose) -> (forall l, List.In l open -> List.In l links) ->
  (forall l, List.In l loose -> ~~ is_tight h l) ->
  grow fuel h open loose = Some s -> enumerates s (fun H => vertex_heights H /\ follows h loose H).
Proof.
elim: fuel h open loose s => [|fuel IHfuel] // h open loose s h_root h_link covered open_in h_loose /=.
have := pickP h open; case: pick => [[[[x j] l] rest]|]; last first.
  move=> both [<-].
  have whole H : vertex_heights H -> follows h loose H -> H = h.
    move=> [[H_n Hr H_none] H_kept H_link] [hH H_loose].
    have [h_n hr h_none] := h_root.
    apply: (@eq_from_nth _ None) => [|i _]; first by rewrite H_n h_n.
    rewrite -/(height H i) -/(height h i); case Eh: (height h i) => [x|]; first exact: hH.
    case EH: (height H i) => [y|] //.
    have : isSome (height h i); last by rewrite Eh.
    apply: (H_link (fun i => isSome (height h i))); rewrite ?hr ?EH // => l l_in l_tight; rewrite both //.
    by case: (covered l l_in) => // /H_loose; rewrite l_tight.
  case: ifP => [h_kept|not_kept].
    split=> [|H]; first by constructor; [|constructor].
    split=> [[<-|//]|[H_v H_f]]; last by left; rewrite (whole H).
    by split; split.
  apply: enumerates_none => H [H_v H_f]; move: not_kept; rewrite -(whole H) //.
  by case: H_v => _ ->.
move=> [in_open [hj [i hi l_ij]]].
have l_open : List.In l open by apply/in_open; left.
have l_in := open_in _ l_open; have l_gt0 := links_gt0 l_in.
(* Whoever grows from h has a height at j. *)
have at_j H : vertex_heights H -> follows h loose H ->
    exists y, [/\ height H i = Some x, height H j = Some y, (Z.abs (x - y) <= l.2)%Z & is_tight H l = (Z.abs (x - y) =? l.2)%Z].
  move=> [_ /all_In/(_ l l_in) l_kept _] [hH _]; have Hi := hH _ _ hi; move: l_kept.
  rewrite /is_kept /is_tight; case: l_ij => -> /=; rewrite Hi; case: (height H j) => [y|] //; last first.
    rewrite -Z.abs_opp Z.opp_sub_distr Z.add_comm Z.add_opp_r.
    by move=> /Z.leb_le le; exists y.
  by move=> /Z.leb_le le; exists y.
case: ifP => [j_out [<-]|/negbT].
  apply: enumerates_none => H [H_v H_f]; have [y [_ Hj _ _]] := at_j H H_v H_f.
  have [[H_n _ H_none] _ _] := H_v; case/orP: j_out => [/H_none|j_n]; first by rewrite Hj.
  by rewrite /height nth_default ?H_n in Hj.
rewrite negb_or -!leqNgt -ltnNge => /andP[r_j j_n].
pose place y := if fits (set_nth None h j (Some y)) loose then grow fuel (set_nth None h j (Some y)) open loose else Some [::].
rewrite -/(place (x + l.2)%Z) -/(place (x - l.2)%Z).
pose after y := fun H => vertex_heights H /\ follows (set_nth None h j (Some y)) loose H.
have placeP y : Z.abs (x - y) = l.2 -> forall s', place y = Some s' -> enumerates s' (after y).
  move=> xy s'; rewrite /place /fits; case: ifP => [/andP[kept h'_loose]|bad [<-]].
    have [h_n hr h_none] := h_root; apply: IHfuel => //.
    - split=> [||k k_r]; first by rewrite size_set_nth h_n; apply/maxn_idPr.
        by rewrite height_set; case: eqP => [e|//]; rewrite -e hr in hj.
      by rewrite height_set ltn_eqF ?h_none // (leq_trans k_r).
    - exact: place_linked hi l_ij l_in xy.
    - by move=> k k_loose; have /all_In/(_ k k_loose) := h'_loose.
  apply: enumerates_none => H [H_v [hH H_loose]]; have [_ /all_In H_kept _] := H_v.
  move/negbT: bad; rewrite negb_and -!has_predC => /orP[]/has_In[k k_in] /=; rewrite ?negbK.
    have := H_kept k k_in; rewrite /is_kept /is_kept_so_far.
    case Ea: (height (set_nth _ _ _ _) k.1.1) => [a|] //; case Eb: (height (set_nth _ _ _ _) k.1.2) => [b|] //.
    by rewrite (hH _ _ Ea) (hH _ _ Eb) => ->.
  by move/(tight_extends hH); apply/negP; exact: H_loose.
have follows_set y H : follows h loose H -> height H j = Some y -> follows (set_nth None h j (Some y)) loose H.
  by case=> hH H_loose Hj; split=> // k z; rewrite height_set; case: eqP => [-> [<-]|_ /hH].
have set_follows y H : follows (set_nth None h j (Some y)) loose H -> follows h loose H /\ height H j = Some y.
  case=> hH H_loose; split; last by apply: hH; rewrite height_set eqxx.
  by split=> // k z hk; apply: hH; exact: (extends_set y hj).
pose off H := vertex_heights H /\ follows h (l :: loose) H.
have offP s' : (if cut_off j rest then Some [::] else grow fuel h rest (l :: loose)) = Some s' -> enumerates s' off.
  case: ifP => [/cut_offP[S [Sr Sj S_cl]] [<-]|_].
    apply: enumerates_none => H [H_v [hH H_loose]].
    have [y [_ Hj _ _]] := at_j H H_v (conj hH (fun k k_in => H_loose k (or_intror k_in))).
    have [_ _ H_link] := H_v; case/negP: Sj; apply: (H_link (fun i => S i)); rewrite ?Hj // => k k_in k_tight; rewrite S_cl //.
    case: (covered k k_in) => [/in_open[k_l|//]|k_loose].
      by have := H_loose l (or_introl erefl); rewrite -k_l k_tight.
    by have := H_loose k (or_intror k_loose); rewrite k_tight.
  apply: IHfuel => // [k k_in|k k_rest|k [<-|k_loose]].
  - by case: (covered k k_in) => [/in_open[->|]|]; [right; left | left | right; right].
  - by apply: open_in; apply/in_open; right.
  - by case: l_ij => ->; rewrite /is_tight /= hj ?hi.
  exact: h_loose.
have up : Z.abs (x - (x + l.2)) = l.2 by lia.
have down : Z.abs (x - (x - l.2)) = l.2 by lia.
have not_off y H : Z.abs (x - y) = l.2 -> after y H -> ~ off H.
  move=> xy [H_v /set_follows[H_f Hj]] [_ [_ H_loose]]; have [z [_]] := at_j H H_v H_f; rewrite Hj => -[<-] _ l_tight.
  by have := H_loose l (or_introl erefl); rewrite l_tight xy Z.eqb_refl.
have not_down H : after (x + l.2)%Z H -> ~ (after (x - l.2)%Z H \/ off H).
  move=> H_up [[_ /set_follows[_ Hj]]|]; last exact: not_off up H_up.
  by case: H_up => _ /set_follows[_]; rewrite Hj => -[]; lia.
move=> all_three.
have := joined all_three (placeP _ up) (fun t t_is => joined t_is (placeP _ down) offP (fun H => not_off _ H down)) not_down.
apply: eq_enumerates => H; split=> [[[H_v /set_follows[H_f _]]|[[H_v /set_follows[H_f _]]|[H_v [hH H_loose]]]]|[H_v H_f]]; try by split.
  by split=> //; split=> // k k_in; apply: H_loose; right.
have [y [_ Hj le tight]] := at_j H H_v H_f; have [xy|xy] := Z.eq_dec (Z.abs (x - y)) l.2.
  have [y_up|y_down] : y = (x + l.2)%Z \/ y = (x - l.2)%Z by lia.
    by left; split=> //; apply: follows_set; rewrite -?y_up.
  by right; left; split=> //; apply: follows_set; rewrite -?y_down.
right; right; split=> //; case: H_f => hH H_loose; split=> // k [<-|/H_loose//].
by rewrite tight; apply: negbT; apply/Z.eqb_neq.
Qed.

(* The heights that are 0 at r, the first of their support. *)
Definition start : heights := set_nth None (nseq n None) r (Some 0%Z).
Definition heights_from (fuel : nat) : option (seq heights) := grow fuel start links [::].

Lemma height_start i : height start i = if i == r then Some 0%Z else None.
Proof. by rewrite height_set; case: eqP => // _; rewrite /height nth_nseq if_same. Qed.

Lemma heights_fromP fuel s : r < n -> heights_from fuel = Some s -> enumerates s vertex_heights.
Proof.
move=> r_n grown; have rooted_start : rooted start.
  split=> [||i i_r]; rewrite ?height_start ?eqxx ?ltn_eqF //.
  by rewrite size_set_nth size_nseq; apply/maxn_idPr.
have linked_start : linked start by move=> S Sr _ i; rewrite height_start; case: eqP => // ->.
have := growP rooted_start linked_start _ _ _ grown.
move=> /(_ (fun l => @or_introl _ _) (fun l l_in => l_in) (fun l no => False_ind _ no)).
apply: eq_enumerates => H; split=> [[]//|H_v]; split=> //; split=> // i x; rewrite height_start; case: eqP => // -> [<-].
by case: H_v => -[].
Qed.
End Growing.

(* ---- All of them ---- *)
Fixpoint all_from (n fuel : nat) (links : seq link) (roots : seq nat) : option (seq heights) :=
  match roots with
  | [::] => Some [::]
  | r :: rest => join (heights_from n links r fuel) (all_from n fuel links rest)
  end.

Definition all_heights (n : nat) (links : seq link) : option (seq heights) :=
  if all (fun l => 0 <? l.2)%Z links then all_from n (n + size links).+1 links (iota 0 n) else None.

Lemma all_heights_gt0 n links s : all_heights n links = Some s -> forall l, List.In l links -> (0 < l.2)%Z.
Proof. by rewrite /all_heights; case: ifP => // /all_In links_gt0 _ l /links_gt0/Z.ltb_lt. Qed.

Theorem all_heightsP n links s : all_heights n links = Some s ->
  enumerates s (fun h => exists2 r, r < n & vertex_heights n links r h).
Proof.
rewrite /all_heights; case: ifP => // /all_In links_gt0; move: (n + _).+1 => fuel.
have d_gt0 l : List.In l links -> (0 < l.2)%Z by move/links_gt0/Z.ltb_lt.
have rooted_once r r' h : vertex_heights n links r h -> vertex_heights n links r' h -> r = r'.
  move=> [[_ hr r_none] _ _] [[_ hr' r'_none] _ _].
  by case: (ltngtP r r') => // [/r'_none|/r_none]; [rewrite hr | rewrite hr'].
have one roots : uniq roots -> all (fun r => r < n) roots -> forall s, all_from n fuel links roots = Some s ->
    enumerates s (fun h => exists2 r, r \in roots & vertex_heights n links r h).
  elim: roots => [|r roots IHroots] /=; first by move=> _ _ _ [<-]; apply: enumerates_none => h [].
  move=> /andP[r_new roots_uniq] /andP[r_n roots_n] t joined_t.
  have := joined joined_t (fun s' => @heights_fromP n links r d_gt0 fuel s' r_n) (IHroots roots_uniq roots_n).
  move=> /(_ _)[h h_r [r' r'_in h_r']|]; first by move: r_new; rewrite (rooted_once _ _ _ h_r h_r') r'_in.
  move=> t_nd tP; split=> // h; rewrite tP; split=> [[h_r|[r' r'_in h_r']]|[r']].
  - by exists r; rewrite ?mem_head.
  - by exists r'; rewrite // in_cons r'_in orbT.
  by rewrite in_cons => /orP[/eqP->|r'_in] h_r'; [left | right; exists r'].
have iota_n : all (fun r => r < n) (iota 0 n) by apply/allP => r; rewrite mem_iota.
move=> grown; have := one _ (iota_uniq 0 n) iota_n _ grown; apply: eq_enumerates => h.
split=> -[r r_n h_r]; exists r => //; by [rewrite mem_iota in r_n | rewrite mem_iota].
Qed.
