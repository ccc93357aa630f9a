(* SPDX-License-Identifier: MIT *)
(* What decides the claims of LettersClaims.v, and its soundness: PolynomialCheck.v, with the signs of        *)
(* polynomials on the interval (PolynomialSign.v).                                                            *)
(*   check_sound    what is accepted is true for every number of the interval                                 *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP.Checker Require Import Numbers Rows Json Reader PolynomialSign PolynomialClaims PolynomialTables PolynomialCheck LettersClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Definition witness := seq (instance_witness polynomial).

Section Witnesses.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | Everywhere _ _ c => let! w := instance_witness_in in_letter c v in Some [:: w]
  | OnPieces _ _ pieces =>
      let! ms := object_of [:: "pieces" : text] [::] v in let! ps := find_key "pieces" ms in let! vs := array_of ps in
      demand size vs == size pieces in
      all_of (fun cv => instance_witness_in in_letter cv.1 cv.2) (zip [seq p.2 | p <- pieces] vs)
  end.
End Witnesses.

Definition check_on (J : interval) (c : instance polynomial) (w : instance_witness polynomial) : bool :=
  proper_interval J && check_with in_letter (pos_on J) (nonneg_on J) (zero_on J) c w.

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | Everywhere _ J c, [:: w] => check_on J c w
  | OnPieces _ J pieces, ws =>
      [&& proper_interval J, covered J [seq q.1 | q <- pieces], size ws == size pieces &
          all (fun qw => check_on qw.1.1 qw.1.2 qw.2) (zip pieces ws)]
  | _, _ => false
  end.

Definition settles (c : claim) : bool :=
  match c with Everywhere _ _ c => settles_in c | OnPieces _ _ pieces => all (fun q => settles_in q.2) pieces end.

(* ---- Soundness ---- *)
Section Soundness.
Local Open Scope ring_scope.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).

Lemma letter_number (x : R) z : at_letter x (number_p in_letter z) = of_Z R z.
Proof. by rewrite /=; case: Z.eqb_spec => [->|_] //; exact: at_constant. Qed.

Lemma letter_same (x : R) p q : same_p in_letter p q -> at_letter x p = at_letter x q.
Proof.
move=> pq; congr at_letter; move: p q pq.
by elim=> [|c p IHp] [|d q] //= /andP[/Z.eqb_eq -> /IHp ->].
Qed.

Definition letter_at (x : R) : evaluation R in_letter :=
  Evaluation (letter_number x) (fun p q => PolynomialSign.at_plus p q x) (fun p q => PolynomialSign.at_times p q x)
             (fun z p => PolynomialSign.at_scaled z p x) (@letter_same x).

Lemma check_onP J c w : check_on J c w -> on_interval R J c.
Proof.
case/andP=> proper ok; split=> [|x x_J]; first exact: within_some.
apply: (@check_withP _ _ _ (letter_at x) _ _ _ _ _ _ _ _ ok) => p; [exact: pos_onP | exact: nonneg_onP | exact: zero_onP].
Qed.

Lemma same_QP p q : same_Q p q -> of_Q p = of_Q q.
Proof. by case/andP=> /Z.eqb_eq n /Pos.eqb_eq d; rewrite /Numbers.of_Q n d. Qed.

(* Every number of the interval is in one of the pieces. *)
Lemma followP a a_in Is b b_in (x : R) : follow a a_in Is b b_in ->
  (if a_in then of_Q a < x else of_Q a <= x) -> (if b_in then x <= of_Q b else x < of_Q b) ->
  exists2 J, List.In J Is & within J x.
Proof.
elim: Is a a_in => [|J Js IHJs] a a_in /=.
  case/andP=> /same_QP ->; case: a_in; case: b_in => //= _ lo hi.
  - by have := lt_le_trans lo hi; rewrite ltxx.
  - by have := lt_trans lo hi; rewrite ltxx.
  by have := le_lt_trans lo hi; rewrite ltxx.
case/and3P=> /same_QP a_J starts rest a_x x_b.
have low_x : if low_in J then of_Q (low J) <= x else of_Q (low J) < x.
  by rewrite -a_J; move: a_x starts; case: a_in; case: (low_in J) => //= /ltW.
have [x_high|high_x] : (if high_in J then x <= of_Q (high J) else x < of_Q (high J)) \/
                       (if high_in J then of_Q (high J) < x else of_Q (high J) <= x).
  by case: (high_in J); [case: (leP x (of_Q (high J))) | case: (ltP x (of_Q (high J)))] => ?; [left|right|left|right].
  by exists J; [left | split].
by have [K K_in x_K] := IHJs _ _ rest high_x x_b; exists K; [right|].
Qed.

Lemma coveredP J Is (x : R) : covered J Is -> within J x -> exists2 K, List.In K Is & within K x.
Proof.
case/andP=> _ ok [low_x high_x]; apply: followP ok _ high_x.
by move: low_x; case: (low_in J).
Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => [a J c|a J pieces] /=; first by case: w => [|w [|]] //; exact: check_onP.
case/and4P=> proper cover /eqP size_w ok; split=> [|x x_J|q q_in].
- exact: within_some.
- have [K K_in x_K] := coveredP cover x_J; have [q q_in e] := In_map K_in.
  by exists q; rewrite // -e.
elim: pieces w size_w ok q_in {proper cover} => [|q' pieces IHp] [|v w] //= [size_w] /andP[ok rest] [<-|q_in].
  exact: check_onP ok.
exact: IHp size_w rest q_in.
Qed.

End Soundness.
