"""Units: folders of a submission with a meaning, the first parameter of every rule."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import cached_property

from checks import names
from checks.findings import Finding, Level
from checks.tree import Entry, Kind, Tree


class Folder:
    """A folder of the tree. Subclasses name what it is in the rules document's terms."""

    def __init__(self, tree: Tree, path: str) -> None:
        self.tree = tree
        self.path = path

    def __repr__(self) -> str:
        return f"{type(self).__name__}({names.shown_path(self.path)!r})"

    @property
    def name(self) -> str:
        """The folder's own name."""
        return names.basename(self.path)

    @property
    def shown(self) -> str:
        """The folder's own name, safe to show."""
        return names.shown(self.name)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """What lies directly in the folder, by name; empty when the folder is absent."""
        return self.tree.children(self.path)

    @property
    def exists(self) -> bool:
        """Whether it is a folder of the tree."""
        return self.tree.is_dir(self.path)

    def of_kind(self, kind: Kind) -> list[str]:
        """Names of the entries of one kind, in the order of their bytes."""
        return [entry.name for entry in self.entries.values() if entry.kind is kind]

    @property
    def folders(self) -> list[str]:
        """Names of the folders directly inside."""
        return self.of_kind(Kind.DIRECTORY)

    @property
    def files(self) -> list[str]:
        """Names of the regular files directly inside."""
        return self.of_kind(Kind.FILE)

    def inside(self, *parts: str) -> str:
        """The path of something inside."""
        return names.join(self.path, *parts)

    def finding(
        self,
        message: str,
        hint: str | None = None,
        at: str = "",
        level: Level | None = None,
        cause: str | None = None,
    ) -> Finding:
        """A finding on the folder, or on the entry ``at`` (a path below it)."""
        return Finding(self.inside(at), message, hint, None, level, cause)


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 run folder``, ``5 run folders``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(items: Iterable[str], limit: int = 6) -> str:
    """Names as a sentence shows them: quoted, joined by commas, the rest counted."""
    shown = [f"`{names.shown(item)}`" for item in items]
    if len(shown) <= limit:
        return ", ".join(shown)
    return ", ".join(shown[:limit]) + f" and {len(shown) - limit:,} more"


def near_miss(name: str, allowed: Iterable[str]) -> str | None:
    """The allowed name that ``name`` was likely meant to be: another case or spelling; None when none is near."""
    choices = list(allowed)
    plain = {_plain(choice): choice for choice in choices}
    if (found := plain.get(_plain(name))) is not None:
        return found
    close = difflib.get_close_matches(_plain(name), plain, n=1, cutoff=0.8)
    return plain[close[0]] if close else None


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def did_you_mean(name: str, allowed: Iterable[str]) -> str:
    """`` Did you mean `kv_cache`?``, or nothing."""
    found = near_miss(name, allowed)
    return f" Did you mean `{found}`?" if found and found != name else ""
