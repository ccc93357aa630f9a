# SPDX-License-Identifier: MIT
"""The lists of other projects' pages are inventories that Sphinx reads, and are renewed from real ones."""

from __future__ import annotations

import re
import runpy
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

FOLDER = ROOT / "docs" / "inventories"
FILES = sorted(FOLDER.glob("*.inv"))
RENEW = runpy.run_path(str(FOLDER / "renew.py"))
NAME = st.lists(st.sampled_from(["a", "b", "C", "Dd"]), min_size=1, max_size=3).map(".".join)
KIND = st.sampled_from(["class", "function", "data"])
PAGE = st.sampled_from(["a.html", "b/c.html", "b/d/a-b.html"])


def inventory(entries):
    """A file of Sphinx's second format, with a word and a name with another anchor beside the entries."""
    lines = [f"{name} py:{kind} 1 {page}#$ -" for name, (kind, page) in entries.items()]
    lines += ["a word std:term -1 words.html#term-a-word -", "old.Name py:class 1 old.html#anchor -"]
    head = b"# Sphinx inventory version 2\n# Project: P\n# Version: 3\n# The remainder of this file is compressed using zlib.\n"
    return head + zlib.compress("\n".join(lines).encode())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_list_is_sorted_text_without_addresses(path):
    first, project, version, *lines = path.read_text(encoding="utf-8").splitlines()
    assert first == "# Sphinx inventory version 1"
    assert re.fullmatch("# Project: .+", project)
    assert re.fullmatch("# Version: .+", version)
    assert lines == sorted(set(lines))
    assert all(re.fullmatch(r"[\w.]+ (class|data|function|attribute) [\w./]+\.html", line) for line in lines)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_sphinx_reads_it(path):
    inventories = pytest.importorskip("sphinx.util.inventory", reason="oracle missing: sphinx")
    found = inventories.InventoryFile.loads(path.read_bytes(), uri="https://example.org").data
    read = {name: item.uri for kind in found.values() for name, item in kind.items()}
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()[3:]]
    assert read == {name: f"https://example.org/{page}#{name}" for name, _, page in lines}


@given(st.dictionaries(NAME, st.tuples(KIND, PAGE), min_size=1, max_size=5), st.data())
def test_it_is_renewed_from_a_real_inventory(entries, data):
    kept = data.draw(st.lists(st.sampled_from(sorted(entries)), unique=True))
    text = "# Sphinx inventory version 1\n# Project: P\n# Version: ?\n" + "".join(f"{name} class ?\n" for name in kept)
    expected = "".join(f"{name} {entries[name][0]} {entries[name][1]}\n" for name in sorted(kept))
    assert RENEW["renewed"](text, inventory(entries)) == f"# Sphinx inventory version 1\n# Project: P\n# Version: 3\n{expected}"


@pytest.mark.parametrize("name", ["no.Such", "old.Name", "word"])
def test_a_name_that_is_not_there_is_an_error(name):
    text = f"# Sphinx inventory version 1\n# Project: P\n# Version: ?\n{name} class ?\n"
    with pytest.raises(ValueError, match=f"the inventory does not have {name}"):
        RENEW["renewed"](text, inventory({"a.B": ("class", "a.html")}))
    with pytest.raises(ValueError, match="second format"):
        RENEW["renewed"](text, text.encode() + b"\n")
