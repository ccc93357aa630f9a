# SPDX-License-Identifier: MIT
"""The names of a package or topic from its stub, which type checkers and editors read.

So a name is written once: in ``__init__.pyi`` of the package, or in the ``.pyi`` beside a topic of the root
such as ``exactdp/leakage.py``. From these lines come what is loaded when a name is first asked for (SPEC 1 of
Scientific Python), ``dir``, ``__all__``, the site's reference and the tests. The reader of stubs that
lazy_loader has parses them as Python, which takes longer than some commands, and knows no ``*``; these lines
are simple.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from types import ModuleType
from typing import Any

from exactdp.spelling import own_spelling

_LINE = re.compile(r"^from \.([\w.]+) import (?:(\w+) as \2|(\*))$", re.MULTILINE)
_TOPIC = re.compile(r"^(?:from \. import (\w+) as \1|(\w+): _\w+Topic)$", re.MULTILINE)
_ALL = re.compile(r"^__all__ = \[(.*?)\]", re.MULTILINE | re.DOTALL)

_OPTIMUM = "optimum('path:10', epsilon='1/2', consumer='abs')"
_EPSILON = "tightest_level(table, neighbours='local').epsilon, the smallest ε"
_COMPARED = "audit(A, neighbours='local', compare=B, consumers='abs'), or is_refined_by(A, B)"
_PRIVATE = "is_private(table, neighbours='local', epsilon=1), where from_floats(table) stands for a table of floats"
_REMAP = "best_remap(mechanism, consumer='zero-one')"
_PLOT = "load(file).plot('picture.png'), or plot() of an answer, mechanism or graph"
_CERTIFIED = "certify(answer).write('c.json'), verify('c.json') and load('c.json')"

TYPED = {
    **dict.fromkeys(("optimal", "optimize", "optimise", "optimal_mechanism", "best_mechanism", "best", "solve"), _OPTIMUM),
    **dict.fromkeys(("minimal_loss", "least_loss", "min_loss", "minimise", "minimize"), _OPTIMUM),
    **dict.fromkeys(("epsilon", "epsilon_of", "get_epsilon", "smallest_epsilon", "min_epsilon", "minimal_epsilon"), _EPSILON),
    **dict.fromkeys(("least_epsilon", "best_epsilon", "tightest_epsilon", "privacy_level", "privacy_loss", "tightest", "level"), _EPSILON),
    **dict.fromkeys(("compare", "more_private", "is_more_private", "compare_audits", "compare_privacy", "compare_mechanisms"), _COMPARED),
    **dict.fromkeys(("refines", "refine", "is_better", "better"), _COMPARED),
    **dict.fromkeys(("is_dp", "is_ldp", "dp", "ldp", "is_local_dp", "is_locally_private", "is_epsilon_dp"), _PRIVATE),
    **dict.fromkeys(("is_differentially_private", "check_privacy", "check_dp", "verify_privacy", "private"), _PRIVATE),
    **dict.fromkeys(("release", "releases", "multi_level"), "multi_level_release(3, ['1/4', '1/2'])"),
    **dict.fromkeys(("compose", "composed", "total_epsilon"), "sequential_level(mechanisms, 'path'), or composition, the topic"),
    "derive": "is_derivable(A, source=B), whether A can be made from B",
    "convert": "load(file), whose to_latex(), to_pandas() and to_numpy() are other formats",
    "check": f"{_PRIVATE}, or verify(file) for a certificate",
    **dict.fromkeys(("read_certificate", "load_certificate", "open", "read"), "load(file)"),
    **dict.fromkeys(("read_csv", "from_csv", "load_csv", "read_file"), "read_table(file), or load(file)"),
    **dict.fromkeys(("from_dataframe", "from_pandas", "from_numpy", "from_array"), "table_of(frame), or from_floats(frame)"),
    **dict.fromkeys(("save", "write", "export", "save_certificate", "certificate", "make_certificate"), _CERTIFIED),
    **dict.fromkeys(("verify_certificate", "check_certificate"), "verify(file)"),
    **dict.fromkeys(("plot", "draw", "show", "heatmap", "picture", "plot_mechanism", "plot_table", "figure"), _PLOT),
    **dict.fromkeys(("to_latex", "latex", "to_tex"), "to_latex() of a mechanism or table, and to_latex(decimals=4) for rounded numbers"),
    **dict.fromkeys(("remap", "postprocess", "post_process", "best_postprocessing", "best_post_processing", "optimal_remap"), _REMAP),
    **dict.fromkeys(("geometric_mechanism", "geometric_noise"), "geometric(4, epsilon='1/2'), or the word 'geometric:n=4,epsilon=1/2'"),
}
"""What somebody types for a name of the root, and what says the same there."""

TYPED_IN_GRAPHS = {
    **{name: f"Graph.{name}(5), or the word '{name}:5'" for name in ("path", "cycle", "complete", "star")},
    "hypercube": "Graph.hypercube(3), or the word 'hypercube:3'",
    "grid": "Graph.grid(3, 3), or the word 'grid:3x3'",
}
"""The same of the topic of graphs, and at the root, whose families are methods and words."""

CALLED = {
    "privacy": f"{_EPSILON}, or {_PRIVATE}",
    "optimality": f"{_OPTIMUM}, or is_optimal(mechanism, neighbours, level, consumer)",
    "refinement": "is_refined_by(A, B), or refinement_order(mechanisms)",
    "graphs": "neighbours('path:4'), or Graph.path(4)",
    "tables": "read_table(file), or load(file)",
    "composition": "sequential_level(mechanisms, neighbours)",
    "inference": "maximum_likelihood(mechanism, frequencies)",
    "verdicts": _CERTIFIED,
}
"""What somebody means who calls a topic."""

NOT_SHOWN = "# ---- Not in dir()"
"""How the line of a stub begins below which names can be imported, and are not in ``dir`` and ``__all__``."""


def names_of(file: str) -> dict[str, list[str]]:
    """The names that a stub lists, by the modules where they live; topics are no names.

    A line is ``from .module import name as name``, or ``from .module import *`` for what a topic's stub
    lists, or for what the module's own ``__all__`` has.

    * ``file``: the ``__init__.py`` of a package, or the file of a topic.

    >>> import exactdp
    >>> found = names_of(exactdp.__file__)
    >>> "load" in found["certificate.loading"], "staircase" in found["mechanisms.staircase"]
    (True, True)
    >>> "capacity" in found["analysis.leakage"]
    True
    """
    return _names_in(os.path.dirname(file), _text(_stub(file)))


def shown_in(file: str) -> list[str]:
    """The names of a stub that ``dir`` shows, with its topics: those above the mark, or all if there is none.

    >>> import exactdp
    >>> shown = shown_in(exactdp.__file__)
    >>> "tightest_level" in shown, "leakage" in shown, "capacity" in shown
    (True, True, False)
    """
    above, _, _ = _text(_stub(file)).partition(NOT_SHOWN)
    names = [name for found in _names_in(os.path.dirname(file), above).values() for name in found]
    return sorted({*names, *_topics_in(above)})


def topics_of(file: str) -> list[str]:
    """The modules beside a package that its stub names as topics.

    >>> import exactdp
    >>> "tight" in topics_of(exactdp.__file__)
    True
    """
    return _topics_in(_text(_stub(file)))


def attached(module: str, file: str, package: str, *, door: bool = True) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """What a module takes from its stub: the functions ``__getattr__`` and ``__dir__``, and ``__all__``.

    * ``module``, ``file``: the module's own ``__name__`` and ``__file__``.
    * ``package``: the package from which the lines of the stub are relative.
    * ``door``: whether errors of its functions name arguments (:mod:`exactdp.door`): not of a package that
      the others use inside.
    """
    homes = {name: home for home, names in names_of(file).items() for name in names}
    shown = shown_in(file)

    def load(name: str) -> Any:
        own = own_spelling(name)
        home = homes.get(name) or homes.get(own)
        if home is None:
            beside = os.path.join(os.path.dirname(file), name)
            if name.startswith("_") or os.path.isdir(beside) or os.path.exists(f"{beside}.py"):
                raise AttributeError(name)  # a module, which Python imports when it hears that there is no such name
            raise missing(module, name, {*homes, *topics_of(file)})
        found = getattr(import_module(f"{package}.{home}"), name if name in homes else own)
        if door:
            from exactdp.door import behind

            found = behind(found)
        setattr(sys.modules[module], name, found)
        return found

    topic = module.partition(".")[2]
    if topic in CALLED:
        sys.modules[module].__class__ = _topic(module, CALLED[topic])
    namesakes = frozenset(name for name, home in homes.items() if name == home)
    if namesakes:
        sys.modules[module].__class__ = _keeping(namesakes)
    return load, lambda: list(shown), list(shown)


def _keeping(namesakes: frozenset[str]) -> type[ModuleType]:
    """The class of a package whose names stay when Python sets a module of such a name, which it imported."""

    class Package(ModuleType):
        """A package that has functions of the names of its modules."""

        def __setattr__(self, name: str, value: object) -> None:
            if name not in namesakes or not isinstance(value, ModuleType):
                super().__setattr__(name, value)

    return Package


def _topic(module: str, meant: str) -> type[ModuleType]:
    """The class of a topic, whose call says which function was meant."""

    class Topic(ModuleType):
        """A module of functions, and none itself."""

        def __call__(self, *args: object, **keywords: object) -> Any:
            """No answer: what is called is one of its functions."""
            raise TypeError(f"{module} is a topic, and no function; did you mean {meant}? dir({module}) lists all")

    return Topic


def missing(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for a name that a module has not, with the name that is most like it.

    >>> missing("exactdp", "tighest_level", ["tightest_level", "optimum"]).args[0]
    "exactdp has no 'tighest_level'; did you mean tightest_level?"
    """
    from exactdp.errors import meant

    typed: dict[str, dict[str, str]] = {"exactdp": {**TYPED, **TYPED_IN_GRAPHS}, "exactdp.graphs": TYPED_IN_GRAPHS}
    same = typed.get(module, {}).get(name.lower())
    near = meant(name, sorted(known)).strip() if same is None else f"did you mean {same}?"
    hint = near or f"dir({module}) lists what it has"
    return AttributeError(f"{module} has no {name!r}; {hint}", name=name)  # without obj: Python would add a hint of its own


def _topics_in(text: str) -> list[str]:
    """The topics in the lines of a stub; one that is a function, too, has a class of its own."""
    return [module or function for module, function in _TOPIC.findall(text)]


def _names_in(folder: str, text: str) -> dict[str, list[str]]:
    """The names in the lines of a stub, each under its module once."""
    found: dict[str, list[str]] = {}
    for module, name, star in _LINE.findall(text):
        listed = _listed(folder, module) if star else {module: [name]}
        for home, names in listed.items():
            known = found.setdefault(home, [])
            known += [one for one in names if one not in known]
    return found


def _listed(folder: str, module: str) -> dict[str, list[str]]:
    """The names of a topic, or in a module's ``__all__``; the module is not imported for that."""
    path = os.path.join(folder, *module.split("."))
    if os.path.exists(f"{path}.pyi"):
        return _names_in(folder, _text(f"{path}.pyi"))
    if os.path.exists(os.path.join(path, "__init__.pyi")):
        inside = _names_in(path, _text(os.path.join(path, "__init__.pyi")))
        return {f"{module}.{home}": names for home, names in inside.items()}
    listed = _ALL.search(_text(f"{path}.py"))
    if listed is None:
        raise ImportError(f"the stub takes all names of .{module}, which has no __all__")
    return {module: re.findall(r'"(\w+)"', listed[1])}


def _stub(file: str) -> str:
    """The stub beside a module."""
    return f"{os.path.splitext(file)[0]}.pyi"


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as stream:
        return stream.read()
