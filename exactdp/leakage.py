# SPDX-License-Identifier: MIT
"""How much an output tells about the input: vulnerabilities, leakages and capacities.

The topic is a function, too: ``exactdp.leakage(mechanism, prior)`` is :func:`exactdp.leakage.leakage`, as it
was before there were topics.

>>> from exactdp import geometric, leakage
>>> leakage.capacity(geometric(1, "1/2")).evidence.value
Rational('4/3')
>>> leakage(geometric(1, "1/2"), ["1/2", "1/2"]).evidence.factor
Rational('4/3')
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")


class LeakageTopic(ModuleType):
    """The class of this module: its call is that of its function of the same name."""

    def __call__(self, mechanism: Any, prior: Any) -> Any:
        """See :func:`exactdp.leakage.leakage`."""
        return self.leakage(mechanism, prior)


sys.modules[__name__].__class__ = LeakageTopic
