# SPDX-License-Identifier: MIT
"""The questions: for each, a random instance, how the command line and Python ask, and the answer by brute
force.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from . import instances, oracle
from .instances import ALPHAS, SAMPLES, Formula, Grid, Near, Question, Subset, Weights

Draw = Callable[[Random], Question]

QUESTIONS: list[Draw] = []


def question(draw: Draw) -> Draw:
    QUESTIONS.append(draw)
    return draw


def expects(verdict: bool | None = None, **numbers: Fraction | int | bool) -> Callable[[dict[str, Any]], str | None]:
    """A check of the verdict and of the numbers at the top of an answer."""

    def check(answer: dict[str, Any]) -> str | None:
        if verdict is not None and answer.get("verdict") != ("proved" if verdict else "refuted"):
            return f"verdict {answer.get('verdict')}, by brute force {'proved' if verdict else 'refuted'}"
        utility = answer.get("measure") == "utility"  # of a gain: the oracle's numbers are of the loss that is minus it
        for name, number in numbers.items():
            key = "utility" if utility and name == "loss" else name
            value = -number if utility and name in ("loss", "value") else number
            if key not in answer:
                return f"the answer has no {key}"
            found = answer[key] if isinstance(value, bool) else Fraction(answer[key])
            if found != value:
                return f"{key} = {found}, by brute force {value}"
        return None

    return check


def both(*checks: Callable[[dict[str, Any]], str | None]) -> Callable[[dict[str, Any]], str | None]:
    return lambda answer: next((fault for fault in (check(answer) for check in checks) if fault), None)


def level_is(root: tuple[Fraction, int], key: str = "level") -> Callable[[dict[str, Any]], str | None]:
    """A check of a level q^(1/d), written as a rational or with its ratio and distance."""

    def check(answer: dict[str, Any]) -> str | None:
        level = answer.get(key)
        level = level["alpha"] if isinstance(level, dict) else level
        ratio, distance = (Fraction(level["ratio"]), int(level["distance"])) if isinstance(level, dict) else (Fraction(str(level)), 1)
        if ratio ** root[1] != root[0] ** distance:
            return f"level {level}, by brute force ({root[0]})^(1/{root[1]})"
        return None

    return check


def same_root(level: Any, root: tuple[Fraction, int]) -> bool:
    """Whether a level of Python is q^(1/d)."""
    return Fraction(str(level.ratio)) ** root[1] == root[0] ** int(str(level.distance))


def holds_where(truth: Callable[[Fraction], bool]) -> Callable[[dict[str, Any]], str | None]:
    """A check of an answer for all levels, at some of them."""

    def check(answer: dict[str, Any]) -> str | None:
        for alpha in SAMPLES:
            inside = any(_contains(part, alpha) for part in answer["levels"])
            if inside != truth(alpha):
                return f"at the level {alpha} the answer is {inside}, by brute force {not inside}"
        return None

    return check


def _contains(part: dict[str, Any], alpha: Fraction) -> bool:
    for end, side in (("lower", 1), ("upper", -1)):
        closed = part.get(f"{end}_end") == "closed" or part.get(f"{end}_closed") is True
        difference = side * _compared(alpha, part[end])
        if difference < 0 or (difference == 0 and not closed):
            return False
    return True


def _compared(alpha: Fraction, end: Any) -> int:
    """The sign of α − end; an algebraic end lies strictly between two rationals, and is no sample."""
    if isinstance(end, str):
        return (alpha > Fraction(end)) - (alpha < Fraction(end))
    low, high = map(Fraction, end["in"])
    value = [Fraction(c) for c in end["poly"]]

    def sign(x: Fraction) -> int:
        total = sum(c * x**k for k, c in enumerate(value))
        return (total > 0) - (total < 0)

    if alpha <= low:
        return -1
    if alpha >= high:
        return 1
    return -1 if sign(alpha) == sign(low) else 1


def is_function(value: Callable[[Fraction], Fraction]) -> Callable[[dict[str, Any]], str | None]:
    """A check of a number for all levels, given in pieces, at some levels."""

    def check(answer: dict[str, Any]) -> str | None:
        for alpha in SAMPLES:
            found = {_evaluated(piece["value"], alpha) for piece in answer["pieces"] if _contains(piece["interval"], alpha)}
            found = {-x for x in found} if answer.get("measure") == "utility" else found
            if found != {value(alpha)}:
                return f"at the level {alpha} the value is {sorted(found)}, by brute force {value(alpha)}"
        return None

    return check


def _evaluated(text: str, alpha: Fraction) -> Fraction:
    """A formula of an answer: numbers, a, + - * / ^ and brackets."""
    assert re.fullmatch(r"[0-9a+*/^() -]+", text), text
    return Fraction(eval(re.sub(r"[0-9]+", r"Fraction(\g<0>)", text).replace("^", "**"), {"Fraction": Fraction, "a": alpha}))


def size(rng: Random) -> int:
    return rng.choice([2, 3, 3, 3, 4])


# --- privacy


@question
def tightest(rng: Random) -> Question:
    at = instances.near(rng, size(rng))
    m = instances.private(rng, at, rng.choice(ALPHAS), rng.randint(2, 3))
    root = oracle.tightest(m, at.distances)
    return Question(
        "privacy",
        {"m": Grid("x", "y", m), "near": at},
        lambda w: ["privacy", w["m"], *w["near_words"]],
        both(expects(True), level_is(root)),
        lambda o: same_root(o.xdp.tightest_level(o["m"], o["near"]).evidence.tightest, root),
        True,
    )


@question
def private(rng: Random) -> Question:
    at, alpha = instances.near(rng, size(rng)), rng.choice(ALPHAS)
    m = instances.private(rng, at, alpha, rng.randint(2, 3))
    truth = oracle.is_private(m, at.distances, alpha)
    return Question(
        "privacy --alpha",
        {"m": Grid("x", "y", m), "near": at},
        lambda w: ["privacy", w["m"], *w["near_words"], "--alpha", str(alpha)],
        both(expects(truth), level_is(oracle.tightest(m, at.distances))),
        lambda o: o.xdp.is_private(o["m"], o["near"], str(alpha)).proved,
        truth,
    )


@question
def not_stochastic(rng: Random) -> Question:
    at = instances.graph(rng, size(rng))
    m = instances.stochastic(rng, at.size, 2)
    m[rng.randrange(at.size)][0] += Fraction(1, 7)
    mended = [[x / sum(row) for x in row] for row in m]
    if rng.random() < 0.5:
        words, check = [], expects(False)
    else:
        words, check = ["--renormalise"], both(expects(True), level_is(oracle.tightest(mended, at.distances)))
    return Question(
        "privacy, rows that do not sum to 1",
        {"m": Grid("x", "y", m, stochastic=False), "near": at},
        lambda w: ["privacy", w["m"], *w["near_words"], *words],
        check,
    )


@question
def private_formulas(rng: Random) -> Question:
    at, alpha = instances.near(rng, rng.randint(2, 3)), rng.choice(ALPHAS)
    table = instances.formulas(rng, at.size, rng.randint(2, 3))
    truth = oracle.is_private(instances.at_level(table, alpha), at.distances, alpha)
    return Question(
        "privacy of formulas",
        {"m": Grid("x", "y", table), "near": at},
        lambda w: ["privacy", w["m"], *w["near_words"], "--alpha", str(alpha)],
        expects(truth),
    )


@question
def private_symbolic(rng: Random) -> Question:
    at = instances.graph(rng, rng.randint(2, 3))
    table = instances.formulas(rng, at.size, 2)
    return Question(
        "privacy --alpha symbolic",
        {"m": Grid("x", "y", table), "near": at},
        lambda w: ["privacy", w["m"], *w["near_words"], "--alpha", "symbolic"],
        holds_where(lambda a: oracle.is_private(instances.at_level(table, a), at.distances, a)),
    )


@question
def delta(rng: Random) -> Question:
    at, alpha = instances.graph(rng, size(rng)), rng.choice(ALPHAS)
    m = instances.stochastic(rng, at.size, rng.randint(2, 3))
    return Question(
        "least_delta",
        {"m": Grid("x", "y", m), "near": at},
        call=lambda o: o.xdp.least_delta(o["m"], o["near"], str(alpha)).evidence.delta,
        expected=oracle.least_delta(m, at.distances, alpha),
    )


@question
def deltas(rng: Random) -> Question:
    """(α, δ)-privacy, and the largest level that a δ buys: attained there, and exceeded a little above."""
    at, alpha = instances.graph(rng, size(rng)), rng.choice(ALPHAS)
    m, delta = instances.stochastic(rng, at.size, rng.randint(2, 3)), rng.choice([Fraction(0), Fraction(1, 10), Fraction(1, 3)])

    def call(o: Any) -> Any:
        xdp = o.xdp
        best = Fraction(str(xdp.level_for_delta(o["m"], o["near"], str(delta)).evidence.ratio))
        above = best + Fraction(1, 10**9)
        return (
            xdp.is_approximately_private(o["m"], o["near"], str(alpha), str(delta)).proved,
            best == 0 or oracle.least_delta(m, at.distances, best) <= delta,
            best == 1 or oracle.least_delta(m, at.distances, above) > delta,
        )

    expected = (oracle.least_delta(m, at.distances, alpha) <= delta, True, True)
    return Question("(α, δ)-privacy", {"m": Grid("x", "y", m), "near": at}, call=call, expected=expected)


@question
def leakage(rng: Random) -> Question:
    n, k = rng.randint(2, 3), rng.randint(2, 3)
    m, other, prior = instances.stochastic(rng, n, k), instances.stochastic(rng, n, 2), instances.distribution(rng, n)
    after = sum(max(p * row[y] for p, row in zip(prior, m, strict=True)) for y in range(k))

    def hyper(table: oracle.Matrix) -> dict[Any, Fraction]:
        found: dict[Any, Fraction] = {}
        for column in zip(*table, strict=True):
            joint = [p * x for p, x in zip(prior, column, strict=True)]
            if sum(joint):
                inner = tuple(x / sum(joint) for x in joint)
                found[inner] = found.get(inner, Fraction(0)) + sum(joint)
        return found

    mixed = {inner: Fraction(0) for table in (m, other) for inner in hyper(table)}
    for table, weight in ((m, Fraction(1, 4)), (other, Fraction(3, 4))):
        for inner, p in hyper(table).items():
            mixed[inner] += weight * p

    def by_number(o: Any, found: Any) -> dict[Any, Fraction]:
        places = o.numbers("x", found.inputs)
        return {
            tuple(Fraction(str(inner[places.index(i)])) for i in range(n)): Fraction(str(p))
            for inner, p in zip(found.inners, found.outer, strict=True)
        }

    def call(o: Any) -> Any:
        xdp = o.xdp
        hypers = [xdp.Hyper.of(o[key], o["prior"]) for key in ("m", "other")]
        weighted = xdp.Loss.zero_one(o["prior"].inputs).for_uniform_prior(o["prior"])
        return (
            xdp.leakage(o["m"], o["prior"]).evidence.factor,
            by_number(o, hypers[0]),
            by_number(o, xdp.Hyper.mixture(hypers, ["1/4", "3/4"])),
            xdp.uncertainty(o["m"], xdp.Prior.uniform(o["prior"].inputs), weighted),
        )

    return Question(
        "leakage and hypers",
        {"m": Grid("x", "y", m), "other": Grid("x", "z", other), "prior": Weights("x", prior)},
        call=call,
        expected=(after / max(prior), hyper(m), mixed, 1 - after),
    )


@question
def audit(rng: Random) -> Question:
    at, alpha = connected(rng, rng.randint(2, 3)), rng.choice(ALPHAS)
    m = instances.private(rng, at, alpha, at.size)
    wrong = [[Fraction(int(i != g)) for g in range(at.size)] for i in range(at.size)]
    truth = oracle.is_private(m, at.distances, alpha)

    def consumer(answer: dict[str, Any]) -> str | None:
        expected = oracle.loss_of(m, wrong, None, range(at.size))
        judged = [entry for entry in answer["consumers"] if entry["level"] is not None]
        if not judged and oracle.tightest(m, at.distances)[0] not in (0, 1):
            return "the consumer is missing"
        found = [Fraction(entry["deployed"]["loss"]) for entry in judged]
        return None if all(x == expected for x in found) else f"deployed losses {found}, by brute force {expected}"

    return Question(
        "audit",
        {"m": Grid("x", "x2", m), "near": at},
        lambda w: ["audit", w["m"], *w["near_words"], "--claims-alpha", str(alpha), "--for", "zero-one"],
        both(expects(truth, claim_holds=truth), level_is(oracle.tightest(m, at.distances)), consumer),
        alias={"x2": "x"},
        graph_word=True,
    )


def counted(rng: Random, n: int) -> tuple[Near, dict[str, list[str]]]:
    """The path on inputs labelled 0, 1, …, which is what ``--graph path`` means."""
    return Near(n, {(i, i + 1): 1 for i in range(n - 1)}, True), {"x": [str(i) for i in range(n)]}


@question
def of_a_count(rng: Random) -> Question:
    """``--graph path`` has the inputs of the table, by label or by position."""
    at, names = counted(rng, rng.randint(2, 4))
    alpha = rng.choice(ALPHAS)
    m = instances.private(rng, at, alpha, 2)
    return Question(
        "privacy of a count",
        {"m": Grid("x", "y", m)},
        lambda w: ["privacy", w["m"], "--graph", "path", "--alpha", str(alpha)],
        both(expects(oracle.is_private(m, at.distances, alpha)), level_is(oracle.tightest(m, at.distances))),
        names=names,
    )


@question
def loss_of_a_count(rng: Random) -> Question:
    """The losses abs and squared are about the integers that label inputs and outputs."""
    at, names = counted(rng, 3)
    alpha, word = rng.choice(ALPHAS), rng.choice(["abs", "squared"])
    m = instances.private(rng, at, alpha, 3)
    matrix = [[Fraction(abs(i - g) ** (1 if word == "abs" else 2)) for g in range(3)] for i in range(3)]
    value, loss = oracle.optimum(at.distances, alpha, matrix, None, range(3)), oracle.loss_of(m, matrix, None, range(3))
    truth = loss == value and oracle.is_private(m, at.distances, alpha)
    return Question(
        f"optimal MECHANISM --loss {word}",
        {"m": Grid("x", "x2", m)},
        lambda w: ["optimal", w["m"], "--graph", "path", "--alpha", str(alpha), "--loss", word],
        expects(truth, value=value, loss=loss),
        alias={"x2": "x"},
        names=names,
    )


@question
def doubles(rng: Random) -> Question:
    """Decimals read as doubles, and rows divided by their sums."""
    at = instances.graph(rng, rng.randint(2, 3))
    texts = [[f"{x / 10:.1f}" for x in (rng.choice([(1, 9), (3, 7), (6, 4), (5, 5), (2, 8)]))] for _ in range(at.size)]
    m = [[Fraction(float(text)) for text in row] for row in texts]
    entries = [[Formula(text, lambda a, x=x: x) for text, x in zip(line, row, strict=True)] for line, row in zip(texts, m, strict=True)]
    mended = [[x / sum(row) for x in row] for row in m]
    if all(sum(row) == 1 for row in m):
        return doubles(rng)
    # a double is off by far less than 2^-40: such a table is rounded, and judged as with --renormalise
    words = ["--dyadic"] if rng.random() < 0.3 else ["--dyadic", "--renormalise"]
    check = both(expects(True), level_is(oracle.tightest(mended, at.distances)))
    return Question(
        "privacy --dyadic",
        {"m": Grid("x", "y", entries, stochastic=False), "near": at},
        lambda w: ["privacy", w["m"], *w["near_words"], *words],
        check,
    )


def enclosed(power: Fraction) -> tuple[Fraction, Fraction]:
    """Two rationals around e^(−power), from the alternating series."""
    total, term, k = Fraction(1), Fraction(1), 0
    while k < 30 or term > Fraction(1, 10**30):
        k += 1
        term = term * power / k
        total += (-1) ** k * term
    return total - term, total + term


@question
def at_epsilon(rng: Random) -> Question:
    """The level e^(−ε): no rational comparison is a tie, so two rationals around it decide."""
    at, epsilon = instances.near(rng, rng.randint(2, 3)), rng.choice([Fraction(1, 2), Fraction(1), Fraction(2)])
    low, high = enclosed(epsilon)
    m = instances.private(rng, at, rng.choice([low.limit_denominator(50), Fraction(1, 2)]), 2)
    truth = oracle.is_private(m, at.distances, high)
    assert truth == oracle.is_private(m, at.distances, low)
    return Question(
        "privacy --epsilon",
        {"m": Grid("x", "y", m), "near": at},
        lambda w: ["privacy", w["m"], *w["near_words"], "--epsilon", str(epsilon)],
        expects(truth),
        lambda o: o.xdp.is_private(o["m"], o["near"], o.xdp.level_for(o["near"], str(epsilon))).proved,
        truth,
    )


# --- tables as they are


def cells_of(shown: Any, rows: list[str], columns: list[str], entries: list[list[Any]]) -> dict[tuple[int, int], Fraction]:
    """The entries of a printed table by number."""
    labelled = shown.mode == "labels"
    places = [
        [shown.names[axis].index(name) if labelled else shown.order[axis][int(name)] for name in names]
        for axis, names in (("x", rows), ("y", columns))
    ]
    return {(i, j): Fraction(entries[p][q]) for p, i in enumerate(places[0]) for q, j in enumerate(places[1])}


@question
def converted(rng: Random) -> Question:
    m = instances.stochastic(rng, rng.randint(2, 4), rng.randint(2, 3))
    expected = {(i, j): x for i, row in enumerate(m) for j, x in enumerate(row)}
    to = rng.choice(["csv", "json"])

    def check(answer: dict[str, Any]) -> str | None:
        shown, text = answer["shown"], answer["text"]
        labelled = shown.mode == "labels"
        if to == "json":
            value = json.loads(text)
            rows = value["rows"] if isinstance(value, dict) else value
            names = [value.get(key) if isinstance(value, dict) else None for key in ("inputs", "outputs")]
        else:
            lines = list(csv.reader(text.splitlines()))
            rows = [line[1:] for line in lines[1:]] if labelled else lines
            names = [[line[0] for line in lines[1:]], lines[0][1:]] if labelled else [None, None]
        if labelled != (names[0] is not None) or labelled != (names[1] is not None):
            return f"the labels were {'lost' if labelled else 'made up'}"
        where = names if labelled else [[str(i) for i in range(len(rows))], [str(j) for j in range(len(rows[0]))]]
        found = cells_of(shown, *where, rows)
        return None if found == expected else f"cells {found}, as written {expected}"

    return Question("convert", {"m": Grid("x", "y", m)}, lambda w: ["convert", w["m"], "--to", to], check, plain=True)


@question
def shown(rng: Random) -> Question:
    m = instances.stochastic(rng, rng.randint(2, 4), rng.randint(2, 3))
    expected = {(i, j): x for i, row in enumerate(m) for j, x in enumerate(row)}

    def check(answer: dict[str, Any]) -> str | None:
        lines = [line.split() for line in answer["text"].splitlines() if line.strip()]
        start = next(k for k, line in enumerate(lines) if len(line) == len(m[0]) and len(lines[k + 1]) == len(m[0]) + 1)
        rows = lines[start + 1 : start + 1 + len(m)]
        found = cells_of(answer["shown"], [row[0] for row in rows], lines[start], [row[1:] for row in rows])
        return None if found == expected else f"cells {found}, as written {expected}"

    return Question("show", {"m": Grid("x", "y", m)}, lambda w: ["show", w["m"], "--no-decimals"], check, plain=True)


# --- derivability


def pair_of(rng: Random) -> tuple[oracle.Matrix, oracle.Matrix]:
    """(a, b), a derivable from b about half of the time."""
    n, k = rng.randint(2, 4), rng.randint(2, 3)
    b = instances.stochastic(rng, n, rng.randint(2, 3))
    if rng.random() < 0.55:
        return oracle.product(b, instances.stochastic(rng, len(b[0]), k, 0.3)), b
    a = instances.stochastic(rng, n, k, 0)
    return [[(x + Fraction(2, k)) / 3 for x in row] for row in a], b


@question
def derivable(rng: Random) -> Question:
    a, b = pair_of(rng)
    truth = oracle.is_derivable(a, b)
    return Question(
        "derive",
        {"a": Grid("x", "g", a), "b": Grid("x", "y", b)},
        lambda w: ["derive", w["a"], "--source", w["b"]],
        expects(truth),
        lambda o: (o.xdp.is_derivable(o["a"], source=o["b"]).proved, o.xdp.is_refined_by(o["b"], o["a"]).proved),
        (truth, truth),
    )


@question
def refined(rng: Random) -> Question:
    a, b = pair_of(rng)
    return Question(
        "refine",
        {"a": Grid("x", "g", a), "b": Grid("x", "y", b)},
        lambda w: ["refine", w["b"], w["a"]],
        expects(oracle.is_derivable(a, b)),
    )


@question
def refinement_order(rng: Random) -> Question:
    a, b = pair_of(rng)
    c = oracle.product(a, instances.stochastic(rng, len(a[0]), 2, 0.3)) if rng.random() < 0.5 else instances.stochastic(rng, len(a), 2, 0)
    tables = {"a": a, "b": b, "c": c}
    pairs = {(p, q) for p in tables for q in tables if p != q and oracle.is_derivable(tables[q], tables[p])}

    def check(answer: dict[str, Any]) -> str | None:
        found = {(Path(p).name[0], Path(q).name[0]) for p, q in answer["pairs"]}
        return None if found == pairs else f"pairs {sorted(found)}, by brute force {sorted(pairs)}"

    return Question(
        "refine three",
        {"a": Grid("x", "g", a), "b": Grid("x", "y", b), "c": Grid("x", "z", c)},
        lambda w: ["refine", w["a"], w["b"], w["c"]],
        check,
        lambda o: {("abc"[i], "abc"[j]) for i, j in o.xdp.refinement_order({k: o[k] for k in "abc"}).evidence.pairs},
        pairs,
    )


@question
def derivable_symbolic(rng: Random) -> Question:
    n = rng.randint(2, 3)
    a, b = instances.formulas(rng, n, 2), instances.regular_formulas(rng, n)
    return Question(
        "derive --alpha symbolic",
        {"a": Grid("x", "g", a), "b": Grid("x", "y", b)},
        lambda w: ["derive", w["a"], "--source", w["b"], "--alpha", "symbolic"],
        holds_where(lambda alpha: oracle.is_derivable(instances.at_level(a, alpha), instances.at_level(b, alpha))),
    )


@question
def derivable_formulas(rng: Random) -> Question:
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    a, b = instances.formulas(rng, n, 2), instances.formulas(rng, n, 2)
    return Question(
        "derive formulas",
        {"a": Grid("x", "g", a), "b": Grid("x", "y", b)},
        lambda w: ["derive", w["a"], "--source", w["b"], "--alpha", str(alpha)],
        expects(oracle.is_derivable(instances.at_level(a, alpha), instances.at_level(b, alpha))),
    )


# --- consumers


class Consumer:
    """A loss (or gain) as a table or a word, with a prior, side information, or neither."""

    def __init__(self, rng: Random, n: int, at: Near | None, *, words: bool = True) -> None:
        self.objects: dict[str, Any] = {}
        self.word: str | None = None
        self.option, sign = ("--gain", -1) if rng.random() < 0.15 else ("--loss", 1)
        connected = at is not None and all(d is not None for row in oracle.shortest(n, at.distances) for d in row)
        if words and at is not None and rng.random() < 0.3:
            self.word = "distance" if connected and self.option == "--loss" and rng.random() < 0.6 else "zero-one"
            far = oracle.shortest(n, at.distances)
            self.matrix = [[Fraction(far[i][g] if self.word == "distance" else int(i != g)) for g in range(n)] for i in range(n)]
            if self.option == "--gain":
                self.matrix = [[x - 1 for x in row] for row in self.matrix]
            self.axis = "x2"
        else:
            given = instances.loss(rng, n, rng.randint(2, 3))
            self.objects["loss"] = Grid("x", "g", given, stochastic=False)
            self.matrix = [[sign * x for x in row] for row in given]
            self.axis = "g"
        self.alias = {"x2": "x"}
        self.prior = self.possible = None
        kind = rng.random()
        self.uniform = False
        if kind < 0.35:
            self.prior = instances.distribution(rng, n)
            self.objects["prior"] = Weights("x", self.prior)
        elif kind < 0.45:
            self.prior, self.uniform = [Fraction(1, n)] * n, True
        elif kind < 0.65 and at is not None:
            self.possible = sorted(rng.sample(range(n), rng.randint(1, n)))
            self.objects["side"] = Subset(self.possible)
        self.over = range(n) if self.possible is None else self.possible

    def words(self, w: dict[str, str]) -> list[str]:
        found = [self.option, self.word or w["loss"]]
        if self.uniform:
            return [*found, "--prior", "uniform"]
        if self.prior is not None:
            return [*found, "--prior", w["prior"]]
        return [*found, "--side-information", w["side"]] if self.possible is not None else found

    def build(self, o: Any) -> Any:
        xdp, near = o.xdp, o.get("near")
        vertices = near.vertices if near is not None else o["m"].inputs
        if self.word == "distance":
            loss = xdp.Loss.from_distance(near)
        elif self.word == "zero-one":
            loss = xdp.Loss.zero_one(vertices)
            if self.option == "--gain":
                loss = xdp.Gain([[1 - x for x in row] for row in loss.matrix.rows()], loss.inputs, loss.guesses).as_loss()
        else:
            loss = o["loss"] if self.option == "--loss" else xdp.Gain(o["loss"].matrix, o["loss"].inputs, o["loss"].guesses).as_loss()
        if self.uniform:
            return xdp.BayesianConsumer(loss)
        if self.prior is not None:
            return xdp.BayesianConsumer(loss, o["prior"])
        return xdp.MinimaxConsumer(loss, o["side"] if self.possible is not None else None)


@question
def best_remap(rng: Random) -> Question:
    n = rng.randint(2, 3)
    at = instances.graph(rng, n) if rng.random() < 0.6 else None
    m, consumer = instances.stochastic(rng, n, rng.randint(2, 3)), Consumer(rng, n, at)
    value = oracle.least_remapped(m, consumer.matrix, consumer.prior, consumer.over)
    objects = {"m": Grid("x", "y", m), **consumer.objects} | ({"near": at} if consumer.word == "distance" else {})
    return Question(
        "remap",
        objects,
        lambda w: ["remap", w["m"], *w.get("near_words", []), *consumer.words(w)],
        expects(True, value=value),
        lambda o: o.xdp.best_remap(o["m"], consumer.build(o)).evidence.least_loss,
        value,
        alias=consumer.alias,
    )


@question
def given_remap(rng: Random) -> Question:
    n = rng.randint(2, 3)
    at = instances.graph(rng, n) if rng.random() < 0.5 else None
    m, consumer = instances.stochastic(rng, n, rng.randint(2, 3)), Consumer(rng, n, at)
    r = instances.stochastic(rng, len(m[0]), len(consumer.matrix[0]), 0.6)
    if consumer.prior is not None and rng.random() < 0.5:  # the best remap
        costs = [
            [
                sum(p * values[g] * row[y] for p, values, row in zip(consumer.prior, consumer.matrix, m, strict=True))
                for g in range(len(r[0]))
            ]
            for y in range(len(r))
        ]
        r = [[Fraction(int(g == row.index(min(row)))) for g in range(len(row))] for row in costs]
    value = oracle.least_remapped(m, consumer.matrix, consumer.prior, consumer.over)
    loss = oracle.loss_of(oracle.product(m, r), consumer.matrix, consumer.prior, consumer.over)
    objects = {"m": Grid("x", "y", m), "r": Grid("y", consumer.axis, r), **consumer.objects} | (
        {"near": at} if consumer.word == "distance" else {}
    )
    return Question(
        "remap --remap",
        objects,
        lambda w: ["remap", w["m"], *w.get("near_words", []), *consumer.words(w), "--remap", w["r"]],
        both(expects(loss == value), (expects(loss=loss, value=value) if loss != value else expects(value=value))),
        lambda o: o.xdp.is_best_remap(o["m"], consumer.build(o), o.xdp.Remap(o["r"].matrix, o["r"].inputs, o["r"].outputs)).proved,
        loss == value,
        alias=consumer.alias,
    )


@question
def optimum(rng: Random) -> Question:
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    at = instances.near(rng, n)
    consumer = Consumer(rng, n, at)
    value = oracle.optimum(at.distances, alpha, consumer.matrix, consumer.prior, consumer.over)
    return Question(
        "optimal",
        {"near": at, **consumer.objects},
        lambda w: ["optimal", *w["near_words"], "--alpha", str(alpha), *consumer.words(w)],
        expects(True, value=value),
        lambda o: o.xdp.optimum(o["near"], str(alpha), consumer.build(o)).evidence.least_loss,
        value,
        alias=consumer.alias,
    )


@question
def deployed(rng: Random) -> Question:
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    at = instances.near(rng, n)
    consumer = Consumer(rng, n, at)
    m = instances.private(rng, at, alpha, len(consumer.matrix[0]))
    value = oracle.optimum(at.distances, alpha, consumer.matrix, consumer.prior, consumer.over)
    loss = oracle.loss_of(m, consumer.matrix, consumer.prior, consumer.over)
    truth = loss == value and oracle.is_private(m, at.distances, alpha)
    return Question(
        "optimal MECHANISM",
        {"m": Grid("x", consumer.axis, m), "near": at, **consumer.objects},
        lambda w: ["optimal", w["m"], *w["near_words"], "--alpha", str(alpha), *consumer.words(w)],
        expects(truth, value=value, loss=loss),
        lambda o: (
            e := o.xdp.is_optimal(o["m"], o["near"], str(alpha), consumer.build(o)),
            e.proved,
            e.evidence.least_loss,
            e.evidence.loss,
        )[1:],
        (truth, value, loss),
        alias=consumer.alias,
    )


@question
def after_remap(rng: Random) -> Question:
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    at = instances.near(rng, n)
    consumer = Consumer(rng, n, at)
    m = instances.private(rng, at, alpha, rng.randint(2, 3))
    value = oracle.optimum(at.distances, alpha, consumer.matrix, consumer.prior, consumer.over)
    loss = oracle.least_remapped(m, consumer.matrix, consumer.prior, consumer.over)
    truth = loss == value and oracle.is_private(m, at.distances, alpha)
    return Question(
        "optimal --after-remap",
        {"m": Grid("x", "y", m), "near": at, **consumer.objects},
        lambda w: ["optimal", w["m"], *w["near_words"], "--alpha", str(alpha), *consumer.words(w), "--after-remap"],
        expects(truth, value=value, loss=loss),
        lambda o: (e := o.xdp.is_optimal_after_remap(o["m"], o["near"], str(alpha), consumer.build(o)), e.proved, e.evidence.least_loss)[
            1:
        ],
        (truth, value),
        alias=consumer.alias,
    )


@question
def optimum_symbolic(rng: Random) -> Question:
    n = rng.randint(2, 3)
    at = instances.graph(rng, n)
    consumer = Consumer(rng, n, at)
    return Question(
        "optimal --alpha symbolic",
        {"near": at, **consumer.objects},
        lambda w: ["optimal", *w["near_words"], "--alpha", "symbolic", *consumer.words(w)],
        is_function(lambda a: oracle.optimum(at.distances, a, consumer.matrix, consumer.prior, consumer.over)),
        alias=consumer.alias,
    )


@question
def remap_symbolic(rng: Random) -> Question:
    n = rng.randint(2, 3)
    m, consumer = instances.formulas(rng, n, 2), Consumer(rng, n, None)
    return Question(
        "remap --alpha symbolic",
        {"m": Grid("x", "y", m), **consumer.objects},
        lambda w: ["remap", w["m"], "--alpha", "symbolic", *consumer.words(w)],
        is_function(lambda a: oracle.least_remapped(instances.at_level(m, a), consumer.matrix, consumer.prior, consumer.over)),
        alias=consumer.alias,
    )


@question
def losses_and_leakage(rng: Random) -> Question:
    n, k = rng.randint(2, 3), rng.randint(2, 3)
    m, loss, prior = instances.stochastic(rng, n, k), instances.loss(rng, n, k), instances.distribution(rng, n)
    gain = [[abs(x) for x in row] for row in loss]
    least = oracle.uncertainty(m, loss, prior)
    most = -oracle.uncertainty(m, [[-x for x in row] for row in gain], prior)
    before = max(oracle.dot(prior, column) for column in zip(*gain, strict=True))
    objects = {"m": Grid("x", "y", m), "loss": Grid("x", "g", loss, stochastic=False), "prior": Weights("x", prior)}

    def call(o: Any) -> Any:
        xdp, given = o.xdp, o["loss"]
        g = xdp.Gain([[abs(x) for x in row] for row in given.matrix.rows()], given.inputs, given.guesses)
        return (
            xdp.uncertainty(o["m"], o["prior"], given),
            xdp.vulnerability(o["m"], o["prior"], g),
            xdp.additive_leakage(o["m"], o["prior"], g),
            xdp.utility(o["m"], o["prior"], g),
            xdp.capacity(o["m"]).evidence.value,
            sum(xdp.Hyper.of(o["m"], o["prior"]).outer, xdp.QQ(0)),
            o["m"].is_equivalent_to(o["m"]),
        )

    return Question(
        "losses and leakage", objects, call=call, expected=(least, most, most - before, most, oracle.capacity(m), Fraction(1), True)
    )


@question
def loss_as_deployed(rng: Random) -> Question:
    n, k = rng.randint(2, 3), rng.randint(2, 3)
    m, loss, prior = instances.stochastic(rng, n, k), instances.loss(rng, n, k), instances.distribution(rng, n)
    expected = oracle.loss_of(m, loss, prior, None)
    objects = {"m": Grid("x", "g", m), "loss": Grid("x", "g", loss, stochastic=False), "prior": Weights("x", prior)}
    return Question(
        "consumer.loss_of",
        objects,
        call=lambda o: o.xdp.BayesianConsumer(o["loss"], o["prior"]).loss_of(o["m"]),
        expected=expected,
    )


@question
def post_processing(rng: Random) -> Question:
    n, k, l = rng.randint(2, 3), rng.randint(2, 3), rng.randint(2, 3)
    m, r = instances.stochastic(rng, n, k), instances.stochastic(rng, k, l)
    after = oracle.product(m, r)

    def call(o: Any) -> Any:
        found = o["m"].post_process(o.xdp.Remap(o["r"].matrix, o["r"].inputs, o["r"].outputs))
        return o.cells(found.matrix, found.inputs, found.outputs, "x", "g")

    return Question(
        "post_process",
        {"m": Grid("x", "y", m), "r": Grid("y", "g", r)},
        call=call,
        expected={(i, g): after[i][g] for i in range(n) for g in range(l)},
    )


@question
def several_mechanisms(rng: Random) -> Question:
    at = instances.graph(rng, rng.randint(2, 3))
    a, b = (instances.private(rng, at, Fraction(1, 2), 2) for _ in range(2))
    both_of = [[x * y for x in p for y in q] for p, q in zip(a, b, strict=True)]

    def call(o: Any) -> Any:
        xdp = o.xdp
        return (
            xdp.tightest_level(o["a"].parallel(o["b"]), o["near"]).evidence.tightest.value,
            xdp.tightest_level(xdp.Mechanism.external_choice([o["a"], o["b"]], ["1/2", "1/2"]), o["near"]).evidence.tightest.value,
            xdp.sequential_level([o["a"], o["b"]], o["near"]).evidence.ratio,
        )

    levels = [oracle.tightest(m, at.distances)[0] for m in (both_of, [p + q for p, q in zip(a, b, strict=True)])]
    return Question(
        "several mechanisms",
        {"a": Grid("x", "y", a), "b": Grid("x", "z", b), "near": at},
        call=call,
        expected=(levels[0], levels[1], levels[0]),
    )


@question
def reconstruction(rng: Random) -> Question:
    n = rng.randint(2, 3)
    while True:
        m = instances.stochastic(rng, n, n, 0)
        if oracle.determinant(m):
            break
    q, p = instances.distribution(rng, n), instances.distribution(rng, n, 0)
    inverse = oracle.solved([list(c) for c in zip(*m, strict=True)], q)

    def call(o: Any) -> Any:
        xdp, c = o.xdp, o["m"]
        found = xdp.matrix_inversion(c, o.vector("q")), xdp.bayesian_update(c, o.vector("q"), o.vector("p"))
        gap = xdp.likelihood_gap(c, o.vector("q"), o.vector("p")).evidence.gap
        return (*(o.over("x", c.inputs, vector) for vector in found), gap)

    expected = (dict(enumerate(inverse)), dict(enumerate(oracle.update(m, q, p))), oracle.slope(m, q, p))
    return Question(
        "reconstruction",
        {"m": Grid("x", "y", m), "q": Weights("y", q), "p": Weights("x", p)},
        call=call,
        expected=expected,
        lists_follow=True,
    )


# --- graphs and priors


@question
def tight(rng: Random) -> Question:
    at, alpha = instances.near(rng, size(rng)), rng.choice(ALPHAS)
    truth = oracle.is_tight(at.size, at.distances, alpha)
    return Question(
        "tight",
        {"near": at},
        lambda w: ["tight", *w["near_argument"], "--alpha", str(alpha)],
        expects(truth),
        lambda o: o.xdp.tight_mechanism(o["near"], str(alpha)).proved,
        truth,
    )


@question
def tight_prior(rng: Random) -> Question:
    """The mechanism for the best remap: what it loses against the optimum for a prior and the loss
    zero-one.
    """
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    at = instances.graph(rng, n)
    prior = instances.distribution(rng, n)
    z = oracle.solved(oracle.phi(n, at.distances, alpha), [1] * n)
    if z is None or min(z) < 0:
        return tight_prior(rng)
    mechanism = [[x * w for x, w in zip(row, z, strict=True)] for row in oracle.phi(n, at.distances, alpha)]
    wrong = [[Fraction(int(i != g)) for g in range(n)] for i in range(n)]
    value = oracle.optimum(at.distances, alpha, wrong, prior, None)
    loss = oracle.least_remapped(mechanism, wrong, prior, None)
    return Question(
        "tight --prior",
        {"near": at, "prior": Weights("x", prior)},
        lambda w: ["tight", *w["near_argument"], "--alpha", str(alpha), "--prior", w["prior"]],
        expects(loss == value, value=value, loss=loss),
    )


@question
def tight_optimal(rng: Random) -> Question:
    """Optimal for every regular prior: the most utility is linear there, and that of a mechanism convex, so
    one prior inside decides.
    """
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    at = connected(rng, n)
    phi = oracle.phi(n, at.distances, alpha)
    z = oracle.solved(phi, [1] * n)
    if z is None or min(z) < 0:
        return tight_optimal(rng)
    m = [[x * w for x, w in zip(row, z, strict=True)] for row in phi]
    if rng.random() < 0.4:
        m = oracle.product(m, instances.stochastic(rng, n, n, 0.5))
    elif rng.random() < 0.4:
        m[0], m[1] = m[1], m[0]
    inside = [sum(row[j] / sum(row) for row in phi) / n for j in range(n)]
    wrong = [[Fraction(int(i != g)) for g in range(n)] for i in range(n)]
    truth = oracle.is_private(m, at.distances, alpha) and oracle.least_remapped(m, wrong, inside, None) == oracle.optimum(
        at.distances, alpha, wrong, inside, None
    )
    return Question(
        "tight --mechanism",
        {"m": Grid("x", "y", m), "near": at},
        lambda w: ["tight", *w["near_argument"], "--alpha", str(alpha), "--mechanism", w["m"]],
        expects(truth),
    )


@question
def levels_of_neighbours(rng: Random) -> Question:
    """Where is there a tight-constraints mechanism, and where is a prior regular?"""
    at = instances.graph(rng, rng.randint(2, 3))
    if rng.random() < 0.5:
        return Question(
            "tight --alpha symbolic",
            {"near": at},
            lambda w: ["tight", *w["near_argument"], "--alpha", "symbolic"],
            holds_where(lambda a: oracle.is_tight(at.size, at.distances, a)),
        )
    prior = instances.distribution(rng, at.size)
    return Question(
        "regular --alpha symbolic",
        {"prior": Weights("x", prior), "near": at},
        lambda w: ["regular", *w["near_argument"], "--alpha", "symbolic", "--prior", w["prior"]],
        holds_where(lambda a: oracle.is_regular(prior, at.distances, a)),
    )


@question
def regular(rng: Random) -> Question:
    at, alpha = instances.near(rng, size(rng)), rng.choice(ALPHAS)
    if rng.random() < 0.5:
        prior = instances.distribution(rng, at.size)
    else:
        y = instances.distribution(rng, at.size, 0.4)
        sums = [oracle.dot(y, column) for column in zip(*oracle.phi(at.size, at.distances, alpha), strict=True)]
        prior = [x / sum(sums) for x in sums]
    truth = oracle.is_regular(prior, at.distances, alpha)
    return Question(
        "regular",
        {"prior": Weights("x", prior), "near": at},
        lambda w: ["regular", *w["near_argument"], "--alpha", str(alpha), "--prior", w["prior"]],
        expects(truth),
        lambda o: o.xdp.is_regular(o["near"], str(alpha), o["prior"]).proved,
        truth,
    )


def connected(rng: Random, n: int) -> Near:
    while True:
        at = instances.graph(rng, n)
        if all(d is not None for row in oracle.shortest(n, at.distances) for d in row):
            return at


@question
def type_of(rng: Random) -> Question:
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    at = connected(rng, n)
    kind = rng.choice(["vertices", "kernels", "capacity"])
    if kind == "vertices":
        words, check = ["--vertices"], expects(True, count=len(oracle.posterior_vertices(n, at.distances, alpha)))
    elif kind == "kernels":
        words, check = ["--kernels"], expects(True, count=oracle.kernel_count(n, at.distances, alpha))
    else:
        words, check = ["--capacity", "multiplicative"], expects(True, value=oracle.type_capacity(n, at.distances, alpha))
    return Question(f"type --{kind}", {"near": at}, lambda w: ["type", *w["near_argument"], "--alpha", str(alpha), *words], check)


@question
def kernel_mechanism(rng: Random) -> Question:
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    at = connected(rng, n)
    vertices = oracle.posterior_vertices(n, at.distances, alpha)
    chosen = rng.sample(vertices, min(len(vertices), n))
    weights = oracle.solved([list(c) for c in zip(*chosen, strict=True)], [Fraction(1, n)] * n) if len(chosen) == n else None
    if weights is not None and min(weights) > 0:
        m = [[n * w * p[i] for w, p in zip(weights, chosen, strict=True)] for i in range(n)]
        if rng.random() < 0.3:  # two inputs exchanged: often none any more
            m[0], m[1] = m[1], m[0]
    else:
        m = instances.private(rng, at, alpha, 2)
    if not oracle.is_private(m, at.distances, alpha):
        return kernel_mechanism(rng)
    truth = oracle.is_kernel_mechanism(m, at.distances, alpha)
    return Question(
        "type --kernels --mechanism",
        {"m": Grid("x", "y", m), "near": at},
        lambda w: ["type", *w["near_argument"], "--alpha", str(alpha), "--kernels", "--mechanism", w["m"]],
        expects(truth),
        lambda o: o.xdp.is_kernel_mechanism(o["m"], o["near"], str(alpha)).proved,
        truth,
    )


@question
def universal(rng: Random) -> Question:
    """One side only: a mechanism that is optimal whatever the prior is optimal for some priors drawn here."""
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    at = connected(rng, n)
    phi = oracle.phi(n, at.distances, alpha)
    z = oracle.solved(phi, [1] * n)
    m = instances.private(rng, at, alpha, 2)
    if z is not None and min(z) >= 0 and rng.random() < 0.7:
        m = [[x * w for x, w in zip(row, z, strict=True)] for row in phi]
    if not oracle.is_private(m, at.distances, alpha):
        return universal(rng)
    wrong = [[Fraction(int(i != g)) for g in range(n)] for i in range(n)]
    priors = [instances.distribution(rng, n) for _ in range(4)]
    serves = all(
        oracle.least_remapped(m, wrong, prior, None) == oracle.optimum(at.distances, alpha, wrong, prior, None) for prior in priors
    )

    def check(answer: dict[str, Any]) -> str | None:
        return "proved, and not optimal for some prior" if answer["verdict"] == "proved" and not serves else None

    return Question(
        "type --universal --mechanism",
        {"m": Grid("x", "y", m), "near": at},
        lambda w: ["type", *w["near_argument"], "--alpha", str(alpha), "--universal", "zero-one", "--mechanism", w["m"], "--tries", "30"],
        check,
        undecided=True,
    )


@question
def mixture(rng: Random) -> Question:
    """Every private mechanism is a post-processing of a mixture of kernel mechanisms."""
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    at = connected(rng, n)
    m = instances.private(rng, at, alpha, 2)
    if not oracle.is_private(m, at.distances, alpha):
        return mixture(rng)
    return Question(
        "type --mixture --mechanism",
        {"m": Grid("x", "y", m), "near": at},
        lambda w: ["type", *w["near_argument"], "--alpha", str(alpha), "--mixture", "--mechanism", w["m"]],
        expects(True),
    )


@question
def determinant(rng: Random) -> Question:
    """Rows and columns have the same labels; else the order of the rows would decide the sign."""
    n, alpha = rng.randint(2, 3), rng.choice(ALPHAS)
    table = [[rng.choice(instances.PARTS) for _ in range(n)] for _ in range(n)]
    entries = [[Formula(text, value) for text, value in row] for row in table]
    expected = oracle.determinant(instances.at_level(entries, alpha))
    return Question(
        "determinant",
        {"m": Grid("x", "x2", entries, stochastic=False)},
        lambda w: ["determinant", "--matrix", w["m"], "--alpha", str(alpha)],
        expects(True, value=expected),
        alias={"x2": "x"},
    )
