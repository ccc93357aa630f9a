# SPDX-License-Identifier: MIT
"""The steps of a proof: each adds facts to what is known, or shows what is claimed (ARGUMENTS §6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from exactdp.arguments.reading import Node, bounded, demand, refuse, show, spend
from exactdp.arguments.scope import Scope, assume, close, enter, unused
from exactdp.arguments.terms import (
    BINDERS,
    NAME,
    ZERO,
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
    comparisons,
    conclusion,
    constant,
    frozen,
    function_of,
    hold,
    infeasible,
    multiply,
    negated,
    number,
    plus,
    power,
    real,
    sign,
    single,
    statement,
    term,
    value_of,
    valued,
    within_atoms,
    written,
)


def conclude(fact: Fact, scope: Scope, names: Sequence[str], steps: Node | None, path: str) -> None:
    """Prove a statement: fix its variables, assume what it gives, carry out the steps; then it is known."""
    inner, values, env = enter(fact, scope, names, path)
    end = carry_out(steps, inner) if steps else inner
    close(Fact(fact.statement, env), end, values, steps.path if steps else path)


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
            covered |= {"=": {0}, ">": {side}, ">=": {side, 0}}[op]  # signs of the first difference
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
