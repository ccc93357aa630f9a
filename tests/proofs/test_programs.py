"""The programs of ``proofs/`` keep the contract of the commands: exit codes, time limits, lost answers.

They run from anywhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT
from proof_programs import PROGRAMS, run

from exactdp.runtime.progress import ProgressBar
from proofs.record import load_paper, papers

A_PAPER = papers()[0]
A_CLAIM = load_paper(A_PAPER).claims[0].id
SHORT_PAPER = "foundations_lecture_4"
HOSTILE = ("0 1\n", "1/2,1/2\n1/2,1/2\n", '{"rows": [["1", "0"], ["0", "1"]]}', "no such thing\n")
UNWRITTEN = 5


def shell(words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the clone in a folder, as a user does: nothing on the path leads to the clone."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = f'"{sys.executable}" "{ROOT}"/proofs/{words}'
    return subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120)


def test_they_run_from_an_empty_folder(tmp_path):
    done = shell(f"cite.py {A_CLAIM}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run(f"cite {A_CLAIM}").out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_their_help_names_them(name):
    shown = run(f"{name} --help")
    assert shown.code == run(f"{name} -h").code == 0
    assert shown.out.startswith(f"Usage: python proofs/{name}.py [OPTIONS]")
    assert f"\n  python proofs/{name}.py gupte_sundararajan" in shown.out
    assert all(option in shown.out for option in ("--json", "--time-limit SECONDS", "--debug"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_time_limit_is_a_number_of_seconds(name):
    found = run(f"{name} {A_CLAIM} --time-limit nan")
    assert found.code == 2
    assert "--time-limit" in found.err


def test_no_time_is_left_at_the_first_step():
    found = run(f"claims {SHORT_PAPER} --time-limit 0")
    assert (found.code, found.out) == (4, "")
    assert f"the time limit of 0 s has passed while this was done: {SHORT_PAPER}: 0 of " in found.err
    assert len(found.err.splitlines()) == 1


def test_a_time_limit_ends_the_process(tmp_path):
    done = shell(f"claims.py {SHORT_PAPER} --time-limit 0 --json", tmp_path)
    assert done.returncode == 4
    assert '"verdict": "undecided"' in done.stdout


def test_progress_is_told(monkeypatch):
    phases = []

    class Recorder(ProgressBar):
        def __init__(self, stream, *, visible):
            super().__init__(stream, visible=True)

        def __call__(self, event):
            phases.append(event.phase)

    monkeypatch.setattr("exactdp.cli.program.ProgressBar", Recorder)
    assert run(f"claims {SHORT_PAPER}").code == 0
    assert SHORT_PAPER in phases


@pytest.mark.parametrize("to", ["", " --json"])
def test_an_answer_on_a_full_standard_output_is_lost(tmp_path, to):
    done = shell(f"cite.py {A_CLAIM}{to} >/dev/full", tmp_path)
    assert done.returncode == UNWRITTEN
    assert done.stderr.startswith("Error: the answer can't be written to standard output")


@pytest.mark.parametrize("words", ["cite " + "x" * 300, "cite ''"])
def test_a_text_that_names_nothing(words):
    found = run(words)
    assert (found.code, "there is no file" in found.err) == (2, True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_terminal_would_obey_is_escaped(name):
    found = run([name, "\x1b[31mred\x07"])
    assert found.code == 2
    assert "\x1b" not in found.err
    assert "\x07" not in found.err


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (f"cite {A_CLAIM}", A_CLAIM),
        (f"cite {A_PAPER}/none", f"{A_PAPER}/none"),
        (f"cite {A_PAPER}", A_PAPER),
        (f"claims {A_PAPER}x", f"{A_PAPER}x"),
    ],
)
def test_a_file_of_the_name_of_a_word_changes_nothing(command, word, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    without = run(command)
    path = Path(word)
    path.parent.mkdir(parents=True, exist_ok=True)
    for content in HOSTILE:
        path.write_text(content, encoding="utf-8")
        assert run(command) == without, content
    path.unlink()
    path.mkdir()
    assert run(command) == without
