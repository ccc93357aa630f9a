# SPDX-License-Identifier: MIT
"""Page one of an audit by a law alone: it says that no table was judged, and what the law does not decide.

:mod:`exactdp.report.page_one` has page one of a table, and the lines that both have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exactdp.analysis.epsilon_shown import epsilon_text, rounded
from exactdp.analysis.law_audit import OF_A_GAP, LawAudit
from exactdp.analysis.requirement import GAPS, why_text
from exactdp.certificate.page_one import (
    SECTIONS,
    TOPICS,
    Line,
    Page,
    limits,
    open_topics,
    seen,
    signed_own,
    signed_verdict,
    title_shown,
    where_of_law,
)
from exactdp.exact import Rational
from exactdp.mechanisms import BitLaw, CategoryLaw, CountLaw, Law
from exactdp.report.page_decimals import NEAREST, ROUNDED, difference_text, factor_text, nearest
from exactdp.report.page_required import about_privacy, heads_of_requirements, required_figure
from exactdp.report.page_run import Run, guarantee_status, scope_line, sections, stated

PART = "level"
"""The part whose certificate shows the smallest ε."""


def law_page(found: LawAudit, run: Run) -> Page:
    """The lines of page one.

    Examples
    --------
    >>> from exactdp.analysis.law_audit import audit_by_law
    >>> page = law_page(audit_by_law("randomized-response:k=9999,alpha=1/3", "complete").evidence, Run())
    >>> [str(line) for line in page.lines() if line.says == "no claim"]
    ['No claim was judged.']
    """
    parts = _subject(found, run), _claim(found, run), _verdict(found), _how_good(found), _not_said(found, run)
    made = sections(run, *parts)
    signed = _signed(found, made[2][1][0], [line for _, lines in made for line in lines])
    made[5] = SECTIONS[5], (*made[5][1][:-1], signed, made[5][1][-1])
    return Page(title_shown(found.title), tuple(made))


def _signed(found: LawAudit, head: Line, lines: Sequence[Line]) -> Line:
    """What is signed: the verdict on the claim, for which neighbours, and what it does not cover."""
    reach = f"{found.law.reach:,}" if isinstance(found.law, CountLaw) else ""
    about = {"name": title_shown(found.title), "where": where_of_law(reach), "limits": limits(lines), "open": open_topics(lines)}
    if found.claimed is None:
        return Line("sign-own", about | {"own": signed_own(lines)})
    delta = rounded(found.delta, ROUNDED, up=True) if found.delta > 0 else "0"
    values = {"epsilon": epsilon_text(found.claimed, found.epsilon), "delta": delta, "verdict": signed_verdict(head, wrong=False)}
    return Line("sign-for", about | values)


def _subject(found: LawAudit, run: Run) -> Iterator[Line]:
    yield Line("subject", {"name": title_shown(found.title)})
    if "name" in run.statements:
        yield Line("called", {"text": run.statements["name"]})
    yield Line("law")
    yield Line("law-word", {"word": seen(found.word)})
    yield _law(found.law)
    if run.table:
        yield Line("law-file", {"digest": run.table})


def _law(law: Law) -> Line:
    """The law in words, with decimals near its numbers."""
    if isinstance(law, CategoryLaw):
        other = (1 - law.keep) / (law.size - 1)
        return Line("law-response", {"size": f"{law.size:,}", "keep": probability(law.keep), "other": probability(other)})
    if isinstance(law, BitLaw):
        bits = {"bits": f"{law.bits:,}", "ones": f"{law.ones:,}"}
        return Line("law-bits", bits | {"set": probability(law.set_bit), "clear": probability(law.clear_bit)})
    assert isinstance(law, CountLaw)
    return Line("law-counts", {"counts": f"{law.n + 1:,}", "level": probability(law.alpha)})


MOST_NINES = 60
"""A probability that is nearer to 1 than 10^−60 is shown as 1."""


def probability(x: Any) -> str:
    """The decimal nearest to a probability; that of one below 1 is below 1.

    >>> probability(Rational("2/3")), probability(Rational("9999999/10000000"))
    ('0.66667', '0.9999999')
    """
    text, figures = nearest(x), NEAREST
    while x < 1 and Rational(text) >= 1 and figures <= MOST_NINES:
        figures += 1
        text = nearest(x, figures)
    return text


def _claim(found: LawAudit, run: Run) -> Iterator[Line]:
    if found.claimed is None:
        yield Line("no-claim")
    else:
        own = found.epsilon
        yield Line("claimed", {"factor": factor_text(found.claimed, own), "epsilon": epsilon_text(found.claimed, own)})
    if found.delta > 0:
        yield Line("claimed-delta", {"delta": rounded(found.delta, ROUNDED, up=True)})
    law = found.law
    yield Line("law-near", {"reach": f"{law.reach:,}"}) if isinstance(law, CountLaw) else Line("law-any")
    yield stated(run, "neighbours", "chosen")
    if isinstance(law, CategoryLaw):
        yield Line("law-other-same")
    elif isinstance(law, CountLaw) and law.reach == 1 < law.n:
        yield Line("law-other", {"times": f"{law.n:,}"})
    yield stated(run, "unit", "unit")


def _verdict(found: LawAudit) -> Iterator[Line]:
    yield Line(found.state)
    yield from heads_of_requirements(found.requirements)
    if found.state == "undecided":
        yield Line("law-delta", {}, PART)
    own, claimed, exactly = found.epsilon, found.claimed, found.delta == 0
    if not own.is_enclosed:
        yield Line("own-infinite", {}, PART)
    else:
        values = {"epsilon": epsilon_text(own, claimed), "factor": factor_text(own, claimed)}
        yield Line("own" if exactly else "own-pure", values, PART)
    if claimed is not None and exactly and own.is_enclosed:
        if own > claimed:
            yield Line("more", {"difference": difference_text(own, claimed)}, PART)
        else:
            yield Line("equal" if own == claimed else "less", {}, PART)
    yield from _event(found)
    if found.state == "fails" and own.is_enclosed:
        yield Line("repair-epsilon", {"epsilon": epsilon_text(own, claimed)}, PART)
    yield from _required(found)


def _required(found: LawAudit) -> Iterator[Line]:
    """What is required beside the claim: whether it is kept, and the number."""
    if found.requirements:
        yield Line("required-words")
    for one in found.requirements:
        is_gap = one.requirement.quantity in GAPS
        about = seen(one.about) if is_gap else about_privacy(one, found.requirements, found.claimed)
        yield Line("required", {"text": one.text, "about": about, "status": one.status, "figure": required_figure(one)}, one.part)


def _event(found: LawAudit) -> Iterator[Line]:
    """Which answer is so much more likely with which input: by the factor of the smallest ε."""
    law = found.law
    ratio, factor = law.ratio, factor_text(found.epsilon, found.claimed) if found.epsilon.is_enclosed else ""
    if isinstance(law, CategoryLaw):
        unlikely, likely = sorted((law.keep, (1 - law.keep) / (law.size - 1)))
        values = {"likely": probability(likely)}
        if unlikely == 0:
            yield Line("law-event-never", values, PART)
        elif unlikely < likely:
            yield Line("law-event-response", values | {"unlikely": probability(unlikely), "ratio": factor}, PART)
    elif isinstance(law, BitLaw):
        if law.set_bit > law.clear_bit and 0 < ratio < 1:
            yield Line("law-event-bits", {"ratio": factor}, PART)
    else:
        yield Line("law-event-counts", {"ratio": factor, "steps": f"{min(law.reach, law.n):,}"}, PART)


def _how_good(found: LawAudit) -> Iterator[Line]:
    if not any(question.startswith(OF_A_GAP) for question in found.asked):
        yield Line("nobody")
    for question in found.asked:
        yield Line("law-open", {"question": seen(question)})


def _not_said(found: LawAudit, run: Run) -> Iterator[Line]:
    for topic, words in TOPICS.items():
        if topic == "guarantee":
            status, text = guarantee_status(found.state)
            yield Line("scope", {"topic": words, "status": status, "text": text})
        else:
            yield scope_line(topic, run)


def exact_law_facts(found: LawAudit) -> list[tuple[str, str]]:
    """What each number of page one is, and the exact number.

    >>> from exactdp.analysis.law_audit import audit_by_law
    >>> exact_law_facts(audit_by_law("randomized-response:k=9999,alpha=1/3", "complete").evidence)[0]
    ('smallest ε', 'ln(3)')
    """
    law, facts = found.law, list[tuple[str, str]]()
    if found.claimed is not None:
        facts.append(("claimed ε", str(found.claimed)))
    facts.append(("smallest ε", str(found.epsilon)))
    if isinstance(law, CategoryLaw):
        facts += [("probability of the true label", str(law.keep)), ("of each other one", str((1 - law.keep) / (law.size - 1)))]
    elif isinstance(law, BitLaw):
        facts += [("probability of 1 for a set bit", str(law.set_bit)), ("for another bit", str(law.clear_bit))]
    else:
        facts.append(("q of the noise", str(law.alpha)))
    facts += [(f"required: {one.text}", why_text(one)) for one in found.requirements]
    meanings = found.tightest.scope.meanings
    return [*meanings, *facts]
