# SPDX-License-Identifier: MIT
"""Where a table was read from: the name of a file, with the digest of its bytes."""

from __future__ import annotations

from exactdp.errors import printable
from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """The file that a table was read from.

    * ``name``: without its folders.
    * ``digest``: the SHA-256 of what was read, in hexadecimal digits.

    >>> source = Source.of("survey.csv", b"1/2,1/2")
    >>> str(source), source.digest[:8]
    ('survey.csv (sha256 b8923f20…)', 'b8923f20')
    """

    name: str
    digest: str

    @classmethod
    def of(cls, name: str, content: bytes) -> Source:
        """That of a file with this content."""
        from hashlib import sha256  # only what is read from a file needs it

        return cls(name, sha256(content).hexdigest())

    def __str__(self) -> str:
        return f"{printable(self.name)} (sha256 {self.digest[:8]}…)"
