# SPDX-License-Identifier: MIT
"""The unbounded geometric mechanism, exactly, with finitely many columns.

It releases i + Z for a two-sided geometric Z, so there is a column for every integer r. For r ≤ −1 the column is
P(i + Z = r) = (1−α)/(1+α) · α^(i−r) = α^(−1−r) · P(i + Z = −1): all columns below 0 are multiples of one vector, and so are, by symmetry,
all columns above n. *Lumping them loses nothing*: given that the result is at most −1, its exact value has the law (1−α) α^(−1−r) whatever
the input is, so anyone can draw it again; the two mechanisms are post-processings of each other, and have the same privacy level.

The range-restricted G(n, α) is equivalent too: :func:`clamp_remap` moves the lumps to 0 and n, :func:`unclamp_remap` splits them off again.
"""

from __future__ import annotations

from exactdp.exact import ExactMatrix
from exactdp.mechanisms.geometric import _size
from exactdp.mechanisms.noise import GeometricNoise
from exactdp.model.labels import Labels, Positions
from exactdp.model.level import LevelLike, as_level
from exactdp.model.stochastic import Mechanism, Remap

__all__ = ["clamp_remap", "lumped_geometric", "unclamp_remap"]


def lumped_geometric(n: int, alpha: LevelLike) -> Mechanism:
    """The unbounded geometric mechanism on the inputs 0..n, its tail columns lumped into ``<=-1`` and ``>=n+1``.

    Parameters
    ----------
    n : int
        At least 0.
    alpha : text, scalar or PrivacyLevel
        0 < α < 1.

    Examples
    --------
    >>> print(lumped_geometric(1, "1/2"))
       <=-1    0    1  >=2
    0   1/3  1/3  1/6  1/6
    1   1/6  1/6  1/3  1/3
    """
    noise = GeometricNoise(alpha)
    labels = _lumped_labels(n)
    rows = [[noise.lower_tail(-1 - i), *(noise.mass(r - i) for r in range(n + 1)), noise.upper_tail(n + 1 - i)] for i in range(n + 1)]
    return Mechanism(ExactMatrix(rows, noise.level.alpha.field), range(n + 1), labels)


def clamp_remap(n: int) -> Remap:
    """The remap that clamps the lumped outputs to 0..n, which turns the unbounded mechanism into G(n, α).

    >>> from exactdp.mechanisms.geometric import geometric
    >>> lumped_geometric(3, "1/4").post_process(clamp_remap(3)) == geometric(3, "1/4")
    True
    """
    labels = _lumped_labels(n)
    clamped = [0, *range(n + 1), n]
    return Remap([[int(r == c) for r in range(n + 1)] for c in clamped], labels, range(n + 1))


def unclamp_remap(n: int, alpha: LevelLike) -> Remap:
    """The remap that splits the lumps off again, which turns G(n, α) into the unbounded mechanism.

    From 0 it goes to ``<=-1`` with probability α and stays with 1−α, likewise from n
    (with a single input, n = 0, it draws the noise afresh).

    >>> from exactdp.mechanisms.geometric import geometric
    >>> geometric(3, "1/4").post_process(unclamp_remap(3, "1/4")) == lumped_geometric(3, "1/4")
    True
    """
    if _size(n) == 0:
        fresh = lumped_geometric(0, alpha)
        return Remap(fresh.matrix, fresh.inputs, fresh.outputs)
    a = as_level(alpha).alpha
    zero, one = a - a, a / a
    rows = [[one if c == r + 1 else zero for c in range(n + 3)] for r in range(n + 1)]
    rows[0][:2] = [a, 1 - a]
    rows[n][-2:] = [1 - a, a]
    return Remap(ExactMatrix(rows, a.field), range(n + 1), _lumped_labels(n))


def _lumped_labels(n: int) -> Labels:
    return Positions(("<=-1", *(str(r) for r in range(_size(n) + 1)), f">={n + 1}"))
