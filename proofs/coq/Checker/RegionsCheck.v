(* SPDX-License-Identifier: MIT *)
(* What decides the claims of RegionsClaims.v, and its soundness: PolynomialCheck.v, with signs that follow   *)
(* from the region's constraints and the lemmas of the witness (Positivity.v).                                *)
(*   sign_by fs p    the number that is left of p when it is divided by the polynomials of facts, as often as *)
(*                   it goes; and whether only by those that are > 0      (sign_byP)                          *)
(*   value_here G p  at one point: its value there times a number > 0     (value_hereP)                       *)
(*   check_sound     what is accepted is true for every point of the region, or for the one point             *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Positivity.
From ExactDP.Checker Require Import Numbers Rows Json Reader Tables PolynomialClaims PolynomialTables PolynomialCheck RegionsClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Notation region_fact := (Positivity.fact binary).
Notation region_proof := (Positivity.proof binary).

Record witness := Witness { lemmas : seq (region_fact * region_proof); for_kind : instance_witness several }.

(* ---- Witnesses ---- *)
Section Witnesses.
Local Open Scope string_scope.
Local Open Scope seq_scope.
Variable letters_of : nat.          (* how many letters *)

(* The steps of a proof: a split, before the proofs of its two parts; or a leaf. *)
Inductive step := SplitAt (h : several) | Sum (scale : Z) (terms : seq (Positivity.product binary)).

Definition power_in (bound : nat) (v : json) : option (nat * nat) :=
  match v with
  | Array [:: k; e] =>
      let! i := index_of (N.of_nat bound) k in let! n := index_of 65536 e in
      demand (0 <? n)%num in Some (N.to_nat i, N.to_nat n)
  | _ => None
  end.

Fixpoint keys_increase (ks : seq (nat * nat)) : bool :=
  match ks with
  | k :: (l :: _) as ks' => (k.1 < l.1)%N && keys_increase ks'
  | _ => true
  end.

(* The number of a term is kept as it is until all are known. *)
Definition term_in (bound : nat) (v : json) : option (Q * option several * seq (nat * nat)) :=
  let! ms := object_of [:: "times" : text; "powers" : text] [:: "square" : text] v in
  let! c := find_key "times" ms in let! q := scalar_of c in
  let! p := find_key "powers" ms in let! vs := array_of p in let! ks := all_of (power_in bound) vs in
  demand (0 <? Qnum q)%Z && keys_increase ks in
  match find_key "square" ms with
  | None => Some (q, None, ks)
  | Some w => let! s := list_of letters_of w in Some (q, Some s, ks)
  end.

Definition sum_in (bound : nat) (v : json) : option step :=
  let! vs := array_of v in let! terms := all_of (term_in bound) vs in
  let d := foldr (fun t => Z.lcm (Zpos (Qden t.1.1))) 1%Z terms in
  Some (Sum d [seq @Positivity.Product binary (Qnum t.1.1 * (d / Zpos (Qden t.1.1)))%Z t.1.2 t.2 | t <- terms]).

(* So many facts are known where the proof begins; how many splits a step is in says how many more. *)
Definition split_in (v : json) : option several :=
  let! ms := object_of [:: "split" : text] [::] v in let! h := find_key "split" ms in list_of letters_of h.

Fixpoint proof_in (fuel bound : nat) (vs : seq json) : option (region_proof * seq json) :=
  match fuel, vs with
  | n.+1, (Object _ as v) :: rest =>
      let! h := split_in v in
      let! (t, more) := proof_in n bound.+1 rest in let! (u, last) := proof_in n bound.+1 more in
      Some (@Positivity.Split binary h t u, last)
  | _.+1, v :: rest =>
      let! s := sum_in bound v in
      if s is Sum d terms then Some (@Positivity.Leaf binary d terms, rest) else None
  | _, _ => None
  end.

Definition lemma_in (bound : nat) (v : json) : option (region_fact * region_proof) :=
  let! ms := object_of [:: "polynomial" : text; "sign" : text; "proof" : text] [::] v in
  let! f := find_key "polynomial" ms in let! p := list_of letters_of f in
  let! s := find_key "sign" ms in let! sign := text_of s in
  demand same sign "positive" || same sign "nonnegative" in
  let! w := find_key "proof" ms in let! steps := array_of w in
  match proof_in (size steps) bound steps with
  | Some (t, [::]) => Some (@Positivity.Fact binary p (same sign "positive"), t)
  | _ => None
  end.

Fixpoint lemmas_in (bound : nat) (vs : seq json) : option (seq (region_fact * region_proof)) :=
  match vs with
  | [::] => Some [::]
  | v :: vs' => let! l := lemma_in bound v in let! ls := lemmas_in bound.+1 vs' in Some (l :: ls)
  end.
End Witnesses.

Definition facts_of (G : region) : seq region_fact :=
  [seq @Positivity.Fact binary p true | p <- positives G] ++ [seq @Positivity.Fact binary p false | p <- nonnegatives G].

Definition witness_in (c : claim) (v : json) : option witness :=
  match v with
  | Object ms =>
      let key : text := bytes_of "signs"%string in
      let G := where_ c in
      let! ls := match find_key key ms with
                 | None => Some [::]
                 | Some s => demand ~~ only G in
                             let! vs := array_of s in lemmas_in (size (letters G)) (size (facts_of G)) vs
                 end in
      let! w := instance_witness_in (arithmetic_of G) (what c) (Object [seq m <- ms | ~~ same key m.1]) in
      Some (Witness ls w)
  | _ => None
  end.

(* ---- Division of polynomials: what it finds is multiplied back ---- *)
Fixpoint minus_exponents (e f : seq nat) : option (seq nat) :=
  match e, f with
  | _, [::] => Some e
  | [::], _ => None
  | m :: e', n :: f' =>
      demand (n <= m)%N in let! g := minus_exponents e' f' in
      Some (before_exponents (m - n) g)
  end.

Fixpoint max_exponents (e f : seq nat) : seq nat :=
  match e, f with
  | [::], _ => f
  | _, [::] => e
  | m :: e', n :: f' => maxn m n :: max_exponents e' f'
  end.

Definition degrees (p : several) : seq nat := foldr (fun t => max_exponents t.2) [::] p.

Fixpoint divided (fuel : nat) (box : seq nat) (f r : several) : option several :=
  match r, f, fuel with
  | [::], _, _ => Some [::]
  | (c, e) :: _, (d, g) :: _, n.+1 =>
      let! m := minus_exponents e g in
      demand ((c mod d =? 0)%Z) && isSome (minus_exponents box m) in
      let term : binary * seq nat := ((c / d)%Z, m) in
      let! q := divided n box f (Positivity.add_p r (opposite_p (scale_p term f))) in Some (term :: q)
  | _, _, _ => None
  end.

Definition quotient (p f : several) : option several :=
  let! box := minus_exponents (degrees p) (degrees f) in
  let! q := divided (foldr (fun n k => (n.+1 * k)%N) 1%N box) box f p in
  demand Positivity.same_p p (Positivity.times_p f q) in Some q.

(* ---- Signs on the region ---- *)
(* A fact without the common divisor of its coefficients. *)
Definition primitive (f : region_fact) : region_fact :=
  let g := foldr (fun t => Z.gcd t.1) 0%Z (form f) in
  let q : several := [seq ((t.1 / g)%Z : binary, t.2) | t <- form f] in
  if (0 <? g)%Z && Positivity.same_p (form f) (scale_p (g : binary, [::]) q) then @Positivity.Fact binary q (positive f) else f.

Fixpoint signed (fuel : nat) (fs : seq region_fact) (p : several) : option (Z * bool) :=
  match number_in_Z p, fs, fuel with
  | Some c, _, _ => Some (c, true)
  | None, f :: fs', n.+1 =>
      if number_in_Z (form f) is Some _ then signed n fs' p else
      if quotient p (form f) is Some q then let! (c, strict) := signed n fs q in Some (c, strict && positive f)
      else signed n fs' p
  | _, _, _ => None
  end.

(* The last facts first. *)
Definition sign_by (fs : seq region_fact) (p : several) : option (Z * bool) :=
  signed (size fs + sumn (degrees p)) (rev fs) p.

Definition pos_by (fs : seq region_fact) (p : several) : bool :=
  if sign_by fs p is Some (c, strict) then (0 <? c)%Z && strict else false.
Definition nonneg_by (fs : seq region_fact) (p : several) : bool :=
  if sign_by fs p is Some (c, _) then (0 <=? c)%Z else false.
Definition null_by (p : several) : bool := is_zero_p p.

(* ---- Values at one point ---- *)
(* The numerators over one denominator. *)
Definition denominator_here (G : region) : Z := foldr (fun q => Z.lcm (Zpos (Qden q))) 1%Z (place G).
Definition numerators_here (G : region) : seq Z := [seq (Qnum q * (denominator_here G / Zpos (Qden q)))%Z | q <- place G].

Fixpoint monomial_here (xs : seq Z) (e : seq nat) : Z :=
  match e with
  | [::] => 1%Z
  | n :: e' => (head 0%Z xs ^ Z.of_nat n * monomial_here (behead xs) e')%Z
  end.

Definition value_by (d : Z) (xs : seq Z) (n : nat) (p : several) : Z :=
  foldr (fun t z => (t.1 * monomial_here xs t.2 * d ^ Z.of_nat (n - sumn t.2) + z)%Z) 0%Z p.

Definition total_degree (p : several) : nat := foldr (fun t => maxn (sumn t.2)) 0%N p.

Definition value_here (G : region) (p : several) : Z :=
  value_by (denominator_here G) (numerators_here G) (total_degree p) p.

Definition has_point (G : region) : bool :=
  all (fun q => (denominator_here G mod Zpos (Qden q) =? 0)%Z) (place G) && (0 <? denominator_here G)%Z.

(* ---- The claim ---- *)
Definition check (c : claim) (w : witness) : bool :=
  let G := where_ c in let value := value_here G in
  has_point G &&
  if only G then
    [&& all (fun p => (0 <? value p)%Z) (positives G), all (fun p => (0 <=? value p)%Z) (nonnegatives G) &
        check_with (arithmetic_of G) (fun p => (0 <? value p)%Z) (fun p => (0 <=? value p)%Z) (fun p => (value p =? 0)%Z)
          (what c) (for_kind w)]
  else
    let fs := [seq primitive f | f <- facts_of G ++ [seq l.1 | l <- lemmas w]] in
    [&& all (fun p => (0 <? value p)%Z) (positives G ++ nonnegatives G), lemmas_hold (facts_of G) (lemmas w) &
        check_with (arithmetic_of G) (pos_by fs) (nonneg_by fs) null_by (what c) (for_kind w)].

(* ---- Soundness ---- *)
Section Soundness.
Local Open Scope ring_scope.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Local Notation at_letters := (@at_letters R).
Local Notation facts_hold := (facts_hold (binary_reading R)).
Implicit Types (x : nat -> R) (p q : several) (fs : seq region_fact).
Add Field R_field : (field_theory_of R).

Lemma letters_number x z : at_letters x (number_of_Z z) = of_Z z.
Proof.
rewrite /number_of_Z; case: Z.eqb_spec => [->|_]; first exact: evaluate_nil.
exact: (evaluate_constant (binary_reading R) (z : binary)).
Qed.

Lemma letters_scaled n x z p : at_letters x (scaled_p (in_letters n) z p) = of_Z z * at_letters x p.
Proof.
rewrite /=; case: Z.eqb_spec => [->|_]; first by rewrite /RegionsClaims.at_letters evaluate_nil mul0r.
exact: evaluate_scale_constant.
Qed.

Definition letters_at n x : evaluation R (in_letters n) :=
  @Evaluation R several (in_letters n) (at_letters x) (letters_number x) (fun p q => evaluate_add (binary_reading R) p q x)
             (fun p q => evaluate_times (binary_reading R) p q x) (letters_scaled n x)
             (fun p q pq => @same_value _ _ (binary_reading R) p q x pq).

Lemma number_in_ZP x p c : number_in_Z p = Some c -> at_letters x p = of_Z c.
Proof.
case: p => [[<-]|[d [|//]] [|//] [<-]]; first exact: evaluate_nil.
exact: (evaluate_constant (binary_reading R) (d : binary)).
Qed.

Lemma quotientP x p f q : quotient p f = Some q -> at_letters x p = at_letters x f * at_letters x q.
Proof.
rewrite /quotient; case: minus_exponents => [box|] //; case: divided => [r|] //; case: ifP => // pq [<-].
by rewrite /RegionsClaims.at_letters (same_value _ x pq) evaluate_times.
Qed.

Definition sign_of_value x p (c : Z) (strict : bool) : Prop :=
  exists2 y, has_sign strict y & at_letters x p = of_Z c * y.

Lemma signedP x n fs p c strict : (forall f, List.In f fs -> fact_holds (binary_reading R) x f) ->
  signed n fs p = Some (c, strict) -> sign_of_value x p c strict.
Proof.
elim: n fs p c strict => [|n IHn] fs p c strict fs_x /=; case E: number_in_Z => [d|] //.
- by case=> <- <-; exists 1; rewrite /has_sign ?ltr01 // mulr1; exact: number_in_ZP.
- by case: fs fs_x.
- by case=> <- <-; exists 1; rewrite /has_sign ?ltr01 // mulr1; exact: number_in_ZP.
case: fs fs_x => [|f fs] fs_x //; have fs'_x g : List.In g fs -> fact_holds (binary_reading R) x g by move=> ?; apply: fs_x; right.
case: number_in_Z => [_|]; first exact: IHn.
case Q: quotient => [q|]; last exact: IHn.
case S: signed => [[d s]|] // [<- <-].
have [y y_sign q_y] := IHn _ _ _ _ fs_x S; move: s {S} y_sign => s y_sign; have f_x : fact_holds (binary_reading R) x f by apply: fs_x; left.
exists (at_letters x (form f) * y); last by rewrite (quotientP x Q) q_y mulrCA.
move: f_x y_sign; rewrite /fact_holds /has_sign -/(at_letters x _); case: (positive f); case: s => /=.
- exact: mulr_gt0.
- by move=> /ltW; exact: mulr_ge0.
- by move=> ? /ltW; exact: mulr_ge0.
- exact: mulr_ge0.
Qed.

Lemma facts_In x fs : facts_hold x fs -> forall f, List.In f fs -> fact_holds (binary_reading R) x f.
Proof.
elim: fs => [|g fs IHfs] fs_x f //= [<-|]; first exact: (fs_x 0%N).
by apply: IHfs => k k_fs; exact: (fs_x k.+1).
Qed.

Lemma In_facts x fs : (forall f, List.In f fs -> fact_holds (binary_reading R) x f) -> facts_hold x fs.
Proof.
elim: fs => [|g fs IHfs] fs_x k //; case: k => [|k] k_fs; first by apply: fs_x; left.
by apply: (IHfs _ k) => // f f_fs; apply: fs_x; right.
Qed.

Lemma In_catrev f fs gs : List.In f (catrev fs gs) -> List.In f fs \/ List.In f gs.
Proof.
elim: fs gs => [|g fs IHfs] gs; first by right.
by case/IHfs=> [|[]]; [left; right | left; left | right].
Qed.

Lemma sign_byP x fs p c strict : facts_hold x fs -> sign_by fs p = Some (c, strict) -> sign_of_value x p c strict.
Proof.
by move=> fs_x; apply: signedP => f /In_catrev[|//]; exact: facts_In.
Qed.

Lemma primitive_holds x f : fact_holds (binary_reading R) x f -> fact_holds (binary_reading R) x (primitive f).
Proof.
rewrite /primitive; case: ifP => // /andP[/Z.ltb_lt g_gt0 same]; rewrite /fact_holds /=.
rewrite (same_value (binary_reading R) x same) evaluate_scale_constant; apply: sign_scaled.
exact: of_Z_gt0.
Qed.

Lemma primitives_hold x fs : facts_hold x fs -> facts_hold x [seq primitive f | f <- fs].
Proof. by move=> fs_x; apply: In_facts => f f_in; have [g g_fs ->] := In_map f_in; apply/primitive_holds/(facts_In fs_x). Qed.

Lemma pos_byP x fs p : facts_hold x fs -> pos_by fs p -> 0 < at_letters x p.
Proof.
rewrite /pos_by => fs_x; case S: sign_by => [[c s]|] // /andP[/Z.ltb_lt c_gt0 s_true].
by have [y y_sign ->] := sign_byP fs_x S; move: y_sign; rewrite s_true => y_gt0; rewrite mulr_gt0 // of_Z_gt0.
Qed.

Lemma nonneg_byP x fs p : facts_hold x fs -> nonneg_by fs p -> 0 <= at_letters x p.
Proof.
rewrite /nonneg_by => fs_x; case S: sign_by => [[c s]|] // c_ge0.
have [y y_sign ->] := sign_byP fs_x S; rewrite mulr_ge0 ?of_Z_ge0 //.
by move: y_sign; rewrite /has_sign; case: s {S} => // /ltW.
Qed.

Lemma null_byP x p : null_by p -> at_letters x p = 0.
Proof. exact: is_zero_pP. Qed.

(* ---- The point ---- *)
Section Point.
Variable G : region.
Hypothesis G_point : has_point G.
Local Notation d := (denominator_here G).
Local Notation z := (point R G).

Lemma d_gt0 : 0 < of_Z d.
Proof. by case/andP: G_point => _ /Z.ltb_lt d_gt0; exact: of_Z_gt0. Qed.

Lemma numerator_at i : of_Z (nth 0%Z (numerators_here G) i) = of_Z d * z i.
Proof.
have [i_G|G_i] := ltnP i (size (place G)); last first.
  by rewrite /point !nth_default ?size_map // /Numbers.of_Q /= mul0r mulr0.
rewrite (nth_map (Qmake 0 1)) // /point; set q := nth _ _ i; case/andP: G_point => /(all_nthP (Qmake 0 1))/(_ i i_G).
rewrite -/q => /Z.eqb_eq d_q _; rewrite /Numbers.of_Q of_ZM mulrCA; congr (_ * _).
apply: (mulIf (of_Z_pos_neq0 R (Qden q))); rewrite divfK ?of_Z_pos_neq0 // -of_ZM.
by congr of_Z; rewrite Z.mul_comm -Z_div_exact_full_2.
Qed.

Lemma monomial_hereP xs (y : nat -> R) e : (forall i, of_Z (nth 0%Z xs i) = of_Z d * y i) ->
  of_Z (monomial_here xs e) = of_Z d ^+ sumn e * \prod_(i < size e) y i ^+ nth 0%N e i.
Proof.
elim: e xs y => [|n e IHe] xs y xs_y /=; first by rewrite big_ord0 mulr1.
rewrite of_ZM of_ZX (IHe _ (fun i => y i.+1)) => [|i]; last by rewrite nth_behead xs_y.
by rewrite -nth0 xs_y exprMn big_ord_recl exprD mulrACA.
Qed.

Lemma value_byP n p : all (fun t => sumn t.2 <= n)%N p ->
  of_Z (value_by d (numerators_here G) n p) = of_Z d ^+ n * at_letters z p.
Proof.
elim: p => [|[c e] p IHp] /=; first by rewrite /RegionsClaims.at_letters evaluate_nil mulr0.
case/andP=> e_n /IHp p_n; rewrite of_ZD p_n !of_ZM of_ZX (monomial_hereP _ numerator_at).
rewrite /RegionsClaims.at_letters evaluate_cons mulrDr; congr (_ + _).
rewrite -[X in of_Z d ^+ X * (_ * _)](subnKC e_n) exprD /=.
by move: (_ ^+ sumn e) (_ ^+ (n - sumn e)) (of_Z c) => u v w; by_ring R.
Qed.

Lemma total_degree_le p : all (fun t => sumn t.2 <= total_degree p)%N p.
Proof.
elim: p => [|t p IHp] //=; rewrite leq_maxl; apply: sub_all IHp => u; rewrite /= => u_p.
by rewrite leq_max u_p orbT.
Qed.

Lemma value_hereP p : exists2 c, 0 < c & of_Z (value_here G p) = c * at_letters z p.
Proof. by exists (of_Z d ^+ total_degree p); [exact: exprn_gt0 d_gt0 | exact: value_byP (total_degree_le p)]. Qed.

Lemma pos_here p : (0 <? value_here G p)%Z -> 0 < at_letters z p.
Proof. by have [c c_gt0 e] := value_hereP p; rewrite -(of_Z_lt R) e pmulr_rgt0. Qed.

Lemma nonneg_here p : (0 <=? value_here G p)%Z -> 0 <= at_letters z p.
Proof. by have [c c_gt0 e] := value_hereP p; rewrite -(of_Z_le R) e pmulr_rge0. Qed.

Lemma null_here p : (value_here G p =? 0)%Z -> at_letters z p = 0.
Proof.
have [c c_gt0 e] := value_hereP p; rewrite -(of_Z_eq R) e mulf_eq0 gt_eqF //= => /eqP //.
Qed.
End Point.

Lemma in_region_facts x G : in_region x G -> facts_hold x (facts_of G).
Proof.
case=> gt0 ge0; apply: In_facts => f f_G.
by case: (List.in_app_or _ _ _ f_G) => f_in; have [p p_G ->] := In_map f_in; [exact: gt0 | exact: ge0].
Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => G c; rewrite /check /meaning /= => /andP[G_point]; case: ifP => _ /and3P[].
  move=> gt0 ge0 ok; split.
    by split=> p p_G; [apply: pos_here (proj1 (all_In _ _) gt0 p p_G) | apply: nonneg_here (proj1 (all_In _ _) ge0 p p_G)].
  apply: (@check_withP _ _ _ (letters_at _ (point R G)) _ _ _ _ _ _ _ _ ok) => p.
  - exact: pos_here.
  - exact: nonneg_here.
  - exact: null_here.
move=> inside ls_ok ok; split.
  by exists (point R G) => p p_G; apply: pos_here (proj1 (all_In _ _) inside p p_G).
move=> x /in_region_facts/lemmas_sound/(_ ls_ok)/primitives_hold fs_x.
apply: (@check_withP _ _ _ (letters_at _ x) _ _ _ _ _ _ _ _ ok) => p.
- exact: pos_byP.
- exact: nonneg_byP.
- exact: null_byP.
Qed.
End Soundness.
