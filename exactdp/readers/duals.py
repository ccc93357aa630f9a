# SPDX-License-Identifier: MIT
"""The multipliers of the optimal-mechanism problem as a CSV, a line each: to be filled in, and read.

A line names its constraint, so that no order has to be known: ``weight,INPUT,,,W``, ``potential,INPUT,,,M``
and ``privacy,INPUT,OTHER,GUESS,U``, where U ≥ 0 belongs to x(INPUT, GUESS) ≥ α^d·x(OTHER, GUESS). What a
solver returns has its multipliers in the order of these lines.

The multipliers that solvers return are in the order of their constraints. For a minimisation SciPy and HiGHS
return how the optimum changes with the right side of a constraint: ≤ 0 for "≤". CVXPY returns what multiplies
left − right in the Lagrangian: ≥ 0 for "≤" and "≥", and for an equation the negative of the other two.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from numbers import Real
from os import PathLike
from typing import Any, Protocol

from exactdp.errors import ExactDPError, InexactInputError, InputError, ShapeError, UndecidedSignError, brief_value, wrong_kind
from exactdp.exact import LettersLike, Rational, from_float, letters_of
from exactdp.model import BayesianConsumer, Consumer, Dual, MinimaxConsumer, Neighbours, NeighboursLike
from exactdp.model import neighbours as neighbours_of
from exactdp.model.labels import brief
from exactdp.readers.cells import plain_number
from exactdp.readers.entrance import read_source
from exactdp.readers.grids import text_in
from exactdp.readers.tables import number_in
from exactdp.runtime.progress import row_by_row

EQUATION = "potential"
"""The kind of constraint that is an equation."""


class LinprogResult(Protocol):
    """What SciPy's ``linprog`` returns."""

    @property
    def ineqlin(self) -> Any:
        """Its ``marginals`` are those of the rows of ``A_ub``."""

    @property
    def eqlin(self) -> Any:
        """Its ``marginals`` are those of the rows of ``A_eq``."""


class HighsSolution(Protocol):
    """What HiGHS's ``getSolution`` returns."""

    @property
    def row_dual(self) -> Any:
        """The marginals of all rows."""


class Constraint(Protocol):
    """A constraint of CVXPY."""

    @property
    def dual_value(self) -> Any:
        """Its multipliers, once the problem is solved."""


Multipliers = LinprogResult | HighsSolution | Sequence[Constraint] | Sequence[object]
"""What a solver returns with a solution, or its multipliers alone."""


def solver_multipliers(given: Multipliers, kinds: Sequence[str]) -> list[Rational]:
    """The multipliers of all constraints, in their order; those of equations as SciPy gives them.

    * ``given``: as :func:`exactdp.read_dual` takes them.
    * ``kinds``: of each constraint; ``potential`` is an equation.
    * raises InputError: it is none of these; it has no multipliers, or not one for each constraint; one is
      not finite.

    >>> solver_multipliers([0.5, -0.25], ["weight", "potential"])
    [Rational('1/2'), Rational('-1/4')]
    >>> solver_multipliers([float("nan"), 1], ["weight", "potential"])
    Traceback (most recent call last):
    ...
    exactdp.errors.InexactInputError: multiplier 1, of a weight, is nan; a solver that has solved ...
    """
    if hasattr(given, "ineqlin") and hasattr(given, "eqlin"):
        rows = [kind for kind in kinds if kind != EQUATION]
        above = iter(_numbers(getattr(given.ineqlin, "marginals", None), rows, "ineqlin.marginals"))
        equal = iter(_numbers(getattr(given.eqlin, "marginals", None), [EQUATION] * (len(kinds) - len(rows)), "eqlin.marginals"))
        return [next(equal if kind == EQUATION else above) for kind in kinds]
    if hasattr(given, "row_dual"):
        if not getattr(given, "dual_valid", True):
            raise InputError("the solution of HiGHS says that its duals are not valid; solve the problem as a linear program", value=given)
        return _numbers(given.row_dual, kinds, "row_dual")
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise wrong_kind(
            "dual", given, "a CSV, a result of scipy.optimize.linprog, a solution of HiGHS, or a list of constraints of CVXPY or of numbers"
        )
    listed = list(given)
    if not any(hasattr(x, "dual_value") for x in listed):
        return _numbers(listed, kinds, "the list of multipliers")
    flat, equations = list[object](), list[bool]()
    for k, constraint in enumerate(listed, 1):
        values = getattr(constraint, "dual_value", None)
        if values is None:
            raise InputError(f"constraint {k} of CVXPY has no dual_value; solve the problem first", value=brief_value(constraint))
        row = _flat(values)
        flat += row
        equations += [type(constraint).__name__ in {"Equality", "Zero"}] * len(row)
    found = _numbers(flat, kinds, "the dual_value of the constraints")
    for k, (kind, equation) in enumerate(zip(kinds, equations, strict=True), 1):
        if equation != (kind == EQUATION):
            raise InputError(
                f"constraint {k} of CVXPY is {'an equation' if equation else 'an inequality'}, where the template has a {kind}; give the "
                "constraints in the order of its lines",
                kind=kind,
            )
    return [-x if equation else x for x, equation in zip(found, equations, strict=True)]


def _flat(values: Any) -> list[object]:
    """The entries of an array, row after row, or one number."""
    if hasattr(values, "ravel"):
        return list(values.ravel().tolist())
    return [y for x in values for y in _flat(x)] if isinstance(values, (list, tuple)) else [values]


def _numbers(values: Any, kinds: Sequence[str], what: str) -> list[Rational]:
    """One exact number for each constraint; a float is taken as that double."""
    if values is None:
        raise InputError(f"there are no {what}; solve the problem with a method that returns them, such as method='highs'", value=values)
    flat = _flat(values if hasattr(values, "ravel") else list(values))
    if len(flat) != len(kinds):
        parts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        raise ShapeError(
            f"{what}: {len(flat)} for {len(kinds)} constraints ({parts}; see --dual-template)", expected=len(kinds), got=len(flat)
        )
    return [_exact(x, k, kind) for k, (x, kind) in enumerate(zip(flat, kinds, strict=True), 1)]


def _exact(x: object, number: int, kind: str) -> Rational:
    x = x.item() if hasattr(x, "item") else x
    if isinstance(x, float) or (isinstance(x, Real) and not hasattr(x, "denominator")):
        if not isfinite(float(x)):
            raise InexactInputError(
                f"multiplier {number}, of a {kind}, is {x}; a solver that has solved the problem returns finite numbers", value=x
            )
        return from_float(float(x))
    return Rational(x)


DualSource = str | bytes | PathLike[str] | Multipliers
"""A dual as a CSV, or as a solver returns it."""

HEAD = ("kind", "input", "other", "guess", "multiplier")


def dual_template(neighbours: NeighboursLike, consumer: Consumer) -> str:
    r"""The CSV of a dual, with every multiplier left out.

    Parameters
    ----------
    neighbours : Graph, Metric or text
        Whose pairs the privacy constraints are about.
    consumer : MinimaxConsumer or BayesianConsumer
        On the same inputs. A Bayesian consumer's weights are the prior, and have no lines.

    Returns
    -------
    str
        The head ``kind,input,other,guess,multiplier``, then a line for each multiplier.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer
    >>> print(dual_template("path:2", MinimaxConsumer("zero-one")), end="")
    kind,input,other,guess,multiplier
    weight,0,,,
    weight,1,,,
    potential,0,,,
    potential,1,,,
    privacy,0,1,0,
    privacy,1,0,0,
    privacy,0,1,1,
    privacy,1,0,1,
    """
    near, consumer = _posed(neighbours, consumer)
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(HEAD)
    lines.writerows((*line, "") for line in _lines(near, consumer))
    return text.getvalue()


def _lines(near: Neighbours, consumer: Consumer) -> Iterator[tuple[str, str, str, str]]:
    """The lines of the template, without their multipliers."""
    inputs, guesses = consumer.inputs, consumer.loss.guesses
    if not isinstance(consumer, BayesianConsumer):
        yield from (("weight", inputs[i], "", "") for i in consumer.side_information.indices)
    yield from (("potential", label, "", "") for label in inputs)
    pairs = near.pairs()
    for i, j, _ in row_by_row(pairs, "the lines of a dual", (len(pairs), 2 * len(guesses))):
        yield from (("privacy", inputs[x], inputs[y], guess) for guess in guesses for x, y in ((i, j), (j, i)))


def read_dual(content: DualSource, neighbours: NeighboursLike, consumer: Consumer, *, letters: LettersLike | None = None) -> Dual:
    r"""The dual in a CSV laid out as :func:`dual_template` writes it, or in what a solver returns.

    Parameters
    ----------
    content : path, str, bytes, or what a solver returns
        A CSV, or the name of its file (:func:`exactdp.read_table` tells them apart), has its lines in any
        order; what has no line, or no number, is 0. Decimals are exact decimals.

        A solver's constraints have the order of the template's lines. Taken are a result of SciPy's
        ``linprog``, whose ``ineqlin.marginals`` are those of the lines ``weight`` and ``privacy``, and
        ``eqlin.marginals`` of the lines ``potential``; a solution of HiGHS with its ``row_dual``; a list of
        constraints of CVXPY, each with its ``dual_value``, whose equations have Σ_r x_ir on the left; and
        numbers alone. A float is taken as exactly that double (:func:`exactdp.nearest_dual` rounds it).

        Weights whose sum is negative (marginals of "≤" rows of a minimisation, as SciPy and HiGHS give them)
        are read with the other sign, and so are privacy multipliers.
    neighbours, consumer
        As for :func:`dual_template`.
    letters : mapping, text or Region, optional
        Numbers of a CSV may be formulas in these letters (:func:`exactdp.matrix`).

    Returns
    -------
    Dual
        Without potentials, or without privacy multipliers, where the file has none of them.

    Raises
    ------
    InputError
        A line of another form, an input, guess or pair that is not there, or the same line twice; not one
        number for each constraint, or one that is no number.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer
    >>> read_dual("weight,0,,,1/2\nweight,1,,,0.5", "path:2", MinimaxConsumer("zero-one")).weights
    (Rational('1/2'), Rational('1/2'))
    >>> read_dual([-0.5, -0.5, 0.25, 0.25, -0.25, 0, 0, -0.25], "path:2", MinimaxConsumer("zero-one")).edges
    ((Rational('1/4'), Rational('-1/4')),)
    """
    near, consumer = _posed(neighbours, consumer)
    places = _Places(near, consumer)
    if isinstance(content, (str, bytes, PathLike)):
        numbers = number_in if letters is None else letters_of(letters).read
        found = read_source(content, lambda text: places.of_text(text_in(text), numbers))
    else:
        found = places.of_numbers(solver_multipliers(content, [kind for kind, *_ in places.lines]))
    return _dual(found, near, consumer)


def _posed(given: NeighboursLike, consumer: Consumer) -> tuple[Neighbours, Consumer]:
    """The neighbours that were meant, and the consumer on their inputs."""
    if not isinstance(consumer, (MinimaxConsumer, BayesianConsumer)):
        raise wrong_kind("consumer", consumer, "a MinimaxConsumer or BayesianConsumer, such as MinimaxConsumer('abs')")
    near = neighbours_of(given, consumer.inputs if consumer.is_bound else None)
    return near, consumer.over(near.vertices, near)


Found = dict[str, dict[tuple[int, ...], Any]]


class _Places:
    """The constraints that a dual has multipliers for."""

    def __init__(self, near: Neighbours, consumer: Consumer) -> None:
        self.near = near
        self.inputs = {str(label): i for i, label in enumerate(consumer.inputs)}
        self.guesses = {str(label): r for r, label in enumerate(consumer.loss.guesses)}
        self.constrained = {(x, y) for i, j, _ in near.pairs() for x, y in ((i, j), (j, i))}
        self.lines = list(_lines(near, consumer))

    def of_numbers(self, numbers: list[Rational]) -> Found:
        """Multipliers in the order of the template's lines."""
        found: Found = {"weight": {}, "potential": {}, "privacy": {}}
        for (kind, *place), number in zip(self.lines, numbers, strict=True):
            found[kind][_place(kind, place, 0, self.inputs, self.guesses)] = number
        return found

    def of_text(self, text: str, number_of: Callable[[str], Any]) -> Found:
        """Multipliers on lines that name their constraints."""
        found: Found = {"weight": {}, "potential": {}, "privacy": {}}
        rows = list(csv.reader(io.StringIO(text), skipinitialspace=True))
        for number, cells in enumerate(row_by_row(rows, "the lines of a dual", (len(rows), len(HEAD))), 1):
            stripped = [cell.strip() for cell in cells]
            if not any(stripped) or (number == 1 and tuple(stripped) == HEAD):
                continue
            if len(stripped) != len(HEAD) or stripped[0] not in found:
                raise InputError(
                    f"line {number}: a dual's line is weight, potential or privacy with 5 cells; see --dual-template", line=number
                )
            kind, *place, cell = stripped
            at = _place(kind, place, number, self.inputs, self.guesses)
            if kind == "privacy" and at[:2] not in self.constrained:
                raise InputError(f"line {number}: the inputs {place[0]} and {place[1]} are not neighbours in {self.near}", line=number)
            if at in found[kind]:
                raise InputError(f"line {number}: this {kind} is there twice", line=number)
            if cell:
                try:
                    found[kind][at] = number_of(plain_number(cell))
                except ExactDPError as error:
                    raise type(error)(f"line {number}: {error.message}", **error.facts) from None
        return found


def _place(kind: str, cells: list[str], number: int, inputs: Mapping[str, int], guesses: Mapping[str, int]) -> tuple[int, ...]:
    """The indices that a line names."""
    needed = (True, kind == "privacy", kind == "privacy")
    places = []
    for cell, known, what, wanted in zip(cells, (inputs, inputs, guesses), ("input", "input", "guess"), needed, strict=True):
        if bool(cell) != wanted:
            raise InputError(f"line {number}: {kind} is followed by {'input, other, guess' if needed[1] else 'an input'}", line=number)
        if wanted and cell not in known:
            raise InputError(f"line {number}: there is no {what} {cell!r}; the {what}s are {brief(tuple(known))}", line=number)
        places += [known[cell]] if wanted else []
    return tuple(places)


def _dual(found: Found, neighbours: Neighbours, consumer: Consumer) -> Dual:
    n, k, zero = len(consumer.inputs), len(consumer.loss.guesses), Rational(0)

    def listed(kind: str, factor: int) -> tuple[Any, ...]:
        return tuple(factor * found[kind].get((i,), zero) for i in range(n))

    given = found["weight"]
    weights = tuple(consumer.prior.weights) if isinstance(consumer, BayesianConsumer) and not given else listed("weight", _sign(given))
    privacy = found["privacy"]
    sign = _sign(privacy)
    edges = [[sign * (privacy.get((i, j, r), zero) - privacy.get((j, i, r), zero)) for r in range(k)] for i, j, _ in neighbours.pairs()]
    return Dual(weights, listed("potential", 1) if found["potential"] else None, edges if privacy else None)


def _sign(multipliers: Mapping[tuple[int, ...], Any]) -> int:
    """−1 for multipliers that are those of "≤" rows: their sum is negative."""
    try:
        return -1 if sum(multipliers.values(), Rational(0)) < 0 else 1
    except UndecidedSignError:  # with letters: it changes its sign
        return 1
