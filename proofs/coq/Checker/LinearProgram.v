(* SPDX-License-Identifier: MIT *)
(* Linear programs, what it means to solve one, and their text in the VIPR 1.0 format.                        *)
(*                                                                                                            *)
(*   program            variables, an objective that is minimized, constraints, and what is to be proved      *)
(*   says R P           what is to be proved holds, for all numbers of the ordered field R                    *)
(*   text_of P          the file from VER to RTP, in pieces                                                   *)
(*   least_means        when the least value of a program is the least loss of something                      *)
(* A checker of VIPR files says that the relation to prove holds for the program of the file; which claims    *)
(* this means is proved in ClaimPrograms.v.                                                                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP.Checker Require Import Numbers Rows Json Reader Show.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Pairs (number of a variable, coefficient). *)
Definition expression := seq (nat * Q).

Record constraint := Constraint { label : text; is_equality : bool; left_side : expression; right_side : Q }.

Inductive relation :=
| Least (v : Q)        (* the least value of the objective is v *)
| Solvable             (* the constraints have a solution *)
| Unsolvable.          (* they have none *)

Record program := Program {
  variables : seq text;
  bounds : seq constraint;                         (* the first constraints; each has one variable *)
  constraints : seq constraint;
  objective : expression;
  to_prove : relation
}.

Fixpoint each A (P : A -> Prop) (s : seq A) : Prop := if s is x :: s' then P x /\ each P s' else True.

Section Meaning.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).

Definition value (x : nat -> R) (e : expression) : R := \sum_(t <- e) of_Q t.2 * x t.1.

Definition satisfies (x : nat -> R) (c : constraint) : Prop :=
  if is_equality c then value x (left_side c) = of_Q (right_side c) else of_Q (right_side c) <= value x (left_side c).

Definition feasible (P : program) (x : nat -> R) : Prop := each (satisfies x) (bounds P ++ constraints P).

Definition says (P : program) : Prop :=
  match to_prove P with
  | Least v =>
      (forall x, feasible P x -> of_Q v <= value x (objective P)) /\
      exists2 x, feasible P x & value x (objective P) <= of_Q v
  | Solvable => exists x, feasible P x
  | Unsolvable => ~ exists x, feasible P x
  end.
End Meaning.

(* ---- The text ---- *)
Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition lowest (q : Q) : Q :=
  let g := Z.gcd (Qnum q) (Zpos (Qden q)) in Qmake (Qnum q / g) (Z.to_pos (Zpos (Qden q) / g)).

Definition count (n : nat) : text := numeral_of (N.of_nat n).
Definition show_number (q : Q) : text := show_Q (lowest q).

(* Long texts are lists of pieces. *)
Definition show_expression (e : expression) : seq text :=
  count (size e) :: [seq t " " ++ count c.1 ++ t " " ++ show_number c.2 | c <- e].

Definition show_constraint (c : constraint) : seq text :=
  [:: label c; t (if is_equality c then " E " else " G "); show_number (right_side c); t " "] ++ show_expression (left_side c).

Definition show_relation (r : relation) : text :=
  match r with
  | Least v => t "RTP range " ++ show_number v ++ t " " ++ show_number v
  | Solvable => t "RTP range -inf 0"
  | Unsolvable => t "RTP infeas"
  end.

Definition lines_of (P : program) : seq (seq text) :=
  [:: [:: t "VER 1.0"]; [:: t "VAR "; count (size (variables P))]] ++ [seq [:: v] | v <- variables P] ++
  [:: [:: t "INT 0"]; [:: t "OBJ min"]; show_expression (objective P);
      [:: t "CON "; count (size (bounds P) + size (constraints P)); t " "; count (size (bounds P))]] ++
  [seq show_constraint c | c <- bounds P ++ constraints P] ++ [:: [:: show_relation (to_prove P)]].

Definition text_of (P : program) : seq text := flatten [seq l ++ [:: [:: ascii_of_N 10]] | l <- lines_of P].

(* ---- Expressions and lists of constraints ---- *)
Definition one : Q := Qmake 1 1.
Definition zero : Q := Qmake 0 1.
Definition opposite (q : Q) : Q := Qmake (- Qnum q) (Qden q).
Definition negative (e : expression) : expression := [seq (c.1, opposite c.2) | c <- e].

(* Zeros are left out. *)
Definition sparse (e : expression) : expression := [seq c <- e | ~~ (Qnum c.2 =? 0)%Z].

(* The sum over r < n of f r times the variable number k r. *)
Definition along (n : nat) (k : nat -> nat) (f : nat -> Q) : expression := sparse [seq (k r, f r) | r <- iota 0 n].

(* The variables of a p x m table are numbered row by row. *)
Definition over_table (p m : nat) (f : nat -> nat -> Q) : expression :=
  sparse (flatten [seq [seq ((i * m + r)%N, f i r) | r <- iota 0 m] | i <- iota 0 p]).

Local Open Scope ring_scope.

Lemma each_cat A (P : A -> Prop) s u : each P (s ++ u) <-> each P s /\ each P u.
Proof. by elim: s => [|x s IHs] /=; [tauto | rewrite IHs; tauto]. Qed.

Lemma each_map A B (P : B -> Prop) (f : A -> B) s : each P [seq f x | x <- s] <-> each (fun x => P (f x)) s.
Proof. by elim: s => [|x s IHs] //=; rewrite IHs. Qed.

Lemma each_flatten A (P : A -> Prop) ss : each P (flatten ss) <-> each (each P) ss.
Proof. by elim: ss => [|s ss IHss] //=; rewrite each_cat IHss. Qed.

Lemma each_In A (P : A -> Prop) s : each P s <-> forall x, List.In x s -> P x.
Proof.
elim: s => [|x s IHs] /=; first by split.
rewrite IHs; split=> [[Px Ps] y [<-|/Ps]//|Ps].
by split=> [|y y_s]; apply: Ps; [left | right].
Qed.

Lemma each_iota n (P : nat -> Prop) : each P (iota 0 n) <-> forall i : 'I_n, P i.
Proof.
have from k : each P (iota k n) <-> forall i, (i < n)%N -> P (k + i)%N.
  elim: n k => [|n IHn] k /=; first by split.
  rewrite IHn; split=> [[Pk Pn] [|i] i_n|Pn]; first by rewrite addn0.
    by rewrite -addSnnS; exact: Pn.
  by split=> [|i i_n]; [have := Pn 0%N; rewrite addn0; apply | rewrite addSnnS; apply: Pn].
rewrite from; split=> [Pn i|Pn i i_n]; first by have := Pn i (ltn_ord i); rewrite add0n.
exact: (Pn (Ordinal i_n)).
Qed.

Section Values.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).
Local Notation of_Z := (of_Z R).
Implicit Types (x : nat -> R) (e : expression).

Lemma of_Q_one : of_Q one = 1. Proof. by rewrite /Numbers.of_Q /= divr1. Qed.
Lemma of_Q_zero : of_Q zero = 0. Proof. by rewrite /Numbers.of_Q /= mul0r. Qed.

Lemma of_Q_opposite (q : Q) : of_Q (opposite q) = - of_Q q.
Proof. by rewrite /Numbers.of_Q /= of_ZN mulNr. Qed.

Lemma of_Q_lowest q : of_Q (lowest q) = of_Q q.
Proof.
apply/eqP; rewrite of_Q_eq /Q_eq /lowest /=; apply/Z.eqb_eq.
set g := Z.gcd _ _; have g_gt0 : (0 < g)%Z.
  have := Z.gcd_nonneg (Qnum q) (Zpos (Qden q)); have := Z.gcd_eq_0_r (Qnum q) (Zpos (Qden q)); rewrite -/g; lia.
have [a g_a] := Z.gcd_divide_l (Qnum q) (Zpos (Qden q)); have [b g_b] := Z.gcd_divide_r (Qnum q) (Zpos (Qden q)).
rewrite -/g in g_a g_b; rewrite g_a g_b !Z.div_mul; try lia.
have b_gt0 : (0 < b)%Z by nia.
by rewrite Z2Pos.id //; nia.
Qed.

Lemma value_cons x t e : value x (t :: e) = of_Q t.2 * x t.1 + value x e.
Proof. by rewrite /value big_cons. Qed.

Lemma value_cat x e e' : value x (e ++ e') = value x e + value x e'.
Proof. by rewrite /value big_cat. Qed.

Lemma value_negative x e : value x (negative e) = - value x e.
Proof. by rewrite /value /negative big_map -sumrN; apply: eq_bigr => c _; rewrite of_Q_opposite mulNr. Qed.

Lemma value_sparse x e : value x (sparse e) = value x e.
Proof.
elim: e => [|t e IHe] //=; rewrite value_cons -IHe; case: Z.eqb_spec => [t0|_] /=; last by rewrite value_cons.
by rewrite /Numbers.of_Q t0 /= mul0r mul0r add0r.
Qed.

Lemma value_along x n k f : value x (along n k f) = \sum_(r < n) of_Q (f r) * x (k r).
Proof.
rewrite /along value_sparse /value big_map -(big_mkord xpredT (fun r => of_Q (f r) * x (k r))).
by rewrite /index_iota subn0.
Qed.

Lemma value_over_table x p m f :
  value x (over_table p m f) = \sum_(i < p) \sum_(r < m) of_Q (f i r) * x (i * m + r)%N.
Proof.
rewrite /over_table value_sparse /value big_flatten big_map.
rewrite -(big_mkord xpredT (fun i => \sum_(r < m) of_Q (f i r) * x (i * m + r)%N)) /index_iota subn0.
apply: eq_bigr => i _; rewrite big_map -(big_mkord xpredT (fun r => of_Q (f i r) * x (i * m + r)%N)).
by rewrite /index_iota subn0.
Qed.

(* The least value of a program, where a point is something with a loss u or more. *)
Theorem least_means (P : program) (v : Q) (T : Type) (good : T -> Prop) (loss_le : T -> R -> Prop) :
  to_prove P = Least v -> (forall X u w, u <= w -> loss_le X u -> loss_le X w) ->
  (forall x, feasible P x -> exists2 X, good X & loss_le X (value x (objective P))) ->
  (forall X u, good X -> loss_le X u -> exists2 x, feasible P x & value x (objective P) <= u) ->
  says R P <-> (forall X, good X -> forall u, loss_le X u -> of_Q v <= u) /\ exists2 X, good X & loss_le X (of_Q v).
Proof.
move=> P_v more to from; rewrite /says P_v; split=> [[least [x x_ok x_v]]|[least [X X_ok X_v]]]; split.
- by move=> X X_ok u /(from _ _ X_ok)[y y_ok y_u]; exact: le_trans (least y y_ok) y_u.
- by have [X X_ok X_x] := to x x_ok; exists X => //; exact: more x_v X_x.
- by move=> x /to[Y Y_ok]; exact: least.
- by have [x x_ok x_v] := from X _ X_ok X_v; exists x.
Qed.

End Values.
