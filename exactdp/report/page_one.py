# SPDX-License-Identifier: MIT
"""Page one of an audit: what a reader who is no mathematician needs to sign, on one page of A4.

The numbers are those of :mod:`exactdp.analysis.audit_summary`, the sentences and the formats those of
:mod:`exactdp.certificate.page_one`; here numbers become decimals. All that is about the run is given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exactdp.analysis.audit_summary import AuditSummary, ConsumerSummary, OtherNeighbours
from exactdp.analysis.epsilon import bounds_of
from exactdp.analysis.epsilon_shown import FIGURES, MOST_FIGURES, epsilon_ends, epsilon_text, figures_beside, rounded
from exactdp.analysis.law_audit import LawAudit
from exactdp.analysis.privacy_claim import Event
from exactdp.analysis.requirement import GAPS, LEVELS, Required, why_text
from exactdp.certificate.page_one import (
    DECIDED,
    FEW_MOVES,
    NEIGHBOURS,
    NO_GAP,
    NONE,
    NOT_JUDGED,
    OPEN,
    ROWS,
    SECTIONS,
    TOPICS,
    UNDECIDED,
    WHERE,
    Line,
    Page,
    brief,
    consumer_words,
    consumers_shown,
    digits_text,
    few,
    grid_of_labels,
    have_tables,
    is_sized_by_rows,
    limits,
    metric_of_grid,
    moves_text,
    neighbours_words,
    open_topics,
    point,
    reading_text,
    required_about,
    seen,
    signed_own,
    signed_verdict,
    title_shown,
    where,
)
from exactdp.certificate.page_one_formats import STYLE, WRITTEN, html_section, latex, markdown
from exactdp.errors import wrong_kind
from exactdp.exact import Rational
from exactdp.exact.formats import exponent_of_ten
from exactdp.model.epsilon import Epsilon
from exactdp.report.html import NO_FORMULAS
from exactdp.report.items import Fact, Section
from exactdp.report.law_page import exact_law_facts, law_page
from exactdp.report.page_decimals import ROUNDED, difference_text, exact_number, factor_text, is_near, nearest, share
from exactdp.report.page_required import about_privacy, heads_of_requirements, required_figure
from exactdp.report.page_run import Run, as_statements, scope_line, sections, stated


# ── The lines ───────────────────────────────────────────────────────────────────────────────────
def page_one(summary: AuditSummary | LawAudit, run: Run) -> Page:
    """The lines of page one.

    Parameters
    ----------
    summary : AuditSummary or LawAudit
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
    if isinstance(summary, LawAudit):
        return law_page(summary, run)
    parts = _subject(summary, run), _claim(summary, run), _verdict(summary), _how_good(summary), _not_said(summary, run)
    made = sections(run, *parts)
    signed = _signed(summary, made[2][1][0], [line for _, lines in made for line in lines])
    made[5] = SECTIONS[5], (*made[5][1][:-1], *signed, made[5][1][-1])
    return Page(title_shown(summary.title), tuple(made))


def _text(epsilon: Epsilon, summary: AuditSummary, *, up: bool = True) -> str:
    """The decimal of an ε; all that are near to the claimed one have the same number of figures."""
    claimed = summary.claimed
    if claimed is None or not claimed.is_enclosed or not epsilon.is_enclosed or not is_near(epsilon, claimed):
        return epsilon_text(epsilon, claimed, up=up)
    figures = max(_figures_of_page(summary), figures_beside(epsilon, (claimed,), up=up))
    low, high = epsilon_ends(epsilon, figures + 4)
    return rounded(high if up else low, figures, up=up)


def _figures_of_page(summary: AuditSummary) -> int:
    """The figures of each ε near to the claimed one: they show by how much it is another."""
    claimed = summary.claimed
    if claimed is None or not claimed.is_enclosed:
        return FIGURES
    ends = [end for other in summary.others for end in (other.smallest, other.largest)]
    compared = [one.epsilon for one in summary.consumers if one.epsilon is not None]
    everything = (*(summary.own or ()), *ends, *compared, *(summary.as_stands or ()))
    group = [one for one in everything if one.is_enclosed and is_near(one, claimed)]
    shown = [figures_beside(one, (claimed,), up=True) for one in group]
    return max([FIGURES, *shown, *(figures_beside(claimed, (one,), up=True) for one in group)])


def _subject(summary: AuditSummary, run: Run) -> Iterator[Line]:
    yield Line("subject", {"name": title_shown(summary.title)})
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
    if summary.quality == "exact" and summary.divided is not None:
        yield Line("renormalised")
    elif summary.doubles_printed:
        yield Line("numbers-printed-doubles", {"places": str(summary.places)})
    else:
        yield Line(f"numbers-{written}", places)
    if run.reading.get("transpose"):
        yield Line("transposed")
    for option in ("header", "labels"):
        if run.reading.get(option):
            yield Line(f"{option}-read")
    if summary.quality == "exact":
        yield Line("sums-exact")
    elif summary.quality in ("rounded", "wrong"):
        yield Line(f"sums-{summary.quality}", {"deviation": rounded(summary.deviation, ROUNDED, up=True)})
    if summary.rows_off:
        row, excess = summary.rows_off[0]
        side, size = ("more", excess) if excess > 0 else ("less", -excess)
        yield Line("rows-off", {"count": str(len(summary.rows_off)), "row": point(row), "excess": nearest(size), "side": side})
    if summary.rounded_to:
        yield Line("looks-rounded", {"places": str(summary.rounded_to)})


def _claim(summary: AuditSummary, run: Run) -> Iterator[Line]:
    if summary.claimed is None:
        yield Line("no-claim")
    else:
        own = None if summary.own is None else summary.own[1]
        yield Line("claimed", {"factor": factor_text(summary.claimed, own), "epsilon": _text(summary.claimed, summary)})
    if summary.claim is not None and summary.delta > 0:
        yield Line("claimed-delta", {"delta": rounded(summary.delta, ROUNDED, up=True)})
    name = str(summary.neighbours)
    words = {"words": neighbours_words(brief(name))}
    yield Line("neighbours", words) if is_sized_by_rows(name) else Line("neighbours-named", words | {"name": brief(name)})
    yield from _grid(summary, run)
    yield stated(run, "neighbours", "chosen")
    for other in summary.others:
        yield _other(other, summary)
    unit = stated(run, "unit", "unit")
    yield Line("unit-grid", unit.values) if unit.says == "unit" and metric_of_grid(name) else unit


def _other(other: OtherNeighbours, summary: AuditSummary) -> Line:
    words = NEIGHBOURS[other.family]
    if other.smallest != other.largest:
        low, high = _text(other.smallest, summary, up=False), _text(other.largest, summary)
        return Line("other-between", {"words": words, "low": low, "high": high}, "other neighbours")
    says = {True: "other-holds", False: "other-fails", None: "other"}[other.holds]
    return Line(says, {"words": words, "epsilon": _text(other.smallest, summary)})


def _grid(summary: AuditSummary, run: Run) -> Iterator[Line]:
    """Of inputs that are the points of a grid: which other claim there is, and what is assumed."""
    name, labels = str(summary.neighbours), list(map(str, summary.inputs))
    metric, sides = metric_of_grid(name), grid_of_labels(labels)
    if metric:
        yield Line("grid-steps", {"metric": metric})
    elif sides and not name.startswith("euclid:"):
        yield Line("grid-labels", {"metric": f"euclid:{sides}"})
    if not metric and not sides:
        return
    if not summary.rows_named:
        yield Line("grid-order", {"points": few(labels)})
    yield stated(run, "grid-unit", "grid-unit")


def _beside(summary: AuditSummary) -> list[OtherNeighbours]:
    """The other usual neighbours whose verdict is told: those that differ, and where the claim fails all."""
    if summary.quality == "wrong" or summary.state not in ("holds", "fails"):
        return []
    told = (False,) if summary.state == "holds" else (True, False)
    return [other for other in summary.others if other.holds in told]


def _beside_line(other: OtherNeighbours, summary: AuditSummary) -> Line:
    values = {"where": WHERE[other.family], "epsilon": _text(other.largest, summary)}
    fails = "beside-fails-too" if summary.state == "fails" else "beside-fails"
    return Line("beside-holds" if other.holds else fails, values, "other neighbours" if summary.quality == "printed" else "")


def _head(summary: AuditSummary) -> Line:
    """What the verdict begins with."""
    places = {"places": str(summary.places)}
    if summary.state == "holds":
        if summary.divided is not None and summary.divided.is_another:
            digits = summary.divided.places
            return Line("holds-divided", {"places": str(digits)}) if digits else Line("holds-divided-only")
        if summary.precision == "decimals" and not summary.doubles_printed:
            if summary.all_keep is False and summary.kept_by_all is not None:
                shown = places | {"digits": digits_text(str(summary.places))}
                if not summary.kept_by_all.is_enclosed:
                    return Line("holds-printed-infinite", shown)
                return Line("holds-printed", shown | {"epsilon": _text(summary.kept_by_all, summary)})
            if summary.delta > 0 and summary.within_digits:
                return Line("holds-printed-delta", places)
    if summary.state == "fails" and summary.quality in ("exact", "rounded"):
        barely = _barely(summary)
        if barely is not None:
            return barely
        if summary.within_digits and summary.precision == "decimals" and not summary.doubles_printed:
            if summary.delta > 0 or summary.own is None or not summary.own[0].is_enclosed:
                return Line("fails-printed-delta", places)
            return Line("fails-printed", places | {"epsilon": _text(summary.own[0], summary)}, "level")
    if summary.state == "fails" and summary.claimed is None:
        return Line("fails-unclaimed")
    if summary.state == "fails" and summary.claim is not None and summary.rounded_to:
        return Line("fails-sums", {"places": str(summary.rounded_to)})
    if summary.state in ("holds", "fails") and summary.quality == "printed":
        values = {"where": where(str(summary.neighbours)), "digits": digits_text(summary.digits)}
        return Line(f"{summary.state}-digits", values)
    if any(other.holds is (summary.state == "fails") for other in _beside(summary)):
        return Line(f"{summary.state}-for", {"where": where(str(summary.neighbours))})
    return Line(summary.state)


FLOATING = Rational(1, 2**40)
"""A part of ε below which a difference is of the size of floating-point rounding, as of a table's faults."""

BILLIONTH = Rational(1, 10**9)


def _barely(summary: AuditSummary) -> Line | None:
    """The head of a claim that fails by less than a billionth of its ε; else None."""
    if summary.own is None or summary.claimed is None or summary.delta > 0:
        return None
    own, claimed = summary.own[0], summary.claimed
    if not own.is_enclosed or not claimed.is_enclosed or not own > claimed or not is_near(own, claimed):
        return None
    low, high = epsilon_ends(claimed, MOST_FIGURES)
    most = (epsilon_ends(own, MOST_FIGURES)[1] - low) / low
    least = (epsilon_ends(own, MOST_FIGURES)[0] - high) / high
    if most > BILLIONTH or least <= 0:
        return None
    digits = -exponent_of_ten(most.numerator, most.denominator) - 1
    values = {"digits": str(digits), "epsilon": _text(own, summary)}
    return Line("fails-rounding" if most <= FLOATING else "fails-barely", values, "level")


def _verdict(summary: AuditSummary) -> Iterator[Line]:
    yield from _of_the_claim(summary)
    yield from _required(summary)


def _of_the_claim(summary: AuditSummary) -> Iterator[Line]:
    """Whether the claim holds, and by how much."""
    head = _head(summary)
    yield head
    yield from heads_of_requirements(summary.requirements)
    if summary.state == "undecided" and summary.quality == "printed":
        yield from _instead(summary)
    for other in _beside(summary):
        yield _beside_line(other, summary)
    are_doubles = summary.precision == "doubles" or summary.doubles_printed
    told = ("fails-rounding", "fails-barely", "holds-divided", "holds-divided-only")  # the head has said more
    if summary.within_digits and head.says not in told and (are_doubles or summary.state == "fails"):
        yield Line(f"within-{summary.state}", {"numbers": "doubles" if are_doubles else summary.precision})
    if summary.divided is not None:
        yield Line("divided", {"farthest": rounded(summary.divided.farthest, ROUNDED, up=True)})
    if summary.quality == "wrong":
        if summary.claim is not None:
            yield Line("wrong-rounded" if head.says == "fails-sums" else "wrong")
        if summary.as_stands is not None:
            stands, divided = summary.as_stands
            values = {"epsilon": _text(stands, summary), "divided": _text(divided, summary)}
            yield Line("as-stands", values, "level")
        return
    if summary.state == "undecided" and summary.quality != "printed":
        yield Line("late")
    yield from _printed(summary) if summary.quality == "printed" else _own(summary)
    yield from _event(summary)
    if summary.state == "fails" or (summary.state == "undecided" and summary.quality == "printed"):
        yield from _repairs(summary)


def _instead(summary: AuditSummary) -> Iterator[Line]:
    """The ε that holds of all tables that print so."""
    if summary.own is not None and summary.delta == 0 and summary.own[1].is_enclosed:
        values = {"epsilon": _text(summary.own[1], summary), "digits": digits_text(summary.digits)}
        yield Line("instead", values, "largest-epsilon")


def _required(summary: AuditSummary) -> Iterator[Line]:
    """What is required beside the claim: whether it is kept, and the number."""
    if summary.requirements:
        yield Line("required-words")
    for one in summary.requirements:
        values = {"text": one.text, "about": _about(one, summary), "status": one.status, "figure": _required_figure(one, summary)}
        yield Line("required", values, one.part)


def _about(one: Required, summary: AuditSummary) -> str:
    """Which number a requirement is about."""
    quantity = one.requirement.quantity
    if summary.quality == "wrong":
        return seen(one.about)
    if quantity in GAPS and not one.part:
        return required_about(quantity, NO_GAP)
    if quantity not in GAPS:
        return about_privacy(one, summary.requirements, summary.claimed)
    entry = next(entry for entry in summary.consumers if one.part.startswith(f"{entry.part}-") or one.part == entry.part)
    assert entry.epsilon is not None
    return f"{required_about(quantity, _numbers(summary)[entry.consumer.describe()])} at ε = {epsilon_text(entry.epsilon)}"


def _required_figure(one: Required, summary: AuditSummary) -> str:
    """The decimal of what was compared; of a printed table those of both ends."""
    if summary.quality != "printed":
        return required_figure(one)
    has_ends = one.bounds is not None or one.part in ("largest-epsilon", "smallest-epsilon")
    if one.requirement.quantity in LEVELS and one.part and summary.own is not None and has_ends:
        low, high = summary.own
        return f"{epsilon_text(low, up=False)} to {epsilon_text(high)}"
    return NONE


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
        if not low.is_enclosed:
            yield Line("between-none", {}, "smallest-epsilon")
        elif high.is_enclosed:
            yield Line("between", values | {"high": _text(high, summary)}, "largest-epsilon")
        else:
            yield Line("between-infinite", values, "largest-epsilon")
        if summary.state == "undecided":
            yield Line("no-more")
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
        yield Line("event", values | {"unlikely": nearest(event.unlikely), "ratio": _ratio_text(event, summary)}, of)
    else:
        yield Line("event-never", values, of)


def _ratio_text(event: Event, summary: AuditSummary) -> str:
    """How many times as likely an event is: that of the smallest ε is its factor, in the same figures."""
    if summary.delta == 0 and summary.own is not None and summary.own[0].is_enclosed:
        return factor_text(summary.own[0], summary.claimed)
    return rounded(event.likely / event.unlikely, ROUNDED, up=True)


def _repairs(summary: AuditSummary) -> Iterator[Line]:
    """Claims that would be true."""
    printed = summary.quality == "printed"
    is_first = True
    if summary.own is not None and summary.delta == 0 and summary.own[1].is_enclosed:
        text = _text(summary.own[1], summary)
        values = {"epsilon": text}
        yield Line("repair-epsilon-printed", values, "largest-epsilon") if printed else Line("repair-epsilon", values, "level")
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


def _how_good(summary: AuditSummary) -> Iterator[Line]:
    if not summary.consumers:
        yield Line("nobody")
        return
    compared = [one for one in summary.consumers if one.optimum is not None]
    yield Line("words")
    if any("side information {" in one.consumer.describe() for one in summary.consumers):
        yield Line("words-side")
    if compared:
        yield Line("words-best")
    if any(_has_gap(one, summary) for one in compared):
        yield Line("words-gap")
    if summary.quality != "printed" and compared:
        yield Line("words-remap")
    if summary.quality == "wrong" and compared:
        yield Line("divided-losses")
    yield from _consumers(summary)


def _has_gap(one: ConsumerSummary, summary: AuditSummary) -> bool:
    """Whether a gap is told: of printed tables only where all of them keep the claimed ε with δ = 0."""
    is_kept = summary.state == "holds" and summary.claim is not None and summary.claim.delta == 0
    return one.gap is not None and one.gap[0] is not None and (summary.quality != "printed" or is_kept)


def _consumers(summary: AuditSummary) -> Iterator[Line]:
    """Who uses the answers, what each loses, and who bears it."""
    named = _numbers(summary)
    for shown, number in zip(consumers_shown(list(named)), named.values(), strict=True):
        yield Line("consumer", {"number": number, "consumer": shown, "words": consumer_words(shown)})
    compared = [(named[one.consumer.describe()], one) for one in summary.consumers if one.optimum is not None]
    for number, one in compared:
        yield _row(number, one, summary)
    for number, one in compared:
        yield from _beyond(number, one, summary)
    if summary.state == "fails" and summary.claim is not None and summary.quality != "printed":
        yield Line("not-kept")
    for number in dict.fromkeys(named[one.consumer.describe()] for one in summary.consumers if one.optimum is None):
        if all(number != other for other, _ in compared):
            yield Line("row-none", {"number": number})
    first: dict[str, ConsumerSummary] = {}
    for number, one in compared:
        first.setdefault(number, one)
    random = {number: one.remap_moved for number, one in first.items() if one.is_remap_random}
    sizes = [(len(rows), sum(len(guesses) for _, guesses in rows)) for rows in random.values()]
    drawn = dict(zip(random, have_tables(sizes, len(first)), strict=True))
    for number, one in first.items():
        yield from [Line("remap-drawn", {"number": number}, one.part)] if drawn.get(number) else _remap(number, one)
        yield from _bears(number, one)
    for number, one in first.items():
        if drawn.get(number):
            yield from _rows_of_remap(number, one)


def _row(number: str, one: ConsumerSummary, summary: AuditSummary) -> Line:
    """The cells of a consumer at one level."""
    assert one.epsilon is not None
    own = None if summary.own is None else summary.own[0]
    which = "claimed" if one.is_claimed else "own"
    if one.epsilon == own and summary.claimed == own and summary.quality != "printed":
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
    says = "row"
    if summary.quality == "printed":
        says = "row-printed" if _has_gap(one, summary) else "row-open"
    return Line(says, {key: values[key] for key in ROWS[says][1]}, one.part)


def _beyond(number: str, one: ConsumerSummary, summary: AuditSummary) -> Iterator[Line]:
    """That printed tables which lose less than the best possible do not keep the claim."""
    if summary.quality != "printed" or one.deployed is None or one.deployed[0] is None:
        return
    word, best = one.consumer.measure.word, one.optimum
    ends = sorted(one.deployed)
    is_loss = word == "loss"
    if (ends[0] < best) if is_loss else (ends[1] > best):
        values = {"number": number, "measure": word, "side": "below" if is_loss else "above", "optimum": nearest(best)}
        yield Line("row-beyond", values, one.part)


def _between(ends: tuple[Any, Any] | None) -> str:
    if ends is None or ends[0] is None:
        return NONE
    low, high = ends
    shown = nearest(low), nearest(high)
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} to {shown[1]}"


def _gap(gap: tuple[Any, Any] | None, percent: tuple[Any, Any] | None, summary: AuditSummary) -> str:
    """A gap in percent, or as it is beside an optimum of 0; none where the tables are not private."""
    if gap is None or gap[0] is None or (summary.quality == "printed" and summary.state != "holds"):
        return NONE
    if gap[0] == gap[1] == 0:
        return "0: optimal"
    if percent is not None and percent[0] == percent[1] and 0 < percent[0] <= 100 * BILLIONTH:
        part = bounds_of(percent[0] / 100, ROUNDED)[1]
        return f"none to {-exponent_of_ten(part.numerator, part.denominator) - 1} digits"
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


def _rows_of_remap(number: str, one: ConsumerSummary) -> Iterator[Line]:
    """A random remap: as what each answer is read that is not read as it is."""
    for output, guesses in one.remap_moved:
        read = reading_text([(guess, share(x)) for guess, x in guesses])
        exact = json.dumps([[guess, exact_number(x)] for guess, x in guesses])
        yield Line("remap-row", {"number": number, "output": point(output), "read": read, "exact": exact}, one.part)


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
    known = any(one.optimum is not None for one in summary.consumers)
    is_open = summary.quality == "printed" and summary.state != "holds"
    decided = {"guarantee": summary.state != "undecided" and summary.quality != "wrong", "utility": known and not is_open}
    for topic, words in TOPICS.items():
        if decided.get(topic, False):
            status, text = DECIDED, "see above"
        elif topic == "guarantee" and summary.quality == "wrong":
            status, text = OPEN, NOT_JUDGED[bool(summary.rounded_to)]
        elif topic == "guarantee" or (topic == "utility" and known):
            status, text = UNDECIDED, ""
        else:
            yield scope_line(topic, run)
            continue
        yield Line("scope", {"topic": words, "status": status, "text": text})


def _signed(summary: AuditSummary, head: Line, lines: Sequence[Line]) -> Iterator[Line]:
    """What is signed: the verdict on the claim, for which neighbours, and what it does not cover."""
    about = {"name": title_shown(summary.title), "where": where(str(summary.neighbours))}
    about |= {"limits": limits(lines), "open": open_topics(lines)}
    if summary.claimed is None or summary.claim is None:
        yield Line("sign-own", about | {"own": signed_own(lines)})
        return
    values = {
        "epsilon": _text(summary.claimed, summary),
        "delta": rounded(summary.delta, ROUNDED, up=True) if summary.delta > 0 else "0",
        "verdict": signed_verdict(head, wrong=summary.quality == "wrong"),
    }
    yield Line("sign-for", about | values)


def in_python(summary: AuditSummary | LawAudit, kind: str, statements: Mapping[str, str] | None) -> str:
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


def in_notebook(summary: AuditSummary | LawAudit, report: str) -> str:
    """Page one as a notebook shows it, with the report folded up below."""
    style = STYLE[STYLE.index(".page-one{") : STYLE.index("@page{")]
    shown = re.sub(r'<a href="[^"]*">(.*?)</a>', r"\1", html_section(page_one(summary, Run())))  # it leads nowhere else
    folded = f"<details><summary>Appendix: the report</summary>{report}</details>"
    return f'<div class="{NO_FORMULAS}"><style>{style}</style>{shown}{folded}</div>'


# ── The appendix ────────────────────────────────────────────────────────────────────────────────
EXACT = "The numbers of page one, exactly"
"""The heading of them in an appendix."""


def exact_section(summary: AuditSummary | LawAudit) -> Section:
    """The exact numbers of page one, for the appendix."""
    return Section(EXACT, tuple(Fact(what, number) for what, number in exact_facts(summary)))


def exact_facts(summary: AuditSummary | LawAudit) -> list[tuple[str, str]]:
    """What each number of page one is, and the exact number.

    >>> from exactdp.analysis.audit import audit
    >>> from exactdp.analysis.audit_summary import audit_summary
    >>> exact_facts(audit_summary(audit([["2/3", "1/3"], ["1/3", "2/3"]], "path:2")))
    [('smallest ε', 'ln(2)')]
    """
    if isinstance(summary, LawAudit):
        return exact_law_facts(summary)
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


def appendix(summary: AuditSummary | LawAudit, kind: str) -> str:
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
