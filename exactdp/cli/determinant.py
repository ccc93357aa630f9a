# SPDX-License-Identifier: MIT
"""``exactdp determinant``: is this closed form the determinant, for all levels?"""

from __future__ import annotations

import re

import click

from exactdp.analysis.determinant import depends_on_level
from exactdp.analysis.determinant import determinant as ask
from exactdp.cli.inputs import level_of
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import (
    Reading,
    header_option,
    in_file,
    leave_out,
    letters_in,
    letters_option,
    names_file,
    no_file,
    read_bytes,
    title_of,
)
from exactdp.errors import ExpressionSyntaxError, InputError
from exactdp.exact import ExactMatrix, RationalFunctionField, parse_expression
from exactdp.exact.formula import LEVEL, names_in
from exactdp.mechanisms import geometric_prime, is_mechanism_spec, mechanism_from_spec
from exactdp.model import PrivacyLevel
from exactdp.model.labels import brief
from exactdp.model.level import is_symbolic
from exactdp.readers.formulas import read_formula_matrix
from exactdp.runtime.budget import require_budget


@command(
    'exactdp determinant --matrix geometric:n=5 --formula "(1-a)^(2*6-3)/(1+a)"',
    'exactdp determinant --matrix geometric-prime:n=3 --formula "(1-a^2)^4"',
    'exactdp determinant --matrix geometric-prime:n=3 --column 1 --formula "(1-a^2)^2*((1+a^2)*x1 - a*(x0+x2))" -o d.edp.json',
    "exactdp determinant --matrix formulas.csv",
    "exactdp determinant --matrix letters.csv --letters '0 < p < 1/2, 0 < q < 1/2'",
    "exactdp determinant --matrix geometric:n=3 --formula '(1-a)^(2*n-1)/(1+a)' --letters 'n = 3'",
    "exactdp determinant --matrix geometric:n=5 --alpha 1/4 --json",
)
@click.option("--matrix", required=True, metavar="MATRIX", help="geometric:n=5, geometric-prime:n=5, or a CSV or JSON of formulas in a.")
@click.option(
    "--formula", metavar="FORMULA", help="A closed form in a (and x0, x1, …) to be judged. Without it: the determinant, factored."
)
@click.option("--column", type=int, metavar="I", help="Replace column I (from 0) by the vector x = (x0, x1, …).")
@click.option("--alpha", metavar="LEVEL", help="Ask at this rational level only, not for all levels.")
@click.option("--epsilon", metavar="EPS", help="Instead of --alpha: ask at the ε of a rational level, such as ln(3).")
@click.option("--labels", is_flag=True, help="A CSV has labels: in its first line and first column.")
@header_option
@letters_option
@answering
def determinant(
    out: Output,
    matrix: str,
    formula: str | None,
    column: int | None,
    alpha: str | None,
    epsilon: str | None,
    labels: bool,
    header: bool | None,
    letters: tuple[str, ...],
) -> int:
    """Is this closed form the determinant, as a function of the level?

    The formula is proved, or refuted with its quotient by the determinant and a level (and a vector x) where
    the two differ.

    A formula has numbers, the level a (or alpha, or α), + - * / ^ and brackets; multiplication is written
    out, and exponents are constant integers such as 3 or (2*6-3). G has the entries a^|i-j| times 1/(1+a) in
    the first and last column and (1-a)/(1+a) in the others; G' (geometric-prime) has the entries a^|i-j|.
    """
    level = None
    reading = out.reading = Reading(labels, letters=letters_in(letters), header=header)
    if epsilon is not None:
        level = level_of(alpha, epsilon, reading=reading)
    elif alpha is not None and not is_symbolic(alpha):
        try:
            level = PrivacyLevel(alpha, letters=reading.read_letters(alpha))
        except InputError as error:
            raise type(error)(f"--alpha: {error.message}", **error.facts) from None
    found = matrix_of(matrix, reading, symbolic=level is None)
    formula = formula and _with_numbers(formula, reading)
    reading.require_used()
    if level is not None and not depends_on_level(found, formula):
        leave_out("neither the matrix nor a formula depends on the level", "alpha", "epsilon")
    if column is not None and (labels or any("labels" in note for note in reading.notes())):
        raise click.UsageError("--column counts columns by position; give a matrix without labels")
    try:
        return out.answer(ask(found, formula=formula, column=column, level=level, progress=out.progress))
    except ExpressionSyntaxError as error:
        if column is None and re.match("x[0-9]", str(formula)[int(str(error.facts["position"])) :]):
            hint = "x0, x1, … are the entries of the vector that --column puts in"
            raise ExpressionSyntaxError(f"{error.message}; {hint}", **error.facts) from None
        if not letters and "is unknown" in str(error.facts["reason"]):
            raise ExpressionSyntaxError(f"{error.message}; --letters says what other letters may be", **error.facts) from None
        raise


def _with_numbers(formula: str, reading: Reading) -> str:
    """The formula, the letters that are numbers written as such: (1-a^2)^(n-1) where n = 3 as (1-a^2)^2."""
    letters = reading.read_letters(formula)
    if letters is None or {*letters.numbers}.isdisjoint(names_in(formula)):
        return formula
    return str(parse_expression(formula, names_in(formula), letters.numbers))


_N = re.compile(r"[:,]n=([0-9]{1,4000})(?:,|$)")


def matrix_of(text: str, reading: Reading, *, symbolic: bool = True) -> ExactMatrix:
    """The matrix over ℚ(α) that a word or a file names; not one whose determinant would be refused."""
    level = RationalFunctionField().gen
    family, colon, rest = text.partition(":")
    size = _N.search(text)
    if size is not None:
        order = int(size[1]) + 1
        by_formula = family in {"geometric", "geometric-prime"}  # of these nothing is eliminated
        of_numbers = not symbolic or re.search("[:,](alpha|epsilon)=", text) is not None
        power = 3 if of_numbers else 4
        if by_formula:
            power = 2
        require_budget(f"the determinant of {text!r}", numbers=order**2, steps=order**power)
    if colon and family == "geometric-prime":
        match = re.fullmatch(r"n=([0-9]{1,4000})", rest)
        if match is None:
            raise InputError(f"--matrix {text[:80]!r}: write geometric-prime:n=5, with an integer n ≥ 0", spec=text)
        return geometric_prime(int(match[1]), level)
    if is_mechanism_spec(text):
        letters = reading.read_letters(rest)
        return mechanism_from_spec(text, letters.read(LEVEL[0]) if letters and reading.has_level else level, letters=letters).matrix
    if not names_file(text):
        raise click.UsageError(
            f"--matrix: {no_file(text)}, and it names no matrix; write geometric:n=5 or geometric-prime:n=5, or give a CSV "
            "or JSON of formulas such as (1-a)/(1+a)"
        )
    title = title_of(text)
    content = read_bytes(text, "the matrix")
    reading.note_subject("matrix", reading.note_file(text, content))
    grid = reading.grid(content, title)
    found = in_file(title, lambda: read_formula_matrix(grid))
    if grid.inputs and grid.outputs and grid.inputs != grid.outputs and len(grid.inputs) == len(grid.outputs):
        reading.say(title, f"the columns are put in the order of the rows, {brief(grid.inputs)}, which may change the sign")
    return found
