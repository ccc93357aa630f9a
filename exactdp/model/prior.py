# SPDX-License-Identifier: MIT
"""What a Bayesian consumer knows beforehand: a distribution over the inputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from exactdp.errors import NegativeEntryError, NotStochasticError
from exactdp.exact import Scalar
from exactdp.exact.comparison import field_of
from exactdp.model.labels import Label, Labels, as_labels, places_in
from exactdp.model.vectors import labelled_entries, vector_over


@attrs.frozen(init=False)
class Prior:
    """A distribution over the inputs.

    Parameters
    ----------
    weights : exact numbers
        Entries ≥ 0 that sum to 1. A mapping or a series with an index gives the weight of each input by its
        label; a list is in the order of the inputs.
    inputs : sequence of str or int, optional
        Their labels; those of the weights unless given, and 0, 1, … if these have none.

    Raises
    ------
    NotStochasticError, NegativeEntryError
        With the exact sum and excess, or the entry.

    Examples
    --------
    >>> Prior(["1/2", "1/4", "1/4"])[0], str(Prior.uniform(["a", "b"]))
    (Rational('1/2'), 'uniform on 2 inputs')
    >>> Prior({"b": "1/3", "a": "2/3"}, ["a", "b"]).weights
    (Rational('2/3'), Rational('1/3'))
    """

    weights: tuple[Any, ...]
    inputs: Labels

    def __init__(self, weights: Iterable[object], inputs: Iterable[Label] | None = None) -> None:
        names, values = labelled_entries(weights, "weights")
        if names is not None and inputs is None:
            inputs = names
        elif inputs is not None:
            inputs = as_labels(inputs, what="input label")
            values = vector_over(values if names is None else dict(zip(names, values, strict=True)), inputs, what="weights", over="inputs")
        field = field_of(values)
        exact = tuple(x if isinstance(x, Scalar) and x.field is field else field(x) for x in values)
        self.__attrs_init__(exact, as_labels(inputs, len(exact), what="input label"))

    def __attrs_post_init__(self) -> None:
        for i, (label, weight) in enumerate(zip(self.inputs, self.weights, strict=True)):
            if weight < 0:
                raise NegativeEntryError(f"the prior's weight of input {label} is {weight}, which is negative", position=i, value=weight)
        total = sum(self.weights[1:], self.weights[0])
        if total != 1:
            raise NotStochasticError(f"the prior sums to {total}, not 1 (excess {total - 1})", rows=(("prior", total, total - 1),))

    @classmethod
    def uniform(cls, inputs: Iterable[Label]) -> Prior:
        """The same weight for every input."""
        labels = as_labels(inputs, what="input label")
        return cls([f"1/{len(labels)}"] * len(labels), labels)

    def aligned(self, inputs: Labels) -> Prior:
        """The same in the order of these inputs: matched by label, or by position if neither is labelled.

        >>> Prior(["1/3", "2/3"], ["b", "a"]).aligned(("a", "b")).weights
        (Rational('2/3'), Rational('1/3'))
        """
        if self.inputs == inputs:
            return self
        places = places_in(self.inputs, inputs, got_what="the prior's inputs", expected_what="the inputs asked about")
        return Prior([self.weights[i] for i in places], inputs)

    def relabelled(self, inputs: Iterable[Label]) -> Prior:
        """The same weights with other labels, given by position."""
        return Prior(self.weights, inputs)

    def __getitem__(self, i: int) -> Any:
        return self.weights[i]

    def __str__(self) -> str:
        if len(set(self.weights)) == 1:
            return f"uniform on {len(self.inputs)} inputs"
        shown = [f"{label}: {weight}" for label, weight in zip(self.inputs, self.weights, strict=True)]
        return "(" + ", ".join(shown if len(shown) <= 8 else [*shown[:4], "…", *shown[-2:]]) + ")"
