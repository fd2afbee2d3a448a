"""What judging a system_power.json gives: the total, how it came about, and what is wrong or worth saying."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

ERROR: Final = "error"
WARNING: Final = "warning"
NOTICE: Final = "notice"

POWER_DESCRIPTOR: Final = "power-descriptor"
POWER_ESTIMATED: Final = "power-estimated"
NODES_USED: Final = "nodes-used"
MAXIMAL_ENGAGEMENT: Final = "maximal-engagement"

_WAYS_OUT: Final = {
    POWER_DESCRIPTOR: "Correct system_power.json; every figure as its public source states it.",
    NODES_USED: "Correct `nodes_used` in point.yaml, or leave it out where the whole system was used.",
    MAXIMAL_ENGAGEMENT: "State the nodes, their accelerators and the parallelism as they were in the run.",
}
"""What to do about a problem that does not name a way out of its own, by rule."""

Shape = Literal["checker", "appendix_e"]
Derivation = Literal["declared", "rack", "components", "node_sets"]

_W_PER_KW: Final = 1000.0
_KW_DECIMALS: Final = 2


class PowerProblem(NamedTuple):
    """One thing to say about a power figure: JSON pointer of the place, level, text, the way out, and the rule's id.

    The pointer is into system_power.json, for :data:`NODES_USED` into point.yaml; ``""`` is the whole document.
    """

    pointer: str
    level: str
    message: str
    hint: str | None = None
    rule: str = POWER_DESCRIPTOR

    @property
    def way_out(self) -> str | None:
        """The hint, else what the rule's problems come to; None for a notice that has none."""
        return self.hint or (None if self.level == NOTICE else _WAYS_OUT.get(self.rule))


class Problems:
    """Collects problems while a document is read."""

    def __init__(self) -> None:
        self.found: list[PowerProblem] = []
        self._known: set[PowerProblem] = set()

    def add(self, problem: PowerProblem) -> None:
        """Notes a problem, once: a value may be read from two sides."""
        if problem not in self._known:
            self._known.add(problem)
            self.found.append(problem)

    def error(self, pointer: str, message: str, hint: str | None = None) -> None:
        """The document breaks the rule."""
        self.add(PowerProblem(pointer, ERROR, message, hint))

    def warning(self, pointer: str, message: str, hint: str | None = None, rule: str = POWER_DESCRIPTOR) -> None:
        """The document passes, but a reviewer would ask."""
        self.add(PowerProblem(pointer, WARNING, message, hint, rule))

    def notice(self, pointer: str, message: str, hint: str | None = None) -> None:
        """Worth knowing, nothing to mend."""
        self.add(PowerProblem(pointer, NOTICE, message, hint))

    @property
    def has_error(self) -> bool:
        """Whether any problem so far is an error."""
        return any(problem.level == ERROR for problem in self.found)


class Overhead(NamedTuple):
    """The overhead fraction and where it was read: the file itself, or the cooling texts (quoted in ``source``)."""

    fraction: float
    source: str


class PowerPart(NamedTuple):
    """A part of the total: a component group, or a set of identical nodes (then with its nodes and ensemble).

    ``watts`` is the part's own power; that of a node set includes its overhead, that of a group does not.
    """

    name: str
    watts: float
    nodes: int | None = None
    ensemble_id: int | None = None
    accelerators_per_node: int | None = None


@dataclass(frozen=True, slots=True)
class PowerResult:
    """The power of one system. ``total_w`` is None where no total can be derived; then there is an error that says why.

    ``component_total_w`` is what the components alone would give (a cross-check where another figure counts);
    ``scale_out_total_w`` the total with the scale-out terms of the newer rules, in the checker shape only;
    ``switches_w`` the scale-out switches inside the total, in the Appendix E shape only.
    """

    shape: Shape | None = None
    total_w: float | None = None
    derived: Derivation | None = None
    overhead: Overhead | None = None
    parts: tuple[PowerPart, ...] = ()
    switches_w: float = 0.0
    estimated: tuple[str, ...] = ()
    component_total_w: float | None = None
    scale_out_total_w: float | None = None
    problems: tuple[PowerProblem, ...] = field(default=(), repr=False)

    @property
    def provisioned_power_kw(self) -> float | None:
        """The total in kilowatts; Appendix E rounds it, once, to two decimals (E.5), the checker shape not at all."""
        return None if self.total_w is None else self.in_kw(self.total_w)

    def in_kw(self, watts: float) -> float:
        """``watts`` in kilowatts, rounded as the document's shape rounds."""
        kilowatts = watts / _W_PER_KW
        return round(kilowatts, _KW_DECIMALS) if self.shape == "appendix_e" else kilowatts
