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
# # Audit a deployed mechanism in ten minutes
#
# **Goal.** Decide whether a mechanism that is in use has the ε that it claims, and what to do if not.
#
# A *mechanism* is a table: row i says how likely each output is when i is the true answer. Two true answers
# are *neighbours* if one person makes the difference. With a small ε their rows are alike: in each column the
# larger of the two is at most $e^{\varepsilon}$ times the smaller.
#
# At the end you know
#
# * whether a library's mechanism has the ε that it claims, and what a false claim looks like;
# * what is wrong with the same mechanism as a program holds it, in doubles;
# * how much ε several releases cost together;
# * how to keep the answer: as a file that anybody can check, and as a page to sign.

# %%
import exactdp as xdp

# %% [markdown]
# ## 1. What is deployed?
#
# A count of 0 to 8 people, released with OpenDP's geometric noise of scale 1. That is all one has to say. The
# entries are exact: t stands for $e^{-1}$, no matter how long its decimals are.

# %%
deployed = xdp.mechanism_from_spec("opendp-geometric:scale=1,lower=0,upper=8")
deployed.display(decimals=4)

# %% [markdown]
# One person changes a count by at most 1. So the neighbours are 0 – 1 – 2 – … – 8: a path.

# %%
near = xdp.neighbours("path:9")

# %% [markdown]
# ## 2. Is the claim true?
#
# The documentation says ε = 1. It is true, and nothing smaller is. The picture is the table: dark squares are
# likely. The two that are framed differ by exactly the factor $e$.

# %%
xdp.is_private(deployed, near, "ε = 1")

# %% [markdown]
# Somebody wrote ε = 9/10 into a report. The answer has a pair of entries that breaks it, with its numbers,
# and the picture shows where that is.

# %%
xdp.is_private(deployed, near, "ε = 9/10")

# %% [markdown]
# ## 3. The same mechanism in doubles
#
# A program does not hold $e^{-1}$ but the nearest double. Doubles are exact numbers as well, only other
# ones. Read as they are, the rows of this table do not sum to 1.

# %%
rows = [[float(x) for x in row] for row in deployed.matrix.rows()]
doubles = xdp.from_floats(rows)
report = xdp.audit(doubles, near, claim=xdp.PrivacyClaim(epsilon=1), title="in doubles")
faults = report.evidence.faults.rows
print(report.decision.value, "for", len(faults), "rows of", len(rows))
print(faults[0])

# %% [markdown]
# What is missing is very little. The claim is true for an ε that is larger by less than $10^{-15}$. Or ε = 1
# is true beside a small δ, which is exact, too, and is rounded only here.

# %%
print(xdp.tightest_level(doubles.renormalise(), near))
delta = xdp.least_delta(doubles.renormalise(), near, "ε = 1").evidence.delta
print(f"δ ≈ {float(delta):.2e}")

# %% [markdown]
# ## 4. Is the noise worth its price?
#
# Somebody fears the largest expected error. Is there a better mechanism for them with the same ε? No:
# geometric noise is the best there is, if each output is read in the best way.

# %%
worst_case = xdp.MinimaxConsumer(xdp.Loss.absolute(near.vertices))
xdp.is_optimal_after_remap(deployed, near, "ε = 1", worst_case).display(decimals=4)

# %% [markdown]
# ## 5. Several releases
#
# The same count is released twice, with independent noise. Together they have exactly ε = 2.

# %%
print(xdp.sequential_level([deployed, deployed], near))

# %% [markdown]
# ## 6. Keep the answer
#
# A certificate is a file that a small checker goes through, without trust in anything above.

# %%
certificate = xdp.certify(xdp.is_private(deployed, near, "ε = 1"))
xdp.verify(certificate)

# %% [markdown]
# For somebody who decides, and is no mathematician, an audit is a page to sign. It also says what it does not
# judge.

# %%
xdp.audit(deployed, near, claim=xdp.PrivacyClaim(epsilon=1), title="our counts")

# %% [markdown]
# ## Exercises
#
# 1. The path has nine inputs. What if a person may change the count by 2? Ask with
#    `xdp.Graph(range(9), [(i, j) for i in range(9) for j in (i + 1, i + 2) if j < 9])`.
# 2. Find the scale for which ε = 1/2 is the best possible claim.
# 3. Laplace noise, rounded to integers, is `"rounded-laplace:n=8,t=1/2"`. Which ε does it have?
