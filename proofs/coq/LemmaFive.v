(* SPDX-License-Identifier: MIT *)
(* Lemma 5: some optimal mechanism has the pattern of the paper in every two adjacent rows.                   *)
(*                                                                                                            *)
(*   pattern            the condition of Lemma 5                                                              *)
(*   patternP           the same for every two columns                                                        *)
(*   perturbation       if the pattern fails, a private mechanism has a smaller L' and no larger loss         *)
(*   lexicographic_pattern   an optimal mechanism of least L' = sum_i sum_r |i - r| x_ir has it               *)
(*   lexicographic_exists    and there is one                                                                 *)
(*   lemma5             Lemma 5 as repaired, for every level in [0, 1]                                        *)
(*   pattern_geometric  G T has the pattern iff the supports of the rows of T are ordered                     *)
(*                                                                                                            *)
(* Proof (the paper's).  If the pattern fails in the rows i, i + 1, mass can be moved between two columns, in *)
(* the rows up to i or in those from i + 1 on, such that privacy stays, no loss grows and L' falls.           *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Losses Minimax LinearPrograms OptimalMechanisms.
From ExactDP Require Import Form Geometric.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Lemma 5's condition.  Of the rows i and j = i + 1 the first c columns are of the first kind, a x_i = x_j,  *)
(* and the columns from d on of the last kind, x_i = a x_j; between them is at most one column, d = c or      *)
(* d = c + 1.  The paper's c1 is c - 1, which is -1 if no column is of the first kind.                        *)
Definition pattern (R : realFieldType) n m (a : R) (X : 'M[R]_(n.+1, m)) :=
  forall i j : 'I_n.+1, j = i.+1 :> nat -> exists c d : nat, [/\ (c <= m)%N, d = c \/ d = c.+1,
    forall r : 'I_m, (r < c)%N -> a * X i r = X j r & forall r : 'I_m, (d <= r)%N -> X i r = a * X j r].

Lemma patternP (R : realFieldType) n m (a : R) (X : 'M[R]_(n.+1, m)) : pattern a X <->
  forall (i j : 'I_n.+1) (r s : 'I_m), j = i.+1 :> nat -> (r < s)%N -> a * X i r = X j r \/ X i s = a * X j s.
Proof.
split=> [X_pat i j r s ij rs|X_cols i j ij].
  have [c [d [_ dc first last]]] := X_pat i j ij.
  have [r_lt|r_ge] := ltnP r c; first by left; exact: first.
  by right; apply: last; case: dc => ->; nat_lia.
have [r0 r0_not|all_first] := pickP (fun r => a * X i r != X j r); last first.
  exists m, m; split=> //; [by left | by move=> r _; apply/eqP; have := all_first r; case: eqP |].
  by move=> r; rewrite leqNgt ltn_ord.
case: (@arg_minnP _ r0 (fun r => a * X i r != X j r) (fun r => r : nat) r0_not) => c c_not c_min.
exists c, c.+1; split=> [| |r rc|r cr]; [exact/ltnW | by right | |].
  by apply/eqP/negPn/negP => /c_min; rewrite leqNgt rc.
by case: (X_cols i j c r ij cr) => // c_first; move: c_not; rewrite c_first eqxx.
Qed.

(* Moving the part delta of the mass of column u to column v, in the rows A. *)
Section Shift.
Variables (R : realFieldType) (p m : nat) (X : 'M[R]_(p, m)) (A : pred 'I_p) (u v : 'I_m).
Add Field R_field : (field_theory_of R).

(* X with the part delta of x_iu taken from it and added to x_iv, in each row i of A; the other rows stay. *)
Definition shift (delta : R) : 'M[R]_(p, m) := \matrix_(i, r)
  (X i r + (if A i then delta * X i u else 0) * ((r == v)%:R - (r == u)%:R)).

Lemma shift_loss delta (l : 'M[R]_(p, m)) i :
  loss_at l (shift delta) i = loss_at l X i + (if A i then delta * X i u else 0) * (l i v - l i u).
Proof.
rewrite /loss_at; set g := if _ then _ else _.
rewrite -[l i v]sum_pick -[l i u]sum_pick -sumrB mulr_sumr -big_split; apply: eq_bigr => r _ /=.
by rewrite mxE -/g; by_ring R.
Qed.

Hypotheses (uv : u != v) (X_st : stochastic X).

Lemma shift_stochastic delta : 0 <= delta -> delta <= 1 -> stochastic (shift delta).
Proof.
case: X_st => X_ge0 X_sum1 d_ge0 d_le1; split=> [i r|i].
  rewrite mxE; case: ifP => _; last by rewrite mul0r addr0.
  case: (r =P u) => [->|_].
    rewrite (negPf uv) sub0r mulrN1 -[X in X - _]mul1r -mulrBl mulr_ge0 // subr_ge0 //.
  by rewrite subr0 addr_ge0 // mulr_ge0 ?ler0n // mulr_ge0.
have := shift_loss delta (const_mx 1) i; rewrite /loss_at !mxE subrr mulr0 addr0.
under eq_bigr => r _ do rewrite [const_mx 1 i r]mxE mul1r.
by move=> ->; under eq_bigr => r _ do rewrite mxE mul1r.
Qed.

(* One edge, from e to f, leaves A; there both inequalities that the shift weakens are strict. *)
Variables (adjacent : rel 'I_p) (a : R) (e f : 'I_p).
Hypotheses (a_gt0 : 0 < a) (X_priv : private_on adjacent a X).
Hypothesis out : forall i j, adjacent i j -> A i -> ~~ A j -> i = e /\ j = f.
Hypothesis into : forall i j, adjacent i j -> ~~ A i -> A j -> i = f /\ j = e.
Hypotheses (u_strict : a * X f u < X e u) (v_strict : a * X e v < X f v).

Lemma shift_private : exists delta, [/\ 0 < delta, delta <= 1 & private_on adjacent a (shift delta)].
Proof.
have X_ge0 := proj1 X_st; have a_ge0 := ltW a_gt0.
have eu_gt0 : 0 < X e u by apply: le_lt_trans u_strict; rewrite mulr_ge0.
have aeu_gt0 : 0 < a * X e u by rewrite mulr_gt0.
pose x := (X e u - a * X f u) / X e u; pose y := (X f v - a * X e v) / (a * X e u).
have x_gt0 : 0 < x by rewrite divr_gt0 // subr_gt0.
have y_gt0 : 0 < y by rewrite divr_gt0 // subr_gt0.
pose delta := Num.min 1 (Num.min x y).
have d_gt0 : 0 < delta by rewrite !lt_minr ltr01 x_gt0 y_gt0.
have d_le1 : delta <= 1 by rewrite le_minl lexx.
have d_x : delta * X e u <= X e u - a * X f u.
  by rewrite -ler_pdivl_mulr // !le_minl lexx orbT.
have d_y : delta * (a * X e u) <= X f v - a * X e v.
  by rewrite -ler_pdivl_mulr // !le_minl lexx !orbT.
have d_ge0 := ltW d_gt0.
exists delta; split=> // i j r ij; rewrite !mxE.
have vu : (v == u) = false by rewrite eq_sym (negPf uv).
have [A_i|A_i] := boolP (A i); have [A_j|A_j] := boolP (A j).
- have [->|ru] := eqVneq r u.
    rewrite (negPf uv) sub0r !mulrN1 -[X in a * (X - _)]mul1r -[X in _ <= X - _]mul1r -!mulrBl mulrCA.
    by rewrite ler_wpmul2l ?subr_ge0 // X_priv.
  rewrite subr0; case: (r == v); rewrite ?mulr0 ?addr0 ?mulr1; last exact: X_priv.
  by rewrite mulrDr mulrCA ler_add // ?ler_wpmul2l // X_priv.
- have [-> ->] := out ij A_i A_j; rewrite mul0r addr0.
  have [->|ru] := eqVneq r u.
    by rewrite (negPf uv) sub0r mulrN1 ler_subr_addr addrC -ler_subr_addr.
  by rewrite subr0 ler_paddr ?mulr_ge0 ?ler0n // X_priv // -(proj1 (out ij A_i A_j)) -(proj2 (out ij A_i A_j)).
- have [ie je] := into ij A_i A_j; rewrite ie je mul0r addr0 in ij *.
  have [->|ru] := eqVneq r u.
    rewrite (negPf uv) sub0r mulrN1 mulrBr ler_subl_addr ler_paddr ?mulr_ge0 // X_priv //.
  rewrite subr0; have [->|rv] := eqVneq r v.
    by rewrite mulr1 mulrDr mulrCA addrC -ler_subr_addr.
  by rewrite mulr0 addr0 X_priv.
- by rewrite !mul0r !addr0 X_priv.
Qed.

End Shift.

(* A column with one positive entry is positive. *)
Lemma private_column_gt0 (R : realFieldType) n m (a : R) (X : 'M[R]_(n.+1, m)) r i k :
  0 < a -> private a X -> 0 < X i r -> 0 < X k r.
Proof.
move=> a_gt0 X_priv; have step (i' j' : 'I_n.+1) : line i' j' -> 0 < X j' r -> 0 < X i' r.
  by move=> ij X_gt0; apply: lt_le_trans (X_priv i' j' r ij); rewrite mulr_gt0.
have all_or (b : nat) : (b <= n)%N -> 0 < X (inord b) r -> forall c, (c <= n)%N -> 0 < X (inord c) r.
  move=> b_le Xb_gt0; have X0_gt0 : 0 < X (inord 0) r.
    elim: b b_le Xb_gt0 => [//|b IHb] b_le Xb_gt0; apply: IHb; first exact: ltnW.
    by apply: step Xb_gt0; rewrite /line !inordK ?eqxx // ltnS ltnW.
  elim=> [//|c IHc] c_le; apply: (step _ (inord c)); last by apply: IHc; exact: ltnW.
  by rewrite /line !inordK ?eqxx ?orbT // ltnS ltnW.
by rewrite -[i]inord_val -[k]inord_val => Xi_gt0; apply: (all_or i) => //; rewrite -ltnS.
Qed.

(* L'(x), the sum of |i - r| x_ir. *)
Definition total_distance (R : realFieldType) n m (X : 'M[R]_(n.+1, m)) : R :=
  \sum_i loss_at (absolute_loss R n.+1 m) X i.

(* The perturbation of Lemma 5's proof: if the pattern fails in the rows i, j = i + 1 at the columns r < s, then *)
(* some private mechanism Y has no larger loss on any input, for any monotone loss, and a smaller L'.         *)
Theorem perturbation (R : realFieldType) n m (a : R) (X : 'M[R]_(n.+1, m)) (i j : 'I_n.+1) (r s : 'I_m) :
  0 < a -> stochastic X -> private a X -> j = i.+1 :> nat -> (r < s)%N -> a * X i r < X j r -> a * X j s < X i s ->
  exists Y : 'M[R]_(n.+1, m), [/\ stochastic Y, private a Y,
    forall l, monotone_loss l -> forall i', loss_at l Y i' <= loss_at l X i' & total_distance Y < total_distance X].
Proof.
move=> a_gt0 X_st X_priv ij rs r_strict s_strict.
(* moving mass from column u to column v in the rows A *)
have move_mass (A : pred 'I_n.+1) (u v : 'I_m) (e f k : 'I_n.+1) : u != v ->
    (forall i j, line i j -> A i -> ~~ A j -> i = e /\ j = f) ->
    (forall i j, line i j -> ~~ A i -> A j -> i = f /\ j = e) ->
    a * X f u < X e u -> a * X e v < X f v -> (forall i, A i -> (dist i v <= dist i u)%N) ->
    A k -> (dist k v < dist k u)%N -> exists Y : 'M[R]_(n.+1, m), [/\ stochastic Y, private a Y,
    forall l, monotone_loss l -> forall i', loss_at l Y i' <= loss_at l X i' & total_distance Y < total_distance X].
  move=> uv out into u_strict v_strict nearer A_k k_nearer.
  have [delta [d_gt0 d_le1 Y_priv]] := shift_private uv X_st a_gt0 X_priv out into u_strict v_strict.
  have no_worse l : monotone_loss l -> forall i', loss_at l (shift X A u v delta) i' <= loss_at l X i'.
    move=> l_mono i'; rewrite shift_loss ger_addl; case: (boolP (A i')) => [A_i'|_]; last by rewrite mul0r.
    by rewrite mulr_ge0_le0 ?subr_le0 ?l_mono ?nearer // mulr_ge0 ?(ltW d_gt0) // (proj1 X_st).
  exists (shift X A u v delta); split=> //; first exact: shift_stochastic (ltW d_gt0) d_le1.
  rewrite /total_distance (bigD1 k) //= [X in _ < X](bigD1 k) //= ltr_le_add //; last first.
    by apply: ler_sum => i' _; apply: no_worse; exact: absolute_loss_monotone.
  rewrite shift_loss A_k gtr_addl pmulr_rlt0; first by rewrite subr_lt0 !mxE ltr_nat.
  apply: mulr_gt0 => //; have eu_gt0 : 0 < X e u by apply: le_lt_trans u_strict; rewrite mulr_ge0 ?(ltW a_gt0) // (proj1 X_st).
  exact: (private_column_gt0 k a_gt0 X_priv eu_gt0).
have [low|high] := leqP (i + i) (r + s).
  apply: (@move_mass (fun k => k <= i)%N s r i j ord0) => //.
  - by rewrite -val_eqE /= gtn_eqF.
  - move=> i' j' /orP[] /eqP ij' le_i; rewrite -ltnNge => lt_j; split; apply/val_inj => /=; nat_lia.
  - move=> i' j' /orP[] /eqP ij'; rewrite -ltnNge => lt_i le_j; split; apply/val_inj => /=; nat_lia.
  - by move=> k; rewrite /dist => k_le; nat_lia.
  - by rewrite /dist /=; nat_lia.
apply: (@move_mass (fun k => j <= k)%N r s j i j) => //.
- by rewrite -val_eqE /= ltn_eqF.
- move=> i' j' /orP[] /eqP ij' le_i; rewrite -ltnNge => lt_j; split; apply/val_inj => /=; nat_lia.
- move=> i' j' /orP[] /eqP ij'; rewrite -ltnNge => lt_i le_j; split; apply/val_inj => /=; nat_lia.
- by move=> k; rewrite /dist ij => k_ge; nat_lia.
- by rewrite /dist ij; nat_lia.
Qed.

Section Lexicographic.
Variables (R : realFieldType) (n m : nat) (a : R) (l : 'M[R]_(n.+1, m.+1)) (S : {set 'I_n.+1}).
Implicit Types X : 'M[R]_(n.+1, m.+1).

(* Least L among all private mechanisms, and least L' among those that have the least L: a least element of   *)
(* the paper's order on pairs (L, L').                                                                        *)
Definition lexicographic_optimum X := optimal (@line n) a l S X /\
  forall X', optimal (@line n) a l S X' -> total_distance X <= total_distance X'.

Theorem lexicographic_exists : a <= 1 -> exists X, lexicographic_optimum X.
Proof.
move=> a_le1; have [X1 X1_opt] := optimal_exists (@line n) l S a_le1.
have [v vP] : exists v, forall X, stochastic X -> private a X -> (worst_loss_le S l X v <-> optimal (@line n) a l S X).
  have [X1_st X1_priv X1_best] := X1_opt.
  have [S0|[i0 i0_S]] := set_0Vmem S.
    by exists 0 => X X_st X_priv; split=> [_|_ i]; [split=> // X' _ _ v _ i | ]; rewrite S0 inE.
  exists (worst_loss S i0 l X1) => X X_st X_priv; split=> [X_le|[_ _ X_best]]; last first.
    by apply: (X_best X1) => //; apply/(worst_lossP i0_S).
  split=> // X' X'_st X'_priv v X'_le i i_S; apply: le_trans (X_le i i_S) _.
  by apply/(worst_lossP i0_S); exact: (X1_best X').
pose C (x : 'I_n.+1 * 'I_n.+1 * 'I_m.+1 + 'I_n.+1) : 'M[R]_(n.+1, m.+1) :=
  match x with inl e => privacy_term (@line n) a e | inr i => loss_term l S v i end.
have to_C X : optimal (@line n) a l S X -> feasible C X.
  move=> X_opt; have [X_st X_priv _] := X_opt; split=> // -[e|i]; first exact: (proj1 (private_terms _ _ X)).
  by apply: (proj1 (loss_terms _ _ _ X_st)); apply/(vP _ X_st X_priv).
have of_C X : feasible C X -> optimal (@line n) a l S X.
  move=> [X_st X_in]; have X_priv : private a X by apply/private_terms => e; exact: (X_in (inl e)).
  by apply/(vP _ X_st X_priv)/(loss_terms _ _ _ X_st) => i; exact: (X_in (inr i)).
have [X X_ok X_least] := least_attained ord0 (to_C _ X1_opt) (absolute_loss R n.+1 m.+1).
by exists X; split=> [|X' /to_C]; [exact: of_C | exact: X_least].
Qed.

Theorem lexicographic_pattern X : 0 < a -> monotone_loss l -> lexicographic_optimum X -> pattern a X.
Proof.
move=> a_gt0 l_mono [X_opt X_least]; have [X_st X_priv X_best] := X_opt; apply/patternP => i j r s ij rs.
have [r_le r_ge] : X j r >= a * X i r /\ X i s >= a * X j s.
  by split; apply: X_priv; rewrite /line ij eqxx ?orbT.
have [|r_not] := eqVneq (a * X i r) (X j r); [by left | right; apply/eqP/negPn/negP => s_not].
have r_strict : a * X i r < X j r by rewrite lt_neqAle r_not.
have s_strict : a * X j s < X i s by rewrite lt_neqAle r_ge andbT eq_sym.
have [Y [Y_st Y_priv no_worse smaller]] := perturbation a_gt0 X_st X_priv ij rs r_strict s_strict.
have Y_opt : optimal (@line n) a l S Y.
  split=> // X' X'_st X'_priv b X'_le i' i'_S; apply: le_trans (no_worse l l_mono i') _; exact: (X_best X').
by have := X_least _ Y_opt; rewrite leNgt smaller.
Qed.

End Lexicographic.

(* Lemma 5 as repaired, for all n, every monotone loss, every side information S and every level in [0, 1].   *)
(* At level 0 it is the identity that has the pattern.                                                        *)
Theorem lemma5 (R : realFieldType) n (a : R) (l : 'M[R]_n.+1) (S : {set 'I_n.+1}) :
  0 <= a -> a <= 1 -> monotone_loss l -> exists2 X, optimal (@line n) a l S X & pattern a X.
Proof.
move=> a_ge0 a_le1 l_mono; have [a0|a_neq0] := eqVneq a 0; last first.
  have [X X_lex] := lexicographic_exists l S a_le1; exists X; first by case: X_lex.
  by apply: (lexicographic_pattern _ l_mono X_lex); rewrite lt_neqAle eq_sym a_neq0.
exists 1%:M; last first.
  apply/patternP => i j r s ij rs; rewrite a0 !mul0r !mxE.
  have [jr|_] := eqVneq j r; last by left.
  by right; rewrite (_ : (i == s) = false) //; apply/eqP => is_; move: rs; rewrite -is_ -jr ij ltnNge leqnSn.
split=> [|i j r _|X [X_ge0 X_sum1] _ v X_le i i_S]; last 2 first.
- by rewrite a0 mul0r mxE ler0n.
- apply: le_trans (X_le i i_S); rewrite /loss_at; under eq_bigr => r _ do rewrite mxE eq_sym.
  rewrite sum_pick -[leLHS]mulr1 -(X_sum1 i) mulr_sumr; apply: ler_sum => r _.
  by rewrite ler_wpmul2r // l_mono // /dist subnn.
split=> [i r|i]; first by rewrite mxE ler0n.
rewrite (bigD1 i) //= mxE eqxx big1 ?addr0 // => r /negPf ri.
by rewrite mxE eq_sym ri.
Qed.

(* The supports of the rows of T are ordered: an output that a row can give is at most each output that a     *)
(* later row can give.                                                                                        *)
Definition ordered_supports (R : realFieldType) k m (T : 'M[R]_(k, m)) :=
  forall (s t : 'I_k) (r r' : 'I_m), (s < t)%N -> T s r != 0 -> T t r' != 0 -> (r <= r')%N.

Section Supports.
Variables (R : realFieldType) (n m : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Variable T : 'M[R]_(n.+1, m).
Hypothesis T_ge0 : forall s r, 0 <= T s r.
Local Notation G := (geometric n a).

Lemma geometric_before (i j s : 'I_n.+1) : j = i.+1 :> nat -> (s <= i)%N -> G j s = a * G i s.
Proof.
move=> ij si; rewrite !mxE mulrA -exprS; congr (a ^+ _ * _).
by rewrite /dist ij; nat_lia.
Qed.

Lemma geometric_after (i j s : 'I_n.+1) : j = i.+1 :> nat -> (i < s)%N -> G i s = a * G j s.
Proof.
move=> ij si; rewrite !mxE mulrA -exprS; congr (a ^+ _ * _).
by rewrite /dist ij; nat_lia.
Qed.

(* A sum of terms >= 0 is 0 iff each is. *)
Lemma weighted_zero (P : pred 'I_n.+1) (x : 'I_n.+1 -> R) r : (forall s, P s -> 0 < x s) -> (forall s, ~~ P s -> x s = 0) ->
  \sum_s x s * T s r = 0 <-> forall s, P s -> T s r = 0.
Proof.
move=> x_gt0 x_0.
have x_ge0 s : 0 <= x s by have [/x_gt0/ltW|/x_0 ->] := boolP (P s).
split=> [sum0 s P_s|T0]; last first.
  by rewrite big1 // => s _; have [/T0 ->|/x_0 ->] := boolP (P s); rewrite ?mulr0 ?mul0r.
have /eqP := @psumr_eq0P _ _ xpredT _ (fun s _ => mulr_ge0 (x_ge0 s) (T_ge0 s r)) sum0 s isT.
by rewrite mulf_eq0 gt_eqF ?x_gt0 //= => /eqP.
Qed.

(* Column r of G T is of the first kind in the rows i, i + 1 iff no row of T after i gives r, and of the last *)
(* kind iff no row up to i does.                                                                              *)
Lemma first_kind_support (i j : 'I_n.+1) r : j = i.+1 :> nat ->
  a * (G *m T) i r = (G *m T) j r <-> forall s : 'I_n.+1, (i < s)%N -> T s r = 0.
Proof.
move=> ij; rewrite -(@weighted_zero (fun s : 'I_n.+1 => (i < s)%N) (fun s => G j s - a * G i s)); last 2 first.
- move=> s si; rewrite (geometric_after ij si) mulrA -[X in X - _]mul1r -mulrBl mulr_gt0 ?geometric_gt0 //.
  by rewrite subr_gt0 mulr_ilt1 // ltW.
- by move=> s; rewrite -leqNgt => si; rewrite (geometric_before ij si) subrr.
have -> : \sum_s (G j s - a * G i s) * T s r = (G *m T) j r - a * (G *m T) i r.
  by rewrite !mxE mulr_sumr -sumrB; apply: eq_bigr => s _; rewrite mulrBl mulrA.
by split=> [->|/eqP]; [rewrite subrr | rewrite subr_eq0 => /eqP].
Qed.

Lemma last_kind_support (i j : 'I_n.+1) r : j = i.+1 :> nat ->
  (G *m T) i r = a * (G *m T) j r <-> forall s : 'I_n.+1, (s <= i)%N -> T s r = 0.
Proof.
move=> ij; rewrite -(@weighted_zero (fun s : 'I_n.+1 => (s <= i)%N) (fun s => G i s - a * G j s)); last 2 first.
- move=> s si; rewrite (geometric_before ij si) mulrA -[X in X - _]mul1r -mulrBl mulr_gt0 ?geometric_gt0 //.
  by rewrite subr_gt0 mulr_ilt1 // ltW.
- by move=> s; rewrite -ltnNge => si; rewrite (geometric_after ij si) subrr.
have -> : \sum_s (G i s - a * G j s) * T s r = (G *m T) i r - a * (G *m T) j r.
  by rewrite !mxE mulr_sumr -sumrB; apply: eq_bigr => s _; rewrite mulrBl mulrA.
by split=> [->|/eqP]; [rewrite subrr | rewrite subr_eq0 => /eqP].
Qed.

Theorem pattern_geometric : pattern a (G *m T) <-> ordered_supports T.
Proof.
split=> [/patternP GT_pat s t r r' st Tsr Ttr'|T_ordered]; last first.
  apply/patternP => i j r s ij rs.
  have [t|none] := pickP (fun t : 'I_n.+1 => (i < t)%N && (T t r != 0)); last first.
    by left; apply/(first_kind_support r ij) => t it; have := none t; rewrite it /= => /negbFE/eqP.
  move=> /andP[it Ttr]; right; apply/(last_kind_support s ij) => u ui; apply/eqP/negPn/negP => Tus.
  by have := T_ordered u t s r (leq_ltn_trans ui it) Tus Ttr; rewrite leqNgt rs.
rewrite leqNgt; apply/negP => r'r; have s_lt : (s.+1 < n.+1)%N by apply: leq_ltn_trans (ltn_ord t).
have ij : Ordinal s_lt = s.+1 :> nat by [].
have [/(first_kind_support r' ij) T0|/(last_kind_support r ij) T0] := GT_pat s (Ordinal s_lt) r' r ij r'r.
  by move: Ttr'; rewrite T0 ?eqxx.
by move: Tsr; rewrite T0 ?eqxx.
Qed.

End Supports.
