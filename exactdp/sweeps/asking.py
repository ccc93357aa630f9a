# SPDX-License-Identifier: MIT
"""One question of a sweep asked: its words as exact objects, the verdict, its value and its certificate."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from exactdp.analysis.arguments import as_level
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.certificate import certify
from exactdp.errors import CertificateError, DefectiveAnswerError, ExactDPError, ResourceLimitError, UndecidedSignError, bounded
from exactdp.exact import AlgebraicNumber, ExponentialNumber, Rational, RationalFunction
from exactdp.exact.cached import cached_property
from exactdp.model import (
    BayesianConsumer,
    Loss,
    MinimaxConsumer,
    Neighbours,
    Prior,
    PrivacyLevel,
    SideInformation,
    Table,
    TightestLevel,
    level_for,
)
from exactdp.model.faults import ROUNDING
from exactdp.model.loss import loss_from_spec, loss_on
from exactdp.model.named_losses import BY_WORD
from exactdp.runtime.progress import monitored, seconds_left
from exactdp.sweeps.answer import PLACES, Answer, versions
from exactdp.sweeps.plan import graph_of
from exactdp.sweeps.question import SYMBOLIC, Question, statement_of
from exactdp.sweeps.tables import is_table, mechanism_of_word, table_of_word

LARGEST = 10**20
"""A value that is larger in absolute value has no decimals."""


def answered(text: str, seconds: float) -> Answer:
    """Ask a question, by its canonical text, and certify the verdict.

    * ``text``: of a :class:`~exactdp.sweeps.question.Question`.
    * ``seconds``: the time limit, which holds as far as the computation looks up.

    Returns: whatever happens; its memory is not known yet.

    >>> found = answered(Question("optimum", "path:4", "1/4", "abs", "minimax").text, 60)
    >>> found.verdict, found.value, found.kind, found.lower
    ('proved', '168/415', 'optimal', '0.404819277108433734')
    >>> found = answered(Question("tight", "star:0", "1/4").text, 60)
    >>> found.verdict, found.message
    ('failed', "ParameterRangeError: 'star:0': the number of vertices is 0, but must be at least 1")
    """
    start = time.perf_counter()
    found: dict[str, Any] = {"versions": versions()}
    try:
        with monitored(None, seconds):
            found |= _found(Question.parse(text))
    except (ResourceLimitError, MemoryError) as error:
        found |= {"verdict": "limit", "message": _said(error)}
    except UndecidedSignError as error:
        found |= {"verdict": "undecided", "message": _said(error)}
    except Exception as error:
        found |= {"verdict": "failed", "message": _said(error)}
    return Answer(text, seconds=time.perf_counter() - start, **found)


def _found(question: Question) -> dict[str, Any]:
    """Verdict, value and certificate, as fields of an answer."""
    verdict = _asked(question)
    if verdict.decision is Decision.REPLAYED:
        raise DefectiveAnswerError("no question of a sweep is answered by an argument; please report this", verdict=verdict)
    found: dict[str, Any] = {"verdict": verdict.decision.value, "claim": verdict.claim}
    if not (verdict.proved or verdict.refuted):
        stopped = seconds_left() == 0
        found |= {"verdict": "limit", "message": "the time was up"} if stopped else {}
        bounds = getattr(verdict.evidence, "bounds", None)
        if bounds is not None:
            found |= {"lower": enclosed(bounds[0])[0], "upper": enclosed(bounds[1])[1]}
        return found
    value = value_of(verdict)
    if value is not None:
        found["value"] = ", ".join([str(value), *verdict.scope.legend(str(value))])
        found["lower"], found["upper"] = enclosed(value)
    try:
        certificate = certify(verdict)
    except CertificateError as error:
        return found | {"message": f"no certificate: {_said(error)}"}
    if question.ask == "audit" and statement_of(question).keys(certificate.kind) is None:
        return found | {"message": "no certificate of its own; the level for the claimed δ implies it"}
    if question.ask == "privacy" and certificate.kind == "level":  # which implies the row, by a comparison of two numbers
        return found | {"message": "no certificate of its own; the tightest level implies it, which tightest-level certifies"}
    own = {"claim": certificate.sentence, "digest": certificate.digest, "kind": certificate.kind}
    if question.ask == "audit" and verdict.evidence.quality == "rounded":
        own["message"] = "rounded: judged is the table with its rows divided by their sums, and its negative entries 0"
    return found | own | {"certificate": certificate.to_json()}


def _asked(question: Question) -> Verdict[Any]:
    """The verdict."""
    if question.ask == "derivable":
        from exactdp.analysis.refinement import is_derivable

        target, source = Subject(question).compared
        return is_derivable(target, source=source)
    return _ASKED[question.ask](Subject(question))


class Subject:
    """What a question is about, as exact objects."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.symbolic = question.level == SYMBOLIC

    @cached_property
    def near(self) -> Neighbours:
        """The neighbours."""
        found: Neighbours = graph_of(self.question.graph)
        return found

    @cached_property
    def level(self) -> PrivacyLevel:
        """The level, in a field that has every α^d."""
        return as_level(_level(self.question.level, self.near), self.near)

    @cached_property
    def loss(self) -> Loss:
        """The loss, on the graph's vertices."""
        word = self.question.loss
        return loss_on(BY_WORD[word], self.near) if word in BY_WORD else loss_from_spec(word, self.near)

    @cached_property
    def consumer(self) -> MinimaxConsumer | BayesianConsumer:
        """The consumer."""
        word, inputs = self.question.consumer, self.near.vertices
        name, _, side = word.partition(":")
        if name == "minimax":
            return MinimaxConsumer(self.loss, SideInformation.parse(side, inputs) if side else None)
        return BayesianConsumer(self.loss, Prior.uniform(inputs) if word == "uniform" else Prior(word.split(","), inputs))

    @cached_property
    def compared(self) -> tuple[Any, Any]:
        """The mechanism and its source, of a question about no graph."""
        level = as_level(_level(self.question.level, None))
        target, source = (mechanism_of_word(word, level) for word in (self.question.mechanism, self.question.source))
        return target, source

    @cached_property
    def mechanism(self) -> Any:
        """The mechanism that a word names, on the graph's vertices; of an audit the table that is judged."""
        if self.question.ask == "audit":
            table, faults = self.table, self.table.faults()
            return table.unrounded(ROUNDING) if faults.quality(ROUNDING) == "rounded" else table
        known = self.question.level
        return mechanism_of_word(self.question.mechanism, self.level if known else None).aligned(self.near.vertices)

    @cached_property
    def table(self) -> Table:
        """The table of an audit, whose rows need not sum to 1."""
        word = self.question.mechanism
        found = table_of_word(word) if is_table(word) else mechanism_of_word(word, self.level).as_table()
        return found.aligned(self.near.vertices)


def _level(text: str, near: Neighbours | None) -> Any:
    """A level as the questions of the analysis take it: e^(−ε) in a field that has every α^d."""
    name, equals, value = text.partition("=")
    if not equals or name != "epsilon":
        return text
    return PrivacyLevel(epsilon=value) if near is None else level_for(near, value)


def _optimum(s: Subject) -> Verdict[Any]:
    from exactdp.analysis import optimum, optimum_by_level

    return optimum_by_level(s.near, s.consumer) if s.symbolic else optimum(s.near, s.level, s.consumer, time_limit=seconds_left())


def _unique(s: Subject) -> Verdict[Any]:
    from exactdp.analysis import is_optimum_unique

    return is_optimum_unique(s.near, s.level, s.consumer)


def _optimal(s: Subject) -> Verdict[Any]:
    from exactdp.analysis import is_optimal

    return is_optimal(s.mechanism, s.near, s.level, s.consumer, time_limit=seconds_left())


def _optimal_after_remap(s: Subject) -> Verdict[Any]:
    from exactdp.analysis import is_optimal_after_remap

    return is_optimal_after_remap(s.mechanism, s.near, s.level, s.consumer, time_limit=seconds_left())


def _remap(s: Subject) -> Verdict[Any]:
    from exactdp.analysis import best_remap

    return best_remap(s.mechanism, s.consumer)


def _privacy(s: Subject) -> Verdict[Any]:
    from exactdp.analysis import is_private

    return is_private(s.mechanism, s.near, s.level)


def _tightest_level(s: Subject) -> Verdict[Any]:
    from exactdp.analysis import tightest_level

    return tightest_level(s.mechanism, s.near)


def _audit(s: Subject) -> Verdict[Any]:
    from exactdp.analysis.audit import audit
    from exactdp.analysis.privacy_claim import PrivacyClaim

    name, equals, value = s.question.level.partition("=")
    claim = PrivacyClaim(epsilon=value) if equals and name == "epsilon" else PrivacyClaim(alpha=s.question.level)
    return audit(s.table, s.near, claim=claim, time_limit=seconds_left())


def _tight(s: Subject) -> Verdict[Any]:
    from exactdp.analysis.tight.tight_levels import tight_levels
    from exactdp.analysis.tight.tight_mechanism import tight_mechanism

    return tight_levels(s.near) if s.symbolic else tight_mechanism(s.near, s.level)


def _tight_unique(s: Subject) -> Verdict[Any]:
    from exactdp.analysis.tight.tight_mechanism import is_tight_unique

    return is_tight_unique(s.near, s.level)


def _universal(s: Subject) -> Verdict[Any]:
    from exactdp.analysis.types.universal import is_universally_optimal, universally_optimal_mechanism
    from exactdp.analysis.types.universal_levels import universal_by_level

    if s.question.mechanism:
        return is_universally_optimal(s.mechanism, s.near, s.level, s.loss, time_limit=seconds_left())
    if s.symbolic:
        return universal_by_level(s.near, s.loss, time_limit=seconds_left())
    return universally_optimal_mechanism(s.near, s.level, s.loss, time_limit=seconds_left())


def _capacity(s: Subject) -> Verdict[Any]:
    from exactdp.analysis.leakage import type_capacity

    kind: Any = s.question.ask.removeprefix("capacity-")
    return type_capacity(s.near, s.level, kind)


def _vertices(s: Subject) -> Verdict[Any]:
    from exactdp.analysis.types.kernels import vertex_count

    return vertex_count(s.near, s.level, time_limit=seconds_left())


def _kernels(s: Subject) -> Verdict[Any]:
    from exactdp.analysis.types.kernels import kernel_count, kernel_counts

    if s.symbolic:
        return kernel_counts(s.near, time_limit=seconds_left())
    return kernel_count(s.near, s.level, time_limit=seconds_left())


_ASKED: dict[str, Callable[[Subject], Verdict[Any]]] = {
    "optimum": _optimum,
    "unique": _unique,
    "optimal": _optimal,
    "optimal-after-remap": _optimal_after_remap,
    "remap": _remap,
    "privacy": _privacy,
    "tightest-level": _tightest_level,
    "audit": _audit,
    "tight": _tight,
    "tight-unique": _tight_unique,
    "universal": _universal,
    "capacity-multiplicative": _capacity,
    "capacity-additive": _capacity,
    "vertices": _vertices,
    "kernels": _kernels,
}


_HELD = ("value", "utility", "count", "tightest")
"""Where evidence has the number that was asked for."""


def value_of(verdict: Verdict[Any]) -> Any:
    """The number that an answer has: a scalar, or text for what differs from level to level; None without.

    >>> from exactdp import optimum, MinimaxConsumer, tight_levels
    >>> value_of(optimum("path:2", "1/2", MinimaxConsumer("abs")))
    Rational('1/3')
    >>> value_of(tight_levels("star:4"))
    'yes on (0, 1/2]; no on (1/2, 1)'
    """
    evidence = verdict.evidence
    ratio = getattr(evidence, "ratio", None) if hasattr(evidence, "quality") else None
    if ratio is not None:  # of an audit
        return TightestLevel(ratio)
    if hasattr(evidence, "quality"):
        return None
    pieces = getattr(evidence, "pieces", None)
    if pieces is not None:
        return str(pieces.map(_of_piece))
    for name in _HELD:
        value = getattr(evidence, name, None)
        if value is not None:
            return value
    return None


def _of_piece(value: Any) -> Any:
    for name in ("value", "holds", "yes"):
        if hasattr(value, name):
            value = getattr(value, name)
            break
    return {True: "yes", False: "no", None: "undecided"}[value] if value is None or isinstance(value, bool) else value


def enclosed(value: Any) -> tuple[str, str]:
    """Two decimals with :data:`PLACES` digits after the point, at most and at least the value; or nothing.

    >>> enclosed(Rational("1/3")), enclosed("1/3 on (0, 1)")
    (('0.333333333333333333', '0.333333333333333334'), ('', ''))
    >>> enclosed(Rational("-1/3"))
    ('-0.333333333333333334', '-0.333333333333333333')
    >>> a = PrivacyLevel.symbolic().alpha
    >>> enclosed(a), enclosed(a / (2 * a))
    (('', ''), ('0.500000000000000000', '0.500000000000000000'))
    """
    value = getattr(value, "value", value) if not isinstance(value, (int, Rational)) else value
    if isinstance(value, int):
        value = Rational(value)
    if isinstance(value, RationalFunction):  # a constant does not depend on the level
        value = value.rational
    if isinstance(value, Rational):
        low = high = value
    elif isinstance(value, (ExponentialNumber, AlgebraicNumber)):
        low, high = value.enclosure(PLACES)
    else:
        return "", ""
    if abs(low) >= LARGEST or abs(high) >= LARGEST:
        return "", ""
    scale = 10**PLACES
    return _decimal(low.numerator * scale // low.denominator), _decimal(-(-high.numerator * scale // high.denominator))


def _decimal(scaled: int) -> str:
    whole, part = divmod(abs(scaled), 10**PLACES)
    return f"{'-' if scaled < 0 else ''}{whole}.{part:0{PLACES}d}"


def _said(error: BaseException) -> str:
    """The sentence of an error; its kind before it, unless it is a limit."""
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    text = error.message if isinstance(error, ExactDPError) else str(error)
    return bounded(text if isinstance(error, ResourceLimitError) else f"{type(error).__name__}: {text}")
