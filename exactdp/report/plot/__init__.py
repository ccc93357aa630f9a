# SPDX-License-Identifier: MIT
"""Pictures with matplotlib (the extra ``plot``): drawn from exact values, floats exist in the pixels only.

``.plot()`` of mechanisms, graphs, priors and verdicts comes here. A notebook shows a new :class:`Picture`
once, as the value of a cell, and a script shows it with ``.show()``. Where the host has imported pyplot it is
pyplot's current figure, too; pyplot is never imported for it.

A function of a picture draws it on ``ax``, the axes of a figure, and returns these; unless they are given it
makes a figure, and returns its :class:`Picture`.
"""

from __future__ import annotations

from exactdp.report.plot.figure import Picture, new_axes
from exactdp.report.plot.graph_plots import graph_picture, hasse_diagram, privacy_picture
from exactdp.report.plot.level_plots import count_by_level, delta_curve, level_line, value_by_level
from exactdp.report.plot.picture import picture_of
from exactdp.report.plot.simplex_plots import leakage_picture, posterior_picture, region_picture, utility_picture
from exactdp.report.plot.table_plots import bars, heat_map, privacy_table

__all__ = [
    "Picture",
    "bars",
    "count_by_level",
    "delta_curve",
    "graph_picture",
    "hasse_diagram",
    "heat_map",
    "leakage_picture",
    "level_line",
    "new_axes",
    "picture_of",
    "posterior_picture",
    "privacy_picture",
    "privacy_table",
    "region_picture",
    "utility_picture",
    "value_by_level",
]
