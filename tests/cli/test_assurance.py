# SPDX-License-Identifier: MIT
"""What a reader may sign: neighbours are said, a claim is used or refused, exact or rounded or wrong."""

from __future__ import annotations

import itertools
import json
import re
from fractions import Fraction

import pytest
from cli_runner import run
from places import in_folder

from exactdp import certify, geometric, neighbours, tightest_level
from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.analysis.stochastic import is_stochastic
from exactdp.checker import check_bytes
from exactdp.model import Table
from exactdp.report.html import verdict_html
from exactdp.report.latex import verdict_latex
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text

LOCAL = "0.5,0.25,0.25\n0.3,0.4,0.3\n0.2,0.3,0.5\n"


def _plain(text):
    """Without the digests of files."""
    return re.sub(r" \(sha256 [0-9a-f]{8}…\)", "", text)


here = in_folder(
    {
        "local.csv": LOCAL,
        "named.csv": ",low,mid,high\nlow,0.5,0.25,0.25\nmid,0.3,0.4,0.3\nhigh,0.2,0.3,0.5\n",
        "numbered.csv": ",0,1,2\n2,0.2,0.3,0.5\n0,0.5,0.25,0.25\n1,0.3,0.4,0.3\n",
        "four.csv": "1/4,1/4,1/4,1/4\n" * 4,
        "tenth.csv": "0.5,0.5\n0.5,0.6\n",
        "hundredth.csv": "0.5,0.5\n0.5,0.51\n",
        "doubles.csv": "0.1,0.2,0.7\n0.2,0.7,0.1\n0.7,0.2,0.1\n",
        "rounded.csv": "0.5,0.50000000000000001\n0.25,0.75\n",
        "clipped.csv": "1.00000000000000001,-0.00000000000000001\n0.25,0.75\n",
    }
)


# 1: neighbours


@pytest.mark.parametrize(
    "command",
    [
        "audit local.csv --claims-epsilon 0.6",
        "privacy local.csv",
        "privacy local.csv --alpha 1/2",
        "optimal local.csv --alpha 1/2 --loss abs",
        "remap local.csv --loss distance",
        "delta local.csv --epsilon 1",
        "compose local.csv local.csv",
        "audit geometric:n=2,alpha=1/2 --compare local.csv",
    ],
)
def test_a_table_without_neighbours_is_refused_with_the_choice(here, command):
    done = run(command)
    assert (done.code, done.out) == (2, "")
    for words in (
        "--graph path for a count",
        "--graph complete or --local for reports of single people",
        "--graph grid:4x4 for two counts",
    ):
        assert words in done.err
    assert max(map(len, done.err.splitlines())) < 400


@pytest.mark.parametrize(
    ("graph", "code", "words"),
    [
        ("--graph path", 0, "is (ε = 3/5)-private on path:3 is true"),
        ("--graph path:3", 0, "is (ε = 3/5)-private on path:3 is true"),
        ("--graph complete", 1, "is (ε = 3/5)-private on complete:3 is false: the tightest level is ε = ln(5/2) ≈ 0.9162907 (α = 2/5)"),
        ("--graph complete:3", 1, "is (ε = 3/5)-private on complete:3 is false"),
        ("--local", 1, "is (ε = 3/5)-private on complete:3 (local) is false"),
        ("--graph cycle", 1, "is (ε = 3/5)-private on cycle:3 is false"),
    ],
)
def test_the_claim_of_0_6_about_the_local_table(here, graph, code, words):
    command = f"audit local.csv --claims-epsilon 0.6 {graph}"
    done = run(command)
    assert done.code == code
    assert words in done.sentence
    assert re.search(rf"\bclaim \(ε = 3/5\)-private is {'false' if code else 'true'}$", done.first)
    assert words.split(" on ")[1].partition(" is ")[0] in done.about
    answer = run(f"{command} --json --html page.html").json
    kind = "path" if "path" in graph else "cycle" if "cycle" in graph else "complete"
    assert answer["neighbours"]["name"].startswith(f"{kind}:3")
    assert {key: answer["neighbours"][key] for key in ("kind", "inputs", "edges", "why")} == {
        "kind": "graph",
        "inputs": 3,
        "edges": 2 if kind == "path" else 3,
        "why": "asked",
    }
    first = re.search(r'<p class="answer".*?</p>', (here / "page.html").read_text(encoding="utf-8"))
    assert words.split(" is ")[1] in first[0]


def test_a_graph_without_a_number_takes_the_labels_of_the_table(here):
    by_value = run("privacy numbered.csv --labels --graph path --json").json
    assert (by_value["neighbours"]["name"], by_value["level"]["alpha"]) == ("path:3", "3/5")
    rows = "path:3 in the order of the inputs (low, mid, high)"
    assert rows in run("privacy named.csv --labels --graph path").about
    done = run("privacy named.csv --labels --graph path:3 --by-position")
    assert f"on {rows} is" in done.sentence
    assert done.about.endswith(f" · {rows}")
    assert run("audit named.csv --labels --graph path:3 --by-position --json").json["neighbours"]["name"] == rows
    whole = run("privacy named.csv --labels --graph complete")
    assert "complete:3 is α = 2/5" in whole.sentence
    assert (whole.first.startswith("PROVED  smallest ε = ln(5/2) "), whole.about.endswith(" · complete:3")) == (True, True)
    four = run("privacy four.csv --graph path")
    assert _plain(four.sentence).startswith("PROVED  The tightest level of the mechanism of four.csv on path:4 is α = 1 (ε = 0)")
    assert four.first == "PROVED  smallest ε = 0 (α = 1)"
    assert run("privacy four.csv --graph grid:2x2 --json").json["neighbours"]["edges"] == 4


@pytest.mark.parametrize(
    "command", ["optimal --graph path --alpha 1/2 --loss abs", "type path --alpha 1/2 --vertices", "tight local --alpha 1/2"]
)
def test_where_no_table_is_given_the_size_is_asked_for(command):
    done = run(command)
    assert done.code == 2
    assert "no table is given to take the size from" in done.err


def test_local_excludes_other_neighbours(here):
    assert run("privacy local.csv --local --graph path").code == 2
    assert run("privacy local.csv --local --metric local.csv").code == 2
    assert "--local has no effect" in run("remap local.csv --loss abs --local").err


def test_verdicts_in_python_carry_their_neighbours_in_every_format():
    near = neighbours("path:3")
    for verdict in (tightest_level(geometric(2, "1/2"), near), audit(geometric(2, "1/2"), near)):
        assert verdict.neighbours is near
        assert "path:3" in verdict_text(verdict).splitlines()[1]
        assert "path:3" in str(verdict)
        assert "on path:3" in verdict.sentence
        assert verdict_json(verdict)["neighbours"] == {"name": "path:3", "kind": "graph", "inputs": 3, "edges": 2, "why": "asked"}
        assert "path:3" in verdict_html(verdict).splitlines()[1]
        assert "path:3" in verdict_latex(verdict).splitlines()[1]


def test_an_audit_from_python_tells_its_facts():
    verdict = audit(geometric(2, "1/2"), neighbours("path:3"), claim=PrivacyClaim(epsilon=1), title="G")
    for shown in (verdict_text(verdict), verdict_html(verdict), verdict_latex(verdict)):
        for words in ("Is it a mechanism?", "How private is it on path:3?", "tight constraints"):
            assert words in shown


# 2: a claim is used or refused


def test_a_claimed_delta_needs_an_epsilon(here):
    done = run("audit local.csv --graph path --claims-delta 1e-5")
    assert (done.code, done.out) == (2, "")
    assert "--claims-delta has no effect" in done.err
    assert "add --claims-epsilon or --claims-alpha, or leave it out" in done.err
    with pytest.raises(Exception, match="neither is given"):
        PrivacyClaim(delta="1/100000")
    used = run("audit local.csv --graph path --claims-epsilon 1/2 --claims-delta 1e-5")
    assert used.code == 1
    assert "the claim (ε = 1/2, δ = 1/100000)-private is false" in used.first


def test_a_consumer_is_never_dropped(here):
    no_level = run("audit identity:n=2 --for abs")
    assert "the tightest level is 0, not strictly between 0 and 1" in no_level.out
    (here / "empty.csv").write_text("0,0\n1,0\n", encoding="utf-8")
    assert "there is no mechanism" in run("audit empty.csv --graph path --for abs").out
    assert "no ε is told for --delta" in run("audit clipped.csv --graph path --rounding 0 --delta 1/10").out


# 3: one verdict, and it is no


@pytest.mark.parametrize("claim", ["", "--claims-epsilon 1", "--claims-epsilon 1 --claims-delta 1/2", "--claims-alpha 1/100"])
def test_a_row_that_sums_to_11_10_keeps_no_claim(here, claim):
    command = f"audit tenth.csv --graph path {claim}"
    done, answer = run(command), run(f"{command} --json").json
    assert (done.code, answer["verdict"], answer["is_mechanism"], answer["quality"]) == (1, "refuted", False, "wrong")
    assert _plain(done.sentence).startswith("REFUTED  tenth.csv is wrong, not a mechanism: row 1 sums to 11/10, not 1")
    assert done.first == "REFUTED  not a mechanism: row 1 sums to 11/10 = 1.1, not 1"
    assert "is true" not in done.out.partition("What would repair it")[0]
    assert answer.get("claim_holds") is not True
    assert "level" not in answer
    assert claim == "" or "true  no: it is not a mechanism" in done.out


# 6: what is told of an (ε, δ) claim is about that claim


def test_a_passing_claim_with_delta_lists_nothing_broken(here):
    done = run("audit local.csv --local --claims-epsilon 1/2 --claims-delta 1/2 --html page.html")
    assert done.code == 0
    page = (here / "page.html").read_text(encoding="utf-8")
    for words in ("broken", "What would repair it", "break the claim"):
        assert words not in done.out
        assert words not in page


def test_a_failing_claim_with_delta_lists_the_pairs_that_break_it(here):
    """Each pair's own least δ at ε = 1/10 by hand, with e^(1/10) between 1.10517 and 1.10518."""
    done = run("audit local.csv --graph path --claims-epsilon 1/10 --claims-delta 3/20 --json")
    assert done.code == 1
    rows = [[Fraction(x) for x in line.split(",")] for line in LOCAL.split()]
    breaking = set()
    for i, j in [(0, 1), (1, 0), (1, 2), (2, 1)]:
        low, high = (
            sum(max(Fraction(0), x - y * Fraction(e)) for x, y in zip(rows[i], rows[j], strict=True)) for e in ("1.10518", "1.10517")
        )
        assert (low > Fraction(3, 20)) == (high > Fraction(3, 20))
        if low > Fraction(3, 20):
            breaking.add((str(i), str(j)))
    assert {(event["input"], event["neighbour"]) for event in done.json["broken"]} == breaking
    assert breaking
    repairs = [repair["action"] for repair in done.json["repairs"]]
    assert any("beside δ = 3/20" in action for action in repairs)
    assert not any("uniformly" in action for action in repairs)


@pytest.mark.parametrize(("delta", "code"), [("1/10", 1), ("169/1000", 0)])
def test_the_repairs_of_a_claim_with_delta_are_true(here, delta, code):
    command = "audit local.csv --graph path --claims-epsilon"
    done = run(f"{command} 1/10 --claims-delta {delta} --json")
    assert done.code == code
    for repair in done.json["repairs"]:
        found = re.fullmatch(r"claim ε = (\S+) beside δ = (\S+) instead", repair["action"])
        if found:
            assert run(f"{command} {found[1]} --claims-delta {found[2]}").code == 0


# 7: exact, rounded, wrong


@pytest.mark.parametrize(
    ("name", "options", "quality", "code"),
    [
        ("local.csv", "", "exact", 0),
        ("rounded.csv", "", "rounded", 0),
        ("rounded.csv", "--rounding 0", "wrong", 1),
        ("rounded.csv", "--rounding 1e-17", "rounded", 0),
        ("rounded.csv", "--rounding 9e-18", "wrong", 1),
        ("doubles.csv", "--dyadic", "rounded", 0),
        ("tenth.csv", "", "wrong", 1),
        ("hundredth.csv", "--rounding 1/100", "rounded", 0),
        ("hundredth.csv", "--rounding 1/101", "wrong", 1),
        ("clipped.csv", "", "rounded", 0),
        ("clipped.csv", "--rounding 2^-60", "wrong", 1),
    ],
)
def test_three_words_for_a_table(here, name, options, quality, code):
    done = run(f"audit {name} --graph path {options} --json")
    assert (done.json["quality"], done.code, done.json["is_mechanism"]) == (quality, code, quality == "exact")
    privacy = run(f"privacy {name} --graph path {options}")
    assert privacy.code == code
    for sentence in privacy.sentence, f"{privacy.first} {privacy.about}":
        assert ("divided by its row sums; what was rounded away is not in it" in sentence) == (quality == "rounded")
        assert "complete:" not in sentence
    assert ("is wrong" in privacy.sentence, privacy.first.startswith("REFUTED  wrong: ")) == (quality == "wrong",) * 2


@pytest.mark.parametrize("bound", ["1", "-1", "3/2", "x", "2^-x", "nan"])
def test_bounds_that_are_none(here, bound):
    for command in ("audit", "privacy"):
        done = run([command, "rounded.csv", "--graph", "path", f"--rounding={bound}"])
        assert done.code == 3
        assert "--rounding: " in done.err


def test_a_rounded_table_is_judged_as_the_mechanism_that_it_stands_for(here):
    """1/2 and 1/2 + 10^-17, divided by their sum, against 1/4 and 3/4: by hand."""
    total = 1 + Fraction(1, 10**17)
    least = min(Fraction(1, 4) / (Fraction(1, 2) / total), (total - Fraction(1, 2)) / total / Fraction(3, 4))
    answer = run("audit rounded.csv --graph path --for abs --json -o c.json").json
    assert Fraction(answer["level"]["alpha"]) == least
    stands = min(Fraction(1, 2), (total - Fraction(1, 2)) / Fraction(3, 4))
    assert Fraction(answer["as_it_stands"]["level"]["alpha"]) == stands
    own = answer["consumers"][0]
    mended = max((total - Fraction(1, 2)) / total, Fraction(1, 4))
    assert Fraction(own["deployed"]["loss"]) == mended
    assert Fraction(own["as_it_stands"]["deployed"]) == total - Fraction(1, 2)
    assert _plain(answer["certificate_about"]) == "the mechanism that rounded.csv rounds, not the table as it stands"
    claim = json.loads((here / "c.json").read_text(encoding="utf-8"))
    (mechanism,) = (d for d in claim["definitions"].values() if d["type"] == "mechanism")
    assert all(sum(map(int, row["num"])) == int(row["den"]) for row in mechanism["rows"])
    text = run("audit rounded.csv --graph path --for abs -o c.json").out
    for words in (
        "What dividing by the row sums changes",
        "ε is smaller by at most 1e-17",
        "loss as deployed, as it stands",
        "it is about the mechanism that",
    ):
        assert words in text


@pytest.mark.parametrize("command", ["derive {} --source identity:n=1", "derive geometric:n=1,alpha=1/2 --source {}"])
def test_where_a_rounded_table_is_refused_the_remedy_can_be_typed(here, command):
    done = run(command.format("rounded.csv"))
    assert done.code == 3
    assert "--renormalise divides each row by its sum" in done.err
    assert "unrounded()" not in done.err
    assert run(command.format("rounded.csv") + " --renormalise").code in (0, 1)
    assert "with its negative entries set to 0" in run(command.format("clipped.csv")).err


def test_an_entry_set_to_0_makes_epsilon_infinite(here):
    for command in (
        "audit clipped.csv --graph path",
        "privacy clipped.csv --graph path",
        "audit clipped.csv --graph path --claims-epsilon 9",
    ):
        done = run(command)
        assert "entry (0, 1) = -1/100000000000000000 is set to 0 and no ε is finite" in done.about
        assert done.code == int("claims" in command)
    assert "not defined: entries are negative" in run("audit clipped.csv --graph path").out
    beside = Table([["1", "0", "0"], ["1/2", "1/2", "0"], ["1", "-1e-20", "1e-20"]])
    assert "is set to 0" not in audit(beside, neighbours("path:3")).claim  # another entry leaves no finite ε either


def test_amber_is_not_red(here):
    rounded, wrong = Table([["0.5", "0.50000000000000001"], ["0.25", "0.75"]]), Table([["0.5", "0.5"], ["0.5", "0.6"]])
    near = neighbours("path:2")
    colours = [re.search(r"background:(#[0-9a-f]{6})", verdict_html(v))[1] for v in (is_stochastic(rounded), is_stochastic(wrong))]
    assert colours == ["#8a6d00", "#b3261e"]
    claims = (None, PrivacyClaim(epsilon=1), PrivacyClaim(epsilon="1/10"))
    shown = [re.search(r"background:(#[0-9a-f]{6})", verdict_html(audit(rounded, near, claim=claim)))[1] for claim in claims]
    assert shown == ["#8a6d00", "#8a6d00", "#b3261e"]
    run("audit rounded.csv --graph path --html page.html")
    page = (here / "page.html").read_text(encoding="utf-8")
    assert "No claim was judged, rounded." in page
    assert "#b3261e" not in page


def test_formulas_are_exact_or_wrong():
    from exactdp.exact import RationalFunctionField

    a = RationalFunctionField().gen
    assert is_stochastic(Table([[a, 1 - a]])).evidence.quality == "exact"
    assert is_stochastic(Table([[a, 1 - a + a / 10**20]])).evidence.quality == "wrong"


def test_rounded_numbers_over_epsilon_are_judged_too():
    from exactdp.exact import ExponentialField, Rational

    e = ExponentialField(1).gen
    table = Table([[1 / (1 + e), e / (1 + e) - Rational("1e-15")], [e / (1 + e), 1 / (1 + e)]])
    verdict = audit(table, neighbours("path:2"), claim=PrivacyClaim(epsilon="1000001/1000000"))
    assert (verdict.evidence.quality, verdict.proved) == ("rounded", True)
    assert check_bytes(certify(verdict).to_json().encode()).status == "accepted"
    assert audit(table, neighbours("path:2"), claim=PrivacyClaim(epsilon=1)).refuted


@pytest.mark.parametrize("size", [Fraction(1, 2**40), Fraction(1, 2**40) + Fraction(1, 2**80)])
def test_the_bound_is_met_exactly(size):
    """At the bound is rounded, above it wrong; too much, too little, and below 0."""
    word = "rounded" if size == Fraction(1, 2**40) else "wrong"
    for row in (["1/2", Fraction(1, 2) + size], ["1/2", Fraction(1, 2) - size], [1 + size, -size]):
        assert Table([row]).quality() == word
    assert Table([["1/2", "1/2"]]).quality(0) == "exact"


def test_every_part_of_a_rounded_audit_has_an_accepted_certificate(here):
    for name, claim in itertools.product(
        ("rounded.csv", "clipped.csv", "tenth.csv"), ("--claims-epsilon 1", "--claims-epsilon 1 --claims-delta 1/3")
    ):
        done = run(f"audit {name} --graph path {claim} --delta 1/10 --for abs --json -o c.json")
        assert all(entry["status"] == "accepted" for entry in done.json["checker"])
        assert run("verify c.json").code == 0


def test_the_first_line_of_a_refuted_claim_has_a_number():
    """δ in the letter t alone tells nobody how large it is: (4t − 1)/(5t) at t = e^(−1) is 0.2563436…"""
    done = run("audit geometric:n=3,alpha=1/4 --claims-epsilon 1")
    assert done.first == "REFUTED  smallest ε = ln(4) ≈ 1.386294, so the claim (ε = 1)-private is false"
    assert "at the claimed ε the least δ is (4*t - 1)/(5*t) (at most 0.256344)" in done.sentence
    done = run("audit geometric:n=3,alpha=1/4 --claims-epsilon 1 --claims-delta 1/10")
    assert done.first.startswith("REFUTED  least δ (4*t - 1)/(5*t) ≈ 0.256344, so the claim")
    done = run("audit geometric:n=3,alpha=1/4 --claims-alpha 1/2")
    assert done.first == "REFUTED  tightest level α = 1/4 (ε = ln(4) ≈ 1.386294), so the claim (α = 1/2)-private is false"
    assert done.sentence.endswith("the least δ is 2/5")


@pytest.mark.parametrize("question", ["--capacity additive", "--universal abs --universal zero-one --mechanism geometric:n=2", "--kernels"])
def test_the_level_is_called_as_it_was_asked(question):
    done = run(f"type path:3 --epsilon 1/2 {question}")
    assert "at level ε = 1/2" in done.sentence
    assert "· ε = 1/2 (α = e^(−1/2))" in done.about


@pytest.mark.parametrize("how", ["", "--parallel", "--collection"])
def test_rounded_tables_compose_as_the_mechanisms_that_they_stand_for(here, how):
    graph = "" if how == "--collection" else "--graph path"
    done = run(f"compose rounded.csv rounded.csv {how} {graph}")
    assert done.code == 0
    assert done.out.startswith("PROVED")
    assert _plain(done.sentence).count("rounded.csv is rounded (no fault") == 1
    assert _plain(done.about).count("rounded.csv is rounded (no fault") == 1
    half = Fraction(50000000000000000, 100000000000000001)  # the entry 1/2, divided by the sum of its row
    level = Fraction(1, 4) / half
    told = run(f"compose rounded.csv rounded.csv {how} {graph} --json").json
    assert Fraction(told["level"]["alpha"]) == (level if how else level**2)
    assert (told["rounding"], {one["quality"] for one in told["each_alone"]}) == ("1/1099511627776", {"rounded"})


@pytest.mark.parametrize("how", ["", "--parallel"])
def test_rounded_tables_of_one_name_are_told_apart(here, how):
    for folder, text in (("one", "-0.000003,0.500003,0.5\n0,0.5,0.5\n"), ("two", "0.333333,0.333333,0.333333\n0.8,0.15,0.05\n")):
        (here / folder).mkdir()
        (here / folder / "t.csv").write_text(text, encoding="utf-8")
    done = run(f"compose one/t.csv two/t.csv {how} --graph path --rounding 1e-5")
    for told in _plain(done.sentence), _plain(done.about):
        assert "t.csv is rounded (no fault is above 1/100000, the largest is 3/1000000); judged is the table as printed, with neg" in told
        assert "t.csv is rounded (no fault is above 1/100000, the largest is 1/1000000); judged is the table as printed, divided" in told
    assert _plain(done.out).count("What dividing t.csv by its row sums changes") == 2


def test_which_of_several_tables_is_wrong(here):
    done = run("compose local.csv rounded.csv tenth.csv --parallel --graph path")
    assert done.code == 1
    assert _plain(done.sentence) == "REFUTED  The table of tenth.csv is wrong, not row-stochastic: row 1 sums to 11/10, not 1"
    assert done.first == "REFUTED  wrong: row 1 sums to 11/10 = 1.1, not 1"
    assert _plain(done.about).startswith("for tenth.csv · ")
    refused = run("compose rounded.csv rounded.csv --graph path --rounding 0")
    assert _plain(refused.sentence).startswith("REFUTED  The table of rounded.csv is wrong")
    told = run("compose clipped.csv local.csv --parallel --graph path")
    assert (told.code, "(0, 1)" in told.out, "is set to 0 and no ε is finite" in told.out) == (0, True, True)


def test_a_rounded_table_is_remapped_as_what_it_stands_for(here):
    done = run("remap rounded.csv --loss zero-one --prior uniform -o c.json")
    assert done.code == 0
    assert "rounded.csv is rounded (no fault" in _plain(done.about)
    assert "it is about the mechanism that rounded.csv rounds" in _plain(done.out)
    best = (Fraction(50000000000000000, 100000000000000001) + Fraction(3, 4)) / 2  # a right guess of 0, and of 1
    assert Fraction(run("remap rounded.csv --loss zero-one --prior uniform --json").json["value"]) == 1 - best
    assert run("verify c.json").code == 0
    refused = run("remap rounded.csv --loss abs --rounding 0")
    assert (refused.code, "--renormalise" in refused.err) == (3, True)


def test_a_wrong_table_is_called_wrong_for_what_is_wrong(here):
    """A negative entry or a row sum within the bound is not the reason."""
    (here / "both.csv").write_text("1.00000000000000001,-0.00000000000000001\n0.25,0.85\n", encoding="utf-8")
    audited = run("audit both.csv --local")
    assert "both.csv is wrong, not a mechanism: row 1 sums to 11/10" in _plain(audited.sentence)
    assert audited.first == "REFUTED  not a mechanism: row 1 sums to 11/10 = 1.1, not 1"
    done = run("privacy both.csv --local -o c.json")
    assert (done.code, "wrong, not row-stochastic: row 1 sums to 11/10" in done.sentence) == (1, True)
    assert done.first == "REFUTED  wrong: row 1 sums to 11/10 = 1.1, not 1"
    assert run("verify c.json").code == 0


def test_a_second_table_with_the_same_labels_has_the_same_neighbours(here):
    """A path takes the order of the rows: of the first table, for both."""
    (here / "turned.csv").write_text(",low,mid,high\nmid,0.3,0.4,0.3\nlow,0.5,0.25,0.25\nhigh,0.2,0.3,0.5\n", encoding="utf-8")
    done = run("audit named.csv --graph path --compare turned.csv")
    assert "inputs (mid, low, high)" not in done.out
    assert "largest difference  none: the tables are equal" in done.out
    assert (
        done.out.count("path:3 in the order of the inputs (low, mid, high)   |   path:3 in the order of the inputs (low, mid, high)") == 1
    )
    assert run("audit named.csv --graph path --compare turned.csv --json").json["compared"]["level"]["alpha"] == "3/5"
    for other in ("local.csv", "four.csv"):
        assert "largest difference  not told" in run(f"audit named.csv --graph path --compare {other}").out


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("audit same.csv", "the tightest level is 1, not strictly between 0 and 1, and no other one is claimed"),
        ("audit apart.csv --claims-alpha 1/2", "the tightest level is 0, not strictly between 0 and 1, and the claimed one is not kept"),
    ],
)
def test_why_a_consumer_is_not_compared(here, command, reason):
    (here / "same.csv").write_text("1/2,1/2\n1/2,1/2\n", encoding="utf-8")
    (here / "apart.csv").write_text("1,0\n0,1\n", encoding="utf-8")
    assert reason in run(f"{command} --local --for abs").out


def test_a_delta_that_a_wrong_table_is_not_asked_about_is_told(here):
    assert "not asked, as the table is not a mechanism: --delta" in run("delta tenth.csv --graph path --delta 1/10").out


def test_a_line_of_labels_that_sums_to_one_is_pointed_out(here):
    (here / "header.csv").write_text("0,1\n0.5,0.5\n0.25,0.75\n", encoding="utf-8")
    (here / "flip.csv").write_text("0,1\n1,0\n", encoding="utf-8")
    assert "line 1 (0, 1) counts the columns" in run("privacy header.csv --local").err
    assert "counts" not in run("privacy flip.csv --local").out


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (
            "audit formulas.csv --local --claims-alpha 1/4",
            "has formulas in the level a, and no level is given; --alpha 1/4 or --epsilon 1 puts one there",
        ),
        ("audit far.csv --metric metric.csv", "this metric has other distances; tightest_level and is_private (exactdp privacy) take any"),
    ],
)
def test_what_an_audit_does_not_take_is_sent_elsewhere(here, command, words):
    (here / "formulas.csv").write_text("1/(1+a),a/(1+a)\na/(1+a),1/(1+a)\n", encoding="utf-8")
    (here / "far.csv").write_text("1/2,1/2\n1/4,3/4\n", encoding="utf-8")
    (here / "metric.csv").write_text("0,2\n2,0\n", encoding="utf-8")
    done = run(command)
    assert (done.code, done.out, words in done.err) == (3, "", True)
    assert run("privacy formulas.csv --local --alpha symbolic").code == 0
    assert run("privacy far.csv --metric metric.csv").code == 0


@pytest.mark.parametrize(("option", "how"), [("", "as deployed"), ("--after-remap", "after the best remap")])
@pytest.mark.parametrize("level", ["--alpha 1/3", "--alpha 2/3", "--epsilon 1"])
def test_optimal_tells_what_the_rounding_costs(here, option, how, level):
    words = f"optimal rounded.csv --local --loss zero-one --prior uniform {level} {option}"
    out = run(words).out
    assert "What dividing by the row sums changes" in out
    assert f"loss {how}, as it stands" in out
    told = run(f"{words} --json").json["as_it_stands"]
    assert told["level"]["alpha"] == "1/2"  # of 1/4 and 1/2
    assert Fraction(told["loss"]) == Fraction(50000000000000001, 10**17) / 2 + Fraction(1, 8)  # 0 and 1 are guessed as they come out


def test_the_picture_of_a_wrong_table_says_that_its_rows_are_divided(here):
    run("audit tenth.csv --local --html p.html")
    assert "tight at the tightest level after dividing rows by their sums: 1." in (here / "p.html").read_text(encoding="utf-8")
    assert "tight constraints" not in run("audit tenth.csv --local --compare tenth.csv").out


def test_releases_about_one_input_have_the_neighbours_of_the_first(here):
    (here / "turned.csv").write_text(",low,mid,high\nmid,0.3,0.4,0.3\nlow,0.5,0.25,0.25\nhigh,0.2,0.3,0.5\n", encoding="utf-8")
    done = run("compose named.csv turned.csv --graph path")
    assert done.out.count("path:3 in the order of the inputs (low, mid, high)") == 1
    assert "path:3 in the order of the inputs (low, mid, high)" in done.about
    assert "α = 9/25" in done.first


def test_a_table_that_was_repaired_is_not_called_a_mechanism_as_it_stands(here):
    done = run("audit tenth.csv --local --renormalise --claims-epsilon 1")
    assert _plain(done.sentence).startswith("PROVED  tenth.csv with each row divided by its sum is a mechanism; the claim")
    assert _plain(done.about).startswith("for tenth.csv with each row divided by its sum · ")
    plain = run("audit local.csv --local --renormalise --claims-epsilon 1")
    assert _plain(plain.sentence).startswith("PROVED  local.csv is a mechanism")
    assert _plain(plain.about).startswith("for local.csv · ")


def test_what_the_rounding_costs_is_told_by_every_command_that_judges_a_rounded_table(here):
    """Computed here from the texts of rounded.csv: rows (1/2, 1/2 + u) and (1/4, 3/4), u = 10^-17."""
    u = Fraction(1, 10**17)
    stands = [[Fraction(1, 2), Fraction(1, 2) + u], [Fraction(1, 4), Fraction(3, 4)]]
    judged = [[x / sum(row) for x in row] for row in stands]

    def delta(rows, alpha):
        return max(sum(max(Fraction(0), x - y / alpha) for x, y in zip(rows[i], rows[j], strict=True)) for i, j in ((0, 1), (1, 0)))

    def level(rows, given):  # of all α with δ(α) ≤ given: the largest, where one output alone breaks (0, 1)
        return rows[1][0] / (rows[0][0] - given)

    told = run("delta rounded.csv --graph path --alpha 3/4 --json").json
    assert (Fraction(told["delta"]), Fraction(told["as_it_stands"]["delta"])) == (
        delta(judged, Fraction(3, 4)),
        delta(stands, Fraction(3, 4)),
    )
    told = run("delta rounded.csv --graph path --delta 1/10 --json").json
    assert Fraction(told["as_it_stands"]["level"]["alpha"]) == level(stands, Fraction(1, 10))
    assert Fraction(told["level"]["alpha"]) == level(judged, Fraction(1, 10))
    told = run("remap rounded.csv --loss zero-one --prior uniform --json").json

    def loss(rows):  # say 0 for output 0, and 1 for output 1
        return (rows[0][1] + rows[1][0]) / 2

    assert (Fraction(told["value"]), Fraction(told["as_it_stands"]["loss"])) == (loss(judged), loss(stands))
    for command in (
        "compose rounded.csv rounded.csv --graph path",
        "remap rounded.csv --loss abs --unique",
        "delta clipped.csv --graph path --alpha 1/2",
        "delta clipped.csv --graph path --delta 1/2",
    ):
        assert "What dividing " in run(command).out, command
    assert "What dividing " not in run("compose local.csv local.csv --graph path").out


def test_a_claim_is_about_one_level(here):
    for word in ("symbolic", "a"):
        done = run(f"audit identity:n=1 --claims-alpha {word}")
        assert (done.code, "takes one level" in done.err) == (2, True)
