# SPDX-License-Identifier: MIT
"""Questions of every kind, each beside others that differ in one thing: what a row may be taken for."""

from __future__ import annotations

import json
from functools import cache
from itertools import product

from exactdp.sweeps.agreement import Row
from exactdp.sweeps.asking import answered
from exactdp.sweeps.question import Question
from exactdp.sweeps.store import sizes_of

HALF = {"graph": "path:3", "level": "1/2"}
PATH = HALF | {"loss": "abs", "consumer": "uniform"}
OF = {"mechanism": "geometric:n=2"}
OTHER_GRAPHS = ("complete:3", 'edges:[["0","1"],["0","2"]]', 'edges:[["a","b"],["b","c"]]')
OTHER_LEVELS = ("1/3", "epsilon=1", "epsilon=2", "epsilon=1/10")
OTHER_LOSSES = ("zero-one", "squared", "squared-distance")
OTHER_CONSUMERS = ("minimax", "minimax:0..1", "1/2,1/4,1/4", "1/4,1/4,1/2")
OTHER_MECHANISMS = ("uniform:n=2", "geometric:n=2,alpha=3/4", "geometric:n=2,epsilon=1/10", "geometric:n=2,epsilon=1/20")
TOO_PUBLIC = ("geometric:n=2,alpha=1/5", "geometric:n=2,epsilon=2", "identity:n=2")

TABLE = 'table:[null,null,[["1/2","1/4","1/4"],["1/4","1/2","1/4"],["1/4","1/4","1/2"]]]'
WRONG = 'table:[null,null,[["1/2","1/4","1/4"],["1/4","1/2","1/2"],["1/4","1/4","1/2"]]]'
"""A table, and one that is no mechanism."""


def varied(ask: str, base: dict[str, str], **others: tuple[str, ...]) -> list[tuple[str, dict[str, str]]]:
    """A question, and for each other word the question with this word."""
    return [(ask, base), *((ask, base | {name: word}) for name, words in others.items() for word in words)]


def bipartite(n: int) -> str:
    """Each of n vertices beside each of n others; at the level 1/(n − 1) the matrix Φ is singular."""
    return "edges:" + json.dumps([[str(i), str(n + j)] for i in range(n) for j in range(n)], separators=(",", ":"))


LABELLED = ("complete:3", "star:3")
"""Graphs on 0, 1, 2: losses such as |i − r| have no other labels."""

PROBLEM = {"graph": LABELLED, "level": OTHER_LEVELS, "loss": OTHER_LOSSES[:2], "consumer": OTHER_CONSUMERS}
ASKED = [
    *varied("optimum", PATH, **PROBLEM),
    *varied("optimum", PATH | {"graph": "cycle:4"}, loss=OTHER_LOSSES[2:]),
    *varied("optimum", PATH | {"graph": 'edges:[["a","b"],["b","c"]]', "loss": "zero-one"}),
    *varied("optimum", PATH | {"level": "symbolic", "graph": "path:2"}, consumer=("minimax",)),
    *varied("optimum", PATH | {"level": "symbolic", "loss": "zero-one"}, graph=("complete:3",)),
    *varied("unique", PATH | {"loss": "squared"}, graph=LABELLED, level=OTHER_LEVELS[:1], consumer=OTHER_CONSUMERS),
    *varied("unique", PATH, loss=("zero-one",)),
    *varied("optimal", PATH | OF, **PROBLEM, mechanism=(*OTHER_MECHANISMS, *TOO_PUBLIC)),
    *varied("optimal-after-remap", PATH | OF, **PROBLEM, mechanism=(*OTHER_MECHANISMS, TOO_PUBLIC[0])),
    *varied("remap", PATH | OF, level=OTHER_LEVELS, loss=OTHER_LOSSES[:2], consumer=OTHER_CONSUMERS, mechanism=OTHER_MECHANISMS),
    *varied("privacy", HALF | OF, graph=LABELLED, level=OTHER_LEVELS, mechanism=(*OTHER_MECHANISMS, *TOO_PUBLIC)),
    *varied("privacy", HALF | OF | {"mechanism": "geometric:n=2,alpha=1/2"}, level=("epsilon=1/10", "epsilon=1")),
    *varied("audit", HALF | {"mechanism": TABLE}, graph=LABELLED, level=OTHER_LEVELS, mechanism=(*TOO_PUBLIC[:2], WRONG)),
    *varied("tightest-level", HALF | OF, graph=LABELLED, level=OTHER_LEVELS, mechanism=OTHER_MECHANISMS),
    *varied("tightest-level", {"graph": "path:3", "mechanism": "geometric:n=2,alpha=a"}),
    *varied("tightest-level", {"graph": "euclid:2x2", "mechanism": "geometric:n=3,alpha=1/3"}),
    *varied("derivable", {"level": "1/2", "mechanism": "geometric:n=2", "source": "geometric:n=2,alpha=1/3"}, source=OTHER_MECHANISMS),
    *varied("derivable", {"level": "1/2", "mechanism": "geometric:n=2,alpha=1/3", "source": "geometric:n=2"}, mechanism=OTHER_MECHANISMS),
    *varied("tight", HALF, graph=(*OTHER_GRAPHS, "star:3", "star:4"), level=OTHER_LEVELS),
    *varied("tight", {"graph": "euclid:2x2", "level": "epsilon=1"}, level=("epsilon=2",), graph=("euclid:2x3",)),
    *varied("tight", {"graph": "star:4", "level": "2/3"}, graph=("star:5",), level=("3/4", "symbolic")),
    *varied("tight", {"graph": "star:5", "level": "symbolic"}),
    *varied("tight-unique", HALF, graph=(*OTHER_GRAPHS, "star:3"), level=OTHER_LEVELS[:2]),
    *((("tight-unique", {"graph": bipartite(n), "level": f"1/{n - 1}"})) for n in (3, 4)),
    *varied("universal", HALF | {"loss": "abs"}, graph=("path:4",), level=OTHER_LEVELS, loss=OTHER_LOSSES[:2]),
    *varied("universal", {"graph": "cycle:3", "level": "1/2", "loss": "zero-one"}, graph=("cycle:4",), level=("1/3", "epsilon=1")),
    *varied("universal", {"graph": "star:4", "level": "symbolic", "loss": "zero-one"}, graph=("path:3", "path:2")),
    *varied("universal", {"graph": "path:2", "level": "1/2", "loss": "zero-one"}, mechanism=("uniform:n=1", "geometric:n=1,alpha=3/4")),
    *varied("universal", HALF | {"loss": "abs", "mechanism": "uniform:n=2"}, loss=("zero-one",), level=("1/3",)),
    *varied("capacity-multiplicative", HALF, graph=OTHER_GRAPHS, level=(*OTHER_LEVELS, "symbolic")),
    *varied("capacity-additive", HALF, graph=OTHER_GRAPHS, level=(*OTHER_LEVELS, "symbolic")),
    *varied("vertices", HALF, graph=OTHER_GRAPHS, level=OTHER_LEVELS),
    *varied("kernels", HALF, graph=OTHER_GRAPHS, level=(*OTHER_LEVELS[:2], "symbolic")),
]
"""What is asked."""


def row_of(answer: object) -> Row:
    """The row that an index has of an answer."""
    words = json.loads(answer.question)
    words |= sizes_of(words.get("graph", ""))
    about = tuple(str(words.get(name, "")) for name in ("ask", *Question.__slots__[1:], "inputs", "edges"))
    size = str(len(answer.certificate.encode()))
    return Row(answer.question, answer.verdict, answer.value, answer.kind, answer.lower, answer.upper, about, size, answer.claim)


@cache
def corpus() -> tuple[tuple[Row, dict], ...]:
    """Each row with its certificate."""
    found = []
    for ask, fields in ASKED:
        answer = answered(Question(ask, **fields).text, 60)
        assert answer.certificate, answer
        found.append((row_of(answer), json.loads(answer.certificate)))
    return tuple(found)


def theorem(certificate: dict) -> str:
    """The claim and its definitions as text: what is proved, without the witness."""
    return json.dumps([certificate["claim"], certificate["definitions"]], sort_keys=True)


def renamed(certificate: dict) -> dict:
    """The same theorem with every definition under another name."""
    names = {name: f"z{k}" for k, name in enumerate(certificate["definitions"])}

    def within(value: object) -> object:
        if isinstance(value, dict):
            return {key: item if key in ("kind", "capacity", "type") else within(item) for key, item in value.items()}
        if isinstance(value, list):
            return [within(item) for item in value]
        return names.get(value, value) if isinstance(value, str) else value

    definitions = {names[name]: definition for name, definition in certificate["definitions"].items()}
    return certificate | {"claim": within(certificate["claim"]), "definitions": definitions}


def pairs() -> list[tuple[int, int]]:
    """All pairs of a row and a certificate, by number."""
    return list(product(range(len(corpus())), repeat=2))
