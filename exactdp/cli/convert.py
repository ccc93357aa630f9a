# SPDX-License-Identifier: MIT
"""``exactdp convert`` and ``exactdp show``: a table or certificate in another format, or for people."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import click

from exactdp.certificate.loading import is_certificate
from exactdp.checker.kernel import check_bytes
from exactdp.cli.inputs import is_labelled, leave_level_out, level_of, mended_table, read_given, require_file
from exactdp.cli.program import PROVED, command, finish, progress_line, say, tell, terminal_width
from exactdp.cli.reading import (
    Reading,
    WritablePath,
    decimals_option,
    header_option,
    in_file,
    leave_out,
    letters_in,
    letters_option,
    level_options,
    may_be_formulas,
    read_bytes,
    title_of,
    transpose_option,
)
from exactdp.errors import (
    CertificateError,
    ExpressionSyntaxError,
    InputError,
    MalformedCertificateError,
    ResourceLimitError,
    printable,
)
from exactdp.exact import ExponentialField, ExponentialNumber, Rational, RationalField, RationalFunctionField, RegionField
from exactdp.exact.decimals import MOST_DECIMALS
from exactdp.exact.number_field import NumberField
from exactdp.exact.repeated import different
from exactdp.mechanisms import is_mechanism_spec
from exactdp.model import PrivacyLevel, Table
from exactdp.model.labels import given_names
from exactdp.readers.formulas import has_letters, read_formula_table
from exactdp.readers.tables import require_rows
from exactdp.report.certificates import certificate_items, value_line
from exactdp.report.html import items_html, page, table_html
from exactdp.report.items import Fact, Item, explained, grid_of
from exactdp.report.latex import LONG_NUMBER, items_latex
from exactdp.report.text import items_text
from exactdp.runtime.budget import require_budget
from exactdp.runtime.files import write_file
from exactdp.runtime.progress import Progress

_FORMS = ("csv", "json", "npy", "sympy", "latex", "vipr", "coq")
_FORMS_OF_FILES = {".csv": "csv", ".json": "json", ".npy": "npy", ".py": "sympy", ".tex": "latex", ".vipr": "vipr", ".v": "coq"}
"""The formats, and the endings of files that say them."""


class _Form(click.Choice[str]):
    """A format, which may also be called by the ending of its files."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(_FORMS_OF_FILES.get(f".{value}", value), param, ctx)


def _form(path: Path | None) -> str:
    """The format that the name of a file says."""
    found = None if path is None else _FORMS_OF_FILES.get(path.suffix.lower())
    if found is None:
        endings = ", ".join(_FORMS_OF_FILES)
        raise click.UsageError(f"say the format: --to {', '.join(_FORMS)}; or by the ending of the file of -o: {endings}")
    return found


@command(
    "exactdp convert geometric:n=3,alpha=1/4 --to csv -o g.csv",
    "exactdp convert geometric:n=3 --alpha 1/4 --to sympy",
    "exactdp convert geometric:n=2 --epsilon 1/2 --to csv",
    "exactdp convert table.csv --to json",
    "exactdp convert printed.csv --renormalise --to csv -o repaired.csv",
    "exactdp convert table-in-a.csv --epsilon 1 --to latex",
    "exactdp convert letters.csv --letters '0 < p < 1/2, 0 < q < 1/2' --to json",
    "exactdp convert c.json --to vipr -o c.vipr",
    "exactdp convert c.json --to coq -o c.v",
)
@click.argument("source", metavar="IN")
@click.option("--to", "form", type=_Form(_FORMS), help="The format wanted; left out, the ending of the file of -o says it.")
@click.option("-o", "--output", "path", type=WritablePath(), metavar="FILE", help="Write to FILE, not to standard output.")
@click.option("--labels", is_flag=True, help="CSV files have labels: in their first line and first column.")
@header_option
@transpose_option
@click.option("--dyadic", is_flag=True, help="Read decimals as the doubles nearest to them, exactly.")
@click.option("--renormalise", "--renormalize", is_flag=True, help="Divide each row of a table by its sum.")
@click.option(
    "--decimals",
    type=click.IntRange(0, MOST_DECIMALS),
    metavar="K",
    help="With --to latex: a table with labels and numbers rounded to K digits after the point.",
)
@letters_option
@level_options
def convert(
    source: str,
    form: str | None,
    path: Path | None,
    labels: bool,
    header: bool | None,
    transpose: bool,
    dyadic: bool,
    renormalise: bool,
    decimals: int | None,
    letters: tuple[str, ...],
    alpha: str | None,
    epsilon: str | None,
) -> None:
    """Write a mechanism or table as CSV, JSON, .npy, LaTeX or sympy source; a certificate as VIPR or as Coq.

    Nothing is rounded (but by --decimals): CSV, JSON, .npy and LaTeX are read back to the same table.
    --renormalise writes the repaired table that other commands judge with it. A level (--alpha or --epsilon)
    is put in for the letter a of a table of formulas. In them the level is the letter a, and numbers of a
    level given as ε are formulas such as 1/(1 + exp(-1/2)). Other letters are told by --letters; JSON keeps
    what is assumed about them. A certificate's table is the one that it is about. VIPR 1.0 is the format of
    exact mixed-integer solvers: with 'exactdp convert c.json --to vipr' a checker that we did not write can
    judge what is one linear program with rational numbers: optima, least losses after a remap, derivability,
    tight-constraints mechanisms, regular priors. The file's first lines say what part of the claim it is.
    With --to coq the last theorem of the file is the claim of a certificate; 'coqc -Q proofs/coq ExactDP c.v'
    proves it, beside the compiled theory (make -C proofs/coq checker).
    """
    form = form or _form(path)
    if decimals is not None and form != "latex":
        raise click.UsageError(f"--decimals rounds a table for --to latex, and --to {form} keeps exact numbers; leave it out")
    reading = Reading(labels, dyadic, renormalise, letters=letters_in(letters), header=header, transpose=transpose)
    table, level = _named(source, reading, alpha, epsilon)
    title = source if table is not None else title_of(source)
    if table is None:
        content = read_bytes(source, "IN")
        if form in _OF_CERTIFICATES:
            leave_out("a certificate has its own level", "alpha", "epsilon")
            reading.require_used()
            _write(path, _converted(content, title, form))
            return
        table = _in_file(content, title, reading, level)
    if form == "csv":
        reading.use("labels")
        if is_labelled(table.inputs) != is_labelled(table.outputs) and not labels and not is_mechanism_spec(source):
            which = "rows" if is_labelled(table.inputs) else "columns"
            message = f"only the {which} of {title} have labels, and a CSV has both or none; give --labels to number the others"
            raise click.UsageError(f"{message}, or convert to json")
    reading.require_used()
    _say_notes(reading)
    if form == "npy" and _names(table):
        raise click.UsageError(f"{title} has labels, and a .npy file has no place for them; convert it to csv or json")
    if decimals is not None:
        _write(path, in_file(title, lambda: f"{table.to_latex(decimals)}\n"))
        return
    if form == "latex" and _names(table):
        tell("note: the labels are not written; a bmatrix has no place for them (--decimals 4 writes a table with them, rounded)")
    if form in _OF_CERTIFICATES:
        raise click.UsageError(f"--to {form} converts {_OF_CERTIFICATES[form]}; make one with 'exactdp optimal … -o c.json'")
    _write(path, in_file(title, lambda: _WRITERS[form](table, labels)))


def _in_file(content: bytes, title: str, reading: Reading, level: PrivacyLevel | None) -> Table:
    """The table of a certificate or of a file, at the level if one is given."""
    if is_certificate(content):
        leave_out("a certificate has its own level", "alpha", "epsilon")
        return _certified(content, title)
    table = _table(content, title, reading, level)
    if not reading.renormalise:
        return table
    if not isinstance(table.matrix.field, RationalField):
        raise click.UsageError(f"--renormalise divides rows of numbers, and {title} has formulas; write the division in the formulas")
    return mended_table(table, title, reading, None)


def _table(content: bytes, title: str, reading: Reading, level: PrivacyLevel | None = None) -> Table:
    """The table of a file, of numbers or of formulas in the level; a level is put in for its letter."""
    grid = reading.mechanism_grid(content, title)
    try:
        table = reading.numbers(grid, title)
    except InputError as error:
        if not may_be_formulas(error, grid):
            raise
        try:
            if level is None or not has_letters(grid):
                found = in_file(title, lambda: read_formula_table(grid, dyadic=reading.dyadic))
            else:
                return in_file(title, lambda: read_formula_table(grid, dyadic=reading.dyadic, alpha=level.alpha))
        except ExpressionSyntaxError:
            raise error from None
        _leave_level(title)
        return found
    _leave_level(title)
    if reading.header is None or reading.transpose:
        in_file(title, lambda: require_rows(grid, table, transposed=reading.transpose))
    return table


def _leave_level(title: str) -> None:
    """Refuse a level beside what has no letter that it could be put in for."""
    leave_out(f"a level is for words such as geometric:n=3 and for tables with the letter a, and {title} has none", "alpha", "epsilon")


def _certified(content: bytes, title: str) -> Table:
    """The table that a certificate is about, once the checker has accepted it."""
    from exactdp.certificate.decode import Decoder, read_certificate

    return in_file(title, lambda: Decoder(read_certificate(content)).table())


def _say_notes(reading: Reading) -> None:
    """How the file was read, on standard error: what is printed is the table."""
    for note in reading.notes():
        tell(f"note: {note}")


def _named(text: str, reading: Reading, alpha: str | None, epsilon: str | None) -> tuple[Table | None, PrivacyLevel | None]:
    """The table of the mechanism that a word names, None for a file; and the level that is asked for."""
    if not is_mechanism_spec(text):
        require_file(text)
        return None, level_of(alpha, epsilon, reading=reading)
    level = level_of(alpha, epsilon, reading=reading)
    given = read_given(text, reading, level=level)
    if not given.levelled:
        leave_level_out(text)
    return given.table, level


_OF_CERTIFICATES = {"vipr": "a certificate", "coq": "a certificate"}
"""The formats that are not of tables."""


def _converted(content: bytes, title: str, form: str) -> str:
    """A certificate in a format for other checkers."""
    if not is_certificate(content):
        raise click.UsageError(f"{title} is no certificate; --to {form} converts those of 'exactdp optimal … -o c.json'")
    from exactdp.certificate.coq import to_coq
    from exactdp.certificate.decode import read_certificate
    from exactdp.certificate.vipr import to_vipr

    try:
        return (to_vipr if form == "vipr" else to_coq)(read_certificate(content))
    except (CertificateError, InputError, ResourceLimitError) as error:
        raise type(error)(f"{title} is not converted: {error.message}", **error.facts) from None


def _texts(table: Table, form: str) -> list[list[str]]:
    """The entries as texts that are read back: numbers, and formulas in letters or with exp(…)."""
    field = table.matrix.field
    _refuse_roots(field)
    if isinstance(field, RationalFunctionField) and field != RationalFunctionField():
        raise InputError(
            f"the entries are functions of {field.name_of_level} on {field.interval}, and those of a file are functions of a on (0, 1)",
            field=field,
        )
    if isinstance(field, RegionField) and form != "json":
        tell(f"note: read the file with --letters {shlex.quote(str(field.region))}")
    return _each(table, lambda x: x.formula() if isinstance(x, ExponentialNumber) else str(x))


def _each(table: Table, text_of: Callable[[Any], str]) -> list[list[str]]:
    """The texts of the entries, row by row; that of an object is made once."""
    rows = list(table.matrix.rows())
    text = {id(x): text_of(x) for x in different(chain.from_iterable(rows))}
    return [[text[id(x)] for x in row] for row in rows]


def _refuse_roots(field: Any) -> None:
    """Refuse numbers of a field of roots, whose letter a file can't say."""
    if isinstance(field, NumberField):
        letters = ", ".join(f"{name} = {what}" for name, what in field.legend.items())
        raise InputError(
            f"the entries have {letters}, a root, and a file of numbers has no word for it; convert to latex, or give a rational ε",
            field=field,
        )


def _names(table: Table) -> dict[str, list[str]]:
    """The labels of inputs and outputs where there are some, or names other than 0, 1, …."""
    axes = {"inputs": given_names(table.inputs), "outputs": given_names(table.outputs)}
    return {what: names for what, names in axes.items() if names is not None}


def _csv(table: Table, labels: bool) -> str:
    """CSV; with labels if asked for or if there are any, or names other than 0, 1, …."""
    plain = not any(is_labelled(names) or set(names) != set(map(str, range(len(names)))) for names in (table.inputs, table.outputs))
    lines = []
    if labels or not plain:
        if not labels:
            tell("note: the labels are written; read the file with --labels")
        lines.append(["", *map(_quoted, table.outputs)])
    for label, row in zip(table.inputs, _texts(table, "csv"), strict=True):
        cells = row if len(row) > 1 else [row[0].replace(" ", "")]  # alone on a line its blanks would stand between cells
        lines.append([*([] if plain and not labels else [_quoted(label)]), *cells])
    return "".join(",".join(line) + "\n" for line in lines)


def _quoted(label: str) -> str:
    """A label as a cell of a CSV, in quotation marks unless it is plain words."""
    if re.search("[\r\n\0\ufeff\ud800-\udfff]", label):
        raise click.UsageError(f"the label {label!a} has a line break or what is no text, which a CSV has no place for; convert to json")
    return label if re.fullmatch(r"[\w.+-]+( [\w.+-]+)*", label) else '"' + label.replace('"', '""') + '"'


def _json(table: Table, _labels: bool) -> str:
    """JSON, with what letters stand for, and the labels of the table, or the names that a word gives."""
    field = table.matrix.field
    letters: dict[str, Any] = {}
    if isinstance(field, RegionField):
        assumed, where = field.region.told()
        letters = {"letters": assumed, **({"where": where} if where else {})}
    return json.dumps({**letters, **_names(table), "rows": _texts(table, "json")}, indent=1) + "\n"


def _sympy(table: Table, _labels: bool) -> str:
    """Python source: the letters that the entries have, the labels if there are some, and the matrix M."""
    field = table.matrix.field
    _refuse_roots(field)
    lines, used = [], ["Matrix", "Rational"]
    if isinstance(field, ExponentialField):
        used += ["exp", "sqrt"] if max(field.roots) > 1 else ["exp"]
        for name, q in zip(field.names, field.roots, strict=True):
            lines.append(f"{name} = exp(-{_sympy_number(field.rate)}{'' if q == 1 else f'*sqrt({q})'})")
    elif isinstance(field, RationalFunctionField):
        used.append("Symbol")
        lines.append(f"{field.name_of_level} = Symbol({field.name_of_level!r})")
    elif isinstance(field, RegionField):
        used.append("Symbol")
        lines += [f"# for {field.region}", *(f"{name} = Symbol({name!r})" for name in field.names)]
    lines += [f"{what} = {names!r}" for what, names in _names(table).items()]
    rows = ",\n    ".join("[" + ", ".join(row) + "]" for row in _each(table, _sympy_number))
    return "\n".join([f"from sympy import {', '.join(used)}", "", *lines, "M = Matrix([", f"    {rows},", "])", ""])


def _sympy_number(x: Any) -> str:
    """A number as Python reads it, which takes longer integers in hexadecimal digits only."""
    if not isinstance(x, Rational) and x.rational is None:
        text = str(x).replace("^", "**")
    else:
        numerator, _, denominator = str(x).partition("/")
        text = f"Rational({numerator}, {denominator})" if denominator else numerator
    return re.sub(r"[0-9]{4000,}", lambda digits: hex(Rational(digits[0]).numerator), text)


def _npy(table: Table, _labels: bool) -> bytes:
    """An array of integers, when all entries are, else one of texts."""
    import numpy as np

    rows = list(table.matrix.rows())
    if all(isinstance(x, Rational) and x.denominator == 1 and abs(x.numerator) < 2**63 for row in rows for x in row):
        array = np.array([[x.numerator for x in row] for row in rows], dtype=np.int64)
    else:
        texts = _texts(table, "npy")
        size = 4 * max(len(x) for row in texts for x in row) * len(texts) * len(texts[0])  # all texts are as wide as the longest
        require_budget("the .npy file (JSON is smaller)", memory=4 * size)
        array = np.array(texts)
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def _latex(table: Table, _labels: bool) -> str:
    r"""A ``bmatrix``, which is read back; amsmath sets more than 10 columns after a line that says so."""
    columns = table.matrix.shape[1]
    wide = f"\\setcounter{{MaxMatrixCols}}{{{columns}}}\n" if columns > 10 else ""
    text = table.matrix.to_latex()
    longest = max(len(str(x)) for x in different(chain.from_iterable(table.matrix.rows())))
    if longest > LONG_NUMBER and not isinstance(table.matrix.field, RationalFunctionField | RegionField):
        tell(f"note: entries have up to {longest:,} characters; --decimals 4 writes a table of rounded numbers, with its labels")
    return f"{wide}{text}\n"


_WRITERS: dict[str, Callable[[Table, bool], str | bytes]] = {"csv": _csv, "json": _json, "npy": _npy, "sympy": _sympy, "latex": _latex}

_ENDINGS = {".csv": _csv, ".json": _json, ".tex": _latex}
"""The formats of a table that is written beside an answer, by the ending of the file."""


def writer_for(path: Path) -> Callable[[Table], str]:
    """What writes a table to a file of this name.

    >>> writer_for(Path("t.xls"))
    Traceback (most recent call last):
    ...
    click.exceptions.UsageError: --repaired: 't.xls' ends as no format of tables; end it with .csv, ...
    """
    write = _ENDINGS.get(path.suffix.lower())
    if write is None:
        raise click.UsageError(f"--repaired: {path.name[:80]!r} ends as no format of tables; end it with .csv, .json or .tex")
    return lambda table: write(table, False)


def _write(path: Path | None, content: str | bytes) -> None:
    """Write to a file or standard output what is read back; a terminal gets only what it shows."""
    data = content if isinstance(content, bytes) else content.encode()
    if path is not None:
        write_file(path, data)
    elif not sys.stdout.isatty():
        finish()
        sys.stdout.buffer.write(data)
    elif isinstance(content, bytes):
        raise click.UsageError(".npy is binary; give -o FILE")
    elif any(printable(line) != line for line in content.split("\n")):
        raise click.UsageError("the labels have characters that a terminal doesn't show as they are; give -o FILE, or --to json")
    else:
        say(content.removesuffix("\n"))


@command(
    "exactdp show geometric:n=3,alpha=1/4",
    "exactdp show geometric:n=3 --alpha 1/4 --latex",
    "exactdp show c.json",
    "exactdp show table.csv --html > table.html",
    "exactdp show table.csv -o table.svg",
    "exactdp show letters.csv --letters '0 < p < 1/2, 0 < q < 1/2'",
)
@click.argument("file")
@click.option("--latex", is_flag=True, help="LaTeX (amsmath).")
@click.option("--html", is_flag=True, help="An HTML page, with a picture of the table.")
@click.option("-o", "--output", "path", type=WritablePath(), metavar="FILE", help="Draw the table: .svg, .png or .pdf (exactdp[plot]).")
@click.option("--labels", is_flag=True, help="A CSV has labels: in its first line and first column.")
@header_option
@transpose_option
@click.option("--dyadic", is_flag=True, help="Read decimals as the doubles nearest to them, exactly.")
@click.option("--full", is_flag=True, help="Truncate nothing (text).")
@decimals_option
@letters_option
@level_options
def show(
    file: str,
    latex: bool,
    html: bool,
    path: Path | None,
    labels: bool,
    header: bool | None,
    transpose: bool,
    dyadic: bool,
    full: bool,
    approx: bool | None,
    letters: tuple[str, ...],
    alpha: str | None,
    epsilon: str | None,
) -> None:
    """Print a certificate, a mechanism or a table for people.

    A certificate is checked first, and shown with the checker's own sentence; the exit code is the checker's.

    A picture of a table is drawn by -o m.svg (or .png, .pdf), and in the page of --html: a square for each
    entry, darker where it is more probable. Of a certificate the table that it is about is drawn, such as the
    optimal mechanism.
    """
    code = PROVED
    if path is not None and path.suffix.lower() not in PICTURE_FILES:
        raise click.UsageError(f"-o draws the table as {', '.join(PICTURE_FILES)}; for {path.name} {_instead(path)}")
    if path is not None:
        leave_out("the picture is written, and nothing is printed", "latex", "html", "approx", "full")
    if latex and html:
        raise click.UsageError("give --latex or --html, not both")
    if latex or html:
        leave_out(f"it is about text, not --{'latex' if latex else 'html'}", "approx", "full")
    reading = Reading(labels, dyadic, letters=letters_in(letters), header=header, transpose=transpose)
    table, level = _named(file, reading, alpha, epsilon)
    items: list[Item]
    drawn: Table | None = None
    if table is not None:
        items = [grid_of(explained(file, table), table)]
    else:
        content = read_bytes(file, "FILE")
        if is_certificate(content):
            leave_out("a certificate has its own level", "alpha", "epsilon")
            progress_line()(Progress("checking the certificate"))
            items, code = _certificate(content, title_of(file))
            drawn = None if path is None else _certified(content, title_of(file))
        else:
            table = _table(content, title_of(file), reading, level)
            items = [grid_of(explained(title_of(file), table), table)]
    reading.require_used()
    _say_notes(reading)
    if path is not None:
        _draw(table or drawn, path)
    elif latex:
        say(items_latex(items))
    elif html:
        say(page(title_of(file), items_html(items) if table is None else table_html(table, items)))
    else:
        say(items_text(items, approx=approx, full=full, width=None if full else terminal_width()))
    click.get_current_context().exit(code)


PICTURE_FILES = (".svg", ".png", ".pdf")
"""Endings of the files of pictures."""


def _instead(path: Path) -> str:
    """What writes another file."""
    kinds = {".html": "--html", ".htm": "--html", ".tex": "--latex"}
    option = kinds.get(path.suffix.lower())
    return f"use {option} > {path.name}" if option else "see 'exactdp convert --help'"


def _draw(table: Table | None, path: Path) -> None:
    """Write the picture of a table."""
    assert table is not None
    content = io.BytesIO()
    table.plot().savefig(content, format=path.suffix.lower().removeprefix("."))
    write_file(path, content.getvalue())
    tell(f"the picture was written to {path}")


def _certificate(content: bytes, title: str) -> tuple[list[Item], int]:
    answer = check_bytes(content)
    if answer.status == "malformed":
        raise MalformedCertificateError(f"{title}: {answer.sentence}", status=answer.status)
    value = value_line(json.loads(content)) if answer.status == "accepted" else ""
    items: list[Item] = [Fact(answer.status, value), Fact("the checker says", answer.sentence)] if value else []
    items = items or [Fact(answer.status, answer.sentence)]
    if answer.status in {"accepted", "rejected"}:
        try:
            items += certificate_items(json.loads(content), accepted=answer.status == "accepted")
        except InputError:  # rejected, for an interval without a number or an isolation without a root: the sentence says so
            if answer.status == "accepted":
                raise
    return items, answer.exit_code
