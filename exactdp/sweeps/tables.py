# SPDX-License-Identifier: MIT
"""Tables of files in plans: each becomes a word with all of its numbers, so that a question needs no file.

>>> word = table_word(Table([["1/2", "1/2"], ["1/4", "3/4"]]))
>>> word, table_of_word(word).matrix.row(1)
('table:[null,null,[["1/2","1/2"],["1/4","3/4"]]]', (Rational('1/4'), Rational('3/4')))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from exactdp.errors import ExactDPError, InputError
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.mechanisms import mechanism_from_spec
from exactdp.model import Mechanism, Table, neighbours
from exactdp.model.labels import Positions
from exactdp.readers import read_table, refuse_aside, told_aside

TABLE = "table:"
"""What follows is a table: a JSON list of inputs, outputs (null where they are positions), and rows."""


def is_table(word: str) -> bool:
    """Whether a word is a table.

    >>> is_table("table:[null,null,[]]"), is_table("geometric:n=3")
    (True, False)
    """
    return word.startswith(TABLE)


def table_word(table: Table) -> str:
    """The word of a table of rational numbers.

    * raises InputError: it has other numbers.
    """
    if table.matrix.field != QQ:
        raise InputError("a table in a plan has rational numbers, and this one has others", table=table)
    labels = [None if isinstance(axis, Positions) else list(map(str, axis)) for axis in (table.inputs, table.outputs)]
    rows = [[str(x) for x in row] for row in table.matrix.rows()]
    return TABLE + json.dumps([*labels, rows], separators=(",", ":"), ensure_ascii=False)


def table_of_word(word: str) -> Table:
    """The table of a word.

    * raises InputError: it is none, or is written in another way than :func:`table_word` does.
    """
    try:
        inputs, outputs, rows = json.loads(word.removeprefix(TABLE))
        found = Table(ExactMatrix([[Rational(x) for x in row] for row in rows], QQ), inputs, outputs)
    except ExactDPError as error:
        raise InputError(f"{word[:80]!r} is no table: {error.message}", mechanism=word) from None
    except (ValueError, TypeError):
        found = None
    if found is None or table_word(found) != word:
        raise InputError(f"{word[:80]!r} is no table as a sweep writes it: {TABLE}[inputs,outputs,rows]", mechanism=word)
    return found


def mechanism_of_word(word: str, level: Any) -> Mechanism:
    """The mechanism of a word: a table whose rows sum to 1, or one of a family."""
    return table_of_word(word).as_mechanism() if is_table(word) else mechanism_from_spec(word, level)


def mechanism_words(text: str, folder: Path) -> Iterator[str]:
    """The words that a text of a plan names: itself, or the tables of files beside the plan.

    * ``text``: a word of a family, the name of a file, which has a point and no colon, or a pattern such
      as ``tables/*.csv``.
    * ``folder``: where files are looked for.
    """
    if ":" in text or not ("." in text or "*" in text):  # a word, right or wrong
        yield text
        return
    places = sorted(folder.glob(text)) if "*" in text and not Path(text).is_absolute() else [folder / text]
    if not places:
        raise InputError(f"{text!r} names no mechanism, and there is no file of this pattern", mechanism=text)
    for place in places:
        try:
            content = place.read_bytes()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"{text!r} names no mechanism, and as a file: {reason}", mechanism=text) from None
        try:
            table = read_table(content)
            refuse_aside(told_aside(table.notes))
            yield table_word(table)
        except ExactDPError as error:
            raise type(error)(f"{place.name}: {error.message}", **error.facts) from None


def graph_on(family: str, word: str, edges: Callable[[Any], str]) -> str:
    """The word of a family's graph on the inputs of a table; ``edges`` writes one with labels.

    >>> graph_on("path", table_word(Table([["1/2", "1/2"]] * 3)), str)
    'path:3'
    """
    inputs = table_of_word(word).inputs
    graph = neighbours(family, inputs)
    return f"{'complete' if family == 'local' else family}:{len(inputs)}" if isinstance(inputs, Positions) else edges(graph)
