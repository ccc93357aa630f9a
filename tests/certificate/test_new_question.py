# SPDX-License-Identifier: MIT
"""A new question with a certificate is a change of the eight files that CONTRIBUTING.md names, and works."""

from __future__ import annotations

import fnmatch
import json
import re
from functools import partial

import pytest
from jsonschema import Draft202012Validator
from places import ROOT, SCHEMA
from toy_question import run, with_the_question

MOST = 8


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the package that asks the question."""
    return with_the_question(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def program(house):
    return partial(run, house)


def test_it_changes_the_files_that_contributing_names(house):
    files = [path for part in ("exactdp", "docs") for path in (house / part).rglob("*") if path.is_file() and path.suffix != ".pyc"]
    contents = {path.relative_to(house).as_posix(): path.read_bytes() for path in files}
    changed = {name for name, content in contents.items() if not (ROOT / name).is_file() or (ROOT / name).read_bytes() != content}
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("## A question with a certificate")[2].partition("\n## ")[0]
    named = [name.replace("TOPIC", "*") for name in re.findall(r"(?m)^\d\. `([^`]+)`", section)]
    assert len(named) == len(changed) <= MOST
    for pattern in named:
        assert len(fnmatch.filter(changed, pattern)) == 1, pattern


ASKED = """
import json
from pathlib import Path
import exactdp
from exactdp import certify, geometric, load, uniform, verify
from exactdp.analysis.constancy import is_constant
from exactdp.checker import check_bytes, digest_of
from exactdp.report.html import verdict_html
from exactdp.report.latex import verdict_latex
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text

yes, no = is_constant(uniform(range(3))), is_constant(geometric(2, "1/2"))
told = {"package": exactdp.__file__, "verdicts": [yes.proved, no.refuted]}
told["texts"] = [verdict_text(yes), verdict_html(yes), verdict_latex(yes), verdict_json(yes)]
for name, verdict in {"yes": yes, "no": no}.items():
    certificate = certify(verdict)
    file = certificate.write(f"{name}.edp.json")
    told[name] = [verify(file).status, load(file).kind, certificate.sentence]

def answer(claim, kind, witness):
    body = json.loads(Path(f"{claim}.edp.json").read_text())
    body["claim"]["kind"], body["witness"] = kind, witness
    body["digest"] = digest_of(body)
    return check_bytes(json.dumps(body).encode()).status

cell = {"pair": [0, 1], "output": 0}
told["negated"] = [answer("yes", "not-constant", cell), answer("no", "constant", {})]
told["others"] = [answer("yes", "constant", cell), answer("no", "not-constant", {}), answer("no", "steady", {})]
told["same cell"] = answer("no", "not-constant", {"pair": [1, 1], "output": 0})
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(house, program):
    """What a program says that asks the question about a mechanism that is constant and one that is not."""
    (house / "ask.py").write_text(ASKED, encoding="utf-8")
    return json.loads(program("ask.py"))


def test_it_is_the_copy_that_answers(told, house):
    assert told["package"].startswith(str(house))
    assert told["verdicts"] == [True, True]


def test_certificates_are_written_and_accepted(told):
    assert told["yes"][:2] == ["accepted", "constant"]
    assert told["no"][:2] == ["accepted", "not-constant"]
    assert told["yes"][2].startswith("All rows of the mechanism M are the same.")
    assert told["no"][2] == "Not all rows of the geometric mechanism G(2, 1/2) are the same. Scope: one instance."


def test_the_contrary_is_rejected(told):
    assert told["negated"] == ["rejected", "rejected"]
    assert told["same cell"] == "rejected"
    assert told["others"] == ["malformed"] * 3


def test_it_is_told_in_each_form(told):
    text, html, latex, answer = told["texts"]
    assert "all the same" in text
    assert "all the same" in html
    assert "all the same" in latex
    assert answer["constant"] is True


def test_the_schema_knows_it(house, told):
    schema = json.loads((house / "exactdp" / "certificate" / "schema.json").read_text(encoding="utf-8"))
    validator = Draft202012Validator(schema)
    for name in ("yes", "no"):
        body = json.loads((house / f"{name}.edp.json").read_text(encoding="utf-8"))
        validator.validate(body)
        assert not validator.is_valid({**body, "version": "0.1"})
        assert not validator.is_valid({**body, "claim": {**body["claim"], "level": "1/2"}})
        assert not Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).is_valid(body)


def test_the_specification_lists_it(house):
    spec = (house / "exactdp" / "certificate" / "SPEC.md").read_text(encoding="utf-8")
    assert "| `constant` | `mechanism` | all rows are the same | none |" in spec
    assert "| constant mechanisms | `constant`, `not-constant` | 4.17 | in prose |" in spec


def test_the_commands_know_it(told, program):
    assert "accepted" in program("-m", "exactdp", "verify", "yes.edp.json")
    rules = program("-m", "exactdp", "verify", "--trust", "no.edp.json")
    assert "§4.17" in rules
    assert "§4 (not-constant)" in rules
    shown = program("-m", "exactdp", "show", "no.edp.json")
    assert "G(2, 1/2)" in shown
    assert "witness pair" in shown


PLAN = """
title = "Constant mechanisms"
[[questions]]
ask = "constant"
graphs = ["path:3"]
levels = ["1/2"]
mechanisms = ["uniform:n=2", "geometric:n=2"]
"""

ROWS = """
from pathlib import Path
import json
from exactdp.sweeps.agreement import Row, disagreement
from exactdp.sweeps.question import Question
body = json.loads(Path("no.edp.json").read_text())
row = Row(Question("constant", "path:3", "1/2", mechanism="geometric:n=2").text, "refuted", "", "not-constant")
other = row._replace(question=Question("constant", "path:3", "1/3", mechanism="geometric:n=2").text)
print(json.dumps([disagreement(one, body) for one in (row, row._replace(verdict="proved"), other)]))
"""


def test_rows_of_a_sweep_are_compared_with_their_certificates(house, told, program):
    pytest.importorskip("pyarrow")
    pytest.importorskip("distributed")
    (house / "plan.toml").write_text(PLAN, encoding="utf-8")
    program("-m", "exactdp", "sweep", "plan.toml", "-o", "answers", "--workers", "1")
    answer = json.loads(program("-m", "exactdp", "verify", "answers", "--json"))
    assert (answer["exit_code"], answer["accepted"], answer["rows"], answer["without"]) == (0, 2, 2, 0)
    (house / "rows.py").write_text(ROWS, encoding="utf-8")
    agrees, otherwise, elsewhere = json.loads(program("rows.py"))
    assert agrees is None
    assert "otherwise" in otherwise
    assert "another mechanism" in elsewhere
