# SPDX-License-Identifier: MIT
"""Terms with equal normal forms are equal as numbers: random terms and their mutants, by an evaluation of its
own.

``python tests/support/argument_normal_forms.py --pairs 100000 --seed 1`` is the long run;
`test_argument_normal_forms.py` a short one. Terms nest sum, prod and det, with binders that shadow each
other, shadow free symbols, or bind what does not occur. A term's mutants rename binders (capture included),
exchange variables and names, turn operands round, and move factors in and out. Those with one normal form are
a bucket; every term of it is evaluated at the same random points.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import prod
from typing import NamedTuple

from exactdp.arguments import argument
from exactdp.arguments.reading import WORK, Node, Stop
from exactdp.arguments.scope import Scope, enter
from exactdp.arguments.terms import BINDERS, Fact, Statement, function_of, real

INTEGERS, REALS, POSITIVE = ("n", "m"), ("x", "y"), ("a", "b")
BOUND = ("k", "j", "n", "x")  # names of binders: two of them shadow free symbols
DEFINITIONS = {
    "P": {"of": "positive a; int i j", "is": ["i >= j: a^(i-j)", "a^(j-i)"]},
    "unit": {"of": "int i j", "is": ["i = j: 1", "0"]},
    "mix": {"of": "real u; function h/1; int i", "is": ["i < 1: u*h(i)", "i = 2: h(i+1)+u^2", "h(i-1)"]},
    "twist": {"of": "function h/2; int i", "is": ["i > 1: h(i, 0)", "h(1, i)"]},
}
KIND = {"f": 1, "g": 2}
SIGNS = ("+", "-", "*")


class Outcome(NamedTuple):
    """How many pairs had equal normal forms, and those that are unequal as numbers."""

    terms: int
    pairs: int
    unequal: list[tuple[str, str]]


def text(tree) -> str:
    """A term as it is written in a file."""
    match tree:
        case ("num", value):
            return str(value)
        case ("var", name):
            return name
        case ("call", name, items):
            return f"{name}({', '.join(map(text, items))})"
    return f"({text(tree[1])}{tree[0]}{text(tree[2])})"


# drawing


def integer(rng: random.Random, names: list[str], depth: int = 1):
    """A linear term of integers."""
    if depth and rng.random() < 0.35:
        return (rng.choice("+-"), integer(rng, names, 0), integer(rng, names, 0))
    return ("num", rng.randint(0, 2)) if rng.random() < 0.2 else ("var", rng.choice(names))


def drawn(rng: random.Random, depth: int, names: list[str]):
    """A term of real numbers; these names are integers."""
    if depth <= 0 or rng.random() < 0.15:
        leaf = rng.randint(0, 7)
        if leaf == 0:
            return ("num", rng.randint(0, 3))
        if leaf == 1:
            return integer(rng, names)
        if leaf == 2:
            return ("var", rng.choice([name for name in (*REALS, *POSITIVE) if name not in names] or ["a"]))
        if leaf == 3:
            return ("^", ("var", rng.choice(POSITIVE)), integer(rng, names))
        if leaf == 4:
            return ("call", "P", (("var", "a"), integer(rng, names), integer(rng, names)))
        name = rng.choice(["f", "g", "f", "g", "unit"])
        return ("call", name, tuple(integer(rng, names) for _ in range(KIND.get(name, 2))))
    kind = rng.choice(["sum", "prod", "det", "sum", "prod", "det", "+", "-", "*", "*", "/", "^", "mix", "twist"])
    if kind in ("sum", "prod", "det"):
        bound = rng.sample(BOUND, 2 if kind == "det" else 1)
        low, high = integer(rng, names, 0) if rng.random() < 0.2 else ("num", rng.randint(0, 1)), integer(rng, names)
        body = drawn(rng, depth - 1, [*names, *bound])
        return ("call", kind, (*(("var", name) for name in bound), low, high, body))
    if kind == "mix":
        return ("call", "mix", (drawn(rng, depth - 2, names), ("var", rng.choice(["f", "double"])), integer(rng, names)))
    if kind == "twist":
        return ("call", "twist", (("var", rng.choice(["g", "flip"])), integer(rng, names)))
    if kind == "/":
        return ("/", drawn(rng, depth - 2, names), drawn(rng, depth - 2, names))
    if kind == "^":
        return ("^", drawn(rng, depth - 2, names), ("num", rng.randint(0, 2)))
    return (kind, drawn(rng, depth - 1, names), drawn(rng, depth - 1, names))


def nested(rng: random.Random, depth: int, names: list[str]):
    """Binders one in another, over ranges whose length is no number, around a small term: what each of them
    binds is all that matters.
    """
    if not depth:
        return drawn(rng, rng.choice([0, 0, 1]), names[2:] if rng.random() < 0.7 else names)
    kind = rng.choice(["sum", "prod", "prod", "det"])
    bound = rng.sample(BOUND, 2 if kind == "det" else 1)
    high = rng.choice([("var", "n"), ("var", "m"), ("+", ("var", "n"), ("num", 1)), ("-", ("var", "n"), ("var", "m"))])
    body = nested(rng, depth - 1, [*names, *bound])
    if rng.random() < 0.2:
        body = (rng.choice(SIGNS), body, drawn(rng, 0, [*names, *bound]))
    return ("call", kind, (*(("var", name) for name in bound), ("num", rng.choice([0, 0, 1])), high, body))


def places(tree, path: tuple = ()) -> Iterator[tuple]:
    """The places of all terms in a term."""
    yield path
    if tree[0] == "call":
        for k, item in enumerate(tree[2]):
            yield from places(item, (*path, k))
    elif tree[0] not in ("num", "var"):
        for k in (1, 2):
            yield from places(tree[k], (*path, k))


def at(tree, path: tuple):
    for k in path:
        tree = tree[2][k] if tree[0] == "call" else tree[k]
    return tree


def put(tree, path: tuple, new):
    """The term with another at a place."""
    if not path:
        return new
    k, *rest = path
    if tree[0] == "call":
        return (*tree[:2], tuple(put(item, tuple(rest), new) if i == k else item for i, item in enumerate(tree[2])))
    return tuple(put(item, tuple(rest), new) if i == k else item for i, item in enumerate(tree))


def exchanged(tree, names: dict[str, str]):
    """The term with variables exchanged everywhere, binders included."""
    if tree[0] == "var":
        return ("var", names.get(tree[1], tree[1]))
    if tree[0] == "call":
        return (*tree[:2], tuple(exchanged(item, names) for item in tree[2]))
    return tree if tree[0] == "num" else (tree[0], exchanged(tree[1], names), exchanged(tree[2], names))


def mutant(rng: random.Random, tree):
    """The term with one change, which may or may not keep its value."""
    path = rng.choice(list(places(tree)))
    here = at(tree, path)
    binder = here[0] == "call" and here[1] in BINDERS
    if here[0] == "var":
        return put(tree, path, ("var", rng.choice([*BOUND, *INTEGERS])))
    if binder and rng.random() < 0.8:
        *bound, low, high, body = here[2]
        first = bound[0][1]
        other = rng.choice([name for name in BOUND if name != first])
        match rng.randint(0, 4):
            case 0:  # the binder renamed, with whatever is captured
                new = tuple(exchanged(item, {first: other}) for item in (*bound, body))
                here = (*here[:2], (*new[:-1], low, high, new[-1]))
            case 1:  # the name of the binder alone
                here = (*here[:2], (("var", other), *bound[1:], low, high, body))
            case 2:  # two names exchanged inside
                here = (*here[:2], (*bound, low, high, exchanged(body, {first: other, other: first})))
            case 3:  # the binders of a pair exchanged
                here = (*here[:2], (*reversed(bound), low, high, body))
            case _:  # counted from another place
                one = ("num", rng.randint(1, 2))
                moved = replaced(body, first, ("-", ("var", first), one)) if here[1] != "det" else body
                here = (*here[:2], (*bound, ("+", low, one), ("+", high, one), moved))
        return put(tree, path, here)
    if here[0] in ("+", "*"):
        return put(tree, path, (here[0], here[2], here[1]))
    if rng.random() < 0.3:
        return put(tree, path, ("+", ("-", here, ("var", "y")), ("var", "y")))
    if rng.random() < 0.3:
        return put(tree, path, ("*", here, ("num", 1)))
    return put(
        tree, path, exchanged(here, dict(zip(*([rng.sample(BOUND, 2)] * 2), strict=True)) if rng.random() < 0.5 else {"k": "j", "j": "k"})
    )


def replaced(tree, name: str, new):
    """The term with a term for a variable, in the reach of its binder; what the new term names may be
    captured.
    """
    if tree == ("var", name):
        return new
    if tree[0] == "call":
        count = BINDERS.get(tree[1], 1) - 3
        own = {item[1] for item in tree[2][:count]} if tree[1] in BINDERS else set()
        return (
            *tree[:2],
            tuple(
                item if k < count and own else replaced(item, name, new) if name not in own or k < len(tree[2]) - 1 else item
                for k, item in enumerate(tree[2])
            ),
        )
    return tree if tree[0] in ("num", "var") else (tree[0], replaced(tree[1], name, new), replaced(tree[2], name, new))


# evaluation, which shares nothing with the checker


class Nothing(Exception):
    """A term that has no value here: a name that is not bound, an argument that is no integer, too much
    work.
    """


def reciprocal(x: Fraction) -> Fraction:
    """1/x; for 0 a number that no rule may rely on."""
    return 1 / x if x else Fraction(7)


def whole(x) -> int:
    if not isinstance(x, int | Fraction) or Fraction(x).denominator != 1:
        raise Nothing
    return int(x)


def value(tree, env: dict) -> Fraction:
    match tree:
        case ("num", number):
            return Fraction(number)
        case ("var", name):
            if not isinstance(env.get(name), Fraction):
                raise Nothing
            return env[name]
        case ("^", base, exponent):
            x, e = value(base, env), whole(value(exponent, env))
            if abs(e) > 40:
                raise Nothing
            return x**e if e >= 0 else reciprocal(x**-e)
        case ("call", "sum" | "prod" as kind, (("var", name), low, high, body)):
            terms = [value(body, {**env, name: Fraction(k)}) for k in span(low, high, env)]
            return sum(terms, Fraction(0)) if kind == "sum" else prod(terms, start=Fraction(1))
        case ("call", "det", (("var", first), ("var", second), low, high, body)):
            indices = span(low, high, env)
            if len(indices) > 4:
                raise Nothing
            return leibniz([[value(body, {**env, first: Fraction(i), second: Fraction(j)}) for j in indices] for i in indices])
        case ("call", "P", (base, i, j)):
            return value(base, env) ** abs(whole(value(i, env)) - whole(value(j, env)))
        case ("call", "unit", (i, j)):
            return Fraction(whole(value(i, env)) == whole(value(j, env)))
        case ("call", "mix", (u, ("var", h), i)):
            x, k = value(u, env), whole(value(i, env))
            return x * called(h, env, k) if k < 1 else called(h, env, k + 1) + x**2 if k == 2 else called(h, env, k - 1)
        case ("call", "twist", (("var", h), i)):
            k = whole(value(i, env))
            return called(h, env, k, 0) if k > 1 else called(h, env, 1, k)
        case ("call", name, items):
            return called(name, env, *(whole(value(item, env)) for item in items))
    x, y = value(tree[1], env), value(tree[2], env)
    return {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y, "/": lambda: x * reciprocal(y)}[tree[0]]()


def called(name: str, env: dict, *at: int) -> Fraction:
    """A function symbol's value: drawn once for each place of a point."""
    if name == "double":
        return 2 * called("f", env, *at)
    if name == "flip":
        return called("g", env, *reversed(at))
    if env.get(name) != ("function", len(at)):
        raise Nothing
    return Fraction(random.Random(f"{env['seed']} {name} {at}").randint(-3, 3), 1 + (sum(at) % 2))


def span(low, high, env: dict) -> range:
    found = range(whole(value(low, env)), whole(value(high, env)) + 1)
    if len(found) > 9:
        raise Nothing
    return found


def leibniz(rows: list) -> Fraction:
    total = Fraction(0)
    for order in permutations(range(len(rows))):
        swaps = sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))
        total += (-1) ** swaps * prod((rows[i][j] for i, j in enumerate(order)), start=Fraction(1))
    return total


def points(rng: random.Random, count: int) -> list[dict]:
    """Values of the symbols; empty ranges, 0 and negative numbers among them."""
    return [
        {
            "n": Fraction(rng.choice([2, 1, 2, 3, 0, -1])), "m": Fraction(rng.choice([1, 2, -1, 0])),
            "x": Fraction(rng.randint(-2, 2)), "y": Fraction(rng.randint(-3, 3), 2),
            "a": Fraction(1, 2), "b": Fraction(rng.randint(1, 3), 2),
            "f": ("function", 1), "g": ("function", 2), "seed": rng.random(),
        }
        for _ in range(count)
    ]  # fmt: skip


# normal forms


def start() -> Scope:
    """A scope with all the symbols."""
    argument.begin()
    library = argument.Library(None, {}, {}, {}, [])
    for name, entry in DEFINITIONS.items():
        argument.define(name, Node(entry, "$"), library)
    kinds = [*((name, "int") for name in INTEGERS), *((name, "real") for name in REALS), *((name, "positive") for name in POSITIVE)]
    fact = Fact(Statement((*kinds, ("f", "1"), ("g", "2")), (), ()), dict(library.definitions))
    scope = enter(fact, Scope(fact.env, {}), [name for name, _ in fact.statement.variables], "$")[0]
    for name, body in (("double", "i: 2*f(i)"), ("flip", "i j: g(j, i)")):
        scope.name(name, function_of(Node(body, "$"), scope.env))
    return scope


def normal_form(scope: Scope, tree) -> object:
    """The normal form of a term, or None if it has none."""
    WORK.set([0])
    try:
        return frozenset(real(scope.value(argument.term(text(tree), "$"), scope.env, "$")).items())
    except (Stop, RecursionError):
        return None


def search(pairs: int, seed: int, mutants: int = 24) -> Outcome:
    """Draw terms until so many pairs of different terms had equal normal forms."""
    rng, terms, found, unequal = random.Random(seed), 0, 0, list[tuple[str, str]]()
    while found < pairs:
        scope = start()
        base = drawn(rng, rng.randint(2, 4), list(INTEGERS)) if rng.random() < 0.4 else nested(rng, rng.randint(2, 3), list(INTEGERS))
        family = {text(base): base}
        for _ in range(mutants):
            tree = rng.choice([base, *family.values()])
            for _ in range(rng.randint(1, 3)):
                tree = mutant(rng, tree)
            if len(text(tree)) < 400:
                family[text(tree)] = tree
        where, buckets = points(rng, 4), dict[object, tuple[str, list]]()
        for name, tree in family.items():
            form = normal_form(scope, tree)
            if form is None:
                continue
            try:
                values = [value(tree, env) for env in where]
            except Nothing:
                continue
            terms += 1
            if form not in buckets:
                buckets[form] = (name, values)
                continue
            found += 1
            if values != buckets[form][1]:
                unequal.append((buckets[form][0], name))
    return Outcome(terms, found, unequal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcome = search(options.pairs, options.seed)
    for left, right in outcome.unequal[:20]:
        print(f"one normal form, different numbers:\n  {left}\n  {right}")
    print(f"{outcome.terms} terms, {outcome.pairs} pairs with equal normal forms, {len(outcome.unequal)} unequal")
    raise SystemExit(bool(outcome.unequal))


if __name__ == "__main__":
    main()
