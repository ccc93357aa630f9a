# SPDX-License-Identifier: MIT
"""Optimal mechanisms on a connected graph with cycles (untrusted; the caller recomputes them).

An interior point in doubles (:mod:`~exactdp.search.graphs.interior_point`) says which pairs are tight. Where
it shows the face of all optima, equations give an exact optimum on it
(:mod:`~exactdp.search.graphs.optimal_face`). Otherwise the program restricted to the components of tight
pairs (:mod:`~exactdp.search.graphs.restricted_program`) is solved and mended in doubles until nothing is
wrong, and its last basis is solved exactly. Then everything that was left out is decided exactly, and mended
in the same way: a constraint that fails becomes a row, a component with a negative multiplier is cut there,
and where something is still bought nothing is sold any more.

Below 1/8 probabilities soon differ by more than doubles can tell, and rounds in doubles take minutes. Where
the face is not clear in doubles, an interior point in long numbers goes on
(:mod:`~exactdp.search.graphs.small_alpha`).

At small α a Bayesian consumer's optimum has trees of shortest paths for components, mostly, and all of them:
x_ir = α^d(i,r) x_rr. So the exact rounds begin there, and an interior point is needed only where they fail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from exactdp.errors import ResourceLimitError
from exactdp.exact import OverOneDenominator, Rational, long_integers
from exactdp.lp.problem import Basis, LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.lp.sparse import table_of_sums
from exactdp.model import BayesianConsumer, Consumer, Dual, Graph, Mechanism
from exactdp.runtime.progress import Listener, Progress, listener_of, part_of
from exactdp.runtime.values import dataclass
from exactdp.search.graphs.guess_orbits import GuessOrbits, Permutation
from exactdp.search.graphs.interior_point import InteriorPoint, Iterate
from exactdp.search.graphs.optimal_face import OptimalFace
from exactdp.search.graphs.restricted_program import BITS, RestrictedProgram

if TYPE_CHECKING:
    from exactdp.search.graphs.small_alpha import LongInteriorPoint

MOST_IN_DOUBLES = 60
"""At most so many rounds in doubles."""

MOST_EXACT = 20
"""At most so many exact rounds."""

ROUNDS_ABOVE = Rational(1, 50)
"""Below this α probabilities differ by more than rounds in doubles can tell."""

FACES_ABOVE = Rational(1, 10_000)
"""Below this α no interior point is looked for."""

CLEAR = 1e-8
"""From such a gap on, as a share of the optimum, the face of all optima is tried at every step."""

TOLD = 1e-4
"""From such a gap on it is tried where the predictor can go nearly all of its way."""

ALL = 0.9
"""So much of it."""

STEEP_BELOW = Rational(1, 8)
"""Below this α the method for small α goes on where doubles do not show the face: rounds may take minutes."""

LONG_BELOW = Rational(1, 20)
"""Below this α it goes on as soon as it can: doubles seldom show the face."""

STEEP_FROM = 1e-7
"""From such a gap on, as a share of the optimum, it goes on; or from the least one that doubles reach."""

UNCLEAR = 10
"""With so many rows or fewer that may be tight or not, the face of all optima is tried and repaired."""

REPAIRS = 2
"""So often at small α what was taken for tight is changed where the equations say otherwise."""

FEW, DOUBTED = 3, 8
"""With so few rows that may be tight or not, so many are read the other way, one at a time."""

MOST_FROM_TREES = 8
"""So often trees of shortest paths are mended, and only where not more is wrong than there are inputs."""

ATTEMPTS = 3
"""So often multipliers that are kept are given up on the face of all optima."""

Pairs = list[tuple[int, int]]
"""Places in a table."""

TreeMultiplier = tuple[int, int, Any, int]
"""(guess, row, multiplier times ``whole·heights[k]``, k)."""


@dataclass(slots=True)
class _Trees:
    """The multipliers of a guess's trees, where they are cut, and whether a root would pay too little."""

    multipliers: list[TreeMultiplier]
    cuts: Pairs
    has_negative_root: bool


class ExactRounds:
    """The restricted program, exactly. Its columns are those of the program in doubles that are ``offered``:
    bought ones only if they are basic there, where they are 0 unless prices were too low.
    """

    def __init__(self, program: RestrictedProgram) -> None:
        self.program = program
        self.alpha, self.size, self.guesses = program.alpha, program.size, program.guesses
        self.loss = program.losses
        self.powers = [Rational(1)]
        bought = program.fixed - (not program.bayesian)
        self.offered = [c for c in range(bought) if program.columns[c]]
        self.bought = bought
        self.grain = program.unit / 2**program.bits
        self.common, self.whole = program.common, program.whole

    def power(self, k: int) -> Rational:
        """α^k, kept for the next time."""
        while len(self.powers) <= k:
            self.powers.append(self.powers[-1] * self.alpha)
        return self.powers[k]

    def solve(self, progress: Listener | None) -> Optimal | None:
        """The optimum of the restricted program where nothing has to be bought, or None."""
        program = self.program
        while True:
            assert program.basic is not None
            columns = (*(program.columns[c] for c in self.offered), *program.columns[self.bought :])
            answer = solve(self._linear_program(), start=Basis(columns, tuple(program.basic)), progress=progress)
            if not isinstance(answer, Optimal) or answer.basis is None:
                return None
            count = len(self.offered)
            for c, basic in zip(self.offered, answer.basis.columns, strict=False):
                program.columns[c] = basic
            program.columns[self.bought :], program.basic = answer.basis.columns[count:], list(answer.basis.rows)
            if not any(answer.x[:count]):
                return answer
            self.offered = []

    def _linear_program(self) -> LinearProgram:
        program, parts, one = self.program, self.program.parts, Rational(1)
        n, known = self.size, program.known
        base, first = n + len(known), len(self.offered)
        rows: list[dict[int, Any]] = [{} for _ in range(base)]
        objective: dict[int, Any] = {}
        prices = program.prices()
        for place, c in enumerate(self.offered):
            rows[c % base][place] = one if c < base else -one
            objective[place] = prices[c] * (self.grain if c % base < n else Rational(1, 2**BITS) * program.unit)
        if not program.bayesian:
            objective[first] = one
            for i in range(n, base):
                rows[i][first] = one
            first += 1
        for place, (members, r) in enumerate(zip(parts.members, parts.guess, strict=True), start=first):
            steps = parts.steps[r].tolist()
            for i in members:
                rows[i][place] = self.power(steps[i])
            if program.bayesian:
                cost = sum((program.prior[i] * self.loss[i][r] * self.power(steps[i]) for i in members), Rational(0))
                if cost:
                    objective[place] = cost
            else:
                inside = set(members)
                for row, i in enumerate(known, start=n):
                    if i in inside and self.loss[i][r]:
                        rows[row][place] = -self.loss[i][r] * self.power(steps[i])
        lp_rows = [Row(row, "==", one) if i < n else Row(row, ">=", Rational(0)) for i, row in enumerate(rows)]
        for r, e in program.rows:
            t, h = program.tails[e], program.heads[e]
            down = self._least(r, e)
            tail, head = first + int(parts.place[r, t]), first + int(parts.place[r, h])
            entries = {tail: self.power(int(parts.steps[r, t]) - down)}
            entries[head] = entries.get(head, Rational(0)) - self.power(int(parts.steps[r, h]) + 1 - down)
            lp_rows.append(Row(entries, ">=", Rational(0)))
        free = set[int]() if program.bayesian else {first - 1}
        return LinearProgram(first + len(parts.members), objective, lp_rows, free)

    def _least(self, r: int, e: int) -> int:
        """The power of α by which a row between components is divided."""
        steps = self.program.parts.steps[r]
        return min(int(steps[self.program.tails[e]]), int(steps[self.program.heads[e]]) + 1)

    def values(self, answer: Optimal) -> Sequence[Any]:
        """θ of every component."""
        return answer.x[len(self.offered) + (not self.program.bayesian) :]

    def failing(self, answer: Optimal) -> list[tuple[int, int]]:
        """The constraints x_tail ≥ α·x_head that fail, decided exactly: (guess, row)."""
        program, parts = self.program, self.program.parts
        _, theta = long_integers(list(self.values(answer)))
        p, q = self.alpha.numerator, self.alpha.denominator
        found = []
        for r in range(self.guesses):
            steps, place = parts.steps[r].tolist(), parts.place[r].tolist()
            for e, (t, h) in enumerate(zip(program.tails, program.heads, strict=True)):
                one, other, more = theta[place[t]], theta[place[h]], steps[h] + 1 - steps[t]
                if not other or (more >= 0 and one >= other):
                    continue
                less = one * q**more < other * p**more if more >= 0 else one * p**-more < other * q**-more
                if less and (r, e) not in program.present:
                    found.append((r, e))
        return found

    def dual(self, answer: Optimal) -> tuple[Dual | None, list[tuple[int, int]]]:
        """The dual, with edges unless the graph is a forest, or where to cut components: (guess, input)."""
        program, parts, n = self.program, self.program.parts, self.size
        y, base = answer.y, self.size + len(program.known)
        weights: list[Any] = list(program.prior) or [Rational(0)] * n
        for i, w in zip(program.known, y[n:base], strict=True):
            weights[i] = w
        between = [z / self.power(self._least(r, e)) if z else z for (r, e), z in zip(program.rows, y[base:], strict=True)]
        # everything as integers: costs times ``whole``, and times q^top, are
        grain = self.grain
        common, numbers = long_integers([*weights, *y[:n], *between])
        whole = common * self.common * grain.denominator
        weighted = [w * grain.denominator for w in numbers[:n]]
        potentials = [u * self.common * grain.denominator for u in numbers[n : 2 * n]]
        # what rows outside the trees pay: multipliers kept from doubles, and those between components
        keeps = program.kept.nonzero()
        kept = list(zip(*(k.tolist() for k in (*keeps, program.kept[keeps])), strict=True))
        paid: list[list[tuple[int, Any]]] = [[] for _ in range(self.guesses)]
        units = grain.numerator * common * self.common
        for r, e, z in kept:
            paid[r].append((e, z * units))
        for (r, e), z in zip(program.rows, numbers[2 * n :], strict=True):
            if z:
                paid[r].append((e, z * self.common * grain.denominator))
        # guess by guess the trees' rows pay the rest
        heights = self._heights(int(parts.steps.max()) + 1)
        members: list[list[list[int]]] = [[] for _ in range(self.guesses)]
        for r, inputs in zip(parts.guess, parts.members, strict=True):
            members[r].append(inputs)
        trees: list[TreeMultiplier] = []
        cuts: list[tuple[int, int]] = []
        balanced = True
        for r in range(self.guesses):
            costs = [weighted[i] * self.whole[i][r] - potentials[i] for i in range(n)]
            found = self._tree_multipliers(r, costs, paid[r], members[r], heights)
            trees += found.multipliers
            cuts += found.cuts
            if found.has_negative_root:  # of a guess that is not used: without what its pairs pay
                program.kept[r, ~program.balanced()[r]], balanced = 0, False
        if cuts or not balanced:
            return None, cuts
        if program.graph.is_forest:  # weights and potentials are the whole dual
            return Dual(tuple(weights), tuple(y[:n])), []
        # pair by pair, the first row's multipliers minus the second's
        wholes = [whole * height for height in heights]
        terms = [(r, e, z, wholes[k]) for r, e, z, k in trees]
        terms += [(r, e, price.numerator, price.denominator) for (r, e), price in zip(program.rows, between, strict=True)]
        terms += [(r, e, z * grain.numerator, grain.denominator) for r, e, z in kept]
        signed = ((e // 2, r, -p if e % 2 else p, q) for r, e, p, q in terms)
        edges = table_of_sums(len(program.tails) // 2, self.guesses, signed)
        return Dual(tuple(weights), tuple(y[:n]), edges), []

    def _tree_multipliers(
        self,
        r: int,
        costs: Sequence[Any],
        paid: Sequence[tuple[int, Any]],
        members: Sequence[Sequence[int]],
        heights: Sequence[Any],
    ) -> _Trees:
        """The multipliers of the rows of a guess's trees: sums over subtrees, from the leaves on.

        Parameters
        ----------
        r : int
            The guess.
        costs : sequence
            Of each input, scaled.
        paid : sequence of (row, multiplier)
            What other rows pay, scaled.
        members : sequence of sequences of int
            The inputs of each component, the root first, and each after the one that is above it.
        heights : sequence
            α^k·q^top.
        """
        program, parts = self.program, self.program.parts
        steps, parent, rows = (table[r].tolist() for table in (parts.steps, parts.parent, parts.tree_row))
        sums = [cost * heights[k] for cost, k in zip(costs, steps, strict=True)]
        for e, z in paid:
            t, h = program.tails[e], program.heads[e]
            sums[t] -= z * heights[steps[t]]
            sums[h] += z * heights[steps[h] + 1]
        found = _Trees([], [], False)
        for inputs in members:
            for v in reversed(inputs[1:]):
                above = parent[v]
                sums[above] += sums[v]
                up = steps[v] > steps[above]
                z = sums[v] if up else -sums[v]
                if z < 0:
                    found.cuts.append((r, v))
                elif z:
                    found.multipliers.append((r, rows[v], z, steps[v] if up else steps[above]))
            found.has_negative_root = found.has_negative_root or sums[inputs[0]] < 0
        return found

    def mechanism(self, answer: Optimal) -> Mechanism:
        """The probabilities α^k·θ, as integers over one denominator."""
        parts, (common, theta) = self.program.parts, long_integers(list(self.values(answer)))
        heights = self._heights(int(parts.steps.max()))
        rows = zip(parts.place.T.tolist(), parts.steps.T.tolist(), strict=True)
        table = [[theta[c] and theta[c] * heights[k] for c, k in zip(places, steps, strict=True)] for places, steps in rows]
        whole = OverOneDenominator(table, common * heights[0])
        return Mechanism(whole, self.program.consumer.inputs, self.program.consumer.loss.guesses)

    def _heights(self, top: int) -> list[Any]:
        """α^k·q^top for k = 0, …, top, where α = p/q: long integers."""
        return long_integers([self.power(k) for k in range(top + 1)])[1]


def propose_by_components(
    graph: Graph,
    alpha: Rational,
    consumer: Consumer,
    *,
    automorphisms: Sequence[Permutation] = (),
    progress: Listener | None = None,
) -> tuple[Mechanism, Dual] | None:
    """An optimal mechanism on a connected graph, and a dual with a multiplier for every pair and guess.

    Parameters
    ----------
    graph : Graph
        Connected, with two vertices at least.
    alpha : Rational
        0 < α < 1.
    consumer : MinimaxConsumer or BayesianConsumer
        On the graph's vertices, any rational loss that is not 0 everywhere.
    automorphisms : sequence of Permutation
        Of the graph, that keep the costs: of guesses that they map to each other doubles compute one.
    progress
        As for :func:`exactdp.lp.solve.solve`.

    Returns
    -------
    tuple of Mechanism and Dual, or None
        None where doubles do not lead to the optimum.

    Raises
    ------
    ResourceLimitError
        The listener ended it; carries ``table`` and ``dual``, rational numbers near the interior point
        (None, or neither private nor proving anything yet).

    Examples
    --------
    >>> from exactdp.model import Loss, MinimaxConsumer
    >>> graph = Graph.cycle(4)
    >>> consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    >>> mechanism, dual = propose_by_components(graph, Rational("1/2"), consumer)
    >>> consumer.loss_of(mechanism), sum(dual.potentials)
    (Rational('5/9'), Rational('5/9'))
    """
    rounds_fail = alpha < ROUNDS_ABOVE
    report = listener_of(progress)
    walk = _Walk()
    program: RestrictedProgram | None = None
    try:
        # trees of shortest paths
        if rounds_fail and isinstance(consumer, BayesianConsumer):
            found = _from_trees(RestrictedProgram(graph, alpha, consumer), report)
            if found is not None:
                return found
        if alpha < FACES_ABOVE:
            return None
        # an interior point in doubles, and the face of all optima that it shows
        program = RestrictedProgram(graph, alpha, consumer)
        method = InteriorPoint(program.question, _orbits(program, automorphisms))
        walk.whole = method.whole
        found = _walk_in_doubles(method, program, walk, report, until_early=alpha < LONG_BELOW and not program.bayesian)
        if found is not None:
            return found
        if rounds_fail and program.bayesian:
            return None  # the plain linear program starts from trees, and needs less time than longer numbers
        point = walk.last
        assert point is not None
        # an interior point in long numbers
        if alpha < STEEP_BELOW:
            from exactdp.search.graphs.small_alpha import LongInteriorPoint  # seldom needed

            found = _at_small_levels(program, LongInteriorPoint(method, walk.early or point, alpha), report)
            if found is not None or rounds_fail:
                return found
            program.bits = BITS
            program.place(point, method.tight(point))
        # rounds in doubles, then exact ones
        return _mended(program, MOST_EXACT, report) if _has_rounds_in_doubles(program, report) else None
    except ResourceLimitError as error:
        raise _with_numbers(error, walk, program) from None


def _orbits(program: RestrictedProgram, automorphisms: Sequence[Permutation]) -> GuessOrbits | None:
    """The orbits of guesses, where doubles are enough and every guess has one input for which it is best."""
    if not automorphisms or program.alpha < STEEP_BELOW:
        return None
    loss = program.question.loss
    if ((loss == loss.min(1)[:, None]).sum(1) > 1).any():
        return None
    orbits = GuessOrbits(automorphisms, program.tails, program.heads, program.size)
    return orbits if len(orbits.chosen) < program.guesses else None


def propose_on_face(
    graph: Graph, alpha: Rational, consumer: Consumer, *, progress: Listener | None = None
) -> tuple[Mechanism, Dual] | None:
    """The same from an interior point in doubles alone; None where these do not show the face of all optima.

    >>> from exactdp.model import Loss, MinimaxConsumer
    >>> graph = Graph.star(4)
    >>> consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    >>> mechanism, dual = propose_on_face(graph, Rational("1/2"), consumer)
    >>> consumer.loss_of(mechanism) == sum(dual.potentials)
    True
    """
    walk = _Walk()
    program = RestrictedProgram(graph, alpha, consumer)
    try:
        return _walk_in_doubles(InteriorPoint(program.question), program, walk, listener_of(progress), until_early=False)
    except ResourceLimitError as error:
        raise _with_numbers(error, walk, program) from None


@dataclass(slots=True)
class _Walk:
    """How far doubles have come: the last iterate, and the first one from which long numbers can go on."""

    last: Iterate | None = None
    early: Iterate | None = None
    whole: Callable[[Iterate], Iterate] | None = None


def _with_numbers(error: ResourceLimitError, walk: _Walk, program: RestrictedProgram | None) -> ResourceLimitError:
    """The same error with the numbers near the last iterate, if there is one."""
    table, near = None, None
    if walk.last is not None and program is not None:
        table, near = _rational(walk.last if walk.whole is None else walk.whole(walk.last), program)
    return ResourceLimitError(error.message, **{**error.facts, "vertex": None, "table": table, "dual": near})


def _walk_in_doubles(
    method: InteriorPoint, program: RestrictedProgram, walk: _Walk, report: Listener | None, *, until_early: bool
) -> tuple[Mechanism, Dual] | None:
    """Newton steps, until an optimum is found on the face of all optima; None if they end without one.

    With ``until_early`` they end where long numbers can go on.
    """
    for number, point in enumerate(method.points()):
        walk.last = point
        if report is not None:
            report(Progress("interior point in doubles", number, unit="steps"))
        if walk.early is None and point.share < STEEP_FROM:
            walk.early = point
            if until_early:
                return None
        if point.share < TOLD:
            ahead, length = method.ahead(point)
            if point.share < CLEAR or length > ALL:
                found = _near(method, ahead, method.tight(point), program, report)
                if found is not None:
                    return found
    assert walk.last is not None
    return None if until_early else _near(method, walk.last, method.tight(walk.last), program, report)


def _has_rounds_in_doubles(program: RestrictedProgram, report: Listener | None) -> bool:
    """Whether HiGHS answers, round after round, until nothing is wrong or there were many rounds."""
    for number in range(MOST_IN_DOUBLES):
        if report is not None:
            report(Progress("components in doubles", number, unit="rounds", detail=f"{len(program.parts.members)} components"))
        wrong = program.float_round()
        if wrong is None:
            return False
        if not wrong:
            break
    return True


def _from_trees(program: RestrictedProgram, report: Listener | None) -> tuple[Mechanism, Dual] | None:
    """The optimum of a Bayesian consumer for whom trees of shortest paths are optimal, or nearly so."""
    return _mended(program, MOST_FROM_TREES, report, program.size) if program.place_trees() else None


def _mended(program: RestrictedProgram, rounds: int, report: Listener | None, wrong: int | None = None) -> tuple[Mechanism, Dual] | None:
    """Exact rounds, each mended by what is wrong in the one before; None where more is wrong than that."""
    exact = ExactRounds(program)
    for number in range(rounds):
        answer = exact.solve(part_of(report, f"round {number + 1} of {len(program.parts.members)} components"))
        if answer is None:
            return None
        failing = exact.failing(answer)
        dual, cuts = exact.dual(answer)
        if dual is not None and not failing:
            return exact.mechanism(answer), dual
        if wrong is not None and len(failing) + len(cuts) > wrong:
            return None
        program.mend(failing, cuts)
    return None


def _near(
    method: InteriorPoint, point: Iterate, tight: Any, program: RestrictedProgram, report: Listener | None
) -> tuple[Mechanism, Dual] | None:
    """Make the components of a point those of the program, and try the face that they show."""
    if method.orbits is not None:
        point, tight = method.whole(point), method.orbits.rows(tight)
    program.place(point, tight)
    if report is not None:
        report(Progress("exact optimum", 0, unit="faces", detail=f"{len(program.parts.members)} components"))
    return _on_face(program, OptimalFace(program, point))


def _at_small_levels(program: RestrictedProgram, method: LongInteriorPoint, report: Listener | None) -> tuple[Mechanism, Dual] | None:
    """Go on in longer numbers, and try the face wherever it is nearly clear what is tight."""
    from exactdp.search.graphs.small_alpha_face import LongFace

    for number, point in enumerate(method.points()):
        if report is not None:
            report(Progress("interior point in longer numbers", number, unit="steps", detail=f"{method.unclear} rows unclear"))
        tight = method.tight
        for _ in range(1 + REPAIRS if method.unclear <= UNCLEAR else 0):
            face = LongFace(program, method, point, tight)
            found, failing, cuts = _decided(program, face)
            if found is not None:
                return found
            if not failing and not cuts:
                break
            tight = face.repaired(failing, cuts)
        # Where doubles fail depends on the processor; not every row that they misread is repaired above.
        for tight in method.other_readings(DOUBTED if method.unclear <= FEW else 0):
            found, _, _ = _decided(program, LongFace(program, method, point, tight))
            if found is not None:
                return found
    return None


def _on_face(program: RestrictedProgram, face: OptimalFace) -> tuple[Mechanism, Dual] | None:
    """An optimum with its dual where the point shows the face of all optima; else nothing is changed."""
    return _decided(program, face)[0]


def _decided(program: RestrictedProgram, face: OptimalFace) -> tuple[tuple[Mechanism, Dual] | None, Pairs, Pairs]:
    """The same, with constraints (guess, row) that fail, or where components must be cut: (guess, input)."""
    answer = face.solve()
    exact = ExactRounds(program)
    if answer is None:
        return None, [], []
    failing = exact.failing(answer)
    if failing:
        return None, failing, []
    kept = program.kept.copy()
    cuts: Pairs = []
    for _ in range(ATTEMPTS):
        dual, cuts = exact.dual(answer)
        if dual is not None:
            return (exact.mechanism(answer), dual), [], []
        if cuts:
            break
    program.kept = kept
    return None, [], cuts


def _rational(point: Iterate, program: RestrictedProgram) -> tuple[list[list[Rational]], Dual]:
    """The numbers of an interior point, as multiples of 1/2^BITS (of the unit, where they are losses)."""

    def exact(x: float, unit: Rational) -> Rational:
        return Rational(round(x * 2**BITS)) * unit

    share, grain = Rational(1, 2**BITS), program.unit / 2**BITS
    table = [[exact(x, share) for x in row] for row in point.x.T.tolist()]
    signed = (point.multipliers[:, 0:-1:2] - point.multipliers[:, 1:-1:2]).T.tolist()
    edges = tuple(tuple(exact(z, grain) for z in row) for row in signed)
    weights = tuple(exact(w, share) for w in point.weights.tolist())
    return table, Dual(weights, tuple(exact(u, grain) for u in point.potentials.tolist()), edges)
