# SPDX-License-Identifier: MIT
"""Reconstructing a distribution from noisy reports [foundations_lecture_4, Statistical inference], exactly.

C is a local mechanism (rows inputs x, columns reports y) and q the frequencies of the reports. A list of
frequencies is in the order of the reports, C's outputs. A mapping, or a series with an index, is matched by
its keys, which must be all the reports. A ``Counter`` holds counts of reports seen: they are divided by their
sum, and a report that it leaves out was seen 0 times. Distributions over the inputs are given in the same
ways (a Counter as any mapping), and come back in the order of the inputs.

* **Matrix inversion**: r with r·C = q (the lecture writes C^(−1)q with C acting on columns). r sums to 1 but
may have
  negative entries: clip them and renormalise, or project onto the simplex (the nearest distribution in
  Euclidean distance); both stay in the field of C and q.
* **Iterative Bayesian update** p′_x = Σ_y q_y p_x C_xy / (pC)_y, from any p with positive entries: the EM
algorithm for
  the likelihood Σ_y q_y ln (pC)_y, exact for k steps. Its limit is a maximum-likelihood distribution. Where a
  sequence stands is certified without following it: with g_x = Σ_y q_y C_xy/(pC)_y no distribution has a
  log-likelihood above that of p by more than ln max g_x; when C is square and regular this encloses the limit
  itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate, takewhile
from math import isqrt
from typing import Any

from exactdp.analysis.arguments import MechanismLike, as_mechanism
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.errors import DomainError, InputError, ParameterRangeError, ShapeError
from exactdp.exact import QQ, ExactMatrix, Rational, RegionFunction, Scalar, as_count, entries_of, field_of
from exactdp.exact.identity import same_formula
from exactdp.model import Labels, Mechanism
from exactdp.model.vectors import vector_over
from exactdp.runtime.progress import Listener, Progress
from exactdp.runtime.values import dataclass


def matrix_inversion(mechanism: MechanismLike, frequencies: Iterable[object]) -> tuple[Any, ...]:
    """The r with r·C = q; it sums to 1, and may have negative entries.

    Raises
    ------
    ShapeError
        C is not square, or q has another length.
    DomainError
        C is singular; with letters, at a point of their region.

    Examples
    --------
    >>> coin = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> matrix_inversion(coin, ["1/8", "7/8"])
    (Rational('-1/4'), Rational('5/4'))
    """
    mechanism = as_mechanism(mechanism)
    q = _distribution(mechanism, frequencies)
    if mechanism.n_inputs != mechanism.n_outputs:
        message = "matrix inversion needs as many reports as inputs"
        raise ShapeError(message, expected=mechanism.n_inputs, got=mechanism.n_outputs)
    try:
        solved = mechanism.matrix.T.solve(ExactMatrix([[x] for x in q]))
    except ZeroDivisionError:
        message = "the mechanism's matrix is singular: the reports do not determine a distribution"
        raise DomainError(message, mechanism=mechanism) from None
    found = tuple(solved[x, 0] for x in range(mechanism.n_inputs))
    for x in found:
        if isinstance(x, RegionFunction):
            x.require_defined()  # where it has a pole, the matrix is singular
    return found


def clip_and_renormalise(vector: Iterable[Any]) -> tuple[Any, ...]:
    """Negative entries become 0 and the rest is divided by its sum.

    The answer is in the order of the vector, so that one with labels (a dict, a series with an index) is
    refused.

    >>> clip_and_renormalise([QQ("-1/4"), QQ("3/4"), QQ("1/2")])
    (Rational('0'), Rational('3/5'), Rational('2/5'))
    """
    entries = _entries(vector)
    zero = field_of(entries).zero
    kept = [x if x > 0 else zero for x in entries]
    total = sum(kept, zero)
    if not total > 0:
        raise InputError("no entry is positive, so there is nothing to renormalise", vector=entries)
    return tuple(x / total for x in kept)


def project_to_simplex(vector: Iterable[Any]) -> tuple[Any, ...]:
    """The distribution nearest to the vector in Euclidean distance: max(v_x − θ, 0), where θ makes the sum 1.

    θ is (the sum of the k largest entries − 1)/k for the largest k whose k-th entry exceeds it; a rational
    vector has a rational projection. The answer is in the order of the vector, so that one with labels is
    refused.

    >>> project_to_simplex([QQ("-1/4"), QQ("3/4"), QQ("1/2")])
    (Rational('0'), Rational('5/8'), Rational('3/8'))
    """
    entries = _entries(vector)
    zero = field_of(entries).zero
    ordered = sorted(entries, reverse=True)
    candidates = [(total - 1) / k for k, total in enumerate(accumulate(ordered), start=1)]
    theta = [c for _, c in takewhile(lambda pair: pair[0] > pair[1], zip(ordered, candidates, strict=True))][-1]
    return tuple(x - theta if x > theta else zero for x in entries)


def _entries(vector: Iterable[Any]) -> tuple[Any, ...]:
    entries = _exact(entries_of(vector, "entries of the vector"))
    if not entries:
        raise ShapeError("the vector has no entries", expected=">= 1", got=0)
    return entries


def bayesian_update(
    mechanism: MechanismLike, frequencies: Iterable[object], start: Iterable[object] | None = None, *, steps: int = 1
) -> tuple[Any, ...]:
    """The iterative Bayesian update after so many steps, exactly.

    Parameters
    ----------
    mechanism : Mechanism
        C, of the local reports.
    frequencies : exact numbers
        q, of the reports.
    start : exact numbers, optional
        p_0; uniform unless given. Where p_0 is 0 every p_k is.
    steps : int
        k; the digits grow about (number of reports) times a step, so exactness is for a few.

    Examples
    --------
    >>> coin = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> bayesian_update(coin, ["5/8", "3/8"])
    (Rational('9/16'), Rational('7/16'))
    """
    mechanism = as_mechanism(mechanism)
    q = _distribution(mechanism, frequencies)
    p = _start(mechanism, start)
    for _ in range(as_count(steps, "number of steps")):
        g = _gradient(mechanism, q, p)
        p = tuple(x * slope if x > 0 else x for x, slope in zip(p, g, strict=True))
    return p


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelihoodEvidence:
    """How far a distribution is from maximum likelihood.

    Attributes
    ----------
    mechanism, frequencies, estimate
        C, q and p.
    gap
        max_x g_x − 1: no distribution's mean log-likelihood exceeds that of p by more than ln(1 + gap) ≤ gap;
        0 says that p is a maximum.
    steps : int
        Updates made to find p.
    box : tuple of (lower, upper), or None
        For a square regular C, over ℚ: an interval for every entry of the maximum-likelihood distribution, to
        which the iteration converges.
    """

    mechanism: Mechanism
    frequencies: tuple[Any, ...]
    estimate: tuple[Any, ...]
    gap: Any
    steps: int = 0
    box: tuple[tuple[Any, Any], ...] | None = None


def likelihood_gap(mechanism: MechanismLike, frequencies: Iterable[object], estimate: Iterable[object]) -> Verdict[LikelihoodEvidence]:
    """By how much can a distribution beat this one's likelihood, at most?

    Σ_y q_y ln((p′C)_y/(pC)_y) ≤ ln Σ_x p′_x g_x ≤ ln max_x g_x, since ln is concave.

    Examples
    --------
    >>> coin = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> likelihood_gap(coin, ["5/8", "3/8"], ["3/4", "1/4"]).evidence.gap
    Rational('0')
    """
    mechanism = as_mechanism(mechanism)
    q, p = _distribution(mechanism, frequencies), _start(mechanism, estimate)
    return _verdict(LikelihoodEvidence(mechanism=mechanism, frequencies=q, estimate=p, gap=_gap(mechanism, q, p)))


def maximum_likelihood(
    mechanism: MechanismLike,
    frequencies: Iterable[object],
    *,
    tolerance: object = "1/1000000",
    most: int = 10_000,
    progress: Listener | None = None,
) -> Verdict[LikelihoodEvidence]:
    """The limit of the iterative Bayesian update, to a certified distance.

    When matrix inversion gives a distribution, that is the maximum (pC = q) and the answer is exact.
    Otherwise the update runs from the uniform distribution, its values rounded to short decimals between
    steps (rounding proposes, it decides nothing), until ``gap`` ≤ ``tolerance``. The box comes from the
    strong concavity Σ_y q_y (m_y − m*_y)²/2 ≤ ln(1+gap) ≤ gap, which bounds m* = p*C, and from p* = m*C^(−1).

    Parameters
    ----------
    mechanism : Mechanism
        Over ℚ.
    frequencies : exact numbers
        q, of the reports.
    tolerance : exact number
        The gap wanted, at least 0.
    most : int
        Steps before giving up; the answer is certified all the same, with a larger gap.
    progress : callable, optional
        Told the number of steps and the gap.

    Examples
    --------
    >>> coin = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> v = maximum_likelihood(coin, ["1/8", "7/8"])
    >>> v.evidence.estimate[0] < Rational("1/1000"), v.evidence.box[0][1] < Rational("1/100")
    (True, True)
    """
    mechanism = as_mechanism(mechanism)
    as_count(most, "number of steps")
    if mechanism.field != QQ:
        message = "certified convergence is for rational mechanisms; ask bayesian_update for exact steps"
        raise DomainError(message, field=mechanism.field)
    q, wanted = _distribution(mechanism, frequencies), QQ(tolerance)
    if wanted < 0:
        message = f"the tolerance is {wanted}, but must be at least 0"
        raise ParameterRangeError(message, name="tolerance", value=wanted, allowed=">= 0")
    box: tuple[tuple[Any, Any], ...] | None = None
    steps = 0
    try:
        p = matrix_inversion(mechanism, q)
        invertible = True
    except (ShapeError, DomainError):
        p, invertible = (), False
    if invertible and all(x >= 0 for x in p):
        gap, box = _gap(mechanism, q, p), tuple((x, x) for x in p)
    else:
        p = _start(mechanism, None)
        gap = _gap(mechanism, q, p)
        grain = 10 ** (len(str(wanted.denominator)) + 6)  # six digits more than the tolerance has
        while gap > wanted and steps < most:
            if progress is not None:
                progress(Progress("updates", steps, unit="steps", objective=gap))
            p = _rounded(bayesian_update(mechanism, q, p), grain)
            gap, steps = _gap(mechanism, q, p), steps + 1
        box = _box(mechanism, q, p, gap) if invertible else None
    return _verdict(LikelihoodEvidence(mechanism=mechanism, frequencies=q, estimate=p, gap=gap, steps=steps, box=box))


def _verdict(e: LikelihoodEvidence) -> Verdict[LikelihoodEvidence]:
    claim = f"No distribution has a mean log-likelihood above that of the estimate by more than ln(1 + {e.gap})"
    return Verdict(Decision.PROVED, claim, e, scope_of(e.mechanism))


def _distribution(mechanism: Mechanism, values: Iterable[object]) -> tuple[Any, ...]:
    """A distribution over the reports."""
    if isinstance(values, Counter):
        return _frequencies(values, mechanism.outputs)
    return _distribution_over(values, mechanism.outputs, "frequencies", "reports")


def _start(mechanism: Mechanism, values: Iterable[object] | None) -> tuple[Any, ...]:
    """A distribution over the inputs, uniform unless given."""
    size = mechanism.n_inputs
    return _distribution_over([Rational(1, size)] * size if values is None else values, mechanism.inputs, "weights", "inputs")


def _exact(values: Iterable[object]) -> tuple[Any, ...]:
    return tuple(x if isinstance(x, Scalar) else QQ(x) for x in values)


def _frequencies(counts: Counter[Any], labels: Labels) -> tuple[Any, ...]:
    """Counts of observed reports, divided by their sum; what was never counted was seen 0 times."""
    exact = _exact(vector_over(counts, labels, what="counts", over="reports", absent=0))
    total = sum(exact, Rational(0))
    if any(x < 0 for x in exact) or not total > 0:
        raise InputError(f"counts of reports are ≥ 0, and some is > 0; these sum to {total}", value=exact)
    return tuple(x / total for x in exact)


def _distribution_over(values: Iterable[object], labels: Labels, what: str, over: str) -> tuple[Any, ...]:
    exact = _exact(vector_over(values, labels, what=what, over=over))
    total = sum(exact, Rational(0))
    if any(x < 0 for x in exact) or not same_formula(total, 1):
        raise InputError(f"the {what} must be ≥ 0 and sum to 1, not to {total}", value=exact)
    return exact


def _gradient(mechanism: Mechanism, q: tuple[Any, ...], p: tuple[Any, ...]) -> list[Any]:
    """g_x = Σ_y q_y C_xy/(pC)_y."""
    C, zero, scaled = mechanism.matrix, mechanism.field.zero, []
    for y, seen in enumerate(q):
        total = sum((weight * C[x, y] for x, weight in enumerate(p)), zero)  # (pC)_y
        if seen > 0 and not total > 0:
            report = mechanism.outputs[y]
            raise InputError(f"the report {report} was seen, and is impossible under the distribution", report=report)
        scaled.append(seen / total if seen > 0 else zero)
    return [sum((C[x, y] * s for y, s in enumerate(scaled)), zero) for x in range(len(p))]


def _gap(mechanism: Mechanism, q: tuple[Any, ...], p: tuple[Any, ...]) -> Any:
    return max(_gradient(mechanism, q, p)) - 1


def _rounded(p: tuple[Any, ...], grain: int) -> tuple[Any, ...]:
    """A nearby distribution with the denominator ``grain`` and positive entries."""
    integers = [max(int(x.numerator) * grain // int(x.denominator), 1) for x in p]
    total = sum(integers)
    return tuple(Rational(k, total) for k in integers)


def _box(mechanism: Mechanism, q: tuple[Any, ...], p: tuple[Any, ...], gap: Any) -> tuple[tuple[Any, Any], ...] | None:
    """Intervals for the entries of p* = m*·C^(−1), where |m_y − m*_y| ≤ √(2·gap/q_y)."""
    if not all(x > 0 for x in q):
        return None
    inverse = mechanism.matrix.inverse()
    radii = [_root_above(2 * gap / x) for x in q]
    box = []
    for x, value in enumerate(p):
        reach = sum((abs(inverse[y, x]) * radii[y] for y in range(len(q))), Rational(0))
        box.append((max(Rational(0), value - reach), min(Rational(1), value + reach)))
    return tuple(box)


def _root_above(x: Rational) -> Rational:
    """A rational at least √x, within about 10^−20."""
    scale = 10**20
    square = int(x.numerator) * scale * scale // int(x.denominator) + 1
    return Rational(isqrt(square) + 1, scale)
