(* SPDX-License-Identifier: MIT *)
(* A bound of the losses of every mechanism of a type (SPEC, section 4.14, "Bounds"), on integers.            *)
(*                                                                                                            *)
(*   type_bound    sum_k min_g sum_x w_kx l(x,g) v_x >= sum_x y_x v_x for every ray v                         *)
(*   type_boundP   then of every mechanism of the type the losses under the priors w_k, whatever the answers, *)
(*                 add up to sum y at least                                                                   *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism PostProcessing MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Dense Syntax Meaning Tables VertexRays RayList.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition product_Z (x y : seq Z) : Z := sum_Z [seq (u.1 * u.2)%Z | u <- zip x y].

Definition least_of (s : seq Z) : Z := if s is z :: s' then foldr Z.min z s' else 0%Z.

(* What each guess costs at each input, under each prior. *)
Definition costs_of (p m n : nat) (L W : integers) : seq (seq (seq Z)) :=
  [seq [seq [seq (at_index (line_of W k) i * at_index (line_of L i) g)%Z | i <- iota 0 p] | g <- iota 0 m] | k <- iota 0 n].

Definition type_bound (p m : nat) (rays : seq (seq Z)) (L : integers) (ws : seq vector) (y : vector) : bool :=
  let W := cleared ws in let costs := costs_of p m (size ws) L W in
  let target := [seq at_index (terms y) i | i <- iota 0 p] in
  all (fun v => scaling W * scaling L * product_Z target v <=?
                Zpos (unit y) * sum_Z [seq least_of [seq product_Z c v | c <- cs] | cs <- costs])%Z rays.

Section TypeBound.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma sum_Z_cons z s : sum_Z (z :: s) = (z + sum_Z s)%Z.
Proof.
rewrite /sum_Z [LHS]/=; elim: s z => [|u s IHs] z; first by rewrite Z.add_0_r.
by rewrite ![foldl _ _ (u :: s)]/= IHs [foldl _ u s]IHs Z.add_assoc.
Qed.

Lemma product_iota f k p v : of_Z (product_Z [seq f i | i <- iota k p] v) = \sum_(i < p) of_Z (f (k + i)%N) * of_Z (at_place v i).
Proof.
elim: p k v => [|p IHp] k v; first by rewrite big_ord0 /=; case: v.
rewrite big_ord_recl addn0; case: v => [|z v].
  by rewrite /at_place [nth _ _ _]/= mulr0 add0r big1 // => i _; rewrite nth_nil mulr0.
rewrite /product_Z [zip _ _]/= map_cons sum_Z_cons of_ZD of_ZM; congr (_ + _).
by rewrite -/(product_Z _ _) IHp; apply: eq_bigr => i _; rewrite addSnnS.
Qed.

Lemma least_of_le s j : (j < size s)%N -> (least_of s <= nth 0 s j)%Z.
Proof.
case: s => [|z s] //=; have le_z s' : (foldr Z.min z s' <= z)%Z by elim: s' => [|u s' IHs] /=; lia.
case: j => [|j] //=; rewrite ltnS; elim: s j => [|u s IHs] [|j] //= j_s; first by lia.
by have := IHs j j_s; lia.
Qed.

Lemma at_costs p m n L W k g v : (k < n)%N -> (g < m)%N ->
  nth 0%Z [seq product_Z c v | c <- nth [::] (costs_of p m n L W) k] g =
  product_Z [seq (at_index (line_of W k) i * at_index (line_of L i) g)%Z | i <- iota 0 p] v.
Proof.
move=> k_n g_m; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
by rewrite (nth_map [::]) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota // add0n.
Qed.

Theorem type_boundP near a p m L ws y q (l : 'M[R]_(p, m)) (M : 'M[R]_(p, q)) (f : 'I_(size ws) -> 'I_q -> 'I_m) :
  has_ray_list near a p -> represents L l -> type_bound p m (ray_list near a p) L ws y ->
  mechanism_for near (of_Q a) M ->
  \sum_(i < p) vector_entry R y i <=
  \sum_(k < size ws) bayes_loss (fun i => vector_entry R (nth (Vector 1 [::]) ws k) i) l (M *m remap R (f k)).
Proof.
move=> listed [L_gt0 l_L] /all_In bound [[M_ge0 M_sum1] M_priv].
pose w (k : 'I_(size ws)) (i : 'I_p) := vector_entry R (nth (Vector 1 [::]) ws k) i.
pose c j (i : 'I_p) := \sum_k w k i * l i (f k j) - vector_entry R y i.
have -> : \sum_(i < p) vector_entry R y i = \sum_j \sum_(i < p) vector_entry R y i * M i j.
  by rewrite exchange_big; apply: eq_bigr => i _ /=; rewrite -mulr_sumr M_sum1 mulr1.
have -> : \sum_k bayes_loss (w k) l (M *m remap R (f k)) = \sum_j \sum_i (\sum_k w k i * l i (f k j)) * M i j.
  rewrite /bayes_loss; under eq_bigr => k _ do under eq_bigr => i _ do rewrite loss_remap mulr_sumr.
  under eq_bigr => k _ do rewrite exchange_big /=.
  rewrite exchange_big; apply: eq_bigr => j _ /=; rewrite exchange_big; apply: eq_bigr => i _ /=.
  by rewrite mulr_suml; apply: eq_bigr => k _; by_ring R.
rewrite -subr_ge0 -sumrB; apply: sumr_ge0 => j _; rewrite -sumrB.
have -> : \sum_i ((\sum_k w k i * l i (f k j)) * M i j - vector_entry R y i * M i j) = \sum_i c j i * M i j.
  by apply: eq_bigr => i _; rewrite -mulrBl.
apply: (cone_bound listed) => [v v_in|i|]; [|exact: M_ge0|]; last first.
  by move=> i i' d r ii'; rewrite !mxE; exact: M_priv.
have := bound v v_in; set W := cleared ws.
have W_gt0 : 0 < of_Z (scaling W) by apply: of_Z_gt0; exact: common_gt0.
have y_gt0 := of_Z_pos R (unit y).
rewrite -(of_Z_le R) !of_ZM product_iota => le.
have {le} : of_Z (scaling W) * of_Z (scaling L) * (\sum_(i < p) of_Z (at_index (terms y) i) * of_Z (at_place v i)) <=
    of_Z (Zpos (unit y)) * \sum_(k < size ws) \sum_(i < p) of_Z (at_index (line_of W k) i) *
      of_Z (at_index (line_of L i) (f k j)) * of_Z (at_place v i).
  apply: le_trans le _; rewrite ler_wpmul2l ?(ltW y_gt0) // /costs_of -map_comp sum_Z_iota.
  apply: ler_sum => k _; have := @at_costs p m (size ws) L W k (f k j) v (ltn_ord _) (ltn_ord _).
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n => at_k.
  set cs := [seq [seq _ | i <- iota 0 p] | g <- iota 0 m] in at_k *.
  apply: (@le_trans _ _ (of_Z (nth 0%Z [seq product_Z c v | c <- cs] (f k j)))).
    by rewrite of_Z_le; apply/Z.leb_le/least_of_le; rewrite !size_map size_iota.
  by rewrite at_k product_iota; apply: ler_sum => i _; rewrite of_ZM.
rewrite -subr_ge0 => ge0.
have D_gt0 : 0 < of_Z (scaling W) * of_Z (scaling L) * of_Z (Zpos (unit y)) by rewrite !mulr_gt0.
rewrite -(pmulr_rge0 _ D_gt0); apply: le_trans ge0 _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
have w_is k i : w k i = of_Z (at_index (line_of W k) i) / of_Z (scaling W) by rewrite /w -cleared_entry.
rewrite /c /vector_entry; set sW := of_Z (scaling W) in W_gt0 D_gt0 w_is *.
set sy := of_Z (Zpos (unit y)) in y_gt0 D_gt0 *.
rewrite exchange_big !mulr_sumr -sumrB; apply: eq_bigr => i _ /=.
under [in RHS]eq_bigr => k _ do rewrite w_is l_L.
have -> : \sum_(k < size ws) of_Z (at_index (line_of W k) i) / sW * (of_Z (at_index (line_of L i) (f k j)) / of_Z (scaling L)) =
    (\sum_(k < size ws) of_Z (at_index (line_of W k) i) * of_Z (at_index (line_of L i) (f k j))) / (sW * of_Z (scaling L)).
  by rewrite mulr_suml; apply: eq_bigr => k _; by_field R; split; apply/eqP; rewrite gt_eqF.
have -> : \sum_(k < size ws) of_Z (at_index (line_of W k) i) * of_Z (at_index (line_of L i) (f k j)) * of_Z (at_place v i) =
    (\sum_(k < size ws) of_Z (at_index (line_of W k) i) * of_Z (at_index (line_of L i) (f k j))) * of_Z (at_place v i).
  by rewrite mulr_suml.
by by_field R; do ?split; apply/eqP; rewrite gt_eqF.
Qed.

End TypeBound.
