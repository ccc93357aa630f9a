# SPDX-License-Identifier: MIT
"""What published papers claim, what a computation finds, and the certificates that show it.

``record`` reads what is recorded of a paper, ``replay`` recomputes it, ``grounds`` says who decides it, and
``index`` writes the pages. The programs are ``claims.py``, ``cite.py`` and ``index.py``. A paper's folder has
the functions that recompute it. None of this is installed with exactdp.
"""
