# SPDX-License-Identifier: MIT
"""Questions over letters and the conditions for a yes, against questions about numbers, and against z3."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracles import needs

from exactdp import (
    ExactMatrix,
    Prior,
    PrivacyLevel,
    Rational,
    Table,
    certify,
    conditions,
    is_derivable,
    is_private,
    is_regular,
    is_singular,
    is_stochastic,
    neighbours,
    tight_mechanism,
)
from exactdp.analysis.letters.statement import at_point
from exactdp.analysis.verdict import Decision
from exactdp.certificate.certificate import Certificate
from exactdp.checker.kernel import check_bytes
from exactdp.errors import DomainError, InputError
from exactdp.exact import Region, RegionField

SQUARE = Region({"p": "(0, 1/2)", "q": "(0, 1/2)"})
F = RegionField(SQUARE)
p, q = F.gens
PATH = neighbours("path:2")
RESPONSE = Table([[1 - p, p], [q, 1 - q]])

REGIONS = (
    SQUARE,
    Region({"p": "[0, 1)", "q": "(0, 1)"}, where=["p + q < 1"]),
    Region({"p": "(0, 1)", "q": "[1/4, 3/4]"}),
    Region({"p": "(0, 1)"}),
)
ENTRIES = ("p", "q", "p*q", "1/2*p", "p^2", "p - q", "1/3", "1/2*p + 1/2*q", "p/(1 + q)", "q - p^2")
ONE_LETTER = ("p", "p^2", "1/2*p", "1/3", "p - 1/3", "p/(1 + p)", "1/2 - p")


@st.composite
def tables(draw, inputs=2, region=None):
    """Rows (f, 1 − f), f a small function of the letters of a region."""
    region = region or draw(st.sampled_from(REGIONS))
    field = RegionField(region)
    entries = ENTRIES if "q" in region.names else ONE_LETTER
    rows = [[field(draw(st.sampled_from(entries)))] for _ in range(inputs)]
    return Table(ExactMatrix([[x, 1 - x] for (x,) in rows], field))


def points(region, count=40):
    """Points of a region on which nobody's search depends."""
    found = []
    for k in range(1, 12):
        for j in range(1, 12):
            point = dict(zip(region.names, (Rational(k, 12), Rational(j, 11)), strict=False))
            if region.contains(point):
                found.append(point)
    return found[:: max(1, len(found) // count)]


def at(table, point):
    return Table(at_point(table.matrix, point), table.inputs, table.outputs)


def private_there(table, near, level, point):
    numbers = at(table, point)
    return not numbers.faults() and is_private(numbers, near, PrivacyLevel(at_point(level, point))).proved


def agrees(verdict, found, holds_at, region):
    """A verdict and the conditions, against the answers about numbers at points of the region."""
    answers = {holds_at(point) for point in points(region)}
    if verdict.decision is Decision.PROVED:
        assert answers == {True}
    if verdict.decision is Decision.REFUTED:
        assert region.contains(verdict.evidence.point)
        assert not holds_at(verdict.evidence.point)
        if verdict.evidence.nowhere is not None:
            assert answers == {False}
    assert all(found.holds(point) == holds_at(point) for point in points(region))
    assert (found.always, found.never is not None) in {(True, False), (False, False), (False, True)}
    assert not verdict.proved or found.always
    for condition in found.conditions:
        if condition.alone is not None and found.never is None:
            assert region.contains(condition.alone)
            assert [c for c in found.conditions if not c.holds(condition.alone)] == [condition]


@settings(max_examples=40)
@given(tables())
def test_stochastic_point_by_point(table):
    verdict, found = is_stochastic(table), conditions(is_stochastic, table)
    agrees(verdict, found, lambda point: not at(table, point).faults(), table.field.region)
    if verdict.decision is not Decision.UNDECIDED:
        certify(verdict)


@pytest.mark.slow
@settings(max_examples=40)
@given(tables(), st.sampled_from(["1/2", "1/5", "p"]))
def test_private_point_by_point(table, level):
    alpha = Rational(level) if level != "p" else table.field("p")
    assume(level != "p" or table.field.region != REGIONS[1])  # where p may be 0
    verdict, found = is_private(table, PATH, alpha), conditions(is_private, table, PATH, alpha)
    agrees(verdict, found, lambda point: private_there(table, PATH, alpha, point), table.field.region)
    if verdict.decision is not Decision.UNDECIDED:
        certify(verdict)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.data())
def test_derivable_point_by_point(data):
    region = data.draw(st.sampled_from(REGIONS))
    target, source = (data.draw(tables(region=region)) for _ in range(2))

    def holds(point):
        numbers = at(target, point), at(source, point)
        return not any(t.faults() for t in numbers) and is_derivable(numbers[0], source=numbers[1]).proved

    verdict = is_derivable(target, source=source)
    if verdict.refuted:
        assert not holds(verdict.evidence.point)
    if verdict.proved:
        assert all(map(holds, points(region)))
    if verdict.decision is not Decision.UNDECIDED:
        certify(verdict)
    try:
        found = conditions(is_derivable, target, source=source)
    except DomainError:
        assert not verdict.evidence.exact
        return
    agrees(verdict, found, holds, region)


@settings(max_examples=20)
@given(st.sampled_from(["path:3", "star:4", "cycle:4", "complete:3"]), st.sampled_from(["p", "q", "p*q", "p/(1-p)", "1/2"]))
def test_tight_and_regular_point_by_point(graph, level):
    near, alpha = neighbours(graph), F(level)
    verdict = tight_mechanism(near, alpha)
    agrees(verdict, conditions(tight_mechanism, near, alpha), lambda x: tight_mechanism(near, alpha.value(x)).proved, SQUARE)
    certify(verdict)
    rest = (1 - p) / (len(near.vertices) - 1)
    prior = Prior([p, *[rest] * (len(near.vertices) - 1)], near.vertices)
    answer = is_regular(near, alpha, prior)

    def regular(x):
        return is_regular(near, alpha.value(x), Prior([at_point(w, x) for w in prior.weights], near.vertices)).proved

    agrees(answer, conditions(is_regular, near, alpha, prior), regular, SQUARE)
    certify(answer)


def test_a_part_is_proved_and_the_rest_is_refuted():
    found = conditions(is_private, RESPONSE, PATH, "1/2")
    assert {str(c) for c in found.conditions} == {"p + 2*q >= 1", "2*p + q >= 1"}
    assert found.irredundant
    proved, *refuted = found.verdicts()
    assert proved.proved
    assert len(refuted) == 2
    assert all(v.refuted and v.evidence.nowhere is not None for v in refuted)
    assert [certify(v).kind for v in (proved, *refuted)] == ["private", "not-private", "not-private"]
    there = RegionField(found.region)
    again = is_private(Table([[there(x) for x in row] for row in RESPONSE.rows()]), PATH, "1/2")
    assert again.proved
    assert certify(again).to_json() == certify(proved).to_json()


def test_a_claim_and_its_negation_are_never_both_accepted():
    """Every certificate, with the kind of its opposite and each other's witness, is refused."""
    found = conditions(is_private, RESPONSE, PATH, "1/2")
    whole = certify(is_private(RESPONSE, PATH, "1/2"))
    for verdict in found.verdicts():
        good = certify(verdict)
        opposite = "not-private" if good.kind == "private" else "private"
        for witness in (good.witness, whole.witness, {"pair": [0, 1], "output": 0}, {"pair": [1, 0], "output": 0}, {}):
            signs = {"signs": good.witness["signs"]}
            claim = {**good.claim, "kind": opposite}
            turned = Certificate(claim, good.definitions, {**witness, **signs})
            assert check_bytes(turned.to_json().encode()).status in {"rejected", "malformed"}


def test_small_points():
    verdict = is_private(RESPONSE, PATH, "1/2")
    assert verdict.refuted
    assert {name: str(x) for name, x in verdict.evidence.point.items()} == {"p": "1/3", "q": "1/4"} or max(
        x.denominator for x in verdict.evidence.point.values()
    ) <= 4
    assert str(SQUARE) in verdict.claim
    assert str(SQUARE) in str(verdict.scope)


def test_at_no_point():
    never = conditions(is_stochastic, [[p, q]])
    assert never.never is not None
    assert never.words().startswith("nowhere")
    with pytest.raises(DomainError, match="no part"):
        _ = never.region
    verdict = is_private([[1 - p, p], [p / 8, 1 - p / 8]], PATH, "1/2")
    assert verdict.refuted
    assert "at no point" in verdict.claim.lower()
    assert certify(verdict).definitions["region"]["inside"]


def test_equations():
    region = Region({"p": "(0, 1)", "q": "(0, 1)"})
    field = RegionField(region)
    found = conditions(is_stochastic, [[field("p"), field("q")]])
    assert [str(c) for c in found.conditions] == ["p + q = 1"]
    assert found.irredundant
    assert found.holds({"p": "1/3", "q": "2/3"})
    assert not found.holds({"p": "1/3", "q": "1/3"})
    with pytest.raises(DomainError, match="no open part"):
        _ = found.region
    assert [v.decision.value for v in found.verdicts()] == ["refuted", "refuted"]
    assert all(certify(v).kind == "not-stochastic" for v in found.verdicts())
    with pytest.raises(InputError, match="no point"):
        found.holds({"p": "2", "q": "1/3"})


def test_singular():
    halves = neighbours("complete:3")
    assert is_singular(halves, p).refuted
    assert certify(is_singular(halves, p)).kind == "non-singular"


def test_not_square_and_singular_sources():
    constant = [["1/2", "1/2"], ["1/2", "1/2"]]
    assert is_derivable(Table([[p, 1 - p], [p, 1 - p]]), source=Table(ExactMatrix(constant, F))).decision is not Decision.REFUTED
    with pytest.raises(DomainError, match="singular"):
        conditions(is_derivable, RESPONSE, source=Table(ExactMatrix(constant, F)))
    wide = Table([[1 - p, p / 2, p / 2], [q, (1 - q) / 2, (1 - q) / 2]])
    merged = is_derivable(RESPONSE, source=wide)  # merging the last two outputs makes it, at every point
    assert merged.proved
    assert certify(merged).kind == "derivable"
    back = is_derivable(Table([[1 - p, p], [1 - q, q]]), source=Table([[q, 1 - q, 0], [q, 1 - q, 0]]))
    assert back.refuted
    assert certify(back).kind == "not-derivable"


# ── z3 ──
def z3_of(f, letters):
    """A polynomial as z3 writes it."""
    import z3

    total = z3.RealVal(0)
    for powers, c in f.numerator:
        term = z3.RealVal(str(c))
        for name, e in zip(f.field.names, powers, strict=True):
            for _ in range(e):
                term = term * letters[name]
        total = total + term
    return total


def z3_problem(region):
    import z3

    letters = {name: z3.Real(name) for name in region.names}
    field = RegionField(region)
    assumed = []
    for c in region.constraints:
        value = z3_of(field.quotient(c.terms), letters)
        assumed.append(value > 0 if c.strict else value >= 0)
    return letters, assumed


@pytest.mark.slow
@needs("z3")
@settings(max_examples=25)
@given(tables(), st.sampled_from(["1/2", "1/5"]))
def test_conditions_are_equivalent_and_irredundant_by_z3(table, level):
    import z3

    found = conditions(is_private, table, PATH, level)
    letters, assumed = z3_problem(table.field.region)

    def entry(i, r):
        x = table.field(table.matrix[i, r])
        return z3_of(table.field.quotient(x.numerator), letters) / z3_of(table.field.quotient(x.denominator), letters)

    a = z3.Q(*map(int, level.split("/")))
    truth = z3.And(
        *(entry(i, r) >= 0 for i in range(2) for r in range(2)), *(entry(i, r) >= a * entry(1 - i, r) for i in range(2) for r in range(2))
    )

    def relation(c):
        value = z3_of(c.polynomial, letters)
        return value == 0 if c.relation == "=" else value >= 0

    stated = [relation(c) for c in found.conditions]
    solver = z3.Solver()
    solver.set("timeout", 20000)
    solver.add(*assumed, z3.And(*stated) != truth)
    assert solver.check() == z3.unsat
    if found.irredundant and found.never is None:
        for k in range(len(stated)):
            solver = z3.Solver()
            solver.set("timeout", 20000)
            solver.add(*assumed, *(s for j, s in enumerate(stated) if j != k), z3.Not(stated[k]))
            assert solver.check() == z3.sat


def test_the_level_letter_is_joined_with_the_letters_of_a_table():
    level, flip = PrivacyLevel.symbolic(), Table([[1 - p, p], [p, 1 - p]])
    verdict = is_private(flip, PATH, level)
    assert verdict.refuted
    assert {*verdict.evidence.point} == {"p", "q", "a"}
    found = conditions(is_private, flip, PATH, level)
    for x in ("1/8", "1/4", "1/3"):
        for a in ("1/4", "1/3", "1/2"):
            there = Table([[1 - Rational(x), Rational(x)], [Rational(x), 1 - Rational(x)]])
            assert found.holds({"p": x, "q": "1/4", "a": a}) == is_private(there, PATH, a).proved
    prior = Prior([p, 1 - p])
    assert is_regular(PATH, level, prior).refuted
