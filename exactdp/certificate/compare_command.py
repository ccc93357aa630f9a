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
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from exactdp.certificate.bundle_files import as_typed, is_of_law, sha256, shown, strict_json
from exactdp.certificate.bundle_reading import Asked as AskedOfFile
from exactdp.certificate.bundle_tables import Grid, NotComparedError, Number, claimed_level, combined, numbers_of_file, rational, sign_of
from exactdp.certificate.bundle_words import BESIDE, NEIGHBOURS
from exactdp.certificate.compare_claim import FAMILIES, LOCAL, ORDER, family_of, own_labels
from exactdp.certificate.compare_described import Wanted, faults_of_asked, file_names
from exactdp.certificate.compare_requirements import Bound, bound_of
from exactdp.certificate.page_one import NAMES, STATED, TOPICS
from exactdp.certificate.page_one_sources import Compared

PROGRAM = "exactdp"
"""How a command line begins, however the program was called."""

_NAMES = {"ε": "epsilon", "eps": "epsilon", "α": "alpha", "δ": "delta"}
_SIGNS = {"<=": "<=", "≤": "<=", "<": "<", ">=": ">=", "≥": ">=", ">": ">"}
_FORM = re.compile(r"\s*([^<>=≤≥]+?)\s*(<=|>=|≤|≥|<|>)\s*(.+?)\s*")

FLAGS = {
    "labels": "--labels",
    "dyadic": "--dyadic",
    "renormalise": "--renormalise",
    "transpose": "--transpose",
    "by_position": "--by-position",
    "header": "--header",
}
"""Options of how a table is read that are there or not."""

LEVELS = {"at_epsilon": ("--epsilon", "ε"), "at_alpha": ("--alpha", "α")}
"""Options of what the letter in a table stands for, and how a name says it."""

READING = {*FLAGS, *LEVELS, "letters", "digits", "table"}
"""All that is said of how a table was read."""

VALUES = {
    *("--alpha", "--epsilon", "--claims-epsilon", "--claims-alpha", "--claims-delta", "--delta", "--for", "--require", "--policy"),
    *("--junit", "--sarif", "--register", "--workers", "--compare", "--since", "--html", "--certificates", "--bundle", "--repaired"),
    *("--page", "--unit", "--state", "--statements", "--rounding", "--graph", "--metric", "--letters", "--digits", "-o", "--output"),
    *("--budget", "--time-limit"),
}
"""Options of the command with a value."""

REPEATED = {"--delta", "--for", "--require", "--state", "--letters"}
"""Those that may be given several times."""

ALONE = {
    *("--resume", "--local", "--labels", "--dyadic", "--header", "--no-header", "--transpose", "--renormalise", "--renormalise-prior"),
    *("--by-position", "--json", "--decimals", "--no-decimals", "--full", "--debug"),
}
"""Options without one."""

ROUNDING = Fraction(1, 2**40)
"""How far a row sum of a rounded table misses 1, where nothing is said."""

_ASIDE = " with the numbers (?:in brackets|behind ±|in brackets and behind ±) left aside"
"""Stands after the name of a file with numbers behind its estimates."""


@dataclass(frozen=True)
class Asked:
    """A command line taken apart: the values of each option, in order, and the tables."""

    options: Mapping[str, Sequence[str]]
    tables: Sequence[str]

    def all(self, option: str) -> Sequence[str]:
        """What was given with an option, each time."""
        return self.options.get(option, ())

    def last(self, option: str) -> str | None:
        """What was given with an option that is taken once; None without it."""
        given = self.all(option)
        return given[-1] if given else None


def asked_by(command: Sequence[str]) -> Asked:
    """The options and the tables of a command line; NotComparedError where one is not known.

    >>> asked = asked_by(["exactdp", "audit", "t.csv", "--require", "a", "--require=b", "--no-header"])
    >>> asked.all("--require"), asked.last("--header"), asked.tables
    (['a', 'b'], 'no', ['t.csv'])
    """
    words = iter(command[1:])
    if next((word for word in words if word != "--debug"), "") != "audit":
        raise NotComparedError("it is not one of exactdp audit")
    options: dict[str, list[str]] = {}
    tables: list[str] = []
    for word in words:
        if word == "--":
            tables += words
        elif not word.startswith("-") or word == "-":
            tables.append(word)
        else:
            option, equals, value = word.partition("=")
            if not option.startswith("--") and len(option) > 2:
                option, equals, value = word[:2], "=", word[2:]
            option = option.replace("renormalize", "renormalise")
            if option in ALONE and not equals:
                name = option.replace("--no-", "--")
                options.setdefault(name, []).append("no" if name != option else "yes")
            elif option in VALUES:
                options.setdefault(option, []).append(value if equals else next(words, ""))
            else:
                raise NotComparedError(f"{option[:40]!r} is no option that this program knows")
    twice = [option for option, given in options.items() if option in VALUES - REPEATED and len(given) > 1]
    if twice:
        raise NotComparedError(f"{twice[0]} is given twice")
    return Asked(options, tables)


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


MOST_OF_A_NAME = 160
"""Characters of the name that a table has in Python."""

_CLAIMS = re.compile(r"certif|verif|guarant|proved|proven|accepted|holds|private at|-private|for (?:every|all|any)", re.IGNORECASE)
"""Words of a name that says something of a table."""


_PLAIN_NAME = re.compile(r"(?:[\w.()+~@:-]+(?: [\w.()+~@-]+){0,4})?")
"""The name of a file or a folder that is no sentence."""


def _is_plain_name(name: str) -> bool:
    """Whether the name of a file, with its folders, is no sentence.

    >>> [_is_plain_name(name) for name in ("/data/verified/t.csv", "my table.csv", "it holds", "a; b")]
    [True, True, False, False]
    """
    parts = name.replace("\\", "/").split("/")
    return all(_PLAIN_NAME.fullmatch(part) and not (" " in part and _CLAIMS.search(part)) for part in parts)


def notes_of_command(predicate: Mapping[str, Any]) -> Iterator[str]:
    """What is told of a bundle without a command line."""
    if not predicate["command"]:
        yield f"{shown(predicate['table']['name'])!r} is only a name, given in Python: it is compared with nothing"


def faults_of_command(predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> Iterator[str]:
    """What was asked on the command line, and is not answered, or was not asked."""
    command = predicate["command"]
    if not command:
        law = any(part["role"] == "law" for part in predicate["parts"])
        if set(predicate["reading"]) - {"table" if law else "dyadic"}:
            yield "it says how a command line had its table read, and has no command line"
        name = predicate["table"]["name"]
        if len(name) > MOST_OF_A_NAME or _CLAIMS.search(name):
            raise NotComparedError(f"{name[:60]!r} is more than a name, given in Python")
        if not _is_of_its_file(name, predicate, there):
            yield f"its table is called {name[:60]!r}, as another file is"
        for one in predicate["inputs"]:
            if not _is_plain_name(one["given"]):
                raise NotComparedError(f"{one['given'][:60]!r} is more than the name of a file, given in Python")
        return
    if command[0] != PROGRAM:
        yield f"its command line is one of {command[0][:40]!r}"
    asked = asked_by(command)
    if asked.last("--bundle") is None:
        yield "its command line writes no bundle"
    policy = _policy(asked, predicate, there)
    yield from _faults_of_reading(predicate["reading"], asked)
    yield from _faults_of_name(predicate, there, asked)
    yield from _faults_of_claim(predicate["claimed"], asked)
    yield from _faults_of_requirements(predicate, asked, policy)
    yield from _faults_of_deltas(predicate, asked)
    yield from _faults_of_statements(predicate, there, asked)
    yield from _faults_of_neighbours(predicate, there, asked, policy)
    if not is_of_law(predicate):
        yield from _faults_of_rounding(Compared(there, predicate), asked)
    wanted, own = list(_consumers_of(policy)), [_consumer(text) for text in asked.all("--for")]
    yield from faults_of_asked(predicate, there, [*wanted, *own], asked.options)
    yield from _faults_of_others(predicate, asked, policy, [*wanted, *own])


def _faults_of_others(predicate: Mapping[str, Any], asked: Asked, policy: Mapping[str, Any], wanted: Sequence[Wanted]) -> Iterator[str]:
    """Each file beside that of the table is named by the command line, or by its policy."""
    said = [asked.last(option) for option in ("--policy", "--statements", "--graph", "--metric")]
    listed = [policy.get("neighbours"), *(word for one in wanted for word in (one.loss, one.prior))]
    folder = PurePosixPath(_with_slashes(asked.last("--policy") or "")).parent
    named = {_with_slashes(str(word)) for word in (*said, *listed) if word}
    named |= {_with_slashes(str(folder / _with_slashes(str(word)))) for word in listed if word}
    for one in predicate["inputs"]:
        if one["what"] != "table" and _with_slashes(one["given"]) not in named:
            yield f"it has the file {one['given'][:60]!r}, which neither its command line nor its policy names"


def _with_slashes(name: str) -> str:
    """The name of a file as it is shown, with the marks between folders that all systems take."""
    return shown(name).replace("\\", "/")


def reading_asked(predicate: Mapping[str, Any], size: int) -> AskedOfFile:
    """What decides how a file of so many rows is read beside the options that the manifest has."""
    own = own_labels(predicate["assumptions"][0].removeprefix(NEIGHBOURS), size)
    if not predicate["command"]:
        return AskedOfFile(own)
    try:
        return AskedOfFile(own, asked_by(predicate["command"]).last("--header") != "no")
    except NotComparedError:
        return AskedOfFile(own, None)


def _is_of_its_file(name: str, predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> bool:
    """Whether a name of Python that has a digest, or that of an input, is that of the file of its table."""
    of_table = {one["file"] for one in predicate["inputs"] if one["what"] == "table"}
    digest = re.search(r"sha-?256\W*([0-9a-f]+)", name, re.IGNORECASE)
    is_right = digest is None or any(sha256(there[file]).startswith(digest[1]) for file in of_table if file in there)
    others = (one["given"].rpartition("/")[2] for one in predicate["inputs"] if one["file"] not in of_table)
    return is_right and not any(other and other in name for other in others)


def _faults_of_requirements(predicate: Mapping[str, Any], asked: Asked, policy: Mapping[str, Any]) -> Iterator[str]:
    listed = policy.get("require", [])
    told = {bound_of(one["text"]) for one in predicate.get("requirements", [])}
    expected = {asked_bound(str(text)) for text in (*listed, *asked.all("--require"))}
    for bound in expected - told:
        yield f"its command line requires a bound on {bound.quantity} ({bound.number}), and it does not say whether it is kept"
    for bound in told - expected:
        yield f"it tells of a bound on {bound.quantity} ({bound.number}), which its command line does not require"


def _policy(asked: Asked, predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> Mapping[str, Any]:
    """What a policy file says, which is an input of the bundle; nothing without one."""
    name = asked.last("--policy")
    if name is None:
        return {}
    policy = _toml_of(name, "the policy", predicate, there)
    if policy.get("version") != 1 or set(policy) - POLICY_KEYS:
        raise NotComparedError(f"the policy {name} is of another version than 1, or has keys that this program does not know")
    return policy


def _toml_of(name: str, what: str, predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> Mapping[str, Any]:
    """What a file of TOML says, which is an input of the bundle."""
    for one in predicate["inputs"]:
        if one["given"] == name and one["file"] in there:
            try:
                return tomllib.loads(there[one["file"]].decode("utf-8-sig"))
            except ValueError:
                raise NotComparedError(f"{what} {name} is no TOML") from None
    raise NotComparedError(f"{what} {name} is no input of the bundle")


POLICY_KEYS = {"version", "title", "neighbours", "require", "consumers"}
"""What version 1 of a policy may say."""


def _consumers_of(policy: Mapping[str, Any]) -> Iterator[Wanted]:
    for one in policy.get("consumers", []):
        side = one.get("side-information", one.get("side_information"))
        yield Wanted(str(one["loss"]), one.get("prior"), side)


def _consumer(text: str) -> Wanted:
    """What is wanted of a consumer with ``--for``.

    >>> _consumer("abs prior=uniform")
    Wanted(loss='abs', prior='uniform', side=None)
    """
    loss, *rest = text.split() or [""]
    given = dict(part.split("=", 1) for part in rest)
    if set(given) - {"prior", "side-information"}:
        raise NotComparedError(f"{text[:60]!r} is no consumer that this program knows")
    return Wanted(loss, given.get("prior"), given.get("side-information"))


def _level(key: str, text: str) -> Number | None:
    """The level of a text of a command line; None where it is none that this program compares."""
    plain = text.strip()
    if key == "alpha":
        with suppress(ValueError, ZeroDivisionError):
            plain = str(Fraction(plain.replace(" ", "")))
    return claimed_level({key: plain})


def _faults_of_claim(claimed: Mapping[str, Any] | None, asked: Asked) -> Iterator[str]:
    given = {key: asked.all(f"--claims-{key}") for key in ("epsilon", "alpha", "delta")}
    levels = [*given["epsilon"], *given["alpha"]]
    if claimed is None or not levels:
        if (claimed is None) != (not levels):
            yield "its command line claims something, and it does not, or the reverse"
        return
    key = "epsilon" if given["epsilon"] else "alpha"
    level, own = _level(key, given[key][-1]), claimed_level(claimed)
    if level is None or own is None:
        if given[key][-1] != claimed.get(key):
            raise NotComparedError("the claim of its command line is none that this program compares")
    elif sign_of(combined(level, own, -1)) != 0:
        yield "its claim is at another level than its command line says"
    delta = given["delta"][-1] if given["delta"] else "0"
    if _fraction(delta, "the δ") != rational(claimed["delta"]):
        yield "its claim is beside another δ than its command line says"


def _fraction(text: str, what: str) -> Fraction:
    try:
        return Fraction(text.replace(" ", ""))
    except (ValueError, ZeroDivisionError):
        raise NotComparedError(f"{what} of its command line is none that this program compares") from None


def _faults_of_deltas(predicate: Mapping[str, Any], asked: Asked) -> Iterator[str]:
    """Each δ that was asked about is told of, and no other, where a table keeps any level."""
    found = (re.fullmatch(r"which level δ = ([0-9/]{1,400}) buys", question, re.ASCII) for question in predicate["questions"])
    told = {rational(one[1]) for one in found if one is not None}
    given = {_fraction(text, "a δ") for text in asked.all("--delta")}
    is_of_table = not is_of_law(predicate) and "digits" not in predicate["reading"]
    verdict, claimed = predicate["verdicts"][0]["verdict"], predicate["claimed"]
    is_mechanism = verdict == "no claim" if claimed is None else claimed["quality"] != "wrong"
    if any(question.startswith(BESIDE) and question != f"{BESIDE}{asked.last('--compare')}" for question in predicate["questions"]):
        yield "it tells of another table than its command line compares"
    if told - given or (given - told and is_of_table and is_mechanism):
        yield "it tells which level another δ buys than its command line asks about"


def _faults_of_reading(reading: Mapping[str, Any], asked: Asked) -> Iterator[str]:
    for key in sorted(set(reading) - READING):
        yield f"it says {key!r} of how its table was read, which no option says"
    for key, option in FLAGS.items():
        if reading.get(key, False) is not (asked.last(option) == "yes"):
            yield f"its table was read with {option}, and its command line says otherwise, or the reverse"
    digits = asked.last("--digits")
    if (str(reading["digits"]) if "digits" in reading else None) != digits:
        yield "its table was read with other --digits than its command line says"
    for key, (option, _) in LEVELS.items():
        if (shown(str(reading[key])) if key in reading else None) != asked.last(option):
            yield f"its table was read with another {option} than its command line says"
    if [shown(str(text)) for text in reading.get("letters", [])] != list(asked.all("--letters")):
        yield "its table was read with other --letters than its command line says"
    if "table" not in reading or [shown(str(reading["table"]))] != list(dict.fromkeys(asked.tables)):
        yield "its command line does not name the table that was read, or another one"


def _faults_of_rounding(b: Compared, asked: Asked) -> Iterator[str]:
    """A table is rounded where no row sum is further from 1, and no entry further below 0, than the bound."""
    if b.quality not in ("rounded", "wrong"):
        return
    given = asked.last("--rounding")
    power = None if given is None else re.fullmatch(r"2\^-([0-9]{1,5})", given, re.ASCII)
    bound = ROUNDING if given is None else Fraction(1, 2 ** int(power[1])) if power else _fraction(given, "the rounding")
    if all(b.compare(bound, x) >= 0 for x in b.deviation()) != (b.quality == "rounded"):
        yield f"its table was judged as {b.quality}, and is not with the --rounding of its command line"


DIVIDED = " with each row divided by its sum"
"""Stands after the name of a file whose rows were divided when it was read."""


def _faults_of_name(predicate: Mapping[str, Any], there: Mapping[str, bytes], asked: Asked) -> Iterator[str]:
    """A table has the name of its file, with its digest, or of its word, and of how it was read."""
    files = [one for one in predicate["inputs"] if one["what"] == "table" and one["file"] in there]
    told, reading = predicate["table"]["name"], predicate["reading"]
    if not files:
        # A law keeps its letters, whose numbers are read beside it.
        word = asked.tables[0] if is_of_law(predicate) else _word(asked)
        if not is_named(told, re.escape(word), asked):
            yield "its table is called otherwise than the word that its command line names"
        return
    given = files[0]["given"]
    title = "standard input" if given == "-" else given.rpartition("/")[2]
    content = there[files[0]["file"]]
    name = re.escape(f"{title} (sha256 {sha256(content)[:8]}…)") + (f"(?:{_ASIDE})?" if _may_have_aside(content, predicate, there) else "")
    if reading.get("renormalise"):
        name += f"(?:{re.escape(DIVIDED)})?"
    if not is_named(told, name, asked):
        yield "its table is called otherwise than the file that it was read from"


_MARKS_ASIDE = re.compile(rb"[(\[{]|\xc2\xb1|\+/?-|\\pm")
"""One of these stands before the numbers that are left aside."""


def _may_have_aside(content: bytes, predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> bool:
    """Whether a file can have numbers behind estimates: no plain table has, nor a text without a mark."""
    try:
        content.decode("utf-8-sig")
    except ValueError:
        return True
    b = Compared(there, predicate)
    table, reading = b.read, dict(b.reading)
    if reading.pop("digits", None) is not None:
        half = len(table.inputs) // 2
        table = Grid(tuple(b.inputs), table.outputs, table.rows[:half])
    return _MARKS_ASIDE.search(content) is not None and numbers_of_file(content, table, reading) is None


def is_named(told: str, name: str, asked: Asked) -> bool:
    """Whether a table is called so, and then by the level of its letter, if one is given.

    ``name`` is a regular expression.
    """
    for option, sign in LEVELS.values():
        level = asked.last(option)
        if level is not None:
            found = re.fullmatch(rf"(?:{name}) at {sign} = (.+)", told)
            if found is None:
                return False
            key = option.removeprefix("--")
            own, other = _level(key, level), _level(key, found[1])
            if other is None and re.search(r"[^-+−*·/().0-9 elnsqrt√^]", found[1]):
                return False
            if own is None or other is None:
                if found[1] != level.strip():
                    raise NotComparedError(f"the {option} of its command line is none that this program compares")
                return True
            return sign_of(combined(own, other, -1)) == 0
    return re.fullmatch(name, told) is not None


def _word(asked: Asked) -> str:
    """The word of the command line, with numbers for its letters."""
    family, colon, rest = asked.tables[0].partition(":")
    numbers = {}
    for text in ", ".join(asked.all("--letters")).split(",") if asked.all("--letters") else ():
        found = re.fullmatch(r"\s*([A-Za-z]\w*)\s*=\s*([0-9./]{1,400})\s*", text, re.ASCII)
        if found is None:
            raise NotComparedError("its --letters are none that this program compares")
        numbers[found[1]] = str(_fraction(found[2], "a letter"))
    parts = [part.partition("=") for part in rest.split(",")]
    return family + colon + ",".join(f"{name}{sign}{numbers.get(value.strip(), value)}" for name, sign, value in parts)


def _faults_of_neighbours(
    predicate: Mapping[str, Any], there: Mapping[str, bytes], asked: Asked, policy: Mapping[str, Any]
) -> Iterator[str]:
    """The neighbours are those of the command line, and of its policy; those of a word alone are its own."""
    own = predicate["assumptions"][0].removeprefix(NEIGHBOURS).partition(ORDER)[0]
    graph, metric, required = asked.last("--graph"), asked.last("--metric"), policy.get("neighbours") or None
    is_local = asked.last("--local") == "yes"
    is_right = not is_local or (own.startswith("complete:") and own.endswith(LOCAL))
    is_right &= all(_is_called(own, wanted) or own in file_names(wanted, predicate, there) for wanted in (graph, required) if wanted)
    is_right &= metric is None or own in file_names(metric, predicate, there)
    nobody_says = not (is_local or graph or metric or required)
    if not is_right or (nobody_says and any(one["what"] == "table" for one in predicate["inputs"])):
        yield "its neighbours are others than its command line, or its policy, asks about"


def _is_called(own: str, wanted: str) -> bool:
    """Whether neighbours are a family, or one of its sizes; the numbers of a query in any order."""
    if wanted == "local":
        return own.endswith(LOCAL)
    if wanted in FAMILIES:
        return family_of(own) == wanted and not own.endswith(LOCAL)
    if own == wanted or re.fullmatch(r"[a-z]+:[0-9]+(?:x[0-9]+)*", wanted, re.ASCII):
        return own == wanted
    family, _, numbers = wanted.replace(" ", "").partition(":")
    return family_of(own) == family and sorted(own.partition(":")[2].split(",")) == sorted(numbers.split(","))


def is_of_the_word(predicate: Mapping[str, Any]) -> bool:
    """Whether the neighbours are said to be those that the word of the command line means."""
    if not predicate["command"] or any(one["what"] in ("table", "policy") for one in predicate["inputs"]):
        return False
    asked = asked_by(predicate["command"])
    return not any(asked.last(option) for option in ("--graph", "--metric", "--local", "--policy"))


def _faults_of_statements(predicate: Mapping[str, Any], there: Mapping[str, bytes], asked: Asked) -> Iterator[str]:
    """What the auditor states on page one is what was stated, and all of it."""
    name = asked.last("--statements")
    given = {} if name is None else {topic: str(text) for topic, text in _toml_of(name, "the statements", predicate, there).items()}
    given |= dict.fromkeys(["unit"] * len(asked.all("--unit")), asked.last("--unit") or "")
    for text in asked.all("--state"):
        topic, _, said = text.partition("=")
        given[topic.strip()] = said
    lines = [line for section in strict_json(there[NAMES["json"]])["sections"] for line in section["lines"]]
    topics = {words: topic for topic, words in TOPICS.items()}
    told: dict[str, set[str]] = {}
    for line in lines:
        if line["says"] in STATED_BY:
            told.setdefault(STATED_BY[line["says"]], set()).add(line["values"]["text"])
        if line["says"] == "scope" and line["values"]["status"] == STATED:
            topic = topics[line["values"]["topic"]]
            told.setdefault(topic, set()).add(line["values"]["text"])
    if "grid-unit" in given and "grid-unit" not in told and all(line["says"] != "grid-unit-open" for line in lines):
        del given["grid-unit"]  # the neighbours have no such unit
    for topic, text in given.items():
        if told.get(topic, set()) - {"see above"} != {" ".join(as_typed(text).split())}:
            yield f"it does not state what its command line states about {topic[:40]}"
    if set(told) - set(given):
        yield "it says that the auditor states what its command line does not state"


STATED_BY = {"called": "name", "chosen": "neighbours", "unit": "unit", "unit-grid": "unit", "grid-unit": "grid-unit"}
"""Lines of what the auditor states, beside those of the scope, and its topic."""
