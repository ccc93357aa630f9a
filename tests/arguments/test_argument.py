# SPDX-License-Identifier: MIT
"""The checker of arguments: what each step lets through and refuses, and attempts to prove what is false.

The rules must be sound by themselves: in this file no example is evaluated (`test_argument_examples.py` is
about these).
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from argument_values import FILES, FOLDER
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.arguments import argument, reading
from exactdp.arguments.reading import Stop
from exactdp.arguments.terms import infeasible
from proofs.record import PROOFS

CHECKER = Path(argument.__file__)


@pytest.fixture(autouse=True)
def no_examples(monkeypatch):
    monkeypatch.setattr(argument, "example", lambda fact, node, shown: fact.env)


def file(*theorems, **keys):
    return {"format": "exactdp-argument", "version": "0.2", **keys, "theorems": [{"example": {}, **item} for item in theorems]}


def answer(*theorems, folder=FOLDER, **keys):
    return argument.check_bytes(json.dumps(file(*theorems, **keys)).encode(), folder)


def theorem(variables, then, proof=(), **hypotheses):
    return {"name": "T", "for": variables, "given": hypotheses, "then": then, "proof": list(proof)}


def status(*arguments, **keys):
    return answer(theorem(*arguments, **keys)).status


# the program


@pytest.mark.slow
def test_it_runs_alone_and_replays_every_file():
    """Those of every paper."""
    files = sorted(PROOFS.glob("*/arguments/*.json"))
    command = [sys.executable, "-I", str(CHECKER), *map(str, files)]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stdout
    assert {*FILES} < {*files}
    assert run.stdout.count(": replayed: ") == len(files) >= 13


@pytest.mark.slow
def test_the_answers_and_exit_codes_of_the_program(tmp_path):
    good, bad, odd = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "c.json"
    good.write_text(json.dumps(file({**theorem("int n", "n = n"), "example": {"n": "0"}})), encoding="utf-8")
    bad.write_text(json.dumps(file({**theorem("int n", "n = n+n"), "example": {"n": "0"}})), encoding="utf-8")
    odd.write_text("{", encoding="utf-8")
    for files, code in (([good], 0), ([good, bad], 1), ([bad, odd], 3), ([tmp_path / "none.json"], 2)):
        command = [sys.executable, "-I", str(CHECKER), "--json", *map(str, files)]
        run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        assert run.returncode == code
        for line in run.stdout.splitlines():
            assert set(json.loads(line)) == {"file", "exit_code", "status", "sentence", "kind", "digest", "rule", "path"}


ORDER = ["reading", "terms", "evaluation", "scope", "proof_steps", "argument"]


@pytest.mark.parametrize(("file", "before"), [(name, ORDER[:k]) for k, name in enumerate(ORDER)])
def test_it_uses_the_standard_library_alone(file, before):
    text = CHECKER.with_name(f"{file}.py").read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 140
    names = {alias.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    own = {f"exactdp.arguments.{name}" for name in before}
    assert all(name.split(".")[0] in sys.stdlib_module_names for name in names - own)


# terms: two readings agree, and nothing else is let in


@pytest.mark.parametrize(
    "text",
    [
        "a == b",
        "a ** 2",
        "a // b",
        "a % b",
        "a if b else c",
        "not a",
        "a and b",
        "lambda",
        "a.b",
        "a[0]",
        "f(*a)",
        "f(a=1)",
        "(a, b)",
        "1.5",
        "1e5",
        "1j",
        "0x10",
        "007",
        "1_000",
        "a;b",
        "a := 1",
        "'a'",
        "a @ b",
        "a << 1",
        "~a",
        "+a",
        "",
        " ",
        "a b",
        "a <= ",
        "None",
        "True",
        "a < b",
        "é",
        "12345678901234567890",
    ],
)
def test_what_is_no_term_is_malformed(text):
    assert answer(theorem("positive a b; int n", f"({text}) = 0")).status == "malformed"


def test_numbers_are_read_exactly():
    assert status("positive a", "-a^2+a*a = 2^10-1024") == "replayed"
    assert status("positive a", "-2^2 = 4") == "rejected"
    assert status("positive a", "2-1-1 = 0") == "replayed"
    assert status("positive a", "8/4/2 = 1") == "replayed"
    assert status("positive a", "a^-1*a = 1") == "replayed"
    assert status("positive a; int n", "a^(n-1)*a^(1-n) = 1") == "replayed"
    assert status("real a", "a^0 = 1") == "replayed"
    assert status("real a", "a/a = 1") == "rejected"


# integers


SMALL = st.integers(-3, 3)


@settings(max_examples=150)
@given(st.lists(st.tuples(SMALL, SMALL, st.integers(-6, 6)), min_size=1, max_size=5))
def test_infeasible_is_right_when_it_says_so(rows):
    """Against a search in a box: what has a solution is never called infeasible."""
    argument.begin()
    forms = [frozenset((s, c) for s, c in (("x", a), ("y", b), ("", k)) if c) for a, b, k in rows]
    found = any(all(a * x + b * y + k >= 0 for a, b, k in rows) for x, y in product(range(-8, 9), repeat=2))
    if infeasible(forms):
        assert not found


@pytest.mark.parametrize(
    ("given", "then", "expected"),
    [
        ("0 <= i < n", "n >= 1", True),
        ("0 <= i < n", "n >= 2", False),
        ("2*i = 2*j+1", "0 = 1", True),
        ("2*i >= 1", "i >= 1", True),
        ("3*i >= 1", "i >= 2", False),
        ("i < j < k", "k >= i+2", True),
        ("i < j < k", "k >= i+3", False),
        ("i = j", "i+1 = j+1", True),
    ],
)
def test_integer_conclusions(given, then, expected):
    assert (status("int i j k n", then, premise=given) == "replayed") == expected


# each step


CASES = [
    ("by a fact", "real x y", "x >= y", [{"show": "goal", "by": ["p"]}], {"p": "x >= y"}, True),
    ("by a weaker fact", "real x y", "x > y", [{"show": "goal", "by": ["p"]}], {"p": "x >= y"}, False),
    ("by a negative multiple", "real x y", "y >= x", [{"show": "goal", "by": ["-1; p"]}], {"p": "x >= y"}, False),
    ("by a multiple of unknown sign", "real x y z", "z*x >= z*y", [{"show": "goal", "by": ["z; p"]}], {"p": "x >= y"}, False),
    ("by a square", "real x y z", "z^2*x >= z^2*y", [{"show": "goal", "by": ["z^2; p"]}], {"p": "x >= y"}, True),
    ("a square is not positive", "real x y z", "z^2*x > z^2*y", [{"show": "goal", "by": ["z^2; p"]}], {"p": "x > y"}, False),
    ("equations have any multiples", "real x y z", "z*x = z*y", [{"show": "goal", "by": ["z; p"]}], {"p": "x = y"}, True),
    ("inequalities give no equation", "real x y", "x = y", [{"show": "goal", "by": ["p"]}], {"p": "x >= y"}, False),
    ("a product of facts", "real x y", "x*y > 0", [{"show": "goal", "by": ["1; p; q"]}], {"p": "x > 0", "q": "y > 0"}, True),
    ("a product with one not strict", "real x y", "x*y > 0", [{"show": "goal", "by": ["1; p; q"]}], {"p": "x > 0", "q": "y >= 0"}, False),
    ("no summands", "positive a", "a > a", [{"show": "goal", "by": []}], {}, False),
    (
        "a cut within",
        "int n; function f/1",
        "sum(k, 0, n, f(k)) = sum(k, 0, 1, f(k)) + sum(k, 2, n, f(k))",
        [{"split": "sum(k, 0, n, f(k))", "at": ["1"]}],
        {"p": "n >= 1"},
        True,
    ),
    (
        "a cut beyond",
        "int n; function f/1",
        "sum(k, 0, n, f(k)) = sum(k, 0, 1, f(k)) + sum(k, 2, n, f(k))",
        [{"split": "sum(k, 0, n, f(k))", "at": ["1"]}],
        {"p": "n >= 0"},
        False,
    ),
    ("a cut before", "int n; function f/1", "0 = 0", [{"split": "sum(k, 0, n, f(k))", "at": ["0-2"]}], {"p": "n >= 0"}, False),
    ("cuts out of order", "int n; function f/1", "0 = 0", [{"split": "sum(k, 0, n, f(k))", "at": ["2", "0"]}], {"p": "n >= 3"}, False),
    ("an empty sum", "int n; function f/1", "sum(k, 0, n, f(k)) = 0", [], {"p": "n < 0"}, True),
    ("a sum of constants", "int n; real c", "sum(k, 0, n, c) = (n+1)*c", [], {"p": "n >= 0"}, True),
    ("a sum of constants over what may be empty", "int n; real c", "sum(k, 0, n, c) = (n+1)*c", [], {}, False),
    ("the reciprocal", "positive a", "(1+a)*(1/(1+a)) = 1", [{"show": "1+a > 0", "as": "p"}, {"reciprocal": "1+a", "from": "p"}], {}, True),
    ("the reciprocal of what may be 0", "real a", "a*(1/a) = 1", [{"reciprocal": "a", "from": "p"}], {"p": "a >= 0"}, False),
    (
        "the reciprocal by another fact",
        "positive a",
        "0 = 0",
        [{"show": "2+a > 0", "as": "p"}, {"reciprocal": "1+a", "from": "p"}],
        {},
        False,
    ),
    (
        "a new positive symbol",
        "positive a; int n",
        "0 = 0",
        [{"let": "q", "be": "1-a", "positive": "p"}, {"show": "q^n > 0"}],
        {"p": "a < 1"},
        True,
    ),
    ("a new symbol that may be 0", "positive a; int n", "0 = 0", [{"let": "q", "be": "1-a", "positive": "p"}], {"p": "a <= 1"}, False),
    ("a power of what may be 0", "real a; int n", "a^n*a = a^(n+1)", [], {}, False),
    (
        "integer cases",
        "int i j; real x",
        "x = x",
        [{"show": "x = x", "cases": [{"when": "i <= j", "by": []}, {"when": "i > j", "by": []}]}],
        {},
        True,
    ),
    (
        "integer cases with a gap",
        "int i j; real x",
        "x = x",
        [{"show": "x = x", "cases": [{"when": "i < j", "by": []}, {"when": "i > j", "by": []}]}],
        {},
        False,
    ),
    (
        "a gap that the hypotheses close",
        "int i j; real x",
        "x = x",
        [{"show": "x = x", "cases": [{"when": "i < j", "by": []}, {"when": "i > j", "by": []}]}],
        {"p": "2*i = 2*j+1"},
        True,
    ),
    ("no cases", "int i; real x", "x = x+1", [{"show": "goal", "cases": []}], {}, False),
    ("no cases are needed", "int i; real x", "x = x+1", [{"show": "goal", "cases": []}], {"p": "i < i"}, True),
    (
        "real cases",
        "real x y",
        "0 = 0",
        [{"show": "0 = 0", "cases": [{"when": "x < y", "by": []}, {"when": "y <= x", "by": []}]}],
        {},
        True,
    ),
    (
        "real cases with a gap",
        "real x y",
        "0 = 0",
        [{"show": "0 = 0", "cases": [{"when": "x < y", "by": []}, {"when": "y < x", "by": []}]}],
        {},
        False,
    ),
    (
        "real cases of other numbers",
        "real x y z",
        "0 = 0",
        [{"show": "0 = 0", "cases": [{"when": "x < y", "by": []}, {"when": "z <= x", "by": []}]}],
        {},
        False,
    ),
    (
        "induction",
        "int n; positive a",
        "a^n > 0",
        [{"show": "a^m > 0", "induction": "m", "from": "0", "base": [], "step": [], "as": "p"}],
        {},
        True,
    ),
    (
        "induction with a false base",
        "int n",
        "0 = 0",
        [{"show": "m = m+1", "induction": "m", "from": "0", "base": [], "step": [{"show": "goal", "by": ["hypothesis"]}]}],
        {},
        False,
    ),
    (
        "induction with a false step",
        "int n",
        "0 = 0",
        [{"show": "m = 0", "induction": "m", "from": "0", "base": [], "step": []}],
        {},
        False,
    ),
    (
        "induction goes up only",
        "int n; function f/1",
        "f(0-1) = 0",
        [
            {
                "show": "f(m) = 0",
                "induction": "m",
                "from": "0",
                "base": [{"show": "goal", "by": ["p"]}],
                "step": [{"show": "goal", "by": ["q(m)", "hypothesis"]}],
                "as": "all",
            },
            {"show": "goal", "by": ["all(0-1)"]},
        ],
        {"p": "f(0) = 0", "q": {"for": "int k", "then": "f(k+1) = f(k)"}},
        False,
    ),
    (
        "the hypothesis beyond the end",
        "int n; function f/1",
        "f(n+1) = 0",
        [
            {
                "show": "f(m) = 0",
                "induction": "m",
                "from": "0",
                "to": "n",
                "base": [{"show": "goal", "by": ["p"]}],
                "step": [{"show": "goal", "by": ["q(m)", "hypothesis"]}],
                "as": "all",
            },
            {"show": "goal", "by": ["all(n+1)"]},
        ],
        {"p": "f(0) = 0", "q": {"for": "int k", "then": "f(k+1) = f(k)"}, "size": "n >= 0"},
        False,
    ),
    (
        "a hypothesis outside its range",
        "int n; function f/1",
        "f(n+1) >= 0",
        [{"show": "goal", "by": ["p(n+1)"]}],
        {"p": {"for": "int k", "given": {"range": "0 <= k <= n"}, "then": "f(k) >= 0"}},
        False,
    ),
    (
        "a hypothesis that needs another",
        "function f/1",
        "f(0) >= 0",
        [{"show": "goal", "by": ["p(0)"]}],
        {"p": {"for": "int k", "given": {"real": "f(k) >= 0-1"}, "then": "f(k) >= 0"}},
        False,
    ),
    (
        "on a box",
        "positive a b",
        "1-a*b > 0",
        [{"show": "goal", "box": ["a: low; p", "b: low_b; q"]}],
        {"p": "a < 1", "q": "b < 1", "low": "a > 0", "low_b": "b > 0"},
        True,
    ),
    ("on a closed box", "real a", "1-a >= 0", [{"show": "goal", "box": ["a: low; p"]}], {"p": "a <= 1", "low": "a >= 0"}, True),
    (
        "not strictly on a closed box",
        "real a",
        "1-a > 0",
        [{"show": "goal", "box": ["a: low; p"]}],
        {"p": "a <= 1", "low": "a >= 0"},
        False,
    ),
    ("on a box that another variable bounds", "positive a b", "b^2-a*b > 0", [{"show": "goal", "box": ["b: p"]}], {"p": "b > a"}, True),
    ("on a box, false", "real a", "1-2*a > 0", [{"show": "goal", "box": ["a: low; p"]}], {"p": "a < 1", "low": "a > 0"}, False),
    ("on a box whose bound moves", "real a", "a > 0", [{"show": "goal", "box": ["a: p"]}], {"p": "2*a > a-1"}, False),
    (
        "a wrong triangle",
        "function f/2; int n",
        "0 = 0",
        [{"determinant": "i j: f(i, j)", "size": "n", "shape": "upper", "proof": [{"show": "goal", "by": ["p(i, j)"]}]}],
        {"p": {"for": "int i j", "given": {"range": "i < j"}, "then": "f(i, j) = 0"}},
        False,
    ),
    (
        "a triangle",
        "function f/2; int n",
        "0 = 0",
        [{"determinant": "i j: f(i, j)", "size": "n", "shape": "lower", "proof": [{"show": "goal", "by": ["p(i, j)"]}]}],
        {"p": {"for": "int i j", "given": {"range": "i < j"}, "then": "f(i, j) = 0"}},
        True,
    ),
    (
        "a wrong product",
        "function f/2; int n",
        "0 = 0",
        [{"determinant": "i j: f(i, j)+1", "size": "n", "factors": ["i j: f(i, j)", "i j: 1"], "proof": []}],
        {},
        False,
    ),
    ("a contradiction", "real x", "x = x+1", [{"show": "0 > 0", "by": ["p"]}], {"p": "x > x"}, True),
    ("what is positive at sight", "positive a; real x", "a+x^2 > 0", [], {}, True),
    ("what is not", "positive a; real x", "a*x^2 > 0", [], {}, False),
]


@pytest.mark.parametrize(("variables", "then", "proof", "given", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_steps(variables, then, proof, given, expected):
    found = answer(theorem(variables, then, proof, **given))
    assert (found.status == "replayed") == expected, found
    assert found.status in ("replayed", "rejected"), found


# attempts to prove what is false by names


SQUARES = {
    "show": {"for": "int k", "then": "k^2 >= k"},
    "as": "on_integers",
    "cases": [
        {"when": "k <= 0", "proof": [{"show": "0-k >= 0", "as": "a"}, {"show": "k*k >= 0", "as": "b"}, {"show": "goal", "by": ["b", "a"]}]},
        {"when": "k >= 1", "proof": [{"show": "k-1 >= 0", "as": "a"}, {"show": "k >= 0", "as": "b"}, {"show": "goal", "by": ["1; a; b"]}]},
    ],
}
FALSE = [
    ("a fact about integers at a real number", "real x", "x^2 >= x", [SQUARES], {}),
    ("a fact about integers at a positive number", "positive a", "a^2 >= a", [SQUARES], {}),
    (
        "a fact about integers at the real variable of a step",
        "int n",
        "0 = 0",
        [SQUARES, {"show": {"for": "real x", "then": "x^2 >= x"}}],
        {},
    ),
    ("a fact about integers, called at a real number", "real x", "x^2 >= x", [SQUARES, {"show": "goal", "by": ["on_integers(x)"]}], {}),
    (
        "a fact about integers, used at half of one",
        "int n",
        "n = 0",
        [SQUARES, {"use": "on_integers", "with": {"k": "1/2"}, "as": "h"}, {"show": "0 = 1", "by": ["4; h"]}],
        {},
    ),
    (
        "a fact about positive numbers at a square",
        "real x; positive b",
        "1/x > 0",
        [{"show": {"for": "positive c", "then": "1/c > 0"}, "as": "p"}, {"show": "goal", "by": ["p(x^2)"]}],
        {},
    ),
    (
        "a function of two arguments for one of one",
        "function f/2; int n",
        "f(n, n) = f(n, n+1)",
        [{"show": {"for": "function g/1", "then": "g(0) = g(0)"}, "as": "p"}, {"show": "goal", "by": ["p(f)"]}],
        {},
    ),
    (
        "a product does not say which name it binds",
        "int n m; function f/1",
        "prod(k, 0, n, prod(j, 0, m, f(k))) = prod(k, 0, n, prod(j, 0, m, f(j)))",
        [],
        {},
    ),
    (
        "a determinant does not say which name it binds",
        "int n m; positive a",
        "det(i, j, 0, n, prod(k, 0, m, a^i)) = det(i, j, 0, n, prod(k, 0, m, a^k))",
        [],
        {},
    ),
    ("rows for columns", "int n; function f/2", "det(i, j, 0, n, f(i, j)) = det(i, j, 0, n, f(j, i))", [], {}),
    (
        "the inner name for the outer",
        "int n m; function f/1",
        "prod(k, 0, n, prod(k, 0, m, f(k))) = prod(k, 0, n, prod(j, 0, m, f(k)))",
        [],
        {},
    ),
    (
        "a factor that moves is taken out",
        "int n m; function f/1",
        "sum(k, 0, n, prod(j, 0, m, f(k))) = prod(j, 0, m, f(0))*(n+1)",
        [],
        {"p": "n >= 0"},
    ),
    (
        "an abbreviation in another scope",
        "int k; function f/1",
        "sum(k, 0, 1, f(k)) = 2*f(k)",
        [{"let": "c", "be": "f(k)"}, {"show": "sum(k, 0, 1, f(k)) = sum(k, 0, 1, c)", "as": "p"}, {"show": "goal", "by": ["p"]}],
        {},
    ),
    (
        "a symbol of a box is a variable",
        "real x s",
        "x >= s",
        [{"show": "goal", "box": ["x: low"]}],
        {"low": "x >= 0"},
    ),
    ("0 to the power 0 is not 0", "real x", "(x-x)^0 = 0", [], {}),
    ("a negative range is no sum backwards", "int n; function f/1", "sum(k, 2, 0, f(k)) = 0-f(1)", [], {}),
    ("an empty determinant is 1", "int n", "det(i, j, 1, 0, 0) = 0", [], {}),
    (
        "a split beyond an empty range",
        "int n; function f/1",
        "f(1) = 0",
        [{"split": "sum(k, 1, 0, f(k))", "at": ["1"]}, {"show": "goal", "by": ["-1; split"]}],
        {},
    ),
    (
        "a case leaks",
        "int i; real x",
        "x = 0",
        [{"show": "i = i", "cases": [{"when": "i <= 0", "proof": []}, {"when": "i > 0", "proof": []}]}, {"show": "i <= 0"}],
        {},
    ),
    (
        "a hypothesis about one of two symbols contradicts itself",
        "int n; function f/1",
        "0 = 1",
        [],
        {"p": {"for": "int k", "given": {"r": "k < 0"}, "then": "k >= 0"}},
    ),
    (
        "a fixed variable is the outer one",
        "int k; function f/1",
        "f(k) = 0",
        [{"show": {"for": "int k", "then": "f(k) = 0"}, "proof": []}],
        {"p": "f(k) = 0-1"},
    ),
    (
        "induction on the goal",
        "int n; function f/1",
        "f(0) = 0",
        [{"show": "goal", "induction": "m", "from": "0", "base": [], "step": []}],
        {},
    ),
    ("induction on a fixed symbol", "int m", "m = 0", [{"show": "m = 0", "induction": "m", "from": "0", "base": [], "step": []}], {}),
    ("let takes the name of a variable", "real x", "x = 0", [{"let": "x", "be": "0"}], {}),
    ("a sum binds the name of a variable, no more", "int k; real c", "k*c = sum(k, 1, 1, k*c)", [], {}),
    (
        "a case's fact leaves its case",
        "real x",
        "x >= 0",
        [
            {"show": "0 = 0", "cases": [{"when": "x >= 0", "proof": [], "says": ""}, {"when": "x < 0", "proof": []}]},
            {"show": "goal", "by": ["case"]},
        ],
        {},
    ),
    (
        "an inner hypothesis leaves its proof",
        "function f/1",
        "f(0) = 0",
        [
            {"show": {"for": "int k", "given": {"h": "f(k) = 0"}, "then": "f(k) = 0"}, "proof": [], "as": "p"},
            {"show": "goal", "by": ["p(0)"]},
        ],
        {},
    ),
    ("a theorem proves itself", "real x", "x = 0", [{"show": "goal", "by": ["T(x)"]}], {}),
    (
        "a determinant takes the names of its own formula",
        "int i j N",
        "i = j",
        [{"determinant": "A B: 0", "size": "0", "shape": "upper", "fix": "k l", "proof": []}],
        {},
    ),
    (
        "a bound function escapes",
        "int n; function f/1",
        "f(n) = f(n+1)",
        [{"let": "g", "be": "k: f(n)"}, {"show": "g(n) = g(n+1)", "as": "p"}, {"show": "goal", "by": ["p"]}],
        {},
    ),
]


@pytest.mark.parametrize(("variables", "then", "proof", "given"), [case[1:] for case in FALSE], ids=[case[0] for case in FALSE])
def test_names_do_not_prove_what_is_false(variables, then, proof, given):
    assert answer(theorem(variables, then, proof, **given)).status in ("rejected", "malformed")


def test_a_use_needs_what_is_given_and_kinds():
    lemma = {
        "name": "L",
        "for": "positive a; function f/1",
        "given": {"small": "a < 1", "all": {"for": "int k", "then": "f(k) >= a"}},
        "then": "f(0) >= a^2",
        "proof": [{"show": "goal", "by": ["all(0)", "a; small"]}],
    }
    head = {
        "name": "T",
        "for": "positive b; function g/1",
        "given": {"g": {"for": "int m", "then": "g(m) >= b/2"}, "b": "b < 1"},
        "then": "g(0) >= b^2/4",
    }
    use = {"use": "L", "with": {"a": "b/2", "f": "g"}, "given": {"small": [{"show": "goal", "by": ["1/2; b", "1/2;"]}]}}
    assert answer(lemma, {**head, "proof": [use]}).status == "replayed"
    for wrong in (
        {**use, "given": {}},
        {**use, "with": {"a": "0-b", "f": "g"}},
        {**use, "with": {"a": "b", "f": "g"}},
        {**use, "with": {"a": "b/2", "f": "k: g(k)-1"}},
        {**use, "with": {"a": "b/2"}},
        {**use, "with": {"a": "b/2", "f": "i j: 1"}},
        {**use, "given": {"other": []}},
    ):
        assert answer(lemma, {**head, "proof": [wrong]}).status in ("rejected", "malformed")


def test_a_definition_takes_the_first_case_that_holds():
    f = {"f": {"of": "int i", "is": ["i >= 0: 1", "i >= 1: 2", "3"]}}
    assert answer(theorem("int i", "f(i) = 1", p="i >= 1"), definitions=f).status == "replayed"
    assert answer(theorem("int i", "f(i) = 2", p="i >= 1"), definitions=f).status == "rejected"
    assert answer(theorem("int i", "f(i) = 3", p="i < 0"), definitions=f).status == "replayed"
    assert answer(theorem("int i", "f(i) = 1"), definitions=f).status == "rejected"
    assert answer(theorem("int i", "f(i) = f(i)"), definitions=f).status == "replayed"


@pytest.mark.parametrize(
    "definition",
    [
        {"f": {"of": "int i", "is": ["f(i)"]}},
        {"f": {"of": "int i", "is": ["i >= 0: 1"]}},
        {"f": {"of": "int i", "is": []}},
        {"f": {"of": "int i", "is": ["1", "2"]}},
        {"f": {"of": "int i i", "is": ["1"]}},
        {"sum": {"of": "int i", "is": ["1"]}},
        {"f": {"of": "int sum", "is": ["1"]}},
        {"f": {"of": "int g", "is": ["1"]}, "g": {"of": "int f", "is": ["1"]}},
    ],
)
def test_bad_definitions_are_malformed(definition):
    assert answer(theorem("int i", "f(i) = f(i)"), definitions=definition).status == "malformed"


# what an acceptance says


def test_an_acceptance_says_what_was_replayed():
    definitions = {"f": {"of": "int i", "is": ["g(i)+1"]}, "g": {"of": "int i", "is": ["i"]}, "h": {"of": "int i", "is": ["0"]}}
    definitions = {name: definitions[name] for name in "ghf"}
    stated = theorem("int n", "f(n) = n+1", p="n >= 0", q={"for": "int k", "given": {"r": "k = n"}, "then": ["k >= 0", "k <= n"]})
    found = answer(stated, {**theorem("int n", "0 = 1", p="n < n"), "name": "Vacuous"}, definitions=definitions).sentence
    assert found.startswith(
        "T: for all int n: if n >= 0, (for all int k: if k = n then k >= 0 and k <= n) then f(n) = n+1"
        " | Vacuous: for all int n: if n < n then 0 = 1. With the definitions f, g (sha256:"
    )
    other = {**definitions, "g": {"of": "int i", "is": ["i+0"]}}
    assert answer(stated, {**theorem("int n", "0 = 1", p="n < n"), "name": "Vacuous"}, definitions=other).sentence != found
    assert "h" not in found.partition("With the definitions ")[2].partition(" (")[0]


def test_a_long_statement_has_a_digest():
    sentences = set()
    for last in ("0", "1"):
        sentence = answer(theorem("real x", ["x = x"] * 1000 + [f"x = x+{last}-{last}"])).sentence
        assert len(sentence) < 1400
        assert "characters, sha256:" in sentence
        sentences.add(sentence)
    assert len(sentences) == 2


@pytest.mark.parametrize("text", ["n\n= n", "n\u2028= n", "n\t= n", "n = n\x1b[2J", "n = n | Proved"])
def test_texts_are_one_printable_line(text):
    found = answer(theorem("int n", text))
    assert found.status == "malformed"
    assert found.sentence.isprintable()


# files, hostile ones too


def test_files_need_each_other(tmp_path):
    one = file(theorem("real x", "x = x"), needs=["b"])
    (tmp_path / "a.json").write_text(json.dumps(one), encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps({**one, "needs": ["a"]}), encoding="utf-8")
    assert argument.check_bytes((tmp_path / "a.json").read_bytes(), tmp_path).status == "malformed"
    (tmp_path / "b.json").write_text(json.dumps(file(theorem("real x", "x = x+1"))), encoding="utf-8")
    found = argument.check_bytes((tmp_path / "a.json").read_bytes(), tmp_path)
    assert found.status == "rejected"
    assert found.sentence.startswith("b.json: $.theorems[0].proof")
    assert answer(theorem("real x", "x = x"), needs=["nothing"], folder=tmp_path).status == "rejected"
    for name in ("../a", "/etc/passwd", "A", ""):
        assert answer(theorem("real x", "x = x"), needs=[name], folder=tmp_path).status == "malformed"


@pytest.mark.slow
def test_a_file_needed_often_is_announced_each_time(monkeypatch, tmp_path):
    monkeypatch.setitem(reading.LIMITS, "work", 10**8)
    many = [{**theorem("int n", "0 = 0"), "name": f"T{k}"} for k in range(1000)]
    (tmp_path / "b.json").write_text(json.dumps(file(*many)), encoding="utf-8")
    assert answer(theorem("real x", "x = x"), needs=["b"] * 2, folder=tmp_path).status == "replayed"
    assert answer(theorem("real x", "x = x"), needs=["b"] * 100_000, folder=tmp_path).status == "limit"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b'{"format": "exactdp-argument", "format": "x"}',
        b"\xff\xfe",
        b'{"a": 1.5}',
        b"[" * 100,
        b'{"a":' * 100,
        json.dumps(file(theorem("real x", "x = x"), extra=1)).encode(),
        json.dumps({**file(theorem("real x", "x = x")), "version": "0.1"}).encode(),
        json.dumps(file()).encode(),
        json.dumps(file(theorem("real x", "x = x"), theorem("real x", "x = x"))).encode(),
    ],
)
def test_odd_files_are_malformed_or_too_large(data):
    assert argument.check_bytes(data, FOLDER).status in ("malformed", "limit")


@pytest.mark.slow
@pytest.mark.parametrize(
    "term",
    [
        "(x+y)^100",
        "(x+y+1)^32*(x+y+2)^32*(x+y+3)^32",
        "x^(10^9)",
        "2^(10^9)",
        "a^(n*n)",
        "(" * 150 + "x" + ")" * 150,
        "-" * 900 + "x",
        "x+" * 900 + "x",
        "x^(y)",
        "sum(k, 0, 10^9, x)",
        "sum(k, 0, n*n, x)",
        "sum(x, 0, 1)",
        "det(i, i, 0, n, 1)",
        "sum(k, 0, 8, " * 12 + "x" + ")" * 12,
        "x*" * 2000 + "x",
    ],
)
def test_hostile_terms_end_soon(monkeypatch, term):
    monkeypatch.setitem(reading.LIMITS, "work", 10**8)
    found = answer(theorem("positive a; real x y; int n", f"{term} = {term}+1"))
    assert found.status in ("malformed", "limit", "rejected"), found


HEAVY = "(x+y+1)^12*(x+2*y)^7"
HOSTILE = {
    "a string without end": b'"\\' * 2**19,
    "long constants": theorem("int n", "((((2/3)^32)^32)^32)^32 = n"),
    "many denominators": theorem("real x", " + ".join(f"x/{p}" for p in range(10**18, 10**18 + 80)) + " = 0"),
    "many factors": theorem("function f/1", "*".join(f"f({i})" for i in range(90)) + " = 0"),
    "coefficients of integers": theorem(
        "int n", "n = n", [{"let": f"a{k}", "be": f"{'9' * 19}*{f'a{k - 1}' if k else 'n'}"} for k in range(99)]
    ),
    "exponents": theorem("positive a; int n", f"a^({'*'.join(['9' * 19] * 90)}*n) > 0"),
    "many names": theorem("int n", "n = n", [{"let": f"a{k}", "be": "n"} for k in range(500)]),
    "many bounds": theorem("int n", "n = n", **{f"h{k}": f"n <= {k}" for k in range(500)}),
    "a reference of spaces": theorem("int n", "n = n", [{"show": "goal", "by": ["a" + " " * 1990 + "!"]}]),
    "a long declaration": theorem("int " + " ".join(f"a{k}" for k in range(9999)), "0 = 0"),
    "a fact of many comparisons, often": theorem(
        "real x", "x = x", [{"show": "goal", "by": ["0;h.0"] * 40_000 + ["1; h.9"]}], h=["x" + "=x" * 999] * 100 + ["x >= x+1"]
    ),
    "many facts, many comparisons": theorem(
        "real x y", ["x" + ">=y>=x" * 300] * 240, z="x = y", **{f"a{k}": {"for": "int a b", "then": "0=0"} for k in range(9000)}
    ),
    "a big product, often": theorem("real x y", "x = x", [{"show": f"{HEAVY} = {HEAVY}"}] * 2000),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_answered(monkeypatch, name):
    monkeypatch.setitem(reading.LIMITS, "work", 10**8)  # a second
    value = HOSTILE[name]
    data = value if isinstance(value, bytes) else json.dumps(file(value)).encode()
    found = argument.check_bytes(data, FOLDER)
    assert found.status in ("limit", "malformed", "rejected"), found
    assert len(found.sentence) < 2000
    assert found.sentence.isprintable()


def test_normal_forms_are_shared():
    """Each definition doubles its argument: 2^30 places as a tree, 30 atoms here."""
    definitions = {"g": {"of": "int n; real x y", "is": ["n > 0: x", "y"]}}
    definitions |= {f"f{k}": {"of": "int n; real x", "is": [f"f{k - 1}(n, g(n, x, x+1))" if k else "x"]} for k in range(31)}
    one, other = "prod(k, 0, n, f30(k, x))", "prod(j, 0, n, f30(j, x))"
    assert answer(theorem("int n; real x", f"{one} = {other}"), definitions=definitions).status == "replayed"
    assert answer(theorem("int n; real x", f"{one} = {other}+1"), definitions=definitions).status == "rejected"


def test_hostile_definitions_end_soon(monkeypatch):
    monkeypatch.setitem(reading.LIMITS, "work", 10**8)
    names = [f"f{k}" for k in range(60)]
    chain = {name: {"of": "real x", "is": [f"{names[k - 1]}({names[k - 1]}(x))+1" if k else "x"]} for k, name in enumerate(names)}
    assert answer(theorem("real x", "f59(x) = 0"), definitions=chain).status in ("limit", "rejected")


def test_many_integer_hypotheses_end_soon(monkeypatch):
    monkeypatch.setitem(reading.LIMITS, "work", 10**8)
    letters = [f"x{k}" for k in range(24)]
    given = {
        f"g{i}{j}": f"{2 + i}*{x} <= {3 + j}*{y}+{i}"
        for i, x in enumerate(letters)
        for j, y in enumerate(letters)
        if (i * 7 + j) % 5 == 0 and i != j
    }
    assert answer(theorem("int " + " ".join(letters), "x0 >= 1", **given)).status in ("limit", "rejected")


def test_nothing_but_an_answer_comes_out():
    for value in (1, "x", [], {}, {"format": 1}, file({"name": 1}), file({"name": "T", "for": "int n", "then": {}, "proof": {}})):
        assert argument.check_bytes(json.dumps(value).encode(), FOLDER).status == "malformed"


def test_a_stop_names_the_step():
    with pytest.raises(Stop) as stop:
        argument.bounded("exponent", 33, "$.theorems[0]")
    assert stop.value.args[0].sentence.startswith("$.theorems[0]: the limit of 32 exponent")
