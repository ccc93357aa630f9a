# SPDX-License-Identifier: MIT
"""Statements of argument files at concrete values: a second reading of the formulas, which shares nothing
with the checker.

Formulas are Python expressions with ^ for ** and = for ==; integers and fractions are exact.
"""

from __future__ import annotations

import ast
import json
import operator
import random
import re
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import prod as multiply
from pathlib import Path

from proofs.record import PROOFS

FOLDER = PROOFS / "gupte_sundararajan" / "arguments"
FILES = sorted(FOLDER.glob("*.json"))
REPLAYS = ("argument", "evaluation", "proof_steps", "reading", "scope", "terms")  # the files, in the order of the alphabet
WINDOW = range(-3, 9)  # universal hypotheses about integers are tried here
OPERATIONS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Eq: operator.eq, ast.GtE: operator.ge, ast.Gt: operator.gt,
}  # fmt: skip


def load(stem: str) -> dict:
    return json.loads((FOLDER / f"{stem}.json").read_text(encoding="utf-8"))


def definitions(data: dict) -> dict:
    """All functions that a file and the files it needs define."""
    found: dict = {}
    for need in data.get("needs", []):
        found |= definitions(load(need))
    for name, entry in data.get("definitions", {}).items():
        found[name] = defined(entry, found)
    return found


def defined(entry: dict, others: dict):
    parameters = [name for part in entry["of"].split("; ") for name in part.split()[1:]]
    parameters = [name.split("/")[0] for name in parameters]

    def function(*arguments):
        env = {**others, **dict(zip(parameters, arguments, strict=True))}
        for case in entry["is"]:
            condition, colon, body = case.rpartition(":")
            if not colon or value(condition, env):
                return value(body, env)
        raise AssertionError(entry)

    return function


def value(text: str, env: dict):
    """The value of a term or comparison."""
    tree = ast.parse(re.sub("(?<![<>])=", "==", text.strip()).replace("^", "**"), mode="eval").body
    return evaluate(tree, env)


def evaluate(node: ast.expr, env: dict):
    if isinstance(node, ast.Constant):
        return Fraction(node.value)
    if isinstance(node, ast.Name):
        return env[node.id]
    if isinstance(node, ast.UnaryOp):
        return -evaluate(node.operand, env)
    if isinstance(node, ast.Compare):
        sides = [evaluate(side, env) for side in (node.left, *node.comparators)]
        return all(OPERATIONS[type(op)](x, y) for op, x, y in zip(node.ops, sides, sides[1:], strict=False))
    if isinstance(node, ast.BinOp):
        left, right = evaluate(node.left, env), evaluate(node.right, env)
        if isinstance(node.op, ast.Div):
            return Fraction(left) / right
        if isinstance(node.op, ast.Pow):
            assert Fraction(right).denominator == 1
            return Fraction(left) ** int(right)
        return OPERATIONS[type(node.op)](left, right)
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    name = node.func.id
    if name in ("sum", "prod"):
        variable, low, high, body = node.args
        terms = [evaluate(body, {**env, variable.id: k}) for k in span(low, high, env)]
        return sum(terms) if name == "sum" else multiply(terms)
    if name == "det":
        first, second, low, high, body = node.args
        indices = span(low, high, env)
        return leibniz([[evaluate(body, {**env, first.id: i, second.id: j}) for j in indices] for i in indices])
    return env[name](*(evaluate(argument, env) for argument in node.args))


def span(low: ast.expr, high: ast.expr, env: dict) -> range:
    return range(int(evaluate(low, env)), int(evaluate(high, env)) + 1)


def leibniz(rows: list) -> Fraction:
    """The determinant as the sum over permutations."""
    total = Fraction(0)
    for order in permutations(range(len(rows))):
        swaps = sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))
        total += (-1) ** swaps * multiply([rows[i][j] for i, j in enumerate(order)])
    return total


def holds(formula: object, env: dict) -> bool:
    """Whether a formula holds, with the variables of inner universal statements in the window."""
    if isinstance(formula, str):
        return bool(value(formula, env))
    if isinstance(formula, list):
        return all(holds(item, env) for item in formula)
    assert isinstance(formula, dict)
    names = variables(formula["for"])
    assert all(kind == "int" for kind in names.values())
    for point in product(WINDOW, repeat=len(names)):
        inner = {**env, **dict(zip(names, map(Fraction, point), strict=True))}
        if all(holds(item, inner) for item in formula.get("given", {}).values()) and not holds(formula["then"], inner):
            return False
    return True


def variables(text: str) -> dict[str, str]:
    """The variables of a declaration and their kinds; of a function its arity."""
    result = {}
    for part in text.split("; "):
        kind, *names = part.split()
        for name in names:
            result[name.split("/")[0]] = name.split("/")[1] if kind == "function" else kind
    return result


class Table:
    """A function of integers whose values are drawn when they are asked for."""

    def __init__(self, draw, arity: int) -> None:
        self.draw, self.arity, self.known = draw, arity, {}

    def __call__(self, *arguments):
        assert len(arguments) == self.arity
        if arguments not in self.known:
            self.known[arguments] = self.draw(*map(int, arguments))
        return self.known[arguments]


def point(theorem: dict, rng: random.Random) -> dict:
    """Values of a theorem's variables; q and t are what they always stand for in these files."""
    env: dict = {}
    a = rng.choice([Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(9, 10), Fraction(5, 4)])
    for name, kind in variables(theorem["for"]).items():
        if kind == "int":
            env[name] = Fraction(rng.randint(-1, 4))
        elif kind == "positive":
            env[name] = {"a": a, "q": 1 - a * a, "t": (1 + a) / (1 - a)}.get(
                name, rng.choice([Fraction(1, 2), Fraction(2, 3), Fraction(4, 5)])
            )
        elif kind == "real":
            env[name] = Fraction(rng.randint(-2, 3), rng.randint(1, 3))
        else:
            env[name] = Table(family(rng, a), int(kind))
    return env


def family(rng: random.Random, a: Fraction):
    """A way to draw the values of a function: arbitrary, non-negative, constant, or a column of G′."""
    where, constant = rng.randint(0, 3), Fraction(rng.randint(0, 2))
    return rng.choice([
        lambda *_: Fraction(rng.randint(-3, 3), rng.randint(1, 2)),
        lambda *_: Fraction(rng.randint(1, 4)),
        lambda *_: constant,
        lambda i, *_: a ** abs(i - where),
    ])  # fmt: skip


def example(theorem: dict, functions: dict) -> dict:
    """A theorem's own example; a list is a table from index 0, and 0 elsewhere."""
    env = dict(functions)
    for name, kind in variables(theorem["for"]).items():
        given = theorem["example"][name]
        if isinstance(given, list):
            env[name] = Table(partial(entry, given), int(kind))
        elif ":" in given:
            parameters, _, body = given.partition(":")
            env[name] = partial(applied, parameters.split(), body, dict(env))
        else:
            env[name] = env[given] if kind.isdigit() else value(given, env)
    return env


def entry(rows: list, *at: int) -> Fraction:
    """An entry of nested lists, 0 outside."""
    for k in at:
        if not 0 <= k < len(rows):
            return Fraction(0)
        rows = rows[k]
    return value(rows, {})


def applied(parameters: list, body: str, env: dict, *arguments):
    """The value of a function that is given as a term."""
    return value(body, {**env, **dict(zip(parameters, arguments, strict=True))})


def nearby(theorem: dict, functions: dict, tries: int, seed: int = 0):
    """Points at which what is given holds: the example, and the example with some of its values drawn
    anew.
    """
    rng, start = random.Random(seed), example(theorem, functions)
    names = list(variables(theorem["for"]))
    for k in range(tries):
        drawn = point(theorem, rng)
        env = {**start, **{name: drawn[name] for name in rng.sample(names, min(len(names), rng.randint(1, 3)) if k else 0)}}
        try:
            if all(holds(item, env) for item in theorem.get("given", {}).values()):
                yield env
        except ZeroDivisionError:
            continue


def instances(theorem: dict, functions: dict, tries: int, seed: int = 0):
    """Points at which what is given holds."""
    rng = random.Random(seed)
    for _ in range(tries):
        env = {**functions, **point(theorem, rng)}
        try:
            if all(holds(item, env) for item in theorem.get("given", {}).values()):
                yield env
        except ZeroDivisionError:
            continue


def path_of(stem: str) -> Path:
    return FOLDER / f"{stem}.json"
