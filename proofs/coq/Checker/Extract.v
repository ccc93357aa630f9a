(* SPDX-License-Identifier: MIT *)
(* The checker as an OCaml program.  Integers of Coq become those of zarith, bytes become characters.         *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import ZArith NArith Ascii String.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString ExtrOcamlChar ExtrOcamlNatBigInt ExtrOcamlZBigInt.
From ExactDP.Checker Require Import Bytes Show FilePrograms.

(* Beyond the tables of Coq's library: what would be slow when it is computed bit by bit. *)
Extract Constant Z.gcd => "Big_int_Z.gcd_big_int".
Extract Constant Z.pow =>
  "(fun x y -> if Big_int_Z.sign_big_int y < 0 then Big_int_Z.zero_big_int else Big_int_Z.power_big_int_positive_big_int x y)".
Extract Constant Z.leb => "Big_int_Z.le_big_int".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Constant N.eqb => "Big_int_Z.eq_big_int".
Extract Constant N.leb => "Big_int_Z.le_big_int".
Extract Constant N.ltb => "Big_int_Z.lt_big_int".
Extract Constant Pos.eqb => "Big_int_Z.eq_big_int".
Extract Constant N.land => "Big_int_Z.and_big_int".
Extract Constant N.lor => "Big_int_Z.or_big_int".
Extract Constant N.lxor => "Big_int_Z.xor_big_int".
Extract Constant N.of_nat => "(fun n -> n)".
Extract Constant N.to_nat => "(fun n -> n)".
Extract Constant Z.of_nat => "(fun n -> n)".
Extract Constant Z.to_nat => "(fun z -> if Big_int_Z.sign_big_int z < 0 then Big_int_Z.zero_big_int else z)".
Extract Constant ssrnat.eqn => "Big_int_Z.eq_big_int".
Extract Constant N_of_ascii => "(fun c -> Big_int_Z.big_int_of_int (Char.code c))".
Extract Constant ascii_of_N => "(fun n -> Char.chr (Big_int_Z.int_of_big_int n land 255))".

Extraction "edp.ml" report escaped program_text.
