# SPDX-License-Identifier: MIT
"""Printed tables: what holds of all, some or no mechanisms that print so."""
