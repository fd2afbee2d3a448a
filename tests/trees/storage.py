"""Valid MLPerf Storage submission trees, piece by piece.

    tree = StorageTree("document")
    system = tree.submitter("Acme").system("S1")
    training = system.training("unet3d")
    tree.edit_json(training.runs[0].summary, {"/num_hosts": 3})

Every piece satisfies the rules when it is written; tests then break what they are about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.trees import storage_checkpointing, storage_kvcache, storage_training, storage_vectors
from tests.trees.storage_bench import Api, Bench, Shape
from tests.trees.storage_code import SOURCE, CodeImage, CodeLayout
from tests.trees.storage_files import FileTree
from tests.trees.storage_hosts import Hosts
from tests.trees.storage_system import Deployment, Description, Product, pdf_bytes


class StorageTree(FileTree):
    """A tree that grows by submitters.

    `shape` chooses the layout; `code` and `pointers` default to what belongs to it: folders without pointers in the
    document's shape, one pool per organisation with a pointer in every timestamp directory in the published one.
    """

    def __init__(self, shape: Shape = "document", code: CodeLayout | None = None, pointers: bool | None = None) -> None:
        super().__init__()
        self.shape: Shape = shape
        self.code: CodeLayout = code or ("folders" if shape == "document" else "org-pool")
        self.pointers = self.code != "folders" if pointers is None else pointers

    def submitter(self, name: str, division: str = "closed", source: Mapping[str, bytes] = SOURCE) -> Submitter:
        """Start a submitter in one division; `source` are the files of its code image."""
        algorithm = "md5-tree-v1" if self.code == "folders" else "md5-tree-v2"
        submitter = Submitter(self, name, division, CodeImage(source, algorithm))
        if self.code == "folders" and division == "closed":
            submitter.image.write(self, f"{submitter.path}/code")
        return submitter


@dataclass(frozen=True)
class Submitter:
    """One organisation in one division."""

    tree: StorageTree
    name: str
    division: str
    image: CodeImage

    @property
    def path(self) -> str:
        return f"{self.division}/{self.name}"

    @property
    def code(self) -> str:
        """Path of the code image that the results of this submitter point to."""
        if self.tree.code == "folders":
            return f"{self.path}/code"
        pool = self.name if self.tree.code == "org-pool" else "code-images"
        return f"{pool}/{self.image.folder}"

    def system(
        self,
        name: str,
        hosts: Hosts | None = None,
        api: Api = "file",
        *,
        description: Description | None = None,
        deployment: Deployment = "onprem",
        remap_seconds: int = 0,
        source: Mapping[str, bytes] | None = None,
    ) -> System:
        """Describe a system under test; its results appear with its first workload. `source`: code of its own."""
        literal = self.tree.shape == "document" and api == "file"
        shape = description or ("shared_capabilities" if literal else "system_under_test")
        product = Product(name, hosts or Hosts(), api, deployment, remap_seconds)
        image = CodeImage(source, self.image.algorithm) if source else self.image
        bench = Bench(
            tree=self.tree,
            shape=self.tree.shape,
            division=self.division,
            org=self.name,
            system=name,
            image=image,
            code=self.tree.code,
            pointers=self.tree.pointers,
            hosts=product.hosts,
            api=api,
        )
        system = System(bench)
        self.tree.put_yaml(system.yaml, product.description(shape))
        self.tree.put(system.pdf, pdf_bytes(f"{self.path} {name}"))
        return system


@dataclass(frozen=True)
class System:
    """One system under test; its workloads run one after the other on one clock."""

    bench: Bench

    @property
    def path(self) -> str:
        """The system's folder under `results`."""
        return self.bench.results

    @property
    def yaml(self) -> str:
        return f"{self.bench.division}/{self.bench.org}/systems/{self.bench.system}.yaml"

    @property
    def pdf(self) -> str:
        return f"{self.bench.division}/{self.bench.org}/systems/{self.bench.system}.pdf"

    def training(
        self,
        model: str = "unet3d",
        accelerator: str = "b200",
        accelerators: int | None = None,
        *,
        read_threads: int = 8,
        au: float = 97.0,
    ) -> storage_training.Training:
        """datasize, datagen and six runs. `accelerators` is the total (default: 4 on one host, else 1 per host)."""
        count = accelerators or max(4, self.bench.hosts.count)
        return storage_training.build(
            self.bench, model, accelerator=accelerator, accelerators=count, read_threads=read_threads, au=au
        )

    def checkpointing(
        self,
        model: str = "llama3-8b",
        invocations: int = 1,
        *,
        processes: int | None = None,
        subset: bool = False,
        accelerator: str | None = None,
        gap_seconds: float = 10.0,
    ) -> storage_checkpointing.Checkpointing:
        """Ten writes and ten reads in one invocation, or in two with `gap_seconds` between them."""
        return storage_checkpointing.build(
            self.bench,
            model,
            invocations=invocations,
            processes=processes,
            subset=subset,
            accelerator=accelerator,
            gap_seconds=gap_seconds,
        )

    def vector_database(
        self,
        index: str = "DISKANN",
        *,
        database: str = "milvus",
        engine_level: bool | None = None,
        vectors: int = 1_000_000,
        dimension: int = 1536,
        recall: float = 0.95,
        queries_per_second: float = 57_922.0,
    ) -> storage_vectors.VectorDatabase:
        """A load and five query runs; `engine_level` adds the folder `<database>` that published trees have."""
        return storage_vectors.build(
            self.bench,
            index,
            database=database,
            engine_level=self.bench.shape == "v3" if engine_level is None else engine_level,
            vectors=vectors,
            dimension=dimension,
            recall=recall,
            queries_per_second=queries_per_second,
        )

    def kv_cache(self, model: str = "llama3.1-8b", ranks: int | None = None) -> storage_kvcache.KvCache:
        """Three options of three trials; `ranks` over all hosts (default: one per host)."""
        return storage_kvcache.build(self.bench, model, ranks=ranks or self.bench.hosts.count)
