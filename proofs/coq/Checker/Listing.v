(* SPDX-License-Identifier: MIT *)
(* Lists that are complete.                                                                                   *)
(*                                                                                                            *)
(*   enumerates s P     s has everything with P, nothing else, and nothing twice                              *)
(*   enumerates_cat     two such lists, of things that are never in both, one after the other                 *)
(*   enumerates_numbers the members of s are then numbered 0, ..., size s - 1                                 *)
From mathcomp Require Import all_ssreflect.
From Coq Require List.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Listing.
Variable A : Type.
Implicit Types (s t : seq A) (P Q : A -> Prop).

Definition enumerates s P := List.NoDup s /\ forall x, List.In x s <-> P x.

Lemma NoDup_cat s t : List.NoDup s -> List.NoDup t -> (forall x, List.In x s -> ~ List.In x t) -> List.NoDup (s ++ t).
Proof.
elim: s => [|x s IHs] //= s_nd t_nd st; inversion_clear s_nd; constructor.
  by move/(@List.in_app_or _ _ _ _)=> [//|]; apply: st; left.
by apply: IHs => // y y_s; apply: st; right.
Qed.

Lemma enumerates_cat s t P Q : enumerates s P -> enumerates t Q -> (forall x, P x -> ~ Q x) ->
  enumerates (s ++ t) (fun x => P x \/ Q x).
Proof.
move=> [s_nd sP] [t_nd tQ] PQ; split=> [|x]; first by apply: NoDup_cat => // x /sP/PQ no /tQ.
rewrite -sP -tQ; split; [exact: List.in_app_or | exact: List.in_or_app].
Qed.

Lemma eq_enumerates s P Q : (forall x, P x <-> Q x) -> enumerates s P -> enumerates s Q.
Proof. by move=> PQ [s_nd sP]; split=> // x; rewrite sP. Qed.

Lemma enumerates_none P : (forall x, ~ P x) -> enumerates [::] P.
Proof. by move=> no; split=> [|x]; [constructor | split=> [|/no]]. Qed.

Lemma enumerates_one x P : (forall y, P y <-> y = x) -> enumerates [:: x] P.
Proof.
move=> one; split=> [|y]; first by constructor; [|constructor].
by rewrite one /=; split=> [[->|]|->]; [| |left].
Qed.

(* Both lists may be missing. *)
Definition join (s t : option (seq A)) : option (seq A) :=
  match s, t with Some s, Some t => Some (s ++ t) | _, _ => None end.

Lemma joined (o o' : option (seq A)) u P Q : join o o' = Some u -> (forall s, o = Some s -> enumerates s P) ->
  (forall t, o' = Some t -> enumerates t Q) -> (forall x, P x -> ~ Q x) -> enumerates u (fun x => P x \/ Q x).
Proof. by case: o => [s|] //; case: o' => [t|] // [<-] /(_ _ erefl) sP /(_ _ erefl) tQ; exact: enumerates_cat. Qed.

(* ---- Numbers of the members ---- *)
Variable d : A.

Lemma In_nth s k : k < size s -> List.In (nth d s k) s.
Proof. by elim: s k => [|x s IHs] [|k] //= k_s; [left | right; apply: IHs]. Qed.

Lemma nth_In s x : List.In x s -> exists2 k, k < size s & nth d s k = x.
Proof. by elim: s => [|y s IHs] //= [->|/IHs[k k_s k_x]]; [exists 0 | exists k.+1]. Qed.

Lemma nth_once s k l : List.NoDup s -> k < size s -> l < size s -> nth d s k = nth d s l -> k = l.
Proof.
elim: s k l => [|x s IHs] [|k] [|l] //= s_once k_s l_s kl; inversion_clear s_once.
- by case: H; rewrite kl; exact: In_nth.
- by case: H; rewrite -kl; exact: In_nth.
by rewrite (IHs k l).
Qed.

Lemma enumerates_numbers s P : enumerates s P ->
  [/\ forall k, k < size s -> P (nth d s k), forall x, P x -> exists2 k, k < size s & nth d s k = x &
      forall k l, k < size s -> l < size s -> nth d s k = nth d s l -> k = l].
Proof.
move=> [s_nd sP]; split=> [k k_s|x /sP/nth_In//|k l k_s l_s]; first exact/sP/In_nth.
exact: nth_once.
Qed.
End Listing.

Lemma In_mem (T : eqType) (s : seq T) x : List.In x s <-> x \in s.
Proof.
elim: s => [|y s IHs] //=; rewrite in_cons; split=> [[->|/IHs ->]|/orP[/eqP ->|/IHs]]; rewrite ?eqxx ?orbT //; by [left | right].
Qed.
