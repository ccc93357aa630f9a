# SPDX-License-Identifier: MIT
"""Neighbours from files: edge lists and square tables of distances."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.errors import InputError
from exactdp.exact import Rational
from exactdp.model.graph import Graph, require_graph
from exactdp.model.labels import as_labels, is_integer_label, places_in
from exactdp.model.metric import Distance, Metric
from exactdp.readers.estimates import refuse_aside
from exactdp.readers.grids import DECIMAL, Content, text_in
from exactdp.readers.table_labels import points
from exactdp.readers.tables import number_in, read_grid
from exactdp.runtime.progress import counted_off


def read_edges(content: str | bytes, *, name: str = "") -> Graph:
    r"""A graph from text with one edge a line: two labels, separated by blanks, or by a comma on every line.

    At the beginning of a line or after a blank ``#`` starts a comment. Among edges, a single label declares a
    vertex, perhaps one without neighbours. Where blanks separate, labels may contain commas, as those of a
    grid do (``0,0 0,1``). A label in double quotes may contain anything. If all labels are integers the
    vertices are in numerical order, otherwise in the order of their first appearance.

    * ``content``: the content of the file.
    * ``name``: for display.
    * raises InputError: no text, or JSON; no edge at all, a loop, a repeated edge, a line that is not one or
      two labels, one label that could be two, two that could be others, or a heading; names the line.

    >>> g = read_edges("10 2  # two people\n2 1\n7\n")
    >>> g.vertices, g.edges
    (('1', '2', '7', '10'), ((0, 1), (1, 3)))
    >>> read_edges('"New York",Boston\nBoston,Rio\n').vertices
    ('New York', 'Boston', 'Rio')
    """
    text = text_in(content)
    count = text.count("\n") + 1
    require_graph(f"a graph of up to {count:,} edges, one a line,", 0, count)
    taken, quoted = _taken_apart(text)
    _refuse_json(taken)
    lines = _points_named([(number, [_HELD.sub(lambda m: quoted[int(m[1])], word) for word in words]) for number, words in taken])
    _refuse_heading(lines)
    _refuse_sizes(lines)
    graph, declared = _graph_of(lines, name)
    plain = {number for number, words in taken if not any(map(_HELD.search, words))}
    edges = [(graph.vertices[i], graph.vertices[j]) for i, j in graph.edges]
    _require_clear({label: number for label, number in declared.items() if number in plain}, edges)
    return graph


def graph_of_labels(lines: Iterable[Sequence[str]]) -> Graph:
    """A graph from lists of two labels, its edges, and of single ones, vertices; in the order of a file's.

    >>> graph_of_labels([["b", "a,#"], ["c"]]).vertices
    ('b', 'a,#', 'c')
    """
    return _graph_of([(number, list(words)) for number, words in enumerate(lines, 1)], "")[0]


def _graph_of(lines: list[tuple[int, list[str]]], name: str) -> tuple[Graph, dict[str, int]]:
    """The graph, and the lines of single labels."""
    order: dict[str, int] = {}
    seen: dict[tuple[str, str], int] = {}
    declared: dict[str, int] = {}
    for number, words in counted_off(lines, None, "the edges of a file", "lines", every=10_000):
        for word in words[:2]:
            order.setdefault(word, number)
        if len(words) == 1:
            if words[0] in declared:
                raise InputError(f"line {number}: the vertex {words[0]!r} is declared on line {declared[words[0]]} already", line=number)
            declared[words[0]] = number
        elif len(words) == 2:
            a, b = words
            if a == b:
                raise InputError(f"line {number}: the edge {a!r}–{a!r} is a loop; an input is not its own neighbour", line=number)
            key = (min(a, b), max(a, b))
            if key in seen:
                raise InputError(f"line {number}: the edge {a!r}–{b!r} is given on line {seen[key]} already", line=number)
            seen[key] = number
        else:
            raise InputError(f"line {number}: {len(words)} labels; {_RULE}, and a vertex without neighbours is one label", line=number)
        if number % 65_536 == 0:
            require_graph(f"the graph of the first {number:,} lines", len(order), len(seen))
    require_graph("the graph of the edge list", len(order), len(seen))
    if not order:
        raise InputError(f"the edge list is empty; {_RULE}", line=1)
    if not seen:
        first = lines[0][0]
        raise InputError(f"line {first}: one label, as on every line, so that there is no edge; {_RULE}", line=first)
    labels = list(order)
    if all(map(is_integer_label, labels)):
        labels.sort(key=Rational)
    place = {label: i for i, label in enumerate(labels)}
    return Graph(labels, [(place[a], place[b]) for a, b in seen], name=name), declared


_RULE = "an edge is two labels a line, separated by blanks or a comma ('a b' or 'a,b')"
_COMMA = re.compile(r"\s*,\s*")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_QUOTED = re.compile(r'(?<![^\s,])"((?:[^"]|"")*)"(?![^\s,])')
_HELD = re.compile("\0([0-9]+)\0")
"""What stands for a label in double quotes while lines are taken apart: no text has the character NUL."""

HEADINGS = frozenset(frozenset(pair.split()) for pair in ("source target", "from to", "src dst", "node1 node2", "vertex1 vertex2", "u v"))
"""First lines that are mostly names of columns."""


def _taken_apart(text: str) -> tuple[list[tuple[int, list[str]]], list[str]]:
    """Number and labels of each line that has any, without those in double quotes; and these."""
    quoted: list[str] = []

    def held(match: re.Match[str]) -> str:
        quoted.append(match[1].replace('""', '"'))
        return f"\0{len(quoted) - 1}\0"

    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        content = _COMMENT.sub("", _QUOTED.sub(held, line) if '"' in line else line).strip()
        if "#" in content:
            remedy = "put a blank before a comment, and a label with # into double quotes"
            raise InputError(f"line {number}: '#' inside of {content!r}; {remedy}", line=number)
        if '"' in content:
            remedy = f"a label in double quotes stands alone, and JSON is no edge list: {_RULE}"
            raise InputError(f"line {number}: a double quote inside of a label; {remedy}", line=number)
        if content:
            lines.append((number, content))
    return _apart(lines), quoted


def _apart(lines: list[tuple[int, str]]) -> list[tuple[int, list[str]]]:
    """The labels of each line; a comma separates them if blanks do so on no line."""
    closed = [(number, _COMMA.sub(",", content)) for number, content in lines]
    blank = next((number for number, content in closed if len(content.split()) > 1), None)
    if blank is not None:
        apart = [(number, content.split()) for number, content in lines]
        for number, words in apart:
            if any(word.startswith(",") or word.endswith(",") for word in words):
                raise InputError(
                    f"line {number}: a comma between blanks, but on line {blank} blanks separate the labels; {_RULE}", line=number
                )
        # a line with a blank and no comma, or with two commas, shows that commas separate nothing
        if all(content.count(",") == 1 if len(content.split()) > 1 else content.count(",") <= 1 for _, content in closed):
            remedy = "put labels with a blank or a comma into double quotes ('\"New York\",Boston')"
            raise InputError(f"line {blank}: two labels separated by the blank, or by the comma; {remedy}", line=blank)
        return apart
    split = [(number, content.split(",")) for number, content in closed]
    for number, words in split:
        if "" in words:
            raise InputError(f"line {number}: no label beside a comma; {_RULE}", line=number)
    return split


def _refuse_heading(lines: list[tuple[int, list[str]]]) -> None:
    """Refuse a first line that names columns: its words occur nowhere else."""
    if len(lines) < 2 or len(lines[0][1]) != 2:
        return
    (number, heading), rest = lines[0], {word for _, words in lines[1:] for word in words}
    if rest & set(heading):
        return
    words_among_numbers = all(map(is_integer_label, rest)) and not any(map(is_integer_label, heading))
    if words_among_numbers or frozenset(word.lower() for word in heading) in HEADINGS:
        remedy = "leave it out; an edge of the graph stands on another line than the first"
        raise InputError(f"line {number}: {' and '.join(map(repr, heading))} seem to be a heading; {remedy}", line=number)


def _refuse_sizes(lines: list[tuple[int, list[str]]]) -> None:
    """Refuse a first line that counts: the vertices of the other lines, or these and the edges.

    ``2 1`` before ``1 0`` goes on in the next line, and is an edge.
    """
    (number, sizes), rest = lines[0] if lines else (0, []), [words for _, words in lines[1:]]
    if not rest or not all(map(is_integer_label, sizes)) or any(len(words) != 2 for words in rest):
        return
    labels = {word for words in rest for word in words}
    if sizes[0] not in labels and not {*sizes} & {*rest[0]} and sizes in ([str(len(labels))], [str(len(labels)), str(len(rest))]):
        counted = "vertices" if len(sizes) == 1 else "vertices and edges"
        remedy = "leave it out; if it is meant, let it stand on another line than the first"
        raise InputError(f"line {number}: {' '.join(sizes)!r} seems to count the {counted} of the other lines; {remedy}", line=number)


def _refuse_json(lines: list[tuple[int, list[str]]]) -> None:
    """Refuse labels with one end of a list or object of JSON, or of a tuple; ``[0,10)`` is a label.

    Refused are lists of neighbours, too, where a colon ends the first label.
    """
    for number, words in lines:
        if len(words) == 2 and words[0][0] == "(" and words[1][-1] == ")" and ")" not in words[0] and "(" not in words[1]:
            raise InputError(f"line {number}: '{words[0]},{words[1]}' is a pair in brackets; {_RULE}", line=number)
        odd = next((word for word in words if len(word) > 1 and word[-1] in ":;"), None)
        if odd is not None:
            remedy = "put it into double quotes if it is a label"
            raise InputError(f"line {number}: {odd!r} ends with {odd[-1]!r}; {remedy}: {_RULE}", line=number)
        for word in words:
            open_ends, closed_ends = (sum(map(word.count, ends)) for ends in ("[{(", "]})"))
            if (word[0] in "[{" or word[-1] in "]}") and open_ends != closed_ends:
                raise InputError(f"line {number}: {word!r} has one end of a bracket; JSON is no edge list: {_RULE}", line=number)


def _points_named(lines: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Points such as ``(0,1)``, if all labels are, by the names that a grid gives them: ``0,1``."""
    names = iter(points([word for _, words in lines for word in words]))
    return [(number, [next(names) for _ in words]) for number, words in lines]


def _require_clear(declared: dict[str, int], edges: Iterable[tuple[str, str]]) -> None:
    """Refuse a single 'a,b' that may be an edge or a label: it is a label if labels of edges have commas."""
    if any("," in label for edge in edges for label in edge):
        return
    for label, number in declared.items():
        if "," in label:
            remedy = "separate labels by blanks on every line, or by a comma on every line"
            raise InputError(f"line {number}: {label!r} is one label with a comma, or two; {remedy}", line=number)


def read_metric(content: Content, *, labels: bool = False, dyadic: bool = False, name: str = "") -> Metric:
    r"""A metric from a square table of distances.

    Distances are rationals or ``sqrt(2)``; the diagonal is 0, and an empty cell or ``inf`` is an infinite
    distance. Labelled columns are put in the order of the rows.

    * ``content``: as for :func:`~exactdp.readers.tables.read_grid`.
    * ``labels``: whether the first line and the first column of a CSV are labels (otherwise the points are
      unlabelled).
    * ``dyadic``: read decimals as doubles.
    * ``name``: for display.
    * raises InputError: the table is not square, or a cell is not a distance; names row and column.
    * raises NotAMetricError: it is not symmetric, or the triangle inequality fails.
    * raises LabelError: rows and columns have different labels.

    >>> [str(d) for _, _, d in read_metric("0,1,sqrt(2)\n1,0,1\nsqrt(2),1,0\n").pairs()]
    ['1', 'sqrt(2)', '1']
    """
    grid = read_grid(content, labels=labels, dyadic=dyadic)
    refuse_aside(grid.aside)

    def read(cell: str) -> Distance | int | None:
        return _distance(str(number_in(cell, dyadic=True)) if dyadic and DECIMAL.search(cell) else cell)

    size = len(grid.rows)
    for number, cells in zip(grid.lines, grid.rows, strict=True):
        if len(cells) != size:
            where = "the table" if number is None else f"line {number}"
            raise InputError(f"{where}: {len(cells)} distances, but the table has {size} rows; it must be square", line=number)
    rows: list[list[Any]] = [[_distance(str(x)) if isinstance(x, Rational) else x for x in row] for row in grid.entries(read)]
    points, columns = as_labels(grid.inputs, size, what="point"), as_labels(grid.outputs, size, what="point")
    order = places_in(columns, points, got_what="the labels of the columns", expected_what="those of the rows")
    return Metric.from_rows(points, [[row[j] for j in order] for row in rows], name=name)


def _distance(cell: str) -> Distance | int | None:
    """A distance; 0 for the diagonal, None for an infinite one."""
    if cell in {"", "inf"}:
        return None
    if cell.lower() in {"inf", "infinity", "∞"}:
        raise InputError(f"{cell!r} is not a distance; an infinite one is inf, or an empty cell", text=cell)
    return 0 if _ZERO.fullmatch(cell) else Distance.parse(cell)


_ZERO = re.compile(r"-?0(\.0+)?|0/[1-9][0-9]*", re.ASCII)
