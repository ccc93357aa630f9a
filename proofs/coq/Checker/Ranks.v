(* SPDX-License-Identifier: MIT *)
(* Linear equations that have no solution but 0, shown by elimination modulo a number (SPEC, section 4.5).    *)
(*                                                                                                            *)
(* An equation is a row e of integers for n unknowns: sum_j e_j d_j = 0.  Modulo p rows are brought into the  *)
(* shape of a triangle with ones on its diagonal.  Then some n combinations of the equations with integer     *)
(* coefficients have a determinant that is 1 modulo p, so it is not 0: d = 0 in every ordered field.  (p need *)
(* not be a prime; that is only what makes numbers invertible.)                                               *)
(*   only_zero n es      decides, by elimination modulo 2^61 - 1, that these equations have no other solution *)
(*   only_zeroP          if it says yes, then every solution is 0                                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField.
From ExactDP.Checker Require Import Numbers Rows.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition modulus : positive := 2305843009213693951.

(* The numbers of a row modulo p; zeros are left out. *)
Fixpoint modulo (p : Z) (r : row) : row :=
  match r with
  | [::] => [::]
  | t :: r' => let z := (t.2 mod p)%Z in if (z =? 0)%Z then modulo p r' else (t.1, z) :: modulo p r'
  end.

Fixpoint power_modulo (p x : Z) (e : positive) : Z :=
  match e with
  | xH => x
  | xO e' => power_modulo p ((x * x) mod p) e'
  | xI e' => ((x * power_modulo p ((x * x) mod p) e') mod p)%Z
  end.

(* The row with 1 as its first number, if p is a prime. *)
Definition normal (p : positive) (r : row) : row :=
  match r with
  | [::] => [::]
  | t :: _ => modulo (Zpos p) (scale_row (power_modulo (Zpos p) t.2 (p - 2)) r)
  end.

Arguments normal : simpl never.
#[local] Arguments combine : simpl never.

(* The rows of a triangle, by increasing first index, and one more. *)
Fixpoint insert (p : positive) (r : row) (pivots : seq row) : seq row :=
  match r with
  | [::] => pivots
  | t :: _ =>
    match pivots with
    | (s :: _) as q :: rest =>
      match N.compare t.1 s.1 with
      | Lt => normal p r :: pivots
      | Eq => q :: insert p (modulo (Zpos p) (combine 1 r (- t.2) q)) rest
      | Gt => q :: insert p r rest
      end
    | _ => normal p r :: pivots
    end
  end.

(* Row number k begins with 1 at k. *)
Fixpoint is_triangle (k : N) (pivots : seq row) : bool :=
  match pivots with
  | [::] => true
  | q :: rest =>
    match q with
    | t :: r => [&& N.eqb t.1 k, (t.2 =? 1)%Z & all (fun s => (k <? s.1)%num) r] && is_triangle (N.succ k) rest
    | [::] => false
    end
  end.

Definition triangle (p : positive) (es : seq row) : seq row :=
  foldl (fun pivots e => insert p (modulo (Zpos p) e) pivots) [::] es.

(* Short equations come first, so that rows stay short. *)
Definition ordered (es : seq row) : seq row := sort (fun x y => (size x <= size y)%N) es.

Definition only_zero (n : nat) (es : seq row) : bool :=
  let pivots := triangle modulus (ordered es) in (size pivots == n) && is_triangle 0 pivots.

Section Ranks.
Variables (R : realFieldType) (p : positive).
Hypothesis p_gt1 : (1 < p)%positive.
Local Notation of_Z := (of_Z R).
Add Field R_field : (field_theory_of R).

Definition holds n (d : 'I_n -> R) (e : row) : bool := \sum_(j < n) of_Z (at_index e j) * d j == 0.

(* ---- The integers as those of mathcomp ---- *)
Definition int_of (z : Z) : int :=
  match z with
  | Z0 => 0
  | Zpos q => (Pos.to_nat q)%:Z
  | Zneg q => - (Pos.to_nat q)%:Z
  end.

Lemma int_ofE (z : Z) : (int_of z)%:~R = of_Z z.
Proof. by case: z => [|q|q] //=; rewrite mulrNz. Qed.

(* ---- A triangle modulo p is a non-singular matrix ---- *)
Lemma intr_Zp_p : ((Pos.to_nat p)%:Z)%:~R = 0 :> 'Z_(Pos.to_nat p).
Proof. by rewrite -pmulrn char_Zp //; apply/ssrnat.ltP; lia. Qed.

Lemma triangle_det n (A : 'M[int]_n) (K : 'M[int]_n) (U : 'M[int]_n) :
  A = U + (Pos.to_nat p)%:Z *: K -> (forall i, U i i = 1) -> (forall i j : 'I_n, (j < i)%N -> U i j = 0) -> \det A != 0.
Proof.
move=> A_is diag lower; apply/eqP => det0.
have : \det (map_mx (intr : int -> 'Z_(Pos.to_nat p)) A^T) = 0 by rewrite det_map_mx det_tr det0.
rewrite det_trig; last first.
  apply/is_trig_mxP => i j ij; rewrite !mxE A_is !mxE lower //.
  by rewrite add0r rmorphM /= intr_Zp_p mul0r.
rewrite big1 => [|i _]; first by move/eqP; rewrite oner_eq0.
by rewrite !mxE A_is !mxE diag rmorphD rmorphM /= intr_Zp_p mul0r addr0.
Qed.

Lemma nonsingular n (A : 'M[int]_n) (d : 'I_n -> R) : \det A != 0 ->
  (forall i, \sum_j (A i j)%:~R * d j = 0) -> forall j, d j = 0.
Proof.
move=> det_neq0 sol j; pose B := map_mx (intr : int -> R) A; pose x : 'cV[R]_n := \col_j d j.
have B_unit : B \in unitmx by rewrite unitmxE det_map_mx unitfE intr_eq0.
have Bx : B *m x = 0 by apply/matrixP=> i k; rewrite !mxE -[RHS](sol i); apply: eq_bigr => y _; rewrite !mxE.
by have := congr1 (fun y => invmx B *m y) Bx; rewrite mulKmx // mulmx0 => /matrixP/(_ j 0); rewrite !mxE.
Qed.

(* ---- What elimination keeps: every row is, modulo p, a row that the solution satisfies ---- *)
Section Solution.
Variables (n : nat) (d : 'I_n -> R).

Definition lifts (r : row) : Prop :=
  exists k : nat -> Z, \sum_(j < n) of_Z (at_index r j + Zpos p * k j)%Z * d j = 0.

Lemma holds_lifts r : holds d r -> lifts r.
Proof.
move/eqP=> r0; exists (fun=> 0%Z); rewrite -[RHS]r0; apply: eq_bigr => j _.
by rewrite Z.mul_0_r Z.add_0_r.
Qed.

Lemma at_modulo q r j : exists k, at_index (modulo q r) j = (at_index r j + q * k)%Z.
Proof.
elim: r => [|t r [k IHr]]; first by exists 0%Z; rewrite Z.mul_0_r.
rewrite [modulo _ _]/=; have [l t_mod] : exists l, (t.2 mod q = t.2 + q * l)%Z.
  have [->|q_neq0] := Z.eq_dec q 0; first by rewrite Zmod_0_r; exists 0%Z; lia.
  by exists (- (t.2 / q))%Z; rewrite Z.mod_eq //; lia.
rewrite t_mod [at_index (t :: r) j]/=; case: Z.eqb_spec => [z0|_]; rewrite /= IHr.
  by case: N.eqb; [exists (k + l)%Z | exists k]; lia.
by case: N.eqb; [exists (k + l)%Z | exists k]; lia.
Qed.

Lemma lifts_same r s : (forall j, exists k, at_index s j = (at_index r j + Zpos p * k)%Z) -> lifts r -> lifts s.
Proof.
move=> same [k r0]; exists (fun j => ((at_index r j + Zpos p * k j - at_index s j) / Zpos p)%Z).
rewrite -[RHS]r0; apply: eq_bigr => j _; congr (of_Z _ * _); have [l ->] := same j.
rewrite (_ : (_ + Zpos p * k j - _)%Z = ((k j - l) * Zpos p)%Z); last by lia.
by rewrite Z.div_mul //; lia.
Qed.

Lemma lifts_modulo r : lifts r -> lifts (modulo (Zpos p) r).
Proof. by apply: lifts_same => j; exact: at_modulo. Qed.

Lemma lifts_combine a x b y : lifts x -> lifts y -> lifts (combine a x b y).
Proof.
move=> [k]; set X := bigop _ _ _ => x0 [l]; set Y := bigop _ _ _ => y0; exists (fun j => (a * k j + b * l j)%Z).
transitivity (of_Z a * X + of_Z b * Y); last by rewrite x0 y0 !mulr0 addr0.
rewrite /X /Y !mulr_sumr -[RHS]big_split; apply: eq_bigr => j _.
by rewrite at_combine !(of_ZD, of_ZM) /=; by_ring R.
Qed.

Lemma lifts_scale a x : lifts x -> lifts (scale_row a x).
Proof.
move=> [k]; set X := bigop _ _ _ => x0; exists (fun j => (a * k j)%Z).
transitivity (of_Z a * X); last by rewrite x0 mulr0.
by rewrite /X mulr_sumr; apply: eq_bigr => j _; rewrite at_scale !(of_ZD, of_ZM); by_ring R.
Qed.

Lemma lifts_normal r : lifts r -> lifts (normal p r).
Proof. by case: r => [|t r] // r_ok; apply: lifts_modulo; exact: lifts_scale. Qed.

Lemma insert_lifts r pivots : lifts r -> (forall q, List.In q pivots -> lifts q) ->
  forall q, List.In q (insert p r pivots) -> lifts q.
Proof.
elim: pivots r => [|q pivots IHpivots] [|t r] r_ok qs_ok s //=.
- by case=> [<-|//]; exact: lifts_normal.
- exact: qs_ok.
have q_ok : lifts q by apply: qs_ok; left.
have rest_ok x : List.In x pivots -> lifts x by move=> x_in; apply: qs_ok; right.
case: q q_ok qs_ok => [|u q] q_ok qs_ok.
  by case=> [<-|s_in]; [exact: lifts_normal | exact: qs_ok].
case: N.compare => /=.
- by case=> [<- //|]; apply: IHpivots => //; apply: lifts_modulo; exact: lifts_combine.
- by case=> [<-|s_in]; [exact: lifts_normal | exact: qs_ok].
- by case=> [<- //|]; exact: IHpivots.
Qed.

Lemma triangle_lifts es : (forall e, List.In e es -> lifts e) -> forall q, List.In q (triangle p es) -> lifts q.
Proof.
rewrite /triangle; have : forall q, List.In q [::] -> lifts q by [].
elim: es [::] => [|e es IHes] pivots pivots_ok es_ok //=; apply: IHes => [|x x_in]; last by apply: es_ok; right.
by apply: insert_lifts => //; apply: lifts_modulo; apply: es_ok; left.
Qed.

Lemma at_above k r j : all (fun s : N * Z => (k <? s.1)%num) r -> (N.of_nat j <= k)%num -> at_index r j = 0%Z.
Proof. by elim: r => [|s r IHr] //= /andP[/N.ltb_lt ks /IHr IH] jk; rewrite IH //; case: N.eqb_spec => //; lia. Qed.

Lemma at_triangle k pivots i : is_triangle (N.of_nat k) pivots -> (i < size pivots)%N ->
  at_index (nth [::] pivots i) (k + i) = 1%Z /\ forall j, (j < k + i)%N -> at_index (nth [::] pivots i) j = 0%Z.
Proof.
elim: pivots k i => [|q pivots IHpivots] k i //=; case: q => [|t r] // /andP[/and3P[/N.eqb_eq tk /Z.eqb_eq t1 above] rest].
case: i => [_|i i_lt] /=; last by rewrite -addSnnS; apply: IHpivots => //; rewrite Nat2N.inj_succ.
rewrite addn0 tk N.eqb_refl (at_above above) ?t1; last by lia.
split=> // j jk; rewrite (at_above above); last by nat_lia.
by case: N.eqb_spec => // /Nat2N.inj e; rewrite e ltnn in jk.
Qed.

Theorem triangle_only_zero es : (forall e, List.In e es -> holds d e) -> size (triangle p es) = n ->
  is_triangle 0 (triangle p es) -> forall j, d j = 0.
Proof.
move=> es_ok size_t tri; set pivots := triangle p es in size_t tri *.
have pivot_ok (i : 'I_n) : lifts (nth [::] pivots i).
  have q_in : List.In (nth [::] pivots i) pivots.
    have : (i < size pivots)%N by rewrite size_t.
    by elim: (pivots) (val i) => [|q s IHs] [|k] //= k_lt; [left | right; exact: IHs].
  by apply: triangle_lifts q_in => e /es_ok; exact: holds_lifts.
have [k k_ok] := fin_all_exists pivot_ok.
pose U : 'M[int]_n := \matrix_(i, j) int_of (at_index (nth [::] pivots i) j).
pose K : 'M[int]_n := \matrix_(i, j) int_of (k i j).
apply: (@nonsingular n (U + (Pos.to_nat p)%:Z *: K)).
  have at_pivot (i : 'I_n) : (i < size pivots)%N by rewrite size_t.
  apply: (@triangle_det n _ K U) => [//|i|i j ji]; rewrite mxE; have [one before] := @at_triangle 0 _ _ tri (at_pivot i).
    by rewrite one.
  by rewrite before.
move=> i; rewrite -[RHS](k_ok i); apply: eq_bigr => j _; rewrite of_ZD of_ZM !mxE rmorphD rmorphM /= !int_ofE.
by rewrite -pmulrn.
Qed.

End Solution.
End Ranks.

Theorem only_zeroP (R : realFieldType) n (d : 'I_n -> R) es : only_zero n es -> all (holds d) es -> forall j, d j = 0.
Proof.
case/andP=> /eqP size_t tri es_ok; have sorted_ok : forall e, List.In e (ordered es) -> holds d e by apply/all_In; rewrite all_sort.
have gt1 : (1 < modulus)%positive by [].
by move: size_t tri; exact: (@triangle_only_zero R modulus gt1 n d (ordered es) sorted_ok).
Qed.
