"""Reads `.github/submission-checks.yml` strictly: every fault with its line, never the defaults in place of a fault."""

from __future__ import annotations

import datetime
import functools
import json
from collections.abc import Collection, Iterator, Mapping
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bot.policy.model import Annotations, Phase, Policy, Round, UnchangedFiles, Waiver
from checks import names, yaml_text
from checks.findings import Level
from checks.json_text import escaped

if TYPE_CHECKING:
    import jsonschema

PATH = ".github/submission-checks.yml"
"""Where the configuration lies in the repository."""

MAX_BYTES = 1 << 20
"""A configuration beyond this is not read; real ones have a few kilobytes."""


LIMIT_WORDS = {"minimum": "at least", "maximum": "at most"}


class PolicyFault(Exception):
    """Why the configuration can't be used: the ``line`` (from 1; None for the whole file) and the ``reason``."""

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line = line
        self.reason = reason


def load_text(text: bytes, known_rules: Collection[str] | None = None) -> Policy:
    """The policy that ``text`` states. With ``known_rules``, naming any other rule id is a fault.

    Raises the first PolicyFault.
    """
    data, located, faults = _examined(text, known_rules)
    if faults:
        raise faults[0]
    return _policy(data, located)


def faults_of(text: bytes, known_rules: Collection[str] | None = None) -> tuple[PolicyFault, ...]:
    """Every fault of a configuration, in the order of its lines; empty when it is valid."""
    return tuple(_examined(text, known_rules)[2])


@functools.cache
def schema() -> Any:
    """The JSON Schema of the configuration, which editors may use."""
    text = resources.files("bot.schemas").joinpath("submission-checks.schema.json").read_text("utf-8")
    return json.loads(text)


def _examined(text: bytes, known_rules: Collection[str] | None) -> tuple[Any, dict[str, int], list[PolicyFault]]:
    if len(text) > MAX_BYTES:
        return None, {}, [PolicyFault(None, f"The file has {len(text):,} bytes, at most {MAX_BYTES:,} are read.")]
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        return None, {}, [PolicyFault(line, "The file is not UTF-8 text.")]
    data, node, fault = yaml_text.parse(decoded)
    if fault:
        return None, {}, [PolicyFault(fault.line, fault.message)]
    located, repeated = yaml_text.locate(node)
    data = {} if data is None else data
    faults = [
        PolicyFault(
            twice.line, f"The key {twice.pointer.rpartition('/')[2]} is given twice (first in line {twice.first_line})."
        )
        for twice in repeated
    ]
    faults += [_fault(error, located) for error in _validator().iter_errors(data)]
    if not faults:
        faults += _contradictions(data, located, known_rules)
    return data, located, sorted(faults, key=lambda item: (item.line or 0, item.reason))


@functools.cache
def _validator() -> jsonschema.Draft202012Validator:
    import jsonschema  # takes a tenth of a second, and most checks of a folder find no configuration

    return jsonschema.Draft202012Validator(schema(), format_checker=jsonschema.FormatChecker(("date",)))


def _fault(error: jsonschema.ValidationError, located: Mapping[str, int]) -> PolicyFault:
    pointer = "".join(f"/{escaped(str(part))}" for part in error.absolute_path)
    where = names.shown(".".join(str(part) for part in error.absolute_path)) or "the file"
    given: Any = error.instance
    part: Any = error.schema
    if error.validator == "additionalProperties":
        unknown = min(set(given) - set(part["properties"]))
        reason = f"Unknown key {names.shown(unknown)} in {where}; known are {', '.join(part['properties'])}."
        return PolicyFault(located.get(f"{pointer}/{escaped(unknown)}"), reason)
    expected = _expected(str(error.validator), error.validator_value, given, part)
    return PolicyFault(located.get(pointer), f"{where} {expected}")


def _expected(keyword: str, wanted: Any, given: Any, part: Any) -> str:
    """What the schema's ``keyword`` asks of the value ``given``, in words."""
    if keyword == "type":
        quotes = "; put it in quotes" if wanted == "string" and isinstance(given, int | float) else ""
        return f"must be of type {wanted}{quotes}."
    if keyword == "required":
        return f"lacks {', '.join(key for key in wanted if key not in given)}."
    if keyword == "enum":
        return f"must be one of {', '.join(wanted)}."
    if keyword == "format":
        return "is not a day of the calendar (YYYY-MM-DD)."
    if keyword in LIMIT_WORDS:
        return f"must be {LIMIT_WORDS[keyword]} {wanted}."
    return f"has not the form that is wanted ({part.get('description', wanted)})."


def _contradictions(data: Any, located: Mapping[str, int], known: Collection[str] | None) -> Iterator[PolicyFault]:
    """What a schema can't say: the order of days, globs that are for everything, and ids that no rule has."""
    if (round_ := data.get("round")) and round_["opens"] > round_["closes"]:
        yield PolicyFault(located["/round/closes"], "round.closes lies before round.opens.")
    for index, waiver in enumerate(data.get("waivers", ())):
        if not names.inside_path(waiver["path"]) or names.inside_path(waiver["path"])[0] in "*?":
            reason = f"waivers.{index}.path must begin with a name, so that a waiver is not for everything."
            yield PolicyFault(located.get(f"/waivers/{index}/path"), reason)
    if known is None:
        return
    for pointer, rule in _rule_ids(data):
        if rule not in known:
            yield PolicyFault(located.get(pointer), f"No rule has the id {names.shown(rule)}.")


def _rule_ids(data: Any) -> Iterator[tuple[str, str]]:
    """Every rule id that the configuration names, with the pointer to its place."""
    tables = {"/levels": data.get("levels", {}), "/disputed": data.get("disputed", {})}
    for phase, levels in data.get("round", {}).get("levels", {}).items():
        tables[f"/round/levels/{phase}"] = levels
    for pointer, table in tables.items():
        yield from ((f"{pointer}/{escaped(rule)}", rule) for rule in table)
    for index, waiver in enumerate(data.get("waivers", ())):
        yield f"/waivers/{index}/rule", waiver["rule"]


def _policy(data: Mapping[str, Any], located: Mapping[str, int]) -> Policy:
    annotations = data.get("annotations", {})
    return Policy(
        rules=data.get("rules"),
        edition=data.get("edition"),
        root=names.inside_path(data.get("root", names.ROOT)) or names.ROOT,
        levels=_levels(data.get("levels", {})),
        disputed=MappingProxyType(dict(data.get("disputed", {}))),
        waivers=tuple(_waiver(one, located.get(f"/waivers/{at}")) for at, one in enumerate(data.get("waivers", ()))),
        owners=MappingProxyType({name: tuple(people) for name, people in data.get("owners", {}).items()}),
        annotations=Annotations(
            limit=annotations.get("limit", Annotations().limit),
            unchanged_files=UnchangedFiles(annotations.get("unchanged_files", UnchangedFiles.SUMMARY)),
        ),
        round=_round(data["round"]) if "round" in data else None,
        baseline_fails=data.get("baseline", {}).get("fails", True),
        results_preview=data.get("results_preview", False),
        comment=data.get("comment", False),
    )


def _levels(data: Mapping[str, str]) -> Mapping[str, Level]:
    return MappingProxyType({rule: Level(level) for rule, level in data.items()})


def _waiver(data: Mapping[str, str], line: int | None) -> Waiver:
    until = datetime.date.fromisoformat(data["until"])
    return Waiver(data["rule"], names.inside_path(data["path"]), data["reason"].strip(), until, line)


def _round(data: Mapping[str, Any]) -> Round:
    opens, closes = (datetime.date.fromisoformat(data[key]) for key in ("opens", "closes"))
    levels = {Phase(phase): _levels(given) for phase, given in data.get("levels", {}).items()}
    return Round(data["name"], opens, closes, MappingProxyType(levels))
