(* SPDX-License-Identifier: MIT *)
(* Graphs on the inputs: walks, distance, cycles.                                                             *)
(*                                                                                                            *)
(*   walk n i j     there is a walk with n edges from i to j                                                  *)
(*   distance i j   the least length of a walk; p, the number of inputs, when there is none                   *)
(*   acyclic        a cycle without repeated inputs has at most two of them: there is no true cycle           *)
(*   two_colours    the graph is bipartite                                                                    *)
(*                                                                                                            *)
(* A graph is a symmetric irreflexive relation; it is connected when mathcomp's [connect] holds everywhere.   *)
From mathcomp Require Import all_ssreflect.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Definitions.
Variables (p : nat) (adjacent : rel 'I_p).

(* Adjacency is symmetric, and no input is adjacent to itself. *)
Definition simple_graph := symmetric adjacent /\ irreflexive adjacent.

(* There is a walk from every input to every other. *)
Definition connected := forall i j, connect adjacent i j.

(* A cycle of different inputs has at most two of them: it goes along one edge and back. *)
Definition acyclic := forall c, ucycle adjacent c -> size c <= 2.

(* The graph is bipartite: each input gets one of two colours, and neighbours get different ones. *)
Definition two_colours := exists c : 'I_p -> bool, forall i j, adjacent i j -> c i != c j.

(* deg v: the number of neighbours of v. *)
Definition degree (v : 'I_p) : nat := #|adjacent v|.

(* There is a walk with n edges from i to j. *)
Fixpoint walk (n : nat) (i j : 'I_p) : bool :=
  if n is n'.+1 then [exists h, adjacent i h && walk n' h j] else i == j.

(* d(i,j): the least number of edges of a walk from i to j; p, the number of inputs, where there is no walk. *)
Definition distance (i j : 'I_p) : nat := find (fun n => walk n i j) (iota 0 p).

Lemma walk_cat m n i j k : walk m i j -> walk n j k -> walk (m + n) i k.
Proof.
elim: m i => [|m IHm] i /=; first by move=> /eqP ->.
by case/existsP=> h /andP[ih hj] jk; apply/existsP; exists h; rewrite ih IHm.
Qed.

Lemma walk1 i j : adjacent i j -> walk 1 i j.
Proof. by move=> ij; apply/existsP; exists j; rewrite ij /=. Qed.

Lemma path_walk i s : path adjacent i s -> walk (size s) i (last i s).
Proof.
elim: s i => [|h s IHs] i //= /andP[ih hs].
by apply/existsP; exists h; rewrite ih IHs.
Qed.

Lemma distance_min n i j : walk n i j -> distance i j <= n.
Proof.
move=> ij; rewrite leqNgt; apply/negP => n_lt; have := before_find 0 n_lt.
by rewrite nth_iota ?add0n ?ij // (leq_trans n_lt) // (leq_trans (find_size _ _)) // size_iota.
Qed.

Lemma distance_self i : distance i i = 0.
Proof. by apply/eqP; rewrite -leqn0; apply: distance_min; rewrite /=. Qed.

End Definitions.

Section Graph.
Variables (p : nat) (adjacent : rel 'I_p).
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent).

Local Notation walk := (walk adjacent).
Local Notation distance := (distance adjacent).

Lemma adjacent_sym i j : adjacent i j = adjacent j i.
Proof. by case: graph. Qed.

Lemma adjacent_neq i j : adjacent i j -> i != j.
Proof. by case: graph => _ irr; case: eqP => // ->; rewrite irr. Qed.

Lemma walk_rev n i j : walk n i j -> walk n j i.
Proof.
elim: n i => [|n IHn] i; first by rewrite /= eq_sym.
case/existsP=> h /andP[ih hj]; rewrite -addn1; apply: walk_cat (IHn _ hj) _.
by apply: walk1; rewrite adjacent_sym.
Qed.

Lemma short_walk i j : exists2 n, n < p & walk n i j.
Proof.
have [s0 s0_path ->] := connectP (conn i j); case: (shortenP s0_path) => s s_path s_uniq _.
exists (size s); last exact: path_walk.
by have := max_card (mem (i :: s)); rewrite (card_uniqP s_uniq) card_ord.
Qed.

Lemma distance_lt i j : distance i j < p.
Proof. by have [n n_lt /distance_min n_le] := short_walk i j; exact: leq_ltn_trans n_le n_lt. Qed.

Lemma walk_distance i j : walk (distance i j) i j.
Proof.
have [n n_lt ij] := short_walk i j; have has_walk : has (fun n => walk n i j) (iota 0 p).
  by apply/hasP; exists n; rewrite ?mem_iota.
by have := nth_find 0 has_walk; rewrite nth_iota ?distance_lt.
Qed.

Lemma distance_sym i j : distance i j = distance j i.
Proof.
by apply/eqP; rewrite eqn_leq !distance_min //; apply: walk_rev; apply: walk_distance.
Qed.

Lemma distance_triangle i j k : distance i k <= distance i j + distance j k.
Proof. by apply: distance_min; apply: walk_cat; exact: walk_distance. Qed.

Lemma distance_step i j k : adjacent i j -> distance i k <= (distance j k).+1.
Proof.
by move=> ij; apply: distance_min; rewrite -add1n; apply: walk_cat (walk1 ij) _; exact: walk_distance.
Qed.

Lemma distance_gt0 i j : (0 < distance i j) = (i != j).
Proof.
case: (eqVneq i j) => [->|ij]; first by rewrite distance_self.
rewrite lt0n; apply/eqP => d0; have := walk_distance i j.
by rewrite d0 /=; apply/negP.
Qed.

Lemma distance_adjacent i j : adjacent i j -> distance i j = 1.
Proof.
move=> ij; apply/eqP; rewrite eqn_leq distance_gt0 adjacent_neq // andbT.
by apply: distance_min; apply: walk1.
Qed.

Lemma distance_one i j : distance i j = 1 -> adjacent i j.
Proof.
move=> d1; have := walk_distance i j; rewrite d1 => /existsP[h /andP[ih]].
by rewrite /= => /eqP <-.
Qed.

(* Some neighbour is nearer. *)
Lemma nearer i g : i != g -> exists2 h, adjacent i h & distance i g = (distance h g).+1.
Proof.
move=> ig; have := walk_distance i g; case Ed: (distance i g) => [|d].
  by rewrite /= => /eqP e; rewrite e eqxx in ig.
case/existsP=> h /andP[ih hg]; exists h => //; apply/eqP; rewrite eqSS eqn_leq distance_min // andbT.
by rewrite -ltnS -Ed distance_step.
Qed.

(* Without odd closed walks the parity of the distance from any input is a colouring. *)
Lemma even_walks_colour v i j : (forall n, walk n v v -> ~~ odd n) -> adjacent i j ->
  odd (distance v i) != odd (distance v j).
Proof.
move=> even ij; apply/negP => /eqP same.
have := even _ (walk_cat (walk_distance v i) (walk_cat (walk1 ij) (walk_distance j v))).
by rewrite !oddD [distance j v]distance_sym same addbCA addbb.
Qed.

End Graph.
