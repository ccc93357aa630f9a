(* SPDX-License-Identifier: MIT *)
(* The circuits with positive weights: the minimal sets of columns with a relation whose weights are > 0.     *)
(*                                                                                                            *)
(* Columns are numbered 0, ..., q - 1, and rows are lists of integers.                                        *)
(*   kills rows c       c is a relation: the sum of row_k c_k is 0 for every row                              *)
(*   circuit rows s     s has a relation with weights > 0, and it has no others but its multiples             *)
(*   circuits q rows    a list of them                                                                        *)
(*   circuitsP          every one is in the list, nothing else is, and nothing twice                          *)
(*                                                                                                            *)
(* Column after column is taken or left.  The columns taken are independent; rows are kept in reduced form,   *)
(* each with a pivot > 0 in one of them, or [free].  A column that is 0 in all free rows depends on those     *)
(* taken: it closes a circuit when all pivot rows are negative there, and none otherwise.                     *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From Coq Require List.
From ExactDP Require Import OrderedField.
From ExactDP.Checker Require Import Numbers Rows Listing Independence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition number (r : seq Z) (k : nat) : Z := nth 0%Z r k.

(* a x + b y, entry by entry. *)
Fixpoint mixed (a : Z) (x : seq Z) (b : Z) (y : seq Z) : seq Z :=
  match x, y with
  | [::], _ => [seq (b * v)%Z | v <- y]
  | _, [::] => [seq (a * u)%Z | u <- x]
  | u :: x', v :: y' => (a * u + b * v)%Z :: mixed a x' b y'
  end.

(* Divided by the common divisor. *)
Definition lowest (r : seq Z) : seq Z := let g := common_divisor r in if (g =? 1)%Z then r else [seq (z / g)%Z | z <- r].

(* The row r with 0 in column j, where f is > 0. *)
Definition cleared_by (f : seq Z) (j : nat) (r : seq Z) : seq Z :=
  if (number r j =? 0)%Z then r else lowest (mixed (number f j) r (- number r j) f).

Definition upward (f : seq Z) (j : nat) : seq Z := if (0 <? number f j)%Z then f else [seq (- z)%Z | z <- f].

(* The first row that is not 0 in column j, and the others. *)
Fixpoint pivot (j : nat) (free : seq (seq Z)) : option (seq Z * seq (seq Z)) :=
  match free with
  | [::] => None
  | r :: rest =>
    if (number r j =? 0)%Z then (if pivot j rest is Some (f, others) then Some (f, r :: others) else None)
    else Some (r, rest)
  end.

Definition pivoted := seq (nat * seq Z).

(* There are k columns from j on; [taken] are those taken before, each with its row. *)
Fixpoint search (k j : nat) (taken : seq nat) (rows : pivoted) (free : seq (seq Z)) : seq (seq nat) :=
  match k with
  | 0 => [::]
  | k'.+1 =>
    match pivot j free with
    | Some (f, others) =>
        let f := upward f j in
        search k' j.+1 (rcons taken j) ((j, f) :: [seq (x.1, cleared_by f j x.2) | x <- rows]) [seq cleared_by f j r | r <- others]
        ++ search k' j.+1 taken rows free
    | None =>
        (if all (fun x => number x.2 j <? 0)%Z rows then [:: rcons taken j] else [::])
        ++ search k' j.+1 taken rows free
    end
  end.

Definition circuits (q : nat) (rows : seq (seq Z)) : seq (seq nat) := search q 0 [::] [::] rows.

Lemma number_mixed a x b y k : number (mixed a x b y) k = (a * number x k + b * number y k)%Z.
Proof.
have number_scaled c z j : number [seq (c * v)%Z | v <- z] j = (c * number z j)%Z.
  rewrite /number; have [j_lt|j_ge] := ltnP j (size z); first by rewrite (nth_map 0%Z).
  by rewrite !nth_default ?size_map //; lia.
elim: x y k => [|u x IHx] [|v y] k; rewrite ?[mixed _ _ _ _]/=.
- by rewrite /number !nth_nil; lia.
- by rewrite (number_scaled b (v :: y)) {2}/number nth_nil; lia.
- by rewrite (number_scaled a (u :: x)) {3}/number nth_nil; lia.
by case: k => [|k] //=; exact: IHx.
Qed.

Lemma number_upward f j k : number (upward f j) k = (if (0 <? number f j)%Z then number f k else - number f k)%Z.
Proof.
rewrite /upward; case: ifP => // _; rewrite /number.
have [k_lt|k_ge] := ltnP k (size f); first by rewrite (nth_map 0%Z).
by rewrite !nth_default ?size_map.
Qed.

Lemma upward_gt0 f j : number f j <> 0%Z -> (0 < number (upward f j) j)%Z.
Proof. by rewrite number_upward; case: Z.ltb_spec; lia. Qed.

Lemma lowestP r : exists2 g, (0 < g)%Z & forall k, number r k = (g * number (lowest r) k)%Z.
Proof.
rewrite /lowest; case: Z.eqb_spec => [_|_]; first by exists 1%Z => // k; lia.
have g_gt0 := common_divisor_gt0 r; exists (common_divisor r) => //.
move=> k; have [c c_def] : (common_divisor r | number r k)%Z := common_divisor_divides r k; rewrite {2}/number.
have [k_lt|k_ge] := ltnP k (size r).
  by rewrite (nth_map 0%Z) // -/(number r k) c_def Z.div_mul; lia.
by rewrite !nth_default ?size_map // /number nth_default //; lia.
Qed.

Lemma pivotP j free : match pivot j free with
  | None => forall r, List.In r free -> number r j = 0%Z
  | Some (f, others) => number f j <> 0%Z /\ forall r, List.In r free <-> r = f \/ List.In r others
  end.
Proof.
elim: free => [|r free IHfree] //=; case: Z.eqb_spec => [r0|r_neq0]; last first.
  by split=> // s; split=> [[->|]|[->|]]; by [left|right].
case: pivot IHfree => [[f others] [f_neq0 in_free]|none]; last by move=> s [<-|/none].
by split=> // s /=; rewrite in_free; tauto.
Qed.

Section Relations.
Variables (R : realFieldType) (q : nat).
Local Notation of_Z := (of_Z R).
Add Field R_field : (field_theory_of R).
Implicit Types (c w : nat -> R) (s taken : seq nat) (rows : pivoted) (free : seq (seq Z)).

Definition dot (r : seq Z) c : R := \sum_(k < q) of_Z (number r k) * c k.

Definition kills free c := forall r, List.In r free -> dot r c = 0.

Definition supported s c := forall k, (k < q)%N -> k \notin s -> c k = 0.

Definition circuit free s := s != [::] /\ exists w,
  [/\ forall k, (k < q)%N -> k \in s -> 0 < w k, supported s w, kills free w &
      forall c, supported s c -> kills free c -> exists t, forall k, (k < q)%N -> c k = t * w k].

Lemma dot_mixed a x b y c : dot (mixed a x b y) c = of_Z a * dot x c + of_Z b * dot y c.
Proof.
rewrite /dot !mulr_sumr -big_split; apply: eq_bigr => k _ /=.
by rewrite number_mixed of_ZD !of_ZM; by_ring R.
Qed.

Lemma dot_lowest r c : dot (lowest r) c = 0 <-> dot r c = 0.
Proof.
have [g g_gt0 r_g] := lowestP r; have g_neq0 : of_Z g != 0 by rewrite -(of_Z0 R) of_Z_eq; apply/Z.eqb_spec; lia.
have -> : dot r c = of_Z g * dot (lowest r) c.
  by rewrite /dot mulr_sumr; apply: eq_bigr => k _; rewrite r_g of_ZM mulrA.
by split=> [->|/eqP]; rewrite ?mulr0 // mulf_eq0 (negPf g_neq0) => /eqP.
Qed.

Lemma dot_upward f j c : dot (upward f j) c = 0 <-> dot f c = 0.
Proof.
rewrite /upward; case: ifP => // _; have -> : dot [seq (- z)%Z | z <- f] c = - dot f c.
  rewrite /dot -sumrN; apply: eq_bigr => k _; rewrite /number.
  have [k_lt|k_ge] := ltnP k (size f); first by rewrite (nth_map 0%Z) // of_ZN mulNr.
  by rewrite !nth_default ?size_map // of_Z0 !mul0r oppr0.
by split=> [/eqP|->]; rewrite ?oppr0 // oppr_eq0 => /eqP.
Qed.

Lemma dot_cleared f j r c : number f j <> 0%Z -> dot f c = 0 -> dot (cleared_by f j r) c = 0 <-> dot r c = 0.
Proof.
move=> f_neq0 f0; rewrite /cleared_by; case: ifP => // _; rewrite dot_lowest dot_mixed f0 mulr0 addr0.
have f_neq0' : of_Z (number f j) != 0 by rewrite -(of_Z0 R) of_Z_eq; apply/Z.eqb_spec.
by split=> [/eqP|->]; rewrite ?mulr0 // mulf_eq0 (negPf f_neq0') => /eqP.
Qed.

(* Column j of a row that is cleared, and columns where f is 0. *)
Lemma cleared_at f j r : number (cleared_by f j r) j = 0%Z.
Proof.
rewrite /cleared_by; case: Z.eqb_spec => // _; have [g g_gt0 /(_ j)] := lowestP (mixed (number f j) r (- number r j) f).
by rewrite number_mixed; nia.
Qed.

Lemma cleared_sign f j r k : (0 < number f j)%Z -> number f k = 0%Z ->
  (number r k = 0 -> number (cleared_by f j r) k = 0)%Z /\ (0 < number r k -> 0 < number (cleared_by f j r) k)%Z.
Proof.
move=> f_gt0 fk; rewrite /cleared_by; case: Z.eqb_spec => // _.
have [g g_gt0 /(_ k)] := lowestP (mixed (number f j) r (- number r j) f).
by rewrite number_mixed fk => def; split; nia.
Qed.

(* A sum of at most two terms. *)
Lemma dot_two r a b c : (a < q)%N -> (b < q)%N -> a != b ->
  (forall k, (k < q)%N -> k != a -> k != b -> number r k = 0%Z \/ c k = 0) ->
  dot r c = of_Z (number r a) * c a + of_Z (number r b) * c b.
Proof.
move=> a_q b_q ab zero; rewrite /dot (bigD1 (Ordinal a_q)) //= (bigD1 (Ordinal b_q)) /=; last first.
  by apply: contraNneq ab => /(congr1 val) /= ->.
rewrite big1 ?addr0 // => k /andP[ka kb].
by case: (zero k (ltn_ord k)) => [||->|->]; rewrite ?of_Z0 ?mul0r ?mulr0.
Qed.

Lemma dot_one r a c : (a < q)%N -> (forall k, (k < q)%N -> k != a -> number r k = 0%Z \/ c k = 0) ->
  dot r c = of_Z (number r a) * c a.
Proof.
move=> a_q zero; rewrite /dot (bigD1 (Ordinal a_q)) //= big1 ?addr0 // => k ka.
by case: (zero k (ltn_ord k)) => [|->|->]; rewrite ?of_Z0 ?mul0r ?mulr0.
Qed.

(* ---- What holds during the search ---- *)
Variable given : seq (seq Z).

Record reduced_form (j : nat) taken rows free : Prop := ReducedForm {
  same_relations : forall c, kills given c <-> (forall x, List.In x rows -> dot x.2 c = 0) /\ kills free c;
  taken_rows : forall k, k \in taken <-> exists r, List.In (k, r) rows;
  taken_before : forall k, k \in taken -> (k < j)%N;
  pivot_gt0 : forall k r, List.In (k, r) rows -> (0 < number r k)%Z;
  pivot_alone : forall k r l, List.In (k, r) rows -> l \in taken -> l != k -> number r l = 0%Z;
  pivot_once : forall k r r', List.In (k, r) rows -> List.In (k, r') rows -> r = r';
  free_zero : forall r k, List.In r free -> k \in taken -> number r k = 0%Z }.

Lemma form_start : reduced_form 0 [::] [::] given.
Proof.
split=> // [c|k]; first by split=> [c_kills|[]].
by split=> // [[]].
Qed.

Lemma form_next j taken rows free : reduced_form j taken rows free -> reduced_form j.+1 taken rows free.
Proof. by case=> *; split=> // k k_in; apply: ltnW; rewrite ltnS; auto. Qed.

Lemma form_take j taken rows free f others : reduced_form j taken rows free -> pivot j free = Some (f, others) ->
  reduced_form j.+1 (rcons taken j) ((j, upward f j) :: [seq (x.1, cleared_by (upward f j) j x.2) | x <- rows])
    [seq cleared_by (upward f j) j r | r <- others].
Proof.
move=> form pivot_is; have := pivotP j free; rewrite pivot_is => -[f_neq0 in_free]; set g := upward f j.
have g_gt0 : (0 < number g j)%Z by exact: upward_gt0.
have g_neq0 : number g j <> 0%Z by lia.
have f_in : List.In f free by apply/in_free; left.
have g_taken k : k \in taken -> number g k = 0%Z.
  by move=> k_in; rewrite /g number_upward (free_zero form f_in k_in); case: ifP.
have j_new : j \notin taken by apply/negP => /(taken_before form); rewrite ltnn.
have In_cleared k r : List.In (k, r) [seq (x.1, cleared_by g j x.2) | x <- rows] ->
    exists2 r', List.In (k, r') rows & r = cleared_by g j r'.
  by move=> /(@In_map _ _ _ _ _)[[k' r'] x_in [-> ->]]; exists r'.
have row_taken k r : List.In (k, r) rows -> k \in taken by move=> x_in; apply/(taken_rows form); exists r.
split.
- move=> c; rewrite (same_relations form); split=> [[rows0 free0]|[rows0 free0]].
    have g0 : dot g c = 0 by apply/dot_upward/free0.
    split=> [x [<- //|/(@In_map _ _ _ _ _)[y y_in ->]]|r /(@In_map _ _ _ _ _)[r' r'_in ->]].
      by apply/dot_cleared => //; exact: rows0.
    by apply/dot_cleared => //; apply: free0; apply/in_free; right.
  have g0 : dot g c = 0 by apply: (rows0 (j, g)); left.
  split=> [x x_in|r /in_free[->|r_in]].
  - apply/(dot_cleared x.2 g_neq0 g0).
    by apply: (rows0 (x.1, cleared_by g j x.2)); right; apply: (List.in_map (fun x => (x.1, cleared_by g j x.2))).
  - exact/(dot_upward f j).
  by apply/(dot_cleared r g_neq0 g0)/free0/(List.in_map (cleared_by g j)).
- move=> k; rewrite mem_rcons in_cons; split=> [/orP[/eqP ->|/(taken_rows form)[r r_in]]|[r [[-> _]|/In_cleared[r' r'_in _]]]].
  + by exists g; left.
  + by exists (cleared_by g j r); right; apply: (List.in_map (fun x => (x.1, cleared_by g j x.2)) _ _ r_in).
  + by rewrite eqxx.
  by rewrite (row_taken _ _ r'_in) orbT.
- by move=> k; rewrite mem_rcons in_cons => /orP[/eqP ->//|/(taken_before form)]; exact: ltnW.
- move=> k r [[<- <-] //|/In_cleared[r' r'_in ->]].
  by apply: (proj2 (cleared_sign _ g_gt0 (g_taken k (row_taken _ _ r'_in)))); exact: (pivot_gt0 form r'_in).
- move=> k r l; rewrite mem_rcons in_cons => -[[<- <-]|/In_cleared[r' r'_in ->]] /orP[/eqP ->|l_in] lk.
  + by rewrite eqxx in lk.
  + exact: g_taken.
  + exact: cleared_at.
  by apply: (proj1 (cleared_sign _ g_gt0 (g_taken l l_in))); exact: (pivot_alone form r'_in l_in lk).
- move=> k r r' [[j_k <-]|/In_cleared[s s_in ->]] [[k_is <-]|/In_cleared[s' s'_in ->]] //.
  + by case/negP: j_new; rewrite j_k; exact: row_taken s'_in.
  + by case/negP: j_new; rewrite k_is; exact: row_taken s_in.
  by rewrite (pivot_once form s_in s'_in).
move=> r k /(@In_map _ _ _ _ _)[r' r'_in ->]; rewrite mem_rcons in_cons => /orP[/eqP ->|k_in]; first exact: cleared_at.
apply: (proj1 (cleared_sign _ g_gt0 (g_taken k k_in))); apply: (free_zero form _ k_in).
by apply/in_free; right.
Qed.
(* What the columns taken, and one that depends on them, have for relations. *)
Section Form.
Variables (j : nat) (taken : seq nat) (rows : pivoted) (free : seq (seq Z)).
Hypotheses (form : reduced_form j taken rows free) (j_q : (j <= q)%N).

Lemma taken_lt k : k \in taken -> (k < q)%N.
Proof. by move=> /(taken_before form) lt; exact: leq_trans lt j_q. Qed.

Lemma row_neq0 k r : List.In (k, r) rows -> of_Z (number r k) != 0.
Proof. by move=> /(pivot_gt0 form) gt0; rewrite -(of_Z0 R) of_Z_eq; apply/Z.eqb_spec; lia. Qed.

Lemma taken_independent c : supported taken c -> kills given c -> forall k, (k < q)%N -> c k = 0.
Proof.
move=> sup /(same_relations form)[rows0 _] k k_q.
have [k_in|k_out] := boolP (k \in taken); last exact: sup.
have [r r_in] := (taken_rows form k).1 k_in; have := rows0 _ r_in; rewrite /= (@dot_one r k) //.
  by move/eqP; rewrite mulf_eq0 (negPf (row_neq0 r_in)) => /eqP.
move=> l l_q lk; have [l_in|l_out] := boolP (l \in taken); [left | right; exact: sup].
exact: (pivot_alone form r_in l_in lk).
Qed.

Lemma taken_no_circuit : ~ circuit given taken.
Proof.
move=> [taken_neq0 [w [w_gt0 sup w_kills _]]].
case E: taken taken_neq0 => [|k s] // _; have k_in : k \in taken by rewrite E mem_head.
by have := w_gt0 k (taken_lt k_in) k_in; rewrite (taken_independent sup w_kills (taken_lt k_in)) ltxx.
Qed.

Hypotheses (j_lt : (j < q)%N) (depends : forall r, List.In r free -> number r j = 0%Z).

Fixpoint row_of (rs : pivoted) (k : nat) : seq Z :=
  if rs is x :: rs' then if x.1 == k then x.2 else row_of rs' k else [::].

Lemma row_ofP k : k \in taken -> List.In (k, row_of rows k) rows.
Proof.
move/(taken_rows form) => [r]; elim: rows => [|[l s] rs IHrs] //= in_rs; case: eqP => [->|lk]; first by left.
by right; apply: IHrs; case: in_rs => // -[/lk].
Qed.

Lemma j_new : j \notin taken.
Proof. by apply/negP => /(taken_before form); rewrite ltnn. Qed.

(* The only relation, if column j has the weight 1. *)
Definition closing k : R :=
  if k == j then 1 else if k \in taken then - of_Z (number (row_of rows k) j) / of_Z (number (row_of rows k) k) else 0.

Lemma dot_row k r c : List.In (k, r) rows -> supported (rcons taken j) c ->
  dot r c = of_Z (number r k) * c k + of_Z (number r j) * c j.
Proof.
move=> r_in sup; have k_in : k \in taken by apply/(taken_rows form); exists r.
apply: dot_two => //; first exact: taken_lt.
  by apply: contraNneq j_new => <-.
move=> l l_q lk lj; have [l_in|l_out] := boolP (l \in taken).
  by left; exact: (pivot_alone form r_in l_in lk).
by right; apply: sup => //; rewrite mem_rcons in_cons negb_or lj.
Qed.

Lemma closing_supported : supported (rcons taken j) closing.
Proof. by move=> k _; rewrite mem_rcons in_cons negb_or /closing => /andP[/negPf -> /negPf ->]. Qed.

Lemma closing_kills : kills given closing.
Proof.
apply/(same_relations form); split=> [[k r] r_in|r r_in] /=.
  have k_in : k \in taken by apply/(taken_rows form); exists r.
  rewrite (dot_row r_in closing_supported) /closing eqxx k_in ifF; last by apply: contraNF j_new => /eqP <-.
  rewrite (pivot_once form (row_ofP k_in) r_in) mulr1 mulrC divfK ?addNr //; exact: row_neq0.
rewrite /dot big1 // => k _; rewrite /closing; case: eqP => [->|_]; first by rewrite depends // mul0r.
by case: ifP => [k_in|_]; [rewrite (free_zero form r_in k_in) mul0r | rewrite mulr0].
Qed.

Lemma closing_only c : supported (rcons taken j) c -> kills given c -> forall k, (k < q)%N -> c k = c j * closing k.
Proof.
move=> sup /(same_relations form)[rows0 _] k k_q; rewrite /closing; case: eqP => [->|/eqP kj]; first by rewrite mulr1.
case: ifP => [k_in|k_out]; last by rewrite mulr0; apply: sup; rewrite // mem_rcons in_cons negb_or kj k_out.
have r_in := row_ofP k_in; have := rows0 _ r_in; rewrite /= (dot_row r_in sup) => /eqP.
by rewrite addr_eq0 => /eqP e; apply: (mulfI (row_neq0 r_in)); rewrite e; by_field R; apply/eqP; exact: row_neq0 r_in.
Qed.

Lemma closing_gt0 k r : List.In (k, r) rows -> (0 < closing k) = (number r j <? 0)%Z.
Proof.
move=> r_in; have k_in : k \in taken by apply/(taken_rows form); exists r.
rewrite /closing k_in ifF; last by apply: contraNF j_new => /eqP <-.
rewrite (pivot_once form (row_ofP k_in) r_in) pmulr_lgt0 ?oppr_gt0 -?(of_Z0 R) ?of_Z_lt //.
by rewrite invr_gt0 -(of_Z0 R) of_Z_lt; apply/Z.ltb_lt; exact: (pivot_gt0 form r_in).
Qed.

Lemma closes rest : all (fun l => j < l)%N rest -> all (fun l => l < q)%N rest ->
  circuit given (rcons taken j ++ rest) <-> rest = [::] /\ all (fun x => number x.2 j <? 0)%Z rows.
Proof.
move=> rest_j rest_q; split=> [[_ [w [w_gt0 sup w_kills w_only]]]|[-> /all_In neg]].
  have u_sup : supported (rcons taken j ++ rest) closing.
    by move=> k k_q; rewrite mem_cat negb_or => /andP[k_out _]; exact: closing_supported.
  have [t t_def] := w_only _ u_sup closing_kills.
  have j_in : j \in rcons taken j ++ rest by rewrite mem_cat mem_rcons mem_head.
  have t_gt0 : 0 < t.
    have := t_def j j_lt; rewrite /closing eqxx => t1; have w_j := w_gt0 j j_lt j_in.
    by rewrite -(pmulr_lgt0 _ w_j) -t1 ltr01.
  have u_gt0 k : (k < q)%N -> k \in rcons taken j ++ rest -> 0 < closing k.
    by move=> k_q k_in; rewrite t_def // mulr_gt0 // w_gt0.
  split; last first.
    apply/all_In => -[k r] r_in /=; have k_in : k \in taken by apply/(taken_rows form); exists r.
    by rewrite -(closing_gt0 r_in) u_gt0 ?taken_lt // mem_cat mem_rcons in_cons k_in orbT.
  case: rest rest_j rest_q u_gt0 {w_gt0 sup w_only u_sup j_in t_def} => [|l rest] //= /andP[jl _] /andP[l_q _] u_gt0.
  have := u_gt0 l l_q; rewrite mem_cat mem_head orbT => /(_ isT).
  rewrite /closing gtn_eqF // ifF ?ltxx //; apply/negP => /(taken_before form) lj.
  by have := ltn_trans jl lj; rewrite ltnn.
rewrite cats0; split; first by case: taken.
exists closing; split=> [k k_q|||c sup c_kills].
- rewrite mem_rcons in_cons => /orP[/eqP ->|k_in]; first by rewrite /closing eqxx ltr01.
  by rewrite (closing_gt0 (row_ofP k_in)) (neg _ (row_ofP k_in)).
- exact: closing_supported.
- exact: closing_kills.
by exists (c j); exact: closing_only.
Qed.
End Form.

Definition begins (taken : seq nat) (j : nat) (s : seq nat) : Prop :=
  exists rest, [/\ s = taken ++ rest, sorted ltn rest & all (fun l => j <= l < q)%N rest].

Lemma searchP k j taken rows free : (k + j)%N = q -> reduced_form j taken rows free ->
  enumerates (search k j taken rows free) (fun s => begins taken j s /\ circuit given s).
Proof.
elim: k j taken rows free => [|k IHk] j taken rows free kj form.
  apply: enumerates_none => s [[rest [-> _ rest_q]]].
  case: rest rest_q => [_|l rest /= /andP[/andP[jl lq] _]]; last by move: lq; rewrite -kj add0n ltnNge jl.
  by rewrite cats0; apply: (taken_no_circuit form); rewrite -kj.
have j_lt : (j < q)%N by rewrite -kj addSn ltnS leq_addl.
have later := IHk j.+1 taken rows free; rewrite addnS in later; have {}later := later kj (form_next form).
have below rest : sorted ltn (j :: rest) -> all (fun l => j < l)%N rest.
  by move=> /(order_path_min ltn_trans).
have split_at_j s : begins taken j s <-> begins (rcons taken j) j.+1 s \/ begins taken j.+1 s.
  split=> [[[|l rest] [-> up /= rest_q]]|[[rest [-> up rest_q]]|[rest [-> up rest_q]]]].
  - by right; exists [::].
  - case/andP: rest_q => /andP[jl l_q] rest_q; have l_rest := order_path_min ltn_trans up.
    have {}rest_q : all (fun m => l < m < q)%N rest.
      by apply/allP => m m_in; rewrite (allP l_rest) //=; have /andP[] := allP rest_q m m_in.
    move: jl; rewrite leq_eqVlt => /orP[/eqP jl|jl].
      left; exists rest; rewrite cat_rcons jl; split=> //; exact: path_sorted up.
    right; exists (l :: rest); split=> //=; rewrite jl l_q; apply/allP => m m_in.
    by have /andP[lm ->] := allP rest_q m m_in; rewrite (ltn_trans jl lm).
  - exists (j :: rest); rewrite cat_rcons; split=> //=.
      by rewrite path_sortedE; [rewrite up andbT; apply/allP => m /(allP rest_q)/andP[] | exact: ltn_trans].
    by rewrite leqnn j_lt; apply/allP => m /(allP rest_q)/andP[/ltnW -> ->].
  by exists rest; split=> //; apply/allP => m /(allP rest_q)/andP[/ltnW -> ->].
have never_both s : begins (rcons taken j) j.+1 s -> ~ begins taken j.+1 s.
  move=> [rest [-> _ _]] [rest' [/eqP]]; rewrite cat_rcons eqseq_cat // eqxx /= => /eqP <- _ /=.
  by rewrite ltnn.
rewrite /=; case pivot_is: pivot => [[f others]|].
  have now := IHk j.+1 _ _ _ _ (form_take form pivot_is); rewrite addnS in now; have {}now := now kj.
  apply: eq_enumerates (enumerates_cat now later _) => [s|s [s_now _] [s_later _]]; last exact: (never_both s).
  by rewrite split_at_j; tauto.
have := pivotP j free; rewrite pivot_is => depends.
have now s : begins (rcons taken j) j.+1 s /\ circuit given s <->
    s = rcons taken j /\ all (fun x => number x.2 j <? 0)%Z rows.
  split=> [[[rest [-> _ rest_q]]]|[-> neg]].
    move/(closes form (ltnW j_lt) j_lt depends) => [||-> neg]; last by rewrite cats0.
      by apply/allP => m /(allP rest_q)/andP[].
    by apply/allP => m /(allP rest_q)/andP[].
  split; first by exists [::]; rewrite cats0.
  by rewrite -[rcons _ _]cats0; apply/(closes form (ltnW j_lt) j_lt depends).
have now_list : enumerates (if all (fun x => number x.2 j <? 0)%Z rows then [:: rcons taken j] else [::])
    (fun s => begins (rcons taken j) j.+1 s /\ circuit given s).
  case: ifP => [neg|not_neg]; first by apply: enumerates_one => s; rewrite now; tauto.
  by apply: enumerates_none => s /now[_]; rewrite not_neg.
apply: eq_enumerates (enumerates_cat now_list later _) => [s|s [s_now _] [s_later _]]; last exact: (never_both s).
by rewrite split_at_j; tauto.
Qed.

Theorem circuitsP : enumerates (circuits q given) (fun s => [/\ sorted ltn s, all (fun l => l < q)%N s & circuit given s]).
Proof.
have := searchP (addn0 q) form_start; apply: eq_enumerates => s; split=> [[[rest [-> up rest_q]]]|[up s_q s_circuit]].
  by split=> //; apply/allP => m /(allP rest_q).
by split=> //; exists s; split=> //; apply/allP => m /(allP s_q).
Qed.
End Relations.
