# SPDX-License-Identifier: MIT
"""Plans: the product that is meant, in order, each question once; and every mistake named."""

from __future__ import annotations

from itertools import product

import pytest
from places import ROOT

from exactdp.errors import ExactDPError, InputError
from exactdp.exact import Rational
from exactdp.model import neighbours
from exactdp.model.small_graphs import _classes
from exactdp.runtime.progress import monitored
from exactdp.sweeps.asking import Subject
from exactdp.sweeps.plan import Plan, bytes_of, graph_of, graph_words
from exactdp.sweeps.question import Question

GRAPHS, LEVELS, LOSSES, CONSUMERS = ["path:2", "cycle:3"], ["1/4", "1/2"], ["abs", "zero-one"], ["minimax", "uniform"]
BLOCK = {"ask": "optimum", "graphs": GRAPHS, "levels": LEVELS, "losses": LOSSES, "consumers": CONSUMERS}


def of(*blocks: dict, **shared: object) -> Plan:
    return Plan.of({"questions": list(blocks), **shared})


def test_a_block_is_the_product_of_its_axes():
    expected = [Question("optimum", *words) for words in product(GRAPHS, LEVELS, LOSSES, CONSUMERS)]
    assert list(of(BLOCK).questions) == expected


def test_axes_at_the_top_are_for_blocks_without_their_own():
    plan = of({"ask": "tight"}, {"ask": "tight", "levels": ["2/3"]}, graphs=["path:3"], levels=["1/3"])
    assert [question.level for question in plan.questions] == ["1/3", "2/3"]


def test_a_question_that_occurs_twice_is_asked_once():
    assert of(BLOCK, BLOCK, {**BLOCK, "levels": ["0.25"]}) == of(BLOCK)


def test_axes_that_a_question_does_not_take_are_left_out_for_it():
    plan = of({**BLOCK, "ask": ["tight", "optimum"]})
    assert sum(question.ask == "tight" for question in plan.questions) == len(GRAPHS) * len(LEVELS)


def test_ranges_and_all_connected_graphs():
    assert [*graph_words("path:2..4")] == ["path:2", "path:3", "path:4"]
    counts = [1, 1, 2, 6, 21]  # OEIS A001349, from 1 vertex on
    for size, count in enumerate(counts, 1):
        assert len([*graph_words(f"connected:{size}")]) == count
    assert len({*graph_words("connected:<=5")}) == sum(counts)
    assert [*graph_words("connected:2..4")] == [word for size in (2, 3, 4) for word in graph_words(f"connected:{size}")]
    for word in graph_words("connected:4"):
        assert len(graph_of(word).vertices) == 4


@pytest.mark.parametrize("text", ["a b\nb c\n", "10,2\n2,7\nx\n", "0 1\n", "a,b # one\nb,c\nc,a\nd\n"])
def test_the_edges_of_a_file_are_in_the_question_with_its_labels(tmp_path, text):
    (tmp_path / "g.edges").write_text(text, encoding="utf-8")
    [word] = graph_words("g.edges", tmp_path)
    found = graph_of(word)
    lines = [line.partition("#")[0].replace(",", " ").split() for line in text.splitlines()]
    assert {frozenset(found.vertices[i] for i in edge) for edge in found.edges} == {frozenset(line) for line in lines if len(line) == 2}
    assert set(found.vertices) == {label for line in lines for label in line}
    (tmp_path / "again.edges").write_text(text, encoding="utf-8")
    assert [*graph_words("again.edges", tmp_path)] == [word], "the name of the file is not in the question"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("a b\nc d\na d\n", ("a", "b", "c", "d")),  # in order of the edges, d would come before c
        ("x\na b\n", ("x", "a", "b")),
        ("b a\nc b\n", ("b", "a", "c")),
        ("10 2\n7 10\n", ("2", "7", "10")),
    ],
)
def test_the_weights_of_a_prior_are_in_the_order_of_the_file(tmp_path, text, order):
    (tmp_path / "g.edges").write_text(text, encoding="utf-8")
    weights = ",".join(["1/2", "1/3", "1/6", "0"][: len(order)])
    block = {"ask": "optimum", "graphs": ["g.edges"], "levels": ["1/2"], "losses": ["zero-one"], "consumers": [weights]}
    [question] = Plan.of({"questions": [block]}, folder=tmp_path).questions
    assert graph_of(question.graph).vertices == order
    assert Subject(question).consumer.prior.weights == tuple(map(Rational, weights.split(",")))
    assert Subject(question).consumer.prior.inputs == order


def test_a_fault_of_a_file_of_edges_names_the_file(tmp_path):
    (tmp_path / "g.edges").write_text("a b c\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"g\.edges: line 1: 3 labels"):
        [*graph_words("g.edges", tmp_path)]


def test_labels_of_a_file_may_have_anything_in_them(tmp_path):
    (tmp_path / "g.edges").write_text('"New York",Boston # one\nBoston,"Rio, #1"\n', encoding="utf-8")
    [word] = graph_words("g.edges", tmp_path)
    assert graph_of(word).vertices == ("New York", "Boston", "Rio, #1")


def test_the_size_of_the_graph_goes_into_a_mechanism():
    plan = of({"ask": "privacy", "graphs": ["path:2..4", "grid:2x3"], "levels": ["1/2"], "mechanisms": ["geometric:n={n}"]})
    assert [question.mechanism for question in plan.questions] == [f"geometric:n={n}" for n in (1, 2, 3, 5)]


PLACE = {"graphs": ["path:2"], "levels": ["1/2"]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({}, "at least one block"),
        ({"questions": []}, "at least one block"),
        ({"questions": [BLOCK], "level": ["1/2"]}, "no key 'level'"),
        ({"questions": [{**BLOCK, "graph": "path:2"}]}, "no key 'graph'"),
        ({"questions": [BLOCK], "limits": {"second": 3}}, "no key 'second'"),
        ({"questions": [{**BLOCK, "ask": "optima"}]}, "'optima' is no question"),
        ({"questions": [{**BLOCK, "mechanisms": ["uniform:n=2"]}]}, "mechanisms have no effect"),
        ({"questions": [{"ask": "tight", "graphs": ["path:2"]}]}, "needs levels"),
        ({"questions": [{**BLOCK, "graphs": ["path:5..2"]}]}, "from the smaller number"),
        ({"questions": [{**BLOCK, "graphs": ["nothing.edges"]}]}, "names no graph"),
        ({"questions": [{**BLOCK, "graphs": ["connected:9"]}]}, "not enumerated"),
        ({"questions": [{**BLOCK, "graphs": ["connected:<6"]}]}, "write connected:4"),
        ({"questions": [{**BLOCK, "graphs": ["path:0"]}]}, "at least 1"),
        ({"questions": [{**BLOCK, "levels": []}]}, "not empty"),
        ({"questions": [{**BLOCK, "levels": [0.5]}]}, "list of texts"),
        ({"questions": [{"ask": "derivable", "levels": ["1/2"], "mechanisms": ["uniform:n={n}"], "sources": ["uniform:n=2"]}]}, "no graph"),
        ({"questions": [BLOCK], "limits": {"seconds": -1}}, "time limit"),
        ({"questions": ["tight"]}, "must be a table of TOML, not 'tight'"),
        ({"questions": [{"graphs": ["path:2"], "levels": ["1/2"]}]}, "has no ask; give"),
        ({"questions": [{**BLOCK, "graphs": ["connected:5..3"]}]}, "from the smaller number"),
        ({"questions": [{**BLOCK, "graphs": ["grid:1..90000x1..90000"]}]}, "more than .* graphs"),
        ({"questions": [{"ask": "vertices", "graphs": ["path:2"], "levels": ["symbolic"]}]}, "levels: vertices can't"),
        ({"questions": [{**BLOCK, "levels": ["epsilon=zz"]}]}, "levels: .*'zz' is not understood"),
        ({"questions": [{**BLOCK, "levels": ["epsilon=0"]}]}, "levels: ε = 0 is not positive"),
        (
            {"questions": [{"ask": "universal", "graphs": ["path:2"], "levels": ["1/2"], "losses": ["abs", "foo"]}]},
            "losses: 'foo' is no loss",
        ),
        ({"questions": [{**BLOCK, "consumers": ["minmax"]}]}, "consumers: 'minmax' is not"),
        ({"questions": [{**BLOCK, "consumers": ["1/2,1/4"]}]}, "consumers: the prior sums to 3/4"),
        ({"questions": [{"ask": "privacy", **PLACE, "mechanisms": ["geometrc:n=2"]}]}, "mechanisms: .*did you mean geometric"),
        ({"questions": [{"ask": "privacy", **PLACE, "mechanisms": ["geometric:n={m}"]}]}, "mechanisms: .*only {n} is filled in"),
        ({"questions": [BLOCK], "limits": {"memory": "2 apples"}}, "memory"),
    ],
)
def test_a_mistake_is_named(content, said):
    with pytest.raises(ExactDPError, match=said):
        Plan.of(content)


@pytest.mark.parametrize("text", ["", "x", "1.5 GiB", "-1", "0", "2 EiB", None, True, 0, 1.5, -3])
def test_what_is_no_memory_is_refused(text):
    with pytest.raises(InputError):
        bytes_of(text)


def test_a_file_is_read_and_its_mistakes_are_named(tmp_path):
    path = tmp_path / "plan.toml"
    with pytest.raises(InputError, match="can't be read"):
        Plan.read(path)
    path.write_text("[[questions]\n", encoding="utf-8")
    with pytest.raises(InputError, match="can't be read"):
        Plan.read(path)
    (tmp_path / "g.edges").write_text("a b\n", encoding="utf-8")
    path.write_text('[[questions]]\nask = "tight"\ngraphs = "g.edges"\nlevels = "1/2"\n', encoding="utf-8")
    assert graph_of(Plan.read(path).questions[0].graph).vertices == ("a", "b")


def test_the_small_plan_has_a_few_hundred_questions():
    plan = Plan.read(ROOT / "docs" / "plans" / "small.toml")
    assert 200 <= len(plan.questions) <= 500
    for question in plan.questions:
        if question.graph:
            neighbours(question.graph)


def test_a_long_plan_tells_how_far_it_is(monkeypatch):
    """Also its graphs, one size after the other; and whoever listens can stop it."""
    monkeypatch.setattr("exactdp.sweeps.plan.SHOWN", 10)
    _classes.cache_clear()
    content = {"questions": [{"ask": "tight", "graphs": ["connected:<=5"], "levels": ["1/2", "1/3"]}]}
    told = []
    with monitored(told.append):
        plan = Plan.of(content)
    assert len(plan.questions) == 2 * (1 + 1 + 2 + 6 + 21)
    graphs = [event.phase for event in told if event.unit.startswith("graphs with")]
    assert list(dict.fromkeys(graphs)) == [f"connected graphs with {size} vertices" for size in (2, 3, 4, 5)]
    asked = [event.done for event in told if event.phase == "the questions of the plan"]
    assert asked == [10, 20, 30, 40, 50, 60, 62]

    def stop(event):
        if event.done == 20 and event.unit == "questions":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), monitored(stop):
        Plan.of(content)


def test_what_is_no_name_of_a_file_is_refused():
    with pytest.raises(InputError, match="give the name of a TOML file"):
        Plan.read(object())
