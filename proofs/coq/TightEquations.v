(* SPDX-License-Identifier: MIT *)
(* The equations of a tight-constraints mechanism (after Definition 7), counted.                              *)
(*                                                                                                            *)
(* The unknowns are the entries x(j,l) of a matrix, so an equation is a function of pairs (j,l).              *)
(*   tight_equation i k   x(i,k) - Phi(i,k) x(k,k) = 0, for i different from k: (10) of the paper             *)
(*   row_equation i       sum_k x(i,k) = 1                                                                    *)
(*   independent f        no combination of the f_e vanishes but the trivial one; independent_rank: the       *)
(*                        matrix of their coefficients has as many rows as its rank                           *)
(*   tight_independent    the n (n-1) equations (10) are independent, whatever Phi is                         *)
(*   all_independent      with the n row sums they are so if and only if Phi is not singular                  *)
(*   unique_solution      then they have exactly one solution, of any sign                                    *)
(*   several_solutions    if Phi is singular, a solution is not alone: a line of them                         *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Leakage PrivacyTypes Capacities TightConstraints SmallLevels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Independence.
Variables (R : realFieldType) (E V : finType) (f : E -> V -> R).

(* The rows f_e are linearly independent: sum_e c_e f_e = 0 for c = 0 only. *)
Definition independent := forall c : E -> R, (forall v, \sum_e c e * f e v = 0) -> forall e, c e = 0.

(* The matrix whose rows are the f_e, with a column for each v. *)
Definition coefficients : 'M[R]_(#|E|, #|V|) := \matrix_(e, v) f (enum_val e) (enum_val v).

Lemma sum_enum (T : finType) (F : T -> R) : \sum_(k < #|T|) F (enum_val k) = \sum_k F k.
Proof. by rewrite [RHS](reindex _ (onW_bij _ (enum_val_bij T))). Qed.

Theorem independent_rank : independent <-> \rank coefficients = #|E|.
Proof.
split=> [f_ind|f_rank c c0 e].
  apply/eqP; rewrite -[_ == _]/(row_free coefficients) -kermx_eq0; apply/rowV0P=> u /sub_kermxP u0.
  apply/rowP=> k; rewrite mxE -[k]enum_valK; apply: (f_ind (fun e => u 0 (enum_rank e))) => v.
  move/rowP/(_ (enum_rank v)): u0; rewrite !mxE => u0; rewrite -[RHS]u0 -[LHS]sum_enum; apply: eq_bigr => j _.
  by rewrite enum_valK !mxE enum_rankK.
have : row_free coefficients by rewrite /row_free f_rank.
rewrite -kermx_eq0 => /eqP ker0; have : (\row_j c (enum_val j) <= kermx coefficients)%MS.
  apply/sub_kermxP/rowP=> v; rewrite !mxE -[RHS](c0 (enum_val v)) -[RHS]sum_enum; apply: eq_bigr => j _.
  by rewrite !mxE.
by rewrite ker0 submx0 => /eqP/rowP/(_ (enum_rank e)); rewrite !mxE enum_rankK.
Qed.

End Independence.

Section Equations.
Variables (R : realFieldType) (X : finType) (Phi : X -> X -> R).
Hypotheses (Phi_sym : forall i k, Phi i k = Phi k i) (Phi1 : forall i, Phi i i = 1).

(* The pairs (i, k) with i different from k. *)
Definition off_diagonal : finType := [finType of {ik : X * X | ik.1 != ik.2}].

(* The coefficients of x(i,k) - Phi(i,k) x(k,k), for the pair e = (i, k): the left side of (10), which is to be 0. *)
Definition tight_equation (e : off_diagonal) (jl : X * X) : R :=
  (jl == val e)%:R - Phi (val e).1 (val e).2 * (jl == ((val e).2, (val e).2))%:R.

(* The coefficients of sum_k x(i,k), which is to be 1. *)
Definition row_equation (i : X) (jl : X * X) : R := (jl.1 == i)%:R.

(* Both kinds together: n (n-1) equations (10), one for each pair (i, k), and n row sums, one for each i. *)
Definition all_equations (e : off_diagonal + X) : X * X -> R :=
  match e with inl ik => tight_equation ik | inr i => row_equation i end.

Lemma sum_at (T : finType) (F : T -> R) t : \sum_s (s == t)%:R * F s = F t.
Proof. by rewrite (bigD1 t) //= eqxx mul1r big1 ?addr0 // => s /negPf ->; rewrite mul0r. Qed.

(* What they ask of a matrix M. *)
Lemma tight_equationE (M : X -> X -> R) e :
  \sum_jl tight_equation e jl * M jl.1 jl.2 = M (val e).1 (val e).2 - Phi (val e).1 (val e).2 * M (val e).2 (val e).2.
Proof.
under eq_bigr => jl _ do rewrite mulrBl -mulrA.
by rewrite sumrB -mulr_sumr !(sum_at (fun jl => M jl.1 jl.2)).
Qed.

Lemma row_equationE (M : X -> X -> R) i : \sum_jl row_equation i jl * M jl.1 jl.2 = \sum_k M i k.
Proof.
rewrite -(pair_bigA _ (fun j l => row_equation i (j, l) * M j l)) /= -[RHS](sum_at (fun i => \sum_k M i k)).
by apply: eq_bigr => j _; rewrite mulr_sumr.
Qed.

Lemma tight_equations_iff (M : X -> X -> R) : (forall i k, M i k = Phi i k * M k k) <->
  forall e, \sum_jl tight_equation e jl * M jl.1 jl.2 = 0.
Proof.
split=> [ME e|M0 i k]; first by rewrite tight_equationE {1}ME subrr.
have [<-|ik] := eqVneq i k; first by rewrite Phi1 mul1r.
by have := M0 (exist _ (i, k) ik); rewrite tight_equationE => /eqP; rewrite subr_eq0 => /eqP.
Qed.

Lemma off_diagonal_card : #|off_diagonal| = (#|X| * #|X|.-1)%N.
Proof.
rewrite card_sig; have := cardC [pred ik : X * X | ik.1 == ik.2]; rewrite card_prod.
have -> : #|[pred ik : X * X | ik.1 == ik.2]| = #|X|.
  rewrite -(card_image (f := fun i : X => (i, i))) => [|i j [] //]; apply: eq_card => -[i k]; rewrite !inE /=.
  by apply/eqP/imageP => [->|[j _ [-> ->]]] //; exists k.
case: #|X| => [|n] /= card_eq; last by apply/eqP; rewrite -(eqn_add2l n.+1) -mulnS card_eq.
by move/eqP: card_eq; rewrite muln0 addn_eq0 => /andP[_ /eqP].
Qed.

(* Off the diagonal only one of them speaks of x(j,l). *)
Lemma combination_off (c : off_diagonal -> R) e : \sum_e' c e' * tight_equation e' (val e) = c e.
Proof.
rewrite (bigD1 e) //= big1 ?addr0 => [|e' e'e]; rewrite /tight_equation; have e_off := valP e.
  by rewrite eqxx [val e == _](negPf _) ?mulr0 ?subr0 ?mulr1 //; apply: contraNneq e_off => {1}->.
rewrite (inj_eq val_inj) eq_sym (negPf e'e) [val e == _](negPf _) ?mulr0 ?subr0 ?mulr0 //.
by apply: contraNneq e_off => ->.
Qed.

Theorem tight_independent : independent tight_equation /\ #|off_diagonal| = (#|X| * #|X|.-1)%N.
Proof. by split; [move=> c c0 e; rewrite -(combination_off c) c0 | exact: off_diagonal_card]. Qed.

Lemma sum_off (F : X * X -> R) : \sum_(e : off_diagonal) F (val e) = \sum_i \sum_(k | i != k) F (i, k).
Proof.
rewrite pair_big_dep /=.
rewrite (reindex_omap (val : off_diagonal -> X * X) insub) => [|ik ik_off]; last by rewrite insubT.
by apply: eq_big => [e|e _]; [rewrite /= (valP e) valK eqxx | rewrite -surjective_pairing].
Qed.

(* On the diagonal those of one column do. *)
Lemma combination_diagonal (C : X * X -> R) l :
  \sum_(e : off_diagonal) C (val e) * tight_equation e (l, l) = - \sum_(i | i != l) C (i, l) * Phi i l.
Proof.
rewrite (sum_off (fun ik => C ik * (((l, l) == ik)%:R - Phi ik.1 ik.2 * ((l, l) == (ik.2, ik.2))%:R))) -sumrN [RHS]big_mkcond /=.
apply: eq_bigr => i _; case: ifP => [il|/negbFE/eqP ->].
  rewrite (bigD1 l) //= big1 ?addr0 => [|k /andP[ik kl]].
    by rewrite eqxx mulr1 -[(l, l) == _]/((l == i) && (l == l)) [l == i]eq_sym (negPf il) sub0r mulrN.
  by rewrite -!pair_eqE /= ![l == k]eq_sym (negPf kl) !andbF mulr0 subrr mulr0.
rewrite big1 // => k lk; by rewrite -!pair_eqE /= (negPf lk) !andbF mulr0 subrr mulr0.
Qed.

Lemma row_combination (b : X -> R) j l : \sum_i b i * row_equation i (j, l) = b j.
Proof. by rewrite -[RHS](sum_at b); apply: eq_bigr => i _; rewrite /row_equation /= eq_sym mulrC. Qed.

Theorem all_independent : independent all_equations <-> nonsingular Phi.
Proof.
have split_sum (c : off_diagonal + X -> R) jl : \sum_e c e * all_equations e jl =
    \sum_e c (inl e) * tight_equation e jl + \sum_i c (inr i) * row_equation i jl by rewrite big_sumType.
have diagonal b l : \sum_(e : off_diagonal) - b (val e).1 * tight_equation e (l, l) + \sum_i b i * row_equation i (l, l) =
    \sum_k Phi l k * b k.
  rewrite (combination_diagonal (fun ik => - b ik.1)) row_combination [RHS](bigD1 l) //= Phi1 mul1r addrC; congr (_ + _).
  by rewrite -sumrN; apply: eq_bigr => i _; rewrite mulNr opprK [Phi l i]Phi_sym mulrC.
split=> [all_ind b b0 k|Phi_inj c c0].
  pose c (e : off_diagonal + X) := match e with inl ik => - b (val ik).1 | inr i => b i end.
  apply: (all_ind c _ (inr k)) => -[j l]; rewrite split_sum /=; have [->|jl] := eqVneq j l; first by rewrite diagonal.
  have := combination_off (fun e => - b (val e).1) (exist _ (j, l) jl); rewrite /= => ->.
  by rewrite row_combination addNr.
have c_off e : c (inl e) = - c (inr (val e).1).
  have := c0 (val e); rewrite split_sum (combination_off (fun e => c (inl e))).
  by case: (val e) => j l /=; rewrite row_combination => /eqP; rewrite addr_eq0 => /eqP.
have c_row k : c (inr k) = 0.
  apply: (Phi_inj (fun k => c (inr k))) => l; rewrite -diagonal -[RHS](c0 (l, l)) split_sum.
  by congr (_ + _); apply: eq_bigr => e _; rewrite c_off.
by case=> [e|k]; rewrite ?c_off ?c_row ?oppr0.
Qed.

(* ---- Solutions, of any sign ---- *)
(* M satisfies (10) and its rows have the sum 1; its entries may be negative. *)
Definition solution (M : X -> X -> R) := (forall i k, M i k = Phi i k * M k k) /\ forall i, \sum_k M i k = 1.

Lemma nonsingular_solves b : nonsingular Phi -> exists z, forall i, \sum_k Phi i k * z k = b i.
Proof.
move=> Phi_inj; pose A : 'M[R]_#|X| := \matrix_(i, k) Phi (enum_val i) (enum_val k).
have A_unit : A \in unitmx.
  apply/(nonsingularP (fun i k => Phi (enum_val i) (enum_val k))) => c c0 k; rewrite -[k]enum_valK.
  apply: (Phi_inj (fun k => c (enum_rank k))) => i; rewrite -[RHS](c0 (enum_rank i)) -[LHS]sum_enum.
  by apply: eq_bigr => j _; rewrite enum_valK enum_rankK.
exists (fun k => (invmx A *m \col_j b (enum_val j)) (enum_rank k) 0) => i.
have /colP/(_ (enum_rank i)) := mulKVmx A_unit (\col_j b (enum_val j)); rewrite !mxE enum_rankK => b_i.
by rewrite -[RHS]b_i -[LHS]sum_enum; apply: eq_bigr => j _; rewrite enum_valK !mxE enum_rankK.
Qed.

Theorem unique_solution : nonsingular Phi ->
  exists2 M, solution M & forall N, solution N -> forall i k, N i k = M i k.
Proof.
move=> Phi_inj; have [z z_sum] := nonsingular_solves (fun=> 1) Phi_inj.
exists (scaled Phi z) => [|N [NE N_sum] i k]; first by split=> // i k; rewrite /scaled Phi1 mul1r.
have -> : N i k = Phi i k * N k k by exact: NE.
congr (_ * _); apply/eqP; rewrite -subr_eq0; apply/eqP.
apply: (Phi_inj (fun k => N k k - z k)) => {k} j; under eq_bigr => k _ do rewrite mulrBr -NE.
by rewrite sumrB N_sum z_sum subrr.
Qed.

(* Phi c = 0: from one solution a line of solutions, different where c is not 0. *)
Theorem several_solutions M c t : solution M -> (forall i, \sum_k Phi i k * c k = 0) ->
  solution (fun i k => M i k + t * (Phi i k * c k)).
Proof.
move=> [ME M_sum] c0; split=> [i k|i]; first by rewrite Phi1 mul1r mulrDr -ME mulrCA.
by rewrite big_split /= M_sum -mulr_sumr c0 mulr0 addr0.
Qed.

Lemma tight_solution M : tight Phi M <-> solution M /\ forall i k, 0 <= M i k.
Proof. by split=> [[[M_ge0 M_sum1] ME]|[[ME M_sum1] M_ge0]]. Qed.

End Equations.
