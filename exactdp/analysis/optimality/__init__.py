# SPDX-License-Identifier: MIT
"""What is the least loss of a private mechanism, and is this mechanism optimal?"""
