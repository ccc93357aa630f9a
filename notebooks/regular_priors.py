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
# # Regular priors in pictures: one mechanism for a region of priors
#
# **Goal.** Find out for which priors one mechanism is the best, and for which ε it exists.
#
# For most queries no mechanism is optimal for every prior. ElSalamouny, Chatzikokolakis and Palamidessi
# (2013) found a region of priors, the *regular* ones, on which one mechanism is: the *tight-constraints
# mechanism*. It need not exist.
#
# At the end you know
#
# * what these regions look like, and that they need not grow when privacy is given up;
# * for which ε the mechanism exists on a given graph, all ε decided at once;
# * from which ε on the prior of the paper's Figure 4 is regular;
# * what the mechanism is worth for two counts, beside geometric noise.
#
# The paper writes levels as $\alpha = e^{-\varepsilon}$: α = 1/2 is ε = ln 2, and α = 1/5 is ε = ln 5.

# %%
import exactdp as xdp
from exactdp.report import plot as pictures

# %% [markdown]
# ## 1. What do the regions look like?
#
# Three answers in a line. Each point of the triangle is a prior. With more privacy (α = 1/2, blue) fewer
# priors are regular than with less (α = 1/5, orange).

# %%
pictures.region_picture(xdp.neighbours("path:3"), ["1/2", "1/5"])

# %% [markdown]
# Two counts of at most one person have four answers, and all are adjacent. The region is a tetrahedron.

# %%
pictures.region_picture(xdp.neighbours("counts:u=1,k=2"), ["1/2", "1/5"])

# %% [markdown]
# Is one prior regular? The prior with nine tenths on one answer is not, at ε = ln 2.

# %%
xdp.is_regular("path:3", "ε = ln 2", xdp.Prior(["1/20", "1/20", "9/10"])).plot()

# %% [markdown]
# ## 2. Does a region always grow when privacy is given up?
#
# On the graphs above it does. On a star it does not. This prior is regular at α = 3/4 (ε = ln(4/3)). With a
# slightly larger ε it is not; from ε = ln(3/2) on it is again.

# %%
star = xdp.neighbours("star:4")
print(xdp.regular_levels(star, xdp.corner_prior(star, "3/4", 1)))

# %% [markdown]
# ## 3. For which ε does the mechanism exist?
#
# Once it exists for one ε, does it for all larger ones? On graphs with up to five vertices it does, and on
# 110 of the 112 connected graphs with six. Here is one of the other two. The second picture has every ε:
# the mechanism exists for small ε and for large ones.

# %%
edges = [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)]
six = xdp.Graph(range(6), edges, name="six")
six.plot()

# %%
xdp.tight_levels(six).plot()

# %% [markdown]
# ## 4. The prior of Figure 4
#
# Five people have four values each, with this prior. The paper finds it regular from ε = 0.48 on. It is
# regular exactly from ε = ln 2 ≈ 0.69 on, and below that the paper's curve bounds nothing.

# %%
record = xdp.Prior(["3/10", "27/100", "23/100", "1/5"])
print(xdp.regular_levels("complete:4", record))

# %%
pictures.leakage_picture(record, 5, [f"{k}/20" for k in range(9, 21)])

# %% [markdown]
# ## 5. What is the mechanism worth?
#
# Figure 6 has two counts of ten people. One person changes both, so geometric noise must spend half of ε on
# each. Where the tight-constraints mechanism exists it is better.

# %%
counts, uniform = xdp.neighbours("counts:u=10,k=2"), xdp.Prior.uniform(range(11))
tight, geometric = [], []
for k in range(50, 62, 2):
    root = xdp.Rational(k, 100)  # levels that are squares keep the halves exact
    geometric.append((root**2, xdp.utility(xdp.geometric(10, root), uniform) ** 2))
    found = xdp.tight_mechanism(counts, root**2)
    if found.proved:
        tight.append((root**2, found.evidence.utility))
pictures.utility_picture({"tight-constraints": tight, "geometric": geometric})

# %% [markdown]
# Where does it stop to exist? At ε ≈ 1.136, between two decimals of α.

# %%
edge = xdp.tight_threshold(counts, 15)
edge

# %% [markdown]
# ## 6. Keep the answer
#
# One file proves both sides of that edge. A small checker goes through it.

# %%
print(xdp.verify(xdp.certify(edge)).status)

# %% [markdown]
# ## Exercises
#
# 1. Draw the region of the ring, `"cycle:3"`. Why is it symmetric?
# 2. For which ε does the mechanism exist on the star with four leaves, `"star:5"`?
# 3. Is the uniform prior regular on `"path:3"` at every ε? Ask `xdp.regular_levels`.
