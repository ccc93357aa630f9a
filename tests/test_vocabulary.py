"""Python and the command line say the same: docs/vocabulary.md against the signatures and the options."""

from __future__ import annotations

import inspect
import re
from importlib import import_module

import click
import pytest
from places import ROOT
from public_names import PUBLIC, thing

from exactdp.cli.program import COMMANDS

PAGE = (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading of columns."""
    lines = PAGE[PAGE.index(heading) :].splitlines()
    table = lines[2 : next((k for k, line in enumerate(lines) if not line.startswith("|")), len(lines))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


ARGUMENTS = {
    name: set(re.findall(r"`([^`]+)`", option)) for names, option, _ in rows("| argument |") for name in re.findall(r"`(\w+)`", names)
}
QUESTIONS = [(left.strip("`"), right.strip("`")) for left, right in rows("| in Python |")]

ORDER = (
    {"mechanism", "mechanisms", "table", "matrix", "parts"},
    {"source", "target"},
    {"neighbours", "graph"},
    {"level", "levels"},
    {"delta", "kind"},
    {"prior"},
    {"loss", "losses", "gain", "consumer"},
    {"dual", "remap"},
    {"interval"},
)
"""Mechanism, neighbours, level, prior, loss or gain or consumer; then what is said about them."""

SHARED = {
    "--labels",
    "--dyadic",
    "--renormalise",
    "--by-position",
    "-o",
    "--json",
    "--decimals",
    "--full",
    "--debug",
    "--help",
}


def command(name: str) -> click.Command:
    found: click.Command = getattr(import_module(COMMANDS[name][0]), name)
    return found


def words_of(found: click.Command) -> set[str]:
    """The options of a command, and the names of its arguments in capitals."""
    return {
        word
        for param in found.params
        for word in ([str(param.name).upper()] if isinstance(param, click.Argument) else [*param.opts, *param.secondary_opts])
    }


@pytest.mark.parametrize(("left", "right"), QUESTIONS, ids=[left.partition("(")[0] for left, _ in QUESTIONS])
def test_a_question_has_the_same_words_in_python_and_on_the_command_line(left, right):
    name, _, listed = left.rstrip(")").partition("(")
    given = [word.strip() for word in listed.split(",")]
    parameters = inspect.signature(thing(name)).parameters
    positional = [word for word in given if not word.endswith("=")]
    assert positional == list(parameters)[: len(positional)]
    assert {word.rstrip("=") for word in given} <= set(parameters)
    program, which, *options = right.split()
    assert program == "exactdp"
    known = words_of(command(which))
    assert set(options) <= known
    for word in given:
        assert ARGUMENTS[word.rstrip("=")] & set(options) or word == "parts", f"{word} of {left} is not said by {right}"
    instead = {"epsilon"} if "level" in parameters else set()  # the page says it once
    missing = set(parameters) - {word.rstrip("=") for word in given} - {"progress", "interval", "name", "title", "keep", "only"} - instead
    assert not missing - {"time_limit"}, f"{missing} of {name} is not on the page"


@pytest.mark.parametrize("name", sorted(name for name in PUBLIC if inspect.isfunction(thing(name))))
def test_arguments_stand_in_one_order(name):
    signature = inspect.signature(thing(name)).parameters
    parameters = [word for word, parameter in signature.items() if parameter.kind is not parameter.KEYWORD_ONLY]
    places = [place for parameter in parameters for place, group in enumerate(ORDER) if parameter in group]
    assert places == sorted(places), f"{name}({', '.join(parameters)})"


def test_an_option_and_an_argument_of_one_name_are_one_thing():
    """What is called alike in Python and on the command line is listed together."""
    options = {word for name in COMMANDS for word in words_of(command(name))} - SHARED
    for argument, said in ARGUMENTS.items():
        spelt = f"--{argument.replace('_', '-')}"
        assert spelt not in options or spelt in said, f"{spelt} is an option, and {argument} is said by {said}"
    for word in {word for said in ARGUMENTS.values() for word in said}:
        assert word in options, f"no command has {word}"


def test_every_question_that_a_command_asks_is_on_the_page():
    """The public functions that a module of the command line calls."""
    listed = {left.partition("(")[0] for left, _ in QUESTIONS}
    elsewhere = {
        "is_stochastic": "asked before all others",
        "stochastic_levels": "asked before all others",
        "multi_level_release": "exactdp release",
        "refinement_order": "exactdp refine with three mechanisms or more",
        "corner_prior": "exactdp regular --prior corner:LABEL",
        "utility_set": "exactdp type --universal with several losses",
    }
    asked = set()
    for module in {COMMANDS[name][0] for name in COMMANDS}:
        names = vars(import_module(module)).values()
        asked |= {
            thing.__name__
            for thing in names
            if inspect.isfunction(thing) and getattr(thing, "__module__", "").startswith("exactdp.analysis")
        }
    assert (asked & set(PUBLIC)) - listed <= set(elsewhere)
