# SPDX-License-Identifier: MIT
"""Each typed field of page one and of the manifest is changed in all renderings, and each change is found.

The forger leaves the certificates alone, and makes everything else again: page one in every format, the
appendix, all digests.
"""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
from cli_runner import run
from forged_bundle import Forged
from hypothesis import given, settings
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.certificate import bundle_files, check_bundle
from exactdp.certificate.bundle_words import named
from exactdp.certificate.compare_law import LINES
from exactdp.certificate.compare_lines import ORDER
from exactdp.certificate.compare_page_one import COMPARED, OF_THE_AUDITOR
from exactdp.certificate.page_one import LOSSES, REQUIRED_HEADS, SAYS, STATED, page_of, quoted, seen, title_shown
from exactdp.errors import printable

FILES = {
    "t.csv": "0.6,0.4\n0.4,0.6\n",
    "t3.csv": "0.7,0.2,0.1\n0.4,0.4,0.2\n0.2,0.4,0.4\n",
    "grid.csv": '"",a,b\n"0,0",0.7,0.3\n"0,1",0.5,0.5\n"1,0",0.5,0.5\n"1,1",0.3,0.7\n',
    "steps.csv": "4/7,2/7,1/7\n2/7,3/7,2/7\n1/7,2/7,4/7\n",
    "prior.csv": "1/2\n1/4\n1/4\n",
    "line.csv": "1/2,1/4,1/4\n",
    "prior.json": '["1/2", "1/4", "1/4"]\n',
    "loss.csv": "0,1,2\n1,0,1\n3,1,0\n",
    # its smallest ε shows in one place alone, so that no other event is as true
    "ten.csv": "0.2,0.08"
    + ",0.09" * 8
    + "\n"
    + "\n".join(",".join("0.19" if i == j else "0.09" for j in range(10)) for i in range(1, 10))
    + "\n",
    "ten-prior.csv": "\n".join(["0.19"] + ["0.09"] * 9) + "\n",
    "policy.toml": 'version = 1\nneighbours = "path"\nrequire = ["epsilon<=ln(2)", "gap <= 50 %"]\n[[consumers]]\nloss = "zero-one"\n',
}
QUESTIONS = {
    "consumers": (
        "t3.csv --graph path --claims-epsilon 1 --for abs --for 'squared side-information=1..2' --for loss.csv --for 'abs prior=prior.csv'"
    ),
    "priors": "t3.csv --graph path --claims-epsilon 1 --for 'zero-one prior=line.csv' --for 'abs prior=1/4,1/4,1/2'",
    "json": "t3.csv --graph path --claims-epsilon 1 --for 'zero-one prior=prior.json' --for 'abs prior=uniform'",
    "many": (
        "ten.csv --graph complete --claims-epsilon 1 --for 'zero-one prior=ten-prior.csv' --for 'zero-one side-information=0,1,2,3,5,7,8,9'"
    ),
    "delta": "t3.csv --graph path --claims-epsilon 1/10 --claims-delta 1/4 --require 'delta <= 0.4' --require 'epsilon <= ln(3)'",
    "digits": "t3.csv --graph path --claims-epsilon 1 --digits 3 --for abs --require 'epsilon <= 1'",
    "auto": "t3.csv --graph path --claims-epsilon 0.7 --digits auto --require 'delta <= 0.2'",
    "required": "t.csv --graph path --claims-epsilon 1 --for abs --require 'epsilon <= 1' --require 'gap <= 50%'",
    "policy": "t.csv --policy policy.toml --claims-alpha 1/2",
    "grid": "grid.csv --labels --graph grid:2x2 --claims-epsilon 11/20 --state 'grid-unit=1 km' --unit person",
    "fails": "t3.csv --graph path --claims-epsilon 1/10 --for 'zero-one prior=uniform'",
    "law": "randomized-response:k=5000,epsilon=1 --claims-epsilon 2 --for abs",
    "none": "t.csv --graph path",
    "word": "geometric:n=3,alpha=1/4 --claims-alpha 1/4 --for 'abs side-information=0,2'",
    "doubles": "t.csv --dyadic --graph path --claims-epsilon 1",
    "beside": "steps.csv --graph path --claims-epsilon 0.7",
    "share": "randomized-response:n=3,epsilon=1 --claims-epsilon 1/4",
}
PROGRAMS = Path(check_bundle.__file__).parent


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """The files of a true bundle of each question."""
    place = tmp_path_factory.mktemp("fields")
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for name, text in FILES.items():
            Path(name).write_text(text)
        for name, words in QUESTIONS.items():
            assert run(f"audit {words} --bundle {name}").code in (0, 1, 4)
            found[name] = {path.relative_to(name).as_posix(): path.read_bytes() for path in Path(name).rglob("*") if path.is_file()}
    return found


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_true_bundle_is_accepted(bundles, tmp_path, name):
    assert Forged(bundles[name]).judged(tmp_path) == ("accepted", [])


ALIKE = "a.csv --graph path --claims-epsilon 1 --for one/cost.csv --for two/cost.csv"
"""Two files of one name are two consumers."""


@pytest.fixture
def alike(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"a.csv": "2/3,1/3\n1/3,2/3\n", "one/cost.csv": "0,1\n1,0\n", "two/cost.csv": "0,3\n1,0\n"}.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    assert run(f"audit {ALIKE} --bundle alike").code == 0
    return {path.relative_to("alike").as_posix(): path.read_bytes() for path in Path("alike").rglob("*") if path.is_file()}


def test_two_files_of_one_name_are_told_apart(alike, tmp_path):
    forged = Forged(alike)
    shown = [line["values"]["consumer"] for line in forged.lines if line["says"] == "consumer"]
    digests = [bundle_files.sha256(Path(name).read_bytes())[:8] for name in ("one/cost.csv", "two/cost.csv")]
    assert shown == [f"the minimax consumer with loss cost.csv (sha256 {digest}…) and side information {{0, 1}}" for digest in digests]
    assert forged.judged(tmp_path) == ("accepted", [])
    for line in forged.lines:
        if line["says"] == "consumer":
            line["values"]["consumer"] = re.sub(r" \(sha256 .*?\)", "", line["values"]["consumer"])
    assert forged.judged(tmp_path)[0] == "rejected"


@pytest.mark.parametrize(("name", "status"), [("cost", "accepted"), ("abs", "accepted"), ("cost.csv", "limit"), ("", "accepted")])
def test_two_losses_of_one_name_in_python_have_their_digests(tmp_path, name, status):
    costs = [xdp.MinimaxConsumer(xdp.Loss([[0, x], [1, 0]], name=name)) for x in (2, 3)]
    answer = xdp.audit([["2/3", "1/3"], ["1/3", "2/3"]], "path", claim=xdp.PrivacyClaim(epsilon=1), consumers=costs)
    answer.bundle(tmp_path / "b")
    files = {path.relative_to(tmp_path / "b").as_posix(): path.read_bytes() for path in (tmp_path / "b").rglob("*") if path.is_file()}
    forged = Forged(files)
    assert forged.judged(tmp_path)[0] == status
    digest = answer.evidence.consumers[0].consumer.loss.digest
    forged.replace(digest, f"sha256 {'0' * 8}…")
    assert "a line is not what its source says" in forged.judged(tmp_path)[1][0]


@pytest.mark.parametrize("consumer", ["gain", "loss", "prior"])
def test_a_true_bundle_of_python_is_accepted(tmp_path, consumer):
    consumers = {
        "gain": xdp.MinimaxConsumer(xdp.Gain([[1, 0, 0], [0, 1, 0], [0, 0, 1]], name="hit")),
        "loss": xdp.MinimaxConsumer(xdp.Loss([[0, 1, 2], [1, 0, 1], ["1/2", 1, 0]]), [0, 2]),
        "prior": xdp.BayesianConsumer("abs", ["1/2", "1/4", "1/4"]),
    }
    table = [["0.7", "0.2", "0.1"], ["0.4", "0.4", "0.2"], ["0.2", "0.4", "0.4"]]
    answer = xdp.audit(table, "path", claim=xdp.PrivacyClaim(epsilon=1), consumers=[consumers[consumer]])
    answer.bundle(tmp_path / "bundle")
    assert check_bundle.answer(str(tmp_path / "bundle"))["status"] == "accepted"


# --- Every field ---
STATEMENTS = {"called", "chosen", "unit", "unit-grid", "grid-unit"}
"""Lines that say what the auditor states, and say so."""


def changed(text):
    """A value with words before or after it, and with another number."""
    yield f"{text} and therefore safe for any composition"
    yield f"ε = 0.1 in practice: {text}"
    number = re.search("[0-9]", text)
    if number is not None:
        place = number.start()
        yield f"{text[:place]}{'3' if text[place] == '7' else '7'}{text[place + 1 :]}"


def leaves(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from leaves(inner, (*path, key))
    if not isinstance(value, (dict, list)):
        yield path, value


def with_leaf(value, path, new):
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


def mutations(files):
    """Each a place and a function that changes it."""
    true = Forged(files)
    for k, line in enumerate(true.lines):
        is_stated = line["says"] in STATEMENTS or line["values"].get("status") == STATED
        for key, text in line["values"].items():
            if not (is_stated and key == "text"):
                yield from ((f"{line['says']}.{key}", _value(k, key, new)) for new in changed(text))
        yield f"{line['says']}.of", _attribute(k, "of", f"{line['of']}-x")
        yield f"{line['says']}.shown", _attribute(k, "shown", not line["shown"])
        if line["says"] in NEEDED:
            yield f"without {line['says']}", lambda b, says=line["says"]: b.drop(says)
    for path, value in leaves(true.told):
        if path[0] in ("parts", "digest", "date") or "digest" in path or not isinstance(value, str):
            continue
        for new in changed(value):
            yield f"manifest {path}", _leaf(path, new, value if len(value) > 3 else None)


NEEDED = {
    *("subject", "file", "other-file", "table", "size", "claimed", "claimed-delta", "neighbours", "neighbours-named", "unit-open"),
    *("unit", "chosen-open", "grid-unit", "own", "own-pure", "less", "more", "between", "consumer", "row", "required"),
    *(
        "required-words",
        "nobody",
        "words",
        "scope",
        "check-bundle",
        "made",
        "rounding",
        "command",
        "sign",
        "sign-for",
        "sign-own",
        "law",
        "law-file",
    ),
    *REQUIRED_HEADS,
    *("numbers-decimals", "numbers-digits", "numbers-exact", "numbers-doubles", "sums-exact"),
}
"""Lines that no page leaves out where it has them."""


def _value(k, key, new):
    return lambda b: b.lines[k]["values"].update({key: new})


def _attribute(k, key, new):
    return lambda b: b.lines[k].update({key: new})


def _leaf(path, new, everywhere):
    def change(b):
        if everywhere is not None:
            b.replace(everywhere, new)
        with_leaf(b.told, path, new)

    return change


def is_found(files, place, what, change):
    forged = Forged(copy.deepcopy(files))
    try:
        change(forged)
        status, _ = forged.judged(place, signed=not what.startswith("sign-"))
    except (ValueError, KeyError, IndexError, TypeError):  # no page, or no manifest, can be written so
        return True
    return status != "accepted"


STILL_ACCEPTED = {"manifest ('exactdp',)", "manifest ('command', 0)"}
"""What no certificate, table or file tells: the version that made it, how the program was called."""


@pytest.mark.property
@pytest.mark.timeout(1200)  # the bundles are made for the first one
@pytest.mark.parametrize("name", QUESTIONS)
@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_a_field_that_was_changed_everywhere_is_found(bundles, tmp_path_factory, name, data):
    listed = list(mutations(bundles[name]))
    what, change = listed[data.draw(st.integers(0, len(listed) - 1))]
    found = is_found(bundles[name], tmp_path_factory.mktemp("one"), what, change)
    assert found or what in STILL_ACCEPTED, what


@pytest.mark.slow
@pytest.mark.timeout(1800)  # hundreds of bundles are checked, each by its certificates
@pytest.mark.parametrize("name", QUESTIONS)
def test_each_field_that_was_changed_everywhere_is_found(bundles, tmp_path, name):
    accepted = {what for what, change in mutations(bundles[name]) if not is_found(bundles[name], tmp_path, what, change)}
    assert accepted <= STILL_ACCEPTED


# --- Consumers ---
def _swapped(b):
    for line in b.lines:
        if line["says"] == "row":
            line["values"]["number"] = {"1": "2", "2": "1"}.get(line["values"]["number"], line["values"]["number"])


OF_CONSUMERS = {
    "another prior file": ("consumers", lambda b: b.file("prior.csv", b"1/4\n1/4\n1/2\n"), "rejected"),
    "another prior file, in a line": ("priors", lambda b: b.file("line.csv", b"1/4,1/2,1/4\n"), "rejected"),
    "another prior file, large": ("many", lambda b: b.file("ten-prior.csv", b"0.09\n" * 9 + b"0.19\n"), "rejected"),
    "another loss file": ("consumers", lambda b: b.file("loss.csv", b"0,1,2\n1,0,1\n5,1,0\n"), "rejected"),
    "a loss file that is not read": ("consumers", lambda b: b.file("loss.csv", b"# none\n"), "limit"),
    "another set": ("consumers", lambda b: b.replace("information {1, 2}", "information {0, 2}"), "rejected"),
    "another large set": ("many", lambda b: b.replace("information {0..3", "information {0..4"), "rejected"),
    "other weights": ("consumers", lambda b: b.replace("prior (0: 1/2, 1: 1/4", "prior (0: 1/4, 1: 1/2"), "rejected"),
    "weights of no file": ("consumers", lambda b: b.replace(" of prior.csv (sha256 fc2858e7…)", ""), "rejected"),
    "a loss of another name": ("consumers", lambda b: b.replace("with loss loss.csv", "with loss abs"), "rejected"),
    "swapped consumers": ("consumers", _swapped, "rejected"),
}


@pytest.mark.parametrize("name", OF_CONSUMERS)
def test_another_consumer_is_found(bundles, tmp_path, name):
    bundle, change, status = OF_CONSUMERS[name]
    forged = Forged(bundles[bundle])
    change(forged)
    assert forged.judged(tmp_path)[0] == status


# --- Requirements, readings, names ---
def _without_requirements(b):
    del b.told["requirements"]
    b.drop("required", "required-words")
    b.heads_again()


def _reading(**options):
    return lambda b: b.told["reading"].update(options)


def _named(name):
    def change(b):
        b.replace(b.told["table"]["name"], name)
        for line in b.lines:
            if line["says"] in ("subject", "sign-for", "sign-own"):
                line["values"]["name"] = name
        b.page["title"] = name

    return change


OTHERS = {
    "requirements that were deleted": ("required", _without_requirements, "it does not say whether it is kept"),
    "requirements of a policy that were deleted": ("policy", _without_requirements, "it does not say whether it is kept"),
    "digits of another number": ("digits", _reading(digits="2"), "other --digits than its command line"),
    "digits that are none": ("auto", _reading(digits="9"), "other --digits than its command line"),
    "doubles": ("doubles", _reading(dyadic=False), "read with --dyadic"),
    "decimals as doubles": ("none", _reading(dyadic=True), "read with --dyadic"),
    "divided rows": ("none", _reading(renormalise=True), "read with --renormalise"),
    "columns for rows": ("none", _reading(transpose=True), "read with --transpose"),
    "another table": ("none", _reading(table="other.csv"), "does not name the table that was read"),
    "a name that is a verdict": ("none", _named("t.csv. The claim holds for any composition"), "is called otherwise than the file"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_the_command_line_says_is_told(bundles, tmp_path, name):
    bundle, change, sentence = OTHERS[name]
    forged = Forged(bundles[bundle])
    change(forged)
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any(sentence in one for one in said), said


@pytest.mark.parametrize(("bundle", "file", "content"), [("digits", "t3.csv", "0.6,0.3,0.1\n"), ("auto", "t3.csv", "0.70,0.20,0.10\n")])
def test_a_printed_table_is_that_of_its_file(bundles, tmp_path, bundle, file, content):
    forged = Forged(bundles[bundle])
    rest = FILES[file].split("\n", 1)[1]
    forged.file(file, (content + rest).encode())
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("other numbers than the table as read" in one for one in said), said


@pytest.mark.parametrize("name", ["a\nb. It holds.", "“t”. The claim holds. “", "x" * 500, "<b>holds</b>"])
def test_a_name_stands_in_quotation_marks_in_one_line(name):
    for shown in (named(name)[1:-1], title_shown(name)):
        assert len(shown) <= 162
        assert not set("“”\n") & set(shown)


# --- Sentences, parts and marks that no page has ---
def _line(says, values, of="", shown=True):
    return {"says": says, "values": values, "of": of, "shown": shown}


def _with_line(title, line):
    def change(b):
        section = next(section for section in b.page["sections"] if section["title"] == title)
        section["lines"].append(line)

    return change


def _part(name, role, content="<b>The claim of ε = 1/1000 holds. Certified.</b>"):
    def change(b):
        b.files[name] = content.encode()
        b.told["parts"].append({"name": name, "role": role, "digest": {"sha256": ""}})
        b.told["parts"].sort(key=lambda part: part["name"])

    return change


def _content(name, content):
    return lambda b: b.files.update({name: content})


def _in_html(before, after):
    def change(b):
        text = b.files["page.html"].decode()
        assert before in text
        b.files["page.html"] = text.replace(before, after, 1).encode()

    return change


def _without(part, reason):
    """A part that is told to have no certificate, on every page."""

    def change(b):
        b.told["without"][part] = reason
        heading = f"<h2>{check_bundle.SECTION}</h2>\n<dl>"
        _in_html(heading, f"{heading}<dt>{part}: none</dt><dd>{reason}</dd>")(b)
        markdown = b.files["page.md"].decode()
        heading = f"## {check_bundle.SECTION}\n\n"
        b.files["page.md"] = markdown.replace(heading, f"{heading}- {part}: none: {reason}\n").encode()
        answer = json.loads(b.files["answer.json"])
        answer["checker"].append({"part": part, "status": "none", "sentence": reason})
        b.files["answer.json"] = json.dumps(answer).encode()

    return change


def _no_level(epsilon, factor):
    """The smallest ε without its certificate, and with another number."""

    def change(b):
        certificate = next(one for one in b.told["certificates"] if one["part"] == "level")
        b.told["certificates"].remove(certificate)
        b.told["parts"] = [part for part in b.told["parts"] if part["name"] != certificate["file"]]
        del b.files[certificate["file"]]
        entry = r"<dt>level: accepted</dt><dd>[^<]*<br><code>[^<]*</code></dd>"
        b.files["page.html"] = re.sub(entry, "", b.files["page.html"].decode()).encode()
        b.files["page.md"] = re.sub(r"- level: accepted: [^\n]*\n", "", b.files["page.md"].decode()).encode()
        answer = json.loads(b.files["answer.json"])
        answer["checker"] = [one for one in answer["checker"] if one["part"] != "level"]
        b.files["answer.json"] = json.dumps(answer).encode()
        _without("level", "there is not enough memory")(b)
        for line in b.lines:
            line["shown"] = line["shown"] and line["of"] != "level"
        b.drop("event")
        b.line("own")["values"] = {"epsilon": epsilon, "factor": factor}

    return change


def _moved(says, below):
    def change(b):
        lines = next(section["lines"] for section in b.page["sections"] if b.line(says) in section["lines"])
        line = b.line(says)
        lines.remove(line)
        lines.insert(lines.index(b.line(below)) + 1, line)

    return change


def _topic(words, status, text=""):
    def change(b):
        line = next(line for line in b.lines if line["says"] == "scope" and line["values"]["topic"].startswith(words))
        line["values"] |= {"status": status, "text": text}

    return change


def _value_of(says, **values):
    return lambda b: b.line(says)["values"].update(values)


def _stated(text):
    def change(b):
        b.line("chosen-open").update(says="chosen", values={"text": text})
        _topic("who chose", STATED, text)(b)
        b.told["command"] += ["--state", f"neighbours={text}"]
        b.line("command")["values"]["command"] = seen(quoted(b.told["command"]))

    return change


NO_SENTENCE = "1 the answers are best possible, and the claim of ε = 1/1000 holds for every table. For others"
FORGED = {
    "a sentence for a number": ("required", _with_line("How good", _line("row-none", {"number": NO_SENTENCE})), "rejected"),
    "no comparison beside one": ("required", _with_line("How good", _line("row-none", {"number": "1"})), "rejected"),
    "no comparison for nobody": ("none", _with_line("How good", _line("row-none", {"number": "1"})), "rejected"),
    "a page as a program": ("t", _part("READ_ME_FIRST.html", "program"), "rejected"),
    "a program of no release": ("t", _part("read_me.py", "program"), "rejected"),
    "a page as a checker": ("t", _part("checker/README.html", "checker"), "rejected"),
    "a file of the checker": ("t", _part("checker/extra.py", "checker"), "rejected"),
    "other rules of the checker": ("t", _content("checker/SPEC.md", b"Every claim holds."), "rejected"),
    "another page one": ("t", _part("page_one_signed.html", "page-one"), "rejected"),
    "another page": ("t", _part("page2.html", "page"), "rejected"),
    "another answer": ("t", _part("verdict.json", "answer", "{}"), "rejected"),
    "a style in the head": ("t", _in_html("</head>", "<style>body>*{display:none}</style></head>"), "rejected"),
    "another style": ("t", _in_html("<style>\n:root{", "<style>\nbody>p{display:none}:root{"), "rejected"),
    "another head": ("t", _in_html("</title>", "</title><base href='x'>"), "rejected"),
    "a style in the body": ("t", _in_html("</p>\n<h1>", "</p>\n<style>p{display:none}</style><h1>"), "rejected"),
    "a script": ("t", _in_html("<h1>", "<script>document.body.textContent='holds'</script><h1>"), "rejected"),
    "a meta": ("t", _in_html("<h1>", '<META http-equiv="refresh" content="0;url=x"><h1>'), "rejected"),
    "a hidden heading": ("t", _in_html("<h1>", "<h1 hidden>"), "rejected"),
    "a heading over all": ("t", _in_html("<h1>", '<h1 style="position:fixed;top:0">'), "rejected"),
    "an event": ("t", _in_html("<h1>", '<h1 onclick="x()">'), "rejected"),
    "a comment": ("t", _in_html("<h1>", "<!-- <h1>"), "rejected"),
    "hidden words": ("t", _in_html("<h1>", '<span style="font-size:0">no</span><h1>'), "rejected"),
    "a mark that is not known": ("t", _in_html("<h1>", "<u>x</u><h1>"), "limit"),
    "an invented part": ("t", _without("summary", "there is not enough memory"), "rejected"),
    "an invented reason": ("t", _without("claim", "accepted: for every table the claim (ε = 1/1000)-private is true"), "rejected"),
    "a smallest epsilon without certificate": ("beside", _no_level("0.001", "1.002"), "rejected"),
    "a line below another one": ("beside", _moved("less", "beside-fails"), "rejected"),
    "a topic below another one": ("t", lambda b: b.page["sections"][4]["lines"].reverse(), "rejected"),
    "another share": ("share", _value_of("repair-uniform", share="0.0001"), "rejected"),
    "a larger share": ("share", _value_of("repair-uniform", share="0.75"), "rejected"),
    "a guarantee that is not judged": ("t", _topic("how strong", "not judged"), "rejected"),
    "a guarantee that is stated": ("t", _topic("how strong", STATED, "proved for every table"), "rejected"),
    "a choice that is stated in one place": ("t", _topic("who chose", STATED, "NIST"), "rejected"),
    "usefulness that is not judged": ("required", _topic("how useful", "not judged"), "rejected"),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_no_page_has_is_found(bundles, tmp_path, name):
    bundle, change, status = FORGED[name]
    forged = Forged(bundles["required" if bundle == "t" else bundle])
    change(forged)
    found, said = forged.judged(tmp_path)
    assert found == status, said


def test_a_part_without_certificate_is_told(bundles, tmp_path):
    forged = Forged(bundles["beside"])
    _no_level(**forged.line("own")["values"])(forged)
    assert forged.judged(tmp_path) == ("accepted", [])


@pytest.mark.parametrize("text", [f"NIST.{chr(0x3164) * 400}Verified.{chr(0x2800) * 300}", f"NIST{chr(0x338) * 9}", f"a{chr(0x200B)}"])
def test_what_is_not_seen_is_no_text_of_a_page(bundles, tmp_path, text):
    forged = Forged(bundles["grid"])
    assert forged.judged(tmp_path) == ("accepted", [])
    _value_of("unit-grid", text=text)(forged)
    with pytest.raises(ValueError, match="characters that are not seen"):
        page_of(forged.page)


@pytest.mark.parametrize(("title", "status"), [("zero-one loss", "limit"), ("Abs.", "limit"), ("absolute", "limit"), ("hit", "accepted")])
def test_a_loss_is_called_by_no_name_of_ours(tmp_path, title, status):
    table = [["0.7", "0.2", "0.1"], ["0.4", "0.4", "0.2"], ["0.2", "0.4", "0.4"]]
    consumer = xdp.MinimaxConsumer(xdp.Loss([[0, 1, 2], [1, 0, 1], ["1/2", 1, 0]], name="hit"))
    xdp.audit(table, "path", claim=xdp.PrivacyClaim(epsilon=1), consumers=[consumer]).bundle(tmp_path / "b")
    files = {path.relative_to(tmp_path / "b").as_posix(): path.read_bytes() for path in (tmp_path / "b").rglob("*") if path.is_file()}
    forged = Forged(files)
    forged.replace("with loss hit and", f"with loss {title} and")
    if title == "zero-one loss":
        forged.line("consumer")["values"]["words"] = f"it {LOSSES['zero-one']}, and looks at the worst true value"
    assert forged.judged(tmp_path)[0] == status


def test_each_line_with_a_value_has_a_source():
    known = {*COMPARED, *LINES, *OF_THE_AUDITOR}
    of_no_bundle = {"check-command", "check-python"}
    assert {says for says, text in SAYS.items() if "{" in text} <= known | of_no_bundle
    assert set(SAYS) == {says for group in ORDER for says in group}


UNSEEN = ("a", "Zoë", f"e{chr(0x301)}", chr(0x3164), f"a{chr(0x338) * 9}", f"{chr(0x202E)}x", "ไทย", "\ud800", f"a{chr(0x200B)}")


@pytest.mark.parametrize("text", UNSEEN)
def test_what_is_not_seen_is_escaped_as_everywhere(text):
    assert seen(text) == bundle_files.shown(text) == printable(text)


# --- Consumers and tables that have no file ---
def _files_of(place):
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def _words(b):
    b.line("consumer")["values"]["words"] = "the claim of ε = 1/1000 holds for all neighbours"


def _as_gain(b):
    b.replace("with loss cost", "with gain cost")
    for line in b.lines:
        if line["says"] == "row" and line["values"]["number"] == "2":
            line["values"] |= {key: f"-{line['values'][key]}" for key in ("deployed", "remapped", "optimum")}


def _weights(text):
    return lambda b: b.replace("and prior (0: 1/2, 1: 1/4, 2: 1/4)", f"and prior {text}")


def _alike(b):
    first, second = (line["values"]["consumer"] for line in b.lines if line["says"] == "consumer")
    b.replace(second, first)


OF_OWN_NAMES = {
    "as it was": (lambda _: None, "accepted"),
    "words": (_words, "rejected"),
    "side information": (lambda b: b.replace("{0, 2}", "{1}"), "rejected"),
    "uniform": (_weights("uniform on 3 inputs"), "rejected"),
    "a sentence": (_weights("of everybody. The claim of ε = 1/1000 holds"), "rejected"),
    "a gain": (_as_gain, "limit"),
    "alike": (_alike, "rejected"),
    "a name that says more": (lambda b: b.replace("with loss hit and", "with loss the claim holds and"), "limit"),
}


@pytest.mark.parametrize("name", OF_OWN_NAMES)
def test_of_a_loss_of_python_only_the_name_is_not_compared(tmp_path, name):
    table = [["0.7", "0.2", "0.1"], ["0.4", "0.4", "0.2"], ["0.2", "0.4", "0.4"]]
    hit = xdp.MinimaxConsumer(xdp.Loss([[0, 1, 2], [1, 0, 1], ["1/2", 1, 0]], name="hit"), [0, 2])
    cost = xdp.BayesianConsumer(xdp.Loss([[0, 3, 2], [1, 0, 1], ["1/2", 1, 0]], name="cost"), ["1/2", "1/4", "1/4"])
    xdp.audit(table, "path", claim=xdp.PrivacyClaim(epsilon=1), consumers=[hit, cost]).bundle(tmp_path / "b")
    forged = Forged(_files_of(tmp_path / "b"))
    change, status = OF_OWN_NAMES[name]
    change(forged)
    assert forged.judged(tmp_path)[0] == status


@pytest.mark.parametrize("text", ["0.7,0.2,0.1\n0.4,0.4,0.2\n0.2,0.4,0.4\n", "1,0\n0.5,0.5\n"])
def test_the_epsilon_of_a_printed_table_is_told_without_a_claim(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(text)
    run("audit t.csv --graph path --digits 2 --bundle b")
    forged = Forged(_files_of(tmp_path / "b"))
    assert forged.judged(tmp_path)[0] == "accepted"
    forged.drop("between", "between-infinite", "event-printed")
    assert forged.judged(tmp_path)[0] == "rejected"
