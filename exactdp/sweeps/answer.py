# SPDX-License-Identifier: MIT
"""The answer to one question of a sweep: a row of its index, and a certificate.

The words are those of every verdict (proved, refuted, undecided), and two for what is no verdict: *limit*,
when time, memory or a size ran out, and *failed*, when the question has no answer, such as one about a loss
that the graph does not have. Both come with the message.
"""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Self

from exactdp.errors import SearchError

PLACES = 18
"""Digits after the point of the two decimals around a value."""

WORDS = ("proved", "refuted", "undecided", "limit", "failed")
"""What can become of a question. The last two are no verdicts: nothing was decided.

No question of a sweep is answered by an argument, so that nothing is replayed here.
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a question.

    * ``question``: its canonical text.
    * ``verdict``: proved, refuted or undecided; limit or failed.
    * ``value``: the exact value, as text, if the answer has one; with ``symbolic`` one for each part of the
      levels.
    * ``lower``, ``upper``: two decimals around the value, at most 10⁻¹⁸ apart; or the bounds that an
      undecided question has.
    * ``claim``: the checker's sentence about the certificate; without one the verdict's.
    * ``message``: why there is no verdict, or no certificate.
    * ``certificate``: the text of the certificate; empty without one.
    * ``digest``, ``kind``: its digest (``sha256:…``) and its kind of claim.
    * ``seconds``: how long it took, by the wall clock, until the certificate was written and checked.
    * ``memory``: the largest resident set, in bytes, of the process that answered, while it did; 0 where that
      is not known.
    * ``versions``: of what took part.
    """

    question: str
    verdict: str
    value: str = ""
    lower: str = ""
    upper: str = ""
    claim: str = ""
    message: str = ""
    certificate: str = ""
    digest: str = ""
    kind: str = ""
    seconds: float = 0.0
    memory: int = 0
    versions: str = ""

    def to_line(self, memory: int | None = None) -> bytes:
        """The answer as it is sent: one line, with the memory, the SHA-256 of what follows, and all fields.

        It is made by the process that answers, which then knows its ``memory``, and read by the client alone.
        """
        memory = self.memory if memory is None else memory
        body = json.dumps([memory if name == "memory" else getattr(self, name) for name in self.__slots__]).encode()
        return f"{memory} {sha256(body).hexdigest()} ".encode() + body

    @classmethod
    def of_line(cls, line: bytes) -> Self:
        """The answer that was sent.

        * raises SearchError: these are not the bytes that were sent.

        >>> line = Answer('{"ask":"tight"}', "proved", "5/9").to_line()
        >>> Answer.of_line(line).value
        '5/9'
        >>> Answer.of_line(line.replace(b"5/9", b"6/9"))
        Traceback (most recent call last):
        exactdp.errors.SearchError: an answer arrived with other bytes than it was sent with
        """
        _, digest, body = (*line.split(b" ", 2), b"", b"", b"")[:3]
        if digest != sha256(body).hexdigest().encode():
            raise SearchError("an answer arrived with other bytes than it was sent with", line=line[:80])
        return cls(*json.loads(body))


@cache
def versions() -> str:
    """What takes part in an answer, with versions; other versions may find another certificate."""
    names = ("exactdp", "python-flint", "highspy")
    return ", ".join([*(f"{name} {_version(name)}" for name in names), f"Python {platform.python_version()}"])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
