"""Python objects with labels or without order: a mapping or a series is matched by its labels, and no label
is ever dropped.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import exactdp as xdp
from exactdp import QQ, Loss, Mechanism, Prior, Rational, Remap, SideInformation, Table, table_of
from exactdp.errors import InexactInputError, InputError, LabelError, NotStochasticError

pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")  # the extra frames

COIN = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]], ["no", "yes"], ["n", "y"])
HALVES = (Rational(1, 2), Rational(1, 2))


def kind(value: object) -> str:
    """A name of a case that does not depend on the order of a set."""
    return type(value).__name__


def values(*items: object) -> tuple[Any, ...]:
    return tuple(map(QQ, items))


# --- the reported cases


def test_the_keys_of_a_mapping_are_labels_not_weights():
    prior = Prior({0: "1/2", 1: "1/2"})
    assert prior.weights == HALVES
    consumer = xdp.BayesianConsumer(Loss.zero_one(prior.inputs), prior)
    graph = xdp.Graph(prior.inputs, [(0, 1)])
    assert xdp.optimum(graph, "1/2", consumer).evidence.value == Rational(1, 3)


QUESTIONS: list[Callable[..., Any]] = [
    lambda q: xdp.matrix_inversion(COIN, q),
    lambda q: xdp.bayesian_update(COIN, q, steps=2),
    lambda q: xdp.maximum_likelihood(COIN, q).evidence.estimate,
    lambda q: xdp.likelihood_gap(COIN, q, ["1/3", "2/3"]).evidence.gap,
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_frequencies_are_matched_by_report(question):
    expected = question(["3/8", "5/8"])
    swapped = {"y": "5/8", "n": "3/8"}
    series = pd.Series(["5/8", "3/8"], index=["y", "n"])
    same = [swapped, OrderedDict(swapped), MappingProxyType(swapped), series, Counter(y=5, n=3), Counter({"y": 50, "n": 30})]
    same += [pd.Series(["3/8", "5/8"]), pl.Series(["3/8", "5/8"]), iter(["3/8", "5/8"]), np.array([Fraction(3, 8), Fraction(5, 8)])]
    for given in same:
        assert question(given) == expected
    assert expected != question(["5/8", "3/8"])


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"n": "3/8"},
        {"n": "3/8", "y": "5/8", "z": 0},
        {0: "3/8", 1: "5/8"},
        pd.Series(["3/8", "5/8"], index=[0, 1]),
        pd.Series(["3/8", "5/8"], index=range(1, 3)),
        pd.Series(["3/8", "5/8"], index=["n", "n"]),
        pd.Series(["3/8", "5/8"], index=[0.0, 1.0]),
        pd.DataFrame({"n": ["3/8"], "y": ["5/8"]}),
        pl.DataFrame({"n": ["3/8"], "y": ["5/8"]}),
        {"3/8", "5/8"},
        frozenset({"3/8", "5/8"}),
        {"3/8": 1, "5/8": 1}.keys(),
        "10",
        b"10",
        Counter({"z": 2}),
        Counter({"n": -1, "y": 2}),
        Counter(),
        np.array([True, False]),
        np.array([[1, 0]]),
        np.array(1),
        7,
        None,
    ],
    ids=kind,
)
def test_frequencies_that_are_refused(question, wrong):
    with pytest.raises(InputError):
        question(wrong)


def test_floats_are_refused_in_vectors():
    for given in ([0.5, 0.5], {"n": 0.5, "y": 0.5}, np.array([0.5, 0.5]), pd.Series([0.5, 0.5]), pl.Series([0.5, 0.5])):
        with pytest.raises(InexactInputError):
            xdp.matrix_inversion(COIN, given)


def test_a_counter_of_reports_lacks_what_was_never_seen():
    assert xdp.maximum_likelihood(COIN, Counter({"y": 4})).evidence.frequencies == values(0, 1)
    reports = pd.Series(["y", "n", "y", "y"]).value_counts()
    assert xdp.matrix_inversion(COIN, Counter(reports.to_dict())) == xdp.matrix_inversion(COIN, ["1/4", "3/4"])
    with pytest.raises(InputError, match="sum to 1"):  # a series of counts is no Counter, and is not repaired
        xdp.matrix_inversion(COIN, reports)


def test_distributions_over_inputs_are_matched_by_input():
    start = {"yes": "1/3", "no": "2/3"}
    assert xdp.bayesian_update(COIN, ["3/8", "5/8"], start) == xdp.bayesian_update(COIN, ["3/8", "5/8"], ["2/3", "1/3"])
    gap = xdp.likelihood_gap(COIN, ["3/8", "5/8"], ["2/3", "1/3"]).evidence
    assert xdp.likelihood_gap(COIN, ["3/8", "5/8"], pd.Series(["1/3", "2/3"], index=["yes", "no"])).evidence == gap
    with pytest.raises(LabelError, match="leave out 'no'"):
        xdp.bayesian_update(COIN, ["3/8", "5/8"], Counter({"yes": 1}))


@pytest.mark.parametrize("project", [xdp.clip_and_renormalise, xdp.project_to_simplex])
def test_projections_keep_places_and_refuse_labels(project):
    expected = project(values("-1/4", "3/4", "1/2"))
    for given in (["-1/4", "3/4", "1/2"], np.array([Fraction(-1, 4), Fraction(3, 4), Fraction(1, 2)]), iter(["-1/4", "3/4", "1/2"])):
        assert project(given) == expected
    assert all(isinstance(x, Rational) for x in project([1, 2]))  # ints are not divided into floats
    for wrong in ({"a": 1}, {1, 2}, pd.Series([1, 2], index=["a", "b"]), "12", [], [0.5]):
        with pytest.raises(InputError):
            project(wrong)


def test_what_is_unlabelled_takes_lists_only():
    """The keys 0, 1, … of a mapping are labels, and an unlabelled mechanism has none."""
    coin = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    for given in ({0: "3/8", 1: "5/8"}, {"0": "3/8", "1": "5/8"}, Counter({1: 5, 0: 3}), pd.Series(["3/8", "5/8"], index=[0, 1])):
        with pytest.raises(LabelError, match="are unlabelled; give a list in their order, or label them"):
            xdp.matrix_inversion(coin, given)
    labelled = coin.relabelled([0, 1], [0, 1])
    assert xdp.matrix_inversion(labelled, {1: "5/8", 0: "3/8"}) == xdp.matrix_inversion(coin, ["3/8", "5/8"])
    with pytest.raises(LabelError):
        xdp.BayesianConsumer(Loss.zero_one(range(2)), Prior({0: "1/2", 1: "1/2"}))


# --- priors and consumers


def test_priors_from_labelled_objects():
    assert Prior({"b": "1/3", "a": "2/3"}) == Prior(["1/3", "2/3"], ["b", "a"])
    assert Prior({"b": "1/3", "a": "2/3"}, ["a", "b"]) == Prior(["2/3", "1/3"], ["a", "b"])
    assert Prior(pd.Series(["1/3", "2/3"], index=["b", "a"]), iter(["a", "b"])) == Prior(["2/3", "1/3"], ["a", "b"])
    assert Prior(pd.Series(["1/3", "2/3"]), ["a", "b"]) == Prior(["1/3", "2/3"], ["a", "b"])
    assert Prior(pd.Series(["1/3", "2/3"])) == Prior(["1/3", "2/3"])
    assert Prior(x for x in ["1/3", "2/3"]) == Prior(["1/3", "2/3"])
    assert Prior(np.array([1, 0]), np.array(["a", "b"])) == Prior([1, 0], ["a", "b"])
    assert Prior(Counter({1: 1, 0: 0}), [0, 1]) == Prior([0, 1], [0, 1])


@pytest.mark.parametrize(
    ("weights", "inputs"),
    [
        ({"a": 1}, ["a", "b"]),
        ({"a": 1, "c": 0}, ["a", "b"]),
        ({"0": "1/2", 0: "1/2"}, None),
        ({(0, None): 1}, None),
        ({None: 1}, None),
        ({True: 1}, None),
        ({"1/2", "1/4"}, None),
        ("1", None),
        (pd.DataFrame({"1": [1]}), None),
        (pd.Series([1, 0], index=["a", "a"]), None),
        (pd.Series([1], index=pd.MultiIndex.from_tuples([("a,b", 1)])), None),
        (np.array([(1, 0)], dtype=[("a", int), ("b", int)]), None),
        ([1, 0], {"a", "b"}),
        ([1, 0], {"a": 1, "b": 2}),
        ([1, 0], pd.Series(["a", "b"], index=["x", "y"])),
        ([1, 0], "ab"),
        ([True, False], None),
    ],
    ids=kind,
)
def test_priors_that_are_refused(weights, inputs):
    with pytest.raises(InputError):
        Prior(weights, inputs)


def test_counts_are_no_prior():
    with pytest.raises(NotStochasticError):
        Prior(Counter("aab"))


def test_side_information():
    assert SideInformation({2, 0}, range(3)).indices == (0, 2)
    assert SideInformation(np.array([2, 0]), range(3)).indices == (0, 2)
    assert SideInformation.of({"b", "a"}, ["a", "b", "c"]).labels == ("a", "b")
    for wrong in ([True, False], np.array([True, False]), {0: False}, "01", [0.0], pd.Series([0, 1], index=["a", "b"]), [None]):
        with pytest.raises(InputError):
            SideInformation(wrong, range(3))
    for wrong_labels in ("ab", {"a": False}, pd.Series(["a"], index=["z"])):
        with pytest.raises(InputError):
            SideInformation.of(wrong_labels, ["a", "b"])


# --- matrices

ROWS = [["3/4", "1/4"], ["1/4", "3/4"]]
MAKERS = [Mechanism, Table, Loss, xdp.Gain, Remap, xdp.ExactMatrix, xdp.Scores]


@pytest.mark.parametrize("make", MAKERS)
def test_rows_that_lose_labels_or_order_are_refused(make):
    frame = pd.DataFrame(ROWS, index=["a", "b"], columns=["x", "y"])
    wrong = [
        frame,
        pd.DataFrame(ROWS),
        pl.DataFrame({"x": ["3/4", "1/4"], "y": ["1/4", "3/4"]}),  # iterates over its columns
        {"a": ROWS[0], "b": ROWS[1]},
        {tuple(ROWS[0]), tuple(ROWS[1])},
        [{"3/4", "1/4"}, {"1/4", "3/4"}],
        [{0: "3/4", 1: "1/4"}, {0: "1/4", 1: "3/4"}],
        [Counter({0: 1, 1: 0}), Counter({0: 0, 1: 1})],
        [pd.Series(ROWS[0], index=["x", "y"]), pd.Series(ROWS[1], index=["x", "y"])],
        ["10", "01"],
        [b"10", b"01"],
        "10",
        np.array([[True, False], [False, True]]),
        np.array([[0.75, 0.25], [0.25, 0.75]]),
        np.array([(1, 0), (0, 1)], dtype=[("x", int), ("y", int)]),
        np.array([1, 0]),
        np.array(1),
        7,
    ]
    for given in wrong:
        with pytest.raises(InputError):
            make(given)


@pytest.mark.parametrize("make", MAKERS)
def test_rows_in_order(make):
    expected = make(ROWS)
    for given in (
        np.array(ROWS, dtype=object),
        np.array([[Fraction(x) for x in row] for row in ROWS]),
        [np.array(row) for row in ROWS],
        (tuple(row) for row in ROWS),
        [pd.Series(row) for row in ROWS],
        [pl.Series(row) for row in ROWS],
    ):
        assert make(given) == expected
    assert make(np.array([[1, 0], [0, 1]])) == make([[1, 0], [0, 1]])


@pytest.mark.parametrize(
    "labels",
    [{"a", "b"}, {"a": 0, "b": 1}, "ab", pd.Series(["a", "b"], index=[5, 6]), [1.0, 2.0], [None, "a"]],
    ids=kind,
)
def test_labels_that_are_refused(labels):
    for make in (Mechanism, Table, Loss, xdp.Gain, Remap, xdp.Scores):
        with pytest.raises(InputError):
            make([[1, 0], [0, 1]], labels)
        with pytest.raises(InputError):
            make([[1, 0], [0, 1]], None, labels)
    for make in (Loss.absolute, Loss.squared, Loss.zero_one, xdp.identity, xdp.uniform, Prior.uniform):
        with pytest.raises(InputError):
            make(labels)
    with pytest.raises(InputError):
        xdp.Graph(labels, [])
    with pytest.raises(InputError):
        xdp.Metric(labels, [(0, 1, 1)])
    with pytest.raises(InputError):
        xdp.randomized_response(labels, "3/4")


def test_labels_from_columns():
    for labels in (pd.Series(["a", "b"]), pd.Index(["a", "b"]), pl.Series(["a", "b"]), np.array(["a", "b"]), {0: "a", 1: "b"}.values()):
        assert Mechanism(ROWS, labels).inputs == ("a", "b")


def test_deterministic_remaps_take_every_output_once():
    assert Remap.deterministic({1: 0, 0: 1}, [0, 1], [0, 1]).matrix == xdp.ExactMatrix([[0, 1], [1, 0]])
    for wrong in ({"x": "0"}, {"x": "0", "y": "1", "z": "1"}, {"x": "0", "y": "2"}, {"x": "0", "y": True}):
        with pytest.raises(InputError):
            Remap.deterministic(wrong, ["x", "y"], ["0", "1"])


def test_values_over_inputs():
    loss = Loss([[0, 1], [1, 0]], ["a", "b"], ["a", "b"])
    for f in (Loss.weighted, Loss.shifted):
        assert f(loss, {"b": 3, "a": 2}) == f(loss, [2, 3]) == f(loss, pd.Series([3, 2], index=["b", "a"])) == f(loss, np.array([2, 3]))
        for wrong in ({"a": 2}, {0: 2, 1: 3}, {2, 3}, "23", [2], pd.Series([3, 2], index=[0, 1]), [0.5, 1]):
            with pytest.raises(InputError):
                f(loss, wrong)
    assert xdp.Loss.trivial({"b": 3, "a": 2}, ["a", "b"]) == xdp.Loss.trivial([2, 3], ["a", "b"])
    with pytest.raises(InputError):
        xdp.Loss.trivial({"b": 3}, ["a", "b"])


def test_weights_of_parts_have_no_labels():
    for mix in (xdp.Mechanism.external_choice, lambda parts, w: xdp.Hyper.mixture([xdp.Hyper([[1, 0]], [1]), xdp.Hyper([[0, 1]], [1])], w)):
        for wrong in ({"n": "1/2", "y": "1/2"}, {"1/2": 0, "1/3": 1}, {"1/3", "2/3"}, "12", pd.Series(HALVES, index=["a", "b"])):
            with pytest.raises(InputError):
                mix([COIN, COIN], wrong)


def test_hypers():
    for wrong in ({(1, 0): 1, (0, 1): 1}, {(1, 0), (0, 1)}, [{1: 0, 0: 1}, (0, 1)], [{1, 0}, (0, 1)], pd.DataFrame([[1, 0], [0, 1]])):
        with pytest.raises(InputError):
            xdp.Hyper(wrong, ["1/2", "1/2"])
    for wrong_outer in ({0: "1/2", 1: "1/2"}, {"1/3", "2/3"}, "12"):
        with pytest.raises(InputError):
            xdp.Hyper([[1, 0], [0, 1]], wrong_outer)


def test_base_measure():
    scores = xdp.Scores([[2, 0], [1, 1]], ["D", "E"], ["x", "y"])
    by_name = xdp.exponential_mechanism(scores, "1/2", measure={"y": 2, "x": 1})
    assert (
        by_name
        == xdp.exponential_mechanism(scores, "1/2", measure=[1, 2])
        == xdp.exponential_mechanism(scores, "1/2", measure=np.array([1, 2]))
    )
    for wrong in ({"x": 1}, {0: 1, 1: 2}, {1, 2}, "12", []):
        with pytest.raises(InputError):
            xdp.exponential_mechanism(scores, "1/2", measure=wrong)


# --- neighbours


def test_edges():
    graph = xdp.Graph(["a", "b", "c"], [(0, 1), (1, 2)])
    for same in ({(0, 1), (1, 2)}, [[1, 0], [1, 2]], np.array([[0, 1], [2, 1]]), [frozenset({0, 1}), {1, 2}], iter([(0, 1), (1, 2)])):
        assert xdp.Graph(["a", "b", "c"], same) == graph
        assert all(type(x) is int for edge in xdp.Graph(["a", "b", "c"], same).edges for x in edge)
    assert xdp.Graph.from_edges(["a", "b", "c"], [("b", "a"), ("b", "c")]) == graph
    for wrong in ({(0, 1): 3}, [(0.0, 1.0)], [(False, True)], [("0", "1")], [(0, 1, 2)], [{0: 1, 1: 2}], "01", pd.DataFrame([[0, 1]]), [7]):
        with pytest.raises(InputError):
            xdp.Graph(["a", "b", "c"], wrong)
    for wrong in (["ab", "bc"], {"a": "b"}, {("a", "b"): 2}, [("a", "b", "c")], pd.DataFrame([["a", "b"]])):
        with pytest.raises(InputError):
            xdp.Graph.from_edges(["a", "b", "c"], wrong)


def test_distances():
    metric = xdp.Metric(["a", "b"], [(0, 1, 2)])
    assert xdp.Metric(["a", "b"], {(1, 0, 2)}) == metric == xdp.Metric.from_rows(["a", "b"], np.array([[0, 2], [2, 0]]))
    for wrong in ({(0, 1): 2}, ["012"], [(0, 1)], [(0.0, 1, 2)], [(False, True, 2)], [{0, 1, 2}], pd.DataFrame([[0, 1, 2]]), 3):
        with pytest.raises(InputError):
            xdp.Metric(["a", "b"], wrong)
    for wrong in (
        pd.DataFrame([[0, 2], [2, 0]], index=["b", "a"], columns=["b", "a"]),
        pl.DataFrame({"a": [0, 2], "b": [2, 0]}),
        {"a": [0, 2], "b": [2, 0]},
        [{0: 0, 1: 2}, {0: 2, 1: 0}],
        [{"a": 0, "b": 2}, {"a": 2, "b": 0}],
        {(0, 2), (2, 0)},
        ["02", "20"],
    ):
        with pytest.raises(InputError):
            xdp.Metric.from_rows(["a", "b"], wrong)


def test_duals_are_in_the_order_of_the_inputs():
    consumer = xdp.MinimaxConsumer(Loss.zero_one(range(2)))
    path = xdp.neighbours("path:2")
    expected = xdp.dual_bound(path, "1/2", consumer, xdp.Dual(("1/2", "1/2")))
    assert xdp.dual_bound(path, "1/2", consumer, xdp.Dual(["1/2", "1/2"])) == expected
    for wrong in ({0: "1/2", 1: "1/2"}, {"1/2", "1/3"}, "10", pd.Series(["1/2", "1/2"], index=["a", "b"])):
        with pytest.raises(InputError):
            xdp.Dual(wrong)
        with pytest.raises(InputError):
            xdp.Dual(("1/2", "1/2"), wrong)
        with pytest.raises(InputError):
            xdp.Dual(("1/2", "1/2"), (0, 0), wrong)
        with pytest.raises(InputError):
            xdp.Dual(("1/2", "1/2"), (0, 0), (wrong,))


def test_lists_of_mechanisms_are_lists():
    """A set would keep two equal releases once, and a mapping yields its keys."""
    coin, path = Mechanism(ROWS), xdp.neighbours("path:2")
    assert xdp.sequential_level((coin for _ in range(2)), path).evidence.ratio == Rational(1, 9)
    for wrong in ({coin, coin}, {coin: 1}, {"a": coin}, "ab"):
        with pytest.raises(InputError):
            xdp.sequential_level(wrong, path)
        with pytest.raises(InputError):
            xdp.collection_level(wrong)
        with pytest.raises(InputError):
            xdp.parallel_level(wrong)
        with pytest.raises(InputError):
            xdp.Mechanism.external_choice(wrong, ["1"])
        with pytest.raises(InputError):
            xdp.Hyper.mixture(wrong, ["1"])
        with pytest.raises(InputError):
            xdp.audit(coin, path, consumers=wrong)
        with pytest.raises(InputError):
            xdp.audit(coin, path, deltas=wrong)
        with pytest.raises(InputError):
            xdp.multi_level_release(3, wrong)


def test_inputs_kept_are_a_list():
    loss = Loss([[0, 1], [1, 0]], ["a", "b"])
    for wrong in ({"a": 1}, {"a", "b"}, "ab", pd.Series(["a"], index=["z"])):
        with pytest.raises(InputError):
            COIN.restricted(wrong)
        with pytest.raises(InputError):
            loss.restricted(wrong)
        with pytest.raises(InputError):
            loss.lifted(wrong)


def test_consumers_take_priors_and_side_information():
    """A mapping needs inputs with labels; what has no labels is in the order of the inputs."""
    loss, labelled = Loss.zero_one(range(2)), Loss.zero_one(["1", "0"])
    weights = {0: "1/3", 1: "2/3"}
    with pytest.raises(InputError, match=r"the inputs are unlabelled"):
        xdp.BayesianConsumer(loss, weights)
    assert xdp.BayesianConsumer(labelled, weights).prior.weights == (Rational(2, 3), Rational(1, 3))
    assert xdp.BayesianConsumer(labelled, ["1/3", "2/3"]).prior.weights == (Rational(1, 3), Rational(2, 3))
    for given in ({0}, [0], "0"):
        assert xdp.MinimaxConsumer(labelled, given).side_information.labels == ("0",)


def test_answers_and_records():
    for wrong in ({0: "a", 1: "b"}, pd.DataFrame({"a": [0], "b": [1]})):
        with pytest.raises(InputError):
            xdp.query_graph(sum, wrong, 2)
    with pytest.raises(InputError):
        xdp.censored(xdp.GeometricNoise("1/2"), {0, 1}, 0, 1)
    with pytest.raises(InputError):
        xdp.FiniteNoise(["1/2", "1/2"])
    with pytest.raises(InputError):
        xdp.FiniteNoise(pd.Series(["1/2", "1/2"]))


# --- tables of other libraries


def test_a_frame_keeps_its_labels():
    frame = pd.DataFrame(ROWS, index=["b", "a"], columns=["y", "x"])
    table = table_of(frame)
    assert (table.inputs, table.outputs) == (("b", "a"), ("y", "x"))
    assert table_of(frame, inputs=["b", "a"]) == table
    for other in (["a", "b"], ["p", "q"]):
        with pytest.raises(LabelError, match="drop the object's own"):
            table_of(frame, inputs=other)
        with pytest.raises(LabelError, match="drop the object's own"):
            table_of(frame, outputs=other)


def test_the_default_index_is_no_label_and_a_given_one_is():
    plain = table_of(pd.DataFrame(ROWS))
    assert plain == table_of(ROWS)
    assert table_of(pd.DataFrame(ROWS), inputs=["a", "b"], outputs=["x", "y"]) == Table(ROWS, ["a", "b"], ["x", "y"])
    assert table_of(pd.DataFrame(ROWS, index=[1, 0])).inputs == ("1", "0")
    assert table_of(pd.DataFrame(ROWS).iloc[::-1]).inputs == ("1", "0")
    assert table_of(pd.DataFrame(ROWS, index=["0", "1"])).inputs == ("0", "1")
    with pytest.raises(LabelError):
        table_of(pd.DataFrame(ROWS, index=["0", "1"]), inputs=["a", "b"])
    for names in (
        [0.0, 1.0],
        [None, "a"],
        pd.MultiIndex.from_tuples([("a", 1.0), ("a", 2.0)]),
        pd.to_datetime(["2020-01-01", "2020-01-02"]),
    ):
        with pytest.raises(InputError):
            table_of(pd.DataFrame(ROWS, index=names))
        with pytest.raises(InputError):
            table_of(pd.DataFrame(ROWS, columns=names))
    with pytest.raises(LabelError):
        table_of(pd.DataFrame(ROWS, index=["a", "a"]))


def test_polars_frames_by_row():
    table = table_of(pl.DataFrame({"x": ["3/4", "1/8"], "y": ["1/4", "7/8"]}), inputs=["a", "b"])
    assert table == Table([["3/4", "1/4"], ["1/8", "7/8"]], ["a", "b"], ["x", "y"])
    # the names column_0, … are made up by polars
    assert table_of(pl.DataFrame(ROWS, orient="row")) == table_of(ROWS)
    with pytest.raises(LabelError):
        table_of(pl.DataFrame({"x": [1], "y": [0]}), outputs=["y", "x"])


def test_a_large_int_beside_a_float_is_not_rounded():
    big = 2**60 + 1
    for frame in (pd.DataFrame({"n": [big], "x": [0.5]}), pl.DataFrame({"n": [big], "x": [0.5]})):
        assert table_of(frame, dyadic=True).matrix == xdp.ExactMatrix([[big, "1/2"]])
        with pytest.raises(InexactInputError, match="column x"):
            table_of(frame)


def test_a_table_or_mechanism_is_read_with_its_labels():
    table = Table(ROWS, ["a", "b"], ["x", "y"])
    assert table_of(table) == table_of(table.as_mechanism()) == table
    assert table_of(Table(ROWS), inputs=["a", "b"], outputs=["x", "y"]) == table  # was ignored
    with pytest.raises(LabelError):
        table_of(table, inputs=["b", "a"])
    assert table_of(xdp.ExactMatrix(ROWS)) == table_of(ROWS)
    for wrong in (Loss.zero_one(["a", "b"]), xdp.Gain([[1, 0], [0, 1]]), Remap([[1, 0], [0, 1]])):
        with pytest.raises(InputError):
            table_of(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"a": ROWS[0], "b": ROWS[1]},
        {tuple(ROWS[0]), tuple(ROWS[1])},
        [{0: "3/4", 1: "1/4"}, {0: "1/4", 1: "3/4"}],
        [pd.Series(ROWS[0], index=["x", "y"])],
        pd.Series(["3/4", "1/4"], index=["x", "y"]),
        np.array([(1, 0)], dtype=[("x", int), ("y", int)]),
        np.array([[1, 0]], dtype="datetime64[ns]"),
        np.array([[1, 0]], dtype="timedelta64[ns]"),
        np.array([[True, False]]),
        np.array([[[1, 0]]]),
        np.array([1, 0]),
        np.array([[1 + 0j, 0]]),
        np.ma.masked_array([[1, 0]], mask=[[False, True]]),
        pd.DataFrame([[pd.NA, 1]]),
        "10",
        b"10",
        ["10", "01"],
        7,
        None,
    ],
    ids=kind,
)
def test_tables_that_are_refused(wrong):
    with pytest.raises(InputError):
        table_of(wrong)


def test_floats_of_more_than_a_double_are_refused():
    for entries in (np.array([[0.5, 0.5]], dtype=np.longdouble), np.array([[np.longdouble("0.1"), 1]], dtype=object)):
        with pytest.raises(InexactInputError):
            table_of(entries)
    assert table_of(np.array([[0.5, 0.5]], dtype=np.float32), dyadic=True).matrix == xdp.ExactMatrix([HALVES])
