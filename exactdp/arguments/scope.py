# SPDX-License-Identifier: MIT
"""What is known at a point of a proof: values, facts, bounds, and what follows at sight (ARGUMENTS §5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import cast

from exactdp.arguments.reading import bounded, demand, refuse, show, spend
from exactdp.arguments.terms import (
    BINDERS,
    NAME,
    ONE,
    ZERO,
    Atom,
    Bound,
    Comparison,
    Env,
    Fact,
    Function,
    Linear,
    Poly,
    Statement,
    Tree,
    Value,
    add,
    atom,
    binding,
    closed,
    conclusion,
    constant,
    frozen,
    function_called,
    function_named,
    hold,
    infeasible,
    inverse,
    multiply,
    negated,
    number,
    plus,
    power,
    real,
    scaled,
    sign,
    single,
    value_of,
    valued,
    written,
)


def substituted(form: Linear, equal: Mapping[str, Linear]) -> Linear:
    """The form, with solved equations put in."""
    for symbol, c in form:
        if symbol in equal:
            form = plus(plus(form, frozenset([(symbol, 1)]), -c), equal[symbol], c)
    return form


@dataclass
class Scope:
    """What is fixed and known at some point of a proof."""

    env: Env
    facts: dict[str, Fact]
    bounds: tuple[Linear, ...] = ()  # forms in the integers that are ≥ 0
    equal: Mapping[str, Linear] = field(default_factory=dict)  # solved equations between integers
    goal: Fact | None = None  # the conclusion to be shown
    depth: int = 0  # of unfolding
    fresh: Iterator[int] = field(default_factory=count)  # the numbers of open symbols, each used once in a proof
    memo: dict[Linear, bool] = field(default_factory=dict)

    def child(self) -> Scope:
        """A scope inside this one."""
        spend(300 + 10 * len(self.facts))
        return Scope(self.env, dict(self.facts), self.bounds, self.equal, self.goal, self.depth, self.fresh)

    def name(self, name: str, value: Value) -> None:
        """Let a new name stand for a value."""
        bounded("names", len(self.env) + 1)
        spend(10 * len(self.env))
        self.env = {**self.env, name: value}

    def bound(self, *forms: Linear) -> Scope:
        """The scope with these forms ≥ 0; two opposite ones are an equation, solved for a symbol."""
        result = self.child()
        spend(20 * len(result.bounds))
        result.bounds = tuple(dict.fromkeys((*result.bounds, *(f for f in forms if (value_of(f) or 0) < 0 or value_of(f) is None))))
        bounded("constraints", len(result.bounds))
        for f in forms:
            form = substituted(f, result.equal)
            unit = sorted(symbol for symbol, c in form if symbol and abs(c) == 1)
            if unit and plus(ZERO, f, -1) in forms:  # symbol = symbol − c·form, for its coefficient c
                solved = {unit[0]: plus(frozenset([(unit[0], 1)]), form, -dict(form)[unit[0]])}
                spend(200 * len(result.equal))
                result.equal = {s: substituted(g, solved) for s, g in result.equal.items()} | solved
        return result

    def holds(self, form: Linear) -> bool:
        """Whether the bounds imply form ≥ 0."""
        if form not in self.memo:
            hold(len(form) + 2)
            self.memo[form] = (value_of(form) or -1) > 0 or not form or infeasible([*self.bounds, negated(form)])
        return self.memo[form]

    def value(self, tree: Tree, env: Env, path: str) -> Linear | Poly:
        """The value of a term: a linear form if it is one of integers, else a polynomial."""
        spend(300)
        if (kind := tree[0]) == "num":
            return constant(tree[1])
        if kind == "var":
            found = env.get(tree[1])
            if isinstance(found, Function) and found.cases and not found.parameters:  # an abbreviation
                return self.call(("call", tree[1], ()), env, path)
            demand(isinstance(found, dict | frozenset), path, f"{tree[1]} is not a number here")
            return substituted(found, self.equal) if isinstance(found, frozenset) else cast(Poly, found)
        if kind == "call":
            return self.binder(tree, env, path) if tree[1] in BINDERS else self.call(tree, env, path)
        left = self.value(tree[1], env, path)
        size = 2 * len(left) + sum(map(len, left)) if isinstance(left, dict) else 0
        hold(size)  # until the other side is known
        right = self.value(tree[2], env, path)
        hold(-size)
        if isinstance(left, frozenset) and isinstance(right, frozenset) and kind in "+-*":
            signs = {"+": 1, "-": -1}
            form = scaled(left, right) if kind == "*" else plus(left, right, signs[kind])
            if form is not None:
                return form
        if kind == "^":
            demand(isinstance(right, frozenset), path, "an exponent must be linear in the integers")
            return power(real(left), cast(Linear, right), path)
        if kind in "*/":
            return multiply(real(left), real(right) if kind == "*" else inverse(real(right), path))
        return add(real(left), real(right), 1 if kind == "+" else -1)

    def integer(self, tree: Tree, env: Env, path: str) -> Linear:
        """The value of a term of integers."""
        form = self.value(tree, env, path)
        demand(isinstance(form, frozenset), path, "a linear term of integers is expected")
        return cast(Linear, form)

    def argument(self, kind: str, tree: Tree, env: Env, path: str) -> Value:
        """The value of an argument, which must be of this kind."""
        if kind.isdigit():
            return function_named(kind, tree, env, path)
        if kind == "int":
            return self.integer(tree, env, path)
        p = real(self.value(tree, env, path))
        if kind == "positive" and sign(p) != ">":
            raise refuse(path, f"not clearly positive: {written(p)}")
        return p

    def call(self, tree: Tree, env: Env, path: str) -> Linear | Poly:
        """The value of a function; an atom for a symbol, and where it is not known which case holds."""
        function, key = function_called(tree, env, path), list[Value]()
        spend(300 + 10 * len(function.env))
        inner = dict(function.env)
        self.depth += 1
        bounded("unfolding", self.depth, path)
        for (name, kind), argument in zip(function.parameters, tree[2], strict=True):
            key.append(self.argument(kind, argument, env, path))
            inner[name] = key[-1]
        size = sum(2 * len(p) + sum(map(len, p)) for p in key if isinstance(p, dict))
        hold(size)  # until the function's value is known
        result: Linear | Poly | None = None
        for conditions, body in function.cases:
            truth = [self.truth(c, inner, path) for c in conditions]
            if False not in truth:
                result = self.value(body, inner, path) if all(truth) else None
                break
        hold(-size)
        self.depth -= 1
        return single(atom("app", function.name, *(self.part(value, path) for value in key))) if result is None else result

    def part(self, value: Value, path: str) -> object:
        """An argument as a part of an atom: of a function, the normal form of its value at bound symbols."""
        if not isinstance(value, Function):
            return frozen(value) if isinstance(value, dict) else value
        symbols = [f"%{next(self.fresh)}" for _ in value.parameters]
        env: Env = {"f": value} | {symbol: frozenset([(symbol, 1)]) for symbol in symbols}
        p = real(self.call(("call", "f", tuple(("var", symbol) for symbol in symbols)), env, path))
        return Bound(len(symbols), closed(frozen(p), symbols))

    def truth(self, c: Comparison, env: Env, path: str) -> bool | None:
        """Whether a comparison of integers holds, as far as the bounds decide it."""
        forms = self.forms(c, env, path)
        if all(map(self.holds, forms)):
            return True
        return False if any(self.holds(negated(form)) for form in forms) else None

    def forms(self, c: Comparison, env: Env, path: str) -> list[Linear]:
        """The forms that are ≥ 0 if and only if the comparison of integers holds."""
        difference = plus(self.integer(c.left, env, path), self.integer(c.right, env, path), -1)
        if c.op[0] == "<":
            difference = plus(ZERO, difference, -1)
        return [difference, plus(ZERO, difference, -1)] if c.op == "=" else [plus(difference, constant(-(c.op in "<>")))]

    def binder(self, tree: Tree, env: Env, path: str) -> Poly:
        """sum(k, lo, hi, term), prod(k, lo, hi, term), det(i, j, lo, hi, term); they count from lo."""
        kind, names, low, high, body = binding(tree, path)
        lo, length = self.integer(low, env, path), plus(self.integer(high, env, path), self.integer(low, env, path), -1)
        last = -1 if self.holds(negated(length)) else value_of(length)
        spend(30 * len(env))
        if kind != "det" and last is not None and last <= 8:
            result = number(kind == "prod")
            for k in range(last + 1):
                size = 2 * len(result) + sum(map(len, result))
                hold(size)
                one = real(self.value(body, {**env, names[0]: plus(lo, constant(k))}, path))
                hold(-size)
                result = add(result, one) if kind == "sum" else multiply(result, one)
            return result
        symbols = [f"%{next(self.fresh)}" for _ in names]
        free = [frozenset([(symbol, 1)]) for symbol in symbols]
        within_range = self.bound(*free, *(plus(length, form, -1) for form in free))
        values = {name: plus(lo, form) for name, form in zip(names, free, strict=True)}
        p = real(within_range.value(body, {**env, **values}, path))
        if kind != "sum":
            return single(atom(kind, length, Bound(len(symbols), closed(frozen(p), symbols))))
        result, symbol = {}, symbols[0]
        for monomial, c in p.items():  # what does not move with the bound symbol is taken out
            inner, outer = dict[Atom, Linear](), dict[Atom, Linear]()
            for x, e in monomial:
                inner[x] = e if symbol in x.open else frozenset(part for part in e if part[0] == symbol)
                outer[x] = plus(e, inner[x], -1)
            kept, out = (frozenset((x, e) for x, e in part.items() if e) for part in (inner, outer))
            whole = not kept and self.holds(plus(length, constant(1)))  # of a constant: so many times
            total = real(plus(length, constant(1))) if whole else single(atom("sum", length, Bound(1, closed(kept, symbols))))
            result = add(result, multiply({out: c}, total))
        return result

    def difference(self, c: Comparison, env: Env, path: str) -> tuple[Poly, str]:
        """(p, op) such that the comparison says p op 0, op one of >=, > and =."""
        left = real(self.value(c.left, env, path))
        size = 2 * len(left) + sum(map(len, left))
        hold(size)
        right = real(self.value(c.right, env, path))
        hold(-size)
        return (add(right, left, -1), c.op.replace("<", ">")) if c.op[0] == "<" else (add(left, right, -1), c.op)

    def integral(self, statement: Statement, env: Env, path: str) -> bool:
        """Whether it is nothing but comparisons of integers."""
        sides = (side for c in statement.then for side in (c.left, c.right))
        return not statement.variables and all(isinstance(self.value(side, env, path), frozenset) for side in sides)


def enter(fact: Fact, scope: Scope, names: Sequence[str], path: str) -> tuple[Scope, list[Value], Env]:
    """A scope with the variables under these names and what is given; their values; all names' values."""
    inner, values, variables = scope.child(), list[Value](), fact.statement.variables
    demand(len(names) == len(variables), path, f"{len(variables)} names are expected")
    for name, (_, kind) in zip(names, variables, strict=True):
        unused = NAME.fullmatch(name) is not None and name not in inner.env and name not in BINDERS
        demand(unused, path, f"{show(name)} is in use: fix another name")
        arguments = tuple((str(k), "int") for k in range(int(kind))) if kind.isdigit() else ()
        symbol: Value
        if arguments:
            symbol = Function(name, arguments, (), {})
        elif kind == "int":
            symbol = frozenset([(name, 1)])
        else:
            symbol = single(atom(kind, name))
        values.append(symbol)
        inner.name(name, values[-1])
    env = valued(fact, values)
    for label, given in fact.statement.given:
        inner = assume(inner, label, Fact(given, env), path)
    inner.goal = Fact(Statement((), (), fact.statement.then), env)
    return inner, values, env


def assume(scope: Scope, label: str, fact: Fact, path: str) -> Scope:
    """The scope in which also this is known."""
    if label in scope.facts:  # no longer reachable by this name, but still known
        scope.facts[f"{label} {len(scope.facts)}"] = scope.facts[label]
    scope.facts[label] = fact
    if scope.integral(fact.statement, fact.env, path):
        for c in fact.statement.then:
            scope = scope.bound(*scope.forms(c, fact.env, path))
    return scope


def contradictory(scope: Scope, path: str) -> bool:
    """Whether the bounds have no solution, or a comparison of two numbers is known that is false."""
    spend(50 * len(scope.facts))
    facts = [fact for fact in scope.facts.values() if not fact.statement.variables and not fact.statement.given]
    known = (scope.difference(c, fact.env, path) for fact in facts for c in fact.statement.then)
    figures = ((p.get(ONE, Fraction(0)), op) for p, op in known if p.keys() <= {ONE})
    return infeasible(scope.bounds) or any(x < 0 or (x == 0 and op == ">") or (x > 0 and op == "=") for x, op in figures)


def at_sight(p: Poly, op: str, scope: Scope, variables: Sequence[tuple[str, str]], values: Sequence[Value], path: str) -> bool:
    """Whether p op 0 by its signs, or because some fact says so: a comparison; or a universal one about
    integers, at the values of the variables of what is to be shown, if these are all integers.
    """
    if (not p and op != ">") or (op != "=" and sign(p) in (">", op)):
        return True
    spend(50 * len(scope.facts))
    for fact in scope.facts.values():
        own = fact.statement.variables
        if own and (len(own) != len(variables) or any(kind != "int" for _, kind in (*own, *variables))):
            continue
        env = valued(fact, values if own else ())
        if all(scope.integral(g, env, path) and all(scope.truth(c, env, path) for c in g.then) for _, g in fact.statement.given):
            for q, says in (scope.difference(c, env, path) for c in fact.statement.then):
                spend(100 * (len(p) + len(q)))
                if (q == p and op in (says, ">=")) or (says == "=" and op != ">" and not add(p, q)):
                    return True
    return False


def close(fact: Fact, scope: Scope, values: Sequence[Value], path: str) -> None:
    """Each comparison of a conclusion is known in this scope, or the scope is contradictory."""
    for c in fact.statement.then:
        p, op = scope.difference(c, fact.env, path)
        integral = scope.integral(conclusion(c), fact.env, path) and scope.truth(c, fact.env, path)
        if not integral and not at_sight(p, op, scope, fact.statement.variables, values, path) and not contradictory(scope, path):
            raise refuse(path, f"not shown: {written(p)} {op} 0")


def unused(variables: Sequence[tuple[str, str]], scope: Scope) -> list[str]:
    """Names for the variables that are not in use."""
    return [f"{name[:20]}_{len(scope.env)}_{k}" for k, (name, _) in enumerate(variables)]
