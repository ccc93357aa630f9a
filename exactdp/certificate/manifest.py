# SPDX-License-Identifier: MIT
"""What is expected in a folder: an in-toto Statement about a table, its certificates, and all other parts.

``exactdp audit`` writes it as ``manifest.json``: of a bundle (``--bundle``), or of certificates alone
(``--certificates``). ``exactdp verify DIR`` compares. Nothing signs it: who can write to the folder can write
another one. Whoever has noted its digest, or signed it, can tell.

The format is that of :mod:`~exactdp.certificate.bundle_files`, a program that needs no other file of ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from exactdp.certificate.bundle_files import (
    MANIFEST,
    PREDICATE,
    REQUIREMENTS,
    STATEMENT,
    Refused,
    own_digest,
    read_manifest,
    sha256,
    written,
)
from exactdp.certificate.check_bundle import RELEASE
from exactdp.certificate.encode import interval_json, region_json, scalar_json
from exactdp.errors import CertificateError, DomainError, InputError, ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, ExponentialNumber, RationalFunction, RegionFunction
from exactdp.model import Table
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import report_phase

__all__ = ["ENDING", "MANIFEST", "Made", "Manifest", "Part", "canonical", "certified", "printed_ends", "table_digest", "table_of"]

if TYPE_CHECKING:
    from exactdp.analysis.verdict import Verdict
    from exactdp.certificate.certificate import Certificate

ENDING = ".edp.json"
"""How the names of certificates in a folder end."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file that belongs to the folder.

    * ``name``: from the folder on, with ``/`` between folders.
    * ``role``: one of :data:`~exactdp.certificate.bundle_files.ROLES`.
    * ``content``: all of it.
    """

    name: str
    role: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Made:
    """How and from what an audit was made, which the statement says beside the parts.

    * ``date``: UTC, as ``2026-01-31T12:00:00Z``; empty where it is not told.
    * ``command``: the command line, word for word.
    * ``reading``: the options of how the table was read that were given.
    * ``inputs``: for each input its part (``file``), the name that was given, and ``what`` it is: *table* or
      *other*.
    * ``questions``, ``assumptions``: what was asked, and what the answers assume.
    * ``verdicts``: for each answer ``verdict``, ``claim`` and ``headline``, and both as pages shorten them.
    * ``requirements``: of each requirement ``text``, ``status`` and ``part``, the part that shows it.
    * ``claimed``: ``epsilon`` or ``alpha``, and ``delta``, of what was claimed.
    """

    date: str = ""
    command: tuple[str, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    inputs: tuple[Mapping[str, str], ...] = ()
    questions: tuple[str, ...] = ()
    verdicts: tuple[Mapping[str, str], ...] = ()
    claimed: Mapping[str, str] | None = None
    assumptions: tuple[str, ...] = ()
    requirements: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is expected in a folder.

    * ``body``: the statement, with its digest.

    >>> made = Manifest.of("t.csv", "sha256:" + 64 * "0", [], {}, {"level": "too large"})
    >>> Manifest.read(made.to_json().encode()) == made
    True
    """

    body: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        name: str,
        table: str,
        parts: Sequence[Part],
        certificates: Mapping[str, tuple[str, Certificate]],
        without: Mapping[str, str],
        made: Made | None = None,
    ) -> Self:
        """The statement about a table.

        * ``name``, ``table``: what the table is called, and its digest (:func:`table_digest`).
        * ``parts``: all that belongs to the folder, but the manifest.
        * ``certificates``: by the name of its file what each certificate is of, and it.
        * ``without``: the parts that have no certificate, with the reasons.
        * ``made``: of a bundle; without it the statement is about certificates alone.
        """
        told = Made() if made is None else made
        inputs = [{"name": part.name, "digest": {"sha256": sha256(part.content)}} for part in parts if part.role == "input"]
        about = {"name": name, "digest": {"sha256": table.removeprefix("sha256:")}}
        predicate = {
            "contents": "certificates" if made is None else "bundle",
            "exactdp": RELEASE,
            "date": told.date,
            "command": list(told.command),
            "table": {"name": name, "digest": table},
            "reading": dict(told.reading),
            "inputs": [dict(one) for one in told.inputs],
            "questions": list(told.questions),
            "verdicts": [dict(one) for one in told.verdicts],
            "claimed": None if told.claimed is None else dict(told.claimed),
            "assumptions": list(told.assumptions),
            "parts": [{"name": part.name, "role": part.role, "digest": {"sha256": sha256(part.content)}} for part in parts],
            "certificates": [
                {"file": file, "part": part, "digest": one.digest, "sentence": one.sentence} for file, (part, one) in certificates.items()
            ],
            "without": dict(without),
        }
        if told.requirements:
            predicate[REQUIREMENTS] = [dict(one) for one in told.requirements]
        body = {"_type": STATEMENT, "subject": inputs or [about], "predicateType": PREDICATE, "predicate": predicate}
        predicate["digest"] = own_digest(body)
        return cls(body)

    @classmethod
    def read(cls, data: bytes) -> Self:
        """The manifest of a file.

        * raises InputError: it is none.
        """
        try:
            return cls(read_manifest(data))
        except Refused as error:
            raise InputError(error.sentence, reason=error.sentence) from None

    @property
    def predicate(self) -> Mapping[str, Any]:
        """What is stated."""
        predicate: Mapping[str, Any] = self.body["predicate"]
        return predicate

    @property
    def name(self) -> str:
        """What the table is called."""
        return str(self.predicate["table"]["name"])

    @property
    def table(self) -> str:
        """The digest of the table."""
        return str(self.predicate["table"]["digest"])

    @property
    def certificates(self) -> Mapping[str, str]:
        """The digest of each certificate, by the name of its file."""
        return {one["file"]: one["digest"] for one in self.predicate["certificates"]}

    @property
    def contents(self) -> frozenset[str]:
        """The SHA-256 of the bytes of each part."""
        return frozenset(part["digest"]["sha256"] for part in self.predicate["parts"])

    @property
    def without(self) -> Mapping[str, str]:
        """The parts that have no certificate, with the reasons."""
        without: Mapping[str, str] = self.predicate["without"]
        return without

    @property
    def is_bundle(self) -> bool:
        """Whether it lists all that is in the folder, and not certificates alone."""
        return bool(self.predicate["contents"] == "bundle")

    def to_json(self) -> str:
        """The text of the file."""
        return written(self.body).decode()

    @property
    def digest(self) -> str:
        """``sha256:`` and the hash of the file: whoever has noted it can tell every change."""
        return f"sha256:{sha256(written(self.body))}"


def certified(parts: Mapping[str, Verdict[Any]]) -> Iterator[tuple[str, Certificate | str]]:
    """Of each part its certificate, or the reason why it has none."""
    from exactdp.certificate.certificate import certify  # with the checker

    for name, part in parts.items():
        report_phase(None, f"the certificate of {name}")
        try:
            yield name, certify(part)
        except (CertificateError, DomainError, ResourceLimitError) as error:
            yield name, error.message
        except MemoryError:
            yield name, "there is not enough memory"


def table_digest(table: Table) -> str:
    """``sha256:`` and the hash of labels and exact numbers, in any order and in whatever field.

    * ``table``: over any field but number fields.

    >>> from exactdp.exact import ExponentialField
    >>> t, u = ExponentialField("1/2").gen, ExponentialField("1").gen
    >>> rows = [[1 - x, x] for x in (t * t, u)]
    >>> table_digest(Table([rows[0]])) == table_digest(Table([rows[1]]))
    True
    >>> table_digest(Table([rows[0]])) == table_digest(Table([["1/2", "1/2"]]))
    False
    """
    inputs, outputs = list(map(str, table.inputs)), list(map(str, table.outputs))
    rows, columns = (sorted(range(len(labels)), key=labels.__getitem__) for labels in (inputs, outputs))
    matrix = list(table.matrix.rows())
    entries = [[canonical(matrix[i][j]) for j in columns] for i in rows]
    body = [[inputs[i] for i in rows], [outputs[j] for j in columns], entries]
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return f"sha256:{sha256(text.encode('ascii'))}"


def printed_ends(printed: PrintedTable) -> Table:
    """The least and the largest numbers that print so, as one table, of which the digest is.

    >>> from exactdp.model import printed_table
    >>> printed_ends(printed_table([["0.3", "0.7"]], digits=1)).inputs
    ('lower 0', 'upper 0')
    """
    rows = [*printed.lower.rows(), *printed.upper.rows()]
    names = [f"{end} {label}" for end in ("lower", "upper") for label in printed.inputs]
    return Table(ExactMatrix(rows, QQ), names, printed.outputs)


def canonical(x: Any) -> Any:
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
