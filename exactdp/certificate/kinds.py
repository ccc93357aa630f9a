# SPDX-License-Identifier: MIT
"""What ``kinds.toml`` says of each kind of claim, read when it is first asked for.

The schema, the tables of SPEC.md, ``verify --trust``, the conversions and the sweeps take it from here. The
checker has its own list, which a test compares with this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from exactdp.runtime.values import dataclass

FILE = Path(__file__).with_name("kinds.toml")


@dataclass(frozen=True, slots=True)
class Group:
    """The kinds of one topic: a row of the first table of SPEC.md section 4.

    * ``about``, ``rules``, ``theorems``: the cells of the row.
    * ``table``: the section that has the table of the kinds.
    * ``version``: the first version of the format that has them.
    """

    about: str
    rules: str
    theorems: str
    table: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of claim.

    * ``name``: the value of the claim's key ``kind``.
    * ``group``: its topic.
    * ``claim``, ``witness``: the keys beside ``kind`` and ``signs``, with their types. A key that may be
      missing ends in ``?``.
    * ``statement``: what the claim says.
    * ``first``: how a line begins about a claim that states a number, whose keys are in braces; empty if it
      states none.
    * ``claim_in_words``, ``witness_in_words``: what SPEC.md says of the keys; empty where their names say it.
    * ``checker``: the file of the checker that has its rule.
    * ``encoder``: the module that writes it.
    * ``sections``: the sections of SPEC.md that the rule uses, beside 1 to 4 and 6.
    * ``coq``: how the theorem of the proved checker states it: ``words``, ``meaning``, or ``none`` without
      one.
    * ``coq_letters``: whether the proved checker decides it over letters, too.
    * ``opposite``: the kind that says the contrary; empty if there is none.
    * ``linear_program``: what a VIPR file states of it; empty if there is none.
    * ``number``: whether the claim has the number that a row of a sweep has.
    * ``definitions``: whether the claim names definitions.
    """

    name: str
    group: Group
    claim: Mapping[str, str]
    witness: Mapping[str, str]
    statement: str
    checker: str
    encoder: str
    sections: tuple[str, ...]
    coq: str
    first: str = ""
    claim_in_words: str = ""
    witness_in_words: str = ""
    coq_letters: bool = False
    opposite: str = ""
    linear_program: str = ""
    number: bool = True
    definitions: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a sweep can ask, and the claims that answer it.

    * ``meaning``: the question, in words.
    * ``needs``, ``may``: the fields of a question that it needs, and those that it may have.
    * ``symbolic``: whether it can be asked of all levels at once.
    * ``proved``, ``refuted``: the kinds that answer it; for every key of such a claim its source.
    * ``named``: the same where a mechanism is named; None where that makes no difference.
    """

    meaning: str
    needs: tuple[str, ...]
    may: tuple[str, ...]
    symbolic: bool
    proved: Mapping[str, Mapping[str, str]]
    refuted: Mapping[str, Mapping[str, str]]
    named: tuple[Mapping[str, Mapping[str, str]], Mapping[str, Mapping[str, str]]] | None


@cache
def _file() -> Mapping[str, Any]:
    import tomllib

    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def groups() -> Mapping[str, Group]:
    """The topics, in the order of SPEC.md.

    >>> groups()["release"].rules
    '4.6'
    """
    wanted = Group.__dataclass_fields__
    return MappingProxyType({name: Group(**{key: of[key] for key in wanted}) for name, of in _file()["group"].items()})


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind of claim by its name, in the order of SPEC.md.

    >>> kind = kinds()["not-private"]
    >>> kind.claim
    mappingproxy({'mechanism': 'name', 'neighbours': 'name', 'level': 'level'})
    >>> kind.checker, kind.opposite, kinds()["universally-optimal"].checker
    ('claims', 'private', 'universal')
    """
    return MappingProxyType({name: _kind(name, own) for name, own in _file()["kind"].items()})


def _kind(name: str, own: Mapping[str, Any]) -> Kind:
    """A kind, with what its group says of all of its kinds; TypeError for a key that does not belong here."""
    group, others = groups()[own["group"]], own.get("types", {})
    shared = {key: value for key, value in _file()["group"][own["group"]].items() if key not in Group.__dataclass_fields__}
    fields = {**shared, **{key: value for key, value in own.items() if key != "types"}}
    for part in ("claim", "witness"):
        usual = {**_file()["types"][part], **others}
        fields[part] = MappingProxyType({key: usual[key.removesuffix("?")] for key in fields[part].split()})
    return Kind(**{**fields, "name": name, "group": group, "sections": tuple(fields["sections"])})


@cache
def questions() -> Mapping[str, Asked]:
    """What a sweep can ask, by the word of its command line.

    >>> questions()["optimum"].proved["optimal"]
    mappingproxy({'neighbours': 'graph', 'level': 'level', 'consumer': 'consumer', 'value': 'value'})
    """
    return MappingProxyType({ask: _asked(**own) for ask, own in _file()["question"].items()})


def _asked(
    *,
    meaning: str,
    needs: list[str],
    proved: Mapping[str, str],
    refuted: Mapping[str, str] = MappingProxyType({}),
    may: tuple[str, ...] = (),
    symbolic: bool = False,
    named: Mapping[str, Mapping[str, str]] | None = None,
) -> Asked:
    """A question; TypeError for a key that does not belong here."""
    both = None if named is None else (_answers(named["proved"]), _answers(named["refuted"]))
    return Asked(
        meaning=meaning,
        needs=tuple(needs),
        may=tuple(may),
        symbolic=symbolic,
        proved=_answers(proved),
        refuted=_answers(refuted),
        named=both,
    )


def _answers(keys: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """For every kind the sources of its keys."""
    return MappingProxyType({kind: MappingProxyType(dict(map(_source, text.split()))) for kind, text in keys.items()})


def _source(text: str) -> tuple[str, str]:
    """A key and its source: ``loss=implied``, or ``level`` alone for the usual one."""
    key, equals, source = text.partition("=")
    return key, source if equals else _file()["sources"][key]
