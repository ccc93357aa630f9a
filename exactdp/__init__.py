# SPDX-License-Identifier: MIT
"""Exact verdicts about differentially private mechanisms, with certificates that a small checker re-checks.

>>> import exactdp as xdp
>>> G = xdp.geometric(3, alpha="1/4")
>>> verdict = xdp.is_optimal_after_remap(G, "path", "1/4", xdp.MinimaxConsumer("abs"))
>>> verdict.proved, verdict.evidence.value
(True, Rational('168/415'))
"""

import os
import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:  # python -m …, which looks for its modules here first
    _asked_for = sys.orig_argv[-len(sys.argv)].partition(".")[0].rpartition("m")[2]  # exactdp, or -mexactdp
    _here = sys.path[0]
    if _asked_for == __name__:  # before any other import: a json.py here is no part of the program
        sys.path.remove(_here)
        if os.path.dirname(os.path.dirname(os.path.abspath(__file__))) == _here:
            sys.path.append(_here)  # where exactdp itself is; all else is found before
    del _asked_for, _here

from functools import cache
from threading import RLock
from typing import Any

from exactdp.display import Displayed

__version__ = "0.1.0"

_ROOMS = frozenset({"analysis", "readers"})
"""Packages that modules take from here, as in ``from exactdp import analysis``; they are no public names."""

_LOADING = RLock()
if hasattr(os, "register_at_fork"):  # no process begins with half a module
    os.register_at_fork(before=_LOADING.acquire, after_in_parent=_LOADING.release, after_in_child=_LOADING.release)


@cache
def _topics() -> frozenset[str]:
    """The modules beside this one that ``dir`` shows: ``exactdp.leakage``, ``exactdp.types``, …."""
    from exactdp.stubs import topics_of

    return frozenset(topics_of(__file__))


@cache
def _public() -> tuple[Any, Any, list[str]]:
    """What the stub says: the function that loads a name, that of ``dir``, and the names that ``dir`` shows.

    Made when a name is first asked for: most commands ask for none.
    """
    from exactdp.stubs import attached

    return attached(__name__, __file__, __name__)


def __getattr__(name: str) -> Any:
    """Load a name, one thread at a time.

    Python has a lock for each module. They can end in a deadlock where one thread imports a package, which
    imports its modules, and another one of these modules, which waits for the package. A topic imports no
    module, and is loaded without this lock: modules take the package of mechanisms from here.
    """
    if name in _ROOMS:  # Python asks for it here, and imports it when it hears that there is none
        raise AttributeError(name)
    if name in _topics():
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    with _LOADING:
        load, _, shown = _public()
        return list(shown) if name == "__all__" else load(name)


def __dir__() -> list[str]:
    with _LOADING:
        return list(_public()[2])


Displayed._report = "exactdp.report"  # the root alone knows all floors: who shows what the lower ones hold
