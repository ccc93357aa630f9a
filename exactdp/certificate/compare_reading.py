# SPDX-License-Identifier: MIT
"""Lines of page one on the table: files, size, how numbers were read, what digits can show.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from exactdp.certificate.bundle_files import TABLES, sha256
from exactdp.certificate.bundle_tables import ZERO, NotComparedError, combined, has_decimals, numbers_of_file, sign_of
from exactdp.certificate.compare_numbers import (
    MOST_COMPARED,
    ROUNDED_BELOW,
    Values,
    all_keep_claim,
    are_printed_doubles,
    as_number,
    one_answer,
    place_of,
    places_of,
    plain_numbers,
    rows_in_order,
    stored_as,
    sum_of,
)
from exactdp.certificate.page_one import AUTO, Page, brief, digits_text, few, title_shown
from exactdp.certificate.page_one_sources import TIGHT, Compared, decimal, whole


def _read_file(b: Compared) -> tuple[list[list[Fraction]], bool] | None:
    """The numbers of the file in the order of the table, and whether it names its rows; None: not known."""
    for one in b.predicate["inputs"]:
        if one["what"] == "table" and one["file"] in b.there:
            return numbers_of_file(b.there[one["file"]], b.read, b.reading)
    return None


def are_rows_named(b: Compared) -> bool | None:
    """Whether the file names its rows; None where this program does not read it."""
    read = _read_file(b)
    return None if read is None else read[1]


def file_numbers(b: Compared) -> list[list[Fraction]] | None:
    """The numbers of the file, or of the table as read where no row was divided before."""
    if b.reading.get("renormalise"):
        read = _read_file(b)
        return None if read is None else read[0]
    plain = None if b.is_printed else b.read.plain
    return None if plain is None else [list(row) for row in plain]


def judged_numbers(b: Compared) -> list[list[Fraction]] | None:
    """The numbers that were judged, if they are rational, and no table that prints so."""
    plain = None if b.is_printed else b.judged.plain
    return None if plain is None else [list(row) for row in plain]


def _divided_places(b: Compared) -> int | None:
    """The decimal places of the file where rows were divided; 0 for doubles; None where none were."""
    file = file_numbers(b)
    if file is None or file == judged_numbers(b):
        return None
    return 0 if b.reading.get("dyadic") or are_printed_doubles(file) else places_of(file)


def is_another(b: Compared) -> bool:
    """Whether what holds with rows divided by their sums need not hold of what the file shows."""
    places, file = _divided_places(b), file_numbers(b)
    if places is None or file is None or b.quality == "wrong":
        return False
    if not places:
        faults = [abs(sum(row, Fraction(-1))) for row in file] + [-x for row in file for x in row]
        return bool(max(faults) > ROUNDED_BELOW)
    return b.claimed is not None and _box_keeps(b, file, places) is not True


def precision_of_file(b: Compared, said: Collection[str]) -> str:
    """How the numbers of the file were read: exact, as decimals or as doubles.

    Of a file that this program doesn't read it is what the page says; NotComparedError if that is more than
    a decimal in the file allows.
    """
    if b.reading.get("dyadic"):
        return "doubles"
    for one in b.predicate["inputs"]:
        if one["what"] == "table" and one["file"] in b.there:
            decimals = has_decimals(b.there[one["file"]], b.read, b.reading)
            read = _read_file(b)
            if decimals is not None and read is not None:
                if not decimals or not places_of(read[0]):
                    return "exact"
                return "printed doubles" if are_printed_doubles(read[0]) else "decimals"
    lines = {"numbers-decimals": "decimals", "numbers-doubles": "doubles", "numbers-printed-doubles": "printed doubles"}
    told = next((word for says, word in lines.items() if says in said), "exact")
    files = (b.there.get(one["file"], b"") for one in b.predicate["inputs"] if one["what"] == "table")
    if told == "exact" and any(re.search(rb"[0-9]\.[0-9]", content) for content in files):
        raise NotComparedError("the file of the table has decimals, and this program does not read it")
    return told


def is_plain_decimals(b: Compared, page: Page) -> bool:
    """Whether a table that is judged as it was read is of decimals."""
    file = file_numbers(b)
    is_exact = file is not None and file == judged_numbers(b)
    return is_exact and precision_of_file(b, {line.says for line in page.lines()}) == "decimals"


def is_within(b: Compared, precision: str, fails: bool) -> bool:
    """Whether numbers that are stored as those of the table have the other verdict; False if unknown."""
    if precision == "exact" or b.neighbours.startswith("euclid:"):
        return False
    try:
        return _within(b, {"numbers": "decimals" if precision == "decimals" else "doubles"}, fails)
    except (NotComparedError, StopIteration):
        return False


def all_that_print_so_keep(b: Compared) -> bool | None:
    """Whether all tables that print so keep a claim with δ = 0; None where this is not known."""
    file = file_numbers(b)
    return None if file is None else _box_keeps(b, file, places_of(file))


def _box_keeps(b: Compared, numbers: Sequence[Sequence[Fraction]], places: int) -> bool | None:
    """Whether all tables that print so keep a claim with δ = 0; None if there are none, or unknown."""
    worst = _box_quotient(b, numbers, places)
    return None if worst is None else b.compare(worst, b.level()) >= 0


def _box_quotient(b: Compared, numbers: Sequence[Sequence[Fraction]], places: int) -> Fraction | None:
    """The least quotient of numbers of neighbouring rows in all tables that print so; None as above.

    Rows are independent of each other, and the least and the largest value of an entry are attained.
    """
    if b.claimed is None or b.claimed["delta"] != "0" or b.neighbours.startswith("euclid:"):
        return None
    half, one, zero = Fraction(1, 2 * 10**places), Fraction(1), Fraction(0)
    ends = []
    for row in numbers:
        lower, upper = [max(x - half, zero) for x in row], [min(x + half, one) for x in row]
        if any(low > high for low, high in zip(lower, upper, strict=True)) or not sum(lower) <= 1 <= sum(upper):
            return None
        room, lack = 1 - sum(lower), 1 - sum(upper)
        pairs = list(zip(lower, upper, strict=True))
        ends.append([(max(low, high + lack), min(high, low + room)) for low, high in pairs])
    order = rows_in_order(b)
    if len(b.pairs()) * len(ends[0]) > MOST_COMPARED:
        return None
    worst = Fraction(1)
    for i, j in b.pairs():
        for x, y in zip(ends[order[i]], ends[order[j]], strict=True):
            for least, largest in ((x[0], y[1]), (y[0], x[1])):
                worst = min(worst, least / largest if largest else worst)
    return worst


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
    labels = b.inputs
    rows, columns = (v["rows"], v["inputs"]), (v["columns"], v["outputs"])
    return rows == (str(len(labels)), few(labels)) and columns == (str(len(b.read.outputs)), few(b.read.outputs))


def _doubles(b: Compared, _v: Values, _: str) -> bool:
    return all(Fraction(float(x)) == x for row in plain_numbers(b) for x in row)


def _printed_doubles(b: Compared, v: Values, of: str) -> bool:
    return not b.reading.get("dyadic") and are_printed_doubles(plain_numbers(b)) and _decimals(b, v, of)


def _decimals(b: Compared, v: Values, _: str) -> bool:
    return whole(v["places"]) == places_of(plain_numbers(b))


def is_printed_with(b: Compared, v: Values, _: str) -> bool:
    """Whether numbers are printed so: each interval is as wide as its digits say, or cut off at 0 or 1."""
    if not b.is_printed:
        return False
    told = str(b.reading.get("digits", AUTO if v["digits"] == AUTO else v["digits"].split(" ")[0]))
    told = "auto" if told == AUTO else told
    if digits_text(told) != v["digits"]:
        return False
    widths = list(_widths(b))
    if told == "auto":
        return all(width == 0 or _is_unit(width) or not is_whole for width, is_whole in widths)
    unit = Fraction(1, 10 ** whole(told))
    is_widest = any(width == (unit if is_whole else unit / 2) for width, is_whole in widths)
    return is_widest and all(width == unit if is_whole else width <= unit for width, is_whole in widths)


def _widths(b: Compared) -> Iterator[tuple[Fraction, bool]]:
    """How wide each interval of a printed table is, and whether it is cut off at neither end."""
    numbers = plain_numbers(b)
    half = len(numbers) // 2
    for lower, upper in zip(numbers[:half], numbers[half:], strict=True):
        for low, high in zip(lower, upper, strict=True):
            yield high - low, low > 0 and high < 1


def _is_unit(width: Fraction) -> bool:
    """Whether a width is 1, 1/10, 1/100, and so on."""
    return width.numerator == 1 and str(width.denominator).rstrip("0") == "1"


def _irrational(b: Compared, has_powers: bool) -> bool:
    if b.read.plain is not None:
        return False
    return has_powers == any(exponents for row in b.read.rows for number in row for part in number for exponents in part)


def _row_totals(b: Compared) -> list[Any]:
    """What the sum of each row is above 1."""
    one = as_number(b, Fraction(1))
    return [combined(sum_of(b, row), one, -1) for row in b.read.rows]


def _rows_off(b: Compared, v: Values, _: str) -> bool:
    excesses = _row_totals(b)
    signs = [sign_of(x) for x in excesses]
    place = place_of(b.read.inputs, v["row"])
    excess, side = excesses[place], {1: "more", -1: "less", 0: ""}[signs[place]]
    size = excess if signs[place] >= 0 else combined(ZERO, excess, -1)
    return v["count"] == str(sum(map(bool, signs))) and v["side"] == side and b.near(v["excess"], size)


def is_explained(b: Compared) -> bool:
    """Whether rounding to the places of the numbers explains what makes them no mechanism."""
    return b.read.plain is not None and _looks_rounded(b, {"places": str(places_of(b.read.plain))}, "")


def _looks_rounded(b: Compared, v: Values, _: str) -> bool:
    """Whether numbers have so many places, and no row misses 1 by more than half a unit for each number."""
    numbers, places = plain_numbers(b), whole(v["places"])
    off = [abs(sum(row, Fraction(-1))) for row in numbers]
    explained = all(x >= 0 for row in numbers for x in row) and max(off) <= Fraction(len(numbers[0]), 2 * 10**places)
    return places_of(numbers) == places and explained and 0 < max(off) <= Fraction(1, 100)


def _exact(b: Compared, _v: Values, _: str) -> bool:
    return not b.is_printed and b.read.plain is not None


def _sums_exact(b: Compared, _v: Values, _: str) -> bool:
    return not b.is_printed and b.is_mechanism


def _sums_off(b: Compared, v: Values, _: str) -> bool:
    d = decimal(v["deviation"])
    off = b.deviation()
    return d > 0 and all(b.compare(d, x) >= 0 for x in off) and any(b.compare(d * (1 - TIGHT), x) <= 0 for x in off)


def _within(b: Compared, v: Values, fails: bool) -> bool:
    numbers = plain_numbers(b)
    places: int | None = None
    if v["numbers"] == "decimals":
        places = next(k for k in range(401) if all((x * 10**k).denominator == 1 for row in numbers for x in row))
    elif v["numbers"] != "doubles":
        return False
    elif not b.reading.get("dyadic") and are_printed_doubles(numbers):
        numbers = [[Fraction(float(x)) for x in row] for row in numbers]
    elif not _doubles(b, v, ""):
        return False
    order = rows_in_order(b)
    spread = [[stored_as(x, places) for x in numbers[i]] for i in order]
    pairs = [pair for i, j in b.pairs() for pair in ((i, j), (j, i))]
    return one_answer(all_keep_claim(b, spread, pairs, end, 0 if fails else 1) for end in (0, 1)) == fails


def _holds_divided(b: Compared, v: Values, _: str) -> bool:
    places = _divided_places(b)
    if places is None and b.reading.get("renormalise") and file_numbers(b) is None:
        raise NotComparedError("this program does not read its file")
    return is_another(b) and v.get("places", "0") == str(places)


def _divided(b: Compared, v: Values, _: str) -> bool:
    file, judged = file_numbers(b), judged_numbers(b)
    if file is None or judged is None:
        raise NotComparedError("this program does not read its file")
    pairs = zip(file, judged, strict=True)
    most = max(abs(x - y) for row, other in pairs for x, y in zip(row, other, strict=True))
    return most <= decimal(v["farthest"]) <= most / (1 - TIGHT)


def _has_places(b: Compared, v: Values) -> bool:
    file = file_numbers(b)
    return file is not None and v["places"] == str(places_of(file))


def _holds_printed(b: Compared, v: Values, _: str) -> bool:
    """Whether some table that prints so breaks the claim, and which ε all of them keep."""
    file = file_numbers(b)
    if file is None or not _has_places(b, v) or v["digits"] != digits_text(v["places"]) or all_that_print_so_keep(b) is not False:
        return False
    worst = _box_quotient(b, file, places_of(file))
    if worst is None or "epsilon" not in v:
        return worst == 0
    return worst > 0 and b.epsilon_above(v["epsilon"], as_number(b, worst))


def _fails_printed(b: Compared, v: Values, _: str) -> bool:
    right = _has_places(b, v) and _within(b, {"numbers": "decimals"}, True)
    return right and ("epsilon" not in v or b.epsilon_above(v["epsilon"], b.own()))


LINES_OF_READING: Mapping[str, Callable[[Compared, Values, str], bool]] = {
    "subject": lambda b, v, _: v["name"] == title_shown(b.predicate["table"]["name"]),
    "file": lambda b, v, _: _file(b, v, "file"),
    "other-file": lambda b, v, _: _file(b, v, "other-file"),
    "word": _word,
    "no-file": _no_file,
    "table": _table,
    "size": _size,
    "numbers-exact": _exact,
    "numbers-decimals": _decimals,
    "numbers-doubles": _doubles,
    "numbers-printed-doubles": _printed_doubles,
    "numbers-digits": is_printed_with,
    "numbers-powers": lambda b, _v, _: _irrational(b, has_powers=True),
    "numbers-irrational": lambda b, _v, _: _irrational(b, has_powers=False),
    "rows-off": _rows_off,
    "looks-rounded": _looks_rounded,
    "renormalised": lambda b, _v, _: bool(b.reading.get("renormalise")),
    "transposed": lambda b, _v, _: bool(b.reading.get("transpose")),
    "header-read": lambda b, _v, _: bool(b.reading.get("header")),
    "labels-read": lambda b, _v, _: bool(b.reading.get("labels")),
    "sums-exact": _sums_exact,
    "sums-rounded": _sums_off,
    "sums-wrong": _sums_off,
    "holds-divided": _holds_divided,
    "holds-divided-only": _holds_divided,
    "holds-printed": _holds_printed,
    "holds-printed-infinite": _holds_printed,
    "holds-printed-delta": lambda b, v, _: _has_places(b, v) and _within(b, {"numbers": "decimals"}, False),
    "fails-printed": _fails_printed,
    "fails-sums": lambda b, v, of: b.quality == "wrong" and _looks_rounded(b, v, of),
    "fails-printed-delta": _fails_printed,
    "divided": _divided,
    "within-fails": lambda b, v, _: _within(b, v, True),
    "within-holds": lambda b, v, _: _within(b, v, False),
}
"""How the values of these sentences are compared."""
