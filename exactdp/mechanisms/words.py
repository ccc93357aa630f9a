# SPDX-License-Identifier: MIT
"""The mechanisms that a short word names: ``geometric:n=3,alpha=1/2``, ``opendp-geometric:scale=1,n=5``, ….

:data:`FAMILIES` is the table of all words, each with its parameters, source, law, neighbours and an example.
n means the inputs 0..n. What a word names is unlabelled: inputs and outputs are known by their places, and
are shown by their names.

A level inside the word defines the mechanism (``epsilon=1/10`` is the level e^(−1/10), exactly); the level
asked about is another matter, so that one given beside the word is used only where the word has none. What a
library implements has one noise ratio t. It is given as ``t=`` itself, as ``epsilon=`` or ``scale=`` in the
library's own words (then t is a power of e^(−ε)), or by a level α; each word says which power.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

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
from exactdp.model.graph import Graph, Neighbours
from exactdp.model.labels import Labels, Positions, brief
from exactdp.model.level import LevelLike, PrivacyLevel, as_level
from exactdp.model.mechanism import Mechanism
from exactdp.model.neighbours import MAX_EDGES

MAX_N = 2_000
"""Largest n of a paper's mechanism, and largest number of inputs of a library's."""

LEVEL = ("t", "alpha", "epsilon", "scale")
"""The parameters of a library's word that give its noise ratio t."""


@attrs.frozen
class Word:
    """One word with its parameters, read strictly.

    Parameters
    ----------
    spec : str
        The whole word.
    family : str
        What stands before the colon.
    given : mapping
        The text of each parameter.
    level : level, optional
        Given beside the word.

    Examples
    --------
    >>> Word.parse("geometric:n=3").integer("n")
    3
    """

    spec: str
    family: str
    given: Mapping[str, str]
    level: LevelLike | None = None

    @classmethod
    def parse(cls, spec: str, level: LevelLike | None = None) -> Word:
        """The word in a text; InputError if there is no such family or parameter."""
        if not isinstance(spec, str):
            raise InputError(f"{spec!r} is not a text; a mechanism is named like geometric:n=3", value=spec)
        family, _, rest = spec.partition(":")
        given: dict[str, str] = {}
        word = cls(spec, family, given, level)
        if family not in FAMILIES:
            raise word.unknown(f"there is no family {family[:40]!r}")
        known = FAMILIES[family].parameters
        for part in filter(None, rest.split(",")):
            key, equals, value = part.partition("=")
            if not equals or key not in known:
                raise word.unknown(f"{part[:40]!r} is none of the parameters {', '.join(sorted(known))}")
            if key in given:
                raise word.unknown(f"{key} is given twice")
            given[key] = value
        return word

    def refuse(self, rule: str) -> InputError:
        """The error that names the word."""
        return InputError(f"{self.spec[:80]!r} names no mechanism: {rule}", spec=self.spec)

    def unknown(self, rule: str) -> InputError:
        """The error that names the word and lists all forms."""
        libraries = ", ".join(name for name, family in FAMILIES.items() if family.source)
        more = f"or what libraries implement ({libraries}), or a table (CSV, JSON, .npy)"
        return self.refuse(f"{rule}; the forms are {', '.join(MECHANISM_FORMS)}, {more}")

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
        """The inputs of a library's mechanism: 0..n, or lower..upper."""
        low, high = (0, self.integer("n")) if "n" in self.given else (self.integer("lower"), self.integer("upper"))
        if low > high:
            raise self.refuse("there are no inputs")
        if high - low >= MAX_N:
            raise ResourceLimitError(f"{self.spec!r}: {high - low + 1} inputs; the limit is {MAX_N}", limit=MAX_N, got=high - low + 1)
        return list(range(low, high + 1))

    def base(self, part: int = 1) -> PrivacyLevel:
        """The ratio t of a library's noise: given, or the power 1/part of a level.

        The level is e^(−ε) for the ε of ``epsilon`` or 1/``scale``, or α, in the word or beside it.
        """
        power = Rational(1, part)
        ways = [name for name in LEVEL if name in self.given]
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

    def size(self) -> int:
        """The n of a paper's mechanism."""
        digits = self.given.get("n", "")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 12):
            raise self.unknown("n must be an integer ≥ 0" if "n" in self.given else "n is missing; the inputs are 0..n")
        n = int(digits)
        if n > MAX_N:
            raise ResourceLimitError(f"{self.spec!r}: n = {n}; the limit is {MAX_N}", limit=MAX_N, got=n)
        return n

    def alpha(self) -> LevelLike:
        """The level of a paper's mechanism: inside the word, or else beside it."""
        inside = [name for name in ("alpha", "epsilon") if name in self.given]
        if len(inside) > 1:
            raise self.unknown("alpha and epsilon are both given; one determines the other")
        if inside:
            text = self.given[inside[0]]
            try:
                return PrivacyLevel(text) if inside == ["alpha"] else PrivacyLevel.from_epsilon(text)
            except (InputError, ResourceLimitError) as error:
                raise type(error)(f"{self.spec[:80]!r}: {inside[0]}: {error.message}", **error.facts) from None
        if self.level is None:
            raise self.unknown("the level is missing; write alpha=1/2 or epsilon=1/10 in it, or give the level apart (--alpha)")
        return self.level


def _one(w: Word) -> PrivacyLevel:
    """The ratio e^(−ε/Δ) of noise on integers with sensitivity Δ."""
    return w.base(w.integer("sensitivity", 1))


def _ties(w: Word) -> Any:
    return w.given.get("ties", "first")


def _staircase_noise(w: Word) -> StaircaseNoise:
    return StaircaseNoise(w.base(), w.integer("sensitivity", 1), w.integer("step", 1))


def _closeness(n: int) -> Scores:
    """The score −|i − r| on 0..n."""
    return Scores(ExactMatrix.build(n + 1, n + 1, lambda i, r: -abs(i - r)))


def _votes(n: int) -> Scores:
    """N people vote for one of two candidates: the input is the first one's number of votes."""
    return Scores(ExactMatrix.build(n + 1, 2, lambda i, r: n - i if r else i), None, ["first", "second"])


def _response(w: Word) -> Mechanism:
    """Randomized response on 0..n, by the probability of the truth or by its tightest level."""
    n = w.size()
    if "keep" not in w.given:
        return randomized_response_at(range(n + 1), w.alpha())
    beside = next((name for name in ("alpha", "epsilon") if name in w.given), None)
    if beside:
        w.alpha()  # a level that is none is refused first
        raise w.unknown(f"{beside} and keep are both given; one determines the other")
    return randomized_response(range(n + 1), w.given["keep"])


def _parameters(names: str) -> frozenset[str]:
    return frozenset(names.split())


@attrs.frozen
class Family:
    """A family of words.

    Attributes
    ----------
    example : str
        A complete word; what stands before the colon is the family's name.
    parameters : frozenset of str
        All that a word of the family takes; given as one text.
    source : str
        What implements it; nothing for the mechanisms of the papers.
    law : str
        What it does.
    build : callable
        From a word to its mechanism.
    local : bool
        Whether it answers for one person, so that all its inputs are neighbours; elsewhere inputs that differ
        by at most the sensitivity are.
    """

    example: str
    parameters: frozenset[str] = attrs.field(converter=_parameters)
    source: str
    law: str
    build: Callable[[Word], Mechanism]
    local: bool = False

    @property
    def is_levelled(self) -> bool:
        """Whether a word of the family has or needs a level."""
        return "alpha" in self.parameters


# fmt: off
FAMILIES: dict[str, Family] = {
    family.example.partition(":")[0]: family
    for family in (
        Family("geometric:n=3,alpha=1/2", "n alpha epsilon", "", "the range-restricted geometric mechanism",
               lambda w: geometric(w.size(), w.alpha())),
        Family("lumped-geometric:n=3,alpha=1/2", "n alpha epsilon", "", "the unbounded geometric mechanism, tails lumped",
               lambda w: lumped_geometric(w.size(), w.alpha())),
        Family("randomized-response:n=4,alpha=1/2", "n alpha epsilon keep", "",
               "tightest level alpha on the complete graph; or keep=3/4, the probability of the truth", _response, local=True),
        Family("identity:n=3", "n", "", "report the truth", lambda w: identity(range(w.size() + 1))),
        Family("uniform:n=3", "n", "", "ignore the input", lambda w: uniform(range(w.size() + 1))),
        Family("opendp-geometric:scale=1,lower=0,upper=50", "lower upper t alpha epsilon scale", "OpenDP make_geometric with bounds",
               "two-sided geometric noise e^(−|z|/scale), censored to the bounds",
               lambda w: censored(GeometricNoise(w.base()), w.inputs(), w.integer("lower"), w.integer("upper"), clamp_inputs=True)),
        Family("opendp-laplace:scale=1,n=5", "n t alpha epsilon scale", "OpenDP make_laplace on integers",
               "discrete Laplace noise, unbounded, tails lumped without loss",
               lambda w: lumped(GeometricNoise(w.base()), w.inputs())),
        Family("opendp-randomized-response:n=2,prob=3/4", "n prob", "OpenDP make_randomized_response",
               "the truth with probability prob, else another of n + 1 categories",
               lambda w: category_response(w.inputs(), w.number("prob")), local=True),
        Family("diffprivlib-geometric:epsilon=1,n=5", "n sensitivity t alpha epsilon scale", "diffprivlib Geometric",
               "two-sided geometric noise, unbounded, tails lumped without loss",
               lambda w: lumped(GeometricNoise(_one(w)), w.inputs())),
        Family("diffprivlib-geometric-truncated:epsilon=1,lower=0,upper=5", "lower upper sensitivity t alpha epsilon scale",
               "diffprivlib GeometricTruncated", "two-sided geometric noise, censored to the bounds",
               lambda w: censored(GeometricNoise(_one(w)), w.inputs(), w.integer("lower"), w.integer("upper"))),
        Family("diffprivlib-geometric-folded:epsilon=1,n=5", "n sensitivity lower upper t alpha epsilon scale",
               "diffprivlib GeometricFolded", "reflected at the bounds (integers or half-integers; 0 and n unless given)",
               lambda w: folded_geometric(range(w.integer("n") + 1), w.given.get("lower", "0"),
                                          w.given.get("upper", w.given.get("n", "0")), _one(w))),
        Family("diffprivlib-binary:epsilon=1", "t alpha epsilon scale", "diffprivlib Binary", "the truth with probability e^ε/(e^ε + 1)",
               lambda w: randomized_response_at(range(2), w.base()), local=True),
        Family("diffprivlib-exponential:epsilon=1,n=3", "n sensitivity monotonic t alpha epsilon scale", "diffprivlib Exponential",
               "the utility −|i − r| (monotonic=1: e^(ε u/Δ) instead of e^(ε u/(2Δ)))",
               lambda w: exponential_mechanism(_closeness(w.integer("n")),
                                               w.base(w.integer("sensitivity", 1) * (1 if w.integer("monotonic", 0) else 2)))),
        Family("google-geometric:epsilon=1,n=5", "n sensitivity t alpha epsilon scale", "Google's differential-privacy library",
               "double-sided geometric noise, in the limit of the granularity 1",
               lambda w: lumped(GeometricNoise(_one(w)), w.inputs())),
        Family("google-laplace:epsilon=1,n=5,resolution=4", "n resolution t alpha epsilon scale", "Google's differential-privacy library",
               "double-sided geometric on multiples of 1/resolution, rounded; t = e^(−ε/(resolution + 1))",
               lambda w: lumped(GranularGeometricNoise(w.base(w.integer("resolution") + 1), w.integer("resolution")), w.inputs())),
        Family("tumult-geometric:scale=1,n=5", "n t alpha epsilon scale", "Tumult Core",
               "double-sided geometric noise e^(−|z|/scale), tails lumped without loss",
               lambda w: lumped(GeometricNoise(w.base()), w.inputs())),
        Family("two-coin:truth=1/2,yes=1/2", "truth yes", "the two-coin protocol", "the truth, or else yes, with these probabilities",
               lambda w: two_coin(w.number("truth", "1/2"), w.number("yes", "1/2")), local=True),
        Family("flat:epsilon=1,n=3", "n t alpha epsilon scale", "k-ary randomised response",
               "the flat mechanism: c·e^ε for the truth, c for the others",
               lambda w: randomized_response_at(w.inputs(), w.base()), local=True),
        Family("rappor:bits=2,hashes=1,f=1/2,p=1/4,q=3/4", "bits hashes f p q", "RAPPOR",
               "one report: the instantaneous response to the permanent one",
               lambda w: rappor(w.integer("bits"), w.integer("hashes", 1), w.number("f"), w.number("p"), w.number("q")), local=True),
        Family("rappor-permanent:bits=2,hashes=1,f=1/2", "bits hashes f", "RAPPOR", "the permanent randomised response",
               lambda w: rappor_permanent(w.integer("bits"), w.integer("hashes", 1), w.number("f")), local=True),
        Family("exponential:epsilon=1,n=3", "n t alpha epsilon scale", "the exponential mechanism",
               "the score −|i − r|, of sensitivity 1: t = e^(−ε/2)",
               lambda w: exponential_mechanism(_closeness(w.integer("n")), w.base(2))),
        Family("noisy-max:epsilon=1,n=3", "n ties t alpha epsilon scale", "report noisy max",
               "two candidates' votes, geometric noise with t = e^(−ε/2); ties=first or uniform",
               lambda w: noisy_max(_votes(w.integer("n")), w.base(2), ties=_ties(w))),
        Family("rounded-laplace:epsilon=1,n=5", "n t alpha epsilon scale", "the Laplace mechanism",
               "noise of scale 1/ε, rounded to integers and clamped to 0..n; t = e^(−ε/2)",
               lambda w: censored(RoundedLaplaceNoise(w.base(2)), w.inputs(), 0, w.integer("n"))),
        Family("staircase:epsilon=1,n=5,sensitivity=2,step=1", "n sensitivity step t alpha epsilon scale", "Geng–Viswanath",
               "the discrete staircase mechanism, tails lumped without loss",
               lambda w: staircase(w.inputs(), w.base(), w.integer("sensitivity", 1), w.integer("step", 1))),
        Family("clamped-staircase:epsilon=1,n=5,sensitivity=2,step=1", "n sensitivity step t alpha epsilon scale", "Geng–Viswanath",
               "the discrete staircase mechanism, clamped to 0..n",
               lambda w: censored(_staircase_noise(w), w.inputs(), 0, w.integer("n"))),
    )
}
# fmt: on
"""All words, by the name before the colon."""

MECHANISM_FORMS = {family.example: family.law for family in FAMILIES.values() if not family.source}
"""The words of the papers' mechanisms, with their meaning; the level may be given apart."""


def is_mechanism_spec(text: str) -> bool:
    """Whether the text begins with the name of a mechanism and a colon (so that it is no file name).

    >>> is_mechanism_spec("geometric:n=3"), is_mechanism_spec("table.csv")
    (True, False)
    """
    family, colon, _ = text.partition(":")
    return bool(colon) and family in FAMILIES


def mechanism_from_spec(spec: str, alpha: LevelLike | None = None) -> Mechanism:
    """The mechanism that a short word names.

    Parameters
    ----------
    spec : str
        A word of :data:`FAMILIES`, with other parameters.
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
    word = Word.parse(spec, alpha)
    found = FAMILIES[word.family].build(word)
    if isinstance(found.inputs, Positions) and isinstance(found.outputs, Positions):
        return found
    return found.relabelled(Positions(found.inputs), Positions(found.outputs))


def needs_level(spec: str) -> bool:
    """Whether a word has no level of its own and needs one beside it.

    >>> needs_level("geometric:n=3"), needs_level("geometric:n=3,alpha=1/2"), needs_level("uniform:n=3")
    (True, False, False)
    """
    word = Word.parse(spec)
    return FAMILIES[word.family].is_levelled and not {*LEVEL, "keep"} & set(word.given)


def word_neighbours(spec: str, inputs: Labels) -> Graph:
    """The neighbours that a word means: all inputs if it is local, else those within its sensitivity.

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
        message = f"{spec!r}: {name} has {count} pairs of neighbours; the limit is {MAX_EDGES}; say which are meant with --graph"
        raise ResourceLimitError(message, limit=MAX_EDGES, got=count)
    edges = [(i, j) for i in range(size) for j in range(i + 1, min(i + reach, size - 1) + 1)]
    return Graph(inputs, edges, name=name)


def is_meant(near: Neighbours, spec: str, inputs: Labels) -> bool:
    """Whether these are the neighbours that a word means, up to their labels.

    >>> [is_meant(Graph.path(3), word, Positions(3)) for word in ("uniform:n=2", "flat:n=2")]
    [True, False]
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
    word = Word.parse(spec)
    size = len(inputs)
    if size <= 2:
        reach, name = 1, f"path:{size}"
    elif FAMILIES[word.family].local:
        reach, name = size, f"complete:{size}"
    else:
        reach = int(word.given.get("sensitivity", "1"))
        shown = brief(inputs) if isinstance(inputs, Positions) and inputs.named else f"0..{size - 1}"
        name = f"path:{size}" if reach == 1 else f"inputs {shown} that differ by at most {reach}"
    return reach, name
