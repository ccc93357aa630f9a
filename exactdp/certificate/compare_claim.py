# SPDX-License-Identifier: MIT
"""Whether a certificate decides the claim of a bundle: by its kind, level, δ, neighbours and table.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. The name of a
part decides nothing. What neighbours are called is compared with their pairs and distances.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from exactdp.certificate.bundle_files import shown as escaped
from exactdp.certificate.bundle_tables import (
    Differs,
    Grid,
    NotComparedError,
    Number,
    Powers,
    claimed_level,
    combined,
    constant,
    rational,
    reduced,
    sign_of,
    table_of,
)
from exactdp.certificate.bundle_tables import multiplied as product_of

ONE: Number = (constant(Fraction(1)), constant(Fraction(1)))
NOTHING: Number = (constant(Fraction(0)), constant(Fraction(1)))

KEEPS = {
    "plain": {
        **{"private": "level", "approximately-private": "level", "delta": "level"},
        **{"level": "ratio", "level-with-delta": "ratio"},
    },
    "printed": {
        **{"all-tables-private": "level", "all-tables-approximately-private": "level"},
        **{"delta-of-all-tables": "level", "level-of-all-tables": "ratio"},
    },
}
"""Kinds of certificates that show (L, D)-privacy, with the key of L; so every α ≤ L and δ ≥ D is kept."""

BREAKS = {
    "plain": {"not-private": "level", "not-approximately-private": "level"},
    "printed": {"no-table-private": "level", "no-table-approximately-private": "level"},
}
"""Kinds that show that there is no (L, D)-privacy; so no α ≥ L with δ ≤ D is kept."""

LEAST = {
    "plain": {"delta": "delta", "level": "ratio", "level-with-delta": "ratio"},
    "printed": {"delta-of-some-table": "delta", "level-of-some-table": "ratio"},
}
"""Kinds whose δ is the least, so that no α ≥ L with δ < D is kept, or whose level is the largest, so that no
α > L with δ ≤ D is.
"""

MOST_POWER = 64
"""The largest numerator and denominator of a distance that is taken."""


def _order(x: Number, y: Number) -> int:
    return int(sign_of(combined(x, y, -1)))


def powers_of(certificate: Mapping[str, Any]) -> Powers:
    """What reads the numbers of a certificate."""
    symbols = [one for one in certificate["definitions"].values() if one.get("type") in ("exponential", "parameter", "region")]
    return Powers(symbols[0] if symbols else None)


def level_of(claimed: Mapping[str, Any]) -> Number:
    """The claimed level."""
    found = claimed_level(claimed)
    if found is None:
        raise NotComparedError("the claimed ε is none that this program compares")
    return found


def shows(certificate: Mapping[str, Any], claimed: Mapping[str, Any], judged: Grid, read: Grid) -> bool | None:
    """Whether an accepted certificate shows that a claim is true, or that it is false; None for neither.

    Its neighbours are compared by :func:`require_neighbours`.
    """
    claim = certificate["claim"]
    kind, quality = claim["kind"], claimed["quality"]
    if quality == "wrong" or kind == "not-stochastic":
        table = table_of(certificate)
        is_none = kind == "not-stochastic" and table is not None and table.same(read)
        return False if is_none and quality == "wrong" else None
    family = "printed" if quality == "printed" else "plain"
    keys = KEEPS[family] | BREAKS[family] | LEAST[family] | ({"delta-of-some-table": "level"} if family == "printed" else {})
    keys |= {"delta": "level"} if family == "plain" else {}
    if kind not in keys:
        return None
    table = table_of(certificate)
    if table is None or not table.same(judged):
        return None
    powers, delta = powers_of(certificate), (constant(rational(claimed["delta"])), constant(Fraction(1)))
    least = powers.scalar(claim["delta"]) if "delta" in claim else NOTHING
    beside = _order(delta, least)
    at = _level_beside(level_of(claimed), powers.scalar(claim[keys[kind]]), claim.get("distance", "1"))
    if kind in KEEPS[family] and at <= 0 and beside >= 0:
        return True
    if kind in BREAKS[family] and at >= 0 and beside <= 0:
        return False
    key = LEAST[family].get(kind)
    if (key == "delta" and at >= 0 and beside < 0) or (key == "ratio" and at > 0 and beside <= 0):
        return False
    return None


def _level_beside(level: Number, ratio: Number, distance: str) -> int:
    """The sign of α − ratio^(1/d): that of α^p − ratio^q for d = p/q."""
    if distance == "1":
        return _order(level, ratio)
    if distance.startswith("sqrt"):
        raise NotComparedError("the distance is an irrational root")
    d = rational(distance)
    if max(d.numerator, d.denominator) > MOST_POWER:
        raise NotComparedError("the distance has large numbers")
    return _order(_power(level, d.numerator), _power(ratio, d.denominator))


def _power(x: Number, times: int) -> Number:
    found = ONE
    for _ in range(times):
        found = reduced(product_of(found[0], x[0]), product_of(found[1], x[1]))
    return found


# ── The words of a claim ────────────────────────────────────────────────────────────────────────
def faults_of_claim(claimed: Mapping[str, str]) -> Iterator[str]:
    """What the words of a claim say otherwise than its numbers."""
    letter, level = ("α", claimed["alpha"]) if "alpha" in claimed else ("ε", claimed["epsilon"])
    delta = "" if claimed["delta"] == "0" else f", δ = {claimed['delta']}"
    core, text = f"({letter} = {level}{delta})-private", claimed["text"]
    if str(rational(claimed["delta"])) != claimed["delta"]:
        yield "its δ is not in lowest terms"
    if text != core and ("alpha" not in claimed or not _is_beside(text, core, claimed)):
        yield "its claim is not written as its numbers are"


def _is_beside(text: str, core: str, claimed: Mapping[str, str]) -> bool:
    """Whether what stands after a claimed α is its ε: the logarithm, and a decimal near it."""
    found = re.fullmatch(
        re.escape(core) + r" \(ε = (?:(ln\([0-9/]{1,4000}\))(?: ≈ )?)?(?:≈ )?([0-9]{1,400}(?:\.[0-9]{1,400})?(?:e-?[0-9]{1,4})?)?\)", text
    )
    if found is None:
        raise NotComparedError("the ε beside its α is none that this program compares")
    level = level_of(claimed)
    if found[1] and _order(level_of({"epsilon": found[1]}), level) != 0:
        return False
    if not found[2]:
        return bool(found[1])
    near = Fraction(found[2]) * Fraction(1, 10**4)
    ends = [level_of({"epsilon": str(Fraction(found[2]) + far)}) for far in (near, -near)]
    return _order(ends[0], level) <= 0 <= _order(ends[1], level)


# ── Neighbours ──────────────────────────────────────────────────────────────────────────────────
Pairs = dict[tuple[int, int], Fraction]
"""For each two vertices that are neighbours, the first before the second, the square of their distance."""

SIDES = re.compile(r"[0-9]{1,6}(?:x[0-9]{1,6}){0,30}", re.ASCII)
ORDER, LOCAL = " in the order of the inputs ", " (local)"

OF_PEOPLE = {"hamming": "v,u", "sum": "u,v", "counts": "u,k", "average": "u,v", "histogram": "u,k"}
"""Families with two sizes, and how these are named."""

FAMILIES = ("path", "complete", "cycle", "star", "hypercube", "grid", "euclid", *OF_PEOPLE)
"""The words for neighbours that page one explains."""


def family_of(name: str) -> str:
    """The word for neighbours that page one explains, or nothing: the same rule as that of its words."""
    word = name.partition(":")[0].split(" ")[0]
    return word if word in FAMILIES else ""


def own_labels(name: str, size: int) -> Sequence[str] | None:
    """The labels of the family that neighbours are called by, in its order; None where no family is named.

    >>> own_labels("grid:1x2", 2), own_labels("t.csv (sha256 01234567…)", 2)
    (['0,0', '0,1'], None)
    """
    if not family_of(name):
        return None
    word, _, sizes = name.partition(ORDER)[0].removesuffix(LOCAL).partition(":")
    try:
        return _family(word, sizes, size)[0]
    except (Differs, NotComparedError):
        return ()


def require_neighbours(name: str, certificate: Mapping[str, Any], rows: Sequence[str], files: Mapping[str, bytes]) -> None:
    """Raise Differs unless the neighbours of a certificate are those of their name.

    ``rows`` are the labels of the table as it was read: where vertices have other labels than the family's
    own, they are in this order. ``files`` are the inputs by their names: what no
    family is called is a list of edges, in the name itself or in one of these; else NotComparedError.
    """
    claim = certificate["claim"]
    if "neighbours" not in claim:
        return
    labels, pairs = pairs_with_distances(certificate["definitions"][claim["neighbours"]])
    if sorted(labels) != sorted(rows):
        raise Differs("its neighbours are on other inputs than those of the table")
    if not family_of(name):
        _require_listed(name, labels, pairs, files)
        return
    plain, order, told = name.partition(ORDER)
    word, _, sizes = plain.removesuffix(LOCAL).partition(":")
    if (plain.endswith(LOCAL) and word != "complete") or word not in FAMILIES:
        raise Differs(f"{name!r} are no neighbours")
    own, expected = _family(word, sizes, len(labels))
    if sorted(own) == sorted(labels):
        place = {label: k for k, label in enumerate(labels)}
        moved = {_in_order(place[own[i]], place[own[j]]): d for (i, j), d in expected.items()}
    else:
        if word != "complete" and list(labels) != list(rows):
            raise Differs("its neighbours are in another order than the inputs of the table")
        moved = expected
    if moved != pairs:
        raise Differs(f"its neighbours are not {name}")
    if order and told != listed(labels):
        if not all(label.isascii() for label in labels):
            raise NotComparedError("the order that its neighbours are called by has labels that may be written otherwise")
        raise Differs("the order that its neighbours are called by is another one")


def named_pairs(name: str, rows: Sequence[str]) -> dict[tuple[str, str], Fraction]:
    """The pairs of labels that neighbours of a name join, with the squares of their distances.

    ``rows`` are the labels in their order. Raise NotComparedError for what no family is called.

    >>> list(named_pairs("path:3 in the order of the inputs (b, a, c)", ["b", "a", "c"]))
    [('b', 'a'), ('a', 'c')]
    """
    plain, order, told = name.partition(ORDER)
    word, _, sizes = plain.removesuffix(LOCAL).partition(":")
    if word not in FAMILIES or (order and told != listed(rows)):
        raise NotComparedError("no certificate names the neighbours")
    own, pairs = _family(word, sizes, len(rows))
    labels = own if sorted(own) == sorted(rows) else rows
    return {(labels[i], labels[j]): square for (i, j), square in pairs.items()}


def _in_order(i: int, j: int) -> tuple[int, int]:
    return (i, j) if i < j else (j, i)


def pairs_with_distances(graph: Mapping[str, Any]) -> tuple[list[str], Pairs]:
    """The vertices and the pairs of a definition of neighbours."""
    vertices, kind = graph["vertices"], graph["type"]
    labels = list(map(str, range(vertices))) if isinstance(vertices, int) else list(vertices)
    size, one = len(labels), Fraction(1)
    if kind == "path":
        return labels, {(i, i + 1): one for i in range(size - 1)}
    if kind == "complete":
        return labels, dict.fromkeys(combinations(range(size), 2), one)
    if kind == "graph":
        return labels, dict.fromkeys([(i, j) for i, j in graph["edges"]], one)
    if kind == "distances":
        return labels, {(i, j): _square(d) for i, j, d in graph["pairs"]}
    raise NotComparedError(f"{kind} is no kind of neighbours that this program compares")


def _square(distance: str) -> Fraction:
    root = re.fullmatch(r"sqrt\(([0-9/]{1,4000})\)", distance, re.ASCII)
    return rational(distance) ** 2 if root is None else rational(root[1])


def _family(word: str, sizes: str, size: int) -> tuple[list[str], Pairs]:
    """The labels of a family of so many vertices, and its pairs."""
    one = Fraction(1)
    if word in OF_PEOPLE:
        first, _, second = OF_PEOPLE[word].partition(",")
        found = re.fullmatch(rf"{first}=([0-9]{{1,6}}),{second}=([0-9]{{1,6}})", sizes, re.ASCII)
        if found is None:
            raise Differs(f"{word}:{sizes} are no neighbours")
        return _of_people(word, int(found[1]), int(found[2]), size)
    if not SIDES.fullmatch(sizes):
        raise Differs(f"{word}:{sizes} are no neighbours")
    sides = [int(side) for side in sizes.split("x")]
    if word in ("grid", "euclid"):
        _require_size(prod(sides), size)
        points = list(product(*map(range, sides)))
        squares = {
            (i, j): Fraction(sum((x - y) ** 2 for x, y in zip(points[i], points[j], strict=True))) for i, j in combinations(range(size), 2)
        }
        near = squares if word == "euclid" else {pair: square for pair, square in squares.items() if square == 1}
        return _named(points), near
    if len(sides) != 1:
        raise Differs(f"{word}:{sizes} are no neighbours")
    if word == "hypercube":
        if sides[0] > 30:
            raise NotComparedError("it has too many vertices")
        _require_size(2 ** sides[0], size)
        words = ["".join(bits) for bits in product("01", repeat=sides[0])]
        return words, {(i, i | 1 << k): one for i in range(size) for k in range(sides[0]) if not i >> k & 1}
    _require_size(sides[0], size)
    ring = (_in_order(i, (i + 1) % size) for i in range(size) if size > 2)
    pairs: dict[str, Iterable[tuple[int, int]]] = {
        "path": ((i, i + 1) for i in range(size - 1)),
        "complete": combinations(range(size), 2),
        "star": ((0, i) for i in range(1, size)),
        "cycle": ring,
    }
    return list(map(str, range(size))), dict.fromkeys(pairs[word], one)


def _of_people(word: str, first: int, second: int, size: int) -> tuple[list[str], Pairs]:
    """Databases, and what is counted in them."""
    if word in ("sum", "average"):
        _require_size(first * second + 1, size)
        labels = [str(Fraction(i, first)) if word == "average" else str(i) for i in range(size)]
        return labels, {(i, j): Fraction(1) for i in range(size) for j in range(i + 1, min(i + second, size - 1) + 1)}
    if min(first, second) < 1 or max(first, second) > 10**5 or (word != "histogram" and second > 30):
        raise NotComparedError("it has too many vertices")
    if word == "histogram":
        points = list(_parts(first, second, size))
    else:
        number, length = (first, second) if word == "hamming" else (first + 1, second)
        _require_size(number**length, size)
        points = list(product(range(number), repeat=length))
    _require_size(len(points), size)
    near = {"hamming": _is_one_record, "counts": _is_one_each, "histogram": _is_one_moved}[word]
    return _named(points), {(i, j): Fraction(1) for i, j in combinations(range(size), 2) if near(points[i], points[j])}


def _parts(whole: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a sum of so many, in lexicographic order, of very many some."""
    if parts > 900:
        raise NotComparedError("it has too many groups")
    if parts == 1:
        yield (whole,)
        return
    count = 0
    for first in range(whole + 1):
        for rest in _parts(whole - first, parts - 1, most):
            yield (first, *rest)
            count += 1
            if count > most:
                return


def _is_one_record(p: Sequence[int], q: Sequence[int]) -> bool:
    return sum(x != y for x, y in zip(p, q, strict=True)) == 1


def _is_one_each(p: Sequence[int], q: Sequence[int]) -> bool:
    return max(abs(x - y) for x, y in zip(p, q, strict=True)) == 1


def _is_one_moved(p: Sequence[int], q: Sequence[int]) -> bool:
    return sorted(x - y for x, y in zip(p, q, strict=True) if x != y) == [-1, 1]


def _named(points: Sequence[Sequence[int]]) -> list[str]:
    return [",".join(map(str, point)) for point in points]


def _require_size(expected: int, size: int) -> None:
    if expected != size:
        raise Differs("its neighbours are of another number of inputs")


def _require_listed(name: str, labels: Sequence[str], pairs: Pairs, files: Mapping[str, bytes]) -> None:
    """Raise Differs if the pairs that a name lists, or the file that it names, are others."""
    is_one = set(pairs.values()) <= {Fraction(1)}
    if name.startswith("the graph on ") and " with the edges " in name:
        edges = sorted("–".join(sorted((labels[i], labels[j]))) for i, j in pairs)
        if not edges or not is_one or not name.endswith(f" with the edges {', '.join(edges)}"):
            raise Differs("its neighbours are not those that are listed")
        return
    for given, content in files.items():
        if name == f"{given} (sha256 {hashlib.sha256(content).hexdigest()[:8]}…)":
            expected = {frozenset((labels[i], labels[j])) for i, j in pairs}
            if not is_one or _edges_of(content, labels) != expected:
                raise Differs(f"its neighbours are not those of {given}")
            return
    raise NotComparedError(f"no file here lists the neighbours that are called {name}")


def _edges_of(content: bytes, labels: Sequence[str]) -> set[frozenset[str]]:
    """The edges of a file with two labels in each line; NotComparedError for another one."""
    try:
        lines = list(csv.reader(content.decode("utf-8-sig").splitlines(), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise NotComparedError("the file of the neighbours is no list of edges that this program reads") from None
    found = set()
    for cells in lines:
        edge = frozenset(cell.strip() for cell in cells)
        if len(cells) != 2 or len(edge) != 2 or not edge <= set(labels):
            raise NotComparedError("the file of the neighbours is no list of edges that this program reads")
        found.add(edge)
    return found


def listed(labels: Sequence[str]) -> str:
    """A list of labels in some sixty characters, as names of neighbours have it: what isn't seen is escaped.

    >>> listed(["a", "b"]), listed(["0,0", "0,1"])
    ('(a, b)', '(0,0; 0,1)')
    """
    apart = "; " if any("," in label for label in labels) else ", "
    shown = [escaped(label if len(label) <= 24 else f"{label[:12]}…{label[-8:]}") for label in labels]
    if len(labels) <= 8 and sum(map(len, shown)) <= 100:
        return f"({apart.join(shown)})"
    return f"({apart.join(shown[:4])}{apart}…{apart}{shown[-1]}: {len(labels)} labels)"
