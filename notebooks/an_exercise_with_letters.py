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
# **Goal.** Find the constant of a mechanism by computing with letters, and be sure of it.
#
# A lecture of *Foundations of Privacy* defines the flat mechanism for local differential privacy:
#
# $$p(y \mid x) = \begin{cases} c\,e^{\varepsilon} & x = y \\ c & \text{otherwise,} \end{cases}$$
#
# "where c is a normalization constant. Exercise: determine c". The answer for k values is
# $c = 1/(e^{\varepsilon} + k - 1)$. Here c is a letter, and so is $a = e^{-\varepsilon}$.
#
# At the end you know why this c is right for every ε, how private the mechanism is, what somebody with a
# prior should guess, and what of this is proved for every k.

# %%
import exactdp as xdp

letters = xdp.Region("0 < a < 1, c > 0")

# %% [markdown]
# ## 1. For which c is it a mechanism?
#
# Take three values. Rows must sum to 1, and that is an equation in a and c.

# %%
rows = [["c/a", "c", "c"], ["c", "c/a", "c"], ["c", "c", "c/a"]]
flat = xdp.matrix(rows, letters=letters)
print(xdp.conditions(xdp.is_stochastic, flat).words())

# %% [markdown]
# By hand: c = a/(1 + 2a). Put in, this is a mechanism for every ε.

# %%
true, other = "1/(1+2*a)", "a/(1+2*a)"
rows = [[true, other, other], [other, true, other], [other, other, true]]
solved = xdp.matrix(rows, letters=letters)
xdp.is_stochastic(solved)

# %% [markdown]
# Somebody who takes k = 3 in place of k − 1 = 2 is told at once:

# %%
true, other = "1/(1+3*a)", "a/(1+3*a)"
rows = [[true, other, other], [other, true, other], [other, other, true]]
xdp.is_stochastic(xdp.matrix(rows, letters=letters))

# %% [markdown]
# ## 2. How private is it?
#
# All pairs of values are neighbours here: that is the *local* in local differential privacy. The level is a,
# so the mechanism has exactly the ε in its definition, for every ε > 0 at once.

# %%
xdp.tightest_level(solved, "complete:3")

# %% [markdown]
# The lecture's second example is a protocol with two coins. One says whether to answer truly, the other one
# is the answer if not. The lecture says that it is (log 3)-private. It is, and no smaller ε is true.

# %%
xdp.is_private(xdp.two_coin(), "complete", "ε = ln 3")

# %% [markdown]
# ## 3. What should one guess?
#
# Two values have the prior (w, 1 − w). No ε-private mechanism, and no way to use one, errs less often than
# this. Either one believes the answer, or the prior is so clear that the answer does not matter.

# %%
square = xdp.Region("0 < a < 1, 0 < w < 1")
consumer = xdp.BayesianConsumer("zero-one", xdp.Prior(["w", "1-w"], letters=square))
best = xdp.optimum("complete:2", xdp.PrivacyLevel("a", letters=square), consumer)
for part in best.evidence.parts:
    print(part.evidence.value, "for", part.scope)

# %%
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(4.6, 3.4), layout="constrained")
levels = [k / 100 for k in range(101)]
ax.plot(levels, [a / (1 + a) for a in levels], color="0.2", linewidth=1)
ax.plot(levels, [1 / (1 + a) for a in levels], color="0.2", linewidth=1)
ax.text(0.25, 0.48, "believe the answer:\na/(1 + a)", ha="center")
ax.text(0.7, 0.16, "always guess 1: w", ha="center")
ax.text(0.7, 0.82, "always guess 0: 1 − w", ha="center")
ax.set(xlabel="a = e^(−ε)", ylabel="w", xlim=(0, 1), ylim=(0, 1))
ax.set_title("the least probability of an error")
plt.show()

# %% [markdown]
# ## 4. For every k?
#
# What was seen for three values is no proof for all. From the least c for k = 2, …, 8 the closed form is
# guessed, and the answer says that nothing is proved beyond.

# %%
a = xdp.RationalFunctionField().gen
print(xdp.generalise(lambda k: a / (1 + (k - 1) * a)))

# %% [markdown]
# The *capacity* of the type, the most that any ε-private mechanism can tell, has an argument that is replayed
# for every n. It is k·c·e^ε, what the flat mechanism tells.

# %%
print(xdp.generalise("capacity discrete"))

# %% [markdown]
# ## 5. Keep the answer
#
# One file proves the level for every ε. A small checker, which shares no code with the search, goes through
# it.

# %%
certificate = xdp.certify(xdp.is_private(solved, "complete:3", "a"))
print(xdp.verify(certificate).status)

# %% [markdown]
# ## Exercises
#
# 1. Determine c for four values.
# 2. Which ε has the flat mechanism with c = 1/10 on three values? Solve the equation of step 1 for a.
# 3. For which w is the answer believed at ε = ln 2? Put a = 1/2 into the formulas of the picture.
