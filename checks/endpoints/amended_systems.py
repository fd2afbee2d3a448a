"""What an amendment does to merged systems as a whole: curves that are taken out, and another power descriptor."""

from __future__ import annotations

from checks import names
from checks.endpoints.base_inputs import BaseSubmission
from checks.endpoints.book import rule
from checks.endpoints.inputs import SystemPower
from checks.endpoints.power_inputs import ProvisionedPower
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Submission, System
from checks.findings import Level
from checks.rules import Outcome
from checks.units import counted


@rule("amendment-unchanged-points", "mergedCurvesKept", section="4.6, 8")
def merged_curves_kept(submission: Submission, before: BaseSubmission | None, tables: EditionTables) -> Outcome:
    """The curves that are merged stay: one that is taken out is warned of.

    Why: What is published must not vanish unseen; the points of a renamed system are new points to every reader.
    Mend: Restore the curve, or tell the reviewers why it goes.
    """
    here = {curve.path for curve in submission.curves}
    gone = [curve for curve in before.submission.curves if curve.path not in here] if before is not None else []
    if gone:
        told = ", ".join(
            f"`{names.shown_path(curve.system.name + '/' + curve.name)}` ({counted(len(curve.points), 'point')})"
            for curve in gone
        )
        level = Level(tables.severity("amendment-unchanged-points", "withdrawn"))
        message = f"{counted(len(gone), 'merged curve')} would be taken out: {told}."
        yield submission.finding(message, "Tell the reviewers why, or restore the curve.", level=level)


@rule("amendment-unchanged-points", "mergedPowerUnchanged", section="4.5.3, 8")
def merged_power_unchanged(
    system: System,
    document: SystemPower | None,
    power: ProvisionedPower | None,
    before: BaseSubmission | None,
    tables: EditionTables,
) -> Outcome:
    """The power descriptor of a merged system stays as it is: another total is warned of, since it changes a published
    figure of every merged point; a change that keeps the total is a notice.

    Why: The throughput per kilowatt of points that were not measured again would change.
    Mend: Restore system_power.json, or tell the reviewers what was wrong with the merged figures and name the source.
    Contested: The documents say nothing on a corrected descriptor; MLCommons may replace estimates, so it is no error.
    """
    if document is None or power is None or before is None:
        return
    name, merged = names.basename(document.path), System(before.submission, system.path)
    if name not in merged.entries or merged.entries[name] == system.entries[name]:
        return
    was, now = before.power(system.path), power.result
    totals = [_told(result.total_w if result is not None else None) for result in (was, now)]
    points = counted(len(merged.points), "merged point")
    if totals[0] == totals[1]:
        level = Level(tables.severity("amendment-unchanged-points", "same-power"))
        yield document.finding("", f"{name} changed; the total of {totals[1]} stays.", level=level)
        return
    level = Level(tables.severity("amendment-unchanged-points", "power"))
    message = (
        f"The total goes from {totals[0]} to {totals[1]}: the throughput per kilowatt of {points} changes with it."
    )
    yield document.finding("", message, "Tell the reviewers why and name the source, or restore the file.", level)


def _told(total_w: float | None) -> str:
    return "no total" if total_w is None else f"{total_w:,.10g} W"
