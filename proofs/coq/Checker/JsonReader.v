(* SPDX-License-Identifier: MIT *)
(* The reader of JSON: from bytes to a tree of which they are the text.                                       *)
(*                                                                                                            *)
(*   parse s = Some v    implies    document v s          (parseP)                                            *)
(*                                                                                                            *)
(* A recursive descent.  The first argument of the functions is fuel: a list of which each call takes one     *)
(* element.  Every call reads at least one byte, so the file itself is fuel enough.                           *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith Ascii String Lia.
From ExactDP.Checker Require Import Json.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition is_char (a : N) (c : ascii) : bool := N.eqb (code c) a.

Fixpoint skip (s : text) : text :=
  match s with
  | [::] => [::]
  | c :: s' => if is_space c then skip s' else s
  end.

(* The rest of a string, after its first quote; acc is what was read, in reverse. *)
Fixpoint read_chars (acc s : text) {struct s} : option (text * text) :=
  match s with
  | [::] => None
  | c :: s1 =>
    if Ascii.eqb c quote then Some (rev acc, s1)
    else if plain c then read_chars (c :: acc) s1
    else match s1 with
    | [::] => None
    | e :: s2 =>
      if Ascii.eqb c backslash then
        if Ascii.eqb e u then
          match s2 with
          | h1 :: h2 :: h3 :: h4 :: s3 =>
            match hex4 h1 h2 h3 h4 with
            | None => None
            | Some n =>
              if low n then None
              else if high n then
                match s3 with
                | b :: v :: l1 :: l2 :: l3 :: l4 :: s4 =>
                  match hex4 l1 l2 l3 l4 with
                  | None => None
                  | Some m =>
                    if [&& Ascii.eqb b backslash, Ascii.eqb v u & low m]
                    then read_chars (catrev (encode (pair_of n m)) acc) s4 else None
                  end
                | _ => None
                end
              else read_chars (catrev (encode n) acc) s3
            end
          | _ => None
          end
        else match escape e with
        | Some d => read_chars (d :: acc) s2
        | None => None
        end
      else if sequence [:: c; e] then read_chars [:: e, c & acc] s2
      else match s2 with
      | [::] => None
      | f :: s3 =>
        if sequence [:: c; e; f] then read_chars [:: f, e, c & acc] s3
        else match s3 with
        | [::] => None
        | g :: s4 => if sequence [:: c; e; f; g] then read_chars [:: g, f, e, c & acc] s4 else None
        end
      end
    end
  end.

(* At most k more digits. *)
Fixpoint read_digits (k : nat) (n : N) (s : text) : N * text :=
  match k, s with
  | k'.+1, c :: s' => match digit c with Some d => read_digits k' (10 * n + d)%num s' | None => (n, s) end
  | _, _ => (n, s)
  end.

Definition read_number (s : text) : option (json * text) :=
  match s with
  | [::] => None
  | c :: s' =>
    match digit c with
    | None => None
    | Some d => if is_char 48 c then Some (Number 0, s') else
      let: (n, rest) := read_digits 8 d s' in Some (Number n, rest)
    end
  end.

Fixpoint read_value (fuel s : text) {struct fuel} : option (json * text) :=
  match fuel, s with
  | _ :: fuel, c :: s1 =>
    if Ascii.eqb c quote then
      match read_chars [::] s1 with Some (t, s2) => Some (Text t, s2) | None => None end
    else if is_char 91 c then
      match skip s1 with
      | d :: s3 => if is_char 93 d then Some (Array [::], s3) else read_items fuel [::] (d :: s3)
      | [::] => None
      end
    else if is_char 123 c then
      match skip s1 with
      | d :: s3 => if is_char 125 d then Some (Object [::], s3) else read_members fuel [::] (d :: s3)
      | [::] => None
      end
    else read_number s
  | _, _ => None
  end
with read_items (fuel : text) (acc : seq json) (s : text) {struct fuel} : option (json * text) :=
  match fuel with
  | [::] => None
  | _ :: fuel =>
    match read_value fuel s with
    | None => None
    | Some (v, s1) =>
      match skip s1 with
      | [::] => None
      | d :: s2 =>
        if is_char 44 d then read_items fuel (v :: acc) (skip s2)
        else if is_char 93 d then Some (Array (rev (v :: acc)), s2) else None
      end
    end
  end
with read_members (fuel : text) (acc : seq (text * json)) (s : text) {struct fuel} : option (json * text) :=
  match fuel, s with
  | _ :: fuel, q :: s0 =>
    if ~~ Ascii.eqb q quote then None else
    match read_chars [::] s0 with
    | None => None
    | Some (k, s1) =>
      match skip s1 with
      | [::] => None
      | c :: s2 =>
        if ~~ is_char 58 c then None else
        match read_value fuel (skip s2) with
        | None => None
        | Some (v, s3) =>
          match skip s3 with
          | [::] => None
          | d :: s4 =>
            let acc := (k, v) :: acc in
            if is_char 44 d then read_members fuel acc (skip s4)
            else if is_char 125 d then
              let ms := rev acc in if distinct [seq m.1 | m <- ms] then Some (Object ms, s4) else None
            else None
          end
        end
      end
    end
  | _, _ => None
  end.

Definition parse (s : text) : option json :=
  match read_value (quote :: s) (skip s) with
  | Some (v, rest) => if space rest then Some v else None
  | None => None
  end.

(* ---- Proof ---- *)
Arguments read_number : simpl never.

Lemma skipP s : exists2 w, s = w ++ skip s & space w.
Proof.
elim: s => [|c s [w s_w w_sp]] /=; first by exists [::].
by case: ifP => c_sp; [exists (c :: w); rewrite /= ?c_sp -?s_w | exists [::]].
Qed.

Lemma is_charP a c : is_char (code a) c -> c = a.
Proof.
move/N.eqb_eq => e; rewrite -[c]ascii_N_embedding -[a]ascii_N_embedding; congr ascii_of_N; exact: e.
Qed.

Lemma read_charsP n acc s t rest : size s <= n -> read_chars acc s = Some (t, rest) ->
  exists raw v, [/\ s = raw ++ quote :: rest, t = rev acc ++ v & chars raw v].
Proof.
elim: n => [|n IHn] in acc s *; case: s => [|c s1] //= s_n.
have step q v acc' s' : size s' <= n -> acc' = catrev v acc ->
    (forall raw w, chars raw w -> chars (q ++ raw) (v ++ w)) ->
    read_chars acc' s' = Some (t, rest) ->
    exists raw w, [/\ q ++ s' = raw ++ quote :: rest, t = rev acc ++ w & chars raw w].
  move=> s'_n -> q_v /(IHn _ _ s'_n)[raw [w [-> -> raw_w]]].
  exists (q ++ raw), (v ++ w); split; rewrite ?catA //; last exact: q_v.
  by rewrite catrevE rev_cat revK -catA.
case: Ascii.eqb_spec => [->|_]; first by case=> <- <-; exists [::], [::]; rewrite cats0; split=> //; constructor.
case: ifP => [c_plain|_].
  apply: (step [:: c] [:: c]) => // raw w; exact: chars_plain.
case: s1 s_n => [|e s2] //= s_n.
case: Ascii.eqb_spec => [->|_].
  case: Ascii.eqb_spec => [->|_]; last first.
    case E: (escape e) => [d|] //; apply: (step [:: backslash; e] [:: d]) => //; first exact: ltnW.
    by move=> raw w; exact: chars_escape.
  case: s2 s_n => [|h1 [|h2 [|h3 [|h4 s3]]]] //= s_n; case H: hex4 => [k|] //.
  case L: low => //; case: ifP => [hi|not_hi].
    case: s3 s_n => [|b [|v [|l1 [|l2 [|l3 [|l4 s4]]]]]] //= s_n; case H2: hex4 => [m|] //.
    case: ifP => // /and3P[/Ascii.eqb_spec b_is /Ascii.eqb_spec v_is lo].
    apply: (step [:: backslash; u; h1; h2; h3; h4; b; v; l1; l2; l3; l4] (encode (pair_of k m))) => //.
      by do 11 apply: leq_trans (leqnSn _) _; rewrite ltnS in s_n.
    by move=> raw w; rewrite b_is v_is; exact: (chars_pair H hi H2 lo).
  apply: (step [:: backslash; u; h1; h2; h3; h4] (encode k)) => //.
    by do 5 apply: leq_trans (leqnSn _) _; rewrite ltnS in s_n.
  by move=> raw w; apply: (chars_unicode H); rewrite ?not_hi ?L.
case: ifP => [seq2|_].
  apply: (step [:: c; e] [:: c; e]) => //; first exact: ltnW.
  by move=> raw w; exact: (@chars_sequence [:: c; e] _ _ seq2).
case: s2 s_n => [|f s3] //= s_n; case: ifP => [seq3|_].
  apply: (step [:: c; e; f] [:: c; e; f]) => //; first by do 2 apply: leq_trans (leqnSn _) _.
  by move=> raw w; exact: (@chars_sequence [:: c; e; f] _ _ seq3).
case: s3 s_n => [|g s4] //= s_n; case: ifP => [seq4|_] //.
apply: (step [:: c; e; f; g] [:: c; e; f; g]) => //; first by do 3 apply: leq_trans (leqnSn _) _.
by move=> raw w; exact: (@chars_sequence [:: c; e; f; g] _ _ seq4).
Qed.

Lemma decimal_rcons s c : decimal (rcons s c) =
  match decimal s, digit c with Some n, Some d => Some (10 * n + d)%num | _, _ => None end.
Proof. by rewrite /decimal foldl_rcons. Qed.

Lemma read_digitsP k n s m rest : read_digits k n s = (m, rest) -> forall before, decimal before = Some n ->
  exists2 ds, s = ds ++ rest & size ds <= k /\ decimal (before ++ ds) = Some m.
Proof.
have stop k' n' s' : (n', s') = (m, rest) -> forall before, decimal before = Some n' ->
    exists2 ds, s' = ds ++ rest & size ds <= k' /\ decimal (before ++ ds) = Some m.
  by case=> <- <- before before_n; exists [::]; rewrite ?cats0.
elim: k n s => [|k IHk] n [|c s] /=; try exact: stop.
case D: (digit c) => [d|]; last exact: stop.
move=> read before before_n; have next : decimal (rcons before c) = Some (10 * n + d)%num.
  by rewrite decimal_rcons before_n D.
have [ds -> [ds_k ds_m]] := IHk _ _ read _ next.
by exists (c :: ds) => //=; rewrite -cat_rcons.
Qed.

Lemma read_numberP s v rest : read_number s = Some (v, rest) -> exists2 t, s = t ++ rest & value v t.
Proof.
case: s => [|c s] //; rewrite /read_number; case D: (digit c) => [d|] //; case: ifP => [c0|c_not0].
  case=> <- <-; exists [:: c] => //; constructor; split=> //.
  by move/(@is_charP (ascii_of_N 48)): c0 => ->.
case E: (read_digits 8 d s) => [n s'] [<- <-].
have before : decimal [:: c] = Some d by rewrite /decimal /= D; case: d {D E}.
have [ds -> [ds_8 ds_n]] := read_digitsP E before.
exists (c :: ds) => //; constructor; split=> //=; rewrite ltnS ds_8 /=.
apply/orP; right; apply: contraFN c_not0; rewrite /between /is_char => /andP[/N.leb_le ? /N.leb_le ?].
by apply/N.eqb_eq; lia.
Qed.

(* What the three functions promise, for one amount of fuel. *)
Definition right_value fuel := forall s v rest, read_value fuel s = Some (v, rest) ->
  exists2 t, s = t ++ rest & value v t.
Definition right_items fuel := forall acc s v rest, read_items fuel acc s = Some (v, rest) ->
  exists vs t, [/\ v = Array (rev acc ++ vs), s = t ++ char "]" ++ rest & items vs t].
Definition right_members fuel := forall acc s v rest, read_members fuel acc s = Some (v, rest) ->
  exists ms t, [/\ v = Object (rev acc ++ ms), s = t ++ char "}" ++ rest, members ms t &
                   distinct [seq m.1 | m <- rev acc ++ ms]].

Lemma space_cat w w' : space w -> space w' -> space (w ++ w').
Proof. by rewrite /space all_cat => -> ->. Qed.

Lemma items_space w vs t : space w -> items vs t -> items vs (w ++ t).
Proof.
move=> w_sp vs_t; case: vs_t => [v w1 s w2 w1_sp v_s w2_sp|v vs' w1 s w2 t' w1_sp v_s w2_sp vs_t'].
  by rewrite catA; apply: items_last => //; exact: space_cat.
by rewrite catA; apply: items_more => //; exact: space_cat.
Qed.

Lemma member_space w k v t : space w -> member k v t -> member k v (w ++ t).
Proof.
move=> w_sp k_v; case: k_v => raw k' v' w1 w2 w3 s w4 w1_sp raw_k w2_sp w3_sp v_s w4_sp.
by rewrite catA; apply: member_of => //; exact: space_cat.
Qed.

Lemma members_space w ms t : space w -> members ms t -> members ms (w ++ t).
Proof.
move=> w_sp ms_t; case: ms_t => [k v s k_s|k v s ms' t' k_s ms_t'].
  by apply: members_last; exact: member_space.
by rewrite catA; apply: members_more => //; exact: member_space.
Qed.

Lemma is_comma d : is_char 44 d -> [:: d] = char ",".
Proof. by move/(@is_charP (ascii_of_N 44)) ->. Qed.
Lemma is_colon d : is_char 58 d -> [:: d] = char ":".
Proof. by move/(@is_charP (ascii_of_N 58)) ->. Qed.
Lemma is_open d : is_char 91 d -> [:: d] = char "[".
Proof. by move/(@is_charP (ascii_of_N 91)) ->. Qed.
Lemma is_closed d : is_char 93 d -> [:: d] = char "]".
Proof. by move/(@is_charP (ascii_of_N 93)) ->. Qed.
Lemma is_begin d : is_char 123 d -> [:: d] = char "{".
Proof. by move/(@is_charP (ascii_of_N 123)) ->. Qed.
Lemma is_end d : is_char 125 d -> [:: d] = char "}".
Proof. by move/(@is_charP (ascii_of_N 125)) ->. Qed.

Lemma read_itemsP fuel f : right_value fuel -> right_items fuel -> right_items (f :: fuel).
Proof.
move=> value_ok items_ok acc s v rest /=; case E: read_value => [[x s1]|] //.
have [t -> x_t] := value_ok _ _ _ E; have [w s1_w w_sp] := skipP s1.
case E1: (skip s1) s1_w => [|d s2] // ->; rewrite -[d :: s2]/([:: d] ++ s2).
case: ifP => [/is_comma -> | _].
  have [w' s2_w' w'_sp] := skipP s2; case/items_ok => vs [t' [-> rest_t' vs_t']].
  exists (x :: vs), (t ++ w ++ char "," ++ (w' ++ t')); split.
  - by rewrite rev_cons -cats1 -catA.
  - by rewrite {1}s2_w' rest_t' -!catA.
  - by apply: (@items_more x vs [::] t w (w' ++ t')) => //; exact: items_space.
case: ifP => // /is_closed -> [<- <-].
exists [:: x], (t ++ w); split; first by rewrite rev_cons cats1.
  by rewrite -!catA.
exact: (@items_last x [::] t w).
Qed.

Lemma read_membersP fuel f : right_value fuel -> right_members fuel -> right_members (f :: fuel).
Proof.
move=> value_ok members_ok acc s v rest; case: s => [|q s0] //=; case: Ascii.eqb_spec => [->|] //=.
case K: read_chars => [[k s1]|] //; have [raw [k' [-> k_k' raw_k]]] := read_charsP (leqnn _) K.
move: k_k'; rewrite /= => k_k'; subst k'; have [w1 s1_w w1_sp] := skipP s1.
case E1: (skip s1) s1_w => [|c s2] // s1_w; case: ifP => // /negbFE/is_colon c_is.
have [w2 s2_w w2_sp] := skipP s2; case E: read_value => [[x s3]|] //.
have [t s2_t x_t] := value_ok _ _ _ E; have [w3 s3_w w3_sp] := skipP s3.
case E3: (skip s3) s3_w => [|d s4] // s3_w.
have k_x : member k x ([::] ++ quote :: raw ++ quote :: w1 ++ char ":" ++ w2 ++ t ++ w3) by exact: member_of.
have s_is : quote :: raw ++ quote :: s1 = ([::] ++ quote :: raw ++ quote :: w1 ++ char ":" ++ w2 ++ t ++ w3) ++ [:: d] ++ s4.
  by rewrite s1_w -[c :: s2]/([:: c] ++ s2) c_is s2_w s2_t s3_w; do 8 rewrite /= -?catA.
rewrite s_is; case: ifP => [/is_comma -> | _].
  have [w' s4_w' w'_sp] := skipP s4; case/members_ok => ms [t' [-> rest_t' ms_t' ms_distinct]].
  exists ((k, x) :: ms), ((quote :: raw ++ quote :: w1 ++ char ":" ++ w2 ++ t ++ w3) ++ char "," ++ (w' ++ t')); split.
  - by rewrite rev_cons -cats1 -catA.
  - by rewrite {1}s4_w' rest_t' -!catA.
  - by apply: members_more => //; exact: members_space.
  - by move: ms_distinct; rewrite rev_cons -cats1 -catA.
case: ifP => // /is_end ->; case: ifP => // keys [<- <-].
exists [:: (k, x)], (quote :: raw ++ quote :: w1 ++ char ":" ++ w2 ++ t ++ w3); split=> //.
- by rewrite rev_cons cats1.
- exact: members_last.
- by rewrite cats1 -rev_cons.
Qed.

Lemma read_valueP fuel f : right_items fuel -> right_members fuel -> right_value (f :: fuel).
Proof.
move=> items_ok members_ok s v rest; case: s => [|c s1] //=; case: Ascii.eqb_spec => [->|_].
  case E: read_chars => [[t s2]|] // [<- <-]; have [raw [w [-> -> raw_w]]] := read_charsP (leqnn _) E.
  by exists (quote :: raw ++ [:: quote]); [rewrite /= -catA | exact: value_text].
rewrite -[c :: s1]/([:: c] ++ s1); case: ifP => [/is_open -> | _].
  have [w s1_w w_sp] := skipP s1; case E: (skip s1) s1_w => [|d s3] // ->; case: ifP => [/is_closed d_is|_].
    case=> <- <-; exists (char "[" ++ w ++ char "]"); last exact: value_no_items.
    by rewrite -!catA -[d :: s3]/([:: d] ++ s3) d_is.
  case/items_ok => vs [t [-> -> vs_t]]; exists (char "[" ++ (w ++ t) ++ char "]"); first by rewrite -!catA.
  by apply: value_array; exact: items_space.
case: ifP => [/is_begin -> | _]; last exact: (@read_numberP (c :: s1)).
have [w s1_w w_sp] := skipP s1; case E: (skip s1) s1_w => [|d s3] // ->; case: ifP => [/is_end d_is|_].
  case=> <- <-; exists (char "{" ++ w ++ char "}"); last exact: value_no_members.
  by rewrite -!catA -[d :: s3]/([:: d] ++ s3) d_is.
case/members_ok => ms [t [-> -> ms_t ms_distinct]]; exists (char "{" ++ (w ++ t) ++ char "}"); first by rewrite -!catA.
by apply: value_object => //; exact: members_space.
Qed.

Lemma readersP fuel : [/\ right_value fuel, right_items fuel & right_members fuel].
Proof.
elim: fuel => [|f fuel [value_ok items_ok members_ok]]; first by split.
by split; [exact: read_valueP | exact: read_itemsP | exact: read_membersP].
Qed.

Theorem parseP s v : parse s = Some v -> document v s.
Proof.
rewrite /parse; case E: read_value => [[x rest]|] //; case: ifP => // rest_sp [<-].
have [w s_w w_sp] := skipP s; have [value_ok _ _] := readersP (quote :: s).
by have [t s_t x_t] := value_ok _ _ _ E; exists w, t, rest; rewrite {1}s_w s_t.
Qed.
