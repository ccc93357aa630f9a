# SPDX-License-Identifier: MIT
"""The papers' page has every statement of the records, can be searched, and leads to each certificate."""

from __future__ import annotations

import json
import re
import tomllib
from html import unescape
from urllib.parse import quote
from zipfile import ZipFile

import pytest
from browser import BROWSER
from devtools import browsing, served
from places import ROOT

from exactdp.certificate.verification import answers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(580)]

DONE = 'document.querySelector("article") && !document.querySelector("article[data-status=waits], article[data-status=checking]")'
ANSWERS = '[...document.querySelectorAll("article")].map(a => [a.dataset.status, a.querySelector(".said")?.textContent])'
SHOWN = '[...document.querySelectorAll("table.statements tbody tr")].filter(r => r.getClientRects().length).length'


def claims():
    """The entries of the records, as the files have them."""
    for file in sorted((ROOT / "proofs").glob("*/claims.toml")):
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["claim"]:
            yield file.parent, entry


def plain(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def rows(site):
    """The rows of the tables by the ids of their statements, each with its HTML."""
    page = (site / "papers.html").read_text(encoding="utf-8")
    found = re.findall(r"<tr class=\"\w+\"><th scope=\"row\">.*?</tr>", page, re.DOTALL)
    return {re.search(r'id="([^"]+)"', row)[1]: row for row in found}


@pytest.fixture(scope="module")
def opened(site):
    """A browser, the address of the site, and what its server was asked for."""
    if BROWSER is None:
        pytest.skip("oracle missing: chromium")
    with served(site) as (address, asked), browsing() as tab:
        tab.open("about:blank")
        yield tab, address, asked


def go(tab, address, name):
    tab("Page.navigate", url=f"{address}/{name}")
    tab.wait(f"location.href === {json.dumps(f'{address}/{name}')} && document.readyState === 'complete'")


def test_every_statement_has_a_row_with_all_that_is_recorded(rows):
    recorded = list(claims())
    assert len(rows) == len(recorded) > 280
    for folder, entry in recorded:
        row = rows[entry["id"].replace("/", "-")]
        said = unescape(re.sub(r"<[^>]+>", "", row))
        for key in ("locator", "printed", "statement", "scope", "status", "repair", "counterexample", "reason"):
            assert plain(entry.get(key, "")) in said, (entry["id"], key)
        for theorem in entry.get("coq", []):
            assert f"<code>{theorem.replace(chr(39), '&#x27;')}</code>" in row
        for name in entry.get("certificates", []):
            assert f'href="certificates/{folder.name}/{name}.edp.json" download' in row
            assert f"verifier/index.html?file={folder.name}/{name}.edp.json" in row


def test_the_certificates_are_those_of_the_records(site):
    named = {f"{folder.name}/{name}.edp.json" for folder, entry in claims() for name in entry.get("certificates", [])}
    place = site / "certificates"
    assert json.loads((place / "names.json").read_text(encoding="utf-8")) == sorted(named)
    assert {file.relative_to(place).as_posix() for file in place.rglob("*.edp.json")} == named
    for name in named:
        folder, file = name.split("/")
        assert (place / name).read_bytes() == (ROOT / "proofs" / folder / "certificates" / file).read_bytes()


def test_the_arguments_of_a_row_can_be_downloaded_and_replayed(site, rows, tmp_path):
    """Each by itself, and all of a text together, as one needs the other."""
    named = {(folder, name, entry["id"]) for folder, entry in claims() for name in entry.get("argument", [])}
    assert len(named) > 40
    for folder, name, statement in named:
        file = f"{folder.name}/{name.split('.')[0]}.json"
        assert f'<a href="arguments/{file}" download><code>{name}</code></a>' in rows[statement.replace("/", "-")]
        assert (site / "arguments" / file).read_bytes() == (folder / "arguments" / f"{name.split('.')[0]}.json").read_bytes()
    page = (site / "papers.html").read_text(encoding="utf-8")
    archives = {path.name for path in (site / "arguments").glob("*.zip")}
    assert archives == {f"{folder.name}.zip" for folder, _, _ in named} == set(re.findall(r'href="arguments/(\w+\.zip)"', page))
    for archive in archives:
        with ZipFile(site / "arguments" / archive) as packed:
            packed.extractall(tmp_path)
        folder = tmp_path / archive.removesuffix(".zip")
        found = [checked.status for checked, _ in answers(sorted(folder.glob("*.json")))]
        assert set(found) == {"replayed"}
        assert len(found) == len(list((ROOT / "proofs" / folder.name / "arguments").glob("*.json")))


def test_rows_are_found_by_words_text_verdict_and_certificates(opened):
    tab, address, _ = opened
    go(tab, address, "papers.html")
    recorded = [entry for _, entry in claims()]

    def shown(words="", text="", verdict="", files=False):
        value = {"words": words, "text": text, "verdict": verdict}
        tab.value(f"for (const [id, x] of Object.entries({json.dumps(value)})) document.getElementById(id).value = x")
        tab.value(f'document.getElementById("files").checked = {json.dumps(files)}')
        tab.value('document.getElementById("words").dispatchEvent(new Event("input", {bubbles: true}))')
        count = tab.value('document.getElementById("count").textContent')
        found = tab.value(SHOWN)
        assert count == (f"{found} of {len(recorded)} statements" if found else "no statement is like that")
        return found

    assert shown() == len(recorded)
    assert shown(verdict="refuted") == sum(entry["status"] == "refuted as printed" for entry in recorded)
    paper = "gupte_sundararajan"
    assert shown(text=paper) == sum(entry["id"].startswith(f"{paper}/") for entry in recorded)
    assert shown(files=True) == sum(bool(entry.get("certificates")) for entry in recorded)
    both = [entry for entry in recorded if entry["id"].startswith(f"{paper}/") and entry["status"] == "imprecise as printed"]
    assert shown(text=paper, verdict="imprecise") == len(both)
    assert shown(words="  DISTANCE_OPTIMAL_IFF ") == sum("distance_optimal_iff" in str(entry).lower() for entry in recorded) > 0
    assert shown(words="168/415 Table") > 0
    assert shown(words="<b>") == shown(words="no such thing as this") == 0
    assert tab.value('[...document.querySelectorAll("section section")].every(s => s.hidden)')
    tab.value('location.hash = "#gupte_sundararajan-T1c"')
    tab.wait(f"{SHOWN} === {len(recorded)}")
    assert tab.told == []


def test_without_scripts_all_rows_are_there_and_no_box(opened):
    tab, address, _ = opened
    tab("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab("Page.navigate", url=f"{address}/papers.html?plain")
        tab.wait('location.search === "?plain" && document.readyState === "complete"')
        assert tab.value(SHOWN) == sum(1 for _ in claims())
        assert tab.value('document.getElementById("filter").getClientRects().length') == 0
    finally:
        tab("Emulation.setScriptExecutionDisabled", value=False)


def test_nothing_in_the_page_needs_more_than_its_own_scripts(site):
    """A policy without inline scripts, handlers and styles would change nothing of the tables and the box."""
    page = (site / "papers.html").read_text(encoding="utf-8")
    made = page[page.index('<link rel="stylesheet" href="papers/papers.css">') : page.rindex("</table>")]
    assert re.findall(r"<script(?! type=\"module\" src=\"papers/filter.js\"></script>)|<style|\bon\w+=|\bstyle=|javascript:", made) == []


def test_a_link_of_a_row_verifies_its_certificates_at_once(opened):
    tab, address, _ = opened
    folder, entry = next((folder, entry) for folder, entry in claims() if len(entry.get("certificates", [])) == 2)
    files = [folder / "certificates" / f"{name}.edp.json" for name in entry["certificates"]]
    go(tab, address, "papers.html")
    tab.value(f"""document.getElementById({json.dumps(entry["id"].replace("/", "-"))}).closest("tr")
        .querySelector("li:last-child > a").click()""")
    tab.wait('location.pathname === "/verifier/index.html"')
    tab.wait(DONE, 110)
    assert tab.value(ANSWERS) == [[checked.status, checked.sentence] for checked, _ in answers(files)]
    assert {status for status, _ in tab.value(ANSWERS)} == {"accepted"}
    assert tab.told == []


HOSTILE = [
    "gupte_sundararajan/no-such-file.edp.json",
    "../verifier/built.json",
    "names.json",
    "gupte_sundararajan/../names.json",
    "https://example.org/c.edp.json",
    "//example.org/c.edp.json",
    "\\\\example.org\\c.edp.json",
    "data:application/json,{}",
    "javascript:alert(1)",
    "<img src=x onerror=\"document.title='taken'\">",
    "\u202egpj.\x00",
    "constructor",
    "a" * 3000,
    "",
]


def test_the_verifier_takes_no_other_names(opened):
    """It asks for the list of names and for nothing else, and what is in its address stays text."""
    tab, address, asked = opened
    asked.clear()
    tab.asked.clear()
    go(tab, address, "verifier/index.html?" + "&".join(f"file={quote(name, safe='')}" for name in HOSTILE))
    tab.wait(f'document.querySelectorAll("article").length === {len(HOSTILE)}')
    told = {tuple(answer) for answer in tab.value(ANSWERS)}
    assert told == {("unreadable", "this site has no certificate of that name")}
    # a browser may have kept the list, and then the server does not hear of it
    assert {url for url in tab.asked if url.startswith(f"{address}/certificates/")} == {f"{address}/certificates/names.json"}
    assert {path for path in asked if path.startswith("/certificates/")} <= {"/certificates/names.json"}
    own = (f"{address}/verifier/", f"{address}/certificates/names.json", f"blob:{address}/", "data:,")
    assert [url for url in tab.asked if not url.startswith(own)] == []
    assert tab.value('document.querySelectorAll("article img, article script").length') == 0
    assert tab.value("document.title").startswith("Verify")
    heads = tab.value('[...document.querySelectorAll("article h3")].map(h => h.textContent)')
    assert "\\u{202e}gpj.\\u{0}" in heads
    assert max(map(len, heads)) <= 200
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    go(tab, address, "verifier/index.html?" + "&".join(f"file={k}" for k in range(3000)))
    tab.wait('document.querySelectorAll("article").length > 0')
    assert tab.value('document.querySelectorAll("article").length') == 50
    assert tab.told == []
