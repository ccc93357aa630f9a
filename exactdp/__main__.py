# SPDX-License-Identifier: MIT
"""``python -m exactdp`` is the command line."""

from exactdp.cli import main

if __name__ == "__main__":
    main(prog_name="exactdp")
