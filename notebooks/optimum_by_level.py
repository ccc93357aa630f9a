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
# # The optimum as a function of the privacy level
#
# A counting query on $n$ people has the inputs $0, \ldots, n$. A mechanism is $\alpha$-private when
# neighbouring rows differ by a factor of at most $1/\alpha$. What is the least worst-case loss $v(\alpha)$ of
# an $\alpha$-private mechanism, for *every* level at once?
#
# exactdp answers with finitely many closed forms, each proved for all levels of its interval. Nothing here is
# rounded until it is drawn. At the end you know these forms for three people and two losses, and where one
# gives way to the next. You have them as a certificate and as LaTeX, and see the optimum for one to five
# people and three losses.

# %%
import exactdp as xdp
from exactdp.report.latex import pieces_latex

LOSSES = {"abs": xdp.Loss.absolute, "squared": xdp.Loss.squared, "zero-one": xdp.Loss.zero_one}


def optimum(n, loss):
    path = xdp.neighbours(f"path:{n + 1}")
    return xdp.optimum_by_level(path, xdp.MinimaxConsumer(LOSSES[loss](path.vertices)))


# %% [markdown]
# Three people, the loss $|i - r|$, nothing known beforehand: one formula on all of $(0, 1)$.

# %%
verdict = optimum(3, "abs")
print(verdict)
verdict

# %% [markdown]
# With squared loss there are three pieces. Their ends are algebraic numbers, kept exactly: a polynomial and
# an interval with one root.

# %%
squared = optimum(3, "squared")
for interval, value in squared.evidence.values:
    print(interval, " ", value)

# %% [markdown]
# Each piece comes with a mechanism that attains the value and a dual that proves it, as functions of the
# level. The certificate holds for every level of every piece; a small checker, which shares no code with the
# search, goes through it.

# %%
certificate = xdp.certify(squared)
print(certificate.kind, certificate.digest)
first = squared.evidence.pieces[0].value
first.best

# %% [markdown]
# ## All closed forms for $n = 1, \ldots, 5$

# %%
table = {(n, loss): optimum(n, loss) for loss in LOSSES for n in range(1, 6)}
for (n, loss), found in table.items():
    assert found.proved
    print(f"n = {n}, {loss}: {len(found.evidence.values)} piece(s)")
    print("   ", pieces_latex(found.evidence).replace("\n", "\n    "))

# %% [markdown]
# The pieces fit together: at every end the two formulas agree, as an identity of algebraic numbers.

# %%
field = xdp.RationalFunctionField()
for found in table.values():
    for (left, f), (_, g) in zip(found.evidence.values, found.evidence.values[1:]):
        f, g = (field.quotient(h.numerator, h.denominator) for h in (f, g))
        assert (f - g).sign_at(left.upper) == 0

# %% [markdown]
# ## Drawn
#
# A verdict draws itself. Dots are where one formula ends and the next begins.

# %%
squared.plot()

# %% [markdown]
# Several of them in one picture, over $\alpha$:

# %%
import matplotlib.pyplot as plt

from exactdp.report.plot import value_by_level

figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for ax, loss in zip(axes, LOSSES):
    for n in range(1, 6):
        value_by_level(table[n, loss].evidence, ax=ax, by="alpha", label=f"n = {n}")
    ax.set_title(loss)
    ax.legend()
plt.show()

# %% [markdown]
# ## One level, given as $\varepsilon$
#
# Deployed systems state $\varepsilon$, so that $\alpha = e^{-\varepsilon}$ is transcendental. The optimum is
# then a number of $\mathbb{Q}(e^{-\varepsilon})$, still exact. It is what the closed form gives at
# $t = e^{-1/10}$.

# %%
path = xdp.neighbours("path:4")
level = xdp.PrivacyLevel.from_epsilon("1/10")
at_epsilon = xdp.optimum(path, level, xdp.MinimaxConsumer(xdp.Loss.absolute(path.vertices)))
value = at_epsilon.evidence.value
low, high = value.enclosure(12)
print(value, "≈", float(value), " between", low, "and", high)
[(_, formula)] = verdict.evidence.values
assert formula.substitute(level.alpha) == value
