# SPDX-License-Identifier: MIT
"""The answers to twenty questions are found from the start page by three links at most."""

from __future__ import annotations

import re
import tomllib
from pathlib import PurePosixPath

import pytest
from places import ROOT

DOCS = ROOT / "docs"
PAGES = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
QUESTIONS = tomllib.loads((ROOT / "tests" / "site" / "questions.toml").read_text(encoding="utf-8"))["question"]
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)


def links(name, pages):
    """The pages that a page leads to: what its text links to and what its tables of contents list."""
    listed = [f"{line}.md" for block in TOCTREE.findall(pages[name]) for line in block.split() if not line.startswith(":")]
    linked = re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", pages[name])
    found = set()
    for target in [*listed, *linked]:
        parts: list[str] = []
        for part in (PurePosixPath(name).parent / target).parts:
            if part == ".." and parts:
                parts.pop()
            else:
                parts.append(part)
        found.add("/".join(parts))
    return found


def lost(question, pages):
    """What is wrong with the way to an answer; None if it is found."""
    here = "index.md"
    for there in question["path"]:
        if there not in links(here, pages):
            return f"{here} does not lead to {there}"
        if there not in pages:
            return f"there is no {there}"
        here = there
    if " ".join(question["says"].split()) not in " ".join(pages[here].split()):
        return f"{here} does not say: {question['says']}"
    return None


def test_there_are_twenty():
    assert len({question["ask"] for question in QUESTIONS}) == len(QUESTIONS) == 20
    assert all(1 <= len(question["path"]) <= 3 for question in QUESTIONS)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["ask"])
def test_the_answer_is_found(question):
    assert lost(question, PAGES) is None


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["ask"])
def test_a_lost_link_or_answer_is_noticed(question):
    *_, before, last = ["index.md", *question["path"]]
    assert lost(question, {**PAGES, last: "Nothing."}) == f"{last} does not say: {question['says']}"
    assert lost(question, {**PAGES, before: "Nothing."}) == f"{before} does not lead to {last}"


def test_readers_of_the_repository_find_them_too():
    """From README by three links at most, where tables of contents are no links."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    near = set(re.findall(r"\]\(docs/([^)#:]+\.md)\)", text))
    plain = {name: TOCTREE.sub("", page) for name, page in PAGES.items()}
    for _ in range(2):
        near |= {target for name in near if name in plain for target in links(name, plain)}
    assert {question["path"][-1] for question in QUESTIONS} <= near
