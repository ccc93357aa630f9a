# SPDX-License-Identifier: MIT
"""Fuzzing: whatever is given to a command, a function or the checker, it keeps its contract.

``python tests/fuzz --cases 20000 --seed 1`` draws command lines from the declarations of the commands
(`commands`), calls of the public names from their signatures (`calls`), and altered certificates (`checked`);
some commands run as processes of their own whose streams are full or closed (`processes`). The cases run in a
process that another one watches (`watch`): what hangs, dies or takes too much memory is a failure like a
traceback. A seed and a number determine a case: ``--case 1:17`` repeats it and makes it smaller.
"""
