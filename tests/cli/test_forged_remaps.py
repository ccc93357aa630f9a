# SPDX-License-Identifier: MIT
"""Random remaps of page one are forged, and all is made again: the program of a bundle refuses each."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from cli_runner import run
from forged_bundle import Forged

from exactdp.certificate.bundle_files import MANIFEST
from exactdp.certificate.bundle_tables import combined, constant, equal, number_of
from exactdp.certificate.check_bundle import PROGRAMS
from exactdp.certificate.compare_remaps import attains, readings_of
from exactdp.certificate.page_one import consumer_words, consumers_shown, page_of
from exactdp.certificate.page_one_sources import Compared

FILES = {"count.csv": "2/3,1/6,1/6\n1/3,1/3,1/3\n1/6,1/6,2/3\n"}
QUESTIONS = {
    "fractions": "count.csv --graph path --claims-epsilon 2 --for zero-one --for abs",
    "powers": "geometric:n=2,epsilon=1 --graph path --for zero-one",
    "deterministic": "geometric:n=2,epsilon=1 --graph path --for 'abs prior=uniform'",
}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """Makes the files of a bundle when they are asked for, once."""
    place = tmp_path_factory.mktemp("remaps")
    made = {}

    def bundle(name):
        if name not in made:
            folder = place / f"made-{len(made)}"
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(place)
                for file, text in FILES.items():
                    Path(file).write_text(text)
                assert run(f"audit {QUESTIONS[name]} --bundle {folder.name}").code == 0
            made[name] = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        return Forged(made[name])

    return bundle


def rows(b, number="1"):
    """The rows of a consumer's remap on page one."""
    return [line for line in b.lines if line["says"] == "remap-row" and line["values"]["number"] == number]


def put(line, shares, read=None):
    """Other exact probabilities of a row, each with its guess, and what page one says of it."""
    line["values"]["exact"] = json.dumps(shares)
    line["values"]["read"] = line["values"]["read"] if read is None else read


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_true_bundle_is_accepted(bundles, tmp_path, name):
    assert bundles(name).judged(tmp_path) == ("accepted", [])


def test_a_random_remap_is_told_in_percent_and_exactly(bundles):
    """By hand: 1 − 2/3·3/4 = 1/2 at inputs 0 and 2, and 1 − (1/3·1/4 + 1/3 + 1/3·1/4) = 1/2 at input 1."""
    b = bundles("fractions")
    told = [(line["values"]["output"], line["values"]["read"], json.loads(line["values"]["exact"])) for line in rows(b)]
    assert told == [
        ("0", "as 0 in 75 % of cases, as 1 in 25 %", [["0", "3/4"], ["1", "1/4"]]),
        ("2", "as 1 in 25 % of cases, as 2 in 75 %", [["1", "1/4"], ["2", "3/4"]]),
    ]
    assert b.line("row")["values"]["remapped"] == "0.5"


def test_a_remap_in_powers_of_e_is_told_exactly(bundles):
    """With a = e^(−1) it is right at inputs 0 and 1 with x/(1 + a) and (1 − a + 2a(1 − x))/(1 + a).

    These are equal for x = (1 + a)/(1 + 2a).
    """
    first = rows(bundles("powers"))[0]["values"]
    assert first["read"] == "as 0 in 78.81 % of cases, as 1 in 21.19 %"  # 1.367879/1.735759 = 0.788058
    a = ((1, Fraction(1)),)
    assert equal(number_of(json.loads(first["exact"])[0][1]), ({(): Fraction(1), a: Fraction(1)}, {(): Fraction(1), a: Fraction(2)}))


def test_a_deterministic_remap_has_no_table(bundles):
    assert not {"remap-drawn", "remap-row", "remap-random"} & {line["says"] for line in bundles("deterministic").lines}


# --- Other probabilities ---
def _another_entry(b):
    put(rows(b)[0], [["0", "5/8"], ["1", "3/8"]], "as 0 in 62.5 % of cases, as 1 in 37.5 %")


def _negative(b):
    put(rows(b)[0], [["0", "5/4"], ["1", "-1/4"]])


def _sum_below_1(b):
    put(rows(b)[0], [["0", "3/4"], ["1", "1/5"]], "as 0 in 75 % of cases, as 1 in 20 %")


def _sum_above_1_by_little(b):
    put(rows(b)[0], [["0", "3/4"], ["1", "100000000000000000001/400000000000000000000"]])


def _swapped_rows(b):
    first, second = rows(b)
    for key in ("read", "exact"):
        first["values"][key], second["values"][key] = second["values"][key], first["values"][key]


def _swapped_answers(b):
    first, second = rows(b)
    first["values"]["output"], second["values"]["output"] = "2", "0"


def _other_consumer(b):
    for own, other in zip(rows(b, "1"), rows(b, "2"), strict=True):
        own["values"] |= {key: other["values"][key] for key in ("read", "exact")}


def _other_decimals(b):
    rows(b)[0]["values"]["read"] = "as 0 in 75.01 % of cases, as 1 in 24.99 %"


def _other_guess_in_words(b):
    rows(b)[0]["values"]["read"] = "as 0 in 75 % of cases, as 2 in 25 %"


def _other_guess(b):
    put(rows(b)[0], [["0", "3/4"], ["2", "1/4"]], "as 0 in 75 % of cases, as 2 in 25 %")


def _no_guess_of_the_consumer(b):
    put(rows(b)[0], [["0", "3/4"], ["7", "1/4"]], "as 0 in 75 % of cases, as 7 in 25 %")


def _twice_the_same_guess(b):
    put(rows(b)[0], [["0", "3/4"], ["0", "1/4"]], "as 0 in 75 % of cases, as 0 in 25 %")


def _always(b):
    put(rows(b)[0], [["0", "1"]], "as 0, always")


def _no_numbers(b):
    rows(b)[0]["values"]["exact"] = "[]"


def _double(b):
    put(rows(b)[0], [["0", 0.75], ["1", 0.25]])


def _written_otherwise(b):
    rows(b)[0]["values"]["exact"] = rows(b)[0]["values"]["exact"].replace(", ", ",")


# --- Other rows ---
def _without_a_row(b):
    gone = rows(b)[1]
    section = b.page["sections"][3]
    section["lines"] = [line for line in section["lines"] if line is not gone]


def _without_rows(b):
    b.drop("remap-row")


def _rows_alone(b):
    b.drop("remap-drawn")


def _not_told(b):
    b.drop("remap-drawn", "remap-row")


def _one_more_row(b):
    last = rows(b)[1]
    lines = b.page["sections"][3]["lines"]
    more = last["values"] | {"output": "1", "read": "as 1, always", "exact": '[["1", "1"]]'}
    lines.insert(lines.index(last), last | {"values": more})


def _in_another_order(b):
    lines = b.page["sections"][3]["lines"]
    last = rows(b, "2")[1]
    lines.remove(last)
    lines.insert(lines.index(rows(b)[1]), last)


def _in_the_appendix(b):
    b.drop("remap-row")
    for line in b.lines:
        if line["says"] == "remap-drawn":
            line["says"] = "remap-random"


def _as_it_is(b):
    b.drop("remap-row")
    for line in b.lines:
        if line["says"] == "remap-drawn":
            line["says"] = "remap-none"


def _without_certificate(b):
    for line in b.lines:
        if line["says"] == "remap-drawn" or line in rows(b):
            line["shown"] = False


NO_ROW = "a row of a remap is not what its exact numbers say"
FORGERIES = {
    "another entry": (_another_entry, "answer 0 has other probabilities in its certificate"),
    "a negative entry": (_negative, f"{NO_ROW} (a probability is not positive)"),
    "a sum below 1": (_sum_below_1, f"{NO_ROW} (its probabilities do not sum to 1)"),
    "a sum above 1 by little": (_sum_above_1_by_little, f"{NO_ROW} (its probabilities do not sum to 1)"),
    "rows in each other's place": (_swapped_rows, "answer 0 is read as other guesses by its certificate"),
    "answers in each other's place": (_swapped_answers, "its answers are not those that the remap reads as others"),
    "the remap of another consumer": (_other_consumer, "answer 0 has other probabilities in its certificate"),
    "other decimals": (_other_decimals, f"{NO_ROW} (its percentages, or its guesses, are others)"),
    "another guess in words": (_other_guess_in_words, f"{NO_ROW} (its percentages, or its guesses, are others)"),
    "another guess": (_other_guess, "answer 0 is read as other guesses by its certificate"),
    "a guess of nobody": (_no_guess_of_the_consumer, "answer 0 is read as other guesses by its certificate"),
    "a guess twice": (_twice_the_same_guess, f"{NO_ROW} (a guess stands there twice)"),
    "one guess alone": (_always, "answer 0 is read as other guesses by its certificate"),
    "no numbers": (_no_numbers, f"{NO_ROW} (they are none"),
    "doubles": (_double, f"{NO_ROW} (they are none"),
    "numbers in another writing": (_written_otherwise, f"{NO_ROW} (they are none"),
    "a row less": (_without_a_row, "its answers are not those that the remap reads as others"),
    "no rows": (_without_rows, "it tells of a table of the remap of consumer-1, and there is none"),
    "rows alone": (_rows_alone, "it has a table of a remap of consumer-1, and tells of none"),
    "no remap": (_not_told, "it does not tell the best remap of consumer-1"),
    "rows among those of another": (_in_another_order, "the rows of its remaps are not in the order of their consumers"),
    "a row more": (_one_more_row, "its answers are not those that the remap reads as others"),
    "the appendix in place of the table": (_in_the_appendix, "it does not have the table of each random remap"),
    "each answer as it is": (_as_it_is, "it has other values"),
    "no certificate": (_without_certificate, "there is a certificate of consumer-1, and it says that there is none"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_remap_is_refused(bundles, tmp_path, name):
    b = bundles("fractions")
    change, sentence = FORGERIES[name]
    change(b)
    status, faults = b.judged(tmp_path)
    assert status == "rejected"
    assert any(sentence in fault for fault in faults), faults


def test_a_forged_remap_in_powers_of_e_is_refused(bundles, tmp_path):
    """3/4 in place of a number beside it that has the same first digits is another number."""
    b = bundles("powers")
    first = rows(b)[0]
    shares = json.loads(first["values"]["exact"])
    assert any(not isinstance(x, str) for _, x in shares)
    put(first, [["0", "3/4"], ["1", "1/4"]], "as 0 in 75 % of cases, as 1 in 25 %")
    status, faults = b.judged(tmp_path)
    assert status == "rejected"
    assert any("answer 0 has other probabilities in its certificate" in fault for fault in faults), faults


def test_decimals_of_powers_of_e_are_those_of_the_number(bundles, tmp_path):
    b = bundles("powers")
    read = rows(b)[0]["values"]["read"]
    percent = read.split(" in ")[1].split(" ")[0]
    rows(b)[0]["values"]["read"] = read.replace(percent, str(Decimal(percent) + Decimal("0.01")), 1)
    assert rows(b)[0]["values"]["read"] != read
    status, faults = b.judged(tmp_path)
    assert status == "rejected"
    assert any(NO_ROW in fault for fault in faults), faults


# --- The loss after a remap, computed from the table ---
def compared(b):
    """What page one of a bundle is compared with."""
    found = Compared(b.files, json.loads(b.files[MANIFEST])["predicate"])
    found.readings = readings_of(page_of(b.page))
    return found


def remap_of(b, first):
    """The remap of page one for its first consumer, with another distribution of the first answer."""
    one = constant(Fraction(1)), constant(Fraction(1))
    read = [[(guess, number_of(x)) for guess, x in json.loads(line["values"]["exact"])] for line in rows(b)]
    return [read[0] if first is None else first, [("1", one)], read[1]]


@pytest.mark.parametrize("name", ["fractions", "powers"])
def test_the_loss_after_the_remap_is_computed_from_the_table(bundles, name):
    """No certificate is asked: the worst loss of another remap is another number."""
    b = bundles(name)
    against = compared(b)
    assert attains(against, "consumer-1", remap_of(b, None))
    half = constant(Fraction(1, 2)), constant(Fraction(1))
    assert not attains(against, "consumer-1", remap_of(b, [("0", half), ("1", half)]))
    little = constant(Fraction(1, 10**30)), constant(Fraction(1))
    (_, p), (_, q) = remap_of(b, None)[0]
    assert not attains(against, "consumer-1", remap_of(b, [("0", combined(p, little, 1)), ("1", combined(q, little, -1))]))


def test_the_program_is_in_the_bundle():
    assert "compare_remaps.py" in PROGRAMS


def test_a_random_remap_is_no_empty_list_of_moves(bundles, tmp_path):
    b = bundles("fractions")
    number = b.line("remap-drawn")["values"]["number"]
    for section in b.page["sections"]:
        section["lines"] = [one for one in section["lines"] if one["says"] != "remap-row" or one["values"]["number"] != number]
    b.line("remap-drawn").update(says="remap", values={"number": number, "moves": ""})
    assert b.judged(tmp_path)[0] == "rejected"


def test_a_loss_is_no_utility(bundles, tmp_path):
    """Of a utility the one with the least bears it."""
    b = bundles("powers")
    line = b.line("bears")
    values = line["values"]
    turned = {"worst": values["best"], "best": values["worst"], "most": f"-{values['least']}", "least": f"-{values['most']}"}
    values.update(turned, measure="utility")
    assert b.judged(tmp_path)[0] == "rejected"


def test_a_file_called_as_a_loss_keeps_its_digest():
    file, own = (f"the minimax consumer with loss abs{digest}" for digest in (" (sha256 327eb8c0…)", ""))
    assert consumers_shown([file]) == [file]
    assert "auditor" in consumer_words(consumers_shown([file])[0])
    assert consumers_shown([own]) == [own]
    assert "auditor" in consumer_words("the minimax consumer with gain abs")
