# SPDX-License-Identifier: MIT
"""Lines of page one on who may become whom, and on the verdict that the other usual neighbours have.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import isqrt
from typing import Any

from exactdp.certificate.bundle_tables import NotComparedError, combined, constant, multiplied, reduced, sign_of
from exactdp.certificate.compare_claim import require_neighbours
from exactdp.certificate.compare_numbers import (
    MOST_COMPARED,
    Values,
    all_keep_claim,
    as_number,
    between_rationals,
    one_answer,
    plain_numbers,
    power_beside,
)
from exactdp.certificate.compare_reading import are_rows_named, is_printed_with
from exactdp.certificate.page_one import NEIGHBOURS, WHERE, Line, brief, few, grid_of_labels, metric_of_grid, neighbours_words, where
from exactdp.certificate.page_one_sources import NEAR, TIGHT, Compared, Differs, decimal

MOST_INPUTS, MOST_PRINTED, MOST_ENTRIES = 64, 12, 250_000
"""Of more inputs no claim with δ > 0 or printed table is judged for other neighbours; nor a larger table."""


def other_choices(b: Compared) -> list[str]:
    """The usual neighbours that were not chosen."""
    labels, entries = b.inputs, len(b.inputs) * len(b.read.outputs)
    if len(labels) < 3 or entries > MOST_ENTRIES or (b.is_printed and len(labels) > MOST_PRINTED):
        return []
    chosen = b.chosen()
    path = [_pair(x, y) for x, y in pairwise(labels)]
    found = ["path"] if _count_up(labels) and chosen != dict.fromkeys(path, Fraction(1)) else []
    found += ["complete"] if len(chosen) < len(labels) * (len(labels) - 1) // 2 or set(chosen.values()) != {Fraction(1)} else []
    is_grid = metric_of_grid(b.neighbours) or (grid_of_labels(labels) and not b.neighbours.startswith("euclid:"))
    return [*found, *(["euclid"] if is_grid and len(labels) * entries <= MOST_ENTRIES and not b.is_printed else [])]


def _pair(x: str, y: str) -> tuple[str, str]:
    return (x, y) if x < y else (y, x)


def _count_up(labels: Sequence[str]) -> bool:
    """Whether labels are integers, each one more than the one before."""
    if not all(re.fullmatch(r"-?(?:0|[1-9][0-9]{0,399})", label, re.ASCII) for label in labels):
        return False
    return all(int(y) - int(x) == 1 for x, y in pairwise(labels))


def holds_for(b: Compared, family: str) -> bool | None:
    """Whether the claim holds of other neighbours; None where this is not decided."""
    try:
        if b.is_printed:
            return _holds_for_printed(b, family)
        if family == "euclid":
            return None if b.claimed["delta"] != "0" else _holds_at_distances(b)
        if b.claimed["delta"] != "0":
            return None if len(b.inputs) > MOST_INPUTS else _other_delta(b, NEIGHBOURS[family])
        worst = _other_ratio(b, NEIGHBOURS[family])
        return worst is None or sign_of(combined(worst[0], b.times(worst[1], b.level()), -1)) >= 0
    except NotComparedError:
        return None


def _holds_at_distances(b: Compared) -> bool:
    """Whether x_ir ≥ e^(−ε·d)·x_jr at Euclidean distances d, which √ of rationals are."""
    level = b.level()
    exponents = list(level[0]) if len(level[0]) == 1 and level[1] == constant(Fraction(1)) else []
    for square, ratio in _distance_ratios(b).items():
        root = isqrt(square)
        if root * root == square:
            power = constant(Fraction(1)), constant(Fraction(1))
            for _ in range(root):
                power = b.times(power, level)
        elif exponents and level[0][exponents[0]] == 1 and all(q == 1 for q, _ in exponents[0]):
            epsilon = sum((r for _, r in exponents[0]), Fraction(0))
            scale = 10**30
            below = Fraction(isqrt(square * scale**2), scale)
            ends = [power_beside(b, epsilon * end, ratio) for end in (below, below + Fraction(1, scale))]
            if (ends[0] <= 0) != (ends[1] <= 0):
                raise NotComparedError("the claimed ε is too near to this one")
            if ends[0] > 0:
                return False
            continue
        else:
            raise NotComparedError("the distance is irrational")
        if sign_of(combined(as_number(b, ratio), power, -1)) < 0:
            return False
    return True


def ends_of_printed(b: Compared) -> list[list[tuple[Fraction, Fraction]]]:
    """For each entry of tables that print so the least and the largest value."""
    rows = plain_numbers(b)
    half = len(rows) // 2
    found = []
    for lower, upper in zip(rows[:half], rows[half:], strict=True):
        room, lack = 1 - sum(lower), 1 - sum(upper)
        pairs = list(zip(lower, upper, strict=True))
        found.append([(max(low, high + lack), min(high, low + room)) for low, high in pairs])
    return found


def _quotients_of_printed(b: Compared, family: str) -> tuple[Fraction, Fraction]:
    """The least quotient of numbers of a column in other neighbours: of all tables, and of the best entries.

    No table has a larger one than the second; some table has the first.
    """
    ends = ends_of_printed(b)
    size = len(ends)
    if size**2 * len(ends[0]) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    near = [(i, i + 1) for i in range(size - 1)] if family == "path" else list(combinations(range(size), 2))
    worst = best = Fraction(1)
    for i, j in [*near, *((second, first) for first, second in near)]:
        for x, y in zip(ends[i], ends[j], strict=True):
            worst = min(worst, x[0] / y[1] if y[1] else worst)
            best = min(best, x[1] / y[0] if y[0] else best)
    return worst, best


def _holds_for_printed(b: Compared, family: str) -> bool | None:
    """Whether all tables that print so keep a claim with δ = 0 for other neighbours, or none does."""
    if b.claimed["delta"] != "0" or family not in ("path", "complete"):
        return None
    worst, best = _quotients_of_printed(b, family)
    if b.compare(worst, b.level()) >= 0:
        return True
    return False if b.compare(best, b.level()) < 0 else None


def compare_beside_printed(line: Line, b: Compared) -> None:
    """Raise Differs unless tables that print so have this largest ε for other neighbours."""
    family = {said: word for word, said in WHERE.items()}[line.values["where"]]
    if family not in other_choices(b):
        raise Differs("it is no other usual choice")
    worst, _ = _quotients_of_printed(b, family)
    shown = line.values["epsilon"]
    right = shown == "infinity" if worst == 0 else shown != "infinity" and b.epsilon_above(shown, as_number(b, worst))
    holds = _holds_for_printed(b, family)
    if not right or (holds is not None and holds != (line.says == "beside-holds")):
        raise Differs("it has other values")
    if holds is None:
        raise NotComparedError("that no table keeps it for these neighbours takes another program")


def _neighbours(b: Compared, v: Values, _: str) -> bool:
    name = b.neighbours
    shown = brief(name)
    _require_pairs(b, name)
    is_claimed = b.claimed is None or b.claimed["neighbours"] == name
    return neighbours_words(shown) == v["words"] and v.get("name", shown) == shown and is_claimed


def _grid_labels(b: Compared, v: Values, _: str) -> bool:
    sides, name = grid_of_labels(b.inputs), b.neighbours
    return sides != "" and v["metric"] == f"euclid:{sides}" and metric_of_grid(name) == "" and not name.startswith("euclid:")


def _grid_order(b: Compared, v: Values, _: str) -> bool:
    is_grid = metric_of_grid(b.neighbours) != "" or grid_of_labels(b.inputs) != ""
    return is_grid and v["points"] == few(b.inputs) and are_rows_named(b) is not True


def _grid_steps(b: Compared, v: Values, _: str) -> bool:
    return v["metric"] != "" and v["metric"] == metric_of_grid(b.predicate["assumptions"][0].removeprefix("neighbours: "))


def _require_pairs(b: Compared, name: str) -> None:
    """Raise Differs if neighbours of this name are not those of the certificates."""
    for certificate in b.certificates.values():
        require_neighbours(name, certificate, b.inputs, b.files)


def _other_ratio(b: Compared, words: str) -> tuple[Any, Any] | None:
    """The largest and smallest number of which no quotient is smaller, over pairs of the other neighbours."""
    family = {said: word for word, said in NEIGHBOURS.items()}[words]
    if family not in ("path", "complete"):
        raise Differs("it is no other usual choice")
    worst: tuple[Any, Any] | None = None
    plain = b.judged.plain
    rows: Sequence[Sequence[Any]] = b.judged.rows if plain is None else plain
    if plain is None and len(rows) * len(rows[0]) > 2500:
        raise NotComparedError("its numbers are irrational, and many")
    for column in zip(*rows, strict=True):
        neighbouring = [column[k : k + 2] for k in range(len(column) - 1)] if family == "path" else [column]
        for numbers in neighbouring:
            low = high = numbers[0]
            for x in numbers[1:]:
                low, high = _ordered(b, low, x)[0], _ordered(b, high, x)[1]
            if worst is None or _less(b, low, high, *worst):
                worst = low, high
    return worst if plain is None or worst is None else (as_number(b, worst[0]), as_number(b, worst[1]))


def _distance_ratios(b: Compared) -> dict[int, Fraction]:
    """For each squared distance of points of the grid the least quotient of two numbers of a column."""
    named = metric_of_grid(b.neighbours).removeprefix("euclid:") or grid_of_labels(b.inputs)
    sides = [int(side) for side in named.split("x")]  # ValueError for another graph
    points = [tuple(map(int, label.split(","))) for label in b.judged.inputs]
    if sorted(points) != list(product(*map(range, sides))):
        raise Differs("the inputs are not the points of the grid")
    rows = b.judged.plain
    if rows is None or len(points) ** 2 * len(rows[0]) > MOST_COMPARED:
        raise NotComparedError("its numbers are irrational, or many")
    least: dict[int, Fraction] = {}
    for (p, first), (q, second) in combinations(zip(points, rows, strict=True), 2):
        square = sum((x - y) ** 2 for x, y in zip(p, q, strict=True))
        quotients = [min(x, y) / max(x, y) for x, y in zip(first, second, strict=True) if x != y]
        least[square] = min([least.get(square, Fraction(1)), *quotients])
    return least


def _other_at_distances(b: Compared, shown: str, holds: bool | None) -> bool:
    """Whether an ε, and what it says of the claim, is that of Euclidean distances d: x_ir ≥ e^(−ε·d)·x_jr."""
    least = _distance_ratios(b)
    if shown == "infinity" or 0 in least.values():
        return shown == "infinity" and 0 in least.values() and not holds
    d = decimal(shown)
    scale = 10**20
    enough, near = True, d == 0
    for square, ratio in least.items():
        root = isqrt(square * scale**2)
        below, above = Fraction(root, scale), Fraction(root + (root**2 != square * scale**2), scale)
        enough = enough and power_beside(b, d * below, ratio) <= 0
        near = near or power_beside(b, d * (1 - NEAR) * above, ratio) >= 0
    if not (enough and near) or holds is None:
        return enough and near
    if b.claimed is None or b.claimed["delta"] != "0":
        return False
    level = b.level()
    keeps = sign_of(combined(level, b.power(d), -1)) <= 0
    breaks = sign_of(combined(level, b.power(d * (1 - NEAR)), -1)) > 0
    if keeps == breaks:
        raise NotComparedError("the claimed ε is too near to this one")
    return bool(keeps == holds)


def _ordered(b: Compared, x: Any, y: Any) -> tuple[Any, Any]:
    if isinstance(x, Fraction):
        return (x, y) if x <= y else (y, x)
    return (x, y) if sign_of(combined(x, y, -1)) <= 0 else (y, x)


def _less(b: Compared, low: Any, high: Any, other_low: Any, other_high: Any) -> bool:
    """Whether low/high < other_low/other_high; 0/0 is no quotient."""
    if isinstance(low, Fraction):
        return high > 0 and bool(other_high == 0 or low * other_high < other_low * high)
    if sign_of(high) == 0:
        return False
    return bool(sign_of(other_high) == 0 or sign_of(combined(b.times(low, other_high), b.times(other_low, high), -1)) < 0)


def _other_as_printed(b: Compared, v: Values, holds: bool | None) -> bool:
    """Whether all tables that print so have this ε, and what is said of the claim is true of all of them."""
    family = {said: word for word, said in NEIGHBOURS.items()}[v["words"]]
    if family not in ("path", "complete"):
        raise Differs("it is no other usual choice")
    worst, best = _quotients_of_printed(b, family)
    if worst != best:
        raise Differs("the tables that print so have more than one smallest ε")
    is_infinite = v["epsilon"] == "infinity"
    right = is_infinite == (worst == 0) and (is_infinite or b.epsilon_above(v["epsilon"], as_number(b, worst)))
    return right and holds == (None if b.claimed is None else _holds_for_printed(b, family))


def _other(b: Compared, v: Values, holds: bool | None) -> bool:
    if b.is_printed:
        return _other_as_printed(b, v, holds)
    if v["words"] == NEIGHBOURS["euclid"]:
        return _other_at_distances(b, v["epsilon"], holds)
    worst = _other_ratio(b, v["words"])
    if worst is None:  # of one input, which keeps every claim
        return v["epsilon"] == "0" and holds is not False
    low, high = worst
    if sign_of(low) == 0:
        right = v["epsilon"] == "infinity"
    elif v["epsilon"] == "infinity":
        right = False
    else:
        ratio = reduced(multiplied(low[0], high[1]), multiplied(low[1], high[0]))
        right = b.epsilon_above(v["epsilon"], ratio)
    if holds is None or not right or b.claimed is None or b.claimed["delta"] != "0":
        if holds is not None and b.claimed is not None and b.claimed["delta"] != "0":
            return right and _other_delta(b, v["words"]) == holds
        return right
    difference = combined(low, b.times(high, b.level()), -1)
    return bool((sign_of(difference) >= 0) == holds)


def _other_between(b: Compared, v: Values, of: str) -> bool:
    """The ends of ε of all tables that print so: the larger one is attained, and the smaller one is below it.

    Rows of these tables are independent of each other, so that one of them has the least number of an entry
    beside the largest one of its neighbour.
    """
    family = {said: word for word, said in NEIGHBOURS.items()}[v["words"]]
    if family not in ("path", "complete") or not b.is_printed:
        raise Differs("it is no other usual choice, or no table is printed")
    worst, inside = _quotients_of_printed(b, family)
    if (v["high"] == "infinity") != (worst == 0) or (v["low"] == "infinity") != (inside == 0):
        return False
    right = worst == 0 or b.epsilon_above(v["high"], as_number(b, worst))
    if inside == 0:
        return right
    # no table has a smaller ε than where each quotient is as near to 1 as it can be
    low = decimal(v["low"])
    is_enough = power_beside(b, low * (1 + TIGHT), inside) <= 0
    return right and is_enough and power_beside(b, low, worst) >= 0


def _other_delta(b: Compared, words: str) -> bool:
    """Whether a claim with δ > 0 holds of the other neighbours."""
    size = len(b.judged.rows)
    pairs = [(i, j) for i in range(size) for j in range(size) if (i != j if words == NEIGHBOURS["complete"] else abs(i - j) == 1)]
    if b.judged.plain is None and len(pairs) * len(b.judged.rows[0]) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    plain = b.judged.plain
    between = [[between_rationals(x) for x in row] for row in b.judged.rows] if plain is None else [[(x, x) for x in row] for row in plain]
    return one_answer(all_keep_claim(b, between, pairs, *ends) for ends in ((0, 1), (1, 0)))


def _where(b: Compared, v: Values, _: str) -> bool:
    return v["where"] == where(b.neighbours)


def _beside(b: Compared, v: Values, holds: bool) -> bool:
    """Whether other neighbours have that smallest ε, and the claim the other verdict there."""
    family = {said: word for word, said in WHERE.items()}[v["where"]]
    return _other(b, {"words": NEIGHBOURS[family], "epsilon": v["epsilon"]}, holds)


def _digits_where(b: Compared, v: Values, of: str) -> bool:
    return is_printed_with(b, v, of) and _where(b, v, of)


LINES_OF_NEIGHBOURS: Mapping[str, Callable[[Compared, Values, str], bool]] = {
    "neighbours": _neighbours,
    "neighbours-named": _neighbours,
    "grid-steps": _grid_steps,
    "grid-labels": _grid_labels,
    "grid-order": _grid_order,
    "holds-for": _where,
    "fails-for": _where,
    "holds-digits": _digits_where,
    "fails-digits": _digits_where,
    "beside-holds": lambda b, v, _: _beside(b, v, True),
    "beside-fails": lambda b, v, _: _beside(b, v, False),
    "beside-fails-too": lambda b, v, _: _beside(b, v, False),
    "other": lambda b, v, _: _other(b, v, None),
    "other-between": _other_between,
    "other-holds": lambda b, v, _: _other(b, v, True),
    "other-fails": lambda b, v, _: _other(b, v, False),
}
"""How the values of these sentences are compared."""
