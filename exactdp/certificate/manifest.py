# SPDX-License-Identifier: MIT
"""What is expected in a folder of certificates about one table: names, digests, and the table's digest.

``exactdp audit --certificates DIR`` writes it there as ``manifest.json``; ``exactdp verify DIR`` compares.
Nothing signs it: who can write to the folder can write another one. Whoever has noted its digest can tell.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from exactdp.certificate.encode import interval_json, region_json, scalar_json
from exactdp.errors import InputError
from exactdp.exact import QQ, ExactMatrix, ExponentialNumber, RationalFunction, RegionFunction
from exactdp.model import Table
from exactdp.model.printed import PrintedTable

ENDING = ".edp.json"
"""How the names of certificates in a folder end."""

MANIFEST = "manifest.json"
"""The name of the file."""

FORMAT = "exactdp-manifest"
VERSION = 1

_DIGEST = re.compile("sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is expected in a folder.

    Parameters
    ----------
    name, table : str
        What the table is called, and its digest (:func:`table_digest`).
    certificates : mapping of str to str
        The digest of each certificate, by the name of its file.
    without : mapping of str to str
        The parts that have no certificate, with the reasons.

    Examples
    --------
    >>> digest = "sha256:" + 64 * "0"
    >>> made = Manifest("t.csv", digest, {"level.edp.json": digest}, {})
    >>> Manifest.read(made.to_json().encode()) == made
    True
    """

    name: str
    table: str
    certificates: Mapping[str, str]
    without: Mapping[str, str]

    def to_json(self) -> str:
        """The text of the file."""
        import json  # an audit without certificates needs none of it

        subject = {"name": self.name, "digest": self.table}
        body = {"format": FORMAT, "version": VERSION, "subject": subject}
        body |= {"certificates": dict(self.certificates), "without": dict(self.without)}
        return json.dumps(body, indent=1) + "\n"

    @property
    def digest(self) -> str:
        """``sha256:`` and the hash of the file: whoever has noted it can tell every change."""
        return "sha256:" + hashlib.sha256(self.to_json().encode()).hexdigest()

    @classmethod
    def read(cls, data: bytes) -> Self:
        """The manifest of a file.

        Raises
        ------
        InputError
            It is none.
        """
        import json

        try:
            body = json.loads(data.decode())
            if (body["format"], body["version"]) != (FORMAT, VERSION):
                raise ValueError(f"its format is not {FORMAT}, version {VERSION}")
            found = cls(body["subject"]["name"], body["subject"]["digest"], body["certificates"], body["without"])
            digests = [found.table, *found.certificates.values()]
            texts = [found.name, *digests, *found.certificates, *found.without.values()]
            if not all(isinstance(text, str) for text in texts) or not all(map(_DIGEST.fullmatch, digests)):
                raise ValueError("a name or a digest is none")
            if found.to_json().encode() != data:
                raise ValueError("it has more, or is written in another way")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            reason = f"there is no {error}" if isinstance(error, KeyError) else str(error)
            raise InputError(f"{MANIFEST} does not say what is expected: {reason}", reason=reason) from None
        return found


def table_digest(table: Table) -> str:
    """``sha256:`` and the hash of labels and exact numbers, in any order and in whatever field.

    Parameters
    ----------
    table : Table
        Over any field but number fields.

    Examples
    --------
    >>> from exactdp.exact import ExponentialField
    >>> t, u = ExponentialField("1/2").gen, ExponentialField("1").gen
    >>> rows = [[1 - x, x] for x in (t * t, u)]
    >>> table_digest(Table([rows[0]])) == table_digest(Table([rows[1]]))
    True
    >>> table_digest(Table([rows[0]])) == table_digest(Table([["1/2", "1/2"]]))
    False
    """
    import json

    inputs, outputs = list(map(str, table.inputs)), list(map(str, table.outputs))
    rows, columns = (sorted(range(len(labels)), key=labels.__getitem__) for labels in (inputs, outputs))
    matrix = list(table.matrix.rows())
    entries = [[_canonical(matrix[i][j]) for j in columns] for i in rows]
    body = [[inputs[i] for i in rows], [outputs[j] for j in columns], entries]
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def printed_ends(printed: PrintedTable) -> Table:
    """The least and the largest numbers that print so, as one table, of which the digest is.

    >>> from exactdp.model import printed_table
    >>> printed_ends(printed_table([["0.3", "0.7"]], digits=1)).inputs
    ('lower 0', 'upper 0')
    """
    rows = [*printed.lower.rows(), *printed.upper.rows()]
    names = [f"{end} {label}" for end in ("lower", "upper") for label in printed.inputs]
    return Table(ExactMatrix(rows, QQ), names, printed.outputs)


def _canonical(x: Any) -> Any:
    """A number as JSON: the same for the same number of any field."""
    if isinstance(x, ExponentialNumber) and x.rational is None:
        return [_powers_of_e(x, p) for p in (x.numerator, x.denominator)]
    number = scalar_json(x)
    if isinstance(number, str):
        return number
    if isinstance(x, RationalFunction):
        return [number, interval_json(x.field.interval)]
    return [number, region_json(x.field.region)] if isinstance(x, RegionFunction) else number


def _powers_of_e(x: ExponentialNumber, polynomial: tuple[Any, ...]) -> list[Any]:
    """A polynomial as its terms: for each the exponents, rate·k·√q as [rate·k, q], and the coefficient."""
    several = bool(polynomial) and isinstance(polynomial[0], tuple)
    listed = polynomial if several else (((k,), c) for k, c in enumerate(polynomial) if c)
    found = []
    for powers, c in listed:
        exponents = [[str(x.field.rate * k), q] for q, k in zip(x.field.roots, powers, strict=True) if k]
        found.append([exponents, str(c)])
    return sorted(found)


def table_of(certificate: Mapping[str, Any]) -> Table | None:
    """The table that the claim of an accepted certificate names; None where it names none, or several.

    Parameters
    ----------
    certificate : mapping
        The JSON object.
    """
    from exactdp.certificate.certificate import Certificate  # with the checker: not needed to audit a table
    from exactdp.certificate.decode import Decoder

    claim = certificate["claim"]
    if not {"mechanism", "table", "printed"} & claim.keys():
        return None
    decoder = Decoder(Certificate(claim, certificate["definitions"], certificate["witness"]))
    if "printed" not in claim:
        return decoder.table()
    printed = decoder.definition(claim["printed"])
    assert isinstance(printed, PrintedTable)
    return printed_ends(printed)
