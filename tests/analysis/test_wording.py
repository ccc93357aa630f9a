# SPDX-License-Identifier: MIT
"""How a level, a consumer and neighbours are said is in one place; so is how a question reads them."""

from __future__ import annotations

import ast
import re

import pytest
from places import ROOT

ANALYSIS = ROOT / "exactdp" / "analysis"
FILES = sorted(ANALYSIS.rglob("*.py"))

SAID = {
    "the text of a level": r"\{[\w.]*level\.text\}",
    "what a level makes of a mechanism": r"\.name\}-private|\{private_text\([^}]*\)\} on \{",
    "whom it is for": r"for \{[\w.]*\.describe\(\)\}",
}


@pytest.mark.parametrize("what", SAID)
def test_one_place_says(what):
    pattern = re.compile(SAID[what])
    found = {path.name for path in FILES if pattern.search(path.read_text(encoding="utf-8"))}
    assert found <= {"wording.py", *ELSEWHERE.get(what, ())}
    assert "wording.py" in found


ELSEWHERE = {"the text of a level": {"capacity_levels.py"}}
"""The capacity says the level without the neighbours, which it names before."""


def test_no_question_has_a_prologue_of_its_own():
    """A function that reads neighbours and a level, or a mechanism and a consumer, reads them together."""
    pairs = ({"as_neighbours", "as_level"}, {"as_mechanism", "as_consumer"}, {"as_neighbours", "as_consumer"})
    found = set()
    for path in FILES:
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            called = {call.func.id for call in ast.walk(function) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)}
            if any(pair <= called for pair in pairs):
                found.add(f"{path.name}:{function.name}")
    assert found <= OWN


OWN = {
    "arguments.py:_read_mechanism",
    "arguments.py:__init__",
    "privacy.py:_is_private",
    "privacy.py:privacy_at",
    "audit.py:_audited",
    "printed_audit.py:audit_as_printed",
    "table_levels.py:private_levels",
}
"""Privacy takes a level in no field with the mechanism; the others take several consumers, or any table."""
