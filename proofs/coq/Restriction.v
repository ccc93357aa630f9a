(* SPDX-License-Identifier: MIT *)
(* Mechanisms on fewer inputs (Fernandes and others, Theorems 15 (5) and 19).                                 *)
(*                                                                                                            *)
(*   restriction_optimal   what is optimal on some inputs is optimal on all, for the loss that is 0 elsewhere *)
(*   theorem19             every metric has a loss with a universally optimal mechanism: the loss of a wrong  *)
(*                         guess, when the guesses are two inputs at the least distance.  It is 1, or 0 at    *)
(*                         distance 0, so it is monotone; and it depends on the guess, so it is not trivial   *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Channels Refinement FiniteCone.
From ExactDP Require Import Rays Kernels KernelOptimality Simplicial DiscreteRays.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Restriction.
Variables (R : realFieldType) (p q : nat) (f : 'I_q -> 'I_p).

(* The mechanism on the inputs f x, and a loss on these as a loss on all inputs. *)
Definition restriction m (M : 'M[R]_(p, m)) : 'M[R]_(q, m) := \matrix_(x, r) M (f x) r.

(* At the input i it is the sum of the losses l(x,r) of the x with f x = i: 0 if there is no such x, and l(x,r) if x is *)
(* the only one.                                                                                                        *)
Definition lifted (W : Type) (l : 'I_q -> W -> R) (i : 'I_p) (r : W) : R := \sum_(x | f x == i) l x r.

Lemma lifted_uncertainty (W : finType) (w0 : W) w (l : 'I_q -> W -> R) m (M : 'M[R]_(p, m)) :
  uncertainty w0 w (lifted l) M = uncertainty w0 (fun x => w (f x)) l (restriction M).
Proof.
apply: eq_bigr => j _; apply: eq_minimum => r; rewrite /output_loss /lifted.
under eq_bigr => i _ do rewrite !mulr_sumr.
rewrite (exchange_big_dep xpredT) //=; apply: eq_bigr => x _.
by rewrite (big_pred1 (f x)) => [|i]; rewrite ?mxE // eq_sym.
Qed.

Lemma restriction_of_type (e : 'I_p -> 'I_p -> R) m (M : 'M[R]_(p, m)) :
  of_type e M -> of_type (fun x y => e (f x) (f y)) (restriction M).
Proof.
move=> [[M_ge0 M_sum1] M_priv]; split; [split=> [x r|x]|move=> x y r]; rewrite ?mxE //.
by under eq_bigr => r _ do rewrite mxE.
Qed.

End Restriction.

(* Optimal for all priors is optimal for all weights. *)
Lemma optimal_weights (R : realFieldType) p (e : 'I_p -> 'I_p -> R) (W : finType) (w0 : W) (l : 'I_p -> W -> R) m
    (M : 'M[R]_(p, m)) w k (X : 'M[R]_(p, k)) : universally_optimal e w0 l M -> (forall i, 0 <= w i) -> of_type e X ->
  uncertainty w0 w l M <= uncertainty w0 w l X.
Proof.
move=> [_ M_opt] w_ge0 X_type; pose s := \sum_i w i; have s_ge0 : 0 <= s by apply: sumr_ge0.
have [s0|s_neq0] := eqVneq s 0.
  have w_zero i : w i = 0 by exact: (@psumr_eq0P _ _ xpredT _ (fun i _ => w_ge0 i) s0 i isT).
  have zero n (Y : 'M[R]_(p, n)) : uncertainty w0 w l Y = 0.
    apply: big1 => j _; have [r ->] := minimum_attained w0 (output_loss w l Y j).
    by apply: big1 => i _; rewrite w_zero mul0r.
  by rewrite !zero.
have s_gt0 : 0 < s by rewrite lt_neqAle eq_sym s_neq0.
have scaled n (Y : 'M[R]_(p, n)) : uncertainty w0 w l Y = s * uncertainty w0 (fun i => w i / s) l Y.
  rewrite -uncertainty_scale //; apply: eq_uncertainty => i r.
  by rewrite mulrA divfK.
rewrite !scaled ler_pmul2l //; apply: M_opt => //; split=> [i|]; first by rewrite divr_ge0.
by rewrite -mulr_suml divff.
Qed.

(* Theorem 15 (5), the direction that holds. *)
Theorem restriction_optimal (R : realFieldType) p q (f : 'I_q -> 'I_p) (e : 'I_p -> 'I_p -> R) (W : finType) (w0 : W)
    (l : 'I_q -> W -> R) m (M : 'M[R]_(p, m)) :
  of_type e M -> universally_optimal (fun x y => e (f x) (f y)) w0 l (restriction f M) ->
  universally_optimal e w0 (lifted f l) M.
Proof.
move=> M_type opt; split=> // w [w_ge0 _] k X X_type; rewrite !lifted_uncertainty.
by apply: (optimal_weights opt) => //; exact: restriction_of_type.
Qed.

Lemma eq_of_type (R : realFieldType) p (e e' : 'I_p -> 'I_p -> R) m (M : 'M[R]_(p, m)) :
  (forall i j, e i j = e' i j) -> of_type e M -> of_type e' M.
Proof. by move=> ee' [M_st M_priv]; split=> // i j r; rewrite -ee'. Qed.

Theorem theorem19 (R : realFieldType) (p : nat) (e : 'I_p -> 'I_p -> R) : metric_level e -> (1 < p)%N ->
  exists (f : 'I_2 -> 'I_p) (M : 'M[R]_(p, 2)), injective f /\
    universally_optimal e ord0 (fun i r => (i != f r)%:R) M.
Proof.
move=> e_metric p_gt1; have e_sym := e_sym e_metric; have e_refl := e_refl e_metric.
have p_gt0 : (0 < p)%N by exact: ltnW.
pose apart (xy : 'I_p * 'I_p) := xy.1 != xy.2.
have apart0 : apart (Ordinal p_gt0, Ordinal p_gt1) by [].
case: (@arg_maxP _ _ _ _ apart (fun xy => e xy.1 xy.2) apart0) => -[x1 x2] /= x12 nearest.
pose a := e x1 x2; have a_gt0 : 0 < a by exact: e_gt0.
have a_lt1 : a < 1 by exact: e_lt1.
pose f (r : 'I_2) := if r == ord0 then x1 else x2.
pose back (i : 'I_p) : 'I_2 := if i == x1 then ord0 else lift ord0 ord0.
have two (r : 'I_2) : r = ord0 \/ r = lift ord0 ord0 by case: r => [[|[|//]] r_lt]; [left | right]; apply/val_inj.
have backK r : back (f r) = r by rewrite /back /f; case: (two r) => ->; rewrite ?eqxx //= eq_sym (negPf x12).
have [T [[T_st T_priv] T_opt]] : exists T : 'M[R]_2,
    universally_optimal (@discrete_level R 2 a) (ord0 : 'I_2) (fun i r => (i != r)%:R) T.
  by exists (@random_response R 2 a); exact: corollary18.
pose M : 'M[R]_(p, 2) := \matrix_(i, r) T (back i) r.
have [T_ge0 T_sum1] := T_st.
have ME i r : M i r = T (back i) r by rewrite mxE.
have M_st : stochastic M by split=> [i r|i]; [rewrite ME | under eq_bigr => r _ do rewrite ME].
have M_type : of_type e M.
  split=> // i j r; rewrite !ME; have [->|ij] := eqVneq i j; first by rewrite e_refl mul1r.
  apply: le_trans (T_priv (back i) (back j) r); rewrite ler_wpmul2r // /discrete_level.
  by case: eqP => _; [exact: ltW (e_lt1 e_metric ij) | exact: (nearest (i, j))].
exists f, M; split; first exact: can_inj backK.
have level r s : e (f r) (f s) = @discrete_level R 2 a r s.
  by rewrite /discrete_level /f; case: (two r) => ->; case: (two s) => ->; rewrite //= ?e_refl // e_sym.
have M_T : restriction f M = T by apply/matrixP => r s; rewrite !mxE backK.
have opt : universally_optimal e ord0 (lifted f (fun i r => (i != r)%:R : R)) M.
  apply: restriction_optimal => //; rewrite M_T; split=> [|w w_dist k X X_type].
    by apply: eq_of_type (conj T_st T_priv) => r s; rewrite level.
  by apply: T_opt => //; apply: eq_of_type X_type => r s; rewrite level.
pose rest (i : 'I_p) : R := (i \notin codom f)%:R.
have loss i r : (i != f r)%:R = lifted f (fun i r => (i != r)%:R) i r + rest i :> R.
  rewrite /lifted /rest; case: (boolP (i \in codom f)) => [/codomP[x ->]|i_f].
    rewrite (big_pred1 x) ?addr0 => [|y]; last by rewrite (inj_eq (can_inj backK)).
    by rewrite (inj_eq (can_inj backK)).
  rewrite big_pred0 => [|x]; last by apply: contraNF i_f => /eqP <-; exact: codom_f.
  by rewrite add0r; case: eqP => // ir; rewrite ir codom_f in i_f.
have [_ M_opt] := opt; split=> // w w_dist k X X_type.
have shifted n (Y : 'M[R]_(p, n)) : stochastic Y -> uncertainty ord0 w (fun i r => (i != f r)%:R) Y =
    uncertainty ord0 w (lifted f (fun i r => (i != r)%:R : R)) Y + \sum_i w i * rest i.
  by move=> Y_st; rewrite -uncertainty_shift //; apply: eq_uncertainty => i r; rewrite loss.
by rewrite !shifted ?ler_add2r ?M_opt //; case: X_type.
Qed.
