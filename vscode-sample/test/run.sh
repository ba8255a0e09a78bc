#!/bin/bash
# Packs the extension, installs it into a real VS Code, and drives that in headless Chromium.
# VS Code is kept in $EREMITE_VSCODE (default: eremite-vscode in the user's cache folder).
set -euo pipefail
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
server=${EREMITE_VSCODE:-${XDG_CACHE_HOME:-$HOME/.cache}/eremite-vscode}
log=$root/dist/install.log
mkdir -p "$root/dist"

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
EREMITE_VSCODE=$server exec node --test --test-reporter="${EREMITE_TEST_REPORTER:-spec}" test/vscode.test.mjs
