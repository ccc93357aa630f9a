# SPDX-License-Identifier: MIT
"""Theorems evaluated at their examples, directly and without normal forms (ARGUMENTS §7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any, cast

from exactdp.arguments.reading import Node, bounded, demand, refuse, show, spend
from exactdp.arguments.terms import (
    BINDERS,
    ONE,
    Comparison,
    Env,
    Fact,
    Function,
    Statement,
    Tree,
    Value,
    binding,
    bits_of,
    constant,
    function_called,
    function_named,
    function_of,
    hold,
    number,
    summed,
    term,
    value_of,
)

Shown = Callable[[Fact, str], None]  # ends the check unless a statement is proved at sight


def whole(x: Fraction, path: str) -> int:
    """A number that must be an integer."""
    if x.denominator != 1:
        raise refuse(path, f"{show(x)} is not an integer")
    return x.numerator


def exactly(kind: str, x: Fraction, path: str) -> Value:
    """A number as the value of a variable of this kind."""
    if kind == "positive" and x <= 0:
        raise refuse(path, f"{show(x)} is not positive")
    return constant(whole(x, path)) if kind == "int" else number(x)


def evaluate(tree: Tree, env: Env, path: str) -> Fraction:
    """The value of a term where every name is a number or a function by cases."""
    spend(500)
    if (kind := tree[0]) == "num":
        return Fraction(tree[1])
    if kind == "var":
        found = env.get(tree[1])
        figure: Fraction | int | None = None
        if isinstance(found, frozenset):
            figure = value_of(found)
        elif isinstance(found, dict):
            figure = found.get(ONE, Fraction(0))
        demand(figure is not None, path, f"{tree[1]} is not a number here")
        return Fraction(cast(Fraction, figure))
    if kind == "call" and tree[1] in BINDERS:
        return evaluated_binder(tree, env, path)
    if kind == "call":
        function = function_called(tree, env, path)
        spend(10 * len(function.env))
        inner = dict(function.env)
        for (name, of), given in zip(function.parameters, tree[2], strict=True):
            inner[name] = function_named(of, given, env, path) if of.isdigit() else exactly(of, evaluate(given, env, path), path)
        return evaluate(next(body for when, body in function.cases if all(true(c, inner, path) for c in when)), inner, path)
    x, y = evaluate(tree[1], env, path), evaluate(tree[2], env, path)
    if kind == "^":
        bounded("bits", bits_of(x) * abs(whole(y, path)) if abs(x) not in (0, 1) else 0, path)
    if kind in "/^" and not (y if kind == "/" else x or y >= 0):
        raise refuse(path, "division by zero at the example")
    if kind == "^":
        spend(10_000)
        return Fraction(x**y.numerator)
    if kind in "+-":
        return summed(x, Fraction(1 if kind == "+" else -1), y)
    return summed(Fraction(0), x, y if kind == "*" else 1 / y)


def evaluated_binder(tree: Tree, env: Env, path: str) -> Fraction:
    """The value of a sum, a product or a determinant."""
    kind, names, low, high, body = binding(tree, path)
    lo, hi = whole(evaluate(low, env, path), path), whole(evaluate(high, env, path), path)
    places, size = range(lo, hi + 1), max(0, hi - lo + 1)
    spend((300 + 10 * len(env)) * size if kind != "det" else (300 + 10 * len(env)) * size**2 + 500 * size**3)
    if kind == "det":
        first, second = names
        rows = ([{**env, first: constant(i), second: constant(j)} for j in places] for i in places)
        return determinant([[evaluate(body, inner, path) for inner in row] for row in rows])
    total = Fraction(kind == "prod")
    for k in places:
        x = evaluate(body, {**env, names[0]: constant(k)}, path)
        total = summed(total, Fraction(1), x) if kind == "sum" else summed(Fraction(0), total, x)
    return total


def determinant(rows: list[list[Fraction]]) -> Fraction:
    """By elimination."""
    result = Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return Fraction(0)
        rows[k], rows[pivot], result = rows[pivot], rows[k], summed(Fraction(0), result, rows[pivot][k] * (1 if pivot == k else -1))
        for i in range(k + 1, len(rows)):
            times = summed(Fraction(0), rows[i][k], -1 / rows[k][k])
            rows[i] = [summed(x, times, y) for x, y in zip(rows[i], rows[k], strict=True)]
    return result


def true(c: Comparison, env: Env, path: str) -> bool:
    """Whether a comparison of numbers holds."""
    x, y = evaluate(c.left, env, path), evaluate(c.right, env, path)
    bits = bits_of(x, y)
    spend(200 + bits * bits // 500)
    return {"<": x < y, "<=": x <= y, "=": x == y, ">=": x >= y, ">": x > y}[c.op]


def names_in(tree: Tree) -> set[str]:
    """The names in a term."""
    found, rest = set[str](), [tree]
    while rest:
        spend(100)
        kind, *parts = rest.pop()
        if kind in ("var", "call"):
            found.add(parts[0])
        if kind == "call":
            rest += parts[1]
        elif kind not in ("num", "var"):
            rest += parts
    return found


def box(fact: Statement, env: Env, path: str) -> list[range] | None:
    """For each variable, integers outside which what is given fails; None if one has no bound on one side.

    A bound is a comparison in what is given, of a variable with another or with a term without them.
    """
    names = dict(fact.variables)
    ends: dict[tuple[str, int], int] = {}  # of (name, 1) the least value; of (name, −1) the negative of the greatest
    pairs = list[tuple[tuple[str, int], Any, int]]()  # ends[first] ≥ ends[second] + third, second a key or None
    for c in (c for _, given in fact.given if not given.variables for c in given.then):
        spend(500)
        for left, op, right in ((c.left, c.op, c.right), (c.right, c.op.translate({60: 62, 62: 60}), c.left)):
            for side, ops in ((1, (">", ">=", "=")), (-1, ("<", "<=", "="))):
                if left[0] != "var" or left[1] not in names or op not in ops:
                    continue
                if right[0] == "var" and right[1] in names:
                    pairs.append(((left[1], side), (right[1], side), int(op in "<>")))
                elif names_in(right).isdisjoint(names):
                    x = side * evaluate(right, env, path)
                    pairs.append(((left[1], side), None, floor(x) + 1 if op in "<>" else ceil(x)))
    spend(100 * len(pairs) * len(names))
    for _ in names:
        for key, other, least in pairs:
            if other is None or other in ends:
                ends[key] = max(ends.get(key, least + (ends[other] if other else 0)), least + (ends[other] if other else 0))
    whole = all(kind == "int" and {(name, 1), (name, -1)} <= ends.keys() for name, kind in fact.variables)
    return [range(ends[name, 1], 1 - ends[name, -1]) for name in names] if whole else None


def true_at(fact: Statement, env: Env, path: str, shown: Shown) -> bool:
    """Whether a statement holds here: a universal one at all points of a box; without a box, as `shown`."""
    ranges = box(fact, env, path) if fact.variables else []
    if ranges is None:
        shown(Fact(fact, env), f"{path}, where not all variables are bounded")
        return True
    points = 1
    for values in ranges:
        points *= len(values)
    spend((500 + 10 * len(env)) * points)
    for point in product(*ranges) if points else ():  # (product copies its ranges first, even if one is empty)
        inner = {**env, **{name: constant(k) for (name, _), k in zip(fact.variables, point, strict=True)}}
        if all(true_at(given, inner, path, shown) for _, given in fact.given) and not all(true(c, inner, path) for c in fact.then):
            return False
    return True


def table(node: Node, env: Env, arity: int) -> Iterator[tuple[list[int], Fraction]]:
    """The entries of nested lists with their indices, counted from 0."""
    for k, item in enumerate(node.items()):
        spend(3000)
        hold(40)
        for at, x in table(item, env, arity - 1) if arity > 1 else [([], evaluate(term(item.of(str), item.path), env, item.path))]:
            yield [k, *at], x


def example(fact: Fact, node: Node, shown: Shown) -> Env:
    """The values of an example, after a check that what is given and the conclusion hold there."""
    chosen, variables, env = node.fields(), fact.statement.variables, dict(fact.env)
    demand(chosen.keys() == dict(variables).keys(), node.path, f"values are needed for {', '.join(dict(variables))}")
    for name, kind in variables:
        item = chosen[name]
        if not kind.isdigit():
            env[name] = exactly(kind, evaluate(term(item.of(str), item.path), env, item.path), item.path)
        elif isinstance(item.value, list):  # 0 elsewhere
            names, cases = [f"at {k}" for k in range(int(kind))], list[tuple[tuple[Comparison, ...], Tree]]()
            for at, x in table(item, env, int(kind)):
                here = tuple(Comparison(("var", place), "=", ("num", k)) for place, k in zip(names, at, strict=True))
                cases.append((here, ("/", ("num", x.numerator), ("num", x.denominator))))
            env[name] = Function(f"table {name}", tuple((place, "int") for place in names), (*cases, ((), ("num", 0))), {})
        elif ":" in item.of(str):
            env[name] = function_of(item, dict(env), int(kind))
        else:
            env[name] = function_named(kind, term(item.of(str), item.path), env, item.path)
    for label, given in fact.statement.given:
        if not true_at(given, env, f"{node.path} ({label})", shown):
            raise refuse(node.path, f"what is given as {label} does not hold at the example")
    if not all(true(c, env, node.path) for c in fact.statement.then):
        raise refuse(node.path, "what is given holds at the example, but the conclusion does not: the theorem is false")
    return env
