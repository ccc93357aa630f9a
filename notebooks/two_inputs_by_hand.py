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
# An optimum for two inputs fits on half a page. This is the half page, as somebody wrote it:
#
# > *Let the input be 0 or 1. A wrong guess costs 1 at the input 0, and c at the input 1. Let x be the
# > probability of a wrong guess at 0, and y that at 1. The losses are x and cy. The worse of them is least
# > where they are equal, x = cy. Privacy at the level a asks for x ≥ a(1 − y), and this is tight. So*
# >
# > $$y = \frac{a}{a+c}, \qquad x = \frac{ac}{a+c}.$$
# >
# > *The weights (c, a)/(a + c) prove it: with them both guesses cost the same at the input 1.*
#
# Here a and c are letters, and every answer below is about all of them in a region. At the end you know
#
# * for which a and c this is right, and a point where it is wrong;
# * the optimum at all the others;
# * what a slip in the derivation looks like;
# * the same for somebody who has a prior (w, 1 − w);
# * a certificate for each answer, which a small checker verifies.

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import exactdp as xdp

answers = []  # what becomes a certificate at the end


def problem(region):
    """The consumer whose wrong guesses cost 1 and c, and the level a."""
    loss = xdp.Loss([["0", "1"], ["c", "0"]], letters=region)
    return xdp.MinimaxConsumer(loss), xdp.PrivacyLevel("a", letters=region)


def region_of(part):
    """The part of the region that an answer is about."""
    return part.evidence.value.field.region


# %% [markdown]
# ## The derivation as it stands
#
# It says nothing about c but that it is a cost. So c is positive, and a is a level. The mechanism is pasted
# from the LaTeX source.

# %%
printed = r"""
\begin{pmatrix}
  1 - \frac{ac}{a+c} & \frac{ac}{a+c} \\
  \frac{a}{a+c}      & \frac{c}{a+c}
\end{pmatrix}"""
value = "a*c/(a+c)"
weights = xdp.Dual(weights=("c/(a+c)", "a/(a+c)"))

every_c = xdp.Region("0 < a < 1, c > 0")
consumer, level = problem(every_c)
by_hand = xdp.matrix(printed, letters=every_c)
print(by_hand)

# %% [markdown]
# Is its value the least loss? No: here is a point, small enough to be checked by hand.

# %%
verdict = xdp.is_optimum_value("path", level, consumer, value, mechanism=by_hand, dual=weights)
print(verdict)
answers.append(verdict)

# %% [markdown]
# Where is the mistake? The losses are equal, as the derivation has it. The constraint that it calls tight is
# tight. But there is a second constraint, y ≥ a(1 − x). It holds only for some c:

# %%
print(xdp.mechanism_loss(by_hand, consumer))
found = xdp.conditions(xdp.is_private, by_hand, "path", level)
print(found)

# %% [markdown]
# ## The derivation with its assumption
#
# So the sentence "let c be at most 1" is missing. With it everything is proved: the mechanism is private at
# every point, its loss is the value, and the weights prove that no private mechanism has less. Nothing was
# solved.

# %%
small_c = xdp.Region("0 < a < 1, 0 < c <= 1")
consumer, level = problem(small_c)
by_hand = xdp.matrix(printed, letters=small_c)
verdict = xdp.verify_optimal(by_hand, "path", level, consumer, weights)
print(verdict)
print(verdict.scope)
answers.append(verdict)

# %% [markdown]
# ## The other c
#
# The program finds the optimum itself, if asked. No one formula holds for all c. Two do, each on its part:

# %%
consumer, level = problem(every_c)
parts = xdp.optimum("path", level, consumer).evidence.parts
for part in parts:
    print(part.evidence.value, "for", part.scope)
    print(part.evidence.best.matrix)
answers.extend(parts)

# %% [markdown]
# By symmetry this had to be so. Swap the inputs, and c becomes 1/c. At c = 1 both formulas are a/(1 + a), the
# loss of the geometric mechanism.
#
# The picture shows the loss at three levels. Only here are numbers rounded, to be drawn. The dashed line is
# the formula of the derivation, where it is wrong. It lies below: no private mechanism is as good as that.

# %%
costs = [xdp.Rational(k, 20) for k in range(1, 61)]
figure, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
for colour, a in zip(("tab:blue", "tab:orange", "tab:green"), ("1/4", "1/2", "3/4"), strict=True):
    curves = []
    for part in parts:
        inside = [c for c in costs if region_of(part).contains({"a": a, "c": c})]
        losses = [part.evidence.value.value({"a": xdp.Rational(a), "c": c}) for c in inside]
        curves += zip(inside, losses, strict=True)
    curves = sorted(set(curves))
    ax.plot([float(c) for c, _ in curves], [float(x) for _, x in curves], color=colour, label=f"a = {a}")
    wrong = [c for c in costs if c >= 1]
    claimed = [float(xdp.Rational(a) * c / (xdp.Rational(a) + c)) for c in wrong]
    ax.plot([float(c) for c in wrong], claimed, "--", color=colour)
ax.axvline(1, color="0.7", linewidth=1)
ax.set(xlabel="c, the cost of a wrong guess at the input 1", ylabel="least loss", xlim=(0, 3), ylim=(0, None))
ax.legend()
plt.show()

# %% [markdown]
# ## Two slips
#
# Somebody solves x = a(1 − y) and x = cy, and forgets a letter in the denominator:

# %%
consumer, level = problem(small_c)
verdict = xdp.is_optimum_value("path", level, consumer, "a*c/(1+c)")
print(verdict)
answers.append(verdict)

# %% [markdown]
# Somebody else swaps the weights. This refutes nothing, as another dual may do better. Which guess is best
# under these weights depends on whether a or c is larger. So the question is asked on either part. The answer
# is how much less than the loss these weights prove.

# %%
for part in ("0 < a < 1, a <= c, c <= 1", "0 < a < 1, 0 < c <= a"):
    region = xdp.Region(part)
    consumer, level = problem(region)
    swapped = xdp.Dual(weights=("a/(a+c)", "c/(a+c)"))
    print(xdp.verify_optimal(xdp.matrix(printed, letters=region), "path", level, consumer, swapped))

# %% [markdown]
# ## With a prior
#
# The input is 0 with probability w. Then there are three cases. On the two borders between them the mechanism
# is worth no more than the prior alone.

# %%
letters = xdp.Region("0 < a < 1, 0 < w < 1, c > 0")
loss = xdp.Loss([["0", "1"], ["c", "0"]], letters=letters)
bayesian = xdp.BayesianConsumer(loss, ["w", "1-w"])
cases = xdp.optimum("path", xdp.PrivacyLevel("a", letters=letters), bayesian).evidence.parts
for case in cases:
    print(case.evidence.value, "for", case.scope)
    print(case.evidence.best.matrix)
answers.extend(cases)

# %% [markdown]
# Look at c = 1. In the middle the geometric mechanism is followed. Outside of it the consumer ignores the
# mechanism, and guesses what is likelier. The larger a is, the more private is the mechanism, and the sooner
# this happens.

# %%
shares = [xdp.Rational(k, 40) for k in range(1, 40)]
figure, ax = plt.subplots(figsize=(4.6, 3.8), layout="constrained")
points = [(w, a) for w in shares for a in shares]
for case, name in zip(cases, ("follows the mechanism", "always guesses 1", "always guesses 0"), strict=True):
    here = [(float(w), float(a)) for w, a in points if region_of(case).contains({"a": a, "w": w, "c": "1"})]
    ax.scatter(*zip(*here, strict=True), s=14, marker="s", label=name)
ax.set(xlabel="w, the probability of the input 0", ylabel="level a", xlim=(0, 1), ylim=(0, 1))
ax.legend(loc="lower center", framealpha=1)
plt.show()

# %% [markdown]
# ## Files that prove it
#
# Each answer is a certificate: the refuted ones at their point, the others on their whole region. The checker
# multiplies polynomials out, and trusts nothing that was computed here.

# %%
with tempfile.TemporaryDirectory() as folder:
    for k, answer in enumerate(answers):
        path = xdp.certify(answer).write(Path(folder) / f"{k}.edp.json")
        checked = xdp.verify(path)
        assert checked.accepted
        print(checked.sentence)
