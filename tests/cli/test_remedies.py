"""Tables that are read in another way than they look: a header, a transpose, rows and priors that miss 1.

A remedy that the program offers is no more favourable than the truth of what the user has, or says so.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from cli_runner import run
from hypothesis import given
from hypothesis import strategies as st
from places import in_folder

import exactdp as xdp
from exactdp.errors import InputError, NegativeEntryError, NotStochasticError
from exactdp.model import Prior, Table, neighbours
from exactdp.model.faults import MOST_ROUNDING
from exactdp.readers import read_prior, read_table

ROWS = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/3", "1/3", "1/3"]]


def csv(rows, head=()):
    return "".join(",".join(map(str, row)) + "\n" for row in [*([head] if head else []), *rows])


def columns_of(rows):
    return [list(column) for column in zip(*rows, strict=True)]


here = in_folder(
    {
        "plain.csv": csv(ROWS),
        "turned.csv": csv(columns_of(ROWS)),
        "headed.csv": csv(ROWS, range(3)),
        "two.csv": csv([["1/2", "1/2"], ["1/3", "2/3"]], range(2)),
    }
)


QUESTIONS = [
    "privacy {} --graph path --alpha 1/2",
    "audit {} --graph path --claims-alpha 1/2 --for abs",
    "delta {} --graph complete --alpha 2/3",
    "compose {} uniform:n=2 --graph path",
    "optimal {} --graph path --alpha 1/4 --loss abs",
    "remap {} --loss zero-one",
    "derive {} --source identity:n=2",
    "refine identity:n=2 {}",
    "tight path:3 --alpha 1/4 --mechanism {}",
    "type path:3 --alpha 1/4 --kernels --mechanism {}",
]
"""Commands that read the table of a mechanism."""


# ── A header ──


@pytest.mark.parametrize("command", [*QUESTIONS, "show {}", "convert {} --to json"])
@pytest.mark.parametrize("head", [["0", "1", "2"], ["10", "20", "30"], ["0.0", "1.0", "2.0"], ["-1", "0", "1"], ["1/2", "3/2", "5/2"]])
def test_a_first_line_that_is_no_probabilities_is_refused(here, command, head):
    Path("h.csv").write_text(csv(ROWS, head), encoding="utf-8")
    done = run(command.format("h.csv"))
    assert done.code == 3
    assert "h.csv: line 1" in done.err
    assert "--header" in done.err
    assert "--no-header" in done.err


def said(done):
    """What an answer in JSON says, without the name of the file, its digest and the notes."""
    body = json.loads(
        re.sub("sha256 [0-9a-f]{8}", "sha256", done.out).replace("headed.csv", "plain.csv").replace("turned.csv", "plain.csv")
    )
    return {key: value for key, value in body.items() if key not in ("notes", "seconds")}


@pytest.mark.parametrize(
    ("file", "option", "note"),
    [("headed.csv", "--header", "line 1 is read as labels"), ("turned.csv", "--transpose", "transposed")],
    ids=["the table below its header", "the table whose rows are the columns"],
)
@pytest.mark.parametrize("command", QUESTIONS)
def test_the_option_makes_the_plain_table_of_it(here, command, file, option, note):
    plain = run(f"{command.format('plain.csv')} --json")
    other = run(f"{command.format(file)} {option} --json")
    assert other.code == plain.code
    assert said(other) == said(plain)
    assert any(note in line for line in other.json["notes"])


def test_the_case_that_was_found(here):
    """0,1 above two rows, as data frames write it, was PROVED to be three inputs with ε = ∞."""
    assert run("privacy two.csv --graph path").code == 3
    body = run("privacy two.csv --graph path --header --json").json
    assert (body["neighbours"]["inputs"], body["level"]["alpha"]) == (2, "2/3")
    body = run("privacy two.csv --graph path --no-header --json").json
    assert (body["neighbours"]["inputs"], body["level"]["alpha"]) == (3, "0")


def test_zeros_and_ones_are_rows_and_a_note_names_the_header(here):
    Path("d.csv").write_text("0,1\n1,0\n", encoding="utf-8")
    body = run("privacy d.csv --graph path --json").json
    assert any("line 1 is read as a row of probabilities" in note and "--header" in note for note in body["notes"])
    assert not any("--header" in note for note in run("privacy d.csv --graph path --no-header --json").json.get("notes", []))


def test_rows_are_not_divided_into_what_a_header_is(here):
    Path("r.csv").write_text("0.1,0.2\n1/2,1/2\n1/3,2/3\n", encoding="utf-8")
    refused = run("privacy r.csv --graph path --renormalise")
    assert refused.code == 3
    assert "--header" in refused.err
    wrong = run("privacy r.csv --graph path --json")
    assert wrong.code == 1
    assert any("--header" in note for note in wrong.json["notes"])
    assert run("privacy r.csv --graph path --renormalise --no-header").code == 0


def test_where_a_header_has_no_meaning(here):
    Path("t.json").write_text(json.dumps(ROWS), encoding="utf-8")
    for command in ("privacy t.json --graph path", "privacy geometric:n=2,alpha=1/2", "optimal --graph path:3 --alpha 1/2 --loss abs"):
        for option in ("--header", "--no-header"):
            done = run(f"{command} {option}")
            assert done.code == 2
            assert f"{option} has no effect" in done.err
    assert run("privacy headed.csv --graph path --header --labels").code == 2
    Path("w.csv").write_text("no,yes\n1/2,1/2\n", encoding="utf-8")
    assert run("privacy w.csv --graph path --no-header").code == 3
    assert run("privacy w.csv --graph path --header").code == 0


def test_a_file_of_one_line_is_a_row(here):
    Path("one.csv").write_text("0,1\n", encoding="utf-8")
    assert run("privacy one.csv --graph path").code == 0


FORMULAS = [
    ("0,1\n1/(1+a),a/(1+a)\na/(1+a),1/(1+a)\n", "--alpha 1/2"),
    ("0,1\n1/(1+a),a/(1+a)\na/(1+a),1/(1+a)\n", "--alpha symbolic"),
    ("0,1\n1-exp(-1),exp(-1)\n1/2,1/2\n", ""),
    ("10,20\n1-exp(-1),exp(-1)\n1/2,1/2\n", ""),
    ("0,1\np,1-p\n1/2,1/2\n", "--letters '0 < p < 1/2'"),
    ("0,1\n(1/2),1/2\n1-1/4,1/4\n", ""),
]


@pytest.mark.parametrize(("text", "options"), FORMULAS)
def test_a_header_above_formulas_is_refused_too(here, text, options):
    Path("f.csv").write_text(text, encoding="utf-8")
    Path("below.csv").write_text(text.partition("\n")[2], encoding="utf-8")
    refused = run(f"privacy f.csv --graph path {options}")
    assert refused.code == 3
    assert "--header" in refused.err
    below, headed = (run(f"privacy {name} --graph path {options}") for name in ("below.csv", "f.csv --header"))
    assert below.code == headed.code == 0
    first, second = (re.sub(r"\w+\.csv \(sha256 \w{8}…\)", "FILE", told.out.splitlines()[0]) for told in (below, headed))
    assert first == second


def test_losses_and_distances_may_begin_with_0_1_2(here):
    Path("abs.csv").write_text("0,1,2\n1,0,1\n2,1,0\n", encoding="utf-8")
    body = run("optimal plain.csv --metric abs.csv --alpha 1/4 --loss abs.csv --json").json
    assert body["value"] == run("optimal plain.csv --graph path --alpha 1/4 --loss abs --json").json["value"]


def test_a_header_in_python(here):
    text = csv([["1/2", "1/2"], ["1/3", "2/3"]], range(2))
    with pytest.raises(InputError, match="header=True"):
        read_table(text)
    assert read_table(text, header=True) == Table([["1/2", "1/2"], ["1/3", "2/3"]])
    assert read_table(text, header=False).matrix.shape == (3, 2)
    assert read_table(csv([["1/2", "1/2"]], ["lo", "hi"]), header=True).outputs == ("lo", "hi")
    with pytest.raises(InputError, match="header=True"):
        xdp.tightest_level(text, "path")
    with pytest.raises(InputError, match="header=True"):
        xdp.load("two.csv")
    assert xdp.load("two.csv", header=True) == xdp.Mechanism([["1/2", "1/2"], ["1/3", "2/3"]])
    with pytest.raises(InputError, match="leave header out"):
        read_table("[[1]]", header=True)
    with pytest.raises(InputError, match="give one of them"):
        read_table(text, header=True, labels=True)
    assert read_prior("a,b\n1/3,2/3", header=True).inputs == ("a", "b")
    assert xdp.matrix("0,1\n1/2,1/2").shape == (2, 2)


# ── A transpose ──


@pytest.mark.parametrize("form", ["csv", "json"])
def test_labels_change_their_sides(here, form):
    """Two inputs and three outputs, printed with a column for each input."""
    rows, inputs, outputs = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"]], ["no", "yes"], ["x", "y", "z"]
    if form == "csv":
        lines = [[label, *row] for label, row in zip(outputs, columns_of(rows), strict=True)]
        Path("f").write_text(csv(lines, ["", *inputs]), encoding="utf-8")
    else:
        Path("f").write_text(json.dumps({"inputs": outputs, "outputs": inputs, "rows": columns_of(rows)}), encoding="utf-8")
    body = run("privacy f --local --transpose --json").json
    assert (body["verdict"], body["level"]["alpha"], body["neighbours"]["inputs"]) == ("proved", "1/2", 2)
    table = read_table(Path("f").read_bytes(), transpose=True, labels=form == "csv")
    assert (table.inputs, table.outputs, table) == (tuple(inputs), tuple(outputs), Table(rows, inputs, outputs))
    assert xdp.load("f", transpose=True) == table.as_mechanism()


def test_formulas_and_arrays_are_transposed_too(here):
    import numpy

    Path("a.csv").write_text("1/(1+a),a/(1+a)\na/(1+a),1/(1+a)\n", encoding="utf-8")
    assert run("privacy a.csv --graph path --alpha symbolic --transpose").code == 0
    numpy.save("t.npy", numpy.array(columns_of(ROWS)))
    assert run("privacy t.npy --graph path --transpose --json").json["level"]["alpha"] == "1/2"


def test_show_and_convert_transpose(here):
    assert json.loads(run("convert turned.csv --transpose --to json").out)["rows"] == ROWS
    assert run("show turned.csv --transpose").out.replace("turned", "plain") == run("show plain.csv").out


NUMBERED = "0,1/2,1/4\n1,1/2,3/4\n"
"""Two inputs; the first column numbers the outputs, or is a third input."""


@pytest.mark.parametrize("option", ["", "--no-header", "--digits auto", "--renormalise"])
@pytest.mark.parametrize("rows", [NUMBERED, "0,1/2,1/4\n1,1/4,1/4\n2,1/4,1/2\n", "7,1/2,1/4\n8,1/2,3/4\n"])
def test_a_first_column_that_numbers_the_outputs_is_no_input(here, rows, option):
    if rows != NUMBERED and option in ("", "--no-header", "--digits auto"):  # it is refused in any case
        return
    Path("t.csv").write_text(rows, encoding="utf-8")
    done = run(f"privacy t.csv --local --transpose {option}")
    assert done.code == 3
    assert re.search(r"the first column \(.*\) (counts the lines|has numbers that are no probabilities)", done.err)
    with pytest.raises(InputError, match="counts the lines") if rows == NUMBERED else pytest.raises(InputError):
        read_table(rows, transpose=True).as_mechanism()


def test_both_remedies_of_it_are_read_as_they_say(here):
    Path("outputs.csv").write_text(f",no,yes\n{NUMBERED}", encoding="utf-8")
    Path("input.csv").write_text(",ask,no,yes\n" + "".join(f"r{k},{line}\n" for k, line in enumerate(NUMBERED.split())), encoding="utf-8")
    levels = [run(f"privacy {name} --local --transpose --labels --json").json["level"]["alpha"] for name in ("outputs.csv", "input.csv")]
    assert levels == ["1/2", "0"]


@pytest.mark.parametrize(("head", "counted"), [([[2019, 2020]], "the first line"), ([[7, 8], [2019, 2020]], "the first 2 lines")])
def test_lines_above_columns_that_sum_to_1_are_lines(here, head, counted):
    """What is the first column of a table that is turned is a line of its file."""
    Path("t.csv").write_text(csv([*head, ["1/2", "1/4"], ["1/2", "3/4"]]), encoding="utf-8")
    done = run("privacy t.csv --local --transpose")
    assert f"without {counted} all columns sum to 1: if " in done.out
    Path("t.csv").write_text(csv([head[0], ["1/2", "1/4"], ["1/2", "3/4"]]), encoding="utf-8")
    assert run("privacy t.csv --local --transpose --header --json").json["level"]["alpha"] == "1/2"


def test_where_a_transpose_has_no_meaning(here):
    assert "--transpose has no effect" in run("privacy geometric:n=2,alpha=1/2 --transpose").err
    refused = run("privacy plain.csv --graph path --transpose")
    assert refused.code == 2 or run("privacy turned.csv --graph path").code == 0
    Path("skew.csv").write_text("1/2,1/2\n1/3,2/3\n", encoding="utf-8")
    refused = run("privacy skew.csv --graph path --transpose")
    assert refused.code == 2
    assert "leave it out" in refused.err


def level_by_hand(rows, edges=None):
    """The least ratio of neighbours, by the definition; 0/0 is no ratio."""
    rows = [[Fraction(x) for x in row] for row in rows]
    edges = [(i, i + 1) for i in range(len(rows) - 1)] if edges is None else edges
    found = [Fraction(1)]
    for i, j in edges:
        for x, y in zip(rows[i], rows[j], strict=True):
            found += [min(x, y) / max(x, y)] if max(x, y) else []
    return min(found)


TRANSPOSED = [["1/2", "1/4"], ["1/2", "3/4"]]


@pytest.mark.parametrize("asked", ["", "--alpha 1/2", "--alpha 11/20"])
def test_a_table_that_looks_transposed_is_said_to_be_so_with_both_levels(here, asked):
    Path("t.csv").write_text(csv(TRANSPOSED), encoding="utf-8")
    done = run(f"privacy t.csv --graph path {asked}")
    assert done.code == 1
    assert "looks transposed" in done.about
    body = run(f"privacy t.csv --graph path {asked} --json").json
    assert Fraction(body["transposed"]["level"]["alpha"]) == level_by_hand(columns_of(TRANSPOSED)) == Fraction(1, 2)
    divided = [[Fraction(x) / sum(map(Fraction, row)) for x in row] for row in TRANSPOSED]
    assert Fraction(body["renormalised"]["level"]["alpha"]) == level_by_hand(divided) == Fraction(5, 9)
    assert body["renormalised"]["more_private_than_the_table"]
    assert "not a remedy" in done.out
    if asked == "--alpha 11/20":
        assert (body["transposed"]["private"], body["renormalised"]["private"]) == (False, True)


def test_audit_optimal_and_errors_say_that_it_looks_transposed(here):
    Path("t.csv").write_text(csv(TRANSPOSED), encoding="utf-8")
    audit = run("audit t.csv --graph path --claims-alpha 11/20")
    assert "looks transposed" in audit.about
    assert [line for line in audit.out.splitlines() if "--transpose" in line and "the claim is false" in line]
    assert [line for line in audit.out.splitlines() if "divide every row" in line and "no remedy" in line]
    for command in ("remap t.csv --loss abs", "derive t.csv --source identity:n=1", "tight path:2 --alpha 1/4 --mechanism t.csv"):
        done = run(command)
        assert "--transpose" in done.err
        assert "--renormalise" not in done.err
    with pytest.raises(NotStochasticError, match="transpose=True"):
        read_table(csv(TRANSPOSED)).as_mechanism()
    note = run("privacy t.csv --graph path --renormalise --json").json["notes"]
    assert any("looks transposed" in line and "another mechanism" in line for line in note)


def test_columns_that_sum_to_1_up_to_rounding_are_not_said_to_sum_to_1(here):
    Path("t.csv").write_text("0.333333,0.5\n0.333333,0.25\n0.333333,0.25\n", encoding="utf-8")
    assert "its columns sum to 1 up to rounding" in run("privacy t.csv --graph path").about
    audit = run("audit t.csv --graph path --claims-epsilon 1")
    assert "its columns sum to 1 up to rounding" in audit.about
    remedies = [line for line in audit.out.splitlines() if "--transpose" in line]
    assert ["--transpose --renormalise" in line and "the claim is true of it" in line for line in remedies] == [True]
    assert run("audit t.csv --graph path --claims-epsilon 1 --transpose --renormalise").code == 0
    assert run("audit t.csv --graph path --claims-epsilon 1 --transpose").code == 1
    Path("r.csv").write_text("0.333333,0.333333,0.333333\n0.5,0.25,0.25\n", encoding="utf-8")
    refused = run("privacy r.csv --graph path --transpose")
    assert "the rows of r.csv sum to 1 up to rounding as they stand" in refused.err


def test_a_transpose_with_more_inputs_has_neighbours_of_its_own(here):
    """Three outputs and two inputs: path:2, and not the path:3 of the rows as they stand."""
    Path("w.csv").write_text("1/2,1/4\n1/4,1/4\n1/4,1/2\n", encoding="utf-8")
    for graph in ("path", "complete", "star", "path:3", "complete:3"):
        assert run(f"privacy w.csv --graph {graph} --json").json["transposed"]["level"]["alpha"] == "1/2"
    assert run("privacy w.csv --graph cycle --json").json["transposed"] is None  # a cycle has three vertices
    Path("e.txt").write_text("0 1\n1 2\n", encoding="utf-8")
    assert "say the neighbours of its 2 inputs" in run("privacy w.csv --graph e.txt --by-position").out


entries = st.integers(0, 6)


@given(st.lists(st.lists(entries, min_size=2, max_size=3), min_size=2, max_size=3), st.sampled_from([12, 6, 4]), st.booleans())
def test_no_remedy_is_more_favourable_than_the_truth_without_saying_so(rows, whole, turn):
    """Random tables: transposed mechanisms, and others that are wrong; levels by the definition."""
    width = min(map(len, rows))
    numbers = [[Fraction(x, whole) for x in row[:width]] for row in rows]
    if turn and all(sum(row) for row in numbers):
        numbers = columns_of([[x / sum(row) for x in row] for row in numbers])
    table = Table([[str(x) for x in row] for row in numbers])
    if table.quality(MOST_ROUNDING) != "wrong" or not all(map(sum, numbers)):
        return
    near = neighbours("path", table.inputs)
    found = xdp.audit(table, near)
    columns = columns_of(numbers)
    looks = all(sum(column) == 1 for column in columns)
    assert found.evidence.faults.transposed == looks == ("looks transposed" in found.claim)
    truth = level_by_hand(columns if looks else numbers)
    divided = level_by_hand([[x / sum(row) for x in row] for row in numbers])
    repairs = {repair.action: repair.result for repair in found.evidence.repairs}
    assert ("no remedy" in repairs["divide every row by its sum"]) == (divided > truth)
    assert any("--transpose" in action for action in repairs) == looks
    if looks:
        result = next(result for action, result in repairs.items() if "--transpose" in action)
        assert f" is α = {truth} (ε = " in result


# ── Rounding, and priors ──


@pytest.mark.parametrize("bound", ["0.7", "1/2", "1/99", "0.0101"])
def test_a_bound_above_a_hundredth_is_no_rounding(here, bound):
    Path("r.csv").write_text("0.6,0.6\n0.1,0.2\n", encoding="utf-8")
    for command in ("privacy", "audit", "delta --delta 0", "optimal --alpha 1/2 --loss abs"):
        done = run(f"{command} r.csv --graph path --rounding {bound}")
        assert done.code == 3
        assert "1/100" in done.err
    with pytest.raises(InputError, match="1/100"):
        Table([["0.6", "0.6"]]).quality(bound)


def test_the_largest_bound(here):
    Path("r.csv").write_text("0.5,0.51\n0.5,0.5\n", encoding="utf-8")
    assert run("privacy r.csv --graph path --rounding 1/100").code == 0
    Path("r.csv").write_text("0.5,0.5101\n0.5,0.5\n", encoding="utf-8")
    assert run("privacy r.csv --graph path --rounding 1/100").code == 1


PRINTED = ["0.333333", "0.333333", "0.333336"]
"""They sum to 500001/500000."""


def test_a_prior_that_misses_1_has_a_remedy_that_works(here):
    Path("p.csv").write_text(",".join(PRINTED), encoding="utf-8")
    Path("p.json").write_text(json.dumps(dict(zip("012", PRINTED, strict=True))), encoding="utf-8")
    shares = [Fraction(x) / sum(map(Fraction, PRINTED)) for x in PRINTED]
    exact = ",".join(map(str, shares))
    for command in (
        "optimal --graph path:3 --alpha 1/2 --loss abs --prior {}",
        "remap geometric:n=2,alpha=1/2 --loss abs --prior {}",
        "tight path:3 --alpha 1/4 --prior {}",
        "regular path:3 --alpha 1/4 --prior {}",
    ):
        expected = run(f"{command.format(exact)} --json")
        for prior in ("p.csv", ",".join(PRINTED)):
            refused = run(command.format(prior))
            assert refused.code == 3
            assert "500001/500000" in refused.err
            assert "--renormalise-prior" in refused.err
            done = run(f"{command.format(prior)} --renormalise-prior --json")
            assert done.code == expected.code
            assert re.sub(r" of p\.csv \(sha256 \w+…\)", "", done.json["claim"]) == expected.json["claim"]
            assert any("sum to 500001/500000; each was divided by it" in note for note in done.json["notes"])
    labelled = "audit named.csv --graph path --for 'abs prior=p.json' --renormalise-prior --json"
    Path("named.csv").write_text(csv([[k, *row] for k, row in enumerate(ROWS)], ["", "0", "1", "2"]), encoding="utf-8")
    assert run(f"{labelled} --by-position").code in (0, 2)


def test_renormalised_priors(here):
    assert Prior.renormalised(PRINTED).weights == tuple(Fraction(x) / Fraction(500001, 500000) for x in PRINTED)
    assert Prior.renormalised({"b": 1, "a": 3}).inputs == ("b", "a")
    assert Prior.renormalised([1, 3]) == Prior(["1/4", "3/4"])
    with pytest.raises(NegativeEntryError):
        Prior.renormalised([2, -1])
    with pytest.raises(NotStochasticError):
        Prior.renormalised([0, 0])
    assert read_prior("1,3", renormalise=True) == Prior(["1/4", "3/4"])
    assert "--renormalise-prior has no effect" in run("optimal --graph path:3 --alpha 1/2 --loss abs --renormalise-prior").err
    note = run("optimal --graph path:2 --alpha 1/2 --loss abs --prior 1/2,1/2 --renormalise-prior --json").json["notes"]
    assert any("--renormalise-prior changed nothing" in line for line in note)


def test_a_header_of_numbers_above_printed_digits_is_offered_as_one(here):
    Path("t.csv").write_text("10,20\n0.5,0.5\n0.25,0.75\n", encoding="utf-8")
    refused = run("privacy t.csv --graph path --digits auto")
    assert refused.code == 3
    assert "give --header" in refused.err
    assert run("privacy t.csv --graph path --digits auto --header").code != 3
    assert "give --header" not in run("privacy t.csv --graph path --digits auto --no-header").err
    # a fault of a row is none of a header
    Path("t.csv").write_text("0.5,0.5\n1.25,0.75\n", encoding="utf-8")
    assert "give --header" not in run("privacy t.csv --graph path --digits auto").err


def test_the_prior_of_a_single_input_is_one_weight(here):
    Path("m.csv").write_text("1/2,1/2\n", encoding="utf-8")
    Path("loss.csv").write_text("0,1\n", encoding="utf-8")
    assert run("remap m.csv --loss loss.csv --prior 1").code == 0
    wrong = run("remap m.csv --loss loss.csv --prior 1/2")
    assert wrong.code == 3
    assert "sums to 1/2" in wrong.err
