# SPDX-License-Identifier: MIT
"""Short words and files as model objects: mechanisms, graphs, levels, losses, priors (DESIGN §7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import click

from exactdp.cli.files import file_text, read_bytes, text_of, title_of
from exactdp.errors import ExactDPError, ExpressionSyntaxError, InputError, RationalSyntaxError, ResourceLimitError, ShapeError
from exactdp.exact import RationalFunction
from exactdp.mechanisms import is_mechanism_spec, mechanism_from_spec
from exactdp.model import (
    FORMS,
    LOSSES,
    AdjacencyGraph,
    BayesianConsumer,
    Consumer,
    Gain,
    Labels,
    Loss,
    Mechanism,
    MinimaxConsumer,
    Neighbours,
    Prior,
    PrivacyLevel,
    Remap,
    SideInformation,
    Table,
    level_for,
    loss_from_spec,
    neighbours,
    read_edges,
    read_metric,
    read_table,
    vector_from_csv,
)
from exactdp.model.formula_table import read_formula_matrix

T = TypeVar("T")

__all__ = ["Given", "Reading", "consumer_of", "level_of", "neighbours_of", "on_vertices", "read_given", "read_remap", "table_in"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How tables are read: with labels, decimals as doubles, rows divided by their sums."""

    labels: bool = False
    dyadic: bool = False
    renormalise: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """A mechanism or table that a word or file names; ``named`` when the word is a family such as ``geometric:n=3``."""

    title: str
    table: Table
    named: bool = False

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
        return Given(text, table, named=True)
    if text != "-" and not Path(text).exists():
        raise click.UsageError(
            f"there is no file {text!r}, and it names no mechanism. Mechanisms are words like geometric:n=3 or randomized-response:n=4, "
            "or files: CSV, JSON, .npy ('-' is standard input)"
        )
    title = title_of(text)
    content = read_bytes(text, "the mechanism")
    if level is not None and symbolic:
        return Given(title, _formulas(content, title, level, reading))
    try:
        table = table_in(content, title, reading)
    except RationalSyntaxError as error:
        if level is None or reading.dyadic:
            raise
        try:
            table = _formulas(content, title, level, reading)
        except ExpressionSyntaxError:
            raise error from None
    if reading.renormalise and table.faults():
        faults = table.faults()
        mended = _in_file(title, table.renormalise)
        if notes is not None:
            count = f"{len(faults.rows)} of its {len(table.inputs)} rows did not sum to 1"
            notes.append(f"{title} was renormalised: {count}; each row was divided by its sum. What follows is about the repaired table")
        table = mended.as_table()
    return Given(title, table)


def _formulas(content: bytes, title: str, level: PrivacyLevel, reading: Reading) -> Table:
    """The table whose entries are formulas in the level a, at this level."""
    text = text_of(content, title)
    return Table(_in_file(title, lambda: read_formula_matrix(text, labels=reading.labels, alpha=level.alpha)))


def read_remap(name: str, reading: Reading, outputs: Labels, guesses: Labels) -> Remap:
    """A remap from a table; without labels its rows and columns are the outputs and guesses in order."""
    title = title_of(name)
    table = _table(name, "the remap", reading)
    if reading.renormalise and table.faults():
        table = _in_file(title, table.renormalise).as_table()
    if reading.labels:
        return _in_file(title, lambda: Remap(table.matrix, table.inputs, table.outputs))
    _same_size(title, "rows", table.matrix.shape[0], len(outputs), "outputs of the mechanism")
    _same_size(title, "columns", table.matrix.shape[1], len(guesses), "guesses of the consumer")
    return _in_file(title, lambda: Remap(table.matrix, outputs, guesses))


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


def neighbours_of(graph: str | None, metric: str | None, inputs: Labels | None, reading: Reading, *, option: str = "--graph") -> Neighbours:
    """The graph or metric asked for, or else the path on inputs labelled 0, 1, …, n; ``option`` is how the command calls the graph."""
    if graph is not None and metric is not None:
        raise click.UsageError(f"give {option} or --metric, not both")
    if metric is not None:
        title = title_of(metric)
        return _in_file(title, lambda: read_metric(file_text(metric, "--metric"), labels=reading.labels, name=title))
    if graph is not None:
        return _graph(graph, option)
    if inputs is None:
        raise click.UsageError(
            "say which inputs are neighbours: --graph path:4 (or cycle:5, hypercube:3, a file of edges, …) or --metric FILE"
        )
    if inputs != tuple(map(str, range(len(inputs)))):
        raise click.UsageError(
            f"the inputs are labelled {inputs[0]!r}, …, not 0, 1, …, so it isn't clear which are neighbours: "
            "give --graph FILE (one edge a line) or --metric FILE"
        )
    return AdjacencyGraph.path(len(inputs))


def _graph(text: str, option: str) -> Neighbours:
    family, colon, _ = text.partition(":")
    if colon and family in {form.partition(":")[0] for form in FORMS}:
        return neighbours(text)
    if text == "-" or Path(text).exists():
        title = title_of(text)
        return _in_file(title, lambda: read_edges(file_text(text, option), name=title))
    if colon:
        return neighbours(text)
    raise click.UsageError(f"{option}: there is no file {text!r}, and it names no graph. The forms are {', '.join(FORMS)}")


def on_vertices(given: Given, near: Neighbours, notes: list[str]) -> Given:
    """The table with the vertices as row labels, when it came without labels and the numbers agree."""
    table = given.table
    numbers = tuple(map(str, range(len(table.inputs))))
    if given.named or table.inputs == near.vertices or table.inputs != numbers or len(numbers) != len(near.vertices):
        return given
    outputs = near.vertices if table.outputs == numbers else table.outputs
    first = ", ".join(near.vertices[:4]) + (", …" if len(numbers) > 4 else "")
    notes.append(f"the rows of {given.title} are taken in the order of the vertices of {near}: {first}")
    return replace(given, table=Table(table.matrix, near.vertices, outputs))


def consumer_of(near: Neighbours, words: Mapping[str, str | None], *, reading: Reading, outputs: Labels | None = None) -> Consumer:
    """The consumer of ``--loss``/``--gain`` with ``--prior`` (Bayesian) or ``--side-information`` (minimax), all in ``words``.

    ``outputs`` are the guesses of a table without labels, when the mechanism is judged as deployed.
    """
    loss, gain, prior, side = (words[key] for key in ("loss", "gain", "prior", "side"))
    if (loss is None) == (gain is None):
        raise click.UsageError("give one of --loss and --gain (abs, squared, zero-one, distance, or a CSV of exact numbers)")
    if prior is not None and side is not None:
        raise click.UsageError("--prior makes a Bayesian consumer, --side-information a minimax one; give one of them")
    inputs = near.vertices
    if loss is not None:
        matrix = _loss(loss, near, reading, outputs)
    else:
        assert gain is not None
        matrix = _gain(gain, near, reading, outputs).as_loss()
    if prior is not None:
        return BayesianConsumer(matrix, _prior(prior, inputs, reading))
    return MinimaxConsumer(matrix, SideInformation.parse(side, inputs) if side is not None else None)


def _gain(text: str, near: Neighbours, reading: Reading, outputs: Labels | None) -> Gain:
    """The gain of a table; the word ``zero-one`` is the gain of a right guess, 1 where guess and input agree."""
    if text == "zero-one":
        wrong = loss_from_spec(text, near)
        return Gain([[1 - x for x in row] for row in wrong.matrix.rows()], wrong.inputs, wrong.guesses, text)
    if text in LOSSES:
        raise click.UsageError(f"--gain {text} would reward being far off; give --loss {text}, --gain zero-one, or a CSV of gains")
    table = _loss(text, near, reading, outputs)
    return Gain(table.matrix, table.inputs, table.guesses, text)


def _loss(text: str, near: Neighbours, reading: Reading, outputs: Labels | None) -> Loss:
    if text in LOSSES:
        return loss_from_spec(text, near)
    if text != "-" and not Path(text).exists():
        raise click.UsageError(
            f"there is no file {text!r}, and it names no loss. The words are {', '.join(LOSSES)}; give a CSV, rows inputs, columns guesses"
        )
    title = title_of(text)
    table = _table(text, "the loss", reading)
    rows, columns = table.matrix.shape
    if reading.labels:
        return Loss(table.matrix, table.inputs, table.outputs, title)
    _same_size(title, "rows", rows, len(near.vertices), "inputs")
    guesses: Any = outputs if outputs is not None and len(outputs) == columns else near.vertices if columns == rows else None
    return Loss(table.matrix, near.vertices, guesses, title)


def _prior(text: str, inputs: Labels, reading: Reading) -> Prior:
    if text == "uniform":
        return Prior.uniform(inputs)
    if text == "-" or Path(text).exists():
        title = title_of(text)
        weights = _in_file(title, lambda: vector_from_csv(file_text(text, "the prior"), dyadic=reading.dyadic))
    elif "," in text:
        title = "--prior"
        weights = _in_file(title, lambda: vector_from_csv(text, dyadic=reading.dyadic))
    else:
        raise click.UsageError(f"there is no file {text!r}. A prior is 'uniform', a CSV row in a file, or weights such as 1/2,1/4,1/4")
    _same_size(title, "weights", len(weights), len(inputs), "inputs")
    return _in_file(title, lambda: Prior(weights, inputs))


def _table(name: str, what: str, reading: Reading) -> Table:
    return table_in(read_bytes(name, what), title_of(name), reading)


def table_in(content: bytes, title: str, reading: Reading) -> Table:
    """The table in the content of a file; a first line of words brings a hint about ``--labels``."""
    try:
        return _in_file(title, lambda: read_table(content, labels=reading.labels, dyadic=reading.dyadic))
    except RationalSyntaxError as error:
        if reading.labels or error.facts.get("row") != 0 or not str(error.facts.get("text")).strip('"')[:1].isalpha():
            raise
        hint = "If the first line and the first column are labels, give --labels"
        raise RationalSyntaxError(f"{error.message}. {hint}", **error.facts) from None


def _same_size(title: str, what: str, got: int, expected: int, of: str) -> None:
    if got != expected:
        raise ShapeError(f"{title}: {got} {what}, but there are {expected} {of}", expected=expected, got=got)


def _in_file(title: str, read: Callable[[], T]) -> T:
    """What ``read()`` returns; its errors begin with the name of the file."""
    try:
        return read()
    except ExactDPError as error:
        raise type(error)(f"{title}: {error.message}", **error.facts) from None
