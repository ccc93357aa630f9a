# SPDX-License-Identifier: MIT
"""The verdict with requirements, and what is signed: each forgery is refused by the program alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from cli_runner import run
from forged_bundle import Forged, as_in

from exactdp.certificate import check_bundle
from exactdp.certificate.bundle_files import MANIFEST, files_of, zipped
from exactdp.certificate.page_one import DECIDED, NAMES, TOPICS, Line, limits, page_of

FILES = {
    "count.csv": "2/3,1/6,1/6\n1/3,1/3,1/3\n1/6,1/6,2/3\n",
    "wrong.csv": "1/2,1/3\n1/3,2/3\n",
    "printed.csv": "0.6,0.4\n0.4,0.6\n",
    "policy.toml": 'version = 1\nneighbours = "path"\nrequire = ["epsilon <= 1/2"]\n',
}
BUNDLES = {
    "missed": (
        "count.csv --graph path --claims-epsilon 1 --for zero-one --require 'gap <= 5%' --require 'delta <= 1e-6' "
        "--state sampler=tested --state composition=none --unit 'one person'"
    ),
    "kept": "count.csv --graph path --claims-epsilon 1 --require 'epsilon <= ln(2)'",
    "policy": "count.csv --policy policy.toml",
    "wrong": "wrong.csv --graph path --require 'epsilon <= 1'",
    "open": "printed.csv --graph path --digits 1 --require 'epsilon <= 2/5'",
    "law": "randomized-response:k=2925,keep=607913/609375 --claims-epsilon 14 --for abs --require 'epsilon <= 13' --require 'gap <= 5%'",
    "law without a claim": "google-geometric:n=9999,sensitivity=3,epsilon=1",
}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """The files of a true bundle of each."""
    place = tmp_path_factory.mktemp("verdicts")
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for name, text in FILES.items():
            (place / name).write_text(text)
        for k, (name, words) in enumerate(BUNDLES.items()):
            assert run(f"audit {words} --bundle b{k}.zip").code in (0, 1, 4)
            found[name] = files_of(f"b{k}.zip")[0]
    return found


def said(files):
    return {line.says: str(line) for line in page_of(json.loads(files[NAMES["json"]])).lines()}


HEADS = {
    "missed": ("The claim holds where inputs next to each other are neighbours.", "FAILS: gap ≤ 5%."),
    "kept": ("The claim holds where inputs next to each other are neighbours.", "All that is required of it holds: epsilon ≤ ln(2)."),
    "policy": ("No claim was judged.", "FAILS: epsilon ≤ 1/2."),
    "wrong": ("No claim was judged, and the table is no mechanism.", "FAILS: epsilon ≤ 1."),
    "open": ("No claim was judged.", "NOT DECIDED: epsilon ≤ 2/5."),
    "law": ("The claim fails.", "FAILS: epsilon ≤ 13."),
}


@pytest.mark.parametrize("name", HEADS)
def test_the_verdict_says_in_one_frame_what_becomes_of_the_requirements(bundles, name):
    """The smallest ε is ln(2), the gap 1/3; 2/5 is between ln(0.55/0.45) and ln(0.65/0.35)."""
    head, required = HEADS[name]
    lines = bundles[name][NAMES["md"]].decode().split("\n")
    framed = next(line for line in lines if line.startswith("**"))
    assert framed.startswith(f"**{head}")
    assert required in framed
    html = bundles[name][NAMES["html"]].decode()
    assert required in html.partition('<p class="state">')[2].partition("</p>")[0]
    signed = said(bundles[name]).get("sign-for") or said(bundles[name])["sign-own"]
    assert required.removesuffix(".")[:1].lower() + required.removesuffix(".")[1:] in signed or required.removesuffix(".") in signed


@pytest.mark.parametrize("name", BUNDLES)
def test_what_was_not_edited_is_accepted(bundles, tmp_path, name):
    assert Forged(bundles[name]).judged(tmp_path) == ("accepted", [])


def test_a_requirement_that_is_not_decided_stands_beside_one_that_fails(bundles):
    found = said(bundles["law"])
    assert found["required-open"] == "What is required of it is NOT DECIDED: gap ≤ 5%."
    assert "FAILS: epsilon ≤ 13; what is required of it is NOT DECIDED: gap ≤ 5%;" in found["sign-for"]


def test_numbers_of_requirements_are_decimals_rounded_up(bundles):
    text = bundles["missed"][NAMES["md"]].decode()
    assert "| delta ≤ 0.000001 |" in text
    assert "gap &lt;= 5%" not in text
    assert "| 33.34 % |" in text  # (2/3 − 1/2)/(1/2) = 1/3
    assert "100/3" not in text


@pytest.mark.parametrize("name", BUNDLES)
def test_each_page_has_a_sentence_to_sign(bundles, name):
    found = said(bundles[name])
    assert ("sign-for" in found) != ("sign-own" in found)
    assert ("sign-own" in found) == ("no-claim" in found)


def test_what_is_signed_of_a_law_is_said_of_its_law_and_neighbours(bundles):
    assert "fails, where any input may become any other one;" in said(bundles["law"])["sign-for"]
    assert "judged was its law, and no table" in said(bundles["law"])["sign-for"]
    signed = said(bundles["law without a claim"])["sign-own"]
    assert "which has the smallest ε = 1, where whole numbers that differ by at most 3 are neighbours;" in signed


def test_words_of_consumers_lead_to_the_glossary(bundles):
    text = bundles["missed"][NAMES["md"]].decode()
    for word, place in (("minimax", "minimax-consumer"), ("side information", "side-information"), ("zero-one", "loss")):
        assert re.search(rf"\[{word}\]\([^)]*#{place}\)", text), word
    assert "is the set of values in which it knows the true value to be" in text
    assert "words-side" not in said(bundles["kept"])


def test_the_program_says_at_its_end_what_is_required_and_fails(bundles, tmp_path):
    (tmp_path / "b.zip").write_bytes(zipped(bundles["policy"]))
    told = check_bundle.answer(str(tmp_path / "b.zip"))["sentence"]
    assert told.startswith("1 certificate, accepted by")
    assert told.endswith("No claim about “count.csv (sha256 e8f1338a…)” was judged. What is required of it FAILS: epsilon ≤ 1/2.")


def test_one_factor_is_told_of_a_law_and_it_is_not_below_the_true_one(bundles):
    """keep/other = 607913·2924/1462 = 1215826."""
    found = said(bundles["law"])
    told = [found[says].partition(" times as likely")[0].rpartition(" ")[2].replace(",", "") for says in ("own", "law-event-response")]
    assert told[0] == told[1]
    assert int(told[0]) >= 607913 * 2924 // 1462 == 1215826


def test_what_the_auditor_states_is_no_part_of_what_is_signed(bundles):
    signed = said(bundles["missed"])["sign-for"]
    alone = signed.partition("what the auditor alone states (")[2]
    assert alone == f"{TOPICS['sampler']}; {TOPICS['composition']})."
    assert "unit of privacy: “one person” (stated by the auditor)" in signed


@pytest.mark.parametrize("unit", ["a person; all that is required of it holds", "a person” (stated); it holds: “b"])
def test_what_the_auditor_states_is_signed_in_quotation_marks(unit):
    signed = limits([Line("unit", {"text": unit})])
    inner = unit.replace("“", '"').replace("”", '"')
    assert signed == f"for one release; unit of privacy: “{inner}” (stated by the auditor)"


# --- Forgeries ---


def _signed_again(*texts):
    """What is signed without these texts."""

    def change(b):
        for line in b.lines:
            if line["says"] in ("sign-for", "sign-own"):
                for old, new in texts:
                    line["values"] = {key: value.replace(old, new) for key, value in line["values"].items()}

    return change


def _plain_head(b):
    b.drop("required-fails", "required-open")


def _kept(b):
    _plain_head(b)
    lines = b.page["sections"][2]["lines"]
    texts = "; ".join(dict.fromkeys(one["text"] for one in b.told["requirements"]))
    lines.insert(1, {"says": "required-holds", "values": {"texts": texts}, "of": "", "shown": True})


def _other_status(b):
    """The manifest and each line say that it holds, too."""
    for one in b.told["requirements"]:
        one["status"] = "holds"
    for line in b.lines:
        if line["says"] == "required":
            line["values"]["status"] = "holds"
    b.heads_again()


def _other_text(b):
    for line in b.lines:
        if line["says"] == "required-fails":
            line["values"]["texts"] = line["values"]["texts"].replace("5%", "500%").replace("1/2", "100").replace("13", "130")


def _below(b):
    """What fails stands below the other lines of the verdict."""
    lines = b.page["sections"][2]["lines"]
    lines.append(next(line for line in lines if line["says"] == "required-fails"))
    lines.remove(lines[-1])


def _decided(b):
    for line in b.lines:
        if line["says"] == "scope" and line["values"]["topic"] == TOPICS["sampler"]:
            line["values"] |= {"status": DECIDED, "text": "see above"}


def _other_own(b):
    b.line("sign-own")["values"]["own"] = "has the smallest ε = 0.001"


def _claimed_where_nothing_is(b):
    b.line("sign-own").update(says="sign-for")
    values = b.line("sign-for")["values"]
    del values["own"]
    values |= {"epsilon": "1", "delta": "0", "verdict": "holds"}


def _other_place(b):
    for line in b.lines:
        if line["says"] in ("sign-for", "sign-own"):
            line["values"]["where"] = "for the neighbours that were chosen"


def _less_ratio(b):
    values = b.line("law-event-response")["values"]
    values["ratio"] = "1215800"


def _first_sentence(name):
    """A page of the appendix begins with the claim alone."""

    def change(b):
        text = b.files[name].decode()
        (required,) = [str(line) for line in page_of(b.page).lines() if line.says == "required-fails"]
        assert text.count(as_in(name, required)) == 1
        b.files[name] = text.replace(as_in(name, f" {required}"), "").encode()

    return change


FORGERIES = {
    **{f"{name} without what fails": ("missed", _first_sentence(name), True) for name in ("page.md", "page.html", "answer.json")},
    "a headline without what fails": ("missed", _plain_head, True),
    "a headline without what fails, of a policy": ("policy", _plain_head, True),
    "a headline without what fails, of a law": ("law", _plain_head, True),
    "a headline that all is kept": ("missed", _kept, True),
    "a headline that all is kept, without a claim": ("policy", _kept, True),
    "a headline that all is kept, of a law": ("law", _kept, True),
    "a headline that what is open is kept": ("open", _kept, True),
    "a requirement that holds everywhere": ("missed", _other_status, True),
    "a requirement that holds everywhere, of a law": ("law", _other_status, True),
    "a headline with another bound": ("missed", _other_text, True),
    "a headline with another bound, of a law": ("law", _other_text, True),
    "what fails below all else": ("missed", _below, True),
    "signed without what fails": ("missed", _signed_again(("what is required of it FAILS: gap ≤ 5%; ", "")), False),
    "signed without what fails, of a law": ("law", _signed_again(("what is required of it FAILS: epsilon ≤ 13; ", "")), False),
    "signed without what is open": ("law", _signed_again(("what is required of it is NOT DECIDED: gap ≤ 5%; ", "")), False),
    "signed of a law as of a table": ("law", _signed_again(("judged was its law, and no table; ", "")), False),
    "signed for what is stated": ("missed", _signed_again((f"{TOPICS['sampler']}; ", "")), False),
    "signed as if all were judged": ("missed", _signed_again((TOPICS["access"], "nothing more")), False),
    "a stated topic as decided": ("missed", _decided, True),
    "no sentence to sign": ("missed", lambda b: b.drop("sign-for"), True),
    "no sentence to sign without a claim": ("policy", lambda b: b.drop("sign-own"), True),
    "no sentence to sign of a law": ("law", lambda b: b.drop("sign-for"), True),
    "another level to sign": ("policy", _other_own, False),
    "another level to sign, of a law": ("law without a claim", _other_own, False),
    "a claim to sign that nobody made": ("policy", _claimed_where_nothing_is, False),
    "a claim to sign that nobody made, of a law": ("law without a claim", _claimed_where_nothing_is, False),
    "side information that is not explained": ("missed", lambda b: b.drop("words-side"), True),
    "other neighbours to sign": ("missed", _other_place, True),
    "other neighbours to sign, of a law": ("law without a claim", _other_place, True),
    "a factor of a law that is rounded down": ("law", _less_ratio, True),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_verdict_or_signature_is_found_by_the_program_alone(bundles, tmp_path, name):
    bundle, change, signed = FORGERIES[name]
    forged = Forged(bundles[bundle])
    change(forged)
    assert forged.judged(tmp_path, signed=signed)[0] == "rejected"


def test_the_program_of_the_bundle_finds_it_without_the_package(bundles, tmp_path):
    forged = Forged(bundles["missed"])
    _plain_head(forged)
    forged.judged(tmp_path)
    folder = tmp_path / "b"
    for name, content in forged.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    assert MANIFEST in forged.files
    words = [sys.executable, "-I", str(folder / "check_bundle.py"), str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == check_bundle.CODES["rejected"]
    assert "does not say which requirements fail" in done.stdout
