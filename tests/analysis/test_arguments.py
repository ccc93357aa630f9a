"""What a person would type is understood, and what is meant by nothing is refused by name, everywhere."""

from __future__ import annotations

import importlib
import inspect
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import available
from public_calls import FUNCTIONS, arguments_of

import exactdp as xdp
from exactdp.analysis import arguments
from exactdp.analysis.arguments import Arguments
from exactdp.errors import (
    ExactDPError,
    InexactInputError,
    InputError,
    LabelError,
    NotStochasticError,
    ResourceLimitError,
    ShapeError,
)
from exactdp.runtime.progress import seconds_left

G = xdp.geometric(3, "1/4")
NEAR = xdp.Graph.path(4)
LOCAL = [["0.5", "0.25", "0.25"], ["0.3", "0.4", "0.3"], ["0.2", "0.3", "0.5"]]


# Words, lists and tables


def test_graphs_and_levels_are_text():
    assert xdp.is_private(G, "path:4", "1/4").proved
    assert xdp.is_private(G, "path", "1/4").proved
    assert xdp.is_private(G, "complete", "1/4").refuted


@pytest.mark.parametrize(
    "mechanism",
    [
        G,
        G.as_table(),
        "geometric:n=3,alpha=1/4",
        G.matrix,
        [[str(x) for x in row] for row in G.rows()],
        np.array([[Fraction(str(x)) for x in row] for row in G.rows()], dtype=object),
        "\n".join(",".join(str(x) for x in row) for row in G.rows()),
    ],
    ids=["mechanism", "table", "word", "matrix", "lists", "numpy", "pasted text"],
)
def test_a_mechanism_is_a_table_a_word_or_rows(mechanism):
    verdict = xdp.is_private(mechanism, "path:4", "1/4")
    assert verdict.proved
    assert verdict.evidence.mechanism == G
    consumer = xdp.MinimaxConsumer("abs")
    assert xdp.is_optimal_after_remap(mechanism, "path:4", "1/4", consumer).evidence.value == xdp.Rational("168/415")
    assert xdp.best_remap(mechanism, consumer).evidence.value == xdp.Rational("168/415")
    assert xdp.capacity(mechanism).evidence.value == sum(max(column) for column in zip(*G.rows(), strict=True))
    assert xdp.is_refined_by(mechanism, "uniform:n=3").proved


def test_a_mechanism_is_a_frame():
    frame = pytest.importorskip("pandas").DataFrame([[Fraction(str(x)) for x in row] for row in G.rows()])
    assert xdp.is_private(frame, "path:4", "1/4").evidence.mechanism == G


def test_a_word_takes_the_level_asked_about():
    assert xdp.is_private("geometric:n=3", "path", "1/3").evidence.tightest == xdp.PrivacyLevel("1/3")


def test_sympy_matrices_are_mechanisms():
    sympy = pytest.importorskip("sympy")
    half = sympy.Rational(1, 2)
    assert xdp.is_private(sympy.Matrix([[half, half], [half, half]]), "path:2", "1/2").proved


def test_a_table_is_checked_and_every_faulty_row_is_named():
    table = xdp.Table([["1/2", "1/3"], ["1/2", "1/2"], ["2/3", "2/3"]], ["a", "b", "c"])
    with pytest.raises(NotStochasticError) as caught:
        xdp.is_private(table, "path", "1/2")
    assert [str(label) for label, _, _ in caught.value.facts["rows"]] == ["a", "c"]


@pytest.mark.parametrize("order", [["0", "1", "2"], ["2", "0", "1"], ["1", "2", "0"]])
def test_a_path_takes_labels_by_value(order):
    table = xdp.Table([LOCAL[int(label)] for label in order], order)
    verdict = xdp.tightest_level(table, "path")
    assert verdict.evidence.neighbours.vertices == ("0", "1", "2")
    assert verdict.evidence.tightest == xdp.TightestLevel("3/5")


def test_labels_are_taken_from_the_table():
    table = xdp.Table(LOCAL, ["low", "middle", "high"])
    assert xdp.tightest_level(table, "path").evidence.neighbours.vertices == ("low", "middle", "high")
    assert xdp.tightest_level(table, "local").evidence.tightest == xdp.TightestLevel("2/5")
    assert xdp.tightest_level(table, "complete").evidence.tightest == xdp.TightestLevel("2/5")
    assert xdp.optimum("complete", "1/2", xdp.MinimaxConsumer(xdp.Loss.zero_one(["a", "b"]))).evidence.neighbours.vertices == ("a", "b")


def test_a_graph_object_is_still_matched_by_label_only():
    with pytest.raises(LabelError, match="unlabelled"):
        xdp.tightest_level(xdp.Table(LOCAL, ["low", "middle", "high"]), xdp.Graph.path(3))


def test_a_word_without_a_size_needs_something_to_take_it_from():
    with pytest.raises(InputError, match="size"):
        xdp.neighbours("path")
    with pytest.raises(InputError, match="size"):
        xdp.tight_mechanism("complete", "1/2")


def test_neighbors_is_the_same_function():
    assert xdp.neighbors is xdp.neighbours
    assert xdp.neighbors(NEAR) is NEAR


# Graphs


@pytest.mark.parametrize("family", ["path", "cycle", "complete", "star"])
def test_constructors_of_graphs_agree_with_the_words(family):
    make = getattr(xdp.Graph, family)
    word = xdp.neighbours(f"{family}:4")
    assert make(4) == word
    assert make(4).name == word.name
    assert make(["a", "b", "c", "d"]) == word.relabelled(["a", "b", "c", "d"])
    for wrong in (0, -1, True, 1.0, None, "abc", [], ["a", "a"]):
        with pytest.raises(InputError):
            make(wrong)


def test_grids_and_hypercubes_agree_with_the_words():
    assert xdp.Graph.grid(2, 3, 2) == xdp.neighbours("grid:2x3x2")
    assert xdp.Graph.hypercube(3) == xdp.neighbours("hypercube:3")
    with pytest.raises(InputError):
        xdp.Graph.grid()
    with pytest.raises(InputError):
        xdp.Graph.grid(2, 0)


def test_graphs_come_from_networkx_and_go_there():
    networkx = pytest.importorskip("networkx")
    ring = networkx.cycle_graph(4)
    networkx.set_edge_attributes(ring, 7, "colour")
    assert xdp.Graph.from_networkx(ring) == xdp.Graph.cycle(4)
    named = networkx.Graph([("b", "a"), ("b", "c")])
    assert xdp.Graph.from_networkx(named) == xdp.Graph.from_edges(["b", "a", "c"], [("a", "b"), ("b", "c")])
    unordered = networkx.Graph([(2, 1), (1, 0)])
    assert xdp.Graph.from_networkx(unordered) == xdp.Graph.path(3)
    assert xdp.Graph.from_networkx(networkx.grid_2d_graph(2, 2)).vertices == ("0,0", "0,1", "1,0", "1,1")
    for graph in (xdp.Graph.path(3), xdp.Graph.star(["a", "b", "c"]), xdp.Graph(range(3), [(0, 2)])):
        assert xdp.Graph.from_networkx(graph.to_networkx()) == graph
    assert xdp.is_private(G, networkx.path_graph(4), "1/4").proved
    loop, parallel = networkx.Graph([(0, 0)]), networkx.MultiGraph([(0, 1), (0, 1)])
    truths = networkx.Graph([(False, True)])  # which compare as 0 and 1 do, and so does 0.0
    for refused in (networkx.DiGraph([(0, 1)]), loop, parallel, networkx.Graph([(0.5, 1)]), networkx.Graph([(0.0, 1.0)]), truths):
        with pytest.raises(InputError):
            xdp.Graph.from_networkx(refused)
    assert xdp.Graph.from_networkx(networkx.Graph([(np.int64(1), np.int64(0))])) == xdp.Graph.path(2)


def test_a_graph_that_was_changed_in_networkx_is_not_called_what_it_was():
    pytest.importorskip("networkx")
    ring = xdp.Graph.path(3).to_networkx()
    ring.add_edge(0, 2)
    claim = xdp.tightest_level(xdp.geometric(2, "1/2"), ring).claim
    assert claim.startswith("The tightest level of the mechanism on the graph on (0, 1, 2) with the edges 0–1, 0–2, 1–2 is α = 1/4 ")
    assert str(xdp.Graph.from_networkx(ring, name="ring")) == "ring"


# Losses, priors, consumers


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(-5, 5), min_size=2, max_size=2), min_size=3, max_size=3))
def test_a_loss_from_a_function_is_its_table(rows):
    assert xdp.Loss.from_function(lambda i, r: rows[i][r], range(3), range(2)) == xdp.Loss(rows)


def test_labels_that_are_integers_reach_the_function_as_ints():
    seen: list[Any] = []
    xdp.Loss.from_function(lambda i, r: seen.append((i, r)) or 0, ["1", "-2"], ["a", "1"])
    assert seen == [(1, "a"), (1, "1"), (-2, "a"), (-2, "1")]
    with pytest.raises(InexactInputError):
        xdp.Loss.from_function(lambda i, r: 0.5, range(2))


@pytest.mark.parametrize("word", ["abs", "squared", "zero-one", "distance"])
def test_a_consumer_may_name_its_loss(word):
    for near in (NEAR, xdp.Graph.cycle(4)):
        named, made = xdp.MinimaxConsumer(word), xdp.MinimaxConsumer(xdp.Loss.over(word, near.vertices, near))
        assert named.on(near) == made
        assert xdp.optimum(near, "1/2", named).evidence.value == xdp.optimum(near, "1/2", made).evidence.value


def test_words_of_consumers_are_those_of_the_command_line():
    side = xdp.MinimaxConsumer("abs", "1..2").on(NEAR)
    assert side == xdp.MinimaxConsumer("abs", [1, 2]).on(NEAR) == xdp.MinimaxConsumer("abs", "1,2").on(NEAR)
    assert side.side_information.indices == (1, 2)
    half = ["1/2", "0", "0", "1/2"]
    ways = [half, "1/2,0,0,1/2", xdp.Prior(half), tuple(half)]
    assert len({xdp.BayesianConsumer("zero-one", prior).on(NEAR).prior for prior in ways}) == 1
    assert xdp.BayesianConsumer("zero-one").on(NEAR).prior == xdp.Prior.uniform(range(4))
    yes_no = xdp.Graph.path(["no", "yes"])
    assert xdp.BayesianConsumer("zero-one", {"yes": "3/4", "no": "1/4"}).on(yes_no).prior.weights == (
        xdp.Rational("1/4"),
        xdp.Rational("3/4"),
    )


def test_a_consumer_without_inputs_says_what_it_lacks():
    consumer = xdp.MinimaxConsumer("abs")
    for ask in (lambda: consumer.loss, lambda: consumer.inputs, lambda: consumer.side_information, lambda: consumer.loss_of(G)):
        with pytest.raises(InputError, match=r"consumer\.on"):
            ask()
    with pytest.raises(InputError, match="neighbours"):
        xdp.best_remap(G, xdp.MinimaxConsumer("distance"))
    with pytest.raises(InputError, match="abs, squared, zero-one, distance"):
        xdp.MinimaxConsumer("absolute")
    with pytest.raises(ShapeError):
        xdp.optimum("path:3", "1/2", xdp.BayesianConsumer("abs", ["1/2", "1/2"]))
    with pytest.raises(LabelError, match="integer"):
        xdp.MinimaxConsumer("abs").on(xdp.Graph.path(["a", "b"]))


def test_a_consumer_without_inputs_shows_itself():
    for consumer in (xdp.MinimaxConsumer("abs", "1..2"), xdp.BayesianConsumer("abs", {"a": 1})):
        assert "loss abs" in repr(consumer)
        assert "loss abs" in consumer._repr_html_()
        assert consumer._repr_latex_()
        assert pickle.loads(pickle.dumps(consumer)) == consumer


def test_priors_are_lists_words_and_mappings():
    ring = xdp.Graph.cycle(["a", "b", "c"])
    for prior in ("uniform", ["1/3"] * 3, "1/3,1/3,1/3", {"c": "1/3", "a": "1/3", "b": "1/3"}):
        assert xdp.is_regular(ring, "1/2", prior).evidence.prior == xdp.Prior.uniform(["a", "b", "c"])
        assert xdp.leakage(xdp.uniform(["a", "b", "c"]), prior).evidence.factor == 1
    with pytest.raises(LabelError):
        xdp.is_regular("path:3", "1/2", {"0": "1/2", "1": "1/2", "2": 0})


def test_an_interval_of_levels_is_a_pair():
    pair, interval = (xdp.optimum_by_level("path:2", xdp.MinimaxConsumer("abs"), ends) for ends in ((0, "1/2"), xdp.Interval(0, "1/2")))
    assert pair.evidence.pieces == interval.evidence.pieces


# Wrong objects

LISTENERS = {"progress", "topics"}

WRONG: list[Any] = [
    None,
    3,
    -1,
    True,
    0.5,
    float("nan"),
    1j,
    Fraction(1, 3),
    "nonsense",
    "",
    "path:4",
    "path",
    "abs",
    "geometric:n=3",
    b"x",
    [],
    [[]],
    [1, 2],
    [["1/2"]],
    {},
    {"a": 1},
    set(),
    range(3),
    iter([1]),
    object(),
    len,
    xdp.Graph,
    NEAR,
    xdp.Graph.path(2),
    xdp.PrivacyLevel("1/2"),
    xdp.MinimaxConsumer("abs"),
    xdp.Loss.absolute(range(4)),
    xdp.Prior.uniform(range(4)),
    xdp.Dual(["1"]),
    G,
    xdp.Mechanism([["1/2", "1/2"]]),
    xdp.Table([["1/2", "1/3"]]),
    np.zeros(3),
    np.zeros((2, 2)),
]
if available("pandas"):
    WRONG.append(importlib.import_module("pandas").DataFrame([[0.5]]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_meant_by_nothing_is_refused_by_name(name):
    """Every argument of every public function: an answer, or an error of exactdp; never one from inside."""
    function = getattr(xdp, name)
    parameters = inspect.signature(function).parameters
    base = arguments_of(name)
    parameters = {key: parameter for key, parameter in parameters.items() if key not in {"arguments", "options"}}
    for key in parameters:
        if key in LISTENERS:
            continue
        for wrong in WRONG:
            if callable(wrong) and key in {"query", "question"}:
                continue  # what somebody's own function raises is theirs
            try:
                found = function(**{**base, key: wrong})
                if inspect.isgenerator(found):
                    list(found)
            except ExactDPError:
                pass
            except Exception as error:
                raise AssertionError(f"{name}({key}={wrong!r}) raises {type(error).__name__}: {error}") from error


def test_what_is_wrong_is_named_with_what_was_expected():
    cases = [
        (lambda: xdp.is_private(NEAR, G, "1/4"), "the mechanism is a Graph; give a Mechanism, a Table"),
        (lambda: xdp.is_private(G, "1/4", "1/2"), "'1/4' names no graph"),
        (lambda: xdp.is_private(G, G, "1/4"), "the graph is a Mechanism; give a Graph"),
        (lambda: xdp.optimum(NEAR, "1/4", "abss"), "the consumer 'abss': 'abss' is no loss; did you mean abs?"),
        (lambda: xdp.optimum(NEAR, "1/4", 3), "the consumer is 3 (an int); give MinimaxConsumer"),
        (lambda: xdp.is_regular(NEAR, "1/4", 3), "the prior is 3 (an int); give a Prior"),
        (lambda: xdp.vulnerability(G, "uniform", xdp.Loss.absolute(range(4))), "the gain is a Loss; give a Gain"),
        (lambda: xdp.uncertainty(G, "uniform", 3), "the loss is 3 (an int); give a Loss"),
        (lambda: xdp.optimum(NEAR, "1/4", xdp.MinimaxConsumer("abs"), time_limit="long"), "the time limit is 'long'"),
        (lambda: xdp.audit(G, NEAR, claim=1), "the claim is 1 (an int); give a PrivacyClaim"),
        (lambda: xdp.certify(G), "the verdict is a Mechanism; give the answer"),
    ]
    for ask, words in cases:
        with pytest.raises(InputError) as caught:
            ask()
        assert words in str(caught.value)
        assert len(str(caught.value)) <= 300


@pytest.mark.parametrize("first", [None, 3, "nonsense", NEAR, {}, 0.5, [["1/2"]], object(), np.zeros((2, 2)), xdp.Graph])
@pytest.mark.parametrize("name", ["MinimaxConsumer", "BayesianConsumer", "Loss", "Gain", "Prior", "Graph", "Table", "Mechanism", "Remap"])
def test_constructors_refuse_by_name(name, first):
    make = getattr(xdp, name)
    for rest in ((), (None,), (3,), ("nonsense",), (object(),), ([],), (NEAR,)):
        try:
            make(first, *rest)
        except ExactDPError:
            pass
        except TypeError as error:
            if "missing" not in str(error) and "positional" not in str(error):
                raise AssertionError(f"{name}({first!r}, {rest!r}): {error}") from error


METHODS: list[Any] = [
    G,
    G.as_table(),
    xdp.Remap([[1], [1], [1], [1]]),
    xdp.Loss.absolute(range(4)),
    xdp.Gain.zero_one(range(4)),
    xdp.Prior.uniform(range(4)),
    xdp.MinimaxConsumer(xdp.Loss.absolute(range(4))),
    xdp.BayesianConsumer(xdp.Loss.absolute(range(4))),
    NEAR,
    NEAR.metric(),
    xdp.SideInformation([0], range(4)),
    xdp.Hyper.of(G, "uniform"),
]


@pytest.mark.parametrize("thing", METHODS, ids=lambda thing: type(thing).__name__)
def test_methods_refuse_by_name(thing):
    """Each method with each kind of wrong object as its first argument."""
    for name, method in inspect.getmembers(thing, inspect.ismethod):
        parameters = list(inspect.signature(method).parameters.values())
        taken = [p for p in parameters if p.kind is not p.KEYWORD_ONLY]
        if name.startswith(("_", "to_", "from_", "plot")) or method.__self__ is not thing or not taken:
            continue
        for wrong in WRONG:
            try:
                method(wrong, *[wrong for p in taken[1:] if p.default is p.empty])
            except ExactDPError:
                pass
            except Exception as error:
                raise AssertionError(f"{type(thing).__name__}.{name}({wrong!r}) raises {type(error).__name__}: {error}") from error


# What a question reads, in one place


def test_arguments_are_read_on_the_inputs_of_the_neighbours():
    mechanism = xdp.Mechanism(LOCAL, ["c", "b", "a"])
    near = xdp.Graph(["a", "b", "c"], [(0, 1), (1, 2)])
    asked = Arguments(mechanism=mechanism, neighbours=near, level="1/2", consumer=xdp.BayesianConsumer("zero-one"), prior="uniform")
    assert asked.mechanism.inputs == asked.consumer.inputs == asked.prior.inputs == ("a", "b", "c")
    assert asked.mechanism.matrix.row(0) == mechanism.matrix.row(2)
    assert asked.problem == (near, xdp.PrivacyLevel("1/2"), asked.consumer)


@pytest.mark.parametrize(
    ("given", "inputs"),
    [
        ({"mechanism": xdp.Mechanism([["1/2", "1/2"]] * 2, ["no", "yes"])}, ("no", "yes")),
        ({"consumer": xdp.MinimaxConsumer(xdp.Loss.zero_one(["no", "yes"]))}, ("no", "yes")),
        ({"loss": xdp.Loss.zero_one(["no", "yes"])}, ("no", "yes")),
        ({"prior": xdp.Prior(["1/2", "1/2"], ["no", "yes"])}, ("no", "yes")),
    ],
)
def test_a_word_takes_the_inputs_of_what_has_some(given, inputs):
    assert Arguments(neighbours="path", **given).neighbours.vertices == inputs


def test_a_question_has_what_it_was_given():
    asked = Arguments(neighbours="path:2", level="1/2")
    assert str(asked.level) == "1/2"
    assert asked.region is None
    with pytest.raises(AttributeError):
        _ = asked.mechanism
    with pytest.raises(InputError, match="mechanism"):
        Arguments(mechanism=None, neighbours="path:2")


def test_the_first_that_is_wrong_is_told():
    with pytest.raises(InputError, match="consumer"):
        Arguments(neighbours="nonsense", level="2", consumer="abss")
    with pytest.raises(ExactDPError, match="nonsense"):
        Arguments(neighbours="nonsense", level="2")
    with pytest.raises(ExactDPError, match="privacy level"):
        Arguments(mechanism=G, neighbours="nonsense", level="2", consumer="abs")


def test_the_reading_of_arguments_is_under_the_time_limit():
    rows = [["1/100"] * 100] * 100
    with pytest.raises(ResourceLimitError, match="time limit of 0 s"):
        arguments.ask(lambda asked: asked.mechanism, None, 0, mechanism=rows)
    assert seconds_left() is None  # a limit ends with its question


def test_a_question_that_was_interrupted_leaves_no_limit_behind():
    def interrupt(asked):
        assert seconds_left() is not None
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arguments.ask(interrupt, None, 100)
    assert seconds_left() is None
