# SPDX-License-Identifier: MIT
"""Writing an instance down: names for its numbers, an order for every axis of every object, and a format.

Modes: ``labels``, every object carries labels, in an order of its own; ``positions``, none does, and all are
in one order; ``mixed``, some do and some do not, which must be refused; ``by-position``, the same with
``--by-position``, everything in one order.
"""

from __future__ import annotations

import io
import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

from .instances import Grid, Near, Question, Subset, Weights

MODES = ("labels", "positions", "mixed", "by-position")

POOLS = [
    ["a", "b", "c", "d"],
    ["0", "1", "2", "3"],
    ["1", "2", "3", "4"],
    ["10", "2", "-1", "7"],
    ["0,0", "0,1", "1,0", "1,1"],
    ["yes", "no", "x", "y"],
]


class Presentation:
    """One way to write the objects of a question down."""

    def __init__(self, rng: Random, question: Question, mode: str) -> None:
        self.rng, self.question, self.mode = rng, question, mode
        sizes = question.sizes()
        self.names: dict[str, list[str]] = {}
        self.order: dict[str, list[int]] = {}
        for axis, size in sizes.items():
            if axis not in question.alias:
                pool = list(rng.choice(POOLS))[:size]
                rng.shuffle(pool)
                self.names[axis], self.order[axis] = pool, shuffled(rng, size)
                if axis in question.names:
                    self.names[axis], self.order[axis] = question.names[axis], list(range(size))
        for axis, other in question.alias.items():
            if axis in sizes:
                self.names[axis], self.order[axis] = self.names[other], self.order[other]
        self.labelled = self._who_is_labelled()
        if question.graph_word and not self.labelled["near"]:
            self._order_for_a_word(question.objects["near"])
        self.edge_lines: list[str] = []
        for key, thing in question.objects.items():
            if isinstance(thing, Near) and self.labelled[key] and thing.graph:
                self._lay_out_edges(thing)

    def _who_is_labelled(self) -> dict[str, bool]:
        objects = self.question.objects
        if self.mode in ("labels", "positions"):
            return dict.fromkeys(objects, self.mode == "labels")
        if not self.can_mix(self.question):
            raise ValueError("nothing to mix")
        while True:
            chosen = {key: self.rng.random() < 0.5 for key in objects}
            for key, thing in objects.items():
                # it names the inputs of the neighbours, or of whatever has labels for them
                if isinstance(thing, Subset):
                    for other, at in objects.items():
                        chosen[other] = chosen[other] or isinstance(at, Near)
                    chosen[key] = any(chosen[other] for other, at in objects.items() if at.rows == "x" and other != key)
            if self.question.lists_follow and self.mode == "mixed":
                chosen["m"] = False
            if self._meets(chosen):
                return chosen

    def _meets(self, chosen: dict[str, bool]) -> bool:
        """Whether a labelled and an unlabelled object share an axis."""
        states: dict[str, set[bool]] = {}
        for key, thing in self.question.objects.items():
            if not isinstance(thing, Subset):
                for axis in {thing.rows, getattr(thing, "columns", thing.rows)}:
                    states.setdefault(axis, set()).add(chosen[key])
        return any(len(found) == 2 for found in states.values())

    @staticmethod
    def can_mix(question: Question) -> bool:
        """Whether two objects share an axis."""
        axes = [
            axis
            for thing in question.objects.values()
            if not isinstance(thing, Subset)
            for axis in {thing.rows, getattr(thing, "columns", thing.rows)}
        ]
        return len(set(axes)) < len(axes)

    def order_of(self, axis: str, *, labelled: bool) -> list[int]:
        """The order in which an object lists an axis: its own if it has labels, unless everything is to be in
        one order.
        """
        return shuffled(self.rng, len(self.names[axis])) if labelled and self.mode in ("labels", "mixed") else self.order[axis]

    def _order_for_a_word(self, at: Near) -> None:
        """An order of the inputs in which the graph is one that a word names."""
        for order in shuffled_list(self.rng, list(permutations(range(at.size)))):
            if word_of(at, list(order)) is not None:
                self.order["x"] = list(order)
                for axis, other in self.question.alias.items():
                    self.order[axis] = self.order[other]
                return
        raise ValueError("no word names this graph")

    def _lay_out_edges(self, at: Near) -> None:
        """The lines of an edge file; their order decides the order of the vertices, which by-position must
        follow.
        """
        names, edges = self.names["x"], shuffled_list(self.rng, list(at.distances))
        lonely = [i for i in range(at.size) if all(i not in edge for edge in edges)]
        ends = [shuffled_list(self.rng, list(edge)) for edge in edges]
        comma = not any("," in name for name in names) and self.rng.random() < 0.3 and not lonely
        self.edge_lines = [("," if comma else " ").join(names[i] for i in pair) for pair in ends] + [names[i] for i in lonely]
        if self.mode == "by-position":
            seen = list(dict.fromkeys([i for pair in ends for i in pair] + lonely))
            if all(name.lstrip("-").isdigit() for name in names[: at.size]):
                seen.sort(key=lambda i: int(names[i]))
            for axis in ("x", *(a for a, other in self.question.alias.items() if other == "x")):
                self.order[axis] = seen


class Files:
    """The objects of a presentation as words of a command line: files in a folder, or short words."""

    def __init__(self, shown: Presentation, folder: Path) -> None:
        self.shown, self.folder, self.rng = shown, folder, shown.rng
        objects, labelled = shown.question.objects, shown.labelled
        self.csv_labelled = shown.mode == "labels" and self.rng.random() < 0.7
        if shown.mode in ("mixed", "by-position"):
            self.csv_labelled = self.rng.random() < 0.5
        self.near_word: str | None = None
        self.near_json = self.rng.random() < 0.3
        for key, thing in objects.items():
            if isinstance(thing, Near):
                if labelled[key] and not thing.graph and not self.near_json:
                    self.csv_labelled = True
                if not labelled[key]:
                    self.near_word = word_of(thing, shown.order["x"])
                    if not shown.question.graph_word and self.rng.random() < 0.3:
                        self.near_word = None
                    self.csv_labelled = self.csv_labelled and (self.near_word is not None or self.near_json)
        self.wrote_csv = self.may_look_headed = False
        self.words = {key: self._write(key, thing, labelled[key]) for key, thing in objects.items()}

    def options(self) -> list[str]:
        """What must be said about the files."""
        found = ["--labels"] if self.wrote_csv and self.csv_labelled else []
        found += ["--no-header"] if self.may_look_headed else []
        return found + (["--by-position"] if self.shown.mode == "by-position" else [])

    def _write(self, key: str, thing: Any, labelled: bool) -> str:
        if isinstance(thing, Grid):
            return self._grid(key, thing, labelled)
        if isinstance(thing, Near):
            return self._near(key, thing, labelled)
        if isinstance(thing, Weights):
            return self._weights(key, thing, labelled)
        names = self.shown.names["x"]
        chosen = shuffled_list(self.rng, thing.members)
        if not labelled:
            return ",".join(str(self.shown.order["x"].index(i)) for i in chosen)
        return (";" if any("," in name for name in names) else ",").join(names[i] for i in chosen)

    def _grid(self, key: str, thing: Grid, labelled: bool) -> str:
        rows, columns = (self.shown.order_of(axis, labelled=labelled) for axis in (thing.rows, thing.columns))
        entries = [[thing.entries[i][j] for j in columns] for i in rows]
        inputs, outputs = ([self.shown.names[axis][i] for i in order] for axis, order in ((thing.rows, rows), (thing.columns, columns)))
        if labelled == self.csv_labelled and self.rng.random() < 0.6:
            return self._csv(key, entries, inputs if labelled else None, outputs)
        numbers = all(isinstance(x, Fraction) for row in entries for x in row)
        if not labelled and numbers and self.rng.random() < 0.4:
            return self._npy(key, entries)
        rows_json = [[int(x) if isinstance(x, Fraction) and x.denominator == 1 else str(x) for x in row] for row in entries]
        value: Any = rows_json
        if labelled:
            pairs = [("inputs", inputs), ("outputs", outputs), ("rows", rows_json)]
            if self._is_alone(thing.columns) and self.rng.random() < 0.3:
                del pairs[1]  # nothing else has this axis
            value = dict(shuffled_list(self.rng, pairs))
        elif self.rng.random() < 0.3:
            value = {"rows": rows_json}
        return self._file(f"{key}.json", json.dumps(value))

    def _is_alone(self, axis: str) -> bool:
        question = self.shown.question
        axes = [a for thing in question.objects.values() for a in {thing.rows, getattr(thing, "columns", thing.rows)}]
        return axes.count(axis) == 1 and axis not in question.alias and not question.plain

    def _csv(self, key: str, entries: list[list[Any]], inputs: list[str] | None, outputs: list[str]) -> str:
        self.wrote_csv = True
        lines = [[str(x) for x in row] for row in entries]
        if inputs is not None:
            lines = [[self.rng.choice(["", "corner"]), *outputs], *([name, *line] for name, line in zip(inputs, lines, strict=True))]
        else:  # a first row 0, 1, or one that alone misses 1, may be one of labels: that it is a row is said
            numbers = [x for x in entries[0] if isinstance(x, Fraction)]
            self.may_look_headed |= lines[0] == [str(k) for k in range(len(lines[0]))] or sum(numbers) != 1
        text = "".join(",".join(f'"{cell}"' if "," in cell else cell for cell in line) + "\n" for line in lines)
        return self._file(f"{key}.csv", text)

    def _npy(self, key: str, entries: list[list[Any]]) -> str:
        import numpy as np

        whole = all(x.denominator == 1 for row in entries for x in row)
        array = np.array([[int(x) if whole else str(x) for x in row] for row in entries], dtype=np.int64 if whole else str)
        content = io.BytesIO()
        np.save(content, array, allow_pickle=False)
        path = self.folder / f"{key}.npy"
        path.write_bytes(content.getvalue())
        return str(path)

    def _near(self, key: str, thing: Near, labelled: bool) -> str:
        if labelled and thing.graph:
            return self._file(f"{key}.edges", "\n".join(self.shown.edge_lines) + "\n")
        if not labelled and self.near_word is not None:
            return self.near_word
        # rows and columns of a labelled table of distances may be in different orders
        rows, columns = (self.shown.order_of("x", labelled=labelled) for _ in range(2))
        if self.rng.random() < 0.5:
            columns = rows
        far = distances_of(thing)
        entries = [["inf" if far[i][j] is None else str(far[i][j]) for j in columns] for i in rows]
        names = self.shown.names["x"]
        if self.near_json:
            labels = {"inputs": [names[i] for i in rows], "outputs": [names[i] for i in columns]} if labelled else {}
            return self._file(f"{key}.json", json.dumps({**labels, "rows": entries}))
        return self._csv(key, entries, [names[i] for i in rows] if labelled else None, [names[i] for i in columns])

    def _weights(self, key: str, thing: Weights, labelled: bool) -> str:
        order = self.shown.order_of(thing.rows, labelled=labelled)
        values = [str(thing.values[i]) for i in order]
        if not labelled:
            if self.rng.random() < 0.5 and not self.csv_labelled:
                return self._file(f"{key}.row", (",".join(values) if self.rng.random() < 0.5 else "\n".join(values)) + "\n")
            return ",".join(values)
        names = [self.shown.names[thing.rows][i] for i in order]
        if self.csv_labelled and self.rng.random() < 0.5:
            self.wrote_csv = True
            cells = [f'"{name}",{value}' if "," in name else f"{name},{value}" for name, value in zip(names, values, strict=True)]
            return self._file(f"{key}.csv", "\n".join(cells) + "\n")
        return self._file(f"{key}.json", json.dumps(dict(zip(names, values, strict=True))))

    def _file(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)


def word_of(at: Near, order: list[int]) -> str | None:
    """The word of a graph whose vertices are in this order, if it has one."""
    place = {vertex: k for k, vertex in enumerate(order)}
    edges = {(min(place[i], place[j]), max(place[i], place[j])) for i, j in at.distances}
    n = at.size
    known = {
        "path": {(i, i + 1) for i in range(n - 1)},
        "complete": {(i, j) for i in range(n) for j in range(i + 1, n)},
        "star": {(0, i) for i in range(1, n)},
    }
    if n > 2:
        known["cycle"] = {(i, i + 1) for i in range(n - 1)} | {(0, n - 1)}
    return next((f"{family}:{n}" for family, value in known.items() if at.graph and value == edges), None)


def distances_of(thing: Near) -> list[list[int | None]]:
    """The full table of distances; those of a graph are its shortest paths."""
    from . import oracle

    return oracle.shortest(thing.size, thing.distances)


def shuffled(rng: Random, size: int) -> list[int]:
    return shuffled_list(rng, list(range(size)))


def shuffled_list(rng: Random, items: list[Any]) -> list[Any]:
    result = list(items)
    rng.shuffle(result)
    return result
