# SPDX-License-Identifier: MIT
"""Say what stands on what in the Coq development: ``python docs/theory.py`` renews the map in its README.

The list of files in ``proofs/coq/README.md`` has a table for each topic. Which file is where, and its idea,
are written by hand. The last column (the files that a file uses directly and not through another) and the
picture of the topics come from the files' ``Require`` lines. ``tests/papers/test_coq.py`` fails when they are
out of date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

COQ = Path(__file__).resolve().parent.parent / "proofs" / "coq"
PAGE = COQ / "README.md"
BEGIN, END = "## Files\n", "\n## "
PICTURE = re.compile(r"```mermaid\n.*?```", re.DOTALL)
ROW = re.compile(r"^\| \[(\w+)\.v\]\((?:\w+/)?\w+\.v\) \| (.*?) \|(?: (.*?) \|)?$")

Graph = Mapping[str, frozenset[str]]


def uses(folder: Path = COQ) -> Graph:
    """The files that each file requires."""
    files = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.v") if path.stem != "Assumptions"}
    files |= {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("Reals/*.v")}
    required = re.compile(r"^From ExactDP(?:\.Reals)? Require (?:Import |Export )?([\w\s.]+?)\.\s*$", re.MULTILINE)
    found = {name: {word.split(".")[-1] for words in required.findall(text) for word in words.split()} for name, text in files.items()}
    return {name: frozenset(words & files.keys()) for name, words in found.items()}


def reduced(graph: Graph) -> Graph:
    """The same order with the fewest arrows: without those that follow from two others."""
    below: dict[str, frozenset[str]] = {}

    def reached(name: str) -> frozenset[str]:
        if name not in below:
            below[name] = frozenset(graph[name]).union(*(reached(other) for other in graph[name]))
        return below[name]

    return {name: frozenset(a for a in graph[name] if not any(a in reached(b) for b in graph[name])) for name in graph}


def topics(page: str) -> dict[str, list[str]]:
    """The files of each topic, in the order of the page."""
    found: dict[str, list[str]] = {}
    topic = ""
    for line in files_of(page).splitlines():
        topic = line[4:] if line.startswith("### ") else topic
        if match := ROW.match(line):
            found.setdefault(topic, []).append(match[1])
    return found


def files_of(page: str) -> str:
    """The section *Files* of the page."""
    rest = page.split(BEGIN)[1]
    return rest.split(END)[0]


def picture(groups: Mapping[str, Iterable[str]], graph: Graph) -> str:
    """Which topic uses which, without what follows, as a diagram in Mermaid's language."""
    home = {name: topic for topic, names in groups.items() for name in names}
    arrows = {
        topic: frozenset(home[used] for name in names for used in graph[name] if home[used] != topic) for topic, names in groups.items()
    }
    number = {topic: f"t{k}" for k, topic in enumerate(groups)}
    lines = [f'  {number[topic]}["{topic}"]' for topic in groups]
    lines += [f"  {number[a]} --> {number[b]}" for a, others in reduced(arrows).items() for b in sorted(others, key=list(groups).index)]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```"])


def renewed(page: str, graph: Graph) -> str:
    """The page with the picture and the last columns as the files have them."""
    shorter, section = reduced(graph), files_of(page)
    order = [name for names in topics(page).values() for name in names]

    def row(line: str) -> str:
        match = ROW.match(line)
        if match is None or match[1] not in graph:
            return line
        stands = ", ".join(sorted(shorter[match[1]], key=order.index))
        return line[: line.index(" |", match.end(2) - 1)] + f" | {stands} |"

    fresh = PICTURE.sub(lambda _: picture(topics(page), graph), "\n".join(row(line) for line in section.split("\n")))
    return page.replace(section, fresh)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), uses()), encoding="utf-8")
