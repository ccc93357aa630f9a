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
# # Two inputs by hand
#
# **Goal.** Check an optimum that was derived by hand, and find what the derivation forgot to assume.
#
# This is the half page, as somebody wrote it:
#
# > *Let the input be 0 or 1. A wrong guess costs 1 at the input 0, and c at the input 1. Let x be the
# > probability of a wrong guess at 0, and y that at 1. The losses are x and cy. The worse of them is least
# > where they are equal, x = cy. Privacy with* $a = e^{-\varepsilon}$ *asks for x ≥ a(1 − y), and this is
# > tight. So*
# >
# > $$y = \frac{a}{a+c}, \qquad x = \frac{ac}{a+c}.$$
# >
# > *The weights (c, a)/(a + c) prove it: with them both guesses cost the same at the input 1.*
#
# It is right for c ≤ 1, and wrong for every larger c. Both a and c are letters here, and every answer is
# about all of them in a region.
#
# At the end you know how to find such a point, what the optimum is elsewhere, what a slip looks like, and the
# same for somebody who has a prior.

# %%
import matplotlib.pyplot as plt

import exactdp as xdp

# %% [markdown]
# ## 1. The derivation as it stands
#
# It says nothing about c but that it is a cost. So c is positive, and a is between 0 and 1. The mechanism is
# pasted from the LaTeX source.

# %%
printed = r"""
\begin{pmatrix}
  1 - \frac{ac}{a+c} & \frac{ac}{a+c} \\
  \frac{a}{a+c}      & \frac{c}{a+c}
\end{pmatrix}"""
every_c = xdp.Region("0 < a < 1, c > 0")
level = xdp.PrivacyLevel("a", letters=every_c)
consumer = xdp.MinimaxConsumer(xdp.Loss([["0", "1"], ["c", "0"]], letters=every_c))
by_hand = xdp.matrix(printed, letters=every_c)
by_hand

# %% [markdown]
# Is its value the least loss? No: here is a point, small enough to be checked by hand.

# %%
refuted = xdp.is_optimum_value("path", level, consumer, "a*c/(a+c)")
refuted

# %% [markdown]
# Where is the mistake? The losses are equal, as the derivation has it. But privacy also asks for
# y ≥ a(1 − x), and that holds only for some c:

# %%
print(xdp.conditions(xdp.is_private, by_hand, "path", level).words())

# %% [markdown]
# ## 2. The derivation with its assumption
#
# So the sentence "let c be at most 1" is missing. With it everything is proved. The mechanism is private at
# every point, its loss is the value, and the weights prove that no private mechanism has less. Nothing was
# solved.

# %%
small_c = xdp.Region("0 < a < 1, 0 < c <= 1")
loss = xdp.Loss([["0", "1"], ["c", "0"]], letters=small_c)
small_level = xdp.PrivacyLevel("a", letters=small_c)
small_consumer = xdp.MinimaxConsumer(loss)
mechanism = xdp.matrix(printed, letters=small_c)
weights = xdp.Dual(weights=("c/(a+c)", "a/(a+c)"))
proved = xdp.verify_optimal(mechanism, "path", small_level, small_consumer, weights)
proved

# %% [markdown]
# ## 3. The other c
#
# The program finds the optimum itself, if asked. No one formula holds for all c. Two do, each on its part:

# %%
parts = xdp.optimum("path", level, consumer).evidence.parts
for part in parts:
    print(part.evidence.value, "for", part.scope)

# %% [markdown]
# By symmetry this had to be so. Swap the inputs, and c becomes 1/c. The picture shows the loss at three ε.
# Only here are numbers rounded, to be drawn. The dashed line is the formula of the derivation, where it is
# wrong. It lies below: no private mechanism is as good as that.

# %%
costs = [xdp.Rational(k, 20) for k in range(1, 61)]
first, second = (part.evidence.value for part in parts)
figure, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
for color, name, a in ("C0", "ln 4", "1/4"), ("C1", "ln 2", "1/2"), ("C2", "ln(4/3)", "3/4"):
    claimed = [float(first.value({"a": a, "c": c})) for c in costs]
    other = [float(second.value({"a": a, "c": c})) for c in costs]
    least = [max(pair) for pair in zip(claimed, other)]
    ax.plot(costs, claimed, "--", color=color)
    ax.plot(costs, least, color=color, label=f"ε = {name}")
ax.axvline(1, color="0.7", linewidth=1)
ax.set(xlabel="c, the cost of a wrong guess at the input 1", ylabel="least loss")
ax.set(xlim=(0, 3), ylim=(0, None))
ax.legend()
plt.show()

# %% [markdown]
# ## 4. A slip
#
# Somebody solves x = a(1 − y) and x = cy, and forgets a letter in the denominator:

# %%
xdp.is_optimum_value("path", small_level, small_consumer, "a*c/(1+c)")

# %% [markdown]
# Somebody else swaps the weights. This refutes nothing, as another dual may do better. The answer is how much
# less than the loss these weights prove, here where a is the smaller one:

# %%
part = xdp.Region("0 < a < 1, a <= c, c <= 1")
swapped = xdp.Dual(weights=("a/(a+c)", "c/(a+c)"))
mechanism = xdp.matrix(printed, letters=part)
xdp.verify_optimal(mechanism, "path", small_level, small_consumer, swapped)

# %% [markdown]
# ## 5. With a prior
#
# The input is 0 with probability w. Then there are three cases. On the two borders between them the mechanism
# is worth no more than the prior alone.

# %%
letters = xdp.Region("0 < a < 1, 0 < w < 1, c > 0")
loss = xdp.Loss([["0", "1"], ["c", "0"]], letters=letters)
bayesian = xdp.BayesianConsumer(loss, ["w", "1-w"])
cases = xdp.optimum("path", xdp.PrivacyLevel("a", letters=letters), bayesian)
for case in cases.evidence.parts:
    print(case.evidence.value)
    print("   for", case.scope)

# %% [markdown]
# ## 6. Keep the answers
#
# Each answer is a certificate: the refuted one at its point, the others on their whole region. The checker
# multiplies polynomials out, and trusts nothing that was computed here.

# %%
for answer in (refuted, proved, *parts):
    print(answer.decision.value, "|", xdp.verify(xdp.certify(answer)).status)

# %% [markdown]
# ## Exercises
#
# 1. At c = 1 both formulas are a/(1 + a). Which mechanism has that loss?
# 2. For which w does somebody with c = 1 ignore the mechanism, at ε = ln 2?
# 3. A right guess at the input 1 earns b: `xdp.Gain`. What changes?
