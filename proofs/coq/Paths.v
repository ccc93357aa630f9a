(* SPDX-License-Identifier: MIT *)
(* Which graphs have a universally optimal mechanism for the distance loss: paths, exactly.                   *)
(*                                                                                                            *)
(*   on_a_line                  the graph is the line 0, ..., n in some order                                 *)
(*   tree_on_a_line             so is a tree where no input has three neighbours: sort it by the distance     *)
(*                              from an end, and an input farthest from another is an end                     *)
(*   line_universally_optimal   then the geometric mechanism, in this order, is universally optimal           *)
(*   distance_optimal_iff       a connected graph has a universally optimal mechanism exactly when it is one  *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Losses Universal.
From ExactDP Require Import Walks Retracts ImpossibilityDistance Trees.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The graph is a path: its inputs can be numbered by 0, ..., n, each number once, such that two inputs are adjacent *)
(* exactly if their numbers differ by one.                                                                           *)
Definition on_a_line n (adjacent : rel 'I_n.+1) :=
  exists2 f : 'I_n.+1 -> 'I_n.+1, bijective f & forall i j, adjacent i j = line (f i) (f j).

Section Path.
Variables (n : nat) (adjacent : rel 'I_n.+1).
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent) (no_cycle : acyclic adjacent).
Hypothesis few_neighbours : forall v, (degree adjacent v <= 2)%N.

Local Notation distance := (distance adjacent).
Local Notation parent := (parent adjacent).

(* An input farthest from another has one neighbour at most. *)
Lemma end_exists : exists g, forall u u', adjacent g u -> adjacent g u' -> u = u'.
Proof.
case: (@arg_maxnP _ ord0 xpredT (fun g => distance g ord0) isT) => g _ g_max.
by exists g => u u' gu gu'; apply: (one_nearer graph conn no_cycle (g := ord0) gu gu'); apply: g_max.
Qed.

(* The number of x when the inputs are counted from g: its distance to g. *)
Definition place g x : 'I_n.+1 := Ordinal (distance_lt conn x g).

Lemma place_inj g : (forall u u', adjacent g u -> adjacent g u' -> u = u') -> injective (place g).
Proof.
move=> g_end x y /(congr1 val) /=; move En: (distance x g) => d; elim: d x y En => [|d IHd] x y Ex Ey.
  have at_g z : distance z g = 0%N -> z = g.
    by move=> z0; apply/eqP; have := distance_gt0 conn z g; rewrite z0 ltnn; case: eqP.
  by rewrite (at_g x) // (at_g y).
have [xg yg] : x != g /\ y != g by rewrite -!(distance_gt0 conn) Ex -Ey.
have [xq Eq] := parentP conn xg; have [yq' Eq'] := parentP conn yg.
have qq' : parent g x = parent g y by apply: IHd; apply: succn_inj; rewrite -?Eq -?Eq'.
rewrite -qq' in yq' Eq'; set q := parent g x in xq Eq yq' Eq'.
have qx : adjacent q x by rewrite (adjacent_sym graph).
have qy : adjacent q y by rewrite (adjacent_sym graph).
case: (eqVneq q g) => [q_g|qg]; first by apply: g_end; rewrite -q_g.
have [qr Er] := parentP conn qg; set r := parent g q in qr Er.
apply/eqP/contraT => xy; have := few_neighbours q; rewrite leqNgt => /negP[]; apply/card_gt2P.
exists x, y, r; rewrite !unfold_in /= qx qy qr xy; split=> //; split=> //.
  by apply/eqP => yr; move: Eq'; rewrite yr Er; nat_lia.
by apply/eqP => rx; move: Eq; rewrite -rx Er; nat_lia.
Qed.

Lemma tree_on_a_line : on_a_line adjacent.
Proof.
have [g g_end] := end_exists; have f_inj := place_inj g_end; exists (place g); first exact: injF_bij.
have up x y : distance y g = (distance x g).+1 -> adjacent y x.
  move=> Ey; have yg : y != g by rewrite -(distance_gt0 conn) Ey.
  have [yq Eq] := parentP conn yg; suff <- : parent g y = x by [].
  by apply/f_inj/val_inj/succn_inj; rewrite /= -Eq.
move=> x y; apply/idP/orP => /= [xy | [] /eqP]; last 2 first.
- by rewrite (adjacent_sym graph); exact: up.
- exact: up.
have yx : adjacent y x by rewrite (adjacent_sym graph).
have := distance_step conn g xy; have := distance_step conn g yx.
have := nearer_or_farther graph conn no_cycle g xy; case: ltnP => [lt _ le _ | le /esym/negbFE lt _ le'].
  by left; rewrite eqn_leq le lt.
by right; rewrite eqn_leq le' lt.
Qed.

End Path.

Section Line.
Variables (R : realFieldType) (n : nat) (adjacent : rel 'I_n.+1) (a : R).
Hypotheses (graph : simple_graph adjacent) (conn : connected adjacent) (a_gt0 : 0 < a) (a_lt1 : a < 1).
Variables f g : 'I_n.+1 -> 'I_n.+1.
Hypotheses (fK : cancel f g) (gK : cancel g f) (f_line : forall i j, adjacent i j = line (f i) (f j)).

Lemma line_distance i j : distance adjacent i j = dist (f i) (f j).
Proof.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  apply: distance_min; move Ed: (dist (f i) (f j)) => d; elim: d i Ed => [|d IHd] i Ed.
    by rewrite /= -(inj_eq (can_inj fK)) -val_eqE /=; rewrite /dist in Ed; nat_lia.
  have next (c : nat) : (c < n.+1)%N -> (c == (f i).+1) || (f i == c.+1 :> nat) -> dist c (f j) = d ->
      walk adjacent d.+1 i j.
    move=> c_lt c_next c_d; apply/existsP; exists (g (inord c)).
    by rewrite f_line gK /line inordK // c_next /=; apply: IHd; rewrite gK inordK.
  have fi := ltn_ord (f i); have fj := ltn_ord (f j); move: Ed; rewrite /dist => Ed.
  case: (ltnP (f i) (f j)) => ij.
    by apply: (next (f i).+1); [nat_lia | rewrite eqxx | rewrite /dist; nat_lia].
  by apply: (next (f i).-1); [nat_lia | apply/orP; right; nat_lia | rewrite /dist; nat_lia].
have := walk_distance conn i j; move: (distance adjacent i j) => d.
elim: d i => [|d IHd] i /=; first by move=> /eqP ->; rewrite /dist; nat_lia.
case/existsP=> h /andP[]; rewrite f_line /line => ih /IHd; rewrite /dist => le_d.
by case/orP: ih => ih; nat_lia.
Qed.

Lemma line_universally_optimal : universally_optimal_on adjacent a (distance_loss R adjacent) (pull f (geometric n a)).
Proof.
have G_st := geometric_stochastic n a_gt0 a_lt1; have G_priv := geometric_private (n := n) a_gt0 a_lt1.
split=> [||w w_ge0]; first exact: pull_stochastic.
  by apply: pull_private => // i j; rewrite f_line; right.
have [T _ T_best] := universal_optimality_monotone a_gt0 a_lt1
  (@absolute_loss_monotone R n.+1 n.+1) (fun i => w_ge0 (g i)).
exists (fun y => g (T y)) => X [X_ge0 X_sum1] X_priv.
pose Y : 'M[R]_n.+1 := \matrix_(i, r) X (g i) (g r).
have reorder (F : 'I_n.+1 -> R) : \sum_i F i = \sum_i F (g i) by rewrite (reindex g) //; apply: onW_bij; exists f.
have -> : bayes_loss w (distance_loss R adjacent) X = bayes_loss (fun i => w (g i)) (absolute_loss R n.+1 n.+1) Y.
  rewrite /bayes_loss reorder; apply: eq_bigr => i _; congr (_ * _); rewrite /loss_at reorder.
  by apply: eq_bigr => r _; rewrite !mxE line_distance !gK.
have Y_priv : private a Y by move=> i j r ij; rewrite !mxE; apply: X_priv; rewrite f_line !gK.
have Y_st : stochastic Y.
  split=> [i r|i]; first by rewrite mxE.
  by rewrite -[RHS](X_sum1 (g i)) [RHS]reorder; apply: eq_bigr => r _; rewrite mxE.
apply: le_trans (T_best Y Y_st Y_priv).
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /bayes_loss reorder; apply: eq_bigr => i _.
by congr (_ * _); rewrite !loss_remap; apply: eq_bigr => r _; rewrite !mxE line_distance !gK.
Qed.

End Line.

Theorem distance_optimal_iff (R : realFieldType) n (adjacent : rel 'I_n.+1) (a : R) :
  simple_graph adjacent -> connected adjacent -> 0 < a -> a < 1 ->
  (exists k (M : 'M[R]_(n.+1, k)), universally_optimal_on adjacent a (distance_loss R adjacent) M) <->
  on_a_line adjacent.
Proof.
move=> graph conn a_gt0 a_lt1; split=> [[k [M M_opt]] | [f [g fK gK] f_line]].
  apply: tree_on_a_line => //; first exact: distance_acyclic M_opt.
  by move=> v; apply: distance_degree M_opt v.
exists n.+1, (pull f (geometric n a)); exact: line_universally_optimal fK gK f_line.
Qed.
