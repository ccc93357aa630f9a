(* SPDX-License-Identifier: MIT *)
(* Refinement of hyper-distributions (Fernandes and others, Section 2.2), for any prior.                      *)
(*                                                                                                            *)
(*   is_hyper, earth_move   hyper-distributions of a prior, and refining Earth moves between them             *)
(*   earth_move_hull        if the inners of D are independent, there is a move from D to E exactly when the  *)
(*                          inners of E are in the convex hull of those of D                                  *)
(*   hyper_refinement_reflexive, _transitive, _antisymmetric   this is a partial order                        *)
(*   hyper_ofP, refinement_moves   the hyper of a channel; channels with a full prior: a move is a refinement *)
(*   refinement_same_hyper  two channels refine each other exactly when their hypers are the same             *)
(*                                                                                                            *)
(* Antisymmetry.  A move loses the mean square of the posteriors unless it moves nothing.                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Hyper.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section HyperOrder.
Variables (R : realFieldType) (p : nat).
Add Field R_field : (field_theory_of R).
Local Notation point := {ffun 'I_p -> R}.

(* The posteriors (inners) and how probable each is (its outer). *)
Record hyper_distribution := HyperDistribution { inners : seq point; outer : point -> R }.

(* Each inner is listed once, has a probability > 0, and the inners average to the prior pi (Lemma 2). *)
Definition is_hyper (pi : 'I_p -> R) (D : hyper_distribution) :=
  [/\ uniq (inners D), {in inners D, forall d : point, distribution d}, {in inners D, forall d, 0 < outer D d} &
      forall i, \sum_(d <- inners D) outer D d * d i = pi i].

(* The same inners with the same probabilities. *)
Definition same_distribution (D E : hyper_distribution) :=
  inners D =i inners E /\ {in inners D, outer D =1 outer E}.

(* A refining Earth move from D to E: each inner e of E is a convex combination of the inners d of D, with    *)
(* weights s e d, and what is moved away from d is all that D has there.                                      *)
Definition earth_move (D E : hyper_distribution) := exists s : point -> point -> R,
  [/\ {in inners E & inners D, forall e d, 0 <= s e d}, {in inners E, forall e, \sum_(d <- inners D) s e d = 1},
      {in inners E, forall e : point, forall i, e i = \sum_(d <- inners D) s e d * d i} &
      {in inners D, forall d, \sum_(e <- inners E) outer E e * s e d = outer D d}].

(* v is in the convex hull of D: sum_d s_d d with weights s_d >= 0 that sum to 1, over the points d of D. *)
Definition in_hull (D : seq point) (v : point) := exists s : point -> R,
  [/\ {in D, forall d, 0 <= s d}, \sum_(d <- D) s d = 1 & forall i, v i = \sum_(d <- D) s d * d i].

(* The points of the list D are linearly independent (a point that is listed twice counts once). *)
Definition independent_inners (D : seq point) := forall c : point -> R,
  (forall i, \sum_(d <- D) c d * d i = 0) -> {in D, forall d, c d = 0}.

Lemma choose_weights (P : point -> (point -> R) -> Prop) (E : seq point) :
  {in E, forall e, exists s, P e s} -> exists s : point -> point -> R, {in E, forall e, P e (s e)}.
Proof.
move=> some; have [|f f_P] := @fin_all_exists (seq_sub_finType E) (fun=> point -> R) (fun x s => P (val x) s).
  by case=> e e_E /=; exact: some.
exists (fun e => if insub e is Some x then f x else fun=> 0) => e e_E.
by case: insubP => [x _ x_e|]; [rewrite -x_e | rewrite e_E].
Qed.

(* Section 2.2. *)
Theorem earth_move_hull (pi : 'I_p -> R) (D E : hyper_distribution) :
  is_hyper pi D -> is_hyper pi E -> independent_inners (inners D) ->
  earth_move D E <-> {in inners E, forall e, in_hull (inners D) e}.
Proof.
move=> [_ _ _ D_pi] [_ _ _ E_pi] D_ind; split=> [[s [s_ge0 s_sum1 s_def _]] e e_E|hull].
  by exists (s e); split=> [d d_D||i]; [exact: s_ge0 | exact: s_sum1 | exact: s_def].
have [s s_P] := choose_weights hull; exists s; split=> [e d e_E|e e_E|e e_E|d d_D]; try by have [+ + +] := s_P e e_E; auto.
apply/eqP; rewrite -subr_eq0; apply/eqP; move: d d_D.
apply: (D_ind (fun d => \sum_(e <- inners E) outer E e * s e d - outer D d)) => i.
under eq_bigr => d _ do rewrite mulrBl mulr_suml.
rewrite sumrB D_pi exchange_big /= -E_pi -sumrB big_seq big1 // => e e_E.
have [_ _ ->] := s_P e e_E; rewrite mulr_sumr -sumrB big1 // => d _.
by rewrite mulrA subrr.
Qed.

Theorem hyper_refinement_reflexive (pi : 'I_p -> R) (D : hyper_distribution) : is_hyper pi D -> earth_move D D.
Proof.
move=> [D_uniq _ _ _]; exists (fun e d => (e == d)%:R); split=> [e d _ _|e e_D|e e_D i|d d_D].
- exact: ler0n.
- rewrite (bigD1_seq e) //= eqxx big1 ?addr0 // => d; by rewrite eq_sym => /negPf ->.
- by rewrite (bigD1_seq e) //= eqxx mul1r big1 ?addr0 // => d; rewrite eq_sym => /negPf ->; rewrite mul0r.
by rewrite (bigD1_seq d) //= eqxx mulr1 big1 ?addr0 // => e /negPf ->; rewrite mulr0.
Qed.

Theorem hyper_refinement_transitive (C D E : hyper_distribution) : earth_move C D -> earth_move D E -> earth_move C E.
Proof.
move=> [s [s_ge0 s_sum1 s_def s_out]] [t [t_ge0 t_sum1 t_def t_out]].
exists (fun e c => \sum_(d <- inners D) t e d * s d c); split=> [e c e_E c_C|e e_E|e e_E i|c c_C].
- by rewrite big_seq; apply: sumr_ge0 => d d_D; rewrite mulr_ge0 ?t_ge0 ?s_ge0.
- rewrite exchange_big /= -[RHS](t_sum1 e e_E) big_seq [RHS]big_seq; apply: eq_bigr => d d_D.
  by rewrite -mulr_sumr s_sum1 // mulr1.
- under eq_bigr => c _ do rewrite mulr_suml.
  rewrite exchange_big /= (t_def e e_E) big_seq [RHS]big_seq; apply: eq_bigr => d d_D.
  by rewrite (s_def d d_D) mulr_sumr; apply: eq_bigr => c _; rewrite mulrA.
under eq_bigr => e _ do rewrite mulr_sumr.
rewrite exchange_big /= -(s_out c c_C) big_seq [RHS]big_seq; apply: eq_bigr => d d_D.
by rewrite -(t_out d d_D) mulr_suml; apply: eq_bigr => e _; rewrite mulrA.
Qed.

(* The sum of the squares of the entries of d. *)
Definition square (d : point) : R := \sum_i d i ^+ 2.

(* What a move loses of the mean square. *)
Lemma move_loss (D E : hyper_distribution) (s : point -> point -> R) :
  {in inners E, forall e, \sum_(d <- inners D) s e d = 1} ->
  {in inners E, forall e : point, forall i, e i = \sum_(d <- inners D) s e d * d i} ->
  {in inners D, forall d, \sum_(e <- inners E) outer E e * s e d = outer D d} ->
  \sum_(d <- inners D) outer D d * square d - \sum_(e <- inners E) outer E e * square e =
  \sum_(e <- inners E) outer E e * (\sum_(d <- inners D) s e d * (\sum_i (d i - e i) ^+ 2)).
Proof.
move=> s_sum1 s_def s_out.
have -> : \sum_(d <- inners D) outer D d * square d =
    \sum_(e <- inners E) outer E e * (\sum_(d <- inners D) s e d * square d).
  under [RHS]eq_bigr => e _ do rewrite mulr_sumr.
  rewrite exchange_big /= big_seq [RHS]big_seq; apply: eq_bigr => d d_D.
  by rewrite -(s_out d d_D) mulr_suml; apply: eq_bigr => e _; rewrite mulrA.
rewrite -sumrB big_seq [RHS]big_seq; apply: eq_bigr => e e_E; rewrite -mulrBr; congr (_ * _).
have -> : \sum_(d <- inners D) s e d * (\sum_i (d i - e i) ^+ 2) =
    \sum_(d <- inners D) s e d * square d + \sum_i (e i ^+ 2 - (e i + e i) * e i).
  have -> : \sum_i (e i ^+ 2 - (e i + e i) * e i) =
      \sum_(d <- inners D) s e d * (\sum_i (e i ^+ 2 - (e i + e i) * d i)).
    under [RHS]eq_bigr => d _ do rewrite mulr_sumr.
    rewrite exchange_big /=; apply: eq_bigr => i _.
    rewrite (eq_bigr (fun d => s e d * e i ^+ 2 - (e i + e i) * (s e d * d i))) => [|d _]; last first.
      by rewrite mulrBr; congr (_ - _); rewrite mulrCA.
    by rewrite sumrB -mulr_suml -mulr_sumr -s_def // s_sum1 // mul1r.
  rewrite -big_split; apply: eq_bigr => d _ /=; rewrite -mulrDr -big_split; congr (_ * _).
  by apply: eq_bigr => i _ /=; move: (d i) (e i) => x y; by_ring R.
congr (_ + _); rewrite /square -sumrN; apply: eq_bigr => i _; move: (e i) => x; by_ring R.
Qed.

Theorem hyper_refinement_antisymmetric (pi : 'I_p -> R) (D E : hyper_distribution) :
  is_hyper pi D -> is_hyper pi E -> earth_move D E -> earth_move E D -> same_distribution D E.
Proof.
move=> [D_uniq _ D_gt0 _] [E_uniq _ E_gt0 _] [s [s_ge0 s_sum1 s_def s_out]] [t [t_ge0 t_sum1 t_def t_out]].
have term_ge0 e : e \in inners E -> 0 <= outer E e * (\sum_(d <- inners D) s e d * (\sum_i (d i - e i) ^+ 2)).
  move=> e_E; apply: mulr_ge0; first exact: ltW (E_gt0 e e_E).
  rewrite big_seq; apply: sumr_ge0 => d d_D; rewrite mulr_ge0 ?s_ge0 //.
  by apply: sumr_ge0 => i _; rewrite sqr_ge0.
have loss_le0 : \sum_(e <- inners E) outer E e * (\sum_(d <- inners D) s e d * (\sum_i (d i - e i) ^+ 2)) <= 0.
  rewrite -(move_loss s_sum1 s_def s_out) -oppr_ge0 opprB (move_loss t_sum1 t_def t_out).
  rewrite big_seq; apply: sumr_ge0 => d d_D; apply: mulr_ge0; first exact: ltW (D_gt0 d d_D).
  rewrite big_seq; apply: sumr_ge0 => e e_E; rewrite mulr_ge0 ?t_ge0 //.
  by apply: sumr_ge0 => i _; rewrite sqr_ge0.
(* Nothing is moved to another point. *)
have stay e d : e \in inners E -> d \in inners D -> e != d -> s e d = 0.
  move=> e_E d_D ed; apply/eqP; apply: contraNT ed => s_neq0; apply/eqP/ffunP => i.
  have s_gt0 : 0 < s e d by rewrite lt_neqAle eq_sym s_neq0 s_ge0.
  have sq_le0 : outer E e * (s e d * (\sum_i (d i - e i) ^+ 2)) <= 0.
    apply: le_trans loss_le0; rewrite (bigD1_seq e) //= (bigD1_seq d) //= mulrDr -addrA ler_addl addr_ge0 //.
      apply: mulr_ge0; first exact: ltW (E_gt0 e e_E).
      rewrite big_seq_cond; apply: sumr_ge0 => x /andP[x_D _]; rewrite mulr_ge0 ?s_ge0 //.
      by apply: sumr_ge0 => k _; rewrite sqr_ge0.
    by rewrite big_seq_cond; apply: sumr_ge0 => x /andP[x_E _]; exact: term_ge0.
  have : \sum_i (d i - e i) ^+ 2 = 0.
    apply/eqP; rewrite eq_le; apply/andP; split; last by apply: sumr_ge0 => k _; rewrite sqr_ge0.
    by move: sq_le0; rewrite mulrA pmulr_rle0 // mulr_gt0 ?E_gt0.
  move/(psumr_eq0P (fun k _ => sqr_ge0 (d k - e k))) => /(_ i isT)/eqP.
  by rewrite sqrf_eq0 subr_eq0 eq_sym => /eqP.
have DE : {subset inners D <= inners E}.
  move=> d d_D; apply: contraLR (D_gt0 d d_D) => d_E; rewrite -(s_out d d_D) big_seq big1 ?ltxx // => e e_E.
  by rewrite stay ?mulr0 //; apply: contraNneq d_E => <-.
have own e : e \in inners E -> e \in inners D /\ s e e = 1.
  move=> e_E; case: (boolP (e \in inners D)) => e_D.
    split=> //; rewrite -[RHS](s_sum1 e e_E) (bigD1_seq e) //= big_seq_cond big1 ?addr0 // => d /andP[d_D de].
    by rewrite stay // eq_sym.
  have /eqP := s_sum1 e e_E; rewrite big_seq big1 1?eq_sym ?oner_eq0 // => d d_D.
  by rewrite stay //; apply: contraNneq e_D => ->.
split=> [d|d d_D]; first by apply/idP/idP => [/DE //|/own[]].
have d_E := DE d d_D; rewrite -(s_out d d_D) (bigD1_seq d) //= (proj2 (own d d_E)) mulr1.
by rewrite big_seq_cond big1 ?addr0 // => e /andP[e_E ed]; rewrite stay ?mulr0.
Qed.

(* The hyper of a channel C and a prior pi: outputs that never occur count for nothing, equal posteriors are  *)
(* merged, and [hyper pi C d] (Hyper.v) is the probability of all outputs with the posterior d.               *)
(* posterior_point is the posterior after output j: pi_i C_ij / P(j), P(j) = sum_i pi_i C_ij. *)
Definition posterior_point (pi : 'I_p -> R) m (C : 'M[R]_(p, m)) j : point :=
  [ffun i => pi i * C i j / output_probability pi C j].

(* The hyper: the posteriors of the outputs with P(j) other than 0, each once, and their probabilities hyper pi C d. *)
Definition hyper_of (pi : 'I_p -> R) m (C : 'M[R]_(p, m)) : hyper_distribution :=
  HyperDistribution (undup [seq posterior_point pi C j | j <- enum 'I_m & output_probability pi C j != 0]) (fun d : point => hyper pi C d).

Section Channel.
Variables (pi : 'I_p -> R) (m : nat) (C : 'M[R]_(p, m)).
Hypotheses (pi_dist : distribution pi) (C_st : stochastic C).
Local Notation P := (output_probability pi C).
Local Notation post := (posterior_point pi C).

Lemma joint_ge0 i j : 0 <= pi i * C i j.
Proof. by rewrite mulr_ge0 ?(proj1 pi_dist) ?(proj1 C_st). Qed.

Lemma probability_ge0 j : 0 <= P j.
Proof. by apply: sumr_ge0 => i _; exact: joint_ge0. Qed.

Lemma joint_posterior i j : pi i * C i j = P j * post j i.
Proof.
rewrite ffunE; have [P0|P_neq0] := eqVneq (P j) 0; last by rewrite [RHS]mulrC divfK.
by rewrite P0 mul0r; exact: (psumr_eq0P (fun i _ => joint_ge0 i j) P0).
Qed.

Lemma in_inners j : P j != 0 -> post j \in inners (hyper_of pi C).
Proof. by move=> P_neq0; rewrite mem_undup map_f // mem_filter P_neq0 mem_enum. Qed.

Lemma of_inner d : d \in inners (hyper_of pi C) -> exists2 j, P j != 0 & d = post j.
Proof. by rewrite mem_undup => /mapP[j]; rewrite mem_filter => /andP[P_neq0 _]; exists j. Qed.

Lemma outerE (d : point) : hyper pi C d = \sum_(j | (P j != 0) && (post j == d)) P j.
Proof.
rewrite /hyper (bigID (fun j => P j != 0)) /= [X in _ + X]big1 ?addr0 => [|j /andP[_]]; last by rewrite negbK => /eqP.
apply: eq_bigl => j; rewrite andbC; case: (boolP (P j == 0)) => //= P_neq0.
apply/forallP/eqP => [all_i|<- i]; last by rewrite joint_posterior.
by apply/ffunP => i; apply: (mulfI P_neq0); rewrite -joint_posterior (eqP (all_i i)).
Qed.

(* A sum over the inners, and in each over its outputs, is a sum over the outputs. *)
Lemma sum_inners (F : 'I_m -> point -> R) :
  \sum_(d <- inners (hyper_of pi C)) \sum_(j | (P j != 0) && (post j == d)) F j d = \sum_(j | P j != 0) F j (post j).
Proof.
rewrite (exchange_big_dep (fun j => P j != 0)) /= => [|d j _ /andP[] //].
apply: eq_bigr => j P_neq0; rewrite -big_filter (big_rem (post j)) /=; last first.
  by rewrite mem_filter P_neq0 eqxx in_inners.
rewrite big_seq big1 ?addr0 // => d; rewrite mem_rem_uniq ?filter_uniq ?undup_uniq // !inE mem_filter.
by case/andP=> /negPf dj /andP[/andP[_ /eqP jd] _]; rewrite jd eqxx in dj.
Qed.

Lemma sum_outer (F : point -> R) :
  \sum_(d <- inners (hyper_of pi C)) hyper pi C d * F d = \sum_(j | P j != 0) P j * F (post j).
Proof.
rewrite -(sum_inners (fun j d => P j * F d)); apply: eq_bigr => d _.
by rewrite outerE mulr_suml.
Qed.

Lemma outer_gt0 j : P j != 0 -> 0 < hyper pi C (post j).
Proof.
move=> P_neq0; rewrite outerE (bigD1 j) ?P_neq0 ?eqxx //= ltr_paddr //.
  by apply: sumr_ge0 => k _; exact: probability_ge0.
by rewrite lt_neqAle eq_sym P_neq0 probability_ge0.
Qed.

Lemma sum_probability : \sum_j P j = 1.
Proof.
rewrite exchange_big -[RHS](proj2 pi_dist); apply: eq_bigr => i _ /=.
by rewrite -mulr_sumr (proj2 C_st) mulr1.
Qed.

Theorem hyper_ofP : is_hyper pi (hyper_of pi C).
Proof.
split=> [|d /of_inner[j P_neq0 ->]|d /of_inner[j P_neq0 ->]|i]; first exact: undup_uniq.
- split=> [i|]; first by rewrite ffunE divr_ge0 ?joint_ge0 ?probability_ge0.
  by under eq_bigr => i _ do rewrite ffunE; rewrite -mulr_suml divff.
- exact: outer_gt0.
rewrite (sum_outer (fun d => d i)); under eq_bigr => j _ do rewrite -joint_posterior.
rewrite -[RHS]mulr1 -(proj2 C_st i) mulr_sumr [RHS](bigID (fun j => P j != 0)) /= [X in _ = _ + X]big1 ?addr0 //.
by move=> j; rewrite negbK => /eqP P0; rewrite joint_posterior P0 mul0r.
Qed.

Lemma outer_out (d : point) : d \notin inners (hyper_of pi C) -> hyper pi C d = 0.
Proof.
by move=> d_out; rewrite outerE big1 // => j /andP[P_neq0 /eqP jd]; rewrite -jd in_inners in d_out.
Qed.

End Channel.

Section TwoChannels.
Variables (m k : nat) (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k)).
Hypotheses (A_st : stochastic A) (B_st : stochastic B).

Theorem refinement_is_move (pi : 'I_p -> R) : distribution pi -> derivable A B -> earth_move (hyper_of pi A) (hyper_of pi B).
Proof.
move=> pi_dist [T [T_ge0 T_sum1] B_def].
pose PA := output_probability pi A; pose PB := output_probability pi B.
pose inA d y := (PA y != 0) && (posterior_point pi A y == d); pose inB e z := (PB z != 0) && (posterior_point pi B z == e).
have PA_ge0 y : 0 <= PA y by exact: probability_ge0.
pose w e d := \sum_(z | inB e z) \sum_(y | inA d y) PA y * T y z.
have flow_ge0 y z : 0 <= PA y * T y z by rewrite mulr_ge0.
have PB_def z : PB z = \sum_y PA y * T y z.
  rewrite /PB /output_probability (eq_bigr (fun i => \sum_y pi i * A i y * T y z)) => [|i _]; last first.
    by rewrite B_def mxE mulr_sumr; apply: eq_bigr => y _; rewrite mulrA.
  by rewrite exchange_big; apply: eq_bigr => y _ /=; rewrite -mulr_suml.
have rest_z z : PB z = \sum_(y | PA y != 0) PA y * T y z.
  rewrite PB_def (bigID (fun y => PA y != 0)) /= [X in _ + X]big1 ?addr0 // => y.
  by rewrite negbK => /eqP ->; rewrite mul0r.
have by_d e (F : point -> R) : \sum_(d <- inners (hyper_of pi A)) w e d * F d =
    \sum_(z | inB e z) \sum_(y | PA y != 0) PA y * T y z * F (posterior_point pi A y).
  under eq_bigr => d _ do rewrite mulr_suml.
  rewrite exchange_big /=; apply: eq_bigr => z _; rewrite -(sum_inners pi A (fun y d => PA y * T y z * F d)).
  by apply: eq_bigr => d _; rewrite mulr_suml.
have e_gt0 e : e \in inners (hyper_of pi B) -> 0 < hyper pi B e.
  by move=> e_B; have [_ _ ->] := hyper_ofP pi_dist B_st.
have e_neq0 e : e \in inners (hyper_of pi B) -> hyper pi B e != 0 by move/e_gt0/lt0r_neq0.
exists (fun e d => w e d / hyper pi B e); split=> [e d e_B d_A|e e_B|e e_B i|d d_A] /=.
- by rewrite divr_ge0 ?(ltW (e_gt0 e e_B)) //; apply: sumr_ge0 => z _; apply: sumr_ge0.
- rewrite -mulr_suml; apply: (mulIf (e_neq0 e e_B)); rewrite divfK ?e_neq0 // mul1r.
  rewrite (outerE pi_dist B_st) -[LHS](eq_bigr _ (fun d _ => mulr1 _)) (by_d e (fun=> 1)).
  by apply: eq_bigr => z _; rewrite -/PB rest_z; apply: eq_bigr => y _; rewrite mulr1.
- under eq_bigr => d _ do rewrite mulrAC.
  rewrite -mulr_suml; apply: (mulIf (e_neq0 e e_B)); rewrite divfK ?e_neq0 // (by_d e (fun d => d i)).
  rewrite mulrC (outerE pi_dist B_st) mulr_suml; apply: eq_bigr => z /andP[_ /eqP <-].
  rewrite -(joint_posterior pi_dist B_st) B_def mxE mulr_sumr (bigID (fun y => PA y != 0)) /= [X in _ + X]big1 ?addr0.
    by apply: eq_bigr => y _; rewrite mulrA (joint_posterior pi_dist A_st) mulrAC.
  by move=> y; rewrite negbK mulrA (joint_posterior pi_dist A_st) => /eqP; rewrite /PA => ->; rewrite !mul0r.
rewrite big_seq (eq_bigr (fun e => w e d)) => [|e e_B]; last by rewrite mulrC divfK // e_neq0.
rewrite -big_seq (sum_inners pi B (fun z e => \sum_(y | inA d y) PA y * T y z)) (outerE pi_dist A_st) /=.
rewrite exchange_big /=; apply: eq_bigr => y _; rewrite -mulr_sumr.
rewrite -[RHS]mulr1 -(T_sum1 y) !mulr_sumr [RHS](bigID (fun z => PB z != 0)) /= [X in _ = _ + X]big1 ?addr0 // => z.
rewrite negbK => /eqP; rewrite PB_def => PB0.
by have := psumr_eq0P (fun y _ => flow_ge0 y z) PB0 (i := y) isT.
Qed.

(* The other way needs a prior that excludes no input. *)
Theorem move_is_refinement (pi : 'I_p -> R) : (0 < p)%N -> distribution pi -> (forall i, 0 < pi i) ->
  earth_move (hyper_of pi A) (hyper_of pi B) -> derivable A B.
Proof.
move=> p_gt0 pi_dist pi_gt0 [s [s_ge0 s_sum1 s_def s_out]].
pose PA := output_probability pi A; pose PB := output_probability pi B.
have PB_ge0 z : 0 <= PB z by exact: probability_ge0.
have [z0 _] : exists z : 'I_k, true.
  case: (pickP (fun _ : 'I_k => true)) => [z _|none]; first by exists z.
  by have /eqP := proj2 B_st (Ordinal p_gt0); rewrite big_pred0 // eq_sym oner_eq0.
pose T : 'M[R]_(m, k) := \matrix_(y, z) if PA y == 0 then (z == z0)%:R else
  PB z * s (posterior_point pi B z) (posterior_point pi A y) / hyper pi A (posterior_point pi A y).
exists T.
  split=> [y z|y]; [rewrite mxE | under eq_bigr => z _ do rewrite mxE]; case: eqVneq => PA_y.
  - exact: ler0n.
  - have [PB0|PB_z] := eqVneq (PB z) 0; first by rewrite PB0 !mul0r.
    rewrite divr_ge0 ?(ltW (outer_gt0 pi_dist A_st PA_y)) // mulr_ge0 //.
    by rewrite s_ge0 //; exact: in_inners.
  - by rewrite -[RHS](sum_pick (fun=> 1) z0); apply: eq_bigr => z _; rewrite mul1r.
  have o_neq0 := lt0r_neq0 (outer_gt0 pi_dist A_st PA_y); rewrite -mulr_suml.
  apply: (mulIf o_neq0); rewrite divfK // mul1r; have /= <- := s_out _ (in_inners PA_y).
  rewrite (sum_outer pi_dist B_st (fun e => s e (posterior_point pi A y))) [LHS](bigID (fun z => PB z != 0)) /=.
  by rewrite [X in _ + X]big1 ?addr0 // => z; rewrite negbK => /eqP ->; rewrite mul0r.
apply/matrixP => i z; apply: (mulfI (lt0r_neq0 (pi_gt0 i))); rewrite (joint_posterior pi_dist B_st) mxE mulr_sumr.
under eq_bigr => y _ do rewrite mulrA (joint_posterior pi_dist A_st).
rewrite (bigID (fun y => PA y != 0)) /= [X in _ + X]big1 ?addr0 => [|y]; last first.
  by rewrite negbK /PA => /eqP ->; rewrite !mul0r.
have [PB0|PB_z] := eqVneq (PB z) 0.
  rewrite -/PB PB0 mul0r big1 // => y PA_y; rewrite mxE (negPf PA_y) PB0 !mul0r mulr0 //.
pose F (d : point) := d i * (s (posterior_point pi B z) d / hyper pi A d).
rewrite (eq_bigr (fun y => PB z * (PA y * F (posterior_point pi A y)))) => [|y PA_y]; last first.
  by rewrite mxE (negPf PA_y) /F -!/(PA y); move: (posterior_point pi A y i) (s _ _) (_^-1) => u v x; by_ring R.
rewrite -mulr_sumr -(sum_outer pi_dist A_st F); congr (_ * _).
rewrite (s_def _ (in_inners PB_z)) big_seq [RHS]big_seq; apply: eq_bigr => d d_A.
have [_ _ /(_ d d_A)/lt0r_neq0 o_neq0 _] := hyper_ofP pi_dist A_st.
by rewrite /F mulrCA [X in _ = _ * X]mulrC divfK // mulrC.
Qed.

End TwoChannels.

(* Equation (6): for a prior that excludes no input, refinement of channels is refinement of their hypers.    *)
Theorem refinement_moves (pi : 'I_p -> R) m k (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k)) :
  (0 < p)%N -> distribution pi -> (forall i, 0 < pi i) -> stochastic A -> stochastic B ->
  derivable A B <-> earth_move (hyper_of pi A) (hyper_of pi B).
Proof.
move=> p_gt0 pi_dist pi_gt0 A_st B_st; split; first exact: refinement_is_move.
exact: move_is_refinement.
Qed.

Lemma uniform_distribution : (0 < p)%N -> distribution (fun _ : 'I_p => p%:R^-1 : R).
Proof.
move=> p_gt0; split=> [i|]; first by rewrite invr_ge0 ler0n.
by rewrite sumr_const card_ord -[LHS]mulr_natl mulfV // pnatr_eq0 -lt0n.
Qed.

Lemma hyper_point (pi : 'I_p -> R) m (C : 'M[R]_(p, m)) (d : 'I_p -> R) :
  hyper pi C d = hyper pi C ([ffun i => d i] : point).
Proof. by apply: eq_bigl => j; apply: eq_forallb => i; rewrite ffunE. Qed.

(* "Channels which are equivalent under the refinement preorder collapse to the same hyper under any prior",  *)
(* and only they.                                                                                             *)
Theorem refinement_same_hyper m k (A : 'M[R]_(p, m)) (B : 'M[R]_(p, k)) : (0 < p)%N -> stochastic A -> stochastic B ->
  derivable A B /\ derivable B A <-> same_hyper A B.
Proof.
move=> p_gt0 A_st B_st; split=> [[AB BA] pi pi_dist d|same].
  have [same_in same_out] := hyper_refinement_antisymmetric (hyper_ofP pi_dist A_st) (hyper_ofP pi_dist B_st)
    (refinement_is_move A_st B_st pi_dist AB) (refinement_is_move B_st A_st pi_dist BA).
  rewrite !(hyper_point _ _ d); move: [ffun i => d i] => {}d.
  case: (boolP (d \in inners (hyper_of pi A))) => [/same_out //|d_A].
  by rewrite !outer_out // -same_in.
have u_dist := uniform_distribution p_gt0; pose u : 'I_p -> R := fun=> p%:R^-1.
have u_gt0 (i : 'I_p) : 0 < u i by rewrite invr_gt0 ltr0n.
have move_same n l (X : 'M[R]_(p, n)) (Y : 'M[R]_(p, l)) : stochastic X -> stochastic Y ->
    (forall d : point, hyper u X d = hyper u Y d) -> derivable X Y.
  move=> X_st Y_st XY; apply: (move_is_refinement X_st Y_st p_gt0 u_dist u_gt0).
  have in_XY : inners (hyper_of u X) =i inners (hyper_of u Y).
    move=> d; have pos q (Z : 'M[R]_(p, q)) : stochastic Z -> (d \in inners (hyper_of u Z)) = (0 < hyper u Z d).
      move=> Z_st; apply/idP/idP => [d_Z|]; first by have [_ _ ->] := hyper_ofP u_dist Z_st.
      by apply: contraTT => /(outer_out u_dist Z_st) ->; rewrite ltxx.
    by rewrite !pos // XY.
  have [s [s_ge0 s_sum1 s_def s_out]] := hyper_refinement_reflexive (hyper_ofP u_dist X_st).
  exists s; split=> [e d|e|e|d d_X]; rewrite -?in_XY; try by [exact: s_ge0 | exact: s_sum1 | exact: s_def].
  rewrite -[RHS](s_out d d_X) /=; under eq_bigr => e _ do rewrite -XY.
  by apply: perm_big; apply: uniq_perm; rewrite ?undup_uniq // => e; rewrite in_XY.
by split; apply: move_same => // d; rewrite same.
Qed.

End HyperOrder.
