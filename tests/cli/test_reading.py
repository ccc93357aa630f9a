"""Tables as people have them, on the command line: what is told apart is said, two meanings are refused."""

from __future__ import annotations

import pytest
from cli_runner import run
from places import in_folder

from exactdp import read_table
from exactdp.errors import InputError

TABLES = {
    "headed.csv": "no,yes\n2/3,1/3\n1/3,2/3\n",
    "export.csv": ";no;yes\n0;0,5;0,5\n1;0,25;0,75\n",
    "frame.csv": ",0,1\n0,0.5,0.5\n1,.25,75%\n",
    "paper.tex": r"\begin{bmatrix} \frac{1}{2} & \tfrac12 \\ \frac14 & 0.75 \end{bmatrix}",
    "level.tex": r"\begin{pmatrix} \frac{1}{1+\alpha} & \frac{\alpha}{1+\alpha} \\ \alpha(1+\alpha)^{-1} & 1/(1+\alpha) \end{pmatrix}",
    "pairs.csv": "young,old,no,yes\n0,0,1/2,1/2\n0,1,1/3,2/3\n1,0,1/3,2/3\n1,1,1/4,3/4\n",
    "tuples.csv": '"(1, 1)",1/4,3/4\n"(0, 0)",1/2,1/2\n"(0, 1)",1/3,2/3\n"(1, 0)",1/3,2/3\n',
    "points.edges": "(0,0) (0,1)\n(0,1) (1,1)\n(1,1) (1,0)\n(1,0) (0,0)\n",
    "histogram.csv": ",,no,yes\n0,1,2/3,1/3\n1,0,1/3,2/3\n",
    "named.csv": "count,no,yes\n0,1/2,1/2\n1,1/4,3/4\n",
    "counted.csv": "0,1/2,1/2\n1,1/4,3/4\n",
    "years.csv": "0,1,2\n1/2,1/4,1/4\n1/4,1/2,1/4\n1/4,1/4,1/2\n",
    "loss.csv": "0,0,1\n1,1,0\n",
    "prior.csv": "answer,weight\nno,1/3\nyes,2/3\n",
    "loss-headed.csv": "answer,no,yes\nno,0,1\nyes,1,0\n",
    "answers.csv": "answer,no,yes\nno,2/3,1/3\nyes,1/3,2/3\n",
    "answers.edges": "no yes\n",
    "sure.csv": "no,0,1\nyes,1/3,2/3\nnever,1/3,2/3\n",
}


here = in_folder(TABLES, autouse=True)


@pytest.mark.parametrize(
    ("words", "level", "notes"),
    [
        ("headed.csv --graph path:2", "1/2", ["line 1 is read as the labels (no, yes) of the columns"]),
        ("export.csv --graph path:2", "1/2", ["',' is read as the decimal point", "0, 1, … only number the rows"]),
        ("frame.csv --graph path:2", "1/2", ["0, 1, … only number the rows and the columns"]),
        ("paper.tex --graph path:2", "1/2", []),
        ("pairs.csv --labels --graph grid:2x2", "2/3", ["the first 2 columns are read as labels (0,0; 0,1; 1,0; 1,1)"]),
        ("pairs.csv --labels --graph counts:u=1,k=2", "1/2", []),
        ("tuples.csv --graph grid:2x2", "2/3", ["the first column is read as the labels (1,1; 0,0; 0,1; 1,0) of the rows"]),
        ("tuples.csv --graph points.edges", "2/3", []),
        ("histogram.csv --graph histogram:u=1,k=2", "1/2", ["line 1 and the first 2 columns are read as labels"]),
        ("answers.csv --graph answers.edges", "1/2", ["rows (no, yes), columns (no, yes)"]),
    ],
)
def test_what_is_told_apart_is_said_in_text_and_in_json(words, level, notes):
    done = run(f"privacy {words} --json")
    assert done.code == 0, done
    assert done.json["level"] == level or level in str(done.json["level"])
    text = run(f"privacy {words}").out
    for note in notes:
        assert any(note in said for said in done.json["notes"])
        assert note in text


def test_formulas_in_latex_have_their_level():
    assert run("privacy level.tex --alpha 1/3 --graph path:2").code == 0
    assert "1/3" in run("privacy level.tex --alpha 1/3 --graph path:2").out
    assert run("determinant --matrix level.tex").code == 0


@pytest.mark.parametrize(
    "command", ["privacy named.csv --graph path:2", "show named.csv", "convert named.csv --to json", "audit named.csv --graph path:2"]
)
def test_two_meanings_are_refused_with_what_to_type(command):
    done = run(command)
    assert done.code == 3
    assert done.out == ""
    assert "named.csv: line 1 is words, and the first column may be labels or numbers: give --labels" in done.err
    assert run(f"{command} --labels --by-position" if command[0] in "pa" else f"{command} --labels").code == 0


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (
            "counted.csv --graph path:2 --no-header",
            "without the first column all rows sum to 1: if it is labels, begin with a line of labels",
        ),
        ("years.csv --graph path:4 --no-header", "the first line counts 0, 1, …: if it is labels, give --header, or --labels"),
    ],
)
def test_numbers_that_may_be_labels_are_never_dropped(words, hint):
    done = run(f"privacy {words}")
    assert done.code == 1, done
    assert hint in done.out
    assert hint in " ".join(run(f"privacy {words} --json").json["notes"])
    derived = run(f"derive {words.split()[0]} --source {words.split()[0]} --no-header")
    assert derived.code == 3
    assert hint in derived.err


@pytest.mark.parametrize(
    "command", ["privacy counted.csv --graph path:2", "convert counted.csv --to json", "audit counted.csv --graph path:2"]
)
def test_an_index_without_a_header_is_read_or_asked_about(tmp_path, command):
    """A table that was written with its index was said to be refuted: its rows did not sum to 1."""
    done = run(command)
    assert done.code == 0
    said = "the first column, 0, 1, …, is read as the index of the rows, which sum to 1 without it; if it has entries, give --no-header"
    assert said in " ".join((done.out + done.err).split())
    (tmp_path / "years.csv").write_text("2001,1/2,1/2\n2002,1/4,3/4\n")
    done = run(command.replace("counted.csv", str(tmp_path / "years.csv")))
    assert done.code == 3
    assert "without the first column all rows sum to 1: if it is labels" in done.err
    assert "if all columns are entries, give --no-header" in done.err
    with pytest.raises(InputError, match="without the first column all rows sum to 1"):
        read_table("0,exp(-1),1-exp(-1)\n1,1/4,3/4\n")
    assert read_table("0,1/2,1/2\n1,1/4,3/4\n", header=False).matrix.shape == (2, 3)


def test_a_line_that_may_be_a_row_is_named_where_labels_take_it():
    """Its author has labels for the rows only; with a level asked for, the way out was not told."""
    for level in ("", "--alpha 1/4"):
        assert "if only the first column is, begin with a line of labels" in run(f"privacy sure.csv --graph path {level}").err
    done = run("privacy sure.csv --graph path --alpha 1/4 --labels")
    assert done.code == 0
    assert "note    sure.csv: line 1 is read as the labels (0, 1) of the columns" in done.out


def test_a_loss_with_a_column_of_labels_is_noted():
    done = run("optimal --graph path:2 --alpha 1/2 --loss loss.csv")
    assert done.code == 0
    assert "loss.csv: the first column counts 0, 1, …: if it is labels" in done.out


def test_priors_and_losses_are_read_alike():
    done = run("optimal answers.csv --graph answers.edges --alpha 1/2 --loss loss-headed.csv --prior prior.csv --after-remap")
    assert done.code == 0, done
    assert "prior.csv: line 1 and the first column are read as labels: rows (no, yes), columns (weight)" in done.out
    assert "loss-headed.csv: line 1 and the first column are read as labels" in done.out


def test_show_and_convert_say_it_beside_what_they_print():
    shown, converted = run("show export.csv"), run("convert export.csv --to json")
    for done in (shown, converted):
        assert done.code == 0
        assert "note: export.csv: ',' is read as the decimal point" in done.err
        assert "note" not in done.out
    assert converted.json["outputs"] == ["no", "yes"]
    assert converted.json["rows"] == [["1/2", "1/2"], ["1/4", "3/4"]]
