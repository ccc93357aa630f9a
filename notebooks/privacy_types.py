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
# Take the uniform prior. A mechanism is $\alpha$-private on a graph iff every posterior that it can leave
# satisfies $\delta_x \ge \alpha^{d(x,x')} \delta_{x'}$. So the posteriors of *all* mechanisms of the type
# fill one polytope. A mechanism whose posteriors are linearly independent vertices of it is a **kernel
# mechanism** (nothing to do with the checker's kernel), and every private mechanism is a post-processing of a
# mixture of them.
#
# The pictures and tables below are those of Fernandes, McIver, Palamidessi and Ding, *Universal optimality
# and robust utility bounds for metric differential privacy*, made again from exact values. The numbers of the
# paper's own figures are not in its text, and neither are its levels; where nothing else is said the level
# here is $\alpha = 1/2$. At the end you know
#
# * the polytope of three inputs, on the line and with the discrete metric, and its kernel mechanisms;
# * that a mechanism can be a mixture of them in two ways;
# * why one mechanism is best for everybody with two inputs, and when one is on other graphs;
# * how many kernel mechanisms a line, the discrete metric, a grid and a cube have;
# * the two capacities of each, which no private mechanism exceeds.

# %%
from fractions import Fraction

import matplotlib.pyplot as plt

import exactdp as xdp

HALF = xdp.Rational(1, 2)
line, discrete = xdp.neighbours("path:3"), xdp.neighbours("complete:3")

# %% [markdown]
# ## The space of hypers (Figures 3, 7b, 8b)
#
# Three inputs. On the line there are $2^{n-1} = 4$ vertices, with the discrete metric $2^n - 2 = 6$. A
# mechanism is a way to write the uniform distribution as a mean of points of the polytope. A kernel mechanism
# is a segment or a triangle with corners among the vertices that has the uniform distribution inside. On the
# line there are two of them: the geometric mechanism, and another one.

# %%
xdp.kernel_count(line, HALF).plot()

# %% [markdown]
# With the discrete metric there are random response, its dual (least on the diagonal), and three with two
# outputs, which are alike.

# %%
xdp.kernel_count(discrete, HALF).plot()

# %% [markdown]
# The vertices themselves, exactly:

# %%
xdp.vertex_count(discrete, HALF)

# %% [markdown]
# They decompose mechanisms, but not uniquely (Section 3.3): the mean of the three with two posteriors is also
# a mean of the two with three.

# %%
polytope, by_size = xdp.vertex_count(discrete, HALF).evidence.polytope, {}
for kernel in xdp.kernel_mechanisms(discrete, HALF):
    for move in polytope.symmetries:
        support = tuple(move[k] for k in kernel.support)
        hyper = tuple(sorted((polytope.vertex(k), p) for k, p in zip(support, kernel.outer, strict=True)))
        by_size.setdefault(len(support), {})[hyper] = xdp.Hyper(tuple(v for v, _ in hyper), tuple(p for _, p in hyper), discrete.vertices)
pairs, triples = list(by_size[2].values()), list(by_size[3].values())
mean = xdp.Hyper.mixture(pairs, [xdp.Rational(1, 3)] * 3)
low = sum((p for v, p in zip(mean.inners, mean.outer, strict=True) if v in triples[0].inners), xdp.Rational(0))
assert mean == xdp.Hyper.mixture(triples, [low, 1 - low])
print("the mean of three kernel mechanisms is a mixture of two others, with weights", low, "and", 1 - low)

# %% [markdown]
# ## Uncertainty before any output (Figure 5)
#
# Left, the Bayes risk $1 - \max_x \pi_x$; right, the loss of someone who only guesses between $x_1$ and $x_2$
# and does not mind about $x_3$: $\min(\pi_1, \pi_2)$. Neither is planar, so neither loss is trivial. The
# values are exact on a grid of priors with denominator 24.

# %%
inputs = ("x1", "x2", "x3")
bayes, two = xdp.Loss.zero_one(inputs), xdp.Loss([[0, 1], [1, 0], [0, 0]], inputs, ("x1", "x2"))
priors = [xdp.Prior([Fraction(i, 24), Fraction(j, 24), Fraction(24 - i - j, 24)], inputs) for i in range(25) for j in range(25 - i)]
places = [(float(z + y / 2), float(y * 3**0.5 / 2)) for _, y, z in ((float(w) for w in prior.weights) for prior in priors)]
figure = plt.figure(figsize=(8, 3.6), layout="constrained")
for k, (loss, title) in enumerate(((bayes, "Bayes risk"), (two, "guess between two")), 1):
    heights = [xdp.prior_uncertainty(prior, loss) for prior in priors]
    assert max(heights) == (xdp.Rational(2, 3) if loss is bayes else HALF)
    ax = figure.add_subplot(1, 2, k, projection="3d")
    ax.plot_trisurf(*zip(*places, strict=True), [float(h) for h in heights], cmap="viridis", linewidth=0.1)
    ax.set_title(title)
plt.show()

# %% [markdown]
# ## Two inputs: one mechanism for everyone (Figure 6)
#
# For two inputs the polytope is an interval with two ends, so there is one kernel mechanism, $T$, and it is
# best for every loss and prior. Drawn: the Bayes risk without a mechanism and with $T$, for three levels.
# Between the two ends it is flat: there the best guess follows the output. Outside them $T$ helps nobody, as
# no output changes the guess.

# %%
edge = xdp.neighbours("path:2")
odds = [xdp.Prior([Fraction(k, 60), Fraction(60 - k, 60)], edge.vertices) for k in range(61)]
figure, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
guess = xdp.Loss.zero_one(edge.vertices)
shown = [float(prior.weights[0]) for prior in odds]
ax.plot(shown, [float(xdp.prior_uncertainty(prior, guess)) for prior in odds], color="0.6", label="no mechanism")
for level in ("1/4", "1/2", "3/4"):
    [kernel] = xdp.kernel_mechanisms(edge, level)
    ends = sorted(kernel.polytope.vertex(k)[0] for k in kernel.support)
    assert ends == [1 - ends[1], 1 / (1 + xdp.Rational(level))]
    ax.plot(shown, [float(xdp.uncertainty(kernel.mechanism, prior, guess)) for prior in odds], label=f"$T$ at α = {level}")
    print("α =", level, " posteriors", *ends)
ax.legend()
plt.show()

# %% [markdown]
# ## The line (Figure 7a)
#
# All kernel mechanisms, counted completely, and the two capacities: the largest factor (the largest increase)
# by which an output can raise what anyone gains, whatever the prior and the gain. Both are attained by the
# geometric mechanism.


# %%
def table(title, head, rows):
    """Exact numbers in columns."""
    print(title)
    for row in (head, *rows):
        print("  " + "  ".join(str(x).rjust(max(len(name), 8)) for x, name in zip(row, head)))


rows = []
for n in range(2, 7):
    near = xdp.neighbours(f"path:{n}")
    found = xdp.kernel_count(near, HALF, keep=False).evidence
    capacities = [xdp.type_capacity(near, HALF, kind).evidence.value for kind in ("multiplicative", "additive")]
    assert capacities == [xdp.capacity(xdp.geometric(n - 1, HALF), kind).evidence.value for kind in ("multiplicative", "additive")]
    rows.append((n, len(found.polytope), found.count, *capacities))
table("line, α = 1/2", ("n", "vertices", "kernel mechanisms", "multiplicative", "additive"), rows)

# %% [markdown]
# The number of kernel mechanisms depends on the level; the capacities are rational functions of it.

# %%
counts = xdp.kernel_counts(xdp.neighbours("path:4")).evidence
print("4 inputs:", *(f"{piece}: {count}" for piece, count in counts.pieces))
a = xdp.RationalFunctionField().gen
for kind in ("multiplicative", "additive"):
    print(kind, *(f"n={n}: {xdp.type_capacity(xdp.neighbours(f'path:{n}'), a, kind).evidence.value}" for n in (2, 3, 4, 5)), sep="\n   ")

# %% [markdown]
# ## The discrete metric (Figure 8a)
#
# Here the kernel mechanisms are the minimal balanced collections of sets of inputs, the same number at every
# level. Random response attains the multiplicative capacity $n/(1+(n-1)\alpha)$, its dual the additive one
# $(n-1)(1-\alpha)/(n-1+\alpha)$.

# %%
rows = []
for n in range(2, 7):
    near = xdp.neighbours(f"complete:{n}")
    found = xdp.kernel_count(near, HALF, keep=False).evidence
    capacities = [xdp.type_capacity(near, HALF, kind).evidence.value for kind in ("multiplicative", "additive")]
    assert capacities == [n / (1 + (n - 1) * HALF), (n - 1) * HALF / (n - HALF)]
    rows.append((n, len(found.polytope), found.count, *capacities))
table("discrete metric, α = 1/2", ("n", "vertices", "kernel mechanisms", "multiplicative", "additive"), rows)

# %% [markdown]
# ## Grids with the Euclidean metric (Figure 9a)
#
# Now the levels $e^{-\varepsilon}$, $e^{-\varepsilon\sqrt 2}$, … are numbers of one field; with
# $t = e^{-\varepsilon}$, $t_2 = e^{-\varepsilon\sqrt 2}$ and so on everything stays exact. The decimals are
# only for the eye. Vertices and kernel mechanisms are counted where that takes seconds; the number of kernel
# mechanisms depends on $\varepsilon$.

# %%
rows, values = [], {}
for text in ("euclid:2x2", "euclid:2x3"):
    near = xdp.neighbours(text)
    for epsilon in ("1/10", "1", "3"):
        level = xdp.level_for(near, epsilon)
        vertices = xdp.vertex_count(near, level).evidence.count
        kernels = xdp.kernel_count(near, level, keep=False).evidence.count if len(near.vertices) == 4 else ""
        for kind in ("multiplicative", "additive"):
            values[text, epsilon, kind] = xdp.type_capacity(near, level, kind).evidence.value
        decimals = [f"{float(values[text, epsilon, kind]):.6f}" for kind in ("multiplicative", "additive")]
        rows.append((text, epsilon, vertices, kernels, *decimals))
table("Euclidean grids", ("grid", "ε", "vertices", "kernel mechanisms", "multiplicative", "additive"), rows)
print(
    "exactly, at ε = 1, for the grid of 2 × 2:", values["euclid:2x2", "1", "multiplicative"], "and", values["euclid:2x2", "1", "additive"]
)

# %% [markdown]
# ## The Hamming cube (Figure 10a)
#
# "Even on bitstrings of length 3 the number of kernel mechanisms exceeds 29000": there are 29213 at
# $\alpha = 1/2$.

# %%
rows = []
for d in (1, 2, 3):
    near = xdp.neighbours(f"hypercube:{d}")
    found = xdp.kernel_count(near, HALF, keep=False).evidence
    capacities = [xdp.type_capacity(near, HALF, kind).evidence.value for kind in ("multiplicative", "additive")]
    assert capacities == [(2 / (1 + HALF)) ** d, 1 - (2 * HALF / (1 + HALF)) ** d]
    rows.append((d, len(found.polytope), found.count, *capacities))
table("bits, α = 1/2", ("bits", "vertices", "kernel mechanisms", "multiplicative", "additive"), rows)

# %% [markdown]
# ## Is one mechanism enough?
#
# On a path yes, for losses that cross once. On a triangle not even for the Bayes risk: two priors have no
# common best mechanism, and that is so at every level. But the star, which is no path, has one as long as
# $(\deg - 1)\,\alpha \le 1$.

# %%
for text, level in (("path:3", "1/2"), ("complete:3", "1/2"), ("star:4", "1/2"), ("star:4", "3/5")):
    near = xdp.neighbours(text)
    verdict = xdp.universally_optimal_mechanism(near, level, xdp.Loss.zero_one(near.vertices))
    print(text, level, verdict.decision.name, verdict.evidence.rule, "certificate:", xdp.certify(verdict).kind)

# %% [markdown]
# For every level at once the answer comes in pieces, single levels among them, each with its argument. With
# `theorems=False` nothing is used that is proved for whole families of graphs: the priors that rule out the
# triangle are then found, and shown.

# %%
star, cycle = xdp.neighbours("star:4"), xdp.neighbours("complete:3")
every = xdp.universal_by_level(star, xdp.Loss.zero_one(star.vertices))
searched = xdp.universal_by_level(cycle, xdp.Loss.zero_one(cycle.vertices), theorems=False)
for verdict in (every, searched):
    near = verdict.evidence.neighbours
    rows = []
    for piece, (yes, why) in verdict.evidence.pieces:
        where = f"a = {piece.lower}" if piece.is_point else piece
        rows.append((where, "yes" if yes else "no", why.rule, len(why.priors) or ""))
    table(f"{near}, zero-one loss: is one mechanism best for every prior?", ("levels", "answer", "argument", "priors"), rows)
    print("certificate:", xdp.certify(verdict).kind)

# %% [markdown]
# A notebook shows verdicts, mechanisms and hyper-distributions as tables.

# %%
every
