# SPDX-License-Identifier: MIT
"""What is known of a question with n as a letter: answers for small n, a form that fits, an argument."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from exactdp.analysis.generalisation.closed_form import ClosedForm, EntryForm
from exactdp.runtime.files import write_file


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument, and what the checker says about it.

    Attributes
    ----------
    name : str
        Of the file, without ``.json``.
    text : str
        Its contents; it needs no other file.
    status, sentence : str
        The checker's answer, such as ``accepted``; empty before it was asked.
    """

    name: str
    text: str = field(repr=False)
    status: str = ""
    sentence: str = field(default="", repr=False)

    @property
    def accepted(self) -> bool:
        """Whether the checker replayed it."""
        return self.status == "accepted"

    def write(self, path: str | Path) -> Path:
        """Write the file, for ``exactdp verify``."""
        return write_file(path, self.text)

    def judged(self, status: str, sentence: str) -> Argument:
        """The argument with the checker's answer."""
        return replace(self, status=status, sentence=sentence)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralisationEvidence:
    """Answers for some n, a closed form that fits them, and arguments for every n.

    Attributes
    ----------
    title, meaning : str
        What is asked, and what n counts.
    letter : str
        n, or d.
    least : int
        The smallest n that the arguments speak of.
    answers : tuple of (int, scalar or ExactMatrix)
        n, and the exact answer there, a function of the level; ``values`` is the same as a dictionary.
    verdicts : tuple of (int, Verdict)
        Where these answers come from; each has a certificate (:func:`~exactdp.certify`).
    form : ClosedForm or None
        Of the numbers; it equals every one of them.
    tables : tuple of EntryForm
        Of the entries of the answer, or of its witness: a dual, a remap.
    arguments : tuple of Argument
        What proves the form for every n, if all are accepted; by parity two.
    theorem : str
        What the arguments leave to others.
    interpolated : bool
        The answers are functions of the level that were interpolated between rational levels: they are right
        at these, and not known to be elsewhere.
    """

    title: str
    meaning: str
    letter: str
    least: int
    answers: tuple[tuple[int, Any], ...]
    verdicts: tuple[tuple[int, Any], ...] = ()
    form: ClosedForm | None = None
    tables: tuple[EntryForm, ...] = ()
    arguments: tuple[Argument, ...] = ()
    theorem: str = ""
    interpolated: bool = False

    @property
    def values(self) -> dict[int, Any]:
        """The answers by n."""
        return dict(self.answers)

    @property
    def replayed(self) -> bool:
        """Whether there are arguments, and the checker accepts each of them."""
        return bool(self.arguments) and all(argument.accepted for argument in self.arguments)

    @property
    def found(self) -> ClosedForm | EntryForm | None:
        """The closed form of what was asked for: numbers, or the entries of a table."""
        return self.form or (self.tables[0] if self.tables and not self.verdicts else None)

    def in_sympy(self) -> Any:
        """The closed form, if it is proved."""
        return self.found.to_sympy() if self.replayed and self.found is not None else None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The n at which the question was answered."""
        return tuple(n for n, _ in self.answers)

    def write(self, folder: str | Path) -> list[Path]:
        """Write the arguments into a folder that is there, for ``exactdp verify``; their files."""
        return [argument.write(Path(folder) / f"{argument.name}.json") for argument in self.arguments]
