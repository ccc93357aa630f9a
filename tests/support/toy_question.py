# SPDX-License-Identifier: MIT
"""A question that exactdp does not ask, as a change of the files that CONTRIBUTING.md names.

*Is the mechanism constant: does every input have the same row?* Claims of the kinds ``constant`` and
``not-constant``; the witness of the second is an output and two inputs at which it has two probabilities.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from places import ROOT

ANALYSIS = '''
"""Whether a mechanism is constant: it tells nothing about its input."""

from __future__ import annotations

from dataclasses import dataclass

from exactdp.analysis.verdict import Decision, Verdict
from exactdp.model import Mechanism


@dataclass(frozen=True)
class ConstancyEvidence:
    """The mechanism; if it is not constant an output, and two inputs with two probabilities of it."""

    mechanism: Mechanism
    found: tuple[int, int, int] | None


def is_constant(mechanism: Mechanism) -> Verdict[ConstancyEvidence]:
    """Does every input have the same row?"""
    rows = list(mechanism.matrix.rows())
    places = ((0, i, r) for i, row in enumerate(rows) for r, x in enumerate(row) if x != rows[0][r])
    found = next(places, None)
    if found is None:
        return Verdict(Decision.PROVED, "All rows of the mechanism are the same", ConstancyEvidence(mechanism, None))
    claim = f"Inputs {mechanism.inputs[0]} and {mechanism.inputs[found[1]]} have different rows"
    return Verdict(Decision.REFUTED, claim, ConstancyEvidence(mechanism, found))
'''

CERTIFICATE = '''
"""Certificates about constant mechanisms (SPEC 4.17)."""

from __future__ import annotations

from exactdp.analysis.constancy import ConstancyEvidence
from exactdp.certificate.encode import Definitions, Parts


def _constancy(e: ConstancyEvidence, proved: bool) -> Parts:
    d = Definitions()
    name = d.mechanism("M", e.mechanism)
    if e.found is None:
        return {"kind": "constant", "mechanism": name}, d, {}
    i, j, output = e.found
    return {"kind": "not-constant", "mechanism": name}, d, {"pair": [i, j], "output": output}


EVIDENCE = {ConstancyEvidence: _constancy}
'''

REPORT = '''
"""Whether a mechanism is constant, told."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.constancy import ConstancyEvidence
from exactdp.analysis.verdict import Verdict
from exactdp.report.headline import Headline, headline
from exactdp.report.items import Fact, Item, Told


def _facts(e: ConstancyEvidence) -> list[Item]:
    return [Fact("rows", "all the same" if e.found is None else "not all the same")]


def _json(e: ConstancyEvidence) -> dict[str, Any]:
    return {"constant": e.found is None}


def _headline(verdict: Verdict[ConstancyEvidence]) -> Headline:
    return headline("constant" if verdict.proved else "not constant", what="constant")


EVIDENCE = {ConstancyEvidence: Told(_facts, _json, _headline)}
'''

RULE = '''

def constancy(c: Case) -> str:
    """constant and not-constant: all rows are the same; two entries of a column are not."""
    m = c.mechanism("mechanism")
    if c.kind == "constant":
        for i, row in enumerate(m.matrix.rows):
            require(row == m.matrix.rows[0], f"row {i} is row 0", "$.claim.mechanism", row, m.matrix.rows[0])
        return f"All rows of the {m.title} are the same."
    i, j = (node.index(len(m.inputs)) for node in c.witness["pair"].items(2))
    r = c.witness["output"].index(len(m.outputs))
    x, y = (m.matrix.rows[v].get(r, 0) for v in (i, j))
    require(x != y, "x_ir ≠ x_jr", "$.witness", x, y)
    return f"Not all rows of the {m.title} are the same."


CLAIMS |= {"constant": (constancy, "mechanism", ""), "not-constant": (constancy, "mechanism", "pair output")}
'''

KINDS = """
[group.constancy]
about = "constant mechanisms"
rules = "4.17"
theorems = "in prose"
table = "4.17"
version = "0.2"
checker = "deployed"
encoder = "constancy"
sections = ["4.17"]
coq = "none"

[kind.constant]
group = "constancy"
claim = "mechanism"
witness = ""
statement = "all rows are the same"
opposite = "not-constant"
number = false

[kind.not-constant]
group = "constancy"
claim = "mechanism"
witness = "pair output"
statement = "not all rows are the same"
witness_in_words = "`pair` [i, j], `output` r with x_ir ≠ x_jr"
opposite = "constant"
number = false

[question.constant]
meaning = "does the mechanism tell nothing about its input?"
needs = ["graph", "mechanism"]
may = ["level"]
proved.constant = "mechanism"
refuted.not-constant = "mechanism"
"""

RULES_IN_WORDS = """
### 4.17 Constant mechanisms

| kind | claim keys | statement | witness keys |
|---|---|---|---|

*Sound*: rows are compared entry by entry.
"""

ASK = """
def _constant(s: Subject) -> Verdict[Any]:
    from exactdp.analysis.constancy import is_constant

    return is_constant(s.mechanism)


"""

NEW = {
    "exactdp/analysis/constancy.py": ANALYSIS,
    "exactdp/certificate/constancy.py": CERTIFICATE,
    "exactdp/report/constancy.py": REPORT,
}
"""Files that there were not."""

ADDED = {
    "exactdp/checker/deployed.py": RULE,
    "exactdp/certificate/kinds.toml": KINDS,
}
"""What stands at the end of files."""

INSERTED = {
    "exactdp/certificate/SPEC.md": ("\n## 5. ", RULES_IN_WORDS),
    "exactdp/sweeps/asking.py": ("_ASKED: dict", ASK),
}
"""What stands before a text that a file has once."""

WORD = ("exactdp/sweeps/asking.py", '    "kernels": _kernels,\n', '    "kernels": _kernels,\n    "constant": _constant,\n')
"""The word of the question, in the table of what is asked."""


def with_the_question(folder: Path) -> Path:
    """A copy of the package that asks it, in the folder; what is made from the table is made anew."""
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "exactdp", folder / "exactdp", ignore=left_out)
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "kinds.py", folder / "docs")
    for name, text in NEW.items():
        assert not (folder / name).exists()
        (folder / name).write_text(f"# SPDX-License-Identifier: MIT{text}", encoding="utf-8")
    for name, text in ADDED.items():
        (folder / name).write_text((folder / name).read_text(encoding="utf-8") + text, encoding="utf-8")
    for name, (before, text) in INSERTED.items():
        replaced(folder / name, before, text.lstrip("\n") + before)
    name, old, new = WORD
    replaced(folder / name, old, new)
    run(folder, "docs/kinds.py")
    return folder


def replaced(file: Path, old: str, new: str) -> None:
    """Change a text that the file has once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, (file, old)
    file.write_text(text.replace(old, new), encoding="utf-8")


def run(folder: Path, *arguments: str) -> str:
    """What a program prints that finds the copy before the installed package."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(folder), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
