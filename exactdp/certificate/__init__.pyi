# The names of this package and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .certificate import Certificate as Certificate
from .certificate import certify as certify
