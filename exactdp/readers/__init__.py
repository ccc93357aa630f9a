# SPDX-License-Identifier: MIT
"""Readers: files and objects of other libraries, as the model's exact objects."""
