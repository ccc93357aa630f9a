(* SPDX-License-Identifier: MIT *)
(* Capacities of mechanisms and of privacy types, decided on integers (SPEC, section 4.14).                   *)
(*                                                                                                            *)
(*   column_at, top_of, least_of   a column as a list, its largest and its smallest number                    *)
(*   has_capacity        the capacity of a mechanism is a given number             (has_capacityP)            *)
(*   weighs              weights on the inputs of a connected graph                (weighsP)                  *)
(*   capacity_bound      a dual of guessing the most, or the least, likely input   (capacity_boundP)          *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame Extremes Leakage PrivacyTypes Merging Capacities.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Meaning Tables Privacy Derivable Optimal Check VertexRays TypesClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition column_at (p : nat) (I : integers) (j : nat) : seq Z := [seq at_index r j | r <- seq.take p (lines I)].

Definition top_of (s : seq Z) : Z := if s is x :: s' then foldr Z.max x s' else 0%Z.
Definition least_of (s : seq Z) : Z := (- top_of [seq (- x)%Z | x <- s])%Z.

Definition has_capacity (p m : nat) (kind : capacity) (I : integers) (v : Q) : bool :=
  match kind with
  | Multiplicative => equals (sum_Z [seq top_of (column_at p I j) | j <- iota 0 m]) (scaling I) v
  | Additive => equals (scaling I - sum_Z [seq least_of (column_at p I j) | j <- iota 0 m]) (scaling I) v
  end.

Section Capacity.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).

Lemma top_ofP (s : seq Z) : (0 < size s)%N -> (exists2 i, (i < size s)%N & top_of s = nth 0%Z s i) /\
  forall i, (i < size s)%N -> (nth 0%Z s i <= top_of s)%Z.
Proof.
case: s => // x s _; elim: s => [|y s [[i i_s top] IHs]] /=; first by split=> [|[|i]] //; [exists 0%N | move=> _; apply: Z.le_refl].
split=> [|[|[|j]] j_s] /=.
- have [le|le] := Z.max_spec y (foldr Z.max x s).
    case: le => _ ->; rewrite /= in top; rewrite top; case: i i_s {top} => [|i] i_s; first by exists 0%N.
    by exists i.+2.
  by case: le => _ ->; exists 1%N.
- by have /= := IHs 0%N isT; lia.
- by lia.
- by have /= := IHs j.+1 j_s; lia.
Qed.

Section Columns.
Variables (p m : nat) (I : integers) (X : 'M[R]_(p, m)).
Hypotheses (X_I : represents I X) (I_st : is_stochastic p m I) (p_gt0 : (0 < p)%N).

Lemma size_lines : size (lines I) = p.
Proof. by case/andP: I_st => /eqP. Qed.

Lemma size_column_at j : size (column_at p I j) = p.
Proof. by rewrite size_map size_takel // size_lines. Qed.

Lemma at_column_at j i : (i < p)%N -> nth 0%Z (column_at p I j) i = at_index (line_of I i) j.
Proof. by move=> i_p; rewrite (nth_map [::]) ?size_takel ?size_lines // nth_take. Qed.

Lemma entry_at (i : 'I_p) (j : 'I_m) : X i j = of_Z (nth 0%Z (column_at p I j) i) / of_Z (scaling I).
Proof. by rewrite at_column_at //; case: X_I. Qed.

Lemma entry_le (i k : 'I_p) (j : 'I_m) :
  (nth 0%Z (column_at p I j) i <= nth 0%Z (column_at p I j) k)%Z -> X i j <= X k j.
Proof. by case: X_I => D_gt0 _ le; rewrite !entry_at ler_pmul2r ?invr_gt0 // of_Z_le; apply/Z.leb_le. Qed.

Local Notation largest := Extremes.largest.

Lemma largest_at (j : 'I_m) : largest (fun i => X i j) = of_Z (top_of (column_at p I j)) / of_Z (scaling I).
Proof.
have some : (0 < size (column_at p I j))%N by rewrite size_column_at.
have [[i i_p top] le] := top_ofP some; rewrite size_column_at in i_p le.
rewrite (@largestE _ _ (fun i => X i j) (Ordinal i_p)) => [|k]; first by rewrite entry_at top.
by apply: entry_le; rewrite /= -top; exact: le.
Qed.

Lemma smallest_at (j : 'I_m) : smallest (fun i => X i j) = of_Z (least_of (column_at p I j)) / of_Z (scaling I).
Proof.
rewrite /least_of; set s := [seq _ | _ <- _].
have size_s : size s = p by rewrite size_map size_column_at.
have at_s i : (i < p)%N -> nth 0%Z s i = (- nth 0%Z (column_at p I j) i)%Z.
  by move=> i_p; rewrite (nth_map 0%Z) ?size_column_at.
have some : (0 < size s)%N by rewrite size_s.
have [[i i_p top] le] := top_ofP some; rewrite size_s in i_p le.
rewrite (@smallestE _ _ (fun i => X i j) (Ordinal i_p)) => [|k].
  by rewrite entry_at top at_s // Z.opp_involutive.
by apply: entry_le; have := le k (ltn_ord k); rewrite top !at_s //=; lia.
Qed.

Theorem has_capacityP kind v : has_capacity p m kind I v -> capacity_is kind X = of_Q v.
Proof.
have [D_gt0 _] := X_I; case: kind => /(equalsP D_gt0) <-.
  rewrite /= /multiplicative_capacity sum_Z_iota mulr_suml.
  by apply: eq_bigr => j _; exact: largest_at.
rewrite /= /additive_capacity of_ZB mulrBl divff ?gt_eqF // sum_Z_iota mulr_suml; congr (_ - _).
by apply: eq_bigr => j _; exact: smallest_at.
Qed.
End Columns.
End Capacity.

(* ---- Weights on the inputs of a connected graph ---- *)
(* Numbers of edges of shortest paths, by relaxing all edges until nothing changes.  Found, and then checked. *)
Definition relax (D : seq (seq Z)) (e : N * N * Q) : seq (seq Z) :=
  let i := N.to_nat e.1.1 in let j := N.to_nat e.1.2 in
  let one x y := [seq Z.min z.1 (z.2 + 1) | z <- zip x y] in
  let x := nth [::] D i in let y := nth [::] D j in
  set_nth [::] (set_nth [::] D i (one x y)) j (one y x).

Fixpoint relaxed (fuel : nat) (es : seq (N * N * Q)) (D : seq (seq Z)) : seq (seq Z) :=
  if fuel is n.+1 then
    let D' := foldl relax (foldl relax D es) (rev es) in
    if all2 (all2 Z.eqb) D D' then D else relaxed n es D'
  else D.

Definition hops (p : nat) (near : neighbours) : seq (seq Z) :=
  relaxed p (pairs near) [seq [seq if i == j then 0%Z else Z.of_nat p | j <- iota 0 p] | i <- iota 0 p].

Definition hop (D : seq (seq Z)) (i j : nat) : Z := nth 0%Z (nth [::] D i) j.

Definition next_to (near : neighbours) (i : N) : seq N :=
  [seq e.1.2 | e <- pairs near & N.eqb e.1.1 i] ++ [seq e.1.1 | e <- pairs near & N.eqb e.1.2 i].

(* Which inputs are nearer to one of these neighbours, by one edge. *)
Definition nearer_from (D : seq (seq Z)) (x : seq Z) (hs : seq N) : seq bool :=
  foldr (fun h found => [seq (z.1.1 + 1 =? z.1.2)%Z || z.2 | z <- zip (zip (nth [::] D (N.to_nat h)) x) found])
        [seq false | _ <- x] hs.

Definition are_hops (p : nat) (near : neighbours) (D : seq (seq Z)) : bool :=
  [&& size D == p, all (fun x => (size x == p) && all (Z.leb 0) x) D,
      all (fun e : N * N * Q =>
             [&& (e.1.1 <? N.of_nat p)%num, (e.1.2 <? N.of_nat p)%num, (Qnum e.2 =? 1)%Z, Pos.eqb (Qden e.2) 1 &
                 all (fun z : Z * Z => (z.1 <=? z.2 + 1)%Z && (z.2 <=? z.1 + 1)%Z)
                     (zip (nth [::] D (N.to_nat e.1.1)) (nth [::] D (N.to_nat e.1.2)))]) (pairs near) &
      all (fun i => let x := nth [::] D i in
             (nth 0%Z x i =? 0)%Z &&
             all (fun j => (i == j) || nth false (nearer_from D x (next_to near (N.of_nat i))) j) (iota 0 p)) (iota 0 p)].

Definition weighs (p : nat) (near : neighbours) (a : Q) (kind : capacity) (z : vector) (v : Q) : bool :=
  let D := hops p near in
  let most := foldr (fun row z => foldr Z.max z row) 0%Z D in
  let zs := [seq at_index (terms z) j | j <- iota 0 p] in
  let: (x, y) := match kind with Multiplicative => (Qnum a, Zpos (Qden a)) | Additive => (Zpos (Qden a), Qnum a) end in
  let term d := (x ^ d * y ^ (most - d))%Z in
  let one := (Zpos (unit z) * y ^ most)%Z in
  let sum := total (terms z) in
  [&& is_level a && (0 <=? most)%Z, are_hops p near D, all (all (fun d => (d <=? most)%Z)) D,
      below (N.of_nat p) (terms z) && all_ge0 (terms z),
      all (fun row => (sum_Z [seq (zd.1 * term zd.2)%Z | zd <- zip zs row] =? one)%Z) D &
      equals (match kind with Multiplicative => sum | Additive => (Zpos (unit z) - sum)%Z end) (Zpos (unit z)) v].

Section Weights.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Section Hops.
Variables (p : nat) (near : neighbours) (D : seq (seq Z)).
Hypothesis D_ok : are_hops p near D.

Lemma hop_ge0 i j : (0 <= hop D i j)%Z.
Proof.
case/and4P: D_ok => /eqP size_D /(all_nthP [::]) rows _ _; rewrite /hop.
have [i_D|i_D] := ltnP i (size D); last by rewrite (nth_default [::] i_D) nth_nil; exact: Z.le_refl.
have /andP[_ /(all_nthP 0%Z) ge0] := rows i i_D.
have [j_x|j_x] := ltnP j (size (nth [::] D i)); last by rewrite nth_default //; exact: Z.le_refl.
exact/Z.leb_le/ge0.
Qed.

Lemma size_hop (i : 'I_p) : size (nth [::] D i) = p.
Proof. by case/and4P: D_ok => /eqP size_D /(all_nthP [::])/(_ i) + _ _; rewrite size_D => /(_ (ltn_ord i))/andP[/eqP]. Qed.

Lemma hop_self (i : 'I_p) : hop D i i = 0%Z.
Proof.
case/and4P: D_ok => _ _ _ /(all_nthP 0%N)/(_ i); rewrite size_iota nth_iota // add0n.
by move=> /(_ (ltn_ord i))/andP[/Z.eqb_eq].
Qed.

Lemma hop_step (i j u : 'I_p) d : constrained near i j d -> d = Qmake 1 1 /\ (hop D i u <= hop D j u + 1)%Z.
Proof.
case/and4P: D_ok => _ _ /all_In steps _.
have one e : List.In e (pairs near) -> e.2 = Qmake 1 1 /\ forall x y : 'I_p, e.1.1 = N.of_nat x -> e.1.2 = N.of_nat y ->
    (hop D x u <= hop D y u + 1)%Z /\ (hop D y u <= hop D x u + 1)%Z.
  move=> /steps /and5P[_ _ /Z.eqb_eq num /Pos.eqb_eq den /(all_nthP (0%Z, 0%Z)) close]; split=> [|x y x_e y_e].
    by case: e.2 num den => q r /= -> ->.
  rewrite x_e y_e !Nat2N.id in close; have := close u; rewrite size_zip !size_hop minnn => /(_ (ltn_ord u)).
  by rewrite nth_zip ?size_hop // => /andP[/Z.leb_le ? /Z.leb_le].
by case=> /one[/= -> le]; split=> //; have [] := le _ _ erefl erefl.
Qed.

Lemma nearer_fromP x hs j : (j < size x)%N -> (forall h, List.In h hs -> size (nth [::] D (N.to_nat h)) = size x) ->
  nth false (nearer_from D x hs) j -> exists2 h, List.In h hs & (hop D (N.to_nat h) j + 1)%Z = nth 0%Z x j.
Proof.
move=> j_x; elim: hs => [|h hs IHhs] sizes; first by rewrite (nth_map 0%Z).
have size_found : size (nearer_from D x hs) = size x.
  elim: hs sizes {IHhs} => [|h' hs IHhs] sizes; first by rewrite size_map.
  rewrite size_map !size_zip sizes ?IHhs ?minnn //; last by right; left.
  by move=> h'' [e|in_hs]; apply: sizes; [left | right; right].
have size_h := sizes h (or_introl erefl).
rewrite /= (nth_map (0%Z, 0%Z, false)) ?size_zip ?size_h ?size_found ?minnn //.
rewrite nth_zip ?size_zip ?size_h ?size_found ?minnn //= nth_zip ?size_h //=.
case/orP=> [/Z.eqb_eq e|/IHhs[h' h'_in|h' h'_in e]]; first by exists h; [left | exact: e].
  by apply: sizes; right.
by exists h' => //; right.
Qed.

Lemma In_filter_map (a : pred (N * N * Q)) (f : N * N * Q -> N) s h :
  List.In h [seq f e | e <- s & a e] -> exists e, [/\ List.In e s, a e & h = f e].
Proof.
elim: s => [|e s IHs] //=; case: ifP => [ae /= [<-|/IHs[e' [? ? ?]]]|_ /IHs[e' [? ? ?]]].
- by exists e; split=> //; left.
- by exists e'; split=> //; right.
- by exists e'; split=> //; right.
Qed.

Lemma next_toP i h : List.In h (next_to near (N.of_nat i)) -> exists d, constrained near i (N.to_nat h) d.
Proof.
rewrite /next_to /constrained => h_in; rewrite N2Nat.id.
have [/In_filter_map|/In_filter_map] := proj1 (List.in_app_iff _ _ _) h_in.
  by case=> -[[x y] d] [e_in /N.eqb_eq /= <- ->]; exists d; left.
by case=> -[[x y] d] [e_in /N.eqb_eq /= <- ->]; exists d; right.
Qed.

(* Every input but the goal has a neighbour that is nearer to it. *)
Lemma hop_nearer (i u : 'I_p) : i != u -> exists (h : 'I_p) d, constrained near i h d /\ (hop D h u + 1)%Z = hop D i u.
Proof.
move=> iu; have /and4P[_ _ /all_In steps /(all_nthP 0%N)/(_ i)] := D_ok; rewrite size_iota nth_iota // add0n.
move=> /(_ (ltn_ord i))/andP[_ /(all_nthP 0%N)/(_ u)]; rewrite size_iota nth_iota // add0n.
have -> : (i == u :> nat) = false by apply/negbTE.
move=> /(_ (ltn_ord u)) /=.
have in_p h : List.In h (next_to near (N.of_nat i)) -> (N.to_nat h < p)%N.
  by case/next_toP=> d; case=> /steps /=; rewrite N2Nat.id => /and5P[/N.ltb_lt ? /N.ltb_lt ? _ _ _]; apply/ssrnat.ltP; lia.
have u_x : (u < size (nth [::] D i))%N by rewrite size_hop.
have sizes h : List.In h (next_to near (N.of_nat i)) -> size (nth [::] D (N.to_nat h)) = size (nth [::] D i).
  by move=> /in_p h_p; rewrite (size_hop (Ordinal h_p)) size_hop.
move=> /(nearer_fromP u_x sizes)[h h_in e].
by have [d ih] := next_toP h_in; exists (Ordinal (in_p h h_in)), d.
Qed.

Variable a : R.
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).

Definition Phi (i j : 'I_p) : R := a ^+ Z.to_nat (hop D i j).

(* Privacy along a shortest path. *)
Lemma private_hop m (X : 'M[R]_(p, m)) : private_for near a X -> forall i u r, Phi i u * X u r <= X i r /\ Phi i u * X i r <= X u r.
Proof.
move=> X_priv i u r; rewrite /Phi; move Ek: (Z.to_nat _) => k.
elim: k i Ek => [|k IHk] i Ek; have [i_u|iu] := eqVneq i u.
- by rewrite i_u !mul1r.
- have [h [d [_ hop_h]]] := hop_nearer iu; have := @hop_ge0 h u; have := @hop_ge0 i u; lia.
- by rewrite i_u hop_self in Ek.
have [h [d [ih hop_h]]] := hop_nearer iu.
have h_k : Z.to_nat (hop D h u) = k by have := @hop_ge0 h u; lia.
have [d1 _] := hop_step u ih; rewrite d1 in ih; have [hu uh] := IHk h h_k.
have one x y : constrained near x y (Qmake 1 1) -> forall (x' y' : 'I_p), x = x' -> y = y' -> a * X y' r <= X x' r.
  by move=> xy x' y' x_x' y_y'; subst; have := X_priv x' y' _ r xy; rewrite !expr1.
have hi : constrained near h i (Qmake 1 1) by case: ih; [right | left].
rewrite exprS; split.
  by apply: le_trans (one _ _ ih i h erefl erefl); rewrite -mulrA ler_pmul2l.
apply: le_trans uh; rewrite -mulrA mulrCA ler_pmul2l ?exprn_gt0 //; exact: (one _ _ hi).
Qed.

Lemma Phi_private u (c : R) : 0 <= c -> private_for near a (\matrix_(i < p, j < 1) (Phi i u * c)).
Proof.
move=> c_ge0 i j d r ij; have [-> le] := hop_step u ij; rewrite !expr1 !mxE mulrA ler_wpmul2r // /Phi -exprS.
by rewrite ler_wiexpn2l // ?ltW //; have := @hop_ge0 i u; have := @hop_ge0 j u; move: le => *; apply/ssrnat.leP; lia.
Qed.

Lemma Phi_similarity : similarity Phi.
Proof.
have Phi_gt0 x u : 0 < Phi x u by exact: exprn_gt0.
have Phi1 x : Phi x x = 1 by rewrite /Phi hop_self.
have col x := Phi_private x (@ler01 R).
have le x u : Phi x u <= Phi u x.
  by have [_] := private_hop (col x) x u ord0; rewrite !mxE !mulr1 Phi1 mulr1.
split=> // [x u|x y u]; first by apply/eqP; rewrite eq_le !le.
by have [+ _] := private_hop (col u) x y ord0; rewrite !mxE !mulr1.
Qed.

Lemma mechanism_hops m (X : 'M[R]_(p, m)) : mechanism_for near a X <-> mechanism Phi X.
Proof.
split=> -[X_st X_priv]; split=> //; first by move=> x x' y; have [] := private_hop X_priv x x' y.
move=> i j d r ij; have [-> le] := hop_step j ij; rewrite !expr1; apply: le_trans (X_priv i j r).
rewrite ler_wpmul2r ?(proj1 X_st) // /Phi -[X in X <= _]expr1 ler_wiexpn2l // ?ltW //.
by have := @hop_ge0 i j; rewrite hop_self in le; move: le => *; apply/ssrnat.leP; lia.
Qed.
End Hops.

Lemma powers_sum p (z : vector) (x y most : Z) (row : seq Z) : (0 < y)%Z -> (0 <= most)%Z -> size row = p ->
  (forall u, (u < p)%N -> (0 <= nth 0%Z row u)%Z /\ (nth 0%Z row u <= most)%Z) ->
  sum_Z [seq (zd.1 * (x ^ zd.2 * y ^ (most - zd.2)))%Z | zd <- zip [seq at_index (terms z) j | j <- iota 0 p] row]
    = (Zpos (unit z) * y ^ most)%Z ->
  \sum_(u < p) (of_Z x / of_Z y) ^+ Z.to_nat (nth 0%Z row u) * vector_entry R z u = 1.
Proof.
move=> y_gt0 most_ge0 size_row bounds e; have Y_gt0 := of_Z_gt0 R y_gt0.
have pow w k : (0 <= k)%Z -> of_Z (w ^ k) = of_Z w ^+ Z.to_nat k by move=> k_ge0; rewrite -of_ZX Z2Nat.id.
have Ym_neq0 : of_Z y ^+ Z.to_nat most != 0 by rewrite expf_neq0 // gt_eqF.
have z_neq0 := of_Z_pos_neq0 R (unit z).
have : of_Z (sum_Z [seq (zd.1 * (x ^ zd.2 * y ^ (most - zd.2)))%Z
                   | zd <- zip [seq at_index (terms z) j | j <- iota 0 p] row]) = of_Z (Zpos (unit z) * y ^ most)%Z by rewrite e.
rewrite (@sum_seq _ _ p) ?size_map ?size_zip ?size_map ?size_iota ?size_row ?minnn // of_ZM pow // => sum_is.
apply: (mulfI z_neq0); apply: (mulIf Ym_neq0); rewrite mulr1 -sum_is mulr_sumr mulr_suml; apply: eq_bigr => u _.
rewrite /vector_entry; set W := of_Z (Zpos (unit z)); have {z_neq0} W_neq0 : W != 0 by [].
have [d_ge0 d_le] := bounds u (ltn_ord u).
rewrite (nth_map (0%Z, 0%Z)) ?size_zip ?size_map ?size_iota ?size_row ?minnn // nth_zip ?size_map ?size_iota //=.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n !of_ZM !pow //; last by lia.
set d := nth 0%Z row u in d_ge0 d_le *.
have -> : of_Z y ^+ Z.to_nat most = of_Z y ^+ Z.to_nat d * of_Z y ^+ Z.to_nat (most - d).
  by rewrite -exprD; congr (_ ^+ _); rewrite -[addn]/Nat.add; lia.
have Yd_neq0 : of_Z y ^+ Z.to_nat d != 0 by rewrite expf_neq0 // gt_eqF.
rewrite expr_div_n; move: W W_neq0 => w w_neq0.
move: (of_Z y ^+ _) (of_Z y ^+ _) (of_Z x ^+ _) Yd_neq0 => yr yd xd yd_neq0.
by by_field R; split; apply/eqP.
Qed.

Theorem weighsP p near a kind z v : (0 < p)%N -> weighs p near a kind z v ->
  (exists m (X : 'M[R]_(p, m)), mechanism_for near (of_Q a) X /\ capacity_is kind X = of_Q v) /\
  (forall m (X : 'M[R]_(p, m)), mechanism_for near (of_Q a) X -> capacity_is kind X <= of_Q v).
Proof.
move=> p_gt0; rewrite /weighs; set D := hops p near; set most := foldr _ _ D.
set xy := (match kind with Multiplicative => _ | Additive => _ end).
set v' := (match kind with Multiplicative => _ | Additive => _ end).
have xy_is : xy = (xy.1, xy.2) by case: (xy).
rewrite xy_is => /and3P[/andP[a_level /Z.leb_le most_ge0] D_ok].
case/and4P=> /(all_nthP [::]) D_le /andP[z_p z_ge0] /(all_nthP [::]) sums v_is.
have /andP[a_gt0 a_lt1] := is_levelP R a_level; have /andP[/Z.ltb_lt num_gt0 _] := a_level.
pose w (u : 'I_p) := vector_entry R z u; have z_gt0 := of_Z_pos R (unit z).
have w_ge0 u : 0 <= w u by rewrite /w divr_ge0 ?(ltW z_gt0) // of_Z_ge0; exact/Z.leb_le/all_ge0P.
have w_sum : \sum_u w u = of_Z (total (terms z)) / of_Z (Zpos (unit z)) by rewrite /w -mulr_suml sum_row1.
have size_D : size D = p by case/and4P: D_ok => /eqP.
have xy_gt0 : (0 < xy.2)%Z by rewrite /xy; case: (kind).
have w_one (i : 'I_p) : \sum_(u < p) (of_Z xy.1 / of_Z xy.2) ^+ Z.to_nat (hop D i u) * w u = 1.
  have i_D : (i < size D)%N by rewrite size_D.
  have bounds (u : nat) : (u < p)%N -> (0 <= hop D i u)%Z /\ (hop D i u <= most)%Z.
    move=> u_p; split; first exact: (hop_ge0 D_ok).
    by have /(all_nthP 0%Z)/(_ u) := D_le i i_D; rewrite (size_hop D_ok) => /(_ u_p)/Z.leb_le.
  by apply: (powers_sum xy_gt0 most_ge0 (size_hop D_ok i) bounds); exact/Z.eqb_eq/sums.
pose F : 'I_p -> 'I_p -> R := @Phi p D (of_Q a); have F_sim : similarity F := Phi_similarity D_ok a_gt0 a_lt1.
pose x0 := Ordinal p_gt0.
have type m (X : 'M[R]_(p, m)) : mechanism_for near (of_Q a) X <-> mechanism F X := mechanism_hops D_ok a_gt0 a_lt1 X.
have conclude (G : 'I_p -> 'I_p -> R) :
    match kind with Multiplicative => attains_multiplicative F G (of_Q v) | Additive => attains_additive F G (of_Q v) end ->
    (exists m (X : 'M[R]_(p, m)), mechanism_for near (of_Q a) X /\ capacity_is kind X = of_Q v) /\
    (forall m (X : 'M[R]_(p, m)), mechanism_for near (of_Q a) X -> capacity_is kind X <= of_Q v).
  have G_entry i j : G i j = (\matrix_(i, j) G i j : 'M[R]_p) i j by rewrite mxE.
  case: (kind) => [/(eq_attains_multiplicative G_entry)|/(eq_attains_additive G_entry)] [G_mech G_cap G_max].
    by split=> [|m X /type X_mech]; [exists p, (\matrix_(i, j) G i j); split=> //; exact/type | exact: G_max].
  by split=> [|m X /type X_mech]; [exists p, (\matrix_(i, j) G i j); split=> //; exact/type | exact: G_max].
have v_sum : of_Q v = match kind with Multiplicative => \sum_u w u | Additive => 1 - \sum_u w u end.
  rewrite -(equalsP z_gt0 v_is) w_sum /v'; case: (kind) => //.
  by rewrite of_ZB mulrBl divff // gt_eqF.
move: w_one v_sum conclude; rewrite /xy; case: (kind) => /= w_one -> conclude.
  by apply: (conclude (scaled F w)); apply: weighted_multiplicative.
apply: (conclude (scaled (fun x u => (F x u)^-1) w)); apply: weighted_additive => //; split=> // x.
rewrite -[RHS](w_one x); apply: eq_bigr => u _; congr (_ * _).
by rewrite /F /Phi -exprVn /of_Q invf_div.
Qed.
End Weights.

(* ---- A dual of guessing the most likely input, or the least likely one ---- *)
(* The additive guess g stands for the input p - 1 - g. *)
Definition guesses (kind : capacity) (p : nat) : entries :=
  match kind with
  | Multiplicative => ZeroOneLoss
  | Additive => Listed [seq Vector 1 [:: (N.of_nat (p.-1 - i), 1%Z)] | i <- iota 0 p]
  end.

Definition uniform_prior (p : nat) : vector := Vector (Pos.of_nat p) (enumerate 0 (nseq p 1%Z)).

Definition guesser (kind : capacity) (near : neighbours) : consumer :=
  let labels := vertices near in
  Bayesian (Table [::] labels labels (guesses kind (size labels))) (uniform_prior (size labels)).

(* 1 - v/p, and (1 - v)/p. *)
Definition least_loss (p : nat) (kind : capacity) (v : Q) : Q :=
  match kind with
  | Multiplicative => Qmake (Zpos (Qden v) * Zpos (Pos.of_nat p) - Qnum v) (Qden v * Pos.of_nat p)
  | Additive => Qmake (Zpos (Qden v) - Qnum v) (Qden v * Pos.of_nat p)
  end.

Definition capacity_bound (near : neighbours) (a : Q) (kind : capacity) (X : integers) (d : dual) (v : Q) : bool :=
  let p := size (vertices near) in
  [&& (0 < p)%N && (0 <? scaling X)%Z, whole_levels near a, is_stochastic p p X, is_private p near a X,
      has_capacity p p kind X v &
      bounds p p near a (guesser kind near) (integers_of p p (guesses kind p)) d (least_loss p kind v)].

Section Dual.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma of_Z_of_nat p : (0 < p)%N -> of_Z (Zpos (Pos.of_nat p)) = p%:R.
Proof. by move=> p_gt0; rewrite /= Nat2Pos.id //; case: p p_gt0. Qed.

Lemma uniform_entry p (i : 'I_p) : vector_entry R (uniform_prior p) i = p%:R^-1.
Proof.
have p_gt0 : (0 < p)%N by apply: leq_ltn_trans (ltn_ord i).
rewrite /vector_entry (at_enumerate 0) ltn0 subn0 nth_nseq ltn_ord.
by rewrite (of_Z_of_nat p_gt0) mul1r.
Qed.

Lemma guess_entry p (i r : 'I_p) : matrix_of R p p (guesses Additive p) i r = (r == rev_ord i)%:R.
Proof.
rewrite mxE /= (nth_map 0%N) ?size_iota // nth_iota // add0n /vector_entry /=.
rewrite divr1; case: N.eqb_spec => [/Nat2N.inj e|e].
  suff -> : r == rev_ord i by [].
  by apply/eqP/val_inj; rewrite /= -e subnS -subn1 -subn1 -!subnDA addnC.
suff -> : r == rev_ord i = false by [].
by apply/negbTE/eqP => r_i; apply: e; rewrite r_i /= subnS -subn1 -subn1 -!subnDA addnC.
Qed.

Lemma least_lossE p kind v : (0 < p)%N ->
  of_Q (least_loss p kind v) = match kind with Multiplicative => 1 - of_Q v / p%:R | Additive => (1 - of_Q v) / p%:R end.
Proof.
move=> p_gt0; have p_neq0 : p%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have v_neq0 := of_Z_pos_neq0 R (Qden v).
have QE x y : of_Q (Qmake x y) = of_Z x / of_Z (Zpos y) by [].
case: kind; rewrite QE of_ZB Pos2Z.inj_mul !of_ZM !of_Z_of_nat // /of_Q;
  move: (p%:R : R) p_neq0 (of_Z (Zpos (Qden v))) v_neq0 => x x_neq0 y y_neq0; by by_field R; split; apply/eqP.
Qed.

Theorem capacity_boundP near a kind X d v : capacity_bound near a kind X d v ->
  let p := size (vertices near) in
  (exists m (Y : 'M[R]_(p, m)), mechanism_for near (of_Q a) Y /\ capacity_is kind Y = of_Q v) /\
  (forall m (Y : 'M[R]_(p, m)), mechanism_for near (of_Q a) Y -> capacity_is kind Y <= of_Q v).
Proof.
rewrite /capacity_bound; set p := size _ => /and5P[/andP[p_gt0 /Z.ltb_lt X_gt0] whole X_st X_priv /andP[cap bound]] /=.
have [Y rep_Y] := represents_some R p p X_gt0; split.
  exists p, Y; split; first by split; [exact: stochasticP rep_Y X_st | exact: is_privateP rep_Y X_priv].
  exact: (has_capacityP rep_Y X_st p_gt0 cap).
have sound : sound_table p p (guesses kind p) by case: (kind) => //=; rewrite size_map size_iota.
have none : none_below near p p (of_Q a) (guesser kind near) (of_Q (least_loss p kind v)) :=
  @boundsP R p p near a (guesser kind near) _ d _ (integers_ofP R sound) bound.
pose e (i j : 'I_p) := level_at R near a i j; have e_levels : levels near (of_Q a) e := @levelsP R near a p whole.
have type m (M : 'M[R]_(p, m)) : mechanism_for near (of_Q a) M <-> mechanism e M.
  by split=> -[M_st M_priv]; split=> //; [move=> i j r|]; move: M_priv; rewrite (private_levels e_levels (proj1 M_st)).
have p_neq0 : p%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have p_gt0' : 0 < p%:R :> R by rewrite ltr0n.
pose x0 := Ordinal p_gt0 => m M /type/(theorem25 x0)[].
have lossE (Z : 'M[R]_p) : bayes_loss (fun i : 'I_p => vector_entry R (uniform_prior p) i) (matrix_of R p p (guesses kind p)) Z
    = p%:R^-1 * \sum_i loss_at (matrix_of R p p (guesses kind p)) Z i.
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite uniform_entry.
have least (Z : 'M[R]_p) : mechanism e Z ->
    of_Q (least_loss p kind v) <= p%:R^-1 * \sum_i loss_at (matrix_of R p p (guesses kind p)) Z i.
  by move=> /type Z_mech; rewrite -lossE; apply: (none Z Z_mech); exact: lexx.
move: least; case: (kind) => least.
  case=> N [N_mech _ N_trace] _; rewrite [capacity_is _ _]/= -N_trace.
  have := least (\matrix_(i, j) N i j); rewrite least_lossE //.
  have N_mech' : mechanism e (\matrix_(i, j) N i j : 'M[R]_p).
    by apply: eq_mechanism N_mech => i j; rewrite mxE.
  have -> : \sum_i loss_at (matrix_of R p p (guesses Multiplicative p)) (\matrix_(i, j) N i j) i = p%:R - trace N.
    have -> : p%:R = \sum_(i < p) 1 :> R by rewrite sumr_const card_ord.
    rewrite -sumrB; apply: eq_bigr => i _; have [[_ N_sum] _] := N_mech.
    rewrite /loss_at -[X in X - _](N_sum i) (bigD1 i) //= [in RHS](bigD1 i) //= addrAC subrr add0r !mxE /= eqxx mul0r add0r.
    by apply: eq_bigr => j ji; rewrite !mxE /= eq_sym ji mul1r.
  move=> /(_ N_mech'); rewrite mulrBr mulVf // ler_add2l ler_opp2 [_ / _]mulrC ler_pmul2l ?invr_gt0 //.
move=> _ [N [N_mech _ N_trace]]; rewrite [capacity_is _ _]/= -N_trace.
have N_mech' : mechanism e (\matrix_(i, r) N i (rev_ord r) : 'M[R]_p).
  have [[N_ge0 N_sum] N_priv] := N_mech; split=> [|i j r]; last by rewrite !mxE.
  split=> [i r|i]; first by rewrite mxE.
  rewrite -(N_sum i) (reindex_inj rev_ord_inj); apply: eq_bigr => r _; by rewrite mxE rev_ordK.
have := least _ N_mech'; rewrite least_lossE //.
have -> : \sum_i loss_at (matrix_of R p p (guesses Additive p)) (\matrix_(i, r) N i (rev_ord r)) i = trace N.
  apply: eq_bigr => i _; rewrite /loss_at (bigD1 (rev_ord i)) //= guess_entry eqxx mul1r mxE rev_ordK.
  rewrite big1 ?addr0 // => j ji; by rewrite guess_entry (negPf ji) mul0r.
by rewrite mulrC ler_pmul2l ?invr_gt0 // => le; rewrite ler_subl_addr addrC -ler_subl_addr.
Qed.
End Dual.
