(* SPDX-License-Identifier: MIT *)
(* What a certificate says, once it is read: objects, claims and witnesses (SPEC, sections 2 to 4).           *)
(*                                                                                                            *)
(* Names are replaced by the objects that they name.  Fractions are Coq's Q: a numerator over a positive      *)
(* denominator.  Rows are those of Rows.v: lists of pairs (index, numerator).                                 *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith.
From ExactDP.Checker Require Import Numbers Rows Json.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* A vector: numerators over one denominator. *)
Record vector := Vector { unit : positive; terms : row }.

(* What a table holds.  The named ones have a formula (SPEC, section 3). *)
Inductive entries :=
| Listed (rows : seq vector)
| Geometric (n : nat) (level : Q)
| AbsLoss
| SquaredLoss
| ZeroOneLoss.

(* A mechanism, a table or a loss: rows are inputs, columns are outputs (of a loss: guesses). *)
Record table := Table { name : text; inputs : seq text; outputs : seq text; content : entries }.

(* Neighbours: which pairs of inputs are constrained, each at a distance. *)
Record neighbours := Neighbours { title : text; vertices : seq text; pairs : seq (N * N * Q) }.

Inductive consumer :=
| Minimax (loss : table) (side_information : seq N)
| Bayesian (loss : table) (prior : vector).

Inductive claim :=
| NotStochastic (t : table)
| Private (m : table) (near : neighbours) (level : Q)
| NotPrivate (m : table) (near : neighbours) (level : Q)
| Level (m : table) (near : neighbours) (ratio distance : Q)
| Derivable (source target : table)
| NotDerivable (source target : table)
| Optimal (near : neighbours) (level : Q) (c : consumer) (value : Q) (m : option table)
| NotOptimal (near : neighbours) (level : Q) (c : consumer) (value : Q) (m : table) (loss gap : Q)
| OptimalRemap (m : table) (c : consumer) (value : Q) (remap : option table)
| NotOptimalRemap (m : table) (c : consumer) (value : Q) (remap : table) (loss gap : Q)
| OptimalAfterRemap (near : neighbours) (level : Q) (c : consumer) (value : Q) (m : table)
| NotOptimalAfterRemap (near : neighbours) (level : Q) (c : consumer) (value : Q) (m : table) (loss gap : Q).

(* A lower bound of the loss (SPEC, section 4.2): which of the parts are there says which rule is used. *)
Record dual := Dual { weights : option vector; potentials : option vector; edges : option (seq vector) }.

Inductive primal :=
| Rows (rows : seq vector)
| RemapOfGeometric (remap : seq vector).

Inductive witness :=
| Nothing
| AtEntry (i : N) (j : option N)
| AtPair (i j r : N)
| Tight (at_ : option (N * N * N))
| Remap (remap : seq vector)
| Separator (w : seq vector)
| Bounds (p : option primal) (d : dual)
| Best (d : dual) (remap : option (seq vector))                              (* of the dual, the weights *)
| AfterRemap (remap : seq vector) (weighing : dual) (p : option primal) (d : dual).

(* The loss of a consumer, whoever it is. *)
Definition loss_of (c : consumer) : table := match c with Minimax l _ => l | Bayesian l _ => l end.
