# SPDX-License-Identifier: MIT
"""What is called otherwise here: the message names what was meant, and that works in the same command."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from math import exp
from pathlib import Path

import click
import pytest
from cli_runner import run
from click.shell_completion import ShellComplete

import exactdp as xdp
from exactdp.cli.otherwise import meant_option
from exactdp.cli.program import COMMANDS, main

ROOT = Path(__file__).parents[2]


def drawn(words):
    """What a command does that may draw; the test is skipped where there is no Matplotlib."""
    done = run(words)
    if "pictures need matplotlib" in done.err:
        pytest.importorskip("matplotlib")
    return done


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # a batch starts processes
    (tmp_path / "A.csv").write_text("3/5,1/5,1/5\n1/5,3/5,1/5\n1/5,1/5,3/5\n", encoding="utf-8")
    (tmp_path / "B.csv").write_text("1/2,1/4,1/4\n1/4,1/2,1/4\n1/4,1/4,1/2\n", encoding="utf-8")


OPTIONS = [
    ("audit A.csv --local --compare B.csv --loss zero-one", "--for zero-one", "audit A.csv --local --compare B.csv --for zero-one"),
    ("audit A.csv --local --prior uniform", "--for 'abs prior=uniform'", "audit A.csv --local --for 'abs prior=uniform'"),
    ("audit A.csv --local --claim 2", "--claims-epsilon 1", "audit A.csv --local --claims-epsilon 2"),
    ("remap A.csv --consumer zero-one", "--loss zero-one", "remap A.csv --loss zero-one"),
    ("refine A.csv B.csv --loss zero-one", "audit A --compare B --for zero-one", "audit A.csv --compare B.csv --for zero-one --local"),
    ("privacy A.csv --local --loss abs", "remap MECHANISM --loss zero-one", "remap A.csv --loss zero-one"),
    ("privacy A.csv --local --claim 2", "--epsilon 1", "privacy A.csv --local --epsilon 2"),
    ("privacy A.csv --local --float", "--dyadic", "privacy A.csv --local --dyadic"),
    ("privacy A.csv --local --format json", "--json", "privacy A.csv --local --json"),
    ("privacy A.csv --neighbours path", "--graph path", "privacy A.csv --graph path"),
    ("privacy A.csv --local --eps 2", "'--epsilon'?", "privacy A.csv --local --epsilon 2"),
    ("privacy A.csv --loacl", "'--local'?", "privacy A.csv --local"),
    ("optimal --graph path:3 --alpha 1/2 --loss abs --latex", "-o opt.json", "optimal --graph path:3 --alpha 1/2 --loss abs -o opt.json"),
    ("optimal --graph path:3 --alpha 1/2 --loss abs --cert d.json", "-o d.json", "optimal --graph path:3 --alpha 1/2 --loss abs -o d.json"),
    ("optimal --inputs 3 --alpha 1/2 --loss abs", "--graph path:3 has 3 inputs", "optimal --graph path:3 --alpha 1/2 --loss abs"),
    ("optimal --n 3 --alpha 1/2 --loss abs", "geometric:n=3 has 4 inputs", "optimal geometric:n=3 --alpha 1/2 --loss abs --after-remap"),
    ("tight --n 3", "path:3 has 3 inputs", "tight path:3 --alpha 1/2"),
    ("show A.csv --png a.png", "-o a.png", "show A.csv -o a.png"),
    ("show A.csv --svg", "-o m.svg", "show A.csv -o m.svg"),
    ("show A.csv --to latex", "--latex", "show A.csv --latex"),
    ("convert A.csv --latex", "--to latex", "convert A.csv --to latex"),
]


@pytest.mark.parametrize(("typed", "told", "meant"), OPTIONS, ids=[typed for typed, _, _ in OPTIONS])
def test_an_option_that_is_called_otherwise(typed, told, meant):
    refused = run(typed)
    assert refused.code == 2
    assert told in refused.err
    assert drawn(meant).code == 0


@pytest.mark.parametrize("typed", ["privacy A.csv --latex", "remap A.csv --xyz", "optimal --inputs 10", "show A.csv --png a.png"])
def test_an_option_is_not_taken_for_an_unlike_one(typed):
    err = run(typed).err
    assert all(option not in err for option in ("--labels", "--letters", "--digits", "--help'?", "'--output'"))


WORDS = [
    ("privacy A.csv --local 2", "; write --epsilon 2"),
    ("privacy A.csv --local 'ln(3)'", "; write --epsilon 'ln(3)'"),
    ("privacy A.csv local", "; write --graph local"),
    ("privacy A.csv path", "; write --graph path"),
    ("remap A.csv zero-one", "; write --loss zero-one"),
    ("remap A.csv '|i-r|'", "; write --loss abs"),
    ("remap A.csv 0-1", "; write --loss zero-one"),
    ("show A.csv m.png", "; write -o m.png"),
]


@pytest.mark.parametrize(("typed", "told"), WORDS, ids=[typed for typed, _ in WORDS])
def test_a_word_without_a_place(typed, told):
    refused = run(typed)
    assert refused.code == 2
    assert told in refused.err
    words = shlex.split(typed)
    option = shlex.split(told.removeprefix("; write "))
    assert drawn([*(words[:-1]), *option]).code == 0


def test_two_tables_are_no_number():
    told = run("privacy A.csv B.csv --local").err
    assert "privacy takes one mechanism here" in told
    assert "with --for zero-one also better for whom" in told


def test_two_audited_tables_are_compared_by_another_command():
    told = run("audit A.csv B.csv --graph path --no-header").out
    [command] = re.findall("exactdp (audit A.csv --compare B.csv .*) says which of both is more private", told)
    assert run(command).first.startswith("COMPARED  B.csv is more private")
    assert run(f"{command} --for zero-one").first.endswith("A.csv is better for zero-one")
    assert "--compare" not in run("audit A.csv B.csv --local --claims-epsilon 1").out


@pytest.mark.parametrize("command", ["privacy", "audit", "show", "optimal --loss abs", "remap --loss abs"])
def test_a_missing_level_is_told_before_the_size(command):
    word, *more = command.split()
    refused = run([word, "geometric:n=1000000", *more])
    assert refused.code == 3
    assert "the level is missing" in refused.err
    assert "the limit is" in run(["show", "geometric:n=1000000,alpha=1/2"]).err


@pytest.mark.parametrize(("level", "claim"), [("--epsilon 2", "--claims-epsilon 2"), ("--alpha 1/4", "--claims-alpha 1/4")])
def test_a_level_without_a_letter_is_a_claim(level, claim):
    for table in ("A.csv --local", "geometric:n=1000000,alpha=1/4"):
        refused = run(f"audit {table} {level}")
        assert refused.code == 2
        assert refused.err.rstrip().endswith(f": write {claim}")
        assert run(f"audit {table} {claim}").code == 0


def test_a_table_is_no_certificate():
    lines = run("verify A.csv").out.splitlines()
    assert lines[0].startswith("A.csv: malformed: this is a table, and no certificate")
    assert lines[1].endswith("this is no certificate: those are JSON, and begin with {")
    assert run("show A.csv").code == 0


def test_the_value_of_a_long_formula_comes_first():
    """For t = e^(−1/2) the optimum is (2t³ + 2t² + 2t)/(−t⁴ + 2t² + 2t + 1)."""
    run("optimal --graph path:4 --epsilon 1/2 --loss abs -o opt.json")
    t = exp(-1 / 2)
    value = f"{(2 * t**3 + 2 * t**2 + 2 * t) / (-(t**4) + 2 * t**2 + 2 * t + 1):.6f}"
    told = run("verify opt.json").out.splitlines()
    assert told[0].startswith(f"opt.json: accepted: least loss ≈ {value} (exact: ")
    sentence = run("verify opt.json --json").json["files"][0]["sentence"]
    assert told[1] == f"  {sentence}"
    shown = run("show opt.json --full").out.splitlines()
    assert shown[0].split(maxsplit=1)[1].startswith(f"least loss ≈ {value} ")
    assert shown[1].endswith(sentence)


def test_the_value_of_a_short_fraction_comes_first_as_well():
    """At α = 1/4 it is 168/415, as in Table 1 of Gupte and Sundararajan."""
    run("optimal --graph path:4 --alpha 1/4 --loss abs -o short.json")
    told = run("verify short.json").out.splitlines()
    assert told[0] == "short.json: accepted: least loss 168/415 ≈ 0.404819"
    assert told[1:] == [f"  {run('verify short.json --json').json['files'][0]['sentence']}"]
    assert run("show short.json").out.splitlines()[0].split(maxsplit=1)[1] == "least loss 168/415 ≈ 0.404819"


def test_a_certificate_as_latex_and_as_a_picture():
    run("optimal --graph path:11 --epsilon 1/2 --loss abs -o opt.json")
    assert drawn("show opt.json -o opt.svg").code == 0
    assert Path("opt.svg").read_text(encoding="utf-8").count("<svg") == 1
    told = run("convert opt.json -o opt.tex").err
    assert "--decimals 4 writes a table of rounded numbers" in told
    assert Path("opt.tex").read_text(encoding="utf-8").startswith("\\setcounter{MaxMatrixCols}{11}\n\\begin{bmatrix}")
    assert run("convert opt.tex --to csv").out == run("convert opt.json --to csv").out
    latex = run("show opt.json --latex").out
    assert "t^{2}" in latex
    assert "textasciicircum" not in latex
    assert run("convert opt.json opt2.tex").err.rstrip().endswith("; write -o opt2.tex")
    assert "--to csv, json, npy" in run("convert opt.json").err


def test_a_format_is_said_by_the_ending():
    for name, form in {"t.csv": "csv", "t.json": "json", "t.tex": "latex", "t.py": "sympy"}.items():
        assert run(f"convert A.csv -o {name}").code == 0
        assert Path(name).read_text(encoding="utf-8") == run(f"convert A.csv --to {form}").out
    assert run("convert A.csv --to tex").out == run("convert A.csv --to latex").out


def test_rounded_rows_tell_what_they_sum_to():
    Path("t.csv").write_text("1/3,1/3,1/3\n1/2,1/4,1/4\n", encoding="utf-8")
    first, *rest = run("convert t.csv --to latex --decimals 2").out.splitlines()
    assert first == "% rounded to 2 digits, rows sum to 0.99 to 1.00; exactly, each sums to 1"
    assert rest[0].startswith(r"\begin{tabular}")
    assert "\n".join([first, *rest]) == xdp.read_table("t.csv").to_latex(decimals=2)  # in Python too
    assert xdp.Table([["1/3", "1/3"]]).to_latex(decimals=2).startswith(r"\begin{tabular}")  # 2/3: not rounded from 1
    assert run("convert A.csv --to latex --decimals 1").out.startswith(r"\begin{tabular}")


def test_two_tables_are_compared_in_one_line():
    told = run("audit A.csv --local --compare B.csv --for zero-one --no-header").out
    lines = told.splitlines()
    assert lines[0] == "COMPARED  B.csv is more private: ε = ln(2) ≈ 0.693 < ln(3) ≈ 1.099; A.csv is better for zero-one"
    assert lines[2].startswith("first     smallest ε = ln(3) ")
    assert "beside it" not in told
    assert "beside it B.csv" in run("audit A.csv --local --compare B.csv --claims-epsilon 1").out
    assert "is told with --for" in run("audit A.csv --local --compare B.csv").out


def test_two_losses_are_told_alike():
    """Of 5/4 and 3/2 the line has no room for both fractions."""
    Path("C1.csv").write_text("3/4,1/4,0\n1/4,1/2,1/4\n0,1/4,3/4\n", encoding="utf-8")
    first = run("refine A.csv C1.csv").first
    assert not re.search(r"[0-9]/[0-9]+ [=≈].* at best [0-9.]+$", first)


def test_digits_are_counted_in_words():
    Path("rr.csv").write_text("0.6,0.2,0.2\n0.2,0.6,0.2\n0.2,0.2,0.6\n", encoding="utf-8")
    told = run("privacy rr.csv --epsilon 1 --local").out
    assert "others that round to the 1 digit of rr.csv may be: --digits 1" in told
    assert run("privacy rr.csv --epsilon 1 --local --digits 1").code == 4


def test_an_entry_is_named_by_its_labels():
    Path("typo.csv").write_text(",a,b\nx,O.7,0.3\ny,0.3,0.7\n", encoding="utf-8")
    assert "typo.csv: row x, column a (line 2): 'O.7' is not" in run("privacy typo.csv --local").err
    Path("typo.csv").write_text("O.7,0.3\n0.3,0.7\n", encoding="utf-8")
    assert "typo.csv: row 0, column 0 (line 1): 'O.7' is not" in run("privacy typo.csv --local").err


@pytest.mark.parametrize("rows", ["3/5,2/5\n2/5,3/5\n", "1/2,1/2\n1/2,1/2\n"])
def test_a_picture_is_white_at_0(rows):
    pytest.importorskip("matplotlib")
    table = xdp.read_table(rows)
    assert table.plot().axes[0].images[0].get_clim() == (0, float(max(x for row in table.matrix.rows() for x in row)))


@pytest.mark.parametrize("loss", ["|i - r|", "abs(i-r)", "abs(i - r)"])
def test_a_formula_of_a_loss_is_told(loss):
    assert "did you mean abs?" in run(["optimal", "--graph", "path:3", "--alpha", "1/2", "--loss", loss]).err
    with pytest.raises(xdp.errors.InputError, match=r"did you mean abs\?"):
        xdp.MinimaxConsumer(loss)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("optimal --loss ze", ["zero-one"]),
        ("remap A.csv --loss s", ["squared"]),
        ("privacy geom", ["geometric:"]),
        ("optimal --graph cy", ["cycle", "cycle:"]),
    ],
)
def test_the_tab_key_offers_words_and_files(words, offered):
    *given, begun = words.split()
    found = ShellComplete(main, {}, "exactdp", "_EXACTDP_COMPLETE").get_completions(given, begun)
    assert [one.value for one in found if one.type == "plain"] == offered
    assert found[0].type == "file"


COMMANDS_OF = [getattr(import_module(module), name) for name, (module, _) in COMMANDS.items()]


@pytest.mark.parametrize("command", COMMANDS_OF, ids=list(COMMANDS))
def test_a_hint_of_options_names_those_of_the_command(command):
    """Words that name another command, in full, may have its options."""
    own = {name for option in command.params if isinstance(option, click.Option) for name in option.opts}
    typed = ("--loss", "--consumer", "--for", "--n", "--latex", "--to", "--cert", "--float", "--claim", "--neighbours", "--level", "--png")
    for option in (one for one in typed if one not in own):
        told = meant_option(command, option, ())
        if "exactdp" not in told and "(Did" not in told:
            assert {word.rstrip(",;()") for word in told.split() if word.startswith("-")} <= own, (option, told)


COMMANDS_MEANT = [
    "is-private A.csv",
    "check A.csv --epsilon 1",
    "epsilon A.csv",
    "tightest_level A.csv --graph path",
    "epsilon geometric:n=3,alpha=1/2",
    "compare A.csv B.csv",
    "optimum",
    "best --graph path:3 --alpha 1/2 --loss abs",
    "load A.csv",
    "latex A.csv",
    "heatmap A.csv",
    "best-remap A.csv",
    "geometric 3",
    "randomized-response",
]


@pytest.mark.parametrize("typed", COMMANDS_MEANT)
def test_a_word_that_is_no_command_is_answered_with_a_whole_one_that_works(typed):
    refused = run(typed)
    assert refused.code == 2
    found = re.findall(r"'exactdp ((?:[^']|'(?=\d))*)'", refused.err.replace("verify A.csv", "show A.csv"))
    assert found
    assert all(drawn(command).code in (0, 1) for command in found)


def test_neighbours_are_told_with_a_wrong_option_where_they_lack():
    assert "and say who is near, with --local" in run("privacy A.csv --eps 1").err
    for typed in ("privacy A.csv --eps 1 --graph path", "privacy geometric:n=3 --eps 1", "remap A.csv --xyzzy", "show A.csv --plot"):
        assert "who is near" not in run(typed).err
