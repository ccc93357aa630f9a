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

Theorem choiceP parts : (forall x, List.In x parts -> fair x) -> represents (choice p parts) (choice_of R p parts).
Proof.
move=> fairs; pose D s := foldr (fun x z => Z.lcm (part_unit p x) z) 1%Z s.
have D_ok s : (forall x, List.In x s -> fair x) -> (0 < D s)%Z /\ forall x, List.In x s -> (part_unit p x | D s)%Z.
  elim: s => [|x s IHs] ok //=; have [Ds_gt0 Ds_all] := IHs (fun y y_s => ok y (or_intror y_s)).
  have x_gt0 := part_unit_gt0 (ok x (or_introl erefl)); split; first exact: lcm_gt0.
  by move=> y [<-|/Ds_all y_s]; [exact: Z.divide_lcm_l | apply: Z.divide_trans y_s _; exact: Z.divide_lcm_r].
have [d_gt0 d_all] := D_ok parts fairs.
by have [] := @choice_rowsP (D parts) parts d_gt0 (fun x x_in => conj (fairs x x_in) (d_all x x_in)).
Qed.

Lemma weights_sumP (parts : seq part) : of_Q (weights_sum parts) = \sum_(x <- parts) of_Q x.2.
Proof.
elim: parts => [|x s IHs]; first by rewrite big_nil /of_Q mul0r.
have QE z w : of_Q (Qmake z w) = of_Z z / of_Z (Zpos w) by [].
rewrite big_cons -IHs [weights_sum _]/= QE of_ZD Pos2Z.inj_mul !of_ZM /of_Q.
have x_neq0 := of_Z_pos_neq0 R (Qden x.2); have s_neq0 := of_Z_pos_neq0 R (Qden (weights_sum s)).
move: (of_Z (Zpos (Qden x.2))) x_neq0 (of_Z (Zpos (Qden (weights_sum s)))) s_neq0 => y y_neq0 z z_neq0.
by by_field R; split; apply/eqP.
Qed.

Lemma differ_partsP x y : (0 < p)%N -> fair x -> fair y ->
  if differ_parts p x y then ~ same_hyper (rows_at R p x.1) (rows_at R p y.1)
  else same_hyper (rows_at R p x.1) (rows_at R p y.1).
Proof.
move=> p_gt0 x_fair y_fair; have [_ x_st] := x_fair; have [_ y_st] := y_fair.
exact: (differP (part_represents x_fair) x_st (part_represents y_fair) y_st p_gt0).
Qed.

Lemma pairwise_nth T (x0 : T) (r : T -> T -> bool) s i j : pairwise r s -> (i < j < size s)%N -> r (nth x0 s i) (nth x0 s j).
Proof.
elim: s i j => [|x s IHs] [|i] [|j] //=; rewrite ?andbF // => /andP[/(all_nthP x0) x_s s_ok].
  by rewrite ltnS => j_s; exact: x_s.
by rewrite !ltnS => ij; exact: IHs.
Qed.

Lemma is_part_fair near a x : is_part p near a x -> fair x.
Proof. by case/and5P. Qed.

Theorem is_mixtureP near a parts : is_mixture p near a parts ->
  (forall x, List.In x parts -> fair x) /\ mixture near (of_Q a) p parts.
Proof.
case/and4P=> p_gt0 /all_In parts_ok sum differ_all; split=> [x /parts_ok/is_part_fair //|].
have part_ok k : (k < size parts)%N -> is_part p near a (part_at parts k).
  by move=> k_s; apply: parts_ok; exact: nth_In.
split=> [k /part_ok/and5P[/agreeP in_v /Z.ltb_lt w_gt0 _ _ _]||k /part_ok k_part|k l kl].
- by split=> //; rewrite /of_Q divr_gt0 ?of_Z_pos // of_Z_gt0.
- by rewrite -weights_sumP; apply/eqP; rewrite -(divr1 1) -[1 / 1]/(of_Q (Qmake 1 1)) of_Q_eq.
- have k_fair := is_part_fair k_part; have /and5P[_ _ _ _ ker] := k_part.
  exact: (is_kernelP (part_represents k_fair) (proj2 k_fair) ker).
- have /andP[k_l l_s] := kl; have k_s := ltn_trans k_l l_s.
  have := differ_partsP p_gt0 (is_part_fair (part_ok k k_s)) (is_part_fair (part_ok l l_s)).
  by rewrite (pairwise_nth no_part differ_all kl).
Qed.

Lemma like_partP x y : (0 < p)%N -> fair x -> fair y -> like_part p x y <-> same_part R p x y.
Proof.
move=> p_gt0 x_fair y_fair; rewrite /like_part -(of_Q_eq R) /same_part.
have := differ_partsP p_gt0 x_fair y_fair; case: ifP => _ hyp; split.
- by rewrite andbF.
- by case=> _ /hyp.
- by rewrite andbT => /eqP.
- by rewrite andbT => -[->].
Qed.

Theorem other_sumP s r : (0 < p)%N -> (forall x, List.In x s -> fair x) -> (forall x, List.In x r -> fair x) ->
  other_sum p s r -> ~ same_sum R p s r.
Proof.
move=> p_gt0 s_fair r_fair other [s_in r_in].
have at_ (q : seq part) x : List.In x q -> exists2 k, (k < size q)%N & x = part_at q k.
  elim: q => [|y q IHq] //= [<-|/IHq[k k_q ->]]; first by exists 0%N.
  by exists k.+1.
case/orP: other => /has_In[x x_in /negP[]]; apply/has_In; have [k k_lt ->] := at_ _ _ x_in.
  have [l l_r same] := s_in k k_lt; exists (part_at r l); first exact: nth_In.
  by apply/like_partP => //; [apply: s_fair | apply: r_fair]; exact: nth_In.
have [l l_s same] := r_in k k_lt; exists (part_at s l); first exact: nth_In.
by apply/like_partP => //; [apply: s_fair | apply: r_fair]; exact: nth_In.
Qed.
End Parts.
End Mixtures.
