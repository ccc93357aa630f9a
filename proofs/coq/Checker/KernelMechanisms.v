(* SPDX-License-Identifier: MIT *)
(* Kernel mechanisms, decided on integers (SPEC, section 4.14).                                               *)
(*                                                                                                            *)
(*   tight_edges      the pairs that are tight in a column                                                    *)
(*   is_vertex, not_vertex    whether they connect its support        (is_vertexP, not_vertexP)               *)
(*   chosen           one output for each posterior                                                           *)
(*   is_kernel, not_kernel    whether a private mechanism is a kernel mechanism   (is_kernelP, not_kernelP)   *)
(*   kernel_is_kernel what a claim calls one is what Kernels.v calls one, where no two outputs say the same   *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame Refinement Rays Kernels ConnectedRays Hyper.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Meaning Tables Privacy Optimal Check.
From ExactDP.Checker Require Import VertexRays TypesClaims Capacity Independence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition not_zero (z : Z) : bool := ~~ (z =? 0)%Z.
Definition number (x : seq Z) (i : N) : Z := nth 0%Z x (N.to_nat i).

Definition tight_at (a : Q) (x : seq Z) (i j : N) (d : Q) : bool :=
  let: (u, w) := power_of a d in let xi := number x i in let xj := number x j in
  [&& not_zero xi, not_zero xj & (w * xi =? u * xj)%Z || (w * xj =? u * xi)%Z].

Definition tight_edges (near : neighbours) (a : Q) (x : seq Z) : seq (N * N) :=
  [seq e.1 | e <- pairs near & tight_at a x e.1.1 e.1.2 e.2].

Definition among (s : seq N) (i : N) : bool := has (N.eqb i) s.

(* What these edges connect to the members of s. *)
Definition grow (edges : seq (N * N)) (s : seq N) : seq N :=
  foldl (fun s e => if among s e.1 && ~~ among s e.2 then e.2 :: s
                    else if among s e.2 && ~~ among s e.1 then e.1 :: s else s) s edges.

Fixpoint reached (fuel : nat) (edges : seq (N * N)) (s : seq N) : seq N :=
  if fuel is n.+1 then
    let s' := grow edges s in if size s' == size s then s else reached n edges s'
  else s.

Definition support (x : seq Z) : seq N := [seq N.of_nat i | i <- iota 0 (size x) & not_zero (nth 0%Z x i)].

Definition is_vertex (near : neighbours) (a : Q) (x : seq Z) : bool :=
  let s := support x in
  if s is i :: _ then all (among (reached (size s) (tight_edges near a x) [:: i])) s else false.

(* A part of the support that no tight pair leaves. *)
Definition not_vertex (near : neighbours) (a : Q) (x : seq Z) : bool :=
  let s := support x in let edges := tight_edges near a x in
  if s is i :: _ then
    let part := reached (size s) edges [:: i] in
    [&& among part i, all (fun e => Bool.eqb (among part e.1) (among part e.2)) edges & ~~ all (among part) s]
  else false.

Definition parallel (x y : seq Z) : bool :=
  let a := sum_Z x in let b := sum_Z y in all (fun z : Z * Z => (b * z.1 =? a * z.2)%Z) (zip x y).

Definition occurring (x : seq Z) : bool := has not_zero x.

Fixpoint chosen T (col : T -> seq Z) (js : seq T) : seq T :=
  if js is j :: js' then
    let rest := chosen col js' in
    if occurring (col j) && ~~ has (fun k => parallel (col k) (col j)) rest then j :: rest else rest
  else [::].

Definition columns (p m : nat) (I : integers) : seq (seq Z) := [seq column_at p I j | j <- iota 0 m].

Definition is_kernel (p m : nat) (near : neighbours) (a : Q) (I : integers) : bool :=
  let cols := columns p m I in
  [&& whole_levels near a, is_private m near a I, all (fun x => ~~ occurring x || is_vertex near a x) cols &
      independent (chosen id cols)].

Definition not_kernel (p m : nat) (near : neighbours) (a : Q) (I : integers) : bool :=
  let cols := columns p m I in
  [&& whole_levels near a, is_private m near a I &
      has (fun x => occurring x && not_vertex near a x) cols || ~~ independent (chosen id cols)].

Lemma nth_In A (x0 : A) s k : (k < size s)%N -> List.In (nth x0 s k) s.
Proof. by elim: s k => [|a s IHs] [|k] //= k_s; [left | right; exact: IHs]. Qed.

Section Lists.
Variables (T : eqType) (col : T -> seq Z).

Lemma chosen_map (S : Type) (f : T -> S) (c : S -> seq Z) js : chosen c [seq f j | j <- js] = [seq f j | j <- chosen (c \o f) js].
Proof.
elim: js => [|j js IHjs] //=; rewrite IHjs has_map.
by case: ifP.
Qed.

Lemma chosen_subseq js : subseq (chosen col js) js.
Proof.
elim: js => [|j js IHjs] //=; case: ifP => _; first by rewrite /= eqxx.
exact: subseq_trans IHjs (subseq_cons _ _).
Qed.

Lemma chosen_occurs js j : j \in chosen col js -> occurring (col j).
Proof. by elim: js => [|k js IHjs] //=; case: ifP => [/andP[k_occ _]|_ //]; rewrite inE => /orP[/eqP ->|]. Qed.

Lemma chosen_differ js j k : j \in chosen col js -> k \in chosen col js ->
  parallel (col j) (col k) -> parallel (col k) (col j) -> j = k.
Proof.
elim: js => [|l js IHjs] //=; case: ifP => [/andP[_ /hasPn none]|_]; last exact: IHjs.
rewrite !inE => /orP[/eqP ->|j_in] /orP[/eqP ->|k_in] // jk kj; last exact: IHjs.
  by have := none k k_in; rewrite kj.
by have := none j j_in; rewrite jk.
Qed.

Lemma chosen_all js j : (forall x, parallel x x) -> j \in js -> occurring (col j) ->
  exists2 k, k \in chosen col js & parallel (col k) (col j).
Proof.
move=> refl; elim: js => [|l js IHjs] //=; rewrite inE => /orP[/eqP -> l_occ|j_js j_occ].
  rewrite l_occ /=; case: ifP => [_|/negbFE/hasP[k k_in kl]]; last by exists k.
  by exists l; rewrite ?inE ?eqxx.
have [k k_in kj] := IHjs j_js j_occ.
by exists k => //; case: ifP => // _; rewrite inE k_in orbT.
Qed.
End Lists.

Lemma parallel_refl x : parallel x x.
Proof. by rewrite /parallel; elim: x (sum_Z x) => [|z x IHx] s //=; rewrite Z.eqb_refl IHx. Qed.

Section Soundness.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Variables (p m : nat) (near : neighbours) (a : Q) (I : integers) (X : 'M[R]_(p, m)).
Hypotheses (X_I : represents I X) (I_st : is_stochastic p m I) (whole : whole_levels near a) (X_priv : is_private m near a I).

Let col (j : 'I_m) : seq Z := column_at p I j.
Let e (i j : 'I_p) : R := level_at R near a i j.
Let D := of_Z (scaling I).

Let D_gt0 : 0 < D. Proof. by case: X_I. Qed.
Let e_levels : levels near (of_Q a) e. Proof. exact: levelsP. Qed.
Let X_st : stochastic X. Proof. exact: stochasticP X_I I_st. Qed.
Let size_col j : size (col j) = p. Proof. exact: size_column_at I_st j. Qed.

Lemma entry_col (i : 'I_p) j : X i j = of_Z (nth 0%Z (col j) i) / D.
Proof. exact: entry_at. Qed.

Lemma entry_eq0 (i : 'I_p) j : (X i j != 0) = not_zero (nth 0%Z (col j) i).
Proof. by rewrite entry_col mulf_eq0 invr_eq0 (gt_eqF D_gt0) orbF -(of_Z0 R) of_Z_eq. Qed.

Lemma occursP j : occurs X j <-> occurring (col j).
Proof.
rewrite /occurring; split=> [[i]|]; first rewrite entry_eq0.
  by move=> i_n; apply/(has_nthP 0%Z); exists i; rewrite ?size_col.
by case/(has_nthP 0%Z)=> i; rewrite size_col => i_p nz; exists (Ordinal i_p); rewrite entry_eq0.
Qed.

Lemma column_private j : private_vector e (X^~ j).
Proof.
have [X_ge0 _] := X_st; apply/(private_vector_levels e_levels) => // i k d r ik; rewrite !mxE.
exact: (is_privateP X_I X_priv).
Qed.

(* ---- Vertices ---- *)
Lemma level_sym i j : e i j = e j i.
Proof.
rewrite /e /level_at; suff -> : distance_at near (N.of_nat i) (N.of_nat j) = distance_at near (N.of_nat j) (N.of_nat i) by [].
by rewrite /distance_at; elim: (pairs near) => [|x s IHs] //=; rewrite IHs orbC.
Qed.

Lemma In_tight_edges x y z : List.In (x, y) (tight_edges near a z) <->
  exists2 d, List.In (x, y, d) (pairs near) & tight_at a z x y d.
Proof.
rewrite /tight_edges; elim: (pairs near) => [|[[x' y'] d'] s IHs] /=; first by split=> [|[d []]].
case: (boolP (tight_at a z x' y' d')) => [c|nc] /=; rewrite IHs; split.
- by case=> [[<- <-]|[d d_s d_ok]]; [exists d'; [left|] | exists d; [right|]].
- by case=> d [[-> -> _]|d_s] d_ok; [left | right; exists d].
- by case=> d d_s d_ok; exists d; [right|].
- case=> d [[e1 e2 e3]|d_s] d_ok; last by exists d.
  by move: nc; rewrite e1 e2 e3 d_ok.
Qed.

Lemma level_pair (i k : 'I_p) d : constrained near i k d -> e i k = power R a d.
Proof. by move=> ik; rewrite /e /level_at (distance_of_constrained whole ik). Qed.

Lemma tight_edge (i k : 'I_p) j : tight_pair e (X^~ j) i k <->
  List.In (N.of_nat i, N.of_nat k) (tight_edges near a (col j)) \/ List.In (N.of_nat k, N.of_nat i) (tight_edges near a (col j)).
Proof.
have eq_entries u w (x y : 'I_p) : 0 < of_Z w -> (X x j == of_Z u / of_Z w * X y j)
    = (w * nth 0%Z (col j) x =? u * nth 0%Z (col j) y)%Z.
  move=> w_gt0; rewrite !entry_col mulrA (eqtype.inj_eq (mulIf (invr_neq0 (lt0r_neq0 D_gt0)))).
  rewrite -(eqtype.inj_eq (mulfI (lt0r_neq0 w_gt0))).
  have -> : of_Z w * (of_Z u / of_Z w * of_Z (nth 0%Z (col j) y)) = of_Z u * of_Z (nth 0%Z (col j) y).
    by rewrite mulrA [_ * (_ / _)]mulrC divfK ?lt0r_neq0.
  by rewrite -!of_ZM of_Z_eq.
have listed (x y : 'I_p) : List.In (N.of_nat x, N.of_nat y) (tight_edges near a (col j)) <->
    exists d, List.In (N.of_nat x, N.of_nat y, d) (pairs near) /\ tight_pair e (X^~ j) x y.
  split=> [/In_tight_edges[d d_in d_ok]|[d [d_in d_ok]]]; have xy : constrained near x y d by left.
    exists d; split=> //; rewrite /tight_pair (level_sym y x) (level_pair xy) !entry_eq0.
    have [pos _] := powerP R whole xy; move: d_ok pos; rewrite /tight_at /number !Nat2N.id /power.
    case E: (power_of a d) => [u w] /and3P[-> -> eqs] /= pos.
    have w_gt0 : 0 < of_Z w.
      have /andP[_ /all_In/(_ _ d_in)] := whole; rewrite [(_, d).2]/= E => /and3P[_ /and5P[_ _ /Z.ltb_lt w_gt0 _ _] _].
      exact: of_Z_gt0.
    by rewrite !eq_entries.
  apply/In_tight_edges; exists d => //; move: d_ok.
  rewrite /tight_pair (level_sym y x) (level_pair xy) !entry_eq0 /tight_at /number !Nat2N.id /power.
  case E: (power_of a d) => [u w].
  have w_gt0 : 0 < of_Z w.
    have /andP[_ /all_In/(_ _ d_in)] := whole; rewrite [(_, d).2]/= E => /and3P[_ /and5P[_ _ /Z.ltb_lt w_gt0 _ _] _].
    exact: of_Z_gt0.
  by rewrite !eq_entries.
split=> [ik|[/listed[d [_ //]]|/listed[d [_]]]]; last by rewrite tight_pair_sym.
have [d d_ik] : exists d, constrained near i k d.
  case: (constrained_dec near i k) => // none; have [_ e0] := e_levels i k.
  case/and3P: ik => i_n k_n; rewrite (level_sym k i) e0 // !mul0r => /orP[] /eqP z.
    by rewrite z eqxx in i_n.
  by rewrite z eqxx in k_n.
case: d_ik => ik_in; [left | right]; apply/listed; exists d; split=> //.
by rewrite tight_pair_sym.
Qed.

Lemma amongP s k : among s k <-> List.In k s.
Proof.
rewrite /among has_In; split=> [[x x_s /N.eqb_eq ->] //|k_s]; exists k => //; exact: N.eqb_refl.
Qed.

Lemma reached_inv (P : N -> Prop) fuel edges s : (forall x y, List.In (x, y) edges -> P x <-> P y) ->
  (forall k, List.In k s -> P k) -> forall k, List.In k (reached fuel edges s) -> P k.
Proof.
move=> edges_P; elim: fuel s => [|n IHn] s s_P //=; case: ifP => // _; apply: IHn.
rewrite /grow; elim: edges s s_P edges_P => [|[x y] edges IHedges] s s_P edges_P //=; apply: IHedges; last first.
  by move=> x' y' in_edges; apply: edges_P; right.
have xy := edges_P x y (or_introl erefl) => k; case: ifP => [/andP[/amongP x_s _] /= [<-|/s_P //]|_].
  by apply/xy/s_P.
by case: ifP => [/andP[/amongP y_s _] /= [<-|/s_P //]|_ /s_P //]; apply/xy/s_P.
Qed.

Lemma in_support (i : 'I_p) j : List.In (N.of_nat i) (support (col j)) <-> X i j != 0.
Proof.
rewrite entry_eq0 /support size_col; set F := fun k => not_zero (nth 0%Z (col j) k).
suff general l n : List.In (N.of_nat i) [seq N.of_nat k | k <- iota l n & F k] <-> (l <= i < l + n)%N && F i.
  by rewrite general /= add0n ltn_ord.
elim: n l => [|n IHn] l /=; first by rewrite addn0; split=> // /andP[/andP[le lt]]; have := leq_ltn_trans le lt; rewrite ltnn.
case: (boolP (F l)) => [l_F|l_nF] /=; rewrite IHn addnS addSn; split.
- case=> [/Nat2N.inj <-|/andP[/andP[lt ->] ->]]; first by rewrite leqnn ltnS leq_addr l_F.
  by rewrite (ltnW lt).
- by case/andP=> /andP[]; rewrite leq_eqVlt => /orP[/eqP ->|lt] lt' iF; [left | right; rewrite lt lt' iF].
- by case/andP=> /andP[lt -> ->]; rewrite (ltnW lt).
- case/andP=> /andP[]; rewrite leq_eqVlt => /orP[/eqP l_i|lt] lt' iF; last by rewrite lt lt' iF.
  by rewrite l_i iF in l_nF.
Qed.

Lemma support_ord k j : List.In k (support (col j)) -> exists2 i : 'I_p, k = N.of_nat i & X i j != 0.
Proof.
rewrite /support size_col; set F := fun k => not_zero (nth 0%Z (col j) k) => k_in.
suff general l n : List.In k [seq N.of_nat i | i <- iota l n & F i] -> exists2 i, (l <= i < l + n)%N & k = N.of_nat i /\ F i.
  by have [i i_p [-> iF]] := general _ _ k_in; exists (Ordinal i_p); rewrite // entry_eq0.
elim: n l {k_in} => [|n IHn] l //=; case: (boolP (F l)) => [l_F|l_nF] /=.
  case=> [<-|/IHn[i /andP[lt lt'] i_ok]]; first by exists l; rewrite // leqnn addnS ltnS leq_addr.
  by exists i; rewrite // (ltnW lt) -addSnnS.
by case/IHn=> i /andP[lt lt'] i_ok; exists i; rewrite // (ltnW lt) -addSnnS.
Qed.

Theorem is_vertexP j : occurs X j -> is_vertex near a (col j) -> vertex near (of_Q a) (posterior_of X j).
Proof.
move=> j_occurs; rewrite /is_vertex; set edges := tight_edges near a (col j).
have edges_ord x y : List.In (x, y) edges -> exists i k : 'I_p, [/\ x = N.of_nat i, y = N.of_nat k & tight_pair e (X^~ j) i k].
  move=> xy; have [d _] := proj1 (In_tight_edges _ _ _) xy; rewrite /tight_at; case: power_of => u w /and3P[nx ny _].
  have in_p z : not_zero (number (col j) z) -> exists i : 'I_p, z = N.of_nat i.
    rewrite /number; have [z_p|z_p] := ltnP (N.to_nat z) p; first by exists (Ordinal z_p); rewrite /= N2Nat.id.
    by rewrite nth_default // size_col.
  have [i x_i] := in_p x nx; have [k y_k] := in_p y ny; exists i, k; split=> //.
  by apply/tight_edge; left; rewrite -x_i -y_k.
case s_is : (support (col j)) => [|x0 s] //; rewrite -s_is => /all_In reach.
have [i0 x0_i0 i0_n] : exists2 i : 'I_p, x0 = N.of_nat i & X i j != 0 by apply: support_ord; rewrite s_is; left.
have sym := sym_connect_sym (@tight_pair_sym _ _ e (X^~ j)).
have conn0 (i : 'I_p) : X i j != 0 -> connect (tight_pair e (X^~ j)) i0 i.
  move=> /in_support/reach/amongP i_reached.
  pose P k := forall i : 'I_p, k = N.of_nat i -> connect (tight_pair e (X^~ j)) i0 i.
  have edges_P x y : List.In (x, y) edges -> P x <-> P y.
    case/edges_ord=> i' [k' [-> -> t]]; have same := same_connect_r sym (connect1 t) i0.
    split=> [/(_ i' erefl)|/(_ k' erefl)] c i'' /Nat2N.inj/val_inj <-.
      by rewrite -[connect _ _ _]same.
    by rewrite [connect _ _ _]same.
  have start k : List.In k [:: x0] -> P k.
    case=> [<-|//] i' i0_i'; have -> : i' = i0 by apply/val_inj/Nat2N.inj; rewrite /= -i0_i' x0_i0.
    exact: connect0.
  exact: (reached_inv edges_P start i_reached).
apply/(vertex_ray e_levels); [exact: column_private | exact: j_occurs |].
apply/(ray_tight e_levels); [exact: column_private | exact: j_occurs |].
by move=> i k /conn0 i0i /conn0; apply: connect_trans; rewrite sym.
Qed.

Theorem not_vertexP j : occurs X j -> not_vertex near a (col j) -> ~ vertex near (of_Q a) (posterior_of X j).
Proof.
move=> j_occurs; rewrite /not_vertex; set edges := tight_edges near a (col j).
case s_is : (support (col j)) => [|x0 s] //; set part := reached _ _ _ => /and3P[x0_part /all_In closed out].
have [i0 x0_i0 i0_n] : exists2 i : 'I_p, x0 = N.of_nat i & X i j != 0 by apply: support_ord; rewrite s_is; left.
rewrite (vertex_ray e_levels (column_private j) j_occurs) (ray_tight e_levels (column_private j) j_occurs) => conn.
case/negP: out; apply/all_In => k; rewrite -s_is => /support_ord[i -> i_n].
have /connectP[c c_path ->] := conn i0 i i0_n i_n.
have step (x y : 'I_p) : tight_pair e (X^~ j) x y -> among part (N.of_nat x) = among part (N.of_nat y).
  by move=> /tight_edge[/closed/Bool.eqb_prop|/closed/Bool.eqb_prop].
have : among part (N.of_nat i0) by rewrite -x0_i0.
by elim: c i0 c_path {i0_n x0_i0} => [|y c IHc] x //= /andP[/step xy /IHc IH] x_in; apply: IH; rewrite -xy.
Qed.

(* ---- Independence ---- *)
Lemma column_sumE j : column_sum X j = of_Z (sum_Z (col j)) / D.
Proof. by rewrite (sum_seq _ (size_col j)) mulr_suml; apply: eq_bigr => i _; exact: entry_col. Qed.

Lemma sum_col_gt0 j : occurs X j -> 0 < of_Z (sum_Z (col j)).
Proof.
move=> j_occurs; have := column_sum_gt0 (fun i => proj1 X_st i j) j_occurs.
by rewrite column_sumE pmulr_lgt0 ?invr_gt0.
Qed.

Lemma posteriorE j i : posterior_of X j i = of_Z (nth 0%Z (col j) i) / of_Z (sum_Z (col j)).
Proof.
rewrite /posterior_of column_sumE entry_col invf_div.
have [->|s_neq0] := eqVneq (of_Z (sum_Z (col j))) 0; first by rewrite invr0 !mulr0 mul0r.
have D_neq0 : D != 0 by rewrite gt_eqF.
by by_field R; split; apply/eqP.
Qed.

Lemma parallelP j k : occurs X j -> occurs X k -> parallel (col j) (col k) <-> posterior_of X j =1 posterior_of X k.
Proof.
move=> /sum_col_gt0 j_gt0 /sum_col_gt0 k_gt0.
have eq_at (i : 'I_p) : (posterior_of X j i == posterior_of X k i)
    = (sum_Z (col k) * nth 0%Z (col j) i =? sum_Z (col j) * nth 0%Z (col k) i)%Z.
  by rewrite !posteriorE eqr_div ?lt0r_neq0 // -!of_ZM of_Z_eq Z.mul_comm [(nth _ (col k) _ * _)%Z]Z.mul_comm.
rewrite /parallel; split=> [/(all_nthP (0%Z, 0%Z)) all_i i|same].
  apply/eqP; rewrite eq_at; have := all_i i; rewrite size_zip !size_col minnn nth_zip ?size_col //; exact.
apply/(all_nthP (0%Z, 0%Z)) => i; rewrite size_zip !size_col minnn => i_p; rewrite nth_zip ?size_col //=.
by have := eq_at (Ordinal i_p); rewrite same eqxx.
Qed.

Let outputs_chosen : seq 'I_m := chosen col (enum 'I_m).

Lemma chosen_columns : chosen id (columns p m I) = [seq col j | j <- outputs_chosen].
Proof.
have -> : columns p m I = [seq col j | j <- enum 'I_m] by rewrite /columns -val_enum_ord -map_comp.
exact: chosen_map.
Qed.

Lemma sum_chosen (F : 'I_m -> R) (j0 : 'I_m) :
  \sum_(j in [set j | j \in outputs_chosen]) F j = \sum_(k < size outputs_chosen) F (nth j0 outputs_chosen k).
Proof.
have u : uniq outputs_chosen by apply: subseq_uniq (chosen_subseq _ _) (enum_uniq _).
under eq_bigl => j do rewrite inE.
by rewrite -(big_uniq _ u) (big_nth j0) big_mkord.
Qed.

Lemma chosen_sizes k : (k < size (chosen id (columns p m I)))%N -> size (nth [::] (chosen id (columns p m I)) k) = p.
Proof. by rewrite chosen_columns size_map => k_s; case: (outputs_chosen) k_s => // j0 s k_s; rewrite (nth_map j0). Qed.

Theorem is_independentP : independent (chosen id (columns p m I)) -> independent_posteriors X.
Proof.
move=> ok; have := independentP R chosen_sizes; rewrite ok chosen_columns size_map => ind.
apply: (@independent_choice _ _ _ X [set j | j \in outputs_chosen]) => [j j_occurs|c c_rel].
  have /occursP j_occ := j_occurs.
  have [k k_in kj] := @chosen_all _ col (enum 'I_m) j parallel_refl (mem_enum 'I_m j) j_occ.
  by exists k; rewrite ?inE //; apply/parallelP => //; apply/occursP; exact: chosen_occurs k_in.
move=> j0; rewrite inE => j0_in.
have at_chosen k : (k < size outputs_chosen)%N -> occurs X (nth j0 outputs_chosen k).
  by move=> k_s; apply/occursP/chosen_occurs/(mem_nth j0 k_s).
pose d k := c (nth j0 outputs_chosen k) / of_Z (sum_Z (col (nth j0 outputs_chosen k))).
have d_rel : relation p [seq col j | j <- outputs_chosen] d.
  move=> i i_p; rewrite size_map -[RHS](c_rel (Ordinal i_p)) (sum_chosen _ j0); apply: eq_bigr => k _.
  by rewrite (nth_map j0) // posteriorE /d mulrAC mulrA.
have j0_at : (index j0 outputs_chosen < size outputs_chosen)%N by rewrite index_mem.
have /eqP := ind d d_rel _ j0_at; rewrite /d nth_index // mulf_eq0 invr_eq0.
have j0_occurs : occurs X j0 by apply/occursP; exact: chosen_occurs j0_in.
by rewrite (gt_eqF (sum_col_gt0 j0_occurs)) orbF => /eqP.
Qed.

Theorem not_independentP : ~~ independent (chosen id (columns p m I)) -> ~ independent_posteriors X.
Proof.
move=> bad; have := independentP R chosen_sizes; rewrite (negPf bad) chosen_columns size_map.
case=> d [d_rel [k k_s dk_neq0]] ind.
have [j0 _] : exists j : 'I_m, j \in outputs_chosen by case: (outputs_chosen) k_s => // j s _; exists j; rewrite inE eqxx.
have u : uniq outputs_chosen by apply: subseq_uniq (chosen_subseq _ _) (enum_uniq _).
have occ j : j \in outputs_chosen -> occurs X j by move=> j_in; apply/occursP; exact: chosen_occurs j_in.
pose c j := d (index j outputs_chosen) * of_Z (sum_Z (col j)).
suff /(_ (nth j0 outputs_chosen k)) : {in [set j | j \in outputs_chosen], forall j, c j = 0}.
  rewrite inE mem_nth // => /(_ isT)/eqP; rewrite /c index_uniq // mulf_eq0 (negPf dk_neq0) /=.
  by rewrite gt_eqF //; apply: sum_col_gt0; apply: occ; exact: mem_nth.
apply: ind => [j|j l|i]; rewrite ?inE; first exact: occ.
  move=> j_in l_in same; apply: (chosen_differ j_in l_in); apply/parallelP; try exact: occ; first exact: same.
  by move=> i; rewrite same.
rewrite -[RHS](d_rel i (ltn_ord i)) size_map (sum_chosen _ j0); apply: eq_bigr => l _.
have l_in : nth j0 outputs_chosen l \in outputs_chosen by rewrite mem_nth.
rewrite (nth_map j0) // posteriorE /c index_uniq // -mulrA; congr (_ * _).
by rewrite mulrCA divff ?mulr1 // lt0r_neq0 //; apply: sum_col_gt0; exact: occ.
Qed.
End Soundness.

Section Kernels.
Variables (R : realFieldType) (p m : nat) (near : neighbours) (a : Q) (I : integers) (X : 'M[R]_(p, m)).
Hypotheses (X_I : represents I X) (I_st : is_stochastic p m I).

Lemma In_columns (j : 'I_m) : List.In (column_at p I j) (columns p m I).
Proof. by have := @nth_In _ [::] (columns p m I) j; rewrite size_map size_iota (nth_map 0%N) ?size_iota // nth_iota // add0n; apply. Qed.

Theorem is_kernelP : is_kernel p m near a I -> kernel_mechanism near (of_Q R a) X.
Proof.
case/and4P=> whole priv /all_In vertices ind; split.
- by split; [exact: stochasticP X_I I_st | exact: is_privateP X_I priv].
- move=> j j_occurs; apply: (is_vertexP X_I I_st whole priv j_occurs).
  by have := vertices _ (In_columns j); rewrite (proj1 (occursP X_I I_st j) j_occurs).
- exact: (is_independentP X_I I_st ind).
Qed.

Theorem not_kernelP : not_kernel p m near a I -> mechanism_for near (of_Q R a) X /\ ~ kernel_mechanism near (of_Q R a) X.
Proof.
case/and3P=> whole priv bad; split.
  by split; [exact: stochasticP X_I I_st | exact: is_privateP X_I priv].
case=> _ X_vertices X_ind; case/orP: bad => [/has_In[x x_in /andP[x_occ x_bad]]|bad]; last first.
  exact: (not_independentP X_I I_st bad) X_ind.
have [j x_j] : exists j : 'I_m, x = column_at p I j.
  have [j j_in ->] := In_map x_in; have /List.in_seq j_m : List.In j (List.seq 0 m) by rewrite -[List.seq _ _]/(iota 0 m).
  have j_lt : (j < m)%N by apply/ssrnat.ltP; lia.
  by exists (Ordinal j_lt).
have j_occurs : occurs X j by apply/(occursP X_I I_st); rewrite -x_j.
by apply: (not_vertexP X_I I_st whole priv j_occurs _ (X_vertices j j_occurs)); rewrite -x_j.
Qed.
End Kernels.

(* Where no two outputs say the same, these are the kernel mechanisms of Kernels.v. *)
Theorem kernel_is_kernel (R : realFieldType) p m near (a : R) (e : 'I_p -> 'I_p -> R) (X : 'M[R]_(p, m)) : levels near a e ->
  (forall j k, occurs X j -> occurs X k -> posterior_of X j =1 posterior_of X k -> j = k) ->
  kernel_mechanism near a X <-> kernel e X.
Proof.
move=> e_levels distinct.
have col_priv j : stochastic X -> private_for near a X -> private_vector e (X^~ j).
  by move=> [X_ge0 _] /(private_levels e_levels X_ge0) priv; split=> // i k; exact: priv.
have scaled_sum (J : {set 'I_m}) (c : 'I_m -> R) i : stochastic X -> (forall j, j \in J -> occurs X j) ->
    \sum_(j in J) c j * posterior_of X j i = \sum_j (if j \in J then c j / column_sum X j else 0) * X i j.
  move=> X_st J_occurs; rewrite big_mkcond /=; apply: eq_bigr => j _; case: ifP => [j_J|_]; last by rewrite mul0r.
  by rewrite /posterior_of mulrA.
have sum_neq0 j : stochastic X -> occurs X j -> column_sum X j != 0.
  by case=> X_ge0 _ j_occurs; rewrite gt_eqF // column_sum_gt0.
split=> [[[X_st X_priv] X_vertices X_ind]|X_kernel].
  split; first split=> // j j_occurs; first by apply/(vertex_ray e_levels) => //; [exact: col_priv | exact: X_vertices].
  move=> c c_null c_rel j; pose J := [set j | [exists i, X i j != 0]].
  have in_J k : reflect (occurs X k) (k \in J) by rewrite inE; exact: existsP.
  have [j_J|/negP j_J] := boolP (j \in J); last first.
    apply: c_null => i; apply/eqP; apply: contraT => i_n; case: j_J; apply/in_J; by exists i.
  have J_occurs k : k \in J -> occurs X k by move/in_J.
  suff c_sum : c j * column_sum X j = 0.
    by apply/eqP; move/eqP: c_sum; rewrite mulf_eq0 (negPf (sum_neq0 j X_st (J_occurs j j_J))) orbF.
  apply: (X_ind J J_occurs (fun k l k_J l_J => @distinct k l (J_occurs k k_J) (J_occurs l l_J))
    (fun k => c k * column_sum X k) _ j j_J) => i.
  rewrite scaled_sum // -[RHS](c_rel i); apply: eq_bigr => k _; case: (in_J k) => [k_occ|k_J].
    by rewrite mulfK ?sum_neq0.
  rewrite mul0r c_null ?mul0r // => i'; apply/eqP; apply: contraT => i_n; case: k_J; by exists i'.
have [[X_st X_rays] X_ind] := X_kernel; have [_ X_metric] := vertex_of_type (conj X_st X_rays).
have X_priv : private_for near a X by apply/(private_levels e_levels) => [i r|i j r]; [case: X_st | exact: X_metric].
split=> // [j j_occurs|J J_occurs J_distinct c c_rel j j_J].
  by apply/(vertex_ray e_levels) => //; [exact: col_priv | exact: X_rays].
suff /eqP : c j / column_sum X j = 0.
  by rewrite mulf_eq0 invr_eq0 (negPf (sum_neq0 j X_st (J_occurs j j_J))) orbF => /eqP.
have := X_ind (fun j => if j \in J then c j / column_sum X j else 0); rewrite /= => ind.
have -> : c j / column_sum X j = if j \in J then c j / column_sum X j else 0 by rewrite j_J.
apply: ind => [k k0|i]; last by rewrite -scaled_sum.
by case: ifP => // /J_occurs[i]; rewrite k0 eqxx.
Qed.
