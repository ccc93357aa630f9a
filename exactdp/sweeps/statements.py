# SPDX-License-Identifier: MIT
"""Which claims answer a question, and where each key of such a claim comes from.

The checker says that a claim is true. :data:`STATEMENTS`, which is made from ``certificate/kinds.toml``, says
which claims answer a question: the kinds that prove it, the kinds that refute it, and for **every** key of
these claims its source. A claim with another
key, or without one of these, answers another question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from exactdp.certificate.kinds import kinds
from exactdp.sweeps.question import FORMS, Question


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
