# SPDX-License-Identifier: MIT
"""Whether a bundle answers what its command line asked: the claim, each requirement, how the table was read.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. A requirement
that was asked for and is not told would be a silent pass. A bundle that was made anew from another command
line is another bundle: only its digest, or its signature, tells.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from exactdp.certificate.bundle_files import sha256, shown
from exactdp.certificate.bundle_tables import NotComparedError, claimed_level, combined, rational, sign_of
from exactdp.certificate.bundle_words import GAP_OF
from exactdp.certificate.compare_requirements import Bound, bound_of

_NAMES = {"ε": "epsilon", "eps": "epsilon", "α": "alpha", "δ": "delta"}
_SIGNS = {"<=": "<=", "≤": "<=", "<": "<", ">=": ">=", "≥": ">=", ">": ">"}
_FORM = re.compile(r"\s*([^<>=≤≥]+?)\s*(<=|>=|≤|≥|<|>)\s*(.+?)\s*")

FLAGS = {
    "dyadic": ("--dyadic",),
    "renormalise": ("--renormalise", "--renormalize"),
    "transpose": ("--transpose",),
    "by_position": ("--by-position",),
}
"""Options of how a table is read that are there or not, in each spelling."""


def values_of(command: Sequence[str], option: str) -> list[str]:
    """What was given with an option, each time.

    >>> values_of(["exactdp", "--require", "a", "--require=b"], "--require")
    ['a', 'b']
    """
    after = [(word, following) for word, following in zip(command, [*command[1:], ""], strict=True) if word.startswith(option)]
    return [following if word == option else word[len(option) + 1 :] for word, following in after if word[len(option) :][:1] in ("", "=")]


def asked_bound(text: str) -> Bound:
    """A requirement as somebody may write it; NotComparedError for what is none.

    >>> asked_bound("ε ≤ 0.10")
    Bound(quantity='epsilon', strict=False, number='0.10')
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise NotComparedError(f"{text[:60]!r} is no requirement that this program reads")
    name = " ".join(found[1].lower().split())
    return bound_of(f"{_NAMES.get(name, name)} {_SIGNS[found[2]]} {found[3]}")


def faults_of_command(predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> Iterator[str]:
    """What was asked on the command line, and is not answered, or was not asked."""
    command = predicate["command"]
    if not command:
        law = any(part["role"] == "law" for part in predicate["parts"])
        if set(predicate["reading"]) - {"table" if law else "dyadic"}:
            yield "it says how a command line had its table read, and has no command line"
        return
    yield from _faults_of_requirements(predicate, there, command)
    yield from _faults_of_claim(predicate["claimed"], command)
    yield from _faults_of_reading(predicate["reading"], command)
    yield from _faults_of_consumers(predicate, command)
    yield from _faults_of_name(predicate, there)


def _faults_of_requirements(predicate: Mapping[str, Any], there: Mapping[str, bytes], command: Sequence[str]) -> Iterator[str]:
    asked = values_of(command, "--require")
    for name in values_of(command, "--policy"):
        asked += _required_by(name, predicate, there)
    told = {bound_of(one["text"]) for one in predicate.get("requirements", [])}
    expected = {asked_bound(text) for text in asked}
    for bound in expected - told:
        yield f"its command line requires a bound on {bound.quantity} ({bound.number}), and it does not say whether it is kept"
    for bound in told - expected:
        yield f"it tells of a bound on {bound.quantity} ({bound.number}), which its command line does not require"


def _required_by(name: str, predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> list[str]:
    """The requirements of a policy file, which is an input of the bundle."""
    for one in predicate["inputs"]:
        if one["given"] == name and one["file"] in there:
            try:
                listed = tomllib.loads(there[one["file"]].decode("utf-8-sig")).get("require", [])
            except ValueError:
                raise NotComparedError(f"the policy {name} is no TOML") from None
            return [str(text) for text in ([listed] if isinstance(listed, str) else listed)]
    raise NotComparedError(f"the policy {name} is no input of the bundle")


def _faults_of_claim(claimed: Mapping[str, Any] | None, command: Sequence[str]) -> Iterator[str]:
    given = {key: values_of(command, f"--claims-{key}") for key in ("epsilon", "alpha", "delta")}
    levels = [*given["epsilon"], *given["alpha"]]
    if claimed is None or not levels:
        if (claimed is None) != (not levels):
            yield "its command line claims something, and it does not, or the reverse"
        return
    key = "epsilon" if given["epsilon"] else "alpha"
    level, own = claimed_level({key: given[key][-1].strip()}), claimed_level(claimed)
    if level is None or own is None:
        if given[key][-1] != claimed.get(key):
            raise NotComparedError("the claim of its command line is none that this program compares")
    elif sign_of(combined(level, own, -1)) != 0:
        yield "its claim is at another level than its command line says"
    delta = given["delta"][-1] if given["delta"] else "0"
    try:
        is_same = Fraction(delta.replace(" ", "")) == rational(claimed["delta"])
    except (ValueError, ZeroDivisionError):
        raise NotComparedError("the δ of its command line is none that this program compares") from None
    if not is_same:
        yield "its claim is beside another δ than its command line says"


def _faults_of_reading(reading: Mapping[str, Any], command: Sequence[str]) -> Iterator[str]:
    for key, spellings in FLAGS.items():
        if bool(reading.get(key)) != any(word in command for word in spellings):
            yield f"its table was read with {spellings[0]}, and its command line says otherwise, or the reverse"
    digits = values_of(command, "--digits")
    if (str(reading["digits"]) if "digits" in reading else None) != (digits[-1] if digits else None):
        yield "its table was read with other --digits than its command line says"
    if "table" in reading and shown(str(reading["table"])) not in command:
        yield "its command line does not name the table that was read"


def _faults_of_consumers(predicate: Mapping[str, Any], command: Sequence[str]) -> Iterator[str]:
    """Each consumer of the command line has its question; without a policy there are no others."""
    asked = [question for question in predicate["questions"] if question.startswith(GAP_OF)]
    given = values_of(command, "--for")
    for text in given:
        word = re.split(r"[/\\]", text.split(" ")[0].removeprefix("loss="))[-1]
        if not any(f" with loss {word}" in question or f" with gain {word}" in question for question in asked):
            yield f"its command line asks about a consumer, {text[:60]!r}, of whom nothing is said"
    if len(asked) > len(given) and not values_of(command, "--policy"):
        yield "it tells of more consumers than its command line asks about"


DIVIDED = " with each row divided by its sum"
"""Stands after the name of a file whose rows were divided when it was read."""


def _faults_of_name(predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> Iterator[str]:
    """A table of a file has the name of the file, with its digest."""
    files = [one for one in predicate["inputs"] if one["what"] == "table" and one["file"] in there]
    if not files:
        return
    given = files[0]["given"]
    title = "standard input" if given == "-" else re.split(r"[/\\]", given)[-1]
    name = f"{title} (sha256 {sha256(there[files[0]['file']])[:8]}…)"
    told, reading = predicate["table"]["name"], predicate["reading"]
    is_formula = any(reading.get(key) for key in ("letters", "at_alpha", "at_epsilon"))
    if told not in (name, name + DIVIDED * bool(reading.get("renormalise"))) and not (is_formula and told.startswith(name)):
        yield "its table is called otherwise than the file that it was read from"
