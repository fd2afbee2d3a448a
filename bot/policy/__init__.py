"""The maintainers' configuration, `.github/submission-checks.yml` at the base commit, and what it does to a report.

An absent file, an unreadable one and a faulty one are three things: :data:`DEFAULT`, the caller's own fault, and
:class:`PolicyFault`. A faulty configuration is never replaced by the defaults.
"""

from bot.policy.file import MAX_BYTES, PATH, PolicyFault, faults_of, load_text, schema
from bot.policy.model import DEFAULT, Annotations, Phase, Policy, Round, UnchangedFiles, Waiver
from bot.policy.preview import preview
from bot.policy.root import RootGoneError, root_of
from bot.policy.ruling import Occasion, apply

__all__ = [
    "DEFAULT",
    "MAX_BYTES",
    "PATH",
    "Annotations",
    "Occasion",
    "Phase",
    "Policy",
    "PolicyFault",
    "RootGoneError",
    "Round",
    "UnchangedFiles",
    "Waiver",
    "apply",
    "faults_of",
    "load_text",
    "preview",
    "root_of",
    "schema",
]
