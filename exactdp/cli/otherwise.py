# SPDX-License-Identifier: MIT
"""What is typed and called otherwise here: words that are no commands, options, words in the wrong place.

It is loaded where something was refused. Every hint is something that works in the command that was asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from os.path import exists
from pathlib import PurePath
from shlex import quote

import click

from exactdp.spelling import own_spelling

PICTURES = (
    "pictures are drawn by 'exactdp show TABLE -o m.svg' and 'exactdp audit TABLE --html page.html', "
    "and in Python by .plot() of what was read"
)
"""Where the pictures are."""

TWO = "audit A --compare B (which is more private; with --for zero-one also better for whom), or refine A B (can B be made from A)"
"""The questions about two mechanisms."""


def meant_command(name: str, typed: Sequence[str], commands: Iterable[str]) -> str:
    """What an error says of a word that is no command: a whole command that does what was meant.

    * ``typed``: what follows the word.
    * ``commands``: all that there are.

    >>> meant_command("is-private", ["t.csv", "--epsilon", "1"], ["privacy"])
    "did you mean 'exactdp privacy t.csv --epsilon 1 --local'?"
    >>> meant_command("privcy", ["t.csv"], ["privacy"])
    'did you mean privacy?'
    """
    from exactdp.mechanisms import FAMILIES

    plain = name.lower().replace("_", "-")
    if plain in _IN_A_CLONE:
        return f"in a clone of the repository it is 'python proofs/{plain}.py'"
    if plain in FAMILIES:
        return f"it is a word for a mechanism, as in 'exactdp privacy {FAMILIES[plain].example}'"
    told = next((told for names, told in _COMMANDS if plain in names), None)
    if told is not None:
        files = [word for word in typed if not word.startswith("-") and (PurePath(word).suffix or exists(word) or ":" in word)]
        return f"did you mean {told(files, typed)}?"
    known = list(commands)
    near = get_close_matches(plain, known, 1)
    return f"did you mean {near[0]}?" if near else f"the commands are {', '.join(known)}"


_IN_A_CLONE = frozenset({"claims", "cite"})
"""Programs of the repository that are no commands."""

_NEIGHBOURS = ("--local", "--graph", "--metric")
"""Options that say who is near."""


def _command(words: Sequence[str]) -> str:
    """A command line, in quotes."""
    return f"'exactdp {' '.join(map(quote, words))}'"


def _privacy(files: Sequence[str], typed: Sequence[str], *more: str) -> str:
    """The question how private a table is, with what was typed and what that lacks."""
    table = [] if files else ["TABLE"]
    near = [] if _says_neighbours(files, typed) else ["--local"]
    lacking = () if {"--epsilon", "--alpha"} & {*typed} else more
    return _command(["privacy", *table, *typed, *lacking, *near])


def _says_neighbours(files: Sequence[str], typed: Sequence[str]) -> bool:
    """Whether neighbours are said; a word for a mechanism brings its own."""
    return any(word.partition("=")[0] in _NEIGHBOURS for word in typed) or (files[:1] != [] and ":" in files[0])


def _compared(files: Sequence[str], _: Sequence[str]) -> str:
    """The questions about two tables."""
    one, two = files if len(files) == 2 else ("A.csv", "B.csv")
    compared = _command(["audit", one, "--compare", two, "--local", "--for", "zero-one"])
    refined = _command(["refine", one, two])
    return f"{compared} (which is more private, and better for whom), or {refined} (can the second be made from the first)"


def _of_file(*words: str) -> Callable[[Sequence[str], Sequence[str]], str]:
    """A command about the file that was typed, whose place is ``FILE``."""
    return lambda files, _: _command([(files or ["c.json"])[0] if word == "FILE" else word for word in words])


_COMMANDS: tuple[tuple[tuple[str, ...], Callable[[Sequence[str], Sequence[str]], str]], ...] = (
    (("private", "is-private", "dp", "is-dp", "check-privacy"), lambda files, typed: _privacy(files, typed, "--epsilon", "1")),
    (("epsilon", "level", "tightest", "privacy-level", "smallest-epsilon", "min-epsilon", "tightest-level"), _privacy),
    (
        ("check", "test"),
        lambda files, typed: f"{_privacy(files, typed, '--epsilon', '1')}, or for a certificate {_of_file('verify', 'FILE')(files, typed)}",
    ),
    (("compare", "diff", "better"), _compared),
    (
        ("optimum", "optimise", "optimize", "best", "solve", "minimise", "minimize"),
        lambda _, typed: _command(["optimal", *(typed or ["--graph", "path:10", "--epsilon", "1/2", "--loss", "abs"])]),
    ),
    (("load", "read", "open", "view", "print", "cat"), _of_file("show", "FILE")),
    (("latex", "tex", "to-latex"), _of_file("convert", "FILE", "--to", "latex")),
    (("plot", "draw", "picture", "heatmap", "image"), _of_file("show", "FILE", "-o", "picture.png")),
    (
        ("certify", "certificate", "prove"),
        lambda *_: f"-o c.json of the command that answers, and then {_command(['verify', 'c.json'])}",
    ),
    (("postprocess", "post-process", "best-remap"), _of_file("remap", "FILE", "--loss", "zero-one")),
)
"""Words that are no commands, and the command that does what they say, of the files and words after it."""

LIKE = 0.8
"""An option that is no more like another one than this is not taken for it."""


def meant_option(command: click.Command, name: str, words: Sequence[str]) -> str:
    """What an error adds about an option that the command does not have; empty where nothing is known."""
    told = next((told for names, told in _HINTS if own_spelling(name) in names), None)
    said = None if told is None else told(command, words, name)
    if said is not None:
        return f"; {said}{_and_neighbours(command, words)}"
    there = _options(command)
    near = [option for option in there if len(name) > 3 and option.startswith(name)] or get_close_matches(name, there, 2, LIKE)
    if not near:
        return ""
    shown = ", ".join(map(repr, sorted(near)))
    hint = f" (Did you mean {shown}?)" if len(near) == 1 else f" (Did you mean one of: {shown}?)"
    return f"{hint}{_and_neighbours(command, words)}"


def _and_neighbours(command: click.Command, words: Sequence[str]) -> str:
    """That neighbours must be said, too, where the next error would be about them; empty otherwise."""
    files = [word for word in words if PurePath(word).suffix and exists(word)]
    if not files or "--local" not in _options(command) or _says_neighbours(files, words) or _needs_no_neighbours(command):
        return ""
    return "; and say who is near, with --local for reports of single people, or --graph path for a count"


def _needs_no_neighbours(command: click.Command) -> bool:
    """Whether a command answers without neighbours."""
    return command.name not in ("privacy", "audit", "delta")


def meant_word(command: click.Command, words: Sequence[str]) -> str:
    """What an error adds about words for which the command has no place; empty where nothing is known."""
    meant = [found for found in (_meant(word, _options(command)) for word in words) if found is not None]
    if len(meant) == len(words):
        return f"; write {' '.join(meant)}"
    if [one.name for one in command.params if isinstance(one, click.Argument)] != ["mechanism"]:
        return ""
    of_two = "derive A --source B" if command.name == "derive" else TWO
    return f"; {command.name} takes one mechanism here, and about two there is {of_two}"


def _meant(word: str, there: Sequence[str]) -> str | None:
    """The option, with its value, that a word alone means; None if it may be a mechanism."""
    ending = PurePath(word).suffix.lower()
    if exists(word) and ending not in _NEVER_READ:
        return None
    from exactdp.model.named_losses import loss_like
    from exactdp.model.neighbours import FAMILIES, SIZED_BY_INPUTS

    graph = word.partition(":")[0] in FAMILIES or word in SIZED_BY_INPUTS
    loss = loss_like(word) if re.search("[a-z|]|^0[-/]?1$", word) else None
    found = {
        "--epsilon": word if re.fullmatch(r"[0-9]+([./][0-9]+)?|(ln|log)\(.*\)", word) else None,
        "--graph": word if graph else None,
        "--loss": loss,
        "--output": word if ending in _WRITTEN else None,
    }
    return next((f"{_SHORT.get(option, option)} {quote(value)}" for option, value in found.items() if value and option in there), None)


_NEVER_READ = (".svg", ".png", ".pdf", ".tex", ".html")
_WRITTEN = (*_NEVER_READ, ".csv", ".json", ".npy", ".vipr", ".v")
"""How the names of files end that commands write, and of those the ones that none reads."""

_SHORT = {"--output": "-o"}


def _options(command: click.Command) -> list[str]:
    """The options that the command has, by their long names."""
    shown = [option for option in command.params if isinstance(option, click.Option) and (not option.hidden or option.name == "digits")]
    return [name for option in shown for name in (*option.opts, *option.secondary_opts) if name.startswith("--")] + ["--help"]


def _certifies(command: click.Command) -> bool:
    """Whether its -o writes the certificate of the answer."""
    return any(option.name == "path" and "certificate" in (getattr(option, "help", None) or "") for option in command.params)


_Told = Callable[[click.Command, Sequence[str], str], str | None]


def _of_consumer(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """Where the consumer is said."""
    there = _options(command)
    if "--for" in there:
        value = _value_of(words, name)
        asked = "'abs prior=uniform'" if name == "--prior" else (value if value and re.fullmatch(r"[\w./-]+", value) else "zero-one")
        return f"a consumer is told by --for, as in --for {asked}"
    if "--loss" in there and name not in ("--prior", "--side-information"):
        return "a consumer is told by its loss, as in --loss zero-one (and --prior or --side-information)"
    if command.name in ("refine", "derive"):
        return "which of two is better for a consumer is told by 'exactdp audit A --compare B --for zero-one', with --graph for tables"
    if command.name in ("privacy", "delta"):
        return "how good a mechanism is for a consumer is told by 'exactdp remap MECHANISM --loss zero-one', and 'exactdp optimal'"
    return None


def _of_size(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """Where the number of inputs stands."""
    value = _value_of(words, name) or ""
    size = int(value) if re.fullmatch("[0-9]{1,12}", value) and int(value) else 10
    places = {one.name for one in command.params if isinstance(one, click.Argument)}
    option = "--graph " if "--graph" in _options(command) else ""
    graph = f"{option}path:{size} has {size} inputs" if option or "graph" in places else ""
    takes = not places.isdisjoint({"mechanism", "mechanisms", "file", "source"})
    word = f"the mechanism geometric:n={size} has {size + 1} inputs, 0 to {size}" if takes else ""
    said = ", and ".join(filter(None, (graph, word)))
    return f"the size stands in the word: {said}" if said else None


def _of_picture(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """What draws pictures."""
    if command.name != "show":
        return PICTURES
    ending = name.removeprefix("--") if f".{name.removeprefix('--')}" in (".svg", ".png", ".pdf") else "svg"
    value = _value_of(words, name)
    file = value if value and PurePath(value).suffix.lower() in (".svg", ".png", ".pdf") else f"m.{ending}"
    return f"a picture is drawn by -o, as in -o {file}"


def _of_latex(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """What writes LaTeX."""
    there = _options(command)
    if "--to" in there:
        return "the format is told by --to latex, or by the ending of the file: -o table.tex"
    if "--latex" in there:
        return "LaTeX is told by --latex, and files of other formats are written by 'exactdp convert FILE -o table.tex'"
    if not _certifies(command):
        return None
    if command.name == "optimal":
        return "LaTeX of the optimal table is written by -o opt.json, and then: exactdp convert opt.json --to latex --decimals 3 -o opt.tex"
    return "LaTeX of the answer is written by -o c.json, and then: exactdp show c.json --latex"


def _of_format(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """What writes tables in other formats."""
    if "--to" in _options(command):
        return "the format is told by --to csv, or by the ending of the file: -o table.csv"
    if _value_of(words, name) == "json" and "--json" in _options(command):
        return "JSON is printed by --json"
    if _value_of(words, name) in ("latex", "tex"):
        return _of_latex(command, words, name)
    return "files of other formats are written by 'exactdp convert FILE -o table.csv'"


def _of_certificate(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """What writes the certificate."""
    return f"the certificate is written by -o, as in -o {_value_of(words, name) or 'c.json'}" if _certifies(command) else None


def _of_floats(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """How floats are read."""
    if "--dyadic" not in _options(command):
        return None
    return "numbers are read exactly, 0.1 as 1/10; --dyadic reads decimals as the doubles (floats) nearest to them"


def _of_claim(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """How a claim is told."""
    there = _options(command)
    if "--claims-epsilon" in there:
        return "a claim is told by --claims-epsilon, as in --claims-epsilon 1"
    return "whether a claim holds is asked by --epsilon, as in --epsilon 1" if command.name == "privacy" else None


def _of_delta(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """The command about δ."""
    if command.name != "privacy":
        return None
    return "of (ε, δ) is another command: exactdp delta MECHANISM --epsilon EPS --delta DELTA"


def _of_neighbours(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """How neighbours are told."""
    return "neighbours are told by --graph, as in --graph path, or by --local" if "--local" in _options(command) else None


def _of_level(command: click.Command, words: Sequence[str], name: str) -> str | None:
    """How a level is told."""
    return "a level is told by --epsilon 1, or by --alpha 1/4" if "--epsilon" in _options(command) else None


def _value_of(words: Sequence[str], name: str) -> str | None:
    """What was given to the option; None if nothing was."""
    for place, word in enumerate(words):
        following = words[place + 1 : place + 2]
        if word == name and following and not following[0].startswith("-"):
            return following[0]
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return None


_HINTS: tuple[tuple[tuple[str, ...], _Told], ...] = (
    (("--loss", "--gain", "--for", "--consumer", "--prior", "--side-information"), _of_consumer),
    (("--n", "-n", "--size", "--inputs"), _of_size),
    (("--plot", "--draw", "--png", "--svg", "--pdf", "--picture", "--image", "--heatmap"), _of_picture),
    (("--latex", "--tex"), _of_latex),
    (("--to", "--csv", "--format"), _of_format),
    (("--certificate", "--cert", "--certify", "--save", "--write"), _of_certificate),
    (("--float", "--floats", "--double", "--doubles"), _of_floats),
    (("--claim", "--claimed-epsilon"), _of_claim),
    (("--delta",), _of_delta),
    (("--neighbours", "--neighbour"), _of_neighbours),
    (("--level", "--privacy"), _of_level),
)
"""What is looked for among the options and is said otherwise; the first that fits."""
