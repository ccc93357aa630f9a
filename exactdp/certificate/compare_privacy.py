# SPDX-License-Identifier: MIT
"""Lines of page one on the claim, on ε and δ, on the event that shows them, and on repairs.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from exactdp.certificate.bundle_tables import NotComparedError, combined, multiplied, pairs_of, reduced, sign_of
from exactdp.certificate.compare_neighbours import ends_of_printed
from exactdp.certificate.compare_numbers import (
    BILLIONTH,
    MOST_COMPARED,
    ROUNDED_BELOW,
    Values,
    as_number,
    between_rationals,
    ends_of_epsilon,
    inputs_of,
    is_factor,
    labels_in_order,
    least_quotient,
    named_table,
    place_of,
    rational_rows,
    sum_of,
)
from exactdp.certificate.compare_reading import is_printed_with
from exactdp.certificate.page_one import Page, few, in_a_list, title_shown, where
from exactdp.certificate.page_one_sources import TIGHT, Compared, Differs, decimal, whole


def is_barely(page: Page, b: Compared) -> bool:
    """Whether the smallest ε exceeds the claimed one by certainly less than a billionth of it.

    The claimed ε is at least the decimal that is told of it times 1 − TIGHT, which is compared elsewhere.
    """
    told = [line.values["epsilon"] for line in page.lines() if line.says == "claimed"]
    if b.claimed["delta"] != "0" or "level" not in b.certificates or len(told) != 1:
        return False
    try:
        own, level, below = b.own(), b.level(), decimal(told[0]) * (1 - TIGHT)
        if sign_of(own) == 0 or not b.epsilon_above(told[0], level):
            return False
        least = b.times(level, b.power(below * BILLIONTH))
        return int(sign_of(combined(least, own, -1))) <= 0
    except NotComparedError:
        return False


def _as_stands(b: Compared, v: Values, _: str) -> bool:
    stands, divided = (_pure_level(b, part) for part in ("level-as-it-stands", "level-after-renormalising"))
    return b.epsilon_above(v["epsilon"], stands) and b.epsilon_above(v["divided"], divided)


def _pure_level(b: Compared, part: str) -> Any:
    """The largest level of a certificate, with δ = 0."""
    claim = b.part(part)["claim"]
    if claim.get("delta", "0") != "0":
        raise Differs(f"the certificate of {part} is beside another δ than 0")
    if claim.get("distance", "1") != "1":
        raise NotComparedError("the distance is another one than 1")
    return b.number(part, "ratio")


def _repair_uniform(b: Compared, v: Values, _: str) -> bool:
    """Whether a mixture with the uniform mechanism keeps the claim, and none with a smaller share."""
    share = decimal(v["share"])
    if b.is_printed:  # whose rows are the ends of those of many tables
        raise Differs("it is of one table, and all that print so were judged")
    if b.claimed["delta"] != "0":
        raise NotComparedError("it is beside a δ")
    order = [b.judged.inputs.index(label) for label in labels_in_order(b)]
    if any(distance != 1 for distance in b.chosen().values()):
        raise NotComparedError("the distance is another one than 1")
    if b.judged.plain is None:
        return 0 <= share <= 1 and _numbers_keep(b, order, share) and not _numbers_keep(b, order, share * (1 - TIGHT))
    rows, pairs = [b.judged.plain[i] for i in order], b.pairs()
    return 0 <= share <= 1 and _mixture_keeps(b, rows, pairs, share) and not _mixture_keeps(b, rows, pairs, share * (1 - TIGHT))


def _mixture_keeps(b: Compared, rows: Sequence[Sequence[Fraction]], pairs: Sequence[tuple[int, int]], share: Fraction) -> bool:
    mixed = [[(1 - share) * x + share / len(row) for x in row] for row in rows]
    return b.compare(least_quotient(mixed, pairs), b.level()) >= 0


BITS = 256
"""Of the ends of an irrational number; where they do not decide, its sign does."""


def _numbers_keep(b: Compared, order: Sequence[int], share: Fraction) -> bool:
    """Whether a mixture of irrational numbers with the uniform mechanism keeps the claimed level."""
    pairs, level = [pair for i, j in b.pairs() for pair in ((i, j), (j, i))], b.level()
    if len(pairs) * len(b.judged.outputs) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    uniform = as_number(b, share / len(b.judged.outputs))
    mixed = [[reduced(*combined(b.times(x, as_number(b, 1 - share)), uniform, 1)) for x in b.judged.rows[i]] for i in order]
    ends = [[_ends_of(x) for x in row] for row in mixed]
    low, high = _ends_of(level)
    for i, j in pairs:
        for r, (x, y) in enumerate(zip(ends[i], ends[j], strict=True)):
            if high * y[1] <= x[0] << BITS:
                continue
            if low * y[0] > x[1] << BITS or sign_of(combined(b.times(level, mixed[j][r]), mixed[i][r], -1)) > 0:
                return False
    return True


def _ends_of(x: Any) -> tuple[int, int]:
    """Whole numbers below and above a number ≥ 0 times 2^BITS."""
    low, high = between_rationals(x)
    return (low.numerator << BITS) // low.denominator, -((-high.numerator << BITS) // high.denominator)


def _repair_uniform_printed(b: Compared, v: Values, of: str) -> bool:
    """The same for every table that prints so: the least number of an entry beside its neighbour's largest.

    The rows of these tables are independent of each other, so that one of them has both.
    """
    share, certificate = decimal(v["share"]), b.part(of)
    definition = certificate["definitions"][certificate["claim"]["printed"]]
    if b.claimed["delta"] != "0" or certificate["definitions"][certificate["claim"]["neighbours"]]["type"] == "distances":
        raise NotComparedError("it is beside a δ, or at several distances")
    ends = []
    for lower, upper in zip(*(rational_rows(b, certificate, definition[key]) for key in ("lower", "upper")), strict=True):
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


def _claimed(b: Compared, v: Values, _: str) -> bool:
    return b.epsilon_above(v["epsilon"], b.level()) and is_factor(b, v["factor"], b.level())


def _claimed_delta(b: Compared, v: Values, _: str) -> bool:
    exact = Fraction(b.claimed["delta"])
    return exact <= decimal(v["delta"]) <= exact / (1 - TIGHT)


def _own(b: Compared, v: Values, _: str) -> bool:
    return b.epsilon_above(v["epsilon"], b.own()) and is_factor(b, v["factor"], b.own())


def _barely(b: Compared, v: Values, most: Fraction, least: Fraction) -> bool:
    """Whether the smallest ε exceeds the claimed one by so little, and in the digit after those told."""
    own, level, epsilon, digits = b.own(), b.level(), decimal(v["epsilon"]), whole(v["digits"])

    def exceeds(part: Fraction) -> bool:
        """Whether the smallest ε is above the claimed one by more than a part of it."""
        return int(sign_of(combined(b.times(level, b.power(epsilon * part)), own, -1))) > 0

    too_much = exceeds(most) or exceeds(Fraction(1, 10**digits))
    enough = exceeds(least * (1 - TIGHT)) and exceeds(Fraction(1, 10 ** (digits + 1)) * (1 - TIGHT))
    return enough and not too_much and b.epsilon_above(v["epsilon"], own)


def _sign_for(b: Compared, v: Values, _: str) -> bool:
    exact = Fraction(b.claimed["delta"])
    right = exact <= decimal(v["delta"]) <= exact / (1 - TIGHT) and b.epsilon_above(v["epsilon"], b.level())
    return right and v["name"] == title_shown(b.predicate["table"]["name"]) and v["where"] == where(b.neighbours)


def _sign_own(b: Compared, v: Values, _: str) -> bool:
    return b.claimed is None and v["name"] == title_shown(b.predicate["table"]["name"]) and v["where"] == where(b.neighbours)


def _own_infinite(b: Compared, _v: Values, _: str) -> bool:
    return sign_of(b.own()) == 0


def _between(b: Compared, v: Values, _: str) -> bool:
    low, high = ends_of_epsilon(b)
    return b.epsilon_below(v["low"], low) and b.epsilon_above(v["high"], high)


def _between_infinite(b: Compared, v: Values, _: str) -> bool:
    low, high = ends_of_epsilon(b)
    return b.epsilon_below(v["low"], low) and sign_of(high) == 0


def _between_none(b: Compared, _v: Values, of: str) -> bool:
    """That no table that prints so keeps a finite ε.

    The certificate says so, or an entry that is 0 in all of them beside a neighbour's that is 0 in none.
    """
    if of in b.certificates:
        return b.part(of)["claim"]["kind"] == "level-of-some-table" and sign_of(b.number(of, "ratio")) == 0
    ends = dict(zip(b.inputs, ends_of_printed(b), strict=True))
    pairs = [pair for first, second in b.chosen() for pair in ((first, second), (second, first))]
    if not any(x[1] == 0 < y[0] for i, j in pairs for x, y in zip(ends[i], ends[j], strict=True)):
        raise NotComparedError("no entry is 0 in all tables that print so beside one that is in none")
    return True


def _more(b: Compared, v: Values, _: str) -> bool:
    d = decimal(v["difference"])
    own, level = b.own(), b.level()
    enough = sign_of(combined(b.times(level, b.power(d)), own, -1)) <= 0
    return bool(enough and sign_of(combined(b.times(level, b.power(d * (1 - TIGHT))), own, -1)) >= 0)


def _equal(b: Compared, _v: Values, _: str) -> bool:
    return sign_of(combined(b.own(), b.level(), -1)) == 0


def _less_than_claimed(b: Compared, _v: Values, _: str) -> bool:
    return sign_of(combined(b.own(), b.level(), -1)) > 0


def _delta_of(b: Compared, of: str) -> Any:
    """The least δ of a certificate at the claimed level."""
    if of not in ("delta", "smallest-delta", "largest-delta"):
        raise Differs(f"{of or 'nothing'} is no least δ")
    if sign_of(combined(b.number(of, "level"), b.level(), -1)) != 0:
        raise Differs(f"the certificate of {of} is about another ε than the claimed one")
    return b.number(of, "delta")


def _least_delta(b: Compared, v: Values, _: str) -> bool:
    return b.above(v["delta"], _delta_of(b, "delta"))


def _least_delta_between(b: Compared, v: Values, _: str) -> bool:
    low, high = _delta_of(b, "smallest-delta"), _delta_of(b, "largest-delta")
    d = decimal(v["low"])
    return b.compare(d, low) <= 0 and b.compare(d * (1 + TIGHT), low) >= 0 and b.above(v["high"], high)


def _event(b: Compared, v: Values, of: str) -> bool:
    """The probabilities of an event under two inputs; a long one is that of the certificate."""
    part = b.certificates.get(of)
    if part is None and not b.has_own_of_numbers:
        raise Differs(f"there is no certificate of {of}")
    i, j = place_of(b.judged.inputs, v["first"]), place_of(b.judged.inputs, v["second"])
    first, second = b.judged.inputs[i], b.judged.inputs[j]
    if part is not None:
        _require_neighbours(part, first, second)
    elif (min(first, second), max(first, second)) not in b.chosen():
        raise Differs("its two inputs are no neighbours")
    labels = b.judged.outputs
    listed = re.split(r", (?![^(]*\))(?![^\u201c]*\u201d)", v["outputs"])
    named = [k for k, label in enumerate(labels) if in_a_list(label) in listed]
    if few([labels[k] for k in named]) != v["outputs"]:
        if part is None:
            raise NotComparedError("no certificate has the event")
        table = named_table(part)
        named = [labels.index(table.outputs[r]) for r in part["witness"]["event"]] if of == "level" else _exceeding(b, i, j)
    if not named or few([labels[k] for k in named]) != v["outputs"]:
        return False
    likely, unlikely = (sum_of(b, [b.judged.rows[k][r] for r in named]) for k in (i, j))
    if not b.near(v["likely"], likely) or not _shows(b, of, likely, unlikely):
        return False
    if "unlikely" not in v:
        return sign_of(unlikely) == 0
    quotient = reduced(multiplied(likely[0], unlikely[1]), multiplied(likely[1], unlikely[0]))
    return b.near(v["unlikely"], unlikely) and b.above(v["ratio"], quotient)


def _shows(b: Compared, of: str, likely: Any, unlikely: Any) -> bool:
    """Whether an event shows the smallest ε, or the least δ: it is attained there.

    Notes
    -----
    The smallest ε is the largest ln(P/Q) of an event, and the least δ at ε the largest P − e^ε·Q.
    """
    if sign_of(likely) <= 0:
        return False
    if set(b.chosen().values()) - {1}:
        raise NotComparedError("the distance is another one than 1")
    if of == "delta":
        exceeding = combined(likely, _delta_of(b, "delta"), -1)
        return int(sign_of(combined(b.times(exceeding, b.level()), unlikely, -1))) == 0
    return int(sign_of(combined(b.times(likely, b.own()), unlikely, -1))) == 0


def _require_neighbours(certificate: Mapping[str, Any], first: str, second: str) -> None:
    """Raise Differs unless two inputs are neighbours in a certificate, in whichever order."""
    graph = certificate["definitions"][certificate["claim"]["neighbours"]]
    labels = inputs_of(named_table(certificate), is_printed="printed" in certificate["claim"])
    pairs = {frozenset((labels[i], labels[j])) for i, j in pairs_of(graph)}
    if frozenset((first, second)) not in pairs:
        raise Differs("its two inputs are no neighbours")


def _exceeding(b: Compared, i: int, j: int) -> list[int]:
    """The outputs r with x_ir > e^ε·x_jr, at the claimed ε."""
    level, found = b.level(), list[int]()
    for r, (x, y) in enumerate(zip(b.judged.rows[i], b.judged.rows[j], strict=True)):
        if sign_of(combined(b.times(x, level), y, -1)) > 0:
            found.append(r)
    return found


def _event_printed(b: Compared, v: Values, of: str) -> bool:
    certificate = b.part(of)
    definition = certificate["definitions"][certificate["claim"]["printed"]]
    rows = [b.powers(certificate).vector(row, len(definition["outputs"])) for row in certificate["witness"]["table"]]
    i, j = place_of(definition["inputs"], v["first"]), place_of(definition["inputs"], v["second"])
    outputs = [in_a_list(label) for label in definition["outputs"]]
    if outputs.count(v["outputs"]) != 1:
        raise Differs("its event is no output, or several")
    r = outputs.index(v["outputs"])
    _require_neighbours(certificate, definition["inputs"][i], definition["inputs"][j])
    if certificate["claim"].get("distance", "1") == "1":  # it attains the largest ε
        quotient = combined(b.times(rows[i][r], b.number(of, "ratio")), rows[j][r], -1)
        if sign_of(rows[i][r]) <= 0 or sign_of(quotient) != 0:
            return False
    return b.near(v["likely"], rows[i][r]) and b.near(v["unlikely"], rows[j][r])


def _no_more(b: Compared, _v: Values, _: str) -> bool:
    """That digits leave a claim open: a table keeps it, and one does not."""
    if b.predicate["verdicts"][0]["verdict"] != "undecided" or not b.is_printed:
        return False
    if not {"some-table", "not-all-tables"} <= b.certificates.keys():
        raise NotComparedError("there is no certificate of a table that keeps the claim, or of one that does not")
    level, delta = b.level(), Fraction(b.claimed["delta"])

    def beside(part: str) -> tuple[int, int]:
        """The signs of a certificate's level minus the claimed one, and of the claimed δ minus its own."""
        own = b.number(part, "delta") if "delta" in b.part(part)["claim"] else as_number(b, Fraction(0))
        return sign_of(combined(b.number(part, "level"), level, -1)), b.compare(delta, own)

    # kept at a larger level with less δ is kept; broken at a smaller level with more δ is broken
    return min(beside("some-table")) >= 0 and max(beside("not-all-tables")) <= 0


def _late(b: Compared, v: Values, of: str) -> bool:
    """That the time was up: certificates of tables that leave the claim open say that no time decides it."""
    if b.predicate["verdicts"][0]["verdict"] != "undecided":
        return False
    are_there = b.is_printed and {"some-table", "not-all-tables"} <= b.certificates.keys()
    return not (are_there and _no_more(b, v, of))


def _instead(b: Compared, v: Values, of: str) -> bool:
    is_open = b.predicate["verdicts"][0]["verdict"] == "undecided" and b.claimed["delta"] == "0"
    return is_open and is_printed_with(b, v, of) and b.epsilon_above(v["epsilon"], ends_of_epsilon(b)[1])


def _repair_epsilon(b: Compared, v: Values, of: str) -> bool:
    if of == "largest-epsilon":
        return b.epsilon_above(v["epsilon"], ends_of_epsilon(b)[1])
    return b.claimed["delta"] == "0" and b.epsilon_above(v["epsilon"], b.own())


def _repair_delta(b: Compared, v: Values, of: str) -> bool:
    return b.above(v["delta"], _delta_of(b, "delta" if of == "delta" else "largest-delta"))


LINES_OF_PRIVACY: Mapping[str, Callable[[Compared, Values, str], bool]] = {
    "as-stands": _as_stands,
    "no-claim": lambda b, _v, _: b.claimed is None,
    "claimed": _claimed,
    "claimed-delta": _claimed_delta,
    "fails-rounding": lambda b, v, _: _barely(b, v, ROUNDED_BELOW, Fraction(0)),
    "fails-barely": lambda b, v, _: _barely(b, v, BILLIONTH, ROUNDED_BELOW),
    "instead": _instead,
    "no-more": _no_more,
    "sign-for": _sign_for,
    "sign-own": _sign_own,
    "wrong": lambda b, _v, _: b.claimed is not None and b.claimed["quality"] == "wrong",
    "wrong-rounded": lambda b, _v, _: b.claimed is not None and b.claimed["quality"] == "wrong",
    "own": _own,
    "own-pure": _own,
    "own-infinite": _own_infinite,
    "between": _between,
    "between-infinite": _between_infinite,
    "between-none": _between_none,
    "more": _more,
    "equal": _equal,
    "less": _less_than_claimed,
    "least-delta": _least_delta,
    "least-delta-between": _least_delta_between,
    "event": _event,
    "event-never": _event,
    "event-printed": _event_printed,
    "repair-epsilon": _repair_epsilon,
    "repair-epsilon-printed": _repair_epsilon,
    "repair-delta": _repair_delta,
    "or-delta": _repair_delta,
    "repair-uniform": _repair_uniform,
    "repair-uniform-printed": _repair_uniform_printed,
    "late": _late,
}
"""How the values of these sentences are compared."""
