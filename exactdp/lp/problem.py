# SPDX-License-Identifier: MIT
"""A linear program, its bases and their vertices, its answers, and the exact check of an answer.

Minimise c·x subject to rows a·x ≥ b or a·x = b; a variable is ≥ 0 unless it is free. Row i has a *logical*
variable s_i = a_i·x − b_i, which is ≥ 0 on an inequality and 0 on an equation.

A basis says which variables and which logicals are basic; all others are zero. With J the basic variables and
R the rows whose logical is not basic, its vertex solves A[R,J]·x_J = b_R and its multipliers solve
A[R,J]ᵀ·y_R = c_J (:class:`exactdp.lp.sparse.SparseLU`). A singular proposal is repaired on the way: dependent
columns leave the basis, and the logicals of dependent rows enter it.

Multipliers y have one entry a row, ≥ 0 on the inequalities. Then c·x ≥ b·y for every feasible x and every y
with c − Aᵀy ≥ 0 (= 0 on the free variables).

A problem over ℚ(e^(−ε)) or ℚ(α) has a rational one near it. Every symbol is replaced by one rational number:
close to its value for an exponential, inside the interval for a parameter. The rational problem is solved
exactly; its optimal basis is a proposal like that of a float solver, and is checked in the same way.

References
----------
A. Schrijver (1986), *Theory of Linear and Integer Programming*, chapters 7 and 11: duality, bases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import chain
from operator import neg
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

from exactdp.errors import DefectiveAnswerError, InputError, MixedDomainError, UndecidedSignError
from exactdp.exact import QQ, ExponentialField, OrderedField, Rational, RationalFunctionField, RegionField, Scalar
from exactdp.exact.identity import formula_of, is_nonzero, is_zero, judged
from exactdp.exact.repeated import RepeatedSigns
from exactdp.lp.sparse import SparseLU, combine, residuals
from exactdp.runtime.budget import require_budget
from exactdp.runtime.progress import Progress, counted_off
from exactdp.runtime.values import dataclass

Result = TypeVar("Result")


class ByIdentity(Generic[Result]):
    """``function``, remembering what it gave for each object.

    Most coefficients of a large problem are the same few objects. Equal objects may be computed again: that
    is cheaper than to hash them.

    >>> length = ByIdentity(len)
    >>> word = "abc"
    >>> length(word), length(word)
    (3, 3)
    """

    __slots__ = ("_function", "_known")

    def __init__(self, function: Callable[[Any], Result]) -> None:
        self._function = function
        self._known: dict[int, tuple[Any, Result]] = {}  # with the object itself, so that its identity is not used again

    def __call__(self, value: Any) -> Result:
        """The function at this object."""
        found = self._known.get(id(value))
        if found is None:
            found = self._known[id(value)] = value, self._function(value)
        return found[1]


# --- The problem ---


def require_program(what: str, entries: int, rows: int) -> None:
    """Refuse a linear program that is larger than the budget: an entry takes 150 bytes, a row 500 (measured).

    >>> require_program("the linear program", 10, 5)
    """
    require_budget(what, memory=150 * entries + 500 * rows)


@dataclass(frozen=True, slots=True)
class Row:
    """One constraint: coefficients · x ≥ rhs, or = rhs.

    * ``coefficients``: zeros may be left out.
    * ``sense``: the relation.
    * ``rhs``: the right-hand side.

    >>> str(Row({0: QQ(1), 2: QQ("-1/2")}, ">=", QQ(0)))
    '1·x0 + -1/2·x2 >= 0'
    """

    coefficients: Mapping[int, Any]
    sense: Literal[">=", "=="]
    rhs: Any

    def __post_init__(self) -> None:
        if self.sense not in {">=", "=="}:
            message = f"a row's sense is '>=' or '==', not {self.sense!r}; multiply a '<=' row by −1"
            raise InputError(message, sense=self.sense)

    def __str__(self) -> str:
        left = " + ".join(f"{a}·x{j}" for j, a in self.coefficients.items()) or "0"
        return f"{left} {self.sense} {self.rhs}"


@dataclass(frozen=True, slots=True, init=False)
class LinearProgram:
    """Minimise objective · x subject to rows; variables are ≥ 0 except the free ones.

    * ``n_variables``: number of variables, ≥ 0.
    * ``objective``: the costs; zeros may be left out.
    * ``rows``: the constraints.
    * ``free``: indices of the variables without a sign.
    * raises InputError: an index is outside 0..n_variables−1; carries it.
    * raises MixedDomainError: numbers of two fields met (ℚ embeds in every field).

    >>> lp = LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])
    >>> lp.n_variables, lp.field
    (1, QQ)
    """

    n_variables: int
    objective: Mapping[int, Any]
    rows: tuple[Row, ...]
    free: frozenset[int]
    field: OrderedField

    def __init__(
        self, n_variables: int, objective: Mapping[int, Any], rows: Sequence[Row], free: frozenset[int] | set[int] = frozenset()
    ) -> None:
        field = _common_field(chain(objective.values(), *(row.coefficients.values() for row in rows), (row.rhs for row in rows)))
        named: set[int] = set().union(objective, *(row.coefficients for row in rows))
        if named and not 0 <= min(named) <= max(named) < n_variables:
            raise _unknown_variable(n_variables, objective, rows)
        told = counted_off(rows, None, "a linear program", "rows", every=5_000)
        scalar, nonzero = ByIdentity(field), ByIdentity(lambda value: _nonzero(field(value)))  # what was one object stays one
        clean = tuple([Row(_clean(row.coefficients, nonzero), row.sense, scalar(row.rhs)) for row in told])
        outside = [j for j in free if not 0 <= j < n_variables]
        if outside:
            raise InputError(f"free variable {outside[0]} is not one of 0..{n_variables - 1}", index=outside[0])
        object.__setattr__(self, "n_variables", n_variables)
        object.__setattr__(self, "objective", _clean(objective, nonzero))
        object.__setattr__(self, "rows", clean)
        object.__setattr__(self, "free", frozenset(free))
        object.__setattr__(self, "field", field)

    def over(self, field: OrderedField, number: Callable[[Any], Any]) -> LinearProgram:
        """The same program with numbers of a field in place of its own; those that become zero are left out.

        >>> lp = LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])
        >>> print(lp.over(QQ, lambda x: x / 2).rows[0])
        1·x0 >= 1/2
        """
        result, nonzero = object.__new__(LinearProgram), ByIdentity(lambda value: _nonzero(number(value)))
        rows = tuple([Row(_clean(row.coefficients, nonzero), row.sense, number(row.rhs)) for row in self.rows])
        object.__setattr__(result, "n_variables", self.n_variables)
        object.__setattr__(result, "objective", _clean(self.objective, nonzero))
        object.__setattr__(result, "rows", rows)
        object.__setattr__(result, "free", self.free)
        object.__setattr__(result, "field", field)
        return result

    def __reduce__(self) -> tuple[Any, ...]:
        rows = [Row(dict(row.coefficients), row.sense, row.rhs) for row in self.rows]
        return (LinearProgram, (self.n_variables, dict(self.objective), rows, self.free))


def _common_field(values: Iterable[Any]) -> OrderedField:
    field: OrderedField = QQ
    are_scalars: dict[type, bool] = {Rational: False}  # those of ℚ change nothing
    for value in values:
        kind = type(value)
        if kind not in are_scalars:
            are_scalars[kind] = isinstance(value, Scalar)
        if are_scalars[kind] and value.field is not field and value.field not in {field, QQ}:
            if field != QQ:
                message = f"a linear program mixes the fields {field} and {value.field}; give all numbers over one"
                raise MixedDomainError(message, fields=(field, value.field))
            field = value.field
    return field


def _unknown_variable(n_variables: int, objective: Mapping[int, Any], rows: Sequence[Row]) -> InputError:
    places = chain([("the objective", objective)], ((f"row {i}", row.coefficients) for i, row in enumerate(rows)))
    where, j = next((where, j) for where, values in places for j in values if not 0 <= j < n_variables)
    return InputError(f"{where} names variable {j}, which is not one of 0..{n_variables - 1}", index=j)


def _nonzero(x: Any) -> Any:
    """A number; None if it is zero."""
    return x if is_nonzero(x) else None


def _clean(values: Mapping[int, Any], nonzero: Callable[[Any], Any]) -> Mapping[int, Any]:
    return MappingProxyType({j: x for j, value in values.items() if (x := nonzero(value)) is not None})


# --- Bases ---


@dataclass(frozen=True, slots=True)
class Basis:
    """Which variables (columns) and which logicals (rows) are basic; a proposal, so it may be nonsense.

    >>> Basis.of_logicals(2, 1)
    Basis(columns=(False, False), rows=(True,))
    """

    columns: tuple[bool, ...]
    rows: tuple[bool, ...]

    @classmethod
    def of_logicals(cls, n_variables: int, n_rows: int) -> Basis:
        """The basis in which every variable is zero."""
        return cls((False,) * n_variables, (True,) * n_rows)

    def fits(self, lp: LinearProgram) -> bool:
        """Whether the sizes are those of the linear program."""
        return len(self.columns) == lp.n_variables and len(self.rows) == len(lp.rows)


@dataclass(frozen=True, slots=True)
class BasicSolution:
    """The vertex x and the multipliers y of a (possibly repaired) basis; feasible or not."""

    basis: Basis
    x: tuple[Any, ...]
    y: tuple[Any, ...]


def solve_basis(lp: LinearProgram, proposal: Basis) -> BasicSolution:
    """Solve a proposed basis exactly.

    * ``proposal``: of the problem's sizes; it need not be a basis.

    Returns: with c − Aᵀy = 0 on the basic variables, y = 0 on the rows with a basic logical, and x exact on
    the other rows.

    >>> lp = LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])
    >>> solve_basis(lp, Basis((True,), (True,)))
    BasicSolution(basis=Basis(columns=(False,), rows=(True,)), x=(Rational('0'),), y=(Rational('0'),))
    """
    wanted = {j for j, basic in enumerate(proposal.columns) if basic}
    tight = {i: lp.rows[i].coefficients for i, basic in enumerate(proposal.rows) if not basic}
    factors = SparseLU(lp.field, tight, wanted)
    x = factors.solve({i: lp.rows[i].rhs for i in factors.rows})
    y = factors.solve_transposed({j: lp.objective[j] for j in factors.columns if j in lp.objective})
    zero = lp.field.zero
    variables, rows = range(lp.n_variables), range(len(lp.rows))
    basis = Basis(tuple(j in factors.columns for j in variables), tuple(i not in factors.rows for i in rows))
    values, multipliers = [x.get(j, zero) for j in variables], [y.get(i, zero) for i in rows]
    if isinstance(lp.field, ExponentialField):  # its numbers are slow to compare: an object is known at once
        values, multipliers = lp.field.shared(values), lp.field.shared(multipliers)
    return BasicSolution(basis, tuple(values), tuple(multipliers))


# --- Answers ---


@dataclass(frozen=True, slots=True)
class Optimal:
    """An optimal x, with multipliers y that prove it: c − Aᵀy ≥ 0 (= 0 if free) and b·y = c·x = value.

    The basis that it came from, if it is known, is a hint for related problems and no part of the answer.
    """

    x: tuple[Any, ...]
    y: tuple[Any, ...]
    value: Any
    basis: Basis | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No x exists: Aᵀy ≤ 0 (= 0 on free variables), y ≥ 0 on inequalities, and b·y > 0, for y = farkas."""

    farkas: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Unbounded:
    """A feasible point, and a direction that stays feasible and in which the objective falls without end."""

    point: tuple[Any, ...]
    ray: tuple[Any, ...]


Answer = Optimal | Infeasible | Unbounded


def verify(lp: LinearProgram, answer: Answer) -> None:
    """Check an answer exactly, from the definition alone.

    Raises
    ------
    DefectiveAnswerError
        A condition fails; carries its name (``condition``), the ``index`` of the row or variable, and
        ``value``.

    Examples
    --------
    >>> lp = LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])
    >>> verify(lp, Optimal((QQ("1/2"),), (QQ("1/2"),), QQ("1/2")))
    >>> verify(lp, Optimal((QQ(1),), (QQ("1/2"),), QQ("1/2")))
    Traceback (most recent call last):
    ...
    exactdp.errors.DefectiveAnswerError: ... the objective at x is 1, not the value 1/2; ...
    """
    if isinstance(answer, Optimal):
        _check_point(lp, answer.x, "x")
        _check_multipliers(lp, answer.y, "y", lp.objective)
        found = _dot(lp, lp.objective, answer.x)
        if found != answer.value:
            raise _defect(f"the objective at x is {found}, not the value {answer.value}", "value", None, found)
        bound = _bound(lp, answer.y)
        if bound != answer.value:
            raise _defect(f"b·y is {bound}, not the value {answer.value}", "dual value", None, bound)
    elif isinstance(answer, Infeasible):
        _check_multipliers(lp, answer.farkas, "the Farkas vector", {})
        bound = _bound(lp, answer.farkas)
        if not bound > 0:
            raise _defect(f"b·y is {bound} for the Farkas vector, not positive", "Farkas value", None, bound)
    elif isinstance(answer, Unbounded):
        _check_point(lp, answer.point, "the point")
        _check_point(lp, answer.ray, "the ray", homogeneous=True)
        slope = _dot(lp, lp.objective, answer.ray)
        if not slope < 0:
            raise _defect(f"the objective changes by {slope} along the ray, it does not fall", "slope", None, slope)
    else:
        raise _defect(f"{answer!r} is not an answer", "type", None, answer)


def is_only_optimum(lp: LinearProgram, vertex: Optimal) -> bool:
    """Whether a verified optimum that is a vertex is seen to be the only one, with the only multipliers.

    It is, if complementary slackness is strict and no basic variable is zero. Every optimum then vanishes
    where x does and is tight where y is positive, every other y solves the transposed equations, and the
    matrix of both is the basis of the vertex. (A free variable that is zero may not be basic: then no is
    said.)

    >>> rows, x = [Row({0: QQ(1), 1: QQ(2)}, ">=", QQ(2))], (QQ(0), QQ(1))
    >>> is_only_optimum(LinearProgram(2, {0: QQ(1), 1: QQ(1)}, rows), Optimal(x, (QQ("1/2"),), QQ(1)))
    True
    >>> is_only_optimum(LinearProgram(2, {0: QQ(1), 1: QQ(2)}, rows), Optimal(x, (QQ(1),), QQ(2)))
    False
    """
    zero = lp.field.zero
    slack = residuals(lp.field, [(row.coefficients, row.rhs) for row in lp.rows], {j: v for j, v in enumerate(vertex.x) if v})
    paid = combine(lp.field, [(y, row.coefficients) for row, y in zip(lp.rows, vertex.y, strict=True) if y])
    for row, s, y in zip(lp.rows, slack, vertex.y, strict=True):
        if row.sense == ">=" and bool(s) == bool(y):
            return False
    for j, x in enumerate(vertex.x):
        if not x if j in lp.free else bool(x) == bool(lp.objective.get(j, zero) - paid.get(j, zero)):
            return False
    return sum(map(bool, vertex.x)) == len(lp.rows) - sum(map(bool, slack))


def _check_point(lp: LinearProgram, x: Sequence[Any], name: str, *, homogeneous: bool = False) -> None:
    _check_length(x, lp.n_variables, name, "variables")
    is_negative = _negative_test(lp.field)
    for j, value in enumerate(x):
        if j not in lp.free and is_negative(value):
            raise _defect(f"variable {j} of {name} is {value}, which is negative", "sign", j, value)
    zero = lp.field.zero
    rows = [(row.coefficients, zero if homogeneous else row.rhs) for row in lp.rows]
    for i, (row, excess) in enumerate(
        zip(lp.rows, residuals(lp.field, rows, {j: v for j, v in enumerate(x) if is_nonzero(v)}), strict=True)
    ):
        if excess < 0 or (row.sense == "==" and not _vanishes(excess)):
            left = _dot(lp, row.coefficients, x)
            raise _defect(f"row {i} at {name}: {left} {row.sense} {rows[i][1]} fails", "row", i, left)


def _negative_test(field: OrderedField) -> Callable[[Any], bool]:
    """Whether a number is negative; over ℚ(e^(−ε)) an object is asked once."""
    return ByIdentity(_is_negative) if isinstance(field, ExponentialField) else _is_negative


def _is_negative(x: Any) -> bool:
    return bool(x < 0)


def _vanishes(x: Any) -> bool:
    """Whether a number is 0, or a function at every point."""
    try:
        return is_zero(x) or bool(x == 0)
    except UndecidedSignError:
        return False


def _check_multipliers(lp: LinearProgram, y: Sequence[Any], name: str, cost: Mapping[int, Any]) -> None:
    _check_length(y, len(lp.rows), name, "rows")
    terms, is_negative = [], _negative_test(lp.field)
    for i, (row, weight) in enumerate(zip(lp.rows, y, strict=True)):
        if row.sense == ">=" and is_negative(weight):
            raise _defect(f"entry {i} of {name} is {weight}, negative on an inequality", "multiplier", i, weight)
        if is_nonzero(weight):
            terms.append((weight, row.coefficients))
    if isinstance(lp.field, ExponentialField):
        _check_signs(lp, lp.field, name, terms, cost)
        return
    zero = lp.field.zero
    reduced = {j: cost.get(j, zero) - value for j, value in combine(lp.field, terms).items()}
    reduced.update({j: c for j, c in cost.items() if j not in reduced})
    for j, value in reduced.items():
        if value < 0 or (j in lp.free and not _vanishes(value)):
            raise _defect(f"{name} leaves variable {j} with the reduced cost {value}", "reduced cost", j, value)


def _check_signs(
    lp: LinearProgram, field: ExponentialField, name: str, terms: Sequence[tuple[Any, Mapping[int, Any]]], cost: Mapping[int, Any]
) -> None:
    """The reduced costs of multipliers over ℚ(e^(−ε)), of which only signs are needed."""
    columns: dict[int, list[tuple[Any, Any]]] = {j: [(c, field.one)] for j, c in cost.items()}
    minus = ByIdentity(neg)  # of the coefficients: the multipliers are long, and keep what is known of them
    for weight, row in terms:
        for j, a in row.items():
            columns.setdefault(j, []).append((weight, minus(a)))
    sign_of = RepeatedSigns(field)
    for j, pairs in counted_off(list(columns.items()), None, "signs of reduced costs", "columns", every=2):
        sign = sign_of(pairs)
        if sign < 0 or (j in lp.free and sign):
            value = field.dot(pairs)
            raise _defect(f"{name} leaves variable {j} with the reduced cost {value}", "reduced cost", j, value)


def _check_length(values: Sequence[Any], expected: int, name: str, what: str) -> None:
    if len(values) != expected:
        raise _defect(f"{name} has {len(values)} entries for {expected} {what}", "length", None, len(values))


def _dot(lp: LinearProgram, coefficients: Mapping[int, Any], x: Sequence[Any]) -> Any:
    return _sum_of_products(lp, ((a, x[j]) for j, a in coefficients.items()))


def _bound(lp: LinearProgram, y: Sequence[Any]) -> Any:
    return _sum_of_products(lp, ((row.rhs, weight) for row, weight in zip(lp.rows, y, strict=True)))


def _sum_of_products(lp: LinearProgram, pairs: Iterable[tuple[Any, Any]]) -> Any:
    """Σ a·b, of functions in formulas: the numbers a and b are judged by themselves."""
    return judged(sum((formula_of(a) * formula_of(b) for a, b in pairs if is_nonzero(a) and is_nonzero(b)), formula_of(lp.field.zero)))


def _defect(message: str, condition: str, index: int | None, value: object) -> DefectiveAnswerError:
    return DefectiveAnswerError(
        f"an answer of the linear programming search fails its check: {message}; this is a defect of exactdp, please report it",
        condition=condition,
        index=index,
        value=value,
    )


DIGITS = 60
"""Decimals of the number that replaces an exponential: with so many, the optimal bases hardly ever differ."""


def has_nearby_problem(field: Any) -> bool:
    """Whether the field has symbols that a rational number can replace."""
    return isinstance(field, ExponentialField | RationalFunctionField | RegionField)


def substitution(field: Any, point: Any = None) -> Callable[[Any], Any]:
    """How a scalar of a field becomes rational: at ``point``, or near the values of the field's own symbols.

    The point is a number for the level, or for letters of a region a mapping with one for each.

    >>> a = RationalFunctionField().gen
    >>> substitution(a.field, Rational("1/2"))((1 - a) / (1 + a))
    Rational('1/3')
    """
    if isinstance(field, ExponentialField):
        values = tuple(t.enclosure(DIGITS)[0] for t in field.gens)
    elif isinstance(field, RationalFunctionField):
        values = (field.interval.sample() if point is None else point,)
    elif isinstance(field, RegionField):
        inside = field.region.inside if point is None else point
        return lambda x: x if isinstance(x, Rational) else x.value(inside)
    else:
        return lambda x: x
    known: dict[Any, Any] = {}

    def rational(x: Any) -> Any:
        if isinstance(x, Rational):
            return x
        if x not in known:
            known[x] = x.substitute(*values)
        return known[x]

    return rational


def nearby_problem(lp: LinearProgram, point: Any = None) -> LinearProgram:
    """The linear program with a rational number in place of each symbol."""
    rational = ByIdentity(substitution(lp.field, point))
    return lp.over(QQ, rational)


def nearby_proposer(solve: Callable[[LinearProgram], Any]) -> Callable[[LinearProgram, BasicSolution | None], Basis | None]:
    """A proposer with one proposal: the optimal basis of the nearby problem, as ``solve`` finds it."""

    def propose(lp: LinearProgram, vertex: BasicSolution | None) -> Basis | None:
        if vertex is not None:
            return None
        basis = getattr(solve(nearby_problem(lp)), "basis", None)
        return basis if isinstance(basis, Basis) else None

    return propose


def event_at(phase: str, done: int, unit: str, value: Any) -> Progress:
    """The event of a search whose objective has this value: it says how long the numbers are.

    >>> print(event_at("dual simplex", 3, "pivots", Rational("22/7")))
    dual simplex: 3 pivots, numbers of 3 digits
    """
    if isinstance(value, Rational):
        digits = sum(int(abs(part).bit_length() * 0.30103) + 1 for part in (value.numerator, value.denominator))
    else:
        digits = len(str(value))
    return Progress(phase, done, unit=unit, detail=f"numbers of {digits} digits", objective=value)
