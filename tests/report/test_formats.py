"""Text, LaTeX, HTML and JSON of verdicts, tables and certificates: complete, escaped, truncated, exact."""

from __future__ import annotations

import ast
import json
from html.parser import HTMLParser

import pytest
from markupsafe import escape
from places import CORPUS, ROOT

from exactdp import (
    ExactMatrix,
    Loss,
    Mechanism,
    MinimaxConsumer,
    PrivacyLevel,
    Table,
    best_remap,
    certify,
    geometric,
    identity,
    is_best_remap,
    is_derivable,
    is_optimal,
    is_optimal_after_remap,
    is_optimum_unique,
    is_private,
    is_remap_unique,
    is_stochastic,
    multi_level_release,
    neighbours,
    optimum,
    tightest_level,
    uniform,
)
from exactdp.exact import AlgebraicNumber, ExponentialField, RationalFunctionField, SymbolField
from exactdp.exact.number_field import NumberField
from exactdp.report.certificates import certificate_items
from exactdp.report.html import items_html, page, verdict_html
from exactdp.report.items import Fact, grid_of, visible
from exactdp.report.latex import grid_latex, items_latex, number_latex, text_latex, verdict_latex
from exactdp.report.registry import headline_of, verdict_json
from exactdp.report.text import grid_lines, items_text, verdict_text

G, PATH, LEVEL = geometric(3, "1/4"), neighbours("path:4"), PrivacyLevel("1/4")
WHO = MinimaxConsumer(Loss.absolute(G.inputs))

VERDICTS = {
    "stochastic": lambda: is_stochastic(Table([["1/2", "1/3"], ["-1/2", "3/2"]])),
    "level": lambda: tightest_level(G, PATH),
    "private": lambda: is_private(G, PATH, LEVEL),
    "not-private": lambda: is_private(identity(range(4)), PATH, LEVEL),
    "derivable": lambda: is_derivable(uniform(range(4)), source=G),
    "not-derivable": lambda: is_derivable(identity(range(4)), source=G),
    "optimum": lambda: optimum(PATH, LEVEL, WHO),
    "cycle": lambda: optimum(neighbours("cycle:5"), LEVEL, MinimaxConsumer(Loss.zero_one(range(5)))),
    "not-optimal": lambda: is_optimal(G, PATH, LEVEL, WHO),
    "after-remap": lambda: is_optimal_after_remap(G, PATH, LEVEL, WHO),
    "remap": lambda: best_remap(G, WHO),
    "given-remap": lambda: is_best_remap(G, WHO, best_remap(G, WHO).evidence.remap),
    "unique": lambda: is_optimum_unique(PATH, LEVEL, WHO),
    "unique-remap": lambda: is_remap_unique(G, WHO),
    "release": lambda: multi_level_release(2, [PrivacyLevel("1/4"), PrivacyLevel("1/2")]),
}


@pytest.fixture(params=VERDICTS)
def verdict(request):
    return VERDICTS[request.param]()


class Balance(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in {"meta"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def assert_balanced(html):
    parser = Balance()
    parser.feed(html)
    assert parser.open == []


def test_every_verdict_in_every_format(verdict):
    text = verdict_text(verdict)
    first, *rest = text.splitlines()
    assert first == f"{verdict.decision.value.upper()}  {headline_of(verdict).text}"
    assert rest, "no facts"
    assert "Evidence(" not in text
    assert "None" not in text
    told = verdict_text(verdict, full=True, approx=True).splitlines()
    assert f"claim {verdict.claim}".split() in [line.split() for line in told]
    assert ["scope", "this", "instance"] in [line.split() for line in told]

    latex = verdict_latex(verdict)
    assert latex.count(r"\begin{") == latex.count(r"\end{")
    assert latex.count("{") - latex.count(r"\{") == latex.count("}") - latex.count(r"\}")
    latex.encode("ascii", "strict")

    html = verdict_html(verdict)
    assert_balanced(html)
    assert verdict.decision.value in html
    assert html.index(str(escape(headline_of(verdict).text))) < html.index(str(escape(verdict.claim)))

    body = json.loads(json.dumps(verdict_json(verdict, "c.json")))
    assert body["verdict"] == verdict.decision.value
    assert (body["claim"], body["scope"], body["certificate"]) == (verdict.claim, "this instance", "c.json")
    assert_no_floats(body)


def assert_no_floats(value):
    assert not isinstance(value, float)
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            assert_no_floats(inner)


def test_every_certificate_can_be_shown(verdict):
    data = json.loads(certify(verdict).to_json())
    items = certificate_items(data)
    assert items[0] == Fact("claim", data["claim"]["kind"])
    assert items[-1] == Fact("digest", data["digest"])
    assert items_text(items)
    assert_balanced(items_html(items))
    latex = items_latex(items)
    assert latex.isascii()
    assert latex.count(r"\begin{") == latex.count(r"\end{")


def certificates_by_kind():
    """The shortest certificate of each kind among those of the papers and the corpus."""
    found = {}
    for path in (*(ROOT / "proofs").rglob("*.edp.json"), *(CORPUS / "accept").glob("*.edp.json")):
        text = path.read_text(encoding="utf-8")
        kind = json.loads(text)["claim"]["kind"]
        found[kind] = min(found.get(kind, text), text, key=len)
    return found


BY_KIND = certificates_by_kind()


@pytest.mark.parametrize("kind", sorted(BY_KIND))
def test_every_kind_of_certificate_can_be_shown(kind):
    """Nineteen kinds could not: their claims have words, or name no mechanism."""
    items = certificate_items(json.loads(BY_KIND[kind]))
    assert items[0] == Fact("claim", kind)
    assert items_text(items, full=True)
    assert items_latex(items)
    assert_balanced(items_html(items))


def test_the_text_of_a_small_verdict_word_for_word():
    assert verdict_text(is_private(identity(range(2)), neighbours("path:2"), PrivacyLevel("1/2"))) == "\n".join(
        [
            "REFUTED  no finite ε (tightest level α = 0), so not private at α = 1/2",
            "for      path:2 · α = 1/2 (ε = ln(2) ≈ 0.6931472)",
            "",
            "level asked     1/2",
            "  its ε         ln(2) ≈ 0.6931472",
            "tightest level  0",
            "  its ε         ∞",
            "violated        2",
            "                  x[1][0] / x[0][0] = 0 < 1/2",
            "                  x[0][1] / x[1][1] = 0 < 1/2",
        ]
    )


def test_large_tables_are_cut_with_dots_in_every_format():
    big = grid_of("big", geometric(20, "1/2"))
    assert visible(21) == [*range(10), None, 20]
    lines = grid_lines(big)
    assert "21×21" in "\n".join(lines)
    assert "…" in lines[0]
    assert max(map(len, lines)) <= 118
    assert grid_latex(big).count(r"\\") == 12
    assert items_html([big]).count("<tr>") == 13
    full = grid_lines(big, full=True)
    assert len(full) == 22
    assert "…" not in "".join(full)


def test_rounded_entries_are_marked():
    third = Mechanism([[f"{10**20}/{3 * 10**20 + 1}", f"{2 * 10**20 + 1}/{3 * 10**20 + 1}"]] * 2)
    lines = grid_lines(grid_of("", third))
    assert lines[1].split() == ["0", "≈0.333333", "≈0.666667"]
    assert "rounded" in lines[-1]
    assert str(third[0, 0]) in grid_lines(grid_of("", third), full=True)[1]
    assert r"\frac" in grid_latex(grid_of("", third))


def test_labels_are_escaped():
    nasty = Table([["1/2", "1/2"]], ["<b>&amp;"], ["50%_$", r"\input{x}"])
    html = items_html([grid_of("<script>", nasty)])
    assert "<b>" not in html
    assert "<script>" not in html
    latex = grid_latex(grid_of("", nasty))
    assert r"\input" not in latex
    assert r"50\%\_\$" in latex
    assert text_latex("x < y") == "x $<$ y"
    assert_balanced(page("<title>", html))


def test_plain_matrices_have_numbered_labels():
    assert grid_lines(grid_of("", ExactMatrix([["1/2"]]))) == ["       0", "  0  1/2"]


def texts_of_the_package():
    """Every text of the package's own, beside docstrings and what only HTML shows."""
    for file in sorted((ROOT / "exactdp").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        if file.parent.name != "plot" and file.name not in {"audit_page.py", "html.py", "latex.py", "mathml.py", "cells.py"}:
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in loose:
                    yield file, node.value.replace("\ufeff", "")


def test_latex_has_a_command_for_every_character_that_we_write():
    strange = {(file.name, char) for file, text in texts_of_the_package() for char in text_latex(text) if not char.isascii()}
    assert strange == set()
    assert text_latex("Φ·z ≥ δ for all λ ∈ ℚ") == r"$\Phi$$\cdot$z $\ge$ $\delta$ for all $\lambda$ $\in$ $\mathbf{Q}$"


def test_numbers_of_every_field_are_latex():
    root = NumberField(AlgebraicNumber([-1, 0, 2], 0, 1)).gen
    a, x = SymbolField(["a", "x"]).gens
    assert number_latex(root / 2 + 1) == r"\frac{a + 2}{2}"
    assert number_latex((1 - a) / x) == r"\frac{1 - a}{x}"
    assert number_latex(RationalFunctionField()("1/2")) == number_latex(ExponentialField(1)("1/2")) == r"\frac{1}{2}"
