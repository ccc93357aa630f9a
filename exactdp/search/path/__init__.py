# SPDX-License-Identifier: MIT
"""The optimum on a path: untrusted finders for losses with single crossings."""
