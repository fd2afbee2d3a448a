"""MLPerf Endpoints as a rule set: importing this module registers every rule."""

from checks import hygiene
from checks.endpoints import (  # noqa: F401 - each registers its rules
    accuracy,
    accuracy_gate,
    agentic_accuracy,
    amended_systems,
    amendments,
    consistency,
    curve,
    disclosure,
    drafter_rules,
    engagement_rules,
    metrics_rules,
    not_checkable,
    offline,
    point_files,
    points,
    power_rules,
    runs,
    seeds_rules,
    steady_state,
    structure,
    system_description,
)
from checks.endpoints.book import BOOK, DEFAULT_EDITION
from checks.endpoints.changes import affected
from checks.endpoints.layout import EndpointsLayout
from checks.endpoints.units import RESULTS
from checks.rule_sets import RuleSet
from checks.tree import Tree
from checks.units import Folder

_STORAGE_DIVISIONS = frozenset({"closed", "open"})


def recognises(tree: Tree) -> bool:
    """An endpoints tree has ``results`` at the top, in a folder, or in a folder's folder, and no division folders."""
    root = Folder(tree, "")
    if any(name.casefold() in _STORAGE_DIVISIONS for name in root.folders):
        return False
    inner = [Folder(tree, name) for name in root.folders if not name.startswith(".")]
    below = [Folder(tree, folder.inside(name)) for folder in inner for name in folder.folders]
    return any(RESULTS in folder.folders for folder in (root, *inner, *below))


hygiene.register(BOOK)

RULE_SET = RuleSet(
    name="endpoints",
    title=BOOK.title,
    package="checks.endpoints",
    default_edition=DEFAULT_EDITION,
    book=BOOK,
    layout=EndpointsLayout,
    affected=affected,
    recognises=recognises,
)
