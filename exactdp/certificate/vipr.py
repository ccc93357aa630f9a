# SPDX-License-Identifier: MIT
"""Write a certificate that is one linear program in the VIPR 1.0 format, for a checker that we did not write.

The file holds the whole program, the claim's solutions, and one derivation: the combination of the rows that
gives objective ≥ value, or 0 ≥ a positive number. Four programs serve all kinds:

* *private*: the private mechanisms x_i_r (for a minimax consumer also the loss d), rows as in [gs2010, 2.5];
* *remap*: the remaps t_y_r of a mechanism's outputs;
* *product*: the row-stochastic r_y_z with A·R = B;
* *tight*: the vectors z ≥ 0 with Φz = b.

What a proof of a program says of the claim is proved in Coq (``program_in_shows``, proofs/coq/Checker), and
``edpcheck --lp`` prints the program, from VER to RTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactdp.analysis.optimality.dual import explicit_dual
from exactdp.certificate.certificate import Certificate
from exactdp.certificate.decode import Decoder
from exactdp.certificate.kinds import kinds
from exactdp.errors import InputError
from exactdp.exact import QQ, ExactMatrix, smallest
from exactdp.model import BayesianConsumer, Consumer, Dual, Graph, PrivacyLevel
from exactdp.runtime.budget import require_budget

Terms = dict[int, Any]
"""Coefficients, or values, by the number of the variable."""

_Found = dict[str, tuple[ExactMatrix, ExactMatrix]]
"""Solutions: the variables as a matrix, and the mechanism whose loss is meant."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One constraint: Σ coefficient · variable, sense (E, G), right side, and its multiplier."""

    name: str
    sense: str
    rhs: Any
    terms: Terms
    multiplier: Any


@dataclass(frozen=True, slots=True)
class _Program:
    """Minimize the objective over the rows, and ``bounded`` variables ≥ 0 before the others.

    The relation to prove is ``value``, the least objective. Where that is None it is that there are
    solutions, or that there are none.
    """

    names: list[str]
    bounded: int
    objective: Terms
    rows: list[_Row]
    value: Any = None
    solutions: dict[str, Terms] = field(default_factory=dict)


def to_vipr(certificate: Certificate) -> str:
    """The VIPR 1.0 text of a certificate whose claim, or a part of it, is one linear program over ℚ.

    * ``certificate``: of a kind that ``kinds.toml`` gives a ``linear_program``, accepted by the checker
      (:func:`exactdp.certificate.decode.read_certificate`).

    Returns: a comment that says which part of the claim it is, then ``VER 1.0`` … ``DER``.

    * raises InputError: the certificate is of another kind, or speaks of numbers beyond ℚ.
    * raises ResourceLimitError: the linear program is larger than the budget.
    """
    kind = certificate.kind
    parts = {name: of.linear_program for name, of in kinds().items() if of.linear_program}
    if kind not in parts:
        raise InputError(f"a claim of kind '{kind}' is no linear program; those of these kinds are: {', '.join(parts)}", kind=kind)
    decoder = Decoder(certificate)
    if decoder.numbers.field is not QQ:
        raise InputError("VIPR has rational numbers only, and this certificate speaks of others; certify one rational level", kind=kind)
    program = _PROGRAMS[kind](decoder)
    head = [f"% exactdp, {certificate.digest}", f"% of kind {kind}; this program is {parts[kind]}"]
    return "\n".join([*head, *_problem(program), *_proof(program)]) + "\n"


# ---- The four programs ----


def _private(decoder: Decoder) -> _Program:
    """All private mechanisms, for the claim's consumer."""
    claim, consumer = decoder.certificate.claim, decoder.consumer()
    level, pairs, loss = PrivacyLevel(claim["level"]), decoder.pairs(), consumer.loss.matrix
    n, k = loss.shape
    _require(3 * n * k + 4 * k * len(pairs))
    dual = _explicit(decoder)
    assert dual.potentials is not None
    assert dual.edges is not None
    rows = [_Row(f"sum_{i}", "E", QQ.one, {i * k + r: QQ.one for r in range(k)}, dual.potentials[i]) for i in range(n)]
    rows += _loss_rows(consumer, n * k, dual.weights, lambda i: {i * k + r: loss[i, r] for r in range(k)})
    for (i, j, distance), multipliers in zip(pairs, dual.edges, strict=True):
        a = level.power(distance)
        for r, u in enumerate(multipliers):
            rows.append(_Row(f"private_{i}_{j}_{r}", "G", QQ.zero, {i * k + r: QQ.one, j * k + r: -a}, max(u, QQ.zero)))
            rows.append(_Row(f"private_{j}_{i}_{r}", "G", QQ.zero, {j * k + r: QQ.one, i * k + r: -a}, max(-u, QQ.zero)))
    best = _after_remap(decoder) if claim["kind"] == "optimal-after-remap" else decoder.primal().matrix
    found = {"optimum": (best, best)}
    if claim["kind"] == "not-optimal":
        found["mechanism"] = decoder.mechanism().matrix, decoder.mechanism().matrix
    expected = {i * k + r: w * x for i, w in enumerate(dual.weights) for r, x in enumerate(loss.row(i))}
    return _least(consumer, _names("x", n, k), expected, rows, decoder.numbers.scalar(claim["value"]), found)


def _remaps(decoder: Decoder) -> _Program:
    """All remaps of the claim's mechanism, for the claim's consumer."""
    claim, witness, consumer = decoder.certificate.claim, decoder.certificate.witness, decoder.consumer()
    m, loss = decoder.mechanism().matrix, consumer.loss.matrix
    (n, k), q = loss.shape, m.shape[1]
    _require((n + 2) * q * k)
    weights = consumer.prior.weights if isinstance(consumer, BayesianConsumer) else decoder.numbers.vector(witness["weights"], n)
    costs = ExactMatrix([[sum((weights[i] * m[i, y] * loss[i, r] for i in range(n)), QQ.zero) for r in range(k)] for y in range(q)])
    rows = [_Row(f"sum_{y}", "E", QQ.one, {y * k + r: QQ.one for r in range(k)}, smallest(costs.row(y))) for y in range(q)]
    rows += _loss_rows(consumer, q * k, weights, lambda i: {y * k + r: m[i, y] * loss[i, r] for y in range(q) for r in range(k)})
    best = decoder.numbers.matrix(witness["remap"], k) if "remap" in witness else decoder.mechanism("remap").matrix
    found = {"optimum": (best, m @ best)}
    if claim["kind"] == "not-optimal-remap":
        remap = decoder.mechanism("remap").matrix
        found["remap"] = remap, m @ remap
    value = decoder.numbers.scalar(claim["loss" if claim["kind"] == "not-optimal-after-remap" else "value"])
    return _least(consumer, _names("t", q, k), _point(costs), rows, value, found)


def _products(decoder: Decoder) -> _Program:
    """All row-stochastic R with A·R = B."""
    a, b, witness = decoder.mechanism("source").matrix, decoder.mechanism("target").matrix, decoder.certificate.witness
    (n, q), k = a.shape, b.shape[1]
    _require((n + 2) * q * k)
    no = "separator" in witness
    w = decoder.numbers.matrix(witness["separator"], k) if no else ExactMatrix([[QQ.zero] * k for _ in range(n)])
    gain = [[sum((w[i, z] * a[i, y] for i in range(n)), QQ.zero) for z in range(k)] for y in range(q)]
    rows = [_Row(f"sum_{y}", "E", QQ.one, {y * k + z: QQ.one for z in range(k)}, -max(gain[y])) for y in range(q)]
    for i in range(n):
        for z in range(k):
            rows.append(_Row(f"product_{i}_{z}", "E", b[i, z], {y * k + z: a[i, y] for y in range(q)}, w[i, z]))
    solutions = {} if no else {"remap": _point(decoder.numbers.matrix(witness["remap"], k))}
    return _Program(_names("r", q, k), q * k, {}, rows, None, solutions)


def _tight(decoder: Decoder) -> _Program:
    """All vectors z ≥ 0 with Φz = 1, or the claim's prior."""
    claim, witness = decoder.certificate.claim, decoder.certificate.witness
    phi = _constraints_matrix(decoder, PrivacyLevel(claim["level"]))
    n = len(phi)
    right = decoder.numbers.vector(claim["prior"], n) if "prior" in claim else (QQ.one,) * n
    solution = "weights" if "prior" in claim else "diagonal"
    given = "farkas" if "farkas" in witness else solution
    cells = witness.get("cells", list(range(n)))
    size = max(cells) + 1
    if "near" in witness:  # it says that the one solution is ≥ 0; here it is solved for
        members = [[h for h, c in enumerate(cells) if c == b] for b in range(size)]
        quotient = ExactMatrix([[sum((phi[cell[0]][h] for h in of), QQ.zero) for of in members] for cell in members])
        values: Sequence[Any] = quotient.solve(ExactMatrix([[QQ.one]] * size)).column(0)
    else:
        values = decoder.numbers.vector(witness[given], size)
    v = [values[c] for c in cells]
    no = given == "farkas"
    rows = [_Row(f"row_{i}", "E", right[i], dict(enumerate(phi[i])), -v[i] if no else QQ.zero) for i in range(n)]
    return _Program([f"z_{h}" for h in range(n)], n, {}, rows, None, {} if no else {given: dict(enumerate(v))})


_PROGRAMS: dict[str, Callable[[Decoder], _Program]] = {
    **dict.fromkeys(("optimal", "not-optimal", "optimal-after-remap"), _private),
    **dict.fromkeys(("optimal-remap", "not-optimal-remap", "not-optimal-after-remap"), _remaps),
    **dict.fromkeys(("derivable", "not-derivable"), _products),
    **dict.fromkeys(("tight", "not-tight", "regular", "not-regular"), _tight),
}


def _loss_rows(consumer: Consumer, d: int, weights: Sequence[Any], cost: Callable[[int], Terms]) -> Iterator[_Row]:
    """For a minimax consumer: d is at least the loss at every input of the side information."""
    if not isinstance(consumer, BayesianConsumer):
        for i in consumer.side_information.indices:
            yield _Row(f"loss_{i}", "G", QQ.zero, {**{v: -x for v, x in cost(i).items()}, d: QQ.one}, weights[i])


def _least(consumer: Consumer, names: list[str], expected: Terms, rows: list[_Row], value: Any, found: _Found) -> _Program:
    """The least loss: what is expected, or the variable d after the others."""
    points = {name: _point(x) for name, (x, _) in found.items()}
    if isinstance(consumer, BayesianConsumer):
        return _Program(names, len(names), expected, rows, value, points)
    for name, (_, x) in found.items():
        points[name][len(names)] = max(_loss_at(consumer, x, i) for i in consumer.side_information.indices)
    return _Program([*names, "d"], len(names), {len(names): QQ.one}, rows, value, points)


def _loss_at(consumer: Consumer, x: ExactMatrix, i: int) -> Any:
    return sum((loss * p for loss, p in zip(consumer.loss.matrix.row(i), x.row(i), strict=True)), QQ.zero)


def _require(coefficients: int) -> None:
    require_budget("the linear program", numbers=coefficients)


def _names(letter: str, rows: int, columns: int) -> list[str]:
    return [f"{letter}_{i}_{r}" for i in range(rows) for r in range(columns)]


def _point(matrix: ExactMatrix) -> Terms:
    n, k = matrix.shape
    return {i * k + r: matrix[i, r] for i in range(n) for r in range(k)}


# ---- What the certificate says of neighbours ----


def _explicit(decoder: Decoder) -> Dual:
    """The witness's dual with all its multipliers; a path's or a forest's have distances 1."""
    dual = decoder.dual()
    if dual.edges is not None:
        return dual
    consumer, pairs = decoder.consumer(), decoder.pairs()
    graph = Graph(consumer.inputs, [(i, j) for i, j, _ in pairs])
    return explicit_dual(graph, PrivacyLevel(decoder.certificate.claim["level"]), consumer, dual)


def _after_remap(decoder: Decoder) -> ExactMatrix:
    remap = decoder.numbers.matrix(decoder.certificate.witness["remap"], len(decoder.consumer().loss.guesses))
    return decoder.mechanism().matrix @ remap


def _constraints_matrix(decoder: Decoder, level: PrivacyLevel) -> list[list[Any]]:
    """Φ: α^d, by shortest paths of a graph, and by the table of distances as it stands."""
    d = decoder.certificate.definitions[decoder.certificate.claim["neighbours"]]
    if d["type"] == "distances":
        n = len(d["vertices"])
        _require(n * n)
        phi = [[QQ.one if i == h else QQ.zero for h in range(n)] for i in range(n)]
        for i, h, distance in decoder.pairs():
            phi[i][h] = phi[h][i] = level.power(distance)
        return phi
    graph = decoder.neighbours()
    assert isinstance(graph, Graph)
    _require(len(graph.vertices) ** 2)
    return [[QQ.zero if hops is None else level.alpha**hops for hops in row] for row in graph.hops()]


# ---- The file ----


def _problem(program: _Program) -> Iterator[str]:
    """From VER to RTP: what ``edpcheck --lp`` prints."""
    yield "VER 1.0"
    yield f"VAR {len(program.names)}"
    yield from program.names
    yield "INT 0"
    yield "OBJ min"
    yield _sparse(program.objective)
    yield f"CON {program.bounded + len(program.rows)} {program.bounded}"
    for v in range(program.bounded):
        yield f"bound_{program.names[v].partition('_')[2]} G 0 {_sparse({v: QQ.one})}"
    for row in program.rows:
        yield f"{row.name} {row.sense} {row.rhs} {_sparse(row.terms)}"
    if program.value is not None:
        yield f"RTP range {program.value} {program.value}"
    else:
        yield "RTP range -inf 0" if program.solutions else "RTP infeas"


def _proof(program: _Program) -> Iterator[str]:
    """The solutions, and the multipliers of all rows: the bounds x ≥ 0 have what is left of the objective."""
    yield f"SOL {len(program.solutions)}"
    for name, point in program.solutions.items():
        yield f"{name} {_sparse(point)}"
    if program.value is None and program.solutions:
        yield "DER 0"
        return
    left, bound = dict(program.objective), QQ.zero
    for row in program.rows:
        if row.multiplier:
            bound += row.multiplier * row.rhs
            for v, c in row.terms.items():
                left[v] = left.get(v, QQ.zero) - row.multiplier * c
    multipliers = {**left, **{program.bounded + e: row.multiplier for e, row in enumerate(program.rows)}}
    assert not any(left.get(v) for v in range(program.bounded, len(program.names)))
    yield "DER 1"
    goal = f"absurdity G {bound} 0" if program.value is None else f"bound G {program.value} OBJ"
    yield f"{goal} {{ lin {_sparse({v: multipliers[v] for v in sorted(multipliers)})} }} -1"


def _sparse(terms: Terms) -> str:
    kept = [(i, c) for i, c in terms.items() if c]
    return " ".join([str(len(kept)), *(f"{i} {c}" for i, c in kept)])
