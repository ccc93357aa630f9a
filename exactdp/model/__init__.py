# SPDX-License-Identifier: MIT
"""The field's nouns: mechanisms, graphs, levels, losses, consumers. Frozen, and checked at birth.

Rows are inputs, columns are outputs; labels are text.
"""

from __future__ import annotations

from exactdp.model.consumer import BayesianConsumer, Consumer, Dual, MinimaxConsumer, SideInformation
from exactdp.model.epsilon import Epsilon
from exactdp.model.graph import Graph, Neighbours
from exactdp.model.labels import Labels, as_labels, is_integer_label
from exactdp.model.level import LevelLike, PrivacyLevel, as_level, level_for
from exactdp.model.loss import Gain, GainLike, Loss, LossLike, loss_from_spec
from exactdp.model.mechanism import FactoredMechanism, Mechanism, Remap, Table
from exactdp.model.metric import Distance, Metric
from exactdp.model.named_losses import LOSSES, Kind
from exactdp.model.neighbours import FORMS, SIZED_BY_INPUTS, NeighboursLike, neighbours
from exactdp.model.printed import PrintedTable, printed_table
from exactdp.model.tightest_level import TightestLevel
from exactdp.model.vectors import Prior, PriorLike

__all__ = [
    "FORMS",
    "LOSSES",
    "SIZED_BY_INPUTS",
    "BayesianConsumer",
    "Consumer",
    "Distance",
    "Dual",
    "Epsilon",
    "FactoredMechanism",
    "Gain",
    "GainLike",
    "Graph",
    "Kind",
    "Labels",
    "LevelLike",
    "Loss",
    "LossLike",
    "Mechanism",
    "Metric",
    "MinimaxConsumer",
    "Neighbours",
    "NeighboursLike",
    "PrintedTable",
    "Prior",
    "PriorLike",
    "PrivacyLevel",
    "Remap",
    "SideInformation",
    "Table",
    "TightestLevel",
    "as_labels",
    "as_level",
    "is_integer_label",
    "level_for",
    "loss_from_spec",
    "neighbours",
    "printed_table",
]
