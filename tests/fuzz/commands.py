# SPDX-License-Identifier: MIT
"""Command lines, drawn from what the commands declare and from their examples, run inside this process.

A parameter is known by what its declaration calls it (``LEVEL``, ``GRAPH``, …) and by its type. One that is
called otherwise gets anything: so that a new option is tried without being listed here.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import click
from cli_runner import example_files
from click.testing import CliRunner

from exactdp.cli.program import COMMANDS, main
from exactdp.mechanisms.words import FAMILIES
from exactdp.model import FORMS, LOSSES

from .contents import (
    ASSUMPTIONS,
    EPSILONS,
    HUGE,
    LEVELS,
    TEXTS,
    Folder,
    arguments,
    certificates,
    encoded,
    formulas,
    labels,
    number,
    rows,
    some,
)

SELDOM = {"demo": 0.05, "verify": 0.3, "mechanisms": 0.3, "sweep": 0.1, "index": 0.3}
"""How much less often than others a command is asked: it takes long, or has little to say."""

CONTRACT = {0, 1, 2, 3, 4, 5, 130}
LONGEST = 300
SECONDS = "2"
"""The time limit of every command that takes one."""


@dataclass(frozen=True)
class Line:
    """A command line, and how it is run."""

    words: tuple[str, ...]
    stdin: bytes | None = None
    terminal: bool = False
    disk: int | None = None
    """The size that no file can exceed: a full disk."""

    @property
    def command(self) -> click.Command | None:
        """The command that is asked for."""
        return main.get_command(click.Context(main), self.words[0]) if self.words and self.words[0] in COMMANDS else None

    def targets(self) -> list[str]:
        """Where it is to write."""
        return [words[-1] for param, words in self.units() if param is not None and isinstance(param.type, click.Path)]

    def units(self) -> list[tuple[click.Parameter | None, tuple[str, ...]]]:
        """Options with their values, and arguments."""
        assert self.command is not None
        declared = {opt: p for p in self.command.params if isinstance(p, click.Option) for opt in (*p.opts, *p.secondary_opts)}
        places = iter([p for p in self.command.params if isinstance(p, click.Argument)])
        place, words, found = next(places, None), list(self.words[1:]), []
        while words:
            word = words.pop(0)
            param: click.Parameter | None = declared.get(word)
            if param is None:
                found.append((place, (word,)))
                place = place if place is not None and place.nargs == -1 else next(places, None)
            elif getattr(param, "is_flag", False) or not words:
                found.append((param, (word,)))
            else:
                found.append((param, (word, words.pop(0))))
        return found

    def __str__(self) -> str:
        shown = f"exactdp {' '.join(map(_shown, self.words))}"
        shown += "" if self.stdin is None else " < stdin"
        shown += "  # on a terminal" if self.terminal else ""
        return shown + ("" if self.disk is None else f"  # no file can be larger than {self.disk} bytes")


def _shown(word: str) -> str:
    """A word as it can be typed."""
    if word.isprintable() and len(word) < 200:
        return shlex.quote(word)
    return ascii(word) if len(word) < 200 else f"{word[:20]!a}*({len(word)} characters)"


def table(folder: Folder) -> str:
    """A file of a table, of the size of the case."""
    size, wide = folder.rng.choice(((4, 4), (4, 4), (4, 4), (3, 3), (3, 3), (2, 2), (1, 1), (4, 2), (2, 4)))
    return folder.file(lambda rng: encoded(rng, formulas(rng, size) if rng.random() < 0.1 else rows(rng, size, wide)))


def word(rng: Random) -> str:
    """The word of a mechanism: an example of the registry with some parameters changed."""
    family, _, given = rng.choice(list(FAMILIES.values())).example.partition(":")
    parts = dict(part.split("=") for part in given.split(","))
    for name in [*parts, *(["alpha"] if rng.random() < 0.05 else [])]:
        if name in ("n", "bits", "hashes", "upper", "lower", "sensitivity", "step", "resolution"):
            parts[name] = rng.choice(HUGE) if rng.random() < 0.015 else str(some(rng)) if rng.random() < 0.25 else parts.get(name, "2")
        elif rng.random() < 0.15:
            parts[name] = rng.choice(LEVELS + EPSILONS if rng.random() < 0.9 else TEXTS)
    if rng.random() < 0.15 and len(parts) > 1:  # the level beside the word
        parts.pop(rng.choice(list(parts)))
    return f"{family}:" + ",".join(f"{name}={value}" for name, value in parts.items())


def graph(folder: Folder) -> str:
    """A word of the registry with other sizes, a word that takes the table's inputs, or a file of edges."""
    rng = folder.rng
    if rng.random() < 0.3:
        return rng.choice(("path", "cycle", "complete", "star", "local"))
    if rng.random() < 0.2:
        return folder.file(_edges)
    form = rng.choice(list(FORMS))
    return re.sub("[0-9]+", lambda _: rng.choice(HUGE) if rng.random() < 0.015 else str(some(rng, 1, 4)), form)


def _edges(rng: Random) -> tuple[str, bytes]:
    names = labels(rng, 3) if rng.random() < 0.3 else ["0", "1", "2", "3"]
    lines = [f"{rng.choice(names)} {rng.choice(names)}" for _ in range(some(rng, 1, 5))]
    return "edges", ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def _metric(rng: Random) -> tuple[str, bytes]:
    size = some(rng, 1, 4)
    far = [["0" if i == j else rng.choice(("1", "2", "1/2", "sqrt(2)", "inf", "99999")) for j in range(size)] for i in range(size)]
    return encoded(rng, [[far[min(i, j)][max(i, j)] for j in range(size)] for i in range(size)] if rng.random() < 0.9 else far)


def loss(folder: Folder) -> str:
    """A word of the registry, or a file."""
    if folder.rng.random() < 0.7:
        return folder.rng.choice(LOSSES)
    size = some(folder.rng, 1, 4)
    return folder.file(lambda rng: encoded(rng, [[str(rng.randint(-1, 5)) for _ in range(size)] for _ in range(size)]))


def _weights(rng: Random) -> list[str]:
    return rng.choice((["1/2", "1/4", "1/4"], ["1/2", "1/2"], ["1"], ["0.1", "0.2", "0.3", "0.4"], ["1/100"] * 100, [number(rng)] * 3))


def prior(folder: Folder) -> str:
    """The word, weights written out, or a file."""
    kind = folder.rng.randrange(4)
    if kind == 0:
        return ",".join(_weights(folder.rng))
    if kind == 1:
        names = labels(folder.rng, 3)
        return json.dumps(dict(zip(names, _weights(folder.rng), strict=False)))
    return "uniform" if kind == 2 else folder.file(lambda rng: encoded(rng, [_weights(rng)]))


def _consumer(folder: Folder) -> str:
    return loss(folder) + folder.rng.choice(("", "", f" prior={prior(folder)}", " side=0..1", " prior=", " x"))


def certificate(folder: Folder) -> str:
    """A certificate or a replayed argument."""
    if folder.rng.random() < 0.8:
        return folder.file(lambda rng: ("edp.json", rng.choice(certificates())))
    return folder.file(lambda rng: ("json", rng.choice(arguments())[1]))


def mechanism(folder: Folder) -> str:
    """A word or a file."""
    return word(folder.rng) if folder.rng.random() < 0.6 else table(folder)


def anything(folder: Folder) -> str:
    """A value of any kind."""
    kinds = (table, graph, loss, prior, mechanism, certificate, lambda f: f.rng.choice(TEXTS), lambda f: number(f.rng))
    return folder.rng.choice(kinds)(folder)


def _of(*values: str) -> Callable[[Folder], str]:
    return lambda folder: folder.rng.choice(values)


KINDS: dict[str, Callable[[Folder], str]] = {
    **dict.fromkeys(("MECHANISM", "MECHANISMS", "A", "B", "C", "M", "TABLE", "TARGET", "OTHERS", "SOURCE"), mechanism),
    **dict.fromkeys(("IN", "FILE", "CLAIM"), lambda folder: folder.rng.choice((mechanism, certificate))(folder)),
    "FILES": certificate,
    "GRAPH": graph,
    "LOSS": loss,
    "GAIN": loss,
    "PRIOR": prior,
    "CONSUMER": _consumer,
    "LEVEL": _of(*LEVELS),
    "LEVELS": _of("1/4,1/2", "1/2", "1/4,1/2,3/4", "1/2,1/4", ",", "1/2,1/2"),
    "EPS": _of(*EPSILONS, "1,1/2"),
    "DELTA": _of("1/10", "1e-6", "0", "1", "-1", "2", "0.5"),
    "BOUND": _of("0", "1e-9", "2^-50", "1/10", "-1", "1"),
    "SET": _of("0..1", "0,2", "1", "no,yes", "0..9"),
    "MATRIX": lambda folder: folder.rng.choice(("geometric-prime:n=2", f"geometric-prime:n={folder.rng.choice(HUGE)}", mechanism(folder))),
    "FORMULA": _of("1", "a", "(1-a^2)^2", "(1-a)^3/(1+a)", "x0", "1/0", "a^a", "2**9**9", "(1-a^2)*((1+a^2)*x1-a*(x0+x2))", "sqrt(a)"),
    "ASSUMPTIONS": _of(*ASSUMPTIONS),
    "WORD": lambda folder: folder.rng.choice((*FAMILIES, word(folder.rng), "nothing")),
    "FACTOR": _of("1", "1", "1", "2", "2", "2", "0", "x"),
    "SECONDS": _of("0", "0.01", "0.5", "1", SECONDS, SECONDS, SECONDS, "nan", "-1", ""),
}
"""How a value is drawn, by the name that a declaration gives it."""

NAMED: dict[str, Callable[[Folder], str]] = {
    "--metric": lambda folder: folder.file(_metric),
    "--remap": table,
}
"""Where the same name means different things."""


def value(param: click.Parameter | None, folder: Folder) -> str:
    """A value for a parameter: mostly of its kind."""
    rng, kind = folder.rng, None if param is None else param.type
    if isinstance(kind, click.Path):
        return folder.target()
    if param is None or rng.random() < 0.04:
        return rng.choice(TEXTS) if rng.random() < 0.5 else anything(folder)
    name = param.opts[0]
    if name in NAMED:
        return NAMED[name](folder)
    called = re.sub(r"[^A-Z]", "", str(param.metavar or param.name).upper())
    if isinstance(kind, click.Choice):
        return str(rng.choice(list(kind.choices)))
    if called in KINDS:
        return KINDS[called](folder)
    if isinstance(kind, (click.types.IntParamType, click.types.FloatParamType)):
        return rng.choice(HUGE) if rng.random() < 0.1 else str(rng.randint(-1, 4))
    return anything(folder)


def _option(folder: Folder, param: click.Parameter) -> list[str]:
    """An option with its value, perhaps twice."""
    rng = folder.rng
    opt = rng.choice([*param.opts, *param.secondary_opts])
    return [opt] if getattr(param, "is_flag", False) else [opt, value(param, folder)]


def declared(folder: Folder, command: click.Command) -> list[str]:
    """Words for a command from its declaration: what it requires and some of the rest."""
    rng, words = folder.rng, []
    options = [p for p in command.params if isinstance(p, click.Option) and p.opts != ["--debug"]]  # which shows tracebacks
    wanted = rng.choice((1, 2, 3, 4, 6)) / max(len(options), 1)
    for param in command.params:
        if isinstance(param, click.Argument):
            count = rng.choice((1, 1, 2, 3)) if param.nargs == -1 else 1
            words += [value(param, folder) for _ in range(count) if param.required or rng.random() < 0.6]
        elif param in options and ((param.required and rng.random() < 0.97) or rng.random() < wanted):
            words += _option(folder, param)
    return words


def exampled(folder: Folder, command: click.Command) -> list[str]:
    """Words of an example of the command, some left out, exchanged and added."""
    rng, words = folder.rng, []
    example = list(takewhile(lambda word: word not in {"<", ">"}, shlex.split(rng.choice(command.examples))))  # type: ignore[attr-defined]
    for param, given in Line(tuple(example[1:])).units():
        fate = rng.random()
        if fate < 0.04:
            continue
        known = param is not None and (not isinstance(param, click.Option) or not param.is_flag)
        words += [*given[:-1], value(param, folder)] if known and fate < 0.3 else given
    options = [p for p in command.params if isinstance(p, click.Option) and p.opts != ["--debug"]]
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        words += _option(folder, rng.choice(options)) if options else []
    return words


def draw(rng: Random, folder: Folder) -> Line:
    """A command line, and the files that it names."""
    example_files(Path())
    Path("c.json").write_bytes(certificates()[0])
    if rng.random() < 0.01:
        return Line(
            tuple(rng.choice(("--help", "-h", "--version", "nothing", "", "--json", "privacy\n", *TEXTS)) for _ in range(some(rng, 0, 2)))
        )
    name = rng.choices(list(COMMANDS), [SELDOM.get(name, 1) for name in COMMANDS])[0]
    command = Line((name,)).command
    assert command is not None
    words = (exampled if rng.random() < 0.75 else declared)(folder, command)
    takes = {opt for param in command.params for opt in param.opts}
    if "--time-limit" in takes and "--time-limit" not in words:
        words += ["--time-limit", SECONDS]
    words += ["--help"] if rng.random() < 0.003 else []
    line = Line((name, *words), folder.stdin, terminal=rng.random() < 0.1)
    return replace(line, disk=rng.choice((0, 10, 1000, 5000))) if line.targets() and rng.random() < 0.1 else line


@dataclass(frozen=True)
class Answer:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str
    error: BaseException | None = None


class _Runner(CliRunner):
    """Runs commands whose standard error may be a terminal; what is drawn there is a sign of life."""

    def __init__(self, terminal: bool, alive: Callable[[], None]) -> None:
        super().__init__()
        self.terminal, self.alive = terminal, alive

    @contextlib.contextmanager
    def isolation(self, *args: Any, **settings: Any) -> Iterator[Any]:
        with super().isolation(*args, **settings) as streams:
            stream: Any = sys.stderr
            write = stream.write

            def drawn(text: str) -> int:
                self.alive()
                return int(write(text))

            if self.terminal:
                stream.isatty = lambda: True
                stream.write = drawn
            yield streams


@contextlib.contextmanager
def _disk(size: int | None) -> Iterator[None]:
    """No file can grow beyond this size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    if size is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def run(line: Line, alive: Callable[[], None] = lambda: None) -> Answer:
    """Run it here."""
    with _disk(line.disk):
        done = _Runner(line.terminal, alive).invoke(main, list(line.words), input=line.stdin, prog_name="exactdp", color=True)
    error = None if isinstance(done.exception, SystemExit) else done.exception
    text = done.stdout_bytes.decode("utf-8", "backslashreplace")
    return Answer(done.exit_code, text, done.stderr_bytes.decode("utf-8", "backslashreplace"), error)


def remove_new(before: set[str]) -> None:
    """Remove what the current folder did not have before, so that the same command can run again."""
    for name in set(os.listdir()) - before:
        if os.path.isdir(name) and not os.path.islink(name):
            shutil.rmtree(name)
        else:
            os.remove(name)


def unprintable(text: str) -> str | None:
    """The first character that a terminal would not show as itself, other than the end of a line."""
    found = next((x for x in text if not x.isprintable() and x != "\n"), None)
    return None if found is None else ascii(found)


def faults(line: Line, alive: Callable[[], None] = lambda: None) -> list[str]:
    """How the answer to a command line breaks the contract."""
    before = set(os.listdir())
    answer = run(line, alive)
    found = broken(line, answer)
    remove_new(before)
    if found or line.command is None or any(Path(word).is_fifo() for word in line.words if "\0" not in word and len(word) < 250):
        return found
    if line.disk is not None:
        return _on_a_full_disk(line, answer, run(replace(line, disk=None), alive))
    other = replace(line, words=tuple(w for w in line.words if w != "--json") if "--json" in line.words else (*line.words, "--json"))
    if any("--json" in param.opts for param in line.command.params) and "--help" not in line.words:
        also = run(other, alive)
        found = [f"{fault} (of: {other})" for fault in broken(other, also)]
        if {answer.code, also.code} in ({0, 1}, {0, 3}, {1, 3}):  # 2 is refused --decimals beside --json, 4 a time limit
            found.append(f"text and JSON differ: exit code {answer.code} and {also.code}")
    return found


def _on_a_full_disk(line: Line, answer: Answer, usual: Answer) -> list[str]:
    """The answer is the usual one, and what was not written is told."""
    if usual.code not in (0, 1) or answer.code == usual.code:
        return []
    if answer.code == 4 and "the time limit" in answer.out + answer.err:
        return []  # which passes sooner or later
    if answer.code != 5:
        return [f"on a full disk the exit code is {answer.code}, not 5"]
    silent = usual.out.strip() and not answer.out.strip()
    return ["the answer is lost on a full disk"] if silent else []


def broken(line: Line, answer: Answer) -> list[str]:
    """How one answer breaks the contract by itself."""
    found = []
    if answer.error is not None:
        return [f"an exception left the program: {type(answer.error).__name__}: {str(answer.error)[:200]}"]
    if "Traceback (most" in answer.out + answer.err or "Exception ignored" in answer.err:
        found.append("a traceback")
    if answer.code not in CONTRACT:
        found.append(f"exit code {answer.code}: {answer.err[-300:] or answer.out[-300:]}")
    elif answer.code == 130:
        found.append("interrupted by nobody")
    if found:
        return found
    as_json = "--json" in line.words and line.command is not None and any("--json" in p.opts for p in line.command.params)
    drawn = re.sub(r"\r|\x1b\[K|\x1b\[A", "", answer.err) if line.terminal else answer.err
    raw = line.words[:1] == ("convert",)  # data, byte for byte
    for stream, text in (("standard error", drawn), ("standard output", "" if raw else answer.out)):
        odd = unprintable(text)
        found += [f"{odd} is printed on {stream}"] if odd else []
    found += [f"a message of {len(text)} characters" for text in _messages(drawn) if len(text) > LONGEST]
    if as_json and "--help" not in line.words:
        found += _json_faults(answer)
    told = answer.code == 1 and any(_messages(drawn))  # a file that the checker rejects is not converted
    if answer.code in (0, 1) and not answer.out.strip() and not line.targets() and not told:
        found.append(f"exit code {answer.code} without an answer")
    if answer.code > 1 and not answer.err.strip() and not answer.out.strip():
        found.append(f"exit code {answer.code} without a word")
    if answer.code in (0, 1) and "--help" not in line.words and not told:
        told_of = answer.out + answer.err
        found += [
            f"{name!a} was asked for, and is neither written nor told"
            for name in _unwritten(line)
            if f"{name} was not written" not in told_of
        ]
    return found


def _messages(err: str) -> Iterator[str]:
    return (text.removeprefix("Error: ") for text in err.splitlines() if text.startswith("Error: "))


def _unwritten(line: Line) -> Iterator[str]:
    if line.command is None:
        return
    last = {param: words for param, words in line.units() if param is not None and isinstance(param.type, click.Path)}
    for words in last.values():
        path = Path(words[-1])
        if len(words) < 2 or not path.exists() or (path.is_file() and path.read_bytes() in (b"", b"old")):
            yield words[-1]


def _json_faults(answer: Answer) -> list[str]:
    try:
        body = json.loads(answer.out)
    except ValueError as error:
        return [f"no JSON: {error}; exit code {answer.code}: {answer.err[-200:]}"]
    if not isinstance(body, dict):
        return ["no JSON object"] if answer.code > 1 else []
    found = []
    said = {"proved": 0, "no claim": 0, "refuted": 1, "accepted": 0, "rejected": 1, "replayed": 0}.get(str(body.get("verdict")))
    if said is not None and answer.code not in (said, 4, 5):
        found.append(f"the verdict is {body['verdict']}, the exit code {answer.code}")
    if answer.code in (0, 1) and "verdict" in body and said is None:
        found.append(f"the verdict is {body['verdict']}, the exit code {answer.code}")
    if len(str(body.get("error", ""))) > LONGEST:
        found.append(f"a message of {len(body['error'])} characters")
    if answer.code == 5 and body.get("error") is None:
        found.append("exit code 5, and JSON says nothing of it")
    return found


def smaller(line: Line, alive: Callable[[], None] = lambda: None) -> Line:
    """The line without the words that its failure does not need."""
    if line.command is None:
        return line
    again = True
    while again:
        again = False
        units = line.units()
        for k in range(len(units)):
            if units[k][1][0] == "--time-limit":
                continue
            fewer = replace(line, words=(line.words[0], *(w for j, unit in enumerate(units) if j != k for w in unit[1])))
            if faults(fewer, alive):
                line, again = fewer, True
                break
    return line
