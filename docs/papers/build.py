# SPDX-License-Identifier: MIT
"""The papers' page: what five papers state and what is true, made from the records while the site is built.

A record says of each statement what is printed, how it is read, its verdict, and what shows that
(:mod:`proofs.record`). Here this becomes tables that are plain HTML. A small script beside them hides
the rows that one does not look for; without it all rows are there. The certificates that are named are copied
into the site, with a list of their names: the verifier can be sent to one of them, and to nothing else. The
replayed arguments are copied, too: each, and all of a text in one file, since they need each other.
"""

from __future__ import annotations

import json
import shutil
from html import escape
from pathlib import Path
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from proofs.grounds import in_words
from proofs.record import Claim, Paper, Status, load_paper, papers

HERE = Path(__file__).resolve().parent
MARK = "<!-- statements -->"
"""Where the page has the tables."""

BESIDE = ("filter.js", "papers.css")
"""Files that the page loads."""

SHORT = {
    Status.REFUTED: "refuted",
    Status.RECONSTRUCTED: "reconstructed",
    Status.IMPRECISE: "imprecise",
    Status.PROVED: "proved",
    Status.REPLAYED: "replayed",
    Status.CERTIFIED: "certified",
    Status.DEFINITION: "definition",
    Status.OPEN: "open",
    Status.OUTSIDE: "outside",
}
"""The statuses of records in one word, for the head of a column and the class of a row."""


def records() -> list[Paper]:
    """The papers, in the order of their names."""
    return [load_paper(name) for name in papers()]


def statements(found: list[Paper]) -> str:
    """The part of the page that is made: an overview, a box to search with, and a table for each paper.

    Examples
    --------
    >>> print(statements(records())[:14])
    ```{raw} html
    """
    loads = ['<link rel="stylesheet" href="papers/papers.css">', '<script type="module" src="papers/filter.js"></script>']
    head = [*loads, *_overview(found), *_filter(found)]
    parts = [_raw(head)]
    for record in found:
        parts.append(f"## {record.title}")
        lines = [f"<p>{_text(record.authors)}</p>", f"<p>{_text(record.conventions)}</p>"]
        if arguments(record):
            lines.append(f'<p><a href="arguments/{record.name}.zip" download>All replayed arguments of this text</a></p>')
        lines += [f'<table class="statements" data-paper="{record.name}"><thead><tr>']
        lines += ['<th scope="col">where, verdict</th><th scope="col">statement</th><th scope="col">shown by</th></tr></thead><tbody>']
        lines += [row(record, claim) for claim in record.claims]
        parts.append(_raw([*lines, "</tbody></table>"]))
    return "\n\n".join(parts) + "\n"


def row(record: Paper, claim: Claim) -> str:
    """One statement: where it stands and its verdict, what is printed and what is true, what shows that."""
    short = claim.id.split("/", 1)[1]
    anchor = f"{record.name}-{short}"
    status = f'<span class="verdict {SHORT[claim.status]}">{claim.status}</span>'
    where = f'{_text(claim.locator)} <a class="id" id="{escape(anchor)}" href="#{quote(anchor)}">{_text(short)}</a>'
    said = {"Printed": claim.printed, "Read as": claim.statement, "Fails at": claim.counterexample, "True instead": claim.repair}
    said |= {"Why not decided": claim.reason, "Scope": claim.scope}
    said |= {"Decided by": in_words(record, claim) if claim.repair is not None else None}
    told = "".join(f"<dt>{name}</dt><dd>{_text(text)}</dd>" for name, text in said.items() if text is not None)
    shown = [_theorem(record, name) for name in claim.coq] + [_certificate(record, name) for name in claim.certificates]
    if len(claim.certificates) > 1:
        shown.append(f'<a href="{_verify(record, claim.certificates)}">Verify these {len(claim.certificates)} certificates</a>')
    shown += [_argument(record, name) for name in claim.argument]
    items = f"<ul>{''.join(f'<li>{item}</li>' for item in shown)}</ul>" if shown else "–"
    return (
        f'<tr class="{SHORT[claim.status]}"><th scope="row">{where}<br>{status}</th>'
        f'<td><dl>{told}</dl></td><td data-head="Shown by">{items}</td></tr>'
    )


def certificates(found: list[Paper]) -> dict[str, Path]:
    """The certificates that the records name, by the names that they have in the site.

    Examples
    --------
    >>> certificates(records())["elsalamouny_tight_constraints/regular.edp.json"].name
    'regular.edp.json'
    """
    return {_file(record, name): record.folder / "certificates" / f"{name}.edp.json" for record in found for name in _named(record)}


def arguments(record: Paper) -> list[Path]:
    """The files of arguments beside a record, which need each other.

    Examples
    --------
    >>> [file.name for file in arguments(records()[0])]
    ['line.json', 'sums.json', 'symmetry.json']
    """
    return sorted((record.folder / "arguments").glob("*.json"))


def copy(folder: Path) -> None:
    """Put certificates, the list of their names, arguments, and what the page loads into the built site."""
    (folder / "papers").mkdir(exist_ok=True)
    for name in BESIDE:
        shutil.copyfile(HERE / name, folder / "papers" / name)
    for record in records():
        _copy_arguments(record, folder / "arguments")
    found = certificates(records())
    for name, file in found.items():
        (folder / "certificates" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / "certificates" / name)
    (folder / "certificates" / "names.json").write_text(json.dumps(sorted(found), indent=0) + "\n", encoding="utf-8")


def _copy_arguments(record: Paper, place: Path) -> None:
    files = arguments(record)
    if not files:
        return
    (place / record.name).mkdir(parents=True, exist_ok=True)
    with ZipFile(place / f"{record.name}.zip", "w", ZIP_DEFLATED) as together:
        for file in files:
            content = file.read_bytes()
            (place / record.name / file.name).write_bytes(content)
            together.writestr(ZipInfo(f"{record.name}/{file.name}"), content, ZIP_DEFLATED)  # with no time: the same bytes


def _named(record: Paper) -> list[str]:
    return sorted({name for claim in record.claims for name in claim.certificates})


def _file(record: Paper, name: str) -> str:
    return f"{record.name}/{name}.edp.json"


def _verify(record: Paper, names: tuple[str, ...]) -> str:
    return "verifier/index.html?" + "&amp;".join(f"file={quote(_file(record, name))}" for name in names)


def _theorem(record: Paper, name: str) -> str:
    theorem = record.coq[name]
    file = f'<a href="theorems.html#{quote(f"{theorem.file}.{name}")}">{_text(theorem.file)}.v</a>'
    return f"<details><summary>Coq <code>{_text(name)}</code></summary>{_text(theorem.says)} ({file})</details>"


def _certificate(record: Paper, name: str) -> str:
    download = f'<a href="certificates/{quote(_file(record, name))}" download>{_text(name)}</a>'
    return f'{download} (<a href="{_verify(record, (name,))}" aria-label="verify {_text(name)}">verify</a>)'


def _argument(record: Paper, name: str) -> str:
    file = quote(f"{record.name}/{name.partition('.')[0]}.json")
    return f'replayed argument <a href="arguments/{file}" download><code>{_text(name)}</code></a>'


def _overview(found: list[Paper]) -> list[str]:
    """How many statements of each paper have which verdict."""
    used = [status for status in SHORT if any(claim.status is status for record in found for claim in record.claims)]
    heads = "".join(f'<th scope="col">{SHORT[status]}</th>' for status in used)
    lines = ['<div class="overview" tabindex="0" role="region" aria-label="How many statements have which verdict">']
    lines += [f'<table><thead><tr><th scope="col">text</th><th scope="col">statements</th>{heads}</tr></thead><tbody>']
    for record in found:
        counts = [sum(claim.status is status for claim in record.claims) for status in used]
        cells = "".join(f"<td>{count}</td>" for count in [len(record.claims), *counts])
        lines.append(f'<tr><th scope="row">{_text(_surnames(record))}</th>{cells}</tr>')
    return [*lines, "</tbody></table></div>"]


def _filter(found: list[Paper]) -> list[str]:
    """The controls of the script, which shows them; nothing is there to be used without it."""
    texts = "".join(f'<option value="{record.name}">{_text(_surnames(record))}</option>' for record in found)
    used = {claim.status for record in found for claim in record.claims}
    words = "".join(f'<option value="{short}">{status}</option>' for status, short in SHORT.items() if status in used)
    return [
        '<form id="filter" role="search" hidden>',
        '<p><label for="words">Words that a row has, such as: lemma 5</label>',
        '<input type="search" id="words" autocomplete="off" spellcheck="false"></p><p class="choices">',
        f'<label>Text <select id="text"><option value="">all five</option>{texts}</select></label>',
        f'<label>Verdict <select id="verdict"><option value="">any</option>{words}</select></label>',
        '<label><input type="checkbox" id="files"> only with certificates</label></p>',
        '<p id="count" role="status"></p>',
        "</form>",
    ]


def _surnames(record: Paper) -> str:
    """What the text is called in short.

    >>> [_surnames(record) for record in records()][3]
    'Gupte and Sundararajan'
    """
    return NAMES.get(record.name, record.title)


NAMES = {
    "elsalamouny_tight_constraints": "ElSalamouny and others",
    "fernandes_metric_privacy": "Fernandes and others",
    "foundations_lecture_4": "Lecture on privacy",
    "gupte_sundararajan": "Gupte and Sundararajan",
    "laplace_exponential_slides": "Slides",
}
"""What ``proofs/README.md`` calls them."""


def _text(words: str) -> str:
    """Text for HTML, in one line."""
    return escape(" ".join(words.split()))


def _raw(lines: list[str]) -> str:
    return "\n".join(["```{raw} html", *lines, "```"])
