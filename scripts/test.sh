#!/usr/bin/env bash
# Runs the tests, with what they need around them. Arguments go to pytest.
# Usage: scripts/test.sh [PYTEST_ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

tests_use() { grep -rqE --include='*.py' --exclude=conftest.py "$1" tests; }

# The tests serve repositories by git's own HTTP backend; Debian has it in the package git.
[ -x "$(git --exec-path)/git-http-backend" ] ||
    fail "git http-backend is missing from $(git --exec-path); install the full git package"

if tests_use 'mark\.browser|\bchromium\b' && [ -z "${CHROMIUM:-}" ]; then
    CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
    if [ -z "$CHROMIUM" ] && apt_install chromium; then
        CHROMIUM=$(command -v chromium)
    fi
    if [ -n "$CHROMIUM" ]; then export CHROMIUM; else say "no Chromium on this machine: the tests that need it skip"; fi
fi

# GitHub's own JavaScript packages are second judges of the stand-in; without npm those tests skip and say so.
judges=tests/github/octokit
if [ ! -d "$judges/node_modules" ] && command -v npm >/dev/null; then
    npm ci --prefix "$judges" --silent --no-audit --no-fund || say "npm can't install $judges: the tests that need it skip"
fi

run=(.venv/bin/python -m pytest -n "${TEST_PROCESSES:-auto}" "$@")
if tests_use 'mark\.postgres|\bpostgres_url\b'; then
    exec scripts/with_postgres.sh "${run[@]}"
fi
exec "${run[@]}"
