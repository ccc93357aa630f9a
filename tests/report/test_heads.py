"""The word before an answer: what was decided, or that nothing was claimed."""

from __future__ import annotations

from exactdp import Decision, geometric, identity
from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.analysis.verdict import NO_CLAIM
from exactdp.cli.output import EXIT_CODES
from exactdp.report.audit_page import _EXIT_CODES, audit_page
from exactdp.report.html import colour, verdict_html
from exactdp.report.latex import latex_of
from exactdp.report.text import verdict_text


def test_nothing_has_passed_where_nothing_was_claimed():
    """The identity keeps nothing secret; it is a mechanism, and that is all that was decided."""
    verdict = audit(identity(range(4)), "path")
    page = audit_page(verdict)
    assert verdict.head == "no claim"
    assert verdict.proved
    assert "No claim was judged.</b>" in page
    assert "no claim was judged: its tightest level on path:4 is α = 0 (ε = ∞)" in page
    assert "Exit code: 0, as it is a mechanism, however private it is." in page
    assert "Passed" not in page
    shown = [verdict_text(verdict), verdict_html(verdict), latex_of(verdict), str(verdict), repr(verdict)]
    assert not [text for text in shown if "proved" in text.lower()]
    assert colour(verdict) != colour(audit(identity(range(4)), "path", claim=PrivacyClaim(epsilon=1)))
    claimed = audit(geometric(3, "1/2"), "path", claim=PrivacyClaim(alpha="1/2"))
    assert claimed.head == "proved"
    assert "Passed.</b>" in audit_page(claimed)


def test_the_exit_codes_on_the_page_are_those_of_the_command():
    assert {head: int(told.partition(",")[0]) for head, told in _EXIT_CODES.items() if head != NO_CLAIM} == {
        decision.value: code
        for decision, code in EXIT_CODES.items()
        if decision != Decision.REPLAYED  # said of arguments alone: no audit is one
    }
    assert _EXIT_CODES[NO_CLAIM].startswith(f"{EXIT_CODES[Decision.PROVED]},")
