# SPDX-License-Identifier: MIT
"""The lemmas of a certificate about a region of letters: proofs of the signs that it needs (SPEC.md §2.2).

Which signs these are is the checker's to say: it names a polynomial whose sign the witness does not show. A
proof of it is searched and added, until the checker asks no more.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import Any

from exactdp.certificate.encode import Numbers, polynomial_json
from exactdp.checker.kernel import FIELD, LIMITS, WORK, Larger, Stop, check, read
from exactdp.errors import CertificateError, UndecidedSignError
from exactdp.exact import Region
from exactdp.exact.positivity import Lemma, Split, Step


def signs_for(definitions: dict[str, Any], text: Callable[[list[dict[str, Any]]], str]) -> list[dict[str, Any]]:
    """The lemmas that a certificate about a region needs, as its witness has them under ``signs``.

    * ``text``: the certificate's text with some lemmas.
    * raises CertificateError: the checker compares two numbers for which no sign was found; carries the
      polynomial.
    """
    field = Numbers(definitions).field
    lemmas = dict[Lemma, None]()
    while True:
        listed = [lemma_json(lemma, field.region, k) for k, lemma in enumerate(lemmas)]
        asked = _asked(text(listed).encode())
        if asked is None:
            return listed
        function = field.quotient(asked)
        before = len(lemmas)
        try:
            function.weak_sign()
        except UndecidedSignError as error:
            raise CertificateError(f"no certificate was made: {error.message}", polynomial=function) from None
        lemmas.update(dict.fromkeys(function.lemmas()))
        if len(lemmas) == before:  # it may vanish, and the rule needs that it does not
            raise CertificateError(f"no certificate was made: {function} may be zero for {field.region}", polynomial=function)


def lemma_json(lemma: Lemma, region: Region, before: int) -> dict[str, Any]:
    """One lemma, with so many before it.

    >>> from exactdp.exact import RegionField
    >>> region = Region({"p": "(0, 1)"})
    >>> [lemma] = RegionField(region)("1 + p").lemmas()
    >>> lemma_json(lemma, region, 0)["proof"]
    [[{'times': '1', 'powers': []}, {'times': '1', 'powers': [[0, 1]]}]]
    """
    order = sorted(range(len(region.constraints)), key=lambda k: not region.constraints[k].strict)
    places = {k: place for place, k in enumerate(order)}

    def step_json(step: Step) -> Any:
        if isinstance(step, Split):
            return {"split": polynomial_json(step.terms)}
        terms = []
        for term in step:
            powers = sorted([len(order) + before + fact.place if fact.split else places[fact.place], e] for fact, e in term.powers)
            square = {} if term.square is None else {"square": polynomial_json(term.square)}
            terms.append({"times": str(term.times), "powers": powers, **square})
        return terms

    sign = "positive" if lemma.strict else "nonnegative"
    return {"polynomial": polynomial_json(lemma.terms), "sign": sign, "proof": [step_json(step) for step in lemma.proof]}


def _asked(data: bytes) -> Any:
    """The terms of the first polynomial whose sign the checker does not find; None if there is none."""

    def run() -> Any:
        WORK.set([-LIMITS["work"] * (max(len(data) - 1, 0) >> 20), 0])
        doublings = 0
        while doublings < 16:
            FIELD.set(None)
            WORK.get()[1] = 0
            try:
                check(read(data), doublings)
            except Larger as larger:
                doublings = max(larger.args[0], doublings + 1)
            except Stop as stop:
                return FIELD.get().terms(stop.args[1]) if len(stop.args) > 1 else None
            else:
                return None
        return None

    return copy_context().run(run)
