# SPDX-License-Identifier: MIT
"""Claims over a region of letters (SPEC §2.2), by the proved checker and by the checker.

The certificates are written here, with proofs worked out by hand; sympy multiplies nothing but brings
polynomials to their coefficients. Then each is made false, and edited at random: neither checker accepts what
the other rejects. What the proved checker does not find it does not decide.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sympy
from certificate_pool import certificate, seal, text_of
from proved_checker import EDPCHECK, needs_edpcheck
from random_edits import edited

from exactdp.checker import check_bytes

EDITS = int(os.environ.get("EXACTDP_EDITS", "600"))


def nested(text: str, letters: str = "p q") -> Any:
    """A polynomial as the format writes it: the coefficients of the first letter, in the next letters."""
    symbols = sympy.symbols(letters.split())

    def listed(value: sympy.Expr, left: list[sympy.Symbol]) -> Any:
        if value.is_Integer:
            return str(value)
        coefficients = list(reversed(sympy.Poly(value, left[0]).all_coeffs()))
        return [listed(sympy.expand(c), left[1:]) for c in coefficients]

    return listed(sympy.expand(sympy.sympify(text)), symbols)


def vector(*entries: str, den: str = "1") -> dict[str, Any]:
    return {"den": nested(den), "num": [nested(x) for x in entries]}


def table(*rows: dict[str, Any], kind: str = "mechanism") -> dict[str, Any]:
    labels = [[str(i) for i in range(n)] for n in (len(rows), len(rows[0]["num"]))]
    return {"type": kind, "inputs": labels[0], "outputs": labels[1], "rows": list(rows)}


def region(positive: str, nonnegative: str = "", letters: str = "p q", inside: str = "", at: str = "") -> dict[str, Any]:
    return {
        "type": "region",
        "letters": letters.split(),
        "positive": [nested(x, letters) for x in positive.split(", ")],
        "nonnegative": [nested(x, letters) for x in nonnegative.split(", ") if x],
        **({"inside": inside.split()} if inside else {"at": at.split()}),
    }


def terms(*parts: str) -> list[dict[str, Any]]:
    """A leaf: of each term its number and, after it, its facts (k^e), or a square in brackets."""
    found = []
    for part in parts:
        number, *rest = part.split(" ")
        squares = [nested(x[1:-1]) for x in rest if x[0] == "["]
        powers = [[int(y) for y in (x.split("^") if "^" in x else (x, "1"))] for x in rest if x[0] != "["]
        found.append({"times": number, "powers": powers, **({"square": squares[0]} if squares else {})})
    return found


def lemma(polynomial: str, *steps: Any, sign: str = "positive") -> dict[str, Any]:
    return {"polynomial": nested(polynomial), "sign": sign, "proof": list(steps)}


def set_in(body: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Another value at a path such as ``witness.signs.0``; sealed."""
    result = copy.deepcopy(body)
    *steps, last = [int(x) if x.isdigit() else x for x in path.split(".")]
    place = result
    for step in steps:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return seal(result)


PATH = {"type": "path", "vertices": 2}
TWO = region("p, q, 1 - 2*p, 1 - 2*q", inside="1/4 1/3")
ROWS = table(vector("1 - p", "p"), vector("q", "1 - q"))
LEVEL = {"num": nested("p*q"), "den": "1"}
FLIP = [vector("1 - q", "q"), vector("q", "1 - q")]

# Two inputs, zero-one loss: random response x with x_10 = a x_00 and x_01 = a x_11 is best for the prior
# (1 - w, w) where w >= a (1 - w) and 1 - w >= a w. These numbers over 1 - a^2 multiply the two equations: all
# costs are 0.
AW = region("a, 1 - a, w, 1 - w", "w + a*w - a, 1 - w - a*w", letters="a w", inside="1/4 1/2")


def over(den: str, *entries: str) -> dict[str, Any]:
    return {"den": nested(den, "a w"), "num": [nested(x, "a w") for x in entries]}


BEST = certificate(
    {
        "kind": "optimal",
        "neighbours": "N",
        "level": {"num": nested("a", "a w"), "den": "1"},
        "consumer": {"type": "bayesian", "loss": "L", "prior": over("1", "1 - w", "w")},
        "value": {"num": nested("a", "a w"), "den": nested("1 + a", "a w")},
        "mechanism": "M",
    },
    {"L": {"type": "zero-one-loss", "n": 1}, "M": table(over("1 + a", "1", "a"), over("1 + a", "a", "1")), "N": PATH, "F": AW},
    {
        "dual": {
            "potentials": over("1 - a**2", "a*(w + a*w - a)", "a*(1 - w - a*w)"),
            "edges": [over("1 - a**2", "-(w + a*w - a)", "1 - w - a*w")],
        },
        "signs": [
            {"polynomial": nested("1 + a", "a w"), "sign": "positive", "proof": [terms("1", "1 0")]},
            {"polynomial": nested("1 - a**2", "a w"), "sign": "positive", "proof": [terms("1 1 6")]},
        ],
    },
)
WORST = certificate(
    {
        "kind": "optimal",
        "neighbours": "N",
        "level": {"num": nested("a", "a w"), "den": "1"},
        "consumer": {"type": "minimax", "loss": "L", "side_information": [0, 1]},
        "value": {"num": nested("a*w", "a w"), "den": nested("1 + a", "a w")},
    },
    {
        "L": {"type": "loss", "inputs": ["0", "1"], "guesses": ["0", "1"], "rows": [over("1", "0", "w"), over("1", "w", "0")]},
        "N": PATH,
        "F": region("a, 1 - a, w", letters="a w", inside="1/4 7"),
    },
    {
        "primal": {"rows": [over("1 + a", "1", "a"), over("1 + a", "a", "1")]},
        "dual": {
            "weights": {"den": "2", "num": ["1", "1"]},
            "potentials": over("2 + 2*a", "a*w", "a*w"),
            "edges": [over("2 + 2*a", "-w", "w")],
        },
        "signs": [{"polynomial": nested("1 + a", "a w"), "sign": "positive", "proof": [terms("1", "1 0")]}],
    },
)

# Guessing by a coin, with letters as in BEST: its loss is 1/2, for every prior.
COIN = certificate(
    {
        **{key: BEST["claim"][key] for key in ("neighbours", "level", "consumer", "value", "mechanism")},
        "kind": "not-optimal",
        "loss": "1/2",
        "gap": {"num": nested("1 - a", "a w"), "den": nested("2 + 2*a", "a w")},
    },
    {**BEST["definitions"], "M": table({"den": "2", "num": ["1", "1"]}, {"den": "2", "num": ["1", "1"]})},
    {**BEST["witness"], "primal": {"rows": [over("1 + a", "1", "a"), over("1 + a", "a", "1")]}},
)

# Where q < p and p + q < 1 the ratio q/(1 - p) is the smallest.
LOWER = region("q, p - q, 1 - p - q", inside="1/3 1/4")
ORDERED = [
    lemma("1 - p", terms("1 2", "1 0")),
    lemma("p", terms("1 1", "1 0")),
    lemma("1 - q", terms("1 2", "1 1", "1 0")),
    lemma("1 - p + q", terms("1 2", "2 0")),
]
LARGEST = certificate(
    {"kind": "level", "mechanism": "M", "neighbours": "N", "ratio": {"num": nested("q"), "den": nested("1 - p")}, "distance": "1"},
    {"M": ROWS, "N": PATH, "F": LOWER},
    {"pair": [1, 0], "output": 0, "signs": ORDERED},
)
FLATTER = certificate(
    {"kind": "not-derivable", "source": "A", "target": "B"},
    {
        "A": table(vector("1 - p", "p"), vector("p", "1 - p")),
        "B": table(vector("1 - q", "q"), vector("q", "1 - q")),
        "F": region("q, p - q, 1 - 2*p", inside="1/3 1/4"),
    },
    {
        "separator": [{"den": "1", "num": ["1", "-1"]}, {"den": "1", "num": ["-1", "1"]}],
        "signs": [lemma("p", terms("1 1", "1 0")), lemma("1 - p", terms("1 2", "1 3")), lemma("1 - q", terms("1 2", "1 3", "1 1"))],
    },
)

TRUE: dict[str, dict[str, Any]] = {
    "not-optimal": COIN,
    "level": LARGEST,
    "level, a distance of 2": set_in(
        set_in(LARGEST, "claim.distance", "2"), "definitions.N", {"type": "distances", "vertices": ["0", "1"], "pairs": [[0, 1, "2"]]}
    ),
    "not-derivable": FLATTER,
    "optimal, a prior": BEST,
    "optimal, the worst input": WORST,
    # p q < 1/4 is far below p, q, 1 - p and 1 - q
    "private": certificate(
        {"kind": "private", "mechanism": "M", "neighbours": "N", "level": LEVEL},
        {"M": ROWS, "N": PATH, "F": TWO},
        {
            "signs": [
                lemma("1 - p", terms("1 2", "1 0")),
                lemma("1 - q", terms("1 3", "1 1")),
                lemma("1 - p*q", terms("1 2", "1 0", "1 0 5")),
                lemma("1 - q + q**2", terms("1 3", "1 1", "1 1^2")),
                lemma("1 - p + p**2", terms("1 2", "1 0", "1 0^2")),
                lemma("1 - p - p*q**2", terms("1 2", "1 0 3", "1 0 1", "1 0 1 3", "1 0 1^2")),
                lemma("1 - q - p**2*q", terms("1 3", "1 1 2", "1 0 1", "1 0 1 2", "1 0^2 1")),
            ]
        },
    ),
    "not-private": certificate(
        {"kind": "not-private", "mechanism": "M", "neighbours": "N", "level": "1/2"},
        {"M": ROWS, "N": PATH, "F": region("p, q, 1 - p - 2*q", inside="1/4 1/4")},
        {"pair": [1, 0], "output": 0, "signs": [lemma("1 - p", terms("1 2", "2 1")), lemma("1 - q", terms("1/2 0", "1/2", "1/2 2"))]},
    ),
    # 1 - 2 p q > 0 where p + q < 1, since 2 p q <= (p + q)^2/2
    "not-stochastic, an entry": certificate(
        {"kind": "not-stochastic", "table": "T"},
        {"T": table(vector("2*p*q - 1", "2 - 2*p*q"), kind="table"), "F": region("p, q, 1 - p - q", inside="1/4 1/4")},
        {"row": 0, "column": 0, "signs": [lemma("1 - 2*p*q", terms("1 2", "1 0 2", "1 0^2", "1 1 2", "1 1^2"))]},
    ),
    "not-stochastic, a sum": certificate(
        {"kind": "not-stochastic", "table": "T"},
        {"T": table(vector("p**2 + q**2", "1 - p*q"), kind="table"), "F": region("p, q, 1 - p, 1 - q", inside="1/4 1/4")},
        {"row": 0, "signs": [lemma("p**2 - p*q + q**2", terms("1 [p-q]", "1 0 1"))]},
    ),
    "derivable": certificate(
        {"kind": "derivable", "source": "A", "target": "B"},
        {
            "A": table(vector("1 - p", "p"), vector("p", "1 - p")),
            "B": table(vector("1 - p - q + 2*p*q", "p + q - 2*p*q"), vector("p + q - 2*p*q", "1 - p - q + 2*p*q")),
            "F": region("p, 1 - p", "q, 1 - q", inside="1/4 1/4"),
        },
        {
            "remap": FLIP,
            "signs": [
                lemma("1 - p - q + 2*p*q", terms("1 1 3", "1 0 2"), sign="nonnegative"),
                lemma("p + q - 2*p*q", terms("1 0 3", "1 1 2"), sign="nonnegative"),
            ],
        },
    ),
    "a split": certificate(
        {"kind": "not-stochastic", "table": "T"},
        {"T": table(vector("p**2 + q**2 - p*q + 1"), kind="table"), "F": region("p, q", inside="1/4 1/4")},
        {
            "row": 0,
            "signs": [
                lemma("p**2 + q**2 - p*q", {"split": nested("p - q")}, terms("1 0 2", "1 1^2"), terms("1 1 2", "1 0^2")),
            ],
        },
    ),
    "two splits": certificate(
        {"kind": "not-stochastic", "table": "T"},
        {"T": table(vector("(p - q)**2*p + p*q + 1"), kind="table"), "F": region("p, q", inside="1/4 1/4")},
        {
            "row": 0,
            "signs": [
                lemma(
                    "(p - q)**2*p + p*q",
                    {"split": nested("p - q")},
                    {"split": nested("2*p - q")},
                    terms("1 0 2^2", "1 0 1"),
                    terms("1 0 [p-q]", "1 0 1"),
                    terms("1 0 2^2", "1 0 1"),
                )
            ],
        },
    ),
    "one point": certificate(
        {"kind": "not-private", "mechanism": "M", "neighbours": "N", "level": "1/2"},
        {"M": ROWS, "N": PATH, "F": region("p, q", "1 - p - 3*q", at="1/4 1/4")},
        {"pair": [1, 0], "output": 0},
    ),
    "one point, private": certificate(
        {"kind": "private", "mechanism": "M", "neighbours": "N", "level": {"num": nested("p"), "den": nested("1 - p")}},
        {"M": ROWS, "N": PATH, "F": region("p, q, 1 - 2*p", at="1/3 1/3")},
        {},
    ),
    "three letters": certificate(
        {"kind": "not-stochastic", "table": "T"},
        {
            "T": {
                "type": "table",
                "inputs": ["x"],
                "outputs": ["y"],
                "rows": [{"den": nested("a*b*c", "a b c"), "num": [nested("a*b*c + 2*a*b + b*c**2", "a b c")]}],
            },
            "F": region("a, b, c", letters="a b c", inside="1 2 3"),
        },
        {"row": 0, "signs": [{"polynomial": nested("2*a + c**2", "a b c"), "sign": "positive", "proof": [terms("2 0", "1 2^2")]}]},
    ),
    "one letter": certificate(
        {"kind": "private", "mechanism": "M", "neighbours": "N", "level": {"num": ["0", "1"], "den": "1"}},
        {
            "M": {"type": "geometric", "n": 3, "level": {"num": ["0", "1"], "den": "1"}},
            "N": {"type": "path", "vertices": 4},
            "F": region("a, 1 - a", letters="a", inside="1/2"),
        },
        {"signs": [{"polynomial": ["1", "1"], "sign": "positive", "proof": [terms("1", "1 0")]}]},
    ),
}


def answer(data: str) -> tuple[str, str, str]:
    """The proved checker's word and sentence, and the checker's word."""
    done = subprocess.run([str(EDPCHECK), "-"], input=data, capture_output=True, text=True, encoding="utf-8", check=False)
    word, said = done.stdout.removeprefix("-: ").rstrip("\n").split(": ", 1)
    return word, said, check_bytes(data.encode()).status


@pytest.mark.parametrize("name", TRUE)
def test_the_checker_accepts(name: str) -> None:
    found = check_bytes(text_of(TRUE[name]).encode())
    assert found.status == "accepted", found.sentence


@needs_edpcheck
@pytest.mark.parametrize("name", TRUE)
def test_both_accept(name: str) -> None:
    word, said, ours = answer(text_of(TRUE[name]))
    assert (word, ours) == ("accepted", "accepted"), said
    assert said.startswith(f"{TRUE[name]['claim']['kind']}: For ")


@needs_edpcheck
def test_the_sentence_names_the_region() -> None:
    _, said, _ = answer(text_of(TRUE["not-private"]))
    assert "For every p, q with p > 0, q > 0, -p + -2*q + 1 > 0: the mechanism M is not (alpha = 1/2)-private" in said
    _, said, _ = answer(text_of(TRUE["one point"]))
    assert "For p = 1/4, q = 1/4, one point of every p, q with p > 0, q > 0, -p + -3*q + 1 >= 0: " in said


SIGNS = TRUE["private"]["witness"]["signs"]
WRONG: dict[str, dict[str, Any]] = {
    "a lemma less": set_in(TRUE["private"], "witness.signs", SIGNS[:-1]),
    "no lemma": set_in(TRUE["private"], "witness.signs", []),
    "a wrong sum": set_in(TRUE["private"], "witness.signs.0.proof", [terms("1 2", "2 0")]),
    "no term": set_in(TRUE["private"], "witness.signs.0.proof", [[]]),
    "no step": set_in(TRUE["private"], "witness.signs.0.proof", []),
    "a step too many": set_in(TRUE["private"], "witness.signs.0.proof", [terms("1 2", "1 0"), terms("1 2", "1 0")]),
    "a number below 0": set_in(TRUE["private"], "witness.signs.0.proof", [terms("1 2", "1 0", "-1 1", "1 1")]),
    "itself": set_in(TRUE["private"], "witness.signs.0.proof", [terms("1 4")]),
    "a later lemma": set_in(TRUE["private"], "witness.signs.0.proof", [terms("1 2", "1 0", "1 9")]),
    "no power": set_in(TRUE["private"], "witness.signs.0.proof", [terms("1 0^0 2", "1 0")]),
    "powers out of order": set_in(TRUE["private"], "witness.signs.5.proof", [terms("1 2", "1 3 0", "1 0 1", "1 0 1 3", "1 0 1^2")]),
    "a fact twice": set_in(TRUE["private"], "witness.signs.5.proof", [terms("1 2", "1 0 3", "1 0 1", "1 0 1 3", "1 0 1 1")]),
    "a lemma of another sign": set_in(TRUE["private"], "witness.signs.0.sign", "negative"),
    "half a split": set_in(TRUE["a split"], "witness.signs.0.proof", TRUE["a split"]["witness"]["signs"][0]["proof"][:2]),
    "the parts of a split changed": set_in(
        TRUE["a split"], "witness.signs.0.proof", [{"split": nested("p - q")}, terms("1 1 2", "1 0^2"), terms("1 0 2", "1 1^2")]
    ),
    "strict from a split": set_in(
        TRUE["a split"], "witness.signs.0.proof", [{"split": nested("p - q")}, terms("1 0 2", "1 [q]"), terms("1 1 2", "1 0^2")]
    ),
    "strict from a square": set_in(
        set_in(TRUE["not-stochastic, a sum"], "definitions.T", table(vector("p**2 + q**2 + 1 - 2*p*q"), kind="table")),
        "witness.signs",
        [lemma("p**2 + q**2 - 2*p*q", terms("1 [p-q]"))],
    ),
    "what may be equal": set_in(
        set_in(TRUE["not-stochastic, a sum"], "definitions.T", table(vector("p**2 + q**2 + 1 - 2*p*q"), kind="table")),
        "witness.signs",
        [lemma("p**2 + q**2 - 2*p*q", terms("1 [p-q]"), sign="nonnegative")],
    ),
    "strict from a constraint that is not": set_in(
        TRUE["not-stochastic, a sum"], "definitions.F", region("q, 1 - p, 1 - q", "p", inside="1/4 1/4")
    ),
    "a point outside": set_in(TRUE["private"], "definitions.F.inside", ["2/3", "1/3"]),
    "a point of the boundary": set_in(TRUE["derivable"], "definitions.F.inside", ["1/4", "0"]),
    "an empty region": set_in(TRUE["private"], "definitions.F", region("p, q, -p", inside="1/4 1/3")),
    "one coordinate": set_in(TRUE["private"], "definitions.F.inside", ["1/4"]),
    "both points": set_in(TRUE["private"], "definitions.F.at", ["1/4", "1/4"]),
    "no point": set_in(TRUE["private"], "definitions.F.inside", None),
    "a letter twice": set_in(TRUE["private"], "definitions.F.letters", ["p", "p"]),
    "seven letters": set_in(TRUE["one letter"], "definitions.F.letters", list("abcdefg")),
    "a letter that is no name": set_in(TRUE["private"], "definitions.F.letters", ["p", "q)"]),
    "a constraint that is a number": set_in(TRUE["private"], "definitions.F.positive.0", "1"),
    "a point that is outside": set_in(TRUE["one point"], "definitions.F.at", ["1/4", "1/3"]),
    "a point on a strict constraint": set_in(TRUE["one point"], "definitions.F.at", ["0", "1/4"]),
    "signs at a point": set_in(TRUE["one point"], "witness.signs", []),
    "private, false at a point": set_in(TRUE["one point, private"], "definitions.F.at", ["1/3", "1/4"]),
    "a level that the lemmas do not show": set_in(TRUE["private"], "claim.level", {"num": nested("2*p*q"), "den": "1"}),
    "another entry": set_in(TRUE["derivable"], "definitions.B.rows.0", vector("1 - p - q", "p + q")),
    "deeper than the letters": set_in(TRUE["one letter"], "witness.signs.0.polynomial", [["1", "1"], "1"]),
    "a zero at the end": set_in(TRUE["one letter"], "witness.signs.0.polynomial", ["1", "1", "0"]),
    "a prior that is too far": set_in(BEST, "definitions.F", region("a, 1 - a, w, 1 - w", "w", "a w", inside="1/4 1/2")),
    "a larger value": set_in(BEST, "claim.value", {"num": nested("2*a", "a w"), "den": nested("1 + a", "a w")}),
    "a smaller value": set_in(BEST, "claim.value", {"num": nested("a", "a w"), "den": nested("1 + 2*a", "a w")}),
    "multipliers of the other inputs": set_in(BEST, "witness.dual.edges.0", over("1 - a**2", "w + a*w - a", "1 - w - a*w")),
    "no multipliers": set_in(BEST, "witness.dual.edges.0", over("1", "0", "0")),
    "other potentials": set_in(BEST, "witness.dual.potentials", over("1 - a**2", "a*(1 - w - a*w)", "a*(w + a*w - a)")),
    "a prior that is none": set_in(BEST, "claim.consumer.prior", over("1", "1 - w", "1 + w")),
    "another mechanism": set_in(BEST, "definitions.M", table(over("2", "1", "1"), over("2", "1", "1"))),
    "a mechanism and a primal": set_in(BEST, "witness.primal", {"rows": [over("1 + a", "1", "a"), over("1 + a", "a", "1")]}),
    "no primal": set_in(WORST, "witness.primal", None),
    "weights of an input that is known not to be": set_in(WORST, "claim.consumer.side_information", [0]),
    "weights of the prior": set_in(BEST, "witness.dual.weights", {"den": "2", "num": ["1", "1"]}),
    "a level that is too high": set_in(WORST, "claim.level", {"num": nested("a*2", "a w"), "den": "1"}),
    "a larger level": set_in(LARGEST, "claim.ratio", {"num": nested("2*q"), "den": nested("1 - p")}),
    "a smaller level": set_in(LARGEST, "claim.ratio", {"num": nested("q"), "den": nested("2 - p")}),
    "the level of another pair": set_in(set_in(LARGEST, "claim.ratio", {"num": nested("p"), "den": nested("1 - q")}), "witness.output", 1),
    "another distance": set_in(LARGEST, "claim.distance", "2"),
    "a level of 1": set_in(LARGEST, "claim.ratio", "1"),
    "where the other ratio may be smaller": set_in(LARGEST, "definitions.F", region("q, p, 1 - p - q", inside="1/3 1/4")),
    "the other way": set_in(FLATTER, "claim", {"kind": "not-derivable", "source": "B", "target": "A"}),
    "derivable after all": set_in(FLATTER, "definitions.F", region("p, q - p, 1 - 2*q", inside="1/4 1/3")),
    "a separator of nothing": set_in(FLATTER, "witness.separator", [{"den": "1", "num": ["1", "1"]}, {"den": "1", "num": ["1", "1"]}]),
    "a gap that is larger": set_in(COIN, "claim.gap", {"num": nested("1 - a", "a w"), "den": nested("1 + a", "a w")}),
    "a loss that is smaller": set_in(COIN, "claim.loss", "1/3"),
    "a gap of 0": set_in(set_in(COIN, "claim.gap", "0"), "claim.loss", BEST["claim"]["value"]),
    "a mechanism that is optimal": set_in(COIN, "definitions.M", BEST["definitions"]["M"]),
    "two fields": set_in(TRUE["one letter"], "definitions.b", {"type": "parameter", "interval": {"above": "0", "below": "1"}}),
    "the first version": seal({**TRUE["one letter"], "version": "0.1"}),
}


@needs_edpcheck
@pytest.mark.parametrize("name", WRONG)
def test_neither_accepts(name: str) -> None:
    word, said, ours = answer(text_of(WRONG[name]))
    assert word in ("not decided", "rejected", "malformed"), said
    assert ours != "accepted"


@needs_edpcheck
@pytest.mark.parametrize(("kind", "level"), [*product(("private", "not-private"), ("1/5", "1/4", "1/3", "2/5", "1/2", "3/5"))])
def test_a_claim_and_its_negation_at_a_point(kind: str, level: str) -> None:
    """At p = 1/3, q = 1/4 the ratios are 1/4 : 2/3 and 1/3 : 3/4, so the largest level is 3/8."""
    witness = {"private": {}, "not-private": {"pair": [1, 0], "output": 0}}[kind]
    body = certificate(
        {"kind": kind, "mechanism": "M", "neighbours": "N", "level": level},
        {"M": ROWS, "N": PATH, "F": region("p, q", at="1/3 1/4")},
        witness,
    )
    true = (sympy.Rational(level) <= sympy.Rational(3, 8)) == (kind == "private")
    word, said, ours = answer(text_of(body))
    assert (word == "accepted", ours == "accepted") == (true, true), said


@needs_edpcheck
@pytest.mark.timeout(1200)
def test_edits_are_not_accepted_by_one_alone(tmp_path: Path) -> None:
    draw = Random(19)
    files = []
    for i in range(EDITS):
        file = tmp_path / f"{i}.json"
        file.write_text(text_of(edited(draw.choice(list(TRUE.values())), draw)))
        files.append(file)
    words = set()
    for start in range(0, EDITS, 200):
        some = files[start : start + 200]
        done = subprocess.run([str(EDPCHECK), *map(str, some)], capture_output=True, text=True, encoding="utf-8", check=False)
        for file, line in zip(some, done.stdout.splitlines(), strict=True):
            word = line.removeprefix(f"{file}: ").split(": ")[0]
            ours = check_bytes(file.read_bytes())
            words.add((word, ours.status))
            assert word != "accepted" or ours.status == "accepted", (line, ours.sentence, json.loads(file.read_text()))
            assert word != "rejected" or ours.status != "accepted", (line, ours.sentence)
    assert {("accepted", "accepted"), ("not decided", "rejected")} <= words
