# SPDX-License-Identifier: MIT
"""The mechanisms that a short word names: ``geometric:n=3,alpha=1/2``, ``randomized-response:n=4``, ….

In every form n means the inputs 0..n. What a word names is unlabelled: inputs and outputs are known by their places, and
are shown by their names. A word knows its neighbours (:func:`word_neighbours`). A level inside the word defines the
mechanism; the level asked about is another matter, so ``alpha`` given beside it is used only where the word has none.
``epsilon=1/10`` inside means the level e^(−1/10), exactly.
"""

from __future__ import annotations

from exactdp.errors import InputError, ResourceLimitError
from exactdp.mechanisms.deployed import FAMILIES, deployed_mechanism
from exactdp.mechanisms.geometric import geometric
from exactdp.mechanisms.simple import identity, randomized_response, randomized_response_at, uniform
from exactdp.mechanisms.unbounded import lumped_geometric
from exactdp.model.graph import AdjacencyGraph, Neighbours
from exactdp.model.graph_specs import MAX_EDGES
from exactdp.model.labels import Labels, Positions, brief
from exactdp.model.level import LevelLike, PrivacyLevel
from exactdp.model.stochastic import Mechanism

__all__ = [
    "MAX_N",
    "MECHANISM_FORMS",
    "is_meant",
    "is_mechanism_spec",
    "mechanism_from_spec",
    "needs_level",
    "neighbours_name",
    "word_neighbours",
]

MAX_N = 2_000
"""Largest n of a mechanism made from a short word."""

MECHANISM_FORMS = {
    "geometric:n=3,alpha=1/2": "the range-restricted geometric mechanism",
    "lumped-geometric:n=3,alpha=1/2": "the unbounded geometric mechanism, tails lumped",
    "randomized-response:n=4,alpha=1/2": "tightest level alpha on the complete graph; or keep=3/4, the probability of the truth",
    "identity:n=3": "report the truth",
    "uniform:n=3": "ignore the input",
}
"""The accepted forms, with their meaning; the level may be given apart. Those of libraries are in
:data:`exactdp.mechanisms.deployed.FAMILIES`."""

_PARAMETERS = {
    "geometric": {"n", "alpha", "epsilon"},
    "lumped-geometric": {"n", "alpha", "epsilon"},
    "randomized-response": {"n", "alpha", "epsilon", "keep"},
    "identity": {"n"},
    "uniform": {"n"},
    **{name: family.parameters | ({"t", "alpha", "epsilon", "scale"} if family.levelled else set()) for name, family in FAMILIES.items()},
}


def is_mechanism_spec(text: str) -> bool:
    """Whether the text begins with the name of a mechanism and a colon (so that it is no file name).

    >>> is_mechanism_spec("geometric:n=3"), is_mechanism_spec("table.csv")
    (True, False)
    """
    family, colon, _ = text.partition(":")
    return bool(colon) and family in _PARAMETERS


def mechanism_from_spec(spec: str, alpha: LevelLike | None = None) -> Mechanism:
    """The mechanism that a short word names.

    Parameters
    ----------
    spec : str
        One of the forms of :data:`MECHANISM_FORMS`, with other parameters.
    alpha : level, optional
        Used where the word needs a level and has none.

    Raises
    ------
    InputError
        No such form, or a level is missing; the message lists the forms.
    ResourceLimitError
        n is larger than :data:`MAX_N`.

    Examples
    --------
    >>> mechanism_from_spec("geometric:n=3", "1/4") == mechanism_from_spec("geometric:n=3,alpha=1/4")
    True
    """
    family, given = _parse(spec)
    found = deployed_mechanism(family, spec, given, alpha) if family in FAMILIES else _simple(spec, family, given, alpha)
    if isinstance(found.inputs, Positions) and isinstance(found.outputs, Positions):
        return found
    return found.relabelled(Positions(found.inputs), Positions(found.outputs))


def needs_level(spec: str) -> bool:
    """Whether a word has no level of its own and needs one beside it.

    >>> needs_level("geometric:n=3"), needs_level("geometric:n=3,alpha=1/2"), needs_level("uniform:n=3")
    (True, False, False)
    """
    family, given = _parse(spec)
    levelled = FAMILIES[family].levelled if family in FAMILIES else family not in {"identity", "uniform"}
    return levelled and not {"alpha", "epsilon", "keep", "scale", "t"} & set(given)


def word_neighbours(spec: str, inputs: Labels) -> AdjacencyGraph:
    """The neighbours that a word means: all inputs of a local mechanism, else those that differ by at most the word's sensitivity.

    Parameters
    ----------
    spec : str
        The word.
    inputs : labels
        Those of the mechanism that it names.

    Examples
    --------
    >>> near = word_neighbours("diffprivlib-geometric:epsilon=1,n=3,sensitivity=2", Positions(4))
    >>> near.name, near.edges
    ('inputs 0..3 that differ by at most 2', ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3)))
    >>> word_neighbours("randomized-response:n=2,keep=1/2", Positions(3)).name
    'complete:3'
    """
    reach, name = _reach(spec, inputs)
    size = len(inputs)
    count = _pairs_within(size, reach)
    if count > MAX_EDGES:
        message = f"{spec!r}: {name} has {count} pairs of neighbours; the limit is {MAX_EDGES}. Say which are meant with --graph"
        raise ResourceLimitError(message, limit=MAX_EDGES, got=count)
    edges = [(i, j) for i in range(size) for j in range(i + 1, min(i + reach, size - 1) + 1)]
    return AdjacencyGraph(inputs, edges, name=name)


def is_meant(near: Neighbours, spec: str, inputs: Labels) -> bool:
    """Whether these are the neighbours that a word means, up to their labels.

    >>> is_meant(AdjacencyGraph.path(3), "uniform:n=2", Positions(3)), is_meant(AdjacencyGraph.path(3), "flat:n=2", Positions(3))
    (True, False)
    """
    pairs = near.pairs()
    same = len(inputs) == len(near.vertices) and len(pairs) == _pairs_within(len(inputs), _reach(spec, inputs)[0])
    return same and pairs == word_neighbours(spec, inputs).pairs()


def neighbours_name(spec: str, inputs: Labels) -> str:
    """What the neighbours that a word means are called."""
    return _reach(spec, inputs)[1]


def _pairs_within(size: int, reach: int) -> int:
    return sum(min(reach, size - 1 - i) for i in range(size))


def _reach(spec: str, inputs: Labels) -> tuple[int, str]:
    """Up to which difference inputs are neighbours, and what that graph is called."""
    family, given = _parse(spec)
    size = len(inputs)
    if size <= 2:
        reach, name = 1, f"path:{size}"
    elif family == "randomized-response" or (family in FAMILIES and FAMILIES[family].local):
        reach, name = size, f"complete:{size}"
    else:
        reach = int(given.get("sensitivity", "1"))
        shown = brief(inputs) if isinstance(inputs, Positions) and inputs.named else f"0..{size - 1}"
        name = f"path:{size}" if reach == 1 else f"inputs {shown} that differ by at most {reach}"
    return reach, name


def _simple(spec: str, family: str, given: dict[str, str], alpha: LevelLike | None) -> Mechanism:
    """The mechanism of a word that no library has."""
    n = _size(spec, given)
    level = _level(spec, given, alpha)
    if family == "identity":
        return identity(range(n + 1))
    if family == "uniform":
        return uniform(range(n + 1))
    if "keep" in given:
        if "alpha" in given or "epsilon" in given:
            raise _refuse(spec, f"{'alpha' if 'alpha' in given else 'epsilon'} and keep are both given; one determines the other")
        return randomized_response(range(n + 1), given["keep"])
    if level is None:
        raise _refuse(spec, "the level is missing; write alpha=1/2 or epsilon=1/10 in it, or give the level apart (--alpha)")
    if family == "randomized-response":
        return randomized_response_at(range(n + 1), level)
    return geometric(n, level) if family == "geometric" else lumped_geometric(n, level)


def _parse(spec: str) -> tuple[str, dict[str, str]]:
    """The family and the text of its parameters."""
    if not isinstance(spec, str):
        raise InputError(f"{spec!r} is not a text; a mechanism is named like geometric:n=3", value=spec)
    family, _, rest = spec.partition(":")
    if family not in _PARAMETERS:
        raise _refuse(spec, f"there is no family {family[:40]!r}")
    given: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key not in _PARAMETERS[family]:
            raise _refuse(spec, f"{part[:40]!r} is none of the parameters {', '.join(sorted(_PARAMETERS[family]))}")
        if key in given:
            raise _refuse(spec, f"{key} is given twice")
        given[key] = value
    return family, given


def _level(spec: str, given: dict[str, str], beside: LevelLike | None) -> LevelLike | None:
    """The level inside the word, or else the one beside it."""
    inside = [name for name in ("alpha", "epsilon") if name in given]
    if len(inside) > 1:
        raise _refuse(spec, "alpha and epsilon are both given; one determines the other")
    if not inside:
        return beside
    try:
        return PrivacyLevel(given["alpha"]) if inside == ["alpha"] else PrivacyLevel.from_epsilon(given["epsilon"])
    except (InputError, ResourceLimitError) as error:
        raise type(error)(f"{spec[:80]!r}: {inside[0]}: {error.message}", **error.facts) from None


def _size(spec: str, given: dict[str, str]) -> int:
    digits = given.get("n", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 12):
        raise _refuse(spec, "n must be an integer ≥ 0" if "n" in given else "n is missing; the inputs are 0..n")
    n = int(digits)
    if n > MAX_N:
        raise ResourceLimitError(f"{spec!r}: n = {n}; the limit is {MAX_N}", limit=MAX_N, got=n)
    return n


def _refuse(spec: str, rule: str) -> InputError:
    forms = ", ".join(MECHANISM_FORMS)
    more = f"or what libraries implement ({', '.join(FAMILIES)})"
    return InputError(f"{spec[:80]!r} names no mechanism: {rule}. The forms are {forms}, {more}, or a table (CSV, JSON, .npy)", spec=spec)
