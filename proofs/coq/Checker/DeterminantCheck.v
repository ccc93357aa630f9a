(* SPDX-License-Identifier: MIT *)
(* What decides the claims of DeterminantClaims.v, and its soundness.                                         *)
(*                                                                                                            *)
(* An identity of polynomials is decided at one number that is large enough (DeterminantIdentity.v), where    *)
(* both sides are integers; for a vector x, coefficient by coefficient.                                       *)
(*   poly_of                a list of coefficients as a polynomial of the theory                              *)
(*   is_identity            det = formula                                                 (is_identityP)      *)
(*   is_different           the two at a point                                            (is_differentP)     *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism Form Geometric DeterminantIdentity.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables IntegerDeterminants.
From ExactDP.Checker Require Import DeterminantClaims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Polynomials ---- *)
(* The sum of the absolute values of the coefficients; the value at an integer; a sum. *)
Definition weight (p : polynomial) : Z := foldr (fun c z => Z.abs c + z)%Z 0%Z p.
Definition value_at (n : Z) (p : polynomial) : Z := foldr (fun c y => c + n * y)%Z 0%Z p.
Fixpoint plus (p q : polynomial) : polynomial :=
  match p, q with
  | [::], _ => q
  | _, [::] => p
  | c :: p', d :: q' => (c + d)%Z :: plus p' q'
  end.

(* The value at top/below, times below^(size p), and that power. *)
Fixpoint homogeneous (top below : Z) (p : polynomial) : Z * Z :=
  match p with
  | [::] => (0, 1)%Z
  | c :: p' => let (v, w) := homogeneous top below p' in (c * (below * w) + top * v, below * w)%Z
  end.

(* The value times below^k, where k is the size of p or more. *)
Definition value_over (a : Q) (k : nat) (p : polynomial) : Z :=
  ((homogeneous (Qnum a) (Zpos (Qden a)) p).1 * Zpos (Qden a) ^ Z.of_nat (k - size p))%Z.

(* ---- Matrices ---- *)
Definition power_of (d : nat) (p : polynomial) : polynomial := nseq d 0%Z ++ p.

Definition rows_of (M : square) : seq (polynomial * seq polynomial) :=
  match M with
  | ByRows rows => rows
  | PowersOf n => [seq ([:: 1%Z], [seq power_of (dist i j) [:: 1%Z] | j <- iota 0 n.+1]) | i <- iota 0 n.+1]
  | GeometricOf n =>
      [seq (if n == 0%N then [:: 1%Z] else [:: 1%Z; 1%Z],
            [seq power_of (dist i j) (if (j == 0%N) || (j == n) then [:: 1%Z] else [:: 1%Z; (-1)%Z]) | j <- iota 0 n.+1])
      | i <- iota 0 n.+1]
  end.

Definition values (value : polynomial -> Z) (rows : seq (polynomial * seq polynomial)) : seq (Z * seq Z) :=
  [seq (value r.1, [seq value p | p <- r.2]) | r <- rows].

(* Row i times its denominator and that of x_i, with x in the column. *)
Definition entry_of (c : option N) (y : Q) (r : Z * seq Z) (j : nat) : Z :=
  if is_column c j then (r.1 * Qnum y)%Z else (nth 0 r.2 j * Zpos (Qden y))%Z.

Definition numbers (c : option N) (x : nat -> Q) (m : nat) (rows : seq (Z * seq Z)) : seq (seq Z) :=
  [seq let r := nth (0%Z, [::]) rows i in let y := x i in [seq entry_of c y r j | j <- iota 0 m] | i <- iota 0 m].

Definition denominators (x : nat -> Q) (m : nat) (rows : seq (Z * seq Z)) : Z :=
  foldr (fun i z => (nth (0%Z, [::]) rows i).1 * Zpos (Qden (x i)) * z)%Z 1%Z (iota 0 m).

(* ---- Identities ---- *)
(* The coefficients of forms without x (None), or linear in x (of x_k). *)
Definition is_key (k : option nat) (s : seq N) : bool :=
  match k, s with
  | None, [::] => true
  | Some k, [:: j] => N.eqb j (N.of_nat k)
  | _, _ => false
  end.

Definition coefficient (k : option nat) (f : form) : polynomial :=
  foldr (fun t p => if is_key k t.1 then plus t.2 p else p) [::] f.

Definition keys (c : option N) (m : nat) : seq (option nat) :=
  if c is Some _ then [seq Some k | k <- iota 0 m] else [:: None].

Definition unit_vector (k : option nat) (i : nat) : Q := if k is Some k then Qmake (if k == i then 1 else 0)%Z 1 else Qmake 0 1.

Definition row_weights (rows : seq (polynomial * seq polynomial)) : Z :=
  foldr (fun r z => (weight r.1 + foldr (fun p z => weight p + z) 0 r.2) * z)%Z 1%Z rows.

Definition identity_at (n : Z) (c : option N) (m : nat) (rows : seq (Z * seq Z)) (num : form) (q : polynomial) (k : option nat) : bool :=
  if determinant (numbers c (unit_vector k) m rows) is Some d then
    (d * value_at n q =? value_at n (coefficient k num) * denominators (fun=> Qmake 0 1) m rows)%Z
  else false.

Definition is_identity (q : question) : bool :=
  match denominator q with
  | [:: ([::], den)] =>
    let m := order (matrix q) in let rows := rows_of (matrix q) in let ks := keys (column q) m in
    let bound := (row_weights rows * (weight den + foldr (fun k z => weight (coefficient k (numerator q)) + z) 0 ks))%Z in
    let n := (2 ^ Z.succ (Z.log2 bound))%Z in
    let ns := values (value_at n) rows in
    [&& (bound <? n)%Z, if column q is Some c then (c <? N.of_nat m)%num else true,
        all (fun t => has (fun k => is_key k t.1) ks) (numerator q),
        ~~ (value_at n den =? 0)%Z, ~~ (denominators (fun=> Qmake 0 1) m ns =? 0)%Z &
        all (identity_at n (column q) m ns (numerator q) den) ks]
  | _ => false
  end.

(* ---- Different at a point ---- *)
Definition longest (ps : seq polynomial) : nat := foldr (fun p k => maxn (size p) k) 0%N ps.
Definition longest_row (rows : seq (polynomial * seq polynomial)) : nat :=
  foldr (fun r k => maxn (maxn (size r.1) (longest r.2)) k) 0%N rows.

(* The value of a form times below^k e^g, where x_j = xs_j/e. *)
Definition form_over (a : Q) (k : nat) (xs : seq Z) (e : Z) (g : nat) (f : form) : Z :=
  foldr (fun t z => value_over a k t.2 * (foldr (fun j y => nth 0 xs (N.to_nat j) * y) 1 t.1 * e ^ Z.of_nat (g - size t.1)) + z)%Z 0%Z f.

Fixpoint over_one (e : Z) (x : seq Q) : option (seq Z) :=
  match x with
  | [::] => Some [::]
  | y :: x' => match exact (Qnum y * e) (Zpos (Qden y)), over_one e x' with
               | Some z, Some zs => Some (z :: zs)
               | _, _ => None
               end
  end.

Definition is_different (q : question) (a : Q) (x : seq Q) (d v : Q) : bool :=
  let m := order (matrix q) in let rows := rows_of (matrix q) in let x_at j := nth (Qmake 0 1) x j in
  let f := numerator q ++ denominator q in
  let k := maxn (longest_row rows) (longest [seq t.2 | t <- f]) in
  let g := foldr (fun t k => maxn (size t.1) k) 0%N f in
  let e := foldr (fun y z => Z.lcm (Zpos (Qden y)) z) 1%Z x in
  let ns := values (value_over a k) rows in
  let below := denominators x_at m ns in
  match determinant (numbers (column q) x_at m ns), over_one e x with
  | Some det, Some xs =>
      let top := form_over a k xs e g (numerator q) in let bottom := form_over a k xs e g (denominator q) in
      [&& (0 <? Qnum a)%Z, (Qnum a <? Zpos (Qden a))%Z, ~~ (below =? 0)%Z, ~~ (bottom =? 0)%Z,
          (det * Zpos (Qden d) =? Qnum d * below)%Z, (top * Zpos (Qden v) =? Qnum v * bottom)%Z & ~~ Q_eq d v]
  | _, _ => false
  end.

(* ---- Witnesses are empty ---- *)
Inductive witness : Type := Empty.

Definition witness_in (c : claim) (v : json) : option witness := let! _ := object_of [::] [::] v in Some Empty.

Definition check (c : claim) (w : witness) : bool :=
  match c with
  | IsDeterminant q => is_identity q
  | IsNotDeterminant q a x d v => is_different q a x d v
  end.

(* ---- Soundness ---- *)
Definition poly_of (p : polynomial) : {poly int} := foldr (fun c f => f * 'X + (int_of_Z c)%:P) 0 p.

Lemma value_atP n p : (poly_of p).[int_of_Z n] = int_of_Z (value_at n p).
Proof.
elim: p => [|c p IHp] /=; first by rewrite horner0.
by rewrite hornerMXaddC IHp int_of_ZD int_of_ZM addrC mulrC.
Qed.

Lemma weight_ge0 p : (0 <= weight p)%Z.
Proof. by elim: p => [|c p] /=; lia. Qed.

Lemma size_le_poly p : size_le (poly_of p) (int_of_Z (weight p)).
Proof.
elim: p => [|c p IHp] /=; first exact: size_le0.
rewrite int_of_ZD int_of_Z_abs [X in size_le _ X]addrC; apply: size_leD (size_leC _).
by rewrite -[int_of_Z (weight p)]mulr1; apply: size_leM IHp size_leX.
Qed.

Lemma at_numbers c x m rows (i j : 'I_m) :
  nth 0%Z (nth [::] (numbers c x m rows) i) j = entry_of c (x i) (nth (0%Z, [::]) rows i) j.
Proof. by rewrite (nth_map 0%N) ?size_iota // nth_iota // (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma denominatorsE x m rows : int_of_Z (denominators x m rows) =
  \prod_(i < m) (int_of_Z (nth (0%Z, [::]) rows i).1 * int_of_Z (Zpos (Qden (x i)))).
Proof.
rewrite /denominators -(big_mkord xpredT (fun i => int_of_Z (nth (0%Z, [::]) rows i).1 * int_of_Z (Zpos (Qden (x i))))).
rewrite /index_iota subn0; elim: (iota 0 m) => [|i s IHs] /=; first by rewrite big_nil.
by rewrite big_cons !int_of_ZM IHs.
Qed.

Lemma determinant_numbers c x m rows d : determinant (numbers c x m rows) = Some d ->
  \det (\matrix_(i < m, j < m) int_of_Z (entry_of c (x i) (nth (0%Z, [::]) rows i) j)) = int_of_Z d.
Proof.
move=> /determinantP; have -> : size (numbers c x m rows) = m by rewrite size_map size_iota.
by move=> <-; congr (\det _); apply/matrixP=> i j; rewrite !mxE at_numbers.
Qed.

Lemma values_at value rows i : value [::] = 0%Z ->
  nth (0%Z, [::]) (values value rows) i =
  (value (nth ([::], [::]) rows i).1, [seq value p | p <- (nth ([::], [::]) rows i).2]).
Proof.
move=> v0; have [i_lt|i_ge] := ltnP i (size rows); first by rewrite (nth_map ([::], [::])).
by rewrite !nth_default ?size_map //= v0.
Qed.

Lemma value_nth (value : polynomial -> Z) ps j : value [::] = 0%Z ->
  nth 0%Z [seq value p | p <- ps] j = value (nth [::] ps j).
Proof.
move=> v0; have [j_lt|j_ge] := ltnP j (size ps); first by rewrite (nth_map [::]).
by rewrite !nth_default ?size_map.
Qed.

(* The matrix of polynomials: rows times their denominators. *)
Definition poly_matrix (c : option N) (e : nat -> int) m (rows : seq (polynomial * seq polynomial)) : 'M[{poly int}]_m :=
  \matrix_(i, j) let r := nth ([::], [::]) rows i in
    if is_column c j then poly_of r.1 * (e i)%:P else poly_of (nth [::] r.2 j).

Lemma sum_weights ps m : \sum_(j < m) int_of_Z (weight (nth [::] ps j)) <= int_of_Z (foldr (fun p z => weight p + z)%Z 0%Z ps).
Proof.
have ge0 qs : 0 <= int_of_Z (foldr (fun p z => weight p + z)%Z 0%Z qs).
  rewrite (int_of_Z_le 0); apply/Z.leb_le; elim: qs => [|q qs IHqs] /=; first by lia.
  by have := @weight_ge0 q; lia.
elim: m ps => [|m IHm] ps; first by rewrite big_ord0.
case: ps => [|p ps] /=; first by rewrite big1 // => j _; rewrite nth_nil.
by rewrite big_ord_recl int_of_ZD ler_add2l; exact: IHm.
Qed.

Lemma row_weightsE rows : int_of_Z (row_weights rows) =
  \prod_(i < size rows) int_of_Z (let r := nth ([::], [::]) rows i in weight r.1 + foldr (fun p z => weight p + z) 0 r.2)%Z.
Proof.
elim: rows => [|r rows IHrows]; first by rewrite big_ord0.
by rewrite /= int_of_ZM big_ord_recl IHrows.
Qed.

Lemma poly_matrix_small c e m rows : size rows = m -> (forall i, `|e i| <= 1) ->
  size_le (\det (poly_matrix c e m rows)) (int_of_Z (row_weights rows)).
Proof.
move=> size_rows e1; rewrite row_weightsE size_rows.
pose b (i j : 'I_m) := let r := nth ([::], [::]) rows i in
  if is_column c j then int_of_Z (weight r.1) else int_of_Z (weight (nth [::] r.2 j)).
have w_ge0 p : 0 <= int_of_Z (weight p) by rewrite (int_of_Z_le 0); apply/Z.leb_le; exact: weight_ge0.
apply: (@size_le_det _ _ b) => [i j|i].
  rewrite mxE /b /=; case: ifP => _; last exact: size_le_poly.
  rewrite -[X in size_le _ X]mulr1; apply: size_leM (size_le_poly _) _.
  by apply: size_le_weaken (size_leC _) (e1 _).
rewrite /= int_of_ZD; apply: (@le_trans _ _ (\sum_(j < m) ((if is_column c j then int_of_Z (weight (nth ([::], [::]) rows i).1) else 0)
   + int_of_Z (weight (nth [::] (nth ([::], [::]) rows i).2 j))))).
  by apply: ler_sum => j _; rewrite /b /=; case: ifP => _; rewrite ?add0r // ler_addl.
rewrite big_split /=; apply: ler_add; last exact: sum_weights.
rewrite -big_mkcond /=; case: c {b} => [c|]; last by rewrite big_pred0.
have [c_lt|c_ge] := ltnP (N.to_nat c) m; last first.
  rewrite big_pred0 // => j; apply/negbTE/negP => /N.eqb_eq c_j; have := ltn_ord j.
  by rewrite ltnNge (leq_trans c_ge) // c_j Nat2N.id.
rewrite (big_pred1 (Ordinal c_lt)) // => j /=; apply/idP/eqP => [/N.eqb_eq c_j|->].
  by apply: val_inj; rewrite /= c_j Nat2N.id.
by rewrite /= N2Nat.id N.eqb_refl.
Qed.

Lemma unit_vector_small k i : `|int_of_Z (Qnum (unit_vector k i))| <= 1.
Proof. by case: k => [k|] //=; case: eqP. Qed.

Lemma unit_vector_den k i : Qden (unit_vector k i) = 1%positive.
Proof. by case: k. Qed.

(* One coefficient: an identity of polynomials. *)
Lemma identity_atP n c m rows num q k B : size rows = m ->
  (int_of_Z (weight q) + int_of_Z (weight (coefficient k num)) <= B) -> int_of_Z (row_weights rows) * B < int_of_Z n ->
  identity_at n c m (values (value_at n) rows) num q k ->
  \det (poly_matrix c (fun i => int_of_Z (Qnum (unit_vector k i))) m rows) * poly_of q =
  poly_of (coefficient k num) * \prod_(i < m) poly_of (nth ([::], [::]) rows i).1.
Proof.
move=> size_rows bound_B bound_n; rewrite /identity_at; case E: determinant => [d|] // /Z.eqb_eq same_value.
have d_det := determinant_numbers E; apply/eqP; rewrite -subr_eq0; apply/eqP.
have rows_ge0 : 0 <= int_of_Z (row_weights rows).
  exact: size_le_ge0 (poly_matrix_small c size_rows (unit_vector_small k)).
apply: (@zero_at_large _ (int_of_Z n)) => [i|].
  apply: le_lt_trans bound_n; apply: (le_trans _ (ler_wpmul2l rows_ge0 bound_B)); apply: size_le_coef.
  rewrite mulrDr; apply: size_leB; first exact: size_leM (poly_matrix_small c size_rows (unit_vector_small k)) (size_le_poly _).
  rewrite mulrC; apply: size_leM (size_le_poly _); apply: size_le_weaken (size_le_prod (fun i => size_le_poly _)) _.
  rewrite row_weightsE size_rows; apply: ler_prod => j _; rewrite !(int_of_Z_le 0) int_of_Z_le /=.
  apply/andP; split; apply/Z.leb_le; first exact: weight_ge0.
  by have := sum_weights (nth ([::], [::]) rows j).2 0; rewrite big_ord0 (int_of_Z_le 0) => /Z.leb_le; lia.
rewrite hornerD hornerN !hornerM horner_prod !value_atP.
have -> : (\det (poly_matrix c (fun i => int_of_Z (Qnum (unit_vector k i))) m rows)).[int_of_Z n] = int_of_Z d.
  rewrite -d_det -horner_evalE -det_map_mx; congr (\det _); apply/matrixP=> i j; rewrite !mxE /= horner_evalE.
  rewrite /entry_of values_at // value_nth // unit_vector_den Z.mul_1_r; case: ifP => _ /=; last exact: value_atP.
  by rewrite hornerM hornerC value_atP int_of_ZM.
rewrite -int_of_ZM same_value int_of_ZM denominatorsE; apply/eqP; rewrite subr_eq0; apply/eqP; congr (_ * _).
by apply: eq_bigr => i _; rewrite value_atP values_at // mulr1.
Qed.

Section Soundness.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Implicit Types (a : R) (x : nat -> R).
Add Field R_field : (field_theory_of R).

Definition evaluated (a : R) (p : {poly int}) : R := (map_poly intr p).[a].

Lemma polynomial_atE a p : polynomial_at p a = evaluated a (poly_of p).
Proof.
rewrite /evaluated; elim: p => [|c p IHp] /=; first by rewrite rmorph0 horner0.
by rewrite rmorphD rmorphM /= map_polyX map_polyC hornerMXaddC -IHp /= int_of_ZE addrC mulrC.
Qed.

Lemma evaluatedM a p q : evaluated a (p * q) = evaluated a p * evaluated a q.
Proof. by rewrite /evaluated rmorphM hornerM. Qed.

Lemma evaluated_prod a m (F : 'I_m -> {poly int}) : evaluated a (\prod_i F i) = \prod_i evaluated a (F i).
Proof. by rewrite /evaluated rmorph_prod horner_prod. Qed.

Lemma evaluated_det a m (A : 'M[{poly int}]_m) : evaluated a (\det A) = \det (\matrix_(i, j) evaluated a (A i j)).
Proof.
rewrite /evaluated -det_map_mx -horner_evalE -det_map_mx; congr (\det _).
by apply/matrixP=> i j; rewrite !mxE /= horner_evalE.
Qed.

Lemma det_scaled_rows m (d : 'I_m -> R) (B : 'M[R]_m) : \det (\matrix_(i, j) (d i * B i j)) = \prod_i d i * \det B.
Proof.
have -> : (\matrix_(i, j) (d i * B i j)) = diag_mx (\row_i d i) *m B.
  by apply/matrixP=> i j; rewrite mul_diag_mx !mxE.
by rewrite det_mulmx det_diag; congr (_ * _); apply: eq_bigr => i _; rewrite mxE.
Qed.

(* ---- The matrices of claims, by rows ---- *)
Lemma at_power d p a : polynomial_at (power_of d p) a = a ^+ d * polynomial_at p a.
Proof. by elim: d => [|d IHd] /=; rewrite ?expr0 ?mul1r // IHd add0r exprS mulrA. Qed.

Lemma size_rows_of M : size (rows_of M) = order M.
Proof. by case: M => [rows|n|n] //=; rewrite !size_map !size_iota. Qed.

Definition row_of (M : square) i := nth ([::], [::]) (rows_of M) i.

Lemma row_of_at (f : nat -> polynomial * seq polynomial) n (i : 'I_n.+1) : nth ([::], [::]) [seq f i | i <- iota 0 n.+1] i = f i.
Proof. by rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma at_iota (g : nat -> polynomial) n (j : 'I_n.+1) : nth [::] [seq g j | j <- iota 0 n.+1] j = g j.
Proof. by rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma one_at a : polynomial_at [:: 1%Z] a = 1.
Proof. by rewrite /= mulr0 addr0. Qed.

Lemma linear_at a (z : Z) : polynomial_at [:: 1%Z; z] a = 1 + a * of_Z z.
Proof. by rewrite /= mulr0 addr0. Qed.

Lemma defined_rows M a : defined_at M a <-> forall i : 'I_(order M), polynomial_at (row_of M i).1 a != 0.
Proof.
case: M => [rows|n|n]; rewrite /row_of [order _]/= [rows_of _]/= [defined_at _ _]/=.
- split=> [def_a i|def_a r r_in].
    apply/eqP/def_a; have := ltn_ord i; move: (i : nat); elim: rows {i def_a} => [|r rows IHrows] [|i] //= i_lt; first by left.
    by right; exact: IHrows.
  elim: rows r_in def_a => [|s rows IHrows] //= [->|r_in] def_a; first by apply/eqP; exact: (def_a ord0).
  by apply: IHrows => // i; have := def_a (lift ord0 i).
- by split=> // _ i; rewrite row_of_at [_.1]/= (one_at a) oner_neq0.
- split=> [def_a i|/(_ ord0)]; rewrite row_of_at [_.1]/=; case: ifP => /eqP n0.
  + by rewrite (one_at a) oner_neq0.
  + by rewrite (linear_at a) mulr1; case: def_a => // /eqP.
  + by left.
  + by rewrite (linear_at a) mulr1 => /eqP; right.
Qed.

Lemma matrix_atE M a (i j : 'I_(order M)) :
  matrix_at M a i j = polynomial_at (nth [::] (row_of M i).2 j) a / polynomial_at (row_of M i).1 a.
Proof.
case: M i j => [rows|n|n] i j; rewrite /row_of [rows_of _]/= [matrix_at _ _]/= mxE //.
  by rewrite row_of_at [_.1]/= [_.2]/= at_iota at_power (one_at a) divr1 mulr1.
rewrite row_of_at [_.1]/= [_.2]/= at_iota at_power -mulrA; congr (_ * _).
rewrite /scale; case: ifP => [/eqP n0|_].
  have -> : (j : nat) = 0%N by move: (ltn_ord j); rewrite /= ltnS => /leq_trans/(_ (eq_leq n0)); rewrite leqn0 => /eqP.
  by rewrite eqxx /= mulr0 addr0 divr1.
rewrite (linear_at a); case: ifP => _; first by rewrite (one_at a) div1r mulr1.
by rewrite (linear_at a) /= mulrN1 mulr1.
Qed.

(* ---- Forms ---- *)
Lemma plusP p q a : polynomial_at (plus p q) a = polynomial_at p a + polynomial_at q a.
Proof.
elim: p q => [|c p IHp] [|d q]; rewrite ?add0r ?addr0 //= IHp of_ZD mulrDr.
by rewrite addrACA.
Qed.

Lemma coefficient_cons k t f a : polynomial_at (coefficient k (t :: f)) a =
  (if is_key k t.1 then polynomial_at t.2 a else 0) + polynomial_at (coefficient k f) a.
Proof. by rewrite /=; case: ifP => _; rewrite ?add0r // plusP. Qed.

Lemma form_constant f a x : all (fun t => is_key None t.1) f -> form_at f a x = polynomial_at (coefficient None f) a.
Proof.
rewrite /form_at; elim: f => [|[s p] f IHf] /=; first by rewrite big_nil.
case/andP=> s0 /IHf IH; rewrite big_cons IH; case: s s0 => //= _.
by rewrite big_nil mulr1 plusP.
Qed.

Lemma form_linear m f a x : all (fun t => has (fun k => is_key k t.1) [seq Some k | k <- iota 0 m]) f ->
  form_at f a x = \sum_(k < m) x k * polynomial_at (coefficient (Some (k : nat)) f) a.
Proof.
rewrite /form_at; elim: f => [|[s p] f IHf]; first by rewrite big_nil big1 // => k _; rewrite mulr0.
rewrite [all _ _]/= => /andP[/hasP[key /mapP[k]]]; rewrite mem_iota add0n => /andP[_ k_m] -> s_k /IHf IH.
rewrite big_cons IH; case: s s_k => [|j [|]] // /N.eqb_eq j_k.
under [RHS]eq_bigr => i _ do rewrite coefficient_cons mulrDr.
rewrite big_split /=; congr (_ + _); rewrite big_seq1 j_k Nat2N.id.
rewrite (bigD1 (Ordinal k_m)) //= N.eqb_refl big1 ?addr0 1?mulrC // => i i_k.
case: N.eqb_spec => [/Nat2N.inj k_i|_]; last by rewrite mulr0.
by case/eqP: i_k; apply: val_inj.
Qed.

(* A column is replaced: the determinant is linear in x. *)
Lemma det_column m (c : 'I_m) x (A : 'M[R]_m) :
  \det (with_column (Some (N.of_nat c)) x A) = \sum_(k < m) x k * cofactor A k c.
Proof.
have col j : is_column (Some (N.of_nat c)) j = (c == j :> nat).
  by apply/N.eqb_spec/eqP => [/Nat2N.inj|->].
rewrite (expand_det_col _ c); apply: eq_bigr => k _; rewrite !mxE col eqxx; congr (_ * (_ * \det _)).
by apply/matrixP=> i j; rewrite !mxE col; case: eqP => // /val_inj /esym /eqP; rewrite eq_sym (negPf (neq_lift _ _)).
Qed.

Lemma with_no_column m x (A : 'M[R]_m) : with_column None x A = A.
Proof. by apply/matrixP=> i j; rewrite mxE. Qed.

Lemma coefficient_value M c num q k n B a :
  (int_of_Z (weight q) + int_of_Z (weight (coefficient k num)) <= B) -> int_of_Z (row_weights (rows_of M)) * B < int_of_Z n ->
  identity_at n c (order M) (values (value_at n) (rows_of M)) num q k -> defined_at M a ->
  \det (with_column c (fun i => of_Q (unit_vector k i)) (matrix_at M a)) * polynomial_at q a = polynomial_at (coefficient k num) a.
Proof.
move=> bound_B bound_n same_n /defined_rows def_a.
have := congr1 (evaluated a) (identity_atP (size_rows_of M) bound_B bound_n same_n).
rewrite !evaluatedM evaluated_prod evaluated_det -!polynomial_atE.
rewrite (eq_bigr (fun i : 'I_(order M) => polynomial_at (row_of M i).1 a)) => [|i _]; last by rewrite polynomial_atE.
have -> : \matrix_(i, j) evaluated a (poly_matrix c (fun i => int_of_Z (Qnum (unit_vector k i))) (order M) (rows_of M) i j)
        = \matrix_(i, j) (polynomial_at (row_of M i).1 a * with_column c (fun i => of_Q (unit_vector k i)) (matrix_at M a) i j).
  apply/matrixP=> i j; rewrite !mxE -/(row_of M i) matrix_atE; case: ifP => _; last first.
    by rewrite -polynomial_atE mulrCA divff ?mulr1.
  rewrite evaluatedM -polynomial_atE; congr (_ * _).
  by rewrite /evaluated map_polyC hornerC /= int_of_ZE /of_Q unit_vector_den divr1.
rewrite det_scaled_rows -mulrA [polynomial_at (coefficient _ _) _ * _]mulrC; apply: mulfI.
by rewrite prodf_seq_neq0; apply/allP=> i _; rewrite def_a.
Qed.

Lemma key_of_unit m (k : 'I_m) (F : nat -> R) : \sum_(i < m) of_Q (unit_vector (Some (k : nat)) i) * F i = F k.
Proof.
rewrite (bigD1 k) //= eqxx big1 => [|i i_k]; first by rewrite /of_Q divr1 mul1r addr0.
by rewrite val_eqE eq_sym (negPf i_k) /of_Q mul0r mul0r.
Qed.

Lemma value_atE n p : polynomial_at p (of_Z n) = of_Z (value_at n p).
Proof. by elim: p => [|c p IHp] //=; rewrite of_ZD of_ZM IHp. Qed.

Lemma sum_of_weights k (ks : seq (option nat)) num : k \in ks ->
  (weight (coefficient k num) <= foldr (fun k z => weight (coefficient k num) + z) 0 ks)%Z.
Proof.
have ge0 ls : (0 <= foldr (fun k z => weight (coefficient k num) + z) 0 ls)%Z.
  by elim: ls => [|l ls IHls] /=; [lia | have := @weight_ge0 (coefficient l num); lia].
elim: ks => [|l ks IHks] //=; rewrite inE => /orP[/eqP <-|/IHks]; first by have := ge0 ks; lia.
by have := @weight_ge0 (coefficient l num); lia.
Qed.

Lemma of_denominators (x : nat -> Q) m rows : of_Z (denominators x m rows) =
  \prod_(i < m) (of_Z (nth (0%Z, [::]) rows i).1 * of_Z (Zpos (Qden (x i)))).
Proof.
rewrite -int_of_ZE denominatorsE rmorph_prod; apply: eq_bigr => i _.
by rewrite rmorphM /= !int_of_ZE.
Qed.

(* No denominator of the matrix is 0 where their product is not. *)
Lemma product_defined a u (x : nat -> Q) (value : polynomial -> Z) M : value [::] = 0%Z ->
  (forall i : 'I_(order M), of_Z (value (row_of M i).1) = u * polynomial_at (row_of M i).1 a) ->
  of_Z (denominators x (order M) (values value (rows_of M))) != 0 -> defined_at M a.
Proof.
move=> v0 value_i; rewrite of_denominators => /prodf_neq0 product_neq0; apply/defined_rows => i.
have := product_neq0 i isT; rewrite values_at // -/(row_of M i) value_i.
by rewrite !mulf_eq0 !negb_or => /andP[/andP[]].
Qed.

Lemma neq0_of_Z z : ~~ (z =? 0)%Z -> of_Z z != 0.
Proof. by rewrite -(of_Z_eq R). Qed.

Theorem is_identityP q : is_identity q -> meaning R (IsDeterminant q).
Proof.
case: q => M c num den0; rewrite /is_identity /=; case: den0 => [|[[|//] den] [|//]] //.
set bound := (_ * _)%Z; set n := (2 ^ _)%Z; case/and5P=> /Z.ltb_lt bound_n c_m keys_num den_neq0 /andP[product_neq0 /allP same_n].
have den_at a x : form_at [:: ([::], den)] a x = polynomial_at den a by rewrite /form_at big_seq1 big_nil mulr1.
split.
  exists (of_Z n), (fun=> 0); split; last by rewrite /= den_at value_atE; apply/eqP; exact: neq0_of_Z.
  apply: (@product_defined _ 1 (fun=> Qmake 0 1) (value_at n)) => // [i|]; first by rewrite mul1r value_atE.
  exact: neq0_of_Z.
move=> a x [def_a]; rewrite /= den_at => /eqP den_a; rewrite /det_at /formula_at /= den_at.
apply: (mulIf den_a); rewrite -[RHS]mulrA mulVf // mulr1.
pose B := int_of_Z (weight den + foldr (fun k z => weight (coefficient k num) + z) 0 (keys c (order M)))%Z.
have small k : k \in keys c (order M) -> int_of_Z (weight den) + int_of_Z (weight (coefficient k num)) <= B.
  move=> /(@sum_of_weights _ _ num) k_W; rewrite /B int_of_ZD ler_add2l int_of_Z_le; exact/Z.leb_le.
have small_n : int_of_Z (row_weights (rows_of M)) * B < int_of_Z n by rewrite -int_of_ZM int_of_Z_lt; exact/Z.ltb_lt.
have value k : k \in keys c (order M) ->
    \det (with_column c (fun i => of_Q (unit_vector k i)) (matrix_at M a)) * polynomial_at den a = polynomial_at (coefficient k num) a.
  by move=> k_in; exact: coefficient_value (small k k_in) small_n (same_n k k_in) def_a.
clear -def_a c_m keys_num value; case: c c_m keys_num value def_a => [c|] c_m keys_num value def_a; last first.
  have num_none : all (fun t => is_key None t.1) num by apply: sub_all keys_num => t; rewrite /= orbF.
  by have := value None (mem_head _ _); rewrite !with_no_column => ->; rewrite (form_constant a x num_none).
have c_lt : (N.to_nat c < order M)%N by apply/ssrnat.ltP; move/N.ltb_lt: c_m; lia.
have det_c (y : nat -> R) :
    \det (with_column (Some c) y (matrix_at M a)) = \sum_(i < order M) y i * cofactor (matrix_at M a) i (Ordinal c_lt).
  by have := det_column (Ordinal c_lt) y (matrix_at M a); rewrite /= N2Nat.id.
rewrite (form_linear a x keys_num) det_c mulr_suml; apply: eq_bigr => k _; rewrite -mulrA; congr (_ * _).
have k_in : Some (k : nat) \in keys (Some c) (order M) by rewrite map_f // mem_iota add0n ltn_ord.
rewrite -(value _ k_in) det_c; congr (_ * _).
pose F i := if insub i is Some j then cofactor (matrix_at M a) j (Ordinal c_lt) else 0.
have F_i (i : 'I_(order M)) : F i = cofactor (matrix_at M a) i (Ordinal c_lt) by rewrite /F valK.
by rewrite -F_i -(key_of_unit k F); apply: eq_bigr => i _; rewrite F_i.
Qed.

(* ---- At a point ---- *)
Lemma homogeneousP (top below : Z) p : of_Z below != 0 -> let h := homogeneous top below p in
  of_Z h.2 = of_Z below ^+ size p /\ of_Z h.1 = of_Z h.2 * polynomial_at p (of_Z top / of_Z below).
Proof.
move=> d_neq0; elim: p => [|c p [/= IHw IHv]] /=; first by rewrite expr0 mulr0.
case: homogeneous IHw IHv => v w /= IHw IHv; rewrite !of_ZD !of_ZM IHv IHw exprS; split=> //.
move: (polynomial_at p _) => y; move: (of_Z below) d_neq0 {IHw IHv} => d d_neq0; move: (d ^+ size p) => e.
by by_field R; apply/eqP.
Qed.

Lemma value_overP (a : Q) k p : (size p <= k)%N -> of_Z (value_over a k p) = of_Z (Zpos (Qden a)) ^+ k * polynomial_at p (of_Q a).
Proof.
move=> p_k; rewrite /value_over of_ZM of_ZX; have [h2 ->] := homogeneousP (Qnum a) p (of_Z_pos_neq0 R (Qden a)); rewrite h2.
by rewrite mulrAC -exprD subnKC.
Qed.

Lemma longestP ps j : (size (nth [::] ps j) <= longest ps)%N.
Proof.
elim: ps j => [|p ps IHps] [|j] //=; first by rewrite leq_maxl.
by rewrite (leq_trans (IHps j)) // leq_maxr.
Qed.

Lemma longest_rowP rows i j :
  (size (nth ([::], [::]) rows i).1 <= longest_row rows)%N /\ (size (nth [::] (nth ([::], [::]) rows i).2 j) <= longest_row rows)%N.
Proof.
elim: rows i => [|r rows IHrows] i; first by rewrite !nth_nil.
case: i => [|i] /=; last by have [l1 l2] := IHrows i; rewrite !leq_max l1 l2 !orbT.
by rewrite !leq_max leqnn longestP orbT.
Qed.

Lemma over_oneP e (x : seq Q) xs j : over_one e x = Some xs -> of_Z (nth 0%Z xs j) = of_Q (nth (Qmake 0 1) x j) * of_Z e.
Proof.
elim: x xs j => [|y x IHx] xs j /=.
  by case=> <-; rewrite !nth_nil /of_Q !mul0r.
case E: exact => [z|] //; case E': over_one => [zs|] // [<-]; case: j => [|j] /=; last exact: IHx.
have := congr1 of_Z (exactP E); rewrite !of_ZM /of_Q => z_y; apply: (mulIf (of_Z_pos_neq0 R (Qden y))).
by rewrite z_y mulrAC divfK // of_Z_pos_neq0.
Qed.

Lemma form_overP (a : Q) k xs e g f (x : nat -> R) : (forall j, of_Z (nth 0%Z xs j) = x j * of_Z e) ->
  (forall t, List.In t f -> (size t.2 <= k)%N && (size t.1 <= g)%N) ->
  of_Z (form_over a k xs e g f) = of_Z (Zpos (Qden a)) ^+ k * of_Z e ^+ g * form_at f (of_Q a) x.
Proof.
move=> x_j; rewrite /form_at; elim: f => [|[s p] f IHf] sizes /=; first by rewrite big_nil mulr0.
rewrite big_cons of_ZD of_ZM (IHf _) => [|t t_f]; last by apply: sizes; right.
have /andP[/= p_k s_g] := sizes _ (or_introl (erefl _)); rewrite value_overP // of_ZM of_ZX mulrDr; congr (_ + _).
have -> : of_Z (foldr (fun j y => nth 0 xs (N.to_nat j) * y)%Z 1%Z s) = \prod_(j <- s) x (N.to_nat j) * of_Z e ^+ size s.
  elim: s {sizes s_g} => [|j s IHs] /=; first by rewrite big_nil mul1r.
  by rewrite big_cons of_ZM IHs x_j exprS mulrACA.
rewrite -[in RHS](subnKC s_g) exprD; move: (polynomial_at p _) (\prod_(j <- s) _) => y z.
move: (of_Z e ^+ size s) (of_Z e ^+ (g - size s)) (of_Z (Zpos (Qden a)) ^+ k) => e1 e2 u; by_ring R.
Qed.

Lemma longest_In f (t : seq N * polynomial) : List.In t f -> (size t.2 <= longest [seq t.2 | t <- f])%N.
Proof. by elim: f => [|s f IHf] //= [->|/IHf t_f]; rewrite ?leq_maxl // (leq_trans t_f) // leq_maxr. Qed.

Lemma degree_In f (t : seq N * polynomial) : List.In t f -> (size t.1 <= foldr (fun t k => maxn (size t.1) k) 0 f)%N.
Proof. by elim: f => [|s f IHf] //= [->|/IHf t_f]; rewrite ?leq_maxl // (leq_trans t_f) // leq_maxr. Qed.

Lemma In_cat A (s t : seq A) y : List.In y (s ++ t) <-> List.In y s \/ List.In y t.
Proof. by elim: s => [|z s IHs] /=; [split=> [|[]] //; right | rewrite IHs; tauto]. Qed.

Theorem is_differentP q (a : Q) (x : seq Q) d v : is_different q a x d v -> meaning R (IsNotDeterminant q a x d v).
Proof.
rewrite /is_different /=; set rows := rows_of _; set m := order _; set f := _ ++ _.
set k := maxn _ _; set g := foldr _ 0%N f; set e := foldr _ 1%Z x; set below := denominators _ _ _.
case E: determinant => [det|] //; case E': over_one => [xs|] //.
set top := form_over _ _ _ _ _ (numerator q); set bottom := form_over _ _ _ _ _ _.
case/and5P=> /Z.ltb_lt a_gt0 /Z.ltb_lt a_lt1 below_neq0 bottom_neq0 /and3P[/Z.eqb_eq det_d /Z.eqb_eq top_v d_v].
set u := of_Z (Zpos (Qden a)) ^+ k; pose y j := of_Q (nth (Qmake 0 1) x j).
have u_neq0 : u != 0 by rewrite expf_neq0 // of_Z_pos_neq0.
have value_1 i : of_Z (value_over a k (row_of (matrix q) i).1) = u * polynomial_at (row_of (matrix q) i).1 (of_Q a).
  by apply: value_overP; rewrite leq_max (proj1 (longest_rowP rows i 0)).
have value_2 i j :
    of_Z (value_over a k (nth [::] (row_of (matrix q) i).2 j)) = u * polynomial_at (nth [::] (row_of (matrix q) i).2 j) (of_Q a).
  by apply: value_overP; rewrite leq_max (proj2 (longest_rowP rows i j)).
have value0 : value_over a k [::] = 0%Z by [].
have def_a : defined_at (matrix q) (of_Q a).
  by apply: (product_defined value0 (fun i : 'I_m => value_1 i)); exact: neq0_of_Z below_neq0.
have /defined_rows D_neq0 := def_a.
have sizes h : (forall t, List.In t h -> List.In t f) -> forall t, List.In t h -> (size t.2 <= k)%N && (size t.1 <= g)%N.
  by move=> h_f t /h_f t_f; rewrite /k leq_max (longest_In t_f) orbT /= degree_In.
have topE : of_Z top = u * of_Z e ^+ g * form_at (numerator q) (of_Q a) y.
  by apply: form_overP => [j|]; [exact: over_oneP E' | apply: sizes => t t_in; apply/In_cat; left].
have bottomE : of_Z bottom = u * of_Z e ^+ g * form_at (denominator q) (of_Q a) y.
  by apply: form_overP => [j|]; [exact: over_oneP E' | apply: sizes => t t_in; apply/In_cat; right].
have := neq0_of_Z bottom_neq0; rewrite bottomE mulf_eq0 negb_or => /andP[ue_neq0 den_neq0].
have below_det : of_Z det = of_Z below * det_at q (of_Q a) y.
  rewrite -int_of_ZE -(determinant_numbers E) -det_map_mx /det_at /below of_denominators -det_scaled_rows; congr (\det _).
  apply/matrixP=> i j; rewrite !mxE; apply: etrans (int_of_ZE R _) _.
  rewrite values_at // /entry_of -/(row_of (matrix q) i) [_.1]/= [_.2]/= matrix_atE.
  have D_i := D_neq0 i; have x_i := of_Z_pos_neq0 R (Qden (nth (Qmake 0 1) x i)).
  rewrite value_1; case: ifP => _; rewrite of_ZM ?value_1 ?value_nth // ?value_2 /y /of_Q -!mulrA; congr (_ * _).
    by congr (_ * _); rewrite mulrCA divff ?mulr1.
  by rewrite mulrC [RHS]mulrCA; congr (_ * _); rewrite mulrCA divff ?mulr1.
split.
- apply/andP; split; first by rewrite /of_Q divr_gt0 ?of_Z_pos ?of_Z_gt0.
  rewrite /of_Q ltr_pdivr_mulr ?of_Z_pos // mul1r of_Z_lt; exact/Z.ltb_lt.
- by split=> //; apply/eqP.
- apply: (mulfI (neq0_of_Z below_neq0)); rewrite -below_det /of_Q mulrA -of_ZM; apply: (canRL (mulfK (of_Z_pos_neq0 R _))).
  by rewrite -of_ZM det_d Z.mul_comm.
- rewrite /formula_at; apply: (canLR (mulfK den_neq0)); apply: (mulfI ue_neq0); rewrite -topE mulrCA -bottomE /of_Q mulrAC.
  by apply: (canRL (mulfK (of_Z_pos_neq0 R (Qden v)))); rewrite -!of_ZM top_v.
- by apply/eqP; rewrite of_Q_eq.
Qed.

Theorem check_sound (c : claim) w : check c w -> meaning R c.
Proof. by case: c => [q|q a x d v] /=; [exact: is_identityP | exact: is_differentP]. Qed.

End Soundness.
