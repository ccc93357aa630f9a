(* SPDX-License-Identifier: MIT *)
(* Mechanisms with any set of outputs, and the geometric mechanism on all integers.                           *)
(*                                                                                                            *)
(*   law p                  masses p z >= 0 that sum to 1                                                     *)
(*   private_laws, derived  privacy and derivability (Definition 3) for any inputs and any outputs            *)
(*   derived_law, derived_private   what is derived from a mechanism is one, and as private                   *)
(*   with_guess_law, with_guess_private   so is an output with the guess that an interaction makes of it      *)
(*   definition1            (1-a)/(1+a) a^|z| is a law on the integers                                        *)
(*   definition1_order      its sums over -N, ..., N tend to 1                                                *)
(*   unbounded_level        the unbounded mechanism at the integers x, x' is private exactly at levels up to  *)
(*                          a^|x-x'|; unbounded_quotient: neighbours' masses have the quotient a or 1/a        *)
(*   restricted_derived, unbounded_derived   Definition 4 from the unbounded mechanism, and conversely        *)
(*   unbounded_columns      each of its columns is a multiple of a column of Definition 4                     *)
(* Levels are in an archimedean field: in others the masses need not have a sum.                              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing Form Geometric Summation.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variables (R : realFieldType) (X : Type).

(* A distribution on a set Z of outputs, finite or not: masses p z >= 0 with the sum 1. *)
Definition law (Z : eqType) (p : Z -> R) := (forall z, 0 <= p z) /\ sums_to p 1.

(* Privacy of x |-> M x, for any relation of neighbours. *)
Definition private_laws (adjacent : X -> X -> Prop) (a : R) (Z : eqType) (M : X -> Z -> R) :=
  forall x x' z, adjacent x x' -> a * M x' z <= M x z.

(* Definition 3: each output z of Y is read as w with the probability T z w. *)
Definition derived (Z W : eqType) (Y : X -> Z -> R) (T : Z -> W -> R) (M : X -> W -> R) :=
  (forall z, law (T z)) /\ forall x w, sums_to (fun z => Y x z * T z w) (M x w).

End Definitions.

Section PostProcessing.
Variables (R : realFieldType) (X : Type) (Z W : eqType).
Implicit Types (Y : X -> Z -> R) (T : Z -> W -> R) (M : X -> W -> R).

Theorem derived_private adjacent a Y T M : derived Y T M -> private_laws adjacent a Y -> private_laws adjacent a M.
Proof.
move=> [T_law M_sum] Y_priv x x' w xx'.
apply: (sums_to_le _ (sums_to_scale a (M_sum x' w)) (M_sum x w)) => z.
by rewrite mulrA ler_wpmul2r ?Y_priv //; have [] := T_law z.
Qed.

Lemma law_le1 (V : eqType) (p : V -> R) s : law p -> uniq s -> \sum_(z <- s) p z <= 1.
Proof. by case=> p_ge0 p_sum; exact: sums_to_partial. Qed.

(* The order of the two sums may be changed, whether or not sums of other numbers exist. *)
Theorem derived_law Y T M : derived Y T M -> (forall x, law (Y x)) -> forall x, law (M x).
Proof.
move=> [T_law M_sum] Y_law x; have [Y_ge0 Y_sum] := Y_law x.
have T_ge0 z w : 0 <= T z w by have [] := T_law z.
have M_ge0 w : 0 <= M x w.
  by apply: (sums_to_le _ (@sums_to_zero R Z) (M_sum x w)) => z; rewrite mulr_ge0.
have part t : sums_to (fun z => Y x z * \sum_(w <- t) T z w) (\sum_(w <- t) M x w).
  by apply: eq_sums_to (sums_to_sum _ (fun w _ => M_sum x w)) => z; rewrite mulr_sumr.
split=> //; apply: sums_to_sup => // [t t_uniq|e e_gt0].
  apply: (sums_to_le _ (part t) Y_sum) => z; rewrite ler_pimulr //; exact: law_le1.
have e2_gt0 := half_gt0 e_gt0.
have [s [s_uniq s_e]] : exists s, uniq s /\ 1 - e / 2%:R <= \sum_(z <- s) Y x z.
  have [s0 s0_e] := sums_to_above Y_sum e2_gt0; exists (undup s0).
  by split; [exact: undup_uniq | apply: s0_e => [|z]; rewrite ?undup_uniq ?mem_undup].
have [t [t_uniq t_e]] : exists t : seq W, uniq t /\ forall z, z \in s -> 1 - e / 2%:R <= \sum_(w <- t) T z w.
  elim: s {s_uniq s_e} => [|z s [t [t_uniq t_e]]]; first by exists [::].
  have [t0 t0_e] := sums_to_above (proj2 (T_law z)) e2_gt0; exists (undup (t0 ++ t)); split; first exact: undup_uniq.
  move=> y; rewrite in_cons => /orP[/eqP ->|ys].
    by apply: t0_e => [|w wt0]; rewrite ?undup_uniq // mem_undup mem_cat wt0.
  apply: le_trans (t_e y ys) _; apply: sum_within_le => // [|w wt]; first exact: undup_uniq.
  by rewrite mem_undup mem_cat wt orbT.
exists t => //.
apply: (@le_trans _ _ (\sum_(z <- s) Y x z * \sum_(w <- t) T z w)); last first.
  by apply: (sums_to_partial _ (part t) s_uniq) => z; rewrite mulr_ge0 ?sumr_ge0.
apply: (@le_trans _ _ (\sum_(z <- s) Y x z * (1 - e / 2%:R))); last first.
  by rewrite big_seq [leRHS]big_seq; apply: ler_sum => z zs; rewrite ler_wpmul2l ?t_e.
rewrite -mulr_suml mulrBr mulr1 [in leLHS](halves e) opprD addrA ler_add // ler_opp2.
by apply: ler_pimull; [exact: ltW | exact: law_le1].
Qed.

(* The paper's footnote 2: what an attack, a set B of outputs, can do with x it can do with a neighbour of x. *)
Theorem event_private adjacent a Y (B : pred Z) x x' p p' : private_laws adjacent a Y -> adjacent x x' ->
  sums_to (fun z => (B z)%:R * Y x z) p -> sums_to (fun z => (B z)%:R * Y x' z) p' -> a * p' <= p.
Proof.
move=> Y_priv xx' Y_p Y_p'; apply: (sums_to_le _ (sums_to_scale a Y_p') Y_p) => z.
by rewrite mulrCA ler_wpmul2l ?ler0n ?Y_priv.
Qed.

End PostProcessing.

Section Guesses.
Variables (R : realFieldType) (X : Type) (Z W : eqType).
Implicit Types (Y : X -> Z -> R) (T : Z -> W -> R).

(* An output z together with the guess that a randomised interaction T makes of it is an output of its own: so *)
(* what holds of mechanisms with any outputs, answered by one guess for each, holds of randomised guesses.    *)
Definition with_guess Y T (x : X) (o : Z * W) : R := Y x o.1 * T o.1 o.2.

Theorem with_guess_law Y T : (forall x, law (Y x)) -> (forall z, law (T z)) -> forall x, law (with_guess Y T x).
Proof.
move=> Y_law T_law; pose K (z : Z) (o : Z * W) : R := (o.1 == z)%:R * T o.1 o.2.
have T_ge0 z w : 0 <= T z w by have [] := T_law z.
suff K_derived : derived Y K (with_guess Y T) by exact: derived_law K_derived Y_law.
split=> [z|x [z w]].
  split=> [o|]; first by rewrite mulr_ge0 ?ler0n.
  apply: (@sums_to_names _ _ _ (pair z) (fun o : Z * W => if o.1 == z then Some o.2 else None)).
  - by move=> w; rewrite /= eqxx.
  - by case=> y w /=; case: eqP => //= ->.
  - by case=> y w /=; rewrite /K /=; case: eqP => // _; rewrite mul0r.
  - by apply: eq_sums_to (proj2 (T_law z)) => w; rewrite /K /= eqxx mul1r.
have := @sums_to_support R Z (fun y => Y x y * K y (z, w)) [:: z] isT.
rewrite big_seq1 /K /= eqxx mul1r; apply=> y; rewrite inE => /negPf y_z.
by rewrite eq_sym y_z mul0r mulr0.
Qed.

Theorem with_guess_private adjacent a Y T : (forall z, law (T z)) -> private_laws adjacent a Y ->
  private_laws adjacent a (with_guess Y T).
Proof.
move=> T_law Y_priv x x' o xx'; rewrite /with_guess mulrA ler_wpmul2r ?Y_priv //.
by have [] := T_law o.1.
Qed.

End Guesses.

Lemma absz_pos (k j : nat) : `|Posz k - Posz j|%N = dist k j.
Proof. by rewrite /dist; case: (leqP k j) => kj; rewrite ?(distnEr kj) ?(distnEl (ltnW kj)); nat_lia. Qed.

Lemma absz_neg (k j : nat) : `|Negz k - Posz j|%N = (k.+1 + j)%N.
Proof. by rewrite NegzE -opprD abszN -PoszD. Qed.

Lemma absz_pred (y : int) : `|y - 1|%N = if (y <= 0)%R then `|y|%N.+1 else `|y|%N.-1.
Proof.
case: y => [[|k]|k] //.
  by rewrite -[k.+1%:Z - 1]/(k.+1%:Z - 1%N%:Z) absz_pos /dist /=; nat_lia.
by rewrite -[Negz k - 1]/(Negz k - 1%N%:Z) absz_neg addn1.
Qed.

Section Geometric.
Variables (R : archiFieldType) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).

(* Definition 1: the noise Z, and the mechanism whose output is x + Z when the query result is x. *)
Definition noise (z : int) : R := (1 - a) / (1 + a) * a ^+ `|z|%N.

(* The probability of the output z at the query result x: (1-a)/(1+a) a^|z-x|. *)
Definition unbounded (x z : int) : R := noise (z - x).

Let a_ge0 : 0 <= a := ltW a_gt0.

Let a1_gt0 : 0 < 1 + a := addr_gt0 ltr01 a_gt0.

Lemma noise_gt0 z : 0 < noise z.
Proof. by rewrite mulr_gt0 ?divr_gt0 ?subr_gt0 ?exprn_gt0. Qed.

(* Example 1: every integer comes out, with positive probability. *)
Theorem unbounded_gt0 x z : 0 < unbounded x z.
Proof. exact: noise_gt0. Qed.

Lemma half_series c : sums_to (fun k : nat => c / (1 + a) * ((1 - a) * a ^+ k)) (c / (1 + a)).
Proof. by rewrite -[X in sums_to _ X]mulr1; apply: sums_to_scale; exact: geometric_series. Qed.

Theorem definition1 : law noise.
Proof.
split=> [z|]; first exact/ltW/noise_gt0.
have -> : 1 = 1 / (1 + a) + a / (1 + a) by rewrite -mulrDl divff // gt_eqF // a1_gt0.
apply: sums_to_int.
  by apply: eq_sums_to (half_series 1) => k; rewrite /noise mulrA div1r [_^-1 * _]mulrC.
by apply: eq_sums_to (half_series a) => k; rewrite /noise exprS !mulrA; congr (_ * _); rewrite mulrC mulrA mulrAC.
Qed.

Theorem unbounded_law x : law (unbounded x).
Proof.
split=> [z|]; first exact/ltW/unbounded_gt0.
apply: (@sums_to_names _ _ _ (fun y => y + x) (fun z => Some (z - x))) => //.
- by move=> y; rewrite addrK.
- by move=> y; rewrite /= subrK.
- by apply: eq_sums_to (proj2 definition1) => y; rewrite /unbounded addrK.
Qed.

(* The sums over -N, ..., N tend to 1. *)
Corollary definition1_order e : 0 < e ->
  exists N, forall m, (N <= m)%N -> `|\sum_(0 <= k < m.*2.+1) noise (k%:Z - m%:Z) - 1| <= e.
Proof.
pose upto m := [seq k%:Z - m%:Z | k <- iota 0 m.*2.+1].
have upto_uniq m : uniq (upto m).
  by rewrite map_inj_uniq ?iota_uniq // => k j /addIr [].
have mem_upto z : exists N, forall m, (N <= m)%N -> z \in upto m.
  exists `|z|%N => m z_m; apply/mapP; exists (if z is Negz k then m - k.+1 else m + `|z|)%N.
    by rewrite mem_iota /= add0n -addnn; case: z z_m => k /= k_m; nat_lia.
  by case: z z_m => k /= k_m; rewrite -?(subzn k_m) ?PoszD addrAC subrr add0r ?NegzE.
move=> e_gt0; have [N N_e] := sums_to_order upto_uniq mem_upto (proj2 definition1) e_gt0.
by exists N => m /N_e; rewrite big_map /index_iota subn0.
Qed.

(* ---- Privacy ---- *)
Theorem unbounded_level x x' b : (forall z, b * unbounded x' z <= unbounded x z) <-> b <= a ^+ `|x - x'|%N.
Proof.
split=> [/(_ x')|b_le z].
  rewrite /unbounded /noise subrr expr0 mulr1 mulrC ler_pmul2l; last by rewrite divr_gt0 ?subr_gt0.
  by rewrite distnC.
apply: (@le_trans _ _ (a ^+ `|x - x'|%N * unbounded x' z)); first by rewrite ler_wpmul2r // ltW // unbounded_gt0.
rewrite /unbounded /noise mulrCA -exprD ler_wpmul2l //; first by rewrite divr_ge0 ?subr_ge0 ?ltW.
rewrite ler_wiexpn2l // ?ltW // addnC [X in (_ <= _ + X)%N]distnC; exact: leq_add_dist.
Qed.

(* 2.2: the quotient of neighbours' masses is a or 1/a, never between. *)
Theorem unbounded_quotient x z : unbounded x z / unbounded (x + 1) z = if (z <= x)%R then a^-1 else a.
Proof.
have c_neq0 : (1 - a) / (1 + a) != 0 by rewrite gt_eqF // divr_gt0 ?subr_gt0.
have a_neq0 : a != 0 by rewrite gt_eqF.
have pow_neq0 k : a ^+ k != 0 by rewrite expf_neq0.
rewrite /unbounded /noise -mulf_div divff // mul1r -[z <= x]subr_le0 opprD addrA absz_pred.
case: ifP => [_|]; first by rewrite exprS invfM mulrCA divff // mulr1.
by case: (z - x) => [[|k]|k] //= _; rewrite exprS mulfK.
Qed.

(* A query whose results for neighbours are at most s apart; level a^s, and no larger one if s occurs. *)
Theorem unbounded_query (X : Type) (adjacent : X -> X -> Prop) (f : X -> int) s :
  (forall x x', adjacent x x' -> (`|f x - f x'|%N <= s)%N) -> private_laws adjacent (a ^+ s) (fun x => unbounded (f x)).
Proof.
by move=> f_s x x' z /f_s xx'; move: z; apply/unbounded_level; rewrite ler_wiexpn2l // ltW.
Qed.

Theorem unbounded_query_tight (X : Type) (adjacent : X -> X -> Prop) (f : X -> int) s x x' b :
  adjacent x x' -> `|f x - f x'|%N = s -> private_laws adjacent b (fun x => unbounded (f x)) -> b <= a ^+ s.
Proof. by move=> xx' <- M_priv; apply/unbounded_level => z; exact: M_priv. Qed.

(* Definition 2 for the unbounded mechanism on 0, ..., n: private exactly at the levels up to a. *)
Theorem unbounded_private n b : (0 < n)%N ->
  private_laws (fun i j => line i j) b (fun i : 'I_n.+1 => unbounded (i : nat)%:Z) <-> b <= a.
Proof.
move=> n_gt0; split=> [M_priv|b_le i j z ij].
  have := @unbounded_query_tight _ _ _ 1 (ord0 : 'I_n.+1) (inord 1) b _ _ M_priv; rewrite expr1; apply.
    by rewrite /line inordK.
  by rewrite absz_pos inordK.
move: z; apply/unbounded_level; rewrite absz_pos (_ : dist i j = 1%N) ?expr1 //.
by move: ij; rewrite /line /dist => /orP[] ij; nat_lia.
Qed.

(* ---- Definition 4 ---- *)
(* The integer z read as the nearest number of 0, ..., n. *)
Definition clamp n (z : int) : 'I_n.+1 := inord (if z is Posz k then minn k n else 0%N).

Lemma clampE n z : clamp n z = (if z is Posz k then minn k n else 0%N) :> nat.
Proof. by rewrite inordK // ltnS; case: z => // k; exact: geq_minr. Qed.

Lemma clamp_distance n (i : 'I_n.+1) z : `|z - (i : nat)%:Z|%N = (dist i (clamp n z) + `|z - (clamp n z : nat)%:Z|)%N.
Proof.
have i_le := ltn_ord i; rewrite clampE; case: z => k; last by rewrite !absz_neg /dist; nat_lia.
rewrite !absz_pos /dist; case: (leqP k n) => kn; nat_lia.
Qed.

Lemma unbounded_clamp n (i : 'I_n.+1) z :
  unbounded (i : nat)%:Z z = a ^+ dist i (clamp n z) * unbounded (clamp n z : nat)%:Z z.
Proof. by rewrite /unbounded /noise clamp_distance exprD mulrCA. Qed.

(* The mass that the mechanism at r puts on what is read as r: the factor of column r in Definition 4. *)
Lemma clamp_weight n (r : 'I_n.+1) :
  sums_to (fun z => (clamp n z == r)%:R * unbounded (r : nat)%:Z z) (scale a n r).
Proof.
have eq_clamp z : (clamp n z == r) = ((if z is Posz k then minn k n else 0%N) == r :> nat).
  by rewrite -val_eqE /= clampE.
have r_le : (r <= n)%N by rewrite -ltnS.
rewrite /scale; case: (posnP n) => [n0|n_gt0].
  apply: eq_sums_to (proj2 (unbounded_law (r : nat)%:Z)) => z.
  rewrite eq_clamp (_ : (_ == _) = true) ?mul1r //; apply/eqP; case: z => k; last nat_lia.
  by rewrite /minn; case: ltnP => ?; nat_lia.
have [r0|r_neq0] := eqVneq (r : nat) 0%N.
  have -> : (1 + a)^-1 = (1 - a) / (1 + a) + a / (1 + a) by rewrite -mulrDl subrK div1r.
  apply: sums_to_int; last first.
    apply: eq_sums_to (half_series a) => k; rewrite eq_clamp r0 eqxx mul1r /unbounded subr0 /noise exprS !mulrA.
    by congr (_ * _); rewrite mulrC mulrA mulrAC.
  have := @sums_to_support R _ (fun k : nat => (clamp n k == r)%:R * unbounded (r : nat)%:Z k) [:: 0%N] isT.
  rewrite big_seq1 eq_clamp r0 min0n eqxx mul1r /unbounded subrr /noise expr0 mulr1; apply=> k.
  by rewrite inE eq_clamp => /eqP k_neq0; rewrite (_ : (_ == _) = false) ?mul0r //; apply/eqP; rewrite /minn; case: ltnP => ?; nat_lia.
have [rn|r_neqn] := eqVneq (r : nat) n => /=.
  rewrite -[(1 + a)^-1]addr0; apply: sums_to_int; last first.
    apply: eq_sums_to (@sums_to_zero R _) => k; rewrite eq_clamp (_ : (_ == _) = false) ?mul0r //.
    by apply/eqP; nat_lia.
  apply: (@sums_to_tail _ _ n) => [k k_lt|].
    by rewrite eq_clamp (_ : (_ == _) = false) ?mul0r //; apply/eqP; rewrite /minn; case: ltnP => ?; nat_lia.
  rewrite -[(1 + a)^-1]div1r; apply: eq_sums_to (half_series 1) => k.
  rewrite eq_clamp (_ : (_ == _) = true) ?mul1r /unbounded; last first.
    by apply/eqP; rewrite /minn; case: ltnP => ?; nat_lia.
  by rewrite rn PoszD addrAC subrr add0r /noise mulrA [_^-1 * _]mulrC.
rewrite -[(1 - a) / _]addr0; apply: sums_to_int; last first.
  apply: eq_sums_to (@sums_to_zero R _) => k; rewrite eq_clamp (_ : (_ == _) = false) ?mul0r //.
  by apply/eqP; nat_lia.
have := @sums_to_support R _ (fun k : nat => (clamp n k == r)%:R * unbounded (r : nat)%:Z k) [:: r : nat] isT.
rewrite big_seq1 eq_clamp (minn_idPl r_le) eqxx mul1r /unbounded subrr /noise expr0 mulr1; apply=> k.
rewrite inE eq_clamp => k_neq; rewrite (_ : (_ == _) = false) ?mul0r //; apply/eqP.
by move/eqP: k_neq; move/eqP: r_neqn; rewrite /minn; case: ltnP => ? ? ?; nat_lia.
Qed.

(* 2.4 and Definition 4: reading results beyond the ends as the ends gives the range-restricted mechanism.    *)
Theorem restricted_derived n :
  derived (fun i : 'I_n.+1 => unbounded (i : nat)%:Z) (fun z r => (clamp n z == r)%:R) (geometric n a).
Proof.
split=> [z|i r].
  split=> [r|]; first exact: ler0n.
  by apply/sums_to_finite; rewrite (bigD1 (clamp n z)) //= eqxx big1 ?addr0 // => r /negPf; rewrite eq_sym => ->.
rewrite mxE; apply: eq_sums_to (sums_to_scale (a ^+ dist i r) (clamp_weight r)) => z.
by case: eqP => [<-|_]; rewrite ?mul0r ?mulr0 // mul1r mulr1 [in RHS]unbounded_clamp.
Qed.

(* The way back: r is read as the integers z that are read as r, with the law of r + Z among these.           *)
Definition unclamp n (r : 'I_n.+1) (z : int) : R := (clamp n z == r)%:R * unbounded (r : nat)%:Z z / scale a n r.

(* With Definition 4's names: 0 is read as -k and n as n + k with the probability (1-a) a^k, the others stay.   *)
Theorem unclampE n (r : 'I_n.+1) z : (0 < n)%N ->
  unclamp r z = if clamp n z != r then 0
                else if (r == 0%N :> nat) || (r == n :> nat) then (1 - a) * a ^+ `|z - (r : nat)%:Z|%N else 1.
Proof.
move=> n_gt0; rewrite /unclamp; case: (eqVneq (clamp n z) r) => [z_r|_] /=; last by rewrite !mul0r.
have c_neq0 : (1 - a) / (1 + a) != 0 by rewrite gt_eqF // divr_gt0 ?subr_gt0.
rewrite mul1r /scale (_ : (n == 0%N) = false); last by apply/eqP; nat_lia.
case: ifP => [_|/norP[/eqP r_neq0 /eqP r_neqn]].
  by rewrite /unbounded /noise invrK mulrAC divfK // gt_eqF.
have -> : z = (r : nat)%:Z.
  have := clampE n z; rewrite z_r; case: {z_r} z => k // r_k; congr (Posz _).
  by move: r_k; rewrite /minn; case: ltnP => ? ?; nat_lia.
by rewrite /unbounded subrr /noise expr0 mulr1 divff.
Qed.

Theorem unbounded_derived n :
  derived (geometric n a) (@unclamp n) (fun i : 'I_n.+1 => unbounded (i : nat)%:Z).
Proof.
have scale_neq0 (r : 'I_n.+1) : scale a n r != 0 by rewrite gt_eqF // scale_gt0.
split=> [r|i z].
  split=> [z|]; first by apply: divr_ge0; [apply: mulr_ge0; [exact: ler0n | exact/ltW/unbounded_gt0] | exact/ltW/scale_gt0].
  have -> : 1 = (scale a n r)^-1 * scale a n r by rewrite mulVf.
  by apply: eq_sums_to (sums_to_scale _ (clamp_weight r)) => z; rewrite mulrC.
apply/sums_to_finite; rewrite (bigD1 (clamp n z)) //= big1 ?addr0; last first.
  by move=> r /negPf r_z; rewrite /unclamp eq_sym r_z !mul0r mulr0.
by rewrite /unclamp eqxx mul1r mxE [RHS]unbounded_clamp -mulrA; congr (_ * _); rewrite mulrC divfK.
Qed.

(* Infinite against truncated: each column is a positive multiple of a column of Definition 4.                *)
Corollary unbounded_columns n z : exists2 c, 0 < c &
  forall i : 'I_n.+1, unbounded (i : nat)%:Z z = c * geometric n a i (clamp n z).
Proof.
exists (unbounded (clamp n z : nat)%:Z z / scale a n (clamp n z)) => [|i].
  by rewrite divr_gt0 ?unbounded_gt0 ?scale_gt0.
by rewrite mxE unbounded_clamp [RHS]mulrCA divfK // gt_eqF // scale_gt0.
Qed.
End Geometric.
