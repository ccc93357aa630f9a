# SPDX-License-Identifier: MIT
"""What is known of a question with n as a letter: answers for small n, a form that fits, an argument."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from exactdp.analysis.verdict import Decision
from exactdp.arguments.generalisation.closed_form import ClosedForm, EntryForm
from exactdp.runtime.files import write_file


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument, and what became of it when it was replayed.

    Attributes
    ----------
    name : str
        Of the file, without ``.json``.
    text : str
        Its contents; it needs no other file.
    status, sentence : str
        The answer, such as ``replayed`` or ``rejected``; empty before it was asked for.
    """

    name: str
    text: str = field(repr=False)
    status: str = ""
    sentence: str = field(default="", repr=False)

    @property
    def replayed(self) -> bool:
        """Whether each of its steps was followed, which is no proof."""
        return self.status == "replayed"

    def write(self, path: str | Path) -> Path:
        """Write the file, for ``exactdp verify``."""
        return write_file(path, self.text)

    def judged(self, status: str, sentence: str) -> Argument:
        """The argument with this answer."""
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
        What speaks for the form at every n, if all are replayed; by parity two.
    theorem : str
        What the arguments leave to others.
    interpolated : bool
        The answers are functions of the level that were interpolated between rational levels: they are right
        at these, and not known to be elsewhere.
    """

    DECISIONS: ClassVar[tuple[Decision, ...]] = (Decision.REPLAYED, Decision.UNDECIDED)
    """What a verdict with this evidence can be: an argument proves nothing."""

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
        """Whether there are arguments, and each of them is replayed."""
        return bool(self.arguments) and all(argument.replayed for argument in self.arguments)

    @property
    def found(self) -> ClosedForm | EntryForm | None:
        """The closed form of what was asked for: numbers, or the entries of a table."""
        return self.form or (self.tables[0] if self.tables and not self.verdicts else None)

    def in_sympy(self) -> Any:
        """The closed form, if its arguments are replayed."""
        return self.found.to_sympy() if self.replayed and self.found is not None else None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The n at which the question was answered."""
        return tuple(n for n, _ in self.answers)

    def write(self, folder: str | Path) -> list[Path]:
        """Write the arguments into a folder that is there, for ``exactdp verify``; their files."""
        return [argument.write(Path(folder) / f"{argument.name}.json") for argument in self.arguments]
