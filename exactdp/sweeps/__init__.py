# SPDX-License-Identifier: MIT
"""Many questions: plans of them, asked on a Dask cluster, their certificates and index in a folder."""
