# SPDX-License-Identifier: MIT
"""Certificates about mechanisms that are known by their law alone (SPEC.md §4.16)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from exactdp.analysis.laws import LawEvidence
from exactdp.certificate.bundle_files import LAW_FORMAT, VERSION, sha256
from exactdp.certificate.compare_law import LAW_KINDS
from exactdp.certificate.encode import Definitions, Numbers, Parts, scalar_json
from exactdp.certificate.manifest import canonical
from exactdp.errors import CertificateError
from exactdp.mechanisms import BitLaw, CategoryLaw, CountLaw, Law
from exactdp.runtime.budget import figure

LARGEST = 10**9 - 1
"""The largest size that the format has (SPEC.md, section 2)."""


def _level(e: LawEvidence, proved: bool) -> Parts:
    """The law and its tightest level, which implies whether it is private at another level."""
    claim, numbers = _OF_LAWS[type(e.law)](e.law)
    require_size(e.law)
    d = Definitions()
    d.over(*numbers.values())
    told = {name: scalar_json(number) for name, number in (numbers | {"ratio": e.tightest.ratio}).items()}
    return claim | told, d, {}


def require_size(law: Law) -> None:
    """CertificateError if a law has a size that the format does not have."""
    claim, _ = _OF_LAWS[type(law)](law)
    largest = max(size for size in claim.values() if isinstance(size, int))
    if largest > LARGEST:
        raise CertificateError(f"certificates have sizes up to {figure(LARGEST)}, and this one is {figure(largest)}", size=largest)


def law_json(law: Law) -> dict[str, Any]:
    """What a certificate says of a law beside its level, with numbers that no field changes.

    >>> from exactdp.exact import Rational
    >>> law_json(CategoryLaw(9999, Rational("1/2")))
    {'kind': 'response-level', 'size': 9999, 'keep': '1/2'}
    """
    claim, numbers = _OF_LAWS[type(law)](law)
    return claim | {name: canonical(number) for name, number in numbers.items()}


def law_file(word: str, law: Law) -> bytes:
    """The file of a bundle that has a law and what names it."""
    body = {"format": LAW_FORMAT, "version": VERSION, "word": word, "law": law_json(law)}
    return (json.dumps(body, indent=1) + "\n").encode("ascii")


def law_digest(law: Law) -> str:
    """``sha256:`` and the hash of a law."""
    return _digest(law_json(law))


def digest_of_claim(certificate: Mapping[str, Any]) -> str | None:
    """The digest of the law that an accepted certificate is about; None where it is about none."""
    claim = certificate["claim"]
    if claim["kind"] not in LAW_KINDS:
        return None
    read = Numbers(certificate["definitions"])
    told = {key: value if key == "kind" or isinstance(value, int) else canonical(read.scalar(value)) for key, value in claim.items()}
    del told["ratio"]
    return _digest(told)


def _digest(told: Mapping[str, Any]) -> str:
    return f"sha256:{sha256(json.dumps(told, sort_keys=True, separators=(',', ':')).encode('ascii'))}"


def _categories(law: CategoryLaw) -> tuple[dict[str, Any], dict[str, Any]]:
    """The kind and the sizes of its claim, and its numbers."""
    return {"kind": "response-level", "size": law.size}, {"keep": law.keep}


def _bits(law: BitLaw) -> tuple[dict[str, Any], dict[str, Any]]:
    sizes = {"bits": law.bits, "ones": law.ones}
    return {"kind": "bitwise-level", **sizes}, {"set": law.set_bit, "clear": law.clear_bit}


def _counts(law: CountLaw) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"kind": "geometric-level", "n": law.n, "reach": law.reach}, {"level": law.alpha}


_OF_LAWS: dict[type, Callable[[Any], tuple[dict[str, Any], dict[str, Any]]]] = {
    CategoryLaw: _categories,
    BitLaw: _bits,
    CountLaw: _counts,
}

EVIDENCE = {LawEvidence: _level}
