# SPDX-License-Identifier: MIT
"""What libraries implement, by a short word: ``opendp-geometric:scale=1,lower=0,upper=50``,
``diffprivlib-binary:epsilon=1/2``, ….

Each family has one noise ratio t. It is given as ``t=`` itself, as ``epsilon=`` or ``scale=`` in the
library's own words (then t is a power of e^(−ε)), or by a level α beside the word; :class:`Family` says which
power.

The mechanisms that a short word names: ``geometric:n=3,alpha=1/2``, ``randomized-response:n=4``, ….

In every form n means the inputs 0..n. What a word names is unlabelled: inputs and outputs are known by their
places, and are shown by their names. A word knows its neighbours (:func:`word_neighbours`). A level inside
the word defines the mechanism; the level asked about is another matter, so ``alpha`` given beside it is used
only where the word has none. ``epsilon=1/10`` inside means the level e^(−1/10), exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from exactdp.errors import InputError, ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, ExponentialField, Rational
from exactdp.mechanisms.exponential import Scores, exponential_mechanism, noisy_max
from exactdp.mechanisms.geometric import geometric
from exactdp.mechanisms.laplace import GranularGeometricNoise, RoundedLaplaceNoise
from exactdp.mechanisms.noise import GeometricNoise, censored, folded_geometric, lumped, lumped_geometric
from exactdp.mechanisms.responses import (
    category_response,
    identity,
    randomized_response,
    randomized_response_at,
    rappor,
    rappor_permanent,
    two_coin,
    uniform,
)
from exactdp.mechanisms.staircase import StaircaseNoise, staircase
from exactdp.model.graph import AdjacencyGraph, Neighbours
from exactdp.model.labels import Labels, Positions, brief
from exactdp.model.level import LevelLike, PrivacyLevel, as_level
from exactdp.model.mechanism import Mechanism
from exactdp.model.neighbours import MAX_EDGES

LARGEST = 2_000
"""Largest number of inputs of a mechanism made from a short word."""


class Words:
    """The parameters of one word, read strictly.

    >>> Words("x:n=3", {"n": "3"}).integer("n")
    3
    """

    def __init__(self, spec: str, given: Mapping[str, str], level: LevelLike | None = None) -> None:
        self.spec, self.given, self.level = spec, given, level

    def refuse(self, rule: str) -> InputError:
        """The error that names the word."""
        return InputError(f"{self.spec[:80]!r} names no mechanism: {rule}", spec=self.spec)

    def integer(self, name: str, default: int | None = None) -> int:
        """An integer."""
        text = self.given.get(name)
        if text is None:
            if default is None:
                raise self.refuse(f"{name} is missing")
            return default
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
            raise self.refuse(f"{name} must be an integer")
        return int(text)

    def number(self, name: str, default: str | None = None) -> Rational:
        """A rational."""
        text = self.given.get(name, default)
        if text is None:
            raise self.refuse(f"{name} is missing")
        return QQ(text)

    def inputs(self) -> list[int]:
        """0..n, or lower..upper."""
        low, high = (0, self.integer("n")) if "n" in self.given else (self.integer("lower"), self.integer("upper"))
        if low > high:
            raise self.refuse("there are no inputs")
        if high - low >= LARGEST:
            raise ResourceLimitError(f"{self.spec!r}: {high - low + 1} inputs; the limit is {LARGEST}", limit=LARGEST, got=high - low + 1)
        return list(range(low, high + 1))

    def base(self, power: Rational) -> PrivacyLevel:
        """t: given, or e^(−ε·power) for the ε of ``epsilon`` or 1/``scale``, or α^power for the level beside
        the word.
        """
        ways = [name for name in ("t", "alpha", "epsilon", "scale") if name in self.given]
        if len(ways) > 1:
            raise self.refuse(f"{' and '.join(ways)} are both given; one determines the other")
        if not ways:
            if self.level is None:
                raise self.refuse("the level is missing; write epsilon=1, scale=1, alpha=1/2 or t=1/2 in it, or give the level apart")
            return PrivacyLevel(as_level(self.level).power(power))
        value = QQ(self.given[ways[0]])
        if ways[0] == "t":
            return PrivacyLevel(value)
        if ways[0] == "alpha":
            return PrivacyLevel(PrivacyLevel(value).power(power))
        if value.sign() <= 0:
            raise self.refuse(f"{ways[0]} must be positive")
        return PrivacyLevel(ExponentialField((1 / value if ways[0] == "scale" else value) * power).gen)


@dataclass(frozen=True, slots=True)
class Family:
    """A word, the parameters it takes, what it means, and its law.

    ``example`` is a complete word; ``parameters`` are all the words it takes beside t, alpha, epsilon and scale. A ``local`` mechanism
    answers for one person, so that all its inputs are neighbours; elsewhere inputs that differ by at most the sensitivity are.
    """

    example: str
    parameters: frozenset[str]
    meaning: str
    build: Callable[[Words], Mechanism]
    levelled: bool = True
    local: bool = False


def _family(
    example: str, parameters: str, meaning: str, build: Callable[[Words], Mechanism], *, levelled: bool = True, local: bool = False
) -> tuple[str, Family]:
    return example.partition(":")[0], Family(example, frozenset(parameters.split()), meaning, build, levelled, local)


def _one(w: Words) -> PrivacyLevel:
    """T = e^(−ε/Δ) for noise on integers with sensitivity Δ."""
    return w.base(Rational(1, w.integer("sensitivity", 1)))


def _closeness(n: int) -> Scores:
    """The score −|i − r| on 0..n."""
    return Scores(ExactMatrix.build(n + 1, n + 1, lambda i, r: -abs(i - r)))


def _votes(n: int) -> Scores:
    """N people vote for one of two candidates: the input is the first one's number of votes."""
    return Scores(ExactMatrix.build(n + 1, 2, lambda i, r: n - i if r else i), None, ["first", "second"])


def _ties(w: Words) -> Any:
    return w.given.get("ties", "first")


FAMILIES: dict[str, Family] = dict(
    (
        _family(
            "opendp-geometric:scale=1,lower=0,upper=50",
            "lower upper",
            "OpenDP make_geometric with bounds: two-sided geometric noise e^(−|z|/scale), censored to the bounds",
            lambda w: censored(GeometricNoise(w.base(Rational(1))), w.inputs(), w.integer("lower"), w.integer("upper"), clamp_inputs=True),
        ),
        _family(
            "opendp-laplace:scale=1,n=5",
            "n",
            "OpenDP make_laplace on integers (discrete Laplace), unbounded, tails lumped without loss",
            lambda w: lumped(GeometricNoise(w.base(Rational(1))), w.inputs()),
        ),
        _family(
            "opendp-randomized-response:n=2,prob=3/4",
            "n prob",
            "OpenDP make_randomized_response on n + 1 categories",
            lambda w: category_response(w.inputs(), w.number("prob")),
            levelled=False,
            local=True,
        ),
        _family(
            "diffprivlib-geometric:epsilon=1,n=5",
            "n sensitivity",
            "diffprivlib Geometric, unbounded, tails lumped without loss",
            lambda w: lumped(GeometricNoise(_one(w)), w.inputs()),
        ),
        _family(
            "diffprivlib-geometric-truncated:epsilon=1,lower=0,upper=5",
            "lower upper sensitivity",
            "diffprivlib GeometricTruncated: censored to the bounds",
            lambda w: censored(GeometricNoise(_one(w)), w.inputs(), w.integer("lower"), w.integer("upper")),
        ),
        _family(
            "diffprivlib-geometric-folded:epsilon=1,n=5",
            "n sensitivity lower upper",
            "diffprivlib GeometricFolded: reflected at the bounds (integers or half-integers; 0 and n unless given)",
            lambda w: folded_geometric(
                range(w.integer("n") + 1), w.given.get("lower", "0"), w.given.get("upper", w.given.get("n", "0")), _one(w)
            ),
        ),
        _family(
            "diffprivlib-binary:epsilon=1",
            "",
            "diffprivlib Binary: the truth with probability e^ε/(e^ε + 1)",
            lambda w: randomized_response_at(range(2), w.base(Rational(1))),
            local=True,
        ),
        _family(
            "diffprivlib-exponential:epsilon=1,n=3",
            "n sensitivity monotonic",
            "diffprivlib Exponential with the utility −|i − r| (monotonic=1: e^(ε u/Δ) instead of e^(ε u/(2Δ)))",
            lambda w: exponential_mechanism(
                _closeness(w.integer("n")),
                w.base(Rational(1, w.integer("sensitivity", 1) * (1 if w.integer("monotonic", 0) else 2))),
            ),
        ),
        _family(
            "google-geometric:epsilon=1,n=5",
            "n sensitivity",
            "Google's double-sided geometric noise, in the limit of the granularity 1",
            lambda w: lumped(GeometricNoise(_one(w)), w.inputs()),
        ),
        _family(
            "google-laplace:epsilon=1,n=5,resolution=4",
            "n resolution",
            "Google's integer noise: double-sided geometric on multiples of 1/resolution, rounded; t = e^(−ε/(resolution + 1))",
            lambda w: lumped(GranularGeometricNoise(w.base(Rational(1, w.integer("resolution") + 1)), w.integer("resolution")), w.inputs()),
        ),
        _family(
            "tumult-geometric:scale=1,n=5",
            "n",
            "Tumult's double-sided geometric distribution e^(−|z|/scale), tails lumped without loss",
            lambda w: lumped(GeometricNoise(w.base(Rational(1))), w.inputs()),
        ),
        _family(
            "two-coin:truth=1/2,yes=1/2",
            "truth yes",
            "the two-coin protocol: the truth, or else yes, with these probabilities",
            lambda w: two_coin(w.number("truth", "1/2"), w.number("yes", "1/2")),
            levelled=False,
            local=True,
        ),
        _family(
            "flat:epsilon=1,n=3",
            "n",
            "the flat mechanism (k-ary randomised response): c·e^ε for the truth, c for the others",
            lambda w: randomized_response_at(w.inputs(), w.base(Rational(1))),
            local=True,
        ),
        _family(
            "rappor:bits=2,hashes=1,f=1/2,p=1/4,q=3/4",
            "bits hashes f p q",
            "one RAPPOR report: the instantaneous response to the permanent one",
            lambda w: rappor(w.integer("bits"), w.integer("hashes", 1), w.number("f"), w.number("p"), w.number("q")),
            levelled=False,
            local=True,
        ),
        _family(
            "rappor-permanent:bits=2,hashes=1,f=1/2",
            "bits hashes f",
            "RAPPOR's permanent randomised response",
            lambda w: rappor_permanent(w.integer("bits"), w.integer("hashes", 1), w.number("f")),
            levelled=False,
            local=True,
        ),
        _family(
            "exponential:epsilon=1,n=3",
            "n",
            "the exponential mechanism with the score −|i − r|, of sensitivity 1: t = e^(−ε/2)",
            lambda w: exponential_mechanism(_closeness(w.integer("n")), w.base(Rational(1, 2))),
        ),
        _family(
            "noisy-max:epsilon=1,n=3",
            "n ties",
            "report noisy max of two candidates' votes, geometric noise with t = e^(−ε/2); ties=first or uniform",
            lambda w: noisy_max(_votes(w.integer("n")), w.base(Rational(1, 2)), ties=_ties(w)),
        ),
        _family(
            "rounded-laplace:epsilon=1,n=5",
            "n",
            "Laplace noise of scale 1/ε, rounded to integers and clamped to 0..n; t = e^(−ε/2)",
            lambda w: censored(RoundedLaplaceNoise(w.base(Rational(1, 2))), w.inputs(), 0, w.integer("n")),
        ),
        _family(
            "staircase:epsilon=1,n=5,sensitivity=2,step=1",
            "n sensitivity step",
            "the discrete staircase mechanism, tails lumped without loss",
            lambda w: staircase(w.inputs(), w.base(Rational(1)), w.integer("sensitivity", 1), w.integer("step", 1)),
        ),
        _family(
            "clamped-staircase:epsilon=1,n=5,sensitivity=2,step=1",
            "n sensitivity step",
            "the discrete staircase mechanism, clamped to 0..n",
            lambda w: censored(
                StaircaseNoise(w.base(Rational(1)), w.integer("sensitivity", 1), w.integer("step", 1)), w.inputs(), 0, w.integer("n")
            ),
        ),
    )
)
"""The families, by the name before the colon."""


def deployed_mechanism(family: str, spec: str, given: Mapping[str, str], level: LevelLike | None) -> Mechanism:
    """The mechanism of a word that has been split into its parameters.

    >>> deployed_mechanism("two-coin", "two-coin:yes=1/2", {"yes": "1/2"}, None)[0, 0]
    Rational('3/4')
    """
    return FAMILIES[family].build(Words(spec, given, level))


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
:data:`exactdp.mechanisms.words.FAMILIES`."""

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
    """The neighbours that a word means: all inputs of a local mechanism, else those that differ by at most
    the word's sensitivity.

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
