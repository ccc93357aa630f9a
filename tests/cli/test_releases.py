"""``exactdp compose`` and ``exactdp delta``: several releases together, and (ε, δ), on the command line.

The expected numbers are recomputed here from the entries with fractions, or by enclosures of exponentials.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod

import pytest
from cli_runner import geometric_rows, run, write_rows

LOCAL = [[Fraction(x) for x in row] for row in (("1/2", "1/4", "1/4"), ("3/10", "2/5", "3/10"), ("1/5", "3/10", "1/2"))]
PATH = [(0, 1), (1, 2)]
COMPLETE = list(combinations(range(3), 2))


@pytest.fixture
def local(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_rows(tmp_path / "local.csv", LOCAL)


def together(tables, pairs):
    """The least quotient of joint probabilities, over all joint results, by enumeration."""
    both = [pair for a, b in pairs for pair in ((a, b), (b, a))]
    results = list(product(*(range(len(table[0])) for table in tables)))
    return min(
        prod(t[i][r] for t, r in zip(tables, rs, strict=True)) / prod(t[j][r] for t, r in zip(tables, rs, strict=True))
        for i, j in both
        for rs in results
    )


def hockey_stick(table, pairs, alpha):
    both = [pair for a, b in pairs for pair in ((a, b), (b, a))]
    return max(sum(max(Fraction(0), x - y / alpha) for x, y in zip(table[i], table[j], strict=True)) for i, j in both)


@pytest.mark.parametrize(("graph", "pairs"), [("path:3", PATH), ("complete:3", COMPLETE)])
def test_releases_about_one_input(local, graph, pairs):
    geometric = geometric_rows(2, Fraction(1, 2))
    done = run(f"compose geometric:n=2,alpha=1/2 local.csv local.csv --graph {graph} --json -o c.json")
    assert done.code == 0
    assert done.json["level"]["alpha"] == str(together([geometric, LOCAL, LOCAL], pairs))
    assert done.json["neighbours"]["name"].startswith(graph)
    assert [entry["mechanism"] for entry in done.json["each_alone"]] == ["geometric:n=2,alpha=1/2", "local.csv", "local.csv"]
    assert [entry["level"]["alpha"] for entry in done.json["each_alone"]] == [str(together([t], pairs)) for t in (geometric, LOCAL, LOCAL)]
    assert run("verify c.json").code == 0


def test_the_order_does_not_matter(local):
    words = ["geometric:n=2,alpha=1/2", "randomized-response:n=2,keep=1/2", "local.csv"]
    levels = {run(["compose", *order, "--graph", "path:3", "--json"]).json["level"]["alpha"] for order in permutations(words)}
    assert len(levels) == 1


def test_separate_parts_and_single_people(local):
    done = run("compose --parallel geometric:n=3,alpha=1/2 randomized-response:n=2,keep=3/4 --json -o p.json")
    assert (done.code, done.json["level"]["alpha"], done.json["attained"]["part"]) == (0, "1/6", 2)
    done = run("compose --collection local.csv two-coin:truth=1/2,yes=1/2 --json -o l.json")
    assert done.json["level"]["alpha"] == str(min(together([LOCAL], COMPLETE), Fraction(1, 3))) == "1/3"
    assert run("verify p.json l.json").code == 0


def test_epsilons_add_up_exactly():
    done = run("compose flat:epsilon=1/2,n=2 flat:epsilon=1/3,n=2 --json")
    assert done.json["level"]["alpha"]["expr"] == "t^5"
    assert done.json["level"]["alpha"]["t"] == "exp(-1/6)"
    assert "ε = 5/6" in run("compose flat:epsilon=1/2,n=2 flat:epsilon=1/3,n=2").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("compose geometric:n=2,alpha=1/2 flat:epsilon=1,n=2", "means the neighbours path:3, flat:epsilon=1,n=2 means complete:3"),
        ("compose geometric:n=2,alpha=1/2 geometric:n=3,alpha=1/2", "has 3 inputs and geometric:n=3,alpha=1/2 has 4"),
        ("compose geometric:n=2,alpha=1/2 --parallel --collection", "--parallel or --collection, not both"),
        ("compose local.csv --collection --graph path:3", "--graph has no effect"),
        ("compose geometric:n=2,alpha=1/2 --alpha 1/2", "--alpha has no effect"),
        ("compose geometric:n=2 --alpha symbolic", "about one level"),
        ("delta local.csv --graph path:3", "--epsilon or --alpha (for the least δ), --delta (for the smallest ε), or both"),
        ("delta geometric:n=2 --alpha symbolic", "about one level"),
        ("delta local.csv --graph path:3 --alpha 1/2 --epsilon 1", "not both"),
        ("compose", "MECHANISM..."),
    ],
)
def test_what_is_refused(local, words, message):
    done = run(words)
    assert done.code == 2
    assert message in done.err


def test_a_table_that_is_no_mechanism_is_named(local):
    write_rows(local.with_name("bad.csv"), [["1/2", "1/2"], ["1/2", "3/5"]])
    for words in ("compose two-coin: bad.csv --graph path:2", "delta bad.csv --graph path:2 --alpha 1/2"):
        done = run(words)
        assert done.code == 1
        assert "11/10" in done.out


@pytest.mark.parametrize("alpha", ["1/2", "2/3", "9/10"])
def test_the_least_delta_of_a_level(local, alpha):
    done = run(f"delta local.csv --graph complete:3 --alpha {alpha} --json -o d.json")
    least = hockey_stick(LOCAL, COMPLETE, Fraction(alpha))
    assert (done.code, done.json["delta"]) == (0, str(least))
    assert run("verify d.json").code == 0
    for delta, code in ((least, 0), (least - Fraction(1, 10**9), 1)):
        asked = run(f"delta local.csv --graph complete:3 --alpha {alpha} --delta {delta} --json -o a.json")
        assert asked.code == code
        assert run("verify a.json").code == 0


@pytest.mark.parametrize("delta", ["0", "1/10", "1/5"])
def test_the_smallest_epsilon_of_a_delta(local, delta):
    done = run(f"delta local.csv --graph complete:3 --delta {delta} --json -o e.json")
    level = Fraction(done.json["level"]["alpha"])
    assert hockey_stick(LOCAL, COMPLETE, level) <= Fraction(delta)
    assert hockey_stick(LOCAL, COMPLETE, level + Fraction(1, 10**9)) > Fraction(delta)
    assert run("verify e.json").code == 0


def test_the_least_delta_at_an_epsilon_lies_between_the_right_decimals(local):
    """δ = 1/2 − e^(3/5)/5 with 1.8221188003 < e^(3/5) < 1.8221188004 (the exponential series)."""
    low, high = (Fraction(x) for x in run("delta local.csv --graph complete:3 --epsilon 0.6 --json").json["delta"]["enclosure"])
    assert Fraction(1, 2) - Fraction("1.8221188004") / 5 < low < high < Fraction(1, 2) - Fraction("1.8221188003") / 5


def test_a_delta_out_of_range_names_the_option(local):
    for words in ("delta local.csv --graph path:3 --delta 2", "delta local.csv --graph path:3 --alpha 1/2 --delta -1"):
        done = run(words)
        assert done.code == 3
        assert "--delta: δ = " in done.err


@pytest.mark.parametrize("words", ["--parallel --graph path", "--collection"])
def test_a_part_without_a_finite_epsilon_is_told(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "identity.csv").write_text("1,0\n0,1\n", encoding="utf-8")
    done = run(f"compose identity.csv identity.csv {words}")
    assert done.code == 0
    assert done.first.endswith(": no finite ε (α = 0)")
    assert "attained by    part 1: x[1][0] / x[0][0] = 0" in done.out


@pytest.mark.parametrize("options", ["", "--parallel", "--collection"])
def test_the_level_of_releases_is_told_as_it_was_asked(options):
    asked = f"compose randomized-response:n=1 randomized-response:n=1 {options}"
    by_epsilon = run(f"{asked} --epsilon ln(3)" + ("" if options == "--collection" else " --graph path"))
    by_alpha = run(f"{asked} --alpha 1/3" + ("" if options == "--collection" else " --graph path"))
    least = "1/9" if not options else "1/3"
    assert by_epsilon.out.splitlines()[0].endswith(f"(α = {least})")
    assert f"α = {least} (ε" in by_alpha.out.splitlines()[0]
    assert "ε = ln(3) ≈ 1.098612 (α = 1/3)" in by_epsilon.out.split("Each alone")[1]
