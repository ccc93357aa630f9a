# SPDX-License-Identifier: MIT
"""Arguments in steps, which are replayed, and closed forms for every n: a convenience, not trusted.

``argument.py`` carries out the steps that a file writes down, with the standard library alone; what a file
means is said in ``docs/reference/arguments.md``. ``generalisation`` guesses closed forms and writes such
files. Whatever holds on their ground is *replayed*; *proved* is said by the checker of certificates and by
Coq. No other folder imports this one.
"""
