# SPDX-License-Identifier: MIT
"""A small valid call of every public name: its documented example, or arguments that it takes."""

from __future__ import annotations

import ast
import doctest
import inspect
import io
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import sympy
from public_names import PUBLIC, thing

import exactdp as xdp
from exactdp.errors import ExactDPError

SPELLED = {"neighbors": "neighbours"}
"""Names whose documentation has the example with the other spelling."""


class Terminal(io.StringIO):
    """A stream on which a progress bar draws."""

    def isatty(self) -> bool:
        return True


def _sweep() -> None:
    plan = xdp.Plan([xdp.Question("tight", f"star:{m}", "2/3") for m in (3, 4, 5)])
    folder = Path(tempfile.mkdtemp())
    xdp.sweep(plan, folder / "stars", workers=2)


def _progress_bar() -> None:
    progress = xdp.progress_bar(Terminal())
    try:
        with progress:
            xdp.optimum(xdp.neighbours("grid:3x3"), "1/3", xdp.BayesianConsumer("zero-one", "uniform"), progress=progress)
    finally:
        progress.close()  # as its documentation says, for an interrupt at the end of ``with``


OWN: dict[str, Callable[[], None]] = {"sweep": _sweep, "progress_bar": _progress_bar}
"""Calls of what does nothing where its example runs: it needs a folder, or a terminal."""


@cache
def _steps(name: str) -> list[tuple[CodeType, bool]]:
    """The statements of an example, compiled, and whether each of them is refused."""
    documented = inspect.getattr_static(xdp, name, None) or getattr(xdp, name)
    examples = doctest.DocTestParser().get_examples(documented.__doc__ or "")
    steps = []
    for example in examples:
        for statement in ast.parse(example.source).body:
            steps.append((_compiled(statement, name), example.exc_msg is not None))
    return steps


def _compiled(statement: ast.stmt, name: str) -> CodeType:
    if isinstance(statement, ast.Expr):  # what is shown is written out, though nowhere
        shown = ast.Call(ast.Name("repr", ast.Load()), [statement.value], [])
        statement = ast.copy_location(ast.Expr(shown), statement)
    module = ast.fix_missing_locations(ast.Module([statement], []))
    return compile(module, f"<example of {name}>", "exec")


def calls_itself(name: str) -> bool:
    """Whether the call of a name does call it, or use it where it is no function."""
    if name in OWN:
        return True
    written = SPELLED.get(name, name)
    examples = doctest.DocTestParser().get_examples(getattr(xdp, name).__doc__ or "")
    nodes = [node for example in examples for node in ast.walk(ast.parse(example.source))]
    if inspect.isfunction(getattr(xdp, name)):
        nodes = [node.func for node in nodes if isinstance(node, ast.Call)]
    return any(written in (getattr(node, "id", None), getattr(node, "attr", None)) for node in nodes)


def call(name: str) -> None:
    """Do what the documentation of a public name shows."""
    if name in OWN:
        OWN[name]()
        return
    found = inspect.unwrap(getattr(xdp, name))
    module = sys.modules[getattr(found, "__module__", None) or type(found).__module__]
    variables: dict[str, Any] = {**vars(module), "print": lambda *shown, **_: [str(x) for x in shown]}
    for step, refused in _steps(name):
        try:
            exec(step, variables)
        except ExactDPError:
            if not refused:
                raise


G = xdp.geometric(3, "1/4")
NEAR = xdp.Graph.path(4)
LETTER = xdp.geometric(3, xdp.PrivacyLevel.symbolic())

GOOD: dict[str, Any] = {
    "question": lambda: xdp.is_private(G, "path", "1/4"),
    "factor": 8,
    "mechanism": G,
    "table": G,
    "source": G,
    "target": G,
    "matrix": G,
    "mechanisms": [G, G],
    "parts": [(G, NEAR)],
    "neighbours": NEAR,
    "graph": NEAR,
    "level": "1/4",
    "levels": ["1/4", "1/2"],
    "alpha": "1/2",
    "base": "1/2",
    "consumer": xdp.MinimaxConsumer("abs"),
    "prior": "uniform",
    "loss": "abs",
    "losses": {"abs": "abs"},
    "gain": "zero-one",
    "remap": xdp.Remap([[int(i == j) for j in range(4)] for i in range(4)]),
    "dual": xdp.Dual(["1/4"] * 4),
    "claimed_value": "1/3",
    "delta": "1/10",
    "frequencies": ["1/4"] * 4,
    "estimate": ["1/4"] * 4,
    "vector": ["1/2", "1/2"],
    "epsilon": "1/2",
    "query": len,
    "values": 2,
    "people": 2,
    "size": 3,
    "i": 0,
    "n": 2,
    "spec": "path:3",
    "labels": ["a", "b"],
    "inputs": range(3),
    "left": "1/2",
    "right": "1/2",
    "keep": "3/4",
    "bits": 2,
    "hashes": 1,
    "f": "1/2",
    "p": "1/4",
    "q": "3/4",
    "lower": 0,
    "upper": 2,
    "noise": xdp.GeometricNoise("1/2"),
    "scores": xdp.Scores([[1, 0], [0, 1]]),
    "sensitivity": 1,
    "step": 1,
    "x": 0.5,
    "rows": [[0.5, 0.5]],
    "thing": [["1/2", "1/2"]],
    "value": 1,
    "verdict": xdp.is_private(G, NEAR, "1/4"),
    "content": "1/2,1/2",
    "digits": "auto",
}
"""For each parameter of a public function something that it takes."""

OWN_ARGUMENTS: dict[str, dict[str, Any]] = {
    "audit": {"neighbours": NEAR},
    "generalise": {"question": "det geometric-prime"},
    "query_graph": {"values": range(2)},
    "refinement_order": {"mechanisms": {"A": G, "B": G}},
    "mechanism_from_spec": {"spec": "uniform:n=2"},
    "kernel_counts": {"neighbours": "path:3"},
    "least_delta": {"level": "1/4"},
    "printed_table": {"rows": [["0.5", "0.5"]]},
    "from_sympy": {"thing": sympy.Symbol("a")},
    "read_dual": {"content": "weight,0,,,1/2\nweight,1,,,1/2"},
    "prior_vulnerability": {"prior": ["1/2", "1/2"]},
    "prior_uncertainty": {"prior": ["1/2", "1/2"]},
    **{name: {"alpha": "1/2"} for name in ("geometric", "geometric_prime", "lumped_geometric", "folded_geometric", "staircase")},
    **{name: {"base": "1/2"} for name in ("exponential_mechanism", "noisy_max")},
    "private_levels": {"table": LETTER, "level": "a"},
    "stochastic_levels": {"table": LETTER},
    "derivable_levels": {"table": LETTER, "source": LETTER},
    "randomized_response": {"answers": 2, "keep": "3/4"},
}

FILES = {"changes_since", "load", "register_audit", "sweep", "verify", "verify_register"}
"""Questions about files, which have tests of their own."""

FUNCTIONS = [name for name in PUBLIC if inspect.isfunction(thing(name)) and name not in FILES]
"""The public functions that are asked with values."""


def arguments_of(name: str) -> dict[str, Any]:
    """Arguments that a public function takes: those that it must have."""
    parameters, level = inspect.signature(thing(name)).parameters, getattr(thing(name), "needs_level", None)
    needed = [key for key, parameter in parameters.items() if parameter.default is parameter.empty or key == level]
    found = {**dict.fromkeys(needed), **OWN_ARGUMENTS.get(name, {})}
    # "arguments" and "options" are of another question, which is asked with none of its own
    found = {key: OWN_ARGUMENTS.get(name, {}).get(key, GOOD.get(key)) for key in found if key not in {"arguments", "options"}}
    assert None not in found.values(), f"say in GOOD what the arguments {found} of {name} may be"
    return found


def public(name: str) -> Any:
    """A public function at the door."""
    return xdp.leakage.leakage if name == "leakage" else getattr(xdp, name)
