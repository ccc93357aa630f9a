"""What has changed since a bundle: cells and numbers exactly; a bundle that was edited is not compared."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from cli_runner import run
from hypothesis import given, settings
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.analysis.audit_difference import changed_cells, changed_numbers
from exactdp.certificate.bundle_files import own_digest, written
from exactdp.certificate.since import changes_since, kept_bundle
from exactdp.errors import InputError

CLAIM = xdp.PrivacyClaim(alpha="1/2")
WHO = [xdp.MinimaxConsumer("zero-one")]
OLD, NEW = [["2/3", "1/3"], ["1/3", "2/3"]], [["1/2", "1/2"], ["1/8", "7/8"]]


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    place = tmp_path_factory.mktemp("since") / "old"
    xdp.audit(OLD, "path", claim=CLAIM, consumers=WHO).bundle(place)
    return place


def test_cells_epsilon_delta_and_gaps_are_told_by_how_much(old):
    found = changes_since(xdp.audit(NEW, "path", claim=CLAIM, consumers=WHO), old)
    cells = found.difference.cells
    assert [(c.input, c.output, str(c.before), str(c.after), c.change.by) for c in cells] == [
        ("0", "0", "2/3", "1/2", "-1/6"),
        ("0", "1", "1/3", "1/2", "1/6"),
        ("1", "0", "1/3", "1/8", "-5/24"),
        ("1", "1", "2/3", "7/8", "5/24"),
    ]
    numbers = {one.what: one for one in found.difference.numbers}
    assert numbers["smallest ε"].by == "ln(2)"  # ln 4 − ln 2
    assert numbers["smallest ε"].decimal.startswith("+0.69314")
    delta = Fraction(1, 2) - 2 * Fraction(1, 8)  # at α = 1/2
    assert numbers["least δ at the claimed level"].by == str(delta)
    gaps = [one for what, one in numbers.items() if what.startswith("gap as deployed")]
    assert gaps[0].before == "0"
    assert [(one.what, one.before, one.after) for one in found.verdicts] == [("verdict", "proved", "refuted")]


def test_what_did_not_change_is_not_told(old):
    found = changes_since(xdp.audit(OLD, "path", claim=CLAIM, consumers=WHO), old)
    assert (found.verdicts, found.difference.cells, found.difference.numbers) == ((), (), ())


def test_what_was_asked_otherwise_is_told_apart_from_the_table(old):
    found = changes_since(xdp.audit(OLD, "complete", claim=xdp.PrivacyClaim(epsilon=1)), old)
    assert {one.what for one in found.verdicts} == {"claim", "neighbours"}
    assert found.difference.numbers == ()


def test_a_table_of_exponentials_is_read_again(tmp_path):
    before, after = (xdp.geometric(2, xdp.PrivacyLevel(epsilon=epsilon)) for epsilon in ("3/2", "1/3"))
    xdp.audit(before, "path").bundle(tmp_path / "old.zip")
    assert changes_since(xdp.audit(before, "path"), tmp_path / "old.zip").difference.cells == ()
    (number,) = changes_since(xdp.audit(after, "path"), tmp_path / "old.zip").difference.numbers
    assert (number.before, number.after, number.by) == ("3/2", "1/3", "-7/6")


def test_other_labels_are_told_and_numbers_are_then_not_compared(old):
    table = [["1/2", "1/2"], ["1/3", "2/3"], ["1/4", "3/4"]]
    found = changes_since(xdp.audit(table, "path", claim=CLAIM), old).difference
    assert found.labels == ("input 2 was added",)
    assert len(found.cells) == 2
    assert "not compared" in found.reason


@settings(deadline=None)
@given(st.lists(st.integers(1, 9), min_size=4, max_size=4), st.lists(st.integers(1, 9), min_size=4, max_size=4))
def test_differences_are_those_of_fractions(first, second):
    def table(w):
        return [[Fraction(w[0], w[0] + w[1]), Fraction(w[1], w[0] + w[1])], [Fraction(w[2], w[2] + w[3]), Fraction(w[3], w[2] + w[3])]]

    def level(rows):
        return min(min(x / y, y / x) for x, y in zip(*rows, strict=True))

    old, new = table(first), table(second)
    audits = [xdp.audit([[str(x) for x in row] for row in rows], "path").evidence for rows in (old, new)]
    cells = {(c.input, c.output): c.change.by for c in changed_cells(audits[0].given, audits[1].given)}
    assert cells == {(str(i), str(r)): str(new[i][r] - old[i][r]) for i in (0, 1) for r in (0, 1) if new[i][r] != old[i][r]}
    numbers = [*changed_numbers(*audits)]
    factor = level(old) / level(new)
    if factor == 1:
        assert numbers == []
    elif 1 in (level(old), level(new)):
        assert len(numbers) == 1
    else:
        assert numbers[0].by == (f"ln({factor})" if factor > 1 else f"-ln({1 / factor})")


def changed(place, **keys):
    """The manifest written anew by somebody who knows its digests."""
    path = place / "manifest.json"
    body = json.loads(path.read_text())
    body |= keys
    body["predicate"]["digest"] = own_digest(body)
    path.write_bytes(written(body))


def renamed(path):
    path.write_text(path.read_text().replace("path", "star"))


def test_a_bundle_that_is_none_or_was_edited_gets_one_sentence(tmp_path):
    verdict = xdp.audit(OLD, "path", claim=CLAIM)
    edits = {
        "is changed": lambda place: (place / "page.md").write_text("x"),
        "is missing": lambda place: (place / "answer.json").unlink(),
        "is foreign": lambda place: (place / "more.txt").write_text("x"),
        "has been edited": lambda place: (place / "manifest.json").write_text(
            (place / "manifest.json").read_text().replace("path", "star")
        ),
        "version '2' of our format": lambda place: changed(place, predicateType="https://exactdp.github.io/exactdp/audit/v2"),
        "no manifest.json": lambda place: (place / "manifest.json").unlink(),
    }
    for k, (said, edit) in enumerate(edits.items()):
        place = tmp_path / str(k)
        verdict.bundle(place)
        assert kept_bundle(place).table.inputs == ("0", "1")
        edit(place)
        for named in (place, place / "manifest.json"):
            with pytest.raises(InputError) as caught:
                changes_since(verdict, named)
            assert said in caught.value.message
            assert "\n" not in caught.value.message
    with pytest.raises(InputError, match="not compared"):
        changes_since(verdict, tmp_path / "nothing")
    with pytest.raises(InputError, match="another question"):
        changes_since(xdp.is_private(OLD, "path", "1/2"), tmp_path)


def test_the_command_tells_it_and_refuses_what_it_cannot_compare(tmp_path, monkeypatch, old):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new.csv").write_text("1/2,1/2\n1/8,7/8\n")
    done = run(f"audit new.csv --graph path --claims-alpha 1/2 --since {old}/manifest.json")
    assert done.code == 1
    assert "proved → refuted" in done.out
    assert "1/3 ≈ 0.333333 → 1/8 = 0.125, by -5/24 ≈ -0.208333" in done.out
    body = json.loads(run(f"audit new.csv --graph path --claims-alpha 1/2 --since {old} --json").out)["since"]
    assert [one["what"] for one in body["numbers"]] == ["smallest ε", "least δ at the claimed level"]
    assert len(body["cells"]) == 4
    refused = run("audit new.csv --graph path --since .")
    assert refused.code == 3
    assert len(refused.err.strip().splitlines()) == 1
    assert run(f"audit new.csv new.csv --graph path --since {old}").code == 0  # one table, named twice
    assert run(f"audit new.csv geometric:n=1,alpha=1/2 --graph path --since {old}").code == 2


def test_two_losses_of_one_name_have_their_own_gaps(tmp_path):
    costs = [xdp.MinimaxConsumer(xdp.Loss([["0", x], ["1", "0"]], name="cost")) for x in ("1", "3")]
    xdp.audit(OLD, "path", consumers=costs).bundle(tmp_path / "b")
    found = changes_since(xdp.audit([["3/4", "1/4"], ["1/2", "1/2"]], "path", consumers=costs), tmp_path / "b")
    gaps = [(one.before.split()[0], one.after.split()[0]) for one in found.difference.numbers if one.what.startswith("gap as deployed")]
    assert gaps == [("0", "1/6"), ("2/5", "3/20")]  # 1/2 − 1/3; 1 − 3/5 and 3/4 − 3/5
    assert len({one.what for one in found.difference.numbers}) == len(found.difference.numbers)
