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
# # Randomised response with p and q
#
# **Goal.** Choose the two coins of a survey: know for which p and q it has the ε that is promised.
#
# A person answers yes or no. With probability *p* a "no" is turned into "yes", with probability *q* a "yes"
# into "no". Both are letters here: every answer is about all p and q between 0 and 1/2.
#
# At the end you know
#
# * for which p and q this has ε = ln 2, as inequalities, and so for every other ε;
# * its tightest level, one formula for each part of the square;
# * when one such mechanism can be computed from the answers of another one;
# * how a claim that is wrong somewhere is refuted, and how both kinds of answer become certificates that a
#   small checker verifies.

# %%
import matplotlib.pyplot as plt

import exactdp as xdp

square = "0 < p < 1/2, 0 < q < 1/2"
M = xdp.matrix([["1-p", "p"], ["q", "1-q"]], letters=square)
M

# %% [markdown]
# Every row sums to 1, whatever p and q are:

# %%
print(xdp.is_stochastic(M))

# %% [markdown]
# ## For which coins is ε = ln 2?
#
# Then no answer may be more than twice as likely for one person than for another. The claim for the whole
# square is refuted, with one point of it. The point is small, so that it can be checked by hand. At p = 1/4
# and q = 1/3 the first column has 3/4 and 1/3, and 1/3 is less than half of 3/4.

# %%
xdp.is_private(M, "path", "ε = ln 2")

# %% [markdown]
# Where exactly is it private? Two inequalities remain. Each is needed: beside it stands a point where it
# alone fails.

# %%
found = xdp.conditions(xdp.is_private, M, "path", "ε = ln 2")
found

# %% [markdown]
# The same for sympy, which can go on with it:

# %%
found.as_sympy()

# %% [markdown]
# The picture shows the part where both hold. Only here are numbers rounded, to be drawn.

# %%
grid = [xdp.Rational(k, 100) for k in range(1, 50)]
figure, ax = plt.subplots(figsize=(4.2, 4), layout="constrained")
points = [(p, q) for p in grid for q in grid if found.holds({"p": p, "q": q})]
x, y = zip(*points)
ax.scatter(x, y, s=9, marker="s", label="private with ε = ln 2")
ax.plot([0, 0.5], [0.5, 0.25], color="0.3", linewidth=1)
ax.plot([0.25, 0.5], [0.5, 0], color="0.3", linewidth=1)
ax.set(xlabel="p", ylabel="q", xlim=(0, 0.5), ylim=(0, 0.5))
ax.set_title("p + 2q ≥ 1 and 2p + q ≥ 1")
ax.legend(loc="lower left")
plt.show()

# %% [markdown]
# ## The level as a letter
#
# The level may be a letter, too: a stands for e^(−ε). Then the conditions say which levels are allowed at
# which p and q.

# %%
any_level = xdp.matrix([["1-p", "p"], ["q", "1-q"]], letters=f"{square}, 0 < a < 1")
level = xdp.PrivacyLevel("a", letters="0 < a < 1")
xdp.conditions(xdp.is_private, any_level, "path", level)

# %% [markdown]
# The tightest level is the largest of them. It is one formula where p ≥ q and another where q ≥ p.

# %%
xdp.tightest_level(M, "path")

# %% [markdown]
# The usual randomised response has p = q. Then ε is ln((1 − p)/p), that is, the level is p/(1 − p).

# %%
fair = xdp.matrix([["1-p", "p"], ["p", "1-p"]], letters="0 < p < 1/2")
print(xdp.is_private(fair, "path", "p/(1-p)"))

# %% [markdown]
# ## The determinant
#
# It says that M tells its inputs apart everywhere in the square: it is never 0 there.

# %%
print(xdp.determinant(M, formula="1 - p - q"))
print(M.det() > 0)

# %% [markdown]
# ## One from the other
#
# Can M be computed from the answers of the fair mechanism that flips with probability p? Its remap is
# unique, as the determinant 1 − 2p is not 0. So its entries say exactly when.

# %%
flip = xdp.matrix([["1-p", "p"], ["p", "1-p"]], letters=square)
print(xdp.conditions(xdp.is_derivable, M, source=flip).words())

# %% [markdown]
# ## Certificates that prove it
#
# On the part where the conditions hold the mechanism is private; where one of them fails it is not. Each of
# these is a certificate. The checker multiplies its polynomials out, and trusts nothing that was computed
# here.

# %%
for part in found.verdicts():
    print(part.decision.value, "|", xdp.verify(xdp.certify(part)).status)

# %% [markdown]
# ## Exercises
#
# 1. For which p and q is ε = ln 3? Ask for the conditions at `"ε = ln 3"`.
# 2. A "no" is never changed: p = 0. Which ε has this survey, and why? Take `[["1", "0"], ["q", "1-q"]]`.
# 3. With three answers and the same p for each wrong one, `[["1-2*p", "p", "p"], …]` on `"complete:3"`: which
#    p give ε = ln 2?
