# SPDX-License-Identifier: MIT
"""Arguments for guessed closed forms: the guess becomes definitions, the steps were written beforehand.

The folder ``templates`` has, for each question, theorems that speak of ``top``/``bottom`` (the guessed value)
and of ``weight``, ``remap``, … (the guessed witness) by name. Their definitions are what was guessed. The
program for arguments replays the whole, and refuses it if the guess is not what the steps carry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from exactdp.arguments.generalisation.closed_form import ARGUMENT, UNLETTERED, EntryForm, Formula, holds
from exactdp.exact import SymbolField, SymbolicFunction

FOLDER = Path(__file__).with_name("templates")

Definition = dict[str, Any]


def value_definitions(formula: Formula, letters: str, letter: str) -> dict[str, Definition]:
    """``top`` and ``bottom``, numerator and denominator of the value."""
    top, bottom = formula.parts(ARGUMENT if " " in letters else UNLETTERED)
    of = f"positive {letters}; int {letter}"
    return {"top": {"of": of, "is": [top]}, "bottom": {"of": of, "is": [bottom]}}


def read_value(definitions: Mapping[str, Definition], letter: str, n: int) -> SymbolicFunction:
    """What the definitions of ``top`` and ``bottom`` say at n, read from their text: a function of the level.

    >>> print(read_value({"top": {"is": ["p^(2*n-1)"]}, "bottom": {"is": ["1+a"]}}, "n", 2))
    (1 - a)^3/(1 + a)
    """
    top, bottom = (read_at(definitions[name]["is"][0], {letter: n}) for name in ("top", "bottom"))
    return top / bottom


def read_at(text: str, places: Mapping[str, int]) -> SymbolicFunction:
    """A term of an argument where these letters are integers."""
    meant = {"p": "(1-a)", "u": "(1+a)", "t": "2", **{letter: f"({k})" for letter, k in places.items()}}
    return SymbolField(["a"]).read(re.sub("[a-z]", lambda match: meant.get(match[0], match[0]), text))


def says_entries(definition: Definition, form: EntryForm, n: int, entries: Mapping[tuple[int, ...], Any]) -> bool:
    """Whether the text of a table's definition has these entries at n."""
    field, h = SymbolField(["a"]), n + form.shift if form.parity is None else n // 2
    cases = [case.rpartition(": ") for case in definition["is"]]
    for at, x in entries.items():
        places = {form.letter: h, **dict(zip(form.indices.split(), at, strict=True))}
        said = next(text for condition, _, text in cases if holds(condition, places))
        if read_at(said, places) != field(x):
            return False
    return True


def entry_definition(form: EntryForm, letters: str) -> dict[str, Definition]:
    """The definition by cases of a table."""
    style = ARGUMENT if " " in letters else UNLETTERED
    cases = [f"{condition}: {formula.as_entry(style)}" if condition else formula.as_entry(style) for condition, formula in form.cases]
    return {form.name: {"of": f"positive {letters}; int {' '.join(filter(None, [form.letter, form.indices]))}", "is": cases}}


def draft(name: str, guessed: Mapping[str, Definition]) -> str:
    """The text of an argument: the theorems of this name, the lemmas that they use, and the definitions.

    * ``name``: of a file in the folder ``templates``.
    * ``guessed``: definitions that replace, or are added to, those of the files.

    Returns: JSON as docs/reference/arguments.md describes it; it needs no other file.

    >>> one = {"of": "positive a p u; int n", "is": ["1"]}
    >>> text = draft("det-geometric-prime", {"top": one, "bottom": one})
    >>> [theorem["name"] for theorem in json.loads(text)["theorems"]]
    ['ones', 'power', 'det_prime', 'determinant']
    """
    lemmas, own = (json.loads((FOLDER / f"{file}.json").read_text(encoding="utf-8")) for file in ("lemmas", name))
    theorems = [theorem for theorem in lemmas["theorems"] if theorem["name"] in own["lemmas"]] + own["theorems"]
    pool: dict[str, Definition] = {**lemmas["definitions"], **guessed, **own.get("definitions", {})}
    used = _used(json.dumps(theorems), pool)
    definitions = {word: definition for word, definition in pool.items() if word in used}
    head = {"format": "exactdp-argument", "version": "0.2", "says": own["says"]}
    lines = [f"{_json(key)}: {_json(value)}" for key, value in head.items()]
    lines.append('"definitions": {\n' + ",\n".join(f"  {_json(word)}: {_json(what)}" for word, what in definitions.items()) + "\n}")
    lines.append('"theorems": [\n' + ",\n".join(map(_theorem, theorems)) + "\n]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _used(text: str, pool: Mapping[str, Definition]) -> set[str]:
    """The definitions whose names occur in a text, and those that these use."""
    found, new = set[str](), _names(text) & pool.keys()
    while new:
        found |= new
        new = (_names(" ".join(case for word in new for case in pool[word]["is"])) & pool.keys()) - found
    return found


def _names(text: str) -> set[str]:
    return set(re.findall("[A-Za-z][A-Za-z0-9_]*", text))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _theorem(theorem: Mapping[str, Any]) -> str:
    """A theorem, a step of its proof a line."""
    keys: Sequence[str] = [f"{_json(key)}: {_json(value)}" for key, value in theorem.items() if key != "proof"]
    steps = "".join(f"\n     {_json(step)}," for step in theorem["proof"])
    return "  {" + ",\n   ".join([*keys, f'"proof": [{steps.rstrip(",")}]']) + "}"
