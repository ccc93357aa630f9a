# SPDX-License-Identifier: MIT
"""Consumers of printed tables on page one: rows, the best possible and bounds on gaps, true and forged."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from cli_runner import run
from forged_bundle import Forged
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.certificate.bundle_tables import Differs
from exactdp.certificate.compare_printed import extreme_expectation

FILES = {
    "t3.csv": "0.7,0.2,0.1\n0.4,0.4,0.2\n0.2,0.4,0.4\n",
    "w.csv": "0.5,0.3,0.2\n0.3,0.4,0.3\n0.2,0.3,0.5\n",
    "z.csv": "1.00,0.00\n0.50,0.50\n",
    "labels.csv": "x,b,a,c\nb,0.5,0.3,0.2\na,0.3,0.4,0.3\nc,0.2,0.3,0.5\n",
    "cost.csv": ",b,a,c\nb,0,1,2\na,1,0,1\nc,3,1,0\n",
}
HONEST = {
    "holds": "t3.csv --graph path --claims-epsilon 1 --digits 3 --for abs --for 'squared prior=1/2,1/4,1/4'",
    "fails": "t3.csv --graph path --claims-epsilon 1/10 --digits 3 --for abs --for zero-one",
    "undecided": "t3.csv --graph path --claims-epsilon 0.7 --digits auto --for 'squared side-information=1..2'",
    "delta": "w.csv --graph complete --claims-epsilon 1 --claims-delta 1/5 --digits 1 --for zero-one --require 'gap <= 60%'",
    "zero": "z.csv --graph path --claims-epsilon 0 --digits 2 --for zero-one",
    "infinite": "z.csv --graph path --claims-epsilon 3 --digits 2 --for zero-one",
    "unclaimed": "z.csv --graph path --digits 2 --for zero-one",
    "labels": "labels.csv --labels --graph path --claims-epsilon 2 --digits 2 --for zero-one --for cost.csv",
    "gap fails": "w.csv --graph path --claims-alpha 1/4 --digits 2 --for abs --require 'gap <= 5 %'",
    "gap holds": "w.csv --graph path --claims-alpha 1/4 --digits 2 --for abs --require 'gap <= 500%'",
    "gap open": "w.csv --graph path --claims-alpha 1/4 --digits 2 --for abs --require 'gap <= 100%'",
    "gaps": "w.csv --graph path --claims-alpha 1/4 --digits 2 --for abs --for zero-one --require 'gap < 0.1'",
}
"""Questions about printed tables."""


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """Makes the files of a bundle when they are asked for, once."""
    place = tmp_path_factory.mktemp("printed")
    made = {}

    def bundle(name):
        if name not in made:
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(place)
                for file, text in FILES.items():
                    Path(file).write_text(text)
                assert run(f"audit {HONEST[name]} --bundle made").code in (0, 1, 4)
                made[name] = _files_of(Path("made"))
                for path in sorted(Path("made").rglob("*"), reverse=True):
                    path.unlink() if path.is_file() else path.rmdir()
                Path("made").rmdir()
        return Forged(made[name])

    return bundle


def _files_of(place):
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", HONEST)
def test_a_true_bundle_of_a_printed_table_is_accepted(bundles, tmp_path, name):
    forged = bundles(name)
    optima = [one["part"] for one in forged.told["certificates"] if one["part"].endswith("-optimum")]
    rows = [line for line in forged.lines if line["says"] in ("row-printed", "row-open")]
    assert optima == [f"{line['of']}-optimum" for line in rows]
    assert all(line["shown"] for line in rows)
    assert forged.judged(tmp_path) == ("accepted", [])


@pytest.mark.parametrize("measure", [xdp.Loss, xdp.Gain])
def test_a_utility_of_a_printed_table_is_told_with_its_ends(tmp_path, measure):
    table = xdp.printed_table([["0.5", "0.3", "0.2"], ["0.3", "0.4", "0.3"], ["0.2", "0.3", "0.5"]], digits=1)
    consumer = xdp.BayesianConsumer(measure([[1, 0, 0], [0, 2, 0], [0, 0, 1]], name="hit"), ["1/2", "1/4", "1/4"])
    answer = xdp.audit(table, "path", claim=xdp.PrivacyClaim(epsilon="1/10"), consumers=[consumer])
    answer.bundle(tmp_path / "b")
    forged = Forged(_files_of(tmp_path / "b"))
    assert forged.judged(tmp_path) == ("accepted", [])
    row = forged.line("row-open")["values"]
    ends = [Fraction(text) for text in row["deployed"].split(" to ")]
    assert ends[0] < ends[1]
    beyond = [line["values"] for line in forged.lines if line["says"] == "row-beyond"]
    expected = ends[0] < Fraction(row["optimum"]) if measure is xdp.Loss else ends[1] > Fraction(row["optimum"])
    assert bool(beyond) == expected
    for line in forged.lines:
        if line["says"] == "row-open":
            line["values"]["deployed"] = " to ".join(reversed(row["deployed"].split(" to ")))
    assert forged.judged(tmp_path)[0] == "rejected"


# --- Forgeries ---
def _value(says, key, value, which=0):
    def change(b):
        [line for line in b.lines if line["says"] == says][which]["values"][key] = value

    return change


def _without_row(b):
    line = b.line("row-printed")
    lines = next(section["lines"] for section in b.page["sections"] if line in section["lines"])
    lines[lines.index(line)] = {"says": "row-none", "values": {"number": line["values"]["number"]}, "of": "", "shown": True}


def _open(b):
    for line in b.lines:
        if line["says"] == "row-printed":
            line["says"] = "row-open"
            del line["values"]["gap"]
    b.drop("words-gap")


def _with_gap(b):
    for line in b.lines:
        if line["says"] == "row-open":
            line["says"] = "row-printed"
            line["values"]["gap"] = "0: optimal"


def _swapped(b):
    """The certificates of two consumers, each in the place of the other one."""
    first, second = ({**one} for one in b.told["certificates"] if one["part"].endswith("-optimum"))
    files = {one["part"]: b.files[one["file"]] for one in (first, second)}
    b.put_certificate(first["part"], files[second["part"]])
    b.put_certificate(second["part"], files[first["part"]])


def _of_another(level="exp(-1)", consumer="abs", side=None):
    def change(b):
        consumer_ = xdp.MinimaxConsumer(consumer, side) if side else xdp.MinimaxConsumer(consumer)
        made = xdp.certify(xdp.optimum("path:3", level, consumer_))
        b.put_certificate("consumer-1-optimum", made.to_json().encode())

    return change


FORGED = {
    "the loss": ("holds", _value("row-printed", "deployed", "0.7 to 0.801")),
    "one end": ("holds", _value("row-printed", "deployed", "0.8")),
    "the best possible": ("holds", _value("row-printed", "optimum", "0.79")),
    "the gap": ("holds", _value("row-printed", "gap", "1.1 to 1.3 %")),
    "the smaller gap": ("holds", _value("row-printed", "gap", "0 to 74.24 %")),
    "one gap": ("holds", _value("row-printed", "gap", "74.24 %")),
    "no gap": ("holds", _value("row-printed", "gap", "none to 9 digits")),
    "the level": ("holds", _value("row-printed", "epsilon", "0.1 (claimed)")),
    "whose level": ("holds", _value("row-printed", "epsilon", "1 (own)")),
    "another consumer": ("holds", _value("row-printed", "number", "2")),
    "no row": ("holds", _without_row),
    "no certificate": ("holds", lambda b: b.without_certificates("consumer-1-optimum")),
    "gaps left out": ("holds", _open),
    "gaps of tables that are not private": ("fails", _with_gap),
    "a better one left out": ("fails", lambda b: b.drop("row-beyond")),
    "another better one": ("fails", _value("row-beyond", "optimum", "0.1")),
    "the other side": ("fails", _value("row-beyond", "side", "above")),
    "swapped certificates": ("fails", _swapped),
    "another level": ("holds", _of_another(level="1/2")),
    "another loss": ("holds", _of_another(consumer="squared")),
    "another set": ("holds", _of_another(side=[0, 1])),
    "a bound that is kept": ("gap fails", _value("required", "status", "holds")),
    "a bound that is open": ("gap open", _value("required", "status", "holds")),
    "a bound that is not kept": ("gap holds", _value("required", "status", "fails")),
    "an undecided bound": ("gap holds", _value("required", "status", "undecided")),
    "a number beside a bound": ("gap open", _value("required", "figure", "99 %")),
    "the consumer of a bound": ("gaps", _value("required", "about", "gap as deployed, consumer 2 at ε = 1.3863")),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_line_on_a_consumer_is_found(bundles, tmp_path, name):
    question, change = FORGED[name]
    forged = bundles(question)
    change(forged)
    status, said = forged.judged(tmp_path)
    assert status == "rejected", said


@pytest.mark.parametrize(("name", "status"), [("gap fails", "holds"), ("gap open", "holds"), ("gap open", "fails"), ("gap holds", "fails")])
def test_a_bound_on_a_gap_that_is_forged_everywhere_is_found(bundles, tmp_path, name, status):
    forged = bundles(name)
    for one in forged.told["requirements"]:
        one["status"] = status
    forged.line("required")["values"]["status"] = status
    forged.heads_again()
    assert forged.judged(tmp_path)[0] == "rejected"


# --- The ends of an expectation ---
FRACTIONS = st.integers(0, 12).map(lambda k: Fraction(k, 12))
INTERVALS = st.lists(st.tuples(FRACTIONS, FRACTIONS).map(lambda ends: (min(ends), max(ends))), min_size=1, max_size=4)


def _at_vertices(costs, intervals):
    """The expectations of the vertices of the polytope: all numbers but one are at an end."""
    for free in range(len(costs)):
        others = [ends if k != free else (None,) for k, ends in enumerate(intervals)]
        for chosen in product(*others):
            rest = 1 - sum(x for x in chosen if x is not None)
            if intervals[free][0] <= rest <= intervals[free][1]:
                yield sum(cost * (rest if x is None else x) for cost, x in zip(costs, chosen, strict=True))


@given(INTERVALS, st.lists(st.integers(-3, 3).map(Fraction), min_size=4, max_size=4))
def test_the_ends_of_an_expectation_are_those_of_the_vertices(intervals, numbers):
    costs = numbers[: len(intervals)]
    expected = list(_at_vertices(costs, intervals))
    if expected:
        assert extreme_expectation(costs, intervals, is_largest=False) == min(expected)
        assert extreme_expectation(costs, intervals, is_largest=True) == max(expected)
    else:
        with pytest.raises(Differs):
            extreme_expectation(costs, intervals, is_largest=True)
