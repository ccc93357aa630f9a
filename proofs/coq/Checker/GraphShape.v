(* SPDX-License-Identifier: MIT *)
(* Neighbours as a graph, decided on lists: distances, trees, cycles, degrees.                                *)
(*                                                                                                            *)
(*   joined near i j      there is a pair of i and j                                                          *)
(*   is_simple            all distances are 1, and no input is a neighbour of itself   (is_simpleP)           *)
(*   are_hops near p D    the graph is connected, D are its distances                  (are_hopsP)            *)
(*   is_acyclic           it has no cycle                                              (is_acyclicP)          *)
(*   is_cycle             some inputs are a cycle                                      (is_cycleP)            *)
(*   degree_in            the number of neighbours of an input                         (degreeP)              *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Walks.
From ExactDP.Checker Require Import Numbers Rows Syntax Meaning ForestBound.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition joined (near : neighbours) (i j : nat) : bool := has (is_pair i j) (pairs near) || has (is_pair j i) (pairs near).

Definition is_one (d : Q) : bool := Z.eqb (Qnum d) 1 && Pos.eqb (Qden d) 1.

Definition is_simple (near : neighbours) : bool :=
  all (fun e : N * N * Q => is_one e.2 && ~~ N.eqb e.1.1 e.1.2) (pairs near).

(* The lengths of shortest walks from j, by breadth-first search; nothing depends on their being right. *)
Fixpoint levels (fuel : nat) (near : neighbours) (seen frontier : seq nat) (d : nat) (found : seq (nat * nat)) : seq (nat * nat) :=
  match fuel with
  | O => found
  | k.+1 => let next := undup [seq h <- flatten [seq [seq N.to_nat h | h <- beside near (N.of_nat i)] | i <- frontier] | h \notin seen] in
            levels k near (next ++ seen) next d.+1 ([seq (i, d) | i <- frontier] ++ found)
  end.

Definition hops_from (near : neighbours) (p j : nat) : seq nat :=
  let found := levels p near [:: j] [:: j] 0 [::] in
  [seq head 0%N [seq x.2 | x <- found & x.1 == i] | i <- iota 0 p].

Definition hops (near : neighbours) (p : nat) : seq (seq nat) := [seq hops_from near p j | j <- iota 0 p].

Definition away (D : seq (seq nat)) (i j : nat) : nat := nth 0%N (nth [::] D i) j.

(* The neighbours of an input, each once. *)
Definition around (near : neighbours) (p i : nat) : seq nat :=
  let hs := beside near (N.of_nat i) in [seq h <- iota 0 p | has (N.eqb (N.of_nat h)) hs].

(* Row i of the distances: 0 at i, and elsewhere one more than the least number in the rows of neighbours. *)
Definition least_row (p : nat) (rows : seq (seq nat)) : seq nat :=
  foldr (fun r s => [seq (if x.1 < x.2 then x.1 else x.2)%N | x <- zip r s]) (nseq p p) rows.

Definition is_row_of_hops (p i : nat) (row : seq nat) (others : seq (seq nat)) : bool :=
  [&& size row == p, all (fun r => size r == p) others &
      all (fun x : nat * (nat * nat) => if x.1 == i then x.2.1 == 0%N else (x.2.2 < p)%N && (x.2.1 == x.2.2.+1))
          (zip (iota 0 p) (zip row (least_row p others)))].

Definition are_hops (near : neighbours) (p : nat) (D : seq (seq nat)) : bool :=
  all (fun i => is_row_of_hops p i (nth [::] D i) [seq nth [::] D h | h <- around near p i]) (iota 0 p).

(* Of the neighbours of an input one at most is not farther from input 0. *)
Definition is_acyclic (near : neighbours) (p : nat) (D : seq (seq nat)) : bool :=
  all (fun i => (count (fun h => (away D h 0 <= away D i 0)%N) (around near p i) <= 1)%N) (iota 0 p).

Definition is_cycle (near : neighbours) (p : nat) (c : seq nat) : bool :=
  [&& cycle (joined near) c, uniq c, all (fun i => i < p)%N c & (2 < size c)%N].

Definition degree_in (near : neighbours) (p i : nat) : nat := size (around near p i).

Section Graph.
Variables (p : nat) (near : neighbours).
Local Notation adjacent := (@adjacent p near).

Lemma adjacentE (i j : 'I_p) : adjacent i j = joined near i j. Proof. by []. Qed.

Lemma is_simpleP : is_simple near -> all_one near /\ simple_graph adjacent.
Proof.
move=> /all_In ok; split=> [e /ok/andP[/andP[/Z.eqb_eq num /Pos.eqb_eq den] _]|].
  by case: (e.2) num den => n d /= -> ->.
split=> [i j|i]; first by rewrite !adjacentE /joined orbC.
rewrite adjacentE /joined orbb; apply/negP => /has_In[e /ok/andP[_ /negP differ] /andP[/N.eqb_eq i1 /N.eqb_eq i2]].
by apply: differ; rewrite i1 i2 N.eqb_refl.
Qed.

Lemma mem_iota_ord (i : 'I_p) : val i \in iota 0 p.
Proof. by rewrite mem_iota add0n ltn_ord. Qed.

Lemma joined_beside i h : has (N.eqb (N.of_nat h)) (beside near (N.of_nat i)) = joined near i h.
Proof.
rewrite /joined /beside; elim: (pairs near) => [|e s IHs] //=; rewrite has_cat IHs /is_pair.
move: (has _ s) (has _ s) => c d; case: (e.1) => x y /=; rewrite [N.eqb x (N.of_nat h)]N.eqb_sym [N.eqb y (N.of_nat h)]N.eqb_sym.
case: (N.eqb_spec x (N.of_nat i)) => [->|_] /=; last first.
  by case: N.eqb; rewrite /= ?orbF ?andbT; case: (N.eqb (N.of_nat h) x); case: c; case: d.
case: (N.eqb_spec (N.of_nat h) y) => [_|h_y] //=.
have -> : N.eqb (N.of_nat h) (N.of_nat i) && N.eqb y (N.of_nat i) = false; last by [].
by apply/negP => /andP[/N.eqb_eq hi /N.eqb_eq yi]; apply: h_y; rewrite hi yi.
Qed.

Lemma mem_around (i j : 'I_p) : (val j \in around near p i) = adjacent i j.
Proof. by rewrite mem_filter mem_iota_ord andbT joined_beside. Qed.

Lemma around_ord (i : 'I_p) h : h \in around near p i -> exists2 j : 'I_p, val j = h & adjacent i j.
Proof. by rewrite mem_filter mem_iota add0n joined_beside => /andP[ij h_p]; exists (Ordinal h_p). Qed.

Lemma degreeP (i : 'I_p) : degree adjacent i = degree_in near p i.
Proof.
rewrite /degree_in /around size_filter -sum1_count -[p in iota 0 p]subn0 -/(index_iota 0 p) big_mkord.
by rewrite /degree -sum1_card; apply: eq_bigl => j; rewrite joined_beside.
Qed.

Section Hops.
Variable D : seq (seq nat).
Hypothesis D_ok : are_hops near p D.

Lemma size_least s : all (fun r => size r == p) s -> size (least_row p s) = p.
Proof.
elim: s => [|u s IHs] /=; first by rewrite size_nseq.
by case/andP=> /eqP size_u /IHs e; rewrite size_map size_zip size_u e minnn.
Qed.

Lemma hops_at (i j : 'I_p) : let others := [seq nth [::] D h | h <- around near p i] in
  all (fun r => size r == p) others /\
  if i == j then away D i j = 0%N
  else (nth 0%N (least_row p others) j < p)%N /\ away D i j = (nth 0%N (least_row p others) j).+1.
Proof.
move=> others; have /allP/(_ _ (mem_iota_ord i))/and3P[/eqP size_row sizes] := D_ok.
have size_others := size_least sizes.
rewrite -/others => /(all_nthP (0%N, (0%N, 0%N)))/(_ j); rewrite !size_zip size_iota size_row size_others !minnn ltn_ord => /(_ isT).
rewrite !nth_zip ?size_zip ?size_iota ?size_row ?size_others ?minnn // nth_iota // add0n -/(away D i j) [_.1]/= eq_sym val_eqE.
by rewrite /=; case: ifP => _ => [/eqP|/andP[? /eqP]].
Qed.

Lemma least_row_le rows r j : all (fun r => size r == p) rows -> r \in rows -> (j < p)%N ->
  (nth 0%N (least_row p rows) j <= nth 0%N r j)%N.
Proof.
elim: rows => [|u s IHs] //= /andP[/eqP size_u sizes]; rewrite inE => r_in j_p.
rewrite (nth_map (0%N, 0%N)) ?size_zip ?size_u ?size_least // ?minnn // nth_zip ?size_u ?size_least //=.
case: ltnP => le; case/predU1P: r_in => [-> //|r_s]; last exact: IHs.
exact: leq_trans (ltnW le) (IHs sizes r_s j_p).
Qed.

Lemma least_row_attained rows j : all (fun r => size r == p) rows -> (j < p)%N -> (nth 0%N (least_row p rows) j < p)%N ->
  exists2 r, r \in rows & nth 0%N (least_row p rows) j = nth 0%N r j.
Proof.
elim: rows => [|u s IHs] /= => [_ j_p|/andP[/eqP size_u sizes] j_p]; first by rewrite nth_nseq j_p ltnn.
rewrite (nth_map (0%N, 0%N)) ?size_zip ?size_u ?size_least // ?minnn // nth_zip ?size_u ?size_least //=.
case: (ltnP (nth 0 u j)) => _ lt; first by exists u; rewrite ?inE ?eqxx.
by have [r r_s ->] := IHs sizes j_p lt; exists r; rewrite // inE r_s orbT.
Qed.

Lemma hops_self (i : 'I_p) : away D i i = 0%N.
Proof. by have [_] := hops_at i i; rewrite eqxx. Qed.

Lemma hops_nearer (i j : 'I_p) : i != j -> exists2 h, adjacent i h & away D i j = (away D h j).+1.
Proof.
move/negPf=> ij; have [sizes] := hops_at i j; rewrite ij => -[lt ->].
have [r /mapP[h /around_ord[k <- ik] ->] ->] := least_row_attained sizes (ltn_ord j) lt.
by exists k.
Qed.

Lemma hops_step (i h j : 'I_p) : adjacent i h -> (away D i j <= (away D h j).+1)%N.
Proof.
move=> ih; have [sizes] := hops_at i j; case: ifP => _ => [-> //|[lt ->]]; rewrite ltnS.
by apply: least_row_le sizes _ (ltn_ord j); apply: map_f; rewrite mem_around.
Qed.

Lemma hops_connected : connected adjacent.
Proof.
move=> i j; move: {2}(away D i j) (erefl (away D i j)) => n.
elim: n i => [|n IHn] i e; case: (eqVneq i j) => [->|ij]; rewrite ?connect0 //.
  by have [h _] := hops_nearer ij; rewrite e.
have [h ih] := hops_nearer ij; rewrite e => -[/esym/IHn]; exact: connect_trans (connect1 ih).
Qed.

Theorem are_hopsP : connected adjacent /\ forall i j : 'I_p, distance adjacent i j = away D i j.
Proof.
split=> [|i j]; first exact: hops_connected.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  apply: distance_min; move: {2 3}(away D i j) (erefl (away D i j)) => n.
  elim: n i => [|n IHn] i e; case: (eqVneq i j) => [ij|ij].
  - by rewrite ij /=.
  - by have [h _] := hops_nearer ij; rewrite e.
  - by move: e; rewrite ij hops_self.
  have [h ih] := hops_nearer ij; rewrite e => -[/esym/IHn h_j].
  by apply/existsP; exists h; rewrite ih.
have := walk_distance hops_connected i j; move: (distance adjacent i j) => n.
elim: n i => [|n IHn] i /=; first by move/eqP ->; rewrite hops_self.
by case/existsP=> h /andP[ih /IHn le_n]; apply: leq_trans (hops_step j ih) _.
Qed.

Lemma no_cycle (c : seq 'I_p) (z : 'I_p) : val z = 0%N -> is_acyclic near p D -> symmetric adjacent ->
  ucycle adjacent c -> (size c <= 2)%N.
Proof.
move=> z0 /allP few sym /andP[c_cycle c_uniq]; rewrite leqNgt; apply/negP => c_long.
case: c c_cycle c_uniq c_long => [|v0 c0] //; set c := v0 :: c0 => c_cycle c_uniq c_long.
case: (@arg_maxnP _ v0 (mem c) (fun i : 'I_p => away D i 0) (mem_head _ _)) => v v_c v_max.
have [r s rot_c] := rot_to v_c.
have : cycle adjacent (v :: s) by rewrite -rot_c rot_cycle.
have : uniq (v :: s) by rewrite -rot_c rot_uniq.
have : (2 < size (v :: s))%N by rewrite -rot_c size_rot.
have s_c x : x \in v :: s -> (away D x 0 <= away D v 0)%N by rewrite -rot_c mem_rot => /v_max.
case: s rot_c s_c => [|i [|j s]] // rot_c s_c _ /= /and3P[_ i_notin _] /andP[vi].
rewrite rcons_path /= => /andP[_] /andP[_ last_v].
have last_in : last j s \in j :: s by exact: mem_last.
have vl : adjacent v (last j s) by rewrite sym.
have := few v (mem_iota_ord v); rewrite leqNgt => /negP; apply.
rewrite -size_filter.
have sub : {subset [:: val i; val (last j s)] <= [seq h <- around near p v | (away D h 0 <= away D v 0)%N]}.
  move=> h; rewrite !inE => /orP[] /eqP ->; rewrite mem_filter mem_around ?vi ?vl andbT s_c // !inE ?eqxx ?orbT //.
  by move: last_in; rewrite !inE => ->; rewrite !orbT.
apply: (uniq_leq_size _ sub); rewrite /= inE andbT.
by apply: contraNneq i_notin => /val_inj ->.
Qed.

Theorem is_acyclicP : is_acyclic near p D -> symmetric adjacent -> acyclic adjacent.
Proof.
move=> few sym c; case: c => [|v c] // c_cycle.
have p_gt0 : (0 < p)%N := leq_ltn_trans (leq0n _) (ltn_ord v).
exact: (no_cycle (z := Ordinal p_gt0)) c_cycle.
Qed.

End Hops.

Lemma ordinals (c : seq nat) : all (fun i => i < p)%N c -> exists s : seq 'I_p, map val s = c.
Proof.
elim: c => [|i c IHc] /=; first by exists [::].
by case/andP=> i_p /IHc[s <-]; exists (Ordinal i_p :: s).
Qed.

Theorem is_cycleP c : is_cycle near p c -> ~ acyclic adjacent.
Proof.
case/and4P=> c_cycle c_uniq /ordinals[s s_c] c_long no_cycles.
have := no_cycles s; rewrite leqNgt -(size_map val) s_c c_long => /(_ _)/negP; apply=> //.
apply/andP; split; last by rewrite -(map_inj_uniq val_inj) s_c.
by rewrite -s_c cycle_map in c_cycle.
Qed.

(* Different neighbours of an input. *)
Lemma many_neighbours (v : 'I_p) c : uniq c -> all (joined near v) c -> all (fun i => i < p)%N c ->
  (size c <= degree adjacent v)%N.
Proof.
move=> c_uniq c_near c_p; rewrite degreeP; apply: uniq_leq_size => // h h_c.
by rewrite mem_filter joined_beside (allP c_near) // mem_iota (allP c_p).
Qed.

End Graph.
