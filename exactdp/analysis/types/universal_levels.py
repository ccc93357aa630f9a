# SPDX-License-Identifier: MIT
"""Universal ℓ-optimality for every level at once: the answer on pieces of (0, 1), each with its argument.

The question is asked with the level as a letter on an interval. Where a sign met on the way changes, the
interval is split at the algebraic numbers where it does; these points are asked about on their own, with the
level in their number field.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from exactdp.analysis.arguments import Arguments, ask
from exactdp.analysis.types.kernels import require_integer_distances
from exactdp.analysis.types.universal import TRIES, universally_optimal_mechanism
from exactdp.analysis.types.universal_arguments import UniversalEvidence
from exactdp.analysis.verdict import Decision, Scope, Verdict
from exactdp.analysis.wording import piece_text, union_text
from exactdp.errors import UndecidedSignError
from exactdp.exact import AlgebraicNumber, ExactMatrix, Interval, Rational, RationalFunctionField, as_flag
from exactdp.exact.intervals import set_to_sympy
from exactdp.exact.number_field import NumberField, NumberFieldElement
from exactdp.exact.piecewise import Piecewise
from exactdp.model import Loss, LossLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, Remap
from exactdp.runtime.progress import Listener, covered, dismiss_limit, part_of

MOST_PIECES = 200
"""With more pieces the question is left undecided."""


class UniversalAnswer(NamedTuple):
    """Whether a mechanism is universally optimal on a piece, and why, over ℚ(α) there; None if undecided."""

    yes: bool | None
    why: UniversalEvidence | None


UNDECIDED = UniversalAnswer(None, None)


@dataclass(frozen=True, kw_only=True)
class UniversalLevels:
    """For every level, whether a mechanism is universally optimal for a loss.

    Attributes
    ----------
    neighbours, loss
        What was asked.
    pieces : Piecewise of UniversalAnswer
        Open intervals and single points of (0, 1).
    """

    neighbours: Neighbours
    loss: Loss
    pieces: Piecewise[UniversalAnswer]

    def in_sympy(self) -> Any:
        """The set of levels at which there is such a mechanism; UndecidedSignError if some are undecided."""
        open_ones = self.pieces.where(lambda answer: answer.yes is None)
        if open_ones:
            message = f"undecided for a in {union_text(open_ones)}: there is no set to write in sympy"
            raise UndecidedSignError(message, evidence=self)
        return set_to_sympy(self.pieces.where(lambda answer: answer.yes))


def universal_by_level(
    neighbours: NeighboursLike,
    loss: LossLike,
    *,
    theorems: bool = True,
    tries: int = TRIES,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[UniversalLevels]:
    """At which levels is there a mechanism that is optimal for this loss under every prior?

    Parameters
    ----------
    neighbours, loss, theorems, tries, progress
        As for :func:`~exactdp.analysis.types.universal.universally_optimal_mechanism`.
    time_limit : float, optional
        Stop searching about so late; pieces that no theorem decides are then not decided.

    Raises
    ------
    DomainError
        A distance is no integer.

    Returns
    -------
    Verdict[UniversalLevels]
        Proved if there is one at every level, refuted if there are levels with none; else undecided.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> star, triangle = neighbours("star:4"), neighbours("complete:3")
    >>> found = universal_by_level(star, Loss.zero_one(star.vertices))
    >>> [(str(piece), yes, why.rule) for piece, (yes, why) in found.evidence.pieces]
    [('(0, 1/2)', True, 'tree'), ('[1/2, 1/2]', True, 'tree'), ('(1/2, 1)', False, 'star')]
    >>> found = universal_by_level(triangle, Loss.zero_one(triangle.vertices), theorems=False)
    >>> [(str(piece), yes, len(why.priors)) for piece, (yes, why) in found.evidence.pieces]
    [('(0, 1/2)', False, 2), ('[1/2, 1/2]', False, 2), ('(1/2, 1)', False, 2)]
    """

    def answer(asked: Arguments) -> Verdict[UniversalLevels]:
        return _by_level(asked, theorems, tries)

    return ask(answer, progress, time_limit, neighbours=neighbours, loss=loss)


def _by_level(asked: Arguments, theorems: bool, tries: int) -> Verdict[UniversalLevels]:
    """The answers on pieces of (0, 1), from one piece to the next."""
    neighbours, loss, progress = asked.neighbours, asked.loss, asked.progress
    as_flag(theorems, "flag theorems")
    require_integer_distances(neighbours)
    waiting, pieces = [Interval(0, 1)], list[tuple[Interval, UniversalAnswer]]()
    while waiting:
        piece = waiting.pop()
        dismiss_limit()  # the pieces that are left are undecided
        if progress is not None:
            progress(covered("pieces", Interval(0, 1), [*waiting, piece], f"next {piece_text(piece)}"))
        options: dict[str, Any] = {
            "theorems": theorems,
            "tries": tries,
            "progress": part_of(progress, f"on {piece_text(piece)}"),
            "time_limit": asked.time_limit,
        }
        if piece.is_point:
            pieces.append((piece, _at(neighbours, loss, piece, options, pieces[-1][1].why)))
            continue
        near_by = universally_optimal_mechanism(neighbours, piece.sample(), loss, **options).evidence
        try:
            verdict = universally_optimal_mechanism(neighbours, RationalFunctionField(piece).gen, loss, only=near_by.numbers, **options)
            pieces.append((piece, _decided(verdict)))
        except UndecidedSignError as error:
            points: Any = [x for x in error.facts.get("points", ()) if piece.contains(x)]  # type: ignore[attr-defined]
            if not points or len(pieces) + len(waiting) > MOST_PIECES:
                pieces.append((piece, UNDECIDED))
            else:
                waiting += piece.split(points)[::-1]
    if progress is not None:
        progress(covered("pieces", Interval(0, 1), ()))
    found = Piecewise(pieces)
    answers = {yes for yes, _ in found.values}
    without = Decision.UNDECIDED if None in answers else Decision.PROVED
    decision = Decision.REFUTED if False in answers else without

    def levels(answer: bool | None) -> str:
        return union_text(found.where(lambda given: given.yes is answer)) or "none"

    claim = f"A universally optimal mechanism for the loss {loss.name or 'given'} on {neighbours} exists for the levels: {levels(True)}"
    claim += f"; none for: {levels(False)}" + (f"; not decided: {levels(None)}" if None in answers else "")
    evidence = UniversalLevels(neighbours=neighbours, loss=loss, pieces=found)
    return Verdict(decision, claim, evidence, Scope("every level", interval=Interval(0, 1)))


def _at(neighbours: Neighbours, loss: Loss, piece: Interval, options: dict[str, Any], before: UniversalEvidence | None) -> UniversalAnswer:
    """The answer at one level, its numbers over ℚ(α); the priors of the piece before are tried first."""
    x = piece.lower
    level = PrivacyLevel(NumberField(x).gen) if isinstance(x, AlgebraicNumber) else PrivacyLevel(x)
    verdict = universally_optimal_mechanism(neighbours, level, loss, only=() if before is None else before.numbers, **options)
    if verdict.decision is Decision.UNDECIDED:
        verdict = universally_optimal_mechanism(neighbours, level, loss, **options)
    yes, evidence = _decided(verdict)
    return UniversalAnswer(yes, None if evidence is None else _over(evidence, RationalFunctionField(piece)))


def _decided(verdict: Verdict[UniversalEvidence]) -> UniversalAnswer:
    """The answer and its argument; neither if it is undecided, so that no certificate is made."""
    return UNDECIDED if verdict.decision is Decision.UNDECIDED else UniversalAnswer(verdict.proved, verdict.evidence)


def _over(e: UniversalEvidence, field: RationalFunctionField) -> UniversalEvidence:
    """The same evidence with the level as a letter: numbers of ℚ(x₀) become polynomials in x₀."""

    def number(x: Any) -> Any:
        if isinstance(x, NumberFieldElement):
            return sum((c * field.gen**k for k, c in enumerate(x.coefficients)), field.zero)
        return field(x) if isinstance(x, (int, Rational)) else x

    def matrix(m: ExactMatrix) -> ExactMatrix:
        return ExactMatrix([[number(x) for x in row] for row in m.rows()], field)

    def mechanism(m: Mechanism) -> Mechanism:
        return Mechanism(matrix(m.matrix), m.inputs, m.outputs)

    return replace(
        e,
        level=PrivacyLevel(field.gen),
        mechanism=None if e.mechanism is None else mechanism(e.mechanism),
        remap=None if e.remap is None else Remap(matrix(e.remap.matrix), e.remap.outputs, e.remap.guesses),
        priors=tuple(tuple(map(number, prior)) for prior in e.priors),
        potentials=tuple(tuple(map(number, y)) for y in e.potentials),
        better=tuple(map(mechanism, e.better)),
    )
