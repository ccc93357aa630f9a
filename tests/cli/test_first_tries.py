"""What somebody types who has read nothing: the message names what was meant, and that works."""

from __future__ import annotations

import copy
import pickle
import re
import shlex

import pytest
from click.testing import CliRunner
from places import ROOT

import exactdp as xdp
from exactdp.cli import program
from exactdp.model.named_losses import LOSSES, loss_like

TWO_THIRDS, HALF = "2/3,1/3\n1/3,2/3\n", "1/2,1/2\n1/2,1/2\n"


def run(*words):
    return CliRunner().invoke(program.main, list(words))


@pytest.mark.parametrize("loss", ["|i − r|", "|i-r|", "L1", "absolute", "0-1", "zero_one", "(i-r)²", "squared error"])
def test_a_loss_written_otherwise_is_told(loss):
    refused = run("optimal", "--graph", "path:2", "--alpha", "1/2", "--loss", loss)
    [word] = re.findall(r"did you mean ([\w-]+)\?", refused.output)
    assert run("optimal", "--graph", "path:2", "--alpha", "1/2", "--loss", word).exit_code == 0
    with pytest.raises(xdp.errors.InputError, match=f"did you mean {word}\\?|write '{word}'") as error:
        xdp.optimum("path:2", "1/2", loss)
    for consumer in [word, *re.findall(r"'([\w-]+ prior=\w+)'", str(error.value))]:
        assert xdp.optimum("path:2", "1/2", consumer).proved


def test_nothing_is_meant_by_other_losses():
    assert loss_like("x") is None
    assert [loss_like(word) for word in LOSSES] == list(LOSSES)


def test_a_size_is_no_graph():
    refused = run("optimal", "--graph", "3", "--alpha", "1/2", "--loss", "abs")
    found = re.findall(r"(path:3|complete:3)", refused.output)
    assert found == ["path:3", "complete:3"]


def test_two_tables_where_one_is_expected(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # a batch starts processes
    (tmp_path / "a.csv").write_text(TWO_THIRDS)
    (tmp_path / "b.csv").write_text(HALF)
    refused = run("privacy", "a.csv", "b.csv", "--local")
    assert refused.exit_code == 2
    assert "audit A --compare B" in refused.output
    assert "refine A B" in refused.output
    batch = run("audit", "a.csv", "b.csv", "--local")
    assert all(name in batch.output for name in ("a.csv", "b.csv"))
    told = re.findall("'exactdp ([^']*)'", run("compare", "a.csv", "b.csv").output)
    assert len(told) == 2
    assert all(run(*shlex.split(command)).exit_code in (0, 1) for command in told)
    told = run("audit", "a.csv", "--compare", "b.csv", "--local").output
    assert "b.csv" in told
    assert told.startswith("COMPARED  b.csv is more private: ")
    told = run("audit", "b.csv", "--compare", "a.csv", "--local").output
    assert told.startswith("COMPARED  b.csv is more private: ")
    assert "both are equally private" in run("audit", "a.csv", "--compare", "a.csv", "--local").output


def test_nothing_is_said_of_a_table_that_is_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(TWO_THIRDS)
    (tmp_path / "wrong.csv").write_text("1,1\n1/2,1/2\n")
    assert "more private:" not in run("audit", "a.csv", "--compare", "wrong.csv", "--local").output


def test_classes_are_not_said_to_be_equivalent():
    """Two channels of which one refines the other are two classes."""
    told = run("refine", "geometric:n=1,alpha=1/4", "geometric:n=1,alpha=1/2", "--order").output
    assert "channels, up to equivalence  2" in told


@pytest.mark.parametrize("size", ["1e1", "1E1", "10"])
def test_an_integer_may_have_an_exponent(size):
    assert run("privacy", f"geometric:n={size},alpha=1/2").output.partition(" · ")[2].startswith("path:11")


@pytest.mark.parametrize("size", ["1e", "e1", "1e-1", "1.5", "1e9999", "-1", "1_0"])
def test_other_sizes_are_refused(size):
    assert "not an integer ≥ 0" in run("privacy", f"geometric:n={size},alpha=1/2").output


@pytest.mark.parametrize(("level", "mean", "moved"), [("1/3", "= 0.75", "= 0.5"), ("1/2", "≈ 1.33333", "≈ 0.666667")])
def test_how_good_noise_is_at_every_size(level, mean, moved):
    """The sums 2·Σ z·P(z) and 1 − P(0), from a table of a noise that is nearly all in the range."""
    told = run("privacy", f"geometric:n=1e6,alpha={level}", "--local").output
    assert f"E|noise| {mean}, P(noise ≠ 0) {moved}" in told
    row = xdp.geometric(120, level).matrix.row(60)
    assert abs(float(sum(abs(r - 60) * x for r, x in enumerate(row))) - float(mean[2:])) < 1e-5
    assert abs(float(1 - row[60]) - float(moved[2:])) < 1e-5


def test_noise_of_a_long_word_leaves_room_for_the_question():
    told = run("privacy", "diffprivlib-geometric-truncated:lower=0,upper=1000000,epsilon=1/3", "--local").output
    [command] = re.findall(r"ask exactdp (.*)", told)
    assert run(*shlex.split(command)).exit_code == 0


TYPED = {
    "optimal": "optimum",
    "smallest_epsilon": "tightest_level",
    "compare": "is_refined_by",
    "read_certificate": "load",
    "read_csv": "read_table",
    "from_dataframe": "table_of",
    "save": "certify",
    "plot": "plot()",
}


@pytest.mark.parametrize(("typed", "meant"), TYPED.items())
def test_a_name_that_is_typed_names_the_own_one(typed, meant):
    with pytest.raises(AttributeError, match=re.escape(meant)):
        getattr(xdp, typed)
    own = meant.removesuffix("()")
    assert hasattr(xdp, own) or hasattr(xdp.Verdict, own)


def test_an_unknown_keyword_is_told_before_what_is_wrong_with_others():
    with pytest.raises(TypeError, match=r"optimum\(\) has no argument 'losses'; did you mean epsilon='0.5'\?"):
        xdp.optimum("path:2", epsilon=0.5, losses="abs")


def test_an_answer_says_where_its_parts_are():
    answer = xdp.tightest_level("geometric:n=1,alpha=1/3", "path")
    assert answer.epsilon == answer.evidence.epsilon == xdp.Epsilon("ln 3")
    with pytest.raises(AttributeError, match=r"certify\(verdict\)\.write"):
        answer.save("c.json")
    with pytest.raises(AttributeError, match="to_latex"):
        answer.to_latex()
    assert not hasattr(answer, "_repr_png_")
    assert copy.deepcopy(answer).claim == pickle.loads(pickle.dumps(answer)).claim == answer.claim


@pytest.mark.parametrize("rows", [[["60%", "40%"], ["30%", ".70"]], [["0.6", "0.4"], ["0.3", "0.7"]]])
def test_cells_of_objects_are_read_as_those_of_files(rows):
    pandas = pytest.importorskip("pandas")
    assert xdp.tightest_level(rows, "path").evidence.epsilon == xdp.Epsilon("ln 2")
    assert xdp.tightest_level(pandas.DataFrame(rows), "path").evidence.epsilon == xdp.Epsilon("ln 2")


def test_percentages_without_their_sign(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("60,40\n30,70\n")
    assert "it looks like percentages" in " ".join(run("privacy", "p.csv", "--local").output.split())
    assert run("privacy", "p.csv", "--local", "--renormalise").output.startswith("PROVED  smallest ε = ln(2) ")
    with pytest.raises(xdp.errors.NotStochasticError, match="it looks like percentages: write 60%"):
        xdp.tightest_level([[60, 40], [30, 70]], "path")
    with pytest.raises(xdp.errors.NotStochasticError) as error:
        xdp.tightest_level([[60, 40], [30, 71]], "path")
    assert "percentages" not in str(error.value)


def test_a_frame_whose_labels_are_a_column():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"state": ["ill", "well"], "yes": [0.75, 0.25], "no": [0.25, 0.75]})
    with pytest.raises(xdp.errors.InputError, match=r"row 0, column state: 'ill'.*make it the index"):
        xdp.from_floats(frame)
    assert xdp.from_floats(frame.set_index("state")).inputs == ("ill", "well")


@pytest.mark.parametrize("text", [".5", "0,5"])
def test_a_decimal_of_epsilon_is_told(text):
    with pytest.raises(xdp.errors.InputError, match=r"did you mean 0\.5\?"):
        xdp.Epsilon(text)


def test_delta_belongs_to_other_questions():
    refused = run("privacy", "geometric:n=1,alpha=1/2", "--epsilon", "1/2", "--delta", "1/5").output
    [command] = re.findall(r"exactdp (delta MECHANISM .*)", refused)
    words = command.replace("MECHANISM", "geometric:n=1,alpha=1/2").replace("EPS", "1/2").replace(" DELTA", " 1/5").split()
    assert run(*words).exit_code == 0
    with pytest.raises(TypeError, match="is_approximately_private"):
        xdp.is_private("geometric:n=1,alpha=1/2", "path", epsilon="1/2", delta="1/5")
    assert xdp.is_approximately_private("geometric:n=1,alpha=1/2", "path", "epsilon=1/2", "1/5").proved


def test_what_is_missing_is_told():
    with pytest.raises(TypeError, match=r"tightest_level\(\) needs neighbours: give neighbours='path' for a count"):
        xdp.tightest_level([["1/2", "1/2"], ["1/2", "1/2"]])
    with pytest.raises(TypeError, match=r"optimum\(\) needs consumer: give consumer='abs' for the worst case"):
        xdp.optimum("path:2", epsilon=1)


def test_an_answer_is_no_truth_value():
    """It would be equal to neither, also where it is proved."""
    answer = xdp.tightest_level("uniform:n=1", "path")
    for truth in (True, False):
        with pytest.raises(TypeError, match=r"\.proved"):
            _ = answer == truth
    assert answer == xdp.tightest_level("uniform:n=1", "path")
    assert answer != xdp.tightest_level("uniform:n=2", "path")
    assert answer != 3
    assert hash(answer) == hash(xdp.tightest_level("uniform:n=1", "path"))


def test_a_certificate_is_no_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    xdp.certify(xdp.tightest_level("uniform:n=1", "path")).write("c.json")
    assert "it is a certificate, and no table" in run("privacy", "c.json", "--local").output
    assert run("show", "c.json").exit_code == 0
    assert run("convert", "c.json", "--to", "csv").exit_code == 0
