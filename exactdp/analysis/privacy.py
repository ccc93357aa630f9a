# SPDX-License-Identifier: MIT
"""How private is this mechanism, exactly, and where is the bound tight?

A mechanism x is α-private for neighbours N when x_ir ≥ α^d(i,j) x_jr for every constrained pair and every
output, in both orders [gs2010, Definition 2]. The tightest level is the largest such α: the least
ratio^(1/d), 0/0 ignored, 0 beside a non-zero entry giving 0, identical rows giving 1.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from exactdp.analysis.arguments import MechanismLike, as_given, as_level, as_mechanism, as_neighbours, as_table, ask, with_notes
from exactdp.analysis.epsilon import together
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.privacy_cells import (
    Cell,
    Column,
    ColumnCells,
    Partners,
    PathCells,
    attaining,
    beside_zero,
    beyond,
    beyond_in_order,
    extremes,
    first_pair,
    least_ratio,
)
from exactdp.analysis.privacy_ratios import LeastRatio, leading_bits, least_of_long_rows, least_of_rows
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import private_on, short_number
from exactdp.errors import InputError, ResourceLimitError, UndecidedSignError
from exactdp.exact import (
    QQ,
    ExponentialNumber,
    Rational,
    RationalFunctionField,
    Region,
    RegionField,
    ScaledPowers,
    is_nonzero,
    is_zero,
    same_formula,
)
from exactdp.exact.number_field import NumberFieldElement
from exactdp.exact.ranking import Ranking
from exactdp.model import (
    SIZED_BY_INPUTS,
    Distance,
    Graph,
    LevelLike,
    Mechanism,
    Neighbours,
    NeighboursLike,
    PrivacyLevel,
    Table,
    TightestLevel,
)
from exactdp.model import neighbours as neighbours_named
from exactdp.model.epsilon import SUM, Epsilon, bracketed, power_text
from exactdp.model.labels import Positions
from exactdp.model.level_argument import takes_epsilon
from exactdp.model.mechanism import MOST_ROUNDING, ROUNDING, Faults, NegativeEntry, Quality, as_rounding
from exactdp.model.metric import ONE
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, counted_off, raise_unless_own_limit

NO_FAULTS = Faults((), ())
"""Of a table that is row-stochastic."""

V = TypeVar("V")

LEVEL, VIOLATED, TIGHT = "the tightest level", "all violated constraints", "all tight constraints"
"""What a time limit can keep from being known of the privacy of a mechanism."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyEvidence:
    """The exact privacy of a mechanism.

    Attributes
    ----------
    mechanism, neighbours, level
        What was asked about; ``level`` is None when the question was for the tightest level.
    tightest : TightestLevel
        The largest level at which the mechanism is private (1: identical rows; 0: private at no level).
    attained : Cell or None
        A cell that attains it; None when no two constrained rows differ.
    tight : sequence of Cell
        The cells whose own level equals the level asked about (the tightest level if none was).
    violated : sequence of Cell
        The cells that break the level asked about.
    unfinished : tuple of str
        What a time limit kept from being known, of :data:`LEVEL`, :data:`VIOLATED` and :data:`TIGHT`. Without
        the first ``tightest`` is only a bound: the tightest level is at most this. The lists have what was
        found in time.
    apart : bool
        Whether level and mechanism have no common field of a size that is decided here, so that their ε were
        compared as numbers.
    """

    mechanism: Mechanism
    neighbours: Neighbours
    level: PrivacyLevel | None
    tightest: TightestLevel
    attained: Cell | None
    tight: Sequence[Cell]
    violated: Sequence[Cell]
    unfinished: tuple[str, ...] = ()
    apart: bool = False

    @property
    def epsilon(self) -> Epsilon:
        """The smallest ε, that of the tightest level; only a lower bound where ``LEVEL`` is unfinished.

        >>> from exactdp import geometric, tightest_level
        >>> found = tightest_level(geometric(3, "1/3"), "path").evidence.epsilon
        >>> found, float(found)
        (Epsilon('ln(3)'), 1.0986122886681098)
        """
        return self.tightest.epsilon

    def in_sympy(self) -> Any:
        """The tightest level, if that was the question."""
        return self.tightest.to_sympy() if self.level is None and LEVEL not in self.unfinished else None


@dataclass(frozen=True, slots=True, kw_only=True)
class StochasticEvidence:
    """What a table is as a mechanism, and a fault of it.

    Attributes
    ----------
    table : Table
        What was asked about.
    quality : str
        *exact*, *rounded* or *wrong* (:meth:`exactdp.Table.quality`).
    rounding : Rational
        The bound for faults that was used.
    row, column : int or None
        An entry below 0, or without a column a row whose sum is not 1.
    faults : Faults
        All of them.
    """

    table: Table
    quality: Quality
    rounding: Rational = ROUNDING
    row: int | None = None
    column: int | None = None
    faults: Faults = NO_FAULTS


def tightest_level(
    mechanism: MechanismLike | PrintedTable,
    neighbours: NeighboursLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[PrivacyEvidence | Any]:
    """What is the largest level at which the mechanism is private?

    Parameters
    ----------
    mechanism : Mechanism, Table, PrintedTable, text or rows
        (n, m) row-stochastic, exact. A table is checked; a text is a word (``geometric:n=3,alpha=1/4``). Of a
        printed table all mechanisms are meant that print so.
    neighbours : Graph, Metric or text
        On the mechanism's inputs, which are matched by label, or by position if neither has labels. A word
        without a size, such as ``path``, takes the mechanism's inputs (:func:`exactdp.neighbours`).
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so many seconds after the call, with what is certain then.

    Returns
    -------
    Verdict[PrivacyEvidence]
        Proved; ``evidence.tightest`` is the level, ``evidence.epsilon`` its ε (``float(…)`` is the nearest
        double), and ``evidence.tight`` lists the cells that attain it.
        Undecided when the time was up: then it is a bound (``evidence.unfinished``). With letters,
        ``evidence.pieces`` are the formulas, and where each is the level
        (:class:`~exactdp.analysis.letters.values.LevelOnRegion`). Of a printed table it is undecided unless
        all that print so have one level; ``evidence.largest`` and ``evidence.smallest`` are the ends of ε
        (:class:`~exactdp.analysis.printed.epsilon_ends.PrintedPrivacyEvidence`).

    Raises
    ------
    LabelError
        The inputs of the two differ, or only one of the two has labels; carries both lists.

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> print(tightest_level(geometric(3, "1/4"), neighbours("path:4")).evidence.tightest)
    1/4
    """
    if isinstance(mechanism, PrintedTable):
        from exactdp.analysis.printed.epsilon_ends import privacy_as_printed  # loaded for printed tables only

        return privacy_as_printed(mechanism, neighbours, progress=progress, time_limit=time_limit)
    if time_limit is None:  # a part of who asks, under that one's limit
        return _tightest_level(mechanism, neighbours, progress, keeps=False)
    return ask(lambda asked: _tightest_level(mechanism, neighbours, asked.progress, keeps=True), progress, time_limit)


def _tightest_level(
    mechanism: MechanismLike, neighbours: NeighboursLike, progress: Listener | None, *, keeps: bool
) -> Verdict[PrivacyEvidence | Any]:
    if isinstance(mechanism, str):
        from exactdp.analysis.laws import by_law  # loaded for words only

        known = by_law(mechanism, neighbours, None)
        if known is not None:
            return known
    found = as_mechanism(mechanism)
    near = as_neighbours(neighbours, found)
    if not letters_in(found):
        return with_notes(_privacy(found, near, None, progress, keeps=keeps), found.notes)
    from exactdp.analysis.letters.values import level_on_region  # loaded for letters only

    return level_on_region(found, near)


@takes_epsilon
def is_private(
    mechanism: MechanismLike | PrintedTable,
    neighbours: NeighboursLike,
    level: LevelLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[PrivacyEvidence | Any]:
    """Is the mechanism α-private: x_ir ≥ α^d(i,j) x_jr for all constrained pairs and outputs?

    Parameters
    ----------
    mechanism, neighbours, progress, time_limit
        As for :func:`tightest_level`.
    level : level
        0 < α < 1: a PrivacyLevel, a number or text. Its ε need not be in one field with the mechanism's
        numbers: the two are then compared as numbers.

    Returns
    -------
    Verdict[PrivacyEvidence]
        Proved, with the tight cells; or refuted, with every violated cell. The tightest level is always
        there. When the time was up: refuted with a violated cell, if one was found, and undecided otherwise;
        ``evidence.unfinished`` says what is not known. With letters, whether a table is a private mechanism
        at every point of their region
        (:class:`~exactdp.analysis.letters.tables.PrivateOnRegion`). Of a printed table, whether all that
        print so are private, or none; else undecided
        (:class:`~exactdp.analysis.printed.epsilon_ends.PrintedPrivacyEvidence`).

    Raises
    ------
    LabelError
        The inputs of the two differ, or only one of the two has labels; carries both lists.

    Examples
    --------
    >>> from exactdp import PrivacyLevel, identity, neighbours
    >>> v = is_private(identity(range(2)), neighbours("path:2"), PrivacyLevel("1/2"))
    >>> print(v)
    REFUTED  no finite ε (tightest level α = 0), so not private at α = 1/2
    for      path:2 · α = 1/2 (ε = ln(2) ≈ 0.6931472)
    >>> is_private("geometric:n=3,alpha=1/3", "path", "1/4").proved
    True
    """
    if isinstance(mechanism, PrintedTable):
        from exactdp.analysis.printed.epsilon_ends import privacy_as_printed  # loaded for printed tables only

        return privacy_as_printed(mechanism, neighbours, level, progress=progress, time_limit=time_limit)
    if time_limit is None:  # a part of who asks, under that one's limit
        return _is_private(mechanism, neighbours, level, progress, keeps=False)
    return ask(lambda asked: _is_private(mechanism, neighbours, level, asked.progress, keeps=True), progress, time_limit)


def _is_private(
    mechanism: MechanismLike, neighbours: NeighboursLike, level: LevelLike, progress: Listener | None, *, keeps: bool
) -> Verdict[PrivacyEvidence | Any]:
    if isinstance(mechanism, str):
        from exactdp.analysis.laws import by_law  # loaded for words only

        known = by_law(mechanism, neighbours, as_level(level))
        if known is not None:
            return known
    try:
        return privacy_at(mechanism, neighbours, level, progress=progress, keeps=keeps)
    except UndecidedSignError:  # at some values of the letter it is, at others not
        given = as_given(mechanism, level)
        found = as_mechanism(given, as_level(level, beside=given))
        near = as_neighbours(neighbours, found)
        at = as_level(level, near, beside=given)
        if at.field.letters or not isinstance(found.field, RationalFunctionField):
            raise
    return _on_region(with_region(found).as_table(), near, at)


def privacy_at(
    mechanism: MechanismLike, neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None, keeps: bool = False
) -> Verdict[PrivacyEvidence | Any]:
    """The answer of :func:`is_private` for a part of another question, which keeps what that one asks about.

    Raises UndecidedSignError where the mechanism has the level's letter and is private at some of its values
    only.

    >>> from exactdp import geometric
    >>> privacy_at(geometric(1, "1/2"), "path", "1/2").proved
    True
    """
    given = as_given(mechanism, level)
    asked = as_level(level, beside=given)
    if letters_in(given, asked):
        return _on_region(as_table(given), neighbours, asked)
    found = as_mechanism(given, asked)
    near = as_neighbours(neighbours, found)
    if isinstance(found.field, RationalFunctionField) and isinstance(asked.alpha, ExponentialNumber | NumberFieldElement):
        return _on_region(with_region(found).as_table(), near, asked)
    at = as_level(level, near, beside=given)
    return with_notes(_privacy(found, near, at, progress, keeps=keeps), found.notes)


def with_region(mechanism: Mechanism) -> Mechanism:
    """A mechanism with one letter on an interval, over the region that this is.

    >>> from exactdp import geometric
    >>> print(with_region(geometric(1, PrivacyLevel.symbolic())).field)
    QQ(a) for 0 < a < 1
    """
    field = mechanism.field
    assert isinstance(field, RationalFunctionField)
    region = Region({field.name_of_level: field.interval})
    return Mechanism(mechanism.matrix.map(RegionField(region)), mechanism.inputs, mechanism.outputs)


def _on_region(table: Table, neighbours: NeighboursLike, level: PrivacyLevel) -> Verdict[Any]:
    """Is a table private at every point of the region of its letters?"""
    from exactdp.analysis.letters.tables import private_on_region  # loaded for letters only

    return private_on_region(table, as_neighbours(neighbours, table), level, is_private, is_stochastic)


def require_private(mechanism: Mechanism, neighbours: Neighbours, level: PrivacyLevel) -> None:
    """InputError unless the mechanism is private at the level."""
    verdict = privacy_at(mechanism, neighbours, level)
    if not verdict.proved:
        found = f"the mechanism is not {private_on(level, neighbours)}"
        if letters_in(mechanism, level):  # it may be at some points
            found = f"the mechanism is to be private at every point of its letters' region: {verdict.claim}"
        raise InputError(f"{found}; is_private (exactdp privacy) lists the violated constraints", level=level)


def is_stochastic(table: MechanismLike, *, rounding: object = ROUNDING) -> Verdict[StochasticEvidence | Any]:
    """Is this table a mechanism: entries ≥ 0, rows summing to 1? Is it exact, rounded or wrong?

    Parameters
    ----------
    table : Table or what makes one
        Any exact matrix.
    rounding : exact number
        In [0, 1/100]. A table none of whose faults (a row sum minus 1, a negative entry) is larger in
        absolute value is *rounded*, any other with a fault *wrong*.

    Returns
    -------
    Verdict[StochasticEvidence]
        Proved: it is *exact*. Refuted: ``evidence.quality`` says *rounded* or *wrong*, with a fault. With
        letters, whether it is one at every point of their region
        (:class:`~exactdp.analysis.letters.tables.StochasticOnRegion`).

    Examples
    --------
    >>> from exactdp import ExactMatrix, Table
    >>> print(is_stochastic(Table(ExactMatrix([["1/2", "1/3"]]))))
    REFUTED  wrong: row 0 sums to 5/6 ≈ 0.833333, not 1
    for      a fault of at most 2^-40 counts as rounding
    >>> is_stochastic(Table([["0.5", "0.50000000000000001"]])).evidence.quality
    'rounded'
    """
    table = as_table(table)
    scope, bound = scope_of(table.matrix), as_rounding(rounding)
    if letters_in(table):
        from exactdp.analysis.letters.tables import stochastic_on_region

        return stochastic_on_region(table, is_stochastic)
    fault = _first_fault(table)
    if fault is None:
        found = StochasticEvidence(table=table, quality="exact", rounding=bound)
        return Verdict(Decision.PROVED, "The table is row-stochastic, exactly", found, scope, table.notes)
    quality: Quality = "wrong"
    if not isinstance(table.field, RationalFunctionField):
        quality = table.quality(bound)
        fault = (_first_fault(table, bound) if quality == "wrong" else None) or fault  # what makes it wrong, not what is rounded
    faults, (row, column, text) = table.faults(), fault
    claim = f"The table is wrong, not row-stochastic: {text}" + (f"; {faults.columns_text}" if faults.transposed else "")
    if quality == "rounded":
        claim = f"The table is rounded, not exactly row-stochastic: {text}; {faults_text(faults, bound)}"
    found = StochasticEvidence(table=table, quality=quality, rounding=bound, row=row, column=column, faults=faults)
    return Verdict(Decision.REFUTED, claim, found, scope, table.notes)


def _first_fault(table: Table, above: Rational | None = None) -> tuple[int, int | None, str] | None:
    """The row, the column of a negative entry, and the first fault in words, or the first above a bound."""
    for i, label in enumerate(table.inputs):
        row = table.matrix.row(i)
        for r, x in enumerate(row):
            if x < 0 and (above is None or -x > above):
                return i, r, f"entry ({label}, {table.outputs[r]}) is {x}, below 0"
        total = sum(row, table.matrix.field.zero)
        if (total - 1).sign() and (above is None or abs(total - 1) > above):
            return i, None, f"row {label} sums to {total}, not 1"
    return None


def of_unrounded(verdict: Verdict[V], table: Table, title: str = "The table", rounding: object = ROUNDING) -> Verdict[V]:
    """The verdict about the mechanism that a rounded table stands for, whose sentence says that it is that.

    Parameters
    ----------
    verdict : Verdict
        About ``table.unrounded(rounding)``.
    table : Table
        The rounded table.
    title : str
        Its name in the sentence.
    rounding : exact number
        The bound for faults.

    Examples
    --------
    >>> from exactdp import Table, is_private, neighbours
    >>> table = Table([["0.5", "0.50000000000000001"], ["0.25", "0.75"]])
    >>> v = of_unrounded(is_private(table.unrounded(), neighbours("path:2"), "1/4"), table)
    >>> v.proved, "divided by its row sums" in v.claim
    (True, True)
    """
    faults = table.faults()
    claim = verdict.claim[0].lower() + verdict.claim[1:] if verdict.claim.startswith("The ") else verdict.claim
    rounded = unrounded_text(faults, as_rounding(rounding), title)
    why = zeroed_text(zeroed(verdict.evidence, faults)) if isinstance(verdict.evidence, PrivacyEvidence) else ""
    assumed = (*verdict.assumed, rounded, *([f"the level is 0{why}"] if why else []))
    return replace(verdict, claim=f"{rounded}: {claim}{why}", assumed=assumed)


def level_as_it_stands(table: Table, neighbours: Neighbours) -> TightestLevel | None:
    """The least ratio^(1/d) of a table whose rows may miss 1; None if an entry is negative.

    >>> from exactdp import Table, neighbours
    >>> print(level_as_it_stands(Table([["1/2", "1/2"], ["1/4", "1/4"]]), neighbours("path:2")))
    1/2
    """
    table = table.aligned(neighbours.vertices)
    if table.faults().negative:
        return None
    survey = _survey(table, neighbours, None, apart=False)
    survey.look_at(table, neighbours, None)
    return _least_of(survey.least)[1]


def transposed(table: Table, neighbours: Neighbours) -> tuple[Mechanism, Neighbours | None] | None:
    """The mechanism that a table with its inputs in the columns is, and its neighbours; None for another one.

    The neighbours are those of the same kind on the columns' labels; None where they are about other inputs.

    >>> from exactdp import Table, neighbours
    >>> mechanism, near = transposed(Table([["1/2", "1/4"], ["1/2", "3/4"]]), neighbours("path:2"))
    >>> print(mechanism.matrix[1, 0], near)
    1/4 path:2
    """
    if not table.faults().transposed:
        return None
    meant = table.transpose().unrounded(MOST_ROUNDING)
    family = str(neighbours).partition(":")[0]
    if set(meant.inputs) == set(neighbours.vertices):
        alike = isinstance(meant.inputs, Positions) == isinstance(neighbours.vertices, Positions)
        return meant.aligned(neighbours.vertices) if alike else meant.relabelled(neighbours.vertices), neighbours
    if family in SIZED_BY_INPUTS:
        try:
            return meant, neighbours_named(family, meant.inputs)
        except InputError:  # a cycle has three vertices at least
            return meant, None
    return meant, neighbours.relabelled(meant.inputs) if len(meant.inputs) == len(neighbours.vertices) else None


def level_of_truth(table: Table, neighbours: Neighbours) -> TightestLevel | None:
    """What a table with wrong rows keeps at most: the level of its transpose if it looks transposed, else as
    it stands.

    A remedy that makes more of it makes another mechanism than the one that the user has. None where
    neither is known.

    >>> from exactdp import Table, neighbours
    >>> print(level_of_truth(Table([["1/2", "1/4"], ["1/2", "3/4"]]), neighbours("path:2")))
    1/2
    """
    meant = transposed(table, neighbours)
    if meant is None:
        return level_as_it_stands(table, neighbours)
    mechanism, near = meant
    return None if near is None else tightest_level(mechanism, near).evidence.tightest


def zeroed(e: PrivacyEvidence, faults: Faults) -> tuple[NegativeEntry, ...]:
    """The negative entries of a rounded table whose 0 leaves no finite ε; none if another entry does too."""
    if not faults.negative or e.tightest.value != 0:
        return ()
    zero = {(cell.low, cell.output) for cell in (*e.tight, *e.violated) if is_zero(cell.ratio)}
    found = tuple(entry for entry in faults.negative if (entry.row, entry.column) in zero)
    return found if len(found) == len(zero) else ()


def zeroed_text(entries: tuple[NegativeEntry, ...]) -> str:
    """Why the level is 0, to be put after it; nothing without such entries."""
    if not entries:
        return ""
    first = entries[0]
    return f", because entry ({first.row_label}, {first.column_label}) = {short_number(first.value)} is set to 0 and no ε is finite"


def faults_text(faults: Faults, rounding: Rational) -> str:
    """How large the faults of a rounded table are: ``no fault is above 2^-40, the largest is 1/…``."""
    return f"no fault is above {bound_text(rounding)}, the largest is {short_number(faults.largest)}"


def unrounded_text(faults: Faults, rounding: Rational, title: str) -> str:
    """That a table is rounded, by how much, and what is judged in its place."""
    ways = [*(["with negative entries set to 0"] if faults.negative else []), "divided by its row sums"]
    judged = f"judged is the table as printed, {' and '.join(ways)}"
    return f"{title} is rounded ({faults_text(faults, rounding)}); {judged}; what was rounded away is not in it"


def bound_text(bound: Rational) -> str:
    """A bound as it is typed: a power of 2 as ``2^-40``, another number as it is.

    >>> bound_text(ROUNDING), bound_text(Rational("1/3"))
    ('2^-40', '1/3')
    """
    size = int(bound.denominator)
    return f"2^-{size.bit_length() - 1}" if bound.numerator == 1 and size > 8 and size & (size - 1) == 0 else short_number(bound)


def _cells(mechanism: Mechanism | Table, neighbours: Neighbours, progress: Listener | None = None) -> Iterator[Cell]:
    """Every constraint that is not 0 ≥ 0, in the direction that can be violated: ratios ≤ 1."""
    rows = list(mechanism.matrix.rows())
    of_numbers = isinstance(mechanism.field.one, Rational | ExponentialNumber)
    at_most: Callable[[Any, Any], bool] = operator.le if of_numbers else _nowhere_above
    for i, j, distance in counted_off(neighbours.pairs(), progress, "constraints", "pairs"):
        for r, (x, y) in enumerate(zip(rows[i], rows[j], strict=True)):
            if at_most(x, y):
                if y > 0:
                    yield Cell(i, j, r, x / y, distance)
            else:
                yield Cell(j, i, r, y / x, distance)


def _nowhere_above(x: Any, y: Any) -> bool:
    """Whether a function of letters is above another one at no point."""
    return int((x - y).weak_sign()) <= 0


def _privacy(
    mechanism: Mechanism, neighbours: Neighbours, level: PrivacyLevel | None, progress: Listener | None, *, keeps: bool
) -> Verdict[PrivacyEvidence]:
    """How private a mechanism is; ``keeps``: when the time is up, with what is certain."""
    mechanism = mechanism.aligned(neighbours.vertices)
    joined = None if level is None else together(mechanism, level)
    apart = level is not None and joined is None
    if joined is not None:
        mechanism, level = joined
    known = _of_powers(mechanism, neighbours, level, progress, apart=apart)
    if known is not None:
        return _said(known)
    survey = _survey(mechanism, neighbours, level, apart=apart)
    unfinished: list[str] = []

    def within_the_limit(steps: Callable[[], None], *lost: str) -> None:
        """Take the steps of a phase; when the time is up, what they would have found is lost."""
        try:
            steps()
        except ResourceLimitError as error:
            if not keeps or "seconds" not in error.facts or not survey.least or not survey.in_numbers:
                raise
            raise_unless_own_limit(error)
            unfinished.extend(lost)

    within_the_limit(lambda: survey.look_at(mechanism, neighbours, progress), LEVEL, VIOLATED, TIGHT)
    attained, tightest = _least_of(survey.least)
    if not unfinished:
        within_the_limit(lambda: survey.find_violated(progress), VIOLATED, TIGHT)
    if not unfinished:
        within_the_limit(lambda: survey.find_tight(tightest, progress), TIGHT)
    if level is not None and VIOLATED in unfinished and not survey.violated:
        survey.violated = [cell for cell in survey.least.values() if not survey.keeps_level(cell)]
    if VIOLATED in unfinished and (level is None or (LEVEL not in unfinished and not survey.violated)):
        unfinished.remove(VIOLATED)  # there are none
    evidence = PrivacyEvidence(
        mechanism=mechanism,
        neighbours=neighbours,
        level=level,
        tightest=tightest,
        attained=attained,
        tight=_kept(survey.tight),
        violated=_kept(survey.violated),
        unfinished=tuple(unfinished),
        apart=apart,
    )
    return _said(evidence)


class _Survey:
    """The constraints of a mechanism, the least ratio of each distance, and what breaks or attains a level.

    For one distance d, α^d ≤ ratio holds for all ratios from some number on. So few ratios are compared with
    the level itself: with α = 1/2 and d = 11/10 that is a comparison of large powers.
    """

    def __init__(self, level: PrivacyLevel | None, field: Any, *, apart: bool) -> None:
        self.level, self.one, self.apart = level, field.one, apart
        self.in_numbers = isinstance(self.one, Rational | ExponentialNumber)
        self.cells: list[Cell] = []
        self.least: dict[Distance, Cell] = {}
        self.violated: Sequence[Cell] = ()
        self.tight: Sequence[Cell] = ()
        self._kept: dict[Distance, Any] = {}
        self._broken: dict[Distance, Any] = {}

    def look_at(self, mechanism: Mechanism | Table, neighbours: Neighbours, progress: Listener | None) -> None:
        """Take up the constraints."""
        distance: Distance | None = None
        best: Cell | None = None
        for cell in _cells(mechanism, neighbours, progress):
            self.cells.append(cell)
            if cell.distance is not distance:
                distance, best = cell.distance, self.least.get(cell.distance)
            if best is None or self._is_less(cell.ratio, best.ratio):
                best = self.least[cell.distance] = cell

    def _is_less(self, ratio: Any, other: Any) -> bool:
        """Whether a ratio is less than another; of functions of letters, nowhere more."""
        return bool(ratio < other) if self.in_numbers else (ratio - other).weak_sign() < 0

    def keeps_level(self, cell: Cell) -> bool:
        """Whether a constraint holds at the level asked about."""
        assert self.level is not None
        if not self.in_numbers or not isinstance(self.level.alpha, Rational | ExponentialNumber):
            if self.apart:
                return TightestLevel(cell.ratio, cell.distance).compare(self.level) >= 0
            return self.level.at_least(cell.ratio, self.one, cell.distance)
        kept, broken = self._kept.get(cell.distance), self._broken.get(cell.distance)
        if kept is not None and cell.ratio >= kept:
            return True
        if broken is not None and cell.ratio <= broken:
            return False
        if self.apart:
            holds = TightestLevel(cell.ratio, cell.distance).compare(self.level) >= 0
        else:
            holds = self.level.at_least(cell.ratio, self.one, cell.distance)
        (self._kept if holds else self._broken)[cell.distance] = cell.ratio
        return holds

    def find_violated(self, progress: Listener | None) -> None:
        """The constraints that break the level asked about."""
        if self.level is None:
            return
        self.violated = violated = []
        for cell in counted_off(self.cells, progress, "which are violated", "constraints", every=1000):
            if not self.keeps_level(cell):
                violated.append(cell)

    def find_tight(self, tightest: TightestLevel, progress: Listener | None) -> None:
        """The constraints whose own level is the one asked about, or the tightest one."""
        asked = tightest if self.level is None else self.level
        of_numbers = self.in_numbers and isinstance(asked.as_tightest().ratio, Rational | ExponentialNumber)
        at = self._tight_ratios(asked) if of_numbers else {}
        self.tight = tight = []
        for cell in counted_off(self.cells, progress, "which are tight", "constraints", every=1000):
            if of_numbers:
                ratio = at.get(cell.distance)
                attains = ratio is not None and bool(cell.ratio == ratio)
            else:
                attains = self._attains(cell, asked)
            if attains:
                tight.append(cell)

    def _tight_ratios(self, asked: PrivacyLevel | TightestLevel) -> dict[Distance, Any]:
        """For each distance the ratio of numbers that is tight, if one is: the least that keeps the level."""
        least = {d: cell.ratio for d, cell in self.least.items()} if self.level is None else self._kept
        return {d: ratio for d, ratio in least.items() if ratio != 1 and TightestLevel(ratio, d) == asked}

    def _attains(self, cell: Cell, asked: PrivacyLevel | TightestLevel) -> bool:
        """Whether a constraint is tight; of numbers the ratio of each distance that is was found before."""
        if self.level is None:
            return bool(cell.ratio != 1 and TightestLevel(cell.ratio, cell.distance) == asked)
        return bool(cell.ratio and TightestLevel(cell.ratio, cell.distance) == asked)


class _ColumnSurvey(_Survey):
    """The constraints of a mechanism of numbers between any two of its inputs, column by column.

    The least ratio of a column is its least entry over its greatest: n² constraints are 2n comparisons. Which
    of them break or attain a level depends on the values that a column has, in order. Entries are compared as
    integers in the same order.
    """

    def look_at(self, mechanism: Mechanism | Table, neighbours: Neighbours, progress: Listener | None) -> None:
        """The least entry of each column beside the greatest."""
        self.ranking = Ranking.of(mechanism.matrix)
        self.entries = self.ranking.columns()

        def less(ratio: Any, r: int) -> None:
            self.least = {ONE: Cell(*first_pair(self.entries[r], ratio), r, ratio, ONE)}

        ratio, self.least_in = least_ratio(self.ranking, counted_off(self.entries, progress, "constraints", "outputs"), less)
        if ratio is not None and ratio != 1:  # of the constraints with this ratio, the first pair of inputs is told
            less(ratio, min(self.least_in, key=lambda r: (*sorted(first_pair(self.entries[r], ratio)), r)))

    def find_violated(self, progress: Listener | None) -> None:
        """The constraints that break the level asked about; none if the least ratio keeps it."""
        if self.level is None or all(map(self.keeps_level, self.least.values())):
            return
        columns = {r: Column.of(x) for r, x in enumerate(counted_off(self.entries, progress, "the values of outputs", "outputs"))}
        if self.apart:
            partners = {r: beyond_in_order(column, self._keeps) for r, column in columns.items()}
        else:
            within = self.ranking.within(self.level.alpha)
            partners = {r: beyond(column, within) for r, column in columns.items()}
            self.tight = self._cells(columns, {r: attaining(column, within) for r, column in columns.items()})
        self.violated = self._cells(columns, partners)

    def _keeps(self, smaller: int, larger: int) -> bool:
        """Whether two entries of a column keep the level asked about."""
        return self.keeps_level(Cell(0, 0, 0, self.ranking.value(smaller) / self.ranking.value(larger), ONE))

    def find_tight(self, tightest: TightestLevel, progress: Listener | None) -> None:
        """The constraints whose own level is the one asked about, or the tightest one."""
        if self.tight:
            return
        at = self._tight_ratios(tightest if self.level is None else self.level)
        if ONE not in at:
            return
        ratio, least = at[ONE], self.least[ONE].ratio
        if ratio is least or ratio == least:
            columns = {r: Column.of(self.entries[r]) for r in self.least_in}
            self.tight = self._cells(columns, {r: extremes(column) if ratio else beside_zero(column) for r, column in columns.items()})
        else:  # above the least one
            columns = {r: Column.of(column) for r, column in enumerate(self.entries)}
            within = self.ranking.within(ratio)
            self.tight = self._cells(columns, {r: attaining(column, within) for r, column in columns.items()})

    def _cells(self, columns: Mapping[int, Column], partners: Mapping[int, Partners]) -> Sequence[Cell]:
        return ColumnCells(columns, partners, self.ranking.value)


_NOT_KNOWN = 0, 0, 0, 0
"""Two ratios of which neither is known."""


class _IntegerSurvey(_Survey):
    """The constraints of a mechanism of rational numbers: entries are compared as integers.

    A constraint is made only where one of its distance breaks or attains a level. So a power α^d is compared
    once for each distance where the least ratio keeps the level.
    """

    def look_at(self, mechanism: Mechanism | Table, neighbours: Neighbours, progress: Listener | None) -> None:
        """The first constraint with the least ratio of each distance."""
        _, self.rows = mechanism.matrix.integer_rows()
        self.pairs = neighbours.pairs()
        best: dict[Distance, LeastRatio] = {}
        leading = leading_bits(self.rows)
        for i, j, distance in counted_off(self.pairs, progress, "constraints", "pairs"):
            found = best.get(distance)
            if leading is None:
                less = least_of_rows(self.rows[i], self.rows[j], found)
            else:
                shift, short = leading
                less = least_of_long_rows(self.rows[i], self.rows[j], shift, (short[i], short[j]), found)
            if less is not found and less is not None:
                best[distance] = less
                low, high = (j, i) if less.swapped else (i, j)
                self.least[distance] = Cell(low, high, less.output, Rational(less.smaller, less.larger), distance)

    def find_violated(self, progress: Listener | None) -> None:
        """The constraints that break the level asked about: of distances whose least ratio does."""
        if self.level is None:
            return
        broken = {cell.distance for cell in self.least.values() if not self.keeps_level(cell)}
        self.violated = violated = []
        last: Distance | None = None
        p, q, u, v = _NOT_KNOWN  # p/q keeps the level, and u/v breaks it, if they are known
        for low, high, r, x, y, distance in self._entries_at(broken, progress, "which are violated"):
            if distance is not last:
                last, (p, q, u, v) = distance, self._known_ratios(distance)
            if q and x * q >= p * y:
                continue
            cell = Cell(low, high, r, Rational(x, y), distance)
            if v and x * v <= u * y:
                violated.append(cell)
                continue
            if not self.keeps_level(cell):
                violated.append(cell)
            p, q, u, v = self._known_ratios(distance)

    def _known_ratios(self, distance: Distance) -> tuple[int, int, int, int]:
        """The numerators and denominators of the ratios that are known to keep and to break a level."""
        kept, broken = self._kept.get(distance), self._broken.get(distance)
        p, q, u, v = _NOT_KNOWN
        if kept is not None:
            p, q = kept.numerator, kept.denominator
        if broken is not None:
            u, v = broken.numerator, broken.denominator
        return p, q, u, v

    def find_tight(self, tightest: TightestLevel, progress: Listener | None) -> None:
        """The constraints whose own level is the one asked about, or the tightest one."""
        at = self._tight_ratios(tightest if self.level is None else self.level)
        parts = {distance: (ratio.numerator, ratio.denominator) for distance, ratio in at.items()}
        self.tight = tight = []
        for low, high, r, x, y, distance in self._entries_at(at, progress, "which are tight"):
            numerator, denominator = parts[distance]
            if x * denominator == numerator * y:
                tight.append(Cell(low, high, r, Rational(x, y), distance))

    def _entries_at(
        self, distances: Collection[Distance], progress: Listener | None, what: str
    ) -> Iterator[tuple[int, int, int, int, int, Distance]]:
        """Of each constraint with one of these distances but 0 ≥ 0, in the direction that can be violated:
        the rows with the smaller and the larger entry, the output, both entries as integers, the distance.
        """
        pairs = [pair for pair in self.pairs if pair[2] in distances]
        for i, j, distance in counted_off(pairs, progress, what, "pairs"):
            for r, (x, y) in enumerate(zip(self.rows[i], self.rows[j], strict=True)):
                if x <= y:
                    if y:
                        yield i, j, r, x, y, distance
                else:
                    yield j, i, r, y, x, distance


def _survey(mechanism: Mechanism | Table, neighbours: Neighbours, level: PrivacyLevel | None, *, apart: bool) -> _Survey:
    """How constraints are gone through: column by column for numbers and where all pairs are constrained."""
    in_numbers = isinstance(mechanism.field.one, Rational | ExponentialNumber)
    level_in_numbers = level is None or isinstance(level.alpha, Rational | ExponentialNumber)
    all_pairs = isinstance(neighbours, Graph) and neighbours.is_complete
    kind = _ColumnSurvey if in_numbers and level_in_numbers and all_pairs else _Survey
    if kind is _Survey and mechanism.field is QQ and level_in_numbers:
        kind = _IntegerSurvey
    return kind(level, mechanism.field, apart=apart)


def _kept(cells: Sequence[Cell]) -> Sequence[Cell]:
    """Constraints as evidence keeps them."""
    return tuple(cells) if isinstance(cells, list) else cells


def _said(e: PrivacyEvidence) -> Verdict[PrivacyEvidence]:
    """The verdict in words."""
    scope = scope_of(e.mechanism, *([] if e.level is None or e.apart else [e.level]))
    open_level = LEVEL in e.unfinished
    if e.level is None:
        is_ = "was not found in time; it is at most" if open_level else "is"
        claim = f"The tightest level of the mechanism on {e.neighbours} {is_} {e.tightest.told(e.mechanism.by_epsilon)}"
        if e.tightest.ratio == 0 and not open_level:
            claim += ": it is private at no level, and for no finite ε"
        return Verdict(Decision.UNDECIDED if open_level else Decision.PROVED, claim, e, scope)
    if open_level and not e.violated:
        least = e.level.compared(e.tightest)
        claim = f"Whether the mechanism is {private_on(e.level, e.neighbours)} was not decided in time; its tightest level is at most"
        claim = f"{claim} {least}"
        return Verdict(Decision.UNDECIDED, claim, e, scope)
    return Verdict(decided(not e.violated), _sentence(e, e.level), e, scope)


def _of_powers(
    mechanism: Mechanism, neighbours: Neighbours, level: PrivacyLevel | None, progress: Listener | None, *, apart: bool
) -> PrivacyEvidence | None:
    """The privacy of α^|i+k−j|·z_j, z > 0, on a path in order; None for anything else.

    Entries of one column in neighbouring rows have the ratio α, whichever of the two is farther from the
    column: every constraint says that α is at least the level asked about.
    """
    matrix, n = mechanism.matrix, mechanism.n_inputs - 1
    if not isinstance(matrix, ScaledPowers) or not isinstance(matrix.base, Rational | ExponentialNumber):
        return None
    if not 0 < matrix.base < 1 or not all(scale > 0 for scale in matrix.scales):
        return None
    if n < 1 or not isinstance(neighbours, Graph) or neighbours.edges != tuple((i, i + 1) for i in range(n)):
        return None
    for _ in counted_off(neighbours.edges, progress, "constraints", "pairs"):  # there is nothing to do at a pair
        pass
    tightest, cells = TightestLevel(matrix.base, ONE), PathCells(n + 1, matrix.base, mechanism.n_outputs, matrix.before)
    side = 0 if level is None else tightest.compare(level)
    return PrivacyEvidence(
        mechanism=mechanism,
        neighbours=neighbours,
        level=level,
        tightest=tightest,
        attained=cells[0],
        tight=cells if side == 0 else (),
        violated=cells if side < 0 else (),
        apart=apart,
    )


def _least_of(least: dict[Distance, Cell]) -> tuple[Cell | None, TightestLevel]:
    """The least ratio^(1/d) and a cell that has it, of the cells with the least ratio for each distance."""
    attained: Cell | None = None
    for cell in least.values():
        if attained is None or TightestLevel(cell.ratio, cell.distance).compare(TightestLevel(attained.ratio, attained.distance)) < 0:
            attained = cell
    if attained is None or same_formula(attained.ratio, 1):
        return None, TightestLevel(Rational(1), ONE)
    return attained, TightestLevel(attained.ratio, attained.distance if is_nonzero(attained.ratio) else ONE)


def _sentence(e: PrivacyEvidence, level: PrivacyLevel) -> str:
    where = e.neighbours
    tightest = f"its tightest level is {'at most ' if LEVEL in e.unfinished else ''}{level.compared(e.tightest)}"
    if not e.violated:
        return f"The mechanism is {private_on(level, where)}; {tightest}"
    c = e.violated[0]
    low, high, out = e.mechanism.inputs[c.low], e.mechanism.inputs[c.high], e.mechanism.outputs[c.output]
    x, y = e.mechanism.matrix[c.low, c.output], e.mechanism.matrix[c.high, c.output]
    if c.distance == ONE and e.apart:
        bound = f"{bracketed(level, SUM)} · x[{high}][{out}] with x[{high}][{out}] = {y}"
    elif c.distance == ONE:
        bound = f"{bracketed(level, SUM)} · x[{high}][{out}] = {level.alpha * y}"
    else:
        bound = f"{power_text(level, c.distance)} · x[{high}][{out}] with x[{high}][{out}] = {y}"
    return f"The mechanism is not {private_on(level, where)}: x[{low}][{out}] = {x} < {bound}; {tightest}"
