# SPDX-License-Identifier: MIT
"""The public names of exactdp, as the stub ``__init__.pyi`` lists them: type checkers, editors and the
program read one table.
"""

from __future__ import annotations


def homes_in(stub: str) -> dict[str, str]:
    """For each line ``from MODULE import NAME as NAME`` of a stub: the name and its module, by name.

    >>> homes_in("from exactdp.exact import QQ as QQ")
    {'QQ': 'exactdp.exact'}
    """
    lines = (line.split() for line in stub.splitlines() if line.startswith("from "))
    return dict(sorted((name, module) for _, module, _, name, _, _ in lines))
