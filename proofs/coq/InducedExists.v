(* SPDX-License-Identifier: MIT *)
(* The metric that a query induces exists (Fernandes and others, Definition 8 and Lemma 6).                   *)
(*                                                                                                            *)
(*   induced_exists   for finite X and a query f onto Y, some path between y and y' has the least weight      *)
(*   induced_unique   and there is one induced metric only                                                    *)
(*   induced_similarity   it is a metric, if that on X is                                                     *)
(*   lemma6_metric    Lemma 6 about it: f is 1-Lipschitz, and H after f is private exactly when H is          *)
(*                                                                                                            *)
(* Proof.  A step from y to z has the largest level of the pairs x, x' with f x = y and f x' = z.  A path     *)
(* that visits a point twice is not worse without the round trip, as no level is more than 1.  There are      *)
(* finitely many paths that visit no point twice.                                                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Extremes Leakage PrivacyTypes InducedMetric.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section InducedExists.
Variables (R : realFieldType) (X Y : finType) (f : X -> Y) (e : X -> X -> R).
Hypotheses (e_ge0 : forall x x', 0 <= e x x') (e_le1 : forall x x', e x x' <= 1).
Hypothesis f_onto : forall y, exists x, f x = y.

(* The best single step. *)
Definition step (y z : Y) : R := largest (fun xx : X * X => if (f xx.1 == y) && (f xx.2 == z) then e xx.1 xx.2 else 0).

(* The level of the path from y through the points of s in turn: the product of its best single steps, 1 without steps. *)
Fixpoint route (y : Y) (s : seq Y) : R := if s is z :: s' then step y z * route z s' else 1.

Lemma step_le y z x x' : f x = y -> f x' = z -> e x x' <= step y z.
Proof.
move=> fx fx'; have := le_largest (fun xx : X * X => if (f xx.1 == y) && (f xx.2 == z) then e xx.1 xx.2 else 0) (x, x').
by rewrite /= fx fx' !eqxx.
Qed.

Lemma step_attained y z : exists x x', [/\ f x = y, f x' = z & step y z = e x x'].
Proof.
have [[x fx] [x' fx']] := (f_onto y, f_onto z).
have [[u u']] := largest_attained (x, x') (fun xx : X * X => if (f xx.1 == y) && (f xx.2 == z) then e xx.1 xx.2 else 0).
rewrite -/(step y z) /=; case: andP => [[/eqP fu /eqP fu'] ->|_ step0]; first by exists u, u'.
exists x, x'; split=> //; apply/eqP; rewrite eq_le step_le // andbT.
by rewrite step0.
Qed.

Lemma step_bounds y z : 0 <= step y z <= 1.
Proof. by have [x [x' [_ _ ->]]] := step_attained y z; rewrite e_ge0 e_le1. Qed.

Lemma route_bounds y s : 0 <= route y s <= 1.
Proof.
elim: s y => [|z s IHs] y /=; first by rewrite ler01 lexx.
have /andP[r_ge0 r_le1] := IHs z; have /andP[s_ge0 s_le1] := step_bounds y z.
by rewrite mulr_ge0 // mulr_ile1.
Qed.

Lemma route_cat y s t : route y (s ++ t) = route y s * route (last y s) t.
Proof. by elim: s y => [|z s IHs] y /=; rewrite ?mul1r // IHs mulrA. Qed.

Lemma route_path y s : path_level f e y (last y s) (route y s).
Proof.
elim: s y => [|z s IHs] y /=; first exact: path_here.
have [x [x' [fx fx' ->]]] := step_attained y z; rewrite -fx; apply: path_step.
by rewrite fx'; exact: IHs.
Qed.

Lemma path_route y y' c : path_level f e y y' c -> exists2 s, last y s = y' & c <= route y s.
Proof.
elim=> {y y' c} [y|x x' y c _ [s s_last c_le]]; first by exists [::]; rewrite //= lexx.
exists (f x' :: s) => //=; have /andP[r_ge0 _] := route_bounds (f x') s.
apply: (@le_trans _ _ (e x x' * route (f x') s)); first exact: ler_wpmul2l.
by apply: ler_wpmul2r => //; exact: step_le.
Qed.

(* Without round trips. *)
Lemma simple_route y s : exists t, [/\ uniq (y :: t), last y t = last y s & route y s <= route y t].
Proof.
elim: s y => [|z s IHs] y; first by exists [::].
have [t [t_uniq t_last t_le]] := IHs z; have /andP[st_ge0 st_le1] := step_bounds y z.
have le : route y (z :: s) <= step y z * route z t by rewrite /= ler_wpmul2l.
case: (boolP (y \in z :: t)) => [y_in|y_out]; last by exists (z :: t); split; rewrite //= y_out.
case/splitPl: y_in t_uniq t_last le => t1 t2 t1_last t_uniq t_last le.
exists t2; split.
- move: t_uniq; rewrite -cat_cons cat_uniq => /and3P[_ /hasPn disj t2_uniq] /=.
  rewrite t2_uniq andbT; apply/negP => /disj /=; rewrite -t1_last.
  by rewrite mem_last.
- by rewrite /= -t_last last_cat t1_last.
- apply: le_trans le _; rewrite route_cat t1_last mulrA.
  have /andP[r_ge0 r_le1] := route_bounds z t1; have /andP[q_ge0 _] := route_bounds y t2.
  by apply: ler_pimull => //; exact: mulr_ile1.
Qed.

Theorem induced_exists : exists e' : Y -> Y -> R, induced f e e'.
Proof.
pose short := [finType of #|Y|.-bseq Y].
pose value y y' (s : short) := if last y s == y' then route y s else 0.
have direct y y' : exists s : short, last y s = y'.
  have [t [t_uniq t_last _]] := simple_route y [:: y'].
  have t_size : (size t <= #|Y|)%N by have := max_card (mem (y :: t)); rewrite (card_uniqP t_uniq) => /ltnW.
  by exists (Bseq t_size).
exists (fun y y' => largest (value y y')); split=> [y y' c|y y'].
  move=> /path_route[s s_last /le_trans]; apply; have [t [t_uniq t_last /le_trans]] := simple_route y s; apply.
  have t_size : (size t <= #|Y|)%N by have := max_card (mem (y :: t)); rewrite (card_uniqP t_uniq) => /ltnW.
  by have := le_largest (value y y') (Bseq t_size); rewrite /value /= t_last s_last eqxx.
have [s0 s0_last] := direct y y'.
have [s s_def] := largest_attained s0 (value y y'); rewrite s_def /value; case: eqP => [<-|s_last]; first exact: route_path.
have := le_largest (value y y') s0; rewrite s_def /value s0_last eqxx; case: eqP => // _ r_le0.
have -> : 0 = route y s0 by apply/eqP; rewrite eq_le r_le0; have /andP[-> _] := route_bounds y s0.
by rewrite -{1}s0_last; exact: route_path.
Qed.

Theorem induced_unique (e' e'' : Y -> Y -> R) : induced f e e' -> induced f e e'' -> forall y y', e' y y' = e'' y y'.
Proof. by move=> [le' path'] [le'' path''] y y'; apply/eqP; rewrite eq_le le' ?le''. Qed.

(* It is a metric. *)
Theorem induced_similarity (e' : Y -> Y -> R) : similarity e -> induced f e e' -> similarity e'.
Proof.
move=> [e_gt0 e_sym e1 e_tri] [paths_le attained].
have path_cat y y' y'' c c' : path_level f e y y' c -> path_level f e y' y'' c' -> path_level f e y y'' (c * c').
  elim=> {y y' c} [y|x x' y c _ IHc] tail; first by rewrite mul1r.
  by rewrite -mulrA; apply: path_step; exact: IHc.
have path_rev y y' c : path_level f e y y' c -> path_level f e y' y c.
  elim=> {y y' c} [y|x x' y c _ IHc]; first exact: path_here.
  rewrite mulrC; apply: path_cat IHc _; rewrite e_sym -[X in path_level _ _ _ _ X]mulr1.
  by apply: path_step; exact: path_here.
split=> [y y'|y y'|y|y y' y''].
- have [[x <-] [x' <-]] := (f_onto y, f_onto y'); apply: lt_le_trans (e_gt0 x x') _.
  by apply: paths_le; rewrite -[e x x']mulr1; apply: path_step; exact: path_here.
- by apply/eqP; rewrite eq_le; apply/andP; split; apply: paths_le; apply: path_rev.
- apply/eqP; rewrite eq_le (paths_le _ _ _ (path_here _ _ _)) andbT.
  by have [s _ c_le] := path_route (attained y y); apply: le_trans c_le _; have /andP[] := route_bounds y s.
- by apply: paths_le; apply: path_cat.
Qed.

Theorem induced_apart (e' : Y -> Y -> R) : (forall x x', x != x' -> e x x' < 1) -> induced f e e' ->
  forall y y', y != y' -> e' y y' < 1.
Proof.
move=> e_lt1 [_ attained] y y' yy'; have [s s_last c_le] := path_route (attained y y').
have [t [t_uniq t_last t_le]] := simple_route y s; apply: le_lt_trans (le_trans c_le t_le) _.
case: t t_uniq t_last {t_le} => [|z t] t_uniq t_last.
  by move: yy'; rewrite -s_last -t_last eqxx.
have [x [x' [fx fx' stepE]]] := step_attained y z.
have yz : y != z by move: t_uniq; rewrite /= inE negb_or => /andP[/andP[]].
have e_small : e x x' < 1 by apply: e_lt1; apply: contraNneq yz => xx'; rewrite -fx -fx' xx'.
rewrite /= stepE; have /andP[r_ge0 r_le1] := route_bounds z t.
by apply: le_lt_trans e_small; apply: ler_pimulr.
Qed.

(* Lemma 6, about the metric of Definition 8: there is exactly one. *)
Theorem lemma6_metric : exists2 e' : Y -> Y -> R, induced f e e' & (forall e'', induced f e e'' -> forall y y', e'' y y' = e' y y') /\
  (forall x x', e x x' <= e' (f x) (f x')) /\
  forall m (H : Y -> 'I_m -> R), (forall y r, 0 <= H y r) -> private_map e (fun x => H (f x)) <-> private_map e' H.
Proof.
have [e' e'_induced] := induced_exists; exists e' => //; split.
  by move=> e'' e''_induced; exact: induced_unique.
exact: induced_privacy.
Qed.

End InducedExists.
