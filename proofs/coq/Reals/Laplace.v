(* SPDX-License-Identifier: MIT *)
(* The Laplace distribution, by improper integrals over the real line.                                         *)
(*                                                                                                            *)
(*   laplace_total       the density of Lap(b) has the integral 1                                              *)
(*   laplace_mean_size   E|Y| = b                                                                              *)
(*   laplace_tail        Pr[|Y| >= t b] = e^(-t)                                                               *)
(*   laplace_mean        E[Y] = 0                                                                              *)
(*   laplace_interval    every interval has a probability                                                      *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From ExactDP.Reals Require Import RealSums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope R_scope.

(* The improper Riemann integral of f over the whole line is l: both ends tend to infinity independently. *)
Definition integral_is (f : R -> R) (l : R) := is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) l.

(* The density p(x|b) = (1/(2b)) exp(-|x|/b) of the slides, moved to the centre m. *)
Definition laplace (b m x : R) : R := / (2 * b) * exp (- (Rabs (x - m) / b)).

(* 1_S f, so that the probability of S is the integral of the density restricted to S. *)
Definition restrict (S : R -> bool) (f : R -> R) (x : R) : R := if S x then f x else 0.

Local Notation minus_infinity := (Rbar_locally m_infty).
Local Notation plus_infinity := (Rbar_locally p_infty).

(* Half-lines: the limit of the integrals over finite intervals. *)
Lemma half_line_right (f F : R -> R) (a l : R) :
  (forall c, a <= c -> is_RInt f a c (F c)) -> is_lim F p_infty l -> is_RInt_gen f (at_point a) plus_infinity l.
Proof.
move=> fin lim P Pl; have [M FM] := lim P Pl.
exists (fun x => x = a) (fun c => a <= c /\ P (F c)) => //=.
  by exists (Rmax a M) => x lt; split; [move: (Rmax_l a M); lra | apply: FM; move: (Rmax_r a M); lra].
by move=> x c -> [le Pc]; exists (F c); split=> //; exact: fin.
Qed.

Lemma half_line_left (f F : R -> R) (a l : R) :
  (forall c, c <= a -> is_RInt f c a (F c)) -> is_lim F m_infty l -> is_RInt_gen f minus_infinity (at_point a) l.
Proof.
move=> fin lim P Pl; have [M FM] := lim P Pl.
exists (fun c => c <= a /\ P (F c)) (fun x => x = a) => //=.
  by exists (Rmin a M) => x lt; split; [move: (Rmin_l a M); lra | apply: FM; move: (Rmin_r a M); lra].
by move=> c x [le Pc] ->; exists (F c); split=> //; exact: fin.
Qed.

Lemma left_ext (f g : R -> R) (a l : R) : (forall x, x < a -> f x = g x) ->
  is_RInt_gen f minus_infinity (at_point a) l -> is_RInt_gen g minus_infinity (at_point a) l.
Proof.
move=> fg; apply: is_RInt_gen_ext; exists (fun c => c < a) (fun x => x = a) => //=; first by exists a.
by move=> c _ lt -> x [_ +]; rewrite Rmax_right; [exact: fg | lra].
Qed.

Lemma right_ext (f g : R -> R) (a l : R) : (forall x, a < x -> f x = g x) ->
  is_RInt_gen f (at_point a) plus_infinity l -> is_RInt_gen g (at_point a) plus_infinity l.
Proof.
move=> fg; apply: is_RInt_gen_ext; exists (fun x => x = a) (fun c => a < c) => //=; first by exists a.
by move=> _ c -> lt x [+ _]; rewrite Rmin_left; [exact: fg | lra].
Qed.

Lemma middle_ext (f g : R -> R) (a c l : R) : a <= c -> (forall x, a < x < c -> f x = g x) ->
  is_RInt f a c l -> is_RInt g a c l.
Proof. by move=> le fg; apply: is_RInt_ext => x; rewrite Rmin_left ?Rmax_right //; exact: fg. Qed.

Lemma middle_zero (g : R -> R) (a c : R) : a <= c -> (forall x, a < x < c -> g x = 0) -> is_RInt g a c 0.
Proof.
move=> le g0; apply: (@middle_ext (fun _ => 0)) => // [x /g0 -> //|].
by have := is_RInt_const a c (0 : R); rewrite /scal /= /mult /= Rmult_0_r.
Qed.

Lemma left_zero (g : R -> R) (a : R) : (forall x, x < a -> g x = 0) -> is_RInt_gen g minus_infinity (at_point a) 0.
Proof.
move=> g0; apply: (half_line_left (F := fun=> 0)) => [c ca|]; last exact: is_lim_const.
by apply: middle_zero => // x [_]; exact: g0.
Qed.

Lemma right_zero (g : R -> R) (a : R) : (forall x, a < x -> g x = 0) -> is_RInt_gen g (at_point a) plus_infinity 0.
Proof.
move=> g0; apply: (half_line_right (F := fun=> 0)) => [c ca|]; last exact: is_lim_const.
by apply: middle_zero => // x [+ _]; exact: g0.
Qed.

(* The line cut at one point, or at two. *)
Lemma cut (f : R -> R) (a l1 l2 : R) : is_RInt_gen f minus_infinity (at_point a) l1 ->
  is_RInt_gen f (at_point a) plus_infinity l2 -> integral_is f (l1 + l2).
Proof. exact: is_RInt_gen_Chasles. Qed.

Lemma cut2 (f : R -> R) (a c l1 l2 l3 : R) : is_RInt_gen f minus_infinity (at_point a) l1 ->
  is_RInt f a c l2 -> is_RInt_gen f (at_point c) plus_infinity l3 -> integral_is f (l1 + l2 + l3).
Proof.
move=> f1 /is_RInt_gen_at_point f2 f3; apply: (@cut _ c) => //.
exact: (is_RInt_gen_Chasles (V := R_NormedModule) (Fa := minus_infinity) (Fc := at_point c)) f1 f2.
Qed.

Section Laplace.
Variables (b m : R).
Hypothesis b_gt0 : 0 < b.

Lemma laplace_gt0 x : 0 < laplace b m x.
Proof. by apply: Rmult_lt_0_compat; [apply: Rinv_0_lt_compat; lra | exact: exp_pos]. Qed.

Lemma continuous_laplace x : continuous (laplace b m) x.
Proof.
apply: (continuous_mult (fun _ => / (2 * b))); first exact: continuous_const.
apply: (continuous_comp (fun x => - (Rabs (x - m) / b)) exp); last by apply: continuous_exp.
apply: (continuous_opp (fun x => Rabs (x - m) / b)); apply: (continuous_mult (fun x => Rabs (x - m)) (fun _ => / b)).
  apply: (continuous_comp (fun x => x - m) Rabs); last exact: continuous_Rabs.
  apply: (continuous_minus (fun x => x)); [exact: continuous_id | exact: continuous_const].
exact: continuous_const.
Qed.

(* For x >= m: Pr[Y >= x] where Y has the density laplace b m (laplace_above). *)
Definition upper (x : R) : R := exp (- ((x - m) / b)) / 2.
(* For x <= m: Pr[Y <= x] (laplace_below). *)
Definition lower (x : R) : R := exp ((x - m) / b) / 2.

Lemma laplace_right a c : m <= a -> a <= c -> is_RInt (laplace b m) a c (upper a - upper c).
Proof.
move=> ma ac; apply: (is_RInt_ext (fun x => / (2 * b) * exp (- ((x - m) / b)))) => [x|].
  by rewrite Rmin_left // => -[ax _]; rewrite /laplace Rabs_right //; lra.
have -> : upper a - upper c = minus (- upper c) (- upper a) by rewrite /minus /plus /opp /=; ring.
apply: (is_RInt_derive (fun x => - upper x)) => x _.
  by rewrite /upper; auto_derive => //; rewrite -/(x - m) -/((x - m) / b); field; lra.
apply: (continuous_mult (fun _ => / (2 * b))); first exact: continuous_const.
by apply: ex_derive_continuous; auto_derive.
Qed.

Lemma laplace_left a c : c <= m -> a <= c -> is_RInt (laplace b m) a c (lower c - lower a).
Proof.
move=> cm ac; apply: (is_RInt_ext (fun x => / (2 * b) * exp ((x - m) / b))) => [x|].
  rewrite Rmax_right // => -[_ xc]; rewrite /laplace Rabs_left; last lra.
  by congr (_ * exp _); field; lra.
apply: (is_RInt_derive lower) => x _; first by rewrite /lower; auto_derive => //; rewrite -/(x - m) -/((x - m) / b); field; lra.
apply: (continuous_mult (fun _ => / (2 * b))); first exact: continuous_const.
by apply: ex_derive_continuous; auto_derive.
Qed.

Lemma linear_lim : is_lim (fun x => - ((x - m) / b)) p_infty m_infty /\ is_lim (fun x => (x - m) / b) m_infty m_infty.
Proof.
have at_b M : b * M / b = M by field; lra.
split=> P [M PM].
  exists (m - b * M) => y lt; apply: PM; rewrite -[M]at_b; have -> : - ((y - m) / b) = (m - y) / b by field; lra.
  by apply: Rmult_lt_compat_r; [exact: Rinv_0_lt_compat | lra].
exists (m + b * M) => y lt; apply: PM; rewrite -[M]at_b.
by apply: Rmult_lt_compat_r; [exact: Rinv_0_lt_compat | lra].
Qed.

Lemma upper_lim : is_lim upper p_infty 0.
Proof.
have := is_lim_scal_l _ (/ 2) _ _ (is_lim_comp exp _ _ _ _ is_lim_exp_m (proj1 linear_lim) _).
rewrite /= Rmult_0_r; move=> lim; apply: is_lim_ext (lim _) => [y|]; first by rewrite /upper Rmult_comm.
by exists 0.
Qed.

Lemma lower_lim : is_lim lower m_infty 0.
Proof.
have := is_lim_scal_l _ (/ 2) _ _ (is_lim_comp exp _ _ _ _ is_lim_exp_m (proj2 linear_lim) _).
rewrite /= Rmult_0_r; move=> lim; apply: is_lim_ext (lim _) => [y|]; first by rewrite /lower Rmult_comm.
by exists 0.
Qed.

(* The probabilities of the half-lines on either side of the centre. *)
Lemma laplace_above a : m <= a -> is_RInt_gen (laplace b m) (at_point a) plus_infinity (upper a).
Proof.
move=> ma; apply: (half_line_right (F := fun c => upper a - upper c)) => [c ac|]; first exact: laplace_right.
rewrite -{2}[upper a]Rminus_0_r; apply: is_lim_minus (is_lim_const _ _) upper_lim _ => //.
Qed.

Lemma laplace_below a : a <= m -> is_RInt_gen (laplace b m) minus_infinity (at_point a) (lower a).
Proof.
move=> am; apply: (half_line_left (F := fun c => lower a - lower c)) => [c ac|]; first exact: laplace_left.
rewrite -{2}[lower a]Rminus_0_r; apply: is_lim_minus (is_lim_const _ _) lower_lim _ => //.
Qed.

Lemma upper_at : upper m = / 2.
Proof. by rewrite /upper Rminus_eq_0 /Rdiv Rmult_0_l Ropp_0 exp_0 Rmult_1_l. Qed.

Lemma lower_at : lower m = / 2.
Proof. by rewrite /lower Rminus_eq_0 /Rdiv Rmult_0_l exp_0 Rmult_1_l. Qed.

Theorem laplace_total : integral_is (laplace b m) 1.
Proof.
have -> : 1 = lower m + upper m by rewrite lower_at upper_at; field.
by apply: cut; [apply: laplace_below | apply: laplace_above]; lra.
Qed.

Lemma middle_exists a c : exists v, is_RInt (laplace b m) a c v.
Proof. by apply: (ex_RInt_continuous (V := R_CompleteNormedModule)) => x _; exact: continuous_laplace. Qed.

Lemma left_exists a : exists v, is_RInt_gen (laplace b m) minus_infinity (at_point a) v.
Proof.
have [v /is_RInt_gen_at_point middle] := middle_exists m a; exists (lower m + v).
exact: (is_RInt_gen_Chasles (V := R_NormedModule) (Fa := minus_infinity) (Fc := at_point a)) (laplace_below (Rle_refl m)) middle.
Qed.

Lemma right_exists a : exists v, is_RInt_gen (laplace b m) (at_point a) plus_infinity v.
Proof.
have [v /is_RInt_gen_at_point middle] := middle_exists a m; exists (v + upper m).
exact: (is_RInt_gen_Chasles (V := R_NormedModule) (Fa := at_point a) (Fc := plus_infinity)) middle (laplace_above (Rle_refl m)).
Qed.

(* An interval of any kind, closed or open, bounded or not, or empty: between its ends everything, outside     *)
(* nothing, and the ends themselves either way.                                                                *)
Definition is_interval (S : R -> bool) := exists lo hi : Rbar,
  Rbar_le lo hi /\ (forall x : R, Rbar_lt lo x -> Rbar_lt x hi -> S x) /\ (forall x : R, S x -> Rbar_le lo x /\ Rbar_le x hi).

Lemma outside_left (S : R -> bool) lo hi (x : R) : (forall x : R, S x -> Rbar_le lo x /\ Rbar_le x hi) -> Rbar_lt x lo -> S x = false.
Proof. by move=> out lt; apply: negbTE; apply/negP => /out [le _]; exact: (Rbar_lt_not_le _ _ lt). Qed.

Lemma outside_right (S : R -> bool) lo hi (x : R) : (forall x : R, S x -> Rbar_le lo x /\ Rbar_le x hi) -> Rbar_lt hi x -> S x = false.
Proof. by move=> out lt; apply: negbTE; apply/negP => /out [_ le]; exact: (Rbar_lt_not_le _ _ lt). Qed.

Theorem laplace_interval (S : R -> bool) : is_interval S -> exists p, integral_is (restrict S (laplace b m)) p.
Proof.
case=> lo [hi [le [inside out]]].
have out1 (x : R) : Rbar_lt x lo -> restrict S (laplace b m) x = 0 by move=> lt; rewrite /restrict (outside_left out lt).
have out2 (x : R) : Rbar_lt hi x -> restrict S (laplace b m) x = 0 by move=> lt; rewrite /restrict (outside_right out lt).
have in12 (x : R) : Rbar_lt lo x -> Rbar_lt x hi -> laplace b m x = restrict S (laplace b m) x.
  by move=> lt1 lt2; rewrite /restrict inside.
case: lo hi le {inside out} out1 out2 in12 => [lo||] [hi||] //= le out1 out2 in12.
- have [v middle] := middle_exists lo hi; exists (0 + v + 0); apply: (@cut2 _ lo hi).
  + exact: left_zero.
  + by apply: middle_ext middle => // x []; exact: in12.
  + exact: right_zero.
- have [v right] := right_exists lo; exists (0 + v); apply: (@cut _ lo); first exact: left_zero.
  by apply: right_ext right => x lt; exact: in12.
- exists (0 + 0); apply: (@cut _ 0); [apply: left_zero | apply: right_zero] => x _; exact: out1.
- have [v left] := left_exists hi; exists (v + 0); apply: (@cut _ hi); last exact: right_zero.
  by apply: left_ext left => x lt; exact: in12.
- exists 1; apply: is_RInt_gen_ext laplace_total; exists (fun=> True) (fun=> True); [by exists 0 | by exists 0 | ].
  by move=> c d _ _ x _; exact: in12.
- exists (0 + 0); apply: (@cut _ 0); [apply: left_zero | apply: right_zero] => x _; exact: out2.
Qed.

End Laplace.

Section Moments.
Variable b : R.
Hypothesis b_gt0 : 0 < b.
Local Notation p := (laplace b 0).

Theorem laplace_tail (t : R) : 0 <= t -> integral_is (restrict (fun y => leR (t * b) (Rabs y)) p) (exp (- t)).
Proof.
move=> t_ge0; have tb_ge0 : 0 <= t * b by apply: Rmult_le_pos; lra.
have -> : exp (- t) = lower b 0 (- (t * b)) + 0 + upper b 0 (t * b).
  rewrite /lower /upper !Rminus_0_r; have -> : - (t * b) / b = - t by field; lra.
  have -> : t * b / b = t by field; lra.
  by field.
apply: (@cut2 _ (- (t * b)) (t * b)).
- apply: left_ext (laplace_below b_gt0 _); last lra.
  by move=> x lt; rewrite /restrict Rabs_left; last lra; case: leRP => // not; exfalso; lra.
- apply: middle_zero; first lra.
  move=> x [lt1 lt2]; rewrite /restrict; case: leRP => // le; exfalso; have := Rabs_def1 _ _ lt2 lt1; lra.
- apply: right_ext (laplace_above b_gt0 _); last lra.
  by move=> x lt; rewrite /restrict Rabs_right; last lra; case: leRP => // not; exfalso; lra.
Qed.

(* For t <= 0 the event is certain. *)

Lemma size_right : is_RInt_gen (fun y => Rabs y * p y) (at_point 0) plus_infinity (b / 2).
Proof.
apply: (half_line_right (F := fun c => b / 2 - (c + b) / 2 * exp (- (c / b)))) => [c c_ge0|].
  apply: (@middle_ext (fun x => / (2 * b) * (x * exp (- (x / b))))) => // [x [x_gt0 _]|].
    by rewrite /laplace Rminus_0_r Rabs_right; [ring | lra].
  have -> : b / 2 - (c + b) / 2 * exp (- (c / b)) = minus (- ((c + b) / 2 * exp (- (c / b)))) (- ((0 + b) / 2 * exp (- (0 / b)))).
    by rewrite /minus /plus /opp /= /Rdiv Rmult_0_l Ropp_0 exp_0; field; lra.
  apply: (is_RInt_derive (fun x => - ((x + b) / 2 * exp (- (x / b))))) => x _.
    by auto_derive => //; rewrite -/(x / b); field; lra.
  by apply: ex_derive_continuous; auto_derive.
have lin : is_lim (fun c => - (c / b)) p_infty m_infty.
  by apply: is_lim_ext (proj1 (linear_lim 0 b_gt0)) => c; rewrite Rminus_0_r.
have e0 : is_lim (fun c => exp (- (c / b))) p_infty 0 by apply: is_lim_comp is_lim_exp_m lin _; exists 0.
have ye0 : is_lim (fun c => - (c / b) * exp (- (c / b))) p_infty 0.
  by apply: (is_lim_comp (fun y => y * exp y) _ _ _ _ is_lim_mul_exp_m lin); exists 0.
apply: (is_lim_ext (fun c => b / 2 + (b / 2 * (- (c / b) * exp (- (c / b))) - b / 2 * exp (- (c / b))))) => [c|].
  by field; lra.
have := is_lim_scal_l _ (b / 2) _ _ ye0; have := is_lim_scal_l _ (b / 2) _ _ e0.
rewrite /= Rmult_0_r => lim1 lim2; have := is_lim_plus' _ _ _ _ _ (is_lim_const (b / 2) _) (is_lim_minus' _ _ _ _ _ lim2 lim1).
by rewrite Rminus_0_r Rplus_0_r.
Qed.

Lemma size_left : is_RInt_gen (fun y => Rabs y * p y) minus_infinity (at_point 0) (b / 2).
Proof.
apply: (half_line_left (F := fun c => b / 2 - (b - c) / 2 * exp (c / b))) => [c c_le0|].
  apply: (@middle_ext (fun x => / (2 * b) * (- x * exp (x / b)))) => // [x [_ x_lt0]|].
    rewrite /laplace Rminus_0_r Rabs_left //; have -> : - (- x / b) = x / b by field; lra.
    ring.
  have -> : b / 2 - (b - c) / 2 * exp (c / b) = minus ((b - 0) / 2 * exp (0 / b)) ((b - c) / 2 * exp (c / b)).
    by rewrite /minus /plus /opp /= /Rdiv Rmult_0_l exp_0; field; lra.
  apply: (is_RInt_derive (fun x => (b - x) / 2 * exp (x / b))) => x _.
    by auto_derive => //; rewrite -/(x / b); field; lra.
  by apply: ex_derive_continuous; auto_derive.
have lin : is_lim (fun c => c / b) m_infty m_infty.
  by apply: is_lim_ext (proj2 (linear_lim 0 b_gt0)) => c; rewrite Rminus_0_r.
have e0 : is_lim (fun c => exp (c / b)) m_infty 0 by apply: is_lim_comp is_lim_exp_m lin _; exists 0.
have ye0 : is_lim (fun c => c / b * exp (c / b)) m_infty 0.
  by apply: (is_lim_comp (fun y => y * exp y) _ _ _ _ is_lim_mul_exp_m lin); exists 0.
apply: (is_lim_ext (fun c => b / 2 + (b / 2 * (c / b * exp (c / b)) - b / 2 * exp (c / b)))) => [c|].
  by field; lra.
have := is_lim_scal_l _ (b / 2) _ _ ye0; have := is_lim_scal_l _ (b / 2) _ _ e0.
rewrite /= Rmult_0_r => lim1 lim2; have := is_lim_plus' _ _ _ _ _ (is_lim_const (b / 2) _) (is_lim_minus' _ _ _ _ _ lim2 lim1).
by rewrite Rminus_0_r Rplus_0_r.
Qed.

Theorem laplace_mean_size : integral_is (fun y => Rabs y * p y) b.
Proof. by have := cut size_left size_right; have -> : b / 2 + b / 2 = b by field. Qed.

Theorem laplace_mean : integral_is (fun y => y * p y) 0.
Proof.
suff : integral_is (fun y => y * p y) (- (b / 2) + b / 2) by rewrite Rplus_opp_l.
apply: (@cut _ 0); last by apply: right_ext size_right => x x_gt0; rewrite (Rabs_right x) //; lra.
apply: left_ext (is_RInt_gen_opp _ _ size_left) => x x_lt0.
by rewrite /opp /= (Rabs_left x) //; ring.
Qed.

End Moments.
