# SPDX-License-Identifier: MIT
"""Page one of an audit: what a reader who is no mathematician needs to sign, on one page of A4.

The numbers are those of :mod:`exactdp.analysis.audit_summary`, the sentences and the formats those of
:mod:`exactdp.certificate.page_one`; here numbers become decimals. All that is about the run is given.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactdp.analysis.audit_summary import AuditSummary, ConsumerSummary, OtherNeighbours
from exactdp.analysis.epsilon import bounds_of
from exactdp.analysis.requirement import DELTA, GAPS, LEVELS, Required, why_text
from exactdp.certificate.check_bundle import RELEASE
from exactdp.certificate.page_one import (
    DECIDED,
    FEW_MOVES,
    IN_APPENDIX,
    NEIGHBOURS,
    NONE,
    OPEN,
    SECTIONS,
    STATED,
    STATEMENTS,
    STYLE,
    TOPICS,
    UNDECIDED,
    WRITTEN,
    Line,
    Page,
    brief,
    consumer_words,
    digits_text,
    few,
    html_section,
    latex,
    markdown,
    metric_of_grid,
    moves_text,
    neighbours_words,
    point,
    quoted,
    required_about,
    seen,
)
from exactdp.errors import InputError, wrong_kind
from exactdp.exact import Rational
from exactdp.exact.decimals import decimal_text
from exactdp.exact.formats import exponent_of_ten
from exactdp.model.epsilon import Epsilon
from exactdp.model.level import PrivacyLevel
from exactdp.report.html import NO_FORMULAS
from exactdp.report.items import Fact, Section

FIGURES = 6
"""Of ε."""

ROUNDED = 4
"""Significant figures of δ, of factors and of percentages."""

NEAREST = 5
"""Significant figures of losses, probabilities and ratios."""

MOST_FIGURES = 60
"""No decimal has more figures, however near two numbers are."""

SHORT = 24
"""Characters of an exact number on page one."""

MOST_CHARACTERS = 300
"""Of a statement."""


@dataclass(frozen=True, slots=True)
class Run:
    """Where an audit comes from, as far as page one tells it.

    Attributes
    ----------
    date : str
        As a bundle has it; empty where it is not told.
    command : tuple of str
        The command line; empty in Python.
    files : tuple of (str, str, bool)
        For each input the name that was given, its SHA-256, and whether it is the file of the table.
    word : str
        The words that the table was made from, where it has no file.
    reading : mapping
        The options of how it was read.
    table : str
        The SHA-256 of table.json, in a bundle.
    statements : mapping of str to str
        What the auditor states (:func:`as_statements`).
    certified : collection of str or None
        The parts that have a certificate; None where certificates are not written.
    """

    date: str = ""
    command: tuple[str, ...] = ()
    files: tuple[tuple[str, str, bool], ...] = ()
    word: str = ""
    reading: Mapping[str, Any] = field(default_factory=dict)
    table: str = ""
    statements: Mapping[str, str] = field(default_factory=dict)
    certified: Collection[str] | None = None


def as_statements(given: Mapping[str, str] | None) -> dict[str, str]:
    """What an auditor states, by its topic.

    Raises
    ------
    InputError
        There is no such topic, or a statement is no text of at most 300 characters.

    Examples
    --------
    >>> as_statements({"unit": "one report of one person"})
    {'unit': 'one report of one person'}
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise wrong_kind("statements", given, "a mapping of topics to sentences, such as {'unit': 'one person'}")
    found = {}
    for topic, text in given.items():
        if topic not in STATEMENTS:
            raise InputError(f"an auditor states nothing about {topic!r}; the topics are {', '.join(STATEMENTS)}", topic=topic)
        if not isinstance(text, str) or not text.strip() or len(text) > MOST_CHARACTERS:
            said = f"what is stated about {topic} is no text of 1 to {MOST_CHARACTERS} characters"
            raise InputError(said, topic=topic, value=text)
        found[str(topic)] = seen(" ".join(text.split()))
    return found


def statements_of(text: str) -> dict[str, str]:
    """What an auditor states in a file of TOML: lines such as ``unit = "one report of one person"``.

    >>> statements_of('sampler = "checked by the tests of release 3"')
    {'sampler': 'checked by the tests of release 3'}
    """
    try:
        return as_statements(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"the statements are no TOML: {error}", reason=str(error)) from None


# ── Decimals ────────────────────────────────────────────────────────────────────────────────────
def rounded(x: Any, figures: int, *, up: bool) -> str:
    """A decimal with so many figures that is not below the number, or not above it.

    >>> rounded(Rational("1/3"), 4, up=True), rounded(Rational("2/3"), 4, up=False)
    ('0.3334', '0.6666')
    >>> rounded(Rational("-2/3"), 3, up=True)
    '-0.666'
    """
    value = bounds_of(x, figures + 4)[1 if up else 0]
    text, exact = decimal_text(value, figures)
    near = Rational(text)
    if exact or (near > value) == up:
        return text
    unit = Rational(10) ** (exponent_of_ten(abs(value.numerator), value.denominator) - figures + 1)
    return decimal_text(near + unit if up else near - unit, figures)[0]


def nearest(x: Any) -> str:
    """The decimal nearest to a number.

    >>> nearest(Rational("2/3"))
    '0.66667'
    """
    low, high = bounds_of(x, NEAREST + 4)
    return decimal_text((low + high) / 2, NEAREST)[0]


def _epsilon_ends(epsilon: Epsilon, digits: int) -> tuple[Rational, Rational]:
    """A rational below ε and one above it, with so many significant digits."""
    known = epsilon.rational
    if known is not None:
        return known, known
    places = digits
    while True:
        low, high = epsilon.enclosure(places)
        if low > 0 and (high - low) * 10**digits <= low:
            return low, high
        places *= 2


def _text(epsilon: Epsilon, summary: AuditSummary, *, up: bool = True) -> str:
    """The decimal of an ε; all that are near to the claimed one have the same number of figures."""
    claimed = summary.claimed
    if claimed is None or not claimed.is_enclosed or not epsilon.is_enclosed or not _is_near(epsilon, claimed):
        return epsilon_text(epsilon, claimed, up=up)
    ends = [end for other in summary.others for end in (other.smallest, other.largest)]
    group = [one for one in (*(summary.own or ()), *ends) if one.is_enclosed and _is_near(one, claimed)]
    figures = max([FIGURES, *(_figures(one, (claimed,), up=True) for one in group), *(_figures(claimed, (one,), up=True) for one in group)])
    low, high = _epsilon_ends(epsilon, figures + 4)
    return rounded(high if up else low, figures, up=up)


def _is_near(one: Epsilon, other: Epsilon) -> bool:
    """Whether two ε agree up to a part of 10^−3."""
    first, second = _epsilon_ends(one, FIGURES), _epsilon_ends(other, FIGURES)
    return _apart(first, second) * 1000 <= second[1]


def epsilon_text(epsilon: Epsilon, *beside: Epsilon | None, up: bool = True) -> str:
    """The decimal of an ε, nearer than half its distance to the others; *infinity* where none is finite.

    >>> epsilon_text(Epsilon("ln(3)")), epsilon_text(Epsilon("ln(3)"), up=False)
    ('1.09862', '1.09861')
    """
    if not epsilon.is_enclosed:
        return "infinity"
    figures = _figures(epsilon, beside, up=up)
    low, high = _epsilon_ends(epsilon, figures + 4)
    return rounded(high if up else low, figures, up=up)


def _figures(epsilon: Epsilon, beside: Sequence[Epsilon | None], *, up: bool) -> int:
    """With how many figures the decimal of an ε is nearer than half its distance to the others."""
    others = [other for other in beside if other is not None and other.is_enclosed and other != epsilon]
    figures = FIGURES
    while True:
        low, high = _epsilon_ends(epsilon, figures + 4)
        text = rounded(high if up else low, figures, up=up)
        error = max(abs(Rational(text) - low), abs(Rational(text) - high))
        if figures >= MOST_FIGURES or all(2 * error <= _apart((low, high), _epsilon_ends(other, figures + 4)) for other in others):
            return figures
        figures += 1


def _apart(one: tuple[Rational, Rational], other: tuple[Rational, Rational]) -> Rational:
    """A rational that is at most the distance of two numbers, given what encloses them."""
    return max(one[0] - other[1], other[0] - one[1], Rational(0))


def factor_text(epsilon: Epsilon, beside: Epsilon | None = None) -> str:
    """e^ε, rounded up, with as many figures as tell it from that of another ε.

    >>> factor_text(Epsilon(2)), factor_text(Epsilon("ln(3)"))
    ('7.39', '3')
    """
    if beside is None or not beside.is_enclosed or beside == epsilon:
        return _factor(epsilon, ROUNDED)
    figures = ROUNDED
    while figures < MOST_FIGURES and _factor(epsilon, figures) == _factor(beside, figures):
        figures += 1
    return _factor(epsilon, figures)


def _factor(epsilon: Epsilon, figures: int) -> str:
    places = figures + 8
    level = PrivacyLevel(epsilon=epsilon) if epsilon.level is None else epsilon.level  # None: an irrational root
    while True:
        low, _ = level.as_tightest().enclosure(places) if hasattr(level, "as_tightest") else bounds_of(level, places)
        if low * 10 ** (places - figures - 4) > 1 or places > 4000:
            return rounded(1 / low, figures, up=True) if low > 0 else "infinity"
        places *= 2


def difference_text(more: Epsilon, less: Epsilon) -> str:
    """How much larger an ε is than another one, rounded up."""
    digits = 12
    while True:
        below, above = _epsilon_ends(more, digits)
        low, high = _epsilon_ends(less, digits)
        if below > high and (above - low) - (below - high) <= (below - high) / 10**ROUNDED:
            return rounded(above - low, ROUNDED, up=True)
        digits *= 2


# ── The lines ───────────────────────────────────────────────────────────────────────────────────
def page_one(summary: AuditSummary, run: Run) -> Page:
    """The lines of page one.

    Parameters
    ----------
    summary : AuditSummary
        The numbers.
    run : Run
        Where the audit comes from, and what the auditor states.

    Examples
    --------
    >>> from exactdp.analysis.audit import audit
    >>> from exactdp.analysis.audit_summary import audit_summary
    >>> from exactdp.analysis.privacy_claim import PrivacyClaim
    >>> v = audit([["2/3", "1/3"], ["1/3", "2/3"]], "path:2", claim=PrivacyClaim(epsilon=1))
    >>> [str(line) for line in page_one(audit_summary(v), Run()).lines() if line.says == "holds"]
    ['The claim holds.']
    """
    parts = (_subject, _claim, _verdict, _how_good, _not_said, _check_again)
    made = [(title, tuple(_marked(part(summary, run), run))) for title, part in zip(SECTIONS, parts, strict=True)]
    return Page(seen(summary.title), tuple(made))


def _marked(lines: Iterator[Line], run: Run) -> Iterator[Line]:
    """The lines, each with whether a certificate of its part was written."""
    for line in lines:
        known = run.certified is None or not line.of or any(part == line.of or part.startswith(f"{line.of}-") for part in run.certified)
        yield Line(line.says, line.values, line.of, known)


def _subject(summary: AuditSummary, run: Run) -> Iterator[Line]:
    yield Line("subject", {"name": seen(summary.title)})
    if "name" in run.statements:
        yield Line("called", {"text": run.statements["name"]})
    for given, digest, is_table in run.files:
        if is_table:
            yield Line("file", {"given": brief(given), "digest": digest})
    if not any(is_table for _, _, is_table in run.files):
        yield Line("word", {"word": brief(run.word)}) if run.word else Line("no-file")
    for given, digest, is_table in run.files:
        if not is_table:
            yield Line("other-file", {"given": brief(given), "digest": digest})
    if run.table:
        yield Line("table", {"digest": run.table})
    inputs, outputs = list(map(str, summary.inputs)), list(map(str, summary.outputs))
    size = {"rows": str(len(inputs)), "columns": str(len(outputs)), "inputs": few(inputs), "outputs": few(outputs)}
    yield Line("size", size)
    places = {"places": str(summary.places)} if summary.precision == "decimals" else {}
    if summary.precision == "digits":
        places = {"digits": digits_text(summary.digits)}
    written = summary.precision if summary.written == "fractions" else summary.written
    yield Line(f"numbers-{written}", places)
    if run.reading.get("renormalise"):
        yield Line("renormalised")
    if run.reading.get("transpose"):
        yield Line("transposed")
    if summary.quality == "exact":
        yield Line("sums-exact")
    elif summary.quality in ("rounded", "wrong"):
        yield Line(f"sums-{summary.quality}", {"deviation": rounded(summary.deviation, ROUNDED, up=True)})
    if summary.rows_off:
        row, excess = summary.rows_off[0]
        side, size = ("more", excess) if excess > 0 else ("less", -excess)
        yield Line("rows-off", {"count": str(len(summary.rows_off)), "row": point(row), "excess": nearest(size), "side": side})
    if summary.rounded_to:
        yield Line("looks-rounded", {"places": str(summary.rounded_to), "bound": rounded(summary.deviation, ROUNDED, up=True)})


def _claim(summary: AuditSummary, run: Run) -> Iterator[Line]:
    if summary.claimed is None:
        yield Line("no-claim")
    else:
        own = None if summary.own is None else summary.own[1]
        yield Line("claimed", {"factor": factor_text(summary.claimed, own), "epsilon": _text(summary.claimed, summary)})
    if summary.claim is not None and summary.delta > 0:
        yield Line("claimed-delta", {"delta": rounded(summary.delta, ROUNDED, up=True)})
    name = str(summary.neighbours)
    yield Line("neighbours", {"words": neighbours_words(brief(name)), "name": brief(name)})
    if metric_of_grid(name):
        yield Line("grid-steps", {"metric": metric_of_grid(name)})
    chosen, unit = run.statements.get("neighbours"), run.statements.get("unit")
    yield Line("chosen-open") if chosen is None else Line("chosen", {"text": chosen})
    for other in summary.others:
        yield _other(other, summary)
    yield Line("unit-open") if unit is None else Line("unit", {"text": unit})


def _other(other: OtherNeighbours, summary: AuditSummary) -> Line:
    words = NEIGHBOURS[other.family]
    if other.smallest != other.largest:
        low, high = _text(other.smallest, summary, up=False), _text(other.largest, summary)
        return Line("other-between", {"words": words, "low": low, "high": high}, "other neighbours")
    says = {True: "other-holds", False: "other-fails", None: "other"}[other.holds]
    return Line(says, {"words": words, "epsilon": _text(other.smallest, summary)})


def _verdict(summary: AuditSummary, run: Run) -> Iterator[Line]:
    yield from _of_the_claim(summary)
    yield from _required(summary)


def _of_the_claim(summary: AuditSummary) -> Iterator[Line]:
    """Whether the claim holds, and by how much."""
    yield Line(summary.state)
    if summary.within_digits:
        yield Line(f"within-{summary.state}", {"numbers": summary.precision})
    if summary.quality == "wrong":
        if summary.claim is not None:
            yield Line("wrong")
        if summary.as_stands is not None:
            stands, divided = summary.as_stands
            beside = summary.claimed, stands, divided
            values = {"epsilon": epsilon_text(stands, *beside), "divided": epsilon_text(divided, *beside)}
            yield Line("as-stands", values, "level")
        return
    if summary.state == "undecided" and summary.quality != "printed":
        yield Line("late")
    yield from _printed(summary) if summary.quality == "printed" else _own(summary)
    yield from _event(summary)
    if summary.state == "fails" or (summary.state == "undecided" and summary.quality == "printed"):
        yield from _repairs(summary)


def _required(summary: AuditSummary) -> Iterator[Line]:
    """What is required beside the claim: whether it is kept, and the number."""
    if summary.requirements:
        yield Line("required-words")
    for one in summary.requirements:
        figure, exact = _required_figures(one, summary)
        values = {"text": str(one.requirement), "about": _about(one, summary), "status": one.status, "figure": figure, "exact": exact}
        yield Line("required", values, one.part)


def _about(one: Required, summary: AuditSummary) -> str:
    """Which number a requirement is about."""
    requirement, others = one.requirement, [other.requirement for other in summary.requirements]
    if summary.quality == "wrong" or (requirement.quantity in GAPS and not one.part):
        return seen(one.about)
    if requirement.quantity in LEVELS:
        return required_about(requirement.quantity, next((other.said for other in others if other.quantity == DELTA), "0"))
    if requirement.quantity == DELTA:
        epsilon = next((other.level for other in others if other.level is not None), summary.claimed)
        assert epsilon is not None  # or else the requirement was refused
        return required_about(DELTA, epsilon_text(epsilon))
    entry = next(entry for entry in summary.consumers if one.part.startswith(f"{entry.part}-") or one.part == entry.part)
    assert entry.epsilon is not None
    return f"{required_about(requirement.quantity, _numbers(summary)[entry.consumer.describe()])} at ε = {epsilon_text(entry.epsilon)}"


def _required_figures(one: Required, summary: AuditSummary) -> tuple[str, str]:
    """The decimal of what was compared, and the exact number where it is short."""
    quantity, percent = one.requirement.quantity, " %" if one.requirement.relative else ""
    if summary.quality == "printed" and quantity in LEVELS and one.part and summary.own is not None and one.bounds is not None:
        low, high = summary.own
        return f"{epsilon_text(low, up=False)} to {epsilon_text(high)}", IN_APPENDIX
    if one.exact is None or summary.quality == "printed":
        return NONE, NONE if one.bounds is None else IN_APPENDIX
    if isinstance(one.exact, Epsilon):
        text = str(one.exact) if one.exact.is_enclosed else "infinity"
        is_short = len(text) <= SHORT and re.fullmatch(r"infinity|ln\([0-9]+(/[0-9]+)?\)|[0-9]+(/[0-9]+)?", text) is not None
        return epsilon_text(one.exact), text if is_short else IN_APPENDIX
    number = one.exact * 100 if percent else one.exact
    known = number if isinstance(number, Rational) else getattr(number, "rational", None)
    is_short = known is not None and len(str(known)) <= SHORT
    return f"{rounded(number, ROUNDED, up=True)}{percent}", f"{known}{percent}" if is_short else IN_APPENDIX


def _own(summary: AuditSummary) -> Iterator[Line]:
    """The smallest ε and the least δ, and how far they are from what is claimed."""
    if summary.own is not None:
        own, claimed = summary.own[0], summary.claimed
        if own.is_enclosed:
            values = {"epsilon": _text(own, summary), "factor": factor_text(own, claimed)}
            yield Line("own" if summary.delta == 0 else "own-pure", values, "level")
        else:
            yield Line("own-infinite", {}, "level")
        if claimed is not None and summary.delta == 0 and own.is_enclosed:
            if own > claimed:
                yield Line("more", {"difference": difference_text(own, claimed)}, "level")
            else:
                yield Line("equal" if own == claimed else "less", {}, "level")
    if summary.least_delta is not None and (summary.delta > 0 or summary.state == "fails"):
        yield Line("least-delta", {"delta": rounded(summary.least_delta[0], ROUNDED, up=True)}, "delta")


def _printed(summary: AuditSummary) -> Iterator[Line]:
    """The ends of ε and δ of tables that print so."""
    if summary.own is not None:
        low, high = summary.own
        values = {"low": _text(low, summary, up=False)}
        if high.is_enclosed:
            yield Line("between", values | {"high": _text(high, summary)}, "largest-epsilon")
        else:
            yield Line("between-infinite", values, "largest-epsilon")
    if summary.least_delta is not None:
        low_delta, high_delta = summary.least_delta
        values = {"low": rounded(low_delta, ROUNDED, up=False), "high": rounded(high_delta, ROUNDED, up=True)}
        yield Line("least-delta-between", values, "largest-delta")


def _event(summary: AuditSummary) -> Iterator[Line]:
    event = summary.event
    if event is None or (summary.state == "undecided" and summary.quality != "printed"):
        return
    inputs, outputs = list(map(str, summary.inputs)), list(map(str, summary.outputs))
    values = {
        "first": point(inputs[event.high]),
        "second": point(inputs[event.low]),
        "outputs": few([outputs[r] for r in event.outputs]),
        "likely": nearest(event.likely),
    }
    if summary.event_of_one:
        yield Line("event-printed", values | {"unlikely": nearest(event.unlikely)}, "largest-epsilon")
        return
    of = "delta" if summary.delta > 0 else "level"
    if event.unlikely > 0:
        yield Line("event", values | {"unlikely": nearest(event.unlikely), "ratio": nearest(event.likely / event.unlikely)}, of)
    else:
        yield Line("event-never", values, of)


def _repairs(summary: AuditSummary) -> Iterator[Line]:
    """Claims that would be true."""
    printed = summary.quality == "printed"
    is_first = True
    if summary.own is not None and summary.delta == 0 and summary.own[1].is_enclosed:
        text = _text(summary.own[1], summary)
        yield Line("repair-epsilon", {"epsilon": text}, "largest-epsilon" if printed else "level")
        is_first = False
    if summary.least_delta is not None:
        text = rounded(summary.least_delta[1], ROUNDED, up=True)
        yield Line("repair-delta" if is_first else "or-delta", {"delta": text}, "largest-delta" if printed else "delta")
    if summary.share is not None:
        share = {"share": rounded(summary.share, ROUNDED, up=True)}
        yield Line("repair-uniform-printed", share, "largest-epsilon") if printed else Line("repair-uniform", share, "level")


def _numbers(summary: AuditSummary) -> dict[str, str]:
    """The number of each consumer, by its description."""
    named: dict[str, str] = {}
    for one in summary.consumers:
        named.setdefault(one.consumer.describe(), str(len(named) + 1))
    return named


def _how_good(summary: AuditSummary, run: Run) -> Iterator[Line]:
    if not summary.consumers:
        yield Line("nobody")
        return
    yield Line("words")
    named = _numbers(summary)
    for words, number in named.items():
        yield Line("consumer", {"number": number, "consumer": seen(words), "words": consumer_words(seen(words))})
    compared = [(named[one.consumer.describe()], one) for one in summary.consumers if one.optimum is not None]
    for number, one in compared:
        yield _row(number, one, summary)
    if summary.state == "fails":
        yield Line("not-kept")
    for number in dict.fromkeys(named[one.consumer.describe()] for one in summary.consumers if one.optimum is None):
        if all(number != other for other, _ in compared):
            yield Line("row-none", {"number": number})
    told: set[str] = set()
    for number, one in compared:
        if number not in told:
            told.add(number)
            yield from _remap(number, one)
            yield from _bears(number, one)


def _row(number: str, one: ConsumerSummary, summary: AuditSummary) -> Line:
    """The cells of a consumer at one level."""
    assert one.epsilon is not None
    own = None if summary.own is None else summary.own[0]
    which = "claimed" if one.is_claimed else "own"
    if one.epsilon == own and summary.claimed == own:
        which = "own and claimed"
    values = {
        "number": number,
        "epsilon": f"{_text(one.epsilon, summary)} ({which})",
        "deployed": _between(one.deployed),
        "remapped": _between(one.remapped),
        "optimum": nearest(one.optimum),
        "gap": _gap(one.gap, one.percent, summary),
        "gap_after": _gap(one.gap_after, one.percent_after, summary),
    }
    return Line("row", values, one.part)


def _between(ends: tuple[Any, Any] | None) -> str:
    if ends is None or ends[0] is None:
        return NONE
    low, high = ends
    return nearest(low) if low == high else f"{nearest(low)} to {nearest(high)}"


def _gap(gap: tuple[Any, Any] | None, percent: tuple[Any, Any] | None, summary: AuditSummary) -> str:
    """A gap in percent, or as it is beside an optimum of 0; none where the tables are not private."""
    if gap is None or gap[0] is None or (summary.quality == "printed" and summary.state != "holds"):
        return NONE
    if gap[0] == gap[1] == 0:
        return "0: optimal"
    unit = " %" if percent is not None else ""
    low, high = gap if percent is None else percent
    most = f"{rounded(high, ROUNDED, up=True)}{unit}"
    return most if low == high else f"{rounded(low, ROUNDED, up=False)} to {most}"


def _remap(number: str, one: ConsumerSummary) -> Iterator[Line]:
    if one.is_remap_random:
        yield Line("remap-random", {"number": number}, one.part)
    elif one.remap is not None and len(one.remap) > FEW_MOVES:
        yield Line("remap-many", {"number": number, "count": str(len(one.remap))}, one.part)
    elif one.remap:
        yield Line("remap", {"number": number, "moves": moves_text(one.remap)}, one.part)
    elif one.remap is not None:
        yield Line("remap-none", {"number": number}, one.part)


def _bears(number: str, one: ConsumerSummary) -> Iterator[Line]:
    bearers = one.bearers
    if bearers is None:
        return
    (worst, most), (best, least) = bearers
    values = {"number": number, "measure": one.consumer.measure.word, "most": nearest(most)}
    if most == least:
        yield Line("bears-equal", values, one.part)
    else:
        yield Line("bears", values | {"worst": point(worst), "best": point(best), "least": nearest(least)}, one.part)


def _not_said(summary: AuditSummary, run: Run) -> Iterator[Line]:
    decided = {"guarantee": summary.state != "undecided", "utility": any(one.optimum is not None for one in summary.consumers)}
    for topic, words in TOPICS.items():
        if decided.get(topic, False):
            status, text = DECIDED, "see above"
        elif topic == "guarantee":
            status, text = UNDECIDED, ""
        elif topic in run.statements:
            status, text = STATED, run.statements[topic]
        else:
            status, text = OPEN, ""
        yield Line("scope", {"topic": words, "status": status, "text": text})


def _check_again(summary: AuditSummary, run: Run) -> Iterator[Line]:
    if run.table:
        yield Line("check-bundle")
    else:
        yield Line("check-command" if run.command else "check-python")
    yield Line("made", {"date": run.date, "release": RELEASE}) if run.date else Line("version", {"release": RELEASE})
    yield Line("rounding")
    if run.command:
        yield Line("command", {"command": seen(quoted(run.command))})
    yield Line("sign")


def in_python(summary: AuditSummary, kind: str, statements: Mapping[str, str] | None) -> str:
    """Page one in a format, without what only a command or a bundle knows.

    Raises
    ------
    InputError
        There is no such format, or no such topic.
    """
    formats = [name for name in WRITTEN if name != "json"]
    if kind not in formats:
        raise wrong_kind("kind of page", kind, f"one of {', '.join(formats)}")
    return WRITTEN[kind](page_one(summary, Run(statements=as_statements(statements))))


def in_notebook(summary: AuditSummary, report: str) -> str:
    """Page one as a notebook shows it, with the report folded up below."""
    style = STYLE[STYLE.index(".page-one{") : STYLE.index("@page{")]
    shown = re.sub(r'<a href="[^"]*">(.*?)</a>', r"\1", html_section(page_one(summary, Run())))  # it leads nowhere else
    folded = f"<details><summary>Appendix: the report</summary>{report}</details>"
    return f'<div class="{NO_FORMULAS}"><style>{style}</style>{shown}{folded}</div>'


# ── The appendix ────────────────────────────────────────────────────────────────────────────────
EXACT = "The numbers of page one, exactly"
"""The heading of them in an appendix."""


def exact_section(summary: AuditSummary) -> Section:
    """The exact numbers of page one, for the appendix."""
    return Section(EXACT, tuple(Fact(what, number) for what, number in exact_facts(summary)))


def exact_facts(summary: AuditSummary) -> list[tuple[str, str]]:
    """What each number of page one is, and the exact number.

    >>> from exactdp.analysis.audit import audit
    >>> from exactdp.analysis.audit_summary import audit_summary
    >>> exact_facts(audit_summary(audit([["2/3", "1/3"], ["1/3", "2/3"]], "path:2")))
    [('smallest ε', 'ln(2)')]
    """
    found: list[tuple[str, str]] = []
    if summary.claimed is not None:
        found.append(("claimed ε", str(summary.claimed)))
    if summary.own is not None:
        low, high = summary.own
        found.append(("smallest ε", str(low) if low == high else f"between {low} and {high}"))
    if summary.least_delta is not None:
        least, most = summary.least_delta
        found.append(("least δ at the claimed ε", str(least) if least == most else f"between {least} and {most}"))
    found += [] if summary.share is None else [("least probability of a uniform answer that makes the claim true", str(summary.share))]
    found += [(f"required: {one.text}", why_text(one)) for one in summary.requirements]
    found += [(f"smallest ε, with neighbours as {other.family}", str(other.largest)) for other in summary.others]
    told: set[str] = set()
    for one in summary.consumers:
        who = one.consumer.describe()
        where = who if one.epsilon is None else f"{who}, at ε = {one.epsilon}"
        found += _exact_losses(where, one)
        if who not in told:
            told.add(who)
            found += [(f"{one.consumer.measure.word} {who}, if the input is {label}", str(loss)) for label, loss in one.by_input]
    used = [pair for pair in summary.legend if any(re.search(rf"(?<![A-Za-z]){pair[0]}(?![A-Za-z0-9])", number) for _, number in found)]
    return [*used, *found]


def _exact_losses(where: str, one: ConsumerSummary) -> Iterator[tuple[str, str]]:
    """The numbers of a row, its remap, or why there is no comparison."""
    word = one.consumer.measure.word
    ends = ((f"{word} as deployed", one.deployed), ("after best remap", one.remapped), ("gap", one.gap), ("gap after remap", one.gap_after))
    for what, pair in ends:
        if pair is not None and pair[0] is not None:
            yield f"{what}: {where}", str(pair[0]) if pair[0] == pair[1] else f"between {pair[0]} and {pair[1]}"
    if one.optimum is not None:
        yield f"best possible: {where}", str(one.optimum)
    for output, guesses in one.remap_rows:
        yield f"best remap: {where}, answer {output}", ", ".join(f"{guess} with probability {x}" for guess, x in guesses)
    if one.reason:
        yield f"no comparison: {where}", one.reason


def appendix(summary: AuditSummary, kind: str) -> str:
    """The exact numbers in LaTeX or Markdown, to stand after page one."""
    if kind == "tex":
        items = "\n".join(f"\\item {latex(seen(what))}: {_breakable(number)}" for what, number in exact_facts(summary))
        return f"\\clearpage\n\\section*{{{EXACT}}}\n\\begin{{itemize}}\n{items}\n\\end{{itemize}}\n"
    lines = (f"* {markdown(seen(what))}: {markdown(seen(number))}" for what, number in exact_facts(summary))
    return f"\n# Appendix: {EXACT[0].lower()}{EXACT[1:]}\n\n" + "\n".join(lines) + "\n"


def _breakable(number: str) -> str:
    """A number in LaTeX, whose lines may end before a sign and amid many digits."""
    pieces = re.findall(r"[0-9]{1,12}|[^0-9]", seen(number))
    return "\\allowbreak{}".join(map(latex, pieces))
