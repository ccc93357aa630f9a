# SPDX-License-Identifier: MIT
"""What an answer is: proved or refuted with a witness, replayed, or undecided; and for what it holds.

A layer above (certificates, reports) has a module for each topic, with a table ``EVIDENCE`` from classes of
evidence to what the layer makes of them. The evidence of ``exactdp.analysis.NAME`` is served by the module
NAME of the layer. Where names differ, the layer lists the module with those of the analysis that it serves.
A module is loaded when evidence of its topic is first met, so that a program loads only the topics that it
asks about. A class may stand in the table by its full name, so that not all modules of the topic are loaded
for one of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, TypeVar

from exactdp.display import Drawn
from exactdp.errors import InputError, UndecidedSignError, meant, printable, wrong_kind
from exactdp.exact import Interval, RationalFunctionField, RegionField, common_field
from exactdp.model import Neighbours
from exactdp.runtime.values import dataclass

E_co = TypeVar("E_co", covariant=True)


class Decision(Enum):
    """The answers to a question.

    *Proved* and *refuted* rest on a witness that the checker of certificates can check. *Replayed* rests on
    an argument in steps, which exactdp's own program followed (:func:`~exactdp.generalise`): that is no
    proof. *Undecided* rests on nothing.

    Examples
    --------
    >>> from exactdp import Decision, geometric, is_private
    >>> is_private(geometric(2, "1/2"), "path", "1/2").decision is Decision.PROVED
    True
    >>> [decision.value for decision in Decision]
    ['proved', 'refuted', 'replayed', 'undecided']
    >>> bool(Decision.REFUTED), Decision.REFUTED == "refuted"
    (False, True)

    A decision is equal to its value, and to no other text.
    """

    PROVED = "proved"
    REFUTED = "refuted"
    REPLAYED = "replayed"
    UNDECIDED = "undecided"

    def __eq__(self, other: object) -> bool:
        return self.value == other if isinstance(other, str) else self is other

    def __hash__(self) -> int:
        return hash(self.value)

    def __bool__(self) -> bool:
        """Whether it is PROVED or REFUTED; of the others it is not asked."""
        if self is Decision.UNDECIDED:
            message = "an undecided answer has no truth value; compare it with Decision.PROVED or Decision.REFUTED"
            raise UndecidedSignError(message)
        if self is Decision.REPLAYED:
            raise UndecidedSignError("what is replayed is neither proved nor refuted; compare it with Decision.REPLAYED")
        return self is Decision.PROVED


@dataclass(frozen=True, slots=True)
class Scope:
    """For what an answer holds; its text is the sentence that users see.

    Attributes
    ----------
    words : str
        What is meant: "this instance" (these numbers, this n, this level), or what varies, such as "every" or
        "all levels".
    letter : str
        The letter for the level, if the answer is about an interval of levels and names it.
    interval : Interval or None
        The levels; None if the answer is about one instance, or about levels named in the words.
    meanings : tuple of (str, str)
        What letters in the answer stand for, such as ("t", "e^(−1/10)").
    note : str
        What is excepted, or else varies.

    Examples
    --------
    >>> str(Scope()), str(Scope("all levels", letter="a", interval=Interval(0, 1)))
    ('this instance', 'all levels a in (0, 1)')
    """

    words: str = "this instance"
    letter: str = ""
    interval: Interval | None = None
    meanings: tuple[tuple[str, str], ...] = ()
    note: str = ""

    def __str__(self) -> str:
        about = f" {self.letter}" if self.letter else ""
        about += "" if self.interval is None else f" in {self.interval}"
        return ", ".join([f"{self.words}{about}{self.note}", *self.legend()])

    def legend(self, text: str | None = None) -> list[str]:
        """What the letters stand for, such as ``t = e^(−1/2)``; of a text only those that occur in it.

        >>> Scope(meanings=(("t", "e^(−1/2)"),)).legend("the loss is t/(t + 1)")
        ['t = e^(−1/2)']
        """
        used = (pair for pair in self.meanings if text is None or re.search(rf"(?<![A-Za-z]){pair[0]}(?![A-Za-z0-9])", text))
        return [f"{letter} = {meaning}" for letter, meaning in used]


NO_CLAIM = "no claim"
"""The head of an answer where nothing was claimed."""

WITNESSES = (
    *("point", "violated", "fault", "separator", "farkas", "null_vector", "dual", "weights", "remap", "second", "event", "tight"),
    *("attained", "z", "y", "inverse", "better", "priors", "mixtures", "pieces", "answers", "coalitions", "estimate"),
    *("own", "mechanism", "largest", "worst"),
)
"""The names under which evidence holds its witness; of several the first is what decides."""


def witness_name(evidence: object) -> str:
    """Where evidence holds its witness, such as ``evidence.dual``; empty if it has none of a known name.

    >>> from exactdp import geometric, neighbours, tightest_level
    >>> witness_name(tightest_level(geometric(1, "1/2"), neighbours("path:2")).evidence)
    'evidence.tight'
    """
    held = (name for name in WITNESSES if (found := getattr(evidence, name, None)) is not None and found != ())
    return next((f"evidence.{name}" for name in held), "")


_FOUND = ("value", "epsilon", "loss", "gap", "delta", "tightest", "best", "remap")
"""What is looked for first in evidence; the first ones are numbers."""

_ASKED = frozenset({"answer", "number", "output", "result"})
"""Words for what was found, of which no name is near."""

_LONGEST_BESIDE = 80
"""What is assumed at more length stands below the headline, not in the one line of ``repr``."""

NOT_JUDGED = "not judged at this size"
"""How a line begins of what was asked, and is not answered: one line has it, too."""

_WRITTEN = frozenset({"certificate", "certify", "export", "save", "to_file", "to_json", "write"})
"""Names under which somebody looks for the file of an answer."""

_TABLES = frozenset({"mechanism", "table", "matrix", "optimum"})
"""What an optimum's table is looked for as."""

_IN_LATEX = frozenset({"latex", "to_latex", "to_tex"})
"""Names under which somebody looks for a table in LaTeX."""

_LATEX_OF = ("best", "remap", "mechanism", "repaired", "given", "table")
"""The tables of evidence, the one that was found first."""


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Drawn, Generic[E_co]):
    """The answer to one question, with what shows it.

    Parameters
    ----------
    decision : Decision
        Whether the question's statement was proved, refuted, replayed, or none of them.
    claim : str
        One sentence that states what has been established, exact values included. It names the neighbours
        that the answer is about: where the sentence given does not, they are put before it. What a terminal
        would obey is escaped.
    evidence : object
        The witness or counterexample, and everything the question was asked about; its type belongs to the
        question.
    scope : Scope
        For what the sentence holds: this instance unless given, or every level of an interval.
    assumed : tuple of str
        What the sentence says beyond evidence and scope: files, a value that was claimed, that rows were
        divided by their sums. It stands beside the headline of a report.
    notes : tuple of str
        How tables were read, such as which line is labels. Each is a line of its own in a report.

    Notes
    -----
    What the evidence has, the answer has, too: ``optimum(…).best`` is ``optimum(…).evidence.best``.

    Examples
    --------
    >>> v = Verdict(Decision.PROVED, "1 + 1 = 2", evidence=None)
    >>> bool(v), v.proved, v.decision.value
    (True, True, 'proved')
    >>> v
    <Verdict PROVED: 1 + 1 = 2>
    """

    decision: Decision
    claim: str
    evidence: E_co
    scope: Scope = Scope()
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.decision, Decision):
            raise wrong_kind("decision", self.decision, "a Decision")
        if not isinstance(self.claim, str):
            raise wrong_kind("claim", self.claim, "a sentence")
        allowed = getattr(self.evidence, "DECISIONS", None)
        if allowed is not None and self.decision not in allowed:
            words = " or ".join(decision.value for decision in allowed)
            message = f"an answer that rests on an argument is {words}, never {self.decision.value}"
            raise InputError(message, evidence=self.evidence)
        object.__setattr__(self, "claim", printable(self.claim))
        near = self.neighbours
        if near is not None and re.search(rf"\b(on|for|of) {re.escape(str(near))}(?!\w)", self.claim) is None:
            object.__setattr__(self, "claim", f"On {near}: {self.claim}")

    @property
    def neighbours(self) -> Neighbours | None:
        """The neighbours that the answer depends on; None if it depends on none."""
        return getattr(self.evidence, "neighbours", None)

    @property
    def proved(self) -> bool:
        """Whether the statement was proved."""
        return self.decision is Decision.PROVED

    @property
    def head(self) -> str:
        """The word before the sentence in a report: the decision, or what the evidence has instead.

        Where nothing was claimed, *proved* would be read as praise for what was looked at.
        """
        return getattr(self.evidence, "head", "") or self.decision.value

    @property
    def refuted(self) -> bool:
        """Whether the statement was refuted."""
        return self.decision is Decision.REFUTED

    @property
    def replayed(self) -> bool:
        """Whether an argument for the statement was replayed, which is no proof of it."""
        return self.decision is Decision.REPLAYED

    def bundle(
        self,
        place: str | os.PathLike[str],
        *,
        inputs: Sequence[str | os.PathLike[str]] = (),
        statements: Mapping[str, str] | None = None,
        precision: str | None = None,
    ) -> str:
        """Write the bundle of an audit: inputs, pages, certificates, the checker, and what ties them.

        Parameters
        ----------
        place : str or path
            A new folder, or a zip if the name ends in ``.zip``. It is written whole or not at all.
        inputs : sequence of str or path
            The files that the table, and whatever else was asked about, were read from.
        statements, precision
            As in :meth:`page_one`; where the file of the table is among the inputs, it says the precision.

        Returns
        -------
        str
            The digest of ``manifest.json``, to be noted or signed.

        Raises
        ------
        InputError
            It is the answer of another question than :func:`exactdp.audit`, or an input can't be read.
        WriteError
            It can't be written, or there is something in the folder.

        Examples
        --------
        >>> import tempfile
        >>> from exactdp import PrivacyClaim, audit, geometric
        >>> answer = audit(geometric(2, "1/2"), "path", claim=PrivacyClaim(alpha="1/2"))
        >>> answer.bundle(tempfile.mkdtemp())[:7]
        'sha256:'
        """
        bundle = import_module(f"{self._report}.bundle")
        numbers = self._page_one_numbers(bundle.precision_of(self, inputs) or precision)
        digest: str = bundle.from_python(self, place, inputs, numbers, statements)
        return digest

    def page_one(self, kind: str = "html", *, statements: Mapping[str, str] | None = None, precision: str | None = None) -> str:
        """Page one of an audit, which a reader who is no mathematician understands and signs.

        Parameters
        ----------
        kind : str
            ``"html"``, ``"md"`` or ``"tex"``.
        statements : mapping of str to str, optional
            What the auditor states, such as ``{"unit": "one report of one person"}``. The topics are
            ``name``, ``unit``, ``neighbours`` (who chose them), ``sampler``, ``floating-point``,
            ``side-channels``, ``composition``, ``access`` and ``collection``.
        precision : str, optional
            How the numbers were read: ``"exact"``, ``"decimals"`` or ``"doubles"``; found out unless given.

        Raises
        ------
        InputError
            It is the answer of another question than :func:`exactdp.audit`, or a kind or a topic is none.

        Examples
        --------
        >>> from exactdp import PrivacyClaim, audit, geometric
        >>> answer = audit(geometric(2, "1/2"), "path", claim=PrivacyClaim(alpha="1/2"))
        >>> page = answer.page_one("md", statements={"unit": "one person"})
        >>> "**The claim holds where inputs next to each other are neighbours.**" in page
        True
        """
        numbers = self._page_one_numbers(precision)
        page: str = import_module(f"{self._report}.page_one").in_python(numbers, kind, statements)
        return page

    def _page_one_numbers(self, precision: str | None) -> Any:
        """The numbers of page one, which only audits have."""
        return import_module(f"{__package__}.audit_summary").audit_summary(self, precision)

    def _repr_html_(self) -> str:
        """What a notebook shows: of an audit page one, and below it the report."""
        report = Drawn._repr_html_(self)
        if not getattr(self.evidence, "has_page_one", False):
            return report
        with_report: str = import_module(f"{self._report}.page_one").in_notebook(self._page_one_numbers(None), report)
        return with_report

    def as_sympy(self) -> Any:
        """The answer in sympy, exactly; its letters are symbols without assumptions.

        Returns
        -------
        expression, set or Boolean of sympy
            For a question of which levels: the set of them, as ``Interval``, ``FiniteSet`` or ``Union``. For
            a value at every level, or at every point of a region: a ``Piecewise``. For one value: the number,
            also if the question was whether it is another one. For any other question: ``true`` if its
            statement was proved, ``false`` if it was refuted. The :attr:`scope` says for what.

        Raises
        ------
        UndecidedSignError
            It is undecided, altogether or at some levels.

        Examples
        --------
        >>> from exactdp import MinimaxConsumer, optimum, optimum_by_level, tight_levels
        >>> tight_levels("star:4").as_sympy()
        Interval.Lopen(0, 1/2)
        >>> optimum("path:4", "1/4", MinimaxConsumer("abs")).as_sympy()
        168/415
        >>> optimum_by_level("path:2", MinimaxConsumer("abs")).as_sympy()
        Piecewise((a/(a + 1), (a > 0) & (a < 1)))
        """
        found = getattr(self.evidence, "in_sympy", lambda: None)()
        if found is None and self.decision is Decision.UNDECIDED:
            message = f"undecided: {self.claim}; there is no answer to write in sympy"
            raise UndecidedSignError(message, evidence=self.evidence)
        if found is None:
            from sympy import S

            return S.true if self.decision else S.false
        return found

    def __bool__(self) -> bool:
        if self.decision is Decision.UNDECIDED:
            message = f"undecided: {self.claim}; ask .proved or .refuted instead of a truth value"
            raise UndecidedSignError(message, evidence=self.evidence)
        if self.decision is Decision.REPLAYED:
            raise UndecidedSignError(
                f"replayed, which is neither proved nor refuted: {self.claim}; ask .replayed instead of a truth value",
                evidence=self.evidence,
            )
        return self.proved

    def __getattr__(self, name: str) -> Any:
        """Asked for what an answer has not: what its evidence has, or an error that says where it is."""
        if name.startswith("_") or name in Verdict.__slots__:
            raise AttributeError(name)
        known = name in dir(self.evidence)
        found = getattr(self.evidence, name) if known else None
        if found is not None:
            return found
        missing = known and name in getattr(self.evidence, "__dataclass_fields__", {})
        no_level = (missing and name == "level") or (name == "alpha" and not known)
        if no_level and getattr(self.evidence, "tightest", None) is not None:
            where = "the tightest level is .tightest"
        elif known:
            where = f"its evidence has none either: .evidence.{name} is None"
        elif name in _TABLES and "best" in dir(self.evidence):
            where = "the optimal mechanism is .best"
        elif name in _WRITTEN:
            where = "its certificate is a file: certify(verdict).write('c.json')"
        elif name in _IN_LATEX:
            where = self._table_in_latex()
        else:
            where = self._instead_of(name)
        raise AttributeError(f"an answer has no {name!r}; {where}", name=name)

    def __dir__(self) -> list[str]:
        """Its own names, and those of its evidence, which it answers to."""
        return sorted({*object.__dir__(self), *(name for name in dir(self.evidence) if not name.startswith("_"))})

    def _table_in_latex(self) -> str:
        """Which table of an answer can be written in LaTeX."""
        tables = [name for name in _LATEX_OF if hasattr(getattr(self.evidence, name, None), "to_latex")]
        if not tables:
            return "a mechanism or table has to_latex()"
        return f"its table has it: .{tables[0]}.to_latex() writes exact numbers, .{tables[0]}.to_latex(decimals=4) rounded ones with labels"

    def _instead_of(self, name: str) -> str:
        """What there is where an answer has nothing of a name: the nearest one, and what its evidence has."""
        own = [word for word in dir(type(self)) if not word.startswith("_")]
        others = [word for word in dir(self.evidence) if not word.startswith("_")]
        near = meant(name, [*own, *others]).replace("did you mean ", "did you mean .")
        found = [word for word in _FOUND if getattr(self.evidence, word, None) is not None]
        fields = [word for word in getattr(self.evidence, "__dataclass_fields__", {}) if getattr(self.evidence, word) is not None]
        has = list(dict.fromkeys([*found, *fields]))[:8]
        told = f"its evidence has {', '.join(has)}" if has else "dir(verdict) lists what there is"
        return told if name in _ASKED else f"{near}{told}"

    def __float__(self) -> float:
        """An answer is no number; what is one of what it found is said."""
        numbers = [word for word in _FOUND[:5] if getattr(self.evidence, word, None) is not None]
        where = f"write float(verdict.{numbers[0]})" if numbers else "what was found is in verdict.evidence"
        raise TypeError(f"an answer is no number; {where}")

    def __eq__(self, other: object) -> bool:
        """Whether decision, sentence, evidence and scope are equal; an answer is equal to no truth value.

        What stands beside them (``assumed``, ``notes``), such as how a file was read, decides nothing: where
        the answer depends on it the sentence says it, too.
        """
        if isinstance(other, bool):
            raise TypeError("an answer is not compared with True or False; ask .proved or .refuted, or if verdict:")
        if not isinstance(other, Verdict):
            return NotImplemented
        return self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    @property
    def _parts(self) -> tuple[Any, ...]:
        """What an answer is."""
        return self.decision, self.claim, self.evidence, self.scope

    def _legend(self, text: str) -> list[str]:
        """What the letters of a sentence stand for, and where the level may be if not anywhere in (0, 1)."""
        letter, interval = self.scope.letter, self.scope.interval
        told = interval is None or not letter or interval == Interval(0, 1) or str(interval) in text
        return [*([] if told else [f"{letter} in {interval}"]), *self.scope.legend(text)]

    def __str__(self) -> str:
        """The first lines of the reports: headline and assumptions. ``claim`` is the whole sentence."""
        if self._is_told:
            told: str = import_module(f"{self._report}.text").head_text(self, width=100, alone=True)
            return told
        return self.sentence

    @property
    def headline(self) -> str:
        """What was found, in a few words: the first line of a report, without its verdict.

        >>> from exactdp import geometric, tightest_level
        >>> tightest_level(geometric(1, epsilon=1), "path").headline
        'smallest ε = 1 (α = e^(−1))'
        """
        if not self._is_told:
            return self.claim
        told: str = import_module(f"{self._report}.registry").headline_of(self).text
        return told

    @property
    def sentence(self) -> str:
        """The decision and the whole claim in one line, with what the letters in it stand for."""
        legend = self._legend(self.claim)
        return f"{self.head}: {self.claim}" + (f" ({', '.join(legend)})" if legend else "")

    def __repr__(self) -> str:
        """The headline of the reports, with what the letters in it stand for, and where the witness is."""
        registry = import_module(f"{self._report}.registry") if self._is_told else None
        headline = None if registry is None else registry.headline_of(self)
        first: str = self.claim if headline is None else headline.text
        open_ones = () if headline is None else [told for told in headline.assumed if told.startswith(NOT_JUDGED)]
        above = [] if registry is None else registry.lines_above(self)
        if above:
            first = f"{above[0][1]}; the first one: {first}"
        legend, name = self._legend(first), witness_name(self.evidence)
        beside = [told for told in self.assumed if told.removeprefix("claimed value ") not in first and len(told) <= _LONGEST_BESIDE]
        noted = [f"note: {note}" for note in self.notes if len(note) <= _LONGEST_BESIDE]
        said = [first, *([", ".join(legend)] if legend else []), *beside, *open_ones, *noted, *([f"witness: {name}"] if name else [])]
        return f"<Verdict {above[0][0] if above else self.head.upper()}: {' · '.join(said)}>"

    @property
    def _is_told(self) -> bool:
        """Whether reports know its evidence; somebody's own is shown by the claim."""
        return self.evidence is not None and bool(self._report) and import_module(f"{self._report}.registry").is_told(self)


def decided(yes: bool) -> Decision:
    """PROVED or REFUTED.

    >>> decided(False)
    <Decision.REFUTED: 'refuted'>
    """
    return Decision.PROVED if yes else Decision.REFUTED


def scope_of(*things: Any) -> Scope:
    """The scope of a verdict about some levels, mechanisms, losses or numbers.

    * ``*things``: whatever the answer depends on and has a ``field``.

    Returns: this instance for rational numbers; with what the letters stand for when the level was given as
    ε; every letter of the interval for a symbolic level.

    * raises MixedDomainError: the things are over two fields other than ℚ.

    >>> from exactdp.model import PrivacyLevel
    >>> for level in PrivacyLevel.from_epsilon("1/10"), PrivacyLevel.symbolic(("1/2", 1)):
    ...     print(scope_of(level))
    this instance, t = e^(−1/10)
    every a in (1/2, 1)
    """
    field = common_field(*things)
    if isinstance(field, RationalFunctionField):
        return Scope("every", letter=field.name_of_level, interval=field.interval)
    if isinstance(field, RegionField):
        return Scope(f"every {', '.join(field.names)} with {field.region}")
    return Scope(meanings=tuple(field.legend.items()))


T = TypeVar("T")

_ANALYSIS = "exactdp.analysis"


class Registry(Generic[T]):
    """The topics of one layer.

    * ``name``: where the registry stands, for messages.
    * ``topics``: the module of a topic, and the modules or packages of the analysis whose evidence it serves.
    * ``layer``: a package. Its module of the same name serves the evidence of ``exactdp.analysis.NAME``,
      beside those that ``topics`` lists.

    >>> import exactdp.analysis.privacy
    >>> topics = {"exactdp.report.privacy": ("exactdp.analysis.stochastic",)}
    >>> registry = Registry("exactdp.report.registry.TOPICS", topics)
    >>> registry.entry(exactdp.analysis.stochastic.StochasticEvidence).facts.__name__
    'stochastic_facts'
    >>> by_name = Registry("exactdp.report.registry.TOPICS", {}, "exactdp.report")
    >>> by_name.entry(exactdp.analysis.privacy.PrivacyEvidence).facts.__name__
    'privacy_facts'
    >>> registry.entry(int)
    Traceback (most recent call last):
    ...
    TypeError: evidence of type builtins.int is not in exactdp.report.registry.TOPICS
    """

    def __init__(self, name: str, topics: Mapping[str, tuple[str, ...]], layer: str = "") -> None:
        self.name, self.topics, self.layer = name, dict(topics), layer

    def entry(self, kind: type) -> T:
        """What the layer makes of this class of evidence.

        Raises
        ------
        TypeError
            No topic has the class, or one that it derives from.
        """
        found = self.find(kind)
        if found is not None:
            return found
        raise TypeError(f"evidence of type {kind.__module__}.{kind.__qualname__} is not in {self.name}")

    def find(self, kind: type) -> T | None:
        """The same; None where no topic has the class."""
        for base in kind.__mro__:
            for module in self._modules_for(base.__module__):
                table: Mapping[type | str, T] = import_module(module).EVIDENCE
                for key in (base, f"{base.__module__}.{base.__qualname__}"):
                    if key in table:
                        return table[key]
        return None

    def _modules_for(self, home: str) -> Iterator[str]:
        """The topics that serve evidence from a module of the analysis."""
        for module, served in self.topics.items():
            if any(home == one or home.startswith(f"{one}.") for one in served):
                yield module
        if home.startswith(f"{_ANALYSIS}."):
            yield from self._named(home.split(".")[2])

    def _named(self, topic: str) -> Iterator[str]:
        """The module of the layer that has the name of a module of the analysis, if there is one."""
        module = f"{self.layer}.{topic}"
        if self.layer and module not in self.topics and find_spec(module) is not None:
            yield module

    def entries(self) -> dict[type, T]:
        """The whole registry, every topic loaded."""
        from pkgutil import iter_modules

        beside = (module for part in iter_modules(import_module(_ANALYSIS).__path__) for module in self._named(part.name))
        named = ((key, entry) for module in (*self.topics, *beside) for key, entry in import_module(module).EVIDENCE.items())
        return {_class_called(key) if isinstance(key, str) else key: entry for key, entry in named}


def _class_called(name: str) -> type:
    """The class of a full name."""
    module, _, kind = name.rpartition(".")
    found: type = getattr(import_module(module), kind)
    return found
