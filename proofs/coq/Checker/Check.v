(* SPDX-License-Identifier: MIT *)
(* The checker of claims, and its soundness.                                                                  *)
(*                                                                                                            *)
(*   check c w         decides, on integers, whether the witness w shows the claim c                          *)
(*   check_sound       check c w = true  implies  meaning R c, for every ordered field R                      *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Meaning Tables Privacy Level Derivable Optimal RemapBound PathBound PathPrimal ForestBound.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition agree (a b : seq text) : bool := all2 same a b.

(* The integers of a table with so many rows and columns, if it is one. *)
Definition integers_at (p m : nat) (t : table) : option integers :=
  if sound_table p m (content t) then Some (integers_of p m (content t)) else None.

(* The same for a mechanism: its rows must be distributions. *)
Definition mechanism_at (p m : nat) (t : table) : option integers :=
  match integers_at p m t with
  | Some J => if is_stochastic p m J then Some J else None
  | None => None
  end.

(* It is private and has this loss. *)
Definition solves (p m : nat) (near : neighbours) (a : Q) (c : consumer) (L X : integers) (v : Q) : bool :=
  [&& (0 <? scaling X)%Z, is_stochastic p m X, is_private m near a X & has_loss p m c L X v].

Definition bounds (p m : nat) (near : neighbours) (a : Q) (c : consumer) (L : integers) (d : dual) (v : Q) : bool :=
  match weights_for p c d, potentials d, edges d with
  | Some w, None, None => path_bound near p m a L w v
  | Some w, Some mu, None => forest_bound near p m a L w mu v
  | Some w, Some mu, Some u => graph_bound p m near a L w mu (cleared u) v
  | _, _, _ => false
  end.

(* gap = loss - value > 0. *)
Definition is_gap (loss v gap : Q) : bool :=
  Q_eq (Qmake (Qnum gap * Zpos (Qden v) + Qnum v * Zpos (Qden gap)) (Qden gap * Qden v)) loss && (0 <? Qnum gap)%Z.

(* After no remap is the loss below v. *)
Definition best_remap (p q m : nat) (c : consumer) (M L : integers) (d : dual) (v : Q) : bool :=
  if weights_for p c d is Some w then remap_bound p q m M L w v else false.

(* The integers of a consumer's loss, if the consumer is one. *)
Definition consumer_at (p m : nat) (labels : seq text) (c : consumer) : option integers :=
  if agree (inputs (loss_of c)) labels && is_proper p c then integers_at p m (loss_of c) else None.

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | NotStochastic t, AtEntry i j =>
      let p := size (inputs t) in let m := size (outputs t) in
      if integers_at p m t is Some J then not_stochastic p m J i j else false
  | Private t near a, Nothing =>
      let p := size (inputs t) in let m := size (outputs t) in
      if mechanism_at p m t is Some J then
        [&& agree (inputs t) (vertices near), is_level a & is_private m near a J]
      else false
  | NotPrivate t near a, AtPair i j r =>
      let p := size (inputs t) in let m := size (outputs t) in
      if mechanism_at p m t is Some J then
        [&& agree (inputs t) (vertices near), is_level a & is_violated p m near a J i j r]
      else false
  | Level t near ratio d, Tight at_ =>
      let p := size (inputs t) in let m := size (outputs t) in
      if mechanism_at p m t is Some J then
        agree (inputs t) (vertices near) && is_largest p m near ratio d J at_
      else false
  | Derivable a b, Remap rows =>
      let p := size (inputs a) in let m := size (outputs a) in let k := size (outputs b) in
      match mechanism_at p m a, mechanism_at p k b with
      | Some A, Some B => agree (inputs a) (inputs b) && is_product p m k A B (cleared rows)
      | _, _ => false
      end
  | NotDerivable a b, Separator rows =>
      let p := size (inputs a) in let m := size (outputs a) in let k := size (outputs b) in
      match mechanism_at p m a, mechanism_at p k b with
      | Some A, Some B => agree (inputs a) (inputs b) && separates p m k A B (cleared rows)
      | _, _ => false
      end
  | Optimal near a c v t, Bounds x d =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      if integers_at p m (loss_of c) is Some L then
        [&& agree (inputs (loss_of c)) (vertices near), is_level a, is_proper p c, bounds p m near a c L d v &
            match t, x with
            | None, Some x => attains p m near a c L x v
            | Some t, None =>
                [&& agree (inputs t) (vertices near), agree (outputs t) (outputs (loss_of c)) &
                    if mechanism_at p m t is Some X then solves p m near a c L X v else false]
            | _, _ => false
            end]
      else false
  | NotOptimal near a c v t loss gap, Bounds (Some x) d =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      if integers_at p m (loss_of c) is Some L then
        [&& agree (inputs (loss_of c)) (vertices near), is_level a, is_proper p c, bounds p m near a c L d v,
            attains p m near a c L x v,
            agree (inputs t) (vertices near), agree (outputs t) (outputs (loss_of c)),
            if mechanism_at p m t is Some X then solves p m near a c L X loss else false & is_gap loss v gap]
      else false
  | OptimalRemap t c v r, Best d x =>
      let p := size (inputs t) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      match mechanism_at p q t, consumer_at p m (inputs t) c with
      | Some M, Some L =>
          best_remap p q m c M L d v &&
          match r, x with
          | None, Some rows => remap_solves p q m c L M (cleared rows) v
          | Some r, None =>
              [&& agree (inputs r) (outputs t), agree (outputs r) (outputs (loss_of c)) &
                  if mechanism_at q m r is Some T then remap_solves p q m c L M T v else false]
          | _, _ => false
          end
      | _, _ => false
      end
  | NotOptimalRemap t c v r loss gap, Best d (Some rows) =>
      let p := size (inputs t) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      match mechanism_at p q t, consumer_at p m (inputs t) c, mechanism_at q m r with
      | Some M, Some L, Some T =>
          [&& best_remap p q m c M L d v, remap_solves p q m c L M (cleared rows) v, agree (inputs r) (outputs t),
              agree (outputs r) (outputs (loss_of c)), remap_solves p q m c L M T loss & is_gap loss v gap]
      | _, _, _ => false
      end
  | OptimalAfterRemap near a c v t, AfterRemap rows _ None d =>
      let p := size (vertices near) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      match mechanism_at p q t, consumer_at p m (vertices near) c with
      | Some M, Some L =>
          [&& agree (inputs t) (vertices near), is_level a, is_private q near a M,
              remap_solves p q m c L M (cleared rows) v & bounds p m near a c L d v]
      | _, _ => false
      end
  | NotOptimalAfterRemap near a c v t loss gap, AfterRemap rows w (Some x) d =>
      let p := size (vertices near) in let q := size (outputs t) in let m := size (outputs (loss_of c)) in
      match mechanism_at p q t, consumer_at p m (vertices near) c with
      | Some M, Some L =>
          [&& agree (inputs t) (vertices near), is_level a, is_private q near a M,
              remap_solves p q m c L M (cleared rows) loss, best_remap p q m c M L w loss,
              attains p m near a c L x v, bounds p m near a c L d v & is_gap loss v gap]
      | _, _ => false
      end
  | _, _ => false
  end.

Section Soundness.
Variable R : realFieldType.
Add Field R_field : (field_theory_of R).

Lemma agreeP a b : agree a b -> a = b.
Proof. by rewrite /agree; elim: a b => [|x a IHa] [|y b] //= /andP[/sameP -> /IHa ->]. Qed.

Lemma integers_atP p m t I : integers_at p m t = Some I -> represents I (matrix_of R p m (content t)).
Proof. by rewrite /integers_at; case: ifP => // ok [<-]; exact: integers_ofP. Qed.

Lemma mechanism_atP p m t I : mechanism_at p m t = Some I ->
  represents I (matrix_of R p m (content t)) /\ stochastic (matrix_of R p m (content t)).
Proof.
rewrite /mechanism_at; case E: integers_at => [J|] //; case: ifP => // st [<-].
by have rep := integers_atP E; split=> //; exact: stochasticP st.
Qed.

Lemma represents_some p m I : (0 < scaling I)%Z -> exists X : 'M[R]_(p, m), represents I X.
Proof.
move=> I_gt0; exists (\matrix_(i, j) (of_Z R (at_index (line_of I i) j) / of_Z R (scaling I))).
by split=> [|i j]; [exact: of_Z_gt0 | rewrite mxE].
Qed.

Lemma solvesP p m near a c L X (x : 'M[R]_(p, m)) v :
  represents L (matrix_of R p m (content (loss_of c))) -> represents X x -> solves p m near a c L X v ->
  mechanism_for near (of_Q R a) x /\ loss_is c x (of_Q R v).
Proof.
move=> l_L x_X /and4P[_ X_st X_priv X_loss]; split; last exact: has_lossP X_loss.
by split; [exact: stochasticP X_st | exact: is_privateP X_priv].
Qed.

Lemma boundsP p m near a c L d v : represents L (matrix_of R p m (content (loss_of c))) ->
  bounds p m near a c L d v -> none_below near p m (of_Q R a) c (of_Q R v).
Proof.
move=> l_L; rewrite /bounds; case E: weights_for => [w|] //.
case: potentials => [mu|]; case: edges => [u|] // ok.
- by apply: graph_boundP l_L _ E ok; exact/of_Z_gt0/common_gt0.
- exact: forest_boundP l_L E ok.
- exact: path_boundP l_L E ok.
Qed.

Lemma is_gapP loss v gap : is_gap loss v gap -> of_Q R gap = of_Q R loss - of_Q R v /\ 0 < of_Q R gap.
Proof.
case/andP=> gap_eq /Z.ltb_lt gap_gt0; split; last by rewrite /of_Q divr_gt0 ?of_Z_pos //; exact: of_Z_gt0.
move: gap_eq; rewrite -(of_Q_eq R) => /eqP <-; rewrite /of_Q [Qnum _]/= [Qden _]/= of_ZD !of_ZM Pos2Z.inj_mul of_ZM.
have v_neq0 := of_Z_pos_neq0 R (Qden v); have g_neq0 := of_Z_pos_neq0 R (Qden gap).
by by_field R; split; apply/eqP.
Qed.

Lemma best_remapP p q m c M L d v (X : 'M[R]_(p, q)) : represents M X ->
  represents L (matrix_of R p m (content (loss_of c))) -> best_remap p q m c M L d v ->
  none_below_remap m X c (of_Q R v).
Proof. by move=> X_M l_L; rewrite /best_remap; case E: weights_for => [w|] // ok; exact: remap_boundP X_M l_L E ok. Qed.

Lemma consumer_atP p m labels c L : consumer_at p m labels c = Some L ->
  [/\ inputs (loss_of c) = labels, proper R p c & represents L (matrix_of R p m (content (loss_of c)))].
Proof.
by rewrite /consumer_at; case: ifP => // /andP[/agreeP e /(is_properP R) c_ok] /integers_atP.
Qed.

Lemma mechanism_at_stochastic p m t I : mechanism_at p m t = Some I -> is_stochastic p m I.
Proof. by rewrite /mechanism_at; case: integers_at => [J|] //; case: ifP => // st [<-]. Qed.

(* The remap of a witness. *)
Lemma remap_found p q m c L M rows v t : mechanism_at p q t = Some M ->
  represents L (matrix_of R p m (content (loss_of c))) -> remap_solves p q m c L M (cleared rows) v ->
  exists T : 'M[R]_(q, m), stochastic T /\ loss_is c (matrix_of R p q (content t) *m T) (of_Q R v).
Proof.
move=> t_M l_L sol; have [rep_M _] := mechanism_atP t_M.
have [T rep_T] := @represents_some q m (cleared rows) (common_gt0 rows).
by exists T; exact: (remap_solvesP rep_M (mechanism_at_stochastic t_M) l_L rep_T sol).
Qed.

Lemma mechanism_found p m near a c L X v : represents L (matrix_of R p m (content (loss_of c))) ->
  solves p m near a c L X v -> exists Y : 'M[R]_(p, m), mechanism_for near (of_Q R a) Y /\ loss_is c Y (of_Q R v).
Proof.
move=> l_L sol; have /and4P[/Z.ltb_lt X_gt0 _ _ _] := sol.
by have [y rep_y] := represents_some p m X_gt0; exists y; exact: solvesP sol.
Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => [t|t near a|t near a|t near ratio d0|a b|a b|near a c v t|near a c v t loss gap|t c v r|t c v r loss gap|near a c v t|near a c v t loss gap];
  case: w => //=.
- move=> i j; case E: integers_at => [I|] //; exact: not_stochasticP (integers_atP E).
- case E: mechanism_at => [I|] // /and3P[/agreeP in_v a_level priv]; have [rep st] := mechanism_atP E.
  by split; [|exact: is_levelP|split; [|exact: is_privateP priv]].
- move=> i j r; case E: mechanism_at => [I|] // /and3P[/agreeP in_v a_level bad]; have [rep st] := mechanism_atP E.
  by split=> //; [exact: is_levelP | exact: is_violatedP bad].
- move=> at_; case E: mechanism_at => [I|] // /andP[/agreeP in_v largest]; have [rep st] := mechanism_atP E.
  by have [ratio_ok level_ok] := is_largestP rep (proj1 st) largest; split.
- move=> rows; case EA: mechanism_at => [A|] //; case EB: mechanism_at => [B|] // /andP[/agreeP in_in prod].
  have [repA stA] := mechanism_atP EA; have [repB stB] := mechanism_atP EB; split=> //.
  have [T rep_T] := @represents_some (size (outputs a)) (size (outputs b)) (cleared rows) (common_gt0 rows).
  by have [T_st YXT] := is_productP repA repB rep_T prod; exists T.
- move=> rows; case EA: mechanism_at => [A|] //; case EB: mechanism_at => [B|] // /andP[/agreeP in_in sep].
  have [repA stA] := mechanism_atP EA; have [repB stB] := mechanism_atP EB; split=> //.
  exact: separatesP sep.
- move=> x d; case EL: integers_at => [L|] // /and5P[/agreeP in_v /(is_levelP R) a_level /(is_properP R) prop].
  have rep_L := integers_atP EL; move=> /(boundsP rep_L) none; case: t => [t|]; case: x => [x|] //.
    case/and3P=> /agreeP in_t /agreeP out_t; case EX: mechanism_at => [X|] // sol.
    have [rep_X _] := mechanism_atP EX; split=> //; exact: solvesP sol.
  by move/(attainsP rep_L).
- case=> [x|] // d; case EL: integers_at => [L|] //.
  case/and5P=> /agreeP in_v /(is_levelP R) a_level /(is_properP R) prop; have rep_L := integers_atP EL.
  move=> /(boundsP rep_L) none /and5P[/(attainsP rep_L) sol /agreeP in_t /agreeP out_t].
  case ET: mechanism_at => [Y|] // sol_t /is_gapP[gap_eq gap_gt0].
  have [rep_Y _] := mechanism_atP ET; have [mech_t loss_t] := solvesP rep_L rep_Y sol_t.
  by split.
- move=> d x; case EM: mechanism_at => [M|] //; case EL: consumer_at => [L|] //.
  have [in_t prop rep_L] := consumer_atP EL; have [rep_M st_M] := mechanism_atP EM.
  case/andP=> /(best_remapP rep_M rep_L) none; case: r => [r|]; case: x => [rows|] // sol; split=> //.
    move: sol => /and3P[/agreeP in_r /agreeP out_r]; case ET: mechanism_at => [T|] // sol.
    have [rep_T _] := mechanism_atP ET.
    by have [] := remap_solvesP rep_M (mechanism_at_stochastic EM) rep_L rep_T sol.
  exact: remap_found sol.
- move=> d; case=> [rows|] //; case EM: mechanism_at => [M|] //; case EL: consumer_at => [L|] //.
  case ET: mechanism_at => [T|] //; have [in_t prop rep_L] := consumer_atP EL; have [rep_M st_M] := mechanism_atP EM.
  case/and5P=> /(best_remapP rep_M rep_L) none sol /agreeP in_r /agreeP out_r /andP[sol_r /is_gapP gap_ok].
  have [rep_T _] := mechanism_atP ET.
  have T_ok := remap_solvesP rep_M (mechanism_at_stochastic EM) rep_L rep_T sol_r.
  by split=> //; split=> //; exact: remap_found sol.
- move=> rows w; case=> // d; case EM: mechanism_at => [M|] //; case EL: consumer_at => [L|] //.
  have [in_t prop rep_L] := consumer_atP EL; have [rep_M st_M] := mechanism_atP EM.
  case/and5P=> /agreeP in_v /(is_levelP R) a_level priv sol /(boundsP rep_L) none.
  by split=> //; [split=> //; exact: is_privateP priv | exact: remap_found sol].
- move=> rows w; case=> // x d; case EM: mechanism_at => [M|] //; case EL: consumer_at => [L|] //.
  have [in_t prop rep_L] := consumer_atP EL; have [rep_M st_M] := mechanism_atP EM.
  case/and5P=> /agreeP in_v /(is_levelP R) a_level priv sol /and4P[/(best_remapP rep_M rep_L) least].
  move=> /(attainsP rep_L) best /(boundsP rep_L) none /is_gapP gap_ok.
  split=> //; first by split=> //; exact: is_privateP priv.
  by split=> //; exact: remap_found sol.
Qed.

End Soundness.
