# SPDX-License-Identifier: MIT
"""Pictures: what is drawn is what was found, and ``.plot()`` shows once."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

pytest.importorskip("matplotlib")

from exactdp import (
    Graph,
    Loss,
    Mechanism,
    MinimaxConsumer,
    Prior,
    PrivacyClaim,
    PrivacyLevel,
    RationalFunctionField,
    Table,
    audit,
    geometric,
    identity,
    is_optimal_by_level,
    is_private,
    is_regular,
    is_stochastic,
    kernel_count,
    kernel_counts,
    least_delta,
    level_for_delta,
    neighbours,
    optimum,
    optimum_by_level,
    private_levels,
    refinement_order,
    tight_levels,
    tightest_level,
    uniform,
    universal_by_level,
    vertex_count,
)
from exactdp.errors import InputError
from exactdp.model.small_graphs import connected_graphs
from exactdp.report.plot import Picture, heat_map, value_by_level
from exactdp.report.plot.figure import BLUE, RED
from exactdp.report.plot.graph_plots import _places
from exactdp.report.registry import headline_of

PATH = neighbours("path:4")
G = geometric(3, "1/2")
SQUARED = MinimaxConsumer(Loss.squared(PATH.vertices))
a = RationalFunctionField().gen
CYCLE = neighbours("cycle:4")

THINGS = {
    "mechanism": lambda: G,
    "large": lambda: geometric(40, "1/2"),
    "matrix": lambda: G.matrix,
    "table": lambda: Table([["1/2", "1/3"]], ["$x$"], ["_", "^"]),
    "loss": lambda: Loss.absolute(range(3)),
    "prior": lambda: Prior(["1/2", "1/4", "1/4"]),
    "graph": lambda: neighbours("star:5"),
    "one vertex": lambda: Graph(["a"], []),
    "apart": lambda: Graph(range(4), [(0, 1), (2, 3)]),
    "no edges": lambda: Graph(range(3), []),
    "metric": lambda: neighbours("euclid:2x3"),
    "private": lambda: is_private(G, PATH, "1/2"),
    "not private": lambda: is_private(G, PATH, "3/4"),
    "private at no level": lambda: tightest_level(identity(PATH.vertices), PATH),
    "private at every level": lambda: tightest_level(uniform(PATH.vertices), PATH),
    "optimum": lambda: optimum(PATH, "1/2", SQUARED),
    "by level": lambda: optimum_by_level(PATH, SQUARED),
    "optimal by level": lambda: is_optimal_by_level(geometric(3, a), PATH, SQUARED),
    "tight levels": lambda: tight_levels(neighbours("star:4")),
    "private levels": lambda: private_levels(Table([[1 - a * a, a * a], [a * a, 1 - a * a]]), neighbours("path:2"), PrivacyLevel(a)),
    "no levels": lambda: private_levels(Table([[a, 1 - a], [1 - a * a, a * a]]), neighbours("path:2"), PrivacyLevel("99/100")),
    "universal levels": lambda: universal_by_level(neighbours("star:4"), Loss.zero_one(range(4))),
    "kernel counts": lambda: kernel_counts(neighbours("path:4")),
    "vertices": lambda: vertex_count(neighbours("path:3"), "1/2"),
    "kernels": lambda: kernel_count(neighbours("complete:3"), "1/2"),
    "delta": lambda: least_delta(G, PATH, "3/4"),
    "delta of the identity": lambda: least_delta(identity(PATH.vertices), PATH, "3/4"),
    "level for delta": lambda: level_for_delta(G, PATH, "1/10"),
    "level for delta 0": lambda: level_for_delta(identity(PATH.vertices), PATH, 0),
    "refinement": lambda: refinement_order({"G": G, "nothing": uniform(PATH.vertices), "again": G}),
    "incomparable": lambda: refinement_order({"a": Mechanism([[1, 0], [1, 0], [0, 1]]), "b": Mechanism([[1, 0], [0, 1], [0, 1]])}),
    "regular": lambda: is_regular(neighbours("path:3"), "1/2", Prior(["1/2", "1/4", "1/4"])),
    "regular on five": lambda: is_regular(neighbours("path:5"), "1/2", Prior.uniform(range(5))),
    "audit": lambda: audit(G, PATH, claim=PrivacyClaim(epsilon="1/2")),
    "over epsilon": lambda: tightest_level(geometric(3, PrivacyLevel.from_epsilon(1)), PATH),
}


def texts(picture):
    """Everything that is written in a picture."""
    found = []
    for ax in picture.axes:
        found += [t.get_text() for t in (*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label)]
        found += [t.get_text() for t in (ax.get_legend().get_texts() if ax.get_legend() else ())]
    return found


@pytest.fixture(autouse=True)
def _no_figure_stays_open():
    """Pyplot keeps its figures, and warns of more than twenty."""
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.mark.mostly_slow(6)
@pytest.mark.parametrize("name", THINGS)
def test_it_is_a_picture_of_its_own(name):
    """A figure with an SVG of its own and something on it, the current one of a pyplot that was imported."""
    from matplotlib import pyplot

    thing = THINGS[name]()
    picture = thing.plot()
    assert isinstance(picture, Picture)
    assert pyplot.gcf() is picture
    pyplot.close(picture)
    svg = picture._repr_svg_()
    root = ElementTree.fromstring(svg[svg.index("<svg") :])
    assert root.tag.endswith("svg")
    assert svg.count("<path") + svg.count("<image") > 2
    if hasattr(thing, "claim"):
        written = " ".join(picture.axes[0].get_title().split())
        assert written.startswith(f"{thing.decision.name}: {headline_of(thing).text[:40]}")


def test_axes_that_are_given_are_drawn_on_and_returned():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert G.plot(ax=ax) is ax
    assert [t.get_text() for t in ax.texts][:3] == ["2/3", "1/6", "1/12"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("output", "input")
    assert list(heat_map(geometric(20, "1/2"), ax=Figure().add_subplot()).texts) == []


def test_the_broken_pair_is_marked_with_its_ratio():
    m = Mechanism([["1/2", "1/2"], ["1/2", "1/2"], ["1/8", "7/8"]])
    near = neighbours("path:3")
    verdict = is_private(m, near, "1/2")
    picture = verdict.plot()
    broken = [line for line in picture.axes[0].lines if line.get_color() == RED]
    assert [sorted(line.get_xdata()) for line in broken] == [[1, 2]]  # a path is drawn at 0, 1, 2
    assert "x[2][0] / x[1][0] = 1/4" in texts(picture)
    assert "broken at level α = 1/2: 1 of 2 pairs" in texts(picture)


@settings(max_examples=20)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4)), min_size=3, max_size=4), st.sampled_from(["1/2", "3/4"])
)
def test_the_entries_that_a_line_joins_are_tight_or_broken(rows, level):
    """Each line of the table joins two entries of a column; their ratio is the level, or below it."""
    table = Mechanism([[f"{x}/{sum(row)}" for x in row] for row in rows])
    verdict = is_private(table, f"path:{len(rows)}", level)
    [ax] = verdict.plot(table=True).axes
    drawn = [(line.get_color(), round(line.get_xdata()[0]), *sorted(map(int, line.get_ydata()))) for line in ax.lines]
    at = verdict.evidence.tightest.value if verdict.evidence.level is None else verdict.evidence.level.alpha
    for column in range(3):
        for i in range(len(rows) - 1):
            x, y = table.matrix[i, column], table.matrix[i + 1, column]
            ratio = min(x / y, y / x)
            assert drawn.count((RED, column, i, i + 1)) == (ratio < at)
            assert drawn.count((BLUE, column, i, i + 1)) == (ratio == at)
    assert len({(line.get_xdata()[0], *sorted(line.get_ydata())) for line in ax.lines}) == len(ax.lines)


def test_the_lines_of_a_column_do_not_cover_each_other():
    """Inputs that are not one below the other: each line has a place of its own where two would meet."""
    verdict = is_private(Mechanism([["1/2", "1/2"], ["1/2", "1/2"], ["1/8", "7/8"]]), "complete", "1/2")
    spans = [(line.get_xdata()[0], *sorted(line.get_ydata())) for line in verdict.plot(table=True).axes[0].lines]
    assert len(spans) == 2
    assert not any(x == u and low < top and bottom < high for k, (x, low, high) in enumerate(spans) for u, bottom, top in spans[:k])


def test_the_lines_are_drawn_on_axes_that_are_given():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert is_private(G, PATH, "1/2").plot(ax=ax, table=True) is ax
    assert len(ax.lines) == 12
    assert ax.get_legend().get_texts()[0].get_text() == "tight at level α = 1/2: 12 pairs of entries"


def test_the_posteriors_are_in_the_polygon():
    """The posteriors of the geometric mechanism are vertices."""
    from exactdp import posteriors

    [ax] = vertex_count("path:3", "1/2").plot().axes
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if line.get_marker() == "o"]
    assert len(dots) == 4
    for _, _, (_, b, c) in posteriors(geometric(2, "1/2"), Prior.uniform(range(3))):
        place = (float(b + c / 2), float(c) * math.sqrt(3) / 2)
        assert min(math.dist(place, dot) for dot in dots) < 1e-6


@pytest.mark.parametrize("name", ["path:3", "complete:3"])
def test_a_kernel_mechanism_is_drawn_around_the_uniform_prior(name):
    """Its corners are vertices, and their mean, with the weights of its outputs, is the uniform prior."""
    verdict = kernel_count(name, "1/2")
    [ax] = verdict.plot().axes
    thick = [line for line in ax.lines if line.get_linewidth() == 2.5]
    assert len(thick) == len(verdict.evidence.classes)
    for line, kernel in zip(thick, verdict.evidence.kernels(), strict=True):
        corners = {(round(x, 6), round(y, 6)) for x, y in zip(*line.get_data(), strict=True)}
        places = [(float(b + c / 2), float(c) * math.sqrt(3) / 2) for _, b, c in (kernel.polytope.vertex(k) for k in kernel.support)]
        assert {(round(x, 6), round(y, 6)) for x, y in places} == corners
        mean = [sum(float(w) * p[axis] for w, p in zip(kernel.outer, places, strict=True)) for axis in range(2)]
        assert mean == pytest.approx([1 / 2, math.sqrt(3) / 6])
        assert f"kernel mechanism {', '.join(f'v{k}' for k in kernel.support)}" in line.get_label()


def test_the_curve_goes_through_the_optimum():
    """At ε of a rational level the curve has the value that a single question gives."""
    verdict = optimum_by_level(PATH, SQUARED)
    for by, place in (("epsilon", lambda x: -math.log(x)), ("alpha", float)):
        [ax] = verdict.plot(by=by).axes
        curve = ax.lines[0]
        xs, ys = curve.get_xdata(), curve.get_ydata()
        for level in (0.25, 0.5, 0.75):
            nearest = min(range(len(xs)), key=lambda k: abs(xs[k] - place(level)))
            value = optimum(PATH, f"{round(level * 4)}/4", SQUARED).evidence.value
            assert abs(ys[nearest] - float(value)) < 0.03
        ends = sorted(line.get_xdata()[0] for line in ax.lines[1:])
        assert ends == pytest.approx(sorted(place(x) for x in (0.2**0.5, 0.2 ** (1 / 3))))  # 5a²=1 and 5a³=1
    assert ax.get_xlabel() == "level α"


def test_delta_is_zero_from_the_tightest_level_on():
    [ax] = least_delta(G, PATH, "3/4").plot().axes
    xs, ys = ax.lines[0].get_data()
    assert all((y > 0) == (x < math.log(2)) for x, y in zip(xs, ys, strict=True))
    assert (ax.lines[1].get_xdata()[0], ax.lines[1].get_ydata()[0]) == pytest.approx((-math.log(3 / 4), 2 / 9))


def test_the_level_line_is_where_it_holds():
    [ax] = [x for x in tight_levels(neighbours("star:4")).plot().axes if x.get_xlabel() == "level α"]
    thick = [line.get_xdata() for line in ax.lines if line.get_linewidth() == 6]
    assert [list(x) for x in thick] == [[0, 0.5]]
    dots = {float(line.get_xdata()[0]): line.get_markerfacecolor() for line in ax.lines if line.get_marker() == "o"}
    assert dots[0.0] == "white"
    assert dots[0.5] != "white"


def test_the_hasse_diagram_has_equivalent_ones_together():
    picture = refinement_order({"G": G, "nothing": uniform(PATH.vertices), "again": G, "all": identity(PATH.vertices)}).plot()
    places = {t.get_text(): t.get_position() for t in picture.axes[0].texts}
    assert places["all"][1] < places["G ≡ again"][1] < places["nothing"][1]
    assert len(picture.axes[0].lines) == 2


@pytest.mark.parametrize(
    ("plot", "words"),
    [
        (lambda: G.plot(by="alpha"), "has no option 'by'; its options are ax and annotate"),
        (lambda: optimum_by_level(PATH, SQUARED).plot(by="beta"), "by 'epsilon' or by 'alpha'"),
        (lambda: geometric(3, a).plot(), "draw its values at a level"),
        (lambda: kernel_count("path:4", "1/2").plot(), "posteriors on 4 inputs has too few or too many dimensions; give 3"),
        (lambda: is_stochastic(Table([[1]])).plot(), "there is no picture of a verdict about StochasticEvidence"),
        (lambda: neighbours("path:401").plot(), "at most 400"),
    ],
)
def test_what_cannot_be_drawn_is_said(plot, words):
    with pytest.raises(InputError, match=words) as found:
        plot()
    assert len(str(found.value)) < 200


@pytest.mark.parametrize("graph", [graph for size in range(2, 6) for graph in connected_graphs(size)], ids=lambda g: g.name)
def test_the_vertices_of_small_graphs_are_apart(graph):
    places = _places(graph)
    assert min(math.dist(p, q) for k, p in enumerate(places) for q in places[:k]) > 0.2


@settings(max_examples=20)
@given(st.integers(1, 9), st.integers(0, 2**36 - 1))
def test_every_graph_has_finite_places(size, bits):
    edges = [pair for k, pair in enumerate((i, j) for i in range(size) for j in range(i + 1, size)) if bits >> k & 1]
    assert all(math.isfinite(x) for place in _places(Graph(range(size), edges)) for x in place)


@pytest.mark.parametrize("graph", [graph for size in range(2, 6) for graph in connected_graphs(size)], ids=lambda g: g.name)
def test_every_processor_draws_the_vertices_at_the_same_places(graph, monkeypatch):
    """Another one has other signs of eigenvectors, and another basis where eigenvalues are equal."""
    usual, eigh = _places(graph), np.linalg.eigh

    def of_another_processor(matrix):
        values, vectors = eigh(matrix)
        equal = abs(values[:, None] - values) < 1e-9
        turned, _ = np.linalg.qr(np.where(equal, np.random.default_rng(1).normal(size=equal.shape), 0))
        return values, vectors @ turned

    monkeypatch.setattr(np.linalg, "eigh", of_another_processor)
    assert np.allclose(_places(graph), usual, atol=1e-4)


def test_labels_are_not_read_as_formulas():
    picture = tightest_level(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]], ["$a$", "$\\frac"]), Graph(["$a$", "$\\frac"], [(0, 1)])).plot()
    assert "<svg" in picture._repr_svg_()


def test_labels_of_squares_and_bars_are_not_read_as_formulas(tmp_path):
    prices = ["$0-$10", "$x^$"]
    m = Mechanism([["1/2", "1/2"], ["1/3", "2/3"]], prices, prices)
    for picture in (m.plot(), Prior(["1/2", "1/2"], prices).plot()):
        picture.savefig(tmp_path / "picture.png")
        assert not any(text.get_parse_math() for text in picture.axes[0].get_xticklabels())


def test_a_script_without_windows_is_told_to_write_a_file(tmp_path):
    code = "import exactdp\nfigure = exactdp.geometric(1, '1/2').plot()\nfigure.savefig('x.svg')\nfigure.show()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"MPLBACKEND": "agg", "PYTHONPATH": str(ROOT), "MPLCONFIGDIR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stderr.rstrip().splitlines()[-1].endswith('write the picture to a file: .savefig("picture.svg")')
    assert (tmp_path / "x.svg").read_text().lstrip().startswith("<?xml")


def test_a_script_shows_it_once_in_a_window(tmp_path):
    """The backend is asked for one window, with this figure in it."""
    (tmp_path / "window.py").write_text(
        "from matplotlib.backend_bases import FigureManagerBase, Gcf\n"
        "from matplotlib.backends.backend_agg import FigureCanvasAgg\n\n\n"
        "class FigureManager(FigureManagerBase):\n"
        "    @classmethod\n"
        "    def pyplot_show(cls, *, block=None):\n"
        "        print([(type(m.canvas.figure).__name__, len(m.canvas.figure.axes)) for m in Gcf.get_all_fig_managers()])\n\n\n"
        "class FigureCanvas(FigureCanvasAgg):\n"
        "    manager_class = FigureManager\n",
        encoding="utf-8",
    )
    code = "import exactdp; exactdp.geometric(1, '1/2').plot().show()"
    place = {"MPLBACKEND": "module://window", "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", "MPLCONFIGDIR": str(tmp_path), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], env=place, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.strip() == "[('Picture', 1)]", done.stderr


HOST = """
import sys
{before}
import exactdp as xdp
level = xdp.tightest_level("geometric:n=2,alpha=1/2", "path")
things = [xdp.geometric(2, "1/2"), xdp.neighbours("cycle:4"), xdp.Prior(["1/2", "1/2"]), level]
for thing in things:
    picture = thing.plot()
    {after}
"""
"""A host that draws one thing of each kind."""


@pytest.mark.parametrize(
    ("backend", "before", "after", "said"),
    [
        (
            "agg",
            "from matplotlib import pyplot as plt",
            "plt.savefig('x.svg'); print(plt.gcf() is picture, len(plt.gcf().axes) > 0)",
            "True True",
        ),
        ("agg", "", "print('matplotlib.pyplot' in sys.modules, picture.canvas.manager)", "False None"),
        ("module://matplotlib_inline.backend_inline", "from matplotlib import pyplot as plt", "print(plt.get_fignums())", "[]"),
        ("agg", "from matplotlib import pyplot as plt; own, ax = plt.subplots()", "thing.plot(ax=ax); print(own.axes == [ax])", "True"),
    ],
    ids=["pyplot", "no pyplot", "notebook", "axes of the host"],
)
def test_a_picture_is_current_where_the_host_has_pyplot(backend, before, after, said, tmp_path):
    """plt.savefig wrote an empty picture: the figure was not pyplot's."""
    place = {"MPLBACKEND": backend, "PYTHONPATH": str(ROOT), "MPLCONFIGDIR": str(tmp_path), "PATH": ""}
    code = HOST.format(before=before, after=after)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=place, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.splitlines() == [said] * 4, done.stderr
    if "savefig" in after:
        assert "<image" in (tmp_path / "x.svg").read_text() or "<path" in (tmp_path / "x.svg").read_text()


def test_a_picture_that_can_not_be_drawn_leaves_no_figure():
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    with pytest.raises(InputError, match="function of the level"):
        geometric(1, "a").plot()
    assert pyplot.get_fignums() == before


def test_without_matplotlib_it_says_what_to_install(tmp_path):
    code = "import sys\nsys.modules['matplotlib'] = None\nimport exactdp\nexactdp.geometric(1, '1/2').plot()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr.rstrip().splitlines()[-1].endswith("InputError: pictures need matplotlib; install exactdp[plot]")


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("optimum", lambda: optimum_by_level(PATH, SQUARED)),
        ("broken_pair", lambda: is_private(Mechanism([["1/2", "1/2"], ["1/2", "1/2"], ["1/8", "7/8"]]), neighbours("path:3"), "ε = ln 2")),
    ],
)
def test_the_pictures_of_the_documentation_say_what_is_drawn_today(name, draw):
    """With the answer as their title. To renew them: ``python docs/pictures/draw.py``."""
    import io

    from matplotlib import rc_context

    text = io.StringIO()
    with rc_context({"svg.fonttype": "none"}):
        draw().plot().savefig(text, format="svg")
    shown = (ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8")
    now, before = (
        Counter("".join(t.itertext()) for t in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))
        for svg in (text.getvalue(), shown)
    )
    assert now.total() > 5
    assert now == before


def test_curves_of_several_verdicts_fit_on_given_axes():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    for n in (2, 3):
        near = neighbours(f"path:{n}")
        pieces = optimum_by_level(near, MinimaxConsumer(Loss.absolute(near.vertices))).evidence
        assert value_by_level(pieces, ax=ax, by="alpha", label=f"n = {n}") is ax
    assert [line.get_label() for line in ax.lines] == ["n = 2", "n = 3"]
