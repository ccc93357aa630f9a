"""What a new user types first in Python: it is answered, or the error has what works in that very call.

Each case is one of a trial with ten tasks, in which somebody had only ``--help`` and ``dir()``.
"""

from __future__ import annotations

import io
import re

import pytest

import exactdp as xdp
from exactdp.cli import main
from exactdp.elsewhere import ELSEWHERE
from exactdp.errors import ExactDPError, InexactInputError, InputError, NegativeEntryError, NotStochasticError, ParameterRangeError
from exactdp.model.consumer import words_of_consumer

ROWS = "3/5,1/5,1/5\n1/5,3/5,1/5\n1/5,1/5,3/5\n"
FLOATS = [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]]
ABS = xdp.MinimaxConsumer("abs")


@pytest.fixture
def a(tmp_path):
    """The name of a file with the randomised response of three answers."""
    file = tmp_path / "A.csv"
    file.write_text(ROWS)
    return str(file)


# Consumers in words


@pytest.mark.parametrize(
    ("words", "consumer"),
    [
        ("abs", ABS),
        ("zero-one", xdp.MinimaxConsumer("zero-one")),
        ("abs side-information=0..1", xdp.MinimaxConsumer("abs", "0..1")),
        ("abs side_information=0,2", xdp.MinimaxConsumer("abs", [0, 2])),
        ("abs prior=uniform", xdp.BayesianConsumer("abs", "uniform")),
        ("squared  prior=1/2,1/4,1/4", xdp.BayesianConsumer("squared", ["1/2", "1/4", "1/4"])),
    ],
)
def test_a_consumer_is_taken_in_the_words_of_the_command_line(words, consumer):
    table = xdp.read_table(ROWS)
    for ask in (
        lambda who: xdp.best_remap(table, who),
        lambda who: xdp.is_remap_unique(table, who),
        lambda who: xdp.optimum("path:3", "1/2", who),
        lambda who: xdp.is_optimal(table, "path", "1/3", who),
        lambda who: xdp.optimum_by_level("path:3", who),
    ):
        assert ask(words) == ask(consumer)
    named, made = (xdp.audit(table, "path", consumers=[who]).evidence.consumers for who in (words, consumer))
    assert [one.consumer for one in named] == [one.consumer for one in made]
    assert len(named) == 1


def test_loss_and_prior_in_words_may_be_files(tmp_path):
    (tmp_path / "loss.csv").write_text("0,1\n2,0\n")
    (tmp_path / "prior.csv").write_text("1/4,3/4\n")
    table = xdp.read_table("3/4,1/4\n1/4,3/4")
    found = xdp.best_remap(table, f"{tmp_path / 'loss.csv'} prior={tmp_path / 'prior.csv'}")
    made = xdp.best_remap(table, xdp.BayesianConsumer(xdp.Loss([[0, 1], [2, 0]]), ["1/4", "3/4"]))
    assert found.evidence.value == made.evidence.value == xdp.Rational("1/4")


def test_one_consumer_of_an_audit_needs_no_list():
    table = xdp.read_table(ROWS)
    for alone in ("abs", ABS):
        (one,) = xdp.audit(table, "path", consumers=alone).evidence.consumers
        assert one.consumer.loss.name == "abs"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("abss", "the consumer 'abss': 'abss' is no loss; did you mean abs? the words are abs, squared, zero-one, distance"),
        ("|i - r|", "'|i - r|' is no loss; did you mean abs?"),
        ("abs uniform", "'uniform' is neither prior=… nor side-information=…: write 'abs', or 'abs prior=uniform'"),
        ("abs prior=uniform prior=1/2,1/2", "prior= is said twice"),
        ("abs prior=uniform side-information=0", "leave one of them out"),
        ("lost.csv", "the loss 'lost.csv' of a consumer is no word, and as a file it can't be read: No such file"),
        ("", "'' is no loss"),
    ],
)
def test_wrong_words_of_a_consumer_are_named(words, said):
    with pytest.raises(InputError, match=re.escape(said)):
        xdp.optimum("path:3", "1/2", words)


def test_a_loss_is_no_consumer_yet():
    with pytest.raises(InputError, match=re.escape("the consumer is a Loss; give MinimaxConsumer(loss), or for an expected loss")):
        xdp.best_remap("geometric:n=1,alpha=1/2", consumer=xdp.Loss.absolute(range(2)))


def test_words_of_a_consumer_with_blanks():
    assert words_of_consumer("my losses.csv prior=p.csv") == ("my losses.csv", "p.csv", None)


# Keywords that a function has not


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda a: xdp.best_remap(a, "abs", prior="uniform"), "did you mean consumer='abs prior=uniform'? "),
        (lambda a: xdp.best_remap(a, ABS, prior="uniform"), "did you mean consumer='abs prior=uniform'? "),
        (lambda a: xdp.best_remap(a, ABS, prior=["1/2"] * 2), "did you mean consumer=BayesianConsumer('abs', prior)? "),
        (lambda a: xdp.best_remap(a, gain="zero-one"), "did you mean consumer='zero-one'? "),
        (
            lambda a: xdp.optimum(n=10, epsilon=0.5, loss="abs"),
            "has no argument 'n'; did you mean neighbours='path:10' for n=, epsilon='0.5' for the float epsilon? ",
        ),
        (
            lambda a: xdp.is_private(FLOATS, eps=1, local=True),
            "has no argument 'eps'; did you mean epsilon=1 for eps=, from_floats(mechanism) for the floats of mechanism? ",
        ),
        (lambda a: xdp.audit(a, "local", epsilon=1), "did you mean claim=PrivacyClaim(epsilon=1)? "),
        (lambda a: xdp.audit(a, "local", loss="abs"), "did you mean consumers=['abs']? "),
        (lambda a: xdp.audit(a, "local", consumer="abs"), "did you mean consumers=['abs']? "),
        (lambda a: xdp.audit(a, "B.csv", neighbours="local"), "audit() got neighbours twice, 'B.csv' by position and neighbours='local'; "),
        (lambda a: xdp.audit(a, "B.csv", neighbours="local"), "; a second table is compare='B.csv'"),
        (lambda a: xdp.is_private(a, "path", "1/2", neighbours="local"), "neighbours='local'; leave one of them out"),
        (lambda a: xdp.tightest_level("geometric:n=9", epsilon="0.5"), "did you mean 'geometric:n=9,epsilon=0.5'? "),
        (lambda a: xdp.tightest_level("geometric:n=9,alpha=1/2", epsilon=1), "is_private(mechanism, neighbours, epsilon=…) asks "),
        (xdp.best_remap, "best_remap() needs consumer: give consumer='abs' for the worst case, or 'abs prior=uniform' for "),
    ],
)
def test_every_wrong_keyword_is_named_with_what_works_in_its_place(a, call, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        call(a)


# Options of the command line


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda a: xdp.is_private(a, epsilon=2, local=True), lambda a: xdp.is_private(a, "local", epsilon=2)),
        (lambda a: xdp.is_private(a, graph="path", alpha="1/3"), lambda a: xdp.is_private(a, "path", "1/3")),
        (lambda a: xdp.audit(a, local=True), lambda a: xdp.audit(a, "local")),
        (
            lambda a: xdp.audit(a, "local", claims_epsilon=1, claims_delta="1/10"),
            lambda a: xdp.audit(a, "local", claim=xdp.PrivacyClaim(epsilon=1, delta="1/10")),
        ),
        (lambda a: xdp.best_remap(a, loss="zero-one"), lambda a: xdp.best_remap(a, "zero-one")),
        (lambda a: xdp.best_remap(a, loss="abs", prior="1/2, 1/4, 1/4"), lambda a: xdp.best_remap(a, "abs prior=1/2,1/4,1/4")),
        (
            lambda a: xdp.best_remap(a, loss="abs", prior=["1/2", "1/4", "1/4"]),
            lambda a: xdp.best_remap(a, xdp.BayesianConsumer("abs", ["1/2", "1/4", "1/4"])),
        ),
        (lambda a: xdp.best_remap(a, loss=xdp.Loss.absolute(range(3))), lambda a: xdp.best_remap(a, "abs")),
        (lambda a: xdp.best_remap(a, loss="abs", side_information="0..1"), lambda a: xdp.best_remap(a, "abs side-information=0..1")),
        (lambda a: xdp.optimum(graph="path:4", epsilon=1, loss="abs"), lambda a: xdp.optimum("path:4", "abs", epsilon=1)),
        (lambda a: xdp.optimum("path:4", "1/2", loss="abs"), lambda a: xdp.optimum("path:4", "1/2", "abs")),
    ],
)
def test_options_of_the_command_line_are_keywords(a, call, meant):
    assert call(a) == meant(a)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda a: xdp.is_private(a, local=False, epsilon=1), "is_private() has no argument 'local'"),
        (lambda a: xdp.is_private(a, local=True, graph="path", epsilon=1), "is_private() has no argument 'graph'"),
        (lambda a: xdp.is_private(a, "path", local=True, epsilon=1), "is_private() has no argument 'local'"),
        (lambda a: xdp.is_private(a, "path", "1/2", alpha="1/3"), "is_private() has no argument 'alpha'"),
        (lambda a: xdp.best_remap(a, "abs", loss="zero-one"), "best_remap() has no argument 'loss'"),
        (lambda a: xdp.is_refined_by(a, a, loss="abs"), "is_refined_by() has no argument 'loss'"),
        (lambda a: xdp.audit(a, "local", claim=xdp.PrivacyClaim(epsilon=1), claims_epsilon=2), "no argument 'claims_epsilon'"),
    ],
)
def test_an_option_is_not_heard_where_something_else_says_the_same(a, call, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        call(a)


def test_options_of_a_consumer_need_a_loss_and_one_kind_of_knowledge(a):
    with pytest.raises(InputError, match=re.escape("give loss='abs' with it, as in loss='abs', prior='uniform'")):
        xdp.best_remap(a, prior="uniform")
    with pytest.raises(InputError, match="not both"):
        xdp.best_remap(a, loss="abs", prior="uniform", side_information="0..1")


# The whole call, where several things are wrong

ROUNDED = [[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]]


@pytest.mark.parametrize(
    ("call", "whole"),
    [
        (lambda: xdp.is_private(FLOATS, 1), "is_private(from_floats(mechanism), neighbours='local', epsilon=1)"),
        (lambda: xdp.is_private(FLOATS, epsilon=1.5), "is_private(from_floats(mechanism), neighbours='local', epsilon='1.5')"),
        (lambda: xdp.is_private(ROUNDED, epsilon=1), "is_private(from_floats(mechanism).unrounded(), neighbours='local', epsilon=1)"),
        (lambda: xdp.tightest_level(FLOATS), "tightest_level(from_floats(mechanism), neighbours='local')"),
        (lambda: xdp.best_remap(FLOATS), "best_remap(from_floats(mechanism), consumer='abs')"),
        (lambda: xdp.optimum(4, "1/2"), "optimum('path:4', level='1/2', consumer='abs')"),
        (lambda: xdp.optimum(4, 0.5, "abs"), "optimum('path:4', level='0.5', consumer='abs'), with epsilon='0.5' if it is ε"),
        (lambda: xdp.optimum(epsilon=0.5), "optimum('path:10', consumer='abs', epsilon='0.5')"),
    ],
)
def test_the_whole_call_is_told_and_works(call, whole):
    with pytest.raises((TypeError, InputError), match=re.escape(f"; all of it: {whole}")):
        call()
    names = {name: getattr(xdp, name) for name in ("is_private", "tightest_level", "best_remap", "optimum", "from_floats")}
    table = ROUNDED if "unrounded" in whole else FLOATS
    assert isinstance(eval(whole.partition(", with ")[0], {**names, "mechanism": table}), xdp.Verdict)


def test_no_whole_call_is_told_where_an_argument_may_stand_in_the_place_of_another():
    with pytest.raises((TypeError, InputError)) as caught:
        xdp.is_optimal(FLOATS, "abs")
    assert "all of it" not in str(caught.value)


def test_one_thing_that_is_wrong_is_told_alone(a):
    for call in (lambda: xdp.is_private(FLOATS, "local", epsilon=1), lambda: xdp.tightest_level(a), lambda: xdp.optimum(4, "1/2", "abs")):
        with pytest.raises((TypeError, InputError)) as caught:
            call()
        assert "all of it" not in str(caught.value)


def test_a_float_for_a_table_that_is_too_large_is_told_with_its_law():
    for level, told in ({"epsilon": 0.5}, "epsilon=0.5"), ({"alpha": 0.5}, "alpha=1/2"):
        with pytest.raises(InexactInputError, match=re.escape(f"tightest_level('geometric:n=1000000,{told}', 'path')")) as caught:
            xdp.geometric(1_000_000, **level)
        assert ("if it is ε" in str(caught.value)) == ("alpha" in level)


TYPED_AT_THE_ROOT = ["is_dp", "is_local_dp", "epsilon", "min_epsilon", "optimal", "optimal_mechanism", "compare", "refines", "remap"]


@pytest.mark.parametrize("name", TYPED_AT_THE_ROOT)
def test_what_is_told_of_a_name_works_as_it_stands(a, name):
    with pytest.raises(AttributeError) as caught:
        getattr(xdp, name)
    found = re.search(r"did you mean (\w+\([^()]*\)(?:\.\w+)?)", str(caught.value))
    assert found is not None
    table = xdp.read_table(ROWS)
    names = {one: getattr(xdp, one) for one in ("is_private", "tightest_level", "optimum", "audit", "best_remap")}
    answer = eval(found[1], {**names, "table": table, "mechanism": table, "A": table, "B": table})
    assert isinstance(answer, xdp.Verdict | xdp.Epsilon)


def test_two_tables_for_an_audit_are_told_how_to_be_compared(a):
    with pytest.raises(InputError, match=re.escape("a second table is compare='B.csv'")):
        xdp.audit(a, "B.csv")
    with pytest.raises(InputError, match="the neighbours are a Table; a second table is compare="):
        xdp.audit(a, xdp.read_table(ROWS))
    with pytest.raises(InputError, match=re.escape("the table is a list of 2; give one, as in audit('A.csv', neighbours), or compare two")):
        xdp.audit(["A.csv", "B.csv"], "local")
    with pytest.raises(InputError, match=re.escape("audit(A, neighbours, compare=B)")):
        xdp.audit([xdp.geometric(2, "1/2")] * 2, "path")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: xdp.MinimaxConsumer(), "MinimaxConsumer() needs a loss, as in MinimaxConsumer('abs')"),  # noqa: PLW0108
        (lambda: xdp.BayesianConsumer(prior="uniform"), "BayesianConsumer() needs a loss, as in BayesianConsumer('abs', 'uniform')"),
        (lambda: xdp.MinimaxConsumer("abs", prior="uniform"), "has no argument 'prior'; did you mean BayesianConsumer(loss, prior)?"),
        (lambda: xdp.MinimaxConsumer(losss="abs"), "MinimaxConsumer() has no argument 'losss'; did you mean loss? It takes loss, side"),
    ],
)
def test_a_consumer_without_a_loss_says_how_it_is_made(call, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        call()


# Names that an object has not


OPTIMUM = xdp.optimum("path:3", "1/2", "abs")


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: OPTIMUM.evidence.mechanism, "OptimumEvidence has no 'mechanism'; the optimal mechanism is .best"),
        (
            lambda: OPTIMUM.evidence.found.to_latex,
            "FactoredMechanism has no 'to_latex'; it is a product; written out it is .evidence.best",
        ),
        (lambda: xdp.certify(OPTIMUM).save("c.json"), "Certificate has no 'save'; the file is written by .write('c.json')"),
        (lambda: xdp.certify(OPTIMUM).evidence, "Certificate has no 'evidence'; a certificate has .claim, .witness and .value"),
        (lambda: xdp.certify(OPTIMUM).plot(), "Certificate has no 'plot'; its table has it: .table().plot()"),
        (lambda: xdp.certify(xdp.tightest_level(ROWS, "path")).value, "Certificate has no 'value'; its numbers are in .claim"),
        (
            lambda: xdp.read_table(ROWS).savefig("a.png"),
            "Table has no 'savefig'; .plot() is the picture, and .plot('picture.png') writes it",
        ),
        (lambda: xdp.Loss.abs, "Loss has no 'abs'; it is Loss.absolute(inputs), or the word 'abs', as in consumer='abs'"),
        (lambda: xdp.graphs.path(10), "exactdp.graphs has no 'path'; did you mean Graph.path(5), or the word 'path:5'?"),
    ],
)
def test_what_an_object_has_not_is_told_where_it_is(ask, said):
    with pytest.raises(AttributeError) as caught:
        ask()
    assert said in str(caught.value)


def test_what_nobody_looks_for_gets_the_error_of_python():
    for ask, what in ((lambda: xdp.read_table(ROWS).nonsense, "'Table' object"), (lambda: xdp.Loss.nonsense, "type object 'Loss'")):
        with pytest.raises(AttributeError, match=f"^{what} has no attribute 'nonsense'$"):
            ask()
    assert not hasattr(xdp.read_table(ROWS), "__array__x")


def test_every_hint_is_of_a_class_and_about_what_it_has_not():
    things = [OPTIMUM.evidence, OPTIMUM.evidence.found, xdp.certify(OPTIMUM), xdp.read_table(ROWS), xdp.Loss.absolute(range(2))]
    bases = {base.__name__ for thing in things for base in type(thing).__mro__}
    assert set(ELSEWHERE) <= bases
    for thing in things:
        for base in type(thing).__mro__:
            hinted = ELSEWHERE.get(base.__name__, {})
            assert not [name for name in hinted if name in dir(thing) and name not in {"value", "level"}], base


@pytest.mark.parametrize("topic", ["privacy", "optimality", "refinement", "graphs", "tables", "composition", "inference", "verdicts"])
def test_a_topic_that_is_called_says_which_function_was_meant(topic):
    with pytest.raises(TypeError, match=f"exactdp.{topic} is a topic, and no function; did you mean ") as caught:
        getattr(xdp, topic)("rr.csv")
    for name in re.findall(r"([a-z_]\w*)\(", str(caught.value).partition("did you mean ")[2]):
        assert name in {"path", "dir", "write"} or hasattr(xdp, name)


def test_a_verdict_is_no_certificate_and_a_file_no_verdict():
    with pytest.raises(InputError, match=re.escape("not a Verdict; give certify(verdict), its certificate")):
        xdp.verify(OPTIMUM)
    with pytest.raises(InputError, match=re.escape("the certificate of a file is load(file)")):
        xdp.certify("opt.json")


def test_a_picture_is_written_where_somebody_says(tmp_path):
    pytest.importorskip("matplotlib")
    table = xdp.read_table(ROWS)
    table.plot(tmp_path / "a.png")
    table.plot(str(tmp_path / "b.svg"))
    table.plot().save(tmp_path / "c.pdf")
    assert [(tmp_path / name).read_bytes()[:4] for name in ("a.png", "b.svg", "c.pdf")] == [b"\x89PNG", b"<?xm", b"%PDF"]
    with pytest.raises(InputError, match=re.escape("the file is 3 (an int); give its name, such as 'picture.png'")):
        table.plot(3)


def test_a_certificate_begins_with_its_value(tmp_path):
    two = xdp.optimum("path:2", "1/2", "abs")  # randomised response: a wrong answer has half the weight of a right one
    certificate = xdp.load(xdp.certify(two).write(tmp_path / "opt.json"))
    assert certificate.value == xdp.Rational("1/3")
    assert float(certificate.value) == 1 / 3
    assert str(certificate).startswith("value 1/3 ≈ 0.333333. No ")
    assert repr(certificate).startswith("<Certificate value 1/3 ≈ 0.333333, of kind optimal, sha256:")
    denied = xdp.certify(xdp.is_optimal(ROWS, "path", "1/3", "abs"))
    assert denied.kind == "not-optimal"
    assert repr(denied).startswith("<Certificate of kind not-optimal, ")  # what is denied is no answer


# Floats


DOUBLES = [[0.7, 0.2, 0.1], [0.1, 0.7, 0.2], [0.2, 0.1, 0.7]]
"""As doubles no row sums to 1, by a last digit."""


def test_doubles_that_miss_the_sum_1_are_judged_as_by_the_command_line(tmp_path, capsys):
    table = xdp.from_floats(DOUBLES)
    assert len(table.faults().rows) == 3
    for found in (xdp.is_private(table, "local", epsilon=2), xdp.tightest_level(table, "local")):
        assert found.proved
        assert found.evidence.mechanism == table.unrounded()
        assert "is rounded" in str(found)
        assert "divided by its row sums" in found.claim
    file = tmp_path / "rounded.csv"
    file.write_text("0.5,0.50000000000000001\n0.25,0.75\n")
    named = xdp.is_private(str(file), "path", "1/4")
    assert named.proved
    assert f"{file} is rounded" in named.claim
    with pytest.raises(SystemExit, match="0"):
        main(["privacy", str(file), "--graph", "path", "--alpha", "1/4"])
    assert "is rounded" in capsys.readouterr().out


def test_a_table_whose_rows_miss_1_by_more_is_refused_as_before(tmp_path):
    for rows in ([["1/2", "1/2"], ["1/3", "1/2"]], [["1/2", "1/2"], ["-1/3", "4/3"]]):
        for ask in (lambda table: xdp.is_private(table, "path", "1/4"), lambda table: xdp.tightest_level(table, "path")):
            with pytest.raises((NotStochasticError, NegativeEntryError)):
                ask(rows)


def test_the_error_of_a_rounded_table_names_one_call_that_can_be_typed(tmp_path):
    table = xdp.from_floats(DOUBLES)
    with pytest.raises(NotStochasticError, match=re.escape("; and 1 more fault; the table is rounded: write table.unrounded(), the")):
        xdp.best_remap(table, "zero-one")
    assert xdp.best_remap(table.unrounded(), "zero-one").proved
    with pytest.raises(NotStochasticError, match="; and 2 more faults; "):
        xdp.best_remap([["1/2"]] * 4, "zero-one")
    file = tmp_path / "rounded.csv"
    file.write_text("0.5,0.50000000000000001\n0.25,0.75\n")
    with pytest.raises(NotStochasticError, match=re.escape("write read_table(")):
        xdp.best_remap(str(file), "zero-one")


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf")])
def test_a_float_that_is_no_number_is_told_with_its_cell(wrong):
    for ask in (xdp.from_floats, lambda rows: xdp.tightest_level(rows, "path")):
        with pytest.raises(InexactInputError, match=f"row 1, column 0: {wrong!r} is no number that a table can have"):
            ask([[0.5, 0.5], [wrong, 0.5]])


def test_what_errors_about_floats_name_is_shown():
    assert {"from_float", "from_floats"} <= set(dir(xdp))


# Neighbours of a word


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("geometric:n=3,alpha=1/2", "path:4"),
        ("geometric:n=1,alpha=1/2", "path:2"),
        ("randomized-response:n=3,keep=1/2", "complete:4"),
        ("randomised-response:n=3,keep=1/2", "complete:4"),
        ("geometric:n=1000000,alpha=1/2", "path:1000001"),
    ],
)
def test_a_word_brings_its_own_neighbours(word, near):
    for found in (xdp.tightest_level(word), xdp.is_private(word, level="1/3"), xdp.audit(word)):
        assert near in str(found)
    assert xdp.tightest_level(word) == xdp.tightest_level(word, near.partition(":")[0])


def test_a_word_with_a_sensitivity_brings_a_graph():
    word = "diffprivlib-geometric:epsilon=1,n=3,sensitivity=2"
    found = xdp.tightest_level(word).evidence
    assert found.neighbours.edges == ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3))
    assert str(found.epsilon) == "1"


def test_neighbours_that_are_given_stand_and_a_table_needs_some(a):
    word = "geometric:n=2,alpha=1/2"
    assert "complete:3" in str(xdp.tightest_level(word, "complete"))
    assert "complete:3" in str(xdp.tightest_level(word, neighbours="complete"))
    assert "complete:3" in str(xdp.least_delta(mechanism=word, neighbors="complete", epsilon=1))
    with pytest.raises(TypeError, match="needs neighbours: give neighbours='path'"):
        xdp.tightest_level(a)
    with pytest.raises(InputError, match="geometric:n=x"):
        xdp.tightest_level("geometric:n=x")


# What an answer says of itself


def test_a_printed_best_remap_has_the_remap(a):
    assert str(xdp.best_remap(a, "zero-one")).endswith("remap   0 → 0; 1 → 1; 2 → 2")
    drawn = xdp.best_remap("geometric:n=3,alpha=1/4", "abs")
    assert str(drawn).endswith("remap   0 → 0 (68/83) or 1 (15/83); 1 → 1; 2 → 2; 3 → 2 (15/83) or 3 (68/83)")
    assert str(xdp.best_remap("geometric:n=30,alpha=1/4", "abs")).endswith("remap   31 outputs to 31 guesses: .evidence.remap")


def test_derivability_says_for_whom_the_source_is_better(a):
    strong, weak = xdp.geometric(2, "1/2"), xdp.geometric(2, "1/4")
    assert str(xdp.is_refined_by(weak, strong)).endswith(
        "so      for every consumer the source is at least as good as the target, which it becomes by R"
    )
    assert "every consumer" not in str(xdp.is_refined_by(strong, weak))
    for loss in ("abs", "zero-one", "squared"):  # as the theorem says, for some of them
        for words in (loss, f"{loss} prior=uniform", f"{loss} prior=1/2,1/3,1/6"):
            best = [xdp.best_remap(one, words).evidence.value for one in (weak, strong)]
            assert best[0] <= best[1]


# --- A second person ---
def test_the_repr_of_two_audits_is_about_both():
    found = xdp.audit([["2/3", "1/3"], ["1/3", "2/3"]], "path", compare=[["3/5", "2/5"], ["2/5", "3/5"]])
    assert repr(found).startswith("<Verdict COMPARED: ")
    assert "is more private: ε = ln(3/2)" in repr(found)


def test_an_audit_that_ended_was_not_stopped():
    assert xdp.audit([["2/3", "1/3"], ["1/3", "2/3"]], "path").evidence.stopped == ""


def test_a_consumer_in_words_is_answered_by_the_law_as_well():
    word = "geometric:n=1000000,epsilon=0.5"
    assert repr(xdp.best_remap(word, "abs")) == repr(xdp.best_remap(word, xdp.MinimaxConsumer("abs")))


@pytest.mark.parametrize(("name", "meant"), [("epsilon", "tightest_level"), ("is_dp", "is_private"), ("check", "is_private")])
def test_first_words_for_privacy_name_its_questions(name, meant):
    with pytest.raises(AttributeError, match=meant):
        getattr(xdp, name)


def test_a_float_for_a_level_names_both_readings():
    with pytest.raises(InexactInputError, match=r"\('0\.5'\) if the decimal is meant, 'epsilon=0\.5' if it is ε, or use from_float"):
        xdp.PrivacyLevel(0.5)


def test_what_is_derived_from_what_is_said_where_the_source_has_no_name(a):
    for call in (lambda: xdp.is_derivable(a, a), lambda: xdp.is_derivable(a)):
        with pytest.raises(TypeError, match=re.escape("is_derivable(A, source=B) asks whether A can be made from B")):
            call()
    with pytest.raises(TypeError, match=re.escape("did you mean source?")):
        xdp.is_derivable(a, sauce=a)


@pytest.mark.parametrize("n", ["x", [], -1, 2.5])
def test_what_are_no_inputs_is_told_what_may_be_given(n):
    with pytest.raises(ExactDPError, match=re.escape("give n >= 0, for the inputs 0..n, or their labels, as in ['no', 'yes']")):
        xdp.geometric(n, alpha="1/2")


def test_an_open_file_is_read_as_its_name_is(a):
    table = xdp.read_table(a)
    with open(a, encoding="utf-8") as text:
        assert xdp.read_table(text) == table
    with open(a, "rb") as stream:
        assert xdp.is_private(stream, "local", "1/3").proved
    with pytest.raises(InputError, match=re.escape(f"can't read the open file '{a}': I/O operation on closed file")):
        xdp.read_table(text)


def test_a_text_stream_of_one_line_is_a_table_and_no_name():
    assert xdp.read_table(io.StringIO("1/2,1/2")).matrix.shape == (1, 2)


def test_a_function_for_a_listener_is_told_by_the_argument_that_was_given():
    with pytest.raises(InputError) as caught:
        xdp.optimum("path:4", alpha="1/4", consumer="abs", progress=xdp.progress_bar)
    assert str(caught.value).startswith("progress=progress_bar is the function")


@pytest.mark.parametrize(
    ("name", "said"), [("release", "multi_level_release(3, ["), ("compose", "sequential_level("), ("path", "Graph.path(5)")]
)
def test_a_command_that_is_no_name_is_told_with_the_function(name, said):
    with pytest.raises(AttributeError, match=re.escape(f"did you mean {said}")):
        getattr(xdp, name)


def test_of_level_1_the_remedy_comes_before_the_reason(a):
    with pytest.raises(ParameterRangeError) as caught:
        xdp.is_private(a, "path", 1)
    assert "not between 0 and 1; if ε = 1 is meant, write 'epsilon=1'; " in str(caught.value)
    with pytest.raises(ParameterRangeError) as caught:
        xdp.is_private(a, "path", epsilon=0)
    assert str(caught.value).find("is_approximately_private") < str(caught.value).find("exactdp delta")
