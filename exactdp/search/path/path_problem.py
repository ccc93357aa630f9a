# SPDX-License-Identifier: MIT
"""The problem of a consumer on a path: its loss by name, a pattern of its optimum, and a proposal for it.

By docs/mathematics.md §1 some remap T of the geometric mechanism is optimal when the loss has single
crossings, and a proof needs only weights on the inputs (a least favourable prior). A pattern says which
weights are positive and which guesses tie; a float solver is asked for no more. Far from the ends and from
the centre it repeats itself, so that the pattern of a long path follows from that of a shorter one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from exactdp.model import Kind, Loss
from exactdp.model.named_losses import ON_PATHS, named_loss
from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """For each input whether its weight may be positive; for each output its best guesses, increasing."""

    support: tuple[bool, ...]
    guesses: tuple[tuple[int, ...], ...]

    @property
    def has_one_vertex(self) -> bool:
        """Whether it has n equations for n + 1 inputs: independent ones have one solution up to scale."""
        silent = sum(not s for s in self.support)
        return silent + sum(len(guesses) - 1 for guesses in self.guesses) == len(self.support) - 1

    def lengthened(self, n: int) -> Pattern | None:
        """The pattern on 0..n, the sites a quarter from either end repeated; None if they don't repeat here.

        >>> ties = (0, 1), (1, 2), (2, 3), (3, 4), (4,), (4, 5), (5, 6), (6, 7), (7, 8)
        >>> short = Pattern((True,) * 9, ties)
        >>> short.lengthened(11) is None                        # an odd number of new sites
        True
        >>> short.lengthened(12).guesses[5:8]
        ((5, 6), (6,), (6, 7))
        """
        old = len(self.support) - 1
        extra, odd = divmod(n - old, 2)
        if odd or extra < 0:
            return None
        left, right = old // 4, old - old // 4
        if any(self._site(j) != self._site(left) for j in (left - 1, left + 1)) or any(
            self._site(j) != self._site(right) for j in (right - 1, right + 1)
        ):
            return None
        sites = [self._site(j) for j in range(old + 1)]
        longer = [*sites[:left], *[sites[left]] * extra, *sites[left:right], *[sites[right]] * extra, *sites[right:]]
        return Pattern(tuple(s for s, _ in longer), tuple(tuple(j + d for d in ds) for j, (_, ds) in enumerate(longer)))

    def with_one_of(self, tied: Pattern) -> Iterator[Pattern]:
        """The pattern itself, and then with one more best guess of one output, next to those that it has.

        >>> few, more = Pattern((True,) * 2, ((0,), (1,))), Pattern((True,) * 2, ((0, 1), (1,)))
        >>> [pattern.guesses for pattern in few.with_one_of(more)]
        [((0,), (1,)), ((0, 1), (1,))]
        """
        yield self
        for j, (own, others) in enumerate(zip(self.guesses, tied.guesses, strict=True)):
            for r in {own[0] - 1, own[-1] + 1} & set(others):
                yield Pattern(self.support, (*self.guesses[:j], tuple(sorted({*own, r})), *self.guesses[j + 1 :]))

    def _site(self, j: int) -> tuple[bool, tuple[int, ...]]:
        return self.support[j], tuple(r - j for r in self.guesses[j])


@dataclass(frozen=True, slots=True)
class PathProposal:
    """Weights on the inputs, and a sparse row {guess: weight} for each output of the geometric mechanism."""

    weights: tuple[Any, ...]
    remap: tuple[dict[int, Any], ...]


def loss_kind(n: int, loss: Loss) -> Kind:
    """The word of the named loss that it is on inputs and guesses 0..n, if that is summed on paths.

    A table is recognised by its numbers, whatever its labels.

    >>> loss_kind(2, Loss([[0, 1, 4], [1, 0, 1], [4, 1, 0]]))
    'squared'
    """
    if loss.kind in ON_PATHS:
        return loss.kind
    if loss.matrix.shape != (n + 1, n + 1):
        return None
    return next((word for word in ON_PATHS if _is(n, loss, word)), None)


def _is(n: int, loss: Loss, word: str) -> bool:
    """Whether a table has the numbers of a named loss."""
    wanted, far = named_loss(word).values(n + 1), min(n, 2)
    if loss.matrix[0, far] != wanted[far]:  # which tells most losses apart
        return False
    return all(x == wanted[abs(i - r)] for i, row in enumerate(loss.matrix.rows()) for r, x in enumerate(row))
