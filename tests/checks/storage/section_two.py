"""One small valid tree for the tests of section 2: a CLOSED system with training and checkpointing."""

from tests.trees.storage import StorageTree, System
from tests.trees.storage_bench import Shape
from tests.trees.storage_checkpointing import Checkpointing
from tests.trees.storage_training import Training

CLOSED = "closed/Acme"
RESULTS = f"{CLOSED}/results/S1"


class Small:
    """The tree and its parts. `division`, `shape` and the code's layout as the builders have them."""

    def __init__(self, shape: Shape = "document", division: str = "closed", invocations: int = 2, **layout) -> None:
        self.tree = StorageTree(shape, **layout)
        self.submitter = self.tree.submitter("Acme", division)
        self.system: System = self.submitter.system("S1")
        self.training: Training = self.system.training()
        self.checkpointing: Checkpointing = self.system.checkpointing(invocations=invocations)

    @property
    def files(self) -> dict[str, bytes]:
        return self.tree.files
