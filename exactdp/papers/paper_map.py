# SPDX-License-Identifier: MIT
"""The paper map: every statement of every paper, its status, what Coq states and what is missing."""

from __future__ import annotations

from pathlib import Path

from exactdp.papers.record import Claim, Paper, Status, load_paper, papers
from exactdp.papers.replay import argument_files, statements


def paper_map(root: Path | None = None) -> str:
    """The text of ``proofs/PAPER_MAP.md``, made from the claims files.

    >>> paper_map().splitlines()[0]
    '# Paper map'
    """
    records = [load_paper(name, root) for name in papers(root)]
    parts = ["# Paper map", "", "Made from the `claims.toml` files by `exactdp.papers.paper_map`; a test keeps it current.", ""]
    parts += ["What is said for all n has one standing:", ""]
    parts += ["* **proved in general**: a Coq theorem states the claim. It is named, and stands in words below the paper's table."]
    parts += ["* **replayed**: exactdp's own checker of arguments followed the steps. That is a convenience for those who check their own"]
    parts += ["  derivations, no proof in general: Coq states at most a part of the claim."]
    parts += ["* **argued in prose**: there is a text for people; Coq states at most a part of the claim.", ""]
    for record in records:
        parts += _section(record)
    return "\n".join([*parts, *_missing(records)])


def _missing(records: list[Paper]) -> list[str]:
    """The table of what is said for all n and is not a theorem in Coq."""
    lines = ["## What is missing in Coq", ""]
    lines += ["Claims for all n that no Coq theorem states, or not in full. Where Coq is not named it states none of it.", ""]
    lines += ["| claim | status | stated in Coq | what is missing |", "|---|---|---|---|"]
    for record in records:
        for claim in record.claims:
            if claim.missing is not None or claim.status in (Status.REPLAYED, Status.ARGUED):
                coq = ", ".join(f"`{name}`" for name in claim.coq)
                lines.append(_cells([claim.id, str(claim.status), coq, claim.missing or claim.unchecked or ""]))
    return [*lines, ""]


def _section(paper: Paper) -> list[str]:
    counts = dict.fromkeys(sorted({str(claim.status) for claim in paper.claims}), 0)
    for claim in paper.claims:
        counts[str(claim.status)] += 1
    summary = ", ".join(f"{count} {status}" for status, count in counts.items())
    lines = [f"## {paper.authors}: {paper.title}", "", f"{len(paper.claims)} statements: {summary}.", ""]
    if (paper.folder / "errata.md").is_file():
        lines += [f"Errata: [{paper.name}/errata.md]({paper.name}/errata.md)", ""]
    lines += ["| where | id | statement | status | function | certificates, arguments, theorems |", "|---|---|---|---|---|---|"]
    lines += [*(_row(paper, claim) for claim in paper.claims), ""]
    if any(claim.coq for claim in paper.claims):
        lines += ["What the Coq theorems say, to be compared with the statements above. Their notation is explained in"]
        lines += [
            "[theorems.toml](coq/theorems.toml), from which the words are; the statements themselves stand in [coq](coq/README.md).",
            "",
        ]
    for claim in paper.claims:
        if claim.coq:
            part = " (Coq states a part)" if claim.status in (Status.REPLAYED, Status.ARGUED) else ""
            lines += [f"* **{_short(claim)}**, {claim.status}{part}"]
            lines += [f"  * [{paper.coq[name].file}.{name}](coq/{paper.coq[name].file}.v): {paper.coq[name].says}" for name in claim.coq]
    lines += [""] if any(claim.coq for claim in paper.claims) else []
    files = argument_files(paper.folder)
    if files:
        lines += ["What the checker of arguments replays, as the files state it:", ""]
    for file in files:
        lines += [f"### [{paper.name}/arguments/{file.name}]({paper.name}/arguments/{file.name})", ""]
        lines += [*(f"* `{name}`: `{statement}`" for name, statement in statements(file).items()), ""]
    return lines


def _row(paper: Paper, claim: Claim) -> str:
    files = [f"[{file}]({paper.name}/certificates/{file}.edp.json)" for file in claim.certificates]
    files += [f"Coq `{name}`" for name in claim.coq]
    files += [f"replayed [{name}]({paper.name}/arguments/{name.split('.')[0]}.json)" for name in claim.argument]
    if claim.prose is not None:
        files.append(f"[{claim.prose}]({paper.name}/{claim.prose})")
    return _cells([claim.locator, _short(claim), claim.statement, str(claim.status), f"`{claim.replay}`", ", ".join(files)])


def _short(claim: Claim) -> str:
    return claim.id.split("/", 1)[1]


def _cells(cells: list[str]) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"
