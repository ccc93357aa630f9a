# SPDX-License-Identifier: MIT
"""Random edits of certificates, with the digest recomputed: numbers, indices, lists, keys, labels, and parts
of another place.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from certificate_pool import seal


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """All places of a JSON value, outermost first."""
    yield path, value
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(item, (*path, key))


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy with another value at a place; ``...`` removes it."""
    result = copy.deepcopy(value)
    target = result
    for key in path[:-1]:
        target = target[key]
    if new is ...:
        del target[path[-1]]
    else:
        target[path[-1]] = new
    return result


def with_value(certificate: dict[str, Any], path: tuple[Any, ...], new: Any) -> dict[str, Any]:
    """A sealed copy with another value at a place; ``...`` removes it."""
    return seal(put(certificate, path, new))


def edited(certificate: dict[str, Any], draw: Random) -> dict[str, Any]:
    """The certificate with one to three random edits in claim, definitions or witness, sealed."""
    result = copy.deepcopy(certificate)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        found = [
            (path, value) for top in ("claim", "definitions", "witness") for path, value in places(result[top], (top,)) if len(path) > 1
        ]
        path, value = draw.choice(found)
        target = result
        for key in path[:-1]:
            target = target[key]
        last = path[-1]
        if draw.random() < 0.03:
            del target[last]
        elif draw.random() < 0.08:
            target[last] = copy.deepcopy(draw.choice([other for _, other in found if type(other) is type(value)]))
        elif draw.random() < 0.02:
            result["version"] = draw.choice(["0.1", "0.2", "0.3"])
        else:
            target[last] = _other(value, draw)
    return seal(json.loads(json.dumps(result)))


def _other(value: Any, draw: Random) -> Any:
    """Another value instead of this one."""
    if isinstance(value, int):
        return max(0, draw.choice([value + 1, value - 1, 0, 10**9, 2 * value]))
    if isinstance(value, list):
        return _other_list(value, draw)
    if isinstance(value, dict):
        return _other_object(value, draw)
    try:
        x = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return draw.choice([value + "x", value[:-1], "", "0", value + "\u00e9"])
    new = draw.choice([-x, x + 1, x - 1, 2 * x, x / 2, x + Fraction(1, 10**6), Fraction(0), Fraction(1)])
    return draw.choice([str(new), str(new), str(new), f"{new.numerator * 2}/{new.denominator * 2}", f"0{new}", f"+{new}", f"{new}/1"])


def _other_list(value: list[Any], draw: Random) -> list[Any]:
    new = list(value)
    if not new:
        return [0]
    i, j = draw.randrange(len(new)), draw.randrange(len(new))
    match draw.randrange(5):
        case 0:
            new[i], new[j] = new[j], new[i]
        case 1:
            del new[i]
        case 2:
            new.insert(i, copy.deepcopy(new[j]))
        case 3:
            new.reverse()
        case _:
            new[i] = copy.deepcopy(new[j])
    return new


def _other_object(value: dict[str, Any], draw: Random) -> dict[str, Any]:
    new = dict(value)
    if "num" in new and isinstance(new["num"], list) and "den" in new and draw.random() < 0.8:
        return _other_vector(new, draw)
    if draw.random() < 0.5 and new:
        del new[draw.choice(list(new))]
    else:
        new[draw.choice(["at", "output", "remap", "rows", "weights", "edges", "potentials", "mechanism", "gap", "x"])] = draw.choice(
            [0, "1", [], {}]
        )
    return new


def _other_vector(v: dict[str, Any], draw: Random) -> dict[str, Any]:
    """A vector in which something is moved from one entry to another, or which is written otherwise."""
    num = [int(x) if isinstance(x, str) and x.lstrip("-").isdigit() else 0 for x in v["num"]]
    if len(num) > 1 and draw.random() < 0.7:
        i, j = draw.sample(range(len(num)), 2)
        step = draw.choice([1, -1, num[i]])
        num[i], num[j] = num[i] - step, num[j] + step
        return {**v, "num": [str(x) for x in num]}
    if "at" in v:
        return {"den": v["den"], "num": v["num"]}
    kept = [i for i, x in enumerate(num) if x]
    return {"den": v["den"], "at": kept, "num": [v["num"][i] for i in kept]}
