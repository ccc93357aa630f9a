# SPDX-License-Identifier: MIT
"""Running the cases: every question, in several presentations, on the command line and in Python."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from click.testing import CliRunner

from exactdp.cli import main
from exactdp.errors import ExactDPError

from .instances import Near, Question
from .objects import Objects
from .presentation import MODES, Files, Presentation
from .questions import QUESTIONS

REFUSALS = (2, 3)
"""Exit codes of a question that is not answered because the objects do not fit together."""


@dataclass(frozen=True)
class Failure:
    """A wrong answer, a refusal of what should be answered, or an answer to what should be refused."""

    question: str
    mode: str
    surface: str
    seed: str
    kind: str
    what: str
    detail: str

    @property
    def place(self) -> str:
        """The kind of failure and where it is."""
        return f"{self.kind}: {self.question} [{self.mode}, {self.surface}]"

    def __str__(self) -> str:
        return f"{self.place}, case {self.seed}: {self.what}\n{self.detail}"


def case(seed: str) -> tuple[Counter[str], list[Failure]]:
    """One random instance of one question, written down in two ways, asked on every surface that it has."""
    rng = Random(seed)
    counts: Counter[str] = Counter()
    failures: list[Failure] = []
    draw = QUESTIONS[rng.randrange(len(QUESTIONS))]
    instance = draw(rng)
    modes = ["labels", rng.choice(MODES[1:])]
    if not Presentation.can_mix(instance):
        modes = ["labels", "positions"]
    for mode in modes:
        for surface, ask in (("command", _command), ("python", _python)):
            if (instance.words if surface == "command" else instance.call) is None:
                continue
            counts[f"{surface}, {mode}"] += 1
            counts[f"question {instance.name}"] += 1
            fault = ask(instance, mode, rng)
            if fault is not None:
                failures.append(Failure(instance.name, mode, surface, seed, *fault))
    return counts, failures


def cases(seed: int, count: int) -> Iterator[tuple[Counter[str], list[Failure]]]:
    """So many cases; each can be repeated from its own seed."""
    for k in range(count):
        yield case(f"{seed}:{k}")


Fault = tuple[str, str, str] | None
"""The kind (wrong, unanswered, mixed), what it is, and the files."""


def _command(instance: Question, mode: str, rng: Random) -> Fault:
    shown = Presentation(rng, instance, mode)
    with tempfile.TemporaryDirectory() as folder:
        files = Files(shown, Path(folder))
        words: dict[str, Any] = dict(files.words)
        if "near" in words:
            near = instance.objects["near"]
            assert isinstance(near, Near)
            file = Path(words["near"])
            is_metric = file.suffix in (".csv", ".json")
            words["near_words"] = ["--metric" if is_metric else "--graph", words["near"]]
            words["near_argument"] = ["--metric", words["near"]] if is_metric else [words["near"]]
        assert instance.words is not None
        line = [*instance.words(words), *files.options()]
        result = CliRunner().invoke(main, line if instance.plain else [*line, "--json"], prog_name="exactdp")
        detail = _described(line, Path(folder))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return "wrong", f"an exception: {result.exception!r}", detail
    try:
        answer = {"text": result.stdout, "shown": shown, "error": result.output} if instance.plain else json.loads(result.stdout)
    except ValueError:
        return "wrong", f"no JSON (exit code {result.exit_code})", detail + result.output
    if mode == "mixed":
        if result.exit_code in REFUSALS:
            return None
        return "mixed", f"labelled and unlabelled objects were matched: {answer.get('claim')}", detail
    if result.exit_code == 4 and instance.undecided:
        return None
    if result.exit_code not in (0, 1):
        return "unanswered", f"exit code {result.exit_code}: {answer.get('error')}", detail
    answer["code"] = result.exit_code
    assert instance.check is not None
    try:
        fault = instance.check(answer)
    except (KeyError, ValueError, TypeError) as error:  # an answer of another form than it should have
        fault = f"the answer has another form: {error!r}"
    return None if fault is None else ("wrong", fault, detail + f"claim: {answer.get('claim')}")


def _python(instance: Question, mode: str, rng: Random) -> Fault:
    shown = Presentation(rng, instance, mode)
    assert instance.call is not None
    detail = f"labels {shown.names}, unlabelled order {shown.order}, labelled {shown.labelled}"
    try:
        found = instance.call(Objects(shown))
    except ExactDPError as error:
        return None if mode == "mixed" else ("unanswered", str(error), detail)
    except Exception as error:
        return "wrong", f"an exception: {error!r}", detail
    if mode == "mixed":
        return "mixed", "labelled and unlabelled objects were matched", detail
    return None if _same(found, instance.expected) else ("wrong", f"{found}, by brute force {instance.expected}", detail)


def _same(found: Any, expected: Any) -> bool:
    if expected is None:
        return True
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(_same(found[key], expected[key]) for key in expected)
    if isinstance(expected, tuple):
        return len(found) == len(expected) and all(map(_same, found, expected))
    if isinstance(expected, Fraction):
        return Fraction(str(found)) == expected
    return bool(found == expected)


def _described(line: list[str], folder: Path) -> str:
    """The command line and its files, for a report."""
    texts = []
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        shown = f"({len(content)} bytes)" if path.suffix == ".npy" else content.decode("utf-8").rstrip("\n")
        texts.append(f"--- {path.name}\n{shown}\n")
    return "exactdp " + " ".join(word.replace(f"{folder}/", "") for word in line) + "\n" + "".join(texts)


def report(seed: int, count: int, tell: Callable[[str], None], *, most: int = 20) -> int:
    """Run the cases, tell the failures and the figures; how many failures there were."""
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for done, (found, failures) in enumerate(cases(seed, count), start=1):
        counts += found
        for failure in failures:
            kinds[failure.place] += 1
            if sum(kinds.values()) <= most:
                tell(str(failure))
        if done % 1000 == 0:
            tell(f"{done} cases, {sum(kinds.values())} failures")
    tell(f"{count} cases from seed {seed}: {sum(v for k, v in counts.items() if not k.startswith('question'))} answers compared")
    for key in sorted(counts):
        tell(f"  {key}: {counts[key]}")
    tell(f"{sum(kinds.values())} failures")
    for key, number in kinds.most_common():
        tell(f"  {key}: {number}")
    return sum(kinds.values())
