"""``load`` and ``verify``: what a file says, and what the independent checker says of it, from Python."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from cli_runner import run
from places import ROOT

import exactdp as xdp
from exactdp.errors import InputError, MalformedCertificateError, RejectedCertificateError
from exactdp.exact import RationalFunction

CORPUS = ROOT / "tests" / "corpus"


@pytest.fixture(scope="module")
def certificate():
    return xdp.certify(xdp.tightest_level(xdp.geometric(3, "1/4"), xdp.neighbours("path:4")))


@pytest.mark.parametrize(
    ("name", "text"),
    [("t.csv", "1/3,2/3\n1/2,1/2\n"), ("t.json", '{"rows": [["1/3", "2/3"], ["1/2", "1/2"]]}'), ("other", "1/3,2/3\n1/2,1/2\n")],
)
def test_a_table_that_is_stochastic_is_a_mechanism(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    found = xdp.load(tmp_path / name)
    assert isinstance(found, xdp.Mechanism)
    assert [[Fraction(str(x)) for x in row] for row in found.rows()] == [[Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 2)] * 2]
    assert xdp.load(str(tmp_path / name)) == found


def test_an_array(tmp_path):
    np.save(tmp_path / "t.npy", np.array([["1/3", "2/3"]]))
    assert isinstance(xdp.load(tmp_path / "t.npy"), xdp.Mechanism)


def test_a_table_that_is_none_stays_a_table(tmp_path):
    (tmp_path / "t.csv").write_text("1/2,1/2\n1/2,3/5\n")
    found = xdp.load(tmp_path / "t.csv")
    assert isinstance(found, xdp.Table)
    assert "11/10" in str(found.faults())


def test_labels_and_doubles(tmp_path):
    (tmp_path / "t.csv").write_text(",no,yes\na,0.1,0.9\n")
    assert xdp.load(tmp_path / "t.csv", labels=True).outputs == ("no", "yes")
    doubles = xdp.load(tmp_path / "t.csv", labels=True, dyadic=True)
    assert isinstance(doubles, xdp.Table)
    assert Fraction(str(doubles.matrix[0, 0])) == Fraction(0.1)


def test_formulas(tmp_path):
    (tmp_path / "f.csv").write_text("1/(1+a),a/(1+a)\na/(1+a),1/(1+a)\n")
    found = xdp.load(tmp_path / "f.csv")
    assert isinstance(found, xdp.Mechanism)
    assert isinstance(found[0, 0], RationalFunction)


def test_edges(tmp_path):
    (tmp_path / "g.edges").write_text("a b\nb c\n")
    found = xdp.load(tmp_path / "g.edges")
    assert (found.vertices, found.edges, found.name) == (("a", "b", "c"), ((0, 1), (1, 2)), "g.edges")


def test_a_certificate(tmp_path, certificate):
    path = certificate.write(tmp_path / "c.json")
    found = xdp.load(path)
    assert found == certificate
    assert found.digest == certificate.digest


def test_what_is_refused(tmp_path, certificate):
    body = json.loads(certificate.to_json())
    false = {**body, "claim": {**body["claim"], "ratio": "1/3"}}
    del false["digest"]
    for name, text, error, words in (
        ("false.json", json.dumps(false), (RejectedCertificateError, MalformedCertificateError), "false.json: "),
        ("half.json", certificate.to_json()[:200], MalformedCertificateError, "half.json: "),
        ("words.csv", "one,two\n", InputError, "words.csv: "),
        ("e.edges", "a a\n", InputError, "e.edges: line 1: "),
        ("argument.json", '{"format": "exactdp-argument"}', InputError, r"verify\(path\)"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(error, match=words):
            xdp.load(tmp_path / name)
    for missing in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(InputError, match="can't read"):
            xdp.load(missing)


def test_verify_says_what_the_command_says(tmp_path, certificate, monkeypatch):
    monkeypatch.chdir(tmp_path)
    certificate.write(Path("good.json"))
    Path("bad.json").write_text(certificate.to_json().replace('"1/4"', '"1/5"'))
    Path("broken.json").write_text('{"format": ')
    Path("deep.json").write_text("[" * 1000)
    for name, status in (
        ("good.json", "accepted"),
        ("bad.json", "rejected"),
        ("broken.json", "malformed"),
        ("deep.json", "limit"),
        ("no.json", "unreadable"),
    ):
        answer = xdp.verify(name)
        told = run(["verify", "--json", name]).json["files"][0]
        assert answer.status == told["status"] == status
        assert (answer.sentence, answer.digest, answer.exit_code) == (told["sentence"], told["digest"], told["exit_code"])
        assert bool(answer) is answer.accepted is (status == "accepted")
        number = "smallest ε = ln(4) ≈ 1.386294 (α = 1/4)\n  " if status == "accepted" else ""
        assert str(answer) == f"{name}: {status}: {number}{answer.sentence}"
        assert status.upper() in repr(answer)
        assert "\n" not in repr(answer)


def test_verify_takes_a_certificate_that_is_not_written(certificate):
    answer = xdp.verify(certificate)
    assert (answer.status, answer.digest, answer.file) == ("accepted", certificate.digest, "certificate")
    assert not xdp.verify(xdp.Certificate({**certificate.claim, "ratio": "1/5"}, certificate.definitions, certificate.witness))


def test_verify_replays_arguments():
    file = sorted((ROOT / "proofs" / "gupte_sundararajan" / "arguments").glob("*.json"))[0]
    assert xdp.verify(file).replayed


def test_names_that_a_command_line_would_take_otherwise(certificate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("-", "--json", "a b.json", "ä.json"):
        certificate.write(tmp_path / name)
        assert xdp.verify(name).accepted
        assert xdp.verify(name).file == name
        assert xdp.load(name) == certificate
    with pytest.raises(InputError, match="the name of no file"):
        xdp.verify("a\0b")
    assert xdp.verify(tmp_path).status == "unreadable"


@pytest.mark.parametrize("thing", [None, 3, b"bytes", ["c.json"]])
def test_verify_refuses_other_things(thing):
    with pytest.raises(InputError, match="the name of a file or a certificate"):
        xdp.verify(thing)


def test_verify_does_not_trust_this_process(tmp_path, certificate):
    """A checker patched in this process accepts everything; the one that is run does not know."""
    code = (
        "import exactdp as xdp\n"
        "from exactdp.checker import kernel\n"
        "kernel.check_bytes = lambda data: kernel.Answer('accepted', 'nonsense')\n"
        f"print(xdp.verify({str(tmp_path / 'bad.json')!r}).status)\n"
    )
    (tmp_path / "bad.json").write_text(certificate.to_json().replace('"1/4"', '"1/5"'))
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "rejected\n"


def test_a_notebook_shows_the_answer(certificate, tmp_path):
    shown = xdp.verify(certificate)._repr_html_()
    assert "accepted" in shown
    assert certificate.digest in shown
    (tmp_path / "bad.json").write_text(certificate.to_json().replace('"1/4"', '"1/5"'))
    assert "rejected" in xdp.verify(tmp_path / "bad.json")._repr_html_()


def test_what_is_no_name_of_a_file_is_refused():
    for given in (None, 3, ["table.csv"]):
        with pytest.raises(InputError, match="give text or a Path"):
            xdp.load(given)


def test_a_certificate_that_was_read_back_has_its_table(tmp_path):
    """An optimum's mechanism, and the table that a level is of."""
    consumer = xdp.MinimaxConsumer("abs")
    found = xdp.optimum("path:4", xdp.PrivacyLevel(epsilon="1/2"), consumer)
    xdp.certify(found).write(tmp_path / "c.json")
    table = xdp.load(tmp_path / "c.json").table()
    assert table.matrix == found.evidence.best.matrix
    level = xdp.certify(xdp.tightest_level([["1/2", "1/2"], ["1/4", "3/4"]], "path"))
    assert level.table() == xdp.Table([["1/2", "1/2"], ["1/4", "3/4"]])
    with pytest.raises(AttributeError, match=r"the optimal mechanism is \.best"):
        found.mechanism  # noqa: B018
