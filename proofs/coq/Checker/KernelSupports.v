(* SPDX-License-Identifier: MIT *)
(* Kernel mechanisms, up to equal hyper-distributions, are the basic solutions of sum_v w_v v = 1 for the     *)
(* rays v; and the basic solutions are the circuits of the rays modulo (1, ..., 1).                           *)
(*                                                                                                            *)
(*   kernel_of_basic      the columns w_k V_k are a kernel mechanism                                          *)
(*   basic_of_kernel      every kernel mechanism has the hyper-distribution of one of these                   *)
(*   basic_once           and for different w these differ                                                    *)
(*   basic_of_circuit, circuit_of_basic   the supports of basic solutions are the circuits of the rows        *)
(*                        V_x - V_last (V_x: the entries at x of all rays)                                    *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From Coq Require List.
From ExactDP Require Import OrderedField Mechanism FiniteCone BasicSolutions Rays Hyper.
From ExactDP.Checker Require Import Numbers Rows Syntax Reader Meaning VertexRays TypesClaims Listing HeightRays Circuits.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Kernels.
Variables (R : realFieldType) (near : neighbours) (p : nat) (a : R) (e : 'I_p -> 'I_p -> R) (q : nat) (V : 'I_q -> 'I_p -> R).
Add Field R_field : (field_theory_of R).
Hypothesis e_levels : levels near a e.
Hypothesis V_ray : forall k, ray e (V k).
Hypothesis V_all : forall v, ray e v -> exists k c, 0 < c /\ forall i, v i = c * V k i.
Hypothesis V_once : forall k l c, (forall i, V k i = c * V l i) -> k = l.
Hypothesis p_gt0 : (0 < p)%N.

Local Notation basic_weights := (basic V (fun=> 1)).

Definition kernel_of (w : 'I_q -> R) : 'M[R]_(p, q) := \matrix_(i, k) (w k * V k i).

Let V_ge0 k i : 0 <= V k i. Proof. by have [[V0 _] _ _] := V_ray k. Qed.
Definition size_at k : R := \sum_i V k i.

Lemma size_at_gt0 k : 0 < size_at k.
Proof. by have [V_priv V_neq0 _] := V_ray k; exact: private_total V_priv V_neq0. Qed.

Lemma size_at_neq0 k : size_at k != 0. Proof. by rewrite gt_eqF // size_at_gt0. Qed.

Definition posterior_at k : 'I_p -> R := fun i => (size_at k)^-1 * V k i.

Lemma mass_ext m (X : 'M[R]_(p, m)) u v : u =1 v -> mass X u = mass X v.
Proof. by move=> uv; apply: eq_bigl => j; apply: eq_forallb => i; rewrite uv. Qed.

Lemma kernel_column w k : column_sum (kernel_of w) k = w k * size_at k.
Proof. by rewrite /column_sum mulr_sumr; apply: eq_bigr => i _; rewrite mxE. Qed.

Lemma kernel_posterior w k : w k != 0 -> posterior_of (kernel_of w) k =1 posterior_at k.
Proof.
move=> wk i; rewrite /posterior_of kernel_column mxE /posterior_at invfM mulrACA mulVf // mul1r //.
Qed.

Lemma kernel_mass w k : mass (kernel_of w) (posterior_at k) = w k * size_at k.
Proof.
rewrite /mass (bigD1 k) /=; last first.
  by apply/forallP => i; rewrite kernel_column mxE /posterior_at -mulrA mulVKf ?size_at_neq0.
rewrite kernel_column big1 ?addr0 // => l /andP[/forallP par lk]; rewrite kernel_column.
have [->|wl] := eqVneq (w l) 0; first by rewrite mul0r.
case/eqP: lk; apply: (V_once (c := size_at l * (size_at k)^-1)) => i.
have := par i; rewrite kernel_column mxE /posterior_at => /eqP; rewrite -mulrA => /(mulfI wl) ->.
by rewrite mulrA.
Qed.

Lemma kernel_ge0 w : basic_weights w -> forall i k, 0 <= kernel_of w i k.
Proof. by move=> [[w_ge0 _] _] i k; rewrite mxE mulr_ge0. Qed.

Theorem basic_once w u : basic_weights w -> basic_weights u -> same_hyper (kernel_of w) (kernel_of u) -> w =1 u.
Proof.
move=> _ _ /(same_hyper_mass) same k; have := same (posterior_at k) p_gt0.
by rewrite !kernel_mass => /(mulIf (size_at_neq0 k)).
Qed.

Theorem kernel_of_basic w : basic_weights w -> kernel_mechanism near a (kernel_of w).
Proof.
move=> w_basic; have [[w_ge0 w_sum] w_ind] := w_basic; have K_ge0 := kernel_ge0 w_basic.
have occurs_neq0 k : occurs (kernel_of w) k -> w k != 0.
  by case=> i; rewrite mxE; apply: contraNneq => ->; rewrite mul0r.
split.
- split.
    split=> // i; rewrite -[RHS](w_sum i); apply: eq_bigr => k _; by rewrite mxE.
  apply/(private_levels e_levels) => // i j k; rewrite !mxE mulrCA ler_wpmul2l //.
  by have [[_ V_le] _ _] := V_ray k.
- move=> k /occurs_neq0 wk; apply: (vertex_of_ray e_levels (v := (kernel_of w)^~ k)).
  apply: (@eq_ray _ _ _ (fun i => w k * V k i)) => [i|]; first by rewrite mxE.
  by apply: ray_scale (V_ray k); rewrite lt_neqAle eq_sym wk w_ge0.
move=> J J_occurs J_differ c c_rel.
pose d k := (k \in J)%:R * (c k / size_at k).
have d0 : forall k, d k = 0.
  apply: w_ind => [k wk0|i].
    have [k_J|k_J] := boolP (k \in J); last by rewrite /d (negPf k_J) mul0r.
    by have /occurs_neq0 := J_occurs k k_J; rewrite wk0 eqxx.
  rewrite -[RHS](c_rel i) [RHS]big_mkcond /=; apply: eq_bigr => k _; rewrite /d.
  case: ifP => k_J; last by rewrite !mul0r.
  rewrite mul1r kernel_posterior; last exact/occurs_neq0/J_occurs.
  by rewrite /posterior_at mulrA.
move=> k k_J; have := d0 k; rewrite /d k_J mul1r => /eqP.
by rewrite mulf_eq0 invr_eq0 (negPf (size_at_neq0 k)) orbF => /eqP.
Qed.

Theorem basic_of_kernel m (X : 'M[R]_(p, m)) : kernel_mechanism near a X ->
  exists2 w, basic_weights w & same_hyper X (kernel_of w).
Proof.
move=> [[[X_ge0 X_sum] X_priv] X_vertex X_ind].
pose parts (j : 'I_m) (t : 'I_q -> R) := [/\ forall k, 0 <= t k, forall k, t k != 0 -> forall i, X i j = t k * V k i
  & occurs X j -> exists k, t k != 0].
have [t t_parts] : exists t : 'I_m -> 'I_q -> R, forall j, parts j (t j).
  apply: (@fin_all_exists _ (fun=> 'I_q -> R) parts) => j.
  case: (boolP [exists i, X i j != 0]) => [/existsP some|]; last first.
    rewrite negb_exists => /forallP zero; exists (fun=> 0); split=> // [k|[i]]; first by rewrite eqxx.
    by have := zero i; rewrite negbK => /eqP ->; rewrite eqxx.
  have [_ post_ray] := ray_of_vertex e_levels (X_vertex j some).
  have [k [c [c_gt0 c_def]]] := V_all post_ray; have s_gt0 := column_sum_gt0 (X_ge0^~ j) some.
  exists (fun l => (l == k)%:R * (column_sum X j * c)); split=> [l|l|_].
  - by rewrite mulr_ge0 ?ler0n // mulr_ge0 // ltW.
  - have [->|_] := eqVneq l k; last by rewrite mul0r eqxx.
    by move=> _ i; rewrite mul1r (column_posterior (X_ge0^~ j)) c_def mulrA.
  by exists k; rewrite eqxx mul1r mulf_neq0 // gt_eqF.
have t_ge0 j k : 0 <= t j k by have [] := t_parts j.
have t_col j k : t j k != 0 -> forall i, X i j = t j k * V k i by have [_ + _] := t_parts j; apply.
have t_once j k l : t j k != 0 -> t j l != 0 -> k = l.
  move=> tk tl; apply: (V_once (c := (t j k)^-1 * t j l)) => i; apply: (mulfI tk).
  by rewrite -(t_col j k tk) (t_col j l tl) -mulrA mulVKf.
have t_sum j k : t j k != 0 -> column_sum X j = t j k * size_at k.
  by move=> tk; rewrite mulr_sumr; apply: eq_bigr => i _; exact: t_col.
have t_post j k : t j k != 0 -> posterior_of X j =1 posterior_at k.
  by move=> tk i; rewrite /posterior_of (t_sum j k tk) (t_col j k tk) /posterior_at invfM mulrACA mulVf // mul1r.
have X_def i j : \sum_k t j k * V k i = X i j.
  case: (boolP [exists k, t j k != 0]) => [/existsP[k tk]|].
    rewrite (bigD1 k) //= big1 ?addr0 ?(t_col j k tk) // => l lk.
    have [->|tl] := eqVneq (t j l) 0; first by rewrite mul0r.
    by rewrite (t_once j l k tl tk) eqxx in lk.
  rewrite negb_exists => /forallP zero; rewrite big1 => [|k _]; last first.
    by have := zero k; rewrite negbK => /eqP ->; rewrite mul0r.
  apply/eqP; rewrite eq_sym; apply: contraT => Xij; have [_ _ some] := t_parts j.
  by have [|k] := some; [exists i | rewrite (negPf (zero k))].
pose w k := \sum_j t j k; have w_ge0 k : 0 <= w k by apply: sumr_ge0.
have w_some k : w k != 0 -> exists j, t j k != 0.
  move=> wk; apply/existsP; apply: contraT; rewrite negb_exists => /forallP zero; case/eqP: wk.
  by apply: big1 => j _; have := zero j; rewrite negbK => /eqP.
have w_sol : solution V (fun=> 1) w.
  split=> // i; rewrite -[RHS](X_sum i).
  under eq_bigr => k _ do rewrite mulr_suml.
  by rewrite exchange_big; apply: eq_bigr => j _ /=.
have w_basic : basic_weights w.
  split=> // c c_sup c_rel.
  have [r r_def] : exists r : 'I_q -> option 'I_m, forall k, if r k is Some j then is_true (t j k != 0) else w k = 0.
    apply: (@fin_all_exists _ (fun=> option 'I_m) (fun k o => if o is Some j then is_true (t j k != 0) else w k = 0)) => k.
    have [wk|/w_some[j jk]] := eqVneq (w k) 0; by [exists None | exists (Some j)].
  pose J := [set j | [exists k, r k == Some j]].
  have r_once k l j : r k = Some j -> r l = Some j -> k = l.
    by move=> rk rl; have := r_def k; have := r_def l; rewrite rk rl => tl tk; exact: (t_once _ _ _ tk tl).
  have J_some j : j \in J -> exists2 k, r k = Some j & t j k != 0.
    by rewrite inE => /existsP[k /eqP rk]; exists k => //; have := r_def k; rewrite rk.
  pose c' j := \sum_(k | r k == Some j) c k * size_at k.
  have c'0 : {in J, forall j, c' j = 0}.
    apply: X_ind => [j /J_some[k _ tk]|j l j_J l_J same|i].
    - have [_ [i Vi] _] := V_ray k; exists i.
      by rewrite (t_col j k tk) mulf_neq0.
    - have [k rk tk] := J_some j j_J; have [k' rk' tk'] := J_some l l_J.
      suff kk' : k = k' by move: rk'; rewrite -kk' rk => -[].
      apply: (V_once (c := size_at k / size_at k')) => x; have := same x.
      rewrite (t_post j k tk) (t_post l k' tk') /posterior_at => e_x.
      by rewrite -mulrA -e_x mulVKf // size_at_neq0.
    transitivity (\sum_j \sum_k (r k == Some j)%:R * (c k * V k i)).
      rewrite big_mkcond; apply: eq_bigr => j _; rewrite /c' mulr_suml [LHS]/=.
      case: ifP => [_|j_J]; last first.
        rewrite big1 // => k _; case: eqP => rk; last by rewrite mul0r.
        by move/negP: j_J; rewrite inE; case; apply/existsP; exists k; rewrite rk.
      rewrite big_mkcond; apply: eq_bigr => k _; case: eqP => rk; last by rewrite mul0r.
      have tk := r_def k; rewrite rk in tk; rewrite mul1r (t_post j k tk) /posterior_at -!mulrA.
      by rewrite mulVKf // size_at_neq0.
    rewrite exchange_big -[RHS](c_rel i); apply: eq_bigr => k _ /=.
    have := r_def k; case: (r k) => [j tk|/c_sup ->]; last by rewrite big1 => [|j _]; rewrite ?mul0r.
    rewrite (bigD1 j) //= eqxx mul1r big1 ?addr0 // => l lj.
    by have -> : (Some j == Some l) = false; [apply/eqP => -[jl]; rewrite jl eqxx in lj | rewrite mul0r].
  move=> k; have [/c_sup //|wk] := eqVneq (w k) 0.
  have := r_def k; case rk: (r k) => [j|]; last by move=> w0; rewrite w0 eqxx in wk.
  move=> tk; have j_J : j \in J by rewrite inE; apply/existsP; exists k; rewrite rk.
  have := c'0 j j_J; rewrite /c' (big_pred1 k) => [/eqP|l]; last first.
    by apply/eqP/eqP => [rl|->//]; exact: (r_once l k j).
  by rewrite mulf_eq0 (negPf (size_at_neq0 k)) orbF => /eqP.
exists w => //; have K_ge0 := kernel_ge0 w_basic.
have mass_X k : mass X (posterior_at k) = w k * size_at k.
  rewrite /mass big_mkcond mulr_suml; apply: eq_bigr => j _.
  have [tk0|tk] := eqVneq (t j k) 0; last first.
    rewrite ifT ?(t_sum j k tk) //; apply/forallP => i.
    by rewrite (t_col j k tk) ?(t_sum j k tk) /posterior_at -mulrA mulVKf ?size_at_neq0.
  rewrite tk0 mul0r; case: ifP => // /forallP par; apply/eqP; apply: contraT => s_neq0.
  have some : occurs X j.
    apply/existsP; apply: contraNT s_neq0; rewrite negb_exists => /forallP zero; apply/eqP/big1 => i _.
    by apply/eqP; have := zero i; rewrite negbK.
  have [_ _ /(_ some)[l tl]] := t_parts j.
  suff lk : l = k by rewrite lk tk0 eqxx in tl.
  apply: (V_once (c := size_at l * (size_at k)^-1)) => i; apply: (mulfI tl).
  by rewrite -(t_col j l tl) (eqP (par i)) (t_sum j l tl) /posterior_at !mulrA.
apply: same_mass_hyper => // j.
  have [_ _ some] := t_parts j => /some[k tk].
  by rewrite !(mass_ext _ (t_post j k tk)) mass_X kernel_mass.
move=> [i]; rewrite mxE => neq0.
have wj : w j != 0 by apply: contraNneq neq0 => ->; rewrite mul0r.
by rewrite !(mass_ext _ (kernel_posterior wj)) mass_X kernel_mass.
Qed.
End Kernels.

(* The rows V_x - V_last, x = 0, ..., p - 2, for vectors of integers. *)
Definition modulo_one (p : nat) (vs : seq (seq Z)) : seq (seq Z) :=
  [seq [seq (number v x - number v p.-1)%Z | v <- vs] | x <- iota 0 p.-1].

Section Circuits.
Variables (R : realFieldType) (p : nat) (vs : seq (seq Z)).
Hypothesis p_gt0 : (0 < p)%N.
Local Notation q := (size vs).
Local Notation of_Z := (of_Z R).

Definition vector_at (k : 'I_q) (i : 'I_p) : R := of_Z (number (nth [::] vs k) i).
Hypotheses (V_ge0 : forall k i, 0 <= vector_at k i) (V_neq0 : forall k, exists i, vector_at k i != 0).

Local Notation given := (modulo_one p vs).
Let last_p : (p.-1 < p)%N. Proof. by rewrite prednK. Qed.
Let last_input := Ordinal last_p.

Definition total_at (c : nat -> R) (i : 'I_p) : R := \sum_(k < q) c k * vector_at k i.

Lemma dot_row_at (c : nat -> R) (i : 'I_p) :
  dot q [seq (number v i - number v p.-1)%Z | v <- vs] c = total_at c i - total_at c last_input.
Proof.
rewrite /dot /total_at -sumrB; apply: eq_bigr => k _; rewrite /number (nth_map [::]) // of_ZB.
by rewrite /vector_at mulrBl ![_ * c k]mulrC.
Qed.

Lemma kills_given (c : nat -> R) : kills q given c <-> forall i, total_at c i = total_at c last_input.
Proof.
split=> [c_kills i|same r /(@In_map _ _ _ _ _)[x x_in ->]].
  have [i_last|i_lt] := eqVneq (val i) p.-1; first by congr total_at; apply: val_inj.
  apply/eqP; rewrite -subr_eq0 -dot_row_at; apply/eqP/c_kills.
  apply: (List.in_map (fun x => [seq (number v x - number v p.-1)%Z | v <- vs])); apply/In_mem.
  rewrite mem_iota add0n [(_ < p.-1)%N]ltn_neqAle i_lt /=; have := ltn_ord i.
  by rewrite -[X in (i < X)%N -> _](prednK p_gt0) ltnS.
have x_lt : (x < p)%N.
  by move/In_mem: x_in; rewrite mem_iota add0n => /ltn_trans; apply.
by rewrite -[x]/(val (Ordinal x_lt)) dot_row_at same subrr.
Qed.

Definition extended (c : 'I_q -> R) (k : nat) : R := if insub k is Some o then c o else 0.

Lemma extendedE c (k : 'I_q) : extended c k = c k.
Proof. by rewrite /extended valK. Qed.

Lemma total_extended c i : total_at (extended c) i = \sum_k c k * vector_at k i.
Proof. by apply: eq_bigr => k _; rewrite extendedE. Qed.

Local Notation basic_weights := (basic vector_at (fun=> 1)).

Theorem basic_of_circuit s : all (fun l => l < q)%N s -> circuit R q given s ->
  exists2 w : 'I_q -> R, basic_weights w & forall k : 'I_q, (w k != 0) = (val k \in s).
Proof.
move=> s_q [s_neq0 [u [u_gt0 u_sup /kills_given u_same u_only]]]; pose t := total_at u last_input.
have u_ge0 (k : 'I_q) : 0 <= u k.
  by have [k_s|k_s] := boolP (val k \in s); [rewrite ltW // u_gt0 | rewrite u_sup].
have t_gt0 : 0 < t.
  case: s s_q s_neq0 u_gt0 {u_sup u_only} => [|k s] //= /andP[k_q _] _ u_gt0.
  have [i Vi] := V_neq0 (Ordinal k_q); rewrite /t -(u_same i) /total_at (bigD1 (Ordinal k_q)) //=.
  rewrite ltr_paddr //; first by apply: sumr_ge0 => l _; rewrite mulr_ge0.
  by rewrite mulr_gt0 ?u_gt0 ?mem_head // lt_neqAle eq_sym Vi V_ge0.
exists (fun k => u k / t) => [|k]; last first.
  rewrite mulf_eq0 invr_eq0 (gt_eqF t_gt0) orbF.
  by have [k_s|k_s] := boolP (val k \in s); [rewrite gt_eqF // u_gt0 | rewrite u_sup // eqxx].
split=> [|c c_sup c_rel k].
  split=> [k|i]; first by rewrite divr_ge0 // ltW.
  under eq_bigr => k _ do rewrite mulrAC.
  by rewrite -mulr_suml -/(total_at u i) u_same divff // gt_eqF.
have [||x x_def] := u_only (extended c).
- move=> l l_q l_s; rewrite -[l]/(val (Ordinal l_q)) extendedE c_sup //.
  by rewrite u_sup // mul0r.
- by apply/kills_given => i; rewrite !total_extended !c_rel.
have xt : x * t = 0.
  rewrite /t /total_at mulr_sumr -[RHS](c_rel last_input); apply: eq_bigr => l _.
  by rewrite mulrA -x_def // extendedE.
have x0 : x = 0 by move/eqP: xt; rewrite mulf_eq0 (gt_eqF t_gt0) orbF => /eqP.
by rewrite -extendedE x_def // x0 mul0r.
Qed.

Definition support_of (w : 'I_q -> R) : seq nat := [seq val k | k <- enum 'I_q & w k != 0].

Lemma in_support_of w (k : 'I_q) : (val k \in support_of w) = (w k != 0).
Proof. by rewrite (mem_map (@ord_inj q)) mem_filter mem_enum andbT. Qed.

Lemma support_of_up w : sorted ltn (support_of w) /\ all (fun l => l < q)%N (support_of w).
Proof.
split; last by apply/allP => l /mapP[k _ ->]; exact: ltn_ord.
rewrite /support_of; apply: (@subseq_sorted _ ltn ltn_trans _ (iota 0 q)); last exact: iota_ltn_sorted.
by rewrite -val_enum_ord map_subseq // filter_subseq.
Qed.

Theorem circuit_of_basic w : basic_weights w -> circuit R q given (support_of w).
Proof.
move=> [[w_ge0 w_sum] w_ind]; split.
  have /eqP := w_sum last_input; apply: contraTneq => none; rewrite big1 ?(eq_sym 0) ?oner_eq0 // => k _.
  have := in_support_of w k; rewrite none in_nil => /esym/negbFE/eqP ->; by rewrite mul0r.
exists (extended w); split=> [l l_q|l l_q||c c_sup /kills_given c_same].
- rewrite -[l]/(val (Ordinal l_q)) in_support_of extendedE => wl.
  by rewrite lt_neqAle eq_sym wl w_ge0.
- by rewrite -[l]/(val (Ordinal l_q)) in_support_of extendedE negbK => /eqP.
- by apply/kills_given => i; rewrite !total_extended !w_sum.
exists (total_at c last_input) => l l_q; pose t := total_at c last_input.
have d0 : forall k, c (val k) - t * w k = 0.
  apply: (w_ind (fun k : 'I_q => c k - t * w k)) => [k wk|i].
    by rewrite wk mulr0 subr0 c_sup // in_support_of wk eqxx.
  under eq_bigr => k _ do rewrite mulrBl -mulrA.
  by rewrite sumrB -mulr_sumr w_sum mulr1 -/(total_at c i) c_same subrr.
by have /eqP := d0 (Ordinal l_q); rewrite subr_eq0 -[l]/(val (Ordinal l_q)) extendedE => /eqP.
Qed.

(* So they can be numbered. *)
Theorem basic_numbers : exists W : 'I_(size (circuits q given)) -> 'I_q -> R,
  [/\ forall n, basic_weights (W n), forall w, basic_weights w -> exists n, w =1 W n & forall n m, W n =1 W m -> n = m].
Proof.
have := circuitsP R q given; set cs := circuits q given => listed.
have [cs_in cs_all cs_once] := enumerates_numbers [::] listed.
have [W W_def] : exists W : 'I_(size cs) -> 'I_q -> R,
    forall n, basic_weights (W n) /\ forall k : 'I_q, (W n k != 0) = (val k \in nth [::] cs n).
  pose is_of (n : 'I_(size cs)) (w : 'I_q -> R) := basic_weights w /\ forall k : 'I_q, (w k != 0) = (val k \in nth [::] cs n).
  apply: (@fin_all_exists _ (fun=> 'I_q -> R) is_of) => n; have [_ n_q n_circuit] := cs_in n (ltn_ord n).
  by have [w w_basic w_n] := basic_of_circuit n_q n_circuit; exists w.
exists W; split=> [n|w w_basic|n m nm]; first by have [] := W_def n.
  have [w_up w_q] := support_of_up w.
  have [n n_lt n_w] := cs_all _ (And3 w_up w_q (circuit_of_basic w_basic)).
  exists (Ordinal n_lt) => k; have [W_basic W_n] := W_def (Ordinal n_lt).
  apply: (independent_unique (proj2 W_basic) (proj1 W_basic) (proj1 w_basic)) => l /eqP Wl.
  by apply/eqP; apply: contraTT Wl => wl; rewrite W_n n_w in_support_of.
apply/val_inj/cs_once; [exact: ltn_ord | exact: ltn_ord |].
have [n_up n_q _] := cs_in n (ltn_ord n); have [m_up m_q _] := cs_in m (ltn_ord m).
apply: (irr_sorted_eq ltn_trans ltnn n_up m_up) => l.
have [l_q|l_q] := ltnP l q.
  have [_ W_n] := W_def n; have [_ W_m] := W_def m.
  by rewrite -[l]/(val (Ordinal l_q)) -W_n -W_m nm.
by apply/idP/idP => l_in; [have := allP n_q l l_in | have := allP m_q l l_in]; rewrite ltnNge l_q.
Qed.
End Circuits.
