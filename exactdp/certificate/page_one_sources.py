# SPDX-License-Identifier: MIT
"""What the lines of page one are compared with: certificates, tables and the manifest of a bundle.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from exactdp.certificate.bundle_files import TABLES, strict_json
from exactdp.certificate.bundle_tables import (
    DIVIDED,
    ZERO,
    Differs,
    Grid,
    NotComparedError,
    Number,
    Powers,
    claimed_level,
    combined,
    constant,
    grid_of,
    multiplied,
    pairs_of,
    reduced,
    sign_of,
    table_of,
)
from exactdp.certificate.compare_claim import pairs_with_distances

__all__ = ["NEAR", "TIGHT", "Compared", "Differs", "NotComparedError", "decimal", "percentage"]

TIGHT = Fraction(1, 1000)
"""A decimal that is rounded up exceeds its number by at most this part of itself."""

NEAR = Fraction(1, 10**4)
"""A nearest decimal differs from its number by at most this part of itself."""


class Compared:
    """What the lines of page one are compared with: a bundle.

    Parameters
    ----------
    there : mapping of str to bytes
        The files.
    predicate : mapping
        What the manifest states.
    """

    def __init__(self, there: Mapping[str, bytes], predicate: Mapping[str, Any]) -> None:
        self.there, self.predicate = there, predicate
        self.reading, self.claimed = predicate["reading"], predicate["claimed"]
        tables = strict_json(there[TABLES])["tables"]
        self.tables = {one["name"]: grid_of(one) for one in tables}
        self.read = self.tables["as read"]
        self.numbers_of_consumers: dict[str, str] = {}
        self.numbers_with_rows: frozenset[str] = frozenset()
        self.readings: Mapping[str, Sequence[Mapping[str, str]]] = {}
        self.certificates: dict[str, Any] = {}
        for one in predicate["certificates"]:
            if one["file"] in there:
                self.certificates[one["part"]] = strict_json(there[one["file"]])
        self.judged = self._judged()

    # What was judged
    @property
    def is_printed(self) -> bool:
        """Whether all tables that print so were judged."""
        return any("printed" in certificate["claim"] for certificate in self.certificates.values()) or "digits" in self.reading

    @property
    def neighbours(self) -> str:
        """What the neighbours are called."""
        name: str = self.predicate["assumptions"][0]
        return name.removeprefix("neighbours: ")

    @property
    def files(self) -> dict[str, bytes]:
        """The files that were read beside the table: by the names that were given, and without folders."""
        entries = (one for one in self.predicate["inputs"] if one["what"] == "other" and one["file"] in self.there)
        named = {one["given"]: self.there[one["file"]] for one in entries}
        return {given.rpartition("/")[2]: content for given, content in named.items()} | named

    @property
    def inputs(self) -> list[str]:
        """The labels of the rows."""
        labels = list(self.read.inputs)
        return [label.removeprefix("lower ") for label in labels[: len(labels) // 2]] if self.is_printed else labels

    def deviation(self) -> list[Number]:
        """What rows lack to 1, and negative numbers, all as numbers ≥ 0."""
        one = constant(Fraction(1)), constant(Fraction(1))
        found = []
        for row in self.read.rows:
            total = ZERO
            for x in row:
                total = reduced(*combined(total, x, 1))
                if sign_of(x) < 0:
                    found.append(combined(ZERO, x, -1))
            excess = combined(total, one, -1)
            found.append(excess if sign_of(excess) >= 0 else combined(ZERO, excess, -1))
        return found

    @cached_property
    def is_mechanism(self) -> bool:
        """Whether the table as read is a mechanism."""
        return all(sign_of(x) == 0 for x in self.deviation())

    def _judged(self) -> Grid:
        """The table that was judged: as read if it is a mechanism, or wrong; else with its rows divided.

        Without a claim a table is wrong if it was refuted.
        """
        if self.is_printed or self.is_mechanism or DIVIDED not in self.tables:
            return self.read
        divided = self.tables[DIVIDED]
        if self.claimed is not None:
            return self.read if self.claimed["quality"] == "wrong" else divided
        return self.read if self.predicate["verdicts"][0]["verdict"] == "refuted" else divided

    @property
    def quality(self) -> str:
        """What the table is: printed, exact, rounded or wrong."""
        if self.is_printed:
            return "printed"
        if self.is_mechanism:
            return "exact"
        return "wrong" if self.judged is self.read else "rounded"

    def faults_of_quality(self) -> Iterator[str]:
        """What is wrong with what the manifest says of the table."""
        if self.claimed is not None and self.claimed["quality"] != self.quality:
            yield f"its table is {self.quality}, and it says {self.claimed['quality']}"

    # Numbers
    def compare(self, shown: Fraction, x: Any) -> int:
        """The sign of a rational minus a number."""
        one = (constant(shown), constant(Fraction(1)))
        return int(sign_of(combined(one, x, -1)))

    def power(self, epsilon: Fraction) -> Any:
        """e^(−ε)."""
        return {((1, epsilon),) if epsilon else (): Fraction(1)}, constant(Fraction(1))

    def times(self, x: Any, factor: Any) -> Any:
        """The product of two numbers."""
        return reduced(multiplied(x[0], factor[0]), multiplied(x[1], factor[1]))

    def above(self, shown: str, x: Any) -> bool:
        """Whether a decimal is a number rounded up."""
        d = decimal(shown)
        return self.compare(d, x) >= 0 and self.compare(d * (1 - TIGHT), x) <= 0

    def near(self, shown: str, x: Any) -> bool:
        """Whether a decimal is the nearest one to a number."""
        d = decimal(shown)
        far = abs(d) * NEAR
        return self.compare(d + far, x) >= 0 and self.compare(d - far, x) <= 0

    def epsilon_above(self, shown: str, ratio: Any) -> bool:
        """Whether a decimal is −ln of a number, rounded up."""
        d = decimal(shown)
        return self._below(d, ratio) and not (d and self._strictly_below(d * (1 - TIGHT), ratio))

    def epsilon_below(self, shown: str, ratio: Any) -> bool:
        """Whether a decimal is −ln of a number, rounded down."""
        d = decimal(shown)
        return not self._strictly_below(d, ratio) and self._below(d * (1 + TIGHT), ratio)

    def _below(self, d: Fraction, ratio: Any) -> bool:
        return int(sign_of(combined(self.power(d), ratio, -1))) <= 0

    def _strictly_below(self, d: Fraction, ratio: Any) -> bool:
        return int(sign_of(combined(self.power(d), ratio, -1))) < 0

    def powers(self, certificate: Mapping[str, Any]) -> Any:
        """What reads the numbers of a certificate."""
        symbols = [one for one in certificate["definitions"].values() if one.get("type") in ("exponential", "parameter", "region")]
        return Powers(symbols[0] if symbols else None)

    # Parts
    def part(self, name: str) -> Mapping[str, Any]:
        """The certificate of a part."""
        if name not in self.certificates:
            raise Differs(f"there is no certificate of {name}")
        found: Mapping[str, Any] = self.certificates[name]
        return found

    def number(self, name: str, key: str) -> Any:
        """A number of the claim of a certificate."""
        certificate = self.part(name)
        if key not in certificate["claim"]:
            raise Differs(f"the certificate of {name} has no {key}")
        return self.powers(certificate).scalar(certificate["claim"][key])

    def level(self) -> Any:
        """The claimed level as a number."""
        if self.claimed is None:
            raise Differs("nothing is claimed")
        found = claimed_level(self.claimed)
        if found is None:
            raise NotComparedError("the claimed ε is none that this program compares")
        return found

    @cached_property
    def has_own_of_numbers(self) -> bool:
        """Whether the largest level follows from rational numbers, and a certificate names the neighbours."""
        named = any("neighbours" in certificate["claim"] for certificate in self.certificates.values())
        return named and self.judged.plain is not None and not self.is_printed and set(self.chosen().values()) == {1}

    def _own_of_numbers(self) -> Any:
        """The least quotient of two numbers of a column in neighbouring rows."""
        assert self.judged.plain is not None
        rows = dict(zip(self.judged.inputs, self.judged.plain, strict=True))
        pairs = [pair for first, second in self.chosen() for pair in zip(rows[first], rows[second], strict=True)]
        return constant(min((min(pair) / max(pair) for pair in pairs if max(pair) > 0), default=Fraction(1))), constant(Fraction(1))

    def own(self) -> Any:
        """The largest level of what was judged, from its certificate, or from its rational numbers."""
        if "level" not in self.certificates and self.has_own_of_numbers:
            return self._own_of_numbers()
        claim = self.part("level")["claim"]
        if claim["kind"] != "level-with-delta" or claim["delta"] != "0":
            raise Differs("the certificate of level is of another kind")
        return self.number("level", "ratio")

    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of neighbours, from a certificate that names them, in the order of its table."""
        for certificate in self.certificates.values():
            claim = certificate["claim"]
            if "neighbours" in claim and table_of(certificate) is not None:
                graph = certificate["definitions"][claim["neighbours"]]
                return [(i, j) for i, j in pairs_of(graph)]
        raise Differs("no certificate names the neighbours")

    def chosen(self) -> dict[tuple[str, str], Fraction]:
        """The labels of each two neighbours, the lesser text first, with the square of their distance."""
        for certificate in self.certificates.values():
            claim = certificate["claim"]
            if "neighbours" in claim:
                labels, pairs = pairs_with_distances(certificate["definitions"][claim["neighbours"]])
                named = {(labels[i], labels[j]): d for (i, j), d in pairs.items()}
                return {(min(pair), max(pair)): d for pair, d in named.items()}
        raise Differs("no certificate names the neighbours")

    def guesses(self, name: str) -> Sequence[str]:
        """The guesses of the consumer that a certificate is about."""
        certificate = self.part(name)
        definition = certificate["definitions"][certificate["claim"]["consumer"]["loss"]]
        found: Sequence[str] = definition["guesses"] if "guesses" in definition else list(map(str, range(definition["n"] + 1)))
        return found

    def loss(self, name: str) -> tuple[Sequence[str], list[list[Fraction]]]:
        """The guesses and the rows of the loss that a certificate is about."""
        certificate = self.part(name)
        definition = certificate["definitions"][certificate["claim"]["consumer"]["loss"]]
        powers = {"abs-loss": 1, "squared-loss": 2, "zero-one-loss": 0}
        if definition["type"] in powers:
            n, p = definition["n"], powers[definition["type"]]
            distance = [[abs(i - r) for r in range(n + 1)] for i in range(n + 1)]
            return list(map(str, range(n + 1))), [[Fraction(d**p if p else d > 0) for d in row] for row in distance]
        guesses = definition["guesses"]
        rows = [self.powers(certificate).vector(row, len(guesses)) for row in definition["rows"]]
        if any(den != constant(Fraction(1)) or set(num) - {()} for row in rows for num, den in row):
            raise NotComparedError("the loss is not rational")
        return guesses, [[num.get((), Fraction(0)) for num, _ in row] for row in rows]


def decimal(text: str) -> Fraction:
    """The number that a decimal of page one is.

    >>> decimal("1.5"), decimal("3e-17") == Fraction(3, 10**17)
    (Fraction(3, 2), True)
    """
    if not re.fullmatch(r"-?(?:0|[1-9][0-9]{0,399})(?:\.[0-9]{1,400})?(?:e-?[0-9]{1,4})?", text, re.ASCII):
        raise Differs(f"{text[:40]!r} is no decimal")
    return Fraction(text)


def percentage(text: str) -> Fraction:
    """The number of a percentage.

    >>> percentage("12.5 %")
    Fraction(25, 2)
    """
    if not text.endswith(" %"):
        raise Differs(f"{text[:40]!r} is no percentage")
    return decimal(text[:-2])


def whole(text: str) -> int:
    """The number that some digits of page one are, which are those of ASCII, and no more than needed.

    >>> whole("10")
    10
    """
    if not re.fullmatch(r"0|[1-9][0-9]{0,5}", text, re.ASCII):
        raise Differs(f"{text[:40]!r} is no number of one to six digits")
    return int(text)
