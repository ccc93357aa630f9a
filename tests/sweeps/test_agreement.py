# SPDX-License-Identifier: MIT
"""Rows are compared with what their certificates say, and every other row is told."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction

import pytest
from contradictions.attacks import Draft, sealed
from sweep_rows import ASKED, HALF, PATH, corpus, pairs, renamed, row_of, theorem

from exactdp.checker import check_bytes
from exactdp.sweeps.agreement import ABOUT, disagreement
from exactdp.sweeps.asking import answered
from exactdp.sweeps.question import STATEMENTS, WITHOUT_NUMBER, Question, Source, statement_of
from exactdp.sweeps.question import asked as all_asked
from exactdp.sweeps.store import sizes_of


def asked(ask, fields):
    answer = answered(Question(ask, **fields).text, 60)
    assert answer.certificate, answer
    return row_of(answer)._replace(about=None), json.loads(answer.certificate)


@pytest.fixture(scope="module")
def answers():
    return corpus()


def accepted(certificate):
    """Whether the checker accepts a claim, its definitions and its witness."""
    whole = sealed(Draft(certificate["claim"], certificate["definitions"], certificate["witness"]))
    return check_bytes(json.dumps(whole).encode()).status == "accepted"


def test_every_question_is_here_twice_and_both_ways():
    found = [(ask, "mechanism" if "mechanism" in fields else "") for ask, fields in ASKED]
    assert all_asked() == set(found) == STATEMENTS.keys()
    assert all(found.count(kind) > 1 for kind in STATEMENTS)
    kinds = {row.kind for row, _ in corpus()}
    stated = {kind for statement in STATEMENTS.values() for kind in (*statement.proved, *statement.refuted)}
    large = {"optimal-by-orbits"}  # what `optimal` says, for more multipliers than a quick question has
    assert kinds - {"on-pieces"} == stated - large


def test_each_row_is_accepted_beside_its_certificate_and_no_other(answers):
    """Another certificate has its claim and definitions, or is about something else."""
    theorems = [theorem(certificate) for _, certificate in answers]
    taken = {(i, j) for i, j in pairs() if disagreement(answers[i][0], answers[j][1]) is None}
    assert taken == {(i, j) for i, j in pairs() if theorems[i] == theorems[j]}
    assert len(set(theorems)) > 0.9 * len(answers)


def test_names_of_definitions_mean_nothing(answers):
    others = [renamed(certificate) for _, certificate in answers]
    assert all(map(accepted, others))
    for (row, certificate), other in zip(answers, others, strict=True):
        assert certificate["definitions"].keys().isdisjoint(other["definitions"])
        assert disagreement(row, other) is None


def leaves(value, path=()) -> Iterator[tuple]:
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path


def changed(value, path):
    """With another number at the end of a path; None where there is no number."""
    found = copy.deepcopy(value)
    *above, last = path
    place = found
    for key in above:
        place = place[key]
    said = place[last]
    if isinstance(said, int):
        place[last] = said + 1
    elif said.lstrip("-").isdecimal():
        place[last] = str(int(said) + 1)
    elif said.replace("/", "", 1).isdecimal():
        place[last] = "1/97"
    else:
        return None
    return found


def test_every_other_number_is_told(answers):
    """In the claim and in all definitions, but for what is implied and what any mechanism shows."""
    count = 0
    for row, certificate in answers:
        statement = statement_of(Question.parse(row.question))
        parts = [p["claim"] for p in certificate["claim"].get("pieces", ())] or [certificate["claim"]]
        free = {Source.IMPLIED, Source.SHOWN}
        keys = {(part["kind"], key) for part in parts for key, source in statement.keys(part["kind"]).items() if source in free}
        names = {part[key] for part in parts for kind, key in keys if kind == part["kind"] and isinstance(part[key], str)}
        for where in ("claim", "definitions"):
            for path in leaves(certificate[where]):
                if (where == "definitions" and path[0] in names) or (where == "claim" and path[0] in ("loss", "gap")):
                    continue
                other = changed(certificate[where], path)
                ends = path == ("distance",) and row.value in ("0", "1")  # of which any power is the same
                larger = "roots" in path and len(path) == 3 and path[2]  # no number of the claim has this symbol
                if other is None or ends or larger:
                    continue
                try:
                    told = disagreement(row, certificate | {where: other})
                except (LookupError, ValueError, ArithmeticError):  # no certificate, which the checker says
                    continue
                count += 1
                assert told, (row, path)
    assert count > 2000


def test_a_field_is_what_it_is_and_not_its_name():
    """A certificate of u-privacy, u = e^(−1), is none at ε = 1/10."""
    row, _ = asked("privacy", HALF | {"level": "epsilon=1/10", "mechanism": "geometric:n=2,epsilon=1/20"})
    _, other = asked("privacy", HALF | {"level": "epsilon=1", "mechanism": "geometric:n=2,epsilon=1/20"})
    assert row.verdict == "proved"
    assert accepted(renamed(other))
    assert disagreement(row, renamed(other)) == "the certificate is about another level"
    row, _ = asked("optimum", PATH | {"level": "epsilon=1/10"})
    _, other = asked("optimum", PATH | {"level": "epsilon=2"})
    assert disagreement(row, renamed(other)) == "the certificate is about another level"


def test_a_question_about_any_mechanism_is_not_refuted_by_one():
    """It is true that this graph has none; that a constant is none does not show it."""
    cycle = {"graph": "cycle:3", "level": "1/2", "loss": "zero-one"}
    row, right = asked("universal", cycle)
    _, wrong = asked("universal", cycle | {"mechanism": "uniform:n=2"})
    assert (row.verdict, right["claim"]["kind"], wrong["claim"]["kind"]) == ("refuted", "no-universally-optimal", "not-universally-optimal")
    assert disagreement(row._replace(kind="not-universally-optimal"), wrong)
    path = {"graph": "path:2", "level": "1/2", "loss": "zero-one"}
    _, wrong = asked("universal", path | {"mechanism": "uniform:n=1"})
    row, _ = asked("universal", path)
    assert disagreement(row._replace(verdict="refuted", kind="not-universally-optimal", value=""), wrong)


def test_that_there_is_one_is_shown_by_any():
    path = {"graph": "path:2", "level": "1/2", "loss": "zero-one"}
    row, _ = asked("universal", path)
    _, other = asked("universal", path | {"mechanism": "geometric:n=1"})
    assert disagreement(row, other) is None


def test_a_field_that_the_question_has_not_is_refused():
    row, certificate = asked("tight", HALF)
    fields = {
        "exponential": {"type": "exponential", "rate": "1", "roots": [1]},
        "parameter": {"type": "parameter", "interval": {"above": "0", "below": "1"}},
    }
    for kind, definition in fields.items():
        other = certificate | {"definitions": certificate["definitions"] | {"u": definition}}
        assert accepted(other)  # it need not be used (SPEC 2.1)
        assert disagreement(row, other) == f"the certificate has symbols ({kind}), and the question has none of that type"
    region = {"type": "region", "letters": ["p"], "positive": [["0", "1"]], "nonnegative": [], "inside": ["1"]}
    assert "region" in disagreement(row, certificate | {"definitions": certificate["definitions"] | {"u": region}})
    row, certificate = asked("tight", HALF | {"level": "epsilon=1"})
    letter = certificate["definitions"] | {"t": fields["parameter"]}
    assert "parameter" in disagreement(row, certificate | {"definitions": letter})


def test_a_key_that_the_question_does_not_determine_is_told():
    """That a mechanism attains the optimum says more than what the optimum is."""
    row, _ = asked("optimum", PATH)
    _, more = asked("optimal", PATH | {"mechanism": "geometric:n=2"})
    assert more["claim"]["kind"] == "optimal"
    assert disagreement(row, more) == "the certificate is about a mechanism"


def test_a_table_of_distances_is_no_graph():
    """Where nothing is constrained Φ is 0 in a table, and α^d in a graph."""
    row, certificate = asked("tight", HALF | {"graph": "star:3"})
    table = {"type": "distances", "vertices": ["0", "1", "2"], "pairs": [[0, 1, "1"], [0, 2, "1"]]}
    other = certificate | {"definitions": {"N": table}}
    assert disagreement(row, other) == "the certificate is about another graph"
    other = certificate | {"definitions": {"N": certificate["definitions"]["N"] | {"type": "graph"}}}
    assert disagreement(row, other) is None


def test_one_thing_may_be_written_in_several_ways():
    row, certificate = asked("privacy", HALF | {"mechanism": "geometric:n=2"})
    entries = [["2/3", "1/6", "1/6"], ["1/3", "1/3", "1/3"], ["1/6", "1/6", "2/3"]]
    written = [{"den": "6", "num": [str(int(6 * Fraction(x))) for x in line]} for line in entries]
    written = [{"den": "3", "num": ["1", "1", "1"]} if line["num"] == ["2", "2", "2"] else line for line in written]
    labels = ["0", "1", "2"]
    table = {"type": "mechanism", "inputs": labels, "outputs": labels, "rows": written}
    graph = {"type": "graph", "vertices": labels, "edges": [[0, 1], [1, 2]]}
    other = certificate | {"definitions": {"M": table, "N": graph}}
    assert accepted(other)
    assert disagreement(row, other) is None


def test_every_other_word_of_a_row_is_told(answers):
    other = {"proved": "refuted", "refuted": "proved"}
    for row, certificate in answers:
        assert disagreement(row._replace(verdict=other[row.verdict]), certificate)
        assert disagreement(row._replace(verdict="limit"), certificate)
        assert disagreement(row._replace(kind="privacy"), certificate)
        if certificate["claim"]["kind"] not in ("on-pieces", *WITHOUT_NUMBER):
            assert row.not_compared == ()
        if row.kind not in WITHOUT_NUMBER:
            assert disagreement(row._replace(value="1/7" if row.value else "yes"), certificate)
            assert disagreement(row._replace(value=f"{row.value}, t = e^(-9)"), certificate)
            assert not row.value or disagreement(row._replace(value=""), certificate)
        if row.kind in WITHOUT_NUMBER and row.value not in ("0", "1"):
            continue
        for lower, upper in (("0." + "0" * 18, "9." + "0" * 18), ("", row.upper), ("", ""), (row.lower, "")):
            assert (lower, upper) == (row.lower, row.upper) or disagreement(row._replace(lower=lower, upper=upper), certificate)


def test_the_value_that_a_claim_has_not_has_its_decimals():
    row, certificate = asked("tight", HALF)
    assert row.kind in WITHOUT_NUMBER
    assert "decimals" in disagreement(row._replace(value="1/7"), certificate)
    # nothing says that it is the value: the page says so


def test_a_value_of_zero_is_named():
    row, certificate = asked("capacity-additive", {"graph": "path:1", "level": "1/2"})
    assert disagreement(row._replace(lower=""), certificate).endswith("are not those around 0")


def test_every_other_column_about_the_question_is_told(answers):
    for row, certificate in answers:
        given = json.loads(row.question) | sizes_of(json.loads(row.question).get("graph", ""))
        about = [str(given.get(name, "")) for name in ABOUT]
        assert disagreement(row._replace(about=tuple(about)), certificate) is None
        for k, name in enumerate(ABOUT):
            changed = (*about[:k], "nonsense", *about[k + 1 :])
            assert f"its column {name} is nonsense" in disagreement(row._replace(about=changed), certificate)


def test_another_spelling_of_a_level_is_the_same_level():
    """Rows that were made before a question had one spelling of ε."""
    row, certificate = asked("capacity-multiplicative", HALF | {"level": "epsilon=1"})
    old = row._replace(question=row.question.replace("epsilon=1", "epsilon=1.0"))
    words = json.loads(old.question) | sizes_of("path:3")
    about = tuple(str(words.get(name, "")) for name in ABOUT)
    assert "epsilon=1.0" in about
    assert disagreement(old._replace(about=about), certificate) is None


def test_one_level_is_not_all_levels():
    row, _ = asked("universal", {"graph": "path:3", "level": "symbolic", "loss": "zero-one"})
    _, certificate = asked("universal", {"graph": "path:3", "level": "1/2", "loss": "zero-one"})
    assert "not about all levels" in disagreement(row, certificate)
    row, certificate = asked("capacity-additive", {"graph": "path:3", "level": "symbolic"})
    certificate["definitions"]["a"]["interval"]["above"] = "1/2"
    assert "not about all levels" in disagreement(row, certificate)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("graph", "path:4"),
        ("graph", "cycle:3"),
        ("level", "1/3"),
        ("loss", "squared"),
        ("consumer", "minimax"),
        ("consumer", "1/2,1/4,1/4"),
    ],
)
def test_another_question_is_told(field, value):
    row, certificate = asked("optimum", PATH)
    other = Question("optimum", **(PATH | {field: value})).text
    assert "another" in disagreement(row._replace(question=other), certificate)


def test_what_is_no_question_is_told():
    row, certificate = asked("tight", HALF)
    assert "can't be read" in disagreement(row._replace(question="{}"), certificate)
    assert "can't be read" in disagreement(row._replace(question=Question("tight", "path:999999999", "1/2").text), certificate)


def test_a_kind_that_does_not_answer_a_question_has_no_verdict():
    for statement in STATEMENTS.values():
        with pytest.raises(KeyError):
            statement.verdict("determinant")
