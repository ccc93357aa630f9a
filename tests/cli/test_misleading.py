"""Messages that sent a new user the wrong way, each with the call that showed it, and what it says now."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import exactdp as xdp
from exactdp.checker.kernel import check_bytes
from exactdp.cli.program import main
from exactdp.errors import ExactDPError


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "typo.csv").write_text("O.7,0.3\n0.3,0.7\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text("1/2,1/2\n1/4,3/4\n", encoding="utf-8")
    (tmp_path / "decimals.csv").write_text("0.5,0.5\n0.25,0.75\n", encoding="utf-8")
    (tmp_path / "level.csv").write_text("1-a,a\na,1-a\n", encoding="utf-8")
    (tmp_path / "letters.csv").write_text("1-p,p\np,1-p\n", encoding="utf-8")
    (tmp_path / "json.json").write_text("[[0.5, 0.5]]", encoding="utf-8")
    xdp.certify(xdp.tightest_level("geometric:n=2,alpha=1/4", "path")).write(tmp_path / "c.edp.json")
    whole = (tmp_path / "c.edp.json").read_bytes()
    (tmp_path / "cut.edp.json").write_bytes(whole[: len(whole) // 2])


def run(words: str):
    done = CliRunner().invoke(main, shlex.split(words))
    return done.exit_code, " ".join((done.output + (done.stderr or "")).split())


SAYS = [
    ("compare table.csv", 2, "did you mean 'exactdp audit A.csv --compare B.csv --local --for zero-one'"),
    ("privcy table.csv", 2, "did you mean privacy?"),
    ("verify table.csv", 3, "this is no certificate: those are JSON"),
    ("verify decimals.csv", 3, "this is no certificate: those are JSON"),
    ("verify json.json", 3, "this is no certificate: those are JSON"),
    ("verify cut.edp.json", 3, "the file ends early"),
    ("privacy typo.csv --graph path", 3, "'O.7' is not an exact number"),
    ("audit level.csv --graph path", 3, "--alpha 1/4 or --epsilon 1 puts one there"),
    ("audit letters.csv --graph path --letters '0 < p < 1/2'", 3, "--letters 'p = 1/4'"),
    ("audit table.csv --graph path --epsilon 1", 2, "the level that is claimed is --claims-epsilon"),
    ("audit level.csv --graph path --alpha symbolic", 2, "exactdp privacy --alpha symbolic"),
    ("convert table.csv --to csv --alpha 1/2", 2, "tables with the letter a, and table.csv has none"),
    ("convert c.edp.json --to csv --alpha 1/2", 2, "a certificate has its own level"),
    ("optimal --graph path:4 --alpha 1/4 --loss abss", 2, "did you mean abs?"),
    ("optimal --graph pth:4 --alpha 1/4 --loss abs", 3, "did you mean path?"),
    ("privacy table.csv --graph compleet", 2, "did you mean complete?"),
]


@pytest.mark.parametrize(("words", "code", "said"), SAYS, ids=[words for words, _, _ in SAYS])
def test_a_command_says_what_was_meant(words, code, said):
    found, text = run(words)
    assert said in text
    assert found == code


def test_whatever_is_cut_off_a_certificate_is_told():
    """At every byte: the file ends early, or what is left is no JSON that begins with a brace."""
    whole = Path("c.edp.json").read_bytes().strip()
    for end in range(1, len(whole)):
        answer = check_bytes(whole[:end])
        assert answer.status == "malformed"
        assert "the file ends early" in answer.sentence, end
    assert check_bytes(whole).status == "accepted"


def test_a_level_is_put_for_the_letter():
    code, text = run("convert level.csv --to csv --alpha 1/4")
    assert code == 0
    assert text == "3/4,1/4 1/4,3/4"
    code, text = run("convert level.csv --to csv --epsilon 'ln(4)'")
    assert text == "3/4,1/4 1/4,3/4"
    assert run("show level.csv --alpha 1/4")[0] == 0
    assert run("convert level.csv --to csv --epsilon 1 -o at.csv")[0] == 0
    assert xdp.read_table("at.csv").matrix[0, 1] == xdp.PrivacyLevel(epsilon=1).alpha
    code, text = run("audit level.csv --graph path --alpha 1/3 --claims-epsilon 'ln(2)' --json")
    assert code == 0  # 2/3 to 1/3
    assert json.loads(text)["claim"].startswith("level.csv (sha256 ")
    assert "at α = 1/3 is a mechanism" in json.loads(text)["claim"]
    assert run("audit level.csv --graph path --alpha 1/4 --claims-epsilon 'ln(2)'")[0] == 1
    assert run("audit level.csv --graph path --epsilon 2 --claims-epsilon 1")[0] == 1  # 6.39 times
    assert run("audit geometric:n=3 --epsilon 1 --claims-epsilon 1")[0] == 0


PYTHON = [
    (lambda: xdp.load("typo.csv"), "'O.7' is not an exact number"),
    (lambda: xdp.read_table("typo.csv"), "'O.7' is not an exact number"),
    (lambda: xdp.is_private("typo.csv", "path", "1/2"), "'O.7' is not an exact number"),
    (
        lambda: xdp.optimum("path:2", "1/2", xdp.MinimaxConsumer("abs"), progress=xdp.progress_bar),
        "with progress_bar() as progress",
    ),
    (lambda: xdp.tightest_level([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]], "path"), "from_floats(mechanism).unrounded()"),
    (lambda: xdp.optimum("path:2", "1/2", xdp.MinimaxConsumer("sqared")), "did you mean squared?"),
    (lambda: xdp.neighbours("cyle:4"), "did you mean cycle?"),
    (lambda: xdp.load("cut.edp.json"), "the file ends early"),
    (lambda: xdp.audit(xdp.read_table("letters.csv", letters={"p": "(0, 1/2)"}), "path"), "letters={'p': '1/4'}"),
]


@pytest.mark.parametrize(("call", "said"), PYTHON, ids=[said for _, said in PYTHON])
def test_python_says_what_was_meant(call, said):
    with pytest.raises(ExactDPError) as caught:
        call()
    assert said in str(caught.value)


def test_the_remedies_work():
    rows = [[0.1, 0.9], [0.25, 0.75]]
    assert xdp.tightest_level(xdp.from_floats(rows).unrounded(), "path").proved
    with xdp.progress_bar() as progress:
        assert xdp.optimum("path:2", "1/2", xdp.MinimaxConsumer("abs"), progress=progress).proved
    assert xdp.audit(xdp.read_table("letters.csv", letters={"p": "1/4"}), "path").proved


@pytest.mark.parametrize(
    ("rows", "remedy"),
    [
        ([[0.5, 0.5], [0.25, 0.75]], "from_floats(mechanism)"),  # its rows sum to 1 as doubles
        ([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]], "from_floats(mechanism).unrounded()"),
    ],
)
def test_a_frame_of_floats_is_sent_to_what_takes_it(rows, remedy):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows)
    told = refusal(lambda: xdp.tightest_level(frame, "path"))
    assert re.search(r"give ([^ ,]+) for the decimals that one sees, ([^ ,]+)", told).groups() == ("mechanism.astype(str)", remedy)
    assert re.search(r"give ([^ ,]+)", refusal(lambda: xdp.tightest_level(rows, "path")))[1] == remedy
    assert xdp.tightest_level(eval(remedy, {"from_floats": xdp.from_floats, "mechanism": frame}), "path").proved


def test_an_entry_of_a_frame_is_named_by_its_labels(tmp_path):
    """The decimals that one sees are read as the file is: each of two answers is told with 0.75 or 0.25."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0.75, 0.25], [0.25, 0.75]], index=["A", "B"], columns=["no", "yes"])
    told = refusal(lambda: xdp.tightest_level(frame, "path"))
    assert told.startswith("row A, column no: 0.75 is a float; give mechanism.astype(str) for the decimals that one sees, from_floats(")
    frame.to_csv(tmp_path / "frame.csv")
    for same in (frame.astype(str), tmp_path / "frame.csv"):
        assert xdp.tightest_level(same, "path").evidence.epsilon == xdp.Epsilon("ln 3")
    typo = pandas.DataFrame([["0.75", "0.25"], ["0.25", "O.75"]], index=["A", "B"], columns=["no", "yes"])
    with pytest.raises(xdp.errors.InputError, match=r"row B, column yes: 'O\.75'") as caught:
        xdp.tightest_level(typo, "path")
    assert (caught.value.row, caught.value.column) == (1, 1)


def test_a_typo_is_found_among_floats():
    pandas = pytest.importorskip("pandas")
    told = refusal(lambda: xdp.tightest_level(pandas.DataFrame([[0.5, 0.5], [0.25, "O.75"]]), "path"))
    assert told.startswith("row 1, column 1: 'O.75'")
    first = refusal(lambda: xdp.tightest_level(pandas.DataFrame([["O.5", 0.5], [0.25, 0.75]]), "path"))
    assert "index of the frame" not in first


def refusal(ask):
    """The message with which a call in Python is refused."""
    with pytest.raises((ExactDPError, AttributeError)) as error:
        ask()
    return str(error.value)


def test_a_rounded_file_in_python_is_told_what_python_does():
    """1/3 in sixteen digits: its row sums to 1 − 10^(−16)."""
    Path("doubles.csv").write_text(",".join(["0.3333333333333333"] * 3) + "\n1,0,0\n", encoding="utf-8")
    judged = xdp.tightest_level("doubles.csv", "local")
    assert judged.proved
    assert "doubles.csv is rounded" in judged.claim
    told = refusal(lambda: xdp.best_remap("doubles.csv", "zero-one"))
    assert "--" not in told
    assert "read_table('doubles.csv').unrounded()" in told
    assert xdp.best_remap(xdp.read_table("doubles.csv").unrounded(), "zero-one").proved
    assert "--" not in refusal(xdp.read_table("doubles.csv").as_mechanism)
    Path("columns.csv").write_text("1/3,1/2\n2/3,1/2\n", encoding="utf-8")
    told = refusal(lambda: xdp.tightest_level("columns.csv", "local"))
    assert "read_table('columns.csv').transpose() reads it so" in told
    assert "--" not in told


def test_the_level_of_an_answer_is_where_the_message_says():
    verdict = xdp.tightest_level("table.csv", "local")
    for name in ("level", "alpha"):
        assert "the tightest level is .tightest" in refusal(lambda name=name: getattr(verdict, name))
    assert verdict.tightest.value == xdp.Rational("1/2")
    assert xdp.is_private("table.csv", "local", "1/4").level == xdp.PrivacyLevel("1/4")


@pytest.mark.parametrize("level", [1, "1/4", 0.5])
def test_a_level_where_the_neighbours_stand(level):
    told = refusal(lambda: xdp.is_private("table.csv", level))
    assert f"{level} stands where the neighbours do" in told
    assert "is_private(mechanism, 'path', epsilon=" in told
    assert "stands where" not in refusal(lambda: xdp.is_private("table.csv", "path"))


@pytest.mark.parametrize("ending", ["csv", "tex", "npy"])
def test_a_certificate_is_not_written_as_a_table(ending):
    code, told = run(f"optimal --graph path:2 --alpha 1/2 --loss abs -o o.{ending}")
    assert code == 2
    assert not Path(f"o.{ending}").exists()
    assert run("optimal --graph path:2 --alpha 1/2 --loss abs -o o.json")[0] == 0
    assert run(re.search(r"convert \S+ --to \S+ (--decimals 3 )?-o o\.\w+", told)[0])[0] == 0
    assert Path(f"o.{ending}").exists()
    assert "no mechanism" in run(f"optimal table.csv --graph path:2 --alpha 1/2 --loss abs -o o2.{ending}")[1]


@pytest.mark.parametrize(("cell", "number"), [("O.7", "0.7"), ("0.l", "0.1"), ("o.7", "0.7"), ("I/2", None), ("1/1O", "1/10")])
def test_a_letter_that_looks_like_a_digit(cell, number):
    Path("seen.csv").write_text(f"{cell},0\n0,1\n", encoding="utf-8")
    for command in ("show seen.csv", "privacy seen.csv --local"):
        assert ("meant, with the digit" in run(command)[1]) == (number is not None)
        assert number is None or f"is {number} meant" in run(command)[1]


def test_the_place_of_a_letter_after_the_point():
    assert "unexpected 'l' (at character 3)" in refusal(lambda: xdp.Rational("0.l"))


def test_a_remedy_for_labels_works_in_python():
    Path("named.csv").write_text(",x,y\nno,2/3,1/3\nyes,1/3,2/3\n", encoding="utf-8")
    assert ".relabelled(['no', 'yes']) of the former" in refusal(lambda: xdp.is_refined_by("table.csv", "named.csv"))
    assert xdp.is_refined_by(xdp.read_table("table.csv").relabelled(["no", "yes"]), "named.csv").refuted


def test_options_that_are_said_otherwise():
    for words in ("optimal --n 10", "privacy table.csv --n 10"):
        assert "--graph path:10" in run(words)[1]
    assert "audit TABLE --html page.html" in run("privacy table.csv --plot")[1]
    assert run("audit table.csv --local --html page.html")[0] in {0, 1}
    assert "<svg" in Path("page.html").read_text(encoding="utf-8")


def test_a_frame_of_floats_names_what_reads_it():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0.7, 0.3], [0.3, 0.7]])
    told = refusal(lambda: xdp.Mechanism.from_pandas(frame))
    assert "from_floats(frame).unrounded()" in told
    assert isinstance(xdp.from_floats(frame).unrounded(), xdp.Mechanism)
    assert "from_float(x)" not in told


def test_a_certificate_that_was_read_has_its_sentence():
    written = xdp.certify(xdp.tightest_level("table.csv", "local"))
    assert written.sentence
    assert str(xdp.load(written.write("read.json"))) == written.sentence


def test_of_two_tables_the_more_private_one_is_named():
    told = run("audit table.csv --compare decimals.csv --local")[1]
    assert "equally private" in told
    Path("half.csv").write_text("1/2,1/2\n1/2,1/2\n", encoding="utf-8")
    assert "COMPARED half.csv is more private" in run("audit table.csv --compare half.csv --local")[1]


def test_what_the_law_says_comes_first():
    code, told = run("optimal geometric:n=1000000,epsilon=0.5 --loss abs")
    assert code == 4
    assert told.startswith("UNDECIDED loss ≈ 1.919034751 at worst by its law")
    assert told.index("by its law") < told.index("1,000,002,000,001 numbers")


def test_a_table_that_fails_by_less_than_its_digits_is_told_so():
    """e/(e + 2) and 1/(e + 2) in twelve digits: ε is 1.000000000001."""
    Path("printed.csv").write_text(
        "0.576116884766,0.211941557617,0.211941557617\n0.211941557617,0.576116884766,0.211941557617\n"
        "0.211941557617,0.211941557617,0.576116884766\n",
        encoding="utf-8",
    )
    code, told = run("privacy printed.csv --local --epsilon 1")
    assert code == 1
    assert "others that round to the 12 digits of printed.csv may be: --digits 12" in told
    assert run("privacy printed.csv --local --epsilon 1 --digits 12")[1].startswith("UNDECIDED")
    assert "that round to" not in run("privacy printed.csv --local --epsilon 0.9")[1]
    assert "that round to" not in run("privacy table.csv --local --alpha 3/4")[1]  # fractions have no digits


def test_long_numbers_are_printed_as_decimals():
    table = xdp.optimum("path:4", "epsilon=1/2", xdp.MinimaxConsumer("abs")).evidence.best
    lines = str(table).splitlines()
    assert max(map(len, lines)) < 80
    assert float(lines[1].split()[1]) == pytest.approx(float(table[0, 0]), abs=1e-6)
    assert "rounded to 6 digits" in lines[-1]
    assert "1/2" in str(xdp.read_table("table.csv"))
