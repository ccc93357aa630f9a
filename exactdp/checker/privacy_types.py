# SPDX-License-Identifier: MIT
"""Trusted rules about all mechanisms of a privacy type at once (SPEC, Privacy types). A *kernel mechanism* of a type has nothing to do
with this checker's kernel: its posteriors under the uniform prior are linearly independent vertices of the posterior polytope."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, gcd
from typing import Any

from exactdp.checker.kernel import (
    Case,
    Consumer,
    Definition,
    Geometric,
    Matrix,
    Node,
    Stop,
    charge,
    check_private,
    check_product,
    demand,
    dual_rule,
    equals,
    loss_of,
    ratio,
    remap_rule,
    require,
    root,
    show,
    stochastic,
    whole,
)

Number = Any     # an integer, or what stands for one (SPEC §2.1)
Vector = Sequence[Number]

# ── The posterior polytope ──────────────────────────────────────────────────────────────────────────────────────────
def lengths(near: Definition, path: str) -> list[tuple[int, int, int]]:
    """The constrained pairs with their distances, which must be integers, and connect everything."""
    result, reached = list[tuple[int, int, int]](), {0}
    for i, j, square in near.pairs:
        d = root(square, 2)
        require(d > 0 and d.denominator == 1, "distances are integers", path, f"d² = {show(square)}", "the square of an integer")
        result.append((i, j, d.numerator))
    for _ in near.inputs:
        charge(len(result))
        before = len(reached)
        reached |= {k for i, j, _ in result if i in reached or j in reached for k in (i, j)}
        if len(reached) == before:
            break
    require(len(reached) == len(near.inputs), "every two inputs are connected", path, len(reached), len(near.inputs))
    return result
def connects(pairs: Sequence[tuple[int, int]], n: int) -> bool:
    """Whether these pairs connect 0, …, n−1."""
    reached = {0}
    for _ in range(n):
        reached |= {k for pair in pairs if reached & set(pair) for k in pair}
    return len(reached) == n
def rays(near: Definition, alpha: Fraction, path: str) -> list[list[Number]]:
    """The extreme rays of {δ ≥ 0 : δ_i ≥ α^d(i,j) δ_j}: the δ = α^h whose tight pairs, |h_i − h_j| = d(i,j), connect everything
    (else two tight parts could be scaled apart). Each grows from input 0 along tight pairs, all other constraints being kept."""
    pairs, n, p, q = lengths(near, path), len(near.inputs), alpha.numerator, alpha.denominator
    beside = [[(b if a == i else a, d) for a, b, d in pairs if i in (a, b)] for i in range(n)]
    grown: set[tuple[int | None, ...]] = {(0, *[None] * (n - 1))}
    for _ in range(n - 1):
        charge(4 * len(grown) * len(pairs) * n, held=len(grown) * n)
        places = ((h, j, x, d) for h in grown for i, x in enumerate(h) if x is not None for j, d in beside[i] if h[j] is None)
        steps = ((h, j, y) for h, j, x, d in places for y in (x - d, x + d))
        grown = {(*h[:j], y, *h[j + 1:]) for h, j, y in steps if all((z := h[k]) is None or abs(y - z) <= d for k, d in beside[j])}
    flat = sorted({tuple(x - min(h) for x in h) for h in grown})     # type: ignore[type-var, operator]
    most = max(map(max, flat))
    charge(len(flat) * n, most * (p.bit_length() + q.bit_length()), products=2 * most, held=len(flat) * n)
    powers = [p**e * q ** (most - e) for e in range(most + 1)]
    return [[powers[x] for x in h] for h in flat]
def nonzero(x: Number) -> bool:
    """Whether a number is not zero; over an interval of levels its sign must be constant."""
    return bool(x > 0 or x < 0)
def eliminate(rows: list[list[Number]], i: int, j: int) -> list[list[Number]]:
    """Rows with zeros in column j except in row i, where it is positive; each row keeps its positive multiples."""
    pivot = [-x for x in rows[i]] if rows[i][j] < 0 else rows[i]
    result = []
    for k, row in enumerate(rows):
        new = pivot if k == i else [pivot[j] * x - row[j] * y for x, y in zip(row, pivot, strict=True)] if row[j] else row
        common = gcd(*new) if whole(*new) else 1
        result.append([x // common for x in new] if common > 1 else new)
    return result
def pivot_row(rows: list[list[Number]], free: list[int], j: int) -> int | None:
    """A free row that is not zero in column j, or None if all are. Over an interval a row is taken whose entry has a constant sign there;
    if there are only others that is an answer of its own (the file is not accepted)."""
    stopped = None
    for i in free:
        try:
            if nonzero(rows[i][j]):
                return i
        except Stop as stop:
            stopped = stop
    if stopped is not None:
        raise stopped
    return None
def independent(columns: list[Vector]) -> bool:
    """Whether some vectors are linearly independent."""
    rows, free = [list(row) for row in zip(*columns, strict=True)], list(range(len(columns[0])))
    charge(0, 256, products=len(columns) ** 2 * len(rows))
    for j in range(len(columns)):
        i = pivot_row(rows, free, j)
        if i is None:
            return False
        free.remove(i)
        rows = eliminate(rows, i, j)
    return True
def supports(vectors: list[list[Number]]) -> Iterator[tuple[int, ...]]:
    """The minimal sets S with Σ_(v∈S) w_v v = (1, …, 1) for some w > 0: modulo (1, …, 1), the minimal sets with Σ w_v v = 0 (the vectors
    are > 0, so that such a sum is a positive multiple of (1, …, 1)). All sets independent modulo (1, …, 1) are tried, in the order of their
    members; the last member of S is a combination of the others, unique, with all coefficients negative."""
    n, N = len(vectors[0]), len(vectors)
    charge(n * N * sum(comb(N, k) for k in range(n)) // 2, 256)
    def search(rows: list[list[Number]], start: int, pivots: list[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
        free = [i for i in range(n - 1) if i not in [i for i, _ in pivots]]
        for j in range(start, N):
            i = pivot_row(rows, free, j)
            if i is not None:
                yield from search(eliminate(rows, i, j), j + 1, [*pivots, (i, j)])
            elif all(rows[k][j] < 0 for k, _ in pivots):     # pivots are positive
                yield (*(k for _, k in pivots), j)
    return search([[v[x] - v[n - 1] for v in vectors] for x in range(n - 1)], 0, [])
def type_of(c: Case) -> tuple[Definition, Fraction, str]:
    """The claim's neighbours and level, and their description."""
    near, alpha = c.named(c.claim["neighbours"], "neighbours"), c.claim["level"].level()
    return near, alpha, f"{near.title} at level {show(alpha)}"
def counts(c: Case) -> str:
    """Vertices and kernel-count."""
    near, alpha, title = type_of(c)
    found = rays(near, alpha, c.claim["neighbours"].path)
    number = len(found) if c.kind == "vertices" else sum(1 for _ in supports(found))
    stated = c.claim["count"].index()
    require(number == stated, "the number counted = $.claim.count", "$.claim.count", number, stated)
    things = "The posterior polytope" if c.kind == "vertices" else "The privacy type"
    return f"{things} of {title} has exactly {number} {'vertices' if c.kind == 'vertices' else 'kernel mechanisms'}."

# ── Kernel mechanisms and their mixtures ────────────────────────────────────────────────────────────────────────────
def parallel(x: Vector, y: Vector) -> bool:
    """Whether one of two non-zero vectors ≥ 0 is a multiple of the other."""
    a, b = sum(x), sum(y)
    return all(s * b == t * a for s, t in zip(x, y, strict=True))
def reduced(columns: Sequence[Vector]) -> list[Vector]:
    """The columns that are not zero, parallel ones summed: the hyper-distribution up to scale."""
    result = list[Vector]()
    for x in columns:
        k = next((k for k, y in enumerate(result) if parallel(x, y)), None) if any(nonzero(t) for t in x) else -1
        charge(4 * len(x) * (len(result) + 1), 256)
        if k is None:
            result.append(x)
        elif k >= 0:
            result[k] = [s + t for s, t in zip(result[k], x, strict=True)]
    return result
def kernel_fault(m: Definition, near: Definition, alpha: Fraction, path: str) -> str | None:
    """Why an α-private mechanism is no kernel mechanism of the type, or None."""
    check_private(m.matrix, near, alpha, path)
    columns, n, p, q = reduced(list(m.matrix.columns())), len(near.inputs), alpha.numerator, alpha.denominator
    pairs = lengths(near, path)
    charge(0, 256, products=8 * len(columns) * len(pairs))
    for k, x in enumerate(columns):
        tight = [(i, j) for i, j, d in pairs if x[i] * q**d == x[j] * p**d or x[j] * q**d == x[i] * p**d]
        if not connects(tight, n):
            return f"posterior {k} is not a vertex"
    return None if independent(columns) else "its posteriors are linearly dependent"
def kernel_mechanism(c: Case) -> str:
    """kernel-mechanism and not-kernel-mechanism."""
    near, alpha, title = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    fault = kernel_fault(m, near, alpha, "$.claim.mechanism")
    if c.kind == "kernel-mechanism":
        require(fault is None, "the posteriors are linearly independent vertices", "$.claim.mechanism", fault, "no fault")
        return f"The {m.title} is a kernel mechanism of {title}."
    require(fault is not None, "a posterior is no vertex, or they are dependent", "$.claim.mechanism", "none of these", "one of these")
    return f"The {m.title} is {show(alpha)}-private on {near.title} and no kernel mechanism: {fault}."
def same_hyper(x: list[Vector], d: Number, y: list[Vector], e: Number) -> bool:
    """Whether reduced columns over the denominators d and e are the same, in any order."""
    charge(0, 256, products=2 * len(x) * sum(map(len, y)))
    return len(x) == len(y) and all(any(all(s * e == t * d for s, t in zip(a, b, strict=True)) for b in y) for a in x)
def mixture(c: Case, node: Node, near: Definition, alpha: Fraction) -> tuple[list[list[Number]], Number, list[tuple[Definition, Fraction]]]:
    """The columns of Σ weight·kernel over one denominator: the parts are different kernel mechanisms, and the weights sum to 1."""
    parts = list[tuple[Definition, Fraction]]()
    for item in node.items():
        f = item.fields("kernel weight")
        m, weight = c.named(f["kernel"], "mechanism"), f["weight"].scalar()
        require(m.inputs == near.inputs, "the input labels agree", f["kernel"].path, m.inputs, near.inputs)
        fault = kernel_fault(m, near, alpha, f["kernel"].path)
        require(fault is None, "each part is a kernel mechanism", f["kernel"].path, fault, "no fault")
        require(weight > 0, "weights are positive", f["weight"].path, weight, 0)
        for known, _ in parts:
            require(not same_kernel(m, known), "the parts differ", f["kernel"].path, m.title, known.title)
        parts.append((m, weight))
    demand(parts != [], node.path, "one part or more")
    den: Number = 1
    for m, weight in parts:
        charge(0, m.matrix.bits, products=4)
        den = den * weight.denominator * m.matrix.den
    columns, total = list[list[Number]](), 0
    for k, (m, weight) in enumerate(parts):
        factor: Number = weight.numerator
        for other, (o, u) in enumerate(parts):
            factor = factor * (u.denominator * o.matrix.den if other != k else 1)
        total = total + factor * m.matrix.den
        charge(0, m.matrix.bits, products=m.matrix.width * len(near.inputs))
        columns += [[factor * x for x in column] for column in m.matrix.columns()]
    require(total == den, "the weights sum to 1", node.path, ratio(total, den), 1)
    return columns, den, parts
def same_kernel(a: Definition, b: Definition) -> bool:
    """Whether two mechanisms have the same hyper-distribution."""
    return same_hyper(reduced(list(a.matrix.columns())), a.matrix.den, reduced(list(b.matrix.columns())), b.matrix.den)
def mixtures(c: Case) -> str:
    """The mechanism has the same hyper-distribution as each of several different convex sums of kernel mechanisms."""
    near, alpha, title = type_of(c)
    m, nodes = c.mechanism("mechanism", near.inputs), c.claim["mixtures"].items()
    mine, seen = reduced(list(m.matrix.columns())), list[list[tuple[Definition, Fraction]]]()
    for node in nodes:
        columns, den, parts = mixture(c, node, near, alpha)
        same = same_hyper(reduced(columns), den, mine, m.matrix.den)
        require(same, "the mixture has the mechanism's hyper-distribution", node.path, len(columns), len(mine))
        for others in seen:
            equal = len(parts) == len(others) and all(any(u == v and same_kernel(a, b) for b, v in others) for a, u in parts)
            require(not equal, "the mixtures differ", node.path, [a.title for a, _ in parts], [b.title for b, _ in others])
        seen.append(parts)
    demand(nodes != [], "$.claim.mixtures", "one mixture or more")
    ways = f"{len(nodes)} different convex sums" if len(nodes) > 1 else "the stated convex sum"
    return f"The {m.title} has the same hyper-distribution as {ways} of kernel mechanisms of {title}."
def refines_mixture(c: Case) -> str:
    """M = (Σ weight·kernel)·R: M refines the stated convex sum of kernel mechanisms."""
    near, alpha, title = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    columns, den, _ = mixture(c, c.claim["mixture"], near, alpha)
    rows = [{y: x for y, column in enumerate(columns) if nonzero(x := column[i])} for i in range(len(near.inputs))]
    check_product(Matrix(len(columns), den, rows), c.witness["remap"], m.matrix)
    return f"The {m.title} is derivable from the stated convex sum of kernel mechanisms of {title}."

# ── Bounds for all mechanisms of a type ─────────────────────────────────────────────────────────────────────────────
def losses_at(loss: Matrix, prior: Matrix, v: Vector) -> list[Number]:
    """Σ_x π_x l(x,g) v_x for each guess g, over the denominator loss.den · prior.den."""
    charge(0, loss.bits + prior.bits, products=2 * loss.width * len(v))
    return [sum((w * v[x] * loss.rows[x].get(g, 0) for x, w in prior.rows[0].items()), 0) for g in range(loss.width)]
def bound(vectors: list[list[Number]], loss: Matrix, priors: list[Matrix], y: Matrix, path: str) -> Any:
    """If Σ_k min_g Σ_x π_kx l(x,g) v_x ≥ Σ_x y_x v_x for every extreme ray v, then every mechanism of the type has
    Σ_k (least loss under π_k) ≥ Σ y, because its columns are sums of rays, and the least of a sum is at least the sum of the least."""
    den: Number = 1
    for prior in priors:
        den = den * prior.den
    for v in vectors:
        total: Number = 0
        for prior in priors:
            sums, factor = losses_at(loss, prior, v), 1
            for other in priors:
                factor = factor * (other.den if other is not prior else 1)
            least = sums[0]
            for x in sums[1:]:
                least = x if x < least else least
            total = total + factor * least
        right = sum((a * v[x] for x, a in y.rows[0].items()), 0)
        require(total * y.den >= right * den * loss.den, "Σ_k min_g Σ_x π_kx l(x,g) v_x ≥ Σ_x y_x v_x at every ray v", path,
                ratio(total, den * loss.den), ratio(right, y.den))
    return ratio(sum(y.rows[0].values()), y.den)
def prior_of(node: Node, n: int) -> Matrix:
    """A prior up to scale: entries ≥ 0, not all zero."""
    result = node.vector(n)
    entries = list(result.rows[0].values())
    require(entries != [] and all(x > 0 for x in entries), "a prior ≥ 0, not zero", node.path, entries, 0)
    return result
def attained(node: Node, loss: Matrix, prior: Matrix, near: Definition, alpha: Fraction) -> Any:
    """The loss of an α-private mechanism whose outputs are guesses."""
    X = stochastic(node.matrix(len(near.inputs), loss.width), node.path)
    check_private(X, near, alpha, node.path)
    return loss_of(Consumer("", (), loss, sorted(prior.rows[0]), prior), X.columns(), X.den)
def no_universal(c: Case) -> str:
    """By priors that no mechanism serves; or the zero-one or distance loss on a graph with a cycle, or with a vertex of large degree."""
    near, alpha, title = type_of(c)
    loss = c.named(c.claim["loss"], "loss")
    require(loss.inputs == near.inputs, "the input labels agree", "$.claim.loss", loss.inputs, near.inputs)
    rule, f = c.witness["by"].variant("rule", {"priors": "priors potentials mechanisms", "cycle": "inputs", "star": "input neighbours"})
    if rule == "priors":
        unserved_priors(f, loss.matrix, near, alpha)
        why = "none is optimal (after a remap) for every prior"
    else:
        why = obstacle(rule, f, loss.matrix, near, alpha)
    return f"No mechanism of the type of {title} is universally optimal for the loss {loss.title}: {why}."
def unserved_priors(f: dict[str, Node], loss: Matrix, near: Definition, alpha: Fraction) -> None:
    """Some priors π_k: mechanisms X_k whose losses under π_k sum to less than what every single mechanism's must."""
    n, path = len(near.inputs), f["potentials"].path
    priors, shown = [prior_of(node, n) for node in f["priors"].items()], f["mechanisms"].items()
    demand(0 < len(priors) == len(shown), f["priors"].path, "a mechanism for each prior")
    least = bound(rays(near, alpha, "$.claim.neighbours"), loss, priors, f["potentials"].vector(n), path)
    total = ratio(0, 1)
    for node, prior in zip(shown, priors, strict=True):
        value = attained(node, loss, prior, near, alpha)
        total = ratio(total.numerator * value.denominator + value.numerator * total.denominator, total.denominator * value.denominator)
    require(least > total, "Σ y > Σ_k (loss of X_k under π_k)", path, least, total)
def graph_of(near: Definition, path: str) -> list[tuple[int, int]]:
    """The edges of a connected graph: all distances that are constrained are 1."""
    pairs = [(i, j) for i, j, square in near.pairs if square == 1]
    reached = hops(pairs, len(near.inputs))[0]
    joined = len(pairs) == len(near.pairs) and max(reached) < len(reached)
    require(joined, "the neighbours are a connected graph", path, near.title, "distances 1, and a path between every two inputs")
    return pairs
def hops(pairs: list[tuple[int, int]], n: int) -> list[list[int]]:
    """The distances in a connected graph."""
    charge(2 * n * (n + len(pairs)), held=n * n)
    beside: list[list[int]] = [[] for _ in range(n)]
    for i, j in pairs:
        beside[i].append(j)
        beside[j].append(i)
    away = [[0 if i == v else n for i in range(n)] for v in range(n)]
    for v, row in enumerate(away):
        reached = [v]
        for i in reached:     # it grows
            for j in beside[i] if len(reached) < n else ():
                if row[j] == n:
                    row[j] = row[i] + 1
                    reached.append(j)
    return away
def is_zero_one(loss: Matrix) -> bool:
    """Whether the loss is 0 for the guess of the same number as the input and 1 for others."""
    return loss.width == len(loss.rows) and all(row.get(g, 0) == (loss.den if g != i else 0)
                                                for i, row in enumerate(loss.rows) for g in range(loss.width))
def obstacle(rule: str, f: dict[str, Node], loss: Matrix, near: Definition, alpha: Fraction) -> str:
    """A cycle; or d neighbours of one input, with (d − 1)·α > 1 for the loss [x ≠ g] and d ≥ 3 for the distance (SPEC)."""
    n, pairs = len(near.inputs), graph_of(near, "$.claim.neighbours")
    charge(n * n, loss.bits)
    zero_one = is_zero_one(loss)
    if not zero_one:
        away = hops(pairs, n)
        as_far = loss.width == n and all(row.get(g, 0) == loss.den * away[x][g] for x, row in enumerate(loss.rows) for g in range(n))
        require(as_far, "the loss is [x ≠ g], or the distance d(x, g)", "$.claim.loss", "another loss", "one of these")
    joined = {*pairs, *((j, i) for i, j in pairs)}
    listed = [node.index(n) for node in f["inputs" if rule == "cycle" else "neighbours"].items()]
    demand(len(set(listed)) == len(listed), f["rule"].path, "the listed inputs must differ")
    if rule == "cycle":
        closed = len(listed) > 2 and all(step in joined for step in zip(listed, [*listed[1:], listed[0]], strict=True))
        require(closed, "the inputs form a cycle", f["inputs"].path, listed, "three or more, each adjacent to the next")
        return f"the graph has the cycle {' – '.join(near.inputs[i] for i in listed)}"
    centre, d = f["input"].index(n), len(listed)
    require(all((centre, i) in joined for i in listed), "the inputs are neighbours", f["neighbours"].path, listed, centre)
    if zero_one:
        many = (d - 1) * alpha.numerator > alpha.denominator
        require(many, "(number of neighbours − 1)·α > 1", f["neighbours"].path, (d, show(alpha)), 1)
    else:
        require(d >= 3, "three neighbours", f["neighbours"].path, d, 3)
    return f"the input {near.inputs[centre]} has {d} neighbours"
def not_universally_optimal(c: Case) -> str:
    """A prior under which another mechanism of the type has less loss than any remap of this one."""
    near, alpha, _ = type_of(c)
    m, loss = c.mechanism("mechanism", near.inputs), c.named(c.claim["loss"], "loss")
    require(loss.inputs == near.inputs, "the input labels agree", "$.claim.loss", loss.inputs, near.inputs)
    check_private(m.matrix, near, alpha, "$.claim.mechanism")
    prior = prior_of(c.witness["prior"], len(near.inputs))
    best, _ = remap_rule(loss.matrix, m.matrix, prior)
    other = attained(c.witness["better"], loss.matrix, prior, near, alpha)
    require(other < best, "the other's loss < Σ_y min_g Σ_x π_x l(x,g) M_xy", "$.witness.better", other, best)
    return f"The {m.title} is {show(alpha)}-private on {near.title}, and not universally optimal for the loss {loss.title}."

# ── Universal optimality ────────────────────────────────────────────────────────────────────────────────────────────
def universally_optimal(c: Case) -> str:
    """By the rule whose data are given: path, tree or kinks."""
    near, alpha, title = type_of(c)
    m, loss = c.mechanism("mechanism", near.inputs), c.named(c.claim["loss"], "loss")
    require(loss.inputs == near.inputs, "the input labels agree", "$.claim.loss", loss.inputs, near.inputs)
    check_private(m.matrix, near, alpha, "$.claim.mechanism")
    rule, f = c.witness["by"].variant("rule", {"path": "inputs guesses remap", "tree": "remap", "kinks": "priors potentials"})
    {"path": path_argument, "tree": tree_argument, "kinks": kink_argument}[rule](f, m.matrix, loss.matrix, near, alpha)
    return f"The {m.title} is universally optimal for the loss {loss.title} in the type of {title}: best (after a remap) for every prior."
def path_argument(f: dict[str, Node], m: Matrix, loss: Matrix, near: Definition, alpha: Fraction) -> None:
    """On inputs x_0, …, x_k, each constrained to the next at distance 1, the loss crosses once; elsewhere it is constant; and G(k, α)
    is derivable from M on those inputs. There every mechanism is private on the path, where G(k, α) is best for every prior."""
    inputs, n = [node.index(len(near.inputs)) for node in f["inputs"].items()], len(near.inputs)
    path = f["inputs"].path
    demand(len(inputs) == len(set(inputs)) > 1, path, "two distinct inputs or more")
    constrained = {(i, j) for a, b, square in near.pairs if square == 1 for i, j in ((a, b), (b, a))}
    for i, j in pairwise(inputs):
        require((i, j) in constrained, "consecutive inputs are constrained at distance 1", path, (i, j), "a pair at distance 1")
    guesses = [node.index(loss.width) for node in f["guesses"].items(loss.width)]
    demand(len(set(guesses)) == loss.width, f["guesses"].path, "every guess once")
    charge(loss.width ** 2 * n, loss.bits)
    table = [[row.get(g, 0) for g in guesses] for row in loss.rows]
    for x in set(range(n)) - set(inputs):
        require(all(t == table[x][0] for t in table[x]), "the loss is constant at the other inputs", path, table[x], "equal numbers")
    for r, s in combinations(range(loss.width), 2):
        after = [table[x][r] > table[x][s] for x in inputs]
        first = after.index(True) if True in after else len(inputs)
        crossed = all(table[x][r] >= table[x][s] for x in inputs[first:])
        require(crossed, "the loss crosses once, in the order given", f["guesses"].path, (guesses[r], guesses[s]), "a single crossing")
    check_product(Matrix(m.width, m.den, [m.rows[x] for x in inputs]), f["remap"], Geometric(len(inputs) - 1, alpha))
def tree_argument(f: dict[str, Node], m: Matrix, loss: Matrix, near: Definition, alpha: Fraction) -> None:
    """On a tree, zero-one loss: T = Φ·diag(z), Φ_iv = α^d(i,v), z_v = (1 − (deg v − 1)α)/(1+α) ≥ 0, is best for every prior λ (SPEC);
    it must be derivable from M."""
    n, p, q = len(near.inputs), alpha.numerator, alpha.denominator
    path, pairs = "$.claim.neighbours", graph_of(near, "$.claim.neighbours")
    require(len(pairs) == n - 1, "the neighbours are a tree", path, near.title, "a tree")
    require(is_zero_one(loss), "the loss is 0 for the right guess and 1 for others", "$.claim.loss", "another loss", "[x ≠ g]")
    away = hops(pairs, n)
    degrees = [sum(v in pair for pair in pairs) for v in range(n)]
    z = [q - (degree - 1) * p for degree in degrees]     # times q/(p + q)·1/q
    for v, x in enumerate(z):
        require(x >= 0, f"(deg − 1)·α ≤ 1 at input {v}", path, (degrees[v], show(alpha)), 1)
    powers = [p**d * q ** (n - d) for d in range(n + 1)]
    T = Matrix(n, q**n * (p + q), [{v: powers[away[v][i]] * z[v] for v in range(n) if nonzero(z[v])} for i in range(n)])
    check_product(m, f["remap"], stochastic(T, path))
def kink_argument(f: dict[str, Node], m: Matrix, loss: Matrix, near: Definition, alpha: Fraction) -> None:
    """The least loss of M is linear in the prior on each of finitely many cones, where another mechanism's is concave. So M is best for
    every prior if it is for the extreme rays of these cones; for each of those the witness has potentials."""
    n, path = len(near.inputs), f["priors"].path
    demand(whole(alpha.numerator, alpha.denominator, m.den, loss.den), path, "this rule needs rational numbers")
    charge(m.width * n + loss.width * n)
    columns, table = [x for x in m.columns() if any(x)], [[row.get(g, 0) for g in range(loss.width)] for row in loss.rows]
    listed, vectors = dict[tuple[int, ...], tuple[Matrix, Node]](), rays(near, alpha, "$.claim.neighbours")
    for node, y in zip(f["priors"].items(), f["potentials"].items(len(f["priors"].items())), strict=True):
        prior = prior_of(node, n)
        listed[primitive([prior.rows[0].get(x, 0) for x in range(n)])] = prior, y
    unit = [[int(x == k) for x in range(n)] for k in range(n)]
    pairs = list(combinations(range(loss.width), 2))
    split = [[(row[g] - row[h]) * t for row, t in zip(table, x, strict=True)] for x in columns for g, h in pairs]
    walls = list(dict.fromkeys(signed(w) for w in unit + split if any(w)))
    charge(n * len(walls) * comb(len(walls), n - 1), 256)
    for line in normals([list(w) for w in walls], n):
        point = tuple(map(abs, line))
        if min(line) >= 0 or max(line) <= 0:
            require(point in listed or not extreme(point, columns, table), "every kink is listed", path, point, "a listed prior")
    for prior, node in listed.values():
        least, _ = remap_rule(loss, m, prior)
        value = bound(vectors, loss, [prior], node.vector(n), node.path)
        require(value >= least, "Σ y ≥ the least loss of M", node.path, value, least)
def primitive(v: Sequence[int]) -> tuple[int, ...]:
    """The integer vector divided by its greatest common divisor."""
    common = gcd(*v)
    return tuple(x // common for x in v)
def signed(v: Sequence[int]) -> tuple[int, ...]:
    """The same with the first entry that is not zero positive."""
    w = primitive(v)
    return w if next(x for x in w if x) > 0 else tuple(-x for x in w)
def normals(walls: list[list[int]], n: int) -> set[tuple[int, ...]]:
    """The lines on which n − 1 independent walls meet, as primitive vectors."""
    found = set[tuple[int, ...]]()
    def search(rows: list[list[int]], pivots: list[int], start: int) -> None:
        if len(pivots) == n - 1:
            j = next(j for j in range(n) if j not in pivots)
            scale = 1
            for row, k in zip(rows, pivots, strict=True):
                scale *= row[k]
            v = [0] * n
            v[j] = scale
            for row, k in zip(rows, pivots, strict=True):
                v[k] = -row[j] * (scale // row[k])
            found.add(signed(v))
            return
        for at in range(start, len(walls)):
            row = walls[at]
            for done, k in zip(rows, pivots, strict=True):
                row = [done[k] * x - row[k] * y for x, y in zip(row, done, strict=True)]
            if any(row):
                row = list(signed(row))
                new = next(k for k in range(n) if row[k])
                rest = [[row[new] * x - done[new] * y for x, y in zip(done, row, strict=True)] for done in rows]
                search([*(list(primitive(r)) if r[k] > 0 else [-x for x in primitive(r)] for r, k in zip(rest, pivots, strict=True)), row],
                       [*pivots, new], at + 1)
    search([], [], 0)
    return found
def extreme(prior: Sequence[int], columns: Sequence[Sequence[int]], table: list[list[int]]) -> bool:
    """Whether some cone of the least loss has this extreme ray: ties of best guesses, and zeros, have rank n − 1."""
    n, tight = len(prior), [[int(x == k) for x in range(len(prior))] for k in range(len(prior)) if not prior[k]]
    for v in columns:
        sums = [sum(w * t * row[g] for w, t, row in zip(prior, v, table, strict=True)) for g in range(len(table[0]))]
        best = [g for g, x in enumerate(sums) if x == min(sums)]
        tight += [[(row[best[0]] - row[g]) * t for row, t in zip(table, v, strict=True)] for g in best[1:]]
    rows, rank = [row for row in tight if any(row)], 0
    for j in range(n):
        i = next((i for i in range(rank, len(rows)) if rows[i][j]), None)
        if i is not None:
            rows[rank], rows[i] = rows[i], rows[rank]
            rows = eliminate(rows, rank, j)
            rank += 1
    return rank == n - 1

# ── Capacities and the refinement order ─────────────────────────────────────────────────────────────────────────────
CAPACITIES = ("multiplicative", "additive")
def capacity_of(m: Matrix, kind: str) -> Any:
    """Σ_y max_x M_xy, or 1 − Σ_y min_x M_xy."""
    charge(m.width * len(m.rows), m.bits)
    total: Number = 0
    for column in m.columns():
        best = column[0]
        for x in column[1:]:
            best = x if (x > best) == (kind == "multiplicative") and x != best else best
        total = total + best
    return ratio(total if kind == "multiplicative" else m.den - total, m.den)
def capacities(c: Case) -> str:
    """capacity, of one mechanism; and type-capacity, the largest in the type."""
    kind = c.claim["capacity"].of(str)
    demand(kind in CAPACITIES, "$.claim.capacity", f"must be one of {', '.join(CAPACITIES)}")
    if c.kind == "capacity":
        m = c.mechanism("mechanism")
        equals(capacity_of(m.matrix, kind), c.claim["value"], f"the {kind} capacity")
        return f"The {kind} capacity of the {m.title} is {show(c.claim['value'].scalar())}."
    near, alpha, title = type_of(c)
    rule, f = c.witness["by"].variant("rule", {"weights": "weights", "dual": "mechanism dual"})
    if rule == "weights":
        equals(weighed(f["weights"], kind, near, alpha), c.claim["value"], "the sum of the weights (additive: 1 minus it)")
    else:
        bounded_capacity(f, kind, c.claim["value"], near, alpha)
    return f"The largest {kind} capacity in the type of {title} is {show(c.claim['value'].scalar())}."
def weighed(node: Node, kind: str, near: Definition, alpha: Fraction) -> Any:
    """On a graph, weights z ≥ 0 with Σ_y z_y α^d(x,y) = 1 for every x (additive: α^−d(x,y)): M_xy = z_y α^±d(x,y) is a mechanism of the
    type with this capacity, and Σ_x z_x M_xy is at least max_x M_xy (additive: at most min_x M_xy) in every mechanism of the type."""
    n, p, q = len(near.inputs), alpha.numerator, alpha.denominator
    z, away = node.vector(n), hops(graph_of(near, "$.claim.neighbours"), n)
    require(all(x > 0 for x in z.rows[0].values()), "weights ≥ 0", node.path, "a negative one", 0)
    p, q = (p, q) if kind == "multiplicative" else (q, p)
    most = max(map(max, away))
    charge(2 * n * n, z.bits + most * (p.bit_length() + q.bit_length()), products=2 * most + len(z.rows[0]) * n, held=n)
    powers = [p**d * q ** (most - d) for d in range(most + 1)]
    for x, row in enumerate(away):
        total = sum((w * powers[row[y]] for y, w in z.rows[0].items()), 0)
        require(total == z.den * powers[0], f"Σ_y z_y α^±d({x},y) = 1", node.path, ratio(total, z.den * powers[0]), 1)
    total = sum(z.rows[0].values(), 0)
    return ratio(total if kind == "multiplicative" else z.den - total, z.den)
def bounded_capacity(f: dict[str, Node], kind: str, claimed: Node, near: Definition, alpha: Fraction) -> None:
    """A mechanism with this capacity, and a dual that shows that none has more."""
    n, path = len(near.inputs), f["mechanism"].path
    X = stochastic(f["mechanism"].matrix(n, n), path)
    check_private(X, near, alpha, path)
    equals(capacity_of(X, kind), claimed, "the capacity of the witness")
    charge(n * n, held=n * n)
    # an output guessed as its most likely input (additive: its least likely one; guess g is input n − 1 − g, so that it may cross once)
    loss = Matrix(n, 1, [{g: 1 for g in range(n) if g != x} if kind == "multiplicative" else {n - 1 - x: 1} for x in range(n)])
    uniform = Matrix(n, n, [dict.fromkeys(range(n), 1)])
    least, _ = dual_rule(f["dual"], Consumer("", near.inputs, loss, list(range(n)), uniform), near, alpha)
    # n·loss = n − Σ_y max_x M_xy, or Σ_y min_x M_xy
    top = ratio(n * (least.denominator - least.numerator), least.denominator) if kind == "multiplicative" else \
        ratio(least.denominator - n * least.numerator, least.denominator)
    require(top == claimed.scalar(), "the bound of the dual = $.claim.value", f["dual"].path, top, claimed.scalar())
def order(c: Case) -> str:
    """refinement-order: which of several mechanisms are refined by which others."""
    names = c.claim["mechanisms"].items()
    mechanisms = [c.named(node, "mechanism") for node in names]
    for m in mechanisms:
        require(m.inputs == mechanisms[0].inputs, "the input labels agree", "$.claim.mechanisms", m.inputs, mechanisms[0].inputs)
    k = len(mechanisms)
    demand(k > 1 and len({node.of(str) for node in names}) == k, "$.claim.mechanisms", "two different names or more")
    below = [tuple(x.index(k) for x in node.items(2)) for node in c.claim["pairs"].items()]
    demand(all(a < b for a, b in pairwise(below)) and all(i != j for i, j in below), "$.claim.pairs", "pairs [i, j], i ≠ j, in order")
    rest = [(i, j) for i, j in product(range(k), range(k)) if i != j and (i, j) not in below]
    for (i, j), node in zip(below, c.witness["remaps"].items(len(below)), strict=True):
        check_product(mechanisms[i].matrix, node, mechanisms[j].matrix)
    for (i, j), node in zip(rest, c.witness["separators"].items(len(rest)), strict=True):
        separate(mechanisms[i], mechanisms[j], node)
    listed = ", ".join(f"{names[i].value} ⊑ {names[j].value}" for i, j in below) or "none is refined by another"
    return f"Among {', '.join(str(node.value) for node in names)} the refinements are exactly: {listed}."
def separate(a: Definition, b: Definition, node: Node) -> None:
    """Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy: B = A·R for no row-stochastic R."""
    n = len(a.inputs)
    W, once = node.matrix(n, len(b.outputs)), Matrix(n, 1, [dict.fromkeys(range(n), 1)])
    loss = Matrix(W.width, W.den, [{r: -x for r, x in row.items()} for row in W.rows])
    consumer = Consumer("", (), loss, list(range(n)), once)
    left, right = -loss_of(consumer, b.matrix.columns(), b.matrix.den), -remap_rule(loss, a.matrix, once)[0]
    require(left > right, "Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy", node.path, left, right)

TYPE = "neighbours level"
CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {     # kind: its function, claim keys, witness keys
    "vertices": (counts, f"{TYPE} count", ""),
    "kernel-count": (counts, f"{TYPE} count", ""),
    "kernel-mechanism": (kernel_mechanism, f"{TYPE} mechanism", ""),
    "not-kernel-mechanism": (kernel_mechanism, f"{TYPE} mechanism", ""),
    "kernel-mixtures": (mixtures, f"{TYPE} mechanism mixtures", ""),
    "refines-mixture": (refines_mixture, f"{TYPE} mechanism mixture", "remap"),
    "universally-optimal": (universally_optimal, f"{TYPE} loss mechanism", "by"),
    "not-universally-optimal": (not_universally_optimal, f"{TYPE} loss mechanism", "prior better"),
    "no-universally-optimal": (no_universal, f"{TYPE} loss", "by"),
    "capacity": (capacities, "mechanism capacity value", ""),
    "type-capacity": (capacities, f"{TYPE} capacity value", "by"),
    "refinement-order": (order, "mechanisms pairs", "remaps separators"),
}
