# SPDX-License-Identifier: MIT
"""A bundle of which parts are changed, and all is made again consistently: what a forger would hand over."""

from __future__ import annotations

import html
import json

from exactdp.certificate import bundle_files, check_bundle
from exactdp.certificate.bundle_files import MANIFEST
from exactdp.certificate.page_one import (
    HEADS,
    NAMES,
    REQUIRED_HEADS,
    limits,
    open_topics,
    page_of,
    required_heads,
    signed_own,
    with_requirements,
)
from exactdp.certificate.page_one_formats import WRITTEN
from exactdp.checker.kernel import check_bytes


def as_in(name, text):
    """A text as a page of this name has it."""
    if name.endswith("html"):
        return html.escape(text)
    return json.dumps(text)[1:-1] if name.endswith("json") else text


def heads_again(page, requirements):
    """What the verdict, and what is signed, says of the requirements is made again, in page one as JSON."""
    for section in page["sections"]:
        section["lines"] = [line for line in section["lines"] if line["says"] not in REQUIRED_HEADS]
    found = required_heads([(one["text"], one["status"]) for one in requirements])
    page["sections"][2]["lines"][1:1] = [vars(line) | {"values": dict(line.values)} for line in found]
    lines = list(page_of(page).lines())
    for line in page["sections"][5]["lines"]:
        if line["says"] in ("sign-for", "sign-own"):
            line["values"]["limits"] = limits(lines)


class Forged:
    """The files of a bundle, of which parts are changed; then all is made again but certificates."""

    def __init__(self, files):
        self.files = dict(files)
        self.body = json.loads(files[MANIFEST])
        self.page = json.loads(files[NAMES["json"]])

    @property
    def told(self):
        return self.body["predicate"]

    @property
    def lines(self):
        return [line for section in self.page["sections"] for line in section["lines"]]

    def line(self, says):
        return next(line for line in self.lines if line["says"] == says)

    def drop(self, *dropped):
        for section in self.page["sections"]:
            section["lines"] = [line for line in section["lines"] if line["says"] not in dropped]

    def heads_again(self):
        """What the verdict says of the requirements, from what the manifest says of them now."""
        old = "".join(f" {line}" for line in page_of(self.page).lines() if line.says in REQUIRED_HEADS)
        heads_again(self.page, self.told.get("requirements", []))
        new = with_requirements("", self.told.get("requirements", [])).rstrip()
        for name in ("page.md", "page.html", "answer.json") if old else ():
            self.files[name] = self.files[name].decode().replace(as_in(name, old), as_in(name, new), 1).encode()

    def replace(self, old, new):
        """A text in the manifest, in page one and in the appendix."""
        old_json, new_json = json.dumps(old)[1:-1], json.dumps(new)[1:-1]
        self.body = json.loads(json.dumps(self.body).replace(old_json, new_json))
        self.page = json.loads(json.dumps(self.page).replace(old_json, new_json))
        pairs = {"answer.json": (old_json, new_json), "page.md": (old, new), "page.html": (html.escape(old), html.escape(new))}
        for name, (before, after) in pairs.items():
            self.files[name] = self.files[name].decode().replace(before, after).encode()

    def put_certificate(self, part, data):
        """An accepted certificate in the place of that of a part, told so on every page."""
        answer = check_bytes(data)
        assert answer.status == "accepted"
        one = next(one for one in self.told["certificates"] if one["part"] == part)
        old, new = (f"{one['sentence']} `{one['digest']}`", f"{answer.sentence} `{answer.digest}`")
        old_html = f"{html.escape(one['sentence'])}<br><code>{one['digest']}</code>"
        new_html = f"{html.escape(answer.sentence)}<br><code>{answer.digest}</code>"
        self.files[one["file"]] = data
        one |= {"sentence": answer.sentence, "digest": answer.digest}
        body = json.loads(self.files["answer.json"])
        for each in body["checker"]:
            if each["part"] == part:
                each |= {"sentence": answer.sentence, "digest": answer.digest}
        self.files["answer.json"] = json.dumps(body).encode()
        self._in_page("page.md", f"- {part}: accepted: {old}", f"- {part}: accepted: {new}")
        self._in_page("page.html", f"<dt>{part}: accepted</dt><dd>{old_html}", f"<dt>{part}: accepted</dt><dd>{new_html}")

    def without_certificates(self, *parts):
        """The certificates of parts are gone, with all that pages say of them."""
        for part in parts:
            one = next(one for one in self.told["certificates"] if one["part"] == part)
            self.told["certificates"].remove(one)
            self.told["parts"] = [each for each in self.told["parts"] if each["name"] != one["file"]]
            del self.files[one["file"]]
            body = json.loads(self.files["answer.json"])
            body["checker"] = [each for each in body["checker"] if each["part"] != part]
            self.files["answer.json"] = json.dumps(body).encode()
            entry = f"<dt>{part}: accepted</dt><dd>{html.escape(one['sentence'])}<br><code>{one['digest']}</code></dd>"
            self._in_page("page.html", entry, "")
            self._in_page("page.md", f"- {part}: accepted: {one['sentence']} `{one['digest']}`\n", "")

    def _in_page(self, name, old, new):
        text = self.files[name].decode()
        assert text.count(old) == 1
        self.files[name] = text.replace(old, new).encode()

    def file(self, name, content):
        """Another input, whose digests stand wherever those of the first one stood."""
        before, after = (bundle_files.sha256(data) for data in (self.files[f"inputs/{name}"], content))
        self.replace(before, after)
        self.replace(before[:8], after[:8])
        self.files[f"inputs/{name}"] = content

    def judged(self, place, *, signed=True):
        """The status, and what is said."""
        lines = list(page_of(self.page).lines())
        heads = [line for line in lines if line.says in HEADS]
        for line in self.lines:
            if line["says"] in ("sign-for", "sign-own") and signed and heads:
                line["values"] |= {"limits": limits(lines), "open": open_topics(lines)}
                line["values"] |= {"own": signed_own(lines)} if line["says"] == "sign-own" else {}
        page = page_of(self.page)
        for kind, name in NAMES.items():
            self.files[name] = WRITTEN[kind](page).encode()
        for part in self.told["parts"]:
            part["digest"]["sha256"] = bundle_files.sha256(self.files[part["name"]])
        digests = {part["name"]: part["digest"] for part in self.told["parts"]}
        for subject in self.body["subject"]:
            subject["digest"] = digests.get(subject["name"], subject["digest"])
        self.told["digest"] = bundle_files.own_digest(self.body)
        self.files[MANIFEST] = bundle_files.written(self.body)
        (place / "forged.zip").write_bytes(bundle_files.zipped(self.files))
        answer = check_bundle.answer(str(place / "forged.zip"))
        return answer["status"], [fault["sentence"] for fault in answer["faults"]]
