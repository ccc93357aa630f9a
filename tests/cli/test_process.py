"""The program as a process: start-up, standard streams, signals, and the kernel beside it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from argument_values import REPLAYS
from cli_runner import run
from places import ROOT
from terminal import heeding_interrupts, screen

from exactdp.checker.kernel import CORE

CHECKER = ROOT / "exactdp" / "checker"
ENV = {**os.environ, "PYTHONPATH": str(ROOT)}


def program(*words, cwd=None, **settings):
    command = [sys.executable, "-m", "exactdp", *words]
    return subprocess.run(command, cwd=cwd, env=ENV, capture_output=True, text=True, check=False, timeout=120, **settings)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    assert run(["optimal", "geometric:n=3", "--alpha", "1/4", "--loss", "abs", "--after-remap", "-o", str(folder / "good.json")]).code == 0
    body = json.loads((folder / "good.json").read_text(encoding="utf-8"))
    body["claim"]["value"] = "1/2"
    (folder / "bad.json").write_text(json.dumps(body), encoding="utf-8")
    (folder / "broken.json").write_text('{"format": ', encoding="utf-8")
    (folder / "deep.json").write_text("[" * 1000 + "]" * 1000, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("module", "others"),
    [
        ("exactdp.cli", ("flint", "sympy", "highspy", "numpy")),
        pytest.param("exactdp.cli.verify", ("flint", "exactdp.exact", "exactdp.model"), marks=pytest.mark.slow),
    ],
)
def test_an_import_loads_nothing_heavy(module, others):
    code = f"import sys, {module}; print([m for m in {others} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_library_complains_at_the_end():
    """Of objects that are left, where Python has not looked for circles among them."""
    pytest.importorskip("duckdb")
    done = program("index", str(ROOT / "benchmarks" / "atlas"), "--select", "count(*) AS answers")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "answers"


def test_verify_runs_exactly_the_kernels_file(certificates):
    names = ["good.json", "bad.json", "broken.json", "deep.json"]
    kernel = ROOT / "exactdp" / "checker" / "kernel.py"
    alone = subprocess.run(
        [sys.executable, "-I", str(kernel), *names], cwd=certificates, capture_output=True, text=True, check=False, timeout=60
    )
    ours = program("verify", *names, cwd=certificates)
    without_numbers = re.sub(r"accepted: .*\n  ", "accepted: ", ours.stdout)  # which stand first, and the sentence below
    assert (without_numbers, ours.returncode) == (alone.stdout, alone.returncode)
    assert len(alone.stdout.splitlines()) == 4
    codes = [program("verify", name, cwd=certificates).returncode for name in names]
    assert codes == [0, 1, 3, 4]
    assert ours.returncode == 3
    assert program("verify", "good.json", "deep.json", "bad.json", cwd=certificates).returncode == 4


def test_verify_reads_standard_input(certificates):
    with open(certificates / "good.json", encoding="utf-8") as stream:
        done = program("verify", "-", stdin=stream)
    assert done.returncode == 0
    assert "accepted" in done.stdout


def test_verify_as_json(certificates):
    done = program("verify", "--json", "good.json", "bad.json", cwd=certificates)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["verdict"]) == (1, "refuted")
    assert [f["verdict"] for f in answer["files"]] == ["proved", "refuted"]
    assert "168/415" in answer["files"][0]["claim"]


@pytest.mark.slow
def test_verify_says_what_an_answer_rests_on(certificates):
    done = program("verify", "--trust", "good.json", cwd=certificates)
    assert done.returncode == 0
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in lines[1:]] == ["kernel", *sorted(CORE), "sections", "python"]
    assert "kernel.py, sha256:" in lines[1]
    assert "sha256:" in lines[1]
    assert "§4.2 (path rule)" in lines[-2]
    assert json.loads(program("verify", "--trust", "--json", "good.json", cwd=certificates).stdout)["trust"]["sections"]
    assert program("verify", "--trust", "broken.json", cwd=certificates).returncode == 3


def rests_on(path):
    """The trusted files that ``verify --trust`` names, each with its true digest, and the rules."""
    trust = json.loads(program("verify", "--trust", "--json", str(path)).stdout)["trust"]
    files = [name for name in trust if (CHECKER / f"{name}.py").is_file()]
    for name in files:
        assert hashlib.sha256((CHECKER / f"{name}.py").read_bytes()).hexdigest() in trust[name]
    return files, trust["sections"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["private-geometric", "private-rational-distance", "unique-path-1-4", "release-one", "epsilon", "pieces", "determinant"]
)
def test_the_files_named_are_enough_and_all_needed(certificates, tmp_path, name):
    made = {
        "epsilon": "privacy geometric:n=2 --epsilon 1/10",
        "pieces": "optimal --graph path:2 --alpha symbolic --loss abs",
        "determinant": "determinant --matrix geometric:n=2",
    }
    path = ROOT / "tests" / "corpus" / "accept" / f"{name}.edp.json"
    if name in made:
        path = tmp_path / "made.edp.json"
        assert run([*made[name].split(), "-o", str(path)]).code == 0
    files, rules = rests_on(path)
    assert files[0] == "kernel"
    assert ("§2.1" in rules) == (name in {"epsilon", "pieces"})
    for left_out in (None, *files[1:]):
        folder = tmp_path / f"without-{left_out}"
        folder.mkdir()
        for file in files:
            if file != left_out:
                shutil.copy(CHECKER / f"{file}.py", folder)
        # without a file that every certificate needs the program does not start
        expected = 0 if left_out is None else 70 if left_out in CORE else 4
        alone = subprocess.run([sys.executable, "-I", str(folder / "kernel.py"), str(path)], capture_output=True, check=False, timeout=60)
        assert alone.returncode == expected, (left_out, alone.stdout)


def test_replayed_arguments_rest_on_files_of_their_own(certificates):
    argument = ROOT / "proofs" / "gupte_sundararajan" / "arguments" / "sums.json"
    lines = program("verify", "--trust", str(argument)).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [*REPLAYS, "steps", "python"]


def test_missing_files_are_usage(certificates):
    done = program("verify", "nofile.json", cwd=certificates)
    assert done.returncode not in (0, 1)
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.slow
def test_show_gives_the_kernels_sentence_and_code(certificates):
    for name, code in (("good.json", 0), ("bad.json", 1), ("broken.json", 3), ("deep.json", 3)):
        done = program("show", name, cwd=certificates)
        assert done.returncode == code, done
        assert "Traceback" not in done.stderr
    assert "rejected" in program("show", "bad.json", cwd=certificates).stdout


def test_no_progress_and_no_colour_in_a_pipe(tmp_path):
    done = program("optimal", "--graph", "grid:7x7", "--alpha", "1/2", "--loss", "zero-one", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_a_terminal_that_knows_ascii_only(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "exactdp", "--help"], env={**ENV, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "preexec_fn": heeding_interrupts}


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_leaves_no_file(tmp_path, number, code):
    command = [sys.executable, "-m", "exactdp", "optimal", "--graph", "grid:13x13", "--alpha", "1/3", "--loss", "zero-one", "-o", "c.json"]
    with subprocess.Popen(command, cwd=tmp_path, env=ENV, **PIPES) as process:
        time.sleep(1.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert (out, err.strip()) == ("", "Interrupted." if code == 130 else "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_works_while_a_library_computes(number, code):
    lines = [
        "import hashlib",
        "from exactdp.runtime.process import Deadline, interruptible",
        "with interruptible(Deadline(), []):",
        "    print('ready', flush=True)",
        "    hashlib.pbkdf2_hmac('sha256', b'a', b'b', 10**9)  # minutes in C without the interpreter",
    ]
    command = [sys.executable, "-c", "\n".join(lines)]
    with subprocess.Popen(command, env=ENV, **PIPES) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert process.returncode == code
    assert "Traceback" not in err


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="signals")
def test_an_alarm_after_the_answer_ends_nothing():
    lines = [
        "import os, signal",
        "from exactdp.runtime.process import Deadline, interruptible",
        "with interruptible(Deadline(), ['privacy']):",
        "    pass",
        "os.kill(os.getpid(), signal.SIGALRM)",
        "print('ended by itself')",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], env=ENV, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (0, "ended by itself\n")


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_reader_who_leaves_early(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "exactdp", "optimal", "geometric:n=3", "--alpha", "1/4", "--loss", "abs"]
    done = subprocess.run(command, env=ENV, stdout=writing, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    os.close(writing)
    assert done.stderr == ""
    assert done.returncode == 1  # the answer's: refuted


def on_a_terminal(command: list[str], cwd: Path, *, interrupt_at: str | None = None) -> tuple[int, str]:
    """The exit code of a command whose standard error is a terminal, and all that the terminal was sent."""
    ours, theirs = os.openpty()
    environment = {**ENV, "COLUMNS": "100", "TERM": "xterm"}
    pipes = {**PIPES, "stdout": subprocess.DEVNULL, "stderr": theirs}
    with subprocess.Popen([sys.executable, "-m", "exactdp", *command], cwd=cwd, env=environment, **pipes) as process:
        os.close(theirs)
        sent = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while piece := os.read(ours, 4096):
                sent += piece
                if interrupt_at is not None and interrupt_at.encode() in sent:
                    process.send_signal(signal.SIGINT)
                    interrupt_at = None
        process.communicate(timeout=60)
    os.close(ours)
    return process.returncode, sent.decode()


LONG = ["type", "grid:3x3", "--alpha", "1/2", "--kernels", "--budget", "1000"]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_progress_shows_on_a_terminal_and_is_gone_at_the_end(tmp_path):
    code, sent = on_a_terminal([*LONG, "--time-limit", "3"], tmp_path)
    assert code == 4
    assert re.search(r"kernel mechanisms \d+ circuits, \d+/s; \d+ orbits expanded", sent)
    assert screen(sent) == [""]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_an_interrupt_leaves_no_progress_behind(tmp_path):
    code, sent = on_a_terminal([*LONG, "-o", "c.json"], tmp_path, interrupt_at="circuits")
    assert code == 130
    assert screen(sent) == ["", "Interrupted.", ""]  # a new line after the ^C of a terminal
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_no_progress_beside_json(tmp_path):
    assert on_a_terminal(["type", "path:6", "--alpha", "1/2", "--kernels", "--json"], tmp_path) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_a_law_that_is_being_built_shows_how_far_it_is(tmp_path):
    """Nothing was asked yet: reading and building are told, too, until the time is up."""
    code, sent = on_a_terminal(["privacy", "exponential:n=1500,alpha=1/4", "--time-limit", "8"], tmp_path)
    assert code == 4
    assert re.search(r"(the law of each input|the entries of a table) +\d+%.* \d+/1501 rows", sent)
    assert "the time limit of 8 s has passed while this was done: " in " ".join(screen(sent))


PATCHED = """
import errno, os, sys, threading
def fail(*_, **__):
    raise {error}
{place} = fail
sys.argv = ["exactdp", *{words!r}]
from exactdp.__main__ import main
main()
"""
FEW_FILES, FEW_THREADS = "OSError(errno.EMFILE, 'Too many open files')", 'RuntimeError("can\'t start new thread")'
SHORTAGES = [("threading.Thread.start", FEW_THREADS), ("os.pipe", FEW_FILES), ("os.fork", FEW_FILES)]


@pytest.mark.slow
@pytest.mark.parametrize(("place", "error"), SHORTAGES, ids=[place for place, _ in SHORTAGES])
@pytest.mark.parametrize("options", [[], ["--time-limit", "60"]], ids=["", "time-limit"])
def test_no_thread_process_or_file_is_left(place, error, options):
    words = ["privacy", "geometric:n=2,alpha=1/2", *options]
    code = PATCHED.format(place=place, error=error, words=words)
    done = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PROVED  tightest level α = 1/2 (ε = ln(2) ")


@pytest.mark.slow
@pytest.mark.parametrize(("error", "code"), [("ValueError('odd')", 70), ("MemoryError()", 4)])
def test_what_fails_before_the_program_begins_is_no_refutation(error, code):
    code_of_it = (
        f"import exactdp.cli.program\n{PATCHED.format(place='exactdp.cli.program.standard_streams', error=error, words=['mechanisms'])}"
    )
    done = subprocess.run([sys.executable, "-c", code_of_it], env=ENV, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code
    assert done.stderr.startswith("Error: ")
    assert "Traceback" not in done.stderr
