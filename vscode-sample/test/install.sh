#!/bin/bash
# Installs VS Code (its server edition, the npm package code-server) into a folder, and Chromium by apt.
# Nothing is downloaded outside npm's and Debian's registries: native modules are built here, ripgrep is Debian's.
# The first time takes some minutes and 1 GB. Usage: install.sh FOLDER
set -euo pipefail
folder=${1:?usage: install.sh FOLDER}
version=4.100.3
[ "$(cat "$folder/installed" 2>/dev/null)" = "$version" ] && type -P chromium >/dev/null && exit 0

packages=(chromium fonts-dejavu-core ripgrep libkrb5-dev libx11-dev libxkbfile-dev libsecret-1-dev g++ make python3)
missing=()
for name in "${packages[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
done
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" != 0 ]; then
    echo "install.sh: missing packages (as root: apt-get install ${missing[*]})" >&2
    exit 1
  fi
  apt-get -q update
  DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends "${missing[@]}"
fi

# One of the modules fetches its build tool by npx, which would ask.
export npm_config_yes=true
quiet=(--no-audit --no-fund --loglevel=error)
mkdir -p "$folder"
cd "$folder"
[ -e package.json ] || echo '{"private": true}' >package.json
npm install "code-server@$version" --ignore-scripts "${quiet[@]}"
npm rebuild argon2
code=$folder/node_modules/code-server/lib/vscode
cd "$code"
npm install --ignore-scripts --omit=dev --legacy-peer-deps "${quiet[@]}"
npm rebuild node-pty @parcel/watcher native-watchdog @vscode/spdlog @vscode/sqlite3
cd "$code/extensions"
npm install --ignore-scripts --omit=dev --legacy-peer-deps "${quiet[@]}"
mkdir -p "$code/node_modules/@vscode/ripgrep/bin"
ln -sf "$(type -P rg)" "$code/node_modules/@vscode/ripgrep/bin/rg"
"$folder/node_modules/.bin/code-server" --version
echo "$version" >"$folder/installed"
