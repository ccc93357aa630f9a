(* SPDX-License-Identifier: MIT *)
(* A linear program that is solved with rational numbers is solved over every ordered field.                  *)
(*                                                                                                            *)
(*   says_everywhere    says P over the rational numbers   implies   says P over every ordered field R        *)
(* A checker of VIPR files works with rational numbers.  A rational solution is one over R; and by the Farkas *)
(* lemma over the rational numbers a bound is a combination of the constraints, so that it holds over R.      *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Farkas.
From ExactDP.Checker Require Import Numbers Rows LinearProgram.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Notation rationals := [realFieldType of rat].

(* An inequality: the expression is at least the number. *)
Definition inequality := (expression * Q)%type.

Definition inequalities (P : program) : seq inequality :=
  flatten [seq (left_side c, right_side c) ::
               (if is_equality c then [:: (negative (left_side c), opposite (right_side c))] else [::])
          | c <- bounds P ++ constraints P].

Definition fits (n : nat) (e : expression) : bool := all (fun t : nat * Q => t.1 < n)%N e.

Section Field.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).
Implicit Types (x : nat -> R) (e : expression).

Definition holds x (c : inequality) : Prop := of_Q c.2 <= value x c.1.

Lemma feasible_inequalities P x : feasible P x <-> each (holds x) (inequalities P).
Proof.
rewrite /feasible /inequalities each_flatten each_map.
elim: (bounds P ++ constraints P) => [|c cs IHcs] //=; rewrite IHcs /satisfies /holds /=.
case: (is_equality c) => /=; last by tauto.
rewrite value_negative of_Q_opposite ler_opp2; split=> [[-> ?]|[[ge [le _]] ?]]; first by rewrite lexx.
by split=> //; apply/eqP; rewrite eq_le le.
Qed.

Definition coefficient e (j : nat) : R := \sum_(t <- e | t.1 == j) of_Q t.2.

Lemma value_coefficients n x e : fits n e -> value x e = \sum_(j < n) coefficient e j * x j.
Proof.
rewrite /value /coefficient; elim: e => [|t e IHe] /=.
  by rewrite big_nil big1 // => j _; rewrite big_nil mul0r.
move=> /andP[t_n /IHe e_is]; rewrite big_cons e_is (bigD1 (Ordinal t_n)) //= [in RHS](bigD1 (Ordinal t_n)) //=.
rewrite big_cons eqxx mulrDl -addrA; congr (_ + (_ + _)); apply: eq_bigr => j j_t.
by rewrite big_cons ifN // eq_sym.
Qed.

Lemma fits_some (es : seq expression) : exists n, all (fits n) es.
Proof.
have grow n m e : (n <= m)%N -> fits n e -> fits m e.
  by move=> n_m; apply: sub_all => t t_n; exact: leq_trans n_m.
have one e : exists n, fits n e.
  elim: e => [|t e [n e_n]]; first by exists 0%N.
  exists (maxn t.1.+1 n); rewrite /= leq_maxl /=; apply: grow e_n; exact: leq_maxr.
elim: es => [|e es [n es_n]]; first by exists 0%N.
have [m e_m] := one e; exists (maxn m n); rewrite /= (grow _ _ _ (leq_maxl m n) e_m) /=.
by apply: sub_all es_n => e'; apply: grow; exact: leq_maxr.
Qed.

Lemma nth_In T (x0 : T) s k : (k < size s)%N -> List.In (nth x0 s k) s.
Proof. by elim: s k => [|x s IHs] [|k] //= k_s; [left | right; exact: IHs]. Qed.

Lemma In_nth T (x0 x : T) s : List.In x s -> exists2 k, (k < size s)%N & nth x0 s k = x.
Proof.
elim: s => [|y s IHs] //= [->|/IHs[k k_s <-]]; first by exists 0%N.
by exists k.+1.
Qed.

End Field.

Section Everywhere.
Variable R : realFieldType.

Lemma ratr_of_Z z : ratr (of_Z rationals z) = of_Z R z.
Proof.
case: z => [|p|p]; [exact: (ratr_nat R 0) | exact: ratr_nat | ].
by rewrite [LHS]rmorphN; congr (- _); exact: ratr_nat.
Qed.

Lemma ratr_of_Q q : ratr (of_Q rationals q) = of_Q R q.
Proof. by rewrite /of_Q -!ratr_of_Z; exact: (fmorph_div (ratr_rmorphism R)). Qed.

Lemma value_ratr (x : nat -> rat) e : value (fun j => ratr (x j) : R) e = ratr (value (R := rationals) x e).
Proof. by rewrite /value rmorph_sum; apply: eq_bigr => t _; rewrite rmorphM /= ratr_of_Q. Qed.

Lemma feasible_ratr P (x : nat -> rat) : feasible (R := rationals) P x -> feasible P (fun j => ratr (x j) : R).
Proof.
rewrite !feasible_inequalities !each_In => x_ok c /x_ok.
by rewrite /holds value_ratr -ratr_of_Q ler_rat.
Qed.

(* A bound over the rational numbers, where no direction leads below it, is one over R. *)
Lemma bound_everywhere (cs : seq inequality) (e : expression) (v : Q) :
  (forall x : nat -> rat, each (holds (R := rationals) x) cs -> of_Q rationals v <= value (R := rationals) x e) ->
  (forall x : nat -> rat, each (fun c : inequality => 0 <= value (R := rationals) x c.1) cs -> 0 <= value (R := rationals) x e) ->
  forall x : nat -> R, each (holds x) cs -> of_Q R v <= value x e.
Proof.
move=> bound recession x x_ok.
have [n /=/andP[e_n /all_In cs_n]] := fits_some (e :: [seq c.1 | c <- cs]).
pose c0 : inequality := ([::], Qmake 0 1); pose at_ (k : 'I_(size cs)) := nth c0 cs k.
have at_In k : List.In (at_ k) cs by apply: nth_In.
have at_n k : fits n (at_ k).1 by apply: cs_n; apply: List.in_map; exact: at_In.
pose A (k : option 'I_(size cs)) (j : option 'I_n) : rat :=
  match k, j with
  | Some k, Some j => coefficient rationals (at_ k).1 j | Some k, None => - of_Q rationals (at_ k).2
  | None, Some _ => 0 | None, None => 1
  end.
pose c (j : option 'I_n) : rat := if j is Some j then coefficient rationals e j else - of_Q rationals v.
have sum_option (S : zmodType) m (F : option 'I_m -> S) : \sum_k F k = F None + \sum_(k < m) F (Some k).
  rewrite (bigD1 None) //=; congr (_ + _).
  rewrite (reindex_omap Some id) => [|[k|] //]; by apply: eq_bigl => k /=; rewrite eqxx.
case: (farkas_families A c) => [[y y_ge0 y_def]|[z Az_ge0 cz_lt0]]; last first.
  pose w (j : nat) : rat := if insub j is Some j' then z (Some j') else 0.
  have w_at (j : 'I_n) : w j = z (Some j) by rewrite /w valK.
  have value_w e' : fits n e' -> value (R := rationals) w e' = \sum_(j < n) coefficient rationals e' j * z (Some j).
    by move=> e'_n; rewrite (value_coefficients _ e'_n); apply: eq_bigr => j _; rewrite w_at.
  have z_ge0 : 0 <= z None.
    have := Az_ge0 None; rewrite sum_option /= mul1r big1 ?addr0 // => j _; exact: mul0r.
  have rows k : 0 <= value (R := rationals) w (at_ k).1 - of_Q rationals (at_ k).2 * z None.
    by have := Az_ge0 (Some k); rewrite sum_option /= mulNr addrC (value_w _ (at_n k)).
  have below : value (R := rationals) w e - of_Q rationals v * z None < 0.
    by move: cz_lt0; rewrite sum_option /= mulNr addrC (value_w _ e_n).
  have every (F : inequality -> Prop) : (forall k, F (at_ k)) -> each F cs.
    by move=> Fk; apply/each_In => d /(In_nth c0)[k k_cs <-]; exact: (Fk (Ordinal k_cs)).
  exfalso; move: z_ge0; rewrite le_eqVlt => /orP[/eqP z0|z_gt0].
    have : 0 <= value (R := rationals) w e.
      by apply: recession; apply: every => k; have := rows k; rewrite -z0 mulr0 subr0.
    by move: below; rewrite -z0 mulr0 subr0 ltNge => /negP.
  pose u j := w j / z None.
  have value_u e' : value (R := rationals) u e' = value (R := rationals) w e' / z None.
    by rewrite /value mulr_suml; apply: eq_bigr => t _; rewrite mulrA.
  have : of_Q rationals v <= value (R := rationals) u e.
    apply: bound; apply: every => k; rewrite /holds value_u ler_pdivl_mulr // -subr_ge0; exact: rows.
  by rewrite value_u ler_pdivl_mulr // -subr_ge0 leNgt below.
have e_is : value x e = \sum_(k < size cs) ratr (y (Some k)) * value x (at_ k).1.
  rewrite (value_coefficients _ e_n).
  under [RHS]eq_bigr => k _ do rewrite (value_coefficients _ (at_n k)) mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => j _ /=.
  have coefficient_ratr e' : coefficient R e' j = ratr (coefficient rationals e' j).
    by rewrite /coefficient rmorph_sum; apply: eq_bigr => t _; rewrite -ratr_of_Q.
  rewrite coefficient_ratr; have := y_def (Some j); rewrite sum_option /= mulr0 add0r => ->.
  by rewrite rmorph_sum mulr_suml; apply: eq_bigr => k _; rewrite rmorphM /= coefficient_ratr -mulrA.
have v_le : of_Q R v <= \sum_(k < size cs) ratr (y (Some k)) * of_Q R (at_ k).2.
  have := y_def None; rewrite sum_option /= mulr1 => /eqP; rewrite eqr_oppLR => /eqP v_is.
  rewrite -ratr_of_Q v_is opprD rmorphD /= rmorphN /= -sumrN rmorph_sum /=.
  have -> : \sum_(k < size cs) (ratr (- (y (Some k) * - of_Q rationals (at_ k).2)) : R)
      = \sum_(k < size cs) ratr (y (Some k)) * of_Q R (at_ k).2.
    by apply: eq_bigr => k _; rewrite mulrN opprK rmorphM /= ratr_of_Q.
  by rewrite ger_addr oppr_le0 ler0q.
rewrite e_is; apply: le_trans v_le _; apply: ler_sum => k _; apply: ler_wpmul2l.
  by rewrite ler0q.
by move: x_ok; rewrite each_In; apply; exact: at_In.
Qed.

Theorem says_everywhere P : says rationals P -> says R P.
Proof.
rewrite /says; case: (to_prove P) => [v [bound [x0 x0_ok x0_v]]|[x x_ok]|none].
- split; last first.
    by exists (fun j => ratr (x0 j)); [exact: feasible_ratr | rewrite value_ratr -ratr_of_Q ler_rat].
  move=> x; rewrite feasible_inequalities; apply: bound_everywhere => [y y_ok|{}x x_ok]; first by apply: bound; exact/feasible_inequalities.
  rewrite leNgt; apply/negP => x_lt0.
  pose s := (`|value (R := rationals) x0 (objective P) - of_Q rationals v| + 1) / - value (R := rationals) x (objective P).
  have s_ge0 : 0 <= s by rewrite divr_ge0 ?addr_ge0 ?ler01 // oppr_ge0 ltW.
  pose y j := x0 j + s * x j.
  have value_y e : value (R := rationals) y e = value (R := rationals) x0 e + s * value (R := rationals) x e.
    by rewrite /value mulr_sumr -big_split; apply: eq_bigr => t _; rewrite /y mulrDr mulrCA.
  have : of_Q rationals v <= value (R := rationals) y (objective P).
    apply: bound; apply/feasible_inequalities/each_In => c c_in; rewrite /holds value_y.
    move: x0_ok x_ok; rewrite feasible_inequalities !each_In => /(_ c c_in) c_x0 /(_ c c_in) c_x.
    by apply: le_trans c_x0 _; rewrite ler_addl mulr_ge0.
  have s_is : s * value (R := rationals) x (objective P) = - (`|value (R := rationals) x0 (objective P) - of_Q rationals v| + 1).
    by rewrite /s -mulrA invrN mulNr mulVf ?lt_eqF // mulrN1.
  rewrite value_y s_is ler_subr_addl -ler_subr_addr => above.
  by have := le_trans above (ler_norm _); rewrite ger_addl ler10.
- by exists (fun j => ratr (x j)); exact: feasible_ratr.
move=> [x]; rewrite feasible_inequalities => x_ok.
suff : of_Q R one <= value x [::] by rewrite of_Q_one /value big_nil ler10.
apply: bound_everywhere x_ok => y y_ok; last by rewrite /value big_nil.
by case: none; exists y; exact/feasible_inequalities.
Qed.

End Everywhere.
