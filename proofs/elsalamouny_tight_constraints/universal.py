# SPDX-License-Identifier: MIT
"""Sections 1, 2.2, 6 and 7: which queries have a mechanism that is optimal for every prior.

The two queries that decide the readings, on two people: "do both have the property?", whose answers are one
edge, and "which of three values do both have, if they have the same?", whose answers are a star.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from exactdp.analysis import is_optimal_after_remap
from exactdp.analysis.leakage import utility
from exactdp.analysis.types.universal import is_universally_optimal, universally_optimal_mechanism
from exactdp.analysis.types.universal_levels import universal_by_level
from exactdp.exact import ExponentialField, Rational
from exactdp.mechanisms import geometric
from exactdp.model import BayesianConsumer, Graph, Loss, Mechanism, Prior, neighbours
from exactdp.model.neighbours import hamming, query_graph
from proofs.elsalamouny_tight_constraints.common import graph
from proofs.record import Finding, Printed, Status, finding


def both_have_it() -> Graph:
    """The graph of the answers of "do both of two people have the property?"."""
    return query_graph(lambda people: int(all(people)), (0, 1), 2, name="do both people have it")


def common_value() -> Graph:
    """The graph of the answers of "which of three values do both of two people have, if the same?"."""
    return query_graph(lambda people: people[0] if people[0] == people[1] else "none", range(3), 2, name="the common value")


def tells_apart_as_a_count() -> bool:
    """Whether some counting query on two bits tells the same databases apart as "do both have it?" does."""
    words = list(product((0, 1), repeat=2))
    for property_ in ((), (0,), (1,), (0, 1)):
        count = {word: sum(x in property_ for x in word) for word in words}
        if all((all(v) == all(w)) == (count[v] == count[w]) for v in words for w in words):
            return True
    return False


def _levels(near: Graph, loss: Loss) -> tuple[list[tuple[str, bool | None]], Any]:
    """The answer on each piece of (0, 1), and the verdict."""
    every = universal_by_level(near, loss)
    return [(str(piece), yes) for piece, (yes, _) in every.evidence.pieces], every


def star_and_edge() -> tuple[bool, dict[str, Any]]:
    """Whether the star has a mechanism for guessing right exactly up to 1/2, none for the distance, and the
    edge has one for both at every level although its query counts nothing.
    """
    star, edge = common_value(), both_have_it()
    right, star_levels = _levels(star, Loss.zero_one(star.vertices))
    near, distance_levels = _levels(star, Loss.from_distance(star))
    pair, edge_levels = _levels(edge, Loss.zero_one(edge.vertices))
    same = Loss.from_distance(edge).matrix == Loss.zero_one(edge.vertices).matrix  # so both losses are decided
    at_half = universally_optimal_mechanism(star, "1/2", Loss.zero_one(star.vertices))
    wrong = (
        right == [("(0, 1/2)", True), ("[1/2, 1/2]", True), ("(1/2, 1)", False)]
        and at_half.proved
        and near == [("(0, 1)", False)]
        and all(yes for _, yes in pair)
        and same
        and not star.is_path
        and not tells_apart_as_a_count()
    )
    verdicts = {
        "common-value-optimal": at_half,
        "common-value-levels": star_levels,
        "common-value-distance": distance_levels,
        "both-have-it-levels": edge_levels,
    }
    return wrong, verdicts


def conclusion(printed: Printed) -> Finding:
    """A bijective image of a counting query, if and only if? "Only if" fails twice."""
    wrong, verdicts = star_and_edge()
    detail = (
        '"which value do both have?" has one for guessing right at the levels up to 1/2; its graph is a star; "do both have it?" '
        "has one at every level, and no counting query tells the same databases apart"
    )
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, verdicts)


def only_counting_queries(printed: Printed) -> Finding:
    """No mechanism for any query other than counting queries? There is one for the star up to 1/2."""
    wrong, verdicts = star_and_edge()
    detail = "a query on two people whose graph is a star: a mechanism for guessing right at α = 1/2 and below, for every prior"
    kept = {name: verdicts[name] for name in ("common-value-optimal", "common-value-levels", "both-have-it-levels")}
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, kept)


def only_lines(printed: Printed) -> Finding:
    """Only if the graph is a line? Not for guessing right; so for the distance."""
    wrong, verdicts = star_and_edge()
    detail = "the star has a mechanism for guessing right up to 1/2, and none for the distance, at any level"
    kept = {name: verdicts[name] for name in ("common-value-optimal", "common-value-levels", "common-value-distance")}
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, kept)


def counting_has_one(printed: Printed) -> Finding:
    """The geometric mechanism is universally optimal on paths."""
    right = True
    for n in (1, 2, 3, 4):
        line = Graph.path(n + 1)
        for loss in (Loss.zero_one(line.vertices), Loss.from_distance(line)):
            for a in ("1/4", "1/2", "3/4"):
                m = Mechanism(geometric(n, a).matrix, line.vertices, line.vertices)
                right = right and is_universally_optimal(m, line, a, loss).proved
    line = Graph.path(4)
    m = Mechanism(geometric(3, "1/2").matrix, line.vertices, line.vertices)
    kept = {"geometric-every-prior": is_universally_optimal(m, line, "1/2", Loss.zero_one(line.vertices))}
    return finding(right, "G(n, α), n ≤ 4, three levels, guessing right and the distance", kept)


def sum_graphs(printed: Printed) -> Finding:
    """The graph of sums, from the databases: adjacent exactly if they differ by at most v."""
    right = True
    for people, v in product((1, 2, 3), repeat=2):
        found = query_graph(sum, range(v + 1), people)
        expected = {(i, j) for i in range(v * people + 1) for j in range(i + 1, v * people + 1) if j - i <= v}
        right = right and len(found.vertices) == v * people + 1
        right = right and {(int(found.vertices[i]), int(found.vertices[j])) for i, j in found.edges} == expected
    return finding(right, "up to three people with values up to 3")


def counts_graphs(printed: Printed) -> Finding:
    """The graph of two counts, from the databases: adjacent exactly if each count differs by 1 at most."""
    right = True
    for people in (1, 2, 3):
        found = query_graph(lambda rows: tuple(map(sum, zip(*rows, strict=True))), list(product((0, 1), repeat=2)), people)
        pairs = list(product(range(people + 1), repeat=2))
        expected = {(i, j) for i in range(len(pairs)) for j in range(i + 1, len(pairs)) if _king(pairs[i], pairs[j])}
        right = right and list(found.vertices) == [f"{i},{j}" for i, j in pairs] and set(found.edges) == expected
    return finding(right, "up to three people, values of all four kinds")


def _king(x: tuple[int, ...], y: tuple[int, ...]) -> bool:
    return all(abs(i - j) <= 1 for i, j in zip(x, y, strict=True))


def families(printed: Printed) -> Finding:
    """No universally optimal mechanism for sums of values up to v ≥ 2, nor for two counts."""
    right, kept = True, {}
    for text in ("sum:u=1,v=2", "sum:u=2,v=2", "sum:u=2,v=3", "counts:u=1,k=2", "counts:u=2,k=2"):
        near = graph(text)
        for loss in (Loss.zero_one(near.vertices), Loss.from_distance(near)):
            answers, every = _levels(near, loss)
            right = right and answers == [("(0, 1)", False)]
            kept[text, loss.name] = every
    counting = neighbours("sum:u=3,v=1")
    assert isinstance(counting, Graph)
    right = right and counting.is_path and query_graph(sum, range(3), 2) == graph("sum:u=2,v=2")
    verdicts = {"sum-none-levels": kept["sum:u=2,v=2", "zero-one"], "counts-none-levels": kept["counts:u=1,k=2", "zero-one"]}
    return finding(
        right, "none at any level for five small queries, for guessing right and for the distance; with v = 1 the sum is a count", verdicts
    )


def geometric_not_optimal(printed: Printed) -> Finding:
    """Geometric noise for sums and for two counts: private, and not optimal for the uniform prior."""
    sums, counts = graph("sum:u=1,v=2"), graph("counts:u=1,k=2")
    noisy = Mechanism(geometric(2, "1/2").matrix, sums.vertices, sums.vertices)  # sensitivity 2, so α = 1/4
    one = geometric(1, "1/2")
    rows = [[one[i, r] * one[j, s] for r in range(2) for s in range(2)] for i in range(2) for j in range(2)]
    apart = Mechanism(rows, counts.vertices, counts.vertices)  # both counts may change, so α = 1/4
    worse = {}
    for name, near, m in (("sum-geometric", sums, noisy), ("counts-geometric", counts, apart)):
        consumer = BayesianConsumer(Loss.zero_one(near.vertices), Prior.uniform(near.vertices))
        worse[name] = is_optimal_after_remap(m, near, "1/4", consumer)
    right = all(answer.refuted and answer.evidence.gap > 0 for answer in worse.values()) and hamming(2, 2) != counts
    detail = f"at α = 1/4 they lose {worse['sum-geometric'].evidence.gap} and {worse['counts-geometric'].evidence.gap} against the optimum"
    return finding(right, detail, worse, status=Status.CERTIFIED)


def _diagonal(n: int, beta: Rational) -> Rational:
    """The mean of the diagonal of G(n, β): its utility for the uniform prior, each result being its own best
    guess.
    """
    return (2 + (n - 1) * (1 - beta)) / ((1 + beta) * (n + 1))


def _tight_at_least(alpha: Rational, shells: int) -> Rational:
    """What a tight-constraints mechanism has at least for the uniform prior: 1/s for row sums of Φ up to s.

    Sums: 10 answers at each distance at most (``shells`` = 1). Two counts: 8k at distance k (``shells`` = 2).
    """
    more = 10 * alpha / (1 - alpha) if shells == 1 else 8 * alpha / (1 - alpha) ** 2
    return 1 / (1 + more)


def _ranges(power: int, shells: int, n: int, first: int, last: int) -> list[Rational]:
    """Lower bounds of the quotient of both utilities for β in [k/1000, (k+1)/1000], α = β^power; both
    utilities fall with β.
    """
    steps = [(Rational(k, 1000), Rational(k + 1, 1000)) for k in range(first, last)]
    return [_tight_at_least(high**power, shells) / _diagonal(n, low) ** shells for low, high in steps]


def significantly_higher(printed: Printed) -> Finding:
    """Tight-constraints mechanisms against geometric noise, for ε from 0.968 (sum), 1.136 (counts) to 1.3."""
    formula = True
    for n in (1, 2, 5, 8):
        m = geometric(n, "1/3")
        formula = formula and utility(m, Prior.uniform(m.inputs)) == _diagonal(n, Rational("1/3"))
    t = {e: ExponentialField(Rational(e)).gen for e in ("13/50", "121/625", "13/20", "71/125")}  # ε/5 at 1.3, 0.968; ε/2 at 1.3, 1.136
    covered = t["13/50"] > Rational("0.771") and t["121/625"] < Rational("0.824")
    covered = covered and t["13/20"] > Rational("0.522") and t["71/125"] < Rational("0.567")
    sums, counts = min(_ranges(5, 1, 750, 771, 824)), min(_ranges(2, 2, 30, 522, 567))
    right = formula and covered and sums > Rational("7/5") and counts > Rational("8/5")
    king, line = graph("counts:u=3,k=2"), Graph.path(4)
    far, steps = Loss.from_distance(king).matrix, Loss.from_distance(line).matrix
    pairs = list(product(range(4), repeat=2))
    shorter = all(far[4 * i + j, 4 * k + m] <= steps[i, k] + steps[j, m] for i, j in pairs for k, m in pairs)
    detail = (
        f"by factors of more than {float(sums):.2f} and {float(counts):.2f} where both are ε-private (noise for ε/5, and for ε/2 each); "
        "noise for ε itself, which is not ε-private, has at least the utility of any ε-private mechanism"
    )
    return Finding(Status.IMPRECISE if right and shorter else Status.REFUTED, detail)
