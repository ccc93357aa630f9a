(* SPDX-License-Identifier: MIT *)
(* Universal optimality by the kinks of the least loss (SPEC, section 4.14, rule kinks), on integers.         *)
(*                                                                                                            *)
(*   kink_argument    the priors are cut into cones; in each some answers to M are best at all corners, and   *)
(*                    for each corner potentials bound the loss of every mechanism by that of M               *)
(*   kink_argumentP   then M is universally optimal                                                           *)
(* Proof.  A prior is in one of the cones, w = sum t_k c_k with t_k >= 0.  With the answers f that are best   *)
(* at all corners c_k, the loss of M under w is sum t_k (its least loss under c_k), and that of another       *)
(* mechanism sum t_k (its loss under c_k).                                                                    *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Universal.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Meaning Tables VertexRays RayList TypeBound.
From ExactDP.Checker Require Import OptimalityClaims Universality.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Which answers are best ---- *)
(* What each guess costs at each output of M, for each input. *)
Definition answers_of (p q m : nat) (L M : integers) : seq (seq (seq Z)) :=
  [seq [seq [seq (at_index (line_of M x) y * at_index (line_of L x) g)%Z | x <- iota 0 p] | g <- iota 0 m] | y <- iota 0 q].

Definition scores_at (costs : seq (seq (seq Z))) (c : seq Z) : seq (seq Z) := [seq [seq product_Z v c | v <- cs] | cs <- costs].

Definition is_least (row : seq Z) (g : nat) : bool := (nth 0 row g =? least_of row)%Z.

Definition common_best (m : nat) (rows : seq (seq Z)) : bool := has (fun g => all (fun row => is_least row g) rows) (iota 0 m).

(* ---- Where a cone is cut ---- *)
(* The differences, at the corners, of two guesses that are best somewhere and cross: the first two that do on *)
(* the fewest edges.  Nothing depends on this choice being the right one. *)
Definition fewer (found : option (nat * seq Z)) (signs : seq Z) : option (nat * seq Z) :=
  let n := (count (fun z => z <? 0)%Z signs * count (fun z => 0 <? z)%Z signs)%N in
  if n == 0%N then found else
  match found with
  | Some (n0, _) => if (n < n0)%N then Some (n, signs) else found
  | None => Some (n, signs)
  end.

Definition crossing_at (m : nat) (found : option (nat * seq Z)) (rows : seq (seq Z)) : option (nat * seq Z) :=
  if common_best m rows then found else
  let gs := [seq g <- iota 0 m | has (fun row => is_least row g) rows] in
  foldl (fun found g => foldl (fun found h => fewer found [seq (nth 0 row g - nth 0 row h)%Z | row <- rows]) found
                              [seq h <- gs | (g < h)%N]) found gs.

Definition mix (s t : Z) (x y : seq Z) : seq Z := [seq (s * u.1 + t * u.2)%Z | u <- zip x y].

Fixpoint cover (fuel m q : nat) (costs : seq (seq (seq Z))) (certified : seq Z -> bool) (cone : seq (seq Z)) : bool :=
  match fuel with
  | O => false
  | n.+1 =>
    let scores := [seq scores_at costs c | c <- cone] in
    let rows := [seq [seq nth [::] s y | s <- scores] | y <- iota 0 q] in
    if all (common_best m) rows then true else
    match foldl (crossing_at m) None rows with
    | None => false
    | Some (_, signs) =>
        let i := find (fun z => z <? 0)%Z signs in let j := find (fun z => 0 <? z)%Z signs in
        let s := nth 0%Z signs j in let t := (- nth 0%Z signs i)%Z in
        let ci := nth [::] cone i in let cj := nth [::] cone j in
        let sum := mix s t ci cj in let g := foldr Z.gcd 0%Z sum in let new := [seq (z / g)%Z | z <- sum] in
        [&& (i < size cone)%N, (j < size cone)%N, i != j & (0 <? s)%Z && (0 <? t)%Z] &&
        [&& (0 <? g)%Z, all2 (fun z u => z =? g * u)%Z sum new, size ci == size cj & certified new] &&
        cover n m q costs certified (set_nth [::] cone i new) && cover n m q costs certified (set_nth [::] cone j new)
    end
  end.

(* ---- The priors of the witness ---- *)
Definition numerators (p : nat) (w : vector) : seq Z := [seq at_index (terms w) x | x <- iota 0 p].

Definition same_ray (c d : seq Z) : bool :=
  let s := sum_Z c in let t := sum_Z d in
  [&& (0 <? s)%Z, (0 <? t)%Z, size c == size d & all2 (fun x y => t * x =? s * y)%Z c d].

(* M's least loss under w is at most the sum of the potentials, which bounds that of all mechanisms. *)
Definition is_settled (p m : nat) (rays : seq (seq Z)) (L M : integers) (costs : seq (seq (seq Z))) (w y : vector) : bool :=
  [&& below (N.of_nat p) (terms w), all_ge0 (terms w), below (N.of_nat p) (terms y), type_bound p m rays L [:: w] y &
      (sum_Z [seq least_of row | row <- scores_at costs (numerators p w)] * Zpos (unit y) <=?
       total (terms y) * (Zpos (unit w) * scaling M * scaling L))%Z].

Fixpoint all_differ (ds : seq (seq Z)) : bool :=
  match ds with
  | [::] => true
  | d :: ds' => ~~ has (same_ray d) ds' && all_differ ds'
  end.

Definition unit_at (p i : nat) : seq Z := [seq if j == i then 1%Z else 0%Z | j <- iota 0 p].

Definition kink_argument (p q m : nat) (near : neighbours) (a : Q) (L M : integers) (ws ys : seq vector) : bool :=
  let rays := ray_list near a p in let costs := answers_of p q m L M in
  let ds := [seq numerators p w | w <- ws] in let certified c := has (same_ray c) ds in
  let cone := [seq unit_at p i | i <- iota 0 p] in
  [&& (0 < m)%N, has_ray_list near a p, size ws == size ys & all_differ ds] &&
  [&& all (fun wy => is_settled p m rays L M costs wy.1 wy.2) (zip ws ys), all certified cone &
      cover (N.to_nat 100000) m q costs certified cone].

Lemma proportional_at s t c d k : size c = size d -> all2 (fun x y => t * x =? s * y)%Z c d ->
  (t * at_place c k = s * at_place d k)%Z.
Proof.
rewrite /at_place; elim: c d k => [|x c IHc] [|y d] k //=; first by rewrite !nth_nil; lia.
by case=> size_cd /andP[/Z.eqb_eq xy /(IHc d)]; case: k => [|k] //= ->.
Qed.

Lemma multiple_at g c d k : size c = size d -> all2 (fun z u => z =? g * u)%Z c d -> at_place c k = (g * at_place d k)%Z.
Proof.
rewrite /at_place; elim: c d k => [|x c IHc] [|y d] k //=; first by rewrite !nth_nil; lia.
by case=> size_cd /andP[/Z.eqb_eq xy /(IHc d)]; case: k => [|k] //= ->.
Qed.

Lemma In_nth A (x : A) s k : (k < size s)%N -> List.In (nth x s k) s.
Proof. by elim: s k => [|y s IHs] [|k] //= k_s; [left | right; exact: IHs]. Qed.

Lemma In_set_nth A (x y z : A) s k : (k < size s)%N -> List.In z (set_nth x s k y) -> z = y \/ List.In z s.
Proof.
elim: s k => [|u s IHs] [|k] //= k_s [->|z_in]; [by left | by right; right | by right; left |].
by case: (IHs k k_s z_in); [left | right; right].
Qed.

Section Kinks.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Section Given.
Variables (near : neighbours) (p q m : nat) (a : R) (l : 'M[R]_(p, m)) (M : 'M[R]_(p, q)).
Variables (L I : integers).
Hypotheses (m_gt0 : (0 < m)%N) (l_L : represents L l) (M_I : represents I M).
Local Notation costs := (answers_of p q m L I).

(* For the weights w, M with its best answers loses no more than any mechanism of the type. *)
Definition settled_at (w : 'I_p -> R) := exists b : R,
  (forall k (X : 'M[R]_(p, k)) (h : 'I_k -> 'I_m), mechanism_for near a X -> b <= bayes_loss w l (X *m remap R h)) /\
  (forall f : 'I_q -> 'I_m, best_response w l M f -> bayes_loss w l (M *m remap R f) <= b).

Lemma settled_scale c w : 0 < c -> settled_at w -> settled_at (fun i => c * w i).
Proof.
move=> c_gt0 [b [b_le f_le]]; exists (c * b); split=> [k X h X_mech|f f_best]; rewrite bayes_loss_scaled ler_pmul2l //.
  exact: b_le.
have scaled j r : \sum_i c * w i * (M i j * l i r) = c * \sum_i w i * (M i j * l i r).
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite -[in LHS]mulrA.
by apply: f_le => j r; have := f_best j r; rewrite !scaled ler_pmul2l.
Qed.

Definition weight_of (c : seq Z) : 'I_p -> R := fun i => of_Z (at_place c i).

Lemma settled_eq w w' : w =1 w' -> settled_at w -> settled_at w'.
Proof.
move=> ww' [b [b_le f_le]]; have same (X : 'M[R]_(p, m)) : bayes_loss w l X = bayes_loss w' l X.
  by apply: eq_bigr => i _; rewrite ww'.
exists b; split=> [k X h X_mech|f f_best]; rewrite -same; first exact: b_le.
by apply: f_le => j r; have := f_best j r; under eq_bigr do rewrite -ww'; under [leRHS]eq_bigr do rewrite -ww'.
Qed.

Lemma same_rayP c d : same_ray c d -> settled_at (weight_of d) -> settled_at (weight_of c).
Proof.
case/and4P=> /Z.ltb_lt/(of_Z_gt0 R) s_gt0 /Z.ltb_lt/(of_Z_gt0 R) t_gt0 /eqP size_cd same.
move/(settled_scale (divr_gt0 s_gt0 t_gt0)); apply: settled_eq => i; rewrite /weight_of.
have same_at k := proportional_at k size_cd same.
apply: (mulfI (lt0r_neq0 t_gt0)); rewrite -[RHS]of_ZM same_at of_ZM mulrA mulrCA divff ?mulr1 //.
by rewrite gt_eqF.
Qed.

Lemma score_at (c : seq Z) (y : 'I_q) (g : 'I_m) :
  of_Z (nth 0%Z (nth [::] (scores_at costs c) y) g) =
  of_Z (scaling I) * of_Z (scaling L) * \sum_i weight_of c i * (M i y * l i g).
Proof.
have size_costs : size costs = q by rewrite size_map size_iota.
rewrite (nth_map [::]) ?size_costs // /answers_of (nth_map 0%N) ?size_iota // nth_iota // add0n.
rewrite (nth_map [::]) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota // add0n.
rewrite product_iota mulr_sumr; apply: eq_bigr => i _; case: l_L => L_gt0 ->; case: M_I => I_gt0 ->.
rewrite of_ZM add0n /weight_of; move: (of_Z (scaling I)) (of_Z (scaling L)) I_gt0 L_gt0 => s t s_gt0 t_gt0.
by by_field R; split; apply/eqP; rewrite gt_eqF.
Qed.

Lemma scale_gt0 : 0 < of_Z (scaling I) * of_Z (scaling L).
Proof. by case: l_L => L_gt0 _; case: M_I => I_gt0 _; rewrite mulr_gt0. Qed.

Lemma size_scores c y : (y < q)%N -> size (nth [::] (scores_at costs c) y) = m.
Proof.
move=> y_q; rewrite (nth_map [::]) ?size_map ?size_iota // (nth_map 0%N) ?size_iota //.
by rewrite !size_map size_iota.
Qed.

(* Answers that are best at all corners. *)
Lemma common_best_response cone :
  all (common_best m) [seq [seq nth [::] s y | s <- [seq scores_at costs c | c <- cone]] | y <- iota 0 q] ->
  exists f : 'I_q -> 'I_m, forall c, List.In c cone -> best_response (weight_of c) l M f.
Proof.
move=> /(all_nthP [::]) best.
have [f f_best] : exists f : 'I_q -> 'I_m, forall (y : 'I_q) c, List.In c cone -> is_least (nth [::] (scores_at costs c) y) (f y).
  apply: (@fin_all_exists _ (fun=> 'I_m)
    (fun (y : 'I_q) (g : 'I_m) => forall c, List.In c cone -> is_least (nth [::] (scores_at costs c) y) g)) => y.
  have := best y; rewrite size_map size_iota => /(_ (ltn_ord y)).
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n -map_comp => /hasP[g].
  rewrite mem_iota add0n => g_m /all_In g_best; exists (Ordinal g_m) => c c_in.
  by apply: g_best; apply/List.in_map_iff; exists c.
exists f => c c_in y r; have /Z.eqb_eq least := f_best y c c_in.
rewrite -(ler_pmul2l scale_gt0) -!score_at least of_Z_le; apply/Z.leb_le/least_of_le.
by rewrite size_scores.
Qed.

Definition in_cone (cone : seq (seq Z)) (w : 'I_p -> R) := exists2 t : nat -> R, (forall k, 0 <= t k) &
  forall i, w i = \sum_(k < size cone) t k * weight_of (nth [::] cone k) i.

Definition best_at (w : 'I_p -> R) := exists f : 'I_q -> 'I_m, forall k (X : 'M[R]_(p, k)) (h : 'I_k -> 'I_m),
  mechanism_for near a X -> bayes_loss w l (M *m remap R f) <= bayes_loss w l (X *m remap R h).

Lemma bayes_loss_sum (n : nat) (t : nat -> R) (u : nat -> 'I_p -> R) w (X : 'M[R]_(p, m)) :
  (forall i, w i = \sum_(k < n) t k * u k i) -> bayes_loss w l X = \sum_(k < n) t k * bayes_loss (u k) l X.
Proof.
move=> w_is; rewrite /bayes_loss; under eq_bigr => i _ do rewrite w_is mulr_suml.
rewrite exchange_big; apply: eq_bigr => k _ /=; rewrite mulr_sumr; apply: eq_bigr => i _.
by rewrite mulrA.
Qed.

Lemma settled_cone cone w f : (forall c, List.In c cone -> settled_at (weight_of c) /\ best_response (weight_of c) l M f) ->
  in_cone cone w -> best_at w.
Proof.
move=> corners [t t_ge0 w_is]; exists f => k X h X_mech.
have split_loss := @bayes_loss_sum _ t (fun c => weight_of (nth [::] cone c)) w _ w_is; rewrite !split_loss.
apply: ler_sum => c _; rewrite ler_wpmul2l //.
have [[b [b_le f_le]] f_best] := corners _ (In_nth [::] (ltn_ord c)).
exact: le_trans (f_le f f_best) (b_le _ X h X_mech).
Qed.

(* The cone is the union of the two halves. *)
Lemma at_mix s t c d k : size c = size d -> at_place (mix s t c d) k = (s * at_place c k + t * at_place d k)%Z.
Proof.
rewrite /at_place /mix; elim: c d k => [|x c IHc] [|y d] k //= size_cd; first by rewrite !nth_nil; lia.
by case: k => [|k] //=; apply: IHc; case: size_cd.
Qed.

Lemma half_cone (n i j : nat) (u : nat -> 'I_p -> R) (new w : 'I_p -> R) (t : nat -> R) (x y g : R) :
  (i < n)%N -> (j < n)%N -> i != j -> 0 < x -> 0 < y -> 0 < g -> (forall k, 0 <= t k) ->
  (forall e, g * new e = x * u i e + y * u j e) -> t i * y <= t j * x ->
  (forall e, w e = \sum_(k < n) t k * u k e) ->
  exists2 t' : nat -> R, (forall k, 0 <= t' k) & forall e, w e = \sum_(k < n) t' k * (if k == i :> nat then new e else u k e).
Proof.
move=> i_n j_n ij x_gt0 y_gt0 g_gt0 t_ge0 new_is le w_is.
exists (fun k => if k == i then t i * g / x else if k == j then t j - t i * y / x else t k) => [k|e].
  case: eqP => _; first by rewrite divr_ge0 ?(ltW x_gt0) // mulr_ge0 // ltW.
  case: eqP => _ //; by rewrite subr_ge0 ler_pdivr_mulr.
rewrite w_is (bigD1 (Ordinal i_n)) //= (bigD1 (Ordinal j_n)) /=; last by rewrite -val_eqE /= eq_sym.
rewrite [in RHS](bigD1 (Ordinal i_n)) //= [in RHS](bigD1 (Ordinal j_n)) /=; last by rewrite -val_eqE /= eq_sym.
have ji : (j == i) = false by rewrite eq_sym (negPf ij).
rewrite !eqxx ji; rewrite !addrA; congr (_ + _); last first.
  apply: eq_bigr => k /andP[ki kj]; rewrite -!val_eqE /= in ki kj.
  by rewrite (negPf ki) (negPf kj).
have -> : t i * g / x * new e = t i / x * (g * new e) by by_field R; apply/eqP; rewrite gt_eqF.
by rewrite new_is; by_field R; apply/eqP; rewrite gt_eqF.
Qed.

Theorem cover_best n (certified : seq Z -> bool) cone w : (forall c, certified c -> settled_at (weight_of c)) ->
  (forall c, List.In c cone -> settled_at (weight_of c)) -> cover n m q costs certified cone -> in_cone cone w -> best_at w.
Proof.
move=> cert; elim: n cone => [|n IHn] cone corners //=.
set rows := map _ (iota 0 q); case: ifP => [common _|_].
  have [f f_best] := common_best_response common; apply: (settled_cone (f := f)) => c c_in.
  by split; [exact: corners | exact: f_best].
case: foldl => [[fewest signs]|] //.
set i := find _ signs; set j := find _ signs; set s := nth _ signs j; set t := (- _)%Z.
set ci := nth _ cone i; set cj := nth _ cone j; set sum := mix _ _ _ _; set g := foldr _ _ _; set new := map _ sum.
case/andP=> /andP[/andP[/and4P[i_n j_n ij /andP[/Z.ltb_lt/(of_Z_gt0 R) s_gt0 /Z.ltb_lt/(of_Z_gt0 R) t_gt0]]]].
case/and4P=> /Z.ltb_lt/(of_Z_gt0 R) g_gt0 new_ok /eqP size_c new_cert left_ok right_ok [r r_ge0 w_is].
have new_is (e : 'I_p) : of_Z g * weight_of new e = of_Z s * weight_of ci e + of_Z t * weight_of cj e.
  rewrite -!of_ZM -of_ZD; congr of_Z; rewrite -at_mix // -/sum.
  have size_new : size sum = size new by rewrite /new size_map.
  by rewrite (multiple_at e size_new new_ok).
have corners_new k : (k < size cone)%N -> forall c, List.In c (set_nth [::] cone k new) -> settled_at (weight_of c).
  by move=> k_n c /(In_set_nth k_n)[->|/corners //]; exact: cert.
have halved k : (k < size cone)%N -> size (set_nth [::] cone k new) = size cone.
  by move=> k_n; rewrite size_set_nth; apply/maxn_idPr.
have corner k c e : (k < size cone)%N ->
    weight_of (nth [::] (set_nth [::] cone k new) c) e = if c == k :> nat then weight_of new e else weight_of (nth [::] cone c) e.
  by move=> k_n; rewrite nth_set_nth /=; case: eqP.
pose u k (e : 'I_p) := weight_of (nth [::] cone k) e.
have [le|/ltW le] := leP (r i * of_Z t) (r j * of_Z s).
  apply: IHn left_ok _; first exact: corners_new.
  have [r' r'_ge0 w'_is] := @half_cone (size cone) i j u (weight_of new) w r (of_Z s) (of_Z t) (of_Z g)
    i_n j_n ij s_gt0 t_gt0 g_gt0 r_ge0 new_is le w_is.
  exists r' => // e; rewrite halved // w'_is; apply: eq_bigr => c _; by rewrite corner.
apply: IHn right_ok _; first exact: corners_new.
have ji : j != i by rewrite eq_sym.
have new_is' e : of_Z g * weight_of new e = of_Z t * u j e + of_Z s * u i e by rewrite addrC new_is.
have [r' r'_ge0 w'_is] := @half_cone (size cone) j i u (weight_of new) w r (of_Z t) (of_Z s) (of_Z g)
  j_n i_n ji t_gt0 s_gt0 g_gt0 r_ge0 new_is' le w_is.
by exists r' => // e; rewrite halved // w'_is; apply: eq_bigr => c _; rewrite corner.
Qed.

(* A prior of the witness. *)
Lemma least_attained s : (0 < size s)%N -> exists2 g, (g < size s)%N & least_of s = nth 0%Z s g.
Proof.
case: s => // z s _; rewrite [least_of _]/=; elim: s => [|u s [g g_s IHs]]; first by exists 0%N.
have [le|lt] := Z.leb_spec u (foldr Z.min z s); first by exists 1%N => //=; lia.
case: g g_s IHs => [|g] g_s IHs; first by exists 0%N => //=; rewrite /= in IHs; lia.
by exists g.+2 => //; rewrite /= in IHs *; lia.
Qed.

Theorem is_settledP (a' : Q) w y : a = of_Q a' -> has_ray_list near a' p ->
  is_settled p m (ray_list near a' p) L I costs w y -> settled_at (weight_of (numerators p w)).
Proof.
move=> a_is listed /and5P[w_p w_ge0 y_p bound]; rewrite -(of_Z_le R) !of_ZM => low.
have u_gt0 := of_Z_pos R (unit w).
have num_is i : weight_of (numerators p w) i = of_Z (Zpos (unit w)) * vector_entry R w i.
  rewrite /weight_of /at_place (nth_map 0%N) ?size_iota // nth_iota // add0n /vector_entry mulrC divfK //.
  by rewrite gt_eqF.
suff : settled_at (fun i => vector_entry R w i).
  by move/(settled_scale u_gt0); apply: settled_eq => i; rewrite num_is.
exists (\sum_(i < p) vector_entry R y i); split=> [k X h X_mech|f f_best].
  rewrite a_is in X_mech.
  by have := type_boundP (fun _ => h) listed l_L bound X_mech; rewrite big_ord_recl big_ord0 addr0.
have -> : \sum_(i < p) vector_entry R y i = of_Z (total (terms y)) / of_Z (Zpos (unit y)).
  by rewrite /vector_entry -mulr_suml sum_row1.
rewrite ler_pdivl_mulr ?of_Z_pos //.
have [L_gt0 _] := l_L; have [I_gt0 _] := M_I.
have D_gt0 : 0 < of_Z (Zpos (unit w)) * of_Z (scaling I) * of_Z (scaling L) by rewrite !mulr_gt0.
rewrite -(ler_pmul2r D_gt0); apply: le_trans low; rewrite mulrAC ler_wpmul2r ?(ltW (of_Z_pos R _)) //.
have size_s : size (scores_at costs (numerators p w)) = q by rewrite !size_map size_iota.
rewrite (@sum_seq R _ q); last by rewrite size_map size_s.
have -> : bayes_loss (fun i => vector_entry R w i) l (M *m remap R f) = \sum_j \sum_(i < p) vector_entry R w i * (M i j * l i (f j)).
  by rewrite /bayes_loss; under eq_bigr => i _ do rewrite loss_remap mulr_sumr; rewrite exchange_big.
rewrite mulr_suml; apply: ler_sum => j _; rewrite (nth_map [::]) ?size_s //.
have [|g g_m ->] := @least_attained (nth [::] (scores_at costs (numerators p w)) j); first by rewrite size_scores.
rewrite size_scores // in g_m; rewrite (score_at _ j (Ordinal g_m)).
under [in leRHS]eq_bigr => i _ do rewrite num_is -mulrA.
rewrite -mulr_sumr; set B := \sum_i _.
have -> : of_Z (scaling I) * of_Z (scaling L) * (of_Z (Zpos (unit w)) * B)
    = B * (of_Z (Zpos (unit w)) * of_Z (scaling I) * of_Z (scaling L)) by by_ring R.
by rewrite ler_pmul2r //; exact: f_best.
Qed.


End Given.

Theorem kink_argumentP near p q m a L I ws ys (l : 'M[R]_(p, m)) (M : 'M[R]_(p, q)) :
  represents L l -> represents I M -> mechanism_for near (of_Q a) M -> kink_argument p q m near a L I ws ys ->
  universally_optimal_for near (of_Q a) l M.
Proof.
move=> l_L M_I M_mech /andP[/and4P[m_gt0 listed /eqP size_wy _] /and3P[ok units covered]].
have settled c : has (same_ray c) [seq numerators p w | w <- ws] -> settled_at near (of_Q a) l M (weight_of c).
  rewrite has_map => /has_In[w w_in /same_rayP]; apply.
  have [y wy_in] : exists y, List.In (w, y) (zip ws ys).
    elim: ws ys size_wy w_in {ok units covered} => [|w' ws IHws] [|y' ys] //= [size_wy] [->|/(IHws ys size_wy)[y]].
      by exists y'; left.
    by exists y; right.
  by have /all_In/(_ _ wy_in) := ok; exact: is_settledP.
split=> // w w_dist k X h X_mech; have [w_ge0 _] := w_dist.
suff [f f_opt] : best_at near (of_Q a) l M w by exists f; exact: f_opt.
apply: (cover_best l_L M_I settled) covered _ => [c|].
  by move/all_In: units => units /units /settled.
pose t j := if insub j is Some i then w i else 0.
have t_w (i : 'I_p) : t i = w i by rewrite /t valK.
exists t => [j|i]; first by rewrite /t; case: insub.
rewrite size_map size_iota (bigD1 i) //= big1 ?addr0 => [|j ji].
  by rewrite t_w /weight_of /at_place (nth_map 0%N) ?size_iota // nth_iota // (nth_map 0%N) ?size_iota // nth_iota // eqxx mulr1.
rewrite /weight_of /at_place (nth_map 0%N) ?size_iota // nth_iota // (nth_map 0%N) ?size_iota // nth_iota // !add0n.
by move: ji; rewrite -val_eqE /= eq_sym => /negPf ->; rewrite mulr0.
Qed.

End Kinks.
