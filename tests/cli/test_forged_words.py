# SPDX-License-Identifier: MIT
"""No sentence of a forger stands in a bundle as a question, a consumer, a file, a program or a name."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli_runner import run
from forged_bundle import Forged
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.certificate import bundle_files
from exactdp.certificate.bundle_tables import OnlyNamedError
from exactdp.certificate.bundle_words import GAP_OF
from exactdp.certificate.compare_described import _is_set, require_plain, require_plain_without_inputs, set_text
from exactdp.certificate.page_one import consumer_words, quoted, seen
from exactdp.certificate.page_one_sources import Differs

SENTENCE = "everybody. The answers are best possible, and the claim of ε = 1/1000 holds"
THREE = "0.7,0.2,0.1\n0.4,0.4,0.2\n0.2,0.4,0.4\n"


@pytest.fixture
def bundle(tmp_path, monkeypatch):
    """Makes a forger with the bundle of an audit, by a command line or in Python."""
    monkeypatch.chdir(tmp_path)

    def make(words="", *given_in_python, inputs=(), **options):
        if words:
            assert run(f"audit {words} --bundle b").code in (0, 1, 4)
        else:
            xdp.audit(*given_in_python, **options).bundle("b", inputs=inputs)
        files = {path.relative_to("b").as_posix(): path.read_bytes() for path in Path("b").rglob("*") if path.is_file()}
        b = Forged(files)
        assert b.judged(tmp_path) == ("accepted", [])
        return b

    return make


def test_a_law_has_no_other_question(tmp_path, bundle):
    b = bundle("randomized-response:k=2925,epsilon=14 --claims-epsilon 14 --for zero-one")
    question = "how it is for others. It is decided that the claim of ε = 1/1000 holds for every table"
    b.told["questions"].append(question)
    lines = next(section["lines"] for section in b.page["sections"] if any(line["says"] == "law-open" for line in section["lines"]))
    k = next(k for k, line in enumerate(lines) if line["says"] == "law-open")
    lines.insert(k + 1, dict(lines[k], values={"question": question}))
    assert f"it has a question that no audit answers: {question}" in b.judged(tmp_path)[1]


def test_what_else_is_asked_of_a_law_is_told(tmp_path, bundle):
    word = "randomized-response:k=2925,epsilon=14"
    b = bundle("", word, claim=xdp.PrivacyClaim(epsilon=14), deltas=["1/10"], compare="geometric:n=5,alpha=1/4", consumers=["abs"])
    assert [question.partition(" ")[0] for question in b.told["questions"]] == ["how", "whether", "which", "how", "what"]
    b.replace("geometric:n=5,alpha=1/4", "all others. It is the best")
    assert "it has a question that no audit answers: what it is beside all others. It is the best" in b.judged(tmp_path)[1]


def with_another_consumer(b, described):
    old = next(question for question in b.told["questions"] if question.startswith(GAP_OF))
    b.replace(old.removeprefix(GAP_OF), described)
    b.drop("words-side")
    for line in b.lines:
        if line["says"] == "consumer":
            line["values"]["words"] = consumer_words(line["values"]["consumer"])
    return b


PLACES = (
    "zero-one and side information {0, 1} holds",
    "zero-one and prior (0: 1/2, 1: 1/2. It holds)",
    "cost. It holds and side information {0, 1}",
)


@pytest.mark.parametrize("described", [SENTENCE, *(f"the minimax consumer with loss {place}" for place in PLACES)])
def test_a_consumer_without_certificate_is_described_in_our_words(tmp_path, bundle, described):
    claim = xdp.PrivacyClaim(epsilon=1)
    b = bundle("", [["1", "0"], ["0", "1"]], "path", claim=claim, consumers=["zero-one"])
    assert not any(one["part"].startswith("consumer") for one in b.told["certificates"])
    assert with_another_consumer(b, described).judged(tmp_path)[0] in ("rejected", "limit")


@pytest.mark.parametrize("described", [SENTENCE, "the minimax consumer with loss zero-one and side information {0}. It holds"])
def test_a_consumer_of_a_law_is_described_in_our_words(tmp_path, bundle, described):
    claim = xdp.PrivacyClaim(epsilon=14)
    b = bundle("", "randomized-response:k=2925,epsilon=14", claim=claim, consumers=["zero-one"])
    assert with_another_consumer(b, described).judged(tmp_path)[0] == "rejected"


def test_a_prior_of_a_command_line_has_weights_before_its_file(tmp_path, bundle):
    Path("t.csv").write_text("1,0\n0,1\n")
    Path("prior.csv").write_text("1/3,2/3\n")
    b = bundle("t.csv --graph path --claims-epsilon 1 --for 'zero-one prior=prior.csv'")
    old = next(question for question in b.told["questions"] if question.startswith(GAP_OF)).removeprefix(GAP_OF)
    forged = old.replace("(0: 1/3, 1: 2/3)", "of everybody. The claim of ε = 1/1000 holds. It is that")
    assert with_another_consumer(b, forged).judged(tmp_path)[0] == "rejected"


def with_another_file(b, name):
    content = b"0,1\n"
    digest = bundle_files.sha256(content)
    b.files["inputs/x.csv"] = content
    b.told["inputs"].append({"file": "inputs/x.csv", "given": name, "what": "other"})
    k = max((k for k, part in enumerate(b.told["parts"]) if part["role"] == "input"), default=-1)
    b.told["parts"].insert(k + 1, {"name": "inputs/x.csv", "role": "input", "digest": {"sha256": digest}})
    b.body["subject"] = [one for one in b.body["subject"] if one["name"].startswith("inputs/")]
    b.body["subject"].append({"name": "inputs/x.csv", "digest": {"sha256": digest}})
    lines = b.page["sections"][0]["lines"]
    k = next(k for k, line in enumerate(lines) if line["says"] in ("file", "no-file"))
    lines.insert(k + 1, {"says": "other-file", "values": {"given": name, "digest": digest}, "of": "", "shown": True})
    return b


NAME = "best possible; ε = 1/1000 holds always"


def test_a_file_that_nobody_named_was_not_read(tmp_path, bundle):
    Path("t.csv").write_text(THREE)
    b = bundle("t.csv --graph path --claims-epsilon 1 --for abs")
    sentence = f"it has the file '{NAME}', which neither its command line nor its policy names"
    assert sentence in with_another_file(b, NAME).judged(tmp_path)[1]


@pytest.mark.parametrize(("name", "status"), [(NAME, "limit"), ("it holds.csv", "limit"), ("data/verified/my loss.csv", "accepted")])
def test_a_file_that_is_given_in_python_has_a_plain_name(tmp_path, bundle, name, status):
    b = bundle("", [["1/2", "1/2"], ["1/4", "3/4"]], "path", claim=xdp.PrivacyClaim(epsilon=1))
    assert with_another_file(b, name).judged(tmp_path)[0] == status


def test_files_of_a_policy_are_in_its_folder(bundle):
    Path("p").mkdir()
    Path("p/policy.toml").write_text('version = 1\nneighbours = "edges.csv"\n[[consumers]]\nloss = "./loss.csv"\nprior = "prior.csv"\n')
    Path("p/edges.csv").write_text("b,a\na,c\n")
    Path("p/loss.csv").write_text(",b,a,c\nb,0,1,2\na,1,0,1\nc,3,1,0\n")
    Path("p/prior.csv").write_text("1/2,1/4,1/4\n")
    Path("t.csv").write_text("x,b,a,c\nb,0.7,0.2,0.1\na,0.4,0.4,0.2\nc,0.2,0.4,0.4\n")
    b = bundle("t.csv --policy p/policy.toml --claims-epsilon 1 --by-position")
    assert {one["given"] for one in b.told["inputs"]} == {"t.csv", "p/policy.toml", "p/edges.csv", "p/loss.csv", "p/prior.csv"}


def test_the_program_of_a_command_line_is_exactdp(tmp_path, bundle):
    Path("t.csv").write_text(THREE)
    b = bundle("t.csv --graph path --claims-epsilon 1")
    b.told["command"][0] = "certified by NIST: exactdp"
    b.line("command")["values"]["command"] = seen(quoted(b.told["command"]))
    assert "its command line is one of 'certified by NIST: exactdp'" in b.judged(tmp_path)[1]


def test_only_a_file_with_numbers_behind_its_estimates_has_them_left_aside(tmp_path, bundle):
    Path("t.csv").write_text(THREE)
    b = bundle("t.csv --graph path --claims-epsilon 1")
    b.replace(b.told["table"]["name"], b.told["table"]["name"] + " with the numbers behind ± left aside")
    b.page["title"] = "t.csv with the numbers behind ± left aside"
    for says in ("subject", "sign-for"):
        b.line(says)["values"]["name"] = b.page["title"]
    assert "its table is called otherwise than the file that it was read from" in b.judged(tmp_path)[1]


@pytest.mark.parametrize("text", ["0.5 ± 0.1,0.5 ± 0.1\n0.25 ± 0.1,0.75 ± 0.1\n", "0.5 (0.1),0.5\n0.25 (0.1),0.75\n"])
def test_numbers_behind_estimates_are_left_aside(bundle, text):
    Path("t.csv").write_text(text)
    assert " left aside" in bundle("t.csv --graph path --claims-epsilon 1").told["table"]["name"]


# ── Honest words ────────────────────────────────────────────────────────────────────────────────
LABELS = st.lists(st.one_of(st.integers(-3, 12).map(str), st.text("ab ,}…", min_size=1, max_size=30)), min_size=1, max_size=12, unique=True)


@given(LABELS, st.data())
def test_every_set_of_labels_is_a_set(labels, data):
    chosen = set(data.draw(st.lists(st.sampled_from(labels), min_size=1, unique=True)))
    assert _is_set(set_text([label for label in labels if label in chosen], labels), labels)


@pytest.mark.parametrize("told", ["{0..2, 4}. It holds", "{0, 5}", "{0, 1, it holds}", "{}", "{1, 0}", "{0 1}"])
def test_another_text_is_no_set(told):
    assert not _is_set(told, list("01234"))


def prior_of(labels, weights):
    return xdp.BayesianConsumer("zero-one", weights).on(xdp.neighbours("complete", labels))


@pytest.mark.parametrize(
    "consumer",
    [
        prior_of(["a and prior b", "c: d"], ["1/3", "2/3"]),
        prior_of(list("abcdefghij"), ["1/2", "1/2"] + ["0"] * 8),
        xdp.MinimaxConsumer(xdp.Loss([[0, 1], [1, 0]], list("ab"), list("ab"))).on(xdp.neighbours("path", list("ab"))),
        xdp.MinimaxConsumer(xdp.Gain([[0, 1], [1, 0]], name="hit")).on(xdp.neighbours("path:2")),
        xdp.MinimaxConsumer("abs", "1..2").on(xdp.neighbours("path:4")),
    ],
)
def test_what_python_describes_is_plain(consumer):
    b = SimpleNamespace(predicate={"command": []}, inputs=list(consumer.loss.inputs), files={})
    with suppress(OnlyNamedError):  # what somebody called it in Python
        require_plain(b, consumer.describe())


OF_LAWS = [
    *(xdp.MinimaxConsumer("abs", side) for side in (None, "1..2", ["0", "3"])),
    *(
        xdp.BayesianConsumer("abs"),
        xdp.BayesianConsumer("abs", ["1/2", "1/4", "1/4"]),
        xdp.BayesianConsumer("abs", {"0": "1/3", "1": "2/3"}),
    ),
    *(xdp.MinimaxConsumer(xdp.Loss([[0, 1], [1, 0]])), xdp.MinimaxConsumer(xdp.Gain([[0, 1], [1, 0]], name="hit"))),
]


@pytest.mark.parametrize("consumer", OF_LAWS)
def test_what_python_describes_of_a_law_is_plain(consumer):
    require_plain_without_inputs(consumer.describe())


def test_a_sentence_is_no_consumer():
    for beside in ("side information 1..2. It holds", "prior 1/2 of all, and it holds"):
        with pytest.raises(Differs):
            require_plain_without_inputs(f"the minimax consumer with loss abs and {beside}")


# ── Honest bundles ──────────────────────────────────────────────────────────────────────────────
def test_long_labels_are_told_apart(bundle):
    north, south = (f"age between 20 and 30, {place}, married once or twice" for place in ("north", "south"))
    Path("t.csv").write_text(f'"";"{north}";"{south}"\n"{north}";0.7;0.3\n"{south}";0.4;0.6\n')
    b = bundle("t.csv --labels --graph path --claims-epsilon 1/10 --for zero-one")
    event = b.line("event")["values"]
    assert event["first"] != event["second"]
    assert len(b.line("size")["values"]["inputs"].split(" #")) == 3


def test_rows_divided_by_their_sums_are_no_doubles(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = xdp.from_floats([[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.2, 0.4, 0.4]]).unrounded()
    answer = xdp.audit(table, "path", claim=xdp.PrivacyClaim(epsilon=1))
    answer.bundle("b.zip", precision="doubles")
    files = bundle_files.files_of("b.zip")[0]
    assert Forged(files).judged(tmp_path) == ("accepted", [])
    assert b'"numbers-doubles"' not in files["page_one.json"]


def test_a_wrong_table_without_claim_has_no_sentence_on_the_claimed_level(bundle):
    Path("t.csv").write_text("0.6,0.5\n0.4,0.6\n")
    b = bundle("t.csv --graph path --for abs")
    assert "not-kept" not in [line["says"] for line in b.lines]
