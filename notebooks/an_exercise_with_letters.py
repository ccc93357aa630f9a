# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # An exercise with letters: determine c
#
# The fourth lecture of *Foundations of Privacy* defines the flat mechanism for local differential privacy:
#
# $$p(y \mid x) = \begin{cases} c\,e^{\varepsilon} & x = y \\ c & \text{otherwise,} \end{cases}$$
#
# "where c is a normalization constant. Exercise: determine c". It also says that the protocol of the coin is
# log 3-private. Here c is a letter and so is a = e^(−ε). At the end you know c for every number k of
# values, the level of the mechanism, what a consumer with a prior (w, 1 − w) should guess, and what of this
# is proved for every k.

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import exactdp as xdp

letters = xdp.Region("0 < a < 1, c > 0")


def flat(k, constant):
    """The table with c·e^ε on the diagonal and c beside it, with this text for c."""
    return xdp.matrix([[f"({constant})/a" if x == y else constant for y in range(k)] for x in range(k)], letters=letters)


# %% [markdown]
# ## For which c is it a mechanism?
#
# Rows must sum to 1, and that is an equation in a and c.

# %%
for k in (2, 3, 4):
    print(k, xdp.conditions(xdp.is_stochastic, flat(k, "c")))

# %% [markdown]
# Solved for c: the equation for k values is c + (k − 1)ac = a, so c = a/(1 + (k − 1)a). Put in, this is a
# mechanism for every a.

# %%
solved = {k: flat(k, f"a/(1+{k - 1}*a)") for k in (2, 3, 4)}
for k, table in solved.items():
    print(k, xdp.is_stochastic(table))

# %% [markdown]
# A slip is found at once: with k in place of k − 1 no a will do.

# %%
print(xdp.is_stochastic(flat(3, "a/(1+3*a)")))

# %% [markdown]
# ## How private is it?
#
# All pairs of values are neighbours here: that is the *local* in local differential privacy. The level is
# a, so the mechanism is ε-private, for every ε > 0 at once.

# %%
for k, table in solved.items():
    print(xdp.tightest_level(table, f"complete:{k}"))

# %% [markdown]
# The protocol of the coin: an honest coin says whether one answers truly or by a second coin. It is log
# 3-private.

# %%
print(xdp.tightest_level([["3/4", "1/4"], ["1/4", "3/4"]], "complete:2"))

# %% [markdown]
# ## What should one guess?
#
# Two values, with the prior (w, 1 − w): no (α = a)-private mechanism, and no way to use one, errs less often
# than this. Each part of the square has its formula. In the middle one believes the answer; beside it the
# prior is so clear that the answer does not matter.

# %%
square = xdp.Region("0 < a < 1, 0 < w < 1")
consumer = xdp.BayesianConsumer(xdp.Loss([[0, 1], [1, 0]], letters=square), ["w", "1-w"])
parts = xdp.optimum("complete:2", xdp.PrivacyLevel("a", letters=square), consumer).evidence.parts
for part in parts:
    print(part.evidence.value, "for", part.scope)

# %%
figure, ax = plt.subplots(figsize=(4.6, 3.4), layout="constrained")
levels = [k / 100 for k in range(101)]
ax.plot(levels, [a / (1 + a) for a in levels], color="0.2", linewidth=1)
ax.plot(levels, [1 / (1 + a) for a in levels], color="0.2", linewidth=1)
ax.text(0.25, 0.48, "believe the answer:\na/(1 + a)", ha="center")
ax.text(0.7, 0.16, "always guess 1: w", ha="center")
ax.text(0.7, 0.82, "always guess 0: 1 − w", ha="center")
ax.set(xlabel="a = e^(−ε)", ylabel="w", xlim=(0, 1), ylim=(0, 1), title="the least probability of an error")
plt.show()

# %% [markdown]
# ## For every k?
#
# What was seen for three k is no proof for all. From the least c for k = 2, …, 8 the closed form is
# guessed, and the answer says that nothing is proved beyond. The capacity of all such mechanisms together,
# the most that they can tell, has an argument, which is replayed for every n: it is k·c·e^ε, what
# the flat mechanism tells.

# %%
a = xdp.RationalFunctionField().gen
print(xdp.generalise(lambda k: a / (1 + (k - 1) * a)))
print(xdp.generalise("capacity discrete"))

# %% [markdown]
# ## Files that prove it

# %%
with tempfile.TemporaryDirectory() as folder:
    for k, verdict in enumerate([xdp.is_private(solved[3], "complete:3", "a"), *parts]):
        path = xdp.certify(verdict).write(Path(folder) / f"{k}.edp.json")
        print(xdp.verify(path).sentence[:200], "…")
