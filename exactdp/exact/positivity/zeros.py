# SPDX-License-Identifier: MIT
"""Where a polynomial could touch zero on a polyhedron, at rational points: proposals, checked by who asks.

On the inside of a face a polynomial that is nowhere negative has a zero only where its derivatives along the
face are zero too. These equations are solved by resultants, as far as their solutions are rational.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from flint import Ordering, fmpq, fmpz, fmpz_mpoly, fmpz_mpoly_ctx, fmpz_poly

from exactdp.exact.positivity.cells import integer_vector
from exactdp.exact.positivity.cones import Polyhedron, Row, rank_of, times

MOST_TERMS = 400
"""Equations with more terms are not solved."""

MOST_FACES = 120
"""Of a polyhedron with more faces only the first are looked at."""


def touching_points(p: fmpz_mpoly, polyhedron: Polyhedron) -> list[Row]:
    """Rational zeros of a polynomial on a polyhedron, as vectors over all letters.

    ``polyhedron`` has all letters of the polynomial; the vectors are 0 in the other letters.
    """
    count, found = len(p.degrees()), dict[Row, None]()
    for face in _faces(polyhedron):
        base = next((g for g in face if g[-1]), None)
        if base is None:
            continue
        directions = _directions(base, face)
        context = fmpz_mpoly_ctx.get(tuple(f"_t{k}" for k in range(len(directions))) or ("_t0",), Ordering.lex)
        images = [context.constant(0)] * count
        below = context.constant(base[-1])
        for place, k in enumerate(polyhedron.letters):
            images[k] = base[place] + sum((d[place] * t for d, t in zip(directions, context.gens(), strict=False)), context.constant(0))
        restricted = _homogeneous_value(p, images, below)
        variables = list(range(len(directions)))
        equations = [restricted, *(restricted.derivative(k) for k in variables)]
        for solution in _solutions([e for e in equations if not e.is_zero()], variables):
            point = [fmpq(0)] * count
            for place, k in enumerate(polyhedron.letters):
                point[k] = (base[place] + sum((d[place] * t for d, t in zip(directions, solution, strict=True)), fmpq(0))) / base[-1]
            vector = integer_vector(point)
            part = (*(vector[k] for k in polyhedron.letters), vector[-1])
            if all(times(polyhedron.part(fact), part) >= 0 for fact in polyhedron.facts):
                found[vector] = None
    return sorted(found, key=lambda z: (max(map(abs, z)), z))


def _faces(polyhedron: Polyhedron) -> list[tuple[Row, ...]]:
    """The generators of each face, from the vertices up."""
    whole = frozenset(polyhedron.generators)
    tight = [frozenset(g for g in whole if times(polyhedron.part(fact), g) == 0) for fact in polyhedron.facts]
    faces, new = {whole}, {whole}
    while new and len(faces) < MOST_FACES:
        new = {face & facet for face in new for facet in tight} - faces - {frozenset()}
        faces |= new
    return sorted((tuple(sorted(face)) for face in faces), key=lambda f: (len(f), f))


def _directions(base: Row, face: Sequence[Row]) -> list[Row]:
    """Independent directions along a face, from one of its vertices."""
    found: list[Row] = []
    for g in face:
        d = tuple(x * base[-1] - y * g[-1] for x, y in zip(g, base, strict=True))
        if any(d) and rank_of([*found, d]) > len(found):
            found.append(d)
    return found


def _homogeneous_value(p: fmpz_mpoly, images: Sequence[fmpz_mpoly], below: fmpz_mpoly) -> fmpz_mpoly:
    """The polynomial at the quotients images/below, times a positive number."""
    degree = int(p.total_degree())
    context = below.context()
    total = context.constant(0)
    for powers, c in p.terms():
        term = context.constant(c) * below ** (degree - sum(map(int, powers)))
        for image, e in zip(images, powers, strict=True):
            term *= image ** int(e)
        total += term
    return total


def _solutions(equations: list[fmpz_mpoly], variables: Sequence[int]) -> Iterator[tuple[fmpq, ...]]:
    """Rational common zeros, in these variables; some may be missed."""
    if not variables:
        if not equations:
            yield ()
        return
    if not equations or any(e.is_constant() for e in equations) or max(map(len, equations)) > MOST_TERMS:
        return
    first, *rest = variables
    system = equations
    for variable in reversed(rest):
        system = _eliminated(system, variable)
        if not system:
            return
    candidates = None
    for e in system:
        univariate = _univariate(e, first)
        candidates = univariate if candidates is None else candidates.gcd(univariate)
    if candidates is None or candidates.degree() < 1:
        return
    for factor, _ in candidates.factor()[1]:
        if factor.degree() == 1:
            x = fmpq(-factor[0], factor[1])
            inner = [_substituted(e, first, x) for e in equations]
            for other in _solutions([e for e in inner if not e.is_zero()], rest):
                yield (x, *other)


def _eliminated(system: Sequence[fmpz_mpoly], variable: int) -> list[fmpz_mpoly]:
    """Equations without a variable that follow from these; empty where that fails."""
    free = [e for e in system if not int(e.degrees()[variable])]
    bound = sorted((e for e in system if int(e.degrees()[variable])), key=len)
    if len(bound) > 1:
        pivot, *others = bound
        for e in others:
            if len(e) > MOST_TERMS or int(e.degrees()[variable]) > 12:
                continue
            common = pivot.gcd(e)
            if not common.is_constant():
                continue
            found = pivot.resultant(e, variable)
            if not found.is_zero():
                free.append(found.primitive()[1])
    return free


def _univariate(p: fmpz_mpoly, variable: int) -> fmpz_poly:
    coefficients = [fmpz(0)] * (int(p.degrees()[variable]) + 1)
    for powers, c in p.terms():
        coefficients[int(powers[variable])] += c
    return fmpz_poly(coefficients)


def _substituted(p: fmpz_mpoly, variable: int, x: fmpq) -> fmpz_mpoly:
    """A positive multiple of the polynomial where a variable is x."""
    degree = int(p.degrees()[variable])
    found: dict[Any, fmpz] = {}
    for powers, c in p.terms():
        e = int(powers[variable])
        rest = (*map(int, powers[:variable]), 0, *map(int, powers[variable + 1 :]))
        found[rest] = found.get(rest, fmpz(0)) + c * x.p**e * x.q ** (degree - e)
    return p.context().from_dict({powers: c for powers, c in found.items() if c})
