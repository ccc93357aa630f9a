#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays an argument: carries out the steps that a file writes down for the theorems that it states.

A convenience for those who check their own derivations. It is not among what is trusted, and what it follows
is replayed, never called proved. Standard library only, with reading.py, terms.py and evaluation.py beside
it. Statements are universal; every step is carried out here; every theorem is evaluated at an example. What
each step means, and why it is sound, is said in `exactdp/arguments/ARGUMENTS.md`, version 0.2.
Usage: python -I argument.py FILE...
Exit code 0 replayed, 1 rejected, 2 usage or unreadable, 3 malformed, 4 a limit was reached, 5 an answer could
not be printed, 70 a defect.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

if __name__ == "__main__":  # the files of this directory: their sources as they stand, whatever is installed or compiled
    for _name in ("reading", "terms", "evaluation"):
        _module, _path = ModuleType(f"exactdp.arguments.{_name}"), Path(__file__).resolve().with_name(f"{_name}.py")
        try:
            _source = _path.read_bytes()
            vars(_module).update(__file__=str(_path), __source_digest__=f"sha256:{hashlib.sha256(_source).hexdigest()}")
            sys.modules[_module.__name__] = _module
            exec(compile(_source, str(_path), "exec", dont_inherit=True), vars(_module))
        except Exception as _error:  # missing or broken: never the exit code of a rejection
            try:
                sys.stderr.write(f"{_path.name} is needed beside this file: {_error}\n")
            finally:
                os._exit(70)
from exactdp.arguments.evaluation import example
from exactdp.arguments.reading import LIMITS, Answer, Node, Stop, bounded, canonical_bytes, demand, guarded, refuse, run, show, spend
from exactdp.arguments.terms import (
    BINDERS,
    NAME,
    ONE,
    STORE,
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
    Store,
    Tree,
    Value,
    add,
    atom,
    begin,
    binding,
    closed,
    comparisons,
    conclusion,
    constant,
    declared,
    frozen,
    function_called,
    function_named,
    function_of,
    hold,
    infeasible,
    inverse,
    multiply,
    negated,
    number,
    plus,
    power,
    read,
    real,
    scaled,
    sign,
    single,
    statement,
    term,
    value_of,
    valued,
    within_atoms,
    written,
)

FORMAT, VERSION = "exactdp-argument", "0.2"


# ── What is known at a point of a proof (ARGUMENTS §5) ──────────────────────────────────────────────────────
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
            form = scaled(left, right) if kind == "*" else plus(left, right, 1 if kind == "+" else -1)
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
        return True if all(map(self.holds, forms)) else False if any(self.holds(negated(form)) for form in forms) else None

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
        symbol: Value = frozenset([(name, 1)]) if kind == "int" else {} if arguments else single(atom(kind, name))
        values.append(Function(name, arguments, (), {}) if arguments else symbol)
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


def conclude(fact: Fact, scope: Scope, names: Sequence[str], steps: Node | None, path: str) -> None:
    """Prove a statement: fix its variables, assume what it gives, carry out the steps; then it is known."""
    inner, values, env = enter(fact, scope, names, path)
    end = carry_out(steps, inner) if steps else inner
    close(Fact(fact.statement, env), end, values, steps.path if steps else path)


def unused(variables: Sequence[tuple[str, str]], scope: Scope) -> list[str]:
    """Names for the variables that are not in use."""
    return [f"{name[:20]}_{len(scope.env)}_{k}" for k, (name, _) in enumerate(variables)]


def shown_at_sight(fact: Fact, path: str) -> None:
    """Prove a statement from nothing but what it gives, without steps."""
    scope = Scope(fact.env, {})
    conclude(fact, scope, unused(fact.statement.variables, scope), None, path)


def instantiate(fact: Fact, values: Sequence[Value], scope: Scope, path: str, proofs: Mapping[str, Node]) -> Fact:
    """The conclusion of a fact at these values of its variables, after everything that it needs is shown."""
    env = valued(fact, values)
    demand(proofs.keys() <= dict(fact.statement.given).keys(), path, "nothing of this name is given there")
    for label, given in fact.statement.given:
        names, steps = [name for name, _ in given.variables], proofs.get(label)
        if steps and isinstance(steps.value, dict):
            f = steps.fields("fix proof")
            names, steps = words(f["fix"]), f["proof"]
        elif not steps:
            names = unused(given.variables, scope)
        conclude(Fact(given, env), scope, names, steps, path if steps else f"{path} ({label})")
    return Fact(Statement((), (), fact.statement.then), env)


def words(node: Node) -> list[str]:
    """The words of a string."""
    bounded("text", len(node.of(str)), node.path)
    return cast(list[str], node.of(str).split())


def lazy(kind: str, tree: Tree, scope: Scope, path: str) -> Value:
    """An argument, if it is no integer as an abbreviation, which later equations still simplify."""
    value = scope.argument(kind, tree, scope.env, path)
    return Function("", (), (((), tree),), scope.env) if isinstance(value, dict) else value


FACT = re.compile(r" *+((?:[A-Za-z][A-Za-z0-9_]*+/)?[A-Za-z][A-Za-z0-9_]*+) *+(\(.*\))? *+(?:\.([0-9]))? *+")


def reference(text: str, scope: Scope, path: str) -> tuple[Poly, str]:
    """(p, op) for a fact p op 0: its name, its arguments if universal, its comparison if it has several."""
    bounded("text", len(text), path)
    spend(1000 + 50 * len(text))
    match = FACT.fullmatch(text)
    if match is None or match[1] not in scope.facts:
        raise refuse(path, f"there is no fact {show(text)} here")
    fact, call = scope.facts[match[1]], term(f"f{match[2] or '()'}", path)
    variables = fact.statement.variables
    demand(call[:2] == ("call", "f") and len(call[2]) == len(variables), path, f"{match[1]} takes {len(variables)} arguments")
    values = [lazy(kind, argument, scope, path) for (_, kind), argument in zip(variables, call[2], strict=True)]
    fact = instantiate(fact, values, scope, path, {})
    chosen = fact.statement.then[int(match[3]) : int(match[3]) + 1] if match[3] else fact.statement.then
    demand(len(chosen) == 1, path, f"{match[1]} has the comparisons .0 to .{len(fact.statement.then) - 1}")
    return scope.difference(chosen[0], fact.env, path)


def above(f: Mapping[str, Node], key: str, tree: Tree, env: Env, scope: Scope, path: str) -> None:
    """The fact under this key says that the term is positive."""
    p, op = reference(f[key].of(str), scope, path)
    q = real(scope.value(tree, env, path))
    if op != ">" or p != q:
        raise refuse(path, f"the fact does not say that this is positive: {written(q)}")


# ── Steps (ARGUMENTS §6): each adds facts to the scope ──────────────────────────────────────────────────────
def carry_out(node: Node, scope: Scope) -> Scope:
    """Carry out a list of steps."""
    for item in node.items():
        spend(2000)
        kinds = [key for key in STEPS if key in item.fields()]
        demand(len(kinds) == 1, item.path, f"a step has exactly one of the keys {', '.join(STEPS)}")
        function, keys = STEPS[kinds[0]]
        scope = function(item.fields(f"{kinds[0]} {keys} as? says?"), scope, item.path)
    return scope


def keep(f: Mapping[str, Node], scope: Scope, fact: Fact, default: str, path: str) -> Scope:
    """Record what a step has shown, under its name."""
    demand("as" not in f or NAME.fullmatch(f["as"].of(str)) is not None, path, "a fact has a name")
    return assume(scope, f["as"].of(str) if "as" in f else default, fact, path)


def show_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """A statement, shown by a sum of facts, on a box, by steps, by cases, by induction, or at sight."""
    how = [key for key in ("by", "box", "proof", "cases", "induction") if key in f]
    demand(len(how) < 2 and (how == ["induction"] or not {"from", "to", "base", "step"} & f.keys()), path, "it is shown in one way")
    fact = Fact(statement(f["show"]), scope.env) if f["show"].value != "goal" else cast(Fact, scope.goal)
    if how == ["induction"]:
        demand(f["show"].value != "goal", path, "what is shown by induction is written out")
        return keep(f, scope, by_induction(f, fact, scope, path), "shown", path)
    inner, values, env = enter(fact, scope, [name for name, _ in fact.statement.variables], path)
    for part, g in branches(f["cases"], inner) if "cases" in f else [(inner, f)]:
        for c in fact.statement.then if "by" in g or "box" in g else ():
            (combination if "by" in g else on_box)(c, env, g["by"] if "by" in g else g["box"], part)
        if not ("by" in g or "box" in g):
            close(Fact(fact.statement, env), carry_out(g["proof"], part) if "proof" in g else part, values, path)
    return keep(f, scope, fact, "shown", path)


def combination(c: Comparison, env: Env, node: Node, scope: Scope) -> None:
    """That left − right = Σ coefficient·(product of facts' differences), each summand of the sign needed."""
    (rest, op), strict = scope.difference(c, env, node.path), False
    for item in node.items():
        bounded("text", len(item.of(str)), item.path)
        first, *names = item.of(str).split(";") if ";" in item.of(str) else ("1", item.of(str))
        factor = real(scope.value(term(first, item.path), scope.env, item.path))
        zero, over, clearly = False, True, sign(factor)
        for name in names if names != [""] else ():
            p, says = reference(name, scope, item.path)
            zero, over, factor = zero or says == "=", over and says == ">", multiply(factor, p)
        if not zero and (op == "=" or not clearly):
            raise refuse(item.path, "this summand must be " + ("zero" if op == "=" else "clearly non-negative"))
        strict = strict or (not zero and over and clearly == ">")
        rest = add(rest, factor, -1)
    if rest:
        raise refuse(node.path, f"not an identity: left − right differs from the combination by {written(rest)}")
    if op == ">" and not strict:
        raise refuse(node.path, "no summand is clearly positive")


def on_box(c: Comparison, env: Env, node: Node, scope: Scope) -> None:
    """Non-negative coefficients after v = (low + high·s)/(1 + s), or v = low + s, for each such v in turn."""
    (p, op), strict = scope.difference(c, env, node.path), True
    for place, item in enumerate(node.items()):
        bounded("text", len(item.of(str)), item.path)
        name, *texts = re.split("[:;]", item.of(str))
        v, bounds = real(scope.value(term(name, item.path), scope.env, item.path)), list[Poly]()
        symbol = next((x for monomial in v for x, _ in monomial), None)
        demand(symbol is not None and v == single(symbol) and len(texts) in (1, 2), item.path, "a variable: one or two bounds")
        assert symbol is not None
        demand(symbol.kind in ("positive", "real"), item.path, f"{name} is not a variable for real numbers")
        for sense, text in zip((1, -1), texts, strict=False):
            q, says = reference(text, scope, item.path)
            bounds.append(add(v, q, -sense))  # q = sense·(v − bound)
            strict = strict and says == ">"
            if says == "=" or symbol in within_atoms(frozen(bounds[-1])):
                raise refuse(item.path, f"not a bound of {name}")
        s = single(atom("positive", f"s {place}"))  # no variable has such a name
        top, bottom = (add(bounds[0], multiply(bounds[1], s)), add(number(1), s)) if len(bounds) == 2 else (add(bounds[0], s), number(1))
        spend(200 * sum(map(len, p)) + 200 * len(p))
        powers = [(value_of(dict(m).get(symbol, ZERO)), frozenset((a, x) for a, x in m if a is not symbol), d) for m, d in p.items()]
        if any(e is None or e < 0 or symbol in within_atoms(others) for e, others, _ in powers):
            raise refuse(item.path, f"not a polynomial in {name}")
        degree, p = max((e or 0 for e, _, _ in powers), default=0), {}
        for e, others, d in powers:
            part = multiply(power(top, constant(e or 0), item.path), power(bottom, constant(degree - (e or 0)), item.path))
            p = add(p, multiply({others: d}, part))
    if op == "=" or not sign(p) or (op == ">" and not (strict and sign(p) == ">")):
        raise refuse(node.path, f"the coefficients do not show it: {written(p)} {op} 0")


def branches(node: Node, scope: Scope) -> list[tuple[Scope, dict[str, Node]]]:
    """The cases and how each is shown, after a check that one of them must hold."""
    parts = [item.fields("when proof? by? box? says?") for item in node.items()]
    demand(all(len({"proof", "by", "box"} & f.keys()) < 2 for f in parts), node.path, "a case is shown in one way")
    cases = [statement(f["when"]) for f in parts]
    demand(not any(case.variables for case in cases), node.path, "a case is comparisons")
    if all(scope.integral(case, scope.env, node.path) for case in cases):
        complete = exhaustive(scope.bounds, [[x for c in case.then for x in scope.forms(c, scope.env, node.path)] for case in cases])
    else:
        covered, first = set[int](), scope.difference(cases[0].then[0], scope.env, node.path)[0]
        for case in cases:
            p, op = scope.difference(case.then[0], scope.env, node.path)
            if len(case.then) > 1 or (p != first and add(p, first)):
                raise refuse(node.path, "a case of real numbers is one comparison, of the same two numbers in all cases")
            side = 1 if p == first else -1
            covered |= {0} if op == "=" else {side} if op == ">" else {side, 0}  # signs of the first difference
        complete = covered == {-1, 0, 1}
    if not complete:
        raise refuse(node.path, "the cases are not exhaustive")
    return [(assume(scope.child(), "case", Fact(case, scope.env), node.path), f) for case, f in zip(cases, parts, strict=True)]


def exhaustive(bounds: tuple[Linear, ...], cases: Sequence[Sequence[Linear]]) -> bool:
    """Whether integers within the bounds satisfy all forms of one case at least."""
    spend(1000 + 10 * len(bounds))
    return infeasible(bounds) or (bool(cases) and all(exhaustive((*bounds, negated(form)), cases[1:]) for form in cases[0]))


def by_induction(f: Mapping[str, Node], fact: Fact, scope: Scope, path: str) -> Fact:
    """For all m with from ≤ m (≤ to): the base is m = from; the step goes from m to m + 1."""
    demand({"from", "base", "step"} <= f.keys(), path, "induction needs from, base and step")
    m, names = f["induction"].of(str), [name for name, _ in fact.statement.variables]
    demand(NAME.fullmatch(m) is not None and m not in {*scope.env, *names, *BINDERS}, path, f"{show(m)} is in use: choose another name")
    low, high = term(f["from"].of(str), path), term(f["to"].of(str), path) if "to" in f else None
    symbol, start, end = frozenset([(m, 1)]), scope.integer(low, scope.env, path), [scope.integer(high, scope.env, path)] if high else []
    inner = scope.bound(*(plus(h, start, -1) for h in end))
    conclude(Fact(fact.statement, {**fact.env, m: start}), inner, names, f["base"], path)
    inner = scope.bound(plus(symbol, start, -1), *(plus(plus(h, symbol, -1), constant(-1)) for h in end))
    inner.name(m, symbol)
    inner.facts["hypothesis"] = Fact(fact.statement, {**fact.env, m: symbol})
    conclude(Fact(fact.statement, {**fact.env, m: plus(symbol, constant(1))}), inner, names, f["step"], path)
    place = conclusion(Comparison(low, "<=", ("var", m)), *([Comparison(("var", m), "<=", high)] if high else []))
    variables, given, then = fact.statement
    return Fact(Statement(((m, "int"), *variables), (("range", place), *given), then), fact.env)


def use_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """A theorem or a universal fact at values of its variables."""
    if (name := f["use"].of(str)) not in scope.facts:
        raise refuse(path, f"there is no theorem or fact {show(name)} here")
    fact, values = scope.facts[name], list[Value]()
    kinds, chosen = dict(fact.statement.variables), f["with"].fields() if "with" in f else {}
    demand(kinds.keys() == chosen.keys(), path, f"values are needed for {', '.join(kinds) or 'nothing'}")
    for variable, kind in kinds.items():
        node = chosen[variable]
        arrow = kind.isdigit() and ":" in node.of(str)
        values.append(function_of(node, scope.env, int(kind)) if arrow else lazy(kind, term(node.of(str), node.path), scope, node.path))
    proofs = f["given"].fields() if "given" in f else {}
    hold(len(fact.env) // 3 + 10)
    return keep(f, scope, instantiate(fact, values, scope, path, proofs), name.rpartition("/")[2], path)


def let_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """A name for a term or a function; with `positive`, a positive symbol for a term known to be so."""
    name, function = f["let"].of(str), function_of(f["be"], scope.env)
    demand(NAME.fullmatch(name) is not None and name not in {*scope.env, *BINDERS}, path, f"{show(name)} is in use")
    ((_, tree),) = function.cases
    if "positive" in f:
        demand(not function.parameters, path, "a positive number is a term")
        above(f, "positive", tree, scope.env, scope, path)
        scope.name(name, single(atom("positive", name)))
        return keep(f, scope, Fact(conclusion(Comparison(("var", name), "=", tree)), scope.env), "let", path)
    demand("as" not in f, path, "only a positive name comes with a fact")
    value = {} if function.parameters else scope.value(tree, function.env, path)
    scope.name(name, function if isinstance(value, dict) else value)
    return scope


def reciprocal_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """t·(1/t) = 1 and 1/t > 0, of a term t that a fact says is positive."""
    t = term(f["reciprocal"].of(str), path)
    above(f, "from", t, scope.env, scope, path)
    part: Tree = ("/", ("num", 1), t)
    then = conclusion(Comparison(("*", t, part), "=", ("num", 1)), Comparison(part, ">", ("num", 0)))
    return keep(f, scope, Fact(then, scope.env), "reciprocal", path)


def split_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """A sum or product over lo..hi is that over lo..m, m+1..m′, …, up to hi, if lo − 1 ≤ m ≤ m′ ≤ … ≤ hi."""
    whole = term(f["split"].of(str), path)
    demand(whole[0] == "call" and whole[1] in ("sum", "prod") and len(whole[2]) == 4, path, "a sum or a product is expected")
    k, low, high, body = whole[2]
    cuts = [term(node.of(str), node.path) for node in f["at"].items()]
    ends = list(zip([low, *(("+", cut, ("num", 1)) for cut in cuts)], [*cuts, high], strict=True))
    total: Tree = ("num", int(whole[1] == "prod"))
    for start, end in ends:
        form = plus(plus(scope.integer(end, scope.env, path), scope.integer(start, scope.env, path), -1), constant(1))
        if not scope.holds(form):
            raise refuse(path, f"not known, for the split: {written(form)} >= 0")
        total = ("+" if whole[1] == "sum" else "*", total, ("call", whole[1], (k, start, end, body)))
    return keep(f, scope, Fact(conclusion(Comparison(whole, "=", total)), scope.env), "split", path)


SHAPES = {"upper": ["0 <= j < i"], "lower": ["0 <= i < j"], "column": ["i < j < c", "i < j > c", "i > j < c", "i > j > c"]}


def determinant_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """det(A·B) = det A·det B; or det C = Π C_ii: C is triangular, or diagonal but for column c."""
    demand(("factors" in f) != ("shape" in f), path, "factors or a shape")
    env: dict[str, Value] = {"N": scope.integer(term(f["size"].of(str), path), scope.env, path)}
    matrices = [f["determinant"], *(f["factors"].items(2) if "factors" in f else ())]
    env |= {name: function_of(node, scope.env, 2) for name, node in zip("CAB", matrices, strict=False)}
    places, text = ["0 <= i"], "sum(k, 0, N, A(i, k) * B(k, j)) = C(i, j)"
    result = "det(i, j, 0, N, C(i, j)) = det(i, j, 0, N, A(i, j)) * det(i, j, 0, N, B(i, j))"
    if "shape" in f:
        shape, _, column = f["shape"].of(str).partition(" ")
        demand(shape in SHAPES and bool(column) == (shape == "column"), f["shape"].path, "upper, lower, or column and its index")
        env |= {"c": scope.integer(term(column, path), scope.env, path)} if column else {}
        places, text, result = SHAPES[shape], "C(i, j) = 0", "det(i, j, 0, N, C(i, j)) = prod(k, 0, N, C(k, k))"
    for more in places:
        given = conclusion(*(c for part in ("0 <= i <= N", "0 <= j <= N", more) for c in comparisons(part, path)))
        fact = Fact(Statement((("i", "int"), ("j", "int")), (("range", given),), comparisons(text, path)), env)
        conclude(fact, scope, words(f["fix"]) if "fix" in f else ["i", "j"], f["proof"], path)
    return keep(f, scope, Fact(conclusion(*comparisons(result, path)), env), "determinant", path)


STEPS: dict[str, tuple[Callable[[dict[str, Node], Scope, str], Scope], str]] = {
    "show": (show_step, "by? box? proof? cases? induction? from? to? base? step?"),
    "use": (use_step, "with? given?"),
    "let": (let_step, "be positive?"),
    "split": (split_step, "at"),
    "reciprocal": (reciprocal_step, "from"),
    "determinant": (determinant_step, "size factors? shape? fix? proof"),
}


# ── Files (ARGUMENTS §8) ────────────────────────────────────────────────────────────────────────────────────
class Library(NamedTuple):
    """The files read so far, and what they define and prove."""

    folder: Path
    definitions: dict[str, Value]
    theorems: dict[str, dict[str, Fact] | None]  # None while a file is being checked
    sources: dict[str, object]  # of the definitions
    sizes: list[int]


def contents(path: Path, taken: int = 0) -> bytes:
    """The bytes of a regular file, once its size, with those taken already, is seen to be allowed."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as stream:
        if not stat.S_ISREG((found := os.fstat(stream.fileno())).st_mode):
            raise OSError(f"not a regular file: {path.name}")
        bounded("bytes", taken + found.st_size)
        return stream.read(LIMITS["bytes"] - taken + 1)


def define(name: str, node: Node, library: Library) -> None:
    """A function by cases; only earlier definitions and its parameters may occur in it."""
    f = node.fields("of is says?")
    demand(NAME.fullmatch(name) is not None and name not in {*library.definitions, *BINDERS}, node.path, f"{show(name)} is in use")
    bounded("names", len(library.definitions) + 1)
    parameters, cases = declared(f["of"]), list[tuple[tuple[Comparison, ...], Tree]]()
    for item in f["is"].items():
        condition, colon, body = item.of(str).rpartition(":")
        cases.append((comparisons(condition, item.path) if colon else (), term(body, item.path)))
    demand(bool(cases) and all(c for c, _ in cases[:-1]) and not cases[-1][0], node.path, "all cases but the last have a condition")
    demand(not dict(parameters).keys() & library.definitions.keys(), node.path, "no parameter has the name of a definition")
    library.definitions[name] = Function(name, parameters, tuple(cases), dict(library.definitions))
    library.sources[name] = {"of": f["of"].value, "is": f["is"].value}


def needed_file(node: Node, library: Library) -> dict[str, Fact]:
    """The theorems of another file of the folder, under the names file/theorem."""
    demand(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", need := node.of(str)) is not None, node.path, "a file of this folder, without .json")
    if need not in library.theorems:
        bounded("files", len(library.theorems) + 1)
        library.theorems[need] = None
        place = library.folder / f"{need}.json"
        try:
            data = contents(place, sum(library.sizes))
        except OSError as error:
            if os.path.isfile(place):  # it is there, but can't be read: nothing is decided
                raise Stop(Answer("unreadable", f"{node.path}: {need}.json: {show(str(error))}", path=node.path)) from None
            raise refuse(node.path, f"there is no file {need}.json in this folder: {type(error).__name__}") from None
        library.sizes.append(len(data))
        check(read(data), library, need, f"{need}.json: $")
    demand(library.theorems[need] is not None, node.path, "files need each other")
    spend(1000 + 100 * len(library.theorems[need] or {}))
    return {f"{need.replace('-', '_')}/{theorem}": fact for theorem, fact in (library.theorems[need] or {}).items()}


def check(value: object, library: Library, name: str = "", path: str = "$") -> None:
    """Check a parsed file: what it needs, its definitions, its theorems in turn."""
    top = Node(value, path).fields("format version says? needs? definitions? theorems")
    stated = (top["format"].value, top["version"].value)
    demand(stated == (FORMAT, VERSION), path, f"must be {FORMAT} {VERSION} (before 0.2 theorems had no examples), not {show(stated)}")
    facts: dict[str, Fact] = {}
    for node in top["needs"].items() if "needs" in top else ():
        facts |= needed_file(node, library)
    for word, node in top["definitions"].fields().items() if "definitions" in top else ():
        define(word, node, library)
    found: dict[str, Fact] = {}
    for node in top["theorems"].items():
        spend(1000 + 30 * (len(facts) + len(found)))
        label, fact = theorem(node, library, facts | found)
        demand(label not in found, node.path, "theorems have different names")
        found[label] = fact
    demand(bool(found), path, "a file has one theorem or more")
    library.theorems[name] = found


def theorem(node: Node, library: Library, facts: dict[str, Fact]) -> tuple[str, Fact]:
    """The name of a theorem, and its statement as a fact, once it holds at its example and is proved."""
    f = node.fields("name for given? then example? proof says?")
    label, stated = f["name"].of(str), {key: f[key].value for key in ("for", "given", "then") if key in f}
    demand(NAME.fullmatch(label) is not None, f["name"].path, "a theorem has a name")
    if "example" not in f:
        raise refuse(node.path, "no example: the theorem is possibly vacuous")
    STORE.set(Store())
    spend(1000 + 30 * len(library.definitions))
    fact = Fact(statement(Node(stated, node.path)), dict(library.definitions))
    names = [variable for variable, _ in fact.statement.variables]
    example(fact, f["example"], shown_at_sight)
    conclude(fact, Scope(fact.env, facts), names, f["proof"], f["proof"].path)
    return label, fact


def in_words(formula: Any) -> str:
    """A statement of a file as one line: for all …: if … then …."""
    if isinstance(formula, str):
        return formula
    if isinstance(formula, list):
        return " and ".join(formula)
    texts = [f"({in_words(item)})" if isinstance(item, dict) else in_words(item) for item in formula.get("given", {}).values()]
    return f"for all {formula['for']}: " + (f"if {', '.join(texts)} then " if texts else "") + in_words(formula["then"])


def hashed(value: object) -> str:
    """A digest of a value."""
    return "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest()[:32]


def sentence(value: Any, library: Library) -> str:
    """What an accepted file states: every theorem in words, and the definitions that these use."""
    texts, known = {item["name"]: in_words(item) for item in value["theorems"]}, set[str]()
    found = set(NAME.findall(" ".join(texts.values())))
    while more := found & library.sources.keys() - known:
        known |= more
        found = set(NAME.findall(" ".join(str(library.sources[name]) for name in more)))
    long = {name: f"{text[:1000]} … ({len(text)} characters, {hashed(text)})" for name, text in texts.items() if len(text) > 2000}
    said, sources = {**texts, **long}, {name: library.sources[name] for name in sorted(known)}
    where = f" With the definitions {', '.join(sources)} ({hashed(sources)})." if known else ""
    return f"{' | '.join(f'{name}: {text}' for name, text in said.items())}.{where} Scope: as quantified, by this program alone."


def check_bytes(data: bytes, folder: Path | None = None) -> Answer:
    """Check the bytes of a file that lies in this folder. Never raises, and leaves nothing behind."""
    library = Library(folder or Path(), {}, {}, {}, [len(data)])

    def answer() -> Answer:
        begin()
        value = read(data)
        check(value, library)
        return Answer("replayed", sentence(value, library), "argument", "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest())

    return copy_context().run(guarded, answer)


def main(arguments: list[str] | None = None) -> int:
    """Check files, print a line for each, and return the worst exit code."""

    def answer_for(name: str) -> Answer:
        return check_bytes(contents(Path(name)), Path(name).parent)

    return run(arguments, answer_for, __doc__, f"exactdp argument checker, format {VERSION}")


if __name__ == "__main__":
    sys.exit(main())
