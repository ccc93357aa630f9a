# SPDX-License-Identifier: MIT
"""Words whose table is too large are answered by their law: the same as by the table where that is small."""

import json
from fractions import Fraction
from itertools import combinations, product

import pytest
from certificate_pool import seal
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactdp import PrivacyLevel, certify, is_private, mechanism_from_spec, tightest_level
from exactdp.analysis.laws import level_by_law
from exactdp.checker import check_bytes
from exactdp.cli import main
from exactdp.errors import CertificateError, ResourceLimitError
from exactdp.exact import Rational
from exactdp.mechanisms import FAMILIES, BitLaw, CategoryLaw, CountLaw, law_of_word, laws, word_neighbours
from exactdp.model import Graph


def refuse(*_, **__):
    """A budget in which nothing is."""
    raise ResourceLimitError("too large", limit=0, got=1, unit="numbers")


PROBABILITIES = st.sampled_from(["0", "1/5", "1/3", "1/2", "3/4", "1"])


def least_quotient(rows):
    """From the definition, over all pairs of rows and outputs; 1 without two rows."""
    found = [Fraction(1)]
    for x, y in combinations(rows, 2):
        for a, b in zip(x, y, strict=True):
            found += [a / b] if b else []
            found += [b / a] if a else []
    return min(found)


@settings(max_examples=60)
@given(st.integers(1, 4), st.integers(1, 4), PROBABILITIES, PROBABILITIES)
def test_independent_bits(bits, ones, set_bit, clear_bit):
    ones = min(ones, bits)
    a, b = Fraction(set_bit), Fraction(clear_bit)
    words = [word for word in product((0, 1), repeat=bits) if sum(word) == ones]
    rows = []
    for word in words:
        row = []
        for report in product((0, 1), repeat=bits):
            x = Fraction(1)
            for bit, told in zip(word, report, strict=True):
                one = a if bit else b
                x *= one if told else 1 - one
            row.append(x)
        rows.append(row)
    assert BitLaw(bits, ones, Rational(set_bit), Rational(clear_bit)).ratio == Rational(least_quotient(rows))


@given(st.integers(2, 6), PROBABILITIES)
def test_categories(size, keep):
    a = Fraction(keep)
    other = (1 - a) / (size - 1)
    rows = [[a if i == j else other for j in range(size)] for i in range(size)]
    assert CategoryLaw(size, Rational(keep)).ratio == Rational(least_quotient(rows))


@pytest.mark.parametrize(
    "word",
    [
        "randomized-response:n=5,epsilon=1",
        "randomized-response:n=5,alpha=1/3",
        "randomized-response:n=5,keep=1/2",
        "randomized-response:n=1,keep=1/10",
        "randomised-response:k=4,epsilon=ln(2)",
        "flat:n=3,epsilon=1/2",
        "opendp-randomized-response:n=4,prob=1/2",
        "rappor:bits=4,f=1/2,p=1/4,q=3/4",
        "rappor:bits=4,hashes=3,f=1/2,p=3/4,q=1/4",
        "rappor-permanent:bits=4,hashes=2,f=1/2",
    ],
)
def test_the_law_of_a_word_is_that_of_its_table(monkeypatch, word):
    whole = tightest_level(word, "complete").evidence.tightest
    monkeypatch.setattr(laws, "require_budget", refuse)
    monkeypatch.setattr(laws, "require_powers", refuse)
    law = law_of_word(word)
    assert law.ratio == whole.ratio


COUNTS = [
    "geometric:n=4,epsilon=1",
    "geometric:n=1,alpha=1/3",
    "lumped-geometric:n=3,epsilon=ln(3)",
    "opendp-geometric:scale=2,lower=-3,upper=2",
    "opendp-laplace:scale=1/2,n=3",
    "tumult-geometric:n=3,t=1/3",
    "google-geometric:n=4,sensitivity=2,epsilon=1",
    "diffprivlib-geometric:n=2,sensitivity=5,epsilon=1",
    "diffprivlib-geometric:n=5,sensitivity=3,t=2/3",
    "diffprivlib-geometric-truncated:lower=2,upper=6,epsilon=1/2,sensitivity=2",
]


@pytest.mark.parametrize("word", COUNTS)
def test_the_law_of_counts_is_that_of_their_table(monkeypatch, word):
    inputs = mechanism_from_spec(word).inputs
    near = word_neighbours(word, inputs)
    own = tightest_level(word, near).evidence.tightest
    path = tightest_level(word, "path").evidence.tightest
    monkeypatch.setattr(laws, "require_budget", refuse)
    monkeypatch.setattr(laws, "require_powers", refuse)
    law = law_of_word(word)
    assert isinstance(law, CountLaw)
    assert law.ratio == own.ratio
    assert law.neighbours == near.name or "lower" in word
    for named in ("path", f"path:{len(inputs)}", Graph.path(len(inputs))):
        assert law.among(named).ratio == path.ratio
    for other in ("complete", "cycle", f"path:{len(inputs) + 1}", Graph.path(len(inputs) + 1), Graph.path([f"v{i}" for i in inputs])):
        assert law.among(other) is None


def words_of(family):
    """Words with small tables, at levels of every kind: parameters in their domains, and some beyond."""
    takes = {parameter.name for parameter in FAMILIES[family].parameters}
    sizes = {"n": range(6), "lower": (-2, 0, 3), "upper": (0, 1, 3), "bits": (1, 2, 3), "hashes": (1, 2, 3), "sensitivity": (1, 2, 3, 4, 7)}
    numbers = dict.fromkeys(("f", "p", "q", "prob"), ("0", "1/4", "1/2", "3/4", "1"))
    fixed = {name: st.sampled_from(values) for name, values in (sizes | numbers).items() if name in takes}
    levels = {
        "alpha": ("1/2", "4/9"),
        "epsilon": ("1", "1/3", "ln(9)"),
        "t": ("1/4", "2/3"),
        "scale": ("2", "1/2"),
        "keep": ("0", "1/3", "1"),
    }
    choices = [st.sampled_from([f"{name}={value}" for value in values]) for name, values in levels.items() if name in takes]

    def word(drawn, level):
        return f"{family}:{','.join([*(f'{name}={value}' for name, value in drawn.items()), *([level] if level else [])])}"

    return st.builds(word, st.fixed_dictionaries(fixed), st.one_of(choices) if choices else st.just(""))


NEIGHBOURS = (None, "path", "path:3", "path:4", "complete", "local", "complete:3", "cycle", Graph.path(3), Graph.complete(range(3)))


@pytest.mark.parametrize("family", sorted(laws._LAWS))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_law_says_what_the_table_says_with_any_neighbours(monkeypatch, family, data):
    """A word without a table has no law, and neighbours for which the law answers are the table's."""
    word = data.draw(words_of(family))
    with monkeypatch.context() as budget:
        budget.setattr(laws, "require_budget", refuse)
        budget.setattr(laws, "require_powers", refuse)
        law = law_of_word(word)
    if law is None:
        return
    mechanism = mechanism_from_spec(word)
    for near in NEIGHBOURS:
        known = law.among(near)
        if known is not None:
            meant = word_neighbours(word, mechanism.inputs) if near is None else near
            assert known.ratio == tightest_level(mechanism, meant).evidence.tightest.ratio, (word, near)


LETTERED = [
    (["geometric:n=1000000,alpha=a", "--letters", "a = 1/3"], "α = 1/3"),
    (["geometric:n=m,alpha=1/3", "--letters", "m = 1000000"], "α = 1/3"),
    (["rappor:bits=k,f=1/2,p=p,q=3/4", "--letters", "k = 1000, p = 1/4"], "α = 9/25"),
]


@pytest.mark.parametrize(("words", "said"), LETTERED)
def test_letters_that_are_numbers_stand_for_them(words, said):
    """The level's own letter, too, where it is a number: it was read as every level."""
    result = CliRunner().invoke(main, ["privacy", *words])
    assert result.exit_code == 0, result.output
    assert said in result.output.partition("\n")[0]
    assert "by the law of the word" in " ".join(result.output.split())


@pytest.mark.parametrize("letter", ["a", "p"])
def test_no_law_is_told_of_letters_of_a_region(letter):
    """Nor a command that has no answer."""
    result = CliRunner().invoke(main, ["privacy", f"geometric:n=1000000,alpha={letter}", "--letters", f"0 < {letter} < 1/2"])
    assert result.exit_code == 4
    assert "ask exactdp" not in result.output


def test_a_rounding_that_is_none_is_refused_beside_a_law():
    result = CliRunner().invoke(main, ["privacy", "geometric:n=1000000,alpha=1/2", "--rounding", "abc"])
    assert result.exit_code not in {0, 1}
    assert "--rounding" in result.output


@pytest.mark.parametrize(
    "word", ["geometric:n=0,alpha=1/2", "geometric:n=3", "geometric:n=3,alpha=1", "folded:n=3", "exponential:n=3,epsilon=1"]
)
def test_no_law_of_counts(monkeypatch, word):
    monkeypatch.setattr(laws, "require_budget", refuse)
    monkeypatch.setattr(laws, "require_powers", refuse)
    assert law_of_word(word) is None


def test_counts_of_every_size():
    word = f"geometric:n={10**40},epsilon=1/2"
    assert tightest_level(word, "path").evidence.tightest == PrivacyLevel(epsilon="1/2")
    with pytest.raises(CertificateError, match="sizes up to 999,999,999"):
        certify(tightest_level(word, "path"))
    with pytest.raises(CertificateError, match="sizes up to"):
        certify(tightest_level(f"randomized-response:n={10**40},keep=1/2", "complete"))


def test_a_table_that_is_small_enough_is_judged_as_before():
    kinds = [certify(tightest_level(f"geometric:n={n},alpha=1/2", "path")).kind for n in (10, 3000)]
    assert kinds == ["level", "geometric-level"]


@pytest.mark.parametrize("level", [["--alpha", "symbolic"], ["--epsilon", "0.5"], ["--alpha", "1/3"]])
def test_a_level_beside_the_word(tmp_path, level):
    file = tmp_path / "c.json"
    result = CliRunner().invoke(main, ["privacy", "geometric:n=1000000", *level, "--graph", "path:1000001", "-o", str(file)])
    assert result.exit_code == 0, result.output
    found = check_bytes(file.read_bytes())
    assert found.status == "accepted"
    assert ("every a with 0 < a < 1" in found.sentence) == (level[1] == "symbolic")


def test_at_all_levels_only_the_noise_of_all_levels_is_answered():
    result = CliRunner().invoke(main, ["privacy", "geometric:n=1000000,alpha=1/2", "--alpha", "symbolic"])
    assert result.exit_code == 4


LARGE = ["geometric:n=1000000,epsilon=1/2", "opendp-geometric:lower=-5,upper=1000000,epsilon=1"]
LARGE += ["randomized-response:n=10000,epsilon=1", "rappor:bits=1000,f=1/2,p=1/4,q=3/4", "rappor-permanent:bits=10000,hashes=3,f=1"]


@pytest.mark.parametrize("word", LARGE)
def test_large_ones_have_certificates(word):
    names = ("path", "path") if "geometric" in word else ("complete", "local")
    for verdict in (tightest_level(word, names[0]), is_private(word, names[1], "epsilon=1/3")):
        assert "by its law" in verdict.claim
        assert "is not built" in str(verdict.scope)
        data = certify(verdict).to_json().encode()
        assert len(data) < 1000
        assert check_bytes(data).status == "accepted"


def test_what_is_asked_of_a_level():
    word = "randomized-response:n=10000,epsilon=1"
    assert is_private(word, "complete", "epsilon=1").proved
    assert is_private(word, "complete", PrivacyLevel(epsilon="2")).proved
    assert is_private(word, "complete", "1/2").refuted


def test_other_questions_about_such_words_are_refused_as_before():
    result = CliRunner().invoke(main, ["privacy", "rappor:bits=1000,f=1/2,p=1/4,q=3/4", "--graph", "path"])
    assert result.exit_code == 4
    assert "the limit is" in result.stderr
    result = CliRunner().invoke(main, ["privacy", "rappor:bits=1000,f=1/2,p=1/4,q=3", "--local"])
    assert result.exit_code == 3 or "not a probability" in result.stderr


def test_the_command_says_that_no_table_was_built():
    result = CliRunner().invoke(main, ["privacy", "rappor:bits=1000,f=1/2,p=1/4,q=3/4", "--local", "--json"])
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert found["level"]["alpha"] == "9/25"
    assert "is not built" in found["scope"]


def certificate_of(law):
    return json.loads(certify(level_by_law("a word", law)).to_json())


@pytest.mark.parametrize(
    ("law", "edit", "status"),
    [
        (CategoryLaw(5, Rational("1/2")), {"ratio": "1/3"}, "rejected"),
        (CategoryLaw(5, Rational("1/2")), {"size": 6}, "rejected"),
        (CategoryLaw(5, Rational("1/10")), {"ratio": "9/4"}, "malformed"),
        (CategoryLaw(5, Rational("1/2")), {"size": 1}, "malformed"),
        (CategoryLaw(5, Rational("1/2")), {"keep": "3/2"}, "malformed"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ratio": "1/9"}, "rejected"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ones": 1}, "rejected"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ones": 4}, "rejected"),
        (BitLaw(5, 5, Rational("3/4"), Rational("1/4")), {"bits": 6}, "rejected"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ones": 6}, "malformed"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ones": 0}, "malformed"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"bits": 0}, "malformed"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"set": "1/4"}, "rejected"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"clear": "-1/4"}, "malformed"),
        (CountLaw(5, Rational("1/2"), 2), {"ratio": "1/2"}, "rejected"),
        (CountLaw(5, Rational("1/2"), 2), {"reach": 3}, "rejected"),
        (CountLaw(5, Rational("1/2"), 2), {"level": "1/4"}, "rejected"),
        (CountLaw(5, Rational("1/2"), 2), {"n": 1}, "rejected"),
        (CountLaw(5, Rational("1/2"), 2), {"n": 6}, "accepted"),
        (CountLaw(5, Rational("1/2"), 2), {"n": 0}, "malformed"),
        (CountLaw(5, Rational("1/2"), 2), {"level": "1"}, "malformed"),
    ],
)
def test_other_claims_are_refused(law, edit, status):
    found = certificate_of(law)
    assert check_bytes(json.dumps(found).encode()).status == "accepted"
    edited = seal({**found, "claim": found["claim"] | edit})
    assert check_bytes(json.dumps(edited).encode()).status == status
