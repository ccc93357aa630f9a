# SPDX-License-Identifier: MIT
"""The options of ``exactdp audit`` about page one: where it is written, and what the auditor states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from exactdp.analysis.audit_evidence import Audit
from exactdp.analysis.law_audit import LawAudit
from exactdp.analysis.verdict import Verdict
from exactdp.cli.output import Output
from exactdp.cli.program import command_line, progress_line
from exactdp.cli.reading import Reading, WritablePath, all_read, in_file, leave_out, read_bytes
from exactdp.errors import InputError
from exactdp.runtime.progress import Progress

if TYPE_CHECKING:
    from exactdp.analysis.audit_summary import AuditSummary

F = TypeVar("F", bound=Callable[..., Any])

KINDS = {".html": "html", ".htm": "html", ".md": "md", ".tex": "tex"}
"""The formats of page one, by the ends of names."""

_PAGE, _STATED, _STATEMENTS = "exactdp.cli.page_one", "exactdp.cli.page_one.stated", "exactdp.cli.page_one.statements"
"""Where the context of the command keeps what was given, and what it states."""

STATED_TOPICS = (
    "name",
    "unit",
    "neighbours",
    "sampler",
    "floating-point",
    "side-channels",
    "composition",
    "access",
    "collection",
    "grid-unit",
)
"""What can be stated: the same as on page one, which is loaded where there is one."""


def page_options(function: F) -> F:
    """The options ``--page``, ``--unit``, ``--state`` and ``--statements``; they are kept for this module."""
    options = (
        click.option(
            "--page",
            type=WritablePath(),
            metavar="FILE",
            expose_value=False,
            callback=_kept,
            help="Write page one, which is signed, with an appendix, as .html, .md or .tex.",
        ),
        click.option("--unit", metavar="TEXT", expose_value=False, callback=_stated, help="State the unit of privacy, on page one."),
        click.option(
            "--state",
            multiple=True,
            metavar="TOPIC=TEXT",
            expose_value=False,
            callback=_stated,
            help="State what is not decided here, on page one, as in sampler='tested by T' (repeatable). "
            f"Topics: {', '.join(STATED_TOPICS)}.",
        ),
        click.option(
            "--statements",
            type=click.Path(),
            metavar="FILE",
            expose_value=False,
            callback=_stated,
            help="A file of TOML with such statements.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def _kept(context: click.Context, _param: click.Parameter, value: Path | None) -> None:
    if value is not None and value.suffix.lower() not in KINDS:
        raise click.UsageError(f"--page: {value.name!r} ends in none of {', '.join(KINDS)}; give a name that does")
    context.meta[_PAGE] = value


def _stated(context: click.Context, param: click.Parameter, value: Any) -> None:
    if value:
        context.meta.setdefault(_STATED, {})[param.name] = value


def page_place() -> Path | None:
    """Where page one is to be written."""
    place: Path | None = click.get_current_context().meta.get(_PAGE)
    return place


def statements() -> dict[str, str]:
    """What the auditor states, from all options; their file is read once."""
    context = click.get_current_context()
    if _STATEMENTS not in context.meta:
        context.meta[_STATEMENTS] = _statements(context.meta.get(_STATED, {}))
    found: dict[str, str] = context.meta[_STATEMENTS]
    return found


def _statements(given: Mapping[str, Any]) -> dict[str, str]:
    """What the options state; a topic is stated once."""
    found: dict[str, str] = {}
    if not given:
        return found
    from exactdp.report.page_run import as_statements, statements_of  # with all that is shown

    if "statements" in given:
        name = str(given["statements"])
        try:
            text = read_bytes(name, "--statements").decode()
        except ValueError as error:
            raise click.UsageError(f"--statements: can't read {name!r}: {error}") from None
        found = in_file(name, lambda: statements_of(text))
    pairs = [("unit", str(given["unit"]), "--unit")] if "unit" in given else []
    for text in given.get("state", ()):
        topic, equals, said = str(text).partition("=")
        if not equals:
            raise click.UsageError(f"--state {text!r} is no TOPIC=TEXT, such as sampler='tested by T'")
        pairs.append((topic.strip(), said, "--state"))
    for topic, said, option in pairs:
        if topic in found:
            raise click.UsageError(f"{option}: {topic!r} is stated twice; state it once")
        try:
            found |= as_statements({topic: said})
        except InputError as error:
            raise click.UsageError(f"{option}: {error.message}") from None
    return found


def require_page(*, bundle: Path | None, compare: str | None) -> None:
    """Refuse statements that stand nowhere, and page one of two tables; they are read before any work."""
    context = click.get_current_context()
    if page_place() is None and bundle is None:
        for name in context.meta.get(_STATED, {}):
            raise click.UsageError(f"--{name} has no effect: it stands on page one; add --page FILE or --bundle DIR, or leave it out")
    if page_place() is not None and compare is not None:
        leave_out("page one is about one table", "compare")
    if bundle is not None and compare is not None:
        leave_out("a bundle is about one table", "compare")
    statements()


def summary_of(verdict: Verdict[Any], reading: Reading) -> AuditSummary | LawAudit:
    """The numbers of page one, with how those of the table were read."""
    from exactdp.analysis.audit_summary import AuditSummary, audit_summary  # where there is a page

    precision = "doubles" if reading.dyadic else "decimals" if reading.saw_decimals else "exact"
    found = audit_summary(verdict, precision)
    return replace(found, rows_named=reading.rows_named) if isinstance(found, AuditSummary) else found


def write_page(verdict: Verdict[Any], out: Output, word: str) -> None:
    """Write page one, and say so in a note."""
    place = page_place()
    if place is None or out.reading is None:
        return
    if out.limits:
        out.notes.append("page one was not written: the time was up")
        return
    from exactdp.certificate.bundle_files import sha256
    from exactdp.certificate.page_one_formats import LATEX_END, WRITTEN, html_page
    from exactdp.report.audit_page import audit_appendix
    from exactdp.report.bundle import today
    from exactdp.report.html import items_html, verdict_html
    from exactdp.report.page_one import appendix, exact_section, page_one
    from exactdp.report.page_run import Run

    progress_line()(Progress("writing page one"))
    files = tuple((name, sha256(content), what == "the mechanism") for name, what, content in all_read())
    is_file = any(is_table for _, _, is_table in files)
    reading = {
        "renormalise": out.reading.renormalise,
        "transpose": out.reading.transpose,
        "header": out.reading.header,
        "labels": out.reading.labels,
    }
    summary = summary_of(verdict, out.reading)
    run = Run(today(), command_line(), files, "" if is_file else word, reading, statements=statements())
    page, kind = page_one(summary, run), KINDS[place.suffix.lower()]
    named = out.named(verdict)
    exact = exact_section(summary)
    if kind == "tex":
        text = WRITTEN[kind](page).removesuffix(LATEX_END) + appendix(summary, kind) + LATEX_END
    elif kind == "md":
        text = WRITTEN[kind](page) + appendix(summary, kind)
    elif isinstance(verdict.evidence, Audit):
        text = html_page(page, audit_appendix(named, out.notes_beside(verdict.claim), exact))
    else:
        text = html_page(
            page, f"<section><h1>Appendix</h1><p>{escape(named.claim)}</p>{verdict_html(named)}{items_html([exact])}</section>"
        )
    if out.write(place, text):
        out.notes.append(f"page one was written to {place}")
