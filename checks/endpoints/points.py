"""Rules on point.yaml of each point (rules 6.1, 6.5, 8.3): shape, disclosure, load pattern, streaming."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from checks.documents import described, shortened
from checks.endpoints.book import rule
from checks.endpoints.consistency import DEFAULT_PATTERN, LOAD_PATTERN
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.inputs import ClientConfig, PointConfig
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import figure, is_blank, number, text, whole
from checks.findings import Finding, Level
from checks.json_schema import compiled, faults, quick
from checks.rules import Each, Outcome, Present
from checks.units import counted, did_you_mean, listed

SCHEMA: Final = ("checks.endpoints", "point")

DISCLOSED: Final = (
    "division",
    "max_supported_concurrency",
    "model_name",
    "model_precision",
    "link_to_model",
    "dataset_name",
    "dataset_type",
    "dataset_link",
    "shared_src",
    "shared_docs",
    "seed_set",
    "target_cohort",
)
"""What every point.yaml must disclose (rules 8.3)."""

STREAMING: Final = "/runtime_settings/stream_all_chunks"

_CLIENT_LOAD_PATTERNS: Final = (LOAD_PATTERN, "/settings/load_pattern", "/load_pattern")
"""Where configurations of the client say how requests are issued: a word, or an object with ``type``."""


@rule("point-config-valid", "pointShape", section="8.3")
def point_shape(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """point.yaml is a mapping in which each value is of its kind: whole numbers, texts, the six declarations of the
    warm-up with at most 24 hours, a division and a type of data set that the rules know.

    Why: A value that can't be read can't be judged.
    Mend: Correct the value that the finding names; numbers stand without quotes.
    Contested: `initialization_steps` is optional for the public checker; the requirements list it among the six
    declarations, so that it must be there, if only as an empty list. The public checker does not look at the division.
    """
    yield from told_once((config, fault) for config in configs for fault in _shape_faults(config, tables))


def _shape_faults(config: PointConfig, tables: EditionTables) -> Iterator[DocumentFault]:
    if not quick(*SCHEMA)(config.data):
        for fault in faults(compiled(*SCHEMA), config.data, one_top_key=False):
            yield DocumentFault(fault.pointer, fault.message, fault.hint)
    yield from _unknown_word(config, "division", tables.disclosure.divisions)
    yield from _unknown_word(config, "dataset_type", sorted(tables.vocabulary["dataset_types"]))
    yield from _warmup_faults(config, tables.limits.warmup_maximum_s)


def _unknown_word(config: PointConfig, key: str, words: Any) -> Iterator[DocumentFault]:
    value = config.get(f"/{key}")
    if isinstance(value, str) and value.strip() and value not in words:
        message = f"`{key}` is {described(value)}; allowed are {listed(words)}."
        yield DocumentFault(f"/{key}", message, f"Use one of the words.{did_you_mean(value, words)}")


def _warmup_faults(config: PointConfig, longest_s: int) -> Iterator[DocumentFault]:
    duration, source = number(config.get("/warmup/duration_s")), config.get("/warmup/data_source")
    if isinstance(source, str) and source and not source.strip():
        message = "The warm-up's `data_source` holds nothing but blanks."
        yield DocumentFault("/warmup/data_source", message, "Name the data that the warm-up sent.")
    issued, completed = (whole(config.get(f"/warmup/requests_{key}")) for key in ("issued", "completed"))
    if duration is not None and duration > longest_s:
        message = f"The warm-up of {duration:,} s is longer than 24 hours; at most {longest_s:,} s allowed."
        yield DocumentFault("/warmup/duration_s", message, "Repeat the run with a shorter warm-up.")
    if issued is not None and completed is not None and completed > issued:
        message = f"The warm-up completed {completed:,} requests, more than the {issued:,} issued."
        yield DocumentFault("/warmup/requests_completed", message, "Give the figures of the warm-up's log.")
    if whole(config.get("/warmup/concurrency")) == 0 and (issued or duration):
        message = f"The warm-up has concurrency 0, but issued {counted(issued or 0, 'request')} in {duration or 0:,} s."
        yield DocumentFault("/warmup/concurrency", message, "Give the concurrency of the warm-up.")


@rule("point-disclosure-complete", "pointDisclosure", section="8.3")
def point_disclosure(curve: Curve, configs: Each[PointConfig]) -> Outcome:
    """point.yaml discloses division, C_max, model with precision and link, data set with type and link, source and
    documents, seed set and target cohort; none of them is blank.

    Why: What is not disclosed can't be reviewed; such a point does not count (9.1).
    Mend: Fill in what the finding lists.
    Contested: A value of blanks passes the public checker; it discloses nothing.
    """
    yield from told_once((config, fault) for config in configs for fault in _undisclosed(config))


def _undisclosed(config: PointConfig) -> Iterator[DocumentFault]:
    if not isinstance(config.data, dict):
        return
    missing = [key for key in DISCLOSED if is_blank(config.data.get(key))]
    if missing:
        present = [key for key in missing if key in config.data]
        pointer = f"/{present[0]}" if present and len(present) == len(missing) else ""
        yield DocumentFault(pointer, f"Not disclosed: {listed(missing, len(DISCLOSED))}.", "Fill in each of them.")


@rule("load-pattern", "loadPattern", section="6.1")
def load_pattern(
    curve: Curve, configs: Each[PointConfig], clients: Present[ClientConfig], tables: EditionTables
) -> Outcome:
    """A point is run at a fixed concurrency above 0: the load pattern is `concurrency`, or `agentic_inference` for
    multi-turn models; a dedicated Offline run may use `max_throughput`.

    Why: Points of another pattern can't be compared (9.1: such points do not count).
    Mend: Repeat the run with the benchmark's pattern.
    Contested: The public checker accepts any pattern of a dedicated Offline run, also `poisson`; the requirements call
    `max_throughput` invalid, the newer rules 5.7 need it for a dedicated Offline run. A config.yaml that names another
    pattern than point.yaml is the client's own record and is reported as well.
    """
    yield from told_once((config, fault) for config in configs for fault in _no_pattern(config, tables))
    of_client = {client.folder: client for client in clients}
    for config in configs:
        pattern = config.get(LOAD_PATTERN)
        if (client := of_client.get(config.folder)) is not None and (pattern is None or text(pattern) is not None):
            yield from _recorded_otherwise(client, text(pattern) or DEFAULT_PATTERN)
        concurrency = whole(config.get("/concurrency"))
        if concurrency is not None and concurrency <= 0:
            message = f"`concurrency` is {figure(concurrency)}; at least 1 is required."
            yield config.finding("/concurrency", message, "Give the concurrency of the run.")


def _no_pattern(config: PointConfig, tables: EditionTables) -> Iterator[DocumentFault]:
    pattern, allowed = config.get(LOAD_PATTERN), tables.vocabulary["load_patterns"]
    if config.is_dedicated_offline:
        allowed |= tables.vocabulary["offline_load_patterns"]
    if pattern is None and config.has(LOAD_PATTERN):
        yield DocumentFault(LOAD_PATTERN, "`load_pattern` is null; a word is required.", "Declare the run's pattern.")
    elif pattern is None and isinstance(config.get("/runtime_settings"), dict):
        level = Level(tables.severity("load-pattern", "absent"))
        message = f"`load_pattern` is not declared; the client's default is {DEFAULT_PATTERN}."
        yield DocumentFault(LOAD_PATTERN, message, "Declare the pattern of the run.", level)
    elif pattern is not None and not (isinstance(pattern, str) and pattern in allowed):
        message = f"`load_pattern` is {described(pattern)}; allowed are {listed(sorted(allowed))}."
        yield DocumentFault(LOAD_PATTERN, message, "Repeat the run with the benchmark's own pattern.")


def _recorded_otherwise(client: ClientConfig, declared: str) -> Iterator[Finding]:
    for pointer in _CLIENT_LOAD_PATTERNS:
        value = client.get(pointer)
        recorded = text(value.get("type") if isinstance(value, dict) else value)
        if recorded is not None and recorded != declared:
            stated = listed([shortened(recorded), shortened(declared)])
            message = f"config.yaml and point.yaml name different load patterns: {stated}."
            yield client.finding(pointer, message, "Disclose the pattern that the client was run with.")


@rule("streaming-config", "streamAllChunks", section="6.5")
def stream_all_chunks(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """Responses are streamed: `stream_all_chunks` is true.

    Why: Times per token are measured on the chunks as they arrive.
    Mend: Repeat the run with streaming.
    Contested: The requirements page demands true; rules 6.5 in their newer form allow both, and the public checker
    reports it as information only since 1.1.1.0. The page is followed; the level can be set. Left out, the client's
    default is true, which is a notice.
    """
    absent = Level(tables.severity("streaming-config", "absent"))
    yield from told_once((config, fault) for config in configs for fault in _not_streamed(config, absent))


def _not_streamed(config: PointConfig, absent: Level) -> Iterator[DocumentFault]:
    value = config.get(STREAMING)
    if value is False:
        message = "`stream_all_chunks` is false; true is required."
        yield DocumentFault(STREAMING, message, "Repeat the run with streaming of all chunks.")
    elif value is None:
        message = "`stream_all_chunks` is not declared; the client's default is true."
        yield DocumentFault("/runtime_settings", message, "Declare `stream_all_chunks: true`.", absent)
