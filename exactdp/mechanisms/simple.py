# SPDX-License-Identifier: MIT
"""Mechanisms that need no law: randomized response, the identity, and the one that ignores its input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactdp.errors import ParameterRangeError
from exactdp.exact import QQ, ExactMatrix, Scalar
from exactdp.model.labels import Label, Labels, as_labels
from exactdp.model.level import LevelLike, as_level
from exactdp.model.stochastic import Mechanism

__all__ = ["identity", "randomized_response", "randomized_response_at", "uniform"]


def randomized_response(labels: Iterable[Label], keep: object) -> Mechanism:
    """Report the truth with probability ``keep``, otherwise each of the m − 1 other labels with the same probability.

    Parameters
    ----------
    labels : sequence of str or int
        Inputs and outputs, m ≥ 1 of them (with one label ``keep`` must be 1).
    keep : exact number
        0 ≤ keep ≤ 1.

    Examples
    --------
    >>> print(randomized_response(["a", "b", "c"], "1/2"))
         a    b    c
    a  1/2  1/4  1/4
    b  1/4  1/2  1/4
    c  1/4  1/4  1/2
    """
    names = as_labels(labels)
    truth: Any = keep if isinstance(keep, Scalar) else QQ(keep)
    m = len(names)
    if truth.sign() < 0 or (truth - 1).sign() > 0 or (m == 1 and truth != 1):
        allowed = "keep = 1 (there is one label)" if m == 1 else "0 <= keep <= 1"
        raise ParameterRangeError(f"keep = {truth} is not a probability allowed here: {allowed}", name="keep", value=truth, allowed=allowed)
    return _two_values(names, truth, (1 - truth) / (m - 1) if m > 1 else 1 - truth)


def randomized_response_at(labels: Iterable[Label], alpha: LevelLike) -> Mechanism:
    """Randomized response whose tightest level is α on the complete graph: truth 1/(1+(m−1)α), each other label α/(1+(m−1)α).

    >>> randomized_response_at(["no", "yes"], "1/2") == randomized_response(["no", "yes"], "2/3")
    True
    """
    names = as_labels(labels)
    a = as_level(alpha).alpha
    truth = 1 / (1 + (len(names) - 1) * a)
    return _two_values(names, truth, a * truth)


def identity(labels: Iterable[Label]) -> Mechanism:
    """Report the truth: no privacy at all.

    >>> identity([0, 1]).matrix
    ExactMatrix([['1', '0'], ['0', '1']])
    """
    return _two_values(as_labels(labels), QQ.one, QQ.zero)


def uniform(labels: Iterable[Label], outputs: Iterable[Label] | None = None) -> Mechanism:
    """Ignore the input: every output has the same probability; perfect privacy.

    >>> uniform([0, 1], ["x", "y"]).matrix
    ExactMatrix([['1/2', '1/2'], ['1/2', '1/2']])
    """
    names = as_labels(labels)
    columns = names if outputs is None else as_labels(outputs, what="output label")
    share = QQ.one / len(columns)
    return Mechanism([[share] * len(columns)] * len(names), names, columns)


def _two_values(labels: Labels, truth: Any, other: Any) -> Mechanism:
    size = len(labels)
    rows = [[truth if i == j else other for j in range(size)] for i in range(size)]
    return Mechanism(ExactMatrix(rows, truth.field), labels, labels)
