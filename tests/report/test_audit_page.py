# SPDX-License-Identifier: MIT
"""The page of an audit in a headless browser, at desktop and phone width: nothing is wider than the window.
Skipped without Chromium.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from html import escape

import pytest

from exactdp import Loss, MinimaxConsumer, Table, geometric, neighbours
from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.mechanisms.words import mechanism_from_spec
from exactdp.report.audit_page import audit_page

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium")

HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body>{frames}<p id="out"></p><script>
addEventListener("load", () => {{ document.getElementById("out").textContent = [...document.querySelectorAll("iframe")].map(f => {{
  const d = f.contentDocument, inside = e => e.closest(".scroll");
  const right = e => e.getBoundingClientRect().right;
  const wide = [...d.querySelectorAll("body *")].filter(e => !inside(e) && right(e) > f.clientWidth + 1);
  const drawn = d.querySelectorAll("svg path").length;
  return [f.dataset.name, f.clientWidth, d.documentElement.scrollWidth, wide.length, drawn].join(":"); }}).join(";"); }});
</script>"""


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
    frames = "".join(
        f'<iframe data-name="{name}" width="{width}" height="900" style="border:0" srcdoc="{escape(page)}"></iframe>'
        for name, page in pages()
        for width in (1280, 375)
    )
    file = tmp_path / "harness.html"
    file.write_text(HARNESS.format(frames=frames), encoding="utf-8")
    words = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--virtual-time-budget=20000",
    ]
    done = subprocess.run([*words, "--dump-dom", file.as_uri()], capture_output=True, text=True, check=False, timeout=120)
    found = re.search(r'<p id="out">([^<]*)</p>', done.stdout)
    if found is None or not found[1]:
        pytest.skip(f"the browser did not run: {done.stderr[-300:]}")
    results = [entry.split(":") for entry in found[1].split(";")]
    assert len(results) == 8
    for name, width, scroll, wide, drawn in results:
        assert int(scroll) <= int(width), (name, width, scroll)
        assert int(wide) == 0, (name, width, wide)
        assert int(drawn) > 1, name
