# SPDX-License-Identifier: MIT
"""The formats of page one: HTML, Markdown, LaTeX and JSON.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. A page is written
from its lines in one way for each format, so that a page whose bytes are others was edited.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence

from exactdp.certificate.page_one import BOLD, GLOSSARY, HEADS, REQUIRED_HEADS, ROWS, Line, Page

STYLE = (
    ":root{color-scheme:light}body{margin:0 auto;padding:1rem;max-width:60rem;color:#111;background:#fff;overflow-wrap:anywhere}"
    ".page-one{font:15px/1.4 system-ui,sans-serif}.page-one *{box-sizing:border-box}"
    ".page-one h1{font-size:1.3em;margin:0 0 .3em}"
    ".page-one h2{font-size:1.05em;margin:.7em 0 .15em;border-bottom:1px solid #777}"
    ".page-one p{margin:.15em 0}"
    ".page-one .state{font-size:1.3em;font-weight:700;border:2px solid #111;padding:.1em .5em;margin:.3em 0}"
    ".page-one table{border-collapse:collapse;width:100%;font-size:.92em;margin:.2em 0}"
    ".page-one td,.page-one th{border:1px solid #bbb;padding:.05em .35em;text-align:left;vertical-align:top;white-space:normal}"
    ".page-one td,.page-one th{overflow-wrap:normal}"
    ".page-one a{color:inherit}.page-one .sign{margin-top:.6em;border-bottom:1px solid #111;padding-bottom:1.2em}"
    "@page{size:A4;margin:7mm 9mm}"
    "@media print{body{padding:0;max-width:none}.page-one,.page-one table{font-size:8pt;line-height:1.08}"
    ".page-one+*{break-before:page}.page-one h1{font-size:11pt;margin:0}.page-one h2{font-size:8.5pt;margin:.2em 0 0}"
    ".page-one p{margin:.05em 0}.page-one .state{font-size:9pt;margin:.1em 0;padding:0 .4em}.page-one table{margin:.1em 0}"
    ".page-one td,.page-one th{padding:0 .3em}.page-one .sign{margin-top:.3em;padding-bottom:1em}}"
)
"""Of page one: on paper it is one page of A4."""


def html_section(page: Page) -> str:
    """Page one as a part of an HTML page."""
    found = [f'<section class="page-one">\n<h1>Audit of “{html.escape(page.title)}”</h1>']
    for title, lines in page.sections:
        found.append(f"<h2>{html.escape(title)}</h2>")
        found += [_html_table(group) if group[0].says in ROWS else _html_paragraph(group) for group in _grouped(lines)]
    return "\n".join([*found, "</section>"])


def html_page(page: Page, appendix: str = "") -> str:
    """Page one as an HTML page, with what stands after it; it loads nothing."""
    title = f"Audit of “{html.escape(page.title)}”"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
    body = f"{html_section(page)}\n{appendix}"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n'


_APART = ("file", "other-file", "table", "law-file", "command", "sign", "sign-for", "sign-own", *BOLD)
"""Lines that are a paragraph of their own; others follow each other in one, or the verdict in its own."""


def _grouped(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of a section by paragraphs and tables."""
    group: list[Line] = []
    for line in lines:
        joined = bool(group) and _are_joined(group[-1], line)
        if group and not joined:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _is_state(line: Line) -> bool:
    return line.says in BOLD


def _are_joined(before: Line, line: Line) -> bool:
    """Whether a line is of the paragraph, or of the table, of the one before it."""
    if line.says in ROWS:
        return line.says == before.says
    if line.says in REQUIRED_HEADS:
        return before.says in HEADS or before.says in REQUIRED_HEADS
    return _runs_on(line) and _runs_on(before)


def _runs_on(line: Line) -> bool:
    return line.says not in _APART and line.says not in ROWS


def _html_paragraph(group: Sequence[Line]) -> str:
    kind = ' class="state"' if _is_state(group[0]) else ' class="sign"' if group[0].says == "sign" else ""
    return f"<p{kind}>{' '.join(_html_line(line) for line in group)}</p>"


def _html_line(line: Line) -> str:
    pieces = ((html.escape(words), place) for words, place in line.pieces())
    return "".join(f'<a href="{GLOSSARY}{place}">{words}</a>' if place else words for words, place in pieces)


def _html_table(group: Sequence[Line]) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in ROWS[group[0].says][0])
    rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in line.cells()) for line in group]
    return f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def markdown(text: str) -> str:
    r"""Words without what Markdown would take for marks.

    >>> print(markdown("<b> a_b | [x](y) * < 5"))
    &lt;b&gt; a\_b \| \[x\](y) \* < 5
    """
    escaped = re.sub(r"([\\`*_\[\]|~#])", r"\\\1", text)
    marks = {"<": "&lt;", ">": "&gt;"}  # between spaces, or before =, they begin no mark
    return re.sub(r"(?<! )[<>]|[<>](?!=? )", lambda found: marks[found[0]], escaped.replace("&", "&amp;"))


def markdown_page(page: Page) -> str:
    """Page one in Markdown."""
    found = [f"# Audit of “{markdown(page.title)}”"]
    for title, lines in page.sections:
        found.append(f"## {title}")
        for group in _grouped(lines):
            if group[0].says in ROWS:
                head = ROWS[group[0].says][0]
                rows = [head, tuple("---" for _ in head), *(tuple(markdown(cell) or " " for cell in line.cells()) for line in group)]
                found.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
            else:
                text = " ".join(_markdown_line(line) for line in group)
                found.append(f"**{text}**" if _is_state(group[0]) else f"{text} ____________" if group[0].says == "sign" else text)
    return "\n\n".join(found) + "\n"


def _markdown_line(line: Line) -> str:
    pieces = ((markdown(words), place) for words, place in line.pieces())
    return "".join(f"[{words}]({GLOSSARY}{place})" if place else words for words, place in pieces)


_LATEX = {
    **{char: rf"\{char}" for char in "{}$&#%_"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "—": "---", "…": r"\ldots{}"},
    **{
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "−": "$-$",
        "×": r"$\times$",
        "⁻": "$^{-}$",
        **{char: f"$^{{{k}}}$" for k, char in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        "·": r"$\cdot$",
        "∞": r"$\infty$",
    },
    **{"α": r"$\alpha$", "δ": r"$\delta$", "ε": r"$\varepsilon$", "λ": r"$\lambda$", "≤": r"$\le$", "≥": r"$\ge$", "≈": r"$\approx$"},
    **{"`": r"\textasciigrave{}", "'": r"\textquotesingle{}", "-": "-{}"},
}


def latex(text: str) -> str:
    r"""Words with LaTeX's own characters escaped.

    >>> print(latex("50% of a_1"))
    50\% of a\_1
    """
    return "".join(_LATEX.get(char, char) for char in text)


LATEX_HEAD = (
    "\\documentclass[a4paper,9pt]{extarticle}\n\\usepackage[margin=14mm]{geometry}\n\\usepackage[T1]{fontenc}\n\\usepackage{textcomp}\n"
    "\\usepackage{tabularx}\n\\usepackage[hidelinks]{hyperref}\n\\setlength{\\parindent}{0pt}\n\\setlength{\\parskip}{2pt}\n"
    "\\pagestyle{empty}\n\\begin{document}\\raggedright\\sloppy\n"
)
"""What stands before page one; labels of other scripts need xelatex or lualatex."""

LATEX_END = "\n\\end{document}\n"
"""What stands after it."""


def latex_page(page: Page) -> str:
    """Page one in LaTeX."""
    found = [f"{{\\large\\bfseries Audit of “{latex(page.title)}”}}"]
    for title, lines in page.sections:
        found.append(f"\\section*{{\\normalsize {latex(title)}}}")
        for group in _grouped(lines):
            if group[0].says in ROWS:
                found.append(_latex_table(group))
            else:
                text = " ".join(_latex_line(line) for line in group)
                found.append(
                    f"\\fbox{{\\parbox{{0.97\\linewidth}}{{\\bfseries {text}}}}}"
                    if _is_state(group[0])
                    else f"{text}\\ \\hrulefill"
                    if group[0].says == "sign"
                    else text
                )
    return LATEX_HEAD + "\n\n".join(found) + LATEX_END


def _latex_line(line: Line) -> str:
    pieces = ((latex(words), place) for words, place in line.pieces())
    return "".join(f"\\href{{{latex_place(place)}}}{{{words}}}" if place else words for words, place in pieces)


def latex_place(place: str) -> str:
    """The address of a word of the glossary."""
    return f"{GLOSSARY}{place}".replace("#", "\\#")


def _latex_table(group: Sequence[Line]) -> str:
    head = ROWS[group[0].says][0]
    rows = [tuple(map(latex, head)), *(tuple(latex(cell) for cell in line.cells()) for line in group)]
    body = "\n".join(f"{' & '.join(row)} \\\\ \\hline" for row in rows)
    columns = "|".join("X" for _ in head)
    return f"{{\\small\\begin{{tabularx}}{{\\linewidth}}{{|{columns}|}}\\hline\n{body}\n\\end{{tabularx}}}}"


WRITTEN: dict[str, Callable[[Page], str]] = {"html": html_page, "md": markdown_page, "tex": latex_page, "json": Page.to_json}
"""How page one is written in each format."""
