"""Reports for the tests of what people read: small builders, no defaults that a test would have to know."""

from collections.abc import Sequence

from checks.findings import Finding, Level, Report, Scope

HEAD, BASE, MERGE_BASE = "a" * 40, "b" * 40, "c" * 40
S1, S2 = "closed/Acme/results/S1", "closed/Acme/results/S2"


def finding(path: str, level: Level = Level.ERROR, scope: str = S1, **fields: object) -> Finding:
    """A finding of rule 2.1.7."""
    known = {"rule": "2.1.7", "name": "systemsDirectoryFiles", "message": "B.pdf is missing.", "scope": scope}
    return Finding(path=path, level=level, **{**known, **fields})  # type: ignore[arg-type]


def report(findings: Sequence[Finding] = (), scopes: Sequence[str | Scope] = (S1,), **fields: object) -> Report:
    """A report on systems that changed, all changed paths seen."""
    known = {
        "rules": "storage",
        "edition": "2.0",
        "version": "1.2.3",
        "base": MERGE_BASE,
        "head": HEAD,
        "paths_changed": 214,
        "paths_seen": 214,
        "rules_run": 40,
    }
    places = tuple(place if isinstance(place, Scope) else Scope(place, "system", "results changed") for place in scopes)
    return Report(scopes=places, findings=tuple(findings), **{**known, **fields})  # type: ignore[arg-type]
