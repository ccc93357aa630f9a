# SPDX-License-Identifier: MIT
"""The field's nouns: mechanisms, graphs, levels, losses, consumers. Frozen, and checked at birth.

Rows are inputs, columns are outputs; labels are text.
"""

from exactdp.model.consumer import BayesianConsumer, Consumer, MinimaxConsumer, SideInformation
from exactdp.model.distance import ONE, Distance, DistanceLike
from exactdp.model.dual import Dual
from exactdp.model.factored import FactoredMechanism
from exactdp.model.faults import Faults, NegativeEntry, RowSum
from exactdp.model.gain import Gain
from exactdp.model.graph import AdjacencyGraph, Neighbours
from exactdp.model.graph_files import read_edges, read_metric
from exactdp.model.graph_specs import FORMS, neighbours
from exactdp.model.labels import Label, Labels, as_labels, integer_labels, is_integer_label
from exactdp.model.level import LevelLike, PrivacyLevel, as_level, level_for
from exactdp.model.loss import LOSSES, Kind, Loss, loss_from_spec
from exactdp.model.metric import Metric
from exactdp.model.prior import Prior
from exactdp.model.stochastic import MatrixLike, Mechanism, Remap, Table
from exactdp.model.tables import read_table, table_from_csv, table_from_json, table_from_npy, vector_from_csv
from exactdp.model.tightest import TightestLevel

__all__ = [
    "FORMS",
    "LOSSES",
    "ONE",
    "AdjacencyGraph",
    "BayesianConsumer",
    "Consumer",
    "Distance",
    "DistanceLike",
    "Dual",
    "FactoredMechanism",
    "Faults",
    "Gain",
    "Kind",
    "Label",
    "Labels",
    "LevelLike",
    "Loss",
    "MatrixLike",
    "Mechanism",
    "Metric",
    "MinimaxConsumer",
    "NegativeEntry",
    "Neighbours",
    "Prior",
    "PrivacyLevel",
    "Remap",
    "RowSum",
    "SideInformation",
    "Table",
    "TightestLevel",
    "as_labels",
    "as_level",
    "integer_labels",
    "is_integer_label",
    "level_for",
    "loss_from_spec",
    "neighbours",
    "read_edges",
    "read_metric",
    "read_table",
    "table_from_csv",
    "table_from_json",
    "table_from_npy",
    "vector_from_csv",
]
