(* SPDX-License-Identifier: MIT *)
(* Universal optimality by a path among the inputs (SPEC, section 4.14, rule path).                           *)
(*                                                                                                            *)
(*   path_optimal   inputs x_0, ..., x_n are each constrained to the next at distance 1, the loss does not    *)
(*                  depend on the guess at the others and crosses once in some order of the guesses, and      *)
(*                  G(n, a) is derivable from M on x_0, ..., x_n: then M is universally optimal               *)
(*   path_argument  decides this on integers                                                                  *)
(* Proof.  There every mechanism of the type is private on the path, so that [universal_optimality] bounds    *)
(* its loss; the other inputs add the same to all losses.                                                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric MatrixGame Channels Universal.
From ExactDP.Checker Require Import Numbers Rows Syntax Meaning Tables Privacy Derivable GraphShape OptimalityClaims Universality.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PathOptimal.
Variables (R : realFieldType) (near : neighbours) (p m k n : nat) (a : R).
Variables (l : 'M[R]_(p, m.+1)) (M : 'M[R]_(p, k)) (x : 'I_n.+1 -> 'I_p) (s : 'I_m.+1 -> 'I_m.+1).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (x_inj : injective x) (s_inj : injective s).
Add Field R_field : (field_theory_of R).

(* The rows of the path, the guesses in the order s. *)
Definition along (Z : 'M[R]_(p, m.+1)) : 'M[R]_(n.+1, m.+1) := \matrix_(i, r) Z (x i) (s r).

Hypothesis x_path : forall i j : 'I_n.+1, j = i.+1 :> nat -> constrained near (x i) (x j) (Qmake 1 1).
Hypothesis l_else : forall i r r', i \notin x @: setT -> l i r = l i r'.

Definition elsewhere (w : 'I_p -> R) : R := \sum_(i | i \notin x @: setT) w i * l i ord0.

Lemma bayes_loss_along w (Z : 'M[R]_(p, m.+1)) : stochastic Z ->
  bayes_loss w l Z = elsewhere w + bayes_loss (fun i => w (x i)) (along l) (along Z).
Proof.
case=> _ Z_sum1; rewrite /bayes_loss (bigID (fun i => i \notin x @: setT)) /=; congr (_ + _).
  apply: eq_bigr => i i_out; congr (_ * _).
  by rewrite -[RHS]mulr1 -(Z_sum1 i) mulr_sumr; apply: eq_bigr => r _; rewrite (l_else r ord0 i_out).
rewrite (eq_bigl (mem (x @: setT))) => [|i]; last by rewrite negbK.
rewrite (big_imset _ (in2W x_inj)) /=; rewrite (eq_bigl xpredT) => [|i]; last by rewrite inE.
by apply: eq_bigr => i _; rewrite /loss_at (reindex_inj s_inj); congr (_ * _); apply: eq_bigr => r _; rewrite !mxE.
Qed.

Lemma along_stochastic (Z : 'M[R]_(p, m.+1)) : stochastic Z -> stochastic (along Z).
Proof.
case=> Z_ge0 Z_sum1; split=> [i r|i]; first by rewrite mxE.
by rewrite -[RHS](Z_sum1 (x i)) [RHS](reindex_inj s_inj); apply: eq_bigr => r _; rewrite mxE.
Qed.

Lemma private_at_one q (X : 'M[R]_(p, q)) (i j : 'I_p) r : private_for near a X -> constrained near i j (Qmake 1 1) ->
  a * X j r <= X i r.
Proof. by move=> X_priv /(X_priv i j _ r); rewrite !expr1. Qed.

Lemma along_private q (X : 'M[R]_(p, q)) (h : 'I_q -> 'I_m.+1) : private_for near a X ->
  private a (along (X *m remap R h)).
Proof.
move=> X_priv i j r ij; rewrite !mxE mulr_sumr; apply: ler_sum => y _.
rewrite mulrA ler_wpmul2r ?mxE ?ler0n //; apply: private_at_one => //.
case/orP: ij => /eqP e; first exact: x_path.
by case: (x_path e) => ji; [right | left].
Qed.

Hypothesis l_crossing : single_crossing (along l).
Variable T : 'M[R]_(k, n.+1).
Hypotheses (T_st : stochastic T) (M_T : \matrix_(i, y) M (x i) y *m T = geometric n a).

Theorem path_optimal : mechanism_for near a M -> universally_optimal_for near a l M.
Proof.
move=> M_mech; have [M_st _] := M_mech; apply/optimal_for_weights => //; split=> // w w_ge0 q X h [X_st X_priv].
pose v i := w (x i); have [t t_best] := best_response_exists v (along l) (geometric n a).
pose S := T *m remap R (fun i => s (t i)).
have S_st : stochastic S by apply: stochastic_mul => //; exact: remap_stochastic.
have [f f_best] := best_answer w l M isT; exists f; apply: le_trans (f_best S S_st) _.
have Xh_st : stochastic (X *m remap R h) by apply: stochastic_mul => //; exact: remap_stochastic.
rewrite !bayes_loss_along //; last exact: stochastic_mul.
rewrite ler_add2l; have -> : along (M *m S) = geometric n a *m remap R t.
  rewrite -M_T -mulmxA; apply/matrixP=> i r; rewrite !mxE; apply: eq_bigr => y _; rewrite !mxE; congr (_ * _).
  by apply: eq_bigr => z _; rewrite !mxE (eqtype.inj_eq s_inj).
apply: universal_optimality => //; [exact: along_stochastic Xh_st | exact: along_private].
Qed.

End PathOptimal.

(* ---- The rule on integers: the path's inputs and the guesses are listed, T is the remap ---- *)
Definition at_one (near : neighbours) (i j : nat) : bool :=
  has (fun e => (is_pair i j e || is_pair j i e) && is_one e.2) (pairs near).

Definition column_along (L : integers) (xs : seq nat) (g : nat) : seq Z := [seq at_index (line_of L x) g | x <- xs].

(* u_i - v_i does not become negative after it was positive. *)
Definition crosses_once (u v : seq Z) : bool :=
  let d := zip u v in all (fun x => (x.2 <=? x.1)%Z) (drop (find (fun x => (x.2 <? x.1)%Z) d) d).

(* What does not depend on the level. *)
Definition path_shape (p m : nat) (near : neighbours) (L : integers) (xs gs : seq nat) : bool :=
  [&& (0 < size xs)%N, uniq xs, all (fun i => i < p)%N xs & sorted (at_one near) xs] &&
  [&& (0 < m)%N, size gs == m, uniq gs & all (fun r => r < m)%N gs] &&
  (all (fun i => (i \in xs) || all (fun r => at_index (line_of L i) r =? at_index (line_of L i) 0)%Z (iota 0 m)) (iota 0 p) &&
   pairwise crosses_once [seq column_along L xs g | g <- gs]).

Definition path_argument (p q m : nat) (near : neighbours) (a : Q) (L M : integers) (xs gs : seq nat) (T : integers) : bool :=
  let n := size xs in
  path_shape p m near L xs gs &&
  [&& (0 <? scaling T)%Z, sound_table n n (Geometric n.-1 a) &
      is_product n q n (Integers (scaling M) [seq line_of M x | x <- xs]) (integers_of n n (Geometric n.-1 a)) T].

Section PathArgument.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).

Lemma index_function p n xs : size xs = n -> uniq xs -> all (fun i => i < p)%N xs ->
  exists2 x : 'I_n -> 'I_p, forall i, val (x i) = nth 0%N xs i & injective x.
Proof.
move=> size_xs xs_uniq /all_nthP xs_p.
have lt (i : 'I_n) : (nth 0%N xs i < p)%N by apply: xs_p; rewrite size_xs.
exists (fun i => Ordinal (lt i)) => // i j [/eqP]; rewrite nth_uniq ?size_xs // => /eqP; exact: val_inj.
Qed.

Lemma at_one_constrained near i j : at_one near i j -> constrained near i j (Qmake 1 1).
Proof.
case/has_In=> [[[x y] [num den]]] e_in /andP[ij /andP[/Z.eqb_eq num1 /Pos.eqb_eq den1]].
move: e_in num1 den1 => + /= num1 den1; rewrite num1 den1 /constrained => e_in.
by move: e_in; case/orP: ij => /andP[/N.eqb_eq /= -> /N.eqb_eq /= ->]; [left | right].
Qed.

Lemma crosses_onceP u v n : size u = n -> size v = n -> crosses_once u v ->
  exists t : nat, forall i, (i < n)%N -> ((i < t)%N -> (nth 0 u i <= nth 0 v i)%Z) /\ ((t <= i)%N -> (nth 0 v i <= nth 0 u i)%Z).
Proof.
move=> size_u size_v; rewrite /crosses_once; set d := zip u v; set t := find _ d => /(all_nthP (0%Z, 0%Z)) after.
have size_d : size d = n by rewrite size_zip size_u size_v minnn.
have at_d i : nth (0%Z, 0%Z) d i = (nth 0%Z u i, nth 0%Z v i) by rewrite nth_zip // size_u size_v.
exists t => i i_n; split=> [i_t|t_i].
  by have := before_find (0%Z, 0%Z) i_t; rewrite at_d /= => /Z.ltb_ge.
have := after (i - t)%N; rewrite size_drop size_d ltn_sub2r ?(leq_ltn_trans t_i) // => /(_ isT).
by rewrite nth_drop subnKC // at_d /= => /Z.leb_le.
Qed.

Theorem path_shapeP p q m near (a : R) L xs gs (l : 'M[R]_(p, m)) (X : 'M[R]_(p, q)) :
  represents L l -> 0 < a -> a < 1 -> mechanism_for near a X -> path_shape p m near L xs gs ->
  (forall n (x : 'I_n.+1 -> 'I_p), size xs = n.+1 -> (forall i, val (x i) = nth 0%N xs i) ->
     exists2 S : 'M[R]_(q, n.+1), stochastic S & \matrix_(i, y) X (x i) y *m S = geometric n a) ->
  universally_optimal_for near a l X.
Proof.
move=> [L_gt0 l_L] a_gt0 a_lt1 X_mech /andP[/andP[]].
case/and4P=> n_gt0 xs_uniq xs_p xs_path /and4P[m_gt0 /eqP size_gs gs_uniq gs_m] /andP[/allP const /(pairwiseP [::]) cross] derived.
have [n size_xs] : exists n, size xs = n.+1 by exists (size xs).-1; rewrite prednK.
case: m l l_L m_gt0 size_gs gs_m const cross => // m l l_L _ size_gs gs_m const cross.
have [x x_val x_inj] := index_function size_xs xs_uniq xs_p.
have [s s_val s_inj] := index_function size_gs gs_uniq gs_m.
have [S S_st G_S] := derived n x size_xs x_val.
apply: (path_optimal a_gt0 a_lt1 x_inj s_inj) S_st G_S X_mech => [i j ij|i r r' i_out|].
- by apply: at_one_constrained; rewrite !x_val ij; apply: (sortedP 0%N xs_path); rewrite size_xs -ij.
- have := const i; rewrite mem_iota add0n ltn_ord => /(_ isT)/orP[i_xs|].
    case/negP: i_out; apply/imsetP; have i_lt : (index (val i) xs < n.+1)%N by rewrite -size_xs index_mem.
    by exists (Ordinal i_lt) => //; apply: val_inj; rewrite x_val /= nth_index.
  move=> /allP same; rewrite !l_L; congr (of_Z _ / _).
  have at0 z : at_index (line_of L i) (val (z : 'I_m.+1)) = at_index (line_of L i) 0.
    by apply/Z.eqb_eq/same; rewrite mem_iota add0n ltn_ord.
  by rewrite !at0.
move=> r r' rr'; have r'_lt : (r' < size gs)%N by rewrite size_gs.
have r_lt : (r < size gs)%N by rewrite size_gs.
have size_col g : size (column_along L xs g) = n.+1 by rewrite size_map.
have := cross r r'; rewrite !inE size_map => /(_ r_lt r'_lt rr').
rewrite !(nth_map 0%N) // => /(crosses_onceP (size_col _) (size_col _))[t t_cross].
exists t => i; have [before after_] := t_cross i (ltn_ord i).
have at_x u : of_Z (nth 0%Z (column_along L xs (nth 0%N gs (val (u : 'I_m.+1)))) i) / of_Z (scaling L) = along x s l i u.
  by rewrite mxE l_L (nth_map 0%N) ?size_xs // x_val s_val.
rewrite -!at_x !ler_pmul2r ?invr_gt0 // !of_Z_le.
by split=> [/before|/after_] ?; apply/Z.leb_le.
Qed.

Theorem path_argumentP p q m near a L M xs gs T (l : 'M[R]_(p, m)) (X : 'M[R]_(p, q)) :
  represents L l -> represents M X -> is_level a -> mechanism_for near (of_Q R a) X ->
  path_argument p q m near a L M xs gs T -> universally_optimal_for near (of_Q R a) l X.
Proof.
move=> l_L X_M /(is_levelP R)/andP[a_gt0 a_lt1] X_mech /andP[shape /and3P[/Z.ltb_lt/(of_Z_gt0 R) T_gt0 G_ok prod]].
apply: path_shapeP l_L a_gt0 a_lt1 X_mech shape _ => n x size_xs x_val.
move: G_ok prod; rewrite size_xs [n.+1.-1]/= => G_ok prod.
have G_rep := integers_ofP R G_ok; rewrite geometric_is in G_rep.
have Xx_rep : represents (Integers (scaling M) [seq line_of M x | x <- xs]) (\matrix_(i < n.+1, y < q) X (x i) y).
  case: X_M => M_gt0 X_M; split=> // i y; rewrite mxE X_M; congr (of_Z (at_index _ _) / _).
  by rewrite /line_of (nth_map 0%N) ?size_xs // x_val.
have [S S_T] : exists S : 'M[R]_(q, n.+1), represents T S.
  exists (\matrix_(i, j) (of_Z (at_index (line_of T i) j) / of_Z (scaling T))).
  by split=> // i j; rewrite mxE.
by have [S_st G_S] := is_productP Xx_rep G_rep S_T prod; exists S.
Qed.


End PathArgument.
