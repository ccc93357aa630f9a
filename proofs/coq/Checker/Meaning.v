(* SPDX-License-Identifier: MIT *)
(* What a claim means, in the words of the theory: this page and Mechanism.v are all that a reader of an      *)
(* accepted certificate has to believe in besides the reader of files.                                        *)
(*                                                                                                            *)
(* R is any ordered field: "no mechanism" speaks of all mechanisms with real numbers, too.                    *)
(*   entry, matrix_of        the numbers of a table; theorems say that the named ones are those of the theory *)
(*   private_for             privacy for pairs with distances; for a graph it is [private_on] of Mechanism.v, *)
(*                           for a path [private]                                                             *)
(*   meaning                 the statement of a claim                                                         *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism Form Geometric Losses MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Syntax.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Meaning.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).

Definition vector_entry (v : vector) (j : nat) : R := of_Z (at_index (terms v) j) / of_Z (Zpos (unit v)).

Definition entry (e : entries) (i j : nat) : R :=
  match e with
  | Listed rows => vector_entry (nth (Vector 1 [::]) rows i) j
  | Geometric n a => of_Q a ^+ dist i j * scale (of_Q a) n j
  | AbsLoss => (dist i j)%:R
  | SquaredLoss => (dist i j)%:R ^+ 2
  | ZeroOneLoss => (i != j)%:R
  end.

Definition matrix_of p m (e : entries) : 'M[R]_(p, m) := \matrix_(i, j) entry e i j.

(* Pairs are constrained in both orders, at level a^d.  A distance d = p/q stands for x_ir^q >= a^p x_jr^q. *)
Definition constrained (near : neighbours) (i j : nat) (d : Q) :=
  let pair x y := ((N.of_nat x, N.of_nat y), d) in
  List.In (pair i j) (pairs near) \/ List.In (pair j i) (pairs near).

Definition private_for (near : neighbours) p m (a : R) (X : 'M[R]_(p, m)) :=
  forall (i j : 'I_p) d r, constrained near i j d ->
    a ^+ Z.to_nat (Qnum d) * X j r ^+ Pos.to_nat (Qden d) <= X i r ^+ Pos.to_nat (Qden d).

Definition mechanism_for near p m a (X : 'M[R]_(p, m)) := stochastic X /\ private_for near a X.

(* The loss is at most v; it is v. *)
Definition loss_le p m (c : consumer) (X : 'M[R]_(p, m)) (v : R) :=
  let l := matrix_of p m (content (loss_of c)) in
  match c with
  | Minimax _ side => worst_loss_le [set i : 'I_p | has (N.eqb (N.of_nat i)) side] l X v
  | Bayesian _ prior => bayes_loss (vector_entry prior) l X <= v
  end.

Definition loss_is p m (c : consumer) (X : 'M[R]_(p, m)) (v : R) :=
  loss_le c X v /\ forall u, loss_le c X u -> v <= u.

(* Side information is not empty; a prior is a distribution. *)
Definition proper p (c : consumer) :=
  match c with
  | Minimax _ side => exists i : 'I_p, has (N.eqb (N.of_nat i)) side
  | Bayesian _ prior => distribution (fun i : 'I_p => vector_entry prior i)
  end.

(* No private mechanism whose outputs are the guesses has a loss below v. *)
Definition none_below near p m (a : R) (c : consumer) (v : R) :=
  forall X : 'M[R]_(p, m), mechanism_for near a X -> forall u, loss_le c X u -> v <= u.

(* No remap of the outputs of M to the guesses brings the loss below v. *)
Definition none_below_remap p q m (M : 'M[R]_(p, q)) (c : consumer) (v : R) :=
  forall T : 'M[R]_(q, m), stochastic T -> forall u, loss_le c (M *m T) u -> v <= u.

Definition meaning (c : claim) : Prop :=
  match c with
  | NotStochastic t =>
      ~ stochastic (matrix_of (size (inputs t)) (size (outputs t)) (content t))
  | Private m near a =>
      [/\ inputs m = vertices near, 0 < of_Q a < 1 &
          mechanism_for near (of_Q a) (matrix_of (size (inputs m)) (size (outputs m)) (content m))]
  | NotPrivate m near a =>
      let X := matrix_of (size (inputs m)) (size (outputs m)) (content m) in
      [/\ inputs m = vertices near, 0 < of_Q a < 1, stochastic X & ~ private_for near (of_Q a) X]
  | Level m near ratio d =>
      let X := matrix_of (size (inputs m)) (size (outputs m)) (content m) in
      [/\ inputs m = vertices near, stochastic X, 0 <= of_Q ratio <= 1 &
          forall b, 0 < b < 1 -> private_for near b X <-> b ^+ Z.to_nat (Qnum d) <= of_Q ratio ^+ Pos.to_nat (Qden d)]
  | Derivable a b =>
      let p := size (inputs a) in
      let A := matrix_of p (size (outputs a)) (content a) in
      let B := matrix_of p (size (outputs b)) (content b) in
      [/\ inputs a = inputs b, stochastic A, stochastic B & derivable A B]
  | NotDerivable a b =>
      let p := size (inputs a) in
      let A := matrix_of p (size (outputs a)) (content a) in
      let B := matrix_of p (size (outputs b)) (content b) in
      [/\ inputs a = inputs b, stochastic A, stochastic B & ~ derivable A B]
  | Optimal near a c v None =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      [/\ inputs (loss_of c) = vertices near, 0 < of_Q a < 1, proper p c,
          none_below near p m (of_Q a) c (of_Q v) &
          exists X : 'M[R]_(p, m), mechanism_for near (of_Q a) X /\ loss_is c X (of_Q v)]
  | Optimal near a c v (Some t) =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      let X := matrix_of p m (content t) in
      [/\ [/\ inputs (loss_of c) = vertices near, inputs t = vertices near & outputs t = outputs (loss_of c)],
          0 < of_Q a < 1, proper p c, none_below near p m (of_Q a) c (of_Q v) &
          mechanism_for near (of_Q a) X /\ loss_is c X (of_Q v)]
  | NotOptimal near a c v t loss gap =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      let X := matrix_of p m (content t) in
      [/\ [/\ inputs (loss_of c) = vertices near, inputs t = vertices near & outputs t = outputs (loss_of c)],
          0 < of_Q a < 1 /\ proper p c,
          none_below near p m (of_Q a) c (of_Q v),
          exists Y : 'M[R]_(p, m), mechanism_for near (of_Q a) Y /\ loss_is c Y (of_Q v) &
          [/\ mechanism_for near (of_Q a) X, loss_is c X (of_Q loss), of_Q gap = of_Q loss - of_Q v & 0 < of_Q gap]]
  | OptimalRemap t c v remap =>
      let p := size (inputs t) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      let M := matrix_of p q (content t) in
      [/\ inputs (loss_of c) = inputs t, stochastic M, proper p c, none_below_remap m M c (of_Q v) &
          match remap with
          | None => exists T : 'M[R]_(q, m), stochastic T /\ loss_is c (M *m T) (of_Q v)
          | Some r => let T := matrix_of q m (content r) in
              [/\ inputs r = outputs t, outputs r = outputs (loss_of c), stochastic T & loss_is c (M *m T) (of_Q v)]
          end]
  | NotOptimalRemap t c v r loss gap =>
      let p := size (inputs t) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      let M := matrix_of p q (content t) in let T := matrix_of q m (content r) in
      [/\ [/\ inputs (loss_of c) = inputs t, inputs r = outputs t & outputs r = outputs (loss_of c)],
          stochastic M /\ proper p c,
          none_below_remap m M c (of_Q v) /\ exists S : 'M[R]_(q, m), stochastic S /\ loss_is c (M *m S) (of_Q v),
          stochastic T /\ loss_is c (M *m T) (of_Q loss) &
          of_Q gap = of_Q loss - of_Q v /\ 0 < of_Q gap]
  | OptimalAfterRemap near a c v t =>
      let p := size (vertices near) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      let M := matrix_of p q (content t) in
      [/\ inputs (loss_of c) = vertices near /\ inputs t = vertices near, 0 < of_Q a < 1 /\ proper p c,
          none_below near p m (of_Q a) c (of_Q v), mechanism_for near (of_Q a) M &
          exists T : 'M[R]_(q, m), stochastic T /\ loss_is c (M *m T) (of_Q v)]
  | NotOptimalAfterRemap near a c v t loss gap =>
      let p := size (vertices near) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      let M := matrix_of p q (content t) in
      [/\ [/\ inputs (loss_of c) = vertices near, inputs t = vertices near, 0 < of_Q a < 1 & proper p c],
          none_below near p m (of_Q a) c (of_Q v) /\
          (exists Y : 'M[R]_(p, m), mechanism_for near (of_Q a) Y /\ loss_is c Y (of_Q v)),
          mechanism_for near (of_Q a) M,
          none_below_remap m M c (of_Q loss) /\
          (exists T : 'M[R]_(q, m), stochastic T /\ loss_is c (M *m T) (of_Q loss)) &
          of_Q gap = of_Q loss - of_Q v /\ 0 < of_Q gap]
  end.

(* The named tables are those of the theory. *)
Theorem geometric_is n a : matrix_of n.+1 n.+1 (Geometric n a) = geometric n (of_Q a).
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Theorem abs_loss_is p m : matrix_of p m AbsLoss = absolute_loss R p m.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Theorem squared_loss_is p m : matrix_of p m SquaredLoss = squared_loss R p m.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Theorem zero_one_loss_is p m : matrix_of p m ZeroOneLoss = zero_one_loss R p m.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

(* Where all distances are 1, [private_for] is the theory's privacy on a graph. *)
Definition is_pair (i j : nat) (e : N * N * Q) := N.eqb e.1.1 (N.of_nat i) && N.eqb e.1.2 (N.of_nat j).

Definition adjacent p (near : neighbours) : rel 'I_p :=
  fun i j => has (is_pair i j) (pairs near) || has (is_pair j i) (pairs near).

Definition all_one (near : neighbours) := forall e, List.In e (pairs near) -> e.2 = Qmake 1 1.

Lemma has_pair near i j : all_one near ->
  has (is_pair i j) (pairs near) <-> List.In ((N.of_nat i, N.of_nat j), Qmake 1 1) (pairs near).
Proof.
move=> one; rewrite has_In; split=> [[[[x y] d] e_in /andP[/N.eqb_eq/= <- /N.eqb_eq/= <-]]|e_in].
  by have /= <- := one _ e_in.
by exists ((N.of_nat i, N.of_nat j), Qmake 1 1); rewrite // /is_pair /= !N.eqb_refl.
Qed.

Lemma constrained_adjacent p near (i j : 'I_p) : all_one near ->
  adjacent near i j <-> constrained near i j (Qmake 1 1).
Proof.
move=> one; rewrite /adjacent /constrained -!has_pair //; split=> [/orP//|ij]; exact/orP.
Qed.

Theorem private_for_graph near p m (a : R) (X : 'M[R]_(p, m)) : all_one near ->
  private_for near a X <-> private_on (adjacent near) a X.
Proof.
move=> one; split=> [X_priv i j r /(constrained_adjacent i j one) ij | X_priv i j d r ij].
  by have := X_priv i j (Qmake 1 1) r ij; rewrite !expr1.
have d1 : d = Qmake 1 1 by case: ij => /one.
by rewrite d1 !expr1; apply: X_priv; apply/(constrained_adjacent i j one); rewrite -d1.
Qed.

End Meaning.
