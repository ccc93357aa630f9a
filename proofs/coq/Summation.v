(* SPDX-License-Identifier: MIT *)
(* Sums over any set of outputs, finite, countable or larger, in an ordered field; no axioms, no real numbers. *)
(*                                                                                                            *)
(*   sums_to f v        the finite partial sums of f come and stay as close to v as one likes: for every e > 0 *)
(*                      there is a finite list s0 such that over every list s that contains s0 (no element     *)
(*                      twice) the sum is at most e away from v.  The outputs have no order, so for numbers    *)
(*                      f z >= 0 on a countable set this is the sum of the series in any order.                *)
(*   sums_above f v     only: the partial sums come and stay above v - e (whether or not they have a limit)   *)
(*   sums_to_unique, sums_to_le, sums_to_partial, sums_to_finite      what one expects of sums                *)
(*   power_tends        in an archimedean field a^m tends to 0 for 0 <= a < 1                                  *)
(*   geometric_series   (1-a) a^0 + (1-a) a^1 + ... = 1                                                        *)
(*   sums_to_order      the partial sums in any order tend to v                                                *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variables (R : realFieldType) (Z : eqType).

(* P holds for all large finite lists of outputs: for those that contain some list s0.                        *)
Definition eventually (P : seq Z -> Prop) := exists s0 : seq Z, forall s, uniq s -> {subset s0 <= s} -> P s.

(* The sum of f over all outputs is v: for every e > 0 all large finite lists have sums at most e away from v. *)
Definition sums_to (f : Z -> R) (v : R) := forall e, 0 < e -> eventually (fun s => `|\sum_(z <- s) f z - v| <= e).

(* For every e > 0 all large finite lists have sums of at least v - e, whether or not there is a limit. *)
Definition sums_above (f : Z -> R) (v : R) := forall e, 0 < e -> eventually (fun s => v - e <= \sum_(z <- s) f z).

End Definitions.

Section Sums.
Variables (R : realFieldType) (Z : eqType).
Implicit Types (f g : Z -> R) (u v c e : R) (s : seq Z).

Lemma eventually_and (P Q : seq Z -> Prop) : eventually P -> eventually Q -> eventually (fun s => P s /\ Q s).
Proof.
move=> [s P_s] [t Q_t]; exists (s ++ t) => r r_uniq st_r.
by split; [apply: P_s => // z zs | apply: Q_t => // z zt]; apply: st_r; rewrite mem_cat ?zs ?zt ?orbT.
Qed.

Lemma eventually_all (P Q : seq Z -> Prop) : (forall s, uniq s -> P s -> Q s) -> eventually P -> eventually Q.
Proof. by move=> PQ [s P_s]; exists s => t t_uniq st; apply: PQ => //; exact: P_s. Qed.

Lemma eventually_some (P : seq Z -> Prop) : eventually P -> exists s, P s.
Proof. by case=> s P_s; exists (undup s); apply: P_s; [exact: undup_uniq | move=> z; rewrite mem_undup]. Qed.

Lemma half_gt0 e : 0 < e -> 0 < e / 2%:R.
Proof. by move=> e_gt0; rewrite divr_gt0 ?ltr0n. Qed.

Lemma halves e : e = e / 2%:R + e / 2%:R.
Proof. by rewrite -mulrDl -[X in (X + X) / _]mul1r -mulrDl -(natrD R 1 1) mulrAC mulfV ?mul1r ?pnatr_eq0. Qed.

Lemma eq_sums_to f g v : f =1 g -> sums_to f v -> sums_to g v.
Proof.
move=> fg f_v e e_gt0; apply: eventually_all (f_v e e_gt0) => s _.
by under [in X in _ -> X]eq_bigr => z _ do rewrite -fg.
Qed.

Lemma sums_above_le f g v : (forall z, f z <= g z) -> sums_above f v -> sums_above g v.
Proof.
move=> fg f_v e e_gt0; apply: eventually_all (f_v e e_gt0) => s _ /le_trans; apply.
by apply: ler_sum => z _.
Qed.

Lemma sums_above_weaken f u v : u <= v -> sums_above f v -> sums_above f u.
Proof.
move=> uv f_v e e_gt0; apply: eventually_all (f_v e e_gt0) => s _; apply: le_trans.
by rewrite ler_add2r.
Qed.

Lemma sums_to_above f v : sums_to f v -> sums_above f v.
Proof.
move=> f_v e e_gt0; apply: eventually_all (f_v e e_gt0) => s _.
by rewrite ler_norml => /andP[]; rewrite ler_subr_addl.
Qed.

Lemma sums_above_limit f u v : sums_above f u -> sums_to f v -> u <= v.
Proof.
move=> f_u f_v; apply/ler_addgt0Pr => e e_gt0; have e2_gt0 := half_gt0 e_gt0.
have [s [s_u]] := eventually_some (eventually_and (f_u _ e2_gt0) (f_v _ e2_gt0)).
rewrite ler_norml ler_subl_addr => /andP[_ s_v].
by rewrite [e]halves addrA -ler_subl_addr (le_trans s_u) // addrC.
Qed.

Lemma sums_to_le f g u v : (forall z, f z <= g z) -> sums_to f u -> sums_to g v -> u <= v.
Proof. by move=> fg /sums_to_above f_u; apply: sums_above_limit; apply: sums_above_le f_u. Qed.

Theorem sums_to_unique f u v : sums_to f u -> sums_to f v -> u = v.
Proof. by move=> f_u f_v; apply/eqP; rewrite eq_le !(@sums_to_le f f). Qed.

(* Sums of numbers >= 0 are the least upper bounds of their finite partial sums.                              *)
Theorem sums_to_partial f v s : (forall z, 0 <= f z) -> sums_to f v -> uniq s -> \sum_(z <- s) f z <= v.
Proof.
move=> f_ge0 f_v s_uniq; apply/ler_addgt0Pr => e e_gt0; have [s0 s0_v] := f_v e e_gt0.
pose t := s ++ [seq z <- undup s0 | z \notin s].
have := s0_v t; rewrite ler_norml ler_subl_addr => /(_ _ _)/andP[|z|_].
- rewrite cat_uniq s_uniq filter_uniq ?undup_uniq ?andbT //=.
  by apply/hasPn => z; rewrite mem_filter => /andP[].
- by rewrite mem_cat mem_filter mem_undup => ->; rewrite andbT orbN.
rewrite [e + v]addrC; apply: le_trans; rewrite big_cat /= ler_addl.
exact: sumr_ge0.
Qed.

Theorem sums_to_add f g u v : sums_to f u -> sums_to g v -> sums_to (fun z => f z + g z) (u + v).
Proof.
move=> f_u g_v e e_gt0; have e2_gt0 := half_gt0 e_gt0.
apply: eventually_all (eventually_and (f_u _ e2_gt0) (g_v _ e2_gt0)) => s _ [s_u s_v].
by rewrite big_split /= opprD addrACA (le_trans (ler_norm_add _ _)) // [leRHS]halves ler_add.
Qed.

Theorem sums_to_scale f c v : sums_to f v -> sums_to (fun z => c * f z) (c * v).
Proof.
move=> f_v e e_gt0; have [->|c_neq0] := eqVneq c 0.
  by exists [::] => s _ _; rewrite -mulr_sumr !mul0r subrr normr0 ltW.
have c_gt0 : 0 < `|c| by rewrite normr_gt0.
apply: eventually_all (f_v _ (divr_gt0 e_gt0 c_gt0)) => s _.
by rewrite -mulr_sumr -mulrBr normrM ler_pdivl_mulr // mulrC.
Qed.

Lemma sums_to_zero : sums_to (fun _ : Z => 0) (0 : R).
Proof. by move=> e e_gt0; exists [::] => s _ _; rewrite big1 // subrr normr0 ltW. Qed.

Theorem sums_to_sum (I : Type) (r : seq I) (P : pred I) (f : I -> Z -> R) (v : I -> R) :
  (forall i, P i -> sums_to (f i) (v i)) -> sums_to (fun z => \sum_(i <- r | P i) f i z) (\sum_(i <- r | P i) v i).
Proof.
move=> f_v; elim: r => [|i r IHr].
  by rewrite big_nil; apply: eq_sums_to sums_to_zero => z; rewrite big_nil.
rewrite big_cons; have [Pi|/negPf Pi] := boolP (P i).
  by apply: eq_sums_to (sums_to_add (f_v i Pi) IHr) => z; rewrite big_cons Pi.
by apply: eq_sums_to IHr => z; rewrite big_cons Pi.
Qed.

Lemma sum_within f s t : uniq s -> uniq t -> {subset s <= t} -> \sum_(z <- t | z \in s) f z = \sum_(z <- s) f z.
Proof.
move=> s_uniq t_uniq st; rewrite -big_filter; apply: perm_big.
apply: uniq_perm; rewrite ?filter_uniq // => z; rewrite mem_filter.
by apply/andP/idP => [[]//|zs]; split=> //; exact: st.
Qed.

Lemma sum_within_le f s t : (forall z, 0 <= f z) -> uniq s -> uniq t -> {subset s <= t} ->
  \sum_(z <- s) f z <= \sum_(z <- t) f z.
Proof. by move=> f_ge0 *; rewrite [leRHS](bigID (mem s)) /= sum_within // ler_addl sumr_ge0. Qed.

(* What is 0 outside a finite list has the sum over the list.                                                 *)
Theorem sums_to_support f s : uniq s -> (forall z, z \notin s -> f z = 0) -> sums_to f (\sum_(z <- s) f z).
Proof.
move=> s_uniq f0 e e_gt0; exists s => t t_uniq st.
have -> : \sum_(z <- t) f z = \sum_(z <- s) f z.
  by rewrite (bigID (mem s)) /= [X in _ + X]big1 ?addr0 ?sum_within.
by rewrite subrr normr0 ltW.
Qed.

(* Numbers >= 0: it is enough that some finite sums come near v, and none passes it.                          *)
Lemma sums_to_sup f v : (forall z, 0 <= f z) -> (forall s, uniq s -> \sum_(z <- s) f z <= v) ->
  (forall e, 0 < e -> exists2 s, uniq s & v - e <= \sum_(z <- s) f z) -> sums_to f v.
Proof.
move=> f_ge0 f_le near e e_gt0; have [s s_uniq s_near] := near e e_gt0; exists s => t t_uniq st.
have s_t : \sum_(z <- s) f z <= \sum_(z <- t) f z.
  exact: sum_within_le.
rewrite ler_norml ler_subl_addr ler_subr_addl (le_trans s_near s_t) /=.
by rewrite (le_trans (f_le t t_uniq)) // ler_addr ltW.
Qed.
End Sums.

(* In any order: a sequence of finite lists in which each output comes to stay.  For the integers -N, ..., N.  *)
Theorem sums_to_order (R : realFieldType) (Z : eqType) (f : Z -> R) v (upto : nat -> seq Z) :
  (forall N, uniq (upto N)) -> (forall z, exists N, forall m, (N <= m)%N -> z \in upto m) -> sums_to f v ->
  forall e, 0 < e -> exists N, forall m, (N <= m)%N -> `|\sum_(z <- upto m) f z - v| <= e.
Proof.
move=> upto_uniq all_come f_v e e_gt0; have [s0 s0_v] := f_v e e_gt0.
have [N s0_N] : exists N, forall m, (N <= m)%N -> {subset s0 <= upto m}.
  elim: s0 {s0_v} => [|z s [N s_N]]; first by exists 0%N.
  have [M z_M] := all_come z; exists (maxn M N) => m; rewrite geq_max => /andP[Mm Nm] y.
  by rewrite in_cons => /orP[/eqP ->|/s_N]; [exact: z_M | exact].
by exists N => m Nm; apply: s0_v => //; exact: s0_N.
Qed.

Section Finite.
Variables (R : realFieldType) (Z : finType).

(* For finitely many outputs sums_to is the sum. *)
Theorem sums_to_finite (f : Z -> R) v : sums_to f v <-> \sum_z f z = v.
Proof.
have f_sum : sums_to f (\sum_z f z).
  by apply: sums_to_support => [|z]; rewrite /index_enum ?mem_index_enum //; case: index_enum_key => /=; rewrite -enumT ?enum_uniq.
by split=> [/(sums_to_unique f_sum) //|<-].
Qed.
End Finite.

(* The same sum under other names of the outputs: h names each w at most once, and f is 0 where nothing is named. *)
Lemma sums_to_names (R : realFieldType) (Z W : eqType) (h : Z -> W) (h' : W -> option Z) (f : W -> R) v :
  pcancel h h' -> ocancel h' h -> (forall w, h' w = None -> f w = 0) -> sums_to (fun z => f (h z)) v -> sums_to f v.
Proof.
move=> hK h'K f0 f_v e e_gt0; have [s0 s0_v] := f_v e e_gt0; exists (map h s0) => t t_uniq st.
have -> : \sum_(w <- t) f w = \sum_(z <- pmap h' t) f (h z).
  elim: t {t_uniq st} => [|w t IHt] /=; first by rewrite !big_nil.
  rewrite big_cons IHt; case h'w: (h' w) => [z|] /=; last by rewrite f0 ?add0r.
  by rewrite big_cons; have := h'K w; rewrite h'w /= => ->.
apply: s0_v => [|z zs]; first exact: pmap_uniq h'K _ _.
by rewrite mem_pmap -(hK z) map_f // st // map_f.
Qed.

Section Integers.
Variable R : realFieldType.

(* The integers are 0, 1, 2, ... and -1, -2, -3, ...  *)
Theorem sums_to_int (f : int -> R) u v :
  sums_to (fun k : nat => f (Posz k)) u -> sums_to (fun k : nat => f (Negz k)) v -> sums_to f (u + v).
Proof.
move=> f_u f_v; pose pos (z : int) := if z is Posz _ then f z else 0; pose neg (z : int) := if z is Posz _ then 0 else f z.
have pos_u : sums_to pos u.
  by apply: (@sums_to_names _ _ _ Posz (fun z => if z is Posz k then Some k else None)) f_u => // -[].
have neg_v : sums_to neg v.
  by apply: (@sums_to_names _ _ _ Negz (fun z => if z is Negz k then Some k else None)) f_v => // -[].
by apply: eq_sums_to (sums_to_add pos_u neg_v) => -[k|k]; rewrite /pos /neg ?addr0 ?add0r.
Qed.

(* A tail of the natural numbers. *)
Lemma sums_to_tail (f : nat -> R) n v : (forall k, (k < n)%N -> f k = 0) -> sums_to (fun k => f (n + k)%N) v -> sums_to f v.
Proof.
move=> f0; apply: (@sums_to_names _ _ _ (addn n) (fun k => if (n <= k)%N then Some (k - n)%N else None)).
- by move=> k; rewrite leq_addr addKn.
- by move=> k; case: leqP => //= nk; rewrite subnKC.
- by move=> k; case: leqP => // /f0.
Qed.
End Integers.

Section Archimedean.
Variable R : archiFieldType.
Implicit Types a b e : R.

Lemma bernoulli (b : R) m : 0 <= b -> 1 + m%:R * b <= (1 + b) ^+ m.
Proof.
move=> b_ge0; elim: m => [|m IHm]; first by rewrite mul0r addr0 expr0.
rewrite exprS mulrDl mul1r -[m.+1]addn1 natrD mulrDl mul1r addrA; apply: ler_add => //.
by rewrite ler_pemulr // exprn_ege1 // ler_addl.
Qed.

(* The one step that needs the archimedean property. *)
Theorem power_tends a : 0 <= a -> a < 1 -> forall e, 0 < e -> exists N, forall m, (N <= m)%N -> a ^+ m <= e.
Proof.
move=> a_ge0 a_lt1 e e_gt0; have [a0|a_neq0] := eqVneq a 0.
  by exists 1%N => -[|m] // _; rewrite a0 expr0n ltW.
have a_gt0 : 0 < a by rewrite lt_neqAle eq_sym a_neq0.
pose b := a^-1 - 1; have b_gt0 : 0 < b by rewrite subr_gt0 invf_gt1.
pose N := Num.bound ((e * b)^-1); exists N => m Nm.
have N_gt : (e * b)^-1 < N%:R.
  by have := archi_boundP (_ : 0 <= (e * b)^-1); apply; rewrite invr_ge0 mulr_ge0 // ltW.
have step : e^-1 <= (a ^+ m)^-1.
  rewrite -exprVn; have -> : a^-1 = 1 + b by rewrite addrC subrK.
  apply: le_trans (bernoulli m (ltW b_gt0)); apply: ler_paddl; first exact: ler01.
  rewrite -ler_pdivr_mulr // -invfM (le_trans (ltW N_gt)) // ler_nat //.
by rewrite -[leLHS]invrK -[leRHS]invrK lef_pinv ?posrE ?invr_gt0 ?exprn_gt0.
Qed.

Lemma geometric_partial a N : \sum_(k <- iota 0 N) (1 - a) * a ^+ k = 1 - a ^+ N.
Proof.
elim: N => [|N IHN]; first by rewrite big_nil expr0 subrr.
by rewrite -addn1 iotaD big_cat /= big_seq1 IHN add0n mulrBl mul1r -exprS addn1 addrA subrK.
Qed.

Theorem geometric_series a : 0 <= a -> a < 1 -> sums_to (fun k : nat => (1 - a) * a ^+ k) 1.
Proof.
move=> a_ge0 a_lt1; have term_ge0 k : 0 <= (1 - a) * a ^+ k by rewrite mulr_ge0 ?exprn_ge0 // subr_ge0 ltW.
apply: sums_to_sup => // [s s_uniq|e e_gt0].
  pose N := (\max_(k <- s) k).+1; have s_N : {subset s <= iota 0 N}.
    by move=> k k_s; rewrite mem_iota /= add0n ltnS; exact: (@leq_bigmax_seq _ s xpredT id).
  apply: (@le_trans _ _ (\sum_(k <- iota 0 N) (1 - a) * a ^+ k)).
    by apply: sum_within_le; rewrite ?iota_uniq.
  by rewrite geometric_partial ler_subl_addr ler_addl exprn_ge0.
have [N N_e] := power_tends a_ge0 a_lt1 e_gt0; exists (iota 0 N); first exact: iota_uniq.
by rewrite geometric_partial ler_sub // N_e.
Qed.
End Archimedean.
