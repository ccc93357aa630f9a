# SPDX-License-Identifier: MIT
"""An audit as one self-contained page: no network, no script, readable without colour, at desktop and phone
width.

Matrices are drawn as heat maps in inline SVG, one path for each of a few shades, so that a 101×101 mechanism
is some hundred kilobytes. Shades only repeat what the table and the marks say: tight constraints are drawn as
triangles that point to the input with the smaller probability, broken ones as crosses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil
from typing import Any

from exactdp.analysis.audit import Audit
from exactdp.analysis.epsilon import bounds_of
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import short_number
from exactdp.exact import Rational
from exactdp.model import Labels, Table
from exactdp.report.deployed import audit_sections, checked_sentences, comparison, decimal, event_sentence
from exactdp.report.items import Fact, Item, Listing, visible
from exactdp.report.numbers import elide

SHADES = 12
"""Shades of a heat map."""

MOST = 400
"""Largest side of a picture; beyond it the table is described in words only."""

STYLE = """
:root{color-scheme:light}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;padding:1rem;max-width:72rem;color:#111;background:#fff;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.25}h2{font-size:1.1rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #777}
dl{margin:0}dt{font-weight:600;margin-top:.45rem}dd{margin:0 0 0 1rem}ul{margin:.2rem 0 .2rem 1.2rem;padding:0}
.answer{border:2px solid #111;border-radius:.4rem;padding:.6rem .9rem}.answer b{text-transform:uppercase;letter-spacing:.04em}
.scroll{overflow-x:auto;max-width:100%}table{border-collapse:collapse;font-size:.82rem;font-variant-numeric:tabular-nums}
td,th{padding:.15rem .5rem;text-align:right;border:1px solid
#bbb;white-space:nowrap}caption{text-align:left;font-style:italic;padding:.2rem 0}
svg{display:block;max-width:100%;height:auto}figure{margin:.5rem 0}figcaption{font-size:.85rem} .wrap td,.wrap
th{white-space:normal;text-align:left;vertical-align:top}code{font-size:.85em}
@media(min-width:60rem){.two{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem}.two>*{min-width:0}}
"""


def audit_page(verdict: Verdict[Audit], other: Verdict[Audit] | None = None, *, notes: Sequence[str] = ()) -> str:
    """The whole page of one audit, or of two side by side.

    Parameters
    ----------
    verdict : Verdict[Audit]
        Of the first table.
    other : Verdict[Audit], optional
        Compared with the first.
    notes : sequence of str
        What was done to the input.

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
    title = f"Audit of {verdict.evidence.title}" + ("" if other is None else f" and {other.evidence.title}")
    body = [f"<h1>{escape(title)}</h1>", *(f"<p>Note: {escape(note)}</p>" for note in notes)]
    if other is None:
        body.append(_report(verdict))
    else:
        first, second = verdict.evidence, other.evidence
        rows = "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td><td>{escape(c)}</td></tr>" for a, b, c in comparison(first, second))
        head = f"<tr><th></th><th>{escape(first.title)}</th><th>{escape(second.title)}</th></tr>"
        body.append(
            f'<h2>Side by side</h2><div class="scroll"><table class="wrap"><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
        )
        body.append(f'<div class="two"><div>{_report(verdict)}</div><div>{_report(other)}</div></div>')
    view = '<meta name="viewport" content="width=device-width,initial-scale=1">'
    head = f'<head><meta charset="utf-8">{view}<title>{escape(title)}</title><style>{STYLE}</style></head>'
    return f'<!DOCTYPE html>\n<html lang="en">{head}\n<body>\n' + "\n".join(body) + "\n</body></html>\n"


def _report(verdict: Verdict[Audit]) -> str:
    audit = verdict.evidence
    answer = {"proved": "Passed", "refuted": "Failed", "undecided": "Not decided"}[verdict.decision.value]
    parts = [f'<p class="answer"><b>{answer}.</b> {escape(elide(verdict.claim))} (Scope: {escape(str(verdict.scope))}.)</p>']
    sentence = event_sentence(audit)
    if sentence is not None:
        parts.append(f"<p><b>The event.</b> {escape(sentence)}.</p>")
    meanings = getattr(audit.table.matrix.field, "meanings", None)
    if meanings:
        parts.append("<p>" + escape("; ".join(f"{name} = {meaning}" for name, meaning in meanings.items())) + " exactly.</p>")
    for heading, items in audit_sections(audit):
        parts.append(f"<h2>{escape(elide(heading))}</h2>\n{_items(items)}")
    parts.append(f"<h2>The table</h2>\n{_numbers(audit.table)}\n{heat_map(audit.table)}")
    if audit.own is not None:
        parts.append(f"<h2>Where privacy is tight</h2>\n{tight_pattern(audit)}")
    parts.append(_checked(verdict))
    return "\n".join(parts)


def _checked(verdict: Verdict[Audit]) -> str:
    lines = []
    for entry in checked_sentences(verdict):
        digest = f"<br><code>{escape(entry['digest'])}</code>" if "digest" in entry else ""
        lines.append(f"<dt>{escape(entry['part'])}: {escape(entry['status'])}</dt><dd>{escape(elide(entry['sentence']))}{digest}</dd>")
    return f"<h2>What the checker's kernel verified, in its own words</h2>\n<dl>{''.join(lines)}</dl>"


def _items(items: Iterable[Item]) -> str:
    blocks = []
    for item in items:
        if isinstance(item, Fact):
            blocks.append(f"<dt>{escape(elide(item.name))}</dt><dd>{escape(elide(str(item.value)))}</dd>")
        elif isinstance(item, Listing):
            lines = "".join(f"<li>{escape(elide(line))}</li>" for line in item.lines)
            more = f"<li>… and {item.total - len(item.lines)} more</li>" if item.total > len(item.lines) else ""
            blocks.append(f"<dt>{escape(item.title)}: {item.total}</dt><dd><ul>{lines}{more}</ul></dd>")
    return f"<dl>{''.join(blocks)}</dl>"


def _numbers(table: Table) -> str:
    """The entries as decimals, exact where short; above 12×12 with dots."""
    rows, columns = (visible(size) for size in table.matrix.shape)
    head = "<th></th>" + "".join(f"<th>{'⋯' if j is None else escape(table.outputs[j])}</th>" for j in columns)
    body = []
    for i in rows:
        if i is None:
            body.append("<tr><th>⋮</th>" + "<td>⋮</td>" * len(columns) + "</tr>")
            continue
        cells = "".join("<td>⋯</td>" if j is None else _entry(table.matrix[i, j]) for j in columns)
        body.append(f"<tr><th>{escape(table.inputs[i])}</th>{cells}</tr>")
    caption = "<caption>Rows are inputs, columns are outputs.</caption>"
    return f'<div class="scroll"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table></div>'


def _entry(x: Any) -> str:
    text = str(x)
    if len(text) <= 14:
        return f"<td>{escape(text)}</td>"
    return f'<td title="{escape(short_number(x))}">{escape(decimal(x, 4))}</td>'


def heat_map(table: Table) -> str:
    """The table as an SVG picture: the darker the larger, in a few shades of grey (each a square root step,
    so that small entries show).
    """
    rows, columns = table.matrix.shape
    if max(rows, columns) > MOST:
        return f"<p>No picture is drawn above {MOST} rows or columns.</p>"
    paths: dict[int, list[str]] = {}
    for i, row in enumerate(table.matrix.rows()):
        for j, x in enumerate(row):
            shade = _shade(x)
            if shade:
                paths.setdefault(shade, []).append(f"M{j} {i}h1v1h-1z")
    drawn = "".join(f'<path fill="#{_grey(shade)}" d="{"".join(cells)}"/>' for shade, cells in sorted(paths.items()))
    caption = "Heat map: the darker a cell, the larger the probability (white: less than 1/576, black: near 1)."
    return _picture(drawn, table.inputs, table.outputs, caption)


def _shade(x: Any) -> int:
    """0 … SHADES: the square root of the entry in steps; negative entries count as 0."""
    low, _ = bounds_of(x, 8)
    if not isinstance(low, Rational) or not low > 0:
        return 0
    shade = 0
    while shade < SHADES and low * (4 * SHADES * SHADES) >= (2 * shade + 1) ** 2:
        shade += 1
    return shade


def _grey(shade: int) -> str:
    value = 245 - 225 * shade // SHADES
    return f"{value:02x}" * 3


def tight_pattern(audit: Audit) -> str:
    """The constraints that are tight (triangles) or break the claimed level (crosses): an edge a row, an
    output a column.
    """
    assert audit.own is not None
    e = audit.own.evidence
    pairs = [(i, j) for i, j, _ in e.neighbours.pairs()]
    place = {pair: k for k, pair in enumerate(pairs)}
    if max(len(pairs), e.mechanism.n_outputs) > MOST:
        return f"<p>{len(e.tight)} constraints are tight. No picture is drawn above {MOST} pairs or outputs.</p>"
    up, down, broken = [], [], []
    for cell in e.tight:
        k = place[min(cell.low, cell.high), max(cell.low, cell.high)]
        x, y = cell.output, k
        if cell.low < cell.high:
            up.append(f"M{x}.5 {y}.15l.38 .7h-.76z")
        else:
            down.append(f"M{x}.5 {y}.85l.38-.7h-.76z")
    wrong = audit.privacy.evidence.violated if audit.privacy is not None else ()
    for cell in wrong:
        k = place[min(cell.low, cell.high), max(cell.low, cell.high)]
        broken.append(f"M{cell.output}.2 {k}.2l.6 .6m0-.6l-.6 .6")
    drawn = f'<path fill="#111" d="{"".join(up)}"/><path fill="#777" d="{"".join(down)}"/>'
    if broken:
        drawn += f'<path fill="none" stroke="#b00" stroke-width=".12" d="{"".join(broken)}"/>'
    names = tuple(f"{e.mechanism.inputs[i]}–{e.mechanism.inputs[j]}" for i, j in pairs)
    caption = (
        f"{len(e.tight)} constraints are tight at the tightest level: ▲ the first input of the pair has the smaller "
        f"probability, ▼ the second."
    )
    if broken:
        caption += f" {len(broken)} break the claimed level (✕)."
    return _picture(drawn, names, e.mechanism.outputs, caption) if pairs else "<p>No pair of inputs is constrained.</p>"


def _picture(drawn: str, rows: Labels, columns: Labels, caption: str) -> str:
    """A grid picture with its labels (some of them, when there are many)."""
    height, width = len(rows), len(columns)
    scale = max(1, -(-max(height, width) // 24))
    size = 0.72 * scale
    left = size * 0.62 * max(len(rows[i][:12]) for i in range(0, height, scale)) + 0.4 * scale
    top = 1.3 * scale
    room = ceil(0.45 * (1 + max(len(label[:6]) for label in columns)))  # in units of the scale, for a label and a blank
    across = [
        f'<text x="{j + 0.5}" y="{-0.35 * scale}" text-anchor="middle">{escape(columns[j][:6])}</text>'
        for j in range(0, width, scale * room)
    ]
    along = [
        f'<text x="{-0.3 * scale}" y="{i + 0.5 + size * 0.35}" text-anchor="end">{escape(rows[i][:12])}</text>'
        for i in range(0, height, scale)
    ]
    frame = f'<rect width="{width}" height="{height}" fill="#fff" stroke="#555" stroke-width="{0.04 * scale}"/>'
    pixels = min(760, max(160, int((width + left) * 30 / scale)))
    margin = 0.2 + 0.6 * (scale - 1)
    box = f"{-left:.2f} {-top:.2f} {width + left + margin:.2f} {height + top + margin:.2f}"
    text = f'<g font-size="{size:.2f}" font-family="sans-serif">{"".join(across)}{"".join(along)}</g>'
    svg = f'<svg viewBox="{box}" width="{pixels}" role="img" aria-label="{escape(caption)}">{frame}{drawn}{text}</svg>'
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
