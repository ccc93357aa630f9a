# SPDX-License-Identifier: MIT
"""Altered certificates and arguments for the checker: it never raises, is never at fault, and accepts nothing
that was changed under its digest.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from exactdp.arguments import argument
from exactdp.checker import kernel

from .contents import HOSTILE, altered, arguments, certificates, mutated, sealed

STATUSES = {"accepted", "rejected", "malformed", "limit"}
OF_ARGUMENTS = {"replayed", "rejected", "malformed", "limit"}


def draw(rng: Random) -> tuple[str, bytes, bytes, Path | None]:
    """What was done, the original, what became of it, and the folder of an argument."""
    replayed = rng.random() < 0.3
    if replayed:
        path, data = rng.choice(arguments())
    else:
        path, data = Path(), rng.choice(certificates())
    folder = path.parent if replayed else None
    kind = rng.random()
    if kind < 0.04:
        return "hostile", data, rng.choice(HOSTILE), folder
    if kind < 0.2:
        return "bytes", data, mutated(rng, data), folder
    try:
        value = json.loads(data)
        for _ in range(rng.choice((1, 1, 2))):
            value = altered(rng, value)
        value = sealed(value) if rng.random() < 0.6 and isinstance(value, dict) and not replayed else value
        return "values", data, json.dumps(value).encode(), folder
    except (ValueError, RecursionError):
        return "bytes", data, mutated(rng, data), folder


def faults(rng: Random) -> list[str]:
    """What is wrong with the checker's answer."""
    _, before, data, folder = draw(rng)
    try:
        answer = kernel.check_bytes(data) if folder is None else argument.check_bytes(data, folder)
    except BaseException as error:
        return [f"the checker raised {type(error).__name__}: {str(error)[:200]}"]
    allowed = STATUSES if folder is None else OF_ARGUMENTS
    found = [] if answer.status in allowed else [f"{answer.status}: {answer.sentence}"]
    if answer.status == "accepted" and folder is None:
        found += _forged(before, data)
    return found


def _forged(before: bytes, data: bytes) -> list[str]:
    """An accepted file has the digest of its own content: one that was changed has another."""
    try:
        old = json.loads(before)
    except ValueError:
        old = {}
    new = json.loads(data)
    if sealed(new)["digest"] != new["digest"]:
        return ["accepted with the digest of something else"]
    changed = {key: new[key] for key in new if key not in ("provenance", "digest")} != {
        k: old[k] for k in old if k not in ("provenance", "digest")
    }
    return ["accepted with another content under the same digest"] if changed and old.get("digest") == new["digest"] else []


def shown(rng: Random) -> str:
    """The case in words."""
    kind, _, data, folder = draw(rng)
    return f"{'kernel' if folder is None else 'argument'}.check_bytes of {len(data)} bytes ({kind}):\n{data[:3000]!r}"
