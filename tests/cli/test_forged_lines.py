# SPDX-License-Identifier: MIT
"""A bundle is forged as a whole: manifest, pages and all digests agree, and both programs refuse it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest
from cli_runner import run
from forged_bundle import as_in, heads_again

from exactdp.certificate import bundle_files
from exactdp.certificate.bundle_files import MANIFEST
from exactdp.certificate.page_one import MARK, NAMES, NEIGHBOURS, Line, Page, bound_for_reader, consumer_words, quoted
from exactdp.certificate.page_one_formats import WRITTEN
from exactdp.errors import InputError
from exactdp.report.page_run import as_statements

FILES = {
    "two.csv": "0.6,0.4\n0.4,0.6\n",
    "three.csv": "0.7,0.2,0.1\n0.4,0.4,0.2\n0.2,0.4,0.4\n",
}
BUNDLES = {
    "bound": "two.csv --graph path --claims-epsilon ln(3/2) --require 'epsilon <= ln(3/2)'",
    "three": "three.csv --graph path --claims-epsilon 1 --for abs",
    "fails": "three.csv --graph path --claims-epsilon 1/10",
    "other level": "three.csv --graph path --claims-epsilon 1",
    "none": "two.csv --graph path",
    "printed": "three.csv --graph path --claims-epsilon 2 --digits 6",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bundle of each."""
    place = tmp_path_factory.mktemp("forged")
    for name, text in FILES.items():
        (place / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for name, words in BUNDLES.items():
            run(f"audit {words} --bundle '{name}'")
    return place


class Forged:
    """A copy of a bundle, to be edited and written again with all of its digests."""

    def __init__(self, source, place):
        shutil.copytree(source, place)
        self.place = place
        self.statement = json.loads((place / MANIFEST).read_text())
        self.predicate = self.statement["predicate"]
        self.one = json.loads((place / NAMES["json"]).read_text())

    @property
    def lines(self):
        return [line for section in self.one["sections"] for line in section["lines"]]

    def line(self, says):
        return next(line for line in self.lines if line["says"] == says)

    def add(self, heading, says, of="", shown=True, **values):
        section = next(section for section in self.one["sections"] if section["title"] == heading)
        section["lines"].append({"says": says, "values": values, "of": of, "shown": shown})

    def drop(self, *says):
        for section in self.one["sections"]:
            section["lines"] = [line for line in section["lines"] if line["says"] not in says]

    def required(self, text, of=None, shown=True, **values):
        """Another requirement, in the manifest and on every page."""
        one, line = self.predicate["requirements"][0], self.line("required")
        of = one["part"] if of is None else of
        for said in (str, bound_for_reader):
            self.replace(said(one["text"]), said(text))
        one |= {"text": text, "part": of}
        line["values"] |= {"text": text, **values}
        line |= {"of": of, "shown": shown}
        heads_again(self.one, self.predicate["requirements"])

    def replace(self, old, new):
        """Another text on all pages of the appendix."""
        for name in ("page.md", "page.html", "answer.json"):
            text = (self.place / name).read_text(encoding="utf-8")
            (self.place / name).write_text(text.replace(as_in(name, old), as_in(name, new)), encoding="utf-8")

    def swap(self, part, other):
        """The certificate of a part from another bundle, with what is said of it."""
        own = next(one for one in self.predicate["certificates"] if one["part"] == part)
        theirs = json.loads((other / MANIFEST).read_text())["predicate"]["certificates"]
        new = next(one for one in theirs if one["part"] == part)
        shutil.copy(other / new["file"], self.place / own["file"])
        for key in ("sentence", "digest"):
            self.replace(own[key], new[key])
            own[key] = new[key]
        answer = json.loads((self.place / "answer.json").read_text())
        for one in answer["checker"]:
            if one["part"] == part:
                one |= {"sentence": new["sentence"], "digest": new["digest"]}
        (self.place / "answer.json").write_text(json.dumps(answer))

    def write(self):
        """Page one in all formats, and the manifest with all digests."""
        sections = [(x["title"], tuple(Line(**line) for line in x["lines"])) for x in self.one["sections"]]
        page = Page(self.one["title"], tuple(sections))
        for kind, name in NAMES.items():
            (self.place / name).write_bytes(WRITTEN[kind](page).encode("utf-8", "replace"))
        digests = {}
        for part in self.predicate["parts"]:
            if (self.place / part["name"]).exists():
                part["digest"]["sha256"] = bundle_files.sha256((self.place / part["name"]).read_bytes())
            digests[part["name"]] = part["digest"]
        for subject in self.statement["subject"]:
            subject["digest"] = digests.get(subject["name"], subject["digest"])
        self.predicate["digest"] = bundle_files.own_digest(self.statement)
        (self.place / MANIFEST).write_bytes(bundle_files.written(self.statement))

    def judged(self):
        """The exit code and the lines of verify, and of the program of the bundle alone, which agree."""
        self.write()
        words = [sys.executable, "-I", str(self.place / "check_bundle.py"), str(self.place)]
        done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", check=False)
        ours = run(["verify", str(self.place)])
        assert "Traceback" not in done.stderr
        assert done.returncode == ours.code, (done.stdout, ours.out)
        return done.returncode, done.stdout


@pytest.fixture
def forged(made, tmp_path):
    return lambda name: Forged(made / name, tmp_path / "b")


@pytest.mark.parametrize("name", BUNDLES)
def test_what_was_not_edited_is_accepted(forged, name):
    """So that what is refused below is refused for its edit."""
    code, said = forged(name).judged()
    assert code == 0, said
    assert "line of page one" not in said


# --- Requirements ---


@pytest.mark.parametrize(
    ("text", "edit", "sentence"),
    [
        ("epsilon >= 2", {}, "is no requirement"),
        ("alpha <= 1/10", {}, "is no requirement"),
        ("gap > 1", {}, "is no requirement"),
        ("epsilon <= ٢", {}, "is no requirement"),
        ("epsilon <= 1 / 100", {}, "it has other values"),
        ("epsilon <= 0.0100", {}, "it has other values"),
        ("epsilon <= ln( 1.25 )", {}, "it has other values"),
        ("epsilon <= sqrt(1/100)", {}, "it has other values"),
        ("epsilon <= 1/0", {}, "is no number"),
        ("epsilon < ln(3/2)", {}, "it has other values"),
        ("epsilon < ln(3/2)", {"of": "privacy", "figure": "0.3"}, "not whether the number is smaller"),
        ("epsilon <= 1/100", {"of": "zzz", "shown": False, "figure": "0.0001"}, "no certificate of zzz"),
        ("epsilon <= 1/100", {"of": "", "figure": "–"}, "no certificate of it"),
        ("epsilon <= 1/100", {"shown": False}, "no certificate of level"),
    ],
)
def test_another_requirement_is_not_believed(forged, text, edit, sentence):
    b = forged("bound")
    b.required(text, **edit)
    code, said = b.judged()
    assert code == 1
    assert sentence in said


@pytest.mark.parametrize("text", ["epsilon <= ln(1.5)", "epsilon <= 1/2", "epsilon <= 0.5000", "epsilon <= sqrt(2)", "epsilon < 41e-2"])
def test_a_true_requirement_is_believed_however_its_number_is_written(forged, text):
    b = forged("bound")
    b.required(text)
    command = b.predicate["command"]
    command[command.index("--require") + 1] = text
    for line in b.lines:
        if line["says"] == "command":
            line["values"]["command"] = quoted(command)
    code, said = b.judged()
    assert code == 0, said


def test_a_bound_that_is_not_compared_is_a_limit(forged):
    """Its e^(−ε) is a root, and no number of this program."""
    b = forged("bound")
    b.required("epsilon <= ln(3)/2")
    code, said = b.judged()
    assert code == 4
    assert "the bound is none that this program compares" in said


# --- Other lines ---


def _least_delta_of_another_level(b, made):
    b.swap("delta", made / "other level")
    for line in b.lines:
        if line["says"] in ("least-delta", "or-delta"):
            line["values"]["delta"] = "0"


def _delta_of_the_level(b, _):
    b.line("or-delta").update(of="level", values={"delta": "0"})


def _other_between(b, _):
    b.drop("other-between")
    b.add("Claim", "other-between", "other neighbours", shown=False, words=NEIGHBOURS["complete"], low="0", high="0.001")


def _other_between_as_certified(b, _):
    b.line("other-between")["shown"] = True


def _digits(b, _):
    b.predicate["reading"]["digits"] = 1
    b.line("numbers-digits")["values"]["digits"] = "1 decimal place"


def _loss(b, _):
    b.predicate["questions"] = [question.replace("loss abs", "loss squared") for question in b.predicate["questions"]]
    values = b.line("consumer")["values"]
    values["consumer"] = values["consumer"].replace("loss abs", "loss squared")
    values["words"] = consumer_words(values["consumer"])


def _kind_of_consumer(b, _):
    b.predicate["questions"] = [question.replace("minimax", "Bayesian") for question in b.predicate["questions"]]
    values = b.line("consumer")["values"]
    values["consumer"] = values["consumer"].replace("minimax", "Bayesian")
    values["words"] = consumer_words(values["consumer"])


def _minus_losses(b, _):
    values = b.line("row")["values"]
    values |= {key: f"-{values[key]}" for key in ("deployed", "remapped", "optimum")}


def _no_part(b, _):
    given = b.predicate["inputs"][0]["given"]
    b.predicate["inputs"] = [{"file": "inputs/none.csv", "given": given, "what": "table"}]
    b.drop("file")
    (b.place / "inputs" / "three.csv").write_text("0.9,0.05,0.05\n" * 3)


def _by_position(b, _):
    b.predicate["reading"]["by_position"] = True
    path = b.place / "inputs" / "three.csv"
    path.write_text("0.9,0.05,0.05\n" * 3)
    b.line("file")["values"]["digest"] = bundle_files.sha256(path.read_bytes())


def _event(b, _):
    b.line("event")["values"] |= {"first": "0", "second": "2", "outputs": "0", "likely": "0.7", "unlikely": "0.2", "ratio": "3.5"}


def _places(text):
    def edit(b, _):
        b.line("numbers-decimals")["values"]["places"] = text

    return edit


def _epsilon(text):
    def edit(b, _):
        b.line("own")["values"]["epsilon"] = text

    return edit


def _unit(text):
    def edit(b, _):
        b.drop("unit-open")
        b.add("Claim", "unit", text=text)

    return edit


OTHER_LINES = {
    "least δ of another level": ("fails", _least_delta_of_another_level, "is about another ε than the claimed one"),
    "δ of the level": ("fails", _delta_of_the_level, "there is no certificate of largest-delta"),
    "other neighbours of printed tables": ("printed", _other_between, "it has other values"),
    "other neighbours as certified": ("printed", _other_between_as_certified, "no certificate shows it"),
    "digits": ("printed", _digits, "it has other values"),
    "loss": ("three", _loss, "is not 'squared'"),
    "consumer": ("three", _kind_of_consumer, "is of another kind"),
    "minus losses": ("three", _minus_losses, "it has other values"),
    "no part": ("three", _no_part, "inputs/none.csv is no part that is an input"),
    "by position": ("three", _by_position, "it has other numbers than the table as read"),
    "event": ("three", _event, "its two inputs are no neighbours"),
    "places": ("three", _places("7"), "it has other values"),
    "other digits": ("three", _places("١"), "is no number of one to six digits"),
    "zeros before": ("three", _epsilon("00.693148"), "is no decimal"),
    "two paragraphs": ("three", _unit("one person.\n\nThe claim holds for all neighbours"), "a value of it has several lines"),
    "two marks": ("three", _unit(f"one person {MARK}. It holds for all neighbours"), "a value of it has several lines"),
    "half a character": ("three", _unit("\ud800"), "no character"),
}


@pytest.mark.parametrize("name", OTHER_LINES)
def test_a_line_that_its_source_does_not_say_is_not_believed(made, forged, name):
    bundle, edit, sentence = OTHER_LINES[name]
    b = forged(bundle)
    edit(b, made)
    code, said = b.judged()
    assert code == 1
    assert sentence in said


def test_nothing_is_said_of_a_claim_that_nobody_made(forged):
    b = forged("none")
    b.add("Claim", "claimed", epsilon="0.01", factor="1.011")
    code, said = b.judged()
    assert code == 1
    assert "nothing was claimed" in said


def test_the_mark_of_a_statement_is_not_stated():
    with pytest.raises(InputError, match="leave them out"):
        as_statements({"unit": f"one person {MARK}"})


# --- True bundles ---


@pytest.mark.parametrize("epsilon", ["0.7123", "0.4054651081081645", "sqrt(2)", "1 + sqrt(2)/2", "ln(2.5)", "1e-400", "ln(2) + 1"])
def test_a_true_bundle_is_accepted_however_its_epsilon_is_written(tmp_path, monkeypatch, epsilon):
    """A number that the program compares is compared in each line; no line is left out."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(FILES["two.csv"])
    run(["audit", "t.csv", "--graph", "path", "--claims-epsilon", epsilon, "--bundle", "b"])
    code, said = Forged(tmp_path / "b", tmp_path / "c").judged()
    assert code == 0, said
    assert "line of page one" not in said


def test_consumers_of_an_irrational_level_are_compared(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(["audit", "geometric:n=3,alpha=1/4", "--claims-epsilon", "sqrt(2)", "--for", "abs", "--bundle", "b"])
    code, said = Forged(tmp_path / "b", tmp_path / "c").judged()
    assert code == 0, said
    assert "line of page one" not in said
