"""Rules on the package: what each finds, at which path and line, and what it lets pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.api import Options, check_tree
from checks.folder_tree import FolderTree
from tests.checks.endpoints.one_curve import SYSTEM, all_of, curve_tree, line_of, not_run
from tests.checks.support import above_notice, checked, found, places
from tests.trees.endpoints import EndpointsTree, whole_tree
from tests.trees.storage_files import GONE, FileTree

SUBMISSION = "acme_corp/sub-0001"
CURVE = f"{SYSTEM}/llama3_1-8b"
SAMPLES = Path(__file__).parents[4] / "shared" / "real" / "endpoints"


def tree() -> FileTree:
    return curve_tree()[0]


def test_a_valid_tree_of_every_kind_has_nothing_to_mend() -> None:
    judged_by_reviewers = {"maximal-engagement"}
    heavy = above_notice(whole_tree(), rules="endpoints")
    assert [finding for finding in heavy if finding.rule not in judged_by_reviewers] == []


@pytest.mark.parametrize("shape", ["seed_shape", "appendix_e"])
def test_the_sample_trees_pass(shape: str) -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the sample trees (../shared/real/endpoints) are not here")
    report = check_tree(FolderTree(SAMPLES / shape), Options(rules="endpoints"))
    assert report.faults == ()
    assert [finding for finding in report.findings if finding.level == "error"] == []


def test_a_tree_without_a_submission() -> None:
    empty = FileTree().put("README.md", "nothing")
    assert places(all_of(FileTree({empty: b"nothing"}), "path-exists")) == [("path-exists", "error", ".", None)]
    assert all_of(tree(), "path-exists") == []


def test_results_one_level_too_high_hide_nothing() -> None:
    broken = tree()
    for path in broken.find(f"{SUBMISSION}/*"):
        broken.put(path.replace(SUBMISSION, "globex"), broken.files[path])
    assert places(all_of(broken, "path-exists")) == [("path-exists", "error", "globex/results", None)]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_submissions_at_one_level(depth: int) -> None:
    above = "/".join(SUBMISSION.split("/")[: 2 - depth])
    cut = FileTree({path.removeprefix(above).lstrip("/"): content for path, content in tree().files.items()})
    assert all_of(cut, "path-exists") == []
    assert all_of(cut, "required-dir") == []


@pytest.mark.parametrize("folder", ["results", "docs"])
def test_a_required_folder_is_missing(folder: str) -> None:
    broken = tree().remove(f"{SUBMISSION}/{folder}")
    # without results nothing tells where submissions begin, so the second one stands in for the shape of the tree
    EndpointsTree.submission(broken, "globex", "sub-0002").system().curve(offline="elected")  # type: ignore[arg-type]
    assert places(all_of(broken, "required-dir")) == [("required-dir", "error", SUBMISSION, None)]


def test_a_required_folder_has_the_name_of_v07() -> None:
    (finding,) = all_of(tree().rename(f"{SUBMISSION}/docs", f"{SUBMISSION}/documentation"), "required-dir")
    assert "Rename `documentation`" in (finding.hint or "")


def test_a_file_stands_where_a_folder_is_required() -> None:
    broken = tree().remove(f"{SUBMISSION}/docs")
    broken.put(f"{SUBMISSION}/docs", "text")
    assert places(all_of(broken, "required-dir")) == [("required-dir", "error", f"{SUBMISSION}/docs", None)]


def test_source_without_an_implementation() -> None:
    missing = tree().remove(f"{SUBMISSION}/src")
    assert places(all_of(missing, "src-dir")) == [("src-dir", "error", SUBMISSION, None)]
    loose = missing.copy()
    loose.put(f"{SUBMISSION}/src/README.md", "text")
    assert places(all_of(loose, "src-dir")) == [("src-dir", "error", f"{SUBMISSION}/src", None)]


@pytest.mark.parametrize(("name", "is_right"), [("README.md", True), ("readme.MD", True), ("README.txt", False)])
def test_each_implementation_has_a_readme(name: str, is_right: bool) -> None:
    renamed = tree().rename(f"{SUBMISSION}/src/vllm/README.md", f"{SUBMISSION}/src/vllm/{name}")
    wanted = [] if is_right else [("src-readme", "error", f"{SUBMISSION}/src/vllm", None)]
    assert places(all_of(renamed, "src-readme")) == wanted


def test_results_without_a_system() -> None:
    broken = tree().remove(SYSTEM)
    broken.put(f"{SUBMISSION}/results/notes.txt", "text")
    assert places(all_of(broken, "system-results-dir")) == [
        ("system-results-dir", "error", f"{SUBMISSION}/results", None)
    ]


def test_a_system_without_a_model() -> None:
    broken = tree()
    broken.put(f"{SUBMISSION}/results/other/notes.txt", "text")
    place = ("benchmark-model-dir", "error", f"{SUBMISSION}/results/other", None)
    assert places(all_of(broken, "benchmark-model-dir")) == [place]


def test_a_curve_without_a_point() -> None:
    broken = tree()
    broken.put(f"{SYSTEM}/gpt-oss-120b/notes.txt", "text")
    assert places(all_of(broken, "point-dirs")) == [("point-dirs", "error", f"{SYSTEM}/gpt-oss-120b", None)]


@pytest.mark.parametrize("name", ["rfoo", "point_256", "r", "R64", "r\u0661\u0662", "r-5", "r" + "9" * 5000])
def test_a_folder_that_is_no_point_is_warned_of(name: str) -> None:
    broken = tree().duplicate(f"{CURVE}/r256", f"{CURVE}/{name}")
    (finding,) = all_of(broken, "point-dirs")
    assert (finding.level, finding.path) == ("warning", f"{CURVE}/{name}")
    assert ("`r256`" in (finding.hint or "")) is (name == "point_256")


FILES = {
    "measurement-points-present": ("point.yaml", "error"),
    "result-summary-present": ("result_summary.json", "error"),
    "system-description-present": ("system_desc.json", "error"),
    "config-file-present": ("config.yaml", "warning"),
}


@pytest.mark.parametrize("rule", FILES)
def test_a_file_of_a_point_is_missing(rule: str) -> None:
    name, level = FILES[rule]
    broken = tree().remove(f"{CURVE}/r256/{name}")
    assert places(all_of(broken, rule)) == [(rule, level, f"{CURVE}/r256", None)]
    broken.put(f"{CURVE}/r256/{name.upper()}", "{}")
    assert f"`{name.upper()}`" in (all_of(broken, rule)[0].hint or "")


@pytest.mark.parametrize("rule", FILES)
def test_a_file_that_several_points_lack_is_told_once(rule: str) -> None:
    name, level = FILES[rule]
    broken = tree().remove(f"{CURVE}/r256/{name}").remove(f"{CURVE}/r512/{name}")
    (finding,) = all_of(broken, rule)
    assert (finding.level, finding.path) == (level, CURVE)
    assert "2 of 7 points: `r256`, `r512`" in finding.message


def test_a_folder_stands_in_place_of_a_file() -> None:
    broken = tree().remove(f"{CURVE}/r256/config.yaml")
    broken.put(f"{CURVE}/r256/config.yaml/x", "text")
    assert places(all_of(broken, "config-file-present")) == [
        ("config-file-present", "warning", f"{CURVE}/r256/config.yaml", None)
    ]


def test_the_clients_configuration_is_a_mapping() -> None:
    broken = tree()
    broken.put(f"{CURVE}/r256/config.yaml", "- 1\n")
    assert places(all_of(broken, "config-file-present")) == [
        ("config-file-present", "warning", f"{CURVE}/r256/config.yaml", 1)
    ]


@pytest.mark.parametrize(
    ("value", "is_right"),
    [
        ("src", True),
        ("src/vllm", True),
        ("src\\vllm", True),
        ("./src/", True),
        ("/src", False),
        ("~/src", False),
        ("src/../src", False),
        ("src/README.md", False),
        ("source", False),
    ],
)
def test_shared_paths(value: str, is_right: bool) -> None:
    path = f"{CURVE}/r256/point.yaml"
    broken = tree().edit_yaml(path, {"/shared_src": value})
    wanted = [] if is_right else [("shared-path-resolution", "error", path, line_of(broken, path, "shared_src"))]
    assert places(all_of(broken, "shared-path-resolution")) == wanted


def test_a_shared_path_of_any_length_on_disk(tmp_path: Path) -> None:
    path = f"{CURVE}/r256/point.yaml"
    broken = tree().edit_yaml(path, {"/shared_src": "src/" * 5000, "/shared_docs": "docs\0"})
    report = check_tree(FolderTree(broken.write(tmp_path)), Options(rules="endpoints"))
    assert report.faults == ()
    assert [finding.path for finding in report.findings if finding.rule == "shared-path-resolution"] == [path, path]


def test_a_shared_path_that_all_points_name_is_told_once() -> None:
    broken = tree()
    for path in broken.find("*/point.yaml"):
        broken.edit_yaml(path, {"/shared_docs": "papers"})
    (finding,) = all_of(broken, "shared-path-resolution")
    assert "7 points of this system say so" in finding.message


def test_the_folders_name_differs_from_the_concurrency() -> None:
    path = f"{CURVE}/r256/point.yaml"
    broken = tree().edit_yaml(path, {"/concurrency": 255})
    place = ("point-dirname-concurrency", "warning", path, line_of(broken, path, "concurrency: 255"))
    assert places(all_of(broken, "point-dirname-concurrency")) == [place]


def test_the_folders_name_has_leading_zeros() -> None:
    broken = tree().rename(f"{CURVE}/r256", f"{CURVE}/r0256")
    place = ("point-dirname-concurrency", "warning", f"{CURVE}/r0256", None)
    assert places(all_of(broken, "point-dirname-concurrency")) == [place]
    assert all_of(broken, "duplicate-concurrency") == []


def test_a_concurrency_twice_is_no_second_point() -> None:
    copied = tree().remove(f"{CURVE}/r768").duplicate(f"{CURVE}/r512", f"{CURVE}/r0512")
    path = f"{CURVE}/r0512/point.yaml"
    line = line_of(copied, path, "concurrency: 512")
    assert places(all_of(copied, "duplicate-concurrency")) == [("duplicate-concurrency", "error", path, line)]
    assert places(all_of(copied, "point-count")) == [("point-count", "error", CURVE, None)]


def test_a_concurrency_twice_by_declaration() -> None:
    path = f"{CURVE}/r768/point.yaml"
    broken = tree().edit_yaml(path, {"/concurrency": 512})
    (finding,) = all_of(broken, "duplicate-concurrency")
    assert (finding.path, finding.line) == (path, line_of(broken, path, "concurrency: 512"))
    assert "r512 and by r768" in finding.message


def test_one_measurement_under_two_concurrencies() -> None:
    path = f"{CURVE}/r768/result_summary.json"
    broken = tree()
    broken.put(path, broken.files[f"{CURVE}/r512/result_summary.json"])
    (finding,) = all_of(broken, "duplicate-concurrency")
    assert (finding.level, finding.path, finding.line) == ("error", path, line_of(broken, path, "duration_ns"))
    assert "`r512`" in finding.message
    broken.edit_json(path, {"/duration_ns": broken.json(path)["duration_ns"] + 1})
    assert all_of(broken, "duplicate-concurrency") == []


def test_a_copied_point_is_told_once() -> None:
    copied = tree().duplicate(f"{CURVE}/r512", f"{CURVE}/r0512")
    assert len(all_of(copied, "duplicate-concurrency")) == 1


def test_a_point_that_can_not_be_read_is_told() -> None:
    broken = tree()
    broken.put(f"{CURVE}/r256/point.yaml", "concurrency: [\n")
    assert places(all_of(broken, "point-rules-skipped")) == [("point-rules-skipped", "warning", CURVE, None)]
    assert [finding.path for finding in all_of(broken, "input.yaml")] == [f"{CURVE}/r256/point.yaml"]
    assert any("input.yaml" in reason for reason in not_run(broken, "point-config-valid"))
    assert all_of(tree(), "point-rules-skipped") == []


HOSTILE = {
    "not UTF-8": (b"\xff\xfe\xfa", "input.encoding"),
    "byte-order mark": (b"\xef\xbb\xbf{}", "input.encoding"),
    "too deep": (b"[" * 100_000, "input.json"),
    "deep, but readable": (b'{"x": ' + b"[" * 900 + b"]" * 900 + b"}", "input.json"),
    "Infinity": (b'{\n"max_supported_concurrency": Infinity}', "input.json"),
    "NaN": (b'{\n"max_supported_concurrency": NaN}', "input.json"),
    "cut off": (b'{"a": 1,\n', "input.json"),
    "twice": (b'{"a": 1,\n"a": 2}', "input.duplicate-key"),
}


@pytest.mark.parametrize("name", ["system_desc.json", "result_summary.json"])
@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_json_is_a_finding_with_a_line(name: str, case: str) -> None:
    content, rule = HOSTILE[case]
    broken = tree()
    broken.put(f"{CURVE}/r1000/{name}", content)
    told = found(broken, rule, rules="endpoints")
    assert [finding.path for finding in told] == [f"{CURVE}/r1000/{name}"]
    assert told[0].line is not None
    assert told[0].level == "error"


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"concurrency: \xff", "input.encoding"),
        (b"\xef\xbb\xbfconcurrency: 256\n", "input.encoding"),
        (b"a: " + b"[" * 50_000, "input.yaml"),
        (b"concurrency: 256\nconcurrency: 257\n", "input.duplicate-key"),
        (b"concurrency: .inf\n", "input.yaml"),
        (b"concurrency: !!python/object/apply:os.system [id]\n", "input.yaml"),
        (b"a: &a [*a]\n", "input.yaml"),
        (b"- 1\n", "point-config-valid"),
        (b"just words\n", "point-config-valid"),
        (b'concurrency: "256"\n', "point-config-valid"),
        (b"concurrency: true\n", "point-config-valid"),
        (
            b"concurrency: {}\nruntime_settings: []\noffline: []\nregion: {}\nsteady_state: {status: []}\n",
            "offline-declared",
        ),
    ],
)
def test_hostile_yaml_is_a_finding_with_a_line(content: bytes, rule: str) -> None:
    broken = tree()
    broken.put(f"{CURVE}/r256/point.yaml", content)
    told = found(broken, rule, rules="endpoints")
    assert {finding.path for finding in told} == {f"{CURVE}/r256/point.yaml"}
    assert all(finding.line is not None and finding.level == "error" for finding in told)


@pytest.mark.parametrize("name", ["point.yaml", "system_desc.json", "result_summary.json"])
@pytest.mark.parametrize("value", [{}, [[]], "x", True, 1.5, -(10**200), None], ids=lambda value: str(value)[:5])
def test_a_value_of_any_kind_anywhere_is_no_fault_of_ours(name: str, value: object) -> None:
    """Every value of a point's document is replaced in turn, another one in each point; no rule may fail on it."""
    whole = tree()
    documents = whole.find(f"*/{name}")
    pointers = _pointers(whole.yaml(documents[0]))
    assert len(pointers) > 15
    for start in range(0, len(pointers), len(documents)):
        broken = whole.copy()
        edit = broken.edit_yaml if name == "point.yaml" else broken.edit_json
        for path, pointer in zip(documents, pointers[start:], strict=False):
            if pointer in _pointers(broken.yaml(path)):
                edit(path, {pointer: value})
        assert checked(broken, rules="endpoints").faults == (), pointers[start:]


def _pointers(value: object, pointer: str = "") -> list[str]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = [place for key, child in items for place in _pointers(child, f"{pointer}/{key}")]
    return ([pointer] if pointer else []) + inner


def test_scopes_of_findings() -> None:
    broken = tree().remove(f"{SUBMISSION}/docs").edit_yaml(f"{CURVE}/r256/point.yaml", {"/seed_set": GONE})
    scopes = {finding.rule: finding.scope for finding in found(broken, rules="endpoints")}
    assert scopes["required-dir"] == SUBMISSION
    assert scopes["point-disclosure-complete"] == SYSTEM


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (f"{CURVE}/r256/point.yaml", "Complete or correct point.yaml"),
        (f"{CURVE}/r256/system_desc.json", "Complete or correct system_desc.json"),
        (f"{SYSTEM}/system_power.json", "Complete or correct system_power.json"),
        (f"{CURVE}/r256/result_summary.json", "as the reference client wrote it"),
        (f"{CURVE}/r88/accuracy_results.json", "as the reference client wrote it"),
    ],
)
def test_an_empty_file_is_mended_by_whoever_writes_it(path: str, told: str) -> None:
    broken = tree()
    broken.put(path, "")
    (finding,) = all_of(broken, "input.empty")
    assert finding.path == path
    assert told in (finding.hint or "")
