# SPDX-License-Identifier: MIT
"""What an accepted claim says at one point, as facts, and which facts exclude each other.

A fact is about a subject: a number (`=`, `<`, `<=`, `>`, `>=`), a yes or no (`=`), or a set of solutions
(`has` one, `only` one, `many`). Two facts about one subject either can both hold or not, whatever the kinds
of the claims: so every pair of claims is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from .scene import At, Consumer, Json, Mechanism, Near, Power, Row, Scene, compare_levels, squared

LOWER, UPPER = {"=", ">", ">="}, {"=", "<", "<="}


class Fact(NamedTuple):
    """`relation` holds between the subject and the value."""

    subject: tuple[Any, ...]
    relation: str
    value: Any


class Held(NamedTuple):
    """A fact, where it holds, and the certificate that says so."""

    fact: Fact
    at: At
    kind: str
    certificate: Json


class Clash(NamedTuple):
    """Two accepted certificates that exclude each other."""

    subject: str
    one: Held
    two: Held


def excluded(x: Fact, y: Fact, at: At) -> bool:
    """Whether two facts about one subject cannot both hold."""
    if {x.relation, y.relation} & {"has", "only", "many"}:
        relations = {x.relation, y.relation}
        return relations == {"only", "many"} or ("only" in relations and "many" not in relations and x.value != y.value)
    if isinstance(x.value, bool):
        return bool(x.value != y.value)
    order = compare_levels(x.value, y.value, at) if isinstance(x.value, Power) else at.sign(Fraction(x.value) - Fraction(y.value))
    for low, high, sign in ((x, y, order), (y, x, -order)):
        if low.relation in LOWER and high.relation in UPPER:
            strict = at.exact and (low.relation == ">" or high.relation == "<")
            if sign > 0 or (sign == 0 and strict):
                return True
    return False


class Store:
    """The facts of one definition, and what follows for the mechanisms of a type that are known to be
    private.
    """

    def __init__(self) -> None:
        self.held: dict[Any, list[Held]] = {}
        self.members: dict[Any, dict[Any, tuple[Mechanism, Held]]] = {}  # of a type: its private mechanisms
        self.questions: dict[Any, dict[Any, Held]] = {}  # of a type: subjects that each member bounds
        self.compared: Counter[tuple[str, str]] = Counter()

    def add(self, certificate: Json, claim: Json, scene: Scene) -> Iterator[Clash]:
        """The contradictions between a newly accepted certificate and those before it."""
        for fact in facts(claim, scene):
            held = Held(fact, scene.at, claim["kind"], certificate)
            yield from self.put(held)
            subject = fact.subject
            if subject[0] == "tightest" and fact.relation in (">=", "="):
                _, mechanism, near = subject
                self.members.setdefault(rounded(near, scene.at), {}).setdefault(rounded(mechanism, scene.at), (mechanism, held))
            elif subject[0] in ("optimum", "utility", "type capacity") and len(subject) > 2:
                self.questions.setdefault(rounded(subject[1], scene.at), {}).setdefault(rounded(subject, scene.at), held)

    def implied(self) -> Iterator[Clash]:
        """Every mechanism that is private at a level bounds what the best one of the type attains."""
        for near, subjects in self.questions.items():
            for mechanism, source in list(self.members.get(near, {}).values()):
                for held in subjects.values():
                    at, subject = held.at, held.fact.subject
                    reached = compare_levels(source.fact.value, Power(subject[2]), at)
                    if source.at != at or reached < 0 or (reached == 0 and not at.exact):
                        continue
                    for fact in bounds(subject, mechanism):
                        yield from self.put(Held(fact, at, source.kind, source.certificate))

    def put(self, held: Held) -> Iterator[Clash]:
        key = rounded(held.fact.subject, held.at), held.at
        others = self.held.setdefault(key, [])
        for other in others:
            if other.certificate is not held.certificate:
                first, second = sorted((other.kind, held.kind))
                self.compared[first, second] += 1
                if excluded(other.fact, held.fact, held.at):
                    yield Clash(held.fact.subject[0], other, held)
        if all(other.fact != held.fact or other.kind != held.kind for other in others):
            others.append(held)


def rounded(value: Any, at: At) -> Any:
    """The value as a key: approximate numbers to 50 digits."""
    if at.exact:
        return value
    if isinstance(value, Fraction):
        return round(value * 10**50)
    return tuple(rounded(x, at) for x in value) if isinstance(value, tuple) else value


def bounds(subject: tuple[Any, ...], mechanism: Mechanism) -> Iterator[Fact]:
    """What a private mechanism says about the best one of its type."""
    if subject[0] == "optimum":
        consumer: Consumer = subject[3]
        if mechanism.outputs == consumer.loss.outputs and mechanism.inputs == consumer.loss.inputs:
            yield Fact(subject, "<=", loss_of(consumer, mechanism.rows))
    elif subject[0] == "utility":
        yield Fact(subject, ">=", utility(mechanism.rows, subject[3]))
    else:
        yield Fact(subject, ">=", capacity(mechanism.rows, subject[3]))


# ── values of one mechanism
# ─────────────────────────────────────────────────────────────────────────────────────────
def loss_of(consumer: Consumer, x: tuple[Row, ...]) -> Fraction:
    each = [sum((a * b for a, b in zip(costs, row, strict=True)), Fraction(0)) for costs, row in zip(consumer.loss.rows, x, strict=True)]
    if consumer.prior is None:
        assert consumer.side_information is not None
        return max(each[i] for i in consumer.side_information)
    return sum((p * e for p, e in zip(consumer.prior, each, strict=True)), Fraction(0))


def utility(x: tuple[Row, ...], prior: Row) -> Fraction:
    return sum((max(p * row[o] for p, row in zip(prior, x, strict=True)) for o in range(len(x[0]))), Fraction(0))


def capacity(x: tuple[Row, ...], kind: str) -> Fraction:
    if kind == "multiplicative":
        return sum((max(column) for column in zip(*x, strict=True)), Fraction(0))
    return 1 - sum((min(column) for column in zip(*x, strict=True)), Fraction(0))


# ── the facts of a claim
# ────────────────────────────────────────────────────────────────────────────────────────────
def facts(c: Json, s: Scene) -> Iterator[Fact]:
    """What the claim says at the point, but for pieces (each is a claim of its own)."""
    kind = c["kind"]
    for name in named(c):
        definition = s.definitions.get(name, {})
        if definition.get("type") == "mechanism":
            yield Fact(("stochastic", s.table(name)), "=", True)
    if kind == "not-stochastic":
        yield Fact(("stochastic", s.table(c["table"])), "=", False)
        return
    if "printed" in c:
        yield from printed_facts(c, s)
        return
    near = s.near(c["neighbours"]) if "neighbours" in c else None
    alpha = s.scalar(c["level"]) if "level" in c else None
    m = s.table(c["mechanism"]) if "mechanism" in c else None
    if near is not None and alpha is not None and m is not None and kind not in NOT_SAID_PRIVATE:
        yield Fact(("tightest", m, near), ">=", Power(alpha))
    if kind in ("not-private", "level"):
        stated = Power(alpha) if kind == "not-private" else Power(s.scalar(c["ratio"]), squared(c["distance"]))  # type: ignore[arg-type]
        yield Fact(("tightest", m, near), "<" if kind == "not-private" else "=", stated)
    if kind in ("derivable", "not-derivable"):
        yield Fact(("derivable", s.table(c["source"]), s.table(c["target"])), "=", kind == "derivable")
    if "consumer" in c:
        yield from consumer_facts(c, s, near, alpha, m)
    if near is not None and alpha is not None:
        yield from type_facts(c, s, near, alpha, m)
    if kind == "leakage":
        assert m is not None
        prior = s.vector(c["prior"], len(m.inputs))
        yield Fact(("utility of", m, prior), "=", s.scalar(c["value"]) * max(prior))
    if kind == "capacity":
        yield Fact(("capacity of", m, c["capacity"]), "=", s.scalar(c["value"]))
    if kind == "refinement-order":
        tables = [s.table(name) for name in c["mechanisms"]]
        for i, a in enumerate(tables):
            yield from (Fact(("derivable", a, b), "=", [i, j] in c["pairs"]) for j, b in enumerate(tables) if i != j)
    yield from deployed_facts(c, s, near, alpha, m)
    if kind == "not-determinant":
        yield Fact(("formula", repr(c["matrix"]), c.get("column"), repr(c["formula"])), "=", False)
    elif kind == "determinant":
        yield Fact(("formula", repr(c["matrix"]), c.get("column"), repr(c["formula"])), "=", True)


ENDS = {  # which end of a printed table a kind is about, and what it says of a level or of δ
    "all-tables-private": ("worst", ">="), "not-all-tables-private": ("worst", "<"), "level-of-all-tables": ("worst", "="),
    "some-table-private": ("best", ">="), "no-table-private": ("best", "<"), "level-of-some-table": ("best", "="),
    "all-tables-approximately-private": ("worst", "<="), "not-all-tables-approximately-private": ("worst", ">"),
    "some-table-approximately-private": ("best", "<="), "no-table-approximately-private": ("best", ">"),
    "delta-of-all-tables": ("worst", "="), "delta-of-some-table": ("best", "="),
}  # fmt: skip


def printed_facts(c: Json, s: Scene) -> Iterator[Fact]:
    """One end of the level or of δ is what the claim says; and it does not pass the other end."""
    end, relation = ENDS[c["kind"]]
    p = s.definitions[c["printed"]]
    bounds = tuple(s.matrix(p[key], len(p["outputs"])) for key in ("lower", "upper"))
    near = s.near(c["neighbours"])
    if "delta" in c:
        subject, value = ("δ", bounds, near, s.scalar(c["level"])), s.scalar(c["delta"])
        other = {"<=": "<=", "=": "<="} if end == "worst" else {">": ">", "=": ">="}
    else:
        level = Power(s.scalar(c["level"])) if "level" in c else Power(s.scalar(c["ratio"]), squared(c["distance"]))
        subject, value = ("level", bounds, near), level
        other = {">=": ">=", "=": ">="} if end == "worst" else {"<": "<", "=": "<="}
    yield Fact((end, *subject), relation, value)
    if relation in other:
        yield Fact(("best" if end == "worst" else "worst", *subject), other[relation], value)


NOT_SAID_PRIVATE = {"not-private", "approximately-private", "not-approximately-private", "delta", "level-with-delta"}


def named(c: Json) -> list[str]:
    """The mechanisms that a claim names."""
    single = [c[key] for key in ("mechanism", "source", "target", "remap") if key in c]
    parts = [part["mechanism"] for part in c.get("parts", [])]
    mixed = [part["kernel"] for mixture in [*c.get("mixtures", []), c.get("mixture", [])] for part in mixture]
    return [*single, *c.get("mechanisms", []), *parts, *mixed]


def consumer_facts(c: Json, s: Scene, near: Near | None, alpha: Fraction | None, m: Mechanism | None) -> Iterator[Fact]:
    kind, consumer = c["kind"], s.consumer(c["consumer"])
    if kind == "gap-between":
        loss = s.scalar(c["loss"])
        yield Fact(("loss of", m, consumer), "=", loss)
        yield Fact(("optimum", near, alpha, consumer), "<=", loss - s.scalar(c["least"]))
        yield Fact(("optimum", near, alpha, consumer), ">=", loss - s.scalar(c["most"]))
        return
    value, stated = s.scalar(c["value"]), s.scalar(c.get("loss", c["value"]))
    if near is None:
        best = ("best remap", m, consumer)
        yield Fact(best, "=", value)
        solutions = ("best remaps", m, consumer)
        if "remap" in c and "loss" not in c:
            yield Fact(solutions, "only" if kind == "unique-remap" else "has", s.table(c["remap"]).rows)
        if kind == "not-unique-remap":
            yield Fact(solutions, "many", None)
        if kind == "not-optimal-remap":
            yield Fact(("remapped", m, consumer, s.table(c["remap"])), "=", stated)
        return
    yield Fact(("optimum", near, alpha, consumer), "=", value)
    if kind.endswith("after-remap"):
        yield Fact(("best remap", m, consumer), "=", stated)
    elif m is not None:
        yield Fact(("loss of", m, consumer), "=", stated)
    solutions = ("optima", near, alpha, consumer)
    if m is not None and kind in ("optimal", "unique"):
        yield Fact(solutions, "only" if kind == "unique" else "has", m.rows)
    if kind == "not-unique":
        yield Fact(solutions, "many", None)


def type_facts(c: Json, s: Scene, near: Near, alpha: Fraction, m: Mechanism | None) -> Iterator[Fact]:
    kind = c["kind"]
    if kind in ("tight", "not-tight", "unique-tight", "not-unique-tight", "threshold"):
        yield Fact(("tight", near, alpha), "=", kind != "not-tight")
        if kind.endswith("unique-tight"):
            yield Fact(("tight mechanisms", near, alpha), "only" if kind == "unique-tight" else "many", None)
        if kind == "threshold":
            yield Fact(("tight", near, s.scalar(c["above"])), "=", False)
    if kind in ("singular", "non-singular"):
        yield Fact(("singular", near, alpha), "=", kind == "singular")
    prior = s.vector(c["prior"], len(near.vertices)) if "prior" in c and kind != "leakage" else None
    if kind in ("regular", "not-regular", "utility-bound"):
        yield Fact(("regular", near, alpha, prior), "=", kind != "not-regular")
    if kind in ("utility-bound", "leakage-bound"):
        value = s.scalar(c["value"])
        if prior is None:
            yield Fact(("type capacity", near, alpha, "multiplicative"), "<=", value)
        else:
            yield Fact(("utility", near, alpha, prior), "<=", value * (1 if kind == "utility-bound" else max(prior)))
    if kind in ("optimal-on-region", "not-optimal-on-region"):
        yield Fact(("on region", near, alpha, m), "=", kind == "optimal-on-region")
    if kind in ("vertices", "kernel-count"):
        yield Fact((kind, near, alpha), "=", c["count"])
    if kind in ("kernel-mechanism", "not-kernel-mechanism"):
        yield Fact(("kernel", near, alpha, m), "=", kind == "kernel-mechanism")
    for mixture in [*c.get("mixtures", []), c.get("mixture", [])]:
        yield from (Fact(("kernel", near, alpha, s.table(part["kernel"])), "=", True) for part in mixture)
    if kind == "type-capacity":
        yield Fact(("type capacity", near, alpha, c["capacity"]), "=", s.scalar(c["value"]))
    if kind.endswith("universally-optimal"):
        loss = s.table(c["loss"])
        if kind.startswith("no-"):
            yield Fact(("somebody universal", near, alpha, loss), "=", False)
        else:
            yield Fact(("universal", near, alpha, loss, m), "=", not kind.startswith("not-"))
        if kind.startswith("univ"):
            yield Fact(("somebody universal", near, alpha, loss), "=", True)


def deployed_facts(c: Json, s: Scene, near: Near | None, alpha: Fraction | None, m: Mechanism | None) -> Iterator[Fact]:
    kind = c["kind"]
    if kind in ("delta", "approximately-private", "not-approximately-private"):
        delta, no = s.scalar(c["delta"]), kind.startswith("not-")
        yield Fact(("delta", m, near, alpha), {"delta": "=", "approximately-private": "<="}.get(kind, ">"), delta)
        yield Fact(("level with delta", m, near, delta), "<" if no else ">=", alpha)
        if delta == 0:
            yield Fact(("tightest", m, near), "<" if no else ">=", Power(alpha))  # type: ignore[arg-type]
    if kind == "level-with-delta":
        delta, ratio = s.scalar(c["delta"]), s.scalar(c["ratio"])
        yield Fact(("level with delta", m, near, delta), "=", ratio)
        if delta == 0:
            yield Fact(("tightest", m, near), "=", Power(ratio))
    if kind == "sequential-level":
        tables, ratio = [s.table(name) for name in c["mechanisms"]], Power(s.scalar(c["ratio"]))
        yield Fact(("together", tuple(sorted(tables)), near), "=", ratio)
        yield from (Fact(("tightest", t, near), "=" if len(tables) == 1 else ">=", ratio) for t in tables)
    if kind == "parallel-level":
        parts, ratio = [(s.table(p["mechanism"]), s.near(p["neighbours"])) for p in c["parts"]], Power(s.scalar(c["ratio"]))
        yield Fact(("side by side", tuple(sorted(parts))), "=", ratio)
        yield from (Fact(("tightest", t, n), "=" if len(parts) == 1 else ">=", ratio) for t, n in parts)
