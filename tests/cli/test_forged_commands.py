# SPDX-License-Identifier: MIT
"""A command line is compared with all that it decides: reading, name, neighbours, statements, who is served.

The forger changes the command line, or what was judged, and makes all renderings and digests again.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import run
from forged_bundle import Forged

import exactdp as xdp
from exactdp.certificate import check_bundle
from exactdp.certificate.page_one import quoted, seen, title_shown

FILES = {
    "t.csv": "2/3,1/3\n1/3,2/3\n",
    "c.csv": "1/2,1/4,1/4\n1/4,1/2,1/4\n1/4,1/4,1/2\n",
    "l.csv": "1/(1+a),a/(1+a)\na/(1+a),1/(1+a)\n",
    "n.csv": "2/n,1/n\n1/n,2/n\n",
    "off.csv": "0.66,0.33\n0.33,0.66\n",
    "lab.csv": ",u,v\na,2/3,1/3\nb,1/3,2/3\n",
    "edges.csv": "a,b\n",
    "d.csv": ",".join(["1/2", "1/2"]) + "\n" + ",".join(["1/2", "1/2"]) + "\n",
    "policy.toml": 'version = 1\nrequire = ["gap <= 50 %"]\n[[consumers]]\nloss = "abs"\n[[consumers]]\nloss = "zero-one"\n',
    "near.toml": 'version = 1\nneighbours = "path"\n',
    "third.csv": "1/3\n1/3\n1/3\n",
    "a/loss.csv": "0,1,2\n1,0,1\n2,1,0\n",
    "b/loss.csv": "0,1,1\n1,0,1\n1,1,0\n",
    "said.toml": 'sampler = "tested by T"\n',
}
QUESTIONS = {
    "plain": "t.csv --graph path --claims-epsilon 1",
    "level": "l.csv --epsilon 1/10 --graph path --claims-epsilon 1/4",
    "alpha": "l.csv --alpha 0.5 --graph path --claims-alpha 0.25",
    "letters": "n.csv --graph path --claims-epsilon 1 --letters 'n = 3'",
    "rounding": "off.csv --graph path --claims-epsilon 1 --rounding 1/100",
    "wrong": "off.csv --graph path --claims-epsilon 1 --require 'delta <= 0.1'",
    "stated": "t.csv --graph path --claims-epsilon=1 --unit 'one person' --state sampler='tested  by T' --state name=Ours",
    "stated in a file": "t.csv --graph path --statements said.toml",
    "local": "t.csv --local --claims-epsilon 1 --delta 0.1 --delta 1e-3 --no-header",
    "near": "t.csv --policy near.toml --claims-epsilon 1",
    "edges": (
        "lab.csv --labels --graph edges.csv --claims-epsilon 1 --for 'zero-one side-information=a,b' "
        """--for 'zero-one prior={"a":"1/3","b":"2/3"}'"""
    ),
    "prior": "t.csv --graph path --claims-epsilon 1 --for 'zero-one prior=1/3,2/3' --for 'abs prior=1/2,1/2'",
    "word": "geometric:n=m --letters m=3 --epsilon 1/2 --claims-epsilon 1 --for 'abs side-information=0..2'",
    "gaps": "c.csv --graph path --claims-epsilon 1 --require 'gap <= 50 %' --for abs --for 'abs side-information=0,1'",
    "two": "c.csv --graph path --claims-epsilon 1 --for abs --for 'abs prior=uniform'",
    "policy": "c.csv --graph path --claims-epsilon 1 --policy policy.toml",
    "one file twice": "c.csv --graph path --claims-epsilon 1 --for 'abs prior=third.csv' --for 'zero-one prior=third.csv'",
    "two files of one name": "c.csv --graph path --claims-epsilon 1 --for a/loss.csv --for b/loss.csv",
    "far": "randomized-response:k=3,epsilon=1 --graph path --claims-epsilon 1",
    "both": "t.csv --graph path --policy near.toml --claims-epsilon 1",
    "bounds": "c.csv --graph path --claims-epsilon 1 --require 'delta <= 1/100' --require 'epsilon <= 1/2'",
    "at a bound": "c.csv --graph path --claims-epsilon 1 --require 'epsilon < ln(2)'",
    "constant": "d.csv --graph path --claims-epsilon 1 --for abs",
    "law": "randomized-response:k=5000,epsilon=1 --claims-epsilon 2 --for abs --for 'zero-one prior=uniform' --unit person",
}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """The files of a true bundle of each question."""
    place, found = tmp_path_factory.mktemp("commands"), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for name, text in FILES.items():
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text(text)
        for name, words in QUESTIONS.items():
            answer = run(f"audit {words} --bundle '{name}'")
            assert answer.code in (0, 1, 4), (name, answer)
            assert check_bundle.answer(name)["status"] == "accepted", (name, check_bundle.answer(name)["faults"])
            found[name] = {path.relative_to(name).as_posix(): path.read_bytes() for path in Path(name).rglob("*") if path.is_file()}
    return found


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_true_bundle_is_accepted(bundles, tmp_path, name):
    assert Forged(bundles[name]).judged(tmp_path) == ("accepted", [])


# --- The command line ---
def commanded(old, new):
    """Other words on the command line, in the manifest and on page one; none deletes the old ones."""

    def change(b):
        command = b.told["command"]
        place = next(k for k in range(len(command)) if command[k : k + len(old)] == list(old))
        command[place : place + len(old)] = new
        b.line("command")["values"]["command"] = seen(quoted(command))

    return change


def renamed(new, **reading):
    """Another name of the table everywhere; ``{}`` stands for the true one."""

    def change(b):
        old = b.told["table"]["name"]
        name = new.format(old)
        b.told["table"]["name"] = name
        b.told["verdicts"][0]["claim"] = b.told["verdicts"][0]["claim"].replace(old, name)
        if not b.told["inputs"]:
            b.body["subject"][0]["name"] = name
        for line in b.lines:
            if line["says"] in ("subject", "sign-for", "sign-own"):
                line["values"]["name"] = title_shown(name)
        b.page["title"] = title_shown(name)
        b.told["reading"] |= reading
        for file, before, after in (("page.md", old, name), ("page.html", old, name), ("answer.json", json_text(old), json_text(name))):
            b.files[file] = b.files[file].decode().replace(before, after).encode()

    return change


def json_text(text):
    return json.dumps(text)[1:-1]


def both(*changes):
    def change(b):
        for one in changes:
            one(b)

    return change


COMMANDS = {
    "another level of the letter": ("level", both(commanded(["1/10"], ["1/2"]), lambda b: b.replace("at ε = 1/10", "at ε = 1/2"))),
    "a level of another letter": ("level", commanded(["--epsilon"], ["--alpha"])),
    "another letter": ("letters", commanded(["n = 3"], ["n = 30"])),
    "no letter": ("letters", commanded(["--letters", "n = 3"], [])),
    "no rounding": ("rounding", commanded(["--rounding", "1/100"], [])),
    "less rounding": ("rounding", commanded(["1/100"], ["1/1000"])),
    "rounding of a wrong table": ("wrong", commanded(["--graph"], ["--rounding", "1/100", "--graph"])),
    "labels": ("edges", commanded(["--labels"], [])),
    "a header": ("plain", commanded(["--graph"], ["--header", "--graph"])),
    "a reading of no option": ("plain", lambda b: b.told["reading"].update(at_alpha="0")),
    "a reading that is unknown": ("plain", lambda b: b.told["reading"].update(certified_by="NIST")),
    "another graph": ("plain", commanded(["path"], ["complete"])),
    "another size of a graph": ("plain", commanded(["path"], ["path:3"])),
    "no graph": ("plain", commanded(["--graph", "path"], [])),
    "a graph for local": ("local", commanded(["--local"], ["--graph", "complete"])),
    "another file of edges": ("edges", commanded(["edges.csv"], ["other.csv"])),
    "another δ": ("local", commanded(["1e-3"], ["1e-2"])),
    "another unit": ("stated", commanded(["one person"], ["one event"])),
    "no unit": ("stated", commanded(["--unit", "one person"], [])),
    "a unit that is not told": ("plain", commanded(["--graph"], ["--unit", "one event", "--graph"])),
    "another statement": ("stated", commanded(["sampler=tested  by T"], ["sampler=not tested"])),
    "another loss": ("gaps", commanded(["abs"], ["squared"])),
    "another prior": ("prior", commanded(["zero-one prior=1/3,2/3"], ["zero-one prior=2/3,1/3"])),
    "a uniform prior": ("prior", commanded(["abs prior=1/2,1/2"], ["abs"])),
    "other side information": ("gaps", commanded(["abs side-information=0,1"], ["abs side-information=1..2"])),
    "one more consumer": ("gaps", commanded(["--graph"], ["--for", "abs prior=uniform", "--graph"])),
    "one consumer less": ("two", commanded(["--for", "abs prior=uniform"], [])),
    "consumers of a policy in another order": ("policy", commanded(["--graph"], ["--for", "squared", "--graph"])),
    "a name beside that of a word": ("word", renamed("{} for ε = 1/1000")),
    "another word as a name": ("word", renamed("geometric:n=3,alpha=1/1000")),
    "a name that a reading would free": ("plain", renamed("{} made (1/1000)-private, proved for every table", at_alpha="0")),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_another_command_line_is_found(bundles, tmp_path, name):
    bundle, change = COMMANDS[name]
    forged = Forged(bundles[bundle])
    change(forged)
    status, said = forged.judged(tmp_path)
    assert status == "rejected", said


@pytest.mark.parametrize("says", ['version = 1\nneighbours = "complete"\n', 'version = 1\nneighbours = "path:3"\n'])
def test_neighbours_of_a_policy_are_those_of_the_bundle_even_beside_an_option(bundles, tmp_path, says):
    forged = Forged(bundles["both"])
    forged.file("near.toml", says.encode())
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("its neighbours are others" in one for one in said)


@pytest.mark.parametrize("says", ['version = 2\nneighbours = "path"\n', 'version = 1\nneighbors = "path"\nrequires = ["epsilon <= 1"]\n'])
def test_a_policy_that_is_not_read_whole_is_not_accepted(bundles, tmp_path, says):
    forged = Forged(bundles["both"])
    forged.file("near.toml", says.encode())
    assert forged.judged(tmp_path)[0] == "limit"


def test_the_neighbours_that_a_word_means_are_asked_of_the_word(bundles, tmp_path):
    """Without an option they are the word's own; the program alone says that it has not compared them."""
    forged = Forged(bundles["far"])
    commanded(["--graph", "path"], [])(forged)
    assert forged.judged(tmp_path)[0] == "accepted"
    found = check_bundle.answer(str(tmp_path / "forged.zip"))
    assert any("means these neighbours was not compared" in note for note in found["notes"])
    done = run(f"verify {tmp_path / 'forged.zip'}")
    assert done.code == 1
    assert "its command, run again with its inputs, writes" in done.out


@pytest.mark.parametrize("words", [["--unheard-of"], ["--letters", "0 < n < 4"], ["--rounding", "a little"]])
def test_a_command_line_that_is_not_read_is_never_accepted(bundles, tmp_path, words):
    forged = Forged(bundles["rounding"])
    commanded(["--graph"], [*words, "--graph"])(forged)
    assert forged.judged(tmp_path)[0] != "accepted"


def test_the_name_of_a_table_of_python_is_told_to_be_only_a_name(tmp_path):
    answer = xdp.audit([["2/3", "1/3"], ["1/3", "2/3"]], "path", claim=xdp.PrivacyClaim(epsilon=1), title="counts of N")
    answer.bundle(tmp_path / "bundle")
    found = check_bundle.answer(str(tmp_path / "bundle"))
    assert found["status"] == "accepted"
    assert any("counts of N" in note and "only a name" in note for note in found["notes"])


# --- Requirements and consumers ---
def without_consumer(number, place):
    """No certificate, line or requirement of a consumer at one level, nor the question of a ``place``."""

    def change(b):
        of = f"consumer-{number}"
        b.without_certificates(f"{of}-deployed", f"{of}-after-remap")
        if "requirements" in b.told:
            b.told["requirements"] = [one for one in b.told["requirements"] if not one["part"].startswith(of)]
        for section in b.page["sections"]:
            section["lines"] = [line for line in section["lines"] if not line["of"].startswith(of)]
        if place is not None:
            b.told["questions"].pop()
            for section in b.page["sections"]:
                section["lines"] = [
                    line for line in section["lines"] if not (line["says"] == "consumer" and line["values"]["number"] == place)
                ]

    return change


def without_deployed(b):
    """The loss as deployed at the claimed ε is not told, so that a bound on it seems open."""
    b.without_certificates("consumer-2-deployed")
    for one in b.told["requirements"]:
        if one["part"] == "consumer-2-deployed":
            one |= {"status": "undecided", "part": ""}
    for line in b.lines:
        if line["of"] == "consumer-2-deployed":
            line |= {"of": ""}
            line["values"] |= {"status": "undecided", "figure": "–"}
        if line["says"] == "row" and line["of"] == "consumer-2":
            line["values"] |= {"deployed": "–", "gap": "–"}
    for section in b.page["sections"]:
        section["lines"] = [line for line in section["lines"] if not (line["says"].startswith("bears") and line["of"] == "consumer-2")]
    b.heads_again()


def undecided(b):
    for one in b.told["requirements"]:
        one |= {"status": "undecided", "part": ""}
    for line in b.lines:
        if line["says"] == "required":
            line["values"] |= {"status": "undecided", "figure": "–"}
            line["of"] = ""
    b.heads_again()


ANSWERS = {
    "a failing gap at the claimed ε that is left out": ("gaps", without_consumer(2, None)),
    "a gap at the own ε that is left out": ("gaps", without_consumer(1, None)),
    "a consumer of the command line": ("gaps", both(without_consumer(4, None), without_consumer(3, "2"))),
    "a consumer of a policy": ("policy", both(without_consumer(4, None), without_consumer(3, "2"))),
    "a loss as deployed": ("gaps", without_deployed),
    "failing bounds on δ and ε as undecided": ("bounds", undecided),
    "a wrong table that keeps what is undecided": ("wrong", undecided),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_is_left_out_is_missed(bundles, tmp_path, name):
    bundle, change = ANSWERS[name]
    forged = Forged(bundles[bundle])
    change(forged)
    status, said = forged.judged(tmp_path)
    assert status == "rejected", said


# --- What may not be left out ---
def test_a_part_without_certificate_has_its_row(bundles, tmp_path):
    """A failing gap at the claimed ε was left out, excused by a part that is said to have no certificate."""
    forged = Forged(bundles["two"])
    dropped = [one for one in forged.told["certificates"] if one["part"].startswith("consumer-2-")]
    forged.told["certificates"] = [one for one in forged.told["certificates"] if one not in dropped]
    files = {one["file"] for one in dropped}
    forged.told["parts"] = [part for part in forged.told["parts"] if part["name"] not in files]
    for name in files:
        del forged.files[name]
    forged.told["without"] = {"consumer-9-deployed": sorted(check_bundle.REASONS)[0]}
    for section in forged.page["sections"]:
        section["lines"] = [line for line in section["lines"] if line["of"] != "consumer-2"]
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert "it says nothing of consumer-9, of which there is no certificate" in said


def test_a_prior_of_a_file_is_not_answered_as_the_uniform_one(bundles, tmp_path):
    forged = Forged(bundles["one file twice"])
    forged.file("third.csv", b"1/2\n1/4\n1/4\n")
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("of whom nothing is said" in sentence for sentence in said)


def test_rows_of_a_consumer_are_in_their_order(bundles, tmp_path):
    forged = Forged(bundles["two"])
    for section in forged.page["sections"]:
        rows = [line for line in section["lines"] if line["says"] == "row"]
        others = iter([rows[1], rows[0], *rows[2:]] if rows else [])
        section["lines"] = [next(others) if line["says"] == "row" else line for line in section["lines"]]
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert "the rows of its consumers are not in their order, at the own ε first" in said


def test_a_delta_that_was_asked_about_is_answered(bundles, tmp_path):
    forged = Forged(bundles["plain"])
    commanded(["path"], ["path", "--delta", "1/10"])(forged)
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert "it tells which level another δ buys than its command line asks about" in said


def test_statements_are_those_of_their_file(bundles, tmp_path):
    forged = Forged(bundles["stated in a file"])
    forged.replace("tested by T", "tested by U")
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert "it does not state what its command line states about sampler" in said


def test_a_strict_bound_at_the_number_itself_is_decided(bundles, tmp_path):
    """The smallest ε is ln(2), so that it is not less than that; it was told to be undecided."""
    forged = Forged(bundles["at a bound"])
    one, line = forged.told["requirements"][0], forged.line("required")
    one |= {"status": "undecided", "part": ""}
    line["values"] |= {"status": "undecided", "figure": "–"}
    line["of"] = ""
    forged.heads_again()
    status, said = forged.judged(tmp_path)
    assert status != "accepted"
    assert any("decides 'epsilon < ln(2)'" in sentence for sentence in said), said
