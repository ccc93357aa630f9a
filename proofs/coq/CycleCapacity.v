(* SPDX-License-Identifier: MIT *)
(* Cycles of p inputs: both capacities in closed form, attained by Phi and by 1/Phi, divided by a number.     *)
(*                                                                                                            *)
(*   cycle_distance        min (|i-j|, p - |i-j|)                                                             *)
(*   cycle_multiplicative  p (1-a) / (1 + a - a^(h+1) - a^(p-h)) for h = floor (p/2)                          *)
(*   cycle_additive        1 - p (1-a) a^h / (1 + a^e - a^h - a^(h+1)) with e = 1 for even p, 0 for odd p     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism Extremes Leakage PrivacyTypes Capacities.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Cycle.
Variable n : nat.
Local Notation p := n.+1.
Local Notation h := (p./2).

(* The distance on the cycle of p = n + 1 inputs: min (|i-j|, p - |i-j|). *)
Definition cycle_distance (i j : 'I_n.+1) : nat := minn (dist i j) (n.+1 - dist i j).

Lemma cycle_metric : metric cycle_distance.
Proof.
split=> [i|i j|i j k]; rewrite /cycle_distance.
- by rewrite /dist subnn min0n.
- by rewrite /dist addnC.
have ni := ltn_ord i; have nj := ltn_ord j; have nk := ltn_ord k.
have tri : (dist i k <= dist i j + dist j k)%N by rewrite /dist; nat_lia.
have tri1 : (dist i j <= dist i k + dist j k)%N by rewrite /dist; nat_lia.
have tri2 : (dist j k <= dist i k + dist i j)%N by rewrite /dist; nat_lia.
have le_sum : (dist i j + dist j k + dist i k <= p + p)%N by rewrite /dist; nat_lia.
move: (dist i j) (dist j k) (dist i k) tri tri1 tri2 le_sum => x y z tri tri1 tri2 le_sum.
by rewrite /minn; case: ltnP => ?; case: ltnP => ?; case: ltnP => ?; nat_lia.
Qed.

(* Turning the cycle by c. *)
Definition turn (c i : 'I_n.+1) : 'I_n.+1 := i + c.

Lemma turnE c i : turn c i = (if i + c < p then i + c else i + c - p)%N :> nat.
Proof.
have ni := ltn_ord i; have nc := ltn_ord c; rewrite /turn /=; case: ltnP => ic; first by rewrite modn_small.
by rewrite -{1}(subnK ic) modnDr modn_small //; nat_lia.
Qed.

Lemma turn_distance c i j : cycle_distance (turn c i) (turn c j) = cycle_distance i j.
Proof.
have ni := ltn_ord i; have nj := ltn_ord j; have nc := ltn_ord c.
have : dist (turn c i) (turn c j) = dist i j \/ dist (turn c i) (turn c j) = (p - dist i j)%N.
  rewrite /dist !turnE; case: (ltnP (i + c)) => ic; case: (ltnP (j + c)) => jc.
  - by left; nat_lia.
  - by right; nat_lia.
  - by right; nat_lia.
  - by left; nat_lia.
rewrite /cycle_distance => -[-> //|->]; rewrite subKn 1?minnC // /dist.
by nat_lia.
Qed.

Lemma cycle_transitive (i j : 'I_n.+1) : exists f : 'I_n.+1 -> 'I_n.+1,
  [/\ bijective f, f i = j & forall u v, cycle_distance (f u) (f v) = cycle_distance u v].
Proof.
exists (turn (j - i)); split=> [||u v]; last exact: turn_distance.
  by exists (fun u => u - (j - i)); [exact: addrK | exact: subrK].
by rewrite /turn addrC subrK.
Qed.

End Cycle.

Lemma half_exists n : exists2 e, (e <= 1)%N & n.+1 = (e + (n.+1./2 + n.+1./2))%N.
Proof. by exists (odd n.+1); [case: (odd _) | rewrite addnn odd_double_half]. Qed.

Section Sums.
Variables (R : realFieldType) (n : nat) (b : R).
Add Field R_field : (field_theory_of R).
Local Notation p := n.+1.
Local Notation h := (p./2).

Lemma sum_cycle (i : 'I_n.+1) :
  (1 - b) * (\sum_j b ^+ cycle_distance i j) = 1 + b - b ^+ h.+1 - b ^+ (p - h).
Proof.
have [e e_le1 pE] := half_exists n.
move: (p./2) pE => k pE; have kn : (k <= n)%N by nat_lia.
have -> : \sum_j b ^+ cycle_distance i j = \sum_j b ^+ cycle_distance (ord0 : 'I_n.+1) j.
  have [f [f_bij f_i f_dist]] := cycle_transitive i ord0.
  by rewrite [RHS](reindex f) /=; [apply: eq_bigr => j _; rewrite -f_i f_dist | exact: onW_bij].
have powers m : (1 - b) * (\sum_(j < m) b ^+ j) = 1 - b ^+ m.
  by rewrite -[RHS]opprB subrX1 -mulNr opprB.
have -> : \sum_j b ^+ cycle_distance (ord0 : 'I_n.+1) j = \sum_(j < k.+1) b ^+ j + b * \sum_(j < n - k) b ^+ j.
  rewrite (eq_bigr (fun j : 'I_n.+1 => b ^+ minn j (p - j))) => [|j _]; last first.
    by rewrite /cycle_distance /dist sub0n add0n subn0.
  rewrite -(big_mkord xpredT (fun j => b ^+ minn j (p - j))) (@big_cat_nat _ _ _ k.+1) //=; congr (_ + _).
    rewrite big_mkord; apply: eq_bigr => j _; congr (_ ^+ _); have jh := ltn_ord j.
    by rewrite /minn; case: ltnP => ?; nat_lia.
  rewrite big_nat_rev /= -{1}[k.+1]add0n big_addn big_mkord mulr_sumr.
  have -> : (p - k.+1 = n - k)%N by [].
  apply: eq_bigr => j _; rewrite -exprS; congr (_ ^+ _); have jn := ltn_ord j.
  by rewrite /minn; case: ltnP => ?; nat_lia.
rewrite mulrDr mulrCA !powers.
have -> : (p - k = (n - k).+1)%N by nat_lia.
by rewrite [b ^+ (n - k).+1]exprS; by_ring R.
Qed.

End Sums.

Section Capacity.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Add Field R_field : (field_theory_of R).
Local Notation p := n.+1.
Local Notation h := (n.+1./2).
Local Notation Phi := (level a (@cycle_distance n)).

(* (1-a) / (1 + a - a^(h+1) - a^(p-h)) for h = floor (p/2): 1 over the sum of a row of Phi. *)
Definition cycle_norm : R := (1 - a) / (1 + a - a ^+ n.+1./2.+1 - a ^+ (n.+1 - n.+1./2)).

(* (1-a) a^h / (1 + a^e - a^h - a^(h+1)), e = 2h + 1 - p (1 for even p, 0 for odd p): 1 over the sum of a row of 1/Phi. *)
Definition cycle_dual_norm : R :=
  (1 - a) * a ^+ n.+1./2 / (1 + a ^+ (n.+1./2.*2.+1 - n.+1) - a ^+ n.+1./2 - a ^+ n.+1./2.+1).

Lemma cycle_similarity : similarity Phi.
Proof. exact: level_similarity a_gt0 (ltW a_lt1) (cycle_metric n). Qed.

Theorem cycle_multiplicative :
  attains_multiplicative Phi (fun i j => a ^+ cycle_distance i j * cycle_norm) (n.+1%:R * cycle_norm).
Proof.
have a1 : 1 - a != 0 by rewrite subr_eq0 gt_eqF.
have row i : \sum_j Phi i j = cycle_norm^-1.
  by rewrite invf_div -(sum_cycle a i) mulrC mulKf.
have := homogeneous_multiplicative cycle_similarity ord0 row.
by rewrite invrK card_ord.
Qed.

Theorem cycle_additive :
  attains_additive Phi (fun i j => (a ^+ cycle_distance i j)^-1 * cycle_dual_norm) (1 - n.+1%:R * cycle_dual_norm).
Proof.
have a_neq0 : a != 0 by rewrite gt_eqF.
have a1 : 1 - a != 0 by rewrite subr_eq0 gt_eqF.
have row i : \sum_j (Phi i j)^-1 = cycle_dual_norm^-1.
  have := sum_cycle a^-1 i; have -> : \sum_j a^-1 ^+ cycle_distance i j = \sum_j (Phi i j)^-1.
    by apply: eq_bigr => j _; rewrite exprVn.
  move: (\sum_j _) => s s_eq; rewrite invf_div.
  have pow : a ^+ h * a ^-1 ^+ (p - h) = a^-1 * a ^+ (h.*2.+1 - p).
    apply: (mulfI (expf_neq0 (p - h) a_neq0)); rewrite mulrCA -exprMn mulfV // expr1n mulr1.
    rewrite mulrCA -exprD; have -> : (p - h + (h.*2.+1 - p) = h.+1)%N.
      by have [e e_le1 pE] := half_exists n; rewrite -addnn; move: (p./2) pE => k pE; nat_lia.
    by rewrite exprS mulKf.
  have ah : a ^+ h * a^-1 ^+ h.+1 = a^-1 by rewrite exprS mulrCA -exprMn mulfV // expr1n mulr1.
  have key : (1 - a) * a ^+ h * s = 1 + a ^+ (h.*2.+1 - p) - a ^+ h - a ^+ h.+1.
    transitivity (- a * (a ^+ h * ((1 - a^-1) * s))); first by by_field R; apply/eqP.
    rewrite s_eq !mulrBr mulrDr mulr1 ah pow [a ^+ h.+1]exprS.
    by by_field R; apply/eqP.
  by rewrite -key mulrC mulKf // mulf_neq0 // expf_neq0.
have := homogeneous_additive cycle_similarity ord0 row.
by rewrite invrK card_ord.
Qed.

End Capacity.
