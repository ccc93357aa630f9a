(* SPDX-License-Identifier: MIT *)
(* Hyper-distributions and convex sums of kernel mechanisms, decided on integers (SPEC, section 4.14).        *)
(*                                                                                                            *)
(*   differ           two mechanisms have different hyper-distributions, or the same  (differP)               *)
(*   choice           the integers of a convex sum                                    (choiceP)               *)
(*   is_mixture       different kernel mechanisms, weights > 0 of sum 1               (is_mixtureP)           *)
(*   other_sum        two convex sums are not the same                                (other_sumP)            *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame Hyper.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Meaning Tables Privacy Optimal Check.
From ExactDP.Checker Require Import VertexRays TypesClaims Capacity Independence KernelMechanisms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Hyper-distributions ---- *)
(* The sum of all columns that are parallel to v. *)
Definition mass_along (cols : seq (seq Z)) (v : seq Z) : Z := sum_Z [seq sum_Z x | x <- cols & parallel x v].

Definition differ (p m k : nat) (I J : integers) : bool :=
  let xs := columns p m I in let ys := columns p k J in
  has (fun v => occurring v && ~~ (scaling J * mass_along xs v =? scaling I * mass_along ys v)%Z) (xs ++ ys).

Section Masses.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).

Lemma sum_Z_big (s : seq Z) : of_Z (sum_Z s) = \sum_(z <- s) of_Z z.
Proof. by rewrite (sum_seq _ (erefl (size s))) (big_nth 0%Z) big_mkord. Qed.

Section One.
Variables (p m : nat) (I : integers) (X : 'M[R]_(p, m)).
Hypotheses (X_I : represents I X) (I_st : is_stochastic p m I).

Lemma mass_alongE (v : seq Z) : size v = p -> 0 < of_Z (sum_Z v) ->
  mass X (fun i => of_Z (nth 0%Z v i) / of_Z (sum_Z v)) = of_Z (mass_along (columns p m I) v) / of_Z (scaling I).
Proof.
move=> size_v v_gt0; have [D_gt0 _] := X_I.
have D_neq0 := lt0r_neq0 D_gt0; have v_neq0 := lt0r_neq0 v_gt0.
have iota_m : iota 0 m = index_iota 0 m by rewrite /index_iota subn0.
rewrite /mass_along [in RHS]sum_Z_big big_map big_filter /columns big_map iota_m big_mkord.
rewrite mulr_suml /mass; apply: eq_big => [j|j _]; last by rewrite (column_sumE X_I I_st).
rewrite /parallel; apply/forallP/(all_nthP (0%Z, 0%Z)) => [all_i i|all_i i].
  rewrite size_zip size_v (size_column_at I_st) minnn => i_p; rewrite nth_zip ?size_v ?(size_column_at I_st) //=.
  have /eqP := all_i (Ordinal i_p); rewrite (entry_at X_I I_st) (column_sumE X_I I_st) /= mulrAC.
  move/(mulIf (invr_neq0 D_neq0))/eqP; rewrite mulrA eq_sym -(eqtype.inj_eq (mulIf v_neq0)) divfK // -!of_ZM of_Z_eq.
  by move=> /Z.eqb_eq e; apply/Z.eqb_eq; rewrite e; lia.
have := all_i i; rewrite size_zip size_v (size_column_at I_st) minnn nth_zip ?size_v ?(size_column_at I_st) //=.
move=> /(_ (ltn_ord i))/Z.eqb_eq e; rewrite (entry_at X_I I_st) (column_sumE X_I I_st).
apply/eqP; rewrite mulrAC; congr (_ / _); rewrite mulrA; apply: (mulIf v_neq0); rewrite divfK // -!of_ZM -e.
by congr of_Z; lia.
Qed.
End One.

Variables (p m k : nat) (I J : integers) (X : 'M[R]_(p, m)) (Y : 'M[R]_(p, k)).
Hypotheses (X_I : represents I X) (I_st : is_stochastic p m I) (Y_J : represents J Y) (J_st : is_stochastic p k J).
Hypothesis p_gt0 : (0 < p)%N.

Lemma same_massE (v : seq Z) : size v = p -> 0 < of_Z (sum_Z v) ->
  (scaling J * mass_along (columns p m I) v =? scaling I * mass_along (columns p k J) v)%Z =
  (mass X (fun i => of_Z (nth 0%Z v i) / of_Z (sum_Z v)) == mass Y (fun i => of_Z (nth 0%Z v i) / of_Z (sum_Z v))).
Proof.
move=> size_v v_gt0; have [D_gt0 _] := X_I; have [E_gt0 _] := Y_J.
rewrite (mass_alongE X_I I_st) // (mass_alongE Y_J J_st) // eqr_div ?lt0r_neq0 // -!of_ZM of_Z_eq.
by apply/idP/idP => /Z.eqb_eq e; apply/Z.eqb_eq; lia.
Qed.

Lemma eq_mass n (C : 'M[R]_(p, n)) (u v : 'I_p -> R) : u =1 v -> mass C u = mass C v.
Proof. by move=> uv; apply: eq_bigl => j; apply: eq_forallb => i; rewrite uv. Qed.

Theorem differP : if differ p m k I J then ~ same_hyper X Y else same_hyper X Y.
Proof.
have in_columns n (K : integers) x : List.In x (columns p n K) -> exists j : 'I_n, x = column_at p K j.
  move=> x_in; have [j j_in ->] := In_map x_in; have /List.in_seq j_n : List.In j (List.seq 0 n) by rewrite -[List.seq _ _]/(iota 0 n).
  have j_lt : (j < n)%N by apply/ssrnat.ltP; lia.
  by exists (Ordinal j_lt).
rewrite /differ; case: (boolP (has _ _)) => [/has_In[v v_in /andP[v_occ v_differ]] same|none].
  have [size_v v_gt0] : size v = p /\ 0 < of_Z (sum_Z v).
    have [/in_columns[j v_j]|/in_columns[j v_j]] := proj1 (List.in_app_iff _ _ _) v_in; rewrite v_j in v_occ *.
      by split; [exact: size_column_at I_st j | apply: (sum_col_gt0 X_I I_st); apply/(occursP X_I I_st)].
    by split; [exact: size_column_at J_st j | apply: (sum_col_gt0 Y_J J_st); apply/(occursP Y_J J_st)].
  by move: v_differ; rewrite same_massE // (same_hyper_mass _ p_gt0 same) eqxx.
have same_at v : List.In v (columns p m I ++ columns p k J) -> occurring v -> size v = p -> 0 < of_Z (sum_Z v) ->
    mass X (fun i => of_Z (nth 0%Z v i) / of_Z (sum_Z v)) = mass Y (fun i => of_Z (nth 0%Z v i) / of_Z (sum_Z v)).
  move=> v_in v_occ size_v v_gt0; apply/eqP; rewrite -same_massE //; apply: contraNT none => v_differ.
  by apply/has_In; exists v => //; rewrite v_occ.
have [X_ge0 _] := stochasticP X_I I_st; have [Y_ge0 _] := stochasticP Y_J J_st.
apply: same_mass_hyper => // j j_occurs.
  rewrite (eq_mass X (posteriorE X_I I_st j)) (eq_mass Y (posteriorE X_I I_st j)); apply: same_at.
  - by apply/List.in_app_iff; left; exact: In_columns.
  - exact/(occursP X_I I_st).
  - exact: size_column_at I_st j.
  - exact: (sum_col_gt0 X_I I_st).
rewrite (eq_mass X (posteriorE Y_J J_st j)) (eq_mass Y (posteriorE Y_J J_st j)); apply: same_at.
- by apply/List.in_app_iff; right; exact: In_columns.
- exact/(occursP Y_J J_st).
- exact: size_column_at J_st j.
- exact: (sum_col_gt0 Y_J J_st).
Qed.
End Masses.

(* ---- Convex sums ---- *)
Definition part_integers (p : nat) (x : part) : integers := integers_of p (size (outputs x.1)) (content x.1).

Definition shift (n : nat) (r : row) : row := [seq ((t.1 + N.of_nat n)%num, t.2) | t <- r].

(* The weight of a part over its denominator, times that of its table. *)
Definition part_unit (p : nat) (x : part) : Z := (Zpos (Qden x.2) * scaling (part_integers p x))%Z.

Fixpoint choice_rows (d : Z) (p : nat) (parts : seq part) : seq row :=
  if parts is x :: parts' then
    let f := (Qnum x.2 * (d / part_unit p x))%Z in let n := size (outputs x.1) in
    [seq scale_row f z.1 ++ shift n z.2 | z <- zip (lines (part_integers p x)) (choice_rows d p parts')]
  else nseq p [::].

Definition choice (p : nat) (parts : seq part) : integers :=
  let d := foldr (fun x z => Z.lcm (part_unit p x) z) 1%Z parts in Integers d (choice_rows d p parts).

Fixpoint weights_sum (parts : seq part) : Q :=
  if parts is x :: parts' then
    let s := weights_sum parts' in
    Qmake (Qnum x.2 * Zpos (Qden s) + Qnum s * Zpos (Qden x.2)) (Qden x.2 * Qden s)
  else Qmake 0 1.

Definition differ_parts (p : nat) (x y : part) : bool :=
  differ p (size (outputs x.1)) (size (outputs y.1)) (part_integers p x) (part_integers p y).

Fixpoint pairwise T (r : T -> T -> bool) (s : seq T) : bool :=
  if s is x :: s' then all (r x) s' && pairwise r s' else true.

Definition is_part (p : nat) (near : neighbours) (a : Q) (x : part) : bool :=
  let m := size (outputs x.1) in
  [&& agree (inputs x.1) (vertices near), (0 <? Qnum x.2)%Z, sound_table p m (content x.1),
      is_stochastic p m (part_integers p x) & is_kernel p m near a (part_integers p x)].

Definition is_mixture (p : nat) (near : neighbours) (a : Q) (parts : seq part) : bool :=
  [&& (0 < p)%N, all (is_part p near a) parts, Q_eq (weights_sum parts) (Qmake 1 1) & pairwise (differ_parts p) parts].

Definition like_part (p : nat) (x y : part) : bool := Q_eq x.2 y.2 && ~~ differ_parts p x y.

(* A part of one of them that the other does not have. *)
Definition other_sum (p : nat) (s r : seq part) : bool :=
  has (fun x => ~~ has (like_part p x) r) s || has (fun y => ~~ has (fun x => like_part p x y) s) r.

Section Mixtures.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma at_cat (r s : row) j : at_index (r ++ s) j = (at_index r j + at_index s j)%Z.
Proof. by elim: r => [|t r IHr] //=; rewrite IHr; case: N.eqb; lia. Qed.

Lemma at_shift n r j : at_index (shift n r) (n + j) = at_index r j.
Proof.
elim: r => [|t r IHr] //=; rewrite IHr; have -> : N.of_nat (n + j) = (N.of_nat n + N.of_nat j)%num by rewrite -Nat2N.inj_add.
by case: (N.eqb_spec t.1); case: N.eqb_spec => //; lia.
Qed.

Lemma at_shift_before n r j : (j < n)%N -> at_index (shift n r) j = 0%Z.
Proof.
move=> /ssrnat.ltP j_n; elim: r => [|t r IHr] //=; rewrite IHr; case: N.eqb_spec => //; lia.
Qed.

Lemma at_beyond m r j : below (N.of_nat m) r -> (m <= j)%N -> at_index r j = 0%Z.
Proof.
move=> + /ssrnat.leP m_j; elim: r => [|t r IHr] //= /andP[/N.ltb_lt t_m /IHr ->].
by case: N.eqb_spec => // t_j; lia.
Qed.

Section Parts.
Variable p : nat.

Definition fair (x : part) := sound_table p (size (outputs x.1)) (content x.1) /\
  is_stochastic p (size (outputs x.1)) (part_integers p x).

Lemma part_represents x : fair x -> represents (part_integers p x) (rows_at R p x.1).
Proof. by case=> sound _; exact: integers_ofP. Qed.

Lemma part_unit_gt0 x : fair x -> (0 < part_unit p x)%Z.
Proof. by move=> /part_represents[/(@gt0_Z R) gt0 _]; apply: Z.mul_pos_pos. Qed.

Lemma choice_rowsP d parts : (0 < d)%Z -> (forall x, List.In x parts -> fair x /\ (part_unit p x | d)%Z) ->
  size (choice_rows d p parts) = p /\ represents (Integers d (choice_rows d p parts)) (choice_of R p parts).
Proof.
move=> d_gt0; have d_gt0' := of_Z_gt0 R d_gt0; elim: parts => [|x parts IHparts] ok.
  by split; [rewrite size_nseq | split=> // i; case].
have [[size_rows [_ entries]] [x_fair x_d]] : (size (choice_rows d p parts) = p /\
    represents (Integers d (choice_rows d p parts)) (choice_of R p parts)) /\ (fair x /\ (part_unit p x | d)%Z).
  by split; [apply: IHparts => y y_in; apply: ok; right | apply: ok; left].
have [_ x_st] := x_fair; have [J_gt0 J_entries] := part_represents x_fair.
have size_J : size (lines (part_integers p x)) = p by case/andP: x_st => /eqP.
have size_all : size (choice_rows d p (x :: parts)) = p by rewrite size_map size_zip size_J size_rows minnn.
split=> //; split=> // i j; have lineE : line_of (Integers d (choice_rows d p (x :: parts))) i =
    scale_row (Qnum x.2 * (d / part_unit p x)) (line_of (part_integers p x) i) ++
    shift (size (outputs x.1)) (line_of (Integers d (choice_rows d p parts)) i).
  rewrite /line_of [lines (Integers _ (choice_rows d p (x :: parts)))]/=.
  by rewrite (nth_map ([::], [::])) ?size_zip ?size_J ?size_rows ?minnn // nth_zip ?size_J ?size_rows.
rewrite lineE at_cat at_scale mxE; case: splitP => k j_k.
  rewrite j_k at_shift_before // Z.add_0_r mxE J_entries !of_ZM.
  have u_gt0 := part_unit_gt0 x_fair; rewrite [of_Z (scaling (Integers d _))](quotient R u_gt0 x_d).
  have q_gt0 : (0 < d / part_unit p x)%Z by apply: Z.div_str_pos; split=> //; apply: Z.divide_pos_le.
  have q_neq0 := lt0r_neq0 (of_Z_gt0 R q_gt0); have s_neq0 := lt0r_neq0 J_gt0; have w_neq0 := of_Z_pos_neq0 R (Qden x.2).
  rewrite /of_Q /part_unit of_ZM -/(part_unit p x); move: (of_Z (Zpos (Qden x.2))) w_neq0 => w w_neq0.
  by by_field R; do ?split; apply/eqP.
rewrite j_k at_shift (@at_beyond (size (outputs x.1))) ?leq_addr // ?Z.mul_0_r ?Z.add_0_l; last exact: (stochastic_below i x_st).
by rewrite entries.
Qed.
End Parts.
End Mixtures.
