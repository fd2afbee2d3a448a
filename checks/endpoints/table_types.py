"""Types of the versioned tables.

What an edition of the Endpoints rules fixes as data (see :mod:`checks.endpoints.tables`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

PERCENT: Final = 100


class Gate(NamedTuple):
    """Bounds of one accuracy metric, both inclusive; None is no bound (rules 4.3)."""

    lower: float | None = None
    upper: float | None = None

    @property
    def is_percentage(self) -> bool:
        """Whether the metric is a part of 100: it has a floor only, and that lies within 100."""
        return self.upper is None and self.lower is not None and self.lower <= PERCENT

    def passes(self, score: float) -> bool:
        """Whether ``score`` lies within the bounds; what is no finite number never does."""
        if not math.isfinite(score):
            return False
        return (self.lower is None or score >= self.lower) and (self.upper is None or score <= self.upper)


class AgenticGates(NamedTuple):
    """Gates of an agentic model (rules 4.3): percent for the floors, tokens for the range of mean output lengths."""

    inline_floor: float
    swe_bench_mean_floor: float
    osl_range: tuple[float, float]


class Model(NamedTuple):
    """A benchmark model: canonical name, family (``single-turn`` or ``agentic``), gates by lower-case metric name."""

    name: str
    family: str
    section: str
    minimum_samples: int | None
    gates: Mapping[str, Gate]
    agentic: AgenticGates | None

    @property
    def is_agentic(self) -> bool:
        """Whether the multi-turn rules apply."""
        return self.family == "agentic"


class SeedSet(NamedTuple):
    """A published seed set (rules 4.6); ``published_for`` is the id of its cohort, the seeds have arbitrary size."""

    id: str
    published_for: str
    scheduler_rng_seed: int
    sample_index_rng_seed: int
    model_seed: int

    @property
    def seeds(self) -> dict[str, int]:
        """The three seeds by the name of their setting under ``runtime_settings.runtime``."""
        names = ("scheduler_rng_seed", "sample_index_rng_seed", "model_seed")
        return {name: getattr(self, name) for name in names}


class Drafter(NamedTuple):
    """An approved drafter (rules 2.9.4): identified by its weights, or by target and configuration."""

    benchmark: str
    approved_cohort: str
    model_id: str
    weight_checksum: str | None = None
    target_checksum: str | None = None
    configuration: Mapping[str, object] | None = None


class CoolingClass(NamedTuple):
    """A class of cooling texts and the overhead fraction that it stands for (4.5.2)."""

    name: str
    pattern: re.Pattern[str]
    overhead: float


class CpuRow(NamedTuple):
    """One row of D.2: up to ``cores`` cores (None: without end) a CPU draws ``watts``."""

    cores: int | None
    watts: float


class Architecture(NamedTuple):
    """A CPU architecture of D.2, recognised by a pattern in the lower-cased model name."""

    name: str
    pattern: re.Pattern[str]
    rows: tuple[CpuRow, ...]


class PowerTable(NamedTuple):
    """Constants of the power model.

    Cooling classes, Appendix D defaults in watts, tolerances and plausibility bounds.
    """

    cooling: tuple[CoolingClass, ...]
    mixed_overhead: float
    cpus: tuple[Architecture, ...]
    accelerators: Mapping[str, float]
    nic_w: float
    switches: Mapping[str, Mapping[str, float]]
    default_sections: tuple[str, ...]
    computed_tolerance_w: float
    computed_tolerance_kw: float
    largest_power_w: float
    largest_count: int


class Limits(NamedTuple):
    """Limits of curves and points. Durations in seconds, ratios and tolerances as fractions, the rest are counts."""

    minimum_points: int
    minimum_points_dedicated_offline: int
    maximum_points: int
    ultra_low_maximum: int
    margin_factor: float
    ultra_low_duration_s: int
    duration_s: int
    agentic_duration_s: int
    warmup_maximum_s: int
    minimum_super_passes: int
    metric_tolerance: float
    utilization_tolerance: float
    offline_throughput_ratio: float
    shortened_name_maximum: int
    adoption_cohorts: int
    drafter_lead_cohorts: int
    agentic_accuracy_results: int

    def steady_state_seconds(self, concurrency: int, *, agentic: bool) -> int:
        """Minimum steady-state duration of a point (6.2): Ultra Low is concurrency 1-32 whatever the regions are."""
        if concurrency <= self.ultra_low_maximum:
            return self.ultra_low_duration_s
        return self.agentic_duration_s if agentic else self.duration_s


class Disclosure(NamedTuple):
    """What each division must disclose: item -> division -> ``required``, ``optional``, …"""

    divisions: tuple[str, ...]
    items: Mapping[str, Mapping[str, str]]

    def requires(self, item: str, division: str) -> bool:
        """Whether ``division`` must disclose ``item``.

        An unknown division must disclose nothing (another rule names it).
        """
        return self.items[item].get(division) == "required"

    def required_of(self, division: str) -> frozenset[str]:
        """Everything that ``division`` must disclose."""
        return frozenset(item for item in self.items if self.requires(item, division))


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of one edition. ``sections`` gives the source of a limit or vocabulary by its name."""

    edition: str
    models: Mapping[str, Model]
    datasets: Mapping[str, int]
    seed_sets: Mapping[str, SeedSet]
    drafters: tuple[Drafter, ...]
    power: PowerTable
    limits: Limits
    disclosure: Disclosure
    vocabulary: Mapping[str, frozenset[str]]
    severities: Mapping[str, str]
    case_severities: Mapping[str, str]
    sections: Mapping[str, str]

    def severity(self, rule: str, case: str | None = None) -> str:
        """Default level of ``rule``, or of one ``case`` of its answers where that weighs differently.

        KeyError: the table has no such rule or case.
        """
        if case is None:
            return self.severities[rule]
        return self.case_severities[f"{rule}.{case}"]
