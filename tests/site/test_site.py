# SPDX-License-Identifier: MIT
"""The site builds without a warning, says every public name and option, and its links lead somewhere."""

from __future__ import annotations

import base64
import filecmp
import io
import json
import re
import runpy
import tomllib
import zlib
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pytest
from browser import BROWSER
from devtools import browsing, served
from places import ROOT
from public_names import PUBLIC

from exactdp.cli import program

pytestmark = [pytest.mark.slow, pytest.mark.timeout(580)]


class Reader(HTMLParser):
    """The links of a page, what it loads, and the names in it that can be linked to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.names, self.text = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.names |= {found[key] for key in ("id", "name") if found.get(key)}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in {"script", "img", "iframe"} and "src" in found:
            self.loads.append(found["src"])
        if tag == "link" and found.get("rel") in {"stylesheet", "preload", "icon", "modulepreload"}:
            self.loads.append(found["href"])

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def pages(site):
    found = {path: Reader(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}
    assert len(found) > 25
    return found


def test_every_page_of_docs_is_there_and_in_the_table_of_contents(site, pages):
    sources = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    sources |= {f"notebooks/{path.stem}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    built = {path.relative_to(site).with_suffix("").as_posix() for path in pages}
    assert sources <= built
    listed = {unquote(link).removesuffix(".html") for link in pages[site / "index.html"].links}
    assert sources - {"index"} <= listed


def test_links_lead_somewhere(site, pages):
    wrong = []
    for path, page in pages.items():
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme in {"http", "https", "data", "mailto"} or link in {"#", ""}:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            known = pages[target].names if target in pages else None
            if not target.exists() or (known is not None and parts.fragment and unquote(parts.fragment) not in known):
                wrong.append((path.relative_to(site).as_posix(), link))
    assert wrong == []


def test_the_answers_to_the_twenty_questions_are_so_many_links_away(site, pages):
    for question in tomllib.loads((ROOT / "tests" / "site" / "questions.toml").read_text(encoding="utf-8"))["question"]:
        ways = [site / "index.html", *(site / name.replace(".md", ".html") for name in question["path"])]
        for here, there in pairwise(ways):
            assert there in {(here.parent / unquote(urlsplit(link).path)).resolve() for link in pages[here].links}, question["ask"]


def test_no_page_loads_anything_from_elsewhere(pages):
    assert [(path, load) for path, page in pages.items() for load in page.loads if re.match(r"(https?:)?//", load)] == []


def test_types_link_to_the_documentation_of_their_projects(site, pages):
    """With every name of our inventories, and by no other address than theirs."""
    addresses = runpy.run_path(str(ROOT / "docs" / "conf.py"))["ADDRESSES"]
    assert {path.stem for path in (ROOT / "docs" / "inventories").glob("*.inv")} == set(addresses)
    listed = set()
    for project, address in addresses.items():
        for line in (ROOT / "docs" / "inventories" / f"{project}.inv").read_text(encoding="utf-8").splitlines()[3:]:
            name, _, page = line.split()
            listed.add(f"{address}/{page}#{name}")
    linked = {link for page in pages.values() for link in page.links if link.startswith(tuple(f"{at}/" for at in addresses.values()))}
    assert linked == listed
    text = (site / "reference" / "model.html").read_text(encoding="utf-8")
    [graph] = re.findall(r"<dt><strong>graph</strong>.*?</dt>", text, re.DOTALL)
    assert 'href="https://networkx.org/documentation/stable/reference/classes/graph.html#networkx.Graph"' in graph
    assert 'href="#exactdp.Metric"' in text


def formulas(text):
    """How many formulas there are in Markdown, outside of code."""
    plain = re.sub(r"^```.*?^```|``.+?``|`[^`]+`", "", text, flags=re.MULTILINE | re.DOTALL)
    return len(re.findall(r"\$\$.+?\$\$|\$.+?\$", plain, re.DOTALL))


def test_formulas_are_mathml(site, pages):
    """Chromium, Firefox and Safari show it without a script."""
    assert formulas("$a$ and `$b` and\n\n$$\nc\n$$\n\n```sh\n$ d $ e\n```\n") == 2
    texts = {
        path.relative_to(ROOT / "docs").with_suffix(".html"): path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")
    }
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        parts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        texts[Path("notebooks", f"{path.stem}.html")] = "\n\n".join(parts)
    assert sum(formulas(text) > 0 for text in texts.values()) > 15
    for path, text in texts.items():
        shown = (site / path).read_text(encoding="utf-8").count("<math ")
        assert shown == formulas(text) or (path.parts[0] == "notebooks" and shown > formulas(text)), path  # outputs have some, too
    assert not any("mathjax" in load.lower() for page in pages.values() for load in page.loads)


def test_every_public_name_is_documented(site):
    """As the inventory says, which other sites read to link to a name."""
    content = (site / "objects.inv").read_bytes()
    lines = zlib.decompress(content.split(b"\n", 4)[4]).decode("utf-8").splitlines()
    documented = {line.split()[0] for line in lines if " py:" in line}
    assert {f"exactdp.{name}" for name in PUBLIC if name != "leakage"} - documented == set()


def test_every_command_is_there_with_every_option(site, pages):
    text = re.sub(r"\s+", " ", "".join(pages[site / "reference" / "commands.html"].text))
    context = click.Context(program.main)
    for name in program.main.list_commands(context):
        command = program.main.get_command(context, name)
        assert all(re.sub(r"\s+", " ", example) in text for example in command.examples), name
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert all(option in text for option in parameter.opts), (name, parameter.opts)


def test_the_verifier_is_there_with_the_files_of_the_checker(site):
    files = [path.name for path in (ROOT / "exactdp" / "checker").glob("*.py") if path.name != "__init__.py"]
    same, different, missing = filecmp.cmpfiles(ROOT / "exactdp" / "checker", site / "verifier" / "checker", files, shallow=False)
    assert (sorted(same), different, missing) == (sorted(files), [], [])
    assert (site / "verifier" / "index.html").read_bytes() == (ROOT / "docs" / "verifier" / "index.html").read_bytes()


CUT = """[...document.querySelectorAll("div.highlight pre")].filter(block => block.scrollWidth > block.clientWidth)
    .map(block => block.textContent.slice(0, 60))"""
"""Blocks of code that are wider than their column."""

BROKEN_OFF = """[...document.querySelectorAll(".go.sentence, .cell_output .highlight pre")]
    .filter(line => line.getBoundingClientRect().right > line.closest("div.highlight").getBoundingClientRect().right + 1)
    .map(line => line.textContent.slice(0, 60))"""
"""Verdicts and sentences that are printed and end outside of what is seen, at whatever width."""


def test_every_page_opens_without_an_error(site, pages):
    """At two widths, each light and dark: no error in the console, nothing too wide, nobody else asked."""
    if BROWSER is None:
        pytest.skip("oracle missing: chromium")
    wide, cut = [], []
    with served(site) as (address, _), browsing() as tab:
        tab.open(f"{address}/index.html")
        for path in pages:
            name = path.relative_to(site).as_posix()
            for width, dark in ((1280, False), (390, True)):
                tab.look(width=width, dark=dark)
                tab("Page.navigate", url=f"{address}/{name}")
                tab.wait(f'location.pathname === "/{name}" && document.readyState === "complete"')
                for now_dark in (dark, not dark):  # the reader's system may change while the page is open
                    tab.look(width=width, dark=now_dark)
                    bright = tab.value("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0] > 127")
                    assert bright is not now_dark, name
                    if tab.value("document.documentElement.scrollWidth > innerWidth"):
                        wide.append((name, width, now_dark))
                if width == 1280:
                    cut += [(name, block) for block in tab.value(CUT)]
                cut += [(name, line) for line in tab.value(BROKEN_OFF)]
                assert tab.told == [], name
        assert [url for url in tab.asked if not url.startswith((f"{address}/", f"blob:{address}/", "data:"))] == []
    assert wide == []
    assert cut == []


COPIED = """(() => { const texts = [];
  document.execCommand = () => texts.push(document.querySelector("textarea").value);
  document.querySelectorAll("button.copybtn").forEach(button => button.click());
  return texts; })()"""
"""What each button of a page copies."""


def test_what_is_copied_has_no_prompts_and_no_output(site):
    if BROWSER is None:
        pytest.skip("oracle missing: chromium")
    with served(site) as (address, _), browsing() as tab:
        tab.open(f"{address}/index.html")
        tab.wait('document.readyState === "complete" && document.querySelectorAll("button.copybtn").length > 2')
        copied = tab.value(COPIED)
        shown = tab.value('[...document.querySelectorAll("div.highlight pre")].map(block => block.textContent)')
        tab("Page.navigate", url=f"{address}/notebooks/two_inputs_by_hand.html")
        tab.wait('location.pathname.includes("two_inputs") && document.querySelector(".cell_input button.copybtn")')
        assert tab.value('document.querySelectorAll(".cell_output button.copybtn").length') == 0
    assert len(copied) == len(shown) > 2
    for text, block in zip(copied, shown, strict=True):
        lines = block.splitlines()
        prompts = [line[len(mark) :] for line in lines for mark in (">>> ", "... ", "$ ") if line.startswith(mark)]
        assert text.strip().splitlines() == (prompts or lines)


def test_options_are_not_what_a_search_finds_first(site):
    if BROWSER is None:
        pytest.skip("oracle missing: chromium")
    found = '[...document.querySelectorAll("ul.search li a")].map(link => link.hash)'
    with served(site) as (address, _), browsing() as tab:
        tab.open(f"{address}/search.html?q=epsilon")
        tab.wait(f"{found}.length > 10", 110)
        tab.wait('/^Search finished/.test(document.querySelector(".search-summary")?.textContent)', 110)
        words = tab.value(found)
        tab("Page.navigate", url=f"{address}/search.html?q=--epsilon")
        tab.wait(f'location.search === "?q=--epsilon" && {found}.length > 1', 110)
        option = tab.value(found)[0]
    options = [hash.startswith("#cmdoption") for hash in words]
    assert True in options
    assert options == sorted(options)
    assert option.startswith("#cmdoption")


def test_pictures_of_notebooks_follow_the_page(site):
    """What is white by day is dark by night, and who can't see it is told what it is."""
    if BROWSER is None:
        pytest.skip("oracle missing: chromium")
    image = pytest.importorskip("PIL.Image", reason="oracle missing: PIL")
    name = "notebooks/two_inputs_by_hand.html"
    with served(site) as (address, _), browsing() as tab:
        tab.open(f"{address}/{name}")
        for dark in (False, True):
            tab.look(width=1280, dark=dark)
            tab("Page.navigate", url=f"{address}/{name}?{dark}")
            tab.wait(f'location.search === "?{dark}" && document.readyState === "complete"')
            box = tab.value("""(() => {
              const box = document.querySelector(".cell_output img").getBoundingClientRect();
              return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1};
            })()""")
            data = tab("Page.captureScreenshot", format="png", clip=box, captureBeyondViewport=True)["data"]
            with image.open(io.BytesIO(base64.b64decode(data))) as shot:
                counts = shot.convert("L").histogram()
            most = max(range(256), key=counts.__getitem__)
            assert counts[most] > sum(counts) / 2
            assert most < 40 if dark else most > 250
        texts = tab.value('[...document.querySelectorAll(".cell_output img")].map(i => i.alt)')
    held = (ROOT / "notebooks" / "two_inputs_by_hand.ipynb").read_text(encoding="utf-8")
    assert len(texts) == held.count('"image/png": "') > 0
    assert all(text.startswith("Picture") and "_images" not in text for text in texts)


def test_a_picture_is_told_in_whole_words(site):
    """Its words are broken in the source, where two of them would be one."""
    page = (site / "index.html").read_text(encoding="utf-8")
    [told] = re.findall(r'<img alt="([^"]*)"[^>]*broken_pair', page)
    assert "1 – 2 breaks" in told


def test_verdicts_and_sentences_are_marked_and_tables_are_not(site):
    page = (site / "certifying-a-table.html").read_text(encoding="utf-8")
    marked = re.findall(r'<span class="go sentence">(\w+)', page)
    assert {"REFUTED", "Against"} <= set(marked)
    assert "optimum" not in marked


def test_the_command_that_builds_it_is_the_one_that_is_documented():
    text = Path(ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "pip install '.[docs]' && sphinx-build -W docs site" in text
