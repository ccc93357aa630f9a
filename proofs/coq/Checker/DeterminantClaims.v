(* SPDX-License-Identifier: MIT *)
(* Claims about determinants (SPEC, section 4.12): of a matrix of rational functions of a number a, one       *)
(* column of which may be replaced by a vector x.                                                             *)
(* What they mean is stated here; what decides them is in DeterminantCheck.v.                                 *)
(*   polynomial_at, form_at    the value of a polynomial in a, of a polynomial in a and x                     *)
(*   matrix_at, defined_at     the matrix at a; no denominator of it is 0 at a                                *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import Mechanism Form Geometric.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

(* A polynomial is the list of its coefficients, the constant first; a form is a sum of terms, each a         *)
(* polynomial in a times a product of x_j.                                                                    *)
Definition polynomial := seq Z.
Definition form := seq (seq N * polynomial).

(* Rows are polynomials over a denominator; or the matrix is one of the theory: a^|i-j|, and the geometric    *)
(* mechanism, of order n + 1.                                                                                 *)
Inductive square :=
| ByRows (rows : seq (polynomial * seq polynomial))
| PowersOf (n : nat)
| GeometricOf (n : nat).

Definition order (M : square) : nat :=
  match M with ByRows rows => size rows | PowersOf n => n.+1 | GeometricOf n => n.+1 end.

(* A matrix, the column that is replaced, and the formula: a numerator over a denominator. *)
Record question := Question { matrix : square; column : option N; numerator : form; denominator : form }.

Inductive claim : Type :=
| IsDeterminant (q : question)
| IsNotDeterminant (q : question) (a : Q) (x : seq Q) (determinant value : Q).

(* ---- What is read ---- *)
Definition names_in (v : json) : seq text := [::].

Definition polynomial_of (v : json) : option polynomial :=
  let! vs := array_of v in let! zs := all_of number_of vs in demand ~~ (last 1 zs =? 0)%Z in Some zs.

Definition nonzero_of (v : json) : option polynomial :=
  let! p := polynomial_of v in demand (0 < size p)%N in Some p.

(* Products of x_j: the indices do not decrease; a shorter one is before a longer one, then the order is that *)
(* of words.                                                                                                  *)
Fixpoint ascending (s : seq N) : bool :=
  match s with
  | i :: (j :: _) as s' => (i <=? j)%num && ascending s'
  | _ => true
  end.

Fixpoint before (s t : seq N) : bool :=
  match s, t with
  | i :: s', j :: t' => (i <? j)%num || (N.eqb i j && before s' t')
  | _, _ => false
  end.

Fixpoint terms_increase (f : form) : bool :=
  match f with
  | s :: (t :: _) as f' =>
      ((size s.1 < size t.1)%N || ((size s.1 == size t.1) && before s.1 t.1)) && terms_increase f'
  | _ => true
  end.

Definition term_of (m : nat) (v : json) : option (seq N * polynomial) :=
  let! ms := object_of [:: "x" : text; "a" : text] [::] v in
  let! x := find_key "x" ms in let! vs := array_of x in let! js := all_of (index_of (N.of_nat m)) vs in
  let! a := find_key "a" ms in let! p := nonzero_of a in
  demand ascending js in Some (js, p).

Definition form_of (m : nat) (v : json) : option form :=
  let! vs := array_of v in let! f := all_of (term_of m) vs in demand terms_increase f in Some f.

Definition line_of (m : nat) (v : json) : option (polynomial * seq polynomial) :=
  let! ms := object_of [:: "den" : text; "num" : text] [::] v in
  let! d := find_key "den" ms in let! den := nonzero_of d in
  let! n := find_key "num" ms in let! vs := array_of n in let! num := all_of polynomial_of vs in
  demand size num == m in Some (den, num).

(* A limit of this checker: named matrices of orders up to 200. *)
Definition square_of (v : json) : option square :=
  let t := type_of v in
  if same t "rows" then
    let! ms := object_of [:: "type" : text; "rows" : text] [::] v in
    let! r := find_key "rows" ms in let! vs := array_of r in
    demand (0 < size vs)%N in let! rows := all_of (line_of (size vs)) vs in Some (ByRows rows)
  else if same t "geometric-prime" || same t "geometric" then
    let! ms := object_of [:: "type" : text; "n" : text] [::] v in
    let! k := find_key "n" ms in let! n := index_of 200 k in
    Some (if same t "geometric" then GeometricOf (N.to_nat n) else PowersOf (N.to_nat n))
  else None.

Definition question_of (ms : seq (text * json)) : option question :=
  let! a := find_key "matrix" ms in let! M := square_of a in
  let! c := optional (index_of (N.of_nat (order M))) "column" ms in
  let symbols := if c is Some _ then order M else 0%N in
  let! f := find_key "formula" ms in let! fs := object_of [:: "num" : text; "den" : text] [::] f in
  let! n := find_key "num" fs in let! num := form_of symbols n in
  let! d := find_key "den" fs in let! den := form_of symbols d in
  Some (Question M c num den).

Definition numbers_of (m : nat) (v : json) : option (seq Q) :=
  let! vs := array_of v in let! xs := all_of scalar_of vs in demand size xs == m in Some xs.

Definition point_of (q : question) (v : json) : option (Q * seq Q) :=
  let! ms := object_of [:: "a" : text] [:: "x" : text] v in
  let! a := find_key "a" ms in let! a := level_of a in
  match column q, find_key "x" ms with
  | None, None => Some (a, [::])
  | Some _, Some x => let! xs := numbers_of (order (matrix q)) x in Some (a, xs)
  | _, _ => None
  end.

Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    if same k "determinant" then
      let! _ := object_of [:: "kind" : text; "matrix" : text; "formula" : text] [:: "column" : text] v in
      demand (size defs == 0)%N in let! q := question_of ms in Some (IsDeterminant q)
    else if same k "not-determinant" then
      let! _ := object_of [:: "kind" : text; "matrix" : text; "formula" : text; "point" : text; "determinant" : text; "value" : text]
                          [:: "column" : text] v in
      demand (size defs == 0)%N in let! q := question_of ms in
      let! y := find_key "point" ms in let! (a, x) := point_of q y in
      let! d := scalar_at "determinant" ms in let! w := scalar_at "value" ms in Some (IsNotDeterminant q a x d w)
    else None
  | _ => None
  end.

(* ---- What it means ---- *)
Section Meaning.
Import GRing.Theory.
Local Open Scope ring_scope.
Variable R : realFieldType.

(* c_0 + a (c_1 + a (c_2 + ...)) *)
Definition polynomial_at (p : polynomial) (a : R) : R := foldr (fun c y => of_Z R c + a * y) 0 p.

Definition form_at (f : form) (a : R) (x : nat -> R) : R :=
  \sum_(t <- f) polynomial_at t.2 a * \prod_(j <- t.1) x (N.to_nat j).

Definition matrix_at (M : square) (a : R) : 'M[R]_(order M) :=
  match M with
  | ByRows rows =>
      \matrix_(i, j) let r := nth ([::], [::]) rows i in polynomial_at (nth [::] r.2 j) a / polynomial_at r.1 a
  | PowersOf n => powers n a
  | GeometricOf n => geometric n a
  end.

Definition defined_at (M : square) (a : R) : Prop :=
  match M with
  | ByRows rows => forall r, List.In r rows -> polynomial_at r.1 a <> 0
  | PowersOf _ => True
  | GeometricOf n => n = 0%N \/ 1 + a <> 0
  end.

Definition is_column (c : option N) (j : nat) : bool := if c is Some k then N.eqb k (N.of_nat j) else false.

Definition with_column (c : option N) m (x : nat -> R) (A : 'M[R]_m) : 'M[R]_m :=
  \matrix_(i, j) if is_column c j then x i else A i j.

(* No denominator is 0. *)
Definition makes_sense (q : question) (a : R) (x : nat -> R) : Prop :=
  defined_at (matrix q) a /\ form_at (denominator q) a x <> 0.

Definition det_at (q : question) (a : R) (x : nat -> R) : R := \det (with_column (column q) x (matrix_at (matrix q) a)).
Definition formula_at (q : question) (a : R) (x : nat -> R) : R := form_at (numerator q) a x / form_at (denominator q) a x.

(* The first part says that the second is not empty. *)
Definition meaning (c : claim) : Prop :=
  match c with
  | IsDeterminant q =>
      (exists a x, makes_sense q a x) /\ forall a x, makes_sense q a x -> det_at q a x = formula_at q a x
  | IsNotDeterminant q a0 x0 d v =>
      let a := of_Q R a0 in let x j := of_Q R (nth (Qmake 0 1) x0 j) in
      [/\ 0 < a < 1, makes_sense q a x, det_at q a x = of_Q R d, formula_at q a x = of_Q R v & of_Q R d <> of_Q R v]
  end.
End Meaning.

(* ---- What is printed ---- *)
Definition show_N (n : N) : text := numeral_of n.
Definition show_nat (n : nat) : text := numeral_of (N.of_nat n).

(* The terms c a^k, k, k + 1, ..., that are not 0. *)
Fixpoint monomials (k : nat) (p : polynomial) : seq (Z * nat) :=
  match p with
  | [::] => [::]
  | c :: p' => if (c =? 0)%Z then monomials k.+1 p' else (c, k) :: monomials k.+1 p'
  end.

Definition show_monomial (first : bool) (x : seq N) (c : Z) (k : nat) : text :=
  let factors := [seq t "x" ++ show_N j | j <- x] ++
                 (if k is k'.+1 then [:: if k' is _.+1 then t "a^" ++ show_nat k else t "a"] else [::]) in
  let size_ := Z.abs c in
  (if (c <? 0)%Z then (if first then t "-" else t " - ") else if first then t "" else t " + ") ++
  join (t "*") ((if (1 <? size_)%Z || (size factors == 0)%N then [:: show_Z size_] else [::]) ++ factors).

Definition show_form (f : form) : text :=
  match flatten [seq [seq (u.1, m) | m <- monomials 0 u.2] | u <- f] with
  | [::] => t "0"
  | (x, (c, k)) :: rest => show_monomial true x c k ++ flatten [seq show_monomial false u.1 u.2.1 u.2.2 | u <- rest]
  end.

Definition show_polynomial (p : polynomial) : text := show_form [:: ([::], p)].

Definition show_square (M : square) : text :=
  match M with
  | ByRows rows =>
      t "the matrix of order " ++ show_nat (size rows) ++ t " with the rows " ++
      join (t ", ") [seq t "[" ++ join (t ", ") [seq show_polynomial p | p <- r.2] ++ t "]/(" ++ show_polynomial r.1 ++ t ")" | r <- rows]
  | PowersOf n => t "geometric-prime(" ++ show_nat n ++ t ", a)"
  | GeometricOf n => t "geometric(" ++ show_nat n ++ t ", a)"
  end.

Definition show_matrix (q : question) : text :=
  show_square (matrix q) ++ (if column q is Some c then t " with column " ++ show_N c ++ t " replaced by x" else [::]).

Definition show_formula (q : question) : text :=
  let top := show_form (numerator q) in
  match denominator q with
  | [:: ([::], [:: Zpos xH])] => top
  | _ => t "(" ++ top ++ t ")/(" ++ show_form (denominator q) ++ t ")"
  end.

Definition sentence (c : claim) : text :=
  match c with
  | IsDeterminant q =>
      t "For every number a at which no denominator is zero, the determinant of " ++ show_matrix q ++ t " is " ++ show_formula q ++ t "."
  | IsNotDeterminant q a x d v =>
      t "The determinant of " ++ show_matrix q ++ t " is not " ++ show_formula q ++ t ": at a = " ++ show_Q a ++
      (if (size x == 0)%N then [::] else t ", x = (" ++ join (t ", ") [seq show_Q y | y <- x] ++ t ")") ++
      t " the determinant is " ++ show_Q d ++ t " and the stated function is " ++ show_Q v ++ t "."
  end.
