# SPDX-License-Identifier: MIT
"""What values show of themselves in a notebook: HTML, LaTeX, and one line for ``repr``."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from balanced import Balanced
from places import ROOT

from exactdp import (
    BayesianConsumer,
    ExactMatrix,
    Graph,
    Hyper,
    Loss,
    Mechanism,
    Metric,
    MinimaxConsumer,
    Prior,
    Rational,
    Remap,
    Table,
    best_remap,
    certify,
    geometric,
    identity,
    is_derivable,
    is_private,
    is_refined_by,
    kernel_count,
    kernel_counts,
    kernel_mechanisms,
    kernel_mixture,
    neighbours,
    optimum,
    optimum_by_level,
    refinement_order,
    tightest_level,
    type_capacity,
    uniform,
    universal_by_level,
    universally_optimal_mechanism,
    vertex_count,
)
from exactdp.report.registry import headline_of

G = geometric(1, "1/2")
PATH = neighbours("path:2")
MINIMAX = MinimaxConsumer(Loss.absolute(PATH.vertices))


SHOWN = [
    (G, "<td>2/3</td>", r"\frac{2}{3}"),
    (G.matrix, "<td>2/3</td>", r"\frac{2}{3}"),
    (Table([["1/2", "1/3"]]), "<td>1/3</td>", r"\frac{1}{3}"),
    (Remap([[1, 0], [0, 1]]), "<td>1</td>", "0 & 1 & 0"),
    (Loss.absolute(range(2)), "loss abs", "0 & 0 & 1"),
    (Hyper.of(G, Prior.uniform(range(2))), "<th>outer</th>", "outer"),
    (Prior(["1/4", "3/4"], ["no", "yes"]), "<th>yes</th>", r"\frac{3}{4}"),
    (Graph(["a", "b", "c"], [(0, 2)]), "<li>a – c</li>", r"\item a -- c"),
    (Metric(range(2), [(0, 1, "sqrt(2)")]), "d(0, 1) = sqrt(2)", "sqrt(2)"),
    (MINIMAX, "{0, 1}", "minimax"),
    (BayesianConsumer(Loss.zero_one(["a", "b"])), "<th>b</th>", r"\frac{1}{2}"),
    (next(iter(kernel_mechanisms(PATH, "1/2"))), "kernel mechanism", r"\frac{2}{3}"),
    (certify(tightest_level(G, PATH)), "the path on 2 vertices", "sha256"),
    (tightest_level(G, PATH), "proved</b>", r"\textbf{Proved:}"),
    (optimum_by_level(PATH, MINIMAX).evidence, "α/(1 + α)", r"\frac{\alpha}{1 + \alpha}"),
]


def plain(html):
    """HTML without the marks of formulas, each of which is then on one line."""
    return re.sub(r"</?(?:math|m[a-z]+)\b(?: [a-z]+=\"[^\"]*\")*>", "", html)


@pytest.mark.parametrize(("thing", "html", "latex"), SHOWN, ids=lambda x: type(x).__name__)
def test_values_show_themselves(thing, html, latex):
    shown = thing._repr_html_()
    Balanced(shown)
    assert html in plain(shown)
    assert latex in thing._repr_latex_()


@pytest.mark.parametrize("label", ["<b>", "a&b", '"', "{x}", "%"])
def test_labels_cannot_break_out(label):
    labels = [label, "other"]
    for thing in (Mechanism(G.matrix, labels, labels), Graph(labels, [(0, 1)]), Prior(["1/2", "1/2"], labels)):
        Balanced(thing._repr_html_())
        assert "<th><b>" not in thing._repr_html_()


def test_what_is_shown_is_no_formula_for_a_notebook():
    mechanism = Mechanism(G.matrix, ["$5", "$10"], ["$5", "$10"])
    for thing in (mechanism, tightest_level(mechanism, Graph(["$5", "$10"], [(0, 1)]))):
        assert thing._repr_html_().startswith('<div class="mathjax_ignore tex2jax_ignore">')
        assert thing._repr_html_().endswith("</div>")


@pytest.mark.parametrize("size", [12, 13, 100])
def test_a_large_mechanism_is_cut_and_says_its_size(size):
    shown = uniform(range(size))._repr_html_()
    assert (f"({size}×{size}, cut)" in shown) is (size > 12)
    assert shown.count("<tr>") == min(size, 12) + 1


def test_a_consumer_of_thousands_is_shown_without_its_table():
    shown = MinimaxConsumer(Loss.absolute(range(5000)))._repr_html_()
    assert "abs on 5000 inputs" in shown
    assert "<table" not in shown


@pytest.mark.parametrize(
    ("ask", "witness"),
    [
        (lambda: tightest_level(G, PATH), "tight"),
        (lambda: is_private(identity(range(2)), PATH, "1/2"), "violated"),
        (lambda: optimum(PATH, "1/2", MINIMAX), "dual"),
        (lambda: best_remap(G, MINIMAX), "weights"),
        (lambda: is_derivable(uniform(range(2)), source=G), "remap"),
        (lambda: is_derivable(identity(range(2)), source=G), "separator"),
        (lambda: is_refined_by(G, uniform(range(2))), "remap"),
        (lambda: optimum_by_level(PATH, MINIMAX), "pieces"),
    ],
)
def test_the_repr_of_a_verdict_is_a_line_with_its_witness(ask, witness):
    verdict = ask()
    line = repr(verdict)
    assert line.startswith(f"<Verdict {verdict.decision.name}: {headline_of(verdict).text}")
    assert line.endswith(f" · witness: evidence.{witness}>")
    assert "\n" not in line
    assert len(line) < 200
    assert getattr(verdict.evidence, witness)


SMALL, LARGE = range(12), range(13)


@pytest.mark.parametrize(
    "make",
    [
        uniform,
        lambda labels: uniform(labels).matrix,
        lambda labels: uniform(labels).as_table(),
        Loss.zero_one,
        Prior.uniform,
        lambda labels: Graph.path(len(labels)),
        lambda labels: Graph.path(len(labels)).metric(),
        lambda labels: MinimaxConsumer(Loss.absolute(labels)),
        lambda labels: BayesianConsumer(Loss.absolute(labels)),
    ],
)
def test_the_repr_of_a_small_value_is_all_of_it_and_that_of_a_large_one_a_line(make):
    small, large = repr(make(SMALL)), repr(make(LARGE))
    name = type(make(SMALL)).__name__
    assert small.startswith(f"{name}(")
    assert large.startswith(f"<{name} ")
    assert len(large) < 120


def test_the_repr_of_a_mechanism_can_be_read_back():
    for thing in (G, PATH, Prior(["1/4", "3/4"], ["a", "b"]), Table([["1/2"]], ["a"], ["b"])):
        names = {kind.__name__: kind for kind in (Mechanism, ExactMatrix, Graph, Prior, Table)} | {"Rational": Rational}
        again = eval(repr(thing), names)
        assert repr(again) == repr(thing)


def test_the_repr_of_thousands_multiplies_nothing_out():
    loss = Loss.absolute(range(5000))
    assert repr(loss) == "<Loss abs 5000×5000>"
    assert loss._matrix is None


def test_the_repr_of_a_certificate_is_a_line():
    certificate = certify(tightest_level(G, PATH))
    assert repr(certificate) == f"<Certificate of kind level, {certificate.digest[:19]}…>"


@pytest.mark.parametrize(
    ("ask", "cells"),
    [
        (lambda path: vertex_count(path, "1/2"), ("<th>0</th><th>1</th><th>2</th>", "<td>4/7</td><td>2/7</td><td>1/7</td>")),
        (lambda path: kernel_count(path, "1/2"), ("<th>posteriors</th>", "<td>{v0, v2}</td>")),
        (lambda path: kernel_counts(neighbours("path:5")), ("<td>a = 1/2</td><td>187</td>",)),
        (lambda path: type_capacity(path, "1/2"), ("<td>2/3</td>",)),
        (lambda path: universal_by_level(neighbours("star:4"), Loss.zero_one(range(4))), ("<td>(0, 1/2)</td><td>yes</td><td>tree</td>",)),
        (lambda path: universally_optimal_mechanism(path, "1/2", Loss.zero_one(path.vertices)), ("<td>2/3</td>",)),
        (lambda path: kernel_mixture(uniform(path.vertices), path, "1/2"), ("<th>weight</th>", "<td>1/5</td>")),
        (lambda path: refinement_order({"G": geometric(2, "1/2"), "U": uniform(path.vertices)}), ("<td>G</td><td>U</td>",)),
    ],
)
def test_privacy_types_have_tables(ask, cells):
    shown = plain(ask(neighbours("path:3"))._repr_html_())
    Balanced(shown)
    for cell in cells:
        assert cell in shown


def test_importing_loads_nothing_that_shows():
    """A notebook pays for displays when it shows something."""
    code = "import sys, exactdp; exactdp.geometric(1, '1/2'); print([m for m in ('jinja2', 'matplotlib', 'IPython') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_every_class_that_shows_itself_can():
    """No subclass is without a display: the mixin promises one."""
    from exactdp.analysis.verdict import Verdict
    from exactdp.display import Displayed
    from exactdp.report.display import _ITEMS, _TITLES

    known = {kind.__name__ for kind in (*_ITEMS, *_TITLES, Verdict)}

    def below(kind):
        for other in kind.__subclasses__():
            yield other
            yield from below(other)

    leaves = {kind for kind in below(Displayed) if kind.__module__.startswith("exactdp.") and not kind.__subclasses__()}
    # a dataclass with slots is made of another class, which no module knows, and which Python keeps
    leaves = {kind for kind in leaves if getattr(sys.modules[kind.__module__], kind.__name__, None) is kind}
    assert any(issubclass(kind, ExactMatrix) for kind in leaves)
    assert [kind for kind in leaves if not known & {base.__name__ for base in kind.__mro__}] == []


def test_the_letter_of_an_epsilon_is_explained_wherever_it_is_shown():
    m = geometric(1, epsilon="1/2")
    prior = Prior(m.matrix.row(0))
    for thing in (m, m.matrix, prior):
        assert "t = e^(−1/2)" in repr(thing)
        assert "t = e^(−1/2)" in re.sub("<[^>]*>", "", thing._repr_html_())
    assert repr(m[0, 0]) == "ExponentialNumber('1/(t + 1)', t = e^(−1/2))"
    assert repr(m[0, 0] - m[0, 0]) == "ExponentialNumber('0')"
    assert repr(geometric(1, "a")[0, 0]) == "RationalFunction('1/(a + 1)')"
