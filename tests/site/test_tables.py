# SPDX-License-Identifier: MIT
"""What the page of the verifier is made of, without a browser: the tables that it draws, how it asks the
checker, and how it is put together.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from fractions import Fraction

import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st
from places import CORPUS, ROOT

from exactdp import geometric

VERIFIER = ROOT / "docs" / "verifier"


def imported(name):
    """A module of docs/verifier, which is no package."""
    spec = importlib.util.spec_from_file_location(f"verifier_{name}", VERIFIER / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tables, build = imported("tables"), imported("build")


def shown(**definitions):
    return tables.tables(json.dumps({"definitions": definitions}).encode())


# ---- numbers


fractions = st.fractions(min_value=0, max_value=10**9, max_denominator=10**6)


@settings(max_examples=30)
@given(st.lists(st.lists(fractions, min_size=2, max_size=2), min_size=1, max_size=4), st.booleans(), st.integers(1, 50))
def test_a_table_has_the_numbers_of_the_file_in_lowest_terms(rows, sparse, factor):
    def row(values):
        den = factor
        for x in values:
            den *= x.denominator
        at = [j for j, x in enumerate(values) if x or not sparse]
        return {"den": str(den), "num": [str(int(values[j] * den)) for j in at], **({"at": at} if sparse else {})}

    names = [str(i) for i in range(len(rows))]
    [table] = shown(T={"type": "table", "inputs": names, "outputs": ["x", "y"], "rows": list(map(row, rows))})
    assert [[Fraction(cell) for cell in cells] for _, *cells in table["rows"]] == rows
    assert all(cell == str(Fraction(cell)) for _, *cells in table["rows"] for cell in cells)
    assert [name for name, *_ in table["rows"]] == names


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("level", ["1/4", "7/10"])
def test_the_geometric_mechanism_is_the_one_of_the_package(n, level):
    [table] = shown(G={"type": "geometric", "n": n, "level": level})
    cells = [cells for _, *cells in table["rows"]] or [["1"]]
    assert [[Fraction(x) for x in row] for row in cells] == [[Fraction(str(x)) for x in row] for row in geometric(n, level).rows()]


nested = st.recursive(st.integers(-9, 9).map(str), lambda deeper: st.lists(deeper, min_size=1, max_size=3), max_leaves=8)


@settings(max_examples=30)
@given(nested)
def test_a_polynomial_is_written_as_it_is(value):
    a, b, c, d, e = letters = sympy.symbols("a b c d e")

    def depth(x):
        return 0 if isinstance(x, str) else 1 + max(map(depth, x))

    def sum_of(x, symbols):
        return sympy.Integer(x) if isinstance(x, str) else sum(sum_of(y, symbols[1:]) * symbols[0] ** k for k, y in enumerate(x))

    if depth(value) <= len(letters):
        text = tables.polynomial(value, [str(x) for x in letters])
        read = sympy.sympify(text.replace("·", "*").replace("^", "**").replace("−", "-"), locals={"a": a, "b": b, "c": c, "d": d, "e": e})
        assert sympy.expand(read - sum_of(value, letters)) == 0, text


# ---- labels, and what is long


@settings(max_examples=30)
@given(st.text(min_size=1))
@example("0\x1f\x1f\x1f\x07\x07" + 4 * "\U00010000")
def test_a_label_shows_everything_in_ascii(text):
    found = tables.label(text)
    assert found.replace("…", "").isascii()
    assert found.isprintable()
    if "…" in found:  # twelve characters for one beyond the first 65,536
        assert len(json.dumps(text)) > tables.MOST_CHARACTERS
    else:
        assert found == text or json.loads(found) == text


def test_large_tables_are_cut_and_it_is_said_how_much():
    names = [str(i) for i in range(1000)]
    row = {"den": "1", "at": [999], "num": ["9" * 5000]}
    [table] = shown(T={"type": "loss", "inputs": names, "guesses": names, "rows": [row] * 1000})
    assert (len(table["rows"]), {len(row) for row in table["rows"]}, len(table["columns"])) == (24, {17}, 16)
    assert table["more"] == "976 more rows and 984 more columns"
    [table] = shown(T={"type": "table", "inputs": ["x"], "outputs": ["y"], "rows": [{"den": "1", "num": ["9" * 5000]}]})
    assert table["rows"] == [["x", "9" * 40 + "…" + "9" * 40 + " (5000 characters)"]]
    [table] = shown(L={"type": "abs-loss", "n": 10**9 - 1})
    assert table["more"] == f"{10**9 - 24} more rows and {10**9 - 16} more columns"


FILES = sorted(CORPUS.glob("accept/*.edp.json")) + sorted(CORPUS.glob("reject/*.edp.json"))


def test_every_definition_of_the_corpus_is_shown_in_little_space():
    kinds = set()
    for file in FILES:
        for table in tables.tables(file.read_bytes()):
            kinds.add(table["type"])
            cells = [table["name"], table["type"], *table["columns"], *(cell for row in table["rows"] for cell in row)]
            assert all(isinstance(text, str) and len(text) < 6000 for text in cells), file.name
            assert table["text"] or table["rows"], file.name
            assert file.parent.name == "reject" or "not of the form" not in table["text"], (file.name, table)
    assert kinds == set(tables.SHOWN)


junk = st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda x: st.lists(x, max_size=3), max_leaves=6)


@settings(max_examples=30)
@given(st.sampled_from(sorted(tables.SHOWN)), st.data())
def test_a_definition_of_another_form_is_said_to_be_one(kind, data):
    keys = ["n", "level", "inputs", "outputs", "rows", "vertices", "edges", "pairs", "interval", "roots", "rate", "positive"]
    of = data.draw(st.dictionaries(st.sampled_from(keys), junk))
    if kind not in {"parameter", "exponential", "region"}:
        [table] = shown(D={"type": kind, **of})
        assert table["text"]


# ---- how the checker is asked


def test_the_page_asks_the_checker_as_the_command_does():
    """In a fresh Python, without exactdp's packages: the answers are those of ``exactdp verify --json``."""
    names = ["accept/field-optimal-a", "reject/digest", "malformed/empty", "limit/loss-large"]
    files = [path for name in names if (path := CORPUS / f"{name}.edp.json").exists()]
    program = (
        "import json, sys\nfrom pathlib import Path\nimport judge\n"
        "judge.Path = lambda place: Path(sys.argv[1] + place)\n"  # the worker puts the folders at the root
        "for name in sys.argv[2:]:\n    print(json.dumps(judge.judge(Path(name).read_bytes(), None)))"
    )
    command = [sys.executable, "-c", program, str(ROOT / "exactdp"), *map(str, files)]
    path = {"PYTHONPATH": f"{VERIFIER}:{ROOT}", "PATH": "/usr/bin:/bin"}
    asked = subprocess.run(command, capture_output=True, text=True, check=True, env=path)
    command = [sys.executable, "-m", "exactdp", "verify", "--json", *map(str, files)]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT).stdout)["files"]
    assert len(files) >= 3
    for line, expected in zip(asked.stdout.splitlines(), told, strict=True):
        answer = json.loads(line)
        digests = answer.pop("trusted")
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in digests.values())
        assert {key: expected[key] for key in answer} == answer


# ---- how it is put together


def test_another_package_than_the_pinned_one_is_refused(tmp_path):
    (tmp_path / "pyodide.tgz").write_bytes(b"another")
    with pytest.raises(build.PyodideError, match=r"pyodide\.json pins sha512-"):
        build.tarball(tmp_path / "pyodide.tgz")
    with pytest.raises(build.PyodideError, match="No such file"):
        build.tarball(tmp_path / "none.tgz")


def test_without_npm_it_is_said_what_is_needed(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv(build.VARIABLE, raising=False)
    with pytest.raises(build.PyodideError, match="npm is needed for pyodide@"):
        build.tarball()


def test_nothing_of_a_file_can_become_markup_and_nothing_comes_from_elsewhere():
    sources = {name: (VERIFIER / name).read_text(encoding="utf-8") for name in ("page.js", "worker.js", "index.html", "verifier.css")}
    for name, text in sources.items():
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|[^-]eval\(|new Function", text), name
        assert not re.search(r"(?:https?:)?//[a-z]", re.sub(r"^\s*//.*|http://localhost:8000", "", text, flags=re.MULTILINE)), name
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', sources["index.html"])[1]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy
    assert not re.search(r"\son[a-z]+=|style=|<script(?! type=\"module\" src=)", sources["index.html"])
