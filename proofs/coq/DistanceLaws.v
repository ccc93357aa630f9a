(* SPDX-License-Identifier: MIT *)
(* Guessing the input where every input sees the same distances: complete graphs and cubes.                   *)
(*                                                                                                            *)
(* The zero-one loss of M at the input x is the probability of any other guess.                               *)
(*   law_optimal        with row sums s of Phi, Phi/s is a mechanism with the loss 1 - 1/s at every input;    *)
(*                      none has less on average, and each has as much at some input                          *)
(*   cube_law           on words of k bits s is (1 + a)^k                                                     *)
(*   complete_law       on n + 1 inputs, any two of them neighbours, s is 1 + n a                             *)
(*   cube_private, complete_private   what is private between neighbours is so at every distance              *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Extremes Leakage PrivacyTypes Capacities CubeCapacity.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Law.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R) (s : R).
Add Field R_field : (field_theory_of R).

Definition wrong (M : X -> X -> R) (x : X) : R := \sum_(u | u != x) M x u.

Lemma wrongE M x : channel M -> wrong M x = 1 - M x x.
Proof. by case=> _ M_sum1; rewrite -(M_sum1 x) [in RHS](bigD1 x) //= addrC addrA addNr add0r. Qed.

Theorem law_optimal (x0 : X) : similarity Phi -> (forall x, \sum_u Phi x u = s) ->
  [/\ mechanism Phi (fun x u => Phi x u / s),
      forall x, wrong (fun x u => Phi x u / s) x = 1 - s^-1
    & forall N : X -> X -> R, mechanism Phi N ->
        1 - s^-1 <= (\sum_x wrong N x) / #|X|%:R /\ exists x, 1 - s^-1 <= wrong N x].
Proof.
move=> Phi_sim Phi_sum; have [M_mech _ M_max] := homogeneous_multiplicative Phi_sim x0 Phi_sum.
have n_gt0 : 0 < #|X|%:R :> R by rewrite ltr0n; apply/card_gt0P; exists x0.
have [_ _ Phi1 _] := Phi_sim.
split=> // [x|N N_mech]; first by rewrite wrongE ?Phi1 ?mul1r //; case: M_mech.
have N_channel : channel N by case: N_mech.
have mean : 1 - s^-1 <= (\sum_x wrong N x) / #|X|%:R.
  rewrite ler_pdivl_mulr //.
  have -> : \sum_x wrong N x = #|X|%:R - \sum_x N x x.
    under eq_bigr => x _ do rewrite wrongE //.
    by rewrite sumrB sumr_const.
  rewrite mulrBl mul1r ler_add2l ler_opp2 mulrC; apply: le_trans (M_max _ N N_mech).
  by apply: ler_sum => x _; exact: (le_largest (N^~ x)).
split=> //; apply/existsP; apply: contraT; rewrite negb_exists => /forallP less.
move: mean; rewrite ler_pdivl_mulr // leNgt => /negP[].
have -> : (1 - s^-1) * #|X|%:R = \sum_(x : X) (1 - s^-1) by rewrite sumr_const mulr_natr.
rewrite (bigD1 x0) //= [ltRHS](bigD1 x0) //=; apply: ltr_le_add; first by rewrite ltNge.
by apply: ler_sum => x _; rewrite ltW // ltNge.
Qed.

End Law.

Section Cube.
Variables (R : realFieldType) (k : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).
Local Notation cube := {ffun 'I_k -> bool}.

(* The word u with the bit i of x. *)
Definition with_bit (x u : cube) (i : 'I_k) : cube := [ffun j => if j == i then x j else u j].

Lemma with_bit_distance (x u : cube) i : x i != u i ->
  hamming (with_bit x u i) u = 1%N /\ hamming x u = (hamming x (with_bit x u i)).+1.
Proof.
move=> differ; rewrite /hamming; split.
  rewrite (bigD1 i) //= ffunE eqxx differ big1 // => j /negPf ji.
  by rewrite ffunE ji eqxx.
rewrite (bigD1 i) //= differ [in RHS](bigD1 i) //= ffunE !eqxx /= add1n add0n; congr _.+1.
by apply: eq_bigr => j /negPf ji; rewrite ffunE ji.
Qed.

(* Neighbours differ in one bit. *)
Lemma cube_private (Y : finType) (M : cube -> Y -> R) : channel M ->
  (forall x u y, hamming x u = 1%N -> a * M u y <= M x y) -> mechanism (level a (@hamming k)) M.
Proof.
move=> M_channel M_priv; split=> // x u y; rewrite /level.
move Ed: (hamming x u) => d; elim: d u Ed => [|d IHd] u Ed.
  have -> : x = u; last by rewrite expr0 mul1r.
  apply/ffunP=> i; apply/eqP; move/eqP: Ed; rewrite /hamming sum_nat_eq0 => /forallP/(_ i)/implyP/(_ isT).
  by case: (x i == u i).
have [i differ] : exists i, x i != u i.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP same.
  by move: Ed; rewrite /hamming big1 // => i _; have := same i; rewrite negbK => /eqP->; rewrite eqxx.
have [near less] := with_bit_distance differ.
apply: le_trans (IHd (with_bit x u i) _); last by apply: succn_inj; rewrite -less.
by rewrite exprSr -mulrA ler_wpmul2l ?exprn_ge0 ?(ltW a_gt0) // M_priv.
Qed.

Theorem cube_law : similarity (level a (@hamming k)) /\ forall x, \sum_u level a (@hamming k) x u = (1 + a) ^+ k.
Proof. by split=> [|x]; [exact: cube_similarity | exact: sum_hamming]. Qed.

End Cube.

Section Complete.
Variables (R : realFieldType) (n : nat) (a : R).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1).

Definition apart (x u : 'I_n.+1) : nat := (x != u).

Lemma apart_metric : metric apart.
Proof.
split=> [x|x u|x y u]; rewrite /apart; first by rewrite eqxx.
  by rewrite eq_sym.
by case: (eqVneq x y) => [->|_]; [rewrite add0n | case: (x == u)].
Qed.

Lemma complete_private (Y : finType) (M : 'I_n.+1 -> Y -> R) : channel M ->
  (forall x u y, x != u -> a * M u y <= M x y) -> mechanism (level a apart) M.
Proof.
move=> M_channel M_priv; split=> // x u y; rewrite /level /apart.
by have [->|xu] := eqVneq x u; [rewrite expr0 mul1r | rewrite expr1 M_priv].
Qed.

Theorem complete_law : similarity (level a apart) /\ forall x, \sum_u level a apart x u = 1 + n%:R * a.
Proof.
split=> [|x]; first exact: level_similarity a_gt0 (ltW a_lt1) apart_metric.
rewrite (bigD1 x) //= {1}/level {1}/apart eqxx expr0; congr (_ + _).
rewrite (eq_bigr (fun=> a)) => [|u ux]; last by rewrite /level /apart eq_sym ux expr1.
by rewrite sumr_const cardC1 card_ord mulr_natl.
Qed.

End Complete.
