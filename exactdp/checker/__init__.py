# SPDX-License-Identifier: MIT
"""The independent checker: kernel.py decides about certificates, argument.py about replayed arguments."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactdp.checker.kernel import Answer, canonical_bytes, check_bytes, digest_of

__all__ = ["Answer", "canonical_bytes", "check_bytes", "digest_of"]


def __getattr__(name: str) -> Any:
    """A name of the kernel. This package imports none of its files by itself: a thread that imports one of
    them at the same time would wait for the package, and the package for that thread.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from exactdp.checker import kernel

    return getattr(kernel, name)
