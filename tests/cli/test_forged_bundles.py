# SPDX-License-Identifier: MIT
"""A bundle made again consistently, with all digests, is refused if it says what is false."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from cli_runner import run

from exactdp.certificate import bundle_files
from exactdp.certificate.bundle_files import MANIFEST
from exactdp.certificate.bundle_words import verdict_sentence
from exactdp.certificate.page_one import HEADS, NAMES, limits, neighbours_words, open_topics, page_of, quoted, signed_verdict, where
from exactdp.certificate.page_one_formats import WRITTEN

TABLES = {
    "t.csv": "0.6,0.4\n0.4,0.6\n",
    "t3.csv": "0.7,0.2,0.1\n0.4,0.4,0.2\n0.2,0.4,0.4\n",
    "fractions.csv": "2/3,1/3\n1/3,2/3\n",
    "grid.csv": '"",a,b\n"0,0",0.7,0.3\n"0,1",0.5,0.5\n"1,0",0.5,0.5\n"1,1",0.3,0.7\n',
    "abc.csv": '"",u,v\na,0.8,0.2\nb,0.2,0.8\nc,0.5,0.5\n',
    "acb.csv": '"",u,v\na,0.8,0.2\nc,0.5,0.5\nb,0.2,0.8\n',
    "rounded.csv": "0.600,0.395\n0.400,0.600\n",
    "near.csv": "0.67,0.33\n0.33,0.67\n",
    "edges.csv": "0,1\n1,2\n",
    "spaces.csv": '"",u,v\n"a\u00a0b",0.8,0.2\nq,0.2,0.8\n',
    "near.json": "[[0.67, 0.33], [0.33, 0.67]]\n",
    "barely.csv": "0.333333333333,0.666666666667\n0.666666666667,0.333333333333\n",
}
QUESTIONS = {
    "true": "audit t.csv --graph path --claims-epsilon 1",
    "false": "audit t.csv --graph path --claims-epsilon 1/10",
    "fractions": "audit fractions.csv --graph path --claims-epsilon 1",
    "digits": "audit t.csv --graph path --claims-epsilon 1 --digits 3",
    "path": "audit t3.csv --graph path --claims-epsilon 1",
    "grid": "audit grid.csv --labels --graph grid:2x2 --claims-epsilon 11/20",
    "abc": "audit abc.csv --labels --graph path --claims-epsilon 1",
    "acb": "audit acb.csv --labels --graph path --claims-epsilon 1",
    "rounded": "audit rounded.csv --graph path --claims-epsilon ln(1512/1000) --rounding 0.01",
    "printed": "audit near.csv --graph path --claims-epsilon ln(2.05)",
    "delta": "audit t.csv --graph path --claims-epsilon 1/10 --claims-delta 0.158",
    "barely": "audit barely.csv --graph path --claims-epsilon ln(2)",
    "complete": "audit t3.csv --graph complete --claims-epsilon 2",
    "edges": "audit t3.csv --by-position --graph edges.csv --claims-epsilon 1",
    "json": "audit near.json --graph path --claims-epsilon ln(2.05)",
    "spaces": "audit spaces.csv --labels --graph path --claims-epsilon 2",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a true bundle for each question."""
    place = tmp_path_factory.mktemp("forged")
    for name, text in TABLES.items():
        (place / name).write_text(text)
    before = os.getcwd()
    os.chdir(place)
    try:
        for name, question in QUESTIONS.items():
            assert run(f"{question} --bundle {name}").code in (0, 1)
    finally:
        os.chdir(before)
    return place


class Forged:
    """A copy of a bundle, of which parts are changed; then page one and all digests are made again."""

    def __init__(self, made, name, place):
        self.place = place / name
        shutil.copytree(made / name, self.place)
        self.body = json.loads((self.place / MANIFEST).read_text())
        self.page = json.loads((self.place / NAMES["json"]).read_text())

    @property
    def told(self):
        return self.body["predicate"]

    def lines(self, says):
        return [line for section in self.page["sections"] for line in section["lines"] if line["says"] == says]

    def drop(self, *says):
        for section in self.page["sections"]:
            section["lines"] = [line for line in section["lines"] if line["says"] not in says]

    def head(self, says, values=None, of="", *, shown=True):
        """Another first line of the verdict, and nothing of limits below it."""
        self.page["sections"][2]["lines"][0] = {"says": says, "values": values or {}, "of": of, "shown": shown}
        self.drop("beside-holds", "beside-fails", "beside-fails-too", "other-holds", "other-fails", "other", "within-holds", "within-fails")

    def replace(self, old, new):
        """In the manifest, on all pages and in page one."""
        self.body = json.loads(json.dumps(self.body, ensure_ascii=False).replace(old, new))
        self.page = json.loads(json.dumps(self.page, ensure_ascii=False).replace(old, new))
        for name in ("page.md", "page.html", "answer.json"):
            text = (self.place / name).read_text()
            text = text.replace(json.dumps(old)[1:-1], json.dumps(new)[1:-1]) if name == "answer.json" else text.replace(old, new)
            (self.place / name).write_text(text)

    def rename(self, old, new):
        """Another name of a part."""
        for one in self.told["certificates"]:
            one["part"] = new if one["part"] == old else one["part"]
        for name, before in (("page.md", "\n- {}: accepted"), ("page.html", "<dt>{}: "), ("answer.json", '"part": "{}"')):
            path = self.place / name
            path.write_text(path.read_text().replace(before.format(old), before.format(new)))

    def verdict(self, word):
        """Another verdict, with the sentence that it makes, on every page."""
        old = dict(self.told["verdicts"][0])
        claim = verdict_sentence(word, self.told["table"]["name"], self.told["claimed"], self.told["claimed"]["neighbours"])
        self.told["verdicts"][0] = {"verdict": word, "claim": claim}
        words = bundle_files.WORDS
        for name in ("page.md", "page.html"):
            path = self.place / name
            text = path.read_text().replace(words[old["verdict"]], words[word])
            path.write_text(text.replace(old["claim"], claim))
        answer = json.loads((self.place / "answer.json").read_text())
        (self.place / "answer.json").write_text(json.dumps(answer | {"verdict": word, "sentence": claim}))

    def asked(self, old, new):
        """Another word of the command line."""
        self.told["command"] = [new if word == old else word for word in self.told["command"]]
        self.lines("command")[0]["values"]["command"] = quoted(self.told["command"])

    def codes(self):
        """The exit codes of both programs, after all is written and signed again."""
        for table in self.lines("table"):
            table["values"]["digest"] = bundle_files.sha256((self.place / "table.json").read_bytes())
        lines = list(page_of(self.page).lines())
        head = next(line for line in lines if line.says in HEADS)
        for signed in self.lines("sign-for"):
            told = {"verdict": signed_verdict(head, wrong=False), "limits": limits(lines), "open": open_topics(lines)}
            signed["values"] |= told
        page = page_of(self.page)
        for kind, name in NAMES.items():
            (self.place / name).write_bytes(WRITTEN[kind](page).encode())
        for part in self.told["parts"]:
            part["digest"]["sha256"] = bundle_files.sha256((self.place / part["name"]).read_bytes())
        digests = {part["name"]: part["digest"] for part in self.told["parts"]}
        for subject in self.body["subject"]:
            subject["digest"] = digests.get(subject["name"], subject["digest"])
        self.told["digest"] = bundle_files.own_digest(self.body)
        (self.place / MANIFEST).write_bytes(bundle_files.written(self.body))
        ours = run(["verify", str(self.place)])
        program = [sys.executable, "-I", str(self.place / "check_bundle.py"), str(self.place)]
        alone = subprocess.run(program, capture_output=True, text=True, encoding="utf-8", check=False)
        assert alone.returncode == ours.code, (alone.stdout, ours.out)
        return alone.returncode, alone.stdout


def _flip(b):
    b.verdict("proved")
    b.head("holds")


def _by_name(b):
    """Parts that decide nothing by their names."""
    _flip(b)
    for old, new in (("level", "claim"), ("privacy", "other"), ("delta", "another")):
        b.rename(old, new)


def _claims_less(b, text="1/10", shown="0.1"):
    b.replace("(ε = 1)-private", f"(ε = {text})-private")
    b.told["claimed"]["epsilon"] = text
    b.asked("1", text)
    b.lines("claimed")[0]["values"].update(factor="1.106", epsilon=shown)
    b.lines("sign-for")[0]["values"]["epsilon"] = shown
    b.drop("own", "less", "event")


def _other_sentence(b):
    b.replace("(ε = 1)-private", "(ε = 1/10)-private")


def _other_neighbours(b, name):
    b.replace("path:3", name)
    for says in ("neighbours", "neighbours-named"):
        for line in b.lines(says):
            line["says"] = "neighbours-named"
            line["values"] = {"name": name, "words": neighbours_words(name)}
    b.lines("sign-for")[0]["values"]["where"] = where(name)
    b.head("holds")


def _other_order(b):
    (b.place / "inputs" / "acb.csv").write_text(TABLES["abc.csv"])
    body = json.loads((b.place / "table.json").read_text())
    order = [0, 2, 1]
    one = body["tables"][0]
    one["inputs"] = [one["inputs"][k] for k in order]
    one["entries"] = [one["entries"][k] for k in order]
    (b.place / "table.json").write_text(json.dumps(body, indent=1) + "\n")
    b.lines("file")[0]["values"]["digest"] = bundle_files.sha256(TABLES["abc.csv"].encode())
    b.lines("size")[0]["values"]["inputs"] = "a, b, c"
    b.head("holds")


def _exact(b):
    for line in b.lines("numbers-decimals"):
        line.update(says="numbers-exact", values={})


def _plain(b):
    b.head("holds")
    _exact(b)


def _not_divided(b):
    b.head("holds")
    b.drop("sums-rounded", "divided", "rows-off", "looks-rounded", "event")


def _unshown_head(b):
    b.head("fails-rounding", {"digits": "15", "epsilon": "0.1000000000000001"}, "zzz", shown=False)
    b.drop("own", "more", "event", "least-delta", "repair-epsilon", "or-delta", "repair-uniform", "repair-delta")


def _unshown_beside(b):
    values = {"where": where("complete:3"), "epsilon": "0.01"}
    b.page["sections"][2]["lines"].insert(1, {"says": "beside-fails-too", "values": values, "of": "zzz", "shown": False})


def _undecided(b):
    b.verdict("undecided")
    b.page["sections"][2]["lines"] = [{"says": says, "values": {}, "of": "", "shown": True} for says in ("undecided", "late")]
    b.drop("other-holds", "other-fails", "other")
    for line in b.lines("scope"):
        if line["values"]["topic"].startswith("how strong"):
            line["values"].update(status="not decided", text="")


def _other_edges(b):
    """Another file of edges, whose digest stands wherever the first one's stood."""
    edges = b"0,1\n0,2\n1,2\n"
    path = b.place / "inputs" / "edges.csv"
    before, after = (bundle_files.sha256(content) for content in (path.read_bytes(), edges))
    b.replace(before, after)
    b.replace(before[:8], after[:8])
    path.write_bytes(edges)


def _delta_of_nothing(b):
    """δ = 0, written so that it looks as if one were claimed: then less is said of digits."""
    text = b.told["claimed"]["text"]
    b.replace(text, text.replace(")-private", ", δ = 0/1)-private"))
    b.told["claimed"]["delta"] = "0/1"
    b.head("holds-printed-delta", {"places": "2"})


def _of_no_consumer(b):
    for line in b.lines("own"):
        line.update(of="consumer-9", shown=False)
        line["values"].update(epsilon="0.01", factor="1.011")


FORGED = {
    "a part called claim": ("false", _by_name),
    "only the verdict": ("false", _flip),
    "another epsilon": ("true", _claims_less),
    "another epsilon as a decimal": ("true", lambda b: _claims_less(b, "0.1")),
    "another epsilon with a root": ("true", lambda b: _claims_less(b, "sqrt(1/100)")),
    "an epsilon that is not compared": ("true", lambda b: _claims_less(b, "ln(6/5)/2")),
    "another epsilon of digits": ("digits", _claims_less),
    "another epsilon in the sentence": ("true", _other_sentence),
    "complete for path": ("path", lambda b: _other_neighbours(b, "complete:3")),
    "complete for path, with a space": ("path", lambda b: _other_neighbours(b, "complete 3")),
    "a ring for path": ("path", lambda b: _other_neighbours(b, "cycle:3")),
    "another order of rows": ("acb", _other_order),
    "no limit of a divided table": ("rounded", _not_divided),
    "no limit of decimals": ("printed", _plain),
    "no limit of decimals in JSON": ("json", _plain),
    "no word of decimals in JSON": ("json", lambda b: (b.head("holds"), b.drop("numbers-decimals"))),
    "decimals called exact": ("true", _exact),
    "no limit of decimals beside a delta": ("delta", lambda b: b.head("holds")),
    "no other neighbours": ("path", lambda b: b.head("holds")),
    "no distances as the crow flies": ("grid", lambda b: b.head("holds")),
    "fails, and not barely": ("barely", lambda b: b.head("fails")),
    "a head without certificate": ("false", _unshown_head),
    "other neighbours without certificate": ("false", _unshown_beside),
    "undecided over what refutes": ("false", _undecided),
    "neighbours of no name": ("path", lambda b: _other_neighbours(b, "every pair of inputs")),
    "neighbours with a capital": ("path", lambda b: _other_neighbours(b, "Complete:3")),
    "neighbours that are listed otherwise": (
        "path",
        lambda b: _other_neighbours(b, "the graph on 3 inputs with the edges 0–1, 0–2, 1–2"),
    ),
    "another file of edges": ("edges", _other_edges),
    "a delta of nothing": ("printed", _delta_of_nothing),
    "a line of a consumer who is not there": ("true", _of_no_consumer),
}
LIMITED = {
    *("an epsilon that is not compared", "neighbours of no name", "neighbours with a capital"),
    *("no limit of decimals in JSON", "no word of decimals in JSON"),
}
"""What the programs can't compare, and say so: neither accepted nor refused."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_bundle_written_again_as_it_was_is_accepted(made, tmp_path, name):
    code, said = Forged(made, name, tmp_path).codes()
    assert code == 0, said
    assert "was not compared (" not in said


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_bundle_is_refused(made, tmp_path, name):
    base, forge = FORGED[name]
    forged = Forged(made, base, tmp_path)
    forge(forged)
    code, said = forged.codes()
    assert code == (4 if name in LIMITED else 1), said
    assert "accepted:" not in said.splitlines()[-1]


def test_a_bundle_that_hides_what_was_left_aside_is_refused(tmp_path, monkeypatch):
    """It is decided where its command is run again; the program of the bundle reads plain numbers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "estimates.csv").write_text("0.6 (0.1),0.4 (0.1)\n0.4 (0.1),0.6 (0.1)\n")
    assert run("audit estimates.csv --graph path --claims-epsilon 1 --bundle true").code == 0
    (tmp_path / "forged").mkdir()
    forged = Forged(tmp_path, "true", tmp_path / "forged")
    assert forged.codes()[0] == 0
    forged.replace(" with the numbers in brackets left aside", "")
    with pytest.raises(AssertionError, match="this program reads plain numbers only"):
        forged.codes()
    answer = run(f"verify {forged.place}")
    assert answer.code == 1
    assert "its command, run again with its inputs, writes" in answer.out
    assert "with the numbers in brackets left aside" in answer.out
