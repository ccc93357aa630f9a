# SPDX-License-Identifier: MIT
"""Trusted: short cuts for optima on long paths, of losses like |i − r| (SPEC §4.1 to §4.3).

Where they can't be taken, and without this file, kernel.py takes the rules step by step: the same answer, if
that is within its limits."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import compress, pairwise
from operator import mul, sub

from exactdp.checker.kernel import Dense, Geometric, Matrix, charge, quadratic

# ── Sums over one line of a loss after another ──────────────────────────────────────────────────────────────
SHORT, SIZES = 256, range(33, 2**14)     # the bits of a loss, and its inputs and guesses, for which these are short cuts
def bends(lines: Iterable[Sequence[int]], count: int, size: int, bits: int, negative: bool = True) -> list[dict[int, int]] | None:
    """The second differences l_(t−1) − 2 l_t + l_(t+1) that are not 0, of so many lines l_t of so many
    numbers; equal neighbours are one object. None if they are no short cut, or one must not be negative."""
    result, found, last, held = list[dict[int, int]](), dict[int, int](), list[int](), 0
    if bits > SHORT or count not in SIZES or size not in SIZES:
        return None
    for before, after in pairwise(list(map(sub, b, a)) for a, b in pairwise(lines)):
        charge(50 + 4 * size, bits + 2, held=6 * size)
        if (bend := list(map(sub, after, before))) != last:
            last, terms = bend, size - bend.count(0)
            held += terms
            if held > 4 * (size + len(result)) or (not negative and min(bend) < 0):
                return None
            charge(0, bits + 2, held=held)
            found = dict(compress(enumerate(bend), bend))
        result.append(found)
    return result
def convex(loss: Matrix, w: Matrix) -> list[dict[int, int]] | None:
    """The second differences of l in r if they and the weights are ≥ 0; None if not, or if they are many."""
    if any(x < 0 for x in w.rows[0].values()):
        return None
    return bends(loss.columns(), loss.width, len(loss.rows), loss.bits, negative=False)
class Walk:
    """S_t = Σ_i v_i l_t(i) for one line l_t after another, while v changes: here is S_t, back is S_t −
    S_(t−1), and step is S_(t+1) − S_t (0 if there is no such line). From one step to the next v times a
    second difference of the lines is added, which is as before, or a sum of few terms."""
    def __init__(self, line: Callable[[int, int], int], count: int, few: list[dict[int, int]], bits: int) -> None:
        self.line, self.t, self.last, self.few, self.bits = line, 0, count - 1, few, bits
        self.here = self.back = self.step = 0
    def add(self, i: int, x: int) -> None:
        """To v_i, x is added."""
        t, l = self.t, self.line(self.t, i)
        self.here += x * l
        self.back += x * (l - self.line(t - 1, i)) if t else 0
        self.step += x * (self.line(t + 1, i) - l) if t < self.last else 0
    def scale(self, p: int, q: int) -> None:
        """All of v is multiplied by p/q, after which its entries are integers."""
        self.here, self.back, self.step = self.here * p // q, self.back * p // q, self.step * p // q
    def advance(self, v: Callable[[int], int]) -> None:
        """Go to the next line; the argument gives the entries of v."""
        t, turn = self.t + 1, self.step - self.back     # if t > 1 this is v·(l_t − 2 l_(t−1) + l_(t−2))
        self.t, self.here, self.back = t, self.here + self.step, self.step
        if t < self.last and (t == 1 or self.few[t - 1] is not self.few[t - 2]):
            charge(4 * len(self.few[t - 1]), self.bits, 2 * len(self.few[t - 1]))
            turn = sum(v(i) * x for i, x in self.few[t - 1].items())
        self.step = self.step + turn if t < self.last else 0
# ── The rules for G(n, α) ───────────────────────────────────────────────────────────────────────────────────
def losses(G: Geometric, R: Matrix, loss: Matrix) -> list[int]:
    """Σ_r l(i,r) (G·R)_ir over den·R.den·loss.den: what j = i, j < i, j > i add."""
    n, bits = G.width - 1, G.bits + R.bits
    def dense(i: int) -> Sequence[int]:
        return row if isinstance(row := loss.rows[i], Dense) else [row.get(r, 0) for r in range(R.width)]
    def entry(order: range, k: int, r: int) -> int:
        return loss.rows[order[k]].get(r, 0)
    few = bends(map(dense, range(n + 1)), n + 1, R.width, loss.bits) if sum(map(len, R.rows)) < 8 * (n + 1) else None
    if few is None:
        loss.announce(2, bits)
    charge(2 * (n + 1) * quadratic(bits + loss.bits, G.bits))
    charge(8 * (n + 1) * (R.width if few is None else 8), bits, 3 * sum(map(len, R.rows)) + 4 * (n + 1), R.width + n + 1)
    total = [G.powers[n] * s * sum(loss.rows[i].get(r, 0) * x for r, x in R.rows[i].items()) for i, s in enumerate(G.s)]
    for order in (range(n + 1), range(n, -1, -1)):
        before = [0] * R.width     # p^(n−k) q^k Σ_j α^|i−j| s_j R_jr, for the k inputs j before i
        walk = Walk(partial(entry, order), n + 1, (few or [])[::order.step], bits + loss.bits)
        for k, i in enumerate(order):
            if k and few is not None:
                walk.advance(before.__getitem__)
            sums = sum(map(mul, dense(i), before)) if few is None else walk.here
            total[i] += sums // G.p ** (n - k) * G.q ** (n - k)
            for r, x in R.rows[i].items():
                before[r] += (y := G.powers[k] * G.s[i] * x)     # p^(n−k) q^k
                if few is not None:
                    walk.add(r, y)
    return total
def minima(G: Geometric, loss: Matrix, w: Matrix) -> list[int]:
    """min_r φ_r(y) for each y, as in the remap rule. If l is convex in r then φ_r(y) is: it is least where it
    neither rose before nor falls after. [] if l is not convex, or if r would have to go back."""
    if (few := convex(loss, w)) is None:
        return []
    n, p, q, count, least, v = G.width - 1, G.p, G.q, G.width + loss.width, list[int](), w.rows[0]
    bits = G.bits + w.bits + loss.bits + 2
    charge(50 * count, bits, 4 * G.width, G.width)
    charge(12 * G.width * quadratic(bits, q.bit_length()) * (q.bit_length() > 30))
    upper, lower = (Walk(lambda r, i: loss.rows[i].get(r, 0), loss.width, few, bits) for _ in range(2))
    def until(y: int, i: int) -> int:     # v of upper: w_i q^n α^|i−y| for i ≤ y
        return v.get(i, 0) * G.powers[n + i - y] if i <= y else 0
    def after(y: int, i: int) -> int:     # v of lower: the same for i > y
        return v.get(i, 0) * G.powers[n + i - y] if i > y else 0
    for i in v:
        lower.add(i, after(0, i))
    for y, s in enumerate(G.s):
        if y:     # |i−y| is one more for i < y, one less for i > y
            upper.scale(p, q)
            lower.add(y, -v.get(y, 0) * G.powers[n + 1])
            lower.scale(q, p)
        upper.add(y, v.get(y, 0) * G.powers[n])
        while upper.step + lower.step < 0:
            upper.advance(partial(until, y))
            lower.advance(partial(after, y))
        if upper.back + lower.back > 0:
            return []
        least.append((upper.here + lower.here) * s)
    return least
def reach(walk: Walk, order: range, v: list[int], limits: list[int], p: int) -> list[int]:
    """For each line l_t, convex in t, a number of y from 0 on for which Σ_(k≤y) p^(y−k) v_k l_t(order[k]) is
    at least the limit; v ≥ 0. From a line on where it is, and does not fall to the next, it is for all."""
    def at(y: int, i: int) -> int:
        return v[k] * p ** (y - k) if (k := order.index(i)) <= y else 0
    ends = list[int]()
    for y, limit in enumerate(limits):
        walk.scale(p, 1)
        walk.add(order[y], v[y])
        while walk.here < limit or walk.step < 0:
            ends.append(y)
            if walk.t == walk.last:
                return ends
            walk.advance(partial(at, y))
    return ends + [len(limits)] * (walk.last + 1 - len(ends))
def crossings(G: Geometric, loss: Matrix, w: Matrix, sides: list[tuple[list[int], list[int]]]) -> set[int]:
    """Guesses r for which h_r crosses once, given both sides of the conditions as in the path rule."""
    if (few := convex(loss, w)) is None:
        return set()
    n, last, (up, down), bits = G.width - 1, loss.width - 1, sides, G.bits + w.bits + loss.bits + 3 * G.q.bit_length() + 2
    charge(50 * (n + last), bits)
    charge(12 * n * quadratic(bits, G.q.bit_length()) * (G.q.bit_length() > 30))
    rising = Walk(lambda r, i: loss.rows[i].get(r, 0), loss.width, few, bits)
    falling = Walk(lambda t, i: loss.rows[i].get(last - t, 0), loss.width, few[::-1], bits)
    ends = zip(reach(rising, range(n + 1), *up, G.p), reach(falling, range(n, -1, -1), *down, G.p)[::-1], strict=True)
    return {r for r, (first, other) in enumerate(ends) if first + other >= n - 1}     # least k ≤ most k
