# SPDX-License-Identifier: MIT
"""Requirements that were added, left out or told of another number: the program alone finds each."""

from __future__ import annotations

import copy
import json
import re

import pytest
from cli_runner import run
from forged_bundle import Forged

from exactdp.certificate import check_bundle
from exactdp.certificate.bundle_files import files_of
from exactdp.certificate.page_one import quoted, seen

FILES = {
    "t.csv": "0.6,0.4\n0.4,0.6\n",
    "t3.csv": "0.7,0.2,0.1\n0.4,0.4,0.2\n0.2,0.4,0.4\n",
    "others.csv": '"",x,y\n0,0,1\n1,1,0\n2,3,1\n',
}
BUNDLES = {
    "level": "t.csv --graph path --claims-epsilon 2 --require 'epsilon <= 2'",
    "delta": "t3.csv --graph path --claims-epsilon 1 --require 'epsilon <= 1' --require 'delta <= 1/10'",
    "gaps": "t3.csv --graph path --claims-epsilon 1 --for abs --for 'zero-one prior=uniform' --require 'gap <= 50%'",
    "open": "t3.csv --graph path --claims-epsilon 1 --for abs --for others.csv --require 'gap <= 500%' --require 'gap after remap <= 500%'",
}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """The files of a true bundle of each."""
    place = tmp_path_factory.mktemp("requirements")
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for name, text in FILES.items():
            (place / name).write_text(text)
        for name, words in BUNDLES.items():
            assert run(f"audit {words} --bundle {name}.zip").code in (0, 1, 4)
            found[name] = files_of(f"{name}.zip")[0]
    return found


def required(b):
    return [line for line in b.lines if line["says"] == "required"]


def with_requirement(b, text, part, status):
    """One more requirement, on the page, in the manifest and in the command line."""
    b.told["requirements"].append({"text": text, "status": status, "part": part})
    section = next(section for section in b.page["sections"] if any(line["says"] == "required" for line in section["lines"]))
    place = max(k for k, line in enumerate(section["lines"]) if line["says"] == "required")
    line = copy.deepcopy(section["lines"][place])
    line["values"] |= {"text": text, "status": status, "figure": "–"}
    section["lines"].insert(place + 1, line | {"of": part})
    b.told["command"] += ["--require", text]
    next(line for line in b.lines if line["says"] == "command")["values"]["command"] = seen(quoted(b.told["command"]))
    b.heads_again()


def without_requirements(b, is_meant):
    b.told["requirements"] = [one for one in b.told["requirements"] if not is_meant(one["text"], one["status"], one["part"])]
    for section in b.page["sections"]:
        kept = section["lines"]
        section["lines"] = [
            line
            for line in kept
            if line["says"] != "required" or not is_meant(line["values"]["text"], line["values"]["status"], line["of"])
        ]
    b.heads_again()


def without_certificate(b, part):
    """A certificate is left out, and told as one that could not be made."""
    reason = "there is not enough memory"
    certificate = next(one for one in b.told["certificates"] if one["part"] == part)
    b.told["certificates"].remove(certificate)
    b.told["parts"] = [one for one in b.told["parts"] if one["name"] != certificate["file"]]
    del b.files[certificate["file"]]
    b.told["without"][part] = reason
    html = re.sub(rf"<dt>{part}: accepted</dt><dd>[^<]*<br><code>[^<]*</code></dd>", "", b.files["page.html"].decode())
    none = f"<dt>{part}: none</dt><dd>{reason}</dd>"
    html = html.replace(f"<h2>{check_bundle.SECTION}</h2>\n<dl>", f"<h2>{check_bundle.SECTION}</h2>\n<dl>{none}")
    text = re.sub(rf"- {part}: accepted: [^\n]*\n", "", b.files["page.md"].decode())
    text = text.replace(f"## {check_bundle.SECTION}\n\n", f"## {check_bundle.SECTION}\n\n- {part}: none: {reason}\n")
    answer = json.loads(b.files["answer.json"])
    answer["checker"] = [one for one in answer["checker"] if one["part"] != part] + [{"part": part, "status": "none", "sentence": reason}]
    b.files |= {"page.html": html.encode(), "page.md": text.encode(), "answer.json": json.dumps(answer).encode()}
    row = next(line for line in b.lines if line["says"] == "row" and part.startswith(line["of"]))
    row["values"] |= {"deployed": "–", "gap": "–"}
    without_requirements(b, lambda _, __, of: of == part)


def told_about(b, about):
    next(line for line in required(b) if line["values"]["status"] == "undecided")["values"]["about"] = about


FORGERIES = {
    "a smaller ε by the certificate of a larger one": ("level", lambda b: with_requirement(b, "epsilon <= 0.1", "privacy", "holds")),
    "a larger α by the certificate of a smaller one": ("level", lambda b: with_requirement(b, "alpha >= 0.999", "privacy", "holds")),
    "a smaller δ": ("delta", lambda b: with_requirement(b, "delta <= 1e-9", "delta", "holds")),
    "a gap that fails, and its certificate": ("gaps", lambda b: without_certificate(b, "consumer-2-deployed")),
    "gaps that are not decided": ("open", lambda b: without_requirements(b, lambda _, status, __: status == "undecided")),
    "words about a gap that is not decided": ("open", lambda b: told_about(b, "gap as deployed, consumer 1: it is 0, best possible")),
}


@pytest.mark.parametrize("name", BUNDLES)
def test_what_was_not_edited_is_accepted(bundles, tmp_path, name):
    assert Forged(bundles[name]).judged(tmp_path) == ("accepted", [])


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_requirement_is_found(bundles, tmp_path, name):
    bundle, change = FORGERIES[name]
    forged = Forged(bundles[bundle])
    change(forged)
    assert forged.judged(tmp_path)[0] == "rejected"
