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
# # The best mechanism for every ε at once
#
# **Goal.** Know what a counting query loses, at the least, as a function of ε.
#
# A count of $n$ people is one of $0, \ldots, n$, and one person changes it by at most 1. Whoever reads the
# noisy count fears the largest expected error. How small can that be? It depends on ε, and for every ε the
# answer is a formula in $\alpha = e^{-\varepsilon}$.
#
# At the end you know these formulas for two losses, and where one gives way to the next. You have read a
# value at one ε, seen the curves, and hold a certificate for all ε.

# %%
import exactdp as xdp

near = xdp.neighbours("path:4")  # three people: 0 – 1 – 2 – 3
absolute = xdp.MinimaxConsumer("abs")

# %% [markdown]
# ## 1. One formula
#
# The loss is the distance $|i - r|$ between the true count and the one that was read. One formula holds for
# all ε. Below it are a mechanism that attains it and the prior that proves that none does better.

# %%
verdict = xdp.optimum_by_level(near, absolute)
verdict

# %% [markdown]
# ## 2. At one ε
#
# What does ε = ln 2 cost? Then α = 1/2, and the formula is a fraction.

# %%
print(verdict.evidence.value_at("1/2"))

# %% [markdown]
# With ε = 1/10 nothing is a fraction any more: $e^{-1/10}$ is transcendental. The value is still exact, and
# has as many decimals as one asks for.

# %%
tenth = xdp.PrivacyLevel(epsilon="1/10")
answer = xdp.optimum(near, tenth, absolute)
answer.display(decimals=6)

# %% [markdown]
# ## 3. Several formulas
#
# With the squared loss $(i - r)^2$ one formula is not enough. There are three, and the numbers where they
# meet are roots of polynomials.

# %%
squared = xdp.optimum_by_level(near, xdp.MinimaxConsumer("squared"))
squared.evidence

# %% [markdown]
# A larger picture has a dot where one formula ends and the next begins.

# %%
squared.plot()

# %% [markdown]
# ## 4. More people
#
# With more people the worst case is worse, but for a large ε it hardly matters how many there are.

# %%
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
for n in range(1, 6):
    found = xdp.optimum_by_level(f"path:{n + 1}", absolute)
    found.plot(ax=ax, label=f"n = {n}")
ax.set_title("")
ax.legend()
plt.show()

# %% [markdown]
# ## 5. Keep the answer
#
# One file proves all formulas, each for every ε of its part. A small checker, which shares no code with the
# search, goes through it.

# %%
certificate = xdp.certify(squared)
print(xdp.verify(certificate).status)

# %% [markdown]
# ## Exercises
#
# 1. Which formulas has the loss `xdp.Loss.zero_one`, which costs 1 if the count is wrong?
# 2. Somebody knows that at least one person said yes: `side_information=["1", "2", "3"]`. What is saved?
# 3. From which ε on is the loss below 1/10? `xdp.optimum_by_level` on `path:2` can be solved by hand.
