(* SPDX-License-Identifier: MIT *)
(* Three bits at the level 1/2 have more than 29000 kernel mechanisms (Fernandes and others, 8.4).            *)
(*                                                                                                            *)
(*   cube_level       e(i,j) = (1/2)^d for the inputs 0, ..., 7, d the number of bits that differ             *)
(*   cube_kernels     a list of more than 29000 kernel mechanisms, no two with the same hypers                *)
(*                                                                                                            *)
(* CubeSupports.v has one mechanism of each class.  It is computed that each is a kernel mechanism:           *)
(* the vertices are private and tight pairs connect their inputs; the weighted sums of the vertices are       *)
(* constant; elimination finds the vertices independent.  The symmetries only permute inputs.  The images are *)
(* told apart by the sets of their vertices, written as binary numbers, sorted and compared.                  *)
From Coq Require Import ZArith NArith Ring InitialRing Ring_theory.
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame FiniteCone BasicSolutions Rays ExtremeRays.
From ExactDP Require Import Kernels KernelOrder Hyper HyperOrder CubeSupports.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The number of bits in which the binary numbers i, j < 8 differ. *)
Definition bits_apart (i j : nat) : nat := ((odd i != odd j) + (odd i./2 != odd j./2) + (odd i./2./2 != odd j./2./2))%N.

(* What is computed. *)
Section Computed.
Local Open Scope nat_scope.

(* The inputs 0, ..., 7: three bits each, read as a binary number. *)
Definition inputs := iota 0 8.

(* The pair i, j is tight for v at the level 1/2: v_j = 2^d v_i or v_i = 2^d v_j, d the number of bits in which i and j differ. *)
Definition tight_entries (v : seq nat) i j :=
  (nth 0 v j == 2 ^ bits_apart i j * nth 0 v i) || (nth 0 v i == 2 ^ bits_apart i j * nth 0 v j).

(* Inputs that tight pairs connect to those of s. *)
Definition grow (v s : seq nat) := s ++ [seq j <- inputs | has (fun i => tight_entries v i j) s].

(* v has eight entries, is private (v_j <= 2^d v_i for all i, j), its entries are from 1 to 8 with an 8       *)
(* among them, and tight pairs connect the input 0 to all others.                                             *)
Definition vertex_checked (v : seq nat) :=
  [&& size v == 8, all (fun i => all (fun j => nth 0 v j <= 2 ^ bits_apart i j * nth 0 v i) inputs) inputs,
      all (fun i => 0 < nth 0 v i <= 8) inputs, has (fun i => nth 0 v i == 8) inputs &
      all (mem (iter 7 (grow v) [:: 0])) inputs].

(* from_bits b is the number with the binary digits b, the lowest first. *)
Definition from_bits (b : seq bool) := foldr (fun (c : bool) n => c + n.*2) 0 b.
(* The three binary digits of i < 8, the lowest first. *)
Definition bits_of i := [:: odd i; odd i./2; odd i./2./2].
(* The 48 symmetries, each as the list of what 0, ..., 7 become: the bits of x are changed in i, then put in the order o. *)
Definition symmetries : seq (seq nat) :=
  [seq [seq from_bits [seq nth false (bits_of i) k (+) nth false (bits_of x) k | k <- o] | i <- inputs]
     | o <- [:: [:: 0; 1; 2]; [:: 0; 2; 1]; [:: 1; 0; 2]; [:: 1; 2; 0]; [:: 2; 0; 1]; [:: 2; 1; 0]], x <- inputs].

(* The vector whose entry at the input i is the entry of v at g(i). *)
Definition moved (g v : seq nat) := [seq nth 0 v (nth 0 g i) | i <- inputs].

(* g is a permutation of the inputs 0, ..., 7, and moves every vector of cube_vertices to one of cube_vertices. *)
Definition symmetry_checked (g : seq nat) :=
  [&& all (fun i => nth 0 g i < 8) inputs, all (fun j => has (fun i => nth 0 g i == j) inputs) inputs &
      all (fun v => moved g v \in cube_vertices) cube_vertices].

(* Elimination with binary integers. *)
(* The integer z is not 0. *)
Definition nonzero (z : Z) := ~~ Z.eqb z Z0.

(* v_i u - u_i v, whose entry i is 0 (eight entries). *)
Definition eliminate (v u : seq Z) (i : nat) : seq Z :=
  mkseq (fun j => Z.sub (Z.mul (nth Z0 v i) (nth Z0 u j)) (Z.mul (nth Z0 u i) (nth Z0 v j))) 8.

(* The vectors vs (eight entries each, n of them at most) are linearly independent, as elimination finds: none becomes 0. *)
Fixpoint independent_vectors n (vs : seq (seq Z)) : bool :=
  match vs, n with
  | [::], _ => true
  | _, 0 => false
  | v :: us, n'.+1 => let i := find nonzero v in
      [&& i < 8, nonzero (nth Z0 v i) & independent_vectors n' [seq eliminate v u i | u <- us]]
  end.

(* The k-th vector of cube_vertices, from 0. *)
Definition vertex_at k := nth [::] cube_vertices k.

(* For a pair x of a weight and the number of a vertex: the weight times entry i of that vertex. *)
Definition weighted_entry (x : nat * nat) i := x.1 * nth 0 (vertex_at x.2) i.

(* The sum of these over the pairs of r; mechanism_of divides by that of the input 0. *)
Definition row_total (r : seq (nat * nat)) i := sumn [seq weighted_entry x i | x <- r].

(* r has at most eight pairs, each of a weight > 0 and the number of a vertex; its row totals are > 0 and     *)
(* the same for all inputs; its vertices are linearly independent.                                            *)
Definition support_checked (r : seq (nat * nat)) :=
  [&& size r <= 8, all (fun x => (0 < x.1) && (x.2 < size cube_vertices)) r, 0 < row_total r 0,
      all (fun i => row_total r i == row_total r 0) inputs &
      independent_vectors 8 [seq [seq Z.of_nat n | n <- vertex_at x.2] | x <- r]].

(* place g k is the number, in cube_vertices, of the k-th vertex moved by g. *)
Definition place (g : seq nat) k : N := N.of_nat (index (moved g (vertex_at k)) cube_vertices).

(* The binary or of the entries of t at the vertices of r; for t = key_table g, the set of their places, as a binary number. *)
Definition key_from (t : seq N) (r : seq (nat * nat)) : N := foldr (fun x n => N.lor (nth N0 t x.2) n) N0 r.

(* 2^(place g k) for every vertex k. *)
Definition key_table g : seq N := [seq N.shiftl (Npos xH) (place g k) | k <- iota 0 (size cube_vertices)].

(* An image of a support: its key, the support, and the symmetry that moves it. *)
Definition image := (N * (seq (nat * nat) * seq nat))%type.

(* The images of all supports of cube_supports under all symmetries. *)
Definition images : seq image :=
  flatten [seq let t := key_table g in [seq (key_from t r, (r, g)) | r <- cube_supports] | g <- symmetries].

(* s without the images that have the same key as the one before them (the first of s: the key last). *)
Fixpoint without_repetition (last : N) (s : seq image) : seq image :=
  if s is x :: s' then (if N.eqb x.1 last then without_repetition last s' else x :: without_repetition x.1 s') else [::].

(* No set is empty, so that 0 is not among the keys. *)
(* The images in the order of their keys, one image for each key. *)
Definition chosen : seq image := without_repetition N0 (sort (fun x y => N.leb x.1 y.1) images).

(* The key of x is less than that of y. *)
Definition less_key (x y : image) := N.ltb x.1 y.1.

End Computed.

Section Integers.
Variable R : realFieldType.
Add Field R_field : (field_theory_of R).

(* Binary integers as numbers of R. *)
Definition number : Z -> R := gen_phiZ 0 1 +%R *%R -%R.

Lemma number_morph : ring_morph 0 1 +%R *%R (fun x y => x - y) -%R eq
  Z0 (Zpos xH) Z.add Z.mul Z.sub Z.opp Zeq_bool number.
Proof.
apply: gen_phiZ_morph; first by [split=> // x y z -> ->].
  by split=> [x y -> u v -> | x y -> u v -> | x y ->].
split; [exact: add0r | exact: addrC | exact: addrA | exact: mul1r | exact: mulrC | exact: mulrA | exact: mulrDl | by [] |].
exact: subrr.
Qed.

Lemma numberB x y : number (Z.sub x y) = number x - number y. Proof. exact: (morph_sub number_morph). Qed.

Lemma numberM x y : number (Z.mul x y) = number x * number y. Proof. exact: (morph_mul number_morph). Qed.

Lemma number_nat n : number (Z.of_nat n) = n%:R.
Proof.
elim: n => [|n IHn]; first exact: (morph0 number_morph).
by rewrite Nat2Z.inj_succ -Z.add_1_l (morph_add number_morph) IHn (morph1 number_morph) -mulrS.
Qed.

Lemma number_neq0 z : nonzero z -> number z != 0.
Proof.
move=> z_neq0; have pos m : (0 < m)%N -> number (Z.of_nat m) != 0 by move=> m_gt0; rewrite number_nat pnatr_eq0 -lt0n.
case: z z_neq0 => // q _.
  by rewrite -positive_nat_Z; apply: pos; apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have -> : Zneg q = Z.opp (Zpos q) by [].
rewrite (morph_opp number_morph) oppr_eq0.
by rewrite -positive_nat_Z; apply: pos; apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
Qed.

(* Entry i of x_0 v_0 + x_1 v_1 + ... for the vectors v_0, v_1, ... of vs. *)
Fixpoint combination (x : nat -> R) (vs : seq (seq Z)) (i : nat) : R :=
  if vs is v :: us then x 0%N * number (nth Z0 v i) + combination (fun k => x k.+1) us i else 0.

Lemma combination_sum n (x : nat -> R) vs i : (size vs <= n)%N ->
  \sum_(k < n) x k * number (nth Z0 (nth [::] vs k) i) = combination x vs i.
Proof.
elim: vs n x => [|v us IHus] [|n] x //= size_le.
- by rewrite big_ord0.
- by apply: big1 => k _; rewrite nth_nil nth_nil (morph0 number_morph) mulr0.
by rewrite big_ord_recl /= (IHus n (fun k => x k.+1)).
Qed.

Lemma combination_eliminate x v us i j : (j < 8)%N -> combination x [seq eliminate v u i | u <- us] j =
  number (nth Z0 v i) * combination x us j - combination x us i * number (nth Z0 v j).
Proof.
move=> j_lt; elim: us x => [|u us IHus] x /=; first by rewrite mulr0 mul0r subrr.
by rewrite IHus nth_mkseq // numberB !numberM; by_ring R.
Qed.

Lemma independent_vectorsP n vs x : independent_vectors n vs -> (forall i, (i < 8)%N -> combination x vs i = 0) ->
  forall k, (k < size vs)%N -> x k = 0.
Proof.
elim: n vs x => [|n IHn] [|v us] x //= /and3P[i_lt /number_neq0 v_neq0 us_ind] x_rel.
have rest k : (k < size us)%N -> x k.+1 = 0.
  rewrite -(size_map (fun u => eliminate v u (find nonzero v))); apply: (IHn _ (fun k => x k.+1) us_ind) => j j_lt.
  have rel_at i : (i < 8)%N -> combination (fun k => x k.+1) us i = - (x 0%N * number (nth Z0 v i)).
    by move=> /x_rel/eqP; rewrite addrC addr_eq0 => /eqP.
  by rewrite combination_eliminate // !rel_at //; by_ring R.
case=> [_|k]; last exact: rest.
have zero : combination (fun k => x k.+1) us (find nonzero v) = 0.
  by rewrite -(@combination_sum (size us)) // big1 // => k _; rewrite rest ?mul0r.
by have /eqP := x_rel _ i_lt; rewrite zero addr0 mulf_eq0 (negPf v_neq0) orbF => /eqP.
Qed.

End Integers.

Section Kernels.
Variable R : realFieldType.
Add Field R_field2 : (field_theory_of R).

(* Privacy for the Hamming distance of three bits at the level 1/2. *)
Definition cube_level (i j : 'I_8) : R := 2%:R^-1 ^+ bits_apart i j.

Lemma cube_level_gt0 i j : 0 < cube_level i j.
Proof. by rewrite exprn_gt0 // invr_gt0 ltr0n. Qed.

(* The list v as a vector of numbers of R on the eight inputs. *)
Definition entries (v : seq nat) (i : 'I_8) : R := (nth 0%N v i)%:R.

Lemma in_inputs (i : 'I_8) : (i : nat) \in inputs.
Proof. by rewrite mem_iota add0n ltn_ord. Qed.

Lemma scaled_level (i j : 'I_8) n : cube_level i j * (2 ^ bits_apart i j * n)%:R = n%:R.
Proof.
rewrite /cube_level natrM natrX mulrA -exprMn mulVf ?expr1n ?mul1r //.
by rewrite pnatr_eq0.
Qed.

Lemma tight_entriesP v (i j : 'I_8) : tight_entries v i j -> tight cube_level (entries v) i j.
Proof.
have sym : bits_apart j i = bits_apart i j by rewrite /bits_apart ![odd j == _]eq_sym ![odd j./2 == _]eq_sym [odd j./2./2 == _]eq_sym.
case/orP=> /eqP v_eq; [left | right]; rewrite /entries v_eq ?scaled_level //.
by rewrite /cube_level sym -/(cube_level i j) scaled_level.
Qed.

Lemma grown v (S : {set 'I_8}) n s : (forall i j : 'I_8, tight_entries v i j -> (i \in S) = (j \in S)) ->
  (forall i : 'I_8, (i : nat) \in s -> (i \in S) = (ord0 \in S)) -> all (fun i => i < 8)%N s ->
  forall i : 'I_8, (i : nat) \in iter n (grow v) s -> (i \in S) = (ord0 \in S).
Proof.
move=> S_tight; elim: n => [|n IHn] s_S s_lt; first by move=> i; exact: s_S.
have grow_lt t : all (fun i => i < 8)%N t -> all (fun i => i < 8)%N (grow v t).
  move=> t_lt; rewrite all_cat t_lt; apply/allP => j; rewrite mem_filter mem_iota => /andP[_].
  by rewrite add0n.
have lt k : all (fun i => i < 8)%N (iter k (grow v) s) by elim: k => //= k; exact: grow_lt.
move=> j; rewrite iterS mem_cat => /orP[|]; first exact: IHn.
rewrite mem_filter; case/andP=> /hasP[i i_s t] _.
have i_lt : (i < 8)%N := allP (lt n) i i_s.
by rewrite -(S_tight (Ordinal i_lt) j t) (IHn s_S s_lt).
Qed.

Lemma vertex_ray v : vertex_checked v -> ray cube_level (entries v).
Proof.
case/and5P=> _ /allP v_priv /allP v_bounds _ /allP v_grown.
have v_gt0 i : 0 < entries v i by rewrite ltr0n; have /andP[] := v_bounds i (in_inputs i).
apply: (cuts_ray cube_level_gt0) => // [|S S_neq0 S_proper].
  split=> [i|i j]; first exact: ltW.
  rewrite /entries -(scaled_level i j (nth 0%N v i)) ler_pmul2l ?cube_level_gt0 // ler_nat.
  by have /allP := v_priv i (in_inputs i); apply; exact: in_inputs.
case: (boolP [exists i : 'I_8, [exists j : 'I_8, [&& i \in S, j \notin S & tight_entries v i j || tight_entries v j i]]]).
  case/existsP=> i /existsP[j /and3P[i_S j_S t]]; exists i, j; split=> //.
  by case/orP: t => /tight_entriesP // [t|t]; [right | left].
rewrite negb_exists => /forallP none; exfalso.
have same (i j : 'I_8) : tight_entries v i j -> (i \in S) = (j \in S).
  move=> t; apply/idP/idP; apply: contraTT => out.
    apply/negP => i_S; have := none i; rewrite negb_exists => /forallP/(_ j).
    by rewrite i_S out t.
  apply/negP => j_S; have := none j; rewrite negb_exists => /forallP/(_ i).
  by rewrite j_S out t orbT.
have all0 (i : 'I_8) : (i \in S) = (ord0 \in S).
  apply: (@grown v S 7 [:: 0%N]) => // [j|]; last exact: v_grown (in_inputs i).
  by rewrite inE => /eqP j0; congr (_ \in S); apply/val_inj.
case: (boolP (ord0 \in S)) => S0.
  by case/negP: S_proper; apply/eqP/setP => i; rewrite inE all0.
by case/negP: S_neq0; apply/eqP/setP => i; rewrite inE all0 (negPf S0).
Qed.

(* The mechanism of a support r, its inputs permuted by g.  Columns after the last vertex are 0. *)
Definition mechanism_of (r : seq (nat * nat)) (g : seq nat) : 'M[R]_8 :=
  \matrix_(i, k) ((weighted_entry (nth (0, 0)%N r k) (nth 0%N g i))%:R / (row_total r 0)%:R).

Lemma sum_support n r j : (size r <= n)%N ->
  \sum_(k < n) (weighted_entry (nth (0, 0)%N r k) j)%:R = (row_total r j)%:R :> R.
Proof.
elim: r n => [|x r IHr] [|n] //= size_le.
- by rewrite big_ord0.
- by rewrite big1 // => k _; rewrite nth_nil.
by rewrite big_ord_recl /= IHr // -natrD.
Qed.

Section OneSupport.
Variables (r : seq (nat * nat)) (g : seq nat).
Hypotheses (vertices_fine : {in cube_vertices, forall v, vertex_checked v}) (r_fine : support_checked r) (g_fine : symmetry_checked g).
Local Notation K := (mechanism_of r g).
Local Notation total := ((row_total r 0)%:R : R).

Lemma total_gt0 : 0 < total.
Proof. by case/and5P: r_fine => _ _ + _ _; rewrite ltr0n. Qed.

Lemma symmetry_lt (i : 'I_8) : (nth 0%N g i < 8)%N.
Proof. by case/and3P: g_fine => /allP/(_ i (in_inputs i)). Qed.

Lemma moved_entry v (i : 'I_8) : nth 0%N (moved g v) i = nth 0%N v (nth 0%N g i).
Proof. by rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma support_member (k : 'I_8) : (k < size r)%N -> (0 < (nth (0, 0)%N r k).1)%N /\
  moved g (vertex_at (nth (0, 0)%N r k).2) \in cube_vertices.
Proof.
move=> k_lt; case/and5P: r_fine => _ /allP/(_ _ (mem_nth (0, 0)%N k_lt))/andP[w_gt0 x_lt] _ _ _; split=> //.
by case/and3P: g_fine => _ _ /allP; apply; exact: mem_nth.
Qed.

Lemma column_entries (k : 'I_8) i : K i k =
  (nth (0, 0)%N r k).1%:R / total * entries (moved g (vertex_at (nth (0, 0)%N r k).2)) i.
Proof. by rewrite mxE /weighted_entry /entries moved_entry natrM mulrAC. Qed.

Lemma weight_gt0 (k : 'I_8) : (k < size r)%N -> 0 < (nth (0, 0)%N r k).1%:R / total.
Proof. by move=> /support_member[w_gt0 _]; rewrite divr_gt0 ?total_gt0 // ltr0n. Qed.

Lemma column_out (k : 'I_8) i : (size r <= k)%N -> K i k = 0.
Proof. by move=> k_out; rewrite column_entries nth_default // mul0r mul0r. Qed.

Lemma support_kernel : kernel cube_level K.
Proof.
have [size_le _ _ /allP totals r_ind] := and5P r_fine; have t_gt0 := total_gt0.
split; [split=> [|k [i K_neq0]]|move=> c c_null c_rel].
- split=> [i k|i]; first by rewrite mxE divr_ge0 ?ler0n.
  under eq_bigr => k _ do rewrite mxE.
  rewrite -mulr_suml sum_support // (eqP (totals _ _)) ?divff ?gt_eqF //.
  by rewrite mem_iota symmetry_lt.
- have [k_lt|k_out] := ltnP k (size r); last by rewrite column_out ?eqxx in K_neq0.
  have [_ in_V] := support_member k_lt.
  apply: eq_ray (ray_scale (weight_gt0 k_lt) (vertex_ray (vertices_fine in_V))) => j.
  by rewrite column_entries.
pose x k : R := c (inord k) * ((nth (0, 0)%N r k).1%:R / total).
have x_rel j : (j < 8)%N -> combination x [seq [seq Z.of_nat n | n <- vertex_at y.2] | y <- r] j = 0.
  move=> j_lt; have [i i_j] : exists i : 'I_8, nth 0%N g i = j.
    case/and3P: g_fine => _ /allP/(_ j) + _; rewrite mem_iota j_lt => /(_ isT)/hasP[i].
    by rewrite mem_iota => /andP[_ i_lt] /eqP i_j; exists (Ordinal i_lt).
  rewrite -(@combination_sum _ 8) ?size_map // -[RHS](c_rel i); apply: eq_bigr => k _.
  rewrite /x inord_val; have [k_lt|k_out] := ltnP k (size r); last first.
    by rewrite column_out // nth_default // !mul0r !mulr0 mul0r.
  rewrite (nth_map (0, 0)%N) // column_entries /entries moved_entry i_j -mulrA; congr (_ * (_ * _)).
  have [j_in|j_out] := ltnP j (size (vertex_at (nth (0, 0)%N r k).2)).
    by rewrite (nth_map 0%N) // number_nat.
  by rewrite [nth Z0 _ _]nth_default ?size_map // [nth 0%N _ _]nth_default // (morph0 (number_morph R)).
move=> k; have [k_lt|k_out] := ltnP k (size r); last by apply: c_null => i; rewrite column_out.
have := independent_vectorsP r_ind x_rel (k := k); rewrite size_map => /(_ k_lt)/eqP.
by rewrite /x inord_val mulf_eq0 [_ / _ == 0]gt_eqF ?weight_gt0 // orbF => /eqP.
Qed.

End OneSupport.

Lemma vertices_once u v c : vertex_checked u -> vertex_checked v -> (forall i, entries u i = c * entries v i) -> u = v.
Proof.
case/and5P=> /eqP u_size _ /allP u_le /hasP[i i_in /eqP u_i] _.
case/and5P=> /eqP v_size _ /allP v_le /hasP[j j_in /eqP v_j] _ uv.
have i_lt : (i < 8)%N by move: i_in; rewrite mem_iota.
have j_lt : (j < 8)%N by move: j_in; rewrite mem_iota.
have pos8 : 0 < 8%:R :> R by rewrite ltr0n.
have c_le1 : c <= 1.
  have := uv (Ordinal j_lt); rewrite /entries /= v_j => u_j; rewrite -(ler_pmul2r pos8) mul1r -u_j ler_nat.
  by have /andP[] := u_le j j_in.
have c_gt0 : 0 < c.
  have := uv (Ordinal j_lt); rewrite /entries /= v_j => u_j; rewrite -(pmulr_lgt0 _ pos8) -u_j ltr0n.
  by have /andP[] := u_le j j_in.
have c1 : c = 1.
  apply/eqP; rewrite eq_le c_le1 -(ler_pmul2r pos8) mul1r.
  have := uv (Ordinal i_lt); rewrite /entries /= u_i => {1}->; rewrite ler_pmul2l // ler_nat.
  by have /andP[] := v_le i i_in.
apply: (@eq_from_nth _ 0%N) => [|k]; first by rewrite u_size v_size.
rewrite u_size => k_lt; have := uv (Ordinal k_lt); rewrite c1 mul1r /entries /=.
by move/eqP; rewrite eqr_nat => /eqP.
Qed.

Lemma key_bits t r n : N.testbit (key_from t r) n = has (fun x => N.testbit (nth N0 t x.2) n) r.
Proof.
elim: r => [|x r IHr] /=; first exact: N.bits_0.
by rewrite N.lor_spec IHr; case: (N.testbit _ _).
Qed.

Lemma table_bits g k n : (k < size cube_vertices)%N -> N.testbit (nth N0 (key_table g) k) n = N.eqb (place g k) n.
Proof.
move=> k_lt; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n N.shiftl_1_l.
exact: N.pow2_bits_eqb.
Qed.

Section TwoSupports.
Variables (r r' : seq (nat * nat)) (g g' : seq nat).
Hypothesis vertices_fine : {in cube_vertices, forall v, vertex_checked v}.
Hypotheses (r_fine : support_checked r) (g_fine : symmetry_checked g).
Hypotheses (r'_fine : support_checked r') (g'_fine : symmetry_checked g').

Lemma same_places : same_hyper (mechanism_of r g) (mechanism_of r' g') ->
  forall n, N.testbit (key_from (key_table g) r) n -> N.testbit (key_from (key_table g') r') n.
Proof.
move=> same n; rewrite !key_bits => /hasP[x x_r].
have [size_le /allP members _ _ _] := and5P r_fine; have [_ /allP members' _ _ _] := and5P r'_fine.
have /andP[_ x_lt] := members x x_r; rewrite table_bits // => /N.eqb_spec place_n.
have K_ker := support_kernel vertices_fine r_fine g_fine; have K'_ker := support_kernel vertices_fine r'_fine g'_fine.
have [[K_st _] _] := K_ker; have [[K'_st _] _] := K'_ker.
have [_ /(_ same)[KK' _]] := refinement_same_hyper (isT : (0 < 8)%N) K_st K'_st.
have [_ multiples _] := property3 (isT : (0 < 8)%N) K_ker K'_ker KK'.
pose k := index x r; have k_lt : (k < size r)%N by rewrite index_mem.
have k_lt8 : (k < 8)%N := leq_trans k_lt size_le.
have x_k : nth (0, 0)%N r (Ordinal k_lt8) = x by exact: nth_index.
have col_neq0 : exists i, mechanism_of r g i (Ordinal k_lt8) != 0.
  exists ord0; rewrite (column_entries) mulf_neq0 ?gt_eqF ?(weight_gt0 r_fine g_fine) //.
  have [_ in_V] := support_member r_fine g_fine (k := Ordinal k_lt8) k_lt.
  have /and5P[_ _ /allP/(_ _ (in_inputs ord0))/andP[pos _] _ _] := vertices_fine in_V.
  by rewrite ltr0n.
have [z [c K_def]] := multiples _ col_neq0.
have [z_lt|z_out] := ltnP z (size r'); last first.
  by have [i] := col_neq0; rewrite K_def (column_out) // mulr0 eqxx.
have [_ u_V] := support_member r_fine g_fine (k := Ordinal k_lt8) k_lt.
have [_ v_V] := support_member r'_fine g'_fine z_lt.
pose w := (nth (0, 0)%N r (Ordinal k_lt8)).1%:R / (row_total r 0)%:R : R.
have w_neq0 : w != 0 by rewrite gt_eqF // (weight_gt0 r_fine g_fine).
have same_vertex := vertices_once (vertices_fine u_V) (vertices_fine v_V)
  (c := w^-1 * (c * ((nth (0, 0)%N r' z).1%:R / (row_total r' 0)%:R))).
apply/hasP; exists (nth (0, 0)%N r' z); first exact: mem_nth.
have /andP[_ z_x_lt] := members' _ (mem_nth (0, 0)%N z_lt).
rewrite table_bits //; apply/N.eqb_spec; rewrite -place_n /place -x_k same_vertex // => i.
by apply: (mulfI w_neq0); rewrite -(column_entries) K_def (column_entries) !mulrA divff // mul1r.
Qed.

End TwoSupports.

Lemma without_repetition_sub last s : {subset without_repetition last s <= s}.
Proof.
elim: s last => [|x s IHs] last //= y; case: (N.eqb x.1 last) => [/IHs|]; first by rewrite inE orbC => ->.
by rewrite !inE => /orP[-> //|/IHs ->]; rewrite orbT.
Qed.

Lemma image_of (ss : seq (seq (nat * nat))) (gs : seq (seq nat)) (x : image) :
  x \in flatten [seq let t := key_table g in [seq (key_from t r, (r, g)) | r <- ss] | g <- gs] ->
  exists r g, [/\ r \in ss, g \in gs & x = (key_from (key_table g) r, (r, g))].
Proof. by case/flattenP=> s /mapP[g g_in ->] /mapP[r r_in ->]; exists r, g. Qed.

Lemma chosen_from (leT : rel image) (l : seq image) (x : image) : x \in without_repetition N0 (sort leT l) -> x \in l.
Proof. by move/without_repetition_sub; rewrite mem_sort. Qed.

Lemma chosen_image (x : image) : x \in chosen ->
  exists r g, [/\ r \in cube_supports, g \in symmetries & x = (key_from (key_table g) r, (r, g))].
Proof.
rewrite /chosen => x_in; apply: image_of; move: x_in; rewrite /images.
by move: (flatten _) => l; exact: chosen_from.
Qed.

(* A list of images with increasing keys. *)
Section Images.
Variable l : seq image.
Hypothesis vertices_fine : {in cube_vertices, forall v, vertex_checked v}.
Hypothesis images_fine : {in l, forall x : image, exists r g,
  [/\ support_checked r, symmetry_checked g & x = (key_from (key_table g) r, (r, g))]}.
Hypothesis l_sorted : sorted less_key l.
Local Notation s := [seq mechanism_of x.2.1 x.2.2 | x <- l].

Lemma images_kernel : {in s, forall K, kernel cube_level K}.
Proof. by move=> K /mapP[x /images_fine[r [g [r_ok g_ok ->]]] ->]; exact: support_kernel. Qed.

Lemma images_differ i j : (i < size s)%N -> (j < size s)%N -> same_hyper (nth 0 s i) (nth 0 s j) -> i = j.
Proof.
pose x0 : image := (N0, ([::], [::])).
have keys i' j' : (i' < size s)%N -> (j' < size s)%N -> same_hyper (nth 0 s i') (nth 0 s j') ->
    (nth x0 l i').1 = (nth x0 l j').1.
  rewrite size_map => i_lt j_lt; rewrite !(nth_map x0) //.
  have [r [g [r_ok g_ok ->]]] := images_fine (mem_nth x0 i_lt).
  have [r' [g' [r'_ok g'_ok ->]]] := images_fine (mem_nth x0 j_lt) => /= same.
  have same' : same_hyper (mechanism_of r' g') (mechanism_of r g) by move=> pi pi_dist d; rewrite same.
  by apply: N.bits_inj => n; apply/idP/idP; apply: same_places.
have tr : transitive less_key.
  by move=> y x z /N.ltb_spec0 xy /N.ltb_spec0 yz; apply/N.ltb_spec0; exact: N.lt_trans xy yz.
have less i' j' : (i' < j')%N -> (j' < size s)%N -> (nth x0 l i').1 <> (nth x0 l j').1.
  rewrite size_map => ij j_lt same.
  have := sorted_ltn_nth tr x0 l_sorted; move=> /(_ i' j'); rewrite !inE (ltn_trans ij j_lt) j_lt => /(_ isT isT ij).
  by rewrite /less_key same N.ltb_irrefl.
move=> i_lt j_lt same; case: (ltngtP i j) => // [ij|ji].
  by case: (less i j ij j_lt); exact: keys.
by case: (less j i ji i_lt); symmetry; exact: keys.
Qed.

End Images.

Lemma vertices_checked : all vertex_checked cube_vertices.
Proof. by vm_compute. Qed.

Lemma symmetries_checked : all symmetry_checked symmetries.
Proof. by vm_compute. Qed.

Lemma supports_checked : all support_checked cube_supports.
Proof. by vm_compute. Qed.

Lemma chosen_sorted : sorted less_key chosen.
Proof. by vm_compute. Qed.

Lemma chosen_size : (29 * 1000 < size chosen)%N.
Proof. by vm_compute. Qed.

(* Section 8.4. *)
Theorem cube_kernels : exists s : seq 'M[R]_8, [/\ (29 * 1000 < size s)%N, {in s, forall K, kernel cube_level K} &
  forall i j, (i < size s)%N -> (j < size s)%N -> same_hyper (nth 0 s i) (nth 0 s j) -> i = j].
Proof.
have images_fine : {in chosen, forall x : image, exists r g,
    [/\ support_checked r, symmetry_checked g & x = (key_from (key_table g) r, (r, g))]}.
  move=> x /chosen_image[r [g [r_in g_in ->]]]; exists r, g; split; last by [].
    exact: (allP supports_checked r r_in).
  exact: (allP symmetries_checked g g_in).
exists [seq mechanism_of x.2.1 x.2.2 | x <- chosen]; split.
- by rewrite size_map; exact chosen_size.
- exact: (images_kernel (fun v => allP vertices_checked v) images_fine).
exact: (images_differ (fun v => allP vertices_checked v) images_fine chosen_sorted).
Qed.

End Kernels.
