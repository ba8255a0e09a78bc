# Finds a JDK of version 25 or later, or installs one.

# Prints a failure as Eremite does everywhere, and ends. fail CODE MESSAGE CURE
fail() {
  printf 'eremite: %s (%s)\n  %s\n' "$2" "$1" "$3" >&2
  exit 125
}

# Whether that folder is a JDK (not only a JRE) of version 25 or later. Reads its `release` file: starts no process.
suitable_jdk() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  local line major
  while IFS= read -r line; do
    case $line in
      JAVA_VERSION=*)
        major=${line#JAVA_VERSION=\"}
        major=${major%%[!0-9]*}
        [ -n "$major" ] && [ "$major" -ge 25 ]
        return
        ;;
    esac
  done <"$1/release"
  return 1
}

# Sets jdk to the first suitable JDK: $EREMITE_JAVA_HOME (alone, if set), $JAVA_HOME, PATH, the usual folders.
find_jdk() {
  local candidate
  if [ -n "$EREMITE_JAVA_HOME" ]; then
    jdk=$EREMITE_JAVA_HOME
    suitable_jdk "$jdk" && return
    fail E002 "\$EREMITE_JAVA_HOME ($jdk) is no JDK of version 25 or later" "point it at one, or unset it"
  fi
  local on_path
  on_path=$(type -P javac) && on_path=$(readlink -f -- "$on_path") && on_path=${on_path%/bin/javac}
  for candidate in "$JAVA_HOME" "$on_path" /usr/lib/jvm/* /opt/java/* /opt/jdk* "$HOME"/.sdkman/candidates/java/* \
    "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* "$HOME"/.asdf/installs/java/*; do
    if [ -n "$candidate" ] && suitable_jdk "$candidate"; then
      jdk=$candidate
      return 0
    fi
  done
  return 1
}

# Whether apt can be used here: root on Debian, Ubuntu or a relative.
can_install() {
  [ "$(id -u)" = 0 ] && type -P apt-get >/dev/null
}

# Installs the first of the named packages that apt knows. Its output goes to the log that is fd 3 of the caller.
install_one_of() {
  local name
  if [ -z "$apt_updated" ]; then
    DEBIAN_FRONTEND=noninteractive apt-get -q update >&3 2>&3 </dev/null
    apt_updated=1
  fi
  for name in "$@"; do
    DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends "$name" >&3 2>&3 </dev/null && return 0
  done
  return 1
}

# Sets jdk, installing one where that is possible; else says how to get one, and ends.
need_jdk() {
  find_jdk && return
  if can_install; then
    echo "eremite: installing a JDK…" >&2
    install_one_of openjdk-25-jdk-headless temurin-25-jdk openjdk-26-jdk-headless temurin-26-jdk && find_jdk && return
  fi
  fail E001 "no JDK of version 25 or later found" \
    "install one (Debian, Ubuntu: apt-get install openjdk-25-jdk-headless or temurin-25-jdk; or SDKMAN: sdk install java 25-tem), or set EREMITE_JAVA_HOME to one"
}

# Makes sure of mvn, installing it where that is possible; else says how to get it, and ends.
need_maven() {
  type -P mvn >/dev/null && return
  if can_install; then
    echo "eremite: installing Maven…" >&2
    install_one_of maven && hash -r && type -P mvn >/dev/null && return
  fi
  fail E003 "Maven is needed to build Eremite and was not found" \
    "install it (Debian, Ubuntu: apt-get install maven), then run this again"
}
