"""The parser of recorded KV-cache commands, and the reader of rank results."""

from __future__ import annotations

import json
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.memory_tree import MemoryTree
from checks.storage.inputs import Metadata
from checks.storage.kv_commands import commands_in, parsed, same_value
from checks.storage.kv_inputs import STATS, RankResult

LINE = (
    "mpirun -n 20 -host a:5,b:5 --npernode 5 --bind-to none /opt/.venv/bin/python3 /opt/kv/mlperf_wrapper.py "
    "--rank-output-base /r/option_2/trial_1 --rank-cache-base /mnt/kv --seed-base=42 --model llama3.1-8b "
    "--num-users 100 --enable-rag --gpu-mem-gb 0"
)


def test_a_command_as_the_tool_writes_it() -> None:
    command = parsed(LINE, "/command_output_files/4/command")
    assert command is not None
    assert (command.option, command.trial, command.ranks) == (2, 1, 20)
    assert command.pointer == "/command_output_files/4/command"
    assert dict(command.flags) == {
        "--rank-output-base": ("/r/option_2/trial_1",),
        "--rank-cache-base": ("/mnt/kv",),
        "--seed-base": ("42",),
        "--model": ("llama3.1-8b",),
        "--num-users": ("100",),
        "--enable-rag": ("",),
        "--gpu-mem-gb": ("0",),
    }
    assert command.stray == ()


@pytest.mark.parametrize(
    ("tail", "flags", "stray"),
    [
        ("--a 1 --a 2", {"--a": ("1", "2")}, ()),
        ("--a -1", {"--a": ("-1",)}, ()),
        ("--a b c", {"--a": ("b",)}, ("c",)),
        ("x --a=", {"--a": ("",)}, ("x",)),
        ("--a='b c' --d \"e f\"", {"--a": ("b c",), "--d": ("e f",)}, ()),
        ("--a 'b", {"--a": ("'b",)}, ()),
        ("", {}, ()),
    ],
)
def test_arguments(tail: str, flags: dict[str, tuple[str, ...]], stray: tuple[str, ...]) -> None:
    command = parsed(f"python mlperf_wrapper.py {tail}")
    assert command is not None
    assert (dict(command.flags), command.stray) == (flags, stray)


@pytest.mark.parametrize("base", ["", "/r/option_x/trial_0", "/r/option_1", "/r/option_1/trial_0/more"])
def test_a_command_whose_place_is_not_told(base: str) -> None:
    command = parsed(f"python mlperf_wrapper.py --rank-output-base '{base}'")
    assert command is not None
    assert (command.option, command.trial) == (None, None)


@pytest.mark.parametrize("line", ["", "mpirun -n 1 dlio_benchmark", "cat mlperf_wrapper.py.log"])
def test_what_is_no_command_of_the_benchmark(line: str) -> None:
    assert parsed(line) is None


def test_a_direct_call_counts() -> None:
    command = parsed("sudo python kv-cache.py --config c.yaml --model llama3.1-8b")
    assert command is not None
    assert command.values("--config") == ("c.yaml",)


FLAGS = st.from_regex(r"--[a-z][a-z-]{0,8}", fullmatch=True)
VALUES = st.text(min_size=1).filter(lambda value: not value.startswith("-"))


@given(st.dictionaries(FLAGS, VALUES))
def test_what_a_shell_passes_is_what_is_read(arguments: dict[str, str]) -> None:
    words = [f"{flag} {shlex.quote(value)}" for flag, value in arguments.items()]
    command = parsed(" ".join(["python mlperf_wrapper.py", *words]))
    assert command is not None
    assert dict(command.flags) == {flag: (value,) for flag, value in arguments.items()}


@given(st.text(), st.text())
def test_no_text_makes_the_parser_raise(before: str, after: str) -> None:
    line = f"{before} mlperf_wrapper.py {after}"
    assert parsed(line) == parsed(line)


@pytest.mark.parametrize(
    ("given_value", "wanted", "same"),
    [("0", 0, True), ("0.0", 0, True), ("200", 200, True), ("201", 200, False), ("", 0, False), ("none", "none", True),
     ("None", "none", False), ("4x", 4, False)],
)  # fmt: skip
def test_values_are_numbers_where_the_table_has_numbers(given_value: str, wanted: object, same: bool) -> None:
    assert same_value(given_value, wanted) is same


def record(**content: object) -> Metadata:
    return Metadata(MemoryTree({"m.json": json.dumps(content).encode()}), "m.json")


def test_commands_come_from_the_outputs_or_the_executed_command() -> None:
    both = record(executed_command=LINE, command_output_files=[{"command": "df -h"}, {"command": LINE}, {}])
    assert [command.pointer for command in commands_in(both)] == ["/command_output_files/1/command"]
    one = record(executed_command=LINE, command_output_files=[])
    assert [command.pointer for command in commands_in(one)] == ["/executed_command"]
    assert commands_in(record()) == []


RESULT = {
    "end_to_end_latencies": [0.1] * 10_000,
    "note": "summary",
    "summary": {
        "end_to_end_latency_ms": {"p95": 1.0},
        "cache_stats": {"storage_entries": 3, "other": [1] * 1000, "storage_read_device_p95_ms": 7.5},
        "storage_throughput_tokens_per_sec": "22.5",
    },
    "tail": [0.1] * 10,
}


def test_of_a_rank_result_only_the_figures_are_kept() -> None:
    text = json.dumps(RESULT, indent=1)
    result = RankResult(MemoryTree({"r.json": text.encode()}), "r.json")
    assert result.data == {
        "summary": {
            "storage_throughput_tokens_per_sec": "22.5",
            "cache_stats": {"storage_entries": 3, "storage_read_device_p95_ms": 7.5},
        }
    }
    lines = text.splitlines()
    for pointer, name in ((f"{STATS}/storage_entries", "storage_entries"), ("/summary", "summary")):
        assert f'"{name}": ' in lines[(result.line_of(pointer) or 0) - 1]
    assert result.line_of("/summary/nothing") == result.line_of("/summary")
    assert RankResult._text == result._text == ""


@pytest.mark.parametrize("text", ["[]", "{}", '{"summary": null}', '{"summary": {"cache_stats": 3}}'])
def test_a_rank_result_of_another_shape_is_read_all_the_same(text: str) -> None:
    result = RankResult(MemoryTree({"r.json": text.encode()}), "r.json")
    assert result.data == json.loads(text)
    assert result.line_of(f"{STATS}/storage_entries") == 1


def test_a_rank_result_with_a_name_given_twice_keeps_its_lines() -> None:
    text = b'{"summary":\n {"cache_stats": {"storage_entries": 1,\n "storage_entries": 2}}}'
    result = RankResult(MemoryTree({"r.json": text}), "r.json")
    assert [(item.pointer, item.first_line, item.line) for item in result.repeated] == [
        (f"{STATS}/storage_entries", 2, 3)
    ]


def test_a_truncated_rank_result_is_a_fault() -> None:
    result = RankResult(MemoryTree({"r.json": b'{"summary": {'}), "r.json")
    assert result.fault is not None
    assert result.fault.rule == "input.json"
