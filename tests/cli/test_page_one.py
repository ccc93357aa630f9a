# SPDX-License-Identifier: MIT
"""``exactdp audit --page``, what an auditor states, and page one of a bundle: every edit of it is found."""

from __future__ import annotations

import json
import os
import re
from fractions import Fraction
from math import e

import pytest
from cli_runner import run

from exactdp.certificate import bundle_files, check_bundle
from exactdp.certificate.bundle_files import MANIFEST
from exactdp.certificate.compare_law import faults_of_law_page
from exactdp.certificate.compare_page_one import faults_of_page_one
from exactdp.certificate.page_one import HEADS, NAMES, STATED, STATEMENTS, STATES, Line, Page, page_of
from exactdp.certificate.page_one_formats import WRITTEN
from exactdp.cli.page_one import STATED_TOPICS

COUNT = "2/3,1/6,1/6\n1/3,1/3,1/3\n1/6,1/6,2/3\n"
HOLDS = "audit t.csv --graph path --claims-epsilon 1 --for zero-one --unit 'one person'"
QUESTIONS = {
    "holds": HOLDS,
    "fails": "audit t.csv --graph path --claims-epsilon 1/2 --for 'abs prior=uniform' --for squared",
    "delta": "audit t.csv --graph path --claims-epsilon 1/2 --claims-delta 1/100",
    "none": "audit t.csv --graph path",
    "wrong": "audit wrong.csv --graph path --claims-epsilon 1",
    "doubles": "audit doubles.csv --local --dyadic --claims-epsilon 1 --for zero-one",
    "printed": "audit printed.csv --local --labels --digits auto --claims-epsilon ln(20) --for zero-one",
    "rounded": "audit rounded.csv --graph complete --claims-epsilon 1",
    "two-digits": "audit printed.csv --local --labels --digits 2 --claims-epsilon 2",
    "powers": "audit geometric:n=2,epsilon=1 --claims-epsilon 2",
    "grid": "audit grid.csv --labels --graph grid:2x2 --claims-epsilon 0.7",
    "grid-local": "audit grid.csv --labels --local --claims-epsilon 1.4",
    "cells": "audit cells.csv --graph grid:2x2 --claims-epsilon 0.7 --state 'grid-unit=100 m'",
    "divided": "audit pram.csv --local --labels --renormalise --claims-epsilon 2.44",
    "rounding": "audit pram.csv --local --labels --rounding 0.01 --claims-epsilon 2.44",
    "divided-fractions": "audit wrong.csv --graph path --no-header --renormalise --claims-epsilon 1",
    "as-printed": "audit t2.csv --graph path --claims-epsilon ln(2.05)",
    "as-printed-fails": "audit t2.csv --graph path --claims-epsilon ln(2)",
    "printed-doubles": "audit doubles.csv --local --claims-epsilon 1 --for zero-one",
    "barely": "audit barely.csv --graph complete --renormalise --claims-epsilon 1",
    "digits-holds": "audit printed.csv --local --labels --digits 2 --claims-epsilon 4 --unit 'one answer'",
    "digits-open": "audit pram.csv --local --labels --digits 2 --claims-epsilon 2.5",
    "digits-fails": "audit pram.csv --local --labels --digits 2 --claims-epsilon 2",
    "explained": "audit pram.csv --local --labels --claims-epsilon 2.5",
    "as-printed-zeros": "audit zeros.csv --graph path --claims-epsilon ln(2)",
    "local-fails": "audit t.csv --local --claims-epsilon 1",
    "labelled": "audit labelled.csv --local --labels --claims-epsilon 1 --for zero-one",
    "remapped": "audit turned.csv --graph path --claims-alpha 1/4 --for zero-one",
    "law": "audit randomized-response:k=2925,epsilon=14 --claims-epsilon 14 --unit 'one click' --for zero-one --delta 1/10",
    "law-fails": "audit randomized-response:n=2924,keep=1/2000000 --claims-epsilon 7",
    "law-never": "audit randomized-response:n=2924,keep=1 --claims-epsilon 7",
    "law-bits": "audit rappor:bits=128,hashes=2,f=1/2,p=1/4,q=3/4 --claims-alpha 81/625",
    "law-delta": "audit unary-encoding:bits=1024,epsilon=4 --claims-epsilon 3 --claims-delta 1/10",
    "law-counts": "audit geometric:n=1000000 --epsilon 1/3",
    "law-reach": "audit google-geometric:n=9999,sensitivity=3,epsilon=1 --claims-epsilon 1/2",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with tables, and a bundle for each question."""
    place = tmp_path_factory.mktemp("pages")
    truth, other = e / (e + 4), 1 / (e + 4)
    doubles = "\n".join(",".join(repr(truth if i == r else other) for r in range(5)) for i in range(5))
    (place / "t.csv").write_text(COUNT)
    rounded = [f"{x:.12f}" for x in (e / (e + 5), 1 / (e + 5))]
    (place / "rounded.csv").write_text("\n".join(",".join(rounded[i != r] for r in range(6)) for i in range(6)) + "\n")
    (place / "grid.csv").write_text(
        ',"0,0","0,1","1,0","1,1"\n"0,0",4/9,2/9,2/9,1/9\n"0,1",2/9,4/9,1/9,2/9\n"1,0",2/9,1/9,4/9,2/9\n"1,1",1/9,2/9,2/9,4/9\n'
    )
    (place / "cells.csv").write_text("4/9,2/9,2/9,1/9\n2/9,4/9,1/9,2/9\n2/9,1/9,4/9,2/9\n1/9,2/9,2/9,4/9\n")
    rows = (",".join("0.80" if i == r else "0.07" for r in range(4)) for i in range(4))
    (place / "pram.csv").write_text("r,N,E,S,W\n" + "".join(f"{label},{row}\n" for label, row in zip("NESW", rows, strict=True)))
    barely = [f"{x:.12f}" for x in (e / (e + 5) + 1e-11, 1 / (e + 5))]
    (place / "barely.csv").write_text("\n".join(",".join(barely[i != r] for r in range(6)) for i in range(6)) + "\n")
    (place / "t2.csv").write_text("0.67,0.33\n0.33,0.67\n")
    (place / "zeros.csv").write_text("0.5,0.5,0.0\n0.4,0.6,0.0\n")
    names = [f"v{k}" for k in range(16)]
    answers = (",".join([name, *("2/17" if name == other else "1/17" for other in names)]) for name in names)
    (place / "labelled.csv").write_text("\n".join([",".join(["r", *names]), *answers]) + "\n")
    (place / "wrong.csv").write_text("1/2,1/3\n1/3,2/3\n")
    (place / "turned.csv").write_text("1/4,3/4\n3/4,1/4\n")
    (place / "doubles.csv").write_text(doubles + "\n")
    (place / "printed.csv").write_text("r,u,s,w\nu,0.85,0.10,0.05\ns,0.08,0.84,0.08\nw,0.04,0.11,0.85\n")
    before, epoch = os.getcwd(), os.environ.get("SOURCE_DATE_EPOCH")
    os.chdir(place)
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    try:
        for name, question in QUESTIONS.items():
            done = run(f"{question} --bundle {name}.zip")
            assert done.code in (0, 1, 4), done.err
    finally:
        os.chdir(before)
        os.environ.pop("SOURCE_DATE_EPOCH")
        if epoch is not None:
            os.environ["SOURCE_DATE_EPOCH"] = epoch
    return place


@pytest.fixture
def place(made, monkeypatch):
    monkeypatch.chdir(made)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    return made


def files_of(name):
    return bundle_files.files_of(f"{name}.zip")[0]


def page_in(files):
    return page_of(json.loads(files[NAMES["json"]]))


def faults(files):
    """What is wrong with page one, said by what compares it, where somebody has made all digests again."""
    predicate = json.loads(files[MANIFEST])["predicate"]
    compared = faults_of_law_page if bundle_files.is_of_law(predicate) else faults_of_page_one
    return compared(files, predicate)[0]


def with_page(files, page):
    return files | {name: WRITTEN[kind](page).encode() for kind, name in NAMES.items()}


def changed(page, place, line):
    """The page with another line at a place; none if it is None."""
    number, sections = 0, []
    for title, lines in page.sections:
        kept = []
        for one in lines:
            new = line if number == place else one
            kept += [] if new is None else [new]
            number += 1
        sections.append((title, tuple(kept)))
    return Page(page.title, tuple(sections))


# --- Bundles ---


def test_the_help_names_the_topics_of_page_one():
    assert STATED_TOPICS == STATEMENTS


@pytest.mark.parametrize("name", QUESTIONS)
def test_page_one_of_a_bundle_is_what_its_certificates_say(place, name):
    files = files_of(name)
    assert faults(files) == []
    found = check_bundle.answer(f"{name}.zip")
    assert found["status"] == "accepted", found["faults"]
    assert not [note for note in found["notes"] if "page one" in note and "page one in each line" not in note]


NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?")


def other_values(line):
    """The same line with one value changed: numbers made larger or smaller, words made others."""
    for key, value in line.values.items():
        numbers = NUMBER.findall(value) if key not in ("digest", "given", "date", "release", "command", "text") else []
        for number in numbers[:1]:
            for factor in (Fraction(6, 5), Fraction(4, 5)):
                new = str(float(Fraction(number) * factor + (number == "0")))
                yield Line(line.says, {**line.values, key: value.replace(number, new, 1)}, line.of, line.shown)
        if not numbers:
            yield Line(line.says, {**line.values, key: value + "x"}, line.of, line.shown)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_edited_value_is_found_though_all_is_written_again(place, name):
    """But what the auditor states, and what no certificate shows: both say so themselves."""
    files = files_of(name)
    page = page_in(files)
    tried = 0
    for number, line in enumerate(page.lines()):
        if ("text" in line.values and (line.values.get("status", STATED) == STATED)) or not line.shown:
            continue
        for other in other_values(line):
            tried += 1
            assert faults(with_page(files, changed(page, number, other))), str(other)
    assert tried > 15


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_other_state_is_found(place, name):
    files = files_of(name)
    page = page_in(files)
    places = [k for k, line in enumerate(page.lines()) if line.says in HEADS]
    assert len(places) == 1
    for state in STATES.values():
        if HEADS[page.sections[2][1][0].says] != state:
            assert faults(with_page(files, changed(page, places[0], Line(state))))


def test_a_line_that_is_left_out_or_says_that_it_has_no_certificate_is_found(place):
    files = files_of("holds")
    page = page_in(files)
    for number, line in enumerate(page.lines()):
        if line.says in ("subject", "size", "claimed", "neighbours", "holds-for", "beside-fails", "row", "scope", "sign", "sign-for"):
            assert faults(with_page(files, changed(page, number, None))) or line.says == "row", line.says
        if line.of:
            assert faults(with_page(files, changed(page, number, Line(line.says, line.values, line.of, shown=False)))), line.says


@pytest.mark.parametrize("kind", ["html", "md", "tex"])
def test_a_format_that_says_something_else_is_found(place, kind):
    files = files_of("fails")
    name = NAMES[kind]
    for old, new in ((b"fails", b"holds"), (b"0.693148", b"0.5"), (b"\n", b" \n"), (b"not judged", b"decided here")):
        edited = files[name].replace(old, new, 1)
        assert edited != files[name]
        assert [file for file, _ in faults(files | {name: edited})] == [name]
    assert faults({file: data for file, data in files.items() if file != name})


def test_the_same_command_writes_the_same_bytes(place, tmp_path):
    before = files_of("holds")
    again = run(f"{HOLDS} --bundle {tmp_path / 'again.zip'}")
    assert again.code == 0
    after = bundle_files.files_of(str(tmp_path / "again.zip"))[0]
    page = changed(page_in(before), -1, None)
    command = [k for k, line in enumerate(page.lines()) if line.says == "command"]
    line = list(page_in(after).lines())[command[0]]
    assert changed(page, command[0], line) == page_in(after)
    for name in ("one.md", "two.md"):
        assert run(f"{HOLDS} --page {tmp_path}/page.md").code == 0
        (tmp_path / "page.md").rename(tmp_path / name)
    assert (tmp_path / "one.md").read_bytes() == (tmp_path / "two.md").read_bytes()


# --- The command ---


@pytest.mark.parametrize("end", ["html", "md", "tex"])
def test_a_page_is_written_with_its_appendix(place, tmp_path, end):
    file = tmp_path / f"page.{end}"
    done = run(f"{HOLDS} --page {file}")
    assert done.code == 0
    assert f"page one was written to {file}" in done.out
    text = file.read_text()
    assert "The claim holds where inputs next to each other are neighbours." in text
    assert "one person (stated by the auditor)" in text
    assert bundle_files.sha256((place / "t.csv").read_bytes()) in text
    assert "2023" in text
    assert "ln(2)" in text[text.index("signature") :]  # exactly, in the appendix
    assert "ln(2)" not in text[: text.index("signature")]
    assert "tight" not in text[: text.index("signature")]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--page page.pdf", "ends in none of .html"),
        ("--unit 'one person'", "add --page FILE or --bundle DIR"),
        ("--page p.md --state sampler", "is no TOPIC=TEXT"),
        ("--page p.md --state weather=fine", "an auditor states nothing about 'weather'"),
        ("--page p.md --state unit=one --unit two", "stated twice"),
        ("--page p.md --statements none.toml", "can't read"),
        ("--page p.md --html p.md", "name one file"),
        ("--page p.md --compare geometric:n=2,alpha=1/2", "page one is about one table"),
    ],
)
def test_what_is_asked_wrongly_gets_one_sentence(place, words, sentence):
    done = run(f"audit t.csv --graph path {words}")
    assert done.code == 2
    assert sentence in done.err
    assert not (place / "p.md").exists()


def test_statements_from_a_file(place, tmp_path):
    (tmp_path / "s.toml").write_text('sampler = "tested by T"\nneighbours = "the office"\n')
    file = tmp_path / "p.md"
    done = run(f"audit t.csv --graph path --statements {tmp_path / 's.toml'} --state access='only the office' --page {file}")
    assert done.code == 0
    text = file.read_text()
    for said in ("tested by T", "the office", "only the office"):
        assert said in text
    (tmp_path / "s.toml").write_text("weather = 'fine'\n")
    done = run(f"audit t.csv --graph path --statements {tmp_path / 's.toml'} --page {file}")
    assert done.code != 0
    assert "s.toml: an auditor states nothing about 'weather'" in done.err


def test_fifty_answers_in_doubles(place, tmp_path):
    truth, other = e / (e + 49), 1 / (e + 49)
    (tmp_path / "k.csv").write_text("\n".join(",".join(repr(truth if i == r else other) for r in range(50)) for i in range(50)) + "\n")
    done = run(f"audit {tmp_path / 'k.csv'} --local --dyadic --claims-epsilon 1 --bundle {tmp_path / 'k.zip'}")
    assert done.code == 0
    assert check_bundle.answer(str(tmp_path / "k.zip"))["status"] == "accepted"
    said = [line.says for line in page_of(json.loads(bundle_files.files_of(str(tmp_path / "k.zip"))[0][NAMES["json"]])).lines()]
    assert said.index("within-holds") == said.index("holds") + 1


# --- What a verdict is limited to ---


def lines_of(name):
    return {line.says: str(line) for line in page_in(files_of(name)).lines()}


HEAD = {
    "divided": "holds-divided",
    "rounding": "holds-divided",
    "divided-fractions": "holds-divided-only",
    "as-printed": "holds-printed",
    "as-printed-fails": "fails-printed",
    "as-printed-zeros": "holds-printed-infinite",
    "digits-holds": "holds-digits",
    "digits-fails": "fails-digits",
    "explained": "fails-sums",
    "barely": "fails-barely",
    "grid": "holds-for",
    "cells": "holds-for",
}


@pytest.mark.parametrize("name", HEAD)
def test_a_verdict_that_is_limited_is_not_replaced_by_one_that_is_not(place, name):
    """Though it is signed as the other one, and all is written again."""
    files = files_of(name)
    page = page_in(files)
    head = page.sections[2][1][0]
    assert head.says == HEAD[name]
    if HEADS[head.says] == "fails":
        return  # the shorter one says no less that it fails
    lines = list(page.lines())
    plain = changed(page, lines.index(head), Line("holds"))
    signed = next(line for line in lines if line.says == "sign-for")
    plain = changed(plain, lines.index(signed), Line("sign-for", {**signed.values, "verdict": "holds"}))
    assert faults(with_page(files, plain))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("grid", "beside-fails"),
        ("cells", "grid-order"),
        ("grid-local", "grid-labels"),
        ("divided", "divided"),
        ("divided", "renormalised"),
        ("rounding", "divided"),
        ("fails", "beside-fails-too"),
        ("local-fails", "beside-holds"),
        ("explained", "wrong-rounded"),
        ("holds", "sign-for"),
    ],
)
def test_what_limits_it_is_not_left_out(place, name, says):
    files = files_of(name)
    page = page_in(files)
    numbers = [k for k, line in enumerate(page.lines()) if line.says == says]
    assert numbers
    for number in numbers:
        assert faults(with_page(files, changed(page, number, None)))


def test_a_divided_table_is_not_said_to_be_that_of_the_file(place):
    files = files_of("divided")
    page = page_in(files)
    number = next(k for k, line in enumerate(page.lines()) if line.says == "renormalised")
    assert faults(with_page(files, changed(page, number, Line("numbers-exact"))))
    assert "numbers-exact" not in lines_of("divided")


@pytest.mark.parametrize("option", ["--renormalise", "--rounding 0.01"])
def test_the_terminal_does_not_say_true_of_a_file_whose_digits_say_false(place, option):
    """Every table that prints as 0.80 and 0.07 breaks ε = 2.44, and that divided by 1.01 keeps it."""
    claim = "audit pram.csv --local --labels --claims-epsilon 2.44"
    assert run(f"{claim} --digits 2").code == 1
    done = run(f"{claim} {option}")
    assert done.code == 0
    assert "the claim holds only with rows divided by their sums" in done.out.splitlines()[0]
    assert "which is not the one in the file; --digits 2" in run(f"{claim} {option} --json").json["claim_holds_of"]
    told = run(f"{claim.replace('2.44', '2.6')} {option}")  # all that print so keep it: ln(0.805/0.065) = 2.516…
    assert "so the claim (ε = 13/5)-private is true" in told.out.splitlines()[0]


def test_decimals_are_offered_their_digits_only(place):
    assert run("audit pram.csv --local --labels --claims-epsilon 2.44 --page p.md").code == 1
    text = (place / "p.md").read_text()
    (place / "p.md").unlink()
    assert "--digits 2" in text
    assert "renormalise" not in text
    assert "**Not judged as it stands: its rows do not sum to 1, which rounding to 2 decimal places explains." in text
    assert "is not judged as it stands, since its rows do not sum to 1" in text
    assert "claim fails" not in text
    assert "since it is no mechanism" not in text


def test_page_and_terminal_repair_with_one_number(place):
    done = run("audit barely.csv --graph complete --renormalise --claims-epsilon 1 --page p.md")
    text = (place / "p.md").read_text()
    (place / "p.md").unlink()
    told = re.search(r"claim ε = (\S+) instead", done.out)[1]
    assert set(re.findall(r"[Cc]laim ε = (\S+) instead", text)) == {told}
    assert f"the smallest ε is {told}." in text


def test_doubles_in_a_file_are_recognised(place):
    assert "--dyadic" in lines_of("printed-doubles")["numbers-printed-doubles"]
    (place / "seventeen.csv").write_text("0.62245933120185459,0.37754066879814546\n0.37754066879814546,0.62245933120185459\n")
    done = run("audit seventeen.csv --local --digits auto --claims-epsilon 1")  # a row sums to 1 + 5e-17
    assert done.code == 3
    assert "--dyadic" in done.err
    assert "mend the row" not in done.err


def test_an_undecided_page_has_nothing_to_compare(place):
    done = run("audit pram.csv --local --labels --digits 2 --claims-epsilon 2.5 --for zero-one --page p.md")
    assert done.code == 4
    text = (place / "p.md").read_text()
    (place / "p.md").unlink()
    row = next(line for line in text.splitlines() if line.startswith("| 1 |"))
    assert "–" not in row
    assert "0.195 to 0.205" in row
    assert "is possible only for tables that print so and do not keep the claimed ε" in text  # 3/(e^2.5 + 3) = 0.1976…
    assert "| how useful the answers are | not decided |" in text
    assert "remap" not in text[: text.index("# Appendix")]


def test_help_lists_the_topics(place):
    told = " ".join(run("audit --help").out.split())
    assert "Topics: name, unit, neighbours, sampler" in told


def test_what_is_signed_names_the_neighbours_and_what_is_not_covered(place):
    signed = lines_of("cells")["sign-for"]
    assert "holds, for steps on the grid; not where any input may become any other one (ε = 1.3863)" in signed  # ln 4
    assert "not for distances as the crow flies (ε = 0.980259)" in signed  # ln(4)/√2
    assert "one unit of the grid is “100 m” (stated by the auditor); for one release; not covering:" in signed
    assert "one report" not in signed
    assert "how long one unit of the grid is, is not stated" in lines_of("grid")["sign-for"]
    assert "; each row divided by its sum; " in lines_of("rounding")["sign-for"]
    assert "; unit of privacy: “one answer” (stated by the auditor); not covering" in lines_of("digits-holds")["sign-for"]
    assert "composition with other releases" in signed
    assert "100 m (stated by the auditor)" in lines_of("cells")["grid-unit"]


def test_what_holds_for_every_table_that_prints_so_is_said_at_once(place):
    """From 0.67 beside 0.33 print 0.675 beside 0.325: ln(27/13) = 0.730888…"""
    assert "keeps ε = 0.730888; --digits 2 judges them." in lines_of("as-printed")["holds-printed"]
    assert "(these keep ε = 0.730888)" in lines_of("as-printed")["sign-for"]
    assert "no finite ε" in lines_of("as-printed-zeros")["holds-printed-infinite"]


def test_where_a_claim_fails_all_other_neighbours_are_told(place):
    text = WRITTEN["md"](page_in(files_of("fails")))
    assert "**It fails, too, where any input may become any other one (smallest ε = 1.3863).**" in text  # ln 4
    assert "it fails, too, where any input" in lines_of("fails")["sign-for"]
    assert lines_of("local-fails")["beside-holds"].startswith("It would HOLD where inputs next to each other are neighbours")


def test_a_verdict_of_digits_is_not_replaced_by_one_of_a_table(place):
    files = files_of("digits-fails")
    page = page_in(files)
    assert faults(with_page(files, changed(page, list(page.lines()).index(page.sections[2][1][0]), Line("fails"))))
