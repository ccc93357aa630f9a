(* SPDX-License-Identifier: MIT *)
(* The kernel mechanisms of the discrete metric (Fernandes and others, 8.2, Figure 8).                        *)
(*                                                                                                            *)
(*   balanced, minimal_balanced   families of sets of inputs, as in the theory of cooperative games           *)
(*   discrete_kernel_family       the posteriors of a kernel mechanism are high on the sets of one minimal    *)
(*                                balanced family of proper subsets,                                          *)
(*   discrete_family_kernel       each such family is that of a kernel mechanism,                             *)
(*   discrete_family_once         and of only one.  So their number is the same at every level                *)
(*                                                                                                            *)
(* Proof.  sum_S w_S (a + (1-a) [i in S]) = 1 for all i exactly if the sums of the w_S with i in S are equal.  *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame FiniteCone BasicSolutions Rays ExtremeRays.
From ExactDP Require Import Kernels KernelOrder DiscreteRays Hyper HyperOrder UniqueKernel.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Families.
Variables (R : realFieldType) (p : nat).
Implicit Types (B C : {set {set 'I_p}}) (S : {set 'I_p}).

(* Weights > 0 on the sets of B, such that those of the sets that contain i sum to 1, for every i. *)
Definition balanced B := exists w : {set 'I_p} -> R,
  {in B, forall S, 0 < w S} /\ forall i, \sum_(S in B | i \in S) w S = 1.

(* No proper part is balanced. *)
Definition minimal_balanced B := balanced B /\ forall C, C \subset B -> balanced C -> C = B.

(* Every set of B is a proper non-empty subset of the inputs. *)
Definition proper_family B := {in B, forall S, proper_subset S}.

Variable a : R.

(* The posteriors of X are the multiples of the vectors that are 1 on S and a elsewhere, for S in B. *)
Definition has_posteriors m (X : 'M[R]_(p, m)) B :=
  (forall j, (exists i, X i j != 0) -> exists S c, [/\ S \in B, 0 < c & forall i, X i j = c * high a S i]) /\
  {in B, forall S, exists j c, 0 < c /\ forall i, X i j = c * high a S i}.

End Families.

Section Discrete.
Variables (R : realFieldType) (p : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (p_gt1 : (1 < p)%N).
Add Field R_field : (field_theory_of R).
Local Notation e := (@discrete_level R p a).
Implicit Types (B C : {set {set 'I_p}}) (S : {set 'I_p}).

Let p_gt0 : (0 < p)%N := ltnW p_gt1.
Lemma a1_gt0 : 0 < 1 - a.
Proof. by rewrite subr_gt0. Qed.

Lemma a1_neq0 : 1 - a != 0.
Proof. by rewrite gt_eqF ?a1_gt0. Qed.

Lemma highE S i : high a S i = a + (1 - a) * (i \in S)%:R.
Proof. by rewrite /high; case: (i \in S); rewrite ?mulr1 ?mulr0 ?addr0 // addrC subrK. Qed.

Lemma sum_high (G : finType) (w : G -> R) (T : G -> {set 'I_p}) i :
  \sum_k w k * high a (T k) i = a * (\sum_k w k) + (1 - a) * (\sum_(k | i \in T k) w k).
Proof.
rewrite (eq_bigr (fun k => a * w k + (1 - a) * (if i \in T k then w k else 0))) => [|k _].
  by rewrite big_split /= -!mulr_sumr -big_mkcond.
by rewrite highE; case: (i \in T k); rewrite /= ?mulr1 ?mulr0 ?addr0 mulrC ?mulrDl.
Qed.

(* Weights with columns that sum to 1 are, up to a factor, balanced. *)
Lemma balanced_of (G : finType) (w : G -> R) (T : G -> {set 'I_p}) (k0 : G) : (forall k, 0 <= w k) -> w k0 != 0 ->
  T k0 != set0 -> (forall i, \sum_k w k * high a (T k) i = 1) ->
  exists2 t, 0 < t & forall i, \sum_(k | i \in T k) w k = t.
Proof.
move=> w_ge0 w_neq0 /set0Pn[i0 i0_T] w_sol; exists (\sum_(k | i0 \in T k) w k).
  rewrite (bigD1 k0) //= ltr_paddr ?sumr_ge0 //.
  by rewrite lt_neqAle eq_sym w_neq0 w_ge0.
move=> i; apply: (mulfI a1_neq0); apply: (addrI (a * (\sum_k w k))).
by rewrite -!sum_high !w_sol.
Qed.

Section OfKernel.
Variables (m : nat) (K : 'M[R]_(p, m)).
Hypothesis K_ker : kernel e K.

Theorem discrete_kernel_family : exists B, [/\ proper_family B, minimal_balanced R B & has_posteriors a K B].
Proof.
have [[[K_ge0 K_sum1] K_ray] K_ind] := K_ker.
pose P j (x : {set 'I_p} * R) := (forall i, K i j = x.2 * high a x.1 i) /\
  ((exists i, K i j != 0) -> proper_subset x.1 /\ 0 < x.2) /\ ((forall i, K i j = 0) -> x.2 = 0).
have [x x_P] : exists x : 'I_m -> {set 'I_p} * R, forall j, P j (x j).
  apply: (@fin_all_exists _ (fun=> _) P) => j; case: (column_dec K j) => [K_j|K0].
    have [S [c [S_prop c_gt0 K_def]]] := (discrete_ray a_gt0 a_lt1 p_gt1 _).1 (K_ray j K_j).
    by exists (S, c); split=> //; split=> // K0; case: K_j => i; rewrite K0 eqxx.
  exists (set0, 0); split=> [i|]; first by rewrite K0 mul0r.
  by split=> // -[i]; rewrite K0 eqxx.
pose T j := (x j).1; pose c j := (x j).2.
have K_def i j : K i j = c j * high a (T j) i by have [-> _] := x_P j.
have c_ge0 j : 0 <= c j.
  by have [_ [pos zero]] := x_P j; case: (column_dec K j) => [/pos[_ /ltW //]|/zero c0]; rewrite /c c0.
have c_on j : c j != 0 -> proper_subset (T j) /\ 0 < c j.
  by have [_ [pos zero]] := x_P j; case: (column_dec K j) => [/pos //|/zero c0]; rewrite /c c0 eqxx.
have c_null j : (forall i, K i j = 0) -> c j = 0 by have [_ []] := x_P j.
have c_off j : c j != 0 -> ~ (forall i, K i j = 0) by move=> cj /c_null /eqP; rewrite (negPf cj).
have T_inj j k : c j != 0 -> c k != 0 -> T j = T k -> j = k.
  move=> cj ck Tjk; apply/eqP; apply: contraT => jk; case/eqP: (ck).
  pose f l := if l == j then c k else if l == k then - c j else 0.
  have -> : c k = f j by rewrite /f eqxx.
  apply: K_ind => [l l0|i]; rewrite /f.
    case: (l =P j) => [lj|_]; first by case: (c_off j cj); rewrite -lj.
    by case: (l =P k) => // lk; case: (c_off k ck); rewrite -lk.
  rewrite (bigD1 j) //= (bigD1 k) 1?eq_sym //= big1 => [|l /andP[/negPf -> /negPf ->]]; last by rewrite mul0r.
  rewrite eqxx [k == j]eq_sym (negPf jk) eqxx addr0 !K_def Tjk.
  by move: (high a (T k) i) => h; by_ring R.
have [j0 cj0] : exists j, c j != 0.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP c0.
  have /eqP := K_sum1 (Ordinal p_gt0); rewrite big1 1?eq_sym ?oner_eq0 // => j _.
  by have := c0 j; rewrite negbK K_def => /eqP ->; rewrite mul0r.
have [[/andP[Tj0_neq0 _] _]] := (c_on j0 cj0, I).
have c_sol i : \sum_j c j * high a (T j) i = 1 by under eq_bigr => j _ do rewrite -K_def.
have [t t_gt0 t_def] := balanced_of c_ge0 cj0 Tj0_neq0 c_sol; have t_neq0 := lt0r_neq0 t_gt0.
pose B := T @: [set j | c j != 0]; exists B.
have B_on S : S \in B -> exists2 j, c j != 0 & S = T j by case/imsetP => j; rewrite inE; exists j.
have T_on j : c j != 0 -> T j \in B by move=> cj; rewrite imset_f // inE.
split=> [S /B_on[j /c_on[] ? _ -> //]||]; first last.
  split=> [j K_j|S /B_on[j /c_on[_ c_gt0] ->]]; last by exists j, (c j).
  have cj : c j != 0 by apply/eqP => c0; case: K_j => i; rewrite K_def c0 mul0r eqxx.
  by exists (T j), (c j); split=> //; [exact: T_on | case: (c_on j cj)].
split.
  exists (fun S => \sum_(j | (c j != 0) && (T j == S)) c j / t); split=> [S /B_on[j cj ->]|i].
    rewrite (bigD1 j) /= ?cj ?eqxx // ltr_paddr ?divr_gt0 //; last by case: (c_on j cj).
    by apply: sumr_ge0 => k _; rewrite divr_ge0 // ltW.
  have -> : 1 = (\sum_(k | i \in T k) c k) / t by rewrite t_def divff.
  rewrite mulr_suml (bigID (fun j => c j != 0)) /= [X in _ = _ + X]big1 ?addr0; last first.
    by move=> j /andP[_]; rewrite negbK => /eqP ->; rewrite mul0r.
  rewrite [RHS](partition_big T (fun S => (S \in B) && (i \in S))) /=; last by move=> j /andP[i_T /T_on ->].
  apply: eq_bigr => S /andP[_ i_S]; apply: eq_bigl => j.
  by case: (T j =P S) => [->|]; rewrite ?i_S ?andbT ?andbF.
move=> C C_B [mu [mu_gt0 mu_sum1]]; apply/eqP; rewrite eqEsubset C_B; apply/subsetP => S /B_on[j cj ->].
pose on k := (c k != 0) && (T k \in C); pose x0 k := if on k then mu (T k) else 0.
have x0_sum i : \sum_(k | i \in T k) x0 k = 1.
  rewrite -(mu_sum1 i) -big_mkcondr /= (partition_big T (fun S => (S \in C) && (i \in S))) /=; last first.
    by move=> k /andP[-> /andP[_ ->]].
  apply: eq_bigr => U /andP[U_C i_U]; have [k ck U_k] := B_on U (subsetP C_B U U_C).
  rewrite (big_pred1 k) => [|l]; first by rewrite U_k.
  rewrite /on; apply/andP/eqP => [[/andP[_ /andP[cl _]] /eqP TlU]|->]; first by apply: T_inj; rewrite // TlU.
  by rewrite -U_k i_U ck U_C eqxx.
pose N := a * (\sum_k x0 k) + (1 - a).
have x0_ge0 k : 0 <= x0 k by rewrite /x0; case: ifP => // /andP[_ /mu_gt0 /ltW].
have N_gt0 : 0 < N by rewrite ltr_paddl ?a1_gt0 // mulr_ge0 ?(ltW a_gt0) // sumr_ge0.
pose d k := if c k == 0 then 0 else x0 k / c k - N.
have dj0 : d j = 0.
  apply: K_ind => [k /c_null c0|i]; first by rewrite /d c0 eqxx.
  rewrite (eq_bigr (fun k => x0 k * high a (T k) i - N * K i k)) => [|k _].
    by rewrite sumrB -mulr_sumr K_sum1 mulr1 sum_high x0_sum mulr1 subrr.
  rewrite /d K_def; case: eqVneq => [c0|ck].
    by rewrite /x0 /on c0 eqxx !mul0r mulr0 subrr.
  by rewrite mulrBl mulrA divfK.
apply: contraT => j_C; move: dj0; rewrite /d (negPf cj) /x0 /on cj (negPf j_C) mul0r sub0r => /eqP.
by rewrite oppr_eq0 gt_eqF.
Qed.

End OfKernel.

Theorem discrete_family_kernel B : proper_family B -> minimal_balanced R B ->
  exists m (K : 'M[R]_(p, m)), kernel e K /\ has_posteriors a K B.
Proof.
move=> B_prop [[lam [lam_gt0 lam_sum1]] B_min].
pose V : 'M[R]_(p, #|B|) := \matrix_(i, k) high a (enum_val k) i.
have V_gt0 i k : 0 < V i k by rewrite mxE high_gt0.
have T_prop (k : 'I_#|B|) : proper_subset (enum_val k) by apply: B_prop; exact: enum_valP.
have V_ray k : ray e (V^~ k) by apply: (@eq_ray _ _ _ (high a (enum_val k))) => [i|]; [rewrite mxE | exact: high_ray].
pose N := a * (\sum_(S in B) lam S) + (1 - a).
have N_gt0 : 0 < N by rewrite ltr_paddl ?a1_gt0 // mulr_ge0 ?(ltW a_gt0) // sumr_ge0 // => S /lam_gt0 /ltW.
pose w (k : 'I_#|B|) := lam (enum_val k) / N.
have w_gt0 k : 0 < w k by rewrite divr_gt0 // lam_gt0 // enum_valP.
have w_sol : solution (fun k i => V i k) (fun=> 1) w.
  split=> [k|i]; first exact: ltW.
  under eq_bigr => k _ do rewrite mxE /w mulrAC.
  rewrite -mulr_suml sum_high; apply: (mulIf (lt0r_neq0 N_gt0)); rewrite divfK ?(gt_eqF N_gt0) // mul1r /N.
  by rewrite -(big_enum_val lam) -(big_enum_val_cond (fun S => i \in S) lam) lam_sum1 mulr1.
have w_prop : proper (fun k i => V i k) w.
  by move=> k V0; have := V_gt0 (Ordinal p_gt0) k; rewrite V0 ltxx.
have w_basic : basic (fun k i => V i k) (fun=> 1) w.
  split=> //; apply/(independent_minimal (fun k i => ltW (V_gt0 i k)) w_prop w_sol) => u [u_ge0 u_sol] _ k uk0.
  have [k0 uk0_neq0] : exists k, u k != 0.
    apply/existsP; apply: contraT; rewrite negb_exists => /forallP u0.
    have /eqP := u_sol (Ordinal p_gt0); rewrite big1 1?eq_sym ?oner_eq0 // => l _.
    by have := u0 l; rewrite negbK => /eqP ->; rewrite mul0r.
  have /andP[T0_neq0 _] := T_prop k0.
  have u_sol' i : \sum_k u k * high a (enum_val k) i = 1.
    by rewrite -(u_sol i); apply: eq_bigr => l _; rewrite mxE.
  have [t t_gt0 t_def] := balanced_of u_ge0 uk0_neq0 T0_neq0 u_sol'.
  pose C := [set S in B | [exists l, (enum_val l == S) && (u l != 0)]].
  have C_B : C \subset B by apply/subsetP => S; rewrite inE => /andP[].
  have /B_min : C \subset B by [].
  have C_bal : balanced R C.
    pose on S := [pick l | (enum_val l == S) && (u l != 0)].
    have onE l : u l != 0 -> on (enum_val l) = Some l.
      move=> ul; rewrite /on; case: pickP => [l' /andP[/eqP/enum_val_inj -> _] //|/(_ l)].
      by rewrite eqxx ul.
    exists (fun S => if on S is Some l then u l / t else 0); split=> [S|i].
      rewrite inE => /andP[_ /existsP[l /andP[/eqP <- ul]]]; rewrite onE // divr_gt0 //.
      by rewrite lt_neqAle eq_sym ul u_ge0.
    have -> : 1 = (\sum_(l : 'I_#|B| | i \in enum_val l) u l) / t by rewrite t_def divff // gt_eqF.
    rewrite mulr_suml (bigID (fun l => u l != 0)) /=.
    rewrite [X in _ = _ + X]big1 ?addr0; last by move=> l /andP[_]; rewrite negbK => /eqP ->; rewrite mul0r.
    rewrite [RHS](partition_big (fun l => enum_val l) (fun S => (S \in C) && (i \in S))) /=; last first.
      by move=> l /andP[i_l ul]; rewrite i_l inE enum_valP andbT; apply/existsP; exists l; rewrite eqxx ul.
    apply: eq_bigr => S /andP[]; rewrite inE => /andP[_ /existsP[l /andP[/eqP l_S ul]]] i_S.
    rewrite (big_pred1 l) => [|l']; first by rewrite -l_S onE.
    by apply/andP/eqP => [[_ /eqP]|->]; [rewrite -l_S => /enum_val_inj | rewrite l_S i_S ul eqxx].
  move=> /(_ C_bal) CB; have : enum_val k \in C by rewrite CB; exact: enum_valP.
  rewrite inE => /andP[_ /existsP[l /andP[/eqP/enum_val_inj ->]]].
  by rewrite uk0 eqxx.
exists #|B|, (weighted V w); split.
  by apply: weighted_kernel => // i k; exact: ltW.
split=> [k _|S S_B]; first by exists (enum_val k), (w k); split=> [||i]; rewrite ?enum_valP // !mxE.
by exists (enum_rank_in S_B S), (w (enum_rank_in S_B S)); split=> // i; rewrite !mxE enum_rankK_in.
Qed.

Theorem discrete_family_once m k (K : 'M[R]_(p, m)) (K' : 'M[R]_(p, k)) B : kernel e K -> kernel e K' ->
  has_posteriors a K B -> has_posteriors a K' B -> same_hyper K K'.
Proof.
move=> K_ker K'_ker [_ B_K] [K'_B _]; apply: (kernels_same_hyper p_gt0 K_ker K'_ker).
suff inside z : (exists i, K' i z != 0) -> exists j c, forall i, K' i z = c * K i j.
  by have [+ _] := posteriors_inside K_ker (proj1 (proj1 K'_ker)) inside; apply.
case/K'_B=> S [c [S_B c_gt0 K'_def]]; have [j [c' [c'_gt0 K_def]]] := B_K S S_B.
by exists j, (c / c') => i; rewrite K'_def K_def mulrA divfK // gt_eqF.
Qed.

(* The family is that of one hyper only: different families, different hypers. *)
Theorem discrete_family_unique m (K : 'M[R]_(p, m)) B C : proper_family B -> proper_family C ->
  has_posteriors a K B -> has_posteriors a K C -> B = C.
Proof.
have half B' C' : proper_family B' -> proper_family C' -> has_posteriors a K B' -> has_posteriors a K C' -> B' \subset C'.
  move=> B_prop C_prop [_ B_K] [K_C _]; apply/subsetP => S S_B; have [j [c [c_gt0 K_def]]] := B_K S S_B.
  have [|S' [c' [S'_C c'_gt0 K_def']]] := K_C j.
    by exists (Ordinal p_gt0); rewrite K_def mulf_neq0 // gt_eqF // high_gt0.
  rewrite (discrete_vertices a_gt0 a_lt1 (B_prop S S_B) (C_prop S' S'_C) (c := c' / c)) // => i.
  by apply: (mulfI (lt0r_neq0 c_gt0)); rewrite -K_def K_def' mulrA mulrCA divff ?mulr1 // gt_eqF.
by move=> B_prop C_prop KB KC; apply/eqP; rewrite eqEsubset !half.
Qed.

End Discrete.
