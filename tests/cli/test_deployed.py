"""A deployed table: geometric noise with α = 1/2 truncated to 0..20 and printed with six decimals, read from
a CSV.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from cli_runner import geometric_rows, run, six_decimals, write_rows

ROWS = [[six_decimals(x) for x in row] for row in geometric_rows(20, Fraction(1, 2))]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("deployed") / "deployed.csv", ROWS)


@pytest.fixture(scope="module")
def exact():
    return [[Fraction(x) for x in row] for row in ROWS]


def level_of(rows):
    return min(min(x / y, y / x) for a, b in pairwise(rows) for x, y in zip(a, b, strict=True))


def test_as_printed_it_is_no_mechanism_and_every_row_is_named(table, exact):
    done = run(["privacy", str(table), "--graph", "path", "--alpha", "1/2", "--json"])
    assert (done.code, done.json["verdict"]) == (1, "refuted")
    wrong = [{"row": str(i), "sum": str(sum(row)), "excess": str(sum(row) - 1)} for i, row in enumerate(exact) if sum(row) != 1]
    assert len(wrong) == 15
    assert done.json["violated"] == wrong
    mended = [[x / sum(row) for x in row] for row in exact]
    assert done.json["renormalised"]["level"]["alpha"] == str(level_of(mended))
    text = run(["privacy", str(table), "--graph", "path", "--alpha", "1/2"])
    assert text.code == 1
    for row in wrong:
        assert f"row {row['row']} sums to {row['sum']}, not 1 (excess {row['excess']})" in text.out
    assert "--renormalise" in text.out
    assert run(["optimal", str(table), "--graph", "path", "--alpha", "1/2", "--loss", "abs", "--json"]).json["violated"] == wrong


def test_the_fault_has_a_certificate(table, tmp_path):
    path = tmp_path / "no.edp.json"
    assert run(["privacy", str(table), "--graph", "path", "-o", str(path)]).code == 1
    assert "not-stochastic" in path.read_text(encoding="utf-8")


def test_renormalised_its_level_is_exact(table, exact):
    done = run(["privacy", str(table), "--graph", "path", "--renormalise", "--alpha", "1/2", "--json"])
    mended = [[x / sum(row) for x in row] for row in exact]
    assert done.code == 1
    assert done.json["level"]["alpha"] == str(level_of(mended)) == "333333/1000001"
    assert done.json["violated"]
    assert "15 of its 21 rows" in done.json["notes"][0]
    assert run(["privacy", str(table), "--graph", "path", "--renormalise", "--alpha", "333333/1000001"]).code == 0
    assert run(["privacy", str(table), "--graph", "path", "--renormalise"]).code == 0


def test_the_gaps_at_both_levels_as_deployed_and_after_the_best_remap(table, exact):
    done = run(["optimal", str(table), "--graph", "path", "--renormalise", "--alpha", "1/2", "--loss", "abs", "--json"])
    assert done.code == 1
    answer = done.json
    mended = [[x / sum(row) for x in row] for row in exact]
    loss = max(sum(abs(i - r) * x for r, x in enumerate(row)) for i, row in enumerate(mended))
    assert Fraction(answer["loss"]) == loss
    assert answer["value"] == "34868196/27199723"
    for where in (answer["asked_level"], answer["own_level"]):
        value = Fraction(where["value"])
        assert Fraction(where["loss"]) == loss
        assert Fraction(where["gap"]) == loss - value
        after = Fraction(where["after_remap"]["loss"])
        assert Fraction(where["after_remap"]["gap"]) == after - value
        assert after <= loss
    assert answer["asked_level"]["level"]["alpha"] == "1/2"
    assert answer["own_level"]["level"]["alpha"] == "333333/1000001"
    # not private at 1/2, so it may beat the optimum there; at its own level nothing can
    assert Fraction(answer["asked_level"]["after_remap"]["gap"]) < 0 < Fraction(answer["own_level"]["after_remap"]["gap"])
    text = run(["optimal", str(table), "--graph", "path", "--renormalise", "--alpha", "1/2", "--loss", "abs", "--after-remap"]).out
    assert "Against the optimum at the level asked, α = 1/2 (ε = ln(2) ≈ 0.6931472)" in text
    assert "Against the optimum at the mechanism's own tightest level, α = 333333/1000001" in text
    assert max(len(line) for line in text.splitlines()[4:] if not line.startswith("note")) < 150


def test_standard_input_and_doubles(exact):
    text = "".join(",".join(row) + "\n" for row in ROWS)
    assert run(["privacy", "-", "--graph", "path", "--renormalise", "--json"], stdin=text).json["level"]["alpha"] == "333333/1000001"
    dyadic = run(["privacy", "-", "--graph", "path", "--dyadic", "--json", "--rounding", "0"], stdin=text)
    assert dyadic.code == 1
    first = dyadic.json["violated"][0]
    total = sum(Fraction(float(x)) for x in ROWS[int(first["row"])])
    assert first["sum"] == str(total)


def test_at_its_own_level_one_comparison_is_enough(table):
    done = run(
        ["optimal", str(table), "--graph", "path", "--renormalise", "--alpha", "333333/1000001", "--loss", "abs", "--own-level", "--json"]
    )
    assert done.json["own_level"] == done.json["asked_level"]
    assert done.json["own_level"]["value"] == done.json["value"]


def test_the_own_level_of_a_large_table_is_told_when_it_is_asked_for(tmp_path):
    """Of more than a thousand entries, since it takes a best remap and an optimum at a long level."""
    size = 32
    rows = [[8 if i == j else 1 for j in range(size)] for i in range(size)]
    table = tmp_path / "large.csv"
    table.write_text("\n".join(",".join(f"{x}/{size + 7}" for x in row) for row in rows), encoding="utf-8")
    asked = ["optimal", str(table), "--graph", "path", "--alpha", "1/2", "--loss", "zero-one"]
    done = run([*asked, "--json"])
    assert (done.code, "own_level" in done.json) == (1, False)
    assert any("--own-level" in note for note in done.json["notes"])
    assert "own_level" in run([*asked, "--own-level", "--json"]).json
