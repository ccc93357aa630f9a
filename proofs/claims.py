# SPDX-License-Identifier: MIT
"""``python proofs/claims.py``: what papers say, recomputed and compared with the record."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

if __package__ in (None, ""):  # run as a file
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from exactdp.cli.program import PROVED, REFUTED, json_option, say
from proofs.program import program, run
from proofs.record import papers
from proofs.replay import ClaimResult, replay


@program(
    "python proofs/claims.py",
    "python proofs/claims.py gupte_sundararajan --json",
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


def _verdict(results: list[tuple[str, ClaimResult]]) -> str:
    """Refuted if a claim disagrees with its record, replayed if one rests on an argument alone, or proved."""
    if not all(result.agrees for _, result in results):
        return "refuted"
    return "replayed" if any(result.recorded == "replayed" for _, result in results) else "proved"


def _claim_json(result: ClaimResult) -> dict[str, Any]:
    words = ("id", "locator", "printed", "statement", "scope", "recorded", "found", "detail")
    replayed: dict[str, Any] = {"argument": list(result.argument), "coq": list(result.coq), "missing": result.missing}
    replayed |= {"repair": result.repair, "reason": result.reason, "decided": result.decided, "why": result.why()}
    agrees = {"agrees": bool(result.agrees), "seconds": float(result.seconds)}
    return {**{word: str(getattr(result, word)) for word in words}, **replayed, **agrees}


def _table(results: list[tuple[str, ClaimResult]]) -> list[str]:
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


def _legend(results: list[tuple[str, ClaimResult]]) -> list[str]:
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


if __name__ == "__main__":
    run(claims, "python proofs/claims.py")
