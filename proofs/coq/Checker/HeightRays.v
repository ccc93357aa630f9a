(* SPDX-License-Identifier: MIT *)
(* Heights are the vertices: every vertex is a^(h/L) on its support, up to a factor.                          *)
(*                                                                                                            *)
(* L is a common multiple of the denominators of the distances, and a link (i, j, D) is a pair at distance    *)
(* D/L.  R contains the numbers a^d; it need not contain a^(1/L), so that v_i^L = a^h_i is what is said.      *)
(*   vertex_of_ray, ray_of_vertex   rays are the multiples of vertices, in the words of VertexRays.v          *)
(*   power_z a z        a^z for an integer z                                                                  *)
(*   shape h v          v_i^L = a^h_i > 0 where i has a height, v_i = 0 elsewhere                             *)
(*   heights_ray        heights of Heights.v have the shapes of rays                                          *)
(*   ray_heights        every ray is a multiple of one                                                        *)
(*   shape_exists, shape_once   and heights and rays determine each other                                     *)
(*   rays_numbered      so a complete list of heights is one of rays, one for each direction                  *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From Coq Require List.
From ExactDP Require Import OrderedField Mechanism MatrixGame Rays ConnectedRays.
From ExactDP.Checker Require Import Numbers Rows Syntax Reader Meaning VertexRays Listing Heights.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Vertices.
Variables (R : realFieldType) (near : neighbours) (p : nat) (a : R) (e : 'I_p -> 'I_p -> R).
Hypothesis e_levels : levels near a e.

Lemma vertex_of_ray v : ray e v -> vertex near a (fun i => (\sum_j v j)^-1 * v i).
Proof. by move=> v_ray; have [v_priv v_neq0 _] := v_ray; exact/(vertex_ray e_levels v_priv v_neq0). Qed.

Lemma ray_of_vertex v : vertex near a v -> \sum_i v i = 1 /\ ray e v.
Proof.
move=> v_vertex; have [[[v_ge0 v_sum] v_le] v_ext] := (vertex_levels e_levels v).1 v_vertex; split=> //.
have v_priv : private_vector e v by split.
have v_neq0 : exists i, v i != 0.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP zero.
  by move/eqP: v_sum; rewrite big1 ?(eq_sym 0) ?oner_eq0 // => i _; have := zero i; rewrite negbK => /eqP.
have same i : (\sum_j v j)^-1 * v i = v i by rewrite v_sum invr1 mul1r.
apply/(ray_vertex v_priv v_neq0); split=> [|x y t x_in y_in t_in v_def i].
  split=> [|i j]; last by rewrite !same.
  by split=> [i|]; [rewrite same | under eq_bigr => i _ do rewrite same].
by rewrite same; apply: v_ext x_in y_in t_in _ i => j; rewrite -same.
Qed.

Lemma unit_vertex v : \sum_i v i = 1 -> ray e v -> vertex near a v.
Proof.
move=> v_sum v_ray; have [v_priv v_neq0 _] := v_ray; apply/(vertex_levels e_levels).
have [[_ _] v_ext] := (ray_vertex v_priv v_neq0).1 v_ray; have [v_ge0 v_le] := v_priv.
have same i : (\sum_j v j)^-1 * v i = v i by rewrite v_sum invr1 mul1r.
split=> // x y t x_in y_in t_in v_def i; rewrite -same; apply: v_ext x_in y_in t_in _ i => j.
by rewrite same.
Qed.
End Vertices.

Section Powers.
Variables (R : realFieldType) (a : R).
Hypothesis a_gt0 : 0 < a.

Definition power_z (z : Z) : R :=
  match z with
  | Z0 => 1
  | Zpos n => a ^+ Pos.to_nat n
  | Zneg n => (a ^+ Pos.to_nat n)^-1
  end.

Lemma power_z_difference m n : power_z (Z.of_nat m - Z.of_nat n)%Z = a ^+ m / a ^+ n.
Proof.
have nat_power k : power_z (Z.of_nat k) = a ^+ k by case: k => [|k] //=; rewrite SuccNat2Pos.id_succ.
have opp_power k : power_z (- Z.of_nat k)%Z = (a ^+ k)^-1.
  by case: k => [|k] /=; rewrite ?invr1 // SuccNat2Pos.id_succ.
have a_neq0 k : a ^+ k != 0 by rewrite expf_neq0 // gt_eqF.
have [nm|mn] := leqP n m.
  have -> : (Z.of_nat m - Z.of_nat n)%Z = Z.of_nat (m - n) by rewrite Nat2Z.inj_sub //; apply/ssrnat.leP.
  by rewrite nat_power -{2}(subnK nm) exprD mulfK.
have -> : (Z.of_nat m - Z.of_nat n)%Z = (- Z.of_nat (n - m))%Z.
  by rewrite Nat2Z.inj_sub; [lia | apply/ssrnat.leP; exact: ltnW].
by rewrite opp_power -{2}(subnK (ltnW mn)) exprD invfM mulrCA divff // mulr1.
Qed.

Lemma power_zD x y : power_z (x + y)%Z = power_z x * power_z y.
Proof.
have [m [n ->]] := Z_difference x; have [k [l ->]] := Z_difference y.
have -> : (Z.of_nat m - Z.of_nat n + (Z.of_nat k - Z.of_nat l) = Z.of_nat (m + k) - Z.of_nat (n + l))%Z.
  by rewrite !Nat2Z.inj_add; lia.
by rewrite !power_z_difference !exprD invfM mulrACA.
Qed.

Lemma power_z_gt0 z : 0 < power_z z.
Proof. by case: z => [|n|n] /=; rewrite ?ltr01 ?invr_gt0 ?exprn_gt0. Qed.

Lemma power_z_nat z : (0 <= z)%Z -> power_z z = a ^+ Z.to_nat z.
Proof. by case: z. Qed.

Hypothesis a_lt1 : a < 1.

Lemma power_z_le x y : (power_z x <= power_z y) = (y <=? x)%Z.
Proof.
have [z ->] : exists z, x = (y + z)%Z by exists (x - y)%Z; lia.
rewrite power_zD -[X in _ <= X]mulr1 ler_pmul2l ?power_z_gt0 //.
have -> : (y <=? y + z)%Z = (0 <=? z)%Z by case: Z.leb_spec => ?; case: Z.leb_spec => ? //; lia.
case: z => [|n|n] /=; first by rewrite lexx.
  by rewrite exprn_ile1 // ltW.
by apply/negbTE; rewrite -ltNge invf_gt1 ?exprn_gt0 // exprn_ilt1 //; [case: (Pos2Nat.is_succ n) => k -> | exact: ltW].
Qed.

Lemma power_z_eq x y : (power_z x == power_z y) = (x =? y)%Z.
Proof.
rewrite eq_le !power_z_le; apply/andP/idP => [[/Z.leb_le ? /Z.leb_le ?]|/Z.eqb_eq ->]; last by rewrite Z.leb_refl.
by apply/Z.eqb_eq; lia.
Qed.

Lemma power_z_inj x y : power_z x = power_z y -> x = y.
Proof. by move/eqP; rewrite power_z_eq => /Z.eqb_eq. Qed.
End Powers.

Lemma power_z_power (R : realFieldType) (b : R) n z : power_z b z ^+ n = power_z (b ^+ n) z.
Proof. by case: z => [|m|m] /=; rewrite ?expr1n ?exprVn // exprAC. Qed.

Section Rays.
Variables (R : realFieldType) (near : neighbours) (p : nat) (a : R) (e : 'I_p -> 'I_p -> R) (L : nat) (links : seq link).
Hypotheses (a_gt0 : 0 < a) (a_lt1 : a < 1) (L_gt0 : (0 < L)%N).
Hypothesis link_gt0 : forall l, List.In l links -> (0 < l.2)%Z.
Implicit Types v : 'I_p -> R.
Local Notation powers := (power_z a).

(* The links are the constrained pairs, and e their levels. *)
Hypothesis e_ge0 : forall i j, 0 <= e i j.
Hypothesis link_level : forall i j : 'I_p, e i j != 0 ->
  exists2 l, List.In l links & (l.1 = (val i, val j) \/ l.1 = (val j, val i)) /\ e i j ^+ L = powers l.2.
Hypothesis level_link : forall l, List.In l links -> exists i j : 'I_p,
  [/\ l.1 = (val i, val j), e i j != 0, e i j ^+ L = powers l.2, e j i != 0 & e j i ^+ L = powers l.2].

Definition shape (h : heights) v := forall i : 'I_p,
  match height h i with Some z => 0 < v i /\ v i ^+ L = powers z | None => v i = 0 end.

Lemma pair_le (x y d : Z) (u v w : R) : 0 < u -> 0 < v -> 0 < w -> u ^+ L = powers x -> v ^+ L = powers y -> w ^+ L = powers d ->
  (w * v <= u) = (x <=? d + y)%Z.
Proof.
move=> u_gt0 v_gt0 w_gt0 ux vy wd.
have -> : (w * v <= u) = ((w * v) ^+ L <= u ^+ L) by rewrite ler_pexpn2r // ?nnegrE ?mulr_ge0 // ltW.
by rewrite exprMn ux vy wd -power_zD // power_z_le.
Qed.

Lemma pair_eq (x y d : Z) (u v w : R) : 0 < u -> 0 < v -> 0 < w -> u ^+ L = powers x -> v ^+ L = powers y -> w ^+ L = powers d ->
  (u == w * v) = (x =? d + y)%Z.
Proof.
move=> u_gt0 v_gt0 w_gt0 ux vy wd.
have -> : (u == w * v) = (u ^+ L == (w * v) ^+ L) by rewrite eqr_expn2 // ?mulr_ge0 // ltW.
by rewrite exprMn ux vy wd -power_zD // power_z_eq.
Qed.

Lemma e_gt0 i j : e i j != 0 -> 0 < e i j.
Proof. by move=> e_neq0; rewrite lt_neqAle eq_sym e_neq0 e_ge0. Qed.

Lemma height_lt r h (i : nat) : rooted p r h -> isSome (height h i) -> (i < p)%N.
Proof. by case=> h_p _ _; case: ltnP => // p_i; rewrite /height nth_default ?h_p. Qed.

(* Tight links are tight pairs. *)
Lemma tight_shape h v l : shape h v -> List.In l links -> is_tight h l ->
  exists i j : 'I_p, l.1 = (val i, val j) /\ tight_pair e v i j.
Proof.
move=> hv l_in; have [i [j [l_ij eij eij_L eji eji_L]]] := level_link l_in.
rewrite /is_tight l_ij /=; have := hv i; have := hv j.
case: (height h j) => [y|]; case: (height h i) => [x|] // [vj vjy] [vi vix] /Z.eqb_eq xy; exists i, j; split=> //.
have [vi_neq0 vj_neq0] : v i != 0 /\ v j != 0 by rewrite !gt_eqF.
rewrite /tight_pair vi_neq0 vj_neq0 /= (pair_eq vi vj (e_gt0 eij) vix vjy eij_L) (pair_eq vj vi (e_gt0 eji) vjy vix eji_L).
have [->|->] : (x = l.2 + y \/ y = l.2 + x)%Z by lia.
  by rewrite Z.eqb_refl.
by rewrite Z.eqb_refl orbT.
Qed.

Theorem heights_ray r h v : (r < p)%N -> vertex_heights p links r h -> shape h v -> ray e v.
Proof.
move=> r_p [h_root /all_In h_kept h_link] hv; have [h_p hr _] := h_root; pose r0 := Ordinal r_p.
have v_ge0 i : 0 <= v i by have := hv i; case: (height h i) => [z [/ltW]|->].
have v_neq0 i : v i != 0 -> isSome (height h i) by have := hv i; case: (height h i) => // ->; rewrite eqxx.
have vr_neq0 : v r0 != 0 by have := hv r0; rewrite hr => -[/gt_eqF ->].
have v_priv : private_vector e v.
  split=> // i j; have [->|eij] := eqVneq (e i j) 0; first by rewrite mul0r.
  have [l l_in [l_ij eij_L]] := link_level eij.
  have kept : is_kept h (val i, val j, l.2).
    move: (h_kept l l_in); rewrite /is_kept; case: l_ij => ->; rewrite //=.
    by case: (height h i) => [x|]; case: (height h j) => [y|] //; rewrite -Z.abs_opp Z.opp_sub_distr Z.add_comm Z.add_opp_r.
  have := hv i; have := hv j; move: kept; rewrite /is_kept /=.
  case: (height h i) => [x|]; case: (height h j) => [y|] //; last by move=> _ -> ->; rewrite mulr0.
  move=> /Z.leb_le xy [vj vjy] [vi vix]; rewrite (pair_le vi vj (e_gt0 eij) vix vjy eij_L).
  by apply/Z.leb_le; lia.
apply: connected_ray => // [|i j vi vj]; first by exists r0.
have sym := sym_connect_sym (@tight_pair_sym _ _ e v).
suff from_r k : v k != 0 -> connect (tight_pair e v) r0 k by apply: connect_trans (from_r j vj); rewrite sym from_r.
move=> /v_neq0; pose S (m : nat) := [exists k : 'I_p, (val k == m) && connect (tight_pair e v) r0 k].
have S_val (m : 'I_p) : S m = connect (tight_pair e v) r0 m.
  by apply/existsP/idP => [[n /andP[/eqP/val_inj ->]]//|c]; exists m; rewrite eqxx.
rewrite -S_val; apply: (h_link (fun m => S m)); first by rewrite -[r]/(val r0) S_val connect0.
move=> l l_in /(tight_shape hv l_in)[m [n [-> mn]]]; rewrite !S_val.
by rewrite (same_connect_r sym (connect1 mn)).
Qed.

(* Heights have shapes: the root of a^z is a product of levels along tight links. *)
Theorem shape_exists r h : (r < p)%N -> vertex_heights p links r h -> exists v, shape h v.
Proof.
move=> r_p [h_root _ h_link]; have [h_p hr _] := h_root; pose r0 := Ordinal r_p.
pose rooted_at (i : 'I_p) := if height h i is Some z then exists2 y : R, 0 < y & y ^+ L = powers z else True.
have step (i j : 'I_p) d z : e i j != 0 -> e i j ^+ L = powers d -> height h j = Some z -> height h i = Some (d + z)%Z ->
    rooted_at i <-> rooted_at j.
  move=> eij eij_L hj hi; rewrite /rooted_at hi hj; have e_gt0_ij := e_gt0 eij.
  split=> -[y y_gt0 y_L].
    exists (y / e i j); first by rewrite divr_gt0.
    by rewrite expr_div_n y_L eij_L power_zD // mulrAC divff ?mul1r // gt_eqF // power_z_gt0.
  by exists (e i j * y); rewrite ?mulr_gt0 // exprMn y_L eij_L power_zD.
have all_rooted i : rooted_at i.
  rewrite /rooted_at; case hi: (height h i) => [z|] //.
  suff : forall k : 'I_p, val k = val i -> rooted_at k by move=> /(_ i erefl); rewrite /rooted_at hi.
  apply: (h_link (fun m => forall k : 'I_p, val k = m -> rooted_at k)); rewrite ?hi //.
    by move=> k k_r; rewrite /rooted_at k_r hr; exists 1; rewrite ?ltr01 // expr1n.
  move=> l l_in; have [m [n [l_mn emn emn_L enm enm_L]]] := level_link l_in.
  rewrite /is_tight l_mn /=; case hm: (height h m) => [x|] //; case hn: (height h n) => [y|] // /Z.eqb_eq xy.
  have mn : rooted_at m <-> rooted_at n.
    have [xy'|yx] : (x = l.2 + y \/ y = l.2 + x)%Z by lia.
      by apply: (step m n l.2 y); rewrite // hm xy'.
    by apply: iff_sym; apply: (step n m l.2 x); rewrite // hn yx.
  by split=> at_ k k_is; have -> : k = _ := val_inj k_is; apply/mn/at_.
pose has_shape (i : 'I_p) (y : R) := match height h i with Some z => 0 < y /\ y ^+ L = powers z | None => y = 0 end.
suff [v v_def] : exists v : 'I_p -> R, forall i, has_shape i (v i) by exists v.
apply: (@fin_all_exists _ (fun=> R) has_shape) => i.
by have := all_rooted i; rewrite /rooted_at /has_shape; case: (height h i) => [z [y y_gt0 y_L]|_]; [exists y | exists 0].
Qed.

(* They are determined by each other. *)
Lemma shape_once h u v : shape h u -> shape h v -> u =1 v.
Proof.
move=> hu hv i; have := hu i; have := hv i; case: (height h i) => [z [v_gt0 vz] [u_gt0 uz]|-> -> //].
by apply/eqP; rewrite -(@eqr_expn2 _ L) ?ltW // uz vz.
Qed.

Lemma heights_once r r' h h' u v c : (r < p)%N -> (r' < p)%N -> vertex_heights p links r h -> vertex_heights p links r' h' ->
  shape h u -> shape h' v -> (forall i, u i = c * v i) -> h = h'.
Proof.
move=> r_p r'_p [[h_p hr h_none] _ _] [[h'_p hr' h'_none] _ _] hu hv uv.
pose r0 := Ordinal r_p; pose r1 := Ordinal r'_p.
have ur0 : 0 < u r0 by have := hu r0; rewrite hr => -[].
have vr1 : 0 < v r1 by have := hv r1; rewrite hr' => -[].
have v_ge0 i : 0 <= v i by have := hv i; case: (height h' i) => [z [/ltW]|->].
have c_gt0 : 0 < c.
  by have := ur0; rewrite uv; case: (ltrgtP c 0) => // [c_lt0|->]; rewrite ?mul0r ?ltxx // ltNge mulr_le0_ge0 // ltW.
have both (i : 'I_p) : isSome (height h i) = isSome (height h' i).
  have := hu i; have := hv i; rewrite uv; case: (height h i) => [x|]; case: (height h' i) => [y|] //.
    by move=> -> [+ _]; rewrite mulr0 ltxx.
  by case=> + _ /eqP; rewrite mulf_eq0 gt_eqF //= => v_gt0; rewrite gt_eqF.
have rr' : r = r'.
  case: (ltngtP r r') => // lt.
    by have := both r0; rewrite hr /= (h'_none r lt).
  by have := both r1; rewrite hr' /= (h_none r' lt).
have h'r : height h' r = Some 0%Z by rewrite rr'.
have c1 : c ^+ L = 1.
  have := hu r0; rewrite hr uv exprMn => -[_]; have := hv r0; rewrite /= h'r => -[_ ->].
  by rewrite mulr1.
apply: (@eq_from_nth _ None) => [|i i_p]; first by rewrite h_p h'_p.
rewrite h_p in i_p; have := both (Ordinal i_p); have := hu (Ordinal i_p); have := hv (Ordinal i_p).
rewrite uv -/(height h i) -/(height h' i) /=; case: (height h i) => [x|]; case: (height h' i) => [y|] //.
by move=> [_ vy] [_]; rewrite exprMn c1 mul1r vy => /(power_z_inj a_gt0 a_lt1) ->.
Qed.

(* Every ray is a multiple of a shape. *)
Theorem ray_heights v : ray e v -> exists r h c, [/\ (r < p)%N, vertex_heights p links r h, 0 < c & shape h (fun i => c * v i)].
Proof.
move=> v_ray; have [v_priv [i0 vi0] _] := v_ray; have [v_ge0 v_le] := v_priv.
have [_ conn] := (proj1 (ray_connected e_ge0 v_priv)) v_ray.
have [r vr r_min] : exists2 r, v r != 0 & forall i : 'I_p, (i < r)%N -> v i = 0.
  case: (@arg_minnP _ i0 (fun i => v i != 0) (fun i : 'I_p => val i) vi0) => r vr r_min; exists r => // i lt.
  by apply/eqP; apply: contraTT lt => vi; rewrite -leqNgt r_min.
have v_gt0 i : v i != 0 -> 0 < v i by move=> vi; rewrite lt_neqAle eq_sym vi v_ge0.
pose u i := (v r)^-1 * v i.
have u_gt0 i : v i != 0 -> 0 < u i by move=> vi; rewrite mulr_gt0 ?invr_gt0 ?v_gt0.
have ur : u r = 1 by rewrite /u mulVf.
have u_e i j : v i = e i j * v j -> u i = e i j * u j by move=> vij; rewrite /u vij mulrCA.
(* A height for every input of the support. *)
have some_height i : v i != 0 -> exists z, u i ^+ L = powers z.
  move=> vi; have /connectP[s s_path ->] := conn r i vr vi.
  suff along j : path (tight_pair e v) j s -> (exists z, u j ^+ L = powers z) -> exists z, u (last j s) ^+ L = powers z.
    by apply: along => //; exists 0%Z; rewrite ur expr1n.
  elim: s j {s_path} => [|k s IHs] j //= /andP[/and3P[vj vk t] /IHs next] [z jz]; apply: next.
  case/orP: t => /eqP t.
    have ejk : e j k != 0 by apply: contraNneq vj => e0; rewrite t e0 mul0r.
    have [l _ [_ l_L]] := link_level ejk; exists (z - l.2)%Z.
    have e_L_neq0 : e j k ^+ L != 0 by rewrite expf_neq0.
    by apply: (mulfI e_L_neq0); rewrite -exprMn -(u_e j k t) jz l_L -power_zD //; congr power_z; lia.
  have ekj : e k j != 0 by apply: contraNneq vk => e0; rewrite t e0 mul0r.
  have [l _ [_ l_L]] := link_level ekj; exists (l.2 + z)%Z.
  by rewrite (u_e k j t) exprMn l_L jz -power_zD.
pose has_height (i : 'I_p) o := match o with Some z => 0 < u i /\ u i ^+ L = powers z | None => u i = 0 end.
have [f f_def] : exists f : 'I_p -> option Z, forall i, has_height i (f i).
  apply: (@fin_all_exists _ (fun=> option Z) has_height) => i.
  have [vi0'|vi] := eqVneq (v i) 0; first by exists None; rewrite /has_height /u vi0' mulr0.
  by have [z iz] := some_height i vi; exists (Some z); split=> //; exact: u_gt0.
rewrite /has_height in f_def; pose h := [seq f i | i <- enum 'I_p].
have h_f (i : 'I_p) : height h i = f i by rewrite /height (nth_map i) ?size_enum_ord // nth_ord_enum.
have h_shape : shape h u by move=> i; rewrite h_f; exact: f_def.
have vr1_gt0 : 0 < (v r)^-1 by rewrite invr_gt0 v_gt0.
have f_none i : v i = 0 -> f i = None.
  by move=> vi; have := f_def i; rewrite /u vi mulr0; case: (f i) => // z; rewrite ltxx => -[].
have h_root : rooted p r h.
  split=> [||i i_r]; first by rewrite size_map size_enum_ord.
    rewrite h_f; have := f_def r; rewrite ur; case: (f r) => [z [_]|/eqP]; last by rewrite oner_eq0.
    by rewrite expr1n -[1]/(powers 0%Z) => /(power_z_inj a_gt0 a_lt1) <-.
  have i_p : (i < p)%N by rewrite (ltn_trans i_r).
  by rewrite -[i]/(val (Ordinal i_p)) h_f f_none // r_min.
exists r, h, (v r)^-1; split=> //; split=> //.
  apply/all_In => l l_in; have [i [j [l_ij eij eij_L eji eji_L]]] := level_link l_in.
  rewrite /is_kept l_ij /= !h_f; have := f_def i; have := f_def j.
  have u_le (m n : 'I_p) : e m n * u n <= u m by rewrite /u mulrCA ler_pmul2l ?invr_gt0 ?v_gt0.
  case: (f i) => [x|]; case: (f j) => [y|] //.
  - move=> [uj ujy] [ui uix]; apply/Z.leb_le.
    have := u_le i j; have := u_le j i; rewrite (pair_le ui uj (e_gt0 eij) uix ujy eij_L) (pair_le uj ui (e_gt0 eji) ujy uix eji_L).
    by move=> /Z.leb_le le1 /Z.leb_le le2; lia.
  - by move=> uj [ui _]; have := u_le j i; rewrite uj leNgt pmulr_rgt0 ?e_gt0 // ui.
  by move=> [uj _] ui; have := u_le i j; rewrite ui leNgt pmulr_rgt0 ?e_gt0 // uj.
move=> S Sr S_cl i hi; have i_p := height_lt h_root hi.
have vi : v (Ordinal i_p) != 0.
  by move: hi; rewrite -[i]/(val (Ordinal i_p)) h_f => f_i; apply/eqP => /f_none none; rewrite none in f_i.
have /connectP[s s_path i_def] := conn r (Ordinal i_p) vr vi.
have -> : i = val (last r s) by rewrite -i_def.
suff along j : path (tight_pair e v) j s -> S j -> S (last j s) by exact: along.
elim: s j {s_path i_def} => [|k s IHs] j //= /andP[jk /IHs next] Sj; apply: next.
have tight_link (m n : 'I_p) : v m != 0 -> v n != 0 -> v m = e m n * v n -> S m <-> S n.
  move=> vm vn mn; have emn : e m n != 0 by apply: contraNneq vm => e0; rewrite mn e0 mul0r.
  have [l l_in [l_mn l_L]] := link_level emn.
  have l_tight : is_tight h l.
    suff : is_tight h (val m, val n, l.2).
      rewrite /is_tight; case: l_mn => ->; rewrite //=.
      by case: (height h m) => [x|]; case: (height h n) => [y|] //; rewrite -Z.abs_opp Z.opp_sub_distr Z.add_comm Z.add_opp_r.
    rewrite /is_tight /= !h_f; have := f_def m; have := f_def n.
    case: (f m) => [x|]; case: (f n) => [y|]; first last.
    - by move=> _ um; have := u_gt0 m vm; rewrite um ltxx.
    - by move=> _ um; have := u_gt0 m vm; rewrite um ltxx.
    - by move=> un; have := u_gt0 n vn; rewrite un ltxx.
    move=> [un uny] [um umx]; have := pair_eq um un (e_gt0 emn) umx uny l_L.
    by rewrite (u_e m n mn) eqxx => /esym/Z.eqb_eq xy; have := link_gt0 l_in; rewrite xy => ?; apply/Z.eqb_eq; lia.
  by have := S_cl l l_in l_tight; case: l_mn => -> //= ?; exact: iff_sym.
case/and3P: jk => vj vk /orP[/eqP jk|/eqP kj]; first exact/(tight_link j k vj vk jk).
exact/(tight_link k j vk vj kj).
Qed.
(* All rays, numbered as the heights are. *)
Theorem rays_numbered (s : seq heights) q (u V : 'I_q -> 'I_p -> R) (K : 'I_q -> R) : q = size s ->
  enumerates s (fun h => exists2 r, (r < p)%N & vertex_heights p links r h) -> (forall k : 'I_q, shape (nth [::] s k) (u k)) ->
  (forall k, 0 < K k) -> (forall k i, V k i = K k * u k i) ->
  [/\ forall k, ray e (V k), forall v, ray e v -> exists k c, 0 < c /\ forall i, v i = c * V k i &
      forall k l c, (forall i, V k i = c * V l i) -> k = l].
Proof.
move=> q_s /(enumerates_numbers [::])[s_vertex s_all s_once] u_shape K_gt0 V_def.
have h_vertex (k : 'I_q) : exists2 r, (r < p)%N & vertex_heights p links r (nth [::] s k).
  by apply: s_vertex; rewrite -q_s.
split=> [k|v v_ray|k l c kl].
- have [r r_p h_r] := h_vertex k; apply: (@eq_ray _ _ _ (fun i => K k * u k i)) => //.
  by apply: ray_scale (K_gt0 k) _; exact: heights_ray r_p h_r (u_shape k).
- have [r [h [c [r_p h_r c_gt0 h_shape]]]] := ray_heights v_ray.
  have [k k_s k_h] := s_all h (ex_intro2 _ _ r r_p h_r); rewrite -q_s in k_s.
  have := u_shape (Ordinal k_s); rewrite /= k_h => u_h; have same := shape_once u_h h_shape.
  exists (Ordinal k_s), (c * K (Ordinal k_s))^-1; split=> [|i]; first by rewrite invr_gt0 mulr_gt0.
  rewrite V_def same; set x := K _; have x_gt0 : 0 < x by exact: K_gt0.
  by rewrite [x * _]mulrA [x * c]mulrC mulKf // gt_eqF // mulr_gt0.
have [r r_p h_r] := h_vertex k; have [r' r'_p h_r'] := h_vertex l.
apply/val_inj/s_once; rewrite -?q_s; [exact: ltn_ord | exact: ltn_ord |].
apply: (heights_once r_p r'_p h_r h_r' (u_shape k) (u_shape l) (c := (K k)^-1 * (c * K l))) => i.
by apply: (mulfI (lt0r_neq0 (K_gt0 k))); rewrite -V_def kl V_def !mulrA divff ?mul1r // gt_eqF.
Qed.
End Rays.
