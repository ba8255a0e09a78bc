#!/bin/bash
# Packs the extension, installs it into a real VS Code, and drives that in headless Chromium.
# VS Code is kept in $EREMITE_VSCODE (default: eremite-vscode in the user's cache folder). $EREMITE_TEST_REPORT is a file
# for a report in JUnit's form, beside the one on stdout.
set -euo pipefail
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
server=${EREMITE_VSCODE:-${XDG_CACHE_HOME:-$HOME/.cache}/eremite-vscode}
log=$root/dist/install.log
mkdir -p "$root/dist"

[[ $(node --version 2>/dev/null) == v20.* ]] && type -P npm >/dev/null || {
  echo "run.sh: VS Code's server needs Node.js 20, with npm" >&2
  exit 1
}
"$root/test/install.sh" "$server" >"$log" 2>&1 </dev/null || {
  echo "run.sh: VS Code could not be installed, see $log" >&2
  tail -5 "$log" >&2
  exit 1
}
cd "$root"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --loglevel=error >>"$log" 2>&1
npm run --silent package >>"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
# The adapter must not build itself in the middle of a measured time.
../eremite --version >/dev/null
reporters=(--test-reporter=spec --test-reporter-destination=stdout)
[ -z "${EREMITE_TEST_REPORT:-}" ] ||
  reporters+=(--test-reporter=junit "--test-reporter-destination=$EREMITE_TEST_REPORT")
EREMITE_VSCODE=$server exec node --test "${reporters[@]}" test/vscode.test.mjs
