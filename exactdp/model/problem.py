# SPDX-License-Identifier: MIT
"""The problem of the optimal mechanism, in one object that searches hand on.

Which mechanism that is private at a level between neighbours has the least loss for a consumer [gs2010, 2.5]?
"""

from __future__ import annotations

from typing import NamedTuple

from exactdp.model.consumer import Consumer
from exactdp.model.graph import Neighbours
from exactdp.model.level import PrivacyLevel


class Problem(NamedTuple):
    """The least loss for a consumer of a mechanism that is private at a level between neighbours."""

    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
