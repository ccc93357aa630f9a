# SPDX-License-Identifier: MIT
"""Section 5: tight-constraints mechanisms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from exactdp.analysis import is_private, optimum
from exactdp.analysis.leakage import BoundEvidence, LeakageEvidence, leakage, utility, utility_bound
from exactdp.analysis.tight.optimality_on_region import OnRegionEvidence, is_optimal_on_region
from exactdp.analysis.tight.regular_priors import is_regular
from exactdp.analysis.tight.tight_levels import singular_levels, tight_levels
from exactdp.analysis.tight.tight_mechanism import is_tight_unique, tight_mechanism
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.exact import AlgebraicNumber, ExactMatrix, Interval, Rational, RationalFunctionField
from exactdp.exact.number_field import NumberField
from exactdp.mechanisms import geometric, uniform
from exactdp.model import BayesianConsumer, Graph, Loss, Mechanism, Prior, PrivacyLevel
from exactdp.model.constraint_matrix import Cells, ConstraintMatrix
from exactdp.model.small_graphs import connected_graphs
from proofs.elsalamouny_tight_constraints.common import (
    GRAPHS,
    LEVELS,
    evidence,
    graph,
    halves,
    instances,
    mechanisms,
    phi,
    priors,
    slack,
    witness_graph,
)
from proofs.record import Finding, Printed, Status, finding


def _is_tight(m: Mechanism, matrix: ExactMatrix) -> bool:
    n = matrix.shape[0]
    return all(m[i, k] == matrix[i, k] * m[k, k] for i in range(n) for k in range(n))


def _found() -> Iterator[tuple[Mechanism, Graph, PrivacyLevel, ExactMatrix]]:
    """The tight-constraints mechanism of each instance that has one, and the instance."""
    for near, alpha, matrix in instances():
        m = tight_mechanism(near, alpha).evidence.mechanism
        if m is not None:
            yield m, near, alpha, matrix


def definition_7(printed: Printed) -> Finding:
    """The mechanism X = Φ·diag(z) has x_ik = α^d(i,k) x_kk."""
    right = all(_is_tight(m, matrix) for m, _, _, matrix in _found())
    return finding(right, "every mechanism found satisfies (10)", status=Status.DEFINITION)


def independence(printed: Printed) -> Finding:
    """The |R|(|R|−1) equations x_ik = α^d(i,k) x_kk are independent, all of them when Φ is non-singular."""
    right = True
    for _, _, matrix in instances(("path:3", "cycle:4", "star:4"), ("1/4", "2/3")):
        n = matrix.shape[0]
        tight = [
            [int(j == i * n + k) - (matrix[i, k] if j == k * n + k else 0) for j in range(n * n)] for i, k in permutations(range(n), 2)
        ]
        sums = [[int(j // n == i) for j in range(n * n)] for i in range(n)]
        right = right and ExactMatrix(tight).rank() == n * (n - 1)
        right = right and (ExactMatrix([*tight, *sums]).rank() == n * n) == bool(matrix.det())
    unique, several = is_tight_unique(graph("cycle:5"), "1/2"), is_tight_unique(halves(), "1/3")
    right = right and unique.proved and several.refuted
    detail = "ranks n(n−1) and, with the row sums, n² exactly where Φ is non-singular; Appendix B's graph at 1/3 has several mechanisms"
    return finding(right, detail, {"unique-on-a-ring": unique, "several-at-1-3": several})


def how_many(printed: Printed) -> Finding:
    """None, one or several tight-constraints mechanisms; the uniform prior regular or not."""
    star = graph("star:4")
    yes, no = tight_mechanism(star, "1/3"), tight_mechanism(star, "3/5")
    unique, several = is_tight_unique(graph("cycle:5"), "1/2"), is_tight_unique(halves(), "1/3")
    uniform_prior = Prior.uniform(star.vertices)
    right = yes.proved and no.refuted and unique.proved and several.refuted
    right = right and is_regular(star, "1/3", uniform_prior).proved and is_regular(star, "3/5", uniform_prior).refuted
    detail = "none on the star of four at 3/5, one on a ring, several on Appendix B's graph; the uniform prior accordingly"
    verdicts: dict[str, Verdict[Any]] = {"star-at-1-3": yes, "star-at-3-5": no, "unique-on-a-ring": unique, "several-at-1-3": several}
    return finding(right, detail, verdicts, status=Status.CERTIFIED)


def reached(printed: Printed) -> Finding:
    """Tight-constraints mechanisms have the utility Σ y for regular priors, and the leakage Σ y/max π."""
    right = True
    for m, near, alpha, _ in _found():
        for prior, y in priors(near, alpha):
            total = sum(y, Rational(0))
            right = right and utility(m, prior) == total and leakage(m, prior).evidence.factor == total / max(prior.weights)
            right = right and sum((w * m[i, i] for i, w in enumerate(prior.weights)), Rational(0)) == total
    return finding(right, "the identity remap attains Σ y for the corners and for mixtures of them, on everything tried")


def leakage_equality(printed: Printed) -> Finding:
    """Always answering 0 leaks Σ y/max π for a corner prior of two answers, although Φ·diag(X·R̂) ≠ 1."""
    near, alpha = graph("path:2"), PrivacyLevel("1/2")
    prior = Prior(["2/3", "1/3"], near.vertices)
    constant = Mechanism([[1, 0], [1, 0]], near.vertices, near.vertices)
    bound, leak = utility_bound(near, alpha, prior), leakage(constant, prior)
    wrong = bound.proved and leak.evidence.factor == bound.evidence.value / max(prior.weights) and any(slack(phi(near, alpha), constant))
    detail = "two answers, α = 1/2, prior (2/3, 1/3): always answering 0 leaks the factor 1 = Σ y/max π, but Φ·diag(X) = (1, 1/2)"
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, {"bound-of-a-corner": bound, "constant-attains-it": leak})


def proposition_7(printed: Printed) -> Finding:
    """Tight-constraints mechanisms are private."""
    right = all(is_private(m, near, alpha).proved for m, near, alpha, _ in _found())
    return finding(right, "every mechanism found is private at its level")


def lemma_3(printed: Printed) -> Finding:
    """Φ·diag(X) = 1 exactly for the tight-constraints mechanisms among the private ones."""
    right = True
    for near, alpha, matrix in instances(GRAPHS[:6], LEVELS[1:4]):
        for m in mechanisms(near, alpha):
            right = right and (not any(slack(matrix, m))) == _is_tight(m, matrix)
    return finding(right, "both conditions agree on every private mechanism tried")


def existence(printed: Printed) -> Finding:
    """A vector z ≥ 0 with Φ·z = 1 or Farkas' vector: both answers, and all levels at once for the star."""
    yes, no, levels = tight_mechanism(graph("star:4"), "1/3"), tight_mechanism(graph("star:4"), "3/5"), tight_levels(graph("star:4"))
    right = yes.proved and no.refuted and [str(i) for i in levels.evidence.intervals] == ["(0, 1/2]"]
    verdicts = {"star-at-1-3": yes, "star-at-3-5": no, "star-levels": levels}
    return finding(right, "star of four: exactly at the levels in (0, 1/2]", verdicts)


def theorem_3(printed: Printed) -> Finding:
    """Optimal for every regular prior if and only if some M·R is tight-constraints."""
    line = graph("path:4")
    yes = is_optimal_on_region(Mechanism(geometric(3, "1/4").matrix, line.vertices, line.vertices), line, "1/4")
    no = is_optimal_on_region(Mechanism(uniform(range(4)).matrix, line.vertices, line.vertices), line, "1/4")
    right = yes.proved and no.refuted
    for near, alpha, _ in instances(("cycle:4", "star:4"), ("1/3",)):
        for m in mechanisms(near, alpha):
            right = right and is_optimal_on_region(m, near, alpha).decision is not Decision.UNDECIDED
    detail = "decided both ways on every mechanism tried: with R, or with a regular prior and a better mechanism"
    return finding(right, detail, {"geometric-on-region": yes, "uniform-not-on-region": no})


def maximal(printed: Printed) -> Finding:
    """What is remapped to a tight-constraints mechanism is a remap of it: outputs split in two come back."""
    right = True
    for m, near, alpha, _ in _found():
        n = m.n_outputs
        split = ExactMatrix([[m[i, o // 2] * Rational(1 + o % 2, 3) for o in range(2 * n)] for i in range(n)])
        merge = ExactMatrix([[int(o // 2 == k) for k in range(n)] for o in range(2 * n)])
        merged = split @ merge
        right = right and merged == m.matrix and is_private(Mechanism(split, near.vertices, range(2 * n)), near, alpha).proved
        back = [
            [split[k, o] * merge[o, k] / merged[k, k] if merged[k, k] else split[0, o] for o in range(2 * n)]
            for k in range(n)
        ]  # fmt: skip
        right = right and merged @ ExactMatrix(back) == split
    return finding(right, "every mechanism found, each output split in two, is made again from what it is remapped to")


def lemma_4(printed: Printed) -> Finding:
    """A mechanism exists if and only if the uniform prior is regular."""
    right = all(
        tight_mechanism(near, alpha).proved == is_regular(near, alpha, Prior.uniform(near.vertices)).proved
        for near, alpha, _ in instances()
    )
    return finding(right, "the two questions have the same answer on everything tried")


def threshold(printed: Printed) -> Finding:
    """Below α = 1/(n−1) there is always a mechanism."""
    right = True
    for near in map(graph, GRAPHS):
        for bound in (Rational(1, len(near.vertices) - 1), Rational(1, 2 * len(near.vertices))):
            right = right and (bound == 1 or tight_mechanism(near, bound).proved)
    return finding(right, "a mechanism exists at α = 1/(n−1) and below on every graph tried")


def corollary_2(printed: Printed) -> Finding:
    """Six answers, α = 1/√2: optimal for the uniform prior, remapped to no tight-constraints mechanism."""
    near = witness_graph()
    root = AlgebraicNumber([-1, 0, 2], 0, 1)
    number = NumberField(root).gen
    tight = tight_mechanism(near, PrivacyLevel(number))
    exact = _optimal_rows(number)
    private = is_private(Mechanism(exact, near.vertices, near.vertices), near, PrivacyLevel(number))
    best = sum((exact[i, i] for i in range(6)), number.field.zero) / 6
    field = RationalFunctionField(Interval.point(root))
    a, at = field.gen, PrivacyLevel(field.gen)
    m = Mechanism(_optimal_rows(a), near.vertices, near.vertices)
    u = Prior.uniform(near.vertices)
    cells = Cells(ConstraintMatrix.of(near), tuple(range(len(near.vertices))))
    z = tight.evidence.z
    assert z is not None
    y = tuple(field.quotient(*_integers(x)) / 6 for x in z)
    bound = BoundEvidence(neighbours=near, level=at, prior=u, cells=cells, weights=y, value=a / 3, of="utility")
    leak = LeakageEvidence(mechanism=m, prior=u, before=u.weights[0], after=a / 3, factor=2 * a)
    better = Mechanism(_columns(phi(near, at), [6 * x for x in y], field), near.vertices, near.vertices)
    worse = OnRegionEvidence(mechanism=m, neighbours=near, level=at, weights=(field.one,) * 6, better=better)
    wrong = tight.proved and private.proved and best == tight.evidence.utility == number / 3
    wrong = wrong and all(map(definite_where_it_exists, range(1, 6)))
    detail = (
        "six answers, α = 1/√2 (ε = ln 2/2): the largest utility for the uniform prior is √2/6; a mechanism attains it that is worse than "
        "the tight-constraints one for another regular prior, so no remap of it is tight-constraints (the diagonal z has zeros); "
        "with five answers or fewer Φ is positive definite "
        "wherever there is a tight-constraints mechanism"
    )
    verdicts: dict[str, Verdict[Any]] = {
        "six-answers-bound": evidence("no private mechanism has more utility than a/3 for the uniform prior", bound),
        "six-answers-attained": evidence("the mechanism leaks the factor 2a for the uniform prior: its utility is a/3", leak),
        "six-answers-not-on-region": Verdict(Decision.REFUTED, "it is not optimal for some regular prior", worse),
    }
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, verdicts)


def definite_where_it_exists(size: int) -> bool:
    """On each connected graph of this size Φ is non-singular up to all levels with a tight-constraints one.

    So it is positive definite there, as it is for small levels, and Corollary 2 holds.
    """
    for near in connected_graphs(size):
        ends = [part.upper for part in tight_levels(near).evidence.intervals]
        if any(level <= end for level in singular_levels(near) for end in ends):
            return False
    return True


def _integers(x: Any) -> tuple[list[int], list[int]]:
    return [int(c.numerator) for c in x.coefficients] or [0], [1]


def _columns(matrix: ExactMatrix, z: list[Any], field: Any) -> ExactMatrix:
    """Φ·diag(z), the powers a² replaced by 1/2 so that rows sum to 1 identically (2a² = 1)."""
    half = Rational(1, 2)

    def reduced(x: Any) -> Any:
        numerator = [Rational(c) for c in x.numerator]
        value = sum((c * half ** (k // 2) * (field.gen if k % 2 else field.one) for k, c in enumerate(numerator)), field.zero)
        return value / Rational(x.denominator[0])

    n = matrix.shape[0]
    return ExactMatrix([[reduced(matrix[i, k] * z[k]) for k in range(n)] for i in range(n)], field)


def _optimal_rows(a: Any) -> ExactMatrix:
    """Optimal for the uniform prior on the six answers at 2a² = 1, with slack in rows 0, 4 and 5."""
    zero = a.field.zero
    outer = [zero, 3 - 4 * a, 2 * a - 1, 2 * a - 1, zero, zero]
    return ExactMatrix(
        [
            outer,
            [zero, 6 * a - 4, 4 - 5 * a, 1 - a, zero, zero],
            [zero, 3 * a - 2, 2 - 2 * a, 1 - a, zero, zero],
            [zero, 3 * a - 2, 1 - a, 2 - 2 * a, zero, zero],
            outer,
            outer,
        ]
    )


def line(printed: Printed) -> Finding:
    """On the line the tight-constraints mechanism is the range-restricted geometric one, and no other."""
    right = True
    for n in range(1, 9):
        for a in LEVELS:
            answer = tight_mechanism(Graph.path(n + 1), a).evidence.mechanism
            right = right and answer is not None and answer.matrix == geometric(n, a).matrix
    field = RationalFunctionField()
    for n in range(1, 6):
        matrix = phi(Graph.path(n + 1), PrivacyLevel(field.gen))
        found = tight_levels(Graph.path(n + 1)).evidence
        right = right and found.always and matrix.det() == (1 - field.gen**2) ** n
        ones = geometric(n, field.gen).matrix
        right = right and all(found.cells.lift(found.pieces[0].value.witness)[k] == ones[k, k] for k in range(n + 1))
    levels, unique = tight_levels(graph("path:6")), is_tight_unique(graph("path:6"), "1/2")
    verdicts = {"line-of-six-levels": levels, "line-of-six-unique": unique}
    return finding(right and unique.proved, "z is the diagonal of G(n, α), n ≤ 8; symbolically n ≤ 5", verdicts)


def transitive(printed: Printed) -> Finding:
    """Constant row sums of Φ give z = 1/Σ_k α^d(i,k) at every level."""
    named = {"ring-of-five-levels": graph("cycle:5"), "cube-levels": graph("hypercube:3"), "petersen-levels": _petersen()}
    verdicts = {name: tight_levels(near) for name, near in named.items()}
    right = all(answer.evidence.always and len(answer.evidence.cells.members) == 1 for answer in verdicts.values())
    u = Prior.uniform(graph("cycle:5").vertices)
    best = optimum(graph("cycle:5"), PrivacyLevel("1/2"), BayesianConsumer(Loss.zero_one(graph("cycle:5").vertices), u)).evidence.value
    own = tight_mechanism(graph("cycle:5"), "1/2").evidence
    assert own.mechanism is not None
    right = right and 1 - best == own.utility == utility(own.mechanism, u) == leakage(own.mechanism, u).evidence.factor / 5
    detail = "one cell of Φ on a ring, the cube and the Petersen graph, z = 1/Σ_k α^d(i,k); on the ring it attains the LP's optimum"
    return finding(right, detail, verdicts)


def _petersen() -> Graph:
    pairs = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    edges = [(a, b) for a in range(10) for b in range(a + 1, 10) if not set(pairs[a]) & set(pairs[b])]
    return Graph([f"{i}{j}" for i, j in pairs], edges, name="the Petersen graph")
