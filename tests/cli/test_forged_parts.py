# SPDX-License-Identifier: MIT
"""Certificates in the places of others, claims that are told as undecided, and events that show nothing."""

from __future__ import annotations

import html
import json
from fractions import Fraction
from pathlib import Path

import pytest
from cli_runner import run
from forged_bundle import Forged

import exactdp as xdp
from exactdp.certificate import check_bundle
from exactdp.certificate.bundle_files import WORDS
from exactdp.certificate.bundle_tables import Grid, table_of_word
from exactdp.certificate.bundle_words import verdict_sentence
from exactdp.certificate.check_bundle import PROGRAMS
from exactdp.certificate.compare_parts import KINDS
from exactdp.certificate.kinds import kinds

TABLE = [["0.7", "0.2", "0.1"], ["0.4", "0.4", "0.2"], ["0.2", "0.4", "0.4"]]
FILES = {
    "t3.csv": "".join(f"{','.join(row)}\n" for row in TABLE),
    "t.csv": "0.6,0.4\n0.4,0.6\n",
    "wide.csv": "0.6,0.39\n0.4,0.6\n",
    "few.csv": "0.7,0.3\n0.5,0.5\n0.3,0.7\n",
    "one.csv": "0.5,0.5\n",
    "zero.csv": "0.5,0.5,0.0\n0.4,0.6,0.0\n",
    "same.csv": "a/2,1-a/2\na/2,1-a/2\n",
    "two.csv": "2/3,1/3\n1/3,2/3\n",
    "two-sums.csv": "3/2,1/2\n1/2,3/2\n",
    "quarters.csv": "3/4,1/4\n1/4,3/4\n",
    "a3.csv": "0.4,0.6\n0.2,0.8\n0.1,0.9\n",
    "w.csv": "0.5,0.3,0.2\n0.3,0.4,0.3\n0.2,0.3,0.5\n",
}
QUESTIONS = {
    "digits": "t3.csv --graph path --claims-epsilon 7/10 --digits 1",
    "delta digits": "t3.csv --graph path --claims-epsilon 1 --claims-delta 1/20 --digits 1",
    "fails": "t3.csv --graph path --claims-epsilon 1/10",
    "for abs": "t3.csv --graph path --claims-epsilon 1 --for abs",
    "rounded": "wide.csv --graph path --claims-epsilon 1 --rounding 0.01",
    "required": "t3.csv --graph path --digits 2 --claims-epsilon 0.7 --require 'delta <= 1/1000' --require 'epsilon <= 1/10'",
    "alike": "t.csv --graph path --claims-epsilon 1 --for abs --for zero-one",
    "few answers": "few.csv --graph path --claims-epsilon 1 --for abs",
    "four decimals": "t.csv --graph path --claims-epsilon 1 --require 'epsilon <= 0.6931' --require 'delta <= 1e-6'",
    "four decimals fail": "t3.csv --graph path --claims-epsilon 1 --require 'epsilon <= 0.6931' --require 'delta <= 1e-6'",
    "one row": "one.csv --graph path --digits 1 --require 'epsilon <= 1'",
    "zero": "zero.csv --graph path --claims-epsilon 1/100",
    "less than is possible, with δ": "w.csv --graph path --digits 2 --claims-epsilon 1/4 --claims-delta 1/4 --for abs",
    "required ε": "t3.csv --graph path --digits 2 --require 'epsilon <= 1/10'",
    "strictly": "t3.csv --graph path --digits 2 --require 'epsilon < 3'",
    "equal": "randomized-response:k=2,epsilon=1 --claims-epsilon 1",
    "ε = 0": "t.csv --graph path --digits 1 --claims-epsilon 0 --claims-delta 1/5",
    "irrational": "same.csv --epsilon 1 --graph path --claims-epsilon 'sqrt(2)' --for abs",
    "as claimed": "two.csv --graph path --digits auto --claims-epsilon 'ln(2)' --for abs",
    "late": "t3.csv --graph path --claims-epsilon 1/10 --delta 1/2",
    "two levels": "geometric:n=1,alpha=1/2 --graph path --claims-epsilon 2 --for abs",
    "fractions": "quarters.csv --graph path --claims-epsilon 1.09",
    "one input": "one.csv --graph complete --claims-epsilon 1",
    "no claim": "t3.csv --graph path",
    "sums to 2": "two-sums.csv --graph path --claims-epsilon 1",
}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """Makes the files of a bundle when they are asked for, once."""
    place = tmp_path_factory.mktemp("parts")
    made = {}

    def bundle(name):
        if name not in made:
            folder = place / f"made-{len(made)}"
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(place)
                for file, text in FILES.items():
                    Path(file).write_text(text)
                assert run(f"audit {QUESTIONS[name]} --bundle {folder.name}").code in (0, 1, 4)
            made[name] = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        return Forged(made[name])

    return bundle


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_true_bundle_is_accepted(bundles, tmp_path, name):
    assert bundles(name).judged(tmp_path) == ("accepted", [])


def test_consumers_with_equal_numbers_have_their_own_certificates(bundles, tmp_path):
    """Of two inputs ``abs`` and ``zero-one`` are one table of losses."""
    forged = bundles("alike")
    assert {line["values"]["number"] for line in forged.lines if line["says"] == "row"} == {"1", "2"}
    for line in forged.lines:
        if line["says"] == "row" and line["values"]["number"] == "2":
            line["values"]["deployed"] = "0.1"
    assert forged.judged(tmp_path)[0] == "rejected"


# --- Another certificate under the name of a part ---
def _of(b, part):
    one = next(one for one in b.told["certificates"] if one["part"] == part)
    return b.files[one["file"]]


def _smallest_for_largest(b):
    b.put_certificate("largest-epsilon", _of(b, "smallest-epsilon"))
    for line in b.lines:
        if line["says"] in ("instead", "repair-epsilon-printed"):
            line["values"]["epsilon"] = "0.510826"
        if line["says"] == "between":
            line["values"]["high"] = "0.510826"
    b.drop("event-printed", "repair-uniform-printed")


def _smallest_delta_for_largest(b):
    b.put_certificate("largest-delta", _of(b, "smallest-delta"))
    for line in b.lines:
        if line["says"] in ("repair-delta", "least-delta-between"):
            line["values"] |= {"delta": "0"} if line["says"] == "repair-delta" else {"high": "0"}


def _no_least_delta(b):
    """That δ = 1/1000 is not enough, in the place of the least δ."""
    made = xdp.certify(xdp.is_approximately_private(TABLE, "path", "1/1000", epsilon="1/10")).to_json()
    b.put_certificate("delta", made.encode())
    for line in b.lines:
        if line["says"] in ("least-delta", "or-delta", "repair-delta"):
            line["values"]["delta"] = "0.001"


def _after_remap_as_deployed(b):
    for k in (1, 2):
        b.put_certificate(f"consumer-{k}-deployed", _of(b, f"consumer-{k}-after-remap"))
    for line in b.lines:
        if line["says"] == "row":
            line["values"] |= {"deployed": line["values"]["remapped"], "gap": line["values"]["gap_after"]}
    b.drop("bears", "bears-equal")


def _level_of_another_table(b):
    b.put_certificate("level", _of(b, "level-as-it-stands"))


SWAPPED = {
    "the smallest ε for the largest": ("digits", _smallest_for_largest, "largest-epsilon is of another kind"),
    "the smallest δ for the largest": ("delta digits", _smallest_delta_for_largest, "largest-delta is of another kind"),
    "a δ that is not enough": ("fails", _no_least_delta, "delta is of another kind"),
    "the loss after a remap": ("for abs", _after_remap_as_deployed, "consumer-1-deployed is of another kind"),
    "the table as it stands": ("rounded", _level_of_another_table, "level is about another table"),
}


@pytest.mark.parametrize("name", SWAPPED)
def test_a_certificate_of_another_part_is_found(bundles, tmp_path, name):
    question, change, sentence = SWAPPED[name]
    forged = bundles(question)
    change(forged)
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any(sentence in one for one in said), said


def test_every_kind_of_a_part_is_one_of_the_checker():
    assert {kind for each in KINDS.values() for kind in each} <= set(kinds())
    assert "compare_parts.py" in PROGRAMS


# --- What the numbers decide ---
def _undecided(b):
    """A claim that fails is told as one that was not decided in time, and is signed so."""
    old = {**b.told["verdicts"][0]}
    claim = verdict_sentence("undecided", b.told["table"]["name"], b.told["claimed"], b.told["assumptions"][0].removeprefix("neighbours: "))
    b.told["verdicts"][0] = {"verdict": "undecided", "claim": claim}
    for name, escape in (("page.md", str), ("page.html", html.escape)):
        text = b.files[name].decode().replace(f"{WORDS[old['verdict']]}.", f"{WORDS['undecided']}.", 1)
        b.files[name] = text.replace(escape(old["claim"]), escape(claim)).encode()
    b.files["answer.json"] = json.dumps(json.loads(b.files["answer.json"]) | {"verdict": "undecided", "sentence": claim}).encode()
    b.page["sections"][2]["lines"] = [{"says": says, "values": {}, "of": "", "shown": True} for says in ("undecided", "late")]
    for line in b.lines:
        if line["says"] == "other-fails":
            line["says"] = "other"
        if line["says"] == "scope" and line["values"]["topic"].startswith("how strong"):
            line["values"].update(status="not decided", text="")
        if line["says"] == "sign-for":
            line["values"]["verdict"] = "is not decided"


def test_a_claim_that_the_numbers_decide_is_not_undecided(bundles, tmp_path):
    """All certificates about it are left out; nothing else on the page is wrong."""
    forged = bundles("late")
    forged.without_certificates("level", "privacy", "delta")
    _undecided(forged)
    assert forged.judged(tmp_path) == ("rejected", ["its claim is false by its numbers, and it is told as undecided"])


def test_a_requirement_that_the_digits_decide_is_not_undecided(bundles, tmp_path):
    forged = bundles("required")
    assert [one["status"] for one in forged.told["requirements"]] == ["fails", "fails"]
    forged.without_certificates("required-1", "required-2")
    for one in forged.told["requirements"]:
        one |= {"status": "undecided", "part": ""}
    for line in forged.lines:
        if line["says"] == "required":
            line["values"]["status"] = "undecided"
            line["values"]["figure"] = "–"
            line["of"] = ""
    forged.heads_again()
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("decides 'delta <= 1/1000', and it does not say so" in one for one in said), said


# --- Events ---
@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        ("0", "1", {"outputs": "1", "likely": "0.2", "unlikely": "0.4", "ratio": "0.5"}),
        ("0", "1", {"outputs": "0", "likely": "0.7", "unlikely": "0.4", "ratio": "1.75"}),
        ("1", "2", {"outputs": "1", "likely": "0.4", "unlikely": "0.4", "ratio": "1"}),
    ],
)
def test_an_event_shows_the_smallest_epsilon(bundles, tmp_path, first, second, values):
    """Its two probabilities are true, and their quotient is not the one that ε is the logarithm of."""
    forged = bundles("fails")
    event = forged.line("event")
    event["values"] = {"first": first, "second": second, **values}
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("it has other values" in one for one in said), said


# --- Tables of words ---
@pytest.mark.parametrize("word", ["geometric:n=2,alpha=1/2", "geometric:alpha=1/2,n=2", "randomized-response:k=3,epsilon=1"])
def test_a_table_of_a_word_is_made_again(tmp_path, monkeypatch, word):
    monkeypatch.chdir(tmp_path)
    assert run(f"audit {word} --graph path --claims-epsilon 2 --bundle made").code == 0
    files = {path.relative_to("made").as_posix(): path.read_bytes() for path in Path("made").rglob("*") if path.is_file()}
    assert Forged(files).judged(tmp_path) == ("accepted", [])
    others = {"n=2": "n=3", "k=3": "k=4", "1/2": "1/3", "epsilon=1": "epsilon=1/2"}
    for old, new in others.items():
        if old in word:
            forged = Forged(files)
            forged.replace(word, word.replace(old, new))
            status, said = forged.judged(tmp_path)
            assert status == "rejected", (old, said)


def test_a_word_means_its_rows_in_their_order():
    made = table_of_word("geometric:n=2,alpha=1/2", 3)
    moved = Grid(("1", "0", "2"), made.outputs, made.rows)
    for grid, faults in ((made, 0), (moved, 1), (Grid(("a", "b", "c"), made.outputs, made.rows), 0)):
        found = check_bundle.Found()
        assert check_bundle._is_of_word("geometric:n=2,alpha=1/2", {}, grid, found) == (grid.inputs != ("a", "b", "c"))
        assert len(found.faults) == faults


@pytest.mark.parametrize("says", ["event", "event-never"])
def test_an_impossible_answer_shows_nothing(bundles, tmp_path, says):
    forged = bundles("zero")
    line = forged.line("event")
    numbers = {"likely": "0", "unlikely": "0", "ratio": "1000"} if says == "event" else {"likely": "0"}
    line.update(says=says, values={"first": line["values"]["first"], "second": line["values"]["second"], "outputs": "2", **numbers})
    assert forged.judged(tmp_path)[0] == "rejected"


def test_an_event_of_a_printed_table_shows_the_largest_epsilon(bundles, tmp_path):
    forged = bundles("digits")
    table = json.loads(_of(forged, "largest-epsilon"))["witness"]["table"]
    table = [[Fraction(int(x), int(row["den"])) for x in row["num"]] for row in table]
    ratio = Fraction(json.loads(_of(forged, "largest-epsilon"))["claim"]["ratio"])
    others = [(i, j, r) for i, j in ((0, 1), (1, 0), (1, 2), (2, 1)) for r in range(3)]
    i, j, r = next((i, j, r) for i, j, r in others if 0 < table[j][r] != ratio * table[i][r])
    likely, unlikely = (f"{float(table[k][r]):.6g}" for k in (i, j))
    values = {"first": str(i), "second": str(j), "outputs": str(r), "likely": likely, "unlikely": unlikely}
    forged.line("event-printed")["values"] = values
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("it has other values" in one for one in said), said


def test_a_required_epsilon_that_the_digits_decide_is_not_undecided(bundles, tmp_path):
    forged = bundles("required ε")
    assert [one["status"] for one in forged.told["requirements"]] == ["fails"]
    forged.without_certificates("largest-epsilon")
    forged.told["requirements"][0] |= {"status": "undecided", "part": ""}
    forged.line("required")["values"] |= {"status": "undecided", "figure": "–"}
    forged.line("required")["of"] = ""
    forged.heads_again()
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("decides 'epsilon <= 1/10', and it does not say so" in one for one in said), said


def test_an_end_that_is_a_bound_is_a_limit(bundles, tmp_path):
    """How near to it a table comes is not certified, so that the line may tell too wide a range."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        Path("a3.csv").write_text(FILES["a3.csv"])
        assert run("audit a3.csv --graph path --digits auto --claims-epsilon 1 --bundle made").code == 4
    files = {path.relative_to(tmp_path / "made").as_posix(): path.read_bytes() for path in (tmp_path / "made").rglob("*") if path.is_file()}
    forged = Forged(files)
    assert json.loads(_of(forged, "smallest-epsilon"))["claim"]["kind"] == "no-table-private"
    status, said = forged.judged(tmp_path)
    assert status == "limit", said
    assert any("the smallest ε is certified by a bound only" in one for one in said), said


def test_only_tables_that_keep_and_break_the_claim_leave_it_open(bundles, tmp_path):
    """The certificates are those of another δ."""
    forged = bundles("delta digits")
    assert any(line["says"] == "no-more" for line in forged.lines)
    other = xdp.printed_table(TABLE, digits=1)
    for delta in ("1/1000", "1/10"):
        verdict = xdp.audit(other, "path", claim=xdp.PrivacyClaim(epsilon=1, delta=delta))
        assert verdict.decision.value == "undecided"
        made = verdict.evidence.verdicts
        changed = bundles("delta digits")
        for part in ("some-table", "not-all-tables"):
            changed.put_certificate(part, xdp.certify(made[part]).to_json().encode())
        status, said = changed.judged(tmp_path)
        assert status == "rejected", (delta, said)
        assert any("it has other values" in one for one in said), said


def test_a_strict_bound_that_the_digits_decide_is_not_undecided(bundles, tmp_path):
    forged = bundles("strictly")
    assert [one["status"] for one in forged.told["requirements"]] == ["holds"]
    forged.without_certificates("largest-epsilon")
    forged.told["requirements"][0] |= {"status": "undecided", "part": ""}
    forged.line("required")["values"] |= {"status": "undecided", "figure": "–"}
    forged.line("required")["of"] = ""
    forged.heads_again()
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("decides 'epsilon < 3', and it does not say so" in one for one in said), said


def test_a_claim_that_is_just_kept_is_not_undecided(bundles, tmp_path):
    """The smallest ε is the claimed one, and irrational."""
    forged = bundles("equal")
    forged.without_certificates(*[one["part"] for one in forged.told["certificates"]])
    _undecided(forged)
    for line in forged.lines:
        line["says"] = "other" if line["says"] == "other-holds" else line["says"]
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("its claim is true by its numbers, and it is told as undecided" in one for one in said), said


# --- Lines of another state, table or level ---
def test_both_certificates_of_a_row_are_at_its_level(bundles, tmp_path):
    """After the best remap it is optimal at its own ε, and not at the claimed one."""
    forged = bundles("two levels")
    forged.put_certificate("consumer-2-after-remap", _of(forged, "consumer-1-after-remap"))
    row = next(line for line in forged.lines if line["of"] == "consumer-2")
    assert row["values"]["gap_after"] != "0: optimal"
    row["values"]["gap_after"] = "0: optimal"
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("the certificates of consumer-2 are at two levels" in one for one in said), said


def test_fractions_have_no_digits_that_a_verdict_could_turn_on(bundles, tmp_path):
    forged = bundles("fractions")
    epsilon = forged.line("own")["values"]["epsilon"]
    forged.line("fails").update(says="fails-printed", values={"places": "2", "epsilon": epsilon}, of="level")
    forged.line("sign-for")["values"]["verdict"] = "fails for the numbers as printed"
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("its verdict is of the digits of its numbers" in one for one in said), said


@pytest.mark.parametrize("numbers", ["decimals", "doubles"])
def test_a_claim_that_holds_does_not_fail_by_little(bundles, tmp_path, numbers):
    forged = bundles("for abs")
    verdict = forged.page["sections"][2]["lines"]
    verdict.insert(1, {"says": "within-fails", "values": {"numbers": numbers}, "of": "", "shown": True})
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("or of another verdict" in one for one in said), said


def test_a_repair_of_one_table_is_none_of_all_that_print_so(bundles, tmp_path):
    """The share is that of the lower ends, of which the table that prints so with the largest ε is none."""
    forged = bundles("digits")
    line = forged.line("repair-uniform-printed")
    line.update(says="repair-uniform", of="level")
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("it is of one table" in one for one in said), said


def test_one_input_keeps_every_claim(bundles, tmp_path):
    forged = bundles("one input")
    verdict = forged.page["sections"][2]["lines"]
    where = "where inputs next to each other are neighbours"
    verdict[0].update(says="holds-for", values={"where": "where any input may become any other one"})
    verdict.insert(1, {"says": "beside-fails", "values": {"where": where, "epsilon": "0"}, "of": "", "shown": True})
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any(one.startswith("a line is not what its source says (it has other values): It FAILS") for one in said), said


def test_a_claim_that_holds_needs_no_repair(bundles, tmp_path):
    forged = bundles("for abs")
    verdict = forged.page["sections"][2]["lines"]
    epsilon = forged.line("own")["values"]["epsilon"]
    verdict.append({"says": "repair-epsilon", "values": {"epsilon": epsilon}, "of": "level", "shown": True})
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert "it says what would repair a claim that does not fail" in said


def test_an_epsilon_with_a_certificate_was_decided(bundles, tmp_path):
    forged = bundles("no claim")
    _undecided(forged)
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert "it says that how private the table is was not decided, and a certificate shows it" in said


def test_no_least_epsilon_of_tables_that_print_so_is_told_as_0(bundles, tmp_path):
    forged = bundles("digits")
    forged.line("between")["values"]["low"] = "0"
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("it has other values" in one for one in said), said


def test_what_digits_leave_open_no_time_decides(bundles, tmp_path):
    forged = bundles("delta digits")
    forged.line("no-more").update(says="late", values={})
    assert forged.judged(tmp_path)[0] == "rejected"


def test_a_table_that_is_no_mechanism_has_no_epsilon_and_no_repair_of_its_claim(bundles, tmp_path):
    forged = bundles("sums to 2")
    assert forged.told["claimed"]["quality"] == "wrong"
    lines = forged.page["sections"][2]["lines"]
    lines.append({"says": "repair-epsilon", "values": {"epsilon": "0.693148"}, "of": "level", "shown": True})
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("how private a table is that is no mechanism" in one for one in said), said
