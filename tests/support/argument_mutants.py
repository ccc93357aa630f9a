# SPDX-License-Identifier: MIT
"""Mechanical mutants of theorems in argument files: every number, sign and comparison, every hypothesis, case
and step, one at a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from unittest.mock import patch

from argument_values import FOLDER, load
from random_edits import put

from exactdp.arguments import argument
from exactdp.arguments.reading import Node, Stop

TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9_/]*(?:\.[0-9])?|[0-9]+|<=|>=|[-+<>=]")
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+", "=": "<="}
SKIP = {"example", "says", "name", "as", "use", "let", "induction", "fix", "for", "determinant", "of"}


class File:
    """A file of arguments with what is known before each of its theorems."""

    def __init__(self, stem: str) -> None:
        self.stem, self.data = stem, load(stem)
        argument.begin()
        self.library = argument.Library(FOLDER, {}, {}, {}, [])
        self.known = [{}]
        for need in self.data.get("needs", []):
            self.known[0] |= argument.needed_file(Node(need, "$"), self.library)
        for name, entry in self.data.get("definitions", {}).items():
            argument.define(name, Node(entry, "$"), self.library)
        for theorem in self.data["theorems"]:
            label, fact = argument.theorem(Node(theorem, "$"), self.library, self.known[-1])
            self.known.append({**self.known[-1], label: fact})

    def answer(self, index: int, theorem: dict):
        """The checker's answer to a theorem in the place of another: None if it is proved. The rules alone
        decide, not the example.
        """
        argument.begin()
        try:
            with patch.object(argument, "example", lambda fact, node, shown: fact.env):
                argument.theorem(Node(theorem, "$"), self.library, dict(self.known[index]))
        except Stop as stop:
            return stop.args[0]
        except RecursionError:
            return argument.Answer("limit", "recursion")
        return None


def texts(value: object, path: tuple = ()) -> Iterator[tuple[tuple, str]]:
    """The strings that are formulas or references, with their places."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield from texts(item, (*path, k))
    elif isinstance(value, dict):
        for key, item in value.items():
            if not (key in SKIP and (isinstance(item, str) or key == "example")):
                yield from texts(item, (*path, key))


def variants(text: str) -> Iterator[str]:
    """The text with one number one larger, or one sign or comparison turned."""
    for match in TOKEN.finditer(text):
        word = match.group()
        other = str(int(word) + 1) if word.isdigit() else SWAPS.get(word)
        if other is not None:
            yield text[: match.start()] + other + text[match.end() :]


def lists(value: object, path: tuple = ()) -> Iterator[tuple[tuple, str]]:
    """The places of hypotheses, cases, steps and summands, each of which can be left out."""
    if isinstance(value, list):
        for k, item in enumerate(value):
            yield (
                (*path, k),
                {"cases": "case", "proof": "step", "base": "step", "step": "step", "by": "summand"}.get(path[-1] if path else "", "item"),
            )
            yield from lists(item, (*path, k))
    elif isinstance(value, dict):
        for key, item in value.items():
            if path and path[-1] == "given" and "proof" not in path:
                yield (*path, key), "hypothesis"
            if key != "example":
                yield from lists(item, (*path, key))


def mutants(theorem: dict) -> Iterator[tuple[str, tuple, dict]]:
    """(kind, place, mutant): kind is statement, proof, hypothesis, case, step or summand."""
    for path, text in texts(theorem):
        for other in variants(text):
            yield ("proof" if path[0] == "proof" else "statement"), (*path, other), put(theorem, path, other)
    for path, kind in lists(theorem):
        if kind != "item":
            yield kind, path, put(theorem, path, ...)


def shown(theorem: dict) -> str:
    """A theorem's statement, for messages."""
    return json.dumps({key: theorem.get(key) for key in ("for", "given", "then")})
