# SPDX-License-Identifier: MIT
"""Where an audit comes from, what its auditor states, and how it is checked again, as page one tells it."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from exactdp.certificate.check_bundle import RELEASE
from exactdp.certificate.page_one import DECIDED, MARK, OPEN, SECTIONS, STATED, STATEMENTS, TOPICS, UNDECIDED, Line, quoted, seen
from exactdp.errors import InputError, wrong_kind

MOST_CHARACTERS = 300
"""Of a statement."""


@dataclass(frozen=True, slots=True)
class Run:
    """Where an audit comes from, as far as page one tells it.

    Attributes
    ----------
    date : str
        As a bundle has it; empty where it is not told.
    command : tuple of str
        The command line; empty in Python.
    files : tuple of (str, str, bool)
        For each input the name that was given, its SHA-256, and whether it is the file of the table.
    word : str
        The words that the table was made from, where it has no file.
    reading : mapping
        The options of how it was read.
    table : str
        The SHA-256 of table.json, in a bundle.
    statements : mapping of str to str
        What the auditor states (:func:`as_statements`).
    certified : collection of str or None
        The parts that have a certificate; None where certificates are not written.
    """

    date: str = ""
    command: tuple[str, ...] = ()
    files: tuple[tuple[str, str, bool], ...] = ()
    word: str = ""
    reading: Mapping[str, Any] = field(default_factory=dict)
    table: str = ""
    statements: Mapping[str, str] = field(default_factory=dict)
    certified: Collection[str] | None = None


def as_statements(given: Mapping[str, str] | None) -> dict[str, str]:
    """What an auditor states, by its topic.

    Raises
    ------
    InputError
        There is no such topic, or a statement is no text of at most 300 characters.

    Examples
    --------
    >>> as_statements({"unit": "one report of one person"})
    {'unit': 'one report of one person'}
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise wrong_kind("statements", given, "a mapping of topics to sentences, such as {'unit': 'one person'}")
    found = {}
    for topic, text in given.items():
        if topic not in STATEMENTS:
            raise InputError(f"an auditor states nothing about {topic!r}; the topics are {', '.join(STATEMENTS)}", topic=topic)
        if not isinstance(text, str) or not text.strip() or len(text) > MOST_CHARACTERS:
            said = f"what is stated about {topic} is no text of 1 to {MOST_CHARACTERS} characters"
            raise InputError(said, topic=topic, value=text)
        said = seen(" ".join(text.split()))
        if MARK in said:
            raise InputError(
                f"what is stated about {topic} has the words {MARK}, which page one puts after it; leave them out", topic=topic
            )
        found[str(topic)] = said
    return found


def statements_of(text: str) -> dict[str, str]:
    """What an auditor states in a file of TOML: lines such as ``unit = "one report of one person"``.

    >>> statements_of('sampler = "checked by the tests of release 3"')
    {'sampler': 'checked by the tests of release 3'}
    """
    try:
        return as_statements(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"the statements are no TOML: {error}", reason=str(error)) from None


def as_marked(lines: Iterator[Line], run: Run) -> Iterator[Line]:
    """The lines, each with whether a certificate of its part was written."""
    for line in lines:
        known = run.certified is None or not line.of or any(part == line.of or part.startswith(f"{line.of}-") for part in run.certified)
        yield Line(line.says, line.values, line.of, known)


def stated(run: Run, topic: str, says: str) -> Line:
    """What the auditor states about a topic, or that nothing is stated."""
    text = run.statements.get(topic)
    return Line(f"{says}-open") if text is None else Line(says, {"text": text})


def scope_line(topic: str, run: Run) -> Line:
    """Of a topic that no audit decides: what the auditor states, or that it is open."""
    text = run.statements.get(topic, "")
    return Line("scope", {"topic": TOPICS[topic], "status": STATED if topic in run.statements else OPEN, "text": text})


def sections(run: Run, *parts: Iterator[Line]) -> list[tuple[str, tuple[Line, ...]]]:
    """The sections of page one: these, and how they are checked again."""
    return [(title, tuple(as_marked(lines, run))) for title, lines in zip(SECTIONS, [*parts, check_again(run)], strict=True)]


def guarantee_status(state: str) -> tuple[str, str]:
    """Who says how strong the guarantee is, and where."""
    return (UNDECIDED, "") if state == "undecided" else (DECIDED, "see above")


def check_again(run: Run) -> Iterator[Line]:
    """How all of it is checked, and where it is signed."""
    if run.table:
        yield Line("check-bundle")
    else:
        yield Line("check-command" if run.command else "check-python")
    yield Line("made", {"date": run.date, "release": RELEASE}) if run.date else Line("version", {"release": RELEASE})
    yield Line("rounding")
    if run.command:
        yield Line("command", {"command": seen(quoted(run.command))})
    yield Line("sign")
