# SPDX-License-Identifier: MIT
"""The verifier in the browser, as a user has it: a served folder, Chromium, files that are dropped."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import shutil
import socketserver
import threading

import pytest
from browser import BROWSER
from cli_runner import run
from devtools import browsing, served
from places import CORPUS, ROOT

from exactdp.certificate.verification import answers
from exactdp.errors import printable

pytestmark = pytest.mark.slow

ANSWERS = """[...document.querySelectorAll("article")].map(a => [a.querySelector("h3").textContent, a.dataset.status,
    a.querySelector(".said")?.textContent, a.querySelector("code")?.textContent ?? null])"""
DONE = 'document.querySelector("article") && !document.querySelector("article[data-status=waits], article[data-status=checking]")'

CLEARABLE = '!document.querySelector("article") || !document.querySelector("#clear").disabled'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The page as it is published."""
    if BROWSER is None:
        pytest.skip("oracle missing: chromium")
    spec = importlib.util.spec_from_file_location("verifier_build", ROOT / "docs" / "verifier" / "build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    try:
        package = build.tarball()
    except build.PyodideError as error:
        pytest.skip(f"oracle missing: {error}")
    place = tmp_path_factory.mktemp("verifier")
    build.build(place, package)
    return place


@pytest.fixture(scope="module")
def opened(folder):
    """A page whose checker has started, in which several tests go on; what the server was asked for."""
    with served(folder) as (address, asked), browsing() as tab:
        tab.open(f"{address}/index.html")
        tab.wait('document.querySelector("#state")?.textContent === "The checker is ready."', 110)
        yield tab, address, asked


@pytest.fixture
def page(opened):
    """That page without answers. At the end its console is empty, and it has asked nobody but its server."""
    tab, address, _ = opened
    tab.wait(CLEARABLE, 110)  # after an answer its tables may still be on their way
    tab.value('document.querySelector("#seconds").value = 120; document.querySelector("#clear").click()')
    yield tab
    assert tab.told == []
    assert [url for url in tab.asked if not url.startswith((f"{address}/", f"blob:{address}/", "data:,"))] == []


def sealed(claim, definitions, witness):
    """A certificate of version 0.2."""
    content = {"format": "exactdp-certificate", "version": "0.2", "claim": claim, "definitions": definitions, "witness": witness}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return json.dumps({**content, "digest": "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()})


def expected(files):
    """What ``exactdp verify`` says of each."""
    return [
        [printable(file.name), checked.status, printable(checked.sentence), checked.digest]
        for file, (checked, _) in zip(files, answers(files), strict=True)
    ]


@pytest.mark.timeout(580)
def test_the_whole_corpus_has_the_answers_of_the_command(page):
    """The sentences, too, but for those of Python's reader of JSON, which differ between its versions."""
    files = sorted(CORPUS.glob("*/*.edp.json"))
    page.choose("#files", files)
    page.wait(DONE, 560)
    reader = "$: not JSON in UTF-8: "
    found, told = page.value(ANSWERS), expected(files)
    assert len(found) == len(told) > 500
    for here, there in zip(found, told, strict=True):
        if there[2].startswith(reader):
            here[2], there[2] = here[2][: len(reader)], reader
        assert here == there
    assert {status for _, status, _, _ in found} == {"accepted", "rejected", "malformed", "limit"}


def test_two_samples_are_a_click_away(page):
    """One that holds, and the same with another number: both are checked as files of one's own."""
    page.value('document.querySelectorAll("#samples button").forEach(button => button.click())')
    page.wait(f'document.querySelectorAll("article").length === 2 && {DONE}', 110)
    files = [ROOT / "docs" / "verifier" / "samples" / f"{name}.edp.json" for name in ("optimal-geometric", "optimal-geometric-changed")]
    found = page.value(ANSWERS)
    assert sorted(found) == sorted(expected(files))
    assert {status for _, status, _, _ in found} == {"accepted", "rejected"}


def test_files_may_be_dropped_and_their_definitions_are_tables(page):
    page.look(width=1100, dark=False)
    x, y = page.value('(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector("#drop").getBoundingClientRect())')
    page.drop([CORPUS / "accept" / "level-geometric.edp.json"], x, y)
    page.wait(DONE)
    page.wait('document.querySelector("article details")')
    assert page.value(ANSWERS)[0][1] == "accepted"
    definitions = json.loads((CORPUS / "accept" / "level-geometric.edp.json").read_text())["definitions"]
    assert page.value('[...document.querySelectorAll("article h4")].map(x => x.textContent)') == [
        f"{name}: {of['type']}" for name, of in definitions.items()
    ]
    ran = page.value('Object.fromEntries([...document.querySelectorAll("#ran tr")].map(r => [...r.cells].map(c => c.textContent)))')
    kernel = (ROOT / "exactdp" / "checker" / "kernel.py").read_bytes()
    assert ran["kernel.py"] == "sha256:" + hashlib.sha256(kernel).hexdigest()
    assert ran["Pyodide"].startswith(json.loads((ROOT / "docs" / "verifier" / "pyodide.json").read_text())["version"])


def test_a_bundle_is_checked_as_a_zip_and_as_a_folder(page, tmp_path):
    """All of it is: one that was edited is rejected, as by the command."""
    table = tmp_path / "t.csv"
    table.write_text("2/3,1/3\n1/3,2/3\n")
    for place in ("right", "right.zip"):
        run(["audit", str(table), "--graph", "path", "--claims-epsilon", "1", "--bundle", str(tmp_path / place)])
    shutil.copytree(tmp_path / "right", tmp_path / "edited")
    with (tmp_path / "edited" / "page.md").open("a") as stream:
        stream.write("\n")
    data = bytearray((tmp_path / "right.zip").read_bytes())
    data[data.index(b"2/3,1/3")] = ord("3")
    (tmp_path / "edited.zip").write_bytes(data)
    x, y = page.value('(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector("#drop").getBoundingClientRect())')
    for names in (["right.zip", "edited.zip"], ["right"], ["edited"]):
        page.drop([tmp_path / name for name in names], x, y)
    page.wait(f'document.querySelectorAll("article").length === 4 && {DONE}', 110)
    found = {name: (status, said) for name, status, said, _ in page.value(ANSWERS)}
    assert {name: status for name, (status, _) in found.items()} == {
        "right.zip": "accepted",
        "edited.zip": "rejected",
        "right": "accepted",
        "edited": "rejected",
    }
    assert "page.md: changed: " in found["edited"][1]


def test_markup_stays_text(page, tmp_path):
    hostile = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
    definitions = {
        "M": {
            "type": "mechanism",
            "inputs": [hostile, "b"],
            "outputs": [hostile, "\u202eabc"],
            "rows": [{"den": "2", "num": ["1", "1"]}] * 2,
        },
        "N": {"type": "graph", "vertices": [hostile, "b"], "edges": [[0, 1]]},
    }
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}
    files = [tmp_path / "<b onclick=alert(1)>x\u202e.edp.json", tmp_path / "malformed.edp.json"]
    files[0].write_text(sealed(claim, definitions, {}))
    files[1].write_text(json.dumps(dict.fromkeys(["format", "version", "claim", "definitions", "witness", "digest", hostile], hostile)))
    page.choose("#files", files)
    page.wait(DONE)
    page.wait('document.querySelector("article details")')
    (name, status, _, _), (_, second, sentence, _) = page.value(ANSWERS)
    assert (name, status, second) == ("<b onclick=alert(1)>x\\u{202e}.edp.json", "accepted", "malformed")
    assert "onerror" in sentence
    assert page.value('document.querySelectorAll("article img, article script, article b").length') == 0
    assert page.value("document.title").startswith("Verify")
    cells = page.value('[...document.querySelectorAll("article th")].map(x => x.textContent)')
    assert json.dumps(hostile)[:20] in " ".join(cells)
    assert '"\\u202eabc"' in cells


@pytest.fixture
def slow(tmp_path):
    """A file that takes the checker some seconds: Φ of a long path."""
    file = tmp_path / "slow.edp.json"
    claim = {"kind": "tight", "neighbours": "N", "level": "1/2"}
    witness = {"diagonal": {"den": "1", "at": [], "num": []}}
    file.write_text(sealed(claim, {"N": {"type": "path", "vertices": 3000}}, witness))
    return file


def test_a_file_that_takes_long_does_not_freeze_the_page_and_is_ended(page, slow):
    good = CORPUS / "accept" / "compact.edp.json"
    page.value('document.querySelector("#seconds").value = 1')
    page.choose("#files", [slow, good])
    page.wait('document.querySelector("article").dataset.status === "checking"')
    page.value("new Promise(requestAnimationFrame)")  # the page draws
    page.wait('document.querySelector("article").dataset.status === "limit"')
    page.value('document.querySelector("#seconds").value = 120')
    page.wait(DONE, 110)
    (_, first, sentence, _), (_, second, _, _) = page.value(ANSWERS)
    assert (first, second) == ("limit", "accepted")
    assert sentence == "the checker took more than 1 seconds; nothing was decided."


def test_a_worker_that_ended_is_replaced_and_the_file_is_checked_again_once(page):
    """No answer depends on what was checked before."""
    good = CORPUS / "accept" / "compact.edp.json"
    page.choose("#files", [good])
    page.wait(DONE)
    dying = 'onmessage = () => postMessage({ended: "the memory is used up"}); true'
    with page.inside(page.workers[-1]):
        assert page.value(dying)
    page.choose("#files", [good])
    page.wait(DONE, 110)
    assert [status for _, status, _, _ in page.value(ANSWERS)] == ["accepted", "accepted"]
    page.value('document.querySelector("#stop").click()')
    page.choose("#files", [good, good])
    page.wait(DONE, 110)
    assert [status for _, status, _, _ in page.value(ANSWERS)] == ["accepted"] * 4


def test_one_may_stop_the_checker(page, slow):
    page.choose("#files", [slow, slow])
    page.wait('document.querySelector("article").dataset.status === "checking"')
    page.value('document.querySelector("#stop").click()')
    assert [(status, sentence) for _, status, sentence, _ in page.value(ANSWERS)] == [
        ("limit", "you stopped the checker; nothing was decided.")
    ] * 2
    page.choose("#files", [CORPUS / "accept" / "compact.edp.json"])
    page.wait(DONE, 110)
    assert page.value(ANSWERS)[2][1] == "accepted"


def test_a_file_over_the_limit_of_bytes_is_not_read_to_its_end(page, tmp_path):
    file = tmp_path / "large.edp.json"
    with file.open("wb") as stream:
        stream.truncate(2**26 + 10)
    page.choose("#files", [file])
    page.wait(DONE, 110)
    assert page.value(ANSWERS) == expected([file])


def test_arguments_are_replayed_with_the_files_of_their_folder(page, tmp_path):
    files = sorted((ROOT / "proofs" / "gupte_sundararajan" / "arguments").glob("*.json"))
    needs = {file: json.loads(file.read_bytes()).get("needs", []) for file in files}
    small = {file.stem for file in files if not needs[file]}
    needing = min((file for file in files if needs[file] and small.issuperset(needs[file])), key=lambda file: file.stat().st_size)
    files = [file for file in files if file == needing or file.stem in needs[needing]]
    alone = tmp_path / needing.name
    shutil.copyfile(needing, alone)
    page.choose("#files", files)
    page.wait(DONE, 200)
    page.choose("#files", [alone])
    page.wait(DONE, 110)
    found = page.value(ANSWERS)
    assert found == [*expected(files), *expected([alone])]
    assert found[-1][1] != "accepted"


CONTRAST = """(() => {
  const light = text => { const [r, g, b] = text.match(/[0-9.]+/g).slice(0, 3).map(x => x / 255)
    .map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$|transparent/.test(c)) return c; } return getComputedStyle(document.body).backgroundColor; };
  return [...document.querySelectorAll("h1, p, th, td, li, h4, .verdict, button:enabled, label")].map(e => {
    const a = light(getComputedStyle(e).color), b = light(behind(e));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }).sort((x, y) => x - y)[0]; })()"""


@pytest.mark.parametrize("width", [1200, 360])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_how_it_looks(page, width, dark, tmp_path):
    """Nothing stands over the edge, every text has enough contrast, and dark is dark."""
    page.look(width=width, dark=dark)
    names = ["accept/field-optimal-a", "reject/digest", "malformed/empty", "limit/path-large", "accept/regular", "accept/letters-six"]
    page.choose("#files", [file for name in names if (file := CORPUS / f"{name}.edp.json").exists()])
    page.wait(DONE, 110)
    assert page.value("document.documentElement.scrollWidth <= innerWidth")
    assert page.value(CONTRAST) >= 4.5
    red = int(page.value("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]"))
    assert red < 60 if dark else red > 200
    picture = base64.b64decode(page("Page.captureScreenshot")["data"])
    assert picture.startswith(b"\x89PNG")


def test_everything_can_be_reached_by_keys_and_has_a_name(page):
    page.look(width=1000, dark=False)
    page.choose("#files", [CORPUS / "accept" / "field-optimal-a.edp.json"])
    page.wait(DONE)
    page.wait('document.querySelector("article details")')
    page.value("document.activeElement.blur(); getSelection().removeAllRanges(); scrollTo(0, 0)")
    reached = []
    for _ in range(12):
        page.key("Tab", 9)
        reached.append(page.value("document.activeElement.id || document.activeElement.className || document.activeElement.localName"))
    assert [name for name in reached if name != "button"][:3] == ["files", "seconds", "clear"]  # there is nothing to stop
    assert reached[1:3] == ["button"] * 2  # the samples
    assert {"summary", "wide"} <= set(reached)
    named = {"button", "spinbutton", "region", "DisclosureTriangle", "table"}
    nodes = page("Accessibility.getFullAXTree")["nodes"]
    seen = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    assert {role for role, _ in seen} >= {"button", "spinbutton", "region", "table", "status"}
    assert [role for role, name in seen if role in named and not name] == []


class _Listener(socketserver.BaseRequestHandler):
    def handle(self):
        self.server.called.append(self.client_address)


def test_neither_the_page_nor_its_worker_can_talk_to_others(opened):
    """A server on another port of the same address hears nothing."""
    tab, _, _ = opened
    with socketserver.TCPServer(("127.0.0.1", 0), _Listener) as listener:
        listener.called = []
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        ask = f'fetch("http://127.0.0.1:{listener.server_address[1]}/").then(() => "answered", error => error.name)'
        assert tab.value(ask) == "TypeError"
        with tab.inside(tab.workers[-1]):
            assert tab.value(f"typeof loadPyodide + typeof document + {ask}.constructor.name") == "undefinedundefinedPromise"
            assert tab.value(ask) == "TypeError"
        listener.shutdown()
        assert listener.called == []
    assert any("Content Security Policy" in line for line in tab.told)  # so this is the last test
