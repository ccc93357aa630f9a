# SPDX-License-Identifier: MIT
"""The losses that a word names: the one table from which all floors take them.

An entry of :data:`NAMED_LOSSES` says what the loss is (a function of how far guess and truth are apart), how
it is summed on a path without its table, if it can be, and under which type certificates name it, if the
checker knows one. What an entry leaves out is done with the table of the loss, which every floor can use. So
a new loss is one entry, and the words of the commands, of sweeps and of messages follow.

A new *type of certificate* is more: the checker has its own closed list, and rejects what is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal

from exactdp.errors import DefectiveAnswerError
from exactdp.exact.power_sums import Pair, TwoSided, hits, spread_absolute, spread_squared
from exactdp.runtime.values import dataclass

Compared = Literal["labels", "integers", "neighbours"]
"""What of a guess and a truth a loss compares.

``labels``: whether they are the same (the distance is 0 or 1); ``integers``: |i − r|, for labels that are
integers; ``neighbours``: their distance in the graph or metric of the question.
"""

Kind = str | None
"""The word of a loss of row and column *numbers*; None for any other loss."""


@dataclass(frozen=True, slots=True)
class PathSums:
    """How a loss of row and column numbers 0..n is summed on a path in O(n) operations.

    The sums are exact. The conditions of the path rule follow where the loss is a non-decreasing function of
    |i − r| (docs/mathematics.md §1), which :meth:`NamedLoss.is_monotone` computes.

    Attributes
    ----------
    losses : callable
        (p, q, pairs, scale, total) ↦ q^n·Σ_(j,r,t) a^|i−j| l(i,r) t for every i, where a = p/q, the pairs are
        (j, r, t), ``scale`` = powers(q, n) and ``total`` = q^n·Σ_(j,r,t) a^|i−j| t, which is one for all i.
    guesses : callable
        For every j an r with the least Σ_i a^|i−j| l(i,r) c_i, of the sums of c ≥ 0.
    cost : callable
        That least number times q^n, of the sums of c, j and r.
    order_of_guesses, order_of_costs : int
        How many moments of c the sums must have for either.
    """

    losses: Callable[[Any, Any, Sequence[Pair], Sequence[int], Any], list[Any]]
    guesses: Callable[[TwoSided], list[int]]
    cost: Callable[[TwoSided, int, int], Any]
    order_of_guesses: int
    order_of_costs: int


@dataclass(frozen=True, slots=True)
class CertificateType:
    """What a definition in a certificate calls a loss on inputs and guesses 0..n (SPEC.md §2).

    Attributes
    ----------
    name : str
        Its ``type``, which the checker knows.
    coq : str
        The matrix of this loss in proofs/coq/Losses.v.
    coq_lemma : str
        The lemma of Checker/Meaning.v that the checker in Coq means this matrix.
    """

    name: str
    coq: str
    coq_lemma: str


@dataclass(frozen=True, slots=True)
class NamedLoss:
    """A loss that a word names.

    Attributes
    ----------
    word : str
        What is written in options, plans and Python.
    formula : str
        The loss of guess r when the truth is i.
    compares : "labels", "integers" or "neighbours"
        What the distance is (:data:`Compared`).
    value : callable
        The loss, as a function of the distance.
    name : str
        What sentences call it; the word unless given.
    help : str
        What the help of options says; the word unless given.
    path : PathSums, optional
        Without these it is a table on paths, too.
    certificate : CertificateType, optional
        Without this, certificates have its table.
    only_in_sweeps : bool
        Whether only plans of sweeps have the word.
    """

    word: str
    formula: str
    compares: Compared
    value: Callable[[Any], Any]
    name: str = ""
    help: str = ""
    path: PathSums | None = None
    certificate: CertificateType | None = None
    only_in_sweeps: bool = False

    @property
    def said(self) -> str:
        """What sentences call it."""
        return self.name or self.word

    def values(self, size: int) -> list[Any]:
        """The losses of numbers that differ by 0, …, size − 1.

        >>> named_loss("squared").values(4), named_loss("zero-one").values(4)
        ([0, 1, 4, 9], [0, 1, 1, 1])
        """
        same_or_not = self.compares == "labels"
        return [self.value(min(d, 1) if same_or_not else d) for d in range(size)]

    def is_monotone(self, size: int) -> bool:
        """Whether it is a non-decreasing function of how far numbers below ``size`` are apart.

        >>> named_loss("squared").is_monotone(4)
        True
        """
        return all(a <= b for a, b in pairwise(self.values(size)))


def _unequal_losses(p: Any, _: Any, pairs: Sequence[Pair], scale: Sequence[int], total: Any) -> list[Any]:
    return [total - hit for hit in hits(p, pairs, scale)]


def _absolute_losses(p: Any, q: Any, pairs: Sequence[Pair], scale: Sequence[int], _: Any) -> list[Any]:
    return spread_absolute(p, q, pairs, scale)


def _squared_losses(p: Any, q: Any, pairs: Sequence[Pair], scale: Sequence[int], _: Any) -> list[Any]:
    return spread_squared(p, q, pairs, scale)


NAMED_LOSSES: tuple[NamedLoss, ...] = (
    NamedLoss(
        "abs",
        "|i − r|",
        compares="integers",
        value=lambda d: d,
        path=PathSums(_absolute_losses, TwoSided.medians, TwoSided.absolute, order_of_guesses=0, order_of_costs=1),
        certificate=CertificateType("abs-loss", "absolute_loss", "abs_loss_is"),
    ),
    NamedLoss(
        "squared",
        "(i − r)²",
        compares="integers",
        value=lambda d: d * d,
        path=PathSums(_squared_losses, TwoSided.means, TwoSided.squared, order_of_guesses=1, order_of_costs=2),
        certificate=CertificateType("squared-loss", "squared_loss", "squared_loss_is"),
    ),
    NamedLoss(
        "zero-one",
        "1 where i ≠ r",
        compares="labels",
        value=lambda d: d,
        path=PathSums(_unequal_losses, TwoSided.modes, TwoSided.unequal, order_of_guesses=0, order_of_costs=0),
        certificate=CertificateType("zero-one-loss", "zero_one_loss", "zero_one_loss_is"),
    ),
    NamedLoss(
        "distance",
        "d(i, r)",
        compares="neighbours",
        value=lambda d: d,
        help="distance (of the graph)",
    ),
    NamedLoss(
        "squared-distance",
        "d(i, r)²",
        compares="neighbours",
        value=lambda d: d * d,
        name="squared distance",
        only_in_sweeps=True,
    ),
)
"""All of them. A word is one entry here; messages have them in this order."""

BY_WORD = {loss.word: loss for loss in NAMED_LOSSES}
"""The entries by their words."""

LOSSES = tuple(loss.word for loss in NAMED_LOSSES if not loss.only_in_sweeps)
"""The losses that a word names."""

OF_CERTIFICATES = {loss.certificate.name: loss for loss in NAMED_LOSSES if loss.certificate is not None}
"""The entries by the type that certificates have for them."""

ON_PATHS = {loss.word: loss.path for loss in NAMED_LOSSES if loss.path is not None}
"""How losses are summed on paths, by their words."""


_SAID = {
    **dict.fromkeys(("|i-r|", "|r-i|", "|i-j|", "|x-y|", "abs(i-r)", "abs(r-i)", "absolute", "abs-error", "mae", "l1", "linear"), "abs"),
    **dict.fromkeys(
        ("(i-r)^2", "(i-r)*(i-r)", "(r-i)^2", "(i-r)**2", "|i-r|^2", "square", "quadratic", "mse", "l2", "squared-error"), "squared"
    ),
    **dict.fromkeys(("i!=r", "i≠r", "0-1", "0/1", "01", "zeroone", "0-1-loss", "01-loss"), "zero-one"),
    **dict.fromkeys(("d(i,r)", "metric", "graph-distance", "dist"), "distance"),
}
"""What people write for a loss, without blanks, and its word."""


def loss_like(text: str) -> str | None:
    """The word of the loss that a text means, also where it is written in another way; None if it means none.

    >>> loss_like("abs"), loss_like("|i − r|"), loss_like("0-1"), loss_like("sqared"), loss_like("x")
    ('abs', 'abs', 'zero-one', 'squared', None)
    """
    from difflib import get_close_matches  # only for messages

    plain = "".join(text[:80].lower().replace("−", "-").replace("_", "-").replace("²", "^2").split())
    near = [_SAID[plain]] if plain in _SAID else get_close_matches(plain, LOSSES, 1)
    return near[0] if near else None


def meant_loss(text: str) -> str:
    """What an error adds about a text that is no word of a loss.

    >>> meant_loss("0-1"), meant_loss("x")
    ('did you mean zero-one? ', '')
    """
    near = loss_like(text)
    return "" if near is None else f"did you mean {near}? "


def named_loss(word: str) -> NamedLoss:
    """The entry of a word that is known to be one; DefectiveAnswerError if there is none.

    >>> named_loss("abs").formula
    '|i − r|'
    """
    if word not in BY_WORD:
        message = f"the loss {word!r} has no entry in exactdp/model/named_losses.py, where it is to be added"
        raise DefectiveAnswerError(message, loss=word)
    return BY_WORD[word]


def path_sums(word: str) -> PathSums:
    """How a loss is summed on a path; DefectiveAnswerError for one that is a table there.

    >>> path_sums("squared").order_of_costs
    2
    """
    found = named_loss(word).path
    if found is None:
        message = f"the loss {word!r} has no sums on a path; give it PathSums in exactdp/model/named_losses.py, or use its table"
        raise DefectiveAnswerError(message, loss=word)
    return found
