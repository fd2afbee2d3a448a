"""Components of a node in the Appendix E shape (E.3.1).

CPUs, accelerators and scale-up network of one node, in watts.
"""

from __future__ import annotations

from typing import Final

from checks.endpoints.power_defaults import accelerator_default, cpu_default
from checks.endpoints.power_fields import Fields
from checks.endpoints.sourced_value import Tally, read_picojoules, read_watts
from checks.endpoints.system_facts import NodeType

_SCALE_UP_METHODS: Final = ("declared_tdp", "bandwidth_estimate", "none")
_BITS_PER_BYTE: Final = 8


def node_watts(entry: Fields, components: Fields | None, kind: NodeType | None, tally: Tally) -> float | None:
    """CPUs, accelerators and scale-up network of one node."""
    if components is None:
        if not entry.has("components"):
            entry.problems.error(entry.pointer, "`components` is missing; component_sum is made from them.")
        return None
    processors = _processor_watts(components, kind, tally)
    scale_up = _scale_up_watts(components, tally)
    return None if processors is None or scale_up is None else processors + scale_up


def _processor_watts(components: Fields, kind: NodeType | None, tally: Tally) -> float | None:
    cpu, accelerator = components.child("cpu"), components.child("accelerator")
    if components.has("combined_cpu_accelerator"):
        for part in (cpu, accelerator):
            if part is not None and part.has("tdp_per_unit"):
                text = "`combined_cpu_accelerator` already holds this figure; the two exclude each other."
                part.problems.error(part.at("tdp_per_unit"), text, "Keep one of them.")
        return read_watts(components, "combined_cpu_accelerator", tally)
    if cpu is None or accelerator is None:
        if not (components.has("cpu") and components.has("accelerator")):
            text = "A component sum needs `cpu` and `accelerator`, or `combined_cpu_accelerator`."
            components.problems.error(components.pointer, text)
        return None
    cpu_model, accelerator_model = cpu.text("model"), accelerator.text("model")
    table = components.table
    cpu_w = read_watts(cpu, "tdp_per_unit", tally, cpu_default(cpu_model, kind.cpu_cores if kind else None, table))
    accelerator_w = read_watts(accelerator, "tdp_per_unit", tally, accelerator_default(accelerator_model, table))
    cpus, accelerators = _required_count(cpu, "count_per_node"), _required_count(accelerator, "count_per_node")
    if cpu_w is None or accelerator_w is None or cpus is None or accelerators is None:
        return None
    return cpus * cpu_w + accelerators * accelerator_w


def _scale_up_watts(components: Fields, tally: Tally) -> float | None:
    network = components.child("scale_up_network")
    if network is None:
        if not components.has("scale_up_network"):
            text = "`scale_up_network` is missing; Appendix D has no default for it."
            components.problems.error(components.pointer, text, "Without a scale-up switch write the method none.")
        return None
    method = network.choice("method", _SCALE_UP_METHODS)
    if method == "none":
        return 0.0
    if method == "declared_tdp":
        switches, each = _required_count(network, "switch_count"), read_watts(network, "tdp_per_switch", tally)
        return None if switches is None or each is None else switches * each
    if method is None:
        return None
    bandwidth, energy = network.number("aggregate_bandwidth_tbps"), read_picojoules(network, "energy_per_bit_pj", tally)
    if not network.has("aggregate_bandwidth_tbps"):
        network.problems.error(
            network.pointer, "`aggregate_bandwidth_tbps` is missing; bandwidth_estimate is made from it."
        )
    # The field is read in terabytes a second, as the worked example E.6.2 does: TB/s x 8 bit x pJ/bit = W.
    return None if bandwidth is None or energy is None else bandwidth * _BITS_PER_BYTE * energy


def _required_count(fields: Fields, key: str) -> int | None:
    if not fields.has(key):
        fields.problems.error(fields.pointer, f"`{key}` is missing.")
    return fields.count(key)
