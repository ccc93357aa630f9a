(* SPDX-License-Identifier: MIT *)
(* Definition 9 of Fernandes and others: monotone, strictly monotone and trivial losses.                      *)
(*                                                                                                            *)
(*   distance_function d        a metric with values in R                                                     *)
(*   monotone_in d l            l(w,x) = m (d (alpha w, x)), alpha injective, m non-decreasing                *)
(*   strictly_monotone_in d l   the same with m increasing                                                    *)
(*   trivial_loss l             some guess is best for every input: what the text calls a planar entropy.     *)
(*                              A loss l(w,x) = f(x) is one                                                   *)
(*   strictly_monotone_pairs    a strictly monotone loss is not trivial on the labels of two guesses          *)
(*                                                                                                            *)
(* A loss is written l x w, the input first.                                                                  *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definition9.
Variables (R : realFieldType) (X : finType).

(* A metric on X with values in R: 0 on the diagonal and > 0 elsewhere, symmetric, with the triangle inequality. *)
Definition distance_function (d : X -> X -> R) :=
  [/\ forall x, d x x = 0, forall x u, x != u -> 0 < d x u, forall x u, d x u = d u x &
      forall x y u, d x u <= d x y + d y u].

(* Definition 9, monotone in d: l(w,x) = m (d (alpha w, x)) with alpha injective and m non-decreasing on R. *)
Definition monotone_in (d : X -> X -> R) (W : finType) (l : X -> W -> R) :=
  exists (m : R -> R) (alpha : W -> X), [/\ forall s t, s <= t -> m s <= m t, injective alpha &
    forall x w, l x w = m (d (alpha w) x)].

(* Definition 9, strictly monotone in d: l(w,x) = m (d (alpha w, x)) with alpha injective and m increasing on R. *)
Definition strictly_monotone_in (d : X -> X -> R) (W : finType) (l : X -> W -> R) :=
  exists (m : R -> R) (alpha : W -> X), [/\ forall s t, s < t -> m s < m t, injective alpha &
    forall x w, l x w = m (d (alpha w) x)].

(* Some guess is best for every input (a planar entropy); if there is a guess, Definition 9's trivial         *)
(* losses l(w,x) = f(x) are among these.                                                                      *)
Definition trivial_loss (W : finType) (l : X -> W -> R) := exists r, forall x s, l x r <= l x s.

Lemma strictly_monotone_monotone (d : X -> X -> R) (W : finType) (l : X -> W -> R) :
  strictly_monotone_in d l -> monotone_in d l.
Proof.
move=> [m [alpha [m_incr alpha_inj lE]]]; exists m, alpha; split=> // s t.
by rewrite le_eqVlt => /orP[/eqP ->|/m_incr/ltW].
Qed.

(* Who has to tell two inputs apart has a choice. *)
Lemma strictly_monotone_nontrivial (d : X -> X -> R) (W : finType) (l : X -> W -> R) (w w' : W) :
  distance_function d -> strictly_monotone_in d l -> w != w' -> ~ trivial_loss l.
Proof.
move=> [d0 d_gt0 _ _] [m [alpha [m_incr alpha_inj lE]]] ww' [r r_best].
have best s : s = r.
  apply/eqP; rewrite -(inj_eq alpha_inj); apply: contraT => sr.
  have := r_best (alpha s) s; rewrite !lE d0 leNgt m_incr //.
  by apply: d_gt0; rewrite eq_sym.
by move/negP: ww'; case; rewrite (best w) (best w').
Qed.

(* On the labels of two guesses it is not trivial: so on every two inputs, when every input is a label. *)
Theorem strictly_monotone_pairs (d : X -> X -> R) (W : finType) (l : X -> W -> R) (m : R -> R) (alpha : W -> X) (w w' : W) :
  distance_function d -> (forall s t, s < t -> m s < m t) -> injective alpha -> (forall x w, l x w = m (d (alpha w) x)) ->
  w != w' -> ~ exists r, forall s, l (alpha w) r <= l (alpha w) s /\ l (alpha w') r <= l (alpha w') s.
Proof.
move=> [d0 d_gt0 _ _] m_incr alpha_inj lE /eqP ww' [r r_best].
have at_label s : l (alpha s) r <= l (alpha s) s -> r = s.
  rewrite !lE d0 => le; apply/eqP; rewrite -(inj_eq alpha_inj); apply: contraT => /d_gt0/m_incr.
  by rewrite ltNge le.
have [r_w _] := r_best w; have [_ r_w'] := r_best w'.
by apply: ww'; rewrite -(at_label _ r_w) (at_label _ r_w').
Qed.

End Definition9.

(* The line 0, ..., n, and the discrete metric. *)
(* line_metric_in is |i-j| on 0, ..., n. *)
Definition line_metric_in (R : realFieldType) n (i j : 'I_n.+1) : R := (dist i j)%:R.

(* The discrete metric: 0 from an input to itself, 1 between two different inputs. *)
Definition discrete_metric_in (R : realFieldType) (X : finType) (x u : X) : R := (x != u)%:R.

Lemma line_metric_inP (R : realFieldType) n : distance_function (@line_metric_in R n).
Proof.
rewrite /line_metric_in /dist; split=> [x|x u|x u|x y u]; rewrite ?subnn //.
- move=> xu; rewrite ltr0n; have xu' : nat_of_ord x <> u by move=> /val_inj xu'; rewrite xu' eqxx in xu.
  by nat_lia.
- by rewrite addnC.
- by rewrite -natrD ler_nat; nat_lia.
Qed.

Lemma discrete_metric_inP (R : realFieldType) (X : finType) : distance_function (@discrete_metric_in R X).
Proof.
rewrite /discrete_metric_in; split=> [x|x u xu|x u|x y u]; rewrite ?eqxx //.
- by rewrite xu ltr01.
- by rewrite eq_sym.
- rewrite -natrD ler_nat; case: (eqVneq x u) => //= xu.
  by case: (eqVneq x y) => //= xy; rewrite -xy xu.
Qed.
