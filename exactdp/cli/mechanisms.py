# SPDX-License-Identifier: MIT
"""``exactdp mechanisms``: the words that name mechanisms, with what they take, do, and come from."""

from __future__ import annotations

import json
from typing import Any

import click

from exactdp.cli.program import command, json_option, say
from exactdp.spelling import own_spelling


@command(
    "exactdp mechanisms",
    "exactdp mechanisms geometric",
    "exactdp mechanisms staircase --json",
    builds=False,
)
@click.argument("word", required=False)
@json_option
def mechanisms(word: str | None, as_json: bool) -> None:
    """List the words that name mechanisms; with WORD, all about one of them.

    Every command that takes a MECHANISM takes such a word: a name, a colon, and the parameters, as in
    geometric:n=3,alpha=1/2. A level may stand beside the word instead (--alpha, --epsilon).

    Of each word: what it does, its parameters, its law (x_ir is the probability of the output r at the input
    i), its source, and an example that works as it stands.
    """
    from exactdp.mechanisms.words import FAMILIES, nearest_word

    name = None if word is None else own_spelling(word.partition(":")[0])
    if name is not None and name not in FAMILIES:
        near = nearest_word(name)
        hint = f"did you mean {near}? " if near else ""
        raise click.UsageError(f"there is no word {name[:40]!r}; {hint}'exactdp mechanisms' lists all")
    chosen = list(FAMILIES.values()) if name is None else [FAMILIES[name]]
    if as_json:
        found = [_json(family) for family in chosen]
        say(json.dumps(found[0] if name is not None else {"mechanisms": found}, indent=2))
    elif name is not None:
        say("\n".join(_whole(chosen[0])), fold=True)
    else:
        say("\n\n".join("\n".join(_lines(family)) for family in chosen), fold=True)


def _lines(family: Any) -> list[str]:
    """A word in the list: its example, then the rest below it."""
    facts = {"does": family.does, "takes": family.takes, "law": family.law, "source": family.source}
    return [family.example, *(f"  {key.ljust(6)}  {text}" for key, text in facts.items())]


def _whole(family: Any) -> list[str]:
    """All about one word: its parameters one a line, its neighbours, and commands that work."""
    from exactdp.mechanisms.words import mechanism_from_spec, word_neighbours

    found = mechanism_from_spec(family.example)
    near = word_neighbours(family.example, found.inputs)
    width = max(len(p.name) for p in family.parameters)
    lines = [family.name, f"  {family.does}", "", "Parameters"]
    for p in family.parameters:
        note = " (one of these, or a level beside the word)" if p.choice else ""
        if p.default is not None:
            note = f" (default {p.default})"
        lines.append(f"  {p.name.ljust(width)}  {p.domain}{note}")
    meant = "all inputs: it answers for one person" if family.local else "inputs that differ by at most its sensitivity (1 unless given)"
    lines += ["", f"Law         {family.law}", f"Source      {family.source}", f"Neighbours  {meant}; here {near.name}"]
    return [*lines, f"Example     exactdp privacy {family.example}"]


def _json(family: Any) -> dict[str, Any]:
    parameters = [{"name": p.name, "domain": p.domain, "default": p.default, "one_of_several": p.choice} for p in family.parameters]
    facts = {"word": family.name, "does": family.does, "parameters": parameters, "law": family.law, "source": family.source}
    return facts | {"local": family.local, "example": family.example}
