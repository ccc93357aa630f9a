(* SPDX-License-Identifier: MIT *)
(* Databases, count queries, and what differential privacy on databases says (sections 2.1 and 2.2 of Gupte   *)
(* and Sundararajan; exercise 3 and "counting queries" of the lecture).                                       *)
(*                                                                                                            *)
(*   printed_privacy      the printed (1/a) x >= y >= a x is x >= a y and y >= a x, for a > 0                 *)
(*   level_zero, level_one     levels 0 and 1, for any inputs, neighbours and outputs                         *)
(*   level_one_connected  at level 1 inputs joined by a chain of neighbours have the same distribution        *)
(*   differ_walk          databases at the Hamming distance h are joined by h changes of one row              *)
(*   group_privacy        privacy for neighbours is privacy at a^h for all pairs at the Hamming distance h    *)
(*   count_adjacent       a change of one row moves a count by at most 1                                      *)
(*   count_sensitivity    and by 1 for some databases, if some row has the property, some has not, and n >= 1 *)
(*   definition2_databases     an oblivious mechanism is private on databases iff it is on 0, ..., n          *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Levels.
Variable R : realFieldType.

Theorem printed_privacy (a x y : R) : 0 < a -> (a^-1 * x >= y /\ y >= a * x) <-> (x >= a * y /\ y >= a * x).
Proof. by move=> a_gt0; rewrite ler_pdivl_mull. Qed.

Variables (X Z : Type) (adjacent : X -> X -> Prop).
Implicit Types M : X -> Z -> R.

(* Privacy at level a: for all neighbours x, x' and all outputs. *)
(* That is, a M(x',z) <= M(x,z). *)
Definition private_inputs (a : R) M := forall x x' z, adjacent x x' -> a * M x' z <= M x z.

Theorem level_zero M : (forall x z, 0 <= M x z) -> private_inputs 0 M.
Proof. by move=> M_ge0 x x' z _; rewrite mul0r. Qed.

Hypothesis adjacent_sym : forall x x', adjacent x x' -> adjacent x' x.

Theorem level_one M : private_inputs 1 M <-> forall x x', adjacent x x' -> forall z, M x z = M x' z.
Proof.
split=> [M_priv x x' xx' z|same x x' z xx']; last by rewrite mul1r (same x x' xx' z).
apply/eqP; rewrite eq_le -{1}[M x z]mul1r -{2}[M x' z]mul1r.
by rewrite !M_priv //; exact: adjacent_sym.
Qed.

(* A chain of neighbours. *)
Inductive linked : X -> X -> Prop :=
| linked_here x : linked x x
| linked_step x x' x'' : adjacent x x' -> linked x' x'' -> linked x x''.

Theorem level_one_connected M : private_inputs 1 M -> forall x x', linked x x' -> forall z, M x z = M x' z.
Proof. by move=> /level_one same x x'; elim=> // y y' y'' yy' _ IH z; rewrite (same y y' yy' z). Qed.
End Levels.

Section Databases.
Variables (D : eqType) (n : nat).
Local Notation database := {ffun 'I_n -> D}.
Implicit Types d e : database.

(* In how many rows two databases differ; neighbours differ in at most one. *)
Definition differing d e : nat := \sum_i (d i != e i).

Definition neighbours d e : Prop := (differing d e <= 1)%N.

Lemma differing_sym d e : differing d e = differing e d.
Proof. by apply: eq_bigr => i _; rewrite eq_sym. Qed.

Lemma differing_eq0 d e : differing d e = 0%N -> d = e.
Proof.
move/eqP; rewrite sum_nat_eq0 => /forallP same; apply/ffunP => i.
by apply/eqP; have := same i; rewrite /= eqb0 negbK.
Qed.

(* One row of d becomes that of e. *)
Lemma differ_walk d e h : differing d e = h.+1 ->
  exists d', neighbours d d' /\ differing d' e = h.
Proof.
move=> de; have [i di] : exists i, d i != e i.
  apply/existsP; rewrite -negb_forall; apply: contra_eqN de => /forallP same.
  by rewrite /differing big1 // => i _; rewrite (eqP (same i)) eqxx.
pose d' : database := [ffun j => if j == i then e i else d j]; exists d'; split.
  rewrite /neighbours /differing (bigD1 i) //= big1 => [|j /negPf ji]; first by rewrite addn0 leq_b1.
  by rewrite ffunE ji eqxx.
move: de; rewrite /differing (bigD1 i) //= di add1n => -[<-].
rewrite (bigD1 i) //= ffunE eqxx eqxx add0n; apply: eq_bigr => j /negPf ji.
by rewrite ffunE ji.
Qed.

(* The lecture's exercise 3: both definitions agree, for any number of rows and any outputs. *)
Theorem group_privacy (R : realFieldType) (Z : Type) (a : R) (M : database -> Z -> R) : 0 <= a -> a <= 1 ->
  (forall d z, 0 <= M d z) ->
  private_inputs neighbours a M <-> forall d e z, a ^+ differing d e * M e z <= M d z.
Proof.
move=> a_ge0 a_le1 M_ge0; split=> [M_priv d e z|M_all d e z de]; last first.
  apply: le_trans (M_all d e z); rewrite ler_wpmul2r // -[leLHS]expr1; exact: ler_wiexpn2l.
move def_h: (differing d e) => h; elim: h d def_h => [|h IHh] d de.
  by rewrite (differing_eq0 de) expr0 mul1r.
have [d' [dd' d'e]] := differ_walk de; rewrite exprS -mulrA.
by apply: le_trans (M_priv d d' z dd'); rewrite ler_wpmul2l // IHh.
Qed.

(* Level 1 for databases: all of them have the same distribution. *)
Corollary level_one_databases (R : realFieldType) (Z : Type) (M : database -> Z -> R) : (forall d z, 0 <= M d z) ->
  private_inputs neighbours 1 M <-> forall d e z, M d z = M e z.
Proof.
move=> M_ge0; rewrite (group_privacy ler01 (lexx 1) M_ge0); split=> [M_all d e z|same d e z]; last by rewrite expr1n mul1r (same d e).
by apply/eqP; rewrite eq_le; have := M_all d e z; have := M_all e d z; rewrite !expr1n !mul1r => -> ->.
Qed.

(* ---- Count queries ---- *)
Variable P : D -> bool.

(* The count query of the property P: the number of rows of the database that have P. *)
Definition count_of d : nat := \sum_i P (d i).

Lemma count_le d : (count_of d <= n)%N.
Proof. by rewrite -[X in (_ <= X)%N]card_ord -sum1_card; apply: leq_sum => i _; case: (P _). Qed.

Theorem count_adjacent d e : (dist (count_of d) (count_of e) <= differing d e)%N.
Proof.
have le (x y : database) : (count_of x <= count_of y + differing x y)%N.
  rewrite /count_of /differing -big_split; apply: leq_sum => i _ /=.
  by case: eqP => [->|_]; [rewrite addn0 | rewrite addn1 (leq_trans (leq_b1 _))].
by rewrite /dist; have := le d e; have := le e d; rewrite (differing_sym e d) => ? ?; nat_lia.
Qed.

(* The first k rows are t1, the others t0. *)
Definition rows_with (t1 t0 : D) (k : nat) : database := [ffun i : 'I_n => if (i < k)%N then t1 else t0].

Lemma count_rows_with t1 t0 k : P t1 -> ~~ P t0 -> (k <= n)%N -> count_of (rows_with t1 t0 k) = k.
Proof.
move=> Pt1 /negPf Pt0 k_le; rewrite /count_of.
rewrite (eq_bigr (fun i : 'I_n => if (i < k)%N then 1%N else 0%N)) => [|i _]; last by rewrite ffunE; case: ifP; rewrite ?Pt1 ?Pt0.
by rewrite -big_mkcond -(big_ord_widen n (fun=> 1%N)) // sum1_card card_ord.
Qed.

Lemma rows_with_neighbours t1 t0 k : (k < n)%N -> neighbours (rows_with t1 t0 k) (rows_with t1 t0 k.+1).
Proof.
move=> k_lt; rewrite /neighbours /differing (bigD1 (Ordinal k_lt)) //= big1 => [|i /eqP ik]; first by rewrite addn0 leq_b1.
rewrite !ffunE ltnS [(i <= k)%N]leq_eqVlt (_ : (i == k :> nat) = false) ?eqxx //.
by apply/eqP => e; apply: ik; apply/val_inj.
Qed.

Theorem count_sensitivity t1 t0 : P t1 -> ~~ P t0 -> (0 < n)%N ->
  (forall d e, neighbours d e -> (dist (count_of d) (count_of e) <= 1)%N) /\
  exists d e, neighbours d e /\ dist (count_of d) (count_of e) = 1%N.
Proof.
move=> Pt1 Pt0 n_gt0; split=> [d e /(leq_trans (count_adjacent d e)) //|].
exists (rows_with t1 t0 0), (rows_with t1 t0 1); split; first exact: rows_with_neighbours.
by rewrite !count_rows_with.
Qed.

(* Without such rows all counts are equal: the sensitivity is 0. *)
Theorem count_constant : (forall t t', P t = P t') -> forall d e, count_of d = count_of e.
Proof. by move=> same d e; apply: eq_bigr => i _; rewrite (same (d i) (e i)). Qed.

(* Definition 2: the level of an oblivious mechanism, read on 0, ..., n instead of on databases. *)
Theorem definition2_databases (R : realFieldType) (Z : Type) (a : R) (t1 t0 : D) (X : 'I_n.+1 -> Z -> R) :
  P t1 -> ~~ P t0 -> a <= 1 -> (forall i z, 0 <= X i z) ->
  private_inputs neighbours a (fun d => X (inord (count_of d))) <-> private_inputs (fun i j => line i j) a X.
Proof.
move=> Pt1 Pt0 a_le1 X_ge0; split=> [M_priv i j z ij|X_priv d e z /(leq_trans (count_adjacent d e)) de].
  have i_le := ltn_ord i; have j_le := ltn_ord j.
  have := M_priv (rows_with t1 t0 i) (rows_with t1 t0 j) z; rewrite !count_rows_with // !inord_val; apply.
  move: ij; rewrite /line => /orP[] /eqP step; rewrite step in i_le j_le *.
    exact: rows_with_neighbours.
  by rewrite /neighbours differing_sym; exact: rows_with_neighbours.
have d_le := count_le d; have e_le := count_le e; have [same|diff] := eqVneq (count_of d) (count_of e).
  by rewrite same ler_pimull.
apply: X_priv; rewrite /line !inordK ?ltnS //; move: de; rewrite /dist => de.
by apply/orP; case: (ltngtP (count_of d) (count_of e)) => lt; [left | right | ]; nat_lia.
Qed.
End Databases.
