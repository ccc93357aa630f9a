# SPDX-License-Identifier: MIT
"""Many questions: plans of them, asked on all cores or a Dask cluster, their certificates and their index."""
