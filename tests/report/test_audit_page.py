# SPDX-License-Identifier: MIT
"""The page of an audit in a headless browser, at desktop and phone width: nothing is wider than the window.
Skipped without Chromium.
"""

from __future__ import annotations

import pytest
from browser import BROWSER, told_by

from exactdp import Loss, MinimaxConsumer, Table, geometric, neighbours
from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.mechanisms.words import mechanism_from_spec
from exactdp.report.audit_page import audit_page

pytestmark = pytest.mark.skipif(BROWSER is None, reason="oracle missing: no Chromium")

LOOK = """
  const d = f.contentDocument, inside = e => e.closest(".scroll");
  const right = e => e.getBoundingClientRect().right;
  const wide = [...d.querySelectorAll("body *")].filter(e => !inside(e) && right(e) > f.clientWidth + 1);
  const drawn = d.querySelectorAll("svg path").length;
  return [f.dataset.name, f.clientWidth, d.documentElement.scrollWidth, wide.length, drawn].join(":");
"""


def pages():
    claim, path = PrivacyClaim(epsilon=1), neighbours("path:6")
    consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    laplace = audit(mechanism_from_spec("rounded-laplace:n=5,t=1/2"), path, consumers=[consumer], title="rounded-laplace:n=5,t=1/2")
    opendp = mechanism_from_spec("opendp-geometric:scale=1,lower=0,upper=5")
    broken = Table([["0.1", "0.7"], ["1/3", "2/3"]], ["a-long-label-of-an-input", "b"], ["x" * 60, "y"])
    graph = neighbours("path:2")
    yield "opendp", audit_page(audit(opendp, path, claim=claim, consumers=[consumer], title="opendp"))
    yield "pair", audit_page(laplace, audit(geometric(5, "1/4"), path, consumers=[consumer], title="geometric"))
    yield "large", audit_page(audit(geometric(100, "1/3"), neighbours("path:101"), title="101 × 101"))
    yield "broken", audit_page(audit(Table(broken.matrix, graph.vertices, broken.outputs), graph, claim=claim, title="a/b" * 40))


def test_nothing_overflows_at_two_widths(tmp_path):
    results = [entry.split(":") for entry in told_by(LOOK, dict(pages()), widths=(1280, 375), folder=tmp_path)]
    assert len(results) == 8
    for name, width, scroll, wide, drawn in results:
        assert int(scroll) <= int(width), (name, width, scroll)
        assert int(wide) == 0, (name, width, wide)
        assert int(drawn) > 1, name
