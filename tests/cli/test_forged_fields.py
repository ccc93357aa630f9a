# SPDX-License-Identifier: MIT
"""Each typed field of page one and of the manifest is changed in all renderings, and each change is found.

The forger leaves the certificates alone, and makes everything else again: page one in every format, the
appendix, all digests.
"""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest
from cli_runner import run
from forged_bundle import Forged
from hypothesis import given, settings
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.certificate import check_bundle
from exactdp.certificate.bundle_words import named
from exactdp.certificate.page_one import STATED, title_shown

FILES = {
    "t.csv": "0.6,0.4\n0.4,0.6\n",
    "t3.csv": "0.7,0.2,0.1\n0.4,0.4,0.2\n0.2,0.4,0.4\n",
    "grid.csv": '"",a,b\n"0,0",0.7,0.3\n"0,1",0.5,0.5\n"1,0",0.5,0.5\n"1,1",0.3,0.7\n',
    "prior.csv": "1/2\n1/4\n1/4\n",
    "line.csv": "1/2,1/4,1/4\n",
    "prior.json": '["1/2", "1/4", "1/4"]\n',
    "loss.csv": "0,1,2\n1,0,1\n3,1,0\n",
    "ten.csv": "\n".join(",".join("0.19" if i == j else "0.09" for j in range(10)) for i in range(10)) + "\n",
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
    *("required-words", "nobody", "words", "scope", "check-bundle", "made", "rounding", "command", "sign", "sign-for", "law", "law-file"),
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
        status, _ = forged.judged(place, signed=not what.startswith("sign-for"))
    except (ValueError, KeyError, IndexError, TypeError):  # no page, or no manifest, can be written so
        return True
    return status != "accepted"


STILL_ACCEPTED = {"manifest ('exactdp',)", "manifest ('command', 0)"}
"""What no certificate, table or file tells: the version that made it, how the program was called."""


@pytest.mark.property
@pytest.mark.parametrize("name", QUESTIONS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_field_that_was_changed_everywhere_is_found(bundles, tmp_path_factory, name, data):
    listed = list(mutations(bundles[name]))
    what, change = data.draw(st.sampled_from(listed))
    found = is_found(bundles[name], tmp_path_factory.mktemp("one"), what, change)
    assert found or what in STILL_ACCEPTED, what


@pytest.mark.slow
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


def _reading(**options):
    return lambda b: b.told["reading"].update(options)


def _named(name):
    def change(b):
        b.replace(b.told["table"]["name"], name)
        for says in ("subject", "sign-for"):
            b.line(says)["values"]["name"] = name
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
