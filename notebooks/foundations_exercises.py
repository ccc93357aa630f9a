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
# # The exercises of *Foundations of Privacy*, lecture 4
#
# Each exercise is answered by a computation. What a machine can certify is certified; what needs a proof for
# all cases is said to need one. At the end you know an answer to each of the eight exercises, the constant of
# the flat mechanism, the level of the two coins, what can be inferred from local reports, and the status of
# every statement of the lecture.

# %%
import exactdp as xdp
from exactdp.analysis.composition import collected, databases
from exactdp.exact import RationalFunctionField

a = RationalFunctionField().gen  # the level α, every number in (0, 1) at once


def certified(verdict):
    """The kind of the certificate, which the checker has accepted."""
    return xdp.certify(verdict).kind


# %% [markdown]
# ## 1. The percentage of people who earn more than 10K, at least 1000 records
#
# One record of $m$ moves the percentage by $100/m \le 1/10$, so $\Delta f = 1/10$ and the density is
# $5\varepsilon\, e^{-10\varepsilon|z-y|}$.

# %%
print(max(xdp.Rational(100, m) for m in range(1000, 1200)))

# %% [markdown]
# ## 2. The truncated geometric mechanism on $\{0, \ldots, 100\}$

# %%
truncated = xdp.geometric(100, "1/2")
print([str(x) for x in truncated.matrix.row(0)[:4]], "…", certified(xdp.tightest_level(truncated, xdp.neighbours("path:101"))))

# %% [markdown]
# ## 3. Neighbours or all pairs
#
# At the tightest level $t$ of a mechanism on databases of three bits, $p(z|x_1) \ge t^{h} p(z|x_2)$ for all
# pairs at Hamming distance $h$.

# %%
cube = databases(["0", "1"], 3)
m = xdp.Mechanism([[xdp.Rational(i + 1, 12), xdp.Rational(11 - i, 12)] for i in range(8)], cube.vertices)
t = xdp.tightest_level(m, cube).evidence.tightest.ratio
pairs = [(i, j, sum(x != y for x, y in zip(cube.vertices[i], cube.vertices[j], strict=True))) for i in range(8) for j in range(8)]
print(t, all(m[i, r] >= t**h * m[j, r] for i, j, h in pairs for r in range(2)))

# %% [markdown]
# ## 4. The utility of the geometric mechanism, uniform prior, identity gain
#
# $U = (101 - 99\alpha)/(101(1+\alpha))$: every answer is its own best guess.

# %%
utility = (101 - 99 * a) / (101 * (1 + a))
labels = truncated.inputs
best = xdp.best_remap(truncated, xdp.BayesianConsumer(xdp.Loss.zero_one(labels), xdp.Prior.uniform(labels)))
print(utility, "at 1/2:", utility.evaluate("1/2"), "=", 1 - best.evidence.value, certified(best))

# %% [markdown]
# ## 5 and 6. Post-processing, and a mechanism that is as private and less useful
#
# Merge two answers of $G(3, 1/2)$.

# %%
G = xdp.geometric(3, "1/2")
merge = xdp.Remap([[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], G.outputs, G.outputs)
merged = G.post_process(merge)
consumer = xdp.BayesianConsumer(xdp.Loss.zero_one(G.inputs), xdp.Prior.uniform(G.inputs))
path = xdp.neighbours("path:4")
print("levels", xdp.tightest_level(G, path).evidence.tightest, xdp.tightest_level(merged, path).evidence.tightest)
print("utilities", 1 - xdp.best_remap(G, consumer).evidence.value, 1 - xdp.best_remap(merged, consumer).evidence.value)

# %% [markdown]
# ## 7. The graph of the average age has cycles
#
# Two people of ages 0, 1, 2: the averages 0, 1/2 and 1 are pairwise adjacent.

# %%
ages = databases(["0", "1", "2"], 2)
total = [sum(map(int, v.split(","))) for v in ages.vertices]
edges = {tuple(sorted((total[i], total[j]))) for i, j in ages.edges if total[i] != total[j]}
print({(0, 1), (1, 2), (0, 2)} <= edges)

# %% [markdown]
# ## 8. Two priors
#
# On a triangle at $\alpha = 1/2$ the flat mechanism is the only optimum for the uniform prior, and its best
# remap is not optimal for $(1/2, 1/2, 0)$. (The theorem for all graphs is not treated.)

# %%
triangle, half = xdp.neighbours("complete:3"), xdp.PrivacyLevel("1/2")
guess = xdp.Loss.zero_one(triangle.vertices)
flat = xdp.mechanism_from_spec("flat:n=2,t=1/2")
first = xdp.is_optimum_unique(triangle, half, xdp.BayesianConsumer(guess, xdp.Prior.uniform(triangle.vertices)))
second = xdp.is_optimal_after_remap(flat, triangle, half, xdp.BayesianConsumer(guess, xdp.Prior(["1/2", "1/2", "0"])))
print(first.evidence.first == flat, second.decision.value, second.evidence.gap, certified(first), certified(second))

# %% [markdown]
# ## Local privacy: the flat mechanism's constant, the two coins, a collection
#
# $c = 1/(e^\varepsilon + k - 1)$, identically in $\alpha = e^{-\varepsilon}$; the two-coin protocol is
# $\log 3$-LDP; a collection has the least of the local levels.

# %%
for k in (2, 3, 10):
    assert 1 / (1 / a + k - 1) * (1 / a + (k - 1)) == 1
coin = xdp.two_coin()
print(coin.matrix, xdp.tightest_level(coin, xdp.Graph.complete(coin.inputs)).evidence.tightest)
central, graph = collected(coin, 2)
print("collection of two:", xdp.tightest_level(central, graph).evidence.tightest, certified(xdp.collection_level([coin] * 5)))

# %% [markdown]
# ## Statistical inference

# %%
q = ["5/8", "3/8"]
print(
    "inverted",
    xdp.matrix_inversion(coin, q),
    "after one update",
    xdp.bayesian_update(coin, q),
    "after three",
    xdp.bayesian_update(coin, q, steps=3),
)
print("outside the simplex", xdp.matrix_inversion(coin, ["1/8", "7/8"]))

# %% [markdown]
# ## The record
#
# All entries of the lecture, recomputed by the folder `proofs` of the repository, which is not installed.

# %%
import sys

sys.path.append("..")
from proofs.replay import replay

for result in replay("foundations_lecture_4"):
    print(result.id.split("/")[1].ljust(5), result.found, "" if result.agrees else "CONTRADICTS")
    assert result.agrees
