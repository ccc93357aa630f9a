# SPDX-License-Identifier: MIT
"""The files that an answer is about: how the line below its headline names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from exactdp.runtime.values import dataclass

_CALLED = {
    "mechanism": "{}",
    "printed": "{}",
    "compare": "compared with {}",
    "source": "source {}",
    "target": "target {}",
    "remap": "remap of {}",
    "dual": "dual of {}",
    "matrix": "matrix of {}",
}
"""How the files of each kind are named."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What was read to be judged.

    * ``kind``: *mechanism*, *printed* (a table of which all mechanisms are meant that print so), *source* and
      *target* of a post-processing, *compare* (a second table), *remap*, *dual* or *matrix*.
    * ``name``: the file with its digest, or the word.
    * ``file``: whether it is a file.
    """

    kind: str
    name: str
    file: bool = True


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
            names = joined([subject.name for subject in own])
            found.append(_CALLED[kind].format(names))
    return found


def _is_told(name: str, told: str) -> bool:
    """Whether a text has the whole name.

    >>> _is_told("uniform:n=3", "uniform:n=3,alpha=1/2"), _is_told("uniform:n=3", "of uniform:n=3, a.csv")
    (False, True)
    """
    return re.search(rf"(?<![\w:/]){re.escape(name)}(?!,?[\w=/-])", told) is not None


def joined(names: Sequence[str]) -> str:
    """Names in one phrase, each once.

    >>> joined(["a", "b", "a"])
    'a (2 times) and b'
    """
    counted = [name if times == 1 else f"{name} ({times} times)" for name, times in Counter(names).items()]
    return " and ".join(filter(None, [", ".join(counted[:-1]), counted[-1]]))
