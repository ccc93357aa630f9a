(* SPDX-License-Identifier: MIT *)
(* What decides the claims of TypesClaims.v, and its soundness.                                               *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP Require Import OrderedField Mechanism Leakage Hyper.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader Meaning Tables Privacy Derivable Check VertexRays.
From ExactDP.Checker Require Import TypesClaims Capacity KernelMechanisms Mixtures.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope seq_scope.

Inductive witness :=
| None_
| ByWeights (z : vector)
| ByDual (x : seq vector) (d : dual)
| Order (remaps separators : seq (seq vector))
| ByRemap (rows : seq vector).

(* ---- Refinement: which of several mechanisms are refined by which others ---- *)
Definition same_pair (x y : N * N) : bool := N.eqb x.1 y.1 && N.eqb x.2 y.2.

(* The ordered pairs of different numbers below k that are not listed. *)
Definition other_pairs (k : nat) (refined : seq (N * N)) : seq (N * N) :=
  let is_ := [seq N.of_nat i | i <- iota 0 k] in
  [seq x <- [seq (i, j) | i <- is_, j <- is_] | ~~ N.eqb x.1 x.2 && ~~ has (same_pair x) refined].

Definition decides_order (ms : seq table) (refined : seq (N * N)) (remaps separators : seq (seq vector)) : bool :=
  let m_ (k : N) := nth no_part.1 ms (N.to_nat k) in
  let rest := other_pairs (size ms) refined in
  let p := size (inputs (m_ 0%num)) in
  [&& all (fun m => agree (inputs m) (inputs (m_ 0%num)) && mechanism_at p (size (outputs m)) m) ms,
      size remaps == size refined,
      all (fun xr : N * N * seq vector => Check.check (Derivable (m_ xr.1.1) (m_ xr.1.2)) (Remap xr.2)) (zip refined remaps),
      size separators == size rest &
      all (fun xw : N * N * seq vector => Check.check (NotDerivable (m_ xw.1.1) (m_ xw.1.2)) (Separator xw.2)) (zip rest separators)].

(* ---- Witnesses ---- *)
Fixpoint matrices_of (sizes : seq (nat * nat)) (vs : seq json) : option (seq (seq vector)) :=
  match sizes, vs with
  | [::], [::] => Some [::]
  | (p, m) :: sizes', v :: vs' => let! x := rows_of p m v in let! xs := matrices_of sizes' vs' in Some (x :: xs)
  | _, _ => None
  end.

Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | Capacity _ _ _ => let! _ := object_of [::] [::] v in Some None_
  | TypeCapacity near a kind _ =>
      let p := size (vertices near) in
      let! fields := object_of [:: "by" : text] [::] v in let! b := find_key "by" fields in
      let! bs := if b is Object bs then Some bs else None in
      let! r := find_key "rule" bs in let! rule := text_of r in
      if same rule "weights" then
        let! _ := object_of [:: "rule" : text; "weights" : text] [::] b in
        let! w := find_key "weights" bs in let! z := vector_of p w in Some (ByWeights z)
      else if same rule "dual" then
        let! _ := object_of [:: "rule" : text; "mechanism" : text; "dual" : text] [::] b in
        let! x := find_key "mechanism" bs in let! rows := rows_of p p x in
        let! y := find_key "dual" bs in let! d := dual_of near a (guesser kind near) y in Some (ByDual rows d)
      else None
  | Refinements ms refined =>
      let outs k := size (outputs (nth no_part.1 ms (N.to_nat k))) in
      let p := size (inputs (nth no_part.1 ms 0)) in
      let! fields := object_of [:: "remaps" : text; "separators" : text] [::] v in
      let! r := find_key "remaps" fields in let! rs := array_of r in
      let! s := find_key "separators" fields in let! ss := array_of s in
      let! remaps := matrices_of [seq (outs x.1, outs x.2) | x <- refined] rs in
      let! separators := matrices_of [seq (p, outs x.2) | x <- other_pairs (size ms) refined] ss in
      Some (Order remaps separators)
  | KernelMechanism _ _ _ | NotKernelMechanism _ _ _ | KernelMixtures _ _ _ _ =>
      let! _ := object_of [::] [::] v in Some None_
  | RefinesMixture _ _ m parts =>
      let! fields := object_of [:: "remap" : text] [::] v in let! r := find_key "remap" fields in
      let! rows := rows_of (width parts) (size (outputs m)) r in Some (ByRemap rows)
  end.

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | Capacity m kind v, None_ =>
      let p := size (inputs m) in let k := size (outputs m) in
      (0 < p)%N && (if mechanism_at p k m is Some J then has_capacity p k kind J v else false)
  | TypeCapacity near a kind v, ByWeights z =>
      let p := size (vertices near) in (0 < p)%N && weighs p near a kind z v
  | TypeCapacity near a kind v, ByDual rows d => is_level a && capacity_bound near a kind (cleared rows) d v
  | Refinements ms refined, Order remaps separators => (1 < size ms)%N && decides_order ms refined remaps separators
  | KernelMechanism near a m, None_ =>
      let p := size (inputs m) in let k := size (outputs m) in
      if mechanism_at p k m is Some J then
        [&& agree (inputs m) (vertices near), is_level a & is_kernel p k near a J]
      else false
  | NotKernelMechanism near a m, None_ =>
      let p := size (inputs m) in let k := size (outputs m) in
      if mechanism_at p k m is Some J then
        [&& agree (inputs m) (vertices near), is_level a & not_kernel p k near a J]
      else false
  | KernelMixtures near a m mixtures, None_ =>
      let p := size (inputs m) in let k := size (outputs m) in
      if mechanism_at p k m is Some J then
        [&& agree (inputs m) (vertices near), is_level a && (0 < p)%N, is_private k near a J,
            all (fun s => [&& is_mixture p near a s, is_stochastic p (width s) (choice p s) &
                              ~~ differ p k (width s) J (choice p s)]) mixtures &
            pairwise (other_sum p) mixtures]
      else false
  | RefinesMixture near a m parts, ByRemap rows =>
      let p := size (inputs m) in let k := size (outputs m) in
      if mechanism_at p k m is Some J then
        [&& agree (inputs m) (vertices near), is_level a, is_mixture p near a parts &
            is_product p (width parts) k (choice p parts) J (cleared rows)]
      else false
  | _, _ => false
  end.

Section Soundness.
Local Open Scope ring_scope.
Variable R : realFieldType.

Lemma In_zip_size A B (s : seq A) (r : seq B) x : size r = size s -> List.In x s -> exists y, List.In (x, y) (zip s r).
Proof.
elim: s r => [|a s IHs] [|b r] //= [size_r] [<-|/(IHs _ size_r)[y y_in]]; first by exists b; left.
by exists y; right.
Qed.

Lemma In_filter A (a : pred A) s x : List.In x s -> a x -> List.In x (filter a s).
Proof. by elim: s => [|y s IHs] //= [->|/IHs IH] ax; [rewrite ax; left | case: (a y); [right|]; exact: IH]. Qed.

Lemma In_iota k i : (i < k)%N -> List.In (N.of_nat i) [seq N.of_nat i | i <- iota 0 k].
Proof.
suff general m : (m <= i < m + k)%N -> List.In (N.of_nat i) [seq N.of_nat i | i <- iota m k] by move=> i_k; exact: general.
elim: k m => [|k IHk] m; first by rewrite addn0 => /andP[le lt]; have := leq_ltn_trans le lt; rewrite ltnn.
rewrite leq_eqVlt addnS => /andP[/orP[/eqP ->|lt] lt']; first by left.
by right; apply: IHk; rewrite lt.
Qed.

Lemma In_pairs A B (s : seq A) (r : seq B) x y : List.In x s -> List.In y r -> List.In (x, y) [seq (i, j) | i <- s, j <- r].
Proof.
move=> x_s y_r; elim: s x_s => [|a s IHs] //= [->|/IHs IH]; apply/List.in_app_iff; [left | by right].
by elim: r y_r {IHs} => [|b r IHr] //= [->|/IHr]; [left | right].
Qed.

Theorem decides_orderP ms refined remaps separators : (0 < size ms)%N -> decides_order ms refined remaps separators ->
  meaning R (Refinements ms refined).
Proof.
move=> ms_gt0 /and5P[/all_In ms_ok /eqP size_remaps /all_In derive /eqP size_separators /all_In separate].
set m_ := fun k => nth no_part.1 ms k; set p := size (inputs (m_ 0%N)).
have ms_at k : (k < size ms)%N -> inputs (m_ k) = inputs (m_ 0%N) /\ stochastic (rows_at R p (m_ k)).
  move=> k_ms; have /andP[/agreeP in_k] := ms_ok _ (nth_In no_part.1 k_ms).
  by case E: mechanism_at => [J|] // _; split=> //; have [] := mechanism_atP R E.
split=> // i j i_ms j_ms ij; have [in_i _] := ms_at i i_ms.
have to_p : size (inputs (m_ i)) = p by rewrite in_i.
split=> [/(In_zip_size size_remaps)[r /derive/(@Check.check_sound R)]|der].
  by rewrite /= !Nat2N.id => -[_ _ _]; rewrite -/(m_ i) to_p.
have [listed|rest] := boolP (has (same_pair (N.of_nat i, N.of_nat j)) refined).
  by have /has_In[[x y] xy_in /andP[/= /N.eqb_eq -> /N.eqb_eq ->]] := listed.
have : List.In (N.of_nat i, N.of_nat j) (other_pairs (size ms) refined).
  apply: In_filter; first by apply: In_pairs; exact: In_iota.
  by rewrite rest andbT; apply/negP => /N.eqb_eq/Nat2N.inj.
case/(In_zip_size size_separators)=> w /separate/(@Check.check_sound R).
by rewrite /= !Nat2N.id => -[_ _ _]; rewrite -/(m_ i) to_p.
Qed.

Theorem check_sound c w : check c w -> meaning R c.
Proof.
case: c w => [m kind v|near a kind v|ms refined|near a m|near a m|near a m mixtures|near a m parts] [|z|rows d|remaps separators|rows] //=.
- case/andP=> p_gt0; case E: mechanism_at => [J|] // cap; have [rep st] := mechanism_atP R E.
  by split=> //; exact: (has_capacityP rep (mechanism_at_stochastic E) p_gt0 cap).
- case/andP=> p_gt0 ok; have [some all] := weighsP R p_gt0 ok; split=> //.
  by apply: is_levelP; move: ok; rewrite /weighs; case: (kind) => /andP[/andP[]].
- by case/andP=> a_level /(capacity_boundP R)[some all]; split=> //; exact: is_levelP.
- by case/andP=> ms_gt1; apply: decides_orderP; exact: ltnW.
- case E: mechanism_at => [J|] // /and3P[/agreeP in_v /(is_levelP R) a_level ok]; have [rep _] := mechanism_atP R E.
  by split=> //; exact: (is_kernelP rep (mechanism_at_stochastic E) ok).
- case E: mechanism_at => [J|] // /and3P[/agreeP in_v /(is_levelP R) a_level ok]; have [rep _] := mechanism_atP R E.
  by have [mech no] := not_kernelP rep (mechanism_at_stochastic E) ok.
- case E: mechanism_at => [J|] // /and5P[/agreeP in_v /andP[/(is_levelP R) a_level p_gt0] priv /(all_nthP [::]) ok differ_all].
  have [rep st] := mechanism_atP R E; have J_st := mechanism_at_stochastic E.
  have mix_at k : (k < size mixtures)%N -> is_mixture (size (inputs m)) near a (nth [::] mixtures k) by move=> /ok/and3P[].
  split=> // [|k k_s|k l kl]; first by split=> //; exact: is_privateP rep priv.
    have /and3P[_ s_st same] := ok k k_s; have [fairs mix] := is_mixtureP R (mix_at k k_s); split=> //.
    by have := differP rep J_st (choiceP R fairs) s_st p_gt0; rewrite (negPf same).
  have /andP[k_l l_s] := kl; have k_s := ltn_trans k_l l_s.
  have [k_fairs _] := is_mixtureP R (mix_at k k_s); have [l_fairs _] := is_mixtureP R (mix_at l l_s).
  exact: (other_sumP p_gt0 k_fairs l_fairs (pairwise_nth [::] differ_all kl)).
- case E: mechanism_at => [J|] // /and4P[/agreeP in_v /(is_levelP R) a_level mix_ok prod].
  have [rep st] := mechanism_atP R E; have [fairs mix] := is_mixtureP R mix_ok; split=> //.
  have [T rep_T] := @represents_some R (width parts) (size (outputs m)) (cleared rows) (common_gt0 rows).
  by have [T_st e] := is_productP (choiceP R fairs) rep rep_T prod; exists T.
Qed.

End Soundness.
