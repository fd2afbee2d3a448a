"""Detectors that detect-secrets 1.5 lacks: of object stores, model services, Ceph, and of secrets by name alone."""

from __future__ import annotations

import re

from detect_secrets.plugins.base import RegexBasedDetector

from checks.hygiene.limits import limits


class StorageKeyDetector(RegexBasedDetector):
    """Keys of an object store as DLIO prints its storage options and launchers their environment."""

    secret_type = "object storage key"
    denylist = (
        re.compile(
            rf"(?<![A-Za-z])(?:{'|'.join(limits().storage_keys)})[\'\"]?\s*[:=]\s*[\'\"]?"
            rf"((?=[^\s\'\",;]*\d)[^\s\'\",;{{}}()\[\]$<>]{{8,}})",
            re.IGNORECASE,
        ),
    )


class PasswordDetector(RegexBasedDetector):
    """Passwords given by name, in an environment, a record or a command, and tokens that look like nothing special."""

    _names = "|".join(limits().password_keys)
    _value = r"[\'\"]?((?=[^\s\'\",;]*\d)[^\s\'\",;{}()\[\]$<>]{8,})"
    secret_type = "password or token"
    denylist = (
        re.compile(rf"(?<![A-Za-z])(?:{_names})[\'\"]?\s*[:=]\s*{_value}", re.IGNORECASE),
        re.compile(rf"--(?:{_names})\s+{_value}"),
    )


class ModelServiceTokenDetector(RegexBasedDetector):
    """Tokens of services that models come from or are called at."""

    secret_type = "token of a model service"
    denylist = (
        re.compile(r"(?<![A-Za-z0-9])(hf_[A-Za-z0-9]{30,})"),  # Hugging Face
        re.compile(r"(?<![A-Za-z0-9])(sk-(?:proj|ant|svcacct|or)-[A-Za-z0-9_-]{24,})"),  # OpenAI, Anthropic, OpenRouter
        re.compile(r"(?<![A-Za-z0-9])(AIza[A-Za-z0-9_-]{35})"),  # Google
    )


class CephKeyDetector(RegexBasedDetector):
    """Keys of Ceph clients, as keyrings and mount options have them."""

    secret_type = "Ceph key"
    denylist = (re.compile(r"(?:key|secret)\s*[:=]\s*(AQ[A-Za-z0-9+/]{36}==)"),)


class FineGrainedTokenDetector(RegexBasedDetector):
    """GitHub's fine-grained tokens."""

    secret_type = "GitHub token"
    denylist = (re.compile(r"(github_pat_[A-Za-z0-9_]{22,})"),)


OWN = (
    StorageKeyDetector, FineGrainedTokenDetector, PasswordDetector, ModelServiceTokenDetector, CephKeyDetector,
)  # fmt: skip
"""All of them; what each looks for first stands in ``hygiene.yaml``."""
