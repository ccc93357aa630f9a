# SPDX-License-Identifier: MIT
"""Whether each certificate is of its part: of a kind that answers this question, and about its table.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. The name of a
part decides nothing. And what the numbers decide by themselves is not told as undecided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from exactdp.certificate.bundle_tables import DIVIDED, Differs, Grid, NotComparedError, Number, combined, sign_of, table_of
from exactdp.certificate.compare_claim import named_pairs
from exactdp.certificate.compare_neighbours import ends_of_printed
from exactdp.certificate.compare_numbers import all_keep_claim, as_number, between_rationals, sum_of
from exactdp.certificate.page_one_sources import Compared

OF_A_LEVEL = ("level-with-delta", "level")

KINDS: Mapping[str, tuple[str, ...]] = {
    "not-stochastic": ("not-stochastic",),
    "level": OF_A_LEVEL,
    "level-as-it-stands": OF_A_LEVEL,
    "level-after-renormalising": OF_A_LEVEL,
    "level-for-delta-[0-9]+": ("level-with-delta",),
    "privacy": ("private", "not-private"),
    "delta": ("delta",),
    "claim": (
        *("level-with-delta", "level", "private", "not-private", "approximately-private", "not-approximately-private", "delta"),
        *("all-tables-private", "no-table-private", "all-tables-approximately-private", "no-table-approximately-private"),
        *("level-of-all-tables", "level-of-some-table", "delta-of-all-tables", "delta-of-some-table"),
    ),
    "largest-epsilon": ("level-of-all-tables",),
    "smallest-epsilon": ("level-of-some-table", "no-table-private"),
    "largest-delta": ("delta-of-all-tables", "all-tables-approximately-private"),
    "smallest-delta": ("delta-of-some-table", "no-table-approximately-private"),
    "some-table": ("some-table-private", "some-table-approximately-private"),
    "not-all-tables": ("not-all-tables-private", "not-all-tables-approximately-private"),
    "required-[0-9]+": (
        *("level-with-delta", "delta", "private", "not-private", "approximately-private", "not-approximately-private"),
        *("all-tables-private", "no-table-private", "all-tables-approximately-private", "no-table-approximately-private"),
        *("level-of-all-tables", "level-of-some-table", "delta-of-all-tables", "delta-of-some-table"),
    ),
    "consumer-[0-9]+-deployed": ("optimal", "not-optimal", "gap-between"),
    "consumer-[0-9]+-after-remap": ("optimal-after-remap", "not-optimal-after-remap", "gap-between"),
    "consumer-[0-9]+-optimum": ("optimal", "optimal-by-orbits"),
}
"""The kinds of certificates that a part may have; those of a claim and of requirements are compared again."""


def faults_of_parts(b: Compared) -> Iterator[str]:
    """What is wrong with the certificates of parts: their kinds, and the tables that they are about."""
    for part, certificate in b.certificates.items():
        kinds = next((kinds for name, kinds in KINDS.items() if re.fullmatch(name, part)), ())
        if certificate["claim"]["kind"] not in kinds:
            yield f"the certificate of {part} is of another kind"
            continue
        table = table_of(certificate)
        if table is not None and not table.same(_table_of(b, part)):
            yield f"the certificate of {part} is about another table than that of this part"


def _table_of(b: Compared, part: str) -> Grid:
    """The table that a part is about: as read, with its rows divided by their sums, or the judged one."""
    is_of_divided = part == "level-after-renormalising" or (part.startswith("consumer-") and b.quality == "wrong")
    if is_of_divided and DIVIDED not in b.tables:
        raise Differs(f"there is no table with its rows divided by their sums, which {part} is about")
    if is_of_divided:
        return b.tables[DIVIDED]
    return b.read if part in ("not-stochastic", "level-as-it-stands") else b.judged


def faults_of_undecided(b: Compared) -> Iterator[str]:
    """Whether a claim is told as undecided that the numbers decide, or an ε that is certified."""
    if b.predicate["verdicts"][0]["verdict"] != "undecided" or b.quality == "wrong":
        return
    if b.claimed is None:
        if "level" in b.certificates:
            yield "it says that how private the table is was not decided, and a certificate shows it"
        return
    names_none = not any("neighbours" in certificate["claim"] for certificate in b.certificates.values())
    try:
        found = decided_by_numbers(b, b.level(), Fraction(b.claimed["delta"]))
    except NotComparedError as error:
        if names_none:  # nothing else shows anything about the claim
            raise NotComparedError(f"whether its numbers decide the claim: {error}") from None
        return
    if found is not None:
        yield f"its claim is {'true' if found else 'false'} by its numbers, and it is told as undecided"


def decided_by_numbers(b: Compared, level: Number, delta: Fraction) -> bool | None:
    """Whether the numbers show that (level, δ) is kept, by every table that prints so, or that it is by none.

    None where they show neither: an exact search may decide it. Raise NotComparedError of many numbers, and
    of distances other than 1.
    """
    inputs = list(b.inputs)
    rows: dict[str, Sequence[Number]] = {}
    if b.is_printed:
        spread = ends_of_printed(b)
    else:
        rows = dict(zip(b.judged.inputs, b.judged.rows, strict=True))
        spread = [[between_rationals(x) for x in rows[label]] for label in inputs]
    both_ways = [pair for i, j in _pairs(b, inputs) for pair in ((i, j), (j, i))]
    if all_keep_claim(b, spread, both_ways, 0, 1, level=level, delta=delta):
        return True
    if not all_keep_claim(b, spread, both_ways, 1, 0, level=level, delta=delta):
        return False
    is_open = b.is_printed or len(both_ways) * len(spread[0]) > MOST_EXACT
    return None if is_open else _is_kept_exactly(b, [rows[label] for label in inputs], both_ways, level, delta)


MOST_EXACT = 10**4
"""Pairs of numbers of which exact signs are found, where enclosures do not decide."""


def _is_kept_exactly(
    b: Compared, rows: Sequence[Sequence[Number]], pairs: Sequence[tuple[int, int]], level: Number, delta: Fraction
) -> bool:
    """Whether Σ_r max(0, α·x_ir − x_jr) ≤ α·δ for every pair, by the signs of numbers."""
    room = b.times(level, as_number(b, delta))
    for i, j in pairs:
        excess = [combined(b.times(level, x), y, -1) for x, y in zip(rows[i], rows[j], strict=True)]
        if sign_of(combined(sum_of(b, [x for x in excess if sign_of(x) > 0]), room, -1)) > 0:
            return False
    return True


def _pairs(b: Compared, inputs: list[str]) -> list[tuple[int, int]]:
    """The neighbours, from a certificate or by their name."""
    try:
        chosen = b.chosen()
    except Differs:
        chosen = named_pairs(b.neighbours, inputs)
    if set(chosen.values()) - {1}:
        raise NotComparedError("the distance is another one than 1")
    return [(inputs.index(first), inputs.index(second)) for first, second in chosen]
