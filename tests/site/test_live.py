# SPDX-License-Identifier: MIT
"""Sessions of the pages run in the browser, and give what the pages say."""

from __future__ import annotations

import doctest
import json
import runpy
import time
from urllib.parse import quote

import pytest
from browser import BROWSER
from devtools import browsing, served
from places import ROOT

DOCS = ROOT / "docs"
BUILD = runpy.run_path(str(DOCS / "live" / "build.py"))
RUN = runpy.run_path(str(DOCS / "live" / "run.py"))["run"]
STATE = 'document.getElementById("state").textContent'
READY = 'document.getElementById("state")?.textContent === "Python starts with the first run."'
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def expected(name, blocks):
    """What a page says that its sessions print."""
    parser = doctest.DocTestParser()
    found = [
        example
        for block in BUILD["BLOCK"].findall((DOCS / f"{name}.md").read_text(encoding="utf-8"))
        for example in parser.get_examples(block)
    ]
    assert "".join(example.source for example in found) == "\n".join([*blocks, ""])
    return "".join(f"line ...: {example.exc_msg}" if example.exc_msg else example.want for example in found)


def same(want, got):
    return doctest.OutputChecker().check_output(want, got, FLAGS)


def test_pages_whose_sessions_do_not_run_are_known():
    for name in BUILD["ELSEWHERE"]:
        assert BUILD["sessions"]((DOCS / f"{name}.md").read_text(encoding="utf-8")), name
    assert len(BUILD["examples"]()) > 35


@pytest.mark.parametrize("name", ["how-to/table-level", "explanation/dual", "labels"])
def test_a_session_is_run_as_one_types_it(name):
    blocks = BUILD["examples"]()[name]
    assert same(expected(name, blocks), RUN("\n".join(blocks)))


def test_another_wheel_is_refused(tmp_path, monkeypatch):
    (tmp_path / "flint.whl").write_bytes(b"something else")
    monkeypatch.setenv(BUILD["VARIABLE"], str(tmp_path / "flint.whl"))
    with pytest.raises(BUILD["WheelError"], match="pins"):
        BUILD["wheel"]()


@pytest.mark.slow
def test_the_archive_is_the_same_each_time():
    assert BUILD["packages"]() == BUILD["packages"]()


@pytest.fixture(scope="module")
def opened(site):
    """The page in a browser whose Python has started, and the address of the site."""
    if BROWSER is None:
        pytest.skip("oracle missing: chromium")
    with served(site) as (address, _), browsing() as tab:
        tab.open(f"{address}/live/index.html?page=how-to/gap&sessions=1")
        tab.wait(READY)
        assert run(tab, None, 110)
        yield tab, address
        assert tab.told == []
        assert [url for url in tab.asked if not url.startswith((f"{address}/", f"blob:{address}/", "data:,"))] == []


def run(tab, code, seconds=60):
    """What code prints, in place of what the page has."""
    if code is not None:
        tab.value(f'document.getElementById("code").value = {json.dumps(code)}')
    tab.value('document.getElementById("run").click()')
    tab.wait(f"{STATE} === 'Done.'", seconds)
    return tab.value('document.getElementById("output").textContent')


@pytest.mark.slow
@pytest.mark.timeout(580)
def test_all_sessions_give_what_the_pages_say(site, opened):
    tab, _ = opened
    listed = json.loads((site / "live" / "examples.json").read_text(encoding="utf-8"))
    assert listed == BUILD["examples"]()
    wrong = []
    for name, blocks in listed.items():
        tab.value(f"""(() => {{ const page = document.getElementById("page"); page.value = {json.dumps(name)};
            page.dispatchEvent(new Event("change")); }})()""")
        assert tab.value('document.getElementById("code").value') == "\n\n".join(blocks)
        got = run(tab, None, 110)
        if not same(expected(name, blocks), got):
            wrong.append((name, got))
    assert wrong == []


@pytest.mark.slow
@pytest.mark.timeout(580)
def test_the_wheel_is_for_the_verifiers_pyodide(site):
    info = json.loads((site / "verifier" / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    pinned = json.loads((DOCS / "live" / "wheel.json").read_text(encoding="utf-8"))
    assert pinned["platform"] == f"pyemscripten_{info['abi_version']}_{info['arch']}"
    assert info["python"].startswith(f"{pinned['python']}.")


@pytest.mark.slow
@pytest.mark.timeout(580)
def test_pages_lead_to_their_sessions(site):
    for name, blocks in BUILD["examples"]().items():
        page = (site / f"{name}.html").read_text(encoding="utf-8")
        for count in range(1, len(blocks) + 1):
            assert f'live/index.html?page={name}&amp;sessions={count}"' in page, name
    assert not any('class="live"' in (site / f"{name}.html").read_text(encoding="utf-8") for name in BUILD["ELSEWHERE"])


@pytest.mark.slow
@pytest.mark.timeout(580)
def test_what_does_not_end_is_ended_and_python_starts_again(opened):
    tab, _ = opened
    tab.value('document.getElementById("seconds").value = 1; document.getElementById("code").value = "while True: pass"')
    tab.value('document.getElementById("run").click()')
    began = time.monotonic()
    assert tab.value("1 + 1") == 2
    assert time.monotonic() - began < 20
    tab.wait(f"{STATE} === 'Stopped after 1 s.'")
    tab.value('document.getElementById("seconds").value = 60')
    assert (
        run(tab, "1 / 0\n'<img src=x onerror=alert(1)>'", 110)
        == "line 1: ZeroDivisionError: division by zero\n'<img src=x onerror=alert(1)>'\n"
    )
    assert tab.value('document.querySelectorAll("img").length') == 0


@pytest.mark.slow
@pytest.mark.timeout(580)
@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "constructor", "__proto__", "../x", "how-to/gap\x00"])
def test_an_address_names_a_page_of_the_list_or_nothing(opened, name):
    tab, address = opened
    tab("Page.navigate", url=f"{address}/live/index.html?sessions=-7&page={quote(name, safe='')}")
    tab.wait(f"location.search.length > 13 && {READY}")
    assert tab.value('document.getElementById("code").value') == "\n\n".join(BUILD["examples"]()["explanation/level"])
    assert tab.value('document.querySelectorAll("img, main script").length') == 0
