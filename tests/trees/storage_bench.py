"""Where and with what a workload ran: what every builder of a timestamp directory shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from tests.trees.storage_code import CodeImage, CodeLayout
from tests.trees.storage_files import FileTree, Json
from tests.trees.storage_hosts import Hosts

Shape = Literal["document", "v3"]
"""The layout that the rules document draws, or the one of the published v3.0 tree."""

Api = Literal["file", "object"]

RESULTS_DIR = "/results"
DATA_DIR = "/mnt/storage/data"
BUCKET = "mlperf-data"
FIRST_RUN = datetime.fromisoformat("2026-07-06T08:00:00.428594")
"""Local start of the first invocation on every system."""

STARTUP = timedelta(seconds=2)
TEARDOWN = timedelta(seconds=1.5)
BETWEEN_INVOCATIONS = timedelta(seconds=3)

FILE_SYSTEMS = f"""\
$ df -h {DATA_DIR}
Filesystem            Size  Used Avail Use% Mounted on
10.1.0.1:/vol0        100T   40T   60T  40% /mnt/storage

$ df -h {RESULTS_DIR}
Filesystem            Size  Used Avail Use% Mounted on
/dev/nvme0n1p2        1.8T  200G  1.6T  12% /

"""
"""Evidence of separate filesystems in a log, as 3.4.2 words it: one `df` for each path."""


@dataclass(frozen=True)
class Leaf:
    """One timestamp directory: its path, the names in it that tests want, and when it ran (local, naive)."""

    path: str
    kind: str
    invoked: datetime
    seconds: float

    @property
    def stamp(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def metadata(self) -> str:
        return f"{self.path}/{self.kind}_{self.stamp}_metadata.json"

    @property
    def summary(self) -> str:
        return f"{self.path}/summary.json"

    @property
    def pointer(self) -> str:
        return f"{self.path}/.mlps-code-image"

    @property
    def separation(self) -> str:
        return f"{self.path}/fs_separation.json"

    @property
    def start(self) -> datetime:
        """`start` of the summary."""
        return self.invoked + STARTUP

    @property
    def end(self) -> datetime:
        """`end` of the summary."""
        return self.start + timedelta(seconds=self.seconds)

    @property
    def left(self) -> datetime:
        """When the invocation returned."""
        return self.end + TEARDOWN

    def file(self, name: str) -> str:
        return f"{self.path}/{name}"


@dataclass
class Bench:
    """One system under test in one division, with the clock of its invocations."""

    tree: FileTree
    shape: Shape
    division: str
    org: str
    system: str
    image: CodeImage
    code: CodeLayout
    pointers: bool
    hosts: Hosts = field(default_factory=Hosts)
    api: Api = "file"
    clock: datetime = FIRST_RUN

    @property
    def results(self) -> str:
        return f"{self.division}/{self.org}/results/{self.system}"

    @property
    def data_dir(self) -> str:
        return DATA_DIR if self.api == "file" else f"s3://{BUCKET}/data"

    @property
    def literal(self) -> bool:
        """True where the tree follows the words of the document, False where it follows the published tree."""
        return self.shape == "document"

    def workload(self, path: str) -> str:
        """Path of a workload folder; captures the code there when OPEN wants it in the leaf (2.1.5.b)."""
        folder = f"{self.results}/{path}"
        if self.code == "folders" and self.division == "open":
            self.image.write(self.tree, f"{folder}/code")
        return folder

    def leaf(self, folder: str, kind: str, seconds: float, pause: timedelta = BETWEEN_INVOCATIONS) -> Leaf:
        """The next timestamp directory under `folder`, named by its start; `seconds` from summary start to end."""
        leaf = Leaf(f"{folder}/{self.clock:%Y%m%d_%H%M%S}", kind, self.clock, seconds)
        self.clock = leaf.left + pause
        if self.pointers:
            self.tree.put(leaf.pointer, self.image.pointer)
        if self.code != "folders":
            pool = self.org if self.code == "org-pool" else "code-images"
            self.image.write_pooled(self.tree, pool)
        return leaf

    def separate_filesystems(self, leaf: Leaf, data_path: str) -> str:
        """Record that data and results are apart: a sidecar in the published shape, text for a log in the document's.

        Returns the text for the log (empty when the sidecar was written, or for the object API, which has no mount).
        """
        if self.api == "object":
            return ""
        if self.literal:
            return FILE_SYSTEMS
        self.put_separation(leaf, data_path)
        return ""

    def put_separation(self, leaf: Leaf, data_path: str) -> None:
        record: Json = {
            "version": 1,
            "method": "link_exdev",
            "data_or_chkpt_path": data_path,
            "results_path": RESULTS_DIR,
            "data_or_chkpt_realpath": data_path,
            "results_realpath": RESULTS_DIR,
            "same_filesystem": False,
            "probed_at": f"{leaf.invoked:%Y-%m-%dT%H:%M:%SZ}",
            "probed_by_rank": 0,
            "probed_by_host": self.hosts.names[0],
        }
        self.tree.put_json(leaf.separation, record)

    def storage_overrides(self) -> Iterator[tuple[str, str]]:
        """Parameters that an object-API run carries, as the tool or the submitter sets them."""
        if self.api == "object":
            yield "storage.storage_type", "s3"
            yield "storage.storage_root", BUCKET
            if not self.literal:
                yield "storage.storage_options.storage_library", "s3dlio"
                yield "storage.storage_options.uri_scheme", "s3"
                yield "storage.s3_force_path_style", "true"
