"""Requirements that the files of a submission can't show, each with the reason."""

from __future__ import annotations

from checks.endpoints.book import not_checkable

_REQUEST_LOG = "the log of single requests (events.jsonl) is not part of the package"

_REASONS = (
    (
        "requirement-sampling-order",
        "samplingOrder",
        f"the order in which samples were drawn is not recorded; {_REQUEST_LOG}",
    ),
    (
        "requirement-load-pattern-run",
        "loadPatternAsRun",
        f"the declared pattern is checked (load-pattern); how requests were issued is not recorded; {_REQUEST_LOG}",
    ),
    (
        "requirement-steady-state-window",
        "windowRecomputed",
        f"the declared window is checked (point-duration); it can't be computed again, since {_REQUEST_LOG}",
    ),
    (
        "requirement-server-streaming",
        "serverStreams",
        f"the client's setting is checked (streaming-config), which proves nothing of the server; {_REQUEST_LOG}",
    ),
    (
        "requirement-warmup-excluded",
        "warmupExcluded",
        f"which requests lie before TEST_STARTED is not recorded; {_REQUEST_LOG}",
    ),
    (
        "requirement-warmup-data",
        "warmupData",
        "what the warm-up sent is not in the package; only its declaration is compared (warmup-salt)",
    ),
    (
        "requirement-warmup-logs",
        "warmupLogs",
        "the logs stay with the submitter; only the declaration is checked (warmup-logs-retained)",
    ),
    (
        "requirement-accuracy-placement",
        "accuracyPlacement",
        "no timestamp tells that an accuracy run followed its performance run at once, on the same instance",
    ),
    (
        "requirement-accuracy-configuration",
        "accuracyConfiguration",
        "the accuracy file holds no configuration, weights or software to compare with the performance run's",
    ),
    (
        "requirement-accuracy-dataset-unsalted",
        "accuracyDatasetUnsalted",
        "whether the accuracy queries were salted is not recorded",
    ),
    (
        "requirement-seed-use",
        "seedsUsed",
        f"the configured seeds are checked (seed-runtime-match), not whether the generators used them; {_REQUEST_LOG}",
    ),
    ("requirement-salt-entropy", "saltEntropy", f"salts are part of the requests; {_REQUEST_LOG}"),
    ("requirement-salt-placement", "saltPlacement", f"salts are part of the requests; {_REQUEST_LOG}"),
    (
        "requirement-frozen-stack",
        "frozenStack",
        "declarations are compared (system-description-consistency); the software that ran is not recorded",
    ),
    (
        "requirement-source-reproduces",
        "sourceReproduces",
        "that the source builds and reproduces the result is found by running it, which reviewers do",
    ),
    (
        "requirement-software-versions-true",
        "softwareVersionsTrue",
        "that the disclosed versions are those that ran is for reviewers to judge",
    ),
    (
        "requirement-reproducibility",
        "reproducibility",
        "reproduction by a third party is a process of the review, not a file",
    ),
    (
        "requirement-variability-margins",
        "variabilityMargins",
        "the margins of 10 % and 5 % apply to re-runs of the review, whose results are not in the package",
    ),
    (
        "requirement-reference-tokenizer",
        "referenceTokenizer",
        "tokens are counted inside the client; the package holds only the counts",
    ),
    (
        "requirement-counted-content",
        "countedContent",
        "what was counted as output needs the responses, which are not in the package",
    ),
    (
        "requirement-no-padding",
        "noPadding",
        "padding and duplication show in the responses only, which are not in the package",
    ),
    (
        "requirement-first-token",
        "genuineFirstToken",
        "what the first chunk held shows in the responses only, which are not in the package",
    ),
    (
        "requirement-policy-precedence",
        "policyPrecedence",
        "where this checker and the policy repository disagree, the repository is right; nothing to check",
    ),
)

for _id, _name, _reason in _REASONS:
    not_checkable(_id, _name, _reason)
