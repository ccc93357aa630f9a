# SPDX-License-Identifier: MIT
"""``exactdp claims``, ``cite`` and ``demo``: what papers say, recomputed, with the digests of the files."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import click

from exactdp.checker import check_bytes
from exactdp.cli.program import PROVED, REFUTED, command, json_option, say
from exactdp.cli.reading import WritablePath, names_file, no_file, read_bytes, title_of
from exactdp.errors import InputError


@command(
    "exactdp claims",
    "exactdp claims gupte_sundararajan --json",
    builds=False,
)
@click.argument("paper", required=False)
@json_option
def claims(paper: str | None, as_json: bool) -> None:
    """Recompute every recorded claim of PAPER (default: of all papers) and compare it with the record.

    Prints a line a claim: the status on record, what was found now, and whether they agree; exit code 1 if
    one does not. Below a claim that is refuted, imprecise or open stands why: what is printed, what was
    computed, what is true instead, and who decides it: Coq, both checkers, or the reference checker only.

    A statement for all n is never found by recomputing instances: 'proved in general' rests on the Coq
    theorem named, 'replayed' on exactdp's own checker of arguments and on nothing else.
    """
    from exactdp.papers import papers, replay

    known = papers()
    names = known if paper is None else [paper.replace("-", "_")]
    if paper is not None and names[0] not in known:
        raise click.UsageError(f"there is no record of {paper!r}; the papers are {', '.join(known)}")
    results = [(name, result) for name in names for result in replay(name)]
    agree = all(result.agrees for _, result in results)
    count = sum(not result.agrees for _, result in results)
    sentence = f"All {len(results)} claims agree with the record" if agree else f"{count} of {len(results)} claims contradict the record"
    if as_json:
        rows = [{"paper": name, **_claim_json(result)} for name, result in results]
        say(json.dumps({"verdict": _verdict(results), "claim": sentence, "claims": rows}, indent=2))
    else:
        say("\n".join([*_table(results), "", *_legend(results), f"{sentence}."]))
    click.get_current_context().exit(PROVED if agree else REFUTED)


def _verdict(results: list[tuple[str, Any]]) -> str:
    """Refuted if a claim disagrees with its record, replayed if one rests on an argument alone, or proved."""
    if not all(result.agrees for _, result in results):
        return "refuted"
    return "replayed" if any(str(result.recorded) == "replayed" for _, result in results) else "proved"


def _claim_json(result: Any) -> dict[str, Any]:
    words = ("id", "locator", "printed", "statement", "scope", "recorded", "found", "detail")
    replayed = {"argument": list(result.argument), "coq": list(result.coq), "missing": result.missing}
    replayed |= {"repair": result.repair, "reason": result.reason, "decided": result.decided, "why": result.why()}
    agrees = {"agrees": bool(result.agrees), "seconds": float(result.seconds)}
    return {**{word: str(getattr(result, word)) for word in words}, **replayed, **agrees}


def _table(results: list[tuple[str, Any]]) -> list[str]:
    """A line a claim; below it why it is not a plain yes, with the numbers printed and computed."""
    cells = [("claim", "where", "recorded", "found", "", "Coq theorems; replayed arguments")]
    for name, r in results:
        label = str(r.id).removeprefix(f"{name}/")
        files = ", ".join(dict.fromkeys(f"{theorem.split('.')[0]}.json" for theorem in r.argument))
        part = " (a part)" if r.missing else ""
        coq = f"Coq{part}: {', '.join(r.coq)}" if r.coq else ""
        proofs = "; ".join(filter(None, [coq, f"replayed: {files}" if files else ""]))
        cells.append((label, str(r.locator), str(r.recorded), str(r.found), "agrees" if r.agrees else "CONTRADICTS", proofs))
    widths = [max(len(line[k]) for line in cells) for k in range(6)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    shown = [lines[0]]
    paper = None
    for line, (name, result) in zip(lines[1:], results, strict=True):
        if name != paper:
            shown += ["", f"{name}:"]
            paper = name
        shown.append(line)
        shown += [f"    {name}: {text}" for name, text in result.why().items()]
    return shown


def _legend(results: list[tuple[str, Any]]) -> list[str]:
    """What the words mean that speak about all n, as far as they occur."""
    words = {
        "proved in general": "a Coq theorem states the claim (proofs/coq; Coq checks it, this command does not)",
        "replayed": "exactdp's own checker of arguments followed the steps, a convenience for those who check their own derivations; "
        "Coq does not state the claim, or only a part",
        "holds where tried": "no instance that was computed contradicts the statement",
    }
    used = {str(word) for _, result in results for word in (result.recorded, result.found)}
    lines = [f"{word}: {meaning}." for word, meaning in words.items() if word in used]
    return [*lines, ""] if lines else []


@command(
    "exactdp demo",
    "exactdp demo -o certificates",
    builds=False,
)
@click.option(
    "-o",
    "--output",
    "folder",
    type=WritablePath(folder=True),
    default=Path("exactdp-demo"),
    show_default=True,
    metavar="DIR",
    help="Where the certificates go.",
)
def demo(folder: Path) -> None:
    """Recompute a paper's table and counterexample in a few seconds, and write their certificates."""
    from exactdp.papers import demo as play

    code = play(folder, partial(say, more=True))
    click.get_current_context().exit(code)


@command(
    "exactdp cite gupte_sundararajan/T1",
    "exactdp cite foundations_lecture_4/LDP --json",
    "exactdp cite c.json",
    builds=False,
)
@click.argument("claim", metavar="CLAIM")
@json_option
def cite(claim: str, as_json: bool) -> None:
    """Print what to cite for CLAIM: a recorded claim, PAPER/ID as 'exactdp claims' lists them, or a
    certificate file.

    For a claim: the paper's entry (BibTeX), what is printed, what is recorded about it, the Coq theorems that
    state it or a part of it, in words, what is missing there, and the digest of each certificate. For a file:
    the checker's sentence and the digest, which changes with every character of claim, definitions or
    witness. A certificate that is not accepted gives exit code 1.
    """
    from exactdp.papers import papers

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
    from exactdp.papers import load_paper, papers

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
