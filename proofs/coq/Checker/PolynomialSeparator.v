(* SPDX-License-Identifier: MIT *)
(* The kinds not-derivable and level (SPEC, sections 4 and 4.4), with quotients of polynomials for numbers.   *)
(*   separates_in   sum W B > sum_y max_r sum_x W_xr A_xy, so that B is no A R        (separates_inP)         *)
(*   largest_in     t = ratio^(1/d0) is the largest level                             (largest_inP)           *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Level PolynomialClaims PolynomialTables.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Section Computed.
Variables (P : Type) (A : arithmetic P) (pos nonneg null : P -> bool).
Local Notation times_f := (times_f A).
Local Notation sum_f := (sum_f A).
Local Notation table_at := (table_at A).

(* y - x, over a number > 0. *)
Definition excess_f (x y : fraction P) : P := minus A (times_p A y.1 x.2) (times_p A x.1 y.2).

(* The score of guess r at output y of the source. *)
Definition score_f (p : nat) (X W : lines P) (y r : nat) : fraction P :=
  sum_f [seq times_f (table_at W x r) (table_at X x y) | x <- iota 0 p].

(* A guess whose score is largest. *)
Definition is_top (p k : nat) (X W : lines P) (y r : nat) : bool :=
  all (fun s => nonneg (excess_f (score_f p X W y s) (score_f p X W y r))) (iota 0 k).
Definition top_of (p k : nat) (X W : lines P) (y : nat) : nat := find (is_top p k X W y) (iota 0 k).

Definition separates_in (p m k : nat) (X Y W : lines P) : bool :=
  let tops := [seq (y, top_of p k X W y) | y <- iota 0 m] in
  [&& all (fun w => pos w.1) W, size W == p, all (fun t => is_top p k X W t.1 t.2) tops &
      pos (excess_f (sum_f [seq score_f p X W t.1 t.2 | t <- tops])
                    (sum_f [seq sum_f [seq times_f (table_at W x r) (table_at Y x r) | r <- iota 0 k] | x <- iota 0 p]))].

(* ---- The largest level ---- *)
(* x_ir = ratio x_jr > 0, at the distance d0. *)
Definition tight_in (p m : nat) (near : neighbours) (ratio : scalar P) (d0 : Q) (X : lines P) (i j r : nat) : bool :=
  let c := crossed_in A X i j r in
  [&& (i < p)%N, (j < p)%N & (r < m)%N] &&
  [&& pos (entry_at A X j r), null (minus A (times_p A (lower ratio) c.1) (times_p A (upper ratio) c.2)) &
      has (fun e : N * N * Q => (is_pair i j e || is_pair j i e) && ((Qnum e.2 =? Qnum d0)%Z && Pos.eqb (Qden e.2) (Qden d0))) (pairs near)].

(* Distances in units of d0, in lowest terms. *)
Definition lowest (q : Q) : Q :=
  let g := Z.gcd (Qnum q) (Zpos (Qden q)) in Qmake (Qnum q / g) (Z.to_pos (Zpos (Qden q) / g)).
Definition multiple_of (q r : Q) : bool :=
  let g := Z.gcd (Qnum q) (Zpos (Qden q)) in
  [&& (0 <? g)%Z, (Qnum q =? Qnum r * g)%Z & (Zpos (Qden q) =? Zpos (Qden r) * g)%Z].
Definition in_lowest (d0 : Q) (near : neighbours) : neighbours :=
  Neighbours (title near) (vertices near) [seq (e.1, lowest (in_units d0 e.2)) | e : N * N * Q <- pairs near].

Definition largest_in (p m : nat) (near : neighbours) (ratio : scalar P) (d0 : Q) (X : lines P) (i j r : nat) : bool :=
  [&& (0 <? Qnum d0)%Z, is_level_in A pos ratio, tight_in p m near ratio d0 X i j r &
      all (fun e : N * N * Q => multiple_of (in_units d0 e.2) (lowest (in_units d0 e.2))) (pairs near) &&
      private_in A nonneg p m (in_lowest d0 near) ratio X].
End Computed.

Section Soundness.
Local Open Scope ring_scope.
Variables (R : realFieldType) (P : Type) (A : arithmetic P) (E : evaluation R A) (pos nonneg null : P -> bool).
Hypothesis posP : forall p, pos p -> 0 < E p.
Hypothesis nonnegP : forall p, nonneg p -> 0 <= E p.
Hypothesis nullP : forall p, null p -> E p = 0.
Local Notation at_ := (at_point E).
Local Notation value := (fraction_at E).
Local Notation defined f := (0 < at_ f.2).
Add Field R_field : (field_theory_of R).

Lemma excess_fP x y : defined x -> defined y -> exists2 c, 0 < c & at_ (excess_f A x y) = c * (value y - value x).
Proof.
move=> x_gt0 y_gt0; exists (at_ x.2 * at_ y.2); first exact: mulr_gt0.
rewrite /excess_f at_minus !at_times /fraction_at; have x_neq0 := lt0r_neq0 x_gt0; have y_neq0 := lt0r_neq0 y_gt0.
by by_field R; split; apply/eqP.
Qed.

Section Separator.
Variables (p m k : nat) (X Y W : lines P) (MX : 'M[R]_(p, m)) (MY : 'M[R]_(p, k)).
Hypotheses (X_MX : tabled E X MX) (Y_MY : tabled E Y MY) (sep : separates_in A pos nonneg p m k X Y W).
Let w (x : nat) (r : nat) : R := value (table_at A W x r).

Lemma W_gt0 (x : 'I_p) : 0 < at_ (over_at A W x).
Proof.
case/and4P: sep => W_ok /eqP size_W _ _; apply: posP; apply: (all_nthP (zero A, [::]) W_ok).
by rewrite size_W.
Qed.

Lemma score_fP (y : 'I_m) (r : nat) : defined (score_f A p X W y r) /\ value (score_f A p X W y r) = \sum_(x < p) w x r * MX x y.
Proof.
have [-> ->] : defined (score_f A p X W y r) /\ value (score_f A p X W y r) = \sum_(x < p) w x r * value (table_at A X x y).
  apply: (sum_iotaP (G := fun x => w x r * value (table_at A X x y))) => x.
  by apply: times_fP; [exact: W_gt0 | exact: (proj1 X_MX)].
by split=> //; apply: eq_bigr => x _; case: X_MX => _ ->.
Qed.

Local Notation top y := (top_of A nonneg p k X W y).

Lemma top_le (y : 'I_m) (r : 'I_k) : value (score_f A p X W y r) <= value (score_f A p X W y (top y)).
Proof.
case/and4P: sep => _ _; rewrite all_map => /(all_iota y)/(all_iota r)/nonnegP + _.
have [r_gt0 _] := score_fP y r; have [t_gt0 _] := score_fP y (top y).
by have [c c_gt0 ->] := excess_fP r_gt0 t_gt0; rewrite pmulr_rge0 // subr_ge0.
Qed.

Theorem separates_inP : ~ derivable MX MY.
Proof.
case=> T [T_ge0 T_sum1] MY_T; case/and4P: sep => _ _ _ /posP; rewrite -map_comp.
pose row_f (x : nat) := sum_f A [seq times_f A (table_at A W x r) (table_at A Y x r) | r <- iota 0 k].
pose row (x : nat) : R := \sum_(r < k) w x r * value (table_at A Y x r).
pose best_f (y : nat) := score_f A p X W y (top y).
have [l_gt0 l_is] : defined (sum_f A [seq row_f x | x <- iota 0 p]) /\ value (sum_f A [seq row_f x | x <- iota 0 p]) = \sum_(x < p) row x.
  apply: (sum_iotaP (G := row)) => x; apply: (sum_iotaP (G := fun r => w x r * value (table_at A Y x r))) => r.
  by apply: times_fP; [exact: W_gt0 | exact: (proj1 Y_MY)].
have [b_gt0 b_is] : defined (sum_f A [seq best_f y | y <- iota 0 m]) /\
    value (sum_f A [seq best_f y | y <- iota 0 m]) = \sum_(y < m) value (best_f y).
  by apply: (sum_iotaP (G := fun y => value (best_f y))) => y; have [] := score_fP y (top y).
have [c c_gt0 ->] := excess_fP b_gt0 l_gt0; rewrite pmulr_rgt0 // subr_gt0 l_is b_is; apply/negP; rewrite -leNgt.
have -> : \sum_(x < p) row x = \sum_(y < m) \sum_(r < k) T y r * \sum_(x < p) w x r * MX x y.
  transitivity (\sum_(x < p) \sum_(r < k) \sum_(y < m) T y r * (w x r * MX x y)).
    apply: eq_bigr => x _; apply: eq_bigr => r _; have -> : value (table_at A Y x r) = MY x r by case: Y_MY => _ ->.
    by rewrite MY_T mxE mulr_sumr; apply: eq_bigr => y _; by_ring R.
  under eq_bigr => x _ do rewrite exchange_big; rewrite exchange_big; apply: eq_bigr => y _.
  by rewrite exchange_big; apply: eq_bigr => r _; rewrite mulr_sumr.
apply: ler_sum => y _; rewrite -[leRHS]mul1r -(T_sum1 y) mulr_suml; apply: ler_sum => r _.
by rewrite ler_wpmul2l //; have [_ <-] := score_fP y r; exact: top_le.
Qed.
End Separator.

Lemma lowest_private p m near d0 (a : R) (M : 'M[R]_(p, m)) : 0 <= a -> (forall i r, 0 <= M i r) ->
  all (fun e : N * N * Q => multiple_of (in_units d0 e.2) (lowest (in_units d0 e.2))) (pairs near) ->
  private_for (in_lowest d0 near) a M -> private_for (rescaled d0 near) a M.
Proof.
move=> a_ge0 M_ge0 /all_In ok M_priv i j d r ij; pose f (q : Q) := in_units d0 q.
have [e0 [d_is c_low mult]] : exists e0, [/\ d = f e0, constrained (in_lowest d0 near) i j (lowest (f e0)) & multiple_of (f e0) (lowest (f e0))].
  case: ij => ij; have [[[y z] q] e_in e] := In_map ij; exists q; case: e => y_is z_is d_is; split=> //; try exact: (ok _ e_in).
    by left; apply/List.in_map_iff; exists ((y, z), q); rewrite // y_is z_is.
  by right; apply/List.in_map_iff; exists ((y, z), q); rewrite // y_is z_is.
have := M_priv i j _ r c_low; move: mult; rewrite d_is; move: (f e0) (lowest _) => q s.
case/and3P=> /Z.ltb_lt; move: (Z.gcd _ _) => g g_gt0 /Z.eqb_eq q_num /Z.eqb_eq q_den le_s.
have -> : Z.to_nat (Qnum q) = (Z.to_nat (Qnum s) * Z.to_nat g)%N by rewrite q_num -multE; have [?|?] := Z_le_gt_dec 0 (Qnum s); [rewrite Z2Nat.inj_mul //; lia|lia].
have -> : Pos.to_nat (Qden q) = (Pos.to_nat (Qden s) * Z.to_nat g)%N by rewrite -multE; lia.
rewrite !exprM -exprMn ler_expn2r // ?nnegrE ?mulr_ge0 ?exprn_ge0 //.
Qed.

Theorem largest_inP p m near ratio d0 X (M : 'M[R]_(p, m)) i j r : tabled E X M -> stochastic M ->
  largest_in A pos nonneg null p m near ratio d0 X i j r ->
  level_at E ratio /\ forall b, 0 < b < 1 -> private_for near b M <->
    b ^+ Z.to_nat (Qnum d0) <= scalar_at E ratio ^+ Pos.to_nat (Qden d0).
Proof.
move=> X_M [M_ge0 _] /and4P[/Z.ltb_lt d0_gt0 level_ok tight /andP[low priv]]; have ratio_level := is_level_inP posP level_ok.
have [l_gt0 /andP[r_gt0 r_lt1]] := ratio_level; split=> // b /andP[b_gt0 b_lt1].
split=> [M_priv|]; last first.
  by apply: private_below => //; [exact: ltW | apply: lowest_private => //; [exact: ltW | exact: (private_inP nonnegP X_M ratio_level priv)]].
case/andP: tight => /and3P[i_p j_p r_m] /and3P[/posP y_gt0 /nullP eq0 /has_In[e e_in /andP[e_ij /andP[/Z.eqb_eq d_num /Pos.eqb_eq d_den]]]].
have ij : constrained near (Ordinal i_p) (Ordinal j_p) e.2.
  rewrite /constrained /=; case: e e_in e_ij {d_num d_den} => [[y z] d] /= e_in.
  by case/orP=> /andP[/N.eqb_eq/= <- /N.eqb_eq/= <-]; [left | right].
have My_gt0 : 0 < M (Ordinal j_p) (Ordinal r_m).
  by case: X_M => over_gt0 ->; rewrite divr_gt0.
have x_is : M (Ordinal i_p) (Ordinal r_m) = scalar_at E ratio * M (Ordinal j_p) (Ordinal r_m).
  have [w w_gt0 [i_w j_w]] := crossed_inP (Ordinal i_p) (Ordinal j_p) (Ordinal r_m) X_M.
  move: eq0; rewrite at_minus !at_times i_w j_w => /eqP; rewrite subr_eq0 => /eqP e1.
  have w_neq0 := lt0r_neq0 w_gt0; have l_neq0 := lt0r_neq0 l_gt0.
  apply: (mulIf w_neq0); apply: (mulfI l_neq0); rewrite e1 /scalar_at; move: (M _ _) => z.
  by by_field R; apply/eqP.
have := M_priv _ _ _ (Ordinal r_m) ij; rewrite d_num d_den x_is exprMn ler_pmul2r // exprn_gt0 //.
Qed.
End Soundness.
