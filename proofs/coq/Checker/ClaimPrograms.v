(* SPDX-License-Identifier: MIT *)
(* The linear program that a claim is, and what a proof of it says of the claim.                              *)
(*                                                                                                            *)
(*   part_of c         the part of the claim c that is one linear program: again a claim                      *)
(*   part_holds        it follows from c                                                                      *)
(*   program_of c      the program, if c is of one of these kinds: optimal, not-optimal, optimal-after-remap  *)
(*                     (the optimum), optimal-remap, not-optimal-remap, not-optimal-after-remap (the least    *)
(*                     loss after a remap), derivable, not-derivable                                          *)
(*   program_means     program_of c = Some P   implies   says R P <-> meaning R (part_of c)                   *)
(* The program is the one that 'exactdp convert --to vipr' writes; [text_of] prints it.                       *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism MatrixGame PostProcessing.
From ExactDP.Checker Require Import Numbers Rows Dense Json Syntax Reader Meaning Tables Privacy Derivable Optimal Check Show LinearProgram.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

Definition part_of (c : claim) : claim :=
  match c with
  | Optimal near a c v _ | NotOptimal near a c v _ _ _ | OptimalAfterRemap near a c v _ => Optimal near a c v None
  | OptimalRemap t c v _ | NotOptimalRemap t c v _ _ _ => OptimalRemap t c v None
  | NotOptimalAfterRemap near a c v t loss gap => OptimalRemap t c loss None
  | _ => c
  end.

(* ---- Numbers and names ---- *)
Local Open Scope string_scope.
Local Open Scope seq_scope.

Definition fraction (z d : Z) : Q := Qmake z (Z.to_pos d).
Definition entry_at (I : integers) (i j : nat) : Q := fraction (at_index (line_of I i) j) (scaling I).
Definition joint_at (I J : integers) (i y r : nat) : Q :=
  fraction (at_index (line_of I i) y * at_index (line_of J i) r) (scaling I * scaling J).

Definition titled (s : string) (ns : seq nat) : text := join (t "_") (t s :: [seq count n | n <- ns]).

(* a^d *)
Definition power (a d : Q) : Q := let: (x, y) := power_of a d in fraction x y.

(* ---- Rows ---- *)
(* A p x m table of variables: its entries are not negative, its rows sum to 1. *)
Definition names_of (letter : string) (p m : nat) : seq text :=
  flatten [seq [seq titled letter [:: i; r] | r <- iota 0 m] | i <- iota 0 p].

Definition bound_rows (p m : nat) : seq constraint :=
  flatten [seq [seq Constraint (titled "bound" [:: i; r]) false [:: ((i * m + r)%N, one)] zero | r <- iota 0 m] | i <- iota 0 p].

Definition sum_rows (p m : nat) : seq constraint :=
  [seq Constraint (titled "sum" [:: i]) true (along m (fun r => i * m + r)%N (fun=> one)) one | i <- iota 0 p].

(* The variable number d is at least the loss at every input of the side information. *)
Definition loss_rows (d : nat) (cost : nat -> expression) (c : consumer) : seq constraint :=
  match c with
  | Minimax _ side =>
      [seq Constraint (titled "loss" [:: N.to_nat i]) false
             (negative (cost (N.to_nat i)) ++ [:: (d, one)]) zero | i <- side]
  | Bayesian _ _ => [::]
  end.

Definition private_row (m i j r : nat) (a : Q) : constraint :=
  Constraint (titled "private" [:: i; j; r]) false [:: ((i * m + r)%N, one); ((j * m + r)%N, opposite a)] zero.

Definition private_rows (m : nat) (near : neighbours) (a : Q) : seq constraint :=
  flatten [seq let i := N.to_nat e.1.1 in let j := N.to_nat e.1.2 in let b := power a e.2 in
               flatten [seq [:: private_row m i j r b; private_row m j i r b] | r <- iota 0 m] | e <- pairs near].

(* ---- Programs ---- *)
(* What is asked of the objects: the inputs of the side information and of the pairs are inputs, and every a^d *)
(* is rational. *)
Definition is_rational (a d : Q) : bool := let: (x, y) := power_of a d in is_power a d x y.

Definition rational_pairs (p : nat) (near : neighbours) (a : Q) : bool :=
  all (fun e : N * N * Q => [&& (e.1.1 <? N.of_nat p)%num, (e.1.2 <? N.of_nat p)%num & is_rational a e.2])
      (pairs near).

Definition side_below (p : nat) (c : consumer) : bool :=
  if c is Minimax _ side then all (fun i => (i <? N.of_nat p)%num) side else true.

Definition with_loss (letter : string) (p m : nat) (c : consumer) (expected : vector -> expression) (cost : nat -> expression)
    (rows : seq constraint) (v : Q) : program :=
  let rest := sum_rows p m ++ loss_rows (p * m) cost c ++ rows in
  match c with
  | Minimax _ _ => Program (names_of letter p m ++ [:: t "d"]) (bound_rows p m) rest [:: ((p * m)%N, one)] (Least v)
  | Bayesian _ prior => Program (names_of letter p m) (bound_rows p m) rest (expected prior) (Least v)
  end.

(* The private mechanisms whose outputs are the guesses. *)
Definition private_program (near : neighbours) (a : Q) (c : consumer) (v : Q) : option program :=
  let p := size (vertices near) in let m := size (outputs (loss_of c)) in
  if consumer_at p m (vertices near) c is Some L then
    demand [&& is_level a, rational_pairs p near a & side_below p c] in
    let weighed w i r := fraction (at_index (terms w) i * at_index (line_of L i) r) (Zpos (unit w) * scaling L) in
    let expected w := over_table p m (weighed w) in
    let cost i := along m (fun r => i * m + r)%N (entry_at L i) in
    Some (with_loss "x" p m c expected cost (private_rows m near a) v)
  else None.

(* The remaps of the outputs of a mechanism. *)
Definition weighed_column (p : nat) (w : vector) (J : integers) (y : nat) : row :=
  enumerate 0 [seq (at_index (terms w) i * at_index (line_of J i) y)%Z | i <- iota 0 p].

Definition remap_program (M : table) (c : consumer) (v : Q) : option program :=
  let p := size (inputs M) in let q := size (outputs M) in let m := size (outputs (loss_of c)) in
  match mechanism_at p q M, consumer_at p m (inputs M) c with
  | Some J, Some L =>
      demand side_below p c in
      let expected w :=
        let sums := [seq weigh (weighed_column p w J y) (lines L) | y <- iota 0 q] in
        over_table q m (fun y r => fraction (at_index (nth [::] sums y) r) (Zpos (unit w) * (scaling J * scaling L))) in
      let cost i := over_table q m (joint_at J L i) in
      Some (with_loss "t" q m c expected cost [::] v)
  | _, _ => None
  end.

(* The row-stochastic R with A R = B. *)
Definition product_program (A B : table) (r : relation) : option program :=
  let p := size (inputs A) in let q := size (outputs A) in let k := size (outputs B) in
  match mechanism_at p q A, mechanism_at p k B with
  | Some J, Some K =>
      demand agree (inputs A) (inputs B) in
      let row i z := Constraint (titled "product" [:: i; z]) true (along q (fun y => y * k + z)%N (entry_at J i)) (entry_at K i z) in
      let rows := flatten [seq [seq row i z | z <- iota 0 k] | i <- iota 0 p] in
      Some (Program (names_of "r" q k) (bound_rows q k) (sum_rows q k ++ rows) [::] r)
  | _, _ => None
  end.

Definition program_of (c : claim) : option program :=
  match c with
  | Optimal near a c v _ | NotOptimal near a c v _ _ _ | OptimalAfterRemap near a c v _ => private_program near a c v
  | OptimalRemap M c v _ | NotOptimalRemap M c v _ _ _ => remap_program M c v
  | NotOptimalAfterRemap _ _ c _ M loss _ => remap_program M c loss
  | Derivable A B => product_program A B Solvable
  | NotDerivable A B => product_program A B Unsolvable
  | _ => None
  end.

Local Open Scope ring_scope.

Section Programs.
Variable R : realFieldType.
Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).
Add Field R_field : (field_theory_of R).

Lemma of_Q_fraction z d : (0 < d)%Z -> of_Q (fraction z d) = of_Z z / of_Z d.
Proof. by move=> d_gt0; rewrite /Numbers.of_Q [Qden _]/= [Qnum _]/= Z2Pos.id. Qed.

Lemma entry_atP p m I (X : 'M[R]_(p, m)) (i : 'I_p) (j : 'I_m) : represents I X -> of_Q (entry_at I i j) = X i j.
Proof. by case=> /gt0_Z I_gt0 X_I; rewrite of_Q_fraction // X_I. Qed.

(* ---- A table of variables ---- *)
Definition table_at p m (x : nat -> R) : 'M[R]_(p, m) := \matrix_(i, r) x (i * m + r)%N.

Lemma table_atE p m x i r : table_at p m x i r = x (i * m + r)%N.
Proof. exact: mxE. Qed.

(* The point with the entries of X, and u after them. *)
Definition point_of p m (X : 'M[R]_(p, m)) (u : R) (k : nat) : R :=
  match insub (k %/ m)%N, insub (k %% m)%N with
  | Some i, Some r => X i r
  | _, _ => u
  end.

Lemma point_at p m (X : 'M[R]_(p, m)) u (i : 'I_p) (r : 'I_m) : point_of X u (i * m + r)%N = X i r.
Proof.
have m_gt0 : (0 < m)%N by exact: leq_ltn_trans (ltn_ord r).
rewrite /point_of divnMDl // divn_small // addn0 modnMDl modn_small //.
by rewrite !insubT //= => i_p r_m; congr (X _ _); exact: val_inj.
Qed.

Lemma point_last p m (X : 'M[R]_(p, m)) u : point_of X u (p * m)%N = u.
Proof.
rewrite /point_of; case: m X => [|m] X; last by rewrite mulnK // insubN // ltnn.
by case: insubP => // i _ _; rewrite insubN.
Qed.

Lemma table_point p m (X : 'M[R]_(p, m)) u : table_at p m (point_of X u) = X.
Proof. by apply/matrixP=> i r; rewrite mxE point_at. Qed.

Lemma rows_stochastic p m (x : nat -> R) :
  each (satisfies x) (bound_rows p m ++ sum_rows p m) <-> stochastic (table_at p m x).
Proof.
rewrite each_cat /bound_rows /sum_rows each_flatten !each_map !each_iota /stochastic.
have sum_is (i : 'I_p) : value x (along m (fun r => i * m + r)%N (fun=> one)) = \sum_r table_at p m x i r.
  by rewrite value_along; apply: eq_bigr => r _; rewrite mxE of_Q_one mul1r.
have bound_is (i : 'I_p) (r : 'I_m) :
    satisfies x (Constraint (titled "bound" [:: i : nat; r : nat]) false [:: ((i * m + r)%N, one)] zero) <-> 0 <= table_at p m x i r.
  by rewrite /satisfies /= /value big_seq1 /= of_Q_one of_Q_zero mul1r mxE.
split=> [[ge0 sum1]|[ge0 sum1]]; split=> i.
- by move=> r; apply/bound_is; move: (ge0 i); rewrite each_map each_iota.
- by move: (sum1 i); rewrite /satisfies /= sum_is of_Q_one.
- by rewrite each_map each_iota => r; apply/bound_is.
- by rewrite /satisfies /= sum_is of_Q_one.
Qed.

(* ---- Privacy ---- *)
Lemma power_rational a d : is_rational a d ->
  0 <= of_Q (power a d) /\ of_Q a ^+ Z.to_nat (Qnum d) = of_Q (power a d) ^+ Pos.to_nat (Qden d).
Proof.
rewrite /is_rational /power; case: (power_of a d) => [x y] /and5P[/Z.leb_le d_ge0 x_ge0 /Z.ltb_lt y_gt0 /Z.eqb_eq x_is /Z.eqb_eq y_is].
rewrite of_Q_fraction //; split; first by rewrite divr_ge0 ?of_Z_ge0 //; apply/Z.leb_le; lia.
by rewrite /of_Q !expr_div_n -!of_ZX_pos x_is y_is -!of_ZX Z2Nat.id.
Qed.

Lemma private_rowP m (x : nat -> R) i j r a :
  satisfies x (private_row m i j r a) <-> of_Q a * x (j * m + r)%N <= x (i * m + r)%N.
Proof.
rewrite /satisfies /= /value big_cons big_seq1 /= of_Q_one of_Q_zero of_Q_opposite mul1r mulNr.
by rewrite subr_ge0.
Qed.

Lemma rows_private p m near a (x : nat -> R) : rational_pairs p near a -> stochastic (table_at p m x) ->
  each (satisfies x) (private_rows m near a) <-> private_for near (of_Q a) (table_at p m x).
Proof.
move=> /all_In rational [x_ge0 _]; rewrite /private_rows each_flatten each_map each_In.
have raised e (i j : 'I_p) (r : 'I_m) : List.In e (pairs near) ->
    (of_Q a ^+ Z.to_nat (Qnum e.2) * table_at p m x j r ^+ Pos.to_nat (Qden e.2) <= table_at p m x i r ^+ Pos.to_nat (Qden e.2)) =
    (of_Q (power a e.2) * x (j * m + r)%N <= x (i * m + r)%N).
  move=> /rational/and3P[_ _ /power_rational[b_ge0 ->]].
  have k_gt0 : (0 < Pos.to_nat (Qden e.2))%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
  have tableE (s : 'I_p) : table_at p m x s r = x (s * m + r)%N by rewrite mxE.
  rewrite -!tableE -exprMn; apply: (ler_pexpn2r k_gt0); rewrite nnegrE; by [exact: x_ge0 | exact: (mulr_ge0 b_ge0 (x_ge0 _ _))].
split=> [x_priv i j d r [e_in|e_in]|X_priv e e_in].
- have e_d : d = (N.of_nat i, N.of_nat j, d).2 by [].
  have := x_priv _ e_in; rewrite /= !Nat2N.id each_flatten each_map each_iota => /(_ r)[ij _].
  by rewrite e_d (raised _ i j r e_in); apply/(private_rowP m).
- have e_d : d = (N.of_nat j, N.of_nat i, d).2 by [].
  have := x_priv _ e_in; rewrite /= !Nat2N.id each_flatten each_map each_iota => /(_ r)[_ [ij _]].
  by rewrite e_d (raised _ i j r e_in); apply/(private_rowP m).
have /and3P[/N.ltb_lt s_p /N.ltb_lt t_p _] := rational _ e_in.
have s_lt : (N.to_nat e.1.1 < p)%N by apply/ssrnat.ltP; lia.
have t_lt : (N.to_nat e.1.2 < p)%N by apply/ssrnat.ltP; lia.
have e_is : e = ((N.of_nat (Ordinal s_lt), N.of_nat (Ordinal t_lt)), e.2).
  by case: (e) s_lt t_lt => [[s u] q] s_lt t_lt; rewrite /= !N2Nat.id.
rewrite each_flatten each_map each_iota => r /=; do ![split=> //].
  apply/private_rowP; rewrite -(raised e (Ordinal s_lt) (Ordinal t_lt) r e_in); apply: X_priv; left.
  by rewrite -e_is.
apply/private_rowP; rewrite -(raised e (Ordinal t_lt) (Ordinal s_lt) r e_in); apply: X_priv; right.
by rewrite -e_is.
Qed.

(* ---- Losses ---- *)
Definition side_of p (c : consumer) : {set 'I_p} :=
  if c is Minimax _ side then [set i : 'I_p | has (N.eqb (N.of_nat i)) side] else set0.

Lemma rows_loss p d cost c (x : nat -> R) : side_below p c ->
  each (satisfies x) (loss_rows d cost c) <-> forall i : 'I_p, i \in side_of p c -> value x (cost i) <= x d.
Proof.
case: c => [l side|l w] /=; last by move=> _; split=> // _ i; rewrite inE.
move=> /all_In side_p; rewrite each_map each_In.
have row_is i : satisfies x (Constraint (titled "loss" [:: N.to_nat i]) false
      (negative (cost (N.to_nat i)) ++ [:: (d, one)]) zero) <-> value x (cost (N.to_nat i)) <= x d.
  rewrite /satisfies /= value_cat value_negative /value big_seq1 /= of_Q_one of_Q_zero mul1r.
  by rewrite addrC subr_ge0.
split=> [x_side i|x_side i i_side].
  by rewrite inE => /has_In[k k_side /N.eqb_eq i_k]; have /row_is := x_side k k_side; rewrite -i_k Nat2N.id.
have i_lt : (N.to_nat i < p)%N by have /N.ltb_lt := side_p i i_side; move=> ?; apply/ssrnat.ltP; lia.
apply/row_is; apply: (x_side (Ordinal i_lt)); rewrite inE /= N2Nat.id.
by apply/has_In; exists i => //; exact: N.eqb_refl.
Qed.

(* A program of p x m tables, with a loss that is read off the table. *)
Lemma with_loss_means letter p m n c expected (cost : nat -> expression) rows v (good : 'M[R]_(p, m) -> Prop)
    (losses : 'I_n -> 'M[R]_(p, m) -> R) (expected_loss : vector -> 'M[R]_(p, m) -> R) :
  side_below n c ->
  (forall x, stochastic (table_at p m x) -> each (satisfies x) rows <-> good (table_at p m x)) ->
  (forall x (i : 'I_n), value x (cost i) = losses i (table_at p m x)) ->
  (forall x l prior, c = Bayesian l prior -> value x (expected prior) = expected_loss prior (table_at p m x)) ->
  let loss_le X u := match c with
    | Minimax _ _ => forall i : 'I_n, i \in side_of n c -> losses i X <= u
    | Bayesian _ prior => expected_loss prior X <= u
    end in
  says R (with_loss letter p m c expected cost rows v) <->
  (forall X, stochastic X -> good X -> forall u, loss_le X u -> of_Q v <= u) /\
  exists X, [/\ stochastic X, good X & loss_le X (of_Q v)].
Proof.
move=> c_n rowsP costP expectedP loss_le; set P := with_loss _ _ _ _ _ _ _ _.
have feasibleP x : feasible P x <-> [/\ stochastic (table_at p m x), good (table_at p m x) &
    forall i : 'I_n, i \in side_of n c -> losses i (table_at p m x) <= x (p * m)%N].
  have -> : feasible P x <-> each (satisfies x) (bound_rows p m ++ sum_rows p m ++ loss_rows (p * m) cost c ++ rows).
    by rewrite /P /with_loss; case: (c).
  rewrite catA each_cat rows_stochastic each_cat (rows_loss _ _ _ c_n).
  split=> [[x_st [x_loss x_rows]]|[x_st x_good x_loss]].
    by split=> // [|i i_c]; [exact/rowsP | rewrite -costP; exact: x_loss].
  by split=> //; split=> [i i_c|]; [rewrite costP; exact: x_loss | exact/rowsP].
have P_v : to_prove P = Least v by rewrite /P /with_loss; case: (c).
rewrite (@least_means R P v 'M[R]_(p, m) (fun X => stochastic X /\ good X) loss_le P_v).
- split=> [[least [X [X_st X_good] X_v]]|[least [X [X_st X_good X_v]]]]; split.
  + by move=> X' X'_st X'_good; exact: least.
  + by exists X.
  + by move=> X' [X'_st X'_good]; exact: least.
  + by exists X.
- move=> X u w u_w; rewrite /loss_le; case: (c) => [l side|l prior] X_u; last exact: le_trans u_w.
  by move=> i i_c; exact: le_trans (X_u i i_c) u_w.
- move=> x /feasibleP[x_st x_good x_loss]; exists (table_at p m x) => //.
  rewrite /loss_le /P /with_loss; move: x_loss expectedP; case: (c) => [l side|l prior] /= x_loss expectedP.
    by rewrite /value big_seq1 /= of_Q_one mul1r.
  by rewrite (expectedP _ l).
move=> X u [X_st X_good] X_u; exists (point_of X u).
  apply/feasibleP; rewrite table_point point_last; split=> // i; move: X_u; rewrite /loss_le.
  by case: (c) => [l side|l prior] X_u; [exact: X_u | rewrite inE].
rewrite /P /with_loss; move: X_u expectedP; rewrite /loss_le; case: (c) => [l side|l prior] /= X_u expectedP.
  by rewrite /value big_seq1 /= of_Q_one mul1r point_last.
by rewrite (expectedP _ l) // table_point.
Qed.

Lemma loss_leE p m c (X : 'M[R]_(p, m)) u :
  let l := matrix_of R p m (content (loss_of c)) in
  loss_le c X u = match c with
    | Minimax _ _ => forall i : 'I_p, i \in side_of p c -> loss_at l X i <= u
    | Bayesian _ prior => bayes_loss (fun i => vector_entry R prior i) l X <= u
    end.
Proof. by case: c. Qed.

(* ---- What the programs say ---- *)
Theorem private_program_means near a c v P : private_program near a c v = Some P ->
  says R P <-> meaning R (Optimal near a c v None).
Proof.
rewrite /private_program; set p := size _; set m := size _.
case EL: consumer_at => [L|] //; case: ifP => // /and3P[a_level rational c_p] /Some_inj <-.
have [in_v c_proper l_L] := consumer_atP R EL; have a01 := is_levelP R a_level.
set l := matrix_of R p m (content (loss_of c)) in l_L.
rewrite (@with_loss_means _ p m p c _ _ _ v (private_for near (of_Q a)) (fun i X => loss_at l X i)
  (fun prior X => bayes_loss (fun i => vector_entry R prior i) l X) c_p); first last.
- move=> x l0 prior _; rewrite value_over_table /bayes_loss; apply: eq_bigr => i _.
  rewrite /loss_at mulr_sumr; apply: eq_bigr => r _; case: l_L => L_gt0 l_is; rewrite table_atE l_is.
  have d_gt0 := gt0_Z L_gt0; rewrite of_Q_fraction; last exact: Z.mul_pos_pos.
  rewrite /vector_entry !of_ZM; have u_gt0 := of_Z_pos R (unit prior).
  by by_field R; split; apply/eqP; rewrite gt_eqF.
- by move=> x i; rewrite value_along; apply: eq_bigr => r _; rewrite (entry_atP _ _ l_L) table_atE.
- by move=> x x_st; exact: rows_private.
split=> [[least [X [X_st X_priv X_v]]]|[_ _ _ least [X [[X_st X_priv] [X_v _]]]]].
  have none : none_below near p m (of_Q a) c (of_Q v).
    by move=> Y [Y_st Y_priv] u; rewrite loss_leE; exact: (least Y Y_st Y_priv u).
  by split=> //; exists X; do 2![split=> //]; [rewrite loss_leE | move=> u; exact: none].
split=> [Y Y_st Y_priv u Y_u|]; first by apply: (least Y) => //; rewrite loss_leE.
by exists X; split=> //; rewrite loss_leE in X_v.
Qed.

Theorem remap_program_means t c v P : remap_program t c v = Some P -> says R P <-> meaning R (OptimalRemap t c v None).
Proof.
rewrite /remap_program; set p := size _; set q := size _; set m := size _.
case EM: mechanism_at => [J|] //; case EL: consumer_at => [L|] //; case: ifP => // c_p /Some_inj <-.
have [in_t c_proper l_L] := consumer_atP R EL; have [M_J M_st] := mechanism_atP R EM.
set l := matrix_of R p m (content (loss_of c)) in l_L; set M := matrix_of R p q (content t) in M_J M_st.
have [/gt0_Z J_gt0 M_is] := M_J; have [/gt0_Z L_gt0 l_is] := l_L.
have J_neq0 : of_Z (scaling J) != 0 by rewrite gt_eqF // of_Z_gt0.
have L_neq0 : of_Z (scaling L) != 0 by rewrite gt_eqF // of_Z_gt0.
have loss_is_sum (T : 'M[R]_(q, m)) (i : 'I_p) : loss_at l (M *m T) i = \sum_y \sum_r M i y * l i r * T y r.
  rewrite /loss_at exchange_big; apply: eq_bigr => r _; rewrite [(M *m T) _ _]mxE mulr_sumr.
  by apply: eq_bigr => y _; by_ring R.
rewrite (@with_loss_means _ q m p c _ _ _ v (fun=> True) (fun i T => loss_at l (M *m T) i)
  (fun prior T => bayes_loss (fun i => vector_entry R prior i) l (M *m T)) c_p); first last.
- move=> x l0 prior _; rewrite value_over_table /bayes_loss.
  set d := (Zpos (unit prior) * (scaling J * scaling L))%Z.
  have d_gt0 : (0 < d)%Z by apply: Z.mul_pos_pos => //; exact: Z.mul_pos_pos.
  under [RHS]eq_bigr => i _ do rewrite loss_is_sum mulr_sumr.
  rewrite [RHS]exchange_big; apply: eq_bigr => y _ /=.
  under [RHS]eq_bigr => i _ do rewrite mulr_sumr.
  rewrite [RHS]exchange_big; apply: eq_bigr => r _ /=.
  have u_gt0 := of_Z_pos R (unit prior); have u_neq0 := of_Z_pos_neq0 R (unit prior).
  rewrite of_Q_fraction //.
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n (@at_weigh R p); last first.
    by apply: (@below_enumerate p 0); rewrite size_map size_iota.
  rewrite !mulr_suml; apply: eq_bigr => i _; rewrite (at_enumerate 0) subn0 (nth_map 0%N) ?size_iota // nth_iota // add0n.
  rewrite -/(line_of L i) table_atE M_is l_is /vector_entry /d !of_ZM.
  by by_field R; do ?split; apply/eqP.
- move=> x i; rewrite value_over_table loss_is_sum; apply: eq_bigr => y _; apply: eq_bigr => r _.
  rewrite table_atE M_is l_is /joint_at of_Q_fraction; last exact: Z.mul_pos_pos.
  by rewrite !of_ZM; by_field R; split; apply/eqP.
- by [].
split=> [[least [T [T_st _ T_v]]]|[_ _ _ least [T [T_st [T_v _]]]]].
  have none : none_below_remap m M c (of_Q v).
    by move=> S S_st u; rewrite loss_leE; exact: (least S S_st I u).
  by split=> //; exists T; do 2![split=> //]; [rewrite loss_leE | move=> u; exact: none].
split=> [S S_st _ u S_u|]; first by apply: (least S) => //; rewrite loss_leE.
by exists T; split=> //; rewrite loss_leE in T_v.
Qed.

Theorem product_program_feasible A B r P : product_program A B r = Some P ->
  let X := matrix_of R (size (inputs A)) (size (outputs A)) (content A) in
  let Y := matrix_of R (size (inputs A)) (size (outputs B)) (content B) in
  [/\ to_prove P = r, inputs A = inputs B, stochastic X, stochastic Y & (exists x : nat -> R, feasible P x) <-> derivable X Y].
Proof.
rewrite /product_program; set p := size _; set q := size _; set k := size _.
case EA: mechanism_at => [J|] //; case EB: mechanism_at => [K|] //; case: ifP => // /agreeP in_in /Some_inj <-.
set X := matrix_of R p q _; set Y := matrix_of R p k _.
have [X_J X_st] := mechanism_atP R EA; have [Y_K Y_st] := mechanism_atP R EB.
split=> //; set P' := Program _ _ _ _ _.
have feasibleP x : feasible P' x <-> stochastic (table_at q k x) /\ Y = X *m table_at q k x.
  rewrite /feasible /P' /= catA each_cat rows_stochastic each_flatten each_map each_iota.
  have row_is (i : 'I_p) (z : 'I_k) :
      value x (along q (fun y => y * k + z)%N (entry_at J i)) = (X *m table_at q k x) i z.
    by rewrite value_along [RHS]mxE; apply: eq_bigr => y _; rewrite table_atE (entry_atP _ _ X_J).
  split=> -[x_st x_rows]; split=> //.
    apply/matrixP=> i z; have := x_rows i; rewrite each_map each_iota => /(_ z).
    by rewrite /satisfies /= row_is (entry_atP _ _ Y_K) => ->.
  by move=> i; rewrite each_map each_iota => z; rewrite /satisfies /= row_is (entry_atP _ _ Y_K) -x_rows.
split=> [[x /feasibleP[x_st x_Y]]|[T T_st T_Y]]; first by exists (table_at q k x).
by exists (point_of T 0); apply/feasibleP; rewrite table_point.
Qed.

Theorem program_means c P : program_of c = Some P -> says R P <-> meaning R (part_of c).
Proof.
case: c => //=.
- move=> A B /product_program_feasible[r in_in A_st B_st solvable]; rewrite /says r solvable.
  by split=> [|[]].
- move=> A B /product_program_feasible[r in_in A_st B_st solvable]; rewrite /says r.
  by split=> [no|[_ _ _ no]]; [split=> // /solvable | move=> /solvable].
- by move=> near a c v t; exact: private_program_means.
- by move=> near a c v t loss gap; exact: private_program_means.
- by move=> t c v r; exact: remap_program_means.
- by move=> t c v r loss gap; exact: remap_program_means.
- by move=> near a c v t; exact: private_program_means.
- by move=> near a c v t loss gap; exact: remap_program_means.
Qed.

(* What is said of a part follows from the claim. *)
Lemma private_after p q m near a (M : 'M[R]_(p, q)) (T : 'M[R]_(q, m)) : rational_pairs p near a ->
  stochastic M -> stochastic T -> private_for near (of_Q a) M -> private_for near (of_Q a) (M *m T).
Proof.
move=> /all_In rational [M_ge0 _] [T_ge0 _] M_priv i j d r ij.
have d_ok : is_rational a d by case: ij => /rational/and3P[].
have [b_ge0 b_is] := power_rational d_ok; have k_gt0 : (0 < Pos.to_nat (Qden d))%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have raised (x y : R) : 0 <= x -> 0 <= y -> (of_Q a ^+ Z.to_nat (Qnum d) * x ^+ Pos.to_nat (Qden d) <= y ^+ Pos.to_nat (Qden d))
    = (of_Q (power a d) * x <= y).
  by move=> x_ge0 y_ge0; rewrite b_is -exprMn; apply: (ler_pexpn2r k_gt0); rewrite nnegrE; by [ | exact: (mulr_ge0 b_ge0 x_ge0)].
have ge0 k : 0 <= (M *m T) k r by rewrite mxE; apply: sumr_ge0 => y _; exact: mulr_ge0.
rewrite raised // !mxE mulr_sumr; apply: ler_sum => y _; rewrite mulrA; apply: ler_wpmul2r => //.
by rewrite -raised //; exact: M_priv.
Qed.

Theorem part_holds c P : program_of c = Some P -> meaning R c -> meaning R (part_of c).
Proof.
case: c => //=.
- move=> near a c v [t|] //= _ [[in_v in_t out_t] a01 c_proper none X_ok]; split=> //.
  by exists (matrix_of R _ _ (content t)).
- by move=> near a c v t loss gap _ [[in_v _ _] [a01 c_proper] none best _].
- move=> t c v [r|] //= _ [in_t M_st c_proper none [in_r out_r T_st T_v]]; split=> //.
  by exists (matrix_of R _ _ (content r)).
- by move=> t c v r loss gap _ [[in_t _ _] [M_st c_proper] [none best] _ _].
- move=> near a c v t near_P [[in_v in_t] [a01 c_proper] none [M_st M_priv] [T [T_st T_v]]]; split=> //.
  exists (matrix_of R _ _ (content t) *m T); split=> //; split; first exact: stochastic_mul.
  apply: private_after => //; move: near_P; rewrite /private_program.
  by case: consumer_at => // L; case: ifP => // /and3P[].
- move=> near a c v t loss gap _ [[in_v in_t a01 c_proper] [none best] [M_st M_priv] [least remap] _].
  by rewrite /= in_t.
Qed.

End Programs.
