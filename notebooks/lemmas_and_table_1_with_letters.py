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
# Gupte and Sundararajan, *Universally optimal privacy mechanisms for minimax agents* (2010), Sections 2.5
# and 3. The paper proves its lemmas for every level α, and prints its table for α = 1/4. Here all three are
# checked as they are printed, with α as the letter a. At the end you know
#
# * that Lemma 1 is right for every level below 1, for every size, and what n counts in it;
# * which index of Lemma 2 is wrong, and a point where that shows;
# * which mechanisms with three inputs are derivable from the geometric one, as inequalities;
# * why no part of Table 1 is what it is said to be, and what should stand there, for every level;
# * how each of these answers becomes a file that a checker verifies.

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import exactdp as xdp
from exactdp.errors import UndecidedSignError

answers = []  # what becomes a certificate at the end
a = xdp.RationalFunctionField().gen

# %% [markdown]
# ## Lemma 1
#
# > *Lemma 1.* $\det(G_{n,\alpha}) > 0$. *Proof. Since* $G'_{n,\alpha}$ *can be obtained by multiplying each
# > entry in the first and last column of* $G_{n,\alpha}$ *by* $(1+\alpha)$ *and entries in all other columns
# > by* $\frac{1+\alpha}{1-\alpha}$,
# >
# > $$\det G'_{n,\alpha} = (1+\alpha)^2 \left(\frac{1+\alpha}{1-\alpha}\right)^{n-2} \det G_{n,\alpha}.
# > \quad\ldots\quad \det G'_{n,\alpha} = (1-\alpha^2)^{n-1}.$$
#
# G′ has the entries $\alpha^{|i-j|}$. With four rows it is this matrix, pasted from LaTeX:

# %%
printed = r"""
\begin{pmatrix}
  1 & \alpha & \alpha^2 & \alpha^3 \\
  \alpha & 1 & \alpha & \alpha^2 \\
  \alpha^2 & \alpha & 1 & \alpha \\
  \alpha^3 & \alpha^2 & \alpha & 1
\end{pmatrix}"""
levels = xdp.Region("0 < a < 1")
prime = xdp.matrix(printed, letters=levels)
print(prime)

# %% [markdown]
# Does n count the rows? If so, n is 4 here, and the exponent is 3. In the paper's Definition 4 the inputs are
# 0 to n, and n would be 3. Only the first is right:

# %%
print(xdp.determinant(prime, formula="(1-a^2)^(4-1)"))
print(xdp.determinant(prime, formula="(1-a^2)^(3-1)"))

# %% [markdown]
# The first display relates the two determinants. It is right, too. Letters can be calculated with:

# %%
G = xdp.geometric(3, xdp.PrivacyLevel("a", letters=levels)).matrix
x = prime[0, 1]  # the letter a
print(prime.det() == (1 + x) ** 2 * ((1 + x) / (1 - x)) ** 2 * G.det(), "|", G.det() > 0)

# %% [markdown]
# The paper's definition of privacy admits α = 1. The lemma does not hold there:

# %%
print(xdp.determinant(xdp.matrix(printed, letters="0 < a <= 1")))

# %% [markdown]
# ## Lemma 1 for every n
#
# So far there were four rows. `generalise` computes the determinant for several n, and guesses a formula.
# Then it writes an argument by induction, which a program of its own replays. That is less than a proof that
# the checker accepts. In exactdp's words the inputs are 0 to n, so that there are n + 1 rows.

# %%
for_every_n = [xdp.generalise(question) for question in ("det geometric-prime", "det geometric")]
for verdict in for_every_n:
    print(verdict)

# %% [markdown]
# ## Lemma 2
#
# $G_{n,\alpha}(i, x)$ is the matrix whose column i is replaced by the vector x.
#
# > *Lemma 2.* $\det G_{n,\alpha}(1,x) > 0$ *iff* $x_1 > \alpha x_2$; $\;\det G_{n,\alpha}(n,x) > 0$ *iff*
# > $x_n > \alpha x_{n-1}$; $\;\det G_{n,\alpha}(i,x) \ge 0$ *if and only if*
# > $(x_2 - \alpha x_1) \ge \alpha(x_3 - \alpha x_2)$, *for* $2 \le i \le n-1$.
#
# The entries of x become letters, which are probabilities. The proof is about G′, whose determinants have the
# same signs.

# %%
rows = [["1", "a", "a^2", "a^3"], ["a", "1", "a", "a^2"], ["a^2", "a", "1", "a"], ["a^3", "a^2", "a", "1"]]
box = "0 < a < 1, 0 <= x1 <= 1, 0 <= x2 <= 1, 0 <= x3 <= 1, 0 <= x4 <= 1"


def replaced(i, assumptions=box):
    """G′ with four rows; column i, counted from 1 as in the paper, is x."""
    typed = [[f"x{k}" if j == i else entry for j, entry in enumerate(row, 1)] for k, row in enumerate(rows, 1)]
    return xdp.matrix(typed, letters=assumptions)


print(replaced(1))
print(xdp.determinant(replaced(1), formula="(1-a^2)^2*(x1 - a*x2)"))
print(xdp.determinant(replaced(4), formula="(1-a^2)^2*(x4 - a*x3)"))

# %% [markdown]
# These are the first two items: the sign of the determinant is that of the last factor.
#
# The third item has x₁, x₂ and x₃, whatever i is. For i = 2 this is right: where the condition holds, the
# determinant is at least 0, and where it fails the determinant is negative.

# %%
print(replaced(2, f"{box}, x2 - a*x1 >= a*(x3 - a*x2)").det() >= 0)
print(replaced(2, f"{box}, x2 - a*x1 < a*(x3 - a*x2)").det() < 0)

# %% [markdown]
# For i = 3 it is wrong. The program names two points where the printed condition holds. The determinant has
# different signs there.

# %%
third = replaced(3, f"{box}, x2 - a*x1 >= a*(x3 - a*x2)")
try:
    print(third.det() >= 0)
except UndecidedSignError as error:
    for point in error.facts["points"]:
        print({name: str(value) for name, value in point.items()}, "→", third.det().value(point))

# %% [markdown]
# A smaller point can be checked by hand: x = (0, 0, 0, 1) and α = 1/2. The condition reads 0 ≥ 0.

# %%
small = {"a": "1/2", "x1": "0", "x2": "0", "x3": "0", "x4": "1"}
print(third.det().value({name: xdp.Rational(value) for name, value in small.items()}))

# %% [markdown]
# What is meant is $x_{i-1}$, $x_i$ and $x_{i+1}$. With these it is proved, in both directions:

# %%
print(replaced(3, f"{box}, x3 - a*x2 >= a*(x4 - a*x3)").det() >= 0)
print(replaced(3, f"{box}, x3 - a*x2 < a*(x4 - a*x3)").det() < 0)
verdict = xdp.determinant(xdp.geometric_prime(3, a), column=2, formula="(1-a^2)^2*((1+a^2)*x2 - a*(x1+x3))")
print(verdict)  # here columns and entries are counted from 0
answers.append(verdict)

# %% [markdown]
# ## What follows: which mechanisms are derivable
#
# The paper uses the lemmas for Theorem 2, which says which mechanisms can be derived from the geometric one.
# A mechanism with three inputs and two outputs has the entries x, y, z in its first column. These are the
# exact conditions under which it is derivable from G(2, α). Two of them have x, y and z together: they are
# the test of the paper, once for each column.

# %%
entries = "0 < a < 1, 0 <= x <= 1, 0 <= y <= 1, 0 <= z <= 1"
M = xdp.matrix([["x", "1-x"], ["y", "1-y"], ["z", "1-z"]], letters=entries)
source = xdp.mechanism_from_spec("geometric:n=2,alpha=a", letters=entries)
derivable = xdp.conditions(xdp.is_derivable, M, source=source)
for condition in derivable.conditions:
    print(condition)

# %% [markdown]
# The other four say that neighbouring ends are α-private. The paper's theorem presumes that all of M is. It
# is not enough: at this point M is α-private, and the test fails.

# %%
private = xdp.conditions(xdp.is_private, M, "path", xdp.PrivacyLevel("a", letters=entries))
point = {"a": "1/2", "x": "1/4", "y": "1/4", "z": "1/2"}
print("private:", private.holds(point), " derivable:", derivable.holds(point))
answers.extend(derivable.verdicts()[:2])

# %% [markdown]
# ## Table 1
#
# > *Table 1: This shows the optimal mechanism for a consumer c with loss-function* $l(i,r) = |i-r|$ *and
# > side-information* $S = \{0,1,2,3\}$. $n = 3$, $\alpha = 1/4$.
#
# It has three matrices. Part (b) is called $G_{3,1/4}$. Its entries are 4/3, 1/4, 1/16 and so on. With a
# letter they are these:

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
verdict = xdp.is_stochastic(printed_b)
print(verdict)
answers.append(verdict)

# %% [markdown]
# So it is a mechanism at no level. A factor is missing, (1 − a)/(1 + a). With it the matrix is the geometric
# mechanism.

# %%
print(xdp.ExactMatrix([[(1 - x) / (1 + x) * entry for entry in row] for row in printed_b.rows()]) == G)

# %% [markdown]
# Part (c) is what the consumer does with the answer. It moves 0 to 1 with probability 2/11, and keeps it with
# probability 9/11; the same at the other end. Is 9/11 the best choice? Put a letter t there, and ask what it
# costs:

# %%
keep = xdp.Region("0 <= t <= 1")
interaction = xdp.matrix([["t", "1-t", 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, "1-t", "t"]], letters=keep)
absolute = xdp.MinimaxConsumer("abs")
verdict = xdp.mechanism_loss(xdp.geometric(3, "1/4").matrix @ interaction, absolute)
print(verdict)

# %% [markdown]
# One formula falls, the other rises. They meet at 68/83, not at 9/11. The picture shows how close that is.
# Numbers are rounded in pictures only.


# %%
def cost(t):
    """The loss for the worst input, when 0 and 3 are kept with probability t."""
    return max(piece.value.value({"t": t}) for piece in verdict.evidence.pieces)


grid = sorted([xdp.Rational(k, 2000) for k in range(1630, 1648)] + [xdp.Rational("68/83")])
figure, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
ax.plot([float(t) for t in grid], [float(cost(t)) for t in grid], color="0.3")
for t, name, colour in (("9/11", "printed: 9/11", "tab:red"), ("68/83", "best: 68/83", "tab:blue")):
    t = xdp.Rational(t)
    ax.plot([float(t)], [float(cost(t))], "o", color=colour, label=f"{name}, loss {cost(t)}")
ax.set(xlabel="t, how likely 0 and 3 are kept", ylabel="loss for the worst input")
ax.legend()
plt.show()

# %% [markdown]
# Part (a) should be the optimal mechanism. It is not stochastic (its rows do not sum to 1).

# %%
printed_a = [
    ["2/3", "5/17", "1/25", "1/98"],
    ["1/6", "7/11", "7/44", "2/49"],
    ["2/49", "7/44", "7/11", "1/6"],
    ["1/98", "1/25", "5/17", "2/3"],
]
verdict = xdp.is_stochastic(xdp.Table(printed_a))
print(verdict)
answers.append(verdict)

# %% [markdown]
# ## Table 1 for every level
#
# What should stand there? The optimum is one formula for all levels: its value, its mechanism, and how it
# comes from the geometric mechanism.

# %%
level = xdp.PrivacyLevel("a", letters=levels)
best = xdp.optimum("path:4", level, absolute)
print(best)
print(best.scope)
answers.append(best)

# %%
derived = xdp.is_derivable(best.evidence.best, source=G)
print(derived)
remap = derived.evidence.remap.matrix
print(remap)
answers.append(derived)

# %% [markdown]
# The interaction has the pattern of Table 1(c), at every level. At 1/4 it is 68/83, and the mechanism has the
# entries that should stand in Table 1(a).

# %%
quarter = {"a": xdp.Rational("1/4")}
print(remap[0, 0], "at 1/4:", remap[0, 0].value(quarter))
print(best.evidence.value.value(quarter))
print(xdp.ExactMatrix([[entry.value(quarter) for entry in row] for row in best.evidence.best.matrix.rows()]))

# %% [markdown]
# The picture shows both by level. A more private mechanism (larger a) costs more. How likely an end is kept
# falls first, and rises again to 1 as a goes to 1.

# %%
grid = [xdp.Rational(k, 100) for k in range(1, 100)]
figure, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
ax.plot([float(s) for s in grid], [float(best.evidence.value.value({"a": s})) for s in grid], label="least loss")
ax.plot([float(s) for s in grid], [float(remap[0, 0].value({"a": s})) for s in grid], label="an end is kept")
ax.axvline(0.25, color="0.7", linewidth=1)
ax.set(xlabel="level a", xlim=(0, 1), ylim=(0, None))
ax.legend()
plt.show()

# %% [markdown]
# ## Files that show it
#
# Each answer is a certificate, and the checker trusts nothing that was computed here. A determinant for every
# n is an argument, which is replayed.

# %%
with tempfile.TemporaryDirectory() as folder:
    for k, answer in enumerate(answers):
        path = xdp.certify(answer).write(Path(folder) / f"{k}.edp.json")
        checked = xdp.verify(path)
        assert checked.accepted
        print(checked.sentence)
    for verdict in for_every_n:
        for path in verdict.evidence.write(folder):
            checked = xdp.verify(path)
            assert checked.replayed
            print(checked.sentence)
