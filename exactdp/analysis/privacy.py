# SPDX-License-Identifier: MIT
"""How private is this mechanism, exactly, and where is the bound tight?

A mechanism x is α-private for neighbours N when x_ir ≥ α^d(i,j) x_jr for every constrained pair and every
output, in both orders [gs2010, Definition 2]. The tightest level is the largest such α: the least
ratio^(1/d), 0/0 ignored, 0 beside a non-zero entry giving 0, identical rows giving 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from exactdp.analysis.arguments import MechanismLike, as_given, as_level, as_mechanism, as_neighbours, as_table, ask
from exactdp.analysis.epsilon import together
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.privacy_cells import Cell, PathCells
from exactdp.analysis.privacy_survey import least_of, survey_of
from exactdp.analysis.rounded_tables import or_rounded
from exactdp.analysis.stochastic import is_stochastic
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import private_on
from exactdp.errors import InputError, ResourceLimitError, UndecidedSignError
from exactdp.exact import (
    ExponentialNumber,
    Rational,
    RationalFunctionField,
    Region,
    RegionField,
    ScaledPowers,
)
from exactdp.exact.number_field import NumberFieldElement
from exactdp.model import (
    Graph,
    LevelLike,
    Mechanism,
    Neighbours,
    NeighboursLike,
    PrivacyLevel,
    Table,
    TightestLevel,
)
from exactdp.model.epsilon import SUM, Epsilon, bracketed, power_text
from exactdp.model.level_argument import takes_epsilon
from exactdp.model.metric import ONE
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, counted_off, raise_unless_own_limit
from exactdp.runtime.values import dataclass

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
        (n, m) row-stochastic, exact. A table is checked; a text is a word (``geometric:n=3,alpha=1/4``). A
        table whose rows miss the sum 1 by 2^-40 at most, as doubles do, is judged by the mechanism that it
        rounds (:meth:`exactdp.Table.unrounded`), and the answer says so. Of a printed table all mechanisms
        are meant that print so.
    neighbours : Graph, Metric or text
        On the mechanism's inputs, which are matched by label, or by position if neither has labels. A word
        without a size, such as ``path``, takes the mechanism's inputs (:func:`exactdp.neighbours`). May be
        left out where the mechanism is a word, which has neighbours of its own.
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

    def found(one: MechanismLike) -> Verdict[PrivacyEvidence | Any]:
        if time_limit is None:  # a part of who asks, under that one's limit
            return _tightest_level(one, neighbours, progress, keeps=False)
        return ask(lambda asked: _tightest_level(one, neighbours, asked.progress, keeps=True), progress, time_limit)

    return or_rounded(found, mechanism, as_table)


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
        return _privacy(found, near, None, progress, keeps=keeps)
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

    def found(one: MechanismLike) -> Verdict[PrivacyEvidence | Any]:
        if time_limit is None:  # a part of who asks, under that one's limit
            return _is_private(one, neighbours, level, progress, keeps=False)
        return ask(lambda asked: _is_private(one, neighbours, level, asked.progress, keeps=True), progress, time_limit)

    return or_rounded(found, mechanism, partial(as_table, level=level))


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
    return _privacy(found, near, at, progress, keeps=keeps)


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
    survey = survey_of(mechanism, neighbours, level, apart=apart)
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
    attained, tightest = least_of(survey.least)
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
        asked, bound = private_on(e.level, e.neighbours), e.level.compared(e.tightest)
        claim = f"Whether the mechanism is {asked} was not decided in time; its tightest level is at most {bound}"
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
