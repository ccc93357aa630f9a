(* SPDX-License-Identifier: MIT *)
(* How private geometric noise is on the counts 0, ..., n, for every n: the largest level, not only one.      *)
(*                                                                                                            *)
(* Counts that differ by at most s are neighbours; s = 1 are counting queries.                                *)
(*   geometric_within   G(n, a), the noise moved to the nearest of 0, ..., n: exactly levels <= a^min(s, n)   *)
(*   geometric_path     on the path: exactly levels <= a, n >= 1                                              *)
(*   lumped             all results below 0 are one output, and all above n                                   *)
(*   lumpedE            its entries, with the tails of the noise                                              *)
(*   lumped_within      the same levels                                                                       *)
(*   unbounded_within   results as they are: the same levels, over an archimedean field                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Form Geometric Unbounded.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Counts that differ by at most s; none differ by more than n. *)
Lemma dist_within n s (i j : 'I_n.+1) : (dist i j <= s)%N -> (dist i j <= minn s n)%N.
Proof. by move=> ij; rewrite leq_min ij /=; have i_le := ltn_ord i; have j_le := ltn_ord j; rewrite /dist; nat_lia. Qed.

(* Some differ by that much. *)
Lemma dist_farthest n s : dist (inord (minn s n) : 'I_n.+1) (ord0 : 'I_n.+1) = minn s n.
Proof. by rewrite /dist inordK ?ltnS ?geq_minr //= subn0 sub0n addn0. Qed.

Section GeometricLevel.
Variables (R : realFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).

(* Privacy at level b between counts that differ by at most s. *)
Definition private_within n m s (b : R) (X : 'M[R]_(n.+1, m)) :=
  forall (i j : 'I_n.+1) r, (dist i j <= s)%N -> b * X j r <= X i r.

(* Rows of G(m, a) that are as far apart as the counts are. *)
Lemma rows_within m n (f : 'I_n.+1 -> 'I_m.+1) s b : (forall i j, dist (f i) (f j) = dist i j) ->
  private_within s b (\matrix_(i, r) geometric m a (f i) r) <-> b <= a ^+ minn s n.
Proof.
move=> f_dist; split=> [X_priv|b_le i j r /dist_within ij].
  have := X_priv (inord (minn s n)) ord0 (f ord0); rewrite dist_farthest geq_minl => /(_ isT).
  rewrite !mxE !f_dist dist_farthest {1}/dist subnn expr0 mul1r ler_pmul2r //; exact: scale_gt0.
rewrite [(\matrix_(_, _) _) j r]mxE [(\matrix_(_, _) _) i r]mxE.
apply: (@le_trans _ _ (a ^+ minn s n * geometric m a (f j) r)).
  by rewrite ler_wpmul2r // ltW // geometric_gt0.
rewrite !mxE mulrA -exprD; apply: ler_wpmul2r; first exact/ltW/scale_gt0.
apply: ler_wiexpn2l; rewrite ?ltW //.
by move: ij (f_dist i j); move: (minn s n) => k; rewrite /dist => ij apart; nat_lia.
Qed.

Theorem geometric_within n s b : private_within s b (geometric n a) <-> b <= a ^+ minn s n.
Proof.
have <- : \matrix_(i, r) geometric n a (id i) r = geometric n a by apply/matrixP=> i r; rewrite mxE.
exact: rows_within.
Qed.

(* Definition 2: on the path, at levels up to a and at no larger one. *)
Theorem geometric_path n b : (0 < n)%N -> private b (geometric n a) <-> b <= a.
Proof.
move=> n_gt0; have := geometric_within n 1 b; rewrite (minn_idPl n_gt0) expr1 => within.
split=> [G_priv|b_le i j r ij]; last first.
  by apply: (proj2 within b_le); move: ij; rewrite /line /dist => /orP[] ij; nat_lia.
have one : line (inord 1 : 'I_n.+1) ord0 by rewrite /line inordK // orbT.
have := G_priv _ _ ord0 one; have := dist_farthest n 1; rewrite (minn_idPl n_gt0) => apart.
by rewrite !mxE apart {1}/dist subnn expr0 mul1r expr1 ler_pmul2r // scale_gt0.
Qed.

(* The noise on 0, ..., n with all results below 0 in the first output, and all above n in the last: by       *)
(* restricted_derived this is the noise on -1, ..., n + 1 moved to the nearest of these, at 0, ..., n.        *)
Definition lumped n : 'M[R]_(n.+1, n.+3) := \matrix_(i, r) geometric n.+2 a (inord i.+1) r.

Lemma lumpedE n (i : 'I_n.+1) (r : 'I_n.+3) : lumped n i r =
  if r == 0%N :> nat then a ^+ i.+1 / (1 + a)
  else if r == n.+2 :> nat then a ^+ (n.+1 - i) / (1 + a)
  else (1 - a) / (1 + a) * a ^+ dist i r.-1.
Proof.
have i_le := ltn_ord i; have shifted : (inord i.+1 : 'I_n.+3) = i.+1 :> nat by apply: inordK; nat_lia.
rewrite !mxE /scale /=; case: eqP => [r0|r_neq0] /=.
  by congr (a ^+ _ * _); rewrite /dist shifted r0; nat_lia.
case: eqP => [rn|_] /=; first by congr (a ^+ _ * _); rewrite /dist shifted rn; nat_lia.
by rewrite mulrC; congr (_ * a ^+ _); rewrite /dist shifted; nat_lia.
Qed.

Theorem lumped_within n s b : private_within s b (lumped n) <-> b <= a ^+ minn s n.
Proof.
apply: rows_within => i j; have i_le := ltn_ord i; have j_le := ltn_ord j.
by rewrite /dist !inordK ?subSS //; nat_lia.
Qed.

End GeometricLevel.

Section UnboundedLevel.
Variables (R : archiFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).

Theorem unbounded_within n s b :
  private_laws (fun i j : 'I_n.+1 => (dist i j <= s)%N) b (fun i => unbounded a (i : nat)%:Z) <->
  b <= a ^+ minn s n.
Proof.
split=> [M_priv|b_le i j z /dist_within ij].
  have := @unbounded_query_tight _ _ a_gt0 a_lt1 _ _ _ (minn s n) (inord (minn s n)) ord0 b _ _ M_priv; apply.
    by rewrite dist_farthest geq_minl.
  by rewrite absz_pos dist_farthest.
move: z; apply/unbounded_level => //; apply: le_trans b_le _.
by rewrite absz_pos ler_wiexpn2l // ltW.
Qed.

End UnboundedLevel.
