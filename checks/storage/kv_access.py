"""Rules 6.4.1 to 6.5.2: where a KV-cache run keeps its cache, and how it reaches it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from checks.findings import Finding, Level
from checks.rules import Outcome
from checks.storage.book import not_checkable, rule
from checks.storage.df import plain_path
from checks.storage.filesystems import Evidence, Places
from checks.storage.inputs import Metadata
from checks.storage.kv_commands import CACHE_BASE, commands_in
from checks.storage.leaves import KVCacheRun
from checks.units import counted, listed

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
"""The beginning of an address such as ``s3://bucket``, which no POSIX path has."""


@rule("6.4.1", "kvcachePosixCacheDir")
def kvcache_cache_dir(run: KVCacheRun, record: Metadata, evidence: Evidence | None) -> Outcome:
    """The folders of the cache (`--cache-dir`) and of the results (`--results-dir`) are both set, different, and on
    different filesystems.

    Why: Writing results and logs must not perturb the storage under test.

    Mend: Run again with `--results-dir` on other storage than `--cache-dir`.

    Contested: The document notes that its own checker does not verify this. Where a run left no evidence of its
    filesystems, as most do, there is a notice.
    """
    record.mapping("/args")
    places = Places.of(record, "the cache", ("cache_dir",))
    yield from places.path_findings()
    for finding in places.separation_findings(run, evidence, Level.NOTICE):
        yield (
            finding
            if finding.level is not Level.NOTICE
            else replace(finding, hint="Nothing to do where the system's description shows that they are apart.")
        )


@rule("6.4.1", "kvcachePosixCacheDir", level=Level.WARNING)
def kvcache_cache_used(run: KVCacheRun, record: Metadata) -> Outcome:
    """The commands put the cache where `--cache-dir` says.

    Why: What is recorded of the folder's filesystem is of another folder than the one that was measured.

    Mend: Restore the metadata file as the tool wrote it, or run again.
    """
    del run
    told = record.text("/args/cache_dir", None)
    used = [(command, path) for command in commands_in(record) for path in command.values(CACHE_BASE) if path]
    others = [(command, path) for command, path in used if told and plain_path(path) != plain_path(told)]
    if others:
        command, path = others[0]
        message = f"{counted(len(others), 'command')} put the cache into {listed([path])}; `args.cache_dir` is "
        hint = "Restore the metadata file as the tool wrote it, or run again."
        yield record.finding(command.pointer, f"{message}{listed([told or ''])}.", hint)


not_checkable(
    "6.4.2",
    "kvcachePosixIoModel",
    "explains how the benchmark reads and writes; that the benchmark's code is the original one is judged by 2.1.6",
)


@rule("6.5.1", "kvcacheObjectViaGateway")
def kvcache_object_via_gateway(run: KVCacheRun, record: Metadata) -> Outcome:
    """The cache lies at a path of a filesystem, object storage behind a gateway or a mount included, never at an
    address such as `s3://`.

    Why: The benchmark has no client for object storage; it would write to a local folder of that name.

    Mend: Mount the bucket (s3fs, rclone, Mountpoint-S3) and run again with `--cache-dir` at the mount.
    """
    del run
    for pointer, path in _cache_paths(record):
        if _ADDRESS.match(path):
            yield _address(record, pointer, path)
            return


def _cache_paths(record: Metadata) -> Iterator[tuple[str, str]]:
    yield "/args/cache_dir", record.text("/args/cache_dir", "")
    for command in commands_in(record):
        yield from ((command.pointer, path) for path in command.values(CACHE_BASE))


def _address(record: Metadata, pointer: str, path: str) -> Finding:
    message = f"The cache is given as {listed([path])}, an address; the benchmark knows paths of filesystems only."
    hint = "Mount the bucket (s3fs, rclone, Mountpoint-S3) and run again with `--cache-dir` at the mount."
    return record.finding(pointer, message, hint)


not_checkable(
    "6.5.2",
    "kvcacheObjectLatencyScope",
    "says what latency means behind a gateway; the gateway's software and options have no key of their own in the "
    "system's description, a reviewer reads them there",
)
