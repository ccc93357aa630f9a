# SPDX-License-Identifier: MIT
"""``exactdp convert`` and ``exactdp show``: a table or certificate in another format, or for people."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import click

from exactdp.certificate.certificate import write_bytes
from exactdp.checker.kernel import check_bytes
from exactdp.cli.inputs import is_labelled, level_of, read_given
from exactdp.cli.program import PROVED, command, say
from exactdp.cli.reading import Reading, check_writable, decimals_option, leave_out, level_options, read_bytes, title_of
from exactdp.errors import CertificateError, InputError, MalformedCertificateError, ResourceLimitError
from exactdp.exact import Rational
from exactdp.mechanisms import is_mechanism_spec
from exactdp.model import Table
from exactdp.model.labels import Positions
from exactdp.readers.tables import MAX_CHARACTERS
from exactdp.report.certificates import certificate_items
from exactdp.report.html import items_html, page
from exactdp.report.items import Fact, Item, grid_of
from exactdp.report.latex import items_latex
from exactdp.report.text import items_text
from exactdp.report.values import mechanism_json


@command(
    "exactdp convert geometric:n=3,alpha=1/4 --to csv -o g.csv",
    "exactdp convert geometric:n=3 --alpha 1/4 --to sympy",
    "exactdp convert table.csv --to json",
    "exactdp convert c.json --to vipr -o c.vipr",
)
@click.argument("source", metavar="IN")
@click.option("--to", "form", required=True, type=click.Choice(["csv", "json", "npy", "sympy", "vipr"]), help="The format wanted.")
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE, not to standard output.")
@click.option("--labels", is_flag=True, help="CSV files have labels: in their first line and first column.")
@click.option("--dyadic", is_flag=True, help="Read decimals as the doubles nearest to them, exactly.")
@level_options
def convert(source: str, form: str, path: Path | None, labels: bool, dyadic: bool, alpha: str | None, epsilon: str | None) -> None:
    """Write a mechanism or table as CSV, JSON, .npy or sympy source; an optimality certificate as VIPR.

    Nothing is rounded. VIPR 1.0 is the format of exact mixed-integer solvers: with 'exactdp convert c.json
    --to vipr' a checker that we did not write can judge an 'optimal' certificate.
    """
    if path is not None:
        check_writable(path)
    reading = Reading(labels, dyadic)
    table = _named(source, reading, alpha, epsilon)
    if table is None:
        content = read_bytes(source, "IN")
        if is_certificate(content) or form == "vipr":
            reading.require_used()
            _write(path, _vipr(content, form, title_of(source)))
            return
        table = reading.table(content, title_of(source))
    if form == "csv":
        reading.use("labels")
        if is_labelled(table.inputs) != is_labelled(table.outputs) and not labels and not is_mechanism_spec(source):
            which = "rows" if is_labelled(table.inputs) else "columns"
            message = f"only the {which} of {title_of(source)} have labels, and a CSV has both or none; give --labels to number the others"
            raise click.UsageError(f"{message}, or convert to json")
    reading.require_used()
    labelled = is_labelled(table.inputs) or is_labelled(table.outputs)
    if labelled and form == "npy":
        raise click.UsageError(f"{title_of(source)} has labels, and a .npy file has no place for them; convert it to csv or json")
    if form == "vipr":
        raise click.UsageError("--to vipr converts an optimality certificate; make one with 'exactdp optimal … -o c.json'")
    if form == "npy" and not all(isinstance(x, Rational) for row in table.matrix.rows() for x in row):
        message = f"the numbers of {title_of(source)} at this level are not all rational, and a .npy file has no place for others"
        raise click.UsageError(f"{message}; convert it to json")
    _write(path, _WRITERS[form](table, labels))


def _named(text: str, reading: Reading, alpha: str | None, epsilon: str | None) -> Table | None:
    """The table of the mechanism that a word names; None for a file, which has no level."""
    if not is_mechanism_spec(text):
        leave_out("a level is for words such as geometric:n=3", "alpha", "epsilon")
        return None
    given = read_given(text, reading, level=level_of(alpha, epsilon))
    if not given.levelled:
        leave_out(f"{text} does not depend on a level", "alpha", "epsilon")
    return given.table


def _vipr(content: bytes, form: str, title: str) -> str:
    if form != "vipr":
        raise click.UsageError(f"{title} is a certificate; it converts to vipr only ('exactdp show' prints it)")
    if not is_certificate(content):
        raise click.UsageError(f"{title} is no certificate; --to vipr converts those of 'exactdp optimal … -o c.json'")
    from exactdp.certificate.decode import read_certificate
    from exactdp.certificate.vipr import to_vipr

    try:
        return to_vipr(read_certificate(content))
    except (CertificateError, InputError, ResourceLimitError) as error:
        raise type(error)(f"{title} is not converted: {error.message}", **error.facts) from None


def _csv(table: Table, labels: bool) -> str:
    """CSV; with labels if asked for or if there are any, or names other than 0, 1, …."""
    plain = not any(is_labelled(names) or set(names) != set(map(str, range(len(names)))) for names in (table.inputs, table.outputs))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if labels or not plain:
        if not labels:
            click.echo("note: the labels are written; read the file with --labels", err=True)
        writer.writerow(["", *table.outputs])
    for label, row in zip(table.inputs, table.matrix.rows(), strict=True):
        writer.writerow([*([] if plain and not labels else [label]), *map(str, row)])
    return text.getvalue()


def _json(table: Table, _labels: bool) -> str:
    """JSON, with the labels that the table has, or the names of a word's inputs and outputs."""
    body = mechanism_json(table)
    for key, names in (("inputs", table.inputs), ("outputs", table.outputs)):
        if isinstance(names, Positions) and not names.named:
            del body[key]
    return json.dumps(body, indent=1) + "\n"


def _sympy(table: Table, _labels: bool) -> str:
    names = [
        f"# {what}: {', '.join(map(repr, labels))}\n"
        for what, labels in (("rows", table.inputs), ("columns", table.outputs))
        if is_labelled(labels)
    ]
    rows = ",\n    ".join("[" + ", ".join(_sympy_number(x) for x in row) + "]" for row in table.matrix.rows())
    return f"from sympy import Matrix, Rational\n\n{''.join(names)}M = Matrix([\n    {rows},\n])\n"


def _sympy_number(x: Rational) -> str:
    numerator, _, denominator = str(x).partition("/")
    return f"Rational({numerator}, {denominator})" if denominator else numerator


def _npy(table: Table, _labels: bool) -> bytes:
    """An array of integers, when all entries are, else one of texts."""
    import numpy as np

    rows = [[x.as_fraction() for x in row] for row in table.matrix.rows()]
    if all(x.denominator == 1 and abs(x.numerator) < 2**63 for row in rows for x in row):
        array = np.array([[int(x) for x in row] for row in rows], dtype=np.int64)
    else:
        texts = [[str(x) for x in row] for row in rows]
        size = 4 * max(len(x) for row in texts for x in row) * len(texts) * len(texts[0])  # all texts are as wide as the longest
        if size > MAX_CHARACTERS:
            message = f"the .npy file would have {size} bytes; the limit is {MAX_CHARACTERS}. Convert to json instead"
            raise ResourceLimitError(message, limit=MAX_CHARACTERS, got=size)
        array = np.array(texts)
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


_WRITERS: dict[str, Callable[[Table, bool], str | bytes]] = {"csv": _csv, "json": _json, "npy": _npy, "sympy": _sympy}


def _write(path: Path | None, content: str | bytes) -> None:
    """Write to a file, or to standard output."""
    if path is not None:
        write_bytes(path, content if isinstance(content, bytes) else content.encode())
    elif isinstance(content, str):
        say(content.removesuffix("\n"))
    elif sys.stdout.isatty():
        raise click.UsageError(".npy is binary; give -o FILE")
    else:
        sys.stdout.buffer.write(content)


@command(
    "exactdp show geometric:n=3,alpha=1/4",
    "exactdp show geometric:n=3 --alpha 1/4 --latex",
    "exactdp show c.json",
    "exactdp show table.csv --html > table.html",
)
@click.argument("file")
@click.option("--latex", "form", flag_value="latex", help="LaTeX (amsmath).")
@click.option("--html", "form", flag_value="html", help="An HTML page.")
@click.option("--labels", is_flag=True, help="A CSV has labels: in its first line and first column.")
@click.option("--dyadic", is_flag=True, help="Read decimals as the doubles nearest to them, exactly.")
@click.option("--full", is_flag=True, help="Truncate nothing (text).")
@decimals_option
@level_options
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

    A certificate is checked first, and shown with the checker's own sentence; the exit code is the checker's.
    """
    code = PROVED
    if form is not None:
        leave_out(f"it is about text, not --{form}", "approx", "full")
    reading = Reading(labels, dyadic)
    table = _named(file, reading, alpha, epsilon)
    if table is not None:
        items: list[Item] = [grid_of(file, table)]
    else:
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
        try:
            items += certificate_items(json.loads(content))
        except InputError:  # rejected, for an interval without a number or an isolation without a root: the sentence says so
            if answer.status == "accepted":
                raise
    return items, answer.exit_code
