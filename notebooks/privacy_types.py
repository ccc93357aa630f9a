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
# # Privacy types in pictures: all private mechanisms at once
#
# **Goal.** Ask about *every* ε-private mechanism at once: what they are made of, how much they can tell, and
# whether one of them is the best for everybody.
#
# A graph and an ε make a *privacy type*: the set of all mechanisms that are ε-private there. Fernandes,
# McIver, Palamidessi and Ding study it in *Universal optimality and robust utility bounds for metric
# differential privacy*. They write $\alpha = e^{-\varepsilon}$. Where nothing else is said, ε is ln 2 here,
# that is α = 1/2.
#
# At the end you know
#
# * the *kernel mechanisms* of three inputs, of which all others are made (nothing to do with the checker's
#   kernel), and how many there are on other graphs;
# * the largest leakage of any private mechanism;
# * on which graphs, and for which ε, one mechanism is the best for every prior.

# %%
import exactdp as xdp

ln2 = xdp.PrivacyLevel(epsilon="ln 2")

# %% [markdown]
# ## 1. What are private mechanisms made of?
#
# An output leaves a *posterior*: the distribution of the inputs given this output, if all were equally likely
# before. The posteriors that private mechanisms can leave fill a polytope. Here are three inputs on a line.
# The polytope has four vertices.
#
# A mechanism whose posteriors are linearly independent vertices is a *kernel mechanism*. Every private
# mechanism is a post-processing of a mixture of them. On the line there are two. One has three outputs and is
# the geometric mechanism.

# %%
xdp.kernel_count("path:3", ln2).plot()

# %% [markdown]
# If all three inputs are neighbours, there are five: random response, its dual (least on the diagonal), and
# three with two outputs, which are alike.

# %%
xdp.kernel_count("complete:3", ln2).plot()

# %% [markdown]
# The vertices themselves, exactly:

# %%
xdp.vertex_count("complete:3", ln2)

# %% [markdown]
# A mixture is not unique. Choose one of the three with two outputs at random: that is as good as a choice
# between the two with three outputs, with weights 4/9 and 5/9.

# %%
yes, no = ["2/3", "1/3"], ["1/3", "2/3"]
two = [xdp.Mechanism(rows) for rows in ([yes, no, no], [no, yes, no], [no, no, yes])]
response = xdp.mechanism_from_spec("flat:n=2,t=1/2")
dual = xdp.Mechanism(
    [
        ["1/5", "2/5", "2/5"],
        ["2/5", "1/5", "2/5"],
        ["2/5", "2/5", "1/5"],
    ]
)
three_ways = xdp.Mechanism.external_choice(two, ["1/3", "1/3", "1/3"])
two_ways = xdp.Mechanism.external_choice([response, dual], ["4/9", "5/9"])
print(three_ways.is_equivalent_to(two_ways))

# %% [markdown]
# ## 2. Two inputs: one mechanism for everybody
#
# With two inputs the polytope is an interval, so there is one kernel mechanism. It is the best for every loss
# and every prior. The picture shows how often a guess is wrong. Where a curve is flat the guess follows the
# output. Outside no output changes the guess, and the mechanism helps nobody.

# %%
import matplotlib.pyplot as plt

priors = [xdp.Prior([xdp.Rational(k, 60), xdp.Rational(60 - k, 60)]) for k in range(61)]
shares = [float(prior.weights[0]) for prior in priors]
guess = xdp.Loss.zero_one(range(2))
figure, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
risks = [float(xdp.prior_uncertainty(prior, guess)) for prior in priors]
ax.plot(shares, risks, color="0.6", label="no mechanism")
for epsilon in ("ln 4", "ln 2", "ln(4/3)"):
    [kernel] = xdp.kernel_mechanisms("path:2", xdp.PrivacyLevel(epsilon=epsilon))
    risks = [float(xdp.uncertainty(kernel.mechanism, prior, guess)) for prior in priors]
    ax.plot(shares, risks, label=f"ε = {epsilon}")
ax.set(xlabel="probability of the first input", ylabel="least probability of an error")
ax.legend()
plt.show()

# %% [markdown]
# ## 3. How many are there?
#
# These are all of them at ε = ln 2, counted completely.

# %%
for n in range(2, 7):
    line = xdp.kernel_count(f"path:{n}", ln2, keep=False).evidence.count
    full = xdp.kernel_count(f"complete:{n}", ln2, keep=False).evidence.count
    print(n, "inputs:", line, "on the line,", full, "if all are neighbours")

# %% [markdown]
# With five inputs on a line the number falls as ε grows, and dips at single levels, which are roots of
# polynomials.

# %%
xdp.kernel_counts("path:5").plot()

# %% [markdown]
# The paper says: "Even on bitstrings of length 3 the number of kernel mechanisms exceeds 29000". It is 29213.

# %%
xdp.kernel_count("hypercube:3", ln2, keep=False)

# %% [markdown]
# ## 4. How much can an output tell?
#
# The *multiplicative capacity* is the largest factor by which an output improves anybody's guess, whatever
# the prior and the gain. No private mechanism exceeds it. The *additive capacity* is the largest increase.
# With α as a letter each is a formula for all ε.

# %%
every = xdp.PrivacyLevel.symbolic()
for kind in ("multiplicative", "additive"):
    for graph in ("path:4", "complete:4", "hypercube:3"):
        print(kind, graph, xdp.type_capacity(graph, every, kind).evidence.value)

# %% [markdown]
# On a grid with Euclidean distances neighbours at distance √2 have the factor $e^{-\varepsilon\sqrt 2}$. That
# is one more exact number.

# %%
xdp.type_capacity("euclid:2x2", "ε = 1", "multiplicative").display(decimals=6)

# %% [markdown]
# ## 5. Is one mechanism the best for everybody?
#
# The star is no path. Still, one mechanism is the best for every prior, for those who want to guess right, if
# ε is large enough: from ln 2 on.

# %%
star = xdp.universal_by_level("star:4", "zero-one")
star

# %%
star.plot()

# %% [markdown]
# On a triangle there is none, for no ε. That follows from a theorem about cycles. With `theorems=False` no
# such theorem is used. Then two priors are found that no mechanism serves together.

# %%
xdp.universal_by_level("complete:3", "zero-one", theorems=False)

# %%
xdp.universally_optimal_mechanism("complete:3", ln2, "zero-one", theorems=False)

# %% [markdown]
# ## 6. Keep the answer
#
# One file proves it for every ε. A small checker goes through it.

# %%
print(xdp.verify(xdp.certify(star)).status)

# %% [markdown]
# ## Exercises
#
# 1. Which kernel mechanism of `"path:3"` is not the geometric one? See `xdp.kernel_mechanisms`.
# 2. Which mechanism attains the multiplicative capacity of `"complete:4"`? Ask `xdp.capacity` of random
#    response.
# 3. For which ε does the star with five leaves have a mechanism for everybody?
