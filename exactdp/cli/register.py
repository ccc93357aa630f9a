# SPDX-License-Identifier: MIT
"""``exactdp register``: the register of audits, whose lines are chained by their digests."""

from __future__ import annotations

import json
from typing import Any

import click

from exactdp.cli.program import PROVED, REFUTED, command, json_option, say
from exactdp.report.register import verify_register
from exactdp.runtime.chain import FIRST


@command(
    "exactdp register verify register.jsonl",
    "exactdp register verify register.jsonl --head sha256:0123…",
    builds=False,
)
@click.argument("action", type=click.Choice(["verify"]), metavar="verify")
@click.argument("file", metavar="FILE")
@click.option("--head", metavar="DIGEST", help="A digest of the register that was noted: it must be that of a line.")
@json_option
def register(action: str, file: str, head: str | None, as_json: bool) -> None:
    """Check a register of audits: each line, its digest, and that it follows the line before.

    A line that was edited, removed, added or moved is named. Lines that were cut off at the end leave a
    shorter register that is whole: note its head, which is told, and give it as --head. A last line that is
    not whole is named, too: a writing was interrupted, and the next 'exactdp audit --register' puts the rest
    of it away.

    The exit code is 0 if every line is right, and 1 if not.
    """
    del action  # there is one
    found = verify_register(file, head=head)
    code = PROVED if found.fault is None else REFUTED
    counted = f"{found.entries} {'entry' if found.entries == 1 else 'entries'}"
    last = "" if found.head == FIRST else f", the head is {found.head}"
    if found.fault is None:
        told = f"accepted: {counted}, each with its digest and after the one before{last}"
    else:
        told = f"rejected: line {found.fault.line}: {found.fault.sentence}; before it {counted}{last}"
    if as_json:
        body: dict[str, Any] = {"verdict": "proved" if code == PROVED else "refuted", "claim": told, "entries": found.entries}
        body |= {"head": found.head, "line": None if found.fault is None else found.fault.line, "partial": found.partial}
        say(json.dumps({**body, "exit_code": code}, indent=2))
    else:
        say(f"{file}: {told}", fold=True)
    click.get_current_context().exit(code)
