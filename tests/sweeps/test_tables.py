"""Tables of files in plans, and the question of an audit."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import InputError
from exactdp.sweeps.agreement import Row, disagreement
from exactdp.sweeps.asking import answered
from exactdp.sweeps.plan import Plan
from exactdp.sweeps.question import Question
from exactdp.sweeps.tables import table_of_word, table_word

FILES = {
    "half.csv": "2/3,1/3\n1/3,2/3\n",
    "wrong.csv": "1/2,1/2\n1/8,6/8\n",
    "rounded.csv": "0.66666666666666,0.33333333333333\n0.33333333333333,0.66666666666667\n",
    "labelled.csv": ",no,yes\nno,2/3,1/3\nyes,1/3,2/3\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def plan(folder, **block):
    return Plan.of({"questions": [{"ask": "audit", "graphs": ["path"], "levels": ["1/2"], **block}]}, folder=folder).questions


def asked(question):
    """The answer, and what the comparison of its row with the certificate says."""
    answer = answered(question.text, 60)
    if not answer.certificate:
        return answer, None
    row = Row(question.text, answer.verdict, answer.value, answer.kind, answer.lower, answer.upper)
    return answer, disagreement(row, json.loads(answer.certificate))


def test_a_file_becomes_a_word_with_its_numbers(folder):
    (question,) = plan(folder, mechanisms=["half.csv"])
    assert question.mechanism == 'table:[null,null,[["2/3","1/3"],["1/3","2/3"]]]'
    assert question.graph == "path:2"
    (labelled,) = plan(folder, mechanisms=["labelled.csv"])
    assert labelled.graph == 'edges:[["no","yes"]]'
    assert len(plan(folder, mechanisms=["*.csv"])) == 4
    assert len(plan(folder, mechanisms=["*.csv"], graphs=["path", "complete"])) == 8 - 1  # of two labelled inputs both are one edge


@pytest.mark.parametrize(
    ("name", "level", "verdict", "kind"),
    [
        ("half.csv", "1/2", "proved", "private"),
        ("half.csv", "51/100", "refuted", "not-private"),
        ("half.csv", "epsilon=ln(2)", "proved", "private"),
        ("half.csv", "epsilon=0.6931471805", "refuted", "not-private"),
        ("half.csv", "epsilon=0.6931471806", "proved", "private"),
        ("wrong.csv", "1/100", "refuted", "not-stochastic"),
        ("rounded.csv", "1/2", "refuted", "not-private"),
        ("rounded.csv", "0.4999999999999", "proved", "private"),
        ("labelled.csv", "1/2", "proved", "private"),
    ],
)
def test_an_audit_is_answered_with_a_certificate_of_the_same_table(folder, name, level, verdict, kind):
    (question,) = plan(folder, mechanisms=[name], levels=[level])
    answer, other = asked(question)
    assert (answer.verdict, answer.kind, other) == (verdict, kind, None)
    assert ("rounded" in answer.message) == (name == "rounded.csv")


def test_a_certificate_of_another_table_or_verdict_is_found(folder):
    half, labelled = plan(folder, mechanisms=["half.csv"])[0], plan(folder, mechanisms=["labelled.csv"])[0]
    answer, _ = asked(half)
    certificate = json.loads(answer.certificate)
    row = Row(half.text, answer.verdict, answer.value, answer.kind, answer.lower, answer.upper)
    other = replace(half, mechanism=table_word(xdp.Table([["3/4", "1/4"], ["1/4", "3/4"]])))
    assert "another mechanism" in disagreement(row._replace(question=other.text), certificate)
    assert disagreement(row._replace(question=labelled.text), certificate) is not None
    assert "otherwise" in disagreement(row._replace(verdict="refuted"), certificate)


def test_what_names_no_table_gets_one_sentence(folder):
    (folder / "letters.csv").write_text("a,1-a\n1-a,a\n")
    for text in ("nothing.csv", "nothing/*.csv", "letters.csv", "geometrc:n=2"):
        with pytest.raises(InputError) as caught:
            plan(folder, mechanisms=[text])
        assert "\n" not in caught.value.message
    with pytest.raises(InputError):
        plan(folder, mechanisms=["geometric:n=1"])  # no table gives path a size
    for word in (
        "table:",
        "table:[]",
        'table:[null,null,[["0.5","1/2"]]]',
        'table:[null, null,[["1/2","1/2"]]]',
        'table:[null,null,[["x"]]]',
    ):
        with pytest.raises(InputError):
            table_of_word(word)


def test_a_level_of_a_family_is_audited_too():
    answer, other = asked(Question("audit", "path:3", "epsilon=1", mechanism="geometric:n=2"))
    assert (answer.verdict, other) == ("proved", None)


@given(st.lists(st.lists(st.fractions(0, 1), min_size=2, max_size=2), min_size=1, max_size=3), st.booleans())
def test_a_word_is_read_as_it_was_written(rows, labelled):
    labels = [f"é{{n}} {k}" for k in range(len(rows))] if labelled else None
    table = xdp.Table([[str(x) for x in row] for row in rows], labels)
    again = table_of_word(table_word(table))
    assert again == table
    assert [[Fraction(str(x)) for x in row] for row in again.matrix.rows()] == rows
