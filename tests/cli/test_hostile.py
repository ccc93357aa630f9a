# SPDX-License-Identifier: MIT
"""Whatever is given to whichever option or argument of a command: an exit code of the contract, one short
message that a terminal shows as it is, never a traceback and never exit 70.
"""

from __future__ import annotations

import pytest
from cli.test_options import MODES, here  # noqa: F401 - a fixture
from cli_runner import run

from exactdp.cli.program import main
from exactdp.errors import LONGEST_MESSAGE, printable

NOTHING = [
    "",
    " ",
    ",",
    ":",
    "=",
    "-",
    "--",
    ".",
    "/",
    "[[1,]]",
    "{",
    '{"a": 1, "a": 2}',
    "[NaN, 1]",
    "path:",
    "geometric:",
    "geometric:n=",
]
NUMBERS = [
    "9" * 5000,
    "1/" + "9" * 5000,
    "0." + "1" * 5000,
    "1e999999999",
    "1e-999999999",
    "1e400",
    "nan",
    "inf",
    "-0",
    "-1",
    "1/0",
    "ln(0)",
    "٣",
]
TEXTS = ["\udcff.csv", "\udcff,1", "\x1b[2Jaccepted", "\u202edetpecca", "\a", "a\nError: b", "x" * 5000, ", ".join(["0.01"] * 100)]
VALUES = [*NOTHING, *NUMBERS, *TEXTS]

CODES = {0, 1, 2, 3, 4}


def places(command: str) -> list[tuple[str, list[str]]]:
    """Each option of the command that takes a value, and each word: its name, and words with None for it."""
    words = command.split()
    found = []
    for param in main.get_command(None, words[0]).params:
        option = param.opts[0]
        if option.startswith("-") and not getattr(param, "is_flag", False):
            before = words
            if option in words:
                at = words.index(option)
                before = words[:at] + words[at + 2 :]
            found.append((option, [*before, option, None]))
    for at, word in enumerate(words[1:], 1):
        if not word.startswith("-") and not words[at - 1].startswith("--"):
            found.append((word, [*words[:at], None, *words[at + 1 :]]))
    return found


def require_contract(words: list[str]) -> None:
    done = run(words, stdin="1/2,1/2\n1/2,1/2\n")
    assert done.code in CODES, (words, done)
    said = done.err.split("Error: ", 1)
    if done.code in {2, 3, 4} and len(said) == 2:
        message = said[1].removesuffix("\n")
        assert printable(message) == message, (words, done)
        assert len(message) <= LONGEST_MESSAGE, (words, done)
    for line in (done.out + done.err).split("\n"):
        assert printable(line) == line, (words, line)


FIRST = [mode for modes in MODES.values() for mode in modes[:1]]
REST = [mode for modes in MODES.values() for mode in modes[1:]]


@pytest.mark.mostly_slow(20)
@pytest.mark.parametrize("command", FIRST)
@pytest.mark.parametrize("value", ["", "9" * 5000, "\udcff", "a\nError: \x1b[2J\u202e"], ids=["empty", "digits", "surrogate", "control"])
def test_hostile_values_of_every_option(here, command, value):  # noqa: F811
    for _, words in places(command):
        require_contract([value if word is None else word for word in words])


@pytest.mark.slow
@pytest.mark.parametrize("command", [*FIRST, *REST])
def test_more_hostile_values_of_every_option_in_every_mode(here, command):  # noqa: F811
    for _, words in places(command):
        for value in VALUES if command in FIRST else VALUES[::4]:
            require_contract([value if word is None else word for word in words])
