"""Wherever the letter t of a level given as ε is printed, it is said what t is: in every format."""

from __future__ import annotations

import json
import re

import pytest

import exactdp as xdp
from exactdp.analysis import approximate, composition
from exactdp.certificate import certify
from exactdp.errors import CertificateError
from exactdp.report.certificates import certificate_items
from exactdp.report.html import verdict_html
from exactdp.report.latex import verdict_latex
from exactdp.report.registry import verdict_json
from exactdp.report.text import items_text, verdict_text

HALF = xdp.PrivacyLevel(epsilon="1/2")
PATH, PLANE = xdp.neighbours("path:3"), xdp.neighbours("euclid:2x2")
G = xdp.geometric(n=2, epsilon="1/2")
MEAN = xdp.MinimaxConsumer(xdp.Loss.absolute(PATH.vertices))
COIN = xdp.randomized_response(["no", "yes"], epsilon="1/2")
PAIR = xdp.neighbours("complete:2").relabelled(COIN.inputs)

ANSWERS = {
    "tightest level": lambda: xdp.tightest_level(G, PATH),
    "private": lambda: xdp.is_private(G, PATH, HALF),
    "not private": lambda: xdp.is_private(xdp.identity(2), PATH, HALF),
    "not private, rational": lambda: xdp.is_private(xdp.geometric(2, "1/4"), PATH, HALF),
    "optimum": lambda: xdp.optimum(PATH, HALF, MEAN),
    "optimum in the plane": lambda: xdp.optimum(
        PLANE, xdp.level_for(PLANE, 1), xdp.BayesianConsumer(xdp.Loss.zero_one(PLANE.vertices), xdp.Prior.uniform(PLANE.vertices))
    ),
    "optimal": lambda: xdp.is_optimal(G, PATH, HALF, MEAN),
    "optimal after a remap": lambda: xdp.is_optimal_after_remap(G, PATH, HALF, MEAN),
    "best remap": lambda: xdp.best_remap(G, MEAN),
    "derivable": lambda: xdp.is_derivable(xdp.geometric(2, epsilon="1/4"), source=xdp.geometric(2, epsilon=HALF.epsilon)),
    "tight": lambda: xdp.tight_mechanism(xdp.neighbours("cycle:5"), HALF),
    "no tight mechanism": lambda: xdp.tight_mechanism(xdp.neighbours("star:4"), HALF),
    "regular": lambda: xdp.is_regular(PATH, HALF, xdp.Prior(["1/2", "1/4", "1/4"])),
    "release": lambda: composition.multi_level_release(2, [xdp.PrivacyLevel(epsilon=1), HALF]),
    "sequential": lambda: composition.sequential_level([COIN, COIN], PAIR),
    "delta": lambda: approximate.least_delta(xdp.geometric(1, "1/4"), xdp.neighbours("path:2"), HALF),
    "delta for": lambda: approximate.level_for_delta(COIN, PAIR, "1/10"),
    "audit": lambda: xdp.audit(xdp.geometric(1, "1/4"), xdp.neighbours("path:2"), claim=xdp.PrivacyClaim(epsilon="1/2")),
}


def letters(text):
    """The letters t, t2, … that stand in a text as numbers do."""
    return set(re.findall(r"(?<![A-Za-z\\])t[0-9]*(?![A-Za-z0-9]| =)", text))


@pytest.mark.parametrize("name", ANSWERS)
def test_every_letter_is_explained_in_every_format(name):
    verdict = ANSWERS[name]()
    formats = {
        "text": verdict_text(verdict),
        "html": re.sub(r"<[^>]*>", " ", re.sub(r"</?(sup|span)[^>]*>", "", verdict_html(verdict))),
        "str": str(verdict),
        "repr": repr(verdict),
        "json": json.dumps(verdict_json(verdict), ensure_ascii=False),
    }
    for kind, text in formats.items():
        plain = text.replace("T_2", "").replace("·T", "")
        for letter in letters(plain):
            assert f"{letter} = e^(−" in text, (kind, letter, text)
        assert "exp(" not in re.sub(r'"t[0-9]*": "exp\(.*?\)"', "", text), (kind, text)
    latex = verdict_latex(verdict)
    for letter in letters(latex):
        assert f"{letter} = $e^{{-" in latex


@pytest.mark.parametrize("name", ANSWERS)
def test_a_shown_certificate_explains_its_letters(name):
    verdict = ANSWERS[name]()
    try:
        data = json.loads(certify(verdict).to_json())
    except (CertificateError, TypeError):
        return  # this answer has no certificate of one piece
    text = items_text(certificate_items(data), full=True)
    if letters(text):
        assert re.search(r"^t[0-9]* +e\^\(−", text, re.MULTILINE), text


@pytest.mark.parametrize("thing", [G, G.matrix, COIN], ids=["mechanism", "matrix", "labelled"])
def test_a_table_alone_explains_its_letters(thing):
    assert "t = e^(−1/2)" in str(thing)
    assert "t = e^(−1/2)" in re.sub("<[^>]*>", "", thing._repr_html_()) or not hasattr(thing, "inputs")
    assert "t = e^{" in thing._repr_latex_()
