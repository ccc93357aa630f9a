(* SPDX-License-Identifier: MIT *)
(* Optima by the graph rule (SPEC, sections 4.1 and 4.2), with quotients of polynomials for numbers.          *)
(*   has_loss_in      the loss of a mechanism is a given number                             (has_loss_inP)    *)
(*   weights_in       the weights of a dual: the prior, or weights on the side information  (weights_inP)     *)
(*   graph_in         no private mechanism has a loss below a given number                  (graph_inP)       *)
(*   optimal_in, not_optimal_in    the claims                           (optimal_inP, not_optimal_inP)        *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Check PairDuality PolynomialClaims PolynomialTables.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

(* A primal, if the claim names no mechanism; the weights of a minimax consumer, potentials and multipliers. *)
Record dual_in (P : Type) := DualIn {
  primal_in : option (lines P);
  weights_of : option (P * seq P);
  potentials_of : P * seq P;
  edges_of : lines P }.

Section Computed.
Variables (P : Type) (A : arithmetic P) (pos nonneg null : P -> bool).

Local Notation times_f := (times_f A).
Local Notation opposite_f := (opposite_f A).
Local Notation sum_f := (sum_f A).
Local Notation number_at := (number_at A).
Local Notation table_at := (table_at A).

Definition equals_in (f : fraction P) (v : scalar P) : bool :=
  null (minus A (times_p A f.1 (lower v)) (times_p A (upper v) f.2)).
Definition at_most_in (f : fraction P) (v : scalar P) : bool :=
  nonneg (minus A (times_p A (upper v) f.2) (times_p A f.1 (lower v))).

Definition distribution_in (p : nat) (w : P * seq P) : bool :=
  [&& pos w.1, all (fun i => nonneg (nth (zero A) w.2 i)) (iota 0 p) &
      null (minus A (sum_p A [seq nth (zero A) w.2 i | i <- iota 0 p]) w.1)].

Definition proper_in (p : nat) (c : consumer_in P) : bool :=
  match c with
  | MinimaxIn _ side => has (fun i => N.to_nat i < p)%N side
  | BayesianIn _ w => distribution_in p w
  end.

Definition weights_in (p : nat) (c : consumer_in P) (given : option (P * seq P)) : option (P * seq P) :=
  match c, given with
  | BayesianIn _ prior, None => Some prior
  | MinimaxIn _ side, Some w =>
      if distribution_in p w && all (fun i => has (N.eqb (N.of_nat i)) side || null (nth (zero A) w.2 i)) (iota 0 p)
      then Some w else None
  | _, _ => None
  end.

Definition loss_f (m : nat) (L X : lines P) (i : nat) : fraction P :=
  sum_f [seq times_f (table_at L i r) (table_at X i r) | r <- iota 0 m].

Definition has_loss_in (p m : nat) (c : consumer_in P) (L X : lines P) (v : scalar P) : bool :=
  match c with
  | MinimaxIn _ side =>
      all (fun i => at_most_in (loss_f m L X (N.to_nat i)) v) side &&
      has (fun i => (N.to_nat i < p)%N && equals_in (loss_f m L X (N.to_nat i)) v) side
  | BayesianIn _ w => equals_in (sum_f [seq times_f (number_at w i) (loss_f m L X i) | i <- iota 0 p]) v
  end.

(* ---- The graph rule ---- *)
(* A pair with its row of multipliers: those > 0 are of the first input, those < 0 of the second. *)
Definition multiplied_in := (N * N * Q * (P * seq P))%type.
Implicit Type e : multiplied_in.

Definition first_of e : nat := N.to_nat e.1.1.1.
Definition second_of e : nat := N.to_nat e.1.1.2.
Definition power_f (a : scalar P) e : fraction P := let d := Z.to_nat (Qnum e.1.2) in (power A (upper a) d, power A (lower a) d).
Definition up_f e (r : nat) : fraction P := let x := nth (zero A) e.2.2 r in (if nonneg x then x else zero A, e.2.1).
Definition down_f e (r : nat) : fraction P :=
  let x := nth (zero A) e.2.2 r in (if nonneg x then zero A else scaled_p A (-1) x, e.2.1).

Definition taken_f (a : scalar P) e (i r : nat) : seq (fraction P) :=
  (if first_of e == i then [:: opposite_f (up_f e r); times_f (power_f a e) (down_f e r)] else [::]) ++
  (if second_of e == i then [:: opposite_f (down_f e r); times_f (power_f a e) (up_f e r)] else [::]).

Definition cost_f (a : scalar P) (L : lines P) (w mu : P * seq P) (es : seq multiplied_in) (i r : nat) : fraction P :=
  sum_f (times_f (number_at w i) (table_at L i r) :: opposite_f (number_at mu i) :: flatten [seq taken_f a e i r | e <- es]).

Definition graph_in (p m : nat) (near : neighbours) (a : scalar P) (L : lines P) (w mu : P * seq P) (U : lines P) (v : scalar P) : bool :=
  [&& all (fun u => pos u.1 && all (fun r => let x := nth (zero A) u.2 r in nonneg x || nonneg (scaled_p A (-1) x)) (iota 0 m)) U,
      all (fun e : N * N * Q => [&& (N.to_nat e.1.1 < p)%N, (N.to_nat e.1.2 < p)%N & Pos.eqb (Qden e.2) 1]) (pairs near),
      pos mu.1, pos w.1, equals_in (sum_f [seq number_at mu i | i <- iota 0 p]) v &
      all (fun i => all (fun r => nonneg (cost_f a L w mu (zip (pairs near) U) i r).1) (iota 0 m)) (iota 0 p)].

Definition attains_in (p m : nat) (near : neighbours) (a : scalar P) (c : consumer_in P) (L X : lines P) (v : scalar P) : bool :=
  [&& stochastic_in A nonneg null p m X, private_in A nonneg p m near a X & has_loss_in p m c L X v].

Definition named_attains_in (near : neighbours) (a : scalar P) (c : consumer_in P) (v : scalar P) (t : table_in P) : bool :=
  let l := loss_in c in let p := size (vertices near) in let m := size (outputs_in l) in
  [&& agree (inputs_in t) (vertices near), agree (outputs_in t) (outputs_in l), sound_in A pos p m (content_in t) &
      attains_in p m near a c (lines_in A (content_in l)) (lines_in A (content_in t)) v].

Definition optimal_in (near : neighbours) (a : scalar P) (c : consumer_in P) (v : scalar P) (t : option (table_in P)) (d : dual_in P) : bool :=
  let l := loss_in c in let p := size (vertices near) in let m := size (outputs_in l) in let L := lines_in A (content_in l) in
  [&& agree (inputs_in l) (vertices near), is_level_in A pos a, pos (lower v), sound_in A pos p m (content_in l) & proper_in p c] &&
  (if weights_in p c (weights_of d) is Some w then graph_in p m near a L w (potentials_of d) (edges_of d) v else false) &&
  match t, primal_in d with
  | None, Some X => sound_in A pos p m (RowsIn X) && attains_in p m near a c L X v
  | Some t, None => named_attains_in near a c v t
  | _, _ => false
  end.

(* gap = loss - v > 0. *)
Definition not_optimal_in (near : neighbours) (a : scalar P) (c : consumer_in P) (v : scalar P) (t : table_in P) (loss gap : scalar P)
    (d : dual_in P) : bool :=
  [&& optimal_in near a c v None d, pos (lower loss), named_attains_in near a c loss t, pos (lower gap), pos (upper gap) &
      equals_in (plus_f A (upper gap, lower gap) (upper v, lower v)) loss].
End Computed.

(* ---- Soundness ---- *)
Section Soundness.
Local Open Scope ring_scope.
Variables (R : realFieldType) (P : Type) (A : arithmetic P) (E : evaluation R A) (pos nonneg null : P -> bool).
Hypothesis posP : forall p, pos p -> 0 < E p.
Hypothesis nonnegP : forall p, nonneg p -> 0 <= E p.
Hypothesis nullP : forall p, null p -> E p = 0.
Local Notation of_Z := (of_Z R).
Local Notation at_ := (at_point E).
Local Notation value := (fraction_at E).
Local Notation defined f := (0 < at_ f.2).
Add Field R_field : (field_theory_of R).

Lemma equals_inP f v : defined f -> 0 < at_ (lower v) -> equals_in A null f v -> value f = scalar_at E v.
Proof.
move=> f_gt0 v_gt0 /nullP; rewrite at_minus !at_times => /eqP; rewrite subr_eq0 => /eqP e.
by have f_neq0 := lt0r_neq0 f_gt0; have v_neq0 := lt0r_neq0 v_gt0; apply/eqP; rewrite /fraction_at /scalar_at eqr_div // e.
Qed.

Lemma at_most_inP f v : defined f -> 0 < at_ (lower v) -> at_most_in A nonneg f v -> value f <= scalar_at E v.
Proof.
move=> f_gt0 v_gt0 /nonnegP; rewrite at_minus !at_times subr_ge0 => le.
by rewrite /fraction_at /scalar_at ler_pdivr_mulr // mulrAC ler_pdivl_mulr.
Qed.

Lemma distribution_inP p w : distribution_in A pos nonneg null p w ->
  0 < at_ w.1 /\ distribution (fun i : 'I_p => value (number_at A w i)).
Proof.
case/and3P=> /posP w_gt0 w_ge0 w_sum; split=> //; split=> [i|].
  by rewrite /fraction_at divr_ge0 ?(ltW w_gt0) //; apply: nonnegP; exact: (all_iota i w_ge0).
have := nullP w_sum; rewrite at_minus (at_sum_iota E) => /eqP; rewrite subr_eq0 => /eqP e.
by rewrite /fraction_at /= -mulr_suml e divff // gt_eqF.
Qed.

Lemma proper_inP p c : proper_in A pos nonneg null p c -> judged_proper (judge_in A E p c) /\ consumer_defined E c.
Proof.
case: c => [l side|l w] /=; last by case/distribution_inP.
case/has_In=> i i_side i_p; split=> //; exists (Ordinal i_p); rewrite inE; apply/has_In; exists i => //=.
by rewrite N2Nat.id N.eqb_refl.
Qed.

Lemma weights_inP p m c given w (l X : 'M[R]_(p, m)) u : weights_in A pos nonneg null p c given = Some w ->
  judged_le (judge_in A E p c) l X u -> bayes_loss (fun i => value (number_at A w i)) l X <= u.
Proof.
case: c => [c side|c prior] /=; case: given => [x|] //; last by case=> <-.
case: ifP => // /andP[/distribution_inP[w_gt0 [w_ge0 w_sum]] w_side] [<-] X_le.
rewrite -[u]mul1r -w_sum mulr_suml; apply: ler_sum => i _.
have [i_in|i_out] := boolP (has (N.eqb (N.of_nat i)) side); first by rewrite ler_wpmul2l // X_le // inE.
have := all_iota i w_side; rewrite (negPf i_out) /= => /nullP w0.
by rewrite /fraction_at /= w0 mul0r !mul0r.
Qed.

Lemma loss_fP p m L X (l x : 'M[R]_(p, m)) (i : 'I_p) : tabled E L l -> tabled E X x ->
  defined (loss_f A m L X i) /\ value (loss_f A m L X i) = loss_at l x i.
Proof.
move=> [L_gt0 l_L] [X_gt0 x_X].
pose G (r : nat) : R := value (table_at A L i r) * value (table_at A X i r).
have [-> ->] : defined (loss_f A m L X i) /\ value (loss_f A m L X i) = \sum_(r < m) G r.
  by apply: sum_iotaP => r; apply: times_fP; [exact: L_gt0 | exact: X_gt0].
by split=> //; apply: eq_bigr => r _; rewrite l_L x_X.
Qed.

Theorem has_loss_inP p m c L X (l x : 'M[R]_(p, m)) v : tabled E L l -> tabled E X x -> 0 < at_ (lower v) ->
  consumer_defined E c -> has_loss_in A nonneg null p m c L X v -> judged_is (judge_in A E p c) l x (scalar_at E v).
Proof.
move=> L_l X_x v_gt0; case: c => [c side|c w] /=.
  move=> _ /andP[/all_In le_v /has_In[k k_side /andP[k_p eq_v]]]; split=> [i|u /(_ (Ordinal k_p))].
    rewrite inE => /has_In[j j_side /N.eqb_eq i_j].
    have [i_gt0 <-] := loss_fP i L_l X_x; have := le_v _ j_side; rewrite -i_j Nat2N.id; exact: at_most_inP.
  rewrite inE; have [k_gt0 <-] := loss_fP (Ordinal k_p) L_l X_x; rewrite (equals_inP k_gt0 v_gt0 eq_v); apply.
  by apply/has_In; exists k => //=; rewrite N2Nat.id N.eqb_refl.
move=> w_gt0 eq_v; pose F i := times_f A (number_at A w i) (loss_f A m L X i).
pose G (i : nat) : R := value (number_at A w i) * value (loss_f A m L X i).
have [s_gt0 s_is] : defined (sum_f A [seq F i | i <- iota 0 p]) /\ value (sum_f A [seq F i | i <- iota 0 p]) = \sum_(i < p) G i.
  by apply: sum_iotaP => i; have [i_gt0 _] := loss_fP i L_l X_x; exact: times_fP.
have loss_v : bayes_loss (fun i : 'I_p => value (number_at A w i)) l x = scalar_at E v.
  rewrite -(equals_inP s_gt0 v_gt0 eq_v) s_is; apply: eq_bigr => i _.
  by have [_ <-] := loss_fP i L_l X_x.
by split; rewrite /judged_le /= loss_v.
Qed.

(* ---- The graph rule is sound ---- *)
Section Graph.
Variables (p m : nat) (near : neighbours) (a : scalar P) (L : lines P) (w mu : P * seq P) (U : lines P) (v : scalar P) (l : 'M[R]_(p, m)).
Hypotheses (L_l : tabled E L l) (a_level : level_at E a) (v_gt0 : 0 < at_ (lower v)).
Hypothesis bound : graph_in A pos nonneg null p m near a L w mu U v.
Local Notation es := (zip (pairs near) U).
Local Notation up := (fun e (r : 'I_m) => value (up_f A nonneg e r)).
Local Notation down := (fun e (r : 'I_m) => value (down_f A nonneg e r)).
Local Notation factor := (fun e => value (power_f A a e)).

Lemma In_zip_right S T (s : seq S) (t : seq T) xy : List.In xy (zip s t) -> List.In xy.2 t.
Proof. by elim: s t => [|x s IHs] [|y t] //= [<-|/IHs]; [left | right]. Qed.

Lemma over_gt0 e : List.In e es -> 0 < at_ e.2.1.
Proof. by case/and5P: bound => /all_In ok _ _ _ _ /In_zip_right/ok/andP[/posP]. Qed.

Lemma parts_ge0 e (r : 'I_m) : List.In e es -> 0 <= up e r /\ 0 <= down e r.
Proof.
move=> e_in; have e_gt0 := over_gt0 e_in; case/and5P: bound => /all_In ok _ _ _ _.
have /andP[_ /(all_iota r)] := ok _ (In_zip_right e_in).
rewrite /up_f /down_f /fraction_at /=; move: (nth _ _ r) => x; case: ifP => /= [/nonnegP x_ge0 _|_ /nonnegP x_ge0].
  by rewrite at_zero mul0r divr_ge0 // ltW.
by rewrite at_zero mul0r divr_ge0 // ltW.
Qed.

Lemma power_fP e : defined (power_f A a e) /\ factor e = scalar_at E a ^+ Z.to_nat (Qnum e.1.2).
Proof.
case: a_level => a_gt0 _; rewrite /power_f /fraction_at /= !(at_power E) exprn_gt0 //; split=> //.
by rewrite /scalar_at expr_div_n.
Qed.

Lemma taken_fP e (i : 'I_p) (r : 'I_m) : List.In e es ->
  all (fun f => defined f) (taken_f A nonneg a e i r) /\
  \sum_(f <- taken_f A nonneg a e i r) value f =
  - (if first_of e == i then up e r - factor e * down e r else 0)
  - (if second_of e == i then down e r - factor e * up e r else 0).
Proof.
move=> e_in; have e_gt0 := over_gt0 e_in; have [f_gt0 _] := power_fP e.
have u_gt0 : defined (up_f A nonneg e r) by [].
have d_gt0 : defined (down_f A nonneg e r) by [].
have [fd_gt0 fd] := times_fP f_gt0 d_gt0; have [fu_gt0 fu] := times_fP f_gt0 u_gt0.
have o_up : defined (opposite_f A (up_f A nonneg e r)) by [].
have o_down : defined (opposite_f A (down_f A nonneg e r)) by [].
rewrite /taken_f all_cat big_cat; split; first by case: eqP => _; case: eqP => _; rewrite ?[all _ _]/= ?fd_gt0 ?fu_gt0 ?o_up ?o_down.
congr (_ + _); case: eqP => _; rewrite ?big_cons big_nil ?opposite_fP ?fd ?fu ?oppr0 //.
  by move: (value _) (value _) (value _) => x y z /=; rewrite addr0 opprB addrC.
by move: (value _) (value _) (value _) => x y z /=; rewrite addr0 opprB addrC.
Qed.

Lemma all_taken s (i : 'I_p) (r : 'I_m) : (forall e, List.In e s -> List.In e es) ->
  all (fun f => defined f) (flatten [seq taken_f A nonneg a e i r | e <- s]) /\
  \sum_(f <- flatten [seq taken_f A nonneg a e i r | e <- s]) value f =
  - (\sum_(e <- s | first_of e == i) (up e r - factor e * down e r))
  - (\sum_(e <- s | second_of e == i) (down e r - factor e * up e r)).
Proof.
elim: s => [|e s IHs] s_es; first by split=> //=; rewrite !big_nil !oppr0 addr0.
have [s_gt0 s_is] := IHs (fun f f_s => s_es f (or_intror f_s)).
have [e_gt0 e_is] := taken_fP i r (s_es e (or_introl erefl)).
rewrite [flatten _]/= all_cat e_gt0 s_gt0 big_cat; split=> //; rewrite /= e_is s_is !big_cons.
move: (\sum_(x <- s | first_of x == i) _) (\sum_(x <- s | second_of x == i) _) (value (up_f _ _ _ _) - _) (value (down_f _ _ _ _) - _).
by move=> x y z t; case: eqP => _; case: eqP => _; by_ring R.
Qed.

Lemma cost_fP (i : 'I_p) (r : 'I_m) : 0 <= pair_cost l (fun i => value (number_at A w i)) (fun i => value (number_at A mu i)) es
    (@first_of P) (@second_of P) factor up down i r.
Proof.
have [st_gt0 st_is] := @all_taken es i r (fun e e_in => e_in).
case/and5P: bound => _ _ /posP mu_gt0 /posP w_gt0 /andP[_ costs]; have := all_iota r (all_iota i costs) => /nonnegP cost_ge0.
have [wl_gt0 wl_is] := times_fP (x := number_at A w i) (y := table_at A L i r) w_gt0 (proj1 L_l i).
have all_gt0 : all (fun f => defined f) [:: times_f A (number_at A w i) (table_at A L i r), opposite_f A (number_at A mu i)
    & flatten [seq taken_f A nonneg a e i r | e <- es]].
  by apply/and3P; split.
have [c_gt0 c_is] := sum_fP all_gt0; have : 0 <= value (cost_f A nonneg a L w mu es i r).
  by rewrite /fraction_at divr_ge0 // ltW.
rewrite c_is !big_cons wl_is opposite_fP st_is /pair_cost.
have -> : value (table_at A L i r) = l i r by case: L_l => _ ->.
by rewrite !addrA.
Qed.

Lemma value_is : \sum_(i < p) value (number_at A mu i) = scalar_at E v.
Proof.
case/and5P: bound => _ _ /posP mu_gt0 _ /andP[eq_v _].
have [s_gt0 s_is] : defined (sum_f A [seq number_at A mu i | i <- iota 0 p]) /\
    value (sum_f A [seq number_at A mu i | i <- iota 0 p]) = \sum_(i < p) value (number_at A mu i).
  by apply: (sum_iotaP (G := fun i => value (number_at A mu i))) => i.
by rewrite -s_is (equals_inP s_gt0 v_gt0 eq_v).
Qed.

Lemma obeys_in (X : 'M[R]_(p, m)) e : mechanism_for near (scalar_at E a) X -> List.In e es ->
  exists i j : 'I_p, [/\ i = first_of e :> nat, j = second_of e :> nat &
    forall r, factor e * X j r <= X i r /\ factor e * X i r <= X j r].
Proof.
move=> [_ X_priv] e_in; have e_near := In_zip e_in.
case/and5P: bound => _ /all_In ends _ _ _; have /and3P[i_p j_p /Pos.eqb_eq d1] := ends _ e_near.
exists (Ordinal i_p), (Ordinal j_p); split=> // r; have [_ ->] := power_fP e.
have e1 : e.1 = ((N.of_nat (first_of e), N.of_nat (second_of e)), e.1.2).
  by rewrite /first_of /second_of; case: (e.1) => [[s t] q] /=; rewrite !N2Nat.id.
have ij := X_priv (Ordinal i_p) (Ordinal j_p) e.1.2 r; have ji := X_priv (Ordinal j_p) (Ordinal i_p) e.1.2 r.
move: ij ji; rewrite d1 !expr1 => ij ji; split; [apply: ij | apply: ji]; rewrite /constrained /= -e1; [by left | by right].
Qed.

Theorem graph_inP (X : 'M[R]_(p, m)) : mechanism_for near (scalar_at E a) X ->
  scalar_at E v <= bayes_loss (fun i => value (number_at A w i)) l X.
Proof.
move=> X_mech; rewrite -value_is.
apply: (pair_duality (es := es) (from := @first_of P) (to := @second_of P) (b := factor) (u := up) (v := down) (proj1 X_mech)).
- by move=> e r /parts_ge0 -/(_ r)[].
- by move=> e r /parts_ge0 -/(_ r)[].
- by move=> e; exact: obeys_in.
exact: cost_fP.
Qed.
End Graph.

Lemma attains_inP p m near a c L X v (l x : 'M[R]_(p, m)) : tabled E L l -> tabled E X x -> level_at E a -> 0 < at_ (lower v) ->
  consumer_defined E c -> attains_in A nonneg null p m near a c L X v ->
  mechanism_for near (scalar_at E a) x /\ judged_is (judge_in A E p c) l x (scalar_at E v).
Proof.
move=> L_l X_x a_level v_gt0 c_ok /and3P[st priv loss_v]; split; last exact: has_loss_inP loss_v.
by split; [exact: (stochastic_inP nonnegP nullP X_x st) | exact: (private_inP nonnegP X_x a_level priv)].
Qed.

Lemma named_attains_inP near a c v t :
  tabled E (lines_in A (content_in (loss_in c))) (matrix_in A E (size (vertices near)) (size (outputs_in (loss_in c))) (content_in (loss_in c))) ->
  level_at E a -> 0 < at_ (lower v) -> consumer_defined E c ->
  named_attains_in A pos nonneg null near a c v t -> attains_at A E near a c v t.
Proof.
move=> L_l a_level v_gt0 c_ok /and4P[/agreeP in_t /agreeP out_t /(sound_inP posP)[X_x x_def] att].
by have [mech is_v] := attains_inP L_l X_x a_level v_gt0 c_ok att; split.
Qed.

Theorem optimal_inP near a c v t d : optimal_in A pos nonneg null near a c v t d -> holds_at A E (OptimalIn near a c v t).
Proof.
case/andP=> /andP[/and5P[/agreeP in_l a_ok /posP v_gt0 /(sound_inP posP)[L_l l_def] /proper_inP[proper c_def]]].
have a_level := is_level_inP posP a_ok.
case W: weights_in => [w|] // bound.
have low (X : 'M[R]_(size (vertices near), size (outputs_in (loss_in c)))) : mechanism_for near (scalar_at E a) X -> forall u,
    judged_le (judge_in A E _ c) (matrix_in A E _ _ (content_in (loss_in c))) X u -> scalar_at E v <= u.
  move=> X_mech u X_u; apply: le_trans (weights_inP W X_u).
  exact: (graph_inP L_l a_level v_gt0 bound X_mech).
case: t => [t|]; case: (primal_in d) => [X|] //.
  by move=> att; split=> //; exact: named_attains_inP att.
case/andP=> /(sound_inP posP)[X_x _] att; have [mech is_v] := attains_inP L_l X_x a_level v_gt0 c_def att.
by split=> //; exists (matrix_in A E _ _ (RowsIn X)).
Qed.

Theorem not_optimal_inP near a c v t loss gap d : not_optimal_in A pos nonneg null near a c v t loss gap d ->
  holds_at A E (NotOptimalIn near a c v t loss gap).
Proof.
case/and5P=> opt /posP loss_gt0 att /posP gap_gt0 /andP[/posP up_gt0 eq_loss].
have best := optimal_inP opt; have [[_ a_level v_gt0 _ c_def] _ _ _] := best.
have /andP[/andP[/and5P[_ _ _ /(sound_inP posP)[L_l _] _] _] _] := opt.
have [s_gt0 s_is] := plus_fP (f := (upper gap, lower gap)) (g := (upper v, lower v)) gap_gt0 v_gt0.
have := equals_inP s_gt0 loss_gt0 eq_loss; rewrite s_is => loss_is.
split=> //; first exact: named_attains_inP att.
  by rewrite -loss_is addrK.
by rewrite /scalar_at divr_gt0.
Qed.
End Soundness.
