# SPDX-License-Identifier: MIT
"""Laws against their whole tables, at the ends of intervals, and what is counted of complete graphs."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import pytest
from certificate_pool import certificate, numbered, text_of

from exactdp.checker import check_bytes, limits

PROBABILITIES = (F(0), F(1), F(1, 2), F(2, 7), F(9, 10))
X = {"num": ["0", "1"], "den": "1"}
ODDS = {"num": ["1", "-1"], "den": ["0", "1"]}
"""(1 − x)/x"""


def answer(claim, definitions=None):
    return check_bytes(text_of(certificate(claim, definitions or {}, {})).encode())


def interval(low, high):
    return {"x": {"type": "parameter", "interval": {"at_least": low, "at_most": high}}}


def least_quotient(table):
    pairs = product(table, repeat=2)
    return min([F(1), *(x / y for row, other in pairs for x, y in zip(row, other, strict=True) if y > 0)])


def accepts_only(claim, level):
    for ratio in {level, level / 2, F(0), F(1)}:
        found = answer({**claim, "ratio": str(ratio)})
        assert found.status == ("accepted" if ratio == level else "rejected"), (claim, ratio)


@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("keep", [*PROBABILITIES, F(1, 3)], ids=str)
def test_the_level_of_a_response_is_that_of_its_table(size, keep):
    other = (1 - keep) / (size - 1)
    table = [[keep if i == j else other for j in range(size)] for i in range(size)]
    accepts_only({"kind": "response-level", "size": size, "keep": str(keep)}, least_quotient(table))


@pytest.mark.parametrize("bits", [1, 2, 3])
@pytest.mark.parametrize("set_bit", PROBABILITIES, ids=str)
@pytest.mark.parametrize("clear_bit", PROBABILITIES, ids=str)
def test_the_level_of_bits_is_that_of_their_table(bits, set_bit, clear_bit):
    words = list(product((0, 1), repeat=bits))

    def chance(word, report):
        result = F(1)
        for bit, reported in zip(word, report, strict=True):
            one = set_bit if bit else clear_bit
            result *= one if reported else 1 - one
        return result

    for ones in range(1, bits + 1):
        table = [[chance(word, report) for report in words] for word in words if sum(word) == ones]
        claim = {"kind": "bitwise-level", "bits": bits, "ones": ones, "set": str(set_bit), "clear": str(clear_bit)}
        accepts_only(claim, least_quotient(table))


def tables_of_counts(n, alpha):
    """The noise with one output beyond each end, and moved to the nearest count."""

    def mass(z):
        return (1 - alpha) / (1 + alpha) * alpha ** abs(z)

    within = [[mass(r - i) for r in range(n + 1)] for i in range(n + 1)]
    low = [alpha ** (i + 1) / (1 + alpha) for i in range(n + 1)]
    lumped = [[low[i], *within[i], low[n - i]] for i in range(n + 1)]
    moved = [[low + row[0], *row[1:-1], row[-1] + high] for low, *row, high in lumped]
    for table in (lumped, moved):
        assert all(sum(row) == 1 for row in table)
    return lumped, moved


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("reach", [1, 2, 3, 7])
@pytest.mark.parametrize("alpha", [F(1, 2), F(2, 7), F(9, 10)], ids=str)
def test_the_level_of_counts_is_that_of_their_tables(n, reach, alpha):
    claim = {"kind": "geometric-level", "n": n, "reach": reach, "level": str(alpha)}
    for table in tables_of_counts(n, alpha):
        pairs = [(i, j) for i, j in product(range(n + 1), repeat=2) if abs(i - j) <= reach]
        quotients = [x / y for i, j in pairs for x, y in zip(table[i], table[j], strict=True)]
        accepts_only(claim, min(quotients))


@pytest.mark.parametrize(
    ("claim", "right"),
    [
        ({"kind": "response-level", "size": 3, "keep": "1/2"}, "(1)/(2)"),
        ({"kind": "bitwise-level", "bits": 2, "ones": 1, "set": "2/3", "clear": "1/3"}, "(1)/(4)"),
        ({"kind": "geometric-level", "n": 2, "reach": 2, "level": "1/2"}, None),
    ],
)
def test_a_refusal_shows_both_sides(claim, right):
    """The ratio stated and the one computed: the two parts of the latter stood there."""
    sides = ("1/7", right) if right else ("1/4", "1/7")
    found = answer(claim | {"ratio": "1/7"})
    assert found.sentence.endswith(f"the left side is {sides[0]}, the right side {sides[1]}")


def test_the_sentence_says_of_which_results_and_at_which_distances():
    """All three, not one of them; and no pair of counts is farther away than another."""
    claim = {"kind": "geometric-level", "n": 7, "reach": 3, "level": "1/2", "ratio": "1/8"}
    said = answer(claim).sentence
    assert "counts 0..7 is private between any two counts that differ by at most 3, each such pair at distance 1, is α = 1/8." in said
    assert "as they are, of the results moved to the nearest of 0..7, and with one output for all results beyond each end." in said


@pytest.mark.parametrize("n", [1, 3, 10**9 - 1])
def test_a_reach_beyond_the_counts_is_that_of_all_of_them(n):
    claim = {"kind": "geometric-level", "n": n, "reach": 10**9 - 1, "level": "1/2"}
    farthest = {1: "1/2", 3: "1/8", 10**9 - 1: "1"}[n]
    assert answer(claim | {"ratio": farthest}).status == ("accepted" if n < 10 else "limit")


def test_a_level_need_not_be_in_lowest_terms():
    # x(1 − x)/(1 − x) is x for 0 < x < 1, and no number at 1.
    unreduced = {"num": ["0", "1", "-1"], "den": ["1", "-1"]}
    claim = {"kind": "geometric-level", "n": 3, "reach": 2, "level": unreduced, "ratio": {"num": ["0", "0", "1"], "den": "1"}}
    open_ends = {"x": {"type": "parameter", "interval": {"above": "0", "below": "1"}}}
    assert answer(claim, open_ends).status == "accepted"
    assert answer(claim, interval("1/2", "1")).status == "rejected"


def test_the_noise_has_a_level_at_every_end():
    claim = {"kind": "geometric-level", "n": 10**6, "reach": 3, "level": X, "ratio": {"num": ["0", "0", "0", "1"], "den": "1"}}
    assert answer(claim, interval("1/3", "1/2")).status == "accepted"
    assert answer(claim | {"ratio": X}, interval("1/3", "1/2")).status == "rejected"
    assert answer(claim, interval("0", "1/2")).status != "accepted"
    assert answer(claim, interval("1/3", "1")).status != "accepted"
    open_ends = {"x": {"type": "parameter", "interval": {"above": "0", "below": "1"}}}
    assert answer(claim, open_ends).status == "accepted"
    at_epsilon = {"t": {"type": "exponential", "rate": "1/2", "roots": [1]}}
    assert answer(claim, at_epsilon).status == "accepted"
    assert answer(claim | {"reach": 2}, at_epsilon).status == "rejected"


@pytest.mark.parametrize("level", ["0", "1", "-1/2", "3/2"])
def test_no_noise_has_these_levels(level):
    claim = {"kind": "geometric-level", "n": 3, "reach": 1, "level": level, "ratio": level}
    assert answer(claim).status == "malformed"


def test_a_power_of_a_level_is_counted_before_it_is_computed():
    claim = {"kind": "geometric-level", "n": 10**9 - 1, "reach": 10**9 - 1, "level": "1/2", "ratio": "1/2"}
    assert answer(claim).status == "limit"


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "response-level", "size": 2, "keep": X},
        {"kind": "bitwise-level", "bits": 2, "ones": 1, "set": X, "clear": "1/2"},
        {"kind": "bitwise-level", "bits": 2, "ones": 1, "set": "1/2", "clear": X},
    ],
    ids=["labels", "set", "clear"],
)
def test_probabilities_may_be_equal_at_an_end(claim):
    # At x = 1/2 all inputs have one law, and (1 − x)/x is 1.
    assert answer({**claim, "ratio": ODDS}, interval("1/2", "1")).status == "accepted"
    assert answer({**claim, "ratio": ODDS}, interval("1/3", "1")).status == "rejected"


def test_bits_that_are_certain_at_an_end_have_another_level_there():
    # For x > 0 the level is (1 − x)/(2 − x), which tends to 1/2; at x = 0 no bit is reported, and it is 1.
    half = {"num": ["0", "1"], "den": "2"}
    claim = {"kind": "bitwise-level", "bits": 2, "ones": 1, "set": X, "clear": half, "ratio": {"num": ["1", "-1"], "den": ["2", "-1"]}}
    assert answer(claim, interval("1/4", "1/2")).status == "accepted"
    assert answer(claim, interval("0", "1/2")).status == "rejected"


def constant(size):
    labels = numbered(size)
    mechanism = {"type": "mechanism", "inputs": labels, "outputs": ["o"], "rows": [{"den": "1", "num": ["1"]}] * size}
    return {"M": mechanism, "N": {"type": "complete", "vertices": labels}}


def test_the_pairs_of_a_complete_graph_count_for_each_part(monkeypatch):
    # Twenty parts on 2000 vertices took twenty seconds, of which half a second was counted.
    seen = []
    within = limits.within

    def watched(limit, figure):
        if limit == "work":
            seen.append(figure)
        within(limit, figure)

    monkeypatch.setattr(limits, "within", watched)

    def work(parts):
        claim = {"kind": "parallel-level", "parts": [{"mechanism": "M", "neighbours": "N"}] * parts, "ratio": "1"}
        assert answer(claim, constant(100)).status == "accepted"
        return seen[-1]

    assert work(21) - work(1) >= 20 * 8 * 4950


def test_the_pairs_of_a_complete_graph_are_announced_in_both_orders():
    # A file of 72 kB took 770 MB: the pairs in both orders, twice.
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": X}
    field = {"x": {"type": "parameter", "interval": {"above": "0", "below": "1"}}}
    assert answer(claim, constant(30) | field).status == "accepted"
    refused = answer(claim, constant(2000) | field)
    assert (refused.status, refused.rule) == ("limit", "memory")
