# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis.inference import bayesian_update as bayesian_update
from .analysis.inference import clip_and_renormalise as clip_and_renormalise
from .analysis.inference import likelihood_gap as likelihood_gap
from .analysis.inference import matrix_inversion as matrix_inversion
from .analysis.inference import maximum_likelihood as maximum_likelihood
from .analysis.inference import project_to_simplex as project_to_simplex
from .analysis.leakage import posteriors as posteriors
