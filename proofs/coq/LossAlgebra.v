(* SPDX-License-Identifier: MIT *)
(* The algebra of losses and the utility sets (Fernandes and others, Sections 5.2 and 5.4).                   *)
(*                                                                                                            *)
(*   better w0 l M N         M loses no more than N for the loss l and every prior                            *)
(*   better_scale, _weigh, _shift, _add   what holds for some losses holds for multiples, input by input too, *)
(*                           for shifts by f(x), and for sums, in which two guesses are made                  *)
(*   better_generated        so for all losses generated from these                                           *)
(*   utility_add, utility_weigh, utility_shift   U(M) is closed under them                                    *)
(*   utility_pointwise       but not under sums with one guess for both                                       *)
(*   universal_least         best for all losses means that all mechanisms of the type are refinements         *)
(*   uncertainty_concave, uncertainty_lipschitz   the entropy of a loss is a concave and continuous function  *)
(*                           of the prior                                                                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame Channels Refinement.
From ExactDP Require Import Rays Kernels Simplicial KernelOptimality Restriction TrivialLosses NoUniversal.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Algebra.
Variables (R : realFieldType) (p : nat).
Add Field R_field : (field_theory_of R).

(* The order of Section 5.2 that a single loss gives. *)
Definition better (W : finType) (w0 : W) (l : 'I_p -> W -> R) m k (M : 'M[R]_(p, m)) (N : 'M[R]_(p, k)) :=
  forall w, distribution w -> uncertainty w0 w l M <= uncertainty w0 w l N.

(* Priors need not be normalised. *)
Lemma better_weights (W : finType) (w0 : W) (l : 'I_p -> W -> R) m k (M : 'M[R]_(p, m)) (N : 'M[R]_(p, k)) w :
  better w0 l M N -> (forall i, 0 <= w i) -> uncertainty w0 w l M <= uncertainty w0 w l N.
Proof.
move=> MN w_ge0; pose s := \sum_i w i; have s_ge0 : 0 <= s by apply: sumr_ge0.
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
rewrite !scaled ler_pmul2l //; apply: MN; split=> [i|]; first by rewrite divr_ge0.
by rewrite -mulr_suml divff.
Qed.

Section Order.
Variables (m k : nat) (M : 'M[R]_(p, m)) (N : 'M[R]_(p, k)).
Hypotheses (M_st : stochastic M) (N_st : stochastic N).

Theorem better_scale (W : finType) (w0 : W) (l : 'I_p -> W -> R) c : 0 <= c ->
  better w0 l M N -> better w0 (fun i r => c * l i r) M N.
Proof. by move=> c_ge0 MN w w_dist; rewrite !uncertainty_scale // ler_wpmul2l // MN. Qed.

Theorem better_weigh (W : finType) (w0 : W) (l : 'I_p -> W -> R) v : (forall i, 0 <= v i) ->
  better w0 l M N -> better w0 (fun i r => v i * l i r) M N.
Proof.
move=> v_ge0 MN w [w_ge0 _]; rewrite !uncertainty_weigh; apply: better_weights => // i.
by rewrite mulr_ge0.
Qed.

Theorem better_shift (W : finType) (w0 : W) (l : 'I_p -> W -> R) f :
  better w0 l M N -> better w0 (fun i r => l i r + f i) M N.
Proof. by move=> MN w w_dist; rewrite !uncertainty_shift // ler_add2r MN. Qed.

Theorem better_add (W W' : finType) (w0 : W) (w1 : W') (l : 'I_p -> W -> R) (l' : 'I_p -> W' -> R) :
  better w0 l M N -> better w1 l' M N -> better (w0, w1) (fun i r => l i r.1 + l' i r.2) M N.
Proof. by move=> MN MN' w w_dist; rewrite !uncertainty_add ler_add ?MN ?MN'. Qed.

(* The losses made from those of a set S: all losses f(x), and sums, multiples and shifts. *)
Inductive generated (S : forall W : finType, W -> ('I_p -> W -> R) -> Prop) : forall W : finType, W -> ('I_p -> W -> R) -> Prop :=
| from_set (W : finType) (w0 : W) l : S W w0 l -> generated S w0 l
| from_trivial (W : finType) (w0 : W) f : generated S w0 (fun i _ => f i)
| from_weigh (W : finType) (w0 : W) l v : (forall i, 0 <= v i) -> generated S w0 l -> generated S w0 (fun i r => v i * l i r)
| from_shift (W : finType) (w0 : W) l f : generated S w0 l -> generated S w0 (fun i r => l i r + f i)
| from_add (W W' : finType) (w0 : W) (w1 : W') l l' : generated S w0 l -> generated S w1 l' ->
    generated S (w0, w1) (fun i r => l i r.1 + l' i r.2).

Theorem better_generated (S : forall W : finType, W -> ('I_p -> W -> R) -> Prop) :
  (forall (W : finType) (w0 : W) l, S W w0 l -> better w0 l M N) ->
  forall (W : finType) (w0 : W) l, generated S w0 l -> better w0 l M N.
Proof.
move=> S_better W w0 l; elim=> {W w0 l}.
- exact: S_better.
- by move=> W w0 f w _; rewrite !uncertainty_trivial.
- by move=> W w0 l v v_ge0 _; exact: better_weigh.
- by move=> W w0 l f _; exact: better_shift.
- by move=> W W' w0 w1 l l' _ MN _; exact: better_add.
Qed.

End Order.

Variable e : 'I_p -> 'I_p -> R.

Lemma optimal_better (W : finType) (w0 : W) (l : 'I_p -> W -> R) m (M : 'M[R]_(p, m)) :
  universally_optimal e w0 l M <-> of_type e M /\ forall k (X : 'M[R]_(p, k)), of_type e X -> better w0 l M X.
Proof.
split=> [[M_type opt]|[M_type opt]]; split=> //; first by move=> k X X_type w w_dist; exact: opt.
by move=> w w_dist k X X_type; exact: opt.
Qed.

(* Equations (28) and (29). *)
Theorem utility_add (W W' : finType) (w0 : W) (w1 : W') (l : 'I_p -> W -> R) (l' : 'I_p -> W' -> R) m (M : 'M[R]_(p, m)) :
  universally_optimal e w0 l M -> universally_optimal e w1 l' M ->
  universally_optimal e (w0, w1) (fun i r => l i r.1 + l' i r.2) M.
Proof.
move=> /optimal_better[M_type opt] /optimal_better[_ opt']; apply/optimal_better; split=> // k X X_type.
by apply: better_add; [exact: opt | exact: opt'].
Qed.

Theorem utility_weigh (W : finType) (w0 : W) (l : 'I_p -> W -> R) v m (M : 'M[R]_(p, m)) : (forall i, 0 <= v i) ->
  universally_optimal e w0 l M -> universally_optimal e w0 (fun i r => v i * l i r) M.
Proof.
move=> v_ge0 /optimal_better[M_type opt]; apply/optimal_better; split=> // k X X_type.
by apply: better_weigh => //; exact: opt.
Qed.

Theorem utility_shift (W : finType) (w0 : W) (l : 'I_p -> W -> R) f m (M : 'M[R]_(p, m)) :
  universally_optimal e w0 l M -> universally_optimal e w0 (fun i r => l i r + f i) M.
Proof.
move=> /optimal_better[M_type opt]; apply/optimal_better; split=> // k X X_type.
by apply: better_shift; [case: M_type | case: X_type | exact: opt].
Qed.

(* Section 5.1. *)
Theorem uncertainty_concave (W : finType) (w0 : W) (l : 'I_p -> W -> R) m (Y : 'M[R]_(p, m)) t q w : 0 <= t <= 1 ->
  t * uncertainty w0 q l Y + (1 - t) * uncertainty w0 w l Y <= uncertainty w0 (fun i => t * q i + (1 - t) * w i) l Y.
Proof.
move=> /andP[t_ge0 t_le1]; have t'_ge0 : 0 <= 1 - t by rewrite subr_ge0.
rewrite /uncertainty !mulr_sumr -big_split; apply: ler_sum => j _ /=; apply: minimum_ge => r.
have -> : output_loss (fun i => t * q i + (1 - t) * w i) l Y j r = t * output_loss q l Y j r + (1 - t) * output_loss w l Y j r.
  by rewrite /output_loss !mulr_sumr -big_split; apply: eq_bigr => i _ /=; by_ring R.
by apply: ler_add; rewrite ler_wpmul2l ?minimum_le.
Qed.

(* It is continuous too: it changes by at most the largest price times the change of the prior. *)
Theorem uncertainty_lipschitz (W : finType) (w0 : W) (l : 'I_p -> W -> R) m (Y : 'M[R]_(p, m)) L q w : stochastic Y ->
  (forall i r, `|l i r| <= L) -> `|uncertainty w0 q l Y - uncertainty w0 w l Y| <= L * \sum_i `|q i - w i|.
Proof.
move=> [Y_ge0 Y_sum1] l_le.
have half u v : uncertainty w0 u l Y - uncertainty w0 v l Y <= L * \sum_i `|u i - v i|.
  have -> : L * (\sum_i `|u i - v i|) = \sum_j \sum_i `|u i - v i| * Y i j * L.
    rewrite exchange_big mulr_sumr; apply: eq_bigr => i _ /=.
    by rewrite -mulr_suml -mulr_sumr Y_sum1 mulr1 mulrC.
  rewrite -sumrB; apply: ler_sum => j _; have [r r_min] := minimum_attained w0 (output_loss v l Y j).
  rewrite r_min ler_subl_addl; apply: le_trans (minimum_le w0 _ r) _.
  rewrite -ler_subl_addl /output_loss -sumrB; apply: ler_sum => i _; rewrite -mulrBl mulrA.
  apply: le_trans (ler_norm _) _; rewrite !normrM (ger0_norm (Y_ge0 i j)).
  by rewrite ler_wpmul2l // mulr_ge0.
rewrite ler_norml half andbT ler_oppl opprB; apply: le_trans (half w q) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _); apply: eq_bigr => i _; exact: distrC.
Qed.

End Algebra.

(* Section 4: best for all losses means that all mechanisms of the type are refinements. *)
Theorem universal_least (R : realFieldType) (p : nat) (e : 'I_p.+1 -> 'I_p.+1 -> R) m (M : 'M[R]_(p.+1, m)) :
  (forall (W : finType) (w0 : W) l, universally_optimal e w0 l M) <->
  of_type e M /\ forall k (X : 'M[R]_(p.+1, k)), of_type e X -> derivable M X.
Proof.
split=> [opt|[M_type least] W w0 l]; last by split=> // w _ k X /least; exact: refinement_loses.
have opt' (W : finType) (w0 : W) (l : 'I_p.+1 -> W -> R) : (forall i r, 0 <= l i r) -> universally_optimal e w0 l M by [].
by split=> [|k X X_type]; [exact: optimal_of_type opt' | exact: (optimal_derives opt' X_type)].
Qed.

(* Two inputs: who pays for guessing 1 at the input 0, and who pays for guessing 0 at the input 1, need no    *)
(* information; who pays for both, with one guess, does.                                                      *)
Theorem utility_pointwise (R : realFieldType) (e : 'I_2 -> 'I_2 -> R) : metric_level e ->
  let l (i r : 'I_2) : R := ((i == ord0) && (r != ord0))%:R in let l' (i r : 'I_2) : R := ((i != ord0) && (r == ord0))%:R in
  [/\ universally_optimal e ord0 l (silent R 2), universally_optimal e ord0 l' (silent R 2) &
      ~ universally_optimal e ord0 (fun i r => l i r + l' i r) (silent R 2)].
Proof.
move=> e_metric l l'; split.
- by apply/silent_optimal_iff => //; exists ord0 => i s; rewrite /l eqxx andbF ler0n.
- by apply/silent_optimal_iff => //; exists ord_max => i s; rewrite /l' andbF ler0n.
move/(silent_optimal_iff e_metric) => [r r_best].
have := r_best ord0 ord0; have := r_best ord_max ord_max; rewrite /l /l' /=.
by case: (r == ord0); rewrite /= ?addr0 ?add0r ler10.
Qed.
