(* SPDX-License-Identifier: MIT *)
(* What decides the claims of DeployedClaims.v, and its soundness.                                            *)
(*                                                                                                            *)
(*   gain           the numerator of sum_r max(0, a x_r - y_r)                (gainP)                          *)
(*   event_sum      the numerator of the probability of an event              (event_sumP)                     *)
(*   least_of       a number c with c y_r <= x_r for all outputs r            (least_ofP)                      *)
(*   mean_le        sum_y k_y C_xy/(p C)_y <= N (1 + g) for every input x      (mean_leP)                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame ApproximatePrivacy Composition Likelihood.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Reader Meaning Tables Privacy Optimal PathPrimal Check.
From ExactDP.Checker Require Import DeployedClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Inductive witness :=
| None_
| Pair (i j : N)
| Event (i j : N) (event : seq N)
| Outputs (i j : N) (outputs : seq N)
| PartAt (part i j r : N)
| Gap (upper : Q) (x : primal) (d : dual).

(* ---- How they are read ---- *)
Section Reading.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition pair_of (p : nat) (v : json) : option (N * N) :=
  match v with
  | Array [:: i; j] => let! x := index_of (N.of_nat p) i in let! y := index_of (N.of_nat p) j in Some (x, y)
  | _ => None
  end.

Definition event_of (m : judged) (v : json) : option witness :=
  let! ms := object_of [:: "pair" : text; "event" : text] [::] v in
  let! q := find_key "pair" ms in let! (i, j) := pair_of (size (inputs (table_of_judged m))) q in
  let! e := find_key "event" ms in let! event := indices_of (N.of_nat (size (outputs (table_of_judged m)))) e in
  Some (Event i j event).

Fixpoint outputs_of (ts : seq table) (vs : seq json) : option (seq N) :=
  match ts, vs with
  | [::], [::] => Some [::]
  | m :: ts', v :: vs' =>
      let! r := index_of (N.of_nat (size (outputs m))) v in let! rs := outputs_of ts' vs' in Some (r :: rs)
  | _, _ => None
  end.

Definition is_one (q : Q) : bool := (Qnum q =? Zpos (Qden q))%Z.

Definition nothing_of (v : json) : option witness := let! _ := object_of [::] [::] v in Some None_.

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | Approximate _ _ _ _ => nothing_of v
  | NotApproximate m _ _ _ => event_of m v
  | LeastDelta m _ _ d =>
      if (Qnum d =? 0)%Z then nothing_of v
      else
        let! ms := object_of [:: "pair" : text] [::] v in let! q := find_key "pair" ms in
        let! (i, j) := pair_of (size (inputs (table_of_judged m))) q in Some (Pair i j)
  | LevelWithDelta m _ _ ratio => if is_one ratio then nothing_of v else event_of m v
  | Sequential ts near ratio =>
      if is_one ratio then nothing_of v
      else
        let! ms := object_of [:: "pair" : text; "outputs" : text] [::] v in
        let! q := find_key "pair" ms in let! (i, j) := pair_of (size (vertices near)) q in
        let! o := find_key "outputs" ms in let! vs := array_of o in let! rs := outputs_of ts vs in Some (Outputs i j rs)
  | Parallel parts ratio =>
      if is_one ratio then nothing_of v
      else
        let! ms := object_of [:: "part" : text; "pair" : text; "output" : text] [::] v in
        let! k := find_key "part" ms in let! part := index_of (N.of_nat (size parts)) k in
        let m := (nth nowhere parts (N.to_nat part)).1 in
        let! q := find_key "pair" ms in let! (i, j) := pair_of (size (inputs m)) q in
        let! o := find_key "output" ms in let! r := index_of (N.of_nat (size (outputs m))) o in Some (PartAt part i j r)
  | GapBetween near a c _ _ _ _ =>
      let! ms := object_of [:: "upper" : text; "primal" : text; "dual" : text] [::] v in
      let! upper := scalar_at "upper" ms in
      let! x := find_key "primal" ms in let! q := primal_of near a c x in
      let! y := find_key "dual" ms in let! d := dual_of near a c y in Some (Gap upper q d)
  | Likely _ _ _ _ => nothing_of v
  end.
End Reading.

Local Open Scope ring_scope.

(* ---- What decides them ---- *)
Definition distances_one (near : neighbours) : bool :=
  all (fun e : N * N * Q => (Qnum e.2 =? 1)%Z && Pos.eqb (Qden e.2) 1) (pairs near).

(* The numbers of a row at 0, ..., m - 1. *)
Definition values (m : nat) (r : row) : seq Z :=
  if in_order m r then dense m r else [seq at_index r j | j <- iota 0 m].

Definition gain (m : nat) (a : Q) (x y : row) : Z :=
  sum_Z [seq Z.max 0 (Qnum a * z.1 - Zpos (Qden a) * z.2)%Z | z <- zip (values m x) (values m y)].

(* The entries, and whether they are probabilities. *)
Definition judged_at (p : nat) (m : judged) : option integers :=
  let t := table_of_judged m in
  if is_mechanism m then mechanism_at p (size (outputs t)) t
  else match integers_at p (size (outputs t)) t with
       | Some J => if all all_ge0 (lines J) then Some J else None
       | None => None
       end.

(* Both orders of all pairs. *)
Definition ordered (near : neighbours) : seq (N * N) :=
  flatten [seq [:: (e.1.1, e.1.2); (e.1.2, e.1.1)] | e <- pairs near].

Definition is_constrained (p : nat) (near : neighbours) (i j : N) : bool :=
  [&& (i <? N.of_nat p)%num, (j <? N.of_nat p)%num &
      has (fun e : N * N => N.eqb e.1 i && N.eqb e.2 j) (ordered near)].

(* sum_r max(0, a x_r - y_r) is at most a d, for rows over one denominator D; it is a d. *)
Definition gain_le (m : nat) (a d : Q) (D : Z) (x y : row) : bool :=
  (gain m a x y * Zpos (Qden d) <=? Qnum d * Qnum a * D)%Z.
Definition gain_is (m : nat) (a d : Q) (D : Z) (x y : row) : bool :=
  (gain m a x y * Zpos (Qden d) =? Qnum d * Qnum a * D)%Z.

Definition is_approximate (m : nat) (near : neighbours) (a d : Q) (J : integers) : bool :=
  all (fun e : N * N => gain_le m a d (scaling J) (row_at (lines J) e.1) (row_at (lines J) e.2)) (ordered near).

Definition event_sum (m : nat) (event : seq N) (r : row) : Z :=
  sum_Z [seq if has (N.eqb (N.of_nat z.1)) event then z.2 else 0%Z | z <- zip (iota 0 m) (values m r)].

(* a (P(E | i) - d) and P(E | j), both times the denominators. *)
Definition event_sides (m : nat) (a d : Q) (D : Z) (event : seq N) (x y : row) : Z * Z :=
  ((Qnum a * (event_sum m event x * Zpos (Qden d) - Qnum d * D))%Z, (Zpos (Qden a) * Zpos (Qden d) * event_sum m event y)%Z).

Arguments event_sides : simpl never.

Definition in_unit (q : Q) : bool := (0 <=? Qnum q)%Z && (Qnum q <=? Zpos (Qden q))%Z.

(* A level of (epsilon, delta)-privacy; 1 is epsilon = 0. *)
Definition is_level_or_one (q : Q) : bool := (0 <? Qnum q)%Z && (Qnum q <=? Zpos (Qden q))%Z.

(* A fraction c >= 0 with c y_r <= x_r wherever y_r > 0; found by going through the row, and checked. *)
Definition least_quotient (m : nat) (x y : row) : Z * Z :=
  foldr (fun z best => if (0 <? z.2)%Z && (z.1 * best.2 <? best.1 * z.2)%Z then z else best)
    (1%Z, 0%Z) (zip (values m x) (values m y)).

Definition least_of (m : nat) (x y : row) : option (Z * Z) :=
  let c := least_quotient m x y in
  if [&& (0 <=? c.1)%Z, (0 <? c.2)%Z & all (fun z => (c.1 * z.2 <=? c.2 * z.1)%Z) (zip (values m x) (values m y))]
  then Some c else None.

Fixpoint product_of (ms : seq (nat * integers)) (i j : N) : option (Z * Z) :=
  match ms with
  | [::] => Some (1%Z, 1%Z)
  | (m, J) :: ms' =>
      match least_of m (row_at (lines J) i) (row_at (lines J) j), product_of ms' i j with
      | Some c, Some d => Some ((c.1 * d.1)%Z, (c.2 * d.2)%Z)
      | _, _ => None
      end
  end.

Definition product_ge (ms : seq (nat * integers)) (ratio : Q) (i j : N) : bool :=
  match product_of ms i j with
  | Some c => (Qnum ratio * c.2 <=? Zpos (Qden ratio) * c.1)%Z
  | None => false
  end.

(* The numerators of the probabilities of some outputs at one input. *)
Fixpoint outputs_at (ms : seq (nat * integers)) (rs : seq N) (i : N) : Z :=
  match ms, rs with
  | (m, J) :: ms', r :: rs' => (at_index (row_at (lines J) i) (N.to_nat r) * outputs_at ms' rs' i)%Z
  | _, _ => 1%Z
  end.

Definition quotient_is (ratio : Q) (x y : Z) : bool := (0 <? y)%Z && (x * Zpos (Qden ratio) =? Qnum ratio * y)%Z.

(* x + y = z. *)
Definition adds_up (x y z : Q) : bool :=
  Q_eq (Qmake (Qnum x * Zpos (Qden y) + Qnum y * Zpos (Qden x)) (Qden x * Qden y)) z.
Definition minus (x y : Q) : Q := Qmake (Qnum x * Zpos (Qden y) - Qnum y * Zpos (Qden x)) (Qden x * Qden y).

Definition mean_le (p m : nat) (J : integers) (q w : vector) (gap : Q) : bool :=
  let ks := values m (terms q) in
  let mixed := values m (weigh (terms w) (lines J)) in
  let seen := [seq z.2 | z <- zip ks mixed & (0 <? z.1)%Z] in
  let top := foldr Z.lcm 1%Z seen in
  [&& size (lines J) == p, all (fun z => (0 <? z)%Z) seen, (0 <? top)%Z, all (fun z => (top mod z =? 0)%Z) seen &
      all (fun x => let r := values m (row_at (lines J) (N.of_nat x)) in
             (Zpos (Qden gap) * (Zpos (unit w) *
                sum_Z [seq if (0 <? z.1)%Z then (z.1 * (top / z.2.1) * z.2.2)%Z else 0%Z | z <- zip ks (zip mixed r)])
              <=? Zpos (unit q) * (Zpos (Qden gap) + Qnum gap) * top)%Z) (iota 0 p)].

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | Approximate m near a d, None_ =>
      let p := size (vertices near) in
      if judged_at p m is Some J then
        [&& agree (inputs (table_of_judged m)) (vertices near), distances_one near, is_level_or_one a, in_unit d &
            is_approximate (size (outputs (table_of_judged m))) near a d J]
      else false
  | NotApproximate m near a d, Event i j event =>
      let p := size (vertices near) in
      if judged_at p m is Some J then
        [&& agree (inputs (table_of_judged m)) (vertices near), distances_one near, is_level_or_one a, in_unit d &
            is_constrained p near i j &&
            let sides := event_sides (size (outputs (table_of_judged m))) a d (scaling J) event
                           (row_at (lines J) i) (row_at (lines J) j) in (sides.2 <? sides.1)%Z]
      else false
  | LeastDelta m near a d, (None_ | Pair _ _) as w =>
      let p := size (vertices near) in let k := size (outputs (table_of_judged m)) in
      if judged_at p m is Some J then
        [&& agree (inputs (table_of_judged m)) (vertices near), distances_one near, is_level_or_one a, in_unit d &
            is_approximate k near a d J &&
            match w with
            | Pair i j => is_constrained p near i j && gain_is k a d (scaling J) (row_at (lines J) i) (row_at (lines J) j)
            | _ => (Qnum d =? 0)%Z
            end]
      else false
  | LevelWithDelta m near d ratio, (None_ | Event _ _ _) as w =>
      let p := size (vertices near) in let k := size (outputs (table_of_judged m)) in
      if judged_at p m is Some J then
        [&& agree (inputs (table_of_judged m)) (vertices near), distances_one near, in_unit ratio, in_unit d &
            ((Qnum ratio =? 0)%Z || is_approximate k near ratio d J) &&
            match w with
            | Event i j event =>
                let sides := event_sides k ratio d (scaling J) event (row_at (lines J) i) (row_at (lines J) j) in
                [&& is_constrained p near i j, (sides.1 =? sides.2)%Z &
                    (Qnum d * scaling J <? event_sum k event (row_at (lines J) i) * Zpos (Qden d))%Z]
            | _ => is_one ratio
            end]
      else false
  | Sequential ts near ratio, (None_ | Outputs _ _ _) as w =>
      let p := size (vertices near) in
      match all_of (fun m => mechanism_at p (size (outputs m)) m) ts with
      | Some Is =>
          let ms := zip [seq size (outputs m) | m <- ts] Is in
          [&& (0 < size ts)%N, all (fun m => agree (inputs m) (vertices near)) ts, distances_one near, in_unit ratio &
              all (fun e : N * N => product_ge ms ratio e.1 e.2) (ordered near) &&
              match w with
              | Outputs i j rs =>
                  [&& is_constrained p near i j, size rs == size ts,
                      all (fun z => (z.1 <? N.of_nat z.2.1)%num) (zip rs ms) &
                      quotient_is ratio (outputs_at ms rs i) (outputs_at ms rs j)]
              | _ => is_one ratio
              end]
      | None => false
      end
  | Parallel parts ratio, (None_ | PartAt _ _ _ _) as w =>
      match all_of (fun q => mechanism_at (size (vertices q.2)) (size (outputs q.1)) q.1) parts with
      | Some Is =>
          [&& (0 < size parts)%N, all (fun q => agree (inputs q.1) (vertices q.2) && (0 < size (vertices q.2))%N) parts,
              all (fun q => distances_one q.2) parts, in_unit ratio &
              ((Qnum ratio =? 0)%Z ||
               all (fun z : (table * neighbours) * integers => is_private (size (outputs z.1.1)) z.1.2 ratio z.2) (zip parts Is)) &&
              match w with
              | PartAt k i j r =>
                  let z := nth (nowhere, Integers 0 [::]) (zip parts Is) (N.to_nat k) in
                  [&& (k <? N.of_nat (size parts))%num, is_constrained (size (vertices z.1.2)) z.1.2 i j,
                      (r <? N.of_nat (size (outputs z.1.1)))%num &
                      quotient_is ratio (at_index (row_at (lines z.2) i) (N.to_nat r)) (at_index (row_at (lines z.2) j) (N.to_nat r))]
              | _ => is_one ratio
              end]
      | None => false
      end
  | GapBetween near a c t loss least most, Gap upper x d =>
      let p := size (vertices near) in let m := size (outputs (loss_of c)) in
      match consumer_at p m (vertices near) c, mechanism_at p m t with
      | Some L, Some M =>
          [&& agree (inputs t) (vertices near), agree (outputs t) (outputs (loss_of c)), is_level a, adds_up least upper loss &
              [&& (0 <=? Qnum least)%Z, solves p m near a c L M loss, attains p m near a c L x upper &
                  bounds p m near a c L d (minus loss most)]]
      | _, _ => false
      end
  | Likely t q w gap, None_ =>
      let p := size (inputs t) in let m := size (outputs t) in
      if mechanism_at p m t is Some J then
        [&& is_distribution m (Zpos (unit q)) (terms q), is_distribution p (Zpos (unit w)) (terms w), (0 <=? Qnum gap)%Z &
            mean_le p m J q w gap]
      else false
  | _, _ => false
  end.

Section Soundness.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma distances_oneP near : distances_one near -> all_one near.
Proof. by move/all_In => one e /one /andP[/Z.eqb_eq n1 /Pos.eqb_eq d1]; case: e.2 n1 d1 => ? ? /= -> ->. Qed.

Lemma in_unitP q : in_unit q -> 0 <= of_Q q <= 1.
Proof.
case/andP=> q_ge0 q_le1; rewrite /of_Q divr_ge0 ?of_Z_ge0 ?(ltW (of_Z_pos R _)) //.
by rewrite ler_pdivr_mulr ?of_Z_pos // mul1r of_Z_le.
Qed.

Lemma is_level_or_oneP q : is_level_or_one q -> 0 < of_Q q <= 1.
Proof.
case/andP=> /Z.ltb_lt q_gt0 q_le1; rewrite /of_Q ltr_pdivl_mulr ?of_Z_pos // mul0r -(of_Z0 R) of_Z_lt.
rewrite ler_pdivr_mulr ?of_Z_pos // mul1r of_Z_le q_le1 andbT; exact/Z.ltb_lt.
Qed.

Lemma size_values m r : size (values m r) = m.
Proof. by rewrite /values; case: ifP => _; rewrite ?size_dense ?size_map ?size_iota. Qed.

Lemma nth_values m r j : (j < m)%N -> nth 0%Z (values m r) j = at_index r j.
Proof.
move=> j_m; rewrite /values; case: ifP => [r_order|_]; first exact: at_dense.
by rewrite (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma sum_values2 m (x y : row) (f : Z * Z -> Z) :
  of_Z (sum_Z [seq f z | z <- zip (values m x) (values m y)]) = \sum_(r < m) of_Z (f (at_index x r, at_index y r)).
Proof.
rewrite (@sum_seq _ _ m) ?size_map ?size_zip ?size_values ?minnn //; apply: eq_bigr => r _.
by rewrite (nth_map (0, 0)%Z) ?size_zip ?size_values ?minnn // nth_zip ?size_values //= !nth_values.
Qed.

Lemma of_Z_max x y : of_Z (Z.max x y) = Num.max (of_Z x) (of_Z y).
Proof.
case: (Z.max_spec x y) => [[xy ->]|[yx ->]]; [rewrite max_r // | rewrite max_l //];
  by rewrite of_Z_le; apply/Z.leb_le; lia.
Qed.

Lemma adjacentP p near i j : is_constrained p near i j ->
  exists (u v : 'I_p), [/\ N.of_nat u = i, N.of_nat v = j & adjacent near u v].
Proof.
case/and3P=> /N.ltb_lt i_p /N.ltb_lt j_p /has_In[[i' j'] e_in /andP[/N.eqb_eq/= ei /N.eqb_eq/= ej]].
have i_lt : (N.to_nat i < p)%N by apply/ssrnat.ltP; lia.
have j_lt : (N.to_nat j < p)%N by apply/ssrnat.ltP; lia.
exists (Ordinal i_lt), (Ordinal j_lt); rewrite /= !N2Nat.id; split=> //.
move: e_in; rewrite ei ej /ordered /adjacent; elim: (pairs near) => [|e s IHs] //=; case=> [[e1 e2]|[[e1 e2]|/IHs h]]; last by move/orP: h => [] ->; rewrite ?orbT.
  by apply/orP; left; apply/orP; left; rewrite /is_pair /= !N2Nat.id e1 e2 !N.eqb_refl.
by apply/orP; right; apply/orP; left; rewrite /is_pair /= !N2Nat.id e1 e2 !N.eqb_refl.
Qed.

Lemma ordered_adjacent p near (i j : 'I_p) : adjacent near i j -> List.In (N.of_nat i, N.of_nat j) (ordered near).
Proof.
rewrite /ordered /adjacent; elim: (pairs near) => [|[[x y] d] s IHs] //=.
rewrite /is_pair /=; case/orP=> /orP[]; try by move=> h; do 2!right; apply: IHs; rewrite h ?orbT.
  by case/andP=> /N.eqb_eq -> /N.eqb_eq ->; left.
by case/andP=> /N.eqb_eq -> /N.eqb_eq ->; right; left.
Qed.

Lemma judged_atP p m J : judged_at p m = Some J ->
  represents J (matrix_at R p (table_of_judged m)) /\
  if is_mechanism m then stochastic (matrix_at R p (table_of_judged m)) else forall i r, 0 <= matrix_at R p (table_of_judged m) i r.
Proof.
rewrite /judged_at; case: is_mechanism; first by case/(mechanism_atP R).
case E: integers_at => [K|] //; case: ifP => // K_ge0 [<-]; have rep := integers_atP R E; split=> // i r.
rewrite (line_at _ _ rep) divr_ge0 ?(ltW (proj1 rep)) // of_Z_ge0; apply/Z.leb_le/all_ge0P.
rewrite row_atE; have [lt|ge] := ltnP (N.to_nat (N.of_nat i)) (size (lines K)); last by rewrite nth_default.
exact: (all_nthP [::] K_ge0 _ lt).
Qed.

Section Judged.
Variables (p m : nat) (J : integers) (X : 'M[R]_(p, m)).
Hypothesis J_X : represents J X.
Local Notation row_of i := (row_at (lines J) (N.of_nat i)).

Lemma gainP a (i j : 'I_p) :
  excess (of_Q a) X i j = of_Z (gain m a (row_of i) (row_of j)) / (of_Z (Zpos (Qden a)) * of_Z (scaling J)).
Proof.
have D_gt0 := proj1 J_X; have q_gt0 := of_Z_pos R (Qden a).
rewrite /gain sum_values2 mulr_suml; apply: eq_bigr => r _; rewrite of_Z_max maxr_pmull ?mul0r; last first.
  by rewrite invr_ge0 ltW // mulr_gt0.
congr (Num.max _ _); rewrite !(line_at _ _ J_X) [(_, _).1]/= [(_, _).2]/= of_ZB !of_ZM /of_Q.
move: (of_Z (scaling J)) D_gt0 (of_Z (Zpos (Qden a))) q_gt0 => D D_gt0 q q_gt0.
by by_field R; split; apply/eqP; rewrite gt_eqF.
Qed.

Lemma gain_over a d (g : Z) : 0 < of_Q a ->
  (of_Z g / (of_Z (Zpos (Qden a)) * of_Z (scaling J)) <= of_Q a * of_Q d) = (g * Zpos (Qden d) <=? Qnum d * Qnum a * scaling J)%Z /\
  (of_Z g / (of_Z (Zpos (Qden a)) * of_Z (scaling J)) == of_Q a * of_Q d) = (g * Zpos (Qden d) =? Qnum d * Qnum a * scaling J)%Z.
Proof.
have D_gt0 := proj1 J_X; have q_gt0 := of_Z_pos R (Qden a); have e_gt0 := of_Z_pos R (Qden d) => _.
rewrite -(of_Z_le R) -(of_Z_eq R) !of_ZM /of_Q.
move: (of_Z (scaling J)) D_gt0 (of_Z (Zpos (Qden a))) q_gt0 (of_Z (Zpos (Qden d))) e_gt0 => D D_gt0 q q_gt0 e e_gt0.
have qDe_gt0 : 0 < q * D * e by rewrite !mulr_gt0.
have -> : of_Z g / (q * D) = of_Z g * e / (q * D * e).
  by by_field R; do ?split; apply/eqP; rewrite gt_eqF.
have -> : of_Z (Qnum a) / q * (of_Z (Qnum d) / e) = of_Z (Qnum d) * of_Z (Qnum a) * D / (q * D * e).
  by by_field R; do ?split; apply/eqP; rewrite gt_eqF.
rewrite ler_pmul2r ?invr_gt0 // (eqtype.inj_eq (mulIf _)) //.
by rewrite invr_eq0 gt_eqF.
Qed.

Lemma is_approximateP near a d : 0 < of_Q a -> is_approximate m near a d J ->
  approximately_private_on (adjacent near) (of_Q a) (of_Q d) X.
Proof.
move=> a_gt0 /all_In ok; apply/approximatelyP => i j /ordered_adjacent/ok.
by rewrite gainP (proj1 (gain_over _ _ a_gt0)).
Qed.

Definition event_set (event : seq N) : {set 'I_m} := [set r | has (N.eqb (N.of_nat (nat_of_ord r))) event].

Lemma event_sumP event (i : 'I_p) :
  probability X i (event_set event) = of_Z (event_sum m event (row_of i)) / of_Z (scaling J).
Proof.
rewrite /probability /event_sum (@sum_seq _ _ m) ?size_map ?size_zip ?size_iota ?size_values ?minnn //.
rewrite mulr_suml big_mkcond /=; apply: eq_bigr => r _.
rewrite (nth_map (0%N, 0%Z)) ?size_zip ?size_iota ?size_values ?minnn // nth_zip ?size_iota ?size_values //=.
rewrite nth_iota // nth_values // add0n inE (line_at _ _ J_X); case: ifP => // _.
by rewrite mul0r.
Qed.

Lemma event_sidesP a d event (i j : 'I_p) :
  let sides := event_sides m a d (scaling J) event (row_of i) (row_of j) in
  exists k : R, [/\ 0 < k, of_Z sides.1 = k * (of_Q a * (probability X i (event_set event) - of_Q d)) &
    of_Z sides.2 = k * probability X j (event_set event)].
Proof.
have D_gt0 := proj1 J_X; have q_gt0 := of_Z_pos R (Qden a); have e_gt0 := of_Z_pos R (Qden d).
rewrite /event_sides; cbv beta iota zeta delta [fst snd]; rewrite !event_sumP !of_ZM of_ZB !of_ZM /of_Q.
move: (of_Z (scaling J)) D_gt0 (of_Z (Zpos (Qden a))) q_gt0 (of_Z (Zpos (Qden d))) e_gt0 => D D_gt0 q q_gt0 e e_gt0.
exists (q * e * D); split; first by rewrite !mulr_gt0.
  by by_field R; do ?split; apply/eqP; rewrite gt_eqF.
by by_field R; do ?split; apply/eqP; rewrite gt_eqF.
Qed.

Lemma above_delta d event (i : 'I_p) : (Qnum d * scaling J <? event_sum m event (row_of i) * Zpos (Qden d))%Z ->
  of_Q d < probability X i (event_set event).
Proof.
rewrite -(of_Z_lt R) !of_ZM event_sumP /of_Q => lt.
by rewrite ltr_pdivr_mulr ?of_Z_pos // mulrAC ltr_pdivl_mulr ?(proj1 J_X).
Qed.

End Judged.

(* ---- Several mechanisms ---- *)
Lemma all_ofP A B (f : A -> option B) s ys x0 y0 : all_of f s = Some ys ->
  size ys = size s /\ forall k, (k < size s)%N -> f (nth x0 s k) = Some (nth y0 ys k).
Proof.
elim: s ys => [|x s IHs] ys /=; first by case=> <-.
case E: (f x) => [y|] //; case F: (all_of f s) => [ys'|] // [<-].
by have [size_ys at_ys] := IHs _ F; split=> [|[|k] k_lt] //=; [rewrite size_ys | exact: at_ys].
Qed.

Definition quotient_at (z : nat * integers) (i j : N) : R :=
  if least_of z.1 (row_at (lines z.2) i) (row_at (lines z.2) j) is Some c then of_Z c.1 / of_Z c.2 else 0.

Lemma least_ofP p m J (X : 'M[R]_(p, m)) (i j : 'I_p) r c : represents J X ->
  least_of m (row_at (lines J) (N.of_nat i)) (row_at (lines J) (N.of_nat j)) = Some c ->
  [/\ 0 <= of_Z c.1 / of_Z c.2, 0 < of_Z c.2 & of_Z c.1 / of_Z c.2 * X j r <= X i r].
Proof.
move=> J_X; rewrite /least_of; move: (least_quotient _ _ _) => b; case: ifP => // /and3P[b1 /Z.ltb_lt b2 ok] [<-] {c}.
have b2_gt0 : 0 < of_Z b.2 := of_Z_gt0 R b2; split=> //; first by rewrite divr_ge0 ?(ltW b2_gt0) // of_Z_ge0.
have := all_nthP (0, 0)%Z ok r; rewrite size_zip !size_values minnn => /(_ (ltn_ord r)).
rewrite nth_zip ?size_values // !nth_values // -(of_Z_le R) [(_, _).1]/= [(_, _).2]/= !of_ZM => le.
have D_gt0 := proj1 J_X; rewrite !(line_at _ _ J_X) mulrA ler_pmul2r ?invr_gt0 // mulrAC ler_pdivr_mulr //.
by rewrite [leRHS]mulrC.
Qed.

Lemma product_ofP ms i j c : product_of ms i j = Some c ->
  [/\ 0 < of_Z c.2, of_Z c.1 / of_Z c.2 = \prod_(k < size ms) quotient_at (nth (0%N, Integers 0 [::]) ms k) i j &
      forall k, (k < size ms)%N -> let z := nth (0%N, Integers 0 [::]) ms k in
        least_of z.1 (row_at (lines z.2) i) (row_at (lines z.2) j) <> None].
Proof.
elim: ms c => [|[m J] ms IHms] c /=; first by case=> <-; split; rewrite ?big_ord0 ?ltr01 ?divr1.
case E: least_of => [b|] //; case F: product_of => [d|] // [<-] /=; have [d_gt0 d_is d_all] := IHms _ F.
have b_gt0 : 0 < of_Z b.2.
  move: E; rewrite /least_of; move: (least_quotient _ _ _) => b'; case: ifP => // /and3P[_ /Z.ltb_lt b2 _] [<-].
  exact: of_Z_gt0.
split; first by rewrite of_ZM mulr_gt0.
  rewrite big_ord_recl -d_is /quotient_at /= E !of_ZM.
  move: (of_Z b.2) b_gt0 (of_Z d.2) d_gt0 => x x_gt0 y y_gt0.
  by by_field R; split; apply/eqP; rewrite gt_eqF.
by case=> [|k] k_lt /=; [rewrite E | exact: d_all].
Qed.

Lemma outputs_atP ms rs i : size rs = size ms -> of_Z (outputs_at ms rs i) =
  \prod_(k < size ms) of_Z (at_index (row_at (lines (nth (0%N, Integers 0 [::]) ms k).2) i) (N.to_nat (nth 0%num rs k))).
Proof.
elim: ms rs => [|[m J] ms IHms] [|r rs] //=; first by rewrite big_ord0.
by case=> /IHms IH; rewrite big_ord_recl of_ZM IH.
Qed.

Lemma quotient_isP ratio x y (D : R) : 0 < D -> quotient_is ratio x y ->
  0 < of_Z y / D /\ of_Z x / D = of_Q ratio * (of_Z y / D).
Proof.
move=> D_gt0 /andP[/Z.ltb_lt y_gt0 /Z.eqb_eq e]; split; first by rewrite divr_gt0 //; exact: of_Z_gt0.
rewrite mulrA; congr (_ / _); apply: (mulIf (of_Z_pos_neq0 R (Qden ratio))); rewrite -of_ZM e of_ZM /of_Q mulrAC divfK //.
exact: of_Z_pos_neq0.
Qed.

Section Together.
Variables (p : nat) (ts : seq table) (Js : seq integers).
Hypothesis found_all : all_of (fun m => mechanism_at p (size (outputs m)) m) ts = Some Js.
Local Notation ms := (zip [seq size (outputs m) | m <- ts] Js).
Local Notation at_ := (nth (0%N, Integers 0 [::]) ms).

Lemma size_together : size ms = size ts.
Proof. by have [size_Js _] := all_ofP nothing (Integers 0 [::]) found_all; rewrite size_zip size_map size_Js minnn. Qed.

Lemma together_at (k : 'I_(size ts)) :
  (at_ k).1 = size (outputs (nth nothing ts k)) /\ represents (at_ k).2 (@together R p ts k) /\ stochastic (@together R p ts k).
Proof.
have [size_Js at_Js] := all_ofP nothing (Integers 0 [::]) found_all.
rewrite nth_zip ?size_map // (nth_map nothing) //=; split=> //; exact: mechanism_atP (at_Js _ (ltn_ord k)).
Qed.

Lemma product_geP near ratio : 0 <= of_Q ratio -> all (fun e : N * N => product_ge ms ratio e.1 e.2) (ordered near) ->
  sequential_on (@together R p ts) (adjacent near) (of_Q ratio).
Proof.
move=> ratio_ge0 /all_In ok.
have product i j : adjacent near i j -> exists c, product_of ms (N.of_nat i) (N.of_nat j) = Some c /\
    (Qnum ratio * c.2 <=? Zpos (Qden ratio) * c.1)%Z.
  by move/ordered_adjacent/ok; rewrite /product_ge /=; case: product_of => [c|] // le; exists c.
apply: (@sequential_least R _ p _ (@together R p ts) _ _
  (fun i j (k : 'I_(size ts)) => quotient_at (at_ k) (N.of_nat i) (N.of_nat j))).
- by move=> k; have [_ []] := together_at k.
- move=> i j k r /product[c [/product_ofP[_ _ all_c] _]].
  have [m_k [rep_k _]] := together_at k; have := all_c k; rewrite size_together => /(_ (ltn_ord k)).
  rewrite /quotient_at m_k; case E: least_of => [b|] // _.
  by have [b_ge0 _ b_le] := least_ofP r rep_k E.
move=> i j /product[c [/product_ofP[c_gt0 c_is _] le]].
have -> : \prod_(k < size ts) quotient_at (at_ k) (N.of_nat i) (N.of_nat j) = of_Z c.1 / of_Z c.2 by rewrite c_is size_together.
move: le; rewrite -(of_Z_le R) !of_ZM => le; rewrite ler_pdivl_mulr // /of_Q mulrAC ler_pdivr_mulr ?of_Z_pos //.
by rewrite [leRHS]mulrC.
Qed.

Lemma outputs_bound near ratio i j rs b : is_constrained p near i j -> size rs = size ts ->
  all (fun z => (z.1 <? N.of_nat z.2.1)%num) (zip rs ms) -> quotient_is ratio (outputs_at ms rs i) (outputs_at ms rs j) ->
  sequential_on (@together R p ts) (adjacent near) b -> b <= of_Q ratio.
Proof.
move=> /adjacentP[u [v [<- <- uv]]] size_rs /(all_nthP (0%num, (0%N, Integers 0 [::]))) rs_ok q_is X_priv.
have r_lt (k : 'I_(size ts)) : (N.to_nat (nth 0%num rs k) < size (outputs (nth nothing ts k)))%N.
  have := rs_ok k; rewrite size_zip size_rs size_together minnn nth_zip ?size_rs ?size_together // => /(_ (ltn_ord k)).
  rewrite [(_, _).1]/= [(_, _).2]/= (proj1 (together_at k)) => /N.ltb_lt lt; apply/ssrnat.ltP; lia.
pose r (k : 'I_(size ts)) : 'I_(size (outputs (nth nothing ts k))) := Ordinal (r_lt k).
pose D : R := \prod_(k < size ts) of_Z (scaling (at_ k).2).
have D_gt0 : 0 < D by apply: prodr_gt0 => k _; have [_ [[]]] := together_at k.
have law w : joint_law (@together R p ts) w r = of_Z (outputs_at ms rs (N.of_nat w)) / D.
  rewrite outputs_atP ?size_rs ?size_together // /D -prodf_div; apply: eq_bigr => k _.
  by rewrite (line_at _ _ (proj1 (proj2 (together_at k)))).
have [y_gt0 x_is] := quotient_isP D_gt0 q_is.
have := X_priv u v r uv; rewrite !law x_is.
by rewrite ler_pmul2r.
Qed.
End Together.

Section Apart.
Variables (parts : seq (table * neighbours)) (Js : seq integers).
Hypothesis found_all : all_of (fun q => mechanism_at (size (vertices q.2)) (size (outputs q.1)) q.1) parts = Some Js.
Hypothesis parts_ok : all (fun q : table * neighbours => agree (inputs q.1) (vertices q.2) && (0 < size (vertices q.2))%N) parts.
Hypothesis parts_one : all (fun q : table * neighbours => distances_one q.2) parts.
Local Notation part k := (nth nowhere parts k).
Local Notation at_ := (nth (nowhere, Integers 0 [::]) (zip parts Js)).

Lemma part_at k : (k < size parts)%N -> [/\ at_ k = (part k, nth (Integers 0 [::]) Js k),
  represents (nth (Integers 0 [::]) Js k) (matrix_at R (size (vertices (part k).2)) (part k).1) &
  stochastic (matrix_at R (size (vertices (part k).2)) (part k).1)].
Proof.
have [size_Js at_Js] := all_ofP nowhere (Integers 0 [::]) found_all => k_lt.
rewrite nth_zip ?size_Js //; split=> //; by have [] := mechanism_atP R (at_Js _ k_lt).
Qed.

Lemma apart_stochastic k : stochastic (@apart R parts k).
Proof. by have [] := part_at (ltn_ord k). Qed.

Lemma parallel_apart b :
  parallel_on (@apart R parts) (fun k => @adjacent _ (part k).2) b <->
  forall k : 'I_(size parts), private_on (@adjacent _ (part k).2) b (@apart R parts k).
Proof.
apply: parallelP => [k|k]; first exact: apart_stochastic.
by have /andP[] := all_nthP nowhere parts_ok k (ltn_ord k).
Qed.

Lemma apart_one k : (k < size parts)%N -> all_one (part k).2.
Proof. by move=> k_lt; apply: distances_oneP; exact: (all_nthP nowhere parts_one). Qed.

Lemma apart_private ratio b : 0 < b -> b <= of_Q ratio ->
  all (fun z : (table * neighbours) * integers => is_private (size (outputs z.1.1)) z.1.2 ratio z.2) (zip parts Js) ->
  parallel_on (@apart R parts) (fun k => @adjacent _ (part k).2) b.
Proof.
move=> b_gt0 b_le ok; apply/parallel_apart => k i j r ij.
have [size_Js _] := all_ofP nowhere (Integers 0 [::]) found_all.
have [at_k rep st] := part_at (ltn_ord k).
have := all_nthP (nowhere, Integers 0 [::]) ok k; rewrite size_zip size_Js minnn at_k => /(_ (ltn_ord k)) /= priv.
have /(private_for_graph _ _ (apart_one (ltn_ord k))) X_priv := is_privateP rep priv.
by apply: le_trans (X_priv i j r ij); rewrite ler_wpmul2r //; exact: (proj1 st).
Qed.

Lemma apart_bound ratio k i j r b : (k <? N.of_nat (size parts))%num ->
  let z := at_ (N.to_nat k) in is_constrained (size (vertices z.1.2)) z.1.2 i j -> (r <? N.of_nat (size (outputs z.1.1)))%num ->
  quotient_is ratio (at_index (row_at (lines z.2) i) (N.to_nat r)) (at_index (row_at (lines z.2) j) (N.to_nat r)) ->
  parallel_on (@apart R parts) (fun k => @adjacent _ (part k).2) b -> b <= of_Q ratio.
Proof.
move=> /N.ltb_lt k_parts; have k_lt : (N.to_nat k < size parts)%N by apply/ssrnat.ltP; lia.
have [at_k rep st] := part_at k_lt; rewrite at_k /= => /adjacentP[u [v [<- <- uv]]] /N.ltb_lt r_m q_is.
move/parallel_apart/(_ (Ordinal k_lt)) => X_priv.
have r_lt : (N.to_nat r < size (outputs (part (N.to_nat k)).1))%N by apply/ssrnat.ltP; lia.
have := X_priv u v (Ordinal r_lt) uv; rewrite /apart.
have [y_gt0 x_is] := quotient_isP (proj1 rep) q_is.
by rewrite !(line_at _ _ rep) /= x_is ler_pmul2r.
Qed.

Lemma parts_meaning (k : 'I_(size parts)) : let: (t, near) := part k in
  [/\ inputs t = vertices near, (0 < size (vertices near))%N, all_one near & stochastic (matrix_at R (size (vertices near)) t)].
Proof.
have [_ _ st] := part_at (ltn_ord k); have /andP[/agreeP e p_gt0] := all_nthP nowhere parts_ok k (ltn_ord k).
by have := apart_one (ltn_ord k); case: (part k) e p_gt0 st.
Qed.
End Apart.

(* ---- Likelihood ---- *)
Section Mean.
Variables (p m : nat) (J : integers) (C : 'M[R]_(p, m)) (q w : vector) (gap : Q).
Hypotheses (J_C : represents J C) (q_dist : is_distribution m (Zpos (unit q)) (terms q)).
Hypothesis w_dist : is_distribution p (Zpos (unit w)) (terms w).
Hypothesis ok : mean_le p m J q w gap.
Local Notation prior := (fun x : 'I_p => vector_entry R w x).
Local Notation seen := (fun y : 'I_m => Z.to_nat (at_index (terms q) y)).
Local Notation M := (weigh (terms w) (lines J)).

Lemma seenE (y : 'I_m) : (seen y)%:R = of_Z (at_index (terms q) y).
Proof.
by case/and3P: q_dist => _ /(@all_ge0P _ y) ge0 _; rewrite -of_Z_nat Z2Nat.id.
Qed.

Lemma seen_total : (\sum_(y < m) seen y)%:R = of_Z (Zpos (unit q)) :> R.
Proof.
case/and3P: q_dist => q_m _ /Z.eqb_eq <-; rewrite natr_sum -(sum_row1 R q_m); apply: eq_bigr => y _; exact: seenE.
Qed.

Lemma mixtureE (y : 'I_m) : mixture prior C y = of_Z (at_index M y) / (of_Z (Zpos (unit w)) * of_Z (scaling J)).
Proof.
case/and3P: w_dist => w_p _ _; rewrite /mixture (@at_weigh _ p) // mulr_suml; apply: eq_bigr => x _.
rewrite (line_at _ _ J_C) row_atE Nat2N.id /vector_entry.
have D_gt0 := proj1 J_C; have u_gt0 := of_Z_pos R (unit w).
move: (of_Z (scaling J)) D_gt0 (of_Z (Zpos (unit w))) u_gt0 => D D_gt0 u u_gt0.
by by_field R; split; apply/eqP; rewrite gt_eqF.
Qed.

Lemma in_kept (s : seq (Z * Z)) j : (j < size s)%N -> (0 < (nth (0, 0)%Z s j).1)%Z ->
  List.In (nth (0, 0)%Z s j).2 [seq z.2 | z <- s & (0 <? z.1)%Z].
Proof.
elim: s j => [|z s IHs] [|j] //= j_lt z_gt0; first by have /Z.ltb_lt -> := z_gt0; left.
by case: Z.ltb => /=; [right|]; exact: IHs.
Qed.

Lemma in_seen (y : 'I_m) : (0 < at_index (terms q) y)%Z ->
  List.In (at_index M y) [seq z.2 | z <- zip (values m (terms q)) (values m M) & (0 <? z.1)%Z].
Proof.
move=> k_gt0; have := @in_kept (zip (values m (terms q)) (values m M)) y.
by rewrite size_zip !size_values minnn nth_zip ?size_values // !nth_values //=; apply.
Qed.

Lemma mean_facts : exists top : Z, [/\ 0 < of_Z top,
  forall y : 'I_m, (0 < at_index (terms q) y)%Z -> (0 < at_index M y)%Z /\ (top mod at_index M y)%Z = 0%Z &
  forall x : 'I_p, (Zpos (Qden gap) * (Zpos (unit w) *
      sum_Z [seq if (0 <? z.1)%Z then (z.1 * (top / z.2.1) * z.2.2)%Z else 0%Z |
             z <- zip (values m (terms q)) (zip (values m M) (values m (row_at (lines J) (N.of_nat x))))])
    <=? Zpos (unit q) * (Zpos (Qden gap) + Qnum gap) * top)%Z].
Proof.
move: ok; rewrite /mean_le; move: (foldr Z.lcm _ _) => top /and5P[_ pos /Z.ltb_lt top_gt0 whole rows].
exists top; split; first exact: of_Z_gt0.
  move=> y /in_seen y_in; split; first by have /Z.ltb_lt := proj1 (all_In _ _) pos _ y_in.
  by have /Z.eqb_eq := proj1 (all_In _ _) whole _ y_in.
by move=> x; have := all_nthP 0%N rows x; rewrite size_iota nth_iota // add0n; apply.
Qed.

Lemma seen_mixture (y : 'I_m) : (0 < seen y)%N -> 0 < mixture prior C y.
Proof.
have [top [_ pos _]] := mean_facts; rewrite mixtureE => /ssrnat.ltP k_gt0.
have [|M_gt0 _] := pos y; first by lia.
by rewrite divr_gt0 ?mulr_gt0 ?of_Z_pos ?(proj1 J_C) //; exact: of_Z_gt0.
Qed.

Lemma mean_leP (x : 'I_p) :
  \sum_y (seen y)%:R * C x y / mixture prior C y <= (\sum_y seen y)%:R * (1 + of_Q gap).
Proof.
have [top [top_gt0 pos /(_ x)]] := mean_facts; rewrite -(of_Z_le R) !of_ZM of_ZD.
rewrite (@sum_seq _ _ m); last by rewrite size_map !size_zip !size_values !minnn.
set S := \sum_(j < m) _ => le.
have -> : \sum_y (seen y)%:R * C x y / mixture prior C y = of_Z (Zpos (unit w)) * S / of_Z top.
  rewrite /S mulr_sumr mulr_suml; apply: eq_bigr => y _.
  rewrite (nth_map (0, (0, 0))%Z) ?size_zip ?size_values ?minnn // !nth_zip ?size_zip ?size_values ?minnn //.
  rewrite !nth_values // [(_, _).1]/= [(_, (_, _)).2]/= [(_, _).2]/= [(at_index M y, _).1]/= seenE.
  case: ifP => [/Z.ltb_lt k_gt0|/Z.ltb_ge k_le0]; last first.
    have -> : at_index (terms q) y = 0%Z by case/and3P: q_dist => _ /(@all_ge0P _ y) ge0 _; lia.
    by rewrite !mul0r mulr0 mul0r.
  have [M_gt0 whole] := pos y k_gt0; rewrite mixtureE (line_at _ _ J_C) !of_ZM.
  have top_is : of_Z top = of_Z (top / at_index M y)%Z * of_Z (at_index M y).
    by apply: quotient; [exact: M_gt0 | apply/Z.mod_divide => //; lia].
  have MR := of_Z_gt0 R M_gt0; have D_gt0 := proj1 J_C; have u_gt0 := of_Z_pos R (unit w).
  have t_neq0 : of_Z (top / at_index M y)%Z != 0.
    by apply/eqP => t0; move: top_gt0; rewrite top_is t0 mul0r ltxx.
  rewrite top_is; move: (of_Z (scaling J)) D_gt0 (of_Z (Zpos (unit w))) u_gt0 (of_Z (at_index M y)) MR => D D_gt0 u u_gt0 M' M_gt0'.
  by by_field R; do ?split; apply/eqP => //; rewrite gt_eqF.
rewrite seen_total ler_pdivr_mulr // /of_Q.
have g_gt0 := of_Z_pos R (Qden gap).
rewrite -(ler_pmul2l g_gt0); rewrite [leRHS](_ : _ = of_Z (Zpos (unit q)) * (of_Z (Zpos (Qden gap)) + of_Z (Qnum gap)) * of_Z top) //.
by by_field R; apply/eqP; rewrite gt_eqF.
Qed.
End Mean.

Lemma judgeableP m near J : judged_at (size (vertices near)) m = Some J -> agree (inputs (table_of_judged m)) (vertices near) ->
  distances_one near -> judgeable R m near.
Proof. by case/judged_atP=> _ st /agreeP e /distances_oneP one; split. Qed.

Lemma judged_ge0 m p : (if is_mechanism m then stochastic (matrix_at R p (table_of_judged m))
  else forall i r, 0 <= matrix_at R p (table_of_judged m) i r) -> forall i r, 0 <= matrix_at R p (table_of_judged m) i r.
Proof. by case: is_mechanism => // -[]. Qed.

Lemma minusE x y : of_Q (minus x y) = of_Q x - of_Q y.
Proof.
rewrite /of_Q /minus [Qnum _]/= [Qden _]/= of_ZB !of_ZM Pos2Z.inj_mul of_ZM.
by by_field R; split; apply/eqP; exact: of_Z_pos_neq0.
Qed.

Lemma adds_upP x y z : adds_up x y z -> of_Q x + of_Q y = of_Q z.
Proof.
rewrite /adds_up -(of_Q_eq R) => /eqP <-; rewrite /of_Q [Qnum _]/= [Qden _]/= of_ZD !of_ZM Pos2Z.inj_mul of_ZM.
by by_field R; split; apply/eqP; exact: of_Z_pos_neq0.
Qed.

Lemma one_bound ratio b : is_one ratio -> 0 < b < 1 -> b <= of_Q ratio.
Proof.
move=> /Z.eqb_eq e /andP[_ b_lt1]; rewrite /of_Q e divff; [exact: ltW | exact: of_Z_pos_neq0].
Qed.

Lemma no_level ratio b : (Qnum ratio =? 0)%Z -> 0 < b -> b <= of_Q ratio -> False.
Proof. by move=> /Z.eqb_eq e b_gt0; rewrite /of_Q e mul0r leNgt b_gt0. Qed.

Lemma level_gt0 ratio b : in_unit ratio -> 0 < b -> b <= of_Q ratio -> 0 < of_Q ratio.
Proof. by move=> _ b_gt0; exact: lt_le_trans. Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => [m near a d|m near a d|m near a d|m near d ratio|ts near ratio|parts ratio|near a c t loss least most|t q v gap]; case: w => //=.
- case E: judged_at => [J|] // /and5P[in_v one /is_level_or_oneP a_ok d_ok ok].
  have [rep _] := judged_atP E; split=> //; [exact: judgeableP E in_v one | exact: in_unitP |].
  have /andP[a_gt0 _] := a_ok; exact: (is_approximateP rep a_gt0 ok).
- move=> i j event; case E: judged_at => [J|] // /and5P[in_v one /is_level_or_oneP a_ok d_ok /andP[]].
  have [rep _] := judged_atP E; move=> /adjacentP[x [y [<- <- xy]]].
  have [k [k_gt0 u_is v_is]] := event_sidesP rep a d event x y.
  rewrite -(of_Z_lt R) u_is v_is ltr_pmul2l // => lt; split=> //; [exact: judgeableP E in_v one | exact: in_unitP |].
  move/(_ x y (event_set _ event) xy); rewrite -ler_subl_addr -mulrBr leNgt => /negP; exact.
- case E: judged_at => [J|] // /and5P[in_v one /is_level_or_oneP a_ok d_ok /andP[ok /Z.eqb_eq d0]].
  have [rep _] := judged_atP E; split=> //; [exact: judgeableP E in_v one | exact: in_unitP | |].
    have /andP[a_gt0 _] := a_ok; exact: (is_approximateP rep a_gt0 ok).
  by move=> e e_ge0 _; rewrite /of_Q d0 mul0r.
- move=> i j; case E: judged_at => [J|] // /and5P[in_v one /is_level_or_oneP a_ok d_ok /and3P[ok]].
  have [rep _] := judged_atP E; have /andP[a_gt0 _] := a_ok.
  move=> /adjacentP[x [y [<- <- xy]]]; rewrite /gain_is -(proj2 (gain_over rep _ _ a_gt0)) -(gainP rep) => /eqP at_xy.
  split=> //; [exact: judgeableP E in_v one | exact: in_unitP | exact: (is_approximateP rep a_gt0 ok) |].
  by move=> e _ /approximatelyP/(_ x y xy); rewrite at_xy ler_pmul2l.
- case E: judged_at => [J|] // /and5P[in_v one r_ok d_ok /andP[ok r1]].
  have [rep st] := judged_atP E; split=> //; [exact: judgeableP E in_v one | exact: in_unitP | exact: in_unitP |].
  move=> b b_ok; split=> [_|b_le]; first exact: one_bound b_ok.
  case/andP: b_ok => b_gt0 _; case/orP: ok => [/no_level/(_ b_gt0 b_le)//|ok].
  apply: (approximately_le (judged_ge0 st) b_gt0 b_le); apply: (is_approximateP rep _ ok); exact: lt_le_trans b_le.
- move=> i j event; case E: judged_at => [J|] // /and5P[in_v one r_ok d_ok /andP[ok]].
  have [rep st] := judged_atP E; case/and3P=> /adjacentP[x [y [ex ey xy]]]; rewrite -ex -ey => /Z.eqb_eq uv above.
  have [k [k_gt0 u_is v_is]] := event_sidesP rep ratio d event x y.
  have far : probability (matrix_at R _ (table_of_judged m)) y (event_set _ event)
      = of_Q ratio * (probability (matrix_at R _ (table_of_judged m)) x (event_set _ event) - of_Q d).
    by apply: (mulfI (lt0r_neq0 k_gt0)); rewrite -u_is -v_is; congr of_Z; exact: (esym uv).
  split=> //; [exact: judgeableP E in_v one | exact: in_unitP | exact: in_unitP |].
  move=> b /andP[b_gt0 b_lt1]; split=> [|b_le].
    by apply: event_bound xy _ far; exact: (above_delta rep).
  case/orP: ok => [/no_level/(_ b_gt0 b_le)//|ok].
  apply: (approximately_le (judged_ge0 st) b_gt0 b_le); apply: (is_approximateP rep _ ok); exact: lt_le_trans b_le.
- case E: all_of => [Js|] // /and5P[ts_gt0 /(all_nthP nothing) in_ts one r_ok /andP[ok r1]].
  have r_unit := in_unitP r_ok; have /andP[r_ge0 _] := r_unit.
  split=> //; [exact: distances_oneP | | ].
    by move=> k; split; [exact: agreeP (in_ts k (ltn_ord k)) | have [_ []] := together_at E k].
  move=> b b_ok; split=> [_|b_le]; first exact: one_bound b_ok.
  move=> i j r ij; apply: le_trans (product_geP E r_ge0 ok r ij).
  by rewrite ler_wpmul2r //; apply: joint_ge0 => k; have [_ []] := together_at E k.
- move=> i j rs; case E: all_of => [Js|] // /and5P[ts_gt0 /(all_nthP nothing) in_ts one r_ok /andP[ok]].
  case/and4P=> con /eqP size_rs rs_ok q_is; have r_unit := in_unitP r_ok; have /andP[r_ge0 _] := r_unit.
  split=> //; [exact: distances_oneP | | ].
    by move=> k; split; [exact: agreeP (in_ts k (ltn_ord k)) | have [_ []] := together_at E k].
  move=> b b_ok; split=> [h|b_le]; first exact: (outputs_bound E con size_rs rs_ok q_is h).
  move=> u v r uv; apply: le_trans (product_geP E r_ge0 ok r uv).
  by rewrite ler_wpmul2r //; apply: joint_ge0 => k; have [_ []] := together_at E k.
- case E: all_of => [Js|] // /and5P[parts_gt0 parts_ok ones r_ok /andP[ok r1]].
  split=> //; [exact: in_unitP | exact: parts_meaning E parts_ok ones |].
  move=> b b_ok; split=> [_|b_le]; first exact: one_bound b_ok.
  case/andP: b_ok => b_gt0 _; case/orP: ok => [/no_level/(_ b_gt0 b_le)//|ok].
  exact: (apart_private E parts_ok ones b_gt0 b_le ok).
- move=> k i j r; case E: all_of => [Js|] // /and5P[parts_gt0 parts_ok ones r_ok /andP[ok /and4P[k_lt con r_lt q_is]]].
  split=> //; [exact: in_unitP | exact: parts_meaning E parts_ok ones |].
  move=> b b_ok; split=> [h|b_le]; first exact: (apart_bound E parts_ok k_lt con r_lt q_is h).
  case/andP: b_ok => b_gt0 _; case/orP: ok => [/no_level/(_ b_gt0 b_le)//|ok].
  exact: (apart_private E parts_ok ones b_gt0 b_le ok).
- move=> upper x d; case EL: consumer_at => [L|] //; case EM: mechanism_at => [M|] //.
  case/and5P=> /agreeP in_t /agreeP out_t /(is_levelP R) a_ok /adds_upP sum_is /and4P[least_ge0 M_ok X_ok d_ok].
  have [in_v prop rep_L] := consumer_atP R EL; have [rep_M _] := mechanism_atP R EM.
  have upper_is : of_Q loss - of_Q least = of_Q upper by rewrite -sum_is addrC addKr.
  split=> //; [| exact: solvesP rep_L rep_M M_ok | |].
  + by split=> //; rewrite /of_Q divr_ge0 ?(ltW (of_Z_pos R _)) // of_Z_ge0.
  + by rewrite -minusE; exact: boundsP rep_L d_ok.
  rewrite upper_is; exact: attainsP rep_L X_ok.
case E: mechanism_at => [J|] // /and4P[q_dist w_dist gap_ge0 ok].
have [rep st] := mechanism_atP R E.
have q_prob := vector_distribution R q_dist; have w_prob := vector_distribution R w_dist.
split=> //.
  split; first by rewrite /of_Q divr_ge0 ?(ltW (of_Z_pos R _)) // of_Z_ge0.
  move=> y; rewrite /vector_entry pmulr_lgt0 ?invr_gt0 ?of_Z_pos // -(of_Z0 R) of_Z_lt => /Z.ltb_lt k_gt0.
  apply: (seen_mixture rep w_dist ok); apply/ssrnat.ltP; lia.
move=> u u_prob; apply: likelihood_le => //.
- rewrite -(ltr0n R) (seen_total q_dist); exact: of_Z_pos.
- exact: (seen_mixture rep w_dist ok).
exact: (mean_leP rep q_dist w_dist ok).
Qed.

End Soundness.
