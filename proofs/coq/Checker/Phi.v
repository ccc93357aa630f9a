(* SPDX-License-Identifier: MIT *)
(* The matrix Phi of a claim: Phi(i,j) is alpha^d(i,j) (SPEC, section 4.8).                                   *)
(*                                                                                                            *)
(*   space, phi_is      what Phi is: by shortest walks for a path or a graph, or from a table of distances    *)
(*                      (trusted; [phi_unique]: this determines it)                                           *)
(*   space_of           reads the neighbours and the level of a claim (trusted)                               *)
(*   are_hops           decides whether rows of numbers are the distances of a graph      (are_hopsP)         *)
(*   hops               the distances of a graph                                          (hops_are)          *)
(*   phi_of             the integers of Phi                                               (phi_ofP)           *)
(*   phi_mechanism      what is private for the neighbours is a mechanism for Phi                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia Ascii String.
From ExactDP Require Import OrderedField Mechanism Walks Leakage PrivacyTypes TightConstraints.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Reader Meaning Tables Privacy Optimal.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- What it is ---- *)
Inductive spacing := ByWalks | ByTable.

Record space := Space { spaced : spacing; points : neighbours; base : Q }.

Definition points_of (s : space) : nat := size (vertices (points s)).

Section Definitions.
Variable R : realFieldType.

(* a^d is the number >= 0 whose power is that of a: b^q = a^p for d = p/q. *)
Definition is_real_power (a : R) (d : Q) (b : R) :=
  0 <= b /\ b ^+ Pos.to_nat (Qden d) = a ^+ Z.to_nat (Qnum d).

Definition phi_at (a : R) (s : space) (Phi : 'M[R]_(points_of s)) :=
  forall i j : 'I_(points_of s),
  match spaced s with
  | ByWalks => Phi i j = graph_phi (adjacent (points s)) a i j
  | ByTable =>
      if i == j then Phi i j = 1
      else (forall d, constrained (points s) i j d -> is_real_power a d (Phi i j)) /\
           ((forall d, ~ constrained (points s) i j d) -> Phi i j = 0)
  end.

Definition phi_is (s : space) (Phi : 'M[R]_(points_of s)) := 0 < of_Q R (base s) < 1 /\ phi_at (of_Q R (base s)) Phi.

End Definitions.

Definition space_of (defs : seq (text * json)) (ms : seq (text * json)) : option space :=
  let! near := named neighbours_of defs (bytes_of "neighbours"%string) ms in
  let! by_table := named (fun _ v => Some (same (type_of v) (bytes_of "distances"%string))) defs (bytes_of "neighbours"%string) ms in
  let! l := find_key (bytes_of "level"%string) ms in let! a := level_of l in
  Some (Space (if by_table then ByTable else ByWalks) near a).

(* ---- The distances of a graph ---- *)
(* A row lists the distances from one input; a number p, of all inputs, where there is no walk. *)
Fixpoint lower (x y : seq Z) : seq Z :=
  match x, y with
  | a :: x', b :: y' => (if (a <=? b)%Z then a else b) :: lower x' y'
  | _, _ => x
  end.

Fixpoint put_zero (i : nat) (s : seq Z) {struct s} : seq Z :=
  match s with
  | [::] => [::]
  | z :: s' => if i is i'.+1 then z :: put_zero i' s' else 0%Z :: s'
  end.

Definition joined (near : neighbours) (i : nat) : seq nat :=
  [seq N.to_nat e.1.1 | e <- pairs near & N.eqb e.1.2 (N.of_nat i)] ++
  [seq N.to_nat e.1.2 | e <- pairs near & N.eqb e.1.1 (N.of_nat i)].

(* What row i must be, given the rows of its neighbours. *)
Definition hop (p : nat) (rows : seq (seq Z)) (i : nat) (js : seq nat) : seq Z :=
  put_zero i [seq (z + 1)%Z | z <- foldr (fun j row => lower row (nth [::] rows j)) (nseq p (Z.of_nat p - 1)%Z) js].

Definition ends_below (p : nat) (near : neighbours) : bool :=
  all (fun e : N * N * Q => (e.1.1 <? N.of_nat p)%num && (e.1.2 <? N.of_nat p)%num) (pairs near).

Definition joined_to (p : nat) (near : neighbours) : seq (seq nat) := [seq joined near i | i <- iota 0 p].

(* Row by row: it stops at the first one that is wrong. *)
Definition are_hops (p : nat) (near : neighbours) (nears : seq (seq nat)) (rows : seq (seq Z)) : bool :=
  [&& ends_below p near, size rows == p, all (all (fun z => 0 <=? z)%Z) rows &
      all (fun i => all2 Z.eqb (nth [::] rows i) (hop p rows i (nth [::] nears i))) (iota 0 p)].

(* How they are found; nothing depends on it.  Each row is renewed from those of its neighbours, to and fro. *)
Definition renew (p : nat) (nears : seq (seq nat)) (rows : seq (seq Z)) (i : nat) : seq (seq Z) :=
  set_nth [::] rows i (hop p rows i (nth [::] nears i)).

Fixpoint settle (fuel p : nat) (near : neighbours) (nears : seq (seq nat)) (there back : seq nat) (rows : seq (seq Z))
    : option (seq (seq Z)) :=
  if are_hops p near nears rows then Some rows
  else if fuel is n.+1 then settle n p near nears back there (foldl (renew p nears) rows there) else None.

Definition hops (p : nat) (near : neighbours) : option (seq (seq Z)) :=
  if ends_below p near then
    settle p p near (joined_to p near) (iota 0 p) (rev (iota 0 p)) [seq put_zero i (nseq p (Z.of_nat p)) | i <- iota 0 p]
  else None.

(* ---- The integers of Phi ---- *)
(* The numerator of a^k over the denominator of a^longest.  They are kept in blocks of 64, to find one fast. *)
Definition power_over (a : Q) (longest k : nat) : Z := (Qnum a ^ Z.of_nat k * Zpos (Qden a) ^ Z.of_nat (longest - k))%Z.

Definition powers_to (a : Q) (longest : nat) : seq (seq Z) :=
  [seq [seq power_over a longest (64 * u + v) | v <- iota 0 64] | u <- iota 0 (Z.to_nat (Z.of_nat longest / 64)).+1].

Definition power_in (blocks : seq (seq Z)) (d : Z) : Z :=
  nth 0%Z (nth [::] blocks (Z.to_nat (d / 64))) (Z.to_nat (d mod 64)).

(* The largest of the finite distances. *)
Definition larger (p d z : Z) : Z := if (d <? p)%Z then Z.max d z else z.
Definition longest_of (p : nat) (rows : seq (seq Z)) : nat :=
  Z.to_nat (foldr (fun row z => foldr (larger (Z.of_nat p)) z row) 0%Z rows).

Definition phi_by_walks (p : nat) (a : Q) (rows : seq (seq Z)) : integers :=
  let longest := longest_of p rows in let powers := powers_to a longest in
  Integers (Zpos (Qden a) ^ Z.of_nat longest)
    [seq enumerate 0 [seq if (d <? Z.of_nat p)%Z then power_in powers d else 0%Z | d <- row] | row <- rows].

Definition table_row (top : Z) (entries : seq (N * N * Z)) (i : nat) : row :=
  [seq (e.1.1, e.2) | e <- entries & N.eqb e.1.2 (N.of_nat i)] ++
  (N.of_nat i, top) :: [seq (e.1.2, e.2) | e <- entries & N.eqb e.1.1 (N.of_nat i)].

Definition table_entry (a : Q) (top : Z) (e : N * N * Q) : N * N * Z :=
  let: (x, y) := power_of a e.2 in (e.1, (x * (top / y))%Z).

Definition phi_by_table (p : nat) (a : Q) (near : neighbours) : integers :=
  let top := foldr (fun e z => Z.lcm (power_of a e.2).2 z) 1%Z (pairs near) in
  let entries := [seq table_entry a top e | e <- pairs near] in
  Integers top [seq table_row top entries i | i <- iota 0 p].

(* Every pair stands at both its places, and ones on the diagonal. *)
Definition is_table (p : nat) (a : Q) (near : neighbours) (I : integers) : bool :=
  let top := scaling I in
  [&& (0 <? top)%Z, rational_powers near a top, ends_below p near,
      all (fun e => let z := (table_entry a top e).2 in
             [&& ~~ N.eqb e.1.1 e.1.2, (at_index (row_at (lines I) e.1.1) (N.to_nat e.1.2) =? z)%Z &
                 (at_index (row_at (lines I) e.1.2) (N.to_nat e.1.1) =? z)%Z]) (pairs near) &
      all (fun i => (at_index (line_of I i) i =? top)%Z) (iota 0 p)].

Definition all_adjacent (near : neighbours) : bool :=
  all (fun e : N * N * Q => (Qnum e.2 =? 1)%Z && Pos.eqb (Qden e.2) 1) (pairs near).

Definition phi_of (s : space) : option integers :=
  let p := points_of s in
  if ~~ is_level (base s) then None else
  match spaced s with
  | ByWalks =>
      if all_adjacent (points s) then omap (phi_by_walks p (base s)) (hops p (points s)) else None
  | ByTable => let I := phi_by_table p (base s) (points s) in if is_table p (base s) (points s) I then Some I else None
  end.

(* ---- Hops ---- *)
Lemma size_lower x y : size (lower x y) = size x.
Proof. by elim: x y => [|a x IHx] [|b y] //=; rewrite IHx. Qed.

Lemma at_lower x y j : (j < size x)%N -> (j < size y)%N ->
  nth 0%Z (lower x y) j = Z.min (nth 0%Z x j) (nth 0%Z y j).
Proof.
elim: x y j => [|a x IHx] [|b y] [|j] //=; last by exact: IHx.
by move=> _ _; case: Z.leb_spec => ab /=; lia.
Qed.

Lemma size_put_zero i s : size (put_zero i s) = size s.
Proof. by elim: s i => [|z s IHs] [|i] //=; rewrite IHs. Qed.

Lemma at_put_zero i s j : nth 0%Z (put_zero i s) j = if j == i then 0%Z else nth 0%Z s j.
Proof.
elim: s i j => [|z s IHs] i j; first by rewrite /= nth_nil if_same.
by case: i j => [|i] [|j] //=; exact: IHs.
Qed.

Lemma all2_eqZ s t : all2 Z.eqb s t -> s = t.
Proof. by elim: s t => [|x s IHs] [|y t] //= /andP[/Z.eqb_eq -> /IHs ->]. Qed.

Section Hops.
Variables (p : nat) (near : neighbours) (rows : seq (seq Z)).
Hypothesis rows_ok : are_hops p near (joined_to p near) rows.
Local Notation adjacent := (@adjacent p near).
Local Notation hop_at i j := (nth 0%Z (nth [::] rows i) j).

Lemma rows_size : size rows = p.
Proof. by case/and4P: rows_ok => _ /eqP. Qed.

Lemma rows_are i : (i < p)%N -> nth [::] rows i = hop p rows i (joined near i).
Proof.
move=> i_p; case/and4P: rows_ok => _ _ _ /(all_nthP 0%N) same.
have := same i; rewrite size_iota nth_iota // add0n => /(_ i_p)/all2_eqZ {1}->.
by rewrite (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma size_min (f : nat -> seq Z) (js : seq nat) s : size (foldr (fun j row => lower row (f j)) s js) = size s.
Proof. by elim: js => [|j js IHjs] //=; rewrite size_lower. Qed.

Lemma hops_size i : (i < p)%N -> size (nth [::] rows i) = p.
Proof. by move/rows_are ->; rewrite size_put_zero size_map size_min size_nseq. Qed.

Lemma In_filter T (a : pred T) t x : List.In x [seq y <- t | a y] <-> List.In x t /\ a x.
Proof.
elim: t => [|y t IHt] /=; first by split=> [|[]].
case: ifP => ay /=; rewrite IHt; split.
- by case=> [<-|[]]; [split; [left|] | split; [right|]].
- by case=> -[->|x_t] ax; [left | right].
- by case=> x_t ax; split; [right|].
- by case=> -[y_x|//]; rewrite -y_x ay.
Qed.

Lemma In_cat T (t u : seq T) x : List.In x (t ++ u) <-> List.In x t \/ List.In x u.
Proof. by elim: t => [|y t IHt] /=; [split; [right | case] | rewrite IHt; tauto]. Qed.

Lemma map_In A B (f : A -> B) (t : seq A) x : List.In x t -> List.In (f x) [seq f y | y <- t].
Proof. by elim: t => [|y t IHt] //= [->|/IHt]; [left | right]. Qed.

Lemma joinedP (i j : 'I_p) : adjacent i j <-> List.In (j : nat) (joined near i).
Proof.
rewrite /adjacent /joined -(rwP orP) !has_In; split.
- case=> [[e e_in /andP[/N.eqb_eq i_e /N.eqb_eq j_e]]|[e e_in /andP[/N.eqb_eq j_e /N.eqb_eq i_e]]]; apply/In_cat.
    right; rewrite -[X in List.In X]Nat2N.id -j_e; apply: (map_In (fun e : N * N * Q => N.to_nat e.1.2)).
    by apply/In_filter; rewrite i_e N.eqb_refl.
  left; rewrite -[X in List.In X]Nat2N.id -j_e; apply: (map_In (fun e : N * N * Q => N.to_nat e.1.1)).
  by apply/In_filter; rewrite i_e N.eqb_refl.
- case/In_cat=> at_e; have [e e_f e_j] := In_map at_e; have [e_in /N.eqb_eq e_i] := proj1 (In_filter _ _ _) e_f;
    [right | left]; exists e => //; by rewrite /is_pair e_i e_j N2Nat.id !N.eqb_refl.
Qed.

Lemma joined_lt i j : List.In j (joined near i) -> (j < p)%N.
Proof.
case/and4P: rows_ok => /all_In ends _ _ _ /In_cat[] at_e; have [e e_f ->] := In_map at_e;
  have [/ends /andP[/N.ltb_lt x_p /N.ltb_lt y_p] _] := proj1 (In_filter _ _ _) e_f; by apply/ssrnat.ltP; lia.
Qed.

(* The least of what the neighbours say. *)
Lemma foldr_lower (js : seq nat) c : (c < p)%N -> (forall h, List.In h js -> (h < p)%N) ->
  let m := nth 0%Z (foldr (fun j row => lower row (nth [::] rows j)) (nseq p (Z.of_nat p - 1)%Z) js) c in
  [/\ (m <= Z.of_nat p - 1)%Z, forall h, List.In h js -> (m <= hop_at h c)%Z &
      m = (Z.of_nat p - 1)%Z \/ exists2 h, List.In h js & m = hop_at h c].
Proof.
move=> c_p; elim: js => [|j js IHjs] js_p /=.
  by rewrite nth_nseq c_p; split=> //; [lia | left].
have [|m_le m_min m_is] := IHjs; first by move=> h h_in; apply: js_p; right.
have j_p : (j < p)%N by apply: js_p; left.
rewrite at_lower ?size_min ?size_nseq ?hops_size //; set m := nth _ _ _ in m_le m_min m_is *; split.
- by lia.
- by move=> h [<-|/m_min]; lia.
- have [[_ ->]|[_ ->]] := Z.min_spec m (hop_at j c); last by right; exists j; [left|].
  by case: m_is => [|[h h_in m_h]]; [left | right; exists h; [right|]].
Qed.

Lemma hop_self (i : 'I_p) : hop_at i i = 0%Z.
Proof. by rewrite rows_are // at_put_zero eqxx. Qed.

Lemma hop_spec (i j : 'I_p) : i != j ->
  [/\ (hop_at i j <= Z.of_nat p)%Z, forall h, adjacent i h -> (hop_at i j <= hop_at h j + 1)%Z &
      hop_at i j = Z.of_nat p \/ exists2 h, adjacent i h & hop_at i j = (hop_at h j + 1)%Z].
Proof.
move=> ij; have [m_le m_min m_is] := foldr_lower (ltn_ord j) (@joined_lt i).
have -> : hop_at i j = (nth 0%Z (foldr (fun j row => lower row (nth [::] rows j)) (nseq p (Z.of_nat p - 1)%Z) (joined near i)) j + 1)%Z.
  rewrite rows_are // at_put_zero eq_sym (negPf ij : (i : nat) == j = false) (nth_map 0%Z) //.
  by rewrite size_min size_nseq.
split; first by lia.
- by move=> h /joinedP/m_min; lia.
- case: m_is => [->|[h h_in ->]]; first by left; lia.
  by right; exists (Ordinal (joined_lt h_in)) => //; apply/joinedP.
Qed.

Lemma hop_ge0 (i j : 'I_p) : (0 <= hop_at i j)%Z.
Proof.
case/and4P: rows_ok => _ _ /(all_nthP [::]) ge0 _; apply/Z.leb_le.
have i_rows : (i < size rows)%N by rewrite rows_size.
by have /(all_nthP 0%Z) row_ge0 := ge0 i i_rows; apply: row_ge0; rewrite hops_size.
Qed.

Arguments hop_ge0 : clear implicits.

Lemma hop_walk (i j : 'I_p) : (hop_at i j < Z.of_nat p)%Z -> walk adjacent (Z.to_nat (hop_at i j)) i j.
Proof.
have [k] := ex_intro (fun k => k = Z.to_nat (hop_at i j)) _ erefl; elim: k i => [|k IHk] i ki lt_p; rewrite -ki.
  have [->|ij] := eqVneq i j; first by rewrite /=.
  have ij0 := hop_ge0 i j; have [_ _ [e|[h _ e]]] := hop_spec ij; first by lia.
  by have := hop_ge0 h j; lia.
have [ij|ij] := eqVneq i j; first by move: ki; rewrite ij hop_self.
have [_ _ [e|[h ih e]]] := hop_spec ij; first by lia.
have h0 := hop_ge0 h j; apply/existsP; exists h; rewrite ih /=.
have k_h : k = Z.to_nat (hop_at h j) by lia.
by rewrite {1}k_h; apply: IHk => //; lia.
Qed.

Lemma walk_hop n (i j : 'I_p) : walk adjacent n i j -> (hop_at i j <= Z.of_nat n)%Z.
Proof.
elim: n i => [|n IHn] i; first by move/eqP->; rewrite hop_self.
case/existsP=> h /andP[ih /IHn hj]; have [->|ij] := eqVneq i j; first by rewrite hop_self; lia.
by have [_ /(_ h ih)] := hop_spec ij; lia.
Qed.

(* The rows are the distances of the graph. *)
Theorem are_hopsP (i j : 'I_p) :
  if (hop_at i j <? Z.of_nat p)%Z
  then connect adjacent i j /\ distance adjacent i j = Z.to_nat (hop_at i j)
  else ~~ connect adjacent i j.
Proof.
case: Z.ltb_spec => [d_lt|d_ge].
  have w := hop_walk d_lt; have ij := walk_connected w; split=> //.
  have [_ /walk_hop d_le] := connected_distance ij; apply/eqP; rewrite eqn_leq distance_min //=.
  by apply/ssrnat.leP; have := hop_ge0 i j; lia.
apply/negP => /connected_distance[/ssrnat.ltP d_lt /walk_hop]; lia.
Qed.
End Hops.

Lemma hops_are p near rows : hops p near = Some rows -> are_hops p near (joined_to p near) rows.
Proof.
rewrite /hops; case: ifP => // _; move: (iota 0 p) (rev _) (map _ _) => there back.
elim: {1}p there back => [|n IHn] there back x /=; case: ifP => // ok; try exact: IHn.
  by case=> <-.
by case=> <-.
Qed.

(* ---- The integers are those of Phi ---- *)
Lemma adjacent_sym p near : symmetric (@adjacent p near).
Proof. by move=> i j; rewrite /adjacent orbC. Qed.

Section Phi.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma constrainedP near i j : (exists d, constrained near i j d) <-> has (is_pair i j) (pairs near) || has (is_pair j i) (pairs near).
Proof.
rewrite /constrained -(rwP orP) !has_In; split.
  by case=> d [] e_in; [left | right]; eexists; [exact: e_in | | exact: e_in |]; rewrite /is_pair /= !N.eqb_refl.
case=> -[[[x y] d] e_in /andP[/N.eqb_eq/= <- /N.eqb_eq/= <-]]; exists d; [by left | by right].
Qed.

(* It is determined. *)
Theorem phi_unique s (Phi Psi : 'M[R]_(points_of s)) : phi_is Phi -> phi_is Psi -> Phi = Psi.
Proof.
case=> _ Phi_at [_ Psi_at]; apply/matrixP=> i j; move: (Phi_at i j) (Psi_at i j).
case: (spaced s); first by move=> -> ->.
case: eqVneq => [_ -> ->//|_ [Phi_in Phi_out] [Psi_in Psi_out]].
case has_d: (has (is_pair i j) (pairs (points s)) || has (is_pair j i) (pairs (points s))).
  have [d ij] := proj2 (constrainedP _ _ _) has_d.
  have [Phi_ge0 Phi_pow] := Phi_in d ij; have [Psi_ge0 Psi_pow] := Psi_in d ij.
  by apply/eqP; rewrite -(@eqr_expn2 _ (Pos.to_nat (Qden d))) // ?Phi_pow ?Psi_pow //; apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have none d : ~ constrained (points s) i j d.
  by move=> ij; have := proj1 (constrainedP _ _ _) (ex_intro _ d ij); rewrite has_d.
by rewrite Phi_out ?Psi_out.
Qed.

Lemma constrained_sym near i j d : constrained near i j d -> constrained near j i d.
Proof. by case; [right | left]. Qed.

Section Properties.
Variables (s : space) (Phi : 'M[R]_(points_of s)).
Hypothesis Phi_is : phi_is Phi.

Lemma phi_diagonal i : Phi i i = 1.
Proof. by case: Phi_is => _ /(_ i i); case: (spaced s) => [->|]; [exact: graph_phi1 | rewrite eqxx]. Qed.

Lemma phi_symmetric i j : Phi i j = Phi j i.
Proof.
have [a_level Phi_at] := Phi_is; have [->//|ij] := eqVneq i j; suff e : Phi = Phi^T by rewrite {1}e mxE.
apply: phi_unique => //; split=> // {ij} i {}j; rewrite mxE; move: (Phi_at j i).
case: (spaced s) => [->|]; first by apply: graph_phi_sym; exact: adjacent_sym.
rewrite eq_sym; case: ifP => // _ [Phi_in Phi_out]; split=> [d /constrained_sym|none]; first exact: Phi_in.
by apply: Phi_out => d /constrained_sym; exact: none.
Qed.

Arguments phi_symmetric : clear implicits.

Lemma phi_ge0 i j : 0 <= Phi i j.
Proof.
have [/andP[a_gt0 _] /(_ i j)] := Phi_is; case: (spaced s) => [->|]; first by apply: graph_phi_ge0; exact: ltW.
case: eqP => [_ ->|_ [Phi_in Phi_out]]; first exact: ler01.
case has_d: (has (is_pair i j) (pairs (points s)) || has (is_pair j i) (pairs (points s))).
  by have [d /Phi_in[]] := proj2 (constrainedP _ _ _) has_d.
rewrite Phi_out // => d ij; have := proj1 (constrainedP _ _ _) (ex_intro _ d ij); rewrite has_d //.
Qed.

(* What is private for the neighbours is a mechanism for Phi. *)
Theorem phi_mechanism m (X : 'M[R]_(points_of s, m)) :
  (spaced s = ByWalks -> all_one (points s)) -> mechanism_for (points s) (of_Q (base s)) X -> mechanism Phi X.
Proof.
move=> ones [X_st X_priv]; have [/andP[a_gt0 _] Phi_at] := Phi_is; split=> // i j r; move: (Phi_at i j) ones.
case: (spaced s) => [-> ones|].
  have [_] := graph_phi_mechanism (ltW a_gt0) X_st (proj1 (private_for_graph _ _ (ones erefl)) X_priv); exact.
have [-> -> _|ij [Phi_in Phi_out] _] := eqVneq i j; first by rewrite mul1r.
have X_ge0 := proj1 X_st.
case has_d: (has (is_pair i j) (pairs (points s)) || has (is_pair j i) (pairs (points s))).
  have [d ij_d] := proj2 (constrainedP _ _ _) has_d; have [Phi_ij0 Phi_pow] := Phi_in d ij_d.
  rewrite -(@ler_pexpn2r _ (Pos.to_nat (Qden d))) ?nnegrE ?mulr_ge0 //; last by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
  by rewrite exprMn Phi_pow; exact: X_priv.
rewrite Phi_out ?mul0r // => d ij_d; have := proj1 (constrainedP _ _ _) (ex_intro _ d ij_d); rewrite has_d //.
Qed.

End Properties.

(* ---- What is computed ---- *)
Lemma larger_ge p d z : (z <= larger p d z)%Z.
Proof. by rewrite /larger; case: Z.ltb; lia. Qed.

Lemma larger_le p z row : (z <= foldr (larger p) z row)%Z.
Proof. by elim: row => [|d row IHrow] /=; [lia | have := @larger_ge p d (foldr (larger p) z row); lia]. Qed.

Lemma larger_in p z row j : (j < size row)%N -> (nth 0%Z row j < p)%Z -> (nth 0%Z row j <= foldr (larger p) z row)%Z.
Proof.
elim: row j => [|d row IHrow] [|j] //=.
  by rewrite {1}/larger => _ /Z.ltb_lt ->; lia.
by move=> j_s d_lt; have := IHrow j j_s d_lt; have := @larger_ge p d (foldr (larger p) z row); lia.
Qed.

Lemma longest_max p rows i j : (i < size rows)%N -> (j < size (nth [::] rows i))%N ->
  (nth 0%Z (nth [::] rows i) j < Z.of_nat p)%Z -> (Z.to_nat (nth 0%Z (nth [::] rows i) j) <= longest_of p rows)%N.
Proof.
move=> i_s j_s d_lt; apply/ssrnat.leP; rewrite /longest_of; set f := (fun row => _).
suff : (nth 0%Z (nth [::] rows i) j <= foldr f 0%Z rows)%Z by lia.
elim: rows i i_s j_s d_lt => [|row rows IHrows] [|i] //=; first by move=> _; exact: larger_in.
by move=> i_s j_s d_lt; have := IHrows i i_s j_s d_lt; have := @larger_le (Z.of_nat p) (foldr f 0%Z rows) row; rewrite /f; lia.
Qed.

Lemma at_powers a longest d : (0 <= d)%Z -> (Z.to_nat d <= longest)%N ->
  power_in (powers_to a longest) d = power_over a longest (Z.to_nat d).
Proof.
move=> d_ge0 /ssrnat.leP d_le; have rest := Z.mod_pos_bound d 64 erefl; have whole := Z.div_mod d 64 ltac:(lia).
have top : (d / 64 <= Z.of_nat longest / 64)%Z by apply: Z.div_le_mono; lia.
have low : (0 <= d / 64)%Z by apply: Z.div_pos; lia.
rewrite /power_in (nth_map 0%N) ?size_iota; last by apply/ssrnat.ltP; lia.
rewrite nth_iota; last by apply/ssrnat.ltP; lia.
rewrite add0n (nth_map 0%N) ?size_iota; last by apply/ssrnat.ltP; lia.
rewrite nth_iota; last by apply/ssrnat.ltP; lia.
congr power_over; rewrite add0n; change addn with Nat.add; change muln with Nat.mul; lia.
Qed.

Lemma base_power a k longest : (k <= longest)%N ->
  of_Q a ^+ k = of_Z (power_over a longest k) / of_Z (Zpos (Qden a) ^ Z.of_nat longest)%Z.
Proof.
move=> k_le; rewrite /power_over of_ZM !of_ZX /of_Q expr_div_n; have q_neq0 := of_Z_pos_neq0 R (Qden a).
have -> : of_Z (Zpos (Qden a)) ^+ longest = of_Z (Zpos (Qden a)) ^+ k * of_Z (Zpos (Qden a)) ^+ (longest - k).
  by rewrite -exprD subnKC.
have k_neq0 : of_Z (Zpos (Qden a)) ^+ k != 0 by rewrite expf_neq0.
have l_neq0 : of_Z (Zpos (Qden a)) ^+ (longest - k) != 0 by rewrite expf_neq0.
move: (_ ^+ k) (_ ^+ k) (_ ^+ (longest - k)) k_neq0 l_neq0 => x y z y_neq0 z_neq0.
by by_field R; split; apply/eqP.
Qed.

Lemma phi_by_walksP s rows : spaced s = ByWalks -> hops (points_of s) (points s) = Some rows -> 0 < of_Q (base s) < 1 ->
  exists2 Phi : 'M[R]_(points_of s), represents (phi_by_walks (points_of s) (base s) rows) Phi & phi_is Phi.
Proof.
move=> by_walks /hops_are rows_ok a_level; set I := phi_by_walks _ _ _.
have I_gt0 : (0 < scaling I)%Z by apply: Z.pow_pos_nonneg; lia.
exists (\matrix_(i, j) (of_Z (at_index (line_of I i) j) / of_Z (scaling I))).
  by split=> [|i j]; [exact: of_Z_gt0 | rewrite mxE].
split=> // i j; rewrite by_walks mxE /graph_phi /line_of /=.
have rows_i : (i < size rows)%N by rewrite (rows_size rows_ok).
have row_j : (j < size (nth [::] rows i))%N by rewrite (hops_size rows_ok).
rewrite (nth_map [::]) // (at_enumerate 0) subn0 /= (nth_map 0%Z) //.
have := are_hopsP rows_ok i j; case: Z.ltb_spec => [d_lt [-> ->]|_ /negPf ->]; last by rewrite mul0r.
have d_le := longest_max rows_i row_j d_lt.
by rewrite at_powers ?(base_power _ d_le) //; exact: hop_ge0 rows_ok i j.
Qed.

Lemma at_none (r : row) j : (forall t, List.In t r -> t.1 <> N.of_nat j) -> at_index r j = 0%Z.
Proof.
elim: r => [|t r IHr] //= none; rewrite IHr; last by move=> u u_r; apply: none; right.
by case: N.eqb_spec => // t_j; case: (none t); [left|].
Qed.

(* x/y is a^d, and so is z over any multiple of y. *)
Lemma power_value a d x y top : is_power a d x y -> (0 < top)%Z -> (top mod y =? 0)%Z ->
  is_real_power (of_Q a) d (of_Z (x * (top / y))%Z / of_Z top).
Proof.
case/and5P=> /Z.leb_le d_ge0 x_ge0 /Z.ltb_lt y_gt0 /Z.eqb_eq x_is /Z.eqb_eq y_is top_gt0 /Z.eqb_eq top_y.
have -> : of_Z (x * (top / y))%Z / of_Z top = of_Z x / of_Z y.
  have -> : of_Z top = of_Z (top / y)%Z * of_Z y by apply: quotient => //; apply/Z.mod_divide => //; lia.
  have y_neq0 : of_Z y != 0 by rewrite gt_eqF // of_Z_gt0.
  have t_neq0 : of_Z (top / y)%Z != 0.
    rewrite gt_eqF // of_Z_gt0 //; apply: Z.div_str_pos; split=> //; apply: Z.divide_pos_le => //.
    by apply/Z.mod_divide => //; lia.
  by rewrite of_ZM; by_field R; split; exact/eqP.
split; first by rewrite divr_ge0 ?of_Z_ge0 // -(of_Z_ge0 R) ltW // of_Z_gt0.
by rewrite /of_Q !expr_div_n -!of_ZX_pos x_is y_is -!of_ZX Z2Nat.id.
Qed.

Lemma phi_by_tableP s : let I := phi_by_table (points_of s) (base s) (points s) in
  spaced s = ByTable -> is_table (points_of s) (base s) (points s) I -> 0 < of_Q (base s) < 1 ->
  exists2 Phi : 'M[R]_(points_of s), represents I Phi & phi_is Phi.
Proof.
move=> I by_table /and5P[/Z.ltb_lt top_gt0 /all_In whole _ /all_In at_pairs /(all_nthP 0%N) diagonal] a_level.
exists (\matrix_(i, j) (of_Z (at_index (line_of I i) j) / of_Z (scaling I))).
  by split=> [|i j]; [exact: of_Z_gt0 | rewrite mxE].
split=> // i j; rewrite by_table mxE; case: eqVneq => [->|ij].
  have := diagonal j; rewrite size_iota nth_iota // add0n => /(_ (ltn_ord j))/Z.eqb_eq ->.
  by rewrite divff // gt_eqF // of_Z_gt0.
have row_i (k : 'I_(points_of s)) : row_at (lines I) (N.of_nat k) = line_of I k by rewrite row_atE Nat2N.id.
split=> [d|none].
  have at_pair e : List.In e (pairs (points s)) ->
      is_real_power (of_Q (base s)) e.2 (of_Z (table_entry (base s) (scaling I) e).2 / of_Z (scaling I)).
    move=> e_in; have := whole e e_in; rewrite /table_entry; case: (power_of _ _) => x y /andP[x_y y_top].
    exact: power_value.
  case=> e_in; move: (at_pairs _ e_in) (at_pair _ e_in); move: (table_entry _ _ _).2 => z /and3P[_ /Z.eqb_eq ij_z /Z.eqb_eq ji_z].
    by rewrite -ij_z [_.1.1]/= [_.1.2]/= [_.2]/= row_i Nat2N.id.
  by rewrite -ji_z [_.1.1]/= [_.1.2]/= [_.2]/= row_i Nat2N.id.
rewrite at_none ?mul0r // => t; rewrite /line_of (nth_map 0%N) ?size_iota // nth_iota // add0n /table_row.
have entry_at e : List.In e [seq table_entry (base s) (scaling I) e | e <- pairs (points s)] ->
    e.1.1 = N.of_nat i -> e.1.2 = N.of_nat j -> False.
  move=> e_in; have [f f_in ->] := In_map e_in; rewrite /table_entry; case: (power_of _ _) => x y /= i_f j_f.
  by apply: (none f.2); left; rewrite -i_f -j_f; move: f_in; case: (f) => [[]].
have entry_ta e : List.In e [seq table_entry (base s) (scaling I) e | e <- pairs (points s)] ->
    e.1.1 = N.of_nat j -> e.1.2 = N.of_nat i -> False.
  move=> e_in; have [f f_in ->] := In_map e_in; rewrite /table_entry; case: (power_of _ _) => x y /= j_f i_f.
  by apply: (none f.2); right; rewrite -i_f -j_f; move: f_in; case: (f) => [[]].
case/In_cat=> [t_in|[<- /Nat2N.inj i_j|t_in]].
- have [e /In_filter[e_in /N.eqb_eq e_i] ->] := In_map t_in; move=> /= e_j; exact: entry_ta e_j e_i.
- by case/negP: ij; apply/eqP/val_inj.
- have [e /In_filter[e_in /N.eqb_eq e_i] ->] := In_map t_in; move=> /= e_j; exact: entry_at e_i e_j.
Qed.

Theorem phi_ofP s I : phi_of s = Some I -> exists2 Phi : 'M[R]_(points_of s), represents I Phi & phi_is Phi.
Proof.
rewrite /phi_of; case: ifP => // /negbFE/(is_levelP R) a_level.
case E: (spaced s); first by case: ifP => // _; case H: hops => [rows|] //= [<-]; exact: phi_by_walksP.
by case: ifP => // table_ok [<-]; exact: phi_by_tableP.
Qed.

Theorem phi_of_ones s I : phi_of s = Some I -> spaced s = ByWalks -> all_one (points s).
Proof.
rewrite /phi_of; case: ifP => // _; case: (spaced s) => //; case: ifP => // /all_In ones _ _ e /ones.
by case/andP=> /Z.eqb_eq x1 /Pos.eqb_eq y1; move: x1 y1; case: (e.2) => x y /= -> ->.
Qed.

End Phi.
