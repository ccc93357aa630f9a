# SPDX-License-Identifier: MIT
"""``exactdp claims`` and ``exactdp demo``: what papers say, recomputed from the data as they print it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from exactdp.cli.command import ExampleCommand
from exactdp.cli.failures import PROVED, REFUTED
from exactdp.cli.progress import progress_line
from exactdp.cli.stream import say

__all__ = ["claims", "demo"]


@click.command(
    cls=ExampleCommand,
    examples=(
        "exactdp claims",
        "exactdp claims gupte-sundararajan --json",
    ),
)
@click.argument("paper", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show a traceback when something fails.")
def claims(paper: str | None, as_json: bool) -> None:
    """Recompute every recorded claim of PAPER (default: of all papers) and compare it with the record.

    Prints a line a claim: the status on record, what was found now, and whether they agree; exit code 1 if one does not.

    A statement for all n is never found by recomputing instances: 'proved in general' rests on the Coq theorem named, 'replayed' on
    exactdp's own checker of arguments and on nothing else.
    """
    from exactdp.claims import papers, replay

    known = papers()
    if paper is not None and paper not in known:
        raise click.UsageError(f"there is no record of {paper!r}; the papers are {', '.join(known)}")
    with progress_line() as progress:
        results = [(name, result) for name in ([paper] if paper else known) for result in replay(name, progress=progress)]
    agree = all(result.agrees for _, result in results)
    count = sum(not result.agrees for _, result in results)
    sentence = f"All {len(results)} claims agree with the record" if agree else f"{count} of {len(results)} claims contradict the record"
    if as_json:
        rows = [{"paper": name, **_claim_json(result)} for name, result in results]
        say(json.dumps({"verdict": "proved" if agree else "refuted", "claim": sentence, "claims": rows}, indent=2))
    else:
        say("\n".join([*_table(results), "", *_legend(results), f"{sentence}."]))
    click.get_current_context().exit(PROVED if agree else REFUTED)


def _claim_json(result: Any) -> dict[str, Any]:
    words = ("id", "locator", "statement", "scope", "recorded", "found", "detail")
    replayed = {"argument": list(result.argument), "coq": list(result.coq), "missing": result.missing, "unchecked": result.unchecked}
    agrees = {"agrees": bool(result.agrees), "seconds": float(result.seconds)}
    return {**{word: str(getattr(result, word)) for word in words}, **replayed, **agrees}


def _table(results: list[tuple[str, Any]]) -> list[str]:
    """A line a claim; below it what Coq lacks of a replayed one, and the detail of one that disagrees."""
    cells = [("claim", "where", "recorded", "found", "", "Coq theorems; replayed arguments")]
    for name, r in results:
        label = str(r.id).removeprefix(f"{name}/")
        files = ", ".join(dict.fromkeys(f"{theorem.split('.')[0]}.json" for theorem in r.argument))
        part = " (a part)" if r.missing or r.unchecked else ""
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
        if result.recorded == "replayed":
            shown.append(f"    missing in Coq: {' '.join(str(result.missing).split())}")
        if not result.agrees:
            shown.append(f"    {result.detail}")
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


@click.command(
    cls=ExampleCommand,
    examples=(
        "exactdp demo",
        "exactdp demo -o certificates",
    ),
)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("exactdp-demo"),
    show_default=True,
    metavar="DIR",
    help="Where the certificates go.",
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show a traceback when something fails.")
def demo(folder: Path) -> None:
    """Recompute a paper's table and counterexample in a few seconds, and write their certificates."""
    from exactdp.claims import demo as play

    if folder.exists() and not folder.is_dir():
        raise click.UsageError(f"-o: {str(folder)!r} is a file; give the name of a directory")
    with progress_line() as progress:
        code = play(folder, say, progress=progress)
    click.get_current_context().exit(code)
