"""Which file carries an annotation, and which findings get none."""

import pytest

from bot.annotations import placed
from bot.policy import Annotations, UnchangedFiles
from checks.findings import Level
from tests.bot.reports import S1, finding

CHANGED = frozenset({f"{S1}/a/summary.json", f"{S1}/b/summary.json", "closed/Acme/systems/S1.yaml", "closed/Ac\tme"})
UNCHANGED = f"{S1}/old.json"
DEFAULTS = Annotations()
ALL = Annotations(unchanged_files=UnchangedFiles.ANNOTATE)


def is_file(path: str) -> bool:
    return path in CHANGED or path == UNCHANGED


@pytest.mark.parametrize(
    ("path", "wanted", "carrier"),
    [
        (f"{S1}/b/summary.json", DEFAULTS, f"{S1}/b/summary.json"),
        (S1, DEFAULTS, f"{S1}/a/summary.json"),
        (f"{S1}/b", DEFAULTS, f"{S1}/b/summary.json"),
        ("closed/Acme", DEFAULTS, f"{S1}/a/summary.json"),
        (".", DEFAULTS, f"{S1}/a/summary.json"),
        ("", DEFAULTS, f"{S1}/a/summary.json"),
        ("closed/Acme/results/S", DEFAULTS, None),
        ("open", DEFAULTS, None),
        (UNCHANGED, DEFAULTS, None),
        (UNCHANGED, ALL, UNCHANGED),
        ("closed/Ac\tme", ALL, None),
        (f"{S1}/gone.json", ALL, None),
    ],
)
def test_carrier(path: str, wanted: Annotations, carrier: str | None) -> None:
    chosen = placed([finding(path, line=7)], CHANGED, is_file, wanted)
    assert [annotation.path for annotation in chosen.annotations] == ([carrier] if carrier else [])
    assert chosen.without_file == (0 if carrier else 1)


def test_body_on_the_own_file_has_the_lines() -> None:
    path = f"{S1}/a/summary.json"
    (annotation,) = placed([finding(path, Level.WARNING, line=3, end_line=5)], CHANGED, is_file, DEFAULTS).annotations
    assert annotation.body() == {
        "path": path,
        "start_line": 3,
        "end_line": 5,
        "annotation_level": "warning",
        "title": "2.1.7 systemsDirectoryFiles",
        "message": "B.pdf is missing.",
    }


def test_body_on_another_file_names_the_folder_and_stands_at_its_top() -> None:
    (annotation,) = placed([finding(S1, line=None)], CHANGED, is_file, DEFAULTS).annotations
    body = annotation.body()
    assert (body["start_line"], body["end_line"]) == (1, 1)
    assert body["message"] == f"{S1}:\nB.pdf is missing."


def test_lines_are_in_order_even_if_a_rule_is_not() -> None:
    (annotation,) = placed([finding(UNCHANGED, line=4, end_line=2)], CHANGED, is_file, ALL).annotations
    assert (annotation.body()["start_line"], annotation.body()["end_line"]) == (4, 4)


def test_beyond_the_limit_errors_stay_and_the_order_of_the_tree_holds() -> None:
    path = f"{S1}/a/summary.json"
    levels = [Level.NOTICE, Level.ERROR, Level.WARNING, Level.ERROR, Level.NOTICE]
    findings = [finding(path, level, line=line) for line, level in enumerate(levels, 1)]
    chosen = placed(findings, CHANGED, is_file, Annotations(limit=3))
    assert [annotation.finding.line for annotation in chosen.annotations] == [2, 3, 4]
    assert chosen.beyond_limit == 2


def test_beyond_the_limit_new_findings_stay_before_those_of_the_base() -> None:
    path = f"{S1}/a/summary.json"
    old = finding(path, line=1, on_base=True)
    findings = [old, finding(path, line=2), finding(path, Level.NOTICE, line=3)]
    for counts, lines in ((True, [1, 2]), (False, [2, 3])):
        chosen = placed(findings, CHANGED, is_file, Annotations(limit=2), counts)
        assert [one.finding.line for one in chosen.annotations] == lines
    (first,) = placed(findings, CHANGED, is_file, Annotations(limit=1)).annotations
    assert first.finding.line == 2


def test_without_a_tree_only_changed_files_are_known() -> None:
    assert placed([finding(UNCHANGED)], CHANGED, None, ALL).without_file == 1
