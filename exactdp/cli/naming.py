# SPDX-License-Identifier: MIT
"""The files that an answer is about, named in its sentence: answers about two files never read the same.

Losses, priors, graphs and metrics have names, which sentences say. A mechanism, remap, dual or matrix has
none: the sentence is told here from which file it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True)
class Subject:
    """What was read to be judged.

    * ``kind``: *mechanism*, *printed* (a table of which all mechanisms are meant that print so), *remap*,
      *dual* or *matrix*.
    * ``name``: the file with its digest, or the word.
    * ``file``: whether it is a file.
    """

    kind: str
    name: str
    file: bool = True


@dataclass(frozen=True, slots=True)
class _Wording:
    """How sentences speak of a kind.

    * ``said``: a pattern, whose first group the name follows.
    * ``after``: what is then put for the match.
    * ``before``: what is put before a sentence that does not speak of it; empty where it does not depend on
      it then.
    """

    said: str
    after: str
    before: str


_WORDINGS = {
    "mechanism": _Wording(
        r"\b([Tt]he (?:mechanism|table|release)|independent (?:releases?|mechanisms?))\b(?! as printed)",
        "{said} of {name}",
        "For the mechanism of {name}",
    ),
    "printed": _Wording(r"\b(prints?) so\b", "{said} as {name} does", "For the tables that print as {name} does"),
    "remap": _Wording(r"\b([Tt]he remap)\b", "{said} of {name}", "For the remap of {name}"),
    "dual": _Wording(r"\b([Tt]he dual)\b", "{said} of {name}", ""),
    "matrix": _Wording(r"\b([Tt]he matrix)\b", "{said} of {name}", "For the matrix M of {name}"),
}


def naming(claim: str, subjects: Sequence[Subject]) -> str:
    """The sentence, which names the files that it is about.

    * ``claim``: the sentence of a verdict.
    * ``subjects``: what it is about. Where one of a kind is a file, all of the kind are named.

    >>> naming("The mechanism is private", [Subject("mechanism", "t.csv (sha256 0123abcd…)")])
    'The mechanism of t.csv (sha256 0123abcd…) is private'
    >>> naming("The best remap is unique", [Subject("mechanism", "t.csv (sha256 0123abcd…)")])
    'For the mechanism of t.csv (sha256 0123abcd…): the best remap is unique'
    >>> naming("det M = 0", [Subject("matrix", "geometric:n=3", file=False)])
    'det M = 0'
    """
    for kind in reversed(dict.fromkeys(subject.kind for subject in subjects)):
        own = [subject for subject in subjects if subject.kind == kind]
        if any(subject.file for subject in own) and not all(_is_named(subject.name, claim) for subject in own):
            claim = _with_name(claim, _WORDINGS[kind], _joined([subject.name for subject in own]))
    return claim


def names_of(subjects: Sequence[Subject], told: str = "") -> list[str]:
    """The names of what an answer is about, for the line below its headline; without those that are ``told``.

    A matrix that is a word has a name in the headline.

    >>> names_of([Subject("mechanism", "a.csv"), Subject("dual", "d.csv"), Subject("matrix", "M", False)])
    ['a.csv', 'dual of d.csv']
    >>> names_of([Subject("mechanism", "a.csv"), Subject("mechanism", "uniform:n=3", False)], "source a.csv")
    ['uniform:n=3']
    """
    found = []
    for kind in dict.fromkeys(subject.kind for subject in subjects):
        own = [subject for subject in subjects if subject.kind == kind and not _is_told(subject.name, told)]
        if any(subject.file or kind != "matrix" for subject in own):
            names = _joined([subject.name for subject in own])
            found.append(names if kind in ("mechanism", "printed") else f"{kind} of {names}")
    return found


def _is_told(name: str, told: str) -> bool:
    """Whether a text has the whole name.

    >>> _is_told("uniform:n=3", "uniform:n=3,alpha=1/2"), _is_told("uniform:n=3", "of uniform:n=3, a.csv")
    (False, True)
    """
    return re.search(rf"(?<![\w:/]){re.escape(name)}(?!,?[\w=/-])", told) is not None


def _is_named(name: str, claim: str) -> bool:
    """Whether a sentence names it, and not as the loss, the prior or the graph that the same file gave."""
    return re.search(rf"(?<!loss )(?<!gain )(?<!of )(?<!on ){re.escape(name)}", claim) is not None


def _with_name(claim: str, wording: _Wording, name: str) -> str:
    """The sentence with the name where it first speaks of this kind, else before all of it."""
    found = re.search(wording.said, claim)
    if found is not None:
        named = wording.after.format(said=found[1], name=name)
        return f"{claim[: found.start()]}{named}{claim[found.end() :]}"
    if not wording.before:
        return claim
    begins = claim[:1].lower() if re.match(r"(?:A|[A-Z][a-z]+) ", claim) else claim[:1]
    return f"{wording.before.format(name=name)}: {begins}{claim[1:]}"


def _joined(names: Sequence[str]) -> str:
    """Names in one phrase, each once.

    >>> _joined(["a", "b", "a"])
    'a (2 times) and b'
    """
    counted = [name if times == 1 else f"{name} ({times} times)" for name, times in Counter(names).items()]
    return " and ".join(filter(None, [", ".join(counted[:-1]), counted[-1]]))
