# SPDX-License-Identifier: MIT
"""Write a certificate as a Coq file whose last theorem is its claim.

The file holds the certificate as a tree. Coq reads and checks it by computation, with functions that are
proved sound (``proofs/coq/Checker``), and concludes the claim: for the kinds of :data:`STATEMENTS`, in the
words of the theory for the numbers of the claim, for others by the ``meaning`` that Coq gives it. Nothing
that is written here is trusted by who reads all of the file: a wrong one does not compile, or states another
theorem. A file that others have changed may define words anew, so it is read whole, or written again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from exactdp.certificate.certificate import FORMAT, VERSION, Certificate
from exactdp.certificate.kinds import kinds
from exactdp.errors import DefectiveAnswerError, InputError
from exactdp.model.named_losses import OF_CERTIFICATES


def to_coq(certificate: Certificate) -> str:
    """The Coq file of a certificate.

    * ``certificate``: accepted by the checker (:func:`exactdp.certificate.decode.read_certificate`).

    Returns: it needs the compiled files of ``proofs/coq`` and nothing else: ``coqc -Q proofs/coq ExactDP
    c.v``.

    * raises InputError: the claim is of a kind, or about numbers, that the proved checker does not know.
    """
    kind = certificate.kind
    if kind not in kinds() or kinds()[kind].coq == "none":
        raise InputError(f"claims of kind '{kind}' are not proved in Coq; convert a certificate of another kind", kind=kind)
    symbols = [name for name, d in certificate.definitions.items() if d["type"] in ("parameter", "exponential", "region")]
    if symbols:
        message = f"'{symbols[0]}' stands for numbers beyond the rational ones; only claims about rational numbers are converted"
        raise InputError(message, name=symbols[0])
    in_words = kinds()[kind].coq == "words" and not (kind in _WITH_ROOTS and _has_roots(certificate))
    words = _Words(certificate)
    proof = "\n".join(STATEMENTS[kind](words) if in_words else _by_meaning(words))
    return _FILE.format(
        said=_remark(kind),
        condition=_CONDITION if kind == "vertices" and _has_fractions(certificate) else "",
        digest=certificate.digest,
        definitions=_members(certificate.definitions, 1),
        claim=_tree(certificate.claim, 1),
        witness=_tree(certificate.witness, 1),
        format=FORMAT,
        version=VERSION,
        found=f"Some (Claims.Basic {_CLAIM})" if in_words else f"Some {_CLAIM}",
        pattern="Some (Claims.Basic ?c)" if in_words else "Some ?c",
        type="Syntax.claim" if in_words else "Claims.claim",
        meaning=f"{'Meaning' if in_words else 'Claims'}.meaning R {_CLAIM}",
        objects="\n".join(words.lines),
        proof=proof,
    )


_WITH_ROOTS = frozenset({"private", "not-private", "level"})
"""The kinds for which Coq knows distances that are roots; these have no words."""


def _has_roots(certificate: Certificate) -> bool:
    pairs = (pair for d in certificate.definitions.values() if d["type"] == "distances" for pair in d["pairs"])
    return any(distance.startswith("sqrt") for _, _, distance in pairs)


def _has_fractions(certificate: Certificate) -> bool:
    pairs = (pair for d in certificate.definitions.values() if d["type"] == "distances" for pair in d["pairs"])
    return any("/" in distance for _, _, distance in pairs)


_CONDITION = """\
(* Some distances are fractions.  Then the theorem is about the fields R that have the powers of the level at *)
(* them (has_powers in Checker/VerticesClaims.v), as the real numbers do; of other fields it says nothing.    *)
"""
"""What the count of `vertices` assumes: over a field without these roots every count would be true."""

_CLAIM, _SIZE = "what_is_claimed", "by []"

_FILE = """\
(* An exactdp certificate ({said}) as a Coq theorem: the last one of this file.                              *)
(* {digest}                                  *)
(*                                                                                                            *)
(* Compile it with   coqc -Q proofs/coq ExactDP FILE   beside the compiled theory of exactdp.                 *)
(* It prints "Closed under the global context": nothing is assumed.  Read all of it, or convert the           *)
(* certificate yourself (exactdp convert CERTIFICATE --to coq): a definition or notation that somebody adds,  *)
(* anywhere in the file, can give the last theorem another meaning, and Coq prints the same.  Nothing but     *)
(* the lists of the certificate and what is below may stand here.                                             *)
(* A reader compares the definitions after the line "The claim", and the theorem, with what was asked.        *)
(* Their words are those of proofs/coq/Mechanism.v, Geometric.v and Losses.v, and of the list at the top of   *)
(* Checker/Statements.v: inputs, outputs and guesses have the numbers 0, 1, ... of their order.               *)
{condition}Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import ZArith NArith String.
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import Mechanism Geometric Losses.
From ExactDP.Checker Require Import Numbers Json Statements.
From ExactDP.Checker Require Syntax Meaning Claims.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* ---- The certificate, which is checked by computation.  See that it is nothing but three lists of data. ---- *)
Local Open Scope string_scope.

Definition definitions : seq (text * json) :=
  {definitions}.

Definition statement : json :=
  {claim}.

Definition witness : json :=
  {witness}.

Definition certificate : json := Object [::
  member "format" (say "{format}"); member "version" (say "{version}"); member "claim" statement;
  member "definitions" (Object definitions); member "witness" witness; member "digest" (say "not compared")].

Definition what_is_claimed : {type} :=
  ltac:(match eval vm_compute in (settled certificate) with {pattern} => exact c end).

Lemma is_settled : settled certificate = {found}.
Proof. by vm_cast_no_check (erefl ({found})). Qed.

Local Close Scope string_scope.
Local Open Scope ring_scope.

(* ---- The claim ---- *)
Section Claim.
Variable R : realFieldType.
Local Notation num := (of_Q R).
Local Notation "p # q" := (Qmake p%Z q%positive) (at level 55, no associativity).

{objects}

Lemma holds : {meaning}.
Proof. by have [] := settled_sound R is_settled. Qed.

{proof}

End Claim.

Print Assumptions claim.
"""


# ── Trees ───────────────────────────────────────────────────────────────────────────────────────────────────
def _tree(value: Any, depth: int) -> str:
    """A JSON value as a term of type ``json``."""
    if isinstance(value, str):
        return f"say {_string(value)}"
    if isinstance(value, int):
        return f"Number {value}"
    if isinstance(value, list):
        return f"Array {_list([_tree(x, depth + 1) for x in value], depth)}"
    return f"Object ({_members(value, depth)})"


def _members(value: dict[str, Any], depth: int) -> str:
    def term(x: Any) -> str:
        tree = _tree(x, depth + 1)
        return f"({tree})"

    return _list([f"member {_string(key)} {term(x)}" for key, x in value.items()], depth)


def _list(items: list[str], depth: int = 1) -> str:
    """A list; a long one with an item a line."""
    if sum(map(len, items)) + 2 * len(items) < 90 and not any("\n" in item for item in items):
        return f"[:: {'; '.join(items)}]" if items else "[::]"
    space = "  " * (depth + 1)
    return f"[::\n{space}" + f";\n{space}".join(items) + "]"


def _string(text: str) -> str:
    """A string as Coq reads it; one that is not of printable ASCII by its bytes, in UTF-8."""
    if text.isascii() and text.isprintable():
        return '"' + text.replace('"', '""') + '"'
    if any("\ud800" <= x <= "\udfff" for x in text):
        raise InputError(f"the label {text[:60]!a} has half a surrogate pair, which is no text; give it another name", label=text)
    return f"(spelled [:: {'; '.join(map(str, text.encode()))}]%num)"


def _remark(text: str) -> str:
    """A text in a comment, where quotation marks and stars mean something, and commas are between labels."""
    return re.sub(r"[^A-Za-z0-9_.:/+= -]", lambda x: f"\\u{ord(x[0]):04x}", text)


# ── Words ───────────────────────────────────────────────────────────────────────────────────────────────────
def _fraction(text: str) -> str:
    x = Fraction(text)
    return f"{x.numerator}#{x.denominator}"


def _argument(text: str) -> str:
    """A term where a function takes it."""
    return f"({text})" if " " in text else text


def _vector(v: dict[str, Any], size: int) -> str:
    entries = dict(zip(v["at"], v["num"], strict=True)) if "at" in v else dict(enumerate(v["num"]))
    return "[:: " + "; ".join(_fraction(f"{int(entries.get(i, '0'))}/{int(v['den'])}") for i in range(size)) + "]"


@dataclass(frozen=True)
class _Matrix:
    """A matrix by its Coq name, with the lemma that says which one it is."""

    name: str
    inputs: int
    outputs: int
    lemma: str


@dataclass(frozen=True)
class _Privacy:
    """What privacy for some neighbours is called, and the lemma that says so."""

    size: int
    words: Callable[[str, str], str]
    lemma: str


@dataclass(frozen=True)
class _Loss:
    """How it is said that the loss of a matrix is at least, or is, a number; and the lemma for it."""

    matrix: _Matrix
    at_least: Callable[[str, str], str]
    exactly: Callable[[str, str], str]
    lemma: str


def _no_words(what: str, kind: str) -> DefectiveAnswerError:
    where = "they are to be added in exactdp/certificate/coq.py, those of a loss in exactdp/model/named_losses.py"
    return DefectiveAnswerError(f"{what} {kind!r} has no words for Coq; {where}", kind=kind)


class _Words:
    """The objects of a certificate in Coq's words; ``lines`` are their definitions."""

    def __init__(self, certificate: Certificate) -> None:
        self.claim, self._definitions = certificate.claim, certificate.definitions
        self.lines: list[str] = []
        self._known: dict[str, Any] = {}

    def number(self, key: str) -> str:
        """A number of the claim."""
        return f"num ({_fraction(self.claim[key])})"

    def matrix(self, name: str) -> _Matrix:
        """A mechanism, table or loss."""
        if name not in self._known:
            self._known[name] = self._matrix(name)
        found: _Matrix = self._known[name]
        return found

    def _matrix(self, name: str) -> _Matrix:
        d = self._definitions[name]
        kind = d["type"]
        if kind == "geometric":
            words = f"geometric {d['n']} (num ({_fraction(d['level'])}))"
            return self._of_word(f"mechanism_{name}", d["n"] + 1, words, "geometric_is")
        if kind in OF_CERTIFICATES:
            known = OF_CERTIFICATES[kind].certificate
            assert known is not None
            size = d["n"] + 1
            return self._of_word(f"loss_{name}", size, f"{known.coq} R {size} {size}", known.coq_lemma)
        if kind not in {"mechanism", "table", "loss"}:
            raise _no_words("a matrix of type", kind)
        title = f"{kind}_{name}"
        outputs = d["guesses" if kind == "loss" else "outputs"]
        p, m = len(d["inputs"]), len(outputs)
        rows = _list([_vector(row, m) for row in d["rows"]])
        self.lines += [*_labels("inputs", d["inputs"]), *_labels("guesses" if kind == "loss" else "outputs", outputs)]
        self.lines += [f"Definition {title} : 'M[R]_({p}, {m}) := matrix_from R {p} {m} {rows}.", ""]
        return _Matrix(title, p, m, "by apply: matrix_is; vm_compute")

    def _of_word(self, title: str, size: int, words: str, lemma: str) -> _Matrix:
        """A matrix for which Coq has a word, and the lemma that it is what the checker means."""
        self.lines += [f"Definition {title} : 'M[R]_({size}, {size}) := {words}.", ""]
        return _Matrix(title, size, size, f"exact: Meaning.{lemma}")

    def privacy(self) -> _Privacy:
        """The privacy of the claim's neighbours; its words take a level and a matrix."""
        name = self.claim["neighbours"]
        d = self._definitions[name]
        if d["type"] == "path":
            return _Privacy(d["vertices"], lambda a, X: f"private {_argument(a)} {X}", "private_path")
        size = len(d["vertices"])
        self.lines += _labels("vertices", d["vertices"])
        if d["type"] in ("graph", "complete"):
            edges = d["edges"] if d["type"] == "graph" else combinations(range(size), 2)
            listed = _list([f"({i}, {j})" for i, j in edges])
            self.lines += [f"Definition edges_{name} : seq (nat * nat) := {listed}%N.", ""]
            return _Privacy(size, lambda a, X: f"private_on (@joined {size} edges_{name}) {_argument(a)} {X}", "private_joined")
        if d["type"] != "distances":
            raise _no_words("neighbours of type", d["type"])
        distances = [(i, j, Fraction(d)) if not d.startswith("sqrt") else _irrational(d) for i, j, d in d["pairs"]]
        listed = _list([f"(({i}, {j}), ({d.numerator}, {d.denominator}))" for i, j, d in distances])
        self.lines += [f"Definition distances_{name} : seq (nat * nat * (nat * nat)) := {listed}%N.", ""]
        return _Privacy(size, lambda a, X: f"separated distances_{name} {_argument(a)} {X}", "private_separated")

    def loss(self) -> _Loss:
        """The loss of the claim's consumer; its words take a matrix and a number."""
        c = self.claim["consumer"]
        matrix = self.matrix(c["loss"])
        p, name = matrix.inputs, matrix.name
        if c["type"] == "bayesian":
            self.lines += [f"Definition prior : 'I_{p} -> R := weighing R {_vector(c['prior'], p)}.", ""]
            loss = f"bayes_loss prior {name}"
            return _Loss(matrix, lambda X, v: f"{v} <= {loss} {X}", lambda X, v: f"{loss} {X} = {v}", "bayesian_says")
        side = "; ".join(map(str, c["side_information"]))
        self.lines += [f"Definition side_information : {{set 'I_{p}}} := those {p} [:: {side}]%N.", ""]
        loss = f"worst_loss_le side_information {name}"

        def least(X: str, v: str) -> str:
            return f"forall u, {loss} {X} u -> {v} <= u"

        return _Loss(matrix, lambda X, v: f"({least(X, v)})", lambda X, v: f"({loss} {X} {_argument(v)} /\\ {least(X, v)})", "minimax_says")


def _irrational(distance: str) -> Any:
    raise InputError(f"the distance {distance} is not rational, and an optimum at such distances is not proved in Coq", distance=distance)


def _labels(what: str, labels: list[str]) -> list[str]:
    """A comment: what the rows or columns are called."""
    text, lines = f"{what}: {', '.join(map(_remark, labels))}", list[str]()
    return [] if labels == list(map(str, range(len(labels)))) else [*lines, f"(* {text} *)"]


# ── Statements: of each kind the words, and which theorem leads to them ─────────────────────────────────────
def _theorem(parts: list[str], by: str, *steps: str) -> Iterator[str]:
    """A theorem from a conjunction, the theorem that leads to it, and how each of its conditions is met."""
    yield "Theorem claim :"
    if len(parts) < 3:
        yield "  " + " /\\\n  ".join(parts) + "."
    else:
        yield "  [/\\ " + ",\n      ".join(parts[:-1]) + f"\n    & {parts[-1]}]."
    yield "Proof."
    yield f"have := holds; rewrite /{_CLAIM} => claimed."
    yield f"refine ({by} {'_ ' * len(steps)}claimed)."
    yield from (f"- {step}." for step in steps)
    yield "Qed."


def _private(w: _Words) -> Iterator[str]:
    m, near, level = w.matrix(w.claim["mechanism"]), w.privacy(), w.number("level")
    says = near.words(level, m.name)
    negative = w.claim["kind"] == "not-private"
    theorem = "not_private_in_words" if negative else "private_in_words"
    parts = [f"stochastic {m.name}", f"~ {says}" if negative else says]
    by = f"{theorem} (P := fun X : 'M[R]_({m.inputs}, {m.outputs}) => {near.words(level, 'X')})"
    return _theorem(parts, by, _SIZE, _SIZE, m.lemma, _neighbours(near))


def _neighbours(near: _Privacy) -> str:
    return f"by move=> X; apply: {near.lemma}; vm_compute"


def _not_stochastic(w: _Words) -> Iterator[str]:
    t = w.matrix(w.claim["table"])
    return _theorem([f"~ stochastic {t.name}"], "not_stochastic_in_words", _SIZE, _SIZE, t.lemma)


def _level(w: _Words) -> Iterator[str]:
    m, near, d = w.matrix(w.claim["mechanism"]), w.privacy(), Fraction(w.claim["distance"])
    bound = f"b ^+ {d.numerator} <= {w.number('ratio')} ^+ {d.denominator}"
    parts = [f"stochastic {m.name}", f"forall b, 0 < b < 1 -> {near.words('b', m.name)} <-> {bound}"]
    by = f"level_in_words (P := fun b (X : 'M[R]_({m.inputs}, {m.outputs})) => {near.words('b', 'X')})"
    return _theorem(parts, by, _SIZE, _SIZE, m.lemma, f"by move=> b X; apply: {near.lemma}; vm_compute")


def _derivable(w: _Words) -> Iterator[str]:
    a, b = w.matrix(w.claim["source"]), w.matrix(w.claim["target"])
    no = w.claim["kind"] == "not-derivable"
    parts = [f"stochastic {a.name}", f"stochastic {b.name}", f"{'~ ' if no else ''}derivable {a.name} {b.name}"]
    return _theorem(parts, f"{'not_' if no else ''}derivable_in_words", _SIZE, _SIZE, _SIZE, a.lemma, b.lemma)


def _loss_steps(loss: _Loss) -> list[str]:
    """That the words of a consumer's loss are right."""
    step = f"apply: ({{}} ({loss.lemma} _ _)); [by vm_compute | {loss.matrix.lemma}]"
    return [step.format("proj1"), step.format("proj2")]


def _functions(near: _Privacy | None, level: str, loss: _Loss) -> str:
    """The words as arguments of a theorem."""
    shape = f"'M[R]_({loss.matrix.inputs}, {loss.matrix.outputs})"
    privacy = f" (P := fun X : {shape} => {near.words(level, 'X')})" if near else ""
    b, i = (f"fun (X : {shape}) w => {words('X', 'w')}" for words in (loss.at_least, loss.exactly))
    return f"{privacy}\n    (B := {b})\n    (I := {i})".lstrip()


def _gap(w: _Words) -> str:
    gap = w.number("gap")
    return f"{gap} = {w.number('loss')} - {w.number('value')} /\\ 0 < {gap}"


def _optimal(w: _Words) -> Iterator[str]:
    kind, near, loss, level, value = w.claim["kind"], w.privacy(), w.loss(), w.number("level"), w.number("value")
    shape = f"'M[R]_({loss.matrix.inputs}, {loss.matrix.outputs})"
    none = f"(forall X : {shape}, stochastic X -> {near.words(level, 'X')} ->\n      {loss.at_least('X', value)})"
    some = f"exists X : {shape}, [/\\ stochastic X, {near.words(level, 'X')} &\n      {loss.exactly('X', value)}]"
    steps = [_neighbours(near), *_loss_steps(loss), _SIZE, _SIZE]
    functions = _functions(near, level, loss)
    if "mechanism" not in w.claim:
        return _theorem([none, some], f"optimal_in_words {functions}", *steps)
    m = w.matrix(w.claim["mechanism"])
    if kind == "optimal":
        parts = [none, f"[/\\ stochastic {m.name}, {near.words(level, m.name)} & {loss.exactly(m.name, value)}]"]
        return _theorem(parts, f"optimal_named_in_words {functions}", *steps, m.lemma)
    if kind == "not-optimal":
        own = f"[/\\ stochastic {m.name}, {near.words(level, m.name)} & {loss.exactly(m.name, w.number('loss'))}]"
        by = f"not_optimal_in_words {functions}"
        return _theorem([none, some, own, _gap(w)], by, *steps, m.lemma)
    remap = f"'M[R]_({m.outputs}, {loss.matrix.outputs})"
    own = f"(PM := fun X : 'M[R]_({m.inputs}, {m.outputs}) => {near.words(level, 'X')})"
    least = w.number("loss") if kind == "not-optimal-after-remap" else value
    attained = f"exists T : {remap}, stochastic T /\\ {loss.exactly(f'({m.name} *m T)', least)}"
    steps = [_neighbours(near), *steps, m.lemma, _SIZE]
    if kind == "optimal-after-remap":
        parts = [none, f"stochastic {m.name}", near.words(level, m.name), attained]
        return _theorem(parts, f"optimal_after_remap_in_words {functions} {own}", *steps)
    if kind != "not-optimal-after-remap":
        raise _no_words("the claim", kind)
    parts = [
        f"{none} /\\ {some}",
        f"stochastic {m.name} /\\ {near.words(level, m.name)}",
        f"forall T : {remap}, stochastic T -> {loss.at_least(f'({m.name} *m T)', least)}",
        attained,
        _gap(w),
    ]
    return _theorem(parts, f"not_optimal_after_remap_in_words {functions} {own}", *steps)


def _optimal_remap(w: _Words) -> Iterator[str]:
    m, loss, value = w.matrix(w.claim["mechanism"]), w.loss(), w.number("value")
    remap = f"'M[R]_({m.outputs}, {loss.matrix.outputs})"
    none = f"(forall T : {remap}, stochastic T -> {loss.at_least(f'({m.name} *m T)', value)})"
    some = f"exists T : {remap}, stochastic T /\\ {loss.exactly(f'({m.name} *m T)', value)}"
    steps, functions = [*_loss_steps(loss), _SIZE, _SIZE, m.lemma, _SIZE], _functions(None, "", loss)
    if "remap" not in w.claim:
        by = f"optimal_remap_in_words {functions}"
        return _theorem([f"stochastic {m.name}", none, some], by, *steps)
    r = w.matrix(w.claim["remap"])
    product = f"({m.name} *m {r.name})"
    if w.claim["kind"] == "optimal-remap":
        parts = [f"stochastic {m.name}", none, f"stochastic {r.name} /\\ {loss.exactly(product, value)}"]
        return _theorem(parts, f"optimal_remap_named_in_words {functions}", *steps, r.lemma)
    own = f"stochastic {r.name} /\\ {loss.exactly(product, w.number('loss'))}"
    parts = [f"stochastic {m.name} /\\ {none}", some, own, _gap(w)]
    return _theorem(parts, f"not_optimal_remap_in_words {functions}", *steps, r.lemma)


def _by_meaning(w: _Words) -> Iterator[str]:
    """What every kind has: its claim, as it is read, has the meaning that Coq gives it."""
    yield "Theorem claim : exists2 c, Claims.claim_in definitions statement = Some c & Claims.meaning R c."
    yield f"Proof. by exists {_CLAIM}; [vm_compute | exact: holds]. Qed."


STATEMENTS: dict[str, Callable[[_Words], Iterator[str]]] = {
    "not-stochastic": _not_stochastic,
    "private": _private,
    "not-private": _private,
    "level": _level,
    "derivable": _derivable,
    "not-derivable": _derivable,
    "optimal": _optimal,
    "not-optimal": _optimal,
    "optimal-after-remap": _optimal,
    "not-optimal-after-remap": _optimal,
    "optimal-remap": _optimal_remap,
    "not-optimal-remap": _optimal_remap,
}
"""The kinds whose claims are stated in the words of the theory, each with its writer."""
