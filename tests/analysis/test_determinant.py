# SPDX-License-Identifier: MIT
"""Determinants against sympy and Leibniz' formula, the paper's lemmas against both, and certificates with
every number changed.
"""

from __future__ import annotations

import copy
import hashlib
import json
from fractions import Fraction as F
from itertools import permutations
from math import prod

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from places import SCHEMA
from random_edits import places, put
from sympy.polys.matrices import DomainMatrix

from exactdp import certify
from exactdp.analysis.determinant import GeometricMatrix, computed, determinant
from exactdp.checker import check_bytes
from exactdp.errors import DomainError, ExpressionSyntaxError, InputError, ParameterRangeError, ResourceLimitError, ShapeError
from exactdp.exact import QQ, AlgebraicNumber, ExactMatrix, Rational, RationalFunctionField
from exactdp.mechanisms import geometric, geometric_prime
from exactdp.readers.formulas import read_formula_matrix

LEVEL = RationalFunctionField().gen
A = sympy.Symbol("a")


def sympy_geometric(n, prime=False):
    def entry(i, j):
        scale = 1 if prime else 1 / (1 + A) if j in (0, n) else (1 - A) / (1 + A)
        return A ** abs(i - j) * scale

    return sympy.Matrix(n + 1, n + 1, entry)


def sympy_det(matrix):
    """By sympy's own elimination over its fraction field."""
    domain = DomainMatrix.from_Matrix(matrix).to_field()
    return domain.domain.to_sympy(domain.det())


def matrix_of(n, prime):
    return geometric_prime(n, LEVEL) if prime else geometric(n, LEVEL).matrix


def same(function, expression):
    # our own output, not a user's text
    return sympy.cancel(sympy.sympify(str(function).replace("^", "**")) - expression) == 0


@pytest.mark.parametrize("prime", [False, True])
@pytest.mark.parametrize("n", range(1, 8))
def test_determinants_are_those_of_sympy_and_the_lemma_is_right(n, prime):
    verdict = determinant(matrix_of(n, prime))
    assert verdict.proved
    assert same(verdict.evidence.determinant, sympy_det(sympy_geometric(n, prime)))
    assert verdict.evidence.published_agrees


@pytest.mark.slow
@pytest.mark.parametrize("prime", [False, True])
@pytest.mark.parametrize("n", range(1, 5))
def test_with_a_symbolic_vector_they_are_those_of_sympy_and_lemma_2_is_right(n, prime):
    xs = sympy.symbols(f"x0:{n + 1}")
    for column in range(n + 1):
        verdict = determinant(matrix_of(n, prime), column=column)
        expected = sympy_geometric(n, prime)
        expected[:, column] = sympy.Matrix(xs)
        assert same(verdict.evidence.determinant, sympy_det(expected))
        assert verdict.evidence.published_agrees
        assert "all vectors x" in str(verdict.scope)


@pytest.mark.parametrize("m", range(2, 9))
def test_lemma_1_as_printed_and_off_by_one(m):
    """The paper's n is the order m; taking it for our n is refuted, with the factor by which it is wrong."""
    G, prime = matrix_of(m - 1, False), matrix_of(m - 1, True)
    assert determinant(prime, formula=f"(1-a^2)^({m}-1)").proved
    assert determinant(G, formula=f"(1-alpha)^(2*{m}-3)/(1+α)").proved
    for wrong in (f"(1-a^2)^({m}-2)", f"(1-a^2)^{m}"):
        verdict = determinant(prime, formula=wrong)
        assert verdict.refuted
        at = verdict.evidence.difference.point["a"].as_fraction()
        assert 0 < at < 1
        right = (1 - at**2) ** (m - 1)
        stated = right / (1 - at**2) if wrong.endswith("-2)") else right * (1 - at**2)
        assert verdict.evidence.difference.determinant.as_fraction() == right
        assert verdict.evidence.difference.formula.as_fraction() == stated
        assert same(verdict.evidence.quotient, 1 / (1 - A**2) if wrong.endswith("-2)") else 1 - A**2)
    verdict = determinant(G, formula=f"(1-a)^(2*{m - 1}-3)/(1+a)")
    assert verdict.refuted
    assert same(verdict.evidence.quotient, 1 / (1 - A) ** 2)


def leibniz(rows):
    """Σ sign(p) Π rows[i][p(i)]."""
    size = len(rows)
    total = F(0)
    for p in permutations(range(size)):
        inversions = sum(p[i] > p[j] for i in range(size) for j in range(i + 1, size))
        total += (-1) ** inversions * prod((rows[i][p[i]] for i in range(size)), start=F(1))
    return total


entries = st.lists(st.integers(-3, 3), min_size=1, max_size=3)
fractions_of_entries = st.tuples(entries, entries.filter(any))


@pytest.mark.slow
@given(
    st.integers(1, 4).flatmap(lambda m: st.lists(st.lists(fractions_of_entries, min_size=m, max_size=m), min_size=m, max_size=m)), st.data()
)
@settings(max_examples=40)
def test_any_matrix_by_leibniz_and_its_certificates(rows, data):
    size = len(rows)
    field = RationalFunctionField()
    matrix = ExactMatrix([[field.quotient(num, den) for num, den in row] for row in rows], field)
    column = data.draw(st.none() | st.integers(0, size - 1))
    at = data.draw(st.sampled_from([F(7, 3), F(-5, 2), F(11, 13)]))
    vector = [F(k * k - 3, 2) for k in range(size)]

    def value(p):
        return sum(F(c) * at**k for k, c in enumerate(p))

    try:
        verdict = determinant(matrix, column=column)
    except DomainError as error:  # it is a number where an entry is none
        (point,) = error.facts["points"]
        poles = [entry.sign_on_interval().poles for row in matrix.rows() for entry in row]
        assert any(point in found for found in poles)
        return
    if all(value(den) for row in rows for _, den in row):
        numbers = [[value(num) / value(den) for num, den in row] for row in rows]
        if column is not None:
            for row, x in zip(numbers, vector, strict=True):
                row[column] = x
        point = {"a": QQ(at)} | ({f"x{j}": QQ(x) for j, x in enumerate(vector)} if column is not None else {})
        assert verdict.evidence.determinant.value(point).as_fraction() == leibniz(numbers)
    assert certify(verdict).kind == "determinant"
    wrong = determinant(matrix, column=column, formula=f"({verdict.evidence.determinant}) + a - 1")
    assert wrong.refuted
    assert certify(wrong).kind == "not-determinant"
    assert determinant(matrix, column=column, formula=str(verdict.evidence.determinant)).proved


def test_equal_functions_are_equal_whatever_their_denominators_sign():
    """1/(3 − 9a) changes its sign in (0, 1): it is written in one way only."""
    verdict = determinant(read_formula_matrix("1/(3-9*a)"))
    assert determinant(read_formula_matrix("1/(3-9*a)"), formula="-1/(9*a-3)").proved
    assert determinant(read_formula_matrix("-1/(9*a-3)")).evidence.determinant == verdict.evidence.determinant


def test_a_zero_determinant():
    matrix = read_formula_matrix("a,a^2\n1,a")
    assert determinant(matrix, formula="0").proved
    verdict = determinant(matrix, formula="a")
    assert verdict.refuted
    assert verdict.evidence.quotient is None
    assert certify(determinant(matrix)).claim["formula"]["num"] == []


def test_a_difference_is_found_where_the_first_levels_do_not_show_it():
    matrix = read_formula_matrix("1")
    same_at_first = "1 + (1-2*a)*(1-3*a)*(2-3*a)*(1-4*a)"
    verdict = determinant(matrix, formula=same_at_first)
    assert verdict.refuted
    at = verdict.evidence.difference.point["a"].as_fraction()
    assert at not in {F(1, 2), F(1, 3), F(2, 3), F(1, 4)}
    assert verdict.evidence.difference.formula.as_fraction() == 1 + (1 - 2 * at) * (1 - 3 * at) * (2 - 3 * at) * (1 - 4 * at)


def test_a_formula_that_is_not_defined_everywhere_is_reported():
    G = matrix_of(3, False)
    verdict = determinant(G, formula="(1-a)^5*(1-2*a)/((1+a)*(1-2*a))")
    assert verdict.proved
    assert "except 1/2" in str(verdict.scope)
    assert [gap.level for gap in verdict.evidence.undefined] == [Rational("1/2")]
    verdict = determinant(G, formula="1/(a^2+a-1)")
    [gap] = verdict.evidence.undefined
    assert verdict.refuted
    assert gap.level == AlgebraicNumber([-1, 1, 1], 0, 1)
    assert not determinant(G, formula="(1-a)^5/(1+a)").evidence.undefined  # −1 is not in (0, 1)
    [gap] = determinant(G, column=0, formula="1/x0").evidence.undefined
    assert gap.level is None
    [gap] = determinant(read_formula_matrix("1/(1-4*a),0\n0,1")).evidence.undefined
    assert gap.level == Rational("1/4")


def test_a_pole_in_the_replaced_column_does_not_matter():
    verdict = determinant(read_formula_matrix("1,1/(1-2*a)\n0,1"), column=1, formula="x0")
    assert verdict.refuted
    assert not verdict.evidence.undefined
    assert certify(verdict).kind == "not-determinant"


def test_a_formula_that_is_not_linear_in_x_is_refuted():
    for formula in ("x0*x1", "x0^2/(x0+x1)", "1", "x0+1"):
        verdict = determinant(matrix_of(2, True), column=0, formula=formula)
        assert verdict.refuted
        assert certify(verdict).kind == "not-determinant"
    assert determinant(matrix_of(1, True), column=0, formula="(x0^2-a^2*x1^2)/(x0+a*x1)").proved


def test_at_one_level():
    G = matrix_of(3, False)
    verdict = determinant(G, formula="(1-a)^5/(1+a)", level="1/4")
    assert verdict.proved
    assert str(verdict.scope) == "α = 1/4"
    assert verdict.evidence.determinant == QQ(F(3, 4) ** 5 / F(5, 4))
    assert verdict.evidence.published_agrees
    # right at 1/4 only
    assert determinant(G, formula="(1-a)^5/(1+a) * 4*a", level="1/4").proved
    assert determinant(G, formula="(1-a)^5/(1+a) * 4*a").refuted
    wrong = determinant(G, formula="(1-a)^4/(1+a)", level="1/4")
    assert wrong.refuted
    for each in (verdict, wrong, determinant(G, column=1, level="1/4", formula="x0")):
        assert certify(each)
    with pytest.raises(InputError, match="divides by 1 - 4"):
        determinant(G, formula="1/(1-4*a)", level="1/4")


def test_a_rational_matrix():
    verdict = determinant(ExactMatrix([["1/2", 1], [3, 4]]), formula="-1")
    assert verdict.proved
    assert verdict.evidence.published is None
    assert certify(verdict).claim["matrix"]["rows"][0] == {"den": ["2"], "num": [["1"], ["2"]]}


def test_what_is_refused():
    G = matrix_of(2, False)
    with pytest.raises(ShapeError, match="1×2"):
        determinant(ExactMatrix([[1, 2]]))
    with pytest.raises(ParameterRangeError, match=r"the columns are 0\.\.2"):
        determinant(G, column=3)
    with pytest.raises(ParameterRangeError):
        determinant(G, column=-1)
    with pytest.raises(ExpressionSyntaxError, match="'x0' is unknown"):
        determinant(G, formula="x0")
    with pytest.raises(InputError, match="divides by a - a, which is zero"):
        determinant(G, formula="1/(a-a)")
    with pytest.raises(ResourceLimitError):
        determinant(matrix_of(45, True) * 2)
    for large in ("(1-a)^3000", "((1-a)^3000+a)/((1-a)^3000+a)"):
        with pytest.raises(ResourceLimitError, match="of degree 3000 with 3001 terms"):
            determinant(G, formula=large)


@pytest.mark.parametrize("prime", [False, True])
@pytest.mark.parametrize("n", range(1, 6))
def test_the_named_matrices_by_elimination_too(n, prime):
    """From the tridiagonal inverse, and by elimination with values."""
    matrix = matrix_of(n, prime)
    for column in (None, *range(n + 1)):
        found = determinant(matrix, column=column)
        assert found.evidence.family == GeometricMatrix(n, prime=prime)
        assert found.evidence.determinant == computed(matrix, column, found.evidence.determinant.field)
        assert certify(found).kind == "determinant"


def test_numbers_in_a_file_are_rational():
    numbers, formulas = read_formula_matrix("1/2,0.25\n-3,4"), read_formula_matrix("1/2,0.25\n-3,1-(-3)")
    assert (str(numbers.field), str(formulas.field)) == ("QQ", "QQ(a) on (0, 1)")
    assert determinant(numbers).evidence.determinant == determinant(formulas).evidence.determinant
    assert certify(determinant(numbers)).to_json() == certify(determinant(formulas)).to_json()


# ── Certificates, with every number changed
# ─────────────────────────────────────────────────────────────────────────
def sealed(certificate):
    keys = ("format", "version", "claim", "definitions", "witness")
    content = json.dumps({k: certificate[k] for k in keys}, sort_keys=True, separators=(",", ":")).encode()
    return {**certificate, "digest": "sha256:" + hashlib.sha256(content).hexdigest()}


def answer(certificate):
    return check_bytes(json.dumps(sealed(certificate)).encode())


def made(verdict):
    return json.loads(certify(verdict).to_json())


def by_hand(claim):
    return sealed({"format": "exactdp-certificate", "version": "0.2", "claim": claim, "definitions": {}, "witness": {}})


def holds(claim):
    """Whether a claim that something is not the determinant is true, by Leibniz' formula with Fractions."""
    a, x = F(claim["point"]["a"]), [F(v) for v in claim["point"].get("x", [])]

    def value(p):
        return sum((F(c) * a**k for k, c in enumerate(p)), F(0))

    def of(form):
        return sum((value(term["a"]) * prod((x[j] for j in term["x"]), start=F(1)) for term in form), F(0))

    matrix = claim["matrix"]
    if matrix["type"] == "rows":
        if any(value(row["den"]) == 0 for row in matrix["rows"]):
            return False
        rows = [[value(p) / value(row["den"]) for p in row["num"]] for row in matrix["rows"]]
    else:
        n, prime = matrix["n"], matrix["type"] == "geometric-prime"
        scales = [1 if prime else 1 / (1 + a) if j in {0, n} else (1 - a) / (1 + a) for j in range(n + 1)]
        rows = [[scales[j] * a ** abs(i - j) for j in range(n + 1)] for i in range(n + 1)]
    for i, row in enumerate(rows if "column" in claim else []):
        if not 0 <= claim["column"] < len(rows) or i >= len(x):
            return False
        row[claim["column"]] = x[i]
    if not 0 < a < 1 or of(claim["formula"]["den"]) == 0:
        return False
    found, stated = leibniz(rows), of(claim["formula"]["num"]) / of(claim["formula"]["den"])
    indices = [term["x"] for key in ("num", "den") for term in claim["formula"][key]]
    well_formed = all(j >= 0 for x in indices for j in x)
    return well_formed and found == F(claim["determinant"]) != stated == F(claim["value"])


TABLE = "1/(1+a),a,0\n2,(1-a)/3,a^2\na,1,1/2"
POOL = {
    "geometric": determinant(matrix_of(4, False)),
    "prime": determinant(matrix_of(3, True), formula="(1-a^2)^3"),
    "rows": determinant(read_formula_matrix(TABLE)),
    "column": determinant(read_formula_matrix(TABLE), column=1),
    "geometric-column": determinant(matrix_of(3, False), column=3),
    "not": determinant(matrix_of(4, False), formula="(1-a)^6/(1+a)"),
    "not-rows": determinant(read_formula_matrix(TABLE), formula="a"),
    "not-column": determinant(read_formula_matrix(TABLE), column=0, formula="x0*x1/(1+x2)"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", POOL)
def test_every_wrong_number_is_refused(name):
    certificate = made(POOL[name])
    assert answer(certificate).status == "accepted"
    kind = certificate["claim"]["kind"]
    seen = 0
    for path, value in places(certificate["claim"], ("claim",)):
        new = []
        if isinstance(value, int):
            new = [value + 1, value - 1] if path[-1] in {"n", "column"} else [value + 1]
        elif isinstance(value, str) and path[-1] not in {"kind", "type"}:
            new = [str(F(value) + 1), str(F(value) - 1), str(-F(value)), str(2 * F(value))]
        for other in new:
            if str(other) == str(value):
                continue
            got = answer(put(certificate, path, other))
            if kind == "not-determinant":
                if got.status != "malformed":
                    assert (got.status == "accepted") == holds(put(certificate, path, other)["claim"]), (path, other)
            else:
                replaced = certificate["claim"].get("column")
                # is not looked at
                idle = path[1:3] == ("matrix", "rows") and path[4] == "num" and path[5] == replaced
                assert idle or got.status != "accepted", (path, other)
            seen += 1
    assert seen > 10


@pytest.mark.parametrize("name", POOL)
def test_every_part_is_needed_and_nothing_else_is_allowed(name):
    certificate = made(POOL[name])
    for key in certificate["claim"]:
        less = copy.deepcopy(certificate)
        del less["claim"][key]
        assert answer(less).status in {"malformed", "rejected"}, key
    assert answer(put(certificate, ("claim", "extra"), "1")).status == "malformed"
    assert answer(put(certificate, ("witness", "extra"), "1")).status == "malformed"
    definitions = {"N": {"type": "path", "vertices": 2}}
    assert answer({**certificate, "definitions": definitions}).status == "malformed"


ONE = {"num": [{"x": [], "a": ["1"]}], "den": [{"x": [], "a": ["1"]}]}
UNIT = {"type": "rows", "rows": [{"den": ["1"], "num": [["1"]]}]}
MALFORMED = {
    "a zero at the end": {"formula": {**ONE, "num": [{"x": [], "a": ["1", "0"]}]}},
    "a term that is zero": {"formula": {**ONE, "num": [{"x": [], "a": []}]}},
    "a symbol without a column": {"formula": {**ONE, "num": [{"x": [0], "a": ["1"]}]}},
    "a symbol too large": {"column": 0, "formula": {**ONE, "num": [{"x": [1], "a": ["1"]}]}},
    "indices out of order": {"column": 0, "formula": {**ONE, "num": [{"x": [0, 0], "a": ["1"]}, {"x": [0], "a": ["1"]}]}},
    "a term twice": {"formula": {**ONE, "num": [{"x": [], "a": ["1"]}, {"x": [], "a": ["1"]}]}},
    "no rows": {"matrix": {"type": "rows", "rows": []}},
    "not square": {"matrix": {"type": "rows", "rows": [{"den": ["1"], "num": [["1"], ["1"]]}]}},
    "a denominator of zero": {"matrix": {"type": "rows", "rows": [{"den": [], "num": [["1"]]}]}},
    "an unknown matrix": {"matrix": {"type": "uniform", "n": 1}},
    "no such column": {"column": 1},
    "a rational coefficient": {"formula": {**ONE, "num": [{"x": [], "a": ["1/2"]}]}},
    "a number instead of a string": {"formula": {**ONE, "num": [{"x": [], "a": [1]}]}},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_claims(name):
    claim = {"kind": "determinant", "matrix": UNIT, "formula": ONE}
    assert answer(by_hand(claim)).status == "accepted"
    assert answer(by_hand({**claim, **MALFORMED[name]})).status == "malformed"


REFUTED = {"kind": "not-determinant", "matrix": UNIT, "point": {"a": "1/2"}, "determinant": "1", "value": "2"}


def over(num, den):
    return {"num": [{"x": [], "a": num}] if num else [], "den": [{"x": [], "a": den}] if den else []}


@pytest.mark.parametrize(
    ("what", "change", "status"),
    [
        ("right", {"formula": over(["2"], ["1"])}, "accepted"),
        ("equal values", {"formula": ONE, "value": "1"}, "rejected"),
        ("a wrong value", {"formula": over(["3"], ["1"])}, "rejected"),
        ("a wrong determinant", {"formula": over(["2"], ["1"]), "determinant": "0"}, "rejected"),
        ("a pole of the formula", {"formula": over(["0", "4"], ["1", "-2"])}, "rejected"),
        ("no denominator", {"formula": over(["2"], [])}, "rejected"),
        ("a point at the end", {"formula": over(["2"], ["1"]), "point": {"a": "1"}}, "malformed"),
        ("a vector without a column", {"formula": over(["2"], ["1"]), "point": {"a": "1/2", "x": ["1"]}}, "malformed"),
        ("a column without a vector", {"formula": over(["2"], ["1"]), "column": 0}, "malformed"),
        (
            "a pole of the matrix",
            {"formula": over(["2"], ["1"]), "matrix": {"type": "rows", "rows": [{"den": ["1", "-2"], "num": [["1"]]}]}},
            "rejected",
        ),
    ],
)
def test_refutations(what, change, status):
    assert answer(by_hand({**REFUTED, **change})).status == status


@pytest.mark.parametrize(
    ("what", "formula", "status"),
    [
        ("a denominator of zero", {"num": [], "den": []}, "rejected"),
        ("both zero at infinity only", over(["1"], ["1", "1"]), "rejected"),
        ("a constant in a linear form", None, "rejected"),
    ],
)
def test_proofs_that_are_none(what, formula, status):
    claim = {"kind": "determinant", "matrix": UNIT, "formula": formula}
    if formula is None:
        claim = {**claim, "column": 0, "formula": {**ONE, "num": [{"x": [], "a": ["1"]}, {"x": [0], "a": ["1"]}]}}
    assert answer(by_hand(claim)).status == status


def test_an_identity_at_small_powers_of_two_is_not_one():
    """A formula that agrees with the determinant at 2, 4, 8, …, 2^20 is refused all the same."""
    p = sympy.Poly(prod(A - 2**k for k in range(1, 21)) + 1, A)
    coefficients = [str(int(c)) for c in reversed(p.all_coeffs())]
    got = answer(by_hand({"kind": "determinant", "matrix": UNIT, "formula": over(coefficients, ["1"])}))
    assert got.status == "rejected"


@pytest.mark.slow
def test_sizes_are_announced():
    for matrix in ({"type": "geometric", "n": 400}, {"type": "geometric-prime", "n": 10**8}):
        assert answer(by_hand({"kind": "determinant", "matrix": matrix, "formula": ONE})).status == "limit"
    rows = [{"den": ["1"], "num": [["1"] * 200_000]}]
    assert answer(by_hand({"kind": "determinant", "matrix": {"type": "rows", "rows": rows}, "formula": ONE})).status == "limit"


@pytest.mark.parametrize("name", POOL)
def test_the_schema_lets_them_through(name):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(made(POOL[name]))


def test_the_kernels_sentence_is_about_all_levels():
    got = answer(made(POOL["geometric"]))
    assert "For every number a at which no denominator is zero, the determinant of geometric(4, a) is (1 - 7*a" in got.sentence
    assert answer(made(POOL["not"])).sentence.startswith("The determinant of geometric(4, a) is not ")


@pytest.mark.parametrize("level", [sympy.sqrt(2) / 2, sympy.sqrt(2) - 1])
def test_numbers_of_other_fields_are_refused_as_such(level):
    with pytest.raises(InputError, match="computed over ℚ"):
        determinant(geometric_prime(2, level))
