# SPDX-License-Identifier: MIT
"""The memory that the checker announces is at least what it takes, and for optima no more than three times
as much.

What it takes is the peak of Python's allocations after the file has been read and its digest compared.
Reading is bounded by the limits of bytes and tokens. So is the digest of the definitions in the sentence,
which takes twice their text at the end.
"""

from __future__ import annotations

import gc
import json
import random
import tracemalloc
from dataclasses import dataclass
from itertools import combinations
from math import gcd

import pytest
from certificate_pool import seal, text_of

import exactdp as xdp
from exactdp.checker import arithmetic, compact, kernel, limits, matrices, reader

SMALL = 40_000
"""Bytes that a file may take whatever its size: names, sentences, the objects of a claim."""


@dataclass(frozen=True)
class Memory:
    """Bytes: what was announced, what was taken, and what the text may take."""

    status: str
    announced: float
    taken: int
    text: int


@pytest.fixture
def memory(monkeypatch):
    """A function that checks a certificate's text and tells its memory."""
    pytest.importorskip("highspy")  # exact pivots alone take minutes for what is checked here
    seen = {"announced": 0, "before": 0}
    within, digest_of = limits.within, kernel.digest_of

    def watched(limit, figure):
        if limit == "memory":
            seen["announced"] = max(seen["announced"], figure)
        within(limit, figure)

    def digested(certificate):
        digest = digest_of(certificate)
        tracemalloc.reset_peak()
        seen["before"], _ = tracemalloc.get_traced_memory()
        return digest

    def measured(text):
        for name in kernel.BESIDE:
            kernel.beside(name)
        data = text.encode()
        seen["announced"] = 0
        gc.collect()
        tracemalloc.start()
        answer = kernel.check_bytes(data)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        # a number of Python has 30 bits in each 32
        return Memory(answer.status, seen["announced"] / 8 * 16 / 15, peak - seen["before"], 2 * len(data))

    monkeypatch.setattr(limits, "within", watched)
    monkeypatch.setattr(kernel, "digest_of", digested)
    return measured


def sparse(m, seed=1):
    """A random tree, each vertex joined to one of the four before it, with m/2 random chords."""
    rng = random.Random(seed)
    edges = {(max(0, j - 1 - rng.randrange(4)), j) for j in range(1, m)}
    while len(edges) < m - 1 + m // 2:
        edges.add(tuple(sorted(rng.sample(range(m), 2))))
    return xdp.Graph([str(i) for i in range(m)], sorted(edges))


def table(graph, seed=5):
    rng = random.Random(seed)
    return xdp.Loss([[rng.randrange(1001) for _ in graph.vertices] for _ in graph.vertices], graph.vertices, graph.vertices)


def random_prior(graph):
    parts = [random.Random(2).randint(1, 1000) + i for i, _ in enumerate(graph.vertices)]
    return xdp.Prior([xdp.Rational(p, sum(parts)) for p in parts], graph.vertices)


QUESTIONS = {
    "optimal, distance": lambda g: xdp.optimum(g, "1/2", xdp.MinimaxConsumer(xdp.Loss.from_distance(g))),
    "optimal, table": lambda g: xdp.optimum(g, "9/10", xdp.MinimaxConsumer(table(g))),
    "optimal, prior": lambda g: xdp.optimum(g, "3/10", xdp.BayesianConsumer(table(g), random_prior(g))),
    "two optima, or one": lambda g: xdp.is_optimum_unique(g, "1/2", xdp.BayesianConsumer(table(g), random_prior(g))),
    "two optima, zero-one": lambda g: xdp.is_optimum_unique(g, "1/2", xdp.MinimaxConsumer(xdp.Loss.zero_one(g.vertices))),
}


@pytest.mark.parametrize("m", [14, 20])
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_an_optimum_of_a_graph_takes_what_is_announced(memory, question, m):
    found = memory(xdp.certify(question(sparse(m))).to_json())
    assert found.status == "accepted"
    assert found.taken <= found.announced + SMALL
    assert found.announced <= 3 * found.taken


def test_a_smaller_announcement_would_be_noticed(memory, monkeypatch):
    certificate, keep = xdp.certify(QUESTIONS["optimal, distance"](sparse(24))).to_json(), limits.keep
    for module in (arithmetic, compact, matrices, reader):
        monkeypatch.setattr(module, "keep", lambda numbers, bits: keep(numbers // 10, bits))
    found = memory(certificate)
    assert found.status == "accepted"
    assert found.taken > found.announced + SMALL


def test_long_levels_and_powers_are_announced(memory):
    """Points of a line, far from each other: the powers of the level are long, and so are the equations."""
    places = [0, 1, 7, 19, 20, 33, 50, 64, 65, 81]
    near = xdp.Metric([str(x) for x in places], [(i, j, y - x) for j, y in enumerate(places) for i, x in enumerate(places[:j])])
    found = memory(xdp.certify(xdp.optimum(near, "9999/10000", xdp.MinimaxConsumer(xdp.Loss.zero_one(near.vertices)))).to_json())
    assert found.status == "accepted"
    assert found.taken <= found.announced + SMALL


@pytest.mark.parametrize("loss", ["abs", "table"])
def test_an_optimum_of_a_path_takes_what_is_announced(memory, loss):
    path = xdp.neighbours("path:24")
    consumer = xdp.MinimaxConsumer(xdp.Loss.absolute(path.vertices) if loss == "abs" else table(path))
    found = memory(xdp.certify(xdp.optimum(path, "1/3", consumer)).to_json())
    assert found.status == "accepted"
    assert found.taken <= found.announced + SMALL


@pytest.mark.parametrize(("height", "width", "bits", "listed"), [(100, 40, 3, 0), (40, 50, 60, 0), (30, 30, 900, 0), (500, 4, 3, 1)])
def test_a_matrix_takes_what_is_announced(memory, height, width, bits, listed):
    """Rows with a denominator each, dense or with few entries listed."""
    rng = random.Random(1)
    inputs = [str(i) for i in range(height)]

    def row():
        at = sorted(rng.sample(range(width), listed)) if listed else range(width)
        numerators = [rng.getrandbits(bits) + 1 for _ in at]
        divisor = gcd(*numerators)
        return {
            "den": str(sum(numerators) // divisor),
            **({"at": at} if listed else {}),
            "num": [str(x // divisor) for x in numerators],
        }

    certificate = {
        "format": "exactdp-certificate",
        "version": "0.1",
        "claim": {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"},
        "definitions": {
            "M": {
                "type": "mechanism",
                "inputs": inputs,
                "outputs": [str(i) for i in range(width)],
                # few rows that differ: the least common denominator stays below ten thousand bits
                "rows": [rows[i % len(rows)] for rows in [[row() for _ in range(10)]] for i in range(height)],
            },
            "N": {"type": "graph", "vertices": inputs, "edges": []},
        },
        "witness": {},
    }
    found = memory(text_of(seal(json.loads(json.dumps(certificate)))))
    assert found.status == "accepted"
    assert found.taken <= found.announced + found.text + SMALL + 400 * height  # with the inputs, twice


def numerators(count):
    """x_6 of six letters is a number of two million bits, in 18 characters."""
    last = ["0", "1"]
    for _ in range(5):
        last = [last]
    region = {"type": "region", "letters": list("abcdef"), "positive": [last], "nonnegative": [], "inside": ["1"] * 6}
    rows = [{"den": "1", "num": [last] * count}]
    return {"R": region, "T": {"type": "table", "inputs": ["0"], "outputs": [str(i) for i in range(count)], "rows": rows}}


def powers(count):
    """a^500000, a^500001, … are the powers of ten distances."""
    pairs = [[i, j, str(500_000 + 10 * i + j)] for i, j in combinations(range(10), 2)][:count]
    near = {"type": "distances", "vertices": [str(i) for i in range(10)], "pairs": pairs}
    return {"N": near, "a": {"type": "parameter", "interval": {"above": "0", "below": "1"}}}


def scores(count):
    """A long weight, and what many guesses cost at many outputs."""
    outputs = [str(i) for i in range(count)]
    return {
        "a": {"type": "parameter", "interval": {"above": "0", "below": "1"}},
        "M": {"type": "mechanism", "inputs": ["0", "1"], "outputs": outputs, "rows": [{"den": str(count), "num": ["1"] * count}] * 2},
        "L": {"type": "loss", "inputs": ["0", "1"], "guesses": outputs, "rows": [{"den": "1", "num": ["1"] * count}] * 2},
    }


def dense(symbol, count):
    """1 + x + … + x^(count − 1) in the symbol x."""
    powers = ["1"] * count
    for _ in range(symbol):
        powers = [powers]
    return powers


def guessed(m, prior, losses, value, potentials):
    """Nobody is a neighbour: the truth is best; a slack is a weight times a loss, less a potential."""
    labels = [str(i) for i in range(m)]
    rows = [{"den": "1", "num": [losses] * m}] * m
    loss = {"type": "loss", "inputs": labels, "guesses": labels, "rows": rows}
    definitions = {
        "t": {"type": "exponential", "rate": "1/10", "roots": [1, 2, 3]},
        "N": {"type": "graph", "vertices": labels, "edges": []},
        "L": loss,
    }
    consumer = {"type": "bayesian", "loss": "L", "prior": prior}
    claim = {"kind": "optimal", "neighbours": "N", "level": "1/2", "consumer": consumer, "value": value}
    truth = [{"den": "1", "at": [i], "num": ["1"]} for i in range(m)]
    return definitions, claim, {"primal": {"rows": truth}, "dual": {"potentials": potentials, "edges": []}}


def products():
    """Slacks with as many terms as a weight, a loss and a denominator of potentials have triples of them."""
    prior = {"den": ["10"] * 20, "num": [dense(0, 20)] * 10}
    return guessed(10, prior, dense(1, 20), {"num": dense(1, 20), "den": "1"}, {"den": dense(2, 20), "num": ["0"] * 10})


def copies():
    """Slacks with all the terms of one denominator."""
    prior = {"den": "40", "num": ["1"] * 40}
    return guessed(40, prior, "1", "1", {"den": dense(0, 1000), "num": ["0"] * 40})


def multiplied():
    """Only multipliers put the terms of the level's denominator on slacks."""
    pairs = [(i, j) for i, j in combinations(range(40), 2)]
    prior = {"den": "1", "at": [0], "num": ["1"]}
    definitions, claim, witness = guessed(40, prior, "0", "0", {"den": "1", "at": [], "num": []})
    definitions["N"]["edges"] = pairs
    claim["level"] = {"num": "1", "den": dense(0, 200)}
    witness["primal"] = {"rows": [{"den": "1", "at": [0], "num": ["1"]}] * 40}
    witness["dual"]["edges"] = [{"den": "1", "at": [(7 * i + j) % 40], "num": ["1"]} for i, j in pairs]
    return definitions, claim, witness


LONG = "3" * 15_000
WEIGHTS = {"den": [LONG, "1"], "num": [[LONG[:-1] + "2", "1"], "1"]}
LETTERS = {
    "numerators": (numerators(200), {"kind": "not-stochastic", "table": "T"}, {"row": 0}),
    "powers": (
        powers(10),
        {"kind": "tight", "neighbours": "N", "level": {"num": ["0", "1"], "den": "1"}},
        {"diagonal": {"den": "1", "num": ["1"] * 10}},
    ),
    "scores": (
        scores(60),
        {"kind": "optimal-remap", "mechanism": "M", "consumer": {"type": "bayesian", "loss": "L", "prior": WEIGHTS}, "value": "1"},
        {"remap": [{"den": "1", "at": [0], "num": ["1"]}] * 60},
    ),
    "products": products(),
    "copies": copies(),
    "multiplied": multiplied(),
}


@pytest.mark.parametrize("name", LETTERS)
def test_short_files_with_letters_take_no_more_than_the_limit(memory, monkeypatch, name):
    definitions, claim, witness = LETTERS[name]
    content = {"format": "exactdp-certificate", "version": "0.2", "claim": claim, "definitions": definitions, "witness": witness}
    monkeypatch.setitem(kernel.LIMITS, "memory", 2**26)
    found = memory(text_of(seal(json.loads(json.dumps(content)))))
    assert found.status == "limit"
    assert found.taken < 2 * 2**26 // 8


@pytest.mark.slow
def test_the_optimum_of_a_large_graph_is_confirmed():
    """With 150 inputs and a random table: numbers of two thousand bits, a file of 20 MB."""
    graph = sparse(150)
    answer = xdp.verify(xdp.certify(xdp.optimum(graph, "1/2", xdp.MinimaxConsumer(table(graph)))))
    assert answer.accepted, answer.sentence
