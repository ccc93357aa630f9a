# SPDX-License-Identifier: MIT
"""Consumers: who uses the output, what a wrong guess costs them, what they know; their problem and its dual.

A minimax consumer knows a set S of possible inputs and suffers max over i ∈ S of Σ_r l(i,r) x[i][r]; a
Bayesian consumer has a prior π and suffers Σ_i π_i Σ_r l(i,r) x[i][r].

With weights w on the inputs (a prior), a channel M and a table l of losses, guess g at output y costs C_yg =
Σ_x w_x M_xy l(x,g). A remap that picks the best guess of every output costs Σ_y min_g C_yg, the least of all
remaps [gs2010, 2.4.3]; with a table of gains it has the most, Σ_y max_g C_yg.

The problem: which mechanism that is private at a level between neighbours has the least loss for a consumer
[gs2010, 2.5]? Its dual says why no private mechanism does better. For weights w on the inputs every α-private
x has loss(x) ≥ Σ_i w_i Σ_r l(i,r) x_ir; the rest of the dual bounds the right side from below. The three
forms are those of SPEC.md §4.2:

* **path rule**: weights only (the least favourable prior); everything else is recomputed (docs/mathematics.md
  §1);
* **forest rule**: weights and potentials μ; a sweep over the tree decides (docs/mathematics.md §2);
* **graph rule**: weights, potentials and one signed multiplier for each constrained pair and guess.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple, Self

from exactdp.display import LARGEST, Displayed, short_digest
from exactdp.elsewhere import needing
from exactdp.errors import ExactDPError, InputError, LabelError, wrong_kind
from exactdp.exact import (
    QQ,
    ExactMatrix,
    ExponentialField,
    OrderedField,
    OverOneDenominator,
    Rational,
    RegionField,
    ScaledPowers,
    common_field,
    entries_of,
    integer_vector,
    largest,
    members_of,
    number_of_place,
    smallest,
)
from exactdp.exact.power_sums import powers
from exactdp.exact.repeated import RepeatedSums
from exactdp.model.graph import Neighbours
from exactdp.model.labels import (
    Label,
    Labels,
    as_label,
    as_labels,
    brief,
    integer_labels,
    is_integer_label,
    order_of,
    places_in,
    position_of,
)
from exactdp.model.level import PrivacyLevel
from exactdp.model.loss import Loss, LossLike
from exactdp.model.measure import Measure
from exactdp.model.mechanism import Mechanism, Table
from exactdp.model.named_losses import LOSSES, ON_PATHS, meant_loss, path_sums
from exactdp.model.neighbours import NeighboursLike
from exactdp.model.neighbours import neighbours as as_neighbours
from exactdp.model.vectors import PRIORS, Prior, PriorLike, labelled_entries
from exactdp.runtime.values import dataclass
from exactdp.spelling import both_spellings


@dataclass(frozen=True, slots=True, init=False)
class SideInformation:
    """The set S of inputs that a minimax consumer holds possible.

    Parameters
    ----------
    indices : iterable of int
        Input numbers, from 0; not empty, each once. Kept in increasing order.
    inputs : sequence of str or int
        The labels of all inputs.

    Examples
    --------
    >>> SideInformation.parse("1..3", range(5)).indices
    (1, 2, 3)
    >>> SideInformation.of(["b"], ["a", "b"]).labels
    ('b',)
    """

    indices: tuple[int, ...]
    inputs: Labels

    def __init__(self, indices: Iterable[int], inputs: Iterable[Label]) -> None:
        numbers = sorted(number_of_place(i, "input number") for i in members_of(indices, "input numbers"))
        object.__setattr__(self, "indices", tuple(numbers))
        object.__setattr__(self, "inputs", as_labels(inputs, what="input label"))
        self._check()

    def _check(self) -> None:
        """Some input is possible, each is one of the inputs, and none is given twice."""
        if not self.indices:
            raise InputError("the side information is empty: some input must be possible", indices=())
        for place, i in enumerate(self.indices):
            if not 0 <= i < len(self.inputs):
                count = len(self.inputs)
                message = f"input number {i}: the {count} inputs are numbered 0 to {count - 1}"
                raise LabelError(message, label=i)
            if place and self.indices[place - 1] == i:
                message = f"the input {self.inputs[i]!r} is given twice in the side information"
                raise LabelError(message, label=self.inputs[i])

    @classmethod
    def of(cls, labels: Iterable[Label], inputs: Iterable[Label]) -> SideInformation:
        """The set with these *labels* (an int is a label, not a position)."""
        known = as_labels(inputs, what="input label")
        chosen = members_of(labels, "possible inputs")
        return cls([position_of(label, known, what="input") for label in chosen], known)

    @classmethod
    def over(cls, possible: SideInformationLike | None, inputs: Labels) -> SideInformation:
        """The set that somebody means, of these inputs: itself, text as for :meth:`parse`, labels, or all."""
        if possible is None:
            return cls.everything(inputs)
        if isinstance(possible, SideInformation):
            return possible.aligned(inputs)
        return cls.parse(possible, inputs) if isinstance(possible, str) else cls.of(possible, inputs)

    @classmethod
    def everything(cls, inputs: Iterable[Label]) -> SideInformation:
        """All inputs are possible."""
        known = as_labels(inputs, what="input label")
        return cls(range(len(known)), known)

    @classmethod
    def parse(cls, text: str, inputs: Iterable[Label]) -> SideInformation:
        """Read ``0..3`` (integer labels from 0 to 3), ``1,2,5``, or ``0,0;0,1`` where labels have commas."""
        known = as_labels(inputs, what="input label")
        if not isinstance(text, str):
            raise wrong_kind("side information", text, "text such as '0..3' or '1,2,5'")
        if text in known:
            return cls.of([text], known)
        separator = ";" if any("," in label for label in known) else ","
        span = re.fullmatch(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})", text, re.ASCII)
        if span is None:
            return cls.of([word.strip() for word in text.split(separator)], known)
        low, high = int(span[1]), int(span[2])
        if low > high:
            raise InputError(f"the side information {text!r} is empty: {low} > {high}", text=text)
        named = f"name the inputs, such as {separator.join(known[:2])}"
        values = integer_labels(known, purpose=f"the range {text!r}", instead=named)
        missing = [end for end in (low, high) if end not in values]
        if missing:
            message = f"unknown input {str(missing[0])!r} in {text!r}; the labels are {brief(known)}"
            raise LabelError(message, label=str(missing[0]), labels=known)
        return cls([i for i, value in enumerate(values) if low <= value <= high], known)

    def aligned(self, inputs: Labels) -> SideInformation:
        """The same set among these inputs: matched by label, or by position if neither is labelled."""
        inputs = order_of(inputs, self.inputs)
        if self.inputs == inputs:
            return self
        places = places_in(self.inputs, inputs, got_what="the side information's inputs", expected_what="the inputs asked about")
        return SideInformation([k for k, i in enumerate(places) if i in self.indices], inputs)

    def relabelled(self, inputs: Iterable[Label]) -> SideInformation:
        """The same places with other labels.

        >>> SideInformation([1], range(2)).relabelled(["no", "yes"]).labels
        ('yes',)
        """
        return SideInformation(self.indices, as_labels(inputs, len(self.inputs), what="input label"))

    @property
    def labels(self) -> Labels:
        """The labels of the possible inputs."""
        return tuple(self.inputs[i] for i in self.indices)

    def __contains__(self, i: int) -> bool:
        return i in self.indices

    def __str__(self) -> str:
        runs = groupby(enumerate(self.indices), key=lambda pair: pair[1] - pair[0])
        apart = "; " if any("," in label for label in self.labels) else ", "
        spans = [self._span([index for _, index in run]) for _, run in runs]
        digest = f"; {short_digest(sorted(self.labels))}" if any("…" in span for span in spans) else ""
        return "{" + apart.join(spans) + digest + "}"

    def _span(self, run: Sequence[int]) -> str:
        """A run of inputs; from three numbers on that count up as its ends, as :meth:`parse` reads them."""
        labels = [self.inputs[i] for i in run]
        values = integer_labels(labels, purpose="a span") if all(map(is_integer_label, labels)) else ()
        counted = len(values) > 2 and all(b - a == 1 for a, b in pairwise(values))
        return f"{labels[0]}..{labels[-1]}" if counted else brief(labels)[1:-1]


SideInformationLike = SideInformation | str | Iterable[Label]
"""What says a set of possible inputs: itself, text such as ``0..3`` or ``1,2,5``, or their labels."""


def _loss_as_given(loss: LossLike) -> Loss | str:
    """The loss, or the word that names one on the inputs that are asked about later."""
    if not isinstance(loss, str):
        return Loss.over(loss)
    if loss not in LOSSES:
        known = f"{meant_loss(loss)}the words are {', '.join(LOSSES)}"
        raise InputError(f"{loss[:60]!r} is no loss; {known}, or give rows of exact numbers", spec=loss)
    return loss


class _HasLoss(Displayed):
    """What both kinds of consumers can say from their loss."""

    __slots__ = ()

    _loss: Loss | str

    @property
    def loss(self) -> Loss:
        """The loss; InputError if it is only a word, because the inputs are not known yet (:meth:`on`)."""
        if isinstance(self._loss, str):
            message = f"the loss {self._loss!r} of this consumer is not yet one of certain inputs; say consumer.on(neighbours) first"
            raise InputError(message, spec=self._loss)
        return self._loss

    @property
    def is_bound(self) -> bool:
        """Whether the loss has inputs already."""
        return not isinstance(self._loss, str)

    @property
    def loss_word(self) -> str | None:
        """The word of its loss while the inputs are not known; None when they are."""
        return self._loss if isinstance(self._loss, str) else None

    @property
    def inputs(self) -> Labels:
        """The input labels."""
        return self.loss.inputs

    @property
    @abstractmethod
    def _known(self) -> Any:
        """The side information, or the prior; on inputs of its own once the loss has them."""

    @abstractmethod
    def _with(self, loss: Loss | str, known: Any) -> Self:
        """The consumer of this kind with this loss, who knows this."""

    @both_spellings
    def on(self, neighbours: NeighboursLike) -> Self:
        """The same consumer, its words meant on the inputs of these neighbours.

        >>> MinimaxConsumer("distance").on("cycle:4").loss.matrix.row(0)
        (Rational('0'), Rational('1'), Rational('2'), Rational('1'))
        """
        near = as_neighbours(neighbours)
        return self._on(near.vertices, near)

    @both_spellings
    def over(self, inputs: Labels, neighbours: Neighbours | None = None) -> Self:
        """The same consumer on these inputs, in this order, asked about beside these neighbours."""
        found = self._on(inputs, neighbours)
        loss = found.loss if neighbours is None else found.loss.beside(neighbours)
        return found if loss is found.loss else found._with(loss, found._known)

    def _on(self, inputs: Labels, neighbours: Neighbours | None) -> Self:
        if self.is_bound:
            return self.aligned(inputs)
        return self._with(Loss.over(self._loss, inputs, neighbours), self._known).aligned(inputs)

    def aligned(self, inputs: Labels | None = None, guesses: Labels | None = None) -> Self:
        """The same consumer with inputs and guesses in the order of these labels, as :meth:`Loss.aligned`."""
        loss = self.loss.aligned(inputs, guesses)
        return self if loss is self.loss else self._with(loss, self._known.aligned(loss.inputs))

    def row_losses(self, mechanism: Mechanism | Table) -> tuple[Any, ...]:
        """The expected loss Σ_r l(i,r) x[i][r] at every input i."""
        if not isinstance(mechanism, (Mechanism, Table)):
            raise wrong_kind("mechanism", mechanism, "a Mechanism or a Table")
        mechanism = mechanism.aligned(self.loss.inputs, self.loss.guesses)
        if isinstance(mechanism.matrix, OverOneDenominator) and self.loss.matrix.field == QQ:
            return mechanism.matrix.row_products(self.loss.matrix.rows())
        matrix, kind = mechanism.matrix, self.loss.kind
        stochastic = isinstance(mechanism, Mechanism)
        if kind in ON_PATHS and stochastic and isinstance(matrix, ScaledPowers) and matrix.shape[0] == matrix.shape[1]:
            return _losses_of_powers(matrix, kind)
        losses = self.loss.matrix
        if losses.field == mechanism.field == QQ and type(matrix) is ExactMatrix:
            return losses.dots(matrix)
        pairs = zip(losses.rows(), mechanism.rows(), strict=True)
        if losses.field == mechanism.field == QQ:  # products of matrices have one denominator a row
            return tuple((ExactMatrix([values]) @ ExactMatrix([row]).T)[0, 0] for values, row in pairs)
        if isinstance(mechanism.field, ExponentialField) and self.loss.matrix.field in (QQ, mechanism.field):
            return self._repeated_losses(mechanism)
        zero = mechanism.field.zero
        return tuple(sum((v * x for v, x in zip(values, row, strict=True)), zero) for values, row in pairs)

    def _repeated_losses(self, mechanism: Mechanism | Table) -> tuple[Any, ...]:
        """The same where many entries are one object: equal losses are made one object, too."""
        sums, one_of = RepeatedSums(mechanism.field), dict[Any, Any]()
        pairs = zip(self.loss.matrix.rows(), mechanism.rows(), strict=True)
        return tuple(sums.dot([one_of.setdefault(v, v) for v in values], row) for values, row in pairs)

    def describe(self) -> str:
        """One line for people."""
        raise NotImplementedError

    def _with_digests(self, *, loss: bool, prior: bool) -> Self:
        """The same, called by what it is: its loss beside its name by its digest, a prior by its weights."""
        found, known = self._loss, self._known
        if loss and isinstance(found, Loss) and found.kind is None:
            own = found.name if found.gain is None else found.gain
            found = found.called(f"{own} ({found.digest})" if own and own not in LOSSES else "")
        if prior and isinstance(known, Prior):
            known = Prior(known.weights, known.inputs)
        return self._with(found, known)

    def _numbered(self, number: int) -> Self:
        """The same with its number beside the name of its loss; as it is where that is a word."""
        if isinstance(self._loss, str):
            return self
        title = self._loss.title.partition(" ")[2]
        return self._with(self._loss.called(f"{title} (consumer {number})"), self._known)

    def _in_brief(self) -> str | None:
        large = not self.is_bound or max(len(self.loss.inputs), len(self.loss.guesses)) > LARGEST
        return self.describe() if large else None

    @property
    def _loss_title(self) -> str:
        return f"loss {self._loss}" if isinstance(self._loss, str) else self._loss.title

    @property
    def field(self) -> OrderedField:
        """The least field with the losses."""
        return self.loss.field

    @property
    def measure(self) -> Measure:
        """How answers state what it loses: as a loss, or as the utility of its gain."""
        return self.loss.measure


def _losses_of_powers(matrix: ScaledPowers, kind: str) -> tuple[Any, ...]:
    """The expected loss at every input of a mechanism α^|i−j|·z_j, whose rows sum to 1, without its table.

    >>> [str(x) for x in _losses_of_powers(ScaledPowers(Rational("1/2"), [Rational("2/3")] * 2), "abs")]
    ['1/3', '1/3']
    """
    n = len(matrix.scales) - 1
    if matrix.field is QQ:
        (den, scales), p, q = integer_vector(list(matrix.scales)), matrix.base.numerator, matrix.base.denominator
        scale = powers(q, n)
        below = scale[n] * den
        losses = path_sums(kind).losses(p, q, [(j, j, z) for j, z in enumerate(scales)], scale, below)
        return tuple(Rational(x, below) for x in losses)
    pairs = [(j, j, z) for j, z in enumerate(matrix.scales)]
    return tuple(map(matrix.field, path_sums(kind).losses(matrix.base, 1, pairs, powers(1, n), matrix.field.one)))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class MinimaxConsumer(_HasLoss):
    """A consumer who prepares for the worst input among those that the side information leaves.

    Parameters
    ----------
    loss : Loss, Gain, Table, text or rows
        One of the words abs, squared, zero-one and distance is a loss on the inputs of the question, whatever
        they are (:meth:`on`).
    side_information : SideInformation, text or labels, optional
        Everything unless given.

    Examples
    --------
    >>> MinimaxConsumer("abs", "1..2").on("path:4").describe()
    'the minimax consumer with loss abs and side information {1, 2}'
    >>> consumer = MinimaxConsumer(Loss.absolute(range(2)))
    >>> consumer.loss_of(Mechanism([["2/3", "1/3"], ["1/4", "3/4"]]))
    Rational('1/3')
    >>> consumer.describe()
    'the minimax consumer with loss abs and side information {0, 1}'
    """

    _loss: Loss | str
    _side_information: SideInformation | str | Labels | None

    @needing("loss", "MinimaxConsumer('abs')")
    def __init__(self, loss: LossLike, side_information: SideInformationLike | None = None) -> None:
        given = _loss_as_given(loss)
        possible = side_information
        if possible is not None and not isinstance(possible, (SideInformation, str)):
            if not isinstance(possible, Iterable) or isinstance(possible, Mapping):
                raise wrong_kind("side information", possible, "a SideInformation, text such as '0..3', or a list of labels")
            possible = tuple(as_label(label, what="possible input") for label in members_of(possible, "possible inputs"))
        object.__setattr__(self, "_loss", given)
        if isinstance(given, Loss):
            possible = SideInformation.over(possible, given.inputs)
        object.__setattr__(self, "_side_information", possible)

    @property
    def side_information(self) -> SideInformation:
        """The set S; InputError while the inputs are not known (:meth:`on`)."""
        if isinstance(self._side_information, SideInformation):
            return self._side_information
        return SideInformation.over(self._side_information, self.inputs)

    @property
    def is_over_all_inputs(self) -> bool:
        """Whether every input is possible, whatever they are."""
        return self._side_information is None

    @property
    def _known(self) -> SideInformation | str | Labels | None:
        return self._side_information

    def _with(self, loss: Loss | str, known: Any) -> Self:
        return type(self)(loss, known)

    def loss_of(self, mechanism: Mechanism | Table) -> Any:
        """The largest expected loss over S."""
        rows = self.row_losses(mechanism)
        return largest(rows[i] for i in self.side_information.indices)

    def describe(self) -> str:
        """One line for people."""
        whole = f"the minimax consumer with {self._loss_title}"
        if self.is_bound:
            return f"{whole} and side information {self.side_information}"
        known = self._side_information
        if known is None:
            return whole
        shown = known if isinstance(known, (str, SideInformation)) else "{" + ", ".join(known) + "}"
        return f"{whole} and side information {shown}"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class BayesianConsumer(_HasLoss):
    """A consumer who minimises the expected loss under a prior.

    Parameters
    ----------
    loss : Loss, Gain, Table, text or rows
        As for :class:`MinimaxConsumer`.
    prior : Prior, text, list or mapping, optional
        Uniform unless given.

    Examples
    --------
    >>> BayesianConsumer("abs", ["1/2", "1/4", "1/4"]).on("path:3").describe()
    'the Bayesian consumer with loss abs and prior (0: 1/2, 1: 1/4, 2: 1/4)'
    >>> consumer = BayesianConsumer(Loss.zero_one(range(2)), Prior(["1/4", "3/4"]))
    >>> consumer.loss_of(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]))
    Rational('1/3')
    """

    _loss: Loss | str
    _prior: PriorLike

    @property
    def field(self) -> OrderedField:
        """The least field with the losses and the weights of the prior."""
        return common_field(self.loss, self.prior.weights[0])

    @needing("loss", "BayesianConsumer('abs', 'uniform')")
    def __init__(self, loss: LossLike, prior: PriorLike = "uniform") -> None:
        given, known = _loss_as_given(loss), prior
        if isinstance(given, Loss):
            letters = given.field if isinstance(given.field, RegionField) else None
            known = Prior.over(prior, given.inputs, letters)
        elif not isinstance(prior, (Prior, str)):
            known = _weights(prior)
        object.__setattr__(self, "_loss", given)
        object.__setattr__(self, "_prior", known)

    @property
    def prior(self) -> Prior:
        """The prior; InputError while the inputs are not known (:meth:`on`)."""
        return self._prior if isinstance(self._prior, Prior) else Prior.over(self._prior, self.inputs)

    @property
    def is_over_all_inputs(self) -> bool:
        """Whether the prior is uniform, whatever the inputs are."""
        return isinstance(self._prior, str) and self._prior == "uniform"

    @property
    def _known(self) -> PriorLike:
        return self._prior

    def _with(self, loss: Loss | str, known: Any) -> Self:
        return type(self)(loss, known)

    def loss_of(self, mechanism: Mechanism | Table) -> Any:
        """The expected loss under the prior."""
        terms = [p * v for p, v in zip(self.prior.weights, self.row_losses(mechanism), strict=True)]
        return sum(terms[1:], terms[0])

    def describe(self) -> str:
        """One line for people."""
        prior = self._prior if isinstance(self._prior, (Prior, str)) else f"({', '.join(map(str, self._prior))})"
        return f"the Bayesian consumer with {self._loss_title} and prior {prior}"


def _weights(prior: Any) -> Any:
    """Weights as somebody gave them, kept until the inputs are known; a mapping keeps its labels."""
    if isinstance(prior, type) or not (isinstance(prior, Iterable) or hasattr(prior, "__getitem__")):
        raise wrong_kind("prior", prior, PRIORS)
    names, values = labelled_entries(prior, "weights")
    checked = Prior(values, names)
    return checked if names is not None else tuple(checked.weights)


Consumer = MinimaxConsumer | BayesianConsumer


def told_apart(consumers: Sequence[Consumer]) -> list[Consumer]:
    """The same consumers, called so that no two of them have one description, unless they are equal.

    Where two have, the name of each loss has its digest beside it, and each prior its weights for its name.
    Where that is not enough, the number of the consumer among those that differ stands there.

    >>> costs = [MinimaxConsumer(Loss([[0, x], [1, 0]], name="cost")) for x in (1, 3)]
    >>> for consumer in told_apart(costs):
    ...     print(consumer.describe())
    the minimax consumer with loss cost (sha256 d35efaa9…) and side information {0, 1}
    the minimax consumer with loss cost (sha256 2ccc4c63…) and side information {0, 1}
    """
    found = list(consumers)
    for group in _called_alike(found):
        losses, priors = _vary(found[k]._loss for k in group), _vary(found[k]._known for k in group)
        for k in group:
            found[k] = found[k]._with_digests(loss=losses, prior=priors)
    for group in _called_alike(found):
        for k in group:
            found[k] = found[k]._numbered(_number_of(found, k))
    return found


def each_once(consumers: Sequence[Consumer]) -> list[Consumer]:
    """The same consumers, without those that are equal to an earlier one and are called as it is.

    >>> len(each_once([MinimaxConsumer("abs"), MinimaxConsumer("zero-one"), MinimaxConsumer("abs")]))
    2
    """
    found: list[Consumer] = []
    for consumer in consumers:
        if not any(consumer == known and consumer.describe() == known.describe() for known in found):
            found.append(consumer)
    return found


def described_apart(consumers: Sequence[Consumer]) -> list[str]:
    """What consumers are called, also without inputs: no two alike, unless they are equal.

    >>> described_apart([MinimaxConsumer("abs", ["a, b"]), MinimaxConsumer("abs", ["a", "b"])])[1]
    'the minimax consumer with loss abs and side information {a, b} (consumer 2)'
    """
    found = told_apart(consumers)
    alike = {k for group in _called_alike(found) for k in group}
    return [consumer.describe() + (f" (consumer {_number_of(found, k)})" if k in alike else "") for k, consumer in enumerate(found)]


def _called_alike(consumers: Sequence[Consumer]) -> list[list[int]]:
    """The places of consumers that have one description, and are not all equal."""
    groups: dict[str, list[int]] = {}
    for k, consumer in enumerate(consumers):
        groups.setdefault(consumer.describe(), []).append(k)
    return [group for group in groups.values() if _vary(consumers[k] for k in group)]


def _vary(values: Iterable[object]) -> bool:
    first, *others = values
    return any(_is_another(one, first) for one in others)


def _is_another(one: object, other: object) -> bool:
    """Whether two differ; so do those of which it is not decided."""
    try:
        return one != other
    except ExactDPError:  # numbers without a common field, or with letters
        return True


def _number_of(consumers: Sequence[Consumer], place: int) -> int:
    """The number of a consumer among those that differ, from 1."""
    different: list[Consumer] = []
    for consumer in consumers[: place + 1]:
        if all(_is_another(consumer, one) for one in different):
            different.append(consumer)
    return next(k for k, one in enumerate(different, 1) if not _is_another(consumers[place], one))


class ConsumerText(NamedTuple):
    """What a text says of a consumer: the word of a loss, and perhaps of a prior or of side information."""

    loss: str
    prior: str | None
    side_information: str | None


def words_of_consumer(text: str) -> ConsumerText:
    """What a text such as ``abs``, ``abs prior=uniform`` or ``abs side-information=0..3`` says of a consumer.

    >>> words_of_consumer("abs prior=1/2,1/2")
    ConsumerText(loss='abs', prior='1/2,1/2', side_information=None)
    >>> words_of_consumer("abs uniform")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: 'uniform' is neither prior=… nor side-information=…: write ...
    """
    loss, *rest = text.split() or [""]
    found: dict[str, str] = {}
    for part in rest:
        key, equals, value = part.partition("=")
        key = key.replace("-", "_")
        if not equals and loss not in LOSSES and not found:  # as in |i - r|, or in the name of a file
            loss = f"{loss} {part}"
            continue
        if not equals or key not in ("prior", "side_information"):
            told = f"neither prior=… nor side-information=…: write {loss!r}, or {f'{loss} prior=uniform'!r}"
            raise InputError(f"{part!r} is {told}", text=text)
        if key in found:
            raise InputError(f"{key.replace('_', '-')}= is said twice; leave one of them out", text=text)
        found[key] = value
    if len(found) == 2:
        raise InputError("prior= makes a Bayesian consumer, side-information= a minimax one; leave one of them out", text=text)
    return ConsumerText(loss, found.get("prior"), found.get("side_information"))


def guess_costs(weights: Sequence[Any], channel: ExactMatrix, table: ExactMatrix) -> ExactMatrix:
    """The matrix Σ_x w_x M_xy l(x,g), outputs × guesses.

    >>> guess_costs([1, 1], ExactMatrix([[1, 0], ["1/2", "1/2"]]), ExactMatrix([[0, 1], [1, 0]]))
    ExactMatrix([['1/2', '1'], ['1/2', '0']])
    """
    joint = ExactMatrix([[w * x for x in row] for w, row in zip(weights, channel.rows(), strict=True)])
    return joint.T @ table


def least_cost(
    weights: Sequence[Any],
    channel: ExactMatrix,
    table: ExactMatrix,
    *,
    best: Callable[[Sequence[Any]], Any] = smallest,
) -> Any:
    """Σ_y min_g Σ_x w_x M_xy l(x,g); with ``best=max`` the largest expected gain.

    ``best`` chooses among the costs of one output: over ℚ(α) ``min`` refuses what is not the least on the
    whole interval in every comparison, :func:`~exactdp.exact.smallest` only what is not in the end.

    >>> least_cost([1, 1], ExactMatrix([[1, 0], ["1/2", "1/2"]]), ExactMatrix([[0, 1], [1, 0]]))
    Rational('1/2')
    """
    costs = guess_costs(weights, channel, table)
    return sum((best(row) for row in costs.rows()), costs.field.zero)


class Problem(NamedTuple):
    """The least loss for a consumer of a mechanism that is private at a level between neighbours."""

    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer


def _tuple(given: Any, what: str) -> Any:
    """A list as a tuple; mappings and sets are refused, because a dual is in the order of the inputs."""
    return given if given is None or isinstance(given, tuple) else tuple(entries_of(given, what))


@dataclass(frozen=True, slots=True, init=False)
class Dual:
    """Multipliers of the optimal-mechanism problem, for :func:`exactdp.analysis.optimality.dual.dual_bound`.

    Parameters
    ----------
    weights : tuple of scalars
        w_i ≥ 0, one per input, Σ w_i = 1, zero outside a minimax consumer's side information; a Bayesian
        consumer's prior.
    potentials : tuple of scalars, optional
        μ_i, one per input, the multiplier of "row i sums to 1".
    edges : tuple of tuples of scalars, optional
        One row per constrained pair {i, j}, i < j, in the order of ``neighbours.pairs()``, one column per
        guess r: u > 0 is the multiplier of x_ir − α^d x_jr ≥ 0, u < 0 says that −u is the one of
        x_jr − α^d x_ir ≥ 0.

    Examples
    --------
    >>> from exactdp import Dual, MinimaxConsumer, dual_bound
    >>> dual = Dual(["1/2", "1/2"])
    >>> dual.rule, dual_bound("path:2", "1/3", MinimaxConsumer("zero-one"), dual).value
    ('path', Rational('1/4'))
    """

    weights: tuple[Any, ...]
    potentials: tuple[Any, ...] | None
    edges: tuple[tuple[Any, ...], ...] | None

    def __init__(
        self,
        weights: Sequence[Any],
        potentials: Sequence[Any] | None = None,
        edges: Sequence[Sequence[Any]] | None = None,
    ) -> None:
        rows = _tuple(edges, "edges of the dual")
        rows = rows and tuple(_tuple(row, "multipliers of an edge") for row in rows)
        object.__setattr__(self, "weights", _tuple(weights, "weights of the dual"))
        object.__setattr__(self, "potentials", _tuple(potentials, "potentials of the dual"))
        object.__setattr__(self, "edges", rows)

    @property
    def rule(self) -> str:
        """Which of the three rules checks this dual: ``"path"``, ``"forest"`` or ``"graph"``."""
        if self.potentials is None:
            return "path"
        return "forest" if self.edges is None else "graph"

    @property
    def numbers(self) -> tuple[Any, ...]:
        """All its multipliers, one after another.

        >>> Dual(weights=(1, 2), potentials=(3, 4)).numbers
        (1, 2, 3, 4)
        """
        return (*self.weights, *(self.potentials or ()), *(u for row in self.edges or () for u in row))
