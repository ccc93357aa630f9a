# SPDX-License-Identifier: MIT
"""One question of a sweep as words, its canonical text, and which words each question takes.

A question holds nothing but text, so that it can be sent to any machine, and two questions are the same if
and only if their texts are.

The checker says that a claim is true. :data:`STATEMENTS`, which is made from ``certificate/kinds.toml``, says
which claims answer a question: the kinds that prove it, the kinds that refute it, and for **every** key of
these claims its source. A claim with another key, or without one of these, answers another question.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple, Self

from exactdp.certificate.kinds import Asked, kinds, questions
from exactdp.errors import InputError, wrong_kind
from exactdp.exact import ExponentialNumber, Rational
from exactdp.model import PrivacyLevel

FORMS: Mapping[str, Asked] = questions()
"""What can be asked, with the words of the command line."""

FIELDS = ("graph", "level", "loss", "consumer", "mechanism", "source")
"""The fields of a question beside what it asks."""

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode

SYMBOLIC = "symbolic"
"""The level of a question about all levels."""

SYMBOLIC_TOO = frozenset(ask for ask, form in FORMS.items() if form.symbolic)
"""What can be asked of all levels at once."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question, in words.

    * ``ask``: one of :data:`FORMS`.
    * ``graph``: a word such as ``path:4`` (:func:`exactdp.neighbours`), or ``edges:`` and a JSON list of
      pairs of labels.
    * ``level``: α such as ``1/4``; ``epsilon=1/10`` or ``epsilon=ln(3)``; or ``symbolic``, for all levels at
      once.
    * ``loss``: ``abs``, ``squared``, ``zero-one``, ``distance`` (of the graph), or ``squared-distance``.
    * ``consumer``: ``minimax``, ``minimax:0..2`` (with side information), ``uniform`` (Bayesian), or the
      weights of a prior, such as ``1/2,1/4,1/4``, in the order of the graph's inputs. Those of ``edges:`` are
      in numerical order if all are integers, else in the order in which they first occur.
    * ``mechanism``, ``source``: a word such as ``geometric:n=3``; it takes the level of the question if it
      has none.
    * raises InputError: something is not text, ``ask`` is unknown, or a field is missing or has no place in
      what is asked.

    >>> question = Question("optimum", "path:4", "0.25", "abs", "minimax")
    >>> question.text
    '{"ask":"optimum","consumer":"minimax","graph":"path:4","level":"1/4","loss":"abs"}'
    >>> Question.parse(question.text) == question
    True
    """

    ask: str
    graph: str = ""
    level: str = ""
    loss: str = ""
    consumer: str = ""
    mechanism: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        for name in ("ask", *FIELDS):
            value = getattr(self, name)
            if not isinstance(value, str):
                raise wrong_kind(name, value, "text")
        form = FORMS.get(self.ask)
        if form is None:
            raise InputError(f"{self.ask!r} is no question of a sweep; they are {', '.join(FORMS)}", ask=self.ask)
        missing = [name for name in form.needs if not getattr(self, name)]
        if missing:
            raise InputError(f"the question {self.ask} needs {_listed(missing)}", ask=self.ask, missing=missing)
        idle = [name for name in FIELDS if getattr(self, name) and name not in (*form.needs, *form.may)]
        if idle:
            raise InputError(f"the question {self.ask} takes no {' and no '.join(idle)}", ask=self.ask, idle=idle)
        if self.level:
            object.__setattr__(self, "level", _level(self.level))
        if self.consumer.startswith("minimax:") and not self.consumer.partition(":")[2].strip():
            raise InputError(f"the side information of {self.consumer!r} is empty; give labels, or minimax alone", consumer=self.consumer)
        if self.level == SYMBOLIC and self.ask not in SYMBOLIC_TOO:
            raise InputError(f"the question {self.ask} needs one level, not {SYMBOLIC}", ask=self.ask, level=self.level)

    @property
    def text(self) -> str:
        """The canonical text: a JSON object with what is given, its keys in alphabetical order."""
        given = {name: value for name in ("ask", *FIELDS) if (value := getattr(self, name))}
        return _CANONICAL(given)

    @staticmethod
    def is_canonical(text: str) -> bool:
        """Whether a text is the only one with these words: its keys in alphabetical order, each once.

        >>> Question.is_canonical('{"ask":"tight","graph":"path:3","level":"1/4"}')
        True
        >>> Question.is_canonical('{"ask":"tight","graph":"path:9","graph":"path:3","level":"1/4"}')
        False
        """
        return _CANONICAL(json.loads(text)) == text

    @classmethod
    def parse(cls, text: str) -> Self:
        """The question of a canonical text.

        * raises InputError: it is none.
        """
        try:
            return cls(**json.loads(text))
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{str(text)[:80]!r} is no question of a sweep: {error}", text=text) from None


def _listed(names: list[str]) -> str:
    return ", ".join(f"a {name}" for name in names)


@lru_cache(maxsize=1000)  # a plan repeats a few levels a million times
def _level(text: str) -> str:
    """The one spelling of a level.

    >>> _level("0.25"), _level("epsilon = 0.5"), _level("symbolic"), _level("ln 3")
    ('1/4', 'epsilon=1/2', 'symbolic', 'epsilon=ln(3)')
    """
    if text.strip() == SYMBOLIC:
        return SYMBOLIC
    found = PrivacyLevel(text.strip())
    if not isinstance(found.alpha, Rational | ExponentialNumber):
        raise InputError(f"the level {text!r} is no number that certificates have; give α such as 1/4, or epsilon=1/10", level=text)
    return f"epsilon={found.epsilon}" if found.by_epsilon else str(found.alpha)


class Source(Enum):
    """Where a key of a claim comes from; each is compared with it."""

    GRAPH = "graph"
    """The neighbours that the word ``graph`` names."""

    LEVEL = "level"
    """The level, as a number; the letter itself where the question is about all levels."""

    LOSS = "loss"
    CONSUMER = "consumer"
    MECHANISM = "mechanism"
    ORIGIN = "source"
    """The mechanism that the word ``source`` names."""

    CAPACITY = "capacity"
    """What ``ask`` says after ``capacity-``."""

    VALUE = "value"
    """The column ``value`` of the row, which must say this number."""

    IMPLIED = "implied"
    """The claim is true of one value only, once all else in it is what the question says."""

    SHOWN = "shown"
    """The question asks whether there is one: any will do."""


Keys = Mapping[str, Source]
"""The keys of a claim, but for ``kind``, with their sources."""


class Statement(NamedTuple):
    """The claims that prove an answer, and those that refute it, by kind."""

    proved: Mapping[str, Keys]
    refuted: Mapping[str, Keys] = {}

    def keys(self, kind: str) -> Keys | None:
        """The keys of a kind of claim; None for one that does not answer the question."""
        if kind in self.proved:
            return self.proved[kind]
        return self.refuted.get(kind)

    def verdict(self, kind: str) -> str:
        """What a kind that answers the question makes of it; KeyError for one that does not answer it."""
        if kind in self.proved:
            return "proved"
        if kind in self.refuted:
            return "refuted"
        raise KeyError(kind)


ALONE, WITH = "", "mechanism"
"""Two questions have one word: about any mechanism, and about the one that is named."""


def _statements() -> Iterator[tuple[tuple[str, str], Statement]]:
    """The claims that answer each question, as ``kinds.toml`` lists them."""
    for ask, form in FORMS.items():
        needed = "mechanism" in form.needs
        yield (ask, WITH if needed else ALONE), Statement(_keys(form.proved), _keys(form.refuted))
        if form.named is not None:
            yield (ask, WITH), Statement(*map(_keys, form.named))


def _keys(kinds_of: Mapping[str, Mapping[str, str]]) -> dict[str, Keys]:
    return {kind: {key: Source(word) for key, word in sources.items()} for kind, sources in kinds_of.items()}


STATEMENTS: Mapping[tuple[str, str], Statement] = dict(_statements())
"""By what is asked, and whether a mechanism is named. A claim that refutes privacy refutes that a mechanism
is optimal, too: for nobody is it.
"""

WITHOUT_NUMBER = frozenset(kind.name for kind in kinds().values() if not kind.number)
"""Kinds of claims, about one level, without the number that the row has: nothing says that it is right."""


def statement_of(question: Question) -> Statement:
    """What the claims are that answer a question.

    >>> statement_of(Question("universal", "path:2", "1/2", "zero-one")).refuted.keys()
    dict_keys(['no-universally-optimal'])
    >>> named = Question("universal", "path:2", "1/2", "zero-one", mechanism="uniform:n=1")
    >>> sorted(statement_of(named).refuted)
    ['no-universally-optimal', 'not-universally-optimal']
    """
    return STATEMENTS[question.ask, WITH if question.mechanism else ALONE]


def asked() -> set[tuple[str, str]]:
    """All that a question may ask, with and without a mechanism, as the words of :data:`STATEMENTS`.

    >>> asked() == STATEMENTS.keys()
    True
    """
    found = set()
    for ask, form in FORMS.items():
        found |= {(ask, WITH)} if "mechanism" in (*form.needs, *form.may) else set()
        found |= set() if "mechanism" in form.needs else {(ask, ALONE)}
    return found
