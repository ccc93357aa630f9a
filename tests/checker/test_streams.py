# SPDX-License-Identifier: MIT
"""Programs whose answers about files can't be printed: exit code 5, because 1 always means rejected."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from places import CORPUS, ROOT
from terminal import heeding_interrupts

from exactdp.arguments import argument
from exactdp.checker import kernel

CHECKER, ARGUMENTS = Path(kernel.__file__).parent, Path(argument.__file__).parent
CERTIFICATE, FALSE = CORPUS / "accept" / "optimal-path-1-4.edp.json", CORPUS / "reject" / "not-optimal-gap.edp.json"
ARGUMENT = ROOT / "proofs" / "gupte_sundararajan" / "arguments" / "sums.json"
PROGRAMS = {"kernel.py": ("$K", CERTIFICATE, "accepted"), "argument.py": ("$A", ARGUMENT, "replayed")}

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the streams of a shell")


def shell(line, **settings):
    """A command line of the shell, with $P for Python, $K and $A for the folders of the two programs."""
    environment = {
        "P": sys.executable,
        "K": str(CHECKER),
        "A": str(ARGUMENTS),
        "C": str(CERTIFICATE),
        "F": str(FALSE),
        "PATH": os.environ["PATH"],
    }
    return subprocess.run(
        ["bash", "-c", line], env=environment, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False, **settings
    )


@pytest.mark.mostly_slow(6)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("streams", "code", "told"),
    [
        (">/dev/full", 5, "No space left on device"),
        (">&-", 5, "it is closed"),
        (">/dev/full 2>&1", 5, None),
        (">/dev/full 2>&-", 5, None),
        (">&- 2>&-", 5, None),
        ("<&- >&- 2>&-", 5, None),
        ("<&- >/dev/null", 0, None),
        ("2>&- >/dev/null", 0, None),
        ("<&- 2>&- >/dev/null", 0, None),
    ],
)
def test_an_answer_that_can_not_be_printed(program, streams, code, told):
    place, file, _ = PROGRAMS[program]
    done = shell(f"$P -I {place}/{program} '{file}' {streams}")
    assert (done.returncode, done.stdout) == (code, "")
    lines = done.stderr.splitlines()
    if told is None:
        assert lines == []
    else:
        (line,) = lines
        assert line.startswith(f"{program}: can't write to standard output: ")
        assert told in line


@pytest.mark.parametrize("options", ["", "--json"])
@pytest.mark.parametrize("where", [">/dev/full", ">&-"])
def test_one_always_means_rejected(options, where):
    assert shell(f"$P -I $K/kernel.py {options} $F").returncode == 1
    assert shell(f"$P -I $K/kernel.py {options} $F {where}").returncode == 5
    assert shell(f"$P -I $K/kernel.py {options} nowhere {where}").returncode == 5


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_reader_who_leaves(program):
    """Quietly; and what was not told is not said by the exit code either."""
    place, file, status = PROGRAMS[program]
    files = " ".join([f"'{file}'"] * 3)
    done = shell(f"$P -I {place}/{program} {files} | true; echo ${{PIPESTATUS[0]}}")
    assert (done.stdout, done.stderr) == ("5\n", "")
    done = shell(f"$P -I {place}/{program} --json {files} | head -1; echo ${{PIPESTATUS[0]}}")
    first, code = done.stdout.splitlines()
    assert json.loads(first)["status"] == status
    assert code in ("0", "5")  # whether the pipe had taken all lines before its reader left
    assert done.stderr == ""


def test_help_and_version():
    for option in ("--help", "--version"):
        done = shell(f"$P -I $K/kernel.py {option} >/dev/full")
        assert (done.returncode, len(done.stderr.splitlines())) == (5, 1)
        assert shell(f"$P -I $K/kernel.py {option} | true; echo ${{PIPESTATUS[0]}}").stderr == ""


def test_a_closed_standard_input_is_an_unreadable_file():
    done = shell("$P -I $K/kernel.py - $C <&-")
    assert done.returncode == 2
    first, second = done.stdout.splitlines()
    assert first.startswith("-: unreadable: ")
    assert ": accepted: " in second


def test_without_a_needed_file_nothing_is_decided_where_nobody_can_be_told(tmp_path):
    (tmp_path / "argument.py").write_bytes((ARGUMENTS / "argument.py").read_bytes())
    for streams in ("", "2>&-", "2>/dev/full", ">&- 2>&-"):
        assert shell(f"$P -I argument.py '{ARGUMENT}' {streams}", cwd=tmp_path).returncode == 70


def test_standard_output_of_a_caller_is_left_as_it_is(capsys):
    assert kernel.main([str(CERTIFICATE)]) == 0
    assert kernel.main([str(FALSE)]) == 1
    assert not sys.stdout.closed
    assert capsys.readouterr().out.count("\n") == 2


def test_an_interrupt_leaves_no_traceback():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": heeding_interrupts}
    asked = subprocess.Popen([sys.executable, "-I", "-S", str(CHECKER / "kernel.py"), str(FALSE), "-"], **pipes)
    assert asked.stdout is not None
    assert b": rejected: " in asked.stdout.readline()
    asked.send_signal(signal.SIGINT)
    assert (*asked.communicate(timeout=60), asked.returncode) == (b"", b"", 130)


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "No space left on device")])
def test_whatever_fails_while_an_answer_is_printed_is_no_rejection(monkeypatch, capfd, error):
    class Broken(io.StringIO):
        def write(self, text):
            if text:
                raise error
            return 0

    monkeypatch.setattr(sys, "stdout", Broken())
    assert kernel.main([str(CERTIFICATE)]) == 5
    assert "can't write to standard output: " in capfd.readouterr().err
