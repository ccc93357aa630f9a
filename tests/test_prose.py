# SPDX-License-Identifier: MIT
"""How long the sentences of the documentation are: on a page at most 25 words on average, 45 in one.

Counted is running text: paragraphs, and items of lists that are sentences. Code, output, tables, headings,
comments and items that are no sentence are left out. A span of code and a formula between dollars count as
one word each, a link as its text.
"""

from __future__ import annotations

import re
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

AVERAGE = 25
"""The most words that the sentences of a page may have on average."""

LONGEST = 45
"""The most words of one sentence."""

OUTSIDE = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "exactdp/certificate/SPEC.md"]
"""Pages outside of docs/; the list of changes is none."""

PAGES = sorted([*OUTSIDE, *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))])

SKIPPED = [
    re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$", re.MULTILINE | re.DOTALL),  # code, output, directives
    re.compile(r"^\$\$.*?\$\$ *$", re.MULTILINE | re.DOTALL),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"^ *\|.*$", re.MULTILINE),  # rows of tables
    re.compile(r"^#+ .*$", re.MULTILINE),
    re.compile(r"^\([\w-]+\)=$", re.MULTILINE),  # names of places
]
ITEM = re.compile(r"\n(?= *(?:[*-]|\d+\.) )")
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|cf|al|vs)\.(?=\s)")
END = re.compile(r"(?<=[.!?])([\"')\]*_]*)\s+")


def paragraphs(text: str) -> list[str]:
    """The running text of a page, a paragraph or item each.

    >>> paragraphs("# Title\\n\\nOne `two three`\\nfour [five](six.md).\\n\\n* six\\n* Seven.\\n\\n    no.")
    ['One code four five.', 'Seven.']
    """
    for skipped in SKIPPED:
        text = skipped.sub("\n\n", text)
    found = []
    for block in (item for part in re.split(r"\n\s*\n", text) for item in ITEM.split(part.strip("\n"))):
        if block.startswith("    "):  # code by its indentation
            continue
        line = re.sub(r"^(?:[*>-]|\d+\.) ", "", " ".join(block.split()))
        line = re.sub(r"``.+?``|`[^`]+`", "code", line)
        line = re.sub(r"\$[^$]+\$", "formula", line)
        line = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", line)  # pictures
        line = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", line)
        line = re.sub(r"</?[a-z][^>]*>", "", line).strip()
        if re.search(r"[.!?:][\"')\]*_]*$", line):
            found.append(line)
    return found


def sentences(text: str) -> list[str]:
    """The sentences of a page. A colon or semicolon ends none.

    >>> sentences("It is 1.5, e.g. here. Is it? It is: a colon; no end (but here.) Two\\nlines.")
    ['It is 1.5, e.g. here.', 'Is it?', 'It is: a colon; no end (but here.)', 'Two lines.']
    """
    whole = [ABBREVIATION.sub(r"\1·", paragraph) for paragraph in paragraphs(text)]
    parts = [part for paragraph in whole for part in END.sub(r"\1\n", paragraph).split("\n")]
    return [part.replace("·", ".") for part in parts if words(part)]


def words(sentence: str) -> int:
    """How many words a sentence has. A dash or a sign alone is none.

    >>> words("Two words — and α ≤ 1.")
    5
    """
    return sum(re.search(r"\w", word) is not None for word in sentence.split())


def faults(text: str) -> list[str]:
    """What is too long on a page."""
    found = sentences(text)
    average = mean(map(words, found)) if found else 0
    return [
        *([f"{average:.1f} words a sentence on average"] if average > AVERAGE else []),
        *(f"{words(sentence)} words: {sentence}" for sentence in found if words(sentence) > LONGEST),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_sentences_of_a_page_are_short(page):
    assert faults((ROOT / page).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", ["docs/labels.md", "docs/limits.md", "docs/checking-a-derivation.md"])
def test_a_page_of_long_sentences_is_noticed(page):
    """The page with every four of its sentences made one, and with one sentence made of six."""
    found = [sentence.rstrip(".?!:") for sentence in sentences((ROOT / page).read_text(encoding="utf-8"))]
    joined = [", and ".join(found[k : k + 4]) for k in range(0, len(found), 4)]
    assert "on average" in faults("\n\n".join(f"{sentence}." for sentence in joined))[0]
    long = [", and ".join(found[:6]), *found[6:]]
    [fault] = faults("\n\n".join(f"{sentence}." for sentence in long))
    assert fault.endswith(f"{found[5]}.")


WORD = st.sampled_from(["level", "α", "1/4", "3.5", "[a link](labels.md)", "`one span`", "*private*", "e.g. this", "$x + y$"])
SENTENCE = st.lists(WORD, min_size=1, max_size=6).map(lambda found: [*found, "end"])
UNCOUNTED = st.sampled_from(
    ["```console\n$ exactdp demo\nOne. Two.\n```", "| a | cell. |\n|---|---|", "## A heading.", "<!-- One. -->", "* an item", "    code."]
)


@given(st.lists(st.tuples(st.lists(SENTENCE, min_size=1, max_size=3), UNCOUNTED, st.sampled_from(["", "* ", "2. "])), max_size=3))
def test_what_is_counted_is_what_was_written(page):
    text, written = "# Title\n", []
    for paragraph, uncounted, mark in page:
        text += f"\n{mark}{' '.join(' '.join(sentence) + '.' for sentence in paragraph)}\n\n{uncounted}\n"
        # a link of two words, and an abbreviation with another word, are two
        written += [len(sentence) + sum(word in {"[a link](labels.md)", "e.g. this"} for word in sentence) for sentence in paragraph]
    assert [words(sentence) for sentence in sentences(text)] == written
