# SPDX-License-Identifier: MIT
"""A share of the fuzzing (`python tests/fuzz` is the long run), and: what it is to find, it finds."""

from __future__ import annotations

import contextlib
import re
import time
from random import Random

import click
import pytest
from fuzz import calls, checked, commands, contents, watch
from fuzz.commands import Line, faults
from places import ROOT, TESTS
from public_names import PUBLIC

import exactdp as xdp
from exactdp.checker import kernel
from exactdp.cli import privacy
from exactdp.cli.program import COMMANDS
from exactdp.errors import ExactDPError, ResourceLimitError
from exactdp.runtime.progress import monitored

ASKED = Line(("privacy", "geometric:n=1,alpha=1/2"))


def raises(**given):
    raise ZeroDivisionError


def loses_the_answer(**given):
    click.get_current_context().exit(0)


def is_silent(**given):
    click.get_current_context().exit(4)


def ends_otherwise(**given):
    click.echo("no")
    click.get_current_context().exit(7)


def answers_itself(as_json, **given):
    click.echo('{"verdict": "refuted"}' if as_json else "proved")
    click.get_current_context().exit(1 if as_json else 0)


def clears_the_screen(as_json, **given):
    click.echo("{}" if as_json else "\x1b[2Jproved")
    click.get_current_context().exit(0)


def talks(as_json, **given):
    click.echo(f"Error: {'x' * 301}", err=True)
    click.get_current_context().exit(3)


def contradicts_its_exit_code(as_json, **given):
    click.echo('{"verdict": "proved"}' if as_json else "refuted")
    click.get_current_context().exit(1)


def forgets_the_file(as_json, path, **given):
    click.echo('{"verdict": "proved"}' if as_json else "proved")
    click.get_current_context().exit(0)


PLANTED = [
    (raises, "exit code 70"),
    (loses_the_answer, "without an answer"),
    (is_silent, "without a word"),
    (ends_otherwise, "exit code 7"),
    (answers_itself, "text and JSON differ"),
    (clears_the_screen, "x1b"),
    (talks, "a message of 301 characters"),
    (contradicts_its_exit_code, "the verdict is proved, the exit code 1"),
    (forgets_the_file, "neither written nor told"),
]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_is_found_where_nothing_is_wrong(here):
    assert faults(ASKED) == []
    assert faults(Line((*ASKED.words, "-o", "c.json"))) == []


@pytest.mark.parametrize(("defect", "found"), PLANTED, ids=[defect.__name__ for defect, _ in PLANTED])
def test_a_defect_of_a_command_is_found(here, monkeypatch, defect, found):
    monkeypatch.setattr(privacy.privacy, "callback", defect)
    line = Line((*ASKED.words, "-o", "c.json")) if defect is forgets_the_file else ASKED
    assert found in " ".join(faults(line))


def test_an_answer_that_a_full_disk_loses_is_found(here, monkeypatch):
    """The command prints its answer only after it has written."""

    def write(path, as_json, **given):
        try:
            path.write_text("x" * 1000)
            click.echo('{"verdict": "proved"}' if as_json else "proved")
        except OSError as error:
            click.echo(f"Error: {error.strerror}", err=True)
            click.get_current_context().exit(5)

    monkeypatch.setattr(privacy.privacy, "callback", write)
    assert "lost" in " ".join(faults(Line((*ASKED.words, "-o", "c.json"), disk=10)))


def test_the_smaller_line_fails_as_well(here, monkeypatch):
    monkeypatch.setattr(privacy.privacy, "callback", raises)
    line = Line(("privacy", "geometric:n=1,alpha=1/2", "--full", "--graph", "path", "--json"))
    assert commands.smaller(line).words == ("privacy", "geometric:n=1,alpha=1/2")


def test_a_function_that_raises_what_it_should_not_is_found(monkeypatch, here):
    monkeypatch.setattr(calls, "draw", lambda rng: calls.Call("f", lambda: {}["x"], (), {}))
    assert calls.faults(Random(1), contents.Folder(Random(1))) == ["KeyError: 'x'"]
    monkeypatch.setattr(calls, "draw", lambda rng: calls.Call("f", len, (3,), {}))
    assert "TypeError" in " ".join(calls.faults(Random(1), contents.Folder(Random(1))))
    monkeypatch.setattr(calls, "draw", lambda rng: calls.Call("xdp.uniform", xdp.uniform, (), {}))
    assert calls.faults(Random(1), contents.Folder(Random(1))) == []  # a TypeError for arguments that don't fit is in order


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        (lambda data: 1 / 0, "raised ZeroDivisionError"),
        (lambda data: kernel.Answer("defect", "x"), "defect"),
        (lambda data: kernel.Answer("accepted", "x"), "accepted with"),
    ],
)
def test_a_checker_at_fault_is_found(monkeypatch, planted, found):
    certificate = next(content for content in contents.certificates() if b'"168/415"' in content)
    forged = certificate.replace(b'"168/415"', b'"167/415"')
    assert forged != certificate
    monkeypatch.setattr(checked, "draw", lambda rng: ("bytes", certificate, forged, None))
    assert checked.faults(Random(1)) == []
    monkeypatch.setattr(kernel, "check_bytes", planted)
    assert found in " ".join(checked.faults(Random(1)))


WORKER = """
import os, sys, time
sys.path[:0] = {path!r}
from fuzz import watch
def planted(name, alive, **given):
    if name.endswith(":1"):
        {defect}
    return "planted", []
watch.case = planted
sys.exit(watch.serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), None))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("defect", "found"),
    [
        ("while True: time.sleep(1)", "no sign of life"),
        ("import ctypes; ctypes.PyDLL(None).sleep(1000)", "no sign of life"),  # which holds the interpreter's lock
        ("os.abort()", "the process died (code -6)"),
        ("os._exit(0)", "the process died (code 0)"),
        ("raise KeyError('planted')", "planted"),
        ("x = bytearray(2_100_000_000); x[::4096] = bytes(len(x[::4096]))", "GB of memory"),
    ],
)
def test_a_case_that_hangs_or_dies_is_found_and_the_others_go_on(tmp_path, defect, found):
    worker = tmp_path / "worker.py"
    worker.write_text(WORKER.format(path=[str(TESTS), str(TESTS / "support"), str(ROOT)], defect=defect))
    # a machine that is busy needs long to hand out two gigabytes: that case is not one of silence
    silence = 120 if "bytearray" in defect else 10
    ended = list(watch.watched("1", 0, 4, silence=silence, serving=(str(worker),)))
    assert [e.number for e in ended] == [0, 1, 2, 3]
    assert found in " ".join(ended[1].faults)
    assert [e.faults for e in ended[:1] + ended[2:]] == [[], [], []]


def test_a_worker_that_does_not_begin_is_found(tmp_path):
    worker = tmp_path / "worker.py"
    worker.write_text("raise SystemExit('no room')")
    assert ["no room" in e.faults[0] for e in watch.watched("1", 0, 2, serving=(str(worker),))] == [True, True]


@pytest.mark.slow
def test_whoever_gives_signs_of_life_is_waited_for(tmp_path):
    worker = tmp_path / "worker.py"
    defect = "[(time.sleep(1.2), alive()) for _ in range(6)]"
    worker.write_text(WORKER.format(path=[str(TESTS), str(TESTS / "support"), str(ROOT)], defect=defect))
    start = time.monotonic()
    assert [e.faults for e in watch.watched("1", 1, 2, silence=5, serving=(str(worker),))] == [[]]
    assert time.monotonic() - start > 5


def test_a_seed_and_a_number_determine_a_case():
    for k in range(30):
        assert watch.shown(f"5:{k}", door="command") == watch.shown(f"5:{k}", door="command")


def test_every_command_is_drawn_with_every_option(here):
    """From the declarations: nothing is listed, so that nothing can be forgotten."""
    wanted = {
        (name, param.opts[0])
        for name in COMMANDS
        for param in Line((name,)).command.params
        if isinstance(param, click.Option) and param.opts != ["--debug"]
    }
    folder = contents.Folder(Random(1))
    for name in COMMANDS:
        command = Line((name,)).command
        for _ in range(300):
            line = Line((name, *commands.declared(folder, command)))
            wanted -= {(name, param.opts[0]) for param, _ in line.units() if param is not None}
    folder.close()
    assert not wanted


@pytest.mark.parametrize("name", sorted(set(PUBLIC) - {"Decision"}))  # an enumeration
def test_every_public_name_can_be_drawn(name):
    drawn = []
    for k in range(9):
        with contextlib.suppress(LookupError):  # a parameter of a class of which nothing is at hand
            drawn.append(calls.of(Random(f"{name}{k}"), name))
    assert len(drawn) > 3


def test_a_share_of_the_cases(tmp_path):
    """In this process, so only what ends: the rest is for the long run, which is watched."""
    for k in range(40):
        door, found = watch.case(f"11:{k}", door="checker")
        assert not found, (door, k, found)


ENDLESS: list = []
ENDLESS.append(ENDLESS)
WRONG = [
    (lambda: xdp.is_derivable(ENDLESS, source="uniform:n=2"), "a list"),
    (lambda: xdp.is_optimal([["1"]], "path:1", ENDLESS, "distance"), "a list"),
    (lambda: xdp.Metric(ENDLESS, []), "a list"),
    (lambda: xdp.tight_threshold("path:3", progress=["a"]), "progress"),
    (lambda: xdp.kernel_counts("path:3", progress=3), "progress"),
    (lambda: xdp.certify(xdp.is_private([["1"]], "path:1", "1/2"), topics=3), "topics"),
    (lambda: xdp.Verdict(xdp.Decision.PROVED, b"1/2", None), "claim"),
    (lambda: xdp.Verdict("proved", "1 = 1", None), "decision"),
    (lambda: xdp.ExponentialField(1, roots=4), "roots"),
    (lambda: xdp.ExponentialField(1, roots=ENDLESS), "roots"),
    (lambda: xdp.PrivacyLevel.symbolic(3), "interval"),
    (lambda: xdp.Epsilon.of_level([2], "1/2"), "not a rational number"),
    (lambda: xdp.RationalFunctionField(None, {"": ""}), "letter"),
]


@pytest.mark.parametrize(("call", "named"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_a_share_of_the_calls(call, named):
    """What the fuzzing found, in its smallest form."""
    with pytest.raises(ExactDPError, match=named):
        call()


@pytest.mark.parametrize("noise", [xdp.lumped, lambda noise, inputs: xdp.censored(noise, [0], *inputs)], ids=["lumped", "censored"])
def test_a_row_of_a_million_results_is_stopped(noise):
    """The fuzzing found that rows were counted, and not what is in them."""
    with pytest.raises(ResourceLimitError, match=r"5000 of (1000001|999999) results"), monitored(None, 0):
        noise(xdp.FiniteNoise({0: "1/2", 1: "1/2"}), [0, 10**6])


def test_nothing_of_nothing_has_a_sentence():
    """The fuzzing found a division by the total."""
    assert str(xdp.Progress("pieces", 0, 0.0, "levels")).startswith("pieces: 0 of 0.0")


ROW = re.compile(r"^\|(.+)\|(.+)\|(.+)\|$", re.MULTILINE)


def test_every_test_of_the_fault_table_exists():
    page = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in row] for row in ROW.findall(page)]
    rows = [row for row in rows if row[0] != "fault" and set(row[0]) != {"-"}]
    assert len(rows) > 10
    for fault, what, tests in rows:
        assert fault, (fault, what, tests)
        assert what, (fault, what, tests)
        found = re.findall(r"`([\w/]+\.py)::(\w+)`", tests)
        step = re.search(r'`\.ci/run` \("(.+)"\)', tests)  # a step of continuous integration
        assert found or (step is not None and step[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8")), fault
        for file, name in found:
            assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), f"{file} has no {name}"
