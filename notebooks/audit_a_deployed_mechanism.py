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
# A practitioner has a library call, a table or an ε. Every answer below is exact, and every verdict can be
# written as a certificate that a small checker re-checks. At the end you know
#
# * whether a library's mechanism has the ε that it claims, and whether it is optimal for two consumers;
# * what its doubles lack as a mechanism, by how much exactly, and what repairs them;
# * how to see that a mechanism sold as geometric is another one, and what its consumers lose;
# * the exact level of several releases together, and of a collection of local reports;
# * what eight local reports say about the people who gave them.

# %%
import math
import tempfile
from pathlib import Path

import exactdp as xdp
from exactdp.analysis.audit import law_difference
from exactdp.checker import check_bytes
from exactdp.report.audit_page import audit_page

# %% [markdown]
# ## 1. A library call
#
# OpenDP's geometric mechanism on 0..50 with scale 1, from its documented parameters. Its entries are numbers
# of $\mathbb{Q}(e^{-1})$.

# %%
opendp = xdp.mechanism_from_spec("opendp-geometric:scale=1,lower=0,upper=50")
path = xdp.neighbours("path:51")
verdict = xdp.audit(opendp, path, claim=xdp.PrivacyClaim(epsilon=1), title="OpenDP geometric, 0..50")
print(verdict)
assert verdict.proved
assert xdp.audit(opendp, path, claim=xdp.PrivacyClaim(epsilon="999999/1000000"), title="the same").refuted

# %% [markdown]
# Is it optimal for somebody who fears the worst expected error? For somebody with a uniform prior? Yes, after
# the best remap, and the checker agrees.

# %%
level = xdp.PrivacyLevel(verdict.evidence.ratio)
loss = xdp.Loss.absolute(path.vertices)
for consumer in (xdp.MinimaxConsumer(loss), xdp.BayesianConsumer(loss, xdp.Prior.uniform(path.vertices))):
    optimal = xdp.is_optimal_after_remap(opendp, path, level, consumer)
    print(consumer.describe(), "-", optimal.decision.value)
    print("   ", check_bytes(xdp.certify(optimal).to_json().encode()).status)
    assert optimal.proved

# %% [markdown]
# ## 2. The same mechanism as a program holds it
#
# Doubles are rational numbers. Read exactly as they are, no row sums to 1, and the level is not $e^{-1}$: by
# how much, exactly?

# %%
n, a = 5, math.exp(-1)
rows = [[(1 / (1 + a) if r in (0, n) else (1 - a) / (1 + a)) * math.exp(-abs(i - r)) for r in range(n + 1)] for i in range(n + 1)]
doubles = xdp.from_floats(rows)
small = xdp.neighbours("path:6")
report = xdp.audit(doubles, small, claim=xdp.PrivacyClaim(epsilon=1), deltas=["1/1000000000"], title="doubles")
print(report.decision.value)
for fault in report.evidence.faults.rows:
    print("  ", fault)
for repair in report.evidence.repairs:
    print("  ", repair.action, "→", repair.result)
assert report.refuted

# %% [markdown]
# The report is also one page without scripts or network, to be kept with the code.

# %%
with tempfile.TemporaryDirectory() as folder:
    page = Path(folder) / "doubles.html"
    page.write_text(audit_page(report), encoding="utf-8")
    print(page.read_text(encoding="utf-8")[:15])

# %% [markdown]
# ## 3. Sold as something else
#
# Laplace noise, rounded to integers, sold as "geometric": it is as private, but it is another law, and its
# consumers lose.

# %%
laplace = xdp.mechanism_from_spec("rounded-laplace:n=5,t=1/2")
geometric = xdp.geometric(5, "1/4")
consumer = xdp.MinimaxConsumer(xdp.Loss.absolute(small.vertices))
difference = law_difference(laplace, geometric)
print("largest difference at input", difference.input, "output", difference.output, ":", difference.first, "and", difference.second)
quarter = xdp.PrivacyLevel("1/4")
print("gap after the best remap:", xdp.is_optimal_after_remap(laplace, small, quarter, consumer).evidence.gap)
assert xdp.tightest_level(laplace, small).evidence.tightest == quarter

# %% [markdown]
# ## 4. Several releases
#
# Two releases about one input, and a collection of local reports: the exact level of the whole.

# %%
together = xdp.sequential_level([geometric, laplace], small)
print(together)
coins = [xdp.two_coin(), xdp.two_coin("2/3", "1/2"), xdp.two_coin("1/3", "1/2")]
print(xdp.collection_level(coins))
xdp.certify(together)
xdp.certify(xdp.collection_level(coins))

# %% [markdown]
# ## 5. What the reports say about the people
#
# Of eight reports seven are "no": matrix inversion leaves the simplex, the iterative Bayesian update goes to
# its edge, with a certified distance.

# %%
seen = ["1/8", "7/8"]
inverted = xdp.matrix_inversion(xdp.two_coin(), seen)
print("inverted", inverted, "projected", xdp.project_to_simplex(inverted))
likely = xdp.maximum_likelihood(xdp.two_coin(), seen).evidence
print("after", likely.steps, "updates the share of yes is between", float(likely.box[0][0]), "and", float(likely.box[0][1]))
