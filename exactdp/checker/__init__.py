# SPDX-License-Identifier: MIT
"""The independent checker: kernel.py decides about certificates."""

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactdp.checker.kernel import Answer, canonical_bytes, check_bytes, digest_of

__all__ = ["Answer", "canonical_bytes", "check_bytes", "digest_of"]


def __getattr__(name: str) -> Any:
    """A name of the kernel. This package imports none of its files by itself: a thread that imports
    one of them at the same time would wait for the package, and the package for that thread.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from exactdp.checker import kernel

    return getattr(kernel, name)


_FORKING = ExitStack()


def _before_a_fork() -> None:
    """Let no process begin while another thread loads a file of the kernel, whose lock would stay
    taken.
    """
    loading = getattr(sys.modules.get(f"{__name__}.kernel"), "LOADING", None)
    if loading is not None:
        _FORKING.enter_context(loading)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_a_fork, after_in_parent=_FORKING.close, after_in_child=_FORKING.close
    )
