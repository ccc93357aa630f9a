# SPDX-License-Identifier: MIT
"""Responses of one person: randomized response, RAPPOR; the identity, and the one that ignores its input.

Randomised response comes with coins (the two-coin protocol), k-ary as OpenDP has it, as diffprivlib's Binary,
and bit by bit (RAPPOR). These mechanisms are local: every pair of inputs is neighbouring (the complete
graph).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import comb
from operator import index
from typing import Any

from exactdp.errors import InputError, ParameterRangeError, repr_of
from exactdp.exact import QQ, ExactMatrix, Scalar, where_negative
from exactdp.model.labels import Label, Labels, Positions, as_labels, inputs_of, is_whole
from exactdp.model.level import EpsilonLike, LevelLike, as_level, chosen_level
from exactdp.model.level_argument import tells_epsilon
from exactdp.model.mechanism import Mechanism
from exactdp.runtime.budget import figure, require_budget

__all__ = ["identity", "randomized_response", "rappor", "two_coin", "uniform"]


@tells_epsilon
def randomized_response(
    answers: int | Iterable[Label],
    keep: object = None,
    *,
    alpha: LevelLike | None = None,
    epsilon: EpsilonLike | None = None,
) -> Mechanism:
    """Report the truth with probability ``keep``, otherwise one of the k − 1 other answers, all alike.

    Parameters
    ----------
    answers : int or labels
        k, how many answers there are, k ≥ 1; or their labels. They are inputs and outputs. The word
        ``randomized-response:k=4`` says the same, and ``n=3`` in it that they are 0..3.
    keep : exact number
        0 ≤ keep ≤ 1; with one answer it must be 1.
    alpha, epsilon : level
        Instead of ``keep``, one of them: the tightest level on the complete graph, α = e^(−ε); the truth is
        then told with probability 1/(1 + (k−1)α).

    Raises
    ------
    InputError
        The answers are neither a number nor labels, or a parameter is missing, or given twice.
    ParameterRangeError
        There is no answer, or ``keep`` is no probability.

    Examples
    --------
    >>> print(randomized_response(["a", "b", "c"], "1/2"))
         a    b    c
    a  1/2  1/4  1/4
    b  1/4  1/2  1/4
    c  1/4  1/4  1/2
    >>> randomized_response(2, epsilon="ln(2)").matrix
    ExactMatrix([['2/3', '1/3'], ['1/3', '2/3']])
    """
    names = _answers(answers)
    m = len(names)
    if keep is None and alpha is None and epsilon is None:
        raise InputError(
            'the probability of the truth is missing: give keep="3/4", or its level as alpha="1/3" or epsilon="ln(3)"', keep=None
        )
    if keep is None:
        a = chosen_level(alpha, epsilon).alpha
        return _two_values(names, 1 / (1 + (m - 1) * a), a / (1 + (m - 1) * a))
    if alpha is not None or epsilon is not None:
        raise InputError("keep and a level are both given; one determines the other", keep=keep, alpha=alpha, epsilon=epsilon)
    truth: Any = keep if isinstance(keep, Scalar) else QQ(keep)
    outside = _outside(truth)
    if outside is not None or (m == 1 and truth != 1):
        allowed = "keep = 1 (there is one answer)" if m == 1 else "0 <= keep <= 1"
        raise ParameterRangeError(
            f"keep = {truth} is not a probability allowed here: {allowed}{outside or ''}", name="keep", value=truth, allowed=allowed
        )
    return _two_values(names, truth, (1 - truth) / (m - 1) if m > 1 else 1 - truth)


def _answers(given: int | Iterable[Label]) -> Labels:
    """The answers: 0..k−1 for their number k, or their labels."""
    if given is None:
        raise InputError('the answers are missing: give their number, as in 3, or their labels, as in ["yes", "no"]', answers=None)
    if isinstance(given, (bool, float)):
        raise InputError(f"{repr_of(given)} is no number of answers; write 3 for three answers, or give their labels", value=given)
    if not is_whole(given):
        return as_labels(given, what="answer")  # type: ignore[arg-type]
    count = index(given)
    if count < 1:
        raise ParameterRangeError(f"answers = {count}, but there must be at least one", name="answers", value=count, allowed=">= 1")
    require_budget(f"the table with {figure(count)} answers", numbers=count * count)
    return Positions(count)


def identity(n: int | Iterable[Label]) -> Mechanism:
    """Report the truth: no privacy at all. The inputs are 0..n; or their labels.

    >>> identity(1).matrix
    ExactMatrix([['1', '0'], ['0', '1']])
    """
    return _two_values(inputs_of(n), QQ.one, QQ.zero)


def uniform(n: int | Iterable[Label], outputs: Iterable[Label] | None = None) -> Mechanism:
    """Ignore the input: every output has the same probability; perfect privacy. As for :func:`identity`.

    >>> uniform(n=1, outputs=["x", "y"]).matrix
    ExactMatrix([['1/2', '1/2'], ['1/2', '1/2']])
    """
    names = inputs_of(n)
    columns = names if outputs is None else as_labels(outputs, what="output label")
    require_budget(f"the table with {len(names)} inputs", numbers=len(names) * len(columns))
    share = QQ.one / len(columns)
    return Mechanism([[share] * len(columns)] * len(names), names, columns)


def _two_values(labels: Labels, truth: Any, other: Any) -> Mechanism:
    size = len(labels)
    require_budget(f"the table with {size} inputs", numbers=size * size)
    return Mechanism(ExactMatrix.of_two_values(size, truth, other), labels, labels)


def two_coin(truth: object = "1/2", yes: object = "1/2", labels: Iterable[Label] = ("yes", "no")) -> Mechanism:
    """The protocol for an embarrassing question: tell the truth, or else say "yes" with probability ``yes``.

    Parameters
    ----------
    truth, yes : exact number
        The biases of the first coin (p, for the truth) and of the second (y), in [0, 1].
    labels : two labels
        For yes and for no.

    Returns
    -------
    Mechanism
        [[p + (1−p)y, (1−p)(1−y)], [(1−p)y, p + (1−p)(1−y)]].

    Examples
    --------
    >>> two_coin().matrix
    ExactMatrix([['3/4', '1/4'], ['1/4', '3/4']])
    """
    p, y, names = probability("truth", truth), probability("yes", yes), as_labels(labels, 2)
    rows = [[p + (1 - p) * y, (1 - p) * (1 - y)], [(1 - p) * y, p + (1 - p) * (1 - y)]]
    return Mechanism(ExactMatrix(rows, p.field), names, names)


def category_response(n: int | Iterable[Label], keep: object, *, other: Label | None = None) -> Mechanism:
    """OpenDP's ``make_randomized_response``: the truth with probability ``keep``, else another category.

    Parameters
    ----------
    n : int or labels
        The categories are 0..n; or their labels, m ≥ 2.
    keep : exact number
        ``prob``, in [1/m, 1].
    other : label, optional
        A row for the inputs that are no category: they are answered by a category drawn uniformly.

    Examples
    --------
    >>> category_response(["a", "b"], "3/4", other="else").matrix
    ExactMatrix([['3/4', '1/4'], ['1/4', '3/4'], ['1/2', '1/2']])
    """
    m = randomized_response(inputs_of(n), keep)
    if other is None:
        return m
    share = m.field.one / m.n_outputs
    return Mechanism(ExactMatrix([*m.rows(), [share] * m.n_outputs], m.field), [*m.inputs, other], m.outputs)


def rappor_permanent(bits: int, hashes: int, f: object) -> Mechanism:
    """RAPPOR's permanent response: each bit stays with probability 1 − f, else it is a fair coin.

    Erlingsson, Pihur, Korolova: RAPPOR, 2014.

    Parameters
    ----------
    bits : int
        k, the size of the Bloom filter.
    hashes : int
        h: a value sets h of the k bits. Inputs are all such filters.
    f : exact number
        The longitudinal privacy parameter, in [0, 1].

    Returns
    -------
    Mechanism
        Inputs and outputs are texts of k bits. When two filters can be disjoint (2h ≤ k) its tightest level
        on the complete graph is ((f/2)/(1 − f/2))^(2h), the paper's e^(−ε∞).

    Examples
    --------
    >>> rappor_permanent(2, 1, "1/2").matrix.row(0)
    (Rational('3/16'), Rational('9/16'), Rational('1/16'), Rational('3/16'))
    """
    half = probability("f", f) / 2
    return _bitwise(bits, hashes, 1 - half, half)


def rappor(bits: int, hashes: int, f: object, p: object, q: object) -> Mechanism:
    """One RAPPOR report: the instantaneous response to the permanent one.

    A bit is reported as 1 with probability q* = f(p+q)/2 + (1−f)q if it is set, p* = f(p+q)/2 + (1−f)p if
    not.

    >>> rappor(1, 1, "1/2", "1/4", "3/4").matrix
    ExactMatrix([['3/8', '5/8']])
    """
    drop, low, high = probability("f", f), probability("p", p), probability("q", q)
    both = drop * (low + high) / 2
    return _bitwise(bits, hashes, both + (1 - drop) * high, both + (1 - drop) * low)


def unary_encoding(bits: int, ratio: LevelLike) -> Mechanism:
    """Symmetric unary encoding: one of k bits is set, and each bit is flipped with the probability t/(1 + t).

    The report of Apple's count mean sketch, and of basic RAPPOR with one report. Two inputs differ in two
    bits, so for k ≥ 2 the tightest level on the complete graph is t².

    Wang, Blocki, Li, Jha: Locally differentially private protocols for frequency estimation, 2017. Apple's
    Differential Privacy Team: Learning with privacy at scale, 2017, where t = e^(−ε/2).

    Parameters
    ----------
    bits : int
        k ≥ 1, the number of categories, or of values of a hash function.
    ratio : level
        t, the least quotient of a bit's probabilities.

    Examples
    --------
    >>> unary_encoding(2, "1/2").matrix.row(0)
    (Rational('2/9'), Rational('4/9'), Rational('1/9'), Rational('2/9'))
    """
    t: Any = as_level(ratio).alpha
    return _bitwise(bits, 1, 1 / (1 + t), t / (1 + t))


def _bitwise(bits: int, hashes: int, set_bit: Any, clear_bit: Any) -> Mechanism:
    """Independent bits: 1 is reported with one probability for a set bit, with another for a clear one."""
    for name, value, top in (("bits", bits, bits), ("hashes", hashes, bits)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ParameterRangeError(f"{name} = {repr_of(value)} is not an integer ≥ 1", name=name, value=value, allowed=">= 1")
        if value > top:
            raise ParameterRangeError(f"{name} = {value} is more than the {top} bits", name=name, value=value, allowed=f"1 to {top}")
    words = 2 ** min(bits, 4096)
    known = comb(bits, hashes) if bits <= 4096 else 1
    require_budget(f"the table of responses of {figure(bits)} bits", numbers=words * known)
    outputs = range(2**bits)
    inputs = [word for word in outputs if word.bit_count() == hashes]
    names = [format(word, f"0{bits}b") for word in outputs]

    @cache
    def law(kept: int, lost: int, gained: int) -> Any:
        """The probability that so many set bits are reported, so many are not, and so many others are."""
        clear = (1 - clear_bit) ** (bits - kept - lost - gained)
        return set_bit**kept * (1 - set_bit) ** lost * clear_bit**gained * clear

    rows = [[law((i & r).bit_count(), (i & ~r).bit_count(), (r & ~i).bit_count()) for r in outputs] for i in inputs]
    return Mechanism(ExactMatrix(rows, set_bit.field), [names[word] for word in inputs], names)


def probability(name: str, value: object) -> Any:
    """The exact number; ParameterRangeError unless it is in [0, 1]."""
    x: Any = value if isinstance(value, Scalar) else QQ(value)
    outside = _outside(x)
    if outside is not None:
        raise ParameterRangeError(f"{name} = {x} is not a probability{outside}", name=name, value=x, allowed=f"0 <= {name} <= 1")
    return x


def _outside(x: Any) -> str | None:
    """None for a number from 0 to 1; else, for a function of letters, where it is none."""
    for distance, fault in ((x, "negative"), (1 - x, "above 1")):
        where = where_negative(distance)
        if where is not None:
            return where and f": it is {fault}{where}"
    return None
