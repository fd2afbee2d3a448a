"""2.1.7 and 2.1.8: what a system description says, and whether its PDF is one."""

from __future__ import annotations

import time
from typing import Any

import pytest

from checks.findings import Finding, Level
from tests.checks.support import checked, found, places
from tests.trees.storage import StorageTree, System
from tests.trees.storage_files import GONE

SUT = "/system_under_test"
SOLUTION = f"{SUT}/solution"
NODE = f"{SUT}/product_nodes/0"
CLIENT = f"{SUT}/clients/0"
FLAT_SWITCH = {
    "unit_count": 2,
    "vendor_name": "Example",
    "model_name": "1U switch",
    "ports": [{"unit_count": 32, "type": "ethernet", "state": "up", "speed": 400, "traffic": ["data"]}],
    "rack_units": 1,
}


def described(**options: Any) -> tuple[StorageTree, System]:
    """A system in the published shape; what it measured does not matter here."""
    tree = StorageTree("v3")
    system = tree.submitter("Acme").system("S1", **options)
    tree.put(f"{system.path}/training/unet3d/run/20260701_080000/summary.json", "{}")
    return tree, system


def edited(changes: dict[str, Any], edition: str = "3.0", **options: Any) -> list[Finding]:
    tree, system = described(**options)
    tree.edit_yaml(system.yaml, changes)
    return [item for item in found(tree, None, edition) if item.rule in ("2.1.7", "2.1.8")]


def line_of(text: str, changes: dict[str, Any]) -> int:
    tree, system = described()
    tree.edit_yaml(system.yaml, changes)
    lines = tree.files[system.yaml].decode().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
@pytest.mark.parametrize("deployment", ["onprem", "cloud"])
def test_a_valid_description_of_the_published_shape(edition: str, deployment: str) -> None:
    assert edited({}, edition, deployment=deployment) == []


def test_the_documents_shape_fits_its_edition_only() -> None:
    tree = StorageTree("document")
    tree.submitter("Acme").system("S1").training("unet3d")
    assert found(tree, "2.1.7", "2.0") == []
    (finding,) = found(tree, "2.1.7", "3.0")
    assert places([finding]) == [("2.1.7", "error", "closed/Acme/systems/S1.yaml", 1)]
    assert finding.message == "The description does not begin with `system_under_test`; it has `System`."


@pytest.mark.parametrize(
    ("changes", "text", "words"),
    [
        (
            {f"{NODE}/quantity": "3"},
            "quantity: '3'",
            '`product_nodes[0].quantity` must be a whole number, but is the text "3".',
        ),
        ({f"{CLIENT}/operating_system/version": 24.04}, "version: 24.04", "must be text, but is the number 24.04."),
        ({f"{SUT}/deployment": "hybrid"}, "deployment: hybrid", "allowed are `onprem`, `cloud`."),
        ({f"{SOLUTION}/usable_capacity_tib": 0.5}, "usable_capacity_tib", "is 0.5; at least 1 is required."),
        ({f"{NODE}/networking/0": "eth0"}, "networking", "must be a mapping of names to values"),
        ({f"{NODE}/drives": {}}, "drives: {}", "must be a list, but is an object."),
    ],
)
@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_wrong_types_and_values_are_errors_in_both_editions(
    changes: dict[str, Any], text: str, words: str, edition: str
) -> None:
    findings = edited(changes, edition)
    hit = next(item for item in findings if words in item.message)
    assert (hit.rule, hit.level, hit.path) == ("2.1.7", Level.ERROR, "closed/Acme/systems/S1.yaml")
    assert abs((hit.line or 0) - line_of(text, changes)) <= (1 if "eth0" in str(changes) else 0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({f"{SOLUTION}/availability": GONE}, "`solution` lacks `availability`."),
        (
            {f"{SOLUTION}/availability": GONE, f"{SOLUTION}/usable_capacity_tib": GONE},
            "`solution` lacks `usable_capacity_tib`, `availability`.",
        ),
        ({f"{SOLUTION}/friendly_description": ""}, "`solution.friendly_description` is empty."),
        ({f"{CLIENT}/chassis/cpu_model": None}, "`clients[0].chassis.cpu_model` is empty (null); it takes text."),
        ({f"{NODE}/networking/0/traffic": []}, "`product_nodes[0].networking[0].traffic` is empty."),
        ({f"{NODE}/networking/0/speed": GONE}, "`product_nodes[0].networking[0]` lacks `speed`."),
        ({f"{SOLUTION}/colour": "red"}, "`solution` has an unknown key: `colour`."),
        (
            {f"{SOLUTION}/architecture/client_footprint": "n/a"},
            "`client_footprint` is `n/a` and `client_installation` is `in_box`.",
        ),
        (
            {f"{SUT}/total_rack_units": 8},
            "`total_rack_units` is 8, but product nodes take 6 and product switches 1: 7 rack units.",
        ),
        ({f"{SUT}/total_rack_units": GONE}, "`total_rack_units` is missing; `deployment` is `onprem`."),
        ({f"{NODE}/networking": GONE}, "`product_nodes[0]` has no `networking`, but `storage_location` is `remote`."),
        ({f"{CLIENT}/networking": []}, "`clients[0]` has no `networking`"),
        ({f"{CLIENT}/chassis/power": GONE}, "`clients[0]` lacks `power`, which `deployment: onprem` needs."),
        (
            {f"{NODE}/chassis/power/min_psus_active": 3},
            "needs 3 active power supplies (`min_psus_active`), but 2 power supplies are configured.",
        ),
        ({f"{SUT}/product_nodes": []}, "`product_nodes` is empty: the storage is on premises and remote"),
        (
            {f"{SOLUTION}/architecture/storage_location": "local"},
            "`product_switches` are listed, but `storage_location` is `local`.",
        ),
    ],
)
def test_what_only_the_newer_shape_demands(changes: dict[str, Any], words: str) -> None:
    for edition, level in (("2.0", Level.WARNING), ("3.0", Level.ERROR)):
        hit = [item for item in edited(changes, edition) if words in item.message]
        assert [(item.rule, item.level) for item in hit] == [("2.1.7", level)], edition


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({f"{NODE}/chassis/rack_units": 2}, "`product_nodes[0]` states `rack_units`, but `deployment` is `cloud`."),
        ({f"{SUT}/product_switches": [FLAT_SWITCH]}, "`product_switches` is listed, but `deployment` is `cloud`."),
    ],
)
def test_cloud_systems_have_no_racks(changes: dict[str, Any], words: str) -> None:
    assert words in edited(changes, deployment="cloud")[0].message


@pytest.mark.parametrize(
    "changes",
    [
        {f"{NODE}/networking/0": {"type": "ethernet", "state": "down", "unit_count": 6}},  # a port that is down
        {f"{NODE}/chassis/power/min_psus_active": 2},  # all of them
        {f"{SOLUTION}/int_client_store_tib": 12.5},
        {f"{SOLUTION}/usable_capacity_tib": 1},
        {f"{SUT}/rack_power_supplies": None},
        {f"{CLIENT}/environment": []},
        {f"{SUT}/product_switches": [FLAT_SWITCH | {"power": {"min_psus_active": 1, "psus_configured": [
            {"unit_count": 2, "inlet_voltage": 240, "nameplate_power_watts": 600, "efficiency": "Gold"}]}}],
         f"{SUT}/total_rack_units": 8},
        {f"{SUT}/product_switches": [], f"{SUT}/total_rack_units": 6},
        {f"{SOLUTION}/architecture/client_footprint": "n/a", f"{SOLUTION}/architecture/client_installation": "n/a"},
    ],
)  # fmt: skip
def test_what_is_just_allowed(changes: dict[str, Any]) -> None:
    assert edited(changes) == []


def test_rack_power_stands_in_for_power_of_each_node() -> None:
    supply = {"unit_count": 4, "inlet_voltage": 400, "nameplate_power_watts": 9000, "efficiency": "Titanium"}
    changes = {
        f"{SUT}/rack_power_supplies": [{"min_psus_active": 2, "psus_configured": [supply]}],
        f"{NODE}/chassis/power": GONE,
        f"{CLIENT}/chassis/power": GONE,
        f"{SUT}/product_switches/0/chassis/power": GONE,
    }
    assert edited(changes) == []


def test_a_misspelt_key_is_told_with_its_line() -> None:
    changes = {f"{SUT}/deploymnt": "onprem"}
    (finding,) = edited(changes)
    assert finding.line == line_of("deploymnt:", changes)
    assert finding.message == "`system_under_test` has an unknown key: `deploymnt`."
    missing, unknown = edited({f"{SUT}/deployment": GONE, **changes})
    assert {missing.message, unknown.message} == {"`system_under_test` lacks `deployment`.", finding.message}
    assert "Did you mean `deployment`?" in f"{missing.hint} {unknown.hint}"


def test_one_cause_in_several_nodes_is_one_finding() -> None:
    tree, system = described()
    nodes = [tree.yaml(system.yaml)["system_under_test"]["product_nodes"][0] for _ in range(3)]
    tree.edit_yaml(system.yaml, {f"{SUT}/product_nodes": nodes, f"{SUT}/total_rack_units": 19})
    for index in range(3):
        tree.edit_yaml(system.yaml, {f"{SUT}/product_nodes/{index}/chassis/cpu_cores": GONE})
    (finding,) = found(tree, "2.1.7", "3.0")
    assert (finding.message, finding.count) == ("`product_nodes[0].chassis` lacks `cpu_cores`.", 3)


@pytest.mark.parametrize("content", ["[]\n", "text\n", "3\n", "system_under_test_2: {}\n", "SYSTEM_UNDER_TEST: {}\n"])
def test_neither_shape(content: str) -> None:
    tree, system = described()
    tree.put(system.yaml, content)
    (finding,) = found(tree, "2.1.7", "2.0")
    assert (finding.level, finding.line) == (Level.ERROR, 1)
    assert "does not begin with `system_under_test` or `System`" in finding.message
    if content.startswith("SYSTEM"):
        assert finding.hint == "Did you mean `system_under_test` by `SYSTEM_UNDER_TEST`? Names are case-sensitive."


def test_a_description_without_results_is_judged_too() -> None:
    tree, system = described()
    spare = tree.put("closed/Acme/systems/S2.yaml", tree.files[system.yaml])
    tree.edit_yaml(spare, {f"{SUT}/deployment": "moon", f"{SOLUTION}/submission_name": "S2"})
    hits = [item for item in found(tree, "2.1.7", "3.0") if "deployment" in item.message]
    assert [(item.path, item.scope, item.level) for item in hits] == [(spare, "closed/Acme", Level.ERROR)]


def test_another_submission_name_is_a_warning_of_2_1_8() -> None:
    (finding,) = edited({f"{SOLUTION}/submission_name": "s1"})
    line = line_of("submission_name: s1", {f"{SOLUTION}/submission_name": "s1"})
    assert places([finding]) == [("2.1.8", "warning", "closed/Acme/systems/S1.yaml", line)]
    assert finding.message == "`submission_name` is `s1`, but the system's folder is `S1`."


def test_the_power_that_the_tables_publish_is_a_fact() -> None:
    tree, _ = described()
    (fact,) = [fact for fact in checked(tree, "3.0").facts if fact.name == "provisioned_power_w"]
    assert (fact.value, fact.unit, fact.path) == (3 * 2 * 1400 + 2 * 1400, "W", "closed/Acme/systems/S1.yaml")


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 91234\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PRUNED BY STAFF\n", "A placeholder stands in place of the PDF"),
        (b"", "The PDF is empty."),
        (b"<!DOCTYPE html><html></html>", "The file is a web page or XML, not a PDF."),
        (b"hello", "`%PDF-` is not in its first 1,024 bytes."),
        (b"x" * 1020 + b"%PDF-1.7\n", "`%PDF-` is not in its first 1,024 bytes."),
    ],
)
def test_a_pdf_that_is_none(content: bytes, words: str) -> None:
    tree, system = described()
    tree.put(system.pdf, content)
    (finding,) = [item for item in found(tree, "2.1.7", "2.0") if item.path == system.pdf]
    assert (finding.level, finding.line) == (Level.ERROR, None)
    assert words in finding.message


@pytest.mark.parametrize("only", [(), ("closed/Acme/results/S1",)])
def test_a_pdf_behind_a_pointer_is_told_once_and_as_such(only: tuple[str, ...]) -> None:
    tree, system = described()
    tree.put(system.pdf, POINTER)
    findings = [item for item in found(tree, None, "2.0", only=only) if item.path == system.pdf]
    assert [(item.rule, item.level, item.line) for item in findings] == [("input.lfs-pointer", Level.ERROR, 1)]


@pytest.mark.parametrize("lead", [0, 1019])
def test_a_pdf_may_begin_late(lead: int) -> None:
    tree, system = described()
    tree.put(system.pdf, b"x" * lead + b"%PDF-1.7\n")
    assert found(tree, "2.1.7", "2.0") == []


def test_capabilities_belong_to_their_own_rules_where_checkpointing_was_run() -> None:
    tree, system = described()
    changes = {f"{SOLUTION}/capabilities/multi_host": "maybe"}
    assert [item.rule for item in edited(changes)] == ["2.1.7"]
    system.checkpointing()
    tree.edit_yaml(system.yaml, changes)
    assert [item.message for item in found(tree, "2.1.7", "3.0") if "multi_host" in item.message] == []


def test_a_description_that_is_a_bomb_of_aliases_is_one_finding_at_once() -> None:
    tree, system = described()
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 9)]
    tree.put(system.yaml, "\n".join(lines))
    started = time.perf_counter()
    findings = [item for item in found(tree, None, "2.0") if item.path == system.yaml]
    assert time.perf_counter() - started < 5  # the whole check; the file itself takes milliseconds
    assert [(item.rule, item.level) for item in findings] == [("input.yaml", Level.ERROR)]


def test_a_description_behind_a_pointer_is_told_as_such() -> None:
    tree, system = described()
    tree.put(system.yaml, POINTER)
    findings = [item for item in found(tree, None, "2.0") if item.path == system.yaml]
    assert [(item.rule, item.count) for item in findings] == [("input.lfs-pointer", 1)]


def test_an_empty_description_is_written_by_people_and_not_by_the_tool() -> None:
    tree = StorageTree("v3")
    tree.submitter("Acme").system("S1").training("unet3d")
    path = "closed/Acme/systems/S1.yaml"
    tree.put(path, b"")
    (finding,) = found(tree, "input.empty")
    assert finding.path == path
    assert finding.hint == "Complete or correct the description; it is written by hand."
