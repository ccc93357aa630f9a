# SPDX-License-Identifier: MIT
"""``exactdp generalise``: replayed for every n with an argument that can be written, or undecided."""

from __future__ import annotations

import json

import pytest
from cli_runner import run

from exactdp.arguments.generalisation.command import sizes_of
from exactdp.errors import InputError


def test_it_is_replayed_and_its_argument_is_written(tmp_path):
    done = run(f"generalise additive capacity line --arguments {tmp_path}")
    assert done.code == 0
    assert done.sentence.startswith("REPLAYED  For every n ≥ 2: the largest additive capacity on the line with n inputs is")
    assert done.first == "REPLAYED  for every n ≥ 2: (1 + a - 2*a^h)/(1 + a) for n = 2*h; 1 - a^h for n = 2*h+1"
    assert done.about.startswith("for the largest additive capacity on the line with n inputs · ")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["capacity-line-additive-even.json", "capacity-line-additive-odd.json"]
    for file in files:
        assert run(f"verify {file}").code == 0
        assert str(file) in done.out


def test_a_changed_file_is_not_accepted(tmp_path):
    assert run(f"generalise capacity discrete --arguments {tmp_path}").code == 0
    file = tmp_path / "capacity-discrete.json"
    text = file.read_text(encoding="utf-8")
    assert '"is": ["n"]' in text
    file.write_text(text.replace('"is": ["n"]', '"is": ["n-1"]'), encoding="utf-8")
    assert run(f"verify {file}").code == 1


def test_json_has_the_answers_the_form_and_the_arguments():
    done = run("generalise det geometric-prime --sizes 2,3,5,7 --json")
    said = json.loads(done.out)
    assert done.code == 0
    assert said["verdict"] == "replayed"
    assert list(said["answers"]) == ["2", "3", "5", "7"]
    assert said["closed_form"] == "(1 - a)^n*(1 + a)^n"
    assert [one["status"] for one in said["arguments"]] == ["replayed"]


def test_the_verdict_says_that_it_rests_on_a_replayed_argument():
    """As README.md, docs/limits.md and docs/every-n.md say."""
    said = run("generalise capacity line --sizes 2..5 --json").json
    assert said["verdict"] == "replayed"
    assert said["claim"].startswith("For every n ≥ 2: ")
    assert "as the argument checker replays it, given that " in said["scope"]


def test_the_help_offers_no_certificate():
    """There is none: -o is refused, with what writes the argument."""
    assert "--output" not in run("generalise --help").out
    assert "--arguments DIR" in run("generalise --help").out


def test_too_few_answers_are_undecided_and_write_nothing(tmp_path):
    done = run(f"generalise minimax zero-one path --sizes 2..6 --arguments {tmp_path}")
    assert done.code == 4
    assert done.out.startswith("UNDECIDED")
    assert "there is no argument to be written" in done.out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("generalise nonsense", 3, "is no question about every n"),
        ("generalise det geometric --sizes 2", 3, "too few"),
        ("generalise det geometric --sizes 0..4", 3, "n is one of 1..200"),
        ("generalise det geometric --sizes 2...4", 3, "write 2..8"),
        ("generalise capacity cube --sizes 100..103", 4, "the limit is"),
        ("generalise det geometric -o x.json", 2, "--arguments DIR"),
        ("generalise", 2, "QUESTION"),
    ],
)
def test_what_can_not_be_asked_is_refused_in_a_sentence(words, code, said):
    done = run(words)
    assert done.code == code
    assert said in done.err


@pytest.mark.parametrize("text", ["", "2..", "..3", "2..99999", "1,,2", "a", "2.5,3,4", "-1,2,3", "9" * 5000])
def test_sizes_that_are_none_are_refused(text):
    with pytest.raises(InputError):
        sizes_of(text)
