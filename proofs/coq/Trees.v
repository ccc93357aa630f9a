(* SPDX-License-Identifier: MIT *)
(* Trees, that is connected graphs without a cycle, seen from an input g, the root.                           *)
(*                                                                                                            *)
(*   one_nearer   of the neighbours of x at most one is not farther from g than x                             *)
(*   parent g x   the neighbour of x on the way to g                                                          *)
(*   tree_sum     a sum over all pairs of neighbours, arranged by children                                    *)
(*   tree_ones    sum_v a^d(g,v) (1 - (deg v - 1) a) = 1 + a, for every g                                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Walks.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Tree.
Variables (p : nat) (adjacent : rel 'I_p).
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent) (no_cycle : acyclic adjacent).

Local Notation distance := (distance adjacent).

(* Edges away from x. *)
Definition avoiding (x : 'I_p) : rel 'I_p := fun y z => [&& adjacent y z, y != x & z != x].

Lemma avoiding_path x u s : path (avoiding x) u s -> path adjacent u s && (x \notin s).
Proof.
elim: s u => [|z s IHs] u //= /andP[/and3P[uz _ zx] /IHs/andP[zs x_s]].
by rewrite uz zs inE negb_or eq_sym zx.
Qed.

(* Two ways from x to one place would make a cycle. *)
Lemma one_way x u u' : adjacent x u -> adjacent x u' -> connect (avoiding x) u u' -> u = u'.
Proof.
move=> xu xu' /connectP[s0 s0_path]; case: (shortenP s0_path) => s /avoiding_path/andP[s_path x_s] s_uniq _.
case: s s_path x_s s_uniq => [|z s] //= s_path x_s s_uniq u'_last; suff /no_cycle : ucycle adjacent [:: x, u, z & s] by [].
move: s_path x_s s_uniq => /andP[uz zs] x_zs /andP[u_zs zs_uniq].
rewrite /ucycle /ucycleb /= xu uz rcons_path zs -u'_last (adjacent_sym graph) xu' u_zs zs_uniq inE negb_or x_zs.
by rewrite (adjacent_neq graph).
Qed.

Lemma way_down x y g : y != x -> (distance y g <= distance x g)%N -> connect (avoiding x) y g.
Proof.
have [n] := ubnP (distance y g); elim: n y => // n IHn y y_lt yx y_le.
case: (eqVneq y g) => [->|yg]; first exact: connect0.
have [h yh Eh] := nearer conn yg; have hx : h != x.
  by apply: contraTneq y_le => <-; rewrite -ltnNge Eh.
apply: connect_trans (IHn h _ hx _); first by apply: connect1; rewrite /avoiding yh yx hx.
  by rewrite -ltnS -Eh.
by apply: leq_trans y_le; rewrite Eh.
Qed.

Lemma one_nearer x u u' g : adjacent x u -> adjacent x u' ->
  (distance u g <= distance x g)%N -> (distance u' g <= distance x g)%N -> u = u'.
Proof.
have neq z : adjacent x z -> z != x by rewrite eq_sym; exact: adjacent_neq.
move=> xu xu' u_le u'_le; apply: (one_way xu xu'); apply: connect_trans (way_down (neq _ xu) u_le) _.
rewrite (sym_connect_sym _) ?way_down ?neq // => y z.
by rewrite /avoiding (adjacent_sym graph) [(y != x) && _]andbC.
Qed.

(* A neighbour of x that is nearer to g, and x itself if there is none; in a tree there is one unless x = g, and only one. *)
Definition parent g x := odflt x [pick u | adjacent x u && (distance u g < distance x g)%N].

Lemma parentP g x : x != g -> adjacent x (parent g x) /\ distance x g = (distance (parent g x) g).+1.
Proof.
move=> xg; rewrite /parent; case: pickP => [u /andP[xu u_lt]|none] /=.
  by split=> //; apply/eqP; rewrite eqn_leq u_lt (distance_step conn).
by have [h xh Eh] := nearer conn xg; have := none h; rewrite xh Eh ltnSn.
Qed.

Lemma parent_unique g x u : adjacent x u && (distance u g < distance x g)%N = (x != g) && (u == parent g x).
Proof.
case: (eqVneq x g) => [->|xg]; first by rewrite distance_self ltn0 andbF.
have [xp Ep] := parentP xg; apply/idP/eqP => [/andP[xu u_lt]|->]; last by rewrite xp Ep ltnSn.
by apply: (one_nearer (g := g)) xp _ _ => //; rewrite ?Ep // -Ep ltnW.
Qed.

(* Of two neighbours one is nearer. *)
Lemma nearer_or_farther g x u : adjacent x u -> (distance x g < distance u g)%N = ~~ (distance u g < distance x g)%N.
Proof.
move=> xu; rewrite -leqNgt [RHS]leq_eqVlt; case: eqP => // same; rewrite -same ltnn /=.
have ux : adjacent u x by rewrite (adjacent_sym graph).
case: (eqVneq x g) => [xg|xg].
  have := distance_gt0 conn u g; rewrite -same {1}xg distance_self.
  by rewrite -xg eq_sym (adjacent_neq graph).
have [xp Ep] := parentP xg; have up := one_nearer xu xp.
by have := up g; rewrite same leqnn -same Ep leqnSn => /(_ isT isT) E; move: same; rewrite E Ep; nat_lia.
Qed.

Section Sums.
Variables (R : realFieldType).
Add Field R_field : (field_theory_of R).

Lemma parent_sum g v (F : 'I_p -> R) :
  \sum_(u | adjacent v u && (distance u g < distance v g)%N) F u = if v != g then F (parent g v) else 0.
Proof.
rewrite (eq_bigl _ _ (parent_unique g v)); case: eqVneq => _ /=; first by rewrite big_pred0.
by rewrite big_pred1_eq.
Qed.

Lemma tree_sum g (F : 'I_p -> 'I_p -> R) :
  \sum_v \sum_(u | adjacent v u) F v u = \sum_(v | v != g) (F v (parent g v) + F (parent g v) v).
Proof.
under eq_bigr => v _ do rewrite (bigID (fun u => distance u g < distance v g)%N) /=.
rewrite big_split [RHS]big_split /=; congr (_ + _).
  by under eq_bigr => v _ do rewrite parent_sum; rewrite [RHS]big_mkcond.
rewrite (exchange_big_dep xpredT) //= [RHS]big_mkcond /=; apply: eq_bigr => u _.
rewrite -(parent_sum g u (fun v => F v u)); apply: eq_bigl => v.
by rewrite (adjacent_sym graph); case uv: (adjacent u v) => //=; rewrite nearer_or_farther ?negbK // (adjacent_sym graph).
Qed.

Lemma sum_neighbours v (c : R) : \sum_(u | adjacent v u) c = c * (degree adjacent v)%:R.
Proof. by rewrite (sumr_const (adjacent v)) mulr_natr. Qed.

Lemma tree_ones (a : R) g :
  \sum_v a ^+ distance v g * (1 - ((degree adjacent v)%:R - 1) * a) = 1 + a.
Proof.
have -> : \sum_v a ^+ distance v g * (1 - ((degree adjacent v)%:R - 1) * a) =
    \sum_v (1 + a) * a ^+ distance v g - \sum_v \sum_(u | adjacent v u) a * a ^+ distance v g.
  by rewrite -sumrB; apply: eq_bigr => v _; rewrite sum_neighbours; by_ring R.
rewrite (tree_sum g) (bigD1 g) //= distance_self expr0 mulr1 -addrA -sumrB big1 ?addr0 // => v vg.
by have [_ ->] := parentP vg; rewrite exprS; by_ring R.
Qed.

End Sums.
End Tree.
