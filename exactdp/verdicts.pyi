# The names of this topic and where they live, one line a name (exactdp/stubs.py reads it at run time).

from .analysis import Decision as Decision
from .analysis import Scope as Scope
from .analysis import Verdict as Verdict
from .certificate import Certificate as Certificate
from .certificate import certify as certify
from .certificate.loading import load as load
from .certificate.since import changes_since as changes_since
from .certificate.verification import verify as verify
from .report.register import register_audit as register_audit
from .report.register import verify_register as verify_register
from .runtime.budget import budget as budget
from .runtime.progress import Progress as Progress
from .runtime.progress import progress_bar as progress_bar
