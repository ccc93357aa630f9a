(* SPDX-License-Identifier: MIT *)
(* Posteriors and hyper-distributions: what a mechanism says, whatever its outputs are called.                *)
(*                                                                                                            *)
(*   posterior_of X j         the posterior after output j, under the uniform prior                           *)
(*   hyper pi X d             with which probability the posterior under the prior pi is d                    *)
(*   same_hyper X Y           all these probabilities are the same, for every prior                           *)
(*   same_mass_hyper          it is enough that they are so for the uniform prior and the posteriors that     *)
(*                            occur                                                                           *)
(*   independent_posteriors   the posteriors, each taken once, are linearly independent                       *)
(*   independent_choice       one choice of an output for each posterior is enough                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism MatrixGame.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Hyper.
Variables (R : realFieldType) (p : nat).
Implicit Types (pi d : 'I_p -> R).

(* The probability of output j under the prior pi: sum_i pi_i X_ij. *)
Definition output_probability pi m (X : 'M[R]_(p, m)) j : R := \sum_i pi i * X i j.

(* Output j has the posterior d when pi_i X_ij = P(j) d_i for every input i. *)
Definition hyper pi m (X : 'M[R]_(p, m)) d : R :=
  \sum_(j | [forall i, pi i * X i j == output_probability pi X j * d i]) output_probability pi X j.

(* X and Y have the same hyper for every prior: each d is the posterior with the same probability. *)
Definition same_hyper m k (X : 'M[R]_(p, m)) (Y : 'M[R]_(p, k)) :=
  forall pi, distribution pi -> forall d, hyper pi X d = hyper pi Y d.

(* The sum of column j. *)
Definition column_sum m (X : 'M[R]_(p, m)) j : R := \sum_i X i j.

(* The posterior after output j under the uniform prior: column j over its sum (0 if the sum is 0). *)
Definition posterior_of m (X : 'M[R]_(p, m)) j : 'I_p -> R := fun i => (column_sum X j)^-1 * X i j.

(* Output j occurs: its column is not 0. *)
Definition occurs m (X : 'M[R]_(p, m)) j := exists i, X i j != 0.

(* Under the uniform prior, the posteriors of the outputs that occur, each taken once, are linearly independent. *)
Definition independent_posteriors m (X : 'M[R]_(p, m)) := forall J : {set 'I_m},
  (forall j, j \in J -> occurs X j) -> {in J &, forall j k, posterior_of X j =1 posterior_of X k -> j = k} ->
  forall c : 'I_m -> R, (forall i, \sum_(j in J) c j * posterior_of X j i = 0) -> {in J, forall j, c j = 0}.

Lemma column_sum_gt0 m (X : 'M[R]_(p, m)) j : (forall i, 0 <= X i j) -> occurs X j -> 0 < column_sum X j.
Proof.
move=> X_ge0 [i Xi]; rewrite /column_sum (bigD1 i) //= ltr_paddr ?sumr_ge0 //.
by rewrite lt_neqAle eq_sym Xi X_ge0.
Qed.

Lemma column_posterior m (X : 'M[R]_(p, m)) j : (forall i, 0 <= X i j) ->
  forall i, X i j = column_sum X j * posterior_of X j i.
Proof.
move=> X_ge0 i; rewrite /posterior_of; have [s0|s_neq0] := eqVneq (column_sum X j) 0; last by rewrite mulVKf.
by rewrite s0 mul0r; exact: (@psumr_eq0P _ _ xpredT _ (fun i _ => X_ge0 i) s0 i isT).
Qed.

Theorem independent_choice m (X : 'M[R]_(p, m)) (J : {set 'I_m}) :
  (forall j, occurs X j -> exists2 r, r \in J & posterior_of X r =1 posterior_of X j) ->
  (forall c : 'I_m -> R, (forall i, \sum_(r in J) c r * posterior_of X r i = 0) -> {in J, forall r, c r = 0}) ->
  independent_posteriors X.
Proof.
move=> choice J_ind K K_occurs K_differ c c_rel.
have [r0 r0_def] : exists r : 'I_m -> 'I_m, forall j, j \in K -> r j \in J /\ posterior_of X (r j) =1 posterior_of X j.
  apply: (@fin_all_exists _ (fun=> 'I_m) (fun j r => j \in K -> r \in J /\ posterior_of X r =1 posterior_of X j)) => j.
  have [j_K|j_K] := boolP (j \in K); last by exists j.
  by have [r r_J r_j] := choice j (K_occurs j j_K); exists r.
pose d r := \sum_(j in K | r0 j == r) c j; have d0 : {in J, forall r, d r = 0}.
  apply: J_ind => i; rewrite -[RHS](c_rel i) [RHS](partition_big r0 (mem J)) /=; last by move=> j /r0_def[].
  apply: eq_bigr => r r_J; rewrite mulr_suml; apply: eq_bigr => j /andP[/r0_def[_ post] /eqP <-].
  by rewrite post.
move=> j j_K; have [r_J post] := r0_def j j_K; rewrite -(d0 _ r_J) /d (big_pred1 j) // => k.
apply/andP/eqP => [[k_K /eqP same]|-> //]; apply: K_differ => // i.
by have [_ post_k] := r0_def k k_K; rewrite -post -post_k same.
Qed.

(* The sum of all columns of a mechanism with the same posterior. *)
Definition mass m (X : 'M[R]_(p, m)) d : R := \sum_(j | [forall i, X i j == column_sum X j * d i]) column_sum X j.

Lemma mass_hyper m (X : 'M[R]_(p, m)) d : (0 < p)%N -> hyper (fun=> p%:R^-1) X d = p%:R^-1 * mass X d.
Proof.
move=> p_gt0; have p_neq0 : p%:R^-1 != 0 :> R by rewrite invr_eq0 pnatr_eq0 -lt0n.
have probE j : output_probability (fun=> p%:R^-1) X j = p%:R^-1 * column_sum X j by rewrite mulr_sumr.
rewrite /mass mulr_sumr; apply: eq_big => [j|j _]; last exact: probE.
by apply: eq_forallb => i; rewrite probE -mulrA (inj_eq (mulfI p_neq0)).
Qed.

(* Mechanisms with another mass at some posterior are not the same. *)
Lemma same_hyper_mass m k (X : 'M[R]_(p, m)) (Y : 'M[R]_(p, k)) d : (0 < p)%N -> same_hyper X Y -> mass X d = mass Y d.
Proof.
move=> p_gt0 same; have p_neq0 : p%:R^-1 != 0 :> R by rewrite invr_eq0 pnatr_eq0 -lt0n.
apply: (mulfI p_neq0); rewrite -!mass_hyper // same //; split=> [i|]; first by rewrite invr_ge0 ler0n.
by rewrite sumr_const card_ord -[LHS]mulr_natl mulfV // pnatr_eq0 -lt0n.
Qed.

Section SameMass.
Variables (m k : nat) (X : 'M[R]_(p, m)) (Y : 'M[R]_(p, k)).
Hypotheses (X_ge0 : forall i j, 0 <= X i j) (Y_ge0 : forall i j, 0 <= Y i j).

(* All outputs together. *)
(* size_of is the sum of the column of an output of X or of Y. *)
Let size_of (x : 'I_m + 'I_k) : R := match x with inl j => column_sum X j | inr j => column_sum Y j end.
(* The posterior of an output of X or of Y, under the uniform prior. *)
Let post (x : 'I_m + 'I_k) : {ffun 'I_p -> R} :=
  match x with inl j => [ffun i => posterior_of X j i] | inr j => [ffun i => posterior_of Y j i] end.
(* The outputs whose column does not sum to 0 and whose posterior is that of x. *)
Let like x : pred ('I_m + 'I_k) := fun y => (size_of y != 0) && (post y == post x).
(* One of these, the same for all x with the same posterior (x itself if there is none). *)
Let first x := odflt x [pick y | like x y].

Lemma first_like x : size_of x != 0 -> like x (first x) /\ first (first x) = first x.
Proof.
move=> x_neq0; have firstE y : post y = post x -> [pick z | like y z] = [pick z | like x z].
  by move=> e; apply: eq_pick => z; rewrite /like e.
rewrite {1 3}/first; case: pickP => [y /= y_x|/(_ x)]; last by rewrite /like x_neq0 eqxx.
split=> //; rewrite /first; have /andP[_ /eqP/firstE ->] := y_x.
by case: pickP => [//|none]; last by have := none x; rewrite /like x_neq0 eqxx.
Qed.

(* One side: a sum over its columns is a sum over the posteriors. *)
Lemma by_posterior n (C : 'M[R]_(p, n)) (side : 'I_n -> 'I_m + 'I_k) (G : {ffun 'I_p -> R} -> R) :
  (forall i j, 0 <= C i j) -> (forall j, size_of (side j) = column_sum C j) ->
  (forall j i, post (side j) i = posterior_of C j i) ->
  \sum_j column_sum C j * G (post (side j)) =
    \sum_(x | (size_of x != 0) && (first x == x)) mass C (post x) * G (post x).
Proof.
move=> C_ge0 side_size side_post.
rewrite (bigID (fun j => column_sum C j == 0)) /= big1 ?add0r => [|j /eqP ->]; last by rewrite mul0r.
rewrite (partition_big (fun j => first (side j)) (fun x => (size_of x != 0) && (first x == x))) /=; last first.
  by move=> j j_neq0; rewrite -side_size in j_neq0; have [/andP[-> _] ->] := first_like j_neq0; rewrite eqxx.
apply: eq_bigr => x /andP[x_neq0 /eqP x_first]; rewrite /mass big_distrl /= [RHS](bigID (fun j => column_sum C j == 0)) /=.
rewrite [in RHS]big1 ?add0r => [|j /andP[_ /eqP ->]]; last by rewrite mul0r.
have same j : column_sum C j != 0 -> (first (side j) == x) = [forall i, C i j == column_sum C j * post x i].
  move=> j_neq0; have j_neq0' : size_of (side j) != 0 by rewrite side_size.
  have [/andP[_ /eqP post_j] _] := first_like j_neq0'.
  have -> : [forall i, C i j == column_sum C j * post x i] = (post (side j) == post x).
    apply/forallP/eqP => [all_i|<- i]; last by rewrite side_post -column_posterior.
    apply/ffunP => i; rewrite side_post; apply: (mulfI j_neq0).
    by rewrite -(eqP (all_i i)) -column_posterior.
  apply/eqP/eqP => [<- //|e]; rewrite -x_first /first.
  have -> : [pick y | like (side j) y] = [pick y | like x y] by apply: eq_pick => y; rewrite /like e.
  by case: pickP => // none; have := none x; rewrite /like x_neq0 eqxx.
apply: eq_big => [j|j /andP[j_neq0 /eqP first_j]].
  by case: (boolP (column_sum C j == 0)) => [_|/same ->] /=; rewrite ?andbF ?andbT.
rewrite -first_j; have j_neq0' : size_of (side j) != 0 by rewrite side_size.
by have [/andP[_ /eqP ->] _] := first_like j_neq0'.
Qed.

Theorem same_mass_hyper :
  (forall j, occurs X j -> mass X (posterior_of X j) = mass Y (posterior_of X j)) ->
  (forall j, occurs Y j -> mass X (posterior_of Y j) = mass Y (posterior_of Y j)) -> same_hyper X Y.
Proof.
move=> X_mass Y_mass pi _ d.
pose gain (v : {ffun 'I_p -> R}) : R :=
  if [forall i, pi i * v i == (\sum_i pi i * v i) * d i] then \sum_i pi i * v i else 0.
have hyperE n (C : 'M[R]_(p, n)) (v : 'I_n -> {ffun 'I_p -> R}) : (forall i j, 0 <= C i j) ->
    (forall j i, v j i = posterior_of C j i) -> hyper pi C d = \sum_j column_sum C j * gain (v j).
  move=> C_ge0 v_post; rewrite /hyper big_mkcond /=; apply: eq_bigr => j _.
  have colE i : C i j = column_sum C j * v j i by rewrite v_post -column_posterior.
  have probE : output_probability pi C j = column_sum C j * \sum_i pi i * v j i.
    by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite colE mulrCA.
  rewrite probE /gain; have [s0|s_neq0] := eqVneq (column_sum C j) 0; first by rewrite s0 !mul0r; case: ifP.
  have -> : [forall i, pi i * C i j == column_sum C j * (\sum_i0 pi i0 * v j i0) * d i]
          = [forall i, pi i * v j i == (\sum_i0 pi i0 * v j i0) * d i].
    by apply: eq_forallb => i; rewrite colE mulrCA -mulrA (inj_eq (mulfI s_neq0)).
  by case: ifP => _; rewrite ?mulr0.
rewrite (@hyperE _ X (fun j => post (inl j))) // => [|j i]; last by rewrite ffunE.
rewrite (@hyperE _ Y (fun j => post (inr j))) // => [|j i]; last by rewrite ffunE.
rewrite (@by_posterior _ X inl) // => [|j i]; last by rewrite ffunE.
rewrite (@by_posterior _ Y inr) // => [|j i]; last by rewrite ffunE.
have eq_mass n (C : 'M[R]_(p, n)) (u v : 'I_p -> R) : u =1 v -> mass C u = mass C v.
  by move=> uv; apply: eq_bigl => j; apply: eq_forallb => i; rewrite uv.
have some n (C : 'M[R]_(p, n)) j : column_sum C j != 0 -> occurs C j.
  move=> s_neq0; case: (boolP [exists i, C i j != 0]) => [/existsP//|]; rewrite negb_exists => /forallP zero.
  by case/eqP: s_neq0; apply: big1 => i _; apply/eqP; have := zero i; rewrite negbK.
apply: eq_bigr => x /andP[x_neq0 _]; congr (_ * _).
case: x x_neq0 => j /some j_occurs /=.
  have e : [ffun i => posterior_of X j i] =1 posterior_of X j by move=> i; rewrite ffunE.
  by rewrite (eq_mass _ _ _ _ e) (eq_mass _ _ _ _ e) X_mass.
have e : [ffun i => posterior_of Y j i] =1 posterior_of Y j by move=> i; rewrite ffunE.
by rewrite (eq_mass _ _ _ _ e) (eq_mass _ _ _ _ e) Y_mass.
Qed.
End SameMass.

End Hyper.
