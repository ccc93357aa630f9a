(* SPDX-License-Identifier: MIT *)
(* The primal {"remap": T} on a path: the mechanism G(n, a) T is private because G is (SPEC, section 4.1), so  *)
(* the product itself is needed for its losses only.                                                          *)
(*                                                                                                            *)
(*   geometric_solves     G(n, a) T is private and has a given loss    (geometric_solvesP)                     *)
(*   attains              the primal of a witness has a given loss     (attainsP)                              *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism PostProcessing Geometric.
From ExactDP.Checker Require Import Numbers Rows Syntax Meaning Tables Privacy Derivable Optimal PathBound.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition geometric_solves (p m : nat) (near : neighbours) (a : Q) (c : consumer) (L T : integers) (v : Q) : bool :=
  let G := integers_of p p (Geometric p.-1 a) in
  [&& is_path near, size (vertices near) == p, sound_table p p (Geometric p.-1 a), (0 <? scaling T)%Z,
      is_stochastic p m T & all (below (N.of_nat p)) (lines G) && product_has_loss p m c L G T v].

(* It is private and has this loss. *)
Definition attains (p m : nat) (near : neighbours) (a : Q) (c : consumer) (L : integers) (x : primal) (v : Q) : bool :=
  match x with
  | Rows rows => let X := cleared rows in [&& is_stochastic p m X, is_private m near a X & has_loss p m c L X v]
  | RemapOfGeometric rows => geometric_solves p m near a c L (cleared rows) v
  end.

Section PathPrimal.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).

Lemma step_of ps k c (e : N * N * Q) : all2 is_step ps (iota k c) -> List.In e ps -> exists i, is_step e i.
Proof.
elim: c k ps => [|c IHc] k [|f ps] //= /andP[f_k steps] [<-|]; first by exists k.
exact: IHc steps.
Qed.

Lemma private_path near n m (a : R) (X : 'M[R]_(n.+1, m)) : is_path near -> private a X -> private_for near a X.
Proof.
case/andP=> _ steps X_priv i j d r ij.
have step (s t : 'I_n.+1) : List.In ((N.of_nat s, N.of_nat t), d) (pairs near) -> d = Qmake 1 1 /\ t = s.+1 :> nat.
  case/(step_of steps)=> k /and4P[/N.eqb_eq es /N.eqb_eq et /Z.eqb_eq en /Pos.eqb_eq ed]; move: en ed => /= en ed.
  split; last by rewrite (Nat2N.inj _ _ et); congr _.+1; exact: esym (Nat2N.inj _ _ es).
  by case: d en ed {ij es et} => ? ? /= -> ->.
have [d1 line_ij] : d = Qmake 1 1 /\ line i j.
  by case: ij => /step[d1 e]; split=> //; apply/orP; [left | right]; apply/eqP.
by rewrite d1 !expr1; exact: X_priv.
Qed.

Theorem geometric_solvesP p m near a c L T v :
  represents L (matrix_of R p m (content (loss_of c))) -> geometric_solves p m near a c L T v ->
  exists Y : 'M[R]_(p, m), mechanism_for near (of_Q a) Y /\ loss_is c Y (of_Q v).
Proof.
case: p => [|n] l_L; first by case/and5P=> /andP[+ _] /eqP e; rewrite e.
case/and5P=> path_near _ G_ok /Z.ltb_lt T_gt0 /and3P[T_st /(all_nthP [::]) G_below loss_ok].
have rep_G := integers_ofP R G_ok; have G_is : matrix_of R n.+1 n.+1 (Geometric n a) = geometric n (of_Q a) := geometric_is R n a.
pose t : 'M[R]_(n.+1, m) := \matrix_(i, j) (of_Z R (at_index (line_of T i) j) / of_Z R (scaling T)).
have rep_T : represents T t by split=> [|i j]; [exact: of_Z_gt0 | rewrite mxE].
have t_st := stochasticP rep_T T_st.
have a_level : 0 < of_Q a < 1.
  by case/and4P: G_ok => a_gt0 a_lt1 _ _; apply: is_levelP; rewrite /is_level a_gt0.
have /andP[a_gt0 a_lt1] := a_level.
exists (geometric n (of_Q a) *m t); split; last first.
  apply: (has_lossP l_L _ (product_has_lossP loss_ok)); rewrite -G_is; apply: timesP => // i.
  rewrite /line_of; have [i_lt|i_ge] := ltnP i (size (lines (integers_of n.+1 n.+1 (Geometric n a)))); first exact: G_below.
  by rewrite nth_default.
split; first by apply: stochastic_mul => //; exact: geometric_stochastic.
apply: private_path => //; apply: private_post_processing; [exact: (proj1 t_st) | exact: geometric_private].
Qed.

Theorem attainsP p m near a c L x v :
  represents L (matrix_of R p m (content (loss_of c))) -> attains p m near a c L x v ->
  exists Y : 'M[R]_(p, m), mechanism_for near (of_Q a) Y /\ loss_is c Y (of_Q v).
Proof.
case: x => rows l_L; last exact: geometric_solvesP.
case/and3P=> X_st X_priv X_loss.
pose y : 'M[R]_(p, m) := \matrix_(i, j) (of_Z R (at_index (line_of (cleared rows) i) j) / of_Z R (scaling (cleared rows))).
have rep : represents (cleared rows) y by split=> [|i j]; [exact/of_Z_gt0/common_gt0 | rewrite mxE].
exists y; split; last exact: has_lossP l_L rep X_loss.
by split; [exact: stochasticP rep X_st | exact: is_privateP rep X_priv].
Qed.
End PathPrimal.
