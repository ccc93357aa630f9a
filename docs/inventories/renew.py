# SPDX-License-Identifier: MIT
"""Where other projects document what our docstrings name.

``python docs/inventories/renew.py python=objects.inv`` takes the pages of Python from the inventory of its
documentation. Beside this file is a list for each project. It is an inventory in Sphinx's first format: a
name, what it is, and the page, as plain text. So the site links to them and is built without a network.
Each list has only names that our docstrings use. To add one, write its line with ``?`` for the page, and
renew.

The pages of Python 3.11, SymPy 1.11 and pandas 1.5 are taken so from the ``objects.inv`` of Debian's
packages ``python3.11-doc``, ``python-sympy-doc`` and ``python-pandas-doc``. No package has those of
NetworkX and NumPy: their two lines were written from the addresses of the pages.
"""

from __future__ import annotations

import re
import sys
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEAD = "# Sphinx inventory version 1\n"


def pages(content: bytes) -> tuple[str, dict[str, tuple[str, str]]]:
    r"""The project's version, and for each Python name of its inventory what it is and its page.

    >>> lines = b"a.B py:class 1 a.html#$ -\na the\tword std:term 1 words.html#term -\n"
    >>> head = b"# Sphinx inventory version 2\n# Project: A\n# Version: 7\n# compressed using zlib.\n"
    >>> pages(head + zlib.compress(lines))
    ('7', {'a.B': ('class', 'a.html')})
    """
    first, _, version, _, packed = content.split(b"\n", 4)
    if first != b"# Sphinx inventory version 2":
        raise ValueError("not an inventory of Sphinx's second format")
    found = re.findall(r"^(\S+) py:(\w+) -?\d+ (\S+) ", zlib.decompress(packed).decode("utf-8"), re.MULTILINE)
    # the first format has no other anchors than names
    kept = {name: (kind, place.split("#")[0]) for name, kind, place in found if place.endswith("#$") or place.endswith(f"#{name}")}
    return version.decode("utf-8").removeprefix("# Version: "), kept


def renewed(text: str, content: bytes) -> str:
    r"""A list with the pages that the project's inventory says.

    >>> lines = zlib.compress(b"a.B py:class 1 a.html#$ -\n")
    >>> new = b"# Sphinx inventory version 2\n# Project: A\n# Version: 7\n# using zlib.\n" + lines
    >>> print(renewed(HEAD + "# Project: A\n# Version: 6\na.B class ?\n", new), end="")
    # Sphinx inventory version 1
    # Project: A
    # Version: 7
    a.B class a.html
    """
    version, known = pages(content)
    _, project, _, *lines = text.splitlines()
    names = sorted(line.split()[0] for line in lines)
    if missing := [name for name in names if name not in known]:
        raise ValueError(f"the inventory does not have {', '.join(missing)}")
    return "\n".join([HEAD + project, f"# Version: {version}", *(f"{name} {' '.join(known[name])}" for name in names)]) + "\n"


if __name__ == "__main__":
    for word in sys.argv[1:]:
        name, _, source = word.partition("=")
        place = HERE / f"{name}.inv"
        place.write_text(renewed(place.read_text(encoding="utf-8"), Path(source).read_bytes()), encoding="utf-8")
