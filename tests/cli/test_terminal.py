# SPDX-License-Identifier: MIT
"""What a file says is shown, and not obeyed: labels and names of files that clear the screen, ring, end the
line, go back to its start, turn the direction of reading or write the verdict themselves.
"""

from __future__ import annotations

import ast
import fcntl
import json
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios

import pytest
from cli_runner import example_files, run
from places import ROOT

from exactdp import Graph, Loss, Mechanism, Prior, Table, neighbours, tightest_level, verify
from exactdp.cli import main
from exactdp.cli.program import COMMANDS as PROGRAM
from exactdp.cli.program import continued
from exactdp.cli.sweep import _table
from exactdp.errors import InputError, LabelError, printable
from exactdp.exact import ExactMatrix, RationalFunctionField
from exactdp.report.items import Grid
from exactdp.report.text import grid_lines
from exactdp.runtime.progress import Progress, monitored

LABELS = ["\x1b[2J\x1b[1;1HPROVED  forged", "\u202e\a\nPROVED  forged\r\x9b2J"]
NAME = "t\x1b[2J\nPROVED  forged\u202e"
ROWS = [["2/3", "1/3"], ["1/3", "2/3"]]
TABLE, CERTIFICATE = f"{NAME}.json", f"{NAME}.edp.json"

COMMANDS = [
    # first what later ones read; file names stand for themselves
    f"privacy|{TABLE}|--graph|path|-o|{CERTIFICATE}",
    f"show|{TABLE}",
    f"show|{TABLE}|--html",
    f"show|{TABLE}|--latex",
    f"show|{CERTIFICATE}",
    f"verify|{CERTIFICATE}",
    f"verify|--trust|{CERTIFICATE}",
    f"privacy|{TABLE}|--graph|path|--json",
    f"privacy|{TABLE}|--graph|path|--alpha|9/10",
    f"convert|{TABLE}|--to|json",
    f"convert|{TABLE}|--to|sympy",
    f"convert|{CERTIFICATE}|--to|json",
    f"audit|{TABLE}|--graph|path|--for|zero-one|--html|{NAME}.html|--certificates|{NAME}",
    f"audit|{TABLE}|--graph|path|--compare|{TABLE}",
    f"optimal|{TABLE}|--graph|path|--alpha|1/2|--loss|zero-one",
    f"optimal|{TABLE}|--graph|path|--alpha|1/4|--loss|{TABLE}|--after-remap",
    f"optimal|--graph|path:2|--alpha|1/4|--loss|{TABLE}|--prior|prior.json|--by-position",
    f"remap|{TABLE}|--loss|zero-one",
    f"remap|{TABLE}|--loss|zero-one|--remap|{TABLE}",
    f"derive|{TABLE}|--source|{TABLE}",
    f"derive|wide.json|--source|{TABLE}",
    f"refine|{TABLE}|{TABLE}|wide.json",
    f"compose|{TABLE}|{TABLE}|--graph|path",
    f"compose|--parallel|{TABLE}|{TABLE}|--graph|path",
    f"delta|{TABLE}|--graph|path|--epsilon|1/9",
    f"tight|path:2|--alpha|1/4|--mechanism|{TABLE}|--by-position",
    "regular|path:2|--alpha|1/4|--prior|prior.json|--by-position",
    f"type|path:2|--alpha|1/4|--mixture|--mechanism|{TABLE}|--by-position",
    f"determinant|--matrix|{TABLE}",
    # errors
    f"show|{NAME}",
    f"privacy|{TABLE}",
    "privacy|wrong.json|--graph|path|--alpha|1/2",
    "privacy|wrong.json|--graph|path:3",
    f"remap|{TABLE}|--loss|abs",
    f"optimal|--graph|{NAME}|--alpha|1/2|--loss|abs",
    f"optimal|{TABLE}|--graph|path|--alpha|1/2|--loss|zero-one|--side-information|{LABELS[0]}x",
    f"convert|{TABLE}|--to|csv",
    f"verify|{NAME}",
    "verify|wrong.json",
    f"mechanisms|{NAME}",
    f"{NAME}",
    f"show|--{NAME}",
]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        TABLE: {"inputs": LABELS, "outputs": LABELS, "rows": ROWS},
        "wide.json": {"inputs": LABELS, "outputs": [*LABELS, "\u200b"], "rows": [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"]]},
        "wrong.json": {"inputs": LABELS, "outputs": LABELS, "rows": [["2/3", "1/2"], ["4/3", "-1/3"]]},
        "prior.json": {LABELS[0]: "1/3", LABELS[1]: "2/3"},
    }
    for name, value in files.items():
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("commands", [COMMANDS[:5], pytest.param(COMMANDS, marks=pytest.mark.slow)], ids=["a few", "all"])
def test_no_command_prints_what_a_terminal_obeys(here, commands):
    for command in commands:
        done = run(command.split("|"))
        assert done.code in {0, 1, 2, 3, 4}, (command, done)
        for line in (done.out + done.err).split("\n"):
            assert printable(line) == line, (command, line)
            assert not line.startswith("PROVED  forged"), (command, done)
    if commands is not COMMANDS:
        return
    page = (here / f"{NAME}.html").read_text(encoding="utf-8")
    assert all(printable(line) == line for line in page.split("\n"))
    assert r"\x1b[2J" in page


def test_the_program_prints_by_two_functions_which_escape():
    """Whoever prints by another way in a command may forget it."""
    for file in sorted((ROOT / "exactdp" / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                printing = [
                    x for x in ast.walk(node) if isinstance(x, ast.Call) and ast.unparse(x.func) in {"click.echo", "print", "click.secho"}
                ]
                assert not printing or (file.name, node.name) in {("program.py", "say"), ("program.py", "tell"), ("program.py", "main")}


@pytest.mark.slow
def test_a_terminal_shows_it_and_is_not_cleared(here):
    """A real terminal device, and what an emulator makes of it."""
    pyte = pytest.importorskip("pyte")
    screen = pyte.Screen(240, 4000)
    stream = pyte.ByteStream(screen)
    script = (
        "import sys, contextlib\nfrom exactdp.cli import main\nprint('BEFORE')\nfor command in sys.argv[1:]:\n"
        "    print('$', len(command), flush=True)\n    with contextlib.suppress(SystemExit):\n"
        "        main(command.split('|'))\n    print(flush=True)\n"
    )
    reading, writing = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", script, *COMMANDS], stdin=writing, stdout=writing, stderr=writing):
        os.close(writing)
        while data := _read(reading):
            assert b"\a" not in data
            stream.feed(data)
    os.close(reading)
    shown = [line.rstrip() for line in screen.display]
    assert shown[0] == "BEFORE"
    assert [line for line in shown if line.startswith("$ ")] == [f"$ {len(command)}" for command in COMMANDS]
    assert not [line for line in shown if line.startswith("PROVED  forged")]
    assert any(re.fullmatch(r" *\\x1b\[2J\\x1b\[1;1HPROVED  forged +2/3( +1/3)?", line) for line in shown)
    assert not [line for line in shown if "Traceback" in line]


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # its other end is closed
        return b""


@pytest.mark.parametrize("form", ["csv", "sympy"])
def test_data_for_a_terminal_are_refused_where_it_would_not_show_them(here, monkeypatch, form):
    """To a file or a pipe a table goes as it is, so that it is read back."""
    table = Table([["1/2", "1/2"]], ["\u200bx"], ["\x1b[2J", "b"])
    monkeypatch.setattr("exactdp.cli.convert._table", lambda *_: table)
    piped = run(f"convert wrong.json --to {form}")
    assert piped.code == 0
    assert ("\x1b[2J" in piped.out) == (form == "csv")
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    shown = run(f"convert wrong.json --to {form}")
    assert (shown.code, shown.out) == ((2, "") if form == "csv" else (0, piped.out))
    assert "-o FILE" in shown.err or form == "sympy"
    with monitored(None) as told:  # the line was erased amid the command, and listens to nothing after it
        assert told is None


def test_python_shows_them_escaped_too(here):
    mechanism = Mechanism(ROWS, LABELS, LABELS)
    graph = neighbours("path", LABELS)
    named = Graph(LABELS, [(0, 1)], name=NAME)
    verdict = tightest_level(mechanism, named)
    verdict_of_path = tightest_level(mechanism, graph)
    things = [
        mechanism,
        graph,
        named,
        verdict,
        verdict_of_path,
        Prior(["1/3", "2/3"], LABELS),
        Loss.zero_one(LABELS),
        Table(ROWS, LABELS, LABELS),
    ]
    things.append(verify("nowhere\x1b[2J"))
    for thing in things:
        for text in (repr(thing), thing._repr_html_(), thing._repr_latex_()) if hasattr(thing, "_repr_html_") else (repr(thing),):
            assert all(printable(line) == line for line in text.split("\n")), (type(thing), text)
        assert all(printable(line) == line for line in str(thing).split("\n")), type(thing)
        assert "\nPROVED" not in str(thing)


def test_pictures_have_escaped_labels(here):
    pytest.importorskip("matplotlib")
    figure = Prior(["1/3", "2/3"], LABELS).plot()
    words = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert all(printable(word) == word for word in words)
    assert any(word.startswith(r"\x1b[2J") for word in words)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, Zoë, Łódź, 東京, שלום, हिन्दी", "plain, Zoë, Łódź, 東京, שלום, हिन्दी"),
        ("a\tb\nc\r", r"a\tb\nc\r"),
        ("\x1b[2J\a\x7f\x9b", r"\x1b[2J\x07\x7f\x9b"),
        ("a\u202eb\u2066c\u200fd\u061c", r"a\u202eb\u2066c\u200fd\u061c"),
        ("a\u200bb\u2060c\ufeffd\u00ade", r"a\u200bb\u2060c\ufeffd\xade"),
        ("\u2028\u2029\x85\x0b\x1c", r"\u2028\u2029\x85\x0b\x1c"),
        ("\ud800\udfff\ue000\U000e0041\uffff", r"\ud800\udfff\ue000\U000e0041\uffff"),
        ("\u3164\u115f\u2800\ufe0f\U000e0100", r"\u3164\u115f\u2800\ufe0f\U000e0100"),
        ("a\u00a0b\u3000", r"a\xa0b\u3000"),
        ("e\u0301" + "o" + "\u0308" * 6, "e\u0301o" + "\u0308" * 4 + r"\u0308\u0308"),
        ("\u0301a, \u0301b", r"\u0301a, \u0301b"),
        ("\u20dd\u20dd", r"\u20dd\u20dd"),
    ],
)
def test_what_is_shown_and_what_is_escaped(text, shown):
    assert printable(text) == shown
    assert printable(shown) == shown


def test_different_labels_look_different():
    with pytest.raises(LabelError, match="look alike when they are shown; rename one of them"):
        Table([[1, 0], [0, 1]], ["\x1b", r"\x1b"])
    with pytest.raises(LabelError, match="look alike"):
        Table([[1, 0], [0, 1]], ["\u00e9", "e\u0301"])
    grid = Grid("", Table([[1, 0], [0, 1]]).matrix, ("\x1b", r"\x1b"), ("a\nb", "c"))  # of a certificate that the checker accepts
    assert grid.rows == (r"'\x1b'", r"'\\x1b'")
    assert grid.columns == (r"a\nb", "c")


WIDE = [
    "mechanisms",
    "mechanisms geometric",
    "optimal --graph path:5 --alpha symbolic --loss abs",
    "derive geometric:n=3,alpha=1/2 --source geometric:n=3 --alpha symbolic",
    "optimal printed.csv --graph path --renormalise --alpha 1/2 --loss abs",
    "audit counts.csv --graph path --claims-epsilon 1 --for abs",
    "privacy printed.csv --graph path --digits auto --epsilon 1 -o a-certificate-with-a-long-name.edp.json",
    "verify --trust a-certificate-with-a-long-name.edp.json",
    "show a-certificate-with-a-long-name.edp.json",
    "type hypercube:2 --alpha symbolic --capacity multiplicative",
    "remap geometric:n=2 --alpha symbolic --loss squared",
    "audit --help",
]
"""Commands that printed lines of more than 80 columns, some of them of 235."""

DATA = {"--json", "--html", "--to", "<"}
"""What is read by programs is not folded."""


def _typical() -> list[str]:
    """All examples of the help texts that a terminal is to show, and the help texts."""
    examples = [line.partition(" > ")[0] for name in PROGRAM for line in main.get_command(None, name).examples]
    told = [line for line in examples if not DATA & set(line.split()) and line.split()[1] not in {"demo", "generalise", "sweep", "index"}]
    return [*told, "--help", *(f"{name} --help" for name in PROGRAM)]


@pytest.mark.parametrize("commands", [WIDE, pytest.param(_typical(), marks=pytest.mark.slow)], ids=["wide ones", "all examples"])
def test_nothing_is_wider_than_the_terminal(tmp_path, monkeypatch, commands):
    example_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    for command in commands:
        lines = re.sub(r"\x1b\[[0-9;]*m", "", run(command).out).split("\n")
        assert not [line for line in lines if len(line) > 80], command


def test_a_pipe_gets_lines_that_are_not_folded():
    wide = "optimal --graph path:5 --alpha symbolic --loss abs"
    assert max(map(len, run(wide).out.split("\n"))) > 80
    assert max(map(len, run("mechanisms").out.split("\n"))) > 80


def test_a_device_of_80_columns(tmp_path):
    """The width is that of the device where no variable gives another."""
    reading, writing = pty.openpty()
    fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    script = "from exactdp.cli import main; main(['mechanisms', 'geometric'])"
    with subprocess.Popen([sys.executable, "-c", script], stdin=writing, stdout=writing, stderr=subprocess.DEVNULL, env=environment):
        os.close(writing)
        told = b"".join(iter(lambda: _read(reading), b"")).decode()
    os.close(reading)
    lines = told.replace("\r", "").split("\n")
    assert "Source      Ghosh, Roughgarden, Sundararajan: Universally utility-maximizing" in lines
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("line", ["exactdp optimal --graph path:3 --letters '0 < a - b < 1' --loss abs", "exactdp mechanisms"])
def test_a_command_of_several_lines_can_be_pasted(line):
    shown = continued(line, 30)
    assert shlex.split(shown.replace("\\\n", "")) == shlex.split(line)


def test_a_formula_wider_than_the_terminal_is_told_by_its_shape():
    formula = RationalFunctionField().gen
    long = sum((k * formula**k for k in range(2, 20)), formula)
    grid = Grid("", ExactMatrix([[long, formula]]), ("0",), ("x", "y"))
    shown = grid_lines(grid, width=80)
    assert max(map(len, shown)) <= 80
    assert "  0  a polynomial of degree 19 in a" in "\n".join(shown)
    assert "--full has it" in shown[-1]
    assert str(long) in "\n".join(grid_lines(grid, full=True, width=80))


def test_an_error_and_a_line_of_progress_are_one_line():
    error = InputError(f"the label {LABELS[1]} is unknown")
    assert str(error) == r"the label \u202e\x07\nPROVED  forged\r\x9b2J is unknown"
    from io import StringIO

    from exactdp.runtime.progress import ProgressBar

    stream = StringIO()
    bar = ProgressBar(stream, visible=True)
    bar._show(Progress(NAME, 1, 2, "files", LABELS[0]), 0)
    drawn = stream.getvalue()
    assert "\x1b[2J" not in drawn
    assert "\n" not in drawn
    assert r"\x1b[2J" in drawn


def test_rows_of_an_index_are_folded_to_the_terminal():
    names = ["graph", "level", "claim"]
    found = [("path:5", "1/2", "The mechanism is not (α = 1/2)-private on path:5, by its second column"), ("star:4", "1/3", "It is")]
    lines = _table(names, found, 60).split("\n")
    assert max(map(len, lines)) <= 60
    assert lines[1] == "path:5  1/2    The mechanism is not (α = 1/2)-private on"
    assert lines[2] == "               path:5, by its second column"
    assert lines[-2:] == ["star:4  1/3    It is", "(2 rows)"]
    assert max(map(len, _table(names, found, 24).split("\n"))) <= 24
    assert len(_table(names, found).split("\n")) == 4  # a pipe gets a line each
