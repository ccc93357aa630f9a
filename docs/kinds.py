# SPDX-License-Identifier: MIT
"""Make the schema and the tables of SPEC.md from ``exactdp/certificate/kinds.toml``, which has all kinds.

``python docs/kinds.py`` writes both files. A test asks that they are as this would write them. The types of
keys (``$defs`` of schema.json), and all other text of SPEC.md, stay as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from exactdp.certificate.kinds import Group, Kind, groups, kinds

FOLDER = Path(__file__).resolve().parent.parent / "exactdp" / "certificate"
SCHEMA, SPEC = FOLDER / "schema.json", FOLDER / "SPEC.md"

WIDTH = 140
"""Characters of a line of the schema; but what a kind has stands on one line."""

FEW = 3
"""Up to so many kinds of one section are listed in the first table of SPEC.md."""


# ---- schema.json ----


def schema_text(old: str) -> str:
    """The schema with the kinds of the table; the rest as it is in the old text."""
    schema = json.loads(old)
    every = kinds().values()
    schema["properties"]["claim"]["properties"]["kind"]["enum"] = [kind.name for kind in every]
    first = [kind.name for kind in every if kind.group.version == "0.1"]
    schema["then"]["properties"]["claim"]["properties"]["kind"]["enum"] = first
    schema["oneOf"] = []
    rest, place = _fitted(schema, 0, 0), '"oneOf": []'
    branches = ",\n".join(f"    {json.dumps(_branch(kind), ensure_ascii=False)}" for kind in every)
    start, end = rest.split(f"\n  {place}")  # the list at the top: others have more spaces before them
    return f'{start}\n  "oneOf": [\n{branches}\n  ]{end}\n'


def _branch(kind: Kind) -> dict[str, Any]:
    """What a certificate of one kind has."""
    claim = _object({"kind": {"const": kind.name}}, ["kind"], kind.claim)
    if not kind.definitions:
        none = {"maxProperties": 0}
        return {"title": kind.name, "properties": {"claim": claim, "definitions": none, "witness": none}}
    witness = _object({"signs": _of_type("signs")}, [], kind.witness)
    return {"title": kind.name, "properties": {"claim": claim, "witness": witness}}


def _object(properties: dict[str, Any], required: list[str], keys: Mapping[str, str]) -> dict[str, Any]:
    """An object with these keys, and those of the table."""
    more = {key.removesuffix("?"): _of_type(name) for key, name in keys.items()}
    needed = [*required, *(key for key in keys if not key.endswith("?"))]
    return {"type": "object", "properties": {**properties, **more}, "required": needed, "additionalProperties": False}


def _of_type(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _fitted(value: Any, indent: int, before: int) -> str:
    """JSON with as much on a line as fits; ``before`` characters stand before the value on its first line."""
    flat = json.dumps(value, ensure_ascii=False)
    if before + len(flat) <= WIDTH or not isinstance(value, (dict, list)):
        return flat
    inner = indent + 2
    if isinstance(value, dict):
        keys = [f"{json.dumps(key)}: " for key in value]
        parts = [key + _fitted(item, inner, inner + len(key)) for key, item in zip(keys, value.values(), strict=True)]
    else:
        parts = [_fitted(item, inner, inner) for item in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([start, ",\n".join(" " * inner + part for part in parts), " " * indent + end])


# ---- SPEC.md ----


def spec_text(old: str) -> str:
    """SPEC.md with the tables of section 4 made anew."""
    start, end = old.index("\n## 4. "), old.index("\n## 5. ")
    parts = re.split(r"(?m)^(?=##)", old[start:end])
    return old[:start] + "".join(map(_section, parts)) + old[end:]


def _section(text: str) -> str:
    """A section whose table of kinds is made anew, and before it the table of topics, if it has these."""
    number = re.match(r"#+ ([\d.]*\d)", text)
    if number is None:
        return text
    here = [kind for kind in kinds().values() if kind.group.table == number[1]]
    text = _table(text, "kind", (_row_of_kind(kind) for kind in here))
    return _table(text, "claims about", (_row_of_group(group) for group in groups().values()))


def _table(text: str, first: str, rows: Iterable[str]) -> str:
    """The text with other rows in the table whose first column has this name."""
    table = re.search(rf"(?m)^\| {first} \|.*\n\|[-|]+\|\n((?:\|.*\n)*)", text)
    return text if table is None else text[: table.start(1)] + "".join(rows) + text[table.end(1) :]


def _row_of_kind(kind: Kind) -> str:
    claim = kind.claim_in_words or _names(kind.claim)
    return _row(f"`{kind.name}`", claim, kind.statement, kind.witness_in_words or _names(kind.witness))


def _row_of_group(group: Group) -> str:
    named = [f"`{kind.name}`" for kind in kinds().values() if kind.group == group]
    listed = group.table == "4" or len(named) <= FEW
    return _row(group.about, ", ".join(named) if listed else f"the kinds of {group.table}", group.rules, group.theorems)


def _names(keys: Mapping[str, str]) -> str:
    """Keys in words, the optional ones last."""
    needed = [f"`{key}`" for key in keys if not key.endswith("?")]
    optional = [f"optionally `{key.removesuffix('?')}`" for key in keys if key.endswith("?")]
    return ", ".join([*needed, *optional]) or "none"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


if __name__ == "__main__":
    for file, made in ((SCHEMA, schema_text), (SPEC, spec_text)):
        file.write_text(made(file.read_text(encoding="utf-8")), encoding="utf-8")
