"""The documents that DLIO, the benchmark under training and checkpointing, leaves in a timestamp folder."""

from __future__ import annotations

from typing import Self

from checks import names
from checks.documents import JsonDocument, YamlDocument
from checks.rules import Missing, natural
from checks.session import Session
from checks.storage.inputs import SUMMARY_REPORTERS, LeafDocument
from checks.storage.leaves import Leaf
from checks.storage.terms import CHECKPOINTING, TRAINING

CONFIG_REPORTERS = {TRAINING: "2.1.20", CHECKPOINTING: "2.1.26"}
"""The rule that demands the files of ``dlio_config``, by benchmark."""


class ConfigDocument(LeafDocument, YamlDocument):
    """A file of ``dlio_config``, which belongs to the timestamp folder above."""

    @staticmethod
    def folder_of(path: str) -> str:
        """The path of the timestamp folder."""
        return names.parent(names.parent(path))


class DlioConfig(ConfigDocument):
    """``dlio_config/config.yaml``: the effective configuration, everything under ``workload``."""

    what = "dlio_config/config.yaml"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        path = unit.inside("dlio_config", "config.yaml")
        return session.file(cls, path, see=CONFIG_REPORTERS.get(unit.workload.benchmark, ""))


class DlioOverrides(ConfigDocument):
    """``dlio_config/overrides.yaml``: what was changed, a list of ``++workload.<name>=<value>`` whose first item names
    the configuration, ``workload=<model>_<accelerator type>``.
    """

    what = "dlio_config/overrides.yaml"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        path = unit.inside("dlio_config", "overrides.yaml")
        return session.file(cls, path, see=CONFIG_REPORTERS.get(unit.workload.benchmark, ""))


class EpochStats(LeafDocument, JsonDocument):
    """``<rank>_per_epoch_stats.json``: when each step of a run began and ended; the lowest rank's stands for all."""

    what = "*_per_epoch_stats.json"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        found = [name for name in unit.files if name.endswith("per_epoch_stats.json")]
        if not found:
            return Missing("no *_per_epoch_stats.json", unit.path, SUMMARY_REPORTERS.get(unit.workload.benchmark, ""))
        return session.document(cls, unit.inside(min(found, key=natural)))
