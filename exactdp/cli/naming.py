# SPDX-License-Identifier: MIT
"""The files that an answer is about, named in its sentence: answers about two files never read the same.

Losses, priors, graphs and metrics have names, which sentences say. A mechanism, remap, dual or matrix has
none: the sentence is told here from which file it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from exactdp.analysis.subjects import Subject, joined
from exactdp.runtime.values import dataclass


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
            claim = _with_name(claim, _WORDINGS[kind], joined([subject.name for subject in own]))
    return claim


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
