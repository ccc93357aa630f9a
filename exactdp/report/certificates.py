# SPDX-License-Identifier: MIT
"""A certificate's JSON as facts and tables. The checker has said that it is well-formed; nothing is
judged.
"""

from __future__ import annotations

from typing import Any

from exactdp.certificate.encode import Numbers
from exactdp.exact import ExactMatrix, Rational, RationalFunctionField, SymbolField
from exactdp.model import Labels
from exactdp.report.items import Fact, Grid, Item, Listing, grid_of

_NUMBERS = ("level", "ratio", "distance", "value", "loss", "gap", "delta", "least", "most", "above")
_NAMED_LOSSES = {"abs-loss": "|i − r|", "squared-loss": "(i − r)²", "zero-one-loss": "1 where i ≠ r"}


def certificate_items(data: dict[str, Any]) -> list[Item]:
    """What the claim says, what its names mean, the witness, and the digest.

    Examples
    --------
    >>> from exactdp import certify, geometric, neighbours, tightest_level
    >>> import json
    >>> data = json.loads(certify(tightest_level(geometric(1, "1/2"), neighbours("path:2"))).to_json())
    >>> [item.name for item in certificate_items(data) if isinstance(item, Fact)][:3]
    ['claim', 'mechanism', 'neighbours']

    """
    claim, definitions, witness = data["claim"], data["definitions"], data["witness"]
    items: list[Item] = [Fact("claim", claim["kind"])]
    if "matrix" in claim:
        return [*items, *_determinant(claim), *(Fact(k, v) for k, v in data.get("provenance", {}).items()), Fact("digest", data["digest"])]
    numbers = Numbers(definitions)
    items += _claim(claim, definitions, numbers)
    for name, definition in definitions.items():
        items += _definition_grid(name, definition, numbers)
    items += _pieces(data, numbers) if "pieces" in claim else _witness(witness, claim, definitions, numbers)
    items += [Fact(key, value) for key, value in data.get("provenance", {}).items()]
    return [*items, Fact("digest", data["digest"])]


def _claim(claim: dict[str, Any], definitions: dict[str, Any], numbers: Numbers) -> list[Item]:
    """The numbers and names of a claim."""
    items: list[Item] = []
    for key, value in claim.items():
        if isinstance(value, str) and value in definitions and key != "kind":
            items.append(Fact(key, f"{value}: {_definition_text(definitions[value], numbers)}"))
        elif key in _NUMBERS:
            items.append(Fact(key, _number(value, numbers)))
        elif key == "capacity":
            items.append(Fact(key, value))
        elif key == "consumer":
            items.append(Fact("consumer", _consumer_text(value, definitions, numbers)))
        elif key in {"mechanisms", "parts"}:
            items.append(Fact(key, ", ".join(name if isinstance(name, str) else " on ".join(name.values()) for name in value)))
        elif key in {"frequencies", "estimate"}:
            items.append(Fact(key, ", ".join(map(str, numbers.vector(value, len(value.get("at", value["num"])))))))
    if "coalitions" in claim:
        items.append(Fact("release", f"inputs 0..{claim['n']} at the levels {', '.join(str(numbers.scalar(x)) for x in claim['levels'])}"))
        lines = tuple("{" + ", ".join(str(i + 1) for i in c["members"]) + f"}}: {numbers.scalar(c['level'])}" for c in claim["coalitions"])
        items.append(Listing("coalition levels", lines, len(lines)))
    return items


def _pieces(data: dict[str, Any], numbers: Numbers) -> list[Item]:
    """The claims and witnesses of the pieces, one after the other."""
    items: list[Item] = []
    for part, witness in zip(data["claim"]["pieces"], data["witness"]["pieces"], strict=True):
        here = numbers.on(part["interval"])
        items.append(Fact("for the levels in", str(here.interval(part["interval"]))))
        items += _claim(part["claim"], data["definitions"], here) + _witness(witness, part["claim"], data["definitions"], here)
    return items


def _number(value: Any, numbers: Numbers) -> Any:
    return value if isinstance(value, str) and "sqrt" in value else numbers.scalar(value)


def _determinant(claim: dict[str, Any]) -> list[Item]:
    """A claim about a determinant: its matrix, the formula (factored), and where they differ."""
    matrix, level = claim["matrix"], RationalFunctionField()
    items: list[Item] = []
    if matrix["type"] == "rows":
        entry = [[level.quotient(_integers(p), _integers(row["den"])) for p in row["num"]] for row in matrix["rows"]]
        items.append(grid_of("matrix", ExactMatrix(entry, level)))
        size = len(entry)
    else:
        size = matrix["n"] + 1
        items.append(Fact("matrix", f"{'G′' if matrix['type'] == 'geometric-prime' else 'G'}({matrix['n']}, a)"))
    items += [Fact("replaced by x", f"column {claim['column']}")] if "column" in claim else []
    field = SymbolField(["a", *(f"x{j}" for j in range(size if "column" in claim else 0))])
    num, den = (_terms(claim["formula"][key], len(field.names) - 1) for key in ("num", "den"))
    items.append(Fact("formula", str(field.quotient(num, den))))
    if "point" in claim:
        values = claim["point"].get("x", [])
        items.append(Fact("point", ", ".join([f"a = {claim['point']['a']}", *(f"x{j} = {x}" for j, x in enumerate(values))])))
        items += [Fact("determinant there", Rational(claim["determinant"])), Fact("formula there", Rational(claim["value"]))]
    return items


def _terms(form: list[dict[str, Any]], symbols: int) -> tuple[Any, ...]:
    """The terms (exponents, coefficient) of a form."""
    return tuple(((k, *map(t["x"].count, range(symbols))), c) for t in form for k, c in enumerate(_integers(t["a"])) if c)


def _integers(polynomial: list[str]) -> list[int]:
    return [Rational(c).numerator for c in polynomial]


def _definition_text(d: dict[str, Any], numbers: Numbers) -> str:
    kind = d["type"]
    if kind == "geometric":
        return f"the geometric mechanism G({d['n']}, {numbers.scalar(d['level'])})"
    if kind == "path":
        return f"the path on {d['vertices']} vertices"
    if kind == "graph":
        return f"a graph on {len(d['vertices'])} vertices with {len(d['edges'])} edges"
    if kind == "distances":
        return f"distances of {len(d['pairs'])} pairs of {len(d['vertices'])} points"
    if kind in _NAMED_LOSSES:
        return f"the loss {_NAMED_LOSSES[kind]} on 0..{d['n']}"
    columns = d["outputs"] if "outputs" in d else d["guesses"]
    return f"a {kind}, {len(d['inputs'])}×{len(columns)}, below"


def _definition_grid(name: str, d: dict[str, Any], numbers: Numbers) -> list[Item]:
    if d["type"] == "graph":
        lines = tuple(f"{d['vertices'][i]} – {d['vertices'][j]}" for i, j in d["edges"][:12])
        return [Listing(f"{name}: edges", lines, len(d["edges"]))]
    if d["type"] == "exponential":
        return [Fact(letter, meaning) for letter, meaning in numbers.field.meanings.items()]
    if d["type"] == "parameter":
        return [Fact(name, f"every level in {numbers.field.interval}")]
    if "rows" not in d:
        return []
    columns = tuple(d["outputs"] if "outputs" in d else d["guesses"])
    return [Grid(f"{name} ({d['type']})", numbers.matrix(d["rows"], len(columns)), tuple(d["inputs"]), columns)]


def _consumer_text(consumer: dict[str, Any], definitions: dict[str, Any], numbers: Numbers) -> str:
    loss = f"{consumer['loss']}: {_definition_text(definitions[consumer['loss']], numbers)}"
    inputs = _labels(definitions[consumer["loss"]], "inputs")
    if consumer["type"] == "minimax":
        return f"minimax, loss {loss}, side information {{{', '.join(inputs[i] for i in consumer['side_information'])}}}"
    prior = ", ".join(map(str, numbers.vector(consumer["prior"], len(inputs))))
    return f"Bayesian, loss {loss}, prior ({prior})"


def _labels(d: dict[str, Any], side: str) -> Labels:
    """Row (``inputs``) or column labels of a definition."""
    if "n" in d:
        return tuple(map(str, range(d["n"] + 1)))
    names: Any = d[next(key for key in (side, "guesses", "outputs", "vertices") if key in d)]
    return tuple(map(str, range(names))) if isinstance(names, int) else tuple(names)


def _witness(witness: dict[str, Any], claim: dict[str, Any], definitions: dict[str, Any], numbers: Numbers) -> list[Item]:
    """Every vector and matrix of the witness, with labels where the claim gives them."""
    rows, columns = _shapes(claim, definitions)
    items: list[Item] = []
    for key, value, cells in _flat(witness):
        if isinstance(value, dict):
            width = len(value["num"]) if "at" not in value else cells or len(rows)
            items.append(Grid(f"witness {key}", ExactMatrix([list(numbers.vector(value, width))]), ("",), _names(rows, width)))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            width = max((len(v["num"]) for v in value if "at" not in v), default=cells or len(columns))
            width = max([width, *(i + 1 for v in value for i in v.get("at", ()))])  # a remap may have outputs of its own
            grid = numbers.matrix(value, width)
            items.append(Grid(f"witness {key}", grid, _names(rows, len(value)), _names(columns, width), sparse=key.endswith("remap")))
        elif value:
            items.append(Fact(f"witness {key}", str(value)))
        else:
            items.append(Fact(f"witness {key}", "0" if value == 0 else "nothing"))
    return items


def _names(labels: Labels, size: int) -> Labels:
    """The labels if there are as many as wanted, else 0, 1, …."""
    return labels if len(labels) == size else tuple(map(str, range(size)))


def _flat(witness: dict[str, Any], prefix: str = "", cells: int | None = None) -> list[tuple[str, Any, int | None]]:
    """Each value of the witness and of the objects in it, with its title and the number of cells.

    Vectors and matrices beside ``cells``, the list of each input's cell, are on cells; a ``combination`` is
    on inputs.
    """
    cells = max(witness["cells"]) + 1 if "cells" in witness else cells
    found: list[tuple[str, Any, int | None]] = []
    for key, value in witness.items():
        if key in {"primal", "dual", "by", "low", "high", "near"}:
            found += _flat(value, f"{prefix}{key} ", cells)
        elif key in {"stages", "mechanisms"}:
            name, first = ("T_", 2) if key == "stages" else (f"{prefix}mechanism ", 0)
            found += [(f"{name}{i}", matrix, cells) for i, matrix in enumerate(value, first)]
        else:
            found.append((prefix + key, value, None if key == "combination" else cells))
    return found


def _shapes(claim: dict[str, Any], definitions: dict[str, Any]) -> tuple[Labels, Labels]:
    """The labels of inputs and of guesses (or outputs) that the claim is about."""
    if "n" in claim:
        names = tuple(map(str, range(claim["n"] + 1)))
        return names, names
    if "mechanisms" in claim or "parts" in claim:
        name = claim["mechanisms"][0] if "mechanisms" in claim else claim["parts"][0]["mechanism"]
    elif "consumer" in claim:
        name = claim["consumer"]["loss"]
    else:  # the loss of a not-optimal claim, a number, stands beside a consumer
        name = next(claim[key] for key in ("target", "loss", "mechanism", "table", "neighbours") if key in claim)
    thing = definitions[name]
    return _labels(thing, "inputs"), _labels(thing, "outputs" if "outputs" in thing else "guesses")
