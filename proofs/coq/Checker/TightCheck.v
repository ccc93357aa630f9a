(* SPDX-License-Identifier: MIT *)
(* What decides the claims of TightClaims.v, and its soundness.                                               *)
(*                                                                                                            *)
(*   existence, is_tight     the ways in which a witness shows that a tight-constraints mechanism exists      *)
(*   check, check_sound      all kinds                                                                        *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import OrderedField Mechanism MatrixGame Leakage Capacities TightConstraints.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Reader Meaning Tables Nonsingular Phi PhiRules Near.
From ExactDP.Checker Require Import TightClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

(* ---- Witnesses ---- *)
(* That a tight-constraints mechanism exists. *)
Inductive existence :=
| Diagonal (z : vector)
| NearOne (cells : seq N) (z : vector) (inverse : seq vector).

(* That Phi is not singular. *)
Inductive regularity :=
| Inverse (rows : seq vector)
| Combination (rows : seq vector).

Inductive witness :=
| Exists (e : existence)
| Farkas (w : vector)
| Unique (z : vector) (r : regularity)
| Two (x y : vector)
| Both (low : existence) (high : vector)
| Kernel (v : vector)
| Full (r : regularity)
| Weights (y : vector).

Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition existence_in (s : space) (v : json) : option existence :=
  let p := points_of s in
  let! ms := object_of [::] [:: "diagonal" : text; "near" : text; "cells" : text] v in
  match find_key "near" ms with
  | None => let! z := vector_at p "diagonal" ms in Some (Diagonal z)
  | Some w =>
      demand (size ms == 2)%N in let! ns := object_of [:: "diagonal" : text; "inverse" : text] [::] w in
      let! cells := cells_in p ms in let! cs := cells in let m := cells_of cs in
      let! d := find_key "diagonal" ns in let! z := vector_of m d in
      let! i := find_key "inverse" ns in let! rows := rows_of m m i in Some (NearOne cs z rows)
  end.

Definition regularity_in (p : nat) (ms : seq (text * json)) : option regularity :=
  match find_key "inverse" ms, find_key "combination" ms with
  | Some v, None => let! rows := rows_of p p v in Some (Inverse rows)
  | None, Some v => let! rows := rows_of p p v in Some (Combination rows)
  | _, _ => None
  end.

(* A vector on inputs or on cells, and nothing else. *)
Definition lone_vector (p : nat) (key : text) (v : json) : option vector :=
  let! ms := object_of [:: key] [:: "cells" : text] v in vector_at p key ms.

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | HasTight s => omap Exists (existence_in s v)
  | HasNoTight s => omap Farkas (lone_vector (points_of s) "farkas" v)
  | OneTight s =>
      let p := points_of s in
      let! ms := object_of [:: "diagonal" : text] [:: "cells" : text; "inverse" : text; "combination" : text] v in
      let! z := vector_at p "diagonal" ms in let! r := regularity_in p ms in Some (Unique z r)
  | SeveralTight s =>
      let p := points_of s in
      let! ms := object_of [:: "first" : text; "second" : text] [:: "cells" : text] v in
      let! x := vector_at p "first" ms in let! y := vector_at p "second" ms in Some (Two x y)
  | Threshold s _ =>
      let! ms := object_of [:: "low" : text; "high" : text] [::] v in
      let! l := find_key "low" ms in let! low := existence_in s l in
      let! h := find_key "high" ms in let! high := lone_vector (points_of s) "farkas" h in Some (Both low high)
  | Singular s => omap Kernel (lone_vector (points_of s) "kernel" v)
  | NonSingular s =>
      let! ms := object_of [::] [:: "inverse" : text; "combination" : text] v in
      let! r := regularity_in (points_of s) ms in Some (Full r)
  | Regular s _ => omap Weights (lone_vector (points_of s) "weights" v)
  | NotRegular s _ => omap Farkas (lone_vector (points_of s) "farkas" v)
  end.

(* ---- What is checked ---- *)
Definition is_tight (s : space) (e : existence) : bool :=
  match e with
  | Diagonal z => if phi_of s is Some J then solves_with (points_of s) J z (ones (points_of s)) else false
  | NearOne cells z inverse => if phi_of s is Some J then is_near (points_of s) cells z inverse J else false
  end.

Definition is_not_tight (s : space) (w : vector) : bool :=
  if phi_of s is Some J then excludes (points_of s) J w (ones (points_of s)) else false.

Definition is_not_singular (p : nat) (J : integers) (r : regularity) : bool :=
  match r with
  | Inverse rows => is_inverse p (cleared rows) J
  | Combination rows => has_full_rank p (cleared rows) J
  end.

Definition differ (p : nat) (v w : vector) : bool :=
  has (fun i => ~~ (at_index (terms v) i * Zpos (unit w) =? at_index (terms w) i * Zpos (unit v))%Z) (iota 0 p).

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | HasTight s, Exists e => is_tight s e
  | HasNoTight s, Farkas w => is_not_tight s w
  | OneTight s, Unique z r =>
      if phi_of s is Some J then solves_with (points_of s) J z (ones (points_of s)) && is_not_singular (points_of s) J r else false
  | SeveralTight s, Two x y =>
      if phi_of s is Some J then
        let p := points_of s in [&& solves_with p J x (ones p), solves_with p J y (ones p) & differ p x y]
      else false
  | Threshold s b, Both low high => [&& Q_lt (base s) b, is_tight s low & is_not_tight (at_level s b) high]
  | Singular s, Kernel v =>
      if phi_of s is Some J then
        let p := points_of s in differ p v (Vector 1 [::]) && maps_to p J v (Vector 1 [::])
      else false
  | NonSingular s, Full r => if phi_of s is Some J then is_not_singular (points_of s) J r else false
  | Regular s prior, Weights y =>
      if phi_of s is Some J then is_prior (points_of s) prior && solves_with (points_of s) J y prior else false
  | NotRegular s prior, Farkas w =>
      if phi_of s is Some J then is_prior (points_of s) prior && excludes (points_of s) J w prior else false
  | _, _ => false
  end.

Local Open Scope ring_scope.

Section Soundness.
Variable R : realFieldType.
Local Notation vector_on := (vector_on R).

(* ---- Mechanisms are matrices here. ---- *)
Lemma tight_matrix p (Phi : 'M[R]_p) z : (forall i, Phi i i = 1) -> (forall i k, 0 <= Phi i k) -> weighting Phi z ->
  tight Phi (\matrix_(i, k) scaled Phi z i k : 'M[R]_p).
Proof.
move=> Phi1 Phi_ge0 /(weighting_tight Phi1 Phi_ge0)[[M_ge0 M_sum1] ME].
split=> [|i k]; last by rewrite !mxE.
by split=> [i k|i]; [rewrite mxE | rewrite -(M_sum1 i); apply: eq_bigr => k _; rewrite mxE].
Qed.

Lemma weighting_of p J (Phi : 'M[R]_p) z : represents J Phi -> solves_with p J z (ones p) -> weighting Phi (vector_on z).
Proof. by move=> J_Phi /(solves_withP J_Phi)[z_ge0 z_sum]; split=> // i; rewrite z_sum onesE. Qed.

Lemma tight_of s J Phi z : represents J Phi -> @phi_is R s Phi -> solves_with (points_of s) J z (ones (points_of s)) ->
  tight Phi (\matrix_(i, k) scaled Phi (vector_on z) i k : 'M[R]_(points_of s)).
Proof.
move=> J_Phi Phi_is /(weighting_of J_Phi); apply: tight_matrix; first exact: phi_diagonal.
exact: phi_ge0.
Qed.

Lemma is_tightP s e : is_tight s e -> has_tight R s.
Proof.
case: e => [z|cells z inverse]; rewrite /is_tight; case E: phi_of => [J|] // z_ok; have [Phi J_Phi Phi_is] := phi_ofP R E.
  by exists Phi => //; eexists; exact: tight_of z_ok.
have [y y_z] := is_nearP J_Phi z_ok; exists Phi => //; eexists; apply: tight_matrix y_z; [exact: phi_diagonal | exact: phi_ge0].
Qed.

Lemma is_not_tightP s w : is_not_tight s w -> has_no_tight R s.
Proof.
rewrite /is_not_tight; case E: phi_of => [J|] // w_ok; have [Phi J_Phi Phi_is] := phi_ofP R E.
exists Phi => // -[X /tight_weighting X_w]; have [w_ge0 w_lt0] := excludesP J_Phi w_ok.
apply: (no_weighting (phi_symmetric Phi_is) w_ge0); last by eexists; exact: X_w.
by move: w_lt0; congr (_ < 0); apply: eq_bigr => i _; rewrite onesE mul1r.
Qed.

Lemma is_not_singularP p J r (Phi : 'M[R]_p) : represents J Phi -> is_not_singular p J r -> \det Phi != 0.
Proof.
move=> J_Phi; case: r => rows; last exact: (has_full_rankP (A := cleared rows)) (common_gt0 rows) J_Phi.
exact: (is_inverseP (A := cleared rows)) (common_gt0 rows) J_Phi.
Qed.

Lemma differP p v w : differ p v w -> exists i : 'I_p, vector_on v i != vector_on w i.
Proof.
case/(has_nthP 0%N)=> i; rewrite size_iota => i_p; rewrite nth_iota // add0n => vw; exists (Ordinal i_p).
by rewrite /PhiRules.vector_on /vector_entry eqr_div ?of_Z_pos_neq0 // -!of_ZM of_Z_eq.
Qed.

(* A matrix that is not singular has no kernel. *)
Lemma no_kernel p (Phi : 'M[R]_p) c : \det Phi != 0 -> (forall i, \sum_k Phi i k * c k = 0) -> forall k, c k = 0.
Proof.
move=> Phi_det c0 k; have Phi_unit : Phi \in unitmx by rewrite unitmxE unitfE.
have : Phi *m \col_k c k = 0.
  by apply/matrixP=> i j; rewrite !mxE -[RHS](c0 i); apply: eq_bigr => h _; rewrite mxE.
move/(congr1 (mulmx (invmx Phi))); rewrite mulKmx // mulmx0 => /matrixP/(_ k 0).
by rewrite !mxE.
Qed.

Lemma kernel_singular p (Phi : 'M[R]_p) c k : c k != 0 -> (forall i, \sum_k Phi i k * c k = 0) -> \det Phi = 0.
Proof.
move=> ck c0; apply/eqP; apply: contraT => /no_kernel/(_ c0 k) ck0.
by rewrite ck0 eqxx in ck.
Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => [s|s|s|s|s b|s|s|s prior|s prior]; case: w => //=.
- exact: is_tightP.
- exact: is_not_tightP.
- move=> z r; case E: phi_of => [J|] // /andP[z_ok r_ok]; have [Phi J_Phi Phi_is] := phi_ofP R E; exists Phi => //.
  eexists; first exact: tight_of z_ok.
  move=> Y Y_tight; apply/matrixP=> i k.
  have Phi_inj c := no_kernel (c := c) (is_not_singularP J_Phi r_ok).
  exact: (tight_unique Phi_inj Y_tight (tight_of J_Phi Phi_is z_ok)).
- move=> x y; case E: phi_of => [J|] // /and3P[x_ok y_ok /differP[i xy]]; have [Phi J_Phi Phi_is] := phi_ofP R E.
  exists Phi => //; eexists; eexists; split; [exact: tight_of x_ok | exact: tight_of y_ok|].
  move/matrixP/(_ i i); rewrite !mxE => e.
  by have := tight_different (phi_diagonal Phi_is) xy; rewrite e eqxx.
- by move=> low high /and3P[lt /is_tightP low_ok /is_not_tightP high_ok]; split=> //; rewrite of_Q_lt.
- move=> v; case E: phi_of => [J|] // /andP[/differP[k v_k] v_ok]; have [Phi J_Phi Phi_is] := phi_ofP R E.
  have zero (i : 'I_(points_of s)) : vector_on (Vector 1 [::]) i = 0 :> R by rewrite /PhiRules.vector_on /vector_entry /= mul0r.
  exists Phi => //; apply: (kernel_singular (c := vector_on v) (k := k)) => [|i]; first by rewrite -(zero k).
  by rewrite (maps_toP J_Phi v_ok) zero.
- by move=> r; case E: phi_of => [J|] // r_ok; have [Phi J_Phi Phi_is] := phi_ofP R E; exists Phi => //; exact: is_not_singularP r_ok.
- move=> y; case E: phi_of => [J|] // /andP[/(is_priorP R) prior_ok y_ok]; have [Phi J_Phi Phi_is] := phi_ofP R E.
  exists Phi => //; split=> //; have [y_ge0 y_prior] := solves_withP J_Phi y_ok; exists (vector_on y); split=> // k.
  by rewrite -y_prior; apply: eq_bigr => i _; rewrite mulrC (phi_symmetric Phi_is).
- move=> w; case E: phi_of => [J|] // /andP[/(is_priorP R) prior_ok w_ok]; have [Phi J_Phi Phi_is] := phi_ofP R E.
  exists Phi => //; split=> //; have [w_ge0 w_lt0] := excludesP J_Phi w_ok.
  exact: not_regular (phi_symmetric Phi_is) w_ge0 w_lt0.
Qed.

End Soundness.
