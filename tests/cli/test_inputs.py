"""Words and files as model objects: defaults, labels, consumers."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest
from cli_runner import run
from places import in_folder

here = in_folder(
    {
        "half.csv": "2/3,1/3\n1/3,2/3\n",
        "half.json": '[["2/3", "1/3"], ["1/3", "2/3"]]',
        "labels.csv": ",no,yes\nno,2/3,1/3\nyes,1/3,2/3\n",
        "labels.json": '{"inputs": ["no", "yes"], "outputs": ["no", "yes"], "rows": [["2/3", "1/3"], ["1/3", "2/3"]]}',
        "pair.edges": "no yes\n",
        "loss.csv": "0,1\n2,0\n",
        "gain.csv": "0,-1\n-2,0\n",
        "wide.csv": "0,1,1/2\n2,0,1/2\n",
        "labelled-loss.csv": ",no,yes\nno,0,1\nyes,2,0\n",
        "prior.csv": "1/4,3/4\n",
        "metric.csv": "0,2\n2,0\n",
        "square.csv": "1/4,1/4,1/4,1/4\n1/4,1/4,1/4,1/4\n1/4,1/4,1/4,1/4\n1/4,1/4,1/4,1/4\n",
    }
)


@pytest.mark.parametrize(
    "name", ["half.csv --graph path", "half.json --graph path", "labels.csv --labels --graph pair.edges", "labels.json --graph pair.edges"]
)
def test_the_same_table_in_every_format(here, name):
    assert run(f"privacy {name} --alpha 1/2 --json").json["level"]["alpha"] == "1/2"


def test_npy(here):
    numpy = pytest.importorskip("numpy")
    from fractions import Fraction

    fractions = numpy.array([[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]], dtype=object)
    numpy.save(here / "t.npy", fractions.astype(str))
    assert run("privacy t.npy --graph path --json").json["level"]["alpha"] == "1/2"
    numpy.save(here / "o.npy", fractions)
    assert "astype(str)" in run("privacy o.npy --graph path").err
    numpy.save(here / "f.npy", numpy.array([[0.5, 0.5], [0.25, 0.75]]))
    assert run("privacy f.npy --graph path").code == 3
    assert run("privacy f.npy --graph path --dyadic --json").json["level"]["alpha"] == "1/2"


def test_a_graph_without_a_size_has_the_inputs_of_the_table(here):
    assert "path:2" in run("privacy half.csv --graph path").out
    assert "path:4" in run("privacy geometric:n=3 --alpha 1/3").out


def test_unlabelled_rows_are_taken_in_the_order_of_the_vertices(here):
    done = run("privacy square.csv --graph hypercube:2 --json")
    assert done.code == 0
    assert done.json["neighbours"] == {"name": "hypercube:2", "kind": "graph", "inputs": 4, "edges": 4, "why": "asked"}
    assert "the inputs of square.csv are taken in the order of hypercube:2: (00, 01, 10, 11)" in done.json["notes"]
    assert run("optimal square.csv --graph hypercube:2 --alpha 1/2 --loss zero-one").code == 1
    word = run("privacy geometric:n=3 --alpha 1/2 --graph hypercube:2").out
    assert "the neighbours that geometric:n=3 means are path:4; what follows is about hypercube:2 instead" in word
    assert "the inputs of geometric:n=3 are taken in the order of hypercube:2" in word


def test_the_answer_about_a_star_names_its_centre(here):
    """It is the first row, or the smallest integer; said with --json, too."""
    (here / "three.csv").write_text(",x,y\n7,1/2,1/2\n5,1/2,1/2\n6,1/2,1/2\n")
    assert "note    neighbours: star:2 (the centre is 0)\n" in run("privacy half.csv --graph star").out
    done = run("privacy three.csv --labels --graph star --json")
    assert done.json["notes"] == ["neighbours: star:3 in the order of the inputs (5, 6, 7) (the centre is 5)"]
    assert "the mechanism of three.csv (sha256 " in done.json["claim"]
    (here / "three.csv").write_text(",x,y\nred,1/2,1/2\nblue,1/2,1/2\ngreen,1/2,1/2\n")
    assert "(the centre is red)" in run("privacy three.csv --labels --graph star").out
    assert "(the centre is 0)" in run("tight star:4 --alpha 1/2").out
    assert "centre" not in run("privacy half.csv --graph path").out


def without_digests(text):
    return re.sub(r"sha256 [0-9a-f]{8}", "sha256", text)


@pytest.mark.parametrize("first", ["(1/2),(1/2)", "1-1/2,1/2", "2^-1,2^-1"])
def test_entries_without_a_letter_are_numbers(here, first):
    """Whatever arithmetic they are, with a level beside them and without one."""
    for name, row in (("plain.csv", "1/2,1/2"), ("written.csv", first)):
        (here / name).write_text(f"{row}\n1/4,3/4\n")
    questions = ["privacy", "privacy --alpha 1/4", "privacy --epsilon 1", "privacy --alpha symbolic", "audit", "delta --epsilon 1"]
    for question in questions:
        plain, written = (run(f"{question} {name} --graph path --json") for name in ("plain.csv", "written.csv"))
        assert plain.code in {0, 1}
        assert written.code == plain.code
        assert without_digests(written.out) == without_digests(plain.out).replace("plain.csv", "written.csv")
    (here / "sums.csv").write_text("(1/2),1/4\n1/4,3/4\n")
    assert run("privacy sums.csv --graph path").code == 1
    assert run("privacy sums.csv --graph path --renormalise --no-header").code == 0
    (here / "letter.csv").write_text("(1/2),1/2\n1-a,a\n")
    (here / "at_half.csv").write_text("a*(1-2*a)/(1-2*a),1-a\n1-a,a\n")
    for name in ("letter.csv", "at_half.csv"):
        assert f"{name} has formulas in the level a, and no level is given" in run(f"privacy {name} --graph path").err
    assert run("privacy at_half.csv --graph path --alpha 1/4").code == 0


def test_a_metric(here):
    level = run("privacy half.csv --metric metric.csv --json").json["level"]
    assert {key: level["alpha"][key] for key in ("expr", "ratio", "distance")} == {"expr": "(1/2)^(1/2)", "ratio": "1/2", "distance": "2"}
    assert level["epsilon"]["expr"] == "ln(2)/2"
    for ends, number in ((level["alpha"], math.sqrt(0.5)), (level["epsilon"], math.log(2) / 2)):
        assert float(ends["lower"]) - 1e-15 <= number <= float(ends["upper"]) + 1e-15
    done = run("optimal half.csv --metric metric.csv --alpha 3/4 --loss zero-one --json")
    assert done.code == 1
    assert "own_level" not in done.json
    assert "irrational" in run("optimal half.csv --metric metric.csv --alpha 3/4 --loss zero-one").out


def test_losses_gains_and_priors(here):
    by_loss = run("optimal --graph path:2 --alpha 1/2 --loss loss.csv --json").json["value"]
    assert by_loss == run("optimal --graph pair.edges --labels --alpha 1/2 --loss labelled-loss.csv --json").json["value"]
    by_gain = run("optimal --graph path:2 --alpha 1/2 --gain gain.csv --json").json
    assert (by_gain["measure"], Fraction(by_gain["value"])) == ("utility", -Fraction(by_loss))  # gain.csv is minus loss.csv
    assert run("optimal half.csv --graph path --alpha 1/2 --loss loss.csv --json").json["gap"]
    assert run("optimal --graph path:2 --alpha 1/2 --loss wide.csv").code == 0
    prior = run("optimal --graph path:2 --alpha 1/2 --loss loss.csv --prior prior.csv --json").json
    assert prior["value"] == run("optimal --graph path:2 --alpha 1/2 --loss loss.csv --prior 1/4,3/4 --json").json["value"]
    assert run("optimal --graph path:2 --alpha 1/2 --loss loss.csv --prior -", stdin="1/4\n3/4\n").code == 0


def test_the_level_inside_a_word_is_the_claimed_level(here):
    inside = run("optimal geometric:n=3,alpha=1/4 --loss abs --json").json
    assert inside["value"] == "168/415"
    both = run("optimal geometric:n=3,alpha=1/4 --alpha 1/5 --loss abs --json").json
    assert both["level"]["alpha"] == "1/4"
    assert both["value"] != "168/415"


def test_a_file_may_be_called_like_a_word(here):
    (here / "abs").write_text("1,2\n3,4\n", encoding="utf-8")
    assert (
        run("optimal --graph path:2 --alpha 1/2 --loss ./abs --json").json["value"]
        != run("optimal --graph path:2 --alpha 1/2 --loss abs --json").json["value"]
    )


def test_conversion_goes_round(here):
    for form in ("csv", "json"):
        text = run(f"convert labels.csv --labels --to {form} -o out.{form}")
        assert text.code == 0
        again = run(f"convert out.{form} --to json" + " --labels" * (form == "csv"))
        assert again.out == run("convert labels.json --to json").out
    source = run("convert half.csv --to sympy").out
    scope: dict[str, object] = {}
    exec(source, scope)  # our own output
    sympy = pytest.importorskip("sympy")
    assert scope["M"] == sympy.Matrix([[sympy.Rational(2, 3), sympy.Rational(1, 3)], [sympy.Rational(1, 3), sympy.Rational(2, 3)]])
    assert "written; read the file with --labels" in run("convert labels.json --to csv").err


def test_npy_goes_round(here):
    pytest.importorskip("numpy")
    assert run("convert half.csv --to npy -o half.npy").code == 0
    assert run("convert half.npy --to csv").out == "2/3,1/3\n1/3,2/3\n"
    assert run("convert identity:n=1 --to npy -o i.npy").code == 0
    assert run("convert i.npy --to csv").out == "1,0\n0,1\n"


def test_vipr(here):
    assert run("optimal --graph path:3 --alpha 1/2 --loss abs -o c.json").code == 0
    assert "\nVER 1.0\nVAR " in run("convert c.json --to vipr").out
    assert run("optimal geometric:n=3 --alpha 1/4 --loss abs --after-remap -o r.json").code == 0
    assert "the solution is the claim's mechanism after a remap\nVER 1.0\n" in run("convert r.json --to vipr").out
    assert run("privacy half.csv --graph path -o p.json").code == 0
    refused = run("convert p.json --to vipr")
    assert refused.code == 3
    assert "p.json is not converted: a claim of kind 'level' is no linear program" in refused.err
    assert len(refused.err.strip()) <= 300


def test_the_gain_of_a_right_guess():
    """1 minus the zero-one loss: the least loss and the largest utility add up to 1."""
    gain = run("optimal --graph cycle:5 --alpha 1/2 --gain zero-one --prior uniform --json").json["value"]
    loss = run("optimal --graph cycle:5 --alpha 1/2 --loss zero-one --prior uniform --json").json["value"]
    assert Fraction(loss) + Fraction(gain) == 1
    assert run("optimal --graph path:3 --alpha 1/2 --gain abs").code == 2


def test_a_line_0_1_is_refused_and_a_row_if_that_is_said(here):
    """It sums to 1, and may have been meant to number the columns."""
    (here / "numbered.csv").write_text("0,1\n1/2,1/2\n1/4,3/4\n", encoding="utf-8")
    assert run("privacy numbered.csv --graph path").code == 3
    done = run("privacy numbered.csv --graph path --no-header")
    assert done.code == 0
    assert "path:3" in done.out
    (here / "coin.csv").write_text("0,1\n1,0\n", encoding="utf-8")
    assert "counts" not in run("privacy coin.csv --graph path").out


@pytest.mark.parametrize("command", ["privacy geometric", "show geometric --alpha 1/2", "remap geometric --loss abs"])
def test_the_bare_name_of_a_family_is_told_what_it_takes(command):
    done = run(command)
    assert done.code == 2
    assert "geometric takes parameters, after a colon: n, one of alpha, epsilon, as in geometric:n=3,alpha=1/2" in done.err
    assert "did you mean" not in done.err
