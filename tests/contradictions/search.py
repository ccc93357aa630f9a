# SPDX-License-Identifier: MIT
"""Rounds of the search, each from its own seed, and what they found."""

from __future__ import annotations

import contextlib
import json
import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from exactdp.certificate.certificate import certify
from exactdp.checker import check_bytes
from exactdp.errors import ExactDPError

from .attacks import FIELDS, Draft, by_hand, elsewhere, fitted, mutant, negated, sealed, transplants
from .draw import Case, altered, case
from .facts import Store
from .oracle import truth
from .questions import TOPICS
from .rows import crossed
from .scene import Json, Scene, covers, points

Check = Callable[[bytes], Any]
ROWS = 10
"""Every so manyth round is about rows of a sweep, too."""

KINDS_OF_NUMBERS = ("rational", "exponential", "interval")


@dataclass(frozen=True)
class Finding:
    """Two accepted certificates that exclude each other, or one that is false."""

    definition: int
    what: str
    certificates: tuple[Json, ...]

    def __str__(self) -> str:
        return f"definition {self.definition}: {self.what}\n" + "\n".join(json.dumps(c) for c in self.certificates)


@dataclass
class Tally:
    """The figures of a run."""

    definitions: int = 0
    # of kind, kind of numbers, status
    answers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)  # what the oracle said of accepted claims
    refused: Counter[str] = field(default_factory=Counter)  # emitted, but not accepted, by kind and rule
    refusals: list[tuple[int, str, Json]] = field(default_factory=list)  # some of those that are not limits
    # what emitters raised that is no error of exactdp
    raised: list[tuple[int, str]] = field(default_factory=list)
    defects: list[Finding] = field(default_factory=list)  # files that the checker answers with a defect
    findings: list[Finding] = field(default_factory=list)
    # rounds that the search itself could not finish
    broken: list[tuple[int, str]] = field(default_factory=list)
    # emitted, not accepted, and contradicted by the oracle
    untrue: list[Finding] = field(default_factory=list)
    # rows beside certificates: as answered or altered, and whether accepted
    rows: Counter[tuple[str, bool]] = field(default_factory=Counter)
    sentences: dict[str, Json] = field(default_factory=dict)  # of accepted claims; not added up
    seconds: float = 0.0

    def add(self, other: Tally) -> None:
        self.definitions += other.definitions
        for name in ("answers", "pairs", "judged", "refused", "rows"):
            getattr(self, name).update(getattr(other, name))
        for name in ("refusals", "raised", "defects", "findings", "broken", "untrue"):
            setattr(self, name, [*getattr(self, name), *getattr(other, name)][:200])
        self.seconds = max(self.seconds, other.seconds)


class Round:
    """One definition, asked and attacked."""

    def __init__(self, number: int, seed: int, tally: Tally, check: Check, attempts: int, thorough: float, questions: int = 3) -> None:
        self.number, self.tally, self.check, self.attempts, self.questions = number, tally, check, attempts, questions
        self.rng = random.Random(f"{seed}:{number}")
        self.thorough = self.rng.random() < thorough
        self.store = Store()
        self.seen = set[str]()

    def run(self) -> None:
        rng, topics = self.rng, list(TOPICS)
        self.tally.definitions += 1
        topic = rng.choices(topics, [TOPICS[name][0] for name in topics])[0]
        c = case(rng, topic)
        one = self.emitted(topic, c, self.questions)
        other = altered(rng, c)
        two = self.emitted(topic, other, 1) if one else []
        for draft in self.attacks(topic, c, one, two):
            self.ask(draft, emitted=False)
        for clash in self.store.implied():
            self.clash(clash.subject, clash.one.certificate, clash.two.certificate)
        self.tally.pairs.update(self.store.compared)

    def emitted(self, topic: str, c: Case, most: int) -> list[Draft]:
        """The certificates of the answers to some questions of the topic."""
        found, questions = [], list(TOPICS[topic][1](c, self.rng))
        self.rng.shuffle(questions)
        for question in questions[:most]:
            try:
                certificate = certify(question(), check=False)
            except ExactDPError:
                continue
            except Exception as error:
                self.tally.refused[f"an emitter of {topic} raised {type(error).__name__}"] += 1
                self.tally.raised.append((self.number, f"{topic}: {traceback.format_exc(limit=-3)}"))
                continue
            draft = Draft(certificate.claim, certificate.definitions, certificate.witness)
            self.ask(draft, emitted=True)
            found.append(draft)
        return found

    def attacks(self, topic: str, c: Case, one: list[Draft], two: list[Draft]) -> Iterator[Draft]:
        rng, listed = self.rng, list[Draft]()
        with contextlib.suppress(ExactDPError):
            listed += by_hand(topic, c, rng)
        for a in one:
            listed += negated(a, rng)
            listed += elsewhere(a, rng)
            for b in two:
                listed += transplants(a, b, rng)
                listed += transplants(b, a, rng)
        rng.shuffle(listed)
        yield from islice((fit for draft in listed if (fit := fitted(draft)) is not None), self.attempts)
        for _ in range(self.attempts // 2 if one else 0):
            draft = mutant(rng.choice([*one, *two]), rng)
            if draft is not None:
                yield draft

    def ask(self, draft: Draft, *, emitted: bool) -> None:
        """Have the checker decide, and judge what it accepts."""
        certificate = sealed(draft)
        if certificate["digest"] in self.seen:
            return
        self.seen.add(certificate["digest"])
        answer = self.check(json.dumps(certificate).encode())
        kind, numbers = str(draft.claim.get("kind")), numbers_of(certificate)
        self.tally.answers[kind, numbers, answer.status] += 1
        if answer.status == "defect":
            self.tally.defects.append(Finding(self.number, answer.sentence, (certificate,)))
        if emitted and answer.status != "accepted":
            self.tally.refused[f"{kind}: {answer.status}: {answer.rule}"] += 1
            if answer.status != "limit":
                self.tally.refusals.append((self.number, answer.sentence, certificate))
                if answer.status == "rejected" and self.untrue(certificate):
                    self.tally.untrue.append(Finding(self.number, f"an emitter says what is not true: {answer.sentence}", (certificate,)))
        if answer.status == "accepted":
            said = self.tally.sentences.setdefault(answer.sentence, certificate)
            if said is not certificate and inlined(said) != inlined(certificate):
                self.tally.findings.append(Finding(self.number, f"one sentence for two claims: {answer.sentence}", (said, certificate)))
            self.judge(certificate)

    def untrue(self, certificate: Json) -> bool:
        """Whether the oracle contradicts what an emitter says and the checker does not accept."""
        for part, evidence, interval in parts_of(certificate):
            for at in points(certificate["definitions"], interval):
                try:
                    if truth(part, evidence, Scene(certificate["definitions"], at), self.rng, True) is False:
                        return True
                except (ArithmeticError, IndexError):  # no claim there: a denominator is 0, say
                    return True
        return False

    def judge(self, certificate: Json) -> None:
        claim, definitions = certificate["claim"], certificate["definitions"]
        if claim["kind"] == "on-pieces":
            [whole] = [d["interval"] for d in definitions.values() if d["type"] == "parameter"]
            if not covers(whole, [p["interval"] for p in claim["pieces"]]):
                self.tally.findings.append(Finding(self.number, "the pieces of an accepted claim have a gap", (certificate,)))
        for part, evidence, interval in parts_of(certificate):
            for at in points(definitions, interval):
                scene = Scene(definitions, at)
                for clash in self.store.add(certificate, part, scene):
                    self.clash(clash.subject, clash.one.certificate, clash.two.certificate)
                verdict = truth(part, evidence, scene, self.rng, self.thorough)
                self.tally.judged[str(verdict)] += 1
                if verdict is False:
                    what = f"a false {part['kind']} claim is accepted (at {', '.join(map(str, at.symbols))[:60] or 'its numbers'})"
                    self.tally.findings.append(Finding(self.number, what, (certificate,)))
                    break

    def clash(self, subject: str, one: Json, two: Json) -> None:
        what = f"{one['claim']['kind']} and {two['claim']['kind']} contradict each other about: {subject}"
        self.tally.findings.append(Finding(self.number, what, (one, two)))


def rows_beside_certificates(number: int, seed: int, tally: Tally, check: Check, attempts: int) -> None:
    """A round about rows of a sweep, with its own draws."""
    for what, agrees, said, certificates in crossed(random.Random(f"rows:{seed}:{number}"), check, attempts):
        tally.rows[what, agrees] += 1
        if said is not None:
            tally.findings.append(Finding(number, said, certificates))


def parts_of(certificate: Json) -> list[tuple[Json, Json, Json]]:
    """Claim, witness and interval of each piece; of other claims themselves, without an interval."""
    claim, witness = certificate["claim"], certificate["witness"]
    if claim["kind"] != "on-pieces":
        return [(claim, witness, None)]
    return [(p["claim"], w, p["interval"]) for p, w in zip(claim["pieces"], witness["pieces"], strict=True)]


def inlined(certificate: Json) -> Json:
    """The claim with definitions in place of their names, and the field."""
    definitions = certificate["definitions"]

    def within(value: Json) -> Json:
        if isinstance(value, dict):
            return {key: within(item) for key, item in value.items()}
        if isinstance(value, list):
            return [within(item) for item in value]
        return definitions.get(value, value) if isinstance(value, str) else value

    return within(certificate["claim"]), [d for d in definitions.values() if d["type"] in FIELDS]


def numbers_of(certificate: Json) -> str:
    """The kind of numbers of a certificate."""
    types = {d.get("type") for d in certificate["definitions"].values()} & set(FIELDS)
    return {"exponential": "exponential", "parameter": "interval"}[types.pop()] if types else "rational"


def search(
    numbers: range,
    seed: int,
    *,
    check: Check = check_bytes,
    attempts: int = 6,
    thorough: float = 0.15,
    questions: int = 3,
    enough: int = 20,
) -> Tally:
    """Go through definitions by number; stop early after `enough` findings.

    Parameters
    ----------
    numbers : range
        Of definitions: a number and a seed determine one.
    seed : int
    check : callable
        The checker.
    attempts : int
        Attacks on a definition, besides what the emitters say.
    thorough : float
        The share of definitions on which the oracle solves linear programs.
    questions : int
        At most so many questions of a topic are asked about a definition, and one about the altered one.
    enough : int
        Findings to stop after.
    """
    tally, start = Tally(), time.monotonic()
    for number in numbers:
        try:
            Round(number, seed, tally, check, attempts, thorough, questions).run()
            if number % ROWS == 0:
                rows_beside_certificates(number, seed, tally, check, attempts)
        except Exception:  # of the search itself: a long run goes on, and fails in the end
            tally.broken.append((number, traceback.format_exc(limit=-4)))
        tally.seconds = time.monotonic() - start
        if len(tally.findings) >= enough:
            break
    return tally
