# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis.determinant import determinant as determinant
from .analysis.letters.conditions import conditions as conditions
from .analysis.letters.values import mechanism_loss as mechanism_loss
from .arguments.generalisation.generalise import generalise as generalise
from .exact import QQ as QQ
from .exact import AlgebraicNumber as AlgebraicNumber
from .exact import ExactMatrix as ExactMatrix
from .exact import ExponentialField as ExponentialField
from .exact import Interval as Interval
from .exact import Rational as Rational
from .exact import RationalFunctionField as RationalFunctionField
from .exact import Region as Region
from .exact import RegionField as RegionField
from .exact import from_float as from_float
from .exact.comparison import same_formula as same_formula
from .exact.sympy_objects import from_sympy as from_sympy
