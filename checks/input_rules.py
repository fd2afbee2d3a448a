"""Faults that belong to no rule of the documents: ids, names, levels and what they mean.

``input.…`` are faults of a file or name as such, ``hygiene.…`` what a repository of submissions is better without,
``owner.…`` what a pull request touches beyond its submitter's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from checks.findings import Level


@dataclass(frozen=True, slots=True)
class InputRule:
    """An ``input.…`` or ``hygiene.…`` id: what it reports, at which level if edition and configuration say nothing."""

    id: str
    name: str
    level: Level
    text: str


INPUT_RULES = {
    item.id: item
    for item in (
        InputRule("input.json", "readableJson", Level.ERROR, "A JSON file that a rule needs is valid JSON (RFC 8259)."),
        InputRule(
            "input.yaml", "readableYaml", Level.ERROR, "A YAML file that a rule needs is one document of plain data."
        ),
        InputRule("input.duplicate-key", "uniqueKeys", Level.ERROR, "No name is given twice in one object or mapping."),
        InputRule("input.encoding", "utf8", Level.ERROR, "Text files are UTF-8 without a byte-order mark."),
        InputRule("input.empty", "notEmpty", Level.ERROR, "A file that a rule needs is not empty."),
        InputRule("input.too-large", "readableSize", Level.ERROR, "Files and trees are small enough to be read whole."),
        InputRule(
            "input.lfs-pointer", "contentInGit", Level.ERROR, "Content is in git itself, not behind an LFS pointer."
        ),
        InputRule(
            "input.pruned", "notPruned", Level.WARNING, "No placeholder stands in place of a file that a rule reads."
        ),
        InputRule(
            "input.missing", "neededFile", Level.ERROR, "A file that rules need, and that no rule demands, is there."
        ),
        InputRule(
            "input.symlink", "noLinks", Level.ERROR, "No symbolic link stands in a submission; none is followed."
        ),
        InputRule(
            "input.submodule", "noSubmodules", Level.ERROR, "No submodule stands in a submission; none is fetched."
        ),
        InputRule("input.name", "portableNames", Level.ERROR, "File names are UTF-8 and safe on every system."),
        InputRule(
            "input.case-collision", "distinctNames", Level.ERROR, "No two names differ only by case or accents' form."
        ),
        InputRule(
            "hygiene.file-size", "hostableSize", Level.WARNING, "Files are small enough for GitHub and its readers."
        ),
        InputRule("hygiene.junk", "noLeftovers", Level.NOTICE, "No leftovers of editors, interpreters or desktops."),
        InputRule(
            "hygiene.secret", "noSecrets", Level.WARNING, "No key, token or password stands in logs and records."
        ),
        InputRule("hygiene.home-path", "noUserNames", Level.NOTICE, "Records name no home folder of a person."),
        InputRule(
            "hygiene.near-name", "exactDotNames", Level.NOTICE, "Dot-prefixed files with a meaning are spelt right."
        ),
        InputRule("hygiene.same-pdf", "ownPdf", Level.NOTICE, "Each system has a PDF of its own."),
        InputRule(
            "hygiene.results-table", "generatedTables", Level.WARNING, "Generated results tables are left to staff."
        ),
        InputRule("hygiene.image-changed", "immutableImages", Level.WARNING, "An existing code image stays as it is."),
        InputRule("hygiene.orphan-image", "usedImages", Level.WARNING, "Some run points to each code image."),
        InputRule(
            "owner.foreign-folder",
            "ownFolder",
            Level.WARNING,
            "Only people whom the configuration names as its owners touch a submitter's folder.",
        ),
        InputRule("owner.several-folders", "oneSubmitter", Level.NOTICE, "A change touches one submitter's folder."),
        InputRule(
            "owner.own-waivers", "noOwnWaivers", Level.NOTICE, "Submitters' own files set no level and waive nothing."
        ),
    )
}
