# SPDX-License-Identifier: MIT
"""The paper map: every statement of every paper, its status, and where it is replayed, as one Markdown page."""

from __future__ import annotations

from pathlib import Path

from exactdp.claims.arguments import argument_files, statements
from exactdp.claims.record import Claim, Paper, load_paper, papers

__all__ = ["paper_map"]


def paper_map(root: Path | None = None) -> str:
    """The text of ``proofs/PAPER_MAP.md``, made from the claims files.

    >>> paper_map().splitlines()[0]
    '# Paper map'
    """
    parts = ["# Paper map", "", "Made from the `claims.toml` files by `exactdp.claims.paper_map`; a test keeps it current.", ""]
    for name in papers(root):
        parts += _section(load_paper(name, root))
    return "\n".join(parts)


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
    files = argument_files(paper.folder)
    if files:
        lines += ["What the arguments prove, each for all values of its variables, as the files state it:", ""]
    for file in files:
        lines += [f"### [{paper.name}/arguments/{file.name}]({paper.name}/arguments/{file.name})", ""]
        lines += [*(f"* `{name}`: `{statement}`" for name, statement in statements(file).items()), ""]
    return lines


def _row(paper: Paper, claim: Claim) -> str:
    files = [f"[{file}]({paper.name}/certificates/{file}.edp.json)" for file in claim.certificates]
    files += [f"[{name}]({paper.name}/arguments/{name.split('.')[0]}.json)" for name in claim.argument]
    files += [f"Coq `{name}`" for name in claim.coq]
    if claim.prose is not None:
        files.append(f"[{claim.prose}]({paper.name}/{claim.prose})")
    short = claim.id.split("/", 1)[1]
    cells = [claim.locator, short, claim.statement, str(claim.status), f"`{claim.replay}`", ", ".join(files)]
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"
