(* SPDX-License-Identifier: MIT *)
(* Determinants of matrices of integers, by an elimination without fractions (Bareiss).                       *)
(*                                                                                                            *)
(*   int_of_Z z           z as an integer of the theory; (int_of_Z z)%:~R is of_Z z                           *)
(*   square_of n rows     the matrix of n rows of n numbers                                                   *)
(*   determinant rows     its determinant                                               (determinantP)        *)
(* That the divisions are exact is not proved but seen at each.                                               *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField DeterminantIdentity.
From ExactDP.Checker Require Import Numbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition int_of_Z (z : Z) : int :=
  match z with
  | Z0 => 0
  | Zpos p => Posz (Pos.to_nat p)
  | Zneg p => - Posz (Pos.to_nat p)
  end.

Section Integers.
Variable R : realFieldType.

Lemma int_of_ZE z : (int_of_Z z)%:~R = of_Z R z.
Proof. by case: z => [|p|p] //=; rewrite mulrNz. Qed.
End Integers.

Lemma int_of_Z_inj z (i : int) : of_Z rat_realFieldType z = i%:~R -> int_of_Z z = i.
Proof. by rewrite -int_of_ZE => /intr_inj. Qed.

Lemma int_of_ZD x y : int_of_Z (x + y)%Z = int_of_Z x + int_of_Z y.
Proof. by apply: int_of_Z_inj; rewrite of_ZD rmorphD /= !int_of_ZE. Qed.

Lemma int_of_ZM x y : int_of_Z (x * y)%Z = int_of_Z x * int_of_Z y.
Proof. by apply: int_of_Z_inj; rewrite of_ZM rmorphM /= !int_of_ZE. Qed.

Lemma int_of_ZN x : int_of_Z (- x)%Z = - int_of_Z x.
Proof. by apply: int_of_Z_inj; rewrite of_ZN rmorphN /= !int_of_ZE. Qed.

Lemma int_of_ZB x y : int_of_Z (x - y)%Z = int_of_Z x - int_of_Z y.
Proof. by rewrite /Z.sub int_of_ZD int_of_ZN. Qed.

Lemma int_of_Z_lt x y : (int_of_Z x < int_of_Z y) = (x <? y)%Z.
Proof. by rewrite -(of_Z_lt rat_realFieldType) -!int_of_ZE ltr_int. Qed.

Lemma int_of_Z_le x y : (int_of_Z x <= int_of_Z y) = (x <=? y)%Z.
Proof. by rewrite -(of_Z_le rat_realFieldType) -!int_of_ZE ler_int. Qed.

Lemma int_of_Z_eq0 x : (int_of_Z x == 0) = (x =? 0)%Z.
Proof. by rewrite -(of_Z_eq rat_realFieldType) -!int_of_ZE eqr_int. Qed.

Lemma int_of_Z_abs x : int_of_Z (Z.abs x) = `|int_of_Z x|.
Proof. by case: x => [|p|p] //=; rewrite normrN. Qed.

(* ---- Elimination ---- *)
(* x/d, if that is an integer. *)
Definition exact (x d : Z) : option Z :=
  let size_ := Z.of_N (N.div (Z.abs_N x) (Z.abs_N d)) in
  let q := if Bool.eqb (x <? 0)%Z (d <? 0)%Z then size_ else (- size_)%Z in
  if (q * d =? x)%Z then Some q else None.

(* The first row that does not begin with 0, the others in their order, and the sign of the exchanges. *)
Fixpoint pivot (rows : seq (seq Z)) : option (bool * seq Z * seq (seq Z)) :=
  match rows with
  | [::] => None
  | r :: rows' =>
    if (head 0 r =? 0)%Z then
      match pivot rows' with
      | None => None
      | Some (s, p, rest) => Some (~~ s, p, r :: rest)
      end
    else Some (false, r, rows')
  end.

(* (h x - c y)/last along two rows. *)
Fixpoint reduced (last h c : Z) (xs ys : seq Z) : option (seq Z) :=
  match xs, ys with
  | x :: xs', y :: ys' =>
    match exact (h * x - c * y) last, reduced last h c xs' ys' with
    | Some z, Some zs => Some (z :: zs)
    | _, _ => None
    end
  | [::], [::] => Some [::]
  | _, _ => None
  end.

Fixpoint reduce (last h : Z) (ys : seq Z) (rows : seq (seq Z)) : option (seq (seq Z)) :=
  match rows with
  | [::] => Some [::]
  | r :: rows' =>
    match reduced last h (head 0%Z r) (behead r) ys, reduce last h ys rows' with
    | Some z, Some zs => Some (z :: zs)
    | _, _ => None
    end
  end.

Fixpoint eliminate (n : nat) (last : Z) (rows : seq (seq Z)) : option Z :=
  match n with
  | O => Some last
  | n'.+1 =>
    match pivot rows with
    | None => Some 0%Z
    | Some (s, p, rest) =>
      match reduce last (head 0%Z p) (behead p) rest with
      | None => None
      | Some rows' =>
        match eliminate n' (head 0%Z p) rows' with
        | None => None
        | Some v => Some (if s then (- v)%Z else v)
        end
      end
    end
  end.

Definition is_square (n : nat) (rows : seq (seq Z)) : bool := (size rows == n) && all (fun r => size r == n) rows.

Definition determinant (rows : seq (seq Z)) : option Z :=
  if is_square (size rows) rows then eliminate (size rows) 1 rows else None.

Definition square_of (n : nat) (rows : seq (seq Z)) : 'M[int]_n :=
  \matrix_(i, j) int_of_Z (nth 0%Z (nth [::] rows i) j).

Lemma exactP x d q : exact x d = Some q -> (q * d = x)%Z.
Proof. by rewrite /exact; case: ifP => // /Z.eqb_eq ? [<-]. Qed.

Lemma reducedP last h c xs ys zs : reduced last h c xs ys = Some zs ->
  size ys = size xs /\ size zs = size xs /\
  forall j, (nth 0 zs j * last = h * nth 0 xs j - c * nth 0 ys j)%Z.
Proof.
elim: xs ys zs => [|x xs IHxs] [|y ys] zs //=.
  by case=> <-; do 2!split=> //; move=> j; rewrite !nth_nil; lia.
case E: exact => [z|] //; case E': reduced => [zs'|] // [<-].
have [size_y [size_z zs_j]] := IHxs _ _ E'; rewrite /= size_y size_z; do 2!split=> //.
by case=> [|j] /=; [exact: exactP | exact: zs_j].
Qed.

Lemma reduceP last h ys rows zs n : reduce last h ys rows = Some zs -> size ys = n ->
  [/\ size zs = size rows, all (fun r => size r == n) zs &
      forall i j, (i < size rows)%N -> (nth 0 (nth [::] zs i) j * last
        = h * nth 0 (nth [::] rows i) j.+1 - nth 0 (nth [::] rows i) 0 * nth 0 ys j)%Z].
Proof.
move=> + size_ys; elim: rows zs => [|r rows IHrows] zs //=; first by case=> <-.
case E: reduced => [z|] //; case E': reduce => [zs'|] // [<-].
have [size_z all_z zs_j] := IHrows _ E'; have [size_y [size_z' z_j]] := reducedP E.
split=> /=; rewrite ?size_z ?all_z ?andbT //; first by rewrite size_z' -size_y size_ys.
case=> [|i] j i_lt /=; last exact: zs_j.
by rewrite z_j nth_behead nth0.
Qed.

(* Two neighbouring rows change places. *)
Lemma det_exchange (D : comRingType) n (A B : 'M[D]_n) (u v : 'I_n) : u != v ->
  (forall i, row i A = row (tperm u v i) B) -> \det A = - \det B.
Proof.
move=> uv AB; have -> : A = row_perm (tperm u v) B by apply/row_matrixP=> i; rewrite AB; apply/rowP=> j; rewrite !mxE.
by rewrite row_permE det_mulmx det_perm odd_tperm uv expr1 mulN1r.
Qed.

Lemma square_exchange n before a b rest : size (before ++ a :: b :: rest) = n ->
  \det (square_of n (before ++ a :: b :: rest)) = - \det (square_of n (before ++ b :: a :: rest)).
Proof.
rewrite size_cat /= => n_size; set k := size before in n_size.
have k_lt : (k < n)%N by rewrite -n_size -addSnnS leq_addr.
have k1_lt : (k.+1 < n)%N by rewrite -n_size -!addSnnS leq_addr.
apply: (@det_exchange _ _ _ _ (Ordinal k_lt) (Ordinal k1_lt)); first by rewrite -val_eqE /= neq_ltn ltnSn.
move=> i; apply/rowP=> j; rewrite !mxE; congr (int_of_Z (nth _ _ _)).
rewrite !nth_cat -/k; case: tpermP => [->|->|/eqP i_k /eqP i_k1] /=.
- by rewrite ltnn subnn ltnNge leqnSn /= subSnn.
- by rewrite ltnn subnn ltnNge leqnSn /= subSnn.
rewrite -!val_eqE /= in i_k i_k1; case: ltnP => // k_i.
have [m ->] : exists m, (i - k = m.+2)%N.
  by exists (i - k - 2)%N; nat_lia.
by [].
Qed.

Lemma pivotP n before rows s p rest : pivot rows = Some (s, p, rest) -> size (before ++ rows) = n ->
  [/\ size rows = (size rest).+1, (forall a, all a rows = a p && all a rest), head 0%Z p <> 0%Z &
      \det (square_of n (before ++ rows)) = (-1) ^+ s * \det (square_of n (before ++ p :: rest))].
Proof.
elim: rows before s p rest => [|r rows IHrows] before s p rest //=.
case: Z.eqb_spec => [r0|r_neq0] /=; last first.
  by case=> <- <- <-; split=> //; rewrite expr0 mul1r.
case E: pivot => [[[s' p'] rest']|] // [<- <- <-] n_size.
have n_size' : size ((before ++ [:: r]) ++ rows) = n by rewrite -catA.
have [size_rest all_rest p_neq0 det_rows] := IHrows (before ++ [:: r]) _ _ _ E n_size'.
rewrite -!catA /= in det_rows; split=> //=; first by rewrite size_rest.
  by move=> a; rewrite all_rest /= andbCA.
rewrite det_rows square_exchange; last by rewrite -n_size !size_cat /= size_rest.
by case: (s'); rewrite ?expr0 ?expr1 ?mul1r ?mulN1r ?opprK.
Qed.

Lemma pivot_none rows i : pivot rows = None -> head 0%Z (nth [::] rows i) = 0%Z.
Proof.
elim: rows i => [|r rows IHrows] i /=; first by rewrite nth_nil.
case: Z.eqb_spec => // r0; case E: pivot => [[[s p] rest]|] // _.
by case: i => [|i] //=; exact: IHrows.
Qed.

Lemma eliminateP n last rows v : size rows = n -> all (fun r => size r == n) rows -> last <> 0%Z ->
  eliminate n last rows = Some v ->
  \det (square_of n rows) * int_of_Z last = int_of_Z v * int_of_Z last ^+ n.
Proof.
elim: n last rows v => [|n IHn] last rows v size_rows all_rows last_neq0 /=.
  by case=> <-; rewrite det_mx00 expr0 mul1r mulr1.
have neq0 z : z <> 0%Z -> int_of_Z z != 0 by move=> z_neq0; rewrite int_of_Z_eq0; apply/negP => /Z.eqb_eq.
case E: pivot => [[[s p] rest]|]; last first.
  case=> <-; rewrite mul0r (expand_det_col _ ord0) big1 ?mul0r // => i _.
  by rewrite mxE nth0 (pivot_none _ E) mul0r.
have [size_rest all_p p_neq0 ->] := pivotP (before := [::]) E size_rows; set h := head 0%Z p.
case E': reduce => [rows'|] //; case E'': eliminate => [w|] // [v_w].
move: all_rows; rewrite all_p => /andP[/eqP size_p all_rest]; have {}size_rest : size rest = n.
  by move: size_rest; rewrite size_rows => -[].
have [|size_rows' all_rows' rows'_ij] := reduceP (n := n) E'; first by rewrite size_behead size_p.
have {IHn} := IHn h rows' w (etrans size_rows' size_rest) all_rows' p_neq0 E''.
rewrite -/h; set D := square_of n rows'; set A := square_of n.+1 _ => IH.
pose B : 'M[int]_n := \matrix_(i, j) int_of_Z (nth 0%Z (nth [::] rest i) j.+1).
pose r : 'rV[int]_n := \row_j int_of_Z (nth 0%Z p j.+1).
pose c : 'cV[int]_n := \col_i int_of_Z (nth 0%Z (nth [::] rest i) 0).
have A_block : A = block_mx (int_of_Z h)%:M r c B :> 'M_(1 + n).
  apply: etrans (esym (@submxK _ 1 n 1 n A)) _; congr block_mx; apply/matrixP=> i j; rewrite !mxE ?ord1 //= nth0.
have D_block : int_of_Z last *: D = int_of_Z h *: B - c *m r.
  apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE -!int_of_ZM -int_of_ZB; congr int_of_Z.
  by rewrite Z.mul_comm rows'_ij ?size_rest // nth_behead.
have := condensation (int_of_Z h) r c B; rewrite -A_block -D_block detZ => cond.
have h_neq0 := neq0 _ p_neq0; have l_neq0 := neq0 _ last_neq0.
have hA : int_of_Z h ^+ n * \det A = int_of_Z h ^+ n * (int_of_Z last ^+ n * int_of_Z w).
  by rewrite cond mulrCA [int_of_Z h * _]mulrC IH; rewrite [int_of_Z w * _]mulrC mulrCA.
have {}hA : \det A = int_of_Z last ^+ n * int_of_Z w by apply: mulfI hA; rewrite expf_neq0.
rewrite hA -v_w exprS; case: (s); rewrite ?int_of_ZN ?expr0 ?expr1 ?mul1r ?mulN1r ?mulNr; [congr (- _)|];
  by rewrite mulrAC [_ * int_of_Z w]mulrC -exprSr -exprS.
Qed.

Theorem determinantP rows v : determinant rows = Some v -> \det (square_of (size rows) rows) = int_of_Z v.
Proof.
rewrite /determinant; case: ifP => // /andP[_ all_rows] /(eliminateP (erefl _) all_rows) H.
by rewrite -[LHS]mulr1 H // expr1n mulr1.
Qed.
