"""MLPerf Storage as a rule set: importing this module registers every rule."""

from checks import hygiene
from checks.rule_sets import RuleSet
from checks.storage import (  # noqa: F401 - each registers its rules
    access,
    checkpointing_accelerators,
    checkpointing_failover,
    checkpointing_gap,
    checkpointing_phases,
    checkpointing_run,
    checkpointing_scale,
    checkpointing_structure,
    code_images,
    code_pointers,
    code_upstream,
    identical_system,
    kv_access,
    kv_aggregates,
    kv_clients,
    kv_divisions,
    kv_results,
    kv_results_agree,
    kv_sequence,
    kv_workload,
    parameters,
    recorded_identity,
    run_gaps,
    structure,
    submitter_structure,
    system_description,
    systems_directory,
    training_datasize,
    training_phases,
    training_run,
    training_size,
    training_structure,
    training_utilization,
    tree_hygiene,
    vdb_access,
    vdb_backends,
    vdb_data,
    vdb_parameters,
    vdb_recall,
    vdb_run,
    vdb_run_agreement,
    vdb_scale,
    workload_structure,
)
from checks.storage.book import BOOK
from checks.storage.changes import affected
from checks.storage.layout import StorageLayout
from checks.storage.results_table import rows
from checks.storage.terms import DIVISIONS
from checks.tree import Tree


def recognises(tree: Tree) -> bool:
    """A storage tree has ``closed`` or ``open`` at its top, also when wrongly capitalised (2.1.2 tells of that)."""
    return any(name.casefold() in DIVISIONS for name in tree.children(""))


hygiene.register(BOOK)

RULE_SET = RuleSet(
    name="storage",
    title=BOOK.title,
    package="checks.storage",
    default_edition="2.0",
    book=BOOK,
    layout=StorageLayout,
    affected=affected,
    recognises=recognises,
    results=rows,
)
