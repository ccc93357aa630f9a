(* SPDX-License-Identifier: MIT *)
(* The linear programs of the claims of TightClaims.v: the vectors z >= 0 with Phi z = b.                     *)
(*                                                                                                            *)
(*   program_of c       the program of tight, not-tight, regular and not-regular                              *)
(*   program_means      program_of c = Some P   implies   says R P <-> meaning R c                            *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import OrderedField Mechanism MatrixGame Leakage Capacities TightConstraints.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables Phi PhiRules TightClaims TightCheck LinearProgram.
From ExactDP.Checker Require Import ClaimPrograms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope seq_scope.

Definition system_program (s : space) (b : vector) (r : relation) : option program :=
  let p := points_of s in
  if phi_of s is Some J then
    let right i := fraction (at_index (terms b) i) (Zpos (unit b)) in
    Some (Program [seq titled "z" [:: h] | h <- iota 0 p]
                  [seq Constraint (titled "bound" [:: h]) false [:: (h, one)] zero | h <- iota 0 p]
                  [seq Constraint (titled "row" [:: i]) true (along p id (entry_at J i)) (right i) | i <- iota 0 p] [::] r)
  else None.

Definition program_of (c : claim) : option program :=
  match c with
  | HasTight s => system_program s (ones (points_of s)) Solvable
  | HasNoTight s => system_program s (ones (points_of s)) Unsolvable
  | Regular s prior => demand is_prior (points_of s) prior in system_program s prior Solvable
  | NotRegular s prior => demand is_prior (points_of s) prior in system_program s prior Unsolvable
  | _ => None
  end.

Local Open Scope ring_scope.

Section Programs.
Variable R : realFieldType.

Lemma system_feasible s b r P : system_program s b r = Some P ->
  exists2 Phi, phi_is Phi & to_prove P = r /\
    ((exists x : nat -> R, feasible P x) <->
     exists y : 'I_(points_of s) -> R, (forall k, 0 <= y k) /\ forall i, \sum_k Phi i k * y k = vector_on R b i).
Proof.
rewrite /system_program; case E: phi_of => [J|] // /Some_inj <-; have [Phi J_Phi Phi_is] := phi_ofP R E.
exists Phi => //; split=> //; set p := points_of s in Phi J_Phi Phi_is *; set P' := Program _ _ _ _ _.
have feasibleP x : feasible P' x <->
    (forall k : 'I_p, 0 <= x k) /\ forall i : 'I_p, \sum_(k < p) Phi i k * x k = vector_on R b i.
  rewrite /feasible /P' /= each_cat !each_map !each_iota.
  have row_is (i : 'I_p) : value x (along p id (entry_at J i)) = \sum_(k < p) Phi i k * x k.
    by rewrite value_along; apply: eq_bigr => k _; rewrite (entry_atP _ _ J_Phi).
  have right_is (i : 'I_p) : of_Q R (fraction (at_index (terms b) i) (Zpos (unit b))) = vector_on R b i.
    by rewrite of_Q_fraction.
  split=> -[x_ge0 x_rows]; split=> k.
  - by have := x_ge0 k; rewrite /satisfies /= /value big_seq1 /= of_Q_one of_Q_zero mul1r.
  - by have := x_rows k; rewrite /satisfies /= row_is right_is.
  - by rewrite /satisfies /= /value big_seq1 /= of_Q_one of_Q_zero mul1r.
  - by rewrite /satisfies /= row_is right_is.
split=> [[x /feasibleP[x_ge0 x_rows]]|[y [y_ge0 y_rows]]]; first by exists (fun k => x k).
pose x k := if insub k is Some i then y i else 0; have xE (k : 'I_p) : x k = y k by rewrite /x valK.
exists x; apply/feasibleP; split=> [k|i]; first by rewrite xE.
by rewrite -y_rows; apply: eq_bigr => k _; rewrite xE.
Qed.

Lemma tight_solvable s (Phi : 'M[R]_(points_of s)) : phi_is Phi ->
  (exists y, (forall k, 0 <= y k) /\ forall i, \sum_k Phi i k * y k = vector_on R (ones (points_of s)) i) <->
  exists X : 'M[R]_(points_of s), tight Phi X.
Proof.
move=> Phi_is; split=> [[y [y_ge0 y_rows]]|[X /tight_weighting[X_ge0 X_rows]]].
  exists (\matrix_(i, k) scaled Phi y i k); apply: tight_matrix; [exact: phi_diagonal | exact: phi_ge0|].
  by split=> // i; rewrite y_rows onesE.
by exists (fun k => X k k); split=> // i; rewrite X_rows onesE.
Qed.

Lemma regular_solvable s (Phi : 'M[R]_(points_of s)) prior : phi_is Phi ->
  (exists y, (forall k, 0 <= y k) /\ forall i, \sum_k Phi i k * y k = vector_on R prior i) <->
  regular Phi (vector_on R prior).
Proof.
move=> Phi_is; split=> -[y [y_ge0 y_rows]]; exists y; split=> // i.
  by rewrite -y_rows; apply: eq_bigr => k _; rewrite (phi_symmetric Phi_is) mulrC.
by rewrite y_rows; apply: eq_bigr => k _; rewrite (phi_symmetric Phi_is) mulrC.
Qed.

Theorem program_means c P : program_of c = Some P -> says R P <-> meaning R c.
Proof.
case: c => //= [s|s|s prior|s prior].
- case/system_feasible=> Phi Phi_is [r solvable]; rewrite /says r solvable tight_solvable //.
  by split=> [X_tight|[Psi /(phi_unique Phi_is) <-]]; first by exists Phi.
- case/system_feasible=> Phi Phi_is [r solvable]; rewrite /says r solvable tight_solvable //.
  by split=> [no|[Psi /(phi_unique Phi_is) <-]]; first by exists Phi.
- case: ifP => // prior_ok /system_feasible[Phi Phi_is [r solvable]]; rewrite /says r solvable regular_solvable //.
  split=> [reg|[Psi /(phi_unique Phi_is) <- []] //]; exists Phi => //; split=> //; exact: is_priorP.
- case: ifP => // prior_ok /system_feasible[Phi Phi_is [r solvable]]; rewrite /says r solvable regular_solvable //.
  split=> [reg|[Psi /(phi_unique Phi_is) <- []] //]; exists Phi => //; split=> //; exact: is_priorP.
Qed.

End Programs.
