# SPDX-License-Identifier: MIT
"""`exactdp audit`: text, JSON, page and certificates; e^(−ε) beside rationals; epsilons between decimals."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import Mechanism, PrivacyLevel, Table, TightestLevel, geometric, identity, is_private, neighbours
from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.analysis.epsilon import at_epsilon, together
from exactdp.analysis.wording import decimal_above, level_text, short_number
from exactdp.checker import check_bytes
from exactdp.cli import main
from exactdp.errors import DomainError, InputError, LabelError, ParameterRangeError
from exactdp.exact import ExponentialField, Rational, RationalFunctionField, from_float
from exactdp.mechanisms.words import mechanism_from_spec
from exactdp.model.mechanism import mixing_weight
from exactdp.report.audit_page import audit_page, heat_map


def run(*words):
    return CliRunner().invoke(main, list(words))


def doubles(n, epsilon):
    """The range-restricted geometric mechanism as a program computes it in double precision."""
    a = math.exp(-epsilon)
    scale = [1 / (1 + a) if r in (0, n) else (1 - a) / (1 + a) for r in range(n + 1)]
    return [[scale[r] * math.exp(-epsilon * abs(i - r)) for r in range(n + 1)] for i in range(n + 1)]


def test_the_doubles_of_a_geometric_mechanism():
    """Exact level and defects of the doubles, by another route: fractions of the doubles' own ratios."""
    from fractions import Fraction

    rows = doubles(5, 1.0)
    verdict = audit(Table([[from_float(x) for x in row] for row in rows]), neighbours("path:6"), claim=PrivacyClaim(epsilon=1))
    exact = [[Fraction(x) for x in row] for row in rows]
    mended = [[x / sum(row) for x in row] for row in exact]
    stands, least = (
        min(min(a, b) / max(a, b) for first, second in pairwise(table) for a, b in zip(first, second, strict=True))
        for table in (exact, mended)
    )
    e = verdict.evidence
    assert e.quality == "rounded"
    assert e.stands.evidence.ratio == Rational(stands.numerator, stands.denominator)
    assert e.ratio == Rational(least.numerator, least.denominator)
    assert {f.label: f.excess for f in e.faults.rows} == {
        str(i): Rational((d := sum(row) - 1).numerator, d.denominator) for i, row in enumerate(exact) if sum(row) != 1
    }
    assert e.claim_holds == (Decimal(least.numerator) / Decimal(least.denominator) >= Decimal(-1).exp())
    assert e.repaired


def test_opendp_from_its_parameters_over_e_to_the_minus_one():
    m = mechanism_from_spec("opendp-geometric:scale=1,lower=0,upper=8")
    for epsilon, holds in (("1", True), ("1000001/1000000", True), ("999999/1000000", False), ("3/2", True), ("1/2", False)):
        verdict = audit(m, neighbours("path:9"), claim=PrivacyClaim(epsilon=epsilon))
        assert verdict.proved == holds, epsilon
        assert TightestLevel(verdict.evidence.ratio).epsilon.rational == 1


@given(st.fractions(1, 20, max_denominator=30), st.fractions(1, 20, max_denominator=30))
@settings(max_examples=30)
def test_rational_ratios_and_exponentials_compare_as_numbers_do(x, y):
    """ε of a geometric mechanism at the level 1/x against ε = y: the answer is that of logarithms, which are
    far apart or exact here.
    """
    if x == 1:
        return
    m = geometric(1, Rational(x.denominator, x.numerator))
    verdict = audit(m, neighbours("path:2"), claim=PrivacyClaim(epsilon=Rational(y.numerator, y.denominator)))
    assert verdict.proved == (math.log(x) < y)
    low, high = TightestLevel(verdict.evidence.ratio).epsilon.enclosure(9)
    assert float(low) - 1e-12 <= math.log(x) <= float(high) + 1e-12
    assert high - low == Rational(1, 10**9)


def test_fields_that_have_no_such_level_say_so():
    a = RationalFunctionField().gen
    with pytest.raises(DomainError):
        at_epsilon(Table([[a, 1 - a]]), 1)
    with pytest.raises(ParameterRangeError):
        at_epsilon(Table([[1]]), 0)
    with pytest.raises(InputError):
        PrivacyClaim()
    with pytest.raises(InputError):
        PrivacyClaim(epsilon=1, alpha="1/2")


def test_at_epsilon_keeps_the_numbers():
    m = geometric(2, ExponentialField("1/2").gen)
    finer, level = at_epsilon(m, "1/3")
    assert finer.field.rate == Rational("1/6")
    assert level.alpha == finer.field.gen**2
    for digits in (5, 30):
        assert finer[0, 1].enclosure(digits) == m[0, 1].enclosure(digits)


@given(
    st.sampled_from(["1/2", "1/3", "9/10", "epsilon=1/2"]),
    st.sampled_from(["1/7", "1/4", "1/2", "epsilon=1"]),
    st.integers(2, 3),
    st.sampled_from(["path", "cycle", "complete"]),
)
@settings(max_examples=60)
def test_the_mixing_weight_is_the_least(level, own, n, family):
    m, near = geometric(n, own), neighbours(f"{family}:{n + 1}")
    joined = together(m, PrivacyLevel(level))
    m, at = joined if joined is not None else (m, PrivacyLevel(level))
    weight = mixing_weight(m, near, at)

    def mixed(w):
        return Mechanism([[(1 - w) * x + w / (n + 1) for x in row] for row in m.rows()])

    assert is_private(mixed(weight), near, at).proved
    if weight:
        assert is_private(mixed(weight * Rational("999/1000")), near, at).refuted


def test_wording():
    assert level_text(Rational("1/4")) == "α = 1/4 (ε = ln(4) ≈ 1.386294)"
    assert level_text(ExponentialField("3/2").gen) == "ε = 3/2 (α = e^(−3/2))"
    assert decimal_above(Rational(10**30)) == "1e30"
    assert decimal_above(Rational(1)) == "1"
    x = Rational(10**40 + 1, 3 * 10**39)
    assert float(decimal_above(x)) >= float(x)
    assert "rounded up from" in short_number(Rational(1, 7**60))


def test_text_json_and_exit_codes(tmp_path):
    result = run("audit", "geometric:n=3,alpha=1/4", "--claims-epsilon", "1", "--for", "abs", "--delta", "1/10")
    assert result.exit_code == 1
    for words in ("With input 0 the output is in {0}", "least δ", "15/332", "What would repair it", "level that δ = 1/10 buys"):
        assert words in result.stdout
    folder = tmp_path / "certificates"
    result = run(
        "audit", "geometric:n=3,alpha=1/4", "--claims-alpha", "1/4", "--for", "abs prior=uniform", "--json", "--certificates", str(folder)
    )
    body = json.loads(result.stdout)
    assert (result.exit_code, body["verdict"], body["level"]["alpha"], body["claim_holds"]) == (0, "proved", "1/4", True)
    assert body["consumers"][0]["after_remap"]["gap"] == "0"
    assert all(entry["status"] == "accepted" for entry in body["checker"])
    files = sorted(folder.glob("*.edp.json"))
    assert len(files) == len(body["checker"])
    assert all(check_bytes(path.read_bytes()).status == "accepted" for path in files)


def test_outputs_in_another_order_than_the_inputs(tmp_path):
    """The certificate is of the mechanism as deployed, whose columns are in the order of the guesses."""
    table, folder = tmp_path / "t.csv", tmp_path / "certificates"
    table.write_text(",1,0\n1,2/3,1/3\n0,1/3,2/3\n")
    result = run("audit", str(table), "--graph", "path", "--for", "zero-one", "--json", "--certificates", str(folder))
    body = json.loads(result.stdout)
    assert (result.exit_code, body["verdict"], body["consumers"][0]["deployed"]["gap"]) == (0, "no claim", "0")
    assert [check_bytes(path.read_bytes()).status for path in folder.glob("*.edp.json")] == ["accepted"] * 3


def test_usage_and_bad_input(tmp_path):
    assert run("audit", "geometric:n=3,alpha=1/4", "--claims-epsilon", "1", "--claims-alpha", "1/2").exit_code == 2
    assert run("audit", "geometric:n=3,alpha=1/4", "--claims-epsilon", "0").exit_code == 1  # (0, 0): rows differ
    assert run("audit", "geometric:n=3,alpha=1/4", "--claims-epsilon", "-1").exit_code == 3
    assert run("audit", "geometric:n=3,alpha=1/4", "--claims-epsilon", "1", "--claims-delta", "2").exit_code == 3
    assert run("audit", "nothing.csv", "--graph", "path", "--claims-epsilon", "1").exit_code == 2
    assert run("audit", "geometric:n=3,alpha=1/4", "--for", "abs foo=1").exit_code == 2
    floats = tmp_path / "t.csv"
    floats.write_text("0.1,0.9\n0.3,0.7\n")
    assert run("audit", str(floats), "--graph", "path").exit_code == 0  # decimals are exact decimals
    assert run("audit", str(floats), "--graph", "path", "--dyadic").exit_code == 0  # as doubles the rows are rounded
    assert run("audit", str(floats), "--graph", "path", "--dyadic", "--rounding", "0").exit_code == 1


class Page(HTMLParser):
    """Collects what a page asks a browser to load or run, and checks that tags match."""

    def __init__(self):
        super().__init__()
        self.stack, self.links, self.words = [], [], ""

    def handle_starttag(self, tag, attrs):
        names = dict(attrs)
        self.links += [value for name, value in names.items() if name in {"src", "href", "srcset"}]
        assert not any(name.startswith("on") for name in names)
        assert tag not in {"script", "link", "iframe", "img", "object"}
        if tag not in {"meta", "br", "rect", "path"}:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        if tag not in {"rect", "path"}:
            assert self.stack.pop() == tag

    def handle_data(self, data):
        self.words += data


def parsed(text):
    page = Page()
    page.feed(text)
    page.close()
    assert page.stack == []
    assert page.links == []
    assert not re.search(r"url\(|@import|https?://", text)
    return page


def test_the_page_is_self_contained_and_says_what_the_kernel_said():
    verdict = audit(geometric(3, "1/4"), neighbours("path:4"), claim=PrivacyClaim(epsilon=1), title="<b>table</b> & co")
    page = parsed(audit_page(verdict, notes=["a <note>"]))
    for words in (
        "<b>table</b> & co",
        "a <note>",
        "What the checker verified",
        "The least δ for which the geometric mechanism G(3, 1/4)",
        "▲ the first input",
        "sha256:",
    ):
        assert words in page.words
    assert "cross" not in page.words
    assert "✕" in page.words


def test_two_side_by_side():
    first = audit(mechanism_from_spec("rounded-laplace:n=4,t=1/2"), neighbours("path:5"), title="Laplace")
    second = audit(geometric(4, "1/4"), neighbours("path:5"), title="geometric")
    page = parsed(audit_page(first, second))
    assert "Side by side" in page.words
    assert "largest difference: input 1, output 1" in page.words
    result = run("audit", "rounded-laplace:n=4,t=1/2", "--compare", "geometric:n=4,alpha=1/4", "--json")
    assert json.loads(result.stdout)["compared"]["level"]["alpha"] == "1/4"


def told(command):
    return json.loads(run(*command.split(), "--json").stdout)


def test_t_is_one_number_in_a_report():
    """That of the scope, also where the table has numbers of an ε of its own."""
    asked = "audit geometric:n=2,epsilon=1 --claims-epsilon 1/2 --claims-delta 1/5 --delta 1/10"
    found = told(asked)
    assert found["scope"] == "this instance, t = e^(−1/2)"
    assert set(re.findall('"t": "(.*?)"', json.dumps(found))) == {"exp(-1/2)"}
    assert found["event"]["likely"]["expr"] == "1/(t^2 + 1)"
    assert [repair["action"] for repair in found["repairs"]] == [
        "claim ε = −ln(5*t^2/(-t^2 + 4)) beside δ = 1/5 instead",
        "claim δ = (-t + 1)/(t^2 + 1) beside ε",
    ]


def test_consumers_are_compared_at_a_claimed_level_beside_the_own_one():
    found = told("audit geometric:n=1,epsilon=1 --claims-epsilon 3/2 --for zero-one")["consumers"]
    assert [entry["level"]["epsilon"] for entry in found] == ["1", "3/2"]
    assert [entry["value"]["expr"] for entry in found] == ["t^2/(t^2 + 1)", "t^3/(t^3 + 1)"]


def test_what_t_is_in_a_second_table_is_told():
    asked = "audit geometric:n=2,epsilon=1 --compare exponential:n=2,epsilon=1/3"
    text = run(*asked.split()).stdout
    assert "for       geometric:n=2,epsilon=1 · path:3 · t = e^(−1)\n" in text
    assert "(α = (t^3 + t^2 + t)/(2*t + 1)), t = e^(−1/6)\n" in text
    assert told(asked)["compared"]["scope"] == "this instance, t = e^(−1/6)"
    # where it is the same in both, it is said once
    assert "(α = (t^3 + t^2 + t)/(2*t + 1))\n" in run(*asked.split(), "--claims-epsilon", "1/6").stdout


def test_a_large_mechanism_is_some_hundred_kilobytes():
    text = audit_page(audit(geometric(100, "1/3"), neighbours("path:101")))
    assert 100_000 < len(text) < 700_000
    parsed(text)


def test_pictures_of_odd_shapes():
    assert [path["d"] for path in heat_map(Table([["1/2", "-1/2", "1"]]))["paths"]] == ["M0 0h1v1h-1z", "M2 0h1v1h-1z"]
    assert "No picture" in heat_map(Table([[0] * 401]))
    page = audit_page(audit(Table([["1/401"] * 401] * 2), neighbours("path:2")))
    assert "<p>No picture is drawn above 400 rows or columns.</p>" in page
    verdict = audit(Table([["3/2", "-1/2"], ["1/2", "1/2"]]), neighbours("path:2"), claim=PrivacyClaim(epsilon=1))
    parsed(audit_page(verdict))
    parsed(audit_page(audit(identity(range(3)), neighbours("path:3"), claim=PrivacyClaim(epsilon=1))))
    with pytest.raises(LabelError):
        audit(identity(range(3)), neighbours("path:4"))


def test_a_symbolic_level_is_told_as_far_as_it_goes():
    a = RationalFunctionField().gen
    verdict = audit(geometric(2, a), neighbours("path:3"), claim=PrivacyClaim(epsilon=1))
    assert verdict.evidence.ratio == a
    assert verdict.evidence.claim_holds is None
    assert verdict.decision.value == "undecided"
    parsed(audit_page(verdict))
    fine = geometric(2, ExponentialField(1).gen)
    assert audit(fine, neighbours("path:3"), claim=PrivacyClaim(epsilon="10001/10000", delta="1/100")).proved
    assert audit(fine, neighbours("path:3"), claim=PrivacyClaim(epsilon="9999/10000", delta="1/1000000")).refuted
    assert audit(fine, neighbours("path:3"), claim=PrivacyClaim(epsilon="9999/10000", delta="1/1000")).proved
    assert audit(fine, neighbours("path:3"), claim=PrivacyClaim(epsilon="10001/10000")).proved


@pytest.mark.parametrize("given", [{"alpha": "3/4"}, {"epsilon": "1/4"}])
def test_repairs_speak_as_the_claim_does(given):
    letter = "α" if "alpha" in given else "ε"
    level = {"alpha": "α = 1/2", "epsilon": "ε = ln(2)"}[next(iter(given))]
    found = audit(geometric(2, "1/2"), neighbours("path:3"), claim=PrivacyClaim(**given)).evidence
    actions = [repair.action for repair in found.repairs]
    assert actions[0] == f"claim {level} instead"
    assert actions[1].endswith(f"beside {letter}")


def test_a_long_level_is_claimed_as_a_smaller_one():
    ratio = Rational(10**30 + 1, 3 * 10**30)
    found = audit(geometric(2, ratio), neighbours("path:3"), claim=PrivacyClaim(alpha="3/4")).evidence
    told = re.fullmatch("claim α = (.*) instead", found.repairs[0].action)
    assert Rational(told[1]) < ratio
    assert audit(geometric(2, ratio), neighbours("path:3"), claim=PrivacyClaim(alpha=told[1])).proved


def test_a_whole_probability_has_no_decimal_beside_it():
    done = CliRunner().invoke(main, ["audit", "geometric:n=1,alpha=1/2", "--claims-alpha", "3/4"])
    assert "probability 2/3 (≈ 0.666667)" in done.output
    done = CliRunner().invoke(main, ["audit", "identity:n=1", "--graph", "path:2", "--claims-alpha", "3/4"])
    assert "with probability 1, with the neighbouring input 1 with probability 0" in done.output
