# The names of this package and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .plan import Plan as Plan
from .question import Question as Question
from .run import Sweep as Sweep
from .run import sweep as sweep
