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
# # Lemma 1, Lemma 2 and Table 1, with letters
#
# **Goal.** Check two lemmas and a table of a paper as they are printed, for every ε at once.
#
# The paper is Gupte and Sundararajan, *Universally optimal privacy mechanisms for minimax agents* (2010),
# Sections 2.5 and 3. It writes levels as $\alpha = e^{-\varepsilon}$, and its table is for α = 1/4, that is
# ε = ln 4 ≈ 1.386. Here α is the letter a.
#
# At the end you know that
#
# * Lemma 1 is right, for every level below 1 and every size;
# * one index of Lemma 2 is wrong, with a point where that shows;
# * no part of Table 1 is what it is said to be, and what should stand there, for every ε.

# %%
import matplotlib.pyplot as plt

import exactdp as xdp
from exactdp.errors import UndecidedSignError

levels = xdp.Region("0 < a < 1")

# %% [markdown]
# ## 1. Is Lemma 1 right?
#
# > *Lemma 1.* $\det(G_{n,\alpha}) > 0$. *Proof.* … $\det G'_{n,\alpha} = (1-\alpha^2)^{n-1}.$
#
# Yes. G′ has the entries $\alpha^{|i-j|}$. With four rows it is this matrix, pasted from LaTeX:

# %%
printed = r"""
\begin{pmatrix}
  1 & \alpha & \alpha^2 & \alpha^3 \\
  \alpha & 1 & \alpha & \alpha^2 \\
  \alpha^2 & \alpha & 1 & \alpha \\
  \alpha^3 & \alpha^2 & \alpha & 1
\end{pmatrix}"""
prime = xdp.matrix(printed, letters=levels)
prime

# %% [markdown]
# What does n count? With the four rows as n it is right. With the inputs 0 to n, as in the paper's
# Definition 4, it is wrong:

# %%
print(xdp.determinant(prime, formula="(1-a^2)^(4-1)"))
print(xdp.determinant(prime, formula="(1-a^2)^(3-1)"))

# %% [markdown]
# The proof relates G′ to the geometric mechanism G: its determinant is
# $(1+\alpha)^2 \left(\frac{1+\alpha}{1-\alpha}\right)^{n-2}$ times that of G. Letters can be calculated with:

# %%
G = xdp.geometric(3, xdp.PrivacyLevel("a", letters=levels)).matrix
a = prime[0, 1]
print(prime.det() == (1 + a) ** 2 * ((1 + a) / (1 - a)) ** 2 * G.det(), G.det() > 0)

# %% [markdown]
# The paper's definition of privacy admits α = 1, that is ε = 0. The lemma does not hold there:

# %%
print(xdp.determinant(xdp.matrix(printed, letters="0 < a <= 1")).claim)

# %% [markdown]
# So far there were four rows. A formula for every n is guessed from several, and an argument by induction for
# it is replayed by a program of its own. Here the inputs are 0 to n, so that there are n + 1 rows.

# %%
every_n = xdp.generalise("det geometric")
print(every_n)

# %% [markdown]
# ## 2. Is Lemma 2 right?
#
# $G_{n,\alpha}(i, x)$ is the matrix whose column i is replaced by the vector x.
#
# > *Lemma 2.* $\det G_{n,\alpha}(1,x) > 0$ *iff* $x_1 > \alpha x_2$; …
# > $\det G_{n,\alpha}(i,x) \ge 0$ *if and only if* $(x_2 - \alpha x_1) \ge \alpha(x_3 - \alpha x_2)$, *for*
# > $2 \le i \le n-1$.
#
# The first item is. The entries of x become letters, which are probabilities. The sign of the determinant is
# that of the last factor. (The proof is about G′, whose determinants have the same signs.)

# %%
box = "0 < a < 1, 0 <= x1 <= 1, 0 <= x2 <= 1, 0 <= x3 <= 1, 0 <= x4 <= 1"
first = [
    ["x1", "a", "a^2", "a^3"],
    ["x2", "1", "a", "a^2"],
    ["x3", "a", "1", "a"],
    ["x4", "a^2", "a", "1"],
]
formula = "(1-a^2)^2*(x1 - a*x2)"
print(xdp.determinant(xdp.matrix(first, letters=box), formula=formula))

# %% [markdown]
# The last item has x₁, x₂ and x₃, whatever i is. For i = 3 that is wrong. The program names two points where
# the printed condition holds. The determinant has different signs there.

# %%
third = [
    ["1", "a", "x1", "a^3"],
    ["a", "1", "x2", "a^2"],
    ["a^2", "a", "x3", "a"],
    ["a^3", "a^2", "x4", "1"],
]
claimed = xdp.matrix(third, letters=f"{box}, x2 - a*x1 >= a*(x3 - a*x2)").det()
try:
    print(claimed >= 0)
except UndecidedSignError as error:
    for point in error.facts["points"]:
        print(claimed.value(point), "at", *(f"{x} = {value}" for x, value in point.items()))

# %% [markdown]
# What is meant is $x_{i-1}$, $x_i$ and $x_{i+1}$. With these it is proved, in both directions:

# %%
print(xdp.matrix(third, letters=f"{box}, x3 - a*x2 >= a*(x4 - a*x3)").det() >= 0)
print(xdp.matrix(third, letters=f"{box}, x3 - a*x2 < a*(x4 - a*x3)").det() < 0)

# %% [markdown]
# ## 3. Which mechanisms are derivable?
#
# The paper uses the lemmas for Theorem 2, which says which mechanisms can be derived from the geometric one.
# With three inputs and two outputs these are the exact conditions. Two of them have x, y and z together: they
# are the test of the paper, once for each column.

# %%
entries = "0 < a < 1, 0 <= x <= 1, 0 <= y <= 1, 0 <= z <= 1"
M = xdp.matrix([["x", "1-x"], ["y", "1-y"], ["z", "1-z"]], letters=entries)
source = xdp.mechanism_from_spec("geometric:n=2,alpha=a", letters=entries)
derivable = xdp.conditions(xdp.is_derivable, M, source=source)
for condition in derivable.conditions:
    print(condition)

# %% [markdown]
# Privacy alone is not enough: here M is private with ε = ln 2, and the test fails.

# %%
level = xdp.PrivacyLevel("a", letters=entries)
private = xdp.conditions(xdp.is_private, M, "path", level)
point = {"a": "1/2", "x": "1/4", "y": "1/4", "z": "1/2"}
print("private:", private.holds(point), " derivable:", derivable.holds(point))

# %% [markdown]
# ## 4. Is Table 1 right?
#
# > *Table 1: This shows the optimal mechanism for a consumer c with loss-function* $l(i,r) = |i-r|$ *and
# > side-information* $S = \{0,1,2,3\}$. $n = 3$, $\alpha = 1/4$.
#
# No. Part (a) should be the optimal mechanism, and its rows do not sum to 1:

# %%
printed_a = xdp.Table(
    [
        ["2/3", "5/17", "1/25", "1/98"],
        ["1/6", "7/11", "7/44", "2/49"],
        ["2/49", "7/44", "7/11", "1/6"],
        ["1/98", "1/25", "5/17", "2/3"],
    ]
)
wrong = xdp.is_stochastic(printed_a)
wrong

# %% [markdown]
# Part (b) is called $G_{3,1/4}$, and has 4/3 and 1/4 where the geometric mechanism has 4/5 and 3/20. A factor
# $(1-a)/(1+a)$ is missing, and without it the rows sum to 1 for no ε:

# %%
printed_b = xdp.matrix(
    [
        ["1/(1-a)", "a", "a^2", "a^3/(1-a)"],
        ["a/(1-a)", "1", "a", "a^2/(1-a)"],
        ["a^2/(1-a)", "a", "1", "a/(1-a)"],
        ["a^3/(1-a)", "a^2", "a", "1/(1-a)"],
    ],
    letters=levels,
)
print(xdp.conditions(xdp.is_stochastic, printed_b).words())
print((1 - a) / (1 + a) * printed_b == G)

# %% [markdown]
# Part (c) is what the consumer does with the answer. It keeps 0 with probability 9/11. Is that the best
# choice? Put a letter t there, and ask what it costs:

# %%
rows = [["t", "1-t", 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, "1-t", "t"]]
interaction = xdp.matrix(rows, letters="0 <= t <= 1")
absolute = xdp.MinimaxConsumer("abs")
cost = xdp.mechanism_loss(xdp.geometric(3, epsilon="ln 4").matrix @ interaction, absolute)
cost

# %% [markdown]
# One formula falls, the other rises, and the larger one is the loss. They meet at 68/83, not at 9/11: close,
# and not the same.

# %%
grid = [xdp.Rational(k, 4000) for k in range(3260, 3295)]
figure, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
for piece in cost.evidence.pieces:
    ax.plot(grid, [float(piece.value.value({"t": t})) for t in grid], color="0.3")
ax.axvline(9 / 11, color="tab:red", label="printed: 9/11")
ax.axvline(68 / 83, color="tab:blue", label="best: 68/83")
ax.set(xlabel="t, how likely 0 and 3 are kept", ylabel="loss for the worst input")
ax.legend()
plt.show()

# %% [markdown]
# ## 5. What should stand in Table 1?
#
# The optimum is one formula for every ε. Here are its value, its mechanism, and how it comes from the
# geometric one.

# %%
best = xdp.optimum("path:4", xdp.PrivacyLevel("a", letters=levels), absolute)
best

# %%
derived = xdp.is_derivable(best.evidence.best, source=G)
derived

# %% [markdown]
# At ε = ln 4 that is the table which the paper meant:

# %%
xdp.optimum("path:4", "ε = ln 4", absolute).display(decimals=4)

# %% [markdown]
# ## 6. Keep the answers
#
# Each answer is a certificate, and the checker trusts nothing that was computed here. The determinant for
# every n is an argument, which is replayed.

# %%
for verdict in (wrong, best, derived):
    print(verdict.decision.value, "|", xdp.verify(xdp.certify(verdict)).status)

# %%
import tempfile

with tempfile.TemporaryDirectory() as folder:
    for path in every_n.evidence.write(folder):
        print("det G, every n |", xdp.verify(path).status)

# %% [markdown]
# ## Exercises
#
# 1. Check the second item of Lemma 2: $\det G_{n,\alpha}(n,x) > 0$ iff $x_n > \alpha x_{n-1}$.
# 2. For i = 2 the last item is right as printed. Show it in both directions.
# 3. Which ε makes the loss of the optimum 1/10? `xdp.optimum_by_level` draws the curve.
