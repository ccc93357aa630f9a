# SPDX-License-Identifier: MIT
"""The index of the theorems in Coq, as the files say them: the site's page is made from this.

``proofs/coq/topics.toml`` has the files by topic. What a file is about is the first paragraph of its head.
The theorems in words are those of ``proofs/coq/theorems.toml``. A theorem is used for the statements of
papers whose record names it. The statements in Coq are those of the files. All is made while the site is
built: nothing of it is kept in the repository, so nothing can be out of date.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

PROOFS = Path(__file__).resolve().parent.parent / "proofs"
COQ = PROOFS / "coq"
MARK = "<!-- theorems -->"
"""Where the page has the index."""

LONGEST = 60
"""The most lines of a statement that are shown."""

REQUIRED = re.compile(r"^From ExactDP(?:\.Reals)? Require (?:Import |Export )?([\w\s.]+?)\.\s*$", re.MULTILINE)
COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)  # they are not nested
STATEMENT = re.compile(
    r"^(?P<kind>Variables?|Hypothes[ie]s|Local Notation|Definition|Fixpoint|Inductive|Theorem|Corollary|Lemma) (?P<name>[\w']+)?"
    r".*?\.[ ]*$",
    re.MULTILINE | re.DOTALL,
)

Graph = Mapping[str, frozenset[str]]


def sources(folder: Path = COQ) -> dict[str, str]:
    """The files of the theory by name, ``Reals/…`` for those about real numbers; not the proved checker."""
    paths = [path for path in sorted(folder.glob("*.v")) if path.stem != "Assumptions"]
    found = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    return found | {f"Reals/{path.stem}": path.read_text(encoding="utf-8") for path in sorted(folder.glob("Reals/*.v"))}


def topics(folder: Path = COQ) -> dict[str, list[str]]:
    """The files of each topic."""
    tables = tomllib.loads((folder / "topics.toml").read_text(encoding="utf-8"))["topic"]
    return {table["name"]: table["files"] for table in tables}


def words(folder: Path = COQ) -> dict[str, dict[str, str]]:
    """The theorems in words, by file and name."""
    return tomllib.loads((folder / "theorems.toml").read_text(encoding="utf-8"))


def short(name: str) -> str:
    """The name of a file without its folder.

    >>> short("Reals/Laplace")
    'Laplace'
    """
    return name.rsplit("/", 1)[-1]


def about(source: str) -> str:
    r"""What a file is about: the first paragraph of its head.

    >>> about("(* SPDX-License-Identifier: MIT *)\n(* One    *)\n(* thing.  *)\n(*   *)\n(* More. *)\n")
    'One thing.'
    """
    found: list[str] = []
    for line in source.split("\n")[1:]:
        comment = re.fullmatch(r"\(\*(.*)\*\)", line)
        text = comment[1].strip() if comment else ""
        if not text:
            break
        found.append(text)
    return " ".join(found)


def uses(files: Mapping[str, str]) -> Graph:
    """The files that each file requires."""
    home = {short(name): name for name in files}
    graph = {}
    for name, text in files.items():
        required = {word.split(".")[-1] for found in REQUIRED.findall(text) for word in found.split()}
        graph[name] = frozenset(home[word] for word in required & home.keys())
    return graph


def reduced(graph: Graph) -> Graph:
    """The same order with the fewest arrows: without those that follow from two others.

    >>> arrows = reduced({"a": frozenset(), "b": frozenset("a"), "c": frozenset("ab")})
    >>> sorted(arrows["c"])
    ['b']
    """
    below: dict[str, frozenset[str]] = {}

    def reached(name: str) -> frozenset[str]:
        if name not in below:
            below[name] = frozenset(graph[name]).union(*(reached(other) for other in graph[name]))
        return below[name]

    return {name: frozenset(a for a in used if not any(a in reached(b) for b in used)) for name, used in graph.items()}


def below(groups: Mapping[str, Iterable[str]], graph: Graph) -> Graph:
    """The topics that each topic stands on, without those that follow."""
    home = {name: topic for topic, names in groups.items() for name in names}
    return reduced({topic: frozenset(home[b] for a in names for b in graph[a]) - {topic} for topic, names in groups.items()})


def statements(source: str, named: Iterable[str] = ()) -> list[tuple[str, str]]:
    r"""What a file states: names and texts of definitions, theorems and the named lemmas, with their context.

    >>> text = "Variable n : nat.\n\nLemma a : 0 = 0.\nProof. by []. Qed.\n\nTheorem b :\n  1 = 1.\n"
    >>> statements(text)
    [('', 'Variable n : nat.'), ('b', 'Theorem b :\n  1 = 1.')]
    >>> statements(text, ["a"])[1]
    ('a', 'Lemma a : 0 = 0.')
    """
    wanted, found = set(named), []
    # a comment keeps its place as blanks, so that what stands after it on a line is not moved
    for match in STATEMENT.finditer(COMMENT.sub(lambda comment: " " * len(comment[0]), source)):
        if match["kind"] == "Lemma" and match["name"] not in wanted:
            continue
        context = match["kind"].startswith(("Variable", "Hypothes", "Local"))
        text = source[match.start() : match.end()].rstrip()
        found.append(("" if context else match["name"], text))
    return found


def used_by(proofs: Path = PROOFS) -> dict[str, list[str]]:
    """The statements of papers, as ``PAPER/ID``, whose record names a theorem, by the theorem's name."""
    found: dict[str, list[str]] = {}
    for file in sorted(proofs.glob("*/claims.toml")):
        record: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        for claim in record["claim"]:
            for name in claim.get("coq", ()):
                found.setdefault(name, []).append(f"{file.parent.name}/{claim['id'].split('/')[-1]}")
    return found


def index(folder: Path = COQ) -> str:
    """The index, topic by topic and file by file, as Markdown.

    Examples
    --------
    >>> print(index().splitlines()[0])
    ## Mechanisms, walks, linear inequalities
    """
    files, groups, said, used = sources(folder), topics(folder), words(folder), used_by(folder.parent)
    graph = uses(files)
    shorter, order = reduced(graph), list(groups)
    grounds = below(groups, graph)
    lines: list[str] = []
    for topic, names in groups.items():
        stands = [f"*{other}*" for other in sorted(grounds[topic], key=order.index)]
        lines += [f"## {topic}", "", *([f"Stands on {' and '.join(stands)}.", ""] if stands else [])]
        for name in names:
            lines += _file(name, files[name], sorted(shorter[name]), said.get(name, {}), used)
    return "\n".join(lines) + "\n"


def _file(name: str, source: str, stands: Iterable[str], said: Mapping[str, str], used: Mapping[str, list[str]]) -> list[str]:
    """The part of the index that is about one file."""
    lines = [f"### {short(name)}", ""]
    links = ", ".join(f'<a href="#{short(other).lower()}">{short(other)}</a>' for other in stands)
    html = [f"<p>{escape(about(source))}{f' Requires {links}.' if links else ''}</p>"]
    if said:
        html.append("<dl>")
        for theorem, text in said.items():
            anchor = quote(f"{name}.{theorem}")
            head = f'<dt id="{anchor}"><code>{escape(theorem)}</code>{_uses(used.get(theorem, ()))}</dt>'
            html += [head, f"<dd>{escape(' '.join(text.split()))}</dd>"]
        html.append("</dl>")
    shown = "\n\n".join(_cut(text) for _, text in statements(source, said))
    html.append(f"<details><summary>The definitions and theorems in Coq</summary><pre>{escape(shown)}</pre></details>")
    return [*lines, f"[{name}.v](path:../proofs/coq/{name}.v)", "", "````{raw} html", *html, "````", ""]


def _cut(text: str) -> str:
    """A statement, or the first lines of one that is mostly data."""
    lines = text.split("\n")
    return text if len(lines) <= LONGEST else "\n".join([*lines[:3], f"  (* and {len(lines) - 3} lines more *)"])


def _uses(claims: Iterable[str]) -> str:
    """Links to the statements of papers that a theorem shows."""
    links = []
    for claim in claims:
        paper, _, short = claim.partition("/")
        links.append(f'<a href="papers.html#{quote(f"{paper}-{short}")}">{escape(claim)}</a>')
    return f" for {', '.join(links)}" if links else ""
