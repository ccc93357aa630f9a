(* SPDX-License-Identifier: MIT *)
(* All claims: those of Syntax.v, and those of each file *Claims.v.  A file of its own has, for its claims,   *)
(*   names_in, claim_in     what reads them             meaning     what they say                             *)
(*   sentence               what is printed             check       what decides them (in the file *Check.v)  *)
(* and they are joined here.                                                                                  *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith NArith Ascii String.
From ExactDP.Checker Require Import Numbers Rows Json Syntax Reader.
From ExactDP.Checker Require Meaning Printer Check.
From ExactDP.Checker Require UniquenessClaims UniquenessCheck.
From ExactDP.Checker Require RootsClaims RootsCheck.
From ExactDP.Checker Require TightClaims TightCheck.
From ExactDP.Checker Require BoundsClaims BoundsCheck.
From ExactDP.Checker Require TypesClaims TypesCheck.
From ExactDP.Checker Require VerticesClaims VerticesCheck.
From ExactDP.Checker Require OptimalityClaims OptimalityCheck.
From ExactDP.Checker Require DeployedClaims DeployedCheck.
From ExactDP.Checker Require DeterminantClaims DeterminantCheck.
From ExactDP.Checker Require LettersClaims LettersCheck.
From ExactDP.Checker Require RegionsClaims RegionsCheck.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope string_scope.
Local Open Scope seq_scope.

Inductive claim :=
| Basic (c : Syntax.claim)
| Uniqueness (c : UniquenessClaims.claim)
| Roots (c : RootsClaims.claim)
| Tightness (c : TightClaims.claim)
| Bounds (c : BoundsClaims.claim)
| Types (c : TypesClaims.claim)
| Vertices (c : VerticesClaims.claim)
| Universal (c : OptimalityClaims.claim)
| Deployed (c : DeployedClaims.claim)
| Determinant (c : DeterminantClaims.claim)
| Letters (c : LettersClaims.claim)
| Regions (c : RegionsClaims.claim).

Inductive witness :=
| OfBasic (w : Syntax.witness)
| OfUniqueness (w : UniquenessCheck.witness)
| OfRoots (w : RootsCheck.witness)
| OfTightness (w : TightCheck.witness)
| OfBounds (w : BoundsCheck.witness)
| OfTypes (w : TypesCheck.witness)
| OfVertices (w : VerticesCheck.witness)
| OfUniversal (w : OptimalityCheck.witness)
| OfDeployed (w : DeployedCheck.witness)
| OfDeterminant (w : DeterminantCheck.witness)
| OfLetters (w : LettersCheck.witness)
| OfRegions (w : RegionsCheck.witness).

(* ---- What a file claims ---- *)
Fixpoint first_of A (s : seq (option A)) : option A :=
  match s with
  | [::] => None
  | Some x :: _ => Some x
  | None :: s' => first_of s'
  end.

(* Each reader knows its own kinds, and no kind is known to two.  Where a definition is a field, the claim is  *)
(* one over a letter, or over several.                                                                        *)
Definition claim_in (defs : seq (text * json)) (v : json) : option claim :=
  if (0 < size (LettersClaims.fields_in defs))%N then
    first_of [:: omap Letters (LettersClaims.claim_in defs v); omap Regions (RegionsClaims.claim_in defs v)]
  else
  first_of [:: omap Basic (Reader.claim_in defs v);
               omap Uniqueness (UniquenessClaims.claim_in defs v);
               omap Roots (RootsClaims.claim_in defs v);
               omap Tightness (TightClaims.claim_in defs v);
               omap Bounds (BoundsClaims.claim_in defs v);
               omap Types (TypesClaims.claim_in defs v);
               omap Vertices (VerticesClaims.claim_in defs v);
               omap Universal (OptimalityClaims.claim_in defs v);
               omap Deployed (DeployedClaims.claim_in defs v);
               omap Determinant (DeterminantClaims.claim_in defs v)].

(* The names of definitions in a claim; every definition must be among them. *)
Definition names_in (v : json) : seq text :=
  flatten [:: Reader.names_in v; UniquenessClaims.names_in v; RootsClaims.names_in v; TightClaims.names_in v;
              BoundsClaims.names_in v; TypesClaims.names_in v; VerticesClaims.names_in v; OptimalityClaims.names_in v;
              DeployedClaims.names_in v; DeterminantClaims.names_in v; LettersClaims.names_in v].

(* The kind of the claim, for what is printed. *)
Definition kind_in (v : json) : text :=
  if v is Object ms then (if find_key "claim" ms is Some (Object c) then kind_of c else [::]) else [::].

(* What version 0.1 has (SPEC, section 1). *)
Definition first_kinds : seq text :=
  [:: "not-stochastic" : text; "private" : text; "not-private" : text; "level" : text; "derivable" : text;
      "not-derivable" : text; "optimal" : text; "not-optimal" : text; "optimal-after-remap" : text;
      "not-optimal-after-remap" : text; "optimal-remap" : text; "not-optimal-remap" : text; "unique" : text;
      "not-unique" : text; "unique-remap" : text; "not-unique-remap" : text; "release" : text].

Definition claim_of (v : json) : option claim :=
  let! ms := top_of v in
  let! f := find_key "format" ms in let! format := text_of f in
  let! n := find_key "version" ms in let! version := text_of n in
  let! digest := find_key "digest" ms in
  let! d := find_key "definitions" ms in
  let! c := find_key "claim" ms in
  demand same format "exactdp-certificate" && is_text digest &&
         (same version "0.1" && key_in first_kinds (kind_in v) || same version "0.2") in
  demand match find_key "provenance" ms with
         | None => true
         | Some (Object ps) => all (fun m : text * json => is_text m.2) ps
         | Some _ => false
         end in
  match d with
  | Object defs =>
      let fields := [seq m.1 | m <- LettersClaims.fields_in defs] in     (* these need not be used, and are none of version 0.1 *)
      demand all (fun m : text * json => is_name m.1 && key_in (names_in c ++ fields) m.1) defs &&
             ((size fields == 0)%N || same version "0.2") in claim_in defs c
  | _ => None
  end.

Definition reads (s : text) (c : claim) : Prop := exists2 v, document v s & claim_of v = Some c.

(* ---- What it means, and what is printed ---- *)
Definition meaning (R : realFieldType) (c : claim) : Prop :=
  match c with
  | Basic c => Meaning.meaning R c
  | Uniqueness c => UniquenessClaims.meaning R c
  | Roots c => RootsClaims.meaning R c
  | Tightness c => TightClaims.meaning R c
  | Bounds c => BoundsClaims.meaning R c
  | Types c => TypesClaims.meaning R c
  | Vertices c => VerticesClaims.meaning R c
  | Universal c => OptimalityClaims.meaning R c
  | Deployed c => DeployedClaims.meaning R c
  | Determinant c => DeterminantClaims.meaning R c
  | Letters c => LettersClaims.meaning R c
  | Regions c => RegionsClaims.meaning R c
  end.

Definition sentence (c : claim) : text :=
  match c with
  | Basic c => Printer.sentence c
  | Uniqueness c => UniquenessClaims.sentence c
  | Roots c => RootsClaims.sentence c
  | Tightness c => TightClaims.sentence c
  | Bounds c => BoundsClaims.sentence c
  | Types c => TypesClaims.sentence c
  | Vertices c => VerticesClaims.sentence c
  | Universal c => OptimalityClaims.sentence c
  | Deployed c => DeployedClaims.sentence c
  | Determinant c => DeterminantClaims.sentence c
  | Letters c => LettersClaims.sentence c
  | Regions c => RegionsClaims.sentence c
  end.

(* ---- What decides it ---- *)
Definition witness_in (c : claim) (v : json) : option witness :=
  match c with
  | Basic c => omap OfBasic (Reader.witness_in c v)
  | Uniqueness c => omap OfUniqueness (UniquenessCheck.witness_in c v)
  | Roots c => omap OfRoots (RootsCheck.witness_in c v)
  | Tightness c => omap OfTightness (TightCheck.witness_in c v)
  | Bounds c => omap OfBounds (BoundsCheck.witness_in c v)
  | Types c => omap OfTypes (TypesCheck.witness_in c v)
  | Vertices c => omap OfVertices (VerticesCheck.witness_in c v)
  | Universal c => omap OfUniversal (OptimalityCheck.witness_in c v)
  | Deployed c => omap OfDeployed (DeployedCheck.witness_in c v)
  | Determinant c => omap OfDeterminant (DeterminantCheck.witness_in c v)
  | Letters c => omap OfLetters (LettersCheck.witness_in c v)
  | Regions c => omap OfRegions (RegionsCheck.witness_in c v)
  end.

Definition witness_of (c : claim) (v : json) : option witness :=
  let! ms := top_of v in let! w := find_key "witness" ms in witness_in c w.

Definition check (c : claim) (w : witness) : bool :=
  match c, w with
  | Basic c, OfBasic w => Check.check c w
  | Uniqueness c, OfUniqueness w => UniquenessCheck.check c w
  | Roots c, OfRoots w => RootsCheck.check c w
  | Tightness c, OfTightness w => TightCheck.check c w
  | Bounds c, OfBounds w => BoundsCheck.check c w
  | Types c, OfTypes w => TypesCheck.check c w
  | Vertices c, OfVertices w => VerticesCheck.check c w
  | Universal c, OfUniversal w => OptimalityCheck.check c w
  | Deployed c, OfDeployed w => DeployedCheck.check c w
  | Determinant c, OfDeterminant w => DeterminantCheck.check c w
  | Letters c, OfLetters w => LettersCheck.check c w
  | Regions c, OfRegions w => RegionsCheck.check c w
  | _, _ => false
  end.

(* Whether a witness that is not enough here is a wrong one.  The signs on a region are found by division, and  *)
(* another order of the facts, or another multiple of a condition, may show what this one does not.           *)
Definition settles (c : claim) : bool :=
  match c with Regions _ => false | Letters c => LettersCheck.settles c | _ => true end.

Theorem check_sound (R : realFieldType) c w : check c w -> meaning R c.
Proof.
exact: match c, w return check c w -> meaning R c with
       | Basic c, OfBasic w => @Check.check_sound R c w
       | Uniqueness c, OfUniqueness w => @UniquenessCheck.check_sound R c w
       | Roots c, OfRoots w => @RootsCheck.check_sound R c w
       | Tightness c, OfTightness w => @TightCheck.check_sound R c w
       | Bounds c, OfBounds w => @BoundsCheck.check_sound R c w
       | Types c, OfTypes w => @TypesCheck.check_sound R c w
       | Vertices c, OfVertices w => @VerticesCheck.check_sound R c w
       | Universal c, OfUniversal w => @OptimalityCheck.check_sound R c w
       | Deployed c, OfDeployed w => @DeployedCheck.check_sound R c w
       | Determinant c, OfDeterminant w => @DeterminantCheck.check_sound R c w
       | Letters c, OfLetters w => @LettersCheck.check_sound R c w
       | Regions c, OfRegions w => @RegionsCheck.check_sound R c w
       | _, _ => fun no => False_ind _ (notF no)
       end.
Qed.
