"""Rules on what a point declares of its steady state (rules 4.4) and of its warm-up (rules 6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from checks.documents import described, shortened
from checks.endpoints.book import rule
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.inputs import PointConfig
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import text, whole
from checks.findings import Level
from checks.json_text import escaped
from checks.rules import Each, Outcome
from checks.units import did_you_mean, listed

STEADY_STATE: Final = "/steady_state"
SALT: Final = "/runtime_settings/warmup/salt"
_DRIFTING: Final = "drifting"


@rule("steady-state-valid", "steadyStateVocabulary", section="4.4")
def steady_state_vocabulary(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """Status, verdict and states of `steady_state` are words of the rules.

    Why: The words decide whether the point's figures are official.
    Mend: Copy the block from the client's report.
    """
    yield from told_once((config, fault) for config in configs for fault in _unknown_words(config, tables))


def _unknown_words(config: PointConfig, tables: EditionTables) -> Iterator[DocumentFault]:
    states = config.get(f"{STEADY_STATE}/state")
    metrics = [f"state/{escaped(metric)}" for metric in states] if isinstance(states, dict) else []
    for key in ("status", "verdict", *metrics):
        pointer = f"{STEADY_STATE}/{key}"
        value, known = config.get(pointer), tables.vocabulary[f"steady_state_{key.partition('/')[0]}"]
        if value is not None and not (isinstance(value, str) and value in known):
            words = sorted(known)
            meant = did_you_mean(value, words) if isinstance(value, str) else ""
            message = f"`{key.replace('/', '.')}` is {described(value)}; allowed are {listed(words)}."
            yield DocumentFault(pointer, message, f"Copy the block from the client's report.{meant}")


@rule("steady-state-consistency", "steadyStateAgrees", section="4.4")
def steady_state_agrees(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """A `windowable` point has a window of at least 4 super-passes and no drifting state; a point of
    `insufficient_passes` has fewer.

    Why: A status that its own figures contradict was not written by the client.
    Mend: Copy the block from the client's report.
    """
    least = tables.limits.minimum_super_passes
    for config in configs:
        status, passes = config.get(f"{STEADY_STATE}/status"), super_passes(config)
        if status == "windowable" and passes is not None and passes < least:
            message = (
                f"The status is `windowable`, but the window has {passes} super-passes; at least {least} required."
            )
            yield config.finding(f"{STEADY_STATE}/window", message, "Copy the block from the client's report.")
        elif status == "insufficient_passes" and passes is not None and passes >= least:
            message = f"The status is `insufficient_passes`, but the window has {passes} super-passes, {least} suffice."
            yield config.finding(f"{STEADY_STATE}/window", message, "Copy the block from the client's report.")
        drifting = _drifting(config)
        if status == "windowable" and drifting:
            message = f"The status is `windowable`, but {listed(drifting)} drifts."
            yield config.finding(f"{STEADY_STATE}/state", message, "Copy the block from the client's report.")


def super_passes(config: PointConfig) -> int | None:
    """Super-passes of a point's window, both ends included; None where they are not stated."""
    start, end = (whole(config.get(f"{STEADY_STATE}/window/super_pass_{key}")) for key in ("start", "end"))
    return None if start is None or end is None else end - start + 1


def _drifting(config: PointConfig) -> list[str]:
    states = config.get(f"{STEADY_STATE}/state")
    found = states.items() if isinstance(states, dict) else ()
    return [metric for metric, state in found if isinstance(state, str) and state.casefold().startswith(_DRIFTING)]


@rule("steady-state-basis", "steadyStateOfficial", section="4.4")
def steady_state_official(curve: Curve, configs: Each[PointConfig]) -> Outcome:
    """A point's figures are official where its steady state is declared, `windowable`, and does not drift.

    Why: Other points are published with a mark, if at all.
    Mend: Add the block that the client reports, or repeat the run for longer.
    """
    online = (config for config in configs if not config.is_dedicated_offline)
    yield from told_once((config, fault) for config in online for fault in _not_official(config))


def _not_official(config: PointConfig) -> Iterator[DocumentFault]:
    block = config.get(STEADY_STATE)
    status, verdict = config.get(f"{STEADY_STATE}/status"), config.get(f"{STEADY_STATE}/verdict")
    if block is None:
        message = "`steady_state` is missing, so the figures are not official."
        yield DocumentFault("", message, "Add the block that the client reports.")
    elif status != "windowable":
        message = f"The steady state's status is {described(status)}, so the figures are not official."
        yield DocumentFault(f"{STEADY_STATE}/status", message, "Repeat the run for longer.")
    elif isinstance(verdict, str) and verdict.startswith(_DRIFTING):
        message = f"The steady state's verdict is {described(verdict)}, so the figures are not official."
        yield DocumentFault(f"{STEADY_STATE}/verdict", message, "Repeat the run for longer.")


@rule("warmup-present", "warmupDeclared", section="6.3.3")
def warmup_declared(curve: Curve, configs: Each[PointConfig]) -> Outcome:
    """point.yaml declares the warm-up, also where there was none.

    Why: The state that a warm-up leaves changes the measurement; ambiguous documentation is a ground for objections.
    Mend: Add `warmup` with its six declarations; zeros and an empty list say that there was none.
    """
    lacking = (config for config in configs if isinstance(config.data, dict) and config.get("/warmup") is None)
    hint = "Add duration_s, requests_issued, requests_completed, data_source, concurrency and initialization_steps."
    yield from told_once((config, DocumentFault("", "`warmup` is not declared.", hint)) for config in lacking)


@rule("warmup-logs-retained", "warmupLogsRetained", section="6.3.2")
def warmup_logs_retained(curve: Curve, configs: Each[PointConfig]) -> Outcome:
    """The logs of a warm-up are kept: `logs_retained` is true.

    Why: Reviewers may compare them with the data set.
    Mend: Keep the logs and say so.
    """
    message = "`logs_retained` of the warm-up is not true."
    fault = DocumentFault("/warmup/logs_retained", message, "Keep the logs and declare it.")
    warmed = (config for config in configs if whole(config.get("/warmup/requests_issued")))
    yield from told_once((config, fault) for config in warmed if config.get("/warmup/logs_retained") is not True)


@rule("warmup-salt", "warmupSalted", section="6.3.3")
def warmup_salted(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """A warm-up that uses the performance data set is salted: `runtime_settings.warmup.salt` is true.

    Why: Else the measured queries would meet a cache that the warm-up has filled.
    Mend: Use other data for the warm-up, or turn salting on, which it is not by default.
    Contested: The public checker warns where salting is on; that is a notice here, since salting is what the
    requirements ask for. What the warm-up sent is not in the package: the text of `data_source` is compared with the
    data set's names.
    """
    level = Level(tables.severity("warmup-salt", "on"))
    yield from told_once((config, fault) for config in configs for fault in _salting(config, level))


def _salting(config: PointConfig, level: Level) -> Iterator[DocumentFault]:
    source = _plain(text(config.get("/warmup/data_source")) or "")
    declared = (text(config.get(pointer)) for pointer in ("/dataset", "/dataset_name"))
    named = next((name for name in declared if name and _plain(name) and _plain(name) in source), None)
    if config.get(SALT) is True:
        message = "Salting of the warm-up is on: it may use the performance data set."
        yield DocumentFault(SALT, message, "Nothing to do; reviewers compare the logs with the data set.", level)
    elif named is not None:
        message = f"The warm-up's `data_source` names the data set {listed([shortened(named)])}, and salting is not on."
        yield DocumentFault("/warmup/data_source", message, "Use other data, or turn on `warmup.salt` and repeat.")


@lru_cache(maxsize=1024)
def _plain(name: str) -> str:
    """A name by which data sets are compared: people write CNN DailyMail for ``cnn_dailymail``."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
