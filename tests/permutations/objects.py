# SPDX-License-Identifier: MIT
"""The objects of a presentation in Python: tables and losses from lists, arrays and frames, priors from dicts
and series.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

import exactdp as xdp

from .instances import Grid, Near, Subset, Weights
from .presentation import Presentation


class Objects:
    """What :class:`Files` is for the command line. In the mode by-position what has no labels is given them
    by position.
    """

    def __init__(self, shown: Presentation) -> None:
        self.shown, self.rng, self.xdp = shown, shown.rng, xdp
        self.made = {key: self._make(key, thing, shown.labelled[key]) for key, thing in shown.question.objects.items()}

    def __getitem__(self, key: str) -> Any:
        return self.made[key]

    def get(self, key: str) -> Any:
        """The object, or None if the question has none of this name."""
        return self.made.get(key)

    def vector(self, key: str) -> Any:
        """Frequencies or weights that a function takes as they are."""
        return self.made[key]

    def over(self, axis: str, labels: tuple[str, ...], vector: tuple[Any, ...]) -> dict[int, Any]:
        """An answer in the order of some labels, by number."""
        return dict(zip(self.numbers(axis, labels), vector, strict=True))

    def cells(self, matrix: Any, rows: tuple[str, ...], columns: tuple[str, ...], row_axis: str, column_axis: str) -> dict[Any, Any]:
        """The entries of a table by number."""
        places = self.numbers(row_axis, rows), self.numbers(column_axis, columns)
        return {(i, j): matrix[p, q] for p, i in enumerate(places[0]) for q, j in enumerate(places[1])}

    def numbers(self, axis: str, labels: tuple[str, ...]) -> list[int]:
        if self.shown.mode == "positions":
            return self.shown.order[axis]
        return [self.shown.names[axis].index(label) for label in labels]

    def _names(self, axis: str, order: list[int]) -> list[str]:
        names = self.shown.names[axis]
        return [names[i] for i in order]

    def _make(self, key: str, thing: Any, labelled: bool) -> Any:
        by_position = not labelled and self.shown.mode == "by-position"
        if isinstance(thing, Grid):
            made = self._grid(key, thing, labelled)
            if not by_position:
                return made
            return made.relabelled(*(self._names(axis, self.shown.order[axis]) for axis in (thing.rows, thing.columns)))
        if isinstance(thing, Near):
            made = self._near(thing, labelled)
            return made.relabelled(self._names("x", self.shown.order["x"])) if by_position else made
        if isinstance(thing, Weights):
            order = self.shown.order_of(thing.rows, labelled=labelled or by_position)
            vector = self._vector([thing.values[i] for i in order], self._names(thing.rows, order) if labelled or by_position else None)
            return vector if key in "pq" else xdp.Prior(vector)
        assert isinstance(thing, Subset)
        named = labelled or by_position
        order = self.shown.order_of("x", labelled=named)
        if not named:
            return xdp.SideInformation({order.index(i) for i in thing.members}, range(len(order)))
        return xdp.SideInformation.of({self.shown.names["x"][i] for i in thing.members}, self._names("x", order))

    def _grid(self, key: str, thing: Grid, labelled: bool) -> Any:
        rows, columns = (self.shown.order_of(axis, labelled=labelled) for axis in (thing.rows, thing.columns))
        entries = [[thing.entries[i][j] for j in columns] for i in rows]
        names = [self._names(axis, order) for axis, order in ((thing.rows, rows), (thing.columns, columns))]
        make = xdp.Loss if key == "loss" else xdp.Mechanism
        form = self.rng.randrange(4)
        if form == 0:
            import pandas as pd

            frame = pd.DataFrame(entries, index=names[0] if labelled else None, columns=names[1] if labelled else None)
            table = xdp.table_of(frame)
            return make(table.matrix, table.inputs, table.outputs)
        if form == 1:
            given: Any = np.array(entries, dtype=object)
        elif form == 2 and not labelled:
            import polars as pl

            table = xdp.table_of(pl.DataFrame([[str(x) for x in row] for row in entries], orient="row"))
            return make(table.matrix, table.inputs, table.outputs)
        else:
            given = [[str(x) if form == 3 else x for x in row] for row in entries]
        return make(given, *names) if labelled else make(given)

    def _vector(self, values: list[Fraction], names: list[str] | None) -> Any:
        import pandas as pd

        form = self.rng.randrange(3)
        if names is None:
            return [values, pd.Series(values), np.array(values, dtype=object)][form]
        keys: list[Any] = [int(name) if name.isdigit() else name for name in names] if self.rng.random() < 0.3 else list(names)
        if form == 0:
            return pd.Series([str(x) for x in values], index=keys)
        return dict(zip(keys, values, strict=True))

    def _near(self, thing: Near, labelled: bool) -> Any:
        order = self.shown.order_of("x", labelled=labelled)
        if labelled and thing.graph and self.shown.mode == "by-position":
            order = self.shown.order["x"]
        place = {vertex: k for k, vertex in enumerate(order)}
        names: Any = self._names("x", order) if labelled else range(thing.size)
        if thing.graph:
            edges = [(place[i], place[j]) for i, j in thing.distances]
            self.rng.shuffle(edges)
            return xdp.Graph(names, edges)
        return xdp.Metric(names, [(place[i], place[j], d) for (i, j), d in thing.distances.items()])
