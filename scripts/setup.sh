#!/usr/bin/env bash
# Makes .venv and installs the locked dependencies and this project (editable) into it.
# Usage: scripts/setup.sh [PYTHON]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

python=${1:-python3}

command -v "$python" >/dev/null || fail "$python was not found; install Python 3.11 or newer, or call: make setup PYTHON=/path/to/python"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old, 3.11 or newer is needed; call: make setup PYTHON=/path/to/python"

# Debian ships the venv module without ensurepip, which it needs; `venv` then leaves half an environment behind.
if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    if ! "$python" -c 'import ensurepip' 2>/dev/null; then
        apt_install python3-venv ||
            fail "$python can't make virtual environments: ensurepip is missing. On Debian and Ubuntu: sudo apt-get install python3-venv"
    fi
    say "making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
fi

say "installing the locked dependencies"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
# The build backend is in the lock too, so that building this project downloads nothing of its own choice.
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
