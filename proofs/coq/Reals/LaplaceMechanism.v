(* SPDX-License-Identifier: MIT *)
(* The Laplace mechanism, for queries with any number k of coordinates.                                        *)
(*                                                                                                            *)
(*   density_quotient             the quotient of the densities at D and D' is at most e^epsilon (LAPD)         *)
(*   private_for_every_integral   the densities give privacy under every integral that is monotone and         *)
(*                                homogeneous; so for every event of which such an integral has the probability *)
(*   laplace_private              (epsilon, 0)-privacy for every event S of R^k whose two probabilities are     *)
(*                                iterated improper Riemann integrals (LAPT)                                   *)
(*   laplace_events               every finite union of boxes is such an event; a box is a product of          *)
(*                                intervals of any kind, bounded or not                                        *)
(*   laplace_all                  the whole of R^k has the probability 1                                        *)
(*   laplace_tight                no epsilon below is enough where the sensitivity is attained, for k = 1       *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect.
From Coquelicot Require Import Coquelicot.
From ExactDP.Reals Require Import RealSums Laplace.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope R_scope.

(* Points of R^k are sequences of k numbers.  The density at x of the answer with the true answers a: the      *)
(* product of the densities of Lap(b) around each.                                                             *)
Definition density (b : R) (a x : seq R) : R := \big[Rmult/1]_(z <- zip a x) laplace b z.1 z.2.

(* The distance of two answers in L1. *)
Definition distance1 (a c : seq R) : R := \big[Rplus/0]_(z <- zip a c) Rabs (z.1 - z.2).

(* f restricted to an event. *)
Definition within (S : seq R -> bool) (f : seq R -> R) (x : seq R) : R := if S x then f x else 0.

(* The integral of f over R^k, one coordinate after the other, is l. *)
Fixpoint iterated_integral_is (k : nat) (f : seq R -> R) (l : R) : Prop :=
  match k with
  | 0 => f [::] = l
  | S k' => exists g : R -> R, (forall x, iterated_integral_is k' (fun s => f (x :: s)) (g x)) /\ integral_is g l
  end.

(* An interval of any kind in each coordinate. *)
(* The point x is in the box B: it has as many coordinates as B has intervals, and each is in the interval at its place. *)
Definition in_box (B : seq (R -> bool)) (x : seq R) : bool := all2 (fun (I : R -> bool) y => I y) B x.

(* B is a list of k intervals, of any kind: a box of R^k. *)
Definition is_box (k : nat) (B : seq (R -> bool)) := size B = k /\ forall i, (i < k)%N -> is_interval (nth xpredT B i).

Lemma density_ge0 b a x : 0 < b -> 0 <= density b a x.
Proof.
move=> b_gt0; apply: (big_ind (fun v => 0 <= v)) => [|u v|z _]; first lra; first exact: Rmult_le_pos.
by left; exact: laplace_gt0.
Qed.

(* The slides' computation: the quotient of the densities is at most exp(epsilon/Delta times the distance). *)
Lemma density_le b a c x : 0 < b -> size a = size c -> density b a x <= exp (distance1 a c / b) * density b c x.
Proof.
move=> b_gt0; rewrite /density /distance1; elim: a c x => [|u a IHa] [|v c] [|y x] //= => [_|_|[ac]|[ac]].
- by rewrite !big_nil /Rdiv Rmult_0_l exp_0; lra.
- by rewrite !big_nil /Rdiv Rmult_0_l exp_0; lra.
- rewrite !big_nil big_cons /=; have : 1 <= exp ((Rabs (u - v) + \big[Rplus/0]_(z <- zip a c) Rabs (z.1 - z.2)) / b).
    rewrite -exp_0; have pos : 0 <= \big[Rplus/0]_(z <- zip a c) Rabs (z.1 - z.2).
      by apply: (big_ind (fun v => 0 <= v)) => [|p q|z _]; [lra | lra | exact: Rabs_pos].
    have : 0 <= (Rabs (u - v) + \big[Rplus/0]_(z <- zip a c) Rabs (z.1 - z.2)) / b.
      by apply: Rmult_le_pos; [move: (Rabs_pos (u - v)); lra | left; apply: Rinv_0_lt_compat].
    by case=> [lt|<-]; [left; exact: exp_increasing | right].
  lra.
rewrite !big_cons /=; have {IHa} := IHa c x ac; set s := \big[_/_]_(_ <- _) Rabs _.
rewrite Rdiv_plus_distr exp_plus => IHa.
have one : laplace b u y <= exp (Rabs (u - v) / b) * laplace b v y.
  rewrite /laplace -Rmult_assoc [exp _ * _]Rmult_comm Rmult_assoc -exp_plus.
  apply: Rmult_le_compat_l; first by left; apply: Rinv_0_lt_compat; lra.
  have le : - (Rabs (y - u) / b) <= Rabs (u - v) / b + - (Rabs (y - v) / b).
    rewrite -Ropp_mult_distr_l_reverse -Ropp_mult_distr_l_reverse -Rdiv_plus_distr.
    apply: Rmult_le_compat_r; first by left; exact: Rinv_0_lt_compat.
    have := Rabs_triang (u - v) (y - u); have -> : u - v + (y - u) = y - v by ring.
    lra.
  by case: le => [lt|->]; [left; exact: exp_increasing | right].
have -> : exp (Rabs (u - v) / b) * exp (s / b) * (laplace b v y * \big[Rmult/1]_(z <- zip c x) laplace b z.1 z.2)
  = (exp (Rabs (u - v) / b) * laplace b v y) * (exp (s / b) * \big[Rmult/1]_(z <- zip c x) laplace b z.1 z.2) by ring.
apply: Rmult_le_compat => //; [by left; exact: laplace_gt0 | exact: density_ge0].
Qed.

(* What is used of an integral: I f l says that l is the integral of f. *)
(* If f <= g everywhere, the integral of f is at most that of g. *)
Definition monotone_integral (I : (seq R -> R) -> R -> Prop) :=
  forall f g l l', I f l -> I g l' -> (forall x, f x <= g x) -> l <= l'.

(* The integral of c f is c times that of f, for every number c. *)
Definition homogeneous_integral (I : (seq R -> R) -> R -> Prop) :=
  forall c f l, I f l -> I (fun x => c * f x) (c * l).

Lemma integral_monotone f g l l' : integral_is f l -> integral_is g l' -> (forall x, f x <= g x) -> l <= l'.
Proof.
move=> f_l g_l' fg; have diff : integral_is (fun y => minus (g y) (f y)) (minus l' l) by exact: is_RInt_gen_minus.
have zero : integral_is (fun=> 0) (0 + 0) by apply: (@cut _ 0); [exact: left_zero | exact: right_zero].
rewrite Rplus_0_r in zero.
have : norm (0 : R) <= minus l' l.
  refine (@RInt_gen_norm R_CompleteNormedModule (Rbar_locally m_infty) (Rbar_locally p_infty) _ _ (fun=> 0) _ _ _ _ _ zero diff).
    by exists (fun x => x < 0) (fun x => 0 < x) => [| |x y] /=; [exists 0 | exists 0 | lra].
  exists (fun=> True) (fun=> True) => [| |x y _ _ z _]; [by exists 0 | by exists 0 | rewrite norm_zero].
  by rewrite /minus /plus /opp /=; have := fg z; lra.
by rewrite norm_zero /minus /plus /opp /=; lra.
Qed.

Lemma integral_scale c f l : integral_is f l -> integral_is (fun x => c * f x) (c * l).
Proof. exact: is_RInt_gen_scal. Qed.

Lemma integral_add f g l l' : integral_is f l -> integral_is g l' -> integral_is (fun x => f x + g x) (l + l').
Proof. exact: is_RInt_gen_plus. Qed.

Lemma integral_ext f g l : (forall x, f x = g x) -> integral_is f l -> integral_is g l.
Proof.
move=> fg; apply: is_RInt_gen_ext; exists (fun=> True) (fun=> True) => [| |x y _ _ z _]; [by exists 0 | by exists 0 | exact: fg].
Qed.

Lemma iterated_monotone k : monotone_integral (iterated_integral_is k).
Proof.
elim: k => [|k IHk] f g l l' /=; first by move=> <- <-.
move=> [F [F_f F_l]] [G [G_g G_l']] fg; apply: (integral_monotone F_l G_l') => x.
by apply: IHk (F_f x) (G_g x) _ => s.
Qed.

Lemma iterated_homogeneous k : homogeneous_integral (iterated_integral_is k).
Proof.
elim: k => [|k IHk] c f l /=; first by move=> ->.
by move=> [F [F_f F_l]]; exists (fun x => c * F x); split=> [x|]; [exact: IHk | exact: integral_scale].
Qed.

Lemma iterated_add k f g l l' : iterated_integral_is k f l -> iterated_integral_is k g l' ->
  iterated_integral_is k (fun x => f x + g x) (l + l').
Proof.
elim: k f g l l' => [|k IHk] f g l l' /=; first by move=> -> ->.
move=> [F [F_f F_l]] [G [G_g G_l']]; exists (fun x => F x + G x); split=> [x|]; [exact: IHk | exact: integral_add].
Qed.

(* Only the points with k coordinates matter. *)
Lemma iterated_ext k f g l : (forall x, size x = k -> f x = g x) -> iterated_integral_is k f l -> iterated_integral_is k g l.
Proof.
elim: k f g l => [|k IHk] f g l fg /=; first by rewrite fg.
by move=> [F [F_f F_l]]; exists F; split=> // x; apply: IHk (F_f x) => s size_s; apply: fg; rewrite /= size_s.
Qed.

Section Mechanism.
Variables (D : Type) (neighbours : D -> D -> Prop) (k : nat) (Q : D -> seq R) (delta eps : R).
Hypotheses (delta_gt0 : 0 < delta) (eps_gt0 : 0 < eps) (Q_size : forall d, size (Q d) = k).
(* delta is GS(Q), or any bound of it *)
Hypothesis GS : forall d d', neighbours d d' -> distance1 (Q d) (Q d') <= delta.

(* Q(D) + (Y_1, ..., Y_k) with independent Y_i ~ Lap(Delta/epsilon). *)
Definition laplace_mechanism (d : D) : seq R -> R := density (delta / eps) (Q d).

Lemma scale_gt0 : 0 < delta / eps.
Proof. exact: Rdiv_lt_0_compat. Qed.

Lemma mechanism_le d d' x : neighbours d d' -> laplace_mechanism d x <= exp eps * laplace_mechanism d' x.
Proof.
move=> dd'; apply: Rle_trans (density_le x scale_gt0 (etrans (Q_size d) (esym (Q_size d')))) _.
apply: Rmult_le_compat_r; first by apply: density_ge0; exact: scale_gt0.
have le : distance1 (Q d) (Q d') / (delta / eps) <= eps.
  apply: (Rmult_le_reg_r (delta / eps)); first exact: scale_gt0.
  have -> : distance1 (Q d) (Q d') / (delta / eps) * (delta / eps) = distance1 (Q d) (Q d') by field; lra.
  have -> : eps * (delta / eps) = delta by field; lra.
  exact: GS.
by case: le => [lt|->]; [left; exact: exp_increasing | right].
Qed.

(* The quotient of the densities, as the slides bound it. *)
Theorem density_quotient d d' x : neighbours d d' ->
  0 < laplace_mechanism d' x /\ laplace_mechanism d x / laplace_mechanism d' x <= exp eps.
Proof.
move=> dd'; have pos : 0 < laplace_mechanism d' x.
  apply: (big_ind (fun v => 0 < v)) => [|u v|z _]; [lra | exact: Rmult_lt_0_compat | apply: laplace_gt0; exact: scale_gt0].
split=> //; apply: (Rmult_le_reg_r (laplace_mechanism d' x)) => //.
by rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; [exact: mechanism_le | lra].
Qed.

Theorem private_for_every_integral (I : (seq R -> R) -> R -> Prop) d d' (S : seq R -> bool) p p' :
  monotone_integral I -> homogeneous_integral I -> neighbours d d' ->
  I (within S (laplace_mechanism d)) p -> I (within S (laplace_mechanism d')) p' -> p <= exp eps * p'.
Proof.
move=> mono homo dd' int_p int_p'; apply: mono int_p (homo (exp eps) _ _ int_p') _ => x.
by rewrite /within; case: ifP => _; [exact: mechanism_le | rewrite Rmult_0_r; lra].
Qed.

Theorem laplace_private d d' (S : seq R -> bool) p p' : neighbours d d' ->
  iterated_integral_is k (within S (laplace_mechanism d)) p ->
  iterated_integral_is k (within S (laplace_mechanism d')) p' -> p <= exp eps * p'.
Proof. exact: private_for_every_integral (@iterated_monotone k) (@iterated_homogeneous k). Qed.

End Mechanism.

Lemma interval_and (S U : R -> bool) : is_interval S -> is_interval U -> is_interval (fun x => S x && U x).
Proof.
case=> lo [hi [le [inside out]]] [lo' [hi' [le' [inside' out']]]].
pose lo2 := if Rbar_le_dec lo lo' then lo' else lo; pose hi2 := if Rbar_le_dec hi hi' then hi else hi'.
have lo2_ge : Rbar_le lo lo2 /\ Rbar_le lo' lo2 /\ (lo2 = lo \/ lo2 = lo').
  rewrite /lo2; case: Rbar_le_dec => h; first by split=> //; split; [exact: Rbar_le_refl | right].
  have lt := Rbar_not_le_lt _ _ h.
  by split; [exact: Rbar_le_refl | split; [exact: Rbar_lt_le | left]].
have hi2_le : Rbar_le hi2 hi /\ Rbar_le hi2 hi' /\ (hi2 = hi \/ hi2 = hi').
  rewrite /hi2; case: Rbar_le_dec => h; first by split; [exact: Rbar_le_refl | split=> //; left].
  have lt := Rbar_not_le_lt _ _ h.
  by split; [exact: Rbar_lt_le | split; [exact: Rbar_le_refl | right]].
have out2 (x : R) : S x && U x -> Rbar_le lo2 x /\ Rbar_le x hi2.
  move=> /andP [Sx Ux]; have [o1 o2] := out x Sx; have [o3 o4] := out' x Ux.
  by case: lo2_ge hi2_le => _ [_ [] ->] [_ [_ [] ->]].
have inside2 (x : R) : Rbar_lt lo2 x -> Rbar_lt x hi2 -> S x && U x.
  case: lo2_ge hi2_le => l1 [l2 _] [h1 [h2 _]] lt1 lt2; apply/andP; split.
    by apply: inside; [exact: Rbar_le_lt_trans l1 lt1 | exact: Rbar_lt_le_trans lt2 h1].
  by apply: inside'; [exact: Rbar_le_lt_trans l2 lt1 | exact: Rbar_lt_le_trans lt2 h2].
case: (Rbar_le_dec lo2 hi2) => [le2|lt2]; first by exists lo2, hi2.
exists 0, 0; split; first exact: Rbar_le_refl.
split=> [x lt1 lt3|x SU]; first by exfalso; move: lt1 lt3 => /=; lra.
by have [le1 le3] := out2 x SU; exfalso; apply: lt2; exact: Rbar_le_trans le1 le3.
Qed.

(* The intersection of two boxes, coordinate by coordinate. *)
Definition box_and (B C : seq (R -> bool)) : seq (R -> bool) := [seq (fun y => z.1 y && z.2 y) | z <- zip B C].

Lemma box_andP k B C : is_box k B -> is_box k C ->
  is_box k (box_and B C) /\ forall x, in_box (box_and B C) x = in_box B x && in_box C x.
Proof.
elim: k B C => [|k IHk] [|I B] [|J C] [] //= B_size B_int [] // C_size C_int.
  split=> [|[|y x]] //; split=> // i; by rewrite ltn0.
have [||[size_BC BC_int] BC] := IHk B C.
- by split=> [|i lt]; [case: B_size | exact: (B_int i.+1)].
- by split=> [|i lt]; [case: C_size | exact: (C_int i.+1)].
split=> [|[|y x]] //=; last by rewrite BC; case: (I y); case: (J y); case: in_box.
split=> /= [|[_|i lt] /=]; [by rewrite -size_BC | | exact: BC_int].
by apply: interval_and; [exact: (B_int 0%N) | exact: (C_int 0%N)].
Qed.

Section Events.
Variables (b : R).
Hypothesis b_gt0 : 0 < b.

Lemma box_integral k a B : size a = k -> is_box k B ->
  exists p, iterated_integral_is k (within (in_box B) (density b a)) p.
Proof.
elim: k a B => [|k IHk] [|u a] B //; first by eexists.
case: B => [|I B] [size_a] [] // [size_B] B_int.
have [|p int_p] := IHk a B size_a; first by split=> // i lt; exact: (B_int i.+1).
have [q int_q] := laplace_interval u b_gt0 (B_int 0%N isT).
exists (p * q); exists (fun x => p * restrict I (laplace b u) x); split; last exact: integral_scale.
move=> x; rewrite Rmult_comm; apply: iterated_ext (iterated_homogeneous (restrict I (laplace b u) x) int_p) => s _.
rewrite /within /restrict /density /= big_cons /=.
by case: (I x) => /=; [case: in_box => //; ring | ring].
Qed.

(* A finite union of boxes. *)
Definition in_some_box (Bs : seq (seq (R -> bool))) (x : seq R) : bool := has (fun B => in_box B x) Bs.

Lemma union_integral k a n (Bs : seq (seq (R -> bool))) : size a = k -> size Bs = n ->
  (forall i, (i < n)%N -> is_box k (nth [::] Bs i)) ->
  exists p, iterated_integral_is k (within (in_some_box Bs) (density b a)) p.
Proof.
move=> size_a; elim: n Bs => [|n IHn] [|A Bs] // => [_ _|[size_Bs] boxes].
  exists (0 * 0); have [|p int_p] := @box_integral k a (nseq k (fun=> false)) size_a.
    split=> [|i lt]; first by rewrite size_nseq.
    rewrite nth_nseq lt; exists 0, 0; split; first exact: Rbar_le_refl.
    by split=> // x lt1 lt2; exfalso; move: lt1 lt2 => /=; lra.
  have := iterated_homogeneous 0 int_p; rewrite !Rmult_0_l; apply: iterated_ext => x _.
  by rewrite /within /=; ring.
have A_box : is_box k A := boxes 0%N isT.
have Bs_box i : (i < n)%N -> is_box k (nth [::] Bs i) := boxes i.+1.
have [p1 int1] := box_integral size_a A_box.
have [p2 int2] := IHn Bs size_Bs Bs_box.
have [||p3 int3] := IHn (map (box_and A) Bs); first by rewrite size_map.
  move=> i lt; rewrite (nth_map [::]) ?size_Bs //.
  by case: (box_andP A_box (Bs_box i lt)).
exists (p1 + p2 + -1 * p3).
apply: iterated_ext (iterated_add (iterated_add int1 int2) (iterated_homogeneous (-1) int3)) => x size_x.
have -> : within (in_some_box [seq box_and A i | i <- Bs]) (density b a) x
  = if in_box A x && in_some_box Bs x then density b a x else 0.
  rewrite /within; congr (if _ then _ else _).
  have : forall i, (i < size Bs)%N -> is_box k (nth [::] Bs i) by rewrite size_Bs.
  rewrite /in_some_box; elim: (Bs) => [|C Cs IH] /= boxes'; first by rewrite andbF.
  rewrite IH => [|i lt]; last exact: (boxes' i.+1).
  by case: (box_andP A_box (boxes' 0%N isT)) => _ ->; rewrite andb_orr.
by rewrite /within /in_some_box /=; case: in_box; case: has => /=; ring.
Qed.

Theorem laplace_events k a (Bs : seq (seq (R -> bool))) : size a = k ->
  (forall i, (i < size Bs)%N -> is_box k (nth [::] Bs i)) ->
  exists p, iterated_integral_is k (within (in_some_box Bs) (density b a)) p.
Proof. by move=> size_a; exact: union_integral. Qed.

Theorem laplace_all k a : size a = k -> iterated_integral_is k (density b a) 1.
Proof.
elim: k a => [|k IHk] [|u a] // => [_|[size_a]]; first by rewrite /density /= big_nil.
exists (laplace b u); split; last exact: laplace_total.
move=> x; rewrite -[laplace b u x]Rmult_1_r.
apply: iterated_ext (iterated_homogeneous (laplace b u x) (IHk a size_a)) => s _.
by rewrite /density /= big_cons.
Qed.

End Events.

(* One number, whose true answers are delta apart: the event {x <= Q(D)} is e^epsilon times as likely at D. *)
Theorem laplace_tight (delta eps : R) (a : R) : 0 < delta -> 0 < eps ->
  exists S : seq R -> bool, exists p p' : R,
  iterated_integral_is 1 (within S (density (delta / eps) [:: a])) p /\
  iterated_integral_is 1 (within S (density (delta / eps) [:: a + delta])) p' /\ 0 < p' /\ p = exp eps * p'.
Proof.
move=> delta_gt0 eps_gt0; have b_gt0 := scale_gt0 delta_gt0 eps_gt0; set b := delta / eps in b_gt0 *.
have half u : a <= u -> iterated_integral_is 1 (within (fun x => leR (nth 0 x 0) a) (density b [:: u])) (lower b u a).
  move=> a_le; exists (restrict (fun x => leR x a) (laplace b u)); split=> [x|].
    by rewrite /within /restrict /density /= big_seq1.
  rewrite -[lower _ _ _]Rplus_0_r; apply: (@cut _ a).
    by apply: left_ext (laplace_below b_gt0 a_le) => x lt; rewrite /restrict; case: leRP => // not; exfalso; lra.
  by apply: right_zero => x lt; rewrite /restrict; case: leRP => // le; exfalso; lra.
exists (fun x => leR (nth 0 x 0) a), (lower b a a), (lower b (a + delta) a).
split; [by apply: half; lra | split; [by apply: half; lra | split]].
  by apply: Rdiv_lt_0_compat; [exact: exp_pos | lra].
rewrite /lower; have -> : (a - (a + delta)) / b = - eps by rewrite /b; field; lra.
rewrite Rminus_eq_0 /Rdiv Rmult_0_l -Rmult_assoc -exp_plus; congr (exp _ * _); ring.
Qed.
