#!/usr/bin/env bash
# Runs a command with a throw-away PostgreSQL server whose address is in TEST_DATABASE_URL; removes it afterwards.
# Usage: scripts/with_postgres.sh COMMAND [ARGUMENT...]
# Without PostgreSQL on the machine, and no right to install it, the command runs all the same: tests that need the
# server then skip and say so. A TEST_DATABASE_URL that is already set is used as it is.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

if [ -n "${TEST_DATABASE_URL:-}" ]; then
    exec "$@"
fi

postgres_tools() {
    local folder on_path
    on_path=$(command -v pg_ctl || true)
    # Debian keeps each version in a folder of its own, off PATH: the newest first.
    for folder in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -Vr) "${on_path%/*}"; do
        if [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ]; then
            printf '%s' "$folder"
            return
        fi
    done
    return 1
}

if ! tools=$(postgres_tools); then
    # Without this setting Debian makes and starts a system-wide cluster, which nothing here uses.
    if apt_install postgresql-common && sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' \
        /etc/postgresql-common/createcluster.conf && apt_install postgresql; then
        tools=$(postgres_tools) || fail "PostgreSQL was installed, but initdb and pg_ctl are not where Debian puts them"
    else
        say "no PostgreSQL on this machine: the tests that need it skip (install the package postgresql to run them)"
        exec "$@"
    fi
fi

# PostgreSQL refuses to run as root.
as_owner=()
if [ "$(id -u)" -eq 0 ]; then
    owner=postgres
    id "$owner" >/dev/null 2>&1 || owner=nobody
    as_owner=(runuser -u "$owner" --)
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/submission-bot-pg.XXXXXX")
# Called by the trap.
# shellcheck disable=SC2317
stop() {
    trap '' INT TERM
    (cd "$folder" && "${as_owner[@]}" "$tools/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1) || true
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A password, since any user of this machine can reach the port, and a PostgreSQL superuser can run programs.
password=$(python3 -c 'import secrets; print(secrets.token_hex(16))')
(umask 077 && printf '%s\n' "$password" >"$folder/password")
if [ -n "${owner:-}" ]; then chown -R "$owner" "$folder"; fi

"${as_owner[@]}" "$tools/initdb" -D "$folder/data" -U bot -E UTF8 --no-locale --no-sync --auth=scram-sha-256 \
    --pwfile="$folder/password" >"$folder/initdb.log" 2>&1 || {
    cat "$folder/initdb.log" >&2
    fail "initdb failed"
}

start() {
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    # No fsync: these data never outlive the run, and a killed client (which the tests are about) needs none.
    (cd "$folder" && "${as_owner[@]}" "$tools/pg_ctl" -D "$folder/data" -l "$folder/data/server.log" -w -t 60 -o "-p $port -k $folder \
        -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200" start >/dev/null)
}
# Another program can take the free port before the server does.
start || start || start || {
    cat "$folder/data/server.log" >&2
    fail "PostgreSQL did not start"
}

say "PostgreSQL $("$tools/postgres" -V | grep -oE '[0-9.]+' | head -1) on 127.0.0.1:$port for this run"
export TEST_DATABASE_URL="postgresql+psycopg://bot:$password@127.0.0.1:$port/postgres"
status=0
"$@" || status=$?
exit "$status"
