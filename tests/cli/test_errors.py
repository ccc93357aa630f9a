"""Whatever is wrong: the right exit code, one message that names object, rule, values and remedy, and never a
traceback.
"""

from __future__ import annotations

import json

import pytest
from cli_runner import example_files, run
from places import CORPUS

from exactdp.cli import program as failures
from exactdp.errors import DefectiveAnswerError, ResourceLimitError


@pytest.fixture
def here(tmp_path, monkeypatch):
    example_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    files = {
        "short.csv": "1/2,1/2\n1\n",
        "two_apart.csv": "0,2\n2,0\n",
        "flat.csv": "a,1-a,0\na,1-a,0\na,1-a,0\n",
        "swap.csv": "a,1-a\n1-a,a\n",
        "headed.csv": "low,high\n1,0\n",
        "bad.csv": "1/2,1_0/3\n0,1\n",
        "arabic.csv": "1,0\n0,١\n",
        "negative.csv": "3/2,-1/2\n0,1\n",
        "empty.csv": "",
        "bad.json": '{"rows": [[1,',
        "floats.json": "[[NaN, 1]]",
        "labels.csv": ",no,yes\na,1/2,1/2\nb,1/3,2/3\n",
        "loop.edges": "0 1\n1 1\n",
        "triangle.csv": "0,1,3\n1,0,1\n3,1,0\n",
        "far.edges": "0 1\n2 3\n",
        "zero.csv": "0,0\n0,1\n",
        "weights.csv": "1/2,1/3\n",
        "two.csv": "1/2,1/2\n1/2,1/2\n",
        "euclid.csv": "0,1,sqrt(2)\n1,0,1\nsqrt(2),1,0\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00\x01")
    (tmp_path / "folder").mkdir()
    return tmp_path


WRONG = [
    # command, exit code, what the message says
    ("privacy", 2, "Missing argument 'MECHANISM'"),
    ("privcy x", 2, "there is no command 'privcy'; did you mean privacy?"),
    ("leakage x", 2, "there is no command 'leakage'; the commands are privacy, derive,"),
    ("convert two.csv", 2, "say the format: --to csv, json, "),
    ("optimal path:4", 2, "names no mechanism but a graph, which is given as --graph path:4"),
    ("optimal --graph geometric:n=3 --alpha 1/2", 2, "--graph: 'geometric:n=3' names no graph but a mechanism"),
    ("privacy --nonsense", 2, "--nonsense"),
    ("privacy nofile.csv --graph path", 2, "there is no file 'nofile.csv'"),
    ("privacy folder", 2, "can't read 'folder'"),
    ("privacy geometric:n=3", 3, "the level is missing"),
    ("privacy geometric:n=x --alpha 1/2", 3, "n is 'x', and not an integer"),
    ("privacy geometric:n=1,n=2 --alpha 1/2", 3, "n is given twice"),
    ("privacy geometric:n=999999999 --alpha 1/2 --local", 4, "the limit is"),
    ("privacy table.csv --graph path --alpha 0", 3, "level 0 constrains nothing"),
    ("privacy table.csv --graph path --alpha 1", 3, "forces all rows to be equal"),
    ("privacy table.csv --graph path --alpha 5/4", 3, "not between 0 and 1"),
    ("privacy table.csv --graph path --alpha 1_0/3", 3, "underscores are not digits"),
    ("privacy table.csv --graph path --alpha ١/٣", 3, "not one of the digits"),
    ("privacy table.csv --graph path --alpha 1e400000000", 3, "at most three digits"),
    ("privacy table.csv --graph path --alpha nan", 3, "not rational"),
    ("privacy table.csv --graph path --alpha __import__('os')", 3, "not an exact number"),
    ("privacy table.csv --graph path --alpha 1/2 --epsilon 1", 2, "not both"),
    ("privacy table.csv --graph path:5", 3, "path:5"),
    ("privacy table.csv --graph nowhere", 2, "names no graph"),
    ("privacy table.csv --graph moebius:4", 3, "must begin with one of path, cycle"),
    ("privacy table.csv --graph path:99999999999", 4, "the limit is"),
    ("privacy table.csv --graph loop.edges", 3, "line 2"),
    ("privacy table.csv --graph path:4 --metric triangle.csv", 2, "not both"),
    ("privacy two.csv --metric triangle.csv", 3, "triangle inequality fails"),
    ("privacy short.csv --graph path", 3, "row 1 (line 2) has 1 entries"),
    ("privacy bad.csv --graph path", 3, "row 0, column 1 (line 1)"),
    ("privacy arabic.csv --graph path", 3, "row 1, column 1 (line 2)"),
    ("privacy empty.csv --graph path", 3, "empty"),
    ("privacy binary.csv --graph path", 3, "not UTF-8"),
    ("privacy bad.json --graph path", 3, "not JSON"),
    ("privacy floats.json --graph path", 3, "NaN"),
    ("privacy labels.csv --labels", 2, "--graph path for a count"),
    ("privacy negative.csv --graph path --renormalise", 3, "negative"),
    ("privacy zero.csv --graph path --renormalise", 3, "row 0"),
    ("privacy table.csv --graph path -o nowhere/c.json", 2, "no directory 'nowhere'"),
    ("privacy table.csv --graph path -o folder", 2, "is a directory"),
    ("privacy headed.csv --graph path", 3, "line 1 is words, and the first column may be labels or numbers: give --labels"),
    ("show bad.json", 3, "bad.json: not JSON"),
    ("convert bad.json --to csv", 3, "bad.json: not JSON"),
    ("derive table.csv", 2, "--source"),
    ("derive table.csv --source two.csv", 3, "two.csv has 2 inputs, but table.csv has 4"),
    ("derive negative.csv --source table.csv", 3, "negative.csv"),
    ("derive zero.csv --source two.csv", 3, "row 0 sums to 0, not 1 (excess -1)"),
    ("optimal", 2, "the level is missing"),
    ("optimal --alpha 1/2", 2, "say which inputs are neighbours"),
    ("optimal --alpha 1/2 --graph path:3", 2, "--loss"),
    ("optimal --alpha 1/2 --graph path:3 --loss abs --gain abs", 2, "--loss"),
    ("optimal --alpha 1/2 --graph path:3 --loss abs --after-remap", 2, "given mechanism"),
    ("optimal --alpha 1/2 --graph path:3 --loss cubic", 2, "names no loss"),
    ("optimal --alpha 1/2 --graph path:3 --loss loss.csv", 3, "loss.csv has 6 inputs, but path:3 has 3"),
    ("optimal --alpha 1/2 --graph hypercube:2 --loss abs", 3, "distance"),
    ("optimal --alpha 1/2 --graph far.edges --loss distance", 3, "not connected"),
    ("optimal --alpha 1/2 --metric euclid.csv --loss abs", 3, "irrational"),
    ("optimal --alpha 1/2 --graph path:3 --loss abs --prior uniform --side-information 0", 2, "one of them"),
    ("optimal --alpha 1/2 --graph path:3 --loss abs --prior nobody", 2, "uniform"),
    ("optimal --alpha 1/2 --graph path:2 --loss abs --prior weights.csv", 3, "sums to 5/6, not 1 (excess -1/6)"),
    ("optimal --alpha 1/2 --graph path:3 --loss abs --prior 1/2,1/2", 3, "the prior has 2 inputs, but path:3 has 3"),
    ("optimal --alpha 1/2 --graph path:3 --loss abs --side-information 0..7", 3, "'7'"),
    ("optimal --alpha 1/2 --graph path:3 --loss abs --side-information ''", 3, ""),
    ("optimal lumped-geometric:n=2 --alpha 1/2 --loss abs", 3, "--after-remap"),
    ("optimal table.csv --graph path --loss abs", 2, "--alpha"),
    ("optimal - --graph path --alpha 1/2 --loss -", 2, "only once"),
    ("remap geometric:n=3 --alpha 1/4 --loss abs --remap two.csv", 3, "2 rows, but there are 4 outputs"),
    ("remap geometric:n=1 --alpha 1/4 --loss abs --remap zero.csv", 3, "zero.csv: row 0 sums to 0"),
    ("release --n 3", 2, "--alpha"),
    ("release --n x --alpha 1/2", 2, "'x' is not a valid integer"),
    ("release --n 0 --alpha 1/2", 3, "at least two inputs"),
    ("release --n 3 --alpha 1/2,1/4", 3, "levels must increase strictly (the least private first), but α = 1/2 comes before α = 1/4"),
    ("release --n 1 --epsilon 1/2,1", 3, "ε must decrease strictly (the least private first), but ε = 1/2 comes before ε = 1"),
    ("release --n 1 --epsilon ln(2),ln(3)", 3, "but ε = ln(2) comes before ε = ln(3)"),
    ("compose two.csv --metric two_apart.csv", 3, "neighbours at distance 1, and 0 and 1 are at distance 2; give a graph"),
    ("privacy letters.csv --graph path --letters '0<p<1/2' --letters p=1/4", 3, "p is said to be the number 1/4, and '0<p<1/2' speaks"),
    ("privacy letters.csv --graph path --letters 'p = 1/4, 0 < q < 1, q < p'", 3, "and 'q < p' speaks of it as a letter; leave one"),
    ("derive geometric:n=2 --source flat.csv --alpha symbolic", 3, "singular at every level, so R is not determined; ask about one level"),
    ("derive geometric:n=1 --source swap.csv --alpha symbolic", 3, "singular at 1/2, so R is not determined; ask about one level"),
    ("release --n 3 --alpha 1/4,2", 3, "--alpha, number 2"),
    ("release --n 9 --alpha 1/9,1/8,1/7,1/6,1/5,1/4,1/3", 4, "has 100,000,000 numbers; the limit is 5,000,000 (to allow it: --budget 20,"),
    ("show nofile", 2, "nofile"),
    ("show bad.csv", 3, "row 0, column 1"),
    ("convert table.csv", 2, "--to"),
    ("convert table.csv --to docx", 2, "docx"),
    ("convert table.csv --to vipr", 2, "certificate"),
    ("convert geometric:n=3 --alpha 1/2 --to vipr", 2, "certificate"),
    ("claims gupte_sundararajan", 2, "python proofs/claims.py"),
    ("cite gupte_sundararajan/T1", 2, "python proofs/cite.py"),
    ("verify", 2, "FILE"),
]


@pytest.mark.parametrize(("command", "code", "message"), WRONG, ids=[command[:70] for command, _, _ in WRONG])
def test_one_message_and_the_right_code(here, command, code, message):
    done = run(command, stdin="1/2,1/2\n1/2,1/2\n")
    assert done.code == code, done
    assert message in done.err
    assert done.out == ""
    assert "--debug" not in done.err, "a defect message where the user is at fault"
    if not command.startswith(("convert", "show")):
        as_json = run(f"{command} --json", stdin="1/2,1/2\n1/2,1/2\n")
        assert as_json.code == code
        answer = json.loads(as_json.out)
        assert (answer["verdict"], answer["claim"], answer["certificate"]) == ("undecided" if code == 4 else None, None, None)
        assert message in answer["error"]
        assert answer["exit_code"] == code
        assert as_json.err == ""


def test_a_table_that_is_no_mechanism_is_refuted_not_refused(here):
    done = run("privacy negative.csv --graph path --json")
    assert done.code == 1
    assert done.json["violated"] == [{"row": "0", "column": "1", "value": "-1/2"}]
    assert "not possible" in run("privacy zero.csv --graph path").out


def test_limits_of_the_kernel_leave_the_verdict(here, monkeypatch):
    def too_large(verdict):
        raise ResourceLimitError("the certificate exceeds a limit of the kernel: 5 > 4")

    monkeypatch.setattr("exactdp.certificate.certify", too_large)
    done = run("privacy table.csv --graph path -o c.json")
    assert done.code == 4
    assert done.out.startswith("PROVED")
    assert "no certificate was written" in done.err
    as_json = run("privacy table.csv --graph path -o c.json --json")
    assert (as_json.code, as_json.json["verdict"], as_json.json["certificate"]) == (4, "proved", None)
    assert not (here / "c.json").exists()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DefectiveAnswerError("the optimum is wrong; please report this"), 70),
        (ZeroDivisionError("oh"), 70),
        (MemoryError(), 4),
        (RecursionError("deep"), 70),
        (KeyboardInterrupt(), 130),
        (OSError(28, "No space left on device", "c.json"), 2),
    ],
)
def test_defects_ask_for_a_report(here, monkeypatch, error, code):
    def fail(*args, **named):
        raise error

    monkeypatch.setattr("exactdp.analysis.tightest_level", fail)
    done = run("privacy table.csv --graph path")
    assert done.code == code
    assert done.err.strip()
    if code == 70:
        assert "report" in done.err
    assert run("privacy table.csv --graph path --json").json["exit_code"] == code


def test_debug_shows_the_traceback(here, monkeypatch):
    from click.testing import CliRunner

    from exactdp.cli import main

    def fail(*args, **named):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("exactdp.analysis.tightest_level", fail)
    done = CliRunner().invoke(main, ["privacy", "table.csv", "--graph", "path", "--debug"])
    assert "Traceback" in done.stderr
    assert 'raise ZeroDivisionError("oh")' in done.stderr
    assert done.exit_code == 70


def test_an_incomplete_installation_is_named(here, monkeypatch):
    def fail(*args, **named):
        raise ModuleNotFoundError("No module named 'flint'", name="flint")

    monkeypatch.setattr("exactdp.analysis.tightest_level", fail)
    done = run("privacy table.csv --graph path")
    assert done.code == 70
    assert "flint can't be imported" in done.err


def test_no_words_at_all_show_the_help():
    done = run("")
    assert done.code == 2
    assert "Commands:" in done.out + done.err


def test_every_error_family_has_its_code():
    from exactdp import errors

    expected = {"InputError": 3, "ShapeError": 3, "DomainError": 3, "ResourceLimitError": 4, "SearchError": 4, "DefectiveAnswerError": 70}
    expected |= {"MalformedCertificateError": 3, "RejectedCertificateError": 1, "WriteError": 5}
    for name, code in expected.items():
        assert failures.exit_code(getattr(errors, name)("no")) == code


@pytest.mark.parametrize("name", ["field-end-no-root", "field-end-empty-isolation", "field-ends-reversed"])
def test_a_rejected_certificate_without_numbers_is_shown_by_its_sentence(name):
    done = run(["show", str(CORPUS / "reject" / f"{name}.edp.json")])
    assert done.code == 1
    assert done.out.startswith("rejected")
