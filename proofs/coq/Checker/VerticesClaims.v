(* SPDX-License-Identifier: MIT *)
(* Claims about the vertices and kernel mechanisms of a privacy type (SPEC, section 4.14).                    *)
(* What they mean is stated here; what decides them is in VerticesCheck.v.                                    *)
(*                                                                                                            *)
(* Posteriors and their vertices are those of VertexRays.v.                                                   *)
(*   has_powers        R has the numbers a^d, for the distances d of the neighbours (for whole d every field  *)
(*                     does, and the reals do for all)                                                        *)
(*   exactly N P       there are exactly N vectors with P: they can be numbered                               *)
(*   exactly_kernels   there are N kernel mechanisms (TypesClaims.v), with any numbers of outputs, such that  *)
(*                     every one has the hyper-distribution (Hyper.v) of one of these, and no two have the    *)
(*                     same                                                                                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From Coq Require List.
From ExactDP Require Import OrderedField Mechanism Hyper.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Show VertexRays TypesClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Inductive claim :=
| Vertices (near : neighbours) (level : Q) (count : N)
| KernelCount (near : neighbours) (level : Q) (count : N).

(* ---- What they mean ---- *)
Section Meaning.
Local Open Scope ring_scope.
Variable R : realFieldType.

Definition has_powers (near : neighbours) (a : R) := forall e, List.In e (pairs near) ->
  exists2 y : R, 0 < y & y ^+ Pos.to_nat (Qden e.2) = a ^+ Z.to_nat (Qnum e.2).

Definition exactly (N : nat) p (P : ('I_p -> R) -> Prop) := exists V : 'I_N -> 'I_p -> R,
  [/\ forall k, P (V k), forall v, P v -> exists k, v =1 V k & forall k l, V k =1 V l -> k = l].

Definition exactly_kernels (N : nat) (near : neighbours) (a : R) p :=
  exists (m : 'I_N -> nat) (K : forall k, 'M[R]_(p, m k)),
  [/\ forall k, kernel_mechanism near a (K k),
      forall n (X : 'M[R]_(p, n)), kernel_mechanism near a X -> exists k, same_hyper X (K k) &
      forall k l, same_hyper (K k) (K l) -> k = l].

Definition meaning (c : claim) : Prop :=
  match c with
  | Vertices near a count =>
      0 < of_Q R a < 1 /\
      (has_powers near (of_Q R a) ->
       exactly (N.to_nat count) (fun v : 'I_(size (vertices near)) -> R => vertex near (of_Q R a) v))
  | KernelCount near a count =>
      0 < of_Q R a < 1 /\ exactly_kernels (N.to_nat count) near (of_Q R a) (size (vertices near))
  end.
End Meaning.

(* ---- What a file claims ---- *)
Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  match v with
  | Object ms =>
    let k := kind_of ms in
    if same k "vertices" || same k "kernel-count" then
      let! _ := object_of (type_keys ++ [:: "count" : text]) [::] v in
      let! (near, a) := type_in defs ms in
      let! c := find_key "count" ms in
      match c with
      | Number n => Some (if same k "vertices" then Vertices near a n else KernelCount near a n)
      | _ => None
      end
    else None
  | _ => None
  end.

(* The names of definitions in a claim. *)
Definition names_in (v : json) : seq text :=
  match v with
  | Object ms => if find_key "neighbours" ms is Some (Text n) then [:: n] else [::]
  | _ => [::]
  end.

(* ---- What is printed ---- *)
(* Over a field without the powers every count is true: where distances are fractions the sentence says so.   *)
Definition condition (near : neighbours) : text :=
  if all (fun e => Pos.eqb (Qden e.2) 1) (pairs near) then t "."
  else t ", in every ordered field that has the powers of the level at the distances, as the real numbers do.".

Definition sentence (c : claim) : text :=
  match c with
  | Vertices near a n =>
      t "The posterior polytope of " ++ show_type near a ++ t " has exactly " ++ numeral_of n ++
      (if N.eqb n 1 then t " vertex" else t " vertices") ++ condition near
  | KernelCount near a n =>
      t "Up to equal hyper-distributions, the privacy type of " ++ show_type near a ++ t " has exactly " ++ numeral_of n ++
      (if N.eqb n 1 then t " kernel mechanism." else t " kernel mechanisms.")
  end.
