# SPDX-License-Identifier: MIT
"""The mechanisms that a short word names: ``geometric:n=3,alpha=1/2``, ``opendp-geometric:scale=1,n=5``, ….

:data:`FAMILIES` is the table of all words, each with its parameters, source, law, neighbours and an example;
``exactdp mechanisms`` prints it. What a word names is unlabelled: inputs and outputs are known by their
places, and are shown by their names.

A level inside the word defines the mechanism (``epsilon=1/10`` is the level e^(−1/10), exactly); the level
asked about is another matter, so that one given beside the word is used only where the word has none. What a
library implements has one noise ratio t. It is given as ``t=`` itself, as ``epsilon=`` or ``scale=`` in the
library's own words (then t is a power of e^(−ε)), or by a level α; each word says which power.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from exactdp.errors import LONGEST_MESSAGE, DomainError, ExactDPError, InputError, ResourceLimitError, repr_of
from exactdp.exact import QQ, ExactMatrix, ExponentialNumber, Letters, LettersLike, Rational, letters_of
from exactdp.exact.decimals import decimal_text, nearest_text
from exactdp.exact.formula import names_in
from exactdp.mechanisms.exponential import Scores, exponential_mechanism, noisy_max, require_exponential
from exactdp.mechanisms.geometric import geometric
from exactdp.mechanisms.laplace import GranularGeometricNoise, RoundedLaplaceNoise
from exactdp.mechanisms.noise import GeometricNoise, censored, folded_geometric, lumped, lumped_geometric
from exactdp.mechanisms.responses import (
    category_response,
    identity,
    randomized_response,
    rappor,
    rappor_permanent,
    two_coin,
    unary_encoding,
    uniform,
)
from exactdp.mechanisms.staircase import StaircaseNoise, staircase
from exactdp.model.epsilon import Epsilon
from exactdp.model.graph import Graph, Neighbours, require_graph
from exactdp.model.labels import Labels, Positions, brief
from exactdp.model.level import LevelLike, PrivacyLevel, as_level
from exactdp.model.level_argument import takes_epsilon
from exactdp.model.mechanism import Mechanism
from exactdp.runtime.budget import require_budget
from exactdp.runtime.values import dataclass
from exactdp.spelling import own_spelling

__all__ = ["mechanism_from_spec"]

LEVEL = ("t", "alpha", "epsilon", "scale")
"""The parameters of a library's word that give its noise ratio t."""

DOMAINS = {
    "n": "an integer ≥ 0; the inputs are 0..n",
    "lower": "an integer, the least input; of folded noise an integer or half-integer, where it is reflected",
    "upper": "an integer, the largest input; of folded noise an integer or half-integer, where it is reflected",
    "sensitivity": "an integer ≥ 1: inputs that differ by at most so much are neighbours",
    "step": "an integer from 1 to sensitivity, the width of a stair",
    "resolution": "an even integer ≥ 2: noise lies on multiples of 1/resolution before it is rounded",
    "monotonic": "0 or 1; 1 doubles the exponent",
    "ties": "first or uniform: who wins a tie",
    "bits": "an integer ≥ 1, the size of the report or Bloom filter",
    "hashes": "an integer from 1 to bits: a value sets so many bits",
    "keep": "a number from 0 to 1, the probability of the truth",
    "prob": "a number from 0 to 1, the probability of the truth",
    "truth": "a number from 0 to 1, the first coin's probability of telling the truth",
    "yes": "a number from 0 to 1, the second coin's probability of saying yes",
    "f": "a number from 0 to 1; a bit becomes a fair coin with probability f",
    "p": "a number from 0 to 1, the probability of reporting a bit that is not set",
    "q": "a number from 0 to 1, the probability of reporting a bit that is set",
    "alpha": "a number with 0 < alpha < 1, the level α = e^(−ε)",
    "epsilon": "a number > 0, or a logarithm such as ln(3): the ε of the level",
    "scale": "a number > 0; ε is 1/scale",
    "t": "a number with 0 < t < 1, the ratio of the noise",
}
"""What each parameter is, unless a family says otherwise."""

_OF_ANSWERS = "an integer ≥ 0; the inputs are 0..n; or k=, the number of answers, k = n + 1"
"""What n is where the inputs are answers."""

INTEGERS = {"n": 0, "lower": None, "upper": None, "sensitivity": 1, "step": 1, "resolution": 2, "monotonic": 0, "bits": 1, "hashes": 1}
"""The parameters that are integers, with the least value of each."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a word takes: a name, its values, what it is when left out, and whether it is one of a choice.

    Attributes
    ----------
    name, domain : str
    default : str or None
        None for what must be given.
    choice : bool
        Whether exactly one of the parameters that are choices is given (or a level beside the word).
    """

    name: str
    domain: str
    default: str | None = None
    choice: bool = False

    @classmethod
    def read(cls, text: str) -> tuple[Parameter, ...]:
        """The parameters in a text of names: ``n sensitivity=1 alpha|epsilon``.

        >>> [p.name for p in Parameter.read("n sensitivity=1 alpha|epsilon")]
        ['n', 'sensitivity', 'alpha', 'epsilon']
        """
        found = []
        for part in text.split():
            names, _, default = part.partition("=")
            several = "|" in names
            found += [cls(name, DOMAINS[name], default or None, several) for name in names.split("|")]
        return tuple(found)


LETTERS = {"α": "alpha", "ε": "epsilon", "eps": "epsilon"}
"""What is typed for a parameter of a word, as for a level."""


@dataclass(frozen=True, slots=True)
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
    letters : Letters, optional
        What the letters in the parameters stand for.

    Examples
    --------
    >>> Word.parse("geometric:n=3").integer("n")
    3
    """

    spec: str
    family: str
    given: Mapping[str, str]
    level: LevelLike | None = None
    letters: Letters | None = None

    @classmethod
    def parse(cls, spec: str, level: LevelLike | None = None, letters: Letters | None = None) -> Word:
        """The word in a text; InputError if there is no such family or parameter."""
        if not isinstance(spec, str):
            raise InputError(f"{repr_of(spec)} is not a text; a mechanism is named like geometric:n=3", value=spec)
        typed, _, rest = spec.partition(":")
        family = own_spelling(typed)
        if family not in FAMILIES:
            near = nearest_word(family)
            hint = f"did you mean {near}? " if near else ""
            raise InputError(f"there is no word {_cut(family)!r} for a mechanism; {hint}'exactdp mechanisms' lists all", spec=spec)
        given: dict[str, str] = {}
        word = cls(spec, family, given, level, letters)
        known = [parameter.name for parameter in FAMILIES[family].parameters]
        for part in filter(None, rest.split(",")):
            key, equals, value = (text.strip() for text in part.partition("="))
            if not equals:
                raise word.refuse(f"{_cut(part)!r} is not of the form name=value")
            key = LETTERS.get(key, key)
            if key == "k" and FAMILIES[family].answers:
                if "n" in given:
                    raise word.refuse("the number of answers is given twice; k = n + 1")
                key, value = "n", word.n_of(value)
            if key not in known:
                raise word.refuse(f"it has no parameter {_cut(key)!r}")
            if key in given:
                raise word.refuse(f"{key} is given twice{'; k = n + 1' if key == 'n' and FAMILIES[family].answers else ''}")
            given[key] = value
        return word

    def n_of(self, answers: str) -> str:
        """The n of a word whose number of answers is given.

        >>> Word.parse("randomized-response:k=3,keep=1/2").given["n"]
        '2'
        """
        digits = answers.isascii() and answers.isdigit() and len(answers) <= _MOST_FIGURES
        if not digits or int(answers) < 1:
            raise self.refuse(f"k is {_cut(answers)!r}, and not an integer ≥ 1, the number of answers")
        return str(int(answers) - 1)

    @property
    def by_epsilon(self) -> bool | None:
        """Whether its level is given as an ε, in it or beside it, or as an α; None if it has none.

        >>> words = ("geometric:n=3,epsilon=ln 2", "geometric:n=3,alpha=1/2", "uniform:n=3")
        >>> [Word.parse(word).by_epsilon for word in words]
        [True, False, None]
        """
        if "epsilon" in self.given:
            return True
        if "alpha" in self.given:
            return as_level(self.alpha()).by_epsilon
        return None if self.level is None or set(LEVEL) & self.given.keys() else as_level(self.level).by_epsilon

    def refuse(self, rule: str) -> InputError:
        """The error that names the word, what is wrong, what the word takes, and an example."""
        return InputError(self.told(rule), spec=self.spec)

    def told(self, rule: str) -> str:
        """What is wrong with the word, what it takes, and an example."""
        family = FAMILIES[self.family]
        return f"{_cut(self.spec, 60)}: {rule}; {self.family} takes {family.takes}, as in {family.example}"

    def default(self, name: str) -> str | None:
        """The text of a parameter that may be left out."""
        return next(p.default for p in FAMILIES[self.family].parameters if p.name == name)

    def text(self, name: str) -> str:
        """The text of a parameter, given or by default."""
        found = self.given.get(name, self.default(name))
        if found is None:
            raise self.refuse(f"{name} is missing")
        return found

    def integer(self, name: str) -> int:
        """An integer that is at least its least value."""
        text, least = self.text(name), INTEGERS[name]
        value = _integer(text)
        if value is None or (least is not None and value < least) or (name == "monotonic" and value > 1):
            raise self.refuse(f"{name} is {_cut(text)!r}, and not {DOMAINS[name].partition(';')[0].partition(':')[0]}")
        return value

    def number(self, name: str) -> Any:
        """A rational, or a formula in the letters."""
        return self._read(self.text(name))

    def _read(self, text: str) -> Any:
        """A text as a number: rational where it has no letter."""
        if self.letters is None:
            return QQ(text)
        value = self.letters.read(text)
        return value if isinstance(value, Rational) or value.rational is None else value.rational

    def inputs(self) -> list[int]:
        """The inputs of a library's mechanism: 0..n, or lower..upper."""
        if any(parameter.name == "n" for parameter in FAMILIES[self.family].parameters):
            return list(range(self.size() + 1))
        low, high = self.integer("lower"), self.integer("upper")
        if low > high:
            raise self.refuse(f"lower = {low} is above upper = {high}")
        self._afford((high - low + 1) ** 2)
        return list(range(low, high + 1))

    def base(self, part: int = 1) -> PrivacyLevel:
        """The ratio t of a library's noise: given, or the power 1/part of a level.

        The level is e^(−ε) for the ε of ``epsilon`` or 1/``scale``, or α, in the word or beside it.
        """
        power = Rational(1, part)
        way = self._one_of(LEVEL)
        if way is None:
            assert self.level is not None
            return self._power(as_level(self.level), power)
        if way == "epsilon":
            return PrivacyLevel(epsilon=Epsilon(self.given[way]).scaled(power))
        value = self._read(self.given[way])
        if way == "t":
            return PrivacyLevel(value)
        if way == "alpha":
            return self._power(PrivacyLevel(value), power)
        if value.sign() <= 0:
            raise self.refuse(f"{way} is {value}, not > 0")
        return PrivacyLevel(epsilon=power / value)

    def _power(self, level: PrivacyLevel, power: Rational) -> PrivacyLevel:
        """A level to a power; for a rational ε in a field of its own where that of the level lacks it."""
        try:
            return PrivacyLevel(level.power(power))
        except DomainError as error:
            if isinstance(level.alpha, ExponentialNumber) and level.epsilon.rational is not None:
                return PrivacyLevel(epsilon=level.epsilon.scaled(power))
            if not isinstance(level.alpha, Rational):
                raise
            rule = f"t is ({level.alpha})^({power}), which is irrational; give t itself in the word, as in t=1/2, or a rational ε"
            raise DomainError(self.told(rule), **error.facts) from None

    def _one_of(self, ways: tuple[str, ...]) -> str | None:
        """Which of several parameters is given; None if none is, and the level beside the word counts."""
        inside = [name for name in ways if name in self.given]
        if len(inside) > 1:
            raise self.refuse(f"{' and '.join(inside)} are both given; one determines the other")
        if not inside and self.level is None:
            raise self.refuse("the level is missing, in it or beside it")
        return inside[0] if inside else None

    def size(self) -> int:
        """The n of a mechanism whose inputs are 0..n."""
        n = self.integer("n")
        self._afford((n + 1) ** 2)
        return n

    def _afford(self, numbers: int) -> None:
        """Refuse a table of too many numbers, with a question that is answered without it."""
        try:
            require_budget(f"the table {_cut(self.spec, 60)!r}", numbers=numbers)
        except ResourceLimitError as error:
            if self.level is None and needs_level(self.spec):  # with one it may be answered without a table
                raise self.refuse("the level is missing, in it or beside it") from None
            instead = self._for_every_size()
            if not instead:
                raise
            noise = self._noise()
            whole, brief = (f"{error}; for every size {told}{instead}" for told in (noise, ""))
            raise ResourceLimitError(whole if len(whole) <= LONGEST_MESSAGE else brief, **error.facts) from None

    def _for_every_size(self) -> str:
        """The question about privacy that needs no table; empty where none is known.

        It is answered by the law of the noise (:mod:`exactdp.mechanisms.laws`). In place of a long word
        stands the one with the smallest table, which has the same level on the path.
        """
        sizes = GEOMETRIC_NOISE.get(self.family)
        inside = {name: text for name, text in self.given.items() if name not in {"n", "lower", "upper", "sensitivity"}}
        if sizes is None or self.given.get("sensitivity", "1") != "1" or not (inside or self.level is not None):
            return ""
        if self.letters is not None and has_letters(self.spec, self.letters):  # the law has no letters of a region
            return ""
        beside = "" if inside or self.level is None else f" {_option(as_level(self.level))}"
        parameters = ",".join([sizes, *(f"{name}={text}" for name, text in inside.items())])
        asked = self.spec if len(self.spec) <= LONGEST_ASKED else f"{self.family}:{parameters}"
        question = f"exactdp privacy '{asked}'{beside}"
        return f"on a path one tightest level: ask {_cut(question, 120)}"

    def _noise(self) -> str:
        """How large geometric noise is, which bounds the losses abs and zero-one at every input.

        For P(z) = (1−t)/(1+t)·t^|z| the mean of |z| is 2t/(1−t²), and P(z ≠ 0) = 2t/(1+t). Noise that is
        moved into the range is no farther from the input, and is 0 where it was. Empty where t has a letter.
        """
        t = self.base().alpha
        if not isinstance(t, Rational) and not hasattr(t, "enclosure"):
            return ""
        return f"E|noise| {_nearest(2 * t / (1 - t * t))}, P(noise ≠ 0) {_nearest(2 * t / (1 + t))}, and "

    def alpha(self) -> LevelLike:
        """The level of a paper's mechanism: inside the word, or else beside it."""
        way = self._one_of(("alpha", "epsilon"))
        if way is None:
            assert self.level is not None
            return self.level
        return PrivacyLevel(self.given[way], letters=self.letters) if way == "alpha" else PrivacyLevel(epsilon=self.given[way])


def _integer(text: str) -> int | None:
    """An integer in digits, or with an exponent, as in 1e6; None for anything else.

    >>> _integer("-3"), _integer("1e6"), _integer("25e1"), _integer("1.5"), _integer("1e99999")
    (-3, 1000000, 250, None, None)
    """
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    digits, exponent, zeros = digits.partition("e" if "e" in digits else "E")
    parts = (digits, zeros) if exponent else (digits,)
    if not all(part.isascii() and part.isdigit() for part in parts) or len(zeros) > 3:
        return None
    count = int(zeros or "0")
    return int(sign + digits + "0" * count) if len(digits) + count <= _MOST_FIGURES else None


def _cut(text: str, most: int = 40) -> str:
    """A text for a message, cut where it is long."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _nearest(value: Any) -> str:
    """The decimal that a number is, or is near to."""
    if isinstance(value, Rational):
        decimal, exact = decimal_text(value)
        return f"{'=' if exact else '≈'} {decimal}"
    return f"≈ {nearest_text(value.enclosure)}"


def _option(level: PrivacyLevel) -> str:
    """The option of a command that gives this level, in the notation that was asked."""
    if level.by_epsilon:
        return f"--epsilon '{level.epsilon}'"
    return f"--alpha {level.alpha}" if isinstance(level.alpha, Rational) else "--alpha symbolic"


def _one(w: Word) -> PrivacyLevel:
    """The ratio e^(−ε/Δ) of noise on integers with sensitivity Δ."""
    return w.base(w.integer("sensitivity"))


def _ties(w: Word) -> Any:
    return w.text("ties")


def _staircase_noise(w: Word) -> StaircaseNoise:
    return StaircaseNoise(w.base(), w.integer("sensitivity"), w.integer("step"))


def _of_closeness(n: int, base: PrivacyLevel) -> Mechanism:
    """The exponential mechanism with the score −|i − r| on 0..n; refused before the scores are made."""
    require_exponential((n + 1) ** 2, base.alpha, n)
    return exponential_mechanism(Scores(ExactMatrix.build(n + 1, n + 1, lambda i, r: -abs(i - r))), base)


def _votes(n: int) -> Scores:
    """N people vote for one of two candidates: the input is the first one's number of votes."""
    return Scores(ExactMatrix.build(n + 1, 2, lambda i, r: n - i if r else i), None, ["first", "second"])


def _response(w: Word) -> Mechanism:
    """Randomized response on 0..n, by the probability of the truth or by its tightest level."""
    if "keep" not in w.given:
        return randomized_response(w.inputs(), alpha=w.alpha())
    beside = next((name for name in ("alpha", "epsilon") if name in w.given), None)
    if beside:
        raise w.refuse(f"{beside} and keep are both given; one determines the other")
    return randomized_response(w.inputs(), w.number("keep"))


@dataclass(frozen=True, slots=True, init=False)
class Family:
    """A family of words.

    Attributes
    ----------
    example : str
        A complete word; what stands before the colon is the family's name.
    parameters : tuple of Parameter
        All that a word of the family takes; given as one text (:meth:`Parameter.read`).
    source : str
        Who describes or implements it.
    does : str
        What it does, in words.
    law : str
        The probability x_ir of the output r at the input i, or of the noise z.
    build : callable
        From a word to its mechanism.
    local : bool
        Whether it answers for one person, so that all its inputs are neighbours; elsewhere inputs that differ
        by at most the sensitivity are.
    answers : bool
        Whether its inputs are answers, so that ``k``, their number, may be given instead of n = k − 1.
    """

    example: str
    parameters: tuple[Parameter, ...]
    source: str
    does: str
    law: str
    build: Callable[[Word], Mechanism]
    local: bool
    answers: bool

    def __init__(
        self,
        example: str,
        parameters: str,
        source: str,
        does: str,
        law: str,
        build: Callable[[Word], Mechanism],
        *,
        local: bool = False,
        answers: bool = False,
    ) -> None:
        object.__setattr__(self, "example", example)
        found = Parameter.read(parameters)
        if answers:
            found = tuple(replace(p, domain=_OF_ANSWERS) if p.name == "n" else p for p in found)
        object.__setattr__(self, "parameters", found)
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "does", does)
        object.__setattr__(self, "law", law)
        object.__setattr__(self, "build", build)
        object.__setattr__(self, "local", local)
        object.__setattr__(self, "answers", answers)

    @property
    def name(self) -> str:
        """What stands before the colon."""
        return self.example.partition(":")[0]

    @property
    def takes(self) -> str:
        """The parameters in one phrase.

        >>> FAMILIES["diffprivlib-geometric"].takes
        'n, sensitivity (default 1), one of t, alpha, epsilon, scale'
        """
        parts = [p.name if p.default is None else f"{p.name} (default {p.default})" for p in self.parameters if not p.choice]
        if self.answers:
            parts[parts.index("n")] = "n (or k = n + 1, the number of answers)"
        choice = ", ".join(p.name for p in self.parameters if p.choice)
        return ", ".join([*parts, *([f"one of {choice}"] if choice else [])])


GEOMETRIC_NOISE = {
    **dict.fromkeys(("geometric", "lumped-geometric", "opendp-laplace"), "n=1"),
    **dict.fromkeys(("diffprivlib-geometric", "google-geometric", "tumult-geometric"), "n=1"),
    **dict.fromkeys(("opendp-geometric", "diffprivlib-geometric-truncated"), "lower=0,upper=1"),
}
"""Families of two-sided geometric noise on integers, with their smallest table that has two inputs."""

LONGEST_ASKED = 80
"""Characters of a word that is named again in the question that a message tells."""

_LEVEL = "t|alpha|epsilon|scale"
_GEOMETRIC = "z has the probability (1−t)/(1+t)·t^|z|"
_ENDS = "all outputs below 0 are one output, all above n another (nothing is lost: their rows are proportional)"
_GRR = "Ghosh, Roughgarden, Sundararajan: Universally utility-maximizing privacy mechanisms"

# fmt: off
FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family("geometric:n=3,alpha=1/2", "n alpha|epsilon", _GRR, "the range-restricted geometric mechanism",
               "x_ir = c_r·α^|i−r| with c_0 = c_n = 1/(1+α), c_r = (1−α)/(1+α) between",
               lambda w: geometric(w.size(), w.alpha())),
        Family("lumped-geometric:n=3,alpha=1/2", "n alpha|epsilon", _GRR, "the unbounded geometric mechanism, tails lumped",
               f"r = i + z; z has the probability (1−α)/(1+α)·α^|z|; {_ENDS}",
               lambda w: lumped_geometric(w.size(), w.alpha())),
        Family("randomized-response:n=4,alpha=1/2", "n alpha|epsilon|keep", "Warner: Randomized response, with n + 1 answers",
               "the truth, or else one of the others; alpha is its tightest level on the complete graph",
               "x_ii = keep, x_ir = (1−keep)/n; keep = 1/(1+n·α)", _response, local=True, answers=True),
        Family("identity:n=3", "n", "no privacy", "report the truth", "x_ir = 1 for r = i, else 0",
               lambda w: identity(w.inputs())),
        Family("uniform:n=3", "n", "perfect privacy", "ignore the input", "x_ir = 1/(n+1)", lambda w: uniform(w.inputs())),
        Family("opendp-geometric:scale=1,lower=0,upper=50", f"lower upper {_LEVEL}", "OpenDP make_geometric with bounds",
               "two-sided geometric noise, censored to the bounds",
               f"r = i + z, moved to the nearer bound; {_GEOMETRIC}, t = e^(−1/scale)",
               lambda w: censored(GeometricNoise(w.base()), w.inputs(), w.integer("lower"), w.integer("upper"), clamp_inputs=True)),
        Family("opendp-laplace:scale=1,n=5", f"n {_LEVEL}", "OpenDP make_laplace, or make_geometric without bounds, on integers",
               "discrete Laplace noise, unbounded, tails lumped without loss",
               f"r = i + z; {_GEOMETRIC}, t = e^(−1/scale); {_ENDS}",
               lambda w: lumped(GeometricNoise(w.base()), w.inputs())),
        Family("opendp-randomized-response:n=2,prob=3/4", "n prob", "OpenDP make_randomized_response",
               "the truth with probability prob, else another of n + 1 categories", "x_ii = prob, x_ir = (1−prob)/n",
               lambda w: category_response(w.inputs(), w.number("prob")), local=True, answers=True),
        Family("diffprivlib-geometric:epsilon=1,n=5", f"n sensitivity=1 {_LEVEL}", "diffprivlib Geometric",
               "two-sided geometric noise, unbounded, tails lumped without loss",
               f"r = i + z; {_GEOMETRIC}, t = e^(−ε/sensitivity); {_ENDS}",
               lambda w: lumped(GeometricNoise(_one(w)), w.inputs())),
        Family("diffprivlib-geometric-truncated:epsilon=1,lower=0,upper=5", f"lower upper sensitivity=1 {_LEVEL}",
               "diffprivlib GeometricTruncated", "two-sided geometric noise, censored to the bounds",
               f"r = i + z, moved to the nearer bound; {_GEOMETRIC}, t = e^(−ε/sensitivity)",
               lambda w: censored(GeometricNoise(_one(w)), w.inputs(), w.integer("lower"), w.integer("upper"))),
        Family("diffprivlib-geometric-folded:epsilon=1,n=5", f"n sensitivity=1 lower=0 upper=n {_LEVEL}",
               "diffprivlib GeometricFolded", "two-sided geometric noise, reflected at the bounds (integers or half-integers)",
               f"r = i + z, reflected at lower and upper until it lies between; {_GEOMETRIC}, t = e^(−ε/sensitivity)",
               lambda w: folded_geometric(w.inputs(), w.text("lower"), w.given.get("upper", w.text("n")), _one(w))),
        Family("diffprivlib-binary:epsilon=1", _LEVEL, "diffprivlib Binary", "the truth with probability e^ε/(e^ε + 1), else the other",
               "x_ii = 1/(1+t), x_ir = t/(1+t), t = e^(−ε)", lambda w: randomized_response(2, alpha=w.base()), local=True),
        Family("diffprivlib-exponential:epsilon=1,n=3", f"n sensitivity=1 monotonic=0 {_LEVEL}", "diffprivlib Exponential",
               "the exponential mechanism with the utility −|i − r|",
               "x_ir is proportional to t^|i−r|, t = e^(−ε/(2·sensitivity)), or e^(−ε/sensitivity) with monotonic=1",
               lambda w: _of_closeness(w.size(), w.base(w.integer("sensitivity") * (2 - w.integer("monotonic"))))),
        Family("google-geometric:epsilon=1,n=5", f"n sensitivity=1 {_LEVEL}", "Google's differential-privacy library",
               "double-sided geometric noise, in the limit of the granularity 1",
               f"r = i + z; {_GEOMETRIC}, t = e^(−ε/sensitivity); {_ENDS}",
               lambda w: lumped(GeometricNoise(_one(w)), w.inputs())),
        Family("google-laplace:epsilon=1,n=5,resolution=4", f"n resolution {_LEVEL}", "Google's differential-privacy library",
               "double-sided geometric noise on multiples of 1/resolution, rounded",
               f"r = i + z/resolution, rounded; {_GEOMETRIC}, t = e^(−ε/(resolution + 1)); {_ENDS}",
               lambda w: lumped(GranularGeometricNoise(w.base(w.integer("resolution") + 1), w.integer("resolution")), w.inputs())),
        Family("tumult-geometric:scale=1,n=5", f"n {_LEVEL}", "Tumult Core",
               "double-sided geometric noise, unbounded, tails lumped without loss",
               f"r = i + z; {_GEOMETRIC}, t = e^(−1/scale); {_ENDS}",
               lambda w: lumped(GeometricNoise(w.base()), w.inputs())),
        Family("two-coin:truth=1/2,yes=1/2", "truth=1/2 yes=1/2", "the two-coin protocol",
               "the truth, or else yes, with these probabilities",
               "yes is reported with probability truth + (1−truth)·yes if it is true, (1−truth)·yes if not",
               lambda w: two_coin(w.number("truth"), w.number("yes")), local=True),
        Family("flat:epsilon=1,n=3", f"n {_LEVEL}", "k-ary randomised response",
               "the flat mechanism: c·e^ε for the truth, c for the others", "x_ii = 1/(1+n·t), x_ir = t/(1+n·t), t = e^(−ε)",
               lambda w: randomized_response(w.inputs(), alpha=w.base()), local=True, answers=True),
        Family("rappor:bits=2,hashes=1,f=1/2,p=1/4,q=3/4", "bits hashes=1 f p q", "Erlingsson, Pihur, Korolova: RAPPOR",
               "one report: the instantaneous response to the permanent one",
               "each bit is reported as 1 with probability f·(p+q)/2 + (1−f)·q if it is set, f·(p+q)/2 + (1−f)·p if not",
               lambda w: rappor(w.integer("bits"), w.integer("hashes"), w.number("f"), w.number("p"), w.number("q")), local=True),
        Family("rappor-permanent:bits=2,hashes=1,f=1/2", "bits hashes=1 f", "Erlingsson, Pihur, Korolova: RAPPOR",
               "the permanent randomised response", "each bit stays with probability 1−f/2, else it is the other",
               lambda w: rappor_permanent(w.integer("bits"), w.integer("hashes"), w.number("f")), local=True),
        Family("unary-encoding:bits=4,epsilon=1", f"bits {_LEVEL}", "Wang, Blocki, Li, Jha: Locally differentially private protocols",
               "one bit is set, and each bit is flipped alike: Apple's count mean sketch, symmetric unary encoding",
               "a bit is flipped with probability t/(1+t), t = e^(−ε/2)",
               lambda w: unary_encoding(w.integer("bits"), w.base(2)), local=True),
        Family("exponential:epsilon=1,n=3", f"n {_LEVEL}", "McSherry, Talwar: Mechanism design via differential privacy",
               "the exponential mechanism with the score −|i − r|, of sensitivity 1",
               "x_ir is proportional to t^|i−r|, t = e^(−ε/2)",
               lambda w: _of_closeness(w.size(), w.base(2))),
        Family("noisy-max:epsilon=1,n=3", f"n ties=first {_LEVEL}", "report noisy max",
               "two candidates share n votes; the one with more votes after noise is reported",
               f"the larger of i + z and n − i + z', two draws; {_GEOMETRIC}, t = e^(−ε/2)",
               lambda w: noisy_max(_votes(w.size()), w.base(2), ties=_ties(w))),
        Family("rounded-laplace:epsilon=1,n=5", f"n {_LEVEL}", "the Laplace mechanism, rounded",
               "Laplace noise of scale 1/ε, rounded to integers and moved to the nearer of 0 and n",
               "r = i + z, moved to 0..n; P(z = 0) = 1−t, P(z) = (t^(2|z|−1) − t^(2|z|+1))/2 otherwise, t = e^(−ε/2)",
               lambda w: censored(RoundedLaplaceNoise(w.base(2)), w.inputs(), 0, w.size())),
        Family("staircase:epsilon=1,n=5,sensitivity=2,step=1", f"n sensitivity=1 step=1 {_LEVEL}",
               "Geng, Viswanath: The optimal mechanism in differential privacy",
               "the discrete staircase mechanism, tails lumped without loss",
               "r = i + z; P(z) = a·t^k for |z| = k·sensitivity + j, a·t^(k+1) from j = step on; sum 1 gives a; t = e^(−ε); "
               "the outputs outside 0..n are one output for each remainder by sensitivity",
               lambda w: staircase(w.inputs(), w.base(), w.integer("sensitivity"), w.integer("step"))),
        Family("clamped-staircase:epsilon=1,n=5,sensitivity=2,step=1", f"n sensitivity=1 step=1 {_LEVEL}",
               "Geng, Viswanath: The optimal mechanism in differential privacy",
               "the discrete staircase mechanism, moved to the nearer of 0 and n",
               "r = i + z, moved to 0..n; P(z) = a·t^k for |z| = k·sensitivity + j, a·t^(k+1) from j = step on; t = e^(−ε)",
               lambda w: censored(_staircase_noise(w), w.inputs(), 0, w.size())),
    )
}
# fmt: on
"""All words, by the name before the colon."""


def nearest_word(text: str) -> str | None:
    """The name of a family that is most like the text before the colon; None if none is.

    >>> nearest_word("geometrc:n=3"), nearest_word("table.csv")
    ('geometric', None)
    """
    from difflib import get_close_matches  # only for words that are not known

    return next(iter(get_close_matches(text.partition(":")[0].lower(), FAMILIES, 1)), None)


def is_mechanism_spec(text: str) -> bool:
    """Whether the text begins with the name of a mechanism and a colon (so that it is no file name).

    >>> is_mechanism_spec("geometric:n=3"), is_mechanism_spec("table.csv")
    (True, False)
    """
    family, colon, _ = text.partition(":")
    return bool(colon) and own_spelling(family) in FAMILIES


@takes_epsilon
def mechanism_from_spec(spec: str, alpha: LevelLike | None = None, *, letters: LettersLike | None = None) -> Mechanism:
    """The mechanism that a short word names; ``exactdp mechanisms`` lists the words.

    Parameters
    ----------
    spec : str
        A word of :data:`FAMILIES`, with other parameters.
    alpha : level, optional
        Used where the word needs a level and has none.
    letters : mapping, text or Region, optional
        What the letters in its parameters may be (:class:`~exactdp.Region`), or which numbers they are.

    Raises
    ------
    InputError
        No such word (the nearest is suggested), or a parameter is missing or wrong; the message says what the
        word takes, with an example.
    ResourceLimitError
        The table would be larger than the budget.

    Examples
    --------
    >>> mechanism_from_spec("geometric:n=3", "1/4") == mechanism_from_spec("geometric:n=3,alpha=1/4")
    True
    >>> mechanism_from_spec("randomized-response:n=1,keep=1-p", letters="0 < p < 1/2").matrix
    ExactMatrix([['-p + 1', 'p'], ['p', '-p + 1']])
    """
    known = None if letters is None else letters_of(letters)
    if known is not None and isinstance(alpha, str):
        alpha = PrivacyLevel(alpha, letters=known)
    word = Word.parse(spec if known is None or not isinstance(spec, str) else with_numbers(spec, known), alpha, known)
    try:
        found = FAMILIES[word.family].build(word)
    except ExactDPError as error:
        if isinstance(error, ResourceLimitError) or error.message.startswith(_cut(spec, 60)):
            raise
        raise type(error)(word.told(error.message), **error.facts) from None
    found = found.told_by(word.by_epsilon)
    if isinstance(found.inputs, Positions) and isinstance(found.outputs, Positions):
        return found
    return found.relabelled(Positions(found.inputs), Positions(found.outputs))


def with_numbers(spec: str, letters: Letters) -> str:
    """A word with numbers for the parameters that are letters which are numbers.

    >>> with_numbers("geometric:n=m,alpha=p", letters_of("m = 3, 0 < p < 1"))
    'geometric:n=3,alpha=p'
    """
    family, colon, rest = spec.partition(":")
    parts = [part.partition("=") for part in rest.split(",")]
    return family + colon + ",".join(f"{name}{sign}{letters.numbers.get(value.strip(), value)}" for name, sign, value in parts)


def has_letters(spec: str, letters: Letters) -> bool:
    """Whether one of these letters is in a parameter of a word.

    >>> known = letters_of("0 < p < 1")
    >>> has_letters("geometric:n=3,alpha=1-p", known), has_letters("geometric:n=3,alpha=1/2", known)
    (True, False)
    """
    values = [part.partition("=")[2] for part in spec.partition(":")[2].split(",")]
    return any(not {*letters.names}.isdisjoint(names_in(value)) for value in values)


def needs_level(spec: str) -> bool:
    """Whether a word has no level of its own and needs one beside it.

    >>> needs_level("geometric:n=3"), needs_level("geometric:n=3,alpha=1/2"), needs_level("uniform:n=3")
    (True, False, False)
    """
    word = Word.parse(spec)
    choices = {parameter.name for parameter in FAMILIES[word.family].parameters if parameter.choice}
    return bool(choices) and not choices & set(word.given)


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
    require_graph(f"the graph of the {name} (say which are meant with --graph)", size, _pairs_within(size, reach))
    if name == f"complete:{size}":
        return Graph.complete(inputs)
    edges = [(i, j) for i in range(size) for j in range(i + 1, min(i + reach, size - 1) + 1)]
    return Graph(inputs, edges, name=name)


def own_neighbours(spec: str) -> Graph | str:
    """What stands for the neighbours of a word where none are given: a word without a size, if one says it.

    >>> own_neighbours("geometric:n=1000000"), own_neighbours("randomized-response:n=2,keep=1/2")
    ('path', 'complete')
    >>> own_neighbours("diffprivlib-geometric:epsilon=1,n=3,sensitivity=2").name
    'inputs 0..3 that differ by at most 2'
    """
    word = Word.parse(spec)
    if FAMILIES[word.family].local:
        return "complete"
    if "sensitivity" not in word.given or word.integer("sensitivity") == 1:
        return "path"
    return word_neighbours(spec, mechanism_from_spec(spec, "1/2" if needs_level(spec) else None).inputs)


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


_MOST_FIGURES = 4_000
"""Most digits of an integer in a word; Python reads a few more from text."""


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
        reach = word.integer("sensitivity") if "sensitivity" in word.given else 1
        shown = brief(inputs) if isinstance(inputs, Positions) and inputs.named else f"0..{size - 1}"
        name = f"path:{size}" if reach == 1 else f"inputs {shown} that differ by at most {reach}"
    return reach, name
