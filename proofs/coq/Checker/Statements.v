(* SPDX-License-Identifier: MIT *)
(* Certificates as theorems of their own: what the files of 'exactdp convert --to coq' use.                   *)
(*                                                                                                            *)
(* Such a file holds a certificate as a tree, the claim in the words of the theory for its numbers, and a     *)
(* proof: the tree is read and checked by computation ([settled]), and the claim follows from check_sound.    *)
(*   settled v, settled_sound     the claim of the tree v, if its witness shows it; then it is true           *)
(* Words for explicit objects (these a reader has to know, beside the theory's):                              *)
(*   matrix_from rows             the matrix with these rows of numbers                                       *)
(*   joined s, separated s a X    neighbours i, j of a list; privacy at distances p/q of a list               *)
(*   those s, weighing w          the set, the weights that a list names                                      *)
(* and for each kind of claim a theorem *_in_words, from its meaning to these words.                          *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP Require Import OrderedField Mechanism Form Geometric Losses MatrixGame.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning.
From ExactDP.Checker Require Claims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- A tree and its claim ---- *)
Definition settled (v : json) : option Claims.claim :=
  let! c := Claims.claim_of v in let! w := Claims.witness_of c v in demand Claims.check c w in Some c.

Theorem settled_sound (R : realFieldType) v c : settled v = Some c -> Claims.claim_of v = Some c /\ Claims.meaning R c.
Proof.
rewrite /settled; case: (Claims.claim_of v) => [d|] //; case: (Claims.witness_of d v) => [w|] //.
by case: ifP => // ok [<-]; split=> //; exact: Claims.check_sound ok.
Qed.

(* How trees are written in such a file; a string that is not of printable ASCII is spelled by its bytes. *)
Definition say (s : string) : json := Text s.
Definition member (k : string) (v : json) : text * json := (k : text, v).
Definition spelled (s : seq N) : string := string_of_list_ascii [seq ascii_of_N n | n <- s].

Section Statements.
Variable R : realFieldType.
Local Notation of_Q := (of_Q R).
Local Notation of_Z := (of_Z R).
Implicit Types (near : neighbours) (a v ratio d loss gap : Q) (c : consumer) (t : table).

(* ---- Explicit matrices ---- *)
Definition zero : Q := Qmake 0 1.
Definition matrix_from p m (rows : seq (seq Q)) : 'M[R]_(p, m) := \matrix_(i, j) of_Q (nth zero (nth [::] rows i) j).

Definition entry_is (x : vector) (qs : seq Q) (j : nat) : bool :=
  let q := nth zero qs j in (at_index (terms x) j * Zpos (Qden q) =? Qnum q * Zpos (unit x))%Z.
Definition vector_is (m : nat) (x : vector) (qs : seq Q) : bool := (size qs == m) && all (entry_is x qs) (iota 0 m).
Definition rows_are (m : nat) (rows : seq vector) (qss : seq (seq Q)) : bool := all2 (vector_is m) rows qss.

Lemma vector_isP m x qs (j : 'I_m) : vector_is m x qs -> vector_entry R x j = of_Q (nth zero qs j).
Proof.
case/andP=> _ /allP ok; rewrite /vector_entry /Numbers.of_Q.
have : entry_is x qs j by apply: ok; rewrite mem_iota add0n ltn_ord.
rewrite /entry_is => /Z.eqb_eq/(congr1 of_Z); rewrite !of_ZM => same.
by apply/eqP; rewrite eqr_div ?of_Z_pos_neq0 // same.
Qed.

Theorem matrix_is p m rows qss : size rows = p -> rows_are m rows qss ->
  matrix_of R p m (Listed rows) = matrix_from p m qss.
Proof.
rewrite /rows_are => size_p ok; apply/matrixP=> i j; rewrite !mxE /=.
elim: rows qss (i : nat) {size_p} ok => [|x rows IHrows] [|qs qss] //= k.
  by rewrite !nth_nil /vector_entry /Numbers.of_Q /= !mul0r.
by case/andP=> x_qs ok; case: k => [|k] /=; [exact: vector_isP | exact: IHrows].
Qed.

(* ---- Neighbours ---- *)
Definition joined p (s : seq (nat * nat)) : rel 'I_p := fun i j => ((i : nat, j : nat) \in s) || ((j : nat, i : nat) \in s).

(* Privacy for pairs at distances: x_ir >= a^(p/q) x_jr, in both orders. *)
Definition separated p m (s : seq (nat * nat * (nat * nat))) (a : R) (X : 'M[R]_(p, m)) :=
  forall (i j : 'I_p) r k l, ((i : nat, j : nat), (k, l)) \in s -> 
    a ^+ k * X j r ^+ l <= X i r ^+ l /\ a ^+ k * X i r ^+ l <= X j r ^+ l.

Definition edge (x : nat * nat * (nat * nat)) : N * N * Q :=
  let: ((i, j), (k, l)) := x in (N.of_nat i, N.of_nat j, Qmake (Z.of_nat k) (Pos.of_nat l)).

Lemma In_mem (T : eqType) (x : T) (s : seq T) : List.In x s <-> x \in s.
Proof.
elim: s => [|y s IHs] //=; rewrite in_cons; split=> [[->|/IHs ->]|/orP[/eqP ->|/IHs]]; rewrite ?eqxx ?orbT //; by [left|right].
Qed.

Theorem private_separated near s p m (a : R) (X : 'M[R]_(p, m)) :
  pairs near = map edge s -> all (fun x => 0 < x.2.2)%N s -> private_for near a X <-> separated s a X.
Proof.
move=> near_s /allP positive.
have back l : (0 < l)%N -> Pos.to_nat (Pos.of_nat l) = l by case: l => // l _; rewrite Nat2Pos.id.
have at_edge i j k l : ((i, j), (k, l)) \in s -> List.In (edge ((i, j), (k, l))) (pairs near).
  by move=> e; rewrite near_s; apply/List.in_map/In_mem.
split=> [X_priv i j r k l e | X_sep i j d r].
  have l_gt0 := positive _ e; have /= e_in := at_edge _ _ _ _ e.
  have := X_priv i j _ r (or_introl e_in); have := X_priv j i _ r (or_intror e_in).
  by rewrite /= Nat2Z.id back.
have find x y : List.In (N.of_nat x, N.of_nat y, d) (pairs near) ->
    ((x, y), (Z.to_nat (Qnum d), Pos.to_nat (Qden d))) \in s.
  rewrite near_s => /List.in_map_iff[[[k l] [u w]] [[/Nat2N.inj <- /Nat2N.inj <- <-] /In_mem e]] /=.
  by rewrite Nat2Z.id back //; exact: positive e.
by case=> /find /X_sep-/(_ r)[].
Qed.

Definition near_one (e : nat * nat) := (e, (1, 1)%N).

Theorem private_joined near s p m (a : R) (X : 'M[R]_(p, m)) :
  pairs near = map edge (map near_one s) -> private_for near a X <-> private_on (@joined p s) a X.
Proof.
move/private_separated ->; last by rewrite all_map; apply/allP.
split=> [X_sep i j r /orP[]ij | X_priv i j r k l /mapP[e e_s [e_is -> ->]]].
- by have [] := X_sep i j r 1%N 1%N (map_f near_one ij); rewrite !expr1.
- by have [] := X_sep j i r 1%N 1%N (map_f near_one ij); rewrite !expr1.
by rewrite !expr1; rewrite -e_is in e_s; split; apply: X_priv; rewrite /joined e_s ?orbT.
Qed.

Theorem private_path near n m (a : R) (X : 'M[R]_(n.+1, m)) :
  pairs near = map edge (map near_one [seq (i, i.+1) | i <- iota 0 n]) -> private_for near a X <-> private a X.
Proof.
move=> /private_joined ->; rewrite /private; split=> X_priv i j r ij; apply: X_priv; move: ij; rewrite /line /joined.
  have in_s k : (k < n)%N -> (k, k.+1) \in [seq (i, i.+1) | i <- iota 0 n].
    by move=> k_n; apply/mapP; exists k; rewrite // mem_iota.
  by case/orP=> /eqP ij; rewrite ij in_s ?orbT // -ltnS -ij.
by case/orP=> /mapP[k _ [-> ->]]; rewrite eqxx ?orbT.
Qed.

(* ---- Consumers ---- *)
Definition those p (s : seq nat) : {set 'I_p} := [set i : 'I_p | (i : nat) \in s].
Definition weighing p (w : seq Q) (i : 'I_p) : R := of_Q (nth zero w i).

Theorem minimax_in_words p m t side s (l X : 'M[R]_(p, m)) (v : R) :
  side = map N.of_nat s -> matrix_of R p m (content t) = l ->
  loss_le (Minimax t side) X v <-> worst_loss_le (those p s) l X v.
Proof.
move=> -> <-; rewrite /= (_ : [set i : 'I_p | _] = those p s) //; apply/setP=> i; rewrite !inE has_map.
by rewrite -has_pred1; apply: eq_has => k /=; rewrite eq_sym; apply/N.eqb_spec/eqP => [/Nat2N.inj|->].
Qed.

Theorem bayesian_in_words p m t prior qs (l X : 'M[R]_(p, m)) (v : R) :
  vector_is p prior qs -> matrix_of R p m (content t) = l ->
  loss_le (Bayesian t prior) X v <-> bayes_loss (@weighing p qs) l X <= v.
Proof.
move=> ok <-; rewrite /= (_ : bayes_loss _ _ X = bayes_loss (@weighing p qs) (matrix_of R p m (content t)) X) //.
by apply: eq_bigr => i _; rewrite (vector_isP i ok).
Qed.

(* ---- What a claim says, when privacy is P, when "the loss is at least v" is B, and "is v" is I ---- *)
Section Kinds.
Variables (p m : nat).
Implicit Types (P : 'M[R]_(p, m) -> Prop) (B I : 'M[R]_(p, m) -> R -> Prop).

Definition says_private near (a : R) P := forall X : 'M[R]_(p, m), private_for near a X <-> P X.
Definition says_at_least c B := forall (X : 'M[R]_(p, m)) (w : R), (forall u, loss_le c X u -> w <= u) <-> B X w.
Definition says_loss c I := forall (X : 'M[R]_(p, m)) (w : R), loss_is c X w <-> I X w.

Theorem minimax_says t side s (l : 'M[R]_(p, m)) :
  side = map N.of_nat s -> matrix_of R p m (content t) = l ->
  says_at_least (Minimax t side) (fun X w => forall u, worst_loss_le (those p s) l X u -> w <= u) /\
  says_loss (Minimax t side) (fun X w => worst_loss_le (those p s) l X w /\ forall u, worst_loss_le (those p s) l X u -> w <= u).
Proof.
move=> side_s t_l; have le_is X u := minimax_in_words X u side_s t_l.
have least X (v : R) : (forall u, loss_le (Minimax t side) X u -> v <= u) <-> (forall u, worst_loss_le (those p s) l X u -> v <= u).
  by split=> low u /le_is; exact: low.
by split=> // X w; rewrite /loss_is; split=> [[/le_is ? /least ?]|[/le_is ? /least ?]].
Qed.

Theorem bayesian_says t prior qs (l : 'M[R]_(p, m)) :
  vector_is p prior qs -> matrix_of R p m (content t) = l ->
  says_at_least (Bayesian t prior) (fun X w => w <= bayes_loss (@weighing p qs) l X) /\
  says_loss (Bayesian t prior) (fun X w => bayes_loss (@weighing p qs) l X = w).
Proof.
move=> prior_qs t_l; have le_is X u := bayesian_in_words X u prior_qs t_l.
have least X (v : R) : (forall u, loss_le (Bayesian t prior) X u -> v <= u) <-> v <= bayes_loss (@weighing p qs) l X.
  by split=> [low|v_le u /le_is]; [apply/low/le_is | exact: le_trans].
split=> // X w; rewrite /loss_is; split=> [[/le_is le_v /least v_le]|loss_v]; first by apply/eqP; rewrite eq_le le_v.
by split; [apply/le_is; rewrite loss_v | apply/least; rewrite loss_v].
Qed.

Theorem private_in_words t near a P (X : 'M[R]_(p, m)) :
  p = size (inputs t) -> m = size (outputs t) -> matrix_of R p m (content t) = X -> says_private near (of_Q a) P ->
  Meaning.meaning R (Private t near a) -> stochastic X /\ P X.
Proof. by move=> pE mE <- says; rewrite /= -pE -mE => -[_ _ [X_st /says]]. Qed.

Theorem not_private_in_words t near a P (X : 'M[R]_(p, m)) :
  p = size (inputs t) -> m = size (outputs t) -> matrix_of R p m (content t) = X -> says_private near (of_Q a) P ->
  Meaning.meaning R (NotPrivate t near a) -> stochastic X /\ ~ P X.
Proof. by move=> pE mE <- says; rewrite /= -pE -mE => -[_ _ X_st not_priv]; split=> // /says. Qed.

Theorem level_in_words t near ratio d (P : R -> 'M[R]_(p, m) -> Prop) (X : 'M[R]_(p, m)) :
  p = size (inputs t) -> m = size (outputs t) -> matrix_of R p m (content t) = X ->
  (forall b, says_private near b (P b)) ->
  Meaning.meaning R (Level t near ratio d) ->
  stochastic X /\ forall b, 0 < b < 1 -> P b X <-> b ^+ Z.to_nat (Qnum d) <= of_Q ratio ^+ Pos.to_nat (Qden d).
Proof.
by move=> pE mE <- says; rewrite /= -pE -mE => -[_ X_st _ levels]; split=> // b /levels <-; rewrite -(says b).
Qed.

Theorem not_stochastic_in_words t (X : 'M[R]_(p, m)) :
  p = size (inputs t) -> m = size (outputs t) -> matrix_of R p m (content t) = X ->
  Meaning.meaning R (NotStochastic t) -> ~ stochastic X.
Proof. by move=> pE mE <-; rewrite /= -pE -mE. Qed.

Theorem derivable_in_words s t k (A : 'M[R]_(p, k)) (B : 'M[R]_(p, m)) :
  p = size (inputs s) -> k = size (outputs s) -> m = size (outputs t) ->
  matrix_of R p k (content s) = A -> matrix_of R p m (content t) = B ->
  Meaning.meaning R (Derivable s t) -> [/\ stochastic A, stochastic B & derivable A B].
Proof. by move=> pE kE mE <- <-; rewrite /= -pE -kE -mE => -[]. Qed.

Theorem not_derivable_in_words s t k (A : 'M[R]_(p, k)) (B : 'M[R]_(p, m)) :
  p = size (inputs s) -> k = size (outputs s) -> m = size (outputs t) ->
  matrix_of R p k (content s) = A -> matrix_of R p m (content t) = B ->
  Meaning.meaning R (NotDerivable s t) -> [/\ stochastic A, stochastic B & ~ derivable A B].
Proof. by move=> pE kE mE <- <-; rewrite /= -pE -kE -mE => -[]. Qed.

Variables (near : neighbours) (a v : Q) (c : consumer) (P : 'M[R]_(p, m) -> Prop) (B I : 'M[R]_(p, m) -> R -> Prop).
Hypotheses (says_P : says_private near (of_Q a) P) (says_B : says_at_least c B) (says_I : says_loss c I).
Hypotheses (pE : p = size (vertices near)) (mE : m = size (outputs (loss_of c))).

Lemma none_belowP : none_below near p m (of_Q a) c (of_Q v) -> forall X, stochastic X -> P X -> B X (of_Q v).
Proof. by move=> low X X_st /says_P X_priv; apply/says_B => u; exact: low. Qed.

Lemma someP : (exists X : 'M[R]_(p, m), mechanism_for near (of_Q a) X /\ loss_is c X (of_Q v)) ->
  exists X, [/\ stochastic X, P X & I X (of_Q v)].
Proof. by case=> X [[X_st /says_P X_priv] /says_I X_v]; exists X. Qed.

Theorem optimal_in_words :
  Meaning.meaning R (Optimal near a c v None) ->
  (forall X, stochastic X -> P X -> B X (of_Q v)) /\ exists X, [/\ stochastic X, P X & I X (of_Q v)].
Proof. by rewrite /= -pE -mE => -[_ _ _ low some]; split; [exact: none_belowP | exact: someP]. Qed.

Theorem optimal_named_in_words t X : matrix_of R p m (content t) = X ->
  Meaning.meaning R (Optimal near a c v (Some t)) ->
  (forall Y, stochastic Y -> P Y -> B Y (of_Q v)) /\ [/\ stochastic X, P X & I X (of_Q v)].
Proof.
move=> <-; rewrite /= -pE -mE => -[_ _ _ low [[X_st /says_P X_priv] /says_I X_v]].
by split; [exact: none_belowP | split].
Qed.

Theorem not_optimal_in_words t loss gap X : matrix_of R p m (content t) = X ->
  Meaning.meaning R (NotOptimal near a c v t loss gap) ->
  [/\ forall Y, stochastic Y -> P Y -> B Y (of_Q v),
      exists Y, [/\ stochastic Y, P Y & I Y (of_Q v)],
      [/\ stochastic X, P X & I X (of_Q loss)] &
      of_Q gap = of_Q loss - of_Q v /\ 0 < of_Q gap].
Proof.
move=> <-; rewrite /= -pE -mE => -[_ _ low some [[X_st /says_P X_priv] /says_I X_v gap_is gap_gt0]].
by split=> //; [exact: none_belowP | exact: someP].
Qed.

End Kinds.

(* For a mechanism t with q outputs, and remaps of these. *)
Section Remaps.
Variables (p q m : nat) (a v : Q) (near : neighbours) (c : consumer) (t : table) (M : 'M[R]_(p, q)).
Variables (P : 'M[R]_(p, m) -> Prop) (PM : 'M[R]_(p, q) -> Prop) (B I : 'M[R]_(p, m) -> R -> Prop).
Hypotheses (says_P : says_private near (of_Q a) P) (says_PM : says_private near (of_Q a) PM).
Hypotheses (says_B : says_at_least c B) (says_I : says_loss c I).
Hypotheses (mE : m = size (outputs (loss_of c))) (qE : q = size (outputs t)) (t_M : matrix_of R p q (content t) = M).

Lemma none_below_remapP w : none_below_remap m M c (of_Q w) -> forall T, stochastic T -> B (M *m T) (of_Q w).
Proof. by move=> low T T_st; apply/says_B => u; exact: low. Qed.

Lemma some_remapP w : (exists T : 'M[R]_(q, m), stochastic T /\ loss_is c (M *m T) (of_Q w)) ->
  exists T, stochastic T /\ I (M *m T) (of_Q w).
Proof. by case=> T [T_st /says_I T_w]; exists T. Qed.

Theorem optimal_remap_in_words : p = size (inputs t) ->
  Meaning.meaning R (OptimalRemap t c v None) ->
  [/\ stochastic M, forall T, stochastic T -> B (M *m T) (of_Q v) & exists T, stochastic T /\ I (M *m T) (of_Q v)].
Proof.
move=> pE; rewrite /= -pE -mE -qE t_M => -[_ M_st _ low some].
by split=> //; [exact: none_below_remapP | exact: some_remapP].
Qed.

Theorem optimal_remap_named_in_words r T : p = size (inputs t) -> matrix_of R q m (content r) = T ->
  Meaning.meaning R (OptimalRemap t c v (Some r)) ->
  [/\ stochastic M, forall S, stochastic S -> B (M *m S) (of_Q v) & stochastic T /\ I (M *m T) (of_Q v)].
Proof.
move=> pE <-; rewrite /= -pE -mE -qE t_M => -[_ M_st _ low [_ _ T_st /says_I T_v]].
by split=> //; exact: none_below_remapP.
Qed.

Theorem not_optimal_remap_in_words r loss gap T : p = size (inputs t) -> matrix_of R q m (content r) = T ->
  Meaning.meaning R (NotOptimalRemap t c v r loss gap) ->
  [/\ stochastic M /\ (forall S, stochastic S -> B (M *m S) (of_Q v)),
      exists S, stochastic S /\ I (M *m S) (of_Q v),
      stochastic T /\ I (M *m T) (of_Q loss) &
      of_Q gap = of_Q loss - of_Q v /\ 0 < of_Q gap].
Proof.
move=> pE <-; rewrite /= -pE -mE -qE t_M => -[_ [M_st _] [low some] [T_st /says_I T_v] gap_is].
by split=> //; [split=> //; exact: none_below_remapP | exact: some_remapP].
Qed.

Hypothesis pE : p = size (vertices near).

Theorem optimal_after_remap_in_words :
  Meaning.meaning R (OptimalAfterRemap near a c v t) ->
  [/\ forall X, stochastic X -> P X -> B X (of_Q v), stochastic M, PM M & exists T, stochastic T /\ I (M *m T) (of_Q v)].
Proof.
rewrite /= -pE -mE -qE t_M => -[_ _ low [M_st /says_PM M_priv] some].
by split=> //; [exact: none_belowP low | exact: some_remapP].
Qed.

Theorem not_optimal_after_remap_in_words loss gap :
  Meaning.meaning R (NotOptimalAfterRemap near a c v t loss gap) ->
  [/\ (forall X, stochastic X -> P X -> B X (of_Q v)) /\ exists X, [/\ stochastic X, P X & I X (of_Q v)],
      stochastic M /\ PM M,
      forall T, stochastic T -> B (M *m T) (of_Q loss),
      exists T, stochastic T /\ I (M *m T) (of_Q loss) &
      of_Q gap = of_Q loss - of_Q v /\ 0 < of_Q gap].
Proof.
rewrite /= -pE -mE -qE t_M => -[_ [low some] [M_st /says_PM M_priv] [low_M some_M] gap_is]; split=> //.
- by split; [exact: none_belowP low | exact: someP some].
- exact: none_below_remapP.
- exact: some_remapP.
Qed.

End Remaps.

End Statements.
