# SPDX-License-Identifier: MIT
"""``exactdp show``: a certificate, mechanism or table for people."""

from __future__ import annotations

import json

import click

from exactdp.checker.kernel import check_bytes
from exactdp.cli.command import ExampleCommand
from exactdp.cli.failures import PROVED
from exactdp.cli.files import read_bytes, title_of
from exactdp.cli.options import level_options
from exactdp.cli.reading import Reading, leave_out
from exactdp.cli.specs import level_of, read_given
from exactdp.cli.stream import say
from exactdp.errors import MalformedCertificateError
from exactdp.mechanisms import is_mechanism_spec
from exactdp.report.certificates import certificate_items
from exactdp.report.html import items_html, page
from exactdp.report.items import Fact, Item, grid_of
from exactdp.report.latex import items_latex
from exactdp.report.text import items_text

__all__ = ["show"]


@click.command(
    cls=ExampleCommand,
    examples=(
        "exactdp show geometric:n=3,alpha=1/4",
        "exactdp show geometric:n=3 --alpha 1/4 --latex",
        "exactdp show c.json",
        "exactdp show table.csv --html > table.html",
    ),
)
@click.argument("file")
@click.option("--latex", "form", flag_value="latex", help="LaTeX (amsmath).")
@click.option("--html", "form", flag_value="html", help="An HTML page.")
@click.option("--labels", is_flag=True, help="A CSV has labels: in its first line and first column.")
@click.option("--dyadic", is_flag=True, help="Read decimals as the doubles nearest to them, exactly.")
@click.option("--full", is_flag=True, help="Truncate nothing (text).")
@click.option("--decimals/--no-decimals", "approx", default=None, help="Decimals beside all fractions, or none (default: long ones).")
@level_options
@click.option("--debug", is_flag=True, expose_value=False, help="Show a traceback when something fails.")
def show(
    file: str,
    form: str | None,
    labels: bool,
    dyadic: bool,
    full: bool,
    approx: bool | None,
    alpha: str | None,
    epsilon: str | None,
) -> None:
    """Print a certificate, a mechanism or a table for people.

    A certificate is checked by the kernel first, and shown with the kernel's own sentence; the exit code is the kernel's answer.
    """
    code = PROVED
    reading = Reading(labels, dyadic)
    if is_mechanism_spec(file):
        given = read_given(file, reading, level=level_of(alpha, epsilon))
        if not given.levelled:
            leave_out(f"{file} does not depend on a level", "alpha", "epsilon")
        items: list[Item] = [grid_of(file, given.table)]
    else:
        leave_out("a level is for words such as geometric:n=3", "alpha", "epsilon")
        content = read_bytes(file, "FILE")
        if is_certificate(content):
            items, code = _certificate(content, title_of(file))
        else:
            items = [grid_of(title_of(file), reading.table(content, title_of(file)))]
    reading.require_used()
    if form == "latex":
        say(items_latex(items))
    elif form == "html":
        say(page(title_of(file), items_html(items)))
    else:
        say(items_text(items, approx=approx, full=full))
    click.get_current_context().exit(code)


def is_certificate(content: bytes) -> bool:
    """Whether the bytes are a JSON object that says it is a certificate."""
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    return b'"exactdp-certificate"' in content or b'"witness"' in content


def _certificate(content: bytes, title: str) -> tuple[list[Item], int]:
    answer = check_bytes(content)
    if answer.status == "malformed":
        raise MalformedCertificateError(f"{title}: {answer.sentence}", status=answer.status)
    items: list[Item] = [Fact(answer.status, answer.sentence)]
    if answer.status in {"accepted", "rejected"}:
        items += certificate_items(json.loads(content))
    return items, answer.exit_code
