# SPDX-License-Identifier: MIT
"""Page one of an audit is compared with its bundle: each value with a certificate, the table or the manifest.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it, and page_one.py,
which has the sentences. What the auditor states says so itself, and is compared with nothing.

Decimals of ε, δ, factors and percentages are never below the number, all others are the nearest ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import isqrt
from typing import Any

from exactdp.certificate.bundle_files import TABLES, sha256, strict_json
from exactdp.certificate.bundle_tables import (
    DIVIDED,
    ZERO,
    Grid,
    combined,
    constant,
    enclosed,
    multiplied,
    reduced,
    sign_of,
    table_of,
)
from exactdp.certificate.compare_requirements import decided_elsewhere, requirement_is_right, requirements_of_manifest
from exactdp.certificate.page_one import (
    AUTO,
    DECIDED,
    NAMES,
    NEIGHBOURS,
    OPEN,
    SAYS,
    STATED,
    STATEMENTS,
    STATES,
    TOPICS,
    UNDECIDED,
    WRITTEN,
    Line,
    Page,
    brief,
    consumer_words,
    digits_text,
    few,
    metric_of_grid,
    moves_text,
    neighbours_words,
    page_of,
    point,
    quoted,
    seen,
)
from exactdp.certificate.page_one_sources import NEAR, TIGHT, Compared, Differs, NotComparedError, decimal, percentage

MOST_COMPARED = 10**6
"""Pairs of numbers."""


def faults_of_page_one(there: Mapping[str, bytes], predicate: Mapping[str, Any]) -> tuple[list[tuple[str, str]], list[str]]:
    """What is wrong with page one of a bundle, as files and sentences; and what was not compared."""
    wrong: list[tuple[str, str]] = []
    told: list[str] = []
    file = NAMES["json"]
    missing = [name for name in NAMES.values() if name not in there]
    if missing:
        return [(missing[0], "missing: a bundle has page one")], []
    try:
        page = page_of(strict_json(there[file]))
        if page.to_json().encode() != there[file]:
            raise ValueError("it is written in another way")
    except (ValueError, KeyError, IndexError) as error:
        return [(file, f"it is no page one: {error}")], []
    for kind, name in NAMES.items():
        if WRITTEN[kind](page).encode() != there[name]:
            wrong.append((name, f"it does not say what {file} says"))
    try:
        compared = Compared(there, predicate)
        compared.numbers_of_consumers = {line.of: line.values["number"] for line in page.lines() if line.says == "row"}
        wrong += [(file, sentence) for sentence in _of_whole(page, compared)]
    except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        return [*wrong, (file, f"it can't be compared: {error}")], []
    for line in page.lines():
        try:
            _compare(line, compared)
        except NotComparedError as error:
            told.append(f"a line of page one was not compared ({error}): {line}")
        except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
            wrong.append((file, f"a line is not what its source says ({error}): {line}"))
    return wrong, told


def _of_whole(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with the choice of lines; the table that is judged is chosen, too."""
    said = [line.says for line in page.lines()]
    sections = {title: [line.says for line in lines] for title, lines in page.sections}
    if page.title != seen(b.predicate["table"]["name"]):
        yield "its title is not the name of the table"
    if "sums-rounded" in said:
        b.judged = b.tables[DIVIDED]
    state = STATES[b.predicate["verdicts"][0]["verdict"]]
    if [says for says in said if says in STATES.values()] != [state] or sections["Verdict"][:1] != [state]:
        yield f"it does not begin its verdict with {SAYS[state]!r}"
    needed = ["subject", "size", "no-claim" if b.claimed is None else "claimed", "neighbours", "sign"]
    needed += ["claimed-delta"] if b.claimed is not None and b.claimed["delta"] != "0" else []
    needed += ["wrong"] if b.claimed is not None and b.claimed["quality"] == "wrong" else []
    needed += ["grid-steps"] if metric_of_grid(b.predicate["assumptions"][0].removeprefix("neighbours: ")) else []
    for says in needed:
        if said.count(says) != 1:
            yield f"it does not say {SAYS[says][:40]!r}, or twice"
    if {line.values["topic"] for line in page.lines() if line.says == "scope"} != set(TOPICS.values()) or said.count("scope") != len(
        TOPICS
    ):
        yield "it does not say of each topic who judged it"
    for part in b.certificates:
        named = re.match(r"consumer-[0-9]+", part)
        if named and not any(line.says == "row" and line.of == named[0] for line in page.lines()):
            yield f"it says nothing of {named[0]}"
    required = [line for line in page.lines() if line.says == "required"]
    if [(line.values["text"], line.values["status"], line.of) for line in required] != requirements_of_manifest(b):
        yield "its requirements are not those of the manifest, in their order"
    yield from (f"a certificate decides {text!r}, and it does not say so" for text in decided_elsewhere(b))
    yield from _numbered(page, b)
    for line in page.lines():
        if not line.shown and any(part == line.of or part.startswith(f"{line.of}-") for part in b.certificates):
            yield f"there is a certificate of {line.of}, and it says that there is none"


def _numbered(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with the numbers of consumers: those of the questions, and for each certificate one."""
    asked = [question for question in b.predicate["questions"] if question.startswith("how far")]
    named = [(line.values["number"], line.values["consumer"]) for line in page.lines() if line.says == "consumer"]
    if named != [(str(k), seen(text).removeprefix("how far from optimal it is for ")) for k, text in enumerate(asked, 1)]:
        yield "its consumers are not those of the questions, in their order"
    order: dict[str, int] = {}
    numbers: dict[str, set[str]] = {}
    parts = [part for part in b.certificates if re.fullmatch(r"consumer-[0-9]+-[a-z-]+", part)]
    for part in sorted(parts, key=lambda name: int(name.split("-")[1])):
        certificate = b.certificates[part]
        consumer = certificate["claim"]["consumer"]
        identity = json.dumps([consumer, certificate["definitions"][consumer["loss"]]], sort_keys=True)
        order.setdefault(identity, len(order) + 1)
        of = "-".join(part.split("-")[:2])
        numbers.setdefault(identity, set()).update(line.values["number"] for line in page.lines() if line.of == of)
    for identity, rank in order.items():
        if len(numbers[identity]) != 1 or (len(order) == len(asked) and numbers[identity] != {str(rank)}):
            yield f"the certificates of consumer {rank} are told of another one"


UNCERTIFIED = (
    *("own", "own-pure", "between", "between-infinite", "least-delta", "least-delta-between", "row", "bears", "bears-equal"),
    *("remap", "remap-none", "remap-many", "remap-random", "other-between", "event", "event-never", "event-printed"),
    "required",
    *("repair-epsilon", "repair-delta", "or-delta", "repair-uniform", "repair-uniform-printed", "as-stands", "more", "less", "equal"),
)
"""What may stand on page one without a certificate, and then says so."""


def _compare(line: Line, b: Compared) -> None:
    """Raise Differs unless a line says what its certificate, the table or the manifest says."""
    if not line.shown:
        if line.says not in UNCERTIFIED:
            raise Differs("it needs no certificate")
        return
    compare = _COMPARED.get(line.says)
    if compare is not None and not compare(b, line.values, line.of):
        raise Differs("it has other values")


Values = Mapping[str, str]


def _file(b: Compared, v: Values, what: str) -> bool:
    digests = {part["name"]: part["digest"]["sha256"] for part in b.predicate["parts"]}
    return any(
        (one["what"] == "table") == (what == "file") and brief(one["given"]) == v["given"] and digests[one["file"]] == v["digest"]
        for one in b.predicate["inputs"]
    )


def _table(b: Compared, v: Values, _: str) -> bool:
    return bool(sha256(b.there[TABLES]) == v["digest"])


def _word(b: Compared, v: Values, _: str) -> bool:
    return all(one["what"] != "table" for one in b.predicate["inputs"]) and brief(str(b.reading.get("table", ""))) == v["word"]


def _no_file(b: Compared, _v: Values, _: str) -> bool:
    return all(one["what"] != "table" for one in b.predicate["inputs"]) and "table" not in b.reading


def _size(b: Compared, v: Values, _: str) -> bool:
    labels = list(b.read.inputs)
    if _is_printed(b):
        labels = [label.removeprefix("lower ") for label in labels[: len(labels) // 2]]
    rows, columns = (v["rows"], v["inputs"]), (v["columns"], v["outputs"])
    return rows == (str(len(labels)), few(labels)) and columns == (str(len(b.read.outputs)), few(b.read.outputs))


def _is_printed(b: Compared) -> bool:
    return any("printed" in certificate["claim"] for certificate in b.certificates.values()) or "digits" in b.reading


def _plain(b: Compared) -> Sequence[Sequence[Fraction]]:
    """The numbers of the table as read, which are rational."""
    found = b.read.plain
    if found is None:
        raise NotComparedError("the table has irrational numbers")
    return found


def _doubles(b: Compared, _v: Values, _: str) -> bool:
    return all(Fraction(float(x)) == x for row in _plain(b) for x in row)


def _decimals(b: Compared, v: Values, _: str) -> bool:
    places = int(v["places"])
    return places <= 400 and all((x * 10**places).denominator == 1 for row in _plain(b) for x in row)


def _digits(b: Compared, v: Values, _: str) -> bool:
    """Whether numbers are printed so: the widest interval is 10^−digits, or half of it at an end."""
    if not _is_printed(b):
        return False
    if v["digits"] == AUTO or "digits" in b.reading:
        return digits_text(str(b.reading.get("digits", "auto"))) == v["digits"]
    places = int(v["digits"].split(" ")[0])
    widths = []
    for certificate in b.certificates.values():
        if "printed" in certificate["claim"]:
            definition = certificate["definitions"][certificate["claim"]["printed"]]
            powers, size = b.powers(certificate), len(definition["outputs"])
            for low, high in zip(definition["lower"], definition["upper"], strict=True):
                ends = zip(powers.vector(low, size), powers.vector(high, size), strict=True)
                widths += [combined(y, x, -1) for x, y in ends]
    unit = Fraction(1, 10**places)
    is_widest = any(b.compare(unit, x) == 0 or b.compare(unit / 2, x) == 0 for x in widths)
    return digits_text(str(places)) == v["digits"] and is_widest and all(b.compare(unit, x) >= 0 for x in widths)


def _irrational(b: Compared, has_powers: bool) -> bool:
    if b.read.plain is not None:
        return False
    return has_powers == any(exponents for row in b.read.rows for number in row for part in number for exponents in part)


def _row_totals(b: Compared) -> list[Any]:
    """What the sum of each row is above 1."""
    one = _as_number(b, Fraction(1))
    return [combined(_total(b, row), one, -1) for row in b.read.rows]


def _rows_off(b: Compared, v: Values, _: str) -> bool:
    excesses = _row_totals(b)
    signs = [sign_of(x) for x in excesses]
    place = _place(b.read.inputs, v["row"])
    excess, side = excesses[place], {1: "more", -1: "less", 0: ""}[signs[place]]
    size = excess if signs[place] >= 0 else combined(ZERO, excess, -1)
    return v["count"] == str(sum(map(bool, signs))) and v["side"] == side and b.near(v["excess"], size)


def _looks_rounded(b: Compared, v: Values, _: str) -> bool:
    """Whether numbers have so many places, and no row misses 1 by more than half a unit for each number."""
    numbers, places, bound = _plain(b), int(v["places"]), decimal(v["bound"])
    off = [abs(sum(row, Fraction(-1))) for row in numbers]
    fits = all((x * 10**places).denominator == 1 for row in numbers for x in row)
    is_least = any((x * 10**places).numerator % 10 for row in numbers for x in row)
    explained = all(x >= 0 for row in numbers for x in row) and max(off) <= Fraction(len(numbers[0]), 2 * 10**places)
    return fits and is_least and explained and 0 < max(off) <= bound <= Fraction(1, 100) and bound * (1 - TIGHT) <= max(off)


def _as_stands(b: Compared, v: Values, _: str) -> bool:
    stands, divided = b.number("level-as-it-stands", "ratio"), b.number("level-after-renormalising", "ratio")
    return b.epsilon_above(v["epsilon"], stands) and b.epsilon_above(v["divided"], divided)


def _least_quotient(rows: Sequence[Sequence[Fraction]], pairs: Sequence[tuple[int, int]]) -> Fraction:
    """The least quotient of two numbers of a column in neighbouring rows."""
    ratios = (min(x, y) / max(x, y) for i, j in pairs for x, y in zip(rows[i], rows[j], strict=True) if x != y)
    return min(ratios, default=Fraction(1))


def _repair_uniform(b: Compared, v: Values, _: str) -> bool:
    """Whether a mixture with the uniform mechanism keeps the claim, and none with a smaller share."""
    share = decimal(v["share"])
    if b.judged.plain is None or b.claimed["delta"] != "0":
        raise NotComparedError("its numbers are irrational")
    order = [b.judged.inputs.index(label) for label in _labels_in_order(b)]
    rows, pairs = [b.judged.plain[i] for i in order], b.pairs()
    return 0 <= share <= 1 and _mixture_keeps(b, rows, pairs, share) and not _mixture_keeps(b, rows, pairs, share * (1 - TIGHT))


def _mixture_keeps(b: Compared, rows: Sequence[Sequence[Fraction]], pairs: Sequence[tuple[int, int]], share: Fraction) -> bool:
    mixed = [[(1 - share) * x + share / len(row) for x in row] for row in rows]
    return b.compare(_least_quotient(mixed, pairs), b.level()) >= 0


def _repair_uniform_printed(b: Compared, v: Values, of: str) -> bool:
    """The same for every table that prints so: the least number of an entry beside its neighbour's largest.

    The rows of these tables are independent of each other, so that one of them has both.
    """
    share, certificate = decimal(v["share"]), b.part(of)
    definition = certificate["definitions"][certificate["claim"]["printed"]]
    if b.claimed["delta"] != "0" or certificate["definitions"][certificate["claim"]["neighbours"]]["type"] == "distances":
        raise NotComparedError("it is beside a δ, or at several distances")
    ends = []
    for lower, upper in zip(*(_rational_rows(b, certificate, definition[key]) for key in ("lower", "upper")), strict=True):
        least = [max(x, 1 - sum(upper) + y) for x, y in zip(lower, upper, strict=True)]
        most = [min(y, 1 - sum(lower) + x) for x, y in zip(lower, upper, strict=True)]
        ends.append((least, most))
    pairs = [pair for i, j in b.pairs() for pair in ((i, j), (j, i))]

    def keeps(part: Fraction) -> bool:
        quotients = []
        for i, j in pairs:
            for x, y in zip(ends[i][0], ends[j][1], strict=True):
                low, high = ((1 - part) * z + part / len(ends[i][0]) for z in (x, y))
                quotients += [low / high] if high else []
        return b.compare(min(quotients, default=Fraction(1)), b.level()) >= 0

    return 0 <= share <= 1 and keeps(share) and not keeps(share * (1 - TIGHT))


def _rational_rows(b: Compared, certificate: Mapping[str, Any], rows: Sequence[Any]) -> list[list[Fraction]]:
    """Rows of numbers of a certificate that are rational."""
    size = len(certificate["definitions"][certificate["claim"]["printed"]]["outputs"])
    read = [b.powers(certificate).vector(row, size) for row in rows]
    if any(den != constant(Fraction(1)) or set(num) - {()} for row in read for num, den in row):
        raise NotComparedError("its numbers are irrational")
    return [[num.get((), Fraction(0)) for num, _ in row] for row in read]


def _exact(b: Compared, _v: Values, _: str) -> bool:
    return not _is_printed(b) and b.read.plain is not None


def _deviation(b: Compared) -> list[Any]:
    """What rows lack to 1, and negative numbers, all as numbers ≥ 0."""
    found = []
    for row in b.read.rows:
        total = ZERO
        for x in row:
            total = reduced(*combined(total, x, 1))
            if sign_of(x) < 0:
                found.append(combined(ZERO, x, -1))
        excess = combined(total, (constant(Fraction(1)), constant(Fraction(1))), -1)
        found.append(excess if sign_of(excess) >= 0 else combined(ZERO, excess, -1))
    return found


def _sums_exact(b: Compared, _v: Values, _: str) -> bool:
    return all(sign_of(x) == 0 for x in _deviation(b))


def _sums_off(b: Compared, v: Values, _: str) -> bool:
    d = decimal(v["deviation"])
    off = _deviation(b)
    return d > 0 and all(b.compare(d, x) >= 0 for x in off) and any(b.compare(d * (1 - TIGHT), x) <= 0 for x in off)


def _claimed(b: Compared, v: Values, _: str) -> bool:
    return b.epsilon_above(v["epsilon"], b.level()) and _factor(b, v["factor"], b.level())


def _factor(b: Compared, shown: str, level: Any) -> bool:
    """Whether a decimal is 1 over a level, rounded up."""
    d = decimal(shown)
    if d <= 0:
        raise Differs("a factor is none")
    return b.compare(1 / d, level) <= 0 and b.compare(1 / (d * (1 - TIGHT)), level) >= 0


def _claimed_delta(b: Compared, v: Values, _: str) -> bool:
    exact = Fraction(b.claimed["delta"])
    return exact <= decimal(v["delta"]) <= exact / (1 - TIGHT)


def _neighbours(b: Compared, v: Values, _: str) -> bool:
    words = neighbours_words(v["name"])
    _require_pairs(b, v["name"])
    name = b.predicate["assumptions"][0].removeprefix("neighbours: ")
    return words == v["words"] and brief(name) == v["name"] and (b.claimed is None or b.claimed["neighbours"] == name)


def _grid_steps(b: Compared, v: Values, _: str) -> bool:
    return v["metric"] != "" and v["metric"] == metric_of_grid(b.predicate["assumptions"][0].removeprefix("neighbours: "))


def _require_pairs(b: Compared, name: str) -> None:
    """Raise Differs if a path or a complete graph is not that of the certificates."""
    named = re.match(r"(path|complete):([0-9]{1,6})(?![0-9])", name)
    if named is None or not any("neighbours" in certificate["claim"] for certificate in b.certificates.values()):
        return
    pairs, size = sorted(b.pairs()), int(named[2])
    right = pairs == [(i, i + 1) for i in range(size - 1)] if named[1] == "path" else len(pairs) == size * (size - 1) // 2
    if not right:
        raise Differs("the neighbours of the certificates are others")


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
    return worst if plain is None or worst is None else (_as_number(b, worst[0]), _as_number(b, worst[1]))


def _distance_ratios(b: Compared) -> dict[int, Fraction]:
    """For each squared distance of points of the grid the least quotient of two numbers of a column."""
    name = b.predicate["assumptions"][0].removeprefix("neighbours: ")
    sides = [int(side) for side in metric_of_grid(name).removeprefix("euclid:").split("x")]  # ValueError for another graph
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
        enough = enough and _power_beside(b, d * below, ratio) <= 0
        near = near or _power_beside(b, d * (1 - NEAR) * above, ratio) >= 0
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


def _power_beside(b: Compared, exponent: Fraction, ratio: Fraction) -> int:
    """The sign of e^(−exponent) minus a rational."""
    return int(sign_of(combined(b.power(exponent), _as_number(b, ratio), -1)))


def _as_number(b: Compared, x: Fraction) -> Any:
    return constant(x), constant(Fraction(1))


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


def _other(b: Compared, v: Values, holds: bool | None) -> bool:
    if _is_printed(b):
        raise NotComparedError("it is of printed tables")
    if v["words"] == NEIGHBOURS["euclid"]:
        return _other_at_distances(b, v["epsilon"], holds)
    worst = _other_ratio(b, v["words"])
    if worst is None:
        return v["epsilon"] == "0"
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


def _other_delta(b: Compared, words: str) -> bool:
    """Whether a claim with δ > 0 holds of the other neighbours."""
    size = len(b.judged.rows)
    pairs = [(i, j) for i in range(size) for j in range(size) if (i != j if words == NEIGHBOURS["complete"] else abs(i - j) == 1)]
    if b.judged.plain is None:
        raise NotComparedError("its numbers are irrational")
    numbers = [[(x, x) for x in row] for row in b.judged.plain]
    return _certain(_keeps(b, numbers, pairs, end) for end in (0, 1))


def _certain(answers: Iterator[bool]) -> bool:
    found = set(answers)
    if len(found) != 1:
        raise NotComparedError("its numbers are too near to a bound")
    return found.pop()


def _keeps(
    b: Compared, spread: Sequence[Sequence[tuple[Fraction, Fraction]]], pairs: Sequence[tuple[int, int]], end: int, at: int = 0
) -> bool:
    """Whether Σ_r max(0, x_ir − e^ε·x_jr) ≤ δ for every pair, with e^ε from below or from above."""
    level = b.level()
    if len(pairs) * len(spread[0]) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    ends = [enclosed(part, 512) for part in level]
    low, high = ends[0][0] / ends[1][1], ends[0][1] / ends[1][0]
    factor = 1 / high if end == 0 else 1 / low
    delta = Fraction(b.claimed["delta"])
    for i, j in pairs:
        excess = Fraction(0)
        for x, y in zip(spread[i], spread[j], strict=True):
            excess += max(x[at] - factor * y[1 - at], Fraction(0))
        if excess > delta:
            return False
    return True


def _stored_as(x: Fraction, places: int | None) -> tuple[Fraction, Fraction]:
    """The least and the largest number that is stored as x, a double or a decimal."""
    if places is not None:
        half = Fraction(1, 2 * 10**places)
        return max(x - half, Fraction(0)), x + half
    if x <= 0:
        return x, x
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > x
    half = Fraction(2) ** (exponent - 53)
    return x - (half / 2 if Fraction(2) ** exponent == x else half), x + half


def _within(b: Compared, v: Values, fails: bool) -> bool:
    numbers = _plain(b)
    places: int | None = None
    if v["numbers"] == "decimals":
        places = next(k for k in range(401) if all((x * 10**k).denominator == 1 for row in numbers for x in row))
    elif v["numbers"] != "doubles" or not _doubles(b, v, ""):
        return False
    order = _rows_in_order(b)
    spread = [[_stored_as(x, places) for x in numbers[i]] for i in order]
    pairs = [pair for i, j in b.pairs() for pair in ((i, j), (j, i))]
    return _certain(_keeps(b, spread, pairs, end, 0 if fails else 1) for end in (0, 1)) == fails


def _rows_in_order(b: Compared) -> Sequence[int]:
    """The rows of the table as read in the order of the neighbours of certificates."""
    return [b.read.inputs.index(label) for label in _labels_in_order(b)]


def _labels_in_order(b: Compared) -> Sequence[str]:
    for certificate in b.certificates.values():
        table = table_of(certificate)
        if table is not None and "neighbours" in certificate["claim"]:
            return list(table.inputs)
    raise Differs("no certificate names the neighbours")


def _own(b: Compared, v: Values, _: str) -> bool:
    return b.epsilon_above(v["epsilon"], b.own()) and _factor(b, v["factor"], b.own())


def _own_infinite(b: Compared, _v: Values, _: str) -> bool:
    return sign_of(b.own()) == 0


def _ends(b: Compared) -> tuple[Any, Any]:
    """The levels of the smallest and of the largest ε of tables that print so."""
    for part in ("smallest-epsilon", "largest-epsilon"):
        if b.part(part)["claim"].get("distance", "1") != "1":
            raise NotComparedError("the distance is another one than 1")
    return b.number("smallest-epsilon", "ratio"), b.number("largest-epsilon", "ratio")


def _between(b: Compared, v: Values, _: str) -> bool:
    low, high = _ends(b)
    return b.epsilon_below(v["low"], low) and b.epsilon_above(v["high"], high)


def _between_infinite(b: Compared, v: Values, _: str) -> bool:
    low, high = _ends(b)
    return b.epsilon_below(v["low"], low) and sign_of(high) == 0


def _more(b: Compared, v: Values, _: str) -> bool:
    d = decimal(v["difference"])
    own, level = b.own(), b.level()
    enough = sign_of(combined(b.times(level, b.power(d)), own, -1)) <= 0
    return bool(enough and sign_of(combined(b.times(level, b.power(d * (1 - TIGHT))), own, -1)) >= 0)


def _equal(b: Compared, _v: Values, _: str) -> bool:
    return sign_of(combined(b.own(), b.level(), -1)) == 0


def _less_than_claimed(b: Compared, _v: Values, _: str) -> bool:
    return sign_of(combined(b.own(), b.level(), -1)) > 0


def _least_delta(b: Compared, v: Values, _: str) -> bool:
    return b.above(v["delta"], b.number("delta", "delta"))


def _least_delta_between(b: Compared, v: Values, _: str) -> bool:
    low, high = b.number("smallest-delta", "delta"), b.number("largest-delta", "delta")
    d = decimal(v["low"])
    return b.compare(d, low) <= 0 and b.compare(d * (1 + TIGHT), low) >= 0 and b.above(v["high"], high)


def _event(b: Compared, v: Values, of: str) -> bool:
    """The probabilities of an event under two inputs; a long one is that of the certificate."""
    part = b.part(of)
    i, j = _place(b.judged.inputs, v["first"]), _place(b.judged.inputs, v["second"])
    labels = b.judged.outputs
    named = [k for k, label in enumerate(labels) if point(label) in re.split(r", (?![^(]*\))", v["outputs"])]
    if few([labels[k] for k in named]) != v["outputs"]:
        table = _table_of(part)
        named = [labels.index(table.outputs[r]) for r in part["witness"]["event"]] if of == "level" else _exceeding(b, i, j)
    if not named or few([labels[k] for k in named]) != v["outputs"]:
        return False
    likely, unlikely = (_total(b, [b.judged.rows[k][r] for r in named]) for k in (i, j))
    if not b.near(v["likely"], likely):
        return False
    if "unlikely" not in v:
        return sign_of(unlikely) == 0
    quotient = reduced(multiplied(likely[0], unlikely[1]), multiplied(likely[1], unlikely[0]))
    return b.near(v["unlikely"], unlikely) and b.near(v["ratio"], quotient)


def _table_of(certificate: Mapping[str, Any]) -> Grid:
    """The table that a certificate names."""
    found = table_of(certificate)
    if found is None:
        raise Differs("a certificate names no table")
    return found


def _place(labels: Sequence[str], shown: str) -> int:
    """The number of a label, by how it is shown."""
    found = [k for k, label in enumerate(labels) if point(label) == shown]
    if len(found) != 1:
        raise Differs(f"{shown!r} is no label, or several")
    return found[0]


def _exceeding(b: Compared, i: int, j: int) -> list[int]:
    """The outputs r with x_ir > e^ε·x_jr, at the claimed ε."""
    level, found = b.level(), list[int]()
    for r, (x, y) in enumerate(zip(b.judged.rows[i], b.judged.rows[j], strict=True)):
        if sign_of(combined(b.times(x, level), y, -1)) > 0:
            found.append(r)
    return found


def _total(b: Compared, numbers: Sequence[Any]) -> Any:
    found = ZERO
    for x in numbers:
        found = reduced(*combined(found, x, 1))
    return found


def _event_printed(b: Compared, v: Values, of: str) -> bool:
    certificate = b.part(of)
    definition = certificate["definitions"][certificate["claim"]["printed"]]
    rows = [b.powers(certificate).vector(row, len(definition["outputs"])) for row in certificate["witness"]["table"]]
    i, j = _place(definition["inputs"], v["first"]), _place(definition["inputs"], v["second"])
    r = _place(definition["outputs"], v["outputs"])
    return b.near(v["likely"], rows[i][r]) and b.near(v["unlikely"], rows[j][r])


def _repair_epsilon(b: Compared, v: Values, of: str) -> bool:
    if of == "largest-epsilon":
        return b.epsilon_above(v["epsilon"], _ends(b)[1])
    return b.claimed["delta"] == "0" and b.epsilon_above(v["epsilon"], b.own())


def _repair_delta(b: Compared, v: Values, of: str) -> bool:
    return b.above(v["delta"], b.number(of, "delta"))


def _consumer(b: Compared, v: Values, _: str) -> bool:
    asked = f"how far from optimal it is for {v['consumer']}"
    return asked in map(seen, b.predicate["questions"]) and v["words"] == consumer_words(v["consumer"])


def _row(b: Compared, v: Values, of: str) -> bool:
    """The numbers of a consumer: as its certificates say them, losses or minus them."""
    deployed, remapped = b.certificates.get(f"{of}-deployed"), b.certificates.get(f"{of}-after-remap")
    known = deployed or remapped
    if known is None:
        raise Differs(f"there is no certificate of {of}")
    if (deployed is None) != (v["deployed"] == "–") or (remapped is None) != (v["remapped"] == "–"):
        return False
    value = b.powers(known).scalar(known["claim"]["value"])
    sign = 1 if b.near(v["optimum"], value) else -1
    if not b.near(v["optimum"], _signed(b, value, sign)):
        return False
    level = v["epsilon"].split(" ")[0]
    right = b.epsilon_above(level, b.powers(known).scalar(known["claim"]["level"]))
    for certificate, loss, gap in ((deployed, "deployed", "gap"), (remapped, "remapped", "gap_after")):
        if certificate is None:
            right = right and v[gap] == "–"
            continue
        powers, claim = b.powers(certificate), certificate["claim"]
        right = right and b.near(v[loss], _signed(b, powers.scalar(claim.get("loss", claim["value"])), sign))
        right = right and _gap(b, v[gap], powers.scalar(claim["gap"]) if "gap" in claim else ZERO, _signed(b, value, sign))
    return right


def _signed(b: Compared, x: Any, sign: int) -> Any:
    return x if sign == 1 else combined(ZERO, x, -1)


def _gap(b: Compared, shown: str, gap: Any, optimum: Any) -> bool:
    """Whether a gap is shown in percent of the optimum, or as it is where that is 0; 0 is said as optimal."""
    if sign_of(gap) == 0:
        return shown == "0: optimal"
    if sign_of(optimum) == 0:
        return b.above(shown, gap)
    size = optimum if sign_of(optimum) > 0 else combined(ZERO, optimum, -1)
    d = percentage(shown) / 100
    bounds = [combined(b.times(size, _as_number(b, x)), gap, -1) for x in (d, d * (1 - TIGHT))]
    return bool(sign_of(bounds[0]) >= 0 and sign_of(bounds[1]) <= 0)


def _bears(b: Compared, v: Values, of: str) -> bool:
    guesses, loss = b.loss(f"{of}-deployed")
    certificate = b.part(f"{of}-deployed")
    table = _table_of(certificate)
    columns = [table.outputs.index(guess) for guess in guesses]
    consumer = certificate["claim"]["consumer"]
    possible = consumer.get("side_information", range(len(table.inputs)))
    expected: dict[str, list[Any]] = {}
    for i in possible:
        scaled = [b.times(table.rows[i][c], _as_number(b, x)) for c, x in zip(columns, loss[i], strict=True) if x]
        expected.setdefault(point(table.inputs[i]), []).append(_total(b, scaled))
    sign = {"loss": 1, "utility": -1}[v["measure"]]
    everything = [_signed(b, x, sign) for values in expected.values() for x in values]
    if "worst" not in v:
        return all(b.near(v["most"], x) for x in everything)
    most = any(b.near(v["most"], _signed(b, x, sign)) for x in expected[v["worst"]])
    least = any(b.near(v["least"], _signed(b, x, sign)) for x in expected[v["best"]])
    ends = [decimal(v["most"]), decimal(v["least"])]
    far = [abs(x) * NEAR for x in ends]
    inside = all(b.compare(ends[0] + far[0], x) >= 0 and b.compare(ends[1] - far[1], x) <= 0 for x in everything)
    return most and least and inside


def _moves(b: Compared, of: str) -> list[tuple[str, str]] | None:
    """The best remap of a certificate as pairs of an output and a guess that differ; None if it is random."""
    certificate = b.part(f"{of}-after-remap")
    guesses, _ = b.loss(f"{of}-after-remap")
    table = _table_of(certificate)
    found = []
    for output, row in zip(table.outputs, certificate["witness"]["remap"], strict=True):
        numbers = b.powers(certificate).vector(row, len(guesses))
        places = [k for k, x in enumerate(numbers) if x[0]]
        if len(places) != 1:
            return None
        if guesses[places[0]] != output:
            found.append((output, guesses[places[0]]))
    return found


def _remap(b: Compared, v: Values, of: str) -> bool:
    return v["moves"] == moves_text(_moves(b, of) or [])


def _remap_none(b: Compared, _v: Values, of: str) -> bool:
    return _moves(b, of) == []


def _remap_many(b: Compared, v: Values, of: str) -> bool:
    return v["count"] == str(len(_moves(b, of) or []))


def _remap_random(b: Compared, _v: Values, of: str) -> bool:
    return _moves(b, of) is None


def _scope(b: Compared, v: Values, _: str) -> bool:
    """Only the guarantee, and the usefulness for who was named, are decided here."""
    topic = {words: key for key, words in TOPICS.items()}[v["topic"]]
    if v["status"] == DECIDED:
        verdict = b.predicate["verdicts"][0]["verdict"]
        decided = {
            "guarantee": verdict in ("proved", "refuted", "no claim"),
            "utility": any(q.startswith("how far") for q in b.predicate["questions"]),
        }
        return decided.get(topic, False) and v["text"] == "see above"
    if v["status"] == UNDECIDED:
        return topic == "guarantee" and b.predicate["verdicts"][0]["verdict"] == "undecided" and not v["text"]
    if v["status"] == STATED:
        return topic in STATEMENTS and bool(v["text"])
    return v["status"] == OPEN and not v["text"]


def _made(b: Compared, v: Values, _: str) -> bool:
    return bool(v["date"] == b.predicate["date"] and v["release"] == b.predicate["exactdp"])


def _version(b: Compared, v: Values, _: str) -> bool:
    return bool(v["release"] == b.predicate["exactdp"])


def _command(b: Compared, v: Values, _: str) -> bool:
    return v["command"] == seen(quoted(b.predicate["command"]))


_COMPARED: dict[str, Callable[[Compared, Values, str], bool]] = {
    "subject": lambda b, v, _: v["name"] == seen(b.predicate["table"]["name"]),
    "file": lambda b, v, _: _file(b, v, "file"),
    "other-file": lambda b, v, _: _file(b, v, "other-file"),
    "word": _word,
    "no-file": _no_file,
    "table": _table,
    "size": _size,
    "numbers-exact": _exact,
    "numbers-decimals": _decimals,
    "numbers-doubles": _doubles,
    "numbers-digits": _digits,
    "numbers-powers": lambda b, _v, _: _irrational(b, has_powers=True),
    "numbers-irrational": lambda b, _v, _: _irrational(b, has_powers=False),
    "rows-off": _rows_off,
    "looks-rounded": _looks_rounded,
    "as-stands": _as_stands,
    "renormalised": lambda b, _v, _: bool(b.reading.get("renormalise")),
    "transposed": lambda b, _v, _: bool(b.reading.get("transpose")),
    "sums-exact": _sums_exact,
    "sums-rounded": _sums_off,
    "sums-wrong": _sums_off,
    "no-claim": lambda b, _v, _: b.claimed is None,
    "claimed": _claimed,
    "claimed-delta": _claimed_delta,
    "neighbours": _neighbours,
    "grid-steps": _grid_steps,
    "other": lambda b, v, _: _other(b, v, None),
    "other-holds": lambda b, v, _: _other(b, v, True),
    "other-fails": lambda b, v, _: _other(b, v, False),
    "within-fails": lambda b, v, _: _within(b, v, True),
    "within-holds": lambda b, v, _: _within(b, v, False),
    "wrong": lambda b, _v, _: b.claimed is not None and b.claimed["quality"] == "wrong",
    "own": _own,
    "own-pure": _own,
    "own-infinite": _own_infinite,
    "between": _between,
    "between-infinite": _between_infinite,
    "more": _more,
    "equal": _equal,
    "less": _less_than_claimed,
    "least-delta": _least_delta,
    "least-delta-between": _least_delta_between,
    "event": _event,
    "event-never": _event,
    "event-printed": _event_printed,
    "repair-epsilon": _repair_epsilon,
    "repair-delta": _repair_delta,
    "or-delta": _repair_delta,
    "repair-uniform": _repair_uniform,
    "repair-uniform-printed": _repair_uniform_printed,
    "required": requirement_is_right,
    "late": lambda b, _v, _: b.predicate["verdicts"][0]["verdict"] == "undecided",
    "nobody": lambda b, _v, _: not any(question.startswith("how far") for question in b.predicate["questions"]),
    "consumer": _consumer,
    "row": _row,
    "not-kept": lambda b, _v, _: b.predicate["verdicts"][0]["verdict"] == "refuted",
    "bears": _bears,
    "bears-equal": _bears,
    "remap": _remap,
    "remap-none": _remap_none,
    "remap-many": _remap_many,
    "remap-random": _remap_random,
    "scope": _scope,
    "made": _made,
    "version": _version,
    "command": _command,
}
"""How the values of a sentence are compared; the other sentences have none, or are the auditor's own."""
