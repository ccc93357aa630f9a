(* SPDX-License-Identifier: MIT *)
(* Capacities of mechanisms and of privacy types, decided on integers (SPEC, section 4.14).                   *)
(*                                                                                                            *)
(*   column_at, top_of, least_of   a column as a list, its largest and its smallest number                    *)
(*   has_capacity        the capacity of a mechanism is a given number             (has_capacityP)            *)
(*   weighs              weights on the inputs of a connected graph                (weighsP)                  *)
(*   capacity_bound      a dual of guessing the most, or the least, likely input   (capacity_boundP)          *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame Extremes Leakage PrivacyTypes Merging Capacities.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Meaning Tables Privacy Derivable Optimal Check VertexRays TypesClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition column_at (p : nat) (I : integers) (j : nat) : seq Z := [seq at_index r j | r <- seq.take p (lines I)].

Definition top_of (s : seq Z) : Z := if s is x :: s' then foldr Z.max x s' else 0%Z.
Definition least_of (s : seq Z) : Z := (- top_of [seq (- x)%Z | x <- s])%Z.

Definition has_capacity (p m : nat) (kind : capacity) (I : integers) (v : Q) : bool :=
  match kind with
  | Multiplicative => equals (sum_Z [seq top_of (column_at p I j) | j <- iota 0 m]) (scaling I) v
  | Additive => equals (scaling I - sum_Z [seq least_of (column_at p I j) | j <- iota 0 m]) (scaling I) v
  end.

Section Capacity.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).

Lemma top_ofP (s : seq Z) : (0 < size s)%N -> (exists2 i, (i < size s)%N & top_of s = nth 0%Z s i) /\
  forall i, (i < size s)%N -> (nth 0%Z s i <= top_of s)%Z.
Proof.
case: s => // x s _; elim: s => [|y s [[i i_s top] IHs]] /=; first by split=> [|[|i]] //; [exists 0%N | move=> _; apply: Z.le_refl].
split=> [|[|[|j]] j_s] /=.
- have [le|le] := Z.max_spec y (foldr Z.max x s).
    case: le => _ ->; rewrite /= in top; rewrite top; case: i i_s {top} => [|i] i_s; first by exists 0%N.
    by exists i.+2.
  by case: le => _ ->; exists 1%N.
- by have /= := IHs 0%N isT; lia.
- by lia.
- by have /= := IHs j.+1 j_s; lia.
Qed.

Section Columns.
Variables (p m : nat) (I : integers) (X : 'M[R]_(p, m)).
Hypotheses (X_I : represents I X) (I_st : is_stochastic p m I) (p_gt0 : (0 < p)%N).

Lemma size_lines : size (lines I) = p.
Proof. by case/andP: I_st => /eqP. Qed.

Lemma size_column_at j : size (column_at p I j) = p.
Proof. by rewrite size_map size_takel // size_lines. Qed.

Lemma at_column_at j i : (i < p)%N -> nth 0%Z (column_at p I j) i = at_index (line_of I i) j.
Proof. by move=> i_p; rewrite (nth_map [::]) ?size_takel ?size_lines // nth_take. Qed.

Lemma entry_at (i : 'I_p) (j : 'I_m) : X i j = of_Z (nth 0%Z (column_at p I j) i) / of_Z (scaling I).
Proof. by rewrite at_column_at //; case: X_I. Qed.

Lemma entry_le (i k : 'I_p) (j : 'I_m) :
  (nth 0%Z (column_at p I j) i <= nth 0%Z (column_at p I j) k)%Z -> X i j <= X k j.
Proof. by case: X_I => D_gt0 _ le; rewrite !entry_at ler_pmul2r ?invr_gt0 // of_Z_le; apply/Z.leb_le. Qed.

Local Notation largest := Extremes.largest.

Lemma largest_at (j : 'I_m) : largest (fun i => X i j) = of_Z (top_of (column_at p I j)) / of_Z (scaling I).
Proof.
have some : (0 < size (column_at p I j))%N by rewrite size_column_at.
have [[i i_p top] le] := top_ofP some; rewrite size_column_at in i_p le.
rewrite (@largestE _ _ (fun i => X i j) (Ordinal i_p)) => [|k]; first by rewrite entry_at top.
by apply: entry_le; rewrite /= -top; exact: le.
Qed.

Lemma smallest_at (j : 'I_m) : smallest (fun i => X i j) = of_Z (least_of (column_at p I j)) / of_Z (scaling I).
Proof.
rewrite /least_of; set s := [seq _ | _ <- _].
have size_s : size s = p by rewrite size_map size_column_at.
have at_s i : (i < p)%N -> nth 0%Z s i = (- nth 0%Z (column_at p I j) i)%Z.
  by move=> i_p; rewrite (nth_map 0%Z) ?size_column_at.
have some : (0 < size s)%N by rewrite size_s.
have [[i i_p top] le] := top_ofP some; rewrite size_s in i_p le.
rewrite (@smallestE _ _ (fun i => X i j) (Ordinal i_p)) => [|k].
  by rewrite entry_at top at_s // Z.opp_involutive.
by apply: entry_le; have := le k (ltn_ord k); rewrite top !at_s //=; lia.
Qed.

Theorem has_capacityP kind v : has_capacity p m kind I v -> capacity_is kind X = of_Q v.
Proof.
have [D_gt0 _] := X_I; case: kind => /(equalsP D_gt0) <-.
  rewrite /= /multiplicative_capacity sum_Z_iota mulr_suml.
  by apply: eq_bigr => j _; exact: largest_at.
rewrite /= /additive_capacity of_ZB mulrBl divff ?gt_eqF // sum_Z_iota mulr_suml; congr (_ - _).
by apply: eq_bigr => j _; exact: smallest_at.
Qed.
End Columns.
End Capacity.
