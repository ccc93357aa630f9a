# SPDX-License-Identifier: MIT
"""Every command that can work long shows how far it is: what its line would say, in phases."""

from __future__ import annotations

import pytest
from cli_runner import answered_plan, run

from exactdp.cli.program import COMMANDS, ExampleCommand, main
from exactdp.runtime.progress import ProgressBar

EXPECTED = {
    "privacy geometric:n=3 --alpha 1/4": "constraints",
    "privacy geometric:n=3 --alpha symbolic": "conditions",
    "derive uniform:n=3 --source identity:n=3": "columns of both",
    "refine identity:n=3 geometric:n=3,alpha=1/4 uniform:n=3": "refinements",
    "remap geometric:n=3,alpha=1/4 --loss abs": " rows: proposals| rows: primal simplex",
    "release --n 2 --alpha 1/3,1/2": "coalitions",
    "compose geometric:n=3,alpha=1/2 geometric:n=3,alpha=1/3": "constraints",
    "compose --parallel geometric:n=3,alpha=1/2 geometric:n=2,alpha=1/2": "part 2 of 2: constraints",
    "delta geometric:n=3,alpha=1/2 --alpha 3/4": "events",
    "delta geometric:n=3,alpha=1/2 --delta 1/10": "events",
    "optimal --graph cycle:5 --alpha 1/2 --loss zero-one": "proposals|dual simplex",
    "optimal --graph path:3 --alpha symbolic --loss abs": "pieces",
    "determinant --matrix geometric:n=3": "tridiagonal inverse",
    "generalise det geometric --sizes 2..4": "replaying the argument",
    "tight star:4 --alpha symbolic": "witnesses",
    "tight cycle:5 --alpha 1/2": "a system of 1 equations",
    "regular path:4 --prior uniform --alpha symbolic": "witnesses",
    "audit geometric:n=3,alpha=1/4 --graph path:4 --claims-alpha 1/4 --for abs": "the claim: constraints",
    "type path:4 --alpha 1/2 --kernels": "kernel mechanisms",
    "type path:4 --alpha symbolic --kernels": "minors",
    "type complete:3 --alpha 1/2 --universal zero-one --no-theorems": "priors",
    "verify c.json": "certificates",
    "show c.json": "checking the certificate",
    "sweep plan.toml -o answers": "questions",
}
"""Commands with a phase that each tells; after the bar, what it tells where HiGHS is not installed."""

QUICK = {"mechanisms", "convert", "demo", "index", "register"}
"""What works for seconds at most (the demo prints as it goes), tested without."""


def test_every_command_is_here():
    assert {command.split()[0] for command in EXPECTED} | QUICK == set(COMMANDS)


@pytest.mark.mostly_slow(6)
@pytest.mark.parametrize("command", EXPECTED)
def test_each_command_tells_its_phases(command, monkeypatch, tmp_path):
    events = []

    class Recorder(ProgressBar):
        def __init__(self, stream, *, visible):
            super().__init__(stream, visible=True)

        def __call__(self, event):
            events.append(event)

    monkeypatch.chdir(tmp_path)
    run("privacy geometric:n=2 --alpha 1/2 -o c.json")
    if command.startswith("sweep"):
        pytest.importorskip("pyarrow")
        answered_plan(tmp_path)
    monkeypatch.setattr("exactdp.cli.program.ProgressBar", Recorder)
    found = run(command)
    assert found.code in {0, 1}, found
    assert any(event.phase.endswith(tuple(EXPECTED[command].split("|"))) for event in events), {event.phase for event in events}


def test_every_command_has_the_line_from_its_beginning():
    """So that whatever takes long is seen to go on: reading, what no phase names, and what comes later."""
    for name in COMMANDS:
        assert isinstance(main.get_command(None, name), ExampleCommand), name


def test_the_answer_and_its_certificate_are_phases(monkeypatch, tmp_path):
    phases = []

    class Recorder(ProgressBar):
        def __init__(self, stream, *, visible):
            super().__init__(stream, visible=True)

        def __call__(self, event):
            phases.append(event.phase)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("exactdp.cli.program.ProgressBar", Recorder)
    assert run("privacy geometric:n=2 --alpha 1/2 -o c.json").code == 0
    assert phases[0] == "reading"
    assert phases.index("writing and checking the certificate") < phases.index("writing the answer")
