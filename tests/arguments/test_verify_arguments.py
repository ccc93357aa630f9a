# SPDX-License-Identifier: MIT
"""`exactdp verify` on arguments: the right program for each file, the worst exit code, and what the answer
rests on.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from argument_values import FOLDER, REPLAYS

from exactdp.checker.kernel import CORE

CERTIFICATE = FOLDER.parent / "certificates" / "appendix-b-private.edp.json"
ARGUMENT = FOLDER / "processing.json"


def verify(*words):
    command = [sys.executable, "-m", "exactdp", "verify", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.mark.slow
def test_files_of_both_formats_in_their_order():
    run = verify(ARGUMENT, CERTIFICATE, FOLDER / "sums.json")
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert [next(word for word in ("accepted", "replayed") if f": {word}: " in line) for line in lines] == [
        "replayed",
        "accepted",
        "replayed",
    ]
    assert "replayed: private: for all real a; int n; function y/1 z/1 t/1: if (for all int k: " in lines[0]
    assert lines[0].endswith("Scope: as quantified, by this program alone.")
    assert not any(word in lines[0] for word in ("Proved", "all n"))
    assert "Scope: one instance." in lines[1]


@pytest.mark.slow
def test_what_an_argument_rests_on():
    lines = verify("--trust", ARGUMENT).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [*REPLAYS, "steps", "python"]
    assert (
        lines[1 + len(REPLAYS)].split(None, 1)[1]
        == "arguments.md 0.2: §1 to §8, and the files that these need; replayed, by files that are not trusted"
    )
    both = verify("--trust", "--json", ARGUMENT, CERTIFICATE)
    body = json.loads(both.stdout)
    assert body["verdict"] == "replayed"
    assert list(body["trust"]) == ["kernel", *sorted(CORE), *REPLAYS, "sections", "steps", "python"]
    assert [entry["verdict"] for entry in body["files"]] == ["replayed", "proved"]
    assert [entry["kind"] for entry in body["files"]] == ["argument", "private"]


@pytest.mark.slow
@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_the_worst_answer_gives_the_exit_code(tmp_path, order):
    data = json.loads(ARGUMENT.read_text(encoding="utf-8"))
    data["theorems"][0]["then"] = "sum(k, 0, n, y(k)*t(k)) > a*sum(k, 0, n, z(k)*t(k))"
    del data["theorems"][1:]
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(data), encoding="utf-8")
    (tmp_path / "sums.json").write_bytes((FOLDER / "sums.json").read_bytes())
    run = verify(*[[bad, CERTIFICATE][k] for k in order])
    assert run.returncode == 1
    assert "rejected: $.theorems[0].proof: not shown" in run.stdout
