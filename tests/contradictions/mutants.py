# SPDX-License-Identifier: MIT
"""Structural mutants of certificates, given to the checker; what it accepts is judged by the oracle.

``python tests/contradictions --mutants 100000 --seed 1``

The certificates are the small ones that are stored, those of the tests' pools, and those that emitters make
about random definitions of the seed. A mutant has one to three of its parts altered, dropped, doubled or
taken from elsewhere, or states the opposite, or joins two certificates; it is sealed anew. Whenever the
checker accepts one, its claim is judged by computations that share no code with the checker: at the points of
the search for contradictions by the oracle over the definitions, and by the naive checker of SPEC.md.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from exactdp.certificate import certify
from exactdp.certificate.kinds import kinds
from exactdp.checker import Answer, check_bytes, kernel
from exactdp.errors import ExactDPError

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))  # where it is run as a program
from certificate_pool import pool
from field_pool import field_pool
from naive_checker import decide as naively
from naive_numbers import Undecided
from random_edits import edited

from .attacks import Draft, fitted, mutant, negated, sealed, transplants
from .draw import case
from .oracle import truth
from .scene import Json, Scene, points
from .search import TOPICS, inlined, parts_of

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 5000  # bytes of a stored certificate that is mutated: larger ones take longer, and have the same rules
WORK = 3 * 10**7  # units of work on a mutant: what takes longer is not accepted
NAIVE = {kind.name for kind in kinds().values() if kind.group.version == "0.1"} | {"on-pieces"}

Check = Callable[[bytes], Answer]


@dataclass
class Hunt:
    """What came of the mutants: how many there were, and of those accepted what the oracle says."""

    mutants: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    true: int = 0
    unjudged: Counter[str] = field(default_factory=Counter)
    false: list[Json] = field(default_factory=list)
    defects: list[Json] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def accepted(self) -> int:
        """How many the checker accepted."""
        return self.answers["accepted"]

    def __str__(self) -> str:
        others = ", ".join(f"{count} {status}" for status, count in sorted(self.answers.items()) if status != "accepted")
        figures = f"{self.accepted} accepted ({others}), {self.true} judged true by the oracle"
        rest = f"{self.unjudged.total()} not judged by the oracle, {len(self.false)} false"
        return f"{self.mutants} mutants, {figures}, {rest}, {self.seconds:.0f} s"


def stored() -> list[Json]:
    """The certificates of the repository that are small, and those of the pools, in one order."""
    files = [*ROOT.glob("tests/corpus/accept/*.edp.json"), *ROOT.glob("proofs/*/certificates/*.edp.json")]
    small = [data for file in sorted(files) if len(data := file.read_bytes()) <= LARGEST]
    return [json.loads(data) for data in small] + [*pool().values(), *field_pool().values()]


def emitted(rng: Random, count: int) -> list[Json]:
    """Certificates of answers about random definitions, from so many of them."""
    topics, found = list(TOPICS), list[Json]()
    for _ in range(count):
        topic = rng.choices(topics, [TOPICS[name][0] for name in topics])[0]
        questions = list(TOPICS[topic][1](case(rng, topic), rng))
        for question in rng.sample(questions, min(2, len(questions))):
            with contextlib.suppress(ExactDPError):
                certificate = certify(question(), check=False)
                found.append(sealed(Draft(certificate.claim, certificate.definitions, certificate.witness)))
    return found


def altered(certificates: list[Json], rng: Random) -> Json | None:
    """One mutant, or None if there is none of the kind drawn."""
    one = rng.choice(certificates)
    draft = Draft(one["claim"], one["definitions"], one["witness"])
    match rng.choices(("structure", "numbers", "opposite", "joined"), (40, 40, 8, 12))[0]:
        case "structure":
            result: Json = edited(one, rng)
            return result
        case "numbers":
            found = mutant(draft, rng)
            return None if found is None else sealed(found)
        case "opposite":
            drafts = list(negated(draft, rng))
        case _:
            kind = one["claim"]["kind"]
            alike = [other for other in rng.sample(certificates, 20) if other["claim"]["kind"] == kind] or [rng.choice(certificates)]
            two = alike[0]
            drafts = list(transplants(draft, Draft(two["claim"], two["definitions"], two["witness"]), rng))
    fit = [fine for each in drafts if (fine := fitted(each)) is not None]
    return sealed(rng.choice(fit)) if fit else None


def drawn(certificates: list[Json], seed: int) -> Iterator[Json]:
    """Mutants without end, none of them twice, and none a certificate that was there."""
    seen, number = {one["digest"] for one in certificates}, 0
    while True:
        number += 1
        try:
            found = altered(certificates, Random(f"{seed}:{number}"))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError):  # a place that has no such edit
            continue
        if found is not None and found["digest"] not in seen:
            seen.add(found["digest"])
            yield found


def by_definitions(certificate: Json, rng: Random) -> bool | None:
    """Whether the oracle over the definitions finds the claim true at all points that it tries."""
    fields = {d["type"] for d in certificate["definitions"].values()}
    if "region" in fields:
        return None
    verdicts = set[bool | None]()
    for part, evidence, interval in parts_of(certificate):
        for at in points(certificate["definitions"], interval):
            verdicts.add(truth(part, evidence, Scene(certificate["definitions"], at), rng, True))
    return False if False in verdicts else None if None in verdicts or not verdicts else True


def by_the_naive_checker(certificate: Json) -> bool | None:
    """Whether the naive checker finds that the witness proves the claim."""
    try:
        return bool(naively(certificate)) if certificate["claim"]["kind"] in NAIVE else None
    except Undecided:
        return None


def judged(certificate: Json, rng: Random, known: dict[str, bool | None]) -> bool | None:
    """Whether an accepted claim is true, by one oracle or the other; None if neither can tell."""
    statement = json.dumps(inlined(certificate), sort_keys=True)
    for ask in (
        lambda: known[statement] if statement in known else by_definitions(certificate, rng),
        lambda: by_the_naive_checker(certificate),
    ):
        verdict = None
        with contextlib.suppress(
            LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError
        ):  # it can't read the file
            verdict = ask()
        if verdict is not None:
            known[statement] = verdict
            return verdict
    return known.setdefault(statement, None)


def hunt(
    mutants: int,
    seed: int,
    *,
    check: Check = check_bytes,
    definitions: int | None = None,
    enough: int = 20,
    report: Callable[[Hunt], None] = print,
) -> Hunt:
    """Give so many mutants to the checker, and have judged what it accepts.

    Parameters
    ----------
    mutants : int
    seed : int
        Determines all of them.
    check : callable
        The checker.
    definitions : int, optional
        Emitters are asked about so many random definitions; one for 250 mutants unless given.
    enough : int
        False ones to stop after.
    report : callable
        Told the figures after each 5000 mutants.
    """
    found, start, usual = Hunt(), time.monotonic(), kernel.LIMITS["work"]
    rng, known = Random(f"{seed}:oracle"), dict[str, bool | None]()
    certificates = stored() + emitted(Random(f"{seed}:emitted"), mutants // 250 if definitions is None else definitions)
    kernel.LIMITS["work"] = WORK
    try:
        for certificate in drawn(certificates, seed):
            if found.mutants == mutants or len(found.false) >= enough:
                break
            found.mutants += 1
            answer = check(json.dumps(certificate).encode())
            found.answers[answer.status] += 1
            if answer.status == "defect":
                found.defects.append(certificate)
            if answer.status == "accepted":
                verdict = judged(certificate, rng, known)
                found.true += verdict is True
                if verdict is None:
                    found.unjudged[certificate["claim"]["kind"]] += 1
                elif not verdict:
                    found.false.append(certificate)
            found.seconds = time.monotonic() - start
            if found.mutants % 5000 == 0:
                report(found)
    finally:
        kernel.LIMITS["work"] = usual
    return found
