"""Valid MLPerf Endpoints submission trees, piece by piece.

    tree = EndpointsTree()
    system = tree.submission("acme_corp", "sub-0001").system("sys_000")
    curve = system.curve("llama3_1-8b")
    tree.edit_yaml(curve.file(256, "point.yaml"), {"/runtime_settings/load_pattern": "poisson"})

Every piece satisfies the rules when it is written; tests then break what they are about with the edits of `FileTree`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from tests.trees.endpoints_documents import (
    BENCHMARKS,
    Benchmark,
    Point,
    accuracy_results,
    point_yaml,
    result_summary,
    system_desc,
    system_tps,
)
from tests.trees.endpoints_power import PowerShape, system_power, total_kw
from tests.trees.storage_files import FileTree

Offline = Literal["dedicated", "elected"]

C_MAX = 1000
CONCURRENCIES = (16, 20, 88, 256, 512, 768, 1000)
"""Seven points of a curve with C_min 16 and C_max 1000; Low is 17-26, Medium 27-115, High 116-1000."""

ACCURACY_AT = (16, 20, 88, 1000)
"""One accuracy result in each band."""

_README = "# vLLM\n\nRun launch.sh on every node, then the reference client with config.yaml.\n"
_SOFTWARE = "vLLM 0.9.2 (commit 4f3c2a1b9d), CUDA 12.8.1, driver 570.124, Ubuntu 22.04.\n"
_PRICING = "# Pricing and rate limits\n\nPrice per 1M output tokens: 2.00 USD. Rate limit: 1000 requests per minute.\n"


class EndpointsTree(FileTree):
    """A merged tree that grows by submissions."""

    def put_yaml(self, path: str, value: Any) -> str:
        """As in `FileTree`, with libyaml: the trees of the measurements hold thousands of points."""
        return self.put(path, yaml.dump(value, Dumper=yaml.CSafeDumper, sort_keys=False))

    def submission(self, org: str = "acme_corp", name: str = "sub-0001", division: str = "Standardized") -> Submission:
        """Start a submission with its `src/` and `docs/`."""
        submission = Submission(self, f"{org}/{name}", division)
        self.put(f"{submission.path}/src/vllm/README.md", _README)
        self.put(f"{submission.path}/src/vllm/launch.sh", "#!/bin/sh\nvllm serve model\n")
        self.put(f"{submission.path}/docs/software_disclosure.md", _SOFTWARE)
        if division == "Serviced":
            self.put(f"{submission.path}/docs/pricing.md", _PRICING)
        return submission


@dataclass(frozen=True)
class Submission:
    """One submission of an organisation."""

    tree: EndpointsTree
    path: str
    division: str

    def system(
        self,
        name: str = "sys_000",
        *,
        shape: PowerShape = "checker",
        nodes: Mapping[int, int] | None = None,
        cooling: Literal["air", "liquid"] = "air",
    ) -> System:
        """Start a system with its power descriptor; `nodes` gives the nodes of each ensemble (one single node)."""
        system = System(self, name, shape, dict(nodes or {0: 1}), cooling)
        self.tree.put_json(system.power, system_power(shape, system.nodes, cooling))
        return system


@dataclass(frozen=True)
class System:
    """One system of a submission."""

    submission: Submission
    name: str
    shape: PowerShape
    nodes: Mapping[int, int]
    cooling: str

    @property
    def path(self) -> str:
        return f"{self.submission.path}/results/{self.name}"

    @property
    def power(self) -> str:
        """Path of its system_power.json."""
        return f"{self.path}/system_power.json"

    @property
    def data_parallel(self) -> int:
        """The replicas of eight accelerators that the whole system holds."""
        return sum(self.nodes.values())

    def availability(self) -> dict[str, str]:
        """Status of the system as its division has it."""
        if self.submission.division == "RDI":
            return {"system_availability_status": "RDI"}
        return {"system_availability_status": "Available", "availability_url": "https://vendor.example/buy"}

    def curve(
        self,
        model: str = "llama3_1-8b",
        concurrencies: Iterable[int] = CONCURRENCIES,
        *,
        c_max: int = C_MAX,
        offline: Offline | None = None,
        accuracy_at: Sequence[int] = ACCURACY_AT,
        nodes_used: Mapping[int, Mapping[int, int]] | None = None,
    ) -> Curve:
        """Write a whole curve.

        `offline`: `elected` nominates the point at C_max, `dedicated` adds a run of its own. `nodes_used` gives, for
        some concurrencies, the nodes that the point engages by ensemble.
        """
        curve = Curve(self, BENCHMARKS[model], c_max, tuple(accuracy_at), offline, nodes_used or {})
        for concurrency in concurrencies:
            curve.add(concurrency)
        if offline == "dedicated":
            curve.add_dedicated_offline()
        return curve

    def agentic_curve(self, model: str = "kimi-k3", concurrencies: Iterable[int] = CONCURRENCIES) -> Curve:
        """Write a curve of an agentic model: no Offline point, an accuracy score of the run itself at every point."""
        return self.curve(model, concurrencies)


@dataclass(frozen=True)
class Curve:
    """The points of one model on one system."""

    system: System
    benchmark: Benchmark
    c_max: int
    accuracy_at: tuple[int, ...]
    offline: Offline | None
    nodes_used: Mapping[int, Mapping[int, int]] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"{self.system.path}/{self.benchmark.model}"

    def point(self, concurrency: int) -> str:
        """Folder of a point."""
        return f"{self.path}/r{concurrency}"

    def file(self, concurrency: int, name: str) -> str:
        """Path of a file of a point."""
        return f"{self.point(concurrency)}/{name}"

    def add(self, concurrency: int) -> str:
        """Write one more point and return its folder."""
        is_elected = self.offline == "elected" and concurrency == self.c_max
        self._write(concurrency, "elected" if is_elected else None)
        return self.point(concurrency)

    def add_dedicated_offline(self) -> str:
        """Write a dedicated Offline run: as many requests at once as the data set has samples."""
        samples = self.benchmark.dataset_size or self.benchmark.samples
        self._write(samples, "dedicated")
        return self.point(samples)

    def _write(self, concurrency: int, offline: Offline | None) -> None:
        system, tree = self.system, self.system.submission.tree
        used = self.nodes_used.get(concurrency)
        point = Point(
            benchmark=self.benchmark,
            concurrency=concurrency,
            c_max=self.c_max,
            division=system.submission.division,
            offline=offline,
            max_tps=system_tps(self.c_max, self.c_max),
            kw=total_kw(system.shape, system.nodes, system.cooling, used),
        )
        replicas = sum({**system.nodes, **(used or {})}.values())
        tree.put_yaml(self.file(concurrency, "point.yaml"), {**point_yaml(point), **self._engagement(used, replicas)})
        description = system_desc(
            system.name,
            point,
            nodes=system.nodes,
            cooling=system.cooling.capitalize(),
            data_parallel=replicas,
            availability=system.availability(),
        )
        tree.put_json(self.file(concurrency, "system_desc.json"), description)
        tree.put_json(self.file(concurrency, "result_summary.json"), result_summary(point))
        tree.put_yaml(self.file(concurrency, "config.yaml"), {"concurrency": concurrency})
        is_required = concurrency in self.accuracy_at or offline is not None
        accuracy = accuracy_results(self.benchmark, is_required=is_required)
        if accuracy is not None:
            tree.put_json(self.file(concurrency, "accuracy_results.json"), accuracy)

    def _engagement(self, used: Mapping[int, int] | None, replicas: int) -> dict[str, Any]:
        """What a point declares that does not use the whole system: its nodes, and why it runs fewer replicas."""
        if used is None:
            return {}
        document: dict[str, Any] = {
            "nodes_used": [{"system_node_ensemble_id": ensemble, "nodes": count} for ensemble, count in used.items()]
        }
        if replicas < self.system.data_parallel:
            document["dp_shortfall"] = {
                "dp_actual": replicas,
                "dp_formula": self.system.data_parallel,
                "reason": "Low concurrency does not feed every replica.",
            }
        return document


def spread(points: int, c_max: int = C_MAX) -> list[int]:
    """`

    Points` concurrencies (7 to 32) that cover every region of a curve with C_min 16 and C_max `c_max` (1000 or more).
    """
    fixed = [16, 20, 88, c_max]
    step = (c_max - 128) // points
    return sorted(fixed + [128 + step * index for index in range(points - len(fixed))])


def many_points(systems: int, models: int, points: int, shape: PowerShape = "checker") -> EndpointsTree:
    """One submission with `systems` x `models` curves of `points` points each, for measurements. Models: at most 6.

    Every point.yaml has an address of its own, since no two are alike in a real tree.
    """
    tree = EndpointsTree()
    submission = tree.submission()
    for number in range(systems):
        system = submission.system(f"sys_{number:03}", shape=shape)
        for model in list(BENCHMARKS)[:models]:
            offline: Offline | None = None if BENCHMARKS[model].is_agentic else "elected"
            system.curve(model, spread(points), offline=offline)
    for path, content in tree.files.items():
        if path.endswith("/point.yaml"):
            own = f"https://vendor.example/{path.rpartition('/')[0]}/warmup".encode()
            tree.files[path] = content.replace(b"https://vendor.example/warmup", own)
    return tree


def whole_tree() -> EndpointsTree:
    """Two organisations and three submissions.

    Every division, both power shapes, every kind of curve and Offline point.
    """
    tree = EndpointsTree()
    first = tree.submission("acme_corp", "sub-0001")
    single = first.system("sys_000")
    single.curve("llama3_1-8b", offline="elected")
    single.curve("gpt-oss-120b", offline="dedicated", concurrencies=CONCURRENCIES)
    first.system("sys_001", shape="appendix_e", cooling="liquid").curve("deepseek-r1", offline="elected")
    serviced = tree.submission("acme_corp", "sub-0002", division="Serviced")
    serviced.system("cloud", shape="appendix_e").agentic_curve("kimi-k3")
    rdi = tree.submission("globex", "sub-0003", division="RDI")
    cluster = rdi.system("cluster", nodes={0: 4}, cooling="liquid")
    cluster.curve("llama3_1-8b", offline="elected", nodes_used={16: {0: 1}, 20: {0: 2}})
    mixed = rdi.system("mixed", shape="appendix_e", nodes={0: 2, 1: 2})
    mixed.agentic_curve("qwen3_6-35b-a3b")
    return tree
