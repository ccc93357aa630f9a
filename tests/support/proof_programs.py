"""Running the programs of ``proofs/`` inside the test process."""

from __future__ import annotations

import shlex

import cli_runner
from cli_runner import Run

from proofs.cite import cite
from proofs.claims import claims

PROGRAMS = {"claims": claims, "cite": cite}


def run(command: str | list[str]) -> Run:
    """Run a command line whose first word is the name of the program."""
    name, *words = shlex.split(command) if isinstance(command, str) else command
    return cli_runner.run(words, program=PROGRAMS[name], name=f"python proofs/{name}.py")
