# SPDX-License-Identifier: MIT
"""``exactdp cite``: how to cite a recorded claim of a paper, or a certificate: the entry, the status and the digest that fixes the file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

from exactdp.checker import check_bytes
from exactdp.cli.command import ExampleCommand
from exactdp.cli.failures import PROVED, REFUTED
from exactdp.cli.files import read_bytes, title_of
from exactdp.cli.stream import say
from exactdp.errors import InputError

__all__ = ["cite"]


@click.command(
    cls=ExampleCommand,
    examples=(
        "exactdp cite gupte-sundararajan/T1",
        "exactdp cite foundations-lecture-4/LDP --json",
        "exactdp cite c.json",
    ),
)
@click.argument("claim", metavar="CLAIM")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show a traceback when something fails.")
def cite(claim: str, as_json: bool) -> None:
    """Print what to cite for CLAIM: a recorded claim, PAPER/ID as 'exactdp claims' lists them, or a certificate file.

    For a claim: the paper's entry (BibTeX), what is printed, what is recorded about it, the Coq theorems that state
    it or a part of it, in words, what is missing there, and the digest of each certificate. For a file: the kernel's
    sentence and the digest, which changes with every character of claim, definitions or witness. A certificate that is
    not accepted gives exit code 1.
    """
    found = _file(claim) if claim == "-" or Path(claim).is_file() else _claim(claim)
    if as_json:
        say(json.dumps(found, indent=2))
    else:
        say(_text(found))
    certificates: list[dict[str, str]] = found["certificates"]
    click.get_current_context().exit(PROVED if all(c["status"] == "accepted" for c in certificates) else REFUTED)


def _file(name: str) -> dict[str, Any]:
    """A certificate of the user's own."""
    return {"claim": None, "certificates": [_certificate(title_of(name), read_bytes(name, "CLAIM"))]}


def _claim(text: str) -> dict[str, Any]:
    from exactdp.claims import load_paper, papers

    paper, slash, _ = text.partition("/")
    known = papers()
    if not slash or paper not in known:
        raise click.UsageError(
            f"there is no file {text!r}, and it names no recorded claim. Claims are PAPER/ID; the papers are {', '.join(known)}"
        )
    record = load_paper(paper)
    entry = next((claim for claim in record.claims if claim.id == text), None)
    if entry is None:
        near = [claim.id for claim in record.claims if claim.id.lower().startswith(text.lower())]
        raise InputError(f"{paper} has no claim {text!r}" + (f"; did you mean {near[0]}?" if near else ""), claim=text)
    files = [(name, record.folder / "certificates" / f"{name}.edp.json") for name in entry.certificates]
    found = {
        "claim": entry.id,
        "paper": {
            "title": record.title,
            "authors": record.authors,
            "bibtex": _bibtex(record.name, record.title, record.authors, entry.locator),
        },
        "locator": entry.locator,
        "printed": entry.printed,
        "statement": _line(entry.statement),
        "scope": _line(entry.scope),
        "status": str(entry.status),
        "coq": {f"{record.coq[name].file}.{name}": record.coq[name].says for name in entry.coq},
        "replayed": list(entry.argument),
        "certificates": [_certificate(f"{paper}/certificates/{name}.edp.json", path.read_bytes()) for name, path in files],
    }
    texts = {"missing": entry.missing, "unchecked": entry.unchecked, "repair": entry.repair}
    return found | {key: _line(text) for key, text in texts.items() if text is not None}


def _line(text: str) -> str:
    return " ".join(text.split())


def _bibtex(name: str, title: str, authors: str, locator: str) -> str:
    """An entry from the paper's record; the year is taken from its line of authors if it is there."""
    year = re.search(r"\((\d{4})\)", authors)
    people = re.sub(r"\s*\(\d{4}\)", "", authors)
    lines = [f"@misc{{{name},", f"  title = {{{title}}},", f"  author = {{{people}}},"]
    lines += [f"  year = {{{year[1]}}},"] if year else []
    return "\n".join([*lines, f"  note = {{{locator}}}", "}"])


def _certificate(title: str, data: bytes) -> dict[str, str]:
    answer = check_bytes(data)
    return {"file": title, "status": answer.status, "digest": answer.digest or "", "sentence": answer.sentence}


def _text(found: dict[str, Any]) -> str:
    lines = []
    if found["claim"] is not None:
        lines += [found["paper"]["bibtex"], ""]
        keys = [key for key in ("claim", "locator", "printed", "statement", "scope", "status") if key in found]
        lines += [f"{key.ljust(9)}  {found[key]}" for key in keys]
        part = "Coq, part" if "missing" in found or "unchecked" in found else "Coq"
        lines += [f"{part.ljust(9)}  {name}: {says}" for name, says in found["coq"].items()]
        lines += [f"replayed   {', '.join(found['replayed'])}"] if found["replayed"] else []
        lines += [f"{key.ljust(9)}  {found[key]}" for key in ("missing", "unchecked", "repair") if key in found]
    for certificate in found["certificates"]:
        lines += ["", f"{certificate['file']}: {certificate['status']}", f"  {certificate['digest']}", f"  {certificate['sentence']}"]
    return "\n".join(lines).strip("\n")
