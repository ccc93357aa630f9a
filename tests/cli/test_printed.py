# SPDX-License-Identifier: MIT
"""``--digits``: what is said of a printed table, what is written of it, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_runner import run
from places import in_folder

from exactdp.checker import check_bytes

here = in_folder(
    {
        "same.csv": "0.0001,0.9999\n0.0001,0.9999\n",
        "one.csv": "0.3,0.7\n0.5,0.5\n",
        "named.csv": ",no,yes\na,0.3,0.7\nb,0.5,0.5\n",
        "turn.csv": "0.7,0.3\n0.3,0.7\n",
        "missing.csv": "0.3,0.3,0.3\n0.3,0.3,0.4\n",
        "short.csv": "0.2,0.3\n0.5,0.5\n",
        "thirds.csv": "0.333,0.333,0.333\n0.300,0.300,0.400\n",
        "fine.csv": "0.333,0.667\n0.500,0.500\n",
    },
    autouse=True,
)


@pytest.mark.parametrize(
    ("command", "code", "begins"),
    [
        (
            "privacy same.csv --graph path --digits 4",
            4,
            "UNDECIDED  For the tables that print as same.csv does with 4 digits, ε lies between 0 and ln(3) ≈ 1.098612",
        ),
        ("privacy same.csv --graph path --digits 4 --alpha 1/3", 0, "PROVED  Every table that prints as same.csv does with 4 digits is "),
        (
            "privacy same.csv --graph path --digits auto --epsilon 1/2",
            4,
            "UNDECIDED  For the tables that print as same.csv does with the digits of each cell",
        ),
        ("privacy one.csv --graph path --digits 1 --alpha 4/5", 1, "REFUTED  No table that prints as one.csv does with 1 digit is "),
        ("privacy missing.csv --graph path --digits 1 --alpha 1/2", 0, "PROVED  Every table"),
        ("privacy named.csv --labels --local --digits 1 --alpha 4/5", 1, "REFUTED  No table"),
        (
            "delta one.csv --graph path --digits 1 --epsilon ln(2)",
            4,
            "UNDECIDED  For the tables that print as one.csv does with 1 digit on path:2, the least δ",
        ),
        (
            "delta one.csv --graph path --digits 1 --alpha 1/2 --delta 1/20",
            0,
            "PROVED  Every table that prints as one.csv does with 1 digit",
        ),
        (
            "delta one.csv --graph path --digits 1 --alpha 9/10 --delta 1/1000",
            1,
            "REFUTED  No table that prints as one.csv does with 1 digit",
        ),
        (
            "optimal turn.csv --graph path --digits 1 --alpha 1/2 --loss zero-one",
            4,
            "UNDECIDED  For the tables that print as turn.csv does with 1 digit",
        ),
        (
            "optimal turn.csv --graph path --digits 1 --alpha 1/5 --gain zero-one",
            1,
            "REFUTED  No table that prints as turn.csv does with 1 digit is optimal",
        ),
        (
            "audit one.csv --graph path --digits 1 --claims-epsilon 1",
            0,
            "PROVED  The claim that one.csv is (ε = 1)-private on path:2 is true of every table that prints so",
        ),
        ("audit one.csv --graph path --digits 1 --claims-epsilon 1/2", 4, "UNDECIDED  The claim that one.csv is (ε = 1/2)-private"),
        ("audit one.csv --graph path --digits 1", 4, "UNDECIDED  For the tables that print as one.csv does"),
        ("audit turn.csv --graph path --digits 1 --claims-alpha 1/5 --for zero-one", 0, "PROVED  The claim that turn.csv"),
    ],
)
def test_the_first_line_and_the_exit_code(command, code, begins):
    done = run(command)
    assert (done.code, _plain(done.sentence)[: len(begins)]) == (code, begins), done.err
    assert (done.first.split()[0], len(done.first) <= 100) == (begins.split()[0], True)
    assert "all tables that print so with " in done.about
    assert "the answer is about all mechanisms that print so: each row sums to 1" in done.out
    assert run(f"{command} --json").json["verdict"] == begins.split()[0].lower()


def _plain(text):
    """Without the digests of files."""
    return re.sub(r" \(sha256 [0-9a-f]{8}…\)", "", text)


def test_answers_name_the_file_with_its_digest():
    done = run("audit one.csv --graph path --digits 1 --claims-epsilon 1")
    named = "one.csv (sha256 8a08de9f…)"
    assert done.sentence.startswith(f"PROVED  The claim that {named} is (ε = 1)-private on path:2 is true of every table")
    assert done.first.endswith("; the claim is true of every such table")
    assert done.about.startswith(f"for {named} · path:2 · the claim: (ε = 1)-private · all tables that print so")
    assert run("audit one.csv --graph path --digits 1 --claims-epsilon 1 --json").json["title"] == named
    for question in ("privacy one.csv", "delta one.csv --epsilon 1"):
        told = run(f"{question} --graph path --digits 1")
        assert f"as {named} does with 1 digit" in told.sentence
        assert (told.about.startswith(f"for {named} · "), "all tables that print so with 1 digit" in told.about) == (True, True)


@pytest.mark.parametrize(
    "question", ["privacy one.csv --epsilon", "audit one.csv --claims-epsilon", "optimal one.csv --loss abs --epsilon"]
)
def test_no_end_has_the_decimal_of_the_level_asked_about(question):
    """ln(11/5) is 0.78845736…, and more than 0.7884573; ln(9/7) is 0.25131442…, and more than 0.2513144."""
    done = run(f"{question} 0.2513144 --graph path --digits 1")
    assert done.first.startswith("REFUTED")
    assert "ln(9/7) ≈ 0.25131443 and ln(11/5) ≈ 0.7884574" in done.sentence
    ends = r"between (ln\(9/7\) )?≈ 0.25131443 and (ln\(11/5\) )?≈ 0.78845736"
    assert re.search(ends, done.first)
    done = run(f"{question} 0.7884574 --graph path --digits 1")
    assert "ln(9/7) ≈ 0.2513144 and ln(11/5) ≈ 0.78845736" in done.sentence or question.startswith("optimal")
    assert re.search(ends, done.first) or question.startswith("optimal")


def test_a_refuted_level_says_what_the_least_loss_is_the_least_of():
    """It was "its loss is between 2/5 and 1/2, the least is …", as if it were the least of those."""
    first = _plain(run("optimal one.csv --graph path --digits 1 --epsilon 1/10 --loss abs").sentence)
    assert first.startswith("REFUTED  No table that prints as one.csv does with 1 digit is (ε = 1/10)-private on path:2: ")
    assert "; the loss of these tables is between 13/20 and 3/4, the least among (ε = 1/10)-private mechanisms is " in first


def test_one_least_delta_is_said_of_every_table():
    """It was "the mechanism that was printed on path:2": as if path:2 were what it was printed on."""
    done = run("delta turn.csv --graph path --digits 1 --epsilon 2")
    sentence = "PROVED  For every table that prints as turn.csv does with 1 digit on path:2, the least δ with ε = 2 is 0"
    assert (_plain(done.sentence), done.first) == (sentence, "PROVED  least δ 0")


def test_errors_have_remedies_that_work():
    Path("half.csv").write_text("0,1/2\n1/2,0\n", encoding="utf-8")
    done = run("delta one.csv --metric half.csv --digits 1 --epsilon ln(2)")
    assert (done.code, "give a rational ε (--epsilon 1/2" in done.err) == (3, True)
    assert run("delta one.csv --metric half.csv --digits 1 --epsilon 1/2").code == 4
    Path("two.csv").write_text("0.7,0.3\n0.3,0.7\n0.3,0.7\n", encoding="utf-8")
    done = run("optimal two.csv --graph path --digits 1 --epsilon 2 --loss abs")
    assert (done.code, "--after-remap" in done.err) == (3, False)  # which --digits does not take
    assert "--after-remap" in run("optimal two.csv --graph path --epsilon 2 --loss abs").err


def test_both_ends_are_in_the_text_and_in_json():
    text = run("privacy one.csv --graph path --digits 1 --alpha 1/2").out
    for line in (
        "largest ε         ln(11/5) ≈ 0.7884574",
        "its level       5/11",
        "attained by     x[0][0] / x[1][0] ≥ 5/11",
        "smallest ε        ln(9/7) ≈ 0.2513144",
        "violated by some",
        "tight in some",
        "a table that prints so with the largest ε:",
        "a table that prints so with the smallest ε:",
    ):
        assert line in text
    body = run("privacy one.csv --graph path --digits 1 --alpha 1/2 --json").json
    assert (body["digits"], body["largest"]["level"]["alpha"], body["smallest"]["level"]["alpha"]) == (1, "5/11", "7/9")
    assert body["largest"]["mechanism"]["rows"] == [["1/4", "3/4"], ["11/20", "9/20"]]
    assert body["violated_by_some"][0]["ratio"] == {"smallest": "5/11", "largest": "7/9"}
    body = run("delta one.csv --graph path --digits 1 --alpha 1/2 --json").json
    assert (body["largest"]["delta"], body["smallest"]["delta"]) == ("1/20", "0")
    body = run("optimal turn.csv --graph path --digits 1 --alpha 1/2 --loss zero-one --json").json
    assert (body["worst_loss"]["loss"], body["best_loss"]["loss"]) == ("7/20", "1/4")
    assert (body["largest_gap"], body["smallest_gap"]) == ("1/60", "-1/12")
    body = run("audit turn.csv --graph path --digits 1 --claims-epsilon 1 --claims-delta 1/10 --for zero-one --json").json
    assert set(body["delta"]) >= {"largest", "smallest"}
    assert set(body["epsilon"]) == {"largest", "smallest"}
    assert body["consumers"][0]["worst_loss"]["loss"] == "7/20"


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ("privacy one.csv --graph path --digits 1", ["largest-epsilon", "smallest-epsilon"]),
        ("privacy one.csv --graph path --digits 1 --alpha 1/2", ["some-table", "not-all-tables"]),
        ("delta one.csv --graph path --digits 1 --epsilon 1/2", ["largest-delta", "smallest-delta"]),
        ("delta one.csv --graph path --digits 1 --alpha 1/2 --delta 1/100", ["some-table", "not-all-tables"]),
        ("audit one.csv --graph path --digits 1 --claims-epsilon 1/2", ["some-table", "not-all-tables"]),
    ],
)
def test_an_undecided_answer_has_a_certificate_of_each_part(command, parts):
    done = run(f"{command} -o c.edp.json")
    assert done.code == 4, done.err
    files = [Path(f"c-{part}.edp.json") for part in parts]
    assert sorted(Path().glob("c*.edp.json")) == sorted(files)
    for part, file in zip(parts, files, strict=True):
        assert check_bytes(file.read_bytes()).status == "accepted"
        assert f"the certificate of {part} was written to {file}" in done.out
    assert run(f"{command} -o c.edp.json --json").json["certificates"] == {part: str(file) for part, file in zip(parts, files, strict=True)}


@pytest.mark.parametrize(
    "command",
    [
        "privacy one.csv --graph path --digits 1 --alpha 1/3",
        "privacy one.csv --graph path --digits 1 --alpha 4/5",
        "delta one.csv --graph path --digits 1 --alpha 1/2 --delta 1/10",
        "audit one.csv --graph path --digits 1 --claims-epsilon 1/4",
        "audit one.csv --graph path --digits 1 --claims-epsilon 1 --claims-delta 1/10",
    ],
)
def test_a_decided_answer_has_one_certificate(command):
    done = run(f"{command} -o c.edp.json")
    assert done.code in (0, 1), done.err
    assert check_bytes(Path("c.edp.json").read_bytes()).status == "accepted"
    assert "the certificate is about the answer, not about both ends" in done.out


def test_an_audit_writes_certificates_of_all_parts():
    done = run("audit one.csv --graph path --digits 1 --claims-epsilon 1/2 --claims-delta 1/100 --certificates parts")
    files = list(Path("parts").glob("*.edp.json"))
    names = {file.name.removesuffix(".edp.json") for file in files}
    assert done.code == 4
    assert names == {"largest-epsilon", "smallest-epsilon", "largest-delta", "smallest-delta", "some-table", "not-all-tables"}
    assert all(check_bytes(file.read_bytes()).status == "accepted" for file in files)
    checked = run("verify parts")
    assert (checked.code, "6 about one.csv" in checked.out) == (0, True)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "privacy fine.csv --graph path --digits 2",
            "row 0, column 0 (line 1): 0.333 is not a number of 2 digits after the decimal point; give digits 3, or auto",
        ),
        ("privacy short.csv --graph path --digits 1", "no distribution prints as row 0: its entries sum to at most 3/5, less than 1"),
        ("privacy geometric:n=2,alpha=1/2 --digits 4", "the numbers of geometric:n=2,alpha=1/2 are exact; leave it out"),
        ("privacy one.csv --graph path --digits four", "--digits: "),
        ("privacy one.csv --graph path --digits 1 --rounding 1e-3", "--rounding does not go with --digits"),
        ("privacy one.csv --graph path --digits 1 --renormalise", "--renormalise does not go with --digits"),
        ("privacy one.csv --graph path --digits 1 --dyadic", "--dyadic does not go with --digits"),
        ("privacy one.csv --graph path --digits 1 --letters p=1/2", "--letters does not go with --digits"),
        ("privacy one.csv --graph path --digits 1 --alpha symbolic", "--digits is about one level"),
        ("delta one.csv --graph path --digits 1 --delta 1/10", "the smallest ε of a δ is not found for all mechanisms that print so"),
        ("optimal one.csv --graph path --digits 1 --alpha 1/2 --loss abs --after-remap", "--after-remap does not go with --digits"),
        ("optimal --graph path:2 --digits 1 --alpha 1/2 --loss abs", "--digits has no effect: no table of a mechanism was read"),
        (
            "audit one.csv --graph path --digits 1 --compare turn.csv",
            "--compare does not go with --digits: two printed tables are two sets of mechanisms; audit each",
        ),
        ("audit one.csv --graph path --digits 1 --delta 1/10", "--delta does not go with --digits: the smallest ε of a δ is not found"),
        ("compose one.csv one.csv --graph path --digits 1", "--digits is not taken into account by this question"),
        ("derive one.csv --source one.csv --digits 1", "--digits is not taken into account by this question"),
        ("refine one.csv one.csv --digits 1", "--digits"),
        ("remap one.csv --loss abs --digits 1", "--digits is not taken into account by this question"),
    ],
)
def test_what_digits_do_not_go_with_is_refused(command, told):
    done = run(command)
    assert done.code in (2, 3), done.out
    assert told in done.err


@pytest.mark.parametrize(
    ("name", "offered"), [("privacy", True), ("delta", True), ("audit", True), ("optimal", True), ("compose", False), ("remap", False)]
)
def test_help_offers_digits_where_they_are_judged(name, offered):
    assert ("--digits K" in run(f"{name} --help").out) == offered


@pytest.mark.parametrize("command", ["privacy", "audit"])
def test_rounding_says_what_is_judged(command):
    done = run(f"{command} thirds.csv --graph path --rounding 1/100")
    out = done.out
    assert "judged is the table as printed, divided by its row sums; what was rounded away is not in it" in done.about
    assert "What dividing by the row sums changes" in out
    assert "exact" not in out
    out = run(f"{command} same.csv --graph path --rounding 1/100").out
    assert "judged is the table as printed; what was rounded away is not in it (--digits, in privacy, delta, audit and optimal" in out
    assert "changed nothing" not in out
    assert "exact" not in out


def test_epsilon_zero_beside_a_delta_is_total_variation():
    done = run("delta one.csv --graph path --digits 1 --epsilon 0 --delta 1/2")
    assert (done.code, "is (ε = 0, δ = 1/2)-private" in done.sentence) == (0, True)
    assert "; every such table has at most δ = 1/2" in done.first
    assert "· ε = 0 ·" in done.about
    done = run("audit one.csv --graph path --digits 1 --claims-epsilon 0 --claims-delta 1/2 --for zero-one")
    assert (done.code, "is (ε = 0, δ = 1/2)-private on path:2 is true of every table" in done.sentence) == (0, True)
    assert run("audit one.csv --graph path --digits 1 --claims-epsilon 0").code == 1
    done = run("delta one.csv --graph path --digits 1 --epsilon 0")
    assert (done.code, "the least δ with ε = 0 lies between 1/10 and 3/10" in done.out) == (4, True)
    assert done.first == "UNDECIDED  least δ between 1/10 = 0.1 and 3/10 = 0.3"


@pytest.mark.parametrize("question", ["privacy", "delta --epsilon 1", "compose", "audit"])
def test_the_numbers_of_a_word_were_not_printed(question):
    done = run(f"{question} geometric:n=2,alpha=1/2 --rounding 1/1000")
    assert done.code == 0
    assert "--rounding changed nothing: the numbers of a word are exact" in done.out
    assert "--digits" not in done.out  # which refuses words


def test_without_a_claim_nothing_is_proved_of_it(tmp_path):
    (tmp_path / "column.csv").write_text("1\n1\n")
    done = run("audit column.csv --graph path --digits auto")
    assert (done.code, done.out.splitlines()[0]) == (0, "NO CLAIM  ε 0")
    assert run("audit column.csv --graph path --digits auto --json").json["verdict"] == "no claim"
    assert run("audit column.csv --graph path --digits auto --html page.html").code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert ">no claim</b> ε 0" in page
    assert "<title>Audit of column.csv" in page
    assert run("privacy column.csv --graph path --digits auto").out.startswith("PROVED  ε 0")
    claimed = run("audit column.csv --graph path --digits auto --claims-epsilon 1 --html page.html")
    assert claimed.out.startswith("PROVED")
    assert ">proved</b>" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("epsilon", ["2", "1/2"])
def test_both_ends_of_a_delta_are_written_whether_or_not_they_are_one(tmp_path, epsilon):
    (tmp_path / "coin.csv").write_text("0.3,0.7\n0.7,0.3\n")
    done = run(f"delta coin.csv --graph path --epsilon {epsilon} --digits 1 -o d.json")
    assert done.code == {"2": 0, "1/2": 4}[epsilon]
    assert done.err == ""
    for end in "largest", "smallest":
        assert f"written to d-{end}-delta.json" in done.out
        assert run(f"verify d-{end}-delta.json").code == 0
