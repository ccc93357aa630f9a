(* SPDX-License-Identifier: MIT *)
(* Tables whose numbers are quotients of polynomials: what is decided about them by signs of polynomials.     *)
(* How signs are found is another matter.                                                                     *)
(*   Variables pos, nonneg, null    what finds them: true where it is shown that p > 0, p >= 0, p = 0         *)
(*   sound_in       the denominators of a table are > 0, its size is right      (sound_inP)                   *)
(*   stochastic_in, private_in, violated_in, negative_in, product_in           (stochastic_inP, ...)          *)
(*   evaluation     what a point makes of polynomials                                                         *)
(*   plus_f, times_f, opposite_f, sum_f    arithmetic of quotients              (plus_fP, ...)                *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism Form Geometric.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables PolynomialClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Definition lines (P : Type) := seq (P * seq P).

(* ---- What is computed ---- *)
Section Computed.
Variables (P : Type) (A : arithmetic P) (pos nonneg null : P -> bool).

Definition minus (p q : P) : P := plus_p A p (scaled_p A (-1) q).
Definition power (p : P) (n : nat) : P := ssrnat.iter n (times_p A p) (number_p A 1).

Definition over_at (rows : lines P) (i : nat) : P := (nth (zero A, [::]) rows i).1.
Definition entry_at (rows : lines P) (i j : nat) : P := nth (zero A) (nth (zero A, [::]) rows i).2 j.

(* (a^d s_j) (m^n (k + m)) for the level a = k/m. *)
Definition geometric_in (n : nat) (a : scalar P) (i j : nat) : P :=
  let k := upper a in let m := lower a in let d := dist i j in
  times_p A (times_p A (power k d) (power m (n - d)))
          (if n == 0%N then plus_p A k m else if (j == 0%N) || (j == n) then m else minus m k).

Definition lines_in (e : entries_in P) : lines P :=
  match e with
  | RowsIn rows => rows
  | GeometricIn n a =>
      let over := times_p A (power (lower a) n) (plus_p A (upper a) (lower a)) in
      [seq (over, [seq geometric_in n a i j | j <- iota 0 n.+1]) | i <- iota 0 n.+1]
  end.

Definition is_level_in (a : scalar P) : bool :=
  [&& pos (lower a), pos (upper a) & pos (minus (lower a) (upper a))].

Definition sound_in (p m : nat) (e : entries_in P) : bool :=
  match e with
  | RowsIn rows => (size rows == p) && all (fun r => pos r.1) rows
  | GeometricIn n a => [&& is_level_in a, p == n.+1 & m == n.+1]
  end.

Definition sum_p (s : seq P) : P := foldr (plus_p A) (zero A) s.

Definition stochastic_in (p m : nat) (X : lines P) : bool :=
  all (fun i => all (fun j => nonneg (entry_at X i j)) (iota 0 m) &&
                null (minus (sum_p [seq entry_at X i j | j <- iota 0 m]) (over_at X i))) (iota 0 p).

(* u z and v w, for two numbers u/w and v/z; u and v if w = z. *)
Definition crossed_in (X : lines P) (i j r : nat) : P * P :=
  if same_p A (over_at X i) (over_at X j) then (entry_at X i r, entry_at X j r)
  else (times_p A (entry_at X i r) (over_at X j), times_p A (entry_at X j r) (over_at X i)).

(* m^e (u z)^k - l^e (v w)^k, where the level is l/m, the distance e/k, and the numbers are u/w and v/z. *)
Definition excess_in (a : scalar P) (d : Q) (X : lines P) (i j r : nat) : P :=
  let e := Z.to_nat (Qnum d) in let k := Pos.to_nat (Qden d) in let c := crossed_in X i j r in
  minus (times_p A (power (lower a) e) (power c.1 k)) (times_p A (power (upper a) e) (power c.2 k)).

Definition private_in (p m : nat) (near : neighbours) (a : scalar P) (X : lines P) : bool :=
  all (fun e : N * N * Q => let i := N.to_nat e.1.1 in let j := N.to_nat e.1.2 in
         all (fun r => nonneg (excess_in a e.2 X i j r) && nonneg (excess_in a e.2 X j i r)) (iota 0 m)) (pairs near).

Definition violated_in (p m : nat) (near : neighbours) (a : scalar P) (X : lines P) (i j r : nat) : bool :=
  [&& (i < p)%N, (j < p)%N, (r < m)%N &
      has (fun e : N * N * Q => (is_pair i j e || is_pair j i e) && pos (scaled_p A (-1) (excess_in a e.2 X i j r))) (pairs near)].

(* An entry < 0; or a row whose sum is nowhere 1. *)
Definition negative_in (p m : nat) (X : lines P) (i : nat) (j : option nat) : bool :=
  (i < p)%N &&
  match j with
  | Some j => (j < m)%N && pos (scaled_p A (-1) (entry_at X i j))
  | None => let d := minus (sum_p [seq entry_at X i j | j <- iota 0 m]) (over_at X i) in
            pos d || pos (scaled_p A (-1) d)
  end.

(* Fractions; those with the same denominator are added fast. *)
Definition fraction := (P * P)%type.
Definition plus_f (x y : fraction) : fraction :=
  if same_p A x.2 y.2 then (plus_p A x.1 y.1, x.2) else (plus_p A (times_p A x.1 y.2) (times_p A y.1 x.2), times_p A x.2 y.2).

Definition product_at (m : nat) (Y T : lines P) (i r : nat) : fraction :=
  foldr (fun y f => plus_f (times_p A (entry_at Y i y) (entry_at T y r), over_at T y) f) (zero A, number_p A 1) (iota 0 m).

Definition product_in (p m k : nat) (Y B T : lines P) : bool :=
  [&& all (fun r => pos r.1) T, size T == m, stochastic_in m k T &
  all (fun i => all (fun r => let f := product_at m Y T i r in
    null (minus (times_p A f.1 (over_at B i)) (times_p A (entry_at B i r) (times_p A f.2 (over_at Y i))))) (iota 0 k)) (iota 0 p)].

Definition times_f (x y : fraction) : fraction := (times_p A x.1 y.1, times_p A x.2 y.2).
Definition opposite_f (x : fraction) : fraction := (scaled_p A (-1) x.1, x.2).
Definition sum_f (s : seq fraction) : fraction := foldr plus_f (zero A, number_p A 1) s.

(* The numbers of a vector and of a table. *)
Definition number_at (w : P * seq P) (i : nat) : fraction := (nth (zero A) w.2 i, w.1).
Definition table_at (X : lines P) (i j : nat) : fraction := (entry_at X i j, over_at X i).
End Computed.

(* ---- Soundness ---- *)
Record evaluation (R : realFieldType) (P : Type) (A : arithmetic P) := Evaluation {
  at_point :> P -> R;
  at_number : forall z, at_point (number_p A z) = of_Z R z;
  at_plus : forall p q, at_point (plus_p A p q) = (at_point p + at_point q)%R;
  at_times : forall p q, at_point (times_p A p q) = (at_point p * at_point q)%R;
  at_scaled : forall z p, at_point (scaled_p A z p) = (of_Z R z * at_point p)%R;
  at_same : forall p q, same_p A p q -> at_point p = at_point q }.

Section Soundness.
Local Open Scope ring_scope.
Variables (R : realFieldType) (P : Type) (A : arithmetic P) (E : evaluation R A) (pos nonneg null : P -> bool).
Hypothesis posP : forall p, pos p -> 0 < E p.
Hypothesis nonnegP : forall p, nonneg p -> 0 <= E p.
Hypothesis nullP : forall p, null p -> E p = 0.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Local Notation at_ := (at_point E).
Local Notation minus := (minus A).
Local Notation power := (power A).
Local Notation over_at := (over_at A).
Local Notation entry_at := (entry_at A).
Local Notation geometric_in := (geometric_in A).
Local Notation lines_in := (lines_in A).
Local Notation is_level_in := (is_level_in A pos).
Local Notation sound_in := (sound_in A pos).
Local Notation sum_p := (sum_p A).
Local Notation stochastic_in := (stochastic_in A nonneg null).
Local Notation crossed_in := (crossed_in A).
Local Notation excess_in := (excess_in A).
Local Notation private_in := (private_in A nonneg).
Local Notation violated_in := (violated_in A pos).
Local Notation negative_in := (negative_in A pos).
Local Notation plus_f := (plus_f A).
Local Notation product_at := (product_at A).
Local Notation product_in := (product_in A pos nonneg null).
Add Field R_field : (field_theory_of R).

Lemma at_zero : at_ (zero A) = 0.
Proof. exact: at_number. Qed.

Lemma at_minus p q : at_ (minus p q) = at_ p - at_ q.
Proof. by rewrite at_plus at_scaled /= mulN1r. Qed.

Lemma at_power p n : at_ (power p n) = at_ p ^+ n.
Proof. by elim: n => [|n IHn]; rewrite ?exprS ?expr0 ?at_number // -IHn -at_times. Qed.

Definition tabled p m (X : lines P) (M : 'M[R]_(p, m)) :=
  (forall i : 'I_p, 0 < at_ (over_at X i)) /\ forall i j, M i j = at_ (entry_at X i j) / at_ (over_at X i).

Lemma is_level_inP a : is_level_in a -> level_at E a.
Proof.
case/and3P=> /posP l_gt0 /posP u_gt0 /posP; rewrite at_minus subr_gt0 => lt.
by split=> //; rewrite /scalar_at divr_gt0 //= ltr_pdivr_mulr // mul1r.
Qed.

Lemma at_sum s : at_ (sum_p s) = \sum_(q <- s) at_ q.
Proof. by elim: s => [|q s IHs]; rewrite ?big_nil ?at_zero // big_cons -IHs -at_plus. Qed.

Lemma at_sum_iota m f : at_ (sum_p [seq f j | j <- iota 0 m]) = \sum_(j < m) at_ (f j).
Proof. by rewrite at_sum big_map -(big_mkord xpredT (fun j => at_ (f j))) /index_iota subn0. Qed.

Lemma all_iota (b : nat -> bool) n (i : 'I_n) : all b (iota 0 n) -> b i.
Proof. by move/(all_nthP 0%N)/(_ i); rewrite size_iota nth_iota // add0n; apply. Qed.

Lemma geometric_at n a (i j : nat) : level_at E a -> (i <= n)%N -> (j <= n)%N ->
  scalar_at E a ^+ dist i j * scale (scalar_at E a) n j =
  at_ (geometric_in n a i j) / at_ (times_p A (power (lower a) n) (plus_p A (upper a) (lower a))).
Proof.
case=> l_gt0 /andP[a_gt0 _] i_n j_n; set d := dist i j; have d_n : (d <= n)%N by rewrite /d /dist; nat_lia.
rewrite /geometric_in -/d !at_times !at_power at_plus /scalar_at.
move: a_gt0; rewrite /scalar_at; set p := at_ (upper a); set q := at_ (lower a) in l_gt0 * => p_gt0.
have {}p_gt0 : 0 < p by move: p_gt0; rewrite pmulr_lgt0 // invr_gt0.
have q_neq0 : q != 0 by rewrite gt_eqF.
have pq_neq0 : p + q != 0 by rewrite gt_eqF // addr_gt0.
have -> : q ^+ n = q ^+ d * q ^+ (n - d) by rewrite -exprD subnKC.
have qd_neq0 : q ^+ d != 0 by rewrite expf_neq0.
have qe_neq0 : q ^+ (n - d) != 0 by rewrite expf_neq0.
rewrite expr_div_n /scale.
have pq : 1 + p / q = (p + q) / q by rewrite mulrDl divff // addrC.
have qp : 1 - p / q = (q - p) / q by rewrite mulrBl divff.
case: eqP => _; last case: ifP => _; rewrite ?at_minus ?at_plus -/p -/q ?pq ?qp; move: (q ^+ d) (q ^+ (n - d)) (p ^+ d) qd_neq0 qe_neq0 => u v w u_neq0 v_neq0.
- by by_field R; do ?split; apply/eqP.
- by by_field R; do ?split; apply/eqP.
- by by_field R; do ?split; apply/eqP.
Qed.

Lemma sound_inP p m e : sound_in p m e -> tabled (lines_in e) (matrix_in A E p m e) /\ defined_in A E p m e.
Proof.
case: e => [rows|n a] /=.
  case/andP=> /eqP size_rows ok; have gt0 (i : 'I_p) : 0 < at_ (nth (zero A, [::]) rows i).1.
    by apply: posP; apply: (all_nthP (zero A, [::]) ok); rewrite size_rows.
  by split=> //; split=> // i j; rewrite mxE.
case/and3P=> a_level /eqP p_n /eqP m_n; subst p m; have a_ok := is_level_inP a_level; split=> //.
have row_i (i : 'I_n.+1) : nth (zero A, [::]) (lines_in (GeometricIn n a)) i =
    (times_p A (power (lower a) n) (plus_p A (upper a) (lower a)), [seq geometric_in n a i j | j <- iota 0 n.+1]).
  by rewrite /lines_in (nth_map 0%N) ?size_iota // nth_iota.
rewrite /tabled /over_at /entry_at; split=> [i|i j]; rewrite row_i.
  case: a_ok => l_gt0 /andP[a_gt0 _]; rewrite /= at_times at_power at_plus mulr_gt0 ?exprn_gt0 // addr_gt0 //.
  by move: a_gt0; rewrite /scalar_at pmulr_lgt0 // invr_gt0.
have -> : nth (zero A) [seq geometric_in n a i j | j <- iota 0 n.+1] j = geometric_in n a i j.
  by rewrite (nth_map 0%N) ?size_iota // nth_iota.
by rewrite mxE; apply: geometric_at; rewrite // -ltnS.
Qed.

Lemma stochastic_inP p m X (M : 'M[R]_(p, m)) : tabled X M -> stochastic_in p m X -> stochastic M.
Proof.
case=> over_gt0 M_X ok; split=> [i j|i]; have /andP[ge0 sum1] := all_iota i ok.
  by rewrite M_X divr_ge0 ?(ltW (over_gt0 i)) //; apply: nonnegP; exact: (all_iota j ge0).
under eq_bigr => j _ do rewrite M_X; rewrite -mulr_suml -at_sum_iota.
have := nullP sum1; rewrite at_minus => /eqP; rewrite subr_eq0 => /eqP ->.
by rewrite divff // gt_eqF.
Qed.

Lemma crossed_inP p m X (M : 'M[R]_(p, m)) (i j : 'I_p) (r : 'I_m) : tabled X M ->
  exists2 w, 0 < w & at_ (crossed_in X i j r).1 = M i r * w /\ at_ (crossed_in X i j r).2 = M j r * w.
Proof.
case=> over_gt0 M_X; have i_neq0 := lt0r_neq0 (over_gt0 i); have j_neq0 := lt0r_neq0 (over_gt0 j).
rewrite /crossed_in !M_X; case: ifP => [/(at_same E) e|_].
  by exists (at_ (over_at X i)) => //; split; rewrite ?e divfK.
exists (at_ (over_at X i) * at_ (over_at X j)); first by rewrite mulr_gt0.
by rewrite !at_times; split; rewrite mulrA ?divfK // mulrAC divfK.
Qed.

Lemma excessE p m a d X (M : 'M[R]_(p, m)) (i j : 'I_p) (r : 'I_m) : tabled X M -> 0 < at_ (lower a) ->
  exists2 c, 0 < c & at_ (excess_in a d X i j r) =
    c * (M i r ^+ Pos.to_nat (Qden d) - scalar_at E a ^+ Z.to_nat (Qnum d) * M j r ^+ Pos.to_nat (Qden d)).
Proof.
move=> X_M l_gt0; have [w w_gt0 [i_w j_w]] := crossed_inP i j r X_M.
rewrite /excess_in at_minus !at_times !at_power i_w j_w; set k := Pos.to_nat _; set e := Z.to_nat _.
exists (at_ (lower a) ^+ e * w ^+ k); first by rewrite mulr_gt0 ?exprn_gt0.
have -> : at_ (upper a) = scalar_at E a * at_ (lower a) by rewrite /scalar_at divfK // gt_eqF.
rewrite !exprMn; move: (_ ^+ k) (_ ^+ k) (_ ^+ k) (_ ^+ e) (_ ^+ e) => y1 y2 y3 y4 y5.
by by_ring R.
Qed.

Lemma private_inP p m near a X (M : 'M[R]_(p, m)) : tabled X M -> level_at E a -> private_in p m near a X ->
  private_for near (scalar_at E a) M.
Proof.
move=> X_M [l_gt0 _] /all_In ok i j d r ij; rewrite -subr_ge0.
have [c c_gt0 e] := excessE d i j r X_M l_gt0; rewrite -(pmulr_rge0 _ c_gt0) -e; apply: nonnegP.
by case: ij => /ok /(all_iota r) /andP[]; rewrite /= !Nat2N.id.
Qed.

Lemma violated_inP p m near a X (M : 'M[R]_(p, m)) i j r : tabled X M -> level_at E a ->
  violated_in p m near a X i j r -> ~ private_for near (scalar_at E a) M.
Proof.
move=> X_M [l_gt0 _] /and4P[i_p j_p r_m]; case/has_In=> [[[y z] d] e_in /andP[ij bad]] M_priv.
have [c c_gt0 e] := excessE d (Ordinal i_p) (Ordinal j_p) (Ordinal r_m) X_M l_gt0.
have := posP bad; rewrite at_scaled e /= mulN1r oppr_gt0 pmulr_rlt0 // subr_lt0; apply/negP; rewrite -leNgt.
apply: M_priv; rewrite /constrained /=; move: e_in.
by case/orP: ij => /andP[/N.eqb_eq/= -> /N.eqb_eq/= ->]; [left | right].
Qed.

Lemma negative_inP p m X (M : 'M[R]_(p, m)) i j : tabled X M -> negative_in p m X i j -> ~ stochastic M.
Proof.
case=> over_gt0 M_X /andP[i_p bad] [M_ge0 M_sum1]; have w_gt0 := over_gt0 (Ordinal i_p).
case: j bad => [j /andP[j_m]|].
  move/posP; rewrite at_scaled /= mulN1r oppr_gt0; apply/negP; rewrite -leNgt.
  by have := M_ge0 (Ordinal i_p) (Ordinal j_m); rewrite M_X pmulr_lge0 // invr_gt0.
set d := minus _ _; have d0 : at_ d = 0.
  have := M_sum1 (Ordinal i_p); under eq_bigr => r _ do rewrite M_X; rewrite -mulr_suml -at_sum_iota.
  by move/(canRL (mulfVK (lt0r_neq0 w_gt0))); rewrite mul1r /d at_minus => ->; rewrite subrr.
by case/orP=> /posP; rewrite ?at_scaled d0 ?mulr0 ltxx.
Qed.

Definition fraction_at (f : fraction P) : R := at_ f.1 / at_ f.2.

Lemma plus_fP f g : 0 < at_ f.2 -> 0 < at_ g.2 ->
  0 < at_ (plus_f f g).2 /\ fraction_at (plus_f f g) = fraction_at f + fraction_at g.
Proof.
rewrite /plus_f /fraction_at => f_gt0 g_gt0; case: ifP => [/(at_same E) e|_] /=.
  by split=> //; rewrite at_plus mulrDl e.
have f_neq0 := lt0r_neq0 f_gt0; have g_neq0 := lt0r_neq0 g_gt0.
rewrite at_plus !at_times mulr_gt0 //; split=> //.
by by_field R; split; apply/eqP.
Qed.

Lemma product_atP p m k (Y T : lines P) (MT : 'M[R]_(m, k)) (i : 'I_p) (r : 'I_k) : tabled T MT ->
  let f := product_at m Y T i r in
  0 < at_ f.2 /\ fraction_at f = \sum_(y < m) at_ (entry_at Y i y) * MT y r.
Proof.
case=> over_gt0 MT_T f; pose g y := at_ (entry_at Y i y) * (at_ (entry_at T y r) / at_ (over_at T y)).
have -> : \sum_(y < m) at_ (entry_at Y i y) * MT y r = \sum_(y <- iota 0 m) g y.
  transitivity (\sum_(y < m) g y); first by apply: eq_bigr => y _; rewrite MT_T.
  by rewrite -(big_mkord xpredT g) /index_iota subn0.
have gt0 y : y \in iota 0 m -> 0 < at_ (over_at T y).
  by rewrite mem_iota add0n => /andP[_ y_m]; exact: (over_gt0 (Ordinal y_m)).
rewrite /f /product_at; elim: (iota 0 m) gt0 => [|y s IHs] gt0 /=.
  by rewrite big_nil /fraction_at at_zero at_number mul0r ltr01.
have [IH_gt0 IH] := IHs (fun z z_s => gt0 z (mem_behead (s := y :: s) z_s)).
have [] := plus_fP (f := (times_p A (entry_at Y i y) (entry_at T y r), over_at T y)) (gt0 y (mem_head _ _)) IH_gt0.
by move=> -> ->; rewrite big_cons IH /g /fraction_at /= at_times mulrA.
Qed.

Lemma product_inP p m k Y B T (MA : 'M[R]_(p, m)) (MB : 'M[R]_(p, k)) : tabled Y MA -> tabled B MB ->
  product_in p m k Y B T -> derivable MA MB.
Proof.
move=> Y_MA B_MB /and4P[T_gt0 size_T T_st same].
have [T_MT _] := @sound_inP m k (RowsIn T) (introT andP (conj size_T T_gt0)).
exists (matrix_in A E m k (RowsIn T)); first exact: stochastic_inP T_MT T_st.
apply/matrixP=> i r; have [f_gt0 f_is] := product_atP Y i r T_MT.
have := nullP (all_iota r (all_iota i same)); rewrite at_minus !at_times => /eqP; rewrite subr_eq0 => /eqP e.
case: B_MB => b_gt0 ->; case: Y_MA => a_gt0 MA_Y; rewrite mxE.
under eq_bigr => y _ do rewrite MA_Y mulrAC; rewrite -mulr_suml -f_is /fraction_at.
have a_neq0 := lt0r_neq0 (a_gt0 i); have b_neq0 := lt0r_neq0 (b_gt0 i); have f_neq0 := lt0r_neq0 f_gt0.
by apply/eqP; rewrite -mulrA -invfM eqr_div // ?mulf_neq0 // -e.
Qed.
Local Notation times_f := (times_f A).
Local Notation opposite_f := (opposite_f A).
Local Notation sum_f := (sum_f A).
Local Notation value := fraction_at.
Local Notation defined f := (0 < at_ f.2).

Lemma times_fP x y : defined x -> defined y -> defined (times_f x y) /\ value (times_f x y) = value x * value y.
Proof.
move=> x_gt0 y_gt0; rewrite /times_f /fraction_at /= !at_times mulr_gt0 //; split=> //.
by rewrite invfM mulrACA.
Qed.

Lemma opposite_fP x : value (opposite_f x) = - value x.
Proof. by rewrite /fraction_at /= at_scaled mulN1r mulNr. Qed.

Lemma sum_fP s : all (fun f => defined f) s -> defined (sum_f s) /\ value (sum_f s) = \sum_(f <- s) value f.
Proof.
elim: s => [|f s IHs] /=; first by rewrite big_nil /fraction_at /= !at_number mul0r ltr01.
by case/andP=> f_gt0 /IHs[s_gt0 s_is]; have [-> ->] := plus_fP f_gt0 s_gt0; rewrite big_cons s_is.
Qed.

Lemma sum_iotaP n (F : nat -> fraction P) (G : nat -> R) : (forall i : 'I_n, defined (F i) /\ value (F i) = G i) ->
  defined (sum_f [seq F i | i <- iota 0 n]) /\ value (sum_f [seq F i | i <- iota 0 n]) = \sum_(i < n) G i.
Proof.
move=> F_G; have F_gt0 : all (fun f => defined f) [seq F i | i <- iota 0 n].
  by rewrite all_map; apply/allP => i; rewrite mem_iota add0n => /= i_n; have [] := F_G (Ordinal i_n).
have [-> ->] := sum_fP F_gt0; split=> //; rewrite big_map -(big_mkord xpredT G) /index_iota subn0.
by apply: eq_big_seq => i; rewrite mem_iota add0n => /= i_n; have [] := F_G (Ordinal i_n).
Qed.
End Soundness.
