# shellcheck shell=bash
# Shared by the scripts of this folder; sourced, never run.

say() { printf '== %s\n' "$*" >&2; }

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# apt_install PACKAGE...: installs Debian packages when that is possible without asking anyone:
# as root, with apt-get at hand, and unless NO_APT is set. Returns 1 otherwise.
apt_install() {
    if [ "$(id -u)" -ne 0 ] || [ -n "${NO_APT:-}" ] || ! command -v apt-get >/dev/null; then
        return 1
    fi
    say "installing Debian packages: $* (NO_APT=1 prevents this)"
    apt-get update -qq </dev/null >&2 &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" </dev/null >&2
}
