# SPDX-License-Identifier: MIT
"""Rows of a sweep beside certificates: one that is accepted speaks of what the row's own certificate does.

What a certificate speaks of is read by `scene`, which shares no code with the comparison
(`exactdp.sweeps.agreement`): labels, distances and numbers at some points of its scope.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, NamedTuple

from sweep_rows import renamed

from exactdp.errors import ExactDPError
from exactdp.sweeps.agreement import Row, disagreement
from exactdp.sweeps.asking import answered
from exactdp.sweeps.question import FORMS, SYMBOLIC, SYMBOLIC_TOO, WITHOUT_NUMBER, Question

from .attacks import Draft, fitted, mutant, negated, sealed, transplants
from .facts import rounded
from .scene import At, Json, Scene, points, squared

SECONDS = 5.0
NEARLY = At((), exact=False)
GRAPHS = ("path:2", "path:3", "complete:3", "star:3", "star:4", "cycle:4", 'edges:[["a","b"],["b","c"]]', "euclid:2x2", "path:1")
LEVELS = ("1/2", "1/3", "2/3", "1/4", "epsilon=1", "epsilon=2", "epsilon=1/2", "epsilon=1/10", "epsilon=ln(2)")
LOSSES = ("abs", "zero-one", "squared", "distance", "squared-distance")
CONSUMERS = ("minimax", "uniform", "minimax:0..1", "minimax:0", "1/2,1/4,1/4", "1/4,1/4,1/2", "1/3,2/3")
MECHANISMS = (
    "geometric:n={n}", "geometric:n={n},alpha=3/4", "geometric:n={n},alpha=1/2", "geometric:n={n},epsilon=1/4", "uniform:n={n}",
    "identity:n={n}", "geometric:n={n},epsilon=1", "randomized-response:n={n},alpha=1/2", "randomized-response:n={n},epsilon=1/2",
)  # fmt: skip
WORDS = {"graph": GRAPHS, "level": LEVELS, "loss": LOSSES, "consumer": CONSUMERS, "mechanism": MECHANISMS, "source": MECHANISMS}
FEW = {"kernels", "universal", "unique"}
"""What takes long on four inputs."""


class Kept(NamedTuple):
    """A row and what its own certificate speaks of."""

    row: Row
    certificate: Json
    said: Any


def drawn(rng: Random) -> dict[str, str]:
    """The words of a question."""
    ask = rng.choice(list(FORMS))
    form = FORMS[ask]
    names = [*form.needs, *(name for name in form.may if rng.random() < 0.5)]
    words = {"ask": ask, **{name: rng.choice(WORDS[name]) for name in names}}
    if ask in SYMBOLIC_TOO and "mechanism" not in words and rng.random() < 0.15:
        words["level"] = SYMBOLIC
    return words


def otherwise(rng: Random, words: dict[str, str]) -> dict[str, str]:
    """The same question with another word: one thing differs."""
    name = rng.choice(sorted(words))
    if name != "ask":
        return words | {name: rng.choice(WORDS[name])}
    asks = [ask for ask, form in FORMS.items() if {*form.needs} <= {*words} - {"ask"} <= {*form.needs, *form.may}]
    return words | {"ask": rng.choice(asks)}


def asked(words: dict[str, str]) -> Any:
    """The answer; None where there is no such question."""
    n = {"path:2": 1, "path:1": 0, "star:4": 3, "cycle:4": 3, "euclid:2x2": 3}.get(words.get("graph", ""), 2)
    if words["ask"] in FEW and n > 2:
        return None
    try:
        return answered(Question(**{name: word.replace("{n}", str(n)) for name, word in words.items()}).text, SECONDS)
    except ExactDPError:
        return None


def kept(answer: Any) -> Kept | None:
    """The row of an answer that has a certificate."""
    if answer is None or not answer.certificate:
        return None
    row = Row(answer.question, answer.verdict, answer.value, answer.kind, answer.lower, answer.upper)
    certificate = json.loads(answer.certificate)
    return Kept(row, certificate, reading(certificate, row))


def reading(certificate: Json, row: Row) -> Any:
    """What a certificate speaks of, at points of its scope, without a mechanism that shows that one is."""
    claim, definitions = certificate["claim"], certificate["definitions"]
    pieces = claim["pieces"] if claim["kind"] == "on-pieces" else [{"claim": claim, "interval": None}]
    words = json.loads(row.question)
    shown = words["ask"] == "universal" and "mechanism" not in words
    scope = sorted(json.dumps(d["interval"]) for d in definitions.values() if d["type"] == "parameter")
    found: list[Any] = [scope, claim["kind"]]
    for piece in pieces:
        part = piece["claim"]
        keys = sorted(part.keys() - ({"mechanism"} if shown and part["kind"] == "universally-optimal" else set()))
        for at in points(definitions, piece["interval"]):
            scene = Scene(definitions, at)
            found.append([(key, rounded(value_of(key, part, scene), NEARLY)) for key in keys])
    return found


def value_of(key: str, part: Json, scene: Scene) -> Any:
    """What one key of a claim says."""
    said = part[key]
    if key in ("kind", "capacity", "count"):
        return said
    if key == "neighbours":
        return scene.near(said)
    if key == "consumer":
        return scene.consumer(said)
    if key in ("mechanism", "source", "target") or (key == "loss" and isinstance(said, str) and said in scene.definitions):
        return scene.table(said)
    return squared(said) if key == "distance" else scene.scalar(said)


def drafts(found: list[Kept], rng: Random, attempts: int) -> Iterator[Draft]:
    """The certificates of the rows, the same with other names, and others made from them."""
    own = [Draft(k.certificate["claim"], k.certificate["definitions"], k.certificate["witness"]) for k in found]
    yield from own
    for k in found:
        other = renamed(k.certificate)
        yield Draft(other["claim"], other["definitions"], other["witness"])
    listed = [draft for one in own for draft in negated(one, rng)]
    listed += [draft for one, two in product(own, repeat=2) if one is not two for draft in transplants(one, two, rng)]
    rng.shuffle(listed)
    yield from [fit for draft in listed if (fit := fitted(draft)) is not None][:attempts]
    for _ in range(attempts):
        made = mutant(rng.choice(own), rng)
        if made is not None:
            yield made


def altered(row: Row, others: list[Kept], rng: Random) -> Iterator[Row]:
    """The row, and the row with something of another one in it."""
    yield row
    yield row._replace(verdict={"proved": "refuted", "refuted": "proved"}[row.verdict])
    for other in others:
        names = [name for name in ("question", "value", "kind", "verdict") if getattr(other.row, name) != getattr(row, name)]
        if names:
            name = rng.choice(names)
            yield row._replace(**{name: getattr(other.row, name)})


def crossed(rng: Random, check: Any, attempts: int) -> Iterator[tuple[str, bool, str | None, tuple[Json, ...]]]:
    """Each row beside each certificate that the checker accepts: what was compared, whether it was accepted,
    what is wrong with that if anything is, and both certificates.
    """
    words = drawn(rng)
    asks = [words, otherwise(rng, words), otherwise(rng, words)]
    found = [k for k in map(kept, map(asked, asks)) if k is not None]
    if not found:
        return
    pool = {sealed(draft)["digest"]: sealed(draft) for draft in drafts(found, rng, attempts)}
    accepted = [c for c in pool.values() if check(json.dumps(c).encode()).status == "accepted"]
    for k in found:
        own = {sealed(Draft(c["claim"], c["definitions"], c["witness"]))["digest"] for c in (k.certificate, renamed(k.certificate))}
        for row in altered(k.row, [other for other in found if other.row != k.row], rng):
            whose = next((other for other in found if as_answered(row, other.row)), None)
            for certificate in accepted:
                agrees = disagreement(row, certificate) is None
                same = whose is not None and reading(certificate, row) == whose.said
                said = None
                if agrees and not same:
                    said = f"the row {row} is accepted beside a certificate about something else"
                if certificate["digest"] in own and not agrees and row == k.row:
                    said = f"the row {row} is refused beside its own certificate: {disagreement(row, certificate)}"
                yield ("as answered" if whose else "altered"), agrees, said, (k.certificate, certificate)


def as_answered(row: Row, answered: Row) -> bool:
    """Whether a row says what was answered, but for a value of which no certificate says anything."""
    if row.kind in WITHOUT_NUMBER:
        answered = answered._replace(value=row.value, lower=row.lower, upper=row.upper)
    return row == answered
