# SPDX-License-Identifier: MIT
"""Short words and files as model objects: mechanisms, remaps, levels, neighbours (DESIGN §7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import click

from exactdp.cli.files import file_text, read_bytes, title_of
from exactdp.cli.matching import placed
from exactdp.cli.output import Output
from exactdp.cli.reading import Reading, in_file
from exactdp.errors import ExactDPError, ExpressionSyntaxError, InputError, RationalSyntaxError, ResourceLimitError
from exactdp.exact import RationalFunction
from exactdp.mechanisms import is_mechanism_spec, mechanism_from_spec
from exactdp.mechanisms.specs import is_meant, needs_level, neighbours_name, word_neighbours
from exactdp.model import (
    FORMS,
    AdjacencyGraph,
    Labels,
    Mechanism,
    Neighbours,
    PrivacyLevel,
    Remap,
    Table,
    is_integer_label,
    level_for,
    neighbours,
    read_edges,
)
from exactdp.model.formula_table import lifted, table_of_formulas

__all__ = ["Given", "level_of", "meant_neighbours", "neighbours_of", "on_inputs", "read_given", "read_remap"]


@dataclass(frozen=True, slots=True)
class Given:
    """A mechanism or table that a word or file names.

    Attributes
    ----------
    title : str
        How it is called in sentences.
    table : Table
    word : str or None
        The word, when it is one of a family such as ``geometric:n=3``.
    levelled : bool
        Whether the level beside it was needed to make it: it names a family, or its entries are formulas.
    """

    title: str
    table: Table
    word: str | None = None
    levelled: bool = False

    def mechanism(self) -> Mechanism:
        """The mechanism; NotStochasticError with every faulty row if it is none."""
        try:
            return self.table.as_mechanism()
        except ExactDPError as error:
            raise type(error)(f"{self.title}: {error.message}", **error.facts) from None


def read_given(text: str, reading: Reading, *, level: PrivacyLevel | None = None, notes: list[str] | None = None) -> Given:
    """The mechanism or table that a word (``geometric:n=3``) or a file (CSV, JSON, .npy, ``-``) names.

    With ``reading.renormalise`` a table whose rows do not sum to 1 is repaired, and a note says so.
    """
    symbolic = level is not None and isinstance(level.alpha, RationalFunction)
    if is_mechanism_spec(text):
        table = mechanism_from_spec(text, level).as_table()
        if level is not None and symbolic:
            table = Table(table.matrix.over(level.field), table.inputs, table.outputs)
        return Given(text, table, text, symbolic or needs_level(text))
    if text != "-" and not Path(text).exists():
        raise click.UsageError(
            f"there is no file {text!r}, and it names no mechanism. Mechanisms are words like geometric:n=3 or randomized-response:n=4, "
            "or files: CSV, JSON, .npy ('-' is standard input)"
        )
    title = title_of(text)
    content = read_bytes(text, "the mechanism")
    grid = reading.grid(content, title)
    try:
        table = reading.numbers(grid, title)
    except RationalSyntaxError as error:
        if level is None:
            raise
        try:
            table = in_file(title, lambda: table_of_formulas(grid, dyadic=reading.dyadic, alpha=level.alpha))
        except ExpressionSyntaxError:
            if symbolic:
                raise
            raise error from None
        if reading.renormalise:
            message = f"--renormalise divides rows of numbers, and {title} has formulas; write the division in the formulas"
            raise click.UsageError(message) from None
        return Given(title, table, levelled=True)
    table = _mended(table, title, reading, notes)
    if level is None or not symbolic:
        return Given(title, table)
    return Given(title, Table(lifted(table.matrix, level.field), table.inputs, table.outputs), levelled=True)


def _mended(table: Table, title: str, reading: Reading, notes: list[str] | None) -> Table:
    """The table, its rows divided by their sums if --renormalise is given and some do not sum to 1."""
    faults = table.faults() if reading.renormalise else None
    reading.mended(bool(faults))
    if not faults:
        return table
    mended = in_file(title, table.renormalise)
    if notes is not None:
        count = f"{len(faults.rows)} of its {len(table.inputs)} rows did not sum to 1"
        notes.append(f"{title} was renormalised: {count}; each row was divided by its sum. What follows is about the repaired table")
    return mended.as_table()


def read_remap(name: str, reading: Reading, notes: list[str]) -> Remap:
    """A remap from a table, with the labels that it has."""
    title = title_of(name)
    table = _mended(reading.table_file(name, "the remap"), title, reading, notes)
    return in_file(title, lambda: Remap(table.matrix, table.inputs, table.outputs))


def level_of(alpha: str | None, epsilon: str | None, near: Neighbours | None = None) -> PrivacyLevel | None:
    """The level of ``--alpha`` (a rational, or the letter) or ``--epsilon``; with neighbours given, in a field that has their α^d."""
    if alpha is not None and epsilon is not None:
        raise click.UsageError("give --alpha or --epsilon, not both")
    if epsilon is not None:
        if epsilon.strip().lower() == "symbolic":
            raise click.UsageError("--epsilon takes a rational such as 1/10; for all levels at once give --alpha symbolic")
        return _told("--epsilon", lambda: PrivacyLevel.from_epsilon(epsilon) if near is None else level_for(near, epsilon))
    if alpha is None:
        return None
    if alpha.strip().lower() in {"symbolic", "alpha", "a", "α"}:
        return PrivacyLevel.symbolic()
    return _told("--alpha", lambda: PrivacyLevel(alpha))


def _told(option: str, read: Callable[[], PrivacyLevel]) -> PrivacyLevel:
    try:
        return read()
    except (InputError, ResourceLimitError) as error:
        raise type(error)(f"{option}: {error.message}", **error.facts) from None


def neighbours_of(graph: str | None, metric: str | None, reading: Reading, *, option: str = "--graph") -> Neighbours | None:
    """The graph or metric asked for, if one is; ``option`` is how the command calls the graph."""
    if graph is not None and metric is not None:
        raise click.UsageError(f"give {option} or --metric, not both")
    if metric is not None:
        return reading.metric(read_bytes(metric, "--metric"), title_of(metric))
    return None if graph is None else _graph(graph, option)


def meant_neighbours(chosen: Neighbours | None, given: Given | None, out: Output) -> Neighbours:
    """The neighbours asked for, or else those that are meant; the answer says which, and whether they were assumed.

    A word brings its own neighbours (all inputs of a local mechanism, else those that differ by at most its sensitivity). For a table they
    are the path on its inputs, if these are unlabelled or labelled 0, 1, …, n in any order.
    """
    word = None if given is None else given.word
    if chosen is not None:
        out.about(chosen)
        if word is not None and given is not None and not is_meant(chosen, word, given.table.inputs):
            own = neighbours_name(word, given.table.inputs)
            out.notes.append(f"the neighbours that {word} means are {own}; what follows is about {chosen} instead")
        return chosen
    if given is None:
        raise click.UsageError(
            "say which inputs are neighbours: --graph path:4 (or cycle:5, hypercube:3, a file of edges, …) or --metric FILE"
        )
    if word is not None:
        own_graph = word_neighbours(word, given.table.inputs)
        out.about(own_graph, f"which {word} means; --graph or --metric gives others")
        return own_graph
    assumed = _path_on(given.table.inputs)
    out.about(assumed, "the default for a table; --graph or --metric gives others")
    return assumed


def _path_on(inputs: Labels) -> AdjacencyGraph:
    size = len(inputs)
    if set(inputs) != set(map(str, range(size))):
        strange = next(label for label in inputs if not is_integer_label(label) or label not in set(map(str, range(size))))
        raise click.UsageError(
            f"an input is labelled {strange!r}, and the labels are not 0, 1, …, {size - 1}, so it isn't clear which are neighbours: "
            "give --graph FILE (one edge a line) or --metric FILE"
        )
    path = AdjacencyGraph.path(size)
    return path if inputs == path.vertices else path.relabelled(tuple(map(str, range(size))))


def _graph(text: str, option: str) -> Neighbours:
    family, colon, _ = text.partition(":")
    if colon and family in {form.partition(":")[0] for form in FORMS}:
        return neighbours(text)
    if text == "-" or Path(text).exists():
        title = title_of(text)
        return in_file(title, lambda: read_edges(file_text(text, option), name=title))
    if colon:
        return neighbours(text)
    raise click.UsageError(f"{option}: there is no file {text!r}, and it names no graph. The forms are {', '.join(FORMS)}")


def on_inputs(given: Given, reference: Labels) -> Given:
    """The table with its rows in the order of the common labels."""
    return replace(given, table=placed(given.title, given.table, given.table.inputs, reference))
