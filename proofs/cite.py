# SPDX-License-Identifier: MIT
"""``python proofs/cite.py``: how to cite a recorded claim, or a certificate: the digests of the files."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import click

if __package__ in (None, ""):  # run as a file
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from exactdp.checker import check_bytes
from exactdp.cli.program import PROVED, REFUTED, json_option, say
from exactdp.cli.reading import names_file, no_file, read_bytes, title_of
from exactdp.errors import InputError
from proofs.program import program, run
from proofs.record import load_paper, papers


@program(
    "python proofs/cite.py gupte_sundararajan/T1",
    "python proofs/cite.py foundations_lecture_4/LDP --json",
    "python proofs/cite.py c.json",
)
@click.argument("claim", metavar="CLAIM")
@json_option
def cite(claim: str, as_json: bool) -> None:
    """Print what to cite for CLAIM: a recorded claim, PAPER/ID as claims.py lists them, or a
    certificate file.

    For a claim: the paper's entry (BibTeX), what is printed, what is recorded about it, the Coq theorems that
    state it or a part of it, in words, what is missing there, and the digest of each certificate. For a file:
    the checker's sentence and the digest, which changes with every character of claim, definitions or
    witness. A certificate that is not accepted gives exit code 1.
    """
    paper = claim.replace("-", "_").partition("/")[0]  # of a record: a folder of that name is ./PAPER
    found = _file(claim) if paper not in papers() and names_file(claim) else _claim(claim)
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
    paper, slash, _ = text.replace("-", "_").partition("/")
    known = papers()
    if not slash or paper not in known:
        raise click.UsageError(
            f"{no_file(text)}, and it names no recorded claim; claims are PAPER/ID, and the papers are {', '.join(known)}"
        )
    record = load_paper(paper)
    entry = next((claim for claim in record.claims if claim.id == text.replace("-", "_")), None)
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
    texts = {"missing": entry.missing, "counterexample": entry.counterexample, "repair": entry.repair}
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
        part = "Coq, part" if "missing" in found else "Coq"
        lines += [f"{part.ljust(9)}  {name}: {says}" for name, says in found["coq"].items()]
        lines += [f"replayed   {', '.join(found['replayed'])}"] if found["replayed"] else []
        lines += [f"{key.ljust(9)}  {found[key]}" for key in ("missing", "counterexample", "repair") if key in found]
    for certificate in found["certificates"]:
        lines += ["", f"{certificate['file']}: {certificate['status']}", f"  {certificate['digest']}", f"  {certificate['sentence']}"]
    return "\n".join(lines).strip("\n")


if __name__ == "__main__":
    run(cite, "python proofs/cite.py")
