# SPDX-License-Identifier: MIT
"""The pages made from the records: the list of all statements, and the theorems beside the statements.

The list stands in ``proofs/README.md``, the theorems in ``theorems.md`` of each paper's folder, and who
decides each erratum at the end of its ``errata.md``. A test compares them with the records; ``python
proofs/index.py`` writes them.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __package__ in (None, ""):  # run as a file
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from exactdp.runtime.files import write_file
from proofs.grounds import in_words
from proofs.record import PROOFS, Claim, Paper, Status, load_paper, papers
from proofs.replay import statements

HEADING = "## All statements"
"""Where the generated part of ``proofs/README.md`` begins."""

DECIDES = "## Who decides it"
"""Where the generated part of each ``errata.md`` begins."""

_ERRATA = (Status.REFUTED, Status.RECONSTRUCTED, Status.IMPRECISE)
_DECIDED = (*_ERRATA, Status.PROVED, Status.CERTIFIED, Status.DEFINITION)


def proof_index(root: Path | None = None) -> str:
    """The list of all statements: one line each, with the verdict, what shows it, and where it fails.

    Parameters
    ----------
    root : Path, optional
        Where the papers are; :data:`proofs.record.PROOFS` unless given.

    Returns
    -------
    str
        The part of ``proofs/README.md`` that begins with the heading *All statements*.

    Examples
    --------
    >>> proof_index().splitlines()[0]
    '## All statements'
    """
    records = [load_paper(name, root) for name in papers(root)]
    lines = [HEADING, "", "Made from the `claims.toml` files by `python proofs/index.py`; a test keeps it current.", ""]
    words = [str(status) for status in _DECIDED]
    lines += ["| text | statements | " + " | ".join([*words, "other"]) + " |", "|---" * (len(words) + 3) + "|"]
    for record in records:
        counts = [sum(claim.status is status for claim in record.claims) for status in _DECIDED]
        total = len(record.claims)
        lines.append(_cells([f"[{record.name}]({record.name}/errata.md)", *map(str, [total, *counts, total - sum(counts)])]))
    for record in records:
        lines += ["", f"### {record.authors}: {record.title}", ""]
        lines += [f"[Errata]({record.name}/errata.md), [theorems beside the statements]({record.name}/theorems.md).", ""]
        lines += [" ".join(record.conventions.split()), ""]
        lines += ["| where | statement | verdict | shown by | decided by | fails at | true instead |", "|---|---|---|---|---|---|---|"]
        lines += [_row(record, claim) for claim in record.claims]
    return "\n".join(lines) + "\n"


def theorem_page(record: Paper) -> str:
    """The statements of one paper that theorems or arguments show, each beside what these say in words.

    Examples
    --------
    >>> theorem_page(load_paper("gupte_sundararajan")).splitlines()[0]
    '# Theorems beside the statements'
    """
    lines = ["# Theorems beside the statements", "", f"{record.authors}: {record.title}.", ""]
    lines += ["Made from `claims.toml` and [theorems.toml](../coq/theorems.toml), which explains the notation, by"]
    lines += ["`python proofs/index.py`; a test keeps it current. The Coq statements themselves are in the"]
    lines += [
        "files that are named; [coq/README.md](../coq/README.md) says how they are checked. For what fails as printed,",
        "the theorems are those of the repair or the refutation.",
        "",
    ]
    for claim in record.claims:
        if not (claim.coq or claim.argument or claim.missing):
            continue
        lines += [f"**{_short(claim)}**, {claim.locator}, {claim.status}: {' '.join(claim.statement.split())}", ""]
        if claim.repair is not None:
            lines += [f"*True instead:* {' '.join(claim.repair.split())}", ""]
        for name in claim.coq:
            theorem = record.coq[name]
            lines.append(f"* Coq [{theorem.file}.{name}](../coq/{theorem.file}.v): {theorem.says}")
        for name in claim.argument:
            stem, theorem_name = name.split(".")
            file = record.folder / "arguments" / f"{stem}.json"
            lines.append(f"* replayed [{name}](arguments/{stem}.json): `{statements(file)[theorem_name]}`")
        if claim.missing is not None:
            lines.append(f"* missing in Coq: {' '.join(claim.missing.split())}")
        lines.append("")
    return "\n".join(lines)


def errata_grounds(record: Paper) -> str:
    """Of each erratum of a paper, who decides it.

    Examples
    --------
    >>> lines = errata_grounds(load_paper("elsalamouny_tight_constraints")).splitlines()
    >>> print(next(line for line in lines if line.startswith("| F6 ")))
    | F6 | refuted as printed | the reference checker only |
    """
    lines = [DECIDES, "", "Made from `claims.toml` by `python proofs/index.py`; a test keeps it current.", ""]
    lines += [
        "* **Coq**: the theorems named in [theorems.md](theorems.md).",
        "* **both checkers**: `exactdp/checker` and `edpcheck`, which is extracted from Coq, accept the certificates.",
        "* **the reference checker only**: `edpcheck` has no rules for the certificates (all that have e^(−ε) are",
        "  among them). You trust `exactdp/checker` and its rules in prose.",
        "* **no checker, recomputed**: `python proofs/claims.py` computes it.",
        "",
        "Where several are named, Coq says what is general, of the refutation or of the repair, and the certificates",
        "say what is about given numbers.",
        "",
        "| erratum | verdict | decided by |",
        "|---|---|---|",
    ]
    lines += [_cells([_short(claim), str(claim.status), in_words(record, claim)]) for claim in record.claims if claim.status in _ERRATA]
    return "\n".join(lines) + "\n"


def pages(root: Path | None = None) -> dict[Path, str]:
    """The text of every generated page, by its file.

    The heads of ``README.md`` and of each ``errata.md``, before the lists, are kept as they stand.
    """
    base = root or PROOFS
    readme = base / "README.md"
    head = readme.read_text(encoding="utf-8").split(HEADING)[0]
    made = {readme: head + proof_index(base)}
    for name in papers(base):
        record, errata = load_paper(name, base), base / name / "errata.md"
        kept = errata.read_text(encoding="utf-8").split(DECIDES)[0].rstrip("\n")
        made |= {base / name / "theorems.md": theorem_page(record), errata: f"{kept}\n\n{errata_grounds(record)}"}
    return made


def _row(record: Paper, claim: Claim) -> str:
    shown = [f"Coq [{name}](coq/{record.coq[name].file}.v)" for name in claim.coq]
    shown += [f"[{file}]({record.name}/certificates/{file}.edp.json)" for file in claim.certificates]
    shown += [f"replayed [{name}]({record.name}/arguments/{name.split('.')[0]}.json)" for name in claim.argument]
    if claim.prose is not None:
        shown.append(f"[{claim.prose}]({record.name}/{claim.prose})")
    where = f"{claim.locator} (`{_short(claim)}`)"
    fails, instead = claim.counterexample or "", claim.repair or ""
    decided = in_words(record, claim) if claim.status in (*_ERRATA, Status.CERTIFIED) else ""
    return _cells([where, claim.statement, str(claim.status), ", ".join(shown), decided, fails, instead])


def _short(claim: Claim) -> str:
    return claim.id.split("/", 1)[1]


def _cells(cells: list[str]) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"


if __name__ == "__main__":
    for file, text in pages().items():
        write_file(file, text)
