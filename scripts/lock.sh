#!/usr/bin/env bash
# Resolves the dependencies of pyproject.toml anew into requirements/*.txt, with hashes, for every platform.
# Usage: scripts/lock.sh [--upgrade | --upgrade-package NAME ...]   (without: keeps the versions that still fit)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

if [ -x .venv/bin/uv ]; then
    uv=.venv/bin/uv
elif command -v uv >/dev/null; then
    uv=uv
else
    say "fetching uv for this one run"
    python3 -m venv "$tools/venv"
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check 'uv>=0.9,<1'
    uv=$tools/venv/bin/uv
fi

# Where packages come from is each machine's own affair: no index and no folder is written into the locks.
compile() {
    local output=$1
    shift
    say "requirements/$output"
    "$uv" pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' \
        --output-file "requirements/$output" "$@"
}

python3 - >"$tools/build.in" <<'PYTHON'
import tomllib
from pathlib import Path

print("\n".join(tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]))
PYTHON

compile runtime.txt pyproject.toml "$@"
compile build.txt "$tools/build.in" --no-annotate "$@"
compile dev.txt pyproject.toml requirements/build.txt --extra dev -c requirements/runtime.txt "$@"

if grep -nE 'https?://|file:|^-|[[:space:]]/' requirements/*.txt; then
    fail "a lock names an index, a folder or an option (lines above)"
fi
