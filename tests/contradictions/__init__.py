# SPDX-License-Identifier: MIT
"""The search for contradictions: no two claims that exclude each other are both accepted, and no accepted
claim is false.

Each round draws a random definition (neighbours, a level, mechanisms, a consumer, …), asks the emitters about
it and about a slightly different one, and attacks the checker with certificates put together from the parts.
Whatever the checker accepts is read by `scene`, becomes facts that exclude each other or do not (`facts`),
and is compared with a computation that shares no code with the checker (`oracle`). Two claims must not have
one sentence either.

``python tests/contradictions --definitions 100000 --seed 1`` from the root of the project is the long run.
"""
