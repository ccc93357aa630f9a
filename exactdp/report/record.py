# SPDX-License-Identifier: MIT
"""An audit in a few plain fields: what its lines in a batch, a register, JUnit and SARIF are made from.

It is made from the answer as JSON, so that it says what the answer says. Exact numbers stay as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from exactdp.certificate.bundle_files import sha256
from exactdp.certificate.check_bundle import RELEASE
from exactdp.errors import printable

WORDS = {"proved": "PROVED", "refuted": "REFUTED", "undecided": "UNDECIDED", "no claim": "NO CLAIM"}
"""How a line begins, by the verdict; without one with ERROR."""

_KEYS = ("quality", "level", "claim_holds", "claimed", "delta", "requirements", "undecided", "notes")
"""What is taken over from the answer as it is, where it is there."""


@dataclass(frozen=True, slots=True)
class Record:
    """What became of a table.

    Attributes
    ----------
    table : str
        The table as it was named.
    verdict : str or None
        *proved*, *refuted*, *undecided* or *no claim*; None after an error.
    exit_code : int
    headline, claim : str
        The first line, and the whole sentence; of an error the message.
    neighbours : str
        Which were judged; empty after an error.
    files : tuple of (name, what, sha256)
        What was read.
    facts : mapping
        More of the answer, as JSON.
    """

    table: str
    verdict: str | None
    exit_code: int
    headline: str
    claim: str
    neighbours: str
    files: tuple[tuple[str, str, str], ...]
    facts: Mapping[str, Any]

    @classmethod
    def of(cls, table: str, answer: Mapping[str, Any], code: int, read: Iterable[tuple[str, str, bytes]] = ()) -> Self:
        """The record of an answer.

        Parameters
        ----------
        table : str
            The table as it was named.
        answer : mapping
            As ``--json`` prints it; with ``error`` where there is none, or not all of it.
        code : int
            The exit code.
        read : iterable of (name, what, bytes)
            The files that were read.
        """
        files = tuple((name, what, sha256(content)) for name, what, content in read)
        error = answer.get("error")
        if answer.get("claim") is None:
            return cls(table, None, code, str(error), str(error), "", files, {})
        near = answer.get("neighbours")
        facts = {key: answer[key] for key in _KEYS if answer.get(key) is not None}
        gaps = [_gap(entry) for entry in answer.get("consumers", ())]
        facts |= {"consumers": gaps} if gaps else {}
        facts |= {"error": error} if error else {}
        name = near["name"] if isinstance(near, Mapping) else ""
        headline = answer["headline"]["text"]
        return cls(table, answer["verdict"], code, headline, answer["claim"], name, files, facts)

    @property
    def word(self) -> str:
        """How its line begins."""
        return "ERROR" if self.verdict is None else WORDS[self.verdict]

    @property
    def line(self) -> str:
        """It in one line."""
        return f"{self.word:<9}  {printable(self.table)}: {printable(self.headline)}"

    @property
    def cases(self) -> tuple[Case, ...]:
        """Everything that was judged, one by one: whether it is a mechanism, the claim, each requirement."""
        if self.verdict is None:
            return (Case("audit", "the audit", "error", self.claim),)
        by_law = self.facts.get("quality") == "law"
        found = [Case("audit", f"judged by its law, {self.neighbours}", "holds", self.claim) if by_law else self._mechanism()]
        claimed = self.facts.get("claimed")
        if claimed is not None:
            status = {True: "holds", False: "fails", None: "undecided"}[self.facts.get("claim_holds")]
            found.append(Case("claim", f"claimed: {claimed['text']} on {self.neighbours}", status, self.claim))
        for one in self.facts.get("requirements", ()):
            name = f"required: {one['text']}" + (f" ({one['about']})" if one["about"] else "")
            found.append(Case("requirement", name, one["status"], one["why"]))
        if self.exit_code not in (0, 1) and all(one.status not in ("undecided", "error") for one in found):
            told = str(self.facts.get("error") or self.claim)
            found.append(Case("audit", "all of it is decided", "undecided" if self.exit_code == 4 else "error", told))
        return tuple(found)

    def _mechanism(self) -> Case:
        wrong = self.facts.get("quality") == "wrong"
        return Case("mechanism", f"a mechanism on {self.neighbours}", "fails" if wrong else "holds", self.claim)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON."""
        files = [{"name": name, "what": what, "sha256": digest} for name, what, digest in self.files]
        return {
            "table": self.table,
            "verdict": self.verdict,
            "exit_code": self.exit_code,
            "headline": self.headline,
            "claim": self.claim,
            "neighbours": self.neighbours,
            "exactdp": RELEASE,
            "files": files,
            **self.facts,
        }

    @classmethod
    def of_json(cls, body: Mapping[str, Any]) -> Self:
        """That of its JSON.

        >>> record = Record.of("t.csv", {"claim": None, "error": "there is no file"}, 2)
        >>> Record.of_json(record.to_json()) == record, record.line
        (True, 'ERROR      t.csv: there is no file')
        """
        own = {"table", "verdict", "exit_code", "headline", "claim", "neighbours", "exactdp", "files"}
        files = tuple((one["name"], one["what"], one["sha256"]) for one in body["files"])
        return cls(
            table=body["table"],
            verdict=body["verdict"],
            exit_code=body["exit_code"],
            headline=body["headline"],
            claim=body["claim"],
            neighbours=body["neighbours"],
            files=files,
            facts={key: x for key, x in body.items() if key not in own},
        )


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that was judged.

    Attributes
    ----------
    rule : str
        *mechanism*, *claim*, *requirement* or *audit*.
    name : str
        What exactly.
    status : str
        *holds*, *fails*, *undecided* or *error*.
    why : str
        The numbers, or the message.
    """

    rule: str
    name: str
    status: str
    why: str


def worst(codes: Sequence[int]) -> int:
    """The worst of some exit codes: a defect, what could not be read or written, a limit, what fails.

    >>> worst([0, 4, 1]), worst([0, 1]), worst([1, 3, 4]), worst([])
    (4, 1, 3, 0)
    """
    return max(codes, key=_badness, default=0)


def _badness(code: int) -> int:
    known = (0, 1, 4, 3, 2, 5, 70)
    return known.index(code) if code in known else len(known)


def _gap(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a consumer: the level, the loss or utility, the optimum, the gaps."""
    return {key: x for key, x in entry.items() if key not in ("as_it_stands",) and x is not None}
