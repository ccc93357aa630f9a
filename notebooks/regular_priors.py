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
# For most queries no mechanism is optimal for every prior. ElSalamouny, Chatzikokolakis and Palamidessi
# (2013) describe a region of priors, the *regular* ones, on which one mechanism is: the *tight-constraints
# mechanism*, when it exists. With $\phi_{ih} = \alpha^{d(i,h)}$ a prior is regular when $\pi = y\Phi$ for
# some $y \ge 0$, and the mechanism exists when $\Phi z = 1$ for some $z \ge 0$. Both are questions about
# signs of exact numbers. At the end you know
#
# * what these regions look like, and that they need not grow when privacy is given up;
# * at which levels the mechanism exists on a given graph, all levels decided at once;
# * from which ε on the prior of the paper's Figure 4 is regular;
# * what the mechanism is worth for two counts, beside geometric noise, and where it stops to exist.

# %%
import exactdp as xdp
from exactdp.report import plot as pictures

line, ring = xdp.neighbours("path:3"), xdp.neighbours("cycle:3")

# %% [markdown]
# Figure 2: three answers in a line and in a ring, at two levels. The corners of a region are the rows of
# $\Phi$, scaled.

# %%
pictures.region_picture(line, ["1/2", "1/5"])

# %%
pictures.region_picture(ring, ["1/2", "1/5"])

# %% [markdown]
# Figure 3: two counts of at most one person, that is, four answers that are all adjacent, projected to three
# dimensions.

# %%
pictures.region_picture(xdp.neighbours("counts:u=1,k=2"), ["1/2", "1/5"])

# %% [markdown]
# Does the region always grow when privacy is given up? On these graphs it does. On a star it does not: this
# prior is regular at $\alpha = 3/4$, but not at $7/10$.

# %%
star = xdp.neighbours("star:4")
prior = xdp.corner_prior(star, "3/4", 1)
print(xdp.regular_levels(star, prior))

# %% [markdown]
# Does the mechanism exist for all large $\varepsilon$ once it exists for one? On graphs with up to five
# vertices it does, and on 110 of the 112 connected graphs with six. On the other two it does not; here is one
# of them, decided for every level at once.

# %%
six = xdp.Graph(range(6), [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)])
answer = xdp.tight_levels(six)
for interval in answer.evidence.intervals:
    print(interval)
print(xdp.certify(answer).kind)

# %%
answer.plot()

# %% [markdown]
# Figure 4: five people with four values each. The paper finds its prior regular from $\varepsilon = 0.48$ on;
# it is regular exactly from $\varepsilon = \ln 2$ on, and below that its curve bounds nothing.

# %%
record = xdp.Prior(["3/10", "27/100", "23/100", "1/5"])
print(xdp.regular_levels(xdp.neighbours("complete:4"), xdp.Prior(record.weights, xdp.neighbours("complete:4").vertices)))
pictures.leakage_picture(record, 5, [f"{k}/20" for k in range(9, 21)])

# %% [markdown]
# Figure 6, for two counts of ten people: the utility of the tight-constraints mechanism, where it exists,
# beside that of independent geometric noise. One person changes both counts, so each count is released at
# $\sqrt\alpha$; levels that are squares keep this exact.

# %%
counts = xdp.neighbours("counts:u=10,k=2")
tight, geometric = [], []
for k in range(50, 62, 2):
    root = xdp.Rational(k, 100)
    level = root * root
    one = xdp.utility(xdp.geometric(10, root), xdp.Prior.uniform(range(11)))
    geometric.append((level, one * one))
    found = xdp.tight_mechanism(counts, level)
    if found.proved:
        tight.append((level, found.evidence.utility))
pictures.utility_picture({"tight-constraints": tight, "geometric": geometric})

# %% [markdown]
# Where does it stop to exist? Between two decimals, with a certificate of both sides.

# %%
edge = xdp.tight_threshold(counts, 15)
print(edge)
print(xdp.certify(edge).kind)
