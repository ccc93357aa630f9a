#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The trusted checker of replayed arguments: decides whether a file proves the theorems that it states, for all their variables.

Standard library only, with the strict reader of the kernel beside it. Statements are universal; a proof is a list of steps, each of which
the checker carries out itself. What each step means, and why it is sound, is said in `exactdp/certificate/ARGUMENTS.md`, version 0.1.
Usage: python -I argument.py FILE... Exit code 0 accepted, 1 rejected, 2 usage, 3 malformed, 4 a limit was reached, 70 a defect.
"""
# ruff: noqa: D102, D105, D107, D205, D209, E402
from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from math import gcd
from pathlib import Path
from typing import Any, cast

if __name__ == "__main__":     # the kernel of this directory, whatever else is installed
    _spec = spec_from_file_location("exactdp.checker.kernel", Path(__file__).with_name("kernel.py"))
    assert _spec and _spec.loader
    sys.modules[_spec.name] = module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules[_spec.name])
from exactdp.checker.kernel import EXIT_CODES, INDEX, TOKEN, WORK, Answer, Node, Stop, canonical_bytes, charge, demand, distinct, show

FORMAT, VERSION = "exactdp-argument", "0.1"
LIMITS = {"bytes": 2**20, "nesting": 40, "tokens": 200_000, "text": 2000, "depth": 40, "files": 20, "constraints": 400,
          "exponent": 32, "terms": 20_000, "unfolding": 40}     # each is checked before the work that it bounds

def refuse(path: str, text: str) -> Stop:
    """What to raise where an argument does not carry."""
    return Stop(Answer("rejected", f"{path}: {text}", rule=text, path=path))
def bounded(limit: str, figure: int, path: str = "$") -> None:
    """A declared limit: nothing is decided if it would be exceeded."""
    if figure > LIMITS[limit]:
        raise Stop(Answer("limit", f"{path}: the limit of {LIMITS[limit]} {limit} is exceeded: {figure}", rule=limit, path=path))
def read(data: bytes) -> object:
    """Strict JSON as the kernel reads it, with the limits of this file."""
    bounded("bytes", len(data))
    depth = 0
    for count, match in enumerate(TOKEN.finditer(data), start=1):
        token = match.group()
        bounded("tokens", count)
        if token in b"[]{}":
            depth += 1 if token in b"[{" else -1
            bounded("nesting", depth)
        elif token[:1] != b'"':
            demand(bool(INDEX.fullmatch(token)), f"$ at byte {match.start()}", "outside strings only integers 0 to 10^9 − 1")
    try:
        return cast(object, json.loads(data.decode("utf-8"), object_pairs_hook=distinct))
    except ValueError as error:
        raise Stop(Answer("malformed", f"$: not JSON in UTF-8: {error}", rule="JSON in UTF-8", path="$")) from None

# ── Terms: text to trees (ARGUMENTS §2) ─────────────────────────────────────────────────────────────────────────────
WORD = re.compile(r"\s*(?:([A-Za-z][A-Za-z0-9_]*)|([0-9]+)|(<=|>=|[-+*/^()<>=,]))")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
FACT = re.compile(r"\s*((?:[A-Za-z][A-Za-z0-9_]*/)?[A-Za-z][A-Za-z0-9_]*)\s*(\(.*\))?\s*(?:\.([0-9]))?\s*", re.DOTALL)
BINDERS = {"sum": 4, "prod": 4, "det": 5}
Tree = tuple[Any, ...]     # ("num", p), ("var", name), ("call", name, trees), (operator, tree, tree)

class Parser:
    """One term or comparison, by recursive descent; `^` binds tightest, then unary minus, then * and /, then + and −."""
    def __init__(self, text: str, path: str) -> None:
        bounded("text", len(text), path)
        self.path, self.words, at, end = path, list[str](), 0, len(text.rstrip())
        while at < end:
            match = WORD.match(text, at)
            demand(match is not None, path, f"not a term: {show(text)}")
            assert match
            self.words.append(match.group().strip())
            at = match.end()
        self.words.append("")
        self.at = self.depth = 0
    def take(self, *expected: str) -> str:
        """The next word, which must be one of those expected if any are."""
        word = self.words[self.at]
        demand(word in expected or not expected, self.path, f"{show(word or 'the end')} where {' or '.join(expected)} is expected")
        self.at += bool(word)
        return word
    def sum(self) -> Tree:
        tree = self.product()
        while self.words[self.at] in ("+", "-"):
            tree = (self.take(), tree, self.product())
        return tree
    def product(self) -> Tree:
        tree = self.factor()
        while self.words[self.at] in ("*", "/"):
            tree = (self.take(), tree, self.factor())
        return tree
    def factor(self) -> Tree:
        self.depth += 1
        bounded("depth", self.depth, self.path)
        if self.words[self.at] == "-":
            self.take()
            tree: Tree = ("-", ("num", 0), self.factor())
        else:
            tree = self.atom()
            if self.words[self.at] == "^":
                self.take()
                tree = ("^", tree, self.atom())
        self.depth -= 1
        return tree
    def atom(self) -> Tree:
        word = self.take()
        if word == "(":
            tree = self.sum()
            self.take(")")
            return tree
        if word.isdigit():
            demand(len(word) < 20, self.path, "a number has less than 20 digits")
            return ("num", int(word))
        demand(NAME.fullmatch(word) is not None, self.path, f"{show(word or 'the end')} where a term is expected")
        if self.words[self.at] != "(":
            return ("var", word)
        trees, separator = list[Tree](), self.take()
        if self.words[self.at] == ")":
            separator = self.take()
        while separator != ")":
            trees.append(self.sum())
            separator = self.take(",", ")")
        return ("call", word, tuple(trees))

@dataclass(frozen=True)
class Comparison:
    """left op right, with op one of <=, <, =, >, >=."""
    left: Tree
    op: str
    right: Tree

def term(text: str, path: str) -> Tree:
    """The tree of a term."""
    parser = Parser(text, path)
    tree = parser.sum()
    parser.take("")
    return tree
def comparisons(text: str, path: str) -> tuple[Comparison, ...]:
    """A chain of comparisons: 0 <= i < n is two of them."""
    parser = Parser(text, path)
    trees, ops = [parser.sum()], list[str]()
    while not ops or parser.words[parser.at]:
        ops.append(parser.take("<=", "<", "=", ">", ">="))
        trees.append(parser.sum())
    return tuple(Comparison(left, op, right) for op, (left, right) in zip(ops, pairwise(trees), strict=True))

# ── Integers: linear forms and their inequalities (ARGUMENTS §3) ────────────────────────────────────────────────────
Linear = frozenset[tuple[str, int]]     # pairs (symbol, coefficient ≠ 0); the constant's symbol is ""
ZERO: Linear = frozenset()

def constant(value: int) -> Linear:
    """A number as a linear form."""
    return frozenset([("", value)] if value else [])
def value_of(form: Linear) -> int | None:
    """The number, if the form is one."""
    return 0 if not form else next(iter(form))[1] if len(form) == 1 and next(iter(form))[0] == "" else None
def plus(x: Linear, y: Linear, times: int = 1) -> Linear:
    """x + times·y."""
    result = dict(x)
    for symbol, c in y:
        result[symbol] = result.get(symbol, 0) + times * c
    return frozenset((symbol, c) for symbol, c in result.items() if c)
def tighten(form: Linear) -> Linear:
    """The same condition form ≥ 0 on integers, divided by the common divisor of its coefficients (the constant rounded down)."""
    divisor = gcd(*(c for symbol, c in form if symbol))
    return form if divisor < 2 else frozenset((symbol, c // divisor) for symbol, c in form if c // divisor)
def infeasible(forms: Sequence[Linear]) -> bool:
    """Whether no integers make all forms ≥ 0, by elimination of one symbol after another: True is a proof, False is not."""
    system = {tighten(form) for form in forms}
    while True:
        if any((value_of(form) or 0) < 0 for form in system):
            return True
        system = {form for form in system if value_of(form) is None}
        symbols = {symbol for form in system for symbol, _ in form if symbol}
        if not symbols:
            return False
        sides = {s: ([f for f in system if dict(f).get(s, 0) > 0], [f for f in system if dict(f).get(s, 0) < 0]) for s in symbols}
        symbol = min(sorted(sides), key=lambda s: len(sides[s][0]) * len(sides[s][1]) - len(sides[s][0]) - len(sides[s][1]))
        above, below = sides[symbol]
        bounded("constraints", len(above) * len(below))
        charge(20 * len(above) * len(below) + 20 * len(system))
        rest = {form for form in system if symbol not in dict(form)}
        for f in above:
            for g in below:
                p, q = dict(f)[symbol], -dict(g)[symbol]
                rest.add(tighten(plus(frozenset((s, c * q) for s, c in f), g, p)))
        system = rest

# ── Reals: polynomials in atoms (ARGUMENTS §4) ──────────────────────────────────────────────────────────────────────
Atom = tuple[Any, ...]     # ("positive" | "real" | "int", symbol), ("app", name, …), ("sum" | "prod" | "det", length, body), ("inv", polynomial)
Monomial = frozenset[tuple[Atom, Linear]]     # atoms with their exponents; only those of positive symbols are not numbers > 0
Poly = dict[Monomial, Fraction]
ONE: Monomial = frozenset()

def number(value: int | Fraction) -> Poly:
    """A number as a polynomial."""
    return {ONE: Fraction(value)} if value else {}
def single(atom: Atom, exponent: Linear = constant(1)) -> Poly:
    """A power of an atom."""
    return {frozenset([(atom, exponent)] if exponent else []): Fraction(1)}
def add(x: Poly, y: Poly, times: int | Fraction = 1) -> Poly:
    """x + times·y."""
    result = dict(x)
    for monomial, c in y.items():
        result[monomial] = result.get(monomial, Fraction(0)) + times * c
        if not result[monomial]:
            del result[monomial]
    return result
def join(x: Monomial, y: Monomial, times: int = 1) -> Monomial:
    """x·y^times."""
    result = dict(x)
    for atom, exponent in y:
        result[atom] = plus(result.get(atom, ZERO), exponent, times)
    return frozenset((atom, exponent) for atom, exponent in result.items() if exponent)
def multiply(x: Poly, y: Poly) -> Poly:
    """x·y."""
    bounded("terms", len(x) * len(y))
    charge(30 * len(x) * len(y), max((c.numerator.bit_length() + c.denominator.bit_length() for p in (x, y) for c in p.values()), default=0))
    result: Poly = {}
    for m, c in x.items():
        for n, d in y.items():
            monomial = join(m, n)
            result[monomial] = result.get(monomial, Fraction(0)) + c * d
    return {m: c for m, c in result.items() if c}
def positive(monomial: Monomial) -> bool:
    """Whether it is a product of powers of positive symbols."""
    return all(atom[0] == "positive" for atom, _ in monomial)
def sign(p: Poly) -> str:
    """'>' if p is a sum of positive multiples of positive monomials, '>=' if also squares may occur, or it is 0; else ''."""
    squares = all(atom[0] == "positive" or (value_of(e) or 1) % 2 == 0 for m in p for atom, e in m)
    if min(p.values(), default=0) < 0 or not squares:
        return ""
    return ">" if any(map(positive, p)) else ">="
def inverse(p: Poly, path: str) -> Poly:
    """1/p: of a positive monomial its inverse, else the atom that stands for the number 1/p."""
    demand(p != {}, path, "division by zero")
    if len(p) == 1 and positive(next(iter(p))):
        monomial, c = next(iter(p.items()))
        return {join(ONE, monomial, -1): 1 / c}
    return single(("inv", frozenset(p.items())))
def power(p: Poly, exponent: Linear, path: str) -> Poly:
    """p^exponent: any integer form for a product of positive symbols, numbers only for the rest."""
    times = value_of(exponent)
    if len(p) == 1 and positive(next(iter(p))) and (times is not None or next(iter(p.values())) == 1):
        (monomial, c), = p.items()
        bounded("exponent", abs(times or 0) if c != 1 else 0, path)
        scaled = dict[Atom, Linear]()
        for atom, e in monomial:
            demand(times is not None or value_of(e) is not None, path, "an exponent must be linear in the integers")
            form, by = (e, times) if times is not None else (exponent, value_of(e))
            scaled[atom] = plus(ZERO, form, cast(int, by))
        return {frozenset((atom, e) for atom, e in scaled.items() if e): c ** (times or 0)}
    if times is None:
        raise refuse(path, "only a product of positive symbols has powers with a symbol in the exponent")
    bounded("exponent", abs(times), path)
    result = number(1)
    for _ in range(abs(times)):
        result = multiply(result, p)
    return result if times >= 0 else inverse(result, path)
def strings(value: object) -> Iterator[str]:
    """All strings in nested tuples and sets."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from strings(item)
def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The same nested tuples and sets with other symbols."""
    if isinstance(value, str):
        return names.get(value, value)
    return type(value)(renamed(item, names) for item in value) if isinstance(value, tuple | frozenset) else value
def closed(value: Any, bound: Sequence[str]) -> Any:
    """The same with canonical names, #h and #h', for the bound symbols: h is more than in any binder inside."""
    height = 1 + max((int(s[1:].rstrip("'")) for s in strings(value) if s[:1] == "#"), default=-1)
    return renamed(value, {symbol: f"#{height}" + "'" * k for k, symbol in enumerate(bound)})

# ── Values of terms in a scope ──────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class Function:
    """A function of integers: a symbol (body None), or a term in its parameters."""
    name: str
    parameters: tuple[str, ...]
    body: Tree | None = None
    env: Mapping[str, Value] = field(default_factory=dict)
@dataclass(frozen=True)
class Definition:
    """A defined function: the term of the first case that holds."""
    name: str
    parameters: tuple[tuple[str, str], ...]
    cases: tuple[tuple[tuple[Comparison, ...], Tree], ...]
    env: Mapping[str, Value]
Value = Linear | Poly | Function | Definition
Env = Mapping[str, Value]

@dataclass(frozen=True)
class Statement:
    """For all the variables: if what is given, then the comparisons."""
    variables: tuple[tuple[str, str], ...]
    given: tuple[tuple[str, Statement], ...]
    then: tuple[Comparison, ...]
@dataclass(frozen=True)
class Fact:
    """A statement that holds, with the values of its free names."""
    statement: Statement
    env: Env

@dataclass
class Scope:
    """What is fixed and known at some point of a proof."""
    env: dict[str, Value]
    facts: dict[str, Fact]
    bounds: tuple[Linear, ...] = ()     # integer forms that are ≥ 0
    equal: Mapping[str, Linear] = field(default_factory=dict)     # solved integer equations
    goal: Fact | None = None     # the conclusion to be shown
    depth: int = 0
    memo: dict[Linear, bool] = field(default_factory=dict)
    fresh: list[int] = field(default_factory=lambda: [0])
    def child(self) -> Scope:
        """A scope inside this one."""
        return Scope(dict(self.env), dict(self.facts), self.bounds, self.equal, self.goal, self.depth, {}, self.fresh)
    def reduce(self, form: Linear) -> Linear:
        """The form, with the solved equations put in."""
        for symbol, c in form:
            if symbol in self.equal:
                form = plus(plus(form, frozenset([(symbol, 1)]), -c), self.equal[symbol], c)
        return form
    def bound(self, *forms: Linear) -> Scope:
        """This scope with these forms ≥ 0, and solved for a symbol with coefficient ±1 when both f ≥ 0 and −f ≥ 0 are new."""
        result = self.child()
        result.bounds += forms
        for f in forms:
            form = result.reduce(f)
            unit = sorted(symbol for symbol, c in form if symbol and abs(c) == 1)
            if plus(ZERO, f, -1) in forms and unit:
                c = dict(form)[unit[0]]
                solution = plus(plus(ZERO, form, -c), frozenset([(unit[0], 1)]))     # symbol = symbol − form/c
                now = {unit[0]: solution}
                result.equal = {s: Scope({}, {}, equal=now).reduce(g) for s, g in result.equal.items()} | now
        return result
    def holds(self, form: Linear) -> bool:
        """Whether the bounds imply form ≥ 0."""
        if (number := value_of(form)) is not None and number >= 0:
            return True
        if form not in self.memo:
            self.memo[form] = infeasible([*self.bounds, plus(plus(ZERO, form, -1), constant(-1))])
        return self.memo[form]
    def value(self, tree: Tree, env: Env, path: str) -> Linear | Poly:
        """The value of a term: a linear form if it is one of integers, else a polynomial."""
        kind = tree[0]
        if kind == "num":
            return constant(tree[1])
        if kind == "var":
            found = env.get(tree[1])
            if isinstance(found, Function) and not found.parameters and found.body:     # an abbreviation
                return self.call(("call", tree[1], ()), env, path)
            demand(isinstance(found, dict | frozenset), path, f"{tree[1]} is not a number here")
            return self.reduce(found) if isinstance(found, frozenset) else cast(Poly, found)
        if kind == "call":
            return self.binder(tree, env, path) if tree[1] in BINDERS else self.call(tree, env, path)
        left, right = self.value(tree[1], env, path), self.value(tree[2], env, path)
        if isinstance(left, frozenset) and isinstance(right, frozenset):
            if kind in "+-":
                return plus(left, right, 1 if kind == "+" else -1)
            if kind == "*" and (value_of(left) is not None or value_of(right) is not None):
                form, by = (left, value_of(right)) if value_of(right) is not None else (right, value_of(left))
                return plus(ZERO, form, cast(int, by))
        if kind == "^":
            demand(isinstance(right, frozenset), path, "an exponent must be linear in the integers")
            return power(real(left), cast(Linear, right), path)
        if kind == "*":
            return multiply(real(left), real(right))
        if kind == "/":
            return multiply(real(left), inverse(real(right), path))
        return add(real(left), real(right), 1 if kind == "+" else -1)
    def integer(self, tree: Tree, env: Env, path: str) -> Linear:
        """The value of a term of integers."""
        form = self.value(tree, env, path)
        demand(isinstance(form, frozenset), path, "a linear term of integers is expected")
        return cast(Linear, form)
    def call(self, tree: Tree, env: Env, path: str) -> Linear | Poly:
        """The value of a function at its arguments; of a definition the first case that holds, an atom if it is not known which."""
        function, arguments = env.get(tree[1]), tree[2]
        demand(isinstance(function, Function | Definition), path, f"{tree[1]} is not a function here")
        assert isinstance(function, Function | Definition)
        demand(len(arguments) == len(function.parameters), path, f"{tree[1]} takes {len(function.parameters)} arguments")
        self.depth += 1
        bounded("unfolding", self.depth, path)
        try:
            if isinstance(function, Function):
                forms = [self.integer(argument, env, path) for argument in arguments]
                if function.body is None:
                    return single(("app", function.name, *forms))
                return self.value(function.body, {**function.env, **dict(zip(function.parameters, forms, strict=True))}, path)
            inner, key = dict(function.env), list[Value]()
            for (name, kind), argument in zip(function.parameters, arguments, strict=True):
                inner[name] = given = self.argument(kind, argument, env, path)
                key.append(given)
            for conditions, body in function.cases:
                truth = [self.truth(c, inner, path) for c in conditions]
                if all(truth):
                    return self.value(body, inner, path)
                if False not in truth:
                    return single(("app", function.name, *(self.frozen(given, path) for given in key)))
            raise refuse(path, f"no case of {tree[1]} holds")
        finally:
            self.depth -= 1
    def frozen(self, value: Value, path: str) -> object:
        """A normal form of a value: of a function, that of its body at canonical symbols."""
        if isinstance(value, dict | frozenset):
            return frozenset(value.items()) if isinstance(value, dict) else value
        symbols = self.symbols(len(value.parameters))
        free = {name: frozenset([(name, 1)]) for name in symbols}
        p = real(self.call(("call", "f", tuple(("var", name) for name in symbols)), {"f": value, **free}, path))
        return closed((frozenset(p.items()), *symbols), symbols)
    def symbols(self, count: int) -> list[str]:
        """New symbols, for bound variables."""
        self.fresh[0] += count
        return [f"%{self.fresh[0] - k}" for k in range(count)]
    def argument(self, kind: str, tree: Tree, env: Env, path: str) -> Value:
        """The value of an argument, which must be of this kind."""
        if kind.isdigit():
            found = env.get(tree[1]) if tree[0] == "var" else None
            if isinstance(found, Definition) and all(of == "int" for _, of in found.parameters):
                names = tuple(name for name, _ in found.parameters)
                found = Function("", names, ("call", tree[1], tuple(("var", name) for name in names)), {tree[1]: found})
            demand(isinstance(found, Function) and len(found.parameters) == int(kind), path, f"a function of {kind} is expected")
            return cast(Function, found)
        if kind == "int":
            return self.integer(tree, env, path)
        p = real(self.value(tree, env, path))
        if kind == "positive" and sign(p) != ">":
            raise refuse(path, f"not clearly positive: {written(p)}")
        return p
    def truth(self, c: Comparison, env: Env, path: str) -> bool | None:
        """Whether a comparison of integers holds, as far as the bounds decide it."""
        forms = self.forms(c, env, path)
        if all(map(self.holds, forms)):
            return True
        return False if any(self.holds(plus(plus(ZERO, form, -1), constant(-1))) for form in forms) else None
    def forms(self, c: Comparison, env: Env, path: str) -> list[Linear]:
        """The forms that are ≥ 0 if and only if the comparison of integers holds."""
        difference = plus(self.integer(c.left, env, path), self.integer(c.right, env, path), -1)
        if c.op[0] == "<":
            difference = plus(ZERO, difference, -1)
        if c.op in "<>":
            difference = plus(difference, constant(-1))
        return [difference, plus(ZERO, difference, -1)] if c.op == "=" else [difference]
    def binder(self, tree: Tree, env: Env, path: str) -> Poly:
        """sum(k, lo, hi, term), prod(k, lo, hi, term), det(i, j, lo, hi, term); bound symbols are counted from lo."""
        kind, arguments = tree[1], tree[2]
        demand(len(arguments) == BINDERS[kind], path, f"{kind} takes {BINDERS[kind]} arguments")
        *variables, low, high, body = arguments
        names = [variable[1] for variable in variables if variable[0] == "var"]
        demand(len(set(names)) == len(variables), path, f"{kind} binds names")
        lo, hi = self.integer(low, env, path), self.integer(high, env, path)
        length, known = plus(hi, lo, -1), value_of(plus(hi, lo, -1))
        if kind != "det" and (known is not None and known <= 8 or self.holds(plus(ZERO, plus(length, constant(1)), -1))):
            result = number(kind == "prod")
            for k in range((known or 0) + 1 if known is not None else 0):
                one = real(self.value(body, {**env, names[0]: plus(lo, constant(k))}, path))
                result = add(result, one) if kind == "sum" else multiply(result, one)
            return result
        symbols = self.symbols(len(names))
        free = [frozenset([(symbol, 1)]) for symbol in symbols]
        inside = self.bound(*free, *(plus(length, form, -1) for form in free))
        p = real(inside.value(body, {**env, **{name: plus(lo, form) for name, form in zip(names, free, strict=True)}}, path))
        if kind != "sum":
            return single((kind, length, *closed((frozenset(p.items()),), symbols)))
        result = {}
        for monomial, c in p.items():
            outer, inner = dict[Atom, Linear](), dict[Atom, Linear]()
            for atom, e in monomial:
                moving = frozenset(part for part in e if part[0] == symbols[0])
                if symbols[0] in strings(atom):
                    inner[atom] = e
                else:
                    inner[atom], outer[atom] = moving, plus(e, moving, -1)
            kept, out = (frozenset((a, e) for a, e in part.items() if e) for part in (inner, outer))
            if not kept and self.holds(plus(length, constant(1))):
                total = real(plus(length, constant(1)))
            else:
                total = single(("sum", length, closed(kept, symbols)))
            result = add(result, multiply({out: c}, total))
        return result
    def difference(self, c: Comparison, env: Env, path: str) -> tuple[Poly, str]:
        """(p, op) such that the comparison says p op 0, op one of >=, > and =."""
        left, right = real(self.value(c.left, env, path)), real(self.value(c.right, env, path))
        return (add(right, left, -1), c.op.replace("<", ">")) if c.op[0] == "<" else (add(left, right, -1), c.op)
    def integral(self, statement: Statement, env: Env, path: str) -> bool:
        """Whether it is nothing but comparisons of integers."""
        if statement.variables or statement.given:
            return False
        return all(isinstance(self.value(side, env, path), frozenset) for c in statement.then for side in (c.left, c.right))

def real(value: Linear | Poly) -> Poly:
    """An integer as a real number."""
    if isinstance(value, dict):
        return value
    result: Poly = {}
    for symbol, c in value:
        result = add(result, single(("int", symbol)) if symbol else number(1), c)
    return result
def written(value: object) -> str:
    """A polynomial, monomial, atom or form for people."""
    if isinstance(value, dict):
        return " + ".join(sorted(f"{c}*{written(m)}" if m else str(c) for m, c in value.items())) or "0"
    if isinstance(value, frozenset):
        pairs = sorted(value, key=str)
        if pairs and isinstance(pairs[0][1], Fraction):
            return written(dict(value))
        if all(isinstance(item[0], str) for item in pairs):
            return "+".join(f"{c}{s}" if not s or c != 1 else s for s, c in pairs).replace("+-", "-") or "0"
        return "*".join(written(atom) + (f"^({written(e)})" if e != constant(1) else "") for atom, e in pairs)
    if isinstance(value, tuple) and value[0] in ("positive", "real", "int"):
        return str(value[1])
    if isinstance(value, tuple) and value[0] == "app":
        return f"{value[1]}({', '.join(map(written, value[2:]))})"
    return f"{value[0]}[{', '.join(map(written, value[1:]))}]" if isinstance(value, tuple) else str(value)

# ── Statements and facts (ARGUMENTS §5) ─────────────────────────────────────────────────────────────────────────────
KINDS = re.compile(r"(?:int|real|positive)(?: [A-Za-z][A-Za-z0-9_]*)+|function(?: [A-Za-z][A-Za-z0-9_]*/[1-9])+")

def declared(node: Node) -> tuple[tuple[str, str], ...]:
    """The variables of "int n i; positive a; real u; function x/1": pairs of a name and int, real, positive, or a function's arity."""
    result = list[tuple[str, str]]()
    for part in node.of(str).split(";"):
        demand(KINDS.fullmatch(part.strip()) is not None, node.path, f"not a declaration: {show(part)}")
        kind, *names = part.split()
        result += [(name.split("/")[0], name.split("/")[1] if kind == "function" else kind) for name in names]
    demand(len(result) == len({name for name, _ in result}), node.path, "a name is declared twice")
    demand(not {name for name, _ in result} & BINDERS.keys(), node.path, "sum, prod and det are no names")
    return tuple(result)
def statement(node: Node) -> Statement:
    """A statement: comparisons, or an object {for, given, then}."""
    if isinstance(node.value, dict):
        f = node.fields("for given? then says?")
        named = f["given"].fields() if "given" in f else {}
        given = tuple((name, statement(item)) for name, item in named.items())
        demand(all(map(NAME.fullmatch, named)), node.path, "what is given has names")
        then = statement(f["then"])
        demand(not then.variables, f["then"].path, "a conclusion is comparisons")
        return Statement(declared(f["for"]), given, then.then)
    nodes = node.items() if isinstance(node.value, list) else [node]
    demand(nodes != [], node.path, "comparisons are expected")
    return Statement((), (), tuple(c for item in nodes for c in comparisons(item.of(str), item.path)))
def function_of(node: Node, env: Env) -> Function:
    """A term, or a function written "i j: term" (here with its parameters)."""
    head, colon, body = node.of(str).rpartition(":")
    names = tuple(head.split())
    demand(bool(names) == bool(colon) and all(map(NAME.fullmatch, names)), node.path, "parameters, a colon and a term")
    demand(len(set(names)) == len(names), node.path, "parameters must differ")
    return Function("", names, term(body, node.path), env)
def enter(fact: Fact, scope: Scope, names: Sequence[str], path: str) -> tuple[Scope, Env]:
    """A scope in which the statement's variables are fixed under these names and what it gives is known; and the names' values."""
    inner, env, variables = scope.child(), dict(fact.env), fact.statement.variables
    demand(len(names) == len(variables), path, f"{len(variables)} names are expected")
    for name, (variable, kind) in zip(names, variables, strict=True):
        demand(NAME.fullmatch(name) is not None and name not in inner.env, path, f"{show(name)} is in use: fix another name")
        if kind.isdigit():
            inner.env[name] = Function(name, tuple(map(str, range(int(kind)))))
        else:
            inner.env[name] = frozenset([(name, 1)]) if kind == "int" else single((kind, name))
        env[variable] = inner.env[name]
    for label, given in fact.statement.given:
        inner = assume(inner, label, Fact(given, env), path)
    inner.goal = Fact(Statement((), (), fact.statement.then), env)
    return inner, env
def assume(scope: Scope, label: str, fact: Fact, path: str) -> Scope:
    """The scope in which also this is known."""
    if label in scope.facts:     # no longer reachable by name, but still known
        scope.facts[f"{label} {len(scope.facts)}"] = scope.facts[label]
    scope.facts[label] = fact
    if not scope.integral(fact.statement, fact.env, path):
        return scope
    for c in fact.statement.then:
        scope = scope.bound(*scope.forms(c, fact.env, path))
    return scope
def contradictory(scope: Scope, path: str) -> bool:
    """Whether the bounds have no solution, or a comparison of two numbers is known that is false."""
    if infeasible(scope.bounds):
        return True
    for fact in scope.facts.values():
        for c in fact.statement.then if not fact.statement.variables and not fact.statement.given else ():
            p, op = seen(scope, c, fact.env, path)
            if p.keys() <= {ONE} and not compare(p.get(ONE, Fraction(0)), op):
                return True
    return False
def seen(scope: Scope, c: Comparison, env: Env, path: str) -> tuple[Poly, str]:
    """The difference that a fact compares with 0, or 0 = 0 where its terms have no value yet."""
    try:
        return scope.difference(c, env, path)
    except Stop as stop:
        if cast(Answer, stop.args[0]).status == "limit":
            raise
        return {}, "="
def compare(value: Fraction, op: str) -> bool:
    """Whether value op 0."""
    return value > 0 if op == ">" else value >= 0 if op == ">=" else value == 0
def known(p: Poly, op: str, scope: Scope, symbols: Sequence[Value], path: str) -> bool:
    """Whether p op 0 at sight: by its signs, or because some fact says so (a universal one at these symbols)."""
    if op == "=" and not p or op != "=" and sign(p) in (">", op):
        return True
    for fact in scope.facts.values():
        variables = fact.statement.variables
        if len(variables) == len(symbols) and all(kind == "int" for _, kind in variables) if variables else True:
            env = {**fact.env, **{name: value for (name, _), value in zip(variables, symbols, strict=False)}}
            if all(scope.integral(g, env, path) and met(g, env, scope, path) for _, g in fact.statement.given):
                for c in fact.statement.then:
                    q, says = seen(scope, c, env, path)
                    if (q == p and (says == op or op == ">=")) or (says == "=" and op != ">" and add(p, q) == {}):
                        return True
    return False
def met(given: Statement, env: Env, scope: Scope, path: str) -> bool:
    """Whether comparisons of integers hold."""
    return all(scope.truth(c, env, path) for c in given.then)
def close(fact: Fact, scope: Scope, symbols: Sequence[Value], path: str) -> None:
    """Each comparison of a conclusion is known in this scope, or the scope is contradictory."""
    for c in fact.statement.then:
        integral = scope.integral(Statement((), (), (c,)), fact.env, path)
        if integral and scope.truth(c, fact.env, path):
            continue
        p, op = scope.difference(c, fact.env, path)
        if not known(p, op, scope, symbols, path) and not contradictory(scope, path):
            raise refuse(path, f"not shown: {written(p)} {op} 0")
def instantiate(fact: Fact, values: Mapping[str, Value], scope: Scope, path: str, proofs: Mapping[str, Node]) -> Fact:
    """The conclusion of a fact at these values of its variables, after everything that it needs is shown."""
    env = {**fact.env, **values}
    unknown = proofs.keys() - {label for label, _ in fact.statement.given}
    demand(not unknown, path, f"nothing of this name is given there: {', '.join(sorted(unknown))}")
    for label, given in fact.statement.given:
        if label in proofs:
            names, steps = [name for name, _ in given.variables], proofs[label]
            if isinstance(steps.value, dict):
                f = steps.fields("fix proof")
                names, steps = f["fix"].of(str).split(), f["proof"]
            conclude(Fact(given, env), scope, names, steps, path)
        elif scope.integral(given, env, path):
            if not met(given, env, scope, path) and not contradictory(scope, path):
                raise refuse(path, f"what is given there as {label} does not hold here")
        else:
            conclude(Fact(given, env), scope, [f"{name}_{len(scope.env)}" for name, _ in given.variables], None, f"{path} ({label})")
    return Fact(Statement((), (), fact.statement.then), env)
def conclude(fact: Fact, scope: Scope, names: Sequence[str], steps: Node | None, path: str) -> None:
    """Prove a statement: fix its variables, assume what it gives, carry out the steps; then the conclusion must be known."""
    inner, env = enter(fact, scope, names, path)
    if steps is not None:
        inner = carry_out(steps, inner)
    close(Fact(fact.statement, env), inner, [inner.env[name] for name in names], steps.path if steps else path)
def reference(text: str, scope: Scope, path: str) -> Fact:
    """A fact by its name, with arguments if it is universal, and with the number of the comparison if it has several."""
    match = FACT.fullmatch(text)
    demand(match is not None and match[1] in scope.facts, path, f"there is no fact {show(text)} here")
    assert match
    fact = scope.facts[match[1]]
    variables = fact.statement.variables
    call = term(f"f{match[2] or '()'}", path)
    demand(call[:2] == ("call", "f"), path, f"not arguments: {show(match[2])}")
    arguments = call[2]
    demand(len(arguments) == len(variables), path, f"{match[1]} takes {len(variables)} arguments")
    values = {name: given(kind, a, scope, path) for (name, kind), a in zip(variables, arguments, strict=True)}
    fact = instantiate(fact, values, scope, path, {})
    chosen = fact.statement.then[int(match[3]):][:1] if match[3] else fact.statement.then
    demand(len(chosen) == 1, path, f"{match[1]} has the comparisons .0 to .{len(fact.statement.then) - 1}")
    return Fact(Statement((), (), chosen), fact.env)
def given(kind: str, tree: Tree, scope: Scope, path: str) -> Value:
    """An argument as a value that later equations still simplify."""
    value = scope.argument(kind, tree, scope.env, path)
    return Function("", (), tree, scope.env) if isinstance(value, dict) else value

# ── Steps (ARGUMENTS §6): each adds facts to the scope ──────────────────────────────────────────────────────────────
def carry_out(node: Node, scope: Scope) -> Scope:
    """Carry out a list of steps."""
    for item in node.items():
        charge(100)
        members = item.fields()
        kinds = [key for key in STEPS if key in members]
        demand(len(kinds) == 1, item.path, f"a step has exactly one of the keys {', '.join(STEPS)}")
        function, keys = STEPS[kinds[0]]
        scope = function(item.fields(f"{kinds[0]} {keys} as? says?"), scope, item.path)
    return scope
def keep(f: Mapping[str, Node], scope: Scope, fact: Fact, default: str, path: str) -> Scope:
    """Record what a step has shown, under its name."""
    label = f["as"].of(str) if "as" in f else default
    demand(NAME.fullmatch(label) is not None, path, f"{show(label)} is not a name")
    return assume(scope, label, fact, path)
def show_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """A statement, shown by a combination of facts, on a box, by steps, by cases, or by induction."""
    if f["show"].value == "goal":
        demand(scope.goal is not None, path, "there is no goal here")
        fact = cast(Fact, scope.goal)
    else:
        fact = Fact(statement(f["show"]), dict(scope.env))
    how = [key for key in ("by", "box", "proof", "cases", "induction") if key in f]
    demand(len(how) < 2 and {"from", "to", "base", "step"} & f.keys() <= ({"from", "to", "base", "step"} if how == ["induction"] else set()),
           path, "a statement is shown in one way")
    if how == ["induction"]:
        fact = by_induction(f, fact, scope, path)
    elif how in (["proof"], ["cases"]):
        inner, env = enter(fact, scope, [name for name, _ in fact.statement.variables], path)
        symbols = [env[name] for name, _ in fact.statement.variables]
        for part, steps, by in branches(f["cases"], inner) if "cases" in f else [(inner, f["proof"], None)]:
            if by:
                for c in fact.statement.then:
                    combination(c, env, by, part)
            else:
                close(Fact(fact.statement, env), carry_out(steps, part) if steps else part, symbols, path)
    else:
        demand(not fact.statement.variables, path, "a universal statement is shown by proof, cases or induction")
        for c in fact.statement.then:
            if how == ["by"]:
                combination(c, fact.env, f["by"], scope)
            elif how == ["box"]:
                on_box(c, fact.env, f["box"], scope)
            else:
                close(Fact(Statement((), (), (c,)), fact.env), scope, (), path)
    return keep(f, scope, fact, "shown", path)
def combination(c: Comparison, env: Env, node: Node, scope: Scope) -> None:
    """left − right = Σ coefficient·(product of facts' differences), each summand of the sign that the comparison needs."""
    rest, op = scope.difference(c, env, node.path)
    strict = op != ">"
    for item in node.items():
        first, *names = item.of(str).split(";") if ";" in item.of(str) else ("1", item.of(str))
        factor = real(scope.value(term(first, item.path), scope.env, item.path))
        zero, above, clearly = False, True, sign(factor)
        for name in names:
            if name.strip():
                fact = reference(name, scope, item.path)
                p, says = scope.difference(fact.statement.then[0], fact.env, item.path)
                zero, above, factor = zero or says == "=", above and says == ">", multiply(factor, p)
        if not zero and (op == "=" or not clearly):
            raise refuse(item.path, "this summand must be " + ("zero" if op == "=" else "clearly non-negative"))
        strict = strict or (not zero and above and clearly == ">")
        rest = add(rest, factor, -1)
    if rest:
        raise refuse(node.path, f"not an identity: left − right differs from the combination by {written(rest)}")
    if not strict:
        raise refuse(node.path, "no summand is clearly positive")
def on_box(c: Comparison, env: Env, node: Node, scope: Scope) -> None:
    """Non-negative coefficients after v = (low + high·s)/(1 + s), or v = low + s, for each bounded variable v in turn."""
    p, op = scope.difference(c, env, node.path)
    strict = True
    for count, item in enumerate(node.items()):
        name, colon, rest = item.of(str).partition(":")
        v = real(scope.value(term(name, item.path), scope.env, item.path))
        demand(bool(colon) and len(v) == 1 and sum(map(len, v)) == 1 and v[next(iter(v))] == 1, item.path, "a variable, a colon and its bounds")
        (atom, one), = next(iter(v))
        bounds = list[Poly]()
        for sense, text in zip((1, -1), rest.split(";"), strict=False):
            fact = reference(text, scope, item.path)
            q, says = scope.difference(fact.statement.then[0], fact.env, item.path)
            strict, bound = strict and says == ">", add(v, q, -sense)     # sense·(v − bound) = q
            inside = set(strings(tuple(bound)))
            usable = says != "=" and one == constant(1) and atom[0] in ("positive", "real") and atom[1] not in inside
            demand(usable, item.path, f"not a bound of {name}")
            bounds.append(bound)
        demand(0 < len(bounds) == rest.count(";") + 1, item.path, "one or two bounds")
        s = single(("positive", f"%s{count}"))
        top, bottom = (add(bounds[0], multiply(bounds[1], s)), add(number(1), s)) if len(bounds) == 2 else (add(bounds[0], s), number(1))
        exponents = [value_of(dict(m).get(atom, ZERO)) for m in p]
        if any(e is None or e < 0 for e in exponents):
            raise refuse(item.path, f"not a polynomial in {name}")
        degree, image = max((e or 0 for e in exponents), default=0), dict[Monomial, Fraction]()
        for (monomial, coefficient), e in zip(p.items(), exponents, strict=True):
            others = frozenset((a, x) for a, x in monomial if a != atom)
            if atom[1] in strings(others):
                raise refuse(item.path, f"not a polynomial in {name}")
            part = multiply(power(top, constant(e or 0), item.path), power(bottom, constant(degree - (e or 0)), item.path))
            image = add(image, multiply({others: coefficient}, part))
        p = image
    if op == "=" or not sign(p) or (op == ">" and not (strict and sign(p) == ">")):
        raise refuse(node.path, f"the coefficients do not show it: {written(p)} {op} 0")
def branches(node: Node, scope: Scope) -> list[tuple[Scope, Node | None, Node | None]]:
    """The cases and their steps or combinations, after a check that one of them must hold."""
    found, cases = list[tuple[Scope, Node | None, Node | None]](), list[Statement]()
    for item in node.items():
        f = item.fields("when proof? by? says?")
        cases.append(statement(f["when"]))
        demand(not cases[-1].variables, item.path, "a case is comparisons")
        inner = assume(scope.child(), "case", Fact(cases[-1], dict(scope.env)), item.path)
        found.append((inner, f.get("proof"), f.get("by")))
    if all(scope.integral(case, scope.env, node.path) for case in cases):
        forms = [[form for c in case.then for form in scope.forms(c, scope.env, node.path)] for case in cases]
        if not exhaustive(list(scope.bounds), forms):
            raise refuse(node.path, "the cases are not exhaustive")
        return found
    signs, first = set[int](), dict[Monomial, Fraction]()
    for case in cases:
        p, op = scope.difference(case.then[0], scope.env, node.path)
        first = first or p
        demand(len(case.then) == 1 and (p == first or add(p, first) == {}), node.path, "real cases compare the same two numbers")
        side = 1 if p == first else -1
        signs |= {0} if op == "=" else {side} if op == ">" else {side, 0}
    if signs != {-1, 0, 1}:
        raise refuse(node.path, "the cases are not exhaustive")
    return found
def exhaustive(bounds: list[Linear], cases: Sequence[Sequence[Linear]]) -> bool:
    """Whether integers within the bounds satisfy all forms of one case at least."""
    charge(50)
    if infeasible(bounds):
        return True
    negated = [[*bounds, plus(plus(ZERO, form, -1), constant(-1))] for form in cases[0]] if cases else [bounds]
    return bool(cases) and all(exhaustive(more, cases[1:]) for more in negated)
def by_induction(f: Mapping[str, Node], fact: Fact, scope: Scope, path: str) -> Fact:
    """For all m with from ≤ m (≤ to): the base is m = from, the step goes from m to m + 1 with the hypothesis for m."""
    demand({"from", "base", "step"} <= f.keys(), path, "induction needs from, base and step")
    m, low = f["induction"].of(str), term(f["from"].of(str), f["from"].path)
    demand(NAME.fullmatch(m) is not None and m not in scope.env, path, f"{show(m)} is in use: choose another name")
    high = term(f["to"].of(str), f["to"].path) if "to" in f else None
    symbol, start = frozenset([(m, 1)]), scope.integer(low, scope.env, path)
    end = [scope.integer(high, scope.env, path)] if high else []
    names = [name for name, _ in fact.statement.variables]
    inner = scope.bound(*(plus(h, start, -1) for h in end))
    conclude(Fact(fact.statement, fact.env | {m: start}), inner, names, f["base"], path)
    inner = scope.bound(plus(symbol, start, -1), *(plus(plus(h, symbol, -1), constant(-1)) for h in end))
    inner.env[m] = symbol
    inner.facts["hypothesis"] = Fact(fact.statement, fact.env | {m: symbol})
    conclude(Fact(fact.statement, fact.env | {m: plus(symbol, constant(1))}), inner, names, f["step"], path)
    range_ = (Comparison(low, "<=", ("var", m)), *([Comparison(("var", m), "<=", high)] if high else []))
    demand(m not in names, path, f"{show(m)} is bound in the statement")
    variables, given = ((m, "int"), *fact.statement.variables), (("range", Statement((), (), range_)), *fact.statement.given)
    return Fact(Statement(variables, given, fact.statement.then), fact.env)
def use_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """A theorem or a universal fact at values of its variables."""
    name = f["use"].of(str)
    demand(name in scope.facts, path, f"there is no theorem or fact {show(name)} here")
    fact, values = scope.facts[name], dict[str, Value]()
    wanted, chosen = dict(fact.statement.variables), f["with"].fields() if "with" in f else {}
    demand(wanted.keys() == chosen.keys(), path, f"values are needed for {', '.join(wanted) or 'nothing'}")
    for variable, node in chosen.items():
        kind, text = wanted[variable], node.of(str).strip()
        if kind.isdigit() and text in scope.env:
            values[variable] = scope.argument(kind, ("var", text), scope.env, node.path)
        elif kind.isdigit():
            values[variable] = function_of(node, dict(scope.env))
            demand(len(cast(Function, values[variable]).parameters) == int(kind), node.path, f"a function of {kind} is expected")
        else:
            values[variable] = given(kind, term(text, node.path), scope, node.path)
    proofs = f["given"].fields() if "given" in f else {}
    return keep(f, scope, instantiate(fact, values, scope, path, proofs), name.rpartition("/")[2], path)
def let_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """A name for a term or a function; with `positive`, a new positive symbol equal to a term that a fact says is positive."""
    name = f["let"].of(str)
    demand(NAME.fullmatch(name) is not None and name not in scope.env and name not in BINDERS, path, f"{show(name)} is in use")
    function = function_of(f["be"], dict(scope.env))
    if "positive" not in f:
        p = scope.value(function.body, function.env, path) if not function.parameters and function.body else None
        scope.env[name] = p if isinstance(p, frozenset) else function
        return scope
    fact = reference(f["positive"].of(str), scope, path)
    p, op = scope.difference(fact.statement.then[0], fact.env, path)
    q = real(scope.value(cast(Tree, function.body), function.env, path)) if not function.parameters else {}
    if op != ">" or p != q:
        raise refuse(path, f"the fact does not say that this is positive: {written(q)}")
    scope.env[name] = single(("positive", name))
    equation = Statement((), (), (Comparison(("var", name), "=", cast(Tree, function.body)),))
    return keep(f, scope, Fact(equation, dict(scope.env)), "let", path)
def reciprocal_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """t·(1/t) = 1 and 1/t > 0, of a term t that a fact says is positive."""
    t = term(f["reciprocal"].of(str), path)
    fact = reference(f["from"].of(str), scope, path)
    p, op = scope.difference(fact.statement.then[0], fact.env, path)
    q = real(scope.value(t, scope.env, path))
    if op != ">" or p != q:
        raise refuse(path, f"the fact does not say that this is positive: {written(q)}")
    then = (Comparison(("*", t, ("/", ("num", 1), t)), "=", ("num", 1)), Comparison(("/", ("num", 1), t), ">", ("num", 0)))
    return keep(f, scope, Fact(Statement((), (), then), dict(scope.env)), "reciprocal", path)
def split_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """A sum or product over lo..hi is that over lo..m, m+1..m′, …, and the last part up to hi, if lo − 1 ≤ m ≤ m′ ≤ … ≤ hi."""
    whole = term(f["split"].of(str), path)
    demand(whole[0] == "call" and whole[1] in ("sum", "prod") and len(whole[2]) == 4, path, "a sum or a product is expected")
    k, low, high, body = whole[2]
    cuts = [term(node.of(str), node.path) for node in f["at"].items()]
    starts = [low, *(("+", cut, ("num", 1)) for cut in cuts)]
    for start, end in zip(starts, [*cuts, high], strict=True):
        form = plus(plus(scope.integer(end, scope.env, path), scope.integer(start, scope.env, path), -1), constant(1))
        if not scope.holds(form):
            raise refuse(path, f"not known in the split: {written(form)} >= 0")
    parts = [("call", whole[1], (k, *ends, body)) for ends in zip(starts, [*cuts, high], strict=True)]
    total = parts[0]
    for part in parts[1:]:
        total = ("+" if whole[1] == "sum" else "*", total, part)
    return keep(f, scope, Fact(Statement((), (), (Comparison(whole, "=", total),)), dict(scope.env)), "split", path)
RANGE = "0 <= i <= N", "0 <= j <= N"

def determinant_step(f: dict[str, Node], scope: Scope, path: str) -> Scope:
    """det(A·B) = det A·det B; and the determinant of a triangular matrix is the product of its diagonal. Indices are 0..N."""
    env: dict[str, Value] = {"N": scope.integer(term(f["size"].of(str), path), scope.env, path)}
    matrices = {"C": f["determinant"]} | (dict(zip("AB", f["factors"].items(2), strict=True)) if "factors" in f else {})
    for name, node in matrices.items():
        function = function_of(node, dict(scope.env))
        demand(len(function.parameters) == 2, node.path, "a matrix is a function of two indices")
        env[name] = function
    demand(("factors" in f) != ("shape" in f), path, "factors or a shape")
    if "factors" in f:
        needed = [(list[str](), "sum(k, 0, N, A(i, k) * B(k, j)) = C(i, j)")]
        result = "det(i, j, 0, N, C(i, j)) = det(i, j, 0, N, A(i, j)) * det(i, j, 0, N, B(i, j))"
    else:
        shape, _, column = f["shape"].of(str).partition(" ")
        demand(shape in ("upper", "lower", "column") and bool(column) == (shape == "column"), f["shape"].path, "upper, lower or column c")
        if column:
            env["c"] = scope.integer(term(column, path), scope.env, path)
        conditions = {"upper": [["i > j"]], "lower": [["i < j"]], "column": [[x, y] for x in ("i < j", "j < i") for y in ("j < c", "c < j")]}
        needed, result = [(more, "C(i, j) = 0") for more in conditions[shape]], "det(i, j, 0, N, C(i, j)) = prod(k, 0, N, C(k, k))"
    names = f["fix"].of(str).split() if "fix" in f else ["i", "j"]
    for more, text in needed:
        given = tuple((f"range{k}", Statement((), (), comparisons(c, path))) for k, c in enumerate((*RANGE, *more)))
        entry = Statement((("i", "int"), ("j", "int")), given, comparisons(text, path))
        conclude(Fact(entry, env), scope, names, f["proof"], path)
    return keep(f, scope, Fact(Statement((), (), comparisons(result, path)), env), "determinant", path)

STEPS: dict[str, tuple[Callable[[dict[str, Node], Scope, str], Scope], str]] = {
    "show": (show_step, "by? box? proof? cases? induction? from? to? base? step?"),
    "use": (use_step, "with? given?"),
    "let": (let_step, "be positive?"),
    "split": (split_step, "at"),
    "reciprocal": (reciprocal_step, "from"),
    "determinant": (determinant_step, "size factors? shape? fix? proof"),
}

# ── Files (ARGUMENTS §7) ────────────────────────────────────────────────────────────────────────────────────────────
@dataclass
class Library:
    """The files read so far, and what they define and prove."""
    folder: Path
    definitions: dict[str, Value] = field(default_factory=dict)
    theorems: dict[str, dict[str, Fact]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

def define(name: str, node: Node, library: Library) -> None:
    """A function by cases; only earlier definitions and its parameters may occur in it."""
    f = node.fields("of is says?")
    demand(NAME.fullmatch(name) is not None and name not in library.definitions and name not in BINDERS, node.path, f"{show(name)} is in use")
    parameters, cases = declared(f["of"]), list[tuple[tuple[Comparison, ...], Tree]]()
    for item in f["is"].items():
        condition, arrow, body = item.of(str).rpartition(":")
        cases.append((comparisons(condition, item.path) if arrow else (), term(body, item.path)))
    demand(bool(cases) and not cases[-1][0] and all(c for c, _ in cases[:-1]), f["is"].path, "all cases but the last have a condition")
    demand(not {p for p, _ in parameters} & library.definitions.keys(), f["of"].path, "a parameter has the name of a definition")
    library.definitions[name] = Definition(name, parameters, tuple(cases), dict(library.definitions))
def check(value: object, library: Library, name: str) -> None:
    """Check a parsed file: what it needs, its definitions, its theorems in turn."""
    top = Node(value, "$").fields("format version says? needs? definitions? theorems")
    demand((top["format"].value, top["version"].value) == (FORMAT, VERSION), "$", f"must be {FORMAT} {VERSION}")
    known: dict[str, Fact] = {}
    for node in top["needs"].items() if "needs" in top else ():
        need = node.of(str)
        demand(re.fullmatch(r"[a-z0-9][a-z0-9-]*", need) is not None, node.path, "a file of this folder, without .json")
        demand(need not in library.open, node.path, "files need each other")
        if need not in library.theorems:
            bounded("files", len(library.theorems) + 1)
            try:
                data = (library.folder / f"{need}.json").read_bytes()
            except OSError:
                raise refuse(node.path, f"there is no file {need}.json in this folder") from None
            library.open.append(need)
            try:
                check(read(data), library, need)
            except Stop as stop:
                answer = cast(Answer, stop.args[0])
                raise Stop(Answer(answer.status, f"{need}.json: {answer.sentence}", rule=answer.rule, path=answer.path)) from None
            library.open.pop()
        known |= {f"{need.replace('-', '_')}/{theorem}": fact for theorem, fact in library.theorems[need].items()}
    for word, node in top["definitions"].fields().items() if "definitions" in top else ():
        define(word, node, library)
    found: dict[str, Fact] = {}
    for node in top["theorems"].items():
        f = node.fields("name for given? then proof says?")
        label = f["name"].of(str)
        demand(NAME.fullmatch(label) is not None and label not in found, f["name"].path, "theorems have different names")
        fields = {key: f[key].value for key in ("for", "given", "then") if key in f}
        fact = Fact(statement(Node(fields, node.path)), dict(library.definitions))
        scope = Scope(dict(library.definitions), known | found)
        conclude(fact, scope, [variable for variable, _ in fact.statement.variables], f["proof"], f"{node.path} ({label})")
        found[label] = fact
    demand(bool(found), "$", "a file has one theorem or more")
    library.theorems[name] = found
def check_bytes(data: bytes, folder: Path | None = None) -> Answer:
    """Check the bytes of a file that lies in this folder. Never raises."""
    WORK.set([0])
    library = Library(folder or Path())
    try:
        value = read(data)
        check(value, library, "")
        theorems = library.theorems[""]
        digest = "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest()
        sentence = f"{len(theorems)} theorem{'s' * (len(theorems) > 1)} proved: {', '.join(theorems)}. Scope: all values of the variables."
        return Answer("accepted", sentence, "argument", digest)
    except Stop as stop:
        return cast(Answer, stop.args[0])
    except (MemoryError, RecursionError, OverflowError) as error:
        return Answer("limit", f"a limit of this machine was reached: {type(error).__name__}")
    except Exception as error:     # a defect of the checker, never an acceptance
        return Answer("defect", f"please report this: {type(error).__name__}: {error}")
def main(arguments: list[str] | None = None) -> int:
    """Check files, print a line for each, and return the worst exit code."""
    parser = argparse.ArgumentParser(prog="argument.py", description=" ".join((__doc__ or "").split()))
    parser.add_argument("files", nargs="+", metavar="FILE", help="an argument")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--version", action="version", version=f"exactdp argument checker, format {VERSION}")
    options, worst, coding = parser.parse_args(arguments), "accepted", getattr(sys.stdout, "encoding", None) or "ascii"
    for name in options.files:
        try:
            with open(name, "rb") as stream:
                answer = check_bytes(stream.read(LIMITS["bytes"] + 1), Path(name).parent)
        except (OSError, ValueError, MemoryError) as error:
            answer = Answer("unreadable", str(error) or type(error).__name__)
        line = f"{show(name)}: {answer.status}: {answer.sentence}"
        if options.json:
            line = json.dumps({"file": name, "exit_code": answer.exit_code, **vars(answer)}, sort_keys=True)
        print(line.encode(coding, "backslashreplace").decode(coding))
        worst = max(worst, answer.status, key=list(EXIT_CODES).index)
    return EXIT_CODES[worst]

if __name__ == "__main__":
    sys.exit(main())
