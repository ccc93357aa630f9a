(* SPDX-License-Identifier: MIT *)
(* Signs of polynomials in several letters, wherever other polynomials are positive or not negative: a proof  *)
(* is a tree, and checking it is multiplication of polynomials, nothing else.                                 *)
(*                                                                                                            *)
(* A polynomial is a list of terms: a coefficient, and the exponents of the letters x 0, x 1, ...             *)
(*   coefficients        numbers to compute with: sums, products, opposites, which are 0, which are > 0       *)
(*   reading             what these numbers are in an ordered field R                                         *)
(*   evaluate p x        the value of p where the letters are x                                               *)
(* A fact is a polynomial, and whether it is known to be > 0 or only to be >= 0.                              *)
(*   proof               a leaf says d F = sum of c s^2 (product of powers of facts), with numbers c, d > 0;  *)
(*                       a split says: prove F with H >= 0 as one more fact, and with - H >= 0                *)
(*   proves fs strict F t      a boolean that is computed: t proves F >= 0 (F > 0 if strict) from the facts   *)
(*   lemmas_hold fs ls         the same for a list of lemmas, each from the facts and the lemmas before it    *)
(*   proves_sound              then it is so at every point where the facts hold, in every ordered field      *)
(*   lemmas_sound              and so for lemmas                                                              *)
(*   product_sign              a number times powers of facts has the sign of the number                      *)
(*   positivity                the same with integer coefficients                                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Record coefficients := Coefficients {
  number :> Type;
  one : number;
  plus : number -> number -> number;
  times : number -> number -> number;
  opposite : number -> number;
  is_zero : number -> bool;
  is_positive : number -> bool }.

Record reading (R : realFieldType) (C : coefficients) := Reading {
  value :> C -> R;
  value_one : value (one C) = 1;
  value_plus : forall c d, value (plus c d) = value c + value d;
  value_times : forall c d, value (times c d) = value c * value d;
  value_opposite : forall c, value (opposite c) = - value c;
  value_zero : forall c, is_zero c -> value c = 0;
  value_positive : forall c, is_positive c -> 0 < value c }.

(* ---- What is computed ---- *)
Section Computed.
Variable C : coefficients.

Definition polynomial := seq (C * seq nat).

(* An order of monomials, to merge by. *)
Fixpoint compare_exponents (e f : seq nat) : comparison :=
  match e, f with
  | [::], [::] => Eq
  | [::], _ :: _ => Lt
  | _ :: _, [::] => Gt
  | m :: e', n :: f' => if m == n then compare_exponents e' f' else if (m < n)%N then Lt else Gt
  end.

Fixpoint add_exponents (e f : seq nat) : seq nat :=
  match e, f with
  | [::], _ => f
  | _, [::] => e
  | m :: e', n :: f' => (m + n)%N :: add_exponents e' f'
  end.

Fixpoint add_p (p : polynomial) : polynomial -> polynomial :=
  match p with
  | [::] => id
  | (c, e) :: p' =>
    fix inner (q : polynomial) : polynomial :=
      match q with
      | [::] => (c, e) :: p'
      | (d, f) :: q' =>
        match compare_exponents e f with
        | Lt => (c, e) :: add_p p' q
        | Eq => let s := plus c d in if is_zero s then add_p p' q' else (s, e) :: add_p p' q'
        | Gt => (d, f) :: inner q'
        end
      end
  end.

Definition constant_p (c : C) : polynomial := [:: (c, [::])].
Definition opposite_p (p : polynomial) : polynomial := [seq (opposite t.1, t.2) | t <- p].
Definition scale_p (t : C * seq nat) (p : polynomial) : polynomial :=
  [seq (times t.1 u.1, add_exponents t.2 u.2) | u <- p].
Definition times_p (p q : polynomial) : polynomial := foldr (fun t => add_p (scale_p t q)) [::] p.
Definition power_p (p : polynomial) (n : nat) : polynomial := iter n (times_p p) (constant_p (one C)).
Definition is_zero_p (p : polynomial) : bool := all (fun t => is_zero t.1) p.
Definition same_p (p q : polynomial) : bool := is_zero_p (add_p p (opposite_p q)).

Record fact := Fact { form : polynomial; positive : bool }.

(* c s^2 f_k^e ...; without s if there is none. *)
Record product := Product { factor : C; square : option polynomial; powers : seq (nat * nat) }.

Inductive proof :=
| Leaf (scale : C) (products : seq product)
| Split (h : polynomial) (if_nonnegative if_nonpositive : proof).

Definition fact_at (fs : seq fact) (k : nat) : fact := nth (Fact [::] false) fs k.

Definition powers_p (fs : seq fact) (ks : seq (nat * nat)) : polynomial :=
  foldr (fun k => times_p (power_p (form (fact_at fs k.1)) k.2)) (constant_p (one C)) ks.

Definition product_p (fs : seq fact) (t : product) : polynomial :=
  let q := scale_p (factor t, [::]) (powers_p fs (powers t)) in
  if square t is Some s then times_p s (times_p s q) else q.

Definition is_product (fs : seq fact) (t : product) : bool :=
  is_positive (factor t) && all (fun k => k.1 < size fs)%N (powers t).

Definition only_positive (fs : seq fact) (ks : seq (nat * nat)) : bool := all (fun k => positive (fact_at fs k.1)) ks.

Definition is_strict (fs : seq fact) (t : product) : bool := ~~ isSome (square t) && only_positive fs (powers t).

Fixpoint proves (fs : seq fact) (strict : bool) (F : polynomial) (t : proof) : bool :=
  match t with
  | Leaf d ts =>
      [&& is_positive d, all (is_product fs) ts,
          same_p (scale_p (d, [::]) F) (foldr (fun t => add_p (product_p fs t)) [::] ts) &
          strict ==> has (is_strict fs) ts]
  | Split h t u => proves (rcons fs (Fact h false)) strict F t && proves (rcons fs (Fact (opposite_p h) false)) strict F u
  end.

Fixpoint lemmas_hold (fs : seq fact) (ls : seq (fact * proof)) : bool :=
  match ls with
  | [::] => true
  | (f, t) :: ls' => proves fs (positive f) (form f) t && lemmas_hold (rcons fs f) ls'
  end.

(* F is c f_k^e ...: then its sign is that of the number c. *)
Definition is_multiple (fs : seq fact) (F : polynomial) (d c : C) (ks : seq (nat * nat)) : bool :=
  is_positive d && same_p (scale_p (d, [::]) F) (scale_p (c, [::]) (powers_p fs ks)).

End Computed.

(* ---- What it means ---- *)
Section Soundness.
Variables (R : realFieldType) (C : coefficients) (r : reading R C).
Implicit Types (x : nat -> R) (p q F h : polynomial C) (f : fact C) (fs : seq (fact C)).
Add Field R_field : (field_theory_of R).

Definition evaluate p x : R := \sum_(t <- p) r t.1 * \prod_(i < size t.2) x i ^+ nth 0%N t.2 i.

Definition has_sign (strict : bool) (y : R) : Prop := if strict then 0 < y else 0 <= y.

Definition fact_holds x f : Prop := has_sign (positive f) (evaluate (form f) x).

Definition facts_hold x fs : Prop := forall k, (k < size fs)%N -> fact_holds x (fact_at fs k).

Let monomial x (e : seq nat) : R := \prod_(i < size e) x i ^+ nth 0%N e i.

Lemma monomial_cons x n e : monomial x (n :: e) = x 0%N ^+ n * monomial (fun i => x i.+1) e.
Proof. by rewrite /monomial big_ord_recl. Qed.

Lemma monomial_add x d e : monomial x (add_exponents d e) = monomial x d * monomial x e.
Proof.
elim: d e x => [|m d IHd] [|n e] x; rewrite /= ?monomial_cons.
- by rewrite /monomial big_ord0 mulr1.
- by rewrite {2}/monomial big_ord0 mul1r.
- by rewrite [monomial x [::]]/monomial big_ord0 mulr1.
- by rewrite IHd exprD mulrACA.
Qed.

Lemma compare_exponents_eq d e : compare_exponents d e = Eq -> d = e.
Proof. by elim: d e => [|m d IHd] [|n e] //=; case: eqP => [-> /IHd ->|_] //; case: ifP. Qed.

Lemma evaluate_nil x : evaluate [::] x = 0.
Proof. by rewrite /evaluate big_nil. Qed.

Lemma evaluate_cons c e p x : evaluate ((c, e) :: p) x = r c * monomial x e + evaluate p x.
Proof. by rewrite /evaluate big_cons. Qed.

Lemma evaluate_constant c x : evaluate (constant_p c) x = r c.
Proof. by rewrite evaluate_cons evaluate_nil /monomial big_ord0 mulr1 addr0. Qed.

Lemma evaluate_add p q x : evaluate (add_p p q) x = evaluate p x + evaluate q x.
Proof.
elim: p q => [|[c e] p IHp] q; first by rewrite evaluate_nil add0r.
elim: q => [|[d f] q IHq]; first by rewrite [add_p _ _]/= evaluate_nil addr0.
rewrite [add_p _ _]/=; case E: (compare_exponents e f).
- have s_eq : r (plus c d) * monomial x e = r c * monomial x e + r d * monomial x f.
    by rewrite (compare_exponents_eq E) value_plus mulrDl.
  case: ifP => [/(value_zero r) s0|_]; rewrite !evaluate_cons IHp addrACA -?s_eq //.
  by rewrite s0 mul0r add0r.
- by rewrite !evaluate_cons IHp evaluate_cons addrA.
- by rewrite evaluate_cons IHq !evaluate_cons addrCA.
Qed.

Lemma evaluate_opposite p x : evaluate (opposite_p p) x = - evaluate p x.
Proof.
elim: p => [|[c e] p IHp]; first by rewrite evaluate_nil oppr0.
by rewrite [opposite_p _]/= !evaluate_cons IHp value_opposite mulNr opprD.
Qed.

Lemma evaluate_scale c e p x : evaluate (scale_p (c, e) p) x = r c * monomial x e * evaluate p x.
Proof.
elim: p => [|[d f] p IHp]; first by rewrite !evaluate_nil mulr0.
by rewrite [scale_p _ _]/= !evaluate_cons IHp value_times monomial_add mulrACA mulrDr.
Qed.

Lemma evaluate_scale_constant c p x : evaluate (scale_p (c, [::]) p) x = r c * evaluate p x.
Proof. by rewrite evaluate_scale /monomial big_ord0 mulr1. Qed.

Lemma evaluate_times p q x : evaluate (times_p p q) x = evaluate p x * evaluate q x.
Proof.
elim: p => [|[c e] p IHp]; first by rewrite !evaluate_nil mul0r.
by rewrite [times_p _ _]/= evaluate_add evaluate_scale IHp evaluate_cons mulrDl.
Qed.

Lemma evaluate_power p n x : evaluate (power_p p n) x = evaluate p x ^+ n.
Proof.
elim: n => [|n IHn]; first by rewrite evaluate_constant value_one.
by rewrite exprS -IHn -evaluate_times.
Qed.

Lemma is_zero_pP p x : is_zero_p p -> evaluate p x = 0.
Proof.
elim: p => [|[c e] p IHp]; first by rewrite evaluate_nil.
by case/andP=> /(value_zero r) c0 /IHp p0; rewrite evaluate_cons c0 p0 mul0r addr0.
Qed.

Theorem same_value p q x : same_p p q -> evaluate p x = evaluate q x.
Proof. by move/is_zero_pP => /(_ x); rewrite evaluate_add evaluate_opposite => /eqP; rewrite subr_eq0 => /eqP. Qed.

Lemma fact_ge0 x fs k : facts_hold x fs -> 0 <= evaluate (form (fact_at fs k)) x.
Proof.
have [k_fs /(_ k k_fs)|fs_k _] := ltnP k (size fs); last by rewrite /fact_at nth_default // evaluate_nil.
by rewrite /fact_holds /has_sign; case: positive => // /ltW.
Qed.

Lemma fact_gt0 x fs k : facts_hold x fs -> positive (fact_at fs k) -> 0 < evaluate (form (fact_at fs k)) x.
Proof.
have [k_fs /(_ k k_fs)|fs_k _] := ltnP k (size fs); last by rewrite /fact_at nth_default.
by rewrite /fact_holds /has_sign => + pos; rewrite pos.
Qed.

Lemma facts_rcons x fs f : facts_hold x fs -> fact_holds x f -> facts_hold x (rcons fs f).
Proof.
move=> fs_x f_x k; rewrite size_rcons ltnS leq_eqVlt /fact_at nth_rcons => /orP[/eqP ->|k_fs].
  by rewrite ltnn eqxx.
by rewrite k_fs; exact: fs_x.
Qed.

Lemma powers_ge0 x fs ks : facts_hold x fs -> 0 <= evaluate (powers_p fs ks) x.
Proof.
move=> fs_x; elim: ks => [|[k e] ks IHks]; first by rewrite evaluate_constant value_one ler01.
by rewrite [powers_p _ _]/= evaluate_times evaluate_power mulr_ge0 // exprn_ge0 // fact_ge0.
Qed.

Lemma powers_gt0 x fs ks : facts_hold x fs -> only_positive fs ks -> 0 < evaluate (powers_p fs ks) x.
Proof.
move=> fs_x; elim: ks => [|[k e] ks IHks]; first by rewrite evaluate_constant value_one ltr01.
case/andP=> pos /IHks; rewrite [powers_p _ _]/= evaluate_times evaluate_power => ks_gt0.
by rewrite mulr_gt0 // exprn_gt0 // fact_gt0.
Qed.

Lemma product_ge0 x fs t : facts_hold x fs -> is_product fs t -> 0 <= evaluate (product_p fs t) x.
Proof.
move=> fs_x /andP[/(value_positive r) /ltW c_ge0 _]; rewrite /product_p.
have q_ge0 := mulr_ge0 c_ge0 (powers_ge0 (powers t) fs_x); rewrite -evaluate_scale_constant in q_ge0.
case: square => [s|] //; rewrite !evaluate_times mulrA mulr_ge0 // -expr2 sqr_ge0 //.
Qed.

Lemma product_gt0 x fs t : facts_hold x fs -> is_product fs t -> is_strict fs t -> 0 < evaluate (product_p fs t) x.
Proof.
move=> fs_x /andP[/(value_positive r) c_gt0 _]; rewrite /is_strict /product_p; case: square => //= pos.
by rewrite evaluate_scale_constant mulr_gt0 // powers_gt0.
Qed.

Lemma products_sign x fs strict ts : facts_hold x fs -> all (is_product fs) ts -> strict ==> has (is_strict fs) ts ->
  has_sign strict (evaluate (foldr (fun t => add_p (product_p fs t)) [::] ts) x).
Proof.
move=> fs_x; have ge0 us : all (is_product fs) us -> 0 <= evaluate (foldr (fun t => add_p (product_p fs t)) [::] us) x.
  elim: us => [|t us IHus] /=; first by rewrite evaluate_nil.
  by case/andP=> t_ok /IHus; rewrite evaluate_add => us_ge0; rewrite addr_ge0 // product_ge0.
case: strict => [|ok _]; last exact: ge0.
rewrite /has_sign; elim: ts => [|t ts IHts] //= /andP[t_ok ts_ok]; rewrite evaluate_add => /orP[t_strict|ts_strict].
  by rewrite ltr_spaddl ?ge0 // product_gt0.
by rewrite ltr_spaddr ?product_ge0 // IHts.
Qed.

Lemma sign_scaled strict (c y : R) : 0 < c -> has_sign strict (c * y) -> has_sign strict y.
Proof. by move=> c_gt0; case: strict; rewrite /has_sign ?pmulr_rgt0 ?pmulr_rge0. Qed.

Theorem proves_sound x fs strict F t : facts_hold x fs -> proves fs strict F t -> has_sign strict (evaluate F x).
Proof.
elim: t fs => [d ts|h t IHt u IHu] fs fs_x /=.
  case/and4P=> /(value_positive r) d_gt0 ts_ok /(same_value x); rewrite evaluate_scale_constant => F_is strict_ok.
  by apply: (sign_scaled d_gt0); rewrite F_is; exact: products_sign.
case/andP=> /IHt nonneg /IHu nonpos.
have [h_ge0|h_le0] := lerP 0 (evaluate h x); first by apply: nonneg; exact: facts_rcons.
by apply: nonpos; apply: facts_rcons; rewrite // /fact_holds /has_sign /= evaluate_opposite oppr_ge0 ltW.
Qed.

Theorem lemmas_sound x fs ls : facts_hold x fs -> lemmas_hold fs ls -> facts_hold x (fs ++ [seq l.1 | l <- ls]).
Proof.
elim: ls fs => [|[f t] ls IHls] fs fs_x /=; first by rewrite cats0.
by case/andP=> /(proves_sound fs_x) f_x /IHls; rewrite -cat_rcons; apply; exact: facts_rcons.
Qed.

(* The rule of signs. *)
Theorem product_sign x fs F d c ks : facts_hold x fs -> is_multiple fs F d c ks ->
  [/\ is_zero c -> evaluate F x = 0,
      is_positive c -> has_sign (only_positive fs ks) (evaluate F x) &
      is_positive (opposite c) -> has_sign (only_positive fs ks) (- evaluate F x)].
Proof.
move=> fs_x /andP[/(value_positive r) d_gt0 /(same_value x)]; rewrite !evaluate_scale_constant => F_is.
have sign : has_sign (only_positive fs ks) (evaluate (powers_p fs ks) x).
  by case pos: (only_positive fs ks); [exact: powers_gt0 | exact: powers_ge0].
split=> [/(value_zero r) c0|/(value_positive r) c_gt0|/(value_positive r)].
- by move: F_is; rewrite c0 mul0r => /eqP; rewrite mulf_eq0 gt_eqF //= => /eqP.
- by apply: (sign_scaled d_gt0); rewrite F_is; case: (only_positive fs ks) sign; rewrite /has_sign ?pmulr_rgt0 ?pmulr_rge0.
rewrite value_opposite => c_lt0; apply: (sign_scaled d_gt0); rewrite mulrN F_is -mulNr.
by case: (only_positive fs ks) sign; rewrite /has_sign ?pmulr_rgt0 ?pmulr_rge0.
Qed.

End Soundness.

(* ---- Integer coefficients ---- *)
Definition integers : coefficients :=
  @Coefficients int 1 (fun c d => c + d) (fun c d => c * d) (fun c => - c) (fun c => c == 0) (fun c => 0 < c).

Section Integers.
Variable R : realFieldType.

Lemma integer_zero (c : int) : c == 0 -> c%:~R = 0 :> R.
Proof. by move/eqP ->. Qed.

Lemma integer_positive (c : int) : 0 < c -> 0 < c%:~R :> R.
Proof. by rewrite ltr0z. Qed.

Definition integer_reading : reading R integers :=
  @Reading R integers (fun c : int => c%:~R) (mulr1z 1) (fun c d => intrD R c d) (fun c d => intrM R c d)
           (fun c => mulrNz 1 c) integer_zero integer_positive.

(* A list of lemmas that is checked with integers holds at every point where the constraints hold. *)
Theorem positivity (x : nat -> R) (fs : seq (fact integers)) (ls : seq (fact integers * proof integers)) :
  lemmas_hold fs ls -> facts_hold integer_reading x fs ->
  forall f t, List.In (f, t) ls -> fact_holds integer_reading x f.
Proof.
move=> ls_ok fs_x f t; have := lemmas_sound fs_x ls_ok.
elim: ls fs {fs_x ls_ok} => [|[g u] ls IHls] fs //=; rewrite -cat_rcons => all_x [[<- _]|]; last exact: IHls all_x.
have fs_g : (size fs < size (rcons fs g ++ [seq l.1 | l <- ls]))%N by rewrite size_cat size_rcons leq_addr.
by have := all_x _ fs_g; rewrite /fact_at nth_cat size_rcons ltnSn nth_rcons ltnn eqxx.
Qed.
End Integers.

(* It computes: where p > 0 and q > 0, p^2 - p q + q^2 = (p - q)^2 + p q > 0; from p >= 0 and q > 0 only >= 0. *)
Definition two_facts (strict : bool) : seq (fact integers) :=
  [:: @Fact integers [:: (Posz 1, [:: 1%N])] strict; @Fact integers [:: (Posz 1, [:: 0%N; 1%N])] true].
Definition quadratic : polynomial integers := [:: (Posz 1, [:: 0%N; 2%N]); (Negz 0, [:: 1%N; 1%N]); (Posz 1, [:: 2%N])].
Definition its_proof : proof integers :=
  @Leaf integers (Posz 1) [:: @Product integers (Posz 1) (Some [:: (Negz 0, [:: 0%N; 1%N]); (Posz 1, [:: 1%N])]) [::];
                          @Product integers (Posz 1) None [:: (0%N, 1%N); (1%N, 1%N)]].

Lemma example_is_checked :
  [&& proves (two_facts true) true quadratic its_proof, proves (two_facts false) false quadratic its_proof,
      ~~ proves (two_facts false) true quadratic its_proof & ~~ proves (two_facts true) false (opposite_p quadratic) its_proof].
Proof. by vm_compute. Qed.
