# SPDX-License-Identifier: MIT
"""The refinement order of several mechanisms: who can be computed from whose output, with a witness for every pair.

A ⊑ B, A is refined by B, means B = A·R with R row-stochastic. It is reflexive and transitive; two mechanisms that refine each other are
the same channel up to names and repetitions of outputs. The Hasse diagram shows the classes and the refinements that do not follow from
others. When the posteriors of A under the uniform prior are independent, A ⊑ B iff those of B lie in their convex hull (Fernandes et al.,
Section 2.2): then the Earth moves are unique.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.derivability import DerivabilityEvidence, is_derivable
from exactdp.analysis.scope import scope_of
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.errors import InputError
from exactdp.exact import ExactMatrix
from exactdp.model import Mechanism, Prior
from exactdp.model.hyper import Hyper
from exactdp.model.one_field import over_one_field

__all__ = ["EarthMove", "RefinementOrder", "earth_move", "refinement_order"]


@dataclass(frozen=True)
class RefinementOrder:
    """The refinements among several mechanisms.

    Attributes
    ----------
    names : tuple of str
    mechanisms : tuple of Mechanism
    answers : dict
        For each ordered pair (i, j), i ≠ j: the evidence that mechanism i is, or is not, refined by mechanism j.
    """

    names: tuple[str, ...]
    mechanisms: tuple[Mechanism, ...]
    answers: dict[tuple[int, int], DerivabilityEvidence]

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All (i, j), i ≠ j, with mechanism i refined by mechanism j, in lexicographic order."""
        return tuple(pair for pair in sorted(self.answers) if self.answers[pair].remap is not None)

    @property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The mechanisms that refine each other, together."""
        below = set(self.pairs)
        found: list[tuple[int, ...]] = []
        for i in range(len(self.names)):
            if not any(i in part for part in found):
                found.append((i, *(j for j in range(i + 1, len(self.names)) if (i, j) in below and (j, i) in below)))
        return tuple(found)

    @property
    def covers(self) -> tuple[tuple[int, int], ...]:
        """The edges of the Hasse diagram, as pairs of numbers of classes."""
        below = set(self.pairs)
        heads = [part[0] for part in self.classes]
        strict = {(a, b) for a in range(len(heads)) for b in range(len(heads)) if a != b and (heads[a], heads[b]) in below}
        return tuple(sorted((a, b) for a, b in strict if not any((a, c) in strict and (c, b) in strict for c in range(len(heads)))))

    def __str__(self) -> str:
        texts = ["≡".join(self.names[i] for i in part) for part in self.classes]
        edges = [f"{texts[a]} ⊑ {texts[b]}" for a, b in self.covers]
        alone = [text for k, text in enumerate(texts) if not any(k in edge for edge in self.covers)]
        return "; ".join([*edges, *alone])


def refinement_order(mechanisms: Mapping[str, Mechanism]) -> Verdict[RefinementOrder]:
    """Which of these mechanisms are refined by which?

    Parameters
    ----------
    mechanisms : mapping from name to Mechanism
        Two or more, on the same inputs.

    Returns
    -------
    Verdict[RefinementOrder]
        Proved, with a post-processing or a separator for every pair.

    Raises
    ------
    InputError
        Fewer than two mechanisms.
    LabelError
        The inputs differ.

    Examples
    --------
    >>> from exactdp import geometric, identity, uniform
    >>> order = refinement_order({"nothing": uniform(range(3)), "G": geometric(2, "1/2"), "all": identity(range(3))})
    >>> print(order.evidence)
    G ⊑ nothing; all ⊑ G
    """
    names = tuple(mechanisms)
    if len(names) < 2:
        raise InputError("an order of refinement needs two mechanisms or more", names=names)
    inputs = mechanisms[names[0]].inputs
    things = over_one_field(*(mechanism.aligned(inputs) for mechanism in mechanisms.values()))
    answers = {}
    for i, A in enumerate(things):
        for j, B in enumerate(things):
            if i != j:
                answers[i, j] = is_derivable(B, source=A).evidence
    evidence = RefinementOrder(names, things, answers)
    count = len(evidence.pairs)
    claim = f"Among {', '.join(names)} exactly {count} of {len(answers)} ordered pairs are refinements: {evidence}"
    return Verdict(Decision.PROVED, claim, evidence, scope_of(*things))


@dataclass(frozen=True)
class EarthMove:
    """How the posteriors of a refined channel come from independent ones.

    Attributes
    ----------
    source, target : Hyper
        Under the uniform prior.
    shares : ExactMatrix
        Row k: the weights, summing to 1, with which target inner k is a combination of the source's inners.
    inside : bool
        Whether all are ≥ 0: every target inner is in the convex hull.
    """

    source: Hyper
    target: Hyper
    shares: ExactMatrix
    inside: bool


def earth_move(source: Mechanism, target: Mechanism) -> EarthMove | None:
    """The target's posteriors as combinations of the source's, when the source's are independent and span the target's; else None.

    The masses Σ_k (outer of target k)·share_kj then are the source's outer, because the combination that makes the uniform prior is unique:
    so the source is refined by the target iff every share is ≥ 0 [Fernandes et al., Section 2.2].

    Parameters
    ----------
    source, target : Mechanism
        On the same inputs; posteriors are taken under the uniform prior.

    Returns
    -------
    EarthMove or None
        None when the source's posteriors are dependent (then ask :func:`is_refined_by`), and when they do not span the target's (then the
        target does not refine the source).

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> from exactdp import geometric
    >>> earth_move(geometric(2, "1/4"), geometric(2, "1/2")).inside, earth_move(geometric(2, "1/2"), geometric(2, "1/4")).inside
    (True, False)
    """
    target = target.aligned(source.inputs)
    prior = Prior.uniform(source.inputs)
    first, second = Hyper.of(prior, source), Hyper.of(prior, target)
    if not first.is_independent():
        return None
    columns = ExactMatrix([list(inner) for inner in first.inners]).T
    gram = columns.T @ columns
    right = ExactMatrix([list(inner) for inner in second.inners]).T
    shares = gram.solve(columns.T @ right)
    if columns @ shares != right:
        return None
    entries: list[Any] = [x for row in shares.rows() for x in row]
    return EarthMove(first, second, shares.T, all(x >= 0 for x in entries))
