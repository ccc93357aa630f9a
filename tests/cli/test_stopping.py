"""A time limit holds from the first second, on every command; what does not look up is ended all the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_runner import run

from exactdp.cli.program import COMMANDS
from exactdp.runtime.process import _seconds_in

ENV = {**os.environ, "PYTHONIOENCODING": "utf-8"}

STOPPED = {
    "optimal --graph hamming:v=10,u=4 --alpha 1/2 --loss zero-one": "the edges of a Hamming graph: 500 of 10000 vertices",
    "tight histogram:u=40,k=4 --alpha 1/2": "the edges of histogram:u=40,k=4: 500 of 12341 vertices",
    "privacy long.csv --graph path": "constraints: 0 of 2 outputs",
    "delta geometric:n=3,alpha=1/2 --alpha 1/3 --delta DELTA": "events: 0 of 6 pairs",
    "privacy exponential:n=300,alpha=1/4": "what the entries of a table are: ",
    "privacy wide.csv --graph path": "the lines of a file: 100 of 120 lines",
    "privacy staircase:n=100,alpha=1/2,sensitivity=100": "the law of each input: ",
    "optimal --graph tree.edges --alpha 1/2 --loss zero-one": "the edges of a file: 10000 of 12000 lines",
    "privacy geometric:n=3 --alpha 1/4": "constraints: 0 of 3 pairs",
    "privacy geometric:n=3 --alpha symbolic": "conditions: 0 of ",
    "derive uniform:n=3 --source geometric:n=3,alpha=1/2": "three-term conditions",
    "refine identity:n=3 geometric:n=3,alpha=1/4 uniform:n=3": "refinements: 0 of 6 pairs",
    "release --n 2 --alpha 1/3,1/2": "three-term conditions",
    "compose geometric:n=3,alpha=1/2 geometric:n=3,alpha=1/3": "constraints: 0 of 3 pairs",
    "remap geometric:n=3,alpha=1/4 --loss abs --unique": "round 1 of ",
    "determinant --matrix geometric:n=3": "tridiagonal inverse",
    "tight cycle:5 --alpha 1/2": "",
    "regular path:4 --prior uniform --alpha symbolic": "",
    "optimal --graph path:3 --alpha symbolic --loss abs": "dual simplex: 1 pivots",
    "type path:4 --alpha 1/2 --kernels": "vertices: ",
}
"""Commands that have nothing certain to say at once, with the step at which no time is left."""

BOUNDED = (
    "optimal --graph cycle:5 --alpha 1/2 --loss zero-one",
    "optimal --graph path:9 --alpha 1/2 --loss abs",
    "optimal geometric:n=3 --alpha 1/4 --loss abs",
    "remap geometric:n=3,alpha=1/4 --loss abs",
    "type complete:3 --alpha 1/2 --universal zero-one --no-theorems",
)
"""Searches that leave something certain."""


@pytest.fixture
def files(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    long = 10**50_000 + 7
    rows = [[f"1/{_digits(long)}", f"{_digits(long - 1)}/{_digits(long)}"]] * 2
    Path("long.csv").write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
    Path("wide.csv").write_text((",".join(["1/60"] * 60) + "\n") * 120, encoding="utf-8")
    Path("tree.edges").write_text("".join(f"{i},{(i - 1) // 2}\n" for i in range(1, 12_001)), encoding="utf-8")
    return tmp_path


def _digits(number: int) -> str:
    """Its decimal digits, also of numbers that Python refuses to write."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(number)
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("command", STOPPED)
def test_no_time_is_left_at_the_first_step(command, files):
    found = run([*command.replace("DELTA", f"0.{'1234567890' * 1000}").split(), "--time-limit", "0"])
    assert found.code == 4, found
    assert found.out == ""
    assert f"the time limit of 0 s has passed while this was done: {STOPPED[command]}" in found.err
    assert len(found.err.splitlines()) == 1


@pytest.mark.parametrize("command", BOUNDED)
def test_what_is_certain_is_told(command):
    found = run(f"{command} --time-limit 0 --json")
    assert found.code == 4
    body = found.json
    assert body["verdict"] == "undecided"
    assert body["claim"]


def test_as_json(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = run("privacy geometric:n=3 --alpha 1/4 --time-limit 0 --json -o c.json")
    assert (found.code, found.err) == (4, "")
    assert found.json["verdict"] == "undecided"
    assert found.json["error"] == "the time limit of 0 s has passed while this was done: constraints: 0 of 3 pairs"
    assert found.json["exit_code"] == 4
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_it(command):
    shown = run(f"{command} --help").out
    assert "--time-limit SECONDS" in shown
    found = run(f"{command} --time-limit nan")
    assert found.code == 2
    assert "--time-limit" in found.err


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "1e400", "soon", ""])
def test_what_is_no_number_of_seconds(text):
    found = run(["mechanisms", "--time-limit", text])
    assert found.code == 2
    assert "--time-limit" in found.err


def test_enough_time_changes_nothing():
    for command in ("privacy geometric:n=3 --alpha 1/4", "optimal --graph cycle:5 --alpha 1/2 --loss zero-one --json"):
        assert run(f"{command} --time-limit 100000") == run(command)


def test_the_limit_is_found_in_the_words():
    assert _seconds_in(["privacy", "t.csv", "--time-limit", "1.5"]) == 1.5
    assert _seconds_in(["--time-limit", "1", "--time-limit=3", "--", "--time-limit", "2"]) == 3
    for words in ([], ["--time-limit"], ["--time-limit", "nan"], ["--time-limit", "-1"], ["--time-limit=x"], ["--time-limit", "inf"]):
        assert _seconds_in(words) is None


STUCK = """
import sys, types
import click
from exactdp.cli import program
module = types.ModuleType("stuck")

@program.command()
@program.json_option
def stuck(as_json):
    {body}

module.stuck = stuck
sys.modules["stuck"] = module
program.COMMANDS["stuck"] = ("stuck", "Never ends.")
sys.argv = ["exactdp", "stuck", "--time-limit", "0.5", *sys.argv[1:]]
program.main()
"""

LOOP = "x = 0\n    while True: x += 1"
WAITING = "import threading; threading.Event().wait()"
LIBRARY = "import hashlib; hashlib.pbkdf2_hmac('sha256', b'a', b'b', 10**9)  # minutes in C without the interpreter"
DEAF = "import operator; 7 ** (7 * 10**7)  # a minute in C, and no thread runs"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("body", [LOOP, WAITING, LIBRARY, DEAF])
def test_what_does_not_look_up_is_ended(body, as_json):
    options = ["--json"] if as_json else []
    done = subprocess.run(
        [sys.executable, "-c", STUCK.format(body=body), *options], env=ENV, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 4, done
    said = json.loads(done.stdout)["error"] if as_json else done.stderr
    assert "the time limit of 0.5 s has passed" in said
    assert "Traceback" not in done.stderr
    assert (done.stderr if as_json else done.stdout) == ""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_pass_through_the_parent(number, code):
    """A terminal sends Ctrl-C to all of its processes, others send SIGTERM to the one that they started."""
    script = STUCK.format(body=f"print('ready', flush=True)\n    {LOOP}").replace('"0.5"', '"100"')
    with subprocess.Popen(
        [sys.executable, "-c", script], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout.readline() == "ready\n"
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert process.returncode == code
    assert err.strip() == ("Interrupted." if number == signal.SIGINT else "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_an_answer_waits_for_its_reader():
    """A limit ends the work, not the reading: more than a pipe holds, by one who sleeps past all limits."""
    body = "program.say('x' * 10**6)"
    with subprocess.Popen(
        [sys.executable, "-c", STUCK.format(body=body)], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(8)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, len(out), err) == (0, 10**6 + 1, "")
