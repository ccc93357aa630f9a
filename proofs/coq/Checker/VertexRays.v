(* SPDX-License-Identifier: MIT *)
(* The posteriors of a privacy type, the vertices among them, and how they are recognised (SPEC, section 4.14). *)
(*                                                                                                            *)
(*   posterior near a v     v is a distribution that is a-private for the pairs of near                       *)
(*   vertex near a v        and lies between no two others                                                    *)
(*   levels near a e        e_ij = a^d(i,j), and 0 for pairs that are not constrained                         *)
(*   vertex_levels          then these are the posteriors and vertices of Rays.v                              *)
(*   vertex_ray, ray_tight  a private vector v >= 0, not 0, is a multiple of a vertex exactly when the pairs  *)
(*                          that are tight in it connect its support                                          *)
(*   whole_levels           decides whether all a^d are fractions; level_at are then levels (levelsP)         *)
(* Neighbours need not be connected, and distances are any fractions.                                         *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame Rays ConnectedRays.
From ExactDP.Checker Require Import Numbers Rows Syntax Reader Meaning Tables Privacy Optimal.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- What the words mean ---- *)
Section Definitions.
Variables (R : realFieldType) (near : neighbours) (p : nat) (a : R).
Implicit Types v x y : 'I_p -> R.

(* A vector is private when it is, as a matrix of one column. *)
Definition private_column v := private_for near a (\matrix_(i < p, j < 1) v i).

Definition posterior v := distribution v /\ private_column v.

Definition vertex v := posterior v /\
  forall x y t, posterior x -> posterior y -> 0 < t < 1 -> (forall i, v i = t * x i + (1 - t) * y i) -> x =1 v.

(* The powers a^d, d = e/k, as numbers of R. *)
Definition levels (e : 'I_p -> 'I_p -> R) := forall i j : 'I_p,
  (forall d, constrained near i j d -> 0 < e i j /\ e i j ^+ Pos.to_nat (Qden d) = a ^+ Z.to_nat (Qnum d)) /\
  ((forall d, ~ constrained near i j d) -> e i j = 0).
End Definitions.

(* ---- With the levels as numbers ---- *)
Section Levels.
Variables (R : realFieldType) (near : neighbours) (p : nat) (a : R) (e : 'I_p -> 'I_p -> R).
Hypothesis e_levels : levels near a e.
Implicit Types v : 'I_p -> R.

Lemma constrained_dec i j : (exists d, constrained near i j d) \/ (forall d, ~ constrained near i j d).
Proof.
rewrite /constrained; elim: (pairs near) => [|[[x y] d] s [[d' d'_s]|none]].
- by right=> d; case.
- by left; exists d'; case: d'_s => [?|?]; [left; right | right; right].
have same (k l : N) : k = l \/ k <> l by case: (N.eq_dec k l); [left | right].
have [xi|xi] := same x (N.of_nat i); have [yj|yj] := same y (N.of_nat j).
- by left; exists d; left; left; rewrite xi yj.
all: have [xj|xj] := same x (N.of_nat j); have [yi|yi] := same y (N.of_nat i);
  try by left; exists d; right; left; rewrite xj yi.
all: right=> d'; case=> -[[x_is y_is _]|s_in]; [congruence | apply: (none d'); by left | congruence | apply: (none d'); by right].
Qed.

Lemma levels_ge0 i j : 0 <= e i j.
Proof.
have [some none] := e_levels i j.
by case: (constrained_dec i j) => [[d /some[/ltW]]|/none ->].
Qed.

Lemma private_levels m (X : 'M[R]_(p, m)) : (forall i r, 0 <= X i r) ->
  private_for near a X <-> forall i j r, e i j * X j r <= X i r.
Proof.
have root (x y : R) k : (0 < k)%N -> 0 <= x -> 0 <= y -> (x ^+ k <= y ^+ k) = (x <= y).
  by move=> k_gt0 x_ge0 y_ge0; rewrite ler_pexpn2r.
have den_gt0 d : (0 < Pos.to_nat d)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
move=> X_ge0; split=> [X_priv i j r|X_le i j d r ij].
  have [some none] := e_levels i j; case: (constrained_dec i j) => [[d ij]|/none ->]; last by rewrite mul0r.
  have [e_gt0 e_pow] := some d ij; rewrite -(root _ _ _ (den_gt0 (Qden d))) ?mulr_ge0 ?(ltW e_gt0) //.
  by rewrite exprMn e_pow; exact: X_priv.
have [/(_ d ij)[e_gt0 e_pow] _] := e_levels i j.
by rewrite -e_pow -exprMn root ?mulr_ge0 ?(ltW e_gt0).
Qed.

Lemma private_vector_levels v : (forall i, 0 <= v i) -> private_column near a v <-> private_vector e v.
Proof.
move=> v_ge0; have -> : private_column near a v <-> forall i j (r : 'I_1), e i j * v j <= v i.
  rewrite /private_column private_levels => [|i r]; last by rewrite mxE.
  by split=> le i j r; have := le i j r; rewrite !mxE.
by split=> [le|[_ le] i j r //]; split=> // i j; exact: le i j ord0.
Qed.

Lemma posterior_levels v : posterior near a v <-> in_polytope e v.
Proof.
split=> [[[v_ge0 v_sum] /private_vector_levels] | [[v_ge0 v_sum] v_le]]; first by case.
by split=> //; apply/private_vector_levels.
Qed.

Theorem vertex_levels v : vertex near a v <-> Rays.vertex e v.
Proof.
split=> -[/posterior_levels v_post v_ext]; split=> // x y t x_post y_post.
  by apply: v_ext; exact/posterior_levels.
by apply: v_ext; exact/posterior_levels.
Qed.

(* The positive multiples of vertices. *)
Theorem vertex_ray v : private_vector e v -> (exists i, v i != 0) ->
  vertex near a (fun i => (\sum_j v j)^-1 * v i) <-> ray e v.
Proof. by move=> v_priv v_neq0; rewrite vertex_levels ray_vertex. Qed.

Theorem ray_tight v : private_vector e v -> (exists i, v i != 0) ->
  ray e v <-> forall i j, v i != 0 -> v j != 0 -> connect (tight_pair e v) i j.
Proof.
move=> v_priv v_neq0; rewrite (ray_connected levels_ge0 v_priv).
by split=> [[]|].
Qed.

End Levels.

(* ---- The levels, computed ---- *)
Definition whole_levels (near : neighbours) (a : Q) : bool :=
  pairs_increase (pairs near) &&
  all (fun e : N * N * Q => let: (x, y) := power_of a e.2 in
         [&& (e.1.1 <? e.1.2)%num, is_power a e.2 x y & (0 <? x)%Z]) (pairs near).

Definition distance_at (near : neighbours) (i j : N) : option Q :=
  foldr (fun (e : N * N * Q) found =>
           if (N.eqb e.1.1 i && N.eqb e.1.2 j) || (N.eqb e.1.1 j && N.eqb e.1.2 i) then Some e.2 else found)
        None (pairs near).

Section Computed.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).

Definition power (a d : Q) : R := let: (x, y) := power_of a d in of_Z x / of_Z y.

Definition level_at (near : neighbours) (a : Q) (i j : nat) : R :=
  if distance_at near (N.of_nat i) (N.of_nat j) is Some d then power a d else 0.

Let before (x y : N * N) : Prop := (x.1 < y.1)%num \/ x.1 = y.1 /\ (x.2 < y.2)%num.

Lemma pairs_before x s : pairs_increase (x :: s) -> forall y, List.In y s -> before x.1 y.1.
Proof.
elim: s x => [|[[k l] c] s IHs] [[i j] b] //= /andP[ij_kl s_inc].
have lt : before (i, j) (k, l).
  by case/orP: ij_kl => [/N.ltb_lt|/andP[/N.eqb_eq ? /N.ltb_lt ?]]; [left | right].
move=> y [<-|/(IHs ((k, l), c) s_inc)] //=; case: y => -[m n] d; move: lt; rewrite /before /=; lia.
Qed.

Lemma pairs_once s i j d d' : pairs_increase s -> List.In (i, j, d) s -> List.In (i, j, d') s -> d = d'.
Proof.
elim: s => [|x s IHs] // s_inc; have s_inc' : pairs_increase s.
  by case: s s_inc {IHs} => [|y s] //; case: x => -[? ?] ?; case: y => -[? ?] ? /= /andP[].
have no y : List.In y s -> y.1 <> x.1.
  by move=> /(pairs_before s_inc) lt y_x; move: lt; rewrite y_x /before; lia.
case=> [x_is|ij_s]; case=> [x_is'|ij_s']; last exact: IHs.
- by move: x_is'; rewrite x_is; case.
- by have := no _ ij_s'; rewrite x_is.
- by have := no _ ij_s; rewrite x_is'.
Qed.

(* What is found is constrained, and nothing else is. *)
Lemma distance_atP near i j d : distance_at near (N.of_nat i) (N.of_nat j) = Some d -> constrained near i j d.
Proof.
rewrite /distance_at /constrained; elim: (pairs near) => [|[[x y] c] s IHs] //=; case: ifP => [|_ /IHs]; last by tauto.
by case/orP=> /andP[/N.eqb_eq -> /N.eqb_eq ->] [->]; tauto.
Qed.

Lemma distance_at_none near i j d : distance_at near (N.of_nat i) (N.of_nat j) = None -> ~ constrained near i j d.
Proof.
rewrite /distance_at /constrained; elim: (pairs near) => [|[[x y] c] s IHs] /=; first by tauto.
case: ifP => // no /IHs none [[[x_i y_j _]|]|[[x_j y_i _]|]]; try tauto.
  by move: no; rewrite x_i y_j !N.eqb_refl.
by move: no; rewrite x_j y_i !N.eqb_refl orbT.
Qed.

Lemma distance_of_constrained near a i j d : whole_levels near a -> constrained near i j d ->
  distance_at near (N.of_nat i) (N.of_nat j) = Some d.
Proof.
case/andP=> inc /all_In whole ij; case found: distance_at => [d'|]; last by have := distance_at_none found ij.
have less x y c : List.In (x, y, c) (pairs near) -> (x < y)%num.
  by move=> xy; have := whole _ xy; rewrite /=; case: (power_of a c) => u v /and3P[/N.ltb_lt].
suff -> : d' = d by [].
have := distance_atP found; rewrite /constrained; case: ij => in1; case=> in2; try exact: pairs_once inc in2 in1.
  by have := less _ _ _ in1; have := less _ _ _ in2; lia.
by have := less _ _ _ in1; have := less _ _ _ in2; lia.
Qed.

Lemma powerP near a i j d : whole_levels near a -> constrained near i j d ->
  0 < power a d /\ power a d ^+ Pos.to_nat (Qden d) = of_Q a ^+ Z.to_nat (Qnum d).
Proof.
case/andP=> _ /all_In whole ij; have := whole ((N.of_nat i, N.of_nat j), d); have := whole ((N.of_nat j, N.of_nat i), d).
have pow : (let: (x, y) := power_of a d in is_power a d x y && (0 <? x)%Z) ->
    0 < power a d /\ power a d ^+ Pos.to_nat (Qden d) = of_Q a ^+ Z.to_nat (Qnum d).
  rewrite /power; case: (power_of a d) => x y /andP[/and5P[/Z.leb_le d_ge0 _ /Z.ltb_lt y_gt0 /Z.eqb_eq x_is /Z.eqb_eq y_is]].
  move=> /Z.ltb_lt x_gt0; split; first by rewrite divr_gt0 // of_Z_gt0.
  by rewrite /of_Q !expr_div_n -!of_ZX_pos x_is y_is -!of_ZX Z2Nat.id.
by case: ij => ij; [move=> _ /(_ ij) | move=> /(_ ij) + _]; rewrite [is_true _]/=;
  case E: (power_of a d) => [x y] => /and3P[_ x_y x_gt0]; apply: pow; apply/andP.
Qed.

Theorem levelsP near a p : whole_levels near a -> levels near (of_Q a) (fun i j : 'I_p => level_at near a i j).
Proof.
move=> whole i j; rewrite /level_at; split=> [d ij|none].
  by rewrite (distance_of_constrained whole ij); exact: powerP ij.
by case found: distance_at => [d|] //; case: (none d); exact: distance_atP found.
Qed.
End Computed.
