# Sourced by the scripts: they run in the repository's root, say which step they are at, and stop at the first failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The seconds since the start, which survives into scripts that are called from here.
export RICCI_STARTED="${RICCI_STARTED:-$(date +%s)}"
elapsed() { echo $(($(date +%s) - RICCI_STARTED)); }

# step <what>: announces a step with the time since the start.
step() {
    local seconds
    seconds=$(elapsed)
    printf '\n==== [%d:%02d] %s\n' $((seconds / 60)) $((seconds % 60)) "$*"
}

jobs() { # one per core, and 3 GiB of memory for each
    local by_memory=$(($(awk '/MemAvailable/ { print $2 }' /proc/meminfo) / 3145728))
    local by_cores
    by_cores=$(nproc)
    local n=$((by_memory < by_cores ? by_memory : by_cores))
    echo $((n > 0 ? n : 1))
}
JOBS="${JOBS:-$(jobs)}"

# The C++ compiler: $CXX, or the first g++ that is new enough, which on older systems is not the default one.
choose_compiler() {
    [ -z "${CXX:-}" ] || return 0
    local candidate
    for candidate in g++ g++-15 g++-14 g++-13 g++-12; do
        if command -v "$candidate" >/dev/null && [ "$("$candidate" -dumpversion | cut -d. -f1)" -ge 12 ]; then
            export CXX="$candidate"
            return 0
        fi
    done
    echo "g++ 12 or newer is needed: apt-get install g++-12, or set CXX" >&2
    exit 1
}
