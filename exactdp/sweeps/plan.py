# SPDX-License-Identifier: MIT
"""Plans: files (TOML) or objects that name many questions as products of graphs, levels, losses, ….

A plan is expanded to its questions in a fixed order: block by block, and in a block graph by graph, so that a
sweep that is stopped early has all answers about the first graphs. A question that occurs twice is asked
once.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Self

from exactdp.errors import ExactDPError, InputError, ResourceLimitError, bounded, meant, wrong_kind
from exactdp.mechanisms.words import Word
from exactdp.model import Prior, PrivacyLevel
from exactdp.model.named_losses import BY_WORD
from exactdp.model.neighbours import FAMILIES, SIZED_BY_INPUTS, neighbours
from exactdp.model.neighbours import FORMS as GRAPHS
from exactdp.model.small_graphs import connected_graphs
from exactdp.readers.graphs import graph_of_labels, read_edges
from exactdp.readers.grids import most_bytes, read_at_most
from exactdp.runtime.budget import figure
from exactdp.runtime.progress import counted_off, seconds_of
from exactdp.sweeps.question import FIELDS, FORMS, SYMBOLIC, SYMBOLIC_TOO, Question
from exactdp.sweeps.tables import graph_on, is_table, mechanism_words

SECONDS = 60.0
"""How long a question may take, unless a plan says otherwise."""

MEMORY = 2 * 2**30
"""How many bytes the process may hold that answers it."""

MOST = 10_000_000
"""Most questions of a plan, and most members of a range."""

SHOWN = 2_000
"""After so many questions a listener is told how many there are."""

_AXES = {"graph": "graphs", "level": "levels", "loss": "losses", "consumer": "consumers", "mechanism": "mechanisms", "source": "sources"}
_UNITS = {"": 1, "kib": 2**10, "mib": 2**20, "gib": 2**30, "kb": 10**3, "mb": 10**6, "gb": 10**9}


@dataclass(frozen=True, slots=True)
class Plan:
    """Many questions, in the order in which they are asked, and the limits of each.

    * ``questions``: without repetitions.
    * ``seconds``: how long each may take.
    * ``memory``: how many bytes the process may hold that answers it.

    >>> block = {"ask": ["tight", "vertices"], "graphs": ["path:2..4"], "levels": ["1/2"]}
    >>> plan = Plan.of({"questions": [block]})
    >>> len(plan.questions), plan.questions[1].text
    (6, '{"ask":"vertices","graph":"path:2","level":"1/2"}')
    """

    questions: tuple[Question, ...]
    seconds: float = SECONDS
    memory: int = MEMORY

    def __post_init__(self) -> None:
        questions = counted_off(_questions(self.questions), None, "the questions of the plan, each once", "questions", every=SHOWN)
        object.__setattr__(self, "questions", tuple(dict.fromkeys(questions)))
        object.__setattr__(self, "seconds", seconds_of(self.seconds))
        object.__setattr__(self, "memory", bytes_of(self.memory))

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """The plan of a TOML file; files that it names are looked for in its folder.

        * raises InputError: it can't be read, is no TOML, or breaks a rule of plans; the message says which.
        """
        if not isinstance(path, (str, os.PathLike)):
            raise wrong_kind("plan", path, "the name of a TOML file")
        place = Path(path)
        try:
            with place.open("rb") as stream:
                content = tomllib.loads(read_at_most(stream, most_bytes()).decode())
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise InputError(f"the plan {str(path)!r} can't be read: {reason}", path=path) from None
        return cls.of(content, folder=place.parent)

    @classmethod
    def of(cls, content: Mapping[str, Any], *, folder: str | Path = ".") -> Self:
        """The plan of a mapping as TOML has it (docs/plan-format.md).

        * ``content``: ``questions``, a list of blocks, each with ``ask`` and axes (``graphs``, ``levels``,
          ``losses``, ``consumers``, ``mechanisms``, ``sources``); axes at the top are for all blocks without
          their own. ``limits`` may have ``seconds`` and ``memory``, ``title`` is for people.
        * ``folder``: where files are looked for.
        """
        _known(content, {"title", "limits", "questions", *_AXES.values()}, "a plan")
        limits = content.get("limits", {})
        _known(limits, {"seconds", "memory"}, "limits")
        blocks = content.get("questions")
        if not isinstance(blocks, list) or not blocks:
            raise InputError("a plan has at least one block [[questions]]", content=content)
        shared = {name: content[name] for name in _AXES.values() if name in content}
        questions = _within(question for block in blocks for question in _expanded(block, shared, Path(folder)))
        found = list(counted_off(questions, None, "the questions of the plan", "questions", every=SHOWN))
        return cls(tuple(found), limits.get("seconds", SECONDS), limits.get("memory", MEMORY))


def bytes_of(text: object) -> int:
    """A number of bytes: a number, or text with a unit.

    >>> bytes_of("2 GiB"), bytes_of(1000)
    (2147483648, 1000)
    """
    if isinstance(text, int) and not isinstance(text, bool) and text > 0:
        return text
    match = re.fullmatch(r"([0-9]{1,15})\s*([A-Za-z]*)", text.strip(), re.ASCII) if isinstance(text, str) else None
    if match is None or match[2].lower() not in _UNITS or int(match[1]) == 0:
        raise wrong_kind("memory", text, 'a number of bytes, such as "512 MiB" or "2 GiB"')
    return int(match[1]) * _UNITS[match[2].lower()]


def _within(questions: Iterable[Question]) -> Iterator[Question]:
    """These questions; an error where they are too many."""
    for count, question in enumerate(questions):
        if count >= MOST:
            raise ResourceLimitError(f"a plan has at most {figure(MOST)} questions; make several", limit=MOST)
        yield question


def _questions(given: object) -> Iterator[Question]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise wrong_kind("plan", given, "a Plan, the name of a TOML file, or Questions")
    for question in _within(given):
        if not isinstance(question, Question):
            raise wrong_kind("question", question, "a Question, such as Question('tight', 'path:4', '1/2')")
        yield question


def _known(content: object, keys: set[str], what: str) -> None:
    if not isinstance(content, Mapping):
        raise InputError(f"{what} must be a table of TOML, not {bounded(repr(content))}", content=content)
    for key in content:
        if key not in keys:
            raise InputError(f"{what} has no key {key!r}; the keys are {', '.join(sorted(keys))}", key=key)


def _expanded(block: Any, shared: Mapping[str, Any], folder: Path) -> Iterator[Question]:
    """The questions of one block. An axis that a question does not take is left out for it."""
    _known(block, {"ask", *_AXES.values()}, "a block [[questions]]")
    if "ask" not in block:
        raise InputError(f"a block [[questions]] has no ask; give one or several of {', '.join(FORMS)}", key="ask")
    asked = _texts(block["ask"], "ask")
    for ask in asked:
        if ask not in FORMS:
            raise InputError(f"{ask!r} is no question of a sweep; they are {', '.join(FORMS)}", ask=ask)
    axes = {name: _texts(given, plural) for name, plural in _AXES.items() if (given := block.get(plural, shared.get(plural))) is not None}
    taken = {name for ask in asked for name in (*FORMS[ask].needs, *FORMS[ask].may)}
    for name, plural in _AXES.items():
        if plural in block and name not in taken:
            raise InputError(f"{plural} have no effect on {', '.join(asked)}; leave them out", key=plural)
        if name not in axes:
            lacking = [ask for ask in asked if name in FORMS[ask].needs]
            if lacking:
                raise InputError(f"the question {lacking[0]} needs {plural}", ask=lacking[0], key=plural)
    for name in ("mechanism", "source"):
        if name in axes:
            axes[name] = [word for text in axes[name] for word in _words_of(text, name, folder)]
    for name in axes.keys() & _CHECKS.keys():
        for word in axes[name]:
            _checked(word, name)
    of_all = bool(axes.get("level")) and all(level.strip() == SYMBOLIC for level in axes["level"])
    if of_all and not any(ask in SYMBOLIC_TOO or "level" not in (*FORMS[ask].needs, *FORMS[ask].may) for ask in asked):
        raise InputError(f"levels: {', '.join(asked)} can't be asked of all levels at once; give levels such as 1/2", key="levels")
    if "graph" in axes:
        of_tables = all(map(is_table, axes.get("mechanism", [""])))
        words = ([text] if of_tables and text in SIZED_BY_INPUTS else graph_words(text, folder) for text in axes["graph"])
        axes["graph"] = list(dict.fromkeys(word for found in words for word in found))
    graphs = axes.pop("graph", [""])
    for graph in graphs:
        for ask in asked:
            yield from _of_one(ask, graph if "graph" in FORMS[ask].needs else "", axes)


def _of_one(ask: str, graph: str, axes: Mapping[str, list[str]]) -> Iterator[Question]:
    """The product of the other axes for one graph."""
    form = FORMS[ask]
    names = [name for name in FIELDS if name in axes and name in (*form.needs, *form.may)]
    for values in product(*(axes[name] for name in names)):
        given = dict(zip(names, values, strict=True))
        if given.get("level") == SYMBOLIC and ask not in SYMBOLIC_TOO:
            continue
        own = graph_on(graph, given.get("mechanism", ""), _edges_word) if graph in SIZED_BY_INPUTS else graph
        for name in {"mechanism", "source"} & given.keys():
            given[name] = _sized(given[name], own, ask)
        yield Question(ask, own, **given)


def _sized(word: str, graph: str, ask: str) -> str:
    """A mechanism's word with {n}, one less than the number of vertices, filled in."""
    if "{n}" not in word or is_table(word):
        return word
    if not graph:
        reason = f"{{n}} is one less than the number of vertices, and the question {ask} has no graph"
        raise InputError(f"{word!r}: {reason}; ask it in a block of its own, with numbers", mechanism=word, ask=ask)
    return word.replace("{n}", str(len(graph_of(graph).vertices) - 1))


def _a_level(word: str) -> None:
    name, _, value = word.partition("=")
    if name.strip() == "epsilon":
        PrivacyLevel(epsilon=value.strip())


def _a_loss(word: str) -> None:
    if word not in BY_WORD:
        *words, last = BY_WORD
        raise InputError(f"{word!r} is no loss; {meant(word, BY_WORD)}the words are {', '.join(words)} and {last}", loss=word)


def _a_consumer(word: str) -> None:
    if word not in ("minimax", "uniform") and not word.startswith("minimax:"):
        weights = word.split(",")
        Prior(weights, range(len(weights)))


def _a_mechanism(word: str) -> None:
    if is_table(word):
        return
    if "{" in word.replace("{n}", ""):
        raise InputError(f"{word!r}: only {{n}} is filled in, one less than the number of vertices", mechanism=word)
    Word.parse(word)


_CHECKS = {"level": _a_level, "loss": _a_loss, "consumer": _a_consumer, "mechanism": _a_mechanism, "source": _a_mechanism}
"""What is wrong with a word whatever the graph is: one slip would make thousands of questions fail."""


def _words_of(text: str, name: str, folder: Path) -> list[str]:
    """The mechanisms that a text names; the errors name the list in which it is."""
    try:
        return [*mechanism_words(text, folder)]
    except ExactDPError as error:
        raise InputError(f"{_AXES[name]}: {error.message}", key=_AXES[name], word=text) from None


def _checked(word: str, name: str) -> None:
    """Refuse a word that no question understands, and name the list in which it is."""
    try:
        _CHECKS[name](word)
    except ExactDPError as error:
        raise InputError(f"{_AXES[name]}: {error.message}", key=_AXES[name], word=word) from None


def _texts(given: Any, what: str) -> list[str]:
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list) or not listed or not all(isinstance(text, str) and text for text in listed):
        raise wrong_kind(what, given, "text, or a list of texts that is not empty")
    return listed


EDGES = "edges:"
"""What follows is a graph with its labels: a JSON list of pairs, and of single labels."""


def graph_of(word: str) -> Any:
    """The neighbours that the graph of a question names.

    >>> graph_of('edges:[["a","b"],["b","c"]]').vertices
    ('a', 'b', 'c')
    """
    if not word.startswith(EDGES):
        return neighbours(word)
    try:
        lines = json.loads(word.removeprefix(EDGES))
        if not all(isinstance(line, list) and all(isinstance(label, str) for label in line) for line in lines):
            raise ValueError
    except (ValueError, TypeError):
        raise InputError(f"{word[:80]!r} names no graph: after {EDGES} there is a JSON list of pairs of labels", graph=word) from None
    return graph_of_labels(lines)


def graph_words(text: str, folder: Path = Path()) -> Iterator[str]:
    """The graphs that a text of a plan names, as words of questions.

    * ``text``: a word (``path:4``); one with a range (``cycle:3..9``, ``grid:2x2..5``); ``connected:4``,
      ``connected:2..6`` or ``connected:<=6``, all connected graphs with so many vertices, one of each
      isomorphism class; or the name of a file of edges.
    * ``folder``: where files are looked for.

    >>> [*graph_words("grid:2x2..4"), *graph_words("connected:3")]
    ['grid:2x2', 'grid:2x3', 'grid:2x4', 'graph6:BW', 'graph6:Bw']
    """
    family, colon, rest = text.partition(":")
    if family == "connected" and colon:
        match = re.fullmatch(r"(?:<=|([0-9]{1,3})\.\.)?([0-9]{1,3})", rest, re.ASCII)
        if match is None:
            raise InputError(f"{text!r} names no graphs; write connected:4, connected:2..6 or connected:<=6", graph=text)
        last = int(match[2])
        first = 1 if rest.startswith("<=") else int(match[1] or last)
        if first > last:
            raise _turned(text)
        yield from (str(graph) for size in range(first, last + 1) for graph in connected_graphs(size))
    elif colon and family in {form.partition(":")[0] for form in GRAPHS}:
        for word in [text] if family == "graph6" else _ranges(text):
            neighbours(word)
            yield word
    else:
        yield _of_file(text, folder)


def _ranges(text: str) -> list[str]:
    """A word for every choice from its ranges ``a..b``.

    >>> _ranges("sum:u=1..2,v=3..4")
    ['sum:u=1,v=3', 'sum:u=1,v=4', 'sum:u=2,v=3', 'sum:u=2,v=4']
    """
    parts = re.split(r"([0-9]{1,9}\.\.[0-9]{1,9})", text)
    choices = [part.split("..") if place % 2 else [] for place, part in enumerate(parts)]
    if prod(max(0, int(ends[1]) - int(ends[0]) + 1) for ends in choices if ends) > MOST:
        raise ResourceLimitError(f"{text!r} names more than {figure(MOST)} graphs", limit=MOST)
    lists = [[*map(str, range(int(ends[0]), int(ends[1]) + 1))] if ends else [part] for part, ends in zip(parts, choices, strict=True)]
    found = ["".join(word) for word in product(*lists)]
    if not found:
        raise _turned(text)
    return found


def _turned(text: str) -> InputError:
    return InputError(f"{text!r} names no graph: a range goes from the smaller number to the larger one", graph=text)


def _of_file(text: str, folder: Path) -> str:
    if text in (*FAMILIES, *SIZED_BY_INPUTS, "connected"):
        example = next((form for form in GRAPHS if form.partition(":")[0] == text), "complete:4" if text == "local" else f"{text}:4")
        raise InputError(f"{text!r} names no graph without a size, as in {example}; a file of this name is ./{text}", graph=text)
    try:
        content = (folder / text).read_bytes()
    except (OSError, ValueError) as error:
        families = ", ".join(form.partition(":")[0] for form in GRAPHS)
        reason = getattr(error, "strerror", None) or error
        known = f"{families} or connected"
        raise InputError(f"{text!r} names no graph: it begins with none of {known}, and as a file: {reason}", graph=text) from None
    try:
        graph = read_edges(content, name=Path(text).name)
    except InputError as error:
        raise type(error)(f"{text}: {error.message}", **error.facts) from None
    return _edges_word(graph)


def _edges_word(graph: Any) -> str:
    """The word of a graph with its labels."""
    labels, ends = graph.vertices, {i for edge in graph.edges for i in edge}
    edges = [[labels[i], labels[j]] for i, j in graph.edges]
    lines = edges + [[label] for i, label in enumerate(labels) if i not in ends]
    if graph_of_labels(lines).vertices != labels:  # the edges alone would give the labels, and the weights of a prior, another order
        lines = [[label] for label in labels] + edges
    return EDGES + json.dumps(lines, separators=(",", ":"), ensure_ascii=False)
