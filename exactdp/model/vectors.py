# SPDX-License-Identifier: MIT
"""Vectors over labels (weights, frequencies, values), the weights of a mixture, and priors.

A mapping or a labelled series is matched by its labels, a list by position. No label that was given is
dropped: a key that is unknown, missing or given twice is an error. What has no order is refused
(:mod:`exactdp.exact.coerce`). A prior is what a Bayesian consumer knows beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from exactdp.display import LARGEST, Drawn, short_digest
from exactdp.errors import LabelError, NegativeEntryError, NotStochasticError, ShapeError, printable, wrong_kind
from exactdp.exact import (
    ExactMatrix,
    LettersLike,
    Rational,
    Scalar,
    common_field,
    entries_of,
    field_of,
    index_labels,
    is_mapping,
    is_series,
    letters_of,
    library,
    where_negative,
)
from exactdp.exact.identity import same_formula
from exactdp.exact.sympy_operators import is_expression, symbols_by_name
from exactdp.model.labels import Label, Labels, Positions, as_label, as_labels, brief, given_names, order_of, places_in
from exactdp.runtime.values import dataclass


def mixing_weights(weights: Iterable[object], parts: int, *, what: str) -> tuple[Any, ...]:
    """The weights as scalars of one field.

    * ``weights``: text, ints or scalars.
    * ``parts``: how many there must be.
    * ``what``: what is mixed, in the plural, for the errors.
    * raises InputError: one text, a mapping (the parts have no labels), a set, or anything else that is no
      list, was given; carries ``value``.
    * raises ShapeError: there are not as many weights as parts; carries ``expected`` and ``got``.
    * raises NegativeEntryError: a weight is negative; carries ``position`` and ``value``.
    * raises NotStochasticError: they do not sum to 1; carries ``rows`` with the exact sum and excess.

    >>> mixing_weights(["1/3", "2/3"], 2, what="channels")
    (Rational('1/3'), Rational('2/3'))
    >>> mixing_weights(["3/2", "-1/2"], 2, what="channels")
    Traceback (most recent call last):
    ...
    exactdp.errors.NegativeEntryError: weight 1 of the 2 channels is -1/2, which is negative; ...
    """
    given = entries_of(weights, f"weights of the {what}")
    if len(given) != parts:
        message = f"{len(given)} weights for {parts} {what}; give one weight for each"
        raise ShapeError(message, expected=parts, got=len(given))
    field = common_field(field_of(given))
    exact = tuple(field(w) for w in given)
    for k, w in enumerate(exact):
        where = where_negative(w)
        if where is not None:
            message = f"weight {k} of the {parts} {what} is {w}, which is negative{where}; a mixture needs weights ≥ 0 that sum to 1"
            raise NegativeEntryError(message, position=k, value=w)
    total = sum(exact, field.zero)
    if not same_formula(total, 1):
        raise NotStochasticError(
            f"the weights of the {parts} {what} sum to {total}, not 1 (excess {total - 1}); divide them by their sum",
            rows=(("weights", total, total - 1),),
        )
    return exact


def vector_over(values: object, labels: Labels, *, what: str, over: str, absent: object = None) -> list[Any]:
    """The entries in the order of the labels.

    * ``values``: a mapping (dict, Counter) or a series with an index has one entry for each label, in any
      order; anything else is in the order of the labels.
    * ``labels``: what the entries are about. What is unlabelled takes a list only: the keys 0, 1, … are
      labels like any others.
    * ``what``, ``over``: what the entries are and what the labels are, in the plural, for errors.
    * ``absent``: the entry of a label that a mapping leaves out; without it that is an error.
    * raises LabelError: a key is unknown, missing or given twice (0 and "0" are one label); carries
      ``label``.
    * raises ShapeError: a list has not one entry for each label; carries ``expected`` and ``got``.
    * raises InputError: labels or order would be lost, or missing.

    >>> vector_over({"yes": "3/4", "no": "1/4"}, ("no", "yes"), what="weights", over="inputs")
    ['1/4', '3/4']
    >>> vector_over({"yes": 1}, ("no", "yes"), what="weights", over="inputs")
    Traceback (most recent call last):
    ...
    exactdp.errors.LabelError: the weights leave out 'no', one of the inputs (no, yes); give one for each
    """
    names, entries = labelled_entries(values, what)
    if names is None:
        if len(entries) != len(labels):
            message = f"{len(entries)} {what} for {len(labels)} {over}: {len(labels)} needed, one for each"
            raise ShapeError(message, expected=len(labels), got=len(entries))
        return entries
    if isinstance(labels, Positions) and not labels.named:
        message = (
            f"the {what} have labels {brief(names)}, but the {over} are unlabelled; give a list in their order, or label them (relabelled)"
        )
        raise LabelError(message, got=names, expected=labels)
    found = dict(zip(names, entries, strict=True))
    unknown = next((name for name in names if name not in labels), None)
    if unknown is not None:
        message = f"the {what} have the label {unknown!r}, which is none of the {over} {brief(labels)}"
        raise LabelError(message, label=unknown, labels=labels)
    missing = next((label for label in labels if label not in found), None)
    if missing is not None and absent is None:
        raise LabelError(
            f"the {what} leave out {missing!r}, one of the {over} {brief(labels)}; give one for each",
            label=missing,
            labels=labels,
        )
    return [found.get(label, absent) for label in labels]


def labelled_entries(values: object, what: str) -> tuple[Labels | None, list[Any]]:
    """The labels that a mapping or a series gives, or ``None``, and the entries in the same order.

    >>> labelled_entries({0: "1/2", 1: "1/2"}, "weights"), labelled_entries(["1/2", "1/2"], "weights")
    ((('0', '1'), ['1/2', '1/2']), (None, ['1/2', '1/2']))
    """
    if is_series(values):
        keys = index_labels(getattr(values, "index", None))
        if keys is None:
            return None, entries_of(values, what)
        entries = list(values.tolist())  # type: ignore[attr-defined]
    elif is_mapping(values):
        keys = list(values.keys())  # type: ignore[attr-defined]
        entries = [values[key] for key in keys]  # type: ignore[index]
    else:
        return None, entries_of(values, what)
    names = tuple(as_label(key, what=f"label of the {what}") for key in keys)
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise LabelError(f"the {what} have the label {twice!r} twice; labels are distinct", label=twice)
    return names, entries


FEW_WEIGHTS = 8
"""A prior of so many inputs at most is called by its weights."""

PRIORS = "a Prior, 'uniform', a list of weights in the order of the inputs, or a mapping by label"
"""What says a prior, in errors."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Prior(Drawn):
    """A distribution over the inputs.

    Parameters
    ----------
    weights : exact numbers
        Entries ≥ 0 that sum to 1. A mapping or a series with an index gives the weight of each input by its
        label; a list is in the order of the inputs.
    inputs : sequence of str or int, optional
        Their labels; those of the weights unless given, and 0, 1, … if these have none.
    letters : mapping, text or Region, optional
        What the letters in the weights may be (:class:`~exactdp.Region`).
    name : str, optional
        What it is called in sentences, such as the file that it is from; equal priors may differ in it.

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
    name: str = field(default="", compare=False)

    def __init__(
        self,
        weights: Iterable[object],
        inputs: Iterable[Label] | None = None,
        *,
        letters: LettersLike | None = None,
        name: str = "",
    ) -> None:
        names, values = labelled_entries(weights, "weights")
        if letters is not None:
            known = letters_of(letters)
            symbols_by_name(symbol for x in values if is_expression(x) for symbol in x.free_symbols)  # no two of one name
            values = [known.read(x) for x in values]
        if names is not None and inputs is None:
            inputs = names
        elif inputs is not None:
            inputs = as_labels(inputs, what="input label")
            values = vector_over(values if names is None else dict(zip(names, values, strict=True)), inputs, what="weights", over="inputs")
        over = field_of(values)
        exact = tuple(x if isinstance(x, Scalar) and x.field is over else over(x) for x in values)
        object.__setattr__(self, "weights", exact)
        object.__setattr__(self, "inputs", as_labels(inputs, len(exact), what="input label"))
        object.__setattr__(self, "name", name)
        self._check()

    def _check(self) -> None:
        """No weight is negative, and they sum to 1."""
        for i, (label, weight) in enumerate(zip(self.inputs, self.weights, strict=True)):
            where = where_negative(weight)
            if where is not None:
                message = f"the prior's weight of input {label} is {weight}, which is negative{where}"
                raise NegativeEntryError(message, position=i, value=weight)
        total = sum(self.weights[1:], self.weights[0])
        if not same_formula(total, 1):
            remedy = "mend it, or divide the weights by their sum (Prior.renormalised, --renormalise-prior)"
            raise NotStochasticError(
                f"the prior sums to {total}, not 1 (excess {total - 1}); {remedy}", rows=(("prior", total, total - 1),)
            )

    @classmethod
    def over(cls, prior: PriorLike, inputs: Iterable[Label], letters: LettersLike | None = None) -> Prior:
        """The prior that somebody means, on these inputs and in their order.

        Parameters
        ----------
        prior : Prior, text, list or mapping
            ``"uniform"``, weights as text (``"1/2,1/4,1/4"``), a list in the order of the inputs, or a
            mapping from their labels.
        inputs : labels
            Those asked about.
        letters : mapping, text or Region, optional
            What the letters in the weights may be.

        Examples
        --------
        >>> Prior.over("uniform", ("a", "b")) == Prior.over("1/2,1/2", ("a", "b"))
        True
        """
        inputs = as_labels(inputs, what="input label")
        if isinstance(prior, Prior):
            return prior.aligned(inputs)
        if isinstance(prior, str):
            if prior.strip() == "uniform":
                return cls.uniform(inputs)
            if "," not in prior:
                raise wrong_kind("prior", prior, "'uniform' or weights such as '1/2,1/4,1/4'")
            return cls([weight.strip() for weight in prior.split(",")], inputs, letters=letters)
        if isinstance(prior, type) or not (isinstance(prior, Iterable) or hasattr(prior, "__getitem__")):
            raise wrong_kind("prior", prior, PRIORS)
        return cls(prior, inputs, letters=letters)

    @classmethod
    def renormalised(cls, weights: Iterable[object], inputs: Iterable[Label] | None = None) -> Prior:
        """The prior of weights that are divided by their sum: numbers ≥ 0, not all 0.

        >>> Prior.renormalised(["0.333333", "0.666668"]).weights
        (Rational('333333/1000001'), Rational('666668/1000001'))
        """
        names, values = labelled_entries(weights, "weights")
        field = common_field(field_of(values))
        exact = [field(x) for x in values]
        total = sum(exact, field.zero)
        negative = next((x for x in exact if x < 0), None)
        if negative is not None:
            message = f"the weight {negative} is negative; dividing by the sum does not mend that"
            raise NegativeEntryError(message, value=negative)
        if not total > 0:
            message = "all weights are 0, so they can't be divided by their sum"
            raise NotStochasticError(message, rows=(("prior", total, total - 1),))
        shares = [x / total for x in exact]
        return cls(shares if names is None else dict(zip(names, shares, strict=True)), inputs)

    @classmethod
    def uniform(cls, inputs: Iterable[Label]) -> Prior:
        """The same weight for every input."""
        labels = as_labels(inputs, what="input label")
        return cls([Rational(1, len(labels))] * len(labels), labels)

    def aligned(self, inputs: Labels) -> Prior:
        """The same in the order of these inputs: matched by label, or by position if neither is labelled.

        >>> Prior(["1/3", "2/3"], ["b", "a"]).aligned(("a", "b")).weights
        (Rational('2/3'), Rational('1/3'))
        """
        inputs = order_of(inputs, self.inputs)
        if self.inputs == inputs:
            return self
        places = places_in(self.inputs, inputs, got_what="the prior's inputs", expected_what="the inputs asked about")
        return Prior([self.weights[i] for i in places], inputs, name=self.name)

    def relabelled(self, inputs: Iterable[Label]) -> Prior:
        """The same weights with other labels, given by position."""
        return Prior(self.weights, inputs, name=self.name)

    def to_numpy(self, dtype: Any = None) -> Any:
        """An array of exact objects, or with ``float`` of doubles (:meth:`ExactMatrix.to_numpy`).

        >>> Prior(["1/3", "2/3"]).to_numpy()
        array([Fraction(1, 3), Fraction(2, 3)], dtype=object)
        """
        return ExactMatrix([self.weights]).to_numpy(dtype)[0]

    def to_pandas(self) -> Any:
        """A series of exact objects with the labels of the inputs, which ``Prior(series)`` reads.

        Raises InputError if pandas is not installed.
        """
        return library("pandas", "frames").Series(self.to_numpy(), index=given_names(self.inputs))

    def __getitem__(self, i: int) -> Any:
        return self.weights[i]

    def _in_brief(self) -> str | None:
        return str(self) if len(self.inputs) > LARGEST else None

    def __str__(self) -> str:
        """What it is; a large one by the file that it is from, or by the digest of its labels and weights."""
        if len(set(self.weights)) == 1:
            return f"uniform on {len(self.inputs)} inputs"
        shown = [f"{printable(label)}: {weight}" for label, weight in zip(self.inputs, self.weights, strict=True)]
        if len(shown) <= FEW_WEIGHTS:
            return f"({', '.join(shown)})" + (f" of {printable(self.name)}" if self.name else "")
        if self.name:
            return printable(self.name)
        digest = short_digest(sorted(f"{label!r} {weight}" for label, weight in zip(self.inputs, self.weights, strict=True)))
        return f"({', '.join([*shown[:4], '…', *shown[-2:]])}; {digest})"


PriorLike = Prior | str | Iterable[object]
"""What says a prior: itself, ``"uniform"``, weights as text or as a list, or a mapping by label."""
