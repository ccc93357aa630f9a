# SPDX-License-Identifier: MIT
"""Numbers and model objects as the JSON of SPEC.md §2–3, and numbers read back from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from exactdp.errors import CertificateError, DomainError
from exactdp.exact import (
    QQ,
    AlgebraicNumber,
    ExactMatrix,
    ExponentialField,
    ExponentialNumber,
    Interval,
    OverOneDenominator,
    Point,
    Rational,
    RationalFunctionField,
    Region,
    RegionField,
    RegionFunction,
    SparseRows,
    common_field,
    field_of,
    integer_vector,
)
from exactdp.exact.identity import generic_quotient, is_nonzero, is_zero, same_formula
from exactdp.exact.number_field import NumberField
from exactdp.exact.ranking import Ranking
from exactdp.mechanisms import geometric
from exactdp.model import BayesianConsumer, Consumer, Dual, Graph, Loss, Mechanism, Metric, Neighbours, PrivacyLevel, Remap, Table
from exactdp.model.named_losses import BY_WORD, OF_CERTIFICATES
from exactdp.model.printed import PrintedTable


class Numbers:
    """Reads scalars, vectors and matrices of one certificate.

    >>> numbers = Numbers({"t": {"type": "exponential", "rate": "1/10", "roots": [1]}})
    >>> numbers.scalar({"num": ["1", "-1"], "den": "2"}), numbers.scalar("1/2")
    (ExponentialNumber('(-t + 1)/2', t = e^(−1/10)), Rational('1/2'))
    >>> Numbers({}).vector({"den": "2", "at": [1], "num": ["1"]}, 2)
    (Rational('0'), Rational('1/2'))
    """

    def __init__(self, definitions: dict[str, Any]) -> None:
        self.field: Any = QQ
        for name, d in definitions.items():
            if d.get("type") == "exponential":
                self.field = ExponentialField(d["rate"], 1, tuple(d["roots"]))
            elif d.get("type") == "parameter":
                self.field = RationalFunctionField(self.interval(d["interval"]), name)
            elif d.get("type") == "region":
                self.field = RegionField(_region(d))

    def on(self, interval: dict[str, Any]) -> Numbers:
        """The same letter on another interval."""
        result = Numbers({})
        result.field = RationalFunctionField(self.interval(interval), self.field.names[0])
        return result

    def interval(self, d: dict[str, Any]) -> Interval:
        """An interval of levels."""
        if "at" in d:
            return Interval.point(_end(d["at"]))
        low, high = ("at_least" if "at_least" in d else "above"), ("at_most" if "at_most" in d else "below")
        return Interval(_end(d[low]), _end(d[high]), low == "at_least", high == "at_most")

    def polynomial(self, p: Any) -> Any:
        """A polynomial as an element of the field."""
        return Rational(p) if isinstance(p, str) else self._in(p, 0)

    def _in(self, p: Any, i: int) -> Any:
        if isinstance(p, str):
            return self.field(Rational(p))
        generator, total = self.field.gens[i], self.field.zero
        for c in reversed(p):
            total = total * generator + self._in(c, i + 1)
        return total

    def scalar(self, value: Any) -> Any:
        """A rational or a quotient of polynomials."""
        return Rational(value) if isinstance(value, str) else self.polynomial(value["num"]) / self.polynomial(value["den"])

    def vector(self, data: dict[str, Any], length: int) -> tuple[Any, ...]:
        """A dense or sparse vector."""
        den = self.polynomial(data["den"])
        at = data.get("at", range(length))
        values = {i: self.polynomial(p) / den for i, p in zip(at, data["num"], strict=True)}
        return tuple(values.get(i, Rational(0)) for i in range(length))

    def matrix(self, rows: list[dict[str, Any]], width: int) -> ExactMatrix:
        """A matrix from its rows."""
        return ExactMatrix([self.vector(row, width) for row in rows])


def _region(d: dict[str, Any]) -> Region:
    """A region of letters."""
    terms = {key: [tuple(_terms(p, len(d["letters"]))) for p in d[key]] for key in ("positive", "nonnegative")}
    return Region.of(d["letters"], [(p, key == "positive") for key, listed in terms.items() for p in listed])


def _terms(p: Any, letters: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The terms of a polynomial in nested lists."""
    if isinstance(p, str):
        if p != "0":
            yield (0,) * letters, int(Rational(p).numerator)
        return
    for k, c in enumerate(p):
        yield from (((k, *powers), x) for powers, x in _terms(c, letters - 1))


def region_json(region: Region, at: Mapping[str, Rational] | None = None) -> dict[str, Any]:
    """A region as SPEC 2.2 writes it, with a point inside; or one point of it.

    >>> region_json(Region({"p": "(0, oo)"}))
    {'type': 'region', 'letters': ['p'], 'positive': [['0', '1']], 'nonnegative': [], 'inside': ['1']}
    """
    listed = {key: [polynomial_json(c.terms) for c in region.constraints if c.strict is strict] for key, strict in SIDES}
    point = region.inside if at is None else at
    where = {"inside" if at is None else "at": [str(point[name]) for name in region.names]}
    return {"type": "region", "letters": list(region.names), **listed, **where}


SIDES = (("positive", True), ("nonnegative", False))
"""The constraints of a region in the order in which a file has them, and whether they are strict."""


def _end(value: Any) -> Point:
    if isinstance(value, str):
        return Rational(value)
    return AlgebraicNumber([int(Rational(c).numerator) for c in value["poly"]], *value["in"])


def scalar_json(x: Any) -> Any:
    """A rational in lowest terms as text; others as a quotient of polynomials in their field's symbols.

    >>> scalar_json(Rational(2, 4))
    '1/2'
    >>> a = RationalFunctionField().gen
    >>> scalar_json((1 - a) / (1 + a))
    {'num': ['1', '-1'], 'den': ['1', '1']}
    """
    if isinstance(x, Rational):
        return str(x)
    constant = x.rational
    return str(constant) if constant is not None else {"num": polynomial_json(x.numerator), "den": polynomial_json(x.denominator)}


def polynomial_json(p: Sequence[Any]) -> Any:
    """A polynomial: its coefficients, the constant one first; in several symbols lists of them within lists.

    >>> polynomial_json((1, 0, 2)), polynomial_json((7,)), polynomial_json((((0, 1), 3), ((2, 0), 5)))
    (['1', '0', '2'], '7', [['0', '3'], '0', '5'])
    """
    if p and isinstance(p[0], tuple):
        return _nested({tuple(powers): c for powers, c in p})
    return [_text(c) for c in p] if len(p) > 1 else _text(p[0] if p else 0)


def _nested(terms: dict[tuple[int, ...], int]) -> Any:
    if all(not any(powers) for powers in terms):
        return _text(sum(terms.values()))
    below: dict[int, dict[tuple[int, ...], int]] = {}
    for (first, *rest), c in terms.items():
        below.setdefault(first, {})[tuple(rest)] = c
    return [_nested(below.get(k, {})) for k in range(max(below) + 1)]


def interval_json(interval: Interval) -> dict[str, Any]:
    """An interval as SPEC 2.1 writes it.

    >>> interval_json(Interval(0, "1/2", upper_closed=True))
    {'above': '0', 'at_most': '1/2'}
    """
    if interval.is_point:
        return {"at": _end_json(interval.lower)}
    return {
        "at_least" if interval.lower_closed else "above": _end_json(interval.lower),
        "at_most" if interval.upper_closed else "below": _end_json(interval.upper),
    }


def _end_json(end: Point) -> Any:
    rational = end.rational if isinstance(end, AlgebraicNumber) else end
    if rational is not None:
        return str(rational)
    assert isinstance(end, AlgebraicNumber)
    return end.to_json()


def vector_json(values: Sequence[Any]) -> dict[str, Any]:
    """A vector over one denominator, sparse when fewer than half of its entries are non-zero.

    >>> vector_json([Rational("1/2"), Rational("1/3")])
    {'den': '6', 'num': ['3', '2']}
    >>> vector_json([Rational(0), Rational(0), Rational(1)])
    {'den': '1', 'at': [2], 'num': ['1']}
    """
    at = [i for i, x in enumerate(values) if is_nonzero(x)]
    if 2 * len(at) < len(values):
        return sparse_json({i: values[i] for i in at})
    den, num = _over_one_denominator(values)
    return {"den": den, "num": num}


def sparse_json(row: dict[int, Any]) -> dict[str, Any]:
    """A sparse vector from its non-zero entries.

    >>> sparse_json({1: Rational("1/3"), 0: Rational("2/3")})
    {'den': '3', 'at': [0, 1], 'num': ['2', '1']}
    """
    at = sorted(row)
    den, num = _over_one_denominator([row[i] for i in at])
    return {"den": den, "at": at, "num": num}


def sparse_rows_json(rows: Sequence[dict[int, Any]]) -> list[dict[str, Any]]:
    """A matrix from its rows' non-zero entries.

    Rows over ℚ are written in their own lowest terms. All others share one denominator: less work to check.
    """
    if field_of(x for row in rows for x in row.values()) == QQ:
        return [sparse_json(row) for row in rows]
    plain = [{i: x if isinstance(x, Rational) else x.rational for i, x in row.items()} for row in rows]
    others = [row[i] for row, constants in zip(rows, plain, strict=True) if None in constants.values() for i in sorted(row)]
    den, num = _over_one_denominator(others) if others else ("1", [])
    numerators = iter(num)
    return [
        {"den": den, "at": sorted(row), "num": [next(numerators) for _ in row]} if None in constants.values() else sparse_json(constants)
        for row, constants in zip(rows, plain, strict=True)
    ]


def matrix_json(rows: ExactMatrix | Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """A matrix as the list of its rows; over a field beyond ℚ they share a denominator."""
    if isinstance(rows, SparseRows) and rows.field is QQ:  # of a thousand columns each row has an entry or two
        few = rows.shape[1] / 2
        return [sparse_json(row) if len(row) < few else vector_json(rows.row(i)) for i, row in enumerate(rows.entries)]
    if isinstance(rows, OverOneDenominator):
        return [_integers_json(row, rows.denominator) for row in rows.numerators]
    listed = list(rows.rows() if isinstance(rows, ExactMatrix) else rows)
    if all(field_of(row) == QQ for row in listed):
        return [vector_json(row) for row in listed]
    return sparse_rows_json([{i: x for i, x in enumerate(row) if is_nonzero(x)} for row in listed])


def _integers_json(numerators: Sequence[Any], denominator: Any) -> dict[str, Any]:
    """A vector of integers of FLINT over a common denominator, as :func:`vector_json` writes it."""
    den, num = without_divisor(numerators, denominator)
    at = [i for i, x in enumerate(num) if x]
    if 2 * len(at) < len(num):
        return {"den": str(den), "at": at, "num": [str(num[i]) for i in at]}
    return {"den": str(den), "num": list(map(str, num))}


def without_divisor(numerators: Sequence[Any], denominator: Any) -> tuple[Any, list[Any]]:
    """Denominator and numerators (integers of FLINT), divided by what all of them are multiples of."""
    divisor = denominator
    for x in numerators:
        divisor = divisor.gcd(x)
    return denominator // divisor, [x // divisor for x in numerators]


def _over_one_denominator(values: Sequence[Any]) -> tuple[Any, list[Any]]:
    field = field_of(values)
    if isinstance(field, RationalFunctionField | ExponentialField | RegionField):
        den, numerators = field.over_common_denominator([field(x) for x in values])
        return polynomial_json(den), [polynomial_json(p) for p in numerators]
    den, num = integer_vector([field(x) for x in values])
    return _text(den), list(map(_text, num))


def _text(number: int) -> str:
    return str(number) if number.bit_length() < 1000 else str(Rational(number))  # which has no digit limit


def consumer_json(consumer: Consumer, loss_name: str) -> dict[str, Any]:
    """A consumer, its loss by name."""
    if isinstance(consumer, BayesianConsumer):
        return {"type": "bayesian", "loss": loss_name, "prior": vector_json(consumer.prior.weights)}
    return {"type": "minimax", "loss": loss_name, "side_information": list(consumer.side_information.indices)}


MANY = 40
"""From so many inputs on, pairs of any two are not written one by one, nor the entries of a response."""

FIELDS = {"exponential", "parameter", "region"}
"""Definitions of what symbols stand for."""


class Definitions:
    """The definitions of one certificate, each written by name where the format has a name for it."""

    def __init__(self, at_point: Mapping[str, Rational] | None = None) -> None:
        self.objects: dict[str, Any] = {}
        self.at_point = at_point  # of a region of letters, if the claim is about this point alone
        self.shortened: dict[str, Mechanism] = {}  # what is written by n and level

    @property
    def rational(self) -> bool:
        """Whether all numbers are rational so far: no definition says what symbols stand for."""
        return not any(d["type"] in FIELDS for d in self.objects.values())

    def over(self, *things: Any) -> None:
        """Define what the symbols in some numbers (or things with a ``field``) stand for.

        >>> d = Definitions()
        >>> d.over(ExponentialField("1/10").gen)
        >>> d.objects
        {'t': {'type': 'exponential', 'rate': '1/10', 'roots': [1]}}
        """
        field = common_field(*things)
        if isinstance(field, ExponentialField):
            self.objects["t"] = {"type": "exponential", "rate": str(field.rate), "roots": list(field.roots)}
        elif isinstance(field, RationalFunctionField):
            self.objects[field.names[0]] = {"type": "parameter", "interval": interval_json(field.interval)}
        elif isinstance(field, RegionField):
            self.objects["region"] = region_json(field.region, self.at_point)
        elif isinstance(field, NumberField):
            letters = ", ".join(f"{name} = {what}" for name, what in field.legend.items())
            raise CertificateError(
                f"certificates have no numbers of the field of {letters}; of a rational level, or a rational ε, there is one", field=field
            )

    def mechanism(self, name: str, mechanism: Mechanism) -> str:
        """Define a mechanism; the geometric one by n and level."""
        self.over(mechanism.matrix)
        short = _geometric_json(mechanism) or _response_json(mechanism)
        self.objects[name] = short or _written_out(mechanism)
        if short is not None:
            self.shortened[name] = mechanism
        return name

    def in_full(self, name: str) -> Any:
        """A definition, a mechanism as its table: on some levels only may it be a geometric one."""
        return _written_out(self.shortened[name]) if name in self.shortened else self.objects[name]

    def remap(self, name: str, remap: Remap) -> str:
        """Define a given remap, as a mechanism from outputs to guesses."""
        self.over(remap.matrix)
        self.objects[name] = _labelled("mechanism", remap.outputs, remap.guesses, remap.matrix)
        return name

    def table(self, name: str, table: Table) -> str:
        """Define a table that need not be a mechanism."""
        self.over(table.matrix)
        self.objects[name] = _labelled("table", table.inputs, table.outputs, table.matrix)
        return name

    def judged(self, name: str, table: Table) -> str:
        """Define a table as a mechanism: the checker finds out whether it is one."""
        self.table(name, table)
        self.objects[name]["type"] = "mechanism"
        return name

    def printed(self, name: str, table: PrintedTable) -> str:
        """Define a printed table by the bounds of its entries."""
        ends = {"lower": matrix_json(table.lower.rows()), "upper": matrix_json(table.upper.rows())}
        self.objects[name] = {"type": "printed", "inputs": list(table.inputs), "outputs": list(table.outputs), **ends}
        return name

    def neighbours(self, name: str, neighbours: Neighbours) -> str:
        """Define a graph (a numbered path by its size) or a table of distances."""
        labels = list(neighbours.vertices)
        if isinstance(neighbours, Metric):
            pairs = [[i, j, str(d)] for i, j, d in neighbours.pairs()]
            self.objects[name] = {"type": "distances", "vertices": labels, "pairs": pairs}
        elif neighbours.edges == tuple((i, i + 1) for i in range(len(labels) - 1)) and _numbered(labels):
            self.objects[name] = {"type": "path", "vertices": len(labels)}
        elif isinstance(neighbours, Graph) and neighbours.is_complete and len(labels) >= MANY:
            self.objects[name] = {"type": "complete", "vertices": labels}
        else:
            assert isinstance(neighbours, Graph)
            self.objects[name] = {"type": "graph", "vertices": labels, "edges": [list(edge) for edge in neighbours.edges]}
        return name

    def at(self, neighbours: Neighbours, level: PrivacyLevel) -> dict[str, Any]:
        """The neighbours, defined as N, and the level that a claim is about."""
        self.over(level.alpha)
        return {"neighbours": self.neighbours("N", neighbours), "level": scalar_json(level.alpha)}

    def consumer(self, consumer: Consumer) -> dict[str, Any]:
        """A consumer, its loss defined as l; and the symbols of its prior, if nothing else has any."""
        if isinstance(consumer, BayesianConsumer) and self.rational:
            self.over(*consumer.prior.weights)
        return consumer_json(consumer, self.loss("l", consumer.loss))

    def loss(self, name: str, loss: Loss) -> str:
        """Define a loss; the usual three on 0..n by name."""
        named = _named_loss_json(loss)
        if named is None:
            self.over(loss.matrix)
        self.objects[name] = named or _labelled("loss", loss.inputs, loss.guesses, loss.matrix)
        return name


def potentials_json(dual: Dual, field: Any) -> dict[str, Any]:
    """The potentials and the edges of a dual, as far as it has them, over one field."""
    potentials = {} if dual.potentials is None else {"potentials": vector_json([field(u) for u in dual.potentials])}
    return potentials | ({} if dual.edges is None else {"edges": matrix_json([[field(u) for u in row] for row in dual.edges])})


def _labelled(kind: str, rows: tuple[str, ...], columns: tuple[str, ...], matrix: ExactMatrix) -> dict[str, Any]:
    side = "guesses" if kind == "loss" else "outputs"
    return {"type": kind, "inputs": list(rows), side: list(columns), "rows": matrix_json(matrix.rows())}


def _numbered(labels: Sequence[str]) -> bool:
    return list(labels) == [str(i) for i in range(len(labels))]


def _written_out(mechanism: Mechanism) -> dict[str, Any]:
    return _labelled("mechanism", mechanism.inputs, mechanism.outputs, mechanism.matrix)


def _geometric_json(mechanism: Mechanism) -> dict[str, Any] | None:
    n = mechanism.n_inputs - 1
    if n < 1 or mechanism.n_outputs != n + 1 or not (_numbered(mechanism.inputs) and _numbered(mechanism.outputs)):
        return None
    if is_zero(mechanism.matrix[0, 0]):
        return None
    alpha = generic_quotient(mechanism.matrix[1, 0], mechanism.matrix[0, 0])
    try:
        named = 0 < alpha < 1 and geometric(n, alpha).matrix.same_formulas(mechanism.matrix)
    except DomainError:  # a ratio that is a level at some of the levels, or points, only
        return None
    if isinstance(alpha, RegionFunction) and any(any(powers) for powers, _ in alpha.denominator):
        return None  # the checker's products with it divide by the denominator
    return {"type": "geometric", "n": n, "level": scalar_json(alpha)} if named else None


def _response_json(mechanism: Mechanism) -> dict[str, Any] | None:
    """A randomized response of numbers with many labels by its level; None for another mechanism."""
    size = mechanism.n_inputs
    if size < MANY or mechanism.inputs != mechanism.outputs or not isinstance(mechanism.field.one, Rational | ExponentialNumber):
        return None
    rows = Ranking.of(mechanism.matrix).rows
    inside, outside = rows[0][:2]
    expected = [outside] * size
    for i, row in enumerate(rows):
        expected[i] = inside
        if list(row) != expected:
            return None
        expected[i] = outside
    alpha = mechanism[0, 1] / mechanism[0, 0] if inside else None
    if alpha is None or not 0 < alpha < 1:
        return None
    return {"type": "randomized-response", "inputs": list(mechanism.inputs), "level": scalar_json(alpha)}


def _named_loss_json(loss: Loss) -> dict[str, Any] | None:
    """The loss by its type, if it is one that the checker knows."""
    if not _numbered(loss.inputs) or loss.inputs != loss.guesses:
        return None
    kind = _type_of(loss)
    return None if kind is None else {"type": kind, "n": len(loss.inputs) - 1}


def _type_of(loss: Loss) -> str | None:
    """The type of its word, or else the first one that has its numbers."""
    if loss.kind is not None:
        own = BY_WORD[loss.kind].certificate
        if own is not None:
            return own.name
    size = len(loss.inputs)
    for kind, named in OF_CERTIFICATES.items():
        values = named.values(size)
        if all(same_formula(loss.matrix[i, r], values[abs(i - r)]) for i in range(size) for r in range(size)):
            return kind
    return None


Parts = tuple[dict[str, Any], Definitions, dict[str, Any]]
"""The claim, the definitions and the witness of a certificate."""
