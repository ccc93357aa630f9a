"""VIPR export, judged by a small checker written from the published format description."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from strategies import problems

from exactdp import Loss, MinimaxConsumer, PrivacyLevel, certify, neighbours, optimum, tightest_level, uniform
from exactdp.certificate.vipr import to_vipr
from exactdp.errors import InputError


def check_vipr(text: str) -> tuple[Fraction, Fraction]:
    """Check a VIPR 1.0 file without integer variables whose reasons are all ``lin``; the proved range."""
    words = iter(text.split())

    def sparse(count: str) -> dict[int, Fraction]:
        result = {int(next(words)): Fraction(next(words)) for _ in range(int(count))}
        assert all(result.values())
        return result

    def expect(*expected: str) -> None:
        for word in expected:
            assert next(words) == word

    def constraint(objective):
        name, sense, rhs, count = next(words), next(words), Fraction(next(words)), next(words)
        return name, sense, rhs, dict(objective) if count == "OBJ" else sparse(count)

    expect("VER", "1.0", "VAR")
    variables = [next(words) for _ in range(int(next(words)))]
    assert len(set(variables)) == len(variables)
    expect("INT", "0", "OBJ", "min")
    objective = sparse(next(words))
    expect("CON")
    m, bounds = int(next(words)), int(next(words))
    rows = [constraint(objective) for _ in range(m)]
    assert len({row[0] for row in rows}) == m
    assert all(len(row[3]) == 1 for row in rows[:bounds])
    expect("RTP", "range")
    low, high = Fraction(next(words)), Fraction(next(words))
    expect("SOL", "1")
    next(words)
    point = sparse(next(words))
    for _, sense, rhs, terms in rows:
        left = sum((c * point.get(v, 0) for v, c in terms.items()), Fraction(0))
        assert left == rhs if sense == "E" else left >= rhs
    assert sum((c * point.get(v, 0) for v, c in objective.items()), Fraction(0)) <= high
    expect("DER", "1")
    _, sense, rhs, terms = constraint(objective)
    expect("{", "lin")
    combination = sparse(next(words))
    expect("}", "-1")
    assert next(words, None) is None
    total, right = {}, Fraction(0)
    for index, factor in combination.items():
        _, row_sense, row_rhs, row_terms = rows[index]
        assert row_sense == "E" or factor >= 0
        right += factor * row_rhs
        for v, c in row_terms.items():
            total[v] = total.get(v, Fraction(0)) + factor * c
    assert {v: c for v, c in total.items() if c} == terms == objective
    assert sense == "G"
    assert right >= rhs >= low
    return low, high


@pytest.mark.slow
@settings(max_examples=30)
@given(problems(max_vertices=4))
def test_every_optimality_certificate_converts(problem):
    verdict = optimum(*problem)
    value = Fraction(str(verdict.evidence.value))
    assert check_vipr(to_vipr(certify(verdict))) == (value, value)


def test_a_broken_export_would_be_noticed():
    path = neighbours("path:3")
    text = to_vipr(certify(optimum(path, PrivacyLevel("1/2"), MinimaxConsumer(Loss.absolute(path.vertices)))))
    head, tail = text.rsplit("lin ", 1)
    numbers = tail.split()
    numbers[2] = str(Fraction(numbers[2]) + 1)
    with pytest.raises(AssertionError):
        check_vipr(head + "lin " + " ".join(numbers))


def test_other_kinds_are_refused():
    path = neighbours("path:3")
    with pytest.raises(InputError, match="optimal"):
        to_vipr(certify(tightest_level(uniform(path.vertices), path)))
