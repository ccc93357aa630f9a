# SPDX-License-Identifier: MIT
"""An audit as one self-contained page: no network, no script, readable without colour, at any width.

The text is in ``templates/audit.html``. Matrices are drawn as heat maps in inline SVG, one path for each of
a few shades, so that a 101×101 mechanism is some hundred kilobytes. Shades only repeat what the table and the
marks say: tight constraints are drawn as triangles that point to the input with the smaller probability,
broken ones as crosses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from exactdp.analysis.audit_evidence import Audit
from exactdp.analysis.verdict import NO_CLAIM, Verdict
from exactdp.analysis.wording import short_number
from exactdp.certificate.bundle_words import PAGE_STYLE
from exactdp.certificate.certificate import checked_sentences
from exactdp.certificate.check_bundle import SECTION
from exactdp.errors import printable
from exactdp.report.deployed import audit_sections, comparison, decimal, event_sentence
from exactdp.report.drawings import MOST, heat_map, path_of, picture_of_grid
from exactdp.report.html import colour, environment, page, shown, verdict_html
from exactdp.report.items import Item
from exactdp.report.registry import headline_of

LONG_ENTRY = 14
"""A longer entry of the table is shown as a decimal of four digits."""

_ANSWERS = {"proved": "Passed", "refuted": "Failed", "undecided": "Not decided", NO_CLAIM: "No claim was judged"}

_EXIT_CODES_OF_REQUIREMENTS = {
    "proved": "0, as it is a mechanism, no claim fails, and what is required is kept",
    "refuted": "1, as it is no mechanism, the claim is false, or what is required is not kept",
    "undecided": "4, as it was not decided",
}
"""The same where something is required."""

_EXIT_CODES = {
    "proved": "0, as it is a mechanism and the claim holds",
    "refuted": "1, as it is no mechanism or the claim is false",
    "undecided": "4, as it was not decided",
    NO_CLAIM: "0, as it is a mechanism, however private it is",
}
"""What the command's exit code is for each head, and why, where no part was left undecided."""

_OUT_OF_TIME = "4, as the time limit left a part undecided"


def audit_page(
    verdict: Verdict[Audit],
    other: Verdict[Audit] | None = None,
    *,
    notes: Sequence[str] = (),
    by_position: bool = False,
    checked: Sequence[Mapping[str, str]] | None = None,
    also: Sequence[Item] = (),
) -> str:
    """The whole page of one audit, or of two side by side.

    Parameters
    ----------
    verdict : Verdict[Audit]
        Of the first table.
    other : Verdict[Audit], optional
        Compared with the first.
    notes : sequence of str
        What was done to the input.
    by_position : bool
        Match what has labels with what has none.
    checked : sequence of mapping, optional
        What the checker says of the certificates; it is asked unless given.
    also : sequence of Section
        What else is told of the first table.

    Returns
    -------
    str
        HTML that loads nothing.

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> from exactdp.analysis.audit import audit
    >>> page = audit_page(audit(geometric(2, "1/2"), neighbours("path:3")))
    >>> "<script" in page, "http" in page.replace("http://www.w3.org/2000/svg", "")
    (False, False)
    """
    from markupsafe import Markup

    audits = [verdict] if other is None else [verdict, other]
    exit_code = _OUT_OF_TIME if any(one.evidence.undecided for one in audits) else _EXIT_CODES[verdict.head]
    if verdict.evidence.requirements and not any(one.evidence.undecided for one in audits):
        exit_code = _EXIT_CODES_OF_REQUIREMENTS[verdict.head]
    return str(
        environment()
        .get_template("audit.html")
        .render(
            style=Markup(PAGE_STYLE),
            title="Audit of " + " and ".join(one.evidence.title for one in audits),
            notes=(*verdict.notes, *notes),
            reports=[
                _report(one, exit_code if one is verdict else "", checked if one is verdict else None, also if one is verdict else ())
                for one in audits
            ],
            compared=() if other is None else comparison(verdict.evidence, other.evidence, by_position=by_position),
            short_entry=_entry,
        )
    )


def audit_appendix(verdict: Verdict[Audit], notes: Sequence[str], exact: Item) -> str:
    """The same page as what stands after page one, without the checker's sentences, which a bundle has."""
    whole = audit_page(verdict, notes=notes, also=[exact], checked=())
    style = whole.partition("<style>")[2].partition("</style>")[0]
    body = whole.partition("<body>")[2].rpartition("</body>")[0].replace("<h1>", "<h1>Appendix: ", 1)
    body = body.replace(f"<h2>{SECTION}</h2>\n<dl></dl>\n", "")
    return f'<section class="appendix"><style>{style}</style>{body}</section>\n'


def printed_page(verdict: Verdict[Any], *, notes: Sequence[str] = ()) -> str:
    """The page of an audit of a printed table: its report, and what was done to the input.

    Examples
    --------
    >>> from exactdp import audit, printed_table
    >>> "NO CLAIM" in printed_page(audit(printed_table([["1"], ["1"]], digits=1), "path")).upper()
    True
    """
    from markupsafe import escape

    noted = "".join(f"<p>Note: {escape(printable(note))}</p>\n" for note in notes)
    title = f"Audit of {verdict.evidence.title}"
    return page(title, f"<h1>{escape(printable(title))}</h1>\n{noted}{verdict_html(verdict)}")


def _report(verdict: Verdict[Audit], exit_code: str, checked: Sequence[Mapping[str, str]] | None, also: Sequence[Item]) -> dict[str, Any]:
    """What the page says of one audit; the exit code is told with the first."""
    audit = verdict.evidence
    if checked is None:
        checked = [] if audit.undecided else checked_sentences(audit.verdicts)
    meanings = getattr(audit.table.matrix.field, "legend", {})
    return {
        "title": audit.title,
        "answer": _ANSWERS[verdict.head] + (", rounded" if audit.quality == "rounded" else ""),
        "colour": colour(verdict),
        "exit_code": exit_code,
        "verdict": verdict,
        "first": headline_of(verdict),
        "event": event_sentence(audit),
        "meanings": "; ".join(f"{name} = {meaning}" for name, meaning in meanings.items()),
        "sections": [*audit_sections(audit), *also],
        "table": audit.table,
        "shown": shown(audit.table),
        "heat_map": heat_map(audit.table),
        "tight": None if audit.own is None else tight_pattern(audit),
        "checked": checked,
    }


def _entry(x: Any) -> dict[str, str]:
    """An entry of the table, exact where it is short."""
    text = str(x)
    return {"text": text, "title": ""} if len(text) <= LONG_ENTRY else {"text": decimal(x, 4), "title": short_number(x)}


def tight_pattern(audit: Audit) -> dict[str, Any] | str:
    """The constraints that are tight (triangles) or break the claimed level (crosses): an edge a row, an
    output a column.
    """
    assert audit.own is not None
    e = audit.own.evidence
    pairs = [(i, j) for i, j, _ in e.neighbours.pairs()]
    place = {pair: k for k, pair in enumerate(pairs)}
    if max(len(pairs), e.mechanism.n_outputs) > MOST:
        return f"{len(e.tight)} constraints are tight. No picture is drawn above {MOST} pairs or outputs."
    up, down, broken = [], [], []
    for cell in e.tight:
        k = place[min(cell.low, cell.high), max(cell.low, cell.high)]
        if cell.low < cell.high:
            up.append(f"M{cell.output}.5 {k}.15l.38 .7h-.76z")
        else:
            down.append(f"M{cell.output}.5 {k}.85l.38-.7h-.76z")
    for low, high, output in _broken(audit):
        k = place[min(low, high), max(low, high)]
        broken.append(f"M{output}.2 {k}.2l.6 .6m0-.6l-.6 .6")
    paths = [path_of("#111", up), path_of("#777", down), *([path_of("none", broken, stroke="#b00")] if broken else [])]
    names = tuple(f"{e.mechanism.inputs[i]}–{e.mechanism.inputs[j]}" for i, j in pairs)
    divided = " after dividing rows by their sums" if audit.quality == "wrong" else ""
    caption = (
        f"Constraints that are tight at the tightest level{divided}: {len(e.tight)}. ▲ the first input of the pair has the smaller "
        f"probability, ▼ the second."
    )
    if audit.broken:  # for a claimed δ > 0 no output need break the claim alone
        caption += f" ✕ an output of an event that breaks the claim, one event for an ordered pair: {len(audit.broken)}."
    elif broken:
        caption += f" {len(broken)} break the claim (✕)."
    return picture_of_grid(paths, names, e.mechanism.outputs, caption) if pairs else "No pair of inputs is constrained."


def _broken(audit: Audit) -> list[tuple[int, int, int]]:
    """What breaks the claim, as (low, high, output): constraints; for a claimed δ > 0 outputs of events."""
    if audit.claim is None:
        return []
    if audit.claim.delta > 0:
        return sorted({(event.low, event.high, r) for event in audit.broken for r in event.outputs})
    if audit.privacy is None:
        return []
    return [(cell.low, cell.high, cell.output) for cell in audit.privacy.evidence.violated]
