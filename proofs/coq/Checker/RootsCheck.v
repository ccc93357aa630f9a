(* SPDX-License-Identifier: MIT *)
(* What decides the claims of RootsClaims.v, and its soundness.                                               *)
(*                                                                                                            *)
(* Privacy at a smaller rational distance shows privacy at a root, and a failure at a larger one shows that   *)
(* there is none at the root.  So roots are replaced by rationals, and Privacy.v decides.  The rationals are  *)
(* convergents of continued fractions; they are searched for without proof, and their side is checked.        *)
(*   power_le_below    from b^d0 <= t and t^c y <= x for some rational c <= d/d0 follows b^d y <= x           *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia Ascii String.
From ExactDP Require Import OrderedField Mechanism.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables Privacy Derivable Check RootsClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.
Local Open Scope ring_scope.

(* ---- Rationals beside a root ---- *)
(* The square of a distance. *)
Definition square (d : distance) : Q :=
  match d with
  | Rational q => Qmake (Qnum q * Qnum q) (Qden q * Qden q)
  | Root q => q
  end.

(* 0 <= c <= d/d0, by squares; strictly less where d is rational and d0 is a root. *)
Definition is_below (d0 d : distance) (c : Q) : bool :=
  let s := square d in let s0 := square d0 in
  let left := (Qnum c * Qnum c * Qnum s0 * Zpos (Qden s))%Z in
  let right := (Qnum s * Zpos (Qden s0) * (Zpos (Qden c) * Zpos (Qden c)))%Z in
  [&& (0 <=? Qnum c)%Z, (0 <=? Qnum s0)%Z &
      match d, d0 with
      | Rational q, Rational q0 => (0 <=? Qnum q)%Z && (0 <? Qnum q0)%Z && (left <=? right)%Z
      | Rational q, Root _ => (0 <=? Qnum q)%Z && (left <? right)%Z
      | Root _, Rational q0 => (0 <? Qnum q0)%Z && (left <=? right)%Z
      | Root _, Root _ => (left <=? right)%Z
      end].

(* c > d for a root d; c = d for a rational one. *)
Definition is_above (d : distance) (c : Q) : bool :=
  match d with
  | Rational q => (Qnum q =? Qnum c)%Z && Pos.eqb (Qden q) (Qden c)
  | Root q => (0 <=? Qnum c)%Z && (Qnum q * (Zpos (Qden c) * Zpos (Qden c)) <? Qnum c * Qnum c * Zpos (Qden q))%Z
  end.

Definition same_distance (d e : distance) : bool :=
  match d, e with
  | Rational q, Rational r | Root q, Root r => (Qnum q =? Qnum r)%Z && Pos.eqb (Qden q) (Qden r)
  | _, _ => false
  end.

(* The neighbours with these rationals instead of their distances. *)
Definition with_distances (near : far) (cs : seq Q) : neighbours :=
  Neighbours (called near) (points near) [seq (x.1.1, x.2) | x <- zip (spans near) cs].

Definition all_below (d0 : distance) (near : far) (cs : seq Q) : bool :=
  (size cs == size (spans near)) && all (fun x : N * N * distance * Q => is_below d0 x.1.2 x.2) (zip (spans near) cs).

Definition between (i j : N) (e : N * N * distance) : bool :=
  (N.eqb e.1.1 i && N.eqb e.1.2 j) || (N.eqb e.1.1 j && N.eqb e.1.2 i).

(* ---- The search ---- *)
(* The convergents c of the root of n/d, until one decides; None where they become too large. *)
Fixpoint approach (fuel : nat) (fits : Q -> bool) (judge : Z -> Q -> option Q) (n d s m b x y x' y' : Z) : option Q :=
  match fuel with
  | O => None
  | k.+1 =>
      let a := ((m + s) / b)%Z in let m' := (a * b - m)%Z in let b' := ((n * d - m' * m') / b)%Z in
      let x'' := (a * x + x')%Z in let y'' := (a * y + y')%Z in
      match y'' with
      | Zpos q => let c := Qmake x'' q in
          if fits c then
            match judge (x'' * x'' * d - y'' * y'' * n)%Z c with
            | Some found => Some found
            | None => approach k fits judge n d s m' b' x'' y'' x y
            end
          else None
      | _ => None
      end
  end.

Definition convergent (fits : Q -> bool) (judge : Z -> Q -> option Q) (s : Q) : option Q :=
  let n := Qnum s in let d := Zpos (Qden s) in approach 1000 fits judge n d (Z.sqrt (n * d)) 0 d 1 0 0 1.

(* Powers of this length are computed. *)
Definition power_fits (a : Q) (bits : Z) (c : Q) : bool :=
  (Qnum c * Z.log2 (Zpos (Qden a)) + Zpos (Qden c) * bits <? 2 ^ 23)%Z.

Definition quotient_of (d d0 : distance) : Q :=
  let s := square d in let s0 := square d0 in
  let n := (Qnum s * Zpos (Qden s0))%Z in let e := (Zpos (Qden s) * Qnum s0)%Z in let g := Z.gcd n e in
  Qmake (n / g) (Z.to_pos (e / g)).

(* A rational below d/d0 at which the two rows keep privacy; or 0 if they do not keep it at d/d0. *)
Definition lower_bound (m : nat) (a : Q) (d0 d : distance) (bits : Z) (x y : row) : option Q :=
  let judge (sign : Z) (c : Q) :=
    let ok := keeps m a c x y && keeps m a c y x in
    if (sign <=? 0)%Z then (if ok then Some c else if (sign =? 0)%Z then Some (Qmake 0 1) else None)
    else if ok then None else Some (Qmake 0 1) in
  convergent (power_fits a bits) judge (quotient_of d d0).

Definition lower_bounds (m : nat) (near : far) (a : Q) (d0 : distance) (J : integers) : option (seq Q) :=
  all_of (fun e : N * N * distance =>
            lower_bound m a d0 e.2 (Z.log2 (scaling J)) (row_at (lines J) e.1.1) (row_at (lines J) e.1.2)) (spans near).

(* A rational above d at which x >= a^d y fails; or 0 if it does not fail at d. *)
Definition upper_bound (a : Q) (d : distance) (bits : Z) (x y : Z) : option Q :=
  match d with
  | Rational q => Some q
  | Root q =>
      let judge (sign : Z) (c : Q) :=
        if (sign <=? 0)%Z then (if keeps_at a c x y then Some (Qmake 0 1) else None)
        else if keeps_at a c x y then None else Some c in
      convergent (power_fits a bits) judge q
  end.

Inductive witness :=
| Below (cs : seq Q)
| Above (i j r : N) (c : Q)
| Largest (at_ : option (N * N * N)) (cs : seq Q).

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | Private t near a =>
      let! _ := object_of [::] [::] v in let m := size (outputs t) in
      let J := integers_of (size (inputs t)) m (content t) in
      let! cs := lower_bounds m near a (Rational (Qmake 1 1)) J in Some (Below cs)
  | NotPrivate t near a =>
      let! (i, j, r) := pair_and_output t v in
      let J := integers_of (size (inputs t)) (size (outputs t)) (content t) in
      let number k := at_index (row_at (lines J) k) (N.to_nat r) in
      match [seq e <- spans near | between i j e] with
      | e :: _ => let! c := upper_bound a e.2 (Z.log2 (scaling J)) (number i) (number j) in Some (Above i j r c)
      | [::] => Some (Above i j r (Qmake 0 1))
      end
  | Level t near ratio d =>
      let m := size (outputs t) in let J := integers_of (size (inputs t)) m (content t) in
      let! cs := if (Qnum ratio =? 0)%Z then Some [::] else lower_bounds m near ratio d J in
      if (Qnum ratio =? Zpos (Qden ratio))%Z then let! _ := object_of [::] [::] v in Some (Largest None cs)
      else let! x := pair_and_output t v in Some (Largest (Some x) cs)
  end.

(* ---- What is decided ---- *)
Definition fails_at (p m : nat) (near : far) (a : Q) (J : integers) (i j r : N) (c : Q) : bool :=
  has (fun e : N * N * distance => between i j e && is_above e.2 c) (spans near) &&
  is_violated p m (Neighbours [::] [::] [:: ((i, j), c)]) a J i j r.

(* x = ratio y > 0 at the distance d; at any distance for ratio 0, where y > 0 = x. *)
Definition is_tight_at (p m : nat) (near : far) (ratio : Q) (d : distance) (J : integers) (i j r : N) : bool :=
  let x := at_index (row_at (lines J) i) (N.to_nat r) in let y := at_index (row_at (lines J) j) (N.to_nat r) in
  [&& (i <? N.of_nat p)%num, (j <? N.of_nat p)%num, (r <? N.of_nat m)%num,
      (x * Zpos (Qden ratio) =? Qnum ratio * y)%Z && (0 <? y)%Z &
      has (fun e : N * N * distance => between i j e && ((Qnum ratio =? 0)%Z || same_distance e.2 d)) (spans near)].

Definition is_positive (d : distance) : bool := match d with Rational q | Root q => (0 <? Qnum q)%Z end.

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | Private t near a, Below cs =>
      let p := size (inputs t) in let m := size (outputs t) in
      if mechanism_at p m t is Some J then
        [&& agree (inputs t) (points near), is_level a, all_below (Rational (Qmake 1 1)) near cs &
            is_private m (with_distances near cs) a J]
      else false
  | NotPrivate t near a, Above i j r c =>
      let p := size (inputs t) in let m := size (outputs t) in
      if mechanism_at p m t is Some J then
        [&& agree (inputs t) (points near), is_level a & fails_at p m near a J i j r c]
      else false
  | Level t near ratio d, Largest at_ cs =>
      let p := size (inputs t) in let m := size (outputs t) in
      if mechanism_at p m t is Some J then
        [&& agree (inputs t) (points near), is_positive d, (0 <=? Qnum ratio)%Z, (Qnum ratio <=? Zpos (Qden ratio))%Z &
            match at_ with
            | Some (i, j, r) => (Qnum ratio <? Zpos (Qden ratio))%Z && is_tight_at p m near ratio d J i j r
            | None => (Qnum ratio =? Zpos (Qden ratio))%Z
            end && ((Qnum ratio =? 0)%Z || (all_below d near cs && is_private m (with_distances near cs) ratio J))]
      else false
  | _, _ => false
  end.

Section Soundness.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).

(* b^(E/K) <= t and t^(n1/k1) y <= x, and (E/K)(n1/k1) <= e/k: then b^(e/k) y <= x. *)
Lemma power_chain (b t x y : R) (E K n1 k1 e k : nat) : 0 < b < 1 -> 0 <= t -> 0 <= x -> 0 <= y -> (0 < K)%N -> (0 < k1)%N ->
  b ^+ E <= t ^+ K -> t ^+ n1 * y ^+ k1 <= x ^+ k1 -> (E * n1 * k <= e * K * k1)%N -> b ^+ e * y ^+ k <= x ^+ k.
Proof.
move=> /andP[b_gt0 b_lt1] t_ge0 x_ge0 y_ge0 K_gt0 k1_gt0 bt ty le_ek; have b_ge0 := ltW b_gt0.
have Kk_gt0 : (0 < K * k1)%N by rewrite muln_gt0 K_gt0.
rewrite -(@ler_pexpn2r _ (K * k1)) ?nnegrE ?mulr_ge0 ?exprn_ge0 //.
have x_is : (x ^+ k) ^+ (K * k1) = (x ^+ k1) ^+ (K * k) by rewrite -!exprM; congr (_ ^+ _); nat_lia.
have -> : (b ^+ e * y ^+ k) ^+ (K * k1) = b ^+ (e * K * k1) * (y ^+ k1) ^+ (K * k).
  by rewrite exprMn -!exprM mulnA; congr (_ * _ ^+ _); nat_lia.
rewrite x_is; apply: le_trans (_ : (t ^+ n1 * y ^+ k1) ^+ (K * k) <= _); last first.
  by apply: ler_expn2r; rewrite ?nnegrE ?mulr_ge0 ?exprn_ge0.
rewrite exprMn ler_wpmul2r ?exprn_ge0 //.
have -> : (t ^+ n1) ^+ (K * k) = (t ^+ K) ^+ (n1 * k) by rewrite -!exprM; congr (_ ^+ _); nat_lia.
apply: le_trans (_ : (b ^+ E) ^+ (n1 * k) <= _); first by rewrite -exprM mulnA ler_wiexpn2l // ltW.
by apply: ler_expn2r; rewrite ?nnegrE ?exprn_ge0.
Qed.

Lemma root_lt q e k : (of_Q q * k%:R ^+ 2 < e%:R ^+ 2) =
  (Qnum q * (Z.of_nat k * Z.of_nat k) <? Z.of_nat e * Z.of_nat e * Zpos (Qden q))%Z.
Proof.
rewrite -(of_Z_lt R) !of_ZM !of_Z_nat -!expr2 /of_Q mulrAC ltr_pdivr_mulr ?of_Z_pos //.
Qed.

(* n is below (n + 1)^2 d. *)
Lemma square_above (n d : Z) : (0 <= n)%Z -> (0 < d)%Z -> (n < (n + 1) * (n + 1) * d)%Z.
Proof.
move=> n_ge0 d_gt0; apply: (Z.lt_le_trans _ (n + 1)); first by lia.
have one_le : (1 <= (n + 1) * d)%Z by have : (0 < (n + 1) * d)%Z; [apply: Z.mul_pos_pos; lia | lia].
have n1_ge0 : (0 <= n + 1)%Z by lia.
by have := Z.mul_le_mono_nonneg_l _ _ _ n1_ge0 one_le; lia.
Qed.

Lemma le_by_squares (u v : nat) : (Z.of_nat u * Z.of_nat u <= Z.of_nat v * Z.of_nat v)%Z -> (u <= v)%N.
Proof. by move=> /(Z.square_le_simpl_nonneg _ _ (Nat2Z.is_nonneg v)) uv; nat_lia. Qed.

(* From (n1/k1)^2 s0 <= s and s < (e/k)^2 follows (n1/k1)^2 s0 < (e/k)^2. *)
Lemma square_chain (n1 k1 sn sd qn qd k e : Z) : (0 < sd)%Z -> (0 < qd)%Z -> (0 < k1)%Z ->
  (n1 * n1 * qn * sd <= sn * qd * (k1 * k1))%Z -> (sn * (k * k) < e * e * sd)%Z ->
  (qn * ((k * n1) * (k * n1)) < (e * k1) * (e * k1) * qd)%Z.
Proof.
move=> sd_gt0 qd_gt0 k1_gt0 low high; apply: (Zmult_gt_0_lt_reg_r _ _ sd); first by lia.
apply: (Z.le_lt_trans _ (sn * (k * k) * (qd * (k1 * k1)))).
  have kk : (0 <= k * k)%Z by exact: Z.square_nonneg.
  by have := Z.mul_le_mono_nonneg_r _ _ _ kk low; lia.
have qk : (0 < qd * (k1 * k1))%Z by do 2 ?apply: Z.mul_pos_pos.
by have := Zmult_lt_compat_r _ _ _ qk high; lia.
Qed.

(* A rational E/K above the root of q0, with (E/K)(n1/k1) <= e/k. *)
Lemma above_root (b t : R) q0 n1 k1 e k : power_le b (Root q0) 1 t -> (0 <= Qnum q0)%Z -> (0 < k)%N ->
  ((0 < n1)%N -> of_Q q0 * (k * n1)%:R ^+ 2 < (e * k1)%:R ^+ 2) ->
  exists E K, [/\ (0 < K)%N, b ^+ E <= t ^+ K & (E * n1 * k <= e * K * k1)%N].
Proof.
move=> bt q0_ge0 k_gt0 high; have {}bt E K : (0 < K)%N -> of_Q q0 * K%:R ^+ 2 < E%:R ^+ 2 -> b ^+ E <= t ^+ K.
  by move=> K_gt0 EK; have := bt E K K_gt0 EK; rewrite expr1n mulr1.
have [n1_gt0|] := ltnP 0 n1; last first.
  rewrite leqn0 => /eqP ->; exists (Z.to_nat (Qnum q0)).+1, 1%N; split=> //; last by rewrite muln0.
  apply: bt => //; rewrite root_lt; apply/Z.ltb_lt.
  have -> : Z.of_nat (Z.to_nat (Qnum q0)).+1 = (Qnum q0 + 1)%Z by lia.
  by rewrite Z.mul_1_r; apply: square_above.
exists (e * k1)%N, (k * n1)%N; split; first by rewrite muln_gt0 k_gt0.
  by apply: bt; [rewrite muln_gt0 k_gt0 | exact: high].
by apply: eq_leq; nat_lia.
Qed.

Theorem power_le_below (b t x y : R) d0 d c : 0 < b < 1 -> 0 <= t -> 0 <= x -> 0 <= y -> is_below d0 d c ->
  power_le b d0 1 t -> t ^+ Z.to_nat (Qnum c) * y ^+ Pos.to_nat (Qden c) <= x ^+ Pos.to_nat (Qden c) -> power_le b d y x.
Proof.
move=> b01 t_ge0 x_ge0 y_ge0 /and3P[/Z.leb_le c_ge0 /Z.leb_le s0_ge0 below] bt ty.
have pos_gt0 p : (0 < Pos.to_nat p)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have n1_is : Z.of_nat (Z.to_nat (Qnum c)) = Qnum c by rewrite Z2Nat.id.
have chain e k (E_K : exists E K, [/\ (0 < K)%N, b ^+ E <= t ^+ K &
    (E * Z.to_nat (Qnum c) * k <= e * K * Pos.to_nat (Qden c))%N]) : b ^+ e * y ^+ k <= x ^+ k.
  by have [E [K [K_gt0 bt' le_ek]]] := E_K; apply: (power_chain b01 t_ge0 x_ge0 y_ge0 K_gt0 (pos_gt0 _) bt' ty le_ek).
have at_rational q0 : power_le b (Rational q0) 1 t -> b ^+ Z.to_nat (Qnum q0) <= t ^+ Pos.to_nat (Qden q0).
  by rewrite /= expr1n mulr1.
case: d d0 below bt s0_ge0 => [q|q] [q0|q0] below bt s0_ge0.
- case/andP: below => /andP[/Z.leb_le q_ge0 /Z.ltb_lt q0_gt0] /Z.leb_le /= low.
  apply: chain; exists (Z.to_nat (Qnum q0)), (Pos.to_nat (Qden q0)); split=> //; first exact: at_rational.
  apply: le_by_squares; rewrite -!multE !Nat2Z.inj_mul n1_is !positive_nat_Z !Z2Nat.id //; last exact: Z.lt_le_incl.
  by rewrite !Pos2Z.inj_mul in low; lia.
- case/andP: below => /Z.leb_le q_ge0 /Z.ltb_lt /= low; rewrite !Pos2Z.inj_mul in low.
  apply: chain; apply: above_root bt s0_ge0 (pos_gt0 _) _ => _; rewrite root_lt; apply/Z.ltb_lt.
  by rewrite -!multE !Nat2Z.inj_mul n1_is !positive_nat_Z !Z2Nat.id //; lia.
- case/andP: below => /Z.ltb_lt q0_gt0 /Z.leb_le /= low e k k_gt0; rewrite root_lt => /Z.ltb_lt high.
  apply: chain; exists (Z.to_nat (Qnum q0)), (Pos.to_nat (Qden q0)); split=> //; first exact: at_rational.
  apply: le_by_squares; rewrite -!multE !Nat2Z.inj_mul n1_is !positive_nat_Z !Z2Nat.id //; last exact: Z.lt_le_incl.
  have := @square_chain _ (Zpos (Qden c)) _ (Zpos (Qden q)) _ (Zpos (Qden q0 * Qden q0)) _ _ erefl erefl erefl low high.
  by rewrite Pos2Z.inj_mul; lia.
move=> e k k_gt0; rewrite root_lt => /Z.ltb_lt high; move/Z.leb_le: below => /= low.
apply: chain; apply: above_root bt s0_ge0 k_gt0 _ => _; rewrite root_lt; apply/Z.ltb_lt.
rewrite -!multE !Nat2Z.inj_mul n1_is !positive_nat_Z.
exact: (@square_chain _ (Zpos (Qden c)) _ (Zpos (Qden q)) _ (Zpos (Qden q0)) _ _ erefl erefl erefl low high).
Qed.

(* ---- Distances replaced by rationals ---- *)
Lemma In_zip_left A B (s : seq A) (u : seq B) x : size u = size s -> List.In x s -> exists y, List.In (x, y) (zip s u).
Proof.
elim: s u => [//|z s IHs] [//|y u] /= [size_u] [<-|/(IHs _ size_u)[w w_in]]; first by exists y; left.
by exists w; right.
Qed.

Theorem private_far_below p m near cs d0 (b t : R) (X : 'M[R]_(p, m)) : 0 < b < 1 -> 0 <= t -> (forall i r, 0 <= X i r) ->
  all_below d0 near cs -> power_le b d0 1 t -> private_for (with_distances near cs) t X -> private_far near b X.
Proof.
move=> b01 t_ge0 X_ge0 /andP[/eqP size_cs /all_In below] bt X_priv i j d r ij.
have [c c_below c_in] : exists2 c, is_below d0 d c & constrained (with_distances near cs) i j c.
  case: ij => d_in; have [c dc_in] := In_zip_left size_cs d_in; exists c; try exact: below dc_in.
    by left; exact: (List.in_map (fun x : N * N * distance * Q => (x.1.1, x.2)) _ _ dc_in).
  by right; exact: (List.in_map (fun x : N * N * distance * Q => (x.1.1, x.2)) _ _ dc_in).
exact: (power_le_below b01 t_ge0 (X_ge0 i r) (X_ge0 j r) c_below bt (X_priv i j c r c_in)).
Qed.

Lemma is_aboveP (b x y : R) d c : is_above d c -> power_le b d y x ->
  b ^+ Z.to_nat (Qnum c) * y ^+ Pos.to_nat (Qden c) <= x ^+ Pos.to_nat (Qden c).
Proof.
case: d => [q|q] /=; first by case/andP=> /Z.eqb_eq -> /Pos.eqb_eq ->.
case/andP=> /Z.leb_le c_ge0 /Z.ltb_lt above; apply; first by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
by rewrite root_lt positive_nat_Z Z2Nat.id //; apply/Z.ltb_lt.
Qed.

Lemma between_spanned near i j e : List.In e (spans near) -> between i j e -> spanned near (N.to_nat i) (N.to_nat j) e.2.
Proof.
case: e => [[x y] d] e_in; rewrite /spanned /between /= !N2Nat.id.
by case/orP=> /andP[/N.eqb_eq <- /N.eqb_eq <-]; [left | right].
Qed.

Theorem fails_atP p m near a J i j r c (X : 'M[R]_(p, m)) : represents J X -> fails_at p m near a J i j r c ->
  ~ private_far near (of_Q a) X.
Proof.
move=> X_J /andP[/has_In[e e_in /andP[e_ij above]] violated] X_priv.
apply: (is_violatedP X_J violated) => k l c' s kl; have kl' : spanned near k l e.2 /\ c' = c.
  have both := between_spanned e_in e_ij.
  by case: kl => -[] // [ei ej ->]; split=> //; move: both; rewrite -?ei -?ej ei ej !Nat2N.id // /spanned or_comm.
have [kl_e ->] := kl'; exact: is_aboveP above (X_priv k l e.2 s kl_e).
Qed.

(* ---- The largest level ---- *)
Lemma power_le_zero (b y : R) d : 0 < b -> 0 < y -> ~ power_le b d y 0.
Proof.
move=> b_gt0 y_gt0; case: d => [q|q] /=.
  have k_gt0 : (0 < Pos.to_nat (Qden q))%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
  by rewrite expr0n gtn_eqF // leNgt mulr_gt0 ?exprn_gt0.
move=> /(_ (Z.to_nat (Qnum q)).+1 1%N isT); rewrite root_lt !expr1 => le0.
have : b ^+ (Z.to_nat (Qnum q)).+1 * y <= 0.
  apply: le0; apply/Z.ltb_lt; have -> : Z.of_nat (Z.to_nat (Qnum q)).+1 = (Z.max (Qnum q) 0 + 1)%Z by lia.
  rewrite Z.mul_1_r; apply: (Z.le_lt_trans _ (Z.max (Qnum q) 0)); first exact: Z.le_max_l.
  by apply: square_above; first exact: Z.le_max_r.
by rewrite leNgt mulr_gt0 ?exprn_gt0.
Qed.

Lemma power_le_cancel (b x y t : R) d : 0 < y -> x = t * y -> power_le b d y x -> power_le b d 1 t.
Proof.
move=> y_gt0 ->; case: d => [q|q] /=; first by rewrite exprMn ler_pmul2r ?exprn_gt0 // expr1n mulr1.
by move=> le_x e k k_gt0 /(le_x e k k_gt0); rewrite exprMn ler_pmul2r ?exprn_gt0 // expr1n mulr1.
Qed.

Lemma power_le_one (b : R) d : 0 < b < 1 -> power_le b d 1 1.
Proof.
move=> /andP[b_gt0 b_lt1]; case: d => [q|q] /=; first by rewrite !expr1n mulr1 exprn_ile1 // ltW.
by move=> e k _ _; rewrite !expr1n mulr1 exprn_ile1 // ltW.
Qed.

Lemma same_distanceP d e : same_distance d e -> d = e.
Proof. by case: d e => [[n d]|[n d]] [[m e]|[m e]] //= /andP[/Z.eqb_eq -> /Pos.eqb_eq ->]. Qed.

Theorem is_tight_atP p m near ratio d J i j r (X : 'M[R]_(p, m)) (b : R) : represents J X -> 0 < b ->
  is_tight_at p m near ratio d J i j r -> private_far near b X -> power_le b d 1 (of_Q ratio).
Proof.
move=> X_J b_gt0 /and5P[/N.ltb_lt i_p /N.ltb_lt j_p /N.ltb_lt r_m /andP[/Z.eqb_eq xy /Z.ltb_lt y_gt0]].
case/has_In=> e e_in /andP[e_ij same_d] X_priv.
have i_lt : (N.to_nat i < p)%N by apply/ssrnat.ltP; lia.
have j_lt : (N.to_nat j < p)%N by apply/ssrnat.ltP; lia.
have r_lt : (N.to_nat r < m)%N by apply/ssrnat.ltP; lia.
have := X_priv (Ordinal i_lt) (Ordinal j_lt) e.2 (Ordinal r_lt) (between_spanned e_in e_ij); have [D_gt0 _] := X_J.
have x_is : X (Ordinal i_lt) (Ordinal r_lt) = of_Q ratio * X (Ordinal j_lt) (Ordinal r_lt).
  rewrite !(line_at _ _ X_J) /= !N2Nat.id mulrA; congr (_ / _).
  apply: (mulIf (of_Z_pos_neq0 R (Qden ratio))); rewrite -of_ZM xy of_ZM /of_Q mulrAC divfK //.
  exact: of_Z_pos_neq0.
have y_pos : 0 < X (Ordinal j_lt) (Ordinal r_lt).
  by rewrite (line_at _ _ X_J) /= N2Nat.id divr_gt0 //; exact: of_Z_gt0.
case/orP: same_d => [/Z.eqb_eq r0|/same_distanceP ->]; last exact: power_le_cancel.
by rewrite x_is /of_Q r0 !mul0r => le0; case: (power_le_zero b_gt0 y_pos le0).
Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c => [t near a|t near a|t near ratio d]; case: w => [cs|i j r c|at_ cs] //; rewrite /check;
  case E: mechanism_at => [J|] //; have [rep st] := mechanism_atP R E.
- case/and4P=> /agreeP in_p /(is_levelP R) a01 below /(is_privateP rep) priv; split=> //.
  have a_ge0 : 0 <= of_Q a by apply: ltW; case/andP: a01.
  apply: (private_far_below a01 a_ge0 (proj1 st) below _ priv).
  by rewrite /= !expr1 mulr1.
- by case/and3P=> /agreeP in_p /(is_levelP R) a01 /(fails_atP rep) bad; split.
case/and5P=> /agreeP in_p _ ratio_ge0 ratio_le1 /andP[tight priv].
have t_ge0 : 0 <= of_Q ratio by rewrite /of_Q divr_ge0 ?(ltW (of_Z_pos R _)) // of_Z_ge0.
have t_le1 : of_Q ratio <= 1 by rewrite /of_Q ler_pdivr_mulr ?of_Z_pos // mul1r of_Z_le.
split=> //; first by rewrite t_ge0.
move=> b b01; have /andP[b_gt0 b_lt1] := b01; split=> [X_priv|b_le].
  case: at_ tight => [[[i j] r] /andP[_ tight]|/Z.eqb_eq r1]; first exact: is_tight_atP tight X_priv.
  by rewrite /of_Q r1 divff ?of_Z_pos_neq0 //; exact: power_le_one.
case/orP: priv => [/Z.eqb_eq r0|/andP[below /(is_privateP rep) priv]].
  by move: b_le; rewrite /of_Q r0 mul0r => le0; case: (power_le_zero b_gt0 ltr01 le0).
exact: (private_far_below b01 t_ge0 (proj1 st) below b_le priv).
Qed.

End Soundness.
