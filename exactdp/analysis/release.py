# SPDX-License-Identifier: MIT
"""Releasing one query result at several privacy levels: what does each coalition learn? ([gs2010], Algorithm 1, Lemmas 3, 4.)

r_1 is drawn from G(n, α_1), and r_{i+1} from row r_i of T_{i+1}, where G(n, α_{i+1}) = G(n, α_i)·T_{i+1}. The joint law is built in
full, so the level of every coalition is found by exhaustion and not assumed from Lemma 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from exactdp.analysis.derivability import is_derivable
from exactdp.analysis.privacy import tightest_level
from exactdp.analysis.scope import scope_of
from exactdp.analysis.verdict import Decision, Verdict, decided
from exactdp.errors import ParameterRangeError, ResourceLimitError
from exactdp.exact import ExactMatrix, common_field, entries_of
from exactdp.mechanisms import geometric
from exactdp.model import Mechanism, PrivacyLevel, Remap, TightestLevel, neighbours
from exactdp.model.one_field import over_one_field

__all__ = ["MAX_JOINT_CELLS", "Coalition", "ReleaseEvidence", "multi_level_release"]

MAX_JOINT_CELLS = 2_000_000
"""Largest joint law (inputs × joint results) that is built; a larger one is refused before work."""


@dataclass(frozen=True, slots=True)
class Coalition:
    """Some consumers (indices from 0, increasing), the mechanism they see together, and its tightest level."""

    members: tuple[int, ...]
    mechanism: Mechanism
    level: TightestLevel


@dataclass(frozen=True, slots=True)
class ReleaseEvidence:
    """A multi-level release.

    Attributes
    ----------
    n, levels
        Inputs 0..n; α_1 < … < α_k.
    stages : tuple of Remap
        T_2, …, T_k.
    joint : Mechanism
        The joint law of (r_1, …, r_k); outputs are labelled "r_1,…,r_k".
    coalitions : tuple of Coalition
        All 2^k − 1 non-empty ones, ordered by Σ 2^i.
    """

    n: int
    levels: tuple[PrivacyLevel, ...]
    stages: tuple[Remap, ...]
    joint: Mechanism
    coalitions: tuple[Coalition, ...]


def multi_level_release(n: int, levels: Sequence[PrivacyLevel]) -> Verdict[ReleaseEvidence]:
    """Build the release and decide, for every coalition, whether it learns no more than its least private member.

    Parameters
    ----------
    n : int
        n ≥ 1; inputs and results are 0..n.
    levels : sequence of PrivacyLevel
        Strictly increasing: the first consumer gets the least private result.

    Returns
    -------
    Verdict[ReleaseEvidence]
        Proved when every coalition's tightest level is the level of its first member, with all of them by exhaustion.

    Raises
    ------
    ParameterRangeError
        n < 1, no levels, or levels not strictly increasing.
    ResourceLimitError
        The joint law would have more than MAX_JOINT_CELLS cells.

    Examples
    --------
    >>> from exactdp import PrivacyLevel
    >>> v = multi_level_release(2, [PrivacyLevel("1/4"), PrivacyLevel("1/2")])
    >>> v.proved, [(c.members, str(c.level)) for c in v.evidence.coalitions]
    (True, [((0,), '1/4'), ((1,), '1/2'), ((0, 1), '1/4')])
    """
    levels = over_one_field(*entries_of(levels, "levels"))
    _check(n, levels)
    mechanisms = [geometric(n, level.alpha) for level in levels]
    stages = []
    for finer, coarser in pairwise(mechanisms):
        stage = is_derivable(coarser, source=finer).evidence.remap
        assert stage is not None, "Lemma 3: a more private geometric mechanism is derivable"
        stages.append(stage)
    tables = [m.matrix for m in mechanisms[:1]] + [stage.matrix for stage in stages]
    k, size = len(levels), n + 1
    graph = neighbours(f"path:{size}")
    coalitions = []
    joint: Mechanism | None = None
    for mask in range(1, 2**k):
        members = tuple(i for i in range(k) if mask >> i & 1)
        seen = _joint_law(tables, members, size)
        coalitions.append(Coalition(members, seen, tightest_level(seen, graph).evidence.tightest))
        joint = seen
    assert joint is not None
    evidence = ReleaseEvidence(n, tuple(levels), tuple(stages), joint, tuple(coalitions))
    broken = [c for c in coalitions if c.level != levels[c.members[0]]]
    if broken:
        c = broken[0]
        claim = f"The coalition {_names(c.members)} sees a mechanism of level {c.level}, not {levels[c.members[0]]}"
        return Verdict(Decision.REFUTED, claim, evidence, scope_of(*levels))
    claim = f"Every one of the {2**k - 1} coalitions sees a mechanism whose tightest level is that of its least private member (n = {n})"
    return Verdict(decided(True), claim, evidence, scope_of(*levels))


def _check(n: int, levels: Sequence[PrivacyLevel]) -> None:
    if n < 1:
        raise ParameterRangeError(f"n = {n}: a release needs at least two inputs, n >= 1", name="n", value=n, allowed=">= 1")
    if not levels:
        raise ParameterRangeError("a release needs at least one level", name="levels", value=(), allowed="non-empty")
    for low, high in pairwise(levels):
        if not low.alpha < high.alpha:
            raise ParameterRangeError(
                f"the levels must increase strictly (the least private first), but {low} comes before {high}",
                name="levels",
                value=tuple(levels),
                allowed="strictly increasing",
            )
    cells = (n + 1) ** (len(levels) + 1)
    if cells > MAX_JOINT_CELLS:
        raise ResourceLimitError(
            f"the joint law of {len(levels)} results has {cells} cells, more than {MAX_JOINT_CELLS}; use fewer levels or a smaller n",
            cells=cells,
            limit=MAX_JOINT_CELLS,
        )


def _joint_law(tables: list[ExactMatrix], members: tuple[int, ...], size: int) -> Mechanism:
    """The law of the members' results given the input, the others summed out."""
    # state: rows (input), columns (results seen so far, current result)
    zero = common_field(*tables).zero
    state: dict[tuple[int, tuple[int, ...], int], Any] = {(i, (), i): zero + 1 for i in range(size)}
    for stage, table in enumerate(tables):
        following: dict[tuple[int, tuple[int, ...], int], Any] = {}
        seen = stage in members
        for (i, past, current), mass in state.items():
            for r in range(size):
                step = table[current, r]
                if step:
                    key = (i, (*past, r) if seen else past, r)
                    following[key] = following[key] + mass * step if key in following else mass * step
        state = following
        if stage == members[-1]:
            break
    results = list(product(range(size), repeat=len(members)))
    column = {past: c for c, past in enumerate(results)}
    law = [[zero] * len(results) for _ in range(size)]
    for (i, past, _), mass in state.items():
        law[i][column[past]] += mass
    outputs = tuple(",".join(map(str, past)) for past in results)
    return Mechanism(ExactMatrix(law), range(size), outputs)


def _names(members: tuple[int, ...]) -> str:
    return "{" + ", ".join(str(m + 1) for m in members) + "}"
