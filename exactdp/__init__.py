# SPDX-License-Identifier: MIT
"""exactdp: exact verdicts about differentially private mechanisms, with certificates that a tiny kernel
re-checks.

>>> import exactdp as xdp
>>> G = xdp.geometric(3, alpha="1/4")
>>> consumer = xdp.MinimaxConsumer(xdp.Loss.absolute(G.inputs))
>>> verdict = xdp.is_optimal_after_remap(G, xdp.neighbours("path:4"), xdp.PrivacyLevel("1/4"), consumer)
>>> verdict.proved, verdict.evidence.value
(True, Rational('168/415'))
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from exactdp.public_names import homes_in

__version__ = "0.1.0"

_HOMES = homes_in(Path(__file__).with_name("__init__.pyi").read_text(encoding="utf-8"))
"""The module of each public name. It is loaded when the name is first asked for, so that the command line
starts at once.
"""

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'exactdp' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)


if "IPython" in sys.modules:
    from exactdp.report.html import register_if_running

    register_if_running()
