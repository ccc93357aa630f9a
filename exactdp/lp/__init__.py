# SPDX-License-Identifier: MIT
"""Linear programming: a float solver may propose a basis, exact arithmetic decides."""
