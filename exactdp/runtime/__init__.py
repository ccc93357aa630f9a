# SPDX-License-Identifier: MIT
"""What every room stands on: progress and time limits, the budget of sizes, files, the process."""
