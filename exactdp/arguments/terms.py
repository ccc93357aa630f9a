# SPDX-License-Identifier: MIT
"""What arguments consist of: terms, normal forms, functions, statements (ARGUMENTS §1 to §5)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import gcd
from typing import Any, NamedTuple, cast

from exactdp.arguments.reading import WORK, Answer, Node, Stop, bounded, demand, distinct, refuse, show, spend


def read(data: bytes) -> object:
    """Strict JSON of strings, lists and objects alone. Nesting is bounded before anything is built."""
    bounded("bytes", len(data))
    spend(50 * len(data))
    rest = re.sub(rb'"(?:[^"\\]++|\\.)*+"?', b"", data, flags=re.DOTALL)  # one pass: a string without end ends the text
    demand(re.fullmatch(rb"[\s\[\]{},:]*+", rest) is not None, "$", "only strings, lists and objects")
    bounded("nesting", max(accumulate((c in b"[{") - (c in b"]}") for c in rest), default=0))
    try:
        return cast(object, json.loads(data.decode("utf-8"), object_pairs_hook=distinct))
    except ValueError as error:
        raise Stop(Answer("malformed", f"$: not JSON in UTF-8: {error}", rule="JSON in UTF-8", path="$")) from None


# ── Terms and comparisons: text to trees (ARGUMENTS §2) ─────────────────────────────────────────────────────
TEXT = re.compile(r"(?:[A-Za-z][A-Za-z0-9_]*+|(?:0|[1-9][0-9]{0,18})(?![A-Za-z0-9_])|<=|>=|(?!\*\*)[-+*/^()<>=, ])*+")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
BINDERS = {"sum": 4, "prod": 4, "det": 5}
SIGNS: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "^",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Eq: "=",
    ast.GtE: ">=",
    ast.Gt: ">",
}
Tree = tuple[Any, ...]  # ("num", p), ("var", name), ("call", name, trees), (sign, tree, tree)


class Comparison(NamedTuple):
    """left op right, with op one of <=, <, =, >, >=."""

    left: Tree
    op: str
    right: Tree


def parsed(text: str, path: str) -> ast.expr:
    """Python's reading of the text, ^ for ** and = for ==: names, numbers, + − * / ^, comparisons, calls."""
    bounded("text", len(text), path)
    spend(1000 + 200 * len(text))
    try:
        demand(TEXT.fullmatch(text) is not None, path, f"not a term or comparison: {show(text)}")
        return ast.parse(re.sub("(?<![<>])=", "==", text.strip()).replace("^", "**"), mode="eval").body
    except SyntaxError:
        raise Stop(Answer("malformed", f"{path}: not a term or comparison: {show(text)}", rule="terms", path=path)) from None


def tree_of(node: ast.expr, path: str) -> Tree:
    """The tree of a term."""
    match node:
        case ast.Constant(value=value) if type(value) is int:
            return ("num", value)
        case ast.Name(id=name):
            return ("var", name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ("-", ("num", 0), tree_of(operand, path))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SIGNS:
            return (SIGNS[type(op)], tree_of(left, path), tree_of(right, path))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return ("call", name, tuple(tree_of(argument, path) for argument in arguments))
    raise Stop(Answer("malformed", f"{path}: a term is expected, not {show(ast.unparse(node))}", rule="terms", path=path))


def term(text: str, path: str) -> Tree:
    """The tree of a term."""
    return tree_of(parsed(text, path), path)


def comparisons(text: str, path: str) -> tuple[Comparison, ...]:
    """A chain of comparisons: 0 <= i < n is two of them."""
    match parsed(text, path):
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in SIGNS for op in ops):
            sides = [tree_of(side, path) for side in (left, *others)]
            return tuple(Comparison(sides[k], SIGNS[type(op)], sides[k + 1]) for k, op in enumerate(ops))
    raise Stop(Answer("malformed", f"{path}: not a comparison: {show(text)}", rule="comparisons", path=path))


# ── Integers: linear forms and their inequalities (ARGUMENTS §3) ────────────────────────────────────────────
Linear = frozenset[tuple[str, int]]  # pairs (symbol of an integer, coefficient ≠ 0); the constant's symbol is ""
ZERO: Linear = frozenset()


class Coefficient(int):
    """A coefficient with a hash of bytes, which no file can foresee. By Python's a file could choose many
    forms and monomials that have one hash, and make dictionaries slow: −1 has that of −2, a long number that
    of a smaller one, and some pairs of long numbers give hashes that differ in one bit.
    """

    def __hash__(self) -> int:
        return hash(self.to_bytes(self.bit_length() // 8 + 1, "little", signed=True))


def coefficient(c: int) -> int:
    """A coefficient as every form has it, so that equal forms have equal hashes."""
    return c if abs(c) < 256 and c != -2 else Coefficient(c)


def constant(value: int) -> Linear:
    """A number as a linear form."""
    return frozenset([("", coefficient(value))] if value else [])


def value_of(form: Linear) -> int | None:
    """The number, if the form is one."""
    if not form:
        return 0
    symbol, c = next(iter(form))
    return c if len(form) == 1 and symbol == "" else None


def plus(x: Linear, y: Linear, times: int = 1) -> Linear:
    """The form x + times·y."""
    spend(100 + 50 * len(x) + (60 + times.bit_length() // 8) * len(y))  # each coefficient is hashed anew
    result = dict(x)
    for symbol, c in y:
        result[symbol] = result.get(symbol, 0) + times * c
    bounded("bits", 0 if -2 < times < 2 else max(map(int.bit_length, result.values()), default=0))
    return frozenset((symbol, coefficient(c)) for symbol, c in result.items() if c)


def scaled(x: Linear, y: Linear) -> Linear | None:
    """x·y, if one of them is a number."""
    number, form = (value_of(y), x) if value_of(x) is None else (value_of(x), y)
    return None if number is None else plus(ZERO, form, number)


def negated(form: Linear) -> Linear:
    """The form that is ≥ 0 on integers if and only if this one is not: −form − 1."""
    return plus(constant(-1), form, -1)


def tighten(form: Linear) -> Linear:
    """The same condition form ≥ 0 on integers, over its coefficients' gcd (the constant rounded down)."""
    divisor = gcd(*(c for symbol, c in form if symbol))
    return form if divisor < 2 else frozenset((symbol, coefficient(c // divisor)) for symbol, c in form if c // divisor)


def infeasible(forms: Sequence[Linear]) -> bool:
    """Whether no integers make all forms ≥ 0, by eliminating symbols: True is a proof, False is not."""
    system = set(forms)
    while True:
        bounded("constraints", len(system))
        size, bits = sum(map(len, system)), max((c.bit_length() for form in system for _, c in form), default=0)
        spend((100 + bits * bits // 500) * (size + len(system)))
        rows = {form: dict(form) for form in map(tighten, system) if (value_of(form) or 0) < 0 or value_of(form) is None}
        if any(value_of(form) is not None for form in rows):
            return True
        if not rows:
            return False
        sides: dict[str, tuple[list[Linear], list[Linear]]] = {}
        for form, row in rows.items():
            for s, c in row.items():
                if s:
                    sides.setdefault(s, ([], []))[c < 0].append(form)
        symbol = min(sorted(sides), key=lambda s: len(sides[s][0]) * len(sides[s][1]) - sum(map(len, sides[s])))
        above, below = sides[symbol]
        bounded("constraints", len(above) * len(below) + len(rows))
        pairs = [(f, g, rows[f][symbol], -rows[g][symbol]) for f in above for g in below]  # q·f + p·g, in which it cancels
        spend(300 * len(pairs))
        system = {form for form, row in rows.items() if symbol not in row} | {plus(plus(ZERO, f, q), g, p) for f, g, p, q in pairs}


# ── Reals: polynomials in atoms (ARGUMENTS §4) ──────────────────────────────────────────────────────────────
# Atoms are ("positive" | "real" | "int", symbol); ("app", function, arguments…); ("sum", length − 1,
# monomial), ("prod" | "det", length − 1, polynomial) and functions as arguments with `Bound` bodies; ("inv",
# polynomial). In what is bound, #k is the k-th bound symbol counted from the inside; %k is a symbol whose
# binder is still being read. In a monomial only positive symbols may have exponents other than numbers > 0.
@dataclass(frozen=True, eq=False, slots=True)
class Atom:
    """A factor of monomials. Each is made once: equal atoms are the same object."""

    kind: str
    parts: tuple[Any, ...]
    open: frozenset[str]  # the symbols %k in it


class Bound(NamedTuple):
    """A normal form under so many bound symbols."""

    number: int
    body: Any


Monomial = frozenset[tuple[Atom, Linear]]
Poly = dict[Monomial, Fraction]
ONE: Monomial = frozenset()


class Store:
    """The atoms of one proof, and how much is held."""

    def __init__(self) -> None:
        self.atoms: dict[tuple[Any, ...], Atom] = {}
        self.alike: dict[int, int] = {}  # how many of them have this hash
        self.held = 0


STORE: ContextVar[Store] = ContextVar("STORE")


def begin() -> None:
    """Start to count work, with no atoms."""
    WORK.set([0])
    STORE.set(Store())


def hold(parts: int) -> None:
    """Announce that so many parts of normal forms are kept."""
    STORE.get().held += parts
    bounded("held", STORE.get().held)


def inside(value: object) -> Iterator[str | Atom]:
    """The symbols and atoms that nested tuples and sets hold; not those in these atoms."""
    if isinstance(value, str | Atom):
        yield value
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from inside(item)


def atom(kind: str, *parts: Any) -> Atom:
    """The one atom of this kind and parts."""
    found, store, key = list(inside(parts)), STORE.get(), (kind, *parts)
    same = store.alike.get(hashed := hash(key), 0)
    spend((200 + 300 * len(found)) * max(1, same))  # it is compared with all of these (a file can choose fractions of one hash)
    if key not in store.atoms:
        hold(10 + 2 * len(found))
        names = frozenset().union(*(x.open if isinstance(x, Atom) else [x] if x[:1] == "%" else [] for x in found))
        store.atoms[key], store.alike[hashed] = Atom(kind, parts, names), same + 1
    return store.atoms[key]


def closed(value: Any, symbols: Sequence[str], under: int = 0, done: dict[Any, Atom] | None = None) -> Any:
    """The same with #k for these open symbols, k bound names lying between place and binder (de Bruijn)."""
    spend(200)
    done = {} if done is None else done
    if isinstance(value, str):
        return f"#{under + len(symbols) - 1 - symbols.index(value)}" if value in symbols else value
    if isinstance(value, Atom):
        if not value.open.isdisjoint(symbols) and (value, under) not in done:
            done[value, under] = atom(value.kind, *closed(value.parts, symbols, under, done))
        return done.get((value, under), value)
    if isinstance(value, Bound):
        return Bound(value.number, closed(value.body, symbols, under + value.number, done))
    return type(value)(closed(item, symbols, under, done) for item in value) if isinstance(value, tuple | frozenset) else value


def within_atoms(value: object) -> set[Atom]:
    """All atoms in a normal form, at any depth."""
    found, rest = set[Atom](), list(inside(value))
    while rest:
        spend(100)
        if isinstance(x := rest.pop(), Atom) and x not in found:
            found.add(x)
            rest += inside(x.parts)
    return found


def number(value: int | Fraction) -> Poly:
    """A number as a polynomial."""
    return {ONE: Fraction(value)} if value else {}


def single(x: Atom) -> Poly:
    """An atom as a polynomial."""
    return {frozenset([(x, constant(1))]): Fraction(1)}


def bits_of(*values: Fraction) -> int:
    """The length of the longest numerator or denominator."""
    return max(n.bit_length() for value in values for n in value.as_integer_ratio())


def summed(x: Fraction, y: Fraction, z: Fraction) -> Fraction:
    """The sum x + y·z, announced by its length."""
    bits = bits_of(x, y, z)
    spend(400 + 2 * bits + bits * bits // 500)
    result = x + y * z
    bounded("bits", bits_of(result))
    return result


def add(x: Poly, y: Poly, times: int | Fraction = 1) -> Poly:
    """The polynomial x + times·y."""
    bounded("terms", len(x) + len(y))
    spend(100 + 20 * len(x) + 100 * len(y))
    result, factor = dict(x), Fraction(times)
    for monomial, c in y.items():
        result[monomial] = summed(result.get(monomial, Fraction(0)), factor, c)
    return {monomial: c for monomial, c in result.items() if c}


def join(x: Monomial, y: Monomial, times: int = 1) -> Monomial:
    """x·y^times."""
    result = dict(x)
    for factor, exponent in y:
        result[factor] = plus(result.get(factor, ZERO), exponent, times)
    return frozenset((factor, exponent) for factor, exponent in result.items() if exponent)


def multiply(x: Poly, y: Poly) -> Poly:
    """x·y."""
    bounded("terms", len(x) * len(y))
    factors = max(map(len, x), default=0) + max(map(len, y), default=0)
    bounded("factors", factors)
    spend((400 + 50 * factors) * len(x) * len(y))
    result: Poly = {}
    for m, c in x.items():
        for n, d in y.items():
            monomial = join(m, n)
            result[monomial] = summed(result.get(monomial, Fraction(0)), c, d)
    return {m: c for m, c in result.items() if c}


def positive(monomial: Monomial) -> bool:
    """Whether it is a product of powers of positive symbols."""
    return all(x.kind == "positive" for x, _ in monomial)


def sign(p: Poly) -> str:
    """'>' if p is clearly positive: no coefficient is negative, some monomial is positive, and the others
    are, or are squares; '>=' if it is clearly non-negative: the same without one that is positive; else
    ''.
    """
    spend(100 + 100 * sum(map(len, p)) + 50 * len(p))
    squares = all(x.kind == "positive" or (value_of(e) or 1) % 2 == 0 for m in p for x, e in m)
    if any(c < 0 for c in p.values()) or not squares:
        return ""
    return ">" if any(map(positive, p)) else ">="


def frozen(p: Poly) -> frozenset[tuple[Monomial, Fraction]]:
    """A polynomial as a part of an atom."""
    spend(100 + 300 * len(p))
    return frozenset(p.items())


def inverse(p: Poly, path: str) -> Poly:
    """1/p: of a positive monomial its inverse, else the atom that stands for the number 1/p."""
    demand(p != {}, path, "division by zero")
    if len(p) == 1 and positive(next(iter(p))):
        return {join(ONE, monomial, -1): 1 / c for monomial, c in p.items()}
    return single(atom("inv", frozen(p)))


def power(p: Poly, exponent: Linear, path: str) -> Poly:
    """p^exponent: any form in the integers for a product of positive symbols, numbers only for the rest."""
    times, monomial = value_of(exponent), next(iter(p), ONE)
    if list(p.values()) == [1] and positive(monomial):
        forms = [(x, scaled(e, exponent)) for x, e in monomial]
        demand(all(form is not None for _, form in forms), path, "an exponent must be linear in the integers")
        return {frozenset((x, form) for x, form in forms if form): Fraction(1)}
    if times is None:
        raise refuse(path, "only a product of positive symbols has powers with a symbol in the exponent")
    bounded("exponent", abs(times), path)
    result = number(1)
    for _ in range(abs(times)):
        result = multiply(result, p)
    return result if times >= 0 else inverse(result, path)


def real(value: Linear | Poly) -> Poly:
    """An integer as a real number."""
    if isinstance(value, dict):
        return value
    return {next(iter(single(atom("int", symbol)))) if symbol else ONE: Fraction(c) for symbol, c in value}


def written(value: Any, depth: int = 3) -> str:
    """A polynomial, monomial, form or atom for people: its beginning, if it is long."""
    if isinstance(value, Atom) and value.kind in ("positive", "real", "int"):
        return str(value.parts[0])
    if isinstance(value, Atom | tuple):
        parts = value.parts if isinstance(value, Atom) else value
        text = ", ".join(written(part, depth - 1) for part in parts[:9]) if depth > 0 else "…"
        return f"{value.kind}[{text}]" if isinstance(value, Atom) else text
    if not isinstance(value, dict | frozenset) or not value:
        return show(value or 0)
    pairs = [(written(x, depth) if x else "", e) for (x, e), _ in zip(dict(value).items(), range(8), strict=False)]
    powers = isinstance(pairs[0][1], frozenset)
    texts = [x + (f"^({written(e)})" if e != constant(1) else "") if powers else f"{show(e)}*{x}" if x else show(e) for x, e in pairs]
    return ("*" if powers else " + ").join(sorted(texts) + ["…"] * (len(value) > 8))


# ── Functions and statements (ARGUMENTS §5) ─────────────────────────────────────────────────────────────────
class Function(NamedTuple):
    """A function of some parameters: a symbol (no cases), or the term of the first case that holds."""

    name: str  # of no other function in the same place, if there is no case or more than one
    parameters: tuple[tuple[str, str], ...]
    cases: tuple[tuple[tuple[Comparison, ...], Tree], ...]
    env: Mapping[str, Any]


Value = Linear | Poly | Function  # of an integer, a real number, a function
Env = Mapping[str, Value]  # never changed: a scope gets another one


class Statement(NamedTuple):
    """For all the variables: if what is given, then the comparisons."""

    variables: tuple[tuple[str, str], ...]  # pairs of a name and its kind: int, real, positive, or the number of a function's arguments
    given: tuple[tuple[str, Any], ...]  # pairs of a label and a statement
    then: tuple[Comparison, ...]


class Fact(NamedTuple):
    """A statement that holds, with the values of its free names."""

    statement: Statement
    env: Env


def function_named(kind: str, tree: Tree, env: Env, path: str) -> Function:
    """The function of so many integers that a name stands for."""
    found = env.get(tree[1]) if tree[0] == "var" else None
    kinds = [of for _, of in found.parameters] if isinstance(found, Function) else []
    demand(kinds == ["int"] * int(kind), path, f"the name of a function of {kind} integers is expected")
    return cast(Function, found)


def function_called(tree: Tree, env: Env, path: str) -> Function:
    """The function that a call names, which must take so many arguments."""
    function = env.get(tree[1])
    fits = isinstance(function, Function) and len(tree[2]) == len(function.parameters)
    demand(fits, path, f"{tree[1]} is not a function of {len(tree[2])} arguments here")
    return cast(Function, function)


def binding(tree: Tree, path: str) -> tuple[str, list[str], Tree, Tree, Tree]:
    """Of sum, prod or det: which of them, the names that it binds, from where, to where, and the term."""
    kind = tree[1]
    demand(len(tree[2]) == BINDERS[kind], path, f"{kind} takes {BINDERS[kind]} arguments")
    *variables, low, high, body = tree[2]
    names = list(dict.fromkeys(variable[1] for variable in variables if variable[0] == "var"))
    demand(len(names) == len(variables), path, f"{kind} binds different names")
    return kind, names, low, high, body


KINDS = re.compile(r"(?:int|real|positive)(?: [A-Za-z][A-Za-z0-9_]*)+|function(?: [A-Za-z][A-Za-z0-9_]*/[1-9])+")


def declared(node: Node) -> tuple[tuple[str, str], ...]:
    """The variables of "int n i; real u; function x/1": names with int, real, positive, or an arity."""
    bounded("text", len(node.of(str)), node.path)
    spend(1000 + 50 * len(node.of(str)))
    result = list[tuple[str, str]]()
    for part in node.of(str).split("; "):
        demand(KINDS.fullmatch(part) is not None, node.path, f"not a declaration: {show(part)}")
        kind, *names = part.split(" ")
        result += [(name.split("/")[0], name.split("/")[1] if kind == "function" else kind) for name in names]
    bounded("names", len(result), node.path)
    demand(len(result) == len({name for name, _ in result} - BINDERS.keys()), node.path, "names must differ, and not be sum, prod or det")
    return tuple(result)


def statement(node: Node) -> Statement:
    """A statement: comparisons, or an object {for, given, then}."""
    if isinstance(node.value, dict):
        f = node.fields("for given? then")
        named, then = f["given"].fields() if "given" in f else {}, statement(f["then"])
        demand(all(map(NAME.fullmatch, named)) and not then.variables, node.path, "what is given has names; what follows is comparisons")
        return Statement(declared(f["for"]), tuple((name, statement(item)) for name, item in named.items()), then.then)
    nodes = node.items() if isinstance(node.value, list) else [node]
    demand(nodes != [], node.path, "comparisons are expected")
    return Statement((), (), tuple(c for item in nodes for c in comparisons(item.of(str), item.path)))


def conclusion(*then: Comparison) -> Statement:
    """Comparisons as a statement."""
    return Statement((), (), then)


def function_of(node: Node, env: Env, arity: int | None = None) -> Function:
    """A term, or a function written "i j: term"; with this number of parameters if one is given."""
    head, colon, body = node.of(str).rpartition(":")
    bounded("text", len(head), node.path)
    names = head.split()
    different = len(set(names)) == len(names) and bool(names) == bool(colon) and all(map(NAME.fullmatch, names))
    fits = different and arity in (None, len(names)) and len(names) < 10 and not BINDERS.keys() & set(names)
    demand(fits, node.path, "a term, or different parameters, a colon and a term")
    return Function("", tuple((name, "int") for name in names), (((), term(body, node.path)),), env)


def valued(fact: Fact, values: Sequence[Value]) -> Env:
    """The values of a fact's names with these of its variables."""
    spend(10 * len(fact.env) + 30 * len(values))
    return {**fact.env, **{name: value for (name, _), value in zip(fact.statement.variables, values, strict=True)}}
