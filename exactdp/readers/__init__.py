# SPDX-License-Identifier: MIT
"""Readers: files and objects of other libraries, as the model's exact objects.

The names are loaded when they are first asked for: most questions on the command line name no file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from exactdp.readers.cells import label_columns_hint, label_hint
    from exactdp.readers.formulas import has_letters, lifted, read_formula_table
    from exactdp.readers.graphs import read_edges, read_metric
    from exactdp.readers.objects import table_of
    from exactdp.readers.tables import most_bytes, prior_grid, read_at_most, read_grid, read_prior, read_table, require_file, require_rows

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "cells": ["label_columns_hint", "label_hint"],
        "formulas": ["has_letters", "lifted", "read_formula_table"],
        "graphs": ["read_edges", "read_metric"],
        "objects": ["table_of"],
        "tables": ["most_bytes", "prior_grid", "read_at_most", "read_grid", "read_prior", "read_table", "require_file", "require_rows"],
    },
)

__all__ = [
    "has_letters",
    "label_columns_hint",
    "label_hint",
    "lifted",
    "most_bytes",
    "prior_grid",
    "read_at_most",
    "read_edges",
    "read_formula_table",
    "read_grid",
    "read_metric",
    "read_prior",
    "read_table",
    "require_file",
    "require_rows",
    "table_of",
]
