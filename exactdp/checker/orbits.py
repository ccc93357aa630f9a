# SPDX-License-Identifier: MIT
"""Trusted: least losses on symmetric neighbours, by orbits and by laws (SPEC §4.17)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exactdp.checker.arithmetic import product, raised, ratio
from exactdp.checker.claims import Claims, optimum
from exactdp.checker.deployed import size_of
from exactdp.checker.limits import demand, require, show
from exactdp.checker.matrices import Numbered, sums_by_row, transposed
from exactdp.checker.reader import Node
from exactdp.checker.rules import (
    Case,
    Consumer,
    Definition,
    check_private,
    equals,
    graph_rule,
    loss_of_inputs,
    squares_of,
    weights,
)


# ── Automorphisms, and which column is the image of which ───────────────────────────────────────
@dataclass(frozen=True)
class Orbits:
    """Some guesses are listed. Each other one is the image (guess, source, automorphism) of one
    that is known before it.
    """

    listed: list[int]
    images: list[tuple[int, int, list[int]]]


def automorphisms(node: Node, near: Definition) -> list[list[int]]:
    """Permutations of the inputs that map constrained pairs to such pairs, with their distances."""
    # Theorem: automorphism_inv (Orbits.v): the inverse does so, too.
    n = len(near.inputs)
    found = [item.below(n) for item in node.items()]
    for item, g in zip(node.items(), found, strict=True):
        demand(len(g) == n == len({*g}), item.path, "a permutation of the inputs")
    if near.complete:
        return found
    distance_of = squares_of(near, len(found))
    for g in found:
        for (i, j), square in distance_of.items():
            there = distance_of.get((g[i], g[j]))
            if there != square:
                rule = f"an automorphism maps {{{i}, {j}}} to a pair of the same distance"
                require(False, rule, node.path, "none" if there is None else there, square)
    return found


def orbits(f: dict[str, Node], near: Definition, guesses: int) -> Orbits:
    """The listed guesses and the images, each guess once."""
    maps = automorphisms(f["automorphisms"], near)
    listed = f["guesses"].indices(guesses)
    known = set(listed)
    images = list[tuple[int, int, list[int]]]()
    for item in f["images"].items():
        of_guess, of_source, of_map = item.items(3)
        guess, source = of_guess.index(guesses), of_source.index(guesses)
        g = of_map.index(len(maps))
        demand(source in known, item.path, "the image of a guess that is known before")
        demand(guess not in known, item.path, "a guess that is not known before")
        known.add(guess)
        images.append((guess, source, maps[g]))
    demand(len(known) == guesses, f["images"].path, "every guess is listed or an image")
    return Orbits(listed, images)


# ── The claim ───────────────────────────────────────────────────────────────────────────────────
def optimal_by_orbits(c: Case) -> str:
    """No α-private mechanism has a loss below the value, and one attains it."""
    q = optimum(c)
    near, consumer, f = q.near, q.consumer, c.witness
    found = orbits(f, near, len(consumer.guesses))
    costs = Numbered.of(consumer.loss)
    attained(f["columns"], found, near, q.alpha, consumer, costs, c.claim["value"])
    bounded(f, found, near, q.alpha, consumer, costs, c.claim["value"])
    return q.sentence("one attains it")


def attained(
    node: Node,
    found: Orbits,
    near: Definition,
    alpha: Fraction,
    consumer: Consumer,
    costs: Numbered,
    value: Node,
) -> None:
    """The mechanism with the listed columns and their images is α-private, with this loss."""
    # Theorem: image_obeys (Orbits.v); solvesP (Checker/Check.v).
    columns = node.matrix(len(found.listed), len(near.inputs))
    for row in columns.rows:
        least = next((x for x in row.values() if x < 0), 0)
        require(not least, "entries ≥ 0", node.path, ratio(least, columns.den), 0)
    check_private(transposed(columns), near, alpha, node.path)

    # The image's entry at g(i) is the entry at i.
    entries = Numbered.of(columns)
    names = dict(zip(found.listed, entries.names, strict=True))
    table = entries.placed(names, found.images)
    totals = list[int]()
    for i, (total, loss) in enumerate(sums_by_row(table, costs, entries)):
        if total != columns.den:
            rule = f"the sum is 1, in row {i}"
            require(False, rule, node.path, ratio(total, columns.den), 1)
        totals.append(loss)
    equals(loss_of_inputs(consumer, totals, columns.den), value, f"the loss of {node.path}")


def bounded(
    f: dict[str, Node],
    found: Orbits,
    near: Definition,
    alpha: Fraction,
    consumer: Consumer,
    costs: Numbered,
    value: Node,
) -> None:
    """The potentials' sum is the value. The multipliers show it at the listed guesses; costs and
    potentials are the same at their images.
    """
    # Theorem: orbit_bound (Orbits.v), with pair_duality (Checker/PairDuality.v).
    loss, path = consumer.loss, "$.witness"
    w = weights(consumer, f, path)
    mu = f["potentials"].vector(w.width)
    edges = f["edges"].matrix(len(found.listed), len(near.pairs))
    listed = loss.of_columns(found.listed)
    graph_rule(listed, near, alpha, w, mu, transposed(edges), path)

    # w_g(i)·l(g(i), image) = w_i·l(i, guess) and μ_g(i) = μ_i.
    shares, potentials = costs.weighed(w), Numbered.of(mu)
    for guess, source, g in found.images:
        kept = shares.moved(guess, g, source) and potentials.moved(0, g, 0)
        rule = f"costs and potentials at guess {guess} are the image of those at guess {source}"
        require(kept, rule, path, "different", "equal")
    equals(ratio(sum(mu.rows[0].values()), mu.den), value, "the dual's bound")


# ── Guessing the input, by the law of the best mechanism ────────────────────────────────────────
def complete_optimum(c: Case) -> str:
    """Any two of so many inputs are neighbours: α^d has the row sums 1 + (n − 1)α."""
    # Theorem: law_optimal, complete_law, complete_private (DistanceLaws.v).
    n = size_of(c.claim["size"], 1)
    alpha = c.claim["level"].level()
    p, q = alpha.as_integer_ratio()
    of_law(c.claim["value"], product(n - 1, p), q + product(n - 1, p))
    return law_sentence(c, f"{n} inputs, any two of them neighbours,")


def hypercube_optimum(c: Case) -> str:
    """Words of so many bits are neighbours if one bit differs: α^d has the row sums (1 + α)^k."""
    # Theorem: law_optimal, cube_law, cube_private (DistanceLaws.v).
    k = size_of(c.claim["bits"], 1)
    alpha = c.claim["level"].level()
    p, q = alpha.as_integer_ratio()
    below = raised(q + p, k)
    of_law(c.claim["value"], below - raised(q, k), below)
    return law_sentence(c, f"the words of {k} bits, neighbours if one bit differs,")


def of_law(value: Node, above: int, below: int) -> None:
    """The value is 1 − 1/s = above/below."""
    stated = value.scalar()
    same = product(stated.numerator, below) == product(stated.denominator, above)
    require(same, "the value is 1 − 1/Σ α^d", value.path, stated, ratio(above, below))


def law_sentence(c: Case, inputs: str) -> str:
    """What the claim says, on these inputs."""
    alpha, value = c.claim["level"].level(), show(c.claim["value"].scalar())
    wrong = f"guesses the input wrongly with a probability below {value}"
    law = f"the one with the probabilities α^d(i, r)/Σ α^d does so with {value} at every input"
    best = f"No (α = {show(alpha)})-private mechanism on {inputs} {wrong}"
    return f"{best}, on average over all inputs or at its worst input; {law}."


CLAIMS: Claims = {
    "optimal-by-orbits": (
        optimal_by_orbits,
        "neighbours level consumer value",
        "automorphisms guesses images columns weights? potentials edges",
    ),
    "complete-optimum": (complete_optimum, "size level value", ""),
    "hypercube-optimum": (hypercube_optimum, "bits level value", ""),
}
