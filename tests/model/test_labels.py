"""Labels at the front door: what was given is used or refused, unlabelled is a state of its own, no option is
idle.
"""

from __future__ import annotations

import itertools
import json
import re
from fractions import Fraction

import pytest
from cli_runner import run
from hypothesis import given, settings
from hypothesis import strategies as st
from places import in_folder
from strategies import distributions

from exactdp.analysis import best_remap, is_best_remap, is_derivable, is_optimal, is_private, optimum, tightest_level
from exactdp.analysis.leakage import leakage, utility
from exactdp.analysis.tight.regular_priors import is_regular
from exactdp.errors import InputError, LabelError
from exactdp.exact import ExactMatrix, Rational
from exactdp.model import (
    BayesianConsumer,
    Graph,
    Loss,
    Mechanism,
    Metric,
    MinimaxConsumer,
    Prior,
    Remap,
    SideInformation,
    Table,
    as_labels,
    neighbours,
)
from exactdp.model.labels import Positions
from exactdp.readers.formulas import read_formula_table
from exactdp.readers.graphs import read_edges, read_metric
from exactdp.readers.tables import read_prior, read_table

FILES = {
    "A2.csv": ",x,y\na,1,0\nb,1/2,1/2\n",
    "B2.csv": ",p,q\nb,1,0\na,1/2,1/2\n",
    "ab.edges": "a b\n",
    "abc.edges": "a b\nb c\n",
    "bac.edges": "b a\na c\n",
    "123.edges": "1 2\n2 3\n",
    "mixsep.edges": "0, 1\n1, 2\n2 3\n",
    "dy.csv": "0.4,0.6\n0.6,0.4\n",
    "odd.csv": "1,1\n1,3\n",
    "f.csv": ",x,y,z\na,4/5,3/20,1/20\nc,1/5,3/5,1/5\nb,1/20,3/20,1-1/5\n",
    "n.csv": ",x,y,z\na,4/5,3/20,1/20\nc,1/5,3/5,1/5\nb,1/20,3/20,4/5\n",
    "ordered.csv": ",x,y,z\na,4/5,3/20,1/20\nb,1/20,3/20,4/5\nc,1/5,3/5,1/5\n",
    "loss.json": '{"inputs":["b","a"],"outputs":["a","b"],"rows":[["1","0"],["0","1"]]}',
    "m.json": '{"inputs":["a","b"],"outputs":["a","b"],"rows":[["1/3","2/3"],["2/3","1/3"]]}',
    "metric.csv": ",1,0,2\n1,0,1,1\n0,1,0,2\n2,1,2,0\n",
    "crossed.csv": ",1,0,2\n0,1,0,2\n1,0,1,1\n2,1,2,0\n",
    "path.csv": "1/2,1/2\n1/4,3/4\n3/4,1/4\n",
    "t.csv": ",x,y\n0,1/2,1/2\n1,1/4,3/4\n2,3/4,1/4\n",
    "t.json": '{"inputs":["0","1","2"],"rows":[["1/2","1/2"],["1/4","3/4"],["3/4","1/4"]]}',
    "prior.json": '{"b": "1/3", "a": "2/3"}',
    "prior.csv": "b,1/3\na,2/3\n",
    "twice.json": '{"inputs":["a","b"],"rows":[[1,0],[0,1]],"rows":[[0,1],[1,0]]}',
}


here = in_folder(FILES)


# The state


def test_unlabelled_is_no_labels():
    assert Positions(2) == Positions(2) == as_labels(None, 2) == as_labels(range(2))
    assert Positions(2) != ("0", "1")
    assert len({Positions(2), ("0", "1")}) == 2
    assert Mechanism([[1]]) != Mechanism([[1]], [0])
    assert Positions(("0,0", "0,1")).named
    assert not Positions(2).named
    with pytest.raises(InputError, match="no order"):
        as_labels({"a", "b"})


@pytest.mark.parametrize(
    "ask",
    [
        lambda m, near, loss, prior: is_private(m, near, "1/2"),
        lambda m, near, loss, prior: optimum(near, "1/2", MinimaxConsumer(loss)),
        lambda m, near, loss, prior: is_optimal(m, near, "1/2", MinimaxConsumer(loss)),
        lambda m, near, loss, prior: best_remap(m, MinimaxConsumer(loss)),
        lambda m, near, loss, prior: BayesianConsumer(loss, prior),
        lambda m, near, loss, prior: utility(m, prior),
        lambda m, near, loss, prior: leakage(m, prior),
        lambda m, near, loss, prior: is_regular(near, "1/2", prior),
        lambda m, near, loss, prior: is_derivable(m, source=Mechanism(m.matrix, prior.inputs)),
    ],
)
def test_a_labelled_and_an_unlabelled_thing_do_not_match(ask):
    """Every way to label some of the four and not the others is refused where these meet, for the labels 0, 1
    too.
    """
    matrix = [["2/3", "1/3"], ["1/3", "2/3"]]

    def things(chosen: tuple[bool, ...]):
        m, near, loss, prior = (["0", "1"] if labelled else None for labelled in chosen)
        return (
            Mechanism(matrix, m, m),
            Graph(as_labels(near, 2), [(0, 1)]),
            Loss([[0, 1], [1, 0]], loss, loss),
            Prior(["1/4", "3/4"], prior),
        )

    for all_or_none in (True, False):
        assert ask(*things((all_or_none,) * 4)) is not None
    refused = 0
    for chosen in itertools.product([True, False], repeat=4):
        try:
            ask(*things(chosen))
        except LabelError as error:
            refused += "unlabelled" in error.message
    assert refused >= 8  # of 16; the things that a question does not ask about are free


# By label, in Python


@st.composite
def labelled_problems(draw):
    size = draw(st.integers(2, 4))
    rows = draw(st.lists(distributions(size), min_size=size, max_size=size))
    losses = draw(st.lists(st.lists(st.integers(0, 3), min_size=size, max_size=size), min_size=size, max_size=size))
    weights = draw(distributions(size))
    edges = [(i, j) for i in range(size) for j in range(i + 1, size) if draw(st.booleans())]
    orders = [draw(st.permutations(range(size))) for _ in range(6)]
    return size, rows, losses, weights, edges, orders


@pytest.mark.slow
@given(labelled_problems())
@settings(max_examples=60)
def test_no_order_of_labels_changes_an_answer(problem):
    size, rows, losses, weights, edges, orders = problem
    names = "abcd"[:size]
    guesses = "wxyz"[:size]
    by_row, by_column, by_loss, by_guess, by_prior, by_vertex = orders

    def labelled(order, labels):
        return [labels[i] for i in order]

    m = Mechanism([[rows[i][r] for r in by_column] for i in by_row], labelled(by_row, names), labelled(by_column, guesses))
    loss = Loss([[losses[i][r] for r in by_guess] for i in by_loss], labelled(by_loss, names), labelled(by_guess, guesses))
    prior = Prior([weights[i] for i in by_prior], labelled(by_prior, names))
    place = {i: k for k, i in enumerate(by_vertex)}
    near = Graph(labelled(by_vertex, names), [(place[i], place[j]) for i, j in edges])

    ratios = [
        Fraction(str(rows[a][r])) / Fraction(str(rows[b][r]))
        for i, j in edges
        for a, b in ((i, j), (j, i))
        for r in range(size)
        if rows[b][r]
    ]
    assert tightest_level(m, near).evidence.tightest.ratio == min([*ratios, Fraction(1)])
    expected = [sum(losses[i][r] * Fraction(str(rows[i][r])) for r in range(size)) for i in range(size)]
    assert BayesianConsumer(loss, prior).loss_of(m) == sum(Fraction(str(weights[i])) * expected[i] for i in range(size))
    chosen = {names[0], names[-1]}
    side = SideInformation.of(chosen, labelled(by_prior, names))
    assert MinimaxConsumer(loss, side).loss_of(m) == max(expected[0], expected[-1])
    least = sum(min(sum(weights[i] * rows[i][o] * losses[i][r] for i in range(size)) for r in range(size)) for o in range(size))
    assert best_remap(m, BayesianConsumer(loss, prior)).evidence.value == least
    assert utility(m, prior) == sum(max(weights[i] * rows[i][o] for i in range(size)) for o in range(size))
    remap = Remap([[int(r == o) for r in by_guess] for o in by_column], labelled(by_column, guesses), labelled(by_guess, guesses))
    assert is_best_remap(m, BayesianConsumer(loss, prior), remap).evidence.loss == BayesianConsumer(loss, prior).loss_of(m)
    plain = Mechanism(rows, list(names))
    assert is_derivable(plain, source=m).proved
    level = "1/2"
    there = Graph(list(names), edges)
    straight = Loss(losses, list(names), list(guesses))
    value = optimum(there, level, BayesianConsumer(straight, Prior(weights, list(names)))).evidence.value
    assert optimum(near, level, BayesianConsumer(loss, prior)).evidence.value == value


def test_names_of_a_word_match_by_name_or_by_position():
    square = neighbours("hypercube:2")
    rows = [["1/2", "1/2"], ["1/4", "3/4"], ["1/4", "3/4"], ["1/8", "7/8"]]
    straight = tightest_level(Mechanism(rows), square).evidence.tightest
    order = [3, 1, 0, 2]
    named = Mechanism([rows[i] for i in order], [square.vertices[i] for i in order])
    assert tightest_level(named, square).evidence.tightest == straight
    with pytest.raises(LabelError, match="unlabelled"):
        tightest_level(Mechanism(rows, list("abcd")), square)
    assert tightest_level(Mechanism(rows, list("abcd")).relabelled(square.vertices), square).evidence.tightest == straight


# One reader


@pytest.mark.parametrize("entry", ["1/5", "1-4/5", "a-a+1/5"])
@pytest.mark.parametrize("form", ["csv", "json"])
def test_formulas_keep_their_labels(entry, form):
    rows = [["4/5", entry], [entry, "4/5"]]
    text = f",x,y\nb,4/5,{entry}\na,{entry},4/5\n"
    if form == "json":
        text = json.dumps({"inputs": ["b", "a"], "outputs": ["x", "y"], "rows": rows})
    table = read_formula_table(text, labels=True)
    assert (table.inputs, table.outputs) == (("b", "a"), ("x", "y"))
    assert read_formula_table(text.replace(entry, "1/5"), labels=True).matrix == table.matrix


def test_decimals_of_formulas():
    assert read_formula_table("0.1,a", dyadic=True).matrix[0, 0] == Fraction(0.1)
    assert read_formula_table("0.1,a").matrix[0, 0] == Fraction(1, 10)
    with pytest.raises(InputError, match="formula with a decimal"):
        read_formula_table("0.1*a,1", dyadic=True)
    with pytest.raises(InputError, match="'rows' occurs twice"):
        read_formula_table(FILES["twice.json"])


def test_a_metric_matches_its_rows_and_columns():
    straight, crossed = read_metric(FILES["metric.csv"], labels=True), read_metric(FILES["crossed.csv"], labels=True)
    assert straight.vertices == ("1", "0", "2")
    assert crossed.vertices == ("0", "1", "2")
    for metric in (straight, crossed):
        place = metric.vertices.index
        assert str(metric.between(place("0"), place("2"))) == "2"
        assert str(metric.between(place("1"), place("2"))) == "1"
    with pytest.raises(LabelError, match="'1' is not among"):
        read_metric(",0,3\n0,0,1\n1,1,0\n", labels=True)
    same = read_metric('{"inputs":["b","a"],"outputs":["a","b"],"rows":[["sqrt(2)","0"],["0","sqrt(2)"]]}')
    assert same == Metric(["b", "a"], [(0, 1, "sqrt(2)")])
    with pytest.raises(LabelError, match="unlabelled"):
        read_metric('{"inputs":["b","a"],"rows":[["0","1"],["1","0"]]}')


@pytest.mark.parametrize("text", ["0, 1\n1, 2\n2 3\n", "2 3\n0 ,1\n", "0 1\n1 , 2\n"])
def test_separators_of_edges_are_not_mixed(text):
    with pytest.raises(InputError, match=r"line [12]: a comma"):
        read_edges(text)


def test_priors_with_labels():
    expected = (("b", "a"), (Fraction(1, 3), Fraction(2, 3)))
    for prior in (read_prior(FILES["prior.csv"], labels=True), read_prior(FILES["prior.json"])):
        assert (prior.inputs, prior.weights) == expected
    for text in ("1/3,2/3", "1/3\n2/3", '["1/3", "2/3"]'):
        assert read_prior(text).inputs == Positions(2)
    with pytest.raises(InputError, match="a line 'label,weight'"):
        read_prior("a,1/3,2/3", labels=True)
    with pytest.raises(InputError, match="occurs twice"):
        read_prior('{"a": "1/3", "a": "2/3"}')
    with pytest.raises(InputError, match="the weight number 0 is null, not a number"):
        read_prior('{"a": null}')


def test_labels_of_json_belong_to_the_file():
    for labels in (True, False):
        assert read_table(FILES["m.json"], labels=labels).inputs == ("a", "b")
    assert read_table("[[1, 0]]").inputs == Positions(1)
    assert isinstance(read_table(FILES["t.json"]), Table)
    assert read_table(FILES["t.json"]).outputs == Positions(2)


# The commands


def test_formulas_are_matched_by_label(here):
    """One formula among the numbers, and the rows a, c, b were taken for a, b, c."""
    for table in ("f.csv", "n.csv", "ordered.csv"):
        assert run(f"privacy {table} --labels --graph abc.edges --alpha 1/4").code == 1
        assert run(f"privacy {table} --labels --graph abc.edges --alpha 1/4 --json").json["level"]["alpha"] == "1/16"


def test_all_levels_at_once_keep_labels_and_options(here):
    done = run("derive A2.csv --source B2.csv --labels --alpha symbolic")
    assert done.code == 1
    assert "at no level" in done.sentence
    assert done.first == "REFUTED  not derivable for any a in (0, 1)"
    assert "3602879701896397/5404319552844595" in run("privacy dy.csv --graph path --dyadic --alpha symbolic").out
    assert "private at α = a only for a in (0, 1/2]" in run("privacy odd.csv --graph path --renormalise --alpha symbolic").first
    assert "was renormalised" in run("privacy odd.csv --graph path --renormalise --alpha symbolic").out
    assert run("privacy twice.json --graph path --alpha symbolic").code == 3
    (here / "o.csv").write_text("a,1\n1,a\n", encoding="utf-8")
    assert run("privacy o.csv --graph path --renormalise --alpha symbolic").code == 2


def test_losses_and_remaps_of_json_are_matched_by_label(here):
    done = run("optimal m.json --graph ab.edges --alpha 1/2 --loss loss.json --json")
    assert (done.code, done.json["loss"], done.json["gap"]) == (1, "2/3", "1/3")
    right = '{"inputs":["b","a"],"outputs":["b","a"],"rows":[["0","1"],["1","0"]]}'
    wrong = '{"inputs":["b","a"],"outputs":["b","a"],"rows":[["1","0"],["0","1"]]}'
    for text, code, value in ((right, 0, "1/3"), (wrong, 1, "2/3")):
        (here / "remap.json").write_text(text, encoding="utf-8")
        judged = run("remap m.json --loss loss.json --remap remap.json --json")
        assert (judged.code, judged.json["loss"]) == (code, value)
    (here / "remap.json").write_text('{"rows":[["0","1"],["1","0"]]}', encoding="utf-8")
    assert run("remap m.json --loss loss.json --remap remap.json").code == 3
    by_position = run("remap m.json --loss loss.json --remap remap.json --by-position")
    assert by_position.code == 0
    assert "by position: the outputs of remap.json are taken in the order of the mechanism: (a, b)" in by_position.out


def test_numbers_that_were_given_are_labels(here):
    for metric in ("metric.csv", "crossed.csv"):
        done = run(f"privacy t.csv --labels --metric {metric} --alpha 1/2 --json")
        assert (done.code, done.json["level"]["alpha"]) == (1, "1/3")
    assert run("privacy path.csv --graph 123.edges").code == 3
    assert run("privacy path.csv --graph 123.edges --by-position --json").json["level"]["alpha"] == "1/3"
    assert run("privacy t.csv --labels --graph 123.edges").code == 3
    assert run("privacy t.csv --labels --graph path:3").code == 3
    assert run("privacy t.json --graph path:3").code == 3
    done = run("privacy t.csv --graph path --labels --json").json
    assert (done["level"]["alpha"], done["neighbours"]["name"]) == ("1/3", "path:3")


def test_numbers_in_another_order_have_the_same_path(here):
    answers = set()
    for order in itertools.permutations(range(3)):
        lines = FILES["t.csv"].splitlines()
        (here / "p.csv").write_text("\n".join([lines[0], *(lines[1 + i] for i in order)]) + "\n", encoding="utf-8")
        told = run("privacy p.csv --graph path --labels").out.replace("p.csv", "t.csv")
        answers.add(re.sub(r"sha256 \w+", "sha256 ", told))
    assert len(answers) == 1


@pytest.mark.parametrize(
    "command",
    [
        "privacy path.csv --graph path",
        "privacy t.csv --labels --metric metric.csv",
        "tight path:3 --threshold 3",
        "optimal geometric:n=1 --alpha 1/2 --loss abs",
    ],
)
def test_by_position_without_effect_is_a_note(command, here):
    plain, told = run(command), run(f"{command} --by-position")
    assert told.code == plain.code
    assert "--by-position changed nothing" in told.out
    assert "by-position" not in plain.out


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("privacy geometric:n=3 --alpha 1/4 --labels", "--labels has no effect"),
        ("privacy m.json --graph ab.edges --labels", "--labels has no effect"),
        ("privacy geometric:n=3 --alpha 1/4 --dyadic", "--dyadic has no effect"),
        ("privacy geometric:n=3 --alpha 1/4 --renormalise", "--renormalise has no effect"),
        ("remap geometric:n=1,alpha=1/2 --loss abs --graph path:2", "--graph has no effect"),
        ("remap t.csv --labels --loss abs --graph path:3 --by-position", "--graph has no effect"),
        ("remap m.json --loss loss.json --remap loss.json --unique", "--unique has no effect"),
        ("remap geometric:n=1,alpha=1/2 --loss abs --alpha 1/2", "--alpha has no effect"),
        ("remap path.csv --loss abs --epsilon 1", "--epsilon has no effect"),
        ("derive geometric:n=1,alpha=1/2 --source geometric:n=1,alpha=1/4 --alpha 1/2", "--alpha has no effect"),
        ("refine uniform:n=1 identity:n=1 --alpha 1/2", "--alpha has no effect"),
        ("audit path.csv --graph path --claims-delta 1/2", "--claims-delta has no effect"),
        ("type path:2 --alpha 1/2 --vertices --tries 3", "--tries has no effect"),
        ("type path:2 --alpha 1/2 --vertices --labels", "--labels has no effect"),
        ("tight path:3 --alpha 1/2 --dyadic", "--dyadic has no effect"),
        ("regular path:3 --prior uniform --alpha 1/2 --renormalise", "--renormalise has no effect"),
        ("optimal --graph path:2 --alpha 1/2 --loss abs --labels", "--labels has no effect"),
        ("convert geometric:n=1,alpha=1/2 --to json --labels", "--labels has no effect"),
        ("convert geometric:n=1,alpha=1/2 --to json --alpha 1/4", "--alpha has no effect"),
        ("show m.json --labels", "--labels has no effect"),
        ("show path.csv --epsilon 1", "--epsilon has no effect"),
        ("determinant --matrix geometric:n=2 --labels", "--labels has no effect"),
    ],
)
def test_an_option_that_did_not_enter_the_answer_is_an_error(here, command, words):
    done = run(command)
    assert done.code in {2, 3}
    assert words in done.err


def test_an_option_that_changed_nothing_is_told(here):
    assert "--dyadic changed nothing" in run("privacy path.csv --graph path --dyadic").out
    assert "--renormalise changed nothing" in run("privacy path.csv --graph path --renormalise").out
    assert "changed nothing" not in run("privacy dy.csv --graph path --dyadic").out + run("privacy odd.csv --graph path --renormalise").out


def test_a_word_brings_its_neighbours(here):
    word = "diffprivlib-geometric:epsilon=1,n=5,sensitivity=2"
    assert run(f"privacy {word} --alpha 1/2").code == 1
    assert run(f"audit {word} --claims-epsilon 1").code == 0
    assert run(f"audit {word} --claims-epsilon 1/2").code == 1
    own = run(f"privacy {word} --json").json["neighbours"]
    assert own["name"] == "inputs 0..5 that differ by at most 2"
    assert own["why"] == "the word's own"
    other = run(f"privacy {word} --graph path:6").out
    assert "what follows is about path:6 instead" in other
    local = "randomized-response:n=2,alpha=1/2"
    for command in (f"optimal {local} --loss zero-one", f"audit {local}", f"privacy {local}", f"remap {local} --loss distance"):
        assert run(f"{command} --json").json["neighbours"]["name"] == "complete:3"


def test_every_answer_says_which_neighbours_are_meant(here):
    path = {"name": "path:3", "kind": "graph", "inputs": 3, "edges": 2, "why": "asked"}
    for command, expected in (
        ("privacy geometric:n=2 --alpha 1/4", path | {"why": "the word's own"}),
        (
            "privacy geometric:n=3 --alpha 1/4 --graph cycle:4",
            {"name": "cycle:4", "kind": "graph", "inputs": 4, "edges": 4, "why": "asked"},
        ),
        ("optimal --graph path:3 --alpha 1/2 --loss abs", path),
        ("audit path.csv --graph path", path),
        ("type path:3 --alpha 1/2 --vertices", path),
        ("tight path:3 --alpha 1/2", path),
        ("regular path:3 --prior uniform --alpha 1/2", path),
        ("release --n 2 --alpha 1/4,1/2", path | {"why": "the count's own"}),
    ):
        assert run(f"{command} --json").json["neighbours"] == expected
        assert expected["name"] in run(command).about
    assert run("audit path.csv --graph path --html page.html").code == 0
    page = (here / "page.html").read_text(encoding="utf-8")
    said = r"path.csv \(sha256 \w{8}…\) is a mechanism; no claim was judged: its tightest level on path:3 is"
    first = r"<span[^>]*>smallest ε = [^<]*</span><br>path:3<br>"
    assert re.search(rf'<p class="answer"[^>]*><b[^>]*>No claim was judged.</b> {first}{said}', page)


def test_a_remap_is_not_repaired_without_a_word(here):
    (here / "r.csv").write_text("1,1\n0,1\n", encoding="utf-8")
    (here / "h.csv").write_text("2/3,1/3\n1/3,2/3\n", encoding="utf-8")
    assert run("remap h.csv --loss zero-one --remap r.csv").code == 3
    assert "r.csv was renormalised" in run("remap h.csv --loss zero-one --remap r.csv --renormalise").out


def test_the_columns_of_an_unlabelled_loss_are_guesses_by_position(here):
    """For `optimal` they were the outputs, for `remap` the vertices."""
    (here / "m.csv").write_text(",b,a\na,2/3,1/3\nb,1/3,2/3\n", encoding="utf-8")
    (here / "l.csv").write_text(",b,a\na,0,1\nb,1,0\n", encoding="utf-8")
    (here / "l.json").write_text('{"inputs":["a","b"],"rows":[["0","1"],["1","0"]]}', encoding="utf-8")
    deployed = "optimal m.csv --labels --graph ab.edges --alpha 1/2"
    assert run(f"{deployed} --loss l.csv --json").json["loss"] == "1/3"
    assert run(f"{deployed} --loss l.json").code == 3
    assert run(f"{deployed} --loss l.json --by-position --json").json["loss"] == "1/3"
    assert run("remap m.csv --labels --loss l.json --json").json["remap"]["guesses"] == ["0", "1"]


def test_priors_of_files_are_matched_by_label(here):
    values = {
        run(f"optimal --graph {graph} --alpha 1/2 --loss zero-one {option} --json").json["value"]
        for graph in ("ab.edges", "ba.edges")
        for option in ("--prior prior.json", "--prior prior.csv --labels", '--prior \'{"a": "2/3", "b": "1/3"}\'')
        if (here / "ba.edges").write_text("b a\n", encoding="utf-8")
    }
    assert len(values) == 1
    assert run("optimal --graph ab.edges --alpha 1/2 --loss zero-one --prior 2/3,1/3").code == 3
    assert run("optimal --graph ab.edges --alpha 1/2 --loss zero-one --prior 2/3,1/3 --by-position").code == 0
    assert run("regular ab.edges --prior prior.json --alpha 1/2").code in {0, 1}
    assert run("regular ab.edges --prior 2/3,1/3 --alpha 1/2").code == 3


def test_npy_has_no_place_for_labels(here):
    assert run("convert m.json --to npy -o m.npy").code == 2
    assert "inputs = ['a', 'b']" in run("convert m.json --to sympy").out
    assert json.loads(run("convert path.csv --to json").out).keys() == {"rows"}
    assert json.loads(run("convert t.json --to json").out).keys() == {"inputs", "rows"}
    assert "only the rows of t.json have labels" in run("convert t.json --to csv").err
    assert run("convert t.json --to csv --labels").out.startswith(",0,1\n0,1/2,1/2\n")


def test_decimals_of_a_metric_are_doubles_too(here):
    (here / "d.csv").write_text("0,0.1\n0.1,0\n", encoding="utf-8")
    (here / "h.csv").write_text("2/3,1/3\n1/3,2/3\n", encoding="utf-8")
    assert run("privacy h.csv --metric d.csv --json").json["level"]["alpha"] == "1/1024"
    assert run("privacy h.csv --metric d.csv --dyadic --json").json["level"]["alpha"]["distance"] == "3602879701896397/36028797018963968"


def test_unlabelled_outputs_are_not_two_lists_of_guesses(here):
    (here / "plain.csv").write_text("2/3,1/3\n1/3,2/3\n", encoding="utf-8")
    (here / "other.json").write_text('{"inputs":["a","b"],"outputs":["x","y"],"rows":[["0","1"],["1","0"]]}', encoding="utf-8")
    audit = "audit plain.csv --graph ab.edges --by-position --for zero-one"
    assert run(audit).code == 0
    done = run(f"{audit} --for other.json")
    assert done.code == 2
    assert "one by one" in done.err


ROWS, EDGE = [[1, 0], [0, 1]], [(0, 1)]
UNLABELLED = [Mechanism(ROWS), Table(ROWS), Remap(ROWS), Loss(ROWS), Prior([1, 0]), Graph(range(2), EDGE)]
LABELLED = [
    *(kind(ROWS, ["0", "1"], ["0", "1"]) for kind in (Mechanism, Table, Remap, Loss)), Prior([1, 0], ["0", "1"]), Graph(["0", "1"], EDGE)
]  # fmt: skip


@pytest.mark.parametrize(("bare", "labelled"), list(zip(UNLABELLED, LABELLED, strict=True)), ids=[type(x).__name__ for x in UNLABELLED])
def test_what_is_shown_tells_the_unlabelled_from_the_labels_0_and_1(bare, labelled):
    names = {type(x).__name__: type(x) for x in UNLABELLED} | {"ExactMatrix": ExactMatrix, "Rational": Rational}
    assert bare != labelled
    assert "range(2)" in repr(bare)
    assert "('0', '1')" in repr(labelled)
    assert [eval(repr(x), names) for x in (bare, labelled)] == [bare, labelled]


def test_named_places_are_shown_as_such():
    square = neighbours("grid:2x2")
    assert eval(repr(square), {"Graph": Graph, "Positions": Positions}) == square
    assert repr(square) != repr(Graph(tuple(square.vertices), square.edges, name="grid:2x2"))


BLANKS = [("a", " a"), ("a", "a "), ("a", " a "), (" a", "a "), ("a b", "a  b"), ("1", "1 "), ("é", "e\u0301 ")]
"""Labels that look alike: they differ in blanks."""


@pytest.mark.parametrize("pair", BLANKS)
@pytest.mark.parametrize(
    "make",
    [
        as_labels,
        lambda pair: Table([[1, 0], [0, 1]], pair),
        lambda pair: Table([[1, 0], [0, 1]], None, pair),
        lambda pair: Prior(["1/2", "1/2"], pair),
        lambda pair: Graph(pair, []),
        lambda pair: Metric(pair, [(0, 1, 1)]),
        lambda pair: Loss([[0, 1], [1, 0]], pair, ["x", "y"]),
        lambda pair: Remap([[1, 0], [0, 1]], None, pair),
        lambda pair: read_table(json.dumps({"inputs": pair, "rows": [["1", "0"], ["0", "1"]]})),
        lambda pair: read_table(f'"","x","y"\n"{pair[0]}",1,0\n"{pair[1]}",0,1\n', labels=True),
        lambda pair: read_prior(json.dumps(dict.fromkeys(pair, "1/2"))),
        lambda pair: read_edges(f'"{pair[0]}" "{pair[1]}"\n'),
    ],
)
def test_labels_that_differ_by_blanks_are_refused_and_named(make, pair):
    with pytest.raises(InputError, match="look alike") as caught:
        make(pair)
    assert all(ascii(label) in caught.value.message for label in pair)


@pytest.mark.parametrize("pair", [("a", "b"), ("a b", "ab"), ("a b", "a c"), ("-1", "1")])
def test_labels_that_look_different_are_accepted(pair):
    assert as_labels(pair) == pair


def test_two_things_whose_labels_differ_by_a_blank_are_not_matched_and_the_error_names_both():
    prior = Prior(["1/2", "1/2"], ["a", "b "])
    with pytest.raises(LabelError, match=r"'b' is not among the former \(there is 'b ', which looks like it"):
        prior.aligned(("a", "b"))
    with pytest.raises(LabelError, match=r"unknown input 'b' \(there is 'b ', which looks like it"):
        SideInformation.parse("b", ("a", "b "))


THIRDS = Table([["1/3", "1/3", "1/3"]], ["x"], ["a", "b", "c"])


def test_a_table_is_rounded_to_digits_after_the_point_or_to_significant_ones():
    few = Table([["1/3", "200/3"]])
    assert few.to_latex(decimals=1).splitlines()[-2:] == ["0 & 0.3 & 66.7", r"\end{tabular}"]
    assert few.to_latex(digits=2).splitlines()[-2:] == ["0 & 0.33 & 67", r"\end{tabular}"]
    assert few.matrix.to_latex(digits=2) == "\\begin{bmatrix}\n0.33 & 67\n\\end{bmatrix}"
    assert THIRDS.to_latex(digits=2).startswith("% rounded to 2 significant digits, rows sum to 0.99; exactly, each sums to 1\n")
    assert THIRDS.to_latex(decimals=2).startswith("% rounded to 2 digits, rows sum to 0.99; exactly, each sums to 1\n")


@pytest.mark.parametrize("show", [THIRDS.to_latex, THIRDS.matrix.to_latex, THIRDS.display])
def test_whatever_rounds_takes_the_same_words(show):
    for name, least in (("decimals", 0), ("digits", 1)):
        assert show(**{name: 3}) is not None
        for wrong in (least - 1, "3", 2.5, True, 10**6):
            with pytest.raises(InputError, match=rf"^{name} is .*; give a whole number from {least} to "):
                show(**{name: wrong})
    with pytest.raises(InputError, match="decimals and digits are both given"):
        show(decimals=3, digits=3)
