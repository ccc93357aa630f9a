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
# **Goal.** Answer the eight exercises of a lecture, each by one question to the computer.
#
# What a machine can certify is certified. What needs a proof for all cases is said to need one. The lecture
# writes levels as $\alpha = e^{-\varepsilon}$, and most of its examples have ε = ln 2, that is α = 1/2.
#
# At the end you know an answer to each exercise, the level of the two coins, what can be inferred from local
# reports, and the status of every statement of the lecture.

# %%
import exactdp as xdp

# %% [markdown]
# ## 1. The percentage of people who earn more than 10K, at least 1000 records
#
# *Which noise does it need?* One record of $m$ moves the percentage by $100/m$. That is largest for
# $m = 1000$, so $\Delta f = 1/10$, and the density of the noise is $5\varepsilon\, e^{-10\varepsilon|z-y|}$.

# %%
print(max(xdp.Rational(100, m) for m in range(1000, 1200)))

# %% [markdown]
# ## 2. The truncated geometric mechanism on $\{0, \ldots, 100\}$
#
# *Is it ε-private, here for ε = ln 2?* Yes, and for no smaller ε.

# %%
truncated = xdp.geometric(100, epsilon="ln 2")
xdp.is_private(truncated, "path:101", "ε = ln 2")

# %% [markdown]
# ## 3. Neighbours or all pairs
#
# *Is it enough to look at neighbours?* Yes. Two databases of three bits that differ in $h$ records have
# distance $h$, and a mechanism with ε for neighbours has $h\varepsilon$ for them. Asked of all pairs with
# their distances, the least ε is the same.

# %%
cube = xdp.neighbours("hypercube:3")
words = cube.vertices  # 000, 001, …, 111
rows = [[xdp.Rational(i + 1, 12), xdp.Rational(11 - i, 12)] for i in range(8)]
bits = xdp.Mechanism(rows, words)
distances = [[sum(x != y for x, y in zip(u, v)) for v in words] for u in words]
pairs = xdp.Metric.from_rows(words, distances, name="all pairs")
print(xdp.tightest_level(bits, cube))
print(xdp.tightest_level(bits, pairs))

# %% [markdown]
# ## 4. The utility of the geometric mechanism, uniform prior, identity gain
#
# *How often is the answer right?* With $U = (101 - 99\alpha)/(101(1+\alpha))$: every answer is its own best
# guess. At ε = ln 2 that is 103/303.

# %%
counts = range(101)
right = xdp.BayesianConsumer(xdp.Gain.zero_one(counts), xdp.Prior.uniform(counts))
print(xdp.best_remap(truncated, right))
print((101 - 99 * xdp.Rational("1/2")) / (101 * (1 + xdp.Rational("1/2"))))

# %% [markdown]
# ## 5 and 6. Post-processing, and a mechanism that is as private and less useful
#
# *Can post-processing lose utility and gain no privacy?* Yes: merge two answers of the geometric mechanism
# with four.

# %%
G = xdp.geometric(3, epsilon="ln 2")
rows = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
merge = xdp.Remap(rows, G.outputs, G.outputs)
right = xdp.BayesianConsumer(xdp.Gain.zero_one(G.inputs), xdp.Prior.uniform(G.inputs))
for mechanism in (G, G.post_process(merge)):
    level = xdp.tightest_level(mechanism, "path:4").evidence.tightest
    utility = xdp.best_remap(mechanism, right).evidence.value
    print("ε =", level.epsilon, " utility", utility)

# %% [markdown]
# ## 7. The graph of the average age has cycles
#
# *Is it a path?* No. Two people have ages 0, 1 or 2. One of them alone can move the average from 0 to 1/2, to
# 1, and from 1/2 to 1. So these three are pairwise adjacent.

# %%
ages = range(3)
moves = {(x + y, z + y) for x in ages for y in ages for z in ages if x < z}
averages = xdp.Graph(["0", "1/2", "1", "3/2", "2"], sorted(moves))
averages.plot()

# %% [markdown]
# ## 8. Two priors
#
# *Is one mechanism best for everybody?* Not on a triangle. At ε = ln 2 the flat mechanism is the only
# optimum for the uniform prior, and it is not optimal for $(1/2, 1/2, 0)$. (The theorem for all graphs is not
# treated.)

# %%
everybody = xdp.BayesianConsumer("zero-one", "uniform")
only = xdp.is_optimum_unique("complete:3", "ε = ln 2", everybody)
only

# %%
two = xdp.BayesianConsumer("zero-one", ["1/2", "1/2", "0"])
xdp.is_optimal_after_remap(only.evidence.first, "complete:3", "ε = ln 2", two)

# %% [markdown]
# ## Local privacy
#
# *Which ε do the two coins have?* ln 3, as the lecture says. A collection of such reports has the largest ε
# of its members.

# %%
coin = xdp.two_coin()
print(xdp.is_private(coin, "complete", "ε = ln 3"))
print(xdp.collection_level([coin] * 5))

# %% [markdown]
# *What can be inferred from local reports?* If five of eight say yes, then inverting the matrix estimates
# 3/4, and Bayesian updates come closer to it step by step.

# %%
print(*xdp.matrix_inversion(coin, ["5/8", "3/8"]))
for steps in (1, 2, 3):
    print(steps, *xdp.bayesian_update(coin, ["5/8", "3/8"], steps=steps))

# %% [markdown]
# With rare answers the inverse is no distribution, which is the weakness of this estimate:

# %%
print(*xdp.matrix_inversion(coin, ["1/8", "7/8"]))

# %% [markdown]
# ## The record
#
# The folder `proofs` of the repository, which is not installed, recomputes every statement of the lecture.
# These are not right as they are printed. The page of papers says what is meant.

# %%
import sys

sys.path.append("..")
from proofs.replay import replay

for result in replay("foundations_lecture_4"):
    if result.found.endswith("as printed"):
        print(result.found.ljust(20), result.locator)
