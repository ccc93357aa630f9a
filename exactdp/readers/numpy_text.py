# SPDX-License-Identifier: MIT
"""Arrays as numpy prints them: ``[[0.5 0.5]`` …, and ``array([[0.5, 0.5], …])``.

Decimals are read as they are printed, and a note says so: numpy prints eight digits unless told otherwise.
"""

from __future__ import annotations

import re

from exactdp.errors import InputError, ShapeError
from exactdp.readers.cells import plain_number
from exactdp.readers.grids import Cell, Grid, require_text
from exactdp.runtime.budget import require_budget

_CALL = re.compile(r"(?:(?:np|numpy|torch|jnp)\.)?(?:array|matrix|tensor|Array|Matrix)\(\s*(?=\[)")
_END = re.compile(
    r"(?:\s*,\s*(?:dtype\s*=\s*[\w<>.'\"|]+|shape\s*=\s*\([0-9, ]*\)|device\s*=\s*'[\w:]+'|requires_grad\s*=\s*True|grad_fn\s*=\s*<\w+>))*"
    r"\s*\)\s*"
)
_SESSION = re.compile(r"\A(?:\s*(?:>>>|In \[[0-9]*\]:)[^\n]*\n)?\s*(?:Out\[[0-9]*\]:\s*)?(?:[^\W\d]\w*\s*=\s*)?(?=(?:[\w.]+\(\s*)?\[)")
"""What stands before an array of a session, or of a program: its prompts, and the name that it is given."""
_PROMPT = re.compile(r"(?:\s*(?:>>>|In \[[0-9]*\]:)[ \t]*)*\Z")


def _bare(text: str) -> str:
    """An array without what stands around it in a session."""
    return _PROMPT.sub("", _SESSION.sub("", text, count=1)).strip()


_ROW = re.compile(r"\[([^\[\]]*)\]")
_CELL = re.compile(
    r"""'([^'\\\n]*)'|"([^"\\\n]*)"|Fraction\(\s*(-?[0-9]+)\s*,\s*([0-9]+)\s*\)|np\.\w+\(\s*([^\s(),]+)\s*\)|([^\s,'"()]+)""",
)
_BETWEEN = re.compile(r"\s*,\s*|\s+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_DOTS = re.compile(r"\.\.\.")


def is_numpy(text: str) -> bool:
    r"""Whether a text is an array as numpy prints it, and no JSON: without commas, or inside ``array(…)``.

    >>> [is_numpy(text) for text in ("[[1 0]\n [0 1]]", "array([[1, 0]])", "[[1, 0]]", "[[1.]]")]
    [True, True, False, True]
    """
    bare = _QUOTED.sub('""', text.strip())  # what JSON has in quotes may look like anything
    bare = _bare(bare) if bare[:1] in (">", "I", "O") or re.match(r"[^\W\d]\w*\s*=", bare) else bare
    if _CALL.match(bare):
        return True
    if re.match(r"\[\s*\[", bare) is None:
        return False
    marks = re.search(r"\]\s*\[|\[\s*\.\.\.|np\.\w+\(|Fraction\(|'", bare)
    return marks is not None or re.search(r"[0-9.]\s+[-+.0-9]|[0-9]\.(?![0-9])|(?<![0-9])\.[0-9]|\.\.\.", bare) is not None


def numpy_grid(text: str) -> Grid:
    r"""The entries of an array that numpy printed.

    * raises InputError: it is abbreviated with ``...``, has not two dimensions, or an entry that is no
      number.
    * raises ShapeError: rows of different lengths.

    >>> numpy_grid("array([[0.5 , 0.5 ],\n       [0.25, 0.75]])").rows
    [['0.5', '0.5'], ['0.25', '0.75']]
    >>> numpy_grid("[[0.1 ... 0.2]\n ...\n [0.1 ... 0.2]]")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: numpy abbreviated the array with '...'; print all of it, after ...
    """
    require_text(text)
    require_budget("the array", numbers=len(text.split()) + text.count(","))
    if _DOTS.search(text):
        raise InputError(
            "numpy abbreviated the array with '...'; print all of it, after numpy.set_printoptions(threshold=sys.maxsize), or write it "
            "with numpy.savetxt",
            value="...",
        )
    bare = _bare(text)
    call = _CALL.match(bare)
    body, start = bare, 0
    if call is not None:
        last = bare.rfind("]") + 1
        if last == 0 or _END.fullmatch(bare, last) is None:
            raise InputError("the array does not end with ')'; give all that numpy printed", position=len(bare))
        body, start = bare[call.end() : last], call.end()
    if not (body.startswith("[") and body.endswith("]")):
        raise InputError("the array does not end with ']'; give all that numpy printed", position=len(bare))
    inside = body[1:-1]
    rows: list[list[Cell]] = []
    position = 0
    for found in _ROW.finditer(inside):
        if inside[position : found.start()].strip(" \t\r\n,"):
            raise InputError("an array of other than two dimensions; a table is rows of numbers", position=start + position)
        rows.append(list(map(plain_number, _cells(found[1], len(rows)))))
        position = found.end()
    if inside[position:].strip(" \t\r\n,") or not rows:
        raise InputError("an array of other than two dimensions; a table is rows of numbers", position=start + position)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ShapeError(
                f"row {i} has {len(row)} entries, the first row has {len(rows[0])}; all need as many",
                expected=len(rows[0]),
                got=len(row),
            )
    if not rows[0]:
        raise ShapeError("a table needs at least one row and one column", expected=">= 1", got=0)
    printer, shown = ("PyTorch", 4) if "tensor(" in text else ("numpy", 8)
    exact = f"each number as the exact decimal that is printed ({printer} prints {shown} digits unless told)"
    note = f"read as an array that {printer} printed, {exact}"
    return Grid(rows, [None] * len(rows), None, None, "json", notes=(note,))


def _cells(text: str, row: int) -> list[str]:
    """The entries of one row."""
    text = text.strip()
    cells, position = [], 0
    while position < len(text):
        found = _CELL.match(text, position)
        if found is None:
            raise InputError(f"row {row}, character {position + 1}: no number of an array; give what numpy printed", position=position)
        single, double, top, bottom, scalar, plain = found.groups()
        cells.append(f"{top}/{bottom}" if top else next(x for x in (single, double, scalar, plain) if x is not None))
        following = _BETWEEN.match(text, found.end())
        if following is None and found.end() < len(text):
            raise InputError(f"row {row}, character {found.end() + 1}: a blank or a comma is missing", position=found.end())
        position = len(text) if following is None else following.end()
    return cells
