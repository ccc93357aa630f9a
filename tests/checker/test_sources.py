# SPDX-License-Identifier: MIT
"""What runs is what can be read: trusted files are compiled from their bytes, found where they really are,
and bounded from outside.
"""

from __future__ import annotations

import importlib.util
import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
import venv
from dataclasses import replace
from pathlib import Path

import pytest
from certificate_pool import certificate
from places import CORPUS

from exactdp.arguments import reading
from exactdp.certificate import verification as command
from exactdp.checker import kernel
from exactdp.errors import ResourceLimitError
from exactdp.runtime.progress import monitored

CHECKER = Path(kernel.__file__).parent
MECHANISM = {"type": "mechanism", "inputs": ["0", "1"], "outputs": ["a"], "rows": [{"den": "1", "num": ["1"]}] * 2}
ROOTS = {"type": "distances", "vertices": ["0", "1"], "pairs": [[0, 1, "sqrt(2)"]]}
UNEQUAL = {**MECHANISM, "outputs": ["a", "b"], "rows": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}]}
FALSE = certificate({"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}, {"M": UNEQUAL, "N": ROOTS}, {})


def run(*words):
    return subprocess.run([sys.executable, "-I", *map(str, words)], capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.fixture
def copies(tmp_path):
    folder = tmp_path / "checker"
    shutil.copytree(CHECKER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "false.json").write_text(json.dumps(FALSE))
    return folder


def test_a_compiled_copy_of_other_code_is_not_believed(copies):
    """Python would load this one without a look at the source: it says that it need not be checked."""
    false = copies.parent / "false.json"
    assert run(copies / "kernel.py", false).returncode == 1
    lying = copies.parent / "lying.py"
    source = (copies / "powers.py").read_text()
    lying.write_text(source + "\ndef at_least(x, y, alpha, square):\n    return True\n")
    cached = Path(importlib.util.cache_from_source(str(copies / "powers.py")))
    cached.parent.mkdir()
    py_compile.compile(
        str(lying), cfile=str(cached), dfile=str(copies / "powers.py"), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    assert run(copies / "kernel.py", false).returncode == 1
    (copies / "powers.py").write_text(lying.read_text())
    assert run(copies / "kernel.py", false).returncode == 0  # the case would show it


def test_a_link_to_the_kernel_takes_the_files_beside_the_kernel(copies):
    elsewhere = copies.parent / "elsewhere"
    elsewhere.mkdir()
    os.symlink(copies / "kernel.py", elsewhere / "kernel.py")
    source = (copies / "powers.py").read_text()
    (elsewhere / "powers.py").write_text(source + "\ndef at_least(x, y, alpha, square):\n    return True\n")
    assert run(elsewhere / "kernel.py", copies.parent / "false.json").returncode == 1


@pytest.mark.parametrize("name", ["limits", "reader", "claims"])
@pytest.mark.parametrize("text", [None, "x = (", "raise OSError(2, 'no')"])
def test_without_a_file_of_the_core_nothing_is_decided(copies, name, text):
    """1, the interpreter's own code, would say that the file is rejected."""
    (copies / f"{name}.py").unlink()
    if text is not None:
        (copies / f"{name}.py").write_text(text)
    done = run(copies / "kernel.py", copies.parent / "false.json")
    assert (done.returncode, done.stdout) == (70, "")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(os.name != "posix", reason="limits of a process")
@pytest.mark.parametrize(("figure", "told"), [("SECONDS = 1\n", "1 seconds are over"), ("MEMORY = 2**27\n", "MemoryError")])
def test_what_is_not_counted_ends_as_a_limit_of_the_process(copies, figure, told):
    """With the counting of work and memory as good as off; the next file is judged as ever."""
    name = figure.split()[0]
    source = (copies / "kernel.py").read_text()
    assert source.count(f"\n{name} = ") == 1
    if name == "SECONDS":  # on a fast machine memory would be the first to end
        source = re.sub(r"(?m)^MEMORY = .*\n", "MEMORY = 2**36\n", source)
    (copies / "kernel.py").write_text(re.sub(rf"(?m)^{name} = .*\n", figure, source))
    limits = (copies / "limits.py").read_text()
    (copies / "limits.py").write_text(limits.replace('"work": 10**9', '"work": 10**18').replace('"memory": 2**31', '"memory": 2**62'))
    hostile = CORPUS / "limit" / "path-large.edp.json"
    done = run(copies / "kernel.py", hostile, copies.parent / "false.json")
    first, second = done.stdout.splitlines()
    assert ": limit: " in first
    assert told in first
    assert ": rejected: " in second
    assert (done.returncode, done.stderr) == (4, "")


STUB = """
import json, os, sys, time
for line in sys.stdin.buffer:
    data = sys.stdin.buffer.read(json.loads(line)["size"])
    if data == b"kill":
        os.kill(os.getpid(), 9)
    if data == b"abort":
        os.abort()
    if data == b"leave":
        sys.exit(1)
    if data == b"sleep":
        time.sleep(600)
    if data == b"half":
        print('{"answer"', end="", flush=True)
        sys.exit(0)
    answer = {"status": "accepted", "sentence": "s", "kind": None, "digest": None, "rule": None, "path": None, "exit_code": 0}
    print(json.dumps({"answer": answer, "loaded": {}}), flush=True)
    if data == b"last":
        sys.exit(1)
"""
"""A checker's process that accepts, but for some files ends."""


@pytest.mark.slow
def test_a_checker_that_is_stopped_has_decided_nothing(tmp_path, monkeypatch):
    """Every other file gets its answer, also one that comes after an idle process was stopped."""
    monkeypatch.setattr(command, "_SERVING", STUB)
    monkeypatch.setattr(command, "SECONDS", 20)
    contents = ["a", "kill", "b", "abort", "leave", "half", "c", "last", "d"]
    for i, content in enumerate(contents):
        (tmp_path / f"{i}.json").write_text(content)
    found = [answer for answer, _ in command.answers([tmp_path / f"{i}.json" for i in range(len(contents))])]
    stopped = {"kill", "abort", "leave", "half"}
    assert [(a.file, a.status, a.exit_code) for a in found] == [
        (str(tmp_path / f"{i}.json"), *(("limit", 4) if content in stopped else ("accepted", 0))) for i, content in enumerate(contents)
    ]
    assert "(code -9); nothing was decided" in found[1].sentence


def test_a_checker_that_takes_too_long_has_decided_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "_SERVING", STUB)
    monkeypatch.setattr(command, "SECONDS", 0.2)
    (tmp_path / "slow.json").write_text("sleep")
    ((answer, data),) = command.answers([tmp_path / "slow.json"])
    assert (answer.status, data) == ("limit", b"sleep")


@pytest.mark.slow
def test_a_time_limit_holds_while_the_checker_runs(tmp_path, monkeypatch):
    """And its process is gone then."""
    monkeypatch.setattr(command, "_SERVING", STUB)
    with monitored(None, 1), command.Checker() as checker:
        checker.check("slow.json", b"a", tmp_path)
        (process,) = checker._processes.values()
        with pytest.raises(ResourceLimitError, match="time limit"):
            checker.check("slow.json", b"sleep", tmp_path)
        assert process.wait(10) == -9


def test_a_checker_that_can_not_be_started_has_decided_nothing(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    (tmp_path / "a.json").write_text("{}")
    monkeypatch.setattr(subprocess, "Popen", refuse)
    ((answer, _),) = command.answers([tmp_path / "a.json"])
    assert (answer.status, answer.exit_code) == ("limit", 4)
    assert "could not be started" in answer.sentence


@pytest.mark.parametrize("text", [None, "def", "1 / 0", "raise ImportError('no')"])
def test_a_broken_checker_is_a_defect_of_every_file(copies, monkeypatch, text):
    if text is None:
        (copies / "kernel.py").unlink()
    else:
        (copies / "kernel.py").write_text(text)
    monkeypatch.setattr(command, "CHECKER", replace(command.CHECKER, place=copies))
    found = [answer for answer, _ in command.answers([copies.parent / "false.json"] * 2)]
    assert [(a.status, a.exit_code) for a in found] == [("defect", 70)] * 2
    assert "can't be loaded" in found[0].sentence


FORGED = """
import sys
if sys.argv[0] == "-c":
    print('{"answer": {"status": "accepted", "sentence": "s", "kind": null, "digest": null, "rule": null, "path": null, "exit_code": 0},'
          ' "loaded": {}}', flush=True)
"""
"""What is installed may run when an interpreter starts; here it prints an answer before the checker does."""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="where an environment has its files")
def test_nothing_that_is_installed_runs_before_the_checker(tmp_path, monkeypatch):
    venv.create(tmp_path / "venv", symlinks=True)
    python = tmp_path / "venv" / "bin" / "python"
    (folder,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    (folder / "sitecustomize.py").write_text(FORGED)
    ordinary = subprocess.run([python, "-I", "-c", ""], capture_output=True, text=True, check=True)
    assert "accepted" in ordinary.stdout  # the case would show it
    (tmp_path / "false.json").write_text(json.dumps(FALSE))
    monkeypatch.setattr(command.sys, "executable", str(python))
    ((answer, _),) = command.answers([tmp_path / "false.json"])
    assert (answer.status, answer.exit_code) == ("rejected", 1)


@pytest.mark.slow
def test_a_checker_without_memory_is_no_defect(tmp_path, monkeypatch):
    """Whatever it lacks memory for: nothing is decided."""
    program = command._SERVING.replace("for line in", "def load(*_):\n    raise MemoryError\n\nfor line in")
    monkeypatch.setattr(command, "_SERVING", program)
    (tmp_path / "false.json").write_text(json.dumps(FALSE))
    found = [answer for answer, _ in command.answers([tmp_path / "false.json"] * 2)]
    assert [(answer.status, answer.exit_code) for answer in found] == [("limit", 4)] * 2


def test_no_more_is_read_than_the_checkers_read():
    assert kernel.LIMITS["bytes"] == command.MOST_BYTES
    assert reading.LIMITS["bytes"] == command.MOST_BYTES_OF_ARGUMENTS


@pytest.mark.slow
def test_a_pipe_is_read_once(tmp_path):
    (tmp_path / "good.json").write_text(
        json.dumps(certificate({"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}, {"M": MECHANISM, "N": ROOTS}, {}))
    )
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", f"cat '{tmp_path / 'good.json'}' > '{pipe}'"]):
        done = subprocess.run(
            [sys.executable, "-m", "exactdp", "verify", str(pipe)], capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 0
    assert done.stdout.startswith(f"{pipe}: accepted: ")


def test_the_first_version_has_only_the_first_kinds():
    """SPEC §1. The smallest such file of another kind, and one with a field."""
    tight = certificate(
        {"kind": "tight", "neighbours": "N", "level": "1/2"},
        {"N": {"type": "path", "vertices": 2}},
        {"diagonal": {"den": "3", "num": ["2", "2"]}},
    )
    letter = {"a": {"type": "parameter", "interval": {"above": "0", "below": "1"}}}
    private = (
        {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"},
        {"M": MECHANISM, "N": {"type": "path", "vertices": 2}},
        {},
    )
    for found in (tight, certificate(private[0], private[1] | letter, {})):
        assert kernel.check_bytes(json.dumps(found).encode()).status == "accepted"
        old = {**found, "version": "0.1"}
        old["digest"] = kernel.digest_of(old)
        answer = kernel.check_bytes(json.dumps(old).encode())
        assert (answer.status, answer.path) == ("malformed", "$.version")


def sentence(claim, definitions, witness):
    answer = kernel.check_bytes(json.dumps(certificate(claim, definitions, witness)).encode())
    assert answer.status == "accepted", answer.sentence
    return answer.sentence


def test_a_loss_with_the_name_of_a_built_in_one_is_told_apart():
    """Both are accepted: the optimum of the built-in loss is 1/3, that of the file's, which is 1000
    everywhere, is 1000.
    """
    claim = {
        "kind": "optimal",
        "neighbours": "N",
        "level": "1/2",
        "consumer": {"type": "minimax", "loss": "abs", "side_information": [0, 1]},
    }
    near, weights = {"type": "path", "vertices": 2}, {"den": "2", "num": ["1", "1"]}
    rows = [{"den": "1", "num": ["1000", "1000"]}] * 2
    own = {"type": "loss", "inputs": ["0", "1"], "guesses": ["0", "1"], "rows": rows}
    guess = {"primal": {"rows": [{"den": "1", "num": ["1", "0"]}] * 2}, "dual": {"weights": weights}}
    truth = {"primal": {"remap": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}]}, "dual": {"weights": weights}}
    theirs = sentence({**claim, "value": "1000"}, {"N": near, "abs": own}, guess)
    built_in = sentence({**claim, "value": "1/3"}, {"N": near, "abs": {"type": "abs-loss", "n": 1}}, truth)
    assert "loss table abs" in theirs
    assert "(loss abs," in built_in


def test_a_label_does_not_forge_a_sentence():
    label = "a\nfile: accepted: everything. Scope: all.\u001b[8m"
    table = {"type": "table", "inputs": [label], "outputs": ["x"], "rows": [{"den": "1", "num": ["2"]}]}
    said = sentence({"kind": "not-stochastic", "table": "T"}, {"T": table}, {"row": 0})
    assert said.isprintable()
    assert json.dumps(label) in said


def test_sentences_of_different_definitions_differ():
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}
    one = sentence(claim, {"M": MECHANISM, "N": ROOTS}, {})
    other = sentence(claim, {"M": {**MECHANISM, "outputs": ["b"]}, "N": ROOTS}, {})
    assert one != other
    near, loss = {"type": "path", "vertices": 30}, {"type": "zero-one-loss", "n": 29}
    said = []
    for where in (28, 29):  # all the mass at one of the last inputs, which an abbreviated list does not show
        prior = {"den": "1", "at": [where], "num": ["1"]}
        consumer = {"type": "bayesian", "loss": "L", "prior": prior}
        value = {"kind": "optimal", "neighbours": "N", "level": "1/2", "consumer": consumer, "value": "0"}
        primal = {"rows": [{"den": "1", "at": [where], "num": ["1"]}] * 30}
        said.append(sentence(value, {"N": near, "L": loss}, {"primal": primal, "dual": {}}))
    assert said[0] != said[1]
