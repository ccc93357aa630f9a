# SPDX-License-Identifier: MIT
"""Can this mechanism be computed from the output of that one? (Derivability; refinement A ⊑ B.)

B is derivable from A, and A is refined by B (A ⊑ B), when B = A·R with R row-stochastic. *Yes* comes with R.
*No* comes with a *separator* W, Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy (Farkas): the consumer with the uniform
prior and the loss c − |X|·W_xr strictly prefers B to whatever can be made of A. Where A is the geometric
mechanism of the line, K·x ≥ 0 on every column x of B decides [gs2010, Theorem 2], and violated triples are
named.

Refinement is reflexive and transitive; two mechanisms that refine each other are the same channel up to names
and repetitions of outputs. The Hasse diagram of several mechanisms shows these classes and the refinements
that do not follow from others. When the posteriors of A under the uniform prior are independent, A ⊑ B iff
those of B lie in their convex hull (Fernandes et al., Section 2.2): then the Earth moves are unique.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, NoReturn, ParamSpec, TypeVar

from exactdp.analysis.arguments import MechanismLike, as_given, as_mechanism, as_table, in_order_of
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.letters.tables import derivable_on_region
from exactdp.analysis.stochastic import is_stochastic
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.analysis.wording import begun
from exactdp.errors import DefectiveAnswerError, DomainError, InputError, wrong_kind
from exactdp.exact import ExactMatrix, is_mapping, largest
from exactdp.mechanisms import is_mechanism_spec
from exactdp.mechanisms.geometric import geometric_level
from exactdp.model import BayesianConsumer, FactoredMechanism, Loss, Mechanism, Prior, PrivacyLevel, Remap, Table
from exactdp.model.channel import Hyper
from exactdp.model.mechanism import over_one_field
from exactdp.runtime.progress import Listener, counted_off, part_of, report_phase
from exactdp.search.refinements import propose_post_processing

P = ParamSpec("P")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Triple:
    """A violated condition on the line: value = (K x)_row < 0 for the column x of the output ``output``.

    With i = ``row``, value = (1+α²) x_i − α (x_{i−1} + x_{i+1}) inside, and x_0 − α x_1 or x_n − α x_{n−1} at
    an end.
    """

    row: int
    output: int
    value: Any

    def rows(self, n: int) -> tuple[int, ...]:
        """The two or three rows that take part, of 0..n."""
        return tuple(i for i in (self.row - 1, self.row, self.row + 1) if 0 <= i <= n)


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivabilityEvidence:
    """Why one mechanism can or cannot be derived from another.

    Attributes
    ----------
    source, target
        A and B of B = A·R.
    remap : Remap or None
        R, when derivable.
    separator : ExactMatrix or None
        W (inputs × outputs of B), when not.
    consumer : BayesianConsumer or None
        The separating consumer made from W, when not.
    source_loss, target_loss : scalar or None
        The consumer's least loss of a remap of A, and its loss of B as it is: target_loss < source_loss.
    triples : tuple of Triple
        On the line, every violated triple or end.
    """

    source: Mechanism
    target: Mechanism
    remap: Remap | None = None
    separator: ExactMatrix | None = None
    consumer: BayesianConsumer | None = None
    source_loss: Any = None
    target_loss: Any = None
    triples: tuple[Triple, ...] = ()


def is_refined_by(
    mechanism: MechanismLike, target: MechanismLike, *, progress: Listener | None = None
) -> Verdict[DerivabilityEvidence | Any]:
    """Is a mechanism A refined by ``target``, B: is A ⊑ B, that is, B = A·R for a row-stochastic R?

    A comes first, as in this sentence, in ``exactdp refine A B``, and in libqif. It is the same question as
    ``is_derivable(B, source=A)``.

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        A, (n, m), exact.
    target : Mechanism, Table, text or rows
        B, (n, k), exact, on the same inputs.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[DerivabilityEvidence]
        As :func:`is_derivable` of B from A.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> from exactdp import geometric, uniform
    >>> G = geometric(2, "1/2")
    >>> bool(is_refined_by(G, uniform(G.inputs))), bool(is_refined_by(uniform(G.inputs), G))
    (True, False)
    """
    first, second = as_given(mechanism), as_given(target, name="target")
    names = name_of(mechanism, first, "the mechanism"), name_of(target, second, "the target")
    return derivability(second, first, names, progress)


def _by_name(question: Callable[P, V]) -> Callable[P, V]:
    """The question, whose error says which mechanism is which where the source has no name."""

    @wraps(question)
    def asked(*given: P.args, **named: P.kwargs) -> V:
        if len(given) > 1 or (given and not named):
            _refuse_unnamed()
        return question(*given, **named)

    return asked


def _refuse_unnamed() -> NoReturn:
    """Say what is to be derived from what."""
    raise TypeError(
        "is_derivable() takes one mechanism by position, and what it is to be made from by name: is_derivable(A, source=B) asks "
        "whether A can be made from B, and is_derivable(B, source=A) whether B can be made from A"
    )


@_by_name
def is_derivable(
    mechanism: MechanismLike, *, source: MechanismLike, progress: Listener | None = None
) -> Verdict[DerivabilityEvidence | Any]:
    """Can a mechanism be derived from ``source``: is there a row-stochastic R with mechanism = source · R?

    The mechanism comes first, as in this sentence and in ``exactdp derive A --source B``. It is the same
    question as ``is_refined_by(source, mechanism)``.

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        (n, k), exact.
    source : Mechanism, Table, text or rows
        (n, m), exact, on the same inputs. A geometric mechanism is recognised and decided by K x ≥ 0.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[DerivabilityEvidence]
        Proved with R; or refuted with a separator, the consumer it stands for with both losses, and on the
        line every violated triple. With letters, whether it is so at every point of their region
        (:class:`~exactdp.analysis.letters.tables.DerivableOnRegion`).

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> from exactdp import geometric
    >>> is_derivable(geometric(1, "1/2"), source=geometric(1, "1/4")).evidence.remap.matrix
    ExactMatrix([['7/9', '2/9'], ['2/9', '7/9']])
    """
    first, second = as_given(source, name="source"), as_given(mechanism)
    names = name_of(source, first, "the source"), name_of(mechanism, second, "the mechanism")
    return derivability(second, first, names, progress)


def name_of(given: MechanismLike, read: Mechanism | FactoredMechanism | Table, otherwise: str) -> str:
    """What sentences call a mechanism: by its word, or by the file that it was read from.

    >>> one = Table([[1]])
    >>> name_of("geometric:n=1,alpha=1/2", one, "the source"), name_of([[1]], one, "the source")
    ('geometric:n=1,alpha=1/2', 'the source')
    """
    if isinstance(given, str) and is_mechanism_spec(given):
        return given
    source = None if isinstance(read, FactoredMechanism) else read.source
    return otherwise if source is None else str(source)


def derivability(
    given: Mechanism | FactoredMechanism | Table,
    beside: Mechanism | FactoredMechanism | Table,
    names: tuple[str, str],
    progress: Listener | None = None,
) -> Verdict[DerivabilityEvidence | Any]:
    """Is a mechanism derivable from another one beside it? ``names`` are what sentences call that and this.

    >>> from exactdp import geometric
    >>> strong, weak = geometric(1, "1/2"), geometric(1, "1/4")
    >>> print(derivability(weak, strong, ("S", "W")).claim[:29])
    W is not derivable from S: th
    """
    if letters_in(given, beside):
        table = as_table(given)
        ask = partial(derivability, names=names)
        return derivable_on_region(table, in_order_of(as_table(beside, name="source"), table.inputs, names[0]), names, ask, is_stochastic)
    target = as_mechanism(given)
    first, target = over_one_field(in_order_of(as_mechanism(beside, name="source"), target.inputs, names[0]), target)
    level = geometric_level(first)
    if level is not None:
        report_phase(progress, "three-term conditions")
        return _on_the_line(first, target, level, names)
    found = propose_post_processing(first, target, progress=progress)
    if isinstance(found, Remap):
        return _derivable(first, target, found, names)
    return _not_derivable(first, target, found, (), names)


def line_values(matrix: ExactMatrix, alpha: Any) -> list[list[Any]]:
    """(K x)_i for every column x of an (n+1)-row matrix: the conditions of the line, ends included."""
    rows = list(matrix.rows())
    n = len(rows) - 1
    inside = 1 + alpha * alpha
    values = [[x - alpha * y for x, y in zip(rows[0], rows[1], strict=True)]]
    for i in range(1, n):
        around = zip(rows[i - 1], rows[i], rows[i + 1], strict=True)
        values.append([inside * x - alpha * (before + after) for before, x, after in around])
    values.append([x - alpha * y for x, y in zip(rows[n], rows[n - 1], strict=True)])
    return values


def _on_the_line(source: Mechanism, target: Mechanism, level: PrivacyLevel, names: tuple[str, str]) -> Verdict[DerivabilityEvidence]:
    a = level.alpha
    n = target.n_inputs - 1
    values = line_values(target.matrix, a)
    triples = tuple(Triple(i, r, v) for i, row in enumerate(values) for r, v in enumerate(row) if v < 0)
    if triples:
        return _not_derivable(source, target, _line_separator(target, a, triples[0]), triples, names)
    # R = G^(−1)·B: row j of K·B, divided by (1 − α) at an end of the line and by (1 − α)² inside
    scale = [1 / ((1 - a) if j in (0, n) else (1 - a) ** 2) for j in range(n + 1)]
    rows = ExactMatrix([[s * v for v in row] for s, row in zip(scale, values, strict=True)])
    return _derivable(source, target, Remap(rows, source.outputs, target.outputs), names)


def _line_separator(target: Mechanism, a: Any, triple: Triple) -> ExactMatrix:
    """Minus row i of K, in the violated column x: Σ W·B = −(K x)_i > 0, while the entries of K·G are ≥ 0."""
    n, i = target.n_inputs - 1, triple.row
    diagonal = 1 if i in (0, n) else 1 + a * a

    def entry(x: int, r: int) -> Any:
        if r != triple.output or abs(x - i) > 1:
            return 0
        return -diagonal if x == i else a

    return ExactMatrix.build(n + 1, target.n_outputs, entry)


def _derivable(source: Mechanism, target: Mechanism, remap: Remap, names: tuple[str, str]) -> Verdict[DerivabilityEvidence]:
    if source.matrix @ remap.matrix != target.matrix:
        raise DefectiveAnswerError("the post-processing found does not give the target; please report this", remap=remap)
    first, second = names
    size = f"{source.n_outputs}×{target.n_outputs}"
    claim = f"{begun(second)} is derivable from {first}: it equals {first.removeprefix('the ')} · R for a row-stochastic R ({size})"
    evidence = DerivabilityEvidence(source=source, target=target, remap=remap)
    return Verdict(Decision.PROVED, claim, evidence, scope_of(source, target), _called(names))


def _called(names: tuple[str, str]) -> tuple[str, ...]:
    """Which is the source and which the target, where they have names."""
    words = ("source", "target")
    return tuple(f"{word} {name}" for word, name in zip(words, names, strict=True) if not name.startswith("the "))


def _not_derivable(
    source: Mechanism, target: Mechanism, separator: ExactMatrix, triples: tuple[Triple, ...], names: tuple[str, str]
) -> Verdict[DerivabilityEvidence]:
    consumer, source_loss, target_loss = separating_consumer(source, target, separator)
    if not target_loss < source_loss:
        raise DefectiveAnswerError("the separator found does not separate; please report this", separator=separator)
    evidence = DerivabilityEvidence(
        source=source,
        target=target,
        separator=separator,
        consumer=consumer,
        source_loss=source_loss,
        target_loss=target_loss,
        triples=triples,
    )
    first, second = names
    claim = f"{begun(second)} is not derivable from {first}"
    if triples:
        t = triples[0]
        rows = ", ".join(target.inputs[i] for i in t.rows(target.n_inputs - 1))
        claim += f": the three-term condition is {t.value} < 0 at rows {rows} of column {target.outputs[t.output]}"
    claim += f"; a consumer gets loss {target_loss} from {second} and at best {source_loss} from {first}"
    return Verdict(Decision.REFUTED, claim, evidence, scope_of(source, target), _called(names))


def separating_consumer(source: Mechanism, target: Mechanism, separator: ExactMatrix) -> tuple[BayesianConsumer, Any, Any]:
    """A consumer made from a separator W, its least loss from ``source`` and its loss from ``target``.

    The prior is uniform and the loss c − |X|·W; c is the least constant that makes the loss non-negative.
    Whoever asks compares the two losses: that checks the separator.
    """
    size = target.n_inputs
    c = largest(size * w for row in separator.rows() for w in row)
    loss = Loss(separator.map(lambda w: c - size * w), target.inputs, target.outputs, name="separating")
    consumer = BayesianConsumer(loss, Prior.uniform(target.inputs))
    kept = source.matrix.T @ separator
    best = sum((largest(row) for row in kept.rows()), kept.field.zero)
    return consumer, c - best, consumer.loss_of(target)


@dataclass(frozen=True, kw_only=True)
class RefinementOrder:
    """The refinements among several mechanisms.

    Attributes
    ----------
    names : tuple of str
    mechanisms : tuple of Mechanism
    answers : dict
        For each ordered pair (i, j), i ≠ j: why mechanism i is, or is not, refined by mechanism j.
    """

    names: tuple[str, ...]
    mechanisms: tuple[Mechanism, ...]
    answers: dict[tuple[int, int], DerivabilityEvidence]

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All (i, j), i ≠ j, with mechanism i refined by mechanism j, in lexicographic order."""
        return tuple(pair for pair in sorted(self.answers) if self.answers[pair].remap is not None)

    @property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The mechanisms that refine each other, together."""
        below = set(self.pairs)
        found: list[tuple[int, ...]] = []
        for i in range(len(self.names)):
            if not any(i in part for part in found):
                found.append((i, *(j for j in range(i + 1, len(self.names)) if (i, j) in below and (j, i) in below)))
        return tuple(found)

    @property
    def incomparable(self) -> tuple[tuple[int, int], ...]:
        """All (i, j), i < j, of which neither is refined by the other."""
        below = set(self.pairs)
        return tuple((i, j) for i, j in sorted(self.answers) if i < j and not {(i, j), (j, i)} & below)

    @property
    def covers(self) -> tuple[tuple[int, int], ...]:
        """The edges of the Hasse diagram, as pairs of numbers of classes."""
        below = set(self.pairs)
        heads = [part[0] for part in self.classes]
        strict = {(a, b) for a in range(len(heads)) for b in range(len(heads)) if a != b and (heads[a], heads[b]) in below}
        return tuple(sorted((a, b) for a, b in strict if not any((a, c) in strict and (c, b) in strict for c in range(len(heads)))))

    def __str__(self) -> str:
        texts = ["≡".join(self.names[i] for i in part) for part in self.classes]
        edges = [f"{texts[a]} ⊑ {texts[b]}" for a, b in self.covers]
        alone = [text for k, text in enumerate(texts) if not any(k in edge for edge in self.covers)]
        return "; ".join([*edges, *alone])


def refinement_order(mechanisms: Mapping[str, MechanismLike], *, progress: Listener | None = None) -> Verdict[RefinementOrder]:
    """Which of these mechanisms are refined by which?

    Parameters
    ----------
    mechanisms : mapping from name to Mechanism
        Two or more, on the same inputs.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[RefinementOrder]
        Proved, with a post-processing or a separator for every pair.

    Raises
    ------
    InputError
        Fewer than two mechanisms.
    LabelError
        The inputs differ.

    Examples
    --------
    >>> from exactdp import geometric, identity, uniform
    >>> named = {"nothing": uniform(range(3)), "G": geometric(2, "1/2"), "all": identity(range(3))}
    >>> order = refinement_order(named)
    >>> print(order.evidence)
    G ⊑ nothing; all ⊑ G
    """
    if not is_mapping(mechanisms):
        raise wrong_kind("set of mechanisms", mechanisms, "a mapping from names to mechanisms, such as {'A': first, 'B': second}")
    names = tuple(map(str, mechanisms))
    if len(names) < 2:
        raise InputError("an order of refinement needs two mechanisms or more", names=names)
    if letters_in(*map(as_given, mechanisms.values())):
        raise DomainError("an order of refinement is for numbers; with letters ask is_derivable of each pair", names=names)
    given = [as_mechanism(mechanism, name=f"mechanism {name}") for name, mechanism in mechanisms.items()]
    things = over_one_field(*(mechanism.aligned(given[0].inputs) for mechanism in given))
    pairs = [(i, j) for i in range(len(things)) for j in range(len(things)) if i != j]
    answers = {}
    for i, j in counted_off(pairs, progress, "refinements", "pairs", detail=lambda pair: f"{names[pair[0]]} ⊑ {names[pair[1]]}?"):
        told = part_of(progress, f"{names[i]} ⊑ {names[j]}?")
        answers[i, j] = is_derivable(things[j], source=things[i], progress=told).evidence
    evidence = RefinementOrder(names=names, mechanisms=things, answers=answers)
    count = len(evidence.pairs)
    claim = f"Among {', '.join(names)} exactly {count} of {len(answers)} ordered pairs are refinements: {evidence}"
    return Verdict(Decision.PROVED, claim, evidence, scope_of(*things))


@dataclass(frozen=True)
class EarthMove:
    """How the posteriors of a refined channel come from independent ones.

    Attributes
    ----------
    source, target : Hyper
        Under the uniform prior.
    shares : ExactMatrix
        Row k: weights, summing to 1, with which the target's inner k is a combination of the source's inners.
    inside : bool
        Whether all are ≥ 0: every target inner is in the convex hull.
    """

    source: Hyper
    target: Hyper
    shares: ExactMatrix
    inside: bool


def earth_move(mechanism: MechanismLike, target: MechanismLike) -> EarthMove | None:
    """The target's posteriors as combinations of the mechanism's, if these are independent and span them.

    The masses Σ_k (outer of target k)·share_kj then are the mechanism's outer, because the combination that
    makes the uniform prior is unique: so the mechanism is refined by the target iff every share is ≥ 0
    [Fernandes et al., Section 2.2].

    Parameters
    ----------
    mechanism, target : Mechanism, Table, text or rows
        On the same inputs; posteriors are taken under the uniform prior.

    Returns
    -------
    EarthMove or None
        None when the mechanism's posteriors are dependent (then ask :func:`is_refined_by`), and when they do
        not span the target's (then the target does not refine the mechanism).

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> from exactdp import geometric
    >>> strong, weak = geometric(2, "1/2"), geometric(2, "1/4")
    >>> earth_move(weak, strong).inside, earth_move(strong, weak).inside
    (True, False)
    """
    source = as_mechanism(mechanism)
    target = in_order_of(as_mechanism(target, name="target"), source.inputs, "the target")
    prior = Prior.uniform(source.inputs)
    first, second = Hyper.of(source, prior), Hyper.of(target, prior)
    if not first.is_independent():
        return None
    columns = ExactMatrix([list(inner) for inner in first.inners]).T
    gram = columns.T @ columns
    right = ExactMatrix([list(inner) for inner in second.inners]).T
    shares = gram.solve(columns.T @ right)
    if columns @ shares != right:
        return None
    entries: list[Any] = [x for row in shares.rows() for x in row]
    return EarthMove(first, second, shares.T, all(x >= 0 for x in entries))
