"""Running the command line inside the test process, and the files that the examples of the help texts
name.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from exactdp.cli import main


@dataclass(frozen=True)
class Run:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str
    words: tuple[str, ...] = field(default=(), compare=False)

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)

    @property
    def first(self) -> str:
        """The headline with its word: the first line of what was printed."""
        return self.out.splitlines()[0]

    @property
    def about(self) -> str:
        """What stands below the headline, in one line: what the answer is about and assumes."""
        whole = self.out.splitlines()
        above = next((k for k, line in enumerate(whole) if not line.startswith(("COMPARED ", "better "))), 0)
        lines = whole[above + 1 :]
        ends = next((k for k, line in enumerate(lines) if k and not line.startswith("    ")), len(lines))
        return " ".join(" ".join(lines[:ends]).split()) if lines[:1] and lines[0].startswith("for ") else ""

    @property
    def sentence(self) -> str:
        """The word and the whole sentence, the claim that it tells when it is asked again for JSON."""
        answer = run([*self.words, "--json"]).json
        return f"{answer['verdict'].upper()}  {answer['claim']}"


def run(command: str | list[str], stdin: str | bytes | None = None, *, program: click.Command = main, name: str = "exactdp") -> Run:
    """Run a command line (with or without the word exactdp); no traceback may ever show."""
    words = shlex.split(command) if isinstance(command, str) else list(command)
    if words[:1] == ["exactdp"]:
        words = words[1:]
    result = CliRunner().invoke(program, words, input=stdin, prog_name=name)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return Run(result.exit_code, result.stdout, result.stderr, tuple(words))


def geometric_rows(n: int, alpha: Fraction) -> list[list[Fraction]]:
    """Geometric noise truncated to 0..n, from its definition: all that falls outside is moved to the ends."""

    def entry(i: int, r: int) -> Fraction:
        if r in (0, n):
            return alpha ** abs(i - r) / (1 + alpha)
        return (1 - alpha) / (1 + alpha) * alpha ** abs(i - r)

    return [[entry(i, r) for r in range(n + 1)] for i in range(n + 1)]


def six_decimals(x: Fraction) -> str:
    """x as a program that prints '%.6f' shows it."""
    return f"{float(x):.6f}"


def write_rows(path: Path, rows: list[list[Any]]) -> Path:
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


def example_files(folder: Path) -> None:
    """Every file that an example in a help text reads."""
    write_rows(folder / "table.csv", geometric_rows(3, Fraction(1, 4)))
    write_rows(folder / "counts.csv", geometric_rows(3, Fraction(1, 4)))
    write_rows(folder / "reports.csv", [["0.5", "0.25", "0.25"], ["0.3", "0.4", "0.3"], ["0.2", "0.3", "0.5"]])
    write_rows(folder / "printed.csv", [[six_decimals(x) for x in row] for row in geometric_rows(5, Fraction(1, 2))])
    write_rows(folder / "remap.csv", [["9/11", "2/11", 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, "2/11", "9/11"]])
    write_rows(folder / "formulas.csv", [["1/(1+a)", "a/(1+a)"], ["a/(1+a)", "1/(1+a)"]])
    write_rows(folder / "table-in-a.csv", [["1/(1+a)", "a/(1+a)"], ["a/(1+a)", "1/(1+a)"]])
    write_rows(folder / "letters.csv", [["1-p", "p"], ["q", "1-q"]])
    (folder / "dual.csv").write_text("".join(f"weight,{i},,,1/4\n" for i in range(4)), encoding="utf-8")
    (folder / "g.edges").write_text("0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n", encoding="utf-8")
    write_rows(folder / "loss.csv", [[abs(i - r) for r in range(6)] for i in range(6)])


def answered_plan(folder: Path) -> None:
    """``plan.toml`` with one question, and a folder ``answers`` in which it is answered; no cluster is
    started.
    """
    from exactdp.sweeps.asking import answered
    from exactdp.sweeps.plan import Plan
    from exactdp.sweeps.store import Store

    (folder / "plan.toml").write_text('[[questions]]\nask = "tight"\ngraphs = "path:3"\nlevels = "1/2"\n', encoding="utf-8")
    plan = Plan.read(folder / "plan.toml")
    with Store(folder / "answers") as store:
        store.note(plan)
        store.keep([answered(question.text, 60) for question in plan.questions])
